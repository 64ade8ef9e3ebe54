"""What one model call costs on this machine: its ceilings, then prefill and decode of a NumPy decoder, in real seconds.

In: a size of decoder, prompts, a clock. Out: plain measurements and what follows from them. This is the one module that looks at a
real clock; it knows nothing of the simulated one, of the engine or of the page. A measurement is a list of points, taken
one after another by whoever shows progress (the command line, the page), so that it can be stopped between two of them.

Amounts of work are counted by hand: a product of (n, k) and (k, m) is 2·n·k·m FLOP. Bytes are those of the weights, which
every pass reads once, and of the keys and values before the new tokens; activations are left out (a first-order count).
"""
import functools
import pathlib
import statistics
import time
from dataclasses import dataclass, field

import numpy as np

FLOAT = np.float32
REPEATS = 5
LEAST_SAMPLE_S = 0.02               # a browser's clock may tick in tenths of a millisecond: a sample lasts many ticks
PROMPTS = (16, 64, 256, 1024)       # tokens
LEAST_PROMPT = 256                  # that a decoder chosen for its weights alone must get to
DECODE_AFTER = 64                   # tokens in the cache when decode begins
DECODE_STEPS = 8                    # one sample is the mean of so many steps
BUDGET_S = 60.0                     # nothing longer runs unasked
OVER_CEILINGS = 2.0                 # a real pass lasts up to about so many times what its ceilings allow
CEILINGS_S = 8.0                    # about what all ceilings take, on a fast machine as on a slow one
SIDES = (64, 128, 256, 512, 1024, 2048)
WARM_UP_S = 1.5
LAST_PRODUCT_S = 0.05               # no larger product after one that lasted so long
STREAM_BYTES = 64 << 20             # of an array whose reading is timed: more than a last cache usually holds
LONGEST_STREAM_BYTES = 512 << 20    # and of one that is to exceed a cache which is known to be larger
CACHES = "/sys/devices/system/cpu/cpu0/cache"


# ── The decoder ──────────────────────────────────────────────────────────────

