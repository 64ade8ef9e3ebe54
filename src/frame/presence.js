// Whether somebody can see this frame. Calls `come()` when it comes into view, and `leave()` when it has been out of view for
// a while. The browser tells a frame of another site only whether it is seen, not how far away it is: so "far" is a time.

const AWAY_MS = 20_000;

export function watchPresence(come, leave) {
  let seen = false;
  let timer = null;
  const away = () => {
    leave();
    timer = setTimeout(away, AWAY_MS); // it may have had something to do
  };
  new IntersectionObserver((entries) => {
    const now = entries.at(-1).isIntersecting;
    if (now === seen) return;
    seen = now;
    clearTimeout(timer);
    if (now) come();
    else timer = setTimeout(away, AWAY_MS);
  }).observe(document.documentElement);
}
