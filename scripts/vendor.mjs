// Lay the files that the page needs at run time into static/vendor, one part at a time.
//
// A part is a folder named by the hash of its contents, so that a host may let browsers keep it for ever, and a
// PART.json: { folder, files: { NAME: { path, bytes, sha256 } }, … }. Paths are relative to the page. The old folder of
// a part is removed once the new one is complete.
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { precompile } from './precompile.mjs';
import { takeSnapshot } from './snapshot.mjs';

const PYODIDE_FILES = ['pyodide.mjs', 'pyodide.asm.mjs', 'pyodide.asm.wasm'];
const PYSCRIPT_FILES = /^(core|core-.*|error-.*)\.js$/; // all that it loads when told to leave its plugins out

// What only NumPy's own tests and compilers of extensions read.
const NUMPY_UNUSED = String.raw`/tests/|/f2py/|/_pyinstaller/|/include/|_tests\.cpython|\.(pyi|h|a|pxd|pyx|pc|build|in|md|rst|txt|ini)$`;

/** Pyodide, the stdlib, Python's memory after its start, and the wheels; the lock that names those wheels with their new sums. */
export async function vendorRuntime(root, wheels) {
  const stock = join(root, 'node_modules', 'pyodide');
  const [numpy, ...others] = wheels.map((path) => join(root, path));
  await vendor(root, 'runtime', async (folder) => {
    for (const name of PYODIDE_FILES) await copyFile(join(stock, name), join(folder, name));
    for (const wheel of others) await copyFile(wheel, join(folder, basename(wheel)));
    await precompile([
      { from: join(stock, 'python_stdlib.zip'), to: join(folder, 'python_stdlib.zip'), optimize: 2 },
      { from: numpy, to: join(folder, basename(numpy)), optimize: 1, leaveOut: NUMPY_UNUSED },
    ]);
    await writeFile(join(folder, 'python.snapshot'), await takeSnapshot(join(folder, 'python_stdlib.zip')));
  });
}

export async function vendorView(root) {
  const pyscript = join(root, 'node_modules', '@pyscript', 'core', 'dist');
  const micropython = join(root, 'node_modules', '@micropython', 'micropython-webassembly-pyscript');
  const chunks = (await readdir(pyscript)).filter((name) => PYSCRIPT_FILES.test(name));
  await vendor(root, 'view', async (folder) => {
    for (const name of chunks) await copyFile(join(pyscript, name), join(folder, name));
    for (const name of ['micropython.mjs', 'micropython.wasm']) await copyFile(join(micropython, name), join(folder, name));
  });
}

/** The engine's wheel, its source kept (a panel shows it) and byte code laid beside it. */
export async function vendorEngine(root, wheels) {
  const wheel = wheels.find((path) => path.endsWith('.whl'));
  await vendor(root, 'engine', async (folder) => {
    await precompile([{ from: join(root, wheel), to: join(folder, basename(wheel)), optimize: 0, keepSource: true }]);
  });
}

async function vendor(root, part, fill) {
  const vendorFolder = join(root, 'static', 'vendor');
  const draft = join(vendorFolder, `.${part}-${process.pid}`);
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  await fill(draft);

  const contents = await Promise.all((await readdir(draft)).sort().map(async (name) => [name, await readFile(join(draft, name))]));
  const sums = contents.map(([name, data]) => [name, sha256(data), data.length]);
  const folder = `${part}-${sha256(JSON.stringify(sums)).slice(0, 10)}`;
  const files = Object.fromEntries(sums.map(([name, sum, bytes]) => [name, { path: `vendor/${folder}/${name}`, bytes, sha256: sum }]));

  const old = (await readdir(vendorFolder)).filter((name) => name.startsWith(`${part}-`));
  if (old.includes(folder)) await rm(draft, { recursive: true });
  else await rename(draft, join(vendorFolder, folder));
  await writeFile(join(vendorFolder, `${part}.json`), JSON.stringify({ folder, files }, null, 1));
  for (const name of old.filter((name) => name !== folder)) await rm(join(vendorFolder, name), { recursive: true });
}

const sha256 = (data) => createHash('sha256').update(data).digest('hex');
