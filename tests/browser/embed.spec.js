// The lab in somebody else's page: hosts of several kinds on other origins, what they hear and may ask for, heights, and that neither
// side harms the other. Figures are compared with the engine run natively.
import { chromium, expect, test } from '@playwright/test'
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { PYTHON, ROOT } from '../../scripts/setup.mjs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { startHosts, startStatic } from './hosts/server.js'

const DIST = join(ROOT, '.cache/dist-under-test')
const LAB = `http://127.0.0.1:${process.env.LAB_TEST_PORT ?? '4174'}`
const ELEMENT = `<script src="${LAB}/embed.js"></script>`

test.use({ serviceWorkers: 'allow' })

let hosts
test.beforeAll(async () => {
  hosts = await startHosts()
})
test.afterAll(() => hosts.close())

/** A course page; `host.js` keeps what it hears. */
const course = (body, { head = ELEMENT, html = '' } = {}) =>
  `<!doctype html><html lang="vi" ${html}><head><meta charset="utf-8"><title>Bài học</title><script src="/host.js"></script>${head}</head><body>${body}</body></html>`

const NATIVE = `
import json, sys
from inference_lab.service import Service
for constants in json.loads(sys.argv[1]):
    ok = json.loads(Service().answer("run", json.dumps({"constants": constants})))["ok"]
    print(json.dumps([[dict(id=id, label=label, text=text, value=value) for id, label, text, value, _, _ in ok["headlines"]], ok["passed"]]))
`

/** What the engine says of these constants, as a `run` tells it. */
function native(constants, live = false) {
  const { stdout, stderr } = spawnSync(PYTHON, ['-c', NATIVE, JSON.stringify([constants])], { encoding: 'utf8', env: { ...process.env, PYTHONPATH: join(ROOT, 'py'), PYTHONUTF8: '1' } })
  if (!stdout) throw new Error(stderr)
  const [headlines, passed] = JSON.parse(stdout)
  return { constants, headlines, verdict: passed ? 'PASS' : 'FAIL', live }
}

/** Details of what an element has told, in order. */
const told = (page, type, id = 'one') => page.evaluate(([type, id]) => heard.filter((one) => one.type === type && one.id === id).map(({ detail }) => detail), [type, id])
const toldOnce = async (page, type, id) => {
  await expect.poll(async () => (await told(page, type, id)).length, { message: type }).toBeGreaterThan(0)
  return (await told(page, type, id)).at(-1)
}

const frameOf = (page, id = 'one') => page.frameLocator(`#${id} iframe`)
const ask = (page, method, ...args) => page.evaluate(([method, args]) => document.querySelector('#one')[method](...args), [method, args])

test('embed.js is less than 6000 bytes, and reads the same in any encoding', async ({ request }) => {
  const served = await (await request.get(`${LAB}/embed.js`)).body()
  expect(served.length).toBeLessThan(6000)
  expect(served.length).toBe(statSync(join(DIST, 'embed.js')).size)
  expect([...served].every((byte) => byte < 128)).toBe(true)
})

const ISOLATED = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' }
const STRICT = { 'Content-Security-Policy': `default-src 'none'; script-src 'self' ${LAB}; frame-src ${LAB}; require-trusted-types-for 'script'` }

const HOSTS = {
  'on another port, in quirks mode': { name: '127.0.0.1', quirks: true },
  'on another host name': {},
  'that sandboxes it with allow-scripts alone': { attributes: 'sandbox="allow-scripts"', origin: 'null' },
  'that is cross-origin isolated': { headers: ISOLATED, isolated: true },
  'with a strict CSP': { headers: STRICT },
}

