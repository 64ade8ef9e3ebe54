// The start of the page and what bad luck gets: files that fail, Dừng at any moment, hasty presses, a browser without
// WebAssembly or scripts. The page's own words and figures are page.spec.js's business. What needs no start of its own
// shares one good page.
import { expect, test } from '@playwright/test';

const FILES = {
  'pyodide.asm.wasm': '**/pyodide.asm.wasm',
  'python_stdlib.zip': '**/python_stdlib.zip',
  'python.snapshot': '**/python.snapshot',
  'numpy-2.4.3': '**/numpy-*.whl',
  'inference_lab-': '**/inference_lab-*.whl',
  'micropython.wasm': '**/micropython.wasm',
};

// What goes wrong with a file, and the reason that the page gives for it.
const FAULTS = {
  missing: { reason: 'máy chủ trả lời 404', route: (route) => route.fulfill({ status: 404, body: 'not here' }) },
  refused: { reason: 'không kết nối được', route: (route) => route.abort('connectionrefused') },
  truncated: {
    reason: /nhận \d+ byte, lẽ ra \d+/,
    route: async (route) => {
      const response = await route.fetch();
      const body = await response.body();
      await route.fulfill({ status: 200, contentType: 'application/octet-stream', body: body.subarray(0, Math.floor(body.length / 2)) });
    },
  },
  stalled: { reason: 'không có gì tới trong 8 giây', route: () => {} }, // never answered
};

const MODULES = ['**/pyodide.asm.mjs', '**/micropython.mjs', '**/core.js', '**/view-*.py'];
const ERROR_WITHIN_MS = 15_000;

const lab = (page, state) => expect(page.locator('html')).toHaveAttribute('data-lab', state);
const press = (page, name) => page.getByRole('button', { name, exact: true }).press('Enter');

/** No result, nothing under way. */
async function cleared(page) {
  await press(page, 'Đặt lại');
  await lab(page, 'ready');
}

/** The page says within 15 s that this file failed, and why. What a good boot takes here is granted on top: a slow machine is no fault. */
async function failsWith(page, start, named, reason, bootMs) {
  const began = Date.now();
  await start();
  const alert = page.locator('#alert[role=alert]');
  await expect(alert).toContainText(reason);
  await expect(alert).toContainText(named);
  await lab(page, 'error');
  expect(Date.now() - began).toBeLessThan(ERROR_WITHIN_MS + bootMs);
}

/** A page that has started well, and what it did meanwhile. */
let good;
let bootMs;
const asked = [];
const said = [];

test.beforeAll(async ({ browser }) => {
  good = await browser.newPage({ serviceWorkers: 'allow' });
  good.on('request', (request) => asked.push(request.url()));
  good.on('console', (message) => said.push(message.text()));
  good.on('pageerror', (error) => said.push(error.message));
  await good.addInitScript(() => {
    globalThis.reports = [];
    const listen = setInterval(() => {
      if (!globalThis.inferenceLab) return;
      clearInterval(listen);
      globalThis.inferenceLab.listen((kind, id, json) => kind === 'boot' && globalThis.reports.push(JSON.parse(json).boot));
    }, 0);
  });
  const began = Date.now();
  await good.goto('./');
  await lab(good, 'ready');
  bootMs = Date.now() - began;
});
test.afterAll(() => good.close());

test.describe('a file of the runtime', () => {
  for (const [file, glob] of Object.entries(FILES)) {
    test(`${file} ${Object.keys(FAULTS).join(', ')}: each time an error names it, and Thử lại works once it is back`, async ({ page }) => {
      test.slow();
      let start = () => page.goto('./', { waitUntil: 'commit' });
      for (const [kind, { reason, route }] of Object.entries(FAULTS)) {
        await test.step(kind, async () => {
          await page.route(glob, route);
          await failsWith(page, start, file, reason, bootMs);
          await page.unroute(glob);
        });
        start = () => press(page, 'Thử lại');
      }
      await start();
      await lab(page, 'ready');
    });
  }

  for (const glob of MODULES) {
    const file = glob.slice(3).split('*')[0];
    test(`${file} missing: an error names it, and Thử lại works once it is back`, async ({ page }) => {
      await page.route(glob, FAULTS.missing.route);
      await failsWith(page, () => page.goto('./', { waitUntil: 'commit' }), file, file, bootMs);
      await page.unroute(glob);
      await press(page, 'Thử lại');
      await lab(page, 'ready');
    });
  }

  test("the page's own script missing: an error names it, and Thử lại works once it is back", async ({ page }) => {
    await page.route('**/assets/index-*.js', FAULTS.missing.route);
    await failsWith(page, () => page.goto('./', { waitUntil: 'commit' }), 'index-', 'Không tải được tệp', bootMs);
    await expect(page.getByRole('button', { name: 'Chạy', exact: true })).toBeDisabled();
    await page.unroute('**/assets/index-*.js');
    await press(page, 'Thử lại');
    await lab(page, 'ready');
  });

  test("the worker's own script missing: an error, and Thử lại works once it is back", async ({ page }) => {
    await page.route('**/assets/worker-*.js', FAULTS.missing.route);
    await failsWith(page, () => page.goto('./', { waitUntil: 'commit' }), 'worker.js', 'worker.js', bootMs);
    await page.unroute('**/assets/worker-*.js');
    await press(page, 'Thử lại');
    await expect(page.locator('#run')).toBeFocused(); // not the body: the button that had the focus is gone
    await lab(page, 'ready');
  });
});

