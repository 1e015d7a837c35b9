// Windows and short-time Fourier transforms against their formulas, summed up in long double, and against each other.

#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/fft.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/random.h"
#include "core/ops/stft.h"
#include "core/ops/windows.h"
#include "core/tensor/element.h"
#include "tests/core/ops/operation_checks.h"

#include <QTest>

#include <complex>
#include <numbers>

using namespace stridescope;
using namespace stridescope::test;

namespace {

using Wide = long double;
using Number = std::complex<Wide>;
constexpr Wide kPi = std::numbers::pi_v<Wide>;

struct WindowCase {
    const char* name;
    Tensor (*make)(Index, bool, TensorOptions);
    Wide (*model)(Wide x); ///< x from 0 to 1
};
Tensor hamming(Index n, bool periodic, TensorOptions o) {
    return hammingWindow(n, periodic, 0.54, 0.46, o);
}
Tensor generalHamming(Index n, bool periodic, TensorOptions o) {
    return hammingWindow(n, periodic, 0.7, 0.1, o);
}
Tensor kaiser(Index n, bool periodic, TensorOptions o) {
    return kaiserWindow(n, periodic, 12, o);
}
const WindowCase kWindows[] = {
    {"bartlett", bartlettWindow, [](Wide x) { return 1 - std::fabs(2 * x - 1); }},
    {"blackman", blackmanWindow,
     [](Wide x) { return 0.42L - 0.5L * std::cos(2 * kPi * x) + 0.08L * std::cos(4 * kPi * x); }},
    {"hann", hannWindow, [](Wide x) { return (1 - std::cos(2 * kPi * x)) / 2; }},
    {"hamming", hamming, [](Wide x) { return 0.54L - 0.46L * std::cos(2 * kPi * x); }},
    {"general hamming", generalHamming, [](Wide x) { return 0.7L - 0.1L * std::cos(2 * kPi * x); }},
    {"kaiser", kaiser,
     [](Wide x) {
         const Wide root = std::sqrt(std::max<Wide>(0, 1 - (2 * x - 1) * (2 * x - 1)));
         return std::cyl_bessel_i(Wide(0), 12 * root) / std::cyl_bessel_i(Wide(0), Wide(12));
     }},
};

std::vector<Number> numbersOf(const Tensor& t) {
    std::vector<Number> numbers;
    for (const Scalar s : elementsOf(to(t, DType::Complex128))) numbers.emplace_back(s.toDouble(), s.imag());
    return numbers;
}

struct Shape {
    Index fft, hop, win;
    bool center, onesided, normalized;
};

/// The definition: every stretch times the window, every frequency a sum.
std::vector<Number> modelOf(const std::vector<Number>& signal, const Shape& s, const std::vector<Number>& window) {
    std::vector<Number> x;
    const auto n = static_cast<Index>(signal.size());
    const Index pad = s.center ? s.fft / 2 : 0;
    for (Index i = -pad; i < n + pad; ++i) {
        const Index from = i < 0 ? -i : i >= n ? 2 * (n - 1) - i : i;
        x.push_back(signal[static_cast<std::size_t>(from)]);
    }
    const Index frames = 1 + (static_cast<Index>(x.size()) - s.fft) / s.hop;
    std::vector<Number> out;
    for (Index k = 0; k < (s.onesided ? s.fft / 2 + 1 : s.fft); ++k)
        for (Index f = 0; f < frames; ++f) {
            Number sum = 0;
            for (Index j = 0; j < s.fft; ++j) {
                const Index w = j - (s.fft - s.win) / 2;
                if (w < 0 || w >= s.win) continue;
                const Number weight = window.empty() ? Number(1) : window[static_cast<std::size_t>(w)];
                sum += x[static_cast<std::size_t>(f * s.hop + j)] * weight *
                       std::polar<Wide>(1, -2 * kPi * static_cast<Wide>(j * k % s.fft) / static_cast<Wide>(s.fft));
            }
            out.push_back(s.normalized ? sum / std::sqrt(static_cast<Wide>(s.fft)) : sum);
        }
    return out;
}

StftOptions optionsOf(const Shape& s, const Tensor& window = {}) {
    StftOptions options;
    options.hop = s.hop;
    options.win = s.win;
    options.window = window;
    options.center = s.center;
    options.normalized = s.normalized;
    options.onesided = s.onesided;
    options.complex = true;
    return options;
}

void compare(const Tensor& got, const std::vector<Number>& wanted, Wide tolerance) {
    const std::vector<Number> numbers = numbersOf(got);
    QCOMPARE(numbers.size(), wanted.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
        QVERIFY2(std::abs(numbers[i] - wanted[i]) <= tolerance, qPrintable(QString::number(i)));
}

} // namespace

class TestSignals : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void windowsFollowTheirFormulas() {
        for (const WindowCase& w : kWindows)
            for (const Index n : {2, 3, 7, 16, 401})
                for (const bool periodic : {true, false})
                    for (const DType dtype : {DType::Float32, DType::Float64, DType::Float16}) {
                        const Tensor t = w.make(n, periodic, {dtype, Device{}});
                        QCOMPARE(t.shape(), Dims{n});
                        QCOMPARE(t.dtype(), dtype);
                        QCOMPARE(t.storageNumel(), periodic ? n + 1 : n);
                        const double allowed = dtype == DType::Float64   ? 1e-13
                                               : dtype == DType::Float32 ? 3e-5 // of the angle's rounding
                                                                         : 1e-3;
                        const std::vector<Scalar> got = elementsOf(t);
                        for (Index i = 0; i < n; ++i) {
                            const Wide x = static_cast<Wide>(i) / static_cast<Wide>(periodic ? n : n - 1);
                            const Wide error =
                                std::fabs(static_cast<Wide>(got[static_cast<std::size_t>(i)].toDouble()) - w.model(x));
                            QVERIFY2(error <= static_cast<Wide>(allowed), w.name);
                        }
                    }
        for (const WindowCase& w : kWindows) {
            QCOMPARE(w.make(0, true, {}).numel(), Index{0});
            QCOMPARE(elementsOf(w.make(1, false, {}))[0].toDouble(), 1.0);
            QCOMPARE(w.make(4, true, {}).dtype(), DType::Float32);
        }
    }

