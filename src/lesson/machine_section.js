// Section 8: measure this machine, one point after another, so that there is progress and a stop between any two; keep, compare, share.
//
// The engine's package measures (inference_lab.machine); this shows it. A result from the command line can be pasted beside it.
import * as charts from './charts.js';
import { byId, drawnIn, el, table } from './dom.js';
import { percent, write } from './fields.js';
import { CEILINGS, KIND, linkOf, readLink, readRecord, valid, VERSION } from './machine_record.js';
import { createStore } from './store.js';

const SIZE_NAMES = { tiny: 'rất nhỏ', small: 'nhỏ', medium: 'vừa', large: 'lớn' };
const FIRST = ['matmul_float32', 'read']; // they say how long each size takes
const nameOf = (point) => CEILINGS.find(([id]) => id === point)?.[1].toLowerCase() ?? point;
const isMeasuring = (command) => command.startsWith('machine_');
const UNSTEADY = 2; // a sample that took so many times another one; as py/inference_lab/machine_report.py has it
const lasting = (seconds) => (seconds < 90 ? `${write(Math.ceil(seconds))} giây` : `${write(Math.ceil(seconds / 60))} phút`);

export function machineSection(asker) {
  const store = createStore('machine');
  const say = (text) => { byId('machine-status').textContent = text; };
  const alarm = (...content) => byId('machine-alert').replaceChildren(...content);
  const offer = (...buttons) => byId('machine-offer').replaceChildren(...buttons);
  let mine = valid(store.read());
  let other = null;
  let measuring = null; // the measurement under way: an object of its own, or null

  byId('machine-size').replaceChildren(el('option', { value: '' }, 'tự chọn theo máy'), ...Object.entries(SIZE_NAMES).map(([id, name]) => el('option', { value: id }, name)));

  /** size: a name, or null to choose by the machine; whole: the reader agreed to what lasts longer; taken: points that need not be taken again. */
  async function measure(size, whole = false, taken = {}) {
    if (measuring) return;
    const run = { size, from: whole ? null : performance.now(), hidden: document.hidden }; // from: the clock of the minute that nobody has been asked about
    measuring = run;
    const wanted = () => measuring === run;
    busy(true);
    alarm();
    offer();
    try {
      for (const point of FIRST) if (!(await takePoint(point, null, taken, wanted, run))) return;
      const plan = await asker.ask('machine_plan', { size, whole, flops_per_s: taken.matmul_float32.median, bytes_per_s: taken.read.median });
      if (!wanted()) return;
      run.size = plan.size;
      run.smaller = plan.smaller;
      if (plan.prompts.length === 0) return tooSlow(plan, taken);
      for (const [i, point] of plan.points.entries()) {
        byId('machine-progress').value = i / plan.points.length;
        if (!(await takePoint(point, plan.size, taken, wanted, run, `${i + 1}/${plan.points.length}, cỡ ${SIZE_NAMES[plan.size]}, cả lượt chừng ${lasting(plan.seconds)}`))) return;
      }
      const made = await asker.ask('machine_record', { size: plan.size, points: taken });
      if (!wanted()) return;
      mine = made;
      store.write(mine);
      say(`Đã đo xong, cỡ ${SIZE_NAMES[plan.size]}.`);
      if (run.hidden) alarm('Trang bị ẩn trong lúc đo. Trình duyệt có thể đã bớt phần máy cho nó, nên hãy đo lại với trang ở trước mặt.');
      show();
      const prompts = [...plan.prompts, ...plan.left_out].filter((tokens) => !(`prefill ${tokens}` in taken));
      if (prompts.length) leftOut(plan, prompts, taken);
    } catch (error) {
      if (wanted()) failed(error, run);
    } finally {
      if (wanted()) {
        measuring = null;
        busy(false);
      }
    }
  }

  /** Puts a point into `taken`, unless it would end after the minute. -> whether this measurement is still wanted */
  async function takePoint(point, size, taken, wanted, { from }, place = 'để chọn cỡ') {
    if (point in taken) return true;
    say(`Đang đo ${nameOf(point)} (${place}).`);
    const clock = from === null ? {} : { taken, elapsed_s: (performance.now() - from) / 1000 };
    const spread = await asker.ask('machine_point', { point, size, ...clock }, (boot) => wanted() && say(boot));
    if (wanted() && spread) taken[point] = spread;
    return wanted();
  }

  function tooSlow(plan, taken) {
    say('Chưa đo: máy quá chậm cho cỡ này.');
    alarm(`Cỡ ${SIZE_NAMES[plan.size]} cần chừng ${lasting(plan.whole_s)} trên máy này, lâu hơn ${plan.budget_s} giây.`);
    offer(...smaller(plan), again(`Vẫn đo (chừng ${lasting(plan.whole_s)})`, plan.size, true, taken));
  }

  function leftOut(plan, prompts, taken) {
    const names = prompts.join(', ');
    const more = plan.whole_s - plan.seconds; // nothing where the plan was for all, and the machine slower than planned
    say(`Đã đo xong, cỡ ${SIZE_NAMES[plan.size]}. Chưa đo prompt ${names} token: cả lượt sẽ lâu hơn ${plan.budget_s} giây.`);
    offer(again(`Đo cả prompt ${names} (${more > 0 ? `thêm chừng ${lasting(more)}` : 'máy đang chậm, có thể lâu hơn một phút'})`, plan.size, true, taken), ...smaller(plan));
  }

  function failed(error, run) {
    say(mine ? 'Chưa đo xong. Kết quả dưới đây là của lần đo trước.' : 'Chưa đo xong.');
    alarm(error.message);
    offer(...smaller(run), again('Đo lại', run.size));
  }

  const smaller = ({ smaller: size }) => (size ? [again(`Đo cỡ ${SIZE_NAMES[size]}`, size)] : []);

  function again(label, size, whole, taken) {
    const button = el('button', { type: 'button' }, label);
    button.addEventListener('click', () => {
      byId('machine-stop').focus(); // this button goes
      measure(size, whole, taken);
    });
    return button;
  }

  function stop() {
    if (!measuring) return say('Không có gì đang đo.');
    measuring = null;
    asker.stop(isMeasuring);
    busy(false);
    say(mine ? 'Đã dừng đo. Kết quả dưới đây là của lần đo trước.' : 'Đã dừng đo.');
  }

  function busy(on) {
    byId('machine-progress').hidden = !on;
    byId('machine-progress').value = 0;
    byId('machine-start').setAttribute('aria-disabled', String(on));
    byId('machine-stop').setAttribute('aria-disabled', String(!on));
  }

  function show() {
    const named = [...(mine ? [['Máy này', mine]] : []), ...(other ? [['Để so', other]] : [])];
    byId('machine-result').replaceChildren(...(named.length ? resultTables(named) : []));
    byId('machine-share').hidden = !mine;
    byId('machine-alone').hidden = !other;
  }

  function compare() {
    alarm();
    const found = readRecord(byId('machine-json').value);
    if (!found) {
      alarm(`JSON: không đọc được. Cần nguyên văn những gì «python3 -m inference_lab measure --json» in ra (kind "${KIND}", version ${VERSION}).${other ? ' Bảng vẫn so với kết quả trước.' : ''}`);
      return;
    }
    other = found;
    show();
    byId('machine-copied').textContent = 'Đã đặt cạnh nhau trong bảng.';
    byId('machine-result').scrollIntoView();
  }

  function alone() {
    other = null;
    show();
    byId('machine-copied').textContent = 'Đã bỏ kết quả để so.';
    byId('machine-paste').firstElementChild.focus(); // the button is gone
  }

  async function copy(text, done) {
    const out = byId('machine-out');
    const copied = navigator.clipboard ? await navigator.clipboard.writeText(text).then(() => true, () => false) : false; // none outside https
    out.hidden = copied;
    out.value = copied ? '' : text;
    byId('machine-copied').textContent = copied ? done : 'Trình duyệt không cho chép. Bạn chép lấy từ ô dưới đây.';
    if (!copied) out.select();
  }

  /** What the address carries: a result to compare with, or a sentence that it cannot be read. */
  function readAddress() {
    const linked = readLink(location.hash);
    if (!linked) return;
    alarm();
    if (!linked.made) alarm('Liên kết mang một kết quả đo không đọc được. Hãy chép lại liên kết từ nơi gửi.');
    else {
      other = linked.made;
      if (!mine && !measuring) say('Bảng dưới đây là kết quả mà liên kết mang theo. Bấm Đo để có số của máy này.');
      show();
    }
    byId('machine').scrollIntoView();
  }

  byId('machine-start').addEventListener('click', () => measure(byId('machine-size').value || null));
  byId('machine-stop').addEventListener('click', stop);
  byId('machine-compare').addEventListener('click', compare);
  byId('machine-copy').addEventListener('click', () => copy(JSON.stringify(mine), 'Đã chép JSON.'));
  byId('machine-link').addEventListener('click', () => copy(location.href.split('#')[0] + linkOf(mine), 'Đã chép liên kết.'));

  byId('machine-alone').addEventListener('click', alone);
  addEventListener('hashchange', readAddress);
  document.addEventListener('visibilitychange', () => { if (measuring && document.hidden) measuring.hidden = true; });

  show();
  if (mine) say('Kết quả dưới đây là của lần đo trước trong trình duyệt này.');
  readAddress();
}

