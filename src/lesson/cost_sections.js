// Sections 3 to 5: the measured tables, the balance point, and where a workload's time goes. All figures follow from the data and from what
// the reader sets; `cost` computes them.
import * as charts from './charts.js';
import * as cost from './cost.js';
import { byId, drawnIn, el, fold, foldIn, table } from './dom.js';
import { percent, write } from './fields.js';
import { createForm } from './form.js';
import { createStore } from './store.js';

const number = (title) => ({ title, number: true });
const text = (title) => ({ title, number: false });

// ── 3. Measured ──

const LONG = 1024; // the prompt that both machines have

export function measuredSection({ machines }) {
  const [gpu, cpu] = machines;
  byId('measured-tables').replaceChildren(...machines.flatMap(measuredTable));
  byId('both-table').replaceChildren(bothTable(gpu, cpu));
  drawnIn(byId('ttft-chart'), (width) => charts.againstPrompt(gpu.rows, { columns: [['ttft_s', '']], unit: 's', title: 'TTFT theo độ dài prompt, RTX 3060', phase: 'prefill', log: [0.01, 1] }, width));
  drawnIn(byId('tpot-chart'), (width) => charts.againstPrompt(gpu.rows, { columns: [['tpot_p50_ms', 'p50'], ['tpot_p95_ms', 'p95']], unit: 'ms', title: 'TPOT theo độ dài prompt, RTX 3060', phase: 'decode' }, width));
  const rates = machines.flatMap(({ name, rows, decode_tok_s }) => [
    { name, phase: 'prefill', per_second: rows.find(({ prompt }) => prompt === LONG).prefill_tok_s },
    { name, phase: 'decode', per_second: decode_tok_s },
  ]);
  drawnIn(byId('rates-chart'), (width) => charts.rates(rates, `Token mỗi giây của hai pha, prompt ${write(LONG)}`, width));
  const [first, last] = [gpu.rows[0], gpu.rows.at(-1)];
  const tpots = gpu.rows.map((row) => row.tpot_p50_ms);
  const ofLong = gpu.rows.find(({ prompt }) => prompt === LONG).decode_tok_s;
  byId('measured-notes').replaceChildren(...[
    `Prompt dài gấp ${last.prompt / first.prompt} lần, TTFT chỉ gấp ${write(last.ttft_s / first.ttft_s, 1)} lần. Ở prompt ngắn, card chưa dùng hết sức.`,
    `TPOT gần như đứng yên: từ ${write(Math.min(...tpots), 2)} đến ${write(Math.max(...tpots), 2)} ms. Prompt dài làm khoảng lặng đầu dài ra, không làm chữ ra chậm đi. Đó là ở batch 1, trong dải này.`,
    `Ở prompt ${write(LONG)}, prefill nhanh hơn decode ${write(cost.gap(gpu, LONG), 0)} lần trên GPU, ${write(cost.gap(cpu, LONG), 1)} lần trên CPU. Tỉ lệ ấy không phải hằng số.`,
    `Tỉ lệ ấy của GPU tính với ${write(gpu.decode_tok_s)} token/s của decode, con số chung cho cả bảng. Với ${write(ofLong)} của đúng dòng ${write(LONG)} thì là ${write(cost.gap({ ...gpu, decode_tok_s: ofLong }, LONG), 0)}.`,
    `TPOT p95 gần gấp đôi p50: ${write(first.tpot_p95_ms, 2)} so với ${write(first.tpot_p50_ms, 2)} ms ở prompt 64. Bảng không tách được vì sao.`,
  ].map((sentence) => el('li', {}, sentence)));
}

function measuredTable(machine) {
  const { name, dtype, ceilings, conditions } = machine;
  const rows = machine.rows.map((row) => [write(row.prompt), write(row.ttft_s, row.ttft_s < 1 ? 4 : 3), write(row.tpot_p50_ms, row.tpot_p95_ms === null ? 1 : 2), write(row.tpot_p95_ms, 2),
    write(row.prefill_tok_s), write(row.decode_tok_s), write(row.vram_gb, 2)]);
  const all = [...conditions, ['Hai trần, đo trên chính máy ấy', `${charts.flops(ceilings.compute_flop_s)}, ${write(ceilings.bandwidth_byte_s / 1e9, 1)} GB/s (${ceilings.how})`]];
  return [
    table(`${name}, ${dtype}`, [number('Prompt (token)'), number('TTFT (s)'), number('TPOT p50 (ms)'), number('TPOT p95 (ms)'), number('Prefill (token/s)'), number('Decode (token/s)'), number('VRAM đỉnh (GB)')], rows),
    fold(`Điều kiện đo: ${name}`, el('dl', { className: 'conditions' }, ...all.map(([term, value]) => el('div', {}, el('dt', {}, term), el('dd', {}, value))))),
  ];
}

