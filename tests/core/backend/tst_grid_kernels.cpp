// The kernels that are written for GPUs (core/backend/grid), run on the CPU for every thread of the grid: they give
// what the CPU's kernels give, the same bits whatever the order of blocks and threads, whatever a device's size is, and
// they touch nothing that is not theirs.

#include "core/backend/grid/offset_map.h"
#include "core/backend/kernel_table.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/pointwise.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/view/view_ops.h"
#include "tests/support/host_grid/host_queue.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace stridescope;
using namespace stridescope::test;

namespace {

std::mt19937 g_random(20);

/// Whole numbers around 0, some of them NaN or infinite where `odd`.
Tensor numbers(const Dims& shape, DType dtype, bool odd = false) {
    const Tensor t = zeros(shape, {dtype, Device{}});
    std::uniform_int_distribution<int> small(dtype == DType::UInt8 ? 0 : -9, 9), rare(0, 40);
    for (Index i = 0; i < t.numel(); ++i) {
        double value = small(g_random);
        if (odd && isFloating(dtype)) {
            const int what = rare(g_random);
            value = what == 0 ? std::nan("") : what == 1 ? HUGE_VAL : what == 2 ? -HUGE_VAL : value / 3;
        }
        storeElement(t.storage()->data() + i * static_cast<Index>(t.itemSize()), dtype, Scalar(value));
    }
    return t;
}

struct NamedView {
    const char* name;
    Tensor t;
};

/// Views of many kinds, some of them long enough for several slices, tiles and squares.
std::vector<NamedView> views(DType dtype, bool odd = false) {
    std::vector<NamedView> all;
    all.push_back({"one", numbers({1}, dtype, odd)});
    all.push_back({"row", numbers({5003}, dtype, odd)});
    all.push_back({"wide", numbers({3, 1500}, dtype, odd)});
    all.push_back({"tall", numbers({1500, 3}, dtype, odd)});
    all.push_back({"cube", numbers({13, 21, 17}, dtype, odd)});
    all.push_back({"turned", transpose(numbers({70, 45}, dtype, odd), 0, 1)});
    all.push_back({"permuted", permute(numbers({6, 40, 9}, dtype, odd), Dims{1, 2, 0})});
    all.push_back({"odd start", narrow(numbers({999}, dtype, odd), 0, 3, 960)});
    all.push_back({"columns", narrow(numbers({50, 20}, dtype, odd), 1, 3, 8)});
    all.push_back({"backwards", numbers({31, 12}, dtype, odd).withView(View{{31, 12}, {-12, 1}, 30 * 12})});
    all.push_back({"repeated", expand(numbers({1, 40}, dtype, odd), Dims{30, 40})});
    all.push_back({"steps", slice(numbers({40, 30}, dtype, odd), 1, 1, 30, 3)});
    Tensor deep = numbers({2, 3, 2, 3, 2, 3, 2, 3, 2}, dtype, odd);
    all.push_back({"nine dims", permute(deep, Dims{8, 3, 1, 6, 0, 5, 2, 7, 4})});
    return all;
}

Strided strided(const Tensor& t) {
    return {t.storage()->data(), t.view(), t.dtype()};
}
std::byte* first(const Tensor& t) {
    return strided(t).first();
}
Tensor like(const Dims& shape, DType dtype) {
    const Tensor t = zeros(shape, {dtype, Device{}});
    std::memset(t.storage()->data(), 0x5a, static_cast<std::size_t>(t.nbytes()));
    return t;
}
bool sameBits(const Tensor& a, const Tensor& b) {
    return a.nbytes() == b.nbytes() &&
           std::memcmp(a.storage()->data(), b.storage()->data(), static_cast<std::size_t>(a.nbytes())) == 0;
}
/// The same numbers; floats may differ by `tolerance` of their size, NaN is NaN.
bool sameNumbers(const Tensor& a, const Tensor& b, double tolerance) {
    for (Index i = 0; i < a.numel(); ++i) {
        const Scalar x = loadElement(a.storage()->data() + i * static_cast<Index>(a.itemSize()), a.dtype());
        const Scalar y = loadElement(b.storage()->data() + i * static_cast<Index>(b.itemSize()), b.dtype());
        const double u = x.toDouble(), v = y.toDouble();
        if (std::isnan(u) && std::isnan(v)) continue;
        if (u == v) continue;
        if (!(std::abs(u - v) <= tolerance * std::max({std::abs(u), std::abs(v), 1.0}))) return false;
    }
    return true;
}

/// Runs `call(table, outs)` with the CPU's table and with the grid's, forwards and backwards, on a small device and a
/// large one. `outs()` makes fresh results. True when backwards gives the same bits and all are as `agree` wants.
template <class Outs, class Call, class Agree>
bool agrees(const Outs& outs, const Call& call, const Agree& agree) {
    const std::vector<Tensor> expected = outs();
    call(cpuKernels(), expected);
    for (const int multiprocessors : {1, 7, 132}) {
        HostGrid::multiprocessors = multiprocessors;
        std::vector<Tensor> forwards;
        for (const bool backwards : {false, true}) {
            HostGrid::backwards = backwards;
            const std::vector<Tensor> got = outs();
            call(hostGridKernels(), got);
            HostGrid::backwards = false;
            for (std::size_t i = 0; i < got.size(); ++i) {
                if (backwards && !sameBits(got[i], forwards[i])) {
                    qWarning("result %zu depends on the order of the threads", i);
                    return false;
                }
                if (!agree(got[i], expected[i])) {
                    qWarning("result %zu differs with %d multiprocessors", i, multiprocessors);
                    return false;
                }
            }
            forwards = got;
        }
    }
    return true;
}

std::vector<DimMask> masksOf(const Tensor& t) {
    if (t.dim() == 1) return {1};
    if (t.dim() == 2) return {1, 2, 3};
    if (t.dim() == 3) return {1, 2, 4, 5, 7};
    return {0x1, 0xaa, 0x155, 0x1ff};
}
Dims keptShape(const Tensor& t, DimMask mask) {
    Dims shape;
    for (std::size_t d = 0; d < t.shape().size(); ++d)
        if (!(mask >> d & 1)) shape.push_back(t.shape()[d]);
    return shape;
}
QByteArray words(const NamedView& v, DimMask mask) {
    return QByteArray(v.name) + " mask " + QByteArray::number(static_cast<qulonglong>(mask));
}

} // namespace

