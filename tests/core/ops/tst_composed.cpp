// What devices compose from other operations, beyond the samples of the table: on a simulated device whose memory the
// host may not read, with the CPU's kernels and with those for GPUs, it gives what the CPU's own loops give.

#include "core/backend/sim/sim.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/histogram.h"
#include "core/ops/indexing.h"
#include "core/ops/joining.h"
#include "core/ops/linalg.h"
#include "core/ops/order_statistics.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/reductions.h"
#include "core/ops/sorting.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "tests/support/check_refusal.h"
#include "tests/support/host_grid/host_queue.h"
#include "tests/support/operations_on_device.h"

#include <QtTest>

#include <limits>
#include <optional>

using namespace stridescope;
using namespace stridescope::test;

namespace {

constexpr Device kSim{DeviceType::Sim, 0};
constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();

/// Values with many equal ones among them, of both signs where the dtype has them.
Tensor ties(const Dims& shape, DType dtype) {
    const Tensor t = zeros(shape, {dtype, Device{}});
    for (Index i = 0; i < t.numel(); ++i) {
        const Index value = (i * 7 + i / 5) % 5;
        writeSlot(t, i, dtype == DType::Bool ? Scalar(value > 2) : Scalar(dtype == DType::UInt8 ? value : value - 2));
    }
    return t;
}

/// The same with NaN, infinities and -0 here and there.
Tensor oddities(const Dims& shape, DType dtype) {
    Tensor t = ties(shape, dtype);
    const double odd[] = {kNan, -0.0, kInf, kNan, -kInf};
    for (Index i = 2, k = 0; i < t.numel(); i += 4, ++k) writeSlot(t, i, odd[k % 5]);
    return t;
}

/// Small tensors of every kind for `dtype`: lines and more dims, none, one element, other layouts, repeated rows.
std::vector<Tensor> kinds(DType dtype) {
    std::vector<Tensor> all;
    for (const Dims& shape : {Dims{}, Dims{1}, Dims{11}, Dims{3, 4}, Dims{2, 3, 5}}) {
        all.push_back(ties(shape, dtype));
        if (isFloating(dtype) && shape.size() > 0) all.push_back(oddities(shape, dtype));
    }
    all.push_back(transpose(all.back(), 0, 2));
    all.push_back(expand(ties({1, 4}, dtype), {3, 4}));
    all.push_back(slice(ties({9}, dtype), 0, 1, std::nullopt, 2));
    all.push_back(ties({0}, dtype));
    all.push_back(ties({0, 3}, dtype));
    return all;
}

/// Each of the tensors alone, on the device as on the CPU.
std::string overKinds(std::initializer_list<DType> dtypes, const Call& call) {
    for (const DType dtype : dtypes)
        for (const Tensor& t : kinds(dtype))
            if (const std::string words = compareOnDevice(call, {t}, kSim); !words.empty())
                return std::string(name(dtype)) + " " + toListString(std::span<const Index>(t.shape())) + ": " + words;
    return {};
}

std::vector<Tensor> listOf(const ValuesAndIndices& found) {
    return {found.values, found.indices};
}
std::vector<Tensor> listOf(const UniqueValues& found) {
    std::vector<Tensor> list{found.values};
    for (const Tensor& t : {found.inverse, found.counts})
        if (t.defined()) list.push_back(t);
    return list;
}
Tensor numbers(const NestedList& values, DType dtype = DType::Int64) {
    return tensorFrom(values, {dtype, Device{}});
}

constexpr std::initializer_list<DType> kReal{DType::Bool,    DType::UInt8,   DType::Int32,  DType::Int64,
                                             DType::Float16, DType::Float32, DType::Float64};

} // namespace

#define AGREES(...)                                                                                                    \
    do {                                                                                                               \
        const std::string words = (__VA_ARGS__);                                                                       \
        QVERIFY2(words.empty(), words.c_str());                                                                        \
    } while (false)

class TestComposed : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase_data() {
        QTest::addColumn<bool>("grid");
        QTest::newRow("kernels of the CPU") << false;
        QTest::newRow("kernels of GPUs") << true;
    }
    void init() {
        QFETCH_GLOBAL(bool, grid);
        SimOptions options;
        options.guard = true;
        options.memoryBytes = std::size_t{8} << 20;
        options.kernels = grid ? &hostGridKernels() : nullptr;
        enableSim(options);
    }
    void cleanup() { disableSim(); }

    void medians();
    void modes();
    void quantiles();
    void distinctValues();
    void distinctSlices();
    void placesInOrder();
    void counts();
    void histograms();
    void elementsByNumber();
    void elementsRepeated();
    void partsOfFloats();
    void unpackedFactors();
};

