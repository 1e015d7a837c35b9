// Note [Rows or columns] A fold goes along the reduced elements (rows) where these are neighbours in memory, and keeps
// a strip of accumulators (columns) where the kept ones are: either way memory is read in the order in which it lies.
// Short rows are turned in the cache and then folded as columns.

#include "core/backend/cpu/reduce_kernels.h"

#include "core/backend/cpu/block_loader.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace stridescope::cpu {

namespace {

Index magnitude(Index v) {
    return v < 0 ? -v : v;
}

constexpr Index kStrip = 1024;  ///< accumulators of a task that reads its columns directly
constexpr Index kRowStrip = 64; ///< rows of a task
constexpr std::size_t kLargestAccumulator = 24;
constexpr Index kPartItems = Index{1} << 16; ///< elements of a part, when one task is cut into parts
constexpr Index kFewTasks = 16;              ///< fewer tasks than this are cut into parts
constexpr Index kShortRow = 64;
constexpr Index kTile = 16; ///< side of the largest tile that is transposed in registers

/// Columns of a block that is loaded: whole tiles of a transpose.
Index stripToLoad(const BlockLoader& loader, Index rows) {
    return std::clamp<Index>(loader.most() / std::min<Index>(rows, 32) / kTile * kTile, 32, 256);
}

/// Rows of a block whose rows are neighbours in memory, `n` of the `left` ones: up to whole tiles of a transpose, if
/// what lies behind the last column belongs to the `following` ones.
Index rowsToLoad(const ReduceLevel& reduced, const ReduceLevel& kept, Index size, Index left, Index n, Index cols,
                 Index following) {
    const Index whole = (n + kTile - 1) / kTile * kTile;
    const bool fits = whole * cols <= 2 * kBlockItems && (whole - left) * size <= following * kept.in;
    return reduced.in == size && kept.in > 0 && n < whole && fits ? whole : n;
}

class Fold {
public:
    explicit Fold(const FoldPlan& args)
        : m_args(args), m_space(*args.space), m_loader(args.dtype, args.via),
          m_loops(args.loops ? *args.loops
                             : isa().reduce.fold[static_cast<std::size_t>(args.op)][indexOf(m_loader.work())]),
          m_kept(m_space.keptLevel[0]), m_reduced(m_space.reducedLevel[0]) {
        const Index size = item(args.dtype);
        const bool keptInside = magnitude(m_kept.in) < magnitude(m_reduced.in) && m_kept.in != 0;
        const bool shortRows = m_space.reduced == 1 && m_reduced.size < kShortRow && m_kept.size > m_reduced.size;
        m_columns = m_kept.size > 1 && (m_reduced.size == 1 || m_reduced.in == 0 || keptInside || shortRows);
        m_direct = m_loader.isDirect() && (m_columns ? m_kept.in : m_reduced.in) == size;
        m_strip = std::min(m_kept.size, !m_columns ? kRowStrip : m_direct ? kStrip : transposedStrip());
        m_strips = (m_kept.size + m_strip - 1) / m_strip;
    }

    void run() const {
        const Index kept = m_space.keptCount(), reduced = m_space.reducedCount();
        const Index tasks = kept / m_kept.size * m_strips;
        const Index items = kept * reduced;
        if (tasks < kFewTasks && items >= 2 * kPartItems && splitLevelSize() > 1) {
            runInParts(tasks, items / tasks);
            return;
        }
        const auto each = [this](Index begin, Index end) {
            alignas(64) std::byte accumulators[kStrip * kLargestAccumulator];
            for (Index task = begin; task < end; ++task) {
                const Task t = taskAt(task);
                m_loops.clear(accumulators, t.count);
                accumulate(t, m_space.reducedLevel[m_space.reduced - 1].size, accumulators);
                m_args.finish.call(m_args.finish.state, accumulators, t.count, t.out, m_kept.out);
            }
        };
        if (items < kParallelThreshold) {
            each(0, tasks);
            return;
        }
        const Index perTask = std::max<Index>(items / tasks, 1);
        parallelFor(0, tasks, (kParallelThreshold / 2 + perTask - 1) / perTask, each);
    }

private:
    struct Task {
        const std::byte* in = nullptr;
        Index count = 0;     ///< accumulators, along the innermost kept level
        Index out = 0;       ///< result of the first of them
        Index following = 0; ///< how many more there are along that level
    };

