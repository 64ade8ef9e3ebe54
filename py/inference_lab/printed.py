"""What a script prints: a text stream that keeps the beginning and the end of whatever comes, and shows it while it comes.

In: text through `write`. Out: `text()`, capped: the first and the last lines, and between them how much was left out.
`live`, if given, gets the last lines now and then; it must be cheap and must not print.
"""
import io
import time

from .config import well_formed

HEAD_LINES, HEAD_SIZE = 1_500, 150_000      # lines and characters that are kept of the beginning
TAIL_LINES, TAIL_SIZE = 500, 50_000         # and of the end
LIVE_LINES, LIVE_SIZE = 200, 20_000         # of the end, that are shown while it runs
UNSETTLED = 50_000                          # characters that wait until they are laid in place
LIVE_BURST, LIVE_PER_SECOND = 20, 10        # a slow printer is shown line by line, a fast one ten times a second


class Printed(io.TextIOBase):
    """Stands for sys.stdout and sys.stderr of a script. Time and memory for a million lines are those of the last few."""

    def __init__(self, live=None, clock=time.monotonic):
        self.live, self.clock = live, clock
        self.pieces, self.size = [], 0              # not yet laid in place
        self.head, self.head_lines = "", 0
        self.tail = ""
        self.lines = self.left_out_lines = self.left_out = 0
        self.credit = LIVE_BURST
        self.told_at = self.tell_at = clock()

    def writable(self):
        return True

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self.size += len(text) + 1                  # so that empty texts count too
        self.pieces.append(text)
        if self.size > UNSETTLED:
            self.settle()
        if self.live and self.clock() >= self.tell_at:
            self.tell()
        return len(text)

    def close(self):
        """A script cannot close what the page reads."""

    def text(self):
        """-> str"""
        self.settle()
        self.trim_tail(TAIL_LINES, TAIL_SIZE)
        if not self.left_out:
            return well_formed(self.head + self.tail)
        gap = "" if self.head.endswith("\n") else "\n"
        return well_formed(f"{self.head}{gap}… bỏ bớt {self.left_out_lines} dòng ({self.left_out} ký tự) ở giữa …\n{self.tail}")

    def settle(self):
        """Lay what has come since the last time into the head, then into the tail."""
        text = "".join(self.pieces)
        self.pieces, self.size = [], 0
        self.lines += text.count("\n")
        if not self.tail and not self.left_out:
            cut = beginning(text, HEAD_LINES - self.head_lines, HEAD_SIZE - len(self.head))
            self.head += text[:cut]
            self.head_lines += text.count("\n", 0, cut)
            text = text[cut:]
        self.tail += text
        if len(self.tail) > 2 * TAIL_SIZE:
            self.trim_tail(TAIL_LINES, TAIL_SIZE)

    def trim_tail(self, lines, size):
        cut = ending(self.tail, lines, size)
        self.left_out += cut
        self.left_out_lines += self.tail.count("\n", 0, cut)
        self.tail = self.tail[cut:]

    def tell(self):
        now = self.clock()
        self.credit = min(LIVE_BURST, self.credit + (now - self.told_at) * LIVE_PER_SECOND) - 1
        self.told_at = now
        self.tell_at = now if self.credit >= 1 else now + 1 / LIVE_PER_SECOND
        self.settle()
        text = self.tail or self.head
        self.live(well_formed(text[ending(text, LIVE_LINES, LIVE_SIZE):]), self.lines)


def beginning(text, lines, size):
    """Where the first `lines` lines of `text` end, `size` characters at most."""
    end = 0
    for _ in range(lines):
        end = text.find("\n", end) + 1
        if end == 0 or end > size:
            return min(len(text), size)
    return end


def ending(text, lines, size):
    """Where the last `lines` lines of `text` begin, `size` characters at most."""
    start = len(text)
    for _ in range(lines):
        start = text.rfind("\n", 0, max(0, start - 1)) + 1
        if start == 0 or len(text) - start > size:
            break
    return max(start, len(text) - size)
