// Makes a picture of every unit (static/thumbnails) and measures how high its frame is (static/data/embedding.json).
//
// usage: npm run thumbnails [-- ID…]
//
// In: a build of its own, in which every unit is run with the course's constants inside a frame. A panel is shown by the part of its
// pictures that says most; PARTS names it. Everything else is shown as a reader has it. Light theme; the commit holds what comes out.
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build, preview } from 'vite';
import { FLAGS, findBrowser } from './browser.mjs';
import { ROOT } from './setup.mjs';
import { addressOf, embeddable, THUMBNAIL, thumbnailPath } from './units.mjs';

const MEASURED_AT = 768; // px wide
const HIGHEST = 900; // a frame that cannot follow its content scrolls beyond this
const MARGIN = 20; // px round what is shown
const MOST_BYTES = 20_000; // of a picture; its quality is the best with which it is smaller
const QUALITIES = [92, 86, 80, 74, 68, 62];
const LARGEST = 1.5; // times its own size
const QUIET_MS = 2000; // nothing has changed its height for so long: it is all drawn
const HEIGHTS = join(ROOT, 'static', 'data', 'embedding.json');

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
  </script></body></html>`;
}

/** In the frame: a copy of one thing alone on the page, as large as it can be. -> how much larger than itself */
function stage({ selector, figure, drawings, layers, box, margin, largest }) {
  const source = figure === undefined ? document.querySelector(selector) : document.querySelectorAll(`${selector} figure`)[figure];
  const copy = source.cloneNode(true);
  copy.querySelectorAll('.picture-value, .figures, .left-out, .frames, .hidden').forEach((node) => node.remove());
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

async function shoot(page, unit, base) {
  const { view, block } = unit.attributes;
  const address = new URL(`${addressOf(unit.attributes)}&autorun=1&theme=light${view === 'lab' ? `&hide=${LEFT_OUT}` : ''}`, base).href;
  await page.route('**/thumbnail-host', (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body: host(address.replaceAll('&', '&amp;')) }));
  await page.goto(new URL('thumbnail-host', base).href);
  const size = (width, height, scale = 1) => page.evaluate((css) => { document.querySelector('iframe').style.cssText += css; }, `; width: ${width}px; height: ${height}px; transform: scale(${scale})`);
  const settled = () => page.waitForFunction((quiet) => globalThis.ran && performance.now() - globalThis.saidAt > quiet, QUIET_MS);
  const frame = page.frame('unit');
  await size(MEASURED_AT, HIGHEST);
  await settled();
  const last = view === 'block' ? ` #block-${block} .pictures figure:last-child .picture-view > *` : '';
  await frame.waitForSelector(`html[data-lab="done"]${last}`, { state: 'attached' });
  await settled();
  const whole = await page.evaluate(() => heights.at(-1));
  const height = Math.min(HIGHEST, Math.ceil(whole / 10) * 10);
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
  return { bytes, height, whole, scale };
}

async function main(ids) {
  const units = embeddable(ROOT).flatMap((group) => group.units);
  const unknown = ids.filter((id) => !units.some((one) => one.id === id));
  if (unknown.length) throw new Error(`no unit ${unknown.join(', ')}; there are ${units.map(({ id }) => id).join(', ')}`);
  const { heights } = JSON.parse(readFileSync(HEIGHTS, 'utf8'));
  const write = () => writeFile(HEIGHTS, `{\n  "heights": {\n${units.map(({ id }) => `    ${JSON.stringify(id)}: ${heights[id]}`).join(',\n')}\n  }\n}\n`);
  for (const { id } of units) heights[id] ??= HIGHEST; // a new unit, so that there can be a build
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
      const { bytes, height, whole, scale } = await shoot(page, unit, server.resolvedUrls.local[0]);
      await page.close();
      await writeFile(join(ROOT, 'static', thumbnailPath(unit.id)), bytes);
      heights[unit.id] = height;
      console.log(`${unit.id.padEnd(24)} ${String(bytes.length).padStart(6)} bytes, shown at ${scale.toFixed(2)}; ${height} of ${whole} px`);
    }
    await write();
  } finally {
    await browser.close();
    await server.close();
  }
}

await main(process.argv.slice(2));
process.exit(0); // Vite's preview server keeps connections open