    Index transposedStrip() const { return stripToLoad(m_loader, m_reduced.size); }

    Task taskAt(Index task) const {
        const Index strip = task % m_strips;
        const LevelOffsets outer = offsetsAt(m_space.keptLevel, 1, m_space.kept, task / m_strips);
        const Index first = strip * m_strip, count = std::min(m_strip, m_kept.size - first);
        return {m_space.in + outer.in + first * m_kept.in, count, outer.out + first * m_kept.out,
                m_kept.size - first - count};
    }

    Index splitLevelSize() const { return m_space.reducedLevel[m_space.reduced - 1].size; }

    /// Few results of many elements: the outermost reduced level is cut into parts with accumulators of their own.
    void runInParts(Index tasks, Index perTask) const {
        const Index size = splitLevelSize(), perStep = std::max<Index>(perTask / size, 1);
        const Index steps = std::clamp<Index>((kPartItems + perStep - 1) / perStep, (size + 1023) / 1024, size);
        const Index parts = (size + steps - 1) / steps;
        const auto bytes = static_cast<std::size_t>(m_strip) * m_loops.accumulatorBytes;
        std::vector<std::byte> all(static_cast<std::size_t>(tasks * parts) * bytes);
        const Index stride = m_space.reducedLevel[m_space.reduced - 1].in;
        parallelFor(0, tasks * parts, 1, [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) {
                Task task = taskAt(i / parts);
                const Index first = i % parts * steps;
                task.in += first * stride;
                std::byte* const accumulators = all.data() + static_cast<std::size_t>(i) * bytes;
                m_loops.clear(accumulators, task.count);
                accumulate(task, std::min(steps, size - first), accumulators);
            }
        });
        for (Index t = 0; t < tasks; ++t) {
            const Task task = taskAt(t);
            std::byte* const first = all.data() + static_cast<std::size_t>(t * parts) * bytes;
            // Pairwise again: neighbours first.
            for (Index width = 1; width < parts; width *= 2)
                for (Index p = 0; p + width < parts; p += 2 * width)
                    m_loops.join(first + static_cast<std::size_t>(p) * bytes,
                                 first + static_cast<std::size_t>(p + width) * bytes, task.count);
            m_args.finish.call(m_args.finish.state, first, task.count, task.out, m_kept.out);
        }
    }

    /// Folds everything of a task; the outermost reduced level has `outerSize` steps.
    void accumulate(const Task& task, Index outerSize, std::byte* accumulators) const {
        if (m_columns) {
            forOuterLevels(1, task.in, outerSize, [&](const std::byte* in, Index size) {
                m_direct ? directColumns(in, size, task.count, accumulators)
                         : loadedColumns(in, size, task.count, task.following, accumulators);
            });
            return;
        }
        const bool pairs = !m_direct && m_space.reduced > 1 && m_reduced.size < kShortRow * 2;
        const bool shortRuns = m_direct && m_space.reduced > 1 && m_reduced.size < kShortRow;
        for (Index i = 0; i < task.count; ++i) {
            std::byte* const accumulator = accumulators + static_cast<std::size_t>(i) * m_loops.accumulatorBytes;
            const std::byte* const in = task.in + i * m_kept.in;
            if (pairs || shortRuns) {
                forOuterLevels(2, in, outerSize,
                               [&](const std::byte* at, Index size) { rowPairs(at, size, accumulator); });
            } else {
                forOuterLevels(1, in, outerSize, [&](const std::byte* at, Index size) {
                    if (m_direct) {
                        m_loops.row(accumulator, at, size, m_args.parameter);
                        return;
                    }
                    Buffer buffer;
                    for (Index begin = 0; begin < size; begin += m_loader.most()) {
                        const Index n = std::min(m_loader.most(), size - begin);
                        m_loader.load(buffer, at + begin * m_reduced.in, 0, m_reduced.in, 1, n);
                        m_loops.row(accumulator, buffer.bytes, n, m_args.parameter);
                    }
                });
            }
        }
    }

