"""Console transcripts (">>> code" and what it prints) run against the module, and recorded from PyTorch.

    /usr/bin/python3 tests/python/transcripts.py FILE…      writes each file anew, with what PyTorch answers

A transcript is expected word for word. In transcripts/ours_*.txt stands what
PyTorch 1.13 has no longer, or answers differently on purpose; those are not recorded."""
import contextlib
import doctest
import io
import re
import sys
import traceback


def answer(source, names):
    """What the console prints for one statement."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        try:
            exec(compile(source, "<stdin>", "single"), names)
        except Exception as error:  # noqa: BLE001: whatever the code raises is what is shown
            last = "".join(traceback.format_exception_only(type(error), error))
            notes = getattr(error, "__notes__", [])
            for note in notes:
                last = last.replace(note + "\n", "")
            printed.write("Traceback (most recent call last):\n  ...\n" + last)
    return printed.getvalue()


def normal(text):
    text = re.sub(r"0x[0-9a-f]+", "0x…", text).replace("tuple of SymInts", "tuple of ints")
    return "\n".join(line.rstrip() for line in text.rstrip().splitlines())


def recorded(text):
    """The transcript with PyTorch's answers."""
    names = {"__name__": "__main__"}
    out = []
    for block in doctest.DocTestParser().parse(text):
        if isinstance(block, str):
            out.append(block)
            continue
        lines = block.source.rstrip("\n").split("\n")
        out.append(">>> " + lines[0] + "\n" + "".join("... " + line + "\n" for line in lines[1:]))
        got = answer(block.source, names)
        # A blank line would end the answer for the parser.
        out.append("\n".join(line if line.strip() else "<BLANKLINE>" for line in got.rstrip("\n").split("\n")) + "\n" if got else "")
    return "".join(out)


def wanted_text(example):
    return example.want.replace("<BLANKLINE>\n", "\n")


if __name__ == "__main__":
    for path in sys.argv[1:]:
        with open(path) as file:
            result = recorded(file.read())
        with open(path, "w") as file:
            file.write(result)
