// Without a network, and from one deployment to the next. Each test has a host of its own, which can be stopped, and a fresh profile.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { ROOT } from '../../scripts/setup.mjs'
import { isHashed } from '../../src/offline/names.js'
import { buildDeployment, pathsOf } from '../later_deployment.mjs'
import { Host } from './host.js'

const FIRST = join(ROOT, '.cache', 'dist-under-test')
const LATER = join(ROOT, '.cache', 'later-dist-under-test')

test.use({ serviceWorkers: 'allow' })
test.beforeAll(() => buildDeployment(LATER, { later: true }))

let host
test.beforeEach(async () => {
  host = new Host(FIRST)
  await host.start()
})
test.afterEach(() => host.stop())

const html = (page) => page.locator('html')
const printout = (page) => page.locator('#transcript').textContent()

/** Runs the lab -> its printout. */
async function run(page) {
  await page.getByRole('button', { name: 'Chạy', exact: true }).press('Enter')
  await expect(html(page)).toHaveAttribute('data-lab', 'done')
  await expect(page.locator('#transcript')).toContainText('PASS')
  return printout(page)
}

/** A visit with a run, until everything is kept. */
async function visit(page, address = host.origin) {
  await page.goto(address)
  const text = await run(page)
  await expect(html(page)).toHaveAttribute('data-offline', 'ready')
  return text
}

/** What the cache has, by path. */
const kept = (page) => page.evaluate(async () => {
  const [name] = await caches.keys()
  return name ? (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname).sort() : []
})

const registrations = (page) => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)
const isLater = (page) => page.evaluate(async () => (await globalThis.inferenceLab.load('replay'), globalThis.laterDeployment === true))
const replayModules = (page) => page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name.split('/').at(-1)).filter((name) => name.startsWith('replay-')))

test('nothing is asked for before the first good run; after it the lab runs with the server stopped, with the same figures', async ({ page }) => {
  await page.goto(host.origin)
  await expect(html(page)).toHaveAttribute('data-lab', 'ready')
  expect(await registrations(page)).toBe(0)
  expect(host.asked.some(({ path }) => path === '/sw.js')).toBe(false)
  const sentence = page.locator('.kept')
  await expect(sentence).toBeHidden()
  const online = await run(page)
  await expect(html(page)).toHaveAttribute('data-offline', 'ready')
  await expect(sentence).toHaveText(/Chạy được khi mất mạng/)
  await expect(sentence).toBeVisible()

  await host.stop()
  await page.goto(`${host.origin}/?set=SLOTS:3`)
  await expect(page.locator('.without-network')).toBeVisible()
  await expect(page.locator('#number-SLOTS')).toHaveValue('3')
  await page.goto(host.origin)
  expect(await run(page)).toBe(online)
  expect(await isLater(page)).toBe(false) // a part that loads when it is asked for
  for (const address of ['lessons/', 'lessons/one-model-call.html', 'authors.html']) {
    await page.goto(`${host.origin}/${address}`)
    await expect(page.locator('h1')).toBeVisible()
  }
})

test('a new deployment is seen at the next load; an open page of the old one keeps its own files, which go when it is closed', async ({ page, context }) => {
  const later = await pathsOf(LATER)
  const onlyFirst = (await pathsOf(FIRST)).filter((path) => isHashed(path) && !later.includes(path)).map((path) => `/${path}`)
  expect(onlyFirst.length).toBeGreaterThan(3)
  await visit(page)
  await host.stop()
  await host.start(LATER)

  const next = await context.newPage()
  await visit(next)
  await expect(html(next)).toHaveAttribute('data-later-deployment', '')
  expect(await isLater(next)).toBe(true)
  expect(await isLater(page)).toBe(false)
  expect(await replayModules(page)).not.toEqual(await replayModules(next))
  expect(host.asked.filter(({ status }) => status === 404)).toEqual([])
  expect(await kept(next)).toEqual(expect.arrayContaining(onlyFirst))

  await page.close()
  await visit(next) // a page that has run asks what is kept, and then the rest goes
  await expect.poll(async () => (await kept(next)).filter((path) => onlyFirst.includes(path))).toEqual([])

  await host.stop()
  await next.goto(host.origin)
  await run(next)
  expect(await isLater(next)).toBe(true)
})

test('an installation that broke off is never used: without a network the last whole deployment comes', async ({ page }) => {
  const text = await visit(page)
  await host.stop()
  host.answer = (path) => (path.includes('/replay-') ? (response) => response.writeHead(200, { 'Content-Type': 'text/javascript' }).end('cut') : null)
  await host.start(LATER)
  await page.goto(host.origin)
  await expect(html(page)).toHaveAttribute('data-later-deployment', '')
  await run(page)
  await expect(html(page)).toHaveAttribute('data-offline', 'failed')

  await host.stop()
  await page.goto(host.origin)
  await expect(html(page)).not.toHaveAttribute('data-later-deployment', '')
  expect(await run(page)).toBe(text)
  expect(await isLater(page)).toBe(false)
})

test('switched off for all: sw-off.js in place of sw.js removes worker and cache, and pages work on', async ({ page }) => {
  const text = await visit(page)
  const off = await readFile(join(FIRST, 'sw-off.js'))
  host.answer = (path) => (path === '/sw.js' ? (response) => response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(off) : null)
  await page.reload()
  expect(await run(page)).toBe(text)
  await expect(html(page)).toHaveAttribute('data-offline', 'off')
  expect(await page.evaluate(() => caches.keys())).toEqual([])
  await page.reload()
  await expect.poll(() => registrations(page)).toBe(0)
  expect(await run(page)).toBe(text)
  await expect(page.locator('.kept')).toBeHidden()
})

test('one reader switches it off and on again in the address', async ({ page }) => {
  await visit(page)
  await page.goto(`${host.origin}/?offline=off`)
  await expect(html(page)).toHaveAttribute('data-offline', 'off')
  expect(await registrations(page)).toBe(0)
  expect(await page.evaluate(() => caches.keys())).toEqual([])
  await page.goto(host.origin)
  await run(page)
  await expect(html(page)).toHaveAttribute('data-offline', 'off')
  await visit(page, `${host.origin}/?offline=on`)
})

test('a frame without an origin asks for nothing; the lab in it runs', async ({ page }) => {
  await page.route('**/host.html', (route) => route.fulfill({ contentType: 'text/html', body: `<iframe sandbox="allow-scripts" src="${host.origin}/" width="1200" height="800"></iframe>` }))
  await page.goto(`${host.origin}/host.html`)
  const frame = page.frameLocator('iframe')
  await frame.getByRole('button', { name: 'Chạy', exact: true }).press('Enter')
  await expect(frame.locator('html')).toHaveAttribute('data-lab', 'done')
  await expect(frame.locator('html')).toHaveAttribute('data-offline', 'sandboxed')
  expect(await registrations(page)).toBe(0)
  expect(host.asked.some(({ path }) => path === '/sw.js')).toBe(false)
})

test('no room to keep it: said in the page\'s state, and no harm', async ({ page, context }) => {
  const cdp = await context.newCDPSession(page)
  await cdp.send('Storage.overrideQuotaForOrigin', { origin: host.origin, quotaSize: 5_000_000 })
  await page.goto(host.origin)
  await run(page)
  await expect(html(page)).toHaveAttribute('data-offline', 'failed')
  expect(await kept(page)).toEqual([])
  await expect(page.locator('.kept')).toBeHidden()
  await run(page)
})
