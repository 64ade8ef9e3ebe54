"""Block 13: does the quantized model still choose the same tokens?"""
from ..notation import fixed, percent
from ..quality_gate import STEPS
from .report import Check, Report, table

SOURCES = ("quality_gate.greedy_teacher_forced", "quality_gate.decide")


def build(run):
    config, decisions = run.config, run.decisions
    bits = config.QUANT_BITS
    agreed = sum(d.agrees for d in decisions)
    passes = bool(decisions) and agreed / len(decisions) >= config.QUALITY_GATE
    verdict = "ĐẠT" if passes else "KHÔNG ĐẠT"
    by_request = {}
    for d in decisions:
        by_request.setdefault(d.request, []).append(d)
    bounded = [d for d in decisions if abs(d.margin - d.margin_quantized) <= 2 * d.logit_error + 1e-9]
    consistent = [d for d in decisions if not d.agrees or d.margin_quantized >= 0]

    return Report(
        number=13, name="Quality gates & rollout", title=f"Bản gốc và bản INT{bits} có chọn cùng token không?", cell="X-3",
        idea=f"Bản gốc chạy greedy {STEPS} bước trên từng prompt; ở mỗi bước, hỏi bản INT{bits} sẽ chọn token nào trong đúng ngữ cảnh ấy (teacher forcing).",
        headline=f"{agreed}/{len(decisions)} · {verdict}" if decisions else "–",
        observations=(
            f"{agreed}/{len(decisions)} quyết định giống nhau = {percent(agreed, len(decisions), 1)}. Ngưỡng giả định của cổng là {100 * config.QUALITY_GATE:.6g} %: {verdict}." if decisions
            else "Không prompt nào tách thành token được, nên không có quyết định nào để so.",
            *tightest(decisions),
            "Token chỉ đổi khi sai số làm hai điểm số đảo thứ tự. Sai số logits lớn nhất là một chặn trên; tự nó không nói token nào đổi.",
        ),
        tables=(
            table("Từng prompt", ["Yêu cầu", ">Khớp", ">Sai số logits lớn nhất", ">Khoảng cách sát nhất"],
                  by_request.items(), lambda entry: prompt_row(*entry),
                  tuple(i for i, id in enumerate(by_request) if id == config.FOLLOW)),
        ),
        checks=(
            Check("Khoảng cách hai token đầu đổi không quá hai lần sai số logits", len(bounded) == len(decisions), f"{len(bounded)}/{len(decisions)} quyết định"),
            Check("Quyết định nào giữ nguyên thì token ấy vẫn đứng trên token nhì", len(consistent) == len(decisions), f"{len(consistent)}/{len(decisions)} quyết định"),
        ),
        conclusion=f"Cổng này là một phép thử hồi quy nhỏ: {len(decisions)} quyết định trên mô hình đồ chơi. "
                   + ("Bản nén qua được cổng." if passes else "Bản nén chưa qua cổng: không nên đưa vào chạy." if decisions else "Không có gì để kết luận."),
        limits=("Nó không đo chất lượng ngôn ngữ. Bản thật cần bộ đánh giá theo nhiệm vụ và chạy thử trên một phần lưu lượng (canary).",),
        sources=SOURCES,
    )


def prompt_row(id, decisions):
    return (id, f"{sum(d.agrees for d in decisions)}/{len(decisions)}", fixed(max(d.logit_error for d in decisions), 4),
            fixed(min(d.margin for d in decisions), 4))


def tightest(decisions):
    """The decision that was closest in the original model."""
    if not decisions:
        return []
    d = min(decisions, key=lambda d: d.margin)
    kept = "giữ nguyên" if d.agrees else "đã đổi"
    return [f"Quyết định sát nhất: prompt {d.request}, bước {d.step + 1}. Bản gốc hơn token nhì {fixed(d.margin, 4)} điểm, bản nén hơn {fixed(d.margin_quantized, 4)}: token {kept}."]
