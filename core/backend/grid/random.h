#pragma once
// Random numbers by Philox, dealt out as PyTorch's CUDA generator does: as many threads as the device can have at a
// time draw four numbers a call (two of float64), and number i of a call goes to the element that lies i times the
// count of threads further on. So the numbers of a large tensor depend on the model of the GPU, as PyTorch's do.

#include "core/backend/grid/copy.h"
#include "core/backend/random_args.h"
#include "core/random/philox.h"

namespace stridescope::grid {

/// How numbers are dealt out.
struct RandomDeal {
    Index threads = kThreads;
    Index calls = 1; ///< of each thread
    int atOnce = 4;

    RandomDeal() = default;
    RandomDeal(Index count, DType dtype, Index residentThreads) : atOnce(dtype == DType::Float64 ? 2 : 4) {
        const Index blocks = std::min(residentThreads / kThreads, (count + kThreads - 1) / kThreads);
        threads = std::max<Index>(blocks, 1) * kThreads;
        calls = (count + threads * atOnce - 1) / (threads * atOnce);
    }
    /// How far the stream has gone on afterwards.
    std::uint64_t advance() const { return static_cast<std::uint64_t>(calls) * 4; }
};

template <class T>
struct FillRandom {
    OffsetMap<1> map;
    std::byte* out = nullptr;
    RandomOp op = RandomOp::Uniform;
    double a = 0, b = 1;
    std::uint64_t seed = 0, firstCall = 0;
    FastDivider64 threads;
    Index calls = 1, n = 0;
    static constexpr int kAtOnce = std::is_same_v<T, double> ? 2 : 4;
    using Number = std::conditional_t<std::is_same_v<T, double>, double, float>;

    STRIDESCOPE_HD void operator()(const Lane& lane) const {
        const Index count = threads.divisor();
        for (Index i = lane.global(); i < calls * count; i += lane.step()) {
            const Index call = threads.quotient(i), thread = i - call * count;
            Number numbers[kAtOnce];
            draw(numbers,
                 philox(seed, firstCall + static_cast<std::uint64_t>(call), static_cast<std::uint64_t>(thread)));
            STRIDESCOPE_UNROLL
            for (int k = 0; k < kAtOnce; ++k) {
                const Index element = (call * kAtOnce + k) * count + thread;
                if (element >= n) continue;
                Index at[1];
                map(element, at);
                *reinterpret_cast<T*>(out + at[0]) = finished(numbers[k]);
            }
        }
    }

private:
    STRIDESCOPE_HD void draw(Number (&to)[kAtOnce], const PhiloxNumbers& words) const {
        if constexpr (kAtOnce == 2) {
            if (op == RandomOp::Uniform) {
                to[0] = philoxUniform(words.word[0], words.word[1]);
                to[1] = philoxUniform(words.word[2], words.word[3]);
                return;
            }
            const NormalPair<double> pair = philoxNormalPair(words);
            to[0] = pair.first;
            to[1] = pair.second;
        } else {
            if (op == RandomOp::Uniform) {
                for (int k = 0; k < kAtOnce; ++k) to[k] = philoxUniform(words.word[k]);
                return;
            }
            for (int k = 0; k < kAtOnce; k += 2) {
                const NormalPair<float> pair = philoxNormalPair(words.word[k], words.word[k + 1]);
                to[k] = pair.first;
                to[k + 1] = pair.second;
            }
        }
    }
    STRIDESCOPE_HD T finished(Number x) const {
        const auto low = static_cast<Number>(a), high = static_cast<Number>(b);
        if (op == RandomOp::Normal) return static_cast<T>(x * high + low);
        // (0, 1] becomes [0, 1): the upper bound is never given, not even by rounding.
        const T value = static_cast<T>((x == Number(1) ? Number(0) : x) * (high - low) + low);
        return static_cast<Number>(value) == static_cast<Number>(static_cast<T>(high)) ? static_cast<T>(low) : value;
    }
};

template <class T>
FillRandom<T> fillRandom(const RandomArgs& args, const RandomDeal& deal, Index count, const OffsetMap<1>& map) {
    FillRandom<T> body;
    body.map = map;
    body.out = args.space.data[0];
    body.op = args.op;
    body.a = args.a;
    body.b = args.b;
    body.seed = args.seed;
    body.firstCall = args.offset / 4;
    body.threads = FastDivider64(deal.threads);
    body.calls = deal.calls;
    body.n = count;
    return body;
}

/// Returns how far the stream has gone on.
template <class Queue>
std::uint64_t randomEntry(const RandomArgs& args) {
    Queue queue;
    const Loops<1> loops = loopsOf<1>(args.space);
    const HeldMap held(queue, loops);
    const RandomDeal deal(loops.count(), args.dtype, queue.residentThreads());
    const auto run = [&](auto number) {
        queue.launch("random", blocksFor(queue, deal.threads * deal.calls),
                     fillRandom<decltype(number)>(args, deal, loops.count(), held.map));
    };
    if (args.dtype == DType::Float16)
        run(Half{});
    else if (args.dtype == DType::Float64)
        run(double{});
    else
        run(float{});
    return deal.advance();
}

} // namespace stridescope::grid
