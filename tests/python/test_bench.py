"""`stridescope bench` for statements of Python: measured, compared, recorded, refused."""
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ.get("STRIDESCOPE_PROGRAM", "")


def bench(*arguments):
    environment = {name: os.environ[name] for name in ("HOME", "PATH", "TMPDIR") if name in os.environ}
    return subprocess.run([PROGRAM, "bench", *arguments, "--python", sys.executable], capture_output=True, text=True,
                          timeout=120, env={**environment, "PYTHONDONTWRITEBYTECODE": "1"})


@unittest.skipUnless(os.path.exists(PROGRAM), "the program is not built; this test drives it")
class Statements(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.json, self.csv = (os.path.join(folder.name, name) for name in ("run.json", "run.csv"))

    def test_several_in_turns_over_sizes(self):
        ran = bench("--stmt", "x.sum()", "--stmt", "s = 0.0\nfor v in a: s += v", "--setup",
                    "x = torch.rand(n); a = x.tolist()", "--sizes", "100,3000", "--max-time", "0.1", "--machine", "m",
                    "--json", self.json, "--csv", self.csv)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        rows = [line for line in ran.stdout.splitlines() if "x.sum()" in line or "s = 0.0..." in line]
        self.assertGreaterEqual(len(rows), 4)
        with open(self.json) as file:
            run = json.load(file)
        self.assertEqual((run["format"], run["version"], run["conditions"]["machine"]), ("stridescope timing", 1, "m"))
        self.assertEqual([(m["n"], m["statement"][:7], m["group"]) for m in run["measurements"]],
                         [(100, "x.sum()", 0), (100, "s = 0.0", 0), (3000, "x.sum()", 1), (3000, "s = 0.0", 1)])
        for m in run["measurements"]:
            self.assertGreaterEqual(len(m["samples"]), 3)
            self.assertEqual(len(m["samples"][0]), len(run["sample_columns"]))
            self.assertGreater(m["first_call"], 0)
            self.assertGreater(m["summary"]["seconds"], 0)
        large = [m["summary"]["seconds"] for m in run["measurements"][2:]]
        self.assertLess(large[0], large[1])  # the loop pays the interpreter for each element
        self.assertEqual(len(run["comparisons"]), 2)
        self.assertIn("bench --stmt 'x.sum()'", run["command"])
        with open(self.csv) as file:
            lines = [line for line in csv.DictReader(row for row in file if not row.startswith("#"))]
        self.assertEqual(sum(line["kind"] == "sample" for line in lines),
                         sum(len(m["samples"]) for m in run["measurements"]))
        shown = subprocess.run([PROGRAM, "bench", "--show", self.json], capture_output=True, text=True, timeout=60)
        self.assertEqual(shown.returncode, 0)
        for row in rows[:4]:
            self.assertIn(row, shown.stdout)

    def test_the_setup_runs_once(self):
        ran = bench("--stmt", "count.append(1)", "--setup", "count = []; print('set up')", "--max-time", "0.05")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(ran.stdout.count("set up"), 1)

    def test_the_loop_as_a_mistake(self):
        ran = bench("--mistake", "python-loop", "--size", "20000")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("pays the interpreter for each element", ran.stdout)
        self.assertRegex(ran.stdout, r"s = A\.sum\(\) faster \d+(\.\d+)?x|this machine is busy")

    def test_what_fails_is_said_in_a_line(self):
        for arguments, words in ((("--stmt", "1 / 0"), "ZeroDivisionError: division by zero"),
                                 (("--stmt", "x +"), "SyntaxError"),
                                 (("--stmt", "1", "--setup", "import nothing_there"), "ModuleNotFoundError"),
                                 (("--stmt", "torch.ones(2) @ torch.ones(3)"), "RuntimeError")):
            ran = bench(*arguments)
            self.assertEqual(ran.returncode, 1)
            self.assertRegex(ran.stderr, re.escape(f"stridescope bench: ") + ".*" + words)
            self.assertEqual(ran.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
