// The lesson and the lesson list: calculators, players, questions and bad input on one page; measuring with a worker of the test's own,
// then the start of a real one; every link of the list in the lab.
import { expect, test } from '@playwright/test'
import { noFindings } from './axe.js'

const LESSON = './lessons/one-model-call.html'
const LIST = './lessons/index.html'
const WIDTHS = [1440, 1024, 390]

let page
let noise

/** A page that notes what it should not do: say something in the console, or ask another origin. */
async function open(browser, { use }, options = {}) {
  const context = await browser.newContext({ baseURL: use.baseURL, viewport: { width: 1440, height: 900 }, ...options })
  const made = await context.newPage()
  const heard = []
  made.on('console', (message) => heard.push(message.text()))
  made.on('pageerror', (error) => heard.push(String(error)))
  made.on('request', (request) => /^(https?|wss?):/.test(request.url()) && !request.url().startsWith(use.baseURL) && heard.push(request.url()))
  made.on('response', (response) => response.status() >= 400 && heard.push(`${response.status()} ${response.url()}`))
  return { made, heard }
}

async function noFindingsInBoth(one) {
  for (const colorScheme of ['light', 'dark']) {
    await one.emulateMedia({ colorScheme })
    await noFindings(one)
  }
  await one.emulateMedia({ colorScheme: null })
}

async function noSidewaysScroll(one) {
  for (const width of WIDTHS) {
    await one.setViewportSize({ width, height: 800 })
    await expect.poll(() => one.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), `at ${width}`).toBe(0)
  }
  await one.setViewportSize({ width: 1440, height: 900 })
}

const field = (form, name) => page.locator(`#${form} input[name="${name}"]`)
const problem = (form, name) => page.locator(`#${form}-${name}-problem`)
const chart = (id) => page.locator(`#${id} svg[role="img"]`).first()

test.beforeAll(async ({ browser }, { project }) => {
  ;({ made: page, heard: noise } = await open(browser, project))
  await page.goto(LESSON)
})

test.afterAll(() => page.context().close())

test('the two phases: steps, tokens that come at the end of a pass, and play', async () => {
  await expect(page.locator('.pass')).toHaveText(['5', '4', '1', '1', '1'])
  await expect(page.locator('.pass-phase')).toHaveText(['prefill', 'decode'])
  const answer = page.locator('#phase-answer .is-done')
  await page.locator('#phase-next').click()
  await expect(page.locator('#phase-note')).toContainText('Pass 1/5: prefill 5 token cùng lúc')
  await expect(answer).toHaveCount(0)
  await page.locator('#phase-next').click()
  await expect(page.locator('#phase-prompt .is-done')).toHaveCount(9)
  await expect(answer).toHaveCount(1)
  await page.locator('#phase-play').click()
  await expect(page.locator('.pass.is-running')).toHaveCount(1)
  await expect(answer).toHaveCount(4)
  await expect(page.locator('#phase-play')).toHaveText('Phát')
  await page.locator('#phase-at').press('Home')
  await expect(answer).toHaveCount(0)
  await page.locator('#phase-table summary').click()
  await expect(page.locator('#phase-table tbody tr')).toHaveCount(5)
})

test('reduced motion shows states: a pass that runs does not move', async () => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.locator('#phase-play').click()
  const running = page.locator('.pass.is-running')
  await expect(running).toHaveCount(1)
  expect(await running.evaluate((node) => getComputedStyle(node, '::after').animationName)).toBe('none')
  await page.locator('#phase-play').click()
  await expect(running).toHaveCount(0)
  await page.emulateMedia({ reducedMotion: null })
})

test('the clock: the sum is E2E, and a TTFT that starts at scheduling lacks 15.20 ms', async () => {
  await expect(page.locator('#clock-sum')).toContainText('22.00 ms + (4 − 1) × 1.13 ms = 22.00 ms + 3.40 ms = 25.40 ms. Đúng bằng E2E: 25.40 ms.')
  await page.getByLabel('được lập lịch').check()
  await expect(page.locator('#clock-sum')).toContainText('6.80 ms')
  await expect(page.locator('#clock-sum')).toContainText('thiếu 15.20 ms')
  await expect(chart('clock-chart')).toHaveAttribute('aria-label', /Bị bỏ quên: TTFT từ 1\.00 đến 16\.20 ms/)
  await expect(chart('clock-chart').getByText('bỏ quên 15.20')).toBeVisible()
  await page.getByLabel('yêu cầu đến').check()
  await expect(page.locator('#clock-throughput')).toContainText('18 token trong 26.40 ms')
  expect(await chart('clock-chart').getAttribute('aria-label')).toContain('TTFT từ 1.00 đến 23.00 ms')
})

