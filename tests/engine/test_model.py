"""The layer piece by piece on paper, and as a whole against a slow model in plain Python."""
import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from inference_lab import Config
from inference_lab.kv_cache import KVPool
from inference_lab.model import (LINEAR, attend, forward, join_heads, make_weights, rmsnorm, rope, rotation, softmax, split_heads, swiglu, visible)

from .slow_model import SlowModel, normed, rotated

V = 22
CONFIG = Config.of()
WEIGHTS = make_weights(CONFIG, V)
WIDE = make_weights(Config.of({"D_MODEL": 18, "N_HEADS": 3, "D_HEAD": 6, "FFN_HIDDEN": 5, "SEED": 11}), 9)
ids_of = lambda *ids: np.array([ids])


def close(a, b, within=1e-12):
    assert_allclose(a, b, rtol=0, atol=within)


def cached(weights, ids, cut):
    """The first `cut` tokens in one pass, the rest in a second. -> both results"""
    first = forward(weights, [ids[:cut]])
    return first, forward(weights, [ids[cut:]], [cut], (first.keys, first.values))


# ── Pieces on paper ──────────────────────────────────────────────────────────

def test_rmsnorm_divides_by_the_root_of_the_mean_square():
    # (9 + 16) / 2 = 12.5
    close(rmsnorm(np.array([3.0, 4.0])), [3 / math.sqrt(12.5), 4 / math.sqrt(12.5)], 1e-6)
    close(rmsnorm(np.array([3.0, 4.0])), normed([3.0, 4.0]))


def test_rmsnorm_of_zeros_is_zeros():
    assert rmsnorm(np.zeros((2, 3))).tolist() == [[0, 0, 0], [0, 0, 0]]


def test_position_0_is_not_turned():
    x = np.arange(8.0).reshape(1, 1, 2, 4)
    cos, sin = rotation(np.array([[0, 0]]), 4)
    assert (rope(x, cos, sin) == x).all()


def test_position_1_turns_the_first_pair_by_one_radian_and_the_second_by_a_hundredth():
    # d_head 4: pairs (0, 2) and (1, 3); angles 1 / 10000^(0/2) = 1 and 1 / 10000^(1/2) = 0.01
    x = np.array([1.0, 1.0, 0.0, 0.0]).reshape(1, 1, 1, 4)
    cos, sin = rotation(np.array([[1]]), 4)
    close(rope(x, cos, sin).ravel(), [math.cos(1), math.cos(0.01), math.sin(1), math.sin(0.01)])


def test_turning_agrees_with_the_slow_one_at_each_position_of_each_sequence():
    x = np.random.default_rng(1).normal(size=(2, 3, 4, 6))
    positions = np.array([[0, 1, 2, 3], [7, 8, 9, 10]])
    turned = rope(x, *rotation(positions, 6))
    for b, h, t in np.ndindex(2, 3, 4):
        close(turned[b, h, t], rotated(x[b, h, t].tolist(), int(positions[b, t])))


def test_turned_products_depend_on_the_distance_alone():
    q, k = np.random.default_rng(2).normal(size=(2, 1, 1, 1, 8))
    turn = lambda x, position: rope(x, *rotation(np.array([[position]]), 8)).ravel()
    close(turn(q, 5) @ turn(k, 3), turn(q, 105) @ turn(k, 103))
    assert abs(turn(q, 5) @ turn(k, 3) - turn(q, 5) @ turn(k, 4)) > 1e-3


def test_heads_are_cut_out_of_a_vector_in_order():
    x = np.arange(12.0).reshape(1, 2, 6)                        # two tokens, 0..5 and 6..11
    assert split_heads(x, 2).tolist() == [[[[0, 1, 2], [6, 7, 8]], [[3, 4, 5], [9, 10, 11]]]]
    assert (join_heads(split_heads(x, 3)) == x).all()


def test_a_token_sees_its_own_past_and_itself():
    # Two new tokens beside L = 3 cached columns; sequence 0 has one cached token, sequence 1 has three.
    assert visible(np.array([1, 3]), 2, 5)[:, 0].astype(int).tolist() == [
        [[1, 0, 0, 1, 0], [1, 0, 0, 1, 1]],
        [[1, 1, 1, 1, 0], [1, 1, 1, 1, 1]]]


def test_without_a_cache_the_mask_is_a_triangle():
    assert visible(np.array([0]), 3, 3)[0, 0].astype(int).tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    assert visible(np.array([4]), 3, 3)[0, 0].astype(int).tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]


