"""What the learner has set, and what an event makes of it.

In: a Work, an event (a tuple: its name, then what it carries) and the table (what the engine declares of its constants, see
`Table`). Out: the next Work. `run_text` is what a run is asked with, `plain` and `link` what is stored and shared.
Knows nothing of the DOM, of JavaScript or of the run. Never changes a Work: each step makes another.

Whatever was typed stays as it was typed, good or bad. A value is text all the way to the engine. Only what differs from
the defaults is kept, so that the defaults are one Work: START.

A *place* is where a sentence belongs: "SLOTS", "CORPUS", "REQUESTS", or "REQUESTS:2:max_new" for a cell of the third request.
"""

import json
from collections import namedtuple

import reading
import words_controls as words

FIELDS = (
    "typed",     # {constant: text}, of numbers
    "corpus",    # a sentence a line, or None
    "requests",  # a tuple of rows, each a tuple of texts in the order of CELLS, or None
    "follow",    # id of the followed request, or None
    "script",    # the learner's program when it is more than the default one with other values, or None
    "computed",  # constants whose value the script computes: shown, but set in the script only
    "broken",    # what is wrong with the script's text: ((line, message), …); it is run all the same, and Python says more
    "waits",     # a link brought this script, and nobody has pressed Chạy yet
    "live",      # run again at once when something changes
    "touched",   # places that the learner has left: their trouble is shown
    "blamed",    # what the engine refused: ((places, sentence), …)
    "pinned",    # result that others are compared with: {"key": …, "constants": …}, or None
    "kept",      # {name: plain data} of other parts of the page
    "before",    # the Work that «Hoàn tác» brings back, or None
    "notice",    # (kind, sentence) above the page, or None; the kind says which buttons go with it
)
Work = namedtuple("Work", FIELDS)

START = Work({}, None, None, None, None, (), (), False, True, (), (), None, {}, None, None)

CELLS = ("id", "arrival", "text", "max_new", "temperature", "top_k", "top_p", "seed")
ROWS_SHOWN = 40                                       # of requests; more are kept, and edited in the script

# Kinds of notice, each with its buttons
PLAIN, UNDO, DEFAULTS = "plain", "undo", "defaults"


class Table:
    """The engine's table as the page's build wrote it down: rows in the engine's order, defaults as text."""

    def __init__(self, data):
        self.numbers = [one for one in data["constants"] if one["minimum"] is not None]
        self.by_name = {one["name"]: one for one in self.numbers}
        self.names = [one["name"] for one in data["constants"]]
        self.defaults = {one["name"]: one["text"] for one in self.numbers}
        self.cells = {one["name"]: one for one in data["fields"]}
        self.corpus = "\n".join(data["corpus"])
        self.requests = tuple(tuple(row) for row in data["requests"])
        self.follow = data["follow"]
        self.presets = data["presets"]
        self.preset_texts = [run_text(preset(START, self, i), self) for i in range(len(self.presets))]


def but(work, **changes):
    """The same work with some fields changed."""
    return Work(*[changes[name] if name in changes else getattr(work, name) for name in FIELDS])


def step(work, event, table):
    return EVENTS[event[0]](work, table, *event[1:])


# What is set


def text_of(work, table, name):
    """What stands in a number's field."""
    return work.typed.get(name, table.defaults[name])


def requests_of(work, table):
    return table.requests if work.requests is None else work.requests


def follow_of(work, table):
    return table.follow if work.follow is None else work.follow


def corpus_of(work, table):
    return table.corpus if work.corpus is None else work.corpus


def value_of(work, table, name):
    """-> (canonical text or None, sentence)"""
    return reading.read_number(text_of(work, table, name), name, table.by_name[name])


def changed_names(work, table):
    """Constants that differ from the default, in the table's order."""
    others = {"CORPUS": work.corpus, "REQUESTS": work.requests, "FOLLOW": work.follow}
    return [name for name in table.names if name in work.typed or others.get(name) is not None]


