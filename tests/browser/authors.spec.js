// The authors' page: choosing, bad input, the snippet, the preview and its events, its own address; the snippets in a page on another
// origin; every address of the manifest.
import { createServer } from 'node:http'
import { expect, test } from '@playwright/test'
import { noFindings } from './axe.js'

const PAGE = './authors.html'
const WIDTHS = [1440, 1024, 390]
const EXPECTED = /Service Worker registration blocked/ // they are kept out of this test

test.describe.configure({ mode: 'serial' })

let page
let noise
let site // the lab's address, ending in a slash

test.beforeAll(async ({ browser }, { project: { use } }) => {
  site = use.baseURL
  const context = await browser.newContext({ baseURL: site, viewport: { width: 1440, height: 900 }, permissions: ['clipboard-read', 'clipboard-write'], serviceWorkers: 'block' })
  page = await context.newPage()
  noise = []
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && noise.push(message.text()))
  page.on('pageerror', (error) => noise.push(String(error)))
  page.on('response', (response) => response.status() >= 400 && noise.push(`${response.status()} ${response.url()}`))
  await page.goto(PAGE)
})

test.afterAll(() => page.context().close())

const snippet = () => page.locator('#snippet')
const constant = (name) => page.locator(`#constant-${name}`)
const problem = (name) => page.locator(`#problem-${name}`)
const element = () => page.locator('#preview inference-lab')

async function openGroupOf(name) {
  const fold = page.locator('.constant-group', { has: page.locator(`[data-constant="${name}"]`) })
  if (!(await fold.evaluate(({ open }) => open))) await fold.locator('summary').click()
}

test('21 units in three groups; searching without marks; by keyboard', async () => {
  await expect(page.locator('.unit-choice')).toHaveCount(21)
  await expect(snippet()).toHaveText(/^<script type="module" src="http.+\/embed\.js"><\/script>\n<inference-lab view="\w+">\n<a href=".+">.+<\/a><\/inference-lab>$/)
  await page.locator('#search').fill('kv state')
  await expect(page.locator('.unit-choice:visible')).toHaveText(['6 · KV state manager 5 phút'])
  await expect(page.locator('#found')).toHaveText('1 phần khớp.')
  await page.locator('#search').press('Tab')
  await page.keyboard.press('Space')
  await expect(snippet()).toContainText('<inference-lab view="block" block="6">')
  await page.locator('#search').fill('khong co dau')
  await expect(page.locator('#found')).toContainText('Không có phần nào khớp «khong co dau»')
  await page.locator('#search').fill('')
  await expect(page.locator('.unit-choice:visible')).toHaveCount(21)
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await expect(snippet()).toContainText('<inference-lab view="block" block="7">')
  await page.keyboard.press('ArrowUp')
  await expect(page.locator('#unit-about')).toContainText('block')
  expect(await page.locator('#thumbnail').evaluate((image) => image.decode().then(() => [image.naturalWidth, image.naturalHeight]))).toEqual([640, 360])
})

test('constants: the fields of the unit first, a good value is in the snippet at once, a bad one is not', async () => {
  await expect(page.locator('#own-constants [data-constant]')).toHaveCount(2)
  await constant('BLOCK_SIZE').fill('2')
  await expect(snippet()).toContainText('set="BLOCK_SIZE:2"')
  const good = await snippet().textContent()
  for (const typed of ['0', '65', '2.5', '', 'abc', '1,5', '-']) {
    await constant('BLOCK_SIZE').fill(typed)
    await expect(problem('BLOCK_SIZE')).toContainText(/^BLOCK_SIZE.*: cần số nguyên từ 1 đến 64\. .*Hãy /)
    if (typed) await expect(problem('BLOCK_SIZE')).toContainText(`«${typed}»`)
    await expect(constant('BLOCK_SIZE')).toHaveAttribute('aria-invalid', 'true')
    expect(await snippet().textContent()).toBe(good)
  }
  await expect(page.locator('#snippet-says')).toContainText('Có ô chưa đúng')
  await constant('BLOCK_SIZE').fill('4') // the default
  await expect(problem('BLOCK_SIZE')).toBeEmpty()
  await expect(snippet()).not.toContainText('set=')
  await openGroupOf('D_MODEL')
  await constant('D_MODEL').fill('16')
  await expect(problem('D_HEAD')).toContainText('Hãy đặt D_MODEL = 8, hoặc đổi N_HEADS hay D_HEAD.')
  await expect(snippet()).not.toContainText('set=')
  await constant('D_HEAD').fill('8')
  await expect(problem('D_MODEL')).toBeEmpty()
  await expect(snippet()).toContainText('set="D_MODEL:16,D_HEAD:8"')
})

