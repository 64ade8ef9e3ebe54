// Numbers that a reader types: a value, or a sentence that names the field, what was typed, the allowed range and what to do.
//
// In: text and a field { label, min, max, whole, unit }. Out: { value } or { problem }. Nothing is clamped, and nothing guessed between two
// meanings. Reads what the lab's own fields read (static/view/reading.py), and numbers with an exponent besides.

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;
const GROUPS = /^[+-]?\d{1,3}([\s\u00a0\u202f\u2009]\d{3})+$/; // 4 096, as the page itself writes large numbers
const FULL_WIDTH = /[\uff0b-\uff19]/g;
const LONGEST = 400; // characters that are looked at
const QUOTED = 24;

export function readNumber(text, { label, min, max, whole = false, unit = '' }) {
  const typed = text.slice(0, LONGEST).trim().replace(/^[\u2212\u2013]/, '-');
  const bare = GROUPS.test(typed) ? typed.replace(/\s/g, '') : typed;
  const problem = (trouble) => ({ problem: `${label}${typed && ` = «${shown(typed)}»`}: cần ${whole ? 'số nguyên' : 'số'} từ ${write(min)} đến ${write(max)}${unit && ` ${unit}`}. ${trouble}` });
  if (bare === '') return problem('Ô đang trống. Hãy nhập một số.');
  if (!NUMBER.test(bare)) return problem(advice(bare));
  const value = Number(bare);
  if (whole && Number.isFinite(value) && !Number.isInteger(value)) return problem('Hãy bỏ phần thập phân.');
  if (value > max) return problem('Hãy giảm giá trị.');
  if (value < min) return problem('Hãy tăng giá trị.');
  return { value };
}

/** Why a text is no number, as the lab's fields say it. */
function advice(bare) {
  const plain = bare.replace(FULL_WIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0));
  if (plain !== bare && NUMBER.test(plain)) return `Các chữ số này là chữ số toàn chiều rộng (full-width). Hãy gõ ${shown(plain)}.`;
  if (/^[+-]?(nan|inf|infinity|∞)$/i.test(bare)) return 'Đây không phải một số tính được. Hãy nhập một số cụ thể.';
  if (/^[+-]$/.test(bare)) return 'Mới có dấu, chưa có chữ số. Hãy nhập đủ số.';
  if (/^[+-]?[\d.,]*,[\d.,]*$/.test(bare)) return 'Hãy dùng dấu chấm cho phần thập phân và không dùng dấu phẩy, ví dụ 0.5 hoặc 1000.';
  if (/^[+-]?\d+(_\d+)+$/.test(bare)) return `Hãy bỏ dấu gạch dưới, gõ ${shown(bare.replaceAll('_', ''))}.`;
  if (/^[+-]?[\d.]+(\s+[\d.]+)+$/.test(bare)) return 'Hãy viết liền các chữ số.';
  return 'Đây không phải một số. Hãy chỉ gõ chữ số.';
}

const shown = (text) => (text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text);

/** A number in the lesson's style: a point for decimals, a thin gap for thousands, no digits that nobody asked for. */
export function write(value, digits = null) {
  if (value === null || !Number.isFinite(value)) return '–';
  const text = digits === null ? String(value) : value.toFixed(digits);
  const [whole, rest] = text.split('.');
  const grouped = /e/.test(text) || whole.length <= 4 ? whole : whole.replace(/\B(?=(\d{3})+$)/g, '\u202f');
  return rest === undefined ? grouped : `${grouped}.${rest}`;
}

/** A unit keeps to its number: no line breaks between them. */
export const percent = (share, digits = 1) => `${write(100 * share, digits)}\u00a0%`;
export const ms = (us, digits = 2) => `${write(us / 1000, digits)}\u00a0ms`;

/** `ms` for figures that are added up: all with three decimals where two would round one of these whole µs. */
export const msOf = (...terms) => (us) => ms(us, terms.some((term) => term % 10) ? 3 : 2);
