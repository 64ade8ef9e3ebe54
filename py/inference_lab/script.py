"""Runs a learner's script and says what became of it.

In: the script's text, and perhaps somebody to show its printing to. Out: an `Outcome`: the `LabRun` that it left under
the name `run`, what it printed, and what went wrong, as a sentence in Vietnamese with the script's line.
Nothing of the script outlives it but the outcome (see `isolation`).
"""
import ast
import contextvars
import inspect
import linecache
import sys
from dataclasses import dataclass
from functools import partial
from types import ModuleType

from . import extensions  # noqa: F401  loaded before the script runs, so that it holds on to nothing that the script replaces
from .config import constants
from .default_script import FILE_NAME
from .explained import Explanation, explained
from .isolation import Isolation
from .lab import LabRun
from .printed import Printed

RESULT = "run"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    run: LabRun | None                  # that the script left
    constants: tuple[str, ...]          # of the lab, that it left set
    note: str | None                    # why there is none
    printed: str
    error: Explanation | None


def run_script(text, live=None):
    """-> Outcome, or an awaitable of one if the script awaits something at its top level.

    live(text, lines): gets the last printed lines and the number of all, at most some ten times a second.
    """
    attempt = Attempt(text, live)
    code = attempt.compiled()
    if code is None:
        return attempt.outcome()
    if code.co_flags & inspect.CO_COROUTINE:
        return awaited(attempt, code)
    with attempt:
        contextvars.copy_context().run(execute, code, attempt.names)        # NumPy keeps its settings in the context
    return attempt.outcome()


def execute(code, names):
    try:
        exec(code, names)
    finally:
        untraced()


async def awaited(attempt, code):
    with attempt:
        try:
            await eval(code, attempt.names)                                 # the task has a context of its own
        finally:
            untraced()
    return attempt.outcome()


untraced = partial(sys.settrace, None)      # not a function of Python: calling that would be traced


class Attempt:
    """One script on its way: a context manager that runs it isolated, and keeps what it raised instead of raising it."""

    def __init__(self, text, live):
        self.text = text
        self.printed = Printed(live)
        self.main = ModuleType("__main__")
        self.main.__file__ = FILE_NAME
        self.names = vars(self.main)
        self.explanation = None
        self.isolation = Isolation(self.main, self.printed)

    def compiled(self):
        linecache.cache[FILE_NAME] = (len(self.text), None, [line + "\n" for line in self.text.split("\n")], FILE_NAME)
        try:
            return compile(self.text, FILE_NAME, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
            self.explanation = explained(error, self.text, self.names)
            return None

    def __enter__(self):
        self.isolation.__enter__()

    def __exit__(self, kind, error, frames):
        self.isolation.__exit__()
        if isinstance(error, SystemExit):
            self.printed.write(farewell(error.code))
        elif error is not None:
            self.explanation = explained(error, self.text, self.names)
        return True

    def outcome(self):
        left = self.names.get(RESULT)
        run = left if isinstance(left, LabRun) and not self.explanation else None
        return Outcome(run=run, constants=tuple(constants(self.names)), note=None if run else why_none(self.names), printed=self.printed.text(), error=self.explanation)


def farewell(code):
    said = f"{code}\n" if isinstance(code, str) else ""
    return f"{said}[script kết thúc bằng sys.exit({code if isinstance(code, int) else ''})]\n"


def why_none(names):
    if RESULT not in names:
        return f"Script không để lại kết quả nào mang tên {RESULT}. Muốn các khối hiện kết quả, hãy viết {RESULT} = lab.run(config)."
    return (f"{RESULT} là một {type(names[RESULT]).__name__}, không phải kết quả của lab.run(config). "
            f"Muốn các khối hiện kết quả, hãy viết {RESULT} = lab.run(config).")