class TestGridKernels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() {
        QCOMPARE(HostGrid::overruns.load(), 0);
        QCOMPARE(HostGrid::alive.load(), 0);
    }
    void maps();
    void folds_data();
    void folds();
    void foldsOfNothing();
    void extrema_data();
    void extrema();
    void scans_data();
    void scans();
    void copies_data();
    void copies();
    void fills();
    void elements_data();
    void elements();
    void mixedDTypes();
    void orders_data();
    void orders();
    void indexed_data();
    void indexed();
    void badIndices();
    void masks();
    void nonzero();
    void integerProducts();
    void randomNumbers();
};

void TestGridKernels::maps() {
    for (const NamedView& v : views(DType::Float32)) {
        Dims bytes = v.t.stride();
        for (Index& s : bytes) s *= 4;
        const grid::Loops<1> loops = grid::rowMajorLoops<1>(v.t.shape(), {&bytes});
        HostQueue queue;
        const grid::HeldMap held(queue, loops);
        QCOMPARE(loops.count(), v.t.numel());
        Dims coord(v.t.shape().size(), 0);
        for (Index i = 0; i < v.t.numel(); ++i) {
            Index at[1];
            held.map(i, at);
            QCOMPARE(at[0], (v.t.view().slot(std::span<const Index>(coord)) - v.t.storageOffset()) * 4);
            for (std::size_t d = coord.size(); d-- > 0;) {
                if (++coord[d] < v.t.shape()[d]) break;
                coord[d] = 0;
            }
        }
    }
    // Too many positions for 32 bits: 64-bit division.
    grid::Loops<1> huge;
    huge.add(Index{1} << 20, {1});
    huge.add(Index{1} << 20, {-(Index{1} << 40)});
    HostQueue queue;
    const grid::HeldMap held(queue, huge);
    QVERIFY(!held.map.narrow);
    Index at[1];
    held.map((Index{1} << 39) + 5, at);
    QCOMPARE(at[0], 5 - (Index{1} << 19) * (Index{1} << 40));
}

