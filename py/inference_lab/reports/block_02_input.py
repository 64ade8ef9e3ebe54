"""Block 2: text becomes token ids, and the prompt is measured against its budget."""
from ..gateway import INPUT
from ..notation import literal, ms, visible
from ..tokenizer import words_of
from .phrases import cause_of_refusal, first_few
from .report import Check, Report, rows_of, table

SHOWN_MERGES = 12

SOURCES = ("tokenizer.train_bpe", "tokenizer.Tokenizer", "gateway.prepare")


def build(run):
    main, config, tokenizer = run.main, run.config, run.tokenizer
    decisions = [a for a in main.admissions if a.stage == INPUT]
    blocked = [a for a in decisions if not a.accepted]
    spec = config.followed
    unknown = tokenizer.unknown(spec.text)
    tokens, ids = ([], []) if unknown else tokenizer.encode(spec.text)
    merges = ["".join(pair) for pair in tokenizer.merges]
    known = [r for r in config.REQUESTS if not tokenizer.unknown(r.text)]
    reads_back = [r for r in known if tokenizer.decode(tokenizer.encode(r.text)[1]) == " ".join(words_of(r.text))]
    accepted = [a for a in decisions if a.accepted]

    return Report(
        number=2, name="Input preparation", title="BPE, token và ngân sách độ dài", cell="L1-3",
        idea="Văn bản được tách thành token, mỗi token đổi thành một số (ID); rồi độ dài được đem so với giới hạn.",
        headline=f"{spec.id}: {len(ids)} token · {len(blocked)} × 400" if ids else f"{len(blocked)} × 400",
        observations=(
            f"BPE học {len(merges)} phép gộp từ {len(config.CORPUS)} câu mẫu. Từ vựng có {len(tokenizer.vocabulary)} token, kể cả `<bos>` và `<eos>`; `</w>` đánh dấu hết một từ.",
            f"{spec.id}: \"{literal(visible(spec.text))}\" thành {len(ids)} token. ID chỉ là số thứ tự trong từ vựng, không mang nghĩa." if ids else
            f"{spec.id}: \"{literal(visible(spec.text))}\" không tách được, vì có ký tự ngoài từ vựng: {first_few(literal(repr(c)) for c in unknown)}.",
            *(f"{a.id} bị chặn với mã 400: {cause_of_refusal(run, a)}." for a in blocked[:3]),
            *([f"Còn {len(blocked) - 3} yêu cầu nữa bị chặn với mã 400."] if len(blocked) > 3 else []),
            *([f"{spec.id} sẵn sàng sau {ms(config.COST_GATEWAY)} ở cổng + {len(ids)} × {ms(config.COST_TOKENIZE_PER_TOKEN)} = "
               f"{ms(config.COST_GATEWAY + config.COST_TOKENIZE_PER_TOKEN * len(ids))} mô phỏng (chi phí giả định)."] if run.served_followed else []),
        ),
        tables=(
            table(f"Token của {spec.id}", [">Vị trí", "Token", ">ID"], zip(range(len(ids)), map(literal, tokens), ids)),
            table("Ngân sách độ dài: prompt + max_new không vượt MAX_CONTEXT",
                  ["Yêu cầu", ">Prompt", ">max_new", ">Tổng", ">MAX_CONTEXT", "Kết quả"],
                  decisions, lambda a: budget_row(run, a), rows_of(decisions, config.FOLLOW)),
            table(f"Các phép gộp{' đầu tiên' if len(merges) > SHOWN_MERGES else ''}, theo thứ tự học", [">Thứ tự", "Token mới"],
                  enumerate(map(literal, merges[:SHOWN_MERGES]), 1)),
        ),
        checks=(
            Check("Ghép token lại thì được đúng văn bản cũ", len(reads_back) == len(known), f"{len(reads_back)}/{len(known)} yêu cầu"),
            Check("Không yêu cầu nào được nhận mà vượt MAX_CONTEXT",
                  all(a.prompt_length + a.spec.max_new <= config.MAX_CONTEXT for a in accepted), f"{len(accepted)} yêu cầu qua bước này"),
        ),
        conclusion="Cùng một văn bản phải cho cùng một dãy ID trên mọi bản sao của dịch vụ. Sai tokenizer là mô hình đọc một câu khác.",
        limits=("Chat template ở đây chỉ là một token `<bos>` đứng đầu. Tokenizer thật học từ dữ liệu lớn hơn nhiều và xử lý được mọi byte.",),
        sources=SOURCES,
    )


def budget_row(run, admission):
    max_new, length = admission.spec.max_new, admission.prompt_length
    total = "–" if length is None else length + max_new
    verdict = "nhận" if admission.accepted else f"chặn 400: {cause_of_refusal(run, admission)}"
    return admission.id, "–" if length is None else length, max_new, total, run.config.MAX_CONTEXT, verdict
