"""Which statements of a code the window has taken in as steps of its history, and whether it may be waited for."""
import time

# Code of few statements at the prompt was typed or pasted by a person, who does not notice so much. Of a script, and
# beyond that, the window may take a share of the time, which a part as long as usual must not exceed.
FEW_STATEMENTS, SECONDS_FOR_FEW, SECONDS_FOR_MANY = 40, 1.0, 0.1
SHARE_FOR_PARTS, SECONDS_A_PART = 0.5, 0.01


class Parts:
    """The statements of one execution; those since the last part are the next one."""

    def __init__(self, source, nodes, typed):
        self.lines = None
        self.source, self.nodes, self.first = source, nodes, 0
        self.at = 0  # the statement that is carried out
        self.seen = None  # by the window: numbers that grow with what code does
        self.began, self.waited = time.monotonic(), 0.0
        self.allowed = 0 if not typed else SECONDS_FOR_FEW if len(nodes) <= FEW_STATEMENTS else SECONDS_FOR_MANY

    def may_wait(self):
        run = time.monotonic() - self.began - self.waited
        return self.waited + SECONDS_A_PART <= self.allowed + SHARE_FOR_PARTS * run

    def did(self, *numbers):
        """Has anything been done that is no part yet?"""
        return self.first < self.at and self.seen != numbers

    def text(self, node):
        """The statement as it was written; ast counts columns in bytes."""
        if self.lines is None:
            # Not splitlines(): form feeds and the like end no line of Python.
            self.lines = [line.encode() for line in self.source.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
        first = min([node] + getattr(node, "decorator_list", []), key=lambda each: each.lineno)
        lines = self.lines[first.lineno - 1:node.end_lineno]
        lines[-1] = lines[-1][:node.end_col_offset]
        lines[0] = lines[0][0 if first is not node else node.col_offset:]
        return b"\n".join(lines).decode(errors="replace")

    def take(self, end):
        """The statements before number `end` that were not taken yet, as text."""
        taken, self.first = self.nodes[self.first:end], end
        return "\n".join(map(self.text, taken))
