"""What a page that frames the lab is told, as plain data or JSON text (see docs/embedding.md).

In: results and problems as the engine and the state have them. Out: details of messages. Knows nothing of the DOM.
"""

import json

import words
import work as works


def run(result, shown, live, table):
    """The detail of `run`, as JSON text. `shown`: what the result was asked with, whose numbers are written as they were typed."""
    rest = {
        "headlines": [{"id": id, "label": label, "text": text, "value": value} for id, label, text, value, _, _ in result.get("headlines") or []],
        "verdict": "PASS" if result["passed"] else "FAIL",
        "live": bool(live),
    }
    return '{"constants": ' + constants(result, shown, table) + ", " + json.dumps(rest)[1:]


def constants(result, shown, table):
    """What differs from the defaults, as a JSON object."""
    start = '{"constants": '
    if result.get("printed") is None and shown.startswith(start):
        return shown[len(start):]
    values = result.get("constants") or {}
    return json.dumps({name: values[name] for name in table.names if name in values and differs(name, values[name], table)})


def differs(name, value, table):
    if name in table.defaults:
        return value != json.loads(table.defaults[name])
    if name == "FOLLOW":
        return value != table.follow
    if name == "CORPUS":
        return "\n".join(value) != table.corpus
    return value != [row_as_plain(row, table) for row in table.requests]


def row_as_plain(row, table):
    return {cell: json.loads(text) if cell in table.cells else text for cell, text in zip(works.CELLS, row)}


def problem(found):
    """The detail of `error` for a problem as the state has it."""
    kind, where, messages, _ = found
    title = words.TITLE_OF_PROBLEM[kind].format(where)
    return {"code": kind, "message": ". ".join([title] + [one for one in messages if one])}


def predict(answered, of, matching):
    """matching: how many guesses a run bore out, None before one."""
    return {"answered": answered, "of": of, "matching": matching}


def exercise(constant, met, attempts, solved, of):
    """Exercises are named by their constants, as in the address."""
    return {"id": constant, "correct": bool(met), "attempts": attempts, "solved": solved, "of": of}