void TestGridKernels::folds_data() {
    QTest::addColumn<int>("op");
    QTest::addColumn<int>("dtype");
    for (int op = 0; op <= static_cast<int>(FoldOp::PowerSum); ++op)
        for (const DType dtype : kRealDTypes) {
            const auto which = static_cast<FoldOp>(op);
            const bool any = which == FoldOp::Sum || which == FoldOp::Prod || which == FoldOp::Min ||
                             which == FoldOp::Max || which == FoldOp::NonZero || which == FoldOp::All ||
                             which == FoldOp::Any;
            if (any || isFloating(dtype))
                QTest::addRow("%d %s", op, std::string(name(dtype)).c_str()) << op << static_cast<int>(dtype);
        }
}

void TestGridKernels::folds() {
    QFETCH(int, op);
    QFETCH(int, dtype);
    FoldArgs args;
    args.op = static_cast<FoldOp>(op);
    args.via = static_cast<DType>(dtype);
    args.parameter = 3;
    // Products and powers grow, and a mean of infinities depends on the order on the CPU; on a GPU it is PyTorch's,
    // NaN.
    const bool odd = args.op != FoldOp::Prod && args.op != FoldOp::PowerSum && args.op != FoldOp::Moments;
    for (const NamedView& v : views(args.via, odd))
        for (const DimMask mask : masksOf(v.t)) {
            args.in = strided(v.t);
            args.mask = mask;
            const bool keeps = args.op == FoldOp::Min || args.op == FoldOp::Max || args.op == FoldOp::AbsMin ||
                               args.op == FoldOp::AbsMax;
            const bool truth = args.op == FoldOp::All || args.op == FoldOp::Any;
            args.outType = keeps                        ? args.via
                           : truth                      ? DType::Bool
                           : args.op == FoldOp::NonZero ? DType::Int64
                           : isFloating(args.via)       ? DType::Float64
                                                        : DType::Int64;
            if (args.op == FoldOp::Moments) {
                args.finish = Finish::Deviation;
                args.number = 1;
            } else if (args.op == FoldOp::SquareSum) {
                args.finish = Finish::Root;
            } else if (args.op == FoldOp::AbsSum) {
                args.finish = Finish::Divide;
                args.number = 7;
            }
            const auto outs = [&] {
                return std::vector<Tensor>{like(keptShape(v.t, mask), args.outType),
                                           like(keptShape(v.t, mask), args.outType)};
            };
            const bool ok = agrees(
                outs,
                [&](const KernelTable& table, const std::vector<Tensor>& to) {
                    args.out = first(to[0]);
                    args.means = args.op == FoldOp::Moments ? first(to[1]) : nullptr;
                    table.fold(args);
                },
                [](const Tensor& a, const Tensor& b) { return sameNumbers(a, b, 1e-11); });
            QVERIFY2(ok, words(v, mask));
        }
}

void TestGridKernels::foldsOfNothing() {
    FoldArgs args;
    args.in = strided(zeros({3, 0, 2}, {DType::Float32, Device{}}));
    args.mask = 2;
    args.op = FoldOp::Prod;
    args.via = args.outType = DType::Float32;
    const auto outs = [] { return std::vector<Tensor>{like({3, 2}, DType::Float32)}; };
    QVERIFY(agrees(
        outs,
        [&](const KernelTable& table, const std::vector<Tensor>& to) {
            args.out = first(to[0]);
            table.fold(args);
        },
        sameBits));
}