    void spectraAreTheirSums() {
        Generator generator(3);
        const Tensor real = rand({23}, {DType::Float64, Device{}}, generator);
        const Tensor complex = randn({23}, {DType::Complex128, Device{}}, generator);
        for (const Tensor& signal : {real, complex})
            for (const Index fft : {2, 5, 8})
                for (const Index hop : {1, 3})
                    for (const Index less : {0, 1})
                        for (const bool center : {true, false})
                            for (const bool normalized : {true, false}) {
                                const bool half = !isComplex(signal.dtype()) && less == 0;
                                const Shape shape{fft, hop, fft - less, center, half, normalized};
                                for (const Tensor& window :
                                     {Tensor(), rand({fft - less}, {DType::Float64, Device{}}, generator)}) {
                                    const std::vector<Number> weights =
                                        window.defined() ? numbersOf(window) : std::vector<Number>{};
                                    const Tensor got = stft(signal, fft, optionsOf(shape, window));
                                    QCOMPARE(got.dtype(), DType::Complex128);
                                    QCOMPARE(got.size(0), half ? fft / 2 + 1 : fft);
                                    compare(got, modelOf(numbersOf(signal), shape, weights), 1e-13L);
                                }
                            }
    }

    void theWayBack() {
        Generator generator(4);
        for (const DType dtype : {DType::Float64, DType::Complex128}) {
            const Tensor signal = randn({3, 60}, {dtype, Device{}}, generator);
            for (const bool normalized : {true, false})
                for (const bool center : {true, false}) {
                    const bool half = !isComplex(dtype);
                    const Shape shape{8, 2, 8, center, half, normalized};
                    const Tensor window = hammingWindow(8, true, 0.54, 0.46, {DType::Float64, Device{}});
                    StftOptions options = optionsOf(shape, window);
                    const Tensor spectra = stft(signal, 8, options);
                    options.complex = !half;
                    const Tensor back = istft(spectra, 8, options);
                    QCOMPARE(back.shape(), signal.shape());
                    QVERIFY(allclose(back, signal, 1e-12, 1e-12));
                    options.length = 17;
                    QVERIFY(allclose(istft(spectra, 8, options), narrow(signal, 1, 0, 17), 1e-12, 1e-12));
                    // Pairs of real numbers are taken, too.
                    options.length = {};
                    QVERIFY(allclose(istft(viewAsReal(spectra), 8, options), signal, 1e-12, 1e-12));
                }
        }
    }

