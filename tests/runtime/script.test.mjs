// The constants of a script, read and rewritten on its text (src/script.js): by hand, and against CPython running the script.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { PYTHON, ROOT } from '../../scripts/setup.mjs';
import { LONGEST_SCRIPT, applyChanges, readConstants, writeConstant } from '../../src/script.js';

const REQUESTS = `REQUESTS = [
    # hai yêu cầu đầu đến cùng lúc
    dict(id="A", arrival=0,   text="xin chao model", max_new=10, seed=1),  # tham lam
    dict(id="B", arrival=0,   text="hoc token", max_new=7, temperature=0.8, top_k=4, top_p=0.9, seed=2),
    # C được theo dõi
    dict(id="C", arrival=500, text="ban hoc model", max_new=8, seed=4)     # không có dấu phẩy
]
`;
const SCRIPT = `"""SLOTS = 9 trong docstring."""

# Số chỗ chạy; SLOTS = 8 trong chú thích.
SLOTS = 2            # giữ chú thích này
QUALITY_GATE: float = 0.95
COST_GATEWAY = 200; COST_DECODE_FIXED = 1_000
${REQUESTS}
import inference_lab as lab

def f():
    SLOTS = 7
    return "SLOTS = 6"

config = lab.Config.of(lab.constants(globals()))
`;

const value = (text, name = 'A') => {
  const { values, computed } = readConstants(text, [name]);
  return Object.hasOwn(values, name) ? values[name] : computed.includes(name) ? 'computed' : 'missing';
};
const written = (text, name, to) => applyChanges(text, writeConstant(text, name, to));
const requestsOf = (text) => readConstants(text, ['REQUESTS']).values.REQUESTS;
const lineOf = (text, part) => text.split('\n').findIndex((line) => line.includes(part)) + 1;

