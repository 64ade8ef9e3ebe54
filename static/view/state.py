"""What the page is doing, and what an event makes of it.

In: a State and an event (a tuple: its name, then what it carries).
Out: the next State and a list of commands (tuples), for somebody else to carry out.
Knows nothing of the DOM, of JavaScript or of words. Never changes a State: each step makes another.

Rules: Chạy while booting runs as soon as the engine is ready. The latest run wins; any other answer is
nobody's. Dừng ends the worker, and the engine boots again by itself. Đặt lại clears the result. An error
keeps the last good result and marks it as old. A live run (a control moved) is a quiet one: what is wrong with its values
is said at the field, not in the alert. All runs of one gesture, such as the drag of a slider, are compared with the result before it.
"""

from collections import namedtuple

BOOTING, READY, RUNNING, DONE, ERROR = "booting", "ready", "running", "done", "error"
FAILED = "failed"                                    # of the engine only; the page then is in ERROR
RESTING = "resting"                                  # of the engine only: it has no worker, and gets one when there is need
NONE, FRESH, KEPT, OLD = "none", "fresh", "kept", "old"
PREPARED = "prepared"                                # of the result only: computed when the page was built, no run of this page

FIELDS = (
    "engine",     # BOOTING, READY, RESTING or FAILED
    "boot",       # last report of the boot: (step, steps, label, loaded, total), or None
    "wanted",     # Chạy was pressed, and the engine cannot run yet
    "run",        # id of the run that is under way, or 0
    "result",     # what the panels show: NONE, PREPARED, FRESH, KEPT (a later run was stopped) or OLD (a later run failed)
    "score",      # (panels passed, panels) of that result, or None
    "problem",    # (kind, where, messages, traceback), or None
    "note",       # name of a sentence that answers the last press, or ""
    "sources",    # blocks whose source was asked for, in turn
    "source",     # id of the source request under way, or 0
    "opening",    # what the learner set last time, or what a link brings, is being read: no run before that
    "quiet",      # the run that is under way, or was last, is a live one
    "gesture",    # name of the control that moves, or ""
    "asked",      # what the latest run was asked with, as text, or ""
    "shown",      # what the shown result was asked with
    "base",       # the shown result as a later one is compared with it: {"key", "constants"}, or None
    "against",    # the result before this gesture, or None
    "again",      # what the shown live run was compared with, for a Chạy that follows it, or None
    "sweeping",   # a part of the page asks the engine one question after another
)
State = namedtuple("State", FIELDS)

START = State(BOOTING, None, False, 0, NONE, None, None, "", (), 0, False, False, "", "", "", None, None, None, False)


def but(state, **changes):
    """The same state with some fields changed."""
    return State(*[changes[name] if name in changes else getattr(state, name) for name in FIELDS])


def lab(state):
    """The one word of <html data-lab>."""
    if state.run:
        return RUNNING
    if state.problem or state.engine == FAILED:
        return ERROR
    if state.engine == RESTING and state.result == FRESH:
        return DONE
    if state.engine in (BOOTING, RESTING) or state.opening:
        return BOOTING
    return DONE if state.result == FRESH else READY


def can_stop(state):
    return bool(state.run) or state.engine == BOOTING or state.sweeping


def can_reset(state):
    return bool(state.run) or state.wanted or state.result != NONE or bool(state.problem)


def step(state, event):
    return EVENTS[event[0]](state, *event[1:])


# Presses


def press_run(state):
    if state.engine == FAILED:
        return press_retry(but(state, wanted=True))
    if state.engine == RESTING:
        return but(state, wanted=True, problem=None, note=""), [("wake",)]
    if state.engine != READY or state.opening:
        return but(state, wanted=True, problem=None, note=""), []
    again = state.against if state.quiet and state.result == FRESH else None
    return but(state, problem=None, note="", wanted=False, quiet=False, gesture="", against=state.base, again=again), [("run",)]


def press_live(state, gesture):
    """A control moved. While the engine boots nothing runs by itself: Chạy will take the new values."""
    if state.engine != READY or state.opening:
        return state, []
    against = state.against if gesture and gesture == state.gesture else state.base
    return but(state, note="", quiet=True, gesture=gesture, against=against, again=None), [("run",)]


def baseline(state, asked):
    """What a run that is asked with this text is compared with. Who changes a field and presses Chạy may have seen the new values run
    as the field was left: they are compared with the result before them, not with themselves."""
    return state.again if state.again and asked == state.shown else state.against


def refuse(state, messages):
    """Chạy was pressed, and a field holds no value: the run under way, if any, is nobody's any more."""
    result = aged(state.result)
    return but(state, run=0, wanted=False, result=result, problem=("input", "", messages, ""), note=""), []


def settle(state):
    """What was wrong with the fields has been mended: the shown result is the last one again, of whatever values it was."""
    spoken = bool(state.problem) and state.problem[0] == "input"
    if not spoken and state.note != "refused":
        return state, []
    return but(state, problem=None if spoken else state.problem, note="", result=FRESH if state.result == OLD else state.result), []


def opening(state):
    return but(state, opening=True), []


def opened(state):
    state = but(state, opening=False)
    return press_run(state) if state.wanted and state.engine == READY else (state, [])


def press_stop(state):
    if not can_stop(state):
        return but(state, note="nothing_to_stop", quiet=False), []
    if state.sweeping and not state.run and state.engine == READY:  # the question under way is short: nobody waits for its answer
        return but(state, note="", quiet=False), [("stop_sweep",)]
    result = KEPT if state.result == FRESH else state.result
    return but(restarted(state), result=result, problem=None, note="stopped", quiet=False), [("stop",)]