    void paddings() {
        const Tensor x = arange(5, {DType::Float64, Device{}});
        StftOptions options;
        options.hop = 1;
        options.complex = true;
        // The mean of each stretch shows what it was padded with: 0 1 2 3 4 with two elements more on each side.
        const auto first = [&](const char* padding) {
            options.padding = padding;
            const Tensor sums = real(select(stft(x, 4, options), 0, 0));
            return std::vector<double>{elementsOf(sums).front().toDouble(), elementsOf(sums).back().toDouble()};
        };
        using V = std::vector<double>;
        QCOMPARE(first("reflect"), (V{2 + 1 + 0 + 1, 3 + 4 + 3 + 2}));
        QCOMPARE(first("constant"), (V{0 + 0 + 0 + 1, 3 + 4}));
        QCOMPARE(first("replicate"), (V{0 + 0 + 0 + 1, 3 + 4 + 4 + 4}));
        QCOMPARE(first("circular"), (V{3 + 4 + 0 + 1, 3 + 4 + 0 + 1}));
    }

    void layouts() {
        Generator generator(5);
        const Tensor wide = rand({40, 2}, {DType::Float32, Device{}}, generator);
        const Tensor turned = transpose(wide, 0, 1); // {2, 40}, strides {1, 2}
        StftOptions options;
        options.complex = true;
        const Tensor got = stft(turned, 8, options);
        QVERIFY(equal(got, stft(contiguous(turned), 8, options)));
        QVERIFY(equal(select(got, 0, 1), stft(select(wide, 1, 1), 8, options)));
        QCOMPARE(got.stride(), (Dims{21 * 5, 1, 5})); // as PyTorch leaves it: frequencies side by side
        options.complex = false;
        QCOMPARE(stft(turned, 8, options).shape(), (Dims{2, 5, 21, 2}));
    }

    void hermitianTransforms() {
        Generator generator(6);
        const Tensor x = randn({3, 4, 5}, {DType::Complex128, Device{}}, generator);
        // The last dim as hfft, the others as fft, whatever their order.
        const Tensor wanted = fft::hfft(fft::fft(fft::fft(x, {}, 0), {}, 1), {}, 2);
        QVERIFY(allclose(fft::hfftn(x), wanted, 1e-12, 1e-12));
        QVERIFY(allclose(fft::hfftn(x, Dims{3, 7}, Dims{0, 2}), fft::hfft(fft::fft(x, {}, 0), 7, 2), 1e-12, 1e-12));
        const Tensor y = rand({3, 4, 6}, {DType::Float64, Device{}}, generator);
        QVERIFY(allclose(fft::ihfftn(y), fft::ifft(fft::ifft(fft::ihfft(y, {}, 2), {}, 1), {}, 0), 1e-12, 1e-12));
        QVERIFY(allclose(fft::hfftn(fft::ihfftn(y), Dims{3, 4, 6}), y, 1e-12, 1e-12));
        for (const char* norm : {"ortho", "forward"})
            QVERIFY(allclose(fft::hfftn(fft::ihfftn(y, {}, {}, norm), Dims{3, 4, 6}, {}, norm), y, 1e-12, 1e-12));
    }

