#!/usr/bin/python3
"""Compares operations on a million numbers with PyTorch, one thread each, in one process.

    PYTHONPATH=build/release/python /usr/bin/python3 tests/benchmarks/compare_large.py [ROUNDS]

What compare_operations.py cannot show with its 50,000 elements: which way an operation goes for many elements, a short
range of values, or long rows. Calls alternate; the shortest of each side counts (5 ROUNDS). The ratio is our time to
PyTorch's: below 1 is faster."""

import os
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "STRIDESCOPE_NUM_THREADS"):
    os.environ[variable] = "1"
os.environ.pop("OPENBLAS_CORETYPE", None)

import numpy as np  # noqa: E402
import torch  # noqa: E402
import stridescope  # noqa: E402

COUNT = 10 ** 6


def cases():
    random = np.random.default_rng(0)
    values, floats = random.integers(0, 1000, COUNT), random.standard_normal(COUNT).astype("f4")
    narrow, points = random.standard_normal((1000, 3)).astype("f4"), random.standard_normal((200, 50)).astype("f4")
    everything = "x.unique(return_inverse=True, return_counts=True)"
    return [("unique, int64 in 0..999", "x.unique()", values),
            ("the same, inverse and counts", everything, values),
            ("unique, int32 in 0..999", "x.unique()", values.astype("i4")),
            ("unique, 1000 values far apart", "x.unique()", values * 1000003),
            ("the same, inverse and counts", everything, values * 1000003),
            ("unique, 10^6 values", "x.unique()", random.permutation(COUNT) * 1000003),
            ("unique, bool", "x.unique()", values > 500),
            ("unique, float32", "x.unique()", floats),
            ("unique_consecutive, int64", "x.unique_consecutive()", values),
            ("the same, counts", "x.unique_consecutive(return_counts=True)", values),
            ("topk(10), float32", "x.topk(10)", floats),
            ("topk(10) of the least", "x.topk(10, largest=False)", floats),
            ("topk(10), int64", "x.topk(10)", values),
            ("cdist of 200 x 50", "m.cdist(x, x)", points),
            ("cdist of 1000 x 3", "m.cdist(x, x)", narrow),
            ("logsumexp(1) of 1000 x 1000", "x.logsumexp(1)", floats.reshape(1000, 1000)),
            ("erf, float32", "x.erf()", floats)]


def main():
    torch.set_num_threads(1)
    stridescope.set_num_threads(1)
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    for name, code, data in cases():
        sides = []
        for module in (stridescope, torch):
            sides.append((eval("lambda x: " + code, {"m": module}), module.from_numpy(data.copy())))
        best = [float("inf")] * 2
        for _ in range(rounds):
            for side, (call, x) in enumerate(sides):
                start = time.perf_counter()
                call(x)
                best[side] = min(best[side], time.perf_counter() - start)
        print(f"{name:32} ours {1e3 * best[0]:8.3f} ms   torch {1e3 * best[1]:8.3f} ms   ratio {best[0] / best[1]:6.2f}")


if __name__ == "__main__":
    main()
