// The engine's worker for the lesson: started when first needed, asked in JSON, answered in plain data.
import { createEngine } from '../engine.js';

/** What the engine refused or could not do; `constant` names what is to be changed, or is null. */
export class EngineError extends Error {
  constructor({ message, constant = null }) {
    super(message);
    this.constant = constant;
  }
}

/**
 * -> { ask(command, body, onBoot) -> Promise of what the command answers, stop(concerns) }. `onBoot(text)` hears how far the start has come while
 * the question waits for it. Of one command only the last question is answered. `stop` ends what the engine does; questions whose command
 * does not concern it are asked again.
 */
export function createAsker() {
  let engine = null;
  const open = new Map(); // id -> { command, json, resolve, reject, onBoot }

  function settle(id, json) {
    const asked = open.get(id);
    open.delete(id);
    const body = JSON.parse(json);
    if ('ok' in body) asked.resolve(body.ok);
    else asked.reject(new EngineError(body.error));
  }

  const put = (asked) => open.set(engine.request(asked.command, asked.json), asked);

  function failAll(message) {
    for (const { reject } of open.values()) reject(new EngineError({ message }));
    open.clear();
  }

  const hear = {
    boot: (_, json) => {
      const { step, steps, label } = JSON.parse(json).boot;
      for (const { onBoot } of open.values()) onBoot(`Đang tải Python: bước ${step}/${steps}, ${label}.`);
    },
    failed: (_, json) => {
      engine = null; // the next question tries again
      failAll(JSON.parse(json).failed.message);
    },
    answer: settle,
  };

  return {
    ask(command, body, onBoot = () => {}) {
      const started = engine;
      engine ??= createEngine((kind, id, json) => hear[kind]?.(id, json));
      const mine = engine;
      for (const [id, asked] of open) if (asked.command === command) open.delete(id); // overtaken: nobody will answer it
      return new Promise((resolve, reject) => {
        put({ command, json: JSON.stringify(body), resolve, reject, onBoot });
        if (!started) mine.start(); // may fail at once, and then says so to this question too
      });
    },
    stop(concerns) {
      if (!engine) return;
      const asked = [...open.values()];
      open.clear();
      engine.stop();
      for (const one of asked) {
        if (concerns(one.command) || !engine) one.reject(new EngineError({ message: 'Đã dừng.' })); // no engine: it could not start again
        else put(one);
      }
    },
  };
}
