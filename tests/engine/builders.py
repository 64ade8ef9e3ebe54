"""Small configurations whose every number can be worked out on paper, and ways to run them.

The corpus is the one word "a" with one merge, so that the vocabulary is <bos> <eos> </w> a a</w> and a text of n - 1
words is a prompt of exactly n tokens. `steady` weights say the same token whatever they see, so that answers have
the length that the test wants. Costs are small and different: a sum shows which of them went in.
"""
import numpy as np
from hypothesis import settings

from inference_lab.config import Config
from inference_lab.engine import Engine, run_engine
from inference_lab.model import Weights, make_weights
from inference_lab.tokenizer import EOS, Tokenizer
from inference_lab.trace import Policy

A = 3                                                   # the token "a" of the one-word corpus
VARIED = 29                                             # a SEED whose random weights give long answers of several tokens


def examples(number):
    """So many examples of a property on CPython; where the profile asks for fewer (inside Pyodide), fewer in proportion."""
    usual = settings.get_profile("lab").max_examples
    return settings(max_examples=max(min(number, 5), number * settings.default.max_examples // usual))


def text_of(n):
    """A text that the one-word corpus turns into n tokens, <bos> included."""
    return " ".join(["a"] * (n - 1))


def request(id="A", prompt=4, max_new=3, arrival=0, **others):
    return dict(id=id, arrival=arrival, text=others.pop("text", text_of(prompt)), max_new=max_new, **others)


def small(*requests, **changed):
    """No time at the gateway; a prefill costs 5 + 1 a token, a decode 10 + 1 a sequence."""
    values = dict(
        CORPUS=["a"], N_MERGES=1, MAX_CONTEXT=64, BLOCK_SIZE=4, POOL_BLOCKS=16, SLOTS=2, QUEUE_LIMIT=10, TOKEN_BUDGET=8,
        COST_GATEWAY=0, COST_TOKENIZE_PER_TOKEN=0, COST_PREFILL_FIXED=5, COST_PREFILL_PER_TOKEN=1,
        COST_DECODE_FIXED=10, COST_DECODE_PER_SEQ=1, REQUESTS=list(requests), FOLLOW=requests[0]["id"])
    return Config.of(values | changed)


def steady(config, token=A):
    """Weights under which `token` is always the most probable next one.

    Every embedding is a vector of ones, and nothing is added to it on its way to the head (w_o and w_down are zero).
    """
    tokenizer = Tokenizer.learn(config.CORPUS, config.N_MERGES)
    v, d, inner, ffn = len(tokenizer.vocabulary), config.D_MODEL, config.N_HEADS * config.D_HEAD, config.FFN_HIDDEN
    head = np.zeros((d, v))
    head[:, token] = 1.0
    ones = np.ones
    return Weights(embedding=ones((v, d)), w_q=ones((d, inner)), w_k=ones((d, inner)), w_v=ones((d, inner)), w_o=np.zeros((inner, d)),
                   w_gate=ones((d, ffn)), w_up=ones((d, ffn)), w_down=np.zeros((ffn, d)), lm_head=head, n_heads=config.N_HEADS)


def ending(config):
    """Weights that end every answer at once."""
    return steady(config, EOS)


def chunked(config):
    return Policy(name="chunked", continuous=True, budget=config.TOKEN_BUDGET)


WHOLE = Policy(name="continuous", continuous=True, budget=None)
STATIC = Policy(name="static", continuous=False, budget=None)


def engine_for(config, policy=None, weights=None):
    """`weights`: None for the random ones of config.SEED."""
    tokenizer = Tokenizer.learn(config.CORPUS, config.N_MERGES)
    weights = weights or make_weights(config, len(tokenizer.vocabulary))
    return Engine(config, policy or chunked(config), tokenizer, weights)


def serve(config, policy=None, weights=None):
    """-> Trace"""
    engine = engine_for(config, policy, weights)
    return run_engine(config, engine.policy, engine.tokenizer, engine.weights)


def serve_steadily(config, policy=None):
    return serve(config, policy, steady(config))


def steps_of(trace):
    """Each step as (start, end, "A:prefill:4 B:decode:1")."""
    return [(s.start_us, s.end_us, " ".join(f"{w.id}:{w.phase}:{w.tokens}" for w in s.work)) for s in trace.steps]


def outputs_of(trace):
    return {s.id: (s.output_ids, s.finish_reason) for s in trace.served}


def finished(trace):
    """Ids in the order of finishing."""
    return [s.id for s in trace.by_finish]
