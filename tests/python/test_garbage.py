"""Every function and method with arguments that nobody means: an exception of Python or a result, never a crash, and
tensors that can be printed afterwards."""
import os
import random
import subprocess
import sys
import tempfile
import unittest
import warnings

import stridescope as torch
from stridescope import _core

CALLS = int(os.environ.get("STRIDESCOPE_GARBAGE", "60"))
# What these do is told elsewhere, or lasts: threads, seeds, defaults, print options, storages exchanged under others.
LEFT_OUT = {"set_num_threads", "set_default_dtype", "set_printoptions", "from_dlpack", "set_rng_state"}


def values(r):
    """One argument."""
    kind = r.randrange(14)
    if kind < 5:
        shape = r.choice([(), (0,), (1,), (3,), (2, 2), (2, 3), (0, 3), (2, 1, 3), (1, 2, 2, 2)])
        dtype = r.choice([torch.float32, torch.float64, torch.int64, torch.bool, torch.uint8, torch.float16, torch.complex64,
                          torch.int32])
        t = torch.randint(0, 4, shape).to(dtype)
        return r.choice([t, t, t.t() if t.dim() == 2 else t, t[None].expand((3,) + tuple(t.shape))])
    if kind < 8:
        return r.choice([0, 1, 2, 3, -1, -2, -7, 2**62, -2**63, 2**70])
    if kind == 8:
        return r.choice([0.5, -1.0, float("nan"), float("inf"), 1e300, 2j])
    if kind == 9:
        return r.choice([None, True, False, ..., slice(None), object(), torch.Tensor, {}, b"x"])
    if kind == 10:
        return r.choice(["", "a", "L", "fro", "floor", "ij,jk->ik", "cpu", "cuda:9", "\ud800", "ortho"])
    if kind == 11:
        return r.choice([torch.float32, torch.int8, torch.complex64, torch.device("cpu"), torch.strided, torch.preserve_format,
                         torch.default_generator, torch.Size([2, 2])])
    if kind == 12:
        return [r.choice([0, 1, 2, -1, 2**62, "a", None, 1.5]) for _ in range(r.randrange(4))]
    return tuple(values(r) for _ in range(r.randrange(3)))


def garbage(seed):
    r = random.Random(seed)
    warnings.simplefilter("ignore")
    made = refused = 0
    for name, where, overloads, _ in _core._signatures():
        short = name.rpartition(".")[2]
        if name in LEFT_OUT or short.startswith("_cuda"):
            continue
        if where == "method":
            function = getattr(torch.Tensor, name)
        else:
            function = _core._functions[name] if "." in name else getattr(_core, name)
        names = [p[0] for o in overloads for p in o]
        for _ in range(CALLS):
            args = [values(r) for _ in range(r.randrange(5))]
            if args and r.random() < 0.7:  # something that has a chance
                args[0] = torch.randint(0, 4, r.choice([(3,), (2, 2), (3, 3), (2, 3, 3)])).to(r.choice([torch.float32, torch.int64]))
            keywords = {r.choice(names + ["nonsense"]): values(r) for _ in range(r.choice([0, 0, 0, 1, 2]))}
            print(name, file=sys.stderr)  # the last line names what crashed
            try:
                result = function(*args, **keywords)
                for t in result if isinstance(result, tuple) else [result]:
                    if isinstance(t, torch.Tensor) and t.numel() < 10**6:
                        repr(t)
                made += 1
            except Exception:  # noqa: BLE001
                refused += 1
    print(made, refused)


ANOTHER_NAME = """
import sys
import stridescope
sys.modules["torch"] = stridescope
import torch.utils.benchmark as benchmark
assert benchmark.Timer("x + 1", "import torch; x = torch.ones(2)").timeit(10).mean > 0
x = stridescope.ones(2, 3)
assert repr(x.t()).startswith("tensor") and (x + 1).sum().item() == 12
try:
    x.view(5)
except RuntimeError as error:
    print(error)
"""


class Garbage(unittest.TestCase):
    def test_imported_again_under_another_name(self):
        done = subprocess.run([sys.executable, "-c", ANOTHER_NAME], text=True, capture_output=True, timeout=100)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("shape '[5]' is invalid for input of size 6", done.stdout)

    def test_nothing_crashes(self):
        for seed in (1, 2):
            done = subprocess.run([sys.executable, os.path.abspath(__file__), str(seed)], text=True, capture_output=True,
                                  timeout=500, env={**os.environ, "OMP_NUM_THREADS": "1"})
            self.assertEqual(done.returncode, 0, "\n".join(done.stderr.splitlines()[-8:]))
            made, refused = map(int, done.stdout.split())
            self.assertGreater(made, 500)
            self.assertGreater(refused, 500)


if __name__ == "__main__":
    sys.path[:] = map(os.path.abspath, sys.path)
    with tempfile.TemporaryDirectory() as folder:  # some of the functions write files, under any name
        os.chdir(folder)
        garbage(int(sys.argv[1]))
