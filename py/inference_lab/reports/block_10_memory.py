"""Block 10: where the bytes go, in the lab and in a model of a real size."""
from ..memory import EXAMPLE, GIB, KVShape
from ..notation import gib, percent
from .report import Check, Report, table

SOURCES = ("memory.KVShape", "memory.MemoryExample")


def build(run):
    main, config = run.main, run.config
    shape = KVShape(layers=1, kv_heads=config.N_HEADS, d_head=config.D_HEAD, bytes_per_element=8)
    peak_bytes = main.peak.blocks * config.BLOCK_SIZE * main.bytes_per_token
    e = EXAMPLE.shape

    return Report(
        number=10, name="HBM memory budget", title="Trọng số, KV và phần còn lại", cell="L4-2",
        idea="Bộ nhớ GPU phải chứa trọng số và KV của mọi yêu cầu đang chạy; KV lớn theo số token.",
        headline=f"{main.bytes_per_token} byte mỗi token",
        observations=(
            f"Một token cần K và V: 2 × {config.N_HEADS} head × {config.D_HEAD} chiều × 8 byte (float64) = {main.bytes_per_token} byte cho một lớp.",
            f"Bể KV: {config.POOL_BLOCKS} block × {config.BLOCK_SIZE} token × {main.bytes_per_token} byte = {main.pool_bytes} byte. Trọng số của lab: {run.weights.nbytes} byte.",
            f"Lúc cao điểm dùng {main.peak.blocks} block = {peak_bytes} byte, {percent(main.peak.blocks, config.POOL_BLOCKS)} bể.",
            f"Ví dụ giả định cỡ thật: {e.layers} lớp, {e.kv_heads} KV head, head {e.d_head} chiều, FP16, {EXAMPLE.context} token thì một chuỗi cần {EXAMPLE.sequence_bytes} byte = {gib(EXAMPLE.sequence_bytes)}.",
        ),
        tables=(
            table("Trong lab", ["Phần", ">Byte"], [("Trọng số (float64)", run.weights.nbytes), ("Bể KV", main.pool_bytes), ("KV lúc cao điểm", peak_bytes), ("KV mỗi token", main.bytes_per_token)]),
            table(f"Ví dụ giả định: GPU {EXAMPLE.hbm_bytes // GIB} GiB, mỗi chuỗi {EXAMPLE.context} token (tính tay, không đo)",
                  ["Trọng số", ">Còn cho KV", ">Số chuỗi tối đa"],
                  [("FP16", EXAMPLE.weight_bytes), ("nén còn một nửa", EXAMPLE.weight_bytes // 2)], example_row),
        ),
        checks=(
            Check("Công thức khớp với mảng NumPy thật của bể KV", main.pool_bytes == shape.bytes_for(config.POOL_BLOCKS * config.BLOCK_SIZE),
                  f"{main.pool_bytes} byte = {shape.bytes_for(config.POOL_BLOCKS * config.BLOCK_SIZE)} byte"),
        ),
        conclusion="KV tăng đều theo số token và số chuỗi. Vì vậy bộ nhớ dành cho KV, không chỉ cho trọng số, quyết định bao nhiêu yêu cầu chạy được cùng lúc.",
        limits=("Phần ví dụ là phép tính trên số giả định và chưa trừ vùng làm việc. Lab dùng float64, hệ thật thường dùng 16 hoặc 8 bit.",),
        sources=SOURCES,
    )


def example_row(weights):
    name, size = weights
    return f"{name}, {size // GIB} GiB", f"{(EXAMPLE.hbm_bytes - size) // GIB} GiB", EXAMPLE.sequences(size)
