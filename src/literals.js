// Python literals: from a node of Lezer's tree to a plain value, and from a plain value to Python source.
//
// In: a node and the text it stands in; or a JSON value. Out: a Literal, which keeps where each part stands, or null when
// the node is anything but a literal; or source. Knows nothing of constants or of the page.
//
// Literal: { kind, value, from, to } with kind 'number' | 'string' | 'name' | 'list' | 'tuple' | 'dict' | 'call'.
// The last four have items: [{ from, to, comma, literal }], with a key in 'dict' and 'call' (`dict(key=…)`);
// comma is where the comma behind the item stands, or -1.

const DEEPEST = 50;
const NAMED = { True: true, False: false, None: null };
const NUMBER = /^(?:0[xX](?:_?[\da-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|0(?:_?0)*|[1-9](?:_?\d)*)$/;
const FLOAT = /^(?:\d(?:_?\d)*\.(?:\d(?:_?\d)*)?|\.\d(?:_?\d)*|\d(?:_?\d)*(?=[eE]))(?:[eE][+-]?\d(?:_?\d)*)?$/;
const IDENTIFIER = /^[A-Za-z_]\w*$/;
const KEYWORDS = new Set((
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is '
  + 'lambda nonlocal not or pass raise return try while with yield'
).split(' '));

// From source

/** The node as a Literal; null when it is an expression that only Python can work out, or is not well formed. */
export function readLiteral(node, text, depth = 0) {
  if (depth > DEEPEST) return null;
  return READERS[node.name]?.(node, text, depth) ?? null;
}

/** Some items with commas and no bracket around them: a tuple. `nodes` are all nodes of it. */
export function readTuple(nodes, text) {
  const items = itemsOf(nodes, text, 0);
  return items && compound('tuple', nodes[0].from, nodes.at(-1).to, items);
}

const READERS = {
  Number: (node, text) => plain('number', numberOf(text.slice(node.from, node.to)), node),
  // Lezer's grammar takes `1.` and `1.e5` for an attribute of 1.
  MemberExpression: (node, text) => plain('number', numberOf(text.slice(node.from, node.to)), node),
  UnaryExpression: signed,
  String: (node, text) => plain('string', stringOf(text.slice(node.from, node.to)), node),
  ContinuedString(node, text) {
    const parts = childrenOf(node).map((part) => (part.name === 'String' ? stringOf(text.slice(part.from, part.to)) : undefined));
    return parts.includes(undefined) ? null : plain('string', parts.join(''), node);
  },
  Boolean: named,
  None: named,
  ParenthesizedExpression(node, text, depth) {
    const inner = childrenOf(node);
    return inner.length === 3 ? readLiteral(inner[1], text, depth + 1) : null;
  },
  ArrayExpression: (node, text, depth) => bracketed('list', node, text, depth),
  TupleExpression: (node, text, depth) => bracketed('tuple', node, text, depth),
  DictionaryExpression(node, text, depth) {
    const items = itemsOf(inside(node), text, depth, readEntry);
    return items && compound('dict', node.from, node.to, items);
  },
  CallExpression(node, text, depth) {
    const [callee, list] = childrenOf(node);
    if (callee.name !== 'VariableName' || text.slice(callee.from, callee.to) !== 'dict' || list?.name !== 'ArgList') return null;
    const items = itemsOf(inside(list), text, depth, readArgument);
    if (!items || new Set(items.map(({ key }) => key)).size < items.length) return null;
    return compound('call', node.from, node.to, items);
  },
};

const plain = (kind, value, { from, to }) => (value === undefined ? null : { kind, value, from, to });

function named(node, text) {
  return plain('name', NAMED[text.slice(node.from, node.to)], node);
}

function signed(node, text, depth) {
  const [sign, operand] = childrenOf(node);
  const inner = sign.name === 'ArithOp' && operand ? readLiteral(operand, text, depth + 1) : null;
  if (inner?.kind !== 'number') return null;
  return plain('number', text[sign.from] === '-' ? -inner.value : inner.value, node);
}

function bracketed(kind, node, text, depth) {
  const items = itemsOf(inside(node), text, depth);
  return items && compound(kind, node.from, node.to, items);
}

function compound(kind, from, to, items) {
  const value = kind === 'list' || kind === 'tuple'
    ? items.map(({ literal }) => literal.value)
    : Object.fromEntries(items.map(({ key, literal }) => [key, literal.value])); // makes "__proto__" a key like others
  return { kind, value, from, to, items };
}

/** The nodes between commas, each read by `read(nodes)`; null when one is no literal or a comma is where none may be. */
function itemsOf(nodes, text, depth, read = readElement) {
  const items = [];
  let group = [];
  const close = (comma) => {
    const item = group.length ? read(group, text, depth) : null;
    if (item) items.push({ ...item, from: group[0].from, to: group.at(-1).to, comma });
    group = [];
    return item;
  };
  for (const node of nodes) {
    if (node.name !== ',') group.push(node);
    else if (!close(node.from)) return null;
  }
  if (group.length && !close(-1)) return null;
  return items;
}

function readElement(group, text, depth) {
  const literal = group.length === 1 ? readLiteral(group[0], text, depth + 1) : null;
  return literal && { literal };
}

function readEntry(group, text, depth) {
  if (group.length !== 3 || group[1].name !== ':') return null;
  const [key, literal] = [group[0], group[2]].map((node) => readLiteral(node, text, depth + 1));
  return key?.kind === 'string' && literal ? { key: key.value, literal } : null;
}

function readArgument(group, text, depth) {
  if (group.length !== 3 || group[0].name !== 'VariableName' || group[1].name !== 'AssignOp') return null;
  const literal = readLiteral(group[2], text, depth + 1);
  return literal && { key: nameOf(group[0], text), literal };
}

/** Python takes names in their compatibility form: a full-width SLOTS is SLOTS. */
export const nameOf = (node, text) => text.slice(node.from, node.to).normalize('NFKC');

export function childrenOf(node) {
  const children = [];
  for (let child = node.firstChild; child; child = child.nextSibling) if (child.name !== 'Comment') children.push(child);
  return children;
}

/** What stands between the brackets; a missing bracket leaves an error node that is no literal. */
function inside(node) {
  const [, ...nodes] = childrenOf(node);
  if (CLOSING.has(nodes.at(-1)?.name)) nodes.pop();
  return nodes;
}

const CLOSING = new Set([']', ')', '}']);

/** A number that JSON can hold; undefined for the rest: 1j, 1e400, 012. */
function numberOf(source) {
  if (!NUMBER.test(source) && !FLOAT.test(source)) return undefined;
  const value = Number(source.replaceAll('_', ''));
  return Number.isFinite(value) ? value : undefined;
}

const ONE_LETTER = { '\\': '\\', "'": "'", '"': '"', a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', '\n': '' };
const ESCAPE = /\\(?:([0-7]{1,3})|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([\s\S]))/g;

/** The text that a string literal stands for; undefined for bytes, `\N{…}`, a broken escape or no closing quote. */
function stringOf(source) {
  const [, prefix, quote] = /^([A-Za-z]*)('''|"""|'|")/.exec(source);
  const start = prefix.length + quote.length;
  if (/[bf]/i.test(prefix) || source.length < start + quote.length || !source.endsWith(quote)) return undefined;
  const body = source.slice(start, -quote.length).replace(/\r\n?/g, '\n');
  if (/(?:^|[^\\])(?:\\\\)*\\$/.test(body) || (quote.length === 1 && /(?<!\\)(?:\\\\)*\n/.test(body))) return undefined;
  if (/r/i.test(prefix)) return body;
  let broken = false;
  const value = body.replace(ESCAPE, (whole, octal, x, u, U, letter) => {
    if (octal) return String.fromCodePoint(parseInt(octal, 8));
    const hex = x ?? u ?? U;
    if (hex) {
      const code = parseInt(hex, 16);
      broken ||= code > 0x10ffff;
      return code > 0x10ffff ? '' : String.fromCodePoint(code);
    }
    broken ||= 'xuUN'.includes(letter);
    return ONE_LETTER[letter] ?? whole;
  });
  return broken ? undefined : value;
}

// To source

/**
 * A JSON value as Python source on one line. `style`: { like, keys, braces }: a Literal whose spelling is kept where it
 * can be, the order of keys that come first, and whether a dict is {…} rather than dict(…).
 * Throws a TypeError for what JSON cannot hold.
 */
export function writeLiteral(value, style = {}) {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return writeNumber(value, style.like);
  if (typeof value === 'string') return writeString(value, style.like);
  if (Array.isArray(value)) return `[${value.map((one) => writeLiteral(one, unlike(style))).join(', ')}]`;
  if (!isDict(value)) throw new TypeError(`not a JSON value: ${Object.prototype.toString.call(value)}`);
  const keys = inOrder(Object.keys(value), style.keys ?? []);
  const asCall = !style.braces && keys.every((key) => IDENTIFIER.test(key) && !KEYWORDS.has(key));
  const items = keys.map((key) => writeItem(key, value[key], asCall, style));
  return asCall ? `dict(${items.join(', ')})` : `{${items.join(', ')}}`;
}

/** One entry of a dict, as `key=value` or `"key": value`. */
export function writeItem(key, value, asCall, style = {}) {
  return (asCall ? `${key}=` : `${writeString(key)}: `) + writeLiteral(value, unlike(style));
}

export const isKeyword = (name) => KEYWORDS.has(name);
export const isIdentifier = (name) => IDENTIFIER.test(name);

/** Whether a JSON value is an object with keys. */
export function isDict(value) {
  return typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value));
}

const unlike = ({ keys, braces }) => ({ keys, braces });

function inOrder(keys, first) {
  const known = first.filter((key) => keys.includes(key));
  return [...known, ...keys.filter((key) => !known.includes(key))];
}

/** Stays a float where a float stood, and keeps the underscores of one that had them. */
function writeNumber(value, like) {
  if (!Number.isFinite(value)) throw new TypeError(`not a JSON value: ${value}`);
  if (!Number.isInteger(value)) return String(value);
  const digits = Math.abs(value) < 1e21 ? String(value) : BigInt(value).toString();
  const source = like?.source ?? '';
  if (like?.kind === 'number' && FLOAT.test(source.replace(/^[+-]\s*/, ''))) return `${digits}.0`;
  return /^[+-]?\s*\d+(_\d+)+$/.test(source) ? digits.replace(/\B(?=(\d{3})+$)/g, '_') : digits;
}

const WRITTEN = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
// Control characters, marks that change the direction of the text around them, and lone surrogates are spelt out.
const UNPRINTABLE = /[\\\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** In the quotes of the literal that stood there, if it was a simple one; else in double quotes. */
function writeString(value, like) {
  const quote = like?.kind === 'string' && /^'(?!')[^\n]*'$/.test(like.source ?? '') ? "'" : '"';
  const body = value.replace(UNPRINTABLE, (one) => WRITTEN[one] ?? hex(one.charCodeAt(0))).replaceAll(quote, `\\${quote}`);
  return quote + body + quote;
}

const hex = (code) => (code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`);

/** Whether two JSON values are the same; the order of keys does not count. */
export function same(one, other) {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other || Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => Object.hasOwn(other, key) && same(one[key], other[key]));
}
