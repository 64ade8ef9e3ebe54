// The lesson's tables recomputed from its own data: what follows from what was measured must follow here too.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { passes, quantities, throughput } from '../../src/lesson/clock.js';
import * as cost from '../../src/lesson/cost.js';
import { msOf, readNumber } from '../../src/lesson/fields.js';
import { isRight, questions } from '../../src/lesson/questions.js';

const { machines, workloads } = JSON.parse(await readFile(new URL('../../static/data/one_model_call.json', import.meta.url)));
const [gpu, cpu] = machines;

/** Equal as far as the published digits go. */
const near = (value, published, digits) => assert.equal(value.toFixed(digits), published.toFixed(digits));
/** Equal within a share: what was rounded twice before it was published. */
const close = (value, published, share) => assert.ok(Math.abs(value / published - 1) <= share, `${value} is not ${published}`);

test('64 times the prompt takes 32.5 times the TTFT, and TPOT stays between 17.19 and 17.79 ms', () => {
  const [first, last] = [gpu.rows[0], gpu.rows.at(-1)];
  assert.equal(last.prompt / first.prompt, 64);
  near(last.ttft_s / first.ttft_s, 32.5, 1);
  const tpot = gpu.rows.map((row) => row.tpot_p50_ms);
  assert.deepEqual([Math.min(...tpot), Math.max(...tpot)], [17.19, 17.79]);
});

test('each row: the prompt over its TTFT is its prefill rate, one over its TPOT its decode rate', () => {
  for (const { rows } of machines) {
    for (const row of rows) {
      close(row.prompt / row.ttft_s, row.prefill_tok_s, 0.0015); // TTFT has three digits at the least
      close(1000 / row.tpot_p50_ms, row.decode_tok_s, 0.002);
    }
  }
});

test('prefill against decode at 1024 tokens: 114 times on the GPU (against 57.8), 21.5 on the CPU', () => {
  near(cost.gap(gpu, 1024), 114, 0);
  near(cost.gap(cpu, 1024), 21.5, 1);
  near(cost.gap({ ...gpu, decode_tok_s: 58.2 }, 1024), 113, 0); // against the decode rate of its own row
});

test('balance points: 86.8 and 21.6 FLOP a byte; in bf16 that is as many tokens', () => {
  near(cost.balance(gpu.ceilings), 86.8, 1);
  near(cost.balance(cpu.ceilings), 21.6, 1);
  assert.equal(cost.balanceTokens(gpu.ceilings, 2), cost.balance(gpu.ceilings));
});

test('weights are parameters times their bytes', () => {
  for (const { parameters, bytes_per_parameter, weights_gb } of machines) close((parameters * bytes_per_parameter) / 1e9, weights_gb, 0.001); // the CPU's was published with two digits
});

test('the five measured points of the GPU: TFLOP/s, its share, GB/s, its share', () => {
  const published = [
    ['prefill', 64, 10.07, 36.5, 157.5, 49.5],
    ['prefill', 256, 18.08, 65.4, 70.7, 22.2],
    ['prefill', 1024, 20.38, 73.8, 19.9, 6.3],
    ['prefill', 4096, 19.82, 71.7, 4.8, 1.5],
    ['decode', 1, 0.178, 0.65, 178.5, 56.1],
  ];
  const computed = cost.phases(gpu);
  assert.equal(computed.length, published.length);
  published.forEach(([phase, tokens, tflop, computeShare, gb, bandwidthShare], i) => {
    const one = computed[i];
    assert.deepEqual([one.phase, one.tokens], [phase, tokens]);
    near(one.flop_s / 1e12, tflop, phase === 'decode' ? 3 : 2);
    near(one.compute_share * 100, computeShare, phase === 'decode' ? 2 : 1);
    near(one.byte_s / 1e9, gb, 1);
    near(one.bandwidth_share * 100, bandwidthShare, 1);
  });
});

test('64 tokens lean to bandwidth, 256 to computing, and decode by 87 times', () => {
  const [short, longer, , , decode] = cost.phases(gpu);
  assert.deepEqual([short, longer, decode].map(({ intensity }) => cost.bound(gpu.ceilings, intensity)), ['bandwidth', 'compute', 'bandwidth']);
  assert.ok(short.bandwidth_share > short.compute_share && longer.bandwidth_share < longer.compute_share);
  near(cost.balance(gpu.ceilings) / decode.intensity, 86.8, 1);
});

