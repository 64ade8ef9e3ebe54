"""Predict first: four questions about a run, and their right answers.

In: a configuration (`questions`) or a `LabRun` (`truths`). Out: texts and choice ids. A choice id means the same in
every configuration, so an answer given before a constant was changed can still be set beside the run after it.
"""
from .lab import run_main
from .metrics import metrics
from .model import make_weights
from .notation import ms, percent, share
from .reports.block_11_telemetry import PARTS, largest_part
from .reports.phrases import cause_of_refusal
from .tokenizer import Tokenizer

REFUSED, WAIT, PART, PEAK = "refused", "wait", "part", "peak"
NOT_SERVED = "not_served"
NAMED = 4                       # so many refused requests are named; more are counted
CHOICES = 5                     # at most, of the question who is refused
QUARTERS = 4
CROWD = 50                      # requests

#: Share of its TTFT that a request waits: (choice id, below this share, text). The last one has no upper bound.
WAITS = (("hardly", 0.1, "Hầu như không: dưới 10 % TTFT của nó"),
         ("some", 0.5, "Một lúc: từ 10 % đến dưới 50 % TTFT của nó"),
         ("most", None, "Rất lâu: từ 50 % TTFT của nó trở lên"))

CODES = {"429": "hệ thống đã đầy", "400": "yêu cầu không hợp lệ"}

#: Of a crowd it is asked which codes there are.
KINDS_OF_REFUSAL = [["nobody", "Không ai bị từ chối"], ["429", "Có yêu cầu nhận 429, không ai nhận 400"],
                    ["400", "Có yêu cầu nhận 400, không ai nhận 429"], ["429 400", "Có yêu cầu nhận 429, có yêu cầu nhận 400"]]

PART_TEXTS = {"prep_us": "Chuẩn bị đầu vào: qua cổng và tách token", "queue_us": "Chờ chỗ chạy",
              "prefill_us": "Prefill: đưa prompt qua mô hình"}


# ── The questions ────────────────────────────────────────────────────────────

def questions(config):
    """-> [{"id", "text", "choices": [[id, text], …]}]"""
    id = config.FOLLOW
    not_served = [NOT_SERVED, f"{id} không được phục vụ"]
    return [
        dict(id=REFUSED, text="Ai bị từ chối, và vì sao?",
             choices=KINDS_OF_REFUSAL if is_crowd(config) else refusal_choices(refusals(config), [r.id for r in in_order(config)])),
        dict(id=WAIT, text=f"{id} có phải chờ chỗ chạy lâu không? (TTFT: thời gian từ lúc đến tới token đầu tiên.)",
             choices=[*([choice, text] for choice, _, text in WAITS), not_served]),
        dict(id=PART, text=f"Phần nào lớn nhất trong TTFT của {id}?", choices=[*map(list, PART_TEXTS.items()), not_served]),
        dict(id=PEAK, text=f"Lúc cao điểm, bao nhiêu trong {config.POOL_BLOCKS} block KV được dùng?",
             choices=[[f"quarter_{k}", range_text(low, high)] for k, low, high in quarters(config.POOL_BLOCKS)])]


def is_crowd(config):
    """Whether there are too many requests to ask about single ones, and to run them all for the sake of a question."""
    return len(config.REQUESTS) > CROWD


def refusals(config):
    """-> [(id, code)] of one run of the main trace"""
    tokenizer = Tokenizer.learn(config.CORPUS, config.N_MERGES)
    return pairs_of(run_main(config, tokenizer, make_weights(config, len(tokenizer.vocabulary))))


def pairs_of(trace):
    return [(r.id, r.code) for r in trace.refused]


def in_order(config):
    """The requests by arrival."""
    return sorted(config.REQUESTS, key=lambda r: r.arrival)


def refusal_choices(truth, ids):
    """The truth among up to four others, in an order that does not depend on which is true. truth: [(id, code)]; ids by arrival."""
    others = {"429": "400", "400": "429"}
    last, before_it = ids[-1], ids[-2:-1]                       # before_it: none, if there is only one request
    candidates = [
        truth,
        [],
        [(id, others[code]) for id, code in truth],
        [(id, "429") for id in ids[-max(1, len(truth)):]],
        [pair for pair in truth if pair[1] == "400"],
        [pair for pair in truth if pair[1] == "429"],
        [(last, "400")],
        [(last, "429"), *((id, "400") for id in before_it)],
        [(id, "429") for id in before_it]]
    by_id = {}
    for candidate in candidates:
        by_id.setdefault(refusal_id(candidate), candidate)
    chosen = list(by_id.items())[:CHOICES]
    return [[id, refusal_text(pairs)] for id, pairs in sorted(chosen, key=lambda choice: (len(choice[1]), choice[0]))]


