// The views opened directly and in a frame of the same site: what stands in each, heights, messages, an engine that rests out
// of view, values computed before. Hosts of other sites are embed.spec.js's.
import { expect, test } from '@playwright/test'
import { noFindings } from './axe.js'

const WIDTHS = [320, 768, 1280]
const state = (place, value) => expect(place.locator('html')).toHaveAttribute('data-lab', value, { timeout: 90_000 })
const sideways = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
const message = (type, detail = {}) => ({ lab: 'inference-lab', v: 1, type, detail })

/** A page of the same site with frames in it; what they say is kept in `said`: [frame's number, type, detail]. */
async function host(page, bodyOf) {
  await page.route('**/host.html', (route) => route.fulfill({
    contentType: 'text/html',
    body: `<!doctype html><meta charset="utf-8"><body style="margin: 0">${bodyOf}<script>
      globalThis.said = []
      const frames = [...document.querySelectorAll('iframe')]
      addEventListener('message', ({ source, data }) => {
        const i = frames.findIndex(({ contentWindow }) => contentWindow === source)
        said.push([i, data.context ? data.context + ':' + data.action : data.type, data.detail ?? data, data.after])
        if (data.type === 'height' && !frames[i].hasAttribute('height')) frames[i].style.height = data.detail.height + 'px'
      })
    </script>`,
  }))
  await page.goto('./host.html')
}
const frameOf = (query, more = '') => `<iframe src="./${query}" style="display: block; width: 100%; height: 300px; border: 0" ${more}></iframe>`
const said = (page, type, i = 0) => page.evaluate(([type, i]) => globalThis.said.filter(([from, kind]) => from === i && kind === type).map(([, , detail]) => detail), [type, i])
const tell = (page, data, i = 0) => page.evaluate(([data, i]) => frames[i].contentWindow.postMessage(data, location.origin), [data, i])
const lab = (page, i = 0) => page.locator('iframe').nth(i).contentFrame()

/** Nothing new for most of a second. */
async function settled(page) {
  await page.evaluate(() => new Promise((resolve) => {
    let count = said.length
    let since = performance.now()
    const look = () => {
      if (said.length !== count) [count, since] = [said.length, performance.now()]
      if (performance.now() - since > 900) resolve()
      else requestAnimationFrame(look)
    }
    look()
  }))
}