/** What the two machines differ in, each row with how many times the GPU has of it. */
function bothTable(gpu, cpu) {
  const of = ({ rows }) => rows.find(({ prompt }) => prompt === LONG);
  const rows = [
    ['Trọng số (GB)', ({ weights_gb }) => weights_gb, [3, 2]],
    ['TTFT (s)', (one) => of(one).ttft_s, [3, 3]],
    ['TPOT p50 (ms)', (one) => of(one).tpot_p50_ms, [2, 1]],
    ['Prefill (token/s)', (one) => of(one).prefill_tok_s, [0, 1]],
    ['Decode (token/s)', ({ decode_tok_s }) => decode_tok_s, [1, 2]],
    ['Prefill ÷ decode', (one) => cost.gap(one, LONG), [0, 1]],
    ['Trần tính toán (GFLOP/s)', ({ ceilings }) => ceilings.compute_flop_s / 1e9, [0, 1]],
    ['Trần băng thông (GB/s)', ({ ceilings }) => ceilings.bandwidth_byte_s / 1e9, [1, 1]],
    ['Điểm cân bằng (FLOP/byte)', ({ ceilings }) => cost.balance(ceilings), [1, 1]],
  ];
  return table(`Hai máy cạnh nhau, prompt ${write(LONG)}`, [text('Đại lượng'), number(`${gpu.name}, ${gpu.dtype}`), number(`${cpu.name}, ${cpu.dtype}`), number('GPU ÷ CPU')],
    rows.map(([name, value, digits]) => [name, write(value(gpu), digits[0]), write(value(cpu), digits[1]), times(value(gpu) / value(cpu))]));
}

const times = (ratio) => `${write(ratio, ratio < 0.1 ? 3 : ratio < 1 ? 2 : 1)}×`;

// ── 4. Balance ──

const TRIES = [
  ['Prompt 64', () => ({ prompt: 64 })],
  ['Batch 128', () => ({ batch: 128 })],
  ['Tính toán × 2', ({ compute }) => ({ compute: 2 * compute })],
  ['Băng thông × 2', ({ bandwidth }) => ({ bandwidth: 2 * bandwidth })],
  ['Tính toán ÷ 2', ({ compute }) => ({ compute: compute / 2 })],
];
/** FLOP a byte: whole where it is whole. */
const density = (value) => write(value, Number.isInteger(value) ? 0 : 1);

