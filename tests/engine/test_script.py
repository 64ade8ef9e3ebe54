"""A learner's script: what it leaves, what it prints, and what went wrong, in words and with its own line."""
import inspect
import json
import sys

import pytest

from inference_lab.default_script import default_script
from inference_lab.script import run_script
from inference_lab.service import Service

PROGRAM = "import inference_lab as lab\nrun = lab.run(lab.Config.of(lab.constants(globals())))\n"


def outcome_of(text, live=None):
    outcome = run_script(text, live)
    return driven(outcome) if inspect.isawaitable(outcome) else outcome


def driven(coroutine):
    """What a coroutine returns that waits for nothing but its turn: no event loop is needed, and Pyodide cannot start one."""
    try:
        while True:
            coroutine.send(None)
    except StopIteration as done:
        return done.value


def error_of(text):
    return outcome_of(text).error


def ask(script, **asked):
    return json.loads(Service().answer("run", json.dumps({"script": script} | asked)))


# ── What it leaves ───────────────────────────────────────────────────────────

def test_the_default_script_gives_what_the_constants_give_and_prints_the_printout():
    by_script, by_constants = ask(default_script())["ok"], json.loads(Service().answer("run", "{}"))["ok"]
    same = ("reports", "transcript", "passed", "verdict", "constants", "headlines", "truths")
    assert {name: by_script[name] for name in same} == {name: by_constants[name] for name in same}
    assert by_script["printed"] == by_script["transcript"] + "\n" and by_script["note"] is None
    assert by_script["key"] != by_constants["key"]                  # another script may make of the same constants something else


def test_constants_of_the_script_count_and_not_those_beside_it():
    ok = ask("SLOTS = 3\n" + PROGRAM, constants={"SLOTS": 5})["ok"]
    assert ok["constants"]["SLOTS"] == 3 and ok["constants"]["BLOCK_SIZE"] == 4


def test_a_script_runs_as_main_under_its_name():
    ok = ask("print(__name__, __file__)\nimport sys\nprint(sys.modules['__main__'].__file__, sys.argv)")["ok"]
    assert ok["printed"] == "__main__ inference-end-to-end.py\ninference-end-to-end.py ['inference-end-to-end.py']\n"


@pytest.mark.parametrize("script, said", [("print(1)", "không để lại kết quả"), ("run = 3", "run là một int"), ("run = print", "builtin_function")])
def test_a_script_that_leaves_no_run_has_no_reports_and_the_note_says_why(script, said):
    ok = ask(script)["ok"]
    assert ok["reports"] is None and ok["key"] is None and said in ok["note"] and "lab.run(config)" in ok["note"]


def test_a_run_that_the_script_has_spoilt_is_an_error_in_words():
    error = ask(PROGRAM + "object.__setattr__(run, 'traces', ())")["error"]
    assert error["kind"] == "script" and "không còn là kết quả nguyên vẹn" in error["message"] and error["traceback"]


def test_a_script_may_await_at_its_top_level():
    outcome = outcome_of("import asyncio\nprint('a')\nawait asyncio.sleep(0)\nprint('b')\n" + PROGRAM)
    assert outcome.printed == "a\nb\n" and outcome.run.config.SLOTS == 2


def test_what_it_awaited_is_answered_through_the_service_too():
    later = Service().answer("run", json.dumps({"script": "import asyncio\nawait asyncio.sleep(0)\nx = 1 / 0"}))
    error = json.loads(driven(later))["error"]
    assert (error["kind"], error["line"]) == ("script", 3)


@pytest.mark.parametrize("code, printed", [("3", "[script kết thúc bằng sys.exit(3)]\n"), ("", "[script kết thúc bằng sys.exit()]\n"),
                                           ("'thôi'", "thôi\n[script kết thúc bằng sys.exit()]\n")])
def test_sys_exit_ends_it_without_an_error_and_keeps_the_run(code, printed):
    outcome = outcome_of(PROGRAM + f"import sys\nsys.exit({code})")
    assert outcome.error is None and outcome.run and outcome.printed == printed


def test_two_scripts_are_two_results_and_the_same_one_is_the_same():
    one, again, other = (ask(text + PROGRAM)["ok"]["key"] for text in ("", "", "# another\n"))
    assert one == again != other


