// Builds and serves the page. Beyond what Vite does by itself, one plugin
// - tells the scripts which runtime files there are (`virtual:runtime-files`),
// - packs the view's Python into one file,
// - fills in index.html's static parts (scripts/page.mjs),
// - copies the runtime's files into the build, and writes its service worker,
// - sends the headers of scripts/headers.mjs and writes them down for other servers,
// - makes embed.js small,
// and in development builds the engine's wheel anew when py/ has changed and the page is loaded again.
import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, minify } from 'vite';
import { barePython } from './scripts/bare-python.mjs';
import { EVERYWHERE, headersFile, headersOf } from './scripts/headers.mjs';
import { copyRuntime } from './scripts/layout.mjs';
import { firstLines } from './scripts/first-lines.mjs';
import { renderLessons } from './scripts/lessons.mjs';
import { writeServiceWorkers } from './scripts/offline.mjs';
import { renderPage } from './scripts/page.mjs';
import { runtimeFiles } from './scripts/runtime-files.mjs';
import { setUp } from './scripts/setup.mjs';
import { SHARED } from './scripts/shared.mjs';
import { units } from './scripts/units_plugin.mjs';

const ROOT = fileURLToPath(new URL('.', import.meta.url));
const RUNTIME = 'virtual:runtime-files';
const VIEW_ENTRY = 'main';
const COPY = '?lesson'; // after the name of a module that the lessons have twice

export default defineConfig({
  base: './',
  publicDir: 'static', // in development; of a build, scripts/layout.mjs says what is in it
  plugins: [lab(), units(ROOT)],
  worker: { format: 'es', plugins: () => [runtimeModule()], rollupOptions: { checks: { pluginTimings: false } } },
  optimizeDeps: { include: ['fflate'] }, // the worker's, found too late by a first load in development
  build: {
    target: 'es2022',
    copyPublicDir: false,
    modulePreload: { polyfill: false },
    rollupOptions: { checks: { pluginTimings: false }, input: ['index.html', 'authors.html', 'lessons/one-model-call.html', 'lessons/index.html'].map((page) => join(ROOT, page)) },
  },
});

function runtimeModule() {
  return {
    name: 'inference-lab:runtime-files',
    resolveId: (id) => (id === RUNTIME ? `\0${RUNTIME}` : null),
    async load(id) {
      if (id !== `\0${RUNTIME}`) return null;
      const { files, lock } = await runtimeFiles(ROOT);
      const view = await packView();
      files.push({ name: view.name, path: view.path, bytes: Buffer.byteLength(view.text), boot: 'view' });
      return `export const files = ${JSON.stringify(files)};\nexport const lock = ${JSON.stringify(lock)};\n`;
    },
  };
}

function lab() {
  return [
    runtimeModule(),
    {
      // The lessons have a copy of the engine's client: shared, it would be one more file that the lab's boot waits for.
      name: 'inference-lab:own-client',
      enforce: 'pre',
      async resolveId(source, importer = '') {
        if (!importer.endsWith(COPY) && !(importer.includes('/src/lesson/') && source === '../engine.js')) return null;
        const found = await this.resolve(source, importer.replace(COPY, ''), { skipSelf: true });
        return found && `${found.id}${COPY}`;
      },
    },
    {
      name: 'inference-lab:page',
      async generateBundle() {
        const { path, text } = await packView();
        this.emitFile({ type: 'asset', fileName: path, source: text });
      },
      writeBundle: ({ dir }) => copyRuntime(ROOT, dir),
      configureServer(server) {
        server.middlewares.use(async (request, response, next) => {
          const view = await packView();
          if (new URL(request.url, 'http://host').pathname !== `/${view.path}`) return next();
          response.setHeader('Content-Type', 'text/x-python; charset=utf-8').end(view.text);
        });
      },
      transformIndexHtml: {
        order: 'pre',
        async handler(html, { path, server }) {
          if (server) await refresh(server);
          if (path === '/lessons/index.html') return renderLessons(html, ROOT);
          return isLab(path) ? renderPage(html, ROOT) : html;
        },
      },
    },
    {
      name: 'inference-lab:head-start',
      transformIndexHtml: {
        order: 'post',
        handler: async (html, { path, bundle }) => (isLab(path) ? [...frame(), startWorker(bundle), ...(await preloads()), ...fonts(bundle)] : []),
      },
    },
    {
      name: 'inference-lab:for-other-sites',
      config: () => ({ server: { cors: false }, preview: { cors: false } }), // which knows of some origins only
      configureServer: ({ middlewares }) => send(middlewares, () => EVERYWHERE),
      configurePreviewServer: ({ middlewares }) => send(middlewares, headersOf),
      async generateBundle() {
        this.emitFile({ type: 'asset', fileName: '_headers', source: headersFile() });
        this.emitFile({ type: 'asset', fileName: 'embed.js', source: await smallEmbed() });
        this.emitFile({ type: 'asset', fileName: 'embed.d.ts', source: await readFile(join(ROOT, 'static', 'embed.d.ts')) });
      },
    },
    serviceWorker(),
  ];
}