test('hiding, following, running by itself, theme, height, sandbox', async () => {
  await page.locator('[data-hide="BLOCK_SIZE"]').check()
  await expect(page.locator('[data-hide="SLOTS"]')).toBeDisabled()
  await page.locator('#follow').selectOption('A')
  await page.locator('#autorun').check()
  await page.locator('#theme').selectOption('dark')
  await page.locator('#height').fill('20')
  await expect(problem('height')).toContainText('từ 100 đến 5000 px')
  await page.locator('#height').fill('640')
  await page.locator('#sandbox').check()
  await expect(snippet()).toContainText('<inference-lab view="block" block="6" set="D_MODEL:16,D_HEAD:8" follow="A" hide="BLOCK_SIZE" autorun theme="dark" height="640" sandbox>')
  await page.getByLabel('iframe', { exact: true }).check()
  await expect(snippet()).toHaveText(/^<iframe src="http.+\/\?view=block&amp;block=6&amp;set=D_MODEL:16,D_HEAD:8&amp;follow=A&amp;hide=BLOCK_SIZE&amp;autorun=1&amp;theme=dark" .*height="640" .*sandbox="allow-scripts"><\/iframe>$/)
  await page.getByLabel('liên kết', { exact: true }).check()
  await expect(snippet()).toHaveText(/\/\?view=block&block=6&set=.*\n.*\/oembed\/block-6\.html$/)
})

test('the address holds all of it: a reload and a shared link give the same', async () => {
  const before = await snippet().textContent()
  await page.reload()
  await expect(snippet()).toHaveText(before)
  await expect(constant('D_MODEL')).toHaveValue('16')
  await page.getByRole('button', { name: 'Đặt lại tất cả' }).click()
  await expect(snippet()).toHaveText(/<inference-lab view="block" block="6">/)
  await page.reload()
  await expect(constant('D_MODEL')).toHaveValue('8')
})

test('a bad address: each part gets its sentence, nothing of it is executed, the rest is used', async () => {
  await page.goto(`${PAGE}?unit=<img onerror=alert(1)>&set=SLOTS:999,TOKEN_BUDGET:9&theme=pink&height=x`)
  await expect(page.locator('#problems li')).toHaveCount(3)
  await expect(page.locator('#problems')).toContainText('unit = «<img onerror=alert(1)>»')
  await expect(page.locator('#problems img')).toHaveCount(0)
  await expect(problem('SLOTS')).toContainText('SLOTS = «999»: cần số nguyên từ 1 đến 64.')
  await expect(snippet()).toContainText('set="TOKEN_BUDGET:9"')
  await page.goto(`${PAGE}?unit=exercise-quant_bits`)
  await expect(page.locator('.unit-choice', { has: page.locator(':checked') })).toBeInViewport() // within the list's own scrolling, too
})

test('the snippet is copied; where that is not allowed it is selected instead', async () => {
  await page.goto(`${PAGE}?unit=block-6&width=320`)
  await page.getByRole('button', { name: 'Chép' }).click()
  await expect(page.locator('#snippet-says')).toHaveText('Đã chép.')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await snippet().textContent())
  await page.evaluate(() => { navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError')) })
  await page.getByRole('button', { name: 'Chép' }).click()
  await expect(page.locator('#snippet-says')).toContainText('Ctrl + C')
  expect(await page.evaluate(() => getSelection().toString().replaceAll('\r', ''))).toBe(await snippet().textContent())
})

test('the preview is the real one: its width, its run, its events', async () => {
  expect(await element().evaluate(({ clientWidth }) => clientWidth)).toBe(320)
  const inside = page.frameLocator('#preview iframe')
  await expect(inside.locator('html')).toHaveAttribute('data-view', 'block')
  await expect(inside.locator('#block-6')).toBeVisible()
  const events = page.locator('#events li')
  await expect(events.filter({ hasText: 'ready' })).toHaveCount(1)
  await page.getByRole('button', { name: 'Chạy thử' }).click()
  await expect(events.filter({ hasText: 'run' })).toContainText('"verdict":"PASS"')
  await page.getByLabel('768').check()
  await expect.poll(() => element().evaluate(({ clientWidth }) => clientWidth)).toBe(768)
  await page.getByRole('button', { name: 'Xóa' }).click()
  await expect(events).toHaveCount(0)
  await page.locator('#theme').selectOption('dark')
  await expect(inside.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test('no axe finding in light and dark, no sideways scroll', async () => {
  await openGroupOf('SEED')
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme })
    await noFindings(page, 'main')
  }
  await page.emulateMedia({ colorScheme: null })
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), `at ${width}`).toBe(0)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  expect(noise.filter((text) => !EXPECTED.test(text))).toEqual([])
})

