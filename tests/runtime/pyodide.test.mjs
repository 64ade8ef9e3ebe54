// What src/worker.js relies on in Pyodide itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { join } from 'node:path';
import { loadPyodide } from 'pyodide';
import { runtimeFiles } from '../../scripts/runtime-files.mjs';
import { ROOT } from '../../scripts/setup.mjs';
import { startPagePyodide } from './page_pyodide.mjs';

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

test('Python from the snapshot imports the same standard library as one that has just started', async () => {
  const importable = `
import importlib, sys, warnings
warnings.simplefilter("ignore")
def found(name):
    try:
        importlib.import_module(name)
    except Exception as error:
        return f"{name}: {type(error).__name__}"
    return name
" ".join(found(name) for name in sorted(sys.stdlib_module_names - {"antigravity", "this"}))`;
  const fresh = await loadPyodide();
  const fromSnapshot = await startPagePyodide();
  assert.equal(fromSnapshot.runPython(importable), fresh.runPython(importable));
});

test('the snapshot holds all of the standard library that the boot imports', async () => {
  const pyodide = await startPagePyodide();
  await pyodide.loadPackage(['numpy', 'inference-lab'], { messageCallback: () => {} });
  const missing = pyodide.runPython(`
import sys
before = set(sys.modules)
import numpy, numpy.random, inference_lab.service
" ".join(sorted(name for name in set(sys.modules) - before if name.partition(".")[0] in sys.stdlib_module_names))`);
  assert.equal(missing, '');
});

test('Python from the snapshot can be given a seed of its own, and calls back through ctypes', async () => {
  const draws = [];
  for (let i = 0; i < 2; i += 1) {
    const pyodide = await startPagePyodide();
    pyodide.pyimport('random').seed();
    draws.push(pyodide.runPython('import random; random.random()'));
    assert.equal(pyodide.runPython('import ctypes; ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 42)()'), 42);
  }
  assert.notEqual(draws[0], draws[1]);
});