void TestComposed::medians() {
    AGREES(overKinds(kReal, [](auto in) { return std::vector{median(in[0])}; }));
    AGREES(overKinds(kReal, [](auto in) { return std::vector{nanmedian(in[0])}; }));
    for (const Index dim : {0, 1, -1})
        for (const bool keepdim : {false, true}) {
            AGREES(overKinds(kReal, [=](auto in) { return listOf(median(in[0], dim, keepdim)); }));
            AGREES(overKinds(kReal, [=](auto in) { return listOf(nanmedian(in[0], dim, keepdim)); }));
        }
    const Tensor none = full({2, 3}, kNan);
    AGREES(compareOnDevice([](auto in) { return listOf(nanmedian(in[0], 1)); }, {none}, kSim));
    AGREES(compareOnDevice([](auto in) { return std::vector{median(in[0])}; }, {zeros({2}, {DType::Complex64, {}})},
                           kSim));
}

void TestComposed::modes() {
    for (const DType dtype : kReal) {
        for (const Tensor& t : kinds(dtype)) {
            if (isFloating(dtype) && t.numel() > 0 && item(any(isnan(t))).toBool()) continue;
            for (const Index dim : {0, -1})
                for (const bool keepdim : {false, true})
                    AGREES(compareOnDevice([=](auto in) { return listOf(mode(in[0], dim, keepdim)); }, {t}, kSim));
        }
    }
    // Long lines: any of the equal elements is right. And each NaN counts for itself.
    const Tensor line = ties({3, 100}, DType::Float32), there = to(line, kSim);
    const ValuesAndIndices found = mode(there, 1), wanted = mode(line, 1);
    QVERIFY(equal(to(found.values, Device{}), wanted.values));
    QVERIFY(equal(flatten(gather(line, 1, unsqueeze(to(found.indices, Device{}), 1))), wanted.values));
    const Tensor odd = to(numbers({kNan, 3, kNan, kNan, 3, 1}, DType::Float64), kSim);
    QVERIFY(item(mode(odd).values) == Scalar(3.0));
    QVERIFY(item(mode(odd).indices) == Scalar(Index{4}));
    QVERIFY(item(mode(narrow(odd, 0, 0, 2)).values) == Scalar(3.0));
}

void TestComposed::quantiles() {
    const auto floats = {DType::Float32, DType::Float64, DType::Int64};
    for (const Interpolation between : {Interpolation::Linear, Interpolation::Lower, Interpolation::Higher,
                                        Interpolation::Midpoint, Interpolation::Nearest}) {
        for (const double q : {0.0, 0.3, 0.5, 1.0, 1.5}) {
            AGREES(overKinds(floats, [=](auto in) { return std::vector{quantile(in[0], q, {}, false, between)}; }));
            AGREES(overKinds(floats, [=](auto in) { return std::vector{nanquantile(in[0], q, 0, true, between)}; }));
            AGREES(overKinds(floats, [=](auto in) { return std::vector{quantile(in[0], q, -1, false, between)}; }));
        }
    }
    for (const NestedList& q : {NestedList{0.2, 0.9, 0.5}, NestedList(0.25), NestedList{0.5, 1.5}})
        for (const DType dtype : {DType::Float32, DType::Float64})
            for (const Tensor& t : kinds(dtype))
                for (const bool keepdim : {false, true}) {
                    const std::vector<Tensor> inputs{t, numbers(q, dtype)};
                    AGREES(compareOnDevice([=](auto in) { return std::vector{quantile(in[0], in[1], 0, keepdim)}; },
                                           inputs, kSim));
                    AGREES(compareOnDevice([=](auto in) { return std::vector{nanquantile(in[0], in[1], {}, keepdim)}; },
                                           inputs, kSim));
                }
    const std::optional<Refusal> mixed = refusalOf([] {
        quantile(to(numbers({1, 2}, DType::Float32), kSim), numbers({0.5}, DType::Float32));
    });
    QVERIFY(mixed && mixed->id == "DEV-03");
}

