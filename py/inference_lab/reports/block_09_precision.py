"""Block 9: weights in few bits, what they save and what they cost."""
from ..notation import fixed
from .report import Check, Report, table

SOURCES = ("quantization.quantize_weights", "quantization.quantize")


def build(run):
    q = run.quantization
    error = run.quantized_logit_error
    within = [m for m in q.matrices if m.max_error <= m.half_scale + 1e-12]

    return Report(
        number=9, name="KV / weight precision", title=f"Trọng số INT{q.bits}, đối xứng, một scale cho mỗi cột", cell="L2-8",
        idea=f"Mỗi trọng số được làm tròn về một số nguyên {q.bits} bit; mỗi cột giữ một scale để đổi ngược lại.",
        headline=f"{q.fp32_bytes} → {q.quantized_bytes:.0f} byte",
        observations=(
            f"Lượng tử hóa {len(q.matrices)} ma trận, {q.elements} phần tử: scale = max|w| / {q.levels} cho từng cột, số nguyên = round(w / scale).",
            f"FP32 cần {q.fp32_bytes} byte. INT{q.bits} cộng {q.scales} scale FP32 cần {q.quantized_bytes:.0f} byte, nhỏ hơn {fixed(q.fp32_bytes / q.quantized_bytes)} lần (tính trên định dạng, không phải đo).",
            f"Sai số khôi phục lớn nhất là {fixed(q.max_error, 4)}, không vượt nửa scale lớn nhất {fixed(q.half_scale, 4)}.",
            f"Trên prompt của {run.config.FOLLOW}, logits lệch nhiều nhất {fixed(error, 4)} (không tính `<bos>`)." if error is not None
            else f"Prompt của {run.config.FOLLOW} không tách thành token được nên không đo được sai số logits.",
        ),
        tables=(
            table("Từng ma trận", ["Ma trận", ">Phần tử", ">Scale", ">Sai số lớn nhất", ">Nửa scale"],
                  q.matrices, lambda m: (m.name, m.elements, m.scales, fixed(m.max_error, 4), fixed(m.half_scale, 4))),
        ),
        checks=(
            Check("Không phần tử nào lệch quá nửa scale", len(within) == len(q.matrices), f"{len(within)}/{len(q.matrices)} ma trận; {fixed(q.max_error, 4)} ≤ {fixed(q.half_scale, 4)}"),
        ),
        conclusion="Sai số nhỏ chỉ nói các con số gần nhau. Nó có đổi token được chọn hay không thì phải hỏi khối 13.",
        limits=("Lab lưu số nguyên rồi đổi về số thực để nhân. Kernel số nguyên thật có thêm sai số khác và tốc độ khác.",
                "KV cache không bị lượng tử hóa trong lab này."),
        sources=SOURCES,
    )
