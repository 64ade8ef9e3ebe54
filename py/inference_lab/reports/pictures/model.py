"""Inside the model: keys, values and logits (block 4), attention (5), sampling (8), weights in few bits (9), margins (13)."""
import numpy as np

from ...model import LINEAR
from ...notation import fixed, ms, visible
from ...quantization import SCALE_BYTES, quantize
from ..phrases import token_name
from ..report import table
from .picture import BARS, DOTS, HEAT, TIMELINE, Picture, bar, group, left_out, part, rounded, rows_track, sentences, timeline

MAX_POSITIONS, MAX_SIDE, MAX_TOKENS, MAX_FRAMES, MAX_GROUPS = 32, 16, 24, 24, 6


def matrix(name, rows, columns, values, digits=2, **others):
    """A heat map. values: (rows, columns), NaN where masked."""
    shown = (np.round(values, digits + 1) + 0.0).tolist()                # + 0.0: no negative zero
    return dict(name=name, rows=[str(r) for r in rows], columns=[str(c) for c in columns], digits=digits,
                values=[[None if v != v else v for v in row] for row in shown], **others)


def positions_of(run, served):
    """Labels of the last positions of the prompt, and how many come before them."""
    n = len(served.prompt_ids)
    first = max(0, n - MAX_POSITIONS)
    return first, [f"{i} {visible(run.tokenizer.vocabulary[served.prompt_ids[i]], 10)}" for i in range(first, n)]


def prefill(run):
    served, followed = run.served_followed, run.main.followed
    if not served:
        return ()
    first, labels = positions_of(run, served)
    heads, n, d = followed.prompt_keys.shape
    shown_heads, shown_d = min(heads, 4), min(d, MAX_SIDE)
    ends = np.cumsum([chunk.shape[1] for chunk in followed.prompt_attention])
    breaks = [int(e) - first for e in ends[:-1] if e > first]
    several = [(f"{letter} · head {h}", store[h]) for letter, store in (("K", followed.prompt_keys), ("V", followed.prompt_values)) for h in range(shown_heads)]
    note = sentences(left_out("vị trí cuối của prompt", len(labels), n), left_out("head", shown_heads, heads), left_out("chiều của mỗi head", shown_d, d))
    cache = Picture(
        kind=HEAT, name=f"K và V của {served.id} trong cache, sau {len(ends)} đoạn prefill",
        alt=f"Bản đồ nhiệt: mỗi head một bảng {n} vị trí × {d} chiều, cho K và cho V. Vạch ngang ngăn các đoạn {[c.shape[1] for c in followed.prompt_attention]}.",
        data=dict(matrices=[matrix(name, labels, range(shown_d), store[first:, :shown_d], breaks=breaks) for name, store in several], signed=True,
                  row_name="vị trí", column_name="chiều"),
        legend=(("positive", "số dương"), ("negative", "số âm")), note=note)
    return cache, logits_picture(run, served)


def ranked(row):
    return [int(i) for i in np.argsort(-row, kind="stable")]


def logits_group(run, served):
    row = run.main.followed.first_logits
    best = ranked(row)
    shown = best[:MAX_TOKENS]
    return group(f"Logits: {len(row)} điểm số", "logit", [
        bar(visible(run.tokenizer.vocabulary[i], 10), [part(float(row[i]), "top" if n < 3 else "plain", f"{token_name(run, i)} (ID {i}) · hạng {n + 1} · logit {fixed(row[i], 3)}")],
            fixed(row[i], 3), n < 3) for n, i in enumerate(shown)]), left_out("token, điểm cao trước", len(shown), len(row))


def logits_picture(run, served):
    bars, note = logits_group(run, served)
    return Picture(kind=BARS, name="Hàng logits cuối của prompt: ba token đứng đầu", alt="Thanh ngang, điểm cao xếp trước: " + "; ".join(f"{r['label']} {r['text']}" for r in bars["rows"][:3]) + ".",
                   data=dict(groups=[bars]), legend=(("top", "ba điểm cao nhất"), ("plain", "các token còn lại")), note=note)


