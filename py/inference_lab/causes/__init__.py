"""Why two runs differ, in sentences: read off the decomposition of TTFT and the two traces.

In: two `LabRun`s. Out: sentences in Vietnamese, the most telling first. Each says only what both traces show; where the
constants do not explain a difference, it says that too. Each module yields the sentences of one part, from a `Pair`.

The run compared with may be the one before or one that was pinned, so it is called "trước" throughout.
"""
from .endings import ending_of_followed, other_endings, own_parts, who_is_followed
from .latency import gap, tpot, ttft, why_ttft
from .memory import peak, preemptions
from .no_effect import without_effect
from .pair import Pair
from .tokens import tokens
from .whole_run import agreement, throughput, thresholds

SAME_CONFIGURATION = "Cấu hình giống hệt kết quả đem so, nên mọi con số giữ nguyên."
SAME_RESULTS = "Các hằng số và mọi kết quả giống hệt kết quả đem so."
SCRIPT_DIFFERS = "Các hằng số giống hệt kết quả đem so. Khác biệt đến từ phần mã của script."

#: The most telling first.
PARTS = (own_parts, who_is_followed, ending_of_followed, ttft, preemptions, why_ttft, other_endings, tpot, gap, tokens, peak, throughput, agreement,
         thresholds, without_effect)


def causes(before, after):
    """before, after: LabRun. -> list of sentences, never empty"""
    pair = Pair(before, after)
    if before.config == after.config:
        same = pair.same_schedule and pair.same_tokens and pair.same_decisions
        return [SAME_RESULTS if pair.own else SAME_CONFIGURATION] if same else [SCRIPT_DIFFERS, *differences(pair)]
    return differences(pair) or ["Các hằng số vừa đổi không làm con số chính nào thay đổi."]


def differences(pair):
    return [sentence for part in PARTS for sentence in part(pair)]
