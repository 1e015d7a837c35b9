// Element-wise operations of the CPU: cuts the loops into blocks, brings every operand of a block into contiguous
// runs of the compute type (where it does not lie so already) and calls the inner loops of the chosen instruction set.
//
// Note [Conversion in L1] An operand of another dtype, another order or with gaps is brought into a buffer of at most
// 16 KiB on the stack, which never leaves the first-level cache. There is one loader per pair of dtypes and one loop
// per operation and compute type, instead of a loop per operation and pair of dtypes; memory sees no converted copy.

#include "core/backend/cpu/ahead.h"
#include "core/backend/cpu/blocks.h"
#include "core/backend/cpu/cpu_kernels.h"
#include "core/backend/cpu/isa_table.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

namespace stridescope {

namespace cpu {

namespace {

/// Half is computed as float.
DType workType(DType compute) {
    return compute == DType::Float16 ? DType::Float32 : compute;
}

/// An operand of one block as the inner loop wants it.
struct Run {
    const std::byte* data = nullptr;
    Index rowStride = 0;
    bool scalar = false; ///< one value a row
};

/// One element-wise operation on one thread's blocks.
class Elementwise {
public:
    Elementwise(const ElementwiseArgs& args, ResultKind result, const BinaryLoop* binary, UnaryLoop unary,
                MathLoop math = nullptr, bool longOnALine = false)
        : m_args(args), m_isa(isa()), m_binary(binary), m_unary(unary), m_math(math), m_inputs(args.space.operands - 1),
          m_work(workType(args.compute)), m_workItem(item(m_work)),
          m_result(result == ResultKind::Comparison ? DType::Bool : m_work), m_resultItem(item(m_result)) {
        const LoopSpace& space = args.space;
        m_roundResult =
            args.compute == DType::Float16 && result != ResultKind::Comparison && args.dtype[0] != DType::Float16;
        m_outDirect = !m_roundResult && args.dtype[0] == m_result && space.stride[0][0] == m_resultItem;
        bool inPlace = false, direct = m_outDirect, anyRun = false;
        for (int o = 1; o < space.operands; ++o) {
            inPlace |= space.data[o] == space.data[0];
            anyRun |= space.stride[0][o] != 0;
            direct &= space.stride[0][o] == 0 ||
                      (isWork(args.dtype[std::size_t(o)]) && space.stride[0][o] == m_workItem);
        }
        // In place the lines are in the cache anyway when they are written.
        const auto bytes = static_cast<std::size_t>(space.numel() * m_resultItem);
        m_stream = m_outDirect && !inPlace && bytes >= streamThreshold();
        m_far = longOnALine && bytes >= kNear;
        // A block that streams waits in one buffer; with nothing to convert it may fill that.
        const Index plainRun = m_stream ? static_cast<Index>(kBufferBytes) / m_resultItem : 16 * kBlockItems;
        chooseShape(direct && anyRun ? plainRun : kBlockItems);
        if (m_turns && m_outDirect && !inPlace) {
            bool onLines = reinterpret_cast<std::uintptr_t>(space.data[0]) % 64 == 0;
            for (int level = 1; level < space.levels; ++level) onLines &= space.stride[level][0] % 64 == 0;
            m_stream |= onLines && bytes >= transposeStreamThreshold();
        }
    }

    void run() const {
        const LoopSpace& space = m_args.space;
        BlockWalk(space, m_shape)
            .visitAll([this](std::byte* const* data, Index rows, Index cols) { block(data, rows, cols); },
                      [this] {
                          if (m_stream) m_isa.streamFence();
                      });
    }

private:
    void chooseShape(Index most) {
        const LoopSpace& space = m_args.space;
        Index largest = m_workItem;
        for (int o = 1; o < space.operands; ++o) largest = std::max(largest, item(m_args.dtype[std::size_t(o)]));
        for (int o = 1; o < space.operands && m_shape.rowLevel < 0; ++o)
            m_shape.rowLevel = transposedLevel(space, o, item(m_args.dtype[std::size_t(o)]));
        if (m_shape.rowLevel > 0) {
            m_turns = true;
            m_shape.cols = std::min(space.size[0], transposeCols(largest));
            m_shape.rows = std::min(space.size[m_shape.rowLevel], transposeRows(largest));
            return;
        }
        m_shape.cols = std::min(space.size[0], most);
        if (space.levels > 1 && m_shape.cols <= kBlockItems / 2) {
            m_shape.rowLevel = 1;
            m_shape.rows = std::min(space.size[1], kBlockItems / m_shape.cols);
        }
    }

    /// Are elements of this dtype what the loops want? Of float32 beside float16 not: they are rounded to it first.
    bool isWork(DType dtype) const { return dtype == m_work && m_work == m_args.compute; }

