// The panels' pictures: their figures against the report, exact values by pointer and keys, names.
import { expect, test } from '@playwright/test'

test.describe.configure({ mode: 'serial' })

let page
const panel = (number) => page.locator(`#block-${number}`)
const marks = (number, text) => panel(number).locator(`.picture-view svg [data-tip*="${text}"]`)
const tips = (number) => panel(number).locator('.picture-view').evaluateAll((views) => views.flatMap((view) => [...view.querySelectorAll('[data-tip]')].map((mark) => mark.dataset.tip)))

const allDrawn = () => page.evaluate(() => {
  const { key } = document.querySelector('#panels').dataset
  return [...document.querySelectorAll('.panel[open] .pictures')].every(({ dataset, classList }) => dataset.key === key && !classList.contains('is-old'))
})

test.beforeAll(async ({ browser }, { project }) => {
  const context = await browser.newContext({ baseURL: project.use.baseURL, viewport: { width: 1440, height: 900 } })
  page = await context.newPage()
  await page.goto('./')
  await expect(page.locator('html')).toHaveAttribute('data-lab', 'ready')
})

test.afterAll(() => page.context().close())

test('nothing is drawn, and nothing loaded for it, until a panel with a result is open', async () => {
  await page.getByRole('button', { name: 'Chạy', exact: true }).click()
  await expect(page.locator('html')).toHaveAttribute('data-lab', 'done')
  await expect(page.locator('.pictures')).toHaveCount(13)
  await expect(page.locator('.pictures > *')).toHaveCount(0)
  expect(await page.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => /pictures/.test(name)))).toBe(false)
  await panel(3).locator('> summary').click()
  await expect(panel(3).locator('figure.chart')).toHaveCount(1)
  await expect(page.locator('.pictures > *')).toHaveCount(1)
})

test('all thirteen have pictures, each with a name and a text alternative', async () => {
  await page.getByRole('button', { name: 'Mở tất cả' }).click()
  for (let number = 1; number <= 13; number++) {
    const pictures = panel(number).locator('figure.chart')
    await expect(pictures.first()).toBeVisible()
    for (const picture of await pictures.all()) {
      expect((await picture.getAttribute('aria-label')).length).toBeGreaterThan(8)
      const images = await picture.locator('svg[role="img"]').evaluateAll((found) => found.map((svg) => svg.getAttribute('aria-label')))
      const words = await picture.locator('.picture-alt').allTextContents()
      expect([...images, ...words][0].length).toBeGreaterThan(20)
    }
  }
})

test('of another result verdict, printout and strip come before the first picture, and no picture is left behind', async () => {
  await page.evaluate(() => {
    const { panels } = inferenceLab
    const { show, drawPictures } = panels
    const old = () => document.querySelectorAll('.pictures.is-old').length
    globalThis.waiting = []
    panels.show = () => {
      show()
      waiting.push(old())
      while (inferenceLab.left() > 0); // the slice is used up
    }
    panels.drawPictures = () => {
      waiting.push(old(), document.querySelector('#transcript').textContent.includes('3 chỗ chạy'))
      drawPictures()
    }
    globalThis.restore = () => Object.assign(panels, { show, drawPictures })
  })
  await page.locator('#number-SLOTS').fill('3')
  await page.locator('#number-SLOTS').press('Enter')
  await expect.poll(() => page.evaluate(() => waiting.length)).toBe(3)
  const [shown, drawing, printed] = await page.evaluate(() => waiting)
  expect(shown).toBeGreaterThan(3)
  expect([drawing, printed]).toEqual([shown, true])
  await expect.poll(allDrawn).toBe(true)
  await page.evaluate(() => restore())
  await page.locator('#number-SLOTS').fill('2')
  await page.locator('#number-SLOTS').press('Enter')
  await expect(page.locator('#transcript')).toContainText('2 chỗ chạy')
  await expect.poll(allDrawn).toBe(true)
})