test('the measured tables and their charts', async () => {
  await expect(page.locator('#measured-tables tbody tr')).toHaveCount(5)
  await expect(page.locator('#measured-notes')).toContainText('chỉ gấp 32.5 lần')
  await expect(page.locator('#measured-notes')).toContainText('114 lần trên GPU, 21.5 lần trên CPU')
  await expect(page.locator('#measured-notes')).toContainText('tính với 57.8 token/s của decode, con số chung cho cả bảng. Với 58.2 của đúng dòng 1024 thì là 113.')
  await expect(page.locator('#both-table tbody tr')).toHaveText([
    'Trọng số (GB)3.0876.170.50×', 'TTFT (s)0.15513.7850.011×', 'TPOT p50 (ms)17.19289.40.059×', 'Prefill (token/s)660274.388.9×', 'Decode (token/s)57.83.4516.8×',
    'Prefill ÷ decode11421.55.3×', 'Trần tính toán (GFLOP/s)27 630346.179.8×', 'Trần băng thông (GB/s)318.316.019.9×', 'Điểm cân bằng (FLOP/byte)86.821.64.0×'])
  await expect(chart('tpot-chart')).toHaveAttribute('aria-label', /64 token p50 17\.27 ms.* 64 token p95 30\.11 ms/)
  await expect(page.locator('#shares-table table').first().locator('tbody tr')).toHaveText([
    'prefill 64 token6410.0736.5 %157.549.5 %', 'prefill 256 token25618.0865.4 %70.722.2 %', 'prefill 1024 token102420.3873.8 %19.96.3 %', 'prefill 4096 token409619.8271.7 %4.81.5 %', 'decode, batch 110.1780.65 %178.556.1 %'])
  await expect(page.locator('#decode-share')).toHaveText('56.1 %')
  for (const id of ['ttft-chart', 'tpot-chart', 'rates-chart']) await expect(chart(id)).toBeVisible()
  await expect(page.locator('#shares-notes')).toContainText('49.5 % trần băng thông nhưng chỉ 36.5 % trần tính toán')
  await expect(page.locator('#shares-table .notice')).toContainText('133 %')
})

test('the roofline: five measured points, double compute, double bandwidth, 64 tokens, a card', async () => {
  const says = page.locator('#roof-says')
  await expect(says).toContainText('86.8 FLOP/byte')
  await expect(says).toContainText('Tính toán nhanh gấp đôi: mỗi bước decode còn 100 % thời gian. Băng thông gấp đôi: còn 50 %.')
  await page.locator('#roof-table summary').click()
  await expect(page.locator('#roof-table td:text-is("đo được")')).toHaveCount(5)
  await page.getByRole('button', { name: 'Prompt 64' }).click()
  await expect(says).toContainText('Prefill 64 token: 64 FLOP/byte, đợi băng thông.')
  const speed = async () => (await says.textContent()).match(/nhanh nhất ([\d.]+) token/)[1]
  const before = await speed()
  await page.getByRole('button', { name: 'Tính toán × 2' }).click()
  await expect(field('roof-form', 'compute')).toHaveValue('55.26')
  await expect(page.locator('#card')).toHaveValue('own')
  await expect(page.locator('#roof-table details')).toHaveAttribute('open', '') // a fold stays as it was
  await expect(page.locator('#roof-table td:text-is("đo được")')).toHaveCount(5) // what was measured was measured, whatever the ceilings
  await expect(says).not.toContainText('Vượt 100 %')
  for (let times = 0; times < 2; times++) await page.getByRole('button', { name: 'Tính toán ÷ 2' }).click()
  await expect(field('roof-form', 'compute')).toHaveValue('13.815')
  await expect(says).toContainText('Chấm «đo 1024» đạt 148 % của trần (3 chấm vượt trần). Vượt 100 % không phải máy chạy quá sức: trần ấy sai.')
  await page.getByRole('button', { name: 'Tính toán × 2' }).click()
  expect(await speed()).toBe(before)
  await page.getByRole('button', { name: 'Băng thông × 2' }).click()
  expect(Number(await speed()) / Number(before)).toBeCloseTo(2, 1)
  await page.locator('#card').selectOption('h100')
  await expect(page.locator('#card-source a')).toHaveAttribute('href', /^https:/)
  await expect(page.locator('#roof-table td:text-is("đo được")')).toHaveCount(0)
  await expect(says).toContainText('295.2 FLOP/byte')
  await page.locator('#card').selectOption('cpu')
  await expect(page.locator('#dtype')).toHaveValue('4')
  await expect(page.locator('#roof-table td:text-is("đo được")')).toHaveCount(2)
  await expect(says).toContainText('Chấm «decode đo được» đạt 133 % của trần.')
  await page.getByRole('button', { name: 'Về số đã đo' }).click()
  await expect(says).toContainText('Prefill 1024 token')
})

