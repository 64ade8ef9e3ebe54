// The architecture diagram against its data: every cell by mouse, keyboard and touch, the arrows' ends, focus, zoom, overlay,
// the other topology, and figures that equal those of the panels. Checks that need one page share one.
import { readFileSync } from 'node:fs'
import AxeBuilder from '@axe-core/playwright'
import { expect, test } from '@playwright/test'

const read = (name) => JSON.parse(readFileSync(new URL(`../../static/data/${name}.json`, import.meta.url), 'utf8'))
const architecture = read('architecture')
const blocks = read('blocks')
const CELLS = [...architecture.layers.flatMap(({ cells }) => cells), ...architecture.cards.cells]
const BLOCK_OF = Object.fromEntries(blocks.map((block) => [block.cell, block]))
const WIDTHS = { wide: { width: 1440, height: 900 }, middle: { width: 1024, height: 768 }, phone: { width: 390, height: 844 } }

const cell = (page, id) => page.locator(`[data-cell="${id}"]`)
const pop = (page) => page.locator('#pop')
const lab = (page, state) => expect(page.locator('html')).toHaveAttribute('data-lab', state, { timeout: 60_000 })

/** The diagram lives when it answers: it comes to life after the buttons. */
async function alive(page) {
  await page.goto('./')
  await page.waitForFunction(() => document.querySelector('#picture').dataset.alive === 'true')
}

async function run(page) {
  await page.getByRole('button', { name: 'Chạy', exact: true }).click()
  await lab(page, 'done')
}

/** Of the note that is shown: its text, whether it lies on its cell, whether it leaves the window. */
const shownNote = (page, id) =>
  page.evaluate((id) => {
    const note = document.querySelector('#pop')
    if (note.hidden) return null
    const a = note.getBoundingClientRect()
    const b = document.querySelector(`[data-cell="${id}"] .cell-frame`).getBoundingClientRect()
    return {
      title: note.querySelector('.pop-title a').textContent,
      facts: [...note.querySelectorAll('dd')].filter((fact) => fact.offsetParent).length,
      covers: a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top,
      inside: a.left >= 0 && a.right <= innerWidth && a.top >= 0 && a.bottom <= innerHeight,
    }
  }, id)

const noteOf = ({ id, name }) => ({ title: `${id.replace('-', '·')} ${name}`, facts: 5, covers: false, inside: true })

