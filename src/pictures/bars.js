// Horizontal bars in groups; each group has a unit and an axis of its own.
// In: data { groups } as the engine's `group` makes them, the width in pixels. Out: SVG elements, a group each.
import { axis, boxes, draw, gridX, labels, ruleX, text, weighted, widthOf, words } from './plot.js';

const ROW = 22;
const PAIR = 30;
const TITLE = 22;
const NARROWEST = 235;
const GAP = 24;

export function bars({ groups }, width) {
  const most = Math.max(1, Math.min(groups.length, Math.floor((width + GAP) / (NARROWEST + GAP))));
  const columns = Math.ceil(groups.length / Math.ceil(groups.length / most)); // rows of the same length
  const each = Math.floor((width - GAP * (columns - 1)) / columns);
  return groups.map((one) => group(one, each));
}

function group({ title, unit, rows, limit, domain }, width) {
  const simulated = unit === 'µs';
  const shown = (value) => (simulated ? value / 1000 : value);
  const left = widthOf(rows.map(({ label }) => label), Math.min(120, width / 2.4));
  const right = Math.max(14, widthOf(rows.map(({ text: figure }) => figure ?? ''), width / 2.6));
  const top = (title ? TITLE : 0) + (limit ? 18 : 0);
  const placed = [];
  const heads = [];
  let y = top + 4;
  for (const { label, strong, text: figure, parts, side_by_side } of rows) {
    const height = side_by_side ? PAIR : ROW;
    let sum = 0;
    parts.forEach(({ value, kind, tip, text: word }, i) => {
      const thick = (height - 6) / (side_by_side ? parts.length : 1);
      const from = side_by_side ? 0 : sum;
      const y1 = y + 3 + (side_by_side ? i * thick : 0);
      placed.push({ x1: shown(Math.min(from, from + value)), x2: shown(Math.max(from, from + value)), y1, y2: y1 + thick, kind, tip, text: side_by_side ? '' : word, strong: kind === 'chosen' });
      sum += value;
    });
    heads.push({ y: y + height / 2, label, figure, strong });
    y += height;
  }
  const [low, high] = domain ?? extent(placed, limit && shown(limit[0]));
  const scale = (width - left - right) / (high - low);
  const svg = draw({
    width, height: y, left, right, x: { domain: [low, high] },
    marks: [
      ...(title ? [text([title], { frameAnchor: 'top-left', dx: -left + 2, dy: 0, lineAnchor: 'top', textAnchor: 'start', text: (d) => d, fontWeight: 600, fill: 'var(--ink)' })] : []),
      gridX({ ticks: 4, stroke: 'var(--line)', strokeOpacity: 1, insetTop: top }),
      boxes(placed),
      ruleX([0], { stroke: 'var(--edge)', insetTop: top }),
      labels(heads),
      weighted(heads, { y: 'y', text: 'figure', frameAnchor: 'right', dx: right - 2, textAnchor: 'end', fill: 'var(--ink)' }),
      ...(limit ? [
        ruleX([shown(limit[0])], { stroke: 'var(--ink)', strokeWidth: 1.5, strokeDasharray: '4 3', insetTop: top - 2 }),
        text([limit[1]], { x: () => shown(limit[0]), y: () => top - 4, text: (d) => d, textAnchor: shown(limit[0]) > (low + high) / 2 ? 'end' : 'start', fill: 'var(--ink)' }),
      ] : []),
      words(placed, scale),
      axis(simulated ? 'ms mô phỏng' : unit, width, { ticks: width < 300 ? 3 : 4 }),
    ],
  });
  return svg;
}

function extent(placed, limit) {
  const values = placed.flatMap(({ x1, x2 }) => [x1, x2]).concat(limit ?? []);
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  return [low, high > low ? high : low + 1];
}
