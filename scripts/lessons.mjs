// The lesson list: everything there is to learn here, from one data file, and the page's HTML made of it.
//
// In: static/data/lessons.json and the data of panels and cells, which name themselves. Out: units in order, and HTML. A unit that
// needs another one which does not exist is an error, and so is a panel, cell or card without a unit.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { escape, labelOf, prose } from './html.mjs'

const read = (root, file) => JSON.parse(readFileSync(join(root, 'static', 'data', file), 'utf8'))

/** -> { start, path: [unit], groups: [{ id, title, units: [{ id, title, minutes, needs: [id], href, about }] }] } */
export function lessons(root) {
  const { start, path, groups } = read(root, 'lessons.json')
  const blocks = read(root, 'blocks.json')
  const architecture = read(root, 'architecture.json')
  const made = {
    blocks: (group) => blocks.map((block) => unit(group, block.id, `${block.number} · ${block.name}`, block.shows, `#${block.id}`)),
    cells: (group) => architecture.layers.flatMap(({ cells }) => cells).map((cell) => unit(group, `cell-${cell.id}`, `${labelOf(cell.id)} ${cell.name}`, cell.does, `#text-${cell.id}`)),
    cards: (group) => architecture.cards.cells.map((card) => unit(group, `cell-${card.id}`, card.name, card.does, `#text-${card.id}`)),
  }
  const full = groups.map((group) => ({ id: group.id, title: group.title, units: group.units?.map(complete) ?? made[group.id](group) }))
  const byId = new Map(full.flatMap(({ units }) => units).map((one) => [one.id, one]))
  const find = (id, asker) => {
    if (!byId.has(id)) throw new Error(`static/data/lessons.json: ${asker} names «${id}», which is no unit`)
    return byId.get(id)
  }
  for (const one of byId.values()) one.needs.forEach((id) => find(id, one.id))
  return { start, path: path.map((id) => find(id, 'path')), groups: full, titleOf: (id) => find(id, 'needs').title }
}

/** Minutes as a reader says them. */
const lasting = (minutes) => (minutes < 60 ? `${minutes} phút` : `${Math.floor(minutes / 60)} giờ${minutes % 60 ? ` ${minutes % 60} phút` : ''}`)

const unit = ({ minutes, needs }, id, title, about, hash) => ({ id, title, about, minutes, needs, href: `../index.html${hash}` })
const complete = (one) => ({ about: '', href: `../index.html#${one.id}`, ...one })

/** The list as HTML: a path for someone new, then every group. */
export function renderLessons(html, root) {
  const { start, path, groups, titleOf } = lessons(root)
  const total = path.reduce((sum, { minutes }) => sum + minutes, 0)
  const parts = {
    start: escape(start.replace('{total}', lasting(total))),
    path: path.map((one) => `<li data-step="${one.id}">${link(one)} <span class="minutes">${one.minutes} phút</span> <span class="done">đã học</span></li>`).join('\n'),
    total: `${path.length} chặng, ${lasting(total)}`,
    groups: groups.map((group) => section(group, titleOf)).join('\n'),
  }
  return html.replace(/<!-- page:(\w+) -->/g, (_, name) => {
    if (!(name in parts)) throw new Error(`lessons/index.html asks for page:${name}`)
    return parts[name]
  })
}

function section({ id, title, units }, titleOf) {
  const minutes = units.reduce((sum, one) => sum + one.minutes, 0)
  const same = units.length > 1 && units.every((one) => String(one.needs) === String(units[0].needs)) // then it is said once
  return `<section aria-labelledby="group-${id}">
  <h2 id="group-${id}">${escape(title)} <span class="minutes">${units.length} mục, ${lasting(minutes)}</span></h2>
${same ? `  <p class="small">Cả nhóm: ${builtOn(units[0], titleOf)}</p>\n` : ''}  <ul class="units">
${units.map((one) => item(one, same ? '' : `<p class="small">${capital(builtOn(one, titleOf))}</p>`)).join('\n')}
  </ul>
</section>`
}

const capital = (text) => text[0].toUpperCase() + text.slice(1)
const builtOn = ({ needs }, titleOf) => (needs.length ? `nên học trước ${needs.map((id) => `«${escape(titleOf(id))}»`).join(', ')}.` : 'không cần học gì trước.')

function item(one, needs) {
  return `<li data-unit="${one.id}">
  <label class="tick"><input type="checkbox" autocomplete="off" data-tick="${one.id}"><span class="hidden">Đã học: ${escape(one.title)}</span></label>
  <div>${link(one)} <span class="minutes">${one.minutes} phút</span> <span class="auto">tự có dấu</span>${one.about ? `<p>${prose(one.about)}</p>` : ''}${needs}</div>
</li>`
}

const link = ({ href, title }) => `<a href="${href}">${escape(title)}</a>`