void TestComposed::distinctValues() {
    for (const UniqueOptions options : {UniqueOptions{}, {true, false}, {false, true}, {true, true}}) {
        AGREES(overKinds(kReal, [=](auto in) { return listOf(unique(in[0], options)); }));
        AGREES(overKinds(kReal, [=](auto in) { return listOf(uniqueConsecutive(in[0], options)); }));
    }
    const Tensor few = numbers({-1, 2, 0}, DType::Float32), many = to(arange(-90, 90, 3), DType::Float32);
    const Tensor odd = numbers({kNan, 1, -0.0}, DType::Float64);
    for (const Tensor& values : {few, many, odd, zeros({0}), numbers(1, DType::Int32)})
        for (const bool invert : {false, true})
            for (const DType dtype : kReal)
                for (const Tensor& t : kinds(dtype))
                    AGREES(compareOnDevice([=](auto in) { return std::vector{isin(in[0], in[1], invert)}; },
                                           {t, values}, kSim));
    AGREES(overKinds({DType::Int32, DType::Float16}, [](auto in) { return std::vector{isin(in[0], 1)}; }));
    AGREES(overKinds({DType::Int32}, [](auto in) { return std::vector{isin(1.5, in[0], true)}; }));
}

void TestComposed::distinctSlices() {
    for (const DType dtype : kReal) {
        std::vector<Tensor> all = kinds(dtype);
        // Rows that are equal, that differ late, that hold NaN.
        const Tensor rows = ties({2, 7}, dtype);
        all.push_back(reshape(expand(unsqueeze(rows, 0), {3, 2, 7}), {6, 7}));
        all.push_back(clone(all.back()));
        writeSlot(all.back(), 20, Scalar(1));
        if (isFloating(dtype)) writeSlot(all.back(), 31, kNan);
        for (const Tensor& t : all)
            for (const Index dim : {0, 1, -1})
                for (const UniqueOptions options : {UniqueOptions{}, {true, true}}) {
                    AGREES(
                        compareOnDevice([=](auto in) { return listOf(uniqueAlong(in[0], dim, options)); }, {t}, kSim));
                    AGREES(compareOnDevice([=](auto in) { return listOf(uniqueConsecutive(in[0], options, dim)); }, {t},
                                           kSim));
                }
    }
}

void TestComposed::placesInOrder() {
    const Tensor rows = numbers({{-2, -1, 0, 0, 1, 3, 8}, {0, 1, 1, 1, 1, 1, 2}, {5, -3, 4, 1, 0, 0, 2}});
    for (const SearchOptions options : {SearchOptions{}, {true, false}, {false, true}}) {
        for (const DType dtype : kReal) {
            const Tensor line = to(abs(select(rows, 0, 1)), dtype);
            for (const Tensor& t : kinds(dtype)) {
                AGREES(compareOnDevice([=](auto in) { return std::vector{searchsorted(in[0], in[1], options)}; },
                                       {line, t}, kSim));
                AGREES(compareOnDevice([=](auto in) { return std::vector{bucketize(in[1], in[0], options)}; },
                                       {line, t}, kSim));
                AGREES(compareOnDevice([=](auto in) { return std::vector{searchsorted(in[0], in[1], options)}; },
                                       {oddities({9}, DType::Float32), t}, kSim));
            }
        }
        const Tensor values = numbers({{1, -5, 9, 0}, {1, 0, 2, 3}, {4, 0, 1, 1}}, DType::Float64);
        const Tensor order = argsort(rows);
        const auto bySorter = [=](auto in) { return std::vector{searchsorted(in[0], in[1], options, in[2])}; };
        AGREES(compareOnDevice([=](auto in) { return std::vector{searchsorted(in[0], in[1], options)}; },
                               {rows, values}, kSim));
        AGREES(compareOnDevice(bySorter, {rows, values, order}, kSim));
        AGREES(compareOnDevice(bySorter, {rows, values, add(order, 1)}, kSim));
        AGREES(compareOnDevice([=](auto in) { return std::vector{searchsorted(in[0], in[1], options)}; },
                               {zeros({3, 0}), values}, kSim));
    }
    AGREES(compareOnDevice([](auto in) { return std::vector{searchsorted(in[0], 0.5)}; }, {select(rows, 0, 0)}, kSim));
}

