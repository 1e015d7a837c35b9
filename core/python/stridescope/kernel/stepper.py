"""Goes through a script statement by statement."""
import ast
import sys


def _extents(tree):
    """First and last line of the statement that a line belongs to; of one with a body, those of its head."""
    extents = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            end = max(node.lineno, body[0].lineno - 1) if body else node.end_lineno
            if not hasattr(node, "cases"):
                extents.update(dict.fromkeys(range(node.lineno, end + 1), (node.lineno, end)))
    return extents


class Stepper:
    """Waits before the statements of a script: `wait(frame, first line, last line)` gives "step", "into" or "continue".

    What a statement calls runs as a whole, unless it is stepped into and of the script itself."""

    def __init__(self, tree, name, wait):
        self.extents, self.name, self.wait, self.into = _extents(tree), name, wait, False

    def on_call(self, frame, event, arg):
        """Every frame that begins; what is given back is told of its lines."""
        code = frame.f_code
        if code.co_filename != self.name:
            return None
        if code.co_name == "<module>" or self.into and not code.co_name.startswith("<"):
            self.into = False
            return self._lines()
        return None

    def _lines(self):
        """Before each line of one frame."""
        last, inside = 0, False

        def on_line(frame, event, arg):
            nonlocal last, inside
            line = frame.f_lineno
            start, end = self.extents.get(line, (line, line))
            if event != "line" or line != start or start == last and inside:
                # Of a statement of several lines Python tells each, and comes back to the first.
                inside = event == "line" and line != start
                return on_line
            last, inside, self.into = start, False, False
            how = self.wait(frame, line, end)
            if how == "continue":
                sys.settrace(None)
                return None
            self.into = how == "into"
            return on_line
        return on_line
