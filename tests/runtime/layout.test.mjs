// A build's names: hashed or declared stable; and two deployments share a name only for the same bytes.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, readdir, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { after, before, test } from 'node:test';
import { build } from 'vite';
import { isHashed, isStable } from '../../scripts/layout.mjs';
import { ROOT, setUp } from '../../scripts/setup.mjs';

const FOLDER = join(ROOT, '.cache', 'layout-under-test');
const CHANGED = { // where the second deployment differs: deep in a lazily loaded part, in a style, in the worker
  [join(ROOT, 'src/replay/moment.js')]: 'globalThis.laterDeployment = 1;\n',
  [join(ROOT, 'static/styles/main.css')]: ':root { --later-deployment: 1 }\n',
  [join(ROOT, 'src/serve.js')]: 'globalThis.laterDeployment = 1;\n',
};

/** path -> hash of the contents, of a build whose modules had `changed` appended. */
async function built(name, changed) {
  const outDir = join(FOLDER, name);
  const seen = new Set();
  const plugin = () => ({
    name: 'later-deployment',
    enforce: 'pre',
    async load(id) {
      const file = id.split('?')[0];
      if (!(file in changed)) return null;
      seen.add(file);
      return `${await readFile(file, 'utf8')}\n${changed[file]}`;
    },
  });
  await build({ root: ROOT, configFile: join(ROOT, 'vite.config.js'), logLevel: 'warn', plugins: [plugin()], worker: { plugins: () => [plugin()] }, build: { outDir, emptyOutDir: true } });
  const names = (await readdir(outDir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const paths = names.map(({ parentPath, name }) => relative(outDir, join(parentPath, name)).split(sep).join('/'));
  return new Map(await Promise.all(paths.map(async (path) => [path, createHash('sha256').update(await readFile(join(outDir, path))).digest('hex')])));
}

let first, second;
before(async () => {
  await setUp({ quiet: true });
  first = await built('first', {});
  second = await built('second', CHANGED);
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

test('a change deep in a lazily loaded module gives the page another first script, and its worker and style other names', async () => {
  const names = (files, pattern) => [...files.keys()].filter((path) => pattern.test(path));
  for (const pattern of [/\/replay-/, /\/worker-/, /\/index-.*\.css$/, /\/index-.*\.js$/]) {
    const [before, later] = [names(first, pattern), names(second, pattern)];
    assert.notDeepEqual(before, later, String(pattern));
  }
  assert.notEqual(first.get('index.html'), second.get('index.html'));
});
