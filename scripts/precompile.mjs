// Write the stdlib, NumPy and the engine's wheel again with byte code (see precompile.py), by Pyodide in Node.
// `jobs`: [{ from, to, optimize, keepSource, leaveOut }], paths of archives.
import { readFile, writeFile } from 'node:fs/promises';

export async function precompile(jobs) {
  const { loadPyodide } = await import('pyodide');
  const pyodide = await loadPyodide();
  pyodide.FS.writeFile('/precompile.py', await readFile(new URL('precompile.py', import.meta.url)));
  pyodide.runPython("import sys; sys.path.insert(0, '/')");
  const rewrite = pyodide.pyimport('precompile').rewrite;
  for (const { from, to, optimize, keepSource = false, leaveOut = '(?!)' } of jobs) {
    pyodide.FS.writeFile('/old', await readFile(from));
    rewrite('/old', '/new', optimize, keepSource, leaveOut);
    await writeFile(to, pyodide.FS.readFile('/new'));
  }
}
