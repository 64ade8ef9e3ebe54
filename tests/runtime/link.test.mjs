// The configuration in an address: what is written is read again, and what nobody of ours wrote does no harm.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync, strFromU8, strToU8 } from 'fflate';
import { hasState, readLink, writeLink } from '../../src/link.js';
import { createStorage } from '../../src/storage.js';

const FULL = {
  set: [['SLOTS', '3'], ['QUALITY_GATE', '0.9']],
  follow: 'khách & bạn',
  corpus: ['xin chào model', 'a!b~c%d', '=&?#+'],
  requests: [['A', '0', 'xin ~ chào! 100%', '10', '0', '0', '1', '1'], ['B', '250', '', '7', '0.8', '4', '0.9', '2']],
};
const packed = (text) => btoa(strFromU8(deflateSync(strToU8(text)), true)).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
const again = (state, query, fragment) => {
  const written = writeLink(state, query, fragment);
  return readLink(`?${written.query}`, written.fragment && `#${written.fragment}`);
};

test('constants stand in the address as a reader would write them', () => {
  assert.equal(writeLink({ set: [['SLOTS', '3'], ['QUEUE_LIMIT', '2']] }).query, 'v=1&set=SLOTS:3,QUEUE_LIMIT:2');
  assert.equal(writeLink({ set: [] }).query, '');
});

test('what is written is read again, in any letters', () => {
  assert.deepEqual(again(FULL), { trouble: '', state: FULL, unknown: [] });
  const script = '# đếm\nprint("xin chào 😀")\n'.repeat(20);
  assert.deepEqual(again({ script }).state, { script });
});

test('all constants changed and the five requests stay under 2 kB', () => {
  const set = Array.from({ length: 22 }, (_, i) => [`COST_PREFILL_PER_TOKEN_${i}`, '1000000']);
  const requests = Array.from({ length: 5 }, () => ['A', '1000', 'xin chao model token', '10', '0.8', '5', '0.9', '4']);
  assert.ok(writeLink({ set, requests, follow: 'A' }).query.length < 2000);
});

test('parameters of others and a place on the page stay', () => {
  assert.deepEqual(writeLink({ set: [['SLOTS', '3']] }, '?embed=1&set=SLOTS:9&theme=a%20b', 'block-3'), { query: 'embed=1&theme=a%20b&v=1&set=SLOTS:3', fragment: 'block-3' });
  assert.deepEqual(writeLink({}, '?v=1&set=SLOTS:9', ''), { query: '', fragment: '' });
});

test('a long script goes where no server sees it', () => {
  const script = Array.from({ length: 3000 }, (_, i) => `x${i} = ${Math.sin(i)}`).join('\n');
  const { query, fragment } = writeLink({ script });
  assert.equal(query, 'v=1');
  assert.ok(fragment.startsWith('script='));
  assert.equal(readLink(`?${query}`, `#${fragment}`).state.script, script);
  assert.deepEqual(writeLink({ set: [['SLOTS', '3']] }, '?v=1', fragment), { query: 'v=1&set=SLOTS:3', fragment: '' });
});

test('a later version is told from nonsense', () => {
  assert.equal(readLink('?v=2&set=SLOTS:3').trouble, 'later');
  for (const v of ['0', 'x', '1.5', '__proto__', '']) assert.equal(readLink(`?v=${v}&set=SLOTS:3`).trouble, 'broken', v);
});

test('an address without a word of ours says nothing', () => {
  for (const address of ['', '?', '?embed=1', '?vv=2']) assert.deepEqual(readLink(address).state, {}, address);
  assert.equal(readLink('', '#block-3').trouble, '');
  assert.equal(hasState('#block-3'), false);
  assert.equal(hasState('?embed=1&set=A:1'), true);
});

test('hostile pairs are pairs of text, or are named as unknown', () => {
  const { state, unknown } = readLink('?v=1&set=SLOTS:3,__proto__:1,constructor:2,<img onerror=alert(1)>:1,slots:3,SLOTS');
  assert.deepEqual(state.set, [['SLOTS', '3']]);
  assert.equal(unknown.length, 5);
  assert.equal({}.polluted, undefined);
  assert.deepEqual(readLink('?v=1&__proto__=x&set=SLOTS:<img src=x onerror=alert(1)>').state.set, [['SLOTS', '<img src=x onerror=alert(1)>']]);
});

