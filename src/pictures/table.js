// A picture's figures as a table, for those who cannot see it: made when somebody opens it, and anew when what it says is another.
// In: a picture as the engine gives it, the part of its data that is drawn, and its marks' exact values, each "what · value".
// Out: rows as in a report's table; and the fold that shows them. Computes no figure.
import { element } from './grids.js';

/** -> { caption, columns: [[label, "text" | "number"]], rows: [[texts]], marked: [indices of rows], omitted } */
export function tableOf({ kind, name, table }, data, tips) {
  if (table) return table;
  const derived = { heat: ofMatrices, tokens: ofMerges }[kind] ?? ofTips;
  return { caption: name, marked: [], omitted: 0, ...derived(data, tips) };
}

function ofMatrices({ matrices, row_name }) {
  const longest = matrices.map(({ columns }) => columns).reduce((a, b) => (b.length > a.length ? b : a));
  return {
    columns: [['Bảng', 'text'], [upper(row_name), 'text'], ...longest.map((label) => [label, 'number'])],
    rows: matrices.flatMap(({ name, rows, values, digits }) => rows.map((label, i) => [name, label, ...values[i].map((value) => (value === null ? '–' : value.toFixed(digits + 1)))])),
  };
}

function ofMerges({ words }) {
  return {
    columns: [['Từ', 'text'], ['Phép gộp', 'text'], ['Ký hiệu sau đó', 'text']],
    rows: words.flatMap((stages, i) => stages.map(([symbols, joined]) => [`từ ${i + 1}`, joined || 'chưa gộp: từng ký tự', symbols.join(' ')])),
  };
}

function ofTips(_, tips) {
  return { columns: [['Mục', 'text'], ['Giá trị', 'text']], rows: tips.map((tip) => [...tip.split(/ · (.*)/s, 2), ''].slice(0, 2)) };
}

const upper = (text) => text[0].toUpperCase() + text.slice(1);

/** A closed fold. `make()` gives what it is to show; call `refresh` when that may be something else. */
export function tableFold(make) {
  const body = element('div', { class: 'table-scroll', role: 'region', tabindex: 0 });
  const fold = element('details', { class: 'picture-table' }, element('summary', {}, 'Bảng số liệu'), body);
  let standing = '';

  function refresh() {
    if (!fold.open) return;
    const made = make();
    const text = JSON.stringify(made);
    if (text === standing) return;
    standing = text;
    body.setAttribute('aria-label', made.caption);
    body.replaceChildren(...filled(made));
  }

  fold.addEventListener('toggle', refresh);
  return { element: fold, refresh };
}

function filled({ columns, rows, marked, omitted }) {
  const cell = (tag, text, kind, more = {}) => element(tag, { ...(kind === 'number' ? { class: 'number' } : {}), ...more }, text);
  const table = element('table', {},
    element('thead', {}, element('tr', {}, ...columns.map(([label, kind]) => cell('th', label, kind, { scope: 'col' })))),
    element('tbody', {}, ...rows.map((row, i) => element('tr', { class: marked.includes(i) ? 'followed' : null }, ...row.map((text, j) => cell(j ? 'td' : 'th', text, columns[j][1], j ? {} : { scope: 'row' }))))));
  return omitted ? [table, element('p', { class: 'left-out' }, `… và ${omitted} hàng nữa, không hiện ở đây.`)] : [table];
}