def attention(run):
    served, followed = run.served_followed, run.main.followed
    if not served:
        return ()
    first, labels = positions_of(run, served)
    heads, n = followed.prefill_attention.shape
    shown_heads = min(heads, 4)
    whole = np.full((heads, n, n), np.nan)
    at = 0
    for chunk in followed.prompt_attention:
        whole[:, at:at + chunk.shape[1], :chunk.shape[2]] = chunk
        at += chunk.shape[1]
    whole[:, ~np.tri(n, dtype=bool)] = np.nan                           # the causal mask: later positions
    rows = whole[:shown_heads, first:, first:]
    note = sentences(left_out("vị trí cuối của prompt", len(labels), n), left_out("head", shown_heads, heads))
    heat = Picture(
        kind=HEAT, name=f"Attention của prompt {served.id}: mỗi hàng một token đang hỏi, mỗi cột một vị trí được nhìn",
        alt=f"{shown_heads} bản đồ nhiệt {n} × {n}. Nửa trên bên phải bị mặt nạ nhân quả che. Mỗi hàng cộng lại bằng 1.",
        data=dict(matrices=[matrix(f"Head {h}", labels, range(first, n), rows[h], last=True) for h in range(shown_heads)], signed=False,
                  row_name="token hỏi", column_name="vị trí được nhìn"),
        legend=(("heat", "trọng số từ 0 (nhạt) đến 1 (đậm)"), ("masked", "bị mặt nạ che: đúng bằng 0")), note=note)
    bars, left = logits_group(run, served)
    most = rounded(followed.prefill_attention[:shown_heads, first:n].max())
    seen = [group(f"Head {h}: {n} vị trí, cộng lại bằng {fixed(followed.prefill_attention[h].sum(), 2)}", "trọng số", [
        bar(label, [part(float(followed.prefill_attention[h, first + i]), "heat", f"head {h} · vị trí {label} · {fixed(followed.prefill_attention[h, first + i], 3)}")],
            fixed(followed.prefill_attention[h, first + i], 3)) for i, label in enumerate(labels)], domain=[0, most]) for h in range(shown_heads)]
    beside = Picture(kind=BARS, name="Hàng attention cuối và hàng logits: vị trí không phải token",
                     alt=f"Bên trái: {n} trọng số trên vị trí của từng head, cộng lại bằng 1. Bên phải: logits của từng token trong từ vựng, không cộng lại bằng 1.",
                     data=dict(groups=[*seen, bars]), legend=(("heat", "trọng số của một vị trí"), ("top", "ba logit cao nhất")), note=sentences(note, left))
    return heat, beside


def sampling(run):
    served, followed = run.served_followed, run.main.followed
    if not served:
        return ()
    samples = followed.samples[:MAX_FRAMES]
    most = rounded(max(max(s.probabilities.max(), s.filtered.max()) for s in samples))  # one scale, so that choices can be compared
    frames = [dict(label=f"token {n}/{len(followed.samples)}", groups=choice(run, s, most)) for n, s in enumerate(samples, 1)]
    kept = [(n, s, i) for n, s in enumerate(samples, 1) for i in ranked(s.probabilities) if s.filtered[i]]
    vocabulary = run.tokenizer.vocabulary
    times = served.token_times_us
    points = [dict(row=0, at=t, kind="token", sign=visible(vocabulary[i], 10), tip=f"token {n}: {token_name(run, i)} (ID {i}) lúc {ms(t)}"
                   + (f", sau {ms(t - times[n - 2])}" if n > 1 else ", TTFT " + ms(t - served.spec.arrival)))
              for n, (t, i) in enumerate(zip(times[:60], served.output_ids), 1)]
    return (
        Picture(kind=BARS, name=f"Xác suất của {served.id} trước và sau khi lọc", alt="Thanh ngang cho từng token: xác suất trước và sau top-k, top-p; "
                "rồi một thanh dài 1 chia theo xác suất sau lọc, với vạch ở chỗ số ngẫu nhiên rơi vào. Chọn được từng token của câu trả lời.",
                data=dict(frames=frames), legend=(("plain", "trước khi lọc"), ("decode", "sau khi lọc"), ("chosen", "được chọn")), note=left_out("lần chọn", len(samples), len(followed.samples)),
                table=table("Từng lần chọn: các token còn lại sau khi lọc", [">Lần", "Token", ">Trước", ">Sau", "Kết quả", ">Số ngẫu nhiên"], kept, lambda one: choice_row(run, *one))),
        Picture(kind=TIMELINE, name=f"Token của {served.id} trên đồng hồ", alt="Các token theo thời điểm được gửi đi: " + "; ".join(p["tip"] for p in points[:12]) + ".",
                data=timeline(served.spec.arrival, times[-1] + (times[-1] - served.spec.arrival) // 10, [rows_track("", [dict(label=served.id, strong=True)], [
                    dict(row=0, start=start, end=end, kind=kind, text="", tip=f"TTFT · {name} {ms(end - start)}") for kind, name, start, end in parts_of_ttft(served) if end > start], points)]),
                legend=(("prep", "chuẩn bị đầu vào"), ("waiting", "chờ chỗ chạy"), ("prefill", "prefill"), ("token", "token được gửi đi")), note=left_out("token đầu", len(points), len(times))),
    )