async function noFindings(page) {
  const { violations } = await new AxeBuilder({ page }).include('#diagram').include('#about').analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`)).toEqual([])
}

const litCells = (page) => page.evaluate(() => [...document.querySelectorAll('.cell.is-lit')].map((one) => one.dataset.cell).sort())
const viewBox = (page) => page.evaluate(() => document.querySelector('#picture').getAttribute('viewBox').split(' ').map(Number))

test('the data: 21 cells and four cards, texts of 80 to 150 words with a source, arrows between cells', async ({ page }) => {
  expect(CELLS).toHaveLength(25)
  for (const { id, text, sources, ...facts } of CELLS) {
    for (const fact of ['takes', 'does', 'gives', 'moves', 'lab']) expect(facts[fact], `${id} ${fact}`).toBeTruthy()
    const words = text.join(' ').split(/\s+/).length
    expect(words, id).toBeGreaterThanOrEqual(80)
    expect(words, id).toBeLessThanOrEqual(150)
    expect(sources.length, id).toBeGreaterThan(0)
  }

  await page.goto('./')
  for (const { id } of CELLS) await expect(cell(page, id)).toHaveCount(1)
  const ends = await page.evaluate(() =>
    [...document.querySelectorAll('.arrows .arrow')].map((arrow) => {
      const box = (id) => document.querySelector(`[data-cell="${id}"] .cell-frame`).getBBox()
      const onEdge = (point, { x, y, width, height }) =>
        Math.min(Math.abs(point.x - x), Math.abs(point.x - x - width), Math.abs(point.y - y), Math.abs(point.y - y - height)) < 0.1 &&
        point.x >= x - 0.1 && point.x <= x + width + 0.1 && point.y >= y - 0.1 && point.y <= y + height + 0.1
      const start = arrow.querySelector('.arrow-line').getPointAtLength(0)
      const tip = arrow.querySelector('.arrow-head').getPointAtLength(0)
      return onEdge(start, box(arrow.dataset.from)) && onEdge(tip, box(arrow.dataset.to))
    })
  )
  expect(ends).toEqual(architecture.arrows.map(() => true))
})

test('every cell and card shows its note under the mouse, beside itself and in the window', async ({ page }) => {
  await alive(page)
  const notes = []
  for (const one of CELLS) {
    const { x, y, width, height } = await cell(page, one.id).locator('.cell-frame').boundingBox()
    await page.mouse.move(x + width / 2, y + height / 2)
    await expect.poll(() => shownNote(page, one.id).then((note) => note?.title), { intervals: [20] }).toBe(noteOf(one).title)
    notes.push(await shownNote(page, one.id))
    await page.keyboard.press('Escape')
    await expect(pop(page)).toBeHidden()
  }
  expect(notes).toEqual(CELLS.map(noteOf))

  await cell(page, 'L2-5').hover()
  await expect(pop(page)).toBeVisible()
  await pop(page).hover() // it stays under the pointer
  await page.waitForFunction(() => new Promise((resolve) => setTimeout(() => resolve(true), 400)))
  await expect(pop(page)).toBeVisible()
  await page.mouse.move(1000, 400)
  await expect(pop(page)).toBeHidden()
})

test('the keyboard: one tab stop, the flow, its ends; Enter opens the panel or the text', async ({ page }) => {
  await alive(page)
  expect(await page.locator('#picture [tabindex="0"]').count()).toBe(1)
  await page.locator('#fit').focus()
  await page.keyboard.press('Tab')
  await expect(cell(page, architecture.flow[0])).toBeFocused()
  await page.keyboard.press('End')
  await expect(cell(page, architecture.flow.at(-1))).toBeFocused()
  await page.keyboard.press('Home')
  for (const [i, id] of architecture.flow.entries()) {
    if (i) await page.keyboard.press('ArrowRight')
    const one = CELLS.find((each) => each.id === id)
    await expect(cell(page, id)).toBeFocused()
    expect(await shownNote(page, id), id).toEqual(noteOf(one))
    expect(await cell(page, id).locator('.cell-ring').evaluate((ring) => getComputedStyle(ring).stroke), id).not.toBe('none')
    await page.keyboard.press('Enter')
    if (BLOCK_OF[id]) {
      await expect(page.locator(`#${BLOCK_OF[id].id} > summary`)).toBeFocused()
      await expect(page.locator(`#${BLOCK_OF[id].id}`)).toHaveAttribute('open', '')
      await expect(cell(page, id)).toHaveAttribute('aria-current', 'true')
      await cell(page, id).focus()
    } else {
      await expect(page.getByRole('dialog')).toContainText(one.text[0].slice(0, 30))
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
      await expect(cell(page, id)).toBeFocused()
    }
  }
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await expect(cell(page, 'L2-1')).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(cell(page, 'L1-1')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(pop(page).locator('a').first()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(pop(page)).toBeHidden()
  await expect(cell(page, 'L1-1')).toBeFocused()
  expect(await page.locator('#picture [tabindex="0"]').count()).toBe(1)
})

