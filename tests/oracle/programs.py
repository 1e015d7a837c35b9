"""Random programs of mixed operations, run with our module and with PyTorch itself, statement by statement.

    PYTHONPATH=build/release/python python3 tests/oracle/programs.py --torch /usr/bin/python3 [--programs 2000] [--seed 1]

`--torch` names a Python that has PyTorch 1.13; nothing else of the project needs it. This process makes the programs while it
runs them, a second one (the same file under that Python) runs them again. After each statement are compared: the exception's
type or the value; of every variable dtype, size, stride, offset, elements and which others it shares memory with; of repr()
the text. Floats may differ by rounding; the second process takes over ours then, so that nothing adds up. The first programs
that differ are printed, to be typed in. Writes into memory that overlaps itself are left out: those Stridescope refuses."""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOLERANCE = {"float16": 4e-3, "float32": 3e-5, "complex64": 3e-5, "float64": 1e-11, "complex128": 1e-11}
LARGE = 1e4  # beyond it one number of a program would hide too much


class Machine:
    """Runs statements with one of the two modules and tells the state in plain lists."""

    def __init__(self, torch, numpy):
        self.torch, self.modules, self.names = torch, {"torch": torch, "np": numpy}, {}

    def restart(self):
        """A new program: nothing but the modules has a name."""
        self.names = dict(self.modules)
        self.torch.manual_seed(0)

    def tensors(self):
        """The variables that are tensors, by name."""
        return {name: v for name, v in self.names.items() if isinstance(v, self.torch.Tensor)}

    def run(self, code):
        """-> {"error": type, "text": message} or {"value": of an expression that is no tensor}."""
        try:
            try:
                value = eval(compile(code, "<program>", "eval"), self.names)
            except SyntaxError:
                exec(compile(code, "<program>", "exec"), self.names)
                return {}
        except Exception as error:  # noqa: BLE001: whatever the code raises is compared
            return {"error": type(error).__name__, "text": str(error).splitlines()[0] if str(error) else ""}
        value = value if isinstance(value, (bool, int)) else str(value)
        # The sign of an imaginary zero depends on how many elements the processor took at once, in PyTorch.
        return {"value": value.replace("-0.j", "+0.j") if isinstance(value, str) else value}

    def state(self):
        """{name: [dtype, size, stride, offset, first name with the same storage, elements]}"""
        first, result = {}, {}
        for name, t in self.tensors().items():
            owner = first.setdefault(t.storage().data_ptr() if t.numel() else name, name)
            result[name] = [str(t.dtype).removeprefix("torch."), list(t.size()), list(t.stride()), t.storage_offset(), owner,
                            [plain(v) for v in flat(t.tolist())]]
        return result


def flat(nested):
    """The numbers in nested lists."""
    return [v for part in nested for v in flat(part)] if isinstance(nested, list) else [nested]


def plain(value):
    """What JSON can hold: NaN, infinities and complex numbers as text."""
    if isinstance(value, complex):
        return [plain(value.real), plain(value.imag)]
    return value if isinstance(value, bool) or value == value and abs(value) != math.inf else str(float(value))


def number(value):
    return complex(number(value[0]), number(value[1])) if isinstance(value, list) else float(value)


def close(ours, theirs, dtype, largest=0.0):
    """Equal but for rounding; the tolerance is a share of the largest number, `largest` or one of these: what numbers of that
    size leave over when they cancel is rounding."""
    if ours == theirs:
        return True
    if dtype not in TOLERANCE or len(ours) != len(theirs):
        return False
    pairs = [(number(a), number(b)) for a, b in zip(ours, theirs)]
    finite = [abs(a) for a, _ in pairs if abs(a) < math.inf]
    allowed = TOLERANCE[dtype] * max([largest, *finite]) + 1e-30
    return all(a == b or abs(a - b) <= allowed or (a != a and b != b) for a, b in pairs)


def difference(ours, theirs):
    """In words, or None: two states."""
    if sorted(ours) != sorted(theirs):
        return f"names: ours {sorted(ours)}, PyTorch's {sorted(theirs)}"
    numbers = (abs(number(v)) for _, _, _, _, _, elements in ours.values() for v in elements)
    largest = max((v for v in numbers if v < LARGE), default=0.0)
    for name, mine in ours.items():
        for what, a, b in zip(("dtype", "size", "stride", "offset", "shares memory with"), mine, theirs[name]):
            if what == "stride":  # along a dim of size 1, and where there are no elements, it says nothing
                a, b = ([s for n, s in zip(mine[1], strides) if n > 1 and 0 not in mine[1]] for strides in (a, b))
            if a != b:
                return f"{what} of {name}: ours {a}, PyTorch's {b}"
        if not close(mine[5], theirs[name][5], mine[0], largest):
            return f"elements of {name}: ours {mine[5]}, PyTorch's {theirs[name][5]}"
    return None


