"""Block 1: who gets in, who gets 429, and why."""
from ..gateway import GATEWAY
from ..notation import ms
from .phrases import cause_of_refusal
from .report import Check, Report, rows_of, table

SOURCES = ("gateway.admit",)


def build(run):
    main, config = run.main, run.config
    decisions = [a for a in main.admissions if a.stage == GATEWAY]
    n_offered, n_served = len(config.REQUESTS), len(main.served)
    turned_away = [a for a in decisions if not a.accepted]
    n_429, n_400 = len(turned_away), sum(r.code == "400" for r in main.refused)
    fullest = max((a.in_system for a in decisions if a.accepted), default=0)

    return Report(
        number=1, name="Gateway & admission", title="Cổng tiếp nhận và kiểm soát hàng đợi", cell="L1-1",
        idea="Cổng đếm số yêu cầu đang ở trong hệ thống, rồi mới nhận hoặc từ chối yêu cầu vừa tới.",
        headline=f"{n_served} nhận · {n_429} × 429",
        observations=(
            f"Hệ thống chứa tối đa `SLOTS` + `QUEUE_LIMIT` = {config.SLOTS} + {config.QUEUE_LIMIT} = {config.capacity} yêu cầu, kể cả đang chạy và đang chờ.",
            *(f"{a.id} đến lúc {ms(a.spec.arrival)} mô phỏng, được xét lúc {ms(a.judged_us)}: {cause_of_refusal(run, a)} nên nhận 429." for a in turned_away[:3]),
            *(["Không yêu cầu nào bị từ chối ở cổng."] if not turned_away else []),
            *([f"Còn {len(turned_away) - 3} yêu cầu nữa nhận 429; bảng dưới kể từng yêu cầu."] if len(turned_away) > 3 else []),
            f"Cổng cho qua {len(decisions) - n_429} yêu cầu. Bước chuẩn bị đầu vào chặn thêm {n_400} (mã 400), còn {n_served} vào engine.",
        ),
        tables=(
            table("Cổng xét từng yêu cầu theo thứ tự đến",
                  ["Yêu cầu", ">Đến", ">Xét lúc", ">Đang có", ">Giới hạn", "Kết quả"],
                  decisions, lambda a: (a.id, ms(a.spec.arrival), ms(a.judged_us), a.in_system, config.capacity, "nhận" if a.accepted else "từ chối 429"),
                  rows_of(decisions, config.FOLLOW)),
            table("Mọi yêu cầu đều có kết cục", [">Gửi tới", ">Được phục vụ", ">Từ chối 429", ">Từ chối 400"], [(n_offered, n_served, n_429, n_400)]),
        ),
        checks=(
            Check("Số yêu cầu gửi tới bằng số được phục vụ cộng số bị từ chối", n_offered == n_served + len(main.refused),
                  f"{n_offered} = {n_served} + {len(main.refused)}"),
            Check("Cổng chỉ nhận khi còn chỗ", fullest < config.capacity, f"lúc đông nhất mà vẫn nhận: đang có {fullest}, giới hạn {config.capacity}"),
        ),
        conclusion=(
            "Từ chối sớm giữ cho hàng đợi ngắn. Yêu cầu đến lúc đầy biết ngay để thử lại, thay vì chờ rất lâu rồi vẫn trễ hạn." if n_429 else
            "Chưa yêu cầu nào đến khi hệ thống đã đầy, nên cổng không từ chối ai. Ít chỗ hơn hoặc đông yêu cầu hơn thì mới thấy mã 429."),
        limits=(
            "Cổng chỉ xét ở ranh giới giữa hai bước: ai đến giữa bước thì đợi bước đó xong mới được xét, nhưng thời điểm đến vẫn giữ nguyên.",
            "Xác thực, hạn mức theo khách hàng và hủy yêu cầu không được mô phỏng.",
        ),
        sources=SOURCES,
    )
