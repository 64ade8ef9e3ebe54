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

/** Draws into a box and again whenever its width changes: draw(width) -> an element. Returns a function that draws anew. */
export function drawnIn(box, draw) {
  let width = 0;
  const again = () => width && box.replaceChildren(draw(width));
  new ResizeObserver(([{ contentRect }]) => {
    const now = Math.round(contentRect.width);
    if (now === width) return;
    width = now;
    again();
  }).observe(box);
  return again;
}

/** A closed fold with one thing in it. */
export const fold = (title, ...content) => el('details', { className: 'fold' }, el('summary', {}, title), ...content);
