// The service worker of a build: a script, and the list of all that it keeps, each with the sum that it must have.
//
// In: a folder with a whole build. Out: sw.js in it, and sw-off.js, which takes back what sw.js did (see docs/offline.md).
import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { build } from 'vite';
import { isHashed } from '../src/offline/names.js';

const KEPT = /^([^/]+\.html|lessons\/[^/]+\.html|embed\.js|lessons\.json|thumbnails\/.+)$/; // beside the hashed names

export async function writeServiceWorkers(root, outDir) {
  const kept = await keptFiles(outDir);
  await bundle(root, outDir, 'sw', 'src/offline/service_worker.js', { KEPT: JSON.stringify(kept) });
  await bundle(root, outDir, 'sw-off', 'src/offline/switched_off.js', {});
}

async function keptFiles(outDir) {
  const entries = await readdir(outDir, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => relative(outDir, join(parentPath, name)).split(sep).join('/'));
  const kept = paths.filter((path) => isHashed(path) || KEPT.test(path)).sort();
  return Promise.all(kept.map(async (url) => {
    const sum = createHash('sha256').update(await readFile(join(outDir, url)));
    const integrity = `sha256-${sum.digest('base64')}`;
    return { url, revision: isHashed(url) ? null : integrity.slice(7, 17), integrity };
  }));
}

/** A classic script in one file: a service worker made of modules would not do in every browser. */
async function bundle(root, outDir, name, entry, define) {
  await build({
    root, configFile: false, publicDir: false, logLevel: 'warn',
    define: { 'process.env.NODE_ENV': '"production"', ...define },
    build: {
      outDir, emptyOutDir: false, target: 'es2022', modulePreload: { polyfill: false },
      rollupOptions: { input: { [name]: join(root, entry) }, output: { format: 'iife', entryFileNames: '[name].js' } },
    },
  });
}
