"""Tự viết sample

Thay cách chọn token của lab bằng min-p: chỉ giữ token có xác suất ít nhất bằng một phần của token cao nhất.
"""
import numpy as np

import inference_lab as lab

MIN_P = 0.4


def sample(logits, params, generator):
    """logits: (V,), một điểm cho mỗi token; trả về id của một token. Token 0 là <bos>, không được chọn."""
    logits[0] = -np.inf
    probabilities = np.exp(logits - logits.max())
    probabilities[probabilities < MIN_P] = 0        # token cao nhất có giá trị 1, nên luôn còn lại
    return generator.choice(len(logits), p=probabilities / probabilities.sum())


config = lab.Config.of(lab.constants(globals()))
run = lab.run(config, sample=sample)
print(lab.transcript(run))