export function balanceSection({ machines, cards, dtypes }) {
  const [gpu] = machines;
  let card = cards[0];
  let measured = gpu; // whose points stand on the chart: they stay when the reader moves its ceilings
  const select = byId('card');
  select.replaceChildren(...cards.map(({ id, name }) => el('option', { value: id }, name)), el('option', { value: 'own' }, 'số của bạn'));
  const store = createStore('balance');
  const kept = store.read();
  const bytes = el('select', { id: 'dtype', autocomplete: 'off' }, ...dtypes.map(([name, size]) => el('option', { value: size, selected: name === 'bf16' }, `${name} (${size} byte)`)));

  const fillTable = foldIn(byId('roof-table'), 'Bảng số: các chấm trên biểu đồ');
  let shown = null;
  const redraw = drawnIn(byId('roofline'), (width) => charts.roofline(shown.ceilings, shown.points, width));
  const form = createForm(byId('roof-form'), [
    { name: 'compute', label: 'Trần tính toán', unit: 'TFLOP/s', min: 0.001, max: 100_000, value: card.compute_flop_s / 1e12, slider: [-6, 12, 0.05], log: true },
    { name: 'bandwidth', label: 'Trần băng thông', unit: 'GB/s', min: 0.1, max: 1_000_000, value: card.bandwidth_byte_s / 1e9, slider: [0, 14, 0.05], log: true },
    { name: 'prompt', label: 'Prompt', unit: 'token', min: 1, max: 1_000_000, value: LONG, whole: true, slider: [0, 14, 0.1], log: true },
    { name: 'batch', label: 'Batch của decode', unit: 'chuỗi', min: 1, max: 4096, value: 1, whole: true, slider: [0, 9, 0.1], log: true },
  ], (values) => {
    if (card && (values.compute !== card.compute_flop_s / 1e12 || values.bandwidth !== card.bandwidth_byte_s / 1e9)) pick(null);
    update(values);
  });
  byId('roof-form').append(el('div', { className: 'field' }, el('label', { htmlFor: 'dtype' }, 'Kiểu số của trọng số'), bytes,
    el('p', { className: 'small' }, 'Đổi số byte phải đọc. Trần tính toán thì giữ nguyên: số công bố của các card là cho bf16.')));
  bytes.addEventListener('change', () => update(form.values()));
  select.addEventListener('change', () => choose(cards.find(({ id }) => id === select.value) ?? null));
  byId('roof-tries').append(...TRIES.map(([name, change]) => {
    const button = el('button', { type: 'button' }, name);
    button.addEventListener('click', () => form.set(change(form.values())));
    return button;
  }));
  const start = el('button', { type: 'button' }, 'Về số đã đo');
  start.addEventListener('click', () => {
    bytes.value = gpu.bytes_per_parameter;
    pick(cards[0]);
    form.set({ compute: card.compute_flop_s / 1e12, bandwidth: card.bandwidth_byte_s / 1e9, prompt: LONG, batch: 1 });
  });
  byId('roof-tries').append(start);

  function choose(chosen) {
    pick(chosen);
    if (!chosen) return;
    if (measured) bytes.value = measured.bytes_per_parameter; // what was measured there was measured with its type of number
    form.set({ compute: chosen.compute_flop_s / 1e12, bandwidth: chosen.bandwidth_byte_s / 1e9 });
  }

  function pick(chosen) {
    card = chosen;
    if (card) measured = machines.find(({ id }) => id === card.machine) ?? null;
    select.value = chosen?.id ?? 'own';
    byId('card-source').replaceChildren(...(chosen ? ['Nguồn: ', el('a', { href: chosen.url }, chosen.source)] : []));
  }

  function update({ compute, bandwidth, prompt, batch }) {
    const ceilings = { compute_flop_s: compute * 1e12, bandwidth_byte_s: bandwidth * 1e9 };
    const size = Number(bytes.value);
    const model = { parameters: gpu.parameters, bytes_per_parameter: size };
    const chosen = [['prefill', prompt, `prefill ${write(prompt)}`], ['decode', batch, `decode, batch ${write(batch)}`]].map(([phase, tokens, name]) => {
      const intensity = cost.intensity(tokens, size);
      return { name, phase, intensity, flop_s: cost.attainable(ceilings, intensity), measured: false };
    });
    const points = measured ? cost.phases(measured).map((one) => ({ ...one, name: one.phase === 'decode' ? 'decode đo được' : `đo ${write(one.tokens)}`, measured: true })) : [];
    shown = { ceilings, points: [...points, ...chosen] };
    redraw();
    store.write({ compute, bandwidth, prompt, batch, bytes: size, measured: measured?.id ?? null });
    const sentences = [...says(ceilings, model, prompt, batch), ...saysWrong(ceilings, points), ...(measured ? [`Chấm đặc: đo trên ${measured.name}, ${measured.dtype}.`] : [])];
    byId('roof-says').replaceChildren(...sentences.map((sentence) => el('li', {}, sentence)));
    fillTable(table('Các chấm của roofline', [text('Chấm'), text('Loại'), number('FLOP/byte'), number('TFLOP/s'), number('Trần cho phép')],
      shown.points.map(({ name, measured: isMeasured, intensity, flop_s }) => [name, isMeasured ? 'đo được' : 'trần cho phép', density(intensity), write(flop_s / 1e12, 3), write(cost.attainable(ceilings, intensity) / 1e12, 3)])));
  }

  byId('decode-share').textContent = percent(cost.phases(gpu).at(-1).bandwidth_share);
  byId('shares-table').replaceChildren(...machines.map(sharesTable));
  byId('shares-notes').replaceChildren(...sharesNotes(gpu).map((sentence) => el('li', {}, sentence)));
  pick(card);
  if (form.restore(kept)) {
    if (dtypes.some(([, size]) => size === kept.bytes)) bytes.value = kept.bytes;
    const { compute, bandwidth } = form.values();
    pick(cards.find((one) => one.compute_flop_s / 1e12 === compute && one.bandwidth_byte_s / 1e9 === bandwidth) ?? null);
    if (!card) measured = machines.find(({ id }) => id === kept.measured) ?? null;
  }
  update(form.values());
}

