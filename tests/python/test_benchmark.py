"""torch.utils.benchmark: times, what is printed of them, and tables."""
import contextlib
import io
import pickle
import unittest

import stridescope as torch
from stridescope.utils import benchmark

TIMES = {("x + y", 10): [2e-5, 2.02e-5, 2.1e-5, 2.04e-5, 2.03e-5], ("x + y", 1000): [9e-4, 9.1e-4, 8.8e-4, 1.9e-3, 2.5e-3],
         ("x @ y", 10): [3e-5, 3.01e-5, 3.02e-5, 3.0e-5], ("x @ y", 1000): [0.16, 0.161]}
PLAIN = """\
[------------ products -----------]
             |  n = 10  |  n = 1000
1 threads: ------------------------
      x + y  |   20.3   |     910.0
      x @ y  |   30.1   |  160500.0
4 threads: ------------------------
      x + y  |          |     910.0
      x @ y  |          |  160500.0

Times are in microseconds (us).
"""
TRIMMED = """\
[--------------- products ---------------]
             |  n = 10  |      n = 1000   
1 threads: -------------------------------
      x + y  |    20    |     900 (! 110%)
      x @ y  |    30    |   160000        
4 threads: -------------------------------
      x + y  |          |     900 (! 110%)
      x @ y  |          |   160000        

Times are in microseconds (us).
(! XX%) Measurement has high variance, where XX is the IQR / median * 100.
"""


def measured():
    return [benchmark.Measurement(10, [t * 10 for t in times], benchmark.TaskSpec(
        stmt=stmt, setup="pass", label="products", sub_label=stmt, description=f"n = {n}", num_threads=threads))
        for threads in (1, 4) for (stmt, n), times in TIMES.items() if threads == 1 or n == 1000]


class Timing(unittest.TestCase):
    def text(self, number, times, **what):
        what.setdefault("setup", "pass")
        text = repr(benchmark.Measurement(number, times, benchmark.TaskSpec(**what)))
        first, rest = text.split("\n", 1)
        self.assertRegex(first, r"^<torch.utils.benchmark.utils.common.Measurement object at 0x[0-9a-f]+>$")
        return rest

    def test_texts_as_recorded_from_pytorch(self):
        self.assertEqual(self.text(100, [0.229], stmt="f(x)"), "f(x)\n  2.29 ms\n  1 measurement, 100 runs , 1 thread")
        self.assertEqual(self.text(1000, [0.00229], stmt="f(x)", setup="from __main__ import f"),
                         "f(x)\nsetup: from __main__ import f\n  2.29 us\n  1 measurement, 1000 runs , 1 thread")
        self.assertEqual(self.text(10, [1.0, 2.0, 3.0, 4.0, 5.0], stmt="a\nb", setup="x=1\ny=2", num_threads=2),
                         "stmt:\n  a\n  b\n\nsetup:\n  x=1\n  y=2\n\n  Median: 300.00 ms\n"
                         "  IQR:    200.00 ms (200.00 to 400.00)\n  5 measurements, 10 runs per measurement, 2 threads\n"
                         "  WARNING: Interquartile range is 66.7% of the median measurement.\n"
                         "           This suggests significant environmental influence.")
        self.assertEqual(self.text(10, [2e-6, 2.01e-6, 2.02e-6, 2.0e-6], stmt="s", label="L", sub_label="S", description="D"),
                         "L: S\nD\n  Median: 200.50 ns\n  IQR:    1.25 ns (200.00 to 201.25)\n"
                         "  4 measurements, 10 runs per measurement, 1 thread")
        self.assertEqual(self.text(1, [2.5, 2.6], stmt="s"),
                         "s\n  Median: 2.55 s\n  2 measurements, 1 runs per measurement, 1 thread")

    def test_numbers(self):
        m = benchmark.Measurement(2, [1.0, 2.0, 3.0, 4.0, 5.0], benchmark.TaskSpec("s"))
        self.assertEqual((m.mean, m.median, m.iqr, m.times), (1.5, 1.5, 1.0, [0.5, 1.0, 1.5, 2.0, 2.5]))

    def test_timers_measure(self):
        names = {"x": torch.ones(1000), "count": []}
        timer = benchmark.Timer("count.append(1); x.sum()", setup="y = 1", globals=names)
        m = timer.timeit(200)
        self.assertEqual(len(names["count"]), 202)  # two to warm up
        self.assertGreater(m.median, 0)
        m = benchmark.Timer("x + x", globals=names, num_threads=2).blocked_autorange(min_run_time=0.05)
        self.assertGreaterEqual(sum(m.raw_times), 0.05)
        self.assertEqual(m.num_threads, 2)
        self.assertGreater(benchmark.Timer("sum(range(20000))").timeit(20).mean,
                           benchmark.Timer("sum(range(20))").timeit(20).mean)
        m = benchmark.Timer("x * 2", globals=names).adaptive_autorange(min_run_time=0.01, max_run_time=0.2)
        self.assertTrue(m.times)

    def test_blocks_by_a_clock_of_ones_own(self):
        clock = [0.0]

        def reading():
            clock[0] += 1e-6
            return clock[0]
        seen = []
        names = {"clock": clock}
        timer = benchmark.Timer("clock[0] += 1e-4", globals=names, timer=reading)
        m = timer.blocked_autorange(callback=lambda number, taken: seen.append((number, taken)), min_run_time=0.5)
        self.assertEqual(m.number_per_run, 100)  # 1e4 readings of the clock
        self.assertEqual(len(m.raw_times), 50)
        self.assertEqual(seen, [(100, t) for t in m.raw_times])
        self.assertAlmostEqual(m.median, 1e-4, delta=1e-7)
        m = timer.adaptive_autorange(threshold=0.1, min_run_time=0.1, max_run_time=5)
        self.assertEqual((m.number_per_run, len(m.raw_times)), (100, 10))
        with self.assertRaises(ZeroDivisionError):
            benchmark.Timer("1 / 0").blocked_autorange()

    def test_the_number_of_threads_comes_back(self):
        before = torch.get_num_threads()
        with self.assertRaises(ZeroDivisionError):
            benchmark.Timer("1 / 0", num_threads=5).timeit(1)
        self.assertEqual(torch.get_num_threads(), before)

    def test_what_is_no_statement(self):
        for arguments, words in ((dict(stmt=3), "Currently only a `str` stmt is supported."),
                                 (dict(stmt="x", global_setup="y"), "global_setup is C++ only, got `y`"),
                                 (dict(stmt="x", language="c++"), "only statements of Python")):
            with self.assertRaisesRegex(ValueError, words.replace("+", r"\+")):
                benchmark.Timer(**arguments)

    def test_how_far_times_can_be_trusted(self):
        known = [(2, False, True), (1, True, False), (2, False, True), (2, False, True), (1, True, False), (2, False, True)]
        self.assertEqual([(m.significant_figures, m.has_warnings, m.meets_confidence(0.5)) for m in measured()], known)
        self.assertTrue(benchmark.Measurement(1, [1.0, 1.09], benchmark.TaskSpec("x")).meets_confidence())
        self.assertFalse(benchmark.Measurement(1, [1.0, 1.3], benchmark.TaskSpec("x")).meets_confidence())

    def test_merged(self):
        twice = measured() + measured()
        merged = benchmark.Measurement.merge(twice)
        self.assertEqual([len(m.times) for m in merged], [2 * len(m.times) for m in measured()])
        self.assertEqual([m.number_per_run for m in merged], [1] * 6)
        self.assertEqual([m.as_row_name for m in merged[:3]], ["x + y", "x + y", "x @ y"])
        self.assertEqual(benchmark.Measurement(1, [1.0], benchmark.TaskSpec("s", sub_label="row")).as_row_name, "row")
        again = pickle.loads(pickle.dumps(merged[0]))
        self.assertEqual((again.task_spec, again.times), (merged[0].task_spec, merged[0].times))


