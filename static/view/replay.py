"""The replay's transport as a value: what a press, a key or the slider makes of it.

In: a State and what happened. Out: (State, command): "open" (ask for the run's instants first), "show" (the instant, at once),
"glide" (the same, seen moving), "play", "pause" or "" for nothing to do. Knows nothing of the DOM or of what an instant shows.
Nothing is asked for and nothing shown before the first press: a run that nobody replays costs nothing.
"""

from collections import namedtuple

SPEEDS = (0.25, 0.5, 1, 2, 4)

FIELDS = (
    "count",    # instants of the run; 0 until they are known
    "index",    # the instant that is shown
    "playing",
    "speed",    # one of SPEEDS
    "wanted",   # a press that waits for the instants, or ""
    "used",     # somebody has pressed something: a later run is opened where this one stood
)
State = namedtuple("State", FIELDS)
START = State(0, 0, False, 1, "", False)

# What a key does while the bar has the focus; a button keeps its own space bar.
KEYS = {" ": "toggle", "ArrowRight": "forward", "ArrowLeft": "back", "ArrowUp": "forward", "ArrowDown": "back", "Home": "first", "End": "last"}


def but(state, **changes):
    return State(*[changes[name] if name in changes else getattr(state, name) for name in FIELDS])


def closed(state):
    """The run is gone or another one has come: nothing is known of it yet; speed and use stay."""
    return but(state, count=0, index=0, playing=False, wanted="")


def opened(state, count, index=0):
    """Its instants are there: what was pressed happens now. -> (State, command)"""
    ready = but(state, count=count, index=min(index, count - 1), wanted="", used=True)
    if not state.wanted:
        return ready, "show"
    first_step = state.wanted == "forward" and not state.used  # of a run that was not shown yet: to its first instant
    return pressed(ready, "first" if first_step else state.wanted)


def pressed(state, button):
    """toggle, forward, back, first or last."""
    if not state.count:
        return but(state, wanted=button), "" if state.wanted else "open"
    if button == "toggle":
        return toggled(state)
    last = state.count - 1
    to = {"forward": min(state.index + 1, last), "back": max(state.index - 1, 0), "first": 0, "last": last}[button]
    one_on = button == "forward" and to > state.index
    return but(state, index=to, playing=False), "glide" if one_on else "show"


def toggled(state):
    if state.playing:
        return but(state, playing=False), "pause"
    if state.index == state.count - 1:  # at its end: from the start again
        return but(state, index=0, playing=True), "play"
    return but(state, playing=True), "play"


def scrubbed(state, index):
    if not state.count:
        return but(state, wanted="first"), "" if state.wanted else "open"
    return but(state, index=max(0, min(index, state.count - 1)), playing=False), "show"


def sped(state, speed):
    return but(state, speed=speed), "play" if state.playing else ""


def reached(state, index):
    """While it plays; at the last instant it ends."""
    return but(state, index=index, playing=state.playing and index < state.count - 1)


def key(name, on_button, on_list):
    """The press that a key stands for, or ""; lists of choices keep their keys, buttons their space bar."""
    if on_list or (on_button and name == " "):
        return ""
    return KEYS.get(name, "")


def speed_text(speed):
    return ("0.25", "0.5", "1", "2", "4")[SPEEDS.index(speed)] + "×"


def sentence(told, why):
    """What happened, then why the followed request has what it has; not the same sentence twice."""
    return told if why in told else (told + " " + why).strip()
