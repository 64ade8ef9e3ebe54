"""Throughput, the quality gate, and constants that only set a mark."""
from ..metrics import metrics, summary
from ..notation import fixed, ms
from .tokens import WEIGHT_CONSTANTS


def throughput(pair):
    old, new = summary(pair.old), summary(pair.new)
    if old.throughput == new.throughput:
        return
    if new.throughput is None:
        yield "Không yêu cầu nào được phục vụ, nên không có throughput."
    elif old.throughput is None:
        yield f"Có yêu cầu được phục vụ: {new.tokens} token trong {ms(new.span_us)}, tức {fixed(new.throughput, 1)} token/s. Trước đó không ai được phục vụ."
    else:
        way = "tăng" if new.throughput > old.throughput else "giảm"
        yield (f"Throughput {way} từ {fixed(old.throughput, 1)} {'lên' if way == 'tăng' else 'xuống'} {fixed(new.throughput, 1)} token/s: "
               f"{new.tokens} token trong {ms(new.span_us)}, trước là {old.tokens} token trong {ms(old.span_us)}.")


def agreement(pair):
    old, new = pair.before.decisions, pair.after.decisions
    score_old, score_new = (f"{sum(d.agrees for d in ds)}/{len(ds)}" for ds in (old, new))
    bits_old, bits_new = pair.values("QUANT_BITS")
    error_old, error_new = pair.before.quantization.max_error, pair.after.quantization.max_error
    if score_old == score_new:
        if bits_old != bits_new:
            yield (f"Độ đồng thuận vẫn là {score_new}: {bits_new} bit làm trọng số lệch tới {fixed(error_new, 4)} ({bits_old} bit: {fixed(error_old, 4)}), "
                   "nhưng số quyết định đổi token không khác.")
        return
    if not old or not new:
        yield f"Độ đồng thuận từ {score_old} thành {score_new}: có prompt mới tách được thành token, hoặc không còn prompt nào."
        return
    rise = sum(d.agrees for d in new) / len(new) - sum(d.agrees for d in old) / len(old)
    head = f"Độ đồng thuận {'tăng' if rise > 0 else 'giảm' if rise < 0 else 'đổi'} từ {score_old} {'lên' if rise > 0 else 'xuống' if rise < 0 else 'thành'} {score_new}"
    if bits_old != bits_new:
        head += f": {bits_new} bit làm trọng số lệch tới {fixed(error_new, 4)} ({bits_old} bit: {fixed(error_old, 4)})"
    else:
        other = pair.moves(WEIGHT_CONSTANTS)
        prompts = [name for name in ("CORPUS", "N_MERGES", "REQUESTS") if name in pair.changed]
        other += [f"{', '.join(prompts)} cho các prompt khác"] if prompts else []
        head += f", vì {', '.join(other)}" if other else ""
    flipped = [d for d in new if not d.agrees]
    if flipped:
        d = min(flipped, key=lambda d: d.margin)
        head += f". Trong các quyết định bị đổi, sát nhất là prompt {d.request}, bước {d.step + 1}: bản gốc "
        head += (f"chỉ hơn token nhì {fixed(d.margin, 4)} điểm, mà logits lệch tới {fixed(d.logit_error, 4)}" if d.margin < d.logit_error else
                 f"hơn token nhì {fixed(d.margin, 4)} điểm; logits lệch tới {fixed(d.logit_error, 4)}, và hai token lệch ngược chiều nhau")
    yield head + "."
    if "QUALITY_GATE" not in pair.changed:                      # else `thresholds` says it
        limit = pair.after.config.QUALITY_GATE
        if verdict(new, limit) != verdict(old, limit):
            yield f"Vì thế cổng chất lượng nay {verdict(new, limit)} ngưỡng {100 * limit:.6g} % (trước: {verdict(old, limit)})."


def thresholds(pair):
    if "TTFT_SLO" in pair.changed:
        old, new = pair.values("TTFT_SLO")
        over = [sum(metrics(s).ttft_us > limit for s in trace.served) for trace, limit in ((pair.old, old), (pair.new, new))]
        yield (f"TTFT_SLO chỉ là ngưỡng để đánh dấu, không đổi cách engine chạy: {over[1]}/{len(pair.new.served)} yêu cầu vượt {ms(new)} "
               f"(trước: {over[0]}/{len(pair.old.served)} vượt {ms(old)}).")
    if "QUALITY_GATE" in pair.changed and pair.before.decisions and pair.after.decisions:
        verdicts = [f"{verdict(ds, limit)} ngưỡng {100 * limit:.6g} %" for ds, limit in zip((pair.before.decisions, pair.after.decisions), pair.values("QUALITY_GATE"))]
        yield f"QUALITY_GATE chỉ là ngưỡng để xét, không đổi bản nén: nay {verdicts[1]} (trước: {verdicts[0]})."


def verdict(decisions, limit):
    """What the gate says of a quantised model."""
    return "ĐẠT" if sum(d.agrees for d in decisions) / len(decisions) >= limit else "KHÔNG ĐẠT"