test.describe('a view by itself', () => {
  const SEEN = {
    '?view=block&block=6&set=BLOCK_SIZE:2,SLOTS:3': { shown: ['#block-6', '#number-BLOCK_SIZE', '#number-SLOTS', '#number-POOL_BLOCKS', '#whole'], gone: ['#block-5', '#number-SEED', '#diagram', '#exercises', '.promise', '#reset', '#script', '.presets', 'footer'] },
    '?view=diagram': { shown: ['#picture', '#replay', '#whole'], gone: ['#block-6', '#constants', '#exercises', '.promise', 'footer'] },
    '?view=exercise&exercise=SLOTS': { shown: ['#exercise-slots .exercise-body', '#number-SLOTS', '#strip', '#block-11', '#whole'], gone: ['#exercise-queue_limit', '#number-TOKEN_BUDGET', '#diagram', '#block-6', '.promise', 'footer'] },
    '?hide=guide,SLOTS,script,presets,printout,predict': { shown: ['h1', '#diagram', '#number-QUEUE_LIMIT', '#block-6', '#exercises'], gone: ['.guide', '#number-SLOTS', '#script', '.presets', '#printout', '#predict', '#whole'] },
  }
  for (const [query, { shown, gone }] of Object.entries(SEEN)) {
    test(query, async ({ browser }) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
      const page = await context.newPage()
      await page.goto(`./${query}&autorun=1`)
      await state(page, 'done')
      await expect(page.locator(shown[0])).toBeVisible()
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 })
        if (query.startsWith('?view')) for (const one of shown) await expect(page.locator(one), `${one} at ${width}`).toBeVisible()
        for (const one of gone) await expect(page.locator(one).first(), `${one} at ${width}`).toBeHidden()
        expect(await sideways(page), `sideways at ${width}`).toBe(0)
      }
      for (const one of shown) await expect(page.locator(one)).toBeAttached()
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme })
        await noFindings(page)
      }
      await context.close()
    })
  }

  test('a cell of the diagram opens its panel below it', async ({ page }) => {
    await page.goto('./?view=diagram&autorun=1')
    await state(page, 'done')
    await page.locator('[data-cell="L2-7"]').click()
    await expect(page.locator('#block-6 .checks')).toBeVisible()
    await expect(page.locator('#block-5')).toBeHidden()
    await page.locator('#block-6 > summary').click()
    await expect(page.locator('#block-6')).toBeHidden()
  })

  test('a bad parameter is told and the default is taken; a theme holds against the system', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto('./?view=block&block=99&theme=dark')
    await expect(page.locator('html')).toHaveAttribute('data-block', '1')
    await expect(page.locator('#notice-text')).toContainText('block = «99»')
    await expect(page.locator('#notice-text')).toContainText('1 đến 13')
    const paper = (scheme) => page.evaluate((theme) => {
      document.documentElement.dataset.theme = theme
      return getComputedStyle(document.body).backgroundColor
    }, scheme)
    expect(await paper('dark')).not.toBe(await paper('light'))
    expect(await paper('auto')).toBe(await paper('light'))
  })

  test('a link that brings a script is never run by itself', async ({ page }) => {
    await page.goto('./')
    const query = await page.evaluate(async () => {
      const script = (await inferenceLab.load('default-script')).default ?? 'print(1)\n'
      return (await inferenceLab.load('address')).whole(JSON.stringify({ script: `${script}\nprint("mine")\n` })).split('?')[1]
    })
    await page.goto(`./?view=block&block=3&autorun=1&${query}`)
    await state(page, 'ready')
    await expect(page.locator('#notice-text')).toContainText('script')
    await page.waitForFunction(() => performance.getEntriesByName('lab-ready').length)
    expect(await page.evaluate(() => performance.getEntriesByName('first-result').length)).toBe(0)
    await expect(page.locator('html')).toHaveAttribute('data-result', 'none')
  })

  test('«Mở cả lab» carries the constants that are set', async ({ page }) => {
    await page.goto('./?view=block&block=6&set=BLOCK_SIZE:2&theme=dark')
    await state(page, 'ready')
    await expect(page.locator('#whole')).toHaveAttribute('href', /\?v=1&set=BLOCK_SIZE:2$/)
    await page.locator('#number-POOL_BLOCKS').fill('8')
    await page.locator('#number-POOL_BLOCKS').press('Enter')
    await expect(page.locator('#whole')).toHaveAttribute('href', /\?v=1&set=BLOCK_SIZE:2,POOL_BLOCKS:8$/)
  })
})

test('a lesson’s panel keeps its own work: not the lab’s, not another panel’s', async ({ page }) => {
  await page.goto('./')
  await state(page, 'ready')
  await page.locator('#number-SLOTS').fill('5')
  await page.locator('#number-SLOTS').press('Enter')
  await state(page, 'done')
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage).length)).toBe(1)
  await page.goto('./?view=block&block=3')
  await state(page, 'ready')
  await expect(page.locator('#number-SLOTS')).toHaveValue('2')
  for (const slots of ['3', '4']) {
    await page.locator('#number-SLOTS').fill(slots)
    await page.locator('#number-SLOTS').press('Enter')
    await state(page, 'done')
  }
  await expect(page.locator('#strip.has-changes')).toHaveCount(1)
  await expect(page.locator('.to-changes')).toBeHidden() // what it leads to is not in this view
  await page.evaluate(() => document.querySelector('a[href="#results"]').click()) // an entry of the history with the longer address
  await page.locator('#number-SLOTS').fill('4x')
  await page.locator('#number-SLOTS').press('Enter')
  await page.reload()
  await state(page, 'ready')
  await expect(page.locator('#number-SLOTS')).toHaveValue('4x')
  await page.goto('./?view=block&block=1')
  await expect(page.locator('#number-SLOTS')).toHaveValue('2')
  await page.goto('./')
  await expect(page.locator('#number-SLOTS')).toHaveValue('5')
})