class Tables(unittest.TestCase):
    """Texts as recorded from PyTorch."""
    maxDiff = None

    def test_plain(self):
        table = benchmark.Compare(measured())
        self.assertEqual(str(table), PLAIN)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            table.print()
        self.assertEqual(printed.getvalue(), PLAIN + "\n")

    def test_digits_and_warnings(self):
        table = benchmark.Compare(measured()[:2])
        table.extend_results(measured()[2:])
        table.trim_significant_figures()
        table.highlight_warnings()
        self.assertEqual(str(table), TRIMMED)

    def test_colours(self):
        table = benchmark.Compare(measured())
        table.colorize()
        best, worst = "\033[92m\033[1m", "\033[31m\033[1m"
        rows = [line for line in str(table).split("\n") if "x + y" in line or "x @ y" in line]
        self.assertEqual([(best in row, worst in row) for row in rows], [(True, False), (False, True)] * 2)
        table.colorize(rowwise=True)
        rows = [line for line in str(table).split("\n") if "x + y" in line or "x @ y" in line]
        self.assertEqual([(best in row, worst in row) for row in rows], [(True, True)] * 2 + [(True, False)] * 2)
        for row in rows:
            self.assertEqual(row.count("\033[0m\033[0m"), row.count("\033[1m"))

    def test_labels_have_a_table_each(self):
        others = [benchmark.Measurement(1, [2.0], benchmark.TaskSpec("s", label="other"))]
        text = str(benchmark.Compare(measured() + others))
        self.assertTrue(text.startswith(PLAIN))
        self.assertIn("[ other ]", text.replace("-", ""))
        self.assertIn("Times are in seconds (s).", text)
        environments = [benchmark.Measurement(1, [2.0 + i], benchmark.TaskSpec("s", description="d", env=env))
                        for i, env in enumerate(("before", "after"))]
        self.assertIn("(before)", str(benchmark.Compare(environments)))
        self.assertNotIn("(before)", str(benchmark.Compare(environments[:1])))

    def test_what_is_no_measurement(self):
        with self.assertRaisesRegex(ValueError, "Expected an instance of `Measurement`, got <class 'int'> instead."):
            benchmark.Compare([3])


if __name__ == "__main__":
    unittest.main()
