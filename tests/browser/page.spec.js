// The page as a reader meets it: the figures of the course's run, the keyboard alone, every state without an axe finding,
// no sideways scroll at three widths, print, reduced motion, scripts blocked. One page is booted once for all that does not
// start anew; before each test it is put back by its own buttons.
import { expect, test } from '@playwright/test'
import { noFindings } from './axe.js'

const WIDTHS = { wide: { width: 1440, height: 900 }, middle: { width: 1024, height: 768 }, phone: { width: 390, height: 844 } }

/** A press with the mouse where the button is: Playwright's own click scrolls the page to a sticky button's place in the flow. */
async function pressWhereItStands(page, id) {
  const { x, y, width, height } = await page.locator(id).boundingBox()
  await page.mouse.click(x + width / 2, y + height / 2)
}

const lab = (page, state) => expect(page.locator('html')).toHaveAttribute('data-lab', state, { timeout: 60_000 })
const panel = (page, number) => page.locator(`#block-${number}`)
const openPanel = (page, number) => panel(page, number).locator('> summary').click()
const openEverything = (page) => page.evaluate(() => document.querySelectorAll('details').forEach((fold) => (fold.open = true)))
const place = (page, name) => page.evaluate((value) => document.querySelector(`.places [value="${value}"]`).click(), name)

async function run(page) {
  await page.getByRole('button', { name: 'Chạy', exact: true }).click()
  await lab(page, 'done')
}

/** What the engine is asked for with `run` is `json` from here on; without one, nothing is asked, and the run goes on. */
const insteadOfRuns = (page, json) =>
  page.evaluate((json) => {
    inferenceLab.honest ??= inferenceLab.request
    inferenceLab.request = (command, asked) => (command !== 'run' ? inferenceLab.honest(command, asked) : json ? inferenceLab.honest(command, json) : 1_000_000)
  }, json)

/** As it came: no result, nothing open that was not, at the top, on a wide screen, Tab before the first link. */
async function rest(page) {
  await page.setViewportSize(WIDTHS.wide)
  await page.emulateMedia({ media: 'screen', colorScheme: 'light', reducedMotion: 'no-preference' })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Đặt lại' }).press('Enter')
  await lab(page, 'ready')
  await page.evaluate(() => {
    if (inferenceLab.honest) inferenceLab.request = inferenceLab.honest
    document.documentElement.style.fontSize = ''
    document.querySelectorAll('details').forEach((fold) => (fold.open = openAtFirst.has(fold)))
    document.querySelector('.places [value="lab"]').click()
    const start = document.createElement('span')
    start.tabIndex = -1
    document.body.prepend(start)
    start.focus()
    start.remove()
    scrollTo(0, 0)
  })
}

