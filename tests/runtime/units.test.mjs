// The manifest, its schema, the oEmbed answers and the pictures: each unit once, nothing written twice, every address a thing that exists.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { lessons } from '../../scripts/lessons.mjs';
import { manifest, reservedHeights, siteOf, unitFiles } from '../../scripts/units.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SITE = 'https://example.org/lab/';
const readJson = async (path) => JSON.parse(await readFile(`${ROOT}/${path}`, 'utf8'));
const validate = addFormats(new Ajv({ allErrors: true, allowUnionTypes: true })).compile(await readJson('static/lessons.schema.json'));
const made = manifest(ROOT);
const constants = await readJson('.cache/engine-data/constants.json');

test('the manifest is as its schema says, with and without a site', () => {
  for (const one of [made, manifest(ROOT, SITE)]) assert.ok(validate(one), JSON.stringify(validate.errors));
});

const BROKEN = {
  'no version': (one) => { delete one.version; },
  'another version': (one) => { one.version = 2; },
  'a unit without a title': (one) => { delete one.units[0].title; },
  'minutes as text': (one) => { one.units[0].minutes = '5'; },
  'an address from the root': (one) => { one.units[0].url = '/?view=lab'; },
  'a panel without its number': (one) => { delete one.units.find(({ id }) => id === 'block-6').embed.attributes.block; },
  'the lab with a panel': (one) => { one.units.find(({ id }) => id === 'lab').embed.attributes.block = '6'; },
  'a fourteenth panel': (one) => { one.units.find(({ id }) => id === 'block-6').embed.attributes.block = '14'; },
  'a site that is no folder': (one) => { one.site = 'https://example.org/lab'; },
  'a height of nothing': (one) => { one.units[0].embed.height = 0; },
};
for (const [name, change] of Object.entries(BROKEN)) {
  test(`the schema refuses ${name}`, () => {
    const copy = structuredClone(made);
    change(copy);
    assert.equal(validate(copy), false);
  });
}

test('the lab, the diagram, 13 panels and six exercises, each once and in one group', () => {
  const ids = made.units.map(({ id }) => id);
  const panels = Array.from({ length: 13 }, (_, i) => `block-${i + 1}`);
  const exercises = ['slots', 'queue_limit', 'token_budget', 'block_size', 'pool_blocks', 'quant_bits'].map((name) => `exercise-${name}`);
  assert.deepEqual([...ids].sort(), ['lab', 'diagram', ...panels, ...exercises].sort());
  assert.deepEqual(made.groups.flatMap(({ units }) => units), ids);
  for (const { id, group } of made.units) assert.ok(made.groups.find((one) => one.id === group).units.includes(id));
});

test('titles, minutes and needs are the lesson list\'s, and nobody needs a unit that is not there', () => {
  const byId = new Map(lessons(ROOT).groups.flatMap(({ units }) => units).map((one) => [one.id, one]));
  for (const { id, title, minutes, needs } of made.units) {
    const { title: name, minutes: lasting, needs: before } = byId.get(id);
    assert.deepEqual({ title, minutes, needs }, { title: name, minutes: lasting, needs: before });
    for (const need of needs) assert.ok(made.units.some((one) => one.id === need), `${id} needs ${need}`);
  }
});

test('a unit\'s address says what the element\'s attributes say, relative to the manifest', () => {
  for (const { url, embed: { attributes } } of made.units) {
    const address = new URL(url, `${SITE}lessons.json`);
    assert.equal(address.origin + address.pathname, SITE);
    assert.deepEqual(Object.fromEntries(address.searchParams), attributes);
  }
  assert.deepEqual(made.units.find(({ id }) => id === 'exercise-token_budget').embed.attributes, { view: 'exercise', exercise: 'TOKEN_BUDGET' });
});

test('every exercise is about a constant of the engine', () => {
  const names = constants.map(({ name }) => name);
  const asked = made.units.flatMap(({ embed }) => embed.attributes.exercise ?? []);
  assert.equal(asked.length, 6);
  for (const name of asked) assert.ok(names.includes(name), name);
});

