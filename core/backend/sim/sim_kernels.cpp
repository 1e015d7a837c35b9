// The kernel table of the simulated device: the CPU's kernels (or others that run here), queued. Arguments are copied,
// and what they point to in host memory with them.

#include "core/backend/cpu/philox_kernel.h"
#include "core/backend/sim/sim_device.h"

#include <array>
#include <cstring>
#include <exception>
#include <utility>

namespace stridescope::sim {

namespace {

/// Copies of the numbers in host memory that the arguments of an elementwise kernel point to.
class QueuedElementwise {
public:
    explicit QueuedElementwise(const ElementwiseArgs& args) : m_args(args) {
        for (int o = 0; o < args.space.operands; ++o) {
            const auto i = static_cast<std::size_t>(o);
            if (args.isHostScalar[i]) std::memcpy(m_numbers[i].data(), args.space.data[i], itemSize(args.dtype[i]));
        }
        if (args.parameters) std::memcpy(m_parameters.data(), args.parameters, m_parameters.size());
    }
    void operator()(ElementwiseKernel kernel) const { kernel(here()); }
    void operator()(FillKernel kernel, const ElementBytes& value) const { kernel(here(), value.data()); }

private:
    ElementwiseArgs here() const {
        ElementwiseArgs args = m_args;
        for (int o = 0; o < args.space.operands; ++o) {
            const auto i = static_cast<std::size_t>(o);
            if (args.isHostScalar[i])
                args.space.data[i] = const_cast<std::byte*>(static_cast<const std::byte*>(m_numbers[i].data()));
        }
        if (args.parameters) args.parameters = m_parameters.data();
        return args;
    }

