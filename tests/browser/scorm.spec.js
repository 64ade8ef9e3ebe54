// The SCORM package in a small LMS: the zip unpacked and served, scorm-again as the run-time, what it stores kept between two launches.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from '@playwright/test'
import { unzipSync } from 'fflate'
import { packageFiles, packageOf, zipped } from '../../scripts/scorm.mjs'
import { ROOT } from '../../scripts/setup.mjs'
import { Host } from './host.js'

const FOLDER = join(ROOT, '.cache', 'scorm-under-test')
const MASTERY = 33 // two of six

// An LMS's page: the API in a frame above the content, filled with what was stored, storing on every commit.
const LMS = `<!doctype html><meta charset="utf-8"><title>LMS</title>
<script src="/scorm12.js"></script>
<script>
const stored = JSON.parse(localStorage.getItem('cmi') ?? '{"core":{"entry":"ab-initio","lesson_mode":"normal","credit":"credit"}}')
delete stored.core.session_time
globalThis.API = new Scorm12API({ autocommit: false, lmsCommitUrl: false, logLevel: 5 })
API.loadFromJSON({ ...stored, student_data: { mastery_score: new URLSearchParams(location.search).get('mastery') } }, '')
globalThis.calls = []
const store = () => localStorage.setItem('cmi', JSON.stringify(API.renderCMIToJSONObject().cmi))
for (const name of ['LMSInitialize', 'LMSSetValue', 'LMSCommit', 'LMSFinish']) API.on(name, (...args) => calls.push([name, ...args]))
API.on('LMSCommit', store)
API.on('LMSFinish', store)
</script>
<frameset><frame src="/content/launch.html"></frameset>`

let host
test.beforeAll(async () => {
  await rm(FOLDER, { recursive: true, force: true })
  const members = unzipSync(zipped(await packageFiles(packageOf({ mastery: String(MASTERY) }))))
  for (const [path, bytes] of Object.entries(members)) {
    await mkdir(dirname(join(FOLDER, 'content', path)), { recursive: true })
    await writeFile(join(FOLDER, 'content', path), bytes)
  }
  await writeFile(join(FOLDER, 'scorm12.js'), await readFile(join(ROOT, 'node_modules/scorm-again/dist/scorm12.js')))
  await writeFile(join(FOLDER, 'lms.html'), LMS)
  await writeFile(join(FOLDER, 'elsewhere.html'), '<!doctype html><title>Trang khác</title>')
  host = new Host(FOLDER)
  await host.start()
})
test.afterAll(() => host.stop())

const content = (page) => page.frameLocator('frame')
const lab = (page) => content(page).frameLocator('#lab')
const value = (page, name) => page.evaluate((name) => API.LMSGetValue(name), name)
const stored = (page) => page.evaluate(() => JSON.parse(localStorage.getItem('cmi')))

async function launch(page) {
  await page.goto(`${host.origin}/lms.html?mastery=${MASTERY}`)
  await expect(lab(page).locator('html')).toHaveAttribute('data-lab', 'ready')
}

async function run(page) {
  await lab(page).getByRole('button', { name: 'Chạy', exact: true }).press('Enter')
  await expect(lab(page).locator('html')).toHaveAttribute('data-lab', 'done')
}

/** Opens an exercise of the lab and gives its constant this value; the run that follows is judged. */
async function attempt(page, constant, number, verdict) {
  const exercise = lab(page).locator(`[data-exercise="${constant.toLowerCase()}"]`)
  if (!await exercise.evaluate((fold) => fold.open)) await exercise.locator('> summary').click()
  const field = lab(page).locator(`#number-${constant}`)
  await field.fill(String(number))
  await field.press('Enter')
  await expect(exercise.locator('.verdict-line')).toContainText(verdict)
}

