// Complex tensors: parts as views, copies and conversions, arithmetic, printing, refusals.

#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/promotion.h"
#include "core/ops/views.h"
#include "core/print/repr.h"
#include "core/tensor/element.h"
#include "tests/support/check_refusal.h"
#include "tests/support/view_zoo.h"

#include <QTest>

#include <complex>
#include <limits>

using namespace stridescope;
using namespace stridescope::test;

namespace {

using C = Complex<double>;

Tensor complexFrom(std::initializer_list<C> values, DType dtype = DType::Complex64) {
    std::vector<NestedList> items;
    for (const C value : values) items.emplace_back(Scalar(value));
    return tensorFrom(NestedList::list(std::move(items)), {dtype, Device{}});
}

/// A complex tensor in the layout of a zoo view, with a different value in every slot.
Tensor zooComplex(const ZooView& layout, DType dtype) {
    const Index count = zooTensor(layout, DType::Int8).storageNumel();
    const Tensor flat = empty({count}, {dtype, Device{}});
    for (Index i = 0; i < count; ++i)
        writeSlot(flat, i, Scalar(C{static_cast<double>(i % 7) - 3, static_cast<double>(i % 5) * 0.5 - 1}));
    return flat.withView(layout.view);
}

std::vector<std::complex<double>> valuesOf(const Tensor& t) {
    std::vector<std::complex<double>> values;
    for (const Scalar value : elementsOf(t)) values.emplace_back(value.toDouble(), value.imag());
    return values;
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();

} // namespace

class TestComplex : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { setDefaultDType(DType::Float32); }
    void printsAsPyTorch_data();
    void printsAsPyTorch();
    void partsShareTheStorage();
    void copiesTheZoo();
    void calculatesAsTheModel();
    void resultsKeepTheLayout();
    void promotes();
    void refuses_data();
    void refuses();
};

void TestComplex::printsAsPyTorch_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const Tensor& t, const char* expected) {
        QTest::newRow(name) << QString::fromStdString(repr(t)) << expected;
    };
    row("fixed", complexFrom({{1, 2}, {-3.5, -0.5}, {0, 0}}),
        "tensor([ 1.0000+2.0000j, -3.5000-0.5000j,  0.0000+0.0000j])");
    row("one part scientific", complexFrom({{1, 2}, {3e10, -0.5}, {0, 0}}),
        "tensor([1.0000e+00+2.0000j, 3.0000e+10-0.5000j, 0.0000e+00+0.0000j])");
    row("not finite", complexFrom({{kNan, 1}, {kInf, -2}}), "tensor([nan+1.j, inf-2.j])");
    row("whole", unsqueeze(complexFrom({{2, 0}, {3, 0}}), 1), "tensor([[2.+0.j],\n        [3.+0.j]])");
    row("signs of zeros", reciprocal(complexFrom({{1, 0}, {-1, 0.0}, {-1, -0.0}, {0, 2}, {-0.0, 2}, {-0.0, -2}})),
        "tensor([ 1.+0.0000j, -1.-0.0000j, -1.+0.0000j,  0.-0.5000j,  0.-0.5000j,\n"
        "        -0.+0.5000j])");
    row("wide", complexFrom({{1, 2}}, DType::Complex128), "tensor([1.+2.j], dtype=torch.complex128)");
    row("0-d", tensorFrom(NestedList(Scalar(C{1, 2}))), "tensor(1.+2.j)");
    row("empty", empty({0}, {DType::Complex64, Device{}}), "tensor([], dtype=torch.complex64)");
    row("uneven widths", mul(arange(28, 33), Scalar(C{1.5, -0.5})),
        "tensor([42.0000-14.0000j, 43.5000-14.5000j, 45.0000-15.0000j, 46.5000-15.5000j,\n"
        "        48.0000-16.0000j])");
    setDefaultDType(DType::Float64);
    row("other default", complexFrom({{1, 2}}, DType::Complex128), "tensor([1.+2.j])");
    row("narrow then", complexFrom({{1, 2}}), "tensor([1.+2.j], dtype=torch.complex64)");
}

void TestComplex::printsAsPyTorch() {
    QFETCH(QString, text);
    QFETCH(QString, expected);
    QCOMPARE(text, expected);
}

void TestComplex::partsShareTheStorage() {
    const Tensor t = transpose(zooComplex(zooViews().front(), DType::Complex128), 0, -1);
    const Tensor re = real(t), im = imag(t), pairs = viewAsReal(t);
    QCOMPARE(re.storage(), t.storage());
    QCOMPARE(re.shape(), t.shape());
    QCOMPARE(pairs.shape().back(), Index{2});
    const auto all = valuesOf(t);
    const std::vector<Scalar> reals = elementsOf(re), imags = elementsOf(im), flat = elementsOf(pairs);
    for (std::size_t i = 0; i < all.size(); ++i) {
        QCOMPARE(reals[i].toDouble(), all[i].real());
        QCOMPARE(imags[i].toDouble(), all[i].imag());
        QCOMPARE(flat[2 * i].toDouble(), all[i].real());
        QCOMPARE(flat[2 * i + 1].toDouble(), all[i].imag());
    }
    QCOMPARE(viewAsComplex(pairs).view(), t.view());
    fill_(im, 7);
    for (const auto& value : valuesOf(t)) QCOMPARE(value.imag(), 7.0);
    QCOMPARE(real(re).view(), re.view()); // of a real tensor: itself
}

