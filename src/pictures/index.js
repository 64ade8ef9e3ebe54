// The pictures of the open panels: draws their data, asks the engine for what a panel that was opened later lacks, draws anew when
// their width changes.
//
// In: `show(result)` when there is another result, and when a panel was opened; `drawSlice()` when it is their turn; `clear()` when there is none any more;
// `drawAhead(pictures)` of a result that is on its way.
// Out: a <figure> for each picture, in the panel's element .pictures. A figure stays while its panel has one of that kind: what differs
// is drawn anew, what does not is left alone. Knows no figure of the run; texts come with the data.
import { afterFrame, left } from '../slices.js';
import { bars } from './bars.js';
import { dots } from './dots.js';
import { explore, MARKS } from './explore.js';
import { element, tables, tokens } from './grids.js';
import { heat } from './heat.js';
import { memory } from './memory.js';
import { addPatterns, swatch } from './paint.js';
import { tableFold, tableOf } from './table.js';
import { timeline } from './timeline.js';

const DRAW = { timeline, bars, heat, dots, tokens, tables, memory };
const HINT = 'Đưa con trỏ vào hình, hoặc chọn hình rồi bấm phím mũi tên, để đọc từng giá trị.';
const SETTLED_MS = 120; // after the last change of width
const OUT_OF_VIEW_MS = 18; // of a frame: what is drawn there is neither laid out nor painted

const lab = globalThis.inferenceLab;
const panelOf = (block) => document.getElementById(`block-${block}`);
const placeOf = (block) => panelOf(block).querySelector('.pictures');
const isOpen = (block) => panelOf(block).open;
const BLOCKS = Array.from({ length: 13 }, (_, i) => i + 1);

let result = null; // what the panels show: { key, constants, panels }
let isInView = () => true; // whether a block is
let mayDraw = () => true; // whether it is the pictures' turn: what of a result comes before them is shown
let isRunning = () => false; // whether another result is on its way
let asking = false;
let drawing = false;
let width = 0; // of every picture, in pixels of a page whose text has its usual size; 0 when it has to be measured
let zoom = 1; // how much larger the reader has made the page's text: pictures grow with it
const data = new Map(); // block -> its pictures as the engine gave them, each as JSON text, of this result; or a sentence, why there are none
const figures = new Map(); // block -> its figures, drawn of this result or marked as old
const widths = new ResizeObserver(resized);
let settling = 0;

addEventListener('resize', () => {
  width = 0;
});

/** `inView`: whether a block is; `turn`: whether it is the pictures'; `running`: whether another result is on its way. */
export function show(shown, inView, turn, running) {
  isInView = inView;
  mayDraw = turn;
  isRunning = running;
  if (result !== shown) {
    if (result?.key !== shown.key) data.clear();
    result = shown;
    for (const [block, { pictures }] of shown.panels) if (pictures) data.set(block, pictures);
    for (const block of figures.keys()) {
      if (stands(block)) isDrawn(block);
      else placeOf(block).classList.add('is-old');
    }
  }
  draw();
  ask();
}

export function clear() {
  result = null;
  data.clear();
  for (const made of figures.values()) for (const one of made) widths.unobserve(one.element);
  figures.clear();
}

/** Whether a block's figures are those of this result already. */
function stands(block) {
  const given = data.get(block);
  const made = figures.get(block);
  return Array.isArray(given) && given.length === made.length && given.every((text, i) => made[i].shows(text));
}

function isDrawn(block) {
  placeOf(block).dataset.key = result.key;
  placeOf(block).classList.remove('is-old');
}

/** The data of every open panel without any, in one question; panels opened meanwhile are asked for after it. */
async function ask() {
  const blocks = result ? BLOCKS.filter((block) => isOpen(block) && !data.has(block)) : [];
  if (asking || !blocks.length) return;
  asking = true;
  const { key, constants } = result;
  const answer = await lab.ask('picture', { key, constants, blocks, texts: true });
  asking = false;
  if (!answer) return; // the engine was stopped; the next result brings its own
  if (result?.key === key) {
    if (answer.ok) for (const [block, pictures] of answer.ok.pictures) data.set(block, pictures);
    else for (const block of blocks) data.set(block, answer.error.message);
    draw();
  }
  ask();
}