test('bad input: a sentence with the field and its range, the last good chart stays, what was typed too', async () => {
  const good = await chart('roofline').getAttribute('aria-label')
  const sentences = await page.locator('#roof-says').textContent()
  for (const typed of ['0', '-3', '', '1e99', 'abc', '1,5', '2.5']) {
    await field('roof-form', 'prompt').fill(typed)
    await expect(problem('roof-form', 'prompt')).toContainText(/^Prompt( = «.*»)?: cần số nguyên từ 1 đến 1.000.000 token\. Hãy|^Prompt.*từ 1 đến 1.000.000 token\. (Ô|Đây)/)
    await expect(field('roof-form', 'prompt')).toHaveAttribute('aria-invalid', 'true')
    await expect(field('roof-form', 'prompt')).toHaveValue(typed)
    expect(await chart('roofline').getAttribute('aria-label')).toBe(good)
    expect(await page.locator('#roof-says').textContent()).toBe(sentences)
  }
  await field('roof-form', 'prompt').fill('256')
  await expect(problem('roof-form', 'prompt')).toBeEmpty()
  expect(await chart('roofline').getAttribute('aria-label')).not.toBe(good)
  await field('roof-form', 'compute').fill('0')
  await expect(problem('roof-form', 'compute')).toContainText('Trần tính toán')
  await field('roof-form', 'prompt').fill('512') // a good value counts beside a bad one, whose last good one stays
  await expect(page.locator('#roof-says')).toContainText('86.8 FLOP/byte')
  await expect(page.locator('#roof-says')).toContainText('Prefill 512 token')
  await page.getByRole('button', { name: 'Về số đã đo' }).click()
  await expect(problem('roof-form', 'compute')).toBeEmpty()
  await field('work-form', 'prompt').fill('63')
  await expect(problem('work-form', 'prompt')).toContainText('từ 64 đến 4096')
  await field('work-form', 'prompt').fill('1000')
})

test('what to improve: 1.47 s and 13.6 s, split by phase, and which phase pays', async () => {
  const row = (name) => page.locator('#work-table tbody tr', { hasText: name })
  await expect(row('Prompt dài')).toHaveText(/1\.47\s*43\.4\s%.*cả hai pha/)
  await expect(row('Prompt ngắn')).toHaveText(/13\.6\s*0\.3\s%.*decode/)
  await field('work-form', 'prompt').fill('4096')
  await field('work-form', 'answer').fill('1')
  await expect(row('Của bạn')).toHaveText(/0\.64\s*100\.0\s%.*prefill/)
})

