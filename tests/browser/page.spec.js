// The page as a reader meets it: the figures of the course's run, the keyboard alone, every state without an axe finding,
// no sideways scroll at three widths, print, reduced motion, scripts blocked.
import AxeBuilder from '@axe-core/playwright'
import { expect, test } from '@playwright/test'

const WIDTHS = { wide: { width: 1440, height: 900 }, middle: { width: 1024, height: 768 }, phone: { width: 390, height: 844 } }

/** A press with the mouse where the button is: Playwright's own click scrolls the page to a sticky button's place in the flow. */
async function pressWhereItStands(page, id) {
  const { x, y, width, height } = await page.locator(id).boundingBox()
  await page.mouse.click(x + width / 2, y + height / 2)
}

const lab = (page, state) => expect(page.locator('html')).toHaveAttribute('data-lab', state, { timeout: 60_000 })
const panel = (page, number) => page.locator(`#block-${number}`)
const openPanel = (page, number) => panel(page, number).locator('> summary').click()

async function ready(page) {
  await page.goto('./')
  await lab(page, 'ready')
}

async function done(page) {
  await ready(page)
  await page.getByRole('button', { name: 'Chạy', exact: true }).click()
  await lab(page, 'done')
}

/** The next run's answer is an error: the engine is asked for a constant it must refuse. */
const breakNextRun = (page) =>
  page.evaluate(() => {
    const request = inferenceLab.request
    inferenceLab.request = (command, json) => request(command, command === 'run' ? '{"constants": {"SLOTS": 0}}' : json)
  })

