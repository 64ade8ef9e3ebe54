"""What the page is doing, and what an event makes of it.

In: a State and an event (a tuple: its name, then what it carries).
Out: the next State and a list of commands (tuples), for somebody else to carry out.
Knows nothing of the DOM, of JavaScript or of words. Never changes a State: each step makes another.

Rules: Chạy while booting runs as soon as the engine is ready. The latest run wins; any other answer is
nobody's. Dừng ends the worker, and the engine boots again by itself. Đặt lại clears the result. An error
keeps the last good result and marks it as old.
"""

from collections import namedtuple

BOOTING, READY, RUNNING, DONE, ERROR = "booting", "ready", "running", "done", "error"
FAILED = "failed"                                    # of the engine only; the page then is in ERROR
NONE, FRESH, KEPT, OLD = "none", "fresh", "kept", "old"

FIELDS = (
    "engine",     # BOOTING, READY or FAILED
    "boot",       # last report of the boot: (step, steps, label, loaded, total), or None
    "wanted",     # Chạy was pressed, and the engine cannot run yet
    "run",        # id of the run that is under way, or 0
    "result",     # what the panels show: NONE, FRESH, KEPT (a later run was stopped) or OLD (a later run failed)
    "score",      # (panels passed, panels) of that result, or None
    "problem",    # (kind, where, messages, traceback), or None
    "note",       # name of a sentence that answers the last press, or ""
    "sources",    # blocks whose source was asked for, in turn
    "source",     # id of the source request under way, or 0
    "constants",  # id of the constants request under way, 0 before, None once they are shown
)
State = namedtuple("State", FIELDS)

START = State(BOOTING, None, False, 0, NONE, None, None, "", (), 0, 0)


def but(state, **changes):
    """The same state with some fields changed."""
    return State(*[changes[name] if name in changes else getattr(state, name) for name in FIELDS])


def lab(state):
    """The one word of <html data-lab>."""
    if state.run:
        return RUNNING
    if state.problem or state.engine == FAILED:
        return ERROR
    if state.engine == BOOTING:
        return BOOTING
    return DONE if state.result == FRESH else READY


def can_stop(state):
    return bool(state.run) or state.engine == BOOTING


def can_reset(state):
    return bool(state.run) or state.wanted or state.result != NONE or bool(state.problem)


def step(state, event):
    return EVENTS[event[0]](state, *event[1:])


# Presses


def press_run(state):
    if state.engine == READY:
        return but(state, problem=None, note=""), [("run",)]
    if state.engine == FAILED:
        return press_retry(but(state, wanted=True))
    return but(state, wanted=True, problem=None, note=""), []


def press_stop(state):
    if not can_stop(state):
        return but(state, note="nothing_to_stop"), []
    result = KEPT if state.result == FRESH else state.result
    return but(restarted(state), result=result, problem=None, note="stopped"), [("stop",)]


def press_reset(state):
    commands = [("stop",)] if state.run else []
    base = restarted(state) if state.run else but(state, wanted=False)
    problem = state.problem if state.engine == FAILED else None
    return but(base, result=NONE, score=None, problem=problem, note="cleared"), commands + [("clear",)]


def press_retry(state):
    if state.engine != FAILED:
        return press_run(state)
    return but(restarted(state), wanted=state.wanted, problem=None, note=""), [("retry",)]


def open_source(state, block):
    if block in state.sources:
        return state, []
    return next_source(but(state, sources=state.sources + (block,)))


# The engine's life


def boot(state, report):
    return but(state, engine=BOOTING, boot=report), []


def ready(state):
    state = but(state, engine=READY, boot=None, note="" if state.note == "stopped" else state.note)
    commands = []
    if state.wanted:
        state = but(state, wanted=False, problem=None)
        commands.append(("run",))
    if state.constants is not None:
        commands.append(("ask_constants",))
    state, more = next_source(state)
    return state, commands + more


def failed(state, file, message):
    result = OLD if state.run and state.result != NONE else state.result
    wanted = state.wanted or bool(state.run)
    return but(restarted(state), engine=FAILED, wanted=wanted, result=result, problem=("file", file, (message,), "")), []


def stopped(state):
    """The worker is gone. When nobody pressed Dừng and a run was under way, that is a failure of the run."""
    if not state.run:
        return restarted(state, wanted=state.wanted), []
    result = OLD if state.result != NONE else NONE
    return but(restarted(state), result=result, problem=("crash", "", (), "")), []


# Requests and answers


def run_sent(state, id):
    return but(state, run=id), []


def source_sent(state, id):
    return but(state, source=id), []


def constants_sent(state, id):
    return but(state, constants=id), []


def answer(state, id, body):
    if not id:
        return state, []
    if id == state.run:
        return run_answered(but(state, run=0), body)
    if id == state.source:
        return source_answered(but(state, source=0), body)
    if id == state.constants:
        return constants_answered(state, body)
    return state, []


def run_answered(state, body):
    if "ok" in body:
        reports = body["ok"]["reports"]
        passed = sum(1 for report in reports if report["passed"])
        return but(state, result=FRESH, score=(passed, len(reports)), problem=None, note=""), [("show", body["ok"])]
    result = OLD if state.result != NONE else NONE
    return but(state, result=result, problem=problem_of(body["error"]), note=""), []


def source_answered(state, body):
    block = state.sources[0]
    state, commands = next_source(but(state, sources=state.sources[1:]))
    if "ok" in body:
        return state, [("show_source", block, body["ok"])] + commands
    return state, [("show_source_error", block, problem_of(body["error"]))] + commands


def constants_answered(state, body):
    if "ok" in body:
        return but(state, constants=None), [("show_constants", body["ok"])]
    return but(state, constants=None, problem=problem_of(body["error"])), []


# Parts of the above


def restarted(state, wanted=False):
    """The engine is booting anew: whatever was under way is gone, whatever waited for it still waits."""
    return but(state, engine=BOOTING, boot=None, wanted=wanted, run=0, source=0, constants=None if state.constants is None else 0)


def next_source(state):
    """One source request at a time: of two under way the engine would answer only the later."""
    if state.engine == READY and state.sources and not state.source:
        return state, [("ask_source", state.sources[0])]
    return state, []


def problem_of(error):
    """The engine's error as (kind, where, messages, traceback)."""
    errors = error.get("errors") or []
    traceback = error.get("traceback") or ""
    messages = tuple(error_line(one) for one in errors) or (error.get("message") or "",)
    return ("engine" if traceback or not errors else "input", error.get("constant") or "", messages, traceback)


def error_line(one):
    """A message with the name, the value and the range in it, whichever of them the engine's sentence left out."""
    line = one["message"]
    name = one.get("constant") or one.get("request") or ""
    if name and name not in line:
        line = name + ": " + line
    missing = [str(one[key]) for key in ("value", "range") if one.get(key) is not None and str(one[key]) not in line]
    return line + (" (" + "; ".join(missing) + ")" if missing else "")


EVENTS = {
    "press_run": press_run,
    "press_stop": press_stop,
    "press_reset": press_reset,
    "press_retry": press_retry,
    "open_source": open_source,
    "boot": boot,
    "ready": ready,
    "failed": failed,
    "stopped": stopped,
    "run_sent": run_sent,
    "source_sent": source_sent,
    "constants_sent": constants_sent,
    "answer": answer,
}
