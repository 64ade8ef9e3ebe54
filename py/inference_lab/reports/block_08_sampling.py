"""Block 8: logits become probabilities, a token, and the decision to stop or go on."""
import numpy as np

from ..notation import fixed, literal, ms
from ..tokenizer import EOS
from .block_04_prefill import nothing_was_prefilled
from .phrases import FINISH_REASONS, TOLERANCE, followed_is_missing, literal_token
from .report import Check, Report, rows_of, table

SOURCES = ("sampling.sample", "sampling.temper", "sampling.keep_top", "sampling.pick", "engine.Engine.emit")


def build(run):
    main, served = run.main, run.served_followed
    told = how_it_chose(run, served) if served else dict(
        headline="–", observations=(followed_is_missing(run, "lần lấy mẫu"),), tables=(), checks=(nothing_was_prefilled(run),))
    stops = table("Vì sao từng yêu cầu dừng", ["Yêu cầu", "Dừng vì", ">Token", "Văn bản"],
                  main.served, lambda s: (s.id, FINISH_REASONS[s.finish_reason], f"{len(s.output_ids)}/{s.spec.max_new}", literal(repr(run.tokenizer.decode(s.output_ids)))),
                  rows_of(main.served, run.config.FOLLOW))
    return Report(
        number=8, name="Logits → sampling → stop check", title="Từ logits tới một token, rồi dừng hay đi tiếp", cell="L2-6",
        idea="Logits đổi thành xác suất, lọc bớt bằng top-k và top-p, rút một token; rồi kiểm tra đã đến lúc dừng chưa.",
        conclusion="Token được gửi đi ngay khi có: token đầu ở thời điểm TTFT, các token sau cách nhau theo TPOT. Engine không đợi hết câu.",
        limits=("Văn bản vô nghĩa, có khi lặp một chữ, vì trọng số chưa huấn luyện. Chỉ cách chọn token và cách dừng là thật.",),
        sources=SOURCES,
        **dict(told, tables=(*told["tables"], stops), checks=(*told["checks"], Check(
            "Mỗi yêu cầu dừng đúng lúc", all(stopped_rightly(s) for s in main.served), f"{sum(map(stopped_rightly, main.served))}/{len(main.served)} yêu cầu"))),
    )


def stopped_rightly(served):
    """<eos> only at the end, never more than max_new, and the reason says which came first."""
    output = served.output_ids
    if EOS in output[:-1] or len(output) > served.spec.max_new:
        return False
    return {"eos": output[-1] == EOS, "max_new_tokens": len(output) == served.spec.max_new, "kv_exhausted": output[-1] != EOS}[served.finish_reason]


def how_it_chose(run, served):
    spec, chosen = served.spec, run.main.followed.first_sample
    before, after = chosen.probabilities, chosen.filtered                         # (V,), (V,)
    kept = np.flatnonzero(after)
    order = np.argsort(-before, kind="stable")
    shown = [int(i) for i in order[:max(5, len(kept))]]
    if "sample" in run.own:
        how = f"hàm sample của bạn chọn (yêu cầu ghi temperature {spec.temperature}, top_k {spec.top_k}, top_p {spec.top_p}, seed {spec.seed})"
    elif spec.greedy:
        how = "temperature 0: lấy thẳng token có điểm cao nhất, không rút ngẫu nhiên (greedy)"
    else:
        how = f"temperature {spec.temperature}, top_k {spec.top_k}, top_p {spec.top_p}, seed {spec.seed}"
    return dict(
        headline=f"{served.id} chọn {literal_token(run, chosen.token)}",
        observations=(
            f"{served.id}: {how}; áp cho hàng logits ở khối 4.",
            f"Softmax đổi logits thành xác suất trên {len(before)} token, cộng lại bằng {fixed(before.sum(), 6)}. "
            f"Sau khi lọc còn {len(kept)} token, chia lại cho tổng bằng {fixed(after.sum(), 6)}.",
            f"Số ngẫu nhiên {fixed(chosen.draw, 4)} rơi vào khoảng của {literal_token(run, chosen.token)} (ID {chosen.token})." if chosen.draw is not None
            else f"Token được chọn là {literal_token(run, chosen.token)} (ID {chosen.token}).",
            "Chọn một token chưa phải là xử lý nó: nó chỉ vào cache ở bước decode kế tiếp.",
        ),
        tables=(
            table(f"Token đầu của {served.id}: xác suất trước và sau khi lọc", [">ID", "Token", ">Trước", ">Sau"],
                  shown, lambda i: (i, literal(run.tokenizer.vocabulary[i]), fixed(before[i], 3), fixed(after[i], 3) if after[i] else "–"),
                  tuple(n for n, i in enumerate(shown) if i == chosen.token)),
            table(f"Token của {served.id} lần lượt được gửi đi", [">Lúc (mô phỏng)", ">ID", "Token"],
                  zip(served.token_times_us, served.output_ids), lambda sent: (ms(sent[0]), sent[1], literal(run.tokenizer.vocabulary[sent[1]]))),
        ),
        checks=(
            Check("Xác suất cộng lại bằng 1, trước và sau khi lọc", abs(before.sum() - 1) <= TOLERANCE and abs(after.sum() - 1) <= TOLERANCE,
                  f"{fixed(before.sum(), 6)} và {fixed(after.sum(), 6)}"),
            Check("Token được chọn nằm trong số token còn lại", bool(after[chosen.token] > 0), f"{literal_token(run, chosen.token)}: {fixed(after[chosen.token], 3)}"),
        ),
    )
