"""Who did what when: the spans of each request, for one schedule (block 3) and for three on one clock (block 12)."""
from ...metrics import metrics, summary
from ...notation import fixed, ms
from ..phrases import POLICY_NAMES
from ..report import table
from .picture import BARS, TIMELINE, Picture, bar, group, part, rows_track, steps_track, timeline
from .window import window_of

STATES = {"prep": "tách token", "waiting": "chờ chỗ chạy", "prefill": "prefill", "decode": "decode", "idle": "giữ chỗ, đợi ngân sách",
          "preempted": "bị preempt, chờ tính lại", "refused": "bị từ chối"}


def life_of(trace):
    """What each served request did, in order: id -> [(state, start_us, end_us, step number or None, tokens)]."""
    lives = {s.id: [("prep", s.spec.arrival, s.ready_us, None, 0)] for s in trace.served}
    since = {s.id: s.ready_us for s in trace.served}
    lost = {}
    for p in trace.preemptions:
        lost.setdefault(p.id, []).append(p.at_us)
    for number, step in enumerate(trace.steps, 1):
        for work in step.work:
            life, free = lives[work.id], since[work.id]
            if step.start_us > free:
                first = life[-1][0] == "prep"
                away = any(free <= at < step.start_us for at in lost.get(work.id, ()))
                life.append(("waiting" if first else "preempted" if away else "idle", free, step.start_us, None, 0))
            life.append((work.phase, step.start_us, step.end_us, number, work.tokens))
            since[work.id] = step.end_us
    return lives


def rows_of_schedule(run, trace, window, title):
    """-> a track: a row for each request, refused ones with the sign of their refusal."""
    followed, lives = run.config.FOLLOW, life_of(trace)
    judged = {a.id: a.judged_us for a in trace.admissions}
    rows, spans, points = [], [], []
    for row, spec in enumerate(window.specs):
        rows.append(dict(label=spec.id, strong=spec.id == followed))
        for state, start, end, number, tokens in lives.get(spec.id, ()):
            inside = window.cut(start, end)
            if inside:
                spans.append(dict(row=row, start=inside[0], end=inside[1], kind=state, text=str(tokens) if state == "prefill" else "",
                                  tip=tip_of(spec.id, state, start, end, number, tokens)))
        refused = trace.refusal(spec.id)
        if refused:
            at = judged[spec.id]
            points.append(dict(row=row, at=at, kind="refused", sign=refused.code, tip=f"{spec.id} · từ chối {refused.code} lúc {ms(at)}"))
        served = trace.find(spec.id)
        if served:
            points += [dict(row=row, at=t, kind="token", sign="", tip=f"{spec.id} · token {i} lúc {ms(t)}")
                       for i, t in enumerate(served.token_times_us, 1) if i == 1 and window.start_us <= t <= window.end_us]
    return rows_track(title, rows, spans, points)


def tip_of(id, state, start, end, number, tokens):
    when = f"{ms(start)} → {ms(end)} ({ms(end - start)})"
    return f"{id} · bước {number} · {state} {tokens} token · {when}" if number else f"{id} · {STATES[state]} · {when}"


def budget_track(run, window):
    budget = run.config.TOKEN_BUDGET
    decode = [[s.start_us, s.end_us, s.decode_tokens, f"bước {i} · decode {s.decode_tokens} + prefill {s.prefill_tokens} = {s.decode_tokens + s.prefill_tokens}/{budget} token"]
              for i, s in window.steps]
    prefill = [[s.start_us, s.end_us, s.prefill_tokens, decode[n][3]] for n, (_, s) in enumerate(window.steps)]
    return dict(steps_track("Token trong bước", [dict(name="decode", kind="decode", steps=decode), dict(name="prefill", kind="prefill", steps=prefill)],
                            (budget, f"ngân sách {budget}")), form="stack")


def legend_of(*tracks):
    met = {s["kind"] for t in tracks for s in t.get("spans", ())}
    signs = {p["kind"] for t in tracks for p in t.get("points", ())}
    return (*((kind, text) for kind, text in STATES.items() if kind in met or kind in signs), *([("token", "token đầu")] if "token" in signs else []))


def spans_table(caption, track):
    rows = [(track["rows"][s["row"]]["label"], s["tip"].split(" · ", 1)[1].rsplit(" · ", 1)[0], ms(s["start"]), ms(s["end"])) for s in track["spans"]]
    return table(caption, ["Yêu cầu", "Làm gì", ">Từ", ">Đến"], rows)


def scheduler(run):
    window = window_of(run.main, run.config)
    track = rows_of_schedule(run, run.main, window, "")
    served = run.served_followed
    told = (f"{served.id} chờ từ {ms(served.ready_us)} đến {ms(served.start_us)}, token đầu lúc {ms(served.token_times_us[0])}." if served else
            f"{run.config.FOLLOW} bị từ chối.")
    return (Picture(
        kind=TIMELINE, name="Lịch chạy của từng yêu cầu",
        alt=f"Biểu đồ Gantt: mỗi hàng một yêu cầu, {len(track['spans'])} đoạn thời gian trên đồng hồ mô phỏng. {told}",
        data=timeline(window.start_us, window.end_us, [track, budget_track(run, window)]),
        legend=legend_of(track), note=window.note, table=spans_table("Từng đoạn của lịch chạy", track)),)


