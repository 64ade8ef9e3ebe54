"""What changed between two results: the strip of headline figures, the constants, the panels, and why.

In: two `Result`s. Out: plain data. Everything is read off the two runs and their reports; nothing is computed again.

    strip            [[id, label, old text, new text, "up" | "down" | "same" | "new" | "gone", "better" | "worse" | "neutral"]]
    constants        [[name, old text, new text]]; a request that was added, removed or edited has rows under REQUESTS
    causes           sentences, the most telling first; never empty
    panels           [[block number, [[what, old, new], …]], …], only blocks where a figure differs
    panels_omitted   [[block number, how many entries were left out], …]
"""
from dataclasses import fields

from .causes import causes
from .config import CONSTANTS, RequestSpec
from .headlines import HIGHER, LOWER
from .notation import UNDEFINED, literal, us, visible
from .reports.report import TEXT

MOST_ENTRIES = 12               # of a panel
ALIKE = 3                       # so many rows with the same change are told as one
FOLLOWED, WORDS, MARKED, NUMBERS = range(4)      # which changed cells come first
SAME, UP, DOWN, NEW, GONE = "same", "up", "down", "new", "gone"
BETTER, WORSE, NEUTRAL = "better", "worse", "neutral"
FOLLOWED_FIGURES = {"ttft", "tpot"}


def compare(before, after):
    """before, after: Result. -> the changes as plain data"""
    same_request = before.run.config.FOLLOW == after.run.config.FOLLOW
    panels = [panel_changes(old, new, same_request, after.run.config.FOLLOW) for old, new in zip(before.reports, after.reports)]
    panels = [(number, entries) for number, entries in panels if entries]
    return dict(
        strip=strip(before.headlines, after.headlines, same_request),
        constants=changed_constants(before.run.config, after.run.config),
        causes=causes(before.run, after.run),
        panels=[[number, entries[:MOST_ENTRIES]] for number, entries in panels],
        panels_omitted=[[number, len(entries) - MOST_ENTRIES] for number, entries in panels if len(entries) > MOST_ENTRIES])


# ── The strip ────────────────────────────────────────────────────────────────

def strip(before, after, same_request):
    """before, after: the headline figures of both runs. same_request: both follow the same one."""
    return [[new.id, new.label, old.text, new.text, *movement(old, new, same_request or new.id not in FOLLOWED_FIGURES)]
            for old, new in zip(before, after)]


def movement(old, new, comparable):
    """-> (where the figure went, whether that is good). comparable: the two figures are about the same request."""
    if old.value == new.value:
        return SAME, NEUTRAL
    if old.value is None:
        return NEW, NEUTRAL
    if new.value is None:
        return GONE, NEUTRAL
    way = UP if new.value > old.value else DOWN
    if not comparable or new.better not in (HIGHER, LOWER):
        return way, NEUTRAL
    return way, BETTER if (way == UP) == (new.better == HIGHER) else WORSE


# ── The constants ────────────────────────────────────────────────────────────

def changed_constants(old, new):
    """old, new: Config"""
    rows = []
    for name, constant in CONSTANTS.items():
        a, b = getattr(old, name), getattr(new, name)
        if a == b:
            continue
        if constant.kind == "requests":
            rows += [[name, *pair] for pair in changed_requests(a, b)]
        elif constant.kind == "texts":
            rows += [[name, f"{len(a)} câu", f"{len(b)} câu" if len(a) != len(b) else f"{len(b)} câu khác"]]
        else:
            rows += [[name, written(constant, a), written(constant, b)]]
    return rows


def written(constant, value):
    """A constant's value with its unit: 2 yêu cầu, 200 µs."""
    return us(value) if constant.unit == "µs" else f"{value} {constant.unit}".rstrip()


def changed_requests(old, new):
    """-> (old text, new text) for each field that was edited and each request that came or went."""
    was, now = {r.id: r for r in old}, {r.id: r for r in new}
    for id, spec in was.items():
        if id not in now:
            yield f"{id}: {described(spec)}", UNDEFINED
    for id, spec in now.items():
        if id not in was:
            yield UNDEFINED, f"{id}: {described(spec)}"
            continue
        for name in edited_fields(was[id], spec):
            yield tuple(f"{id}: {name} {field_text(name, getattr(s, name))}" for s in (was[id], spec))
    if list(was) != list(now) and set(was) == set(now):
        yield "thứ tự cũ", "thứ tự mới"


def edited_fields(a, b):
    """Names of the fields in which two specifications differ."""
    return [f.name for f in fields(RequestSpec) if getattr(a, f.name) != getattr(b, f.name)]


def described(spec):
    return f'"{literal(visible(spec.text, 40))}", đến {us(spec.arrival)}'


