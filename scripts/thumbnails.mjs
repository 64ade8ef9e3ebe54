// Makes a picture of every unit (static/thumbnails) and measures how high its frame is (static/data/embedding.json), before a run at
// each of WIDTHS, and after one. What static/embed.js reserves follows from that, and is written there.
//
// usage: npm run thumbnails [-- [--heights] [ID…]]    --heights: no pictures
//
// In: a build of its own, in which every unit is run with the course's constants inside a frame. A panel is shown by the part of its
// pictures that says most; PARTS names it. Everything else is shown as a reader has it. Light theme; the commit holds what comes out.
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build, preview } from 'vite';
import { FLAGS, findBrowser } from './browser.mjs';
import { ROOT } from './setup.mjs';
import { addressOf, embeddable, reservedHeights, THUMBNAIL, thumbnailPath } from './units.mjs';

const WIDTHS = [390, 768, 1280]; // px of a frame: one for each of those that embed.js tells apart
const MEASURED_AT = 768; // px wide, after a run
const HIGHEST = 900; // a frame that cannot follow its content scrolls beyond this
const MARGIN = 20; // px round what is shown
const MOST_BYTES = 20_000; // of a picture; its quality is the best with which it is smaller
const QUALITIES = [92, 86, 80, 74, 68, 62];
const LARGEST = 1.5; // times its own size
const QUIET_MS = 2000; // nothing has changed its height for so long: it is all drawn
const HEIGHTS = join(ROOT, 'static', 'data', 'embedding.json');
const EMBED = join(ROOT, 'static', 'embed.js');

// Of the diagram: the layers in which a request is served. Of the lab: what stands before its results are left out.
const LAYERS = ['L1', 'L2'];
const LEFT_OUT = 'guide,predict,presets';
const LAB_WIDTH = 1024;

// Of a panel: which of its figures, which drawings of it (all, when not said), and how wide it is drawn before it is made to fit.
const PARTS = {
  1: { figure: 0, width: 640 },
  2: { figure: 0, width: 640 },
  3: { figure: 0, width: 640 },
  4: { figure: 0, drawings: [0, 1], width: 640 },
  5: { figure: 0, width: 680 },
  6: { figure: 0, width: 640 },
  7: { figure: 0, width: 560 },
  8: { figure: 0, width: 680 },
  9: { figure: 0, width: 680 },
  10: { figure: 0, width: 420 },
  11: { figure: 0, width: 460 },
  12: { figure: 1, width: 680 },
  13: { figure: 0, drawings: [0, 1, 2], width: 720 },
};

/** In the host: one frame, and what it said. */
function host(address) {
  return `<!doctype html><html lang="vi"><body style="margin: 0; overflow: hidden"><iframe name="unit" src="${address}" style="display: block; border: 0; transform-origin: 0 0"></iframe><script>
  globalThis.heights = []; globalThis.ran = false;
  addEventListener('message', ({ data }) => {
    if (data?.lab !== 'inference-lab') return;
    if (data.type === 'height') { heights.push(data.detail.height); globalThis.saidAt = performance.now(); }
    if (data.type === 'run') globalThis.ran = true;
  });
  globalThis.say = (type) => frames.unit.postMessage({ lab: 'inference-lab', v: 1, type, detail: {} }, '*');
  </script></body></html>`;
}

