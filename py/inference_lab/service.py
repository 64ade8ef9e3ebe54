"""What the page asks of the engine: JSON text in, JSON text out, nothing raised.

`Service().answer(command, text)` gives {"ok": …} or {"error": {"errors": […], "constant", "message"[, "traceback"]}}.
The text holds no NaN and keeps Vietnamese as it is. A fault of ours carries its traceback; bad input never does.

One `Service` serves one page. It remembers the last few results, so that a run can be compared with one before it, and
the sweeps of exercises; everything else is a function of what was asked.
"""
import json
import math
import traceback
from importlib import import_module
from inspect import isawaitable

from .config import ABOVE, CONSTANTS, REQUEST_FIELDS, Config, request_field_range, well_formed
from .errors import HUGE, QUOTED, ConfigurationError, Problem, shown
from .figures import as_json, figures, plain
from .headlines import measure, metrics_to_choose
from .lab import run
from .predictions import questions, truths
from .reports import BLOCKS
from .reports.report import Kept
from .results import Results, key_of, result_of
from .sources import source_of
from .transcript import block, transcript, verdict

BASELINE_IS_BAD = "Các hằng số của kết quả cần so không hợp lệ ở bản lab này, nên lần này không có gì để so."
RESULT_IS_GONE = "Kết quả này do một script tạo ra và không còn được giữ. Hãy bấm Chạy để có lại."
SCRIPT_IS_GONE = "Kết quả cần so do một script tạo ra và không còn được giữ, nên lần này không có gì để so."

RUN_IS_SPOILT = "run không còn là kết quả nguyên vẹn của lab.run(config), nên các khối không đọc được. Hãy để run như lab.run trả về."


