// The page's first script: starts the engine's worker, then the view (PyScript, MicroPython), and joins the two by
// `globalThis.inferenceLab`. What can go wrong before the view lives is shown by this file; after that, by the view.
import { files } from 'virtual:runtime-files';
import { Downloads, FileTrouble } from './downloads.js';
import { createEngine } from './engine.js';
import { afterFrame, left } from './slices.js';
import { createHost } from './frame/host.js';
import { watchPresence } from './frame/presence.js';
import { createPanels } from './panels/index.js';
import { fill } from './panels/patch.js';
import { createStorage } from './storage.js';

const EMPTY_MODULE = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0); // WebAssembly's magic number and version
const REPLAYED = new Set(['boot', 'ready', 'failed', 'resting']);
const PYSCRIPT_PLUGINS = ['codemirror', 'deprecations-manager', 'donkey', 'error', 'py-editor', 'py-game', 'py-terminal'];

// Modules that the view asks for when it first needs them.
const MODULES = {
  address: () => import('./address.js'),
  script: () => import('./script.js'),
  charts: () => import('./charts.js'),
  'default-script': () => import('./default-script.js'),
  editor: () => import('./editor.js'),
  pictures: () => import('./pictures/index.js'),
  prepared: () => import('./prepared.js'),
  replay: () => import('./replay/index.js'),
};

const view = globalThis.inferenceLabView; // see scripts/first-lines.mjs
const host = createHost(view);

const LEISURE_MS = 5000;
const OFFLINE = () => import('./offline/page.js');

// A link with a configuration is read before anything may run.
const LINKED = /[?#&](v|set|follow|corpus|requests|script)=/.test(location.search + location.hash);
if (LINKED) MODULES.address();

/** Joins engine and view; the view may come later and is told the latest state. */
function createLab() {
  const listeners = [];
  const runs = new Set();
  const storage = createStorage();
  const keepForOffline = once(() => import.meta.env.PROD && atLeisure(async () => (await OFFLINE()).keep(storage), LEISURE_MS));
  const questions = new Map(); // id -> { command, resolve } of a question that a script asked
  let running = 0; // id of the run that is under way
  const panels = createPanels(MODULES.pictures, () => running > 0);
  let state = null;

  const engine = createEngine((kind, id, json) => {
    if (questions.has(id) && kind === 'answer') return settle(id, JSON.parse(json));
    if (kind === 'stopped' || kind === 'failed') for (const asked of [...questions.keys()]) settle(asked, null);
    if (kind === 'stopped' || kind === 'failed' || (kind === 'answer' && id === running)) running = 0;
    if (kind === 'early') return panels.prepare(id, json);
    if (kind === 'answer' && runs.has(id)) json = panels.take(id, json);
    if (REPLAYED.has(kind)) state = [kind, id, json];
    for (const listener of listeners) listener(kind, id, json);
    if (kind === 'boot' && JSON.parse(json).boot.name === 'engine') mark('numpy-imported');
    if (kind === 'ready') mark('lab-ready');
    if (kind === 'answer' && runs.has(id)) {
      mark('first-result');
      if (json.startsWith('{"ok"')) keepForOffline();
    }
  });
  const turn = host.framed ? whenSeen(engine) : (engine.start(), Promise.resolve());
  const [, turned] = /[?&]offline=(on|off)(?:&|$)/.exec(location.search) ?? [];
  if (turned) OFFLINE().then((offline) => offline.turn(turned, storage));

  function settle(id, body) {
    const { resolve } = questions.get(id);
    questions.delete(id);
    resolve(body);
  }

  return {
    listen(callback) {
      listeners.push(callback);
      if (state) callback(...state);
    },
    request(command, json) {
      const id = engine.request(command, json);
      if (command === 'run') {
        running = state?.[0] === 'failed' ? 0 : id;
        runs.add(id);
      }
      return id;
    },
    stop: engine.stop,
    retry: engine.retry,
    wake: engine.wake,
    /** Resolves when it is time for the view to come. */
    turn,
    view,
    /** Whether the page is more than the whole lab by itself: then the view loads its part for that. */
    special: host.framed || view.view !== 'lab' || view.autorun || view.notices.length > 0,
    /** Under which name it keeps its work: by the address that it was opened with, whatever that says after a reload (src/address.js). */
    own: history.state?.own ?? (host.framed || view.view !== 'lab' ? ` ${location.search}` : ''),
    hostReady: host.ready,
    report: (type, json, past) => host.report(type, JSON.parse(json), past),
    listenHost: (callback) => host.listen((type, detail) => callback(type, JSON.stringify(detail))),
    load: (name) => MODULES[name](),
    linked: () => LINKED,
    storage,
    panels,
    /** An element's trees, as JSON text (see panels/patch.js). */
    fill: (element, json) => fill(element, JSON.parse(json)),
    /** How much of this frame's slice is left; calls back when another one begins (see slices.js). */
    left: () => left(),
    afterFrame: (callback) => afterFrame().then(() => callback()),
    viewReady() {},
    /** A question of a script, not of the view: its answer's body, or null when it will never come. A later one of a command overtakes. */
    ask(command, body) {
      for (const [id, asked] of [...questions]) if (asked.command === command) settle(id, null);
      return new Promise((resolve) => questions.set(engine.request(command, JSON.stringify(body)), { command, resolve }));
    },
  };
}

function once(act) {
  let done = false;
  return () => done || (done = true, act());
}

/** When nothing else is to be done, or at the latest after `timeout` ms: a machine that others keep busy may never be at leisure. */
function atLeisure(act, timeout) {
  if (globalThis.requestIdleCallback) requestIdleCallback(act, { timeout });
  else setTimeout(act);
}

/** In a frame the engine is there while somebody can see it; the view comes then, or when there is nothing else to do. */
function whenSeen(engine) {
  engine.rest();
  const seen = new Promise((resolve) => {
    watchPresence(() => {
      engine.wake();
      resolve();
    }, engine.rest);
  });
  const idle = new Promise((resolve) => atLeisure(resolve));
  return Promise.race([seen, idle]);
}

/** A point in time for the benchmark; the first one counts. */
function mark(name) {
  if (performance.getEntriesByName(name).length === 0) performance.mark(name);
}

/** Resolves once the view has called `viewReady`; rejects with a FileTrouble that names what did not come. */
async function startView(lab) {
  const viewFiles = files.filter(({ boot }) => boot === 'view');
  const downloads = new Downloads(viewFiles, document.baseURI);
  const source = viewFiles.find(({ name }) => name.endsWith('.py')).name;
  const nativeFetch = globalThis.fetch;
  const nativeDebug = console.debug;
  const nativeOpen = IDBFactory.prototype.open;
  const NativeObserver = globalThis.MutationObserver;
  const observers = [];
  const living = new Promise((resolve) => {
    lab.viewReady = () => {
      mark('view-ready');
      hideFailure(); // of a file that came after all
      resolve();
    };
  });
  // PyScript takes the wasm and the view's Python by fetch(): here it gets downloads that have begun, and are checked.
  globalThis.fetch = downloads.fetch;
  console.debug = () => {}; // where PyScript announces itself
  globalThis.MutationObserver = class extends NativeObserver {
    constructor(callback) {
      super(callback);
      observers.push(this);
    }
  };
  IDBFactory.prototype.open = () => new EventTarget(); // it would open a database that nothing here uses, and fail where a frame may have none
  try {
    for (const name of ['micropython.wasm', source]) downloads.start(name);
    const interpreter = downloads.import('micropython.mjs');
    await documentParsed();
    tellPyScript(downloads.address(source), downloads.address('micropython.mjs'));
    const pyscript = downloads.import('core.js');
    await Promise.race([Promise.all([interpreter, pyscript, living]), downloads.trouble]);
    globalThis.fetch = nativeFetch;
    console.debug = nativeDebug;
  } finally {
    for (const one of observers) one.disconnect(); // PyScript's, which looks at whatever comes into the page for scripts of its own
    globalThis.MutationObserver = NativeObserver;
    IDBFactory.prototype.open = nativeOpen;
    downloads.end();
  }
}

/** The elements that PyScript reads when it loads: what to run, on which interpreter, and that no plugin is wanted. */
function tellPyScript(src, interpreter) {
  const plugins = PYSCRIPT_PLUGINS.map((name) => `!${name}`);
  const view = document.createElement('script');
  view.type = 'mpy';
  view.setAttribute('src', src);
  view.setAttribute('config', JSON.stringify({ interpreter, plugins }));
  const noPyodide = document.createElement('py-config'); // or it loads the plugins for its other interpreter
  noPyodide.hidden = true;
  noPyodide.setAttribute('type', 'json');
  noPyodide.textContent = JSON.stringify({ plugins });
  document.body.append(view, noPyodide);
}

function documentParsed() {
  if (document.readyState !== 'loading') return Promise.resolve();
  return new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }));
}

