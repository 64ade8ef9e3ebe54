"""What surrounds the panels: state word, status sentence, progress, alert, buttons.

In: a State, whether panels are being filled, and whether the fields say something else than the result. Out: one dict of plain values, which the DOM module compares with what it shows.
Knows nothing of the DOM; its sentences come from words.
"""

import figures
import render
import state as states
import words
import words_controls
import words_script

SENTENCES = {
    states.READY: words.READY,
    states.RUNNING: words.RUNNING,
    states.ERROR: words.TROUBLE,
}


STALE = "stale"  # as a result: of other values than the fields hold


def of(state, filling=False, fields="", guess=True):
    """filling: a fresh result is there, but not yet in all panels; the page is not done before it is.
    fields: "old" when a field holds no value, "stale" when the result is of other values; nothing of that while a run is under way.
    guess: the page asks for one before a run."""
    lab = states.lab(state)
    if filling and lab == states.DONE:
        lab = states.RUNNING
    result = state.result
    if fields and not state.run and result in (states.FRESH, states.KEPT):
        result = fields
        lab = states.READY if lab == states.DONE else lab
    value, text = boot_progress(state.boot)
    return {
        "lab": lab,
        "engine": state.engine,
        "result": result,
        "prepared": prepared(state, fields),
        "status": status(state, lab, result, guess),
        "progress": value,
        "progress_text": text,
        "alert": alert(state),
        "retry": state.engine == states.FAILED,
        "can_stop": states.can_stop(state),
        "can_reset": states.can_reset(state),
    }


def prepared(state, fields):
    """Whether what was computed before is of the values that the fields hold: "same" or "other", "" where it is not shown."""
    if state.result != states.PREPARED:
        return ""
    return "other" if fields else "same"


def status(state, lab, result, guess):
    if lab == states.BOOTING:
        if state.wanted:
            return words.BOOTING_WANTED
        if state.engine == states.RESTING:
            return words.RESTING
        return words.RESTARTING if state.note == "stopped" else words.BOOTING
    if state.note == "nothing_to_stop":
        return words.NOTHING_TO_STOP
    if lab == states.READY and state.note == "no_run":
        return words_script.STATUS_NO_RUN
    if lab == states.READY and (result == states.OLD or state.note == "refused"):
        return words_controls.STATUS_INVALID
    if lab == states.READY and result == STALE:
        return words_controls.STATUS_STALE
    if lab == states.DONE:
        return words.done(*state.score)
    if lab == states.READY and state.result not in (states.NONE, states.PREPARED):
        return words.READY_AGAIN
    if lab == states.READY and state.note == "cleared":
        return words.CLEARED
    if lab == states.READY and not guess:
        return words.READY_WITHOUT_GUESS
    return SENTENCES[lab]


def boot_progress(boot):
    """Share of the boot that is done, and the step in words with its bytes."""
    if boot is None:
        return 0.0, ""
    step, steps, label, loaded, total = boot
    sizes = (figures.bytes_text(loaded), figures.bytes_text(total)) if total else ("", "")
    return figures.progress(step, steps, loaded, total), words.boot_step(figures.share_text(step, steps), label, *sizes)


def alert(state):
    """The alert's HTML, empty when all is well."""
    if not state.problem:
        return ""
    return render.to_html(*render.problem(*state.problem, state.result not in (states.NONE, states.PREPARED)))
