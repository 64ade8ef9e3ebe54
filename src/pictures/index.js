// The pictures of the open panels: asks the engine for their data, draws them, draws anew when their width changes.
//
// In: `shown(key, constants)` when a result is there, `filled(block)` when a panel got a new body, `opened()` when one was
// opened, `cleared()` when there is no result any more.
// Out: a <figure> for each picture, in the panel's element .pictures. Knows no figure of the run; texts come with the data.
import { bars } from './bars.js';
import { dots } from './dots.js';
import { explore } from './explore.js';
import { element, tables, tokens } from './grids.js';
import { heat } from './heat.js';
import { memory } from './memory.js';
import { addPatterns, swatch } from './paint.js';
import { timeline } from './timeline.js';

const DRAW = { timeline, bars, heat, dots, tokens, tables, memory };
const HINT = 'Đưa con trỏ vào hình, hoặc chọn hình rồi bấm phím mũi tên, để đọc từng giá trị.';
const SETTLED_MS = 120; // after the last change of width

const lab = globalThis.inferenceLab;
const placeOf = (block) => document.querySelector(`#block-${block} .pictures`);
const isOpen = (block) => document.getElementById(`block-${block}`).open;
const BLOCKS = Array.from({ length: 13 }, (_, i) => i + 1);

let result = null; // { key, constants } of what is shown
let asking = false;
const data = new Map(); // block -> its pictures as the engine gave them, of this result
const figures = new Map(); // block -> its figures, until the next ones: shown dimmed while those are made
const drawings = new Map(); // figure -> its redraw, and the width it has
const widths = new ResizeObserver(resized);
let settling = 0;

/** `constants`: JSON text. */
export function shown(key, constants) {
  if (result?.key !== key) {
    result = { key, constants: JSON.parse(constants) };
    data.clear();
    for (const block of BLOCKS) placeOf(block)?.classList.add('is-old');
  }
  return next();
}

export function filled(block) {
  if (data.has(block)) mount(block);
  else if (figures.has(block)) {
    const place = placeOf(block);
    place.classList.add('is-old');
    place.replaceChildren(...figures.get(block));
  }
  return next();
}

export const opened = () => next();

export function cleared() {
  result = null;
  data.clear();
  figures.clear();
  forget();
}

/** The data of every open panel without any, in one question; panels opened meanwhile are asked for after it. */
async function next() {
  if (!result) return;
  await mountAll();
  if (!result) return;
  const blocks = BLOCKS.filter((block) => isOpen(block) && !data.has(block));
  if (asking || !blocks.length) return;
  asking = true;
  const { key, constants } = result;
  const answer = await lab.ask('picture', { key, constants, blocks });
  asking = false;
  if (!answer) return; // the engine was stopped; the next result asks again
  if (result?.key === key) {
    if (answer.ok) for (const [block, pictures] of answer.ok.pictures) data.set(block, pictures);
    else for (const block of blocks) data.set(block, answer.error.message);
  }
  await next();
}

