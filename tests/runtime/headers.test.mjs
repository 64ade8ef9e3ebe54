// The table of response headers: what each kind of file gets, and that `_headers` says the same to a server that reads it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVERYWHERE, headersFile, headersOf } from '../../scripts/headers.mjs';
import { isHashed, isStable } from '../../scripts/layout.mjs';

const HASHED = ['assets/index-B3k9x_fQ.js', 'assets/view-0123456789.py', 'vendor/runtime-c6a26bd081/pyodide.asm.wasm'];
const STABLE = ['index.html', 'authors.html', 'embed.js', 'embed.d.ts', 'sw.js', 'sw-off.js', 'lessons.json', 'lessons/index.html', 'oembed/block-1.json', 'oembed/block-1.html', 'lessons.schema.json', 'thumbnails/lab.webp', 'docs/manifest.md'];

/** What a server that reads the file sends: every matching block counts, and a value said twice is joined. */
function asServed(path) {
  const sent = {};
  for (const block of headersFile().trim().split('\n\n')) {
    const [pattern, ...lines] = block.split('\n');
    if (pattern.endsWith('*') ? !path.startsWith(pattern.slice(0, -1)) : path !== pattern) continue;
    for (const line of lines) {
      const [, name, value] = /^ {2}([\w-]+): (.+)$/.exec(line);
      sent[name] = name in sent ? `${sent[name]}, ${value}` : value;
    }
  }
  return sent;
}

test('a file with a hash in its name is kept for ever', () => {
  for (const path of HASHED) {
    assert.ok(isHashed(path), path);
    assert.equal(headersOf(`/${path}`)['Cache-Control'], 'public, max-age=31536000, immutable', path);
  }
});

test('a stable name is asked for again each time', () => {
  for (const path of STABLE) {
    assert.ok(isStable(path), path);
    assert.equal(headersOf(`/${path}`)['Cache-Control'], 'no-cache', path);
  }
  assert.equal(headersOf('/')['Cache-Control'], 'no-cache');
});

test('every file may be used from other origins', () => {
  for (const path of [...HASHED, ...STABLE]) {
    for (const [name, value] of Object.entries(EVERYWHERE)) assert.equal(headersOf(`/${path}`)[name], value, path);
  }
  assert.equal(EVERYWHERE['Access-Control-Allow-Origin'], '*');
  assert.equal(EVERYWHERE['Cross-Origin-Resource-Policy'], 'cross-origin');
  assert.equal(EVERYWHERE['Cross-Origin-Embedder-Policy'], 'require-corp');
});

test('`_headers` says the same, and no path gets a header twice', () => {
  for (const path of ['', ...HASHED, ...STABLE]) assert.deepEqual(asServed(`/${path}`), headersOf(`/${path}`), path);
});