test.describe('in a frame', () => {
  test('says what happens, and does what it is asked', async ({ page }) => {
    await host(page, frameOf('?view=block&block=6&set=BLOCK_SIZE:2'))
    const frame = lab(page)
    await state(frame, 'ready')
    await expect.poll(() => said(page, 'ready')).toEqual([{ view: 'block', block: 6 }])
    await expect(frame.locator('#status')).toHaveText('Sẵn sàng. Bấm Chạy để có số.') // nothing to guess here
    expect(await page.evaluate(() => said[0].slice(0, 2))).toEqual([0, 'hello'])

    await tell(page, message('run'))
    await expect.poll(async () => (await said(page, 'run')).length).toBe(1)
    const [first] = await said(page, 'run')
    expect(first).toMatchObject({ constants: { BLOCK_SIZE: 2 }, verdict: 'PASS', live: false })
    expect(first.headlines.map(({ id }) => id)).toContain('ttft')
    await expect(frame.locator('#block-6 .panel-figure')).toHaveText('cao điểm 12/12')

    await tell(page, message('set', { constants: { BLOCK_SIZE: 4, POOL_BLOCKS: 8 } }))
    await expect.poll(async () => (await said(page, 'run')).at(-1).constants).toEqual({ POOL_BLOCKS: 8 })
    expect((await said(page, 'run')).at(-1).live).toBe(true)
    await expect(frame.locator('#number-POOL_BLOCKS')).toHaveValue('8')

    const runs = (await said(page, 'run')).length
    await tell(page, message('set', { constants: { POOL_BLOCKS: 9, BLOCK_SIZE: 9000, NOPE: 1 }, number: 7 }))
    await expect.poll(async () => (await said(page, 'error')).length).toBe(1)
    const [trouble] = await said(page, 'error')
    expect(trouble.code).toBe('set')
    expect(trouble.message).toMatch(/BLOCK_SIZE = «9000».*1 đến 64.*NOPE/)
    await expect(frame.locator('#number-POOL_BLOCKS')).toHaveValue('8') // all or nothing
    expect((await said(page, 'run')).length).toBe(runs)

    await tell(page, message('open', { block: 3 }))
    await expect(frame.locator('#block-3 .checks')).toBeVisible()
    await expect(frame.locator('#block-6')).toBeHidden()

    const greeted = (await said(page, 'hello')).length
    await tell(page, message('hello'))
    await expect.poll(async () => (await said(page, 'hello')).length).toBe(greeted + 1)
    await expect.poll(() => page.evaluate(() => said.filter(([, type]) => type === 'ready' || type === 'error').map(([, type, , after]) => [type, after]))).toEqual([['ready', 0], ['error', 7], ['ready', 7]])
    expect(await page.evaluate(() => history.length)).toBeLessThan(4) // its edits are no steps of the host
  })

  test('a value of the wrong kind is refused by name; ten thousand commands hold nothing up, and the last one counts', async ({ page }) => {
    await host(page, frameOf('?view=block&block=6'))
    const frame = lab(page)
    await state(frame, 'ready')
    await settled(page)
    await tell(page, message('set', { constants: { SLOTS: null, QUEUE_LIMIT: 2 } }))
    await expect.poll(async () => (await said(page, 'error')).map(({ code, message }) => [code, message.slice(0, 6)])).toEqual([['set', 'SLOTS:']])

    await page.evaluate((command) => {
      const lab = document.querySelector('iframe').contentWindow
      for (let i = 0; i < 10_000; i += 1) {
        lab.postMessage({ ...command, detail: { constants: { [`N${i}`]: 1 } } }, '*')
        lab.postMessage({ ...command, type: 'hello', detail: {} }, '*')
        lab.postMessage({ context: 'h5p', action: 'hello' }, '*')
      }
    }, message('set'))
    await expect.poll(async () => (await said(page, 'hello')).length).toBeGreaterThan(1)
    await settled(page)
    for (const type of ['error', 'hello', 'ready', 'h5p:prepareResize']) expect((await said(page, type)).length, type).toBeLessThan(500) // one for each pause
    await tell(page, message('set', { constants: { SLOTS: 4 } }))
    await tell(page, message('set', { constants: { SLOTS: 3 } }))
    await expect.poll(async () => (await said(page, 'run')).at(-1)?.constants).toEqual({ SLOTS: 3 })

    await page.evaluate((commands) => new Promise((resolve) => { // what still waits when the frame loads anew is not lost
      const frame = document.querySelector('iframe').contentWindow
      addEventListener('message', function hear({ data }) {
        if (data.type !== 'hello') return
        removeEventListener('message', hear)
        frame.location.reload()
        resolve()
      })
      for (const one of commands) frame.postMessage(one, location.origin)
    }), [message('set', { constants: { SLOTS: 4 } }), message('set', { constants: { SLOTS: 5 } }), message('hello')])
    await expect(frame.locator('#number-SLOTS')).toHaveValue('5')
  })

  test('an exercise is solved in it, and the host hears of the guess, the tries and the answer', async ({ page }) => {
    await host(page, frameOf('?view=exercise&exercise=SLOTS'))
    const frame = lab(page)
    await frame.getByLabel('Giảm, rồi tăng lại một ít').check()
    await state(frame, 'ready')
    for (const slots of ['6', '3']) {
      const before = (await said(page, 'exercise')).length
      await frame.locator('#number-SLOTS').fill(slots)
      await frame.locator('#number-SLOTS').press('Enter')
      await expect.poll(async () => (await said(page, 'exercise')).length, { timeout: 60_000 }).toBeGreaterThan(before)
    }
    const told = await said(page, 'exercise')
    expect(told[0]).toEqual({ id: 'SLOTS', correct: false, attempts: 1, solved: [], of: 6 })
    expect(told.at(-1)).toEqual({ id: 'SLOTS', correct: true, attempts: 2, solved: ['SLOTS'], of: 6 })
    await expect(frame.locator('#exercise-slots .exercise-result')).not.toBeEmpty()
  })

  test('strangers’ messages and odd ones are ignored in silence', async ({ page }) => {
    await host(page, `${frameOf('?view=block&block=6')}<iframe srcdoc="<p>sibling</p>"></iframe>`)
    const frame = lab(page)
    await state(frame, 'ready')
    const errors = []
    page.on('pageerror', (error) => errors.push(error.message))
    await settled(page)
    const before = await page.evaluate(() => said.length)
    await page.frames().find((one) => one.url() === 'about:srcdoc').evaluate(() => {
      const lab = parent.frames[0]
      for (const type of ['run', 'hello', 'set']) lab.postMessage({ lab: 'inference-lab', v: 1, type, detail: { constants: { SLOTS: 7 } } }, '*')
    })
    await frame.locator('html').evaluate(() => postMessage({ lab: 'inference-lab', v: 1, type: 'run' }, '*')) // from itself
    for (const odd of [null, 'run', 7, [], { lab: 'inference-lab' }, message('script', { script: 'x' }), { ...message('run'), v: 2 }, message('set', { constants: 'SLOTS' }), message('open', { block: 'x' }), { context: 'h5p', action: '__proto__' }]) {
      await tell(page, odd)
    }
    await tell(page, message('hello')) // answered after all of them
    await expect.poll(async () => (await said(page, 'hello')).length).toBeGreaterThan(1)
    await settled(page)
    const since = await page.evaluate((from) => said.slice(from).map(([, type]) => type), before)
    expect(since.filter((type) => !['hello', 'height', 'ready'].includes(type))).toEqual([])
    await expect(frame.locator('html')).toHaveAttribute('data-result', 'none')
    expect(errors).toEqual([])
  })
})

