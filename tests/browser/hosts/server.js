// Small servers for the tests of embedding: pages of somebody else's, and the lab's build as any static host would serve it.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const TYPES = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css', '.json': 'application/json',
  '.wasm': 'application/wasm', '.woff2': 'font/woff2',
}

async function sendFile(response, path) {
  const body = path && (await readFile(path).catch((error) => (error.code === 'ENOENT' ? null : Promise.reject(error))))
  if (body) response.writeHead(200, { 'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream' }).end(body)
  else response.writeHead(404).end()
}

const listening = (server) => new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)))

function closer(server) {
  return () => new Promise((resolve) => {
    server.close(resolve)
    server.closeAllConnections()
  })
}

/** -> { add({ headers, html }, name of the host): the address of a page with that; close() }. Scripts of this folder are served beside. */
export async function startHosts() {
  const pages = []
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://host')
    const page = pages[Number(/^\/page\/(\d+)$/.exec(pathname)?.[1] ?? -1)]
    if (page) {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', ...page.headers }).end(page.html)
    } else {
      await sendFile(response, /^\/[\w-]+\.js$/.test(pathname) ? join(HERE, pathname) : null)
    }
  })
  const port = await listening(server)
  return {
    add({ headers = {}, html }, name = 'lms.localhost') {
      pages.push({ headers, html })
      return `http://${name}:${port}/page/${pages.length - 1}`
    },
    close: closer(server),
  }
}

/** The build, with the headers that its own `_headers` asks for. -> { origin, asked: Map path -> how often; close() } */
export async function startStatic(folder) {
  const blocks = (await readFile(join(folder, '_headers'), 'utf8')).trim().split('\n\n').map((block) => block.split('\n'))
  const asked = new Map()
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://host')
    asked.set(pathname, (asked.get(pathname) ?? 0) + 1)
    for (const [pattern, ...lines] of blocks) {
      if (pattern.endsWith('*') ? !pathname.startsWith(pattern.slice(0, -1)) : pathname !== pattern) continue
      for (const line of lines) response.setHeader(...line.trim().split(/: (.*)/).slice(0, 2))
    }
    await sendFile(response, join(folder, pathname.endsWith('/') ? `${pathname}index.html` : pathname))
  })
  const port = await listening(server)
  return { origin: `http://127.0.0.1:${port}`, asked, close: closer(server) }
}
