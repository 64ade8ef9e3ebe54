// What a meaning looks like: its fill (a CSS variable, or a pattern in it), the ink of text on it. Colours live in tokens.css.
// A pattern is added wherever two hues alone would have to be told apart; a word or letter always stands beside it.

const SOLID = {
  prep: 'var(--prep)', prefill: 'var(--prefill)', decode: 'var(--decode)', chosen: 'var(--decode)', refused: 'var(--refused)', kv: 'var(--kv)', heat: 'var(--heat)',
  positive: 'var(--heat)', plain: 'var(--plain)', top: 'var(--ink)', accepted: 'var(--ink)', token: 'var(--ink)', original: 'var(--ink)', quantized: 'var(--paper)',
};
const HATCHED = { waiting: '--waiting', preempted: '--preempted', idle: '--edge', slack: '--edge', negative: '--quiet', masked: '--line' };
const INK_ON = { plain: 'var(--on-decode)', prefill: 'var(--on-prefill)', top: 'var(--paper)', decode: 'var(--on-decode)', chosen: 'var(--on-decode)', kv: 'var(--on-decode)' };
const OUTLINED = new Set(['edge', 'chosen', 'slack', 'idle', 'quantized', 'tightest']);

const NAMESPACE = 'http://www.w3.org/2000/svg';
const LINES = { // how each pattern is drawn in its tile of 6 by 6
  waiting: '<path d="M-1 7 7 -1" />', preempted: '<path d="M-1 7 7 -1M-1 -1 7 7" />', idle: '<path d="M3 2.5v1" />',
  slack: '<path d="M-1 -1 7 7" />', negative: '<path d="M-1 7 7 -1" />', masked: '<path d="M-1 -1 7 7" />',
};

export const isRequest = (kind) => kind.startsWith('request-');

export function fillOf(kind) {
  if (isRequest(kind)) return `var(--${kind})`;
  if (kind in HATCHED) return `url(#hatch-${kind})`;
  return SOLID[kind] ?? 'none';
}

export const strokeOf = (kind) => (OUTLINED.has(kind) ? 'var(--ink)' : kind in HATCHED ? `var(${HATCHED[kind]})` : kind === 'prep' || isRequest(kind) ? 'var(--edge)' : 'none'); // pale ones have an edge
export const inkOn = (kind) => INK_ON[kind] ?? 'var(--ink)';

/** The patterns, once in the document: every picture refers to them. */
export function addPatterns() {
  if (document.getElementById('hatch-waiting')) return;
  const svg = document.createElementNS(NAMESPACE, 'svg');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('class', 'patterns');
  svg.innerHTML = `<defs>${Object.entries(HATCHED).map(([kind, colour]) => pattern(kind, colour)).join('')}</defs>`;
  document.body.append(svg);
}

const pattern = (kind, colour) =>
  `<pattern id="hatch-${kind}" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" fill="var(--paper)" /><g stroke="var(${colour})" stroke-width="${kind === 'waiting' || kind === 'preempted' ? 2 : 1}" stroke-linecap="${kind === 'idle' ? 'round' : 'butt'}">${LINES[kind]}</g></pattern>`;

/** A sample of a meaning for the legend. */
export function swatch(kind) {
  const svg = document.createElementNS(NAMESPACE, 'svg');
  svg.setAttribute('class', 'swatch');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('viewBox', '0 0 18 12');
  svg.innerHTML = SIGNS[kind] ?? `<rect x="1" y="1" width="16" height="10" fill="${fillOf(kind)}" stroke="${strokeOf(kind)}" />`;
  return svg;
}

const SIGNS = {
  token: '<path d="M9 1 13 11H5Z" fill="var(--ink)" />',
  accepted: '<circle cx="9" cy="6" r="4.5" fill="var(--ink)" />',
  refused: '<path d="M5 2 13 10M13 2 5 10" stroke="var(--refused)" stroke-width="2.5" />',
  original: '<circle cx="9" cy="6" r="4.5" fill="var(--ink)" />',
  quantized: '<path d="M9 1 14 6 9 11 4 6Z" fill="var(--paper)" stroke="var(--ink)" stroke-width="1.5" />',
  tightest: '<rect width="18" height="12" fill="var(--mark)" stroke="var(--edge)" />',
};