test('every address of the manifest is there: units show themselves, oEmbed answers, pictures, documents', async ({ request }) => {
  const { units, embed, $schema } = await (await request.get('./lessons.json')).json()
  expect(units.length).toBe(21)
  for (const path of [embed.script, embed.builder, $schema, 'docs/manifest.md', 'docs/embedding.md', 'docs/scorm.md', 'docs/offline.md']) expect((await request.get(`./${path}`)).status(), path).toBe(200)
  await page.route('**/vendor/runtime-*/**', (route) => route.abort()) // no engine is needed to see which unit it is
  for (const { id, title, url, oembed, page: own, thumbnail, embed: { attributes } } of units) {
    const answer = await (await request.get(`./${oembed}`)).json()
    expect([answer.thumbnail_width, answer.thumbnail_height]).toEqual([thumbnail.width, thumbnail.height])
    expect((await request.get(`./${thumbnail.path}`)).headers()['content-type']).toBe('image/webp')
    const discovered = /type="application\/json\+oembed" href="([^"]+)"/.exec(await (await request.get(`./${own}`)).text())[1]
    expect(new URL(discovered, site + own).href).toBe(site + oembed)
    await page.goto(`./${own}`, { waitUntil: 'commit' })
    await page.waitForURL(new URL(url, `${site}lessons.json`).href, { waitUntil: 'commit' })
    await expect(page.locator('html'), id).toHaveAttribute('data-view', attributes.view)
    const shown = { lab: '#panels', diagram: '#diagram svg', block: `#block-${attributes.block}`, exercise: `#${id}` }[attributes.view]
    await expect(page.locator(shown).first(), id).toBeVisible()
    if (attributes.view === 'block') {
      await expect(page.locator('.panel:visible')).toHaveCount(1)
      await expect(page.locator(`${shown} h3`)).toContainText(title)
    }
    if (attributes.view === 'exercise') await expect(page.locator(shown)).toContainText(attributes.exercise)
  }
  await page.unroute('**/vendor/runtime-*/**')
  await page.goto('./index.html', { waitUntil: 'commit' })
  expect((await request.get(await page.locator('link[type="application/json+oembed"]').getAttribute('href'))).status()).toBe(200)
})

test('the ways here: from the lab and from the list of lessons', async () => {
  for (const from of ['./index.html', './lessons/index.html']) {
    await page.goto(from, { waitUntil: 'commit' })
    await expect(page.locator('a[href$="authors.html"]')).toBeVisible()
    expect(await page.locator('a[href$="authors.html"]').evaluate(({ href }) => href)).toBe(new URL(PAGE, site).href)
  }
})

test.describe('pasted into a page on another origin', () => {
  let server
  let origin
  let body = ''

  test.beforeAll(async () => {
    server = createServer((_, response) => response.setHeader('Content-Type', 'text/html; charset=utf-8').end(`<!doctype html><html lang="vi"><title>Một bài giảng</title><h1>Bài 3</h1>${body}`))
    await new Promise((resolve) => server.listen(0, 'localhost', resolve))
    origin = `http://localhost:${server.address().port}/`
  })

  test.afterAll(() => new Promise((resolve) => {
    server.close(resolve)
    server.closeAllConnections()
  }))

  /** The snippet for these choices, in a page of somebody else's. */
  async function pasted(query) {
    await page.goto(`${PAGE}?${query}`, { waitUntil: 'commit' })
    await expect(snippet()).not.toBeEmpty() // the page's script writes it
    body = await snippet().textContent()
    await page.goto(origin, { waitUntil: 'commit' })
    return page.frameLocator('iframe')
  }

  test('three lines: a panel with other constants', async () => {
    const inside = await pasted('unit=block-6&set=BLOCK_SIZE:2&autorun=1')
    await expect(inside.locator('html')).toHaveAttribute('data-view', 'block')
    await expect(inside.locator('#number-BLOCK_SIZE')).toHaveValue('2')
    await expect(inside.locator('#block-6 .panel-verdict')).toContainText('đạt', { timeout: 90_000 })
    await expect(inside.locator('.panel:visible')).toHaveCount(1)
  })

  test('a frame: an exercise in a sandbox', async () => {
    const inside = await pasted('unit=exercise-slots&as=iframe&sandbox=1&theme=dark')
    await expect(inside.locator('html')).toHaveAttribute('data-view', 'exercise')
    await expect(inside.locator('html')).toHaveAttribute('data-theme', 'dark')
    await expect(inside.locator('#exercise-slots')).toContainText('SLOTS')
    await expect(inside.locator('html')).toHaveAttribute('data-lab', 'ready', { timeout: 90_000 })
  })

  test('three lines: the diagram, as high as it is', async () => {
    const inside = await pasted('unit=diagram')
    await expect(inside.locator('html')).toHaveAttribute('data-view', 'diagram')
    await expect(inside.locator('#diagram svg').first()).toBeVisible()
    await expect(inside.locator('html')).toHaveAttribute('data-lab', 'ready', { timeout: 90_000 })
    const [outer, content] = [await page.locator('iframe').evaluate(({ clientHeight }) => clientHeight), await inside.locator('html').evaluate(({ scrollHeight }) => scrollHeight)]
    expect(Math.abs(outer - content)).toBeLessThanOrEqual(1)
  })
})
