// The same configuration gives the same bytes on CPython and in Pyodide: figures, printout, reports and what changed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { PYTHON, ROOT } from '../../scripts/setup.mjs';
import { loadPagePyodide } from './page_pyodide.mjs';

const CONFIGURATIONS = [
  {},
  { SLOTS: 3, TOKEN_BUDGET: 4, SEED: 65 },
  { POOL_BLOCKS: 6, SLOTS: 4, QUEUE_LIMIT: 4 }, // preempts
  { FOLLOW: 'D', QUANT_BITS: 3, N_MERGES: 0 },
  { N_HEADS: 4, D_HEAD: 8, D_MODEL: 32, BLOCK_SIZE: 1, POOL_BLOCKS: 64, FOLLOW: 'B' },
  { SLOTS: 0, FOLLOW: 'Z' }, // refused
];

const ASK = `
import json
from inference_lab import Config, ConfigurationError, run
from inference_lab.figures import figures
from inference_lab.service import Service

def asked(text):
    changed = json.loads(text)
    try:
        numbers = json.dumps(figures(run(Config.of(changed))), ensure_ascii=False)
    except ConfigurationError as error:
        numbers = str(error)
    return [numbers, service.answer("run", json.dumps({"constants": changed, "against": course}))]

service = Service()
course = {"key": json.loads(service.answer("run", "{}"))["ok"]["key"], "constants": {}}
exercises = [e["id"] for e in json.loads(service.answer("exercises", "{}"))["ok"]]

def learnt():
    return [service.answer("predictions", "{}"), *[service.answer("exercise_answer", json.dumps({"id": id})) for id in exercises]]
`;

test('figures, reports, causes and answers of exercises are the same text on both interpreters', async () => {
  const native = spawnSync(PYTHON, ['-c', `${ASK}\nimport sys\nprint(json.dumps([[asked(line) for line in sys.stdin], learnt()]))`], {
    input: CONFIGURATIONS.map((changed) => JSON.stringify(changed)).join('\n'),
    env: { ...process.env, PYTHONPATH: join(ROOT, 'py'), PYTHONUTF8: '1' },
    encoding: 'utf8',
    maxBuffer: 1 << 27,
  });
  assert.equal(native.status, 0, native.stderr);
  const [expected, expectedAnswers] = JSON.parse(native.stdout);

  const pyodide = await loadPagePyodide();
  pyodide.runPython(ASK);
  const asked = pyodide.globals.get('asked');
  for (const [i, changed] of CONFIGURATIONS.entries()) {
    const got = asked(JSON.stringify(changed)).toJs();
    for (const part of [0, 1]) assert.equal(got[part], expected[i][part], JSON.stringify(changed));
  }
  assert.deepEqual(pyodide.runPython('learnt()').toJs(), expectedAnswers);
});