class Service:
    """Answers one command after another. Its only state is what it need not compute again."""

    def __init__(self):
        self.results = Results()
        self.latest = None                              # the latest Result with all its traces: pictures are made of it
        self.computed = None                            # the latest LabRun that no script had a hand in: the next one takes over what it shares
        self.panels = None                              # Panels, once a page has asked for them
        self.blocks = Kept(block)                       # of the printout
        self.sweeps = {}                                # exercise id -> Sweep: always the same one, and a second's work

    def answer(self, command, text, live=None, early=None):
        """Run one of COMMANDS on a JSON object. -> JSON text, or an awaitable of it if the request brings a script that awaits

        live(text, lines): gets the last lines that a script has printed so far, and the number of all.
        early(text): gets the pictures of a run that asks for panels, {"pictures": [[number, JSON texts or a sentence], …]}, while the rest
        of its answer is made; the answer then leaves them out.
        """
        try:
            asked = json.loads(text or "{}")
            if asked.get("script") is None:
                more = {"early": early} if command == "run" else {}
                return as_json({"ok": COMMANDS[command](self, asked, **more)})
            outcome = lazily("script").run_script(asked["script"], live)
            return self.answer_later(outcome, asked) if isawaitable(outcome) else as_json(self.of_script(outcome, asked))
        except Exception as error:
            return as_json({"error": described_error(error)})

    async def answer_later(self, outcome, asked):
        try:
            return as_json(self.of_script(await outcome, asked))
        except Exception as error:
            return as_json({"error": described_error(error)})

    def run(self, asked, early=None):
        """{"constants": changed, "against": {"key", "constants"} or nothing} -> reports, printout, verdict, and what changed.

        With "panels", a list of the open ones: of each report only what stands in its summary, and "panels", all 13 as the page shows
        them (see `panels`).
        """
        config = Config.of(asked.get("constants", {}))
        baseline = self.baseline(asked.get("against"))
        made = self.computed_anew(config)
        pictures = pictures_for(asked, made)
        if early and pictures:
            early(as_json({"pictures": list(pictures.items())}))
            pictures = {}
        return self.shown(self.told(self.keep(result_of(made)), *baseline), asked, pictures)

    def shown(self, ok, asked, pictures):
        """What a run's answer holds beside `ok` if its panels are asked for."""
        if "panels" not in asked:
            return ok
        self.panels = self.panels or lazily("panels").Panels()
        reports = self.latest.reports
        return ok | dict(reports=[r.summary() for r in reports], panels=self.panels.of(reports, pictures))

    def of_script(self, outcome, asked):
        """{"script": text, "against": as above} -> the same and what it printed; `reports` is null if it left no run.

        `note` says why there is none, or which constants the script does not set (null: nothing to say).
        """
        self.computed, self.panels, self.blocks = None, None, Kept(block)   # a script can reach anything
        if outcome.error:
            return {"error": described_explanation(outcome)}
        if outcome.run is None:
            return {"ok": NOTHING_TO_SHOW | dict(printed=outcome.printed, note=outcome.note)}
        baseline = self.baseline(asked.get("against"))
        try:
            result = result_of(outcome.run, asked["script"])
            ok = self.told(result, *baseline)
            note = lazily("script_constants").notices(asked["script"], outcome.constants, outcome.run.config)
        except Exception:                               # a script can put anything into a run
            return {"error": script_error(RUN_IS_SPOILT, traceback.format_exc(), outcome.printed)}
        self.keep(result)
        return {"ok": self.shown(ok, asked, pictures_for(asked, outcome.run)) | dict(printed=outcome.printed, note=note)}

    def keep(self, result):
        """-> the same Result, which can be compared with from now on"""
        self.results.keep(result)
        self.latest = result
        return result

    def told(self, result, before, missing):
        """A result as the page gets it, and what changed against the one before."""
        return dict(
            key=result.key, reports=[r.plain() for r in result.reports], transcript=transcript(result.run, result.reports, self.blocks),
            passed=all(r.passed for r in result.reports), verdict=verdict(result.reports), constants=plain(result.run.config.plain()),
            headlines=[f.plain() for f in result.headlines], truths=truths(result.run),
            changes=before and lazily("changes").compare(before, result), changes_missing=missing)

    def computed_anew(self, config):
        """-> LabRun"""
        before = self.computed if self.computed and self.computed.config != config else None    # the same once more is computed once more
        self.computed = run(config, before=before)
        return self.computed

    def fresh(self, config):
        """A new run of a configuration, kept under its name. -> Result"""
        return self.keep(result_of(self.computed_anew(config)))

    def baseline(self, against):
        """What to compare with. -> (Result or None, why there is none or None)"""
        if against is None:
            return None, None
        kept = self.results.find(against["key"])
        if kept is not None:
            return kept, None
        try:
            config = Config.of(against["constants"])
        except ConfigurationError:                      # of another version of the lab: no reason to refuse the run itself
            return None, BASELINE_IS_BAD
        if key_of(config) != against["key"]:            # the constants alone do not give that result
            return None, SCRIPT_IS_GONE
        return self.fresh(config), None

    def measure(self, asked):
        """{"constants": changed, "metrics": ids} -> the values and texts of those headline figures: one point of a sweep."""
        figures = measure(Config.of(asked.get("constants", {})), asked["metrics"])
        return dict(values=[f.value for f in figures], texts=[f.text for f in figures])

    def figures(self, asked):
        """{"constants": changed} -> all figures of that run, as plain data."""
        return figures(run(Config.of(asked.get("constants", {}))))

    def metrics(self, asked):
        """{} -> the headline figures that a sweep can plot."""
        return metrics_to_choose()

    def predictions(self, asked):
        """{"constants": changed} -> the questions to answer before that run, with their choices."""
        return questions(Config.of(asked.get("constants", {})))

    def exercises(self, asked):
        """{} -> the texts of all exercises."""
        return [e.plain() for e in lazily("exercises").EXERCISES.values()]

    def exercise_check(self, asked):
        """{"id", "answer": choice id or null, "constants": changed} -> whether a run of those constants meets the exercise's goal."""
        return lazily("exercises").check(self.sweep(asked["id"]), Config.of(asked.get("constants", {})), asked.get("answer"))

    def exercise_answer(self, asked):
        """{"id"} -> the answer, its explanation, and what every value leads to."""
        return lazily("exercises").answer(self.sweep(asked["id"]))

    def sweep(self, id):
        if id not in self.sweeps:
            self.sweeps[id] = lazily("exercises").Sweep(lazily("exercises").EXERCISES[id])
        return self.sweeps[id]

    def picture(self, asked):
        """{"key", "constants", "blocks"} -> the data of those blocks' pictures; a result that is gone is made anew from its constants.

        With "texts", each picture as a JSON text of its own, as in `panels`: the page compares texts.
        """
        run = self.whole(asked)
        written = as_json if asked.get("texts") else lambda picture: picture
        return dict(key=asked["key"], pictures=[[n, [written(p) for p in lazily("panels").pictures_of(n, run)]] for n in asked["blocks"]])

    def whole(self, asked):
        """The run of {"key", "constants"} with all its traces."""
        if self.latest is None or self.latest.key != asked["key"]:
            config = Config.of(asked["constants"])
            if key_of(config) != asked["key"]:
                raise ConfigurationError([Problem(constant="", value=None, range="", message=RESULT_IS_GONE)])
            self.fresh(config)
        return self.latest.run

    def replay(self, asked):
        """{"key", "constants"} -> that run instant by instant (see `replay`)."""
        return dict(key=asked["key"]) | lazily("replay").replay(self.whole(asked))

    def proof(self, asked):
        """{"key", "constants", "id"} -> both sides of one proof, row by row, and the largest difference (see `proofs`)."""
        return dict(key=asked["key"]) | lazily("proofs").prove(asked["id"], self.whole(asked))

    def memory(self, asked):
        """The numbers of the memory calculator -> what fits, as a sentence and as bars."""
        return lazily("reports.pictures.calculator").calculated(asked)

    def machine_point(self, asked):
        return lazily("machine_service").point(asked)

    def machine_plan(self, asked):
        return lazily("machine_service").planned(asked)

    def machine_record(self, asked):
        return lazily("machine_service").recorded(asked)

    def source(self, asked):
        """{"block": n} -> the engine's source of that block, piece by piece."""
        return [source_of(name) for name in SOURCES[asked["block"]]]

    def constants(self, asked):
        """{} -> the table of constants, a row each."""
        return constants()


