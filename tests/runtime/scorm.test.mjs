// The SCORM package: its manifest against SCORM 1.2's own schema and against the zip, the same bytes each time, and the pure part of
// the launch page.
import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import { validateXML } from 'xmllint-wasm';
import { packageFiles, packageOf, zipped } from '../../scripts/scorm.mjs';
import { ROOT, setUp } from '../../scripts/setup.mjs';
import { connect } from '../../src/scorm/lms.js';
import { after, none, read, score, status, timespan, write } from '../../src/scorm/progress.js';

const SCHEMA = join(ROOT, 'scripts/scorm/schema');
const EXERCISES = ['SLOTS', 'QUEUE_LIMIT', 'TOKEN_BUDGET', 'BLOCK_SIZE', 'POOL_BLOCKS', 'QUANT_BITS'];

let zip, members, manifest;
before(async () => {
  await setUp({ quiet: true });
  zip = zipped(await packageFiles(packageOf({ mastery: '67' })));
  members = unzipSync(zip);
  manifest = strFromU8(members['imsmanifest.xml']);
});

/** xmllint's word on a manifest, by the schemas that its `schemaLocation` names. */
async function validate(contents) {
  const names = (await readdir(SCHEMA)).filter((name) => name.endsWith('.xsd'));
  const preload = await Promise.all(names.map(async (fileName) => ({ fileName, contents: await readFile(join(SCHEMA, fileName), 'utf8') })));
  // One schema that imports both, since a manifest has elements of either.
  const schema = `<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema">
    <xsd:import namespace="http://www.imsproject.org/xsd/imscp_rootv1p1p2" schemaLocation="imscp_rootv1p1p2.xsd"/>
    <xsd:import namespace="http://www.adlnet.org/xsd/adlcp_rootv1p2" schemaLocation="adlcp_rootv1p2.xsd"/>
  </xsd:schema>`;
  return validateXML({ xml: { fileName: 'imsmanifest.xml', contents }, schema: { fileName: 'package.xsd', contents: schema }, preload });
}

test("the manifest is valid by SCORM 1.2's schema, and a wrong one is not", async () => {
  const { valid, errors } = await validate(manifest);
  assert.ok(valid, JSON.stringify(errors, null, 1));
  for (const [right, wrong] of [['scormtype="sco"', 'scormtype="lesson"'], ['</organizations>', ''], ['<item identifier="lab"', '<item identifier="inference-lab"']]) {
    assert.ok(manifest.includes(right));
    assert.equal((await validate(manifest.replace(right, wrong))).valid, false, wrong);
  }
});

test('what LMSs read: version, one item with title and mastery score, its resource and the launch page', () => {
  assert.match(manifest, /<schema>ADL SCORM<\/schema>\s*<schemaversion>1\.2<\/schemaversion>/);
  assert.equal(manifest.match(/<item /g).length, 1);
  assert.match(manifest, /<item identifier="lab" identifierref="lab-files"[^>]*>\s*<title>Inference Lab: [^<]+<\/title>\s*<adlcp:masteryscore>67<\/adlcp:masteryscore>/);
  assert.match(manifest, /<resource identifier="lab-files" type="webcontent" adlcp:scormtype="sco" href="launch.html">/);
});

test('the manifest lists every file of the zip once, and no other', () => {
  const listed = [...manifest.matchAll(/<file href="([^"]+)"\/>/g)].map(([, href]) => decodeURIComponent(href)).sort();
  const control = (name) => name === 'imsmanifest.xml' || /^[^/]+\.xsd$/.test(name);
  assert.deepEqual(listed, Object.keys(members).filter((name) => !control(name)).sort());
  assert.equal(Object.keys(members).filter(control).length, 5);
  for (const name of ['launch.html', 'lab/index.html']) assert.ok(listed.includes(name), name);
  assert.ok(!listed.some((name) => /(^|\/)sw(-off)?\.js$/.test(name)));
});

