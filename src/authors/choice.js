// What an author has chosen, as plain data, and the same as the query of the page's own address.
//
// A choice: { unit, set: { NAME: number }, follow, hide: [name], autorun, theme, height, sandbox, as, width }; `height` is null or px.
// In: a query and what the site offers. Out: a choice, and a sentence for each part of the query that is no good. Never throws.
import { contradictions, readConstant } from './constants.js';
import { readNumber } from '../lesson/fields.js';

export const THEMES = ['auto', 'light', 'dark'];
export const FORMS = ['element', 'iframe', 'link'];
export const WIDTHS = ['full', '768', '320'];
export const HEIGHT = { label: 'Chiều cao', min: 100, max: 5000, whole: true, unit: 'px' };
const SHOWN = 60; // characters of what an address says that a sentence repeats
const MOST_SAID = 12; // sentences about an address

/** offer: { units: as the manifest has them, with the fields that each shows in `controls`; constants: [row], follow: { ids, default }, parts: [name] } */
export const noChoice = (offer) => ({
  unit: offer.units[0].id, set: {}, follow: offer.follow.default, hide: [], autorun: false, theme: THEMES[0], height: null, sandbox: false, as: FORMS[0], width: WIDTHS[0],
});

/** -> { choice, problems: [sentence], typed: { NAME: text that is no good } } */
export function readChoice(query, offer) {
  const params = new URLSearchParams(query);
  const choice = noChoice(offer);
  const problems = [];
  const typed = {};
  const refuse = (name, value, allowed) => problems.push(`${name} = «${shown(value)}»: cần ${allowed}. Trang dùng giá trị mặc định.`);
  const oneOf = (name, allowed) => {
    if (!params.has(name)) return;
    if (allowed.includes(params.get(name))) choice[name] = params.get(name);
    else refuse(name, params.get(name), `một trong: ${allowed.join(', ')}`);
  };
  oneOf('unit', offer.units.map(({ id }) => id));
  oneOf('follow', offer.follow.ids);
  oneOf('theme', THEMES);
  oneOf('as', FORMS);
  oneOf('width', WIDTHS);
  for (const name of ['autorun', 'sandbox']) {
    if (!params.has(name)) continue;
    if (['0', '1'].includes(params.get(name))) choice[name] = params.get(name) === '1';
    else refuse(name, params.get(name), '0 hoặc 1');
  }
  if (params.has('height')) {
    const { value, problem } = readNumber(params.get('height'), HEIGHT);
    if (problem) problems.push(problem);
    else choice.height = value;
  }
  const known = [...offer.constants.map(({ name }) => name), ...offer.parts];
  for (const name of list(params.get('hide'))) {
    if (known.includes(name)) choice.hide = [...new Set([...choice.hide, name])];
    else refuse('hide', name, `tên một hằng số hoặc một trong: ${offer.parts.join(', ')}`);
  }
  for (const pair of list(params.get('set'))) readPair(pair);
  for (const name of quarrels(choice.set, offer).flatMap(({ names }) => names)) {
    if (!(name in choice.set)) continue;
    typed[name] = String(choice.set[name]);
    delete choice.set[name];
  }
  choice.hide = hidden(choice, offer);
  const unsaid = problems.splice(MOST_SAID).length;
  if (unsaid) problems.push(`Còn ${unsaid} chỗ khác trong địa chỉ không dùng được.`);

  function readPair(pair) {
    const [name, ...rest] = pair.split(':');
    const row = offer.constants.find((one) => one.name === name);
    if (!row) return refuse('set', pair, 'TÊN:giá trị, với tên một hằng số có trên trang này');
    const { value, problem } = readConstant(rest.join(':'), row);
    delete typed[name]; // said twice: the last one counts
    delete choice.set[name];
    if (problem) typed[name] = rest.join(':');
    else if (value !== row.default) choice.set[name] = value;
  }
  return { choice, problems, typed };
}

/** Only what differs from no choice at all. */
export function writeChoice(choice, offer) {
  const none = noChoice(offer);
  const parts = [['unit', choice.unit], ...configuration(choice, offer)];
  for (const name of ['sandbox', 'as', 'width']) if (choice[name] !== none[name]) parts.push([name, choice[name] === true ? '1' : choice[name]]);
  if (choice.height !== null) parts.push(['height', choice.height]);
  return query(parts);
}

/** What the frame is to be told beside its unit: [[name, text]], nothing that is the default. */
export function configuration(choice, offer) {
  const { set, follow, autorun, theme } = choice;
  const hide = hidden(choice, offer);
  const parts = [];
  const pairs = offer.constants.filter(({ name }) => name in set).map(({ name }) => `${name}:${set[name]}`);
  if (pairs.length) parts.push(['set', pairs.join(',')]);
  if (follow !== offer.follow.default) parts.push(['follow', follow]);
  if (hide.length) parts.push(['hide', hide.join(',')]);
  if (autorun) parts.push(['autorun', '1']);
  if (theme !== THEMES[0]) parts.push(['theme', theme]);
  return parts;
}

/** The contradictions of a choice's constants with the rest at their defaults. */
export const quarrels = (set, offer) => contradictions({ ...Object.fromEntries(offer.constants.map(({ name, default: value }) => [name, value])), ...set });

/**
 * Which names `hide` can do something about in the chosen unit: what it shows. An exercise keeps the constant that it is about, and
 * the diagram has no fields. Each has the link to the whole lab.
 */
export function hideable({ unit, set }, { units, constants, parts }) {
  const { controls, embed } = units.find(({ id }) => id === unit);
  if (controls === null) return [...constants.map(({ name }) => name), ...parts];
  const shown = controls.length ? constants.map(({ name }) => name).filter((name) => controls.includes(name) || name in set) : [];
  return [...shown.filter((name) => name !== embed.attributes.exercise), ...(controls.includes('REQUESTS') ? ['requests'] : []), 'whole'];
}

/** What is hidden of it. */
export const hidden = (choice, offer) => hideable(choice, offer).filter((name) => choice.hide.includes(name));

/** As a query, with the marks of a list left readable. */
export const query = (parts) => parts.map(([name, value]) => `${name}=${encodeURIComponent(value).replace(/%3A/g, ':').replace(/%2C/g, ',')}`).join('&');

const list = (text) => (text ?? '').split(',').filter(Boolean);
const shown = (text) => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
