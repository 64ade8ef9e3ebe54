// The replay: one page, one run; its state at known instants in the bar, the diagram and the pictures; keys, who is followed,
// a new result, reduced motion; then both sides of the proofs.
import { expect, test } from '@playwright/test'
import { noFindings } from './axe.js'

const AT_13_80 = 9
const AT_16_20 = 11
const LAST = 16

test.describe.serial('the replay', () => {
  let page
  const bar = () => page.locator('#replay')
  const press = (name) => bar().getByRole('button', { name, exact: true }).click()
  const to = (i) => bar().getByRole('slider', { name: 'Thời điểm' }).fill(String(i))
  const follow = (id) => bar().getByLabel('Theo').selectOption(id)
  const told = () => bar().locator('.replay-said')
  const time = () => bar().locator('.replay-time')
  const dots = () => page.locator('.dots .dot').evaluateAll((all) => all.map((one) => `${one.dataset.request} ${one.dataset.place}`).sort())
  const working = () => page.locator('.cell.is-working').evaluateAll((all) => all.map((one) => one.dataset.cell).sort())
  const lab = (state) => expect(page.locator('html')).toHaveAttribute('data-lab', state, { timeout: 60_000 })

  test.beforeAll(async ({ browser, baseURL }) => {
    page = await browser.newPage({ baseURL, viewport: { width: 1440, height: 900 } })
    await page.goto('./')
    await lab('ready')
  })
  test.afterAll(() => page.close())

  test('before a run there is no bar; after it the bar waits and nothing is on the diagram', async () => {
    await expect(bar()).toHaveCount(0)
    await page.getByRole('button', { name: 'Chạy', exact: true }).click()
    await lab('done')
    await expect(bar()).toBeVisible()
    await expect(told()).toContainText('Bấm Phát')
    expect(await dots()).toEqual([])
  })

  test('at 13.80 ms seven blocks are in use, and C waits for a slot', async () => {
    await press('Đến cuối')
    await expect(time()).toHaveText('26.40 ms mô phỏng')
    await to(AT_13_80)
    await expect(time()).toHaveText('13.80 ms mô phỏng')
    await expect(bar().locator('.replay-figures')).toHaveText('chờ 1 · chạy 2/2 · 7/12 block')
    await expect(told()).toContainText('C chờ: hai chỗ chạy đang do A và B giữ.')
    expect(await dots()).toEqual(['A decode', 'B decode', 'C waiting'])
  })

  test('at 16.20 ms B is done and C starts with five tokens', async () => {
    await to(AT_16_20)
    await expect(time()).toHaveText('16.20 ms mô phỏng')
    await expect(told()).toContainText('B xong. C vào chỗ chạy. Bước 8: A decode 1, C prefill 5 (6/6 token). C chỉ được 5 token: ngân sách 6, A đã dùng 1.')
    expect(await dots()).toEqual(['A decode', 'B done', 'C prefill'])
    expect(await working()).toEqual(['L1-4', 'L2-1', 'L2-3', 'L2-4', 'L2-5', 'L2-6', 'L2-7'])
    await expect(bar().getByRole('slider', { name: 'Thời điểm' })).toHaveAttribute('aria-valuetext', '16.20 ms mô phỏng, bước 8')
    await expect(bar().getByRole('status')).toContainText('Chạy: A, C.')
  })

  test('the dots stand on their cells', async () => {
    for (const [id, cell] of [['A', 'L2-4'], ['C', 'L2-3'], ['B', 'L1-4']]) {
      const dot = await page.locator(`.dot[data-request="${id}"] circle`).boundingBox()
      const frame = await page.locator(`[data-cell="${cell}"] .cell-frame`).boundingBox()
      expect(dot.x).toBeGreaterThan(frame.x)
      expect(dot.x + dot.width).toBeLessThan(frame.x + frame.width)
      expect(Math.abs(dot.y + dot.height / 2 - frame.y - frame.height)).toBeLessThan(8)
    }
  })

  test('any request can be followed', async () => {
    const sentences = {
      A: 'A được 1 token: decode luôn được phần trước.', B: 'Câu trả lời của B dừng lúc 16.20 ms: gặp <eos>.',
      D: 'D nhận 429: đã có 3 yêu cầu, chạm giới hạn 2 + 1.', E: 'E nhận 400: 8 + 30 = 38 > 24.',
    }
    for (const [id, sentence] of Object.entries(sentences)) {
      await follow(id)
      await expect(told()).toContainText(sentence)
    }
    await follow('A')
    await expect(page.locator('.dot.is-followed')).toHaveAttribute('data-request', 'A')
    await follow('C')
  })

  test('keys of the bar', async () => {
    await bar().getByRole('button', { name: 'Tới một thời điểm' }).focus()
    for (const [key, text] of [['ArrowRight', '19.80'], ['ArrowLeft', '16.20'], ['Home', '0.00'], ['End', '26.40']]) {
      await page.keyboard.press(key)
      await expect(time()).toHaveText(`${text} ms mô phỏng`)
    }
    await bar().getByRole('slider', { name: 'Thời điểm' }).focus()
    await page.keyboard.press('ArrowLeft')
    await expect(time()).toHaveText('25.30 ms mô phỏng')
    await page.keyboard.press('Home')
    await page.keyboard.press('Space')
    await expect(bar().getByRole('button', { name: 'Tạm dừng' })).toBeVisible()
    await page.keyboard.press('Space')
    await expect(bar().getByRole('button', { name: 'Phát', exact: true })).toBeVisible()
  })

  test('it plays to the end and stops by itself', async () => {
    await to(LAST - 1)
    await bar().getByLabel('Tốc độ').selectOption('4×')
    await press('Phát')
    await expect(time()).toHaveText('26.40 ms mô phỏng')
    await expect(bar().getByRole('button', { name: 'Phát', exact: true })).toBeVisible()
    expect(await dots()).toEqual(['C done'])
  })

  test('the cursor stands at the instant in the pictures of panels 3, 6 and 11', async () => {
    await to(AT_16_20)
    for (const block of [3, 6, 11]) {
      await page.locator(`#block-${block} > summary`).click()
      const drawing = page.locator(`#block-${block} svg[data-clock]`).first()
      await expect(drawing.locator('.cursor')).toBeVisible()
      const [start, end, left, right] = (await drawing.getAttribute('data-clock')).split(' ').map(Number)
      const x = await drawing.locator('.cursor').evaluate((cursor) => new DOMMatrix(getComputedStyle(cursor).transform).e)
      expect(x).toBeCloseTo(left + ((16200 - start) / (end - start)) * (right - left), 0)
    }
  })

  test('under reduced motion each step is a state: nothing travels', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await to(AT_16_20 - 1)
    await press('Tới một thời điểm')
    await expect(time()).toHaveText('16.20 ms mô phỏng')
    const moved = await page.evaluate(async () => {
      const at = () => [...document.querySelectorAll('.dots .dot, .dots .traveller')].map((one) => one.style.transform).join()
      const before = at()
      for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame)
      return at() !== before
    })
    expect(moved).toBe(false)
    await page.emulateMedia({ reducedMotion: 'no-preference' })
  })

  test('axe finds nothing, light and dark', async () => {
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme })
      await noFindings(page, '#replay')
    }
    await page.emulateMedia({ colorScheme: 'light' })
  })

  test('both sides of a proof are computed when it is opened', async () => {
    const fold = page.locator('#block-6 [data-proof="paged"]')
    await fold.locator('summary').click()
    await expect(fold).toContainText('✓ Hai vế bằng nhau. 41 cặp giá trị')
    await expect(fold.locator('tbody tr')).toHaveCount(41)
    const none = page.locator('#block-6 [data-proof="preempted"]')
    await none.locator('summary').click()
    await expect(none).toContainText('Lần chạy này không preempt ai.')
  })

  test('a new result replaces the replay and keeps the time', async () => {
    await page.locator('input[name="SLOTS"]').fill('3')
    await page.locator('input[name="SLOTS"]').blur()
    await page.getByRole('button', { name: 'Chạy', exact: true }).click()
    await expect(bar().locator('.replay-figures')).toContainText('/3 ·')
    const shown = Number((await time().textContent()).split(' ')[0])
    expect(shown).toBeLessThanOrEqual(16.2)
    await expect(page.locator('#block-6 [data-proof="paged"] table')).toHaveCount(0)
  })

  test('Đặt lại takes it away', async () => {
    await page.getByRole('button', { name: 'Đặt lại', exact: true }).click()
    await expect(bar()).toBeHidden()
    expect(await dots()).toEqual([])
    await expect(page.locator('.is-working')).toHaveCount(0)
  })
})