void TestGridKernels::extrema_data() {
    QTest::addColumn<int>("dtype");
    for (const DType dtype : kRealDTypes) QTest::newRow(std::string(name(dtype)).c_str()) << static_cast<int>(dtype);
}

void TestGridKernels::extrema() {
    QFETCH(int, dtype);
    for (const NamedView& v : views(static_cast<DType>(dtype), true))
        for (const DimMask mask : masksOf(v.t))
            for (const bool maximum : {false, true}) {
                const auto outs = [&] {
                    return std::vector<Tensor>{like(keptShape(v.t, mask), v.t.dtype()),
                                               like(keptShape(v.t, mask), DType::Int64)};
                };
                QVERIFY2(agrees(
                             outs,
                             [&](const KernelTable& table, const std::vector<Tensor>& to) {
                                 table.extremum({strided(v.t), mask, maximum, first(to[0]),
                                                 reinterpret_cast<Index*>(first(to[1]))});
                             },
                             [](const Tensor& a, const Tensor& b) { return sameNumbers(a, b, 0); }),
                         words(v, mask));
            }
}

void TestGridKernels::scans_data() {
    QTest::addColumn<int>("op");
    QTest::addColumn<int>("dtype");
    for (int op = 0; op <= static_cast<int>(ScanOp::LogSoftmax); ++op)
        for (const DType dtype : {DType::UInt8, DType::Int32, DType::Int64, DType::Float32, DType::Float64})
            if (op < static_cast<int>(ScanOp::LogSumExp) || isFloating(dtype))
                QTest::addRow("%d %s", op, std::string(name(dtype)).c_str()) << op << static_cast<int>(dtype);
}

void TestGridKernels::scans() {
    QFETCH(int, op);
    QFETCH(int, dtype);
    ScanArgs args;
    args.op = static_cast<ScanOp>(op);
    args.outType = static_cast<DType>(dtype);
    const bool extreme = args.op == ScanOp::Max || args.op == ScanOp::Min;
    std::vector<NamedView> all = views(args.outType, extreme || args.op == ScanOp::LogSumExp);
    all.push_back({"very long", numbers({20011}, args.outType)});
    for (const NamedView& v : all)
        for (Index dim = 0; dim < v.t.dim(); ++dim) {
            args.in = strided(v.t);
            args.dim = dim;
            const auto outs = [&] {
                return std::vector<Tensor>{like(v.t.shape(), args.outType), like(v.t.shape(), DType::Int64)};
            };
            QVERIFY2(agrees(
                         outs,
                         [&](const KernelTable& table, const std::vector<Tensor>& to) {
                             args.out = first(to[0]);
                             args.positions = extreme ? reinterpret_cast<Index*>(first(to[1])) : nullptr;
                             table.scan(args);
                         },
                         [&](const Tensor& a, const Tensor& b) {
                             return sameNumbers(a, b, args.outType == DType::Float32 ? 2e-6 : 1e-12);
                         }),
                     words(v, static_cast<DimMask>(dim)));
        }
}

void TestGridKernels::copies_data() {
    extrema_data();
}

void TestGridKernels::copies() {
    QFETCH(int, dtype);
    const auto from = static_cast<DType>(dtype);
    for (const NamedView& v : views(from, true))
        for (const DType to : kRealDTypes) {
            ElementwiseArgs args;
            args.dtype = {to, from};
            const auto outs = [&] { return std::vector<Tensor>{like(v.t.shape(), to)}; };
            QVERIFY2(agrees(
                         outs,
                         [&](const KernelTable& table, const std::vector<Tensor>& result) {
                             const LoopOperand operands[] = {
                                 {&result[0].view(), result[0].storage()->data(), itemSize(to)},
                                 {&v.t.view(), v.t.storage()->data(), itemSize(from)}};
                             buildLoopSpace(args.space, v.t.shape(), operands);
                             table.copy(args);
                         },
                         [](const Tensor& a, const Tensor& b) { return sameNumbers(a, b, 0); }),
                     v.name);
        }
}

