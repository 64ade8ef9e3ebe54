// Brings the page into the view that its address asks for: opens, moves and hides what the build has written, before
// anything is bound to it. What each view looks like is static/styles/frame.css's.
//
// The build puts the text of this one function at the end of the page (scripts/first-lines.mjs): it uses nothing from outside.

/** `view`: as read.js gives it. `parts`: { name in `hide`: selector }. */
export function arrange(view, parts, document) {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const panel = view.block && document.getElementById(`block-${view.block}`);
  const names = { block: panel && panel.dataset.controls.split(' '), exercise: [view.exercise] }[view.view];

  if (panel) {
    panel.classList.add('is-shown');
    panel.open = true;
  }
  if (names) { // a few controls side by side, those that the author set first
    const shown = [...new Set([...(view.exercise ? names : []), ...view.set, ...names])];
    const few = document.createElement('div');
    few.className = 'controls-of-group few';
    few.append(...shown.map((name) => document.querySelector(`[data-constant="${name}"]`)).filter(Boolean));
    document.getElementById('controls').prepend(few);
    for (const group of all('#controls .control-group')) group.hidden = true;
    document.querySelector('.requests-fold').hidden = !shown.includes('REQUESTS');
  }
  if (view.view === 'exercise') { // the task, then what solves it, then what it did
    const constants = document.getElementById('constants');
    document.querySelector('main').prepend(document.getElementById('exercises'), constants);
  }
  if (view.view === 'diagram') document.getElementById('diagram-full').checked = true; // no small map: there is nothing beside it
  for (const name of view.hide) {
    for (const part of all(parts[name] ?? `[data-constant="${name}"]`)) part.hidden = true;
  }
  for (const group of all('.controls-of-group')) {
    const empty = [...group.children].every((control) => control.hidden);
    if (group.classList.contains('few')) group.hidden = empty;
    else if (empty) group.parentElement.hidden = true;
  }
}