/** Written last: it names every other file of the build. */
function serviceWorker() {
  let outDir;
  return {
    name: 'inference-lab:service-worker',
    apply: 'build',
    writeBundle: ({ dir }) => { outDir = dir; },
    closeBundle: { order: 'post', sequential: true, handler: () => outDir && writeServiceWorkers(ROOT, outDir) }, // called after a failed build, too
  };
}

/** The lab's own page; the lessons load the engine when they need it. */
const isLab = (path) => path === '/index.html';

/** Before a page is served in development: the engine as it is now, and the modules that name its files. */
async function refresh(server) {
  await setUp({ only: ['engine', 'prepared'], quiet: true });
  for (const module of server.moduleGraph.getModulesByFile?.(`\0${RUNTIME}`) ?? []) server.moduleGraph.invalidateModule(module);
  const module = server.moduleGraph.getModuleById(`\0${RUNTIME}`);
  if (module) server.moduleGraph.invalidateModule(module);
}

/**
 * The worker has most to do, so it starts from the page's first lines, before styles and scripts have come. What it says
 * until src/engine.js takes it over is kept. In a frame it waits until somebody can see it (src/frame/presence.js).
 */
function startWorker(bundle) {
  const worker = Object.keys(bundle ?? {}).find((name) => /\/worker-[^/]*\.js$/.test(name));
  const address = worker ? `./${worker}` : './src/worker.js?worker_file&type=module';
  const script = `if (typeof WebAssembly === "object" && parent === window) try {
  const worker = new Worker(${JSON.stringify(address)}, { type: "module" });
  const events = [];
  worker.onmessage = worker.onerror = (event) => { event.preventDefault(); events.push(event); };
  globalThis.inferenceLabWorker = { worker, events };
} catch { /* src/engine.js tries again, and says why it cannot */ }`;
  return { tag: 'script', children: script, injectTo: 'head-prepend' };
}

/** What the address asks of the page as a whole: before the first layout, and before anything is bound to the page. */
function frame() {
  const { head, end } = firstLines(ROOT);
  return [{ tag: 'script', children: head, injectTo: 'head-prepend' }, { tag: 'script', children: end, injectTo: 'body' }];
}

/** Modules that boot.js will import: the browser may fetch them while it parses the page. */
async function preloads() {
  const { files } = await runtimeFiles(ROOT);
  const modules = files.filter(({ name, boot }) => boot === 'view' && name.endsWith('js'));
  return modules.map(({ path }) => ({ tag: 'link', attrs: { rel: 'modulepreload', href: `./${path}` }, injectTo: 'head' }));
}

/** The faces that every page in Vietnamese shows: here before the first layout, which else is done again for each. */
function fonts(bundle) {
  const names = Object.keys(bundle ?? {}).filter((name) => /-(latin|vietnamese)-wght-normal-[^/]*\.woff2$/.test(name));
  return names.map((name) => ({
    tag: 'link', attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `./${name}` }, injectTo: 'head-prepend',
  }));
}

function send(middlewares, headersFor) {
  middlewares.use((request, response, next) => {
    const { pathname } = new URL(request.url, 'http://host');
    for (const [name, value] of Object.entries(headersFor(pathname))) response.setHeader(name, value);
    next();
  });
}

/** In ASCII, since a page in another encoding reads a classic script in its own. */
async function smallEmbed() {
  const { code, errors } = await minify('embed.js', await readFile(join(ROOT, 'static', 'embed.js'), 'utf8'));
  if (errors.length > 0) throw new Error(errors[0].message);
  return code.replace(/[^\x00-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Made anew when a source has changed: a build and each load in development ask several times. */
const bare = lastOf(barePython);

function lastOf(make) {
  let [key, value] = ['', null];
  return (given) => {
    const now = JSON.stringify(given);
    if (now !== key) [key, value] = [now, make(given)];
    return value;
  };
}

/** The view's modules, and the engine's that it shares, in one Python file: it writes each, bare, into MicroPython's file system and imports the entry. */
async function packView() {
  const folder = join(ROOT, 'static', 'view');
  const paths = (await readdir(folder)).filter((name) => name.endsWith('.py')).sort().map((name) => join(folder, name)).concat(SHARED.map((path) => join(ROOT, path)));
  const sources = bare(await Promise.all(paths.map((path) => readFile(path, 'utf8'))));
  const modules = paths.map((path, i) => `    (${JSON.stringify(basename(path))}, ${JSON.stringify(sources[i])}),\n`).join('');
  const text = `for name, source in (\n${modules}):\n    with open(name, "w") as file:\n        file.write(source)\nimport ${VIEW_ENTRY}\n`;
  const name = `view-${createHash('sha256').update(text).digest('hex').slice(0, 10)}.py`;
  return { name, path: `assets/${name}`, text };
}
