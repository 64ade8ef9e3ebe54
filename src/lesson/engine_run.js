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
 * -> { ask(command, body, onBoot) -> Promise of what the command answers, stop() }. `onBoot(text)` hears how far the start has come while
 * the question waits for it. Of one command only the last question is answered.
 */
export function createAsker() {
  let engine = null;
  const open = new Map(); // id -> { resolve, reject, onBoot }

  function settle(id, json) {
    const asked = open.get(id);
    open.delete(id);
    const body = JSON.parse(json);
    if ('ok' in body) asked.resolve(body.ok);
    else asked.reject(new EngineError(body.error));
  }

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
    stopped: () => failAll('Đã dừng.'),
    answer: settle,
  };

  return {
    ask(command, body, onBoot = () => {}) {
      const started = engine;
      engine ??= createEngine((kind, id, json) => hear[kind]?.(id, json));
      const mine = engine;
      return new Promise((resolve, reject) => {
        open.set(mine.request(command, JSON.stringify(body)), { resolve, reject, onBoot });
        if (!started) mine.start(); // may fail at once, and then says so to this question too
      });
    },
    stop() {
      engine?.stop();
    },
  };
}
