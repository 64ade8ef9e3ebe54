"""Which part of a run is drawn: all of it, or, of a long one, the steps and requests around the followed request."""
from dataclasses import dataclass

from .picture import left_out, sentences

MAX_STEPS, MAX_REQUESTS = 240, 24


@dataclass(frozen=True, slots=True)
class Window:
    start_us: int
    end_us: int
    steps: tuple[tuple[int, object], ...]       # (number from 1, Step)
    specs: tuple[object, ...]                   # requests in the order of arrival
    note: str

    def cut(self, start, end):
        """The part of a span that lies inside, or None."""
        start, end = max(start, self.start_us), min(end, self.end_us)
        return (start, end) if start < end else None


def window_of(trace, config):
    """-> Window"""
    steps = list(enumerate(trace.steps, 1))
    arrivals = sorted(config.REQUESTS, key=lambda r: r.arrival)
    shown = around(steps, first_step_of(trace, config), MAX_STEPS)
    whole = len(shown) == len(steps)
    first, last = min(r.arrival for r in arrivals), max(r.arrival for r in arrivals)
    start = first if whole else shown[0][1].start_us
    end = (max([s.end_us for s in trace.steps[-1:]] + [last + 1])) if whole else shown[-1][1].end_us
    finish = {s.id: s.finish_us for s in trace.served}
    here = arrivals if whole else [r for r in arrivals if r.arrival < end and finish.get(r.id, r.arrival) >= start]
    followed = next((i for i, r in enumerate(here) if r.id == config.FOLLOW), 0)
    specs = around(here, followed, MAX_REQUESTS)
    return Window(start, end, tuple(shown), tuple(specs), sentences(
        left_out(f"bước, quanh lúc {config.FOLLOW} bắt đầu", len(shown), len(steps)),
        left_out(f"yêu cầu, quanh {config.FOLLOW}", len(specs), len(arrivals))))


def first_step_of(trace, config):
    """Index of the step in which the followed request first worked; of a refused one, the step that was under way."""
    served = trace.find(config.FOLLOW)
    since = served.start_us if served else config.followed.arrival
    return next((i for i, s in enumerate(trace.steps) if s.end_us > since), 0)


def around(items, middle, most):
    """At most so many neighbours of items[middle], a quarter of them before it."""
    start = max(0, min(middle - most // 4, len(items) - most))
    return items[start:start + most]
