"""Teacher forcing, against a slow gate: one full pass of each model for each decision, no batch and no cache."""
import numpy as np
import pytest

from inference_lab import Config
from inference_lab.model import forward, make_weights
from inference_lab.quality_gate import STEPS, groups, put, quality_gate
from inference_lab.quantization import quantize_weights

V = 22
WEIGHTS = make_weights(Config.of(), V)
PROMPTS = [("A", [0, 21, 5, 9, 18, 14]), ("B", [0]), ("C", [0, 4, 3, 16, 8, 17, 5, 2, 14])]


def slow_gate(prompts, weights, quantized):
    """(request, step, token, token_quantized, margin, margin_quantized, logit_error) of each decision."""
    rows = []
    for request, ids in prompts:
        context = list(ids)
        for step in range(8):
            row, other = forward(weights, [context]).logits[0, -1, 1:], forward(quantized, [context]).logits[0, -1, 1:]    # without <bos>
            first, second = sorted(range(V - 1), key=lambda i: (-row[i], i))[:2]
            rows.append((request, step, first + 1, int(other.argmax()) + 1, row[first] - row[second], other[first] - other[second], np.abs(row - other).max()))
            context.append(first + 1)
    return rows


def plain(decisions):
    return [(d.request, d.step, d.token, d.token_quantized, d.margin, d.margin_quantized, d.logit_error) for d in decisions]


@pytest.mark.parametrize("bits", [2, 4, 8])
def test_the_gate_agrees_with_a_slow_one(bits):
    quantized = quantize_weights(WEIGHTS, bits).weights
    fast, slow = plain(quality_gate(PROMPTS, WEIGHTS, quantized)), slow_gate(PROMPTS, WEIGHTS, quantized)
    assert [row[:4] for row in fast] == [row[:4] for row in slow]
    np.testing.assert_allclose([row[4:] for row in fast], [row[4:] for row in slow], rtol=0, atol=1e-12)


def test_every_prompt_gives_eight_decisions_in_order():
    decisions = quality_gate(PROMPTS, WEIGHTS, WEIGHTS)
    assert STEPS == 8
    assert [(d.request, d.step) for d in decisions] == [(id, step) for id in "ABC" for step in range(8)]


def test_the_same_weights_agree_on_everything():
    for d in quality_gate(PROMPTS, WEIGHTS, WEIGHTS):
        assert d.agrees and d.margin == pytest.approx(d.margin_quantized, abs=1e-12) and d.logit_error < 1e-12


def test_two_bits_change_decisions_and_then_the_margin_is_negative():
    changed = [d for d in quality_gate(PROMPTS, WEIGHTS, quantize_weights(WEIGHTS, 2).weights) if not d.agrees]
    assert len(changed) > 5
    runner_up_won = [d for d in changed if d.margin_quantized < 0]
    assert runner_up_won and all(d.margin >= 0 for d in changed)


def test_no_prompts_give_no_decisions():
    assert quality_gate([], WEIGHTS, WEIGHTS) == ()


def test_prompts_beyond_one_group_are_judged_as_if_alone():
    many = [(f"r{i}", [0] + [2 + i % 20] * (8 * (i % 5))) for i in range(65)]      # the longest has 33 tokens: 65536 // 33² = 60 fit
    assert [len(group) for group in groups(many)] == [60, 5]
    quantized = quantize_weights(WEIGHTS, 4).weights
    together = plain(quality_gate(many, WEIGHTS, quantized))
    alone = [row for prompt in many for row in plain(quality_gate([prompt], WEIGHTS, quantized))]
    assert [row[:4] for row in together] == [row[:4] for row in alone]
    np.testing.assert_allclose([row[4:] for row in together], [row[4:] for row in alone], rtol=0, atol=1e-12)


def test_a_very_long_prompt_goes_alone():
    # 3 x 256² = 196608 cells are too many, 1 x 256² = 65536 are just enough; the short ones behind it go together again
    lengths = [3, 256, 4, 5]
    assert [[len(ids) for _, ids in group] for group in groups([("r", [0] * n) for n in lengths])] == [[3], [256], [4, 5]]


def test_a_new_column_is_put_at_each_sequence_s_own_position():
    # two sequences of three and one cached columns: the new one goes to column 3 and to column 1
    store, new = np.arange(6.0).reshape(2, 1, 3, 1), np.array([70.0, 80.0]).reshape(2, 1, 1, 1)
    assert put(store, new, np.array([3, 1]))[:, 0, :, 0].tolist() == [[0, 1, 2, 70], [3, 80, 5, 0]]