def choice_row(run, n, sample, i):
    chosen = i == sample.token
    return n, token_name(run, i), fixed(sample.probabilities[i], 3), fixed(sample.filtered[i], 3), "được chọn" if chosen else "", fixed(sample.draw, 4) if chosen else ""


def parts_of_ttft(served):
    return (("prep", "chuẩn bị đầu vào", served.spec.arrival, served.ready_us), ("waiting", "chờ chỗ chạy", served.ready_us, served.start_us),
            ("prefill", "prefill", served.start_us, served.token_times_us[0]))


def choice(run, sample, most):
    before, after = sample.probabilities, sample.filtered
    kept = np.flatnonzero(after)
    order = ranked(before)
    shown = order[:min(MAX_TOKENS, max(8, len(kept)))]
    vocabulary = run.tokenizer.vocabulary
    name = lambda i: visible(vocabulary[i], 10)
    rows = []
    for i in shown:
        chosen = i == sample.token
        rows.append(dict(bar(name(i) + (" ←" if chosen else ""), [part(float(before[i]), "plain", f"{token_name(run, i)} · trước {fixed(before[i], 3)} · sau {fixed(after[i], 3)}"),
                                      part(float(after[i]), "chosen" if chosen else "decode", f"{token_name(run, i)} · sau khi lọc {fixed(after[i], 3)}" + (" · được chọn" if chosen else ""))],
                             f"{fixed(before[i], 3)} → {fixed(after[i], 3) if after[i] else '–'}", chosen), side_by_side=True))
    groups = [group(f"Trước → sau, {len(kept)}/{len(before)} token còn lại", "xác suất", rows, domain=[0, most])]
    if sample.draw is not None:
        line = [part(float(after[i]), "chosen" if i == sample.token else "decode", f"{token_name(run, i)} · khoảng dài {fixed(after[i], 3)}", name(i)) for i in kept]
        groups.append(group("Số ngẫu nhiên rơi vào đâu", "xác suất tích lũy", [bar("rút", line)], (rounded(sample.draw), fixed(sample.draw, 4)), domain=[0, 1]))
    return groups


