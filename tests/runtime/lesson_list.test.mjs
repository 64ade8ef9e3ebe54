// The lesson list: every panel, cell, card and exercise has one entry; nothing needs what does not exist or itself; ticks that come by themselves.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { lessons, renderLessons } from '../../scripts/lessons.mjs';
import { linkOf, readLink, readRecord, valid } from '../../src/lesson/machine_record.js';
import { autoTicks } from '../../src/lesson/ticks.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const list = lessons(ROOT);
const units = list.groups.flatMap((group) => group.units);

test('this lesson, the diagram, the lab, 13 panels, six exercises, 21 cells, four cards, the other topology: 48 entries', () => {
  assert.deepEqual(list.groups.map(({ id, units: own }) => [id, own.length]), [['whole', 3], ['blocks', 13], ['exercises', 6], ['cells', 21], ['cards', 4], ['topologies', 1]]);
  assert.equal(new Set(units.map(({ id }) => id)).size, 48);
});

test('every entry says how long it takes, where it is and what it is about', () => {
  for (const { id, minutes, href, about, title } of units) {
    assert.ok(Number.isInteger(minutes) && minutes > 0 && minutes <= 60, id);
    assert.match(href, /^(\.\.\/index\.html#[\w-]+|one-model-call\.html)$/, id);
    assert.ok(about.length > 10 && title.length > 3, id);
  }
});

test('what an entry builds on comes without a circle, and the path never asks for what comes later in it', () => {
  const byId = new Map(units.map((one) => [one.id, one]));
  const all = (id, above = []) => {
    assert.ok(!above.includes(id), [...above, id].join(' needs '));
    for (const need of byId.get(id).needs) all(need, [...above, id]);
  };
  for (const { id } of units) all(id);
  const path = list.path.map(({ id }) => id);
  assert.equal(new Set(path).size, path.length);
  list.path.forEach(({ id, needs }, i) => {
    for (const need of needs) assert.ok(!path.includes(need) || path.indexOf(need) < i, `${id} comes before ${need}`);
  });
});

test('the page has a tick for each entry and no place left unfilled', async () => {
  const html = renderLessons(await readFile(`${ROOT}/lessons/index.html`, 'utf8'), ROOT);
  assert.equal(html.match(/data-tick="/g).length, 48);
  assert.ok(!html.includes('<!-- page:') && !html.includes('undefined') && !html.includes('{total}'));
  assert.equal(html.match(/data-step="/g).length, list.path.length);
});

test('what an entry builds on is said at the entry, or once for a group that builds on the same', async () => {
  const html = renderLessons(await readFile(`${ROOT}/lessons/index.html`, 'utf8'), ROOT);
  const count = (text) => html.split(text).length - 1;
  assert.equal(count('Cả nhóm: nên học trước «Chạy lab: một yêu cầu, mười ba khối».'), 1);
  assert.equal(count('Cả nhóm: nên học trước «Sơ đồ một hệ phục vụ LLM».'), 2); // cells, cards
  assert.equal(count('Cả nhóm: không cần học gì trước.'), 1);
  assert.equal(count('<p class="small">Nên học trước «'), 7); // six exercises, the other topology
  assert.equal(count('Nên học trước «3 · Iteration scheduler», «11 · Telemetry &amp; capacity feedback».'), 1);
});

// ── Ticks ──

const ticks = (given) => [...autoTicks((name) => given[name] ?? null, Object.keys(given))];

test('a solved exercise and a lesson with all questions done are ticked, begun ones are not', () => {
  const exercises = { slots: ['falls', ['{}'], 0, false, true], block_size: ['', ['{}'], 1, true, false] };
  assert.deepEqual(ticks({ 'inference-lab/1': { kept: { exercises } }, 'inference-lab:one-model-call-done': [10, 10] }), ['exercise-slots', 'one-model-call']);
  assert.deepEqual(ticks({ 'inference-lab:one-model-call-done': [9, 10] }), []);
});

test('the lab keeps its state where the ticks look for it', async () => {
  assert.match(await readFile(`${ROOT}/static/view/controls.py`, 'utf8'), /^STORE = "inference-lab\/1" \+ engine\.own\b/m);
});

test('an exercise solved in a view of the lab counts, what another program keeps does not', () => {
  const kept = { kept: { exercises: { slots: ['', [], 0, false, true] } } };
  assert.deepEqual(ticks({ 'inference-lab/1 ?view=exercise&exercise=SLOTS': kept, 'inference-lab/10': { kept: { exercises: { quant_bits: ['', [], 0, false, true] } } } }), ['exercise-slots']);
});

for (const odd of [null, 7, 'x', [], {}, { kept: null }, { kept: { exercises: 'no' } }, { kept: { exercises: { slots: null, quant_bits: 'abcde' } } }]) {
  test(`nothing is ticked by ${JSON.stringify(odd)}`, () => {
    assert.deepEqual(ticks({ 'inference-lab/1': odd, 'inference-lab:one-model-call-done': odd }), []);
  });
}

// ── Records of a measured machine ──

const spread = { median: 2, low: 1, high: 3, repeats: 5 };
const phase = { tokens: 16, seconds: spread, tokens_per_s: 8, compute_share: 0.5, bandwidth_share: 0.25, flops: 100, bytes: 40, intensity: 2.5 };
const record = {
  kind: 'inference-lab/machine', version: 1, size: 'tiny', where: { place: 'native', system: 'Máy thử', python: '3.12', numpy: '2.4' },
  shape: { layers: 4, width: 256, heads: 4, weight_bytes: 1e7 }, points: { matmul_float32: spread, read: spread, 'prefill 16': spread },
  result: { prefill: [phase], decode: phase, balance_flop_per_byte: 20, measured_ratio: 4, predicted_ratio: 5, wrong_ceilings: [] },
};
const but = (change) => {
  const copy = structuredClone(record);
  change(copy);
  return copy;
};

test('a record survives its text and its link', () => {
  assert.deepEqual(readRecord(JSON.stringify(record)), record);
  assert.deepEqual(readLink(linkOf(record)), { made: record });
  assert.match(linkOf(record), /^#may=[\w-]+$/);
});

test('an address without a record says so, one with a broken record has none', () => {
  for (const plain of ['', '#machine', '#may']) assert.equal(readLink(plain), null);
  for (const broken of ['#may=', '#may=a', '#may=%%%', '#may=e30', `#may=${'A'.repeat(200_000)}`, '#may=_____w']) assert.deepEqual(readLink(broken), { made: null }, broken.slice(0, 20));
});

test('a cache may be known, or not', () => {
  for (const bytes of [null, undefined, 3e8]) assert.ok(valid(but((made) => { made.where.last_cache_bytes = bytes; })), String(bytes));
});

const BAD = {
  'another kind': (made) => { made.kind = 'x'; },
  'a later version': (made) => { made.version = 2; },
  'no points': (made) => { delete made.points; },
  'a ceiling without numbers': (made) => { made.points.read = {}; },
  'no phases': (made) => { made.result.prefill = []; },
  'a thousand phases': (made) => { made.result.prefill = Array(1000).fill(phase); },
  'a negative rate': (made) => { made.result.decode = { ...phase, tokens_per_s: -1 }; },
  'a name that is none': (made) => { made.where.system = { toString: 1 }; },
  'an endless name': (made) => { made.where.system = 'x'.repeat(1000); },
  'a size that is none': (made) => { made.size = null; },
  'no ceiling of computing': (made) => { delete made.points.matmul_float32; },
  'a ceiling of zero, which has no place on the chart': (made) => { made.points.read = { ...spread, median: 0 }; },
  'a phase without its work': (made) => { delete made.result.decode.flops; },
  'an intensity that no chart can hold': (made) => { made.result.prefill = [{ ...phase, intensity: 1e-300 }]; },
  'half a token': (made) => { made.result.prefill = [{ ...phase, tokens: 1.5 }]; },
  'a point that is none': (made) => { made.points['x'.repeat(5000)] = spread; },
  'a point without numbers': (made) => { made.points['prefill 64'] = null; },
  'a cache that is none': (made) => { made.where.last_cache_bytes = 'x'; },
};
for (const [name, change] of Object.entries(BAD)) test(`not a record: ${name}`, () => assert.equal(valid(but(change)), null));
for (const text of ['', '{', 'null', '[]', '7', '"x"', '{"kind":"inference-lab/machine"}', ' '.repeat(200_000)]) {
  test(`not a record: «${text.slice(0, 30)}»`, () => assert.equal(readRecord(text), null));
}

test('a size of decoder has one name, in the page and in what the engine says of it', async () => {
  const names = async (path) => [...(await readFile(ROOT + path, 'utf8')).match(/SIZE_NAMES = \{(.*?)\}/)[1].matchAll(/(\w+)"?: ["'](.*?)["']/g)].map(([, id, name]) => [id, name]);
  const page = await names('src/lesson/machine_section.js');
  assert.equal(page.length, 4);
  assert.deepEqual(page, await names('py/inference_lab/machine.py'));
});