const sideways = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test.describe('one page', () => {
  let page
  let promised // what panel 6 says it will show, before any run

  test.beforeAll(async ({ browser }) => {
    const context = await browser.newContext({ viewport: WIDTHS.wide }) // axe asks for a context
    page = await context.newPage()
    await page.goto('./')
    promised = await panel(page, 6).locator('.panel-result').innerText()
    await page.evaluate(() => (globalThis.openAtFirst = new Set(document.querySelectorAll('details[open]'))))
    await lab(page, 'ready')
  })
  test.afterAll(() => page.context().close())
  test.beforeEach(() => rest(page))

  test('runs, opens a panel with Enter, closes it with Space: the keyboard alone', async () => {
    const order = []
    for (let i = 0; i < 4; i++) {
      await page.keyboard.press('Tab')
      order.push(await page.evaluate(() => document.activeElement.textContent.trim()))
    }
    expect(order).toEqual(['Đến kết quả', 'Chạy', 'Dừng', 'Đặt lại'])
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await lab(page, 'done')

    const summary = panel(page, 4).locator('> summary')
    const stops = await page.locator('a[href], button, input, select, textarea, summary, [tabindex]').count()
    for (let i = 0; i < stops && !(await summary.evaluate((node) => node === document.activeElement)); i++) await page.keyboard.press('Tab')
    await expect(summary).toBeFocused()
    expect(await summary.evaluate((node) => getComputedStyle(node).outlineStyle)).toBe('solid')
    await page.keyboard.press('Enter')
    await expect(panel(page, 4)).toHaveAttribute('open', '')
    await page.keyboard.press('Space')
    await expect(panel(page, 4)).not.toHaveAttribute('open')
  })

  test('an idle Dừng keeps the focus and says that nothing runs', async () => {
    const stop = page.getByRole('button', { name: 'Dừng' })
    await stop.focus()
    await page.keyboard.press('Enter')
    await expect(page.locator('#status')).toHaveText('Không có gì đang chạy.')
    await expect(stop).toBeFocused()
    await lab(page, 'ready')
  })

  test('a run reads as in the course: 22.00 ms, 429, 400, 41 against 197, 40/40, PASS', async () => {
    await run(page)
    await expect(page.locator('.panel')).toHaveCount(13)
    await expect(page.locator('.panel-verdict')).toHaveText(Array(13).fill('✓ đạt'))
    await page.getByRole('button', { name: 'Mở tất cả' }).click()

    const telemetry = panel(page, 11)
    await expect(telemetry).toContainText('0.65 ms + 14.55 ms + 6.80 ms = 22.00 ms')
    await expect(telemetry.getByRole('row', { name: /^C/ })).toHaveText(/650\s*14550\s*6800\s*22000/)
    await expect(panel(page, 1).getByRole('row', { name: /^D/ })).toContainText('429')
    await expect(panel(page, 2).getByRole('row', { name: /^E/ })).toContainText('400')
    await expect(panel(page, 2)).toContainText('8 + 30 = 38')
    await expect(panel(page, 7)).toContainText(/41.*197/s)
    await expect(panel(page, 13)).toContainText('40/40')

    const transcript = (await page.locator('#transcript').textContent()).trim()
    expect(transcript).toContain('[1 · Gateway & admission]')
    expect(transcript).toContain('TỔNG KẾT')
    expect(transcript.split('\n').at(-1)).toMatch(/^PASS/)
    await expect(page.locator('#verdict')).toHaveText(/^PASS/)
  })

  test('each panel says before a run what it will show, and so again after Đặt lại', async () => {
    await run(page)
    await expect(panel(page, 6).locator('.panel-figure')).toContainText('7/12')
    await page.getByRole('button', { name: 'Đặt lại' }).click()
    await lab(page, 'ready')
    await expect(panel(page, 6).locator('.panel-figure')).toBeEmpty()
    expect(await panel(page, 6).locator('.panel-result').innerText()).toBe(promised)
    await expect(page.locator('#transcript')).toBeHidden()
  })

  test('a second run keeps panels open and the page where it was', async () => {
    await run(page)
    await openPanel(page, 3)
    await openPanel(page, 11)
    const seenAt = () => panel(page, 11).evaluate((node) => node.getBoundingClientRect().top)
    await panel(page, 11).evaluate((node) => node.scrollIntoView())
    const place = await seenAt()
    await page.locator('#panels').evaluate((panels) => { panels.dataset.key = 'the first' })
    await pressWhereItStands(page, '#run')
    await expect(page.locator('#panels')).not.toHaveAttribute('data-key', 'the first')
    await lab(page, 'done')
    await expect(panel(page, 3)).toHaveAttribute('open', '')
    await expect(panel(page, 11)).toHaveAttribute('open', '')
    expect(Math.abs((await seenAt()) - place)).toBeLessThan(2)
  })

  test('the last good result is marked as old when the engine fails, and it recovers', async () => {
    await run(page)
    await insteadOfRuns(page, '{"constants": {"SLOTS": 0}}')
    await page.getByRole('button', { name: 'Chạy', exact: true }).click()
    await lab(page, 'error')
    const alert = page.locator('#alert')
    await expect(alert).toContainText('SLOTS')
    await expect(alert).toContainText(/0/)
    await expect(page.getByText('Kết quả cũ')).toBeVisible()
    await expect(panel(page, 6).locator('.panel-figure')).toContainText('7/12')
    await noFindings(page)
    await page.getByRole('button', { name: 'Đặt lại' }).click()
    await lab(page, 'ready')
    await expect(alert).toBeEmpty()
  })

  test('the engine\'s own source of a block is shown, once asked', async () => {
    await openPanel(page, 6)
    await panel(page, 6).getByText('Xem mã').click()
    await expect(panel(page, 6).locator('.source-part pre').first()).toContainText('class KVPool')
    await expect(panel(page, 6).locator('.source-head').first()).toContainText(/kv_cache\.py, từ dòng \d+/)
  })

  test('the printout is offered as a file', async () => {
    await run(page)
    await page.locator('#printout > summary').click()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Tải về' }).click()])
    expect(download.suggestedFilename()).toBe('inference-lab.txt')
  })

  test('21 cells and four cards; a cell opens its panel and is lit', async () => {
    await expect(page.locator('[data-cell^="L"]')).toHaveCount(21)
    await expect(page.locator('[data-cell^="X"]')).toHaveCount(4)
    const cell = page.locator('[data-cell="L2-7"]')
    await cell.click()
    await expect(panel(page, 6)).toHaveAttribute('open', '')
    await expect(panel(page, 6)).toBeInViewport()
    await expect(cell).toHaveAttribute('aria-current', 'true')
    await expect(panel(page, 6).locator('> summary')).toBeFocused()
    await openPanel(page, 6)
    await expect(cell).not.toHaveAttribute('aria-current')
  })

  test('a cell without a panel opens its own text', async () => {
    await page.locator('[data-cell="L1-2"]').click()
    await expect(page.getByRole('dialog', { name: 'L1·2 Router' })).toContainText('Router chọn bản chạy sẽ phục vụ yêu cầu.')
  })

  test('the five requests of the page are the engine\'s', async () => {
    const requests = await page.evaluate(
      () =>
        new Promise((resolve) => {
          const id = { asked: 0 }
          inferenceLab.listen((kind, of, json) => kind === 'answer' && of === id.asked && resolve(JSON.parse(json).ok.find(({ name }) => name === 'REQUESTS').default))
          id.asked = inferenceLab.request('constants', '{}')
        })
    )
    const rows = await page.locator('#requests tbody tr').evaluateAll((found) => found.map((row) => [...row.querySelectorAll('[data-cell-name]')].map((field) => [field.dataset.cellName, field.value])))
    expect(rows.map((cells) => Object.fromEntries(cells))).toEqual(requests.map((one) => Object.fromEntries(Object.entries(one).map(([name, value]) => [name, String(value)]))))
    await page.locator('.requests-fold > summary').click()
    await expect(page.getByRole('radio', { name: 'Theo dõi yêu cầu C' })).toBeChecked()
  })

  test.describe('axe', () => {
    test.beforeEach(() => {
      test.slow()
      return page.emulateMedia({ reducedMotion: 'reduce' })
    })

    const inBothColours = async () => {
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme })
        await test.step(colorScheme, () => noFindings(page))
      }
    }

    test('at rest', inBothColours)

    test('done, with everything open', async () => {
      await run(page)
      await page.getByRole('button', { name: 'Mở tất cả' }).click()
      await page.evaluate(() => document.querySelectorAll('.guide details, #printout').forEach((fold) => (fold.open = true)))
      await inBothColours()
    })

    test('running', async () => {
      await insteadOfRuns(page, null)
      await page.getByRole('button', { name: 'Chạy', exact: true }).click()
      await lab(page, 'running')
      await inBothColours()
    })

    for (const [name, part] of [['phone', 'lab'], ['phone', 'diagram'], ['phone', 'constants'], ['middle', 'lab']]) {
      test(`${name}, ${part}`, async () => {
        await page.setViewportSize(WIDTHS[name])
        await place(page, part)
        await noFindings(page)
      })
    }
  })

  test('no sideways scroll at any width, everything open', async () => {
    await run(page)
    for (const everything of [false, true]) {
      if (everything) await openEverything(page)
      for (const [name, viewport] of Object.entries(WIDTHS)) {
        await page.setViewportSize(viewport)
        for (const part of ['diagram', 'constants', 'lab']) {
          await place(page, part)
          await expect.poll(() => sideways(page), `${name}, ${part}, ${everything ? 'everything open' : 'as it comes'}`).toBe(0) // pictures are drawn anew for a new width
        }
      }
    }
  })

  test('no sideways scroll with text at 200 %', async () => {
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
    expect(await sideways(page)).toBe(0)
  })

  test('on a phone the three places switch, and a cell leads to the lab', async () => {
    await page.setViewportSize(WIDTHS.phone)
    await expect(page.locator('#diagram')).toBeHidden()
    await page.getByText('Hằng số', { exact: true }).first().click()
    await expect(page.locator('input[name="TOKEN_BUDGET"]')).toBeVisible()
    await page.getByText('Sơ đồ', { exact: true }).first().click()
    await page.locator('[data-cell="L2-1"]').click()
    await expect(panel(page, 3).locator('> summary')).toBeFocused()
    await expect(panel(page, 3)).toBeInViewport()
  })

  test('on a phone Chạy stands at the bottom, in reach', async () => {
    await page.setViewportSize(WIDTHS.phone)
    const box = await page.locator('#run').boundingBox()
    expect(box.y).toBeGreaterThan(WIDTHS.phone.height * 0.75)
    expect(box.height).toBeGreaterThanOrEqual(44)
  })

  test('nothing moves under reduced motion', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const moving = await page.evaluate(() => [...document.querySelectorAll('*')].filter((node) => parseFloat(getComputedStyle(node).transitionDuration) > 0).length)
    expect(moving).toBe(0)
  })

  test('prints the guide and the results, without the tools', async () => {
    await run(page)
    await page.emulateMedia({ media: 'print' })
    await expect(page.locator('.bar')).toBeHidden()
    await expect(page.locator('#block-11 tbody').first()).toBeVisible()
    await expect(page.getByText('Với năm yêu cầu này, lab chứng tỏ:')).toBeVisible()
    await expect(page.locator('input[name="TOKEN_BUDGET"]')).toBeVisible()
  })
})

test('a press made before the view lived is followed', async ({ page }) => {
  await page.goto('./', { waitUntil: 'commit' })
  await page.locator('#run').click()
  await lab(page, 'done')
})

test('no axe finding after a start that failed', async ({ page }) => {
  test.slow()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.route(/numpy[^/]*\.whl/, (route) => route.abort())
  await page.goto('./')
  await lab(page, 'error')
  await expect(page.locator('#alert')).toContainText('numpy')
  await expect(page.getByRole('button', { name: 'Thử lại' })).toBeVisible()
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme })
    await noFindings(page)
  }
})

test.describe('scripts blocked', () => {
  test.use({ javaScriptEnabled: false })

  test('the page says so and can be read', async ({ page }) => {
    await page.goto('./')
    await expect(page.getByText('Script của trang chưa chạy.')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Một yêu cầu, mười ba khối' })).toBeVisible()
    await page.getByText('Bảng ánh xạ: 13 khối, ô trên sơ đồ, bài học').click()
    await expect(page.locator('.mapping tbody tr')).toHaveCount(13)
  })
})
