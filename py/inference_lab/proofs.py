"""Both sides of what the lab claims to be equal, row by row: computed when somebody asks, never in the run itself.

In: the name of a proof and a LabRun. Out: plain data: what each side is, the rows, the largest difference. The left side is
what the engine does: the run's configuration is served again, and every row that its steps produce is kept. The right side
is computed another way.
"""
from dataclasses import dataclass, replace

import numpy as np

from .engine import Engine
from .lab import policies
from .model import forward
from .notation import fixed, literal
from .reports.phrases import POLICY_NAMES, TOLERANCE
from .reports.report import MAX_ROWS, plain_table, table
from .request import PREFILL

MOST_REQUESTS = 12              # beside the followed one: each is served alone for one of the proofs
OWN_PARTS = "Lần chạy này dùng phần do script của bạn viết, nên lab không dựng lại được hai vế. Hãy chạy bằng các hằng số."


@dataclass(frozen=True, slots=True, kw_only=True)
class Lived:
    """What one request's steps gave: all from the caches, none recomputed."""

    tokens: tuple[int, ...]     # prompt and answer
    prompt_length: int
    logits: np.ndarray          # (computed, V)
    keys: np.ndarray            # (heads, computed, d_head), gathered from its blocks
    values: np.ndarray          # (heads, computed, d_head)
    blocks: tuple[int, ...]
    preemptions: int


class Watched(Engine):
    """The engine, that keeps what each request's steps gave before its blocks go back."""

    def __init__(self, *parts):
        super().__init__(*parts)
        self.lived = {}

    def finish(self, request):
        keys, values = self.pool.gather([request.id])                    # (1, heads, n, d_head)
        self.lived[request.id] = Lived(
            tokens=tuple(request.tokens), prompt_length=request.prompt_length, logits=np.concatenate(request.logit_rows), keys=keys[0].copy(),
            values=values[0].copy(), blocks=tuple(self.pool.tables[request.id]), preemptions=request.preemptions)
        super().finish(request)


def watched(run, config=None, policy=None):
    """Serve again, watched. -> {id: Lived}, the followed request first, then in the order of ids"""
    config = config or run.config
    engine = Watched(config, policy or policies(config)[-1], run.tokenizer, run.weights)
    engine.run()
    ids = sorted(engine.lived, key=lambda id: (id != run.config.FOLLOW, id))
    return {id: engine.lived[id] for id in ids}


def prove(id, run):
    """-> dict(id, left, right, note, largest, passed, table); `note` says why there is nothing to compare, else ''."""
    if run.own:
        return dict(id=id, left="", right="", note=OWN_PARTS, largest="", passed=None, table=None)
    left, right, what, rows, note = PROOFS[id](run)
    if not rows:
        return dict(id=id, left=left, right=right, note=note, largest="", passed=None, table=None)
    worst = max(range(len(rows)), key=lambda i: rows[i][4])
    biggest = rows[worst][4]
    return dict(id=id, left=left, right=right, note=note, largest=said(biggest, rows[worst], len(rows)), passed=bool(biggest <= TOLERANCE),
                table=plain_table(as_table(left, right, what, rows, worst)))


def said(biggest, row, count):
    if isinstance(row[2], str):
        return f"{count} cặp token, giống hệt nhau." if not biggest else f"{count} cặp token, khác nhau từ {row[0]} {row[1]}."
    if not biggest:
        return f"{count} cặp giá trị, trùng nhau tới bit cuối."
    return f"{count} cặp giá trị, lệch nhiều nhất {biggest:.1e}, ở {row[0]} {row[1]}."


def as_table(left, right, what, rows, worst):
    """The first rows and, wherever it stands, the one with the largest difference."""
    shown = list(range(min(len(rows), MAX_ROWS)))
    if worst not in shown:
        shown[-1] = worst
    made = table("Hai vế, từng cặp", ["Yêu cầu", what, f">{left}", f">{right}", ">Chênh lệch"], [rows[i] for i in shown],
                 lambda row: (row[0], row[1], written(row[2]), written(row[3]), f"{row[4]:.1e}" if row[4] else "0"), (shown.index(worst),) if rows[worst][4] else ())
    return replace(made, omitted=len(rows) - len(shown))


def written(value):
    return literal(value) if isinstance(value, str) else fixed(value, 12)


def pairs(id, names, left, right):
    """One row a position: of left and right (n, …) the entry in which they differ most."""
    rows = []
    for name, a, b in zip(names, left, right):
        a, b = a.ravel(), b.ravel()
        gaps = np.abs(a - b)
        k = int(gaps.argmax())
        rows.append((id, name, float(a[k]), float(b[k]), float(gaps[k])))
    return rows


def positions(n, since=0):
    return [f"vị trí {i}" for i in range(since, since + n)]


# ── The proofs: run -> (left side, right side, what a row is, rows, note) ────────

def cached(run):
    """Every logits row, from the cache step by step, against one pass over the whole sequence without a cache."""
    rows = []
    for id, lived in watched(run).items():
        n = len(lived.logits)
        rows += pairs(id, positions(n), lived.logits, forward(run.weights, [lived.tokens[:n]]).logits[0])
    return "qua cache, từng bước", "tính lại cả chuỗi", "Hàng logits", rows, nobody(rows)


