"""Tự viết cost

Đổi đồng hồ mô phỏng: một bước tốn bằng phần lâu hơn trong hai phần prefill và decode, như khi chúng chạy chồng lên nhau.
"""
import inference_lab as lab


def cost(config, prefill_tokens, decode_tokens):
    """Bước này tốn bao nhiêu µs: một số nguyên lớn hơn 0."""
    return max(lab.step_cost(config, prefill_tokens, 0), lab.step_cost(config, 0, decode_tokens))


config = lab.Config.of(lab.constants(globals()))
run = lab.run(config, cost=cost)
print(lab.transcript(run))