test('pictures that were drawn before their result came are those that are drawn after it', async () => {
  const set = async (value) => {
    await page.locator('#number-TOKEN_BUDGET').fill(value)
    await page.locator('#number-TOKEN_BUDGET').press('Enter')
    await expect(page.locator('#transcript')).toContainText(`mỗi bước tối đa ${value} token`)
    await expect.poll(allDrawn).toBe(true)
  }
  const drawn = () => page.locator('.picture-view').evaluateAll((views) => views.map((view) => view.innerHTML))
  await page.evaluate(() => {
    globalThis.early = 0
    globalThis.madeAhead = []
    const { prepare } = inferenceLab.panels
    const { createElementNS } = Document.prototype
    inferenceLab.panels.prepare = (id, json) => {
      Document.prototype.createElementNS = function make(...of) {
        const node = createElementNS.apply(this, of)
        if (of[1] === 'svg') madeAhead.push(node)
        return node
      }
      prepare(id, json)
      Document.prototype.createElementNS = createElementNS
      early += 1
    }
  })
  await set('9')
  const ahead = await drawn()
  expect(await page.evaluate(() => [early, madeAhead.some((svg) => svg.isConnected)])).toEqual([1, true])
  await set('5')
  expect(await drawn()).not.toEqual(ahead)
  await page.getByRole('button', { name: 'Đóng tất cả' }).click()
  await set('9')
  await page.getByRole('button', { name: 'Mở tất cả' }).click()
  await expect.poll(allDrawn).toBe(true)
  expect(await page.evaluate(() => early)).toBe(2) // closed panels have none
  expect(await drawn()).toEqual(ahead)
  await page.locator('[data-constant="TOKEN_BUDGET"] .reset-one').click()
  await expect.poll(allDrawn).toBe(true)
})

test('figures are the report\'s', async () => {
  expect(await tips(3)).toEqual(expect.arrayContaining([
    'C · chờ chỗ chạy · 1.65 ms → 16.20 ms (14.55 ms)', 'C · bước 8 · prefill 5 token · 16.20 ms → 19.80 ms (3.60 ms)', 'C · token 1 lúc 23.00 ms']))
  expect(await tips(1)).toEqual(expect.arrayContaining([expect.stringContaining('D · đến 1.50 ms · xét 3.40 ms · đang có 3/3 · 429')]))
  expect(await tips(6)).toEqual(expect.arrayContaining(['13.80 ms → 16.20 ms · 7/12 block', 'block 3 · C giữ · 16.20 ms → 26.40 ms']))
  expect((await tips(7)).at(-1)).toBe('hết bước 12 · có cache 41 vị trí')
  expect(await tips(7)).toContain('hết bước 12 · không cache 197 vị trí')
  expect(await tips(11)).toEqual(expect.arrayContaining(['C · chuẩn bị đầu vào 0.65 ms', 'C · chờ chỗ chạy 14.55 ms', 'C · prefill 6.80 ms']))
  expect(await tips(13)).toHaveLength(40)
  await expect(panel(13)).toContainText('bước')
  expect((await tips(13)).filter((tip) => tip.includes('gốc hơn 0.0304 · bản nén hơn 0.0326'))).toHaveLength(1)
  const rows = await panel(11).locator('table').first().getByRole('row', { name: /^C/ }).innerText()
  expect(rows).toMatch(/650\s+14550\s+6800\s+22000/)
  for (const head of ['Head 0', 'Head 1']) expect((await tips(5)).filter((tip) => tip.startsWith(`${head} · `))).toHaveLength(81)
})

test('axes name their unit', async () => {
  for (const [block, unit] of [[3, 'ms mô phỏng'], [11, 'ms mô phỏng'], [5, 'logit']]) await expect(panel(block).locator('.picture-view svg', { hasText: unit }).first()).toBeVisible()
})

test('lengths are to scale', async () => {
  const box = async (text) => (await marks(11, text).first().boundingBox()).width
  expect((await box('C · chờ chỗ chạy 14.55 ms')) / (await box('C · prefill 6.80 ms'))).toBeCloseTo(14.55 / 6.8, 1)
})

