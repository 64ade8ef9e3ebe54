// The engine's thread: Pyodide, NumPy and the package `inference_lab`.
//
// In:  { id, command, json }. Out: what src/serve.js posts; and before that, under id 0, reports of the boot:
// { boot: { step, steps, name, label, loaded, total } }, { ready }, { failed: { file, message } }.
import { unzipSync } from 'fflate';
import { files, lock } from 'virtual:runtime-files';
import { Downloads, FileTrouble } from './downloads.js';
import { createServer, lastLine } from './serve.js';

const HERE = import.meta.url; // not self.location: the worker of a sandboxed frame only imports this one
const BASE = new URL('..', HERE).href; // this file is in src/ in development, in assets/ when built
const REPORT_EVERY_MS = 200; // each report is a frame of the page, on the cores that the boot needs

const wheelOf = (name) => lock.packages[name].file_name.split('/').at(-1);
const NUMPY = wheelOf('numpy');
const ENGINE = wheelOf('inference-lab');
const SNAPSHOT = 'python.snapshot';

// Each step with the file to blame when it fails for a reason of its own.
const STEPS = [
  { name: 'download', label: 'Tải trình thông dịch Python', file: 'pyodide.asm.mjs' },
  { name: 'python', label: 'Khởi động Python', file: 'pyodide.asm.wasm' },
  { name: 'numpy', label: 'Nạp NumPy', file: NUMPY },
  { name: 'engine', label: 'Nạp engine', file: ENGINE },
];

const BOOT_FILES = files.filter(({ boot }) => boot === 'worker');
const isModule = ({ name }) => name.endsWith('.mjs');

const report = (json) => self.postMessage({ id: 0, json: JSON.stringify(json) });

const downloads = new Downloads(BOOT_FILES, BASE, reportBytes);
let step = 0;
let reportedAt = 0;

function reportBytes() {
  const now = performance.now();
  if (now - reportedAt < REPORT_EVERY_MS && downloads.loaded < downloads.total) return;
  reportBoot();
}

function reportBoot() {
  reportedAt = performance.now();
  const { name, label } = STEPS[step];
  const { loaded, total } = downloads;
  report({ boot: { step: step + 1, steps: STEPS.length, name, label, loaded, total } });
}

function begin(name) {
  step = STEPS.findIndex((candidate) => candidate.name === name);
  downloads.heard();
  reportBoot();
}

async function boot() {
  begin('download');
  // Pyodide takes its files by fetch(): here it gets the downloads that have long begun, counted and checked.
  self.fetch = downloads.fetch;
  for (const { name } of BOOT_FILES.filter((file) => !isModule(file))) downloads.start(name);
  const packages = [NUMPY, ENGINE].map(unpacked);
  const memory = gunzipped(SNAPSHOT);
  for (const file of [...packages, memory]) file.catch(() => {}); // what fails before anybody waits for it: `trouble` tells
  const [{ loadPyodide }, { default: createPyodideModule }] =
    await Promise.all(['pyodide.mjs', 'pyodide.asm.mjs'].map((name) => downloads.import(name)));

  begin('python');
  const starting = loadPyodide({
    indexURL: new URL('.', downloads.address('pyodide.mjs')).href,
    createPyodideModule,
    stdLibURL: downloads.address('python_stdlib.zip'),
    lockFileContents: lock, // for a learner's script that asks for micropip
    packageBaseUrl: BASE,
    _loadSnapshot: memory,
    stdout: () => {},
    fsInit: async (FS, { sitePackages }) => {
      for (const members of await Promise.all(packages)) install(members, FS, sitePackages);
    },
  });
  const [pyodide] = await Promise.all([starting, ...packages]);
  pyodide.pyimport('random').seed(); // the snapshot has everybody's seed

  begin('numpy');
  pyodide.pyimport('numpy');

  begin('engine');
  return { pyodide, answer: pyodide.pyimport('inference_lab.service').Service().answer };
}

// The two wheels are unpacked here, while the interpreter is still on its way, and lie in place when Python starts.
// `loadPackage` would unpack them in Python, and link all of NumPy's libraries one by one instead of those imported:
// a tenth of the boot. To import micropip alone costs a sixth. A learner's script can still ask for it.

async function unpacked(name) {
  const bytes = await downloads.bytes(name);
  try {
    return unzipSync(bytes);
  } catch (error) {
    throw new FileTrouble(name, `không giải nén được (${error.message})`);
  }
}

/** Python's memory after its start (scripts/snapshot.mjs): to start it here would take twice the time of all else. */
async function gunzipped(name) {
  const { body } = await downloads.fetch(downloads.address(name));
  try {
    return await new Response(body.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
  } catch (error) {
    throw error instanceof FileTrouble ? error : new FileTrouble(name, `không giải nén được (${error.message})`);
  }
}

function install(members, FS, sitePackages) {
  for (const [name, data] of Object.entries(members)) {
    const path = `${sitePackages}/${name}`;
    FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
    FS.writeFile(path, data, { canOwn: true });
  }
}

try {
  const { pyodide, answer } = await Promise.race([boot(), downloads.trouble]);
  const others = Object.values(lock.packages).filter((one) => ![lock.packages.numpy, lock.packages['inference-lab']].includes(one));
  const { take, died } = createServer(pyodide, answer, others, (message) => self.postMessage(message));
  self.onmessage = ({ data }) => take(data);
  // A script that awaits goes on when our stack has ended: its death is caught by nobody.
  for (const kind of ['error', 'unhandledrejection']) {
    self.addEventListener(kind, (event) => {
      const error = event.error ?? event.reason;
      if (!error?.pyodide_fatal_error) return;
      event.preventDefault();
      died(error);
    });
  }
  report({ ready: {} });
  // Every run draws numbers. To link numpy.random takes a tenth of the boot: done at once after it, or by an earlier press.
  setTimeout(() => pyodide.pyimport('numpy.random'));
} catch (error) {
  const trouble = error instanceof FileTrouble ? error : new FileTrouble(STEPS[step].file, `không dùng được (${lastLine(error)})`);
  report({ failed: { file: trouble.file, message: trouble.message } });
} finally {
  downloads.end();
}
