// The files of a runtime: asked for early and all at once, counted byte by byte, held to their known sizes.
//
// In: a table of files { name, path, bytes } and the address that the paths are relative to. Out: responses and modules
// for whoever asks by address, progress in bytes, and a FileTrouble that names the file and says, in Vietnamese, what
// happened. Knows nothing of Pyodide, PyScript or the page.
import { listenForSilence } from './silence.js';

const SILENT_SECONDS = 8;

// Pyodide and MicroPython compile while they download, which takes this type; hosts do not always send it.
const TYPES = { wasm: 'application/wasm', py: 'text/x-python', zip: 'application/zip', whl: 'application/zip' };

export class FileTrouble extends Error {
  constructor(file, reason) {
    super(`Không tải được tệp ${file}: ${reason}. Hãy kiểm tra mạng rồi bấm «Thử lại».`);
    this.file = file;
  }
}

export class Downloads {
  #files;
  #base;
  #native = globalThis.fetch.bind(globalThis);
  #underWay = new Map(); // address -> { file, response } that nobody has taken yet
  #pending = new Set(); // names of files not wholly here
  #onBytes;
  #silence;
  #failure = null;
  #reject;

  loaded = 0;
  /** Rejects with the first FileTrouble; never resolves. */
  trouble;

  constructor(files, base, onBytes = () => {}) {
    this.#files = new Map(files.map((file) => [file.name, file]));
    this.#base = base;
    this.#onBytes = onBytes;
    this.trouble = new Promise((_, reject) => { this.#reject = reject; });
    this.trouble.catch(() => {}); // whoever races against it sees it
    this.#silence = listenForSilence(SILENT_SECONDS, (seconds) => {
      const [stalled = files.at(-1).name] = this.#pending;
      this.#fail(new FileTrouble(stalled, `không có gì tới trong ${seconds} giây`));
    });
  }

  get total() {
    return [...this.#files.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  address(name) {
    return new URL(this.#files.get(name).path, this.#base).href;
  }

  /** Begin to download a file that will be asked for through `fetch`. */
  start(name) {
    const file = this.#files.get(name);
    const address = this.address(name);
    this.#pending.add(name);
    const response = this.#open(file, address);
    response.catch(this.#fail);
    this.#underWay.set(address, response);
  }

  /** The bytes of a file whose download has begun. */
  async bytes(name) {
    const response = await this.fetch(this.address(name));
    return new Uint8Array(await response.arrayBuffer());
  }

  /** Load a module. A browser tells no bytes of it before it is whole. */
  async import(name) {
    this.#pending.add(name);
    try {
      const module = await import(/* @vite-ignore */ this.address(name));
      this.#arrived(name, this.#files.get(name).bytes);
      return module;
    } catch (error) {
      const trouble = new FileTrouble(name, `không mở được (${error.message})`);
      this.#fail(trouble);
      throw trouble;
    }
  }

  /**
   * Stands in for `fetch`: hands out what is already under way, once, and asks the network for the rest. After a
   * trouble it gives nothing more: a loader that tries again by itself must not come to life behind the error.
   */
  fetch = (input, init) => {
    if (this.#failure) return Promise.reject(this.#failure);
    const address = new URL(input?.url ?? input, this.#base).href;
    const response = this.#underWay.get(address);
    this.#underWay.delete(address);
    return response ?? this.#native(input, init);
  };

  /** Progress that is no byte; it does not excuse a file that is still awaited. */
  heard() {
    if (this.#pending.size === 0) this.#silence.heard();
  }

  end() {
    this.#silence.end();
  }

  #fail = (trouble) => {
    this.#failure ??= trouble;
    this.#reject(trouble);
  };

  async #open(file, address) {
    const { name, bytes } = file;
    const answer = await this.#ask(name, address);
    this.#silence.heard();
    const body = new ReadableStream({
      start: (controller) => this.#pump(file, address, answer.body.getReader(), controller),
    });
    const type = TYPES[name.split('.').at(-1)];
    return new Response(body, { headers: { 'Content-Type': type, 'Content-Length': String(bytes) } });
  }

  async #ask(name, address, init) {
    const answer = await this.#native(address, init).catch(() => {
      throw new FileTrouble(name, 'không kết nối được tới máy chủ');
    });
    if (!answer.ok) throw new FileTrouble(name, `máy chủ trả lời ${answer.status}`);
    return answer;
  }

  // Reads ahead of the consumer, so that all files come in together. What breaks is asked for once more, past the cache: two
  // frames that load the same file share its entry there, and one of them loses it when a cache in memory has no room for it.
  async #pump({ name, bytes }, address, reader, controller) {
    let got = 0; // and handed on
    let at = 0; // in the body that is being read
    let again = false;
    try {
      for (;;) {
        const part = await reader.read().catch(() => null);
        if (part?.done) break;
        if (part) {
          const fresh = part.value.subarray(Math.min(got - at, part.value.length));
          at += part.value.length;
          got += fresh.length;
          if (fresh.length > 0) controller.enqueue(fresh);
          this.#count(fresh.length);
        } else {
          if (again) throw new FileTrouble(name, `đứt kết nối sau ${got} trong ${bytes} byte`);
          [again, at] = [true, 0];
          reader = (await this.#ask(name, address, { cache: 'no-store' })).body.getReader();
        }
      }
      if (at !== bytes) throw new FileTrouble(name, `nhận ${at} byte, lẽ ra ${bytes}`);
      controller.close();
      this.#arrived(name, 0);
    } catch (error) {
      const trouble = error instanceof FileTrouble ? error : new FileTrouble(name, `không đọc được (${error.message})`);
      controller.error(trouble);
      this.#fail(trouble);
    }
  }

  #arrived(name, bytes) {
    this.#pending.delete(name);
    this.#count(bytes);
  }

  #count(bytes) {
    this.loaded += bytes;
    this.#silence.heard();
    this.#onBytes(this.loaded, this.total);
  }
}
