"""The six exercises: how far the learner is in each, and what is shown of it.

In: exercises, verdicts and answers as the engine sends them, presses. Out: a Progress for each exercise, trees, sentences.
Knows nothing of the DOM and of no right answer: what is met, and why, is the engine's word.
"""

from collections import namedtuple

import render
import trees
import words_learn as words

el = render.el

FIELDS = (
    "guess",    # id of the choice that the learner predicted, or ""
    "tried",    # what was checked so far, each configuration once: its constants as text
    "hints",    # how many hints are shown
    "answered", # the answer is shown
    "solved",   # a run of the learner's met the goal
)
Progress = namedtuple("Progress", FIELDS)

START = Progress("", (), 0, False, False)
ANCHOR = "exercise-"  # before an id: its place on the page
NEW, TRIED, SOLVED = "new", "tried", "solved"
TRIED_KEPT = 40  # configurations; a learner who goes on is counted on by their number alone


def but(progress, **changes):
    return Progress(*[changes[name] if name in changes else getattr(progress, name) for name in FIELDS])


# Kept across reloads


def plain(progress):
    return [progress.guess, list(progress.tried), progress.hints, progress.answered, progress.solved]


def of_plain(data):
    """What `plain` wrote; anything else is a fresh start."""
    if not isinstance(data, list) or len(data) != len(FIELDS) or not isinstance(data[1], list) or not isinstance(data[2], int):
        return START
    return Progress(str(data[0]), tuple([str(one) for one in data[1]]), max(0, data[2]), bool(data[3]), bool(data[4]))


# Steps


def guessed(progress, choice):
    return but(progress, guess=choice)


def checked(progress, constants, met):
    """A run was judged; the same configuration counts once."""
    tried = progress.tried if constants in progress.tried else (progress.tried + (constants,))[-TRIED_KEPT:]
    return but(progress, tried=tried, solved=progress.solved or met)


def hinted(progress, hints):
    return but(progress, hints=min(len(hints), progress.hints + 1))


def answered(progress):
    return but(progress, answered=True)


def may_answer(progress, hints):
    """After trying or after all hints."""
    return bool(progress.tried) or progress.hints >= len(hints)


def state(progress):
    if progress.solved:
        return SOLVED
    return TRIED if progress.tried or progress.guess or progress.hints else NEW


def blocks(one):
    """Numbers of the panels that its texts send the learner to, in their order: "khối 3 và khối 6"."""
    found = []
    for text in [one["task"], one["question"]] + one["hints"]:
        for piece in text.split("hối ")[1:]:
            digits = piece[:2] if piece[:2].isdigit() else piece[:1]
            if digits.isdigit() and int(digits) not in found:
                found.append(int(digits))
    return sorted(found)


# What is said


def state_text(progress):
    if progress.solved:
        return words.EXERCISE_SOLVED
    if progress.tried:
        return words.exercise_tried(len(progress.tried))
    return words.EXERCISE_BEGUN if state(progress) == TRIED else words.EXERCISE_NEW


def score(all_progress):
    return words.exercises_score(len([1 for one in all_progress if one.solved]), len(all_progress))


# What is shown


def exercise(number, one, progress):
    """The fold of one exercise; what changes with each press has a place of its own."""
    id = one["id"]
    head = el(
        "summary", {},
        el("h3", {}, str(number) + " · ", el("code", {}, one["constant"]), " · " + one["title"]),
        el("span", {"class": "exercise-state"}, state_text(progress)),
    )
    choices = [choice(id, value, text, value == progress.guess) for value, text in one["choices"]]
    hint = {"type": "button", "data-hint": id, "aria-disabled": "true" if progress.hints >= len(one["hints"]) else "false"}
    tools = el(
        "div", {"class": "exercise-tools"},
        el("a", {"class": "button", "href": "#number-" + one["constant"]}, words.open_constant(one["constant"])),
        el("button", {"type": "button", "data-check": id}, words.CHECK),
        el("button", hint, words.hint_button(progress.hints, len(one["hints"]))),
        el("button", {"type": "button", "data-answer": id}, words.ANSWER),
    )
    return el(
        "details", {"class": "exercise", "id": ANCHOR + id, "data-exercise": id, "data-state": state(progress)}, head,
        el(
            "div", {"class": "exercise-body"},
            el("p", {}, *trees.prose(one["task"])),
            el("fieldset", {"class": "question"}, el("legend", {}, words.GUESS_FIRST + " ", *trees.prose(one["question"])), *choices),
            tools,
            el("div", {"class": "exercise-result", "role": "status"}),
            el("ol", {"class": "hints"}, *hints(one, progress)),
            el("div", {"class": "exercise-answer"}),
        ),
    )


def choice(id, value, text, chosen):
    attributes = {"type": "radio", "name": "exercise-" + id, "value": value}
    if chosen:
        attributes["checked"] = ""
    return el("label", {"class": "choice-line"}, el("input", attributes), el("span", {}, *trees.rich(text)))


def hints(one, progress):
    return [el("li", {}, *trees.prose(text)) for text in one["hints"][:progress.hints]]


def verdict(found, has_guess):
    """A judged run: the sentence, the figures that the goal is about, and, once it is met, the guess and the lesson."""
    css = "verdict-line is-met" if found["met"] else "verdict-line"
    nodes = [el("p", {"class": css}, *trees.prose(found["sentence"]))]
    if found["figures"]:
        pairs = [el("div", {}, el("dt", {}, *trees.rich(label)), el("dd", {}, *trees.rich(text))) for label, text in found["figures"]]
        nodes.append(el("dl", {"class": "exercise-figures"}, *pairs))
    if found["met"] and has_guess and found["prediction_right"] is not None:
        nodes.append(trees.sentence(words.PREDICTED_RIGHT if found["prediction_right"] else words.PREDICTED_WRONG))
    if found.get("lesson"):
        nodes.append(el("p", {}, el("b", {}, words.LESSON + " "), *trees.prose(found["lesson"])))
    return nodes


def answer(found):
    """The engine's answer: the value, why, the right prediction, the lesson, and every value it tried."""
    nodes = [
        el("h4", {}, words.ANSWER_TITLE),
        el("p", {}, el("b", {}, *trees.rich(found["text"])), ". " if found["values"] else " ", *trees.prose(found["explanation"])),
    ]
    if found.get("prediction"):
        nodes.append(el("p", {}, el("b", {}, words.PREDICTION + " "), *trees.rich(found["prediction"][1] + ".")))
    nodes.append(el("p", {}, el("b", {}, words.LESSON + " "), *trees.prose(found["lesson"])))
    nodes.append(answer_table(found["table"]))
    return nodes


def answer_table(data):
    kinds = [kind for _, kind in data["columns"]]
    marked = data.get("marked") or []
    head = [el("th", trees.cell_attributes(kind, {"scope": "col"}), *trees.rich(name)) for name, kind in data["columns"]]
    body = [trees.row(cells, kinds, i in marked) for i, cells in enumerate(data["rows"])]
    region = {"class": "table-scroll", "role": "region", "tabindex": "0", "aria-label": words.ANSWER_TITLE + ": " + data["caption"]}
    grid = el("table", {}, el("thead", {}, el("tr", {}, *head)), el("tbody", {}, *body))
    return el("figure", {}, el("figcaption", {}, *trees.rich(data["caption"])), el("div", region, grid))
