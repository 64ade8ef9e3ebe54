"""What a KV cache costs, by formula."""
from inference_lab.memory import EXAMPLE, GIB, KVShape


def test_the_lab_s_own_token_costs_128_bytes():
    # K and V, one layer, two heads of four, eight bytes each
    assert KVShape(layers=1, kv_heads=2, d_head=4, bytes_per_element=8).bytes_for(1) == 2 * 1 * 2 * 4 * 8 == 128


def test_bytes_grow_with_the_tokens():
    shape = KVShape(layers=2, kv_heads=3, d_head=5, bytes_per_element=2)
    assert [shape.bytes_for(n) for n in (0, 1, 10)] == [0, 120, 1200]


def test_the_example_s_sequence_of_4096_tokens_is_half_a_gibibyte():
    # 2 * 32 layers * 4096 tokens * 8 heads * 128 * 2 bytes
    assert EXAMPLE.sequence_bytes == 536_870_912 == GIB // 2


def test_128_sequences_fit_beside_16_of_80_gibibytes_and_144_beside_8():
    # (80 - 16) / 0.5 = 128; (80 - 8) / 0.5 = 144; a rest smaller than a sequence does not count
    assert EXAMPLE.sequences(16 * GIB) == 128 and EXAMPLE.sequences(8 * GIB) == 144
    assert EXAMPLE.sequences(8 * GIB + 1) == 143
