// Small helpers for elements; text goes in as text, never as HTML.
export const byId = (id) => document.getElementById(id);

export function el(tag, properties = {}, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

/** A table in a region that scrolls sideways. columns: [{ title, number }]; rows: arrays of text, the first cell heads its row. */
export function table(caption, columns, rows) {
  const cell = (text, i, tag) => el(tag, { className: columns[i].number ? 'number' : '', ...(tag === 'th' ? { scope: 'row' } : {}) }, text);
  const head = el('tr', {}, ...columns.map(({ title, number }) => el('th', { scope: 'col', className: number ? 'number' : '' }, title)));
  const body = rows.map((row) => el('tr', {}, ...row.map((text, i) => cell(text, i, i === 0 ? 'th' : 'td'))));
  const grid = el('table', {}, el('thead', {}, head), el('tbody', {}, ...body));
  const region = el('div', { className: 'table-scroll', tabIndex: 0, role: 'region', ariaLabel: caption }, grid);
  return el('figure', {}, el('figcaption', {}, caption), region);
}

const LEAST_REM = 17; // a chart that is narrower has no room for its words: the box scrolls instead

/** Draws into a box and again whenever its width changes: draw(width) -> an element. Returns a function that draws anew. */
export function drawnIn(box, draw) {
  let width = 0;
  const again = () => width && box.replaceChildren(draw(width));
  new ResizeObserver(([{ contentRect }]) => {
    const least = LEAST_REM * parseFloat(getComputedStyle(document.documentElement).fontSize);
    const now = Math.round(Math.max(contentRect.width, least));
    box.classList.toggle('is-scrolled', contentRect.width < least);
    if (contentRect.width < least) box.tabIndex = 0;
    else box.removeAttribute('tabindex');
    if (now === width || contentRect.width === 0) return;
    width = now;
    again();
  }).observe(box);
  return again;
}

/** A fold whose content may change while it stays as open as the reader left it: -> fill(...content) */
export function foldIn(box, title) {
  const made = fold(title);
  box.replaceChildren(made);
  return (...content) => made.replaceChildren(made.firstElementChild, ...content);
}

/** A closed fold. */
export const fold = (title, ...content) => el('details', { className: 'fold' }, el('summary', {}, title), ...content);
