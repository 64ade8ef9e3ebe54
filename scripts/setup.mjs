// Everything that a fresh clone lacks, in one table of steps. Uses only what Node brings: it installs the rest.
//
// usage: node scripts/setup.mjs [browser]      `browser` adds the one that the browser tests need
//
// A step is done when its outputs are there and its stamp (the hash of what it reads) is unchanged. A step that fails
// prints one line that says what to do; its own output is kept in .cache/logs/STEP.log.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findBrowser, installBrowser } from './browser.mjs';
import { SHARED } from './shared.mjs';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
export const PYTHON = join(ROOT, '.venv', ...(process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python']));
const CACHE = join(ROOT, '.cache');
const LOCK = 'node_modules/pyodide/pyodide-lock.json';
const WHEELS = ['numpy', 'micropip', 'packaging'];
const VENDOR_CODE = ['scripts/vendor.mjs', 'scripts/precompile.mjs', 'scripts/precompile.py', 'scripts/snapshot.mjs'];

// What the page's build knows of the engine: file -> what `python3 -m inference_lab` is asked for it.
const ENGINE_DATA = {
  '.cache/engine-data/script.py': ['script'],
  '.cache/engine-data/constants.json': ['constants', '--json'],
  '.cache/engine-data/examples.json': ['examples', '--json'],
  '.cache/engine-data/run.json': ['run', '--json'],
};

const PREPARED = '.cache/engine-data/prepared.json';

const STEPS = [
  {
    name: 'node-packages',
    says: "npm's packages, as the lock file has them",
    reads: ['package-lock.json', '.npmrc'],
    outputs: ['node_modules/.package-lock.json'],
    do: (tools) => tools.run('npm', ['ci', '--ignore-scripts']),
    remedy: 'check that the npm registry can be reached, then start again',
  },
  {
    name: 'python',
    says: 'a virtual environment with NumPy, pytest and hatchling',
    reads: ['tests/requirements.txt'],
    outputs: [PYTHON],
    do: (tools) => {
      tools.run(hostPython(), ['-m', 'venv', '--clear', '.venv']);
      tools.run(PYTHON, ['-m', 'pip', 'install', '--disable-pip-version-check', '-r', 'tests/requirements.txt']);
    },
    remedy: 'install Python 3.11 or newer with its venv module (Debian: python3-venv), check the network, then start again',
  },
  {
    name: 'wheels',
    says: `Pyodide's wheels (${WHEELS.join(', ')}), checked against the sha256 of its lock`,
    reads: [LOCK, 'scripts/wheels.py'],
    outputs: () => wheelFiles(),
    do: (tools) => {
      const version = readJson('node_modules/pyodide/package.json').version;
      tools.run(PYTHON, ['scripts/wheels.py', LOCK, '.cache/wheels', version, ...WHEELS]);
    },
    remedy: 'put the named wheel of that Pyodide release into .cache/wheels, or check the network, then start again',
  },
  {
    name: 'runtime',
    says: 'the runtime: Pyodide with precompiled stdlib and NumPy',
    reads: () => [LOCK, ...wheelFiles(), ...VENDOR_CODE],
    outputs: () => vendored('runtime'),
    do: async () => (await import('./vendor.mjs')).vendorRuntime(ROOT, wheelFiles()),
    remedy: 'delete .cache and node_modules, then start again',
  },
  {
    name: 'view-runtime',
    says: "the view's runtime: PyScript and MicroPython",
    reads: ['package-lock.json', 'scripts/vendor.mjs'],
    outputs: () => vendored('view'),
    do: async () => (await import('./vendor.mjs')).vendorView(ROOT),
    remedy: 'delete node_modules, then start again',
  },
  {
    name: 'engine',
    says: "the engine's wheel, and what the page is built from: the default script, examples and the table of constants",
    reads: () => [...filesUnder('py'), ...VENDOR_CODE],
    outputs: () => vendored('engine')?.concat(Object.keys(ENGINE_DATA)),
    do: async (tools) => {
      rmSync(join(CACHE, 'engine'), { recursive: true, force: true });
      tools.run(PYTHON, ['-m', 'hatchling', 'build', '-t', 'wheel', '-d', '../.cache/engine'], {
        cwd: join(ROOT, 'py'),
        env: { ...process.env, SOURCE_DATE_EPOCH: '315532800' },
      });
      await (await import('./vendor.mjs')).vendorEngine(ROOT, filesUnder('.cache/engine'));
      mkdirSync(join(CACHE, 'engine-data'), { recursive: true });
      const env = { ...process.env, PYTHONPATH: join(ROOT, 'py'), PYTHONUTF8: '1', PYTHONDONTWRITEBYTECODE: '1' };
      for (const [file, args] of Object.entries(ENGINE_DATA)) {
        writeFileSync(join(ROOT, file), tools.run(PYTHON, ['-m', 'inference_lab', ...args], { env }));
      }
    },
    remedy: 'read the log, mend py/, then start again',
  },
  {
    name: 'prepared',
    says: 'the default run, computed for where the page cannot run it',
    reads: () => [...filesUnder('py'), ...filesUnder('static/view'), 'scripts/prepared.py'],
    outputs: [PREPARED],
    do: (tools) => {
      const path = ['py', join('static', 'view'), ...SHARED.map((module) => dirname(module))].map((folder) => join(ROOT, folder)).join(delimiter);
      const env = { ...process.env, PYTHONPATH: path, PYTHONUTF8: '1', PYTHONDONTWRITEBYTECODE: '1' };
      writeFileSync(join(ROOT, PREPARED), tools.run(PYTHON, ['scripts/prepared.py'], { env }));
    },
    remedy: 'read the log, mend py/ or static/view/, then start again',
  },
];

const BROWSER = {
  name: 'browser',
  says: "a browser for the tests: Playwright's own, else the system's Chromium",
  reads: ['package-lock.json'],
  outputs: [],
  isDone: () => findBrowser() !== null,
  do: (tools) => installBrowser(tools.run),
  remedy: 'install Chromium (Debian, as root: apt-get install chromium), then start again',
};

/** Do what is missing. `only` names the steps wanted; without it all of them, and the browser if asked for. */
export async function setUp({ browser = false, only = null, quiet = false } = {}) {
  checkNode();
  for (const step of browser ? [...STEPS, BROWSER] : STEPS) {
    if (!only || only.includes(step.name)) await perform(step, quiet);
  }
}

async function perform(step, quiet) {
  const say = (text) => quiet || console.log(text);
  if (isDone(step)) return say(`· ${step.name}: already done`);
  say(`→ ${step.name}: ${step.says}`);
  const log = join(CACHE, 'logs', `${step.name}.log`);
  mkdirSync(join(CACHE, 'logs'), { recursive: true });
  writeFileSync(log, '');
  try {
    await step.do({ run: runner(log) });
  } catch (error) {
    throw new SetUpError(`✕ ${step.name}: ${error.message} · ${step.remedy} (log: ${log})`, { cause: error });
  }
  mkdirSync(join(CACHE, 'stamps'), { recursive: true });
  writeFileSync(stampFile(step), stampOf(step));
}

export class SetUpError extends Error {}

function isDone(step) {
  if (step.isDone) return step.isDone();
  const outputs = list(step.outputs);
  if (!outputs || !outputs.every((path) => existsSync(resolve(ROOT, path)))) return false;
  return existsSync(stampFile(step)) && readFileSync(stampFile(step), 'utf8') === stampOf(step);
}

const stampFile = (step) => join(CACHE, 'stamps', step.name);
const list = (names) => (typeof names === 'function' ? names() : names);

/** The hash of all that a step reads, and of its recipe. */
function stampOf(step) {
  const hash = createHash('sha256').update(String(step.do));
  for (const path of list(step.reads)) hash.update(`\n${path}\n`).update(readFileSync(join(ROOT, path)));
  return hash.digest('hex');
}

/** Runs a command into the step's log; a failure carries the command's last line. */
function runner(log) {
  return (command, args, options = {}) => {
    const done = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 26, shell: process.platform === 'win32', ...options });
    const output = `$ ${command} ${args.join(' ')}\n${done.stdout ?? ''}${done.stderr ?? ''}`;
    writeFileSync(log, output, { flag: 'a' });
    if (done.error) throw new Error(`${command} does not start (${done.error.code})`);
    if (done.status !== 0) throw new Error(`${command} ${args[0]} failed: ${output.trim().split('\n').at(-1)}`);
    return done.stdout;
  };
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) return;
  throw new SetUpError(`✕ node: this is ${process.version} · install Node 20.19, 22.12 or newer, then start again`);
}