    /// Calls `body(address, size of the last inner level)` for each step of the reduced levels from `inner` on. When
    /// the outermost level is one of the inner ones, its size is `outerSize`.
    template <class Body>
    void forOuterLevels(int inner, const std::byte* in, Index outerSize, Body body) const {
        const int levels = m_space.reduced;
        if (levels <= inner) {
            body(in, outerSize);
            return;
        }
        Index at[kMaxDims];
        std::fill(at, at + levels, Index{0});
        const Index size = m_space.reducedLevel[inner - 1].size;
        for (;;) {
            body(in, size);
            int i = inner;
            for (; i < levels; ++i) {
                const Index steps = i == levels - 1 ? outerSize : m_space.reducedLevel[i].size;
                if (++at[i] < steps) {
                    in += m_space.reducedLevel[i].in;
                    break;
                }
                in -= m_space.reducedLevel[i].in * (steps - 1);
                at[i] = 0;
            }
            if (i == levels) return;
        }
    }

    /// The two innermost reduced levels, `rows` steps of the outer one, through a buffer.
    void rowPairs(const std::byte* in, Index rows, std::byte* accumulator) const {
        const Index cols = m_reduced.size, step = m_space.reducedLevel[1].in;
        const Index atOnce = std::max<Index>(m_loader.most() / cols, 1);
        Buffer buffer;
        for (Index r = 0; r < rows; r += atOnce) {
            const Index n = std::min(atOnce, rows - r);
            m_loader.load(buffer, in + r * step, step, m_reduced.in, n, cols);
            m_loops.row(accumulator, buffer.bytes, n * cols, m_args.parameter);
        }
    }

    void directColumns(const std::byte* in, Index rows, Index cols, std::byte* accumulators) const {
        // Narrow rows that follow each other without a gap make wider ones, whose halves are then joined.
        const Index rowBytes = cols * item(m_loader.work());
        constexpr Index kNarrow = 64, kWide = 256, kFewest = 4; // columns, columns, wide rows
        if (cols < kNarrow && m_reduced.in == rowBytes && rows >= 64 * kFewest) {
            Index factor = 64;
            while (factor * cols > kWide) factor /= 2;
            const Index wideRows = rows / factor;
            alignas(64) std::byte wide[kWide * kLargestAccumulator];
            m_loops.clear(wide, cols * factor);
            m_loops.columns(wide, in, rowBytes * factor, wideRows, cols * factor, m_args.parameter);
            const auto part = [&](Index k) {
                return wide + static_cast<std::size_t>(k * cols) * m_loops.accumulatorBytes;
            };
            for (Index half = factor / 2; half > 0; half /= 2) m_loops.join(wide, part(half), half * cols);
            m_loops.join(accumulators, wide, cols);
            in += wideRows * factor * rowBytes;
            rows -= wideRows * factor;
        }
        if (rows > 0) m_loops.columns(accumulators, in, m_reduced.in, rows, cols, m_args.parameter);
    }

    void loadedColumns(const std::byte* in, Index rows, Index cols, Index following, std::byte* accumulators) const {
        const Index atOnce = std::max<Index>(m_loader.most() / cols, 1);
        const Index rowBytes = cols * item(m_loader.work());
        Buffer buffer;
        for (Index r = 0; r < rows; r += atOnce) {
            const Index n = std::min(atOnce, rows - r);
            const Index loaded = rowsToLoad(m_reduced, m_kept, item(m_args.dtype), rows - r, n, cols, following);
            m_loader.load(buffer, in + r * m_reduced.in, m_reduced.in, m_kept.in, loaded, cols);
            m_loops.columns(accumulators, buffer.bytes, rowBytes, n, cols, m_args.parameter);
        }
    }

    const FoldPlan& m_args;
    const ReduceSpace& m_space;
    BlockLoader m_loader;
    const FoldLoops& m_loops;
    const ReduceLevel &m_kept, &m_reduced; ///< the innermost ones
    bool m_columns = false, m_direct = false;
    Index m_strip = 1, m_strips = 1;
};

