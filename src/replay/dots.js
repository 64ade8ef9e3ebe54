// The requests as lettered dots on the diagram, and what travels along its arrows. Elements are made once and moved by
// transforms alone. In: who is where, the ways taken. Out: changes of the drawing's .dots layer and of its cells' classes.

const NAMESPACE = 'http://www.w3.org/2000/svg';
const R = 10.5;
const APART = 22;
const EDGE = 13; // of the first dot from its cell's corner
const BELOW = 5; // of a dot's middle from its cell's lower edge, so that the cell's figure can be read
const SAMPLE = 6; // units between two points of a line
const TRAVELLERS = 24; // tokens and work under way at once; more would say no more

const svg = (tag, attributes = {}, ...children) => {
  const made = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
};

export class Dots {
  constructor() {
    this.picture = document.getElementById('picture');
    this.layer = this.picture.querySelector('.dots');
    this.cells = new Map([...this.picture.querySelectorAll('[data-cell]')].map((cell) => [cell.dataset.cell, cell]));
    this.boxes = new Map([...this.cells].map(([id, cell]) => [id, boxOf(cell.querySelector('.cell-frame'))]));
    this.lines = new Map(); // "L2-1 L2-3" -> points, of an arrow
    this.dots = new Map(); // request -> { node, spot }
    this.more = new Map(); // cell -> the node that counts who is not drawn
    this.free = []; // travellers that wait for work
    this.travelling = new Set();
  }

  /** Show who is where, at once. `crowd` as moment.crowd gives it; `request` rows as in the data. */
  place(crowd, requests, followed) {
    const spots = spotsOf(crowd, this.boxes, followed);
    for (const [request, dot] of this.dots) if (!spots.shown.has(request)) dot.node.remove(), this.dots.delete(request);
    for (const [request, { x, y, one }] of spots.shown) {
      const [id, hue] = requests[request];
      const dot = this.dots.get(request) ?? this.make(request, id, hue);
      dot.spot = [x, y];
      dot.node.classList.toggle('is-followed', request === followed);
      dot.node.dataset.place = one.place;
      dot.code.textContent = one.place === 'refused' ? one.detail : '';
      put(dot.node, dot.spot);
    }
    for (const [cell, node] of this.more) if (!spots.more.has(cell)) node.remove(), this.more.delete(cell);
    for (const [cell, { x, y, count }] of spots.more) {
      const node = this.more.get(cell) ?? this.layer.appendChild(svg('text', { class: 'dots-more' }));
      this.more.set(cell, node);
      node.textContent = `+${count}`;
      put(node, [x, y + 4]);
    }
  }

  make(request, id, hue) {
    const node = svg('g', { class: 'dot', 'data-request': id });
    const code = svg('text', { class: 'dot-code', x: R + 3, y: 4.5 });
    const body = svg('g', { class: 'dot-body' }, svg('circle', { r: R, style: `fill: var(--request-${hue})` }), svg('text', { class: `dot-name${id.length > 2 ? ' is-long' : ''}`, y: id.length > 2 ? 3.5 : 5 }));
    body.lastChild.textContent = id.length > 3 ? id.slice(-3) : id;
    node.append(body, code);
    this.layer.append(node);
    const dot = { node, code, spot: [0, 0] };
    this.dots.set(request, dot);
    return dot;
  }

  /** Begin to move along ways of an instant, from where things were to where `place` has just put them. */
  travel(before, { ways, emitted, token_way: tokenWay, flows }, now, ms) {
    for (const [request, way] of ways) {
      const dot = this.dots.get(request);
      if (dot) this.start(dot.node, this.through(way, before.get(request), dot.spot), now, ms, null);
    }
    for (const { phase, way } of flows.slice(0, TRAVELLERS)) this.send(this.through(way), '', phase, now, ms);
    for (const [, text] of emitted.slice(0, TRAVELLERS)) this.send(this.through(tokenWay), text, 'token', now, ms);
  }

  spots() {
    return new Map([...this.dots].map(([request, { spot }]) => [request, spot]));
  }

  send(points, text, kind, now, ms) {
    const node = this.free.pop() ?? this.layer.appendChild(svg('g', { class: 'traveller' }, svg('circle', { r: 3.5 }), svg('text', { y: -6 })));
    node.dataset.kind = kind;
    node.lastChild.textContent = text;
    node.style.display = '';
    this.start(node, points, now, ms, () => {
      node.style.display = 'none';
      this.free.push(node);
    });
  }

