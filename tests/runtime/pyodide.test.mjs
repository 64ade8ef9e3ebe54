// What src/worker.js relies on in Pyodide itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadPyodide } from 'pyodide';

test('a call into an interpreter that dies throws, and so can be told from an answer', async () => {
  const pyodide = await loadPyodide({ stderr: () => {} });
  const die = pyodide.runPython('import os; lambda: os._exit(0)');
  assert.throws(() => die());
});
