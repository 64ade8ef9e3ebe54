"""What the page asks of the engine: JSON text in, JSON text out, nothing raised.

`answer(command, text)` gives {"ok": …} or {"error": {"errors": […], "constant", "message"[, "traceback"]}}.
The text holds no NaN and keeps Vietnamese as it is. A fault of ours carries its traceback; bad input never does.
"""
import json
import math
import traceback

from .config import CONSTANTS, Config, well_formed
from .errors import HUGE, QUOTED, ConfigurationError, shown
from .figures import plain
from .lab import run
from .reports import BLOCKS, build_reports
from .sources import source_of
from .transcript import transcript, verdict


def answer(command, text):
    """Run one of COMMANDS on a JSON object. -> JSON text"""
    try:
        return as_json({"ok": COMMANDS[command](json.loads(text or "{}"))})
    except ConfigurationError as error:
        return as_json({"error": described(error.problems)})
    except Exception as error:                      # a fault of ours: shown with its traceback, never swallowed
        return as_json({"error": {"errors": [], "constant": None, "traceback": traceback.format_exc(),
                                  "message": f"Engine gặp lỗi {type(error).__name__}: {error}. Đây là lỗi của lab, không phải của bạn."}})


def as_json(value):
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def run_lab(asked):
    """{"constants": changed} -> the 13 reports, the printout and the verdict."""
    result = run(Config.of(asked.get("constants", {})))
    reports = build_reports(result)
    return dict(reports=[r.plain() for r in reports], transcript=transcript(result, reports),
                passed=all(r.passed for r in reports), verdict=verdict(reports), constants=plain(result.config.plain()))


def source(asked):
    """{"block": n} -> the engine's source of that block, piece by piece."""
    return [source_of(name) for name in SOURCES[asked["block"]]]


def constants(asked):
    """{} -> the table of constants, a row each."""
    return [dict(name=c.name, default=plain(default_of(c)), kind=c.kind, group=c.group, minimum=c.minimum, maximum=c.maximum,
                 slider_maximum=c.slider_maximum, step=c.step, unit=c.unit, label=c.label, help=c.help, known_as=c.known_as, range=c.range)
            for c in CONSTANTS.values()]


def default_of(constant):
    return Config().plain()[constant.name]


def described(problems):
    """Problems as the error object that every caller gets: all of them, and the first by name."""
    errors = [problem_as_plain(p) for p in problems]
    return {"errors": errors, "constant": errors[0]["constant"], "message": errors[0]["message"]}


def problem_as_plain(problem):
    return {"constant": problem.constant, "request": problem.request, "value": value_as_plain(problem.value), "range": problem.range,
            "message": problem.message}


def value_as_plain(value):
    """A short number or text as it is, anything else as an error message quotes it."""
    if value is None or isinstance(value, bool) or (isinstance(value, int) and abs(value) < HUGE):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, str) and len(value) <= QUOTED:
        return well_formed(value)
    return shown(value)


SOURCES = {number: block.SOURCES for number, block in enumerate(BLOCKS, 1)}
COMMANDS = {"run": run_lab, "source": source, "constants": constants}