describe('reading', () => {
  test('a literal of every form', () => {
    const forms = [
      ['7', 7], ['-3', -3], ['- 3', -3], ['+3', 3], ['--3', 3], ['1_000', 1000], ['0x1F', 31], ['0b101', 5], ['0o17', 15], ['00', 0],
      ['0.95', 0.95], ['1e-3', 0.001], ['1.', 1], ['1.e2', 100], ['.5', 0.5], ['1_0.5', 10.5], ['(5)', 5], ['((5))', 5],
      ['"a"', 'a'], ["'a'", 'a'], ['"""a\nb"""', 'a\nb'], ["'''a'b'''", "a'b"], ['r"\\n"', '\\n'], ['u"a"', 'a'], ['"a" \'b\'', 'ab'],
      ['("a"\n    "b")', 'ab'], ['"\\x41\\u1ebf\\U0001F600\\101\\n\\\\\\q"', 'Aế😀A\n\\\\q'], ['"a\\\nb"', 'ab'], ['"Tiếng Việt"', 'Tiếng Việt'], ['"# x"', '# x'],
      ['True', true], ['False', false], ['None', null], ['[]', []], ['[1, "a", [None]]', [1, 'a', [null]]], ['[1,]', [1]],
      ['()', []], ['(1,)', [1]], ['(1, 2)', [1, 2]], ['1, 2', [1, 2]], ['1,', [1]],
      ['{}', {}], ['{"a": 1, "b": [2],}', { a: 1, b: [2] }], ['{"a": 1, "a": 2}', { a: 2 }], ['dict()', {}], ['dict(a=1, b=dict(c="x"))', { a: 1, b: { c: 'x' } }],
      ['[1,  # một\n  2]', [1, 2]], ['\\\n  3', 3],
    ];
    for (const [source, expected] of forms) assert.deepEqual(value(`A = ${source}\n`), expected, source);
    assert.deepEqual(Object.keys(value('A = {"__proto__": 1}')), ['__proto__']);
  });

  test('anything else is computed', () => {
    const forms = [
      '1 + 1', 'B', 'f(1)', '[B]', '[x for x in y]', '[*x]', '{1: 2}', '{"a", "b"}', '{**x}', 'dict(**x)', 'dict([1])', 'dict(a=1, a=2)', 'f"{x}"', 'b"x"', '"a" f"b"',
      '"\\N{BULLET}"', '1j', '1e400', '012', '1__0', '1_', 'not True', '~1', '-True', '-"a"', '1 if x else 2', 'B = 1', '"\\x4"', '"open', `${'['.repeat(60)}${']'.repeat(60)}`,
    ];
    for (const source of forms) assert.equal(value(`A = ${source}\n`), 'computed', source);
  });

  test('the last assignment counts, and the earlier ones are told', () => {
    const read = readConstants('A = 1\nB = 5\nA = 2\nif B:\n    pass\nA = 3\n', ['A', 'B']);
    assert.deepEqual(read.values, { A: 3, B: 5 });
    assert.deepEqual(read.repeated, [{ name: 'A', line: 1 }, { name: 'A', line: 3 }]);
  });

  test('what binds the name in another way makes it computed, unless an assignment follows', () => {
    const ways = [
      'A += 1', 'A, b = 1, 2', '[A, b] = 1, 2', '(A) = 2', 'A = b = 2', 'b = A = 2', 'for A in x: pass', 'with x as A: pass', 'import x as A', 'from x import A', 'del A',
      'def A(): pass', 'class A: pass', 'if x:\n    A = 2', 'while x:\n    A = 2', 'try:\n    A = 2\nexcept E as e:\n    pass', 'try:\n    pass\nexcept E as A:\n    pass',
      'print(A := 2)', '@d\ndef A(): pass', 'match x:\n    case A: pass', 'A: int = b = 3',
    ];
    for (const way of ways) {
      assert.equal(value(`A = 1\n${way}\n`), 'computed', way);
      assert.equal(value(`${way}\nA = 1\n`), 1, way);
    }
    assert.equal(value('A = 1\ndef f():\n    global A\n    A = 2\n'), 'computed');
    assert.equal(value('def f():\n    global A\n    A = 2\nA = 1\n'), 'computed');
  });

  test('the name elsewhere is not confused', () => {
    const others = [
      'def f(A=3):\n    A = 4\n    return A', 'class C:\n    A = 3', 'x = lambda A: A', '"""\nA = 3\n"""', "s = 'A = 3'", '# A = 3', 'A.b = 3', 'A[0] = 3', 'f(A=3)', 'x = [A for A in y]',
      'A: int', 'B_A = 3', 'AA = 3', 'async def f():\n    A = 4', 'print(A)',
    ];
    for (const other of others) assert.equal(value(`A = 1\n${other}\n`), 1, other);
    for (const other of others) assert.equal(value(`${other}\n`), 'missing', other);
  });

  test('the whole script: docstring, comments, functions, semicolons, annotations', () => {
    const read = readConstants(SCRIPT, ['SLOTS', 'QUALITY_GATE', 'COST_GATEWAY', 'COST_DECODE_FIXED', 'REQUESTS', 'NOPE']);
    assert.deepEqual(read.values, { SLOTS: 2, QUALITY_GATE: 0.95, COST_GATEWAY: 200, COST_DECODE_FIXED: 1000, REQUESTS: requestsOf(REQUESTS) });
    assert.deepEqual([read.computed, read.missing, read.repeated, read.errors], [[], ['NOPE'], [], []]);
    assert.equal(read.values.REQUESTS[2].text, 'ban hoc model');
  });

  test('line ends, tabs, a byte order mark and full-width names', () => {
    for (const eol of ['\n', '\r\n', '\r']) assert.deepEqual(readConstants(SCRIPT.replaceAll('\n', eol), ['SLOTS', 'QUALITY_GATE']).values, { SLOTS: 2, QUALITY_GATE: 0.95 });
    assert.equal(value('\ufeffA = 1\n'), 1);
    assert.equal(value('A\t=\t1\t# x\n'), 1);
    assert.equal(value('if x:\n\tA = 2\nA = 1\n'), 1);
    assert.equal(value('Ａ = 1\n'), 1);
  });

  test('errors say the line, and what is beside them is read', () => {
    const read = readConstants('A = 1\nB = \nC = [1, 2\nD = 4\n', ['A', 'B', 'C']);
    assert.deepEqual(read.values, { A: 1 });
    assert.equal(read.errors[0].line, 2);
    assert.match(read.errors[0].message, /Dòng 2/);
    assert.deepEqual(readConstants('x = 1.\ny = 2.e3\n', []).errors, []);
  });

  test('what is too much for the page is left to Python, at once', () => {
    for (const text of [`A = 1\n${'x'.repeat(LONGEST_SCRIPT)}`, `A = ${'('.repeat(50_000)}`, `A = ${'['.repeat(90_000)}${']'.repeat(90_000)}`]) {
      const before = process.cpuUsage(); // a busy machine takes none of it
      assert.deepEqual(readConstants(text, ['A']).computed, ['A']);
      assert.ok(process.cpuUsage(before).user < 1_000_000);
    }
    assert.equal(value(`A = 1\n${'# :(\n'.repeat(300)}s = "${'('.repeat(300)}"\n`), 1);
  });
});

