// The lesson's charts, drawn by Observable Plot: plain data in, an SVG element out. Every chart says in words what it shows.
import * as Plot from '@observablehq/plot';
import { attainable, balance } from './cost.js';
import { el } from './dom.js';
import { percent, write } from './fields.js';

const PREFILL = 'var(--prefill)';
const DECODE = 'var(--decode)';
const WAITING = 'var(--waiting)';
const COLORS = { prefill: PREFILL, decode: DECODE };
const style = { fontFamily: 'var(--text)', background: 'none', color: 'var(--ink)', overflow: 'visible' };

/** The chart as an image with words; under a title it comes in a box with it. */
function draw(label, { title, ...options }) {
  const size = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16; // the reader's size of text
  const given = { marginBottom: 46, ...options };
  const sized = Object.fromEntries(['height', 'marginTop', 'marginRight', 'marginBottom', 'marginLeft'].filter((name) => name in given).map((name) => [name, given[name] * size]));
  const chart = Plot.plot({ ...given, ...sized, style: { ...style, fontSize: `${13 * size}px` } });
  chart.setAttribute('role', 'img');
  chart.setAttribute('aria-label', label);
  for (const group of chart.querySelectorAll('g[aria-label]')) group.removeAttribute('aria-label'); // Plot's names of its marks: the image has one name
  return title ? el('div', {}, el('p', { className: 'chart-title' }, title), chart) : chart;
}

/** One request on the clock: quantities as bars, its tokens as ticks. q: from clock.js; times and starts in µs. */
export function clock(q, tokens_us, width) {
  const tpotEnd = tokens_us.at(-1);
  const bars = [
    { name: 'Queue time', from: q.queue.from, to: q.queue.to, fill: WAITING },
    { name: 'TTFT', from: q.ttft.from, to: q.ttft.to, fill: PREFILL },
    ...(q.tpot_us === null ? [] : [{ name: `${q.n - 1} × TPOT`, from: tokens_us[0], to: tpotEnd, fill: DECODE }]),
    { name: 'E2E', from: q.e2e.from, to: q.e2e.to, fill: 'var(--edge)' },
  ].map((bar) => ({ ...bar, from: bar.from / 1000, to: bar.to / 1000 }));
  const label = `Đồng hồ của yêu cầu: ${bars.map(({ name, from, to }) => `${name} từ ${write(from, 2)} đến ${write(to, 2)} ms`).join('; ')}.`;
  return draw(label, {
    width, height: 216, marginLeft: 92, marginRight: 48, marginTop: 28,
    x: { label: 'ms mô phỏng', grid: true, zero: true },
    y: { domain: bars.map(({ name }) => name), label: null },
    marks: [
      Plot.barX(bars, { y: 'name', x1: 'from', x2: 'to', fill: 'fill', insetTop: 7, insetBottom: 7 }),
      Plot.text(bars, { y: 'name', x: 'to', text: ({ from, to }) => write(to - from, 2), textAnchor: 'start', dx: 4, fill: 'var(--ink)' }),
      Plot.tickX(tokens_us, { x: (t) => t / 1000, stroke: 'var(--ink)', strokeWidth: 1, strokeDasharray: '1 3' }),
    ],
  });
}

/** FLOP/s in the unit that suits it. */
export const flops = (flop_s) => (flop_s >= 1e12 ? `${write(flop_s / 1e12, 2)} TFLOP/s` : `${write(flop_s / 1e9, 1)} GFLOP/s`);

