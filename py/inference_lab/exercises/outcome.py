"""What one value of a constant leads to, as far as an exercise looks at it."""
from dataclasses import dataclass

from ..causes.latency import waited
from ..config import Config
from ..lab import prompts_of, run_main
from ..metrics import metrics, summary
from ..model import make_weights
from ..quality_gate import Decision, quality_gate
from ..quantization import Quantization, quantize_weights
from ..tokenizer import Tokenizer
from ..trace import Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A run as far as an exercise looks at it: the main trace, or the quality gate."""

    config: Config
    trace: Trace | None = None
    quantization: Quantization | None = None
    decisions: tuple[Decision, ...] = ()

    def ttft_us(self, id):
        served = self.trace.find(id)
        return metrics(served).ttft_us if served else None

    def queue_us(self, id):
        served = self.trace.find(id)
        return metrics(served).queue_us if served else None

    def waited(self):
        """What the followed request waited for, as the rest of a sentence about it."""
        served = self.trace.find(self.config.FOLLOW)
        return waited(self.trace, self.config, served) if served else "bị từ chối"

    @property
    def followed_ttft_us(self):
        return self.ttft_us(self.config.FOLLOW)

    @property
    def worst_gap_us(self):
        return summary(self.trace).worst_gap_us

    @property
    def spare_places(self):
        """Token places in used blocks that held no token, at the peak."""
        return self.trace.peak.blocks * self.config.BLOCK_SIZE - self.trace.peak.tokens

    @property
    def cut_short(self):
        """Ids whose answer ended because the pool was empty."""
        return [s.id for s in self.trace.served if s.finish_reason == "kv_exhausted"]

    @property
    def too_large(self):
        """Ids whose prompt alone is larger than the pool."""
        return [r.id for r in self.trace.refused if r.cause == "pool"]

    @property
    def pool_suffices(self):
        return not (self.trace.preemptions or self.cut_short or self.too_large)

    @property
    def agreed(self):
        return sum(d.agrees for d in self.decisions)

    @property
    def passes_gate(self):
        return bool(self.decisions) and self.agreed / len(self.decisions) >= self.config.QUALITY_GATE


def observe_trace(config):
    tokenizer, weights = model_of(config)
    return Outcome(config=config, trace=run_main(config, tokenizer, weights))


def observe_gate(config):
    tokenizer, weights = model_of(config)
    quantization = quantize_weights(weights, config.QUANT_BITS)
    return Outcome(config=config, quantization=quantization, decisions=quality_gate(prompts_of(config, tokenizer), weights, quantization.weights))


def model_of(config):
    tokenizer = Tokenizer.learn(config.CORPUS, config.N_MERGES)
    return tokenizer, make_weights(config, len(tokenizer.vocabulary))