void TestGridKernels::fills() {
    for (const DType dtype : kRealDTypes) {
        const auto outs = [&] {
            std::vector<Tensor> targets;
            for (const NamedView& v : views(dtype))
                targets.push_back(like({static_cast<Index>(v.t.storage()->bytes() / itemSize(dtype))}, dtype));
            return targets;
        };
        const std::vector<NamedView> layouts = views(dtype);
        std::byte value[8];
        storeElement(value, dtype, Scalar(5));
        QVERIFY(agrees(
            outs,
            [&](const KernelTable& table, const std::vector<Tensor>& to) {
                for (std::size_t i = 0; i < to.size(); ++i) {
                    ElementwiseArgs args;
                    args.dtype = {dtype};
                    const LoopOperand operand{&layouts[i].t.view(), to[i].storage()->data(), itemSize(dtype)};
                    buildLoopSpace(args.space, layouts[i].t.shape(), {&operand, 1});
                    table.fill(args, value);
                }
            },
            sameBits));
    }
}

void TestGridKernels::elements_data() {
    extrema_data();
}

/// One operand after the other in another layout, or a number of the host.
void TestGridKernels::elements() {
    QFETCH(int, dtype);
    const auto type = static_cast<DType>(dtype);
    const std::vector<NamedView> left = views(type, true), right = views(type, true);
    for (std::size_t op = 0; op < BinaryOps::size; ++op) {
        if (BinaryOps::results[op] == ResultKind::Float && !isFloating(type)) continue;
        const DType out = BinaryOps::results[op] == ResultKind::Comparison ? DType::Bool : type;
        for (std::size_t i = 0; i < left.size(); ++i)
            for (const bool number : {false, true}) {
                ElementwiseArgs args;
                args.dtype = {out, type, type};
                args.compute = type;
                args.isHostScalar[2] = number;
                View one;
                const View& other = number ? one : right[i].t.view();
                const auto outs = [&] { return std::vector<Tensor>{like(left[i].t.shape(), out)}; };
                QVERIFY2(agrees(
                             outs,
                             [&](const KernelTable& table, const std::vector<Tensor>& result) {
                                 const LoopOperand operands[] = {
                                     {&result[0].view(), result[0].storage()->data(), itemSize(out)},
                                     {&left[i].t.view(), left[i].t.storage()->data(), itemSize(type)},
                                     {&other, right[i].t.storage()->data(), itemSize(type)}};
                                 buildLoopSpace(args.space, left[i].t.shape(), operands);
                                 table.binary[op](args);
                             },
                             [](const Tensor& a, const Tensor& b) { return sameNumbers(a, b, 0); }),
                         left[i].name);
            }
    }
}

/// Operands of any dtypes are first rounded to the one that is computed in, and the result to that of the output.
void TestGridKernels::mixedDTypes() {
    const auto mixed = [](DType out, const Tensor& a, const Tensor& b, DType compute) {
        ElementwiseArgs args;
        args.dtype = {out, a.dtype(), b.dtype()};
        args.compute = compute;
        const auto outs = [&] { return std::vector<Tensor>{like({20, 30}, out)}; };
        return agrees(
            outs,
            [&](const KernelTable& table, const std::vector<Tensor>& result) {
                const LoopOperand operands[] = {{&result[0].view(), result[0].storage()->data(), itemSize(out)},
                                                {&a.view(), a.storage()->data(), itemSize(a.dtype())},
                                                {&b.view(), b.storage()->data(), itemSize(b.dtype())}};
                buildLoopSpace(args.space, Dims{20, 30}, operands);
                table.binary[BinaryOps::indexOf<Add>()](args);
            },
            [](const Tensor& x, const Tensor& y) { return sameNumbers(x, y, 0); });
    };
    for (const DType left : kRealDTypes)
        for (const DType right : kRealDTypes) {
            const Tensor a = transpose(numbers({30, 20}, left, true), 0, 1), b = numbers({30}, right, true);
            for (const DType compute : {DType::Int32, DType::Float16, DType::Float32, DType::Float64}) {
                // Dtypes promote: only one number of float32 meets float16, and the CPU does not round that first.
                if (compute == DType::Float16 && (left == DType::Float32 || right == DType::Float32)) continue;
                for (const DType out : {DType::Float16, DType::Float32, DType::Int8, DType::Bool})
                    QVERIFY2(mixed(out, a, b, compute),
                             (std::string(name(left)) + " and " + std::string(name(right)) + " in " +
                              std::string(name(compute)) + " to " + std::string(name(out)))
                                 .c_str());
            }
        }
}

