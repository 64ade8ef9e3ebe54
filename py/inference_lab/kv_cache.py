"""The paged KV cache: a pool of fixed blocks, and for each sequence a table of the blocks it holds.

As in PagedAttention (Kwon et al. 2023): logical block i of a sequence is physical block table[i], wherever that
lies, and a block is taken only when a token needs it. The free block with the lowest number is taken first.
Knows sequences by their id; knows nothing of scheduling, the model or time.
"""
import heapq
from dataclasses import dataclass

import numpy as np

from .errors import InvariantError


@dataclass(frozen=True, slots=True, kw_only=True)
class Peak:
    """The first moment at which the most blocks were in use."""

    blocks: int
    tokens: int
    tables: dict[str, tuple[int, ...]]
    lengths: dict[str, int]             # tokens stored for each sequence


class KVPool:
    """`n_blocks` blocks of `block_size` tokens; keys and values are (n_blocks, heads, block_size, d_head)."""

    def __init__(self, n_blocks, block_size, n_heads, d_head):
        self.n_blocks, self.block_size = n_blocks, block_size
        self.store = np.zeros((2, n_blocks, n_heads, block_size, d_head))
        self.keys, self.values = self.store                      # two views of it
        self.free = list(range(n_blocks))                        # a heap: the lowest number first
        self.tables: dict[str, list[int]] = {}                   # sequence -> its physical blocks in logical order
        self.lengths: dict[str, int] = {}                        # sequence -> tokens stored
        self.owners: dict[int, list[str]] = {}                   # physical block -> who has held it, in order
        self.peak = Peak(blocks=0, tokens=0, tables={}, lengths={})

    @property
    def used(self):
        return self.n_blocks - len(self.free)

    def missing(self, sequence, n_new):
        """How many blocks `sequence` still needs to store `n_new` more tokens."""
        tokens = self.lengths.get(sequence, 0) + n_new
        return -(-tokens // self.block_size) - len(self.tables.get(sequence, ()))

    def fits(self, sequence, n_new):
        return self.missing(sequence, n_new) <= len(self.free)

    def write(self, sequence, keys, values):
        """Store n >= 1 new tokens: keys, values (heads, n, d_head). Takes the blocks it needs; see `fits`. -> those blocks"""
        n = keys.shape[1]
        missing = self.missing(sequence, n)
        if missing > len(self.free):
            raise InvariantError(f"{sequence} needs {missing} blocks, {len(self.free)} are free")
        table = self.tables.setdefault(sequence, [])
        for _ in range(missing):
            block = heapq.heappop(self.free)
            table.append(block)
            self.owners.setdefault(block, []).append(sequence)
        stored = self.lengths.get(sequence, 0)
        position = np.arange(stored, stored + n)                         # (n,)
        block, slot = np.array(table)[position // self.block_size], position % self.block_size
        self.keys[block, :, slot] = keys.swapaxes(0, 1)                  # (n, heads, d_head)
        self.values[block, :, slot] = values.swapaxes(0, 1)              # (n, heads, d_head)
        self.lengths[sequence] = stored + n
        if self.used > self.peak.blocks:
            self.peak = Peak(blocks=self.used, tokens=sum(self.lengths.values()),
                             tables={s: tuple(t) for s, t in self.tables.items()}, lengths=dict(self.lengths))
        return table[len(table) - missing:]

    def gather(self, sequences):
        """Keys and values of several sequences, padded at the end: two arrays (B, heads, L, d_head).

        L is the longest length; row b holds the lengths[b] tokens of its sequence, then whatever its blocks hold.
        """
        tables = [self.tables.get(s, []) for s in sequences]
        longest = max((self.lengths.get(s, 0) for s in sequences), default=0)
        width = -(-longest // self.block_size)
        index = np.array([t[:width] + [0] * (width - len(t)) for t in tables], int).reshape(len(tables), width)   # (B, blocks)
        blocks = self.store[:, index].swapaxes(2, 3)                     # (2, B, heads, blocks, block_size, d_head)
        keys, values = blocks.reshape(*blocks.shape[:3], width * self.block_size, blocks.shape[-1])[..., :longest, :]
        return keys, values

    def release(self, sequence):
        """Give back every block of `sequence`. -> the blocks, in logical order."""
        blocks = self.tables.pop(sequence, [])
        self.lengths.pop(sequence, None)
        for block in blocks:
            heapq.heappush(self.free, block)
        return tuple(blocks)
