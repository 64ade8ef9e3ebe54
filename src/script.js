// The constants in the text of a script: read from it, and written back into it. The script is never run for that.
//
// In: text, names of constants, JSON values. Out: values, or changes [{ from, to, insert }]: sorted, apart from each other,
// in the text's own offsets. A constant is what a top-level statement `NAME = literal` gives it; the last one counts.
// Knows nothing of the editor, of the page, or of what the constants mean, but for the keys of a request.
import { parser } from '@lezer/python';
import { childrenOf, isDict, isIdentifier, isKeyword, nameOf, readLiteral, readTuple, same, writeItem, writeLiteral } from './literals.js';

export const LONGEST_SCRIPT = 200_000; // characters; a longer one is left to Python
const DEEPEST_BRACKETS = 200; // as in CPython; Lezer's time grows with the square of it
const MOST_ERRORS = 20;
const MOST_ALIGNED = 4_000_000; // pairs of entries that are compared
const LONGEST_LINE = 100;
const INDENT = '    ';

const REQUESTS = 'REQUESTS';
const REQUEST_KEYS = ['id', 'arrival', 'text', 'max_new', 'temperature', 'top_k', 'top_p', 'seed'];
const REQUEST_DEFAULTS = { temperature: 0, top_k: 0, top_p: 1, seed: 0 };

/**
 * What the script says about these constants:
 * - values: { name: JSON value }
 * - computed: names whose value only Python can tell (an expression, several targets, a loop, a branch, `global`)
 * - missing: names that are not assigned
 * - repeated: [{ name, line }], assignments that a later one overrides
 * - errors: [{ line, message }], places that are not Python; values beside them are read all the same
 */
export function readConstants(text, names) {
  if (!readable(text)) return { values: {}, computed: [...names], missing: [], repeated: [], errors: [tooMuch(text)] };
  const { tree, bindings } = understand(text, names);
  const values = [];
  const [computed, missing, repeated] = [[], [], []];
  for (const name of names) {
    const { all, anywhere } = bindings.get(name);
    const last = all.at(-1);
    if (!last && !anywhere) missing.push(name);
    else if (last?.literal && !anywhere) values.push([name, last.literal.value]);
    else computed.push(name);
    for (const { plain, from } of all.slice(0, -1)) if (plain) repeated.push({ name, line: lineAt(text, from) });
  }
  return { values: Object.fromEntries(values), computed, missing, repeated, errors: errorsOf(tree, text) };
}

/**
 * The changes that give the constant this value. Only what differs is rewritten: a number, or the entries and keys of a
 * list that changed. None when the script says so already. A computed one is replaced, or followed by an assignment;
 * a missing one is added behind the other constants.
 */
export function writeConstant(text, name, value) {
  if (!isIdentifier(name) || isKeyword(name)) throw new TypeError(`not the name of a constant: ${name}`);
  writeLiteral(value); // throws when it is not a JSON value
  if (!readable(text)) return [{ from: 0, to: 0, insert: assignment(name, value, undefined, eolOf(text)) + eolOf(text) }];
  const { tree, bindings } = understand(text, [name]);
  for (const attempt of attempts(text, tree, name, value, bindings.get(name).all.at(-1))) {
    const changes = attempt();
    if (changes && says(applyChanges(text, changes), name, value)) return changes;
  }
  return [atTop(text, tree, name, value)]; // of a broken script
}

/** The text with changes as `writeConstant` gives them. */
export function applyChanges(text, changes) {
  let result = '';
  let done = 0;
  for (const { from, to, insert } of changes) {
    result += text.slice(done, from) + insert;
    done = to;
  }
  return result + text.slice(done);
}

// Reading

function readable(text) {
  return text.length <= LONGEST_SCRIPT && deepestBracket(text) <= DEEPEST_BRACKETS;
}

