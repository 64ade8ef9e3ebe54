// The authors' page without a page: what an address says, what is written back, what is pasted, what the engine would refuse.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { offer as offerOf } from '../../scripts/authors.mjs';
import { PYTHON, ROOT } from '../../scripts/setup.mjs';
import { hideable, noChoice, quarrels, readChoice, writeChoice } from '../../src/authors/choice.js';
import { readConstant } from '../../src/authors/constants.js';
import { matches } from '../../src/authors/search.js';
import { address, element, iframe, link } from '../../src/authors/snippet.js';

const offer = offerOf(ROOT);
const BASE = 'https://example.org/lab/';
const row = (name) => offer.constants.find((one) => one.name === name);
const unit = (id) => offer.units.find((one) => one.id === id);
const choice = (changes) => ({ ...noChoice(offer), ...changes });

test('every constant that is a number is offered, with the engine\'s range', () => {
  assert.equal(offer.constants.length, 21);
  for (const { name, default: value, minimum, maximum } of offer.constants) assert.deepEqual(readConstant(String(value), row(name)), { value }, `${minimum} ${maximum}`);
});

test('a bad value: the sentence names constant, value and range', () => {
  for (const [name, text, range] of [['SLOTS', '0', 'từ 1 đến 64'], ['SLOTS', '65', 'từ 1 đến 64'], ['SLOTS', '2.5', 'số nguyên'], ['SLOTS', '1,5', 'từ 1 đến 64'], ['SLOTS', 'abc', 'từ 1 đến 64'], ['D_MODEL', '7', 'số chẵn từ 2 đến 64'], ['QUALITY_GATE', '1.01', 'số từ 0 đến 1']]) {
    const { problem, value } = readConstant(text, row(name));
    assert.equal(value, undefined);
    assert.ok(problem.includes(name) && problem.includes(`«${text}»`) && problem.includes(range) && problem.includes('Hãy'), problem);
  }
  assert.match(readConstant('', row('SLOTS')).problem, /^SLOTS: cần số nguyên từ 1 đến 64\. Ô đang trống\. Hãy nhập/);
});

test('what contradicts itself here is what the engine refuses, and nothing else', () => {
  const tries = [
    {}, { D_MODEL: 10 }, { D_MODEL: 16, D_HEAD: 8 }, { N_HEADS: 4 }, { N_HEADS: 4, D_HEAD: 2 }, { D_HEAD: 2 }, { COST_DECODE_FIXED: 0 }, { COST_DECODE_FIXED: 0, COST_DECODE_PER_SEQ: 0 },
    { COST_PREFILL_FIXED: 0, COST_PREFILL_PER_TOKEN: 0 }, { COST_PREFILL_PER_TOKEN: 0 }, { SLOTS: 64, QUEUE_LIMIT: 0, POOL_BLOCKS: 1, MAX_CONTEXT: 2 }, { TTFT_SLO: 0, QUALITY_GATE: 0, N_MERGES: 0, COST_GATEWAY: 0, COST_TOKENIZE_PER_TOKEN: 0 },
  ];
  const program = 'import json, sys\nfrom inference_lab.config import Config, ConfigurationError\nfor line in sys.stdin:\n try: Config.of(json.loads(line)); print(0)\n except ConfigurationError: print(1)';
  const asked = spawnSync(PYTHON, ['-c', program], { input: tries.map((one) => JSON.stringify(one)).join('\n'), encoding: 'utf8', env: { ...process.env, PYTHONPATH: `${ROOT}/py`, PYTHONDONTWRITEBYTECODE: '1' } });
  assert.equal(asked.status, 0, asked.stderr);
  const refused = asked.stdout.trim().split('\n').map(Number);
  assert.ok(refused.includes(0) && refused.includes(1));
  tries.forEach((one, i) => assert.equal(Math.min(quarrels(one, offer).length, 1), refused[i], JSON.stringify(one)));
});

test('three lines, in them the choice and nothing that is the default', () => {
  assert.equal(element(choice({ unit: 'block-6' }), unit('block-6'), offer, BASE), [
    '<script type="module" src="https://example.org/lab/embed.js"></script>',
    '<inference-lab view="block" block="6">',
    '<a href="https://example.org/lab/?view=block&amp;block=6">6 · KV state manager</a></inference-lab>',
  ].join('\n'));
  const much = choice({ unit: 'exercise-slots', set: { BLOCK_SIZE: 2, SLOTS: 3 }, follow: 'A', hide: ['SEED', 'BLOCK_SIZE', 'SLOTS'], autorun: true, theme: 'dark', height: 480, sandbox: true });
  assert.equal(
    element(much, unit('exercise-slots'), offer, BASE).split('\n')[1],
    '<inference-lab view="exercise" exercise="SLOTS" set="BLOCK_SIZE:2,SLOTS:3" follow="A" hide="BLOCK_SIZE" autorun theme="dark" height="480" sandbox>',
  );
  assert.equal(address(much, unit('exercise-slots'), offer, BASE), `${BASE}?view=exercise&exercise=SLOTS&set=BLOCK_SIZE:2,SLOTS:3&follow=A&hide=BLOCK_SIZE&autorun=1&theme=dark`);
});

test('a frame: its height, its sandbox, its title escaped; a link: the unit, and its page for oEmbed', () => {
  const plain = iframe(choice({}), { ...unit('block-6'), title: 'a "b" <c> & d' }, offer, BASE);
  assert.match(plain, / title="a &quot;b&quot; &lt;c&gt; &amp; d" width="100%" height="\d+" /);
  assert.ok(!plain.includes('sandbox'));
  assert.match(iframe(choice({ height: 333, sandbox: true }), unit('block-6'), offer, BASE), / height="333" .* sandbox="allow-scripts"><\/iframe>$/);
  assert.equal(link(choice({ unit: 'lab' }), unit('lab'), offer, BASE), `${BASE}?view=lab\n${BASE}oembed/lab.html`);
});