for (const [kind, { name, attributes = '', headers, isolated = false, quirks = false, origin = LAB }] of Object.entries(HOSTS)) {
  test(`a host ${kind} runs block 6 and hears its exact figures`, async ({ page }) => {
    const uncaught = []
    page.on('pageerror', (error) => uncaught.push(String(error)))
    const html = course(`<inference-lab id="one" view="block" block="6" set="SLOTS:3" ${attributes}></inference-lab>`)
    await page.goto(hosts.add({ headers, html: quirks ? html.replace('<!doctype html>', '') : html }, name))
    expect(await toldOnce(page, 'ready')).toEqual({ view: 'block', block: 6 })
    expect(await page.evaluate(() => [crossOriginIsolated, document.querySelector('#one').shadowRoot.querySelector('iframe').credentialless])).toEqual([isolated, isolated])
    expect(await page.evaluate(() => document.compatMode)).toBe(quirks ? 'BackCompat' : 'CSS1Compat')
    expect(await frameOf(page).locator('html').evaluate(() => self.origin)).toBe(origin)

    await ask(page, 'run')
    expect(await toldOnce(page, 'run')).toEqual(native({ SLOTS: 3 }))
    await expect(frameOf(page).locator('#block-6 .panel-figure')).toBeVisible()
    await expect(frameOf(page).locator('#block-5')).toBeHidden()
    await expect.poll(() => fit(page)).toBe('fits')
    expect(await told(page, 'error')).toEqual([])
    expect(await page.evaluate(() => violations)).toEqual([])
    expect(uncaught).toEqual([])
  })
}

test('a host asks for runs, constants and panels, early or late; what is no good comes back as an error', async ({ page }) => {
  await page.goto(hosts.add({ html: course('<inference-lab id="one" view="block" block="6" follow="A"></inference-lab>') }))
  await page.evaluate(() => { // long before there is anybody to hear it
    const lab = document.querySelector('#one')
    lab.run()
    lab.set({ SLOTS: 4 })
    lab.set({ SLOTS: 3, QUEUE_LIMIT: 2 })
  })
  expect(await toldOnce(page, 'run')).toMatchObject(native({ SLOTS: 3, QUEUE_LIMIT: 2, FOLLOW: 'A' }, expect.any(Boolean)))

  await ask(page, 'set', { QUEUE_LIMIT: 1, FOLLOW: 'B' }) // of which the first is the default
  await expect.poll(async () => (await told(page, 'run')).at(-1)).toEqual(native({ SLOTS: 3, FOLLOW: 'B' }, true))

  await ask(page, 'open', 3)
  await expect(frameOf(page).locator('#block-3')).toBeVisible()

  const shown = (await told(page, 'run')).length
  await ask(page, 'set', { SLOTS: 99, TOKEN_BUDGET: 7 })
  const refused = await toldOnce(page, 'error')
  expect(refused.message).toMatch(/SLOTS.*99.*1.*64/)
  await ask(page, 'run')
  await expect.poll(async () => (await told(page, 'run')).length).toBeGreaterThan(shown)
  expect((await told(page, 'run')).at(-1).constants).toEqual({ SLOTS: 3, FOLLOW: 'B' }) // all of a set, or nothing
})

test('a plain iframe is spoken to by messages alone', async ({ page }) => {
  const html = `<!doctype html><html><head><meta charset="utf-8"><script src="/bare.js"></script></head><body><iframe id="one" src="${LAB}/?view=block&block=6&set=BLOCK_SIZE:2" width="700" height="500"></iframe></body></html>`
  const bare = { 'Content-Security-Policy': `default-src 'none'; script-src 'self'; frame-src ${LAB}`, 'Referrer-Policy': 'no-referrer' }
  await page.goto(hosts.add({ headers: bare, html }))
  const last = (type) => page.evaluate((type) => heard.filter((one) => one.type === type).at(-1)?.detail, type)
  await expect.poll(() => last('hello')).toEqual({})
  await page.evaluate(() => say('hello'))
  await expect.poll(() => last('ready')).toEqual({ view: 'block', block: 6 })
  expect((await last('height')).height).toBeGreaterThan(0)
  await page.evaluate(() => say('run'))
  await expect.poll(() => last('run')).toEqual(native({ BLOCK_SIZE: 2 }))
  await page.evaluate(() => say('set', { constants: { BLOCK_SIZE: 4 } }))
  await expect.poll(() => last('run')).toEqual(native({}, true))
})

