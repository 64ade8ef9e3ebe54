// The architecture diagram against its data: every cell by mouse, keyboard and touch, the arrows' ends, focus, zoom, overlay,
// the other topology, what arrows say, and figures that equal those of the panels. Checks that need one page share one.
import { readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { noFindings } from './axe.js'

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

/** As it was when it came: nothing open, nothing zoomed, the pointer nowhere. */
async function rest(page) {
  await page.setViewportSize(WIDTHS.wide)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'no-preference', forcedColors: 'none' })
  await page.mouse.move(0, 0)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Vừa khung' }).click()
  await page.getByText('Chung một cụm', { exact: true }).click()
  await page.evaluate((first) => {
    const cell = document.querySelector(`[data-cell="${first}"]`)
    cell.focus()
    cell.blur()
    for (const panel of document.querySelectorAll('.panel')) panel.open = false
    scrollTo(0, 0)
  }, architecture.flow[0])
  await expect(pop(page)).toBeHidden()
}

async function run(page) {
  await page.getByRole('button', { name: 'Chạy', exact: true }).click()
  await lab(page, 'done')
}

/** Of the note that is shown: its text, whether it lies on what is seen of its cell, whether it leaves the window. */
const shownNote = (page, id) =>
  page.evaluate((id) => {
    const note = document.querySelector('#pop')
    if (note.hidden) return null
    const a = note.getBoundingClientRect()
    const whole = document.querySelector(`[data-cell="${id}"] .cell-frame`).getBoundingClientRect()
    const frame = document.querySelector('#picture').parentElement.getBoundingClientRect()
    const b = { left: Math.max(whole.left, frame.left), right: Math.min(whole.right, frame.right), top: Math.max(whole.top, frame.top), bottom: Math.min(whole.bottom, frame.bottom) }
    return {
      title: note.querySelector('.pop-title a').textContent,
      facts: [...note.querySelectorAll('dd')].filter((fact) => fact.offsetParent).length,
      covers: a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top,
      inside: a.left >= 0 && a.right <= innerWidth && a.top >= 0 && a.bottom <= innerHeight,
    }
  }, id)

const noteOf = ({ id, name }) => ({ title: `${id.replace('-', '·')} ${name}`, facts: 5, covers: false, inside: true })

const litCells = (page) => page.evaluate(() => [...document.querySelectorAll('.cell.is-lit')].map((one) => one.dataset.cell).sort())
const viewBox = (page) => page.evaluate(() => document.querySelector('#picture').getAttribute('viewBox').split(' ').map(Number))

/** Words of the drawing that lie on a cell, on other words or on a line, and arrows that say nothing. */
const faultsOfWords = (page) =>
  page.evaluate(() => {
    const picture = document.querySelector('#picture')
    const units = picture.getScreenCTM()
    const seen = (node) => node.checkVisibility() && node.getBoundingClientRect().width > 0
    const boxOf = (text) => {
      const inUnits = [text.getExtentOfChar(0), text.getExtentOfChar(text.getNumberOfChars() - 1)]
      const [a, b] = [new DOMPoint(inUnits[0].x, inUnits[0].y), new DOMPoint(inUnits[1].x + inUnits[1].width, inUnits[1].y + inUnits[1].height)].map((point) => point.matrixTransform(units))
      const room = (b.y - a.y) / 5 // a line of type is higher than its letters
      return { left: a.x, right: b.x, top: a.y + room, bottom: b.y - room / 2 }
    }
    const meet = (a, b) => a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top
    const words = [...picture.querySelectorAll('.arrows tspan, .band-name, .pool text, .legend text')].filter(seen).map((node) => [node.textContent, boxOf(node)])
    const cells = [...picture.querySelectorAll('.cell-frame')].map((frame) => [frame.parentNode.dataset.cell, frame.getBoundingClientRect()])
    const arrows = [...picture.querySelectorAll('.arrows .arrow')].filter(seen)
    const lines = arrows.map((arrow) => {
      const { from, to } = arrow.dataset
      const line = arrow.querySelector('.arrow-line')
      const half = (parseFloat(getComputedStyle(line).strokeWidth) / 2) * units.a
      return { from, to, half, points: Array.from({ length: Math.ceil(line.getTotalLength()) }, (_, at) => line.getPointAtLength(at).matrixTransform(units)) }
    })
    const faults = arrows.filter((arrow) => ![...arrow.querySelectorAll('tspan')].some(seen)).map(({ dataset }) => `${dataset.from} → ${dataset.to} says nothing`)
    for (const [i, [text, box]] of words.entries()) {
      faults.push(...cells.filter(([, cell]) => meet(box, cell)).map(([id]) => `«${text}» lies on ${id}`))
      faults.push(...words.slice(i + 1).filter(([, other]) => meet(box, other)).map(([other]) => `«${text}» lies on «${other}»`))
      for (const { from, to, half, points } of lines) {
        if (points.some(({ x, y }) => meet(box, { left: x - half, right: x + half, top: y - half, bottom: y + half }))) faults.push(`«${text}» lies on ${from} → ${to}`)
      }
    }
    return faults
  })

