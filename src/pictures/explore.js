// Exact values: the mark under the pointer, or the one that the arrow keys reached, is read out below its picture.
// A mark is an element with data-tip. -> a function that forgets the mark, for when the picture is drawn anew.

export const MARKS = '[data-tip]';
const KEYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

export function explore(view, readout, hint) {
  let current = null;

  function show(mark) {
    current?.classList.remove('is-current');
    current = mark;
    current?.classList.add('is-current');
    readout.textContent = mark ? mark.dataset.tip : hint;
  }

  view.addEventListener('pointerover', ({ target }) => {
    const mark = target.closest(MARKS);
    if (mark && view.contains(mark)) show(mark);
  });
  view.addEventListener('pointerleave', () => document.activeElement !== view && show(null));
  view.addEventListener('blur', () => show(null));
  view.addEventListener('keydown', (event) => {
    if (event.target !== view || event.ctrlKey || event.altKey || event.metaKey) return;
    const next = reached(event.key, [...view.querySelectorAll(MARKS)]);
    if (!next) return;
    event.preventDefault();
    show(next);
  });

  function reached(key, marks) {
    if (!marks.length) return null;
    if (key === 'Home') return marks[0];
    if (key === 'End') return marks.at(-1);
    if (!(key in KEYS)) return null;
    if (!marks.includes(current)) return marks[0];
    const [dx, dy] = KEYS[key];
    if (dy) return nearest(current, marks, dy) ?? current;
    return marks[Math.max(0, Math.min(marks.length - 1, marks.indexOf(current) + dx))];
  }

  show(null);
  return () => show(null);
}

/** The mark of the next row above or below whose middle is closest sideways. */
function nearest(current, marks, direction) {
  const here = middle(current);
  let best = null;
  for (const mark of marks) {
    const there = middle(mark);
    const down = (there.y - here.y) * direction;
    if (down < 4) continue;
    const far = down * 3 + Math.abs(there.x - here.x);
    if (!best || far < best.far) best = { mark, far };
  }
  return best?.mark;
}

function middle(mark) {
  const { left, right, top, bottom } = mark.getBoundingClientRect();
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}
