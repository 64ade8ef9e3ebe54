// Runs a Python script of ours in the project's virtual environment, with the engine on its path.
//
// usage: node scripts/in-venv.mjs SCRIPT.py [ARGUMENTS]
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PYTHON, ROOT, setUp } from './setup.mjs';

/** -> exit status */
export function runInVenv(script, args) {
  const env = { ...process.env, PYTHONPATH: join(ROOT, 'py') };
  return spawnSync(PYTHON, [script, ...args], { cwd: ROOT, stdio: 'inherit', env }).status ?? 1;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [script, ...args] = process.argv.slice(2);
  await setUp({ only: ['python'] });
  process.exitCode = runInVenv(script, args);
}