@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A decoder with SwiGLU and as many KV heads as heads; RoPE is left out, it changes no amount of work worth counting."""

    layers: int
    width: int
    heads: int
    hidden: int
    vocabulary: int

    @property
    def layer_parameters(self):
        """W_Q, W_K, W_V, W_O and the three matrices of the SwiGLU network."""
        return 4 * self.width**2 + 3 * self.width * self.hidden

    @property
    def parameters(self):
        """That a pass multiplies with: all layers and the LM head. The embedding is only looked up."""
        return self.layers * self.layer_parameters + self.width * self.vocabulary

    @property
    def weight_bytes(self):
        return self.parameters * np.dtype(FLOAT).itemsize

    def flops(self, tokens, past):
        """Of one pass over `tokens` new tokens after `past` cached ones; logits of the last token only."""
        projections = 2 * tokens * self.layers * self.layer_parameters
        attention = 2 * 2 * tokens * (past + tokens) * self.width * self.layers          # scores, then their sum of values
        return projections + attention + 2 * self.width * self.vocabulary

    def bytes_read(self, tokens, past):
        """Of one pass: all weights once, and the cached keys and values once."""
        del tokens                                                                         # they share one reading of the weights
        return self.weight_bytes + 2 * past * self.width * self.layers * np.dtype(FLOAT).itemsize


#: Names as the command line takes them; each is about four times the one before.
SIZES = {
    "tiny": Shape(layers=4, width=256, heads=4, hidden=704, vocabulary=2048),
    "small": Shape(layers=6, width=512, heads=8, hidden=1408, vocabulary=2048),
    "medium": Shape(layers=12, width=768, heads=12, hidden=2048, vocabulary=4096),
    "large": Shape(layers=24, width=1024, heads=16, hidden=2816, vocabulary=8192),
}

SIZE_NAMES = {"tiny": "rất nhỏ", "small": "nhỏ", "medium": "vừa", "large": "lớn"}            # as a reader is told


class Decoder:
    """Random weights and a contiguous KV cache for `capacity` tokens. float32 throughout."""

    def __init__(self, shape, capacity, seed=0):
        self.shape, self.length = shape, 0
        generator = np.random.default_rng(seed)

        def matrix(rows, columns):
            return generator.standard_normal((rows, columns), dtype=FLOAT) / FLOAT(rows**0.5)

        d, h = shape.width, shape.hidden
        self.embedding = matrix(shape.vocabulary, d) * FLOAT(d**0.5)                       # (V, d)
        self.layers = [dict(q=matrix(d, d), k=matrix(d, d), v=matrix(d, d), o=matrix(d, d),
                            gate=matrix(d, h), up=matrix(d, h), down=matrix(h, d)) for _ in range(shape.layers)]
        self.head = matrix(d, shape.vocabulary)                                            # (d, V)
        self.keys = np.zeros((shape.layers, shape.heads, capacity, d // shape.heads), FLOAT)
        self.values = np.zeros_like(self.keys)

    def forward(self, ids):
        """Append `ids` to the sequence. -> logits (V,) of the last one"""
        x = self.embedding[ids]                                                            # (n, d)
        for number, layer in enumerate(self.layers):
            x = x + self.attention(number, layer, normalized(x))                           # (n, d)
            inner = normalized(x)                                                          # (n, d)
            gate = inner @ layer["gate"]                                                   # (n, h)
            x = x + (gate / (1 + np.exp(-gate)) * (inner @ layer["up"])) @ layer["down"]   # (n, d)
        self.length += len(ids)
        return normalized(x[-1:])[0] @ self.head                                           # (V,)

    def attention(self, number, layer, x):
        """x: (n, d) after the norm. Writes n keys and values, looks at all of them. -> (n, d)"""
        n, past, heads = len(x), self.length, self.shape.heads
        q, k, v = (split_heads(x @ layer[name], heads) for name in "qkv")                  # (H, n, d/H)
        self.keys[number, :, past:past + n], self.values[number, :, past:past + n] = k, v
        keys, values = self.keys[number, :, :past + n], self.values[number, :, :past + n]  # (H, L, d/H)
        scores = q @ keys.transpose(0, 2, 1) / FLOAT(q.shape[2]**0.5)                      # (H, n, L)
        if n > 1:
            scores = np.where(np.tri(n, past + n, past, dtype=bool), scores, FLOAT(-np.inf))
        weights = np.exp(scores - scores.max(axis=2, keepdims=True))                       # (H, n, L)
        mixed = weights / weights.sum(axis=2, keepdims=True) @ values                      # (H, n, d/H)
        return mixed.transpose(1, 0, 2).reshape(n, -1) @ layer["o"]                        # (n, d)


def normalized(x):
    """RMSNorm without a learnt scale: (n, d) -> (n, d)."""
    return x / np.sqrt(np.mean(x * x, axis=1, keepdims=True) + FLOAT(1e-6))


def split_heads(x, heads):
    """(n, d) -> (H, n, d/H)"""
    return x.reshape(len(x), heads, -1).transpose(1, 0, 2)


@functools.lru_cache(maxsize=1)                     # points of one measurement share their weights; building them takes a second
def decoder_of(size):
    decoder_of.cache_clear()                        # or the decoder of another size would stand beside it in memory
    return Decoder(SIZES[size], PROMPTS[-1] + DECODE_STEPS)


# ── The machine ──────────────────────────────────────────────────────────────

def last_cache_bytes(folder=CACHES):
    """Of the largest cache that Linux tells of; elsewhere, and in a browser, None."""
    sizes = [path.read_text().strip() for path in sorted(pathlib.Path(folder).glob("index*/size"))]
    return max((int(size[:-1]) << {"K": 10, "M": 20}[size[-1]] for size in sizes if size[:-1].isdigit() and size[-1] in "KM"), default=None)


def stream_bytes(cache):
    """Of an array that does not stay in a cache of so many bytes (None: not known)."""
    return min(max(STREAM_BYTES, 2 * (cache or 0)), LONGEST_STREAM_BYTES)


# ── Taking times ─────────────────────────────────────────────────────────────

def time_of(work, repeats=REPEATS, least=LEAST_SAMPLE_S, clock=time.perf_counter):
    """Seconds of one `work()`: -> {"median", "low", "high", "repeats"} over samples of at least `least` seconds each."""
    once = elapsed(work, 1, clock)                  # also warms up; its time only says how often a sample must repeat
    times = 1 if once >= least else int(least / max(once, 1e-7)) + 1
    samples = [elapsed(work, times, clock) / times for _ in range(repeats)]
    return dict(median=statistics.median(samples), low=min(samples), high=max(samples), repeats=repeats)


def warm_up(work, seconds=WARM_UP_S):
    """A browser compiles what is called often once more, and better; what runs before that is several times as slow."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        work()