/** In the frame: a copy of one thing alone on the page, as large as it can be. -> how much larger than itself */
function stage({ selector, figure, drawings, layers, box, margin, largest }) {
  const source = figure === undefined ? document.querySelector(selector) : document.querySelectorAll(`${selector} figure`)[figure];
  const copy = source.cloneNode(true);
  copy.querySelectorAll('.picture-value, .picture-table, .left-out, .frames, .hidden').forEach((node) => node.remove());
  if (drawings) [...copy.querySelectorAll('.picture-view > *')].forEach((node, i) => drawings.includes(i) || node.remove());
  if (layers) cut(copy);
  copy.style.cssText = `width: ${source.clientWidth}px; margin: 0; transform-origin: 0 0`;
  const room = document.createElement('div');
  room.style.cssText = 'position: fixed; inset: 0; z-index: 99; overflow: hidden; background: var(--paper)';
  room.append(copy);
  document.body.append(room);
  const [left, top, right, bottom] = drawn(copy);
  const scale = Math.min((box.width - 2 * margin) / (right - left), (box.height - 2 * margin) / (bottom - top), largest);
  const at = [(box.width - scale * (right + left)) / 2, (box.height - scale * (bottom + top)) / 2];
  copy.style.transform = `translate(${at[0]}px, ${at[1]}px) scale(${scale})`;
  return scale;

  /** Where there is something to see: words and drawings, not the empty end of a line. */
  function drawn(node) {
    const words = document.createTreeWalker(node, NodeFilter.SHOW_TEXT, (text) => (text.data.trim() && !text.parentElement.closest('svg') ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT));
    const range = document.createRange();
    const rects = [...node.querySelectorAll('svg, button, input')].map((one) => one.getBoundingClientRect());
    while (words.nextNode()) {
      range.selectNodeContents(words.currentNode);
      rects.push(range.getBoundingClientRect());
    }
    const seen = rects.filter(({ width }) => width > 0);
    const far = (name, most) => most(...seen.map((rect) => rect[name]));
    return [far('left', Math.min), far('top', Math.min), far('right', Math.max), far('bottom', Math.max)];
  }

  /** Some layers of the diagram, and the arrows within them. */
  function cut(diagram) {
    const kept = (id) => layers.some((layer) => id?.startsWith(`${layer}-`));
    for (const cell of diagram.querySelectorAll('[data-cell]')) if (!kept(cell.dataset.cell)) cell.remove();
    for (const arrow of diagram.querySelectorAll('.arrow')) if (!kept(arrow.dataset.from) || !kept(arrow.dataset.to)) arrow.remove();
    const names = [...diagram.querySelectorAll('.band-name')];
    const bands = names.filter((name) => layers.includes(name.querySelector('.band-label')?.textContent)).map((name) => name.previousElementSibling);
    for (const name of names) if (!bands.includes(name.previousElementSibling)) [name.previousElementSibling, name].forEach((node) => node.remove());
    const end = (band) => Number(band.getAttribute('y')) + Number(band.getAttribute('height'));
    const [top, bottom] = [Number(bands[0].getAttribute('y')) - 1, end(bands.at(-1)) + 1];
    const svg = diagram.querySelector('svg');
    const wide = svg.viewBox.baseVal.width;
    svg.setAttribute('viewBox', `0 ${top} ${wide} ${bottom - top}`);
    svg.style.cssText = `display: block; width: 100%; max-width: none; height: auto; aspect-ratio: ${wide} / ${bottom - top}`;
  }
}

/** The unit in a host of its own. -> { frame, size(width, height, scale), settled(), ran(): all is drawn, height(): what it said last } */
async function open(page, { attributes }, more, base) {
  const address = new URL(`${addressOf(attributes)}&theme=light${more}`, base).href;
  await page.route('**/thumbnail-host', (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body: host(address.replaceAll('&', '&amp;')) }));
  await page.goto(new URL('thumbnail-host', base).href);
  const frame = page.frame('unit');
  const last = attributes.view === 'block' ? ` #block-${attributes.block} .pictures figure:last-child .picture-view > *` : '';
  const settled = () => page.waitForFunction((quiet) => performance.now() - globalThis.saidAt > quiet, QUIET_MS);
  return {
    frame,
    settled,
    size: (width, height, scale = 1) => page.evaluate((css) => {
      document.querySelector('iframe').style.cssText += css;
      globalThis.saidAt = performance.now();
    }, `; width: ${width}px; height: ${height}px; transform: scale(${scale})`),
    async ran() {
      await page.waitForFunction(() => globalThis.ran);
      await frame.waitForSelector(`html[data-lab="done"]${last}`, { state: 'attached' });
      await settled();
    },
    height: () => page.evaluate(() => heights.at(-1)),
  };
}

/** -> { resting: heights at WIDTHS before a run, height: what a frame that cannot follow gets, whole: what it would need } */
async function measure(page, unit, base) {
  const { frame, size, settled, ran, height } = await open(page, unit, '', base);
  const resting = [];
  for (const width of WIDTHS) {
    await size(width, HIGHEST);
    await frame.waitForSelector('html[data-lab="ready"]', { state: 'attached' });
    await settled();
    resting.push(await height());
  }
  await size(MEASURED_AT, HIGHEST);
  await page.evaluate(() => say('hello'));
  await page.evaluate(() => say('run'));
  await ran();
  const whole = await height();
  await page.unroute('**/thumbnail-host');
  return { resting, whole, height: Math.min(HIGHEST, tens(whole)) };
}

const tens = (pixels) => Math.ceil(pixels / 10) * 10;