def test_softmax_of_minus_infinity_is_exactly_zero():
    # e^0 : e^(ln 3) = 1 : 3
    assert softmax(np.array([-np.inf, 0.0, 0.0])).tolist() == [0.0, 0.5, 0.5]
    close(softmax(np.array([0.0, math.log(3)])), [0.25, 0.75])


def test_softmax_of_large_numbers_does_not_overflow():
    assert softmax(np.array([1e4, 1e4 - 1000.0])).tolist() == [1.0, 0.0]


def test_equal_keys_share_attention_equally():
    q, keys = np.ones((1, 1, 2, 4)), np.ones((1, 1, 2, 4))
    assert attend(q, keys, visible(np.array([0]), 2, 2)).tolist() == [[[[1.0, 0.0], [0.5, 0.5]]]]


def test_attention_scores_are_divided_by_the_root_of_d_head():
    # d_head 4: (2 * ln 3) / 2 = ln 3 against 0
    q = np.array([[[[2.0, 0, 0, 0]]]])
    keys = np.array([[[[math.log(3), 0, 0, 0], [0.0, 9, 9, 9]]]])
    close(attend(q, keys, np.ones((1, 1, 1, 2), bool)).ravel(), [0.75, 0.25])


def test_a_closed_gate_lets_nothing_through():
    closed = replace(WEIGHTS, w_gate=np.zeros_like(WEIGHTS.w_gate))
    assert not swiglu(np.ones((1, 2, 8)), closed).any()


# ── Weights ──────────────────────────────────────────────────────────────────

def test_weights_have_the_shapes_of_the_configuration():
    shapes = {name: getattr(WEIGHTS, name).shape for name in ("embedding", *LINEAR)}
    assert shapes == dict(embedding=(22, 8), w_q=(8, 8), w_k=(8, 8), w_v=(8, 8), w_o=(8, 8), w_gate=(8, 16), w_up=(8, 16), w_down=(16, 8), lm_head=(8, 22))
    # (22*8 + 4*8*8 + 3*8*16 + 8*22) * 8 bytes = 992 * 8
    assert WEIGHTS.nbytes == 7936


def test_the_same_seed_gives_the_same_weights_and_another_seed_others():
    again, other = make_weights(CONFIG, V), make_weights(Config.of({"SEED": 8}), V)
    assert all((getattr(again, n) == getattr(WEIGHTS, n)).all() for n in ("embedding", *LINEAR))
    assert all((getattr(other, n) != getattr(WEIGHTS, n)).any() for n in ("embedding", *LINEAR))


def test_the_embedding_is_drawn_first():
    assert (WEIGHTS.embedding == np.random.default_rng(7).normal(0, 0.5, (V, 8))).all()


# ── The whole layer against the slow model ───────────────────────────────────

@pytest.mark.parametrize("weights, ids", [
    (WEIGHTS, [0, 4, 3, 16, 8, 17, 5, 2, 14]), (WEIGHTS, [0]), (WEIGHTS, [5, 5, 5, 5]), (WIDE, [0, 8, 1, 1, 7, 3]),
], ids=["the course's prompt", "one token", "one token four times", "three heads of six"])
def test_forward_agrees_with_the_slow_model_at_every_position(weights, ids):
    slow, result = SlowModel(weights), forward(weights, [ids])
    for t in range(len(ids)):
        logits, attention = slow.last(ids[:t + 1])
        close(result.logits[0, t], logits)
        close(result.attention[0, :, t, :t + 1], attention)
        assert not result.attention[0, :, t, t + 1:].any()
        close(result.keys[0, :, t], slow.of_token(ids[t], t, "w_k", True))
        close(result.values[0, :, t], slow.of_token(ids[t], t, "w_v", False))


def test_every_row_of_attention_sums_to_one():
    _, second = cached(WEIGHTS, [0, 4, 3, 16, 8, 17], 4)
    assert second.attention.shape == (1, 2, 2, 6)
    close(second.attention.sum(axis=-1), np.ones((1, 2, 2)))


def test_a_later_token_changes_nothing_before_it():
    a, b = forward(WEIGHTS, [[0, 4, 3, 16]]), forward(WEIGHTS, [[0, 4, 3, 9]])
    close(a.logits[0, :3], b.logits[0, :3])
    assert np.abs(a.logits[0, 3] - b.logits[0, 3]).max() > 1e-3


def test_the_order_of_tokens_matters():
    a, b = forward(WEIGHTS, [[0, 4, 3, 16]]), forward(WEIGHTS, [[0, 3, 4, 16]])
    assert np.abs(a.logits[0, 3] - b.logits[0, 3]).max() > 1e-3