describe('writing', () => {
  test('changes the value and nothing else', () => {
    assert.equal(written(SCRIPT, 'SLOTS', 3), SCRIPT.replace('SLOTS = 2 ', 'SLOTS = 3 '));
    assert.equal(written(SCRIPT, 'QUALITY_GATE', 0.5), SCRIPT.replace('0.95', '0.5'));
    assert.equal(written(SCRIPT, 'QUALITY_GATE', 1), SCRIPT.replace('0.95', '1.0'));
    assert.equal(written(SCRIPT, 'COST_GATEWAY', 250), SCRIPT.replace('= 200;', '= 250;'));
    assert.equal(written(SCRIPT, 'COST_DECODE_FIXED', 1234567), SCRIPT.replace('1_000', '1_234_567'));
    assert.equal(written("A = 'x' # y\n", 'A', 'it\'s "z"'), "A = 'it\\'s \"z\"' # y\n");
    assert.equal(written('A=1', 'A', -2), 'A=-2');
    assert.equal(written('A = (1)\n', 'A', 2), 'A = (2)\n');
    assert.equal(written('A = 1\r\nB = 2\r\n', 'A', [3]), 'A = [3]\r\nB = 2\r\n');
    assert.equal(written('A = 1\nA = 2\n', 'A', 3), 'A = 1\nA = 3\n');
  });

  test('what the script says already is left as it is spelt', () => {
    for (const [name, to] of Object.entries(readConstants(SCRIPT, ['SLOTS', 'QUALITY_GATE', 'COST_DECODE_FIXED', 'REQUESTS']).values)) {
      assert.deepEqual(writeConstant(SCRIPT, name, to), []);
    }
    assert.deepEqual(writeConstant('A = 0x10\n', 'A', 16), []);
    assert.deepEqual(writeConstant('A = {"a": 1, "b": 2}\n', 'A', { b: 2, a: 1 }), []);
  });

  test('a computed one is replaced; one that is bound otherwise gets an assignment behind it', () => {
    assert.equal(written('A = B * 2  # x\n', 'A', 3), 'A = 3  # x\n');
    assert.equal(written('A, B = 1, 2  # x\nprint()\n', 'A', 3), 'A, B = 1, 2  # x\nA = 3\nprint()\n');
    assert.equal(written('A = 1\nfor A in x:\n    pass  # y\n\nprint()\n', 'A', 3), 'A = 1\nfor A in x:\n    pass  # y\nA = 3\n\nprint()\n');
    assert.equal(written('A =\nB = 1\n', 'A', 3), 'A = 3\nB = 1\n');
  });

  test('a missing one goes behind the other constants, else behind docstring and imports', () => {
    const added = written(SCRIPT, 'SEED', 9);
    assert.ok(added.includes(']\nSEED = 9\n\nimport inference_lab'));
    assert.equal(written('"""x"""\nimport lab  # y\nrun = lab.run()\n', 'A', 1), '"""x"""\nimport lab  # y\nA = 1\nrun = lab.run()\n');
    assert.equal(written('run = 1', 'A', 1), 'A = 1\nrun = 1');
    assert.equal(written('# chỉ có chú thích', 'A', 1), '# chỉ có chú thích\nA = 1\n');
    assert.equal(written('', 'A', 1), 'A = 1\n');
    assert.equal(written('B = 1', 'A', 1), 'B = 1\nA = 1');
    assert.equal(written('B = 1\r\n', 'A', 1), 'B = 1\r\nA = 1\r\n');
    assert.equal(value(written('def f(:\n  [', 'A', 1)), 1);
    assert.ok(written(`x = ${'('.repeat(300)}`, 'A', 1).startsWith('A = 1\n'));
  });

  test('one key of one request', () => {
    const requests = requestsOf(REQUESTS);
    requests[1].max_new = 9;
    requests[2].text = 'xin chao ban';
    assert.equal(written(REQUESTS, 'REQUESTS', requests), REQUESTS.replace('max_new=7', 'max_new=9').replace('ban hoc model', 'xin chao ban'));
  });

  test('a key that comes and a key that goes', () => {
    const requests = requestsOf(REQUESTS);
    requests[0].temperature = 0.5;
    delete requests[1].top_k;
    const text = written(REQUESTS, 'REQUESTS', requests);
    assert.ok(text.includes('max_new=10, seed=1, temperature=0.5),  # tham lam'));
    assert.ok(text.includes('temperature=0.8, top_p=0.9, seed=2)'));
    assert.deepEqual(requestsOf(text), requests);
  });

  test('defaults that an entry leaves out stay out', () => {
    const full = requestsOf(REQUESTS).map((one) => ({ temperature: 0, top_k: 0, top_p: 1, seed: 0, ...one }));
    assert.deepEqual(writeConstant(REQUESTS, 'REQUESTS', full), []);
    full[0].max_new = 11;
    assert.equal(written(REQUESTS, 'REQUESTS', full), REQUESTS.replace('max_new=10', 'max_new=11'));
  });

  test('a request that goes takes its line; comments between entries stay', () => {
    const requests = requestsOf(REQUESTS);
    const text = written(REQUESTS, 'REQUESTS', [requests[0], requests[2]]);
    assert.equal(text, REQUESTS.split('\n').filter((line) => !line.includes('"B"')).join('\n'));
    const last = written(REQUESTS, 'REQUESTS', requests.slice(0, 2));
    assert.equal(last, REQUESTS.split('\n').filter((line) => !line.includes('"C"')).join('\n'));
  });

  test('a request that comes gets a line like the others', () => {
    const requests = requestsOf(REQUESTS);
    const extra = { seed: 6, max_new: 2, text: 'xin', id: 'F', arrival: 10 };
    const added = '    dict(id="F", arrival=10, text="xin", max_new=2, seed=6)';
    const end = written(REQUESTS, 'REQUESTS', [...requests, extra]);
    assert.equal(end, REQUESTS.replace('seed=4)     # không có dấu phẩy', `seed=4),     # không có dấu phẩy\n${added}`));
    const middle = written(REQUESTS, 'REQUESTS', [requests[0], extra, ...requests.slice(1)]);
    assert.equal(middle, REQUESTS.replace('# tham lam', `# tham lam\n${added},`));
    const front = written(REQUESTS, 'REQUESTS', [extra, ...requests]);
    assert.equal(front, REQUESTS.replace('[\n', `[\n${added},\n`));
  });

  test('another name for a request changes the name', () => {
    const requests = requestsOf(REQUESTS);
    requests[1].id = 'Bình';
    assert.equal(written(REQUESTS, 'REQUESTS', requests), REQUESTS.replace('"B"', '"Bình"'));
  });

  test('the form of the entries is kept: braces, one line', () => {
    const text = 'REQUESTS = [{"id": "A", "seed": 1}, {"id": "B", "seed": 2}]\n';
    assert.equal(written(text, 'REQUESTS', [{ id: 'A', seed: 1 }, { id: 'B', seed: 3 }]), text.replace('2}', '3}'));
    assert.equal(written(text, 'REQUESTS', [{ id: 'A', seed: 1 }, { id: 'B', seed: 2 }, { id: 'C', seed: 3 }]), text.replace('}]', '}, {"id": "C", "seed": 3}]'));
    assert.equal(written(text, 'REQUESTS', [{ id: 'B', seed: 2 }]), 'REQUESTS = [{"id": "B", "seed": 2}]\n');
    assert.equal(written('CORPUS = ["a", "b", "c"]  # x\n', 'CORPUS', ['a', 'c', 'd']), 'CORPUS = ["a", "c", "d"]  # x\n');
    assert.equal(written('CORPUS = ("a", "b")\n', 'CORPUS', ['a', 'c']), 'CORPUS = ("a", "c")\n');
    assert.equal(written('CORPUS = ("a", "b")\n', 'CORPUS', ['a']), 'CORPUS = ["a"]\n');
  });

  test('a name that is no name and a value that JSON cannot hold are refused', () => {
    assert.throws(() => writeConstant('', 'A B', 1), TypeError);
    assert.throws(() => writeConstant('', 'class', 1), TypeError);
    for (const bad of [NaN, Infinity, undefined, 1n, new Map(), [undefined]]) assert.throws(() => writeConstant('A = 1', 'A', bad), TypeError);
  });
});

