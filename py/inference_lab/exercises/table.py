"""The six exercises: texts, goals, and explanations whose figures are read off a sweep."""
from ..attribution import prefill_stretch
from ..causes.pair import names
from ..config import CONSTANTS
from ..metrics import summary
from ..notation import UNDEFINED, fixed, ms, percent
from .outcome import observe_gate, observe_trace
from .sweep import BASE, Exercise

LONGEST_GAP_US = 2500                   # what the exercise about TOKEN_BUDGET allows
LATECOMER = BASE.REQUESTS[-1].id        # the request that the exercise about QUEUE_LIMIT wants to be served


LONGER, SHORTER, UNCHANGED = "longer", "shorter", "same"
TTFT_CHOICES = ((LONGER, "Dài hơn"), (SHORTER, "Ngắn hơn"), (UNCHANGED, "Không đổi"))


def direction(old, new):
    """-> LONGER, SHORTER or UNCHANGED; None where one of them is undefined"""
    if old is None or new is None:
        return None
    return UNCHANGED if old == new else LONGER if new > old else SHORTER


def shape_of_ttft(sweep):
    """How the followed TTFT goes on from the default to the end of the slider: falls, turns, same or rises."""
    start = getattr(BASE, sweep.exercise.constant)
    line = [outcome.followed_ttft_us for value, outcome in sweep.outcomes.items() if value >= start]
    if None in line:
        return None
    if min(line) < line[0]:
        return "turns" if line[-1] > min(line) else "falls"
    return "same" if max(line) == line[0] else "rises"


def explain_slots(sweep):
    base, best, more, id = sweep.base, sweep.best, sweep.beside(+1), BASE.FOLLOW
    text = (f"SLOTS = {sweep.answer} cho TTFT của {id} thấp nhất: {ms(best.followed_ttft_us)}, mặc định là {ms(base.followed_ttft_us)}. "
            f"Trước đó {id} {base.waited()}. Với {sweep.answer} chỗ, nó {best.waited()}.")
    if more and more.followed_ttft_us > best.followed_ttft_us:
        text += f" Thêm một chỗ nữa thì TTFT lên {ms(more.followed_ttft_us)}"
        beside = [prefill_stretch(o.trace, o.trace.find(id)) for o in (best, more)]
        if beside[1].prefill_beside > beside[0].prefill_beside:
            text += (f": các bước nạp prompt của {id} phải nạp thêm {beside[1].prefill_beside} token prompt của {names(beside[1].prefill_others)} "
                     f"(trước: {beside[0].prefill_beside} token)")
        text += "."
    return text


def explain_queue(sweep):
    best, fewer = sweep.best, sweep.beside(-1)
    text = f"Với QUEUE_LIMIT = {sweep.answer}, hệ thống chứa {best.config.capacity} yêu cầu nên {LATECOMER} có chỗ đợi. "
    if fewer:
        text = f"Với QUEUE_LIMIT = {fewer.config.QUEUE_LIMIT}, hệ thống chứa {fewer.config.capacity} yêu cầu và {LATECOMER} đến lúc đầy. " + text
    text += f"Đổi lại, TTFT của {LATECOMER} là {ms(best.ttft_us(LATECOMER))}, trong đó {ms(best.queue_us(LATECOMER))} là chờ."
    if direction(sweep.base.followed_ttft_us, best.followed_ttft_us) == UNCHANGED:
        text += f" TTFT của {BASE.FOLLOW} vẫn là {ms(best.followed_ttft_us)}, vì {LATECOMER} đứng sau trong hàng."
    return text


def explain_budget(sweep):
    best, more = sweep.best, sweep.beside(+1)
    text = f"Với TOKEN_BUDGET = {sweep.answer}, khoảng đứng lâu nhất là {ms(best.worst_gap_us)}"
    text += f"; với {more.config.TOKEN_BUDGET} thì đã là {ms(more.worst_gap_us)}." if more else "."
    if direction(sweep.base.followed_ttft_us, best.followed_ttft_us) == LONGER:
        text += (f" Cái giá: prompt bị cắt thành nhiều đoạn hơn, nên TTFT của {BASE.FOLLOW} tăng từ {ms(sweep.base.followed_ttft_us)} "
                 f"lên {ms(best.followed_ttft_us)}.")
    return text


