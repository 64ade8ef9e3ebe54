"""Throw random configurations at the engine: good ones must run within their bound, bad ones must be refused in words.

usage: fuzz.py [COUNT [SEED]]      5,000 configurations from seed 1, on all cores

Half of the configurations are drawn within the ranges, half have something wrong put into them. Every answer must be a
run whose 13 reports pass, or an error that names a constant. Anything else is printed with its seed, and ends in status 1.
"""
import os
import random
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from inference_lab.config import CONSTANTS, Config
from inference_lab.errors import ConfigurationError
from inference_lab.lab import run
from inference_lab.reports import build_reports
from inference_lab.transcript import transcript, verdict

WORDS = "xin chao model ban hoc token".split()
STRANGE_TEXTS = ["", "   ", "xin chào", "🙂", "xin\u0000", "a" * 300, "xin chao " * 40]
WRONG_VALUES = [None, True, "3", 2.5, float("nan"), float("inf"), -1, 0, 10**12, [], {}, "", "A", [None], {"a": 1}]
SECONDS = 20                        # no single configuration of this size may take longer


def good(rnd):
    """Changed constants within their ranges, small enough to run many of them."""
    n_heads, d_head = rnd.choice([(1, 2), (1, 8), (2, 4), (4, 2)])
    requests = [good_request(rnd, chr(65 + i)) for i in range(rnd.randint(1, 9))]
    corpus = [" ".join(rnd.choices(WORDS, k=3)) for _ in range(rnd.randint(1, 6))]
    return dict(
        SEED=rnd.randint(0, 10_000), D_MODEL=n_heads * d_head, N_HEADS=n_heads, D_HEAD=d_head, FFN_HIDDEN=rnd.choice([1, 8, 16]),
        MAX_CONTEXT=rnd.randint(2, 48), BLOCK_SIZE=rnd.choice([1, 2, 3, 4, 8, 16]), POOL_BLOCKS=rnd.choice([1, 2, 4, 8, 16, 64]),
        SLOTS=rnd.randint(1, 6), QUEUE_LIMIT=rnd.randint(0, 6), TOKEN_BUDGET=rnd.randint(1, 16),
        **{name: rnd.choice([0, 1, 100, 1000]) + (name.endswith("PER_SEQ") or name.endswith("PER_TOKEN")) for name in CONSTANTS if name.startswith("COST_")},
        TTFT_SLO=rnd.choice([0, 8000, 10**6]), QUANT_BITS=rnd.randint(2, 8), QUALITY_GATE=rnd.random(),
        CORPUS=corpus if rnd.random() < 0.3 else list(CONSTANTS["CORPUS"].default), N_MERGES=rnd.choice([0, 1, 10, 60]),
        REQUESTS=requests, FOLLOW=rnd.choice(requests)["id"])


def good_request(rnd, id):
    text = rnd.choice(STRANGE_TEXTS) if rnd.random() < 0.1 else " ".join(rnd.choices(WORDS, k=rnd.randint(0, 5)))
    return dict(id=id, arrival=rnd.choice([0, 0, 1, 500, 3000, 10**6]), text=text, max_new=rnd.randint(1, 14),
                temperature=rnd.choice([0, 0.0, 1e-6, 0.8, 1.7, 100]), top_k=rnd.choice([0, 1, 3, 50]),
                top_p=rnd.choice([1e-9, 0.1, 0.5, 0.9, 1, 1.0]), seed=rnd.randint(0, 2**32 - 1))


def spoiled(rnd):
    """A good configuration with one to three things made wrong (by chance some stay right)."""
    changed = good(rnd)
    for _ in range(rnd.randint(1, 3)):
        value = rnd.choice(WRONG_VALUES)
        requests = [r for r in changed["REQUESTS"] if isinstance(r, dict)] if isinstance(changed["REQUESTS"], list) else []
        if requests and rnd.random() < 0.4:
            rnd.choice(requests)[rnd.choice(["id", "arrival", "text", "max_new", "temperature", "top_k", "top_p", "seed", "topk"])] = value
        else:
            changed[rnd.choice([*CONSTANTS, "SLOT", "slots", ""])] = value
    return changed


def try_one(first_seed, number):
    """-> (outcome, complaint or None)"""
    rnd = random.Random(first_seed * 1_000_003 + number)
    changed = spoiled(rnd) if number % 2 else good(rnd)
    began = time.monotonic()
    try:
        outcome, complaint = judge(changed)
    except Exception as error:                       # the very thing this script looks for
        outcome, complaint = "uncaught", f"{type(error).__name__}: {error}"
    if time.monotonic() - began > SECONDS:
        outcome, complaint = "too slow", f"{time.monotonic() - began:.0f} s"
    return outcome, complaint and f"configuration {number} of seed {first_seed}: {outcome}: {complaint}\n  {changed}"


def judge(changed):
    try:
        config = Config.of(changed)
    except ConfigurationError as error:
        nameless = [p for p in error.problems if p.constant not in CONSTANTS and "lab không có" not in p.message]
        return "refused", f"a problem that names no constant: {nameless}" if nameless else None
    result = run(config)
    reports = build_reports(result)
    transcript(result, reports)
    if not all(r.passed for r in reports):
        return "failed check", verdict(reports)
    main = result.main
    redone = sum(p.tokens for p in main.preemptions)
    bound = sum(len(s.prompt_ids) + len(s.output_ids) for s in main.served) + redone
    if len(main.steps) > bound:
        return "beyond its bound", f"{len(main.steps)} steps for {bound} tokens"
    return ("ran, preempting" if main.preemptions else "ran" if main.served else "ran, nobody served"), None


def main(count=5000, seed=1):
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        answers = list(pool.map(partial(try_one, seed), range(count), chunksize=50))
    complaints = [complaint for _, complaint in answers if complaint]
    print(*complaints[:20], sep="\n", end="\n" if complaints else "")
    for outcome, n in sorted(Counter(outcome for outcome, _ in answers).items()):
        print(f"{n:>6} {outcome}")
    print(f"{count - len(complaints)} passed, {len(complaints)} failed")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