test.describe('a good start', () => {
  test('reports its steps in order, and bytes that only grow up to their total', async () => {
    const reports = await good.evaluate(() => globalThis.reports);
    const last = reports.at(-1);
    expect(last.step).toBe(last.steps);
    expect(last.loaded).toBe(last.total);
    reports.reduce((before, report) => {
      expect(report.step).toBeGreaterThanOrEqual(before.step);
      expect(report.loaded).toBeGreaterThanOrEqual(before.loaded);
      return report;
    });
  });

  test('asks no other origin and leaves the console empty, through boot and run', async ({ baseURL }) => {
    await press(good, 'Chạy');
    await lab(good, 'done');
    const foreign = asked.map((url) => new URL(url)).filter(({ origin, protocol }) => protocol.startsWith('http') && origin !== new URL(baseURL).origin);
    expect(asked.length).toBeGreaterThan(5);
    expect(foreign).toEqual([]);
    expect(said).toEqual([]);
  });

  test('a press while it boots runs as soon as it is ready', async ({ page }) => {
    await page.route('**/numpy-*.whl', async (route) => {
      await page.waitForFunction(() => performance.getEntriesByName('view-ready').length > 0);
      await press(page, 'Chạy');
      await route.continue();
    });
    await page.goto('./');
    await lab(page, 'done');
  });
});

test.describe('Dừng', () => {
  /** Presses Dừng in the page -> what the page says before the press is over: no clock is needed to see that it answers at once. */
  const stop = (page) =>
    page.evaluate(() => {
      document.getElementById('stop').click();
      return document.documentElement.dataset.lab;
    });

  test('during a run answers at once, gives no result, and is ready again by itself', async () => {
    await cleared(good);
    const state = await good.evaluate(() => {
      document.getElementById('run').click();
      return document.documentElement.dataset.lab;
    });
    expect(state).toBe('running');
    expect(await stop(good)).toBe('booting');
    await lab(good, 'ready');
    await expect(good.locator('#transcript')).not.toContainText('PASS');
    await press(good, 'Chạy');
    await lab(good, 'done');
  });

  test('during boot answers at once and is ready again by itself', async ({ page }) => {
    await page.route('**/numpy-*.whl', FAULTS.stalled.route);
    const asked = page.waitForRequest('**/numpy-*.whl');
    await page.goto('./');
    await asked;
    await page.waitForFunction(() => performance.getEntriesByName('view-ready').length > 0);
    await page.unroute('**/numpy-*.whl');
    expect(await stop(page)).toBe('booting');
    await lab(page, 'ready');
  });
});

test('five quick presses of Chạy give one result, the last', async () => {
  await cleared(good);
  const { asked, answered } = await good.evaluate(async () => {
    const asked = [];
    const answered = [];
    const { request } = globalThis.inferenceLab;
    globalThis.inferenceLab.request = (command, json) => {
      const id = request(command, json);
      if (command === 'run') asked.push(id);
      return id;
    };
    globalThis.inferenceLab.listen((kind, id) => kind === 'answer' && answered.push(id));
    for (let i = 0; i < 5; i += 1) document.getElementById('run').click();
    while (document.documentElement.dataset.lab !== 'done') await new Promise(requestAnimationFrame);
    return { asked, answered };
  });
  expect(answered).toEqual([asked.at(-1)]);
});

test('when the interpreter dies, the last good result stays, marked as old, and the engine starts again', async () => {
  await cleared(good);
  await press(good, 'Chạy');
  await lab(good, 'done');
  await good.workers()[0].evaluate(() => {
    self.onmessage = () => self.postMessage({ id: 0, json: JSON.stringify({ fatal: { message: 'RuntimeError: unreachable' } }) });
  });
  await press(good, 'Chạy');
  await expect(good.locator('#alert[role=alert]')).toContainText('Trình thông dịch Python đã dừng');
  await expect(good.locator('#transcript')).toContainText('PASS');
  await expect(good.locator('#results')).toContainText('cũ');
  await press(good, 'Chạy');
  await lab(good, 'done');
});

test.describe('a browser that cannot run it', () => {
  test('no WebAssembly: the page says so and stays readable', async ({ page }) => {
    await page.addInitScript(() => delete globalThis.WebAssembly);
    await page.goto('./');
    await lab(page, 'error');
    await expect(page.locator('#alert[role=alert]')).toContainText('WebAssembly');
    await expect(page.locator('.panel')).toHaveCount(13);
  });

  test('scripts blocked: the page says so and stays readable', async ({ browser, baseURL }) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(baseURL);
    await expect(page.getByText('chặn script')).toBeVisible();
    await expect(page.locator('.panel')).toHaveCount(13);
    await context.close();
  });
});
