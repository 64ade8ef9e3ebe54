// The engine client against a worker that answers when told to.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { createEngine } from '../../src/engine.js';

let workers;
let events;
let engine;

class FakeWorker {
  sent = [];
  ended = false;

  constructor() {
    workers.push(this);
  }

  postMessage(message) {
    this.sent.push(message);
  }

  terminate() {
    this.ended = true;
  }

  says(id, value, more = {}) {
    this.onmessage?.({ data: { id, json: JSON.stringify(value), ...more } });
  }
}

beforeEach(() => {
  workers = [];
  events = [];
  globalThis.Worker = FakeWorker;
  engine = createEngine((kind, id, json) => events.push([kind, id, JSON.parse(json)]));
  engine.start();
});

afterEach(() => engine.stop()); // and with it the last worker's timer
afterEach(() => workers.at(-1).says(0, { ready: {} }));

const answers = () => events.filter(([kind]) => kind === 'answer').map(([, id]) => id);
const ids = (worker) => worker.sent.map(({ id }) => id);

test('a request made while it boots is sent once it is ready', () => {
  const id = engine.request('run', '{}');
  assert.deepEqual(workers[0].sent, []);
  workers[0].says(0, { ready: {} });
  assert.deepEqual(workers[0].sent, [{ id, command: 'run', json: '{}' }]);
});

test('of five quick requests the first runs, the last waits, and only the last is answered', () => {
  workers[0].says(0, { ready: {} });
  const [first, , , , last] = [1, 2, 3, 4, 5].map(() => engine.request('run', '{}'));
  assert.deepEqual(ids(workers[0]), [first]);
  workers[0].says(first, { ok: {} });
  assert.deepEqual(ids(workers[0]), [first, last]);
  workers[0].says(last, { ok: {} });
  assert.deepEqual(answers(), [last]);
});

test('what comes early of an answer is passed on and answers nothing; of a run that was overtaken it is not', () => {
  workers[0].says(0, { ready: {} });
  const first = engine.request('run', '{}');
  workers[0].says(first, { pictures: [] }, { early: true });
  assert.deepEqual(events.at(-1), ['early', first, { pictures: [] }]);
  const last = engine.request('run', '{}');
  assert.deepEqual([ids(workers[0]), answers()], [[first], []]);
  workers[0].says(first, { pictures: [] }, { early: true });
  workers[0].says(first, { ok: {} });
  assert.deepEqual([ids(workers[0]), answers()], [[first, last], []]);
  assert.equal(events.filter(([kind]) => kind === 'early').length, 1);
});

test('a request for source does not drop a run', () => {
  workers[0].says(0, { ready: {} });
  const run = engine.request('run', '{}');
  const source = engine.request('source', '{"block": 1}');
  workers[0].says(run, { ok: {} });
  workers[0].says(source, { ok: [] });
  assert.deepEqual(answers(), [run, source]);
});

test('stop ends the worker, starts another, and never delivers what was asked', () => {
  workers[0].says(0, { ready: {} });
  const running = engine.request('run', '{}');
  engine.request('run', '{}');
  engine.stop();
  assert.ok(workers[0].ended);
  workers[0].says(running, { ok: {} });
  workers[1].says(0, { ready: {} });
  assert.deepEqual(workers[1].sent, []);
  assert.deepEqual(answers(), []);
});

test('when the interpreter dies its request is answered with an error, and another worker starts', () => {
  workers[0].says(0, { ready: {} });
  const id = engine.request('run', '{}');
  workers[0].says(0, { fatal: { message: 'unreachable' } });
  assert.ok(workers[0].ended);
  assert.equal(workers.length, 2);
  const [, , answer] = events.find(([kind, of]) => kind === 'answer' && of === id);
  assert.equal(answer.error.traceback, 'unreachable');
});

test('a boot that failed ends its worker; retry starts another and keeps what was asked', () => {
  const id = engine.request('run', '{}');
  workers[0].says(0, { failed: { file: 'numpy.whl', message: 'gone' } });
  assert.ok(workers[0].ended);
  engine.retry();
  workers[1].says(0, { ready: {} });
  assert.deepEqual(ids(workers[1]), [id]);
});

test('a worker that had failed before this script came is heard out, whatever it said after', () => {
  workers[0].says(0, { ready: {} }); // and with it that worker's timer
  const early = new FakeWorker();
  const said = (value) => ({ type: 'message', data: { id: 0, json: JSON.stringify(value) } });
  const boot = said({ boot: { step: 1, steps: 4, name: 'download', label: '', loaded: 1, total: 2 } });
  globalThis.inferenceLabWorker = { worker: early, events: [boot, said({ failed: { file: 'numpy.whl', message: 'gone' } }), boot] };
  events = [];
  engine = createEngine((kind, id, json) => events.push([kind, id, JSON.parse(json)]));
  engine.start();
  assert.deepEqual(events.map(([kind]) => kind), ['boot', 'failed']);
  assert.ok(early.ended);
});

test('a spoilt interpreter is replaced, and a clean one gets what it was asked', () => {
  workers[0].says(0, { ready: {} });
  const id = engine.request('run', '{}');
  workers[0].says(0, { retired: {} });
  assert.ok(workers[0].ended);
  workers[1].says(0, { ready: {} });
  assert.deepEqual(workers[1].sent, [{ id, command: 'run', json: '{}' }]);
  workers[1].says(id, { ok: {} });
  assert.deepEqual(answers(), [id]);
});

test('a spoilt interpreter that was asked nothing is replaced in silence', () => {
  workers[0].says(0, { ready: {} });
  workers[0].says(0, { retired: {} });
  workers[1].says(0, { ready: {} });
  assert.deepEqual(workers[1].sent, []);
  assert.deepEqual(events.map(([kind]) => kind), ['ready', 'ready']);
});

test('what the script of the latest run prints is passed on; of a run that was overtaken it is not', () => {
  workers[0].says(0, { ready: {} });
  const first = engine.request('run', '{}');
  workers[0].says(0, { printed: { id: first, text: 'a\n', lines: 1 } });
  engine.request('run', '{}');
  workers[0].says(0, { printed: { id: first, text: 'a\nb\n', lines: 2 } });
  assert.deepEqual(events.filter(([kind]) => kind === 'printed'), [['printed', first, { printed: { id: first, text: 'a\n', lines: 1 } }]]);
});