void TestGridKernels::orders_data() {
    extrema_data();
}

void TestGridKernels::orders() {
    QFETCH(int, dtype);
    const auto type = static_cast<DType>(dtype);
    for (const NamedView& v : views(type, true))
        for (Index dim = 0; dim < v.t.dim(); ++dim)
            for (const bool descending : {false, true}) {
                const Index length = v.t.shape()[static_cast<std::size_t>(dim)];
                for (const Index k : {length, (length + 2) / 3}) {
                    Dims shape = v.t.shape();
                    shape[static_cast<std::size_t>(dim)] = k;
                    const auto outs = [&] { return std::vector<Tensor>{like(shape, type), like(shape, DType::Int64)}; };
                    QVERIFY2(agrees(
                                 outs,
                                 [&](const KernelTable& table, const std::vector<Tensor>& to) {
                                     table.order({strided(v.t), strided(to[0]), strided(to[1]), dim, k, descending});
                                 },
                                 [](const Tensor& a, const Tensor& b) { return sameNumbers(a, b, 0); }),
                             v.name);
                }
                if (descending) continue;
                Dims shape = v.t.shape();
                shape[static_cast<std::size_t>(dim)] = 1;
                const auto outs = [&] { return std::vector<Tensor>{like(shape, type)}; };
                QVERIFY2(agrees(
                             outs,
                             [&](const KernelTable& table, const std::vector<Tensor>& to) {
                                 const Tensor positions = like(shape, DType::Int64);
                                 table.place({strided(v.t), strided(to[0]), strided(positions), dim, (length + 1) / 2});
                             },
                             [](const Tensor& a, const Tensor& b) { return sameNumbers(a, b, 0); }),
                         v.name);
            }
}

void TestGridKernels::indexed_data() {
    QTest::addColumn<int>("dtype");
    for (const DType dtype : {DType::UInt8, DType::Int64, DType::Float16, DType::Float32, DType::Float64, DType::Bool,
                              DType::Complex64, DType::Complex128})
        QTest::newRow(std::string(name(dtype)).c_str()) << static_cast<int>(dtype);
}

/// Rows of a table named by an index with many repetitions, and the other way round; sums have the CPU's bits.
void TestGridKernels::indexed() {
    QFETCH(int, dtype);
    const auto type = static_cast<DType>(dtype);
    const auto item = static_cast<Index>(itemSize(type));
    std::uniform_int_distribution<Index> row(-20, 19);
    for (const Index columns : {1, 8, 33})
        for (const bool is32 : {false, true})
            for (const bool alongIndex : {false, true}) { // the index follows the columns, too, as gather's does
                const Index rows = 700, entries = alongIndex ? rows * columns : rows;
                const Tensor index = zeros({entries}, {is32 ? DType::Int32 : DType::Int64, Device{}});
                for (Index i = 0; i < entries; ++i)
                    storeElement(index.storage()->data() + i * static_cast<Index>(index.itemSize()), index.dtype(),
                                 Scalar(row(g_random)));
                const Tensor plain = isComplex(type) ? to(numbers({rows, columns}, DType::Float32), type)
                                                     : to(div(numbers({rows, columns}, DType::Float32), 3), type);
                for (int mode = 0; mode <= static_cast<int>(IndexedMode::Min); ++mode) {
                    IndexedArgs args;
                    args.mode = static_cast<IndexedMode>(mode);
                    if (isComplex(type) && args.mode >= IndexedMode::Max) continue;
                    args.dtype = type;
                    const Index step = static_cast<Index>(index.itemSize());
                    args.sources = {{index.storage()->data(), is32, true, 20, columns * item}};
                    args.loops = {{rows, columns * item, 0, {alongIndex ? columns * step : step}, false},
                                  {columns, item, item, {alongIndex ? step : 0}, true}};
                    const bool reads = args.mode == IndexedMode::Read;
                    const Tensor table = to(numbers({20, columns}, DType::Float32), type);
                    const auto outs = [&] {
                        return std::vector<Tensor>{reads ? like({rows, columns}, type) : clone(table)};
                    };
                    QVERIFY2(agrees(
                                 outs,
                                 [&](const KernelTable& kernels, const std::vector<Tensor>& to) {
                                     args.plain = reads ? first(to[0]) : first(plain);
                                     args.indexed = reads ? first(table) : first(to[0]);
                                     BadIndex bad;
                                     QVERIFY(kernels.indexed(args, bad));
                                 },
                                 sameBits),
                             QByteArray::number(mode) + " columns " + QByteArray::number(columns));
                }
            }
}

