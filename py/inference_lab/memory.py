"""What a KV cache costs in bytes, by formula: 2 (K and V) × layers × tokens × KV heads × d_head × bytes each.

Pure arithmetic on the shape of a model, for the lab's own pool and for a worked example of a real size.
"""
from dataclasses import dataclass

GIB = 1024**3


@dataclass(frozen=True, slots=True, kw_only=True)
class KVShape:
    """What decides how many bytes a token's keys and values take."""

    layers: int
    kv_heads: int
    d_head: int
    bytes_per_element: int

    def bytes_for(self, tokens):
        return 2 * self.layers * tokens * self.kv_heads * self.d_head * self.bytes_per_element


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryExample:
    """An assumed GPU and model; nothing here is measured."""

    shape: KVShape
    context: int
    hbm_bytes: int
    weight_bytes: int

    @property
    def sequence_bytes(self):
        return self.shape.bytes_for(self.context)

    def sequences(self, weight_bytes):
        """How many full sequences fit beside weights of that size (working memory not deducted)."""
        return (self.hbm_bytes - weight_bytes) // self.sequence_bytes


#: The course's worked example: 32 layers, 8 KV heads of 128, FP16, 4,096 tokens, on an assumed 80 GiB card.
EXAMPLE = MemoryExample(shape=KVShape(layers=32, kv_heads=8, d_head=128, bytes_per_element=2),
                        context=4096, hbm_bytes=80 * GIB, weight_bytes=16 * GIB)
