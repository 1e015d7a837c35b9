"""What went wrong, as values for the window: Python's own traceback, and the line of the cell to mark."""
import io
import re
import sys
import traceback
import types

LONGEST_TEXT = 64_000
MOST_FRAMES = 200


def _users(tb, hidden):
    """The traceback without the kernel's own frames, and of a very deep one only the last."""
    steps = []
    while tb is not None:
        if tb.tb_frame.f_code.co_filename not in hidden:
            if steps and steps[-1].tb_frame is tb.tb_frame:
                steps.pop()  # once by the tracing function of a stepper and once by itself
            steps.append(tb)
        tb = tb.tb_next
    kept = None
    for step in reversed(steps[-MOST_FRAMES:]):
        kept = types.TracebackType(kept, step.tb_frame, step.tb_lasti, step.tb_lineno)
    return kept


def cut(text, longest=LONGEST_TEXT):
    if len(text) <= longest:
        return text
    half = longest // 2
    return f"{text[:half]}\n… {len(text) - 2 * half} more characters …\n{text[-half:]}"


_print = sys.__excepthook__  # code may set another


def _suggestion(kind, value, tb):
    """The name that Python's own prompt would offer instead of one that is not there; "" for none."""
    if not isinstance(value, (NameError, AttributeError)):
        return ""
    printed, usual = io.StringIO(), sys.stderr
    sys.stderr = printed
    try:
        _print(kind, value, tb)
    finally:
        sys.stderr = usual
    found = re.findall(r"\. Did you mean: '([^'\n]+)'\?$", printed.getvalue(), re.MULTILINE)
    return found[-1] if found else ""


def _with_suggestion(text, kind, message, suggestion):
    """The traceback as the prompt prints it: the question stands behind the message, before notes."""
    told = f"{kind.__qualname__}: {message}"
    at = text.rfind(told)
    if not suggestion or at < 0:
        return text
    end = at + len(told)
    return f"{text[:end]}. Did you mean: '{suggestion}'?{text[end:]}"


def error(value, cell, hidden, memory_limit):
    """The report on an exception that left a cell; `hidden` are the kernel's files."""
    kind = type(value)
    tb = _users(value.__traceback__, hidden)
    limit = suggestion = ""
    if isinstance(value, MemoryError) and not value.args and memory_limit:
        limit = f"Python's memory limit here is {memory_limit / 1e9:.1f} GB."
        value.add_note(limit)
    try:
        message = str(value) or limit
        suggestion = _suggestion(kind, value, tb)
        text = "".join(traceback.TracebackException(kind, value, tb, compact=True).format())
        text = _with_suggestion(text, kind, message, suggestion)
    except Exception as second:  # a __str__ that fails, a traceback that does not fit in memory
        message = f"<{type(second).__name__} while telling it>"
        text = f"{kind.__name__}: {message}\n"
    line = column = None
    frames = []
    if isinstance(value, SyntaxError) and value.filename == cell:
        line, column = value.lineno, value.offset
    for frame, number in traceback.walk_tb(tb):
        frames.append([frame.f_code.co_filename, number, frame.f_code.co_name])
        if frame.f_code.co_filename == cell:
            line, column = number, None
    name = kind.__qualname__ if kind.__module__ in ("builtins", "__main__") else f"{kind.__module__}.{kind.__qualname__}"
    refusal = getattr(value, "refusal", None)
    return {"type": name, "message": cut(message, 10_000), "traceback": cut(text), "line": line, "column": column,
            "frames": frames[-MOST_FRAMES:], "refusal": refusal if isinstance(refusal, str) else None,
            "suggestion": suggestion}