void TestGridKernels::badIndices() {
    const Tensor plain = numbers({50, 4}, DType::Float32);
    for (const int mode : {0, 1, 2}) {
        const Tensor one = zeros({50}, {DType::Int64, Device{}}), two = zeros({50}, {DType::Int32, Device{}});
        one.data<Index>()[40] = 3;
        one.data<Index>()[41] = 11; // the second in order
        two.data<std::int32_t>()[17] = -6;
        IndexedArgs args;
        args.mode = static_cast<IndexedMode>(mode);
        args.plain = first(plain);
        const Tensor target = numbers({4, 5, 4}, DType::Float32), before = clone(target);
        args.indexed = first(target);
        args.sources = {{first(one), false, true, 4, 80}, {first(two), true, true, 5, 16}};
        args.loops = {{50, 16, 0, {8, 4}, false}, {4, 4, 4, {0, 0}, true}};
        BadIndex expected, got;
        QVERIFY(!cpuKernels().indexed(args, expected));
        QVERIFY(!hostGridKernels().indexed(args, got));
        QCOMPARE(got.source, expected.source);
        QCOMPARE(got.value, expected.value);
        QCOMPARE(got.value, Index{-6});
        if (mode != 0) QVERIFY(sameBits(target, before));
    }
}

void TestGridKernels::masks() {
    for (const DType dtype : {DType::Bool, DType::Float16, DType::Float32, DType::Float64, DType::Complex128}) {
        const auto item = static_cast<Index>(itemSize(dtype));
        std::vector<NamedView> all = views(DType::Bool);
        all.push_back({"many", numbers({9001}, DType::Bool)});
        for (const NamedView& v : all) {
            const Tensor source = to(numbers(v.t.shape(), DType::Float32), dtype), other = to(source, dtype);
            const auto operand = [](const Tensor& t) {
                RowOperand o{first(t), t.stride()};
                for (Index& s : o.stride) s *= static_cast<Index>(t.itemSize());
                return o;
            };
            const RowOperand mask = operand(v.t);
            const Index total = cpuKernels().mask.count(v.t.shape(), mask).total();
            QCOMPARE(hostGridKernels().mask.count(v.t.shape(), mask).total(), total);
            const auto outs = [&] {
                return std::vector<Tensor>{like({total}, dtype), clone(source), clone(source),
                                           like(v.t.shape(), dtype)};
            };
            ElementBytes value{};
            value[0] = std::byte{1};
            QVERIFY2(agrees(
                         outs,
                         [&](const KernelTable& table, const std::vector<Tensor>& to) {
                             const MaskBlocks blocks = table.mask.count(v.t.shape(), mask);
                             table.mask.select(v.t.shape(), operand(source), mask, blocks, item, first(to[0]));
                             table.mask.scatter(v.t.shape(), operand(to[1]), mask, blocks, item, first(other));
                             table.mask.fill(v.t.shape(), operand(to[2]), mask, item, value);
                             table.mask.choose(v.t.shape(), operand(to[3]), mask, operand(source), operand(other),
                                               item);
                         },
                         sameBits),
                     v.name);
            QVERIFY(hostGridKernels().mask.holdsOnlyBits(v.t.shape(), mask));
        }
    }
    const Tensor odd = zeros({3000}, {DType::UInt8, Device{}});
    odd.data<std::uint8_t>()[2999] = 2;
    QVERIFY(!hostGridKernels().mask.holdsOnlyBits({3000}, {first(odd), {1}}));
}

