"""An exercise, its constant run through the range of its slider, and what the page asks of both."""
from collections.abc import Callable
from dataclasses import dataclass, fields

from ..config import CONSTANTS, Config
from ..reports.report import plain_table, table

BASE = Config()


@dataclass(frozen=True, slots=True, kw_only=True)
class Exercise:
    """`holds(outcome)`: the condition. Of the values where it holds, the one with the least `rank(value, outcome)` is the answer.

    columns: [(label, outcome -> text)], the figure that the goal is about first; ">" before a label: a number. state(outcome): what happened, in a clause.
    right(sweep): the id of the right choice, or None if this engine leaves the question without an answer.
    better: what to say of a value that meets the condition and is not the answer. explain(sweep): why, with figures.
    """

    id: str
    constant: str
    title: str
    task: str
    goal: str
    question: str
    choices: tuple[tuple[str, str], ...]
    hints: tuple[str, str, str]
    lesson: str
    observe: Callable
    holds: Callable
    rank: Callable
    columns: tuple[tuple[str, Callable], ...]
    state: Callable
    better: str
    right: Callable
    explain: Callable

    def plain(self):
        return dict(id=self.id, constant=self.constant, title=self.title, task=self.task, goal=self.goal, question=self.question,
                    choices=[list(c) for c in self.choices], unit=CONSTANTS[self.constant].unit, hints=list(self.hints), base={})


class Sweep:
    """One exercise, its constant run through the range of its slider. outcomes: {value: Outcome}, ascending."""

    def __init__(self, exercise):
        self.exercise = exercise
        self.outcomes = {value: exercise.observe(Config.of({exercise.constant: value})) for value in slider_values(exercise.constant)}

    @property
    def base(self):
        """The outcome of the default."""
        return self.outcomes[getattr(BASE, self.exercise.constant)]

    @property
    def answer(self):
        """The value that meets the goal; None if none does."""
        holding = [value for value, outcome in self.outcomes.items() if self.exercise.holds(outcome)]
        return min(holding, key=lambda value: self.exercise.rank(value, self.outcomes[value]), default=None)

    @property
    def best(self):
        """The outcome of the answer; there must be one."""
        return self.outcomes[self.answer]

    def beside(self, way):
        """The outcome one step above (+1) or below (-1) the answer, or None outside the range."""
        return self.outcomes.get(self.answer + way * CONSTANTS[self.exercise.constant].step)


def slider_values(name):
    c = CONSTANTS[name]
    return range(c.minimum, c.slider_maximum + 1, c.step)


# ── What the page asks ───────────────────────────────────────────────────────


def check(sweep, config, choice):
    """Does a run of `config` meet the goal? choice: the prediction's id, or None if there was none.

    -> {"met", "prediction_right": bool or None, "sentence", "figures": [[label, text]], "lesson": text or None}
    """
    exercise = sweep.exercise
    right = exercise.right(sweep) if sweep.answer is not None else None
    met, sentence, figures = judged(sweep, config)
    return dict(met=met, sentence=sentence, figures=figures, lesson=exercise.lesson if met else None,
                prediction_right=None if choice is None or right is None else choice == right)


def judged(sweep, config):
    exercise, name = sweep.exercise, sweep.exercise.constant
    others = [f.name for f in fields(Config) if f.name != name and getattr(config, f.name) != getattr(BASE, f.name)]
    if others:
        return False, f"Bài này chỉ đổi {name}, nhưng lần chạy của bạn còn đổi {', '.join(others)}. Hãy đặt lại các hằng số đó rồi chạy lại.", []
    value = getattr(config, name)
    outcome = sweep.outcomes.get(value) or exercise.observe(config)
    figures = [[label.lstrip(">"), text(outcome)] for label, text in exercise.columns]
    happened = f"Với {name} = {value}, {exercise.state(outcome)}."
    if value == sweep.answer:
        return True, f"Đạt. {happened}", figures
    if not exercise.holds(outcome):
        return False, f"Chưa đạt. {happened}", figures
    return False, f"Chưa hẳn. {happened} {exercise.better}", figures


def answer(sweep):
    """-> {"values": [value] or [], "text", "explanation", "lesson", "prediction": [choice id, text] or None, "table"}"""
    exercise = sweep.exercise
    if sweep.answer is None:
        return dict(values=[], text=f"Không giá trị nào của {exercise.constant} trong khoảng của thanh trượt đạt mục tiêu này.",
                    explanation="Engine đã thử từng giá trị; bảng dưới ghi kết quả.", lesson=exercise.lesson, prediction=None, table=table_of(sweep))
    right = exercise.right(sweep)
    return dict(values=[sweep.answer], text=f"{exercise.constant} = {sweep.answer}", explanation=exercise.explain(sweep), lesson=exercise.lesson,
                prediction=None if right is None else [right, dict(exercise.choices)[right]], table=table_of(sweep))


def table_of(sweep):
    """Every value and what it led to, as a report's table; neighbours with the same result share a row, but for the answer."""
    exercise = sweep.exercise
    lines = []                                                  # [first value, last value, cells]
    for value, outcome in sweep.outcomes.items():
        cells = [text(outcome) for _, text in exercise.columns] + ["có" if exercise.holds(outcome) else "không"]
        if lines and lines[-1][2] == cells and sweep.answer not in (value, lines[-1][1]):
            lines[-1][1] = value
        else:
            lines.append([value, value, cells])
    marked = [i for i, (a, b, _) in enumerate(lines) if sweep.answer is not None and a <= sweep.answer <= b]
    return plain_table(table(
        f"{exercise.constant} từ {lines[0][0]} đến {lines[-1][1]}", [f">{exercise.constant}", *(label for label, _ in exercise.columns), "Thỏa điều kiện"],
        lines, lambda line: (line[0] if line[0] == line[1] else f"{line[0]}–{line[1]}", *line[2]), marked))