// ── Against CPython ──────────────────────────────────────────────────────────

const NAMES = ['SLOTS', 'GATE', 'WORDS', 'REQUESTS'];
const letters = fc.constantFrom(...'abzA ếẠđ́🙂"\'\\\n\t#{}[](),=');
const anyText = fc.oneof(fc.string({ unit: letters, maxLength: 12 }), fc.string({ unit: 'grapheme', maxLength: 8 }));
const anyNumber = fc.oneof(fc.integer({ min: -2_000_000, max: 2_000_000 }), fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0));
const anyValue = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, anyNumber, anyText, fc.constantFrom(null, true, false), fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom('id', 'x', 'class', 'né'), anyText), tie('value'), { maxKeys: 4, noNullPrototype: true })),
})).value;
const anyRequest = fc.record(
  {
    id: fc.constantFrom(...'ABCDEF'), arrival: fc.nat(2000), text: anyText, max_new: fc.integer({ min: 1, max: 30 }), temperature: fc.constantFrom(0, 0.8, 1),
    top_k: fc.nat(5), top_p: fc.constantFrom(0.5, 1), seed: fc.nat(9),
  },
  { requiredKeys: ['id', 'arrival', 'text', 'max_new'], noNullPrototype: true },
);
const anyRequests = fc.uniqueArray(anyRequest, { selector: ({ id }) => id, minLength: 1, maxLength: 6 });
const valueOf = { SLOTS: fc.integer({ min: -5, max: 5_000 }), GATE: anyNumber, WORDS: fc.array(anyText, { maxLength: 5 }), REQUESTS: anyRequests };

