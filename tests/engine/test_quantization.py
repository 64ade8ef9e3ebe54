"""Weights in few bits, column by column on paper."""
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from inference_lab import Config
from inference_lab.model import LINEAR, make_weights
from inference_lab.quantization import levels_of, quantize, quantize_weights

WEIGHTS = make_weights(Config.of(), 22)


@pytest.mark.parametrize("bits, levels", [(2, 1), (3, 3), (4, 7), (8, 127)])
def test_a_symmetric_code_has_one_level_less_than_half_its_values(bits, levels):
    assert levels_of(bits) == levels


def test_each_column_has_its_own_scale():
    # column 0: 1.27 / 127 = 0.01; column 1: 12.7 / 127 = 0.1
    integers, scale = quantize(np.array([[1.27, -12.7], [-0.5, 6.0], [0.0, 0.26]]), 8)
    assert_allclose(scale, [[0.01, 0.1]])
    assert integers.tolist() == [[127, -127], [-50, 60], [0, 3]] and integers.dtype == np.int8


def test_four_bits_are_coarser():
    # 0.7 / 7 = 0.1: 0.26 -> 3, 0.04 -> 0
    integers, scale = quantize(np.array([[0.7], [0.26], [0.04], [-0.7]]), 4)
    assert integers.ravel().tolist() == [7, 3, 0, -7] and scale.item() == pytest.approx(0.1)


def test_two_bits_know_minus_one_zero_and_one():
    integers, _ = quantize(np.array([[1.0], [0.51], [0.49], [-0.2], [-0.9]]), 2)
    assert integers.ravel().tolist() == [1, 1, 0, 0, -1]


def test_a_column_of_zeros_stays_zero():
    for bits in range(2, 9):
        integers, scale = quantize(np.array([[0.0, 1.0], [0.0, -2.0]]), bits)
        assert integers[:, 0].tolist() == [0, 0] and scale[0, 0] == 0
        assert (integers * scale)[:, 0].tolist() == [0, 0]


def test_weights_with_a_column_of_zeros_are_quantized_without_a_warning():
    w_q = WEIGHTS.w_q.copy()
    w_q[:, 3] = 0
    restored = quantize_weights(replace(WEIGHTS, w_q=w_q, w_k=np.zeros_like(w_q)), 4).weights
    assert not restored.w_q[:, 3].any() and not restored.w_k.any()


def test_the_largest_weight_of_a_column_is_kept_and_signs_are_symmetric():
    matrix = np.random.default_rng(1).normal(size=(6, 5))
    for bits in range(2, 9):
        integers, scale = quantize(matrix, bits)
        opposite, _ = quantize(-matrix, bits)
        assert (opposite == -integers).all()
        assert_allclose((np.abs(integers) * scale).max(axis=0), np.abs(matrix).max(axis=0))


@pytest.mark.parametrize("bits", range(2, 9))
def test_no_weight_is_off_by_more_than_half_a_scale(bits):
    quantization = quantize_weights(WEIGHTS, bits)
    for matrix in quantization.matrices:
        original = getattr(WEIGHTS, matrix.name)
        error = np.abs(getattr(quantization.weights, matrix.name) - original)
        half = np.abs(original).max(axis=0) / (2 ** (bits - 1) - 1) / 2
        assert (error <= half + 1e-12).all()
        assert matrix.max_error == pytest.approx(error.max()) and matrix.half_scale == pytest.approx(half.max())
    assert quantization.max_error == max(m.max_error for m in quantization.matrices) <= quantization.half_scale


def test_fewer_bits_are_further_off():
    errors = [quantize_weights(WEIGHTS, bits).max_error for bits in range(2, 9)]
    assert errors == sorted(errors, reverse=True) and errors[0] > 30 * errors[-1]


def test_the_eight_linear_matrices_are_quantized_and_the_embedding_is_not():
    quantization = quantize_weights(WEIGHTS, 8)
    assert [m.name for m in quantization.matrices] == list(LINEAR)
    assert quantization.weights.embedding is WEIGHTS.embedding
    assert all((getattr(quantization.weights, name) != getattr(WEIGHTS, name)).any() for name in LINEAR)


@pytest.mark.parametrize("bits, quantized_bytes", [(8, 816 + 376), (4, 408 + 376), (2, 204 + 376), (3, 306 + 376)])
def test_bytes_are_integers_and_scales(bits, quantized_bytes):
    # elements 4 * 8*8 + 3 * 8*16 + 8*22 = 816, in FP32 3264 bytes; scales 4 * 8 + 2 * 16 + 8 + 22 = 94, each four bytes: 376
    quantization = quantize_weights(WEIGHTS, bits)
    assert (quantization.elements, quantization.scales, quantization.fp32_bytes) == (816, 94, 3264)
    assert quantization.quantized_bytes == quantized_bytes
    assert (quantization.bits, quantization.levels) == (bits, levels_of(bits))
