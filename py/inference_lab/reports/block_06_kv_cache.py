"""Block 6: physical blocks, block tables, and giving blocks back."""
from ..notation import share
from .phrases import TOLERANCE, first_few, joined, small
from .report import Check, Report, rows_of, table

SOURCES = ("kv_cache.KVPool",)


def build(run):
    main, config = run.main, run.config
    peak, proof = main.peak, main.proof
    places = peak.blocks * config.BLOCK_SIZE
    contiguous = config.SLOTS * config.MAX_CONTEXT
    reused = {b: owners for b, owners in main.block_owners.items() if len(owners) > 1}
    finished = main.by_finish

    return Report(
        number=6, name="KV state manager", title="Block vật lý, bảng block và việc trả block", cell="L2-7",
        idea="KV cache nằm trong một bể chia thành block bằng nhau; bảng block của mỗi chuỗi ghi chuỗi đó đang giữ những block nào.",
        headline=f"cao điểm {peak.blocks}/{config.POOL_BLOCKS}",
        observations=(
            f"Lúc cao điểm dùng {share(peak.blocks, config.POOL_BLOCKS)} block = {places} chỗ token, đang lưu {peak.tokens} token. "
            f"Thừa {places - peak.tokens} chỗ, đều ở block cuối của các chuỗi.",
            "Block của một chuỗi không cần nằm liền nhau: block logic 0, 1, 2… tra qua bảng ra block vật lý nào cũng được.",
            f"Cấp sẵn {config.MAX_CONTEXT} token liền nhau cho mỗi chỗ chạy thì cần {contiguous} chỗ token; phân trang lúc cao điểm cần {places}"
            + (f": một block {config.BLOCK_SIZE} token là quá lớn cho các chuỗi này." if places > contiguous else "."),
            f"{len(reused)} block được dùng lại sau khi chủ cũ trả." if reused else "Không block nào được dùng lại trong lần chạy này.",
            *([f"Bể hết block {len(main.preemptions)} lần, lần nào yêu cầu mới nhất cũng phải trả block và tính lại sau (preempt)."] if main.preemptions else []),
        ),
        tables=(
            table("Bảng block lúc cao điểm", ["Yêu cầu", "Block vật lý, theo thứ tự logic", ">Số block"],
                  peak.tables.items(), lambda entry: (entry[0], joined(map(str, entry[1])), len(entry[1])),
                  tuple(i for i, id in enumerate(peak.tables) if id == config.FOLLOW)),
            table("Trả block, theo thứ tự kết thúc", ["Yêu cầu", "Block trả lại", ">Token đã lưu"],
                  finished, lambda s: (s.id, joined(map(str, s.blocks)), s.computed), rows_of(finished, config.FOLLOW)),
            table("Ai đã giữ từng block", [">Block", "Lần lượt"], main.block_owners.items(), lambda entry: (entry[0], first_few(entry[1], between=" → "))),
            *([table("Block trả lại khi bị preempt", ["Yêu cầu", "Block"], main.preemptions, lambda p: (p.id, joined(map(str, p.blocks))))] if main.preemptions else []),
        ),
        checks=(
            Check("Mọi block được trả lại khi các chuỗi kết thúc", main.free_at_end == config.POOL_BLOCKS, f"còn {main.free_at_end}/{config.POOL_BLOCKS} block trống"),
            Check("K và V gom từ các block rời khớp với tính lại từ đầu", proof.max_kv_difference <= TOLERANCE,
                  f"{proof.positions} vị trí, lệch nhiều nhất {small(proof.max_kv_difference)}"),
        ),
        conclusion=f"Phân trang chỉ giữ chỗ cho token đã có, nên phần thừa luôn nhỏ hơn một block mỗi chuỗi ({config.BLOCK_SIZE} token), dù câu trả lời dài hay ngắn.",
        limits=("Prefix cache và đếm tham chiếu không được mô phỏng. Hết block thì lab preempt bằng cách tính lại, không đẩy KV ra bộ nhớ khác.",),
        sources=SOURCES,
    )
