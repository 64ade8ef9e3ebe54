// The lesson list's ticks: what the reader has done, kept in this browser only.
//
// What the lab and the lesson know to be done is ticked by itself (see `autoTicks`); the reader's own ticks come before it. The path
// shows the same ticks, and the first step without one.
import { answerQuestions } from '../offline/page.js';
import { byId, el } from './dom.js';
import { createStore, storedKeys } from './store.js';
import { autoTicks } from './ticks.js';

document.documentElement.dataset.lesson = 'alive'; // hides the sentence for when it is not
const store = createStore('lessons');
const boxes = [...document.querySelectorAll('[data-tick]')];
const kept = store.read();
const own = kept && typeof kept === 'object' && !Array.isArray(kept) ? kept : {}; // { unit: true or false }, only what the reader ticked or cleared
const auto = autoTicks((key) => createStore('', key).read(), storedKeys());

const steps = [...document.querySelectorAll('.path [data-step]')];
const isTicked = (id) => boxes.find(({ dataset }) => dataset.tick === id).checked;

/** The count, the path's own marks, and where to go on. */
function say() {
  const count = boxes.filter(({ checked }) => checked).length;
  byId('ticked').textContent = `${count}/${boxes.length} mục đã học.`;
  for (const step of steps) step.toggleAttribute('data-done', isTicked(step.dataset.step));
  const next = steps.find(({ dataset }) => !isTicked(dataset.step));
  const link = next?.querySelector('a');
  byId('next').replaceChildren(...(link ? ['Chặng tiếp theo: ', el('a', { href: link.href }, link.textContent), '.'] : ['Bạn đã đi hết lộ trình.']));
}

for (const box of boxes) {
  const id = box.dataset.tick;
  const showAuto = () => box.closest('li').toggleAttribute('data-auto', box.checked && auto.has(id));
  box.checked = own[id] ?? auto.has(id);
  box.addEventListener('change', () => {
    own[id] = box.checked;
    store.write(own);
    showAuto();
    say();
  });
  showAuto();
}
say();
answerQuestions();
