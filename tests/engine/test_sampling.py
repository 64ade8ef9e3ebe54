"""From logits to a token: exact semantics, on paper."""
import math
import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from inference_lab.sampling import keep_top, pick, sample, temper


def params(temperature=1.0, top_k=0, top_p=1.0):
    return SimpleNamespace(temperature=temperature, top_k=top_k, top_p=top_p)


def kept(probabilities, top_k=0, top_p=1.0):
    """Which ids stay."""
    return np.flatnonzero(keep_top(np.array(probabilities), top_k, top_p)).tolist()


# ── top-p ────────────────────────────────────────────────────────────────────

def test_top_p_keeps_a_token_while_the_mass_before_it_is_below_top_p():
    # mass before: 0, .5, .91 -> at .9 the third one goes
    assert kept([.5, .41, .09], top_p=.9) == [0, 1]
    assert_allclose(keep_top(np.array([.5, .41, .09]), 0, .9), [.5 / .91, .41 / .91, 0])


def test_a_mass_before_it_of_exactly_top_p_drops_a_token():
    assert kept([.5, .25, .25], top_p=.5) == [0]
    assert kept([.5, .25, .25], top_p=.75) == [0, 1]
    assert kept([.5, .25, .25], top_p=.7500001) == [0, 1, 2]


def test_top_p_never_empties_the_set():
    assert kept([.2, .5, .3], top_p=1e-12) == [1]


def test_top_p_1_keeps_everything_that_has_any_mass():
    assert kept([.2, .5, .3], top_p=1.0) == [0, 1, 2]


# ── top-k ────────────────────────────────────────────────────────────────────

@pytest.mark.parametrize("k, ids", [(1, [1]), (2, [1, 2]), (3, [0, 1, 2]), (4, [0, 1, 2]), (1000, [0, 1, 2]), (0, [0, 1, 2])])
def test_top_k_keeps_exactly_k_and_above_the_vocabulary_all(k, ids):
    assert kept([.2, .5, .3], top_k=k) == ids


def test_ties_go_to_the_lower_id():
    assert kept([.25, .25, .25, .25], top_k=2) == [0, 1]
    assert kept([.1, .3, .3, .3], top_k=2) == [1, 2]
    assert kept([.25, .25, .25, .25], top_p=.5) == [0, 1]


def test_top_p_counts_the_mass_of_what_top_k_left():
    # k = 2 leaves .4 and .3, rescaled .571 and .429; at .55 the mass before the second is .571: it goes
    assert kept([.4, .3, .2, .1], top_k=2, top_p=.55) == [0]
    assert kept([.4, .3, .2, .1], top_k=0, top_p=.55) == [0, 1]


def test_what_stays_keeps_its_proportions_and_sums_to_one():
    assert_allclose(keep_top(np.array([.1, .2, .3, .4]), 3, 1.0), [0, 2 / 9, 3 / 9, 4 / 9])


# ── Temperature ──────────────────────────────────────────────────────────────

def test_temperature_divides_the_logits():
    # ln 4 / 1 -> 1 : 4; ln 4 / 2 = ln 2 -> 1 : 2; ln 4 / 0.5 = ln 16 -> 1 : 16
    logits = np.array([0.0, math.log(4)])
    for temperature, odds in ((1, 4), (2, 2), (0.5, 16)):
        assert_allclose(temper(logits, temperature), [1 / (1 + odds), odds / (1 + odds)])


@pytest.mark.parametrize("temperature", [0, 1e-6, 1e-300, 5e-324])
def test_a_temperature_of_nearly_0_is_the_largest_logit_without_a_warning(temperature):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        chosen = sample(np.array([0.0, 1000.0, 999.0]), params(temperature), np.random.default_rng(1))
    assert chosen.token == 1 and chosen.filtered.tolist() == [0, 1, 0]
    if temperature:
        assert temper(np.array([1000.0, 999.0]), temperature).tolist() == [1, 0]


def test_a_high_temperature_makes_everything_equally_probable():
    assert_allclose(temper(np.array([3.0, -2.0]), 1e12), [.5, .5])


# ── Choosing ─────────────────────────────────────────────────────────────────

