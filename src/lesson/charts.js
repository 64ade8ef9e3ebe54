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

/** One request on the clock: quantities as bars, its tokens as numbered ticks, and what a late clock leaves out. q: from clock.js; times and starts in µs. */
export function clock(q, tokens_us, width) {
  const tpotEnd = tokens_us.at(-1);
  const bars = [
    { name: 'Queue time', from: q.queue.from, to: q.queue.to, fill: WAITING },
    { name: 'TTFT', from: q.ttft.from, to: q.ttft.to, fill: PREFILL },
    ...(q.tpot_us === null ? [] : [{ name: `${q.n - 1} × TPOT`, from: tokens_us[0], to: tpotEnd, fill: DECODE }]),
    { name: 'E2E', from: q.e2e.from, to: q.e2e.to, fill: 'var(--edge)' },
  ].map((bar) => ({ ...bar, from: bar.from / 1000, to: bar.to / 1000 }));
  const forgotten = q.missing_us > 0 ? [{ name: 'TTFT', from: q.e2e.from / 1000, to: q.ttft.from / 1000 }] : [];
  const tokens = tokens_us.map((t, i) => ({ at: t / 1000, number: i + 1 }));
  const apart = ((width - 140) * (tpotEnd - tokens_us[0])) / tpotEnd / Math.max(tokens.length - 1, 1) > 14;
  const said = (of) => of.map(({ name, from, to }) => `${name} từ ${write(from, 2)} đến ${write(to, 2)} ms`).join('; ');
  const label = `Đồng hồ của yêu cầu: ${said(bars)}.${forgotten.length ? ` Bị bỏ quên: ${said(forgotten)}.` : ''}`;
  return draw(label, {
    width, height: 212, marginLeft: 92, marginRight: 48, marginTop: 26,
    x: { label: 'ms mô phỏng', grid: true, zero: true, ticks: width < 560 ? 4 : 10 },
    y: { domain: bars.map(({ name }) => name), label: null },
    marks: [
      Plot.barX(bars, { y: 'name', x1: 'from', x2: 'to', fill: 'fill', insetTop: 7, insetBottom: 7 }),
      Plot.barX(forgotten, { y: 'name', x1: 'from', x2: 'to', fill: 'none', stroke: 'var(--ink)', strokeDasharray: '3 3', insetTop: 7, insetBottom: 7 }),
      Plot.text(forgotten, { y: 'name', x: ({ from, to }) => (from + to) / 2, text: ({ from, to }) => `bỏ quên ${write(to - from, 2)}`, fill: 'var(--ink)' }),
      Plot.tickX(tokens, { x: 'at', stroke: 'var(--ink)', strokeWidth: 1, strokeDasharray: '1 3' }),
      Plot.text(apart ? tokens : [tokens[0], tokens.at(-1)], { x: 'at', frameAnchor: 'top', text: 'number', dy: -9, fill: 'var(--quiet)' }),
      Plot.text(bars, { y: 'name', x: 'to', text: ({ from, to }) => write(to - from, 2), textAnchor: 'start', dx: 5, fill: 'var(--ink)', stroke: 'var(--paper)', strokeWidth: 5 }),
    ],
  });
}

/** FLOP/s in the unit that suits it. */
export const flops = (flop_s) => (flop_s >= 1e12 ? `${write(flop_s / 1e12, 2)} TFLOP/s` : `${write(flop_s / 1e9, 1)} GFLOP/s`);

