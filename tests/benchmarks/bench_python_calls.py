"""What a call from Python costs: Stridescope beside PyTorch (where it is installed), in turns in one run.

    PYTHONPATH=build/release/python /usr/bin/python3 tests/benchmarks/bench_python_calls.py [NAME…]

Columns: nanoseconds a call, the median of 41 rounds of 2,000 calls each; the ratio to PyTorch; the goal. The lines are
the body of a loop without arguments, less the cost of the empty loop. What is measured is the processor time of the
thread: the slower of two would be interrupted more often by other programs, and look slower still."""
import statistics
import sys
import time

import stridescope

try:
    import torch
except ImportError:
    torch = None

LINES = [  # name, statement, goal as a part of PyTorch's time
    ("narrow", "x.narrow(1, 1, 2)", 0.25), ("transpose", "x.transpose(0, 1)", 0.3),
    ("two transposes", "x.transpose(0, 1).transpose(0, 2)", 0.3), ("t", "m.t()", 0.3),
    ("permute", "x.permute(2, 0, 1)", 0.3), ("view", "x.view(-1)", 0.3), ("expand", "r.expand(4, 3, 5)", 0.3),
    ("unsqueeze", "x.unsqueeze(0)", 0.3), ("reshape", "x.reshape(2, 30)", 0.3),
    ("x[1]", "x[1]", 0.35), ("x[1, 2, 3]", "x[1, 2, 3]", 0.2), ("x[:, 1:3]", "x[:, 1:3]", 0.35),
    ("item", "s.item()", 0.2), ("x[1, 2, 3] = v", "x[1, 2, 3] = 2.5", 0.2),
    ("add10 new", "a + b", 0.4), ("add10 function", "T.add(a, b)", 0.4), ("add10 out", "T.add(a, b, out=c)", 0.4),
    ("add10 in place", "c.add_(b)", 0.4), ("mul by a scalar", "a * 2.5", 0.2), ("empty10", "T.empty(10)", 0.3),
    ("zeros10", "T.zeros(10)", 0.3), ("sum10", "a.sum()", 0.35), ("exp10", "a.exp()", 0.35),
    ("argmax10", "a.argmax()", 0.35), ("narrow fill", "x.narrow(1, 1, 2).fill_(3.0)", 0.3),
    ("(3,1,5) x (1,4,5)", "p * q", 0.35), ("size()", "x.size()", 1.0), ("shape", "x.shape", 1.0),
    ("float()", "float(s)", 0.35), ("comparison", "a > b", 0.4), ("max(1)", "m.max(1)", 0.4),
]
ROUNDS, CALLS = 41, 2000


def loop(statement):
    names = {}
    exec("def run(T, x, m, r, s, a, b, c, p, q, n, clock):\n"
         "    start = clock()\n"
         f"    for _ in range(n): {statement}\n"
         "    return clock() - start\n", names)
    return names["run"]


def arguments(T):
    T.manual_seed(0)
    return (T, T.rand(3, 4, 5), T.rand(4, 5), T.rand(4, 1, 5), T.tensor(2.5), T.rand(10), T.rand(10), T.rand(10),
            T.rand(3, 1, 5), T.rand(1, 4, 5))


def main():
    wanted = sys.argv[1:]
    libraries = [stridescope] + ([torch] if torch else [])
    for library in libraries:
        library.set_num_threads(1)
    given = [arguments(library) for library in libraries]
    clock = time.thread_time
    idle = min(loop("pass")(*given[0], CALLS, clock) for _ in range(21))
    print(f"{'call':<20}{'Stridescope ns':>16}{'PyTorch ns':>12}{'ratio':>8}{'goal':>7}")
    missed = []
    for name, statement, goal in LINES:
        if wanted and name not in wanted:
            continue
        run = loop(statement)
        times = [[] for _ in libraries]
        for _ in range(ROUNDS):
            for k, arguments_ in enumerate(given):
                times[k].append(max(run(*arguments_, CALLS, clock) - idle, 0) / CALLS * 1e9)
        medians = [statistics.median(t) for t in times]
        line = f"{name:<20}{medians[0]:>16.0f}"
        if torch:
            ratio = medians[0] / medians[1]
            line += f"{medians[1]:>12.0f}{ratio:>8.2f}{goal:>7.2f}{'' if ratio <= goal else '  missed'}"
            if ratio > goal:
                missed.append(name)
        print(line, flush=True)
    if torch:
        print(f"{len(missed)} above their goal" + (": " + ", ".join(missed) if missed else ""))


if __name__ == "__main__":
    main()
