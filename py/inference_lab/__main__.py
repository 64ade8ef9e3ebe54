"""The command line: `python3 -m inference_lab [run | figures | constants | script | examples | measure]`.

run        prints the lab as text (the default); --set NAME=VALUE, --config FILE.json, --json, --block N
figures    reads one JSON object of changed constants a line and answers each with one line of JSON
constants  prints the table of constants; --json for programs
script     prints inference-end-to-end.py, the same run as a script to edit
examples   prints scripts that put a part of their own into the engine; --json for programs
measure    measures this machine in real seconds; --size NAME, --whole, --json for programs

Bad input ends with exit status 2 and readable Vietnamese, never with a traceback.
"""
import argparse
import json
import math
import os
import sys
import time

from .config import CONSTANTS, Config
from .default_script import FILE_NAME, default_script
from .errors import ConfigurationError, Problem, shown
from .examples import examples
from .figures import figures
from .lab import run
from .machine import BUDGET_S, SIZE_NAMES, SIZES, choose_size, last_cache_bytes, overruns, plan
from .machine_report import record, text
from .machine_service import smaller_than, taken_point
from .notation import UNDEFINED
from .reports import build_reports
from .service import constants as constants_as_plain
from .service import described
from .transcript import block, transcript


def main(argv=None):
    """-> exit status"""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")       # a byte or letter that the terminal cannot say is escaped
    arguments = parser().parse_args(argv)
    try:
        status = arguments.do(arguments)
        sys.stdout.flush()
        return status
    except ConfigurationError as error:
        print(*(f"Lỗi: {p.message}" for p in error.problems), sep="\n", file=sys.stderr)
        return 2
    except OSError as error:                                    # the reader has gone (| head), or the disk is full
        sys.stdout = open(os.devnull, "w")                      # or the interpreter would try to write the rest at its end
        if not isinstance(error, BrokenPipeError):
            print(f"Lỗi: không ghi được kết quả ({error}). Hãy kiểm tra nơi ghi rồi chạy lại.", file=sys.stderr)
        return 1


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(2, f"Lỗi: tham số không hợp lệ ({message}). Gõ --help để xem cách dùng.\n")


def parser():
    p = Parser(prog="inference_lab", description="Bản thu nhỏ của một hệ phục vụ LLM, bằng NumPy.")
    p.set_defaults(do=print_run, set=[], config=None, json=False, block=None)
    commands = p.add_subparsers(title="lệnh")
    r = commands.add_parser("run", help="chạy lab và in kết quả")
    r.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="đổi một hằng số; VALUE viết như JSON")
    r.add_argument("--config", metavar="FILE.json", help="đọc các hằng số đã đổi từ một file JSON")
    r.add_argument("--json", action="store_true", help="in các con số dưới dạng JSON")
    r.add_argument("--block", type=int, choices=range(1, 14), metavar="N", help="chỉ in khối N (1 đến 13)")
    r.set_defaults(do=print_run)
    f = commands.add_parser("figures", help="mỗi dòng vào là một JSON các hằng số đã đổi, mỗi dòng ra là các con số")
    f.set_defaults(do=answer_figures)
    c = commands.add_parser("constants", help="in bảng hằng số")
    c.add_argument("--json", action="store_true", help="in dưới dạng JSON")
    c.set_defaults(do=print_constants)
    s = commands.add_parser("script", help=f"in script {FILE_NAME} để sửa rồi chạy bằng python3")
    s.set_defaults(do=print_script)
    e = commands.add_parser("examples", help="in các script mẫu tự viết sample, scheduler, cost")
    e.add_argument("--json", action="store_true", help="in dưới dạng JSON")
    e.set_defaults(do=print_examples)
    m = commands.add_parser("measure", help="đo trần của máy này, prefill và decode, bằng giây thật")
    m.add_argument("--size", choices=SIZES, help=f"cỡ decoder ({', '.join(f'{size}: {name}' for size, name in SIZE_NAMES.items())}); không nói thì chọn theo máy")
    m.add_argument("--whole", action="store_true", help=f"đo cả những prompt lâu hơn {BUDGET_S:.0f} giây")
    m.add_argument("--json", action="store_true", help="in kết quả dưới dạng JSON, dán được vào trang")
    m.set_defaults(do=measure_machine)
    return p


