// Browser tests drive a production build of their own, so that a build elsewhere does not disturb them.
import { defineConfig } from '@playwright/test';
import { FLAGS, findBrowser } from './scripts/browser.mjs';

const PORT = process.env.LAB_TEST_PORT ?? '4174';
const FOLDER = '.cache/dist-under-test';
const ADDRESS = `http://127.0.0.1:${PORT}/`;

export default defineConfig({
  testDir: 'tests/browser',
  outputDir: 'test-results',
  timeout: 180_000, // a hung test costs less than one that fails because a machine is slow
  expect: { timeout: 60_000 }, // a boot on a busy machine
  workers: 2, // files side by side: a test waits longer than it computes. Tagged @alone is what the clock measures: scripts/test.mjs runs it by itself
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list']],
  use: {
    baseURL: ADDRESS,
    serviceWorkers: 'block', // each test begins as at a first visit; offline.spec.js and boot.spec.js allow it
    launchOptions: { executablePath: findBrowser(), args: FLAGS },
  },
  webServer: {
    command: `npx vite build --logLevel warn --emptyOutDir --outDir ${FOLDER} && npx vite preview --strictPort --host 127.0.0.1 --port ${PORT} --outDir ${FOLDER}`,
    url: ADDRESS,
    reuseExistingServer: false,
  },
});
