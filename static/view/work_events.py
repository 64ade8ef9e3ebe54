"""The events of a Work by their names, and what each makes of it.

In: a Work, an event (a tuple: its name, then what it carries), the table. Out: the next Work.
"""

import work_arrivals as arrivals
import work_edits as edits
import work_script as scripts


def step(work, event, table):
    return EVENTS[event[0]](work, table, *event[1:])


EVENTS = {
    "typed": edits.typed,
    "left": edits.left,
    "reset_one": edits.reset_one,
    "corpus_typed": edits.corpus_typed,
    "cell_typed": edits.cell_typed,
    "request_added": edits.request_added,
    "request_removed": edits.request_removed,
    "followed": edits.followed,
    "preset": edits.preset,
    "reset_all": edits.reset_all,
    "undo": edits.undo,
    "dismissed": edits.dismissed,
    "press_answered": edits.press_answered,
    "live": edits.live,
    "script_edited": scripts.script_edited,
    "script_read": scripts.script_read,
    "script_rewritten": scripts.script_rewritten,
    "script_brought": scripts.script_brought,
    "run_asked": edits.run_asked,
    "refused": edits.refused,
    "accepted": edits.accepted,
    "keep": edits.keep,
    "pin": edits.pin,
    "linked": arrivals.linked,
    "replaced": arrivals.replaced,
    "requests_sent": arrivals.requests_sent,
    "stored": arrivals.stored,
    "kept_elsewhere": arrivals.kept_elsewhere,
    "keep_mine": arrivals.keep_mine,
    "take_new": arrivals.take_new,
}
