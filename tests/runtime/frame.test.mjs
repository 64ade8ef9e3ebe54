// The page in a frame, as far as it is pure: what an address asks for, which messages are commands, what a panel offers to change.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { firstLines } from '../../scripts/first-lines.mjs';
import { PYTHON, ROOT } from '../../scripts/setup.mjs';
import { message, readCommand, together } from '../../src/frame/messages.js';
import { readView } from '../../src/frame/read.js';

const ALLOWED = { constants: ['SLOTS', 'QUEUE_LIMIT', 'BLOCK_SIZE'], exercises: ['SLOTS', 'BLOCK_SIZE'], parts: ['script', 'guide'], blocks: 13 };
const read = (search) => readView(search, ALLOWED);
const LAB = { view: 'lab', block: null, exercise: null, hide: [], autorun: false, theme: 'auto', set: [], notices: [] };

test('an address that says nothing is the whole lab', () => {
  assert.deepEqual(read(''), LAB);
  assert.deepEqual(read('?utm_source=mail&v=1'), LAB);
});

test('each view with what belongs to it, in any order', () => {
  assert.deepEqual(read('?set=BLOCK_SIZE:2,SLOTS:3&block=6&theme=dark&view=block'), { ...LAB, view: 'block', block: 6, theme: 'dark', set: ['BLOCK_SIZE', 'SLOTS'] });
  assert.deepEqual(read('?exercise=BLOCK_SIZE&view=exercise&autorun=1'), { ...LAB, view: 'exercise', exercise: 'BLOCK_SIZE', autorun: true });
  assert.deepEqual(read('?view=diagram&hide=SLOTS,guide'), { ...LAB, view: 'diagram', hide: ['SLOTS', 'guide'] });
});

test('what a view does not use is no error', () => {
  assert.deepEqual(read('?view=lab&block=99&exercise=NONE'), LAB);
});

for (const [search, name, value, allowed, instead] of [
  ['?view=panel', 'view', '«panel»', 'lab, diagram, block, exercise', 'lab'],
  ['?view=', 'view', '«»', 'lab, diagram, block, exercise', 'lab'],
  ['?view=block', 'block', '', '1 đến 13', '1'],
  ['?view=block&block=14', 'block', '«14»', '1 đến 13', '1'],
  ['?view=block&block=0', 'block', '«0»', '1 đến 13', '1'],
  ['?view=block&block=6.0', 'block', '«6.0»', '1 đến 13', '1'],
  ['?view=exercise&exercise=slots', 'exercise', '«slots»', 'SLOTS, BLOCK_SIZE', 'SLOTS'],
  ['?theme=black', 'theme', '«black»', 'auto, light, dark', 'auto'],
  ['?autorun=yes', 'autorun', '«yes»', '0, 1', '0'],
]) {
  test(`${search}: the default, and a notice with name, value and what is allowed`, () => {
    const { notices } = read(search);
    assert.equal(notices.length, 1);
    for (const part of [name, value, allowed, `Trang dùng ${instead}.`]) assert.ok(notices[0].includes(part), `${notices[0]} lacks ${part}`);
  });
}

test('unknown names in hide are told, known ones hold', () => {
  const { hide, notices } = read('?hide=SLOTS,NOPE,guide,<b>');
  assert.deepEqual(hide, ['SLOTS', 'guide']);
  assert.match(notices[0], /NOPE, <b>.*SLOTS, QUEUE_LIMIT, BLOCK_SIZE, script, guide/s);
  assert.ok(read(`?view=${'x'.repeat(5000)}`).notices[0].length < 200);
});

test('the page’s first lines say the same as the module, and know the names of the engine', () => {
  const { head } = firstLines(ROOT);
  const root = { dataset: {} };
  const heard = [];
  const page = { location: { search: '?view=exercise&exercise=QUANT_BITS&theme=light&hide=TTFT_SLO' }, document: { documentElement: root }, URLSearchParams, addEventListener: (kind) => heard.push(kind) };
  page.window = page;
  page.parent = {};
  runInNewContext(head, page);
  assert.deepEqual(root.dataset, { view: 'exercise', exercise: 'QUANT_BITS', theme: 'light', framed: '' });
  assert.deepEqual(JSON.parse(JSON.stringify(page.inferenceLabView)), { ...LAB, view: 'exercise', exercise: 'QUANT_BITS', theme: 'light', hide: ['TTFT_SLO'] });
  assert.deepEqual(heard, ['error']); // a script that does not come
});

