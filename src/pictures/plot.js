// Observable Plot as the pictures use it: sizes in pixels are ours, scales, axes and marks are Plot's.
import { axisX, dot, gridX, line, plot, rect, ruleX, ruleY, text } from '@observablehq/plot';
import { fillOf, inkOn, strokeOf } from './paint.js';

export { axisX, dot, gridX, line, rect, ruleX, ruleY, text };

const FONT = 13; // --t1
const LETTER = 6.9; // a letter's width at that size, on the safe side

export const widthOf = (labels, most) => Math.min(most, 14 + LETTER * Math.max(1, ...labels.map((label) => String(label).length)));
export const fits = (label, pixels) => label && String(label).length * LETTER + 4 <= pixels;

/** One drawing whose y is in pixels from the top, as its layout says. */
export function draw({ width, height, left, right, top = 4, bottom = 42, x, marks }) {
  const svg = plot({
    className: 'plot', width, height: height + top + bottom, marginLeft: left, marginRight: right, marginTop: top, marginBottom: bottom,
    style: { fontSize: `${FONT}px`, fontFamily: 'inherit', background: 'none', overflow: 'visible' },
    x, y: { type: 'identity', axis: null }, marks: marks.flat(Infinity).filter(({ data, initializer }) => initializer || data?.length !== 0), // an empty mark costs as much as another
  });
  svg.querySelector('style').remove(); // its rules are in pictures.css: every sheet that comes or goes costs the whole page
  return svg;
}

export const axis = (label, width, options = {}) =>
  axisX({ label, labelAnchor: 'center', labelOffset: 32, labelArrow: 'none', ticks: Math.max(3, Math.min(8, Math.round(width / 90))), tickSize: 4, tickFormat: plain, ...options });

/** As many decimals as the ticks need, and no comma between thousands: it would be read as a decimal mark. */
const plain = (value, _, ticks) => value.toFixed(Math.max(...ticks.map((tick) => String(Number(tick.toPrecision(12))).split('.')[1]?.length ?? 0)));

/** Boxes that a reader can ask for their exact value. Each: x1, x2, y1, y2, kind, tip; perhaps strong. */
export function boxes(items, options = {}) {
  return rect(items, {
    x1: 'x1', x2: 'x2', y1: 'y1', y2: 'y2', ariaLabel: 'tip', fill: { value: (d) => fillOf(d.kind), scale: null }, stroke: { value: (d) => (d.strong ? 'var(--ink)' : strokeOf(d.kind)), scale: null },
    strokeWidth: (d) => (d.strong ? 2 : 1), ...options,
  });
}

/** Words on boxes, where they fit. `scale`: pixels for one unit of x. */
export function words(items, scale) {
  const shown = items.filter((d) => fits(d.text, (d.x2 - d.x1) * scale));
  return weighted(shown, {
    x: (d) => (d.x1 + d.x2) / 2, y: (d) => (d.y1 + d.y2) / 2, text: 'text', fill: { value: (d) => inkOn(d.kind), scale: null },
    stroke: { value: (d) => (HATCHED.has(d.kind) ? 'var(--paper)' : 'none'), scale: null }, strokeWidth: 4, pointerEvents: 'none',
  });
}

const HATCHED = new Set(['waiting', 'preempted', 'idle', 'slack']);

/** Labels at the left edge. Each: y, label, strong. */
export const labels = (rows, given = {}) => weighted(rows, { y: 'y', text: 'label', frameAnchor: 'left', dx: -8, textAnchor: 'end', fill: 'var(--ink)', ...given });

/** Text marks, those that are `strong` in bold: Plot takes one weight for a mark. */
export const weighted = (items, options) => [
  text(items.filter(({ strong }) => !strong), options),
  text(items.filter(({ strong }) => strong), { ...options, fontWeight: 700 }),
];