/** Of a result that is on its way, block -> its pictures: those that differ are drawn as far as the slice goes, and put in place once it is shown. */
export function drawAhead(pictures) {
  if (!width) return; // it has to be measured, and that is done with the result
  const blocks = [...pictures.keys()].sort((a, b) => isInView(b) - isInView(a));
  for (const block of blocks) {
    const [given, made] = [pictures.get(block), figures.get(block)];
    if (!made || !isOpen(block) || !Array.isArray(given)) continue;
    for (const [i, text] of given.entries()) {
      if (!made[i] || made[i].shows(text)) continue;
      if (!timeFor(block)) return;
      made[i].drawAhead(text);
    }
  }
}

/** What fits into this frame's slice of what is to be drawn now. */
export function drawSlice() {
  for (let block = next(); block && timeFor(block); block = next()) drawIn(block);
}

/** What can be drawn, in slices; a result that comes meanwhile is drawn instead. */
async function draw() {
  if (drawing) return;
  drawing = true;
  try {
    do {
      await afterFrame();
      drawSlice();
    } while (waiting().length);
  } finally {
    drawing = false;
  }
}

const timeFor = (block) => left(isInView(block) ? undefined : OUT_OF_VIEW_MS) > 0;

/** Blocks whose pictures are those of another result, or missing. */
function waiting() {
  return result ? BLOCKS.filter((block) => isOpen(block) && data.has(block) && placeOf(block).dataset.key !== result.key) : [];
}

/** What is in view before the rest, and nothing else while another run is under way: what it brings is drawn instead. */
function next() {
  if (!mayDraw()) return undefined;
  const blocks = waiting();
  const seen = blocks.find(isInView);
  return seen ?? (isRunning() ? undefined : blocks[0]);
}

function measure(pixels) {
  zoom = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  width = Math.floor(pixels / zoom);
}

/** Draw a block's pictures, as many as fit into this slice, one at least: those that it shows already are left alone. */
function drawIn(block) {
  const place = placeOf(block);
  addPatterns();
  const given = data.get(block);
  const made = figures.get(block) ?? [];
  figures.set(block, made);
  if (!width) measure(place.parentElement.getBoundingClientRect().width); // an empty place has none
  if (typeof given === 'string') {
    drop(made, 0);
    place.replaceChildren(element('p', { class: 'small' }, given));
    return isDrawn(block);
  }
  if (!made.length) place.replaceChildren();
  let fresh = 0;
  for (const [i, text] of given.entries()) {
    if (made[i]?.shows(text)) continue;
    if (fresh && !timeFor(block)) return undefined;
    drawOne(place, made, i, text, `picture-${block}-${i}`);
    fresh += 1;
  }
  drop(made, given.length);
  return isDrawn(block);
}

/** The picture at place i of a block, in the figure that stands there if it is of that kind. */
function drawOne(place, made, i, text, id) {
  const picture = JSON.parse(text);
  const old = made[i];
  if (old?.kind === picture.kind) return old.update(picture, text);
  const one = figure(picture.kind, id, i ? '' : HINT);
  one.update(picture, text);
  if (old) {
    widths.unobserve(old.element);
    old.element.replaceWith(one.element);
  } else place.append(one.element);
  widths.observe(one.element);
  made[i] = one;
  return undefined;
}

/** Take away the figures from the `from`th on. */
function drop(made, from) {
  for (const one of made.splice(from)) {
    widths.unobserve(one.element);
    one.element.remove();
  }
}