    Index rowStrideOf(int o) const { return m_shape.rowLevel > 0 ? m_args.space.stride[m_shape.rowLevel][o] : 0; }

    /// rows x cols elements of operand o to contiguous rows of the work type in `to`.
    void convertInto(Buffer& to, DType from, const std::byte* data, Index row, Index col, Index rows,
                     Index cols) const {
        const Index toRow = cols * m_workItem;
        Buffer gathered;
        if (const Index size = item(from); col != size && col != 0 && cols >= 16) { // first together, then converted
            const bool same = isWork(from);
            std::byte* together = same ? to.bytes : gathered.bytes;
            m_isa.move[std::countr_zero(static_cast<unsigned>(size))](together, cols * size, size, data, row, col, rows,
                                                                      cols);
            if (same) return;
            data = gathered.bytes;
            row = cols * size;
            col = size;
        }
        if (m_args.compute == DType::Float16 && from != DType::Float16 && from != DType::Bool && from != DType::UInt8 &&
            from != DType::Int8) { // rounds to Half before it is computed with; the others fit as they are
            Buffer half;
            m_isa.convert[indexOf(from)][indexOf(DType::Float16)](half.bytes, cols * 2, 2, data, row, col, rows, cols);
            m_isa.convert[indexOf(DType::Float16)][indexOf(DType::Float32)](to.bytes, toRow, m_workItem, half.bytes,
                                                                            cols * 2, 2, rows, cols);
            return;
        }
        m_isa.convert[indexOf(from)][indexOf(m_work)](to.bytes, toRow, m_workItem, data, row, col, rows, cols);
    }

    Run load(int o, const std::byte* data, Index rows, Index cols, Buffer& buffer) const {
        const LoopSpace& space = m_args.space;
        const DType dtype = m_args.dtype[static_cast<std::size_t>(o)];
        const Index col = space.stride[0][o], row = rowStrideOf(o);
        if (col == 0) {
            if (isWork(dtype)) return {data, row, true};
            const Index distinct = row == 0 ? 1 : rows;
            convertInto(buffer, dtype, data, row, 0, distinct, 1);
            return {buffer.bytes, row == 0 ? 0 : m_workItem, true};
        }
        if (isWork(dtype) && col == m_workItem) return {data, row, false};
        const Index size = item(dtype);
        if (row == size && rows > 1) { // columns of this operand are runs in memory
            const bool same = isWork(dtype);
            Buffer turned;
            std::byte* target = same ? buffer.bytes : turned.bytes;
            m_isa.transpose[std::countr_zero(static_cast<unsigned>(size))](target, cols * size, data, col, rows, cols,
                                                                           false);
            if (!same) convertInto(buffer, dtype, turned.bytes, cols * size, size, rows, cols);
            return {buffer.bytes, cols * m_workItem, false};
        }
        const Index distinct = row == 0 ? 1 : rows;
        convertInto(buffer, dtype, data, row, col, distinct, cols);
        return {buffer.bytes, row == 0 ? 0 : cols * m_workItem, false};
    }

    /// Repeats one row of `cols` elements so often that the block becomes one run.
    static void repeatRow(Run& run, Buffer& buffer, Index rowBytes, Index rows) {
        if (run.data != buffer.bytes) std::memcpy(buffer.bytes, run.data, static_cast<std::size_t>(rowBytes));
        const Index total = rowBytes * rows;
        for (Index done = rowBytes; done < total; done *= 2)
            std::memcpy(buffer.bytes + done, buffer.bytes, static_cast<std::size_t>(std::min(done, total - done)));
        run = {buffer.bytes, rowBytes, false};
    }