def lazily(module):
    """A module of this package that no first run needs, imported when it is first asked for: the boot does not wait for it."""
    return import_module(f".{module}", __package__)


def pictures_for(asked, run):
    """-> panel's number -> its pictures, each as JSON text, of the panels that the page says are open"""
    return {number: pictures_or_why_not(number, run) for number in asked.get("panels", [])}


def pictures_or_why_not(number, run):
    """A picture that fails leaves its panel a sentence, and the rest of the run as it is: a script can put anything into a run."""
    try:
        return [as_json(picture) for picture in lazily("panels").pictures_of(number, run)]
    except Exception as error:
        return described_error(error)["message"]


#: What a script leaves that leaves no run.
NOTHING_TO_SHOW = dict(key=None, reports=None, transcript="", passed=None, verdict="", constants=None, headlines=[], truths=[], changes=None, changes_missing=None)


COMMANDS = {command.__name__: command for command in (
    Service.run, Service.figures, Service.measure, Service.metrics, Service.predictions, Service.exercises, Service.exercise_check, Service.exercise_answer,
    Service.picture, Service.memory, Service.replay, Service.proof, Service.machine_point, Service.machine_plan, Service.machine_record,
    Service.source, Service.constants)}


def constants():
    """-> the table of constants, a row each; the row of the requests also says what their fields may hold"""
    rows = [dict(name=c.name, default=plain(default_of(c)), kind=c.kind, group=c.group, minimum=c.minimum, maximum=c.maximum,
                 slider_maximum=c.slider_maximum, step=c.step, unit=c.unit, label=c.label, help=c.help, known_as=c.known_as, range=c.range)
            for c in CONSTANTS.values()]
    fields = [dict(name=key, kind=kind, minimum=low, maximum=high, above=key in ABOVE, range=request_field_range(key))
              for key, (kind, low, high) in REQUEST_FIELDS.items()]
    return [row | ({"fields": fields} if row["kind"] == "requests" else {}) for row in rows]


def default_of(constant):
    return Config().plain()[constant.name]


def described_error(error):
    """What was raised, as the error object: bad input in its own words, anything else as a fault of ours with its traceback."""
    if isinstance(error, ConfigurationError):
        return described(error.problems)
    return {"errors": [], "constant": None, "traceback": "".join(traceback.format_exception(error)),
            "message": f"Engine gặp lỗi {type(error).__name__}: {error}. Đây là lỗi của lab, không phải của bạn."}


def described_explanation(outcome):
    """What went wrong in a script, as the error object."""
    error = outcome.error
    named = described(error.problems) if error.problems else {}
    return script_error(error.message, error.traceback, outcome.printed, error.line, named.get("errors", []), named.get("constant"))


def script_error(message, traceback, printed, line=None, errors=(), constant=None):
    return dict(kind="script", line=line, message=message, traceback=traceback, printed=printed, errors=list(errors), constant=constant)


def described(problems):
    """Problems as the error object that every caller gets: all of them, and the first by name."""
    errors = [problem_as_plain(p) for p in problems]
    return {"errors": errors, "constant": errors[0]["constant"], "message": errors[0]["message"]}


def problem_as_plain(problem):
    return {"constant": problem.constant, "request": problem.request, "cell": problem.cell, "value": value_as_plain(problem.value), "range": problem.range,
            "message": problem.message}


def value_as_plain(value):
    """A short number or text as it is, anything else as an error message quotes it."""
    if value is None or isinstance(value, bool) or (isinstance(value, int) and abs(value) < HUGE):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, str) and len(value) <= QUOTED:
        return well_formed(value)
    return shown(value)


SOURCES = {number: block.SOURCES for number, block in enumerate(BLOCKS, 1)}
