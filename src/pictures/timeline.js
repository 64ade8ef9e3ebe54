// Tracks one above the other on one simulated clock: rows of spans and points, and values that change at instants.
// In: data { start, end, tracks } in µs, the width in pixels. Out: [an SVG element]. Its data-clock says where an instant is drawn: start and end in µs, left and right in pixels.
import { fillOf } from './paint.js';
import { axis, boxes, dot, draw, fits, gridX, labels, line, rect, ruleY, text, widthOf, words } from './plot.js';

const ROW = { dense: 15, many: 18, few: 26 };
const MANY = 8;
const STEPS = { one: 110, several: 60 };
const LINE = 15; // of signs above a row, where they stand too close for one line
const TITLE = 20;
const GAP = 16;

const ms = (us) => us / 1000;

export function timeline({ start, end, tracks }, width) {
  const left = Math.max(widthOf(tracks.flatMap((track) => (track.rows ?? []).map(({ label }) => label)), 110), 34);
  const right = 16;
  const scale = (width - left - right) / Math.max(ms(end - start), 1e-9);
  const marks = [];
  let y = 0;
  for (const track of tracks) {
    if (track.title) {
      const middle = y0(y) + 8;
      marks.push(text([track.title], { frameAnchor: 'left', y: () => middle, text: (d) => d, textAnchor: 'start', fill: 'var(--quiet)', fontWeight: 600 }));
      y += TITLE;
    }
    const drawn = track.form === 'rows' ? rowsTrack(track, y0(y), scale, end) : stepsTrack(track, y0(y), [start, end], tracks.length > 1 ? STEPS.several : STEPS.one);
    marks.push(...drawn.marks);
    y += drawn.height + GAP;
  }
  const svg = draw({
    width, height: y - GAP + 6, left, right, x: { domain: [ms(start), ms(end)] },
    marks: [gridX({ ticks: Math.max(3, Math.min(8, Math.round(width / 90))), stroke: 'var(--line)', strokeOpacity: 1 }), ...marks, axis('ms mô phỏng', width)],
  });
  svg.dataset.clock = `${start} ${end} ${left} ${width - right}`;
  return [svg];
}

const y0 = (y) => y + 4; // below the drawing's top margin

function rowsTrack({ rows, spans, points, dense }, above, scale, end) {
  const names = lifted(points.filter(({ kind, sign }) => kind === 'token' && sign), scale);
  const lift = LINE * (1 + Math.max(-1, ...names.map(({ line }) => line)));
  const top = above + lift;
  const row = dense ? ROW.dense : rows.length > MANY ? ROW.many : ROW.few;
  const pad = dense ? 1 : 3;
  const at = (i) => top + i * row;
  const placed = spans.map((s) => ({ ...s, x1: ms(s.start), x2: ms(s.end), y1: at(s.row) + pad, y2: at(s.row + 1) - pad }));
  const signs = points.map((p) => ({ ...p, x: ms(p.at), y: at(p.row + 0.5) }));
  const beside = signs.filter(({ sign, kind }) => sign && kind !== 'token').map((d) => ({ ...d, room: fits(d.sign, (ms(end) - d.x) * scale) }));
  return {
    height: rows.length * row + lift,
    marks: [
      rect(rows.flatMap(({ strong }, i) => (strong ? [i] : [])), { y1: (i) => at(i), y2: (i) => at(i + 1), fill: 'var(--mark)' }),
      ruleY(rows, { y: (_, i) => at(i + 1), stroke: 'var(--line)' }),
      labels(rows.map(({ label, strong }, i) => ({ label, strong, y: at(i + 0.5) }))),
      boxes(placed, { insetRight: 0.5 }),
      words(placed, scale),
      dot(signs.filter(({ kind }) => kind === 'accepted'), { x: 'x', y: 'y', r: 5, ariaLabel: 'tip', fill: fillOf('accepted') }),
      dot(signs.filter(({ kind }) => kind === 'refused'), { x: 'x', y: 'y', r: 5, symbol: 'times', ariaLabel: 'tip', stroke: fillOf('refused'), strokeWidth: 2.5 }),
      dot(signs.filter(({ kind }) => kind === 'token'), { x: 'x', y: (d) => d.y + row / 2 - 5, r: 4, symbol: 'triangle', ariaLabel: 'tip', fill: 'var(--ink)', stroke: 'var(--paper)', strokeWidth: 1 }),
      text(beside.filter(({ room }) => room), { x: 'x', y: 'y', text: 'sign', dx: 9, textAnchor: 'start', ...SIGN }),
      text(beside.filter(({ room }) => !room), { x: 'x', y: 'y', text: 'sign', dx: -9, textAnchor: 'end', ...SIGN }),
      text(names, { x: ({ at: us }) => ms(us), y: (d) => top - 8 - LINE * d.line, text: 'sign', ...SIGN }),
    ],
  };
}

