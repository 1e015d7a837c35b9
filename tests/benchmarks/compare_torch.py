#!/usr/bin/env python3
"""Compares the tensor core with PyTorch, workload by workload, in one run on one thread.

    python3 tests/benchmarks/compare_torch.py build/core-only/bin/benchmarks/bench_core_workloads [--only TEXT] [--rounds N]

The program prepares and times our side, this script PyTorch's; blocks of calls alternate. What counts is the ratio of
our time to PyTorch's: the median over the rounds of the ratios of neighbouring blocks. Times are processor time.
Rows in which we miss the goal end in MISSED. Goals of single calls were set in nanoseconds (in brackets) on a quiet
machine beside PyTorch's time there; the quotient of the two is the goal here, and the nanoseconds themselves meet it.
Without PyTorch only the peers inside our program are compared (raw OpenBLAS, memcpy).
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
import timeit

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "STRIDESCOPE_NUM_THREADS"):
    os.environ[name] = "1"
os.environ.pop("OPENBLAS_CORETYPE", None)  # each side lets OpenBLAS choose its kernels

try:
    import torch

    torch.set_num_threads(1)
except ImportError:
    torch = None

FIELDS = ("section", "name", "setup", "call", "goal", "goal_ns", "peer", "peer_goal")


class Program:
    """Our side, in a process of its own."""

    def __init__(self, path):
        self.process = subprocess.Popen([path, "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.banner = self.process.stdout.readline().strip()

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if not answer or answer.startswith("?"):
            sys.exit(f"bench_core_workloads answered {answer!r} to {line!r}")
        return answer

    def workloads(self):
        self.process.stdin.write("list\n")
        self.process.stdin.flush()
        rows = []
        while (line := self.process.stdout.readline().rstrip("\n")) != "end":
            row = dict(zip(FIELDS, line.split("\t")))
            for field in ("goal", "goal_ns", "peer_goal"):
                row[field] = float(row[field])
            rows.append(row)
        return rows


def torch_timer(row):
    """Nanoseconds of one call over a block of so many."""
    names = {"torch": torch, "r": torch.rand}
    exec(row["setup"], names)
    timer = timeit.Timer(row["call"], globals=names, timer=time.process_time)
    return lambda calls: timer.timeit(calls) / calls * 1e9


def block_of(side, nanoseconds):
    calls = 1
    while True:
        took = side(calls) * calls
        if took >= nanoseconds or calls > 1 << 24:
            return calls
        calls = max(calls + 1, int(calls * min(16, 1.2 * nanoseconds / max(took, 1))))


def text(ns):
    return f"{ns:.1f} ns" if ns < 1e3 else f"{ns / 1e3:.2f} us" if ns < 1e6 else f"{ns / 1e6:.3f} ms"


def compare(sides, rounds):
    """Medians of each side, and of each side's ratio to the first in the same round (first / other)."""
    blocks = [block_of(side, 5e6) for side in sides]
    # Neighbours on the machine come and go: rounds of slow workloads are fewer.
    slowest = max(side(calls) * calls for side, calls in zip(sides, blocks))
    rounds = max(5, min(rounds, int(3e9 / max(slowest, 1))))
    samples = [[side(calls) for side, calls in zip(sides, blocks)] for _ in range(rounds)]
    medians = [statistics.median(column) for column in zip(*samples)]
    ratios = [statistics.median(sample[0] / sample[i] for sample in samples) for i in range(1, len(sides))]
    return medians, ratios


def mark(value, goal):
    return "" if goal == 0 or value <= goal else "   MISSED"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--only", default="", help="workloads whose section and name contain this text")
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    program = Program(options.program)
    print(f"ours: {program.banner}")
    if torch:
        print(f"PyTorch {torch.__version__}, one thread each")
    else:
        print("PyTorch not installed: only in-process peers")
    print("ratio = our time / the other's, median of neighbouring blocks; goal: the most that it may be")
    missed = with_goal = 0
    for number, row in enumerate(program.workloads()):
        if options.only not in f"{row['section']} {row['name']}":
            continue
        others = []
        if torch and row["call"]:
            others.append(("torch", row["goal"], torch_timer(row)))
        program.ask(f"make {number}")
        if row["peer"]:
            others.append((row["peer"], row["peer_goal"], lambda calls: float(program.ask(f"peer {number} {calls}"))))
        if others:
            ours = lambda calls: float(program.ask(f"ours {number} {calls}"))
            medians, ratios = compare([ours] + [side for _, _, side in others], options.rounds)
            for (name, goal, _), time_of, ratio in zip(others, medians[1:], ratios):
                own = row["goal_ns"] if name == "torch" else 0
                wanted = f"goal {goal:.3f}" if goal else "no goal"
                if own:
                    wanted += f" ({own:.0f} ns)"
                miss = "" if own and medians[0] <= own else mark(ratio, goal)
                missed += bool(miss)
                with_goal += bool(goal)
                print(f"{row['section']} {row['name']:36s} {text(medians[0]):>11s}   {name:16s} {text(time_of):>11s}"
                      f"   ratio {ratio:5.3f}   {wanted}{miss}", flush=True)
        program.ask("drop")
    print(f"{missed} of {with_goal} goals missed")


if __name__ == "__main__":
    main()
