// What src/worker.js relies on in Pyodide itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { join } from 'node:path';
import { loadPyodide } from 'pyodide';
import { runtimeFiles } from '../../scripts/runtime-files.mjs';
import { ROOT } from '../../scripts/setup.mjs';

test('a call into an interpreter that dies throws, and so can be told from an answer', async () => {
  const pyodide = await loadPyodide({ stderr: () => {} });
  const die = pyodide.runPython('import os; lambda: os._exit(0)');
  assert.throws(() => die());
});

test('the lock still gives micropip to a script that asks for it', async () => {
  const { lock } = await runtimeFiles(ROOT);
  const pyodide = await loadPyodide({ lockFileContents: lock, packageBaseUrl: join(ROOT, 'static/') });
  await pyodide.loadPackage('micropip', { messageCallback: () => {} });
  assert.equal(pyodide.runPython('import micropip; "numpy" in micropip.list()'), false);
});
