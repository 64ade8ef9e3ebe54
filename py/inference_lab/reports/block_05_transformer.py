"""Block 5: attention weights over positions, logits over tokens: two different distributions."""
import numpy as np

from ..notation import fixed, literal
from .block_04_prefill import nothing_was_prefilled
from .phrases import TOLERANCE, followed_is_missing, joined, small, literal_token
from .report import Check, Report, table

SOURCES = ("model.forward", "model.rmsnorm", "model.rotation", "model.frequencies", "model.rope", "model.visible", "model.attend", "model.softmax", "model.swiglu")


def build(run):
    served, proof = run.served_followed, run.main.proof
    parity = Check("Logits đi qua cache khớp với tính lại cả chuỗi, ở mọi vị trí của mọi yêu cầu được phục vụ", proof.max_logit_difference <= TOLERANCE,
                   f"{proof.positions} vị trí, lệch nhiều nhất {small(proof.max_logit_difference)}")
    told = what_it_saw(run, served) if served else dict(
        headline="–", observations=(followed_is_missing(run, "hàng attention"),), checks=(nothing_was_prefilled(run),))
    return Report(
        number=5, name="Transformer × N layers", title="Trọng số attention và logits là hai phân phối khác nhau", cell="L2-5",
        idea="Một lớp decoder: mỗi token nhìn lại các vị trí trước nó (attention), rồi LM head chấm điểm mọi token có thể đứng sau.",
        conclusion="Trọng số attention cho biết lấy thông tin từ vị trí nào. Logits cho biết token nào nên đi sau. Hai dãy số dài khác nhau và trả lời hai câu hỏi khác nhau.",
        limits=("Một lớp, trọng số ngẫu nhiên chưa huấn luyện: các con số là thật, nhưng không mang ý nghĩa ngôn ngữ.",
                "Phần lệch nhỏ còn lại là sai số làm tròn của float64; thứ tự cộng khác nhau thì bit cuối khác nhau."),
        sources=SOURCES,
        **dict(told, checks=(*told["checks"], parity)),
    )


def what_it_saw(run, served):
    attention = run.main.followed.prefill_attention                               # (heads, positions)
    logits = run.main.followed.first_logits                                       # (V,)
    heads, n = attention.shape
    sums = attention.sum(axis=1)
    last = served.prompt_ids[-1]
    return dict(
        headline=f"{heads} head × {n} vị trí",
        observations=(
            f"Token cuối của prompt {served.id} là {literal_token(run, last)} (ID {last}), ở vị trí {n - 1}. Nó nhìn lại {n} vị trí, từ 0 đến {n - 1}.",
            "Mỗi head có K và V riêng nên nhìn khác nhau: " + joined([f"head {h} nhìn vị trí {int(np.argmax(attention[h]))} nhiều nhất" for h in range(heads)]) + ".",
            f"Hàng attention có {n} số, cộng lại bằng {fixed(sums[0], 2)}. Hàng logits ở khối 4 có {len(logits)} số, cộng lại bằng {fixed(logits.sum())}.",
            "Vị trí ở sau bị mặt nạ nhân quả che: trọng số đúng bằng 0.",
        ),
        tables=(
            table(f"Trọng số attention của token cuối prompt {served.id}", [">Vị trí", "Token", *(f">Head {h}" for h in range(heads))],
                  [*((i, literal(run.tokenizer.vocabulary[id]), *(fixed(a, 3) for a in attention[:, i])) for i, id in enumerate(served.prompt_ids)),
                   ("", "tổng", *(fixed(s, 6) for s in sums))]),
        ),
        checks=(
            Check("Mỗi hàng attention cộng lại bằng 1", bool(np.all(np.abs(sums - 1) <= TOLERANCE)), joined([f"head {h}: {fixed(s, 6)}" for h, s in enumerate(sums)])),
            Check("Mỗi vị trí của prompt có đúng một trọng số", n == len(served.prompt_ids), f"{n} trọng số, {len(served.prompt_ids)} vị trí"),
        ),
    )
