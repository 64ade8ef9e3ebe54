// A learner changes, compares, sweeps, guesses and exercises: one page, booted once. The figures are the engine's own, as
// the command line prints them for the same constants.
import { expect, test } from '@playwright/test'
import { noFindings } from './axe.js'

const ms = (text) => `${text} ms`

let page

test.describe.configure({ mode: 'serial' })

test.beforeAll(async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  page = await context.newPage()
  await page.goto('./')
  await lab('ready')
})

test.afterAll(() => page.context().close())

const lab = (state) => expect(page.locator('html')).toHaveAttribute('data-lab', state)
const figure = (id) => page.locator(`#strip [data-figure="${id}"]`)
const now = (id) => figure(id).locator('.now')
const panel = (number) => page.locator(`#block-${number}`)
const exercise = (id) => page.locator(`[data-exercise="${id}"]`)
const question = (id) => page.locator(`[data-question="${id}"]`)
const sweep = (part) => page.locator(`.sweep-${part}`)

async function set(name, value) {
  await page.locator(`#number-${name}`).fill(String(value))
  await page.locator(`#number-${name}`).press('Enter')
}

const boxes = () =>
  page.locator('#strip .figure').evaluateAll((all) => all.map((one) => [one.offsetLeft, one.offsetTop, one.offsetWidth, one.offsetHeight]))

/** Requests that leave the page, by command, from here on. */
const countRequests = () =>
  page.evaluate(() => {
    globalThis.sent = []
    const request = inferenceLab.request
    inferenceLab.request = (command, json) => (sent.push(command), request(command, json))
  })
const sent = (command) => page.evaluate((name) => sent.filter((one) => one === name).length, command)

test('at rest nothing is compared; questions and exercises are there', async () => {
  await expect(page.locator('#changes')).toBeHidden()
  await expect(page.locator('.exercise')).toHaveCount(6)
  await expect(page.locator('.exercises-score')).toHaveText('0/6 bài xong.')
  await expect(page.locator('#predict-fold')).not.toHaveAttribute('open')
  await page.locator('#predict-fold > summary').click()
  await expect(page.locator('.question[data-question]')).toHaveCount(4)
  await expect(page.locator('.outcome:not(:empty)')).toHaveCount(0)
})

test('a right guess, a wrong one and none: each beside the truth after the run', async () => {
  await question('wait').getByLabel('Rất lâu').check()
  await question('refused').getByLabel('Không ai bị từ chối').check()
  await expect(page.locator('.predict-score')).toHaveText('đã đoán 2/4')
  await page.getByRole('button', { name: 'Chạy', exact: true }).click()
  await lab('done')
  await expect(question('wait').locator('.outcome')).toHaveText(/^✓ Đúng\. C chờ chỗ chạy 14\.55\sms mô phỏng/)
  await expect(question('refused').locator('.outcome')).toContainText('✕ Chưa đúng.')
  await expect(question('refused').locator('.outcome')).toContainText('D nhận 429 vì đã có 3 yêu cầu')
  await expect(question('peak').locator('.outcome')).toContainText('Bạn chưa đoán câu này.')
  await expect(page.locator('.predict-score')).toHaveText('đúng 1/2 câu đã đoán')
})

test('while other constants wait for a run the questions are about that, and the focus stays in them', async () => {
  await page.getByRole('switch', { name: 'Chạy lại ngay' }).uncheck()
  const type = (text) =>
    page.locator('#number-POOL_BLOCKS').evaluate((field, value) => {
      field.value = value
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }, text)
  await question('wait').getByLabel('Rất lâu').focus()
  await type('6')
  await expect(question('peak')).toContainText('bao nhiêu trong 6 block')
  await expect(page.locator('.predict-score')).toHaveText('đã đoán 2/4')
  await expect(page.locator('.outcome:not(:empty)')).toHaveCount(0)
  await expect(question('wait').getByLabel('Rất lâu')).toBeFocused()
  await type('12')
  await expect(page.locator('.predict-score')).toHaveText('đúng 1/2 câu đã đoán')
  await page.getByRole('switch', { name: 'Chạy lại ngay' }).check()
})

