"""Two runs side by side, and the words in which several parts tell of them."""
from ..config import CONSTANTS
from ..notation import ms, us

MOST_NAMED = 3                  # requests of one kind that get a sentence each


class Pair:
    """The two runs, and what is asked about them more than once."""

    def __init__(self, before, after):
        self.before, self.after = before, after
        self.old, self.new = before.main, after.main
        self.changed = [name for name in CONSTANTS if getattr(before.config, name) != getattr(after.config, name)]
        self.specs_before = {r.id: r for r in before.config.REQUESTS}
        self.specs_after = {r.id: r for r in after.config.REQUESTS}
        served_before = {s.id: s for s in self.old.served}
        self.served = [(served_before[s.id], s) for s in self.new.served if s.id in served_before]
        self.own = {*before.own, *after.own}                    # parts that a script put in, in either run
        self.same_schedule = schedule(self.old) == schedule(self.new)
        self.same_tokens = all(a.output_ids == b.output_ids for a, b in self.served)
        self.same_decisions = [(d.token, d.token_quantized) for d in before.decisions] == [(d.token, d.token_quantized) for d in after.decisions]

    @property
    def followed(self):
        """The followed request's records before and after, or None if it was not served in both."""
        return next((two for two in self.served if two[1].id == self.after.config.FOLLOW), None)

    def values(self, name):
        return getattr(self.before.config, name), getattr(self.after.config, name)

    def moves(self, names):
        """Which of these constants changed, as "SLOTS 2 → 3"."""
        return [move(name, *self.values(name)) for name in names if name in self.changed]


def schedule(trace):
    """Who did what when: equal for two runs in which nothing happened differently."""
    return [(s.start_us, s.end_us, s.work, s.holders) for s in trace.steps], [(r.id, r.code) for r in trace.refused]


def moved(difference):
    return f"{'tăng' if difference > 0 else 'giảm'} {ms(abs(difference))}"


def longer(difference):
    return f"{'dài' if difference > 0 else 'ngắn'} hơn {ms(abs(difference))}"


def move(name, old, new):
    """"SLOTS 2 → 3", with a unit only where it is a time."""
    if CONSTANTS[name].unit == "µs":
        return f"{name} {us(old)} → {us(new)}"
    return f"{name} {old} → {new}"


def names(ids, most=4):
    """"A, B và C"; too many are counted."""
    ids = list(ids)
    if len(ids) > most:
        return ", ".join(ids[:most]) + f" và {len(ids) - most} yêu cầu khác"
    return " và ".join(filter(None, (", ".join(ids[:-1]), ids[-1]))) if ids else "không ai"
