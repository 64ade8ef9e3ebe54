// Runs the engine's tests inside Pyodide. pytest and hypothesis, pure Python both, come from the project's virtual
// environment. Properties are tried on fewer examples than on CPython, which is ten times as fast.
//
// usage: node tests/runtime/engine_in_pyodide.mjs [PYTEST ARGUMENTS]
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/setup.mjs';
import { loadPagePyodide } from './page_pyodide.mjs';

const pyodide = await loadPagePyodide();

pyodide.FS.mkdirTree('/repo/tests');
pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: join(ROOT, 'tests') }, '/repo/tests');
pyodide.FS.mkdirTree('/venv');
pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: venvPackages() }, '/venv');

pyodide.globals.set('arguments', pyodide.toPy(process.argv.slice(2)));
process.exitCode = await pyodide.runPythonAsync(`
import os, sys
sys.path.append("/venv")  # last: NumPy and the engine are Pyodide's own
os.chdir("/repo")
import pytest
from hypothesis import settings
settings.register_profile("pyodide", deadline=None, derandomize=True, database=None, max_examples=5)
int(pytest.main(["-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning", "--hypothesis-profile=pyodide", "tests/engine", *arguments]))
`);

function venvPackages() {
  const lib = join(ROOT, '.venv', process.platform === 'win32' ? 'Lib' : 'lib');
  const python = readdirSync(lib).find((name) => name.startsWith('python3'));
  return join(lib, ...(python ? [python] : []), 'site-packages');
}
