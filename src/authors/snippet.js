// What an author pastes: three lines with embed.js, a plain iframe, or addresses for a course system that takes only those.
//
// In: a choice (choice.js), its unit as the manifest has it, the site's address. Out: text. Knows nothing of the page.
import { configuration, query } from './choice.js';

/** The attributes of `<inference-lab>`, [[name, text]] in a fixed order; an empty text is an attribute without a value. */
export function attributes(choice, unit, offer) {
  const own = configuration(choice, offer).map(([name, text]) => (name === 'autorun' ? [name, ''] : [name, text]));
  const frame = [...(choice.height === null ? [] : [['height', String(choice.height)]]), ...(choice.sandbox ? [['sandbox', '']] : [])];
  return [...Object.entries(unit.embed.attributes), ...own, ...frame];
}

/** The unit's page, as a frame or a link opens it. */
export const address = (choice, unit, offer, base) => `${base}?${query([...Object.entries(unit.embed.attributes), ...configuration(choice, offer)])}`;

/** Three lines: the module, the element, and in it a link for those whose script is blocked. */
export function element(choice, unit, offer, base) {
  const written = attributes(choice, unit, offer).map(([name, text]) => (text === '' ? ` ${name}` : ` ${name}="${escape(text)}"`));
  return [
    `<script type="module" src="${escape(new URL('embed.js', base).href)}"></script>`,
    `<inference-lab${written.join('')}>`,
    `<a href="${escape(address(choice, unit, offer, base))}">${escape(unit.title)}</a></inference-lab>`,
  ].join('\n');
}

export function iframe(choice, unit, offer, base) {
  const sandbox = choice.sandbox ? ' sandbox="allow-scripts"' : '';
  return `<iframe src="${escape(address(choice, unit, offer, base))}" title="${escape(unit.title)}" width="100%" height="${choice.height ?? unit.embed.height}" loading="lazy" allow="clipboard-write" frameborder="0"${sandbox}></iframe>`;
}

/** The unit's address; the one for a system that asks for oEmbed follows on a line of its own. */
export const link = (choice, unit, offer, base) => `${address(choice, unit, offer, base)}\n${new URL(unit.page, base).href}`;

export const snippet = (choice, unit, offer, base) => ({ element, iframe, link })[choice.as](choice, unit, offer, base);

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text) => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign]);
