"""Where the time of one request went: what it waited for before its first step, and what its later steps carried besides.

In: a trace, its configuration, a served request. Out: frozen records, all of it read off the recorded steps. Nothing
here knows what a step costs, so it holds for a learner's own cost function too.
"""
from dataclasses import dataclass

from .request import DECODE, PREFILL

STEP, SLOT, BUDGET, POOL = "step", "slot", "budget", "pool"
FINISHED, PREEMPTED = "finished", "preempted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """A part of the queue time. `kind`: STEP, the step under way had to end; SLOT, every slot was held; BUDGET, it held a
    slot and the step's tokens went to others; POOL, a slot was free, and blocks were lacking."""

    kind: str
    us: int
    others: tuple[str, ...]     # who held the slots, or worked, meanwhile


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """The steps between two moments of one request's life, and what else they carried."""

    chunks: tuple[int, ...]             # its own prefill tokens, step by step
    decode_steps: int                   # steps in which others decoded
    decode_beside: int                  # decode tokens of others
    prefill_steps: int                  # steps in which others prefilled
    prefill_beside: int                 # prefill tokens of others
    prefill_others: tuple[str, ...]     # whose
    idle_us: int                        # it had no work
    preemptions: int                    # it lost its blocks


def waits(trace, config, served):
    """What a served request waited for between being ready and its first step. -> Waits; their times add up to its queue time.

    The step under way when it became ready counts with whatever kept it waiting after that step.
    """
    parts, under_way = {}, 0
    for step in trace.steps:
        if step.end_us <= served.ready_us:
            continue
        if step.start_us >= served.start_us:
            break
        if step.start_us < served.ready_us:
            under_way = min(step.end_us, served.start_us) - served.ready_us
            continue
        kind = BUDGET if served.id in step.holders else SLOT if len(step.holders) >= config.SLOTS else POOL
        others = [w.id for w in step.work] if kind == BUDGET else step.holders
        us, seen = parts.get(kind, (0, ()))
        parts[kind] = us + step.duration_us, seen + tuple(id for id in others if id not in seen)
        if under_way:
            parts[kind], under_way = (parts[kind][0] + under_way, parts[kind][1]), 0
    found = [Wait(kind=kind, us=us, others=others) for kind, (us, others) in parts.items()]
    rest = served.start_us - served.ready_us - sum(w.us for w in found)
    return tuple(found) + ((Wait(kind=STEP, us=rest, others=()),) if rest else ())


def freed_by(trace, served):
    """Who made room for a request that had waited for a slot: (id, FINISHED or PREEMPTED), or None."""
    before = [s for s in trace.steps if s.end_us <= served.start_us]
    first = next((s for s in trace.steps if served.id in s.holders), None)
    if not before or first is None:
        return None
    left = [id for step in before if step.end_us == first.start_us for id in step.holders if id not in first.holders]
    if not left:
        return None
    gone = trace.find(left[0])
    return left[0], FINISHED if gone and gone.finish_us <= first.start_us else PREEMPTED


def stretch(trace, id, from_us, to_us):
    """The steps that start and end between two moments. -> Stretch"""
    steps = [s for s in trace.steps if from_us <= s.start_us and s.end_us <= to_us]
    own = [[w for w in s.work if w.id == id] for s in steps]
    beside = [w for s in steps for w in s.work if w.id != id]
    worked = sum(s.duration_us for s, work in zip(steps, own) if work)

    def steps_with(phase):
        return sum(any(w.phase == phase and w.id != id for w in s.work) for s in steps)

    return Stretch(
        chunks=tuple(w.tokens for work in own for w in work if w.phase == PREFILL),
        decode_steps=steps_with(DECODE), prefill_steps=steps_with(PREFILL),
        decode_beside=sum(w.tokens for w in beside if w.phase == DECODE),
        prefill_beside=sum(w.tokens for w in beside if w.phase == PREFILL),
        prefill_others=tuple(dict.fromkeys(w.id for w in beside if w.phase == PREFILL)),
        idle_us=to_us - from_us - worked,
        preemptions=sum(p.id == id and from_us <= p.at_us <= to_us for p in trace.preemptions))


def prefill_stretch(trace, served):
    """From its first step to its first token."""
    return stretch(trace, served.id, served.start_us, served.token_times_us[0])


def decode_stretch(trace, served):
    """From its first token to its last."""
    return stretch(trace, served.id, served.token_times_us[0], served.token_times_us[-1])


def longest_gap(trace):
    """-> (served, from, to) of the longest stretch between two tokens of one request, the first in the order of ids; None if there is none"""
    gaps = [(b - a, s, a, b) for s in trace.served for a, b in zip(s.token_times_us, s.token_times_us[1:])]
    if not gaps:
        return None
    _, served, start, end = max(gaps, key=lambda gap: gap[0])
    return served, start, end
