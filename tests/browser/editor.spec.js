// The script as a learner meets it: one state with the controls, Vietnamese typing, the keyboard, errors at their line,
// and scripts that never end, print without end or kill the interpreter.
import { expect, test } from '@playwright/test'
import { noFindings } from './axe.js'

let page
let cdp
let original // the default script
let loadedAtBoot // files of the editor
let loadedWhenOpen

const html = () => page.locator('html')
const lab = (state) => expect(html()).toHaveAttribute('data-lab', state, { timeout: 60_000 })
const content = () => page.locator('#script-editor .cm-content')
const text = () => page.evaluate(() => document.querySelector('#script-editor .cm-content').cmTile.view.state.doc.toString())
const expectText = (part) => expect.poll(text).toContain(part)
const field = (name) => page.locator(`#number-${name}`)
const note = () => page.locator('#script-note-text')
const printed = () => page.locator('#printed')

const editorFiles = () =>
  page.evaluate(() => {
    const names = performance.getEntriesByType('resource').map(({ name }) => /\/(editor|script|default-script)-[^/]*\.js$/.exec(name)?.[1])
    return [...new Set(names.filter(Boolean))].sort()
  })

async function write(script) {
  await content().focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(script)
}

async function writeAndRun(script) {
  await write(script)
  await page.keyboard.press('Control+Enter')
}

/** Moves a slider as a script would, so that the focus stays in the editor. */
const slide = (name, value) =>
  page.evaluate(([name, value]) => {
    const slider = document.querySelector(`[data-slider="${name}"]`)
    slider.value = value
    slider.dispatchEvent(new Event('input', { bubbles: true }))
    slider.dispatchEvent(new Event('change', { bubbles: true }))
  }, [name, String(value)])

test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  cdp = await page.context().newCDPSession(page)
  await page.goto('./')
  await lab('ready')
  loadedAtBoot = await editorFiles()
  await page.locator('#script > summary').click()
  await content().waitFor()
  loadedWhenOpen = await editorFiles()
  original = await text()
  await page.locator('#script-printed > summary').click()
})
test.afterAll(() => page.context().close())

test('nothing of the editor is loaded before its fold is opened; then it holds the default script', () => {
  expect([loadedAtBoot, loadedWhenOpen]).toEqual([[], ['default-script', 'editor', 'script']])
  for (const part of ['SLOTS = 2\n', 'REQUESTS = [', 'run = lab.run(config)']) expect(original).toContain(part)
})

test('a slider rewrites its line and nothing else; an edit moves the slider; comments stay', async () => {
  await write(original)
  await slide('SLOTS', 4)
  await expectText('SLOTS = 4\n')
  expect(await text()).toBe(original.replace('\nSLOTS = 2\n', '\nSLOTS = 4\n'))
  await write(original.replace('\nQUEUE_LIMIT = 1\n', '\nQUEUE_LIMIT = 3  # thử nhiều chỗ chờ\n'))
  await expect(field('QUEUE_LIMIT')).toHaveValue('3')
  await expect(page.locator('[data-slider="QUEUE_LIMIT"]')).toHaveValue('3')
  await expect(field('SLOTS')).toHaveValue('2')
  await slide('QUEUE_LIMIT', 5)
  await expectText('\nQUEUE_LIMIT = 5  # thử nhiều chỗ chờ\n')
  await page.keyboard.press('Control+z')
  await expect(field('QUEUE_LIMIT')).toHaveValue('3')
})

test('one step back undoes a whole drag, and nothing that was written right before it', async () => {
  await write(original)
  await write(original.replace('\nQUEUE_LIMIT = 1\n', '\nQUEUE_LIMIT = 3  # vừa viết\n'))
  for (const value of [4, 5, 6]) await slide('QUEUE_LIMIT', value)
  await expectText('\nQUEUE_LIMIT = 6  # vừa viết\n')
  await page.locator('.cm-content').press('Control+z')
  await expectText('\nQUEUE_LIMIT = 3  # vừa viết\n')
})

test('a bad value in the script is said at its field, and stays in the text when another slider moves', async () => {
  await write(original.replace('\nSLOTS = 2\n', '\nSLOTS = 0\n'))
  await expect(field('SLOTS')).toHaveValue('0')
  await slide('TOKEN_BUDGET', 8)
  await expectText('\nTOKEN_BUDGET = 8\n')
  expect(await text()).toContain('\nSLOTS = 0\n')
  await page.locator('#script-default').click()
  await expectText('\nSLOTS = 2\n')
})