def print_run(arguments):
    result = run(Config.of(changed(arguments)))
    if arguments.json:
        print(json.dumps(figures(result), ensure_ascii=False, allow_nan=False))
        return 0
    reports = build_reports(result)
    print(block(reports[arguments.block - 1]) if arguments.block else transcript(result, reports), end="\n" if arguments.block else "")
    return 0 if all(r.passed for r in reports) else 1


def changed(arguments):
    """The constants that --config and --set name; --set comes last and wins."""
    values = {}
    if arguments.config is not None:
        try:
            with open(arguments.config, encoding="utf-8") as file:
                values = json.load(file)
        except (OSError, ValueError, RecursionError) as error:
            raise bad_argument("--config", arguments.config, f"không đọc được file JSON này ({error}). Hãy kiểm tra đường dẫn và nội dung") from error
    if not isinstance(values, dict):
        return values                                # Config.of says what is wrong with it
    for pair in arguments.set:
        name, equals, text = pair.partition("=")
        if not equals:
            raise bad_argument("--set", pair, "hãy viết NAME=VALUE, ví dụ --set SLOTS=3")
        values[name.strip()] = value_of(text)
    return values


def value_of(text):
    """VALUE as JSON; what is not JSON is taken as text, so that FOLLOW=A needs no quotes."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def bad_argument(option, value, message):
    return ConfigurationError([Problem(constant=option, value=value, message=f"{option} {value}: {message}.")])


def answer_figures(arguments):
    for line in sys.stdin or ():
        if line.strip():
            print(json.dumps(figures_or_error(line), ensure_ascii=False, allow_nan=False), flush=True)
    return 0


def figures_or_error(line):
    try:
        return {"figures": figures(run(Config.of(json_of(line))))}
    except ConfigurationError as error:
        return {"error": described(error.problems)}


def json_of(line):
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise bad_argument("figures", shown(line.strip()), f"dòng này không phải JSON ({error})") from error


def print_constants(arguments):
    rows = constants_as_plain()
    if arguments.json:
        print(json.dumps(rows, ensure_ascii=False, allow_nan=False))
        return 0
    for group in dict.fromkeys(c.group for c in CONSTANTS.values()):
        print(f"\n{group}")
        for row in (r for r in rows if r["group"] == group):
            default = UNDEFINED if isinstance(row["default"], list) else row["default"]
            print(f"  {row['name']:<24} {default!s:>8} {row['unit']:<9} {row['label']}. {row['range']}" + (f"  [{row['known_as']}]" if row["known_as"] else ""))
    return 0


def print_examples(arguments):
    if arguments.json:
        print(json.dumps(examples(), ensure_ascii=False))
    else:
        print(*(example["program"] for example in examples()), sep="\n\n")
    return 0


def print_script(arguments):
    print(default_script(), end="")
    return 0


def measure_machine(arguments):
    """Ceilings first: they say which size fits. Progress goes to stderr, so that --json can be piped."""
    start = time.monotonic()
    first = {}
    for point in ("matmul_float32", "read"):
        announce(point)
        first[point] = taken_point(point, None)
    speeds = [first[point]["median"] for point in ("matmul_float32", "read")]
    size = arguments.size or choose_size(*speeds, last_cache_bytes())
    planned = plan(size, *speeds, math.inf if arguments.whole else BUDGET_S)
    if not planned.prompts:
        smaller = smaller_than(size)
        remedy = f"Hãy chọn --size {smaller}, hoặc thêm --whole" if smaller else "Hãy thêm --whole"
        raise bad_argument("--size", size, f"cỡ này đo lâu hơn {BUDGET_S:.0f} giây trên máy này. {remedy}")
    print(f"Cỡ {size}, dự tính {planned.seconds:.0f} giây"
          + (f"; bỏ prompt {', '.join(map(str, planned.left_out))} vì sẽ quá {BUDGET_S:.0f} giây, thêm --whole để đo cả" if planned.left_out else ""), file=sys.stderr)
    taken = dict(first)
    for point in planned.points:
        if point in taken:
            continue
        if not arguments.whole and overruns(point, taken, time.monotonic() - start):
            print(f"· {point}: bỏ, vì máy chậm hơn dự tính và sẽ quá {BUDGET_S:.0f} giây; thêm --whole để đo cả", file=sys.stderr)
            continue
        announce(point)
        taken[point] = taken_point(point, size)
    made = record(size, taken)
    print(json.dumps(made, ensure_ascii=False, allow_nan=False) if arguments.json else text(made))
    return 0


def announce(point):
    print(f"· {point}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
