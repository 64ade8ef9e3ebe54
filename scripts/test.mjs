// Every test of the project: engine and view, each on both of its interpreters; the runtime; the page in a browser.
//
// usage: npm test [-- PART...]      e.g. `npm test -- view-python browser`; without a name, all parts
//
// Uses only what Node brings until the set-up is done. Exits 1 if any part fails or finds no test.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PYTHON, ROOT, SetUpError, setUp } from './setup.mjs';

const PYTEST = [PYTHON, '-m', 'pytest', '-q', '-p', 'no:cacheprovider'];
const PLAYWRIGHT = ['npx', 'playwright', 'test'];
const ownPort = async () => ({ LAB_TEST_PORT: await freePort() });

// Parts of one round run at the same time: each of them keeps one core busy, and none of them fails because it waits for one.
const PARTS = [
  { name: 'engine-pyodide', round: 1, command: ['node', 'tests/runtime/engine_in_pyodide.mjs'] },
  { name: 'engine-python', round: 1, command: [...PYTEST, 'tests/engine'], env: { PYTHONPATH: join(ROOT, 'py') } },
  { name: 'view-python', round: 1, command: [...PYTEST, 'tests/view'] },
  { name: 'view-micropython', round: 1, command: ['node', 'tests/runtime/view_on_micropython.mjs'] },
  { name: 'runtime', round: 1, command: ['node', '--test', '--test-reporter=spec', ...testFiles('tests/runtime', '.test.mjs')] },
  { name: 'browser', round: 2, command: [...PLAYWRIGHT, '--grep-invert=@alone'], env: ownPort },
  { name: 'browser-alone', round: 3, command: [...PLAYWRIGHT, '--grep=@alone', '--workers=1'], env: ownPort }, // what is measured by the clock
];

/** Named one by one, since Node versions differ in what they find in a folder. */
function testFiles(folder, ending) {
  const files = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith(ending));
  if (files.length === 0) throw new Error(`no *${ending} in ${folder}`);
  return files.map((name) => `${folder}/${name}`);
}

/** What a part says is shown line by line, behind its name where several speak. */
function run({ name, command: [program, ...args] }, env, alone) {
  const child = spawn(program, args, {
    cwd: ROOT,
    stdio: alone ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...env },
    shell: process.platform === 'win32',
  });
  if (!alone) for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', (line) => console.log(`${name} │ ${line}`));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code === 0));
  });
}

async function finished(part, alone) {
  const start = Date.now();
  const passed = await run(part, typeof part.env === 'function' ? await part.env() : part.env, alone);
  return { ...part, passed, seconds: Math.round((Date.now() - start) / 1000) };
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(String(port)));
    });
  });
}

function chosenParts(names) {
  const unknown = names.filter((name) => !PARTS.some((part) => part.name === name));
  if (unknown.length) throw new SetUpError(`✕ no part ${unknown.join(', ')}; there are ${PARTS.map(({ name }) => name).join(', ')}`);
  return names.length ? PARTS.filter(({ name }) => names.includes(name)) : PARTS;
}

async function main(names) {
  const parts = chosenParts(names);
  await setUp({ browser: parts.some(({ name }) => name.startsWith('browser')) });
  const results = [];
  for (const round of new Set(parts.map((part) => part.round))) {
    const together = parts.filter((part) => part.round === round);
    console.log(`\n── ${together.map(({ name }) => name).join(' and ')} ──`);
    results.push(...(await Promise.all(together.map((part) => finished(part, together.length === 1)))));
  }
  console.log('\n── summary ──');
  for (const { name, passed, seconds } of results) console.log(`${passed ? '✓' : '✕'} ${name.padEnd(18)} ${seconds} s`);
  const failed = results.filter(({ passed }) => !passed).length;
  console.log(`parts: ${results.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof SetUpError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
