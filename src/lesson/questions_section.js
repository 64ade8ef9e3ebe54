// Section 6: questions that check themselves. What the reader wrote is kept in this browser when it has a place for it.
import { byId, el } from './dom.js';
import { readNumber, write } from './fields.js';
import { isRight, questions } from './questions.js';
import { createStore } from './store.js';

const RANGE = { min: -1e9, max: 1e9 };

export function questionsSection(data) {
  const store = createStore('one-model-call');
  const doneStore = createStore('one-model-call-done'); // for the lesson list
  const found = store.read();
  const kept = found && typeof found === 'object' ? found : {};
  const all = questions(data);
  const done = new Map(all.map(({ id }) => [id, false]));

  byId('question-list').replaceChildren(...all.map((question) => questionItem(question, kept[question.id] ?? {}, (answers, right) => {
    kept[question.id] = answers;
    done.set(question.id, right);
    store.write(kept);
    score();
  })));

  function score() {
    const count = [...done.values()].filter(Boolean).length;
    byId('questions-score').textContent = `${count}/${all.length} câu xong.`;
    doneStore.write([count, all.length]);
  }
  score();
}

/** report(answers, right): the reader's texts, and whether this question is done: all numbers right, or the answer opened after writing. */
function questionItem(question, kept, report) {
  const answers = { ...kept };
  const says = el('p', { className: 'says', role: 'status' });
  const model = el('details', {}, el('summary', {}, 'Đáp án'), el('p', {}, question.model));
  const item = el('li', { id: `question-${question.id}` }, el('p', {}, question.text));

  if (question.fields.length === 0) {
    const box = el('textarea', { rows: 3, value: answers.text ?? '', maxLength: 5000, ariaLabel: `Câu trả lời: ${question.text}` });
    const check = () => report(answers, Boolean(answers.compared));
    box.addEventListener('input', () => {
      answers.text = box.value;
      says.textContent = '';
      check();
    });
    model.addEventListener('toggle', () => {
      const written = box.value.trim() !== '';
      says.textContent = model.open && !written ? 'Bạn chưa viết gì. Viết vài chữ trước rồi so thì nhớ lâu hơn.' : '';
      if (model.open && written) answers.compared = true;
      check();
    });
    if (answers.compared) check();
    item.append(box, model, says);
    return item;
  }

  const inputs = question.fields.map((field, i) => {
    const id = `question-${question.id}-${i}`;
    const input = el('input', { id, type: 'text', inputMode: 'decimal', autocomplete: 'off', value: answers[i] ?? '' });
    input.addEventListener('input', () => { answers[i] = input.value; report(answers, false); says.textContent = ''; });
    return { field, input, row: el('div', { className: 'field' }, el('label', { htmlFor: id }, `${field.label} `, el('span', { className: 'unit' }, field.unit)), input) };
  });
  const button = el('button', { type: 'button' }, 'Kiểm tra');
  const check = () => {
    const read = inputs.map(({ field, input }) => readNumber(input.value, { label: field.label, ...RANGE }));
    const right = read.map(({ value }, i) => value !== undefined && isRight(inputs[i].field, value));
    inputs.forEach(({ input }, i) => { if (right[i]) input.removeAttribute('aria-invalid'); else input.setAttribute('aria-invalid', 'true'); });
    says.textContent = read.map(({ problem }, i) => problem ?? `${inputs[i].field.label}: ${right[i] ? '✓ đúng' : '✕ chưa đúng'} (bạn nhập ${write(read[i].value)}).`).join(' ');
    report(answers, right.every(Boolean));
  };
  button.addEventListener('click', check);
  for (const { input } of inputs) input.addEventListener('keydown', (event) => { if (event.key === 'Enter') check(); });
  item.append(el('div', { className: 'fields' }, ...inputs.map(({ row }) => row), button), says, model);
  if (inputs.every((_, i) => answers[i])) check();
  return item;
}
