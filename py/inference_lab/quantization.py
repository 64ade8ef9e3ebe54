"""Weights in few bits: symmetric integers with one scale for each output channel.

In: float weights and a number of bits. Out: the weights as an integer kernel would see them (stored as whole
numbers, multiplied back by their scale) and how far they are from the original. The products themselves still
run in float64.
"""
from dataclasses import dataclass, replace

import numpy as np

from .errors import InvariantError
from .model import LINEAR

SCALE_BYTES = FLOAT_BYTES = 4         # a scale and an original weight as FP32


@dataclass(frozen=True, slots=True, kw_only=True)
class QuantizedMatrix:
    """How one matrix came through quantization."""

    name: str
    elements: int
    scales: int
    max_error: float            # largest |restored - original|
    half_scale: float           # half the largest scale: no error can exceed it


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantization:
    """The restored weights, and each matrix's size and error."""

    bits: int
    weights: object             # Weights with the eight linear matrices restored from integers
    matrices: tuple[QuantizedMatrix, ...]

    @property
    def levels(self):
        return levels_of(self.bits)

    @property
    def elements(self):
        return sum(m.elements for m in self.matrices)

    @property
    def scales(self):
        return sum(m.scales for m in self.matrices)

    @property
    def fp32_bytes(self):
        return FLOAT_BYTES * self.elements

    @property
    def quantized_bytes(self):
        return self.elements * self.bits / 8 + SCALE_BYTES * self.scales

    @property
    def max_error(self):
        return max(m.max_error for m in self.matrices)

    @property
    def half_scale(self):
        return max(m.half_scale for m in self.matrices)


def levels_of(bits):
    """The largest whole number of a symmetric code: 127 for 8 bits."""
    return 2 ** (bits - 1) - 1


def quantize_weights(weights, bits):
    """Quantize the eight linear matrices; the embedding stays as it is."""
    restored, matrices = {}, []
    for name in LINEAR:
        original = getattr(weights, name)                                 # (in, out)
        integers, scale = quantize(original, bits)                        # (in, out), (1, out)
        restored[name] = integers * scale                                 # (in, out)
        error = np.abs(restored[name] - original)
        if np.any(error > scale / 2 + 1e-12):
            raise InvariantError(f"{name}: an error exceeds half a scale")
        matrices.append(QuantizedMatrix(name=name, elements=original.size, scales=scale.size,
                                        max_error=float(error.max()), half_scale=float(scale.max() / 2)))
    return Quantization(bits=bits, weights=replace(weights, **restored), matrices=tuple(matrices))


def quantize(matrix, bits):
    """-> (integers (in, out), scale (1, out)): scale = max|w| / levels for each column; a column of zeros stays zero."""
    scale = np.abs(matrix).max(axis=0, keepdims=True) / levels_of(bits)   # (1, out)
    divisor = np.where(scale > 0, scale, 1.0)                             # (1, out)
    return np.rint(matrix / divisor).astype(np.int8), scale