test('the first run: figures without change', async () => {
  await expect(page.locator('#strip .figure')).toHaveCount(10)
  for (const [id, text] of [['served', '3/5'], ['refused_429', '1'], ['refused_400', '1'], ['ttft', ms('22.00')], ['tpot', ms('1.13')], ['preemptions', '0'], ['agreement', '40/40']]) {
    await expect(now(id)).toHaveText(text)
  }
  await expect(now('peak_blocks')).toHaveText(/^7\/12 \(58\s%\)$/)
  await expect(page.locator('#strip .is-changed')).toHaveCount(0)
  await expect(page.locator('.panel-mark:not(:empty)')).toHaveCount(0)
  await expect(page.locator('.reasons')).toContainText('Đây là lần chạy đầu tiên')
})

test('SLOTS 2 to 3: old and new in the strip, the constant, the cause, marks where a figure differs', async () => {
  const before = await boxes()
  await set('SLOTS', 3)
  await expect(now('ttft')).toHaveText(ms('18.60'))
  await expect(figure('ttft').locator('.was')).toHaveText(`▼ 22.00giảm, trước là ${ms('22.00')}, tốt hơn`)
  await expect(figure('tpot').locator('.was')).toHaveText(`▲ 1.13tăng, trước là ${ms('1.13')}, kém hơn`)
  await expect(now('served')).toHaveText('4/5')
  await expect(figure('refused_400')).not.toHaveClass(/is-changed/)
  expect(await boxes()).toEqual(before)

  await expect(page.locator('#strip .baseline')).toHaveText('so với lần chạy trước')
  await expect(page.locator('.changed-constant')).toHaveText('SLOTS 2 → 3 yêu cầu')
  await expect(page.locator('.cause')).toContainText(/TTFT của C giảm 3\.40\sms/)
  await expect(panel(11).locator('.panel-mark')).toHaveText(/^\d+ thay đổi$/)
  await expect(panel(5).locator('.panel-mark:not(:empty)')).toHaveCount(0)
  await panel(11).locator('> summary').click()
  await expect(panel(11).locator('.panel-changes')).toContainText('14550 → 8950')
  await expect(panel(11).locator('.panel-changes')).toContainText('Đổi so với lần chạy trước')
  await lab('done')
})

test('a pinned result is the baseline by its name, and what equals it carries no mark', async () => {
  await page.locator('#strip').getByRole('button', { name: 'Ghim làm mốc' }).click()
  await expect(page.locator('.reasons')).toContainText('Đã ghim lần chạy này làm mốc.')
  await expect(page.locator('#strip .is-changed')).toHaveCount(0)
  await set('SLOTS', 4)
  await expect(now('ttft')).toHaveText(ms('19.80'))
  await set('SLOTS', 2)
  await expect(now('ttft')).toHaveText(ms('22.00'))
  await expect(figure('ttft').locator('.was')).toContainText('▲ 18.60')
  await expect(page.locator('#strip .baseline')).toHaveText('so với mốc: SLOTS 3')
  await set('SLOTS', 3)
  await expect(now('ttft')).toHaveText(ms('18.60'))
  await expect(page.locator('#strip .is-changed')).toHaveCount(0)
  await expect(page.locator('.panel-mark:not(:empty)')).toHaveCount(0)
  await expect(page.locator('.panel-changes:not(:empty)')).toHaveCount(0)
  await page.evaluate(() => { // a pin taken away while a run is under way, and that run overtaken
    const slider = document.querySelector('[data-slider="SLOTS"]')
    for (const value of ['5', '', '4']) {
      if (!value) document.querySelector('#strip [data-pin]').click()
      else slider.value = value
      slider.dispatchEvent(new Event('input', { bubbles: true }))
      slider.dispatchEvent(new Event('change', { bubbles: true }))
    }
  })
  await expect(now('ttft')).toHaveText(ms('19.80'))
  await expect(page.locator('#strip .baseline')).toHaveText('so với lần chạy trước')
  await set('SLOTS', 3)
  await expect(now('ttft')).toHaveText(ms('18.60'))
  await set('SLOTS', 2)
  await expect(figure('ttft').locator('.was')).toContainText('▲ 18.60')
  await expect(page.locator('#strip .baseline')).toHaveText('so với lần chạy trước')
})