/** What the table of the card says: where 64 tokens stand, where the longer ones, and decode. */
function sharesNotes(machine) {
  const all = cost.phases(machine);
  const [short, next] = all;
  const best = all.find(({ tokens }) => tokens === LONG);
  const decode = all.at(-1);
  return [
    `Prefill ${short.tokens} token ngắn hơn điểm cân bằng ${write(cost.balance(machine.ceilings), 1)}. Nó đạt ${percent(short.bandwidth_share)} trần băng thông nhưng chỉ ${percent(short.compute_share)} trần tính toán: nghiêng về băng thông. Từ ${next.tokens} token trở lên thì ngược lại.`,
    `Prefill ${write(LONG)} token: ${percent(best.compute_share)} trần tính toán, ${percent(best.bandwidth_share)} trần băng thông. Decode: ${percent(decode.compute_share, 2)} và ${percent(decode.bandwidth_share)}. Cùng mô hình, cùng card, ngược hẳn nhau.`,
  ];
}

function says(ceilings, model, prompt, batch) {
  const knee = cost.balance(ceilings);
  const tokens = cost.balanceTokens(ceilings, model.bytes_per_parameter);
  const [prefill, decode] = [prompt, batch].map((n) => cost.intensity(n, model.bytes_per_parameter));
  const names = { compute: 'đợi tính toán', bandwidth: 'đợi băng thông' };
  const step = cost.passSeconds(model, ceilings, batch);
  const decodeOn = (change) => percent(cost.passSeconds(model, { ...ceilings, ...change }, batch) / step, 0);
  return [
    `Điểm cân bằng: ${write(knee, 1)} FLOP/byte. Với kiểu số này là ${write(tokens, 1)} token mỗi pass.`,
    `Prefill ${write(prompt)} token: ${density(prefill)} FLOP/byte, ${names[cost.bound(ceilings, prefill)]}. Decode batch ${write(batch)}: ${density(decode)} FLOP/byte, ${names[cost.bound(ceilings, decode)]}.`,
    `Với mô hình ${write(model.parameters / 1e9, 2)} tỉ tham số, mỗi chuỗi decode nhanh nhất ${write(1 / step, 1)} token/s${batch > 1 ? `, cả batch ${write(batch / step, 0)}` : ''}.`,
    `Tính toán nhanh gấp đôi: mỗi bước decode còn ${decodeOn({ compute_flop_s: 2 * ceilings.compute_flop_s })} thời gian. Băng thông gấp đôi: còn ${decodeOn({ bandwidth_byte_s: 2 * ceilings.bandwidth_byte_s })}.`,
    `Hai trần dự đoán: prefill ${write(prompt)} token nhanh hơn decode batch 1 ${write(cost.predictedRatio(model, ceilings, prompt), 1)} lần.`,
  ];
}

/** More than the reader's ceilings allow was measured: then it is they that are wrong. */
function saysWrong(ceilings, points) {
  const over = points.map(({ name, intensity, flop_s }) => ({ name, share: flop_s / cost.attainable(ceilings, intensity) })).filter(({ share }) => share > 1);
  if (over.length === 0) return [];
  const most = over.reduce((a, b) => (b.share > a.share ? b : a));
  return [`Chấm «${most.name}» đạt ${percent(most.share, 0)} của trần${over.length > 1 ? ` (${over.length} chấm vượt trần)` : ''}. Vượt 100\u00a0% không phải máy chạy quá sức: trần ấy sai.`];
}