def test_a_result_is_compared_with_the_one_before():
    service = Service()
    before = json.loads(service.answer("run", "{}"))["ok"]
    after = json.loads(service.answer("run", json.dumps(
        {"script": "SLOTS = 3\n" + PROGRAM, "against": {"key": before["key"], "constants": before["constants"]}})))["ok"]
    assert [name for name, _, _ in after["changes"]["constants"]] == ["SLOTS"]


# ── What went wrong ──────────────────────────────────────────────────────────

@pytest.mark.parametrize("script, line, said", [
    ("x = 1\nif x\n    pass", 2, "không đọc được"),
    ("x = (1,\ny = 2\n", 1, "không đọc được"),
    ("def f():\n    return 1\n  x = 2", 3, "thụt lề"),
    ("if 1:\nx = 2", 2, "thụt lề"),
    ("if 1:\n\tx = 2\n        y = 3", 3, "tab"),
    ("SLOTS = 2\n\nprint(SLOT)", 3, "Có phải bạn muốn viết SLOTS?"),
    ("x = 1 + 'a'", 1, "kiểu dữ liệu"),
    ("x = int('a')", 1, "giá trị không hợp lệ"),
    ("x = {}['a']", 1, "khóa"),
    ("x = [][1]", 1, "chỉ số"),
    ("x = 1\nx.y", 2, "thuộc tính"),
    ("x = 1 / 0", 1, "chia cho 0"),
    ("def f():\n    return f()\nf()", 2, "lồng nhau quá sâu"),
    ("x = 2.0 ** 10000", 1, "quá lớn"),
    ("import no_such_package", 1, "không có gói"),
    ("from math import no_such_name", 1, "tên được import"),
    ("open('no-such-file')", 1, "không có tệp"),
    ("x = 1\ninput('?')", 2, "input() không dùng được"),
    ("import sys\nsys.stdin.read()", 2, "input() không dùng được"),
    ("raise KeyboardInterrupt", 1, "KeyboardInterrupt"),
    ("raise GeneratorExit", 1, "dừng"),
    ("class Mine(BaseException): pass\nraise Mine('x')", 2, "Mine: x"),
    ("class Mine(ValueError):\n    def __str__(self): return 1 / 0\nraise Mine", 3, "str() của lỗi này lại gặp ZeroDivisionError"),
    ("raise ValueError('x' * 10**6)", 1, "xxx…"),
    ("raise RuntimeError(\"can't start new thread\")", 1, "threading"),
    ("import ast\nast.parse('x = ')", 2, "không đọc được"),            # Python text of the script's own: the script's line counts
    ("import json\n\njson.loads('{')", 3, "giá trị không hợp lệ"),
])
def test_an_error_is_a_sentence_with_the_scripts_line(script, line, said):
    error = error_of(script)
    assert error.line == line and error.message.startswith(f"Dòng {line}: ") and said in error.message


def test_text_that_is_no_text_for_python_is_an_error_too():
    assert "null bytes" in error_of("x = '\0'").message
    assert error_of("(" * 10_000).message


@pytest.mark.parametrize("expression", ["[0] * 10**10", "[0] * 10**18", "'a' * 10**18", "__import__('numpy').ones(10**17)"])
def test_more_memory_than_there_is_is_explained(expression):
    error = error_of(f"x = {expression}")
    assert error.line == 1 and ("bộ nhớ" in error.message or "quá lớn" in error.message or "giá trị không hợp lệ" in error.message)


def test_bad_constants_keep_their_own_sentences_and_the_line_that_sets_them():
    error = ask("SLOTS = 2\nSLOTS = 0\nQUANT_BITS = 'x'\n" + PROGRAM)["error"]
    assert error["kind"] == "script" and error["constant"] == "SLOTS" and error["line"] == 2
    assert [e["constant"] for e in error["errors"]] == ["SLOTS", "QUANT_BITS"]
    assert error["message"].startswith("Dòng 2: SLOTS = 0: cần số nguyên từ 1 đến 64")


