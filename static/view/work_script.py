"""What the script makes of a Work: an edit moves the controls, a control rewrites its line.

In: a Work, the table, the program's text and what it says of the constants. Out: the next Work. Reads no Python itself.
"""

import json

import words_controls as words
import work as works
import work_edits as edits


def script_edited(work, table, text, read, custom):
    """The learner edited the program. `read` is {"values": {name: value}, "computed": [name], "missing": [name],
    "errors": [{"line", "message"}]}; `custom` says that it is more than the default program with other values.
    To edit a script that a link brought is not to run it: only Chạy is. A constant that the script does not set as a plain value keeps what it had."""
    work = works.but(work, script=text if custom else None, computed=tuple(read["computed"]) if custom else (), waits=work.waits and custom, blamed=(),
               broken=tuple([(one["line"], one["message"]) for one in read["errors"]]))
    for name in table.names:
        if name in read["values"]:
            work = with_value(work, table, name, read["values"][name])
        elif name in read["missing"]:
            work = without(work, table, name)
    return work


def script_read(work, table, read):
    """A stored script, read again: which constants it computes."""
    return works.but(work, computed=tuple(read["computed"]), broken=tuple([(one["line"], one["message"]) for one in read["errors"]]))


def script_rewritten(work, table, text):
    """A control changed its line of the learner's program; the values are known already."""
    return works.but(work, script=text)


def script_brought(work, table, text, read):
    """A script from a link: shown, and not run before Chạy."""
    kind, kept = (works.UNDO, " " + words.WORK_KEPT) if work.before else (works.PLAIN, "")
    return works.but(script_edited(work, table, text, read, True), waits=True, notice=(kind, words.LINK_BRINGS_SCRIPT + kept))


def with_value(work, table, name, value):
    """A constant set to a plain value, whatever it is: what is no good is shown as it was written."""
    if name == "REQUESTS":
        rows = rows_of(value)
        return work if rows is None else edits.with_requests(work, table, rows, works.follow_of(work, table))
    if name == "CORPUS":
        return edits.corpus_typed(work, table, "\n".join([str(line) for line in value])) if isinstance(value, list) else work
    if name == "FOLLOW":
        return edits.followed(work, table, str(value))
    return works.but(work, typed=edits.with_text(work.typed, table, name, json.dumps(value) if isinstance(value, str) else edits.number_text(value)))


def without(work, table, name):
    """A constant that the script leaves out has its default."""
    if name == "REQUESTS":
        return works.but(work, requests=None)
    if name == "CORPUS":
        return works.but(work, corpus=None)
    if name == "FOLLOW":
        return works.but(work, follow=None)
    return works.but(work, typed={one: work.typed[one] for one in work.typed if one != name})


DEFAULT_CELLS = {"temperature": "0", "top_k": "0", "top_p": "1", "seed": "0"}


def rows_of(value):
    """Requests as plain data -> rows of texts, or None when that is no list of requests."""
    if not isinstance(value, list) or not value or not all([isinstance(one, dict) for one in value]):
        return None
    return [tuple([edits.number_text(one[cell]) if cell in one else DEFAULT_CELLS.get(cell, "") for cell in works.CELLS]) for one in value]