/** What can be drawn, a block in each task: all at once would hold the page for many frames. */
async function mountAll() {
  for (const block of BLOCKS) {
    if (!result || !isOpen(block) || !data.has(block) || placeOf(block)?.dataset.key === result.key) continue;
    mount(block);
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** Draw a block's pictures, once its panel has a place for them. */
function mount(block) {
  const place = placeOf(block);
  if (!place) return;
  addPatterns();
  place.dataset.key = result.key;
  place.classList.remove('is-old');
  const given = data.get(block);
  const made = typeof given === 'string' ? [element('p', { class: 'small' }, given)] : given.map((picture, i) => figure(picture, place.clientWidth, `picture-${block}-${i}`, i ? '' : HINT));
  place.replaceChildren(...made);
  figures.set(block, made);
  forget();
  for (const one of made) if (drawings.has(one)) widths.observe(one);
}

function figure(picture, width, id, hint) {
  const { kind, name, alt, data: values, legend, note, table } = picture;
  const view = element('div', { class: 'picture-view' });
  const readout = element('p', { class: 'picture-value', 'aria-live': 'polite' });
  const made = element('figure', { class: `chart is-${kind}`, id, 'aria-label': name },
    element('figcaption', {}, name),
    legend.length ? element('ul', { class: 'legend' }, ...legend.map(([meaning, text]) => element('li', {}, swatch(meaning), text))) : null);
  let frame = 0;

  const redraw = (pixels) => {
    const given = values.frames ? { ...values, ...values.frames[frame] } : values;
    view.replaceChildren(...DRAW[kind](given, Math.max(240, pixels), { ask: lab.ask, changed: () => nameThem(view, alt) }));
    nameThem(view, alt);
  };

  if (values.frames?.length > 1) made.append(chooser(values.frames, (chosen) => {
    frame = chosen;
    redraw(made.clientWidth);
  }));
  made.append(view);
  if (kind !== 'memory') {
    view.tabIndex = 0;
    view.setAttribute('role', 'group');
    view.setAttribute('aria-label', `${name}. Phím mũi tên đọc từng giá trị.`);
    explore(view, readout, hint);
    made.append(readout);
  }
  if (note) made.append(element('p', { class: 'left-out' }, note));
  if (table) made.append(folded(table));
  redraw(width);
  drawings.set(made, { redraw, width });
  return made;
}

/**
 * SVGs are images with a name; the whole alternative text stands on the first one. Inside an image nothing has a name of its
 * own: what Plot could only set as aria-label becomes the mark's tip, and Plot's own labels of its groups go.
 */
function nameThem(view, alt) {
  [...view.querySelectorAll('svg')].forEach((svg, i) => {
    if (svg.closest('svg') !== svg) return;
    for (const mark of svg.querySelectorAll('[aria-label]')) {
      if (mark.localName !== 'g') mark.dataset.tip = mark.getAttribute('aria-label');
      mark.removeAttribute('aria-label');
    }
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', i ? `Phần ${i + 1} của hình trên` : alt);
  });
  if (!view.querySelector('svg') && !view.querySelector('.picture-alt')) view.prepend(element('p', { class: 'picture-alt hidden' }, alt));
}

function chooser(frames, choose) {
  const select = element('select', { 'aria-label': 'Phần đang vẽ' }, ...frames.map(({ label }, i) => element('option', { value: i }, label)));
  const step = (by) => {
    select.selectedIndex = Math.max(0, Math.min(frames.length - 1, select.selectedIndex + by));
    choose(select.selectedIndex);
  };
  const back = element('button', { type: 'button', 'aria-label': 'Phần trước' }, '‹');
  const forth = element('button', { type: 'button', 'aria-label': 'Phần sau' }, '›');
  select.addEventListener('change', () => choose(select.selectedIndex));
  back.addEventListener('click', () => step(-1));
  forth.addEventListener('click', () => step(1));
  return element('div', { class: 'frames' }, back, select, forth);
}

/** The same figures as a table, made when somebody opens it. */
function folded({ caption, columns, rows, marked, omitted }) {
  const body = element('div', { class: 'table-scroll', role: 'region', tabindex: 0, 'aria-label': caption });
  const fold = element('details', { class: 'figures' }, element('summary', {}, 'Bảng số liệu'), body);
  fold.addEventListener('toggle', () => {
    if (!fold.open || body.firstChild) return;
    const cell = (tag, text, kind, more = {}) => element(tag, { ...(kind === 'number' ? { class: 'number' } : {}), ...more }, text);
    body.append(element('table', {},
      element('thead', {}, element('tr', {}, ...columns.map(([label, kind]) => cell('th', label, kind, { scope: 'col' })))),
      element('tbody', {}, ...rows.map((row, i) => element('tr', { class: marked.includes(i) ? 'followed' : null }, ...row.map((text, j) => cell(j ? 'td' : 'th', text, columns[j][1], j ? {} : { scope: 'row' })))))));
    if (omitted) body.append(element('p', { class: 'left-out' }, `… và ${omitted} hàng nữa, không hiện ở đây.`));
  });
  return fold;
}

function resized() {
  clearTimeout(settling);
  settling = setTimeout(redrawNext, SETTLED_MS);
}

/** The first of those whose width has changed; the others in tasks of their own. */
function redrawNext() {
  forget();
  const [one, drawing] = [...drawings].find(([figure, { width }]) => figure.clientWidth && figure.clientWidth !== width) ?? [];
  if (!one) return;
  drawing.width = one.clientWidth;
  drawing.redraw(one.clientWidth);
  settling = setTimeout(redrawNext);
}

function drop(one) {
  widths.unobserve(one);
  drawings.delete(one);
}

function forget() {
  for (const one of drawings.keys()) if (!one.isConnected) drop(one);
}