def explain_block(sweep):
    best, smaller, larger = sweep.best, sweep.beside(-1), sweep.beside(+1)
    text = (f"Với BLOCK_SIZE = {sweep.answer}, lúc cao điểm {best.trace.peak.blocks} block chứa {best.trace.peak.tokens} token: "
            f"thừa {best.spare_places} chỗ.")
    if larger:
        text += f" Với {larger.config.BLOCK_SIZE} thì thừa {larger.spare_places} chỗ."
    if smaller and not smaller.pool_suffices:
        text += (f" Với {smaller.config.BLOCK_SIZE}, cả bể chỉ còn {smaller.config.POOL_BLOCKS} × {smaller.config.BLOCK_SIZE} = "
                 f"{smaller.config.POOL_BLOCKS * smaller.config.BLOCK_SIZE} chỗ: {state_of_pool(smaller)}.")
    return text


def explain_pool(sweep):
    best, smaller = sweep.best, sweep.beside(-1)
    text = f"Lúc cao điểm các yêu cầu cần {best.trace.peak.blocks} block, nên bể {sweep.answer} block là vừa đủ."
    if smaller:
        text += f" Với {smaller.config.POOL_BLOCKS} block, {state_of_pool(smaller)}; thời gian chạy từ {ms(summary(best.trace).span_us)} thành {ms(summary(smaller.trace).span_us)}."
        if answers_beside(sweep) == UNCHANGED:
            text += " Các token vẫn y nguyên: yêu cầu bị preempt tính lại từ đầu rồi đi tiếp đúng chỗ cũ."
    return text


