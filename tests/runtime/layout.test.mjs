// A build's names: hashed or declared stable; and two deployments share a hashed name only for the same bytes.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { isHashed, isStable } from '../../scripts/layout.mjs';
import { ROOT, setUp } from '../../scripts/setup.mjs';
import { buildDeployment, pathsOf } from '../later_deployment.mjs';

const FOLDER = join(ROOT, '.cache', 'layout-under-test');

/** path -> hash of the contents */
async function built(name, options) {
  const outDir = join(FOLDER, name);
  await buildDeployment(outDir, options);
  const hash = async (path) => createHash('sha256').update(await readFile(join(outDir, path))).digest('hex');
  return new Map(await Promise.all((await pathsOf(outDir)).map(async (path) => [path, await hash(path)])));
}

let first, second;
before(async () => {
  await setUp({ quiet: true });
  first = await built('first');
  second = await built('second', { later: true });
});
after(() => rm(FOLDER, { recursive: true, force: true }));

test('every file has a hashed name or is declared stable', () => {
  assert.deepEqual([...first.keys()].filter((path) => !isHashed(path) && !isStable(path)), []);
  assert.ok([...first.keys()].filter(isHashed).length > 30);
});

test('two deployments share a hashed name only for the same bytes', () => {
  const mixed = [...first].filter(([path, hash]) => isHashed(path) && second.has(path) && second.get(path) !== hash);
  assert.deepEqual(mixed.map(([path]) => path), []);
});

test('a change in a lazily loaded module, a style and the worker gives each of them, and the first script, another name', () => {
  const names = (files, pattern) => [...files.keys()].filter((path) => pattern.test(path));
  for (const pattern of [/\/replay-/, /\/worker-/, /\/index-.*\.css$/, /\/index-.*\.js$/]) {
    assert.notDeepEqual(names(first, pattern), names(second, pattern), String(pattern));
  }
});

test('the service worker keeps every hashed file and every page, each with its sum', async () => {
  const script = await readFile(join(FOLDER, 'first', 'sw.js'), 'utf8');
  const entries = new Map([...script.matchAll(/\{url:`([^`]+)`,revision:(null|`[^`]+`),integrity:`sha256-([^`]+)`\}/g)].map(([, url, revision, sum]) => [url, { revision, sum }]));
  const expected = [...first].filter(([path]) => isHashed(path) || (path.endsWith('.html') && !path.startsWith('oembed/'))); // those are for other programs
  for (const [path, hash] of expected) assert.equal(Buffer.from(entries.get(path)?.sum ?? '', 'base64').toString('hex'), hash, path);
  for (const [url, { revision }] of entries) assert.equal(revision === 'null', isHashed(url), url);
  assert.ok(![...entries.keys()].some((url) => /^sw|^_headers/.test(url)));
});