// How a learner may spell a value: each spelling as [value, source].
const quotes = fc.constantFrom('"', "'");
const spelling = (one) => {
  if (typeof one === 'string') {
    return quotes.map((quote) => {
      const body = [...one].map((letter) => (letter === '\n' ? '\\n' : letter === '\r' ? '\\r' : letter === '\\' || letter === quote ? `\\${letter}` : letter === '\0' ? '\\0' : letter));
      return quote + body.join('') + quote;
    });
  }
  if (typeof one === 'number') {
    const digits = Number.isInteger(one) && Math.abs(one) < 1e15 ? [String(one), `(${one})`, one >= 1000 ? String(one).replace(/\B(?=(\d{3})+$)/g, '_') : `${one}`] : [String(one)];
    return fc.constantFrom(...digits);
  }
  if (one === null || typeof one === 'boolean') return fc.constant({ null: 'None', true: 'True', false: 'False' }[one]);
  const gaps = fc.constantFrom([' ', ''], ['\n    ', ',\n'], ['\n  ', '  # một\n'], ['  ', ', '], [' # hai\n\t', ',  # ba, [x]\n']);
  const isList = Array.isArray(one);
  const parts = isList ? one.map(spelling) : Object.entries(one).map(([key, item]) => fc.tuple(spelling(key), spelling(item)));
  return fc.tuple(fc.tuple(...parts), gaps, fc.boolean()).map(([items, [gap, end], call]) => {
    const asCall = !isList && call && Object.keys(one).every((key) => /^[a-wyz]\w*$/.test(key) && key !== 'class');
    const sources = items.map((item, i) => (isList ? item : asCall ? `${Object.keys(one)[i]}=${item[1]}` : `${item[0]}: ${item[1]}`));
    const [open, close] = isList ? '[]' : asCall ? ['dict(', ')'] : '{}';
    return sources.length ? open + gap + sources.join(`,${gap}`) + end + close : open + close;
  });
};
const assigned = (name) => valueOf[name].chain((one) => fc.tuple(spelling(one), fc.constantFrom(' = ', '=', ': object = ', '\t=\t')))
  .chain(([source, equals]) => fc.constantFrom('', '  # SLOTS = 9', '; x = 1', ' ;').map((rest) => `${name}${equals}${source}${rest}`));
