// The part of the build that is for course authors: the manifest and the oEmbed answers at their stable names, the page that makes
// snippets, pictures, and the documents that it links to. In development the same answers come from memory.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { renderAuthors } from './authors.mjs'
import { oembed, oembedPath, siteOf, unitFiles, unitGroups } from './units.mjs'

const DOCS = ['embedding.md', 'manifest.md', 'offline.md', 'scorm.md']

export function units(root) {
  return [
    {
      name: 'inference-lab:units',
      async generateBundle() {
        for (const [fileName, source] of unitFiles(root)) this.emitFile({ type: 'asset', fileName, source })
        for (const [fileName, file] of await filesAsTheyAre(root)) this.emitFile({ type: 'asset', fileName, source: await textOf(root, file) })
      },
      configureServer(server) {
        server.middlewares.use((request, response, next) => {
          const name = new URL(request.url, 'http://host').pathname.slice(1)
          const text = unitFiles(root).get(name)
          if (text === undefined) return next()
          response.setHeader('Content-Type', `${name.endsWith('.html') ? 'text/html' : 'application/json'}; charset=utf-8`).end(text)
        })
      },
      transformIndexHtml: { order: 'pre', handler: (html, { path }) => (path === '/authors.html' ? renderAuthors(html, root) : html) },
    },
    {
      name: 'inference-lab:oembed-link',
      transformIndexHtml: { order: 'post', handler: (html, { path }) => (path === '/index.html' ? [alternate(root)] : []) },
    },
  ]
}

/** A document is marked as UTF-8: hosts send Markdown without saying what it is written in. */
const textOf = async (root, file) => (file.endsWith('.md') ? `\ufeff${await readFile(join(root, file), 'utf8')}` : readFile(join(root, file)))

/** [[name in the build, file]] */
async function filesAsTheyAre(root) {
  const pictures = (await readdir(join(root, 'static', 'thumbnails'))).filter((name) => name.endsWith('.webp'))
  const own = ['lessons.schema.json', ...pictures.map((name) => `thumbnails/${name}`)]
  return [...own.map((name) => [name, `static/${name}`]), ...DOCS.map((name) => [`docs/${name}`, `docs/${name}`])]
}

/** Where a reader of the page's head finds the oEmbed answer: that of the whole lab, since the head is the same for every unit. */
function alternate(root) {
  const site = siteOf()
  const lab = unitGroups(root).flatMap((group) => group.units).find(({ id }) => id === 'lab')
  const href = site ? new URL(oembedPath(lab.id), site).href : `./${oembedPath(lab.id)}`
  return { tag: 'link', attrs: { rel: 'alternate', type: 'application/json+oembed', href, title: oembed(lab, site).title }, injectTo: 'head' }
}