test('commands are read, numbers as they would be typed', () => {
  assert.deepEqual(readCommand(message('hello')), { type: 'hello', detail: {} });
  assert.deepEqual(readCommand({ lab: 'inference-lab', v: 1, type: 'run' }), { type: 'run', detail: {} });
  assert.deepEqual(readCommand(message('open', { block: 3 })), { type: 'open', detail: { block: 3 } });
  const constants = { SLOTS: 3, QUALITY_GATE: 0.5, FOLLOW: 'A', CORPUS: ['xin chao'], REQUESTS: [{ id: 'A', arrival: 0, text: 'x', max_new: 3 }] };
  assert.deepEqual(readCommand(message('set', { constants })).detail.constants, [
    ['SLOTS', '3'], ['QUALITY_GATE', '0.5'], ['FOLLOW', 'A'], ['CORPUS', ['xin chao']],
    ['REQUESTS', [{ id: 'A', arrival: '0', text: 'x', max_new: '3' }]],
  ]);
});

test('anything else is no command: no other type, no other version, no script, no odd shape', () => {
  const bad = [
    null, undefined, 1, 'run', [], {}, { lab: 'inference-lab' }, { lab: 'inference-lab', v: 2, type: 'run' }, { lab: 'other', v: 1, type: 'run' },
    { lab: 'inference-lab', v: '1', type: 'run' }, message('script', { script: 'print(1)' }), message('toString'), message('__proto__'), message('constructor'),
    message('open', { block: '3' }), message('open', { block: 1.5 }), message('open', null), message('open', [3]),
    message('set'), message('set', { constants: null }), message('set', { constants: [] }),
    { lab: 'inference-lab', v: 1, type: ['run'] }, { lab: 'inference-lab', v: 1, type: { toString: () => 'run' } },
  ];
  for (const data of bad) assert.equal(readCommand(data), null, JSON.stringify(data));
});

test('a value of no kind that a field holds stays to be refused by its name, so that the host hears why nothing was set', () => {
  for (const value of [null, true, { valueOf: 1 }, [[3]], [{ id: {} }], Array.from({ length: 201 }, () => 'a')]) {
    assert.deepEqual(readCommand(message('set', { constants: { SLOTS: value, QUEUE_LIMIT: 2 } })).detail.constants, [['SLOTS', null], ['QUEUE_LIMIT', '2']]);
  }
  assert.deepEqual(readCommand(message('set', { constants: JSON.parse('{"__proto__": {"SLOTS": 4}}') })).detail.constants, [['__proto__', null]]);
});

test('a set keeps the number that the host gave it; of two that wait the later one\'s', () => {
  const set = (detail) => readCommand(message('set', detail)).detail;
  assert.deepEqual(set({ constants: { SLOTS: 3 }, number: 7 }), { constants: [['SLOTS', '3']], number: 7 });
  assert.deepEqual(set({ constants: {}, number: 'x' }), { constants: [] });
  assert.deepEqual(together(set({ constants: { SLOTS: 3 }, number: 1 }), set({ constants: { SLOTS: 4 }, number: 2 })), { constants: [['SLOTS', '4']], number: 2 });
});

test('thousands of sets wait as one, no longer than the table of constants is', () => {
  const set = (constants) => readCommand(message('set', { constants })).detail;
  assert.deepEqual(together(set({ SLOTS: 3, QUEUE_LIMIT: 2 }), set({ SLOTS: 4 })).constants, [['SLOTS', '4'], ['QUEUE_LIMIT', '2']]);
  const names = (from, to) => Object.fromEntries(Array.from({ length: to - from }, (_, i) => [`N${from + i}`, 1]));
  assert.equal(set(names(0, 1000)).constants.length, 50);
  assert.equal(together(set(names(0, 40)), set(names(40, 80))).constants.length, 50);
});

test('long texts are cut: a value of megabytes costs nothing', () => {
  const [[name, value]] = readCommand(message('set', { constants: { ['N'.repeat(1e6)]: '1'.repeat(1e6) } })).detail.constants;
  assert.ok(name.length <= 400 && value.length <= 400);
});

test('every control that a panel offers changes what the panel says', () => {
  const found = spawnSync(PYTHON, ['tests/runtime/panel_controls.py', 'static/data/blocks.json'], { cwd: ROOT, encoding: 'utf8', env: { ...process.env, PYTHONPATH: join(ROOT, 'py'), PYTHONUTF8: '1' } });
  assert.equal(found.status, 0, found.stderr);
  const blocks = JSON.parse(readFileSync(join(ROOT, 'static/data/blocks.json'), 'utf8'));
  const matters = JSON.parse(found.stdout);
  for (const { number, controls } of blocks) {
    assert.ok(controls.length >= 1 && controls.length <= 3, `block ${number}`);
    for (const name of controls) assert.equal(matters[number][name], true, `${name} changes nothing in block ${number}`);
  }
});