def refusal_id(pairs):
    """One text for each set of refusals: "D:429 E:400", or how many of each code where they are too many to name."""
    if len(pairs) > NAMED:
        return " ".join(f"{code}×{n}" for code, n in counted(pairs))
    return " ".join(f"{id}:{code}" for id, code in sorted(pairs)) or "nobody"


def refusal_text(pairs):
    if not pairs:
        return "Không ai bị từ chối"
    if len(pairs) > NAMED:
        return ", ".join(f"{n} yêu cầu nhận {code}" for code, n in counted(pairs))
    return ", ".join(f"{id} nhận {code} ({CODES[code]})" for id, code in sorted(pairs))


def counted(pairs):
    """-> [(code, how many)], codes that nobody got left out"""
    codes = [code for _, code in pairs]
    return [(code, codes.count(code)) for code in CODES if code in codes]


def quarters(blocks):
    """The pool in four ranges of block counts, none of them empty. -> [(which, from, to)]"""
    for k in range(1, QUARTERS + 1):
        low, high = blocks * (k - 1) // QUARTERS + 1, blocks * k // QUARTERS
        low = 0 if k == 1 else low
        if low <= high:
            yield k, low, high


def range_text(low, high):
    return f"{low} block" if low == high else f"Từ {low} đến {high} block"


# ── The right answers ────────────────────────────────────────────────────────

def truths(run):
    """-> [[question id, right choice id, sentence]]"""
    pairs = pairs_of(run.main)
    kinds = " ".join(code for code, _ in counted(pairs)) or "nobody"
    return [[REFUSED, kinds if is_crowd(run.config) else refusal_id(pairs), refusal_sentence(run)], [WAIT, *wait_truth(run)], [PART, *part_truth(run)], [PEAK, *peak_truth(run)]]


def refusal_sentence(run):
    refusals = [a for a in run.main.admissions if not a.accepted]
    if not refusals:
        return f"Không ai bị từ chối: cả {len(run.config.REQUESTS)} yêu cầu đều được phục vụ."
    said = "; ".join(f"{a.id} nhận {a.code} vì {reason(run, a)}" for a in refusals[:NAMED])
    return said + (f"; và {len(refusals) - NAMED} yêu cầu nữa bị từ chối" if len(refusals) > NAMED else "") + "."


def reason(run, admission):
    cause = cause_of_refusal(run, admission)
    return f"prompt và max_new quá dài: {cause}" if admission.cause == "context" else cause


def wait_truth(run):
    served = run.served_followed
    if served is None:
        return NOT_SERVED, f"{run.config.FOLLOW} bị từ chối nên không chờ."
    m = metrics(served)
    right = next(choice for choice, below, _ in WAITS if below is None or m.queue_us < below * m.ttft_us)
    return right, f"{served.id} chờ chỗ chạy {ms(m.queue_us)} mô phỏng, bằng {percent(m.queue_us, m.ttft_us)} của TTFT {ms(m.ttft_us)}."


def part_truth(run):
    served = run.served_followed
    if served is None:
        return NOT_SERVED, f"{run.config.FOLLOW} bị từ chối nên không có TTFT."
    m = metrics(served)
    right = max(PARTS, key=lambda part: getattr(m, part[0]))[0]
    return right, (f"TTFT của {served.id} = chuẩn bị {ms(m.prep_us)} + chờ {ms(m.queue_us)} + prefill {ms(m.prefill_us)} = {ms(m.ttft_us)} mô phỏng. "
                   f"Phần lớn nhất: {largest_part(m)}.")


def peak_truth(run):
    peak, blocks = run.main.peak.blocks, run.config.POOL_BLOCKS
    right = next(k for k, low, high in quarters(blocks) if low <= peak <= high)
    return f"quarter_{right}", f"Lúc cao điểm dùng {share(peak, blocks)} block."
