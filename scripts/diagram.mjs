// What comes in: the architecture (static/data/architecture.json) and the blocks that have a panel.
// What goes out: the diagram as SVG, and the same content as text for those who do not see it.
// Units are those of the data's grid; the page scales them. Nothing is placed twice, and a picture that would be wrong
// (an arrow through a cell, an end beside its cell, a focus on an unknown cell) is an error of the build.

import { escape, labelOf, prose } from './html.mjs'

const HEAD = 6 // length of an arrow's head
const PAD = 5 // between a cell's frame and its text
const ROUND = 5 // corner of an arrow
const ABOVE = 6 // from an arrow's line up to the foot of the words above it
const BELOW = 14 // from the line down to the foot of the words below it

export const cellsOf = (architecture) => [...architecture.layers.flatMap((layer) => layer.cells), ...architecture.cards.cells]

/** The whole picture. */
export function drawDiagram(architecture, blocks) {
  const problems = problemsOf(architecture, blocks)
  if (problems.length) throw new Error(`static/data/architecture.json:\n  ${problems.join('\n  ')}`)
  const blockOf = Object.fromEntries(blocks.map((block) => [block.cell, block]))
  const [width, height] = architecture.size
  const boxes = boxesOf(architecture)
  return `<svg id="picture" class="picture" style="--wide: ${width}; --high: ${height}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="xMidYMin" role="group" aria-labelledby="diagram-title" aria-describedby="diagram-keys">
<g class="bands" aria-hidden="true">
${[...architecture.layers, architecture.cards].map((band) => drawBand(band, width)).join('\n')}
</g>
<g class="arrows" aria-hidden="true">
${architecture.arrows.map((arrow) => drawArrow(arrow, boxes)).join('\n')}
</g>
<g class="pools" aria-hidden="true">
${architecture.topologies.flatMap(({ id, pools }) => pools.map((pool) => drawPool(pool, id))).join('\n')}
</g>
${[...architecture.layers, architecture.cards].map((band) => drawCells(band, blockOf, architecture.flow[0])).join('\n')}
<g class="dots" aria-hidden="true"></g>
<g class="legend" aria-hidden="true">
${architecture.legend.map(drawLegend).join('\n')}
</g>
</svg>`
}

function drawBand({ id, name, band: [y, height] }, width) {
  const label = id === 'X' ? '' : `<tspan class="band-label">${id}</tspan> `
  return `<rect class="band" x="1" y="${y}" width="${width - 2}" height="${height}" rx="5"/><text class="band-name" x="8" y="${y + 14}">${label}${escape(name)}</text>`
}

function drawCells({ id, name, cells }, blockOf, first) {
  const title = id === 'X' ? name : `${id} ${name}`
  return `<g role="group" aria-label="${escape(title)}">
${cells.map((cell) => drawCell(cell, blockOf[cell.id], cell.id === first)).join('\n')}
</g>`
}

/** A cell is a link to its panel, or to its text; one of them is in the tab order, the view moves that on. */
function drawCell(cell, block, first) {
  const [x, y, w, h] = cell.at
  const lines = cell.lines ?? [cell.name]
  const name = lines.map((line, i) => `<tspan x="${x + PAD + 1}" y="${y + 29 + 14 * i}">${escape(line)}</tspan>`).join(' ')
  const target = block ? `#${block.id}` : `#text-${cell.id}`
  return `<a class="cell${block ? ' has-panel' : ''}" data-cell="${cell.id}"${cell.apart ? ' data-apart' : ''} href="${target}" tabindex="${first ? 0 : -1}">` +
    `<rect class="cell-ring" x="${x - 2.5}" y="${y - 2.5}" width="${w + 5}" height="${h + 5}" rx="6"/>` +
    `<rect class="cell-frame" x="${x}" y="${y}" width="${w}" height="${h}" rx="4"/>` +
    (cell.hue ? `<path class="cell-hue" data-hue="${cell.hue}" d="M${x + 4} ${y + 2}H${x + w - 4}"/>` : '') +
    `<text class="cell-code" x="${x + PAD + 1}" y="${y + 14}">${labelOf(cell.id)}</text> ` +
    `<text class="cell-name">${name}</text>` +
    (block ? ` <text class="cell-panel" x="${x + w - PAD}" y="${y + 14}" text-anchor="end">khối ${block.number}</text> ${figurePlace(cell.at)}` : '') +
    `<text class="cell-mini" x="${x + w / 2}" y="${y + h / 2}" text-anchor="middle" dominant-baseline="central" aria-hidden="true">${labelOf(cell.id)}</text>` +
    `</a>`
}

