// Sections 3 to 5: the measured tables, the balance point, and where a workload's time goes. All figures follow from the data and from what
// the reader sets; `cost` computes them.
import * as charts from './charts.js';
import * as cost from './cost.js';
import { byId, drawnIn, el, fold, table } from './dom.js';
import { percent, write } from './fields.js';
import { createForm } from './form.js';

const number = (title) => ({ title, number: true });
const text = (title) => ({ title, number: false });

// ── 3. Measured ──

const LONG = 1024; // the prompt that both machines have

export function measuredSection({ machines }) {
  const [gpu, cpu] = machines;
  byId('measured-tables').replaceChildren(...machines.flatMap(measuredTable));
  drawnIn(byId('ttft-chart'), (width) => charts.againstPrompt(gpu.rows, { column: 'ttft_s', unit: 's', title: 'TTFT theo độ dài prompt, RTX 3060', phase: 'prefill', log: [0.01, 1] }, width));
  drawnIn(byId('tpot-chart'), (width) => charts.againstPrompt(gpu.rows, { column: 'tpot_p50_ms', unit: 'ms', title: 'TPOT p50 theo độ dài prompt, RTX 3060', phase: 'decode' }, width));
  const rates = machines.flatMap(({ name, rows, decode_tok_s }) => [
    { name, phase: 'prefill', per_second: rows.find(({ prompt }) => prompt === LONG).prefill_tok_s },
    { name, phase: 'decode', per_second: decode_tok_s },
  ]);
  drawnIn(byId('rates-chart'), (width) => charts.rates(rates, `Token mỗi giây của hai pha, prompt ${write(LONG)}`, width));
  const [first, last] = [gpu.rows[0], gpu.rows.at(-1)];
  const tpots = gpu.rows.map((row) => row.tpot_p50_ms);
  const gap = ({ rows, decode_tok_s }) => rows.find(({ prompt }) => prompt === LONG).prefill_tok_s / decode_tok_s;
  byId('measured-notes').replaceChildren(...[
    `Prompt dài gấp ${last.prompt / first.prompt} lần, TTFT chỉ gấp ${write(last.ttft_s / first.ttft_s, 1)} lần. Ở prompt ngắn, card chưa dùng hết sức.`,
    `TPOT gần như đứng yên: từ ${write(Math.min(...tpots), 2)} đến ${write(Math.max(...tpots), 2)} ms. Prompt dài làm khoảng lặng đầu dài ra, không làm chữ ra chậm đi. Đó là ở batch 1, trong dải này.`,
    `Ở prompt ${write(LONG)}, prefill nhanh hơn decode ${write(gap(gpu), 0)} lần trên GPU, ${write(gap(cpu), 1)} lần trên CPU. Tỉ lệ ấy không phải hằng số.`,
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

// ── 4. Balance ──

const TRIES = [
  ['Prompt 64', () => ({ prompt: 64 })],
  ['Tính toán × 2', ({ compute }) => ({ compute: 2 * compute })],
  ['Băng thông × 2', ({ bandwidth }) => ({ bandwidth: 2 * bandwidth })],
  ['Batch 128', () => ({ batch: 128 })],
];

export function balanceSection({ machines, cards, dtypes }) {
  const [gpu] = machines;
  let card = cards[0];
  const select = byId('card');
  select.replaceChildren(...cards.map(({ id, name }) => el('option', { value: id }, name)), el('option', { value: 'own' }, 'số của bạn'));
  const bytes = el('select', { id: 'dtype' }, ...dtypes.map(([name, size]) => el('option', { value: size, selected: name === 'bf16' }, `${name} (${size} byte)`)));

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
  byId('roof-form').append(el('div', { className: 'field' }, el('label', { htmlFor: 'dtype' }, 'Kiểu số của trọng số'), bytes));
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
    const own = machines.find(({ id }) => id === chosen.machine);
    if (own) bytes.value = own.bytes_per_parameter; // what was measured there was measured with its type of number
    form.set({ compute: chosen.compute_flop_s / 1e12, bandwidth: chosen.bandwidth_byte_s / 1e9 });
  }

  function pick(chosen) {
    card = chosen;
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
    const machine = card && machines.find(({ id, bytes_per_parameter: own }) => id === card.machine && own === size);
    const measured = machine ? cost.phases(machine).map((one) => ({ ...one, name: one.phase === 'decode' ? 'decode đo được' : `đo ${write(one.tokens)}`, measured: true })) : [];
    shown = { ceilings, points: [...measured, ...chosen] };
    redraw();
    byId('roof-says').replaceChildren(...says(ceilings, model, prompt, batch).map((sentence) => el('li', {}, sentence)));
    byId('roof-table').replaceChildren(fold('Bảng số: các chấm trên biểu đồ', table('Các chấm của roofline', [text('Chấm'), text('Loại'), number('FLOP/byte'), number('TFLOP/s'), number('Trần cho phép')],
      shown.points.map(({ name, measured: isMeasured, intensity, flop_s }) => [name, isMeasured ? 'đo được' : 'trần cho phép', write(intensity, 1), write(flop_s / 1e12, 3), write(cost.attainable(ceilings, intensity) / 1e12, 3)]))));
  }

  byId('shares-table').replaceChildren(...machines.map(sharesTable));
  byId('shares-notes').replaceChildren(...sharesNotes(gpu).map((sentence) => el('li', {}, sentence)));
  pick(card);
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
    `Prefill ${write(prompt)} token: ${write(prefill, 1)} FLOP/byte, ${names[cost.bound(ceilings, prefill)]}. Decode batch ${write(batch)}: ${write(decode, 1)} FLOP/byte, ${names[cost.bound(ceilings, decode)]}.`,
    `Với mô hình ${write(model.parameters / 1e9, 2)} tỉ tham số, mỗi chuỗi decode nhanh nhất ${write(1 / step, 1)} token/s.`,
    `Tính toán nhanh gấp đôi: mỗi bước decode còn ${decodeOn({ compute_flop_s: 2 * ceilings.compute_flop_s })} thời gian. Băng thông gấp đôi: còn ${decodeOn({ bandwidth_byte_s: 2 * ceilings.bandwidth_byte_s })}.`,
    `Hai trần dự đoán: prefill ${write(prompt)} token nhanh hơn decode batch 1 ${write(cost.predictedRatio(model, ceilings, prompt), 1)} lần.`,
  ];
}

function sharesTable(machine) {
  const rows = cost.phases(machine).map((p) => [
    p.phase === 'decode' ? 'decode, batch 1' : `prefill ${p.tokens} token`, write(p.intensity, 1), write(p.flop_s / 1e12, 3), percent(p.compute_share, 2), write(p.byte_s / 1e9, 1), percent(p.bandwidth_share)]);
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
  let rows = [...workloads, own];
  const redraw = drawnIn(byId('work-chart'), (width) => charts.split(rows.flatMap((work) => {
    const { prefill_s, decode_s, prefill_share } = cost.endToEnd(work);
    return [{ name: work.name, phase: 'prefill', seconds: prefill_s, share: prefill_share }, { name: work.name, phase: 'decode', seconds: decode_s, share: 1 - prefill_share }];
  }), width));

  const form = createForm(byId('work-form'), [
    { name: 'prompt', label: 'Prompt', unit: 'token', min: gpu.rows[0].prompt, max: gpu.rows.at(-1).prompt, value: own.prompt, whole: true, slider: [6, 12, 0.05], log: true },
    { name: 'answer', label: 'Trả lời', unit: 'token', min: 1, max: 100_000, value: own.answer, whole: true, slider: [0, 11, 0.05], log: true },
  ], ({ prompt, answer }) => {
    rows = [...workloads, { ...own, ...cost.between(gpu.rows, prompt), prompt, answer }];
    update();
  });

  function update() {
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
  update(form.values());
}

/** Which phase to work on; both, when the lesser one saves a third of what the other does. */
function worth({ prefill, decode }) {
  const [less, more] = prefill < decode ? [prefill, 'decode'] : [decode, 'prefill'];
  return less * 3 > Math.max(prefill, decode) ? 'cả hai pha' : more;
}