test('ten questions: numbers are judged, words compared after writing, all of it kept', async () => {
  await expect(page.locator('#question-list > li')).toHaveCount(10)
  const e2e = page.locator('#question-e2e')
  await e2e.getByLabel('E2E của A').fill('1.47')
  await e2e.getByLabel('E2E của B').fill('20')
  await e2e.getByRole('button', { name: 'Kiểm tra' }).click()
  await expect(e2e.locator('.says')).toHaveText('E2E của A: ✓ đúng (bạn nhập 1.47). E2E của B: ✕ chưa đúng (bạn nhập 20).')
  await e2e.getByLabel('E2E của B').fill('13.6')
  await e2e.getByLabel('E2E của B').press('Enter')
  await expect(page.locator('#questions-score')).toHaveText('1/10 câu xong.')
  const short = page.locator('#question-short')
  await short.locator('summary').click()
  await expect(short.locator('.says')).toContainText('Bạn chưa viết gì')
  await short.locator('summary').click()
  await short.locator('textarea').fill('Thiếu điều kiện độ dài.')
  await short.locator('summary').click()
  await expect(page.locator('#questions-score')).toHaveText('2/10 câu xong.')
  await page.reload()
  await expect(page.locator('#questions-score')).toHaveText('2/10 câu xong.')
  await expect(short.locator('textarea')).toHaveValue('Thiếu điều kiện độ dài.')
})

test('what was set in the calculators is there after a reload, and nothing else is believed', async () => {
  await page.locator('#card').selectOption('a100')
  await field('roof-form', 'prompt').fill('77')
  await field('work-form', 'answer').fill('321')
  await page.getByLabel('được lập lịch').check()
  await page.locator('#phase-next').click()
  const both = () => Promise.all([chart('roofline').getAttribute('aria-label'), page.locator('#work-table').textContent()])
  const before = await both()
  await page.reload()
  await expect(field('roof-form', 'prompt')).toHaveValue('77')
  await expect(page.locator('#card')).toHaveValue('a100')
  expect(await both()).toEqual(before)
  await page.goto(LIST)
  await page.goBack()
  await expect(page.locator('#clock-sum')).toContainText('ms')
  const [from, sum, at, note] = await page.evaluate(() => [document.querySelector('[name=clock]:checked').value, document.querySelector('#clock-sum').textContent, document.querySelector('#phase-at').value, document.querySelector('#phase-note').textContent])
  expect([sum.includes('thiếu'), note.startsWith(`Pass ${at}/`)]).toEqual([from === 'start', at !== '0']) // whatever the browser brought back, controls and sentences agree
  await page.evaluate(() => {
    localStorage.setItem('inference-lab:balance', '{"prompt":1e9,"batch":"x","compute":-1,"bytes":3,"measured":"__proto__"}')
    localStorage.setItem('inference-lab:improve', '[1]')
  })
  await page.reload()
  await expect(field('roof-form', 'prompt')).toHaveValue('1024')
  await expect(page.locator('#card')).toHaveValue('rtx3060')
  await expect(problem('roof-form', 'prompt')).toBeEmpty()
})

test('the bar says which section is read, by press and by scrolling', async () => {
  const current = page.locator('.contents [aria-current]')
  await page.locator('.contents').getByText('Giới hạn').click()
  await expect(current).toHaveText('Giới hạn')
  await page.locator('#measured').evaluate((section) => section.scrollIntoView())
  await expect(current).toHaveText('Số đo trên máy thật')
  await page.setViewportSize({ width: 390, height: 800 })
  await page.locator('#machine').evaluate((section) => section.scrollIntoView())
  await expect(current).toHaveText('Đo máy của bạn')
  await expect(current).toBeInViewport({ ratio: 0.9 })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.evaluate(() => scrollTo(0, 0))
})

test('on paper: black on white also from a dark screen, folds open, no buttons', async () => {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.locator('#measured-tables details').first()).not.toHaveAttribute('open')
  await expect(page.locator('#measured-tables .conditions').first()).toBeVisible()
  await expect(page.locator('.bar')).toBeHidden()
  await expect(page.locator('#phase-play')).toBeHidden()
  expect(await page.evaluate(() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color])).toEqual(['rgb(255, 255, 255)', 'rgb(0, 0, 0)'])
  await page.emulateMedia({ media: null, colorScheme: null })
})