/** A measured column against the prompt's length (logarithmic). `log`: the column's own range, when it is logarithmic too. */
export function againstPrompt(rows, { column, unit, title, phase, log }, width) {
  const shown = rows.filter((row) => row[column] !== null);
  return draw(`${title}: ${shown.map((row) => `${row.prompt} token ${write(row[column])} ${unit}`).join(', ')}.`, {
    width, height: 250, marginLeft: 44, marginRight: 28, marginTop: 34, title,
    x: { type: 'log', base: 4, domain: [48, 5500], ticks: [64, 256, 1024, 4096], tickFormat: String, label: 'prompt (token)' },
    y: log ? { type: 'log', domain: log, ticks: 3, grid: true, label: unit, tickFormat: (v) => (Number.isInteger(Math.round(Math.log10(v) * 1e6) / 1e6) ? write(v) : '') } : { grid: true, zero: true, nice: true, label: unit },
    marks: [
      Plot.lineY(shown, { x: 'prompt', y: column, stroke: COLORS[phase], strokeWidth: 2 }),
      Plot.dot(shown, { x: 'prompt', y: column, fill: COLORS[phase], symbol: phase === 'prefill' ? 'circle' : 'square', r: 4 }),
      Plot.text(shown, { x: 'prompt', y: column, text: (row) => write(row[column]), dy: -13, fill: 'var(--ink)', stroke: 'var(--paper)', strokeWidth: 4 }),
    ],
  });
}

/** Tokens a second of both phases on several machines, logarithmic. rows: [{ name, phase, per_second }] */
export function rates(rows, title, width) {
  return draw(`${title}: ${rows.map(({ name, phase, per_second }) => `${name} ${phase} ${write(per_second)}`).join(', ')}.`, {
    width, height: 224, marginLeft: 60, marginRight: 64, marginTop: 26, title,
    fy: { label: null, domain: [...new Set(rows.map(({ name }) => name))], axis: null, padding: 0.28 },
    x: { type: 'log', domain: [1, 10_000], ticks: [1, 10, 100, 1000, 10_000], tickFormat: (v) => write(v), grid: true, label: 'token/s' },
    y: { label: null, domain: ['prefill', 'decode'] },
    marks: [
      Plot.barX(rows, { fy: 'name', y: 'phase', x1: 1, x2: 'per_second', fill: ({ phase }) => COLORS[phase], insetTop: 2, insetBottom: 2 }),
      Plot.text(rows, { fy: 'name', y: 'phase', x: 'per_second', text: ({ per_second }) => write(per_second), textAnchor: 'start', dx: 5, fill: 'var(--ink)' }),
      Plot.text(rows.filter(({ phase }) => phase === 'prefill'), { fy: 'name', frameAnchor: 'top-left', text: 'name', dy: -4, textAnchor: 'start', lineAnchor: 'bottom', fontWeight: 650, fill: 'var(--ink)' }),
    ],
  });
}

/** Powers of ten within a range, a few at most. */
function powers([low, high]) {
  const all = [];
  for (let n = Math.ceil(Math.log10(low)); n <= Math.log10(high); n++) all.push(10 ** n);
  const every = Math.ceil(all.length / 7);
  return all.filter((_, i) => i % every === 0);
}

