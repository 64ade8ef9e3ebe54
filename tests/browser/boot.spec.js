// The start of the page and what bad luck gets: files that fail, Dừng at any moment, hasty presses, a browser without
// WebAssembly or scripts. The page's own words and figures are page.spec.js's business.
import { expect, test } from '@playwright/test';

const FILES = {
  'pyodide.asm.wasm': '**/pyodide.asm.wasm',
  'python_stdlib.zip': '**/python_stdlib.zip',
  'python.snapshot': '**/python.snapshot',
  'numpy-2.4.3': '**/numpy-*.whl',
  'inference_lab-': '**/inference_lab-*.whl',
  'micropython.wasm': '**/micropython.wasm',
};

const FAULTS = {
  missing: (route) => route.fulfill({ status: 404, body: 'not here' }),
  refused: (route) => route.abort('connectionrefused'),
  truncated: async (route) => {
    const response = await route.fetch();
    const body = await response.body();
    await route.fulfill({ status: 200, contentType: 'application/octet-stream', body: body.subarray(0, Math.floor(body.length / 2)) });
  },
  stalled: () => {}, // the route is never answered
};

const MODULES = ['**/pyodide.asm.mjs', '**/micropython.mjs', '**/core.js', '**/view-*.py'];

const lab = (page, state, timeout) => expect(page.locator('html')).toHaveAttribute('data-lab', state, timeout ? { timeout } : {});
const press = (page, name) => page.getByRole('button', { name, exact: true }).press('Enter');

async function failsAndRecovers(page, glob, fault, named) {
  await page.route(glob, fault);
  await page.goto('./', { waitUntil: 'commit' });
  await lab(page, 'error', 15_000);
  await expect(page.locator('#alert[role=alert]')).toContainText(named);
  await page.unroute(glob);
  await press(page, 'Thử lại');
  await lab(page, 'ready');
}

test.describe('a file of the runtime', () => {
  for (const [file, glob] of Object.entries(FILES)) {
    for (const [kind, fault] of Object.entries(FAULTS)) {
      test(`${file} ${kind}: an error names it, and Thử lại works once it is back`, async ({ page }) => {
        await failsAndRecovers(page, glob, fault, file);
      });
    }
  }

  for (const glob of MODULES) {
    test(`${glob} missing: an error names it, and Thử lại works once it is back`, async ({ page }) => {
      await failsAndRecovers(page, glob, FAULTS.missing, glob.slice(3).split('*')[0]);
    });
  }

  test("the worker's own script missing: an error, and Thử lại works once it is back", async ({ page }) => {
    await failsAndRecovers(page, '**/assets/worker-*.js', FAULTS.missing, 'worker.js');
  });
});

test.describe('a good start', () => {
  test('asks no other origin and leaves the console empty, through boot and run', async ({ page, baseURL }) => {
    const foreign = [];
    const said = [];
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol.startsWith('http') && origin !== new URL(baseURL).origin) foreign.push(request.url());
    });
    page.on('console', (message) => said.push(message.text()));
    page.on('pageerror', (error) => said.push(error.message));
    await page.goto('./');
    await lab(page, 'ready');
    await press(page, 'Chạy');
    await lab(page, 'done');
    expect(foreign).toEqual([]);
    expect(said).toEqual([]);
  });

  test('reports its steps in order, and bytes that only grow up to their total', async ({ page }) => {
    await page.addInitScript(() => {
      globalThis.reports = [];
      const listen = setInterval(() => {
        if (!globalThis.inferenceLab) return;
        clearInterval(listen);
        globalThis.inferenceLab.listen((kind, id, json) => kind === 'boot' && globalThis.reports.push(JSON.parse(json).boot));
      }, 0);
    });
    await page.goto('./');
    await lab(page, 'ready');
    const reports = await page.evaluate(() => globalThis.reports);
    const last = reports.at(-1);
    expect(last.step).toBe(last.steps);
    expect(last.loaded).toBe(last.total);
    reports.reduce((before, report) => {
      expect(report.step).toBeGreaterThanOrEqual(before.step);
      expect(report.loaded).toBeGreaterThanOrEqual(before.loaded);
      return report;
    });
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
  /** Presses Dừng in the page; how long until the page says that it boots again. */
  const stopAndTime = (page) =>
    page.evaluate(async () => {
      const start = performance.now();
      document.getElementById('stop').click();
      while (document.documentElement.dataset.lab !== 'booting') await new Promise(requestAnimationFrame);
      return performance.now() - start;
    });

  test('during a run answers within 100 ms, gives no result, and is ready again by itself', async ({ page }) => {
    await page.goto('./');
    await lab(page, 'ready');
    const state = await page.evaluate(() => {
      document.getElementById('run').click();
      return document.documentElement.dataset.lab;
    });
    expect(state).toBe('running');
    expect(await stopAndTime(page)).toBeLessThan(100);
    await lab(page, 'ready');
    await expect(page.locator('#transcript')).not.toContainText('PASS');
    await press(page, 'Chạy');
    await lab(page, 'done');
  });

  test('during boot answers within 100 ms and is ready again by itself', async ({ page }) => {
    await page.route('**/numpy-*.whl', FAULTS.stalled);
    const asked = page.waitForRequest('**/numpy-*.whl');
    await page.goto('./');
    await asked;
    await page.waitForFunction(() => performance.getEntriesByName('view-ready').length > 0);
    await page.unroute('**/numpy-*.whl');
    expect(await stopAndTime(page)).toBeLessThan(100);
    await lab(page, 'ready');
  });
});

test('five quick presses of Chạy give one result, the last', async ({ page }) => {
  await page.goto('./');
  await lab(page, 'ready');
  const { asked, answered } = await page.evaluate(async () => {
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

test('when the interpreter dies, the last good result stays, marked as old, and the engine starts again', async ({ page }) => {
  await page.goto('./');
  await lab(page, 'ready');
  await press(page, 'Chạy');
  await lab(page, 'done');
  await page.workers()[0].evaluate(() => {
    self.onmessage = () => self.postMessage({ id: 0, json: JSON.stringify({ fatal: { message: 'RuntimeError: unreachable' } }) });
  });
  await press(page, 'Chạy');
  await expect(page.locator('#alert[role=alert]')).toContainText('Trình thông dịch Python đã dừng');
  await expect(page.locator('#transcript')).toContainText('PASS');
  await expect(page.locator('#results')).toContainText('cũ');
  await press(page, 'Chạy');
  await lab(page, 'done');
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