    void block(std::byte* const* data, Index rows, Index cols) const {
        Buffer buffers[kMaxOperands - 1], outBuffer;
        Run runs[kMaxOperands - 1];
        for (int i = 0; i < m_inputs; ++i) runs[i] = load(i + 1, data[i + 1], rows, cols, buffers[i]);
        const Index rowBytes = cols * m_workItem;
        bool allScalar = true;
        for (int i = 0; i < m_inputs; ++i) allScalar &= runs[i].scalar;
        if (allScalar) { // no run to go along: make one
            Buffer expanded;
            const Index distinct = runs[0].rowStride == 0 ? 1 : rows;
            m_isa.convert[indexOf(m_work)][indexOf(m_work)](expanded.bytes, rowBytes, m_workItem, runs[0].data,
                                                            runs[0].rowStride, 0, distinct, cols);
            std::memcpy(buffers[0].bytes, expanded.bytes, static_cast<std::size_t>(distinct * rowBytes));
            runs[0] = {buffers[0].bytes, runs[0].rowStride == 0 ? 0 : rowBytes, false};
        }
        const bool direct = m_outDirect && !m_stream;
        std::byte* out = direct ? data[0] : outBuffer.bytes;
        const Index outRow = direct ? rowStrideOf(0) : cols * m_resultItem;
        Index runRows = rows, runCols = cols;
        if (rows > 1 && outRow == cols * m_resultItem) {
            bool one = true;
            for (int i = 0; i < m_inputs; ++i) {
                const bool repeats = !runs[i].scalar && runs[i].rowStride == 0 && cols <= kShortRow;
                one &= repeats || runs[i].rowStride == (runs[i].scalar ? 0 : rowBytes);
            }
            if (one) {
                for (int i = 0; i < m_inputs; ++i)
                    if (!runs[i].scalar && runs[i].rowStride == 0) repeatRow(runs[i], buffers[i], rowBytes, rows);
                runCols = rows * cols;
                runRows = 1;
            }
        }
        compute(out, outRow, runs, runRows, runCols);
        if (!direct) store(data[0], outBuffer, rows, cols);
    }

    /// The loops of the operation over `rows` runs of `cols` elements.
    void compute(std::byte* out, Index outRow, const Run* runs, Index rows, Index cols) const {
        unsigned scalars = 0;
        for (int i = 0; i < m_inputs; ++i) scalars |= static_cast<unsigned>(runs[i].scalar) << i;
        const Lanes lanes = scalars & 1 ? Lanes::ScalarVector : scalars & 2 ? Lanes::VectorScalar : Lanes::VectorVector;
        const BinaryLoop binary = m_binary ? m_binary[static_cast<std::size_t>(lanes)] : nullptr;
        const Index piece = m_far && isLongRun<std::byte>(cols * m_workItem) ? kPieceBytes / m_workItem : cols;
        for (Index r = 0; r < rows; ++r) {
            const std::byte* in[kMaxOperands - 1];
            for (int i = 0; i < m_inputs; ++i) in[i] = runs[i].data + r * runs[i].rowStride;
            std::byte* to = out + r * outRow;
            for (Index left = cols; left > 0;) {
                const Index n = left < 2 * piece ? left : piece; // no piece is shorter than the run and than `piece`
                if (piece < cols)
                    for (int i = 0; i < m_inputs; ++i)
                        if (!runs[i].scalar) askAhead(in[i], n * m_workItem);
                if (m_math) {
                    const void* from[kMaxOperands - 1];
                    for (int i = 0; i < m_inputs; ++i) from[i] = in[i];
                    m_math(to, from, scalars, n, m_args.parameters);
                } else if (m_unary) {
                    m_unary(to, in[0], n);
                } else {
                    binary(to, in[0], in[1], n);
                }
                left -= n;
                to += n * m_resultItem;
                for (int i = 0; i < m_inputs; ++i)
                    if (!runs[i].scalar) in[i] += n * m_workItem;
            }
        }
    }

    void store(std::byte* out, const Buffer& from, Index rows, Index cols) const {
        const Index fromRow = cols * m_resultItem, outRow = rowStrideOf(0), outCol = m_args.space.stride[0][0];
        const DType to = m_args.dtype[0];
        if (m_stream) {
            const bool one = outRow == fromRow;
            const Index pieces = one ? 1 : rows, bytes = one ? rows * fromRow : fromRow;
            for (Index r = 0; r < pieces; ++r)
                m_isa.streamCopy(out + r * outRow, from.bytes + r * fromRow, static_cast<std::size_t>(bytes));
            return;
        }
        if (m_roundResult) {
            Buffer half;
            m_isa.convert[indexOf(DType::Float32)][indexOf(DType::Float16)](half.bytes, cols * 2, 2, from.bytes,
                                                                            fromRow, m_resultItem, rows, cols);
            m_isa.convert[indexOf(DType::Float16)][indexOf(to)](out, outRow, outCol, half.bytes, cols * 2, 2, rows,
                                                                cols);
            return;
        }
        m_isa.convert[indexOf(m_result)][indexOf(to)](out, outRow, outCol, from.bytes, fromRow, m_resultItem, rows,
                                                      cols);
    }

    static constexpr Index kShortRow = 64;
    static constexpr std::size_t kNear = std::size_t{1} << 19; ///< bytes that a second-level cache has for a result

