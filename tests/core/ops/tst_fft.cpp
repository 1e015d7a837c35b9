// Fourier transforms against the sum that defines them.

#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/fft.h"
#include "core/ops/pointwise.h"
#include "core/ops/views.h"
#include "core/print/repr.h"
#include "core/tensor/element.h"
#include "core/trace/op_record.h"
#include "tests/support/check_refusal.h"
#include "tests/support/view_zoo.h"

#include <QTest>

#include <complex>
#include <numbers>

using namespace stridescope;
using namespace stridescope::test;

namespace {

using Number = std::complex<double>;

std::vector<Number> valuesOf(const Tensor& t) {
    std::vector<Number> values;
    for (const Scalar value : elementsOf(t)) values.emplace_back(value.toDouble(), value.imag());
    return values;
}

/// The definition, along the last dim of rows of `from` numbers, cut or filled up to n.
std::vector<Number> model(const std::vector<Number>& values, Index from, Index n, bool inverse) {
    std::vector<Number> result;
    for (std::size_t row = 0; row < values.size(); row += static_cast<std::size_t>(from)) {
        for (Index k = 0; k < n; ++k) {
            Number sum = 0;
            for (Index j = 0; j < std::min(from, n); ++j) {
                const double turn = 2 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n);
                sum += values[row + static_cast<std::size_t>(j)] * std::polar(1.0, inverse ? turn : -turn);
            }
            result.push_back(inverse ? sum / static_cast<double>(n) : sum);
        }
    }
    return result;
}

Tensor signal(const Dims& shape, DType dtype) {
    const Tensor t = zeros(shape, {dtype, Device{}});
    for (Index i = 0; i < t.numel(); ++i) {
        const double re = static_cast<double>((i * 7) % 11) - 4;
        const Number value(re, isComplex(dtype) ? static_cast<double>((i * 5) % 7) - 3 : 0);
        writeSlot(t, i, isComplex(dtype) ? Scalar(Complex<double>{value.real(), value.imag()}) : Scalar(value.real()));
    }
    return t;
}

bool near(const std::vector<Number>& a, const std::vector<Number>& b, double tolerance) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (std::abs(a[i] - b[i]) > tolerance) return false;
    return true;
}

double tolerance(const Tensor& t) {
    return realPartDType(t.dtype()) == DType::Float64 ? 1e-10 : 1e-4;
}

bool same(const Tensor& a, const Tensor& b) {
    return a.shape() == b.shape() && near(valuesOf(a), valuesOf(b), 1e-4);
}

} // namespace

class TestFft : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void alongTheLastDim();
    void largePrimeFactors();
    void halvesAreExactWhereSumsAre();
    void alongOtherDimsAndLayouts();
    void realForms();
    void severalDims();
    void norms();
    void helpers();
    void refuses_data();
    void refuses();
    void publishesOneRecord();
};

void TestFft::alongTheLastDim() {
    for (const DType dtype :
         {DType::Float32, DType::Float64, DType::Complex64, DType::Complex128, DType::Int64, DType::Bool}) {
        for (const Index size : {1, 2, 3, 4, 7, 8, 12, 30, 97, 128}) {
            const Tensor t = signal({2, size}, dtype);
            for (const Index n : {size, size + 3, std::max<Index>(size / 2, 1)}) {
                const Tensor forward = fft::fft(t, n), back = fft::ifft(t, n);
                QVERIFY(isComplex(forward.dtype()) && forward.isContiguous());
                QVERIFY(near(valuesOf(forward), model(valuesOf(t), size, n, false), tolerance(forward) * 10));
                QVERIFY(near(valuesOf(back), model(valuesOf(t), size, n, true), tolerance(back) * 10));
            }
            QVERIFY(near(valuesOf(fft::ifft(fft::fft(t))), valuesOf(t), tolerance(fft::fft(t))));
        }
    }
    QCOMPARE(QString::fromStdString(repr(fft::fft(tensorFrom({1.0, 2.0, 3.0, 4.0})))),
             QStringLiteral("tensor([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j])"));
}

void TestFft::largePrimeFactors() {
    for (const Index n : {53, 106, 499, 998, 1009}) {
        for (const DType dtype : {DType::Float64, DType::Complex128, DType::Float32}) {
            const Tensor t = signal({2, n}, dtype);
            const double most = tolerance(t) * static_cast<double>(n);
            QVERIFY(near(valuesOf(fft::fft(t)), model(valuesOf(t), n, n, false), most));
            QVERIFY(near(valuesOf(fft::ifft(t)), model(valuesOf(t), n, n, true), most));
            if (!isComplex(dtype)) QVERIFY(near(valuesOf(fft::irfft(fft::rfft(t), n)), valuesOf(t), tolerance(t)));
        }
        // A line of its own: what stands beside an infinity in another one is not touched.
        const Tensor t = signal({2, n}, DType::Float64);
        const Tensor clean = fft::fft(t);
        writeSlot(t, 3, Scalar(std::numeric_limits<double>::infinity()));
        QVERIFY(valuesOf(select(fft::fft(t), 0, 1)) == valuesOf(select(clean, 0, 1)));
        QVERIFY(!std::isfinite(valuesOf(fft::fft(t))[1].real()));
        QVERIFY(!std::isfinite(valuesOf(fft::rfft(t))[1].real()));
    }
}