test('with a site\'s address an oEmbed answer is absolute, and its frame is the unit', () => {
  const files = unitFiles(ROOT, SITE);
  for (const { id, url, oembed, embed, thumbnail } of made.units) {
    const answer = JSON.parse(files.get(oembed));
    assert.deepEqual([answer.version, answer.type, answer.provider_name, answer.provider_url], ['1.0', 'rich', 'Inference Lab', SITE], id);
    assert.equal(answer.thumbnail_url, new URL(thumbnail.path, SITE).href);
    assert.deepEqual([answer.thumbnail_width, answer.thumbnail_height, answer.height], [thumbnail.width, thumbnail.height, embed.height]);
    assert.ok(Number.isInteger(answer.width) && answer.title.length > 3);
    const [, src] = /^<iframe src="([^"]+)" [^<>]*><\/iframe>$/.exec(answer.html);
    assert.equal(src.replaceAll('&amp;', '&'), new URL(url, SITE).href);
    assert.ok(answer.html.includes(` width="${answer.width}" height="${answer.height}" `));
  }
});

test('a unit\'s page names its own answer, and goes on to the unit', () => {
  for (const site of [SITE, null]) {
    const files = unitFiles(ROOT, site);
    for (const { id, url, oembed, page, title } of made.units) {
      const text = files.get(page).replaceAll('&amp;', '&');
      const at = (address) => new URL(address, SITE + page).href;
      assert.equal(at(/json\+oembed" href="([^"]+)"/.exec(text)[1]), SITE + oembed, id);
      assert.equal(at(/content="0; url=([^"]+)"/.exec(text)[1]), new URL(url, SITE).href);
      assert.ok(text.includes(`<title>${title} · Inference Lab</title>`), id);
    }
  }
});

test('without one it is relative to the file that it stands in', () => {
  const answer = JSON.parse(unitFiles(ROOT, null).get('oembed/block-6.json'));
  const file = `${SITE}oembed/block-6.json`;
  assert.equal(new URL(answer.thumbnail_url, file).href, `${SITE}thumbnails/block-6.webp`);
  assert.equal(new URL(/src="([^"]+)"/.exec(answer.html)[1].replaceAll('&amp;', '&'), file).href, `${SITE}?view=block&block=6`);
});

test('the site\'s address: a folder, or a sentence with name, value and remedy', () => {
  assert.equal(siteOf({}), null);
  assert.equal(siteOf({ SITE_URL: '' }), null);
  assert.equal(siteOf({ SITE_URL: 'https://example.org/lab' }), SITE);
  assert.equal(siteOf({ SITE_URL: 'https://example.org' }), 'https://example.org/');
  for (const bad of ['example.org', '/lab', 'ftp://example.org/', 'https://example.org/?a=1', 'https://example.org/#a', 'https://me@example.org/', 'javascript:alert(1)']) {
    assert.throws(() => siteOf({ SITE_URL: bad }), ({ message }) => message.includes('SITE_URL') && message.includes(bad), bad);
  }
});

test('embed.js keeps free for each view what was measured', async () => {
  const [, text] = /const RESERVED = (.+);/.exec(await readFile(`${ROOT}/static/embed.js`, 'utf8'));
  assert.deepEqual(JSON.parse(JSON.stringify(runInNewContext(`(${text})`))), reservedHeights(ROOT));
});

/** Width and height of a WebP picture, from its first chunk. */
function sizeOf(bytes) {
  assert.deepEqual([bytes.toString('latin1', 0, 4), bytes.toString('latin1', 8, 12)], ['RIFF', 'WEBP']);
  const kind = bytes.toString('latin1', 12, 16);
  if (kind === 'VP8 ') return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  if (kind === 'VP8X') return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
  assert.equal(kind, 'VP8L');
  const bits = bytes.readUInt32LE(21);
  return [(bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1];
}

test('every unit has its picture, of the size that the manifest says, under 20 kB, and no two are the same', async () => {
  const seen = new Set();
  for (const { id, thumbnail: { path, width, height, type } } of made.units) {
    const bytes = await readFile(`${ROOT}/static/${path}`);
    assert.equal(type, 'image/webp');
    assert.deepEqual(sizeOf(bytes), [width, height], id);
    assert.ok(bytes.length < 20_000, `${id}: ${bytes.length} bytes`);
    seen.add(bytes.toString('base64'));
  }
  assert.equal(seen.size, made.units.length);
});
