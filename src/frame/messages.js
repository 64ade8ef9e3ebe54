// What goes between the lab in a frame and the page around it: plain objects { lab, v, type, detail }, and their shapes.
// Pure: data in, data out. Whoever sent it has been checked by host.js.

export const NAME = 'inference-lab';
export const VERSION = 1;

const MOST_NAMES = 50; // more than there are constants: of more names one is unknown, and all are refused
const LONGEST_TEXT = 400;
const LONGEST_LIST = 200;

export const message = (type, detail = {}) => ({ lab: NAME, v: VERSION, type, detail });

/** -> { type, detail } of a command that is one, else null: a stranger's message is no business of ours. */
export function readCommand(data) {
  if (!isPlain(data) || data.lab !== NAME || data.v !== VERSION || typeof data.type !== 'string' || !Object.hasOwn(COMMANDS, data.type)) return null;
  const detail = COMMANDS[data.type](data.detail ?? {});
  return detail && { type: data.type, detail };
}

/** Of two sets that wait, one: what came later holds. */
export const together = (before, after) => ({ ...before, ...after, constants: [...new Map([...before.constants, ...after.constants])].slice(0, MOST_NAMES) });

/** Each command's detail as the view takes it, or null. */
const COMMANDS = {
  hello: () => ({}),
  run: () => ({}),
  open: (detail) => (isPlain(detail) && Number.isInteger(detail.block) ? { block: detail.block } : null),
  set: (detail) => {
    if (!isPlain(detail) || !isPlain(detail.constants)) return null;
    const pairs = Object.entries(detail.constants).slice(0, MOST_NAMES);
    const constants = pairs.map(([name, value]) => [name.slice(0, LONGEST_TEXT), asTyped(value)]);
    return Number.isInteger(detail.number) ? { constants, number: detail.number } : { constants };
  },
};

/** A value as the fields hold it: text, a list of texts, or a list of requests { cell: text }; null, which the view refuses by name, for anything else. */
function asTyped(value) {
  if (typeof value === 'number' || typeof value === 'string') return String(value).slice(0, LONGEST_TEXT);
  if (!Array.isArray(value) || value.length > LONGEST_LIST) return null;
  if (value.every((one) => typeof one === 'string')) return value.map((one) => one.slice(0, LONGEST_TEXT));
  if (!value.every(isPlain)) return null;
  const rows = value.map((row) => Object.entries(row).slice(0, MOST_NAMES));
  if (!rows.flat().every(([, cell]) => typeof cell === 'number' || typeof cell === 'string')) return null;
  return rows.map((row) => Object.fromEntries(row.map(([name, cell]) => [name, String(cell).slice(0, LONGEST_TEXT)])));
}

const isPlain = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
