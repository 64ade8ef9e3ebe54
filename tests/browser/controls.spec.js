// The learner changes a constant: fields and sliders, live runs, bad input, the table of requests, presets, links and storage.
// Figures are compared with a literal table, and whole printouts with the engine run natively on the same constants.
import { expect, test } from '@playwright/test'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync, strFromU8, strToU8 } from 'fflate'
import { PYTHON, ROOT } from '../../scripts/setup.mjs'
import { noFindings } from './axe.js'

const presets = JSON.parse(readFileSync(join(ROOT, 'static/data/presets.json'), 'utf8'))

const printed = new Map()

/** What `python3 -m inference_lab` prints for these constants: asked once for each. */
function native(changed) {
  const key = JSON.stringify(changed)
  if (!printed.has(key)) printed.set(key, printOf(changed))
  return printed.get(key)
}

function printOf(changed) {
  const pairs = Object.entries(changed).flatMap(([name, value]) => ['--set', `${name}=${JSON.stringify(value)}`])
  const { stdout, stderr } = spawnSync(PYTHON, ['-m', 'inference_lab', 'run', ...pairs], { encoding: 'utf8', env: { ...process.env, PYTHONPATH: join(ROOT, 'py'), PYTHONUTF8: '1' } })
  if (!stdout) throw new Error(stderr)
  return stdout.trim()
}

/** What the engine says in the summary of panel 11 for each of these token budgets. */
function nativeTelemetry(budgets) {
  const program = 'import json, sys\nfrom inference_lab.service import Service\nfor budget in json.loads(sys.argv[1]):\n    print(json.loads(Service().answer("run", json.dumps({"constants": {"TOKEN_BUDGET": budget}})))["ok"]["reports"][10]["headline"])'
  const { stdout } = spawnSync(PYTHON, ['-c', program, JSON.stringify(budgets)], { encoding: 'utf8', env: { ...process.env, PYTHONPATH: join(ROOT, 'py'), PYTHONUTF8: '1' } })
  return Object.fromEntries(stdout.trim().split('\n').map((text, i) => [budgets[i], text]))
}

const lab = (page, state) => expect(page.locator('html')).toHaveAttribute('data-lab', state)
const field = (page, name) => page.locator(`input[name="${name}"]`)
const slider = (page, name) => page.locator(`[data-slider="${name}"]`)
const cell = (page, row, name) => page.locator(`[data-cell-of="${row}"][data-cell-name="${name}"]`)
const figure = (page, block) => page.locator(`#block-${block} .panel-figure`)
const button = (page, name) => page.getByRole('button', { name, exact: true })
const transcript = (page) => page.locator('#transcript').evaluate((node) => node.textContent.trim())
const address = (page) => page.evaluate(() => location.search + location.hash)

async function set(page, name, text) {
  await field(page, name).evaluate((node) => node.closest('details').setAttribute('open', ''))
  await field(page, name).fill(text)
  await field(page, name).press('Enter')
}

/** The page shows the run of these constants, to the last letter. */
async function shows(page, changed) {
  const expected = native(changed)
  await expect.poll(() => transcript(page)).toBe(expected)
  await lab(page, 'done')
}

/** Requests to the worker wait from here on, until they are let go. */
const hold = (page) =>
  page.evaluate(() => {
    const { prototype } = Worker
    const post = prototype.postMessage
    const held = []
    prototype.postMessage = function (message) {
      held.push(() => post.call(this, message))
    }
    window.letGo = () => {
      prototype.postMessage = post
      for (const one of held) one()
    }
  })
const letGo = (page) => page.evaluate(() => window.letGo())

/** Another configuration in the address, as a step through the history brings it. */
const arrive = (page, query) =>
  page.evaluate((text) => {
    history.pushState(null, '', text)
    dispatchEvent(new PopStateEvent('popstate'))
  }, query)