test('broken encodings are broken, and nothing is thrown', () => {
  for (const query of ['?script=%%%', '?script=AAAA', '?script=!!', '?requests=A~0', '?requests=', `?script=${packed('x').slice(0, -2)}`, '?set=%E0%A4%A', '?script=_w']) {
    const { trouble, state } = readLink(query);
    assert.ok(trouble === 'broken' || state.set, query);
  }
  const notText = btoa(strFromU8(deflateSync(new Uint8Array([0xff, 0xfe, 0x80])), true)).replace(/=+$/, '');
  assert.equal(readLink(`?script=${notText.replace(/\+/g, '-').replace(/\//g, '_')}`).trouble, 'broken');
});

test('a megabyte is not read', () => {
  const before = process.cpuUsage(); // a busy machine takes none of it
  assert.equal(readLink(`?v=1&set=${'SLOTS:3,'.repeat(125_000)}`).trouble, 'long');
  assert.ok(process.cpuUsage(before).user < 50_000);
});

test('more requests than the view reads at once are not taken from a link, hundreds are', () => {
  const requests = (count) => Array.from({ length: count }, (_, i) => `R${i}~0~xin~5~0~0~1~1`).join('!');
  assert.equal(readLink(`?v=1&requests=${requests(10_000)}`).trouble, 'long');
  assert.equal(readLink(`?v=1&requests=${requests(500)}`).state.requests.length, 500);
});

test('the longest script that the editor takes comes back from its link, in whatever letters', () => {
  let state = 1;
  const letters = Array.from({ length: 100_000 }, () => String.fromCharCode(0x4e00 + (state = (state * 48271) % 2147483647) % 20_000));
  for (const script of ['ệ'.repeat(100_000), letters.join('')]) {
    const { query, fragment } = writeLink({ script });
    assert.equal(readLink(query, fragment).state.script, script);
  }
});

test('a bomb is stopped before it has grown', () => {
  const bomb = packed('\0'.repeat(100_000_000));
  assert.ok(bomb.length < 200_000);
  const before = process.memoryUsage().rss;
  assert.equal(readLink(`?v=1&script=${bomb}`).trouble, 'long');
  assert.ok(process.memoryUsage().rss - before < 20_000_000);
});

test('storage: what is written is read, blocked, full or not', () => {
  const blocked = () => { throw new DOMException('no', 'SecurityError'); };
  const full = { getItem: () => null, setItem: blocked };
  const kept = new Map();
  const good = { getItem: (name) => kept.get(name) ?? null, setItem: (name, text) => kept.set(name, text) };
  for (const [open, lasts] of [[blocked, false], [() => full, false], [() => null, false], [() => undefined, false], [() => good, true]]) {
    const storage = createStorage(open);
    assert.equal(storage.read('a'), '');
    assert.equal(storage.write('a', 'x'), lasts);
    assert.equal(storage.read('a'), 'x');
  }
  assert.equal(createStorage(() => good).read('a'), 'x');
});

test('storage: a tab keeps what it wrote itself, also when another one writes, or when there is no room for all', () => {
  const map = (kept) => ({ getItem: (name) => kept.get(name) ?? null, setItem: (name, text) => kept.set(name, text) });
  const [shared, ofTab] = [map(new Map()), map(new Map())];
  assert.equal(createStorage(() => shared, () => ofTab).own('a'), '');
  createStorage(() => shared, () => ofTab).write('a', 'x');
  createStorage(() => shared, () => map(new Map())).write('a', 'y');
  const reloaded = createStorage(() => shared, () => ofTab);
  assert.deepEqual([reloaded.own('a'), reloaded.read('a')], ['x', 'y']);
  const noRoom = { ...ofTab, setItem: () => { throw new DOMException('no', 'QuotaExceededError'); }, removeItem: () => ofTab.setItem('a', null) };
  createStorage(() => shared, () => noRoom).write('a', 'later');
  assert.equal(createStorage(() => shared, () => ofTab).own('a'), ''); // then what is shared is the latest
  const full = { getItem: () => 'old', setItem: () => { throw new DOMException('no', 'QuotaExceededError'); } };
  assert.equal(createStorage(() => full, () => ofTab).write('a', 'z'), false);
  assert.equal(createStorage(() => full, () => ofTab).own('a'), 'z');
});

test('storage: a fault of ours is not hidden', () => {
  assert.throws(() => createStorage(() => { throw new TypeError('ours'); }), TypeError);
});
