// A second deployment for the tests: the same sources with a line more in some modules, so that a page, a style, the worker and a lazily
// loaded part differ from the first.
import { readFile, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { build } from 'vite';
import { ROOT } from '../scripts/setup.mjs';

const LATER = 'globalThis.laterDeployment = true;';
const CHANGED = {
  'src/replay/moment.js': LATER, // loads when a run is first replayed
  'src/serve.js': LATER,
  'static/styles/main.css': ':root { --later-deployment: 1 }',
};

export async function buildDeployment(outDir, { later = false } = {}) {
  const plugins = later ? [changing()] : [];
  await build({
    root: ROOT, configFile: join(ROOT, 'vite.config.js'), logLevel: 'warn',
    plugins, worker: { plugins: () => plugins }, build: { outDir, emptyOutDir: true },
  });
}

function changing() {
  return {
    name: 'later-deployment',
    enforce: 'pre',
    async load(id) {
      const [file] = id.split('?');
      const line = CHANGED[relative(ROOT, file).split(sep).join('/')];
      return line ? `${await readFile(file, 'utf8')}\n${line}\n` : null;
    },
    transformIndexHtml: (html) => html.replace('<html', '<html data-later-deployment'),
  };
}

/** The paths of all files of a deployment. */
export async function pathsOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join('/')).sort();
}