test('a sweep runs the whole range; its points are read by key and in a table', async () => {
  await page.locator('#sweep > summary').click()
  await sweep('constant').selectOption('SLOTS')
  await sweep('metric').selectOption('ttft')
  await page.getByRole('button', { name: 'Quét', exact: true }).click()
  await expect(sweep('status')).toHaveText('Đã quét 8 giá trị của SLOTS.')
  await expect(sweep('drawing').locator('svg')).toBeVisible()
  await expect(sweep('point')).toHaveText(`SLOTS = 2 (hiện tại): TTFT của C ${ms('22.00')}`)
  const curve = page.getByRole('slider', { name: /Đường quét/ })
  await curve.focus()
  await page.keyboard.press('ArrowRight')
  await expect(curve).toHaveAttribute('aria-valuetext', `SLOTS = 3: TTFT của C ${ms('18.60')}`)
  await page.keyboard.press('Home')
  await expect(sweep('point')).toHaveText('SLOTS = 1: TTFT của C –')
  await page.getByText('Số của từng điểm').click()
  await expect(sweep('table').locator('td')).toHaveText(['–', ms('22.00'), ms('18.60'), ...Array(5).fill(ms('19.80'))])
})

test('its mark follows the constant; another constant makes it old, and back again', async () => {
  await set('SLOTS', 3)
  await expect(sweep('table').locator('.followed th')).toHaveText('3 (hiện tại)')
  await expect(sweep('old')).toBeHidden()
  await set('TOKEN_BUDGET', 5)
  await expect(sweep('old')).toBeVisible()
  await set('TOKEN_BUDGET', 6)
  await expect(sweep('old')).toBeHidden()
})

test('values that are refused are gaps with their reason', async () => {
  await sweep('constant').selectOption('N_HEADS')
  await page.getByRole('button', { name: 'Quét lại' }).click()
  await expect(sweep('status')).toHaveText('Đã quét 8 giá trị của N_HEADS. 7 giá trị bị từ chối, để trống trên đường.')
  await page.getByRole('slider', { name: /Đường quét/ }).focus()
  await page.keyboard.press('End')
  await expect(sweep('point')).toContainText('N_HEADS = 8: bị từ chối.')
  await expect(sweep('point')).toContainText('D_MODEL')
})

test('a sweep with another value that is none says which, and tries nothing', async () => {
  await sweep('constant').selectOption('SLOTS')
  await set('QUEUE_LIMIT', '0,5')
  await page.getByRole('button', { name: 'Quét lại' }).click()
  await expect(sweep('status')).toHaveText('Chưa quét: giá trị của QUEUE_LIMIT chưa hợp lệ. Sửa rồi bấm lại.')
  await set('QUEUE_LIMIT', '1')
})

