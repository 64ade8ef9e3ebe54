"""What changed: the strip of headline figures, the constants, the causes, and the marks on the panels.

In: a run's headlines and changes as the engine sends them, the name of the baseline. Out: trees, as in render.
Computes no figure: which way one went, and whether that is better, is the engine's word.
"""

import figures
import render
import trees
import words_learn as words
import work as works

el = render.el

NAMES_SHOWN = 2  # constants in the name of a baseline
CONSTANTS_SHOWN = 5  # that changed; the others stand in a fold
CAUSES_SHOWN = 3  # the most telling one and what explains it; the others stand in a fold
LINES_SHOWN = 4  # of what differs in a panel; the others stand in a fold
NOTHING = "–"  # what the engine writes for a request that was not there
BREAKS = (" ", "\u202f", "\u00a0")  # between a figure and its unit, or its share

# The strip


def strip(headlines, changes):
    """[(headline, its change or None)], in the engine's order."""
    before = {one[0]: one for one in changes["strip"]} if changes else {}
    return [(headline, before.get(headline[0])) for headline in headlines]


def figure(headline, change):
    """A group for one headline figure: label, value, and what it was where it differs."""
    id, label, text = headline[:3]
    short = words.SHORT.get(id) or label
    name = el("dt", {"title": label}, short) if short == label else el("dt", {"title": label}, hidden(label), seen(short))
    values = [el("span", {"class": "now"}, text)]
    css = "figure"
    if change and change[4] != "same":
        css += " is-changed"
        values.append(was(change))
    return el("div", {"class": css, "data-figure": id}, name, el("dd", {}, *values))


def was(change):
    _, _, old, _, direction, judged = change
    return el("span", {"class": "was"}, seen(words.ARROWS[direction] + " " + bare(old)), hidden(words.spoken(direction, old, judged)))


def bare(text):
    """ "22.00 ms" -> "22.00", "7/12 (58 %)" -> "7/12": the unit stands beside it, with the new value."""
    ends = [text.find(sign) for sign in BREAKS if sign in text]
    return text[:min(ends)] if ends else text


def hidden(text):
    return el("span", {"class": "hidden"}, text)


def seen(text):
    return el("span", {"aria-hidden": "true"}, text)


def differs(changes):
    """Whether the comparison found any headline figure or constant that is not the same."""
    return bool(changes) and (bool(changes["constants"]) or any(one[4] != "same" for one in changes["strip"]))


# Why


def reasons(changes, otherwise):
    """The constants that changed, the most telling causes, what is better and what is worse, the other causes in a fold."""
    if not changes:
        return [trees.sentence(otherwise)]
    nodes = constants(changes["constants"])
    causes = changes["causes"]
    if causes:
        nodes.append(el("p", {"class": "cause"}, *trees.prose(causes[0])))
    if len(causes) > 1:
        nodes.append(trees.items(causes[1:CAUSES_SHOWN], "why"))
    judged = [judgement(words.BETTER, "better", changes), judgement(words.WORSE, "worse", changes)]
    nodes += [one for one in judged if one]
    if len(causes) > CAUSES_SHOWN:
        nodes.append(fold(words.MORE_CAUSES.format(len(causes) - CAUSES_SHOWN), trees.items(causes[CAUSES_SHOWN:], "")))
    return nodes


def fold(summary, content):
    return el("details", {"class": "causes"}, el("summary", {}, summary), content)


def constants(rows):
    """[[name, old, new]] -> `SLOTS` 2 → 3, one after another; more than a few in a fold."""
    nodes = []
    for shown in (rows[:CONSTANTS_SHOWN], rows[CONSTANTS_SHOWN:]):
        line = []
        for row in shown:
            if line:
                line.append(hidden("; "))
            line.append(el("span", {"class": "changed-constant"}, el("code", {}, row[0]), " ", *trees.rich(change_text(row[1], row[2]))))
        if line:
            nodes.append(el("p", {"class": "changed-constants"}, *line))
    return nodes[:1] + [fold(words.more_changes(len(rows) - CONSTANTS_SHOWN), line) for line in nodes[1:]]


def change_text(old, new):
    """What both texts begin or end with is said once: "2 yêu cầu", "3 yêu cầu" -> "2 → 3 yêu cầu"; "B: top_k 4", "B: top_k 0" -> "B: top_k 4 → 0"."""
    if old == NOTHING:
        return words.CAME + " " + new
    if new == NOTHING:
        return words.WENT + " " + old
    field = new.find(" ", new.find(": ") + 2) + 1 if ": " in new else 0
    if old[:field] == new[:field]:
        return old[:field] + without_common_unit(old[field:], new[field:]) + " → " + new[field:]
    return old + " → " + new


def without_common_unit(old, new):
    """ "2 yêu cầu", "3 yêu cầu" -> "2": the unit is said once."""
    number = bare(old)
    return number if number.isdigit() and bare(new).isdigit() and old[len(number):] == new[len(bare(new)):] else old


def judgement(title, kind, changes):
    labels = [one[1] for one in changes["strip"] if one[5] == kind]
    return el("p", {"class": "judged"}, el("b", {}, title + ": "), ", ".join(labels) + ".") if labels else None


# Panels


def panel_marks(changes):
    """[(block, mark, rows, how many rows were left out)] of the panels where a figure differs."""
    if not changes:
        return []
    omitted = {block: count for block, count in changes.get("panels_omitted") or []}
    return [(block, words.marks(len(rows) + omitted.get(block, 0)), rows, omitted.get(block, 0)) for block, rows in changes["panels"]]


def panel_list(rows, omitted, baseline):
    """What differs in one panel, old → new: the first few lines, the others in a fold."""
    lines = [change_line(*row) for row in rows]
    more = lines[LINES_SHOWN:]
    if omitted:
        more.append(el("li", {"class": "left-out"}, words.marks_left_out(omitted)))
    nodes = [el("p", {"class": "panel-changes-title"}, words.panel_changes(baseline)), el("ul", {}, *lines[:LINES_SHOWN])]
    if more:
        summary = el("summary", {}, words.more_changes(len(lines) - LINES_SHOWN + omitted))
        nodes.append(el("details", {}, summary, el("ul", {}, *more)))
    return nodes


def change_line(what, old, new):
    was = el("span", {"class": "old-figure"}, *trees.rich(old))
    return el("li", {}, *(trees.rich(what) + [": ", was, " → ", el("b", {}, *trees.rich(new))]))


# The baseline's name


def baseline_name(constants, table):
    """What a result is called: its constants that differ from the default, two at most."""
    found = [name + (" " + text if text else "") for name, text in changed(constants, table)]
    if not found:
        return words.DEFAULTS
    return ", ".join(found[:NAMES_SHOWN]) + (words.and_more(len(found) - NAMES_SHOWN) if len(found) > NAMES_SHOWN else "")


def changed(constants, table):
    """[(name, value as text)] of what differs from the default; "" for lists, which have no short text.

    table: the page's table of constants, with defaults as text.
    """
    found = []
    for name in table.names:
        value = constants[name]
        if name in table.defaults:
            differs, text = figures.number_text(value) != table.defaults[name], figures.number_text(value)
        elif name == "CORPUS":
            differs, text = "\n".join(value) != table.corpus, ""
        elif name == "REQUESTS":
            differs, text = tuple([request_texts(one) for one in value]) != tuple([tuple(row) for row in table.requests]), ""
        else:
            differs, text = value != table.follow, value
        if differs:
            found.append((name, text))
    return found


def request_texts(one):
    return tuple([one[cell] if isinstance(one[cell], str) else figures.number_text(one[cell]) for cell in works.CELLS])