/** Everything that follows from one or two records: charts, tables, sentences. named: [[what the reader calls it, record]] */
function resultTables(named) {
  const number = (title) => ({ title, number: true });
  const head = (title) => ({ title, number: false });
  const spread = (digits, scale) => (one) => {
    if (!one) return '–';
    const [median, low, high] = [one.median, one.low, one.high].map((value) => write(value * scale, digits));
    return el('span', {}, `${median} `, el('span', { className: 'spread' }, `[${low}, ${high}]`));
  };
  const [rate, milliseconds] = [spread(2, 1e-9), spread(2, 1000)];
  const prompts = [...new Set(named.flatMap(([, made]) => made.result.prefill.map(({ tokens }) => tokens)))].sort((a, b) => a - b);
  const phase = (made, tokens) => (tokens === null ? made.result.decode : made.result.prefill.find((one) => one.tokens === tokens));
  const columns = (title) => [head(title), ...named.map(([name]) => number(name))];
  const row = (title, of) => [title, ...named.map(([, made]) => of(made))];
  const phases = [...prompts.map((tokens) => [tokens, `Prefill ${write(tokens)}`]), [null, 'Decode']];
  const share = (key) => (one) => (one ? percent(one[key]) : '–');
  const titled = (tokens, name) => `${name}: ${tokens === null ? 'TPOT' : 'TTFT'}`;
  const facts = [ // of a phase: a column for one machine, a table for two
    ['ms', (one) => milliseconds(one?.seconds), 'Giây thật: ms, trung vị [nhanh nhất, chậm nhất]'],
    ['Token/s', (one) => write(one?.tokens_per_s ?? null, 1)],
    ['% trần tính', share('compute_share'), 'Phần của trần tính toán'],
    ['% trần đọc', share('bandwidth_share'), 'Phần của trần đọc'],
  ];
  return [
    ...named.map(([name, made]) => el('div', { className: 'finding' }, el('h3', {}, name), el('ul', {}, ...findings(made).map((sentence) => el('li', {}, sentence))), chartOf(made))),
    table('Máy và decoder', [head('Mục'), ...named.map(([name]) => head(name))], [
      row('Nơi chạy', ({ where }) => `${where.place === 'browser' ? 'trình duyệt' : where.system}, Python ${where.python}, NumPy ${where.numpy}`),
      row('Decoder', ({ size, shape }) => `${Object.hasOwn(SIZE_NAMES, size) ? SIZE_NAMES[size] : size}: ${write(shape.layers)} lớp, rộng ${write(shape.width)}, ${write(shape.heads)} head`),
      row('Trọng số', ({ shape }) => `${write(shape.weight_bytes / 1e6, 1)} MB`),
      row('Bộ nhớ đệm cuối', ({ where }) => (where.last_cache_bytes ? `${write(where.last_cache_bytes / 1e6, 1)} MB` : 'không biết cỡ')),
    ]),
    table('Trần: trung vị [thấp nhất, cao nhất] của ít nhất 5 lượt', columns('Trần'), CEILINGS.map(([point, name, unit]) => row(`${name} (${unit})`, ({ points }) => rate(points[point])))),
    ...(named.length === 1
      ? [table('Từng pha: ms là giây thật, trung vị [nhanh nhất, chậm nhất]', [head('Pha'), ...facts.map(([title]) => number(title))],
        phases.map(([tokens, name]) => [titled(tokens, name), ...facts.map(([, of]) => of(phase(named[0][1], tokens)))]))]
      : facts.map(([title, of, caption = title]) => table(caption, columns('Pha'), phases.map(([tokens, name]) => row(titled(tokens, name), (made) => of(phase(made, tokens))))))),
    table('Kết luận', columns('Mục'), [
      row('Điểm cân bằng (FLOP/byte)', ({ result }) => write(result.balance_flop_per_byte, 2)),
      row('Prefill ÷ decode, đo được', ({ result }) => `${write(result.measured_ratio, 1)}×`),
      row('Prefill ÷ decode, hai trần dự đoán', ({ result }) => `${write(result.predicted_ratio, 1)}×`),
      row('Decode, nếu lấy phép chép làm trần', ({ result, points }) => (points.copy ? percent(result.decode.bytes / result.decode.seconds.median / points.copy.median) : '–')),
    ]),
    el('p', { className: 'small' }, 'Trần chép tính cả byte đọc lẫn byte ghi. Decode gần như chỉ đọc, nên phần của trần được tính theo phép đọc; dòng cuối cho thấy lấy phép chép thì sai bao nhiêu. FLOP và byte được đếm bằng tay từ cỡ của decoder, không phải bằng bộ đếm phần cứng.'),
  ];
}