def paged(run):
    """Keys and values gathered from scattered blocks, against the same in one contiguous array."""
    rows, size = [], run.config.BLOCK_SIZE
    for id, lived in watched(run).items():
        n = lived.keys.shape[1]
        whole = forward(run.weights, [lived.tokens[:n]])
        left, right = (np.stack(both).transpose(2, 0, 1, 3) for both in ((lived.keys, lived.values), (whole.keys[0], whole.values[0])))   # (n, 2, heads, d_head)
        rows += pairs(id, [f"vị trí {i} · block {lived.blocks[i // size]}, ô {i % size}" for i in range(n)], left, right)
    return "gom từ các block rời", "một mảng liền", "K và V", rows, nobody(rows)


def chunked(run):
    """The prompts' logits in the chunks of the run, against the whole prompt in one pass."""
    chunks = {}
    for step in run.main.steps:
        for work in step.work:
            if work.phase == PREFILL:
                chunks.setdefault(work.id, []).append(work.tokens)
    rows = []
    for served in sorted(run.main.served, key=lambda s: (s.id != run.config.FOLLOW, s.id)):
        ids = served.prompt_ids
        sizes = chunks[served.id] if sum(chunks[served.id]) == len(ids) else whole_blocks(len(ids), run.config.TOKEN_BUDGET)
        rows += pairs(served.id, [f"vị trí {i} · đoạn {c}" for c, n in enumerate(sizes, 1) for i in range(sum(sizes[:c - 1]), sum(sizes[:c]))],
                      in_chunks(run.weights, ids, sizes), forward(run.weights, [ids]).logits[0])
    return "từng đoạn", "cả prompt một lần", "Hàng logits", rows, nobody(rows)


def whole_blocks(n, most):
    """Chunks of a prompt whose own ones were disturbed: of a preempted request they include its answer."""
    return [min(most, n - i) for i in range(0, n, most)]


def in_chunks(weights, ids, sizes):
    """-> logits (n, V) of a prompt, each chunk seeing the keys and values of those before it"""
    keys, values, logits, done = None, None, [], 0
    for n in sizes:
        past = None if keys is None else (keys, values)
        result = forward(weights, [ids[done:done + n]], [done], past)
        keys, values = (result.keys, result.values) if past is None else (
            np.concatenate([keys, result.keys], axis=2), np.concatenate([values, result.values], axis=2))
        logits.append(result.logits[0])
        done += n
    return np.concatenate(logits)


def batched(run):
    """Every logits row computed in steps shared with others, against the same request served alone."""
    together, rows = watched(run), []
    some = list(together)[:MOST_REQUESTS + 1]
    for id in some:
        spec = next(r for r in run.config.REQUESTS if r.id == id)
        alone = watched(run, replace(run.config, REQUESTS=(spec,), FOLLOW=id))[id]
        n = min(len(alone.logits), len(together[id].logits))
        rows += pairs(id, positions(n), together[id].logits[:n], alone.logits[:n])
    left_out = f"So {len(some)}/{len(together)} yêu cầu. " if len(some) < len(together) else ""
    return "chung bước với yêu cầu khác", "chạy một mình", "Hàng logits", rows, (left_out + nobody(rows)).strip()


def preempted(run):
    """Preempted requests against the same run with a pool in which nobody is preempted."""
    roomy = replace(run.config, POOL_BLOCKS=max(run.config.POOL_BLOCKS, run.config.SLOTS * run.config.blocks_for(run.config.MAX_CONTEXT)))
    disturbed = {id: lived for id, lived in watched(run).items() if lived.preemptions}
    undisturbed, rows = watched(run, roomy) if disturbed else {}, []
    for id, lived in disturbed.items():
        if id in undisturbed:
            n = min(len(lived.logits), len(undisturbed[id].logits))
            rows += pairs(id, positions(n), lived.logits[:n], undisturbed[id].logits[:n])
    note = "" if rows else "Lần chạy này không preempt ai. Giảm POOL_BLOCKS (mẫu «Bể KV quá nhỏ») rồi chạy lại để có hai vế."
    return "bị preempt rồi tính lại", f"bể {roomy.POOL_BLOCKS} block, không ai bị preempt", "Hàng logits", rows, note


def same_tokens(run):
    """Each request's tokens under the three policies: the first against the last, and the middle one where it differs."""
    several, names, rows = {}, [POLICY_NAMES[t.policy.name] for t in run.traces], []
    for k, trace in enumerate(run.traces):
        for served in trace.served:
            several.setdefault(served.id, {})[k] = served.output_ids
    text = lambda ids, i: run.tokenizer.vocabulary[ids[i]]
    for id in sorted(several, key=lambda id: (id != run.config.FOLLOW, id)):
        answers = several[id]
        for k in range(len(names) - 1):
            if k in answers and len(names) - 1 in answers:
                mine, last = answers[k], answers[len(names) - 1]
                rows += [(id, f"token {i + 1} · {names[k]}", text(mine, i), text(last, i), float(mine[i] != last[i])) for i in range(min(len(mine), len(last)))]
    return "static hoặc không chia prompt", names[-1], "Token", rows, nobody(rows)


def nobody(rows):
    return "" if rows else "Không yêu cầu nào được phục vụ, nên không có gì để so."


PROOFS = dict(cached=cached, paged=paged, chunked=chunked, batched=batched, preempted=preempted, policies=same_tokens)