async function shoot(page, unit, base) {
  const { view, block } = unit.attributes;
  const { frame, size, ran } = await open(page, unit, `&autorun=1${view === 'lab' ? `&hide=${LEFT_OUT}` : ''}`, base);
  await size(MEASURED_AT, HIGHEST);
  await ran();
  const { width: wide, height: high } = THUMBNAIL;
  let scale = 1;
  if (view === 'lab') {
    scale = wide / LAB_WIDTH;
    await size(wide / scale, high / scale, scale);
    await page.waitForTimeout(QUIET_MS);
  } else {
    const part = PARTS[block] ?? { width: wide };
    await size(part.width + 2 * MARGIN, high);
    await page.waitForTimeout(QUIET_MS);
    await size(Math.max(wide, part.width + 2 * MARGIN), high);
    const selector = { block: `#block-${block} .pictures`, diagram: '.diagram .frame', exercise: `[data-exercise].is-shown` }[view];
    scale = await frame.evaluate(stage, { selector, ...part, layers: view === 'diagram' ? LAYERS : null, box: THUMBNAIL, margin: MARGIN, largest: LARGEST });
  }
  const session = await page.context().newCDPSession(page);
  let bytes;
  for (const quality of QUALITIES) {
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality, clip: { x: 0, y: 0, width: wide, height: high, scale: 1 } });
    bytes = Buffer.from(data, 'base64');
    if (bytes.length < MOST_BYTES) break;
  }
  await session.detach();
  await page.unroute('**/thumbnail-host');
  return { bytes, scale };
}

async function main({ ids, pictures }) {
  const units = embeddable(ROOT).flatMap((group) => group.units);
  const unknown = ids.filter((id) => !units.some((one) => one.id === id));
  if (unknown.length) throw new Error(`no unit ${unknown.join(', ')}; there are ${units.map(({ id }) => id).join(', ')}`);
  const { heights, resting } = JSON.parse(readFileSync(HEIGHTS, 'utf8'));
  const lines = (data) => units.map(({ id }) => `    ${JSON.stringify(id)}: ${JSON.stringify(data[id])}`).join(',\n');
  const write = () => writeFile(HEIGHTS, `{\n  "heights": {\n${lines(heights)}\n  },\n  "resting": {\n${lines(resting)}\n  }\n}\n`);
  for (const { id } of units) { // a new one, so that there can be a build
    heights[id] ??= HIGHEST;
    resting[id] ??= WIDTHS.map(() => HIGHEST);
  }
  await write();
  const outDir = join(ROOT, '.cache', 'dist-of-thumbnails');
  await build({ root: ROOT, logLevel: 'warn', build: { outDir, emptyOutDir: true } });
  const server = await preview({ root: ROOT, logLevel: 'warn', build: { outDir }, preview: { host: '127.0.0.1', port: 0 } });
  const { chromium } = createRequire(import.meta.url)('playwright-core');
  const browser = await chromium.launch({ executablePath: findBrowser(), args: FLAGS });
  try {
    await mkdir(join(ROOT, 'static', 'thumbnails'), { recursive: true });
    const context = await browser.newContext({ viewport: { width: 1440, height: 1000 }, colorScheme: 'light', reducedMotion: 'reduce', locale: 'vi', serviceWorkers: 'block' });
    for (const unit of units) {
      if (ids.length && !ids.includes(unit.id)) continue;
      const page = await context.newPage();
      const base = server.resolvedUrls.local[0];
      const found = await measure(page, unit, base);
      heights[unit.id] = found.height;
      resting[unit.id] = found.resting;
      await write();
      console.log(`${unit.id.padEnd(24)} ${found.height} of ${found.whole} px; before a run ${found.resting.join(', ')}`);
      if (pictures) {
        const { bytes, scale } = await shoot(page, unit, base);
        await writeFile(join(ROOT, 'static', thumbnailPath(unit.id)), bytes);
        console.log(`${''.padEnd(24)} ${bytes.length} bytes, shown at ${scale.toFixed(2)}`);
      }
      await page.close();
    }
    const embed = readFileSync(EMBED, 'utf8');
    const said = Object.entries(reservedHeights(ROOT)).map(([view, heights]) => `${view}: [${heights.join(', ')}]`).join(', ');
    await writeFile(EMBED, embed.replace(/(const RESERVED = ).*/, `$1{ ${said} };`));
  } finally {
    await browser.close();
    await server.close();
  }
}

const { values, positionals } = parseArgs({ options: { heights: { type: 'boolean' } }, allowPositionals: true });
await main({ ids: positionals, pictures: !values.heights });
process.exit(0); // Vite's preview server keeps connections open
