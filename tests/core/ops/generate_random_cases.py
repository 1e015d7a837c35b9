#!/usr/bin/env python3
"""Writes data/random_cases.txt: calls of random functions, in one sequence, with what PyTorch 1.13 gives for them.

Needs torch 1.13.1 (CPU). The tests read the file only. A line is a call, then " = ", the first elements as hexadecimal
bits, and an FNV-1a hash of all bytes of the storage. Calls in place name a layout: shape, strides, offset and slots of
a storage of zeros; the storage is shown with its gaps.
"""
import pathlib
import random

import torch

FLOATS = ["float16", "float32", "float64"]
INTS = ["uint8", "int8", "int16", "int32", "int64"]
SIZES = [0, 1, 15, 16, 17, 31, 32, 33, 1000]
LAYOUTS = [([n], [1], 0, n) for n in SIZES] + [
    ([], [], 3, 5),
    ([17], [3], 1, 55),
    ([4, 6], [6, 1], 2, 30),
    ([6, 4], [1, 6], 0, 26),
    ([5, 4], [6, 1], 1, 33),
    ([4, 2, 3], [1, 12, 4], 0, 26),
    ([3, 2, 2, 4], [4, 12, 24, 1], 3, 55),
    ([3, 1, 2], [2, 77, 1], 0, 8),
    ([3, 3], [12, 2], 1, 36),
    ([70, 33], [1, 70], 5, 2320),
]


def parse(text):
    return [] if text == "-" else [int(part) for part in text.split(",")]


def text_of(values):
    return ",".join(map(str, values)) or "-"


def fnv(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) % 2**64
    return value


def storage_bytes(tensor):
    storage = tensor.storage()
    flat = torch.empty(0, dtype=tensor.dtype).set_(storage, 0, (len(storage),), (1,))
    return flat.numpy().tobytes()


def number(text):
    return float(text) if "." in text or "e" in text else int(text)


def made(function, dtype, rest):
    if function == "randperm":
        return torch.randperm(int(rest[0]), dtype=dtype)
    shape = parse(rest[0])
    if function == "randint":
        return torch.randint(int(rest[1]), int(rest[2]), shape, dtype=dtype)
    if function == "normal":
        return torch.normal(float(rest[1]), float(rest[2]), shape, dtype=dtype)
    return getattr(torch, function)(shape, dtype=dtype)


def on_layout(function, view, base, rest):
    if function in ("rand_like", "randn_like"):
        return getattr(torch, function)(view)
    if function == "randint_like":
        return torch.randint_like(view, int(rest[0]), int(rest[1]))
    if function == "random_":
        bounds = [None if part == "None" else int(part) for part in rest]
        view.random_(*bounds)
    elif function == "bernoulli_p":  # probabilities of one row, broadcast
        shape = list(view.shape)
        if shape:
            shape[0] = 1
        view.bernoulli_(torch.rand(shape, dtype=getattr(torch, rest[0])))
    elif function == "bernoulli":
        return view.uniform_().bernoulli()
    elif function == "normal_mean":
        return torch.normal(view.normal_(), float(rest[0]))
    elif function == "normal_std":
        return torch.normal(float(rest[0]), view.uniform_())
    elif function == "normal_both":
        return torch.normal(view.normal_(), torch.rand(view.shape[-1:], dtype=torch.float64))
    elif function == "multinomial":
        return torch.multinomial(view.uniform_(), int(rest[0]), rest[1] == "1")
    else:
        getattr(view, function)(*map(number, rest))
    return base


def run(call):
    words = call.split()
    if words[0] == "seed":
        torch.manual_seed(int(words[1]))
        return None
    if words[0] == "state":
        return torch.get_rng_state()
    dtype = getattr(torch, words[1])
    if words[0] in ("rand", "randn", "randint", "randperm", "normal"):
        return made(words[0], dtype, words[2:])
    shape, stride, offset, slots = parse(words[2]), parse(words[3]), int(words[4]), int(words[5])
    base = torch.zeros(slots, dtype=dtype)
    return on_layout(words[0], base.as_strided(shape, stride, offset), base, words[6:])