    const ElementwiseArgs& m_args;
    const IsaTable& m_isa;
    const BinaryLoop* m_binary;
    UnaryLoop m_unary;
    MathLoop m_math;
    int m_inputs;
    DType m_work;
    Index m_workItem;
    DType m_result;
    Index m_resultItem;
    bool m_outDirect = false, m_roundResult = false, m_stream = false;
    bool m_far = false;   ///< computes for long on what comes from further away than the second-level cache
    bool m_turns = false; ///< an input is transposed against the output
    BlockShape m_shape;
};

/// The most frequent case without any preparation: one run of few elements, everything of the compute type.
bool runSmall(const ElementwiseArgs& args, const BinaryLoop* loops, DType result) {
    const LoopSpace& space = args.space;
    const DType compute = args.compute;
    if (space.levels != 1 || space.size[0] >= kParallelThreshold || compute == DType::Float16 ||
        args.dtype[0] != result || args.dtype[1] != compute || args.dtype[2] != compute ||
        space.stride[0][0] != item(result))
        return false;
    const Index n = space.size[0], step = item(compute), a = space.stride[0][1], b = space.stride[0][2];
    const Lanes lanes = a == step && b == step ? Lanes::VectorVector
                        : a == step && b == 0  ? Lanes::VectorScalar
                                               : Lanes::ScalarVector;
    if (lanes == Lanes::ScalarVector && !(a == 0 && b == step)) return false;
    loops[static_cast<std::size_t>(lanes)](space.data[0], space.data[1], space.data[2], n);
    return true;
}

template <std::size_t Op>
void binaryKernel(const ElementwiseArgs& args) {
    constexpr ResultKind kResult = BinaryOps::results[Op];
    const BinaryLoop* loops = isa().binary[Op][indexOf(workType(args.compute))];
    if (runSmall(args, loops, kResult == ResultKind::Comparison ? DType::Bool : args.compute)) return;
    Elementwise(args, kResult, loops, nullptr).run();
}

template <std::size_t Op>
void unaryKernel(const ElementwiseArgs& args) {
    Elementwise(args, UnaryOps::results[Op], nullptr, isa().unary[Op][indexOf(workType(args.compute))]).run();
}

/// One run of few elements, everything of the compute type.
bool runSmall(const ElementwiseArgs& args, MathLoop loop, DType result) {
    const LoopSpace& space = args.space;
    const DType compute = args.compute;
    if (space.levels != 1 || space.size[0] >= kParallelThreshold || compute == DType::Float16 ||
        args.dtype[0] != result || space.stride[0][0] != item(result))
        return false;
    const int inputs = space.operands - 1;
    const void* in[kMaxOperands - 1];
    unsigned scalars = 0;
    for (int i = 0; i < inputs; ++i) {
        const Index step = space.stride[0][i + 1];
        if (args.dtype[static_cast<std::size_t>(i + 1)] != compute || (step != item(compute) && step != 0))
            return false;
        in[i] = space.data[i + 1];
        scalars |= static_cast<unsigned>(step == 0) << i;
    }
    if (scalars == (1u << inputs) - 1) return false;
    loop(space.data[0], in, scalars, space.size[0], args.parameters);
    return true;
}

template <class... Ops>
constexpr std::array<bool, MathOps::size> marked(OpList<Ops...>) {
    std::array<bool, MathOps::size> marks{};
    ((marks[MathOps::indexOf<Ops>()] = true), ...);
    return marks;
}
// The others take as long as their memory, which the processor reads ahead by itself.
constexpr auto kLongOnALine = marked(FloatUnaryOps{});

template <std::size_t Op>
void mathKernel(const ElementwiseArgs& args) {
    constexpr ResultKind kResult = MathOps::results[Op];
    const std::size_t work = indexOf(workType(args.compute));
    MathLoop loop = isa().math[Op][work];
    if (!loop) loop = mathLoops().loop[Op][work];
    if (runSmall(args, loop, kResult == ResultKind::Comparison ? DType::Bool : args.compute)) return;
    Elementwise(args, kResult, nullptr, nullptr, loop, kLongOnALine[Op]).run();
}

template <std::size_t... Ops>
void bindMath(KernelTable& table, std::index_sequence<Ops...>) {
    ((table.math[Ops] = mathKernel<Ops>), ...);
}
template <std::size_t... Ops>
void bindBinary(KernelTable& table, std::index_sequence<Ops...>) {
    ((table.binary[Ops] = binaryKernel<Ops>), ...);
}
template <std::size_t... Ops>
void bindUnary(KernelTable& table, std::index_sequence<Ops...>) {
    ((table.unary[Ops] = unaryKernel<Ops>), ...);
}

} // namespace

void bindElementwise(KernelTable& table) {
    bindBinary(table, std::make_index_sequence<BinaryOps::size>{});
    bindUnary(table, std::make_index_sequence<UnaryOps::size>{});
    bindMath(table, std::make_index_sequence<MathOps::size>{});
}

} // namespace cpu

} // namespace stridescope