test('arrow keys and the pointer read exact values', async () => {
  const view = panel(3).locator('.picture-view')
  const value = panel(3).locator('.picture-value')
  await view.focus()
  await page.keyboard.press('Home')
  await expect(value).toHaveText((await tips(3))[0])
  await page.keyboard.press('ArrowRight')
  await expect(value).toHaveText((await tips(3))[1])
  await page.keyboard.press('End')
  await expect(value).toHaveText((await tips(3)).at(-1))
  await expect(panel(3).locator('.is-current')).toHaveCount(1)
  const first = panel(11).locator('figure.chart').first()
  await first.locator('[data-tip="C · chờ chỗ chạy 14.55 ms"]').hover()
  await expect(first.locator('.picture-value')).toHaveText('C · chờ chỗ chạy 14.55 ms')
})

test('every picture has a table, made when it is opened', async () => {
  for (let number = 1; number <= 13; number++) {
    const pictures = await panel(number).locator('figure.chart:not(.is-memory)').all()
    for (const picture of pictures) await expect(picture.locator('.picture-table > summary')).toBeVisible()
  }
  await expect(page.locator('.pictures .picture-table table')).toHaveCount(0)
})

test('matrices and merges are tables of the same figures', async () => {
  const rows = (picture) => picture.locator('.picture-table tbody tr').evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)))
  const opened = async (picture) => {
    await picture.getByText('Bảng số liệu').click()
    await expect(picture.locator('.picture-table tbody tr').first()).toBeVisible()
    return rows(picture)
  }
  expect((await opened(panel(2).locator('figure.chart').first())).slice(0, 2)).toEqual([['từ 1', 'chưa gộp: từng ký tự', 'b a n </w>'], ['từ 1', 'n + </w>', 'b a n</w>']])

  const kv = await opened(panel(4).locator('figure.chart').first())
  expect(kv).toHaveLength(4 * 9)
  const [tip] = (await tips(4)).filter((text) => text.startsWith('V · head 1 · vị trí 5 o · chiều 2 · '))
  expect(kv.find(([name, position]) => name === 'V · head 1' && position === '5 o')[2 + 2]).toBe(tip.split(' · ').at(-1))

  const attention = await opened(panel(5).locator('figure.chart').first())
  expect(attention[0]).toEqual(['Head 0', '0 <bos>', '1.000', ...Array(8).fill('–')])
  const report = await panel(5).locator('.tables table').first().locator('tbody tr').evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)))
  expect(attention.filter(([, position]) => position === '8 model</w>').map((row) => row.slice(2))).toEqual([2, 3].map((column) => report.slice(0, 9).map((row) => row[column])))

  const weights = panel(9).locator('figure.chart.is-heat')
  expect(await opened(weights)).toHaveLength(3 * 8)
  await weights.getByRole('combobox').selectOption({ label: 'lm_head' })
  await expect(weights.locator('.picture-table thead th')).toHaveCount(2 + 16) // at most so many of its 22 columns
  const [first] = await rows(weights)
  expect(await tips(9)).toContain(`Gốc · hàng 0 · cột 0 · ${first[2]}`)
})

test('the table beside a picture says the same', async () => {
  await panel(6).locator('figure.chart').first().getByText('Bảng số liệu').click()
  await expect(panel(6).locator('.picture-table tbody tr').first()).toHaveText(/0\s*A\s*0\.50 ms\s*24\.20 ms/)
  const [table, picture] = await panel(6).locator('.picture-table[open] .table-scroll').first().evaluate((node) => [node.clientWidth, node.closest('figure').clientWidth])
  expect(table).toBe(picture) // all the room there is
})

test('each token of C has its choice, one after another', async () => {
  const first = panel(8).locator('figure.chart').first()
  const before = await first.locator('.picture-view').innerHTML()
  const wide = await first.locator('.picture-view svg').first().getAttribute('width')
  const then = await first.evaluate((figure) => {
    dispatchEvent(new Event('resize')) // to no other width
    figure.querySelector('[aria-label="Phần sau"]').click()
    return figure.querySelector('.picture-view svg').getAttribute('width')
  })
  expect(then).toBe(wide)
  await expect(first.getByRole('combobox')).toHaveValue('1')
  expect(await first.locator('.picture-view').innerHTML()).not.toBe(before)
})

