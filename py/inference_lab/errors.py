"""What can go wrong, as one small tree.

Everything that a learner can cause is a `ConfigurationError`: a list of `Problem`s, all of them found at
once, each of which names the constant (and the request), the value, the allowed range and the remedy in
Vietnamese. Anything else that escapes the engine is a fault of ours and keeps its traceback.
"""
import reprlib
from dataclasses import dataclass

QUOTED = 60                     # characters of a value that an error message shows
HUGE = 10**30


class InferenceLabError(Exception):
    """Base of every error that this package raises on purpose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing wrong with a configuration. `message` is a whole sentence in Vietnamese. `cell`: which request, from 0, and which of its fields."""

    constant: str
    request: str | None = None
    cell: tuple[int, str] | None = None
    value: object = None
    range: str = ""
    message: str


class ConfigurationError(InferenceLabError):
    """The configuration makes no sense. `problems` is never empty."""

    def __init__(self, problems):
        self.problems = tuple(problems)
        super().__init__("\n".join(p.message for p in self.problems))


class ExtensionError(InferenceLabError):
    """A learner's own sample, scheduler or cost did what the engine cannot use. The message is a whole sentence in Vietnamese."""


class InvariantError(InferenceLabError):
    """The engine broke one of its own laws (see `invariants`): a fault of ours, never of the learner."""


def shown(value):
    """A value as an error message quotes it: short, on one line, whatever it is."""
    if isinstance(value, int) and abs(value) >= HUGE:
        return "số nguyên quá lớn"
    text = _QUOTE.repr(value)
    return text if len(text) <= QUOTED else text[:QUOTED - 1] + "…"


_QUOTE = reprlib.Repr()
_QUOTE.maxstring = _QUOTE.maxother = QUOTED
_QUOTE.maxlevel = 3
_QUOTE.fillvalue = "…"