  start(node, points, now, ms, done) {
    const lengths = [0];
    for (let i = 1; i < points.length; i++) lengths.push(lengths[i - 1] + Math.hypot(points[i][0] - points[i - 1][0], points[i][1] - points[i - 1][1]));
    for (const one of this.travelling) if (one.node === node) this.travelling.delete(one);
    this.travelling.add({ node, points, lengths, since: now, ms, done });
    put(node, points[0]);
  }

  /** One frame. -> whether anything still travels */
  frame(now) {
    for (const one of this.travelling) {
      const share = Math.min(1, Math.max(0, (now - one.since) / one.ms));
      put(one.node, pointAt(one, eased(share)));
      if (share < 1) continue;
      this.travelling.delete(one);
      one.done?.();
    }
    return this.travelling.size > 0;
  }

  /** What travels arrives at once. */
  settle() {
    this.frame(Infinity);
  }

  /** Points along the arrows from cell to cell; straight through the cells between, and where there is no arrow. */
  through(way, from, to) {
    const points = [from ?? middle(this.boxes.get(way[0]))];
    for (let i = 1; i < way.length; i++) points.push(...this.line(way[i - 1], way[i]));
    points.push(to ?? middle(this.boxes.get(way.at(-1))));
    return from || to ? points : points.slice(1, -1); // work and tokens keep to the arrows
  }

  line(from, to) {
    const topology = document.querySelector('[name="topology"]:checked')?.value ?? '';
    const name = `${from} ${to} ${topology}`;
    if (!this.lines.has(name)) {
      const arrows = [...this.picture.querySelectorAll(`.arrow[data-from="${from}"][data-to="${to}"]`)];
      const arrow = arrows.find(({ dataset }) => dataset.in === topology) ?? arrows.find(({ dataset }) => !dataset.in);
      this.lines.set(name, arrow ? sampled(arrow.querySelector('.arrow-line')) : [middle(this.boxes.get(from)), middle(this.boxes.get(to))]);
    }
    return this.lines.get(name);
  }

  light(ids) {
    for (const [id, cell] of this.cells) cell.classList.toggle('is-working', ids.includes(id));
    this.picture.classList.toggle('is-replayed', ids.length > 0);
  }

  clear() {
    this.settle();
    this.place([], [], -1);
    this.light([]);
  }
}

/** Where the dots of each cell stand: along its lower edge, the followed request always among those that are drawn. */
export function spotsOf(crowd, boxes, followed) {
  const byCell = new Map();
  for (const one of crowd) byCell.set(one.cell, [...(byCell.get(one.cell) ?? []), one]);
  const [shown, more] = [new Map(), new Map()];
  for (const [cell, all] of byCell) {
    const [x, y, width, height] = boxes.get(cell);
    const room = Math.max(1, Math.floor((width - 2 * EDGE) / APART) + 1);
    const drawn = all.length > room ? all.slice(0, room - 1) : all;
    const mine = all.find(({ request }) => request === followed);
    if (mine && !drawn.includes(mine)) drawn[drawn.length - 1] = mine;
    drawn.forEach((one, i) => shown.set(one.request, { x: x + EDGE + i * APART, y: y + height + BELOW, one }));
    if (drawn.length < all.length) more.set(cell, { x: x + EDGE + drawn.length * APART - R, y: y + height + BELOW, count: all.length - drawn.length });
  }
  return { shown, more };
}

export const eased = (share) => share * share * (3 - 2 * share);

export function pointAt({ points, lengths }, share) {
  const along = share * lengths.at(-1);
  let i = 1;
  while (i < points.length - 1 && lengths[i] < along) i++;
  if (points.length < 2) return points[0];
  const part = lengths[i] > lengths[i - 1] ? (along - lengths[i - 1]) / (lengths[i] - lengths[i - 1]) : 1;
  return [points[i - 1][0] + (points[i][0] - points[i - 1][0]) * part, points[i - 1][1] + (points[i][1] - points[i - 1][1]) * part];
}

function sampled(path) {
  const length = path.getTotalLength();
  const count = Math.max(1, Math.round(length / SAMPLE));
  return Array.from({ length: count + 1 }, (_, i) => {
    const { x, y } = path.getPointAtLength((length * i) / count);
    return [x, y];
  });
}

const boxOf = (rect) => ['x', 'y', 'width', 'height'].map((name) => Number(rect.getAttribute(name)));
const middle = ([x, y, width, height]) => [x + width / 2, y + height / 2];
const put = (node, [x, y]) => {
  node.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
};
