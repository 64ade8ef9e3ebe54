"""Every constant of the lab, declared once: the table that sliders, checks, the URL and the tests loop over.

In: changed constants as plain values (`Config.of({"SLOTS": 3})`). Out: a frozen `Config` whose every value is
known to be sensible, or a `ConfigurationError` that lists all that is wrong. Knows nothing of the engine.

Times are whole microseconds on the simulated clock. The names in capitals are the course's.
"""
import difflib
import math
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from types import MappingProxyType

from .errors import ConfigurationError, Problem, shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Constant:
    """One row of the table. `minimum` to `maximum` is what the engine takes; a slider spans `minimum` to
    `slider_maximum` in steps of `step`. `known_as` is the field's own name for it, where there is one."""

    name: str
    default: object
    kind: str
    group: str
    label: str
    help: str
    unit: str = ""
    known_as: str = ""
    minimum: float | None = None
    maximum: float | None = None
    slider_maximum: float | None = None
    step: float | None = None

    @property
    def range(self):
        """The allowed values, in words."""
        if self.minimum is None:
            return KINDS[self.kind].range
        return f"{KINDS[self.kind].noun} từ {grouped(self.minimum)} đến {grouped(self.maximum)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """What sort of value a constant takes, in words."""

    noun: str
    range: str = ""


KINDS = {
    "int": Kind(noun="số nguyên"),
    "even": Kind(noun="số chẵn"),
    "float": Kind(noun="số"),
    "texts": Kind(noun="danh sách câu", range="danh sách từ 1 đến 200 câu, tổng cộng tối đa 5 000 ký tự, có ít nhất một chữ"),
    "requests": Kind(noun="danh sách yêu cầu", range="danh sách từ 1 đến 20 000 yêu cầu"),
    "id": Kind(noun="id", range="id của một yêu cầu trong REQUESTS"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestSpec:
    """What a client sent: text and sampling parameters, before anything happened to it."""

    id: str
    arrival: int
    text: str
    max_new: int
    temperature: float = 0.0
    top_k: int = 0
    top_p: float = 1.0
    seed: int = 0

    @property
    def greedy(self):
        return self.temperature == 0


LONGEST_TEXT = 1000                 # characters: every prompt goes through the quality gate, and attention is quadratic

#: The sampling and arrival fields of a request: (kind, allowed from, allowed to).
REQUEST_FIELDS = {
    "arrival": ("int", 0, 10**9),
    "max_new": ("int", 1, 4096),
    "temperature": ("float", 0, 100),
    "top_k": ("int", 0, 100_000),
    "top_p": ("float", 0, 1),
    "seed": ("int", 0, 2**32 - 1),
}

#: Fields whose range leaves its lower end out: a top_p of 0 would keep nothing.
ABOVE = ("top_p",)

#: What the tokenizer writes for the start and the end of a sequence and for the end of a word; a corpus must not spell them.
SPECIAL = ("<bos>", "<eos>")
END_OF_WORD = "</w>"

COURSE_CORPUS = ("xin chao model", "xin chao ban", "model hoc token", "ban hoc model", "xin chao token")

COURSE_REQUESTS = (
    RequestSpec(id="A", arrival=0, text="xin chao model", max_new=10, seed=1),
    RequestSpec(id="B", arrival=0, text="model hoc token", max_new=7, temperature=0.8, top_k=4, top_p=0.9, seed=2),
    RequestSpec(id="E", arrival=500, text="xin chao ban", max_new=30, seed=3),
    RequestSpec(id="C", arrival=1000, text="ban hoc model", max_new=8, temperature=0.8, top_k=5, top_p=0.9, seed=4),
    RequestSpec(id="D", arrival=1500, text="xin chao token", max_new=5, seed=5),
)


def _constant(default, group, label, help, *, kind="int", low=None, high=None, slider=None, step=1, unit="", known_as=""):
    return field(default=default, metadata=dict(
        kind=kind, group=group, label=label, help=help, unit=unit, known_as=known_as, minimum=low, maximum=high,
        slider_maximum=high if slider is None else slider, step=step if low is not None else None))


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """All constants of one run. Build it with `Config.of`, which checks; the defaults are the course's run."""

    SEED: int = _constant(
        7, "Mô hình", "Seed của trọng số", "Cùng seed thì trọng số giống hệt, nên chạy lại cho đúng các con số cũ.",
        low=0, high=999_999, slider=200, known_as="seed")
    D_MODEL: int = _constant(
        8, "Mô hình", "Chiều của vector ẩn", "Mỗi token đi qua lớp dưới dạng một vector dài chừng này. Phải bằng N_HEADS × D_HEAD.",
        kind="even", low=2, high=64, step=2, known_as="hidden_size")
    N_HEADS: int = _constant(
        2, "Mô hình", "Số head attention", "Mỗi head có K và V riêng (MHA).", low=1, high=8, known_as="num_attention_heads")
    D_HEAD: int = _constant(
        4, "Mô hình", "Chiều mỗi head", "Số chẵn, vì RoPE xoay các chiều theo từng cặp.",
        kind="even", low=2, high=32, step=2, known_as="head_dim")
    FFN_HIDDEN: int = _constant(
        16, "Mô hình", "Chiều ẩn của FFN", "Bề rộng bên trong của mạng SwiGLU.", low=1, high=256, slider=64, known_as="intermediate_size")
    MAX_CONTEXT: int = _constant(
        24, "Bộ nhớ KV", "Độ dài tối đa của một chuỗi", "Prompt cộng max_new không được vượt quá; vượt thì yêu cầu nhận 400.",
        low=2, high=512, slider=64, unit="token", known_as="max_model_len")
    BLOCK_SIZE: int = _constant(
        4, "Bộ nhớ KV", "Số token trong một block KV", "Block nhỏ thì ít chỗ thừa, nhưng bảng block dài hơn.",
        low=1, high=64, slider=16, unit="token", known_as="block_size")
    POOL_BLOCKS: int = _constant(
        12, "Bộ nhớ KV", "Số block vật lý trong bể KV", "Hết block thì yêu cầu mới nhất bị preempt: trả block rồi tính lại sau.",
        low=1, high=4096, slider=24, unit="block", known_as="num_gpu_blocks")
    SLOTS: int = _constant(
        2, "Lập lịch", "Số chỗ chạy", "Số yêu cầu được chạy cùng lúc.", low=1, high=64, slider=8, unit="yêu cầu", known_as="max_num_seqs")
    QUEUE_LIMIT: int = _constant(
        1, "Lập lịch", "Số chỗ chờ ngoài chỗ chạy", "Hệ thống đã có SLOTS + QUEUE_LIMIT yêu cầu thì cổng trả 429.",
        low=0, high=100_000, slider=10, unit="yêu cầu", known_as="max_queue_size")
    TOKEN_BUDGET: int = _constant(
        6, "Lập lịch", "Ngân sách token mỗi bước", "Decode lấy trước; phần còn lại dành cho các đoạn prompt (chunked prefill).",
        low=1, high=8192, slider=32, unit="token", known_as="max_num_batched_tokens")
    COST_GATEWAY: int = _constant(
        200, "Đồng hồ mô phỏng", "Chi phí ở cổng", "Giả định: xác thực và xét hạn mức.",
        low=0, high=1_000_000, slider=5000, step=50, unit="µs")
    COST_TOKENIZE_PER_TOKEN: int = _constant(
        50, "Đồng hồ mô phỏng", "Chi phí tách một token", "Giả định: CPU chuẩn bị đầu vào.",
        low=0, high=1_000_000, slider=1000, step=10, unit="µs")
    COST_DECODE_FIXED: int = _constant(
        1000, "Đồng hồ mô phỏng", "Chi phí cố định của một bước decode", "Giả định: đọc trọng số một lần cho cả bước.",
        low=0, high=1_000_000, slider=5000, step=50, unit="µs")
    COST_DECODE_PER_SEQ: int = _constant(
        100, "Đồng hồ mô phỏng", "Chi phí decode mỗi chuỗi", "Giả định: phần thêm cho mỗi chuỗi trong bước.",
        low=0, high=1_000_000, slider=2000, step=10, unit="µs")
    COST_PREFILL_FIXED: int = _constant(
        500, "Đồng hồ mô phỏng", "Chi phí cố định của một lần prefill", "Giả định: khởi động phần prefill của một bước.",
        low=0, high=1_000_000, slider=5000, step=50, unit="µs")
    COST_PREFILL_PER_TOKEN: int = _constant(
        400, "Đồng hồ mô phỏng", "Chi phí prefill mỗi token", "Giả định: prefill bị giới hạn bởi tốc độ tính.",
        low=0, high=1_000_000, slider=2000, step=10, unit="µs")
    TTFT_SLO: int = _constant(
        8000, "Chất lượng", "Ngưỡng TTFT", "Giả định: TTFT lớn hơn ngưỡng này thì bị đánh dấu vượt.",
        low=0, high=100_000_000, slider=50_000, step=500, unit="µs", known_as="goodput ttft")
    QUANT_BITS: int = _constant(
        8, "Chất lượng", "Số bit của trọng số lượng tử hóa", "Ít bit thì nhẹ hơn, nhưng sai số lớn hơn.",
        low=2, high=8, unit="bit", known_as="weight_bits")
    QUALITY_GATE: float = _constant(
        0.95, "Chất lượng", "Ngưỡng cổng chất lượng", "Giả định: tỉ lệ quyết định top-1 phải giữ nguyên sau lượng tử hóa.",
        kind="float", low=0, high=1, step=0.01)
    CORPUS: tuple[str, ...] = _constant(
        COURSE_CORPUS, "Đầu vào", "Câu mẫu để học BPE", "Tokenizer chỉ biết các chữ có trong những câu này.", kind="texts")
    N_MERGES: int = _constant(
        10, "Đầu vào", "Số phép gộp BPE", "Nhiều phép gộp thì token dài hơn và prompt ngắn hơn.",
        low=0, high=1000, slider=60, unit="phép gộp")
    REQUESTS: tuple[RequestSpec, ...] = _constant(
        COURSE_REQUESTS, "Đầu vào", "Các yêu cầu", "Thời điểm đến, văn bản, giới hạn sinh và cách lấy mẫu của từng yêu cầu.", kind="requests")
    FOLLOW: str = _constant(
        "C", "Đầu vào", "Yêu cầu được theo dõi", "Các khối kể chi tiết về yêu cầu này.", kind="id")

    @classmethod
    def of(cls, changed=MappingProxyType({})):
        """The defaults with `changed` (name -> plain value) put over them. Raises ConfigurationError with all problems."""
        if not isinstance(changed, Mapping):
            raise ConfigurationError([Problem(
                constant="", value=shown(changed), range="bảng tên–giá trị",
                message=f'{shown(changed)}: cần một bảng tên–giá trị các hằng số muốn đổi, ví dụ {{"SLOTS": 3}}.')])
        values, problems = _read(changed)
        problems += _contradictions({name: c.default for name, c in CONSTANTS.items()} | values)
        if problems:
            raise ConfigurationError(problems)
        return cls(**values)

    @property
    def followed(self):
        """The specification of the followed request."""
        return next(r for r in self.REQUESTS if r.id == self.FOLLOW)

    @property
    def capacity(self):
        """How many requests may be in the system at once, running or waiting."""
        return self.SLOTS + self.QUEUE_LIMIT

    def blocks_for(self, tokens):
        """How many KV blocks `tokens` tokens fill, the last one perhaps in part."""
        return -(-tokens // self.BLOCK_SIZE)

    def plain(self):
        """Every constant as a plain value, as `of` takes it."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        values["CORPUS"] = list(self.CORPUS)
        values["REQUESTS"] = [{f.name: getattr(r, f.name) for f in fields(r)} for r in self.REQUESTS]
        return values


CONSTANTS = {f.name: Constant(name=f.name, default=f.default, **f.metadata) for f in fields(Config)}
_REQUEST_KEYS = {f.name: f.default is MISSING for f in fields(RequestSpec)}      # key -> must be given


def constants(namespace):
    """The lab's constants among the names of a script: `Config.of(constants(globals()))`. Those it does not set are left out."""
    return {name: namespace[name] for name in CONSTANTS if name in namespace}


def grouped(number):
    """A number with its thousands set apart by a space: 16 384."""
    return f"{number:,}".replace(",", " ")


def well_formed(text):
    """`text` with each half of a surrogate pair replaced by U+FFFD, as every UTF-8 writer does."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def request_field_range(key):
    """The allowed values of one of REQUEST_FIELDS, in words."""
    kind, low, high = REQUEST_FIELDS[key]
    return f"{KINDS[kind].noun} {'lớn hơn' if key in ABOVE else 'từ'} {low} {'và tối đa' if key in ABOVE else 'đến'} {grouped(high)}"


# ── Reading plain values ─────────────────────────────────────────────────────

def _is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value):
    return _is_whole(value) or (isinstance(value, float) and math.isfinite(value))


_FITS = {"int": _is_whole, "even": lambda value: _is_whole(value) and value % 2 == 0, "float": _is_number}


def _read(changed):
    """-> (values by name, None where the value is no good; problems)."""
    values, problems = {}, []
    for name, value in changed.items():
        constant = CONSTANTS.get(name)
        if constant is None:
            problems.append(_unknown(name, value))
            continue
        read, found = _READERS[constant.kind](constant, value)
        problems += found
        values[name] = read
    return values, problems


def _unknown(name, value):
    near = difflib.get_close_matches(str(name).upper(), CONSTANTS, n=1, cutoff=0.4)
    hint = f" Có phải bạn muốn viết {near[0]}?" if near else f" Các hằng số của lab: {', '.join(CONSTANTS)}."
    return Problem(constant=well_formed(str(name)), value=value, range="tên một hằng số của lab",
                   message=f"{shown(name)}: lab không có hằng số này.{hint}")


def _wrong(constant, value, remedy, *, request=None, cell=None, where=None, allowed=None):
    allowed = allowed or constant.range
    where = where or constant.name
    return Problem(constant=constant.name, request=request, cell=cell, value=value, range=allowed,
                   message=f"{where} = {shown(value)}: cần {allowed}. {remedy}")


def _read_number(constant, value):
    if not _FITS[constant.kind](value):
        return None, [_wrong(constant, value, f"Hãy nhập một {KINDS[constant.kind].noun}, không để trong dấu nháy, ví dụ {constant.default}.")]
    if not constant.minimum <= value <= constant.maximum:
        return None, [_wrong(constant, value, f"Hãy {'tăng' if value < constant.minimum else 'giảm'} giá trị.")]
    return value, []


def _read_texts(constant, value):
    if not isinstance(value, (list, tuple)) or not 1 <= len(value) <= 200 or not all(isinstance(t, str) for t in value):
        return None, [_wrong(constant, value, "Hãy viết một danh sách câu, mỗi câu trong dấu nháy.")]
    if sum(map(len, value)) > 5000:
        return None, [_wrong(constant, value, "Hãy bỏ bớt câu.")]
    if not any(t.split() for t in value):
        return None, [_wrong(constant, value, "Hãy thêm ít nhất một câu có chữ.")]
    spelt_out = [mark for mark in (*SPECIAL, END_OF_WORD) if any(mark in t for t in value)]
    if spelt_out:
        return None, [_wrong(constant, value, f"Hãy bỏ {', '.join(spelt_out)}: đó là dấu riêng của tokenizer.")]
    return tuple(map(well_formed, value)), []


def _read_id(constant, value):
    if not isinstance(value, str):
        return None, [_wrong(constant, value, 'Hãy viết id trong dấu nháy, ví dụ "C".')]
    return well_formed(value), []


def _read_requests(constant, value):
    if not isinstance(value, (list, tuple)) or not 1 <= len(value) <= 20_000:
        return None, [_wrong(constant, value, "Hãy viết một danh sách có ít nhất một yêu cầu.")]
    specs, problems, seen = [], [], set()
    for place, entry in enumerate(value, 1):
        spec, found = _read_request(constant, place, entry)
        problems += found
        id = spec.id if spec else entry.get("id") if isinstance(entry, dict) else None
        if isinstance(id, str) and id in seen:
            problems.append(_wrong(constant, id, "Hãy đổi một trong hai id.", request=id, cell=(place - 1, "id"),
                                   where=f"Yêu cầu thứ {place}: id", allowed="id không trùng với yêu cầu khác"))
        seen.add(id if isinstance(id, str) else None)
        specs.append(spec)
    return (None if problems else tuple(specs)), problems


def _read_request(constant, place, entry):
    if isinstance(entry, RequestSpec):
        entry = {f.name: getattr(entry, f.name) for f in fields(entry)}
    if not isinstance(entry, dict):
        return None, [_wrong(constant, entry, "Hãy viết yêu cầu dưới dạng các cặp tên và giá trị.",
                             where=f"Yêu cầu thứ {place}", allowed="một bảng tên–giá trị")]
    entry = {key: well_formed(value) if isinstance(value, str) else value for key, value in entry.items()}
    name = entry.get("id")
    named = isinstance(name, str) and name.strip() and len(name) <= 40 and name.isprintable() and "`" not in name
    label = f"Yêu cầu {name}" if named else f"Yêu cầu thứ {place}"
    request = name if isinstance(name, str) else None
    problems = []

    def wrong(key, value, allowed, remedy):
        problems.append(_wrong(constant, value, remedy, request=request, cell=(place - 1, str(key)), where=f"{label}: {key}", allowed=allowed))

    for key, value in entry.items():
        if key not in _REQUEST_KEYS:
            near = difflib.get_close_matches(str(key), _REQUEST_KEYS, n=1)
            wrong(key, value, f"một trong các tên {', '.join(_REQUEST_KEYS)}", f"Có phải bạn muốn viết {near[0]}?" if near else "Hãy bỏ tên này.")
    for key, required in _REQUEST_KEYS.items():
        if required and key not in entry:
            wrong(key, None, "phải có", f"Hãy thêm {key}.")
    if "id" in entry and not named:
        wrong("id", name, "chữ in được, không rỗng, không có dấu nháy ngược, tối đa 40 ký tự", 'Hãy đặt tên cho yêu cầu, ví dụ "F".')
    text = entry.get("text", "")
    if not isinstance(text, str) or len(text) > LONGEST_TEXT:
        wrong("text", text, f"văn bản tối đa {grouped(LONGEST_TEXT)} ký tự", "Hãy viết văn bản trong dấu nháy." if not isinstance(text, str) else "Hãy viết ngắn lại.")
    for key, (kind, low, high) in REQUEST_FIELDS.items():
        if key not in entry:
            continue
        value = entry[key]
        opened, allowed = key in ABOVE, request_field_range(key)
        if not _FITS[kind](value):
            wrong(key, value, allowed, f"Hãy nhập một {KINDS[kind].noun}.")
        elif not (low < value if opened else low <= value) or value > high:
            wrong(key, value, allowed, f"Hãy {'giảm' if value > high else 'tăng'} giá trị.")
    return (None if problems else RequestSpec(**entry)), problems


_READERS = {"int": _read_number, "even": _read_number, "float": _read_number, "texts": _read_texts, "requests": _read_requests, "id": _read_id}


# ── Constants that contradict each other ─────────────────────────────────────

def _contradictions(values):
    """Problems between constants that are each good by themselves; a value of None takes no part."""
    for names, check in (
        (("D_MODEL", "N_HEADS", "D_HEAD"), _width_of_heads),
        (("COST_DECODE_FIXED", "COST_DECODE_PER_SEQ"), _free_decode),
        (("COST_PREFILL_FIXED", "COST_PREFILL_PER_TOKEN"), _free_prefill),
        (("REQUESTS", "FOLLOW"), _nobody_to_follow),
    ):
        involved = [values[name] for name in names]
        if None not in involved:
            yield from check(*involved)


def _width_of_heads(d_model, n_heads, d_head):
    width = n_heads * d_head
    if d_model != width:
        yield Problem(
            constant="D_MODEL", value=d_model, range=f"N_HEADS × D_HEAD = {n_heads} × {d_head} = {width}",
            message=f"D_MODEL = {d_model} nhưng N_HEADS × D_HEAD = {n_heads} × {d_head} = {width}: hai số phải bằng nhau. "
                    f"Hãy đặt D_MODEL = {width}, hoặc đổi N_HEADS hay D_HEAD.")


def _free_decode(fixed, each):
    yield from _free_step("decode", "COST_DECODE_FIXED", fixed, "COST_DECODE_PER_SEQ", each)


def _free_prefill(fixed, each):
    yield from _free_step("prefill", "COST_PREFILL_FIXED", fixed, "COST_PREFILL_PER_TOKEN", each)


def _free_step(phase, fixed_name, fixed, each_name, each):
    if fixed + each == 0:
        yield Problem(
            constant=fixed_name, value=0, range="một trong hai lớn hơn 0",
            message=f"{fixed_name} = 0 và {each_name} = 0: một bước {phase} sẽ không tốn thời gian nào và đồng hồ đứng yên. "
                    f"Hãy cho một trong hai lớn hơn 0.")


def _nobody_to_follow(requests, follow):
    if follow not in {r.id for r in requests}:
        ids = ", ".join(r.id for r in requests[:20])
        yield Problem(
            constant="FOLLOW", value=follow, range=f"một trong: {ids}",
            message=f"FOLLOW = {shown(follow)}: không có yêu cầu nào mang id này. Hãy chọn một trong: {ids}.")