def precision(run):
    q, weights = run.quantization, run.weights
    frames = []
    for m in q.matrices:
        original = getattr(weights, m.name)
        restored = getattr(q.weights, m.name)
        rows, columns = (min(side, MAX_SIDE) for side in original.shape)
        half = quantize(original, q.bits)[1] / 2                        # (1, out)
        share = np.divide(restored - original, half, out=np.zeros_like(original), where=half > 0)
        frames.append(dict(label=m.name, matrices=[
            matrix("Gốc", range(rows), range(columns), original[:rows, :columns]),
            matrix(f"Sau INT{q.bits}", range(rows), range(columns), restored[:rows, :columns]),
            matrix("Sai số, theo nửa scale của cột", range(rows), range(columns), share[:rows, :columns], top=1.0)]))
    bits = [bar("FP32", [part(q.fp32_bytes, "plain", f"FP32 · {q.fp32_bytes} byte")], f"{q.fp32_bytes} byte"),
            bar(f"INT{q.bits}", [part(q.quantized_bytes - SCALE_BYTES * q.scales, "plain", f"số nguyên {q.bits} bit · {q.quantized_bytes - SCALE_BYTES * q.scales:.0f} byte"),
                                 part(SCALE_BYTES * q.scales, "edge", f"{q.scales} scale FP32 · {SCALE_BYTES * q.scales} byte")], f"{q.quantized_bytes:.0f} byte", True)]
    errors = [bar(m.name, [part(m.max_error, "plain", f"{m.name} · sai số lớn nhất {fixed(m.max_error, 4)} · nửa scale {fixed(m.half_scale, 4)}"),
                           part(m.half_scale, "edge", f"{m.name} · nửa scale lớn nhất {fixed(m.half_scale, 4)}")], f"{fixed(m.max_error, 4)} ≤ {fixed(m.half_scale, 4)}") for m in q.matrices]
    cut = max(max(getattr(weights, name).shape) for name in LINEAR)
    return (
        Picture(kind=BARS, name="Byte trước và sau, sai số lớn nhất so với nửa scale", alt=f"FP32 {q.fp32_bytes} byte, INT{q.bits} {q.quantized_bytes:.0f} byte. Ở mỗi ma trận, thanh sai số không dài quá thanh nửa scale.",
                data=dict(groups=[group("Byte của tám ma trận", "byte", bits), group("Sai số so với nửa scale", "trọng số", [dict(e, side_by_side=True) for e in errors])]),
                legend=(("plain", "các số của ma trận; sai số lớn nhất"), ("edge", "scale; nửa scale"))),
        Picture(kind=HEAT, name="Một ma trận trước và sau khi làm tròn", alt="Ba bản đồ nhiệt: trọng số gốc, trọng số đổi ngược từ số nguyên, và sai số chia cho nửa scale của cột, luôn trong khoảng −1 đến 1.",
                data=dict(frames=frames, signed=True, row_name="hàng", column_name="cột"), legend=(("positive", "số dương"), ("negative", "số âm")),
                note=f"Vẽ nhiều nhất {MAX_SIDE} × {MAX_SIDE} phần tử đầu của mỗi ma trận." if cut > MAX_SIDE else ""),
    )


def gate(run):
    decisions = run.decisions
    if not decisions:
        return ()
    by_request = {}
    for d in decisions:
        by_request.setdefault(d.request, []).append(d)
    tightest = min(decisions, key=lambda d: d.margin)
    order = sorted(by_request, key=lambda id: (id != tightest.request, id != run.config.FOLLOW, min(d.margin for d in by_request[id])))[:MAX_GROUPS]
    groups = [dict(title=f"Prompt {id}", strong=id == run.config.FOLLOW, rows=[dict(
        label=f"bước {d.step + 1}", strong=d is tightest, a=rounded(d.margin), b=rounded(d.margin_quantized), agrees=d.agrees,
        tip=f"prompt {id} · bước {d.step + 1} · gốc hơn {fixed(d.margin, 4)} · bản nén hơn {fixed(d.margin_quantized, 4)} · token {'giữ nguyên' if d.agrees else 'đã đổi'}")
        for d in by_request[id]]) for id in sorted(order)]
    return (Picture(
        kind=DOTS, name="Khoảng cách của từng quyết định: token đứng đầu hơn token nhì bao nhiêu",
        alt=f"Mỗi hàng một quyết định, hai dấu: bản gốc và bản nén. Sát nhất: prompt {tightest.request} bước {tightest.step + 1}, {fixed(tightest.margin, 4)} và {fixed(tightest.margin_quantized, 4)}.",
        data=dict(groups=groups, unit="logit"),
        legend=(("original", "bản gốc"), ("quantized", f"bản INT{run.config.QUANT_BITS}"), ("tightest", "sát nhất")),
        note=left_out("prompt, sát nhất trước", len(groups), len(by_request)),
        table=table("Khoảng cách của từng quyết định", ["Prompt", ">Bước", ">Gốc", ">Bản nén", "Token"],
                    [(d.request, d.step + 1, fixed(d.margin, 4), fixed(d.margin_quantized, 4), "giữ nguyên" if d.agrees else "đã đổi") for d in decisions])),)