def elapsed(work, times, clock):
    start = clock()
    for _ in range(times):
        work()
    return clock() - start


def rate(amount, seconds):
    """An amount of work against a spread of seconds: a spread of rates, the slowest first."""
    return dict(median=amount / seconds["median"], low=amount / seconds["high"], high=amount / seconds["low"], repeats=seconds["repeats"])


# ── Points: one measurement each ─────────────────────────────────────────────

def matmul_point(dtype):
    """FLOP/s of square products, a ceiling of computing: the fastest of growing sizes. A blocked BLAS wants a large one; NumPy in a browser, which
    has none, is fastest while everything fits a cache."""
    def measure(**taking):
        rates = []
        for side in SIDES:
            a = np.random.default_rng(0).standard_normal((side, side)).astype(dtype)
            if not rates:
                warm_up(lambda: a @ a)
            seconds = time_of(lambda: a @ a, **taking)
            rates.append(rate(2 * side**3, seconds))
            if seconds["median"] > LAST_PRODUCT_S:
                break
        return max(rates, key=lambda r: r["median"])
    return measure


def read_point(**taking):
    """Byte/s of reading weights as decode does: each once, for one row. The fastest way that NumPy has."""
    side = int((stream_bytes(last_cache_bytes()) / np.dtype(FLOAT).itemsize) ** 0.5)
    matrix, vector = np.ones((side, side), FLOAT), np.ones(side, FLOAT)
    ways = [lambda: matrix @ vector, lambda: vector @ matrix, matrix.max, matrix.sum]
    return max((rate(matrix.nbytes, time_of(way, **taking)) for way in ways), key=lambda r: r["median"])


def write_point(**taking):
    """Byte/s of writing."""
    target = np.empty(stream_bytes(last_cache_bytes()), np.uint8)
    return rate(target.nbytes, time_of(lambda: target.fill(1), **taking))


def copy_point(**taking):
    """Byte/s of copying, read and written bytes counted. Decode hardly writes, so this is not its ceiling."""
    size = stream_bytes(last_cache_bytes()) // 2                                           # of each of the two
    source, target = np.ones(size, np.uint8), np.empty(size, np.uint8)
    return rate(2 * source.nbytes, time_of(lambda: np.copyto(target, source), **taking))


CEILINGS = {"matmul_float32": matmul_point(np.float32), "matmul_float64": matmul_point(np.float64),
            "read": read_point, "write": write_point, "copy": copy_point}


def prefill_point(decoder, tokens, **taking):
    """Seconds until the first token of a prompt of `tokens` tokens, nothing cached."""
    ids = prompt_of(decoder.shape, tokens)

    def prefill():
        decoder.length = 0
        decoder.forward(ids)
    return time_of(prefill, **taking)


def decode_point(decoder, **taking):
    """Seconds a token, DECODE_AFTER tokens and more in the cache."""
    decoder.length = 0
    decoder.forward(prompt_of(decoder.shape, DECODE_AFTER))

    def decode():
        decoder.length = DECODE_AFTER
        for step in range(DECODE_STEPS):
            decoder.forward([step])
    seconds = time_of(decode, **taking)
    return {key: value if key == "repeats" else value / DECODE_STEPS for key, value in seconds.items()}


def prompt_of(shape, tokens):
    return np.arange(tokens) % shape.vocabulary


def take(point, size, **taking):
    """Measure one point: a name of CEILINGS, "decode", or "prefill N". -> a spread"""
    if point in CEILINGS:
        return CEILINGS[point](**taking)
    if point == "decode":
        return decode_point(decoder_of(size), **taking)
    return prefill_point(decoder_of(size), int(point.split()[1]), **taking)


# ── What to measure ──────────────────────────────────────────────────────────

