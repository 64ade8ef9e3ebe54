// A calculator for a real model: presets with their source, numbers to change, and the engine's answer.
// In: data { presets }, and `ask(command, body)`, which gives the engine's answer. Out: HTML elements. Computes nothing itself.
import { bars } from './bars.js';
import { element } from './grids.js';

const FIELDS = [
  ['layers', 'Số lớp', 1], ['kv_heads', 'KV head', 1], ['d_head', 'Chiều mỗi head', 1], ['bytes_per_element', 'Byte mỗi số (KV)', 1],
  ['context', 'Token mỗi chuỗi', 1], ['hbm_gib', 'Bộ nhớ GPU (GiB)', 'any'], ['weight_gib', 'Trọng số (GiB)', 'any'],
];

export function memory({ presets }, width, { ask, changed }) {
  const choice = element('select', { name: 'preset', 'aria-label': 'Mô hình mẫu' }, ...presets.map(({ name }, i) => element('option', { value: i }, name)));
  const inputs = FIELDS.map(([name, label, step]) => [name, element('input', { type: 'number', name: `memory-${name}`, min: step === 'any' ? 0 : 1, step, inputmode: 'decimal' }), label]);
  const source = element('p', { class: 'small' });
  const answer = element('p', { class: 'memory-answer', role: 'status' });
  const bar = element('div', {});
  let asked = 0;

  async function compute() {
    const mine = ++asked;
    const body = Object.fromEntries(inputs.map(([name, input]) => [name, input.value === '' ? null : Number(input.value)]));
    const result = await ask('memory', body);
    if (mine !== asked || !result) return;
    if (result.error) {
      answer.textContent = result.error.message;
      bar.replaceChildren();
      return;
    }
    answer.textContent = result.ok.text;
    bar.replaceChildren(...bars({ groups: [result.ok.group] }, width));
    changed();
  }

  function take() {
    const preset = presets[choice.value];
    for (const [name, input] of inputs) input.value = Number(Number(preset[name]).toFixed(2));
    source.replaceChildren(...(preset.source ? ['Số lớp, KV head, chiều head: ', element('a', { href: preset.source }, 'The Llama 3 Herd of Models, bảng 3'), '. Bộ nhớ GPU và kiểu số là giả định.'] : ['Mọi số của ví dụ này là giả định.']));
    compute();
  }

  choice.addEventListener('change', take);
  for (const [, input] of inputs) input.addEventListener('input', compute);
  take();
  return [element('div', { class: 'memory' }, element('label', { class: 'memory-preset' }, 'Bắt đầu từ ', choice),
    ...inputs.map(([, input, label]) => element('label', {}, element('span', {}, label), input))), source, answer, bar];
}
