"""Block 3: what each step does, and who waits for whom."""
from ..metrics import metrics
from ..notation import ms
from .phrases import first_few, followed_is_missing, joined
from .report import Check, Report, table

SOURCES = ("scheduler.Scheduler", "engine.Engine.step", "engine.Engine.duration")


def build(run):
    main, config = run.main, run.config
    steps, served = main.steps, run.served_followed
    mixed = [i for i, s in enumerate(steps, 1) if s.decode_tokens and s.prefill_tokens]

    return Report(
        number=3, name="Iteration scheduler", title="Lập lịch theo từng bước (continuous batching + chunked prefill)", cell="L2-1",
        idea="Trước mỗi bước, bộ lập lịch chọn việc lại từ đầu: ai decode, ai được nạp thêm một đoạn prompt.",
        headline=f"{len(steps)} bước" + (f" · {len(main.preemptions)} preempt" if main.preemptions else ""),
        observations=(
            *first_step(run),
            *([f"Bước {first_few(map(str, mixed))} vừa decode vừa prefill. Hai phần chạy nối tiếp, nên ai đang decode phải đợi đoạn prompt xong."] if mixed
              else ["Không bước nào vừa decode vừa prefill."]),
            *(followed_lines(run, served) if served else [followed_is_missing(run, "bước nào")]),
            *([f"Có {len(main.preemptions)} lần preempt vì hết block: yêu cầu mới nhất trả block, về đầu hàng chờ và sẽ tính lại cả prompt lẫn token đã sinh."] if main.preemptions else []),
        ),
        tables=(
            table("Từng bước: p là prefill một đoạn prompt, d là decode một token",
                  [">Bước", ">Bắt đầu", ">Kết thúc", ">Chờ", ">Chạy", "Việc", f">Token / {config.TOKEN_BUDGET}"],
                  enumerate(steps, 1), step_row,
                  tuple(i for i, s in enumerate(steps) if any(w.id == config.FOLLOW for w in s.work))),
            *([table("Các lần preempt", [">Lúc", "Yêu cầu", "Nhường cho", "Block trả lại", ">Token phải tính lại"],
                     main.preemptions, lambda p: (ms(p.at_us), p.id, p.for_id, joined(map(str, p.blocks)), p.tokens))] if main.preemptions else []),
        ),
        checks=(
            Check("Prefill chỉ dùng phần ngân sách mà decode để lại",
                  all(s.prefill_tokens <= max(0, config.TOKEN_BUDGET - s.decode_tokens) for s in steps),
                  f"nhiều nhất {max((s.prefill_tokens for s in steps), default=0)} token prefill trong một bước, ngân sách {config.TOKEN_BUDGET}"),
            Check("Số yêu cầu chạy cùng lúc không vượt SLOTS", all(s.running <= config.SLOTS for s in steps),
                  f"đông nhất {max((s.running for s in steps), default=0)}, có {config.SLOTS} chỗ"),
            Check("Đồng hồ mô phỏng chỉ tiến", all(a.end_us <= b.start_us for a, b in zip(steps, steps[1:])),
                  f"{len(steps)} bước, từ {ms(steps[0].start_us)} đến {ms(steps[-1].end_us)}" if steps else "không có bước nào"),
        ),
        conclusion="Yêu cầu mới vào ngay ở ranh giới bước kế tiếp khi có chỗ trống. Nó không phải đợi cả nhóm cũ trả lời xong.",
        limits=("Khi một yêu cầu xong giữa danh sách việc của một bước, việc đứng sau trong cùng bước đó dùng lại được block vừa trả.",
                "Mọi token của một bước hiện ra cùng lúc, khi bước kết thúc."),
        sources=SOURCES,
    )


def step_row(numbered):
    i, s = numbered
    work = [f"{w.id}:{w.phase[0]}:{w.tokens}" for w in s.work] + [f"{id}:preempt" for id in s.preempted]
    return i, ms(s.start_us), ms(s.end_us), s.waiting, s.running, " ".join(work), s.decode_tokens + s.prefill_tokens


def first_step(run):
    """What the first step shows: it does not wait for those who have arrived but are not ready."""
    if not run.main.steps:
        return ["Không có bước nào: không yêu cầu nào tới được engine."]
    step = run.main.steps[0]
    late = [s for s in run.main.served if s.spec.arrival <= step.start_us < s.ready_us]
    line = f"Bước 1 bắt đầu lúc {ms(step.start_us)} mô phỏng với {joined([w.id for w in step.work])}."
    if late:
        line += " " + "; ".join(f"{s.id} đã đến nhưng còn tách token, {ms(s.ready_us)} mới sẵn sàng" for s in late[:3]) + ". Bộ lập lịch không đợi."
    return [line]


def followed_lines(run, served):
    chunks = [w.tokens for s in run.main.steps for w in s.work if w.id == served.id and w.phase == "prefill"]
    return [
        f"Prompt của {served.id} dài {len(served.prompt_ids)} token, chạy theo các đoạn {chunks} (mỗi bước tối đa {run.config.TOKEN_BUDGET} token"
        + (", kể cả phần tính lại sau preempt)." if served.preemptions else ")."),
        f"{served.id} sẵn sàng lúc {ms(served.ready_us)}, bước đầu của nó bắt đầu lúc {ms(served.start_us)}: chờ chỗ chạy {ms(metrics(served).queue_us)}.",
    ]