def own_troubles(work, table):
    """What can be seen to be wrong without the engine: [(place, sentence)]."""
    found = []
    for row in table.numbers:
        if row["name"] in work.typed and row["name"] not in work.computed:
            value, sentence = value_of(work, table, row["name"])
            if value is None:
                found.append((row["name"], sentence))
    if work.corpus is not None and not work.corpus.strip():
        found.append(("CORPUS", words.NO_CORPUS))
    if work.requests is not None:
        for i, row in enumerate(work.requests):
            for cell in CELLS:
                value, sentence = read_cell(row, i, cell, table)
                if value is None:
                    found.append(("REQUESTS:" + str(i) + ":" + cell, sentence))
    return found


def shown_troubles(work, own):
    """{place: sentence} for the fields that the learner has left; `own` as `own_troubles` found them. What the engine said comes after."""
    shown = {}
    for place, sentence in own + [(place, sentence) for places, sentence in work.blamed for place in places]:
        if place in work.touched and place not in shown:
            shown[place] = sentence
    return shown


def read_cell(row, i, cell, table):
    text = row[CELLS.index(cell)]
    if cell not in table.cells:
        return text, ""
    return reading.read_number(text, words.field_of_request(row[0], i + 1, cell), table.cells[cell])


# What leaves


def run_text(work, table):
    """What identifies a run: {"constants": only what differs, "script"?} as JSON text, the same for the same work."""
    if work.script is not None:
        return '{"constants": {}, "script": ' + quoted(work.script)
    return '{"constants": ' + constants_text(work, table)


def constants_text(work, table):
    """The constants that differ, as a JSON object in the table's order; of work without troubles of its own."""
    return "{" + ", ".join([json.dumps(name) + ": " + value_text(work, table, name) for name in changed_names(work, table)]) + "}"


def value_text(work, table, name):
    """The value of one constant as JSON."""
    if name == "CORPUS":
        return json.dumps([line for line in corpus_of(work, table).split("\n") if line.strip()])
    if name == "REQUESTS":
        return "[" + ", ".join([request_text(row, i, table) for i, row in enumerate(requests_of(work, table))]) + "]"
    if name == "FOLLOW":
        return json.dumps(follow_of(work, table))
    return value_of(work, table, name)[0]


def request_text(row, i, table):
    parts = []
    for cell, text in zip(CELLS, row):
        value = read_cell(row, i, cell, table)[0]
        parts.append(json.dumps(cell) + ": " + (value if cell in table.cells else json.dumps(text)))
    return "{" + ", ".join(parts) + "}"


def quoted(text):
    """A text as JSON. MicroPython's json.dumps goes letter by letter: seconds for a long program."""
    text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    for code in range(32):
        if chr(code) in text:
            text = text.replace(chr(code), "\\u00" + ("0" if code < 16 else "1") + "0123456789abcdef"[code % 16])
    return '"' + text + '"'


def basis(work):
    """What a script's text is made of: two works with the same basis have the same text."""
    return (work.typed, work.corpus, work.requests, work.follow, work.script)


def values_text(work, table):
    """The constants that differ from the default and hold a value, as JSON: [[name, value]]."""
    bad = [place.partition(":")[0] for place, _ in own_troubles(work, table)]
    names = [name for name in changed_names(work, table) if name not in bad]
    return "[" + ", ".join(["[" + json.dumps(name) + ", " + value_text(work, table, name) + "]" for name in names]) + "]"


def link(work, table):
    """What a link carries, as plain data: good values only; a script brings its constants itself."""
    if work.script is not None:
        return {"script": work.script}
    bad = [place.partition(":")[0] for place, _ in own_troubles(work, table)]
    names = [name for name in changed_names(work, table) if name not in bad]
    found = {"set": [[name, value_of(work, table, name)[0]] for name in names if name in table.by_name]}
    if "CORPUS" in names:
        found["corpus"] = [line for line in work.corpus.split("\n") if line.strip()]
    if "REQUESTS" in names:
        found["requests"] = [[read_cell(row, i, cell, table)[0] for cell in CELLS] for i, row in enumerate(work.requests)]
    if "FOLLOW" in names:
        found["follow"] = work.follow
    return found


