"""sys.stdin, sys.stdout and sys.stderr of a kernel."""
import io

from .own_builtins import private

__builtins__ = private()  # what code prints is not lost with what it does to them


class _Raw(io.RawIOBase):
    def __init__(self, channel, kind):
        self._channel, self._kind = channel, kind

    def writable(self):
        return True

    def write(self, data):
        with memoryview(data).cast("B") as view:
            self._channel.write(self._kind, view)
            return len(view)


class Output(io.TextIOWrapper):
    """A stream of text that goes to the window line by line, as a terminal's does."""

    def __init__(self, channel, kind, name):
        super().__init__(io.BufferedWriter(_Raw(channel, kind), 1 << 16), encoding="utf-8",
                         errors="backslashreplace", newline="\n", line_buffering=True)
        self._name = name

    name = property(lambda self: self._name)

    def isatty(self):
        return False

    def close(self):
        """The window's stream stays open; sys.stdout.close() would silence every later line."""
        if self.closed or self.buffer.closed:
            return
        self.flush()


class Input(io.TextIOBase):
    """Each line is asked for in the window."""
    encoding, errors, name, mode = "utf-8", "strict", "<stdin>", "r"

    def __init__(self, ask):
        self._ask, self._rest, self._ended = ask, "", False

    def readable(self):
        return True

    def isatty(self):
        return False

    def close(self):
        """Stays open: quit() closes it."""

    def forget(self):
        """A new execution has its own input."""
        self._rest, self._ended = "", False

    def _more(self):
        if self._ended:
            return False
        text = self._ask()
        self._ended = text is None
        self._rest += text or ""
        return not self._ended

    def readline(self, size=-1):
        while "\n" not in self._rest and (size is None or size < 0 or len(self._rest) < size):
            if not self._more():
                break
        end = self._rest.find("\n") + 1 or len(self._rest)
        if size is not None and size >= 0:
            end = min(end, size)
        line, self._rest = self._rest[:end], self._rest[end:]
        if self._ended and not line:
            self._ended = False  # the end was told; who asks again is asked again, as at a terminal
        return line

    def read(self, size=-1):
        while (size is None or size < 0 or len(self._rest) < size) and self._more():
            pass
        end = len(self._rest) if size is None or size < 0 else size
        text, self._rest = self._rest[:end], self._rest[end:]
        self._ended = False
        return text
