// The replay of a run: asks the engine for its instants, keeps its clock while it plays, and shows one instant in the diagram
// and in the panels' pictures. Who presses what, and what the bar says, is the view's (static/view/dom_replay.py).
//
// In: `open` with a result's key; `show`, `play`, `pause`. Out: the drawing, and the texts of an instant as plain text.
// Under prefers-reduced-motion nothing travels: each instant is shown as a state.
import * as moment from './moment.js';
import { Dots } from './dots.js';
import { point } from './cursors.js';

const GLIDE_MS = 700; // of one step by hand
const SHORTEST_MS = 160;
const LONGEST_MS = 900;
const LAST_TOKENS = 8; // of the answer so far, in the bar

const calm = matchMedia('(prefers-reduced-motion: reduce)');
const lab = globalThis.inferenceLab;

let data = null; // of the run that is open
let at = []; // seconds of each instant at speed 1
let dots = null;
let shown = -1;
let followed = 0;
let playing = null; // { speed, base, since, reached }
let frame = 0;

// A picture that is drawn, or a panel that is opened, while an instant is shown gets its cursor.
const pointed = () => data && shown >= 0 && !playing && point(data.instants[shown]);
new MutationObserver(pointed).observe(document.getElementById('panels'), { childList: true, subtree: true });
document.addEventListener('toggle', pointed, true);

/** -> how many instants there are, and the requests as options; null if the answer will never come, text if it is an error. */
export async function open(key, constants) {
  const answer = await lab.ask('replay', { key, constants: JSON.parse(constants) });
  if (!answer) return null;
  if (answer.error) return answer.error.message;
  stop();
  data = answer.ok;
  at = moment.schedule(data.instants);
  shown = -1;
  return { count: data.instants.length, ids: data.requests.map(([id]) => id).sort(), follow: data.follow };
}

export function close() {
  stop();
  data = null;
  shown = -1;
  dots?.clear();
  point(null);
}

/** The instant that holds at a time; that of the run before, when a new one is opened. */
export const instantAt = (us) => moment.instantAt(data, us);
export const microseconds = (i) => data.instants[i];

export function follow(id) {
  followed = data.requests.findIndex(([one]) => one === id);
  if (shown >= 0) dots.place(moment.crowd(data, shown), data.requests, followed);
}

export const texts = (i) => ({
  time: data.times[i], told: data.told[i], why: moment.why(data, followed, i), figures: moment.figures(data, i), spoken: moment.spoken(data, i),
  answer: moment.answer(data, followed, i).slice(-LAST_TOKENS).map((text) => `'${text}'`).join(' '), step: data.step[i] && data.steps[data.step[i] - 1][0],
});

/** Show instant i; `glide`: what moved at it is seen moving. */
export function show(i, glide) {
  stop();
  draw(i, glide && i === shown + 1 ? GLIDE_MS : 0);
  point(data.instants[i]);
}

/** Play from instant i on; `reached(i)` is called at each instant, the last one included. */
export function play(i, speed, reached) {
  if (shown !== i) show(i, false);
  stop();
  playing = { speed, base: at[i], since: performance.now(), reached };
  wake();
}

export function pause() {
  stop();
  dots?.settle();
  if (shown >= 0) point(data.instants[shown]);
}

function stop() {
  playing = null;
}

function draw(i, ms) {
  dots ??= new Dots();
  dots.settle();
  const before = dots.spots();
  dots.place(moment.crowd(data, i), data.requests, followed);
  dots.light(data.cells[data.lit[i]]);
  shown = i;
  if (!ms || calm.matches) return;
  dots.travel(before, { ways: data.ways[i], emitted: data.emitted[i], token_way: data.token_way, flows: moment.flows(data, i) }, performance.now(), ms);
  wake();
}

function wake() {
  frame ||= requestAnimationFrame(tick);
}

function tick(now) {
  frame = 0;
  if (!data) return;
  if (playing) advance(now);
  const moving = dots?.frame(now);
  if (playing || moving) wake();
}

function advance(now) {
  const { speed, base, since, reached } = playing;
  const clock = base + Math.max(0, (now - since) / 1000) * speed;
  let next = shown;
  while (next + 1 < at.length && at[next + 1] <= clock) next++;
  if (next > shown) {
    const gap = next + 1 < at.length ? ((at[next + 1] - at[next]) / speed) * 1000 : LONGEST_MS;
    draw(next, Math.min(LONGEST_MS, Math.max(SHORTEST_MS, gap * 0.8)));
    if (next === at.length - 1) stop();
    reached(next);
  }
  if (!playing) return point(data.instants[shown]);
  const [from, to] = [at[shown], at[shown + 1]];
  const share = calm.matches ? 0 : Math.min(1, (clock - from) / Math.max(1e-9, to - from));
  point(data.instants[shown] + share * (data.instants[shown + 1] - data.instants[shown]));
}
