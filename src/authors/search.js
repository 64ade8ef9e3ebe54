// Finding a unit by a few letters of its name, with or without Vietnamese marks. In: text. Out: yes or no.
const MARKS = /\p{M}/gu;

export const plain = (text) => text.normalize('NFD').replace(MARKS, '').replace(/[đĐ]/g, 'd').toLowerCase();

/** Whether every word of `asked` stands somewhere in `text`; a word written with marks asks for those. */
export function matches(text, asked) {
  const [marked, bare] = [text.normalize('NFC').toLowerCase(), plain(text)];
  return asked.normalize('NFC').toLowerCase().split(/\s+/).every((word) => (plain(word) === word ? bare : marked).includes(word));
}