// Panels 1, 3, 6, 11 and 13 after one change.
const FIGURES = [
  ['SLOTS', 3, '4 nhận · 0 × 429', '14 bước', 'cao điểm 10/12', 'TTFT C 18.60 ms', '40/40 · ĐẠT'],
  ['SLOTS', 1, '2 nhận · 3 × 429', '15 bước', 'cao điểm 4/12', '1/2 vượt SLO', '40/40 · ĐẠT'],
  ['QUEUE_LIMIT', 3, '4 nhận · 0 × 429', '16 bước', 'cao điểm 7/12', 'TTFT C 22.00 ms', '40/40 · ĐẠT'],
  ['TOKEN_BUDGET', 3, '3 nhận · 1 × 429', '17 bước', 'cao điểm 8/12', 'TTFT C 25.60 ms', '40/40 · ĐẠT'],
  ['TOKEN_BUDGET', 32, '3 nhận · 1 × 429', '10 bước', 'cao điểm 7/12', 'TTFT C 17.20 ms', '40/40 · ĐẠT'],
  ['BLOCK_SIZE', 2, '3 nhận · 1 × 429', '17 bước · 1 preempt', 'cao điểm 12/12', 'TTFT C 30.20 ms', '40/40 · ĐẠT'],
  ['BLOCK_SIZE', 8, '3 nhận · 1 × 429', '12 bước', 'cao điểm 4/12', 'TTFT C 22.00 ms', '40/40 · ĐẠT'],
  ['POOL_BLOCKS', 6, '3 nhận · 1 × 429', '17 bước · 1 preempt', 'cao điểm 6/6', 'TTFT C 30.20 ms', '40/40 · ĐẠT'],
  ['QUANT_BITS', 3, '3 nhận · 1 × 429', '12 bước', 'cao điểm 7/12', 'TTFT C 22.00 ms', '30/40 · KHÔNG ĐẠT'],
  ['COST_DECODE_FIXED', 2000, '3 nhận · 1 × 429', '12 bước', 'cao điểm 7/12', 'TTFT C 30.00 ms', '40/40 · ĐẠT'],
  ['SEED', 11, '3 nhận · 1 × 429', '15 bước', 'cao điểm 8/12', 'TTFT C 23.40 ms', '40/40 · ĐẠT'],
  ['N_MERGES', 0, '3 nhận · 0 × 429', '14 bước', 'cao điểm 11/12', 'TTFT C 19.15 ms', '40/40 · ĐẠT']
]
// Several changes at once, as an address brings them, and the strip's figures: served, 429, 400, TTFT, TPOT, worst gap, throughput, peak blocks, agreement.
const SEVERAL = [
  ['QUEUE_LIMIT:5,POOL_BLOCKS:120,COST_DECODE_FIXED:100,COST_PREFILL_PER_TOKEN:1500', '4/5', '0', '1', '43.40 ms', '5.57 ms', '8.20 ms', '371.6 token/s', '7/120', '40/40'],
  ['SEED:65,SLOTS:5,QUEUE_LIMIT:5,TOKEN_BUDGET:16,POOL_BLOCKS:64,COST_PREFILL_PER_TOKEN:50', '4/5', '0', '1', '4.85 ms', '1.38 ms', '2.40 ms', '1677.4 token/s', '13/64', '39/40'],
  ['QUEUE_LIMIT:5,POOL_BLOCKS:64,COST_TOKENIZE_PER_TOKEN:300,COST_DECODE_FIXED:100,QUANT_BITS:3', '4/5', '0', '1', '16.30 ms', '1.90 ms', '2.70 ms', '966.4 token/s', '7/64', '30/40'],
  ['SEED:64,SLOTS:4,TOKEN_BUDGET:3,BLOCK_SIZE:8,MAX_CONTEXT:20,COST_DECODE_FIXED:100,QUANT_BITS:2', '4/5', '0', '1', '20.00 ms', '1.10 ms', '1.50 ms', '1030.9 token/s', '5/12', '12/40'],
  ['SEED:149,SLOTS:1,POOL_BLOCKS:120,COST_GATEWAY:900,COST_PREFILL_PER_TOKEN:50&follow=A', '2/5', '3', '0', '2.00 ms', '1.10 ms', '1.10 ms', '847.9 token/s', '5/120', '38/40'],
  ['TOKEN_BUDGET:10,POOL_BLOCKS:64,COST_GATEWAY:900,COST_TOKENIZE_PER_TOKEN:300,COST_PREFILL_PER_TOKEN:50,QUANT_BITS:7', '3/5', '1', '1', '13.00 ms', '1.17 ms', '2.05 ms', '1028.6 token/s', '7/64', '39/40'],
  ['SEED:36,SLOTS:5,QUEUE_LIMIT:3,POOL_BLOCKS:40,QUANT_BITS:5&follow=B', '4/5', '0', '1', '14.20 ms', '2.70 ms', '3.60 ms', '882.4 token/s', '14/40', '34/40']
]
const IN_STRIP = ['served', 'refused_429', 'refused_400', 'ttft', 'tpot', 'worst_gap', 'throughput', 'peak_blocks', 'agreement']
const DEFAULTS = { SLOTS: 2, QUEUE_LIMIT: 1, TOKEN_BUDGET: 6, BLOCK_SIZE: 4, POOL_BLOCKS: 12, QUANT_BITS: 8, COST_DECODE_FIXED: 1000, SEED: 7, N_MERGES: 10 }

