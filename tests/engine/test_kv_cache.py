"""The paged cache: four-token blocks, every block number on paper."""
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference_lab.errors import InvariantError
from inference_lab.kv_cache import KVPool

HEADS, D_HEAD = 2, 3


def pool_of(n_blocks, block_size=4):
    return KVPool(n_blocks, block_size, HEADS, D_HEAD)


def tokens(n, first=0):
    """Keys and values (heads, n, d_head) in which every number tells token, head and dimension apart."""
    token, head, dimension = np.arange(first, first + n)[None, :, None], np.arange(HEADS)[:, None, None], np.arange(D_HEAD)
    keys = 100.0 * token + 10 * head + dimension
    return keys, -keys


def write(pool, sequence, n, first=None):
    pool.write(sequence, *tokens(n, pool.lengths.get(sequence, 0) if first is None else first))


def test_a_new_pool_is_free():
    pool = pool_of(3)
    assert (pool.used, sorted(pool.free), pool.keys.shape, pool.values.shape) == (0, [0, 1, 2], (3, 2, 4, 3), (3, 2, 4, 3))


def test_blocks_are_taken_when_a_token_needs_them_the_lowest_number_first():
    pool = pool_of(6)
    write(pool, "A", 6)                                         # 4 + 2
    assert pool.tables == {"A": [0, 1]} and pool.used == 2
    write(pool, "B", 3)
    assert pool.tables == {"A": [0, 1], "B": [2]}
    write(pool, "A", 2)                                         # fills block 1
    assert pool.tables["A"] == [0, 1]
    write(pool, "A", 1)
    assert pool.tables["A"] == [0, 1, 3]
    write(pool, "B", 6)                                         # 3 + 6 = 9 tokens
    assert pool.tables == {"A": [0, 1, 3], "B": [2, 4, 5]} and pool.lengths == {"A": 9, "B": 9}
    assert pool.used == 6 and not pool.free


def test_released_blocks_are_used_again_lowest_first():
    pool = pool_of(4)
    for name in "ABCD":
        write(pool, name, 1)
    assert pool.release("C") == (2,) and pool.release("A") == (0,)
    write(pool, "E", 5)
    assert pool.tables == {"B": [1], "D": [3], "E": [0, 2]}
    assert pool.owners == {0: ["A", "E"], 1: ["B"], 2: ["C", "E"], 3: ["D"]}


def test_releasing_gives_the_blocks_in_logical_order_and_forgets_the_sequence():
    pool = pool_of(4)
    write(pool, "A", 4)
    write(pool, "B", 4)
    write(pool, "A", 4)
    write(pool, "B", 1)
    assert pool.tables == {"A": [0, 2], "B": [1, 3]}
    pool.release("A")
    write(pool, "B", 7)                                         # 5 + 7 = 12 tokens: block 3 is filled, then 0
    assert pool.release("B") == (1, 3, 0)
    assert sorted(pool.free) == [0, 1, 2, 3] and not pool.tables and not pool.lengths


def test_releasing_an_unknown_sequence_gives_nothing():
    pool = pool_of(1)
    assert pool.release("A") == () and sorted(pool.free) == [0]


@pytest.mark.parametrize("n, missing", [(0, 0), (2, 0), (3, 1), (6, 1), (7, 2)])
def test_missing_counts_what_the_slack_of_the_last_block_does_not_hold(n, missing):
    pool = pool_of(4)
    write(pool, "A", 6)                                         # two blocks, two slots of slack
    assert pool.missing("A", n) == missing


def test_fits_is_the_question_whether_enough_blocks_are_free():
    pool = pool_of(3)
    write(pool, "A", 6)
    assert pool.fits("A", 6) and not pool.fits("A", 7)          # slack 2 + one block of 4
    assert pool.fits("B", 4) and not pool.fits("B", 5)
    write(pool, "B", 1)
    assert pool.fits("A", 2) and not pool.fits("A", 3) and pool.fits("B", 3) and not pool.fits("C", 1)