/** Where the view writes a panel's figure: under the name, or beside the label where a cell is low. */
function figurePlace([x, y, w, h]) {
  const [left, baseline, width] = h < 45 ? [x + 30, y + 14, w - 30 - 48] : [x + PAD + 1, y + 43, w - 2 * PAD + 2]
  return `<text class="cell-figure" x="${left}" y="${baseline}" data-width="${width}"></text>`
}

/** An arrow is found by its ends and its topology; its line runs from the one to the other, for whatever travels on it. */
function drawArrow(arrow, boxes) {
  const points = pointsOf(arrow, boxes)
  const topology = arrow.topology ? ` data-in="${arrow.topology}"` : ''
  return `<g class="arrow" data-kind="${arrow.kind}" data-from="${arrow.from}" data-to="${arrow.to}"${topology}><title>${labelOf(arrow.from)} → ${labelOf(arrow.to)}: ${escape(arrow.carries)}</title>` +
    `<path class="arrow-halo" d="${pathOf(points)}"/><path class="arrow-line" d="${pathOf(points)}"/>${arrow.kind === 'kv' ? `<path class="arrow-core" d="${pathOf(points)}"/>` : ''}<path class="arrow-head" d="${headOf(points)}"/>${drawLoad(arrow, points)}</g>`
}

/** What an arrow carries, in short: beside its line where the data says, else above and below the middle of a straight one. */
function drawLoad({ carries, short = [carries], label }, points) {
  const [x, y, anchor = 'start'] = label ?? aboveMiddle(points)
  const lines = short.map((line, i) => (line ? `<tspan x="${x}" y="${y + i * (ABOVE + BELOW)}">${escape(line)}</tspan>` : '')).filter(Boolean)
  return `<text class="arrow-label" text-anchor="${anchor}">${lines.join(' ')}</text>`
}

function aboveMiddle([start, end]) {
  return [(start[0] + end[0]) / 2, start[1] - ABOVE, 'middle']
}

function drawPool({ at: [x, y, w, h], name, label: [labelX, labelY, anchor] }, topology) {
  return `<g class="pool" data-in="${topology}"><rect x="${x}" y="${y}" width="${w}" height="${h}" rx="6"/><text x="${labelX}" y="${labelY}" text-anchor="${anchor ?? 'start'}">${escape(name)}</text></g>`
}

function drawLegend({ kind, name, at: [x, y] }) {
  return `<g class="arrow" data-kind="${kind}"><path class="arrow-line" d="M${x} ${y - 4}H${x + 18}"/><path class="arrow-head" d="${headOf([[x, y - 4], [x + 24, y - 4]])}"/><text class="arrow-label" x="${x + 29}" y="${y}">${escape(name)}</text></g>`
}

// Where an arrow runs

const boxesOf = (architecture) => Object.fromEntries(cellsOf(architecture).map(({ id, at }) => [id, at]))

/** The point on a cell's side: `along` is x for top and bottom, y for left and right. */
function onSide([x, y, w, h], [side, along]) {
  return { top: [along, y], bottom: [along, y + h], left: [x, along], right: [x + w, along] }[side]
}

export function pointsOf({ from, to, out, via = [], into }, boxes) {
  return [onSide(boxes[from], out), ...via, onSide(boxes[to], into)]
}