test('the text of a cell with a panel is reached from its note and from its panel', async ({ page }) => {
  await alive(page)
  const text = CELLS.find(({ id }) => id === 'L2-7').text[1]
  await cell(page, 'L2-7').hover()
  await pop(page).getByRole('link', { name: 'Đọc bài về ô này' }).click()
  await expect(page.getByRole('dialog')).toContainText(text)
  await page.getByRole('link', { name: 'Mở khối 6 · KV state manager' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.locator('#block-6 > summary')).toBeFocused()
  await page.locator('#block-6').getByRole('link', { name: /^Về ô L2·7/ }).click()
  await expect(page.getByRole('dialog')).toContainText(text)
  await page.getByRole('button', { name: 'Đóng', exact: true }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('focus, zoom, overlay and topology', async ({ page }) => {
  await alive(page)
  const [width, height] = architecture.size
  for (const { id, label, cells, why } of architecture.focus) {
    const button = page.getByRole('button', { name: label, exact: true })
    await button.click()
    await expect(button).toHaveAttribute('aria-pressed', 'true')
    expect(await litCells(page), id).toEqual([...cells].sort())
    await expect(page.locator('#diagram-note')).toContainText(why)
    expect(await page.locator('[data-focus][aria-pressed="true"]').count()).toBe(1)
  }
  await page.getByRole('button', { name: 'Scale', exact: true }).click()
  expect(await litCells(page)).toEqual([])

  const fit = page.getByRole('button', { name: 'Vừa khung' })
  await cell(page, 'L2-5').hover()
  await page.mouse.wheel(0, 40) // scrolls the page, not the drawing
  expect(await viewBox(page)).toEqual([0, 0, width, height])
  await cell(page, 'L2-5').hover()
  await page.keyboard.down('Control')
  await page.mouse.wheel(0, -100)
  await page.keyboard.up('Control')
  await expect.poll(async () => (await viewBox(page))[2]).toBeLessThan(width)
  const before = await viewBox(page)
  const { x, y } = await page.locator('#picture').boundingBox()
  await page.mouse.move(x + 200, y + 300)
  await page.mouse.down()
  await page.mouse.move(x + 150, y + 260, { steps: 3 })
  await page.mouse.up()
  const panned = await viewBox(page)
  expect(panned[0]).toBeGreaterThan(before[0])
  expect(panned[1]).toBeGreaterThan(before[1])
  await expect(page.getByRole('dialog')).toBeHidden() // a drag is not a press
  await fit.click()
  expect(await viewBox(page)).toEqual([0, 0, width, height])
  await page.getByRole('button', { name: 'Phóng to' }).click()
  expect((await viewBox(page))[2]).toBeLessThan(width)
  await page.getByRole('button', { name: 'Thu nhỏ' }).click()
  expect(await viewBox(page)).toEqual([0, 0, width, height])
  await cell(page, 'L1-1').focus()
  for (const key of ['+', '+', 'End']) await page.keyboard.press(key)
  const inView = await cell(page, 'X-4').locator('.cell-frame').evaluate((frame) => {
    const [a, b] = [frame.getBoundingClientRect(), document.querySelector('#picture').getBoundingClientRect()]
    return a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom
  })
  expect(inView).toBe(true)
  await page.keyboard.press('0')
  expect(await viewBox(page)).toEqual([0, 0, width, height])

  const overlay = page.getByRole('switch', { name: 'Overlay' })
  const stroke = () => cell(page, 'L2-7').locator('.cell-frame').evaluate((frame) => getComputedStyle(frame).stroke)
  await overlay.press('Space')
  expect(await stroke()).toBe('rgba(0, 0, 0, 0)')
  await cell(page, 'L2-7').hover()
  await page.waitForFunction(() => new Promise((resolve) => setTimeout(() => resolve(true), 250)))
  await expect(pop(page)).toBeHidden()
  await overlay.press('Space')
  expect(await stroke()).not.toBe('rgba(0, 0, 0, 0)')

  const shown = () => page.evaluate(() => [...document.querySelectorAll('.arrows .arrow')].filter((arrow) => getComputedStyle(arrow).display !== 'none').map(({ dataset }) => `${dataset.from} → ${dataset.to}`).sort())
  const expected = (topology) => architecture.arrows.filter((arrow) => (arrow.topology ?? topology) === topology).map(({ from, to }) => `${from} → ${to}`).sort()
  expect(await shown()).toEqual(expected('together'))
  await page.getByText('Tách hai cụm', { exact: true }).click()
  expect(await shown()).toEqual(expected('apart'))
  const apart = architecture.topologies.find(({ id }) => id === 'apart')
  await expect(page.locator('#diagram-note')).toContainText(apart.summary)
  await expect(page.locator('#trade')).toContainText(apart.buys)
  await expect(page.locator('#trade')).toContainText(apart.costs)
})

test('figures on cells are those of the panels, after a run and a changed run; old is marked, Đặt lại clears', async ({ page }) => {
  await alive(page)
  const figures = () => page.evaluate((blocks) => blocks.map(({ id, cell }) => [document.querySelector(`#${id} .panel-figure`).textContent, document.querySelector(`[data-cell="${cell}"] .cell-figure`).textContent]), blocks)
  const overflowing = () => page.evaluate(() =>
    [...document.querySelectorAll('.cell')].flatMap((cell) => {
      const frame = cell.querySelector('.cell-frame').getBoundingClientRect()
      return [...cell.querySelectorAll('text')].filter((text) => {
        const box = text.getBoundingClientRect()
        return box.width > 0 && (box.left < frame.left || box.right > frame.right || box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
      }).map((text) => `${cell.dataset.cell}: ${text.textContent}`)
    })
  )
  await lab(page, 'ready')
  await run(page)
  const first = await figures()
  for (const [panel, onCell] of first) expect(onCell).toBe(panel)
  expect(first[5][1]).toBe('cao điểm 7/12')
  expect(await overflowing()).toEqual([])

  const ask = (constants) => page.evaluate((constants) => {
    inferenceLab.honest ??= inferenceLab.request
    inferenceLab.request = (command, json) => inferenceLab.honest(command, command === 'run' ? JSON.stringify({ constants }) : json)
  }, constants)
  await ask({ POOL_BLOCKS: 30, QUEUE_LIMIT: 3 })
  await page.getByRole('button', { name: 'Chạy', exact: true }).click()
  await expect(page.locator('#block-6 .panel-figure')).toContainText('/30')
  await lab(page, 'done')
  const second = await figures()
  expect(second).not.toEqual(first)
  for (const [panel, onCell] of second) expect(onCell).toBe(panel)
  await page.addStyleTag({ content: 'html { font-size: 200% }' })
  expect(await overflowing()).toEqual([])

  await ask({ SLOTS: 0 })
  await page.getByRole('button', { name: 'Chạy', exact: true }).click()
  await lab(page, 'error')
  expect(await cell(page, 'L2-7').locator('.cell-figure').evaluate((text) => getComputedStyle(text).fontStyle)).toBe('italic')
  await expect(page.getByText('Số trên ô là của lần chạy trước.')).toBeVisible()
  await page.getByRole('button', { name: 'Đặt lại' }).click()
  await lab(page, 'ready')
  expect((await figures()).flat().join('')).toBe('')
})

test.describe('by touch, on a phone', () => {
  test.use({ viewport: WIDTHS.phone, hasTouch: true })

  test('every cell opens as a sheet that leaves it in view; the second touch opens the panel', async ({ page }) => {
    await alive(page)
    await page.getByText('Sơ đồ', { exact: true }).first().tap()
    for (const one of CELLS) {
      await cell(page, one.id).tap()
      await expect.poll(() => shownNote(page, one.id), { message: one.id }).toEqual(noteOf(one))
    }
    await noFindings(page)
    await pop(page).getByRole('button', { name: 'Đóng' }).tap()
    await expect(pop(page)).toBeHidden()
    await cell(page, 'L2-1').tap()
    await cell(page, 'L2-1').tap()
    await expect(page.locator('#block-3 > summary')).toBeFocused()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
  })
})

test('the strip between the widths shows the labels, and opens to full size', async ({ page }) => {
  await page.setViewportSize(WIDTHS.middle)
  await alive(page)
  const height = () => page.locator('#picture').evaluate((picture) => picture.getBoundingClientRect().height)
  expect(await height()).toBeLessThan(320)
  await cell(page, 'L2-8').hover()
  await expect.poll(() => shownNote(page, 'L2-8')).toEqual(noteOf(CELLS.find(({ id }) => id === 'L2-8')))
  await page.getByText('Mở đủ cỡ').click()
  expect(await height()).toBeGreaterThan(600)
})

for (const colorScheme of ['light', 'dark']) {
  test(`no axe finding in any state, ${colorScheme}`, async ({ page }) => {
    test.slow()
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await alive(page)
    await page.getByRole('button', { name: 'TPOT', exact: true }).click()
    await cell(page, 'L1-2').focus()
    await page.keyboard.press('ArrowRight')
    await expect(pop(page)).toBeVisible()
    await noFindings(page)
    await page.keyboard.press('Escape')
    await page.getByText('Tách hai cụm', { exact: true }).click()
    if (colorScheme === 'light') await page.locator('.about-diagram > summary').click() // the same colours as elsewhere, and many
    await page.getByRole('switch', { name: 'Overlay' }).press('Space')
    await noFindings(page)
    await cell(page, 'L1-2').click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await noFindings(page)
  })
}

test('forced colours keep cells, arrows and the focus apart from the page', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await alive(page)
  const paint = (selector, property) => page.locator(selector).first().evaluate((node, name) => getComputedStyle(node)[name], property)
  expect(await paint('[data-cell="L2-7"] .cell-frame', 'stroke')).not.toBe(await paint('[data-cell="L2-7"] .cell-frame', 'fill'))
  await page.getByRole('button', { name: 'TTFT', exact: true }).click()
  expect(await paint('[data-cell="L2-7"] .cell-frame', 'strokeWidth')).toBe('4px')
})

test.describe('scripts blocked', () => {
  test.use({ javaScriptEnabled: false })

  test('the drawing is in the page, and every cell leads to its text', async ({ page }) => {
    await page.goto('./')
    await expect(page.getByRole('link', { name: /^L2·7 KV cache/ })).toBeVisible()
    await page.getByText('Cách đọc, bài ngắn của từng ô').click()
    await expect(page.locator('#text-L1-2')).toContainText(CELLS.find(({ id }) => id === 'L1-2').text[0])
    await expect(page.locator('article.about')).toHaveCount(25)
  })
})
