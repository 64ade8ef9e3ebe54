"""What is kept where: the block pool over time (block 6), positions computed (7), bytes (10)."""
from ...memory import PRESETS
from ...notation import ms
from ...request import DECODE
from ..report import table
from .picture import BARS, MEMORY, TABLES, TIMELINE, Picture, bar, group, hue_of, left_out, part, rows_track, sentences, steps_track, timeline
from .window import window_of

MAX_BLOCKS, MAX_USES, MAX_TABLES = 32, 800, 12


def pool(run):
    main, config = run.main, run.config
    if not main.steps:
        return ()
    window, hues = window_of(main, config), hue_of(config)
    inside = [(use, window.cut(use.from_us, use.until_us)) for use in main.block_uses]
    inside = [(use, cut) for use, cut in inside if cut]
    blocks = range(min(config.POOL_BLOCKS, MAX_BLOCKS))
    spans = [dict(row=use.block, start=cut[0], end=cut[1], kind=hues[use.id], text=use.id, strong=use.id == config.FOLLOW,
                  tip=f"block {use.block} · {use.id} giữ · {ms(use.from_us)} → {ms(use.until_us)}") for use, cut in inside if use.block in blocks][:MAX_USES]
    owners = sorted({use.id for use, _ in inside})
    return (
        Picture(kind=TIMELINE, name="Bể KV theo thời gian: ai giữ block nào",
                alt=f"Mỗi hàng một block vật lý, {len(blocks)} block. Chữ trên đoạn là yêu cầu đang giữ block. Cao điểm {main.peak.blocks}/{config.POOL_BLOCKS} block.",
                data=timeline(window.start_us, window.end_us, [
                    rows_track("Block", [dict(label=str(b), strong=False) for b in blocks], spans, dense=True),
                    steps_track("Số block đang giữ", [dict(name="block", kind="kv", steps=held(inside, window, config))], (config.POOL_BLOCKS, f"bể {config.POOL_BLOCKS}"))]),
                legend=tuple((hues[id], id) for id in owners[:8]),
                note=sentences(window.note, left_out("block", len(blocks), config.POOL_BLOCKS), "Một yêu cầu xong ở cuối bước thì trả block lúc bước kết thúc."),
                table=table("Ai giữ block nào, từ lúc nào", [">Block", "Yêu cầu", ">Từ", ">Đến"],
                            [(u.block, u.id, ms(u.from_us), ms(u.until_us)) for u in sorted(main.block_uses, key=lambda u: (u.block, u.from_us))])),
        tables_at_peak(run, hues), against_contiguous(run))


def held(inside, window, config):
    """[start, end, blocks, tip] wherever the number of held blocks changes."""
    changes = {}
    for _, (start, end) in inside:
        changes[start] = changes.get(start, 0) + 1
        changes[end] = changes.get(end, 0) - 1
    steps, used, since = [], 0, window.start_us
    for at, by in (*sorted(changes.items()), (window.end_us, 0)):
        if at > since and (by or at == window.end_us):
            steps.append([since, at, used, f"{ms(since)} → {ms(at)} · {used}/{config.POOL_BLOCKS} block"])
            since = at
        used += by
    return steps


def tables_at_peak(run, hues):
    peak, config = run.main.peak, run.config
    ids = list(peak.tables)[:MAX_TABLES]
    rows = []
    for id in ids:
        left = peak.lengths[id]
        cells = []
        for block in peak.tables[id]:
            filled = min(left, config.BLOCK_SIZE)
            cells.append([block, filled])
            left -= filled
        rows.append(dict(label=id, kind=hues[id], strong=id == config.FOLLOW, blocks=cells[:64], more=max(0, len(cells) - 64),
                         text=f"{peak.lengths[id]} token, thừa {len(peak.tables[id]) * config.BLOCK_SIZE - peak.lengths[id]} chỗ"))
    return Picture(kind=TABLES, name="Bảng block lúc cao điểm, và chỗ thừa ở block cuối",
                   alt="; ".join(f"{r['label']}: block {', '.join(str(b) for b, _ in r['blocks'])}, {r['text']}" for r in rows) + ".",
                   data=dict(block_size=config.BLOCK_SIZE, rows=rows), note=left_out("chuỗi", len(ids), len(peak.tables)))


