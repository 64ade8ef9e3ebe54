// Downloads against a network that is made up here.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { Downloads, FileTrouble } from '../../src/downloads.js';

const FILE = { name: 'numpy.whl', path: 'vendor/numpy.whl', bytes: 6 };
const BASE = 'http://lab.example/';
const nativeFetch = globalThis.fetch;
let downloads;

beforeEach(() => mock.timers.enable({ apis: ['setInterval', 'Date'] }));
afterEach(() => {
  downloads.end();
  mock.timers.reset();
  globalThis.fetch = nativeFetch;
});

/** Downloads of FILE from a network that gives `answer` to everything. */
function downloading(answer, onBytes) {
  globalThis.fetch = async () => answer();
  downloads = new Downloads([FILE], BASE, onBytes);
  downloads.start(FILE.name);
  return downloads;
}

const body = (...chunks) => new Response(new ReadableStream({
  start(controller) {
    for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
    controller.close();
  },
}));

const names = (reason) => (error) => error instanceof FileTrouble && error.file === FILE.name && reason.test(error.message);

test('bytes are counted as they come and handed on unchanged, under a type that WebAssembly takes', async () => {
  const seen = [];
  const { fetch } = downloading(() => body('abc', 'def'), (loaded, total) => seen.push([loaded, total]));
  const response = await fetch(`${BASE}vendor/numpy.whl`);
  assert.equal(await response.text(), 'abcdef');
  assert.deepEqual(seen.slice(0, 2), [[3, 6], [6, 6]]);
  assert.equal(response.headers.get('content-type'), 'application/zip');
});

test('a refusal names the file and the status', async () => {
  downloading(() => new Response('', { status: 403 }));
  await assert.rejects(downloads.trouble, names(/403/));
});

test('no connection names the file', async () => {
  downloading(() => { throw new TypeError('network'); });
  await assert.rejects(downloads.trouble, names(/không kết nối được/));
});

test('a body that is too short names the file and both sizes', async () => {
  downloading(() => body('abc'));
  await assert.rejects(downloads.trouble, names(/3 byte, lẽ ra 6/));
});

test('a body that is too long is no good either', async () => {
  downloading(() => body('abcdefgh'));
  await assert.rejects(downloads.trouble, names(/8 byte, lẽ ra 6/));
});

/** A body that breaks off after these chunks. */
const broken = (...chunks) => new Response(new ReadableStream({
  pull(controller) {
    if (chunks.length > 0) controller.enqueue(new TextEncoder().encode(chunks.shift()));
    else controller.error(new TypeError('network error'));
  },
}));

test('a body that breaks off is asked for once more, past the cache, and goes on where it was', async () => {
  const answers = [broken('ab', 'cd'), body('abc', 'def')];
  const asked = [];
  globalThis.fetch = async (address, init) => {
    asked.push([address, init?.cache]);
    return answers.shift();
  };
  downloads = new Downloads([FILE], BASE);
  downloads.start(FILE.name);
  const response = await downloads.fetch(`${BASE}vendor/numpy.whl`);
  assert.equal(await response.text(), 'abcdef');
  assert.equal(downloads.loaded, 6);
  assert.deepEqual(asked, [[`${BASE}vendor/numpy.whl`, undefined], [`${BASE}vendor/numpy.whl`, 'no-store']]);
});

test('a body that breaks off twice names the file and how far it came', async () => {
  const answers = [broken('abcd'), broken('abcde')];
  downloading(() => answers.shift());
  await assert.rejects(downloads.trouble, names(/đứt kết nối sau 5 trong 6 byte/));
});

test('a body that is shorter the second time is no good', async () => {
  const answers = [broken('abcd'), body('ab')];
  downloading(() => answers.shift());
  await assert.rejects(downloads.trouble, names(/2 byte, lẽ ra 6/));
});

test('after a trouble nothing more is handed out', async () => {
  downloading(() => new Response('', { status: 404 }));
  await assert.rejects(downloads.trouble);
  await assert.rejects(downloads.fetch(`${BASE}vendor/numpy.whl`), names(/404/));
});