def field_text(name, value):
    return us(value) if name == "arrival" else f'"{literal(visible(value, 40))}"' if name == "text" else str(value)


# ── The panels ───────────────────────────────────────────────────────────────

def panel_changes(old, new, same_request, followed):
    """Two reports of one block. -> (block number, entries): its figure, its checks, then cells and rows of its tables.

    Cells of the followed request's own row come first, then words, then numbers.
    """
    if old == new:
        return new.number, []
    entries = [["Con số chính", old.headline, new.headline]] if old.headline != new.headline else []
    entries += changed_checks(old.checks, new.checks)
    cells, rows = [], []
    for a, b in paired(old.tables, new.tables, same_request):
        cells += changed_cells(a, b, followed)
        rows += changed_rows(a, b)
    return new.number, entries + [entry for _, entry in sorted(cells, key=lambda cell: cell[0])] + rows


def changed_checks(old, new):
    was = {c.what: c.passed for c in old}
    return [[f"Kiểm tra: {c.what}", verdict(was[c.what]), verdict(c.passed)] for c in new if was.get(c.what, c.passed) != c.passed]


def verdict(passed):
    return "đạt" if passed else "không đạt"


def paired(old, new, same_request):
    """Tables of the same caption, then, in order, those whose captions alone differ. -> [(old, new)] in the order of `new`

    A caption that names another followed request is about something else: then only equal captions pair.
    """
    was = {t.caption: t for t in old}
    left_over = [t for t in old if same_request and t.caption not in {n.caption for n in new}]
    pairs = []
    for b in new:
        a = was.get(b.caption) or next((t for t in left_over if len(t.columns) == len(b.columns)), None)
        if a is not None:
            pairs.append((a, b))
            left_over = [t for t in left_over if t is not a]
    return pairs


def changed_cells(old, new, followed):
    """-> [(rank, [what, old, new])] for the rows and columns that both tables have."""
    was, now = by_head(old), by_head(new)
    marked = {head for place, head in enumerate(now) if place in new.marked}
    found = []
    for i, j, label in paired_columns(old.columns, new.columns):
        differing = {head: (was[head][i], now[head][j]) for head in now if head in was and was[head][i] != now[head][j]}
        plain_rank = WORDS if new.columns[j][1] == TEXT else NUMBERS
        if len(differing) >= ALIKE and len(set(differing.values())) == 1:              # the same change all the way down
            found.append((plain_rank, [f"{short(new.caption)} · {len(differing)} hàng · {label}", *differing.popitem()[1]]))
            continue
        for head, texts in differing.items():
            what = (short(new.caption), *([spoken(head)] if len(new.rows) > 1 else []), label)
            rank = FOLLOWED if head[0] == followed else MARKED if plain_rank == NUMBERS and head in marked else plain_rank
            found.append((rank, [" · ".join(what), *texts]))
    return found


def changed_rows(old, new):
    """Which rows came and which went, as one entry for each table."""
    was, now = by_head(old), by_head(new)
    came, went = [spoken(h) for h in now if h not in was], [spoken(h) for h in was if h not in now]
    entries = [["chỉ có lần này", UNDEFINED, listed(came)]] if came else []
    entries += [["không còn", listed(went), UNDEFINED]] if went else []
    return [[f"{short(new.caption)} · hàng {what}", a, b] for what, a, b in entries]


def by_head(table):
    """Rows by their first cell, told apart by a count where several have the same. -> {(head, count): row}

    A first cell that is a moment says nothing of which row it is: such rows are told apart by place.
    """
    heads = [row[0] for row in table.rows]
    if all(head.endswith(" ms") for head in heads):
        heads = [f"hàng {i}" for i in range(1, len(heads) + 1)]
    seen, rows = {}, {}
    for head, row in zip(heads, table.rows):
        seen[head] = seen.get(head, 0) + 1
        rows[head, seen[head]] = row
    return rows


def spoken(head):
    name, count = head
    return (name or "hàng cuối") + (f" ({count})" if count > 1 else "")


def paired_columns(old, new):
    """-> [(place in old, place in new, label)] but for the first column: by place if there are as many, else by label."""
    if len(old) == len(new):
        return [(j, j, label) for j, (label, _) in enumerate(new)][1:]
    places = {label: i for i, (label, _) in enumerate(old)}
    return [(places[label], j, label) for j, (label, _) in enumerate(new) if label in places and j > 0]


def short(caption):
    """A caption without its explanation."""
    for mark in (":", " (", ","):
        caption = caption.split(mark)[0]
    return caption


def listed(names, most=8):
    return ", ".join(names[:most]) + (f" … (còn {len(names) - most})" if len(names) > most else "")
