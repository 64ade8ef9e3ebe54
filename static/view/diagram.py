"""The diagram as numbers: which cell is next, which are lit, where the frame stands, where a note goes.

In: the page's data of the diagram (cells in the order of the flow, each [id, x, y, width, height] in the drawing's
units), a State and what happened. Out: another State, or plain values. Knows nothing of the DOM.
A view is the part of the drawing that the frame shows: (x, y, width, height).
"""

from collections import namedtuple

import words

MOST = 5      # how far one can zoom in
STEP = 1.3    # of one press of + or −
MARGIN = 12   # units kept around a cell that is brought into view

FIELDS = (
    "group",     # id of the focus group that is lit, or ""
    "topology",  # id of the topology that is drawn
    "overlay",   # frames of cells and notes are shown
    "here",      # id of the cell that is in the tab order
    "view",      # the part of the drawing that the frame shows
)
State = namedtuple("State", FIELDS)


def start(data):
    return State("", data["topologies"][0][0], True, data["flow"][0][0], whole(data["size"]))


def but(state, **changes):
    """The same state with some fields changed."""
    return State(*[changes[name] if name in changes else getattr(state, name) for name in FIELDS])


# Groups and sentences


def pressed(state, group):
    """A focus button: the same one again puts it out."""
    return but(state, group="" if state.group == group else group)


def lit(state, data):
    """Ids of the cells that the focus lights; none without a focus."""
    for id, _, cells in data["focus"]:
        if id == state.group:
            return cells
    return []


def note(state, data, resting):
    """The sentence above the drawing: why these cells, or what this topology does, or what it says at rest."""
    for id, why, cells in data["focus"]:
        if id == state.group:
            return words.focus(why, ", ".join([label(cell) for cell in cells]))
    for id, summary in data["topologies"]:
        if id == state.topology and summary:
            return summary + " " + words.TRADE
    return resting


def label(id):
    """"L2-7" as a reader sees it: "L2·7"."""
    return id.replace("-", "·")


# From cell to cell


def after(state, key, data):
    """The cell that a key leads to, or the same: left and right along the flow, up and down between rows."""
    flow = data["flow"]
    ids = [cell[0] for cell in flow]
    i = ids.index(state.here)
    if key == "ArrowRight":
        return ids[min(i + 1, len(ids) - 1)]
    if key == "ArrowLeft":
        return ids[max(i - 1, 0)]
    if key == "Home":
        return ids[0]
    if key == "End":
        return ids[-1]
    return beside(flow, flow[i], 1 if key == "ArrowDown" else -1)


def beside(flow, here, way):
    """The nearest cell below (way 1) or above (way −1), or the same where there is none."""
    nearest, least = here[0], None
    for cell in flow:
        gap = cell[2] - here[2] - here[4] if way > 0 else here[2] - cell[2] - cell[4]
        if gap < 0:
            continue
        distance = gap + abs(cell[1] + cell[3] / 2 - here[1] - here[3] / 2)
        if least is None or distance < least:
            nearest, least = cell[0], distance
    return nearest


def box(id, data):
    """(x, y, width, height) of a cell."""
    for cell in data["flow"]:
        if cell[0] == id:
            return tuple(cell[1:])


# The frame


def whole(size):
    return (0, 0, size[0], size[1])


def is_whole(view, size):
    return view[2] >= size[0]


def within(view, size):
    """The same view, moved so that it shows nothing beside the drawing."""
    x, y, width, height = view
    return (min(max(x, 0), size[0] - width), min(max(y, 0), size[1] - height), width, height)


def zoomed(view, size, factor, at=None):
    """Nearer by a factor, with the point `at` staying where it is; by default the middle."""
    x, y, width, height = view
    px, py = at if at else (x + width / 2, y + height / 2)
    now = min(max(width / factor, size[0] / MOST), size[0])
    share = now / width
    return within((px - (px - x) * share, py - (py - y) * share, now, size[1] * now / size[0]), size)


def panned(view, size, dx, dy):
    return within((view[0] + dx, view[1] + dy, view[2], view[3]), size)


def revealing(view, size, cell):
    """The least move that shows a cell whole, with a margin."""
    x, y, width, height = view
    left, top, w, h = cell
    return panned(view, size, least(left, left + w, x, x + width), least(top, top + h, y, y + height))


def least(near, far, start, end):
    """How far a window from start to end must move to show near to far with a margin; where it cannot, it shows near."""
    return min(near - MARGIN - start, 0) or min(max(far + MARGIN - end, 0), near - MARGIN - start)


def widened(width, factor, frame):
    """Width of a drawing that is panned by scrolling, a factor nearer; never narrower than its frame."""
    return min(max(width * factor, frame), frame * MOST)


def stay(at, old, new):
    """How far to scroll so that what was under a point is under it again, after a drawing grew.

    old, new: (start, length) of the drawing along one axis, in the point's own units.
    """
    return new[0] + (at - old[0]) * new[1] / old[1] - at


# The note of a cell


def place(cell, size, window, small=0, gap=6):
    """Top left corner of a note of this size beside a cell, and the height it may have: (left, top, height).

    Below or above the cell, else right or left of it; never on it: where no side has room the note gets what the larger
    one has, and scrolls. cell: (left, top, right, bottom), what of it is seen; size and window: (width, height), all in
    pixels. `small` is the right edge of a drawing so small that a note would cover most of it: then the note goes
    beside the whole drawing.
    """
    left, top, right, bottom = cell
    width, height = size
    if small and small + gap + width + gap <= window[0]:
        return (small + gap, min(max(top, gap), max(window[1] - height - gap, gap)), height)
    middle = min(max((left + right - width) / 2, gap), window[0] - width - gap)
    if bottom + gap + height + gap <= window[1]:
        return (middle, bottom + gap, height)
    if top - gap - height - gap >= 0:
        return (middle, top - gap - height, height)
    level = min(max(top, gap), max(window[1] - height - gap, gap))
    if right + gap + width + gap <= window[0]:
        return (right + gap, level, height)
    if left - gap - width - gap >= 0:
        return (left - gap - width, level, height)
    if window[1] - bottom > top:
        return (middle, bottom + gap, window[1] - bottom - 2 * gap)
    return (middle, gap, top - 2 * gap)


# Figures on cells

EMS = (("ijlíìịỉĩI .,:;'|[]!·", 0.28), ("rtf()/-", 0.37), ("mwMWOQ%@", 0.84), ("→", 1.0))
OTHERS = 0.56


def em(text):
    """About how wide a bold text is, in its own size; a little too much rather than too little."""
    return sum([width_of(sign) for sign in text])


def width_of(sign):
    for signs, width in EMS:
        if sign in signs:
            return width
    return OTHERS


def fitting(text, width, size=12.5):
    """The size of type at which a text fits into a width."""
    needed = em(text) * size
    return size if needed <= width else size * width / needed