def press_reset(state):
    commands = [("stop",)] if state.run else []
    rest = restarted(state) if state.run else but(state, wanted=False)
    problem = state.problem if state.engine == FAILED else None
    return but(rest, result=NONE, score=None, problem=problem, note="cleared", quiet=False, shown="", base=None, against=None, gesture=""), commands + [("clear",)]


def press_retry(state):
    if state.engine != FAILED:
        return press_run(state)
    return but(restarted(state), wanted=state.wanted, problem=None, note=""), [("retry",)]


def sweeping(state, on):
    return but(state, sweeping=on), []


def open_source(state, block):
    if block in state.sources:
        return state, []
    return next_source(but(state, sources=state.sources + (block,)))


# The engine's life


def boot(state, report):
    return but(state, engine=BOOTING, boot=report), []


def rested(state):
    """The worker was given back, since nobody sees the page and it had nothing to do; or there was none yet."""
    state = but(restarted(state, wanted=state.wanted), engine=RESTING)
    return state, [("wake",)] if state.wanted else []


def ready(state):
    state = but(state, engine=READY, boot=None, note="" if state.note == "stopped" else state.note)
    commands = []
    if state.wanted and not state.opening:
        state, commands = press_run(state)
    state, more = next_source(state)
    return state, commands + more


def prepared(state, asked):
    """Nothing can run here: the run that was computed when the page was built is shown. `asked`: what it was asked with."""
    return but(state, result=PREPARED, shown=asked), []


def failed(state, file, message):
    result = aged(state.result) if state.run else state.result
    wanted = state.wanted or bool(state.run)
    return but(restarted(state), engine=FAILED, wanted=wanted, result=result, problem=("file", file, (message,), "")), []


def stopped(state):
    """The worker is gone. When nobody pressed Dừng and a run was under way, that is a failure of the run."""
    if not state.run:
        return restarted(state, wanted=state.wanted), []
    result = aged(state.result)
    return but(restarted(state), result=result, problem=("crash", "", (), "")), []


# Requests and answers


def run_sent(state, id, asked=""):
    return but(state, run=id, asked=asked, against=baseline(state, asked)), []


def source_sent(state, id):
    return but(state, source=id), []


def answer(state, id, body):
    if not id:
        return state, []
    if id == state.run:
        return run_answered(but(state, run=0), body)
    if id == state.source:
        return source_answered(but(state, source=0), body)
    return state, []


def run_answered(state, body):
    if "ok" in body:
        result = body["ok"]
        said = [("accepted", result["constants"] or {}), ("printed", result.get("printed"))]
        reports = result["reports"]
        if reports is None:  # of a script that left no run: the last result stays, as an old one
            result_now = aged(state.result)
            return but(state, result=result_now, problem=None, note="no_run"), said + [("ran_without", result.get("note") or "")]
        passed = sum(1 for report in reports if report["passed"])
        base = {"key": result["key"], "constants": result["constants"]} if "key" in result else None
        state = but(state, result=FRESH, score=(passed, len(reports)), problem=None, note="", shown=state.asked, base=base)
        return state, said + [("show", result, state.quiet)]
    result = aged(state.result)
    problem = problem_of(body["error"])
    if state.quiet and problem[0] == "input":
        return but(state, result=result, problem=None, note="refused"), [("refused", body["error"]["errors"])]
    commands = [("refused", body["error"].get("errors") or [])]
    if problem[0] == "engine":
        commands.append(("cut_short",))  # an interpreter that died under a script sends no printout
    if problem[0] == "script":
        commands += [("printed", body["error"].get("printed")), ("script_failed", body["error"].get("line"), body["error"]["message"])]
    return but(state, result=result, problem=problem, note=""), commands


def source_answered(state, body):
    block = state.sources[0]
    state, commands = next_source(but(state, sources=state.sources[1:]))
    if "ok" in body:
        return state, [("show_source", block, body["ok"])] + commands
    return state, [("show_source_error", block, problem_of(body["error"]))] + commands


# Parts of the above


def aged(result):
    """What the shown result is after a run that came to nothing."""
    return result if result in (NONE, PREPARED) else OLD


def restarted(state, wanted=False):
    """The engine is booting anew: whatever was under way is gone, whatever waited for it still waits."""
    return but(state, engine=BOOTING, boot=None, wanted=wanted, run=0, source=0)


def next_source(state):
    """One source request at a time: of two under way the engine would answer only the later."""
    if state.engine == READY and state.sources and not state.source:
        return state, [("ask_source", state.sources[0])]
    return state, []


def problem_of(error):
    """The engine's error as (kind, where, messages, traceback)."""
    errors = error.get("errors") or []
    traceback = error.get("traceback") or ""
    if error.get("kind") == "script":
        return ("script", str(error.get("line") or ""), (error["message"],), traceback)
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
    "press_live": press_live,
    "refuse": refuse,
    "settle": settle,
    "opening": opening,
    "opened": opened,
    "press_stop": press_stop,
    "press_reset": press_reset,
    "press_retry": press_retry,
    "sweeping": sweeping,
    "open_source": open_source,
    "boot": boot,
    "rested": rested,
    "ready": ready,
    "failed": failed,
    "prepared": prepared,
    "stopped": stopped,
    "run_sent": run_sent,
    "source_sent": source_sent,
    "answer": answer,
}