def lecture():
    """The sequences of the lecture: small and large draws after one seed."""
    yield "seed 0"
    for shape in ("2", "3", "1,1", "1,1,1", "2,6"):  # draws 1 to 19
        yield f"rand float32 {shape}"
    yield "rand float32 16"
    yield "rand float64 2,4"  # draws 36 to 51
    for shape in ("1", "1,1", "1,1,1", "1,1,1,1", "2"):
        yield f"rand float32 {shape}"
    yield "rand float32 12"
    yield "rand float32 2,2,2,2"
    yield "rand float32 3077"
    yield "rand float32 3,4"  # draws 3163 to 3174
    yield "seed 0"
    yield "rand float32 71"
    yield "randn float32 4,4"
    yield "randn float32 4"
    yield "seed 0"
    yield "randperm int64 4"
    yield "randperm int64 5"
    yield "seed 1"
    yield "randn float32 8"
    yield "randn float32 8"
    yield "seed 1"
    yield "randn float32 16"


def calls():
    yield from lecture()
    choose = random.Random(113)
    for seed in (0, 1, 2**32 - 1, 2**40 + 7, 2**64 - 1):
        yield f"seed {seed}"
        yield "state"
        for dtype in FLOATS:
            for size in SIZES:
                yield f"rand {dtype} {size}"
                yield f"randn {dtype} {size}"
        yield "state"
    yield "seed 7"
    for dtype in INTS + FLOATS:
        for size in (0, 1, 2, 100, 127):
            yield f"randperm {dtype} {size}"
        yield f"randint {dtype} 33 3 120"
        yield f"normal {choose.choice(FLOATS)} {choose.choice(SIZES)} 1.5 0.25"
    yield "randperm int64 3000"
    for dtype in ("int64", "float32", "float64"):
        for low, high in ((0, 2**33), (-(2**40), 2**41 + 3), (-(2**63), 2**63 - 1), (-(2**31), 2**31)):
            yield f"randint {dtype} 9 {low} {high}"
    yield "randint bool 40 0 2"
    yield "randint float16 40 0 5000"
    for layout in LAYOUTS:
        shape, stride, offset, slots = layout
        where = f"{text_of(shape)} {text_of(stride)} {offset} {slots}"
        for dtype in FLOATS:
            for rest in ("0 1", "-1 1", "0.1 0.7", "-3.3 1000.7"):
                yield f"uniform_ {dtype} {where} {rest}"
            for rest in ("0 1", "-0.3 0.1", "5.7 0"):
                yield f"normal_ {dtype} {where} {rest}"
            yield f"log_normal_ {dtype} {where} 0.5 0.25"
            yield f"cauchy_ {dtype} {where} 1 2.5"
            yield f"exponential_ {dtype} {where} {choose.choice(['1', '0.3', '7.7'])}"
            for function in ("rand_like", "randn_like"):
                yield f"{function} {dtype} {where}"
            yield f"normal_mean {dtype} {where} 1.7"
            yield f"normal_std {dtype} {where} 0.3"
            yield f"normal_both {dtype} {where}"
        for dtype in INTS + FLOATS:
            yield f"geometric_ {dtype} {where} {choose.choice(['0.5', '0.3', '0.77'])}"
            yield f"random_ {dtype} {where}"
            yield f"random_ {dtype} {where} {choose.choice(['0 100', '5 120', '5 None'])}"
            yield f"randint_like {dtype} {where} 3 117"
        for dtype in ("int64", "float32", "float64"):
            yield f"random_ {dtype} {where} {-2**63} None"
            yield f"random_ {dtype} {where} {-2**33} None"
        yield f"random_ int32 {where} {-2**31} None"
        yield f"random_ bool {where}"
        for dtype in INTS + ["float32", "float64", "bool"]:
            yield f"bernoulli_ {dtype} {where} {choose.choice(['0.5', '0.3', '1', '0'])}"
            yield f"bernoulli_p {dtype} {where} {choose.choice(['float32', 'float64'])}"
        for dtype in ("float32", "float64"):
            yield f"bernoulli {dtype} {where}"
            if 1 <= len(shape) <= 2 and shape[-1] > 0:
                for count in sorted({1, min(3, shape[-1]), shape[-1]}):
                    yield f"multinomial {dtype} {where} {count} {choose.randint(0, 1)}"
        yield "state"


def main():
    lines = []
    for call in calls():
        result = run(call)
        if result is None:
            lines.append(call)
            continue
        data = storage_bytes(result)
        size = result.element_size()
        first = [data[i : i + size][::-1].hex() for i in range(0, min(4 * size, len(data)), size)]
        lines.append(f"{call} = {' '.join(first + [f'{fnv(data):016x}'])}")
    path = pathlib.Path(__file__).parent / "data" / "random_cases.txt"
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
