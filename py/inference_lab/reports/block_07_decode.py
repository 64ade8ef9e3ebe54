"""Block 7: one token in, one token out, and what the cache saves."""
import numpy as np

from ..notation import fixed, vector
from .phrases import TOLERANCE, followed_is_missing, literal_token
from .report import Check, Report, rows_of, table

SOURCES = ("engine.Engine.run_batch", "kv_cache.KVPool.gather")


def build(run):
    main, config = run.main, run.config
    served, proof = run.served_followed, main.proof
    attention = main.followed.decode_attention                                    # (heads, positions) or None
    short = [s for s in main.served if s.computed != len(s.prompt_ids) + len(s.output_ids) - 1]

    return Report(
        number=7, name="Decode", title="Vòng lặp sinh từng token với KV cache", cell="L2-4",
        idea="Mỗi bước decode đưa đúng một token mới qua mô hình và đọc lại K, V của mọi token trước từ cache.",
        headline=f"{proof.positions_cached} so với {proof.positions_recomputed} vị trí",
        observations=(
            *(followed_lines(run, served, attention) if served else [followed_is_missing(run, "decode")]),
            f"Tính cả {len(main.served)} yêu cầu: có cache thì {proof.positions_cached} vị trí đi qua mô hình; nếu mỗi bước tính lại cả lịch sử thì là {proof.positions_recomputed}.",
        ),
        tables=(
            table("Mỗi yêu cầu đã đưa bao nhiêu vị trí vào cache", ["Yêu cầu", ">Prompt", ">Token sinh ra", ">Vị trí trong cache"],
                  main.served, lambda s: (s.id, len(s.prompt_ids), len(s.output_ids), s.computed), rows_of(main.served, config.FOLLOW)),
            *([table(f"Bước decode đầu của {served.id}: attention head 0", [">Vị trí", "Lấy từ", ">Trọng số"],
                     enumerate(attention[0]), lambda seen: (seen[0], "chính nó" if seen[0] == attention.shape[1] - 1 else "cache", fixed(seen[1], 3)))] if attention is not None else []),
        ),
        checks=(
            Check("Cache dài bằng prompt cộng token sinh ra, trừ token cuối (nó chưa từng được đưa vào mô hình)", not short,
                  f"{len(main.served) - len(short)}/{len(main.served)} yêu cầu"),
            *([Check("Hàng attention của bước decode cộng lại bằng 1", bool(np.all(np.abs(attention.sum(axis=1) - 1) <= TOLERANCE)),
                     f"head 0: {fixed(attention[0].sum(), 6)}")] if attention is not None else []),
        ),
        conclusion="Decode tính rất ít nhưng vẫn phải đọc cả trọng số lẫn toàn bộ KV cho mỗi token. Trên phần cứng thật, nó thường bị giới hạn bởi băng thông bộ nhớ, không phải bởi phép nhân.",
        limits=("Đây là số vị trí phải tính, đếm khi chạy. Thời gian tiết kiệm được trên GPU còn tùy phần cứng và không được đo ở đây.",),
        sources=SOURCES,
    )


def followed_lines(run, served, attention):
    n_output = len(served.output_ids)
    n_decodes = sum(w.id == served.id and w.phase == "decode" for s in run.main.steps for w in s.work)
    after_recompute = n_output - 1 - n_decodes                       # a recomputation ends in a token, as the first prefill does
    yield (f"{served.id} sinh {n_output} token: 1 token từ prefill" + (f", {after_recompute} token khi tính lại sau preempt" if after_recompute else "")
           + f" và {n_decodes} bước decode, mỗi bước đưa vào đúng 1 token.")
    if attention is None:
        yield f"{served.id} dừng ngay sau token đầu nên không có bước decode nào." if n_output == 1 else f"{served.id} không có bước decode nào."
        return
    position = attention.shape[1] - 1
    yield (f"Bước decode đầu đưa vào {literal_token(run, run.main.followed.decode_token)} ở vị trí {position}. Head 0 có {position + 1} trọng số: "
           f"{position} đọc từ cache, 1 là chính nó. {vector(attention[0]) if position < 16 else ''}".rstrip())