function hostPython() {
  const good = 'import sys; sys.exit(sys.version_info < (3, 11))';
  const names = ['python3', 'python', 'python3.14', 'python3.13', 'python3.12', 'python3.11'];
  const found = names.find((name) => spawnSync(name, ['-c', good]).status === 0);
  if (!found) throw new Error('no Python 3.11 or newer on the path');
  return found;
}

function wheelFiles() {
  const { packages } = readJson(LOCK);
  return WHEELS.map((name) => `.cache/wheels/${packages[name].file_name}`);
}

/** Files that a part of static/vendor holds, or null before it was made. */
function vendored(part) {
  const file = join(ROOT, 'static', 'vendor', `${part}.json`);
  if (!existsSync(file)) return null;
  return Object.values(JSON.parse(readFileSync(file, 'utf8')).files).map(({ path }) => `static/${path}`);
}

const readJson = (path) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));

function filesUnder(folder) {
  const names = readdirSync(join(ROOT, folder)).filter((name) => !/^(__pycache__|\..*|dist)$/.test(name)).sort();
  return names.flatMap((name) => {
    const path = `${folder}/${name}`;
    return statSync(join(ROOT, path)).isDirectory() ? filesUnder(path) : [path];
  });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await setUp({ browser: process.argv.includes('browser') });
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