/** The roof, measured points on or under it, and what the reader's numbers allow. points: [{ name, phase, intensity, flop_s, measured }] */
export function roofline(ceilings, points, width) {
  const knee = balance(ceilings);
  const xs = [...points.map(({ intensity }) => intensity), knee];
  const domain = [Math.min(...xs, 0.5) / 1.6, Math.max(...xs) * 4];
  const roof = [domain[0], knee, domain[1]].map((intensity) => ({ intensity, tflop_s: attainable(ceilings, intensity) / 1e12 }));
  const shown = points.map((point) => ({ ...point, tflop_s: point.flop_s / 1e12 }));
  const tops = [...roof, ...shown].map(({ tflop_s }) => tflop_s);
  const narrow = width < 560; // labels alternate between two lines
  const height = [Math.min(...tops) / 2, Math.max(...tops) * 1.6];
  const label = `Roofline: gãy ở ${write(knee, 1)} FLOP/byte. ${shown.map(({ name, intensity, tflop_s }) => `${name}: ${write(intensity, 1)} FLOP/byte, ${write(tflop_s, 2)} TFLOP/s`).join('; ')}.`;
  return draw(label, {
    width, height: 380, marginLeft: 52, marginRight: 44, marginTop: 40,
    x: { type: 'log', domain, label: 'mật độ (FLOP/byte)', grid: true, ticks: powers(domain), tickFormat: (v) => write(v) },
    y: { type: 'log', domain: height, label: 'TFLOP/s', grid: true, ticks: powers(height), tickFormat: (v) => write(v) },
    symbol: { domain: ['prefill', 'decode'], range: ['circle', 'square'] },
    marks: [
      Plot.lineY(roof, { x: 'intensity', y: 'tflop_s', stroke: 'var(--ink)', strokeWidth: 2 }),
      Plot.ruleX([knee], { stroke: 'var(--edge)', strokeDasharray: '4 4' }),
      Plot.text([{ knee }], { x: 'knee', frameAnchor: 'bottom', text: () => `cân bằng ${write(knee, 1)}`, dx: 6, dy: -6, textAnchor: 'start', fill: 'var(--quiet)' }),
      Plot.dot(shown, { x: 'intensity', y: 'tflop_s', symbol: 'phase', r: 6, stroke: ({ phase }) => (phase === 'prefill' ? PREFILL : DECODE), strokeWidth: 2,
        fill: ({ phase, measured }) => (measured ? (phase === 'prefill' ? PREFILL : DECODE) : 'var(--paper)'),
        title: ({ name, intensity, tflop_s }) => `${name}: ${write(intensity, 1)} FLOP/byte, ${write(tflop_s, 2)} TFLOP/s` }),
      ...[0, 1].map((odd) => Plot.text(shown.filter(({ measured }, i) => measured && i % 2 === odd), {
        x: 'intensity', y: 'tflop_s', text: ({ name }) => (narrow ? name.replace(/^đo /, '') : name), dy: narrow && odd ? 31 : 17, fill: 'var(--ink)', stroke: 'var(--paper)', strokeWidth: 4 })),
      Plot.text(shown.filter(({ measured }) => !measured), { x: 'intensity', y: 'tflop_s', text: 'name', dy: -16, fontWeight: 650, fill: 'var(--ink)', stroke: 'var(--paper)', strokeWidth: 4 }),
    ],
  });
}

/** E2E of workloads by phase. rows: [{ name, phase: "prefill" | "decode", seconds, share }] */
export function split(rows, width) {
  const names = [...new Set(rows.map(({ name }) => name))];
  const label = rows.map(({ name, phase, seconds, share }) => `${name}: ${phase} ${write(seconds, 2)} s (${percent(share)})`).join('; ');
  const placed = names.flatMap((name) => {
    const [prefill, decode] = ['prefill', 'decode'].map((phase) => rows.find((row) => row.name === name && row.phase === phase));
    return [{ ...prefill, from: 0, to: prefill.share }, { ...decode, from: prefill.share, to: 1 }];
  });
  const told = placed.filter(({ share }) => share * (width - 20) > 110);
  return draw(`E2E theo pha. ${label}.`, {
    width, height: 40 + 62 * names.length, marginLeft: 4, marginRight: 16, marginTop: 20,
    x: { domain: [0, 1], label: 'phần của E2E (%)', tickFormat: (v) => write(100 * v, 0), ticks: width < 500 ? 5 : 10, grid: true },
    fy: { domain: names, axis: null },
    marks: [
      Plot.barX(placed, { fy: 'name', x1: 'from', x2: 'to', fill: ({ phase }) => COLORS[phase], insetTop: 18, insetRight: 1, title: ({ phase, seconds, share }) => `${phase}: ${write(seconds, 2)} s (${percent(share)})` }),
      Plot.text(names, { fy: (name) => name, frameAnchor: 'top-left', text: (name) => name, lineAnchor: 'top', fontWeight: 650, fill: 'var(--ink)' }),
      Plot.text(told, { fy: 'name', x: 'from', text: ({ phase, seconds }) => `${phase} ${write(seconds, 2)} s`, textAnchor: 'start', dx: 8, dy: 9, fill: ({ phase }) => `var(--on-${phase})`, fontWeight: 650 }),
    ],
  });
}
