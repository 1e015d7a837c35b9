"""Long operations without the interpreter's lock: other threads go on, and nothing they do harms the operation."""
import os
import subprocess
import sys
import threading
import time
import unittest
import warnings

import numpy as np

import stridescope as torch

N = 3_000_000


def goes_on(operation, seconds=0.05):
    """How often another thread got on with Python while `operation` ran again and again."""
    counted, running = 0, True

    def count():
        nonlocal counted
        while running:
            counted += 1
            time.sleep(0)  # gives the lock away at once, so that what is counted is not the switching of threads
    thread = threading.Thread(target=count)
    before = sys.getswitchinterval()
    sys.setswitchinterval(100)  # the lock is given away by who waits or works without it, and by nobody else
    try:
        thread.start()
        start, first = time.monotonic(), counted
        while time.monotonic() - start < seconds:
            operation()
        return counted - first
    finally:
        running = False
        sys.setswitchinterval(before)
        thread.join()


def ill_conditioned(n):
    m = torch.eye(n)
    m[0, 0] = 1e-30
    return m


class OthersGoOn(unittest.TestCase):
    def test_long_operations(self):
        x, m = torch.rand(N), torch.rand(300, 300)
        bits, places = x > 0.5, torch.randperm(N)
        image = torch.zeros(600, 600, 3, dtype=torch.uint8)
        spd = m @ m.t() + torch.eye(300) * 300
        for name, operation in {
                "add": lambda: torch.add(x, x), "+": lambda: x + x, "+1": lambda: x + 1, "1-": lambda: 1 - x,
                "-": lambda: -x, "+=": lambda: x.__iadd__(0), "<": lambda: x < x, "exp": lambda: x.exp(),
                "sin_": lambda: x.sin_(), "broadcast": lambda: x[:2000, None] + x[:1000], "clone": lambda: x.clone(),
                "to": lambda: x.to(torch.float64), "double": lambda: x.double(), "flip": lambda: x.flip(0),
                "cat": lambda: torch.cat((x, x)), "sum": lambda: x.sum(), "max": lambda: x.max(0),
                "std": lambda: x.std(), "cumsum": lambda: x.cumsum(0), "median": lambda: x.median(),
                "sort": lambda: x[:200000].sort(), "topk": lambda: x.topk(3), "unique": lambda: x[:200000].unique(),
                "mm": lambda: m.mm(m), "@": lambda: m @ m, "inv": lambda: torch.linalg.inv(spd),
                "svd": lambda: torch.linalg.svd(m), "eigh": lambda: torch.linalg.eigh(spd),
                "solve": lambda: torch.linalg.solve(spd, m), "fft": lambda: torch.fft.fft(x[:1 << 16]),
                "x[mask]": lambda: x[bits], "x[places]": lambda: x[places], "x[:] = y": lambda: x.__setitem__(slice(None), x),
                "where": lambda: torch.where(bits, x, x), "nonzero": lambda: bits.nonzero(), "rand": lambda: torch.rand(N),
                "zeros": lambda: torch.zeros(N), "arange": lambda: torch.arange(N),
                "png": lambda: torch._core._encode_image(image, "png"), "einsum": lambda: torch.einsum("ij,jk->ik", m, m)}.items():
            with self.subTest(name):
                operation()
                self.assertGreater(goes_on(operation), 0)

    def test_short_operations_keep_the_lock(self):
        x, y = torch.rand(1000), torch.rand(N)
        for name, operation in {"+": lambda: x + x, "sum": lambda: x.sum(), "view": lambda: y.view(3, -1),
                                "slice": lambda: y[5:], "numel": lambda: torch.numel(y), "item": lambda: y[3] + 1,
                                "item = ": lambda: y.__setitem__(3, 1.0)}.items():
            with self.subTest(name):
                operation()
                self.assertEqual(goes_on(operation, 0.02), 0)

    def test_errors_and_warnings_come_back(self):
        x = torch.rand(N)
        with self.assertRaisesRegex(RuntimeError, "must match the size of tensor b"):
            x + torch.rand(N - 1)
        with self.assertRaisesRegex(RuntimeError, "reduce argument must be"):
            x.scatter_(0, torch.arange(N), x, reduce="none")
        with self.assertRaisesRegex(TypeError, "must be tuple of ints"):
            x.sum((0, "a"))
        with self.assertRaisesRegex(IndexError, "Dimension out of range"):
            x.sum(3)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            torch.linalg.solve(ill_conditioned(200), torch.ones(200))
        self.assertEqual([str(w.message)[:12] for w in caught], ["linalg.solve"])
        self.assertTrue(caught[0].filename.endswith("test_threads.py"))