test('the package asks nothing of another place: every address that its pages load leads to a file in it', () => {
  for (const [page, bytes] of Object.entries(members).filter(([name]) => name.endsWith('.html'))) {
    const addresses = [...strFromU8(bytes).matchAll(/<(?:script|link|img|iframe)(?![^>]*rel="alternate")[^>]*?\s(?:src|href)="([^"#]+)"/g)].map(([, address]) => address);
    for (const address of addresses.filter((one) => !one.startsWith('data:'))) {
      const { origin, pathname } = new URL(address, `http://package/${page}`);
      assert.equal(origin, 'http://package', `${page}: ${address}`);
      assert.ok(pathname.slice(1) in members, `${page}: ${address}`);
    }
  }
});

test('the same files give the same zip, whatever the clock says', () => {
  assert.deepEqual(Buffer.from(zipped(new Map(Object.entries(members)))), Buffer.from(zip));
});

test('one exercise alone counts for all; what is no good is refused by name', () => {
  const one = packageOf({ view: 'exercise', exercise: 'SLOTS', mastery: '100' });
  assert.deepEqual([one.exercises, one.mastery], [['SLOTS'], 100]);
  assert.deepEqual(packageOf().exercises, EXERCISES);
  assert.equal(packageOf({ mastery: 'none' }).mastery, null);
  for (const bad of [{ view: 'block' }, { view: 'exercise' }, { view: 'exercise', exercise: 'SEED' }, { exercise: 'SLOTS' }, { mastery: '101' }, { mastery: '1e1' }]) {
    assert.throws(() => packageOf(bad), /✕ --(view|exercise|mastery)/, JSON.stringify(bad));
  }
});

test('two of six solved are 33 points; passed at the mastery score, done without one only when all are', () => {
  let progress = none();
  for (const [id, correct] of [['SLOTS', false], ['SLOTS', true], ['SLOTS', true], ['SEED', true], ['BLOCK_SIZE', true]]) progress = after(progress, { id, correct }, EXERCISES);
  assert.deepEqual(progress, { solved: ['SLOTS', 'BLOCK_SIZE'], attempts: { SLOTS: 3, BLOCK_SIZE: 1 } });
  assert.equal(score(progress, EXERCISES), 33);
  assert.deepEqual([33, 34, null, 0].map((mastery) => status(progress, EXERCISES, mastery)), ['passed', 'incomplete', 'incomplete', 'passed']);
  assert.equal(status({ solved: EXERCISES, attempts: {} }, EXERCISES, null), 'completed');
});

test('suspend_data comes back as it went, fits into 4096 characters, and nonsense is nothing', () => {
  const attempts = fc.dictionary(fc.constantFrom(...EXERCISES), fc.integer({ min: 1, max: 1e9 }));
  fc.assert(fc.property(fc.subarray(EXERCISES), attempts, (solved, attempts) => {
    const text = write({ solved, attempts });
    assert.deepEqual(read(text, EXERCISES), { solved, attempts: { ...attempts } });
    assert.ok(text.length < 4096);
  }));
  for (const text of ['', 'null', '{', '{"v":2,"solved":["SLOTS"],"attempts":{}}', '{"v":1}', '[]']) assert.deepEqual(read(text, EXERCISES), none(), text);
  assert.deepEqual(read('{"v":1,"solved":["X","SLOTS"],"attempts":{"X":1,"SLOTS":-1}}', EXERCISES), { solved: ['SLOTS'], attempts: {} });
});

test('an LMS that refuses or throws is told by call and reason, and stops nothing', () => {
  const refusing = { LMSInitialize: () => 'true', LMSSetValue: () => false, LMSGetLastError: () => 403 };
  const throwing = { LMSInitialize: () => true, LMSSetValue: () => { throw new Error('gone'); }, LMSGetValue: () => { throw new Error('gone'); } };
  for (const [API, reason] of [[refusing, '403'], [throwing, 'Error: gone']]) {
    const troubles = [];
    const page = { API };
    page.parent = page.top = page;
    const lms = connect((call, code) => troubles.push([call, code]), page);
    lms.write('cmi.core.exit', 'suspend');
    assert.deepEqual(troubles, [['LMSSetValue cmi.core.exit suspend', reason]]);
    assert.equal(API === throwing ? lms.read('cmi.suspend_data') : '', '');
  }
  const closed = { API: { LMSInitialize: () => 'false', LMSGetLastError: () => 101 } };
  closed.parent = closed.top = closed;
  const troubles = [];
  assert.equal(connect((...trouble) => troubles.push(trouble), closed), null);
  assert.deepEqual(troubles, [['LMSInitialize', '101']]);
});

test('a time span as SCORM 1.2 writes it', () => {
  assert.deepEqual([0, 1_234, 59_999, 3_600_000 + 61_010, 100 * 3_600_000].map(timespan), ['0000:00:00.00', '0000:00:01.23', '0000:01:00.00', '0001:01:01.01', '0100:00:00.00']);
});