const SIGN = { fill: 'var(--ink)', stroke: 'var(--paper)', strokeWidth: 4, pointerEvents: 'none', fontWeight: 600 };

/** Each sign with the lowest line that has room for it, centred on its instant; left out where three are full. */
function lifted(points, scale) {
  const ends = [-Infinity, -Infinity, -Infinity];
  return points.flatMap((point) => {
    const [middle, half] = [ms(point.at) * scale, widthOf([point.sign], Infinity) / 2 - 5];
    const line = ends.findIndex((end) => end <= middle - half);
    if (line < 0) return [];
    ends[line] = middle + half;
    return [{ ...point, line }];
  });
}

/** Lines over each other, or (form "stack") boxes on each other. */
function stepsTrack({ form, lines, limit }, top, [start, end], tall) {
  const stacked = form === 'stack';
  const base = lines[0].steps.map((_, i) => (stacked ? lines.reduce((sum, { steps }) => sum + steps[i][2], 0) : 0));
  const most = Math.max(1, limit?.[0] ?? 0, ...base, ...lines.flatMap(({ steps }) => steps.map(([, , value]) => value)));
  const at = (value) => top + tall - (value / most) * tall;
  const below = lines[0].steps.map(() => 0);
  const marks = [ruleY([at(0)], { stroke: 'var(--edge)' })];
  for (const { steps, kind } of lines) {
    const placed = steps.map(([from, until, value, tip], i) => {
      const low = stacked ? below[i] : 0;
      if (stacked) below[i] += value;
      return { x1: ms(from), x2: ms(until), y1: at(low), y2: at(low + value), kind, tip, value };
    });
    if (stacked) {
      marks.push(boxes(placed.filter(({ value }) => value), { insetRight: 0.5 }));
      continue;
    }
    if (marks.length > 1) marks.push(boxes(placed, { fill: 'var(--paper)', stroke: 'none', ariaLabel: null })); // what is behind does not shine through
    marks.push(boxes(placed, { fillOpacity: 0.28, stroke: 'none' }));
    const corners = placed.flatMap(({ x1, x2, y2 }) => [[x1, y2], [x2, y2]]);
    marks.push(line(corners, { x: '0', y: '1', stroke: 'var(--ink)', strokeWidth: 1.5, pointerEvents: 'none' }));
  }
  const named = lines.filter(({ text: figure }) => figure);
  marks.push(text(named, { x: () => ms(end), y: ({ steps }) => at(steps.at(-1)[2]), text: 'text', dy: -8, textAnchor: 'end', fontWeight: 700, fill: 'var(--ink)', stroke: 'var(--paper)', strokeWidth: 4 }));
  marks.push(labels([{ y: at(0) - 4, label: 0 }, { y: at(most) + 4, label: most }], { fill: 'var(--quiet)' }));
  if (limit) {
    marks.push(ruleY([at(limit[0])], { stroke: 'var(--ink)', strokeDasharray: '4 3' }));
    marks.push(text([limit[1]], { x: () => ms(end), y: () => at(limit[0]) - 10, text: (d) => d, textAnchor: 'end', fill: 'var(--ink)', stroke: 'var(--paper)', strokeWidth: 4 }));
  }
  return { marks, height: tall };
}
