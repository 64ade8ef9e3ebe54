"""The script that a learner edits, `inference-end-to-end.py`: the table of constants as Python, then a short program.

In: nothing but the table. Out: text that runs wherever the package is installed, and in the page's worker.
"""
import json

from .config import CONSTANTS, Config

HEADER = '''\
"""inference-end-to-end.py: một yêu cầu đi qua cả đường ống phục vụ LLM, tính thật bằng NumPy.

Đổi một hằng số rồi chạy lại. Chương trình ngắn nằm ở cuối file; bạn sửa và viết thêm được.
Thời gian là µs trên đồng hồ mô phỏng: 1 000 µs = 1 ms mô phỏng.
"""
'''

PROGRAM = '''\
import inference_lab as lab

config = lab.Config.of(lab.constants(globals()))    # đọc và kiểm tra các hằng số ở trên
run = lab.run(config)                               # 13 khối hiện kết quả mang tên run
print(lab.transcript(run))
'''

FILE_NAME = "inference-end-to-end.py"
WIDTH = 80


def default_script():
    """-> str"""
    return script(PROGRAM)


def script(program):
    """The default constants, then `program`. -> str"""
    values = Config().plain()
    parts = [HEADER]
    for group in dict.fromkeys(c.group for c in CONSTANTS.values()):
        parts.append(rule(group))
        parts += [commented(c, values[c.name]) for c in CONSTANTS.values() if c.group == group]
    return "\n".join([*parts, rule("Chương trình"), program])


def rule(title):
    return f"\n# ── {title} ".ljust(WIDTH, "─") + "\n"


def commented(constant, value):
    """One constant with what it is, its range, its default and what it does above it."""
    known_as = f" ({constant.known_as})" if constant.known_as else ""
    unit = f" {constant.unit}" if constant.unit else ""
    written = literal(constant, value)
    default = "" if "\n" in written else f"; mặc định {written}"
    return f"# {constant.label}{known_as}: {constant.range}{unit}{default}.\n# {constant.help}\n{constant.name} = {written}\n"


def literal(constant, value):
    """The value as Python source; a list has one entry a line."""
    if constant.kind == "requests":
        return in_lines(f"dict({row})" for row in rows(value))
    return in_lines(map(quoted, value)) if constant.kind == "texts" else quoted(value)


def in_lines(entries):
    return "[\n" + "".join(f"    {entry},\n" for entry in entries) + "]"


def quoted(value):
    """A number or text as Python writes it; a text in double quotes, as JSON has it."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def rows(requests):
    """The arguments of each dict(…), set under each other."""
    cells = [[f"{key}={quoted(value)}," for key, value in request.items()] for request in requests]
    widths = [max(map(len, column)) for column in zip(*cells)]
    return [" ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip(" ,") for row in cells]
