"""Predict first: four questions, the learner's guesses, and what the run says to each.

In: the questions and the truths as the engine sends them, guesses as {question id: choice id}. Out: trees and sentences.
Knows nothing of the DOM. Whether a guess is right is a comparison of two ids; why is the engine's sentence.
"""

import render
import trees
import words_learn as words

el = render.el

NONE, RIGHT, WRONG, UNGUESSED = "none", "right", "wrong", "unguessed"


def questions(asked, guesses):
    """A field set for each question, with room for its outcome. A guess that is no choice any more is not shown."""
    return [question(one, guesses.get(one["id"])) for one in asked]


def question(one, guess):
    choices = [choice(one["id"], id, text, id == guess) for id, text in one["choices"]]
    legend = el("legend", {}, *trees.prose(one["text"]))
    return el("fieldset", {"class": "question", "data-question": one["id"]}, legend, *(choices + [el("div", {"class": "outcome"})]))


def choice(question, id, text, chosen):
    attributes = {"type": "radio", "name": "predict-" + question, "value": id}
    if chosen:
        attributes["checked"] = ""
    return el("label", {"class": "choice-line"}, el("input", attributes), el("span", {}, *trees.prose(text)))


def outcomes(asked, guesses, truths):
    """[(question id, kind, tree)]: NONE before a run, else how the guess stands beside the truth."""
    by_id = {id: (right, sentence) for id, right, sentence in truths or []}
    return [(one["id"],) + outcome(one, guesses.get(one["id"]), by_id.get(one["id"])) for one in asked]


def outcome(one, guess, truth):
    if not truth:
        return NONE, []
    right, sentence = truth
    texts = {id: text for id, text in one["choices"]}
    shown = words.right_choice(texts[right]) if right in texts else ""
    if guess not in texts:
        return UNGUESSED, told(words.NOT_GUESSED, sentence)
    if guess == right:
        return RIGHT, told(words.GUESSED_RIGHT, sentence)
    return WRONG, told(words.GUESSED_WRONG, shown + sentence)


def told(verdict, sentence):
    return [el("p", {}, el("b", {}, verdict), " ", *trees.prose(sentence))]


def score(found):
    """The line beside the fold's title, from `outcomes` and the guesses that fit."""
    kinds = [kind for _, kind, _ in found]
    right = kinds.count(RIGHT)
    guessed = right + kinds.count(WRONG)
    return words.guess_score(right, guessed) if guessed else ""


def guessed(asked, guesses):
    """How many questions have a guess that is one of their choices."""
    return len([1 for one in asked if guesses.get(one["id"]) in [id for id, _ in one["choices"]]])


def matching(asked, guesses, truths):
    """How many guesses the shown run bears out, None before a run."""
    return [kind for _, kind, _ in outcomes(asked, guesses, truths)].count(RIGHT) if truths else None


def summary(asked, guesses, truths):
    count = guessed(asked, guesses)
    if not count:
        return ""
    return score(outcomes(asked, guesses, truths)) if truths else words.guess_count(count, len(asked))
