"""What comes to a Work from elsewhere: a link, and what the last visit stored. None of it is believed.

In: a Work, the table, plain data as link.js or the storage read it. Out: the next Work, with a notice of what was left out or replaced.
"""

import reading
import words_controls as words
import work as works
import work_edits as edits


CELL_DEFAULTS = {"temperature": "0", "top_k": "0", "top_p": "1", "seed": "0"}  # of a request that does not say them, as for the engine

# Links


def linked(work, table, found):
    """A link as link.js read it: {"trouble": "" | "broken" | "later" | "long", "state": {…}, "unknown": [names]}. What is no good is
    left out and said. The script, if there is one, is read by whoever reads scripts, and comes as `script_brought`."""
    if found["trouble"]:
        return works.but(edits.cleared(work), notice=(works.PLAIN, words.LINK_TROUBLES[found["trouble"]]))
    state = found["state"]
    said = []
    unknown = list(found["unknown"])
    new = edits.cleared(work)
    for name, text in state.get("set", []):
        if name not in table.by_name:
            unknown.append(name)
            continue
        value, sentence = reading.read_number(text, name, table.by_name[name])
        if value is None:
            said.append(sentence)
        else:
            new = works.but(new, typed=edits.with_text(new.typed, table, name, value))
    if state.get("corpus"):
        corpus = "\n".join(state["corpus"])
        if corpus.strip():
            new = edits.corpus_typed(new, table, corpus)
        else:
            said.append(words.NO_CORPUS)
    if state.get("requests"):
        rows = [tuple(row) for row in state["requests"]]
        bad = [works.read_cell(row, i, cell, table)[1] for i, row in enumerate(rows) for cell in works.CELLS]
        bad = [sentence for sentence in bad if sentence]
        if bad:
            said += bad[:3]
        else:
            new = edits.with_requests(new, table, rows, works.follow_of(new, table))
    if state.get("follow"):
        new = follow_if_there(new, table, state["follow"], said)
    sentences = ([words.unknown_names(unknown[:5])] if unknown else []) + ([words.refused_values(said[:3])] if said else [])
    if sentences:
        new = works.but(new, notice=(works.PLAIN, " ".join(sentences)))
    return new


def follow_if_there(work, table, id, said):
    if id in [row[0] for row in works.requests_of(work, table)]:
        return edits.followed(work, table, id)
    said.append(words.nobody(id))
    return work


def replaced(work, table, old):
    """A link came over work that was stored: it can be taken back."""
    if not works.is_set(old) or works.basis(old) == works.basis(work):
        return work
    said = work.notice[1] if work.notice else words.LINK_USED
    return works.but(work, before=edits.to_come_back(old), notice=(works.UNDO, said + " " + words.WORK_KEPT))


# A host


def sent(work, table, constants):
    """What the page around a frame wants set: [(name, text, list of texts, or list of requests {cell: text})]. All of it or nothing.
    -> (events, sentences of what is no good)"""
    events, said = [], []
    for name, value in constants:
        event, trouble = sent_one(work, table, name, value)
        if trouble:
            said.append(trouble)
        else:
            events += [event, ("left", name)]
    rows = [event[1] for event in events if event[0] == "requests_sent"]
    ids = [row[0] for row in (rows[-1] if rows else works.requests_of(work, table))]
    said += [words.nobody(event[1]) for event in events if event[0] == "followed" and event[1] not in ids]
    return ([], said) if said else (sorted(events, key=lambda event: event[0] == "followed"), [])


def sent_one(work, table, name, value):
    if name in work.computed:
        return None, words.computed_by_script(name)
    if name in table.by_name and isinstance(value, str):
        text, sentence = reading.read_number(value, name, table.by_name[name])
        return ("typed", name, text), sentence
    if name == "FOLLOW" and isinstance(value, str):
        return ("followed", value), ""
    if name == "CORPUS" and value and isinstance(value, list) and isinstance(value[0], str):
        return ("corpus_typed", "\n".join(value)), ""
    if name == "REQUESTS" and value and isinstance(value, list) and isinstance(value[0], dict):
        rows = [tuple([row.get(cell, CELL_DEFAULTS.get(cell, "")) for cell in works.CELLS]) for row in value]
        bad = [works.read_cell(row, i, cell, table)[1] for i, row in enumerate(rows) for cell in works.CELLS]
        return ("requests_sent", tuple(rows)), " ".join([sentence for sentence in bad if sentence][:3])
    return None, words.wrong_kind(name) if name in table.names else words.no_constant(name)


