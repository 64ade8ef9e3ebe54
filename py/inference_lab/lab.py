"""One run of the whole lab: the course's engine run, the two other policies, the quantized weights, the gate.

In: a `Config`. Out: a frozen `LabRun`, from which every report is read. This is the last place that computes.
"""
from dataclasses import dataclass, fields, replace

import numpy as np

from .config import Config
from .engine import Parts, run_engine
from .errors import ConfigurationError, Problem, shown
from .invariants import check_trace
from .model import Weights, forward, make_weights
from .quality_gate import Decision, quality_gate
from .quantization import Quantization, quantize_weights
from .scheduler import Scheduler
from .tokenizer import BOS, Tokenizer
from .trace import OWN, Policy, Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class LabRun:
    """All that one configuration gave: three traces, the quantized weights, the gate's decisions."""

    config: Config
    tokenizer: Tokenizer
    weights: Weights
    traces: tuple[Trace, ...]                   # static, continuous, chunked
    quantization: Quantization
    quantized_logit_error: float | None         # over the followed prompt; None if it cannot be tokenized
    decisions: tuple[Decision, ...]
    own: tuple[str, ...] = ()                   # the parts that a learner's script put in: sample, scheduler, cost

    @property
    def main(self):
        """The trace that the panels tell: continuous batching with chunked prefill."""
        return self.traces[-1]

    @property
    def served_followed(self):
        """The followed request's record in the main trace, or None if it was refused."""
        return self.main.find(self.config.FOLLOW)


def policies(config):
    """The three ways to schedule that are compared; the last one is the course's."""
    return (Policy(name="static", continuous=False, budget=None),
            Policy(name="continuous", continuous=True, budget=None),
            Policy(name="chunked", continuous=True, budget=config.TOKEN_BUDGET))


# Constants that no trace reads: they judge it, or compress the weights that it was computed with.
JUDGING = frozenset({"QUANT_BITS", "TTFT_SLO", "QUALITY_GATE"})
# Constants that neither weights nor prompts depend on, so that the gate's decisions do not either.
SERVING = frozenset({f.name for f in fields(Config) if f.name.startswith("COST_")}
                    | {"SLOTS", "QUEUE_LIMIT", "TOKEN_BUDGET", "BLOCK_SIZE", "POOL_BLOCKS", "MAX_CONTEXT", "TTFT_SLO", "QUALITY_GATE"})
# Constants that neither the vocabulary nor the weights depend on.
OUTSIDE_MODEL = SERVING | {"QUANT_BITS", "REQUESTS", "FOLLOW"}


def run(config, *, sample=None, scheduler=None, cost=None, before=None):
    """Run everything. -> LabRun

    before: the LabRun of another configuration, without parts of a learner's own. What of it depends on no constant that differs is
    taken over, and the run is the one that it would be without: a moved slider pays for what it changes.

    sample, scheduler, cost: parts of a learner's own (see `extensions`). A scheduler takes the place of the course's, the
    last of the three; the other two stay, to be compared with. Raises ExtensionError if a part gives what cannot be used,
    ConfigurationError if `config` is no Config.
    """
    if not isinstance(config, Config):
        raise ConfigurationError([Problem(
            constant="", value=shown(config), range="một Config",
            message=f"lab.run nhận {shown(config)}: cần một Config. Hãy viết lab.run(lab.Config.of(…)), ví dụ lab.Config.of({{\"SLOTS\": 3}}).")])
    if unchanged(before, config, OUTSIDE_MODEL):
        tokenizer, weights = before.tokenizer, before.weights
    else:
        tokenizer = Tokenizer.learn(config.CORPUS, config.N_MERGES)
        weights = make_weights(config, len(tokenizer.vocabulary))
    parts = parts_of(sample, scheduler, cost, len(tokenizer.vocabulary))
    *others, last = policies(config)
    own = parts != Parts()

    def traced(i, policy, parts):
        if not own and unchanged(before, config, JUDGING if policy.budget else JUDGING | {"TOKEN_BUDGET"}):
            return before.traces[i]
        trace = run_engine(config, policy, tokenizer, weights, parts)
        check_trace(trace, config)
        return trace

    traces = (*(traced(i, policy, replace(parts, scheduler=Scheduler)) for i, policy in enumerate(others)),
              traced(len(others), last if scheduler is None else replace(last, name=OWN), parts))
    if unchanged(before, config, SERVING):
        compressed = {name: getattr(before, name) for name in ("quantization", "quantized_logit_error", "decisions")}
    else:
        compressed = compress(config, weights, prompts_of(config, tokenizer))
    return LabRun(
        config=config, tokenizer=tokenizer, weights=weights, traces=traces, **compressed,
        own=tuple(name for name, part in (("sample", sample), ("scheduler", scheduler), ("cost", cost)) if part is not None))


def unchanged(before, config, apart):
    """Whether the run `before` had the same constants, those named in `apart` left out."""
    return before is not None and all(getattr(before.config, f.name) == getattr(config, f.name) for f in fields(Config) if f.name not in apart)


def compress(config, weights, prompts):
    """The quantized weights and what they change. -> the fields of a LabRun about it"""
    quantization = quantize_weights(weights, config.QUANT_BITS)
    return dict(quantization=quantization, decisions=quality_gate(prompts, weights, quantization.weights),
                quantized_logit_error=logit_error(dict(prompts).get(config.FOLLOW), weights, quantization.weights))


def parts_of(sample, scheduler, cost, vocabulary_size):
    """-> engine.Parts. What checks a learner's parts is imported when there are any: nobody waits for it at the start."""
    if sample is None and scheduler is None and cost is None:
        return Parts()
    from . import extensions
    return extensions.parts_of(sample, scheduler, cost, vocabulary_size)


def run_main(config, tokenizer, weights):
    """The main trace alone: the same one that `run` gives, at about a third of its cost."""
    trace = run_engine(config, policies(config)[-1], tokenizer, weights)
    check_trace(trace, config)
    return trace


def prompts_of(config, tokenizer):
    """-> [(request id, ids)] in the order of ids: every prompt that can be tokenized, served or not."""
    known = [r for r in sorted(config.REQUESTS, key=lambda r: r.id) if not tokenizer.unknown(r.text)]
    return [(r.id, tokenizer.encode(r.text)[1]) for r in known]


def logit_error(ids, weights, quantized):
    """Largest logit difference over all positions of one prompt, <bos> left out; None without a prompt."""
    if ids is None:
        return None
    difference = forward(weights, [ids]).logits - forward(quantized, [ids]).logits            # (1, n, V)
    return float(np.abs(difference[:, :, BOS + 1:]).max())