const element = (id) => document.getElementById(id);
const buttons = () => ['run', 'stop', 'reset'].map(element);

/** Says what is wrong while there is no view to say it. */
async function showFailure(message, canRetry) {
  await documentParsed();
  document.documentElement.dataset.lab = 'error';
  host.report('error', { code: 'page', message });
  element('alert').textContent = message;
  for (const button of buttons()) button.disabled = true;
  element('retry').hidden = !canRetry;
  element('retry').onclick = () => location.reload();
  MODULES.prepared().then(({ showWithoutView }) => showWithoutView(view), () => {}); // a file that does not come either: the failure is said
}

function hideFailure() {
  if (!element('retry').onclick) return;
  element('alert').textContent = '';
  for (const button of buttons()) button.disabled = false;
  element('retry').hidden = true;
  element('retry').onclick = null;
}

/** Why nothing can run here, for the reader; "" where it can. A Content-Security-Policy leaves WebAssembly there and refuses all it is for; PyScript makes a function of a text. */
function whyNothingRuns() {
  const lacking = typeof WebAssembly !== 'object' ? 'WebAssembly' : typeof Worker !== 'function' ? 'Worker' : '';
  if (lacking) return `Trình duyệt này không có ${lacking} nên không chạy được lab. Bạn vẫn đọc được cả trang và các số tính sẵn; hãy thử một trình duyệt khác để chạy.`;
  try {
    new WebAssembly.Module(EMPTY_MODULE);
    new Function();
    return '';
  } catch (error) {
    return `Trang web này không cho phép WebAssembly hay eval (${error.message}) nên không chạy được lab. Bạn vẫn đọc được cả trang và các số tính sẵn. Muốn chạy, hãy báo người quản trị: Content-Security-Policy của lab cần 'unsafe-eval'.`;
  }
}

const nothingRuns = whyNothingRuns();
if (nothingRuns) {
  globalThis.inferenceLabWorker?.worker.terminate();
  showFailure(nothingRuns, false);
} else {
  globalThis.inferenceLab = createLab();
  globalThis.inferenceLab.turn.then(() => startView(globalThis.inferenceLab)).catch((error) => {
    if (!(error instanceof FileTrouble)) throw error;
    showFailure(error.message, true);
  });
}
