// Section 8: measure this machine, one point after another, so that there is progress and a stop between any two; keep, compare, share.
//
// The engine's package measures (inference_lab.machine); this shows it. A result from the command line can be pasted beside it.
import { byId, el, table } from './dom.js';
import { percent, write } from './fields.js';
import { CEILINGS, KIND, linkOf, readLink, readRecord, valid, VERSION } from './machine_record.js';
import { createStore } from './store.js';

const SIZE_NAMES = { tiny: 'rất nhỏ', small: 'nhỏ', medium: 'vừa', large: 'lớn' };
const FIRST = ['matmul_float32', 'read']; // they say how long each size takes
const nameOf = (point) => CEILINGS.find(([id]) => id === point)?.[1].toLowerCase() ?? point;
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
    const run = { size, from: whole ? null : performance.now() }; // from: the clock of the minute that nobody has been asked about
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
    asker.stop();
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
  }

  async function copy(text, done) {
    const copied = byId('machine-copied');
    copied.textContent = await navigator.clipboard.writeText(text).then(() => done, () => {
      byId('machine-paste').open = true;
      byId('machine-json').value = text;
      return 'Trình duyệt không cho chép. Bạn chép lấy từ ô dưới đây.';
    });
  }

  byId('machine-start').addEventListener('click', () => measure(byId('machine-size').value || null));
  byId('machine-stop').addEventListener('click', stop);
  byId('machine-compare').addEventListener('click', compare);
  byId('machine-copy').addEventListener('click', () => copy(JSON.stringify(mine), 'Đã chép JSON.'));
  byId('machine-link').addEventListener('click', () => copy(location.href.split('#')[0] + linkOf(mine), 'Đã chép liên kết.'));

  const linked = readLink(location.hash);
  other = linked?.made ?? null;
  show();
  if (mine) say('Kết quả dưới đây là của lần đo trước trong trình duyệt này.');
  if (linked) {
    if (!other) alarm('Liên kết mang một kết quả đo không đọc được. Hãy chép lại liên kết từ nơi gửi.');
    else if (!mine) say('Bảng dưới đây là kết quả mà liên kết mang theo. Bấm Đo để có số của máy này.');
    byId('machine').scrollIntoView();
  }
}

function resultTables(named) {
  const number = (title) => ({ title, number: true });
  const head = (title) => ({ title, number: false });
  const spread = (digits, scale) => (one) => (one ? `${write(one.median * scale, digits)} [${write(one.low * scale, digits)}, ${write(one.high * scale, digits)}]` : '–');
  const [rate, milliseconds] = [spread(2, 1e-9), spread(2, 1000)];
  const prompts = [...new Set(named.flatMap(([, made]) => made.result.prefill.map(({ tokens }) => tokens)))].sort((a, b) => a - b);
  const phase = (made, tokens) => (tokens === null ? made.result.decode : made.result.prefill.find((one) => one.tokens === tokens));
  const columns = (title) => [head(title), ...named.map(([name]) => number(name))];
  const row = (title, of) => [title, ...named.map(([, made]) => of(made))];
  const phases = [...prompts.map((tokens) => [tokens, `Prefill ${write(tokens)}`]), [null, 'Decode']];
  const wrong = named.filter(([, made]) => made.result.wrong_ceilings.length > 0).map(([name]) => name);
  const share = (key) => (one) => (one ? percent(one[key]) : '–');
  return [
    table('Máy và decoder', [head('Mục'), ...named.map(([name]) => head(name))], [
      row('Nơi chạy', ({ where }) => `${where.place === 'browser' ? 'trình duyệt' : where.system}, Python ${where.python}, NumPy ${where.numpy}`),
      row('Decoder', ({ size, shape }) => `${SIZE_NAMES[size] ?? size}: ${write(shape.layers)} lớp, rộng ${write(shape.width)}, ${write(shape.heads)} head, ${write(shape.weight_bytes / 1e6, 1)} MB trọng số`),
    ]),
    table('Trần: trung vị [thấp nhất, cao nhất] của ít nhất 5 lượt', columns('Trần'), CEILINGS.map(([point, name, unit]) => row(`${name} (${unit})`, ({ points }) => rate(points[point])))),
    table('Giây thật: ms, trung vị [nhanh nhất, chậm nhất]', columns('Thời gian'), phases.map(([tokens, name]) => row(`${name}: ${tokens === null ? 'TPOT' : 'TTFT'}`, (made) => milliseconds(phase(made, tokens)?.seconds)))),
    table('Token mỗi giây', columns('Pha'), phases.map(([tokens, name]) => row(name, (made) => write(phase(made, tokens)?.tokens_per_s ?? null, 1)))),
    table('Phần của trần tính toán', columns('Pha'), phases.map(([tokens, name]) => row(name, (made) => share('compute_share')(phase(made, tokens))))),
    table('Phần của trần đọc', columns('Pha'), phases.map(([tokens, name]) => row(name, (made) => share('bandwidth_share')(phase(made, tokens))))),
    table('Kết luận', columns('Mục'), [
      row('Điểm cân bằng (FLOP/byte)', ({ result }) => write(result.balance_flop_per_byte, 2)),
      row('Prefill nhanh hơn decode, đo được (lần)', ({ result }) => write(result.measured_ratio, 1)),
      row('Prefill nhanh hơn decode, hai trần dự đoán (lần)', ({ result }) => write(result.predicted_ratio, 1)),
    ]),
    ...(wrong.length ? [el('p', { className: 'notice' }, `${wrong.join(', ')}: có pha vượt 100 % trần. Máy không chạy quá sức. Trần đo được mới là con số sai, ví dụ vì máy bận lúc đo trần.`)] : []),
    el('p', { className: 'small' }, 'Trần chép tính cả byte đọc lẫn byte ghi. Decode gần như chỉ đọc, nên phần của trần được tính theo phép đọc. FLOP và byte được đếm bằng tay từ cỡ của decoder, không phải bằng bộ đếm phần cứng.'),
  ];
}
