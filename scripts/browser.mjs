// Which browser the tests and the benchmark drive: Playwright's own where it can be had, else the system's Chromium.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

const SYSTEM_NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

export const FLAGS = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

/** The path of an executable, or null. */
export function findBrowser() {
  const { chromium } = createRequire(import.meta.url)('playwright-core');
  if (existsSync(chromium.executablePath())) return chromium.executablePath();
  for (const name of SYSTEM_NAMES) {
    const found = spawnSync('which', [name], { encoding: 'utf8' });
    if (found.status === 0) return found.stdout.trim();
  }
  return null;
}

/** Try what may work on this machine, best first; `run` throws when a command fails. */
export function installBrowser(run) {
  const attempts = [() => run('npx', ['playwright', 'install', 'chromium'])];
  if (process.platform === 'linux' && process.getuid() === 0) {
    attempts.push(() => {
      run('apt-get', ['update']);
      run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium']);
    });
  }
  const failures = [];
  for (const attempt of attempts) {
    try {
      attempt();
    } catch (error) {
      failures.push(error.message);
    }
    if (findBrowser()) return;
  }
  throw new Error(`no browser could be installed (${failures.join('; ')})`);
}
