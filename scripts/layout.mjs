// What a deployment consists of, and by which names.
//
// Everything that the build writes stands at a name that holds the hash of its contents, so that a file once fetched is good for ever
// and a page of one deployment never gets a file of another; except the stable names, which others link to and which name the rest.
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The parts of the runtime that set-up lays into static/vendor (scripts/vendor.mjs). */
export const PARTS = ['runtime', 'view', 'engine'];

const STABLE = /^(index\.html|authors\.html|lessons\/[\w-]+\.html|embed\.js|embed\.d\.ts|sw(-off)?\.js|lessons(\.schema)?\.json|oembed\/.+\.(json|html)|thumbnails\/.+|docs\/[\w-]+\.md|_headers)$/;

/** Both take a path within the deployment, without a leading slash. */
export { isHashed } from '../src/offline/names.js';
export const isStable = (path) => STABLE.test(path);

/** Copy the runtime's folders into a build. */
export async function copyRuntime(root, outDir) {
  for (const part of PARTS) {
    const { folder } = JSON.parse(await readFile(join(root, 'static', 'vendor', `${part}.json`), 'utf8'));
    await cp(join(root, 'static', 'vendor', folder), join(outDir, 'vendor', folder), { recursive: true });
  }
}
