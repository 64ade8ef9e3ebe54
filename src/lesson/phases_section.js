// Sections 1 and 2: the passes of one request, played; and its five quantities on the clock.
//
// Starts with the run that was computed when the page was built, and runs the engine again when the reader changes a number.
import { passes, quantities, throughput } from './clock.js';
import * as charts from './charts.js';
import { byId, drawnIn, el, foldIn, table } from './dom.js';
import { ms, msOf, write } from './fields.js';
import { createForm } from './form.js';

const PASS_MS = 1000; // of the reader's time, for a pass of mean length; the others in proportion
const SHORTEST_MS = 400;
const LONGEST_MS = 2500;
const FIELDS = [
  { name: 'TOKEN_BUDGET', label: 'TOKEN_BUDGET', unit: 'token mỗi bước', min: 1, max: 8192, whole: true, slider: [1, 32, 1] },
  { name: 'COST_PREFILL_PER_TOKEN', label: 'COST_PREFILL_PER_TOKEN', unit: 'µs mỗi token', min: 0, max: 1_000_000, whole: true, slider: [0, 2000, 10] },
  { name: 'COST_DECODE_FIXED', label: 'COST_DECODE_FIXED', unit: 'µs mỗi bước', min: 0, max: 1_000_000, whole: true, slider: [0, 5000, 50] },
];
const number = (title) => ({ title, number: true });
const text = (title) => ({ title, number: false });

export function phasesSection(builtRun, asker) {
  let run = builtRun;
  let served = run.served.find(({ id }) => id === run.constants.FOLLOW) ?? run.served[0];
  let made = passes(run.steps, served);
  let at = 0; // passes that are done
  let playing = null;

  const fillPassTable = foldIn(byId('phase-table'), 'Bảng số: từng pass');
  const fillClockTable = foldIn(byId('clock-table'), 'Bảng số: từng đại lượng');
  const arrivals = () => Object.fromEntries(run.constants.REQUESTS.map(({ id, arrival }) => [id, arrival]));
  const clockFrom = () => document.querySelector('[name="clock"]:checked').value;
  const drawClock = drawnIn(byId('clock-chart'), (width) => charts.clock(quantities(served, arrivals()[served.id], clockFrom()), served.token_times_us, width));

  function choose(id) {
    served = run.served.find((one) => one.id === id) ?? run.served[0];
    made = passes(run.steps, served);
    byId('phase-at').max = made.length;
    fillPassTable(passTable(served.id, made));
    show(0);
    showClock();
  }

  /** `next` passes are done; `running`: the one after them is under way for so many ms of the reader's time, or 0. */
  function show(next, running = 0) {
    at = Math.min(Math.max(next, 0), made.length);
    const scrub = byId('phase-at');
    scrub.value = at;
    scrub.setAttribute('aria-valuetext', `${at}/${made.length} pass xong`);
    const done = made.slice(0, at);
    const current = made[at - 1];
    const prompt = done.reduce((sum, { phase, tokens }) => sum + (phase === 'prefill' ? tokens : 0), 0);
    const emitted = done.filter(({ emits }) => emits !== null).length;
    fillTokens(byId('phase-prompt'), served.prompt_tokens, prompt, current?.phase === 'prefill' ? current.tokens : 0);
    fillTokens(byId('phase-answer'), served.output_ids.map((id) => run.bpe.vocabulary[id]), emitted, (current?.emits ?? null) === null ? 0 : 1);
    byId('phase-passes').replaceChildren(passBar(made, at, running));
    byId('phase-note').textContent = sentence(current);
  }

  function sentence(current) {
    if (!current) return `${served.id}: prompt ${served.prompt_tokens.length} token, ${made.length} pass. Bấm Phát, hoặc tới từng pass.`;
    const what = current.phase === 'prefill' ? `prefill ${current.tokens} token cùng lúc` : 'decode đúng một token';
    const result = current.emits === null ? 'chưa có token ra' : `token thứ ${current.emits + 1} của câu trả lời ra`;
    return `Pass ${at}/${made.length}: ${what}, trong ${ms(current.to - current.from)} mô phỏng; ${result}.`;
  }

  function showClock() {
    drawClock();
    const from = clockFrom();
    const q = quantities(served, arrivals()[served.id], from);
    const exact = msOf(q.ttft_us, q.sum_us, q.e2e_us);
    const sum = q.tpot_us === null ? `${exact(q.ttft_us)} (chỉ có một token, nên không có TPOT)` : `${exact(q.ttft_us)} + (${q.n} − 1) × ${exact(q.tpot_us)} = ${exact(q.ttft_us)} + ${exact(q.sum_us - q.ttft_us)} = ${exact(q.sum_us)}`; // the product in its place: with the rounded TPOT it is another
    byId('clock-sum').textContent = q.missing_us === 0
      ? `TTFT + (N − 1) × TPOT = ${sum}. Đúng bằng E2E: ${exact(q.e2e_us)}.`
      : `TTFT + (N − 1) × TPOT = ${sum}. E2E là ${exact(q.e2e_us)}, nên thiếu ${exact(q.e2e_us - q.sum_us)}: đồng hồ này bỏ quên phần chuẩn bị và chờ. Gặp một số TTFT, hãy hỏi nó bắt đầu từ đâu.`;
    const all = throughput(run.served, arrivals());
    byId('clock-throughput').textContent = `Throughput của cả lần chạy: ${all.tokens} token trong ${ms(all.span_us)} mô phỏng, tức ${write(all.per_second, 1)} token mỗi giây mô phỏng.`;
    fillClockTable(clockTable(served.id, q));
  }

  function fillRequests() {
    byId('phase-request').replaceChildren(...run.served.map(({ id }) => el('option', { value: id, textContent: id, selected: id === served.id })));
  }

  function stopPlaying() {
    clearTimeout(playing);
    playing = null;
    byId('phase-play').textContent = 'Phát';
  }

  /** The next pass takes its share of the reader's time; its token comes when it ends. */
  function playOn() {
    if (at === made.length) return stopPlaying();
    const mean = made.reduce((sum, { from, to }) => sum + to - from, 0) / made.length;
    const { from, to } = made[at];
    const lasts = Math.min(Math.max((PASS_MS * (to - from)) / (mean || 1), SHORTEST_MS), LONGEST_MS);
    show(at, lasts);
    playing = setTimeout(() => {
      show(at + 1);
      playOn();
    }, lasts);
  }

  function step(to) {
    stopPlaying();
    show(to);
  }

  byId('phase-request').addEventListener('change', ({ target }) => { stopPlaying(); choose(target.value); });
  byId('phase-back').addEventListener('click', () => step(at - 1));
  byId('phase-next').addEventListener('click', () => step(at + 1));
  byId('phase-at').addEventListener('input', ({ target }) => step(target.valueAsNumber));
  byId('phase-play').addEventListener('click', () => {
    if (playing !== null) return step(at);
    if (at === made.length) show(0);
    byId('phase-play').textContent = 'Tạm dừng';
    playOn();
  });
  byId('clock-from').addEventListener('change', showClock);

  let wanted = 0;
  const say = (sentence_) => { byId('phase-source').textContent = sentence_; };
  createForm(byId('phase-form'), FIELDS.map((field) => ({ ...field, value: run.constants[field.name] })), async (constants) => {
    wanted += 1;
    const mine = wanted;
    const running = 'Engine đang chạy với số của bạn. Hình trên là của lần chạy trước.';
    say(running);
    try {
      const figures = await asker.ask('figures', { constants }, (boot) => mine === wanted && say(`${boot} Hình trên là của lần chạy trước.`));
      if (mine !== wanted) return;
      if (figures.served.length === 0) return say('Với các số này không yêu cầu nào được phục vụ. Hình trên vẫn là của lần chạy trước.');
      stopPlaying();
      run = figures;
      choose(served.id);
      fillRequests();
      say('Engine vừa chạy trong trình duyệt này với số của bạn.');
    } catch (error) {
      if (mine === wanted) say(`${error.message} Hình trên vẫn là của lần chạy trước.`);
    }
  });
  say('Lần chạy này được tính sẵn bằng engine của lab. Đổi một số thì engine chạy lại ngay trong trình duyệt.');
  fillRequests();
  choose(served.id);
}