@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Which points to take, in order, and how long that will last."""

    size: str
    prompts: tuple[int, ...]
    left_out: tuple[int, ...]       # prompts that would exceed the budget
    seconds: float                  # expected, of `points`
    points: tuple[str, ...] = field(default=())


def plan(size, flops_per_s, bytes_per_s, budget_s=BUDGET_S):
    """The points for one size: as many prompts, the short ones first, as the budget allows. -> Plan"""
    shape = SIZES[size]

    def seconds(tokens, past):
        return OVER_CEILINGS * max(shape.flops(tokens, past) / flops_per_s, shape.bytes_read(tokens, past) / bytes_per_s)

    spent = CEILINGS_S + (REPEATS + 1) * DECODE_STEPS * seconds(1, DECODE_AFTER)
    prompts = []
    for tokens in PROMPTS:
        cost = (REPEATS + 1) * max(seconds(tokens, 0), LEAST_SAMPLE_S)
        if spent + cost > budget_s:
            break
        spent += cost
        prompts.append(tokens)
    return Plan(size=size, prompts=tuple(prompts), left_out=PROMPTS[len(prompts):], seconds=spent,
                points=(*CEILINGS, *(f"prefill {tokens}" for tokens in prompts), "decode"))


def overruns(point, taken, elapsed_s, budget_s=BUDGET_S):
    """Whether a longer prompt would end after the budget, by the clock and by what the prompt before it took: a busy machine is
    slower than planned. The shortest prompt and decode are always taken, without them there is no result. -> bool"""
    phase_name, _, tokens = point.partition(" ")
    shorter = [n for n in PROMPTS if f"prefill {n}" in taken]
    if phase_name != "prefill" or not shorter:
        return False
    expected = (REPEATS + 1) * taken[f"prefill {shorter[-1]}"]["median"] * int(tokens) / shorter[-1]
    return elapsed_s + expected > budget_s


def choose_size(flops_per_s, bytes_per_s, cache=None, budget_s=BUDGET_S):
    """The largest size whose every prompt fits the budget; where its weights would stay in the last cache, the next one that does not fit the cache
    and gets as far as LEAST_PROMPT; else the smallest. -> a name of SIZES"""
    whole = [size for size in SIZES if not plan(size, flops_per_s, bytes_per_s, budget_s).left_out]
    chosen = whole[-1] if whole else next(iter(SIZES))
    larger = [*SIZES][[*SIZES].index(chosen):]
    return next((size for size in larger if SIZES[size].weight_bytes > (cache or 0) and LEAST_PROMPT in plan(size, flops_per_s, bytes_per_s, budget_s).prompts), chosen)


# ── What follows ─────────────────────────────────────────────────────────────

def conclude(size, taken):
    """From the spreads of all points to rates, shares of a ceiling and the two ratios. taken: {point: spread} -> dict"""
    shape = SIZES[size]
    peak, read = taken["matmul_float32"]["median"], taken["read"]["median"]
    phases = [phase(shape, tokens, 0, tokens, taken[f"prefill {tokens}"], peak, read) for tokens in PROMPTS if f"prefill {tokens}" in taken]
    decode = phase(shape, 1, DECODE_AFTER + (DECODE_STEPS - 1) / 2, 1, taken["decode"], peak, read)
    longest = phases[-1]
    return dict(
        prefill=phases, decode=decode, balance_flop_per_byte=peak / read,
        measured_ratio=longest["tokens_per_s"] / decode["tokens_per_s"], predicted_ratio=longest["predicted_tokens_per_s"] / decode["predicted_tokens_per_s"],
        wrong_ceilings=[name for p in (*phases, decode) for name in ("compute", "bandwidth") if p[f"{name}_share"] > 1])


def phase(shape, tokens, past, produced, seconds, peak, read):
    """One pass against both ceilings. `produced`: how many tokens it brings forward."""
    flops, moved = shape.flops(tokens, past), shape.bytes_read(tokens, past)
    predicted = max(flops / peak, moved / read)                       # the roofline: the slower of the two decides
    median = seconds["median"]
    return dict(
        tokens=tokens, seconds=seconds, tokens_per_s=produced / median, flops=flops, bytes=moved, intensity=flops / moved,
        compute_share=flops / median / peak, bandwidth_share=moved / median / read,
        predicted_s=predicted, predicted_tokens_per_s=produced / predicted, bound="compute" if flops / peak > moved / read else "bandwidth")
