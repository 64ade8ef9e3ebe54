// What comes in: index.html as text, and the folder that holds static/data and what set-up asked of the engine.
// What goes out: the same page with its tables, panels and cells filled in from that data.
// Knows nothing of Vite, of the engine or of the DOM: text in, text out.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { controls, controlsData, presetButtons, requestRows } from './controls.mjs'
import { cellsOf, dataForView, describeDiagram, drawDiagram, focusButtons, ownersList, sourcesList, topologyChoices, topologyTexts } from './diagram.mjs'
import { escape, labelOf, prose } from './html.mjs'

const DATA = {
  blocks: 'static/data/blocks.json',
  architecture: 'static/data/architecture.json',
  presets: 'static/data/presets.json',
  constants: '.cache/engine-data/constants.json'
}

/** Replace each `<!-- page:NAME -->` of index.html; an unknown or unused name is an error. */
export function renderPage(html, root) {
  const data = readData(root)
  const parts = {
    mapping: mappingRows(data),
    panels: panels(data),
    diagram: drawDiagram(data.architecture, data.blocks),
    cells: describeDiagram(data.architecture, data.blocks),
    focus: focusButtons(data.architecture),
    topology: topologyChoices(data.architecture),
    trade: topologyTexts(data.architecture),
    owners: ownersList(data.architecture),
    sources: sourcesList(data.architecture),
    view: `<script type="application/json" id="diagram-data">${dataForView(data.architecture)}</script>`,
    controls: controls(data.constants),
    presets: presetButtons(data.presets),
    look: escape(data.presets[0].look),
    requests: requestRows(data.constants),
    values: `<script type="application/json" id="controls-data">${json(controlsData(data.constants, data.presets))}</script>`
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
  const entries = Object.entries(DATA).map(([name, file]) => [name, JSON.parse(readFileSync(join(root, file), 'utf8'))])
  return Object.fromEntries(entries)
}

/** As the text of a script element, which ends at the first `</script`. */
const json = (value) => JSON.stringify(value).replace(/</g, '\\u003c')

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

function panels({ blocks, architecture }) {
  const nameOf = Object.fromEntries(cellsOf(architecture).map(({ id, name }) => [id, name]))
  return blocks.map((block) => panel(block, nameOf[block.cell])).join('\n')
}

function panel(block, cellName) {
  return `<details class="panel" id="${block.id}" data-of-cell="${block.cell}" data-controls="${block.controls.join(' ')}">
  <summary>
    <h3 class="panel-name">${block.number} · ${escape(block.name)} <span class="panel-cell">— ${labelOf(block.cell)}</span></h3>
    <span class="panel-figure"></span>
    <span class="panel-verdict"></span>
  </summary>
  <div class="panel-body">
    <div class="panel-result">
      <p class="idea">${prose(block.shows)}</p>
    </div>
    <p class="panel-about"><a href="#text-${block.cell}">Về ô ${labelOf(block.cell)} ${escape(cellName)} trên sơ đồ</a></p>
    <details class="source" data-source="${block.number}">
      <summary>Xem mã</summary>
      <div class="source-body"></div>
    </details>
  </div>
</details>`
}