test('the calculator asks the engine, and a bad number is named', async () => {
  const calculator = panel(10).locator('.is-memory')
  await expect(calculator.locator('.memory-answer')).toContainText('0.50 GiB')
  await calculator.getByRole('combobox').selectOption({ label: 'Llama 3 8B' })
  await expect(calculator.locator('.memory-answer')).toContainText('131072 byte')
  await calculator.getByRole('spinbutton', { name: 'Số lớp' }).fill('0')
  await expect(calculator.locator('.memory-answer')).toContainText('Số lớp = 0: cần số nguyên từ 1')
  await calculator.getByRole('spinbutton', { name: 'Số lớp' }).fill('32')
})

// Each: who is followed, TTFT's last part, cells of K and V (2 × 2 heads × tokens × 4), positions that both heads saw, places of choices.
for (const [id, prefill, kv, seen, tokens] of [['A', '2.90 ms', 96, 36, 6], ['B', '9.20 ms', 176, 121, 11]]) {
  test(`${id} is followed in every picture`, async () => {
    await follow(id)
    await expect(panel(2).locator('figcaption').first()).toHaveText(`Từ văn bản của ${id} tới ID`)
    await expect(panel(4).locator('figcaption').first()).toContainText(`K và V của ${id} trong cache`)
    expect((await tips(4)).filter((tip) => /^[KV] · head [01] · /.test(tip))).toHaveLength(kv)
    expect((await tips(5)).filter((tip) => /^Head [01] · /.test(tip))).toHaveLength(2 * seen)
    expect((await tips(5)).filter((tip) => /^head [01] · vị trí /.test(tip))).toHaveLength(2 * tokens)
    await expect(panel(8).locator('figure.chart > figcaption')).toHaveText([`Xác suất của ${id} trước và sau khi lọc`, `Token của ${id} trên đồng hồ`])
    expect(await tips(11)).toContain(`${id} · prefill ${prefill}`)
    for (const number of [1, 2, 3, 6, 8, 11, 12]) expect(await strong(number), `panel ${number}`).toEqual(expect.arrayContaining([expect.stringMatching(`^${id}( |$)`)]))
    for (const number of [1, 2, 3, 11]) expect(new Set(await strong(number)), `panel ${number}`).not.toContain('C')
  })
}

for (const [id, code] of [['D', '429'], ['E', '400']]) {
  test(`${id}, refused with ${code}, is followed in every picture that it has, and the others say why they have none`, async () => {
    await follow(id)
    await expect(panel(2).locator('figcaption').first()).toHaveText(`Từ văn bản của ${id} tới ID`)
    for (const number of [4, 5, 8]) {
      await expect(panel(number).locator('figure.chart')).toHaveCount(0)
      await expect(panel(number)).toContainText(`Yêu cầu ${id} bị từ chối với mã ${code}`)
    }
    for (const number of [1, 3]) expect(await strong(number), `panel ${number}`).toContain(id)
    for (const number of [6, 7, 9, 10, 11, 12, 13]) await expect(panel(number).locator('figure.chart').first()).toBeVisible()
  })
}

/** Another request in the table; resolves when every picture is of the run that follows. */
async function follow(id) {
  const shown = () => page.locator('#panels').getAttribute('data-key')
  const before = await shown()
  await page.locator('.requests-fold').evaluate((fold) => { fold.open = true })
  await page.getByRole('radio', { name: `Theo dõi yêu cầu ${id}` }).check()
  await expect.poll(shown).not.toBe(before)
  await expect(page.locator('html')).toHaveAttribute('data-lab', 'done')
  await expect.poll(() => page.evaluate(() => [...document.querySelectorAll('.pictures')].filter((place) => place.dataset.key !== document.getElementById('panels').dataset.key || place.matches('.is-old')).length)).toBe(0)
}

/** The words in a panel's pictures that are set in bold weight as only the followed request's are. */
const strong = (number) => panel(number).locator('.picture-view svg [font-weight="700"] text, .picture-view .is-strong > .block-owner').allTextContents()
