"""Six exercises, one for each constant that a learner should have turned: a task, a prediction, hints, and the answer.

In: an exercise's id, and what the learner ran. Out: plain data. The answer is never written down: `Sweep` runs the
constant through the range of its slider and picks the value that the goal asks for, so it stays right when a default
or the engine changes; if no value meets the goal, it says so. Every exercise starts from the default constants.
"""
from .sweep import Sweep, answer, check
from .table import EXERCISES


__all__ = ["EXERCISES", "Sweep", "answer", "check"]
