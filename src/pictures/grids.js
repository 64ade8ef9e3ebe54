// Pictures that are made of words and boxes, not of scales: text becoming tokens, block tables.
// In: data as the engine gives it. Out: HTML elements.

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null && value !== false) made.setAttribute(name, value);
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** A row for each merge that changed the word, from its letters to its tokens. */
export function tokens({ words, tokens: found }) {
  const rows = words.map((stages) => element('div', { class: 'word' }, ...stages.map(([symbols, joined], i) => stage(symbols, joined, i === 0))));
  const ids = element('div', { class: 'token-ids' }, ...found.map(([token, id]) => element('span', { class: 'token', 'data-tip': `token ${token} · ID ${id}` }, element('b', {}, token), element('span', {}, String(id)))));
  return [element('div', { class: 'words' }, ...rows), element('p', { class: 'picture-part' }, 'Token và ID, <bos> đứng đầu'), ids];
}

function stage(symbols, joined, first) {
  const tip = first ? `ký tự: ${symbols.join(' ')}` : `${joined} → ${symbols.join(' ')}`;
  return element('div', { class: 'stage', 'data-tip': tip }, element('span', { class: 'stage-name' }, first ? 'ký tự' : joined), element('span', { class: 'symbols' }, ...symbols.map((symbol) => element('span', { class: 'symbol' }, symbol))));
}

/** A row for each sequence: its physical blocks in logical order, each with its token places filled or not. */
export function tables({ block_size, rows }) {
  return rows.map(({ label, kind, strong, blocks, more, text }) =>
    element('div', { class: `block-row${strong ? ' is-strong' : ''}` },
      element('b', { class: 'block-owner' }, label),
      element('div', { class: 'blocks' },
        ...blocks.map(([block, filled], i) => oneBlock(block, filled, block_size, kind, `${label} · block logic ${i} → block vật lý ${block} · ${filled}/${block_size} token`)),
        more ? element('span', {}, `… và ${more} block`) : null),
      element('span', { class: 'block-text' }, text)));
}

function oneBlock(block, filled, size, kind, tip) {
  const places = Array.from({ length: size }, (_, i) => element('span', { class: i < filled ? 'place-used' : 'place-free', style: i < filled ? `background: var(--${kind})` : null }));
  return element('span', { class: 'block', 'data-tip': tip }, element('span', { class: 'block-number' }, String(block)), element('span', { class: 'block-places' }, ...places));
}