test.describe('one page', () => {
  let context
  let page
  const errors = []

  test.beforeAll(async ({ browser }) => {
    context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', permissions: ['clipboard-read', 'clipboard-write'] })
    page = await context.newPage()
    page.on('pageerror', (error) => errors.push(String(error)))
    await page.goto('./')
    await lab(page, 'ready')
    await page.locator('.requests-fold > summary').click()
  })
  test.afterAll(async () => {
    await context.close()
    expect(errors).toEqual([])
  })
  test.beforeEach(async () => {
    if (await button(page, 'Về mặc định').isVisible()) await button(page, 'Về mặc định').click()
  })

  test('a slider and a field for each number, named, described, with a way back', async () => {
    const table = JSON.parse(readFileSync(join(ROOT, '.cache/engine-data/constants.json'), 'utf8')).filter(({ minimum }) => minimum !== null)
    expect(table.length).toBeGreaterThan(20)
    for (const { name, default: value, known_as } of table) {
      await expect(field(page, name)).toHaveValue(String(value))
      await expect(slider(page, name)).toHaveValue(String(value))
      await expect(page.locator(`#help-${name}`)).toContainText(known_as)
    }
    await noFindings(page)
  })

  test('twelve changes give the figures of the table, and the engine\'s own printout', async () => {
    for (const [name, value, ...figures] of FIGURES) {
      await set(page, name, String(value))
      await shows(page, { [name]: value })
      for (const [i, block] of [1, 3, 6, 11, 13].entries()) await expect(figure(page, block), `${name} = ${value}`).toHaveText(figures[i])
      await expect(page.locator(`[data-reset="${name}"]`)).toBeVisible()
      await page.locator(`[data-reset="${name}"]`).click()
      await expect(field(page, name)).toHaveValue(String(DEFAULTS[name]))
      await expect(field(page, name)).toBeFocused()
    }
    await shows(page, {})
  })

  test('seven addresses that set several constants give the figures of the table in the strip', async () => {
    await set(page, 'SLOTS', '3')
    await expect.poll(() => address(page)).toBe('?v=1&set=SLOTS:3')
    await shows(page, { SLOTS: 3 })
    for (const [query, ...figures] of SEVERAL) {
      await arrive(page, `?v=1&set=${query}`)
      const strip = () => page.evaluate((ids) => ids.map((id) => document.querySelector(`#strip [data-figure="${id}"] .now`)?.textContent.replace(/\s/g, ' ').replace(/ \(.*/, '')), IN_STRIP)
      await expect.poll(strip, query).toEqual(figures)
      await lab(page, 'done')
    }
  })

  test('the arrow keys move the slider, and the lab follows', async () => {
    await slider(page, 'TOKEN_BUDGET').focus()
    for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight')
    await expect(field(page, 'TOKEN_BUDGET')).toHaveValue('9')
    await expect(slider(page, 'TOKEN_BUDGET')).toHaveAttribute('aria-valuetext', '9 token')
    await shows(page, { TOKEN_BUDGET: 9 })
    await field(page, 'TOKEN_BUDGET').focus()
    await field(page, 'TOKEN_BUDGET').dispatchEvent('keydown', { key: 'ArrowUp', isComposing: true }) // an input method's own
    await page.keyboard.press('ArrowDown')
    await expect(slider(page, 'TOKEN_BUDGET')).toHaveValue('8')
    await shows(page, { TOKEN_BUDGET: 8 })
  })

  test('a hand that sweeps a slider: two runs in flight at most, the last value wins, no older figure flashes', async () => {
    await set(page, 'TOKEN_BUDGET', '1')
    await shows(page, { TOKEN_BUDGET: 1 })
    const budgets = Array.from({ length: 16 }, (_, i) => i + 1)
    const expected = nativeTelemetry(budgets)
    expect(new Set(Object.values(expected)).size).toBeGreaterThan(5)
    const { shown, most, posted } = await page.evaluate(async () => {
      const control = document.querySelector('[data-slider="TOKEN_BUDGET"]')
      const label = document.querySelector('#block-11 .panel-figure')
      const flight = new Set()
      let [most, posted] = [0, 0]
      const post = Worker.prototype.postMessage
      Worker.prototype.postMessage = function (message) {
        flight.add(message.id)
        posted++
        most = Math.max(most, flight.size)
        this.addEventListener('message', ({ data }) => data.early || flight.delete(data.id))
        return post.call(this, message)
      }
      const shown = []
      const observer = new MutationObserver(() => shown.push([control.value, label.textContent]))
      observer.observe(label, { childList: true, subtree: true, characterData: true })
      const start = performance.now()
      for (let now = start; now - start < 1000; now = performance.now()) {
        control.value = String(1 + Math.floor(((now - start) / 1000) * 15))
        control.dispatchEvent(new Event('input', { bubbles: true }))
        await new Promise(requestAnimationFrame)
      }
      control.value = '16'
      control.dispatchEvent(new Event('input', { bubbles: true }))
      control.dispatchEvent(new Event('change', { bubbles: true }))
      await new Promise((resolve) => {
        const look = () => (document.documentElement.dataset.lab === 'done' ? resolve() : requestAnimationFrame(look))
        look()
      })
      observer.disconnect()
      Worker.prototype.postMessage = post
      return { shown, most, posted }
    })
    expect(posted).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(2)
    for (const [value, text] of shown) expect(text, `TOKEN_BUDGET = ${value}`).toBe(expected[value])
    await shows(page, { TOKEN_BUDGET: 16 })
    await expect.poll(() => address(page)).toBe('?v=1&set=TOKEN_BUDGET:16')
  })

  for (const [text, word] of [['', 'trống'], ['-', 'dấu'], ['1e400', 'e'], ['0,5', 'dấu chấm'], ['1.000,5', 'dấu chấm'], ['NaN', 'số cụ thể'], ['３', 'Hãy gõ 3'], ['99', 'giảm'], ['0', 'tăng'], ['SLOTS = 3', 'chữ số']]) {
    test(`a field that says «${text}» keeps it, and says what is wrong`, async () => {
      await shows(page, {})
      await set(page, 'SLOTS', text)
      const sentence = page.locator('#error-SLOTS')
      await expect(sentence).toContainText('SLOTS')
      await expect(sentence).toContainText('số nguyên từ 1 đến 64')
      await expect(sentence).toContainText(word)
      await expect(field(page, 'SLOTS')).toHaveValue(text)
      await expect(field(page, 'SLOTS')).toHaveAttribute('aria-invalid', 'true')
      await expect(page.getByText('Kết quả cũ')).toBeVisible()
      await expect(page.locator('#alert')).toBeEmpty()
      await expect(figure(page, 3)).toHaveText('12 bước')
    })
  }

  test('Chạy over a bad field says so in the alert, and runs once it is mended', async () => {
    await set(page, 'SLOTS', '0,5')
    await button(page, 'Chạy').click()
    await lab(page, 'error')
    await expect(page.locator('#alert')).toContainText('SLOTS = «0,5»')
    await noFindings(page)
    await field(page, 'SLOTS').fill('3')
    await expect(page.locator('#error-SLOTS')).toBeEmpty()
    await expect(page.locator('#alert')).toBeEmpty()
    await button(page, 'Chạy').click()
    await shows(page, { SLOTS: 3 })
    await expect(page.getByText('Kết quả cũ')).toBeHidden()
  })

  test('Chạy right after a field was changed is compared with the result before, however fast the lab was', async () => {
    await shows(page, {})
    await field(page, 'SLOTS').fill('3')
    const box = await button(page, 'Chạy').boundingBox()
    await page.mouse.move(box.x + 5, box.y + 5)
    await page.mouse.down() // the field is left: a live run
    await shows(page, { SLOTS: 3 })
    await page.mouse.up()
    await shows(page, { SLOTS: 3 })
    await expect(page.locator('#strip [data-figure="ttft"] .was')).toContainText('22.00')
    await expect(page.locator('.changed-constants')).toHaveText('SLOTS 2 → 3 yêu cầu')
  })

  test('what the engine says of values that are gone is said nowhere', async () => {
    await shows(page, {})
    await hold(page)
    await set(page, 'D_MODEL', '16')
    await lab(page, 'running')
    await field(page, 'D_MODEL').fill('8')
    await letGo(page)
    await lab(page, 'done')
    await expect(page.locator('html')).toHaveAttribute('data-result', 'fresh')
    for (const name of ['D_MODEL', 'N_HEADS', 'D_HEAD']) await expect(page.locator(`#error-${name}`)).toBeEmpty()
    await shows(page, {})
  })

  test('two constants that contradict each other are both named, and either mends it', async () => {
    await set(page, 'D_MODEL', '16')
    for (const name of ['D_MODEL', 'N_HEADS', 'D_HEAD']) {
      await expect(page.locator(`#error-${name}`)).toContainText('D_MODEL = 16 nhưng N_HEADS × D_HEAD')
      await expect(field(page, name)).toHaveAttribute('aria-invalid', 'true')
    }
    await set(page, 'D_HEAD', '8')
    await shows(page, { D_MODEL: 16, D_HEAD: 8 })
    await expect(page.locator('#error-D_MODEL')).toBeEmpty()
  })

  test('with «Chạy lại ngay» off nothing runs before Chạy, and the old figures are marked', async () => {
    await shows(page, {})
    await page.getByRole('switch', { name: 'Chạy lại ngay' }).uncheck()
    await set(page, 'SLOTS', '3')
    await expect(page.getByText('Bạn đã sửa cấu hình: các số dưới đây')).toBeVisible()
    await lab(page, 'ready')
    await expect(figure(page, 3)).toHaveText('12 bước')
    await noFindings(page)
    await set(page, 'SLOTS', '2')
    await lab(page, 'done')
    await set(page, 'SLOTS', '3')
    await button(page, 'Chạy').click()
    await shows(page, { SLOTS: 3 })
    await page.getByRole('switch', { name: 'Chạy lại ngay' }).check()
  })

  test('each preset runs as the engine does, says what to look at, and can be taken back', async () => {
    await set(page, 'SLOTS', '5')
    for (const [i, { id, set: changed, requests, look }] of presets.entries()) {
      await page.locator(`#preset-${id}`).click()
      await shows(page, requests ? { ...changed, REQUESTS: requests } : changed)
      await expect(page.locator(`#preset-${id}`)).toHaveAttribute('aria-pressed', 'true')
      await expect(page.locator('#preset-look')).toHaveText(look)
      if (i === 0) {
        await button(page, 'Hoàn tác').click()
        await expect(field(page, 'SLOTS')).toHaveValue('5')
      }
    }
    await page.locator('#preset-overload').click()
    await expect(figure(page, 1)).toHaveText('3 nhận · 7 × 429')
    await page.locator('#preset-tiny-pool').click()
    await expect(figure(page, 3)).toContainText('1 preempt')
  })

  test('requests are added, edited, followed and removed', async () => {
    await button(page, 'Thêm yêu cầu').click()
    await expect(cell(page, 5, 'id')).toBeFocused()
    await cell(page, 5, 'text').fill('ban hoc')
    await cell(page, 5, 'max_new').fill('0')
    await cell(page, 5, 'max_new').press('Enter')
    await expect(page.locator('#error-REQUESTS')).toContainText('Yêu cầu F: max_new = «0»')
    await expect(cell(page, 5, 'max_new')).toHaveAttribute('aria-invalid', 'true')
    await cell(page, 5, 'max_new').fill('3')
    await page.getByRole('radio', { name: 'Theo dõi yêu cầu A' }).check()
    await page.getByRole('button', { name: 'Xóa yêu cầu E' }).click()
    const rows = await page.locator('.requests-table tbody tr').evaluateAll((all) => all.map((row) => Object.fromEntries([...row.querySelectorAll('[data-cell-name]')].map((one) => [one.dataset.cellName, one.value]))))
    expect(rows.map(({ id }) => id).join('')).toBe('ABCDF')
    const requests = rows.map(({ id, text, ...numbers }) => ({ id, text, ...Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Number(value)])) }))
    await shows(page, { REQUESTS: requests, FOLLOW: 'A' })
    await noFindings(page)
    await page.locator('[data-reset="REQUESTS"]').click()
    await expect(cell(page, 0, 'id')).toBeFocused()
  })

  test('two requests of one name are refused by name, and nothing is lost', async () => {
    await cell(page, 1, 'id').fill('A')
    await cell(page, 1, 'id').press('Enter')
    await expect(page.locator('#error-REQUESTS')).toContainText('id không trùng')
    await expect(cell(page, 1, 'id')).toHaveValue('A')
    await expect(cell(page, 1, 'id')).toHaveAttribute('aria-invalid', 'true')
    await cell(page, 1, 'id').fill('B')
    await expect(cell(page, 1, 'id')).toHaveAttribute('aria-invalid', 'false')
    await expect(page.locator('#error-REQUESTS')).toBeEmpty()
  })

  test('a text that says the default is left alone while it is typed', async () => {
    await field(page, 'QUALITY_GATE').evaluate((node) => node.closest('details').setAttribute('open', ''))
    await field(page, 'QUALITY_GATE').fill('')
    await field(page, 'QUALITY_GATE').pressSequentially('0.9505')
    await expect(field(page, 'QUALITY_GATE')).toHaveValue('0.9505')
    await field(page, 'QUALITY_GATE').press('Backspace')
    await expect(field(page, 'QUALITY_GATE')).toHaveValue('0.950')
    await field(page, 'QUALITY_GATE').press('Enter')
    await expect(field(page, 'QUALITY_GATE')).toHaveValue('0.95')
    await cell(page, 0, 'temperature').fill('0.5')
    await cell(page, 0, 'temperature').press('Backspace')
    await cell(page, 0, 'temperature').pressSequentially('7')
    await expect(cell(page, 0, 'temperature')).toHaveValue('0.7')
  })

  test('sentences of the corpus are lines', async () => {
    await page.locator('#number-CORPUS').evaluate((node) => node.closest('details').setAttribute('open', ''))
    const corpus = ['xin chao model', 'ban hoc model token']
    await page.locator('#number-CORPUS').fill(corpus.join('\n\n'))
    await page.locator('#number-CORPUS').blur()
    await shows(page, { CORPUS: corpus })
  })

  test('what was reset comes back', async () => {
    await set(page, 'SLOTS', '3')
    await set(page, 'COST_GATEWAY', '12x')
    await button(page, 'Về mặc định').click()
    await expect(field(page, 'SLOTS')).toHaveValue('2')
    await button(page, 'Hoàn tác').click()
    await expect(field(page, 'SLOTS')).toHaveValue('3')
    await expect(field(page, 'COST_GATEWAY')).toHaveValue('12x')
  })

  test('what is taken back while an answer is under way is shown, and never the answer', async () => {
    await page.locator('#preset-tiny-pool').click()
    await set(page, 'SLOTS', '3')
    await shows(page, { POOL_BLOCKS: 6, SLOTS: 3 })
    await hold(page)
    await button(page, 'Về mặc định').click()
    await lab(page, 'running')
    await button(page, 'Hoàn tác').click()
    const seen = await page.evaluate(() => {
      const label = document.querySelector('#block-3 .panel-figure')
      window.seen = [label.textContent]
      new MutationObserver(() => window.seen.push(label.textContent)).observe(label, { childList: true, subtree: true, characterData: true })
      return window.seen
    })
    await letGo(page)
    await shows(page, { POOL_BLOCKS: 6, SLOTS: 3 })
    expect(new Set(await page.evaluate(() => window.seen))).toEqual(new Set(seen))
    await expect(page.locator('#undo')).toBeHidden() // nothing was set since
  })

  test('the link is copied, and says so beside the way back; the notice can be closed', async () => {
    if (await page.locator('#notice').isVisible()) await button(page, 'Đóng').click() // of what was done before
    await set(page, 'SLOTS', '3')
    await button(page, 'Chép liên kết').click()
    await expect(page.locator('#notice-text')).toHaveText('Đã chép liên kết.')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/\?v=1&set=SLOTS:3$/)
    await button(page, 'Đóng').click()
    await expect(page.locator('#notice')).toBeHidden()
    await button(page, 'Về mặc định').click()
    await button(page, 'Chép liên kết').click()
    await expect(page.locator('#notice-text')).toHaveText('Mọi hằng số và script đã về mặc định. Đã chép liên kết.')
    await button(page, 'Hoàn tác').click()
    await expect(field(page, 'SLOTS')).toHaveValue('3')
    await page.locator('#printout > summary').click()
    await page.locator('#copy').click()
    await expect(page.locator('#copy-note')).toHaveText('Đã sao chép.')
    await page.locator('#printout > summary').click()
  })

  test('back and forward go through what was set', async () => {
    await expect.poll(() => address(page)).toBe('')
    await set(page, 'SLOTS', '3')
    await expect.poll(() => address(page)).toBe('?v=1&set=SLOTS:3')
    await set(page, 'QUEUE_LIMIT', '2')
    await expect.poll(() => address(page)).toBe('?v=1&set=SLOTS:3,QUEUE_LIMIT:2')
    await page.goBack()
    await expect(field(page, 'QUEUE_LIMIT')).toHaveValue('1')
    await shows(page, { SLOTS: 3 })
    await page.goForward()
    await shows(page, { SLOTS: 3, QUEUE_LIMIT: 2 })
    await page.goBack()
    await expect(field(page, 'QUEUE_LIMIT')).toHaveValue('1')
    await slider(page, 'SLOTS').press('ArrowRight') // a step of its own
    await expect.poll(() => address(page)).toBe('?v=1&set=SLOTS:4')
    await page.goBack()
    await shows(page, { SLOTS: 3 })
  })

  test('two tabs: each has its own after a reload, in the middle of its history too; what is kept is for both', async () => {
    const other = await context.newPage()
    other.on('pageerror', (error) => errors.push(String(error)))
    await other.goto('./')
    await lab(other, 'ready')
    const hints = (of) => of.locator('[data-exercise="slots"] .hints li')
    await expect(hints(other)).toHaveCount(0)
    await expect(page.locator('.exercise')).toHaveCount(6)
    await page.locator('[data-exercise="slots"] > summary').click()
    await page.locator('[data-hint="slots"]').click()
    await expect(hints(other)).toHaveCount(1)
    await set(other, 'SLOTS', '5')
    await expect.poll(() => address(other)).toBe('?v=1&set=SLOTS:5')
    await set(page, 'QUEUE_LIMIT', '0,5')
    await other.goBack()
    await expect(field(other, 'SLOTS')).toHaveValue('2')
    await other.reload()
    await lab(other, 'ready')
    await expect(field(other, 'QUEUE_LIMIT')).toHaveValue('1')
    await other.goForward()
    await expect(field(other, 'SLOTS')).toHaveValue('5')
    await other.close({ runBeforeUnload: true })
    await page.reload()
    await lab(page, 'ready')
    await expect(field(page, 'QUEUE_LIMIT')).toHaveValue('0,5')
    await expect(hints(page)).toHaveCount(1)
    await page.locator('.requests-fold > summary').click()
    await button(page, 'Về mặc định').click()
    await button(page, 'Chạy').click()
    await shows(page, {})
  })

  test('a link is no way in: broken, hostile and later ones give defaults and a notice', async () => {
    const notice = page.locator('#notice-text')
    const script = (text) => btoa(strFromU8(deflateSync(strToU8(text)), true)).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
    for (const [query, word] of [
      ['?v=2&set=SLOTS:3', 'phiên bản sau'],
      ['?v=__proto__&set=SLOTS:3', 'Không đọc được'],
      ['?v=1&script=%3Cimg%20onerror%3D', 'Không đọc được'],
      [`?v=1&script=${script('\0'.repeat(30_000_000))}`, 'dài quá mức'],
      ['?v=1&set=SLOTS:999', 'SLOTS = «999»'],
      ['?v=1&set=__proto__:1,NOBODY:2', 'NOBODY'],
      ['?v=1&set=SLOTS:<img src=x onerror=window.hacked=1>', '<img src=x'],
      ['?v=1&follow=<img src=x onerror=window.hacked=1>', '<img src=x'],
      [`?v=1&set=${'SLOTS:3,'.repeat(125_000)}`, 'dài quá mức']
    ]) {
      await arrive(page, query)
      await expect(notice, query.slice(0, 60)).toContainText(word)
      await expect(field(page, 'SLOTS')).toHaveValue('2')
    }
    expect(await page.evaluate(() => [window.hacked, {}.polluted, document.querySelectorAll('#notice img').length])).toEqual([undefined, undefined, 0])
  })

  test('a script in a link waits for Chạy', async () => {
    const script = 'SLOTS = 3\nimport inference_lab as lab\nrun = lab.run(lab.Config.of(lab.constants(globals())))\nprint("từ liên kết")\n'
    const packed = btoa(strFromU8(deflateSync(strToU8(script)), true)).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
    await shows(page, {})
    await page.evaluate(() => {
      window.runs = 0
      const request = inferenceLab.request
      inferenceLab.request = (command, json) => (window.runs += command === 'run' ? 1 : 0, request(command, json))
    })
    await arrive(page, `?v=1&script=${packed}`)
    await expect(page.locator('#notice-text')).toContainText('Lab chưa chạy')
    await expect(field(page, 'SLOTS')).toHaveValue('3')
    await field(page, 'QUEUE_LIMIT').press('Enter')
    await expect(page.locator('#script-editor .cm-content')).toContainText('từ liên kết')
    await page.locator('#script-editor .cm-content').focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.insertText('# đã đọc\n')
    await slider(page, 'QUEUE_LIMIT').press('ArrowRight') // to read, to edit and to move a slider is not to run
    await expect(page.locator('#script-editor .cm-content')).toContainText('QUEUE_LIMIT = 2')
    await slider(page, 'QUEUE_LIMIT').press('ArrowLeft')
    expect(await page.evaluate(() => window.runs)).toBe(0)
    await button(page, 'Chạy').click()
    await shows(page, { SLOTS: 3 })
    expect(await page.evaluate(() => window.runs)).toBe(1)
  })

  test('everything typed survives a reload, and a shared link shows the same elsewhere', async ({ browser }) => {
    await set(page, 'SLOTS', '4')
    await cell(page, 0, 'text').fill('xin chao ban')
    await expect.poll(() => address(page)).toContain('requests=')
    const link = await page.evaluate(() => location.href)
    expect(link.length).toBeLessThan(2000)
    await set(page, 'COST_GATEWAY', '12x')
    await page.reload()
    await lab(page, 'ready')
    await expect(field(page, 'SLOTS')).toHaveValue('4')
    await expect(cell(page, 0, 'text')).toHaveValue('xin chao ban')
    await expect(field(page, 'COST_GATEWAY')).toHaveValue('12x')
    await expect(page.locator('#error-COST_GATEWAY')).toContainText('12x')
    expect(await page.evaluate(() => location.href)).toBe(link)

    const phone = await browser.newContext({ viewport: { width: 390, height: 844 } })
    const other = await phone.newPage()
    await other.addInitScript(() => Object.defineProperty(window, 'localStorage', { get: () => { throw new DOMException('blocked', 'SecurityError') } }))
    await other.goto(link)
    await lab(other, 'ready')
    await other.getByText('Hằng số', { exact: true }).first().click()
    await expect(field(other, 'SLOTS')).toHaveValue('4')
    await expect(cell(other, 0, 'text')).toHaveValue('xin chao ban')
    await other.evaluate(() => document.querySelectorAll('.constants details').forEach((fold) => (fold.open = true)))
    await noFindings(other)
    expect(await other.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
    await button(other, 'Chạy').click()
    await lab(other, 'done')
    await expect(figure(other, 3)).toHaveText(/\d+ bước/)
    await phone.close()
  })
})