const others = fc.constantFrom(
  '', '# SLOTS = 5, GATE = [', 'x = "SLOTS = 5"', '"""\nSLOTS = 5\n"""', "y = '''[\n#'''", 'def f(SLOTS=1):\n    GATE = 2\n    return GATE', 'if True:\n    SLOTS = 11  # nhánh',
  'for SLOTS in range(3): pass', 'SLOTS, GATE = 1, 2', 'SLOTS = GATE = 4', 'SLOTS = 1 + 1  # tính', 'class C:\n\tSLOTS = 5', 'z = [SLOTS for SLOTS in (1, 2)]', 'import math as GATE',
  'GATE = len("ab")', 'WORDS = ["a"] * 2', 'try:\n    WORDS = 1\nfinally:\n    pass', 'print(end="", file=None) if 0 else 1', 'def g():\n    global GATE\n    GATE = 5',
);
const anyScript = fc.tuple(fc.array(fc.oneof(...NAMES.map(assigned), others), { maxLength: 8 }), fc.constantFrom('\n', '\r\n', '\n\n'), fc.boolean())
  .map(([lines, eol, end]) => lines.join('\n').replaceAll('\n', eol.length > 1 && eol[0] === '\r' ? '\r\n' : '\n') + (end ? eol : ''));

function python(asked) {
  const ran = spawnSync(PYTHON, [join(ROOT, 'tests/runtime/run_scripts.py')], {
    input: JSON.stringify(asked), encoding: 'utf8', maxBuffer: 1 << 28, env: { ...process.env, PYTHONUTF8: '1', PYTHONWARNINGS: 'ignore' },
  });
  assert.equal(ran.status, 0, ran.stderr);
  return JSON.parse(ran.stdout);
}

const SEED = 20_250_101;
const CASES = 400;