test('what a stranger says is ignored on both sides', async ({ page }) => {
  const sibling = hosts.add({ html: '<!doctype html><script src="/sibling.js"></script>' }, 'stranger.localhost')
  const body = `<iframe id="stranger" src="${sibling}" height="20"></iframe><iframe id="lab" src="${LAB}/?view=block&block=6" width="700" height="300"></iframe><inference-lab id="one" view="block" block="6"></inference-lab>`
  await page.goto(hosts.add({ html: course(body) }))
  await toldOnce(page, 'ready')
  const bare = page.frameLocator('#lab')
  await expect(bare.locator('html')).toHaveAttribute('data-lab', 'ready')
  const before = await page.evaluate(() => [heard.length, document.querySelector('#one').offsetHeight])
  await page.evaluate(() => document.querySelector('#stranger').contentWindow.postMessage('attack', '*'))
  await expect.poll(() => page.evaluate(() => messages.some(({ data }) => data === 'attacked'))).toBe(true)
  await page.evaluate(() => { // the host itself, but not in our words
    const { contentWindow } = document.querySelector('#lab')
    for (const one of [null, 7, 'run', [], { type: 'run' }, { lab: 'inference-lab', v: 2, type: 'run', detail: {} }, { lab: 'another', v: 1, type: 'run', detail: {} },
      { lab: 'inference-lab', v: 1, type: 'toString', detail: {} }, { lab: 'inference-lab', v: 1, type: 'set', detail: { constants: null } }]) contentWindow.postMessage(one, '*')
  })

  await ask(page, 'run') // the first that anybody has taken
  expect(await toldOnce(page, 'run')).toEqual(native({}))
  expect(await page.evaluate(() => [heard.length, document.querySelector('#one').offsetHeight])).toEqual([before[0] + 1, expect.any(Number)])
  expect(await told(page, 'run')).toHaveLength(1)
  await expect(bare.locator('html')).toHaveAttribute('data-lab', 'ready')
  await expect(bare.locator('input[name="SLOTS"]')).toHaveValue('2')
  expect(await page.evaluate(() => document.querySelector('#one').offsetHeight)).toBeGreaterThan(50)
})

test('a height is a number of pixels; anything else is none', async ({ page }) => {
  const heights = ['100%', '70vh', 'tall', '-5', '0', '500', '500px']
  await page.goto(hosts.add({ html: course(heights.map((height) => `<inference-lab view="block" height="${height}"></inference-lab>`).join('')) }))
  const high = await page.evaluate(() => [...document.querySelectorAll('inference-lab')].map((lab) => lab.offsetHeight))
  expect(high.slice(-2)).toEqual([500, 500])
  expect(high.slice(0, -2).every((pixels) => pixels > 250 && pixels !== 500)).toBe(true)
})

