"""Latencies and rates, read off a finished trace. Instants first, latencies as differences; None where undefined.

TTFT runs from arrival at the gateway to the first token, the queue included; its three parts add up to it exactly.
"""
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Metrics:
    """One served request, in microseconds."""

    prep_us: int                # arrival until the prompt is tokenized
    queue_us: int               # then until its first step starts
    prefill_us: int             # then until the first token
    ttft_us: int
    tpot_us: float | None       # mean gap between tokens after the first; None for one token
    e2e_us: int                 # arrival until the last token
    max_gap_us: int             # longest gap between neighbouring tokens; 0 for one token
    n_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """All served requests of one trace; every field but `tokens` is None if nobody was served."""

    tokens: int
    span_us: int | None         # earliest arrival until the last finish
    throughput: float | None    # tokens per simulated second
    mean_ttft_us: float | None
    max_ttft_us: int | None
    mean_tpot_us: float | None  # over requests that have a TPOT
    worst_gap_us: int | None


def metrics(served):
    """-> Metrics of one trace.Served."""
    times, arrival = served.token_times_us, served.spec.arrival
    gaps = [b - a for a, b in zip(times, times[1:])]
    return Metrics(
        prep_us=served.ready_us - arrival, queue_us=served.start_us - served.ready_us, prefill_us=times[0] - served.start_us,
        ttft_us=times[0] - arrival, tpot_us=sum(gaps) / len(gaps) if gaps else None, e2e_us=times[-1] - arrival,
        max_gap_us=max(gaps, default=0), n_tokens=len(times))


def summary(trace):
    """-> Summary of a trace."""
    each = [metrics(s) for s in trace.served]
    ttfts, tpots = [m.ttft_us for m in each], [m.tpot_us for m in each if m.tpot_us is not None]
    tokens = sum(m.n_tokens for m in each)
    span = max(s.finish_us for s in trace.served) - min(s.spec.arrival for s in trace.served) if each else None
    return Summary(
        tokens=tokens, span_us=span, throughput=tokens / (span / 1e6) if each else None, mean_ttft_us=mean(ttfts),
        max_ttft_us=max(ttfts, default=None), mean_tpot_us=mean(tpots), worst_gap_us=max((m.max_gap_us for m in each), default=None))


def mean(values):
    return sum(values) / len(values) if values else None
