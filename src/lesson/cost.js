// What one model call costs, to first order: work, traffic and time of prefill and decode.
//
// In: plain numbers in FLOP, bytes and seconds. Out: plain numbers. Knows nothing of the page.
// Counted are two FLOP for each parameter and token, and one reading of all weights for each pass; KV cache, activations and
// on-chip caches are left out. The roofline is Williams, Waterman and Patterson's (CACM 2009).

/** FLOP a byte of weights read, for a pass that brings `tokens` tokens forward: 2·P·tokens / (P·bytes). */
export const intensity = (tokens, bytesPerParameter) => (2 * tokens) / bytesPerParameter;

/** FLOP a byte at which a machine computes exactly as long as it reads. */
export const balance = ({ compute_flop_s, bandwidth_byte_s }) => compute_flop_s / bandwidth_byte_s;

/** Tokens in one pass from which computing decides. */
export const balanceTokens = (ceilings, bytesPerParameter) => (balance(ceilings) * bytesPerParameter) / 2;

/** FLOP/s that the roofline allows at an intensity. */
export const attainable = (ceilings, flopPerByte) => Math.min(ceilings.compute_flop_s, ceilings.bandwidth_byte_s * flopPerByte);

export const bound = (ceilings, flopPerByte) => (flopPerByte < balance(ceilings) ? 'bandwidth' : 'compute');

/** Seconds of a pass, both ceilings reached: the slower of computing and reading decides. */
export function passSeconds({ parameters, bytes_per_parameter }, ceilings, tokens) {
  const computing = (2 * parameters * tokens) / ceilings.compute_flop_s;
  const reading = (parameters * bytes_per_parameter) / ceilings.bandwidth_byte_s;
  return Math.max(computing, reading);
}

/** How fast the phases are next to one another when both reach their ceilings: prefill tokens/s over decode tokens/s. */
export const predictedRatio = (model, ceilings, prompt) =>
  (prompt * passSeconds(model, ceilings, 1)) / passSeconds(model, ceilings, prompt);

/** A measured phase against both ceilings. `tokens`: in one pass; a second sees `tokens_s` of them and `passes_s` passes. */
export function shares(machine, tokens, tokens_s, passes_s) {
  const flops = 2 * machine.parameters * tokens_s;
  const bytes = machine.parameters * machine.bytes_per_parameter * passes_s;
  const { compute_flop_s, bandwidth_byte_s } = machine.ceilings;
  return {
    intensity: intensity(tokens, machine.bytes_per_parameter),
    flop_s: flops,
    compute_share: flops / compute_flop_s,
    byte_s: bytes,
    bandwidth_share: bytes / bandwidth_byte_s,
  };
}

/** The measured phases of a machine, prefill by prompt and decode at batch 1, each with its shares. */
export function phases(machine) {
  const prefill = machine.rows.map(({ prompt, ttft_s, prefill_tok_s }) => ({ phase: 'prefill', tokens: prompt, ...shares(machine, prompt, prefill_tok_s, 1 / ttft_s) }));
  return [...prefill, { phase: 'decode', tokens: 1, ...shares(machine, 1, machine.decode_tok_s, machine.decode_tok_s) }];
}

/** How many times as fast as decode prefill is, measured at one prompt. */
export const gap = ({ rows, decode_tok_s }, prompt) => rows.find((row) => row.prompt === prompt).prefill_tok_s / decode_tok_s;

/** E2E of an answer of `answer` tokens: the first comes with TTFT, each further one takes a TPOT. */
export function endToEnd({ ttft_s, tpot_s, answer }) {
  const decode_s = (answer - 1) * tpot_s;
  const e2e_s = ttft_s + decode_s;
  return { e2e_s, prefill_s: ttft_s, decode_s, prefill_share: ttft_s / e2e_s };
}

/** What E2E becomes when the prompt's work is halved, and when every token's is: [{ knob, e2e_s, saved_share }], best first. */
export function knobs(workload) {
  const { e2e_s } = endToEnd(workload);
  const tried = [
    { knob: 'prefill', ...endToEnd({ ...workload, ttft_s: workload.ttft_s / 2 }) },
    { knob: 'decode', ...endToEnd({ ...workload, tpot_s: workload.tpot_s / 2 }) },
  ];
  return tried
    .map(({ knob, e2e_s: after }) => ({ knob, e2e_s: after, saved_share: 1 - after / e2e_s }))
    .sort((a, b) => b.saved_share - a.saved_share);
}

/** TTFT and TPOT for a prompt between two measured ones, on the straight line between them; null outside the measured range. */
export function between(rows, prompt) {
  const right = rows.findIndex((row) => row.prompt >= prompt);
  if (right === -1 || prompt < rows[0].prompt) return null;
  const [a, b] = [rows[Math.max(right - 1, 0)], rows[right]];
  const share = a === b ? 0 : (prompt - a.prompt) / (b.prompt - a.prompt);
  const on = (name) => a[name] + share * (b[name] - a[name]);
  return { ttft_s: on('ttft_s'), tpot_s: on('tpot_p50_ms') / 1000 };
}
