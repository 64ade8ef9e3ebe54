// A row of number fields that a reader may change: each with its label, unit, a slider where one helps, and a sentence when what was
// typed is no good. What was typed stays; the last good values stay in force.
import { readNumber } from './fields.js';

/**
 * fields: [{ name, label, unit, min, max, value, whole, slider: [from, to, step] or nothing, log }]
 * onChange(values) is called with the last good value of every field whenever one has changed to a good one.
 */
export function createForm(form, fields, onChange) {
  const values = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
  const inputs = {};
  for (const field of fields) inputs[field.name] = addField(form, field, (value) => accept({ [field.name]: value }));
  form.addEventListener('submit', (event) => event.preventDefault());

  function accept(changes) {
    Object.assign(values, changes);
    onChange({ ...values });
  }

  return {
    values: () => ({ ...values }),
    /** Put back what was kept: of whatever shape, only good values are taken. -> whether any was */
    restore(kept) {
      const good = fields.filter((field) => typeof kept?.[field.name] === 'number' && 'value' in readNumber(String(kept[field.name]), field));
      for (const { name } of good) {
        values[name] = kept[name];
        inputs[name].show(kept[name]);
      }
      return good.length > 0;
    },
    /** Put values into the fields, as if the reader had typed them. */
    set(changes) {
      const good = Object.entries(changes).filter(([name, value]) => inputs[name].show(value));
      accept(Object.fromEntries(good));
    },
  };
}

function addField(form, field, accept) {
  const id = `${form.id}-${field.name}`;
  const box = document.createElement('div');
  box.className = 'field';
  const label = Object.assign(document.createElement('label'), { htmlFor: id, textContent: field.label });
  if (field.unit) label.append(' ', Object.assign(document.createElement('span'), { className: 'unit', textContent: field.unit }));
  const input = Object.assign(document.createElement('input'), { id, name: field.name, type: 'text', inputMode: 'decimal', autocomplete: 'off', value: String(field.value) });
  const problem = Object.assign(document.createElement('p'), { id: `${id}-problem`, className: 'problem' });
  problem.setAttribute('role', 'alert');
  box.append(label, input);
  let slider = null;
  if (field.slider) {
    const [min, max, step] = field.slider;
    slider = Object.assign(document.createElement('input'), { type: 'range', min, max, step, autocomplete: 'off' });
    slider.value = position(field, field.value);
    slider.setAttribute('aria-label', field.label);
    slider.addEventListener('input', () => {
      const value = field.log ? Number((2 ** slider.valueAsNumber).toPrecision(3)) : slider.valueAsNumber;
      const whole = field.whole ? Math.round(value) : value;
      input.value = String(whole);
      say('');
      accept(whole);
    });
    box.append(slider);
  }
  box.append(problem);
  form.append(box);

  function say(text) {
    problem.textContent = text;
    input.toggleAttribute('aria-invalid', Boolean(text));
    if (text) {
      input.setAttribute('aria-invalid', 'true');
      input.setAttribute('aria-describedby', problem.id);
    } else input.removeAttribute('aria-describedby');
  }

  input.addEventListener('input', () => {
    const { value, problem: why } = readNumber(input.value, field);
    say(why ?? '');
    if (why) return;
    if (slider) slider.value = position(field, value);
    accept(value);
  });

  return {
    /** -> whether it is a good value; a bad one stands in the field all the same, with its sentence. */
    show(value) {
      input.value = String(Number(value.toPrecision(9)));
      const { problem: why } = readNumber(input.value, field);
      say(why ?? '');
      if (slider && !why) slider.value = position(field, value);
      return !why;
    },
  };
}

const position = ({ log }, value) => (log ? Math.log2(value) : value);