def against_contiguous(run):
    peak, config = run.main.peak, run.config
    places, contiguous = peak.blocks * config.BLOCK_SIZE, config.SLOTS * config.MAX_CONTEXT
    stored = lambda how: part(peak.tokens, "kv", f"{how} · đang lưu {peak.tokens} token", str(peak.tokens))
    rows = [bar("phân trang", [stored("phân trang"), part(places - peak.tokens, "slack", f"phân trang · thừa {places - peak.tokens} chỗ ở block cuối")], f"{places} chỗ", True),
            bar("liền nhau", [stored("liền nhau"), part(max(0, contiguous - peak.tokens), "slack", f"liền nhau · giữ trước {contiguous - peak.tokens} chỗ chưa dùng")], f"{contiguous} chỗ")]
    return Picture(kind=BARS, name="Phân trang so với cấp sẵn liền nhau, lúc cao điểm", alt=f"Phân trang giữ {places} chỗ token, cấp liền nhau giữ {contiguous}; cả hai lưu {peak.tokens} token.",
                   data=dict(groups=[group("", "chỗ token", rows)]), legend=(("kv", "đang lưu token"), ("slack", "giữ mà chưa dùng")))


def positions(run):
    """Positions that went through the model, with the cache and without it, growing step by step."""
    main = run.main
    if not main.steps:
        return ()
    window = window_of(main, run.config)
    lost = {}
    for p in main.preemptions:
        lost.setdefault(p.at_us, []).append(p.id)
    done, cached, recomputed, counts = {}, 0, 0, []
    for number, step in enumerate(main.steps, 1):
        for id in lost.get(step.start_us, ()):
            done[id] = 0
        for work in step.work:
            done[work.id] = done.get(work.id, 0) + work.tokens
            cached += work.tokens
            recomputed += done[work.id] if work.phase == DECODE else work.tokens
        counts.append((number, step, cached, recomputed))
    shown = [c for c in counts if window.start_us <= c[1].start_us < window.end_us]
    step_of = lambda which, name: [[s.start_us, s.end_us, c[which], f"hết bước {c[0]} · {name} {c[which]} vị trí"] for c in shown for s in (c[1],)]
    return (Picture(
        kind=TIMELINE, name="Số vị trí đã qua mô hình, cộng dồn từng bước", alt=f"Hai đường bậc thang: có cache lên tới {cached} vị trí, tính lại cả lịch sử lên tới {recomputed}.",
        data=timeline(window.start_us, window.end_us, [steps_track("Vị trí", [
            dict(name="tính lại cả lịch sử", kind="preempted", steps=step_of(3, "không cache"), text=str(recomputed)),
            dict(name="có cache", kind="kv", steps=step_of(2, "có cache"), text=str(cached))])]),
        legend=(("preempted", "nếu mỗi bước tính lại cả lịch sử"), ("kv", "có cache")), note=window.note,
        table=table("Số vị trí cộng dồn", [">Bước", ">Có cache", ">Tính lại"], [(n, a, b) for n, _, a, b in counts])),)


def budget(run):
    main, config = run.main, run.config
    peak = main.peak.blocks * config.BLOCK_SIZE * main.bytes_per_token
    rows = [bar("Trọng số", [part(run.weights.nbytes, "plain", f"trọng số · {run.weights.nbytes} byte")], f"{run.weights.nbytes} byte"),
            bar("Bể KV", [part(peak, "kv", f"dùng lúc cao điểm · {peak} byte"), part(main.pool_bytes - peak, "slack", f"chưa dùng · {main.pool_bytes - peak} byte")],
                f"{main.pool_bytes} byte")]
    return (
        Picture(kind=BARS, name="Bộ nhớ của lab", alt=f"Trọng số {run.weights.nbytes} byte; bể KV {main.pool_bytes} byte, cao điểm dùng {peak} byte.",
                data=dict(groups=[group("", "byte", rows)]), legend=(("plain", "trọng số"), ("kv", "KV lúc cao điểm"), ("slack", "KV chưa dùng"))),
        Picture(kind=MEMORY, name="Tính thử cho một mô hình thật", alt="Bảng tính: số lớp, số KV head, chiều mỗi head, kiểu số, độ dài, bộ nhớ GPU và trọng số cho ra số chuỗi chạy được cùng lúc.",
                data=dict(presets=[dict(name=p.name, source=p.source, layers=p.shape.layers, kv_heads=p.shape.kv_heads, d_head=p.shape.d_head,
                                        bytes_per_element=p.shape.bytes_per_element, context=p.context, hbm_gib=p.hbm_bytes // 2**30, weight_gib=p.weight_bytes / 2**30)
                                   for p in PRESETS])),
    )