void TestComposed::counts() {
    for (const DType dtype : kReal) {
        for (const Tensor& t : kinds(dtype))
            AGREES(compareOnDevice([](auto in) { return std::vector{bincount(in[0], 3)}; }, {t}, kSim));
        if (dtype == DType::Bool || isFloating(dtype)) continue;
        const Tensor line = numbers({3, 1, 3, 0, 7, 3}, dtype);
        AGREES(compareOnDevice([](auto in) { return std::vector{bincount(in[0])}; }, {line}, kSim));
        for (const DType weight : {DType::Float32, DType::Float64, DType::Int32, DType::Float16}) {
            const Tensor weights = to(numbers({0.1, 0.2, 0.3, -1, 1e8, 1}, DType::Float64), weight);
            AGREES(compareOnDevice([](auto in) { return std::vector{bincount(in[0], in[1], 10)}; }, {line, weights},
                                   kSim));
        }
        AGREES(compareOnDevice([](auto in) { return std::vector{bincount(in[0], in[1])}; }, {line, zeros({2})}, kSim));
    }
    const auto floats = {DType::Float32, DType::Float64, DType::Int32};
    AGREES(overKinds(floats, [](auto in) { return std::vector{histc(in[0], 7)}; }));
    AGREES(overKinds(floats, [](auto in) { return std::vector{histc(in[0], 3, -1, 1.3)}; }));
    const Tensor wide = numbers({3e38, -3e38, 0}, DType::Float32); // their distance is infinite
    AGREES(compareOnDevice([](auto in) { return std::vector{histc(in[0], 10)}; }, {wide}, kSim));
}

void TestComposed::histograms() {
    const auto made = [](const Histogram& h) { return std::vector{h.counts, h.edges}; };
    const auto floats = {DType::Float32, DType::Float64, DType::Int32};
    AGREES(overKinds(floats, [=](auto in) { return made(histogram(in[0], 5)); }));
    AGREES(overKinds(floats, [=](auto in) {
        return made(histogram(in[0], 5, std::vector{-1.0, 1.5}, {in[0], false}));
    }));
    AGREES(overKinds(floats, [=](auto in) { return made(histogram(in[0], 3, std::vector{-2.0, 2.0}, {{}, true})); }));
    for (const DType dtype : {DType::Float32, DType::Float64})
        for (const Tensor& t : kinds(dtype))
            for (const Tensor& edges : {numbers({-1, 0, 0.5, 2}, dtype), numbers({1, -1, 3}, dtype), zeros({1})})
                AGREES(compareOnDevice([=](auto in) { return made(histogram(in[0], in[1])); }, {t, edges}, kSim));
    const Tensor points = ties({20, 2}, DType::Float64), weights = oddities({20}, DType::Float64);
    const auto all = [](HistogramOfPoints h) {
        h.edges.push_back(h.counts);
        return h.edges;
    };
    AGREES(compareOnDevice(
        [=](auto in) {
            return all(histogramOfPoints(in[0], Dims{3, 2}, {}, {in[1], false}));
        },
        {points, weights}, kSim));
    AGREES(compareOnDevice(
        [=](auto in) {
            return all(histogramOfPoints(in[0], std::vector<Tensor>{in[1], in[2]}));
        },
        {points, numbers({-2, 0, 1}, DType::Float64), numbers({-1, 0, 1, 2}, DType::Float64)}, kSim));
}

void TestComposed::elementsByNumber() {
    const auto taken = [](auto in) { return std::vector{take(in[0], in[1])}; };
    for (const DType dtype : {DType::Bool, DType::Int32, DType::Float16, DType::Float64, DType::Complex64}) {
        std::vector<Tensor> all = kinds(dtype);
        for (const Tensor& t : all) {
            for (const Tensor& index : {numbers({{0, -1}, {0, 0}}), numbers(0), numbers({3, 1, -4, 3, 0}),
                                        zeros({0}, {DType::Int64, {}}), numbers({1, 40, -41}), ones({2})})
                AGREES(compareOnDevice(taken, {t, index}, kSim));
        }
        const Tensor wide = ties({4, 6}, dtype);
        for (const Tensor& t : {wide, transpose(wide, 0, 1), slice(wide, 1, 1, std::nullopt, 2)})
            for (const Tensor& index : {numbers({0, 5, -1, 5}), numbers({{1, 2}, {7, -2}}), numbers({0, 1, 2, 99})})
                for (const bool accumulate : {false, true}) {
                    const Tensor a = clone(t), b = to(clone(t), kSim), source = ties({4}, dtype);
                    const std::optional<Refusal> here = refusalOf([&] { put_(a, index, source, accumulate); });
                    const std::optional<Refusal> there =
                        refusalOf([&] { put_(b, to(index, kSim), to(source, kSim), accumulate); });
                    QCOMPARE(there.has_value(), here.has_value());
                    if (here) QCOMPARE(there->id, here->id);
                    QVERIFY(equal(to(b, Device{}), a));
                }
    }
}