    ElementwiseArgs m_args;
    alignas(16) std::array<ElementBytes, kMaxOperands> m_numbers{};
    alignas(16) std::array<std::byte, kParameterBytes> m_parameters{};
};

const void* operandOf(const ElementwiseArgs& args, int o) {
    const auto i = static_cast<std::size_t>(o);
    return o < args.space.operands && !args.isHostScalar[i] ? args.space.data[i] : nullptr;
}

void launchElementwise(const char* name, ElementwiseKernel kernel, const ElementwiseArgs& args) {
    target().launch(name, {operandOf(args, 0), operandOf(args, 1), operandOf(args, 2), operandOf(args, 3)},
                    [queued = QueuedElementwise(args), kernel] { queued(kernel); });
}

template <std::size_t I>
void binary(const ElementwiseArgs& args) {
    launchElementwise(name(static_cast<BinaryOp>(I)), queuedKernels().binary[I], args);
}
template <std::size_t I>
void unary(const ElementwiseArgs& args) {
    launchElementwise(name(static_cast<UnaryOp>(I)), queuedKernels().unary[I], args);
}
template <std::size_t I>
void math(const ElementwiseArgs& args) {
    launchElementwise(name(static_cast<MathOp>(I)), queuedKernels().math[I], args);
}

void copyElements(const ElementwiseArgs& args) {
    launchElementwise("copy_", queuedKernels().copy, args);
}

void fill(const ElementwiseArgs& args, const void* value) {
    ElementBytes bytes{};
    std::memcpy(bytes.data(), value, itemSize(args.dtype[0]));
    target().launch("fill_", {operandOf(args, 0)},
                    [queued = QueuedElementwise(args), bytes] { queued(queuedKernels().fill, bytes); });
}

void fold(const FoldArgs& args) {
    target().launch("reduce", {args.in.base, args.out, args.means}, [args] { queuedKernels().fold(args); });
}
void extremum(const ExtremumArgs& args) {
    target().launch("extremum", {args.in.base, args.values, args.positions},
                    [args] { queuedKernels().extremum(args); });
}
void scan(const ScanArgs& args) {
    target().launch("scan", {args.in.base, args.out, args.positions}, [args] { queuedKernels().scan(args); });
}
void order(const OrderArgs& args) {
    target().launch("sort", {args.in.base, args.values.base, args.indices.base},
                    [args] { queuedKernels().order(args); });
}
void place(const OrderArgs& args) {
    target().launch("kthvalue", {args.in.base, args.values.base, args.indices.base},
                    [args] { queuedKernels().place(args); });
}

bool indexed(const IndexedArgs& args, BadIndex& bad) {
    bool right = false;
    for (const IndexSource& source : args.sources) target().requireOperands({source.data});
    target().launchAndWait("index", {args.plain, args.indexed},
                           [args, &right, &bad] { right = queuedKernels().indexed(args, bad); });
    return right;
}

void products(const ProductArgs& args) {
    std::vector<Index> a(args.aOffsets.begin(), args.aOffsets.end()), b(args.bOffsets.begin(), args.bOffsets.end());
    target().launch("matmul", {args.a.data, args.b.data, args.out}, [args, a = std::move(a), b = std::move(b)] {
        ProductArgs here = args;
        here.aOffsets = a;
        here.bOffsets = b;
        queuedKernels().products(here);
    });
}

std::uint64_t random(const RandomArgs& args) {
    target().launch("random", {args.space.data[0]}, [args] { queuedKernels().random(args); });
    return cpu::philoxAdvance(args);
}

/// What a routine throws (no memory, say) is refused at the call where somebody waits for it.
template <std::size_t R>
void linalg(const LinalgArgs& args) {
    SimDevice& device = target();
    const char* const called = name(static_cast<LinalgRoutine>(R));
    device.requireOperands({args.c.data, args.values, args.more});
    if (!args.info) {
        device.launch(called, {args.a.data, args.b.data, args.pivots}, [args] { queuedKernels().linalg[R](args); });
        return;
    }
    std::exception_ptr wrong;
    device.launchAndWait(called, {args.a.data, args.b.data, args.pivots}, [&] {
        try {
            queuedKernels().linalg[R](args);
        } catch (...) {
            wrong = std::current_exception();
        }
    });
    if (wrong) std::rethrow_exception(wrong);
}

template <std::size_t... R>
void bindLinalg(KernelTable& table, std::index_sequence<R...>) {
    ((table.linalg[R] = cpuKernels().linalg[R] ? linalg<R> : nullptr), ...);
}

void fourier(const FourierArgs& args) {
    target().launch("fft", {args.in, args.half, args.out}, [args] { queuedKernels().fourier(args); });
}

// --- Masks --------------------------------------------------------------------------------------------------------

MaskBlocks countMask(const Dims& shape, const RowOperand& mask) {
    MaskBlocks blocks;
    target().launchAndWait("count mask", {mask.data}, [&] { blocks = queuedKernels().mask.count(shape, mask); });
    return blocks;
}
void selectMasked(const Dims& shape, const RowOperand& source, const RowOperand& mask, const MaskBlocks& blocks,
                  Index itemSize, std::byte* out) {
    target().launch("masked_select", {source.data, mask.data, out},
                    [=] { queuedKernels().mask.select(shape, source, mask, blocks, itemSize, out); });
}
void scatterMasked(const Dims& shape, const RowOperand& to, const RowOperand& mask, const MaskBlocks& blocks,
                   Index itemSize, const std::byte* source) {
    target().launch("masked_scatter_", {to.data, mask.data, source},
                    [=] { queuedKernels().mask.scatter(shape, to, mask, blocks, itemSize, source); });
}
void fillMasked(const Dims& shape, const RowOperand& to, const RowOperand& mask, Index itemSize,
                const ElementBytes& value) {
    target().launch("masked_fill_", {to.data, mask.data},
                    [=] { queuedKernels().mask.fill(shape, to, mask, itemSize, value); });
}
void choose(const Dims& shape, const RowOperand& out, const RowOperand& condition, const RowOperand& a,
            const RowOperand& b, Index itemSize) {
    target().launch("where", {out.data, condition.data, a.data, b.data},
                    [=] { queuedKernels().mask.choose(shape, out, condition, a, b, itemSize); });
}
MaskBlocks countNonzero(const Dims& shape, const RowOperand& source, DType dtype) {
    MaskBlocks blocks;
    target().launchAndWait("count nonzero", {source.data},
                           [&] { blocks = queuedKernels().mask.countNonzero(shape, source, dtype); });
    return blocks;
}
void findNonzero(const Dims& shape, const RowOperand& source, DType dtype, const MaskBlocks& blocks, Index* out,
                 Index columnStride) {
    target().launch("nonzero", {source.data, out},
                    [=] { queuedKernels().mask.findNonzero(shape, source, dtype, blocks, out, columnStride); });
}
bool holdsOnlyBits(const Dims& shape, const RowOperand& mask) {
    bool bits = false;
    target().launchAndWait("look at mask", {mask.data},
                           [&] { bits = queuedKernels().mask.holdsOnlyBits(shape, mask); });
    return bits;
}

template <std::size_t... B, std::size_t... U, std::size_t... M>
void bindElementwise(KernelTable& table, std::index_sequence<B...>, std::index_sequence<U...>,
                     std::index_sequence<M...>) {
    const KernelTable& cpu = cpuKernels();
    ((table.binary[B] = cpu.binary[B] ? binary<B> : nullptr), ...);
    ((table.unary[U] = cpu.unary[U] ? unary<U> : nullptr), ...);
    ((table.math[M] = cpu.math[M] ? math<M> : nullptr), ...);
}

} // namespace

const KernelTable& simKernels() {
    static const KernelTable table = [] {
        KernelTable t;
        t.backend = "sim";
        bindElementwise(t, std::make_index_sequence<BinaryOps::size>(), std::make_index_sequence<UnaryOps::size>(),
                        std::make_index_sequence<MathOps::size>());
        t.copy = copyElements;
        t.fill = fill;
        t.fold = fold;
        t.extremum = extremum;
        t.scan = scan;
        t.indexed = indexed;
        t.mask = {countMask, selectMasked, scatterMasked, fillMasked, choose, countNonzero, findNonzero, holdsOnlyBits};
        t.order = order;
        t.place = place;
        t.products = products;
        t.random = random;
        bindLinalg(t, std::make_index_sequence<kLinalgRoutines>());
        t.fourier = fourier;
        return t;
    }();
    return table;
}

} // namespace stridescope::sim
