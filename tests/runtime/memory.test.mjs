// Three hundred runs in a row, each of other constants and compared with the one before, leave the worker's memory as it was.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadPagePyodide } from './page_pyodide.mjs';

const RUNS = 300;
const STEP = 1.25; // WebAssembly's memory grows in steps of a fifth; a later run may be the first to need one more
const WARM = 20; // runs until everything has been imported, and as many results are kept as are ever kept

test('300 runs: the memory is flat after the twentieth', async () => {
  const pyodide = await loadPagePyodide();
  const { answer } = pyodide.pyimport('inference_lab.service').Service();
  const objects = pyodide.runPython('import gc\ndef count():\n    gc.collect()\n    return len(gc.get_objects())\ncount');
  let against = null;
  let [bytes, alive] = [0, 0];
  for (let i = 1; i <= RUNS; i += 1) {
    const constants = { SLOTS: 1 + (i % 8), TOKEN_BUDGET: 1 + (i % 15), POOL_BLOCKS: 4 + (i % 11), SEED: i };
    const { ok } = JSON.parse(answer('run', JSON.stringify({ constants, against })));
    against = { key: ok.key, constants: ok.constants };
    if (i === WARM) [bytes, alive] = [pyodide._module.HEAPU8.byteLength, objects()];
  }
  const grown = pyodide._module.HEAPU8.byteLength / bytes;
  assert.ok(grown <= STEP, `memory is ${grown} times what it was after ${WARM} runs`);
  assert.ok(Math.abs(objects() - alive) < 0.02 * alive, `${alive} objects after ${WARM} runs, ${objects()} after ${RUNS}`);
});
