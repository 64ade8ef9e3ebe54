// How fast the page starts and runs, against a bare page in the same Chromium.
//
// usage: npm run bench -- [--loads N] [--yardstick SCRIPT.py]
//
// The bare page (bench/index.html) has stock Pyodide from the same package with its stock stdlib, the stock NumPy wheel, the engine's
// wheel as it was built, one run and no interface. Both pages are loaded in turn, each time in a fresh profile with an
// empty cache, from one server. Prints medians and their ratios. With a yardstick script, also a warm run of the engine
// against a warm run of the script in the bare page's Pyodide; from a slider to open panels redrawn, pictures too, against the script in the
// page's own; and how long the page takes from the worker's answer, and its longest frame while a slider is dragged (bench/slider.mjs).
// Last comes bench_engine.py: what a request costs natively.
import { spawnSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { readFile, readdir, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { FLAGS, findBrowser } from './browser.mjs';
import { runInVenv } from './in-venv.mjs';
import { measureSlider, noteAnswers } from './bench/slider.mjs';
import { ROOT } from './setup.mjs';

const { values: options } = parseArgs({
  options: { loads: { type: 'string', default: '7' }, yardstick: { type: 'string' } },
});
const WARM_RUNS = 15;
const SETTLE_MS = 1500; // a new window draws itself first, on the cores that the page needs

const TYPES = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css',
  '.wasm': 'application/wasm', '.json': 'application/json', '.woff2': 'font/woff2', '.py': 'text/x-python; charset=utf-8',
};

// Address prefix -> folder; the first that has the file serves it.
const FOLDERS = [
  ['/lab/', 'dist'],
  ['/bare/', 'scripts/bench'],
  ['/bare/', 'node_modules/pyodide'],
  ['/bare/', '.cache/wheels'],
  ['/bare/', '.cache/engine'],
];

async function find(address) {
  for (const [prefix, folder] of FOLDERS) {
    if (!address.startsWith(prefix)) continue;
    const path = join(ROOT, folder, decodeURIComponent(address.slice(prefix.length)) || 'index.html');
    const found = await stat(path).catch(() => null);
    if (found?.isFile()) return { path, size: found.size };
  }
  return null;
}

async function serve() {
  const server = createServer(async (request, response) => {
    const file = await find(new URL(request.url, 'http://host').pathname);
    if (!file) return response.writeHead(404).end();
    const type = TYPES[extname(file.path)] ?? 'application/octet-stream';
    response.writeHead(200, { 'Content-Type': type, 'Content-Length': file.size, 'Cache-Control': 'max-age=600' });
    createReadStream(file.path).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** Runs in the page before its own scripts: notes when <html data-lab> takes each value. */
function noteStates() {
  const note = () => {
    const name = `data-lab=${document.documentElement?.dataset.lab}`;
    if (performance.getEntriesByName(name).length === 0) performance.mark(name);
  };
  new MutationObserver(note).observe(document, { subtree: true, childList: true, attributeFilter: ['data-lab'] });
}

/** One load in a fresh profile: the page's marks in milliseconds since navigation began, and the files it asked for. */
async function load(browser, address, until, then) {
  const context = await browser.newContext({ serviceWorkers: 'block' }); // else the lab's would be installed while runs are timed
  try {
    const page = await context.newPage();
    const files = [];
    page.on('response', (response) => files.push(new URL(response.url()).pathname));
    await page.addInitScript(noteStates);
    await page.addInitScript(noteAnswers);
    await page.waitForTimeout(SETTLE_MS);
    await page.goto(address);
    await waitForMark(page, until);
    const before = [...files];
    const extra = await then?.(page);
    const marks = await page.evaluate(() => performance.getEntriesByType('mark').map(({ name, startTime }) => [name, startTime]));
    return { ...Object.fromEntries(marks), extra, before, files };
  } finally {
    await context.close();
  }
}

const waitForMark = (page, name) =>
  page.waitForFunction((mark) => performance.getEntriesByName(mark).length > 0, name, { timeout: 120_000, polling: 50 });

async function pressRun(page) {
  await page.getByRole('button', { name: 'Chạy', exact: true }).click();
  await waitForMark(page, 'first-result');
  return redraws(page);
}

async function warmRuns(page) {
  if (!options.yardstick) return null;
  const script = await readFile(options.yardstick, 'utf8');
  return page.evaluate(([text, n]) => globalThis.warmRuns(text, n), [script, WARM_RUNS]);
}

/** Runs of the yardstick's script in the page's interpreter, and what a slider costs there: milliseconds. */
async function redraws(page) {
  if (!options.yardstick) return null;
  const script = `import contextlib, io, time
program = compile(${JSON.stringify(await readFile(options.yardstick, 'utf8'))}, "yardstick.py", "exec")
for _ in range(${WARM_RUNS}):
    with contextlib.redirect_stdout(io.StringIO()):
        began = time.perf_counter()
        exec(program, {"__name__": "__main__"})
        took = time.perf_counter() - began
    print(1000 * took)`;
  return page.evaluate(measureSlider, { script, steps: WARM_RUNS, four: [1, 3, 6, 11] });
}

const median = (numbers) => {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
};

async function sizes(addresses) {
  const total = { raw: 0, gzip: 0, brotli: 0 };
  for (const address of new Set(addresses)) {
    const file = await find(address);
    if (!file) continue;
    const data = await readFile(file.path);
    total.raw += data.length;
    total.gzip += Math.min(data.length, gzipSync(data).length);
    const brotli = brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 22 } });
    total.brotli += Math.min(data.length, brotli.length);
  }
  return total;
}

const ms = (value) => `${Math.round(value)} ms`;
const mb = (value) => `${(value / 1e6).toFixed(2)} MB`;

function print(rows) {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].length)));
  for (const row of rows) console.log(`| ${row.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`);
}