void TestComplex::copiesTheZoo() {
    for (const ZooView& layout : zooViews()) {
        if (layout.negative) continue;
        for (const DType from : {DType::Complex64, DType::Complex128}) {
            const Tensor t = zooComplex(layout, from);
            const auto values = valuesOf(t);
            for (const DType target : kAllDTypes) {
                const Tensor copy = to(t, target);
                QCOMPARE(copy.dtype(), target);
                const std::vector<Scalar> copied = elementsOf(copy);
                for (std::size_t i = 0; i < values.size(); ++i) {
                    if (isComplex(target)) {
                        QCOMPARE(copied[i].imag(), values[i].imag());
                        QCOMPARE(copied[i].toDouble(), values[i].real());
                    } else {
                        std::byte there[8];
                        storeElement(there, target, Scalar(values[i].real()));
                        QVERIFY(copied[i] == loadElement(there, target));
                    }
                }
            }
            QVERIFY2(valuesOf(clone(t)) == values, layout.name.c_str());
            QVERIFY2(valuesOf(contiguous(t)) == values, layout.name.c_str());
        }
    }
    const Tensor filled = full({2, 2}, Scalar(C{1, -2}));
    QCOMPARE(filled.dtype(), DType::Complex64);
    copy_(filled, tensorFrom({5.0, 6.0})); // broadcasts, and sets the imaginary parts to 0
    QCOMPARE(QString::fromStdString(repr(filled)),
             QStringLiteral("tensor([[5.+0.j, 6.+0.j],\n        [5.+0.j, 6.+0.j]])"));
}

void TestComplex::calculatesAsTheModel() {
    using Op = std::complex<double> (*)(std::complex<double>, std::complex<double>);
    const std::pair<BinaryOp, Op> ops[]{
        {binaryOp<Add>, [](std::complex<double> a, std::complex<double> b) { return a + b; }},
        {binaryOp<Sub>, [](std::complex<double> a, std::complex<double> b) { return a - b; }},
        {binaryOp<Mul>, [](std::complex<double> a, std::complex<double> b) { return a * b; }},
        {binaryOp<Div>, [](std::complex<double> a, std::complex<double> b) { return a / b; }},
        {binaryOp<Eq>, [](std::complex<double> a, std::complex<double> b) { return std::complex<double>(a == b); }},
        {binaryOp<Ne>, [](std::complex<double> a, std::complex<double> b) { return std::complex<double>(a != b); }}};
    for (const ZooView& layout : zooViews()) {
        if (layout.negative || layout.view.numel() > 4096) continue;
        const Tensor a = zooComplex(layout, DType::Complex128), b = add(clone(a), Scalar(C{4.25, 1.5}));
        const auto x = valuesOf(a), y = valuesOf(b);
        for (const auto& [op, model] : ops) {
            const auto result = valuesOf(binary(op, a, b));
            QCOMPARE(result.size(), x.size());
            for (std::size_t i = 0; i < x.size(); ++i)
                QVERIFY2(std::abs(result[i] - model(x[i], y[i])) < 1e-14, layout.name.c_str());
        }
        const auto negative = valuesOf(neg(a)), turned = valuesOf(conj(a)), lengths = valuesOf(abs(a)),
                   angles = valuesOf(angle(a));
        for (std::size_t i = 0; i < x.size(); ++i) {
            QCOMPARE(negative[i], -x[i]);
            QCOMPARE(turned[i], std::conj(x[i]));
            QVERIFY(std::abs(lengths[i].real() - std::abs(x[i])) < 1e-15);
            QVERIFY(std::abs(angles[i].real() - std::arg(x[i])) < 1e-15);
        }
        if (layout.overlaps) continue;
        const Tensor target = clone(a);
        mul_(target, b);
        QVERIFY(valuesOf(target) == valuesOf(mul(a, b)));
    }
    // Neither overflows on the way, though the square of the length would.
    const auto far =
        valuesOf(div(complexFrom({{1e300, 1e300}}, DType::Complex128), complexFrom({{1e300, 0}}, DType::Complex128)));
    QCOMPARE(far.front(), std::complex<double>(1, 1));
    const Tensor turn = polar(tensorFrom({2.0}), tensorFrom({0.5}));
    QVERIFY(std::abs(valuesOf(turn).front() - std::polar(2.0, 0.5)) < 1e-6);
    QVERIFY(valuesOf(complex(tensorFrom({1.0, 2.0}), tensorFrom({3.0}))) ==
            (std::vector<std::complex<double>>{{1, 3}, {2, 3}}));
}