test('loaded three times, moved and put back ten times: one frame, one worker, one listener; what was set stays', async ({ page }) => {
  const head = `${ELEMENT}<script src="${LAB}/embed.js?another"></script><script type="module">import '${LAB}/embed.js'</script>`
  await page.goto(hosts.add({ html: course('<div id="a"><inference-lab id="one" view="block" block="6"></inference-lab></div><div id="b"></div>', { head }) }))
  await toldOnce(page, 'ready')
  await page.evaluate(() => {
    const lab = document.querySelector('#one')
    for (let i = 0; i < 10; i += 1) {
      lab.remove()
      document.querySelector('#a').append(lab)
      document.querySelector('#b').append(lab)
    }
    heard.length = 0
    lab.set({ SLOTS: 3 })
    lab.run()
  })
  expect((await toldOnce(page, 'run')).constants).toEqual({ SLOTS: 3 })
  const counts = () => page.evaluate(() => ({ iframes: document.querySelector('#one')?.shadowRoot.querySelectorAll('iframe').length, listeners: listeners.get('message'), elements: document.querySelectorAll('inference-lab').length }))
  expect(await counts()).toEqual({ iframes: 1, listeners: 1, elements: 1 })
  expect(page.frames()).toHaveLength(2)
  expect(page.workers()).toHaveLength(1)
  expect(await told(page, 'ready')).toHaveLength(1)

  const requests = REQUESTS_OF_TWO
  await ask(page, 'set', { REQUESTS: requests, FOLLOW: 'B' })
  await expect.poll(async () => (await told(page, 'run')).at(-1).constants).toEqual({ SLOTS: 3, REQUESTS: requests, FOLLOW: 'B' })
  const figures = (await told(page, 'run')).at(-1).headlines
  await page.evaluate(() => {
    heard.length = 0
    document.querySelector('#a').append(document.querySelector('#one'))
  })
  await toldOnce(page, 'ready')
  await ask(page, 'run')
  expect(await toldOnce(page, 'run')).toEqual({ constants: { SLOTS: 3, REQUESTS: requests, FOLLOW: 'B' }, headlines: figures, verdict: 'PASS', live: false })

  // a run that knows nothing yet of what was set last, and then a reload: what was set stays
  await page.evaluate(() => {
    heard.length = 0
    const lab = document.querySelector('#one')
    addEventListener('message', function first({ data }) {
      if (data.type !== 'run') return
      removeEventListener('message', first, true)
      lab.set({ SLOTS: 5 })
    }, true)
    lab.addEventListener('inference-lab-run', () => document.querySelector('#b').append(lab), { once: true })
    lab.set({ SLOTS: 4 })
  })
  await toldOnce(page, 'ready')
  await expect(frameOf(page).locator('#number-SLOTS')).toHaveValue('5')
  await ask(page, 'set', { SLOTS: 3 })
  await ask(page, 'run')
  await expect.poll(async () => (await told(page, 'run')).at(-1).constants.SLOTS).toBe(3)

  // moveBefore() moves without a reload
  await frameOf(page).locator('html').evaluate(() => { globalThis.sameDocument = true })
  await page.evaluate(() => document.querySelector('#b').moveBefore(document.querySelector('#one'), null))
  expect(await frameOf(page).locator('html').evaluate(() => globalThis.sameDocument)).toBe(true)

  // three attributes at once are one reload, and no step in the host's history
  let loads = 0
  page.on('request', (request) => { loads += Number(request.isNavigationRequest() && request.frame() !== page.mainFrame()) })
  const steps = await page.evaluate(() => {
    heard.length = 0
    const lab = document.querySelector('#one')
    lab.setAttribute('block', '3')
    lab.setAttribute('theme', 'dark')
    lab.setAttribute('set', 'SLOTS:4')
    return history.length
  })
  expect(await toldOnce(page, 'ready')).toEqual({ view: 'block', block: 3 })
  expect(loads).toBe(1)
  expect(await page.evaluate(() => history.length)).toBe(steps)
  await ask(page, 'run')
  expect((await toldOnce(page, 'run')).constants).toEqual({ SLOTS: 4 })

  await page.evaluate(() => document.querySelector('#one').remove())
  await expect.poll(() => [page.frames().length, page.workers().length]).toEqual([1, 0])
  expect((await counts()).listeners).toBe(0)
})

const REQUESTS_OF_TWO = [
  { id: 'A', arrival: 0, text: 'xin chao model', max_new: 4, temperature: 0, top_k: 0, top_p: 1, seed: 1 },
  { id: 'B', arrival: 500, text: 'ban hoc token', max_new: 3, temperature: 0.8, top_k: 4, top_p: 0.9, seed: 2 },
]