// --- |x|^p --------------------------------------------------------------------------------------------------------
template <class T>
void powerRow(void* accumulator, const void* in, Index n, double power) {
    const T* p = static_cast<const T*>(in);
    double sum = 0;
    for (Index i = 0; i < n; ++i) sum += std::pow(std::fabs(static_cast<double>(p[i])), power);
    *static_cast<double*>(accumulator) += sum;
}
template <class T>
void powerColumns(void* accumulators, const void* in, Index rowStride, Index rows, Index cols, double power) {
    auto* const a = static_cast<double*>(accumulators);
    for (Index r = 0; r < rows; ++r) {
        const T* p = reinterpret_cast<const T*>(static_cast<const std::byte*>(in) + r * rowStride);
        for (Index j = 0; j < cols; ++j) a[j] += std::pow(std::fabs(static_cast<double>(p[j])), power);
    }
}
template <class T>
FoldLoops powerLoops() {
    const FoldLoops& sum = isa().reduce.fold[static_cast<std::size_t>(FoldOp::Sum)][indexOf(DType::Float64)];
    return {sum.accumulatorBytes, sum.clear, powerRow<T>, powerColumns<T>, sum.join};
}

// --- Positions ----------------------------------------------------------------------------------------------------
class Arg {
public:
    explicit Arg(const ArgPlan& args)
        : m_args(args), m_space(*args.space), m_loader(args.dtype, args.dtype),
          m_loops(isa().reduce.arg[args.maximum][indexOf(m_loader.work())]), m_kept(m_space.keptLevel[0]),
          m_reduced(m_space.reducedLevel[0]), m_workItem(item(m_loader.work())) {
        const bool keptInside = magnitude(m_kept.in) < magnitude(m_reduced.in) && m_kept.in != 0;
        const bool shortRows = m_reduced.size < kShortRow && m_kept.size > m_reduced.size;
        constexpr Index kMostRows = Index{1} << 30; // positions are counted in 32 bits
        m_columns = m_space.reduced == 1 && m_kept.size > 1 && m_reduced.size < kMostRows && (keptInside || shortRows);
        m_direct = m_loader.isDirect() && (m_columns ? m_kept.in : m_reduced.in) == item(args.dtype);
        const Index loaded = stripToLoad(m_loader, m_reduced.size);
        m_strip = std::min(m_kept.size, !m_columns ? kRowStrip : m_direct ? kStrip : loaded);
        m_strips = (m_kept.size + m_strip - 1) / m_strip;
    }

    void run() const {
        const Index kept = m_space.keptCount(), reduced = m_space.reducedCount();
        const Index tasks = kept / m_kept.size * m_strips, items = kept * reduced;
        if (kept == 1 && reduced >= 2 * kPartItems) {
            runInParts(reduced);
            return;
        }
        const auto each = [this](Index begin, Index end) {
            for (Index task = begin; task < end; ++task) one(task);
        };
        if (items < kParallelThreshold) {
            each(0, tasks);
            return;
        }
        const Index perTask = std::max<Index>(items / tasks, 1);
        parallelFor(0, tasks, (kParallelThreshold / 2 + perTask - 1) / perTask, each);
    }

private:
    struct Best {
        alignas(8) std::byte value[8] = {};
        Index position = -1;
    };

    void one(Index task) const {
        const Index first = task % m_strips * m_strip, count = std::min(m_strip, m_kept.size - first);
        const LevelOffsets outer = offsetsAt(m_space.keptLevel, 1, m_space.kept, task / m_strips);
        const std::byte* const in = m_space.in + outer.in + first * m_kept.in;
        const Index out = outer.out + first * m_kept.out;
        if (!m_columns) {
            const Index outerSize = m_space.reducedLevel[m_space.reduced - 1].size;
            for (Index i = 0; i < count; ++i) {
                Best best;
                along(best, in + i * m_kept.in, outerSize, 0);
                store(best.value, best.position, out + i * m_kept.out);
            }
            return;
        }
        alignas(64) std::byte values[kStrip * 8];
        std::int32_t positions[kStrip];
        if (m_direct) {
            m_loops.columns(values, positions, in, m_reduced.in, m_reduced.size, count, 0);
        } else {
            const Index atOnce = std::max<Index>(m_loader.most() / count, 1);
            Buffer buffer;
            for (Index r = 0; r < m_reduced.size; r += atOnce) {
                const Index n = std::min(atOnce, m_reduced.size - r);
                const Index loaded = rowsToLoad(m_reduced, m_kept, item(m_args.dtype), m_reduced.size - r, n, count,
                                                m_kept.size - first - count);
                m_loader.load(buffer, in + r * m_reduced.in, m_reduced.in, m_kept.in, loaded, count);
                m_loops.columns(values, positions, buffer.bytes, count * m_workItem, n, count,
                                static_cast<std::int32_t>(r));
            }
        }
        for (Index i = 0; i < count; ++i) store(values + i * m_workItem, positions[i], out + i * m_kept.out);
    }

