"""docs/operations.md against the module: each has what the other has, and random calls are refused for reasons the page names."""
import inspect
import os
import random
import re
import unittest
import warnings

import stridescope as torch

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "operations.md")
CALLS = 12  # of each operation; more with STRIDESCOPE_LONG
DTYPES = [torch.float32] * 5 + [torch.float64, torch.int64, torch.int64, torch.int32, torch.uint8, torch.bool, torch.float16,
                                torch.complex64]
SHAPES = [(), (1,), (2,), (3,), (0,), (2, 3), (3, 2), (1, 3), (2, 2), (3, 3), (2, 3, 4), (2, 3, 3)]
# They change what the other tests of the process see, or ask for files.
LEFT_OUT = re.compile(r"set_|manual_seed|seed|load|save|Tensor\.set_|Tensor\.resize|is_|get_|cuda\.|show|install_|use_determin")
# Methods that say that what they are for is not part of Stridescope.
NO_PART = {"backward", "bfloat16", "register_hook", "retain_grad", "to_sparse"}
DIMS = {"dim", "dim0", "dim1", "dim2", "axis", "axis0", "axis1", "start_dim", "end_dim", "dimension", "source", "destination"}
SIZES = {"size", "sizes", "shape", "stride", "s", "repeats", "dims", "shifts", "pad", "split_sizes", "reps"}
NUMBERS = {"p", "alpha", "beta", "value", "fill_value", "rtol", "atol", "tol", "q", "min", "max", "mean", "std", "exponent", "base",
           "n", "m", "k", "steps", "start", "end", "step", "length", "offset", "diagonal", "chunks", "num_samples", "index"}


def rows():
    """(name, parameters, shapes, dtypes, gives, ids of refusals) of each operation; None for what questions have no column for."""
    with open(PAGE, encoding="utf-8") as file:
        lines = file.read().splitlines()
    for line in lines:
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        call = re.match(r"`([\w.]+)\((.*)\)`", cells[0]) if cells else None
        if not call:
            continue
        parameters = re.split(r",\s*(?![^()]*\))", call[2])
        if len(cells) == 3:
            yield call[1], parameters, None, None, None, set()
        else:
            yield call[1], parameters, cells[2], cells[3], cells[4], ids(cells[6])


def ids(text):
    found = set()
    for first, last in re.findall(r"([A-Z]+-\w+)(?: … ([A-Z]+-\d+))?", text):
        family, number = first.rsplit("-", 1)
        numbers = [number] if not last else [f"{i:02d}" for i in range(int(number), int(last.rsplit("-", 1)[1]) + 1)]
        found.update(f"{family}-{each}" for each in numbers)
    return found


def named(name):
    owner = torch.Tensor if name.startswith("Tensor.") else torch
    for part in name.removeprefix("Tensor.").split("."):
        owner = getattr(owner, part, None) or getattr(torch.Tensor, part)
    return owner


class Caller:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def tensor(self, shape=None):
        shape = self.random.choice(SHAPES) if shape is None else shape
        count = 1
        for size in shape:
            count *= size
        values = [self.random.choice([0, 1, 2, 3, 5, 0.5, -1]) for _ in range(count)]
        dtype = self.random.choice(DTYPES)
        t = torch.tensor([abs(v) for v in values] if dtype == torch.uint8 else values, dtype=torch.float64)
        return t.to(dtype).reshape(shape)

    def value(self, name):
        pick = self.random.choice
        if name in DIMS:
            return pick([0, 1, -1, 2, -3, (0, 1), None])
        if name in SIZES:
            return pick([2, 3, -1, (2, 3), (-1,), (1, 0), (3, -2), ()])
        if name in NUMBERS:
            return pick([0, 1, 2, -1, 3, 0.5, 2 ** 40, 1e300, True, self.tensor()])
        if name in ("tensors", "matrices"):
            return [self.tensor() for _ in range(pick([0, 1, 2, 3]))]
        if name in ("norm", "reduce", "indexing", "mode", "rounding_mode", "UPLO", "ord"):
            return pick(["ortho", "sum", "ij", "xy", "L", "fro", "x", 2, None])
        if name == "dtype":
            return pick(DTYPES)
        if name in ("mask", "condition"):
            return self.tensor() != 0
        return pick([self.tensor, self.tensor, self.tensor, lambda: 2, lambda: (0, 1)])()

    def arguments(self, parameters, method):
        placed, keywords, only = ([self.tensor()] if method else []), {}, False
        for parameter in parameters:
            name, given = parameter.split("=")[0].strip(), self.random.random() < 0.6
            if name == "*":
                only = True
            elif name.startswith("*"):
                placed += [self.value(name[1:]) for _ in range(self.random.randrange(3))]
            elif name and "=" not in parameter and not only:
                placed.append(self.value(name))
            elif name and given:
                only = True
                keywords[name] = self.value(name)
        return placed, keywords


class OperationsPage(unittest.TestCase):
    def test_every_row_is_complete(self):
        for name, _, shapes, dtypes, gives, _ in rows():
            with self.subTest(name=name):
                self.assertIsNotNone(named(name))
                self.assertTrue(shapes is None or (dtypes and gives))

    def test_every_function_has_a_row(self):
        with open(PAGE, encoding="utf-8") as file:
            page = set(re.findall(r"`([A-Za-z_][\w.]*)", file.read()))
        modules = {"": torch, "linalg.": torch.linalg, "fft.": torch.fft, "special.": torch.special, "cuda.": torch.cuda,
                   "random.": torch.random}
        for prefix, module in modules.items():
            for name in dir(module):
                value = getattr(module, name)
                if name.startswith("_") or inspect.ismodule(value) or inspect.isclass(value) or not callable(value):
                    continue
                with self.subTest(prefix + name):
                    self.assertTrue({prefix + name, name, "Tensor." + name} & page)

    def test_every_method_has_a_row(self):
        with open(PAGE, encoding="utf-8") as file:
            page = set(re.findall(r"`([A-Za-z_][\w.]*)", file.read()))
        for name in dir(torch.Tensor):
            if name.startswith("_") or not callable(getattr(torch.Tensor, name)):
                continue
            plain = name.removesuffix("_")
            with self.subTest(name):
                self.assertTrue(name in NO_PART or {name, "Tensor." + name, plain, "Tensor." + plain} & page)
        for name in NO_PART:
            with self.subTest(name):
                self.assertIn("not part of Stridescope", getattr(torch.Tensor, name).__doc__)

    def test_refusals_are_those_of_the_page(self):
        with open(PAGE, encoding="utf-8") as file:
            shared = ids(file.read().split("\n## ")[0])
        self.assertIn("TENSOR-02", shared)
        calls = CALLS * (20 if os.environ.get("STRIDESCOPE_LONG") else 1)
        refused, others = 0, {}
        for name, parameters, _, _, _, own in rows():
            if LEFT_OUT.match(name):
                continue
            caller = Caller(name)
            for _ in range(calls):
                placed, keywords = caller.arguments(parameters, name.startswith("Tensor."))
                try:
                    with warnings.catch_warnings():
                        warnings.simplefilter("ignore")
                        named(name)(*placed, **keywords)
                except Exception as error:  # noqa: BLE001: whatever is raised is looked at
                    reason = getattr(error, "refusal", None)
                    refused += reason is not None
                    if reason and reason not in own | shared:
                        others.setdefault(name, {})[reason] = str(error)[:100]
        self.assertGreater(refused, 500)
        self.assertEqual(others, {})


if __name__ == "__main__":
    unittest.main()