const HARSH = `
  * { all: unset; position: fixed; display: contents; filter: invert(1) }
  iframe { display: none !important; width: 3px !important; height: 3px !important; border: 9px solid red !important }
  html { direction: rtl; color-scheme: dark }
  body { background: rgb(17, 17, 17); color: rgb(238, 238, 238); writing-mode: vertical-rl }
  #box { position: static; display: block; writing-mode: horizontal-tb; width: 700px }
  script, style, head { display: none }`

test('neither page touches the other: define, service worker, CSS reset, dark mode, globals, history', async ({ page }) => {
  const head = `<script>
    globalThis.defined = []
    globalThis.define = (...args) => defined.push(args.length)
    define.amd = {}
    globalThis.exports = {}
    globalThis.module = { exports }
  </script><style>${HARSH}</style><script>globalThis.names = Object.getOwnPropertyNames(globalThis)</script>${ELEMENT}`
  const url = hosts.add({ html: course('<p id="probe">Bài học</p><div id="box"></div>', { head, html: 'dir="rtl" class="dark" data-theme="night"' }) })
  await page.goto(url)
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/service-worker.js')
    await navigator.serviceWorker.ready
  })
  await page.reload()
  const state = () => page.evaluate(async () => {
    const styleOf = (element) => ['color', 'backgroundColor', 'colorScheme', 'direction', 'display', 'font', 'filter', 'position'].map((name) => getComputedStyle(element)[name])
    return {
      styles: ['html', 'body', '#probe', '#box'].map((selector) => styleOf(document.querySelector(selector))),
      html: document.documentElement.cloneNode().outerHTML,
      sheets: [document.styleSheets.length, document.adoptedStyleSheets.length],
      rest: [defined, Object.keys(module.exports), document.title, history.length, location.href, document.cookie, localStorage.length],
      workers: [navigator.serviceWorker.controller.scriptURL, (await navigator.serviceWorker.getRegistrations()).length],
      names: Object.getOwnPropertyNames(globalThis).filter((name) => !names.includes(name) && !/^(heard|messages|violations|listeners|names)$/.test(name)),
    }
  })
  const before = await state()
  await page.evaluate(() => { document.querySelector('#box').innerHTML = '<inference-lab id="one" view="block" block="6" loading="eager"></inference-lab>' })
  await toldOnce(page, 'ready')
  await ask(page, 'run')
  await toldOnce(page, 'run')
  expect(await state()).toEqual(before)
  expect(before.rest[0]).toEqual([])
  expect(before.workers[0]).toMatch(/service-worker\.js$/)

  const frame = await page.evaluate(() => {
    const iframe = document.querySelector('#one').shadowRoot.querySelector('iframe')
    const { display, filter, borderWidth } = getComputedStyle(iframe)
    return { display, filter, borderWidth, width: iframe.offsetWidth }
  })
  expect(frame).toEqual({ display: 'block', filter: 'none', borderWidth: '0px', width: 700 })
  expect(await frameOf(page).locator('body').evaluate((body) => [getComputedStyle(body).direction, getComputedStyle(body).writingMode])).toEqual(['ltr', 'horizontal-tb'])
})

/** What the lab needs and what it has, measured in the frame: nothing scrolls, and no more room than the page's own padding is left. */
const fit = async (page, selector = '#one iframe') => {
  const inside = await page.frameLocator(selector).locator('html').evaluate((html) => {
    const shown = [...document.body.querySelectorAll('*')].filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('.hidden'))
    const lowest = Math.max(...shown.map((one) => one.getBoundingClientRect().bottom + scrollY))
    return { scrolls: html.scrollHeight > innerHeight, spare: innerHeight - lowest }
  })
  return inside.scrolls ? 'it scrolls' : inside.spare < 0 ? `${-inside.spare} px are cut off` : inside.spare > MOST_SPARE ? `${inside.spare} px are left over` : 'fits'
}
const MOST_SPARE = 48
const MOST_MESSAGES = 5
const QUIET_MS = 1200 // without a message a change is over
const REST_MS = 4000

