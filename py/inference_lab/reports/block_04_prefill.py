"""Block 4: the prompt goes through the model, and the last row of logits gives the first token."""
import numpy as np

from ..metrics import metrics
from ..notation import fixed, literal, ms
from .phrases import followed_is_missing, joined, literal_token
from .report import Check, Report, table

SOURCES = ("engine.Engine.run_batch", "engine.Engine.store")


def build(run):
    served = run.served_followed
    return Report(
        number=4, name="Prefill", title="Nạp prompt, ghi KV và lấy hàng logits đầu tiên", cell="L2-3",
        idea="Prefill đưa cả prompt qua mô hình, ghi K và V của từng token vào cache, rồi lấy hàng logits cuối để chọn token đầu tiên.",
        conclusion="Prefill kết thúc bằng token đầu tiên. Vì thế thời gian chờ và thời gian prefill cùng quyết định TTFT.",
        limits=("Logits là điểm số, chưa phải xác suất; khối 8 mới đổi ra xác suất.",
                "Engine thật chỉ tính hàng logits cuối. Lab tính mọi hàng để đối chiếu với tính lại."),
        sources=SOURCES,
        **(what_it_did(run, served) if served else dict(
            headline="–", observations=(followed_is_missing(run, "prefill"),), checks=(nothing_was_prefilled(run),))),
    )


def nothing_was_prefilled(run):
    """A refused request must not have used the engine."""
    worked = any(w.id == run.config.FOLLOW for s in run.main.steps for w in s.work)
    return Check("Yêu cầu bị từ chối không chiếm bước nào của engine", not worked, f"{run.config.FOLLOW}: {'có' if worked else 'không có'} việc trong engine")


def what_it_did(run, served):
    config, m = run.config, metrics(served)
    n = len(served.prompt_ids)
    row = run.main.followed.first_logits                                          # (V,)
    best = np.argsort(-row, kind="stable")
    top = [int(i) for i in best[:3]]
    chunks = [w.tokens for s in run.main.steps for w in s.work if w.id == served.id and w.phase == "prefill" and s.end_us <= served.token_times_us[0]]
    redone = sum(p.tokens for p in run.main.preemptions if p.id == served.id and p.at_us < served.token_times_us[0])
    shape = (config.N_HEADS, n, config.D_HEAD)
    first = served.token_times_us[0]
    return dict(
        headline=f"TTFT {ms(m.ttft_us)}",
        observations=(
            f"Prompt {n} token của {served.id} chạy qua mô hình theo các đoạn {chunks}. Xong prefill, K trong cache có shape {shape}: số head, số token, chiều mỗi head. V cũng vậy.",
            f"Chỉ hàng logits cuối được dùng. Nó có {len(row)} điểm số, mỗi token trong từ vựng một điểm; ba điểm cao nhất là "
            + joined([f"{literal_token(run, i)} {fixed(row[i])}" for i in top]) + ".",
            f"Token đầu của {served.id} có lúc {ms(first)} mô phỏng. TTFT = {ms(first)} − {ms(served.spec.arrival)} = {ms(m.ttft_us)}.",
        ),
        tables=(
            table(f"Hàng logits cuối của prompt {served.id}, điểm cao xếp trước", [">Hạng", ">ID", "Token", ">Logit"],
                  enumerate(best, 1), lambda ranked: (ranked[0], ranked[1], literal(run.tokenizer.vocabulary[ranked[1]]), fixed(row[ranked[1]])), (0, 1, 2)),
        ),
        checks=(
            Check("Các đoạn cộng lại đúng bằng prompt" + (", cộng phần phải tính lại sau preempt" if redone else ""), sum(chunks) == n + redone,
                  f"{' + '.join(map(str, chunks))} = {sum(chunks)}, prompt {n} token" + (f", tính lại {redone}" if redone else "")),
            Check("Hàng logits có đúng một điểm số cho mỗi token của từ vựng", row.shape == (len(run.tokenizer.vocabulary),) and bool(np.all(np.isfinite(row))),
                  f"{len(row)} điểm số, {len(run.tokenizer.vocabulary)} token"),
        ),
    )