const towards = (a, b) => [Math.sign(b[0] - a[0]), Math.sign(b[1] - a[1])]
const distance = (a, b) => Math.abs(b[0] - a[0]) + Math.abs(b[1] - a[1])
const moved = ([x, y], [dx, dy], by) => [x + dx * by, y + dy * by]
const at = ([x, y]) => `${x} ${y}`

/** Right angles with a rounded corner; the line ends where the head begins. */
function pathOf(points) {
  const last = points.length - 1
  let path = `M${at(points[0])}`
  for (let i = 1; i < last; i++) {
    const [before, corner, after] = points.slice(i - 1, i + 2)
    const round = Math.min(ROUND, distance(before, corner) / 2, distance(corner, after) / 2)
    path += `L${at(moved(corner, towards(corner, before), round))}Q${at(corner)} ${at(moved(corner, towards(corner, after), round))}`
  }
  return `${path}L${at(moved(points[last], towards(points[last], points[last - 1]), HEAD - 1))}`
}

function headOf(points) {
  const [before, tip] = points.slice(-2)
  const back = towards(tip, before)
  const side = [back[1], back[0]]
  const foot = moved(tip, back, HEAD)
  return `M${at(tip)}L${at(moved(foot, side, HEAD / 2))}L${at(moved(foot, side, -HEAD / 2))}Z`
}

// What must be true of the data

function problemsOf(architecture, blocks) {
  const boxes = boxesOf(architecture)
  const unknown = (id, where) => (id in boxes ? [] : [`${where} names the unknown cell ${id}`])
  const problems = [
    ...blocks.flatMap(({ id, cell }) => unknown(cell, id)),
    ...architecture.focus.flatMap(({ id, cells }) => cells.flatMap((cell) => unknown(cell, `focus ${id}`))),
    ...architecture.arrows.flatMap(({ from, to }) => [...unknown(from, `arrow to ${to}`), ...unknown(to, `arrow from ${from}`)])
  ]
  if ([...architecture.flow].sort().join() !== Object.keys(boxes).sort().join()) problems.push('flow does not name every cell once')
  return problems.length ? problems : architecture.arrows.flatMap((arrow) => problemsOfArrow(arrow, boxes))
}

function problemsOfArrow(arrow, boxes) {
  const name = `arrow ${arrow.from} → ${arrow.to}`
  const points = pointsOf(arrow, boxes)
  const problems = arrow.label || points.length === 2 ? [] : [`${name} turns, and does not say where its words stand`]
  problems.push(...[[arrow.from, arrow.out], [arrow.to, arrow.into]].flatMap(([id, end]) => (isOnSide(boxes[id], end) ? [] : [`${name} has an end (${end}) beside ${id}`])))
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1], points[i]]
    if (a[0] !== b[0] && a[1] !== b[1]) problems.push(`${name} is slanted between ${a} and ${b}`)
    for (const [id, box] of Object.entries(boxes)) if (crosses(a, b, box)) problems.push(`${name} runs through ${id}`)
  }
  return problems
}

function isOnSide([x, y, w, h], [side, along]) {
  return side === 'top' || side === 'bottom' ? along > x && along < x + w : along > y && along < y + h
}

function crosses(a, b, [x, y, w, h]) {
  return Math.max(a[0], b[0]) > x && Math.min(a[0], b[0]) < x + w && Math.max(a[1], b[1]) > y && Math.min(a[1], b[1]) < y + h
}

// The same as text

const FACTS = { takes: 'Nhận', does: 'Làm', gives: 'Trả', moves: 'Thước đo', lab: 'Trong lab', apart: 'Khi tách' }

const link = ({ label, url }) => `<a href="${escape(url)}">${escape(label)}</a>`

/** Every cell and card with its facts, its text, its arrows and its sources. */
export function describeDiagram(architecture, blocks) {
  const blockOf = Object.fromEntries(blocks.map((block) => [block.cell, block]))
  const nameOf = Object.fromEntries(cellsOf(architecture).map(({ id, name }) => [id, name]))
  return [...architecture.layers, architecture.cards]
    .map(({ id, name, cells }) => `<section>
<h3>${id === 'X' ? '' : `<span class="cell-label">${id}</span> `}${escape(name)}</h3>
${cells.map((cell) => describeCell(cell, blockOf[cell.id], architecture.arrows, nameOf)).join('\n')}
</section>`)
    .join('\n')
}