for (const [zoom, deviceScaleFactor] of [['100 %', 1], ['110 %', 1.1]]) {
  test(`the height follows the content and shrinks, in few messages, at ${zoom}`, async ({ browser }) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, deviceScaleFactor })
    const page = await context.newPage()
    await host(page, frameOf('?view=block&block=6'))
    const frame = lab(page)
    await state(frame, 'ready')
    await settled(page)
    const heights = async (act) => {
      const before = (await said(page, 'height')).length
      await act()
      await settled(page)
      const told = (await said(page, 'height')).slice(before).map(({ height }) => height)
      expect(told.length, `messages ${told}`).toBeLessThanOrEqual(5)
      const [inside, outside] = [await frame.locator('body').evaluate((body) => body.getBoundingClientRect().height), await page.locator('iframe').evaluate((one) => one.clientHeight)]
      expect(outside - inside).toBeGreaterThan(-0.02)
      expect(outside - inside).toBeLessThan(1)
      return outside
    }
    for (const width of WIDTHS) {
      await heights(() => page.setViewportSize({ width: Math.round(width / deviceScaleFactor), height: 900 }))
      const closed = await heights(() => frame.locator('#block-6').evaluate((panel) => (panel.open = false)))
      const open = await heights(() => frame.locator('#block-6').evaluate((panel) => (panel.open = true)))
      expect(open).toBeGreaterThan(closed)
      expect(await heights(() => frame.locator('#block-6').evaluate((panel) => (panel.open = false)))).toBe(closed)
      expect(await heights(() => frame.locator('#block-6').evaluate((panel) => (panel.open = true)))).toBe(open)
    }
    const ran = await heights(async () => {
      await frame.locator('#run').click()
      await state(frame, 'done')
    })
    expect(ran).toBeGreaterThan(1000)
    await context.close()
  })
}

