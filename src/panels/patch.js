// Trees of elements, as the engine sends them, and the document's nodes: made once, then changed only where a tree differs from
// the one that made them. What others put into an element that has no children in its tree stays (pictures, opened proofs).
//
// A tree is text, or a list: its tag, its attributes, then its children.

const standing = new WeakMap(); // element -> the trees that it was filled with

const isText = (tree) => typeof tree === 'string';

function made(tree) {
  if (isText(tree)) return document.createTextNode(tree);
  const [tag, attributes, ...children] = tree;
  const node = document.createElement(tag);
  for (const name in attributes) node.setAttribute(name, attributes[name]);
  for (const child of children) node.append(isText(child) ? child : made(child));
  return node;
}

/** What an element holds from now on. What it held before is put away the first time, and after that stays as far as it is the same. */
export function fill(element, trees) {
  const old = standing.get(element);
  if (!old) build(element, trees);
  else if (old !== trees) patch(element, old, trees);
  standing.set(element, trees);
}

/** Somebody else fills the element. */
export function forget(element) {
  standing.delete(element);
}

/** Fill an element that holds nothing of use with what these trees say. */
export function build(element, trees) {
  element.replaceChildren(...trees.map(made));
}

/** Bring an element from the trees that it shows to others. */
function patch(element, old, trees) {
  patchChildren(element, old, trees, 0);
}

/** `from`: where children begin in both lists. Each child has one node, text too: nothing here joins texts. */
function patchChildren(element, old, wanted, from) {
  if (old.length === from && wanted.length === from) return; // what is in it is somebody else's
  let node = element.firstChild;
  const common = Math.min(old.length, wanted.length);
  for (let i = from; i < common; i += 1) {
    const next = node.nextSibling;
    patchNode(node, old[i], wanted[i]);
    node = next;
  }
  for (let i = common; i < wanted.length; i += 1) element.append(made(wanted[i]));
  for (let i = common; i < old.length; i += 1) {
    const next = node.nextSibling;
    node.remove();
    node = next;
  }
}

function patchNode(node, old, wanted) {
  if (isText(old) && isText(wanted)) {
    if (node.nodeType !== Node.TEXT_NODE) node.replaceWith(wanted); // a translator's element stands in its place
    else if (old !== wanted) node.data = wanted;
  } else if (isText(old) || isText(wanted) || old[0] !== wanted[0] || old[1].class !== wanted[1].class) {
    node.replaceWith(made(wanted));
  } else {
    patchAttributes(node, old[1], wanted[1]);
    patchChildren(node, old, wanted, 2);
  }
}

function patchAttributes(node, old, wanted) {
  for (const name in wanted) if (wanted[name] !== old[name]) node.setAttribute(name, wanted[name]);
  for (const name in old) if (!(name in wanted)) node.removeAttribute(name);
}
