"""Short memory: what cannot be had is refused in words, nothing hangs, and with memory again it works."""
import os
import subprocess
import sys
import unittest

# Run in a process of its own: a limit on the address space is one for the whole process.
BEFORE = """
import resource
import stridescope as torch
x = torch.ones(300, 300) + torch.eye(300)
out = torch.zeros(300, 300)
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + 40 * 2**20, -1))
try:
    {code}
    print("done")
except MemoryError as error:
    print("refused:", error)
print(out.sum().item())
resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
{code}
print("done")
"""


class AddressSpace(unittest.TestCase):
    def first(self, code, threads):
        environment = dict(os.environ, STRIDESCOPE_NUM_THREADS=threads, OPENBLAS_NUM_THREADS="1")
        run = subprocess.run([sys.executable, "-c", BEFORE.format(code=code)], env=environment, text=True,
                             capture_output=True, timeout=60, check=True)
        return run.stdout.splitlines()

    def test_the_first_call_into_blas(self):
        for code in ("x @ x.t()", "torch.mm(x, x, out=out)", "torch.linalg.inv(x)", "torch.linalg.svd(x)",
                     "torch.bmm(x.view(-1, 10, 10), x.view(-1, 10, 10))", "torch.linalg.solve_triangular(x, x, upper=True)"):
            with self.subTest(code):
                lines = self.first(code, "1")
                self.assertRegex(lines[0], r"^refused: not enough memory: .* want 143 MB, 134 MB for each of 1 more")
                self.assertEqual(lines[1:], ["0.0", "done"])

    def test_more_threads(self):
        lines = self.first("x @ x", "3")
        self.assertRegex(lines[0], r"^refused: not enough memory")
        self.assertEqual(lines[1:], ["0.0", "done"])

    def test_what_needs_none(self):
        self.assertEqual(self.first("x + x", "1"), ["done", "0.0", "done"])


if __name__ == "__main__":
    unittest.main()
