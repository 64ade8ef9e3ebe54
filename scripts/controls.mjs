// What comes in: the engine's table of constants and the presets. What goes out: the controls of the page as HTML, and what
// the view has to know of them as data. Knows nothing of the view: the fields are there, and can be used, before any script runs.

import { escape, prose } from './html.mjs'

/** Groups in the order of the page; those a learner changes most stand open. */
export const GROUPS = ['Lập lịch', 'Bộ nhớ KV', 'Đồng hồ mô phỏng', 'Chất lượng', 'Mô hình', 'Đầu vào']
const OPEN = new Set(GROUPS.slice(0, 2))

const CELLS = ['id', 'arrival', 'text', 'max_new', 'temperature', 'top_k', 'top_p', 'seed']
const CELL_DEFAULTS = { temperature: 0, top_k: 0, top_p: 1, seed: 0 }
const TEXT_CELLS = new Set(['id', 'text'])

export function controls(constants) {
  const shown = constants.filter(({ kind }) => kind !== 'requests' && kind !== 'id')
  const lost = shown.filter(({ group }) => !GROUPS.includes(group))
  if (lost.length) throw new Error(`no place for the groups of ${lost.map(({ name }) => name).join(', ')}`)
  return GROUPS.map((group) => controlGroup(group, shown.filter((one) => one.group === group))).join('\n')
}

function controlGroup(group, constants) {
  return `<details class="control-group"${OPEN.has(group) ? ' open' : ''}>
  <summary><h3>${escape(group)}</h3> <span class="group-changed"></span></summary>
  <div class="controls-of-group">
${constants.map(control).join('\n')}
  </div>
</details>`
}

const control = (one) => (one.kind === 'texts' ? corpusControl(one) : numberControl(one))

function numberControl(one) {
  const { name, kind, unit, label } = one
  const value = String(one.default)
  return `<div class="control" data-constant="${name}">
  <div class="control-head"><label for="number-${name}"><code>${name}</code> <span>${escape(label)}</span></label> ${resetButton(name, value)}</div>
  <div class="control-line">
    <input type="range" name="${name}-slider" data-slider="${name}" min="${one.minimum}" max="${one.slider_maximum}" step="${one.step}" value="${value}" aria-label="${name}, thanh trượt" aria-valuetext="${escape(`${value} ${unit}`.trim())}" autocomplete="off">
    <input type="text" inputmode="${kind === 'float' ? 'decimal' : 'numeric'}" id="number-${name}" name="${name}" data-number="${name}" value="${value}" autocomplete="off" spellcheck="false" aria-describedby="help-${name} computed-${name} error-${name}">
    <span class="unit">${escape(unit)}</span>
  </div>
  ${helpAndError(one)}
</div>`
}

function corpusControl(one) {
  const { name, label } = one
  return `<div class="control wide" data-constant="${name}">
  <div class="control-head"><label for="number-${name}"><code>${name}</code> <span>${escape(label)}</span></label> ${resetButton(name, '')}</div>
  <textarea id="number-${name}" name="${name}" rows="${one.default.length + 1}" autocomplete="off" spellcheck="false" aria-describedby="help-${name} computed-${name} error-${name}">
${escape(one.default.join('\n'))}</textarea>
  ${helpAndError({ ...one, help: `${one.help} Mỗi câu một dòng.` })}
</div>`
}

/** "8 192" on one line. */
const unbroken = (text) => text.replace(/(?<=\d) (?=\d{3})/g, '\u00a0')

const resetButton = (name, value) =>
  `<button type="button" class="reset-one" data-reset="${name}" aria-label="Về mặc định: ${name}${value && ` = ${escape(value)}`}" hidden>Về ${value ? escape(value) : 'mặc định'}</button>`

function helpAndError({ name, help, range, known_as }) {
  const known = known_as ? ` Tên thường gặp: <code>${escape(known_as)}</code>.` : ''
  return `<p class="help" id="help-${name}">${prose(help)} <span class="range">Nhận ${escape(unbroken(range))}.</span>${known}</p>
  <p class="computed" id="computed-${name}" hidden>Script tính giá trị này, nên chỉ sửa được trong script.</p>
  <p class="field-error" id="error-${name}" role="alert"></p>`
}

export const presetButtons = (presets) =>
  presets.map(({ id, label }, i) => `<button type="button" data-preset="${i}" id="preset-${id}" aria-pressed="${i === 0}">${escape(label)}</button>`).join('\n')

/** Rows of the table of requests, and a template for more. */
export function requestRows(constants) {
  const { requests, follow } = inputs(constants)
  const blank = CELLS.map(() => '')
  return `<tbody>
${requests.map((cells, i) => requestRow(cells, i, cells[0] === follow)).join('\n')}
</tbody>
<template id="request-row">${requestRow(blank, '', false)}</template>`
}

function requestRow(cells, i, followed) {
  const of = cells[0] ? ` của yêu cầu ${cells[0]}` : ''
  const fields = CELLS.map((cell, at) => {
    const kind = TEXT_CELLS.has(cell) ? '' : ` inputmode="${cell === 'temperature' || cell === 'top_p' ? 'decimal' : 'numeric'}"`
    const tag = cell === 'id' ? 'th scope="row"' : 'td'
    return `<${tag}><input type="text"${kind} data-cell-of="${i}" data-cell-name="${cell}" value="${escape(cells[at])}" aria-label="${escape(cell + of)}" autocomplete="off" spellcheck="false"></${tag.slice(0, 2)}>`
  })
  return `<tr data-row="${i}"><td><input type="radio" name="FOLLOW" value="${escape(cells[0])}" data-follow="${i}"${followed ? ' checked' : ''} aria-label="Theo dõi${escape(of && ` yêu cầu ${cells[0]}`)}" autocomplete="off"></td>${fields.join('')}<td><button type="button" class="remove" data-remove="${i}" aria-label="Xóa${escape(of && ` yêu cầu ${cells[0]}`)}">Xóa</button></td></tr>`
}

/** For static/view/work.py: names, ranges, defaults as text, presets as text. */
export function controlsData(constants, presets) {
  const { requests, corpus, follow, fields } = inputs(constants)
  const rows = constants.map(({ name, kind, minimum, maximum, slider_maximum, step, unit, range, default: value }) =>
    ({ name, kind, minimum, maximum, slider_maximum, step, unit, range: unbroken(range), text: minimum === null ? '' : String(value) }))
  return {
    constants: rows,
    fields,
    corpus,
    requests,
    follow,
    presets: presets.map((one) => ({ label: one.label, look: one.look, typed: typed(one.set), requests: one.requests?.map(cellsOf) ?? null }))
  }
}

const typed = (set) => Object.fromEntries(Object.entries(set).map(([name, value]) => [name, String(value)]))

function inputs(constants) {
  const by = Object.fromEntries(constants.map((one) => [one.name, one]))
  return { requests: by.REQUESTS.default.map(cellsOf), corpus: by.CORPUS.default, follow: by.FOLLOW.default, fields: by.REQUESTS.fields.map((one) => ({ ...one, range: unbroken(one.range) })) }
}

const cellsOf = (request) => CELLS.map((cell) => String(request[cell] ?? CELL_DEFAULTS[cell]))