    void refuses_data() {
        addRefusalColumns();
        const auto row = [](const char* name, std::function<void()> action, const char* id, const char* message = "") {
            addRefusal(name, std::move(action), id, message);
        };
        row(
            "window length", [] { (void)hannWindow(-1); }, "WINDOW-01",
            "hann_window requires non-negative window_length, got window_length=-1");
        row(
            "window dtype",
            [] {
                (void)blackmanWindow(4, true, {DType::Int32, Device{}});
            },
            "WINDOW-02");
        const auto with = [](auto change) {
            StftOptions options;
            options.complex = true;
            change(options);
            return [options] { (void)stft(arange(10, {DType::Float32, Device{}}), 4, options); };
        };
        row("hop", with([](StftOptions& o) { o.hop = 0; }), "STFT-02",
            "stft: expected hop_length > 0, but got hop_length=0");
        row("win", with([](StftOptions& o) { o.win = 5; }), "STFT-02",
            "stft: expected 0 < win_length <= n_fft, but got win_length=5");
        row("window size", with([](StftOptions& o) { o.window = ones({3}); }), "STFT-03");
        row("padding", with([](StftOptions& o) { o.padding = "foo"; }), "STFT-06", "Unrecognised padding mode foo");
        row("half of complex", with([](StftOptions& o) {
                o.onesided = true;
                o.window = ones({4}, {DType::Complex64, Device{}});
            }),
            "STFT-05", "Cannot have onesided output if window or input is complex");
        row(
            "fft size", [] { (void)stft(zeros({10}), 40); }, "STFT-06");
        row(
            "no points", [] { (void)stft(zeros({10}), 0); }, "STFT-02",
            "stft: expected 0 < n_fft < 10, but got n_fft=0");
        row(
            "integers", [] { (void)stft(arange(10), 4); }, "STFT-01");
        row(
            "dims",
            [] {
                (void)stft(zeros({1, 2, 10}), 4);
            },
            "STFT-01", "stft: expected a 1D or 2D tensor");
        const auto back = [](const Dims& shape, auto change) {
            StftOptions options;
            change(options);
            return [=] { (void)istft(zeros(shape, {DType::Complex64, Device{}}), 4, options); };
        };
        const auto same = [](StftOptions&) {};
        row("nothing", back({3, 0}, same), "STFT-01", "istft: input tensor cannot be empty.");
        row("too many dims", back({1, 1, 3, 5}, same), "STFT-01");
        row("frequencies", back({5, 5}, same), "STFT-02");
        row("hop too long", back({3, 5}, [](StftOptions& o) { o.hop = 5; }), "STFT-02",
            "istft: expected 0 < hop_length <= win_length");
        row("half to complex",
            back({3, 5},
                 [](StftOptions& o) {
                     o.onesided = true;
                     o.complex = true;
                 }),
            "STFT-05");
        row("lost",
            back({3, 5},
                 [](StftOptions& o) {
                     o.center = false;
                     o.window = hannWindow(4);
                 }),
            "STFT-04");
        row(
            "half floats",
            [] {
                (void)stft(zeros({10}, {DType::Float16, Device{}}), 4);
            },
            "FFT-03");
        row(
            "hfftn without dims", [] { (void)fft::hfftn(zeros({3}), {}, Dims{}); }, "FFT-05",
            "hfftn must transform at least one axis");
        row(
            "ihfftn of complex",
            [] {
                (void)fft::ihfftn(zeros({3}, {DType::Complex64, Device{}}));
            },
            "FFT-03");
    }
    void refuses() { checkRefusal(); }
};

QTEST_APPLESS_MAIN(TestSignals)
#include "tst_signals.moc"