const number = ({ kind, minimum, maximum }) => (kind === 'float' ? fc.constantFrom(0, 0.25, 0.5, 1) : fc.integer({ min: minimum, max: maximum }));
const anyChoice = fc.record({
  unit: fc.constantFrom(...offer.units.map(({ id }) => id)),
  set: fc.record(Object.fromEntries(offer.constants.filter(({ group }) => group === 'Lập lịch' || group === 'Bộ nhớ KV' || group === 'Chất lượng').map((one) => [one.name, number(one)])), { requiredKeys: [] }),
  follow: fc.constantFrom(...offer.follow.ids),
  hide: fc.uniqueArray(fc.constantFrom('SEED', 'COST_GATEWAY', ...offer.parts)),
  autorun: fc.boolean(), theme: fc.constantFrom('auto', 'light', 'dark'), height: fc.option(fc.integer({ min: 100, max: 5000 })), sandbox: fc.boolean(),
  as: fc.constantFrom('element', 'iframe', 'link'), width: fc.constantFrom('full', '768', '320'),
});

test('a choice survives this page\'s address', () => {
  fc.assert(fc.property(anyChoice, (any) => {
    const set = Object.fromEntries(Object.entries(any.set).filter(([name, value]) => value !== row(name).default));
    const hide = hideable({ ...any, set }, offer).filter((name) => any.hide.includes(name));
    const read = readChoice(writeChoice({ ...any, set }, offer), offer);
    assert.deepEqual(read, { choice: { ...any, set, hide }, problems: [], typed: {} });
  }));
});

test('a bad address: every part of it gets a sentence, the rest is as good as ever', () => {
  const { choice: read, problems, typed } = readChoice('?unit=nope&theme=pink&as=x&width=1&autorun=yes&sandbox=&height=9&follow=Z&hide=NOPE,script&set=SLOTS:999,NOPE:1,BLOCK_SIZE:2,D_MODEL:10,__proto__:1', offer);
  assert.deepEqual(read, choice({ set: { BLOCK_SIZE: 2 } }));
  assert.deepEqual(typed, { SLOTS: '999', D_MODEL: '10' });
  for (const [name, value] of [['unit', 'nope'], ['theme', 'pink'], ['as', 'x'], ['width', '1'], ['autorun', 'yes'], ['sandbox', ''], ['follow', 'Z'], ['hide', 'NOPE'], ['set', 'NOPE:1'], ['set', '__proto__:1']]) {
    assert.ok(problems.some((one) => one.startsWith(`${name} = «${value}»: cần `)), `${name} ${value}`);
  }
  assert.ok(problems.some((one) => one.startsWith('Chiều cao = «9»: cần ')));
  assert.equal(problems.length, 11);
});

test('of a constant said twice the last one counts; of very many bad names some are said, and how many more there are', () => {
  assert.deepEqual(readChoice('set=SLOTS:0,SLOTS:4', offer), { choice: choice({ set: { SLOTS: 4 } }), problems: [], typed: {} });
  assert.deepEqual(readChoice('set=SLOTS:4,SLOTS:0', offer), { choice: choice({}), problems: [], typed: { SLOTS: '0' } });
  const { problems } = readChoice(`hide=${Array.from({ length: 100 }, (_, i) => `X${i}`).join(',')}`, offer);
  assert.equal(problems.length, 13);
  assert.equal(problems.at(-1), 'Còn 88 chỗ khác trong địa chỉ không dùng được.');
});

test('what can be hidden is what the unit shows: its own fields and those that are set, but never an exercise\'s constant', () => {
  const names = (changes) => hideable(choice(changes), offer);
  assert.equal(names({ unit: 'lab' }).length, offer.constants.length + offer.parts.length);
  assert.deepEqual(names({ unit: 'diagram', set: { SEED: 8 } }), ['whole']);
  assert.deepEqual(names({ unit: 'block-6', set: { SEED: 8 } }).sort(), ['BLOCK_SIZE', 'POOL_BLOCKS', 'SEED', 'whole']);
  assert.ok(names({ unit: 'block-8' }).includes('requests') && !names({ unit: 'block-6' }).includes('requests'));
  assert.deepEqual(names({ unit: 'exercise-slots', set: { SLOTS: 3, SEED: 8 } }), ['SEED', 'whole']);
  assert.deepEqual(readChoice('unit=exercise-slots&hide=SLOTS,SEED,script&set=SEED:8', offer).choice.hide, ['SEED']);
});

test('no address breaks it', () => {
  fc.assert(fc.property(fc.array(fc.tuple(fc.constantFrom('unit', 'set', 'hide', 'follow', 'height', 'theme', 'x'), fc.string({ unit: 'binary' }))), (pairs) => {
    const { choice: read } = readChoice(new URLSearchParams(pairs.map(([name, text]) => [name, text.toWellFormed()])).toString(), offer);
    assert.deepEqual(readChoice(writeChoice(read, offer), offer).choice, read);
  }));
});

test('a unit is found with and without marks, in any case, by all words', () => {
  const found = (asked) => offer.units.filter(({ title, about, id }) => matches(`${title} ${about} ${id}`, asked)).map(({ id }) => id);
  assert.deepEqual(found('bộ nhớ'), ['block-10']);
  assert.deepEqual(found('BO NHO'), ['block-10']);
  assert.deepEqual(found('Sơ đồ'), ['diagram']);
  assert.ok(found('so do').includes('diagram'));
  assert.deepEqual(found('  '), offer.units.map(({ id }) => id));
  assert.deepEqual(found('không có gì như thế'), []);
});