/** A record's ceilings as a roof with its phases under it. */
function chartOf({ points, result }) {
  const ceilings = { compute_flop_s: points.matmul_float32.median, bandwidth_byte_s: points.read.median };
  const spots = [...result.prefill.map((one) => ['prefill', `đo ${write(one.tokens)}`, one]), ['decode', 'decode', result.decode]].map(([phase, title, { flops, intensity, seconds }]) =>
    ({ name: title, phase, intensity, flop_s: flops / seconds.median, measured: true }));
  const box = el('div', {});
  drawnIn(box, (width) => charts.roofline(ceilings, spots, width, { unit: charts.GIGA, title: 'Hai trần, prefill (tròn) và decode (vuông)', height: 300 }));
  return el('figure', {}, box);
}

/** What a record says, in sentences; figures that cannot be trusted first. */
function findings({ where, shape, points, result }) {
  const { decode, prefill, wrong_ceilings: wrong } = result;
  const waits = ({ intensity }) => (intensity < result.balance_flop_per_byte ? 'đợi đọc' : 'đợi tính');
  const unsteady = Object.entries(points).filter(([, { low, high }]) => high > UNSTEADY * low).map(([point]) => nameOf(point));
  const both = waits(decode) === 'đợi tính' ? ' Cả hai pha cùng đợi tính, nên chúng gần nhau.' : '';
  const megabytes = `${write(shape.weight_bytes / 1e6, 0)} MB trọng số`;
  return [
    ...(wrong.length ? ['Có pha vượt 100\u00a0% trần. Máy không chạy quá sức: trần đo được mới là con số sai. Có lẽ máy bận lúc đo trần, hoặc trọng số còn nằm, ít nhất một phần, trong bộ nhớ đệm.'] : []),
    ...(unsteady.length ? [`Không đều ở ${unsteady.join(', ')}: lượt chậm nhất lâu hơn ${UNSTEADY} lần lượt nhanh nhất. Có lẽ máy bận; hãy đo lại.`] : []),
    `Điểm cân bằng ${write(result.balance_flop_per_byte, 2)} FLOP/byte. Decode có ${write(decode.intensity, 1)}: ${waits(decode)}. Prefill ${write(prefill.at(-1).tokens)} token có ${write(prefill.at(-1).intensity, 1)}: ${waits(prefill.at(-1))}.${both}`,
    `Prefill ${write(prefill.at(-1).tokens)} token nhanh hơn decode ${write(result.measured_ratio, 1)} lần; hai trần dự đoán ${write(result.predicted_ratio, 1)}.`,
    ...(where.last_cache_bytes && where.last_cache_bytes >= shape.weight_bytes ? [`Bộ nhớ đệm cuối chứa được cả ${megabytes}, nên decode đọc từ đó chứ không từ bộ nhớ.`] : []),
    ...(where.last_cache_bytes ? [] : [`Không biết bộ nhớ đệm cuối lớn bao nhiêu. Nếu nó chứa được cả ${megabytes} thì decode đọc từ đó chứ không từ bộ nhớ.`]),
  ];
}