def plain(work, table):
    """What is stored: everything that the learner wrote, and the defaults that it was written against."""
    return {
        "v": 1, "typed": work.typed, "corpus": work.corpus, "requests": work.requests, "follow": work.follow, "script": work.script,
        "waits": work.waits, "live": work.live, "pinned": work.pinned, "kept": work.kept,
        "defaults": {"typed": table.defaults, "corpus": table.corpus, "requests": table.requests, "follow": table.follow},
    }


# Numbers


def typed(work, table, name, text):
    """A key in a number's field: its trouble is shown when the learner leaves it, and goes as soon as it is over."""
    return but(unblamed(work, name), typed=with_text(work.typed, table, name, text))


def left(work, table, place):
    """A field was left, or Enter was pressed in it."""
    return but(work, touched=work.touched if place in work.touched else work.touched + (place,))


def reset_one(work, table, name):
    if name == "CORPUS":
        return but(unblamed(work, name), corpus=None)
    if name == "REQUESTS":
        return but(unblamed(unblamed(work, name), "FOLLOW"), requests=None, follow=None, touched=without_cells(work.touched))
    return typed(work, table, name, table.defaults[name])


def with_text(texts, table, name, text):
    """The texts with one more; a text that says the default goes."""
    rest = {one: texts[one] for one in texts if one != name}
    if reading.read_number(text, name, table.by_name[name])[0] != table.defaults[name]:
        rest[name] = text
    return rest


def unblamed(work, place):
    """Without what the engine said of this place; a sentence that names two goes for both."""
    blamed = tuple([one for one in work.blamed if place not in one[0]])
    return but(work, blamed=blamed)