/** Measured columns against the prompt's length (logarithmic). columns: [[name, what the reader calls it]]; `log`: their range, when it is logarithmic too. */
export function againstPrompt(rows, { columns, unit, title, phase, log }, width) {
  const shown = columns.flatMap(([column, name], i) => rows.map((row) => ({ prompt: row.prompt, value: row[column], name, first: i === 0 })));
  return draw(`${title}: ${shown.map(({ prompt, name, value }) => `${prompt} token ${name && `${name} `}${write(value)} ${unit}`).join(', ')}.`, {
    width, height: 250, marginLeft: 44, marginRight: 40, marginTop: 34, title,
    x: { type: 'log', base: 4, domain: [40, 6000], ticks: [64, 256, 1024, 4096], tickFormat: String, label: 'prompt (token)' },
    y: log ? { type: 'log', domain: log, ticks: 3, grid: true, label: unit, tickFormat: (v) => (Number.isInteger(Math.round(Math.log10(v) * 1e6) / 1e6) ? write(v) : '') } : { grid: true, zero: true, nice: true, label: unit },
    marks: [
      ...[true, false].map((first) => Plot.lineY(shown.filter((one) => one.first === first), { x: 'prompt', y: 'value', stroke: COLORS[phase], strokeWidth: 2, strokeDasharray: first ? null : '5 4' })),
      Plot.dot(shown, { x: 'prompt', y: 'value', fill: ({ first }) => (first ? COLORS[phase] : 'var(--paper)'), stroke: COLORS[phase], strokeWidth: 2, symbol: phase === 'prefill' ? 'circle' : 'square', r: 3.5 }),
      Plot.text(shown, { x: 'prompt', y: 'value', text: ({ value }) => write(value), dy: -14, fill: 'var(--ink)', stroke: 'var(--paper)', strokeWidth: 4 }),
      Plot.text(shown.filter(({ prompt, name }) => name && prompt === rows.at(-1).prompt), { x: 'prompt', y: 'value', text: 'name', dx: 9, textAnchor: 'start', fontWeight: 650, fill: 'var(--ink)' }),
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

/** Powers of ten within a range, a few at most; where there is hardly one, also twice and five times as much. */
function powers([low, high]) {
  const all = [];
  for (let n = Math.floor(Math.log10(low)); n <= Math.log10(high); n++) all.push(...[1, 2, 5].map((times) => Number(`${times}e${n}`)));
  const inside = all.filter((tick) => tick >= low && tick <= high);
  const tens = inside.filter((tick) => Math.log10(tick) % 1 === 0);
  const every = Math.ceil(tens.length / 7);
  return tens.length < 2 ? inside : tens.filter((_, i) => i % every === 0);
}

/** FLOP a byte, as finely as it is worth. */
const density = (value) => write(value, value < 1 ? 2 : 1);

const TERA = { name: 'TFLOP/s', size: 1e12 };
export const GIGA = { name: 'GFLOP/s', size: 1e9 };

/** The roof, measured points on or under it, and what the reader's numbers allow. points: [{ name, phase, intensity, flop_s, measured }] */
export function roofline(ceilings, points, width, { unit = TERA, title = '', height = 380 } = {}) {
  const knee = balance(ceilings);
  const xs = [...points.map(({ intensity }) => intensity), knee];
  const domain = [Math.min(...xs, 0.5) / 1.6, Math.max(...xs) * 4];
  const roof = [domain[0], knee, domain[1]].map((intensity) => ({ intensity, rate: attainable(ceilings, intensity) / unit.size }));
  const shown = points.map((point) => ({ ...point, rate: point.flop_s / unit.size }));
  const tops = [...roof, ...shown].map(({ rate }) => rate);
  const narrow = width < 560; // labels of measured points alternate between two lines
  /** Where a label stands: right of a point on the slope, where the roof has passed above; else under a measured point and over the others. */
  const placed = ({ measured, phase, intensity }, i) => {
    if (intensity < knee && !(measured && phase === 'prefill')) return { dx: 12, dy: 3, textAnchor: 'start' };
    return { dy: measured ? (narrow && i % 2 ? 31 : 17) : phase === 'prefill' ? -16 : -32 };
  };
  const range = [Math.min(...tops) / 2, Math.max(...tops) * 1.6];
  const label = `Roofline: gãy ở ${density(knee)} FLOP/byte. ${shown.map(({ name, intensity, rate }) => `${name}: ${density(intensity)} FLOP/byte, ${write(rate, 2)} ${unit.name}`).join('; ')}.`;
  return draw(label, {
    width, height, title, marginLeft: 52, marginRight: 44, marginTop: 40,
    x: { type: 'log', domain, label: 'mật độ (FLOP/byte)', grid: true, ticks: powers(domain), tickFormat: (v) => write(v) },
    y: { type: 'log', domain: range, label: unit.name, grid: true, ticks: powers(range), tickFormat: (v) => write(v) },
    symbol: { domain: ['prefill', 'decode'], range: ['circle', 'square'] },
    marks: [
      Plot.lineY(roof, { x: 'intensity', y: 'rate', stroke: 'var(--ink)', strokeWidth: 2 }),
      Plot.ruleX([knee], { stroke: 'var(--edge)', strokeDasharray: '4 4' }),
      Plot.text([{ knee }], { x: 'knee', frameAnchor: 'bottom', text: () => `cân bằng ${density(knee)}`, dx: 6, dy: -6, textAnchor: 'start', fill: 'var(--quiet)' }),
      Plot.dot(shown, { x: 'intensity', y: 'rate', symbol: 'phase', r: 6, stroke: ({ phase }) => (phase === 'prefill' ? PREFILL : DECODE), strokeWidth: 2,
        fill: ({ phase, measured }) => (measured ? (phase === 'prefill' ? PREFILL : DECODE) : 'var(--paper)'),
        title: ({ name, intensity, rate }) => `${name}: ${density(intensity)} FLOP/byte, ${write(rate, 2)} ${unit.name}` }),
      ...shown.map((point, i) => Plot.text([point], {
        x: 'intensity', y: 'rate', text: [narrow ? point.name.replace(/^đo /, '') : point.name], fontWeight: point.measured ? 400 : 650, fill: 'var(--ink)', stroke: 'var(--paper)', strokeWidth: 4, ...placed(point, i) })),
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