test('a sweep goes on when a script kills the interpreter under it', async () => {
  await page.evaluate(() => {
    const count = document.querySelector('.sweep-count')
    let killed = false
    new MutationObserver((_, observer) => {
      if (killed || !/^\D*3\//.test(count.textContent)) return
      killed = true
      observer.disconnect()
      document.querySelector('.sweep-stop').focus()
      inferenceLab.request('run', JSON.stringify({ script: 'import os\nos._exit(1)' }))
    }).observe(count, { childList: true })
  })
  await page.getByRole('button', { name: 'Quét lại' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-lab', 'booting')
  await expect(sweep('status')).toHaveText('Đã quét 8 giá trị của SLOTS.')
  await expect(sweep('start')).toBeFocused() // the button that had the focus is gone
  await lab('done')
})

test('a sweep is stopped at once, and a run goes in between', async () => {
  await countRequests()
  await sweep('constant').selectOption('TTFT_SLO')
  await page.evaluate(() => {
    const count = document.querySelector('.sweep-count')
    const press = { 4: '#run', 8: '#stop' } // «Dừng» ends a sweep as «Dừng quét» does, and no interpreter with it
    new MutationObserver(() => {
      const done = count.textContent.match(/(\d+)\//)?.[1]
      document.querySelector(press[done])?.click()
      delete press[done]
    }).observe(count, { childList: true })
  })
  await page.getByRole('button', { name: 'Quét lại' }).click()
  await expect(sweep('thinned')).toHaveText(/^Khoảng này có 101 giá trị; lab quét \d\d giá trị trải đều\.$/)
  await expect(sweep('status')).toHaveText(/^Đã dừng ở 8\/\d\d giá trị\.$/)
  await lab('done')
  await expect(page.locator('#stop')).toHaveAttribute('aria-disabled', 'true')
  const asked = await page.evaluate(() => sent.filter((one) => one === 'measure' || one === 'run'))
  expect(asked.slice(0, 7)).toEqual([...Array(5).fill('measure'), 'run', 'measure'])
  await set('QUEUE_LIMIT', 2)
  await expect(page.locator('.changed-constant')).toHaveText('QUEUE_LIMIT 1 → 2 yêu cầu')
  await set('QUEUE_LIMIT', 1)
  await lab('done')
  expect(await sent('measure')).toBeLessThanOrEqual(9)
})

test('a sweep of 24 values costs at most 1.2 times its 24 runs', { tag: '@alone' }, async () => {
  await page.locator('#sweep').evaluate((fold) => { fold.open = true })
  await set('SLOTS', 3)
  const runs = () => page.evaluate(async () => {
    const answered = (id) => new Promise((resolve) => inferenceLab.listen((kind, of) => kind === 'answer' && of === id && resolve()))
    const start = performance.now()
    for (let blocks = 1; blocks <= 24; blocks++) await answered(inferenceLab.request('run', JSON.stringify({ constants: { SLOTS: 3, POOL_BLOCKS: blocks } })))
    return performance.now() - start
  })
  await sweep('constant').selectOption('POOL_BLOCKS')
  await sweep('metric').selectOption('preemptions')
  const before = await runs()
  const swept = await page.evaluate(async () => {
    const status = document.querySelector('.sweep-status')
    const start = performance.now()
    document.querySelector('.sweep-start').click()
    await new Promise((resolve) => new MutationObserver(() => status.textContent.includes('POOL_BLOCKS') && resolve()).observe(status, { childList: true, characterData: true, subtree: true }))
    return performance.now() - start
  })
  const after = await runs()
  test.info().annotations.push({ type: 'sweep', description: `${Math.round(swept)} ms, runs ${Math.round(before)} ms before, ${Math.round(after)} ms after` })
  expect(swept).toBeLessThan(1.2 * Math.max(before, after)) // a machine that slows down does so for both
})

test('an exercise: three hints in turn, the answer only after trying or hints, solved by a real run', async () => {
  const slots = exercise('slots')
  await set('SLOTS', 2)
  await expect(now('ttft')).toHaveText(ms('22.00'))
  await slots.locator('> summary').click()
  await expect(slots.locator('.exercise-state')).toHaveText('chưa làm')
  await slots.getByRole('button', { name: 'Xem đáp án' }).click()
  await expect(slots.locator('.exercise-result')).toContainText('sau ba gợi ý')
  await slots.getByLabel('Giảm, rồi tăng lại một ít').check()
  for (const shown of [1, 2, 3]) {
    await slots.getByRole('button', { name: `Gợi ý ${shown}/3` }).click()
    await expect(slots.locator('.hints li')).toHaveCount(shown)
  }
  await slots.getByRole('link', { name: 'Mở SLOTS' }).click()
  await expect(page.locator('#number-SLOTS')).toBeFocused()
  await set('SLOTS', 4)
  await expect(slots.locator('.verdict-line')).toContainText(/Với SLOTS = 4, TTFT của C là 19\.80\sms/)
  await expect(slots.locator('.exercise-state')).toHaveText('đã thử 1 lần')
  await set('SLOTS', 3)
  await expect(slots.locator('.verdict-line')).toContainText(/Đạt\. Với SLOTS = 3, TTFT của C là 18\.60\sms/)
  await expect(slots.locator('.exercise-result')).toContainText('✓ Bạn đã đoán đúng')
  await expect(slots.locator('.exercise-state')).toHaveText('✓ xong')
  await expect(page.locator('.exercises-score')).toHaveText('1/6 bài xong.')
  await slots.getByRole('button', { name: 'Xem đáp án' }).click()
  await expect(slots.locator('.exercise-answer')).toContainText('SLOTS = 3')
  await expect(slots.locator('.exercise-answer .followed')).toHaveText(/^3\s*18\.60\sms/)
})

test('a check asked by hand says why a run does not count', async () => {
  const queue = exercise('queue_limit')
  await queue.locator('> summary').click()
  await queue.getByRole('button', { name: 'Kiểm tra lần chạy này' }).click()
  await expect(queue.locator('.exercise-result')).toContainText('Bài này chỉ đổi QUEUE_LIMIT')
})

for (const [name, viewport, colorScheme] of [['wide', { width: 1440, height: 900 }, 'dark'], ['middle', { width: 1024, height: 768 }, 'light'], ['phone', { width: 390, height: 844 }, 'light']]) {
  test(`everything open, ${name}, ${colorScheme}: no axe finding, no sideways scroll`, async () => {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('#strip')).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
    await noFindings(page, '#strip', '#changes', '#predict', '#exercises', '#block-11')
  })
}

test('on a phone the first figure that changed is in view, its link leads to the reasons, and letters twice as large fit', async () => {
  const inView = (id) => page.evaluate((name) => {
    const [one, view] = [`#strip [data-figure="${name}"]`, '#strip dl'].map((selector) => document.querySelector(selector).getBoundingClientRect())
    return one.left >= view.left - 1 && one.right <= view.right + 1
  }, id)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.locator('.places').getByText('Hằng số').click()
  await page.locator('.control-group').filter({ hasText: 'QUANT_BITS' }).locator('summary').click()
  await set('QUANT_BITS', 4)
  await expect(now('agreement')).toHaveText('33/40')
  await expect.poll(() => inView('agreement')).toBe(true)
  await lab('done')
  await page.getByRole('link', { name: 'Xem có gì đổi' }).click()
  await expect(page.locator('#changes')).toBeFocused()
  await expect(page.locator('.why')).toHaveText('Vì thế cổng chất lượng nay KHÔNG ĐẠT ngưỡng 95 % (trước: ĐẠT).')
  await set('QUANT_BITS', 8)
  await expect.poll(() => inView('agreement')).toBe(true)
  await set('SLOTS', 2)
  await expect(now('ttft')).toHaveText(ms('22.00'))
  await expect.poll(() => inView('served')).toBe(true)
  await page.evaluate(() => { document.documentElement.style.fontSize = '200%' })
  for (const place of ['Sơ đồ', 'Lab', 'Hằng số']) {
    await page.locator('.places').getByText(place).click()
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
  }
  expect(await page.locator('#reset').evaluate((button) => button.scrollWidth - button.clientWidth)).toBe(0)
  await page.evaluate(() => { document.documentElement.style.fontSize = '' })
  await set('SLOTS', 3)
  await expect(now('ttft')).toHaveText(ms('18.60'))
  await page.locator('.places').getByText('Lab').click()
})

test('guesses and exercises are there after a reload', async () => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.locator('#strip').getByRole('button', { name: 'Ghim làm mốc' }).click()
  await expect.poll(() => page.evaluate(() => Object.values(localStorage).some((text) => text.includes('turns') && text.includes('"name": "SLOTS 3"')))).toBe(true)
  await page.reload()
  await lab('ready')
  await expect(exercise('slots').locator('.exercise-state')).toHaveText('✓ xong')
  await expect(page.locator('.exercises-score')).toHaveText('1/6 bài xong.')
  await page.locator('#predict-fold > summary').click()
  await expect(question('wait').getByLabel('Rất lâu')).toBeChecked()
  await page.getByRole('button', { name: 'Chạy', exact: true }).click()
  await expect(page.locator('#strip .baseline')).toHaveText('so với mốc: SLOTS 3') // in a worker that never ran it
})