test('H5P’s resizer in the host sets the height, ours has nothing to do', async ({ page }) => {
  await page.route('**/host.html', (route) => route.fulfill({
    contentType: 'text/html',
    body: `<!doctype html><body>${frameOf('?view=block&block=6')}<script>
      const frame = document.querySelector('iframe')
      globalThis.actions = []
      addEventListener('message', ({ source, data, origin }) => { // as h5p-resizer.js does
        if (data.context !== 'h5p') return
        actions.push(data.action)
        const respond = (action) => source.postMessage({ context: 'h5p', action }, origin)
        if (data.action === 'hello') { frame.style.width = '100%'; respond('hello') }
        if (data.action === 'prepareResize' && (frame.clientHeight !== data.scrollHeight || data.scrollHeight !== data.clientHeight)) { frame.style.height = data.clientHeight + 'px'; respond('resizePrepared') }
        if (data.action === 'resize') frame.style.height = data.scrollHeight + 'px'
      })
    </script>`,
  }))
  await page.goto('./host.html')
  const frame = lab(page)
  await state(frame, 'ready')
  const fits = () => expect.poll(async () => (await page.locator('iframe').evaluate((one) => one.clientHeight)) - Math.ceil(await frame.locator('body').evaluate((body) => body.getBoundingClientRect().height - 0.01))).toBe(0)
  await fits()
  const small = await page.locator('iframe').evaluate((one) => one.clientHeight)
  await frame.locator('#run').click()
  await state(frame, 'done')
  await expect.poll(() => page.locator('iframe').evaluate((one) => one.clientHeight)).toBeGreaterThan(small)
  await fits()
  expect(await page.evaluate(() => actions)).toEqual(expect.arrayContaining(['hello', 'prepareResize', 'resize']))
})

test('only what is in view has an engine; out of view it is given back, the result and the edits stay', async ({ page }) => {
  await page.setViewportSize({ width: 900, height: 600 })
  await page.clock.install()
  await host(page, `${frameOf('?view=block&block=6')}<div style="height: 6000px"></div>${frameOf('?view=block&block=3')}`)
  const [first, second] = [lab(page, 0), lab(page, 1)]
  await state(first, 'ready')
  await expect(second.locator('html')).toHaveAttribute('data-engine', 'resting')
  expect(page.workers().length).toBe(1)
  await first.locator('#number-BLOCK_SIZE').fill('2')
  await first.locator('#run').click()
  await state(first, 'done')
  const figure = await first.locator('#block-6 .panel-figure').innerText()

  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await state(second, 'ready')
  await page.clock.fastForward(20_000)
  await expect(first.locator('html')).toHaveAttribute('data-engine', 'resting')
  await expect.poll(() => page.workers().length).toBe(1)
  await expect(first.locator('html')).toHaveAttribute('data-lab', 'done')
  await expect(first.locator('html')).toHaveAttribute('data-result', 'fresh')

  await page.evaluate(() => scrollTo(0, 0))
  await expect(first.locator('html')).toHaveAttribute('data-engine', 'ready')
  await expect(first.locator('html')).toHaveAttribute('data-lab', 'done')
  expect(await first.locator('#block-6 .panel-figure').innerText()).toBe(figure)
  await expect(first.locator('#number-BLOCK_SIZE')).toHaveValue('2')
  await first.locator('#number-POOL_BLOCKS').fill('30')
  await first.locator('#run').click()
  await expect(first.locator('#block-6 .panel-figure')).not.toHaveText(figure)
  await state(first, 'done')
})

