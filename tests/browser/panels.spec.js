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

test('after seven configurations every panel is as one that never showed another', async ({ page, browser }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await ready(page, '?v=1&set=TOKEN_BUDGET:7') // with a link the page listens to the history
  for (const [i, query] of CONFIGURATIONS.entries()) {
    await arrive(page, query)
    if (i % 2 && i < CONFIGURATIONS.length - 1) continue
    const fresh = await browser.newPage({ baseURL: page.url().split('?')[0], viewport: { width: 1440, height: 900 } })
    await ready(fresh, query)
    expect(await markup(page), query).toEqual(await markup(fresh))
    await fresh.close()
  }
})