const heights = (page) => page.evaluate(() => messages.filter(({ data }) => data?.lab && data.type === 'height').map(({ data }) => data.detail.height))
const quiet = (page, ms) => page.evaluate((ms) => new Promise((resolve) => {
  let timer = setTimeout(resolve, ms)
  addEventListener('message', () => {
    clearTimeout(timer)
    timer = setTimeout(resolve, ms)
  })
}), ms)

/** Does something, and waits until the frame fits and says no more. -> the heights that it said */
async function settles(page, act) {
  const before = (await heights(page)).length
  await act()
  await expect.poll(() => fit(page)).toBe('fits')
  await quiet(page, QUIET_MS)
  expect(await fit(page)).toBe('fits')
  const said = (await heights(page)).slice(before)
  expect(said.length).toBeLessThanOrEqual(MOST_MESSAGES)
  return said
}

for (const zoom of [1, 1.1]) {
  test(`the height is the content's at 320, 768 and 1280 px and zoom ${Math.round(zoom * 100)} %, in five messages at most, and shrinks again`, async ({ browser }) => {
    const size = (width) => ({ width: Math.floor(width / zoom), height: 900 })
    const page = await browser.newPage({ viewport: size(1280), deviceScaleFactor: zoom })
    const head = `<meta name="viewport" content="width=device-width"><style>body { margin: 0 }</style>${ELEMENT}`
    await page.goto(hosts.add({ html: course('<inference-lab id="one" view="block" block="6"></inference-lab>', { head }) }))
    await toldOnce(page, 'ready')
    await settles(page, () => ask(page, 'run'))
    for (const width of [320, 768, 1280]) {
      await settles(page, () => page.setViewportSize(size(width)))
      const fold = frameOf(page).locator('#block-6 details > summary').first()
      const high = await page.evaluate(() => document.querySelector('#one').offsetHeight)
      const grown = await settles(page, () => fold.evaluate((summary) => summary.click()))
      const shrunk = await settles(page, () => fold.evaluate((summary) => summary.click()))
      expect(grown.at(-1)).toBeGreaterThan(high)
      expect(shrunk.at(-1)).toBe(high)
    }
    const said = await heights(page)
    await page.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), REST_MS)
    expect(await heights(page)).toEqual(said) // at rest it says nothing
    await page.close()
  })
}

test("H5P's resizer gives a plain iframe its height, too", async ({ page }) => {
  await page.goto(hosts.add({ html: course(`<div id="one"><iframe src="${LAB}/?view=block&block=6&autorun=1" height="100"></iframe></div>`, { head: '' }) }))
  await expect.poll(() => page.evaluate(() => messages.some(({ data }) => data.type === 'hello'))).toBe(true)
  await page.addScriptTag({ url: '/h5p-double.js' }) // later than the lab's first word
  await expect(frameOf(page).locator('html')).toHaveAttribute('data-lab', 'done')
  await expect.poll(() => fit(page)).toBe('fits')
  const high = await page.evaluate(() => document.querySelector('iframe').offsetHeight)
  const fold = frameOf(page).locator('#block-6 details > summary').first()
  await fold.evaluate((summary) => summary.click())
  await expect.poll(() => page.evaluate(() => document.querySelector('iframe').offsetHeight)).toBeGreaterThan(high)
  await fold.evaluate((summary) => summary.click())
  await expect.poll(() => page.evaluate(() => document.querySelector('iframe').offsetHeight)).toBe(high)
  expect(await page.evaluate(() => [...new Set(h5pSteps)])).toEqual(['hello', 'prepareResize', 'resize'])
})

const NO_STORAGE = {
  "of other sites' cookies": { cookie_controls_mode: 1, block_third_party_cookies: true },
  'of everything that a site could keep': { default_content_setting_values: { cookies: 2 } },
}