def stepped(value, row, direction):
    """The value one step up or down, as text; at an end of the range it stays."""
    step = str(row["step"])
    places = len(step.partition(".")[2])
    scale = 10 ** places
    moved = scaled(value, places) + direction * scaled(step, places)
    if moved < row["minimum"] * scale or moved > row["maximum"] * scale:
        return value
    if not places:
        return str(moved)
    digits = "0" * places + str(moved)
    tail = digits[-places:].rstrip("0")
    return str(moved // scale) + ("." + tail if tail else "")


def scaled(text, places):
    """"0.95", 2 -> 95; digits beyond the step's are dropped."""
    head, _, tail = text.partition(".")
    return int(head + (tail + "0" * places)[:places])


# Texts and requests


def corpus_typed(work, table, text):
    return but(unblamed(work, "CORPUS"), corpus=None if text == table.corpus else text)


def cell_typed(work, table, i, cell, text):
    rows = list(requests_of(work, table))
    old = rows[i]
    at = CELLS.index(cell)
    rows[i] = old[:at] + (text,) + old[at + 1:]
    follow = text if cell == "id" and old[0] == follow_of(work, table) else follow_of(work, table)
    return with_requests(work, table, rows, follow)


def request_added(work, table):
    rows = list(requests_of(work, table))
    last = rows[-1]
    rows.append((free_id(rows), last[1], last[2], "5", "0", "0", "1", str(len(rows) + 1)))
    return with_requests(work, table, rows, follow_of(work, table))


def request_removed(work, table, i):
    """The last one stays; when the followed one goes, the first of the others is followed."""
    rows = list(requests_of(work, table))
    if len(rows) == 1:
        return but(work, notice=(PLAIN, words.LAST_REQUEST))
    gone = rows.pop(i)
    follow = rows[0][0] if gone[0] == follow_of(work, table) else follow_of(work, table)
    return but(with_requests(work, table, rows, follow), touched=without_cells(work.touched))


def followed(work, table, id):
    return but(unblamed(work, "FOLLOW"), follow=None if id == table.follow else id)


def with_requests(work, table, rows, follow):
    """A row counts by its values: "07" and "7" are the same request."""
    rows = tuple(rows)
    same = canonical(rows, table) == table.requests
    work = but(unblamed(unblamed(work, "REQUESTS"), "FOLLOW"), requests=None if same else rows)
    return but(work, follow=None if follow == table.follow else follow)


def canonical(rows, table):
    return tuple([tuple([read_cell(row, i, cell, table)[0] for cell in CELLS]) for i, row in enumerate(rows)])


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


def without_cells(touched):
    return tuple([place for place in touched if not place.startswith("REQUESTS:")])


# All at once


def preset(work, table, i):
    """All constants as a preset has them; what was there before can be taken back."""
    chosen = table.presets[i]
    return but(
        cleared(work), typed=dict(chosen["typed"]), requests=None if chosen["requests"] is None else tuple(tuple(row) for row in chosen["requests"]),
        before=to_come_back(work), notice=(UNDO if is_set(work) else PLAIN, words.preset_applied(chosen["label"])))


def preset_of(text, table):
    """Index of the preset that a run of this text is, or -1."""
    return table.preset_texts.index(text) if text in table.preset_texts else -1


def reset_all(work, table):
    if not is_set(work):
        return work
    return but(cleared(work), before=to_come_back(work), notice=(UNDO, words.WAS_RESET))


def undo(work, table):
    if work.before is None:
        return work
    return but(work.before, live=work.live, pinned=work.pinned, kept=work.kept, before=None, notice=(PLAIN, words.UNDONE))


def dismissed(work, table):
    return but(work, notice=None)


def live(work, table, on):
    return but(work, live=on)


def is_set(work):
    """Whether anything differs from the defaults."""
    return bool(work.typed) or work.corpus is not None or work.requests is not None or work.follow is not None or work.script is not None


def to_come_back(work):
    """What «Hoàn tác» brings back: one step, not all steps before it."""
    return but(work, before=None, notice=None) if is_set(work) else None


def cleared(work):
    """The defaults; what does not belong to a configuration stays."""
    return but(START, live=work.live, pinned=work.pinned, kept=work.kept)


# The script


def script_edited(work, table, text, read, custom):
    """The learner edited the program. `read` is {"values": {name: value}, "computed": [name], "missing": [name],
    "errors": [{"line", "message"}]}; `custom` says that it is more than the default program with other values.
    A constant that the script does not set as a plain value keeps what it had."""
    work = but(work, script=text if custom else None, computed=tuple(read["computed"]) if custom else (), waits=False, blamed=(),
               broken=tuple([(one["line"], one["message"]) for one in read["errors"]]))
    for name in table.names:
        if name in read["values"]:
            work = with_value(work, table, name, read["values"][name])
        elif name in read["missing"]:
            work = without(work, table, name)
    return work


def script_read(work, table, read):
    """A stored script, read again: which constants it computes."""
    return but(work, computed=tuple(read["computed"]), broken=tuple([(one["line"], one["message"]) for one in read["errors"]]))


def script_rewritten(work, table, text):
    """A control changed its line of the learner's program; the values are known already."""
    return but(work, script=text)


def with_value(work, table, name, value):
    """A constant set to a plain value, whatever it is: what is no good is shown as it was written."""
    if name == "REQUESTS":
        rows = rows_of(value)
        return work if rows is None else with_requests(work, table, rows, follow_of(work, table))
    if name == "CORPUS":
        return corpus_typed(work, table, "\n".join([str(line) for line in value])) if isinstance(value, list) else work
    if name == "FOLLOW":
        return followed(work, table, str(value))
    return but(work, typed=with_text(work.typed, table, name, json.dumps(value) if isinstance(value, str) else number_text(value)))


def without(work, table, name):
    """A constant that the script leaves out has its default."""
    if name == "REQUESTS":
        return but(work, requests=None)
    if name == "CORPUS":
        return but(work, corpus=None)
    if name == "FOLLOW":
        return but(work, follow=None)
    return but(work, typed={one: work.typed[one] for one in work.typed if one != name})


def number_text(value):
    text = str(value)
    return text[:-2] if isinstance(value, float) and text.endswith(".0") else text


DEFAULT_CELLS = {"temperature": "0", "top_k": "0", "top_p": "1", "seed": "0"}


def rows_of(value):
    """Requests as plain data -> rows of texts, or None when that is no list of requests."""
    if not isinstance(value, list) or not value or not all([isinstance(one, dict) for one in value]):
        return None
    return [tuple([number_text(one[cell]) if cell in one else DEFAULT_CELLS.get(cell, "") for cell in CELLS]) for one in value]


# The run


def run_asked(work, table):
    """Chạy: every trouble is shown from now on, and a script that a link brought is the learner's own decision."""
    places = tuple([place for place, _ in own_troubles(work, table)])
    touched = work.touched + tuple([one for one in places if one not in work.touched])
    if not work.waits and touched == work.touched:
        return work
    return but(work, waits=False, touched=touched, notice=None if work.waits else work.notice)


def refused(work, table, errors):
    """The engine will not take this configuration: each sentence goes to every constant that it names."""
    blamed = tuple([(places_of(one, table), one["message"]) for one in errors])
    touched = work.touched
    for places, _ in blamed:
        touched += tuple([place for place in places if place not in touched])
    return but(work, blamed=blamed, touched=touched)


def accepted(work, table, constants):
    """The engine ran with these constants; what the script computes is known now."""
    if not work.computed:
        return but(work, blamed=()) if work.blamed else work
    values = {name: work.typed[name] for name in work.typed}
    for name in work.computed:
        if name in table.by_name and name in constants:
            values[name] = number_text(constants[name])
    return but(work, blamed=(), typed=values)


def places_of(error, table):
    """The constants that an error names, its own first."""
    own = error["constant"] or ""
    named = [name for name in table.names if name != own and has_word(error["message"], name)]
    return tuple(([own] if own in table.names else []) + named)


def has_word(text, word):
    """Whether the name stands in the text by itself: COST_DECODE_FIXED is not COST_DECODE."""
    for piece in text.replace(",", " ").replace(".", " ").replace(":", " ").replace("(", " ").replace(")", " ").split():
        if piece == word:
            return True
    return False


# Other parts of the page


def keep(work, table, name, data):
    """Plain data of another part, stored with the rest; None forgets it."""
    rest = {one: work.kept[one] for one in work.kept if one != name}
    if data is not None:
        rest[name] = data
    return but(work, kept=rest)


def pin(work, table, result):
    return but(work, pinned=result)


# Links and storage


def linked(work, table, found):
    """A link as link.js read it: {"trouble": "" | "broken" | "later" | "long", "state": {…}, "unknown": [names]}. What is no good is
    left out and said. The script, if there is one, is read by whoever reads scripts, and comes as `script_brought`."""
    if found["trouble"]:
        return but(cleared(work), notice=(PLAIN, {"later": words.LINK_LATER, "long": words.LINK_TOO_LONG}.get(found["trouble"], words.LINK_BROKEN)))
    state = found["state"]
    said = []
    unknown = list(found["unknown"])
    new = cleared(work)
    for name, text in state.get("set", []):
        if name not in table.by_name:
            unknown.append(name)
            continue
        value, sentence = reading.read_number(text, name, table.by_name[name])
        if value is None:
            said.append(sentence)
        else:
            new = but(new, typed=with_text(new.typed, table, name, value))
    if state.get("corpus"):
        new = corpus_typed(new, table, "\n".join(state["corpus"]))
    if state.get("requests"):
        rows = [tuple(row) for row in state["requests"]]
        bad = [read_cell(row, i, cell, table)[1] for i, row in enumerate(rows) for cell in CELLS]
        bad = [sentence for sentence in bad if sentence]
        if bad:
            said += bad[:3]
        else:
            new = with_requests(new, table, rows, follow_of(new, table))
    if state.get("follow"):
        new = follow_if_there(new, table, state["follow"], said)
    sentences = ([words.unknown_names(unknown[:5])] if unknown else []) + ([words.refused_values(said[:3])] if said else [])
    if sentences:
        new = but(new, notice=(PLAIN, " ".join(sentences)))
    return new


def follow_if_there(work, table, id, said):
    if id in [row[0] for row in requests_of(work, table)]:
        return followed(work, table, id)
    said.append(words.nobody(id))
    return work


def replaced(work, table, old):
    """A link came over work that was stored: it can be taken back."""
    if not is_set(old) or run_text(old, table) == run_text(work, table):
        return work
    return but(work, before=to_come_back(old), notice=(UNDO, words.LINK_REPLACED if work.notice is None else work.notice[1] + " " + words.LINK_REPLACED))


def script_brought(work, table, text, read):
    """A script from a link: shown, and not run before Chạy."""
    work = script_edited(work, table, text, read, True)
    return but(work, waits=True, notice=(PLAIN, words.LINK_BRINGS_SCRIPT))


def stored(work, table, found):
    """What was stored, as `plain` wrote it. Defaults that have changed since are for the learner to decide."""
    new = but(
        work, typed=texts_only(found.get("typed"), table), corpus=text_or_none(found.get("corpus")), requests=rows_or_none(found.get("requests")),
        follow=text_or_none(found.get("follow")), script=text_or_none(found.get("script")), waits=bool(found.get("waits")),
        live=found.get("live") is not False, pinned=found.get("pinned"), kept=found.get("kept") or {})
    new = but(new, touched=tuple([place for place, _ in own_troubles(new, table)]))
    moved = moved_defaults(new, table, found.get("defaults") or {})
    if moved and is_set(new):
        return but(new, before=with_defaults(new, table, found["defaults"]), notice=(DEFAULTS, words.DEFAULTS_CHANGED.format(", ".join(moved))))
    return new


def moved_defaults(work, table, defaults):
    """Constants whose default is another now, and which the learner has not set."""
    old = defaults.get("typed") or {}
    moved = [name for name in table.defaults if name in old and old[name] != table.defaults[name] and name not in work.typed]
    if work.corpus is None and defaults.get("corpus") not in (None, table.corpus):
        moved.append("CORPUS")
    if work.requests is None and rows_or_none(defaults.get("requests")) not in (None, table.requests):
        moved.append("REQUESTS")
    return [name for name in table.names if name in moved]


def with_defaults(work, table, defaults):
    """The work as it was: what had an old default is set to it."""
    moved = moved_defaults(work, table, defaults)
    values = {name: work.typed[name] for name in work.typed}
    for name in moved:
        if name in table.by_name:
            values[name] = defaults["typed"][name]
    corpus = defaults["corpus"] if "CORPUS" in moved else work.corpus
    requests = rows_or_none(defaults["requests"]) if "REQUESTS" in moved else work.requests
    return but(work, typed=values, corpus=corpus, requests=requests, notice=None, before=None)


def keep_mine(work, table):
    """The old defaults stay in force."""
    return work if work.before is None else but(work.before, live=work.live, kept=work.kept, pinned=work.pinned)


def take_new(work, table):
    return but(work, before=None, notice=None)


def texts_only(found, table):
    found = found or {}
    return {name: found[name] for name in table.by_name if isinstance(found.get(name), str)}


def text_or_none(value):
    return value if isinstance(value, str) else None


def rows_or_none(value):
    if not isinstance(value, list) and not isinstance(value, tuple):
        return None
    rows = tuple([tuple(row) for row in value if len(row) == len(CELLS) and all([isinstance(cell, str) for cell in row])])
    return rows or None


EVENTS = {
    "typed": typed,
    "left": left,
    "reset_one": reset_one,
    "corpus_typed": corpus_typed,
    "cell_typed": cell_typed,
    "request_added": request_added,
    "request_removed": request_removed,
    "followed": followed,
    "preset": preset,
    "reset_all": reset_all,
    "undo": undo,
    "dismissed": dismissed,
    "live": live,
    "script_edited": script_edited,
    "script_read": script_read,
    "script_rewritten": script_rewritten,
    "script_brought": script_brought,
    "run_asked": run_asked,
    "refused": refused,
    "accepted": accepted,
    "keep": keep,
    "pin": pin,
    "linked": linked,
    "replaced": replaced,
    "stored": stored,
    "keep_mine": keep_mine,
    "take_new": take_new,
}
