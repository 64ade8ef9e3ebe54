"""What the fields, the presets and the runs make of a Work.

In: a Work, the table, what the event carries. Out: the next Work. Knows nothing of the DOM, of JavaScript or of scripts.
"""

import reading
import words_controls as words
import work as works

# Numbers


def typed(work, table, name, text):
    """A key in a number's field: its trouble is shown when the learner leaves it, and goes as soon as it is over."""
    return works.but(unblamed(work, name), typed=with_text(work.typed, table, name, text))


def left(work, table, place):
    """A field was left, or Enter was pressed in it."""
    return works.but(work, touched=work.touched if place in work.touched else work.touched + (place,))


def reset_one(work, table, name):
    if name == "CORPUS":
        return works.but(unblamed(work, name), corpus=None)
    if name == "REQUESTS":
        return works.but(unblamed(unblamed(work, name), "FOLLOW"), requests=None, follow=None, touched=without_cells(work.touched))
    return typed(work, table, name, table.defaults[name])


def with_text(texts, table, name, text):
    """The texts with one more; a text that says the default goes."""
    rest = {one: texts[one] for one in texts if one != name}
    if reading.read_number(text, name, table.by_name[name])[0] != table.defaults[name]:
        rest[name] = text
    return rest


def without_cells(touched):
    return tuple([place for place in touched if not place.startswith("REQUESTS:")])


def unblamed(work, place):
    """Without what the engine said of this place; a sentence that names two goes for both."""
    blamed = tuple([one for one in work.blamed if place not in one[0]])
    return works.but(work, blamed=blamed)


# Texts and requests


def corpus_typed(work, table, text):
    return works.but(unblamed(work, "CORPUS"), corpus=None if text == table.corpus else text)


def cell_typed(work, table, i, cell, text):
    rows = list(works.requests_of(work, table))
    old = rows[i]
    at = works.CELLS.index(cell)
    rows[i] = old[:at] + (text,) + old[at + 1:]
    follow = works.follow_of(work, table)
    others = [row[0] for j, row in enumerate(rows) if j != i]
    nobody = follow not in others + [old[0]]  # the followed one's name is on its way through another's: "C", then "A", then "AB"
    renamed = cell == "id" and text not in others and (nobody or old[0] == follow and follow not in others)
    return with_requests(work, table, rows, text if renamed else follow)


def request_added(work, table):
    rows = list(works.requests_of(work, table))
    last = rows[-1]
    rows.append((free_id(rows), last[1], last[2], "5", "0", "0", "1", str(len(rows) + 1)))
    return with_requests(work, table, rows, works.follow_of(work, table))


def request_removed(work, table, i):
    """The last one stays; when the followed one goes, the first of the others is followed."""
    rows = list(works.requests_of(work, table))
    if len(rows) == 1:
        return press_answered(work, table, words.LAST_REQUEST)
    gone = rows.pop(i)
    follow = rows[0][0] if gone[0] == works.follow_of(work, table) else works.follow_of(work, table)
    return works.but(with_requests(work, table, rows, follow), touched=without_cells(work.touched))


def followed(work, table, id):
    return works.but(unblamed(work, "FOLLOW"), follow=None if id == table.follow else id)


def with_requests(work, table, rows, follow):
    """A row counts by its values: "07" and "7" are the same request."""
    rows = tuple(rows)
    same = canonical(rows, table) == table.requests
    work = works.but(unblamed(unblamed(work, "REQUESTS"), "FOLLOW"), requests=None if same else rows)
    return works.but(work, follow=None if follow == table.follow else follow)


def canonical(rows, table):
    return tuple([tuple([works.read_cell(row, i, cell, table)[0] for cell in works.CELLS]) for i, row in enumerate(rows)])


def free_id(rows):
    """The first capital letter that no request has; after Z, R27 and so on."""
    taken = [row[0] for row in rows]
    for i in range(26):
        if chr(65 + i) not in taken:
            return chr(65 + i)
    count = len(rows) + 1
    while "R" + str(count) in taken:
        count += 1
    return "R" + str(count)


# All at once


def preset(work, table, i):
    """All constants as a preset has them; what was there before can be taken back, also from the second preset that is looked at."""
    chosen = works.of_preset(table.presets[i])
    before = work.before if is_preset(work, table) and work.before else to_come_back(work)
    notice = (works.UNDO if before else works.PLAIN, words.preset_applied(table.presets[i]["label"]))
    return works.but(cleared(work), typed=chosen.typed, requests=chosen.requests, before=before, notice=notice)