void TestComplex::resultsKeepTheLayout() {
    Tensor rows = zeros({3, 4}, {DType::Complex64, Device{}});
    for (Index i = 0; i < 12; ++i) rows.data<Complex<float>>()[i] = {static_cast<float>(i), static_cast<float>(5 - i)};
    const Tensor x = transpose(rows, 0, 1), plain = contiguous(x), factor = ones({4, 1});
    const auto both = [&](auto function) {
        const Tensor result = function(x), expected = function(plain);
        QCOMPARE(result.stride(), (Dims{1, 4}));
        QCOMPARE(expected.stride(), (Dims{3, 1}));
        QVERIFY(equal(result, expected));
    };
    both([](const Tensor& t) { return exp(t); });
    both([](const Tensor& t) { return neg(t); });
    both([](const Tensor& t) { return abs(t); });
    both([](const Tensor& t) { return eq(t, t); });
    both([&](const Tensor& t) { return mul(t, t); });
    both([&](const Tensor& t) { return div(t, factor); });
    both([&](const Tensor& t) { return pow(t, 2.5); });
    // As PyTorch's, row-major in any case.
    QCOMPARE(angle(x).stride(), (Dims{3, 1}));
    QVERIFY(equal(angle(x), angle(plain)));
    QCOMPARE(pow(Scalar(2.5), x).stride(), (Dims{3, 1}));
    QVERIFY(equal(pow(Scalar(2.5), x), pow(Scalar(2.5), plain)));
    // Of a part that is not dense: dense in the same order.
    QCOMPARE(exp(slice(x, 0, 0, 4, 2)).stride(), (Dims{1, 2}));
}

void TestComplex::promotes() {
    const Scalar i(C{0, 1});
    const auto of = [](DType dtype) { return ones({2}, {dtype, Device{}}); };
    QCOMPARE(add(of(DType::Int64), i).dtype(), DType::Complex64);
    QCOMPARE(add(of(DType::Float64), i).dtype(), DType::Complex128);
    QCOMPARE(add(of(DType::Complex64), of(DType::Float64)).dtype(), DType::Complex128);
    QCOMPARE(add(of(DType::Complex64), ones({}, {DType::Complex128, Device{}})).dtype(), DType::Complex64);
    QCOMPARE(mul(of(DType::Complex64), 2.5).dtype(), DType::Complex64);
    QCOMPARE(abs(of(DType::Complex128)).dtype(), DType::Float64);
    QCOMPARE(eq(of(DType::Complex64), 1).dtype(), DType::Bool);
    QVERIFY(!canCast(DType::Complex64, DType::Float64));
    setDefaultDType(DType::Float64);
    QCOMPARE(add(of(DType::Int64), i).dtype(), DType::Complex128);
    QCOMPARE(div(of(DType::Int64), of(DType::Int64)).dtype(), DType::Float64);
}

void TestComplex::refuses_data() {
    QTest::addColumn<QString>("got");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, auto action, const char* expected) {
        QTest::newRow(name) << QString::fromStdString(refusalText(action)) << expected;
    };
    const Tensor z = complexFrom({{1, 2}, {3, 4}}), x = tensorFrom({1.0, 2.0});
    row(
        "order", [&] { (void)lt(z, z); }, "CPLX-05 \"lt_cpu\" not implemented for 'ComplexFloat'");
    row(
        "maximum", [&] { (void)maximum(z, x); }, "CPLX-05 maximum not implemented for complex tensors.");
    row(
        "in place", [&] { (void)add_(x, z); },
        "CAST-01 result type ComplexFloat can't be cast to the desired output type Float");
    row(
        "abs_", [&] { (void)abs_(z); }, "CPLX-06 In-place abs is not supported for complex tensors.");
    row(
        "imag", [&] { (void)imag(x); }, "CPLX-03 imag is not implemented for tensors with non-complex dtypes.");
    row(
        "view_as_real", [&] { (void)viewAsReal(x); }, "CPLX-01 view_as_real is only supported for complex tensors");
    row(
        "last size", [&] { (void)viewAsComplex(zeros({3})); }, "CPLX-02 Tensor must have a last dimension of size 2");
    row(
        "last stride",
        [&] {
            (void)viewAsComplex(t(zeros({2, 2})));
        },
        "CPLX-02 Tensor must have a last dimension with stride 1");
    row(
        "odd offset", [&] { (void)viewAsComplex(narrow(zeros({3}), 0, 1, 2)); },
        "CPLX-02 Tensor must have a storage_offset divisible by 2");
    row(
        "into a list of reals",
        [&] {
            (void)complexFrom({{1, 2}}, DType::Float32);
        },
        "CREATE-13 must be real number, not complex: (1+2j) does not fit float32");
    row(
        "fill",
        [&] {
            (void)fill_(x, Scalar(C{1, 1}));
        },
        "FILL-01 value cannot be converted to type float without overflow");
    row(
        "complex of integers", [&] { (void)complex(arange(2), arange(2)); },
        "CPLX-04 Expected both inputs to be Half, Float or Double tensors but got Long and Long");
}

void TestComplex::refuses() {
    QFETCH(QString, got);
    QFETCH(QString, expected);
    QCOMPARE(got, expected);
}

QTEST_APPLESS_MAIN(TestComplex)
#include "tst_complex.moc"
