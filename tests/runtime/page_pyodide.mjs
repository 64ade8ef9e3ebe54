// Pyodide in Node, on the very files that the page loads: Python's memory, precompiled stdlib, slim NumPy, the engine's wheel.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { loadPyodide } from 'pyodide';
import { runtimeFiles } from '../../scripts/runtime-files.mjs';
import { ROOT } from '../../scripts/setup.mjs';

const STATIC = join(ROOT, 'static/');

/** -> Pyodide as it is before any package is loaded */
export async function startPagePyodide() {
  const { files, lock } = await runtimeFiles(ROOT);
  const path = (name) => join(STATIC, files.find((file) => file.name === name).path);
  return loadPyodide({
    indexURL: join(path('pyodide.asm.wasm'), '..'),
    stdLibURL: path('python_stdlib.zip'),
    lockFileContents: lock,
    packageBaseUrl: STATIC,
    _loadSnapshot: gunzipSync(await readFile(path('python.snapshot'))),
    env: { PYTHONDONTWRITEBYTECODE: '1' },
  });
}

/** -> Pyodide with NumPy and the package `inference_lab` loaded */
export async function loadPagePyodide() {
  const pyodide = await startPagePyodide();
  await pyodide.loadPackage(['numpy', 'inference-lab'], { messageCallback: () => {} });
  return pyodide;
}