    /// Goes on with `best` over one result's elements; `outerSize` steps of the outermost level, `position` first.
    void along(Best& best, const std::byte* in, Index outerSize, Index position) const {
        const int levels = m_space.reduced;
        Index at[kMaxDims];
        std::fill(at, at + levels, Index{0});
        for (;;) {
            run(best, in, levels == 1 ? outerSize : m_reduced.size, position);
            position += m_reduced.size;
            int i = 1;
            for (; i < levels; ++i) {
                const Index steps = i == levels - 1 ? outerSize : m_space.reducedLevel[i].size;
                if (++at[i] < steps) {
                    in += m_space.reducedLevel[i].in;
                    break;
                }
                in -= m_space.reducedLevel[i].in * (steps - 1);
                at[i] = 0;
            }
            if (i >= levels) return;
        }
    }

    void run(Best& best, const std::byte* in, Index size, Index position) const {
        if (m_direct) {
            candidate(best, in, size, position);
            return;
        }
        Buffer buffer;
        for (Index begin = 0; begin < size; begin += m_loader.most()) {
            const Index n = std::min(m_loader.most(), size - begin);
            m_loader.load(buffer, in + begin * m_reduced.in, 0, m_reduced.in, 1, n);
            candidate(best, buffer.bytes, n, position + begin);
        }
    }

    void candidate(Best& best, const std::byte* run, Index n, Index position) const {
        Best other;
        other.position = position + m_loops.row(other.value, run, n);
        join(best, other);
    }

    /// `other` comes after `best`, which wins ties. Two rows of one column.
    void join(Best& best, const Best& other) const {
        if (best.position < 0) {
            best = other;
            return;
        }
        std::int32_t which = 0;
        std::byte value[8];
        std::memcpy(value, best.value, 8);
        m_loops.columns(value, &which, other.value, 0, 1, 1, 1);
        if (which == 1) best = other;
    }

    /// One result of many elements.
    void runInParts(Index reduced) const {
        const int last = m_space.reduced - 1;
        const Index size = m_space.reducedLevel[last].size, perStep = reduced / size;
        const Index steps = std::clamp<Index>((kPartItems + perStep - 1) / perStep, (size + 1023) / 1024, size);
        const Index parts = (size + steps - 1) / steps;
        std::vector<Best> all(static_cast<std::size_t>(parts));
        parallelFor(0, parts, 1, [&](Index begin, Index end) {
            for (Index p = begin; p < end; ++p) {
                const Index first = p * steps;
                along(all[static_cast<std::size_t>(p)], m_space.in + first * m_space.reducedLevel[last].in,
                      std::min(steps, size - first), first * perStep);
            }
        });
        for (Index p = 1; p < parts; ++p) join(all[0], all[static_cast<std::size_t>(p)]);
        store(all[0].value, all[0].position, 0);
    }

    void store(const std::byte* value, Index position, Index out) const {
        m_args.positions[out] = position;
        if (!m_args.values) return;
        const Index size = item(m_args.dtype);
        std::byte* const to = m_args.values + out * size;
        if (m_args.dtype == m_loader.work())
            std::memcpy(to, value, static_cast<std::size_t>(size));
        else
            isa().convert[indexOf(m_loader.work())][indexOf(m_args.dtype)](to, 0, size, value, 0, m_workItem, 1, 1);
    }

    const ArgPlan& m_args;
    const ReduceSpace& m_space;
    BlockLoader m_loader;
    const ArgLoops& m_loops;
    const ReduceLevel &m_kept, &m_reduced;
    Index m_workItem;
    bool m_columns = false, m_direct = false;
    Index m_strip = 1, m_strips = 1;
};

} // namespace

void fold(const FoldPlan& args) {
    Fold(args).run();
}

const FoldLoops& powerSumLoops(DType work) {
    static const FoldLoops single = powerLoops<float>(), wide = powerLoops<double>();
    return work == DType::Float64 ? wide : single;
}

void argExtremum(const ArgPlan& args) {
    Arg(args).run();
}

} // namespace stridescope::cpu