def explain_bits(sweep):
    best, fewer = sweep.best, sweep.beside(-1)
    text = f"{sweep.answer} bit giữ {agreement(best)} quyết định ({percent(best.agreed, len(best.decisions), 1)}), đạt ngưỡng {gate_text()}."
    if fewer:
        text += f" {fewer.config.QUANT_BITS} bit chỉ giữ {agreement(fewer)} ({percent(fewer.agreed, len(fewer.decisions), 1)})."
    half = sweep.outcomes.get(BASE.QUANT_BITS // 2)
    if half:
        text += (f" Về dung lượng, {BASE.QUANT_BITS // 2} bit cần {fixed(half.quantization.quantized_bytes, 0)} byte so với "
                 f"{fixed(sweep.base.quantization.quantized_bytes, 0)} byte của {BASE.QUANT_BITS} bit: các scale giữ nguyên {half.quantization.scales} số FP32.")
    return text


def state_of_pool(outcome):
    trace, said = outcome.trace, []
    if trace.preemptions:
        ids = sorted({p.id for p in trace.preemptions})
        said.append(f"{names(ids)} bị preempt{', tổng cộng' if len(ids) > 1 else ''} {len(trace.preemptions)} lần")
    if outcome.cut_short:
        said.append(f"câu trả lời của {names(outcome.cut_short)} bị cắt vì hết block")
    if outcome.too_large:
        said.append(f"{names(outcome.too_large)} bị từ chối vì prompt lớn hơn cả bể")
    return " và ".join(said) or "không ai bị preempt và mọi câu trả lời đều trọn vẹn"


def answers_beside(sweep):
    """The answers with one block less, against those at the answer: same, changed or shorter; None at the end of the range."""
    smaller = sweep.beside(-1)
    if smaller is None:
        return None
    here, there = ({s.id: s.output_ids for s in outcome.trace.served} for outcome in (sweep.best, smaller))
    if here == there:
        return UNCHANGED
    return "cut" if smaller.cut_short or len(there) < len(here) else "changed"


def saving(sweep):
    """What half the bits save of the weights' bytes: half, less or more."""
    half = sweep.outcomes.get(BASE.QUANT_BITS // 2)
    if half is None:
        return None
    part = half.quantization.quantized_bytes / sweep.base.quantization.quantized_bytes
    return "half" if part == 0.5 else "less" if part > 0.5 else "more"


def agreement(outcome):
    return f"{outcome.agreed}/{len(outcome.decisions)}"


def gate_text():
    return f"{100 * BASE.QUALITY_GATE:.6g} %"


def outcome_of(id):
    """How one request ended: a clause without its id."""
    def said(outcome):
        refused = outcome.trace.refusal(id)
        return f"nhận {refused.code}" if refused else "được phục vụ"
    return said


EXERCISES = {e.id: e for e in (
    Exercise(
        id="slots", constant="SLOTS", title="Thêm chỗ chạy",
        task=f"TTFT (thời gian từ lúc đến tới token đầu tiên) tính cả lúc chờ chỗ chạy. Hãy tìm SLOTS cho TTFT của {BASE.FOLLOW} thấp nhất. "
             "Nếu nhiều giá trị cho cùng TTFT, lấy giá trị nhỏ nhất.",
        goal=f"TTFT của {BASE.FOLLOW} thấp nhất",
        question=f"Tăng SLOTS dần từ {BASE.SLOTS} lên, TTFT của {BASE.FOLLOW} sẽ thế nào?",
        choices=(("falls", "Giảm, rồi đứng yên"), ("turns", "Giảm, rồi tăng lại một ít"), ("same", "Không đổi"), ("rises", "Tăng")),
        hints=("TTFT có ba phần: chuẩn bị, chờ chỗ chạy, prefill. Khối 11 ghi từng phần. SLOTS đổi phần nào?",
               "Mọi yêu cầu đang chạy cùng chia một ngân sách: TOKEN_BUDGET token mỗi bước. Thêm chỗ chạy không thêm ngân sách.",
               f"Thêm từng chỗ một, bắt đầu từ mặc định. Sau mỗi lần chạy, so TTFT của {BASE.FOLLOW} với lần trước; dừng ngay trước lần đầu tiên nó tăng."),
        lesson="Thêm chỗ chạy làm hàng chờ ngắn lại, nhưng các yêu cầu chạy cùng lúc phải chia nhau ngân sách token của mỗi bước.",
        observe=observe_trace, holds=lambda o: o.followed_ttft_us is not None, rank=lambda value, o: (o.followed_ttft_us, value),
        columns=((f">TTFT của {BASE.FOLLOW}", lambda o: ms(o.followed_ttft_us)), (">Chờ chỗ chạy", lambda o: ms(o.queue_us(BASE.FOLLOW)))),
        state=lambda o: f"TTFT của {BASE.FOLLOW} là {ms(o.followed_ttft_us)}" if o.followed_ttft_us is not None else f"{BASE.FOLLOW} {outcome_of(BASE.FOLLOW)(o)}",
        better="Có giá trị khác cho TTFT thấp hơn, hoặc bằng thế với ít chỗ hơn.",
        right=shape_of_ttft, explain=explain_slots),
    Exercise(
        id="queue_limit", constant="QUEUE_LIMIT", title="Nới hàng chờ",
        task=f"Hệ thống chứa tối đa SLOTS + QUEUE_LIMIT yêu cầu; ai đến lúc đầy thì nhận 429. Hãy tìm QUEUE_LIMIT nhỏ nhất để {LATECOMER} được phục vụ.",
        goal=f"{LATECOMER} được phục vụ, QUEUE_LIMIT nhỏ nhất",
        question=f"Khi {LATECOMER} được vào hàng chờ, TTFT của {BASE.FOLLOW} sẽ thế nào?", choices=TTFT_CHOICES,
        hints=(f"Khối 1 ghi, lúc {LATECOMER} được xét, trong hệ thống đang có bao nhiêu yêu cầu và giới hạn là bao nhiêu.",
               "Cổng nhận khi số yêu cầu đang có nhỏ hơn SLOTS + QUEUE_LIMIT. Bằng thì vẫn từ chối.",
               f"Nới từng chỗ một, bắt đầu từ mặc định. Dừng ở lần đầu tiên mà khối 1 ghi {LATECOMER} được nhận."),
        lesson="Hàng chờ dài hơn thì ít yêu cầu bị từ chối hơn, nhưng người đứng cuối hàng phải chờ lâu.",
        observe=observe_trace, holds=lambda o: o.trace.find(LATECOMER) is not None, rank=lambda value, o: value,
        columns=((f"Kết quả của {LATECOMER}", outcome_of(LATECOMER)), (f">TTFT của {LATECOMER}", lambda o: ms(o.ttft_us(LATECOMER))),
                 (f">TTFT của {BASE.FOLLOW}", lambda o: ms(o.followed_ttft_us))),
        state=lambda o: f"{LATECOMER} {outcome_of(LATECOMER)(o)}", better="Nhưng còn giá trị nhỏ hơn cũng đủ.",
        right=lambda sweep: direction(sweep.base.followed_ttft_us, sweep.best.followed_ttft_us), explain=explain_queue),
    Exercise(
        id="token_budget", constant="TOKEN_BUDGET", title="Giữ nhịp cho decode",
        task="Mọi token của một bước hiện ra khi bước kết thúc. Bước nào nạp nhiều prompt (prefill) thì ai đang sinh token (decode) phải đứng đợi lâu. "
             f"Hãy tìm TOKEN_BUDGET lớn nhất để không ai phải đứng quá {ms(LONGEST_GAP_US)} mô phỏng giữa hai token.",
        goal=f"khoảng đứng lâu nhất không quá {ms(LONGEST_GAP_US)}, TOKEN_BUDGET lớn nhất",
        question=f"Với ngân sách ấy, so với mặc định, TTFT của {BASE.FOLLOW} sẽ thế nào?", choices=TTFT_CHOICES,
        hints=("Khoảng đứng lâu nhất nằm ở khối 12, bảng so ba cách lập lịch, hàng cuối.",
               "Bước càng nạp nhiều token prompt thì càng dài. Decode lấy phần của mình trước; TOKEN_BUDGET chặn phần còn lại.",
               f"Hạ từng token một, bắt đầu từ mặc định. Dừng ở lần đầu tiên mà khoảng đứng lâu nhất không quá {ms(LONGEST_GAP_US)}."),
        lesson="Ngân sách nhỏ giữ nhịp cho ai đang decode, nhưng cắt prompt thành nhiều đoạn nên token đầu đến muộn: được cái này mất cái kia.",
        observe=observe_trace, holds=lambda o: o.worst_gap_us is not None and o.worst_gap_us <= LONGEST_GAP_US, rank=lambda value, o: -value,
        columns=((">Khoảng đứng lâu nhất", lambda o: ms(o.worst_gap_us)), (f">TTFT của {BASE.FOLLOW}", lambda o: ms(o.followed_ttft_us))),
        state=lambda o: f"khoảng đứng lâu nhất là {ms(o.worst_gap_us)}", better="Nhưng còn giá trị lớn hơn cũng giữ được mức ấy.",
        right=lambda sweep: direction(sweep.base.followed_ttft_us, sweep.best.followed_ttft_us), explain=explain_budget),
    Exercise(
        id="block_size", constant="BLOCK_SIZE", title="Chọn cỡ block",
        task=f"Block cuối của mỗi chuỗi thường còn chỗ trống. Bể vẫn có {BASE.POOL_BLOCKS} block. Hãy tìm BLOCK_SIZE để lúc cao điểm thừa ít chỗ nhất, "
             "mà không ai bị preempt (mất block giữa chừng, phải tính lại) và không câu trả lời nào bị cắt vì hết block.",
        goal="ít chỗ thừa nhất lúc cao điểm, không ai bị preempt",
        question=f"Tăng BLOCK_SIZE từ {BASE.BLOCK_SIZE} lên {CONSTANTS['BLOCK_SIZE'].slider_maximum}, số chỗ thừa lúc cao điểm sẽ thế nào?",
        choices=((LONGER, "Nhiều hơn"), (SHORTER, "Ít hơn"), (UNCHANGED, "Không đổi")),
        hints=("Khối 6 ghi số block, số chỗ token và số chỗ thừa lúc cao điểm.",
               "Mỗi chuỗi chỉ thừa ở block cuối, nên block càng nhỏ thường càng ít thừa. Nhưng bể có sẵn bấy nhiêu block: block nhỏ đi thì cả bể chứa ít token hơn.",
               "Thu nhỏ block từng token một, bắt đầu từ mặc định. Dừng ngay trước lần đầu tiên có preempt, rồi so số chỗ thừa với các cỡ lớn hơn."),
        lesson="Block nhỏ thường ít chỗ thừa hơn; nhưng với cùng số block, block nhỏ cũng làm bể nhỏ đi.",
        observe=observe_trace, holds=lambda o: o.pool_suffices and o.trace.peak.blocks > 0, rank=lambda value, o: (o.spare_places, value),
        columns=((">Chỗ thừa lúc cao điểm", lambda o: str(o.spare_places)), (">Preempt", lambda o: str(len(o.trace.preemptions)))),
        state=lambda o: f"lúc cao điểm thừa {o.spare_places} chỗ, {state_of_pool(o)}",
        better="Có giá trị khác thừa ít chỗ hơn, hoặc bằng thế với block nhỏ hơn.",
        right=lambda sweep: direction(sweep.base.spare_places, sweep.outcomes[CONSTANTS["BLOCK_SIZE"].slider_maximum].spare_places),
        explain=explain_block),
    Exercise(
        id="pool_blocks", constant="POOL_BLOCKS", title="Bể KV vừa đủ",
        task="Trên máy thật, bể KV chiếm bộ nhớ GPU. Hãy tìm POOL_BLOCKS nhỏ nhất để không ai bị preempt (mất block giữa chừng, phải tính lại), không câu trả lời nào bị cắt vì hết block, "
             "và không ai bị từ chối vì prompt lớn hơn cả bể.",
        goal="không ai bị preempt và mọi câu trả lời trọn vẹn, POOL_BLOCKS nhỏ nhất",
        question="Nếu bể thiếu đúng một block so với mức ấy, các token sinh ra có đổi không?",
        choices=((UNCHANGED, "Không: chỉ thời gian đổi"), ("changed", "Có: có câu trả lời khác đi"), ("cut", "Có: có câu trả lời bị cắt ngắn hoặc không có")),
        hints=("Dải con số ghi số lần preempt; khối 8 ghi vì sao từng yêu cầu dừng.",
               "Khối 6 ghi lúc cao điểm các yêu cầu giữ bao nhiêu block. Bể lớn hơn số ấy thì phần dư chưa bao giờ được dùng.",
               "Đặt POOL_BLOCKS đúng bằng số block lúc cao điểm của lần chạy mặc định, rồi thử bớt đi một block."),
        lesson="Bể chỉ cần bằng mức dùng lúc cao điểm. Thiếu một block thì có yêu cầu bị preempt: mất thời gian tính lại, không mất token.",
        observe=observe_trace, holds=lambda o: o.pool_suffices, rank=lambda value, o: value,
        columns=((">Preempt", lambda o: str(len(o.trace.preemptions))), ("Câu trả lời bị cắt", lambda o: ", ".join(o.cut_short) or UNDEFINED),
                 (">Block lúc cao điểm", lambda o: str(o.trace.peak.blocks))),
        state=state_of_pool, better="Nhưng còn bể nhỏ hơn cũng đủ.", right=answers_beside, explain=explain_pool),
    Exercise(
        id="quant_bits", constant="QUANT_BITS", title="Nén đến đâu thì dừng",
        task=f"Hãy tìm QUANT_BITS nhỏ nhất mà bản nén vẫn qua cổng chất lượng: giữ nguyên ít nhất {gate_text()} quyết định của bản gốc.",
        goal=f"giữ ít nhất {gate_text()} quyết định, QUANT_BITS nhỏ nhất",
        question=f"Từ {BASE.QUANT_BITS} bit xuống {BASE.QUANT_BITS // 2} bit, trọng số (kể cả scale) nhẹ đi bao nhiêu?",
        choices=(("half", "Đúng một nửa"), ("less", "Chưa đến một nửa"), ("more", "Hơn một nửa")),
        hints=("Khối 13 ghi bao nhiêu quyết định giữ nguyên, và cổng ĐẠT hay KHÔNG ĐẠT.",
               "Bớt một bit thì khoảng cách giữa hai mức làm tròn rộng gấp đôi, nên sai số cũng khoảng gấp đôi. Hai token sát nhau sẽ đổi chỗ trước.",
               "Bớt từng bit một, bắt đầu từ mặc định. Đáp án là số bit cuối cùng mà khối 13 còn ghi ĐẠT."),
        lesson="Ít bit thì nhẹ hơn, nhưng phải đo lại chất lượng ở từng mức; và phần scale không nhẹ đi theo số bit.",
        observe=observe_gate, holds=lambda o: o.passes_gate, rank=lambda value, o: value,
        columns=((">Quyết định giữ nguyên", agreement), (">Byte trọng số", lambda o: fixed(o.quantization.quantized_bytes, 0))),
        state=lambda o: f"bản nén giữ {agreement(o)} quyết định ({percent(o.agreed, len(o.decisions), 1)}), ngưỡng {gate_text()}",
        better="Nhưng còn số bit nhỏ hơn cũng qua cổng.", right=saving, explain=explain_bits),
)}