const built = spawnSync('npx', ['vite', 'build', '--logLevel', 'warn'], { cwd: ROOT, stdio: 'inherit' });
if (built.status !== 0) process.exit(built.status ?? 1);

const server = await serve();
const browser = await chromium.launch({ executablePath: findBrowser(), args: FLAGS });
const ours = [];
const bare = [];
try {
  for (let i = 0; i < Number(options.loads); i += 1) {
    bare.push(await load(browser, `${server.origin}/bare/`, 'first-result', warmRuns));
    ours.push(await load(browser, `${server.origin}/lab/`, 'data-lab=ready', pressRun));
    console.error(`load ${i + 1} of ${options.loads}`);
  }
} finally {
  await browser.close();
  server.close();
}

const middle = (loads, name) => median(loads.map((marks) => marks[name]));
const row = (what, [ourName, bareName], limit) => {
  const [a, b] = [middle(ours, ourName), middle(bare, bareName)];
  return [what, ms(a), `${bareName}: ${ms(b)}`, (a / b).toFixed(2), limit];
};
const rows = [
  ['what', 'the page', 'against', 'ratio', 'at most'],
  ['---', '---', '---', '---', '---'],
  row('buttons usable (view-ready)', ['view-ready', 'first-result'], '0.25'),
  row('data-lab="ready"', ['data-lab=ready', 'numpy-imported'], '0.50'),
  row('NumPy imported', ['numpy-imported', 'numpy-imported'], '–'),
  row('first result after a press at ready', ['first-result', 'first-result'], '–'),
];
if (options.yardstick) {
  const [engine, yardstick] = ['engine', 'yardstick'].map((name) => median(bare.flatMap(({ extra }) => extra[name])));
  rows.push(['a warm run of the default trace', `${engine.toFixed(1)} ms`, `yardstick: ${yardstick.toFixed(1)} ms`, (engine / yardstick).toFixed(2), '0.50']);
  const slider = ours.map(({ extra }) => extra);
  const beside = median(slider.flatMap((one) => one.yardstick));
  for (const [name, words] of [['four', 'four open panels'], ['all', 'all 13 open']]) {
    const steps = slider.flatMap((one) => one[name]);
    const redraw = median(steps.map(({ whole }) => whole));
    rows.push([`a slider to ${words} redrawn`, `${redraw.toFixed(1)} ms`, `yardstick in the page: ${beside.toFixed(1)} ms`, (redraw / beside).toFixed(2), name === 'four' ? '1.00' : '–']);
  }
  for (const [name, words] of [['four', 'four open panels'], ['all', 'all 13 open']]) {
    const steps = slider.flatMap((one) => one[name]);
    rows.push([`the worker's answer to ${words} drawn`, `${median(steps.map(({ drawn }) => drawn)).toFixed(1)} ms`, `longest: ${ms(Math.max(...steps.map(({ drawn }) => drawn)))}`, '–', '100 ms']);
    rows.push([`the same, another run than before in all of them`, `${median(slider.flatMap((one) => one[`${name}Anew`]).map(({ drawn }) => drawn)).toFixed(1)} ms`, '–', '–', '100 ms']);
  }
  for (const [name, words] of [['four', 'four open'], ['all', 'all open']]) {
    for (const [which, from, to] of [['the first', 0, 1], ['warm', 1, 2], ['slow', 2, 4]]) {
      const drags = slider.flatMap((one) => one[`${name}Drags`].slice(from, to));
      const worst = drags.reduce((a, b) => (b.longest > a.longest ? b : a));
      rows.push([`longest frame of a drag, ${words}, ${which}`, ms(median(drags.map(({ longest }) => longest))), `longest: ${ms(worst.longest)}${worst.what && ` (${worst.what})`}`, '–', '50 ms']);
    }
  }
}
console.log(`\nMedians of ${options.loads} loads of each page in turn, ${browser.version()}\n`);
print(rows);
console.log();
const bytes = async (what, files) => {
  const { raw, gzip, brotli } = await sizes(files);
  return [what, mb(raw), mb(gzip), mb(brotli)];
};
print([
  ['bytes', 'as stored', 'gzip', 'brotli'],
  ['---', '---', '---', '---'],
  await bytes('page, before the first press', ours[0].before),
  await bytes('page, in all', ours[0].files),
  await bytes('bare page, in all', bare[0].files),
]);

console.log('\nThe engine natively\n');
process.exitCode = runInVenv('scripts/bench_engine.py', options.yardstick ? [options.yardstick] : []);
