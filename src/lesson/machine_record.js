// A finished measurement of a machine: whether a text or a record is one, and the link that carries it.
//
// In: what was stored, pasted or linked; nothing of it is believed. Out: a record of which every part that is shown is there, or null.
// The engine's package writes these records (py/inference_lab/machine_report.py), in the page and on the command line alike.
export const KIND = 'inference-lab/machine';
export const VERSION = 1;
export const LONGEST = 100_000; // characters that are read at all
const MARK = '#may='; // in an address; a server never sees what follows

/** point, name, unit: of the ceilings, in the order they are shown. */
export const CEILINGS = [
  ['matmul_float32', 'Nhân ma trận float32', 'GFLOP/s'],
  ['matmul_float64', 'Nhân ma trận float64', 'GFLOP/s'],
  ['read', 'Đọc bộ nhớ', 'GB/s'],
  ['write', 'Ghi bộ nhớ', 'GB/s'],
  ['copy', 'Chép bộ nhớ', 'GB/s'],
];

const isPoint = (name) => name === 'decode' || /^prefill \d{1,6}$/.test(name) || CEILINGS.some(([point]) => point === name);
const isAmount = (value) => Number.isFinite(value) && value >= 0;
const isName = (text) => typeof text === 'string' && text.length <= 80;
const isSpread = (spread) => ['median', 'low', 'high'].every((key) => isAmount(spread?.[key]));
const isCache = (bytes) => bytes === undefined || bytes === null || isAmount(bytes); // null where it is not known
const isPlotted = (value) => isAmount(value) && value >= 1e-12 && value <= 1e30; // what stands on a logarithmic axis
const isPhase = (phase) => Number.isInteger(phase?.tokens) && ['tokens', 'tokens_per_s', 'compute_share', 'bandwidth_share', 'bytes'].every((key) => isAmount(phase?.[key])) && isSpread(phase.seconds)
  && [phase.flops, phase.intensity, phase.seconds.median].every(isPlotted);

/** The record, or null. */
export function valid(made) {
  const { where, shape, points, result } = made ?? {};
  const good = made?.kind === KIND && made.version === VERSION && isName(made.size)
    && ['place', 'system', 'python', 'numpy'].every((key) => isName(where?.[key]))
    && ['layers', 'width', 'heads', 'weight_bytes'].every((key) => isAmount(shape?.[key]))
    && isCache(where.last_cache_bytes) && [points?.matmul_float32?.median, points?.read?.median].every(isPlotted) && Object.entries(points).every(([name, spread]) => isPoint(name) && isSpread(spread))
    && Array.isArray(result?.prefill) && result.prefill.length > 0 && result.prefill.length <= 16 && result.prefill.every(isPhase) && isPhase(result.decode)
    && ['balance_flop_per_byte', 'measured_ratio', 'predicted_ratio'].every((key) => isAmount(result[key])) && Array.isArray(result.wrong_ceilings);
  return good ? made : null;
}

/** From a text: the record, or null. */
export function readRecord(text) {
  if (text.length > LONGEST) return null;
  try {
    return valid(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The end of an address that carries a record. */
export function linkOf(made) {
  const bytes = new TextEncoder().encode(JSON.stringify(made, (_, value) => (typeof value === 'number' ? Number(value.toPrecision(6)) : value)));
  return MARK + btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

/** What an address's fragment carries: { made: record or null }, or null when it carries nothing of the kind. */
export function readLink(fragment) {
  if (!fragment.startsWith(MARK)) return null;
  const packed = fragment.slice(MARK.length);
  if (packed.length > LONGEST || !/^[\w-]*$/.test(packed) || packed.length % 4 === 1) return { made: null };
  const bytes = Uint8Array.from(atob(packed.replace(/-/g, '+').replace(/_/g, '/')), (sign) => sign.charCodeAt(0));
  return { made: readRecord(new TextDecoder().decode(bytes)) };
}