def benchmark(run):
    windows = [window_of(t, run.config) for t in run.traces]
    tracks = [rows_of_schedule(run, t, w, POLICY_NAMES[t.policy.name]) for t, w in zip(run.traces, windows)]
    sums = [summary(t) for t in run.traces]
    names = [t.policy.name for t in run.traces]
    main = len(names) - 1

    def compared(title, unit, field, write):
        rows = [bar(n, [] if getattr(s, field) is None else [part(getattr(s, field), "plain", f"{n} · {title}: {write(getattr(s, field))}")],
                    write(getattr(s, field)), i == main) for i, (n, s) in enumerate(zip(names, sums))]
        return group(title, unit, rows)

    schedules = Picture(
        kind=TIMELINE, name="Ba cách lập lịch trên cùng một đồng hồ",
        alt="Ba biểu đồ Gantt chồng nhau: " + "; ".join(f"{n} kết thúc lúc {ms(t.steps[-1].end_us) if t.steps else '–'}" for n, t in zip(names, run.traces)) + ".",
        data=timeline(min(w.start_us for w in windows), max(w.end_us for w in windows), tracks), legend=legend_of(*tracks), note=windows[main].note,
        table=table("Từng yêu cầu ở ba cách lập lịch", ["Cách", "Yêu cầu", ">Bắt đầu", ">Token đầu", ">Xong"],
                    [(t.policy.name, s.id, ms(s.start_us), ms(s.token_times_us[0]), ms(s.finish_us)) for t in run.traces for s in t.served]))
    if not any(t.served for t in run.traces):
        return (schedules,)
    return schedules, Picture(
        kind=BARS, name="Bốn số đo, đặt cạnh nhau", alt="Thanh ngang so ba cách: TTFT trung bình, TPOT trung bình, khoảng đứng lâu nhất (ngắn hơn là tốt) và throughput (dài hơn là tốt).",
        data=dict(groups=[
            compared("TTFT trung bình · ngắn là tốt", "µs", "mean_ttft_us", ms), compared("TPOT trung bình · ngắn là tốt", "µs", "mean_tpot_us", ms),
            compared("Khoảng đứng lâu nhất · ngắn là tốt", "µs", "worst_gap_us", ms),
            compared("Throughput · dài là tốt", "token/s", "throughput", lambda v: "–" if v is None else fixed(v, 1) + " token/s")]))


def ttft(run):
    """Block 11's first picture: the three parts of each TTFT against the threshold."""
    config = run.config
    shown = [s for s in run.main.served]
    window = window_of(run.main, config)
    here = {r.id for r in window.specs}
    shown = [s for s in shown if s.id in here]
    rows = []
    for served in shown:
        m = metrics(served)
        parts = [part(value, kind, f"{served.id} · {name} {ms(value)}", ms(value)) for kind, name, value in
                 (("prep", "chuẩn bị đầu vào", m.prep_us), ("waiting", "chờ chỗ chạy", m.queue_us), ("prefill", "prefill", m.prefill_us))]
        rows.append(bar(served.id, parts, f"{ms(m.ttft_us)} {'vượt' if m.ttft_us > config.TTFT_SLO else 'đạt'}", served.id == config.FOLLOW))
    return Picture(kind=BARS, name="TTFT tách làm ba phần", alt="Thanh ngang xếp ba phần của TTFT: " + "; ".join(f"{r['label']} {r['text']}" for r in rows) + f". Vạch SLO ở {ms(config.TTFT_SLO)}.",
                   data=dict(groups=[group("", "µs", rows, (config.TTFT_SLO, f"SLO {ms(config.TTFT_SLO)}"))]), note=window.note,
                   legend=(("prep", "chuẩn bị đầu vào"), ("waiting", "chờ chỗ chạy"), ("prefill", "prefill"))) if rows else None


def telemetry(run):
    config, window = run.config, window_of(run.main, run.config)

    def line(name, kind, of, write):
        return dict(name=name, kind=kind, steps=[[s.start_us, s.end_us, of(s), f"bước {i} · {ms(s.start_us)} → {ms(s.end_us)} · {write(of(s))}"] for i, s in window.steps])

    steps = Picture(
        kind=TIMELINE, name="Hàng chờ, số đang chạy và block KV, từng bước",
        alt="Ba đường bậc thang trên đồng hồ mô phỏng: số yêu cầu chờ, số yêu cầu chạy và số block KV đang dùng.",
        data=timeline(window.start_us, window.end_us, [
            steps_track("Đang chờ", [line("chờ", "waiting", lambda s: s.waiting, lambda v: f"chờ {v}")]),
            steps_track("Đang chạy", [line("chạy", "decode", lambda s: s.running, lambda v: f"chạy {v}/{config.SLOTS}")], (config.SLOTS, f"{config.SLOTS} chỗ")),
            steps_track("Block KV sau bước", [line("block", "kv", lambda s: s.kv_blocks_used, lambda v: f"{v}/{config.POOL_BLOCKS} block")],
                        (config.POOL_BLOCKS, f"bể {config.POOL_BLOCKS}"))]), note=window.note)
    return tuple(p for p in (ttft(run), steps) if p) if run.main.steps else ()