async function noFindings(page) {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`)).toEqual([])
}

const sideways = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test.describe('the run', () => {
  test('reads as in the course: 22.00 ms, 429, 400, 41 against 197, 40/40, PASS', async ({ page }) => {
    await done(page)
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

  test('says before it what each panel will show, and so again after Đặt lại', async ({ page }) => {
    await page.goto('./')
    const before = await panel(page, 6).locator('.panel-result').innerText()
    await done(page)
    await expect(panel(page, 6).locator('.panel-figure')).toContainText('7/12')
    await page.getByRole('button', { name: 'Đặt lại' }).click()
    await lab(page, 'ready')
    await expect(panel(page, 6).locator('.panel-figure')).toBeEmpty()
    expect(await panel(page, 6).locator('.panel-result').innerText()).toBe(before)
    await expect(page.locator('#transcript')).toBeHidden()
  })

  test('follows a press made before the view lived', async ({ page }) => {
    await page.goto('./', { waitUntil: 'commit' })
    await page.locator('#run').click()
    await lab(page, 'done')
  })

  test('keeps panels open and the page where it was when run again', async ({ page }) => {
    await done(page)
    await openPanel(page, 3)
    await openPanel(page, 11)
    const place = await page.evaluate(() => (document.querySelector('#block-11').scrollIntoView(), scrollY))
    const verdict = await page.locator('#verdict').evaluateHandle((node) => node.firstChild)
    await pressWhereItStands(page, '#run')
    await expect.poll(() => verdict.evaluate((text) => text.isConnected)).toBe(false)
    await lab(page, 'done')
    await expect(panel(page, 3)).toHaveAttribute('open', '')
    await expect(panel(page, 11)).toHaveAttribute('open', '')
    expect(Math.abs((await page.evaluate(() => scrollY)) - place)).toBeLessThan(2)
  })

  test('marks the last good result as old when the engine fails, and recovers', async ({ page }) => {
    await done(page)
    await breakNextRun(page)
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

  test('shows the engine\'s own source of a block, once asked', async ({ page }) => {
    await ready(page)
    await openPanel(page, 6)
    await panel(page, 6).getByText('Xem mã').click()
    await expect(panel(page, 6).locator('.source-part pre').first()).toContainText('class KVPool')
    await expect(panel(page, 6).locator('.source-head').first()).toContainText(/kv_cache\.py, từ dòng \d+/)
  })

  test('offers the printout as a file', async ({ page }) => {
    await done(page)
    await page.locator('#printout > summary').click()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Tải về' }).click()])
    expect(download.suggestedFilename()).toBe('inference-lab.txt')
  })
})

test.describe('the cells', () => {
  test('21 cells and four cards; a cell opens its panel and is lit', async ({ page }) => {
    await ready(page)
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

  test('a cell without a panel opens its own text', async ({ page }) => {
    await ready(page)
    await page.locator('[data-cell="L1-2"]').click()
    await expect(page.getByRole('dialog', { name: 'L1·2 Router' })).toContainText('Router chọn bản chạy sẽ phục vụ yêu cầu.')
  })

  test('on a phone the three places switch, and a cell leads to the lab', async ({ page }) => {
    await page.setViewportSize(WIDTHS.phone)
    await ready(page)
    await expect(page.locator('#diagram')).toBeHidden()
    await page.getByText('Hằng số', { exact: true }).first().click()
    await expect(page.locator('input[name="TOKEN_BUDGET"]')).toBeVisible()
    await page.getByText('Sơ đồ', { exact: true }).first().click()
    await page.locator('[data-cell="L2-1"]').click()
    await expect(panel(page, 3).locator('> summary')).toBeFocused()
    await expect(panel(page, 3)).toBeInViewport()
  })

  test('the five requests of the page are the engine\'s', async ({ page }) => {
    await ready(page)
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
    await expect(page.getByRole('radio', { name: 'Theo dõi yêu cầu C' })).toBeChecked()
  })
})

test.describe('the keyboard alone', () => {
  test('runs, opens a panel with Enter, closes it with Space', async ({ page }) => {
    await ready(page)
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
    for (let i = 0; i < 80 && !(await summary.evaluate((node) => node === document.activeElement)); i++) await page.keyboard.press('Tab')
    await expect(summary).toBeFocused()
    expect(await summary.evaluate((node) => getComputedStyle(node).outlineStyle)).toBe('solid')
    await page.keyboard.press('Enter')
    await expect(panel(page, 4)).toHaveAttribute('open', '')
    await page.keyboard.press('Space')
    await expect(panel(page, 4)).not.toHaveAttribute('open')
  })

  test('an idle Dừng keeps the focus and says that nothing runs', async ({ page }) => {
    await ready(page)
    const stop = page.getByRole('button', { name: 'Dừng' })
    await stop.focus()
    await page.keyboard.press('Enter')
    await expect(page.locator('#status')).toHaveText('Không có gì đang chạy.')
    await expect(stop).toBeFocused()
    await lab(page, 'ready')
  })
})

for (const colorScheme of ['light', 'dark']) {
  test.describe(`axe, ${colorScheme}`, () => {
    test.use({ colorScheme, reducedMotion: 'reduce' })

    test('at rest, and done with everything open', async ({ page }) => {
      test.slow()
      await ready(page)
      await noFindings(page)
      await page.getByRole('button', { name: 'Chạy', exact: true }).click()
      await lab(page, 'done')
      await page.getByRole('button', { name: 'Mở tất cả' }).click()
      await page.evaluate(() => document.querySelectorAll('.guide details, #printout').forEach((fold) => (fold.open = true)))
      await noFindings(page)
    })

    test('running', async ({ page }) => {
      await ready(page)
      await page.evaluate(() => {
        const request = inferenceLab.request
        inferenceLab.request = (command, json) => (command === 'run' ? 1_000_000 : request(command, json))
      })
      await page.getByRole('button', { name: 'Chạy', exact: true }).click()
      await lab(page, 'running')
      await noFindings(page)
    })

    test('failed', async ({ page }) => {
      await page.route(/numpy[^/]*\.whl/, (route) => route.abort())
      await page.goto('./')
      await lab(page, 'error')
      await expect(page.locator('#alert')).toContainText('numpy')
      await expect(page.getByRole('button', { name: 'Thử lại' })).toBeVisible()
      await noFindings(page)
    })
  })
}

for (const [name, place] of [['phone', 'lab'], ['phone', 'diagram'], ['phone', 'constants'], ['middle', 'lab']]) {
  test(`axe, ${name}, ${place}`, async ({ page }) => {
    test.slow()
    await page.setViewportSize(WIDTHS[name])
    await ready(page)
    await page.evaluate((value) => document.querySelector(`.places [value="${value}"]`).click(), place)
    await noFindings(page)
  })
}

test.describe('the picture', () => {
  for (const [name, viewport] of Object.entries(WIDTHS)) {
    test(`no sideways scroll, everything open, ${name}`, async ({ page }) => {
      await page.setViewportSize(viewport)
      await done(page)
      for (const place of ['diagram', 'constants', 'lab']) {
        await page.evaluate((value) => document.querySelector(`.places [value="${value}"]`).click(), place)
        expect(await sideways(page), place).toBe(0)
      }
      await page.evaluate(() => document.querySelectorAll('details').forEach((fold) => (fold.open = true)))
      expect(await sideways(page)).toBe(0)
    })
  }

  test('no sideways scroll with text at 200 %', async ({ page }) => {
    await page.setViewportSize(WIDTHS.wide)
    await page.goto('./')
    await page.addStyleTag({ content: 'html { font-size: 200% }' })
    expect(await sideways(page)).toBe(0)
  })

  test('on a phone Chạy stands at the bottom, in reach', async ({ page }) => {
    await page.setViewportSize(WIDTHS.phone)
    await ready(page)
    const box = await page.locator('#run').boundingBox()
    expect(box.y).toBeGreaterThan(WIDTHS.phone.height * 0.75)
    expect(box.height).toBeGreaterThanOrEqual(44)
  })

  test('nothing moves under reduced motion', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await ready(page)
    const moving = await page.evaluate(() => [...document.querySelectorAll('*')].filter((node) => parseFloat(getComputedStyle(node).transitionDuration) > 0).length)
    expect(moving).toBe(0)
  })

  test('prints the guide and the results, without the tools', async ({ page }) => {
    await done(page)
    await page.emulateMedia({ media: 'print' })
    await expect(page.locator('.bar')).toBeHidden()
    await expect(page.locator('#block-11 tbody').first()).toBeVisible()
    await expect(page.getByText('Với năm yêu cầu này, lab chứng tỏ:')).toBeVisible()
    await expect(page.locator('input[name="TOKEN_BUDGET"]')).toBeVisible()
  })
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