function tooMuch(text) {
  const reason = text.length > LONGEST_SCRIPT ? `dài hơn ${LONGEST_SCRIPT / 1000} 000 ký tự` : `lồng ngoặc sâu hơn ${DEEPEST_BRACKETS} lớp`;
  return { line: 1, message: `Script ${reason} nên các thanh trượt không đọc được hằng số trong đó. Chạy thì vẫn chạy đúng script này.` };
}

const TOKENS = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#[^\n]*|[([{]|[)\]}]/g;

function deepestBracket(text) {
  let [depth, deepest] = [0, 0];
  for (const [token] of text.matchAll(TOKENS)) {
    if (token.length > 1 || token === '#') continue;
    depth = '([{'.includes(token) ? depth + 1 : Math.max(0, depth - 1);
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/**
 * bindings: name -> { all, anywhere }. all: in turn, each { plain, from, end, literal, valueFrom, valueTo } with plain for
 * `NAME = …`, and end where its top-level statement ends. anywhere: a function may assign it.
 */
function understand(text, names) {
  const tree = parser.parse(text.replace(/^\ufeff/, ' ')); // which Lezer takes for part of a name
  const bindings = new Map(names.map((name) => [name, { all: [], anywhere: false }]));
  for (const { statement, whole } of topLevel(tree)) {
    const plain = plainAssignment(statement, text);
    const bind = (name, binding) => bindings.get(name)?.all.push({ from: statement.from, end: endOf(whole, text), ...binding });
    for (const { node, anywhere } of boundIn(statement, text)) {
      const name = nameOf(node, text);
      if (!bindings.has(name) || node.from === plain?.target.from) continue;
      if (anywhere) bindings.get(name).anywhere = true;
      else bind(name, { plain: false, literal: null });
    }
    if (plain) bind(nameOf(plain.target, text), { plain: true, ...plain.value });
  }
  return { tree, bindings };
}

/** Each top-level statement, and the node that it shares its line with. */
function* topLevel(tree) {
  for (let whole = tree.topNode.firstChild; whole; whole = whole.nextSibling) {
    if (whole.name !== 'StatementGroup') yield { statement: whole, whole };
    else for (const statement of childrenOf(whole)) yield { statement, whole };
  }
}

/** `NAME = …` or `NAME: type = …` -> { target, value: { literal, valueFrom, valueTo } }, else null. */
function plainAssignment(statement, text) {
  if (statement.name !== 'AssignStatement') return null;
  const [target, ...rest] = childrenOf(statement);
  if (rest[0]?.name === 'TypeDef') rest.shift();
  const [equals, ...nodes] = rest;
  if (target.name !== 'VariableName' || equals?.name !== 'AssignOp' || nodes.some(({ name }) => name === 'AssignOp')) return null;
  const broken = nodes.length === 0 || nodes.some(({ type }) => type.isError);
  const literal = broken ? null : nodes.length === 1 ? readLiteral(nodes[0], text) : readTuple(nodes, text);
  return { target, value: { literal, valueFrom: nodes[0]?.from ?? equals.to, valueTo: nodes.at(-1)?.to ?? equals.to } };
}

// What binds a name: how to tell its targets from the nodes below the statement or expression.
const before = (mark) => (nodes) => nodes.slice(0, Math.max(0, nodes.findLastIndex(({ name }) => name === mark)));
const after = (mark) => (nodes) => nodes.filter((_, i) => nodes[i - 1]?.name === mark);
const everything = (nodes) => nodes;
const TARGETS = {
  AssignStatement: before('AssignOp'),
  UpdateStatement: before('UpdateOp'),
  NamedExpression: before('AssignOp'),
  ForStatement: (nodes) => nodes.slice(0, Math.max(0, nodes.findIndex(({ name }) => name === 'in'))),
  ArgList: (nodes, text) => nodes.filter((_, i) => nodes[i + 1]?.name === 'AssignOp' && text[nodes[i + 1].from] === ':'),
  WithStatement: after('as'),
  TryStatement: after('as'),
  ImportStatement: everything,
  DeleteStatement: everything,
  CapturePattern: everything,
  AsPattern: after('as'),
  StarPattern: everything,
  FunctionDefinition: after('def'),
  ClassDefinition: after('class'),
  TypeDefinition: (nodes) => nodes.slice(1, 2),
};
const OWN_SCOPE = new Set(['FunctionDefinition', 'ClassDefinition', 'LambdaExpression']);

/** The names that a statement binds at module level, as [{ node, anywhere }]. */
function boundIn(statement, text) {
  const found = [];
  let within = 0; // functions and classes around the cursor
  statement.cursor().iterate(
    (at) => {
      const add = (nodes, anywhere) => found.push(...nodes.map((node) => ({ node, anywhere })));
      if (within === 0 && TARGETS[at.name]) add(TARGETS[at.name](childrenOf(at.node), text).flatMap(namesIn), false);
      if (within > 0 && at.name === 'ScopeStatement') add(childrenOf(at.node).filter(isName), true);
      if (OWN_SCOPE.has(at.name)) within += 1;
    },
    (at) => {
      if (OWN_SCOPE.has(at.name)) within -= 1;
    },
  );
  return found;
}

const isName = ({ name }) => name === 'VariableName';
const IN_TARGETS = new Set(['TupleExpression', 'ArrayExpression', 'ParenthesizedExpression']);
const namesIn = (node) => (isName(node) ? [node] : IN_TARGETS.has(node.name) ? childrenOf(node).flatMap(namesIn) : []);

function errorsOf(tree, text) {
  const byLine = new Map();
  tree.iterate({
    enter: (at) => {
      if (byLine.size >= MOST_ERRORS) return false;
      if (!at.type.isError || isFloat(at.node.parent, text)) return undefined;
      const place = at.from < at.to ? at.from : at.from - (/\s*$/.exec(text.slice(Math.max(0, at.from - 1000), at.from))[0].length || 0);
      const line = lineAt(text, place);
      if (!byLine.has(line)) byLine.set(line, { line, message: complaint(line, text.slice(at.from, at.to)) });
      return undefined;
    },
  });
  return [...byLine.values()];
}

const isFloat = (node, text) => node?.name === 'MemberExpression' && readLiteral(node, text) !== null;

function complaint(line, source) {
  const shown = source.trim().split('\n')[0].slice(0, 40);
  return shown ? `Dòng ${line}: chưa phải Python, từ chỗ «${shown}».` : `Dòng ${line}: câu lệnh chưa viết xong.`;
}

function lineAt(text, offset) {
  let line = 1;
  for (const { index } of text.matchAll(/\r\n?|\n/g)) {
    if (index >= offset) break;
    line += 1;
  }
  return line;
}

// Writing

/** Ways to write it, the least intrusive first. */
function attempts(text, tree, name, value, last) {
  const eol = eolOf(text);
  if (!last) return [() => [behindConstants(text, tree, name, value, eol)]];
  if (!last.plain) return [() => [{ from: last.end, to: last.end, insert: eol + assignment(name, value, undefined, eol) }]];
  const whole = () => [{ from: last.valueFrom, to: last.valueTo, insert: writeWhole(value, sourced(last.literal, text), eol, spaceBefore(text, last.valueFrom)) }];
  if (!last.literal) return [whole];
  const wanted = name === REQUESTS ? sparing(last.literal, value) : value;
  return [() => rewrite(last.literal, wanted, text, eol), whole];
}

const spaceBefore = (text, at) => (text[at - 1] === '=' && at > 1 && /[\s)\]]/.test(text[at - 2]) ? ' ' : '');