void TestFft::halvesAreExactWhereSumsAre() {
    // Whole numbers at quarters of a turn: no noise of the roots.
    for (const DType dtype : {DType::Float32, DType::Float64}) {
        const Tensor t = tensorFrom({1.0, 2.0, 4.0, 8.0}, {dtype, Device{}});
        const std::vector<Number> wanted{15, Number(-3, 6), -5, Number(-3, -6)};
        QVERIFY(valuesOf(fft::fft(t)) == wanted);
        QVERIFY(valuesOf(fft::rfft(t)) == std::vector<Number>(wanted.begin(), wanted.begin() + 3));
        QVERIFY(valuesOf(fft::irfft(fft::rfft(t))) == valuesOf(t));
        QVERIFY(valuesOf(fft::hfft(fft::ihfft(t))) == valuesOf(t));
        for (const Number value : valuesOf(fft::ifft(ones({6}, {dtype, Device{}})))) QVERIFY(value.imag() == 0);
        // The imaginary parts that a spectrum of real numbers has not are not looked at.
        const Tensor half = fft::rfft(t), odd = clone(half);
        writeSlot(odd, 0, Scalar(Complex<double>{15, 7}));
        writeSlot(odd, 2, Scalar(Complex<double>{-5, 7}));
        QVERIFY(valuesOf(fft::irfft(odd)) == valuesOf(t));
    }
}

void TestFft::alongOtherDimsAndLayouts() {
    const Tensor t = signal({3, 4, 5}, DType::Complex128);
    for (const Index dim : {0, 1, 2, -1, -3}) {
        const Tensor moved = contiguous(transpose(t, dim, -1));
        QVERIFY(same(transpose(fft::fft(t, {}, dim), dim, -1), fft::fft(moved)));
    }
    const Tensor odd = slice(transpose(t, 0, 2), 1, std::nullopt, std::nullopt, 2);
    QVERIFY(same(fft::fft(odd), fft::fft(contiguous(odd))));
    QVERIFY(same(fft::fft(expand(signal({4}, DType::Float64), {3, 4})),
                 expand(fft::fft(signal({4}, DType::Float64)), {3, 4})));
}

void TestFft::realForms() {
    for (const DType dtype : {DType::Float32, DType::Float64}) {
        for (const Index n : {1, 2, 5, 8, 13}) {
            const Tensor t = signal({3, n}, dtype);
            const Tensor half = fft::rfft(t);
            QCOMPARE(half.shape().back(), n / 2 + 1);
            QVERIFY(same(half, narrow(fft::fft(t), 1, 0, n / 2 + 1)));
            const Tensor back = fft::irfft(half, n);
            QCOMPARE(back.dtype(), dtype);
            QVERIFY(same(back, t));
            QVERIFY(same(fft::hfft(fft::ihfft(t), n), t));
        }
    }
    QCOMPARE(fft::irfft(signal({5}, DType::Complex64)).shape(), (Dims{8}));
}

void TestFft::severalDims() {
    const Tensor t = signal({2, 3, 4}, DType::Complex128);
    Tensor expected = t;
    for (const Index dim : {0, 1, 2}) expected = fft::fft(expected, {}, dim);
    QVERIFY(same(fft::fftn(t), expected));
    QVERIFY(same(fft::ifftn(fft::fftn(t)), t));
    QVERIFY(same(fft::fftn(t, {}, Dims{0, 2}), fft::fft(fft::fft(t, {}, 0), {}, 2)));
    QCOMPARE(fft::fftn(t, Dims{5, -1}).shape(), (Dims{2, 5, 4}));
    const Tensor x = signal({2, 3, 5}, DType::Float64);
    QVERIFY(same(fft::rfftn(x), narrow(fft::fftn(x), 2, 0, 3)));
    QVERIFY(same(fft::irfftn(fft::rfftn(x), Dims{2, 3, 5}), x));
    QCOMPARE(fft::irfftn(t).shape(), (Dims{2, 3, 6}));
}

