// What an address asks of the page as a whole: which view, what of it is left out, in which colours, whether it runs by itself.
// Knows nothing of the page. What stands in `set`, `follow`, … is link.js's; here only the names in `set` are read.
//
// The build puts the text of this one function into the page's first lines (scripts/first-lines.mjs), so that nothing
// flickers: it uses nothing from outside.

/**
 * `allowed`: { constants: [names], exercises: [names], parts: [names], blocks: how many }.
 * -> { view, block, exercise, hide: [names], autorun, theme, set: [names], notices: [sentences of what was no good] }
 */
export function readView(search, allowed) {
  const params = new URLSearchParams(search);
  const notices = [];
  const shorten = (text) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
  const refuse = (name, text, wanted, instead) => {
    notices.push(`Tham số ${name}${text === null ? '' : ` = «${shorten(text)}»`} không dùng được: cần ${wanted}. Trang dùng ${instead}.`);
    return instead;
  };
  const oneOf = (name, text, values, otherwise) => (values.includes(text) ? text : refuse(name, text, `một trong ${values.join(', ')}`, otherwise));
  const choice = (name, values) => (params.has(name) ? oneOf(name, params.get(name), values, values[0]) : values[0]);

  const view = choice('view', ['lab', 'diagram', 'block', 'exercise']);
  const theme = choice('theme', ['auto', 'light', 'dark']);
  const autorun = choice('autorun', ['0', '1']) === '1';

  let block = null;
  if (view === 'block') {
    const text = params.get('block');
    const good = /^[1-9][0-9]?$/.test(text) && Number(text) <= allowed.blocks;
    block = good ? Number(text) : refuse('block', text, `một số từ 1 đến ${allowed.blocks}`, 1);
  }
  const exercise = view === 'exercise' ? oneOf('exercise', params.get('exercise'), allowed.exercises, allowed.exercises[0]) : null;

  const names = (params.get('hide') ?? '').split(',').filter(Boolean);
  const known = [...allowed.constants, ...allowed.parts];
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length) {
    const more = unknown.length > 5 ? ', …' : '';
    notices.push(`Tham số hide có tên mà lab không biết: ${unknown.slice(0, 5).map(shorten).join(', ')}${more}. Tên dùng được: ${known.join(', ')}.`);
  }
  const set = (params.get('set') ?? '').split(',').map((pair) => pair.split(':')[0]).filter((name) => allowed.constants.includes(name));
  return { view, block, exercise, hide: names.filter((name) => known.includes(name)), autorun, theme, set, notices };
}
