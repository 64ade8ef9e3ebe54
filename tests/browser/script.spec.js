// A learner's script in the page's real worker: what it prints while it runs, Dừng, and what it cannot break.
// The scripts go in by `inferenceLab.request`, as the editor sends them.
import { expect, test } from '@playwright/test'

test.describe.configure({ mode: 'serial' })

let page
const elsewhere = []

test.beforeAll(async ({ browser }) => {
  page = await browser.newPage()
  page.on('request', (request) => new URL(request.url()).hostname === '127.0.0.1' || elsewhere.push(request.url()))
  await page.goto('./')
  await expect(page.locator('html')).toHaveAttribute('data-lab', 'ready', { timeout: 60_000 })
  await page.evaluate(() => {
    globalThis.heard = []
    inferenceLab.listen((kind, id, json) => heard.push({ kind, id, body: JSON.parse(json || '{}') }))
  })
})
test.afterAll(() => page.close())

const send = (command, body) => page.evaluate(([command, body]) => inferenceLab.request(command, JSON.stringify(body)), [command, body])

async function hear(kind, id) {
  const found = await page.waitForFunction(([kind, id]) => heard.find((one) => one.kind === kind && one.id === id), [kind, id], { timeout: 60_000 })
  return (await found.jsonValue()).body
}

const answerTo = async (command, body) => hear('answer', await send(command, body))

test('a script is run and its printing comes with the result', async () => {
  const { ok } = await answerTo('run', { script: 'import inference_lab as lab\nSLOTS = 3\nrun = lab.run(lab.Config.of(lab.constants(globals())))\nprint("xong")' })
  expect([ok.constants.SLOTS, ok.reports.length, ok.printed, ok.passed]).toEqual([3, 13, 'xong\n', true])
})

test('micropip comes from the page itself', async () => {
  const { ok } = await answerTo('run', { script: 'import micropip\nprint(len(micropip.list()) > 0)' })
  expect(ok.printed).toBe('True\n')
  expect(elsewhere).toEqual([])
})

test('what an endless loop prints is shown, and Dừng ends it', async () => {
  const endless = await send('run', { script: 'i = 0\nwhile True:\n    try:\n        print(i)\n        i += 1\n    except BaseException:\n        pass' })
  const { printed } = await hear('printed', endless)
  expect(printed.text.split('\n')[0]).toBe('0')
  await page.evaluate(() => inferenceLab.stop())
  const { ok } = await answerTo('run', {})
  expect(ok.passed).toBe(true)
  expect(await page.evaluate((id) => heard.some((one) => one.kind === 'answer' && one.id === id), endless)).toBe(false)
})

test('an interpreter that dies under a script that awaits is answered for, and another one runs', async () => {
  const { error } = await answerTo('run', { script: 'import asyncio, os\nawait asyncio.sleep(0)\nos._exit(1)' })
  expect(error.message).toContain('Trình thông dịch Python đã dừng giữa chừng')
  expect((await answerTo('run', {})).ok.passed).toBe(true)
})

test('after a script that spoils the interpreter a clean one gives the same figures', async () => {
  const { ok: clean } = await answerTo('run', {})
  const spoilt = await answerTo('run', { script: 'import json.encoder\njson.encoder.JSONEncoder.encode = lambda self, value: "{}"' })
  expect(spoilt).toEqual({})
  expect((await answerTo('run', {})).ok).toEqual(clean)
})