def more_than_pytorch(ours, theirs):
    """Does PyTorch 1.13 lack the kernel, for half floats mostly? What follows cannot be compared then."""
    return "error" not in ours and any(w in theirs.get("text", "") for w in ("not implemented for '", "expected scalar type"))


def refused_differently(ours, theirs):
    """What is settled on purpose. When memory is written that the operands overlap in: which of several reasons is told, and
    whether it matters that no element, or each its own, is written. When an integer is divided by 0: PyTorch has written the
    elements before it, Stridescope none. When NaN is written to an integer: PyTorch refuses some of the ways to."""
    texts = ours.get("text", "") + theirs.get("text", "")
    if "refer to a single memory location" in texts or "without overflow" in texts:
        return True
    return "ZeroDivisionError" in ours.get("text", "") and "error" in theirs


def replay(path):
    """Runs the programs of a file with PyTorch; prints what differs, and what both refuse with exceptions of different types,
    as JSON: two lists [[program, statement, words], …]."""
    import warnings
    import numpy
    import torch
    warnings.simplefilter("ignore")
    machine, found, others = Machine(torch, numpy), [], []
    with open(path) as file:
        programs = json.load(file)
    for index, program in enumerate(programs):
        machine.restart()
        for line, (code, ours, state) in enumerate(program):
            theirs = machine.run(code)
            words = None
            if more_than_pytorch(ours, theirs) or refused_differently(ours, theirs):
                break
            if "error" in ours and "error" in theirs and ours["error"] != theirs["error"]:
                others.append([index, line, f"ours {ours}, PyTorch {theirs}"])
            elif ours.get("error") != theirs.get("error"):
                words = f"ours {ours.get('error', 'runs')}, PyTorch {theirs.get('error', 'runs')}: {ours} {theirs}"
            elif ours.get("value") != theirs.get("value"):
                words = f"value: ours {ours.get('value')}, PyTorch's {theirs.get('value')}"
            else:
                words = difference(state, machine.state())
            if words:
                found.append([index, line, words])
                break
            take_over(machine, state)
    json.dump([found, others], sys.stdout)


def take_over(machine, state):
    """Our elements into PyTorch's tensors, where rounding made them differ."""
    for name, (dtype, _, _, offset, _, elements) in state.items():
        if dtype in TOLERANCE and not dtype.startswith("complex"):
            t = machine.names[name]
            values = [float(v) for v in elements]
            slots = [offset]
            for size, stride in zip(t.size(), t.stride()):
                slots = [s + i * stride for s in slots for i in range(size)]
            whole = machine.torch.empty(0, dtype=t.dtype).set_(t.storage())
            for slot, value in zip(slots, values):
                if whole[slot].item() != value:
                    whole[slot] = value


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--torch", help="a Python that has PyTorch 1.13")
    parser.add_argument("--programs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shown", type=int, default=10, help="how many differing programs are printed")
    parser.add_argument("--types", action="store_true", help="print what both refuse with other exceptions, too")
    parser.add_argument("--replay", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.replay:
        replay(options.replay)
        return 0
    if not options.torch:
        parser.error("--torch is needed")
    sys.path.insert(0, HERE)
    import grammar
    import numpy
    import stridescope
    machine = Machine(stridescope, numpy)
    programs = [grammar.program(machine, options.seed * 1000003 + i) for i in range(options.programs)]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "programs.json")
        with open(path, "w") as file:
            json.dump(programs, file)
        clean = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        done = subprocess.run([options.torch, os.path.abspath(__file__), "--replay", path], stdout=subprocess.PIPE, env=clean)
    if done.returncode:
        print(f"{options.torch} ended with {done.returncode}")
        return 2
    found, others = json.loads(done.stdout)
    for index, line, words in (found + others if options.types else found)[:options.shown]:
        print("\n".join(["", f"program {options.seed * 1000003 + index}:"] + [s[0] for s in programs[index][:line + 1]]))
        print("  -> " + words[:1000])
    statements, refused = sum(map(len, programs)), sum("error" in s[1] for p in programs for s in p)
    print(f"\n{len(programs)} programs, {statements} statements ({refused} refused, {len(others)} of them with an "
          f"exception of another type): {len(found)} programs differ")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