# ── Two ways that must agree ─────────────────────────────────────────────────

IDS = [0, 4, 3, 16, 8, 17, 5, 2, 14]


@pytest.mark.parametrize("chunk", range(1, len(IDS) + 1))
def test_every_chunk_size_equals_the_whole(chunk):
    whole = forward(WEIGHTS, [IDS])
    keys, values, logits = whole.keys[:, :, :0], whole.values[:, :, :0], []
    for start in range(0, len(IDS), chunk):
        part = forward(WEIGHTS, [IDS[start:start + chunk]], [start], (keys, values))
        keys, values = np.concatenate([keys, part.keys], axis=2), np.concatenate([values, part.values], axis=2)
        logits.append(part.logits)
    close(np.concatenate(logits, axis=1), whole.logits)
    close(keys, whole.keys)
    close(values, whole.values)


@pytest.mark.parametrize("cut", range(1, len(IDS)))
def test_cached_equals_recomputed(cut):
    whole, (_, second) = forward(WEIGHTS, [IDS]), cached(WEIGHTS, IDS, cut)
    close(second.logits, whole.logits[:, cut:])
    close(second.attention, whole.attention[:, :, cut:])


def batch_of_three():
    """Three sequences with 6, 0 and 2 cached tokens that get 1, 3 and 2 new ones: (alone, ids, start, past)."""
    sequences, cuts = [IDS[:7], [0, 9, 18], [0, 14, 8, 17]], [6, 0, 2]
    alone = [cached(WEIGHTS, s, c)[1] if c else forward(WEIGHTS, [s]) for s, c in zip(sequences, cuts)]
    ids, past = np.zeros((3, 3), int), np.zeros((2, 3, 2, 6, 4))
    for b, (s, c) in enumerate(zip(sequences, cuts)):
        ids[b, :len(s) - c] = s[c:]
        first = forward(WEIGHTS, [s])
        past[0, b, :, :c], past[1, b, :, :c] = first.keys[0, :, :c], first.values[0, :, :c]
    return alone, ids, cuts, past


def test_a_batch_equals_each_sequence_alone():
    alone, ids, start, past = batch_of_three()
    together = forward(WEIGHTS, ids, start, tuple(past))
    for b, single in enumerate(alone):
        n = single.logits.shape[1]
        close(together.logits[b, :n], single.logits[0])
        close(together.keys[b, :, :n], single.keys[0])
        close(together.values[b, :, :n], single.values[0])


def test_padding_of_a_batch_cannot_be_seen():
    alone, ids, start, past = batch_of_three()
    ids[0, 1:], ids[2, 2:] = 13, 21                             # other padding
    past[:, 1], past[:, 2, :, 2:] = 1e6, -1e6                   # other leftovers behind what is cached
    together = forward(WEIGHTS, ids, start, tuple(past))
    for b, single in enumerate(alone):
        close(together.logits[b, :single.logits.shape[1]], single.logits[0])


@pytest.mark.parametrize("block_size", [1, 2, 3, 4, 16])
def test_paged_equals_contiguous(block_size):
    whole = forward(WEIGHTS, [IDS])
    pool = KVPool(12, block_size, 2, 4)
    pool.write("other", whole.keys[0, :, :1], whole.values[0, :, :1])       # so that logical and physical numbers differ
    logits = []
    for t, token in enumerate(IDS):
        result = forward(WEIGHTS, [[token]], [t], pool.gather(["mine"]))
        pool.write("mine", result.keys[0], result.values[0])
        logits.append(result.logits[0, 0])
    close(logits, whole.logits[0])
    close(pool.gather(["mine"])[0], whole.keys)
    close(pool.gather(["mine"])[1], whole.values)


def test_garbage_in_the_slack_of_a_block_cannot_be_seen():
    whole = forward(WEIGHTS, [IDS])
    pool = KVPool(6, 4, 2, 4)
    pool.keys[:], pool.values[:] = 1e30, -1e30
    for name, n in (("long", 8), ("short", 5)):                             # 5 tokens in two blocks: three slots of garbage
        pool.write(name, whole.keys[0, :, :n], whole.values[0, :, :n])
    result = forward(WEIGHTS, [[IDS[8]], [IDS[5]], [IDS[0]]], [8, 5, 0], pool.gather(["long", "short", "empty"]))
    close(result.logits[:, 0], whole.logits[0, [8, 5, 0]])