test('decode on the CPU reads 21.3 GB/s, more than the 16.0 that copying gave: the ceiling is wrong', () => {
  const decode = cost.phases(cpu).at(-1);
  near(decode.byte_s / 1e9, 21.3, 1);
  near(decode.bandwidth_share * 100, 133, 0);
});

test('double the compute does not type faster, double the bandwidth does', () => {
  const base = cost.passSeconds(gpu, gpu.ceilings, 1);
  assert.equal(cost.passSeconds(gpu, { ...gpu.ceilings, compute_flop_s: 2 * gpu.ceilings.compute_flop_s }, 1), base);
  assert.equal(cost.passSeconds(gpu, { ...gpu.ceilings, bandwidth_byte_s: 2 * gpu.ceilings.bandwidth_byte_s }, 1), base / 2);
});

test('the roofline bends at the balance point', () => {
  const knee = cost.balance(gpu.ceilings);
  close(cost.attainable(gpu.ceilings, knee / 2), gpu.ceilings.compute_flop_s / 2, 1e-9);
  assert.equal(cost.attainable(gpu.ceilings, knee * 2), gpu.ceilings.compute_flop_s);
  // two ceilings predict at most the balance point, in tokens, between the phases
  close(cost.predictedRatio(gpu, gpu.ceilings, 4096), knee, 1e-9);
});

test('E2E of the two workloads: 1.47 s, 44 % of it prefill; 13.6 s, 0.3 %', () => {
  const [longIn, longOut] = workloads.map(cost.endToEnd);
  near(longIn.e2e_s, 1.47, 2);
  near(longIn.prefill_share * 100, 43, 0);
  near(longOut.e2e_s, 13.6, 1);
  near(longOut.prefill_share * 100, 0.3, 1);
});

test('which knob pays: the prompt cannot save the second workload', () => {
  const [best, other] = cost.knobs(workloads[1]);
  assert.equal(best.knob, 'decode');
  near(other.saved_share * 100, 0.1, 1);
});

test('between two measured prompts, and not outside them', () => {
  assert.deepEqual(cost.between(gpu.rows, 256), { ttft_s: 0.0437, tpot_s: 0.01779 });
  near(cost.between(gpu.rows, 640).ttft_s, (0.0437 + 0.1551) / 2, 4);
  assert.equal(cost.between(gpu.rows, 32), null);
  assert.equal(cost.between(gpu.rows, 5000), null);
});

// ── The clocks of one request, from the lab's own run ──

const C = { id: 'C', ready_us: 1650, start_us: 16200, finish_us: 26400, token_times_us: [23000, 24200, 25300, 26400] };

test('C of the course: queue 14.55, TTFT 22.00, E2E 25.40 ms, and E2E = TTFT + 3 × TPOT', () => {
  const q = quantities(C, 1000);
  assert.deepEqual([q.n, q.queue_us, q.ttft_us, q.e2e_us, q.missing_us], [4, 14550, 22000, 25400, 0]);
  assert.equal(q.ttft_us + (q.n - 1) * q.tpot_us, q.e2e_us);
  assert.equal(q.sum_us, q.e2e_us);
});

test('figures that are added up hold as they are shown: 12.604 + 3.602 = 16.206 ms, where two decimals said 12.60 + 3.60 = 16.21', () => {
  const terms = [12604, 3602, 16206];
  assert.deepEqual(terms.map(msOf(...terms)), ['12.604\u00a0ms', '3.602\u00a0ms', '16.206\u00a0ms']);
  assert.deepEqual([22000, 25400].map(msOf(22000, 25400)), ['22.00\u00a0ms', '25.40\u00a0ms']);
});

test('a TTFT that starts at scheduling is 6.80 ms, and its sum lacks 15.20 ms of E2E', () => {
  const q = quantities(C, 1000, 'start');
  assert.deepEqual([q.ttft_us, q.missing_us, q.e2e_us - q.sum_us], [6800, 15200, 15200]);
});

test('one token has no TPOT', () => {
  const q = quantities({ ...C, token_times_us: [23000] }, 1000);
  assert.deepEqual([q.tpot_us, q.sum_us, q.e2e_us], [null, 22000, 22000]);
});

test('passes: two chunks of the prompt, then one token each', () => {
  const steps = [
    { start_us: 16200, end_us: 19500, tasks: [['B', 'decode', 1], ['C', 'prefill', 5]] },
    { start_us: 19500, end_us: 23000, tasks: [['C', 'prefill', 4]] },
    { start_us: 23000, end_us: 24200, tasks: [['C', 'decode', 1]] },
  ];
  assert.deepEqual(passes(steps, C), [
    { phase: 'prefill', tokens: 5, from: 16200, to: 19500, emits: null },
    { phase: 'prefill', tokens: 4, from: 19500, to: 23000, emits: 0 },
    { phase: 'decode', tokens: 1, from: 23000, to: 24200, emits: 1 },
  ]);
});

