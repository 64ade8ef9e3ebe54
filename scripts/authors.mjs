// authors.html's parts that come from data: the list of units, the constants, whom to follow, what can be hidden.
//
// In: the page as text, the lesson list, the engine's table of constants. Out: the page filled in, and the same data for its script.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PARTS } from '../src/frame/parts.js'
import { GROUPS } from './controls.mjs'
import { escape } from './html.mjs'
import { manifest, unitGroups } from './units.mjs'

/** What an author reads for each part of the lab that `hide` knows beside constants, in the page's order. */
const PART_NAMES = {
  guide: 'Hướng dẫn',
  predict: 'Đoán trước khi chạy',
  presets: 'Mẫu có sẵn',
  requests: 'Bảng yêu cầu',
  script: 'Script',
  exercises: 'Sáu bài tập',
  printout: 'Bản in',
  whole: 'Liên kết «Mở cả lab»',
}
const unnamed = Object.keys(PARTS).filter((name) => !(name in PART_NAMES))
if (unnamed.length) throw new Error(`scripts/authors.mjs has no words for ${unnamed.join(', ')}`)

/** What the page offers: units of the manifest with the fields that each shows, constants that are numbers, requests to follow, parts to hide. */
export function offer(root) {
  const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'))
  const table = read('.cache/engine-data/constants.json')
  const blocks = read('static/data/blocks.json')
  const by = Object.fromEntries(table.map((one) => [one.name, one]))
  return {
    units: manifest(root).units.map(({ id, title, about, minutes, needs, embed, page, thumbnail }) =>
      ({ id, title, about, minutes, needs, embed, page, thumbnail, controls: controlsOf(embed.attributes, blocks) })),
    constants: table.filter(({ minimum }) => minimum !== null).map(({ name, default: value, kind, group, minimum, maximum, unit, label, help, range }) => ({ name, default: value, kind, group, minimum, maximum, unit, label, help, range })),
    follow: { ids: by.REQUESTS.default.map(({ id }) => id), default: by.FOLLOW.default },
    parts: Object.keys(PART_NAMES).filter((name) => name in PARTS),
  }
}

/** The fields that a unit shows by itself: names of constants, or null for all of them. What an author sets is shown, too. */
function controlsOf({ view, block, exercise }, blocks) {
  if (view === 'lab') return null
  if (view === 'block') return blocks.find(({ number }) => String(number) === block).controls
  return exercise ? [exercise] : []
}

export function renderAuthors(html, root) {
  const made = offer(root)
  const parts = {
    units: unitGroups(root).map(unitGroup).join('\n'),
    constants: GROUPS.map((group) => constantGroup(group, made.constants.filter((one) => one.group === group))).filter(Boolean).join('\n'),
    follow: made.follow.ids.map((id) => `<option${id === made.follow.default ? ' selected' : ''}>${escape(id)}</option>`).join(''),
    parts: made.parts.map((name) => `<label><input type="checkbox" data-hide="${name}" autocomplete="off"> ${escape(PART_NAMES[name])}</label>`).join('\n'),
    offer: `<script type="application/json" id="offer">${JSON.stringify(made).replace(/</g, '\\u003c')}</script>`,
  }
  return html.replace(/<!-- page:(\w+) -->/g, (_, name) => {
    if (!(name in parts)) throw new Error(`authors.html asks for page:${name}`)
    return parts[name]
  })
}

const unitGroup = ({ title, units }) => `<fieldset class="unit-group">
  <legend>${escape(title)}</legend>
${units.map(({ id, title: name, minutes }) => `  <label class="unit-choice"><input type="radio" name="unit" value="${id}" autocomplete="off"> <span>${escape(name)}</span> <span class="minutes">${minutes} phút</span></label>`).join('\n')}
</fieldset>`

const constantGroup = (group, rows) => rows.length === 0 ? '' : `<details class="constant-group">
  <summary><h3>${escape(group)}</h3> <span class="group-changed small"></span></summary>
${rows.map(constantRow).join('\n')}
</details>`

const constantRow = ({ name, kind, label, help, unit, range, default: value }) => `  <div class="constant" data-constant="${name}">
    <label for="constant-${name}"><code>${name}</code> <span>${escape(label)}</span></label>
    <div class="constant-line">
      <input type="text" inputmode="${kind === 'float' ? 'decimal' : 'numeric'}" id="constant-${name}" value="${value}" autocomplete="off" spellcheck="false" aria-describedby="help-${name} problem-${name}">
      <span class="unit">${escape(unit)}</span>
      <label class="hide"><input type="checkbox" data-hide="${name}" autocomplete="off"> Ẩn<span class="hidden"> ô ${name}</span></label>
    </div>
    <p class="small" id="help-${name}">${escape(help)} Nhận ${escape(range)}.</p>
    <p class="problem" id="problem-${name}" role="alert"></p>
  </div>`