function says(text, name, value) {
  const literal = readable(text) ? understand(text, [name]).bindings.get(name).all.at(-1)?.literal : null;
  return Boolean(literal) && (same(literal.value, value) || (name === REQUESTS && same(complete(literal.value), complete(value))));
}

/** A request may leave out what is at its default. */
const complete = (requests) => (Array.isArray(requests) ? requests.map((one) => (isDict(one) ? { ...REQUEST_DEFAULTS, ...one } : one)) : requests);

/** `value` without the defaults that the script's own entries leave out. */
function sparing(literal, value) {
  if (!Array.isArray(value) || !Array.isArray(literal.value)) return value;
  const olds = align(literal.value, value);
  return value.map((entry, i) => {
    const old = literal.value[olds[i]];
    if (!isDict(entry) || !isDict(old)) return entry;
    return Object.fromEntries(Object.entries(entry).filter(([key, one]) => Object.hasOwn(old, key) || REQUEST_DEFAULTS[key] !== one));
  });
}

const eolOf = (text) => /\r\n?|\n/.exec(text)?.[0] ?? '\n';
const sourced = (literal, text) => literal && { ...literal, source: text.slice(literal.from, literal.to) };
const assignment = (name, value, like, eol) => `${name} = ${writeWhole(value, like, eol, '')}`;

