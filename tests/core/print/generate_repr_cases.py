#!/usr/bin/python3
"""Writes tensors and what PyTorch prints for them: the expected values of tst_repr.

    /usr/bin/python3 generate_repr_cases.py --count 400 --seed 1 > data/repr_cases.txt
    /usr/bin/python3 generate_repr_cases.py --count 20000 --seed 7 --lines 10000 > /tmp/many.txt
    STRIDESCOPE_REPR_CASES=/tmp/many.txt tst_repr          # a wider check by hand

Needs PyTorch (1.13 made the committed file). The tests read the file only and never run this script.

A case, one field a line:
    dtype float32
    default float32                      the default dtype
    bytes 0000803f...                    the storage, hexadecimal, little-endian; or
    pattern COUNT A B M C D              element i is ((i * A + B) mod M - C) / D, division only for floats
    view 2,3 3,1 0                       size, stride, offset; "-" for none
    options 4 1000 3 80 -                precision, threshold, edgeitems, linewidth, sci_mode (-, 0, 1)
    expect N                             N lines of text follow
"""
import argparse
import random

import numpy as np
import torch

DTYPES = ["uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "bool"]
NUMPY = {name: np.dtype(name if name != "bool" else "bool") for name in DTYPES}


def float_values(rng, count):
    """Numbers of one character, so that every rule of the formatter decides something."""
    kind = rng.randrange(14)
    if kind == 0:
        values = [rng.gauss(0, 1) for _ in range(count)]
    elif kind == 1:
        values = [float(rng.randint(-5, 20)) for _ in range(count)]
    elif kind == 2:
        values = [rng.choice([-1, 1]) * 10 ** rng.uniform(-8, 8) for _ in range(count)]
    elif kind == 3:
        values = [rng.randint(-40, 40) / 32 for _ in range(count)]
    elif kind == 4:
        values = [0.0] * count
    elif kind == 5:
        values = [rng.choice([0.0, -0.0, 1.0, float("nan"), float("inf"), -float("inf")]) for _ in range(count)]
    elif kind == 6:
        values = [rng.choice([9.9e-5, 1e-4, 1.1e-4, 5e-5, 0.05, 0.0999]) for _ in range(count)]
    elif kind == 7:
        values = [rng.choice([1e8, 99999999.0, 100000001.0, 3e7, 123456.0, 1e5, 1e6]) for _ in range(count)]
    elif kind == 8:
        values = [rng.choice([1.0, 1000.0, 999.0, 1001.0, 500.5]) for _ in range(count)]
    elif kind == 9:
        values = [rng.choice([1e-45, 5e-324, 1e300, 1e38, -1e38, 6e-8, 2.0]) for _ in range(count)]
    elif kind == 10:
        values = [rng.uniform(-1000, 1000) for _ in range(count)]
    elif kind == 11:
        values = [rng.randint(0, 10 ** rng.randint(1, 9)) * 1.0 for _ in range(count)]
    elif kind == 12:
        values = [rng.randint(-99999, 99999) + 0.5 for _ in range(count)]
    else:
        values = [rng.randint(-200000, 200000) / 10 ** 5 + 0.00005 for _ in range(count)]
    if rng.random() < 0.25:
        for _ in range(1 + count // 8):
            if count:
                values[rng.randrange(count)] = rng.choice([float("nan"), float("inf"), -float("inf"), 0.0, -0.0])
    return values


def storage(rng, dtype, count):
    if dtype == "bool":
        return np.array([rng.random() < 0.5 for _ in range(count)], dtype=np.bool_)
    if dtype.startswith("float"):
        with np.errstate(over="ignore", under="ignore"):
            return np.array(float_values(rng, count), dtype=np.float64).astype(NUMPY[dtype])
    info = np.iinfo(NUMPY[dtype])
    width = rng.choice([3, 10, 100, 2 ** 15, 2 ** 63])
    low, high = max(info.min, -width), min(info.max, width - 1)
    return np.array([rng.randint(low, high) for _ in range(count)], dtype=NUMPY[dtype])


def pattern(rng, dtype, count):
    info_c = 0 if dtype in ("uint8", "bool") else rng.choice([0, 50, 7])
    m = 2 if dtype == "bool" else rng.choice([10, 97, 120])
    d = rng.choice([1, 8, 7, 1000]) if dtype.startswith("float") else 1
    spec = (count, rng.randint(1, 1000), rng.randint(0, 99), m, info_c, d)
    numbers = (np.arange(count, dtype=np.int64) * spec[1] + spec[2]) % spec[3] - spec[4]
    if dtype.startswith("float"):
        return spec, (numbers.astype(np.float64) / spec[5]).astype(NUMPY[dtype])
    return spec, numbers.astype(NUMPY[dtype])


def random_shape(rng, most):
    rank = rng.choice([0, 1, 1, 2, 2, 2, 3, 3, 4, 5])
    shape = []
    left = most
    for _ in range(rank):
        size = rng.choice([0, 1, 1, 2, 2, 3, 3, 4, 5, 7, 12, 30]) if rng.random() < 0.95 else 0
        if size == 0 and rng.random() < 0.7:
            size = 2
        size = min(size, max(left, 1))
        shape.append(size)
        left //= max(size, 1)
    rng.shuffle(shape)
    return shape


def random_layout(rng, shape):
    """Strides in a random order of dims, some stretched, some 0; returns stride, offset, storage count."""
    order = list(range(len(shape)))
    if rng.random() < 0.5:
        order.sort(reverse=True)
    else:
        rng.shuffle(order)
    stride = [0] * len(shape)
    step = 1
    for d in order:
        stride[d] = step * rng.choice([1, 1, 1, 2])
        step = stride[d] * max(shape[d], 1)
        if rng.random() < 0.08:
            stride[d] = 0
    offset = rng.choice([0, 0, 0, 1, 3])
    reach = offset + 1 + sum((n - 1) * s for n, s in zip(shape, stride)) if all(shape) else offset
    return stride, offset, reach


def text_of(values):
    return ",".join(map(str, values)) if values else "-"


def write_case(rng, big, most_lines):
    """Prints one case; False when its text is longer than `most_lines`."""
    dtype = rng.choice(DTYPES)
    default = rng.choice(["float32"] * 9 + ["float64", "float16"])
    options = [4, 1000, 3, 80, None]
    if rng.random() < 0.2:
        options = [rng.choice([0, 1, 2, 4, 8, 17]), rng.choice([0, 5, 20, 1000]), rng.choice([1, 2, 3, 5]),
                   rng.choice([5, 20, 40, 80, 120]), rng.choice([None, None, True, False])]
    if big:
        shape = rng.choice([[1001], [1200], [40, 30], [7, 200], [200, 7], [6, 200], [3, 20, 30], [8, 9, 20], [1, 1, 1100],
                            [4, 7, 7, 7], [2, 3, 4, 5, 10], [1100, 1], [1000], [25, 40], [9, 9, 9, 9]])
        # strides as random_layout's, but never so stretched that the storage grows large
        stride, offset, count = random_layout(rng, shape)
        spec, data = pattern(rng, dtype, max(count, 1))
        source = "pattern " + " ".join(map(str, spec))
    else:
        shape = random_shape(rng, rng.choice([6, 24, 60]))
        stride, offset, count = random_layout(rng, shape)
        data = storage(rng, dtype, max(count, 1))
        source = "bytes " + data.tobytes().hex()
    tensor = torch.from_numpy(data.copy()).as_strided(shape, stride, offset)
    torch.set_default_dtype(getattr(torch, default))
    torch.set_printoptions(precision=options[0], threshold=options[1], edgeitems=options[2], linewidth=options[3],
                           sci_mode=options[4])
    expected = repr(tensor)
    torch.set_default_dtype(torch.float32)
    sci = "-" if options[4] is None else str(int(options[4]))
    lines = expected.split("\n")
    if len(lines) > most_lines:
        return False
    print("dtype", dtype)
    print("default", default)
    print(source)
    print("view", text_of(shape), text_of(stride), offset)
    print("options", *options[:4], sci)
    print("expect", len(lines))
    print(expected)
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lines", type=int, default=40, help="leave out cases with more lines of text")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    print("# PyTorch", torch.__version__, "count", arguments.count, "seed", arguments.seed)
    written = 0
    while written < arguments.count:
        written += write_case(rng, rng.random() < 0.2, arguments.lines)


main()
