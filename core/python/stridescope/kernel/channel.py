"""Frames to and from the window: events and requests are JSON, printed text is bytes."""
import json
import os
import re

from .. import _core
from .own_builtins import private

__builtins__ = private()

_kernel = _core._kernel
EVENT, OUTPUT, ERRORS = ord("J"), ord("O"), ord("E")
LONGEST_FRAME = 1 << 16  # of printed text


def _encoded(event):
    text = json.dumps(event, ensure_ascii=False)
    try:
        return text.encode()
    except UnicodeEncodeError:  # lone surrogates: shown as escapes, which JSON has to escape again
        return re.sub("[\ud800-\udfff]", lambda m: f"\\\\u{ord(m[0]):04x}", text).encode()


class Channel:
    def __init__(self, descriptor):
        _kernel.connect(descriptor)
        self._process = os.getpid()

    def tell(self, event, descriptors=(), **values):
        if os.getpid() != self._process:
            self.write(OUTPUT, (values["text"] + "\n").encode("utf-8", "backslashreplace") if event == "result" else b"")
            self.write(ERRORS, values["traceback"].encode("utf-8", "backslashreplace") if event == "error" else b"")
            return
        _kernel.send(EVENT, _encoded({"event": event, **values}), descriptors)

    def write(self, kind, data):
        """Printed bytes. A child of fork() has no channel: what it prints goes to the descriptors."""
        if os.getpid() != self._process:
            os.write(1 if kind == OUTPUT else 2, data)
            return
        for start in range(0, len(data), LONGEST_FRAME):
            _kernel.send(kind, data[start:start + LONGEST_FRAME])

    def receive(self):
        """(request, descriptors); None when the window is gone."""
        frame = _kernel.receive()
        return frame and (json.loads(frame[1]), frame[2])
