#!/usr/bin/env python3
"""Times of the CUDA backend: beside the device's own copy, and beside PyTorch on the same GPU.

    PYTHONPATH=build/cuda/python python3 tests/benchmarks/compare_cuda.py [--torch PYTHON] [--device cuda]

Each side runs in a process of its own, in turns, ROUNDS times; the figure is the median over the rounds. A block of
calls lies between two events of the current stream, long enough to take 20 ms; inputs are random. Rows give
microseconds a call, GB/s of what must be read and written, its part of the copy's, and PyTorch's time over ours.
`host` is what the caller waits for one small call without waiting for the device. Goals stand beside: MISSED is printed.
With --device sim the script itself is tried out: those times say nothing about any GPU.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time

MIB = 1 << 20
# name, set-up, call, bytes read and written, the least part of the copy's rate, the least of PyTorch's time over ours
ROWS = [
    ("copy 256 MiB", "x = r(64 * M); y = r(64 * M)", "y.copy_(x)", 512 * MIB, 0, 0.95),
    ("add 256 MiB", "x = r(64 * M); z = r(64 * M); y = r(64 * M)", "torch.add(x, z, out=y)", 768 * MIB, 0.9, 1.0),
    ("mul by number 256 MiB", "x = r(64 * M); y = r(64 * M)", "torch.mul(x, 2.5, out=y)", 512 * MIB, 0.9, 1.0),
    ("exp 256 MiB", "x = r(64 * M); y = r(64 * M)", "torch.exp(x, out=y)", 512 * MIB, 0.9, 1.0),
    ("row broadcast 64 MiB", "x = r(4096, 4096); z = r(4096); y = r(4096, 4096)", "torch.add(x, z, out=y)",
     128 * MIB, 0.85, 1.0),
    ("transposed copy 64 MiB", "x = r(4096, 4096).t(); y = r(4096, 4096)", "y.copy_(x)", 128 * MIB, 0.85, 1.0),
    ("float to half 256 MiB", "x = r(64 * M)", "x.half()", 384 * MIB, 0.85, 1.0),
    ("sum 256 MiB", "x = r(64 * M)", "x.sum()", 256 * MIB, 0.9, 1.0),
    ("sum of rows 256 MiB", "x = r(16384, 4096)", "x.sum(1)", 256 * MIB, 0.9, 1.0),
    ("sum of columns 256 MiB", "x = r(16384, 4096)", "x.sum(0)", 256 * MIB, 0.9, 1.0),
    ("std of rows 256 MiB", "x = r(16384, 4096)", "x.std(1)", 256 * MIB, 0.9, 1.6),
    ("cumsum 64 MiB", "x = r(16 * M)", "x.cumsum(0)", 128 * MIB, 0, 0),
    ("softmax 64 MiB", "x = r(16384, 1024)", "torch.softmax(x, 1)", 128 * MIB, 0, 0),
    ("index_select rows", "x = r(65536, 256); i = (r(65536) * (x.size(0) - 1)).long()", "x.index_select(0, i)", 128 * MIB, 0, 0),
    ("masked_select", "x = r(16 * M); m = x > 0.5", "x.masked_select(m)", 0, 0, 0),
    ("sort 1 Mi", "x = r(M)", "x.sort()", 0, 0, 0),
    ("matmul 4096", "x = r(4096, 4096); y = r(4096, 4096)", "x @ y", 0, 0, 0.98),
    ("matmul 4096, transposed", "x = r(4096, 4096).t(); y = r(4096, 4096).t()", "x @ y", 0, 0, 0.98),
    ("matmul 64 of 512", "x = r(64, 512, 512); y = r(64, 512, 512)", "x @ y", 0, 0, 0.98),
    ("host: add of 10", "x = r(10); y = r(10)", "x + y", 0, 0, 1.0),
    ("host: mul in place of 10", "x = r(10)", "x.mul_(1.0)", 0, 0, 1.0),
]
TRANSFERS = [("to device, pinned 256 MiB", "x = h(64 * M).pin_memory(); y = r(64 * M)", "y.copy_(x, non_blocking=True)"),
             ("from device, pinned 256 MiB", "x = h(64 * M).pin_memory(); y = r(64 * M)",
              "x.copy_(y, non_blocking=True)")]
ROWS += [(name, setup, call, 256 * MIB, 0, 0.95) for name, setup, call in TRANSFERS]
ROUNDS = 5


def work(module, device, scale):
    """Answers lines of row numbers with microseconds a call."""
    torch = __import__(module)
    place = getattr(torch, "sim" if device.startswith("sim") else "cuda")
    if device.startswith("sim"):
        place.enable(memory=4 << 30)
    print(json.dumps({"name": place.get_device_name(), "version": torch.__version__}), flush=True)
    made = {}
    for line in sys.stdin:
        number = int(line)
        name, setup, call = ROWS[number][:3]
        if number not in made:
            made.clear()
            def on_host(*size):
                return torch.rand(*(max(2, s // (scale if s > 4096 else 1)) for s in size))

            names = {"torch": torch, "M": MIB, "h": on_host, "r": lambda *size: on_host(*size).to(device)}
            exec(setup, names)
            code = compile(call, name, "eval")
            calls, took = 1, 0.0
            while took < 0.02 and calls < 1 << 16:
                place.synchronize()
                began = time.perf_counter()
                for _ in range(calls):
                    eval(code, names)
                place.synchronize()
                took = time.perf_counter() - began
                calls = calls if took >= 0.02 else calls * 2
            made[number] = (code, names, calls)
        code, names, calls = made[number]
        begin, end = place.Event(enable_timing=True), place.Event(enable_timing=True)
        place.synchronize()
        began = time.perf_counter()
        begin.record()
        for _ in range(calls):
            eval(code, names)
        end.record()
        waited = (time.perf_counter() - began) * 1e6 / calls
        place.synchronize()
        print(waited if name.startswith("host") else begin.elapsed_time(end) * 1e3 / calls, flush=True)


class Side:
    def __init__(self, python, module, device, scale):
        self.process = subprocess.Popen([python, __file__, "--work", module, "--device", device, "--scale", str(scale)],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.about = json.loads(self.process.stdout.readline() or sys.exit(f"{module} does not start"))

    def ask(self, number):
        self.process.stdin.write(f"{number}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline() or sys.exit(f"no answer to {ROWS[number][0]}"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--torch", help="a Python that has PyTorch for this GPU")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--scale", type=int, default=1, help="inputs so many times smaller, to try the script out")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        return work(options.work, options.device, options.scale)
    sides = [Side(sys.executable, "stridescope", options.device, options.scale)]
    if options.torch:
        sides.append(Side(options.torch, "torch", options.device, options.scale))
    for side in sides:
        print(side.about)
    if options.device.startswith("sim"):
        print("simulated: these times are no result")
    copy_rate, missed = 0.0, 0
    for number, (name, _, _, moved, of_copy, of_torch) in enumerate(ROWS):
        samples = [[side.ask(number) for side in sides] for _ in range(ROUNDS)]
        ours = statistics.median(row[0] for row in samples)
        text, miss = f"{name:30s} {ours:12.2f} us", False
        if moved:
            rate = moved / options.scale / ours / 1e3
            copy_rate = copy_rate or rate
            text += f"  {rate:8.1f} GB/s  {rate / copy_rate:5.2f} of copy"
            miss |= of_copy > 0 and rate < of_copy * copy_rate
        if len(sides) > 1:
            ratio = statistics.median(row[1] / row[0] for row in samples)
            text += f"  torch/ours {ratio:5.2f}"
            miss |= of_torch > 0 and ratio < of_torch
        missed += miss
        print(text + ("  MISSED" if miss else ""), flush=True)
    print(f"{missed} goals missed")
    return 1 if missed and not options.device.startswith("sim") else 0


if __name__ == "__main__":
    sys.exit(main())