function describeCell(cell, block, arrows, nameOf) {
  const facts = Object.entries(FACTS).filter(([key]) => cell[key]).map(([key, title]) => `<div data-fact="${key}"><dt>${title}</dt><dd>${prose(cell[key])}</dd></div>`)
  const ends = arrows
    .filter(({ from, to }) => from === cell.id || to === cell.id)
    .map(({ from, to, carries, topology }) => {
      const other = from === cell.id ? to : from
      return `<li>${from === cell.id ? 'Đến' : 'Từ'} <span class="cell-label">${labelOf(other)}</span> ${escape(nameOf[other])}: ${prose(carries)}${topology === 'apart' ? ' (khi tách hai cụm)' : ''}.</li>`
    })
  const sources = cell.sources.map(link)
  return `<article class="about" id="text-${cell.id}" tabindex="-1">
<h4><span class="cell-label">${labelOf(cell.id)}</span> ${escape(cell.name)}</h4>
<dl class="facts">${facts.join('')}</dl>
${block ? `<p class="about-panel"><a href="#${block.id}">Mở khối ${block.number} · ${escape(block.name)}</a></p>\n` : ''}${cell.lesson ? `<p class="about-lesson">Bài học: ${link(cell.lesson)}</p>\n` : ''}<div class="about-text">${cell.text.map((one) => `<p>${prose(one)}</p>`).join('')}</div>
${ends.length ? `<ul class="about-arrows">${ends.join('')}</ul>\n` : ''}${sources.length ? `<p class="about-sources">Nguồn: ${sources.join(' · ')}</p>\n` : ''}</article>`
}

/** Buttons that light a group of cells. */
export const focusButtons = ({ focus }) => focus.map(({ id, label }) => `<button type="button" data-focus="${id}" aria-pressed="false">${label}</button>`).join('\n')

/** One topology at a time; the first is the one drawn at rest. */
export const topologyChoices = ({ topologies }) =>
  topologies.map(({ id, label }, i) => `<label><input type="radio" name="topology" value="${id}"${i ? '' : ' checked'}><span>${escape(label)}</span></label>`).join('\n')

/** What a topology buys and costs. */
export const topologyTexts = ({ topologies }) =>
  topologies
    .filter(({ buys }) => buys)
    .map(({ buys, costs, sources }) => `<dl><div><dt>Được gì</dt><dd>${prose(buys)}</dd></div><div><dt>Mất gì</dt><dd>${prose(costs)}</dd></div></dl>
<p class="about-sources">Nguồn: ${sources.map(link).join(' · ')}</p>`)
    .join('\n')

const OWNERS = { core: 'Chịu trách nhiệm đường thực thi', allied: 'Lo chất lượng và vận hành' }

export const ownersList = ({ owners }) =>
  Object.entries(OWNERS)
    .map(([kind, title]) => `<h4>${title}</h4>\n<ul>${owners[kind].map(({ name, does }) => `<li><b>${escape(name)}</b>: ${prose(does)}</li>`).join('')}</ul>`)
    .join('\n')

export const sourcesList = ({ sources }) => `<ul>${sources.map((source) => `<li>${link(source)}: ${prose(source.for)}</li>`).join('')}</ul>`

/** What the view needs to move between cells, to place and to light them. */
export function dataForView(architecture) {
  const data = {
    size: architecture.size,
    flow: architecture.flow.map((id) => [id, ...boxesOf(architecture)[id]]),
    focus: architecture.focus.map(({ id, why, cells }) => [id, why, cells]),
    topologies: architecture.topologies.map(({ id, summary }) => [id, summary ?? ''])
  }
  return JSON.stringify(data).replace(/</g, '\\u003c')
}
