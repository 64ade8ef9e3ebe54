// Answers the page's requests once Python is up, and keeps a learner's script from spoiling later answers.
//
// In:  { id, command, json }. Out, through `post`: { id, json }, where json is what `inference_lab.service` answered, before it perhaps
// { id, json, early: true }, what of the answer is there already; and, under id 0, { printed: { id, text, lines } } while a script runs (its last lines, and the number of all);
// { retired } when a script has left the interpreter in a state that is not to be trusted: the request is not answered;
// { fatal: { message } } when the interpreter has died. After these two this thread is of no more use.
//
// Python itself puts back what a script replaces (isolation.py). Here the default run's figures are compared with what
// they were before the first script, and memory that a script has taken is seen: WebAssembly never gives any back.

const CANARY = ['figures', '{}'];
const MEMORY_LIMIT = 1 << 30; // bytes; a run of the lab needs a twentieth of it
const IDLE_MS = 200; // after a script's answer: time for the page to draw, and to ask again

/**
 * `packages`: of the lock file, those that are not loaded at the start.
 * -> `take`, for a request, and `died`, for an error that nobody caught: a script that awaits has left our stack.
 */
export function createServer(pyodide, answer, packages, post) {
  const report = (json) => post({ id: 0, json: JSON.stringify(json) });
  let figures = null; // of the default run, before any script
  let touched = false; // a script has run since they were last compared
  let timer = null;

  /** Whether later runs are what they would be without the scripts before them. */
  function sound() {
    if (touched) {
      if (pyodide._module.HEAPU8.byteLength > MEMORY_LIMIT || answer(...CANARY) !== figures) return false;
      touched = false;
    }
    return true;
  }

  const retire = () => report({ retired: {} });

  async function runScript({ id, command, json }, script) {
    figures ??= answer(...CANARY);
    await loadPackages(script);
    touched = true;
    const text = answer(command, json, (printed, lines) => report({ printed: { id, text: printed, lines } }));
    post({ id, json: typeof text === 'string' ? text : await text });
    timer = setTimeout(guarded(() => sound() || retire()), IDLE_MS);
  }

  /** What the script imports of the lock file's packages that are not there yet. */
  async function loadPackages(script) {
    const names = packages.filter(({ name, imports }) => !(name in pyodide.loadedPackages) && imports.some((module) => isImported(module, script)));
    if (names.length > 0) await pyodide.loadPackage(names.map(({ name }) => name), { messageCallback: () => {} });
  }

  async function take(request) {
    clearTimeout(timer);
    const { script } = request.command === 'run' ? JSON.parse(request.json || '{}') : {};
    if (script !== undefined && script !== null) await runScript(request, script);
    else if (sound()) post({ id: request.id, json: answer(request.command, request.json, undefined, (text) => post({ id: request.id, json: text, early: true })) });
    else retire();
  }

  /** `answer` never raises: if something does, the interpreter is gone. */
  const died = (error) => report({ fatal: { message: lastLine(error) } });
  const guarded = (action) => () => {
    try {
      action();
    } catch (error) {
      died(error);
    }
  };

  return { take: (request) => take(request).catch(died), died };
}

const isImported = (module, script) => new RegExp(`^[ \\t]*(import|from)\\b.*\\b${module}\\b`, 'm').test(script);

/** A Python error's message holds its whole traceback; its last line says what it was. */
export const lastLine = (error) => String(error?.message ?? error).trim().split('\n').at(-1);
