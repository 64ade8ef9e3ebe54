// What was computed when the page was built, for where nothing can be computed: the default run with its panels, and the texts
// of the exercises. Loads only where one of them is needed, and is never passed off as a run.
import { exercises as texts, result as run } from '../.cache/engine-data/prepared.json';
import { build } from './panels/patch.js';

/** As JSON text, for the view. */
export const exercises = () => JSON.stringify(texts);

/** What the engine would answer to a run of the defaults, as JSON text. */
export const answer = () => JSON.stringify({ ok: run });

/** The panels, the printout and an exercise's task where no view lives; hidden again by styles if one comes after all. */
export function showWithoutView({ exercise }) {
  const root = document.documentElement;
  if (root.dataset.result) return;
  for (const [number, headline, , body] of run.panels) {
    const [figure, rest] = [element('p', 'panel-figure'), element('div', 'panel-result')];
    build(figure, headline);
    build(rest, JSON.parse(body));
    const place = element('div', 'prepared-only');
    place.append(figure, rest);
    document.querySelector(`#block-${number} .panel-result`).after(place);
  }
  document.getElementById('transcript-note').after(element('pre', 'prepared-only', run.transcript));
  const one = texts.find(({ constant }) => constant === exercise);
  if (one) {
    const place = element('div', 'prepared-only prepared-exercise');
    place.append(element('h3', '', one.title), element('p', '', one.task), element('p', '', one.question));
    document.querySelector('.exercise-list').append(place);
  }
  root.dataset.result = 'prepared';
  const set = new URLSearchParams(location.search);
  root.dataset.prepared = ['set', 'follow', 'corpus', 'requests', 'script'].some((name) => set.has(name)) ? 'other' : 'same';
}

function element(tag, css, text = '') {
  const made = document.createElement(tag);
  made.className = css;
  made.textContent = text;
  return made;
}