describe('against CPython', () => {
  test('what is read is what the script has when it ran', () => {
    const scripts = fc.sample(anyScript, { numRuns: CASES, seed: SEED });
    const ran = python(scripts.map((text) => [text, NAMES]));
    let compared = 0;
    scripts.forEach((text, i) => {
      assert.equal(ran[i].error, undefined, JSON.stringify(text));
      const { values, missing, errors } = readConstants(text, NAMES);
      assert.deepEqual(errors, [], JSON.stringify(text));
      for (const [name, one] of Object.entries(values)) {
        assert.deepEqual(ran[i].values[name], one, JSON.stringify(text));
        compared += 1;
      }
      for (const name of missing) assert.ok(!(name in ran[i].values), JSON.stringify(text));
    });
    assert.ok(compared > CASES, `${compared} values compared`);
  });

  test('what is written is what the script then has; other names and all comments stay', () => {
    const wish = fc.constantFrom(...NAMES).chain((name) => valueOf[name].map((one) => [name, one]));
    const cases = fc.sample(fc.tuple(anyScript, wish), { numRuns: CASES, seed: SEED + 1 });
    const after = cases.map(([text, [name, one]]) => written(text, name, one));
    const [old, now] = [python(cases.map(([text]) => [text, NAMES])), python(after.map((text) => [text, NAMES]))];
    cases.forEach(([text, [name, one]], i) => {
      const shown = `${JSON.stringify(text)}\n${JSON.stringify(after[i])}\n${name} = ${JSON.stringify(one)}`;
      assert.equal(now[i].error, undefined, shown);
      const complete = (list) => (name === 'REQUESTS' ? list.map((r) => ({ temperature: 0, top_k: 0, top_p: 1, seed: 0, ...r })) : list);
      assert.deepEqual(complete(now[i].values[name]), complete(one), shown);
      for (const other of NAMES) if (other !== name) assert.deepEqual(now[i].values[other], old[i].values[other], shown);
      if (typeof one === 'number') assert.deepEqual(now[i].comments, old[i].comments, shown);
    });
  });

  test('any JSON value can be written and read back', () => {
    const values = fc.sample(anyValue, { numRuns: CASES, seed: SEED + 2 });
    const texts = values.map((one) => written('A = 1  # x\n', 'A', one));
    const ran = python(texts.map((text) => [text, ['A']]));
    values.forEach((one, i) => {
      assert.deepEqual(value(texts[i]), one, texts[i]);
      assert.deepEqual(ran[i].values.A, one, texts[i]);
    });
  });
});

describe('always', () => {
  const wish = fc.constantFrom(...NAMES).chain((name) => valueOf[name].map((one) => ({ name, one })));

  test('writing twice is writing once, and back again gives the value back', () => {
    fc.assert(
      fc.property(anyScript, wish, (text, { name, one }) => {
        const once = written(text, name, one);
        if (!readConstants(once, [name]).computed.includes(name)) assert.deepEqual(writeConstant(once, name, one), []);
        const before = readConstants(text, [name]).values;
        if (name in before) assert.deepEqual(writeConstant(written(once, name, before[name]), name, before[name]), []);
      }),
      { numRuns: 300, seed: SEED + 3 },
    );
  });

  test('changing one request keeps every other line as it is', () => {
    fc.assert(
      fc.property(anyRequests, fc.nat(5), fc.integer({ min: 31, max: 60 }), (requests, at, max_new) => {
        const lines = requests.map((one) => `    dict(${Object.entries(one).map(([key, item]) => `${key}=${JSON.stringify(item)}`).join(', ')}),  # ${one.id}`);
        const text = `REQUESTS = [\n    # đầu\n${lines.join('\n    # giữa\n')}\n]\n`;
        const place = at % requests.length;
        const changed = requests.map((one, i) => (i === place ? { ...one, max_new } : one));
        const [before, after] = [text.split('\n'), written(text, 'REQUESTS', changed).split('\n')];
        assert.equal(after.length, before.length);
        assert.deepEqual(before.flatMap((line, i) => (line === after[i] ? [] : [i])), [2 + 2 * place]);
      }),
      { numRuns: 300, seed: SEED + 4 },
    );
  });

  test('no text makes reading or writing throw', () => {
    const pieces = fc.constantFrom('SLOTS', ' ', '=', '\n', '(', ')', '[', ']', '{', '}', '"', "'", '"""', '#', ',', ':', ';', 'dict(', 'def ', 'if ', '\t', '    ', '1', '-', '\\', 'f"', 'lambda ', '@', '\r', 'ế', '.');
    const noise = fc.oneof(fc.array(pieces, { maxLength: 40 }).map((all) => all.join('')), fc.string({ unit: 'binary', maxLength: 60 }));
    fc.assert(
      fc.property(noise, wish, (text, { name, one }) => {
        const { values, computed, missing } = readConstants(text, NAMES);
        assert.equal(Object.keys(values).length + computed.length + missing.length, NAMES.length);
        const changes = writeConstant(text, name, one);
        changes.forEach(({ from, to }, i) => assert.ok(from <= to && to <= text.length && (i === 0 || changes[i - 1].to <= from)));
      }),
      { numRuns: 2000, seed: SEED + 5 },
    );
  });
});
