// The lab as a SCORM 1.2 package, for an LMS.
//
// usage: npm run scorm -- [--view exercise --exercise SLOTS] [--mastery 50|none] [--out FILE]
//
// The zip holds a launch page (src/scorm/), a whole build of the lab in lab/, the manifest that lists all of it, and SCORM's control
// documents. It needs no other server. The same sources give the same bytes. Without options the package is the whole lab, and the score
// is the share of the six exercises that are solved; with --view exercise it is one exercise, solved or not. The mastery score is what passes; with `none` whoever solves all is done.
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { zipSync } from 'fflate';
import { build } from 'vite';
import { escape } from './html.mjs';
import { ROOT, SetUpError, setUp } from './setup.mjs';
import { unitGroups } from './units.mjs';

const SOURCES = join(ROOT, 'src', 'scorm');
const SCHEMA = join(ROOT, 'scripts', 'scorm', 'schema');
const FOLDER = join(ROOT, '.cache', 'scorm');
const OUT = 'dist-scorm/inference-lab-scorm-1.2.zip';
const MASTERY = 50;
const LAUNCH = 'launch.html';

const LEFT_OUT = /^(authors\.html|embed\..*|sw(-off)?\.js|_headers|lessons(\.schema)?\.json|oembed\/.*|thumbnails\/.*|docs\/.*)$/; // what an LMS's reader has no use for

/** -> { view, exercise, mastery, title, exercises: ids that count }, or a SetUpError that says what is no good. */
export function packageOf({ view = 'lab', exercise, mastery = String(MASTERY) } = {}) {
  const units = unitGroups(ROOT).find(({ id }) => id === 'exercises').units;
  const ids = units.map(({ attributes }) => attributes.exercise);
  const refuse = (name, value, allowed) => new SetUpError(`✕ --${name} ${value ?? ''}: ${allowed}`);
  if (!['lab', 'exercise'].includes(view)) throw refuse('view', view, 'lab or exercise, since only they have exercises');
  if (view === 'exercise' && !ids.includes(exercise)) throw refuse('exercise', exercise, `one of ${ids.join(', ')}`);
  if (view === 'lab' && exercise !== undefined) throw refuse('exercise', exercise, 'goes with --view exercise');
  if (!/^(none|100|[1-9]?\d)$/.test(mastery)) throw refuse('mastery', mastery, 'a whole number from 0 to 100, the score that passes, or none');
  const unit = units.find(({ attributes }) => attributes.exercise === exercise);
  const title = ['Inference Lab', unit?.title ?? 'một yêu cầu, mười ba khối'].join(': ');
  return { view, exercise, mastery: mastery === 'none' ? null : Number(mastery), title, exercises: unit ? [exercise] : ids };
}

/** path -> bytes of everything in the package. */
export async function packageFiles(chosen) {
  await rm(FOLDER, { recursive: true, force: true });
  await build({ root: ROOT, configFile: join(ROOT, 'vite.config.js'), logLevel: 'warn', build: { outDir: join(FOLDER, 'lab'), emptyOutDir: true } });
  await buildLaunch(chosen);
  const files = new Map();
  for (const path of await pathsIn(FOLDER)) {
    if (!path.startsWith('lab/') || !LEFT_OUT.test(path.slice(4))) files.set(path, await readFile(join(FOLDER, path)));
  }
  files.set('imsmanifest.xml', Buffer.from(manifest(chosen, files)));
  for (const name of (await readdir(SCHEMA)).filter((name) => name.endsWith('.xsd'))) files.set(name, await readFile(join(SCHEMA, name)));
  return files;
}

async function buildLaunch({ view, exercise, exercises }) {
  const query = new URLSearchParams({ ...(view !== 'lab' && { view }), ...(exercise && { exercise }), hide: 'whole', offline: 'off' }); // another window would be one that the LMS hears nothing of
  await build({
    root: SOURCES, base: './', configFile: false, publicDir: false, logLevel: 'warn',
    define: { SETTINGS: JSON.stringify({ lab: `lab/index.html?${query}`, exercises }) },
    build: { outDir: FOLDER, emptyOutDir: false, target: 'es2022', modulePreload: { polyfill: false }, rollupOptions: { input: join(SOURCES, LAUNCH) } },
  });
}

async function pathsIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join('/')).sort();
}

/** imsmanifest.xml: one organization with one item, whose resource is the launch page and all its files. */
function manifest({ title, mastery }, files) {
  const paths = [...files.keys()].sort();
  const hash = createHash('sha256');
  for (const path of paths) hash.update(`${path}\n`).update(files.get(path));
  const address = (path) => escape(path.split('/').map(encodeURIComponent).join('/'));
  return `<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="inference-lab-${hash.digest('hex').slice(0, 12)}" version="1.2"
  xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2"
  xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xsi:schemaLocation="http://www.imsproject.org/xsd/imscp_rootv1p1p2 imscp_rootv1p1p2.xsd http://www.imsglobal.org/xsd/imsmd_rootv1p2p1 imsmd_rootv1p2p1.xsd http://www.adlnet.org/xsd/adlcp_rootv1p2 adlcp_rootv1p2.xsd">
  <metadata>
    <schema>ADL SCORM</schema>
    <schemaversion>1.2</schemaversion>
  </metadata>
  <organizations default="inference-lab">
    <organization identifier="inference-lab">
      <title>${escape(title)}</title>
      <item identifier="lab" identifierref="lab-files" isvisible="true">
        <title>${escape(title)}</title>
${mastery === null ? '' : `        <adlcp:masteryscore>${mastery}</adlcp:masteryscore>\n`}      </item>
    </organization>
  </organizations>
  <resources>
    <resource identifier="lab-files" type="webcontent" adlcp:scormtype="sco" href="${LAUNCH}">
${paths.map((path) => `      <file href="${address(path)}"/>`).join('\n')}
    </resource>
  </resources>
</manifest>
`;
}

/** The same bytes for the same files: names in order, one date. A zip has local times, so the date is a local one. */
export function zipped(files) {
  const entries = [...files].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, bytes]) => [path, new Uint8Array(bytes)]);
  return zipSync(Object.fromEntries(entries), { level: 9, mtime: new Date(1980, 0, 1) });
}

async function main() {
  const { values } = parseArgs({ options: { view: { type: 'string' }, exercise: { type: 'string' }, mastery: { type: 'string' }, out: { type: 'string', default: OUT } } });
  const { out, ...asked } = values;
  await setUp({ quiet: true });
  const chosen = packageOf(asked);
  const files = await packageFiles(chosen);
  const zip = zipped(files);
  await mkdir(dirname(resolve(ROOT, out)), { recursive: true });
  await writeFile(resolve(ROOT, out), zip);
  console.log(`${out}: SCORM 1.2, ${files.size} files, ${(zip.length / 1e6).toFixed(1)} MB; counts ${chosen.exercises.join(', ')}; passes with ${chosen.mastery ?? 'all of them'}`);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof SetUpError || error.code?.startsWith('ERR_PARSE_ARGS'))) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