function sharesTable(machine) {
  const rows = cost.phases(machine).map((p) => [
    p.phase === 'decode' ? 'decode, batch 1' : `prefill ${p.tokens} token`, density(p.intensity), write(p.flop_s / 1e12, p.flop_s < 1e12 ? 3 : 2), percent(p.compute_share, p.compute_share < 0.01 ? 2 : 1),
    write(p.byte_s / 1e9, 1), percent(p.bandwidth_share)]);
  const made = table(`${machine.name}: từng pha so với hai trần, ước lượng bậc một`,
    [text('Pha'), number('FLOP/byte'), number('TFLOP/s'), number('% trần tính'), number('GB/s trọng số'), number('% trần băng thông')], rows);
  const over = cost.phases(machine).find(({ bandwidth_share: share }) => share > 1);
  if (over) {
    made.append(el('p', { className: 'notice' }, `Decode ở đây đạt ${percent(over.bandwidth_share, 0)} của «trần». Máy không chạy quá sức. Trần này đo bằng phép chép, mà chép thì vừa đọc vừa ghi; decode gần như chỉ đọc. Vượt 100 % luôn có nghĩa là trần đã đo sai.`));
  }
  return made;
}

// ── 5. What to improve ──

export function improveSection({ machines: [gpu], workloads }) {
  const own = { id: 'own', name: 'Của bạn', ...cost.between(gpu.rows, 1000), prompt: 1000, answer: 200 };
  const store = createStore('improve');
  let rows = [...workloads, own];
  const redraw = drawnIn(byId('work-chart'), (width) => charts.split(rows.flatMap((work) => {
    const { prefill_s, decode_s, prefill_share } = cost.endToEnd(work);
    return [{ name: work.name, phase: 'prefill', seconds: prefill_s, share: prefill_share }, { name: work.name, phase: 'decode', seconds: decode_s, share: 1 - prefill_share }];
  }), width));

  const form = createForm(byId('work-form'), [
    { name: 'prompt', label: 'Prompt', unit: 'token', min: gpu.rows[0].prompt, max: gpu.rows.at(-1).prompt, value: own.prompt, whole: true, slider: [6, 12, 0.05], log: true },
    { name: 'answer', label: 'Trả lời', unit: 'token', min: 1, max: 100_000, value: own.answer, whole: true, slider: [0, 11, 0.05], log: true },
  ], update);

  function update({ prompt, answer }) {
    rows = [...workloads, { ...own, ...cost.between(gpu.rows, prompt), prompt, answer }];
    store.write({ prompt, answer });
    redraw();
    byId('work-table').replaceChildren(
      table('E2E tách theo pha, RTX 3060', [text('Việc'), number('Prompt'), number('Trả lời'), number('TTFT (s)'), number('TPOT (ms)'), number('E2E (s)'), number('Phần prefill'), number('Nửa prefill'), number('Nửa decode'), text('Nên sửa')],
        rows.map((work) => {
          const { e2e_s, prefill_share } = cost.endToEnd(work);
          const saved = Object.fromEntries(cost.knobs(work).map(({ knob, saved_share }) => [knob, saved_share]));
          return [work.name, write(work.prompt), write(work.answer), write(work.ttft_s, 2), write(work.tpot_s * 1000, 1), write(e2e_s, e2e_s < 10 ? 2 : 1), percent(prefill_share),
            `−${percent(saved.prefill)}`, `−${percent(saved.decode)}`, worth(saved)];
        })),
      el('p', { className: 'small' }, '«Nửa prefill» và «nửa decode»: E2E bớt đi bao nhiêu khi pha ấy nhanh gấp đôi. Hai dòng đầu dùng TTFT và TPOT làm tròn; dòng «Của bạn» lấy TTFT và TPOT trên đoạn thẳng giữa hai prompt đã đo.'));
  }
  form.restore(store.read());
  update(form.values());
}

/** Which phase to work on; both, when the lesser one saves a third of what the other does. */
function worth({ prefill, decode }) {
  const [less, more] = prefill < decode ? [prefill, 'decode'] : [decode, 'prefill'];
  return less * 3 > Math.max(prefill, decode) ? 'cả hai pha' : more;
}
