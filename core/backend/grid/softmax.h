#pragma once
// Softmax and its logarithm: a block has some lines side by side, and its other threads share their elements.

#include "core/backend/grid/scan.h"

namespace stridescope::grid {

template <class T>
struct Softmax {
    ScanLines of;
    int logWide = 0;
    bool logarithm = false;

    struct Local {
        T most;
    };
    struct Shared {
        double part[kThreads];
    };
    STRIDESCOPE_HD int tree() const { return kLogThreads - logWide; }
    STRIDESCOPE_HD int phases(Index) const { return 2 * tree() + 4; }

    STRIDESCOPE_HD void operator()(int phase, const Lane& lane, Local& local, Shared& shared) const {
        const int wide = 1 << logWide, rows = kThreads >> logWide, joins = tree();
        const int col = lane.thread & (wide - 1), row = lane.thread >> logWide;
        const Index line = lane.block * wide + col;
        const bool isThere = line < of.lines;
        Index at[2] = {0, 0};
        if (isThere) of.kept(line, at);
        const auto element = [&](Index i) { return *reinterpret_cast<const T*>(of.in + at[0] + i * of.inStep); };
        const Index length = isThere ? of.length : 0;
        double& part = shared.part[lane.thread];
        if (phase == 0) {
            T most = -std::numeric_limits<T>::infinity();
            for (Index i = row; i < length; i += rows) most = Maximum{}(most, element(i));
            part = static_cast<double>(most);
        } else if (phase <= joins) {
            if (row < rows >> phase) part = Maximum{}(part, shared.part[lane.thread + (rows >> phase) * wide]);
        } else if (phase == joins + 1) {
            local.most = static_cast<T>(shared.part[col]);
        } else if (phase == joins + 2) {
            double sum = 0;
            for (Index i = row; i < length; i += rows) sum += static_cast<double>(std::exp(element(i) - local.most));
            part = sum;
        } else if (phase <= 2 * joins + 2) {
            const int half = rows >> (phase - joins - 2);
            if (row < half) part += shared.part[lane.thread + half * wide];
        } else {
            const double total = shared.part[col];
            const T last = static_cast<T>(logarithm ? std::log(total) : total);
            T* const to = reinterpret_cast<T*>(of.out.out) + at[1];
            for (Index i = row; i < length; i += rows) {
                const T x = element(i) - local.most;
                to[i * of.outStep] = logarithm ? x - last : std::exp(x) / last;
            }
        }
    }
};

template <class Queue>
void softmaxEntry(const ScanArgs& args) {
    Queue queue;
    const DType type = args.outType == DType::Float64 ? DType::Float64 : DType::Float32;
    const InDType<Queue> in(queue, args.in, type);
    const cpu::ReduceSpace space = cpu::lineSpace(in.view.view, in.view.base, itemSize(type), args.dim);
    const Loops<2> kept = levelsOf<2>(space.keptLevel, space.kept);
    const HeldMap held(queue, kept);
    const auto run = [&](auto body) {
        body.of.kept = held.map;
        body.of.in = space.in;
        body.of.lines = kept.count();
        if (space.reduced > 0) {
            body.of.length = space.reducedLevel[0].size;
            body.of.inStep = space.reducedLevel[0].in;
            body.of.outStep = space.reducedLevel[0].out;
        }
        body.of.out = {args.out, nullptr};
        body.logarithm = args.op == ScanOp::LogSoftmax;
        const bool innerKept = !kept.levels().empty() && kept.levels()[0].stride[0] < body.of.inStep;
        body.logWide = foldShape(body.of.lines, body.of.length, innerKept, 1, 1).logWide;
        queue.launch("softmax", ((body.of.lines - 1) >> body.logWide) + 1, body);
    };
    if (type == DType::Float64)
        run(Softmax<double>{});
    else
        run(Softmax<float>{});
}

} // namespace stridescope::grid
