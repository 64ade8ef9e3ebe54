// src/serve.js with the page's own Pyodide: scripts that print, await, import, spoil things, and die.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { runtimeFiles } from '../../scripts/runtime-files.mjs';
import { createServer } from '../../src/serve.js';
import { loadPagePyodide } from './page_pyodide.mjs';

const PROGRAM = 'import inference_lab as lab\nrun = lab.run(lab.Config.of(lab.constants(globals())))\n';

/** A worker without its thread: `ask` gives what was posted until its request was answered, or will never be. */
async function startWorker() {
  const pyodide = await loadPagePyodide();
  const { micropip, packaging } = (await runtimeFiles(new URL('../..', import.meta.url).pathname)).lock.packages;
  const posted = [];
  let settle;
  const { take } = createServer(pyodide, pyodide.pyimport('inference_lab.service').Service().answer, [micropip, packaging], ({ id, json, early }) => {
    const body = JSON.parse(json);
    posted.push({ id, ...body });
    if ((id !== 0 && !early) || body.fatal || body.retired) settle?.(posted.splice(0));
  });
  let lastId = 0;
  const ask = (command, body = {}) =>
    new Promise((resolve) => {
      settle = resolve;
      take({ id: ++lastId, command, json: JSON.stringify(body) });
    });
  const run = (script) => ask('run', { script });
  const answerTo = async (script) => (await run(script)).at(-1);
  return { ask, run, answerTo, pyodide };
}

let worker;
before(async () => { worker = await startWorker(); });

test('a script without await is answered like any other request', async () => {
  const { ok } = await worker.answerTo(`SLOTS = 3\n${PROGRAM}print(run.config.SLOTS)`);
  assert.equal(ok.printed, '3\n');
  assert.equal(ok.reports.length, 13);
});

test('the pictures of a run that asks for panels come before its answer, under its id', async () => {
  const [first, last, ...more] = await worker.ask('run', { constants: { SLOTS: 3 }, panels: [3, 11] });
  assert.deepEqual([first.id, more], [last.id, []]);
  assert.deepEqual(first.pictures.map(([number, texts]) => [number, JSON.parse(texts[0]).kind]), [[3, 'timeline'], [11, 'bars']]);
  assert.deepEqual(last.ok.panels.map(([number, , , , pictures]) => [number, pictures]), Array.from({ length: 13 }, (_, i) => [i + 1, null]));
  assert.equal((await worker.ask('run', { constants: { SLOTS: 3 }, panels: [] })).length, 1);
});

test('a script that awaits is answered when it has ended', async () => {
  const { ok } = await worker.answerTo(`import asyncio\nprint('a')\nawait asyncio.sleep(0.01)\n${PROGRAM}print('b')`);
  assert.equal(ok.printed, 'a\nb\n');
  assert.equal(ok.reports.length, 13);
});

test('an error after an await has its line', async () => {
  const { error } = await worker.answerTo('import asyncio\nawait asyncio.sleep(0)\n1 / 0');
  assert.deepEqual([error.kind, error.line], ['script', 3]);
});

test('what a script prints is shown while it runs, under the id of its run', async () => {
  const messages = await worker.run("print('một')\nprint('hai')");
  const printed = messages.filter((message) => message.printed).map((message) => message.printed);
  assert.deepEqual(printed.at(-1), { id: messages.at(-1).id, text: 'một\nhai\n', lines: 2 });
});

test('200,000 printed lines are shown in few messages, and only the middle is lost', async () => {
  const began = performance.now();
  const messages = await worker.run('for i in range(200_000): print(i)');
  const seconds = (performance.now() - began) / 1000;
  const printed = messages.filter((message) => message.printed);
  assert.ok(printed.length <= 20 + 10 * seconds + 1, `${printed.length} messages in ${seconds} s`);
  assert.ok(printed.every((message) => message.printed.text.length <= 20_000));
  const lines = messages.at(-1).ok.printed.split('\n');
  assert.equal(lines.length, 1500 + 1 + 500 + 1);
  assert.deepEqual([lines[1499], lines[1501]], ['1499', '199500']);
});

test('micropip is there for a script that imports it, and not before', async () => {
  assert.ok(!('micropip' in worker.pyodide.loadedPackages));
  const { ok } = await worker.answerTo('import micropip\nprint(micropip.__name__)');
  assert.equal(ok.printed, 'micropip\n');
});

test('what a browser has not is explained', async () => {
  for (const [script, said] of [
    ['import threading\nthreading.Thread(target=print).start()', 'threading'],
    ['import subprocess\nsubprocess.run(["ls"])', 'tiến trình'],
    ['\nx = [0] * 10**10', 'lớn'],
    ['\nx = bytearray(2**31 - 1), bytearray(2**31 - 1), bytearray(2**31 - 1)', 'bộ nhớ'],
    ['\nname = input()', 'input()'],
  ]) {
    const { error } = await worker.answerTo(script);
    assert.equal(error.line, 2, script);
    assert.ok(error.message.includes(said), error.message);
  }
});

test('the figures of a run after a script are those of a run before any', async () => {
  const [clean] = await (await startWorker()).ask('run');
  const mischief = await startWorker();
  await mischief.run('import numpy as np, inference_lab.engine as e\nnp.exp = np.zeros\ne.sample = None\ne.Engine.emit = None');
  const [answer] = await mischief.ask('run');
  assert.deepEqual(answer.ok, clean.ok);
});

test('an interpreter that cannot be trusted any more is not asked: it retires', async () => {
  const mischief = await startWorker();
  await mischief.run('import json.encoder\njson.encoder.JSONEncoder.encode = lambda self, value: "{}"');
  assert.deepEqual(await mischief.ask('constants'), [{ id: 0, retired: {} }]);
});

test('an interpreter whose memory a script has blown up retires by itself', async () => {
  const hog = await startWorker();
  const { ok } = await hog.answerTo('x = bytearray(2**30)\ndel x');
  assert.equal(ok.reports, null);
  assert.deepEqual(await hog.ask('constants'), [{ id: 0, retired: {} }]);
});

for (const [name, script] of [
  ['ends its process', 'import os\nos._exit(1)'],
  ['asks for the repr of a list 100,000 deep', 'x = []\nfor _ in range(100_000): x = [x]\nrepr(x)'],
  ['writes JSON 100,000 deep', 'import json\nx = []\nfor _ in range(100_000): x = [x]\njson.dumps(x)'],
]) {
  test(`a script that ${name} ends the interpreter, and that is told`, async () => {
    const last = (await (await startWorker()).run(script)).at(-1);
    process.exitCode = undefined; // Emscripten sets it in Node when Python exits; this process has not failed
    assert.ok(last.fatal.message, JSON.stringify(last));
  });
}
