// The bar of sections: marks the one that is being read, and keeps its link in sight where the bar scrolls sideways.

/** contents: a list of links to sections of this page. */
export function followReader(contents) {
  const links = new Map([...contents.querySelectorAll('a')].map((link) => [document.getElementById(link.hash.slice(1)), link]));
  const inSight = new Set();
  let current = null;

  function mark() {
    const first = [...links.keys()].find((section) => inSight.has(section)) ?? null;
    if (first === current) return;
    links.get(current)?.removeAttribute('aria-current');
    current = first;
    const link = links.get(current);
    if (!link) return;
    link.setAttribute('aria-current', 'true');
    contents.scrollLeft = link.offsetLeft - (contents.clientWidth - link.offsetWidth) / 2;
  }

  const watch = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) inSight[isIntersecting ? 'add' : 'delete'](target);
    mark();
  }, { rootMargin: '-25% 0px -60% 0px' }); // a band a little above the middle of the window
  for (const section of links.keys()) watch.observe(section);
}
