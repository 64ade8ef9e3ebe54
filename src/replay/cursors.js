// The replay's instant in the panels' pictures: a line across every drawing whose clock is that of the run.
// A drawing says where its clock runs: data-clock="start end left right", in µs and in its own pixels.

const NAMESPACE = 'http://www.w3.org/2000/svg';
const CLOCKS = [3, 6, 7, 11].map((block) => `#block-${block}[open] .pictures:not(.is-old) svg[data-clock]`).join(', ');

/** Put every cursor at `us`; null takes them away. */
export function point(us) {
  for (const svg of document.querySelectorAll(CLOCKS)) {
    const [start, end, left, right] = svg.dataset.clock.split(' ').map(Number);
    const cursor = svg.querySelector('.cursor') ?? (us === null ? null : made(svg));
    if (!cursor) continue;
    const inside = us !== null && us >= start && us <= end;
    cursor.style.display = inside ? '' : 'none';
    if (inside) cursor.style.transform = `translateX(${(left + ((us - start) / (end - start)) * (right - left)).toFixed(1)}px)`;
  }
}

function made(svg) {
  const line = document.createElementNS(NAMESPACE, 'path');
  line.setAttribute('class', 'cursor');
  line.setAttribute('aria-hidden', 'true');
  line.setAttribute('d', `M-1 0H1V${Number(svg.getAttribute('height')) - 24}H-1Z`);
  svg.append(line);
  return line;
}
