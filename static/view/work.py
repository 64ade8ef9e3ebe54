"""What the learner has set, and what can be read off it.

In: a Work, and the table (what the engine declares of its constants, see `Table`). Out: values, what is wrong with them, `run_text`
(what a run is asked with), `plain` and `link` (what is stored and shared). What an event makes of a Work: work_events.
Knows nothing of the DOM, of JavaScript or of the run. A Work is never changed: each event makes another.

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
    "pinned",    # result that others are compared with: {"key": …, "constants": …, "name": …}, or None
    "kept",      # {name: a dict of plain data} of other parts of the page
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
        self.preset_texts = [run_text(of_preset(one), self) for one in self.presets]


def but(work, **changes):
    """The same work with some fields changed."""
    return Work(*[changes[name] if name in changes else getattr(work, name) for name in FIELDS])


def of_preset(chosen):
    """All constants as a preset of the table has them."""
    requests = None if chosen["requests"] is None else tuple([tuple(row) for row in chosen["requests"]])
    return but(START, typed=dict(chosen["typed"]), requests=requests)


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


def is_set(work):
    """Whether anything differs from the defaults."""
    return bool(work.typed) or work.corpus is not None or work.requests is not None or work.follow is not None or work.script is not None


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


def without_value(own, table):
    """The constants whose field says nothing that could be run, in the table's order; `own` as `own_troubles` found them."""
    bad = [place.partition(":")[0] for place, _ in own]
    return [name for name in table.names if name in bad]


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


def preset_of(text, table):
    """Index of the preset that a run of this text is, or -1."""
    return table.preset_texts.index(text) if text in table.preset_texts else -1


def basis(work):
    """What a script's text is made of: two works with the same basis have the same text."""
    return (work.typed, work.corpus, work.requests, work.follow, work.script)


def values_text(work, table):
    """The constants that differ from the default and hold a value, as JSON: [[name, value]]."""
    bad = without_value(own_troubles(work, table), table)
    names = [name for name in changed_names(work, table) if name not in bad]
    return "[" + ", ".join(["[" + json.dumps(name) + ", " + value_text(work, table, name) + "]" for name in names]) + "]"


def link(work, table):
    """What a link carries, as plain data: good values only; a script brings its constants itself."""
    if work.script is not None:
        return {"script": work.script}
    bad = without_value(own_troubles(work, table), table)
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


# A step of a number


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