void TestGridKernels::nonzero() {
    for (const DType dtype : kRealDTypes)
        for (const NamedView& v : views(dtype, true)) {
            RowOperand source{first(v.t), v.t.stride()};
            for (Index& s : source.stride) s *= static_cast<Index>(v.t.itemSize());
            const Index total = cpuKernels().mask.countNonzero(v.t.shape(), source, dtype).total();
            const auto outs = [&] { return std::vector<Tensor>{like({v.t.dim(), total}, DType::Int64)}; };
            QVERIFY2(agrees(
                         outs,
                         [&](const KernelTable& table, const std::vector<Tensor>& to) {
                             const MaskBlocks blocks = table.mask.countNonzero(v.t.shape(), source, dtype);
                             table.mask.findNonzero(v.t.shape(), source, dtype, blocks, to[0].data<Index>(), total);
                         },
                         sameBits),
                     v.name);
        }
}

void TestGridKernels::integerProducts() {
    for (const DType dtype : {DType::UInt8, DType::Int16, DType::Int64})
        for (const Index k : {1, 16, 37}) {
            const Tensor a = numbers({2, 19, k}, dtype), b = transpose(numbers({2, 33, k}, dtype), 1, 2);
            const Index aOffsets[] = {0, 19 * k, 0}, bOffsets[] = {0, 0, 33 * k};
            ProductArgs args;
            args.dtype = dtype;
            args.m = 19;
            args.n = 33;
            args.k = k;
            args.a = {first(a), k, 1};
            args.b = {first(b), 1, k};
            args.aOffsets = aOffsets;
            args.bOffsets = bOffsets;
            const auto outs = [&] { return std::vector<Tensor>{like({3, 19, 33}, dtype)}; };
            QVERIFY(agrees(
                outs,
                [&](const KernelTable& table, const std::vector<Tensor>& to) {
                    args.out = first(to[0]);
                    table.products(args);
                },
                sameBits));
        }
}

void TestGridKernels::randomNumbers() {
    for (const DType dtype : {DType::Float16, DType::Float32, DType::Float64})
        for (const RandomOp op : {RandomOp::Uniform, RandomOp::Normal})
            for (const NamedView& v : views(dtype)) {
                if (std::string_view(v.name) == "repeated") continue; // is never written to
                const auto outs = [&] {
                    return std::vector<Tensor>{like({static_cast<Index>(v.t.storage()->bytes())}, DType::UInt8)};
                };
                std::vector<std::uint64_t> advanced;
                QVERIFY2(agrees(
                             outs,
                             [&](const KernelTable& table, const std::vector<Tensor>& to) {
                                 RandomArgs args;
                                 const LoopOperand operand{&v.t.view(), to[0].storage()->data(), itemSize(dtype)};
                                 buildLoopSpace(args.space, v.t.shape(), {&operand, 1});
                                 args.dtype = dtype;
                                 args.op = op;
                                 args.a = -2;
                                 args.seed = 0x123456789abcdef0;
                                 args.offset = 40;
                                 advanced.push_back(table.random(args));
                             },
                             sameBits),
                         v.name);
                for (const std::uint64_t a : advanced) QCOMPARE(a, advanced[0]);
            }
}

QTEST_APPLESS_MAIN(TestGridKernels)
#include "tst_grid_kernels.moc"