test.describe('where nothing can run', () => {
  const noWorkers = () => (globalThis.Worker = class { constructor() { throw new DOMException('not here', 'SecurityError') } })

  test('no worker: the default run is shown, marked, with its pictures; set constants are said to be others', async ({ browser }) => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.addInitScript(noWorkers)
    await page.goto('./?view=block&block=6&set=BLOCK_SIZE:2')
    await expect(page.locator('html')).toHaveAttribute('data-result', 'prepared')
    await expect(page.locator('#alert')).toContainText('luồng tính toán')
    await expect(page.locator('.prepared')).toBeVisible()
    await expect(page.locator('.prepared .prepared-other')).toBeVisible()
    await expect(page.locator('#block-6 .panel-figure')).toHaveText('cao điểm 7/12')
    await expect(page.locator('#block-6 .chart svg').first()).toBeVisible()
    expect(await page.locator('#block-6 .panel-figure').evaluate((one) => getComputedStyle(one, '::before').content)).toContain('Tính sẵn')
    await noFindings(page)
    await page.goto('./?view=block&block=6')
    await expect(page.locator('.prepared')).toBeVisible()
    await expect(page.locator('.prepared .prepared-other')).toBeHidden()
    await context.close()
  })

  test('no WebAssembly: the same panels without a view, the printout, the task of an exercise', async ({ page }) => {
    await page.addInitScript(() => delete globalThis.WebAssembly)
    await page.goto('./')
    await expect(page.locator('html')).toHaveAttribute('data-result', 'prepared')
    await expect(page.locator('#alert')).toContainText('WebAssembly')
    await page.locator('#block-6 > summary').click()
    await expect(page.locator('#block-6')).toContainText('Lúc cao điểm dùng 7/12')
    await page.locator('#printout > summary').click()
    await expect(page.locator('#printout')).toContainText('PASS: ')
    await page.goto('./?view=exercise&exercise=SLOTS')
    await expect(page.locator('#exercises')).toContainText('Hãy tìm SLOTS')
    await expect(page.locator('.prepared')).toBeHidden() // no figures stand here
    await expect(page.locator('#controls')).toBeHidden() // nobody would hear them
  })

  test('a browser without Worker is told as that, not as a fault of the network', async ({ page }) => {
    await page.addInitScript(() => delete globalThis.Worker)
    await page.goto('./?view=block&block=6')
    await expect(page.locator('#alert')).toContainText('không có Worker')
    await expect(page.locator('html')).toHaveAttribute('data-result', 'prepared')
    await expect(page.locator('#retry')).toBeHidden()
  })

  test('the lab served with a policy that forbids what it needs: what is missing is said, what was computed before is shown', async ({ page }) => {
    let policy
    await page.route(/\/\?view=/, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, headers: { ...response.headers(), 'Content-Security-Policy': policy } })
    })
    policy = "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'" // enough for the engine, not for PyScript
    await page.goto('./?view=block&block=1')
    await expect(page.locator('#alert')).toContainText("cần 'unsafe-eval'")
    policy = "script-src 'self' 'unsafe-inline'"
    await page.goto('./?view=block&block=6')
    await expect(page.locator('#alert')).toContainText("cần 'unsafe-eval'")
    await expect(page.locator('html')).toHaveAttribute('data-result', 'prepared')
    await expect(page.locator('.prepared')).toBeVisible()
    await expect(page.locator('#block-6')).toContainText('7/12')
    await expect(page.locator('#run')).toBeDisabled()
    expect(page.workers()).toEqual([])
    policy = "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:" // docs/embedding.md
    await page.goto('./?view=block&block=6&autorun=1')
    await state(page, 'done')
    await expect(page.locator('#block-6 .pictures svg').first()).toBeVisible()
  })
})
