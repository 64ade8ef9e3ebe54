// A constant as an author types it, judged by the engine's own table: a value, or a sentence with name, value, range and remedy.
//
// In: text and a row of the table { name, kind, minimum, maximum, default }. Knows nothing of the page.
import { readNumber } from '../lesson/fields.js';

/** -> { value } or { problem } */
export function readConstant(text, { name, kind, minimum, maximum }) {
  const read = readNumber(text, { label: name, min: minimum, max: maximum, whole: kind !== 'float' });
  if (read.problem || kind !== 'even' || read.value % 2 === 0) return read;
  return { problem: `${name} = «${read.value}»: cần số chẵn từ ${minimum} đến ${maximum}. Đây là số lẻ. Hãy nhập một số chẵn.` };
}

/**
 * What the engine would refuse although each value is good by itself. values: { NAME: number }, all of the table's numbers.
 * -> [{ names, problem }]
 */
export function contradictions(values) {
  const found = [];
  const width = values.N_HEADS * values.D_HEAD;
  if (values.D_MODEL !== width) {
    found.push({
      names: ['D_MODEL', 'N_HEADS', 'D_HEAD'],
      problem: `D_MODEL = ${values.D_MODEL} nhưng N_HEADS × D_HEAD = ${values.N_HEADS} × ${values.D_HEAD} = ${width}: hai số phải bằng nhau. Hãy đặt D_MODEL = ${width}, hoặc đổi N_HEADS hay D_HEAD.`,
    });
  }
  for (const [phase, fixed, each] of [['decode', 'COST_DECODE_FIXED', 'COST_DECODE_PER_SEQ'], ['prefill', 'COST_PREFILL_FIXED', 'COST_PREFILL_PER_TOKEN']]) {
    if (values[fixed] + values[each] > 0) continue;
    found.push({ names: [fixed, each], problem: `${fixed} = 0 và ${each} = 0: một bước ${phase} sẽ không tốn thời gian nào. Hãy cho một trong hai lớn hơn 0.` });
  }
  return found;
}
