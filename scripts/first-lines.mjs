// What comes in: the functions of src/frame that must have run before the page is first laid out, and the names that they
// know. What goes out: two scripts as text, one for the page's head, one for the end of its body.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { arrange } from '../src/frame/arrange.js'
import { tellOfMissingScript } from '../src/frame/missing.js'
import { PARTS } from '../src/frame/parts.js'
import { readView } from '../src/frame/read.js'

export function firstLines(root) {
  const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'))
  const allowed = {
    constants: read('.cache/engine-data/constants.json').map(({ name }) => name),
    exercises: read('.cache/engine-data/prepared.json').exercises.map(({ constant }) => constant),
    parts: Object.keys(PARTS),
    blocks: read('static/data/blocks.json').length
  }
  const head = `globalThis.inferenceLabView = (${readView})(location.search, ${JSON.stringify(allowed)});
{
  const { view, theme, block, exercise } = inferenceLabView;
  const { dataset } = document.documentElement;
  Object.assign(dataset, { view, theme });
  if (block) dataset.block = block;
  if (exercise) dataset.exercise = exercise;
  if (parent !== window) dataset.framed = '';
}
(${tellOfMissingScript})(document);`
  const end = `(${arrange})(inferenceLabView, ${JSON.stringify(PARTS)}, document);`
  return { head, end }
}