def is_preset(work, table):
    return not works.own_troubles(work, table) and works.preset_of(works.run_text(work, table), table) >= 0


def reset_all(work, table):
    if not works.is_set(work):
        return work
    return works.but(cleared(work), before=to_come_back(work), notice=(works.UNDO, words.WAS_RESET))


def undo(work, table):
    """What was set since is the learner's own, too, and can be had again."""
    if work.before is None:
        return work
    since = None if is_preset(work, table) else to_come_back(work)
    notice = (works.UNDO if since else works.PLAIN, words.UNDONE)
    return works.but(work.before, live=work.live, pinned=work.pinned, kept=work.kept, before=since, notice=notice)


def dismissed(work, table):
    return works.but(work, notice=None)


def press_answered(work, table, sentence):
    """A sentence that answers a press; what stands there with its buttons stays."""
    if work.notice is None or work.notice[0] == works.PLAIN:
        return works.but(work, notice=(works.PLAIN, sentence))
    kind, text = work.notice
    return work if text.endswith(sentence) else works.but(work, notice=(kind, text + " " + sentence))


def live(work, table, on):
    return works.but(work, live=on)


def to_come_back(work):
    """What «Hoàn tác» brings back: one step, not all steps before it."""
    return works.but(work, before=None, notice=None) if works.is_set(work) else None


def cleared(work):
    """The defaults; what does not belong to a configuration stays."""
    return works.but(works.START, live=work.live, pinned=work.pinned, kept=work.kept)


# The run


def run_asked(work, table):
    """Chạy: every trouble is shown from now on, and a script that a link brought is the learner's own decision."""
    places = tuple([place for place, _ in works.own_troubles(work, table)])
    touched = work.touched + tuple([one for one in places if one not in work.touched])
    if not work.waits and touched == work.touched:
        return work
    return works.but(work, waits=False, touched=touched, notice=script_noticed(work) if work.waits else work.notice)


def script_noticed(work):
    """The script of a link has been run: what it replaced can still be taken back."""
    return (works.UNDO, words.WORK_KEPT) if work.before else None


def refused(work, table, errors):
    """The engine will not take this configuration: each sentence goes to every constant that it names."""
    cells = work.requests is not None and "REQUESTS" not in work.computed  # the default ones are good: others are a script's own
    blamed = tuple([(places_of(one, table, cells), one["message"]) for one in errors])
    touched = work.touched
    for places, _ in blamed:
        touched += tuple([place for place in places if place not in touched])
    return works.but(work, blamed=blamed, touched=touched)


def accepted(work, table, constants):
    """The engine ran with these constants; what the script computes is known now."""
    if not work.computed:
        return works.but(work, blamed=()) if work.blamed else work
    values = work.typed
    for name in work.computed:
        if name in table.by_name and name in constants:
            values = with_text(values, table, name, number_text(constants[name]))
    return works.but(work, blamed=(), typed=values)


def places_of(error, table, cells=True):
    """The constants that an error names, its own first, then the cell of the table of requests, if its rows are what the engine read."""
    own = error["constant"] or ""
    if cells and error.get("cell") and error["cell"][1] in works.CELLS:
        return (own, own + ":" + str(error["cell"][0]) + ":" + error["cell"][1])
    named = [name for name in table.names if name != own and has_word(error["message"], name)]
    return tuple(([own] if own in table.names else []) + named)


def has_word(text, word):
    """Whether the name stands in the text by itself: COST_DECODE_FIXED is not COST_DECODE."""
    for piece in text.replace(",", " ").replace(".", " ").replace(":", " ").replace("(", " ").replace(")", " ").split():
        if piece == word:
            return True
    return False


def number_text(value):
    text = str(value)
    return text[:-2] if isinstance(value, float) and text.endswith(".0") else text


# Other parts of the page


def keep(work, table, name, data):
    """Plain data of another part, stored with the rest; None forgets it."""
    rest = {one: work.kept[one] for one in work.kept if one != name}
    if data is not None:
        rest[name] = data
    return works.but(work, kept=rest)


def pin(work, table, result):
    return works.but(work, pinned=result)
