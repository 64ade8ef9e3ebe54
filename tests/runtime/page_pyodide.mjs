// Pyodide in Node, on the very files that the page loads: precompiled stdlib, slim NumPy, the engine's wheel.
import { join } from 'node:path';
import { loadPyodide } from 'pyodide';
import { runtimeFiles } from '../../scripts/runtime-files.mjs';
import { ROOT } from '../../scripts/setup.mjs';

const STATIC = join(ROOT, 'static/');

/** -> Pyodide with NumPy and the package `inference_lab` loaded */
export async function loadPagePyodide() {
  const { files, lock } = await runtimeFiles(ROOT);
  const path = (name) => join(STATIC, files.find((file) => file.name === name).path);
  const pyodide = await loadPyodide({
    indexURL: join(path('pyodide.asm.wasm'), '..'),
    stdLibURL: path('python_stdlib.zip'),
    lockFileContents: lock,
    packageBaseUrl: STATIC,
    env: { PYTHONDONTWRITEBYTECODE: '1' },
  });
  await pyodide.loadPackage(['numpy', 'inference-lab'], { messageCallback: () => {} });
  return pyodide;
}
