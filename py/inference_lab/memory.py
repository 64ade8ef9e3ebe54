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
    name: str = ""
    source: str = ""                # where the model's figures are published

    @property
    def sequence_bytes(self):
        return self.shape.bytes_for(self.context)

    def sequences(self, weight_bytes):
        """How many full sequences fit beside weights of that size (working memory not deducted)."""
        return (self.hbm_bytes - weight_bytes) // self.sequence_bytes


#: The course's worked example: 32 layers, 8 KV heads of 128, FP16, 4,096 tokens, on an assumed 80 GiB card.
EXAMPLE = MemoryExample(shape=KVShape(layers=32, kv_heads=8, d_head=128, bytes_per_element=2),
                        context=4096, hbm_bytes=80 * GIB, weight_bytes=16 * GIB, name="Ví dụ giả định của lab")


def _llama(name, layers, billions, hbm_gib):
    """8 KV heads of 128 at every size, 16-bit weights: table 3 of "The Llama 3 Herd of Models" (2024). The card is assumed."""
    return MemoryExample(shape=KVShape(layers=layers, kv_heads=8, d_head=128, bytes_per_element=2), context=8192, hbm_bytes=hbm_gib * GIB,
                         weight_bytes=2 * billions * 10**9, name=name, source="https://arxiv.org/abs/2407.21783")


#: What the calculator offers to start from.
PRESETS = (EXAMPLE, _llama("Llama 3 8B", 32, 8, 80), _llama("Llama 3 70B", 80, 70, 160), _llama("Llama 3 405B", 126, 405, 1128))