@pytest.mark.parametrize("was, instead, note", [
    ("SLOTS = 2\n", "SLOTS = 3\n", None),
    ("SLOTS = 2\n", "", "Script không gán SLOTS, nên hằng số này giữ giá trị mặc định."),
    ("SLOTS = 2\n", "SLOTS: int\n", "Script không gán SLOTS, nên hằng số này giữ giá trị mặc định."),
    ('FOLLOW = "C"\n', "del SEED\n", "Script không gán SEED, FOLLOW, nên các hằng số này giữ giá trị mặc định."),
    ("SLOTS = 2\n", "for SLOTS in (2,): pass\n", None),                      # set in another way than by an assignment
    ("SLOTS = 2\n", "SLOTS = 2\nSLOT = 3\n", None),                          # a name of the learner's own beside the constant
    ("SLOTS = 2\n", "SPEED = slot = 1\nglobals()['SLOTS'] = 2\n", None),
    ("lab.constants(globals())", "lab.constants(globals()) | {'SLOTS': 3}); del SLOTS; (0", None),      # not at its default
])
def test_constants_that_a_script_leaves_at_their_default_are_named(was, instead, note):
    assert was in default_script() and ask(default_script().replace(was, instead))["ok"]["note"] == note


@pytest.mark.parametrize("was, instead, name, meant", [
    ("TOKEN_BUDGET = 6", "TOKEN_BUGDET = 8", "TOKEN_BUGDET", "TOKEN_BUDGET"), ("SLOTS = 2", "SLOT, x = 3, 4", "SLOT", "SLOTS"),
    ("BLOCK_SIZE = 4", "BLOCKSIZE: int = 4", "BLOCKSIZE", "BLOCK_SIZE")])
def test_a_misspelt_constant_is_asked_about_with_its_line(was, instead, name, meant):
    script = default_script().replace(was, instead)
    line = script.split("\n").index(instead) + 1
    assert ask(script)["ok"]["note"] == (f"Dòng {line}: {name} không phải hằng số của lab; ý bạn là {meant}? "
                                         f"Script không gán {meant}, nên hằng số này giữ giá trị mặc định.")


def test_a_short_script_is_told_how_many_constants_it_leaves_and_one_without_any_nothing():
    assert ask("SLOTS = 3\n" + PROGRAM)["ok"]["note"] == "Script không gán 23 trong 24 hằng số, nên các hằng số đó giữ giá trị mặc định."
    assert ask(PROGRAM)["ok"]["note"] is None
    assert ask("TOKEN_BUGDET = 8\n" + PROGRAM)["ok"]["note"].startswith("Dòng 1: TOKEN_BUGDET")


def test_a_constant_that_no_line_sets_is_blamed_on_the_line_that_asked_for_it():
    error = ask("import inference_lab as lab\n\nlab.Config.of({'SLOTS': 0})")["error"]
    assert error["line"] == 3 and error["constant"] == "SLOTS"


def test_the_traceback_begins_with_the_script_and_shows_its_text():
    lines = error_of("def f():\n    return 1 / 0\n\nf()").traceback.splitlines()
    assert lines[:3] == ["Traceback (most recent call last):", '  File "inference-end-to-end.py", line 4, in <module>', "    f()"]
    assert "    return 1 / 0" in lines and lines[-1] == "ZeroDivisionError: division by zero"


def test_an_error_inside_the_engine_has_the_line_that_called_it():
    error = error_of("import inference_lab as lab\n\nrun = lab.run(lab.Config(), sample=lambda *a: a.b)")
    assert error.line == 3 and "engine.py" in error.traceback


def test_a_run_of_what_is_no_config_is_told_how_to_make_one():
    error = error_of("import inference_lab as lab\n\nrun = lab.run({'SLOTS': 3})")
    assert error.message.startswith("Dòng 3: lab.run nhận {'SLOTS': 3}: cần một Config.")


def test_what_was_printed_before_the_error_is_kept():
    error = ask("print('một')\nprint('hai')\n1 / 0")["error"]
    assert error["printed"] == "một\nhai\n" and error["line"] == 3 and error["errors"] == [] and error["constant"] is None


def test_half_a_surrogate_pair_crosses_as_a_replacement():
    error = ask("print('\\ud800')\nraise ValueError('\\udfff')")["error"]
    json.dumps(error, ensure_ascii=False).encode("utf-8")
    assert error["printed"] == "\ufffd\n"


# ── What it must not leave behind ────────────────────────────────────────────