/** Where the line of a node ends; the node may reach over the line breaks behind it. */
function endOf(node, text) {
  const last = node.from + text.slice(node.from, node.to).trimEnd().length;
  return lineEnd(text, last);
}

function lineEnd(text, from) {
  const rest = /[\r\n]/g;
  rest.lastIndex = from;
  return rest.exec(text)?.index ?? text.length;
}

function lineStart(text, from) {
  let start = from;
  while (start > 0 && text[start - 1] !== '\n' && text[start - 1] !== '\r') start -= 1;
  return start;
}

const CONSTANT = /^[A-Z][A-Z0-9_]*$/;

/** Behind the constants that open the script; without any, behind its docstring and imports. */
function behindConstants(text, tree, name, value, eol) {
  let place = null;
  let constants = false;
  for (const { statement, whole } of topLevel(tree)) {
    const plain = plainAssignment(statement, text);
    const isConstant = plain !== null && CONSTANT.test(nameOf(plain.target, text));
    const isHeader = statement.name === 'ImportStatement' || (statement.name === 'ExpressionStatement' && statement.firstChild?.name === 'String');
    if (!isConstant && !isHeader && statement.name !== 'Comment' && statement.name !== ';') break;
    if (isConstant || (isHeader && !constants)) place = endOf(whole, text);
    constants ||= isConstant;
  }
  if (place === null) return atTop(text, tree, name, value);
  return { from: place, to: place, insert: eol + assignment(name, value, undefined, eol) };
}

/** Before the first statement. */
function atTop(text, tree, name, value) {
  const eol = eolOf(text);
  let first = tree.topNode.firstChild;
  while (first?.name === 'Comment') first = first.nextSibling;
  if (first) {
    const place = lineStart(text, first.from);
    return { from: place, to: place, insert: assignment(name, value, undefined, eol) + eol };
  }
  const open = text !== '' && !/[\r\n]$/.test(text);
  return { from: text.length, to: text.length, insert: (open ? eol : '') + assignment(name, value, undefined, eol) + eol };
}

/** A whole value; a long list, one of dicts, or one that had its own lines gets a line for each entry. */
function writeWhole(value, like, eol, space) {
  const style = { like, keys: keysOf(like), braces: bracesIn(like) };
  const line = writeLiteral(value, style);
  const spread = Array.isArray(value) && value.length > 0 && (value.some(isDict) || line.length > LONGEST_LINE || /[\r\n]/.test(like?.source ?? ''));
  if (!spread) return space + line;
  return `${space}[${eol}${value.map((one) => `${INDENT}${writeLiteral(one, { ...style, like: undefined })},${eol}`).join('')}]`;
}

const firstDict = (like) => like?.items?.find(({ literal }) => literal.kind === 'dict' || literal.kind === 'call')?.literal;
const keysOf = (like) => firstDict(like)?.items.map(({ key }) => key) ?? REQUEST_KEYS;
const bracesIn = (like) => firstDict(like)?.kind === 'dict';

/** The changes that turn a literal into `value`, within its form as far as it goes; null when they would touch each other. */
function rewrite(literal, value, text, eol) {
  const changes = [];
  turnInto(literal, value, { text, eol, changes });
  changes.sort((one, other) => one.from - other.from || one.to - other.to);
  return changes.every(({ from }, i) => i === 0 || changes[i - 1].to <= from) ? changes : null;
}

