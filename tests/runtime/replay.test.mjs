// What the replay shows at an instant, read from data small enough to check by eye; and where dots stand and travel.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eased, pointAt, spotsOf } from '../../src/replay/dots.js'
import { answer, crowd, figures, flows, holders, instantAt, lastAt, schedule, spoken, stayAt, why } from '../../src/replay/moment.js'

// A runs at once in the only slot, B waits for it, C is refused at the gateway. Instants: 0, 1 (a step), 2 (A ends, B starts), 3.
const DATA = {
  slots: 1, pool: 3, instants: [0, 1000, 2000, 5000], times: ['0.00 ms', '1.00 ms', '2.00 ms', '5.00 ms'],
  requests: [
    ['A', 0, [[0, 'tokenizing', '', 'A đang được tách token.', 0], [1, 'prefill', 0, '', 1], [2, 'done', '', 'A xong.', 2]], [[2, 'l']]],
    ['B', 1, [[0, 'waiting', '', 'B chờ.', 1], [2, 'prefill', 0, '', 2], [3, 'done', '', 'B xong.', 3]], [[3, 'h']]],
    ['C', 2, [[1, 'refused', '429', 'C nhận 429.', 1]], []],
  ],
  step: [0, 1, 2, 0], decided: [0, 1, 2, 3],
  steps: [[1, [[0, 'prefill', 4, 'A được cả 4 token.']]], [2, [[1, 'decode', 1, 'B được 1 token.']]]],
  queue: [[1, 1, 'B chờ: chỗ chạy duy nhất đang do A giữ.', '{} chờ: chỗ chạy duy nhất đang do A giữ.']],
  waiting: [2, 1, 0, 0], running: [0, 1, 1, 0], blocks: [0, 2, 1, 0], uses: [[0, 0, 1, 2], [1, 0, 1, 2], [0, 1, 2, 3]],
  places: [['gateway', 'L1-1'], ['tokenizing', 'L1-3'], ['waiting', 'L2-1'], ['prefill', 'L2-3'], ['decode', 'L2-4'], ['done', 'L1-4']],
  working: [['prefill', [['L2-3', 'L2-5']]], ['decode', [['L2-4', 'L2-5'], ['L2-4', 'L2-7']]]],
}
const [A, B, C] = [0, 1, 2]

test('the last row that is not later', () => {
  const rows = [[1], [3], [3], [7]]
  assert.deepEqual([0, 1, 2, 3, 6, 7, 99].map((i) => lastAt(rows, i)), [-1, 0, 0, 2, 2, 3, 3])
  assert.deepEqual([0, 999, 1000, 4999, 9999].map((us) => instantAt(DATA, us)), [0, 0, 1, 2, 3])
})

test('where a request is', () => {
  assert.equal(stayAt(DATA, C, 0), null)
  assert.deepEqual([0, 1, 2, 3].map((i) => stayAt(DATA, B, i).place), ['waiting', 'waiting', 'prefill', 'done'])
})

test('why it has what it has: the decision where there was one, else the place', () => {
  assert.deepEqual([0, 1, 2, 3].map((i) => why(DATA, B, i)), ['B chờ.', 'B chờ: chỗ chạy duy nhất đang do A giữ.', 'B được 1 token.', 'B xong.'])
  assert.deepEqual([0, 1, 2].map((i) => why(DATA, A, i)), ['A đang được tách token.', 'A được cả 4 token.', 'A xong.'])
  assert.equal(why(DATA, C, 0), 'C chưa đến: nó đến lúc 1.00 ms.')
  const behind = { ...DATA, queue: [[1, A, 'A chờ ở đầu hàng.', '{} chờ sau A.']] }
  assert.equal(why(behind, B, 1), 'B chờ sau A.')
})

test('who is drawn: whoever is in the system, and the end or the refusal for its instant alone', () => {
  const drawn = (i) => crowd(DATA, i).map(({ request, cell }) => `${DATA.requests[request][0]} ${cell}`)
  assert.deepEqual([0, 1, 2, 3].map(drawn), [['A L1-3', 'B L2-1'], ['B L2-1', 'A L2-3', 'C L1-1'], ['A L1-4', 'B L2-3'], ['B L1-4']])
})

test('tokens, blocks, figures and what is said of all', () => {
  assert.deepEqual([1, 2].map((i) => answer(DATA, A, i)), [[], ['l']])
  assert.deepEqual([...holders(DATA, 1)], [[0, A], [1, A]])
  assert.deepEqual([...holders(DATA, 2)], [[0, B]])
  assert.equal(figures(DATA, 1), 'chờ 1 · chạy 1/1 · 2/3 block')
  assert.equal(spoken(DATA, 1), 'Chạy: A. Chờ: B.')
})

test('work goes along the arrows of its phase when a step begins', () => {
  assert.deepEqual(flows(DATA, 0), [])
  assert.deepEqual(flows(DATA, 1), [{ phase: 'prefill', way: ['L2-3', 'L2-5'] }])
  assert.deepEqual(flows(DATA, 2).map(({ way }) => way[1]), ['L2-5', 'L2-7'])
})

test('a simulated millisecond takes a second, a long wait three, and a run of tiny steps is played by the step', () => {
  assert.deepEqual(schedule([0, 500, 1500, 2000]), [0, 0.5, 1.5, 2])
  assert.deepEqual(schedule([0, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 15000]).slice(-2), [7, 10])
  assert.deepEqual(schedule([0, 10, 20]), [0, 1, 2])
  assert.deepEqual(schedule([7]), [0])
})

test('dots stand along the lower edge of their cell, the followed one always among them', () => {
  const boxes = new Map([['L2-1', [10, 100, 70, 50]]]) // room for three
  const crowdOf = (n) => Array.from({ length: n }, (_, request) => ({ request, cell: 'L2-1' }))
  assert.deepEqual([...spotsOf(crowdOf(2), boxes, 0).shown.values()].map(({ x, y }) => [x, y]), [[23, 155], [45, 155]])
  const { shown, more } = spotsOf(crowdOf(5), boxes, 4)
  assert.deepEqual([...shown.keys()], [0, 4])
  assert.equal(more.get('L2-1').count, 3)
})

test('a way is walked evenly by its length, slow at both ends', () => {
  const way = { points: [[0, 0], [10, 0], [10, 30]], lengths: [0, 10, 40] }
  assert.deepEqual([0, 0.25, 0.5, 1].map((share) => pointAt(way, share)), [[0, 0], [10, 0], [10, 10], [10, 30]])
  assert.deepEqual([0, 0.5, 1].map(eased), [0, 0.5, 1])
})