void TestComposed::elementsRepeated() {
    const auto repeated = [](auto in) { return std::vector{repeatInterleave(in[0])}; };
    for (const Tensor& counts : {numbers({2, 0, 1, 3}), numbers({0, 0}, DType::Int32), numbers({1, -2, -3}),
                                 zeros({0}, {DType::Int64, {}}), numbers({Index{1} << 62, Index{1} << 62}),
                                 numbers({{1, 2}}), ones({2}), slice(numbers({1, 7, 2, 7}), 0, 0, 4, 2)})
        AGREES(compareOnDevice(repeated, {counts}, kSim));
    const Tensor t = ties({3, 4}, DType::Float32);
    for (const Tensor& counts : {numbers({2, 0, 1}), numbers({2}), numbers({1, 2, 3, 4})})
        for (const Index dim : {0, 1})
            AGREES(compareOnDevice([=](auto in) { return std::vector{repeatInterleave(in[0], in[1], dim)}; },
                                   {t, counts}, kSim));
}

void TestComposed::partsOfFloats() {
    const auto parts = [](auto in) {
        const MantissaAndExponent found = frexp(in[0]);
        return std::vector{found.mantissa, found.exponent};
    };
    AGREES(overKinds({DType::Float16, DType::Float32, DType::Float64, DType::Int32}, parts));
    const Tensor wide =
        numbers({5e-324, 2.2e-308, -1e-310, 1.7e308, 0.5, -1, 1e-5, 3, kInf, kNan, -0.0, 0}, DType::Float64);
    const Tensor narrow32 = numbers({1e-45, 1.1e-38, -1e-40, 3.4e38, 0.75, 8, -kInf, kNan}, DType::Float32);
    const Tensor narrow16 = numbers({6e-8, 6e-5, -65504, 0.1, 1024, kInf}, DType::Float16);
    for (const Tensor& t : {wide, narrow32, narrow16}) {
        AGREES(compareOnDevice(parts, {t}, kSim));
        // Numbers that near() takes for equal: bit by bit.
        const Tensor there = to(frexp(to(t, kSim)).mantissa, Device{});
        const Tensor bits = viewDType(there, t.itemSize() == 8   ? DType::Int64
                                             : t.itemSize() == 4 ? DType::Int32
                                                                 : DType::Int16);
        const Tensor finite = isfinite(t);
        QVERIFY(equal(mul(bits, finite), mul(viewDType(frexp(t).mantissa, bits.dtype()), finite)));
    }
}

void TestComposed::unpackedFactors() {
    const auto unpacked = [](bool data, bool exchanges) {
        return [=](auto in) {
            const LuParts parts = luUnpack(in[0], in[1], data, exchanges);
            return std::vector{parts.p, parts.l, parts.u};
        };
    };
    for (const DType dtype : {DType::Float32, DType::Float64, DType::Complex64, DType::Int32}) {
        const Tensor square = ties({4, 4}, dtype), several = ties({2, 1, 5, 3}, dtype);
        AGREES(compareOnDevice(unpacked(true, true), {square, numbers({3, 3, 4, 4}, DType::Int32)}, kSim));
        AGREES(compareOnDevice(unpacked(true, true), {square, numbers({2, 1, 1, 3}, DType::Int32)}, kSim));
        AGREES(compareOnDevice(unpacked(false, true), {square, numbers({2, 5, 1, 3}, DType::Int32)}, kSim));
        AGREES(compareOnDevice(unpacked(true, false), {square, numbers({2, 1, 1, 3}, DType::Int32)}, kSim));
        AGREES(
            compareOnDevice(unpacked(true, true), {several, numbers({{{5, 2, 4}}, {{1, 4, 3}}}, DType::Int32)}, kSim));
        AGREES(compareOnDevice(unpacked(true, true), {several, numbers({5, 2, 4}, DType::Int32)}, kSim));
        AGREES(
            compareOnDevice(unpacked(true, true), {zeros({0, 3}, {dtype, {}}), zeros({0}, {DType::Int32, {}})}, kSim));
        AGREES(compareOnDevice(unpacked(true, true), {square, zeros({4}, {DType::Int64, {}})}, kSim));
    }
}

QTEST_APPLESS_MAIN(TestComposed)
#include "tst_composed.moc"