function turnInto(literal, value, to) {
  if (same(literal.value, value)) return;
  if (literal.items?.length > 0 && canKeep(literal, value)) {
    if (Array.isArray(value)) turnItems(literal, value, to);
    else turnEntries(literal, value, to);
    return;
  }
  to.changes.push({ from: literal.from, to: literal.to, insert: writeWhole(value, sourced(literal, to.text), to.eol, '') });
}

function canKeep({ kind, items, value: old }, value) {
  if (kind === 'list') return Array.isArray(value) && value.length > 0;
  if (kind === 'tuple') return Array.isArray(value) && value.length === old.length; // else its commas and brackets may have to change
  if (!isDict(value)) return false;
  const keys = Object.keys(value);
  return keys.length > 0 && new Set(items.map(({ key }) => key)).size === items.length
    && (kind === 'dict' || keys.every((key) => isIdentifier(key) && !isKeyword(key)));
}

function turnEntries(literal, value, to) {
  const { items } = literal;
  const kept = items.map(({ key }) => Object.hasOwn(value, key));
  items.forEach((item, i) => kept[i] && turnInto(item.literal, value[item.key], to));
  const added = Object.keys(value).filter((key) => !items.some((item) => item.key === key));
  const ordered = REQUEST_KEYS.filter((key) => added.includes(key)).concat(added.filter((key) => !REQUEST_KEYS.includes(key)));
  const sources = ordered.map((key) => writeItem(key, value[key], literal.kind === 'call'));
  remove(literal, kept, to);
  insert(literal, kept.lastIndexOf(true), sources, to);
}

function turnItems(literal, values, to) {
  const { items } = literal;
  const olds = align(literal.value, values); // for each value the item that becomes it, or -1
  const kept = items.map(() => false);
  const added = new Map(); // item -> sources behind it
  let anchor = -1;
  values.forEach((value, i) => {
    if (olds[i] >= 0) {
      anchor = olds[i];
      kept[anchor] = true;
      turnInto(items[anchor].literal, value, to);
    } else {
      const source = writeLiteral(value, { keys: keysOf(literal), braces: bracesIn(literal) });
      added.set(anchor, [...(added.get(anchor) ?? []), source]);
    }
  });
  remove(literal, kept, to);
  for (const [behind, sources] of added) insert(literal, behind, sources, to);
}

/**
 * Which old entry each new one comes from, or -1: those with the same id (or the same value) in the same order; between
 * them, the first ones in turn are taken for changed. The indices rise.
 */
function align(olds, news) {
  const [from, into] = [olds.map(identity), news.map(identity)];
  const result = new Array(news.length).fill(-1);
  let start = 0;
  while (start < Math.min(from.length, into.length) && from[start] === into[start]) start += 1;
  let end = 0;
  while (end < Math.min(from.length, into.length) - start && from.at(-1 - end) === into.at(-1 - end)) end += 1;
  for (let i = 0; i < start; i += 1) result[i] = i;
  for (let i = 1; i <= end; i += 1) result[news.length - i] = olds.length - i;
  const [m, n] = [olds.length - start - end, news.length - start - end];
  if (m * n <= MOST_ALIGNED) {
    for (const [i, j] of longestCommon(from.slice(start, start + m), into.slice(start, start + n))) result[start + j] = start + i;
  }
  pairLeftOvers(result, olds.length);
  return result;
}

const identity = (value) => (isDict(value) && typeof value.id === 'string' ? `id ${value.id}` : canonical(value));
const canonical = (value) => JSON.stringify(value, (_, one) => (isDict(one) ? Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)) : one));

