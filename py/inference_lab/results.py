"""The last few results by name, so that a new run can be compared with an earlier one.

In: a result. Out: what is compared of it, as long as it is among the last few used: its reports, and its run with the
main trace alone (of ten thousand requests all three traces would be 70 MB). A name (`key_of`) depends on the
configuration and the script alone: whoever asks the same twice gets the same name.
"""
import hashlib
import json
from dataclasses import dataclass, replace

from .figures import plain
from .headlines import Figure, headlines
from .lab import LabRun
from .reports import build_reports
from .reports.report import Report

KEPT = 4                        # the run before, a pinned one, the present one, and one more to go back to


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    key: str
    run: LabRun
    reports: tuple[Report, ...]
    headlines: tuple[Figure, ...]


def result_of(run, script=""):
    """-> Result: a run with what is read off it. `script`: the one that made it, if one did."""
    return Result(key=key_of(run.config, script), run=run, reports=build_reports(run), headlines=headlines(run))


def key_of(config, script=""):
    """-> 16 hexadecimal digits"""
    text = json.dumps([as_floats(plain(config.plain())), script], ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:16]


def as_floats(value):
    """1 and 1.0 are one value: what went through a browser as JSON does not tell them apart."""
    if isinstance(value, dict):
        return {key: as_floats(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_floats(one) for one in value]
    return float(value) if isinstance(value, int) else value


class Results:
    """At most `KEPT` results; the one that was used least recently goes first."""

    def __init__(self):
        self.by_key: dict[str, Result] = {}

    def keep(self, result):
        self.by_key.pop(result.key, None)
        self.by_key[result.key] = replace(result, run=replace(result.run, traces=(result.run.main,)))
        while len(self.by_key) > KEPT:
            del self.by_key[next(iter(self.by_key))]            # the first of a dict is the one used longest ago

    def find(self, key):
        """-> Result, or None if it is gone"""
        result = self.by_key.get(key)
        if result is not None:
            self.keep(result)
        return result