class Meanwhile(unittest.TestCase):
    """What another thread does to the tensors that an operation works on."""

    def beside(self, operation, other, seconds=0.3):
        """Both, again and again, in a thread each; what the operation gave."""
        results, errors, running = [], [], True

        def repeat():
            while running:
                try:
                    other()
                except RuntimeError as error:
                    errors.append(str(error))
        thread = threading.Thread(target=repeat)
        thread.start()
        try:
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                results.append(operation())
        finally:
            running = False
            thread.join()
        self.assertTrue(results)
        return results, errors

    def test_objects_that_show_something_else(self):
        x = torch.ones(1000, 400)
        other = torch.zeros(3)
        kept = x.detach()

        def change():
            x.t_()
            x.unsqueeze_(0)
            x.set_(other)
            x.set_(kept)
        results, _ = self.beside(lambda: torch.add(x, 0).numel(), change)
        self.assertLessEqual(set(results), {3, 400000})

    def test_storages_are_not_resized(self):
        x = torch.ones(400_000)

        def resize():
            x.storage().resize_(500_000)
            x.storage().resize_(400_000)
        results, errors = self.beside(lambda: (x + 1).sum().item(), resize)
        self.assertEqual(set(results), {800_000})
        self.assertLessEqual(set(errors), {"Trying to resize storage that is not resizable"})
        x.storage().resize_(500_000)  # nothing is lent for longer
        self.assertEqual(x.storage().size(), 500_000)

    def test_tensors_and_arrays_that_go(self):
        class Array(np.ndarray):
            pass
        names = {}

        def replace():
            names["x"] = torch.from_numpy(np.ones(300_000, dtype=np.float32).view(Array))
            names["list"] = [torch.ones(200_000), torch.ones(200_000)]
        replace()
        self.assertEqual(set(self.beside(lambda: (names["x"] + names["x"]).sum().item(), replace)[0]), {600_000})
        self.assertEqual(set(self.beside(lambda: torch.cat(names["list"]).sum().item(), replace)[0]), {400_000})
        self.assertEqual(set(self.beside(lambda: names["x"].exp_().numel(), replace)[0]), {300_000})

    def test_numpy_writes_the_same_memory(self):
        x = torch.zeros(400_000)
        array = x.numpy()
        results, _ = self.beside(lambda: x.sum().item(), lambda: array.fill(1 - array[0]))
        self.assertTrue(all(0 <= r <= 400_000 for r in results))

    def test_many_threads_give_the_same(self):
        torch.manual_seed(0)
        x, m = torch.rand(300_000), torch.rand(150, 150) + torch.eye(150) * 9
        wanted = [(x * 2).sum().item(), x.sort().values[5].item(), (m @ m)[3, 4].item(), torch.linalg.det(m).item(),
                  torch.fft.fft(x[:1 << 15]).real[0].item(), x[x > 0.5].numel()]
        wrong = []

        def work():
            for _ in range(6):
                got = [(x * 2).sum().item(), x.sort().values[5].item(), (m @ m)[3, 4].item(),
                       torch.linalg.det(m).item(), torch.fft.fft(x[:1 << 15]).real[0].item(), x[x > 0.5].numel()]
                wrong.extend((g, w) for g, w in zip(got, wanted) if not np.isclose(g, w, rtol=1e-5))
        threads = [threading.Thread(target=work) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_warnings_of_several_threads(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            large, small = ill_conditioned(150), ill_conditioned(3)
            self.beside(lambda: torch.linalg.solve(large, torch.ones(150)),
                        lambda: torch.linalg.solve(small, torch.ones(3)))


class Ends(unittest.TestCase):
    def run_script(self, code):
        built = os.path.dirname(os.path.dirname(os.path.abspath(torch._core.__file__)))
        return subprocess.run([sys.executable, "-c", "import threading, time, os, sys\nimport stridescope as torch\n" + code],
                              env={**os.environ, "PYTHONPATH": built}, text=True, capture_output=True, timeout=100)

    def test_the_interpreter_ends_under_an_operation(self):
        for _ in range(5):
            done = self.run_script("""
x = torch.rand(300, 300)
def loop():
    while True:
        torch.linalg.svd(x)
for _ in range(3):
    threading.Thread(target=loop, daemon=True).start()
time.sleep(0.1)
print("end")
sys.exit(3)
""")
            self.assertEqual((done.returncode, done.stdout, done.stderr), (3, "end\n", ""))

    def test_forks_under_an_operation(self):
        done = self.run_script("""
x = torch.rand(300, 300)
def loop():
    while True:
        x @ x
        torch.rand(200_000).sort()
        x.sum((0, 1)), torch.zeros(300_000)
for _ in range(3):
    threading.Thread(target=loop, daemon=True).start()
codes = set()
for _ in range(20):
    child = os.fork()
    if child == 0:
        y = torch.ones(500, 500)
        os._exit(0 if (y @ y)[0, 0].item() == 500 and torch.rand(200_000).sort().values.numel() else 1)
    codes.add(os.waitpid(child, 0)[1])
print(codes)
""")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "{0}\n", ""))


if __name__ == "__main__":
    unittest.main()