test('Vietnamese is typed undisturbed while the page changes other lines', async () => {
  await write(`${original}# `)
  await page.keyboard.press('Control+End')
  for (const part of ['t', 'ti', 'tie', 'tiê']) await cdp.send('Input.imeSetComposition', { text: part, selectionStart: part.length, selectionEnd: part.length })
  await slide('SLOTS', 5)
  await page.waitForFunction(() => document.querySelector('#number-SLOTS').value === '5')
  await cdp.send('Input.imeSetComposition', { text: 'tiế', selectionStart: 3, selectionEnd: 3 })
  expect(await text()).toContain('# tiế') // nothing was put into the text meanwhile
  expect(await text()).not.toContain('\nSLOTS = 5\n')
  await cdp.send('Input.insertText', { text: 'tiếng' })
  await expectText('\nSLOTS = 5\n')
  await page.keyboard.type(' Vie')
  await page.keyboard.press('Backspace') // as Unikey rewrites a letter
  await cdp.send('Input.insertText', { text: 'ệ' })
  await page.keyboard.type('t')
  await cdp.send('Input.insertText', { text: ' e\u0302\u0301' }) // combining marks
  expect((await text()).endsWith('# tiếng Việt e\u0302\u0301')).toBe(true)
})

test('a control moved right after its line was written by hand puts nothing into the wrong place', async () => {
  await write(original.replace('\nSLOTS = 2\n', '\nSLOTS = 4\n'))
  await slide('SLOTS', 5)
  await expect.poll(async () => {
    const now = await text()
    return ['4', '5'].some((value) => original.replace('\nSLOTS = 2\n', `\nSLOTS = ${value}\n`) === now)
  }).toBe(true)
  await expect.poll(() => page.evaluate(() => document.querySelector('#number-SLOTS').value)).toMatch(/^[45]$/)
})

test('Tab indents; after Esc it leaves; the editor has no axe finding', async () => {
  await write('x = 1')
  await page.keyboard.press('Home')
  await page.keyboard.press('Tab')
  expect(await text()).toBe('    x = 1')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await expect(content()).not.toBeFocused()
  await expect(page.locator('#script-keys')).toContainText('Esc rồi Tab')
  await noFindings(page, '#script')
})

test('a script of the learner is run with its own values', async () => {
  await writeAndRun(original.replace('\nSLOTS = 2\n', '\nSLOTS = 3\n').replace('print(lab.transcript(run))', 'print("chạy với", SLOTS, "chỗ")'))
  await lab('done')
  await expect(printed()).toHaveText('chạy với 3 chỗ\n')
  await expect(note()).not.toContainText('không gán')
  await expect(page.locator('#transcript')).toHaveText(/PASS/)
  await expect(page.locator('.cm-problem')).toHaveCount(0)
  await writeAndRun(original.replace('\nSLOTS = 2\n', '\nSLOST = 3\n'))
  await expect(note()).toHaveText(/^Dòng \d+: SLOST không phải hằng số của lab; ý bạn là SLOTS\? Script không gán SLOTS, nên hằng số này giữ giá trị mặc định\.$/)
  await lab('done')
  await writeAndRun(original)
  await expect(note()).toBeEmpty()
})

test('an error is marked at its line, said in the alert, and the alert leads there', async () => {
  await writeAndRun(original)
  await lab('done')
  await writeAndRun('import inference_lab as lab\n\nSLOTS = 3\nprint("xin chào")\nrun = lab.rum(SLOTS)\n')
  await lab('error')
  await expect(page.locator('#alert')).toContainText('Dòng 5')
  await expect(page.locator('.cm-problem')).toContainText('Dòng 5')
  await expect(page.locator('.cm-problem-gutter .cm-gutterElement:visible', { hasText: '✕' })).toHaveCount(1)
  await expect(printed()).toHaveText('xin chào\n')
  await expect(html()).toHaveAttribute('data-result', 'old')
  await page.locator('#script > summary').click()
  await page.locator('[data-script-line="5"]').click()
  await expect(content()).toBeFocused()
  expect(await page.evaluate(() => getSelection().anchorNode.parentElement.closest('.cm-line').textContent)).toContain('lab.rum')
  await page.keyboard.type(' ')
  await expect(page.locator('.cm-problem')).toHaveCount(0)
})

test('a script that leaves no run keeps the last result, marked, and says why', async () => {
  await writeAndRun(original)
  await lab('done')
  await writeAndRun('print("chỉ in")\n')
  await expect(note()).toContainText('run = lab.run(config)')
  await expect(printed()).toHaveText('chỉ in\n')
  await expect(page.locator('#status')).toContainText('không để lại run')
  await expect(html()).toHaveAttribute('data-result', 'old')
  await expect(page.locator('#block-1 .panel-figure')).not.toBeEmpty()
})

test('the default script comes back on request, and the learner\'s can be had again', async () => {
  await write('print("chỉ in")\n')
  await page.locator('#script-default').click()
  await expectText('run = lab.run(config)')
  await page.locator('#script-undo').click()
  await expect.poll(text).toBe('print("chỉ in")\n')
})

