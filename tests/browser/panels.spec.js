// The panels while a constant is moved: what is patched equals what is made anew.
import { expect, test } from '@playwright/test'

const lab = (page, state) => expect(page.locator('html')).toHaveAttribute('data-lab', state)

/** Another configuration in the address, as a step through the history brings it; resolves when all of it is drawn. */
async function arrive(page, query) {
  const before = await shownKey(page)
  await page.evaluate((text) => {
    history.pushState(null, '', text)
    dispatchEvent(new PopStateEvent('popstate'))
  }, query)
  await expect.poll(() => shownKey(page)).not.toBe(before)
  await drawn(page)
}

const shownKey = (page) => page.locator('#panels').getAttribute('data-key')

async function drawn(page) {
  await lab(page, 'done')
  await expect.poll(() => page.evaluate(() => [...document.querySelectorAll('.panel[open] .pictures')].filter((place) => place.dataset.key !== document.getElementById('panels').dataset.key || place.matches('.is-old')).length)).toBe(0)
}

async function ready(page, query) {
  await page.goto(`./${query}`)
  await lab(page, 'ready')
  await page.getByRole('button', { name: 'Chạy', exact: true }).click()
  await lab(page, 'done')
  await page.getByRole('button', { name: 'Mở tất cả' }).click()
  await drawn(page)
}

/** What each panel shows, as markup: its summary, its body, its pictures; not what changed against the run before. */
const markup = (page) =>
  page.evaluate(() => Object.fromEntries([...document.querySelectorAll('.panel')].flatMap((one) =>
    ['.panel-figure', '.panel-verdict', '.panel-result'].map((part) => [`${one.id} ${part}`, one.querySelector(part).innerHTML.replace(/ style=""/g, '')]))))

const CONFIGURATIONS = [
  '?v=1&set=SLOTS:3', '?v=1&set=BLOCK_SIZE:2', '?v=1&set=QUANT_BITS:2', '?v=1&set=MAX_CONTEXT:10', '?v=1&set=TOKEN_BUDGET:3,SEED:11', '?v=1&set=N_MERGES:0&follow=B',
  '?v=1&set=SLOTS:4,TOKEN_BUDGET:3,BLOCK_SIZE:8&follow=D',
]

/**
 * A hand that takes a slider from one value to another in a second. Resolves when all is drawn.
 * -> results: keys in the order of their answers; shown: for the panels and each place of pictures, the keys that it had, in turn
 */
const drag = (page, name, from, to) =>
  page.evaluate(async ([name, from, to]) => {
    const { panels } = inferenceLab
    const { take } = panels
    const results = []
    panels.take = (id, json) => {
      results.push(JSON.parse(json).ok.key)
      return take(id, json)
    }
    const all = document.getElementById('panels')
    const places = [all, ...all.querySelectorAll('.pictures')]
    const shown = places.map(() => [])
    const observer = new MutationObserver((records) => records.forEach(({ target }) => shown[places.indexOf(target)].push(target.dataset.key)))
    for (const place of places) observer.observe(place, { attributeFilter: ['data-key'] })
    const slider = document.querySelector(`[data-slider="${name}"]`)
    const send = (kind) => slider.dispatchEvent(new Event(kind, { bubbles: true }))
    const began = performance.now()
    for (let share = 0; share < 1; share = (performance.now() - began) / 1000) {
      slider.value = String(from + Math.round((to - from) * share))
      send('input')
      await new Promise(requestAnimationFrame)
    }
    slider.value = String(to)
    send('input')
    send('change')
    const isDrawn = () => document.documentElement.dataset.lab === 'done' && places.every((place) => place.dataset.key === results.at(-1) && !place.matches('.is-old'))
    while (!isDrawn()) await new Promise(requestAnimationFrame)
    observer.disconnect()
    panels.take = take
    return { results, shown }
  }, [name, from, to])

test('after seven configurations, and after a drag, every panel is as one that never showed another', async ({ page, browser }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  let alone
  await ready(page, '?v=1&set=TOKEN_BUDGET:7') // with a link the page listens to the history
  for (const [i, query] of CONFIGURATIONS.entries()) {
    await arrive(page, query)
    if (i % 2 && i < CONFIGURATIONS.length - 1) continue
    const fresh = await browser.newPage({ baseURL: page.url().split('?')[0], viewport: { width: 1440, height: 900 } })
    await ready(fresh, query)
    alone = await markup(fresh)
    expect(await markup(page), query).toEqual(alone)
    await fresh.close()
  }
  const { results, shown } = await drag(page, 'TOKEN_BUDGET', 24, 3) // to where the last of them was
  for (const keys of shown) {
    const turns = keys.map((key) => results.indexOf(key))
    expect(turns).toEqual(turns.toSorted((a, b) => a - b)) // nothing older after something newer
    expect(turns.at(-1)).toBe(results.length - 1)
  }
  expect(await markup(page)).toEqual(alone)
})