def test_writing_more_than_fits_breaks_an_invariant_and_takes_nothing():
    pool = pool_of(2)
    write(pool, "A", 4)
    with pytest.raises(InvariantError, match="B needs 2 blocks, 1 are free"):
        write(pool, "B", 5)
    assert pool.tables == {"A": [0]} and pool.free == [1] and pool.lengths == {"A": 4}


def test_a_token_lies_in_its_block_and_slot():
    pool = pool_of(3)
    write(pool, "A", 4)
    write(pool, "B", 1)
    write(pool, "A", 2)                                         # logical block 1 is physical block 2
    assert pool.keys[0, 1, 3].tolist() == [310, 311, 312]       # token 3, head 1
    assert pool.keys[2, 0, 1].tolist() == [500, 501, 502]       # token 5, head 0
    assert pool.values[2, 0, 1].tolist() == [-500, -501, -502]
    assert pool.keys[1, 0, 0].tolist() == [0, 1, 2] and not pool.keys[1, :, 1:].any()


def test_gathering_lays_the_blocks_out_in_logical_order():
    pool = pool_of(3)
    write(pool, "A", 4)
    write(pool, "B", 1)
    write(pool, "A", 2)
    keys, values = pool.gather(["A"])
    assert (keys[0] == tokens(6)[0]).all() and (values[0] == tokens(6)[1]).all()


def test_gathering_several_pads_to_the_longest():
    pool = pool_of(4)
    write(pool, "A", 6)
    write(pool, "B", 1, first=50)
    keys, _ = pool.gather(["B", "new", "A"])
    assert keys.shape == (3, HEADS, 6, D_HEAD)
    assert (keys[0, :, :1] == tokens(1, 50)[0]).all() and (keys[2] == tokens(6)[0]).all()


def test_gathering_nothing_is_empty():
    pool = pool_of(1)
    assert pool.gather(["A", "B"])[0].shape == (2, HEADS, 0, D_HEAD)
    assert pool.gather([])[0].shape == (0, HEADS, 0, D_HEAD)


def test_the_peak_is_the_first_moment_with_the_most_blocks():
    pool = pool_of(4)
    write(pool, "A", 4)
    write(pool, "B", 2)
    assert (pool.peak.blocks, pool.peak.tokens, pool.peak.tables) == (2, 6, {"A": (0,), "B": (1,)})
    write(pool, "B", 2)                                         # more tokens, no more blocks: the first moment stays
    pool.release("A")
    write(pool, "C", 4)
    assert (pool.peak.blocks, pool.peak.tokens, pool.peak.tables) == (2, 6, {"A": (0,), "B": (1,)})
    write(pool, "C", 1)
    assert (pool.peak.blocks, pool.peak.tokens, pool.peak.tables) == (3, 9, {"B": (1,), "C": (0, 2)})


def test_pools_share_nothing():
    first, second = pool_of(2), pool_of(2)
    write(first, "A", 5)
    assert second.used == 0 and not second.keys.any() and second.peak.blocks == 0


# ── Against a plain list of tokens ───────────────────────────────────────────

@given(st.lists(st.tuples(st.sampled_from("ABC"), st.integers(0, 7)), max_size=25), st.integers(1, 5), st.integers(1, 8))
def test_any_order_of_writes_and_releases_keeps_what_was_written(operations, block_size, n_blocks):
    """(sequence, n): write n tokens if they fit; 0 releases."""
    pool, expected, next_token = pool_of(n_blocks, block_size), {}, 0
    for sequence, n in operations:
        if n == 0:
            pool.release(sequence)
            expected.pop(sequence, None)
        elif pool.fits(sequence, n):
            write(pool, sequence, n, first=next_token)
            expected.setdefault(sequence, []).extend(range(next_token, next_token + n))
            next_token += n
        needed = {s: -(-len(t) // block_size) for s, t in expected.items()}
        assert {s: len(t) for s, t in pool.tables.items()} == needed
        held = [b for table in pool.tables.values() for b in table]
        assert sorted(held + pool.free) == list(range(n_blocks))
        keys, values = pool.gather(list(expected))
        for row, written in enumerate(expected.values()):
            assert keys[row, 0, :len(written), 0].tolist() == [100.0 * t for t in written]
            assert (values[row, :, :len(written)] == -keys[row, :, :len(written)]).all()