test('a worked example is opened over the learner\'s script, keeps the values, and can be taken back', async () => {
  await write(original.replace('\nSLOTS = 2\n', '\nSLOTS = 3\n'))
  await expect(field('SLOTS')).toHaveValue('3')
  await page.locator('#script-example').selectOption({ label: 'Tự viết sample' })
  await expectText('run = lab.run(config, sample=sample)')
  expect(await text()).toContain('\nSLOTS = 3\n')
  await page.locator('#run').click()
  await lab('done')
  await page.locator('#script-undo').click()
  await expect.poll(text).toBe(original.replace('\nSLOTS = 2\n', '\nSLOTS = 3\n'))
})

test('200,000 lines and an endless loop: the page stays alive, Dừng works, the text is kept', { tag: '@alone' }, async () => {
  const script = 'for i in range(200_000):\n    print("dòng", i)\nwhile True:\n    pass\n'
  await writeAndRun(script)
  await lab('running')
  await page.evaluate(() => {
    globalThis.longest = 0
    let last = performance.now()
    const tick = (now) => { globalThis.longest = Math.max(globalThis.longest, now - last); last = now; requestAnimationFrame(tick) }
    requestAnimationFrame(tick)
  })
  await expect(page.locator('#printed-note')).toContainText('đang chạy và đã in')
  await expect(printed()).toContainText('dòng 1')
  expect(await page.evaluate(() => longest)).toBeLessThan(1000)
  await page.locator('#stop').click()
  await lab('ready')
  await expect(page.locator('#printed-note')).toContainText('đã bị dừng')
  expect(await text()).toBe(script)
})

test('what it printed is shown with how much was left out', async () => {
  await writeAndRun('for i in range(200_000):\n    print("dòng", i)\n')
  await expect(printed()).toContainText('bỏ bớt')
  await expect(printed()).toContainText('dòng 199999')
  expect((await printed().textContent()).length).toBeLessThan(300_000)
})

for (const [name, script] of [['os._exit', 'print("trước đó")\nimport os\nos._exit(1)\n'], ['a repr 100,000 deep', 'print("trước đó")\nx = []\nfor _ in range(100_000):\n    x = [x]\nprint(repr(x))\n']]) {
  test(`${name}: an error is said, the text is kept, and the next run works`, async () => {
    await writeAndRun(script)
    await expect(page.locator('#alert')).not.toBeEmpty()
    expect(await text()).toBe(script)
    await expect(page.locator('#printed-note')).toHaveText('Script đã bị dừng sau 1 dòng. Dưới đây là những dòng cuối đã nhận được.')
    await expect(printed()).toHaveText('trước đó\n')
    await writeAndRun(original)
    await lab('done')
  })
}

test('2,000 lines and a megabyte are taken quickly', { tag: '@alone' }, async () => {
  await writeAndRun(original) // a slider runs the lab once there has been a run
  await lab('done')
  for (const big of [Array.from({ length: 2000 }, (_, i) => `x${i} = ${i}  # dòng`).join('\n'), '# dòng dài bốn mươi ký tự nữa đây này\n'.repeat(26_000)]) {
    await content().focus()
    await page.keyboard.press('Control+a')
    const ms = await page.evaluate(async (big) => {
      const start = performance.now()
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', big)
      document.querySelector('#script-editor .cm-content').dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
      return performance.now() - start
    }, big)
    expect(ms).toBeLessThan(1500)
    expect((await text()).length).toBe(big.length)
  }
  const tooLong = (await text()).length
  const stays = async () => {
    await expect(note()).toContainText('dài hơn 100 000 ký tự')
    expect((await text()).length).toBe(tooLong)
  }
  await stays()
  await slide('SLOTS', 3) // which runs the lab, too
  await expect(page.locator('#transcript')).toContainText('3 chỗ chạy + 1 chỗ chờ')
  await lab('done')
  await stays()
  const leaving = page.waitForEvent('dialog')
  await page.evaluate(() => void setTimeout(() => location.reload()))
  const dialog = await leaving
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  await page.locator('#script-default').click()
  await expectText('\nSLOTS = 3\n')
  await page.locator('#script-undo').click()
  await stays()
  await slide('SLOTS', 2)
  await write(original)
  await expect(note()).toBeEmpty()
  await expect(field('SLOTS')).toHaveValue('2')
})

test('no sideways scroll at three widths and at twice the text', async () => {
  const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  const wide = () => page.evaluate(() => [...document.querySelectorAll('#script *:not(.cm-scroller *)')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.id || one.className))
  for (const [width, size] of [[1440, ''], [1024, ''], [390, ''], [390, '200%']]) {
    await page.setViewportSize({ width, height: 844 })
    await page.evaluate((size) => { document.documentElement.style.fontSize = size }, size)
    if (width < 800) await page.locator('.places label', { hasText: 'Hằng số' }).click()
    await expect(content()).toBeVisible()
    expect([width, size, await wide()]).toEqual([width, size, []])
    if (!size) expect(await sideways()).toBeLessThanOrEqual(0)
  }
})