/** Pairs [i, j] of a longest common subsequence. */
function longestCommon(from, into) {
  const lengths = Array.from({ length: from.length + 1 }, () => new Uint32Array(into.length + 1));
  for (let i = from.length - 1; i >= 0; i -= 1) {
    for (let j = into.length - 1; j >= 0; j -= 1) {
      lengths[i][j] = from[i] === into[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  const pairs = [];
  for (let i = 0, j = 0; i < from.length && j < into.length;) {
    if (from[i] === into[j]) pairs.push([i++, j++]);
    else if (lengths[i + 1][j] >= lengths[i][j + 1]) i += 1;
    else j += 1;
  }
  return pairs;
}

function pairLeftOvers(result, count) {
  let free = 0; // the next old entry that nobody has
  for (let i = 0; i < result.length; i += 1) {
    if (result[i] >= 0) free = result[i] + 1;
    else {
      const limit = result.slice(i).find((old) => old >= 0) ?? count;
      if (free < limit) result[i] = free++;
    }
  }
}

const REST = /^[ \t]*(?:#[^\r\n]*)?$/;
const restOfLine = (text, from) => text.slice(from, lineEnd(text, from));
const endOfItem = ({ comma, to }) => (comma >= 0 ? comma + 1 : to);
const opensLine = (text, { from }) => /^[ \t]*$/.test(text.slice(lineStart(text, from), from));

/** Takes items away: with their line and its comment where they have one to themselves. */
function remove({ items }, kept, { text, changes }) {
  for (let i = 0; i < items.length; i += 1) {
    if (kept[i]) continue;
    if (opensLine(text, items[i]) && REST.test(restOfLine(text, endOfItem(items[i])))) {
      changes.push({ from: lineStart(text, items[i].from), to: afterBreak(text, lineEnd(text, endOfItem(items[i]))), insert: '' });
      continue;
    }
    const first = i;
    while (i + 1 < items.length && !kept[i + 1] && !opensLine(text, items[i + 1])) i += 1;
    changes.push({ ...span(items, first, i, text), insert: '' });
  }
}

/** From the first to the last of neighbours on one line, with the comma and the space that they no longer need. */
function span(items, first, last, text) {
  const next = items[last + 1];
  if (next && /^[ \t,]*$/.test(text.slice(items[last].to, next.from))) return { from: items[first].from, to: next.from };
  const previous = items[first - 1];
  if (!next && previous && /^[ \t,]*$/.test(text.slice(previous.to, items[first].from))) return { from: previous.to, to: items[last].to };
  return { from: items[first].from, to: endOfItem(items[last]) };
}

function afterBreak(text, end) {
  return end + (text.startsWith('\r\n', end) ? 2 : end < text.length ? 1 : 0);
}

/** Puts sources behind item number `behind`, or before all with -1, on lines of their own if the items have them. */
function insert(literal, behind, sources, { text, eol, changes }) {
  if (sources.length === 0) return;
  const { items } = literal;
  const own = items.find((item) => opensLine(text, item)); // shows how far entries are indented
  const indent = own && text.slice(lineStart(text, own.from), own.from);
  if (behind < 0) {
    const bracket = text.indexOf(literal.kind === 'dict' ? '{' : literal.kind === 'call' ? '(' : '[', literal.from) + 1;
    if (own === items[0] && REST.test(restOfLine(text, bracket))) {
      const place = lineEnd(text, bracket);
      changes.push({ from: place, to: place, insert: sources.map((source) => `${eol}${indent}${source},`).join('') });
    } else changes.push({ from: items[0].from, to: items[0].from, insert: sources.map((source) => `${source}, `).join('') });
    return;
  }
  const item = items[behind];
  const hasComma = item.comma >= 0;
  if (!own) {
    const place = endOfItem(item);
    changes.push({ from: place, to: place, insert: sources.map((source) => (hasComma ? ` ${source},` : `, ${source}`)).join('') });
    return;
  }
  if (!hasComma) changes.push({ from: item.to, to: item.to, insert: ',' });
  const alone = REST.test(restOfLine(text, endOfItem(item)));
  const place = alone ? lineEnd(text, endOfItem(item)) : endOfItem(item);
  const lines = sources.map((source) => `${eol}${indent}${source},`).join('');
  changes.push({ from: place, to: place, insert: hasComma ? lines : lines.slice(0, -1) });
}
