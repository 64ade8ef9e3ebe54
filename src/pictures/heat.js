// Matrices as grids of cells: the larger a number, the darker its cell; a negative one is striped, a masked one crossed out.
// In: data { matrices, signed, row_name, column_name }, the width in pixels. Out: SVG elements, a matrix each.
import { fillOf } from './paint.js';
import { boxes, draw, fits, labels, ruleY, text, widthOf } from './plot.js';

const LARGEST = 40;
const SMALLEST = 13;
const HEADS = 40;
const GAP = 20;

export function heat({ matrices, signed, row_name, column_name }, width) {
  const left = widthOf(matrices[0].rows, 108);
  const columns = matrices[0].columns.length;
  const wanted = left + columns * LARGEST + 8;
  const most = Math.max(1, Math.min(matrices.length, Math.floor((width + GAP) / (Math.min(wanted, 260) + GAP))));
  const beside = Math.ceil(matrices.length / Math.ceil(matrices.length / most)); // rows of the same length
  const each = Math.floor((width - GAP * (beside - 1)) / beside);
  return matrices.map((one) => matrix(one, each, left, signed, row_name, column_name));
}

function matrix({ name, rows, columns, values, digits, breaks = [], last, top }, width, left, signed, rowName, columnName) {
  const side = Math.max(SMALLEST, Math.min(LARGEST, (width - left - 8) / columns.length));
  const height = Math.min(side, 26);
  const numbers = values.flat().filter((value) => value !== null);
  const most = top ?? (signed ? Math.max(1e-12, ...numbers.map(Math.abs)) : 1);
  const y = (i) => HEADS + 4 + i * height;
  const cells = values.flatMap((line, i) => line.map((value, j) => ({
    x1: j, x2: j + 1, y1: y(i), y2: y(i + 1), value, strong: false, kind: value === null ? 'masked' : value < 0 ? 'negative' : signed ? 'positive' : 'heat',
    share: value === null ? 1 : Math.min(1, Math.abs(value) / most), text: value === null ? '' : value.toFixed(digits),
    tip: `${name} · ${rowName} ${rows[i]} · ${columnName} ${columns[j]} · ${value === null ? 'bị che: 0' : value.toFixed(digits + 1)}`,
  })));
  const every = Math.ceil(18 / side);
  return draw({
    width, height: y(rows.length), left, right: width - left - side * columns.length, bottom: 4, x: { domain: [0, columns.length], axis: null },
    marks: [
      text([name], { frameAnchor: 'top-left', dx: -left + 2, lineAnchor: 'top', textAnchor: 'start', text: (d) => d, fontWeight: 600, fill: 'var(--ink)' }),
      text(columns.map((label, j) => ({ label, j })).filter(({ j }) => j % every === 0), { x: (d) => d.j + 0.5, y: () => HEADS - 4, text: 'label', fill: 'var(--quiet)' }),
      labels(rows.map((label, i) => ({ label, y: y(i + 0.5), strong: last && i === rows.length - 1 })), height < 14 ? { fontSize: 10 } : {}),
      boxes(cells, { fillOpacity: 'share', stroke: 'var(--line)', strokeWidth: 1, fill: { value: (d) => fillOf(d.kind), scale: null } }),
      text(cells.filter((d) => fits(d.text, side + 4)), {
        x: (d) => d.x1 + 0.5, y: (d) => (d.y1 + d.y2) / 2, text: 'text', fontSize: 12, fill: 'var(--ink)', stroke: { value: (d) => (d.value < 0 ? 'var(--paper)' : 'none'), scale: null }, strokeWidth: 5, pointerEvents: 'none',
      }),
      ruleY(breaks, { y: (i) => y(i), stroke: 'var(--ink)', strokeWidth: 2.5, insetLeft: -left + 4 }),
    ],
  });
}