test('text twice as large: nothing runs out of the page', async () => {
  await page.evaluate(() => { document.documentElement.style.fontSize = '200%' })
  await noSidewaysScroll(page)
  await page.setViewportSize({ width: 390, height: 800 })
  await noFindings(page)
  await page.evaluate(() => { document.documentElement.style.fontSize = '' })
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('by keyboard: the skip link, the clock, a slider, a fold', async () => {
  await page.reload()
  await page.locator('body').press('Tab')
  await expect(page.locator('.skip')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.locator('#phases')).toBeFocused()
  await page.getByLabel('yêu cầu đến').focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.locator('#clock-sum')).toContainText('thiếu 15.20 ms')
  const slider = page.locator('#roof-form input[type="range"]').nth(1)
  const before = await field('roof-form', 'bandwidth').inputValue()
  await slider.focus()
  await page.keyboard.press('ArrowRight')
  await expect(field('roof-form', 'bandwidth')).not.toHaveValue(before)
})

test('no axe finding in light and dark, no sideways scroll', async () => {
  await noSidewaysScroll(page)
  await noFindingsInBoth(page)
})

test('a changed constant runs the engine; measuring shows its progress and stops', async () => {
  await field('phase-form', 'TOKEN_BUDGET').fill('64')
  await expect(page.locator('#phase-source')).toHaveText('Engine vừa chạy trong trình duyệt này với số của bạn.')
  await expect(page.locator('.pass').first()).toHaveText('9')
  await page.locator('#machine-size').selectOption('tiny')
  await page.locator('#machine-start').click()
  await expect(page.locator('#machine-progress')).toBeVisible()
  await expect(page.locator('#machine-status')).toContainText(/Đang đo/)
  await page.locator('#machine-stop').click()
  await expect(page.locator('#machine-status')).toHaveText('Đã dừng đo.')
  await expect(page.locator('#machine-progress')).toBeHidden()
  expect(noise).toEqual([])
})

test.describe('measuring, with a worker that answers at once', () => {
  test.describe.configure({ mode: 'serial' })

  let machine
  let heard
  let measured // the address of a page that shows a result

  /** In the page: a worker whose answers the test chooses: `answers[command](body)` -> what is sent back. */
  function fakeWorker() {
    const spread = (median) => ({ median, low: median * 0.9, high: median * 1.1, repeats: 5 })
    const phase = (tokens, seconds) => ({ tokens, seconds: spread(seconds), tokens_per_s: tokens / seconds, compute_share: 0.6, bandwidth_share: 1.25, flops: tokens * 3e7, bytes: 15e6, intensity: tokens * 2 })
    const sizes = ['tiny', 'small', 'medium', 'large']
    globalThis.answers = {
      machine_point: ({ point, size }) => (size === 'large' ? { error: { constant: 'size', message: 'Cỡ lớn cần chừng 2533 MB bộ nhớ trống, mà máy không có đủ. Hãy chọn cỡ vừa.' } } : { ok: spread(point.startsWith('prefill') || point === 'decode' ? 0.1 : 5e9) }),
      machine_plan: ({ size, whole }) => {
        const prompts = whole ? [16, 1024] : size === 'medium' ? [] : [16]
        const chosen = size ?? 'tiny'
        return { ok: { size: chosen, smaller: sizes[sizes.indexOf(chosen) - 1] ?? null, prompts, left_out: whole ? [] : [16, 1024].slice(prompts.length), points: ['matmul_float32', 'read', ...prompts.map((n) => `prefill ${n}`), 'decode'], seconds: 20, whole_s: 300, budget_s: 60 } }
      },
      machine_record: ({ size, points }) => ({ ok: {
        kind: 'inference-lab/machine', version: 1, size, where: { place: 'browser', system: 'Trình duyệt thử', python: '3.14', numpy: '2.4' }, shape: { layers: 4, width: 256, heads: 4, weight_bytes: 15e6 }, points,
        result: { prefill: Object.keys(points).filter((name) => name.startsWith('prefill')).map((name) => phase(Number(name.split(' ')[1]), 0.5)), decode: phase(1, 0.05), balance_flop_per_byte: 2.5, measured_ratio: 6.4, predicted_ratio: 5, wrong_ceilings: ['bandwidth'] } } }),
    }
    globalThis.asked = []
    globalThis.Worker = class {
      constructor() { queueMicrotask(() => this.onmessage({ data: { id: 0, json: '{"ready":{}}' } })) }
      postMessage({ id, command, json }) {
        globalThis.asked.push(command)
        const answer = globalThis.answers[command](JSON.parse(json)) // none: it takes its time
        if (answer) queueMicrotask(() => this.onmessage?.({ data: { id, json: JSON.stringify(answer) } }))
      }
      terminate() { this.onmessage = null }
    }
  }

  test.beforeAll(async ({ browser }, { project }) => {
    ;({ made: machine, heard } = await open(browser, project, { permissions: ['clipboard-read', 'clipboard-write'] }))
    await machine.addInitScript(fakeWorker)
    await machine.goto(LESSON)
  })

  test.afterAll(() => machine.context().close())

  const status = () => machine.locator('#machine-status')

  test('a result, what was left out, and asking before it takes longer than a minute', async () => {
    await machine.locator('#machine-start').click()
    await expect(status()).toHaveText('Đã đo xong, cỡ rất nhỏ. Chưa đo prompt 1024 token: cả lượt sẽ lâu hơn 60 giây.')
    await expect(machine.locator('#machine-result')).toContainText('Prefill 16: TTFT')
    await expect(machine.locator('#machine-result')).not.toContainText('Prefill 1024')
    await expect(machine.locator('#machine-result .finding')).toContainText('vượt 100 % trần')
    await expect(machine.locator('#machine-result .finding')).toContainText('Điểm cân bằng 2.50 FLOP/byte. Decode có 2.0: đợi đọc. Prefill 16 token có 32.0: đợi tính.')
    await expect(machine.locator('#machine-result .finding')).toContainText('Nếu nó chứa được cả 15 MB trọng số thì decode đọc từ đó chứ không từ bộ nhớ.')
    await expect(machine.locator('#machine-result svg[role="img"]')).toHaveAttribute('aria-label', /^Roofline: gãy ở 1\.0 FLOP\/byte\. đo 16: 32\.0 FLOP\/byte, 0\.96 GFLOP\/s/)
    const before = await machine.evaluate(() => asked.length)
    await machine.getByRole('button', { name: 'Đo cả prompt 1024 (thêm chừng 5 phút)' }).click()
    await expect(machine.locator('#machine-result')).toContainText('Prefill 1024')
    expect(await machine.evaluate((from) => asked.slice(from), before)).toEqual(['machine_plan', 'machine_point', 'machine_record'])
    await expect(machine.locator('#machine-offer button')).toHaveCount(0)
  })

  test('too slow or too little memory: said, with a smaller size, and the last result stays', async () => {
    const old = await machine.locator('#machine-result').textContent()
    await machine.locator('#machine-size').selectOption('medium')
    await machine.locator('#machine-start').click()
    await expect(machine.locator('#machine-alert')).toContainText('Cỡ vừa cần chừng 5 phút')
    await expect(machine.locator('#machine-offer button')).toHaveText(['Đo cỡ nhỏ', 'Vẫn đo (chừng 5 phút)'])
    await machine.locator('#machine-size').selectOption('large')
    await machine.locator('#machine-start').click()
    await expect(machine.locator('#machine-alert')).toContainText('mà máy không có đủ')
    expect(await machine.locator('#machine-result').textContent()).toBe(old)
    await machine.getByRole('button', { name: 'Đo cỡ vừa' }).click()
    await machine.getByRole('button', { name: 'Đo cỡ nhỏ' }).click()
    await expect(status()).toContainText('Đã đo xong, cỡ nhỏ.')
    await expect(machine.locator('#machine-alert')).toBeEmpty()
  })

  test('a machine slower than planned: the longer prompt waits until the reader agrees', async () => {
    await machine.evaluate(() => {
      const { machine_point: point, machine_plan: plan } = answers
      answers.machine_point = (body) => (body.point === 'prefill 1024' && 'elapsed_s' in body ? { ok: null } : point(body))
      answers.machine_plan = (body) => ({ ok: { ...plan({ ...body, whole: true }).ok, seconds: 20, whole_s: 20 } })
    })
    await machine.locator('#machine-size').selectOption('tiny')
    await machine.locator('#machine-start').click()
    await expect(status()).toHaveText('Đã đo xong, cỡ rất nhỏ. Chưa đo prompt 1024 token: cả lượt sẽ lâu hơn 60 giây.')
    await expect(machine.locator('#machine-result')).not.toContainText('Prefill 1024')
    await machine.getByRole('button', { name: 'Đo cả prompt 1024 (máy đang chậm, có thể lâu hơn một phút)' }).click()
    await expect(machine.locator('#machine-result')).toContainText('Prefill 1024')
  })

  test('a question of another section survives the stop of a measurement', async () => {
    await machine.evaluate((run) => {
      globalThis.answers.machine_point = () => undefined
      globalThis.answers.figures = () => ({ ok: run })
    }, { constants: { FOLLOW: 'C', REQUESTS: [{ id: 'C', arrival: 1000 }] }, bpe: { vocabulary: ['a'] }, steps: [{ start_us: 16200, end_us: 23000, tasks: [['C', 'prefill', 7]] }],
      served: [{ id: 'C', ready_us: 1650, start_us: 16200, finish_us: 23000, token_times_us: [23000], prompt_tokens: ['a'], output_ids: [0] }] })
    await machine.locator('#machine-start').click()
    await expect(status()).toContainText('Đang đo')
    await machine.locator('#phase-form input[name="TOKEN_BUDGET"]').fill('64')
    await machine.locator('#machine-stop').click()
    await expect(machine.locator('#phase-source')).toHaveText('Engine vừa chạy trong trình duyệt này với số của bạn.')
    await expect(machine.locator('.pass')).toHaveText(['7'])
    await expect(machine.locator('#clock-sum')).toContainText('chỉ có một token')
  })

  test('a page that was hidden while it measured says so', async () => {
    await machine.reload()
    await machine.evaluate(() => {
      const { machine_point: point } = globalThis.answers
      globalThis.answers.machine_point = (body) => {
        Object.defineProperty(document, 'hidden', { value: true, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
        return point(body)
      }
    })
    await machine.locator('#machine-start').click()
    await expect(machine.locator('#machine-alert')).toContainText('Trang bị ẩn trong lúc đo')
  })

  test('kept, pasted beside, refused when it is no record, shared as a link', async () => {
    await machine.reload()
    await expect(status()).toHaveText('Kết quả dưới đây là của lần đo trước trong trình duyệt này.')
    await machine.locator('#machine-copy').click()
    await expect(machine.locator('#machine-copied')).toHaveText('Đã chép JSON.')
    const made = await machine.evaluate(() => navigator.clipboard.readText())
    await machine.locator('#machine-paste summary').click()
    const box = machine.locator('#machine-json')
    for (const bad of ['', '{', '[]', '{"kind":"inference-lab/machine","version":1}', made.replace('"version":1', '"version":2')]) {
      await box.fill(bad)
      await machine.locator('#machine-compare').click()
      await expect(machine.locator('#machine-alert')).toContainText('JSON: không đọc được')
      await expect(box).toHaveValue(bad)
      await expect(machine.locator('#machine-result')).not.toContainText('Để so')
    }
    await box.fill(made.replace('Trình duyệt thử', '<img src=x onerror=alert(1)>').replace('"place":"browser"', '"place":"native"'))
    await machine.locator('#machine-compare').click()
    await expect(machine.locator('#machine-alert')).toBeEmpty()
    await expect(machine.locator('#machine-result')).toContainText('<img src=x onerror=alert(1)>')
    await expect(machine.locator('#machine-result img')).toHaveCount(0)
    await machine.locator('#machine-link').click()
    await expect(machine.locator('#machine-copied')).toHaveText('Đã chép liên kết.')
    measured = await machine.evaluate(() => navigator.clipboard.readText())
    await machine.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true }))
    await machine.locator('#machine-copy').click()
    await expect(machine.locator('#machine-out')).toHaveValue(made) // where there is no clipboard; what was pasted stays
    await expect(box).toHaveValue(/onerror/)
    await noSidewaysScroll(machine)
    await noFindingsInBoth(machine)
    await machine.getByRole('button', { name: 'Bỏ kết quả để so' }).click()
    await expect(machine.locator('#machine-result')).not.toContainText('Để so')
    await machine.evaluate((address) => { location.hash = new URL(address).hash }, measured) // a link opened in this very page
    await expect(machine.locator('#machine-result')).toContainText('Để so')
    await machine.evaluate(() => { location.hash = '#may=abc' })
    await expect(machine.locator('#machine-alert')).toContainText('không đọc được')
    await expect(machine.locator('#machine-result')).toContainText('Để so')
  })

  test('a link shows its result to someone who measured nothing, a broken one says so', async ({ browser }, { project }) => {
    const { made: other, heard: said } = await open(browser, project)
    await other.goto(measured)
    await expect(other.locator('#machine-status')).toContainText('Bảng dưới đây là kết quả mà liên kết mang theo.')
    await expect(other.locator('#machine-result')).toContainText('Để so')
    await other.goto(`${LESSON}?other#may=abc`)
    await expect(other.locator('#machine-alert')).toContainText('không đọc được')
    await other.context().close()
    expect([...heard, ...said]).toEqual([])
  })
})