VANDALS = [
    "import inference_lab.engine as e\ne.sample = lambda *a: 1 / 0",
    "import inference_lab.engine as e\ne.Engine.emit = None\ndel e.Engine.step\ne.Engine.extra = 1",
    "import inference_lab.engine as e\ne.len = e.sum = e.max = None",
    "import inference_lab.scheduler as s\ns.Scheduler.schedule = lambda *a: []",
    "import inference_lab.config as c\nc.CONSTANTS.clear()\nc.Config.SLOTS = 7\nc.COURSE_REQUESTS = ()",
    "import numpy as np\nnp.exp = np.zeros = np.sqrt = None\ndel np.asarray\nnp.random.default_rng = None\nnp.random.seed(1)",
    "import numpy as np\nnp.set_printoptions(precision=1)\nnp.seterr(all='raise')",
    "import builtins\nbuiltins.len = builtins.sum = builtins.sorted = builtins.print = builtins.isinstance = builtins.type = None\nbuiltins.max = 1\ndel builtins.min",
    "import builtins\nfor name in list(vars(builtins)):\n    setattr(builtins, name, None)",
    "import json\njson.dumps = json.loads = None",
    "import sys\nfor name in list(sys.modules):\n    if name not in ('sys', 'builtins'):\n        del sys.modules[name]",
    "import sys\nsys.modules['numpy'] = sys.modules['json'] = None\nsys.path.clear()\nsys.setrecursionlimit(60)",
    "import sys\nsys.stdout = sys.stderr = sys.stdin = None",
    "import sys\nsys.stdout.close()\nsys.stdout.write = None\nprint(1)",
    "import warnings\nwarnings.simplefilter('error')\nwarnings.warn = None",
    "import sys\nsys.settrace(lambda *a: 1 / 0)",
    "import sys\nsys.setprofile(lambda *a: 1 / 0)",
    "import heapq, math, dataclasses\nheapq.heappop = math.isfinite = dataclasses.fields = None",
    "globals().clear()",
    "import inference_lab.engine as e\ne.Parts = e.step_cost = None\nimport sys\nsys.modules.pop('inference_lab.extensions')\nimport inference_lab.extensions",
    "while True:\n    try:\n        raise KeyboardInterrupt\n    except BaseException:\n        break\nimport sys\nsys.exit(1)",
]


@pytest.mark.parametrize("vandal", VANDALS)
def test_no_script_changes_the_figures_of_a_later_run(vandal):
    before = Service().answer("run", "{}")
    stdout, stdin = sys.stdout, sys.stdin
    outcome_of(vandal)
    assert Service().answer("run", "{}") == before
    assert (sys.stdout, sys.stdin) == (stdout, stdin)
    later = outcome_of("import numpy as np\nprint(np.array([1 / 3]), len([1]))\n" + PROGRAM)
    assert later.printed == "[0.33333333] 1\n" and later.run and later.error is None


def test_the_scripts_own_run_does_see_what_it_replaced():
    outcome = outcome_of("import inference_lab.lab\ninference_lab.lab.policies = lambda config: ()\n" + PROGRAM)
    assert outcome.error is not None or outcome.run.traces == ()


def test_the_names_of_one_script_are_not_there_in_the_next():
    outcome_of("secret = 1")
    assert "NameError" in error_of("print(secret)").message


# ── What it prints ───────────────────────────────────────────────────────────

def test_of_very_many_lines_the_first_and_last_are_kept_and_the_gap_is_counted():
    lines = outcome_of("for i in range(200_000):\n    print(i)").printed.splitlines()
    assert lines[:1500] == [str(i) for i in range(1500)]
    assert lines[1500].startswith("… bỏ bớt 198000 dòng")
    assert lines[1501:] == [str(i) for i in range(199_500, 200_000)]


def test_stderr_is_printed_too_in_its_order():
    assert outcome_of("import sys\nprint('a')\nprint('b', file=sys.stderr)\nprint('c')").printed == "a\nb\nc\n"


def test_the_last_lines_are_shown_while_it_runs():
    heard = []
    outcome_of("print('a')\nprint('b')", lambda text, lines: heard.append((text, lines)))
    assert heard[0] == ("a", 0) and heard[-1] == ("a\nb\n", 2)