/** Tokens as boxes: done, just computed (the last `fresh` of the done ones), still to come. */
function fillTokens(box, tokens, done, fresh) {
  box.replaceChildren(
    el('span', { className: 'tokens-name' }, `${box.ariaLabel} ${Math.min(done, tokens.length)}/${tokens.length}`),
    ...tokens.map((token, i) => el('span', { className: `token ${i < done ? 'is-done' : ''} ${i < done && i >= done - fresh ? 'is-fresh' : ''}` }, token)));
}

/** All passes on one line, as wide as they last; those of one phase that follow each other stand under its name. */
function passBar(made, at, running) {
  const groups = [];
  for (const [i, { phase, tokens, from, to }] of made.entries()) {
    const now = running > 0 && i === at;
    const classes = ['pass', phase, i < at && 'is-done', i === at - 1 && !running && 'is-now', now && 'is-running'].filter(Boolean).join(' ');
    const style = `flex-grow:${to - from}${now ? `;--lasts:${Math.round(running)}ms` : ''}`;
    const piece = el('span', { className: classes, title: `${phase} ${tokens} token, ${ms(to - from)} mô phỏng`, style }, String(tokens));
    if (groups.at(-1)?.phase !== phase) groups.push({ phase, pieces: [], lasts: 0, tokens: 0 });
    const group = groups.at(-1);
    group.pieces.push(piece);
    group.lasts += to - from;
    group.tokens += tokens;
  }
  const label = `Các pass: ${made.map(({ phase, tokens, from, to }) => `${phase} ${tokens} token ${ms(to - from)}`).join(', ')}`;
  return el('div', { className: 'passes', role: 'img', ariaLabel: label }, ...groups.map(({ phase, pieces, lasts, tokens }) =>
    el('div', { className: 'pass-group', style: `flex-grow:${lasts};min-width:${pieces.length}rem` },
      el('span', { className: 'pass-phase', title: `${phase}: ${pieces.length} pass, ${tokens} token` }, phase), el('div', { className: 'passes' }, ...pieces))));
}

const passTable = (id, made) => table(`Các pass của ${id} (ms mô phỏng)`,
  [number('Pass'), text('Pha'), number('Token vào'), number('Bắt đầu'), number('Xong'), number('Kéo dài'), number('Token ra thứ')],
  made.map(({ phase, tokens, from, to, emits }, i) => [write(i + 1), phase, write(tokens), ms(from), ms(to), ms(to - from), emits === null ? '–' : write(emits + 1)]));

const clockTable = (id, q) => table(`Đồng hồ của ${id} (ms mô phỏng)`,
  [text('Đại lượng'), number('Từ'), number('Đến'), number('Kéo dài')],
  [
    ['Queue time', ms(q.queue.from), ms(q.queue.to), ms(q.queue_us)],
    ['TTFT', ms(q.ttft.from), ms(q.ttft.to), ms(q.ttft_us)],
    ['TPOT', '–', '–', q.tpot_us === null ? '–' : ms(q.tpot_us)],
    ['E2E', ms(q.e2e.from), ms(q.e2e.to), ms(q.e2e_us)],
  ]);
