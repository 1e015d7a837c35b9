"""Python's builtins as they were at the kernel's start, whatever code makes of them later."""
import builtins
import sys

_PRESENT = vars(builtins)
_FIRST = _PRESENT.copy()
_MISSING = object()
_LEAST_RECURSION = 1000  # that the kernel itself can work with


def private():
    """What a module binds `__builtins__` to before it defines functions, which keep that."""
    return _FIRST.copy()


class Own:
    """with Own(): the kernel works; afterwards code finds again what it had made of them. May be nested.

    Of builtins it uses none itself."""

    entered = False

    def __enter__(self):
        if self.entered:
            return self
        self.entered = True
        self.changed = {}
        for name, value in _FIRST.items():
            if _PRESENT.get(name, _MISSING) is not value:
                self.changed[name] = _PRESENT.get(name, _MISSING)
        if self.changed:
            _PRESENT.update(_FIRST)
        self.limit = sys.getrecursionlimit()
        if self.limit < _LEAST_RECURSION:
            sys.setrecursionlimit(_LEAST_RECURSION)
        return self

    def __exit__(self, *what):
        self.entered = False
        for name, value in self.changed.items():
            if value is _MISSING:
                _PRESENT.pop(name, None)
            else:
                _PRESENT[name] = value
        if self.limit < _LEAST_RECURSION:
            try:
                sys.setrecursionlimit(self.limit)
            except RecursionError:  # deeper in than when it was set
                pass
