// Pairs of values on one axis: a round sign and a square one, joined by a line.
// In: data { groups, unit }, the width in pixels. Out: SVG elements, a group each, all on the same scale.
import { axis, dot, draw, gridX, labels, rect, ruleX, text, widthOf } from './plot.js';

const ROW = 20;
const TITLE = 22;
const NARROWEST = 200;
const GAP = 20;

export function dots({ groups, unit }, width) {
  const columns = Math.max(1, Math.min(groups.length, 3, Math.floor((width + GAP) / (NARROWEST + GAP))));
  const each = Math.floor((width - GAP * (columns - 1)) / columns);
  const values = groups.flatMap(({ rows }) => rows.flatMap(({ a, b }) => [a, b]));
  const domain = [Math.min(0, ...values), Math.max(0.001, ...values)];
  const left = widthOf(groups[0].rows.map(({ label }) => label), 80);
  return groups.map((one) => group(one, each, left, domain, unit));
}

function group({ title, rows, strong }, width, left, domain, unit) {
  const y = (i) => TITLE + 4 + (i + 0.5) * ROW;
  const placed = rows.map((row, i) => ({ ...row, y: y(i) }));
  return draw({
    width, height: y(rows.length - 0.5), left, right: 10, x: { domain },
    marks: [
      text([title], { frameAnchor: 'top-left', dx: -left + 2, lineAnchor: 'top', textAnchor: 'start', text: (d) => d, fontWeight: strong ? 700 : 600, fill: 'var(--ink)' }),
      gridX({ ticks: 3, stroke: 'var(--line)', strokeOpacity: 1, insetTop: TITLE }),
      ruleX([0], { stroke: 'var(--ink)', insetTop: TITLE }),
      rect(placed, { x1: () => domain[0], x2: () => domain[1], y1: (d) => d.y - ROW / 2, y2: (d) => d.y + ROW / 2, fill: { value: (d) => (d.strong ? 'var(--mark)' : 'transparent'), scale: null }, ariaLabel: 'tip' }),
      rect(placed, { x1: (d) => Math.min(d.a, d.b), x2: (d) => Math.max(d.a, d.b), y1: (d) => d.y - 0.5, y2: (d) => d.y + 0.5, fill: 'var(--ink)', pointerEvents: 'none' }),
      dot(placed, { x: 'a', y: (d) => d.y - 4, r: 3.5, fill: 'var(--ink)', pointerEvents: 'none' }),
      dot(placed, { x: 'b', y: (d) => d.y + 4, r: 3.5, symbol: 'diamond', fill: 'var(--paper)', stroke: 'var(--ink)', strokeWidth: 1.5, pointerEvents: 'none' }),
      labels(placed),
      axis(unit, width, { ticks: 3 }),
    ],
  });
}