/** A browser of its own with these preferences, and with a cache on disk: one in memory takes no file as large as the runtime's. */
async function withProfile(project, preferences, act) {
  const folder = await mkdtemp(join(tmpdir(), 'inference-lab-'))
  await mkdir(join(folder, 'Default'))
  await writeFile(join(folder, 'Default', 'Preferences'), JSON.stringify(preferences))
  const context = await chromium.launchPersistentContext(folder, project.use.launchOptions)
  try {
    await act(await context.newPage())
  } finally {
    await context.close()
    await rm(folder, { recursive: true, force: true })
  }
}

for (const [what, profile] of Object.entries(NO_STORAGE)) {
  test(`a browser that is set to block the storage ${what} runs it all the same`, async ({}, { project }) => {
    await withProfile(project, { profile }, async (page) => {
      const uncaught = []
      page.on('pageerror', (error) => uncaught.push(String(error)))
      await page.goto(hosts.add({ html: course('<inference-lab id="one" view="exercise" exercise="SLOTS" set="SLOTS:3"></inference-lab>') }))
      await toldOnce(page, 'ready')
      const storage = await frameOf(page).locator('html').evaluate(() => {
        try {
          return typeof localStorage.length
        } catch (error) {
          return error.name
        }
      })
      expect(storage).toBe('SecurityError')
      await ask(page, 'run')
      expect(await toldOnce(page, 'run')).toEqual(native({ SLOTS: 3 }))
      expect(await told(page, 'error')).toEqual([])
      expect(uncaught).toEqual([])
    })
  })
}

test('six on one page: only those in view load the runtime, each file comes once, one far away gives its worker back, the host stays smooth', { tag: '@alone' }, async ({}, { project }) => {
  const lab = await startStatic(DIST)
  await withProfile(project, {}, async (page) => {
    const six = [1, 3, 6, 9, 10, 11].map((block) => `<inference-lab id="block-${block}" view="block" block="${block}" loading="eager"></inference-lab><div class="text"></div>`)
    const head = `<style>.text { height: 3000px }</style><script src="${lab.origin}/embed.js"></script>`
    await page.clock.install()
    await page.goto(hosts.add({ html: course(six.join(''), { head }) }))
    await page.evaluate(() => {
      globalThis.gaps = []
      let last = performance.now()
      requestAnimationFrame(function next(now) {
        gaps.push(now - last)
        last = now
        requestAnimationFrame(next)
      })
    })
    await toldOnce(page, 'ready', 'block-1')
    await expect.poll(() => page.frames().length).toBe(7)
    for (const block of [3, 6, 9, 10, 11]) await expect(frameOf(page, `block-${block}`).locator('html')).toHaveAttribute('data-engine', 'resting')
    expect(page.workers()).toHaveLength(1)

    const bring = (block) => page.evaluate((block) => document.querySelector(`#block-${block}`).scrollIntoView(), block)
    await bring(11)
    await toldOnce(page, 'ready', 'block-11')
    expect(await told(page, 'ready', 'block-6')).toEqual([])
    await page.clock.fastForward(25_000)
    await expect.poll(() => page.workers().length).toBe(1)
    expect([...lab.asked].filter(([path, times]) => times > 1 && path !== '/')).toEqual([])
    expect(lab.asked.get('/')).toBe(6)

    await bring(1) // which lost its worker: another one, from the files that are here
    await page.evaluate(() => document.querySelector('#block-1').run())
    expect(await toldOnce(page, 'run', 'block-1')).toEqual(native({}))
    expect([...lab.asked].filter(([path, times]) => times > 1 && path !== '/')).toEqual([])
    const gaps = (await page.evaluate(() => gaps)).sort((a, b) => a - b)
    expect(gaps[Math.floor(0.95 * gaps.length)]).toBeLessThan(100)
  }).finally(lab.close)
})
