// Numbers that a reader types: a value, or a sentence that names the field, what was typed and the allowed range.
//
// In: text and a field { label, min, max, whole, unit }. Out: { value } or { problem }. Nothing is clamped.

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;

export function readNumber(text, { label, min, max, whole = false, unit = '' }) {
  const range = `${whole ? 'số nguyên' : 'số'} từ ${write(min)} đến ${write(max)}${unit && ` ${unit}`}`;
  const typed = text.trim();
  if (typed === '') return { problem: `${label}: ô đang trống. Hãy nhập ${range}.` };
  if (/^[+-]?[\d.]*,\d*$/.test(typed)) return { problem: `${label}: «${shown(typed)}» có dấu phẩy. Hãy dùng dấu chấm thập phân, ${range}.` };
  if (!NUMBER.test(typed)) return { problem: `${label}: «${shown(typed)}» không phải một số. Hãy nhập ${range}.` };
  const value = Number(typed);
  if (whole && !Number.isInteger(value)) return { problem: `${label}: «${shown(typed)}» không phải số nguyên. Hãy nhập ${range}.` };
  if (!(value >= min && value <= max)) return { problem: `${label}: «${shown(typed)}» nằm ngoài khoảng. Hãy nhập ${range}.` };
  return { value };
}

const shown = (text) => (text.length > 24 ? `${text.slice(0, 24)}…` : text);

/** A number in the lesson's style: a point for decimals, a thin gap for thousands, no digits that nobody asked for. */
export function write(value, digits = null) {
  if (value === null || !Number.isFinite(value)) return '–';
  const text = digits === null ? String(value) : value.toFixed(digits);
  const [whole, rest] = text.split('.');
  const grouped = /e/.test(text) || whole.length <= 4 ? whole : whole.replace(/\B(?=(\d{3})+$)/g, '\u202f');
  return rest === undefined ? grouped : `${grouped}.${rest}`;
}

export const percent = (share, digits = 1) => `${write(100 * share, digits)} %`;
export const ms = (us) => `${write(us / 1000, 2)} ms`;