test.describe('the list', () => {
  test.describe.configure({ mode: 'serial' })

  let list
  let heard
  let hrefs

  test.beforeAll(async ({ browser }, { project }) => {
    ;({ made: list, heard } = await open(browser, project))
    await list.goto(LIST)
  })

  test.afterAll(() => list.context().close())

  test('ticks are kept; what the lab and the lesson know to be done is ticked by itself', async () => {
    await expect(list.locator('#ticked')).toHaveText('0/48 mục đã học.')
    await expect(list.locator('#next')).toHaveText('Chặng tiếp theo: Một lần gọi mô hình tốn gì.')
    await list.locator('[data-tick="block-1"]').check()
    await expect(list.locator('[data-step="block-1"] .done')).toBeVisible()
    await expect(list.locator('[data-step] .done:visible')).toHaveCount(1)
    await list.evaluate(() => {
      localStorage.setItem('inference-lab/1', JSON.stringify({ kept: { exercises: { slots: ['falls', ['{}'], 0, false, true], block_size: ['', [], 0, false, false] } } }))
      localStorage.setItem('inference-lab:one-model-call-done', '[10,10]')
    })
    await list.reload()
    await expect(list.locator('#ticked')).toHaveText('3/48 mục đã học.')
    await expect(list.locator('[data-unit="exercise-slots"] .auto')).toBeVisible()
    await expect(list.locator('[data-unit="block-1"] .auto')).toBeHidden()
    await expect(list.locator('#next')).toHaveText('Chặng tiếp theo: Sơ đồ một hệ phục vụ LLM.')
    await list.locator('[data-tick="exercise-slots"]').uncheck()
    await list.reload()
    await expect(list.locator('#ticked')).toHaveText('2/48 mục đã học.')
    await noSidewaysScroll(list)
    await noFindingsInBoth(list)
    hrefs = await list.locator('main a').evaluateAll((links) => [...new Set(links.map(({ href }) => href))])
  })

  test('every link leads to a filled place, also those of the lab to the lesson', async () => {
    await list.evaluate(() => localStorage.clear())
    const [lab] = hrefs.filter((href) => href.endsWith('index.html#exercise-slots'))
    await list.goto(lab)
    await expect(list.locator('#exercise-slots')).toHaveAttribute('open', '', { timeout: 90_000 })
    await expect(list.locator('#exercise-slots .exercise-body')).toContainText('SLOTS')
    const places = hrefs.filter((href) => href.includes('index.html#')).map((href) => href.split('#')[1])
    expect(places.length).toBe(47)
    const empty = await list.evaluate(async (ids) => {
      const wrong = []
      for (const id of ids) {
        location.hash = id
        const filled = () => {
          const node = document.getElementById(id)
          return Boolean(node?.checkVisibility()) && node.innerText.trim().length > 40 && (node.tagName !== 'DETAILS' || node.open)
        }
        for (let frames = 0; frames < 60 && !filled(); frames++) await new Promise(requestAnimationFrame)
        if (!filled()) wrong.push(id)
      }
      return wrong
    }, places)
    expect(empty).toEqual([])

    const toLesson = await list.locator('.about-lesson a').evaluateAll((links) => links.map((link) => [link.closest('article').id, link.href]))
    expect(toLesson.map(([id]) => id)).toEqual(['text-L2-3', 'text-L2-4', 'text-L4-1', 'text-L4-2'])
    const toList = await list.locator('.masthead a').evaluateAll((links) => links.map(({ href }) => href))
    expect(toList).toEqual([expect.stringMatching(/\/lessons\/index\.html$/)])
    for (const address of [...toLesson.map(([, href]) => href), ...toList]) {
      await list.goto(address)
      const anchor = address.split('#')[1]
      await expect(list.locator(anchor ? `#${anchor}` : 'h1')).toBeVisible()
    }
    expect(heard).toEqual([])
  })
})
