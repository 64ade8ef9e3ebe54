// A host for the tests: serves a folder with the headers of scripts/headers.mjs, can be stopped, started again with another folder at
// the same address, and told to answer some paths badly.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { headersOf } from '../../scripts/headers.mjs'

const TYPES = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm',
  '.json': 'application/json', '.woff2': 'font/woff2', '.py': 'text/x-python; charset=utf-8',
}

export class Host {
  #server = null
  #port = 0
  folder
  asked = [] // { path, status }, in order
  answer = () => null // (path) => (response) => … in place of the file

  constructor(folder) {
    this.folder = folder
  }

  get origin() {
    return `http://127.0.0.1:${this.#port}`
  }

  async start(folder = this.folder) {
    this.folder = folder
    this.asked = []
    this.#server = createServer((request, response) => this.#serve(new URL(request.url, 'http://host').pathname, response))
    await new Promise((resolve, reject) => this.#server.on('error', reject).listen(this.#port, '127.0.0.1', resolve))
    this.#port = this.#server.address().port
  }

  async stop() {
    if (!this.#server?.listening) return
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #serve(path, response) {
    const other = this.answer(path)
    if (other) return other(response)
    const file = join(this.folder, decodeURIComponent(path), path.endsWith('/') ? 'index.html' : '')
    const found = await stat(file).catch(() => null)
    const status = found?.isFile() ? 200 : 404
    this.asked.push({ path, status })
    response.writeHead(status, { ...headersOf(path), 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' })
    if (status === 404) return response.end()
    createReadStream(file).pipe(response)
  }
}
