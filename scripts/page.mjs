// What comes in: index.html as text, and the folder that holds static/data.
// What goes out: the same page with its tables, panels and cells filled in from that data.
// Knows nothing of Vite, of the engine or of the DOM: text in, text out.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const DATA = { blocks: 'blocks.json', architecture: 'architecture.json', requests: 'requests.json' }

/** Replace each `<!-- page:NAME -->` of index.html; an unknown or unused name is an error. */
export function renderPage(html, root) {
  const data = readData(root)
  const parts = {
    mapping: mappingRows(data),
    panels: data.blocks.map((block) => panel(block)).join('\n'),
    diagram: diagram(data),
    requests: data.requests.map(requestRow).join('\n')
  }
  const unused = new Set(Object.keys(parts))
  const page = html.replace(/<!-- page:(\w+) -->/g, (_, name) => {
    if (!(name in parts)) throw new Error(`index.html asks for page:${name}; known are ${Object.keys(parts).join(', ')}`)
    unused.delete(name)
    return parts[name]
  })
  if (unused.size) throw new Error(`index.html has no place for page:${[...unused].join(', page:')}`)
  return page
}

function readData(root) {
  const entries = Object.entries(DATA).map(([name, file]) => [name, JSON.parse(readFileSync(join(root, 'static', 'data', file), 'utf8'))])
  return Object.fromEntries(entries)
}

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text) => String(text).replace(/[&<>"]/g, (sign) => ESCAPES[sign])
const prose = (text) => escape(text).replace(/`([^`]+)`/g, '<code>$1</code>')
const labelOf = (id) => id.replace('-', '·')

/** The roles are said outright: on a phone the rows are stacked, and a stacked table would lose them. */
function mappingRows({ blocks }) {
  return blocks
    .map(
      (block) => `<tr role="row">
  <th scope="row" role="rowheader"><a href="#${block.id}">${block.number} · ${escape(block.name)}</a></th>
  <td role="cell"><span class="cell-label">${labelOf(block.cell)}</span> ${escape(block.lesson)}</td>
  <td role="cell">${prose(block.builds)}</td>
  <td role="cell">${prose(block.checks)}</td>
</tr>`
    )
    .join('\n')
}

function panel(block) {
  return `<details class="panel" id="${block.id}" data-of-cell="${block.cell}">
  <summary>
    <h3 class="panel-name">${block.number} · ${escape(block.name)} <span class="panel-cell">— ${labelOf(block.cell)}</span></h3>
    <span class="panel-figure"></span>
    <span class="panel-verdict"></span>
  </summary>
  <div class="panel-body">
    <div class="panel-result">
      <p class="idea">${prose(block.shows)}</p>
    </div>
    <details class="source" data-source="${block.number}">
      <summary>Xem mã</summary>
      <div class="source-body"></div>
    </details>
  </div>
</details>`
}

function diagram({ architecture, blocks }) {
  const panelOf = Object.fromEntries(blocks.map((block) => [block.cell, block]))
  const row = (id, title, cells) => `<div class="layer" data-layer="${id}">
  <h3>${title}</h3>
  <ul>
${cells.map((cell) => `    <li data-area="${cell.id}">${diagramCell(cell, panelOf[cell.id])}</li>`).join('\n')}
  </ul>
</div>`
  const layers = architecture.layers.map((layer) => row(layer.id, `<span class="cell-label">${layer.id}</span> ${escape(layer.name)}`, layer.cells))
  return [...layers, row('X', 'Thẻ xuyên suốt', architecture.cards)].join('\n')
}

/** A cell with a panel is a link to it; one without opens its own text. */
function diagramCell(cell, block) {
  const name = `<span class="cell-label">${cell.label}</span> <span class="cell-name">${escape(cell.name)}</span>`
  const text = `<span class="cell-text">${escape(cell.text)}</span>`
  return block
    ? `<a class="cell" data-cell="${cell.id}" href="#${block.id}">${name} <span class="cell-panel"><span class="hidden">khối </span>${block.number}</span></a>${text}`
    : `<details class="cell"><summary data-cell="${cell.id}">${name}</summary>${text}</details>`
}

function requestRow(request) {
  const followed = request.followed
  return `<tr${followed ? ' class="followed"' : ''}>
  <th scope="row">${escape(request.id)}${followed ? ' <span class="note">theo dõi</span>' : ''}</th>
  <td class="number">${escape(request.arrival)}</td>
  <td><code>${escape(request.text)}</code></td>
  <td class="number">${request.max_new}</td>
  <td>${escape(request.choice)}</td>
  <td class="number">${request.seed}</td>
</tr>`
}
