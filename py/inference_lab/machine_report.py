"""A finished measurement of this machine as a record to keep, and as text.

In: what `machine` measured. Out: plain data, the same from a browser and from a command line, so that the two can be compared;
and lines of Vietnamese text. Measures nothing.
"""
import platform
import sys

import numpy as np

from .machine import SIZE_NAMES, SIZES, conclude, last_cache_bytes
from .notation import fixed, percent

KIND, VERSION = "inference-lab/machine", 1

CEILING_NAMES = {
    "matmul_float32": ("Nhân ma trận float32", "GFLOP/s"),
    "matmul_float64": ("Nhân ma trận float64", "GFLOP/s"),
    "read": ("Đọc bộ nhớ", "GB/s"),
    "write": ("Ghi bộ nhớ", "GB/s"),
    "copy": ("Chép bộ nhớ (đọc + ghi)", "GB/s"),
}
UNSTEADY = 2
BOUNDS = {"compute": "tính toán", "bandwidth": "băng thông"}


def record(size, taken):
    """Everything a comparison needs, as JSON takes it. taken: {point: spread}"""
    shape = SIZES[size]
    return dict(
        kind=KIND, version=VERSION, where=where(), size=size,
        shape=dict(layers=shape.layers, width=shape.width, heads=shape.heads, hidden=shape.hidden, vocabulary=shape.vocabulary,
                   parameters=shape.parameters, weight_bytes=shape.weight_bytes),
        points=taken, result=conclude(size, taken))


def where():
    """Which interpreter on which machine."""
    browser = sys.platform == "emscripten"
    return dict(place="browser" if browser else "native", system="WebAssembly" if browser else f"{platform.system()} {platform.machine()}",
                python=platform.python_version(), numpy=np.__version__, last_cache_bytes=last_cache_bytes())


def unsteady(made):
    """Names of the points of which one sample took more than UNSTEADY times what another took."""
    return [name for name, spread in made["points"].items() if spread["high"] > UNSTEADY * spread["low"]]


def in_cache(made):
    """Whether the weights fit the last cache; None where it is not known."""
    cache = made["where"]["last_cache_bytes"]
    return None if cache is None else made["shape"]["weight_bytes"] <= cache


def text(made):
    """A record as lines for a reader. -> str"""
    shape, result = made["shape"], made["result"]
    lines = [
        f"Máy: {made['where']['system']}, Python {made['where']['python']}, NumPy {made['where']['numpy']}",
        f"Decoder cỡ {SIZE_NAMES[made['size']]}: {shape['layers']} lớp, rộng {shape['width']}, {shape['heads']} head, {shape['parameters'] / 1e6:.1f} triệu tham số float32, "
        f"{shape['weight_bytes'] / 1e6:.1f} MB trọng số",
        "Bộ nhớ đệm cuối: " + ("không biết cỡ; nếu nó chứa được cả trọng số thì decode đọc từ đó, không từ bộ nhớ" if in_cache(made) is None else f"{made['where']['last_cache_bytes'] / 1e6:.1f} MB"
                               + (", chứa được cả trọng số: decode đọc từ đó, không từ bộ nhớ" if in_cache(made) else ", nhỏ hơn trọng số")),
        "", "Trần đo được: trung vị [chậm nhất, nhanh nhất] của 5 lượt"]
    lines += [f"  {name:<26} {spread_text(made['points'][point])} {unit}" for point, (name, unit) in CEILING_NAMES.items() if point in made["points"]]
    lines += ["", f"  {'Pha':<16} {'ms mỗi lượt [nhanh nhất, chậm nhất]':>38} {'token/s':>10} {'FLOP/byte':>10} {'% trần tính':>12} {'% trần đọc':>12}  nghẽn ở"]
    lines += [phase_line(f"prefill {p['tokens']}", p) for p in result["prefill"]]
    lines += [phase_line("decode", result["decode"])]
    longest = result["prefill"][-1]["tokens"]
    lines += ["", f"TTFT của prompt {longest} token: {fixed(result['prefill'][-1]['seconds']['median'] * 1000)} ms. "
                  f"TPOT: {fixed(result['decode']['seconds']['median'] * 1000)} ms.",
              f"Điểm cân bằng: {fixed(result['balance_flop_per_byte'], 1)} FLOP/byte.",
              f"Prefill nhanh hơn decode {fixed(result['measured_ratio'], 1)} lần; hai trần dự đoán {fixed(result['predicted_ratio'], 1)} lần."]
    if result["wrong_ceilings"]:
        lines.append("Có phần vượt 100 % trần: máy không chạy quá sức, trần đo được mới là con số sai, ví dụ vì máy bận lúc đo trần, "
                     "hoặc vì trọng số còn nằm, ít nhất một phần, trong bộ nhớ đệm.")
    if unsteady(made):
        names = [CEILING_NAMES[name][0].lower() if name in CEILING_NAMES else name for name in unsteady(made)]
        lines.append(f"Không đều: ở {', '.join(names)}, lượt chậm nhất lâu hơn {UNSTEADY} lần lượt nhanh nhất. Có lẽ máy bận lúc đo; hãy đo lại.")
    return "\n".join(lines)


def spread_text(spread):
    low, middle, high = (fixed(spread[key] / 1e9, 1) for key in ("low", "median", "high"))
    return f"{middle:>8} [{low}, {high}]"


def phase_line(name, p):
    low, middle, high = (fixed(p["seconds"][key] * 1000) for key in ("low", "median", "high"))
    return (f"  {name:<16} {f'{middle} [{low}, {high}]':>38} {fixed(p['tokens_per_s'], 1):>10} {fixed(p['intensity'], 1):>10} "
            f"{percent(p['compute_share'], digits=1):>12} {percent(p['bandwidth_share'], digits=1):>12}  {BOUNDS[p['bound']]}")
