"""The headline figures of a run: what the strip compares and what a sweep plots.

In: a `LabRun`, or a configuration and the ids of the figures wanted. Out: for each figure its id, label, value and
text. One table declares them all; the text is written by `notation`. Knows nothing of what they were before.

A figure is read off a `Source`: the main trace, or the decisions of the quality gate. `measure` computes only the
sources that its figures need: no reports, no other scheduling policy, no printout.
"""
from collections.abc import Callable
from dataclasses import dataclass

from .figures import DECIMALS
from .lab import prompts_of, run_main
from .metrics import metrics, summary
from .model import make_weights
from .notation import UNDEFINED, fixed, ms, share
from .quality_gate import quality_gate
from .quantization import quantize_weights
from .tokenizer import Tokenizer

LOWER, HIGHER, NEITHER = "lower", "higher", ""
TRACE, GATE = "trace", "gate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """`read(source, config)` -> value or None; `write(value, source, config)` -> text. A label may hold {follow}."""

    id: str
    label: str
    unit: str
    better: str
    source: str
    read: Callable
    write: Callable = lambda value, source, config: str(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One headline figure of one run. `value` is None where it is undefined."""

    id: str
    label: str
    text: str
    value: float | None
    unit: str
    better: str

    def plain(self):
        return [self.id, self.label, self.text, self.value, self.unit, self.better]


def refused_with(code):
    return lambda trace, config: sum(r.code == code for r in trace.refused)


def of_followed(field):
    """A latency of the followed request, in milliseconds; None if it was refused or has none."""
    def read(trace, config):
        served = trace.find(config.FOLLOW)
        return in_ms(getattr(metrics(served), field)) if served else None
    return read


def in_ms(microseconds):
    return None if microseconds is None else microseconds / 1000


def as_ms(value, source, config):
    return ms(1000 * value)


def share_agreed(decisions, config):
    return 100 * sum(d.agrees for d in decisions) / len(decisions) if decisions else None


HEADLINES = {h.id: h for h in (
    Headline(id="served", label="Được phục vụ", unit="yêu cầu", better=HIGHER, source=TRACE,
             read=lambda trace, config: len(trace.served),
             write=lambda value, trace, config: f"{value}/{len(config.REQUESTS)}"),
    Headline(id="refused_429", label="Từ chối 429", unit="yêu cầu", better=LOWER, source=TRACE, read=refused_with("429")),
    Headline(id="refused_400", label="Từ chối 400", unit="yêu cầu", better=LOWER, source=TRACE, read=refused_with("400")),
    Headline(id="ttft", label="TTFT của {follow}", unit="ms", better=LOWER, source=TRACE, read=of_followed("ttft_us"), write=as_ms),
    Headline(id="tpot", label="TPOT của {follow}", unit="ms", better=LOWER, source=TRACE, read=of_followed("tpot_us"), write=as_ms),
    Headline(id="worst_gap", label="Khoảng đứng lâu nhất", unit="ms", better=LOWER, source=TRACE,
             read=lambda trace, config: in_ms(summary(trace).worst_gap_us), write=as_ms),
    Headline(id="throughput", label="Throughput", unit="token/s", better=HIGHER, source=TRACE,
             read=lambda trace, config: summary(trace).throughput,
             write=lambda value, trace, config: f"{fixed(value, 1)} token/s"),
    Headline(id="peak_blocks", label="Block KV lúc cao điểm", unit="block", better=NEITHER, source=TRACE,
             read=lambda trace, config: trace.peak.blocks,
             write=lambda value, trace, config: share(value, config.POOL_BLOCKS)),
    Headline(id="preemptions", label="Số lần preempt", unit="lần", better=LOWER, source=TRACE,
             read=lambda trace, config: len(trace.preemptions)),
    Headline(id="agreement", label="Độ đồng thuận của bản nén", unit="%", better=HIGHER, source=GATE, read=share_agreed,
             write=lambda value, decisions, config: f"{sum(d.agrees for d in decisions)}/{len(decisions)}"),
)}


def headlines(run):
    """-> tuple of Figures, in the order of the table"""
    return read_all(HEADLINES, run.config, {TRACE: run.main, GATE: run.decisions})


def measure(config, ids):
    """One run for its headline figures only. -> tuple of Figures, in the order of `ids`. Raises KeyError on an unknown id."""
    needed = {HEADLINES[id].source for id in ids}
    tokenizer = Tokenizer.learn(config.CORPUS, config.N_MERGES)
    weights = make_weights(config, len(tokenizer.vocabulary))
    compute = {TRACE: lambda: run_main(config, tokenizer, weights),
               GATE: lambda: quality_gate(prompts_of(config, tokenizer), weights, quantize_weights(weights, config.QUANT_BITS).weights)}
    return read_all(ids, config, {source: compute[source]() for source in needed})


def read_all(ids, config, sources):
    return tuple(figure_of(HEADLINES[id], config, sources[HEADLINES[id].source]) for id in ids)


def figure_of(headline, config, source):
    value = headline.read(source, config)
    return Figure(
        id=headline.id, label=headline.label.format(follow=config.FOLLOW), unit=headline.unit, better=headline.better,
        text=UNDEFINED if value is None else headline.write(value, source, config),
        value=round(value, DECIMALS) if isinstance(value, float) else value)


def metrics_to_choose():
    """-> [[id, label, unit, better]]: the figures as a sweep offers them, whoever is followed."""
    return [[h.id, h.label.format(follow="yêu cầu theo dõi"), h.unit, h.better] for h in HEADLINES.values()]
