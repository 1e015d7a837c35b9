#pragma once
// A recorded run with something in every field.

#include "core/timing/record.h"

namespace stridescope::timing::test {

inline Run example() {
    Run run;
    run.title = "A \"quoted\", title";
    run.command = "stridescope bench --op mm --sizes 64";
    run.conditions.machine = "a machine";
    run.conditions.processor = "Processor, with a comma";
    run.conditions.processors = 2;
    run.conditions.blasKernels = "Haswell";
    run.conditions.megahertzBefore = 2599.998;
    run.conditions.lastCacheBytes = 33554432;
    run.conditions.devices = {"cuda:0: NVIDIA X, compute capability 9.0", "cuda:1: another"};
    run.conditions.version = "0.1.0";
    run.conditions.date = "2026-10-12T14:03:22Z";
    run.ceilings = {{"cpu", 2, "copy", DType::Float32, 4.76e10, 0.012}, {"cuda:0", 0, "gemm", DType::Float64, 6e13, 0}};
    for (int i = 0; i < 3; ++i) {
        Measurement m;
        m.operation = i == 2 ? "statement" : "mm";
        m.statement = i == 2 ? "s = 0.0\nfor v in a: s += v  # \"ü\"" : "torch.mm(A, B)";
        m.n = 64;
        m.shapes = "{64, 64} {64, 64}";
        m.dtype = i ? DType::Float64 : DType::Float32;
        m.layout = i ? Layout::Stepped : Layout::Contiguous;
        m.cache = i ? Cache::Cold : Cache::Warm;
        m.device = i == 1 ? "cuda:0" : "cpu";
        m.threads = i == 1 ? 0 : 2;
        m.bytes = 49152;
        m.flops = 524288;
        m.group = i == 2 ? 1 : 0;
        m.notes = {"stopped by time", "clock fell by 14 %"};
        m.stop = Stop::Time;
        m.clockCost = 2.2e-8;
        m.measured.callsPerBlock = 400;
        m.measured.firstCall = 0.0123;
        m.measured.warm = true;
        m.measured.bestProbe = 4e-5;
        for (int k = 0; k < 9; ++k) {
            Sample s;
            s.calls = 400;
            s.times.host = (1 + i) * 1e-3 + k * 1.1e-5 / 3;
            if (i == 1) s.times.device = 0.9 * s.times.host, s.times.launch = 1e-4;
            s.started = 0.1 * k;
            s.probeBefore = 4e-5;
            s.probeAfter = 4.4e-5;
            s.processorShare = 0.998;
            s.switches = k == 3;
            s.dropped = k == 3 ? Dropped::Switched : Dropped::No;
            (k < 2 ? m.measured.warmUp : m.measured.samples).push_back(s);
        }
        m.measured.label = m.label();
        judge(m);
        run.measurements.push_back(m);
    }
    run.comparisons = comparisonsOf(run.measurements);
    run.refused = {"inv, n = 8: no kernel"};
    return run;
}

} // namespace stridescope::timing::test