test('throughput counts from the first arrival to the last finish; nobody served has none', () => {
  assert.deepEqual(throughput([C, { ...C, id: 'A', finish_us: 10000 }], { A: 400, C: 1000 }), { tokens: 8, span_us: 26000, per_second: 8e6 / 26000 });
  assert.equal(throughput([], {}), null);
});

// ── What a reader types ──

const FIELD = { label: 'Prompt', min: 1, max: 100_000, whole: true, unit: 'token' };
for (const [typed, value] of [['12', 12], [' 7 ', 7], ['1e3', 1000], ['+5', 5], ['3.0', 3], ['00012', 12], ['4 096', 4096], ['100\u202f000', 100_000]]) {
  test(`«${typed}» is ${value}`, () => assert.deepEqual(readNumber(typed, FIELD), { value }));
}
const RANGE = 'cần số nguyên từ 1 đến 100\u202f000 token.';
const DECIMAL_POINT = 'Hãy dùng dấu chấm cho phần thập phân và không dùng dấu phẩy, ví dụ 0.5 hoặc 1000.';
const REFUSED = {
  '': 'Ô đang trống. Hãy nhập một số.', '-': 'Mới có dấu, chưa có chữ số. Hãy nhập đủ số.', 0: 'Hãy tăng giá trị.', '-3': 'Hãy tăng giá trị.', '−3': 'Hãy tăng giá trị.',
  '1e9': 'Hãy giảm giá trị.', '1e400': 'Hãy giảm giá trị.', '-1e400': 'Hãy tăng giá trị.', [`${'9'.repeat(399)}`]: 'Hãy giảm giá trị.', [`${'7'.repeat(200_000)}`]: 'Hãy giảm giá trị.',
  2.5: 'Hãy bỏ phần thập phân.', '5e-324': 'Hãy bỏ phần thập phân.', '0,5': DECIMAL_POINT, '1.000,5': DECIMAL_POINT, '1,000,000': DECIMAL_POINT,
  NaN: 'Đây không phải một số tính được. Hãy nhập một số cụ thể.', Infinity: 'Đây không phải một số tính được. Hãy nhập một số cụ thể.',
  '１２': 'Các chữ số này là chữ số toàn chiều rộng (full-width). Hãy gõ 12.', '1_000': 'Hãy bỏ dấu gạch dưới, gõ 1000.', '1 00': 'Hãy viết liền các chữ số.', '1.2.3': 'Đây không phải một số. Hãy chỉ gõ chữ số.',
  '١٢': 'Đây không phải một số. Hãy chỉ gõ chữ số.', '0x10': 'Đây không phải một số. Hãy chỉ gõ chữ số.', '<img onerror=1>': 'Đây không phải một số. Hãy chỉ gõ chữ số.', '.': 'Đây không phải một số. Hãy chỉ gõ chữ số.',
};
for (const [typed, trouble] of Object.entries(REFUSED)) {
  test(`«${typed.slice(0, 20)}» is refused: ${trouble}`, () => {
    const quoted = typed.slice(0, 400).replace('−', '-');
    const shown = quoted.length > 24 ? `${quoted.slice(0, 24)}…` : quoted;
    assert.deepEqual(readNumber(typed, FIELD), { problem: `Prompt${typed && ` = «${shown}»`}: ${RANGE} ${trouble}` });
  });
}

// ── The questions ──

test('ten questions; those with numbers have the published answers', () => {
  const all = questions({ machines, workloads });
  assert.equal(new Set(all.map(({ id }) => id)).size, 10);
  const answers = Object.fromEntries(all.map(({ id, fields }) => [id, fields.map(({ answer }) => Number(answer.toFixed(2)))]));
  assert.deepEqual(answers, {
    phases: [], ttft: [], intensity: [1], balance: [150, 150], short: [], e2e: [1.47, 13.62], double: [1, 0.5], p95: [], ceiling: [21.3, 133.15], ratio: [4.01, 5.3],
  });
  for (const { model } of all) assert.ok(model.length > 80);
});

test('an answer counts within two in a hundred', () => {
  const field = questions({ machines, workloads }).find(({ id }) => id === 'e2e').fields[0];
  assert.deepEqual([1.47, 1.5, 1.51, 1.4].map((value) => isRight(field, value)), [true, true, false, false]);
});
