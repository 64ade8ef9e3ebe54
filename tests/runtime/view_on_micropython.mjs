// Runs tests/view on MicroPython, the interpreter that the view has in the page. Pytest runs the same files on CPython.
//
// A test is a function named test_… without arguments, which asserts. Exits 1 when one fails or none is found.
import { readFile, readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadMicroPython } from '@micropython/micropython-webassembly-pyscript/micropython.mjs';
import { SHARED } from '../../scripts/shared.mjs';

const ROOT = new URL('../../', import.meta.url);
const FOLDERS = ['static/view/', 'tests/view/'];

const RUNNER = `
import sys

def run(module_name):
    module = __import__(module_name)
    failures = []
    tests = [name for name in sorted(dir(module)) if name.startswith("test_")]
    for name in tests:
        try:
            getattr(module, name)()
        except Exception as error:
            print("FAILED", module_name + "." + name)
            sys.print_exception(error)
            failures.append(name)
    return [len(tests), len(failures)]
`;

const micropython = await loadMicroPython({
  url: fileURLToPath(import.meta.resolve('@micropython/micropython-webassembly-pyscript/micropython.wasm')),
  heapsize: 32 * 1024 * 1024,
  linebuffer: true,
  stdout: (line) => console.log(line),
  stderr: (line) => console.error(line),
});

const testModules = [];
for (const folder of FOLDERS) {
  for (const name of await readdir(new URL(folder, ROOT))) {
    if (!name.endsWith('.py') || name === 'conftest.py') continue;
    micropython.FS.writeFile(name, await readFile(new URL(folder + name, ROOT), 'utf8'));
    if (name.startsWith('test_')) testModules.push(name.slice(0, -'.py'.length));
  }
}

for (const path of SHARED) micropython.FS.writeFile(basename(path), await readFile(new URL(path, ROOT), 'utf8'));

micropython.runPython(RUNNER);
const run = micropython.globals.get('run');
let [tests, failures] = [0, 0];
for (const module of testModules) {
  const [count, failed] = run(module);
  console.log(`${module}: ${count - failed} passed, ${failed} failed`);
  tests += count;
  failures += failed;
}
console.log(`${tests - failures} passed, ${failures} failed on MicroPython`);
process.exitCode = tests === 0 || failures > 0 ? 1 : 0;