/** Texts of cells that leave their cell. */
const overflowing = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.cell')].flatMap((cell) => {
      const frame = cell.querySelector('.cell-frame').getBoundingClientRect()
      return [...cell.querySelectorAll('text')]
        .filter((text) => {
          const box = text.getBoundingClientRect()
          return box.width > 0 && (box.left < frame.left || box.right > frame.right || box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
        })
        .map((text) => `${cell.dataset.cell}: ${text.textContent}`)
    })
  )

/** The smallest type of the drawing that is shown, in pixels of the screen. */
const smallestType = (page) =>
  page.evaluate(() => {
    const scale = document.querySelector('#picture').getScreenCTM().a
    const sizes = [...document.querySelectorAll('#picture text')].filter((text) => text.checkVisibility() && text.textContent).map((text) => parseFloat(getComputedStyle(text).fontSize) * scale)
    return Math.min(...sizes)
  })

test.describe('on a wide screen', () => {
  let page
  test.beforeAll(async ({ browser }) => {
    page = await (await browser.newContext({ viewport: WIDTHS.wide })).newPage() // axe asks for a context
    await alive(page)
  })
  test.afterAll(() => page.context().close())
  test.beforeEach(() => rest(page))

  test('the data: 21 cells and four cards, texts of 80 to 150 words with a source, arrows between cells', async () => {
    expect(CELLS).toHaveLength(25)
    for (const { id, text, sources, ...facts } of CELLS) {
      for (const fact of ['takes', 'does', 'gives', 'moves', 'lab']) expect(facts[fact], `${id} ${fact}`).toBeTruthy()
      const words = text.join(' ').split(/\s+/).length
      expect(words, id).toBeGreaterThanOrEqual(80)
      expect(words, id).toBeLessThanOrEqual(150)
      expect(sources.length, id).toBeGreaterThan(0)
    }

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
    for (const { from, to, topology } of architecture.arrows) {
      await expect(page.locator(`.arrows .arrow[data-from="${from}"][data-to="${to}"]${topology ? `[data-in="${topology}"]` : ':not([data-in])'} > .arrow-line`)).toHaveCount(1)
    }
  })

  test('every arrow says what it carries, its words lie on nothing else, and the drawing fills its frame', async () => {
    expect(await faultsOfWords(page)).toEqual([])
    await page.getByText('Tách hai cụm', { exact: true }).click()
    expect(await faultsOfWords(page)).toEqual([])
    expect(await overflowing(page)).toEqual([])
    const [drawn, frame] = await page.evaluate(() => [document.querySelector('.bands').getBoundingClientRect().width, document.querySelector('.frame').clientWidth])
    expect(drawn / frame).toBeGreaterThan(0.93)
    expect(await smallestType(page)).toBeGreaterThan(11)
  })

  test('every cell and card shows its note under the mouse, beside itself and in the window', async () => {
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

  test('in the nearest view a note lies on nothing that is seen of its cell', async () => {
    await cell(page, architecture.flow[0]).focus()
    for (const key of ['End', 'Home', ...'+++++++']) await page.keyboard.press(key) // a note opens for the keyboard's focus
    expect((await viewBox(page))[2]).toBe(architecture.size[0] / 5)
    for (const [i, id] of architecture.flow.entries()) {
      if (i) await page.keyboard.press('ArrowRight')
      await expect.poll(() => shownNote(page, id), { message: id }).toEqual(noteOf(CELLS.find((one) => one.id === id)))
    }
    await page.keyboard.press('0')
  })

  test('an address opens its panel, also the next one and the one before; the text of a cell gives way', async () => {
    const open = (id) => expect(page.locator(`#${id} > summary`)).toBeFocused()
    await page.evaluate(() => { location.hash = '#block-7' })
    await open('block-7')
    await expect(cell(page, 'L2-4')).toHaveAttribute('aria-current', 'true')
    await cell(page, 'L1-2').click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.evaluate(() => { location.hash = '#block-9' })
    await open('block-9')
    await expect(page.getByRole('dialog')).toBeHidden()
    await page.locator('#block-7').evaluate((panel) => { panel.open = false })
    await page.goBack()
    await open('block-7')
    await expect(page.locator('#block-7')).toHaveAttribute('open', '')
  })

  test('the keyboard: one tab stop, the flow, its ends; Enter opens the panel or the text', async () => {
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

  test('the text of a cell with a panel is reached from its note and from its panel', async () => {
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

  test('focus, zoom, overlay and topology', async () => {
    const [width, height] = architecture.size
    for (const { id, label, cells, why } of architecture.focus) {
      const button = page.getByRole('button', { name: label, exact: true })
      await button.click()
      await expect(button).toHaveAttribute('aria-pressed', 'true')
      expect(await litCells(page), id).toEqual([...cells].sort())
      await expect(page.locator('#diagram-note')).toContainText(why)
      const standingOut = await page.evaluate(() => [...document.querySelectorAll('.arrows path:not(.arrow-halo)')].filter((path) => getComputedStyle(path).opacity === '1').map(({ parentNode: { dataset } }) => [dataset.from, dataset.to]))
      for (const ends of standingOut) for (const end of ends) expect(cells).toContain(end)
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

  test('paper gets the whole drawing, however near it stands', async () => {
    await page.getByRole('button', { name: 'Phóng to' }).click()
    await page.pdf()
    expect(await viewBox(page)).toEqual([0, 0, ...architecture.size])
  })

  test('the strip between the widths shows the labels, and opens to full size', async () => {
    await page.setViewportSize(WIDTHS.middle)
    const height = () => page.locator('#picture').evaluate((picture) => picture.getBoundingClientRect().height)
    await expect.poll(height).toBeLessThan(320)
    await cell(page, 'L2-8').hover()
    await expect.poll(() => shownNote(page, 'L2-8')).toEqual(noteOf(CELLS.find(({ id }) => id === 'L2-8')))
    await page.keyboard.press('Escape')
    await page.getByText('Mở đủ cỡ').click()
    await expect.poll(height).toBeGreaterThan(600)
    await page.getByText('Mở đủ cỡ').click()
    await expect.poll(height).toBeLessThan(320)
  })

  test('no axe finding in any state, in light and dark', async () => {
    test.slow()
    const inBothColours = async (state) => {
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await test.step(`${state}, ${colorScheme}`, () => noFindings(page, '#diagram', '#about'))
      }
    }
    const [lens, overlay, about] = [page.getByRole('button', { name: 'TPOT', exact: true }), page.getByRole('switch', { name: 'Overlay' }), page.locator('.about-diagram > summary')]
    await lens.click()
    await cell(page, 'L1-2').focus()
    await page.keyboard.press('ArrowRight')
    await expect(pop(page)).toBeVisible()
    await inBothColours('a note')
    await page.keyboard.press('Escape')
    await page.getByText('Tách hai cụm', { exact: true }).click()
    await overlay.press('Space')
    await inBothColours('apart, without overlay')
    await page.emulateMedia({ colorScheme: 'light' })
    await about.click() // the same colours as elsewhere, and many
    await noFindings(page, '#diagram', '#about')
    await about.click()
    await cell(page, 'L1-2').click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await inBothColours('a text')
    await page.keyboard.press('Escape')
    await overlay.press('Space')
    await lens.click()
  })

  test('forced colours keep cells, arrows and the focus apart from the page', async () => {
    await page.emulateMedia({ forcedColors: 'active' })
    const paint = (selector, property) => page.locator(selector).first().evaluate((node, name) => getComputedStyle(node)[name], property)
    expect(await paint('[data-cell="L2-7"] .cell-frame', 'stroke')).not.toBe(await paint('[data-cell="L2-7"] .cell-frame', 'fill'))
    const lens = page.getByRole('button', { name: 'TTFT', exact: true })
    await lens.click()
    expect(await paint('[data-cell="L2-7"] .cell-frame', 'strokeWidth')).toBe('4px')
    await lens.click()
  })

  test('figures on cells are those of the panels, after a run and a changed run; old is marked, Đặt lại clears', async () => {
    const figures = () => page.evaluate((blocks) => blocks.map(({ id, cell }) => [document.querySelector(`#${id} .panel-figure`).textContent, document.querySelector(`[data-cell="${cell}"] .cell-figure`).textContent]), blocks)
    await lab(page, 'ready')
    await run(page)
    const first = await figures()
    for (const [panel, onCell] of first) expect(onCell).toBe(panel)
    expect(first[5][1]).toBe('cao điểm 7/12')
    await cell(page, 'L2-7').hover()
    await expect(pop(page).locator('.pop-figure')).toHaveText('cao điểm 7/12')
    expect(await overflowing(page)).toEqual([])

    const ask = (constants) => page.evaluate((constants) => {
      inferenceLab.honest ??= inferenceLab.request
      inferenceLab.request = (command, json) => inferenceLab.honest(command, command === 'run' ? JSON.stringify({ ...JSON.parse(json), constants }) : json)
    }, constants)
    await ask({ POOL_BLOCKS: 30, QUEUE_LIMIT: 3 })
    await page.getByRole('button', { name: 'Chạy', exact: true }).click()
    await expect(page.locator('#block-6 .panel-figure')).toContainText('/30')
    await lab(page, 'done')
    const second = await figures()
    expect(second).not.toEqual(first)
    for (const [panel, onCell] of second) expect(onCell).toBe(panel)
    await page.evaluate(() => { document.documentElement.style.fontSize = '200%' })
    expect(await overflowing(page)).toEqual([])
    for (const id of ['L2-3', 'L1-2']) { // also while the pointer makes arrows stand out
      await cell(page, id).hover()
      await expect(page.locator(`.is-here[data-from="${id}"]`).first()).toBeAttached()
      expect(await faultsOfWords(page), id).toEqual([])
    }
    await page.evaluate(() => { document.documentElement.style.fontSize = '' })

    await ask({ SLOTS: 0 })
    await page.getByRole('button', { name: 'Chạy', exact: true }).click()
    await lab(page, 'error')
    expect(await cell(page, 'L2-7').locator('.cell-figure').evaluate((text) => getComputedStyle(text).fontStyle)).toBe('italic')
    await expect(page.getByText('Số trên ô là của lần chạy trước.')).toBeVisible()
    await page.getByRole('button', { name: 'Đặt lại' }).click()
    await lab(page, 'ready')
    expect((await figures()).flat().join('')).toBe('')
  })
})

test.describe('by touch, on a phone', () => {
  let page
  test.beforeAll(async ({ browser }) => {
    page = await (await browser.newContext({ viewport: WIDTHS.phone, hasTouch: true })).newPage() // axe asks for a context
    await alive(page)
    await page.getByText('Sơ đồ', { exact: true }).first().tap()
  })
  test.afterAll(() => page.context().close())

  const widths = () => page.evaluate(() => [document.querySelector('#picture').getBoundingClientRect().width, document.querySelector('.frame').clientWidth])
  const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

  /** Two fingers on the drawing, moved apart by `factor` around its point (200, 300) of the window. */
  async function pinch(factor) {
    const client = await page.context().newCDPSession(page)
    const touch = (type, apart) => client.send('Input.dispatchTouchEvent', { type, touchPoints: apart ? [{ x: 200 - apart / 2, y: 300, id: 0 }, { x: 200 + apart / 2, y: 300, id: 1 }] : [] })
    await touch('touchStart', 60)
    for (let i = 1; i <= 4; i++) await touch('touchMove', 60 + (60 * (factor - 1) * i) / 4)
    await touch('touchEnd', 0)
  }

  test('it can be read: it is wider than the screen, pans in its frame, and fits when asked', async () => {
    const [wide, frame] = await widths()
    expect(wide).toBe(architecture.size[0])
    expect(frame).toBe(WIDTHS.phone.width)
    expect(await smallestType(page)).toBeGreaterThanOrEqual(12)
    expect(await faultsOfWords(page)).toEqual([])
    expect(await page.evaluate(() => { const frame = document.querySelector('.frame'); frame.scrollLeft = 1e6; return frame.scrollLeft })).toBe(wide - frame)
    expect(await sideways()).toBe(0)

    await page.getByRole('button', { name: 'Vừa khung' }).tap()
    expect(await widths()).toEqual([frame, frame])
    await page.getByRole('button', { name: 'Phóng to' }).tap()
    await page.getByRole('button', { name: 'Phóng to' }).tap()
    expect((await widths())[0]).toBeCloseTo(frame * 1.69, 0)
    await page.getByRole('button', { name: 'Thu nhỏ' }).tap()
    expect((await widths())[0]).toBeCloseTo(frame * 1.3, 0)
    expect(await viewBox(page)).toEqual([0, 0, ...architecture.size]) // nothing of it is out of a finger's reach
  })

  test('two fingers bring it nearer around themselves, and the page still scrolls under one', async () => {
    await page.locator('.frame').evaluate((frame) => frame.scrollIntoView())
    const under = () => page.evaluate(() => { const at = new DOMPoint(200, 300).matrixTransform(document.querySelector('#picture').getScreenCTM().inverse()); return [at.x, at.y] })
    const [before, [wide]] = [await under(), await widths()]
    await pinch(2)
    await expect.poll(async () => (await widths())[0]).toBeGreaterThan(wide * 1.8)
    const after = await under()
    expect(Math.abs(after[0] - before[0])).toBeLessThan(6)
    expect(Math.abs(after[1] - before[1])).toBeLessThan(6)
    expect(await page.locator('#picture').evaluate((picture) => getComputedStyle(picture).touchAction)).toBe('pan-x pan-y')
    expect(await sideways()).toBe(0)
    await page.getByRole('button', { name: 'Vừa khung' }).tap()
    await page.getByRole('button', { name: 'Phóng to' }).tap()
    await page.getByRole('button', { name: 'Phóng to' }).tap()
  })

  test('every cell opens as a sheet that leaves it in view; the second touch opens the panel', async () => {
    for (const one of CELLS) {
      await cell(page, one.id).tap()
      await expect.poll(() => shownNote(page, one.id), { message: one.id }).toEqual(noteOf(one))
      const seen = await cell(page, one.id).locator('.cell-frame').evaluate((frame) => { const { left, right, top } = frame.getBoundingClientRect(); return left >= 0 && right <= innerWidth && top >= 0 })
      expect(seen, one.id).toBe(true)
    }
    await page.setViewportSize({ width: WIDTHS.phone.width, height: WIDTHS.phone.height - 60 }) // the browser's own bar came
    await expect(pop(page)).toBeVisible()
    await page.setViewportSize(WIDTHS.phone)
    await noFindings(page, '#diagram', '#about')
    await pop(page).getByRole('button', { name: 'Đóng' }).tap()
    await expect(pop(page)).toBeHidden()
    await cell(page, 'L2-1').tap()
    await cell(page, 'L2-1').tap()
    await expect(page.locator('#block-3 > summary')).toBeFocused()
    expect(await sideways()).toBe(0)
  })
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
