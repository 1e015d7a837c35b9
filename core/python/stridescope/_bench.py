"""stridescope bench --stmt: statements of Python, measured by the engine that measures operations."""
import json
import shlex
import sys
import timeit
import traceback

import stridescope as torch

from . import _core
from .utils.benchmark import timer


def _cases(request, n):
    """[(statement, setup, threads, run)] for one size; the setup has been run."""
    names = {"__name__": "__main__", "torch": torch}
    if n:
        names["n"] = n
    exec(compile(request["setup"], "--setup", "exec"), names)
    return [(stmt, request["setup"], threads, timeit.Timer(stmt=stmt, timer=timer, globals=names).timeit)
            for stmt in request["statements"] for threads in request["threads"]]


def _command(request):
    parts = ["stridescope", "bench"]
    for stmt in request["statements"]:
        parts += ["--stmt", stmt]
    if request["setup"]:
        parts += ["--setup", request["setup"]]
    if request["sizes"]:
        parts += ["--sizes", ",".join(map(str, request["sizes"]))]
    return shlex.join(parts + ["--threads", ",".join(map(str, request["threads"]))])


def _row(text):
    _clear()
    print(text, end="", flush=True)


def _progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text[:100]}", end="", file=sys.stderr, flush=True)


def _clear():
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def main(text):
    request = json.loads(text)
    try:
        groups = [(n, _cases(request, n)) for n in request["sizes"] or [0]]
        print(_core._timing_head(), end="", flush=True)
        closing = _core._timing_statements(groups, _command(request), request["max_seconds"], request["precision"],
                                           request["seed"], request["json"], request["csv"], request["machine"],
                                           request["title"], _row, _progress)
    except KeyboardInterrupt:
        _clear()
        print("stridescope bench: interrupted; nothing is written", file=sys.stderr)
        return 130
    except Exception as error:  # whatever the statements raise
        _clear()
        lines = "".join(traceback.format_exception_only(error)).strip().splitlines()
        line = lines[-1 if isinstance(error, SyntaxError) else 0]  # before a syntax error stands where it is
        print(f"stridescope bench: {line}", file=sys.stderr)
        return 1
    _clear()
    print("\n" + closing, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
