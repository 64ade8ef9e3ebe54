// Python as it is once it has started: the memory of a Pyodide that Node has booted, for the page to go on from.
//
// Starting Python and importing the standard library that NumPy and the engine need is half of the worker's boot. The
// snapshot holds the heap of one build of Pyodide, with this stdlib at this place; Pyodide refuses it for another build.
// NumPy is not in it: a snapshot cannot hold a linked library yet. It must fit the memory that Pyodide starts with.
import { constants, gzipSync } from 'node:zlib';

// What is imported before ready, and what the engine's commands and a learner's script are likely to ask for first.
// `random` has its seed in here: the worker seeds it anew.
const MODULES = [
  '_compat_pickle', '_ctypes', '_datetime', '_pickle', 'ctypes', 'ctypes._endian', 'datetime', 'numbers', 'pickle', 'platform', 'sysconfig',
  'difflib', 'hmac', 'secrets', 'unicodedata', 'random', 'json', 'dataclasses', 'inspect', 'traceback', 'reprlib', 'textwrap', 'heapq', 'hashlib',
];

/** -> gzipped bytes for `_loadSnapshot`, without the zeros at the end of the heap */
export async function takeSnapshot(stdLibURL) {
  const { loadPyodide } = await import('pyodide');
  const pyodide = await loadPyodide({ stdLibURL, _makeSnapshot: true });
  const size = pyodide._module.HEAPU8.length;
  pyodide.runPython(`import gc, ${MODULES.join(', ')}\ngc.collect()`);
  if (pyodide._module.HEAPU8.length !== size) throw new Error('the snapshot does not fit the memory that Pyodide starts with');
  const memory = pyodide.makeMemorySnapshot();
  return gzipSync(memory.subarray(0, memory.findLastIndex((byte) => byte !== 0) + 1), { level: constants.Z_BEST_COMPRESSION });
}