/** One picture: its frame, and what is drawn in it. */
function figure(kind, id, hint) {
  const caption = element('figcaption');
  const view = element('div', { class: 'picture-view' });
  const made = element('figure', { class: `chart is-${kind}`, id }, caption, view);
  const readout = element('p', { class: 'picture-value', 'aria-live': 'polite' });
  let forget = () => {};
  let shown = ''; // the picture that is drawn, as text
  let picture = null;
  let drawn = 0; // its width
  let frame = 0;
  let ahead = {}; // { text, frame, width, nodes } of a picture that is on its way
  const parts = {}; // of the frame, by name, with the text that they were made of
  const fold = tableFold(() => tableOf(picture, drawnData(), [...view.querySelectorAll(MARKS)].map((mark) => mark.dataset.tip)));

  if (kind !== 'memory') {
    view.tabIndex = 0;
    view.setAttribute('role', 'group');
    forget = explore(view, readout, hint);
    made.append(readout, fold.element);
  }

  /** Of a picture in several parts, the one that was chosen. */
  function drawnData({ data: values } = picture) {
    return values.frames ? { ...values, ...values.frames[frame] } : values;
  }

  const isAhead = (text) => ahead.text === text && ahead.frame === frame && ahead.width === width;

  function nodesOf(one) {
    const nodes = DRAW[kind](drawnData(one), Math.max(240, width), { ask: lab.ask, changed: () => nameThem(view.children, one.alt) });
    nameThem(nodes, one.alt);
    return nodes;
  }

  function redraw() {
    if (!width) measure(view.getBoundingClientRect().width); // a part was chosen after the window changed
    drawn = width;
    forget();
    view.replaceChildren(...(isAhead(shown) ? ahead.nodes : nodesOf(picture)));
    if (isAhead(shown)) ahead = {}; // else it is of a result after this one
    if (!view.querySelector('svg')) view.prepend(element('p', { class: 'picture-alt hidden' }, picture.alt));
    fold.element.hidden = !picture.table && !view.querySelector(MARKS);
    fold.refresh();
  }

  /** Another part of the frame, if what it says is another; `place` puts it where it belongs. */
  function part(name, said, make, place) {
    const text = JSON.stringify(said);
    if (parts[name]?.text === text) return;
    parts[name]?.node?.remove();
    const node = make(said);
    parts[name] = { text, node };
    if (node) place(node);
  }

  return {
    kind,
    element: made,
    shows: (text) => text === shown,
    update(other, text) {
      shown = text;
      picture = other;
      const { name, legend, note, data: { frames } } = picture;
      made.setAttribute('aria-label', name);
      caption.textContent = name;
      if (kind !== 'memory') view.setAttribute('aria-label', `${name}. Phím mũi tên đọc từng giá trị.`);
      part('legend', legend, legendOf, (node) => caption.after(node));
      part('frames', frames?.map(({ label }) => label) ?? [], (labels) => {
        frame = 0;
        return labels.length > 1 ? chooser(labels, (chosen) => {
          frame = chosen;
          redraw();
        }) : null;
      }, (node) => view.before(node));
      part('note', note, (said) => (said ? element('p', { class: 'left-out' }, said) : null), (node) => fold.element.before(node));
      redraw();
    },
    drawAhead(text) {
      const one = JSON.parse(text);
      if (!isAhead(text) && one.kind === kind && kind !== 'memory' && !(one.data.frames?.length <= frame)) ahead = { text, frame, width, nodes: nodesOf(one) };
    },
    fits: () => drawn === width,
    redraw,
  };
}

const legendOf = (legend) => (legend.length ? element('ul', { class: 'legend' }, ...legend.map(([meaning, text]) => element('li', {}, swatch(meaning), text))) : null);

/**
 * SVGs are images with a name; the whole alternative text stands on the first one. Inside an image nothing has a name of its
 * own: what Plot could only set as aria-label becomes the mark's tip, and Plot's own labels of its groups go.
 */
function nameThem(nodes, alt) {
  [...nodes].flatMap((node) => (node.localName === 'svg' ? [node] : [...node.querySelectorAll('svg')])).forEach((svg, i) => {
    for (const mark of svg.querySelectorAll('[aria-label]')) {
      if (mark.localName !== 'g') mark.dataset.tip = mark.getAttribute('aria-label');
      mark.removeAttribute('aria-label');
    }
    svg.setAttribute('role', 'img');
    svg.style.width = `${svg.getAttribute('width') * zoom}px`;
    svg.setAttribute('aria-label', i ? `Phần ${i + 1} của hình trên` : alt);
  });
}

function chooser(labels, choose) {
  const select = element('select', { 'aria-label': 'Phần đang vẽ' }, ...labels.map((label, i) => element('option', { value: i }, label)));
  const step = (by) => {
    select.selectedIndex = Math.max(0, Math.min(labels.length - 1, select.selectedIndex + by));
    choose(select.selectedIndex);
  };
  const back = element('button', { type: 'button', 'aria-label': 'Phần trước' }, '‹');
  const forth = element('button', { type: 'button', 'aria-label': 'Phần sau' }, '›');
  select.addEventListener('change', () => choose(select.selectedIndex));
  back.addEventListener('click', () => step(-1));
  forth.addEventListener('click', () => step(1));
  return element('div', { class: 'frames' }, back, select, forth);
}

function resized(entries) {
  const found = entries.map(({ contentRect }) => contentRect.width).find((pixels) => pixels >= 1);
  if (!found) return; // of a panel that was closed
  measure(found);
  clearTimeout(settling);
  if (misfit()) settling = setTimeout(redrawNext, SETTLED_MS);
}

const misfit = () => [...figures].filter(([block]) => isOpen(block)).flatMap(([, made]) => made).find((one) => !one.fits());

/** Those of another width are drawn anew, each in a task of its own. */
function redrawNext() {
  misfit()?.redraw();
  if (misfit()) settling = setTimeout(redrawNext);
}