def requests_sent(work, table, rows):
    follow = works.follow_of(work, table)
    ids = [row[0] for row in rows]
    return edits.with_requests(work, table, rows, follow if follow in ids else ids[0])


# Storage


def stored(work, table, found):
    """What was stored, as `plain` wrote it; whatever is not as that writes it is left out. Defaults that have changed since are for the learner to decide."""
    new = works.but(
        work, **texts_of(found, table), follow=text_or_none(found.get("follow")), script=text_or_none(found.get("script")),
        live=found.get("live") is not False, pinned=pinned_or_none(found.get("pinned")), kept=kept_of(found.get("kept")))
    new = works.but(new, touched=tuple([place for place, _ in works.own_troubles(new, table)]))
    if new.script is not None and found.get("waits"):
        new = works.but(new, waits=True, notice=(works.PLAIN, words.LINK_BRINGS_SCRIPT))
    old = texts_of(dict_of(found.get("defaults")), table)
    moved = moved_defaults(new, table, old)
    if moved and works.is_set(new):
        return works.but(new, before=with_defaults(new, moved, old), notice=(works.DEFAULTS, words.DEFAULTS_CHANGED.format(", ".join(moved))))
    return new


def kept_elsewhere(work, table, found):
    """What other parts keep, as another tab stored it: it is newer."""
    kept = dict(work.kept)
    for name, data in kept_of(found).items():
        kept[name] = dict(kept.get(name) or {})
        kept[name].update(data)
    return work if kept == work.kept else works.but(work, kept=kept)


def moved_defaults(work, table, old):
    """Constants whose default is another now, and which the learner has not set. old: the defaults as `texts_of` gives them."""
    moved = [name for name in old["typed"] if old["typed"][name] != table.defaults[name] and name not in work.typed]
    if work.corpus is None and old["corpus"] not in (None, table.corpus):
        moved.append("CORPUS")
    if work.requests is None and old["requests"] not in (None, table.requests):
        moved.append("REQUESTS")
    return [name for name in table.names if name in moved]


def with_defaults(work, moved, old):
    """The work as it was: what had an old default is set to it."""
    values = {name: work.typed[name] for name in work.typed}
    for name in moved:
        if name in old["typed"]:
            values[name] = old["typed"][name]
    corpus = old["corpus"] if "CORPUS" in moved else work.corpus
    requests = old["requests"] if "REQUESTS" in moved else work.requests
    return works.but(work, typed=values, corpus=corpus, requests=requests, notice=None, before=None)


def keep_mine(work, table):
    """The old defaults stay in force."""
    return work if work.before is None else works.but(work.before, live=work.live, kept=work.kept, pinned=work.pinned)


def take_new(work, table):
    return works.but(work, before=None, notice=None)


def texts_of(found, table):
    """The texts of numbers, sentences and requests in it."""
    typed = dict_of(found.get("typed"))
    typed = {name: typed[name] for name in table.by_name if isinstance(typed.get(name), str)}
    return {"typed": typed, "corpus": text_or_none(found.get("corpus")), "requests": rows_or_none(found.get("requests"))}


def text_or_none(value):
    return value if isinstance(value, str) else None


def rows_or_none(value):
    rows = [row for row in value if isinstance(row, list) and len(row) == len(works.CELLS)] if isinstance(value, list) else []
    return tuple([tuple(row) for row in rows if all([isinstance(cell, str) for cell in row])]) or None


def pinned_or_none(value):
    value = dict_of(value)
    return value if isinstance(value.get("key"), str) and isinstance(value.get("constants"), dict) and isinstance(value.get("name"), str) else None


def kept_of(value):
    value = dict_of(value)
    return {name: value[name] for name in value if isinstance(value[name], dict)}


def dict_of(value):
    return value if isinstance(value, dict) else {}