def test_a_draw_chooses_the_stretch_in_which_it_falls():
    # stretches [0, .5) [.5, .8) [.8, 1): a draw on a border belongs to the next one
    probabilities = np.array([.5, .3, .2])
    assert [pick(probabilities, d) for d in (0.0, .25, .4999, .5, .79, .81, .999999)] == [0, 0, 0, 1, 1, 2, 2]


def test_a_token_without_mass_is_never_chosen():
    almost_one = float(np.nextafter(1.0, 0.0))
    assert pick(np.array([0, 1.0, 0]), 0.0) == pick(np.array([0, 1.0, 0]), almost_one) == 1
    assert pick(np.array([0, .5, 0, .5, 0]), almost_one) == 3


def test_evenly_spread_draws_choose_each_token_by_its_probability():
    chosen = [pick(np.array([.5, .3, .2]), (i + .5) / 1000) for i in range(1000)]
    assert [chosen.count(t) for t in range(3)] == [500, 300, 200]


@pytest.mark.parametrize("seed", range(25))
def test_pick_is_numpy_s_choice_on_the_same_generator(seed):
    probabilities = keep_top(np.random.default_rng(1000 + seed).dirichlet(np.full(22, .3)), 0, .95)
    ours, numpy_s = np.random.default_rng(seed), np.random.default_rng(seed)
    for _ in range(20):
        assert pick(probabilities, ours.random()) == numpy_s.choice(22, p=probabilities)


def test_greedy_takes_the_lowest_id_of_the_largest_logits_and_draws_nothing():
    generator = np.random.default_rng(5)
    chosen = sample(np.array([0.0, 1.0, 3.0, 3.0]), params(0), generator)
    assert (chosen.token, chosen.draw) == (2, None)
    assert chosen.filtered.tolist() == [0, 0, 1, 0]
    assert generator.random() == np.random.default_rng(5).random()


def test_sampling_draws_one_number_and_keeps_it():
    generator, same = np.random.default_rng(5), np.random.default_rng(5)
    chosen = sample(np.array([0.0, 1.0, 2.0, 3.0]), params(), generator)
    assert chosen.draw == same.random() and generator.random() == same.random()
    assert chosen.token == pick(chosen.filtered, chosen.draw)


@pytest.mark.parametrize("temperature", [0, 0.8])
def test_bos_is_never_generated_however_large_its_logit(temperature):
    for seed in range(20):
        chosen = sample(np.array([1e6, 0.0, 0.0]), params(temperature), np.random.default_rng(seed))
        assert chosen.token != 0 and chosen.probabilities[0] == 0
    assert_allclose(chosen.probabilities, [0, .5, .5])


def test_sampling_leaves_the_logits_alone():
    logits = np.array([1.0, 2.0, 3.0])
    sample(logits, params(), np.random.default_rng(1))
    assert logits.tolist() == [1, 2, 3]


# ── A second implementation that must agree ──────────────────────────────────

def slowly_kept(probabilities, top_k, top_p):
    order = sorted(range(len(probabilities)), key=lambda i: (-probabilities[i], i))
    order = order[:top_k] if top_k else order
    total, before, ids = sum(probabilities[i] for i in order), 0, []
    for i in order:
        if before >= top_p:
            break
        ids.append(i)
        before += probabilities[i] / total
    return sorted(ids)


@given(st.lists(st.integers(1, 20), min_size=1, max_size=12), st.integers(0, 15), st.integers(1, 64))
def test_filtering_agrees_with_a_slow_one(weights, top_k, top_p):
    padded = weights + [2 ** 10 - sum(weights)]                 # over 1024, so that every share and sum is exact
    probabilities = np.array(padded) / 2 ** 10
    if top_k == 0 or top_k >= len(padded):                      # the rescaled shares are exact too
        assert kept(probabilities, top_k, top_p / 64) == slowly_kept(probabilities.tolist(), top_k, top_p / 64)
    filtered = keep_top(probabilities, top_k, top_p / 64)
    assert 1 <= np.count_nonzero(filtered) <= (top_k or len(padded))
    assert_allclose(filtered.sum(), 1)