void TestFft::norms() {
    const Tensor t = signal({8}, DType::Float64);
    QVERIFY(same(fft::fft(t, {}, -1, "forward"), mul(fft::fft(t), 1.0 / 8)));
    QVERIFY(same(fft::fft(t, {}, -1, "ortho"), mul(fft::fft(t), 1 / std::sqrt(8.0))));
    for (const char* norm : {"backward", "forward", "ortho"}) {
        QVERIFY(same(fft::ifft(fft::fft(t, {}, -1, norm), {}, -1, norm), to(t, DType::Complex128)));
        QVERIFY(same(fft::irfft(fft::rfft(t, {}, -1, norm), 8, -1, norm), t));
        QVERIFY(same(fft::ifftn(fft::fftn(t, {}, {}, norm), {}, {}, norm), to(t, DType::Complex128)));
    }
}

void TestFft::helpers() {
    const auto text = [](const Tensor& t) { return QString::fromStdString(repr(t)); };
    QCOMPARE(text(fft::fftfreq(5)), QStringLiteral("tensor([ 0.0000,  0.2000,  0.4000, -0.4000, -0.2000])"));
    QCOMPARE(text(fft::fftfreq(4, 0.5)), QStringLiteral("tensor([ 0.0000,  0.5000, -1.0000, -0.5000])"));
    QCOMPARE(text(fft::rfftfreq(5)), QStringLiteral("tensor([0.0000, 0.2000, 0.4000])"));
    QCOMPARE(text(fft::fftshift(arange(5))), QStringLiteral("tensor([3, 4, 0, 1, 2])"));
    QCOMPARE(text(fft::ifftshift(fft::fftshift(arange(5)))), QStringLiteral("tensor([0, 1, 2, 3, 4])"));
    QCOMPARE(text(fft::fftshift(view(arange(6), {2, 3}), Dims{1})),
             QStringLiteral("tensor([[2, 0, 1],\n        [5, 3, 4]])"));
}

void TestFft::refuses_data() {
    QTest::addColumn<QString>("got");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, auto action, const char* expected) {
        QTest::newRow(name) << QString::fromStdString(refusalText(action)) << expected;
    };
    const Tensor x = zeros({4}), z = zeros({2, 3}, {DType::Complex64, Device{}});
    row(
        "no points", [&] { (void)fft::fft(x, 0); }, "FFT-01 Invalid number of data points (0) specified");
    row(
        "0-d", [&] { (void)fft::fft(zeros({})); }, "FFT-01 Invalid number of data points (0) specified");
    row(
        "empty", [&] { (void)fft::fft(zeros({0})); }, "FFT-01 Invalid number of data points (0) specified");
    row(
        "one for irfft", [&] { (void)fft::irfft(zeros({1})); }, "FFT-01 Invalid number of data points (0) specified");
    row(
        "norm", [&] { (void)fft::fft(x, {}, -1, "x"); }, "FFT-02 Invalid normalization mode: \"x\"");
    row(
        "half",
        [&] {
            (void)fft::fft(zeros({4}, {DType::Float16, Device{}}));
        },
        "FFT-03 Unsupported dtype Half");
    row(
        "complex for rfft", [&] { (void)fft::rfft(z); },
        "FFT-03 rfft expects a real input tensor, but got ComplexFloat");
    row(
        "complex for rfftn", [&] { (void)fft::rfftn(z); },
        "FFT-03 rfftn expects a real-valued input tensor, but got ComplexFloat");
    row(
        "dim", [&] { (void)fft::fft(z, {}, 5); },
        "VIEW-01 Dimension out of range (expected to be in range of [-2, 1], but got 5)");
    row(
        "dims twice",
        [&] {
            (void)fft::fftn(z, {}, Dims{0, 0});
        },
        "FFT-04 FFT dims must be unique");
    row(
        "lengths",
        [&] {
            (void)fft::fftn(z, Dims{5, 5}, Dims{0});
        },
        "FFT-05 When given, dim and shape arguments must have the same length");
    row(
        "too many sizes",
        [&] {
            (void)fft::fftn(z, Dims{1, 2, 3});
        },
        "FFT-05 Got shape with 3 values but input tensor only has 2 dimensions.");
    row(
        "no axis", [&] { (void)fft::rfftn(x, {}, Dims{}); }, "FFT-05 rfftn must transform at least one axis");
}

void TestFft::refuses() {
    QFETCH(QString, got);
    QFETCH(QString, expected);
    QCOMPARE(got, expected);
}

void TestFft::publishesOneRecord() {
    std::vector<std::string> names;
    const Tensor x = zeros({4});
    {
        const OpSubscription subscription([&](const OpRecord& record) { names.push_back(record.name); });
        (void)fft::fft(x);
        (void)fft::irfftn(zeros({3, 3}));
        (void)fft::fftshift(x);
    }
    QCOMPARE(names, (std::vector<std::string>{"fft.fft", "zeros", "fft.irfftn", "fft.fftshift"}));
}

QTEST_APPLESS_MAIN(TestFft)
#include "tst_fft.moc"
