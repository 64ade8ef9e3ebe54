"""Block 11: the run step by step, and TTFT taken apart."""
from ..metrics import metrics
from ..notation import ms, share, us
from .report import Check, Report, rows_of, table

PARTS = (("prep_us", "chuẩn bị đầu vào"), ("queue_us", "chờ chỗ chạy"), ("prefill_us", "prefill"))

SOURCES = ("metrics.metrics", "metrics.Metrics")


def build(run):
    main, config = run.main, run.config
    each = [(s, metrics(s)) for s in main.served]
    followed = next((m for s, m in each if s.id == config.FOLLOW), None)
    over = [s.id for s, m in each if m.ttft_us > config.TTFT_SLO]
    exact = [s for s, m in each if m.prep_us + m.queue_us + m.prefill_us == m.ttft_us]

    return Report(
        number=11, name="Telemetry & capacity feedback", title="Số đo từng bước và TTFT tách làm ba phần", cell="L0-3",
        idea="Mỗi bước để lại số đo; cộng lại thì biết một yêu cầu chậm vì chuẩn bị, vì chờ hay vì prefill.",
        headline=f"TTFT {config.FOLLOW} {ms(followed.ttft_us)}" if followed else f"{len(over)}/{len(each)} vượt SLO",
        observations=(
            *([f"TTFT của {config.FOLLOW} = {ms(followed.prep_us)} + {ms(followed.queue_us)} + {ms(followed.prefill_us)} = {ms(followed.ttft_us)} mô phỏng. Phần lớn nhất: {largest_part(followed)}."] if followed
              else [f"{config.FOLLOW} không được phục vụ nên không có TTFT."]),
            f"Ngưỡng giả định {ms(config.TTFT_SLO)}: {len(over)}/{len(each)} yêu cầu vượt" + (f" ({', '.join(over[:10])})." if over else "."),
            f"Hàng chờ dài nhất {max((s.waiting for s in main.steps), default=0)}, đông nhất {max((s.running for s in main.steps), default=0)} yêu cầu chạy cùng lúc.",
            *([f"{len(main.preemptions)} lần preempt: các yêu cầu đó phải tính lại. Token đã gửi thì giữ nguyên thời điểm, token kế tiếp đến muộn hơn."] if main.preemptions else []),
        ),
        tables=(
            table("TTFT tách làm ba phần (µs mô phỏng)", ["Yêu cầu", ">Chuẩn bị", ">Chờ chỗ chạy", ">Prefill", ">TTFT", "Phần lớn nhất", "Ngưỡng"],
                  each, lambda pair: ttft_row(*pair, config.TTFT_SLO),
                  rows_of(main.served, config.FOLLOW)),
            table("Từng bước (block KV đếm sau khi chuỗi vừa xong đã trả)",
                  [">Bước", ">Thời lượng", ">Chờ", ">Chạy", ">Decode", ">Prefill", ">Block KV", *([">Preempt"] if main.preemptions else [])],
                  enumerate(main.steps, 1), lambda numbered: step_row(*numbered, config.POOL_BLOCKS) + ((len(numbered[1].preempted),) if main.preemptions else ())),
        ),
        checks=(
            Check("Ba phần cộng lại đúng bằng TTFT, không lệch một micro giây", len(exact) == len(each), f"{len(exact)}/{len(each)} yêu cầu"),
        ),
        conclusion="Đừng chỉ nhìn tổng TTFT. Phần chờ lớn thì hệ thống thiếu chỗ; phần prefill lớn thì prompt dài hoặc bị chia nhỏ: hai bệnh, hai cách chữa.",
        limits=(f"Chỉ có {len(each)} yêu cầu được phục vụ, chưa đủ để nói p95 hay p99; hệ thật cần hàng nghìn mẫu." if len(each) < 1000
                else "Các yêu cầu này lặp lại vài mẫu, nên p95 hay p99 của chúng không nói gì về tải thật.",
                "Mọi thời gian đều đo trên đồng hồ mô phỏng, dựng từ các hằng số `COST_*` giả định."),
        sources=SOURCES,
    )


def ttft_row(served, m, slo):
    return served.id, m.prep_us, m.queue_us, m.prefill_us, m.ttft_us, largest_part(m), "vượt" if m.ttft_us > slo else "đạt"


def step_row(i, step, pool_blocks):
    return (i, us(step.duration_us), step.waiting, step.running, step.decode_tokens, step.prefill_tokens, share(step.kv_blocks_used, pool_blocks))


def largest_part(m):
    """The name of the largest of the three parts of a TTFT; the earlier one if two are equal."""
    field, name = max(PARTS, key=lambda part: getattr(m, part[0]))
    return name
