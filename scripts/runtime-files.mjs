// What the page's scripts know of the files in static/vendor: the table of files and Pyodide's lock.
//
// files: [{ name, path, bytes, boot }], `boot` saying who loads the file at the start: "worker", "view" or nobody (null).
// lock: Pyodide's lock file with only the packages that are here, as they are here, the engine's among them.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PARTS } from './layout.mjs';

const PACKAGES = ['numpy', 'micropip', 'packaging'];
const BOOT = {
  worker: /^(pyodide\.mjs|pyodide\.asm\.mjs|pyodide\.asm\.wasm|python_stdlib\.zip|python\.snapshot|numpy-.*\.whl|inference_lab-.*\.whl)$/,
  view: /^(core\.js|micropython\.mjs|micropython\.wasm)$/,
};

export async function runtimeFiles(root) {
  const read = async (path) => JSON.parse(await readFile(join(root, path), 'utf8'));
  const parts = await Promise.all(PARTS.map((part) => read(`static/vendor/${part}.json`)));
  const vendored = Object.assign({}, ...parts.map(({ files }) => files));
  const stock = await read('node_modules/pyodide/pyodide-lock.json');

  const files = Object.entries(vendored).map(([name, { path, bytes }]) => ({ name, path, bytes, boot: bootOf(name) }));
  const packages = Object.fromEntries(PACKAGES.map((name) => {
    const { path, sha256 } = vendored[stock.packages[name].file_name];
    return [name, { ...stock.packages[name], file_name: path, sha256 }];
  }));
  packages['inference-lab'] = enginePackage(vendored);
  return { files, lock: { info: stock.info, packages } };
}

const bootOf = (name) => Object.keys(BOOT).find((who) => BOOT[who].test(name)) ?? null;

function enginePackage(vendored) {
  const wheel = Object.keys(vendored).find((name) => name.startsWith('inference_lab-'));
  const { path, sha256 } = vendored[wheel];
  return {
    name: 'inference-lab', version: wheel.split('-')[1], file_name: path, sha256, package_type: 'package',
    install_dir: 'site', imports: ['inference_lab'], depends: ['numpy'], unvendored_tests: false,
  };
}