test('two launches on two machines: status, score and what is solved go to the LMS and come back', async ({ page, browser }) => {
  await launch(page)
  await expect(content(page).locator('#progress')).toHaveText('Đã giải 0/6 bài tập: 0 điểm, cần 33.')
  await expect(content(page).locator('#lms')).toHaveText('Kết quả được ghi vào LMS.')
  await expect(lab(page).locator('#whole')).toBeHidden() // it would lead out of the LMS
  expect(await value(page, 'cmi.core.lesson_status')).toBe('incomplete')

  await run(page)
  await attempt(page, 'SLOTS', 4, 'Với SLOTS = 4')
  await expect.poll(() => value(page, 'cmi.interactions._count')).toBe('1')
  expect(await value(page, 'cmi.core.lesson_status')).toBe('incomplete')
  await attempt(page, 'SLOTS', 3, 'Đạt. Với SLOTS = 3')
  await expect(content(page).locator('#progress')).toHaveText('Đã giải 1/6 bài tập: 17 điểm, cần 33.')
  expect(await value(page, 'cmi.core.score.raw')).toBe('17')
  expect(await value(page, 'cmi.core.lesson_status')).toBe('incomplete')
  await expect(content(page).locator('#trouble')).toBeEmpty()

  await page.goto(`${host.origin}/elsewhere.html`)
  const first = await stored(page)
  expect(JSON.parse(first.suspend_data)).toEqual({ v: 1, solved: ['SLOTS'], attempts: { SLOTS: 2 } })
  expect(first.core.exit).toBe('suspend')
  expect(first.core.score).toMatchObject({ raw: '17', min: '0', max: '100' })
  expect(first.core.session_time).toMatch(/^\d{2,4}:\d\d:\d\d(\.\d{1,2})?$/) // as the LMS keeps it: without zeros at the end
  expect(Object.values(first.interactions).map(({ id, type, result }) => [id, type, result])).toEqual([['SLOTS', 'performance', 'wrong'], ['SLOTS', 'performance', 'correct']])

  const context = await browser.newContext()
  const again = await context.newPage()
  await again.addInitScript((cmi) => localStorage.getItem('cmi') ?? localStorage.setItem('cmi', cmi), JSON.stringify(first))
  await launch(again)
  await expect(content(again).locator('#progress')).toHaveText('Đã giải 1/6 bài tập: 17 điểm, cần 33.')
  expect(await value(again, 'cmi.core.lesson_status')).toBe('incomplete')
  await run(again)
  await attempt(again, 'QUEUE_LIMIT', 2, 'Với QUEUE_LIMIT = 2')
  await expect(content(again).locator('#progress')).toHaveText('Đã giải 2/6 bài tập: 33 điểm, cần 33.')
  expect(await value(again, 'cmi.core.lesson_status')).toBe('passed')
  const frame = again.frames().find((one) => one.url().endsWith('/content/launch.html'))
  await again.evaluate(() => { calls.length = 0 })
  await frame.goto(`${host.origin}/elsewhere.html`)
  expect(await again.evaluate(() => calls.map(([name]) => name))).toEqual(['LMSSetValue', 'LMSCommit', 'LMSFinish'])
  expect((await stored(again)).core).toMatchObject({ lesson_status: 'passed', exit: 'suspend', score: { raw: '33' } })
  await context.close()
})

test('without an LMS the lab runs, and the page says that nothing is recorded', async ({ page }) => {
  await page.goto(`${host.origin}/content/launch.html`)
  await expect(page.locator('#lms')).toHaveText('Trang này không ở trong một LMS: lab vẫn chạy, nhưng kết quả không được ghi.')
  const frame = page.frameLocator('#lab')
  await frame.getByRole('button', { name: 'Chạy', exact: true }).press('Enter')
  await expect(frame.locator('#transcript')).toContainText('PASS')
  expect(host.asked.filter(({ path, status }) => path.startsWith('/content/') && status === 404)).toEqual([])
})

test('messages of anybody but the lab count for nothing', async ({ page }) => {
  await launch(page)
  const forged = { lab: 'inference-lab', v: 1, type: 'exercise', detail: { id: 'SLOTS', correct: true, attempts: 1, solved: ['SLOTS'], of: 6 } }
  await content(page).locator('body').evaluate(async (body, forged) => {
    const heard = new Promise((resolve) => addEventListener('message', resolve, { once: true }))
    postMessage(forged, '*')
    await heard
  }, forged)
  await expect(content(page).locator('#progress')).toHaveText(/^Đã giải 0\/6/)
  expect(await value(page, 'cmi.core.score.raw')).toBe('')
})

test('who calls leaving off is told that the LMS records no more', async ({ page }) => {
  await launch(page)
  await expect(content(page).locator('#lms')).toHaveText('Kết quả được ghi vào LMS.')
  await content(page).locator('body').evaluate(() => { dispatchEvent(new Event('beforeunload')) })
  await expect(content(page).locator('#lms')).toContainText('từ đây kết quả không được ghi')
  await expect(content(page).locator('#trouble')).toBeEmpty()
})
