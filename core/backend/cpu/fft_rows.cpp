#include "core/backend/cpu/fft_rows.h"

#include "core/backend/cpu/thread_pool.h"

#include <algorithm>
#include <cmath>
#include <kissfft/kissfft.hh>
#include <memory>
#include <mutex>
#include <numbers>
#include <vector>

namespace stridescope::cpu {

namespace {

using Number = std::complex<double>;
static_assert(sizeof(Number) == sizeof(Complex<double>));

/// exp(-2πi k/n) for 0 <= k < n, from angles of at most an eighth of a turn: quarters of a turn are exact.
Number root(Index k, Index n) {
    const Index eighths = 8 * k / n; // the octant
    const Index quarter = (eighths + 1) / 2;
    const double angle = 2 * std::numbers::pi * static_cast<double>(4 * k - quarter * n) / (4 * static_cast<double>(n));
    const double c = std::cos(angle), s = std::sin(angle);
    switch (quarter % 4) {
    case 0:
        return {c, -s};
    case 1:
        return {-s, -c};
    case 2:
        return {-c, s};
    default:
        return {s, c};
    }
}

Number product(Number p, Number q) { // of finite numbers: operator* looks for infinities
    return {p.real() * q.real() - p.imag() * q.imag(), p.real() * q.imag() + p.imag() * q.real()};
}

bool isFinite(const double* numbers, Index count) {
    double sum = 0;
    for (Index i = 0; i < count; ++i) sum += 0 * numbers[i]; // NaN for infinities, too
    return sum == 0;
}
bool isFinite(const Number* numbers, Index count) {
    return isFinite(reinterpret_cast<const double*>(numbers), 2 * count);
}

/// The transform of one size and direction: what it needs besides the numbers. For one thread at a time.
class Transform {
public:
    Transform(Index n, bool inverse)
        : m_n(n), m_inverse(inverse), m_padded(paddedSize(n)), m_plan(static_cast<std::size_t>(m_padded), inverse),
          m_row(static_cast<std::size_t>(n)) {
        if (m_padded != n) prepareConvolution();
    }

    Index size() const { return m_n; }
    bool isInverse() const { return m_inverse; }

    /// In place.
    void run(Number* row) {
        if (m_padded != m_n && isFinite(row, m_n)) return convolve(row);
        if (m_padded != m_n) // infinities would spread over everything
            kissfft<double>(static_cast<std::size_t>(m_n), m_inverse).transform(row, m_row.data());
        else
            m_plan.transform(row, m_row.data());
        std::copy(m_row.begin(), m_row.end(), row);
    }

    /// exp(-πi k/n), k = 0 … n: what joins the transforms of even and odd elements of 2n real numbers.
    const Number* halfRoots() {
        if (m_halfRoots.empty()) {
            std::vector<Number> roots(static_cast<std::size_t>(m_n) + 1);
            for (Index k = 0; k <= m_n; ++k) roots[static_cast<std::size_t>(k)] = root(k, 2 * m_n);
            m_halfRoots = std::move(roots);
        }
        return m_halfRoots.data();
    }

private:
    /// n itself, or, where it has a prime factor that makes it slow, a fast size for a convolution.
    static Index paddedSize(Index n) {
        constexpr Index kLargestDirect = 50;
        Index rest = n, largest = 1;
        for (Index p = 2; p * p <= rest; ++p)
            while (rest % p == 0) {
                largest = p;
                rest /= p;
            }
        if (std::max(largest, rest) <= kLargestDirect) return n;
        Index best = 1;
        while (best < 2 * n - 1) best *= 2;
        for (const Index odd : {3, 5, 9, 15}) {
            Index size = odd;
            while (size < 2 * n - 1) size *= 2;
            best = std::min(best, size);
        }
        return best;
    }

    // Note [Bluestein] jk = (j² + k² - (k-j)²) / 2 makes the sum a convolution: X[k] = w[k] Σ (x[j] w[j]) / w[k-j] with
    // w[k] = exp(∓πi k²/n), which two transforms of a fast size carry out. k² is reduced by 2n before it is an angle.
    // Source: L. Bluestein, "A linear filtering approach to the computation of discrete Fourier transform", 1970.
    void prepareConvolution() {
        m_chirp.resize(static_cast<std::size_t>(m_n));
        m_spectrum.assign(static_cast<std::size_t>(m_padded), 0);
        m_wide.resize(static_cast<std::size_t>(m_padded));
        Index square = 0; // k² modulo 2n
        for (Index k = 0; k < m_n; ++k) {
            const Number w = root(square, 2 * m_n), turned = m_inverse ? std::conj(w) : w;
            m_chirp[static_cast<std::size_t>(k)] = turned;
            // The factor undoes the scaling of a transform forth and back.
            const Number inverse = std::conj(turned) / static_cast<double>(m_padded);
            m_spectrum[static_cast<std::size_t>(k)] = inverse;
            if (k > 0) m_spectrum[static_cast<std::size_t>(m_padded - k)] = inverse;
            square = (square + 2 * k + 1) % (2 * m_n);
        }
        m_plan.transform(m_spectrum.data(), m_wide.data());
        m_spectrum.swap(m_wide);
        m_work.resize(static_cast<std::size_t>(m_padded));
    }

    void convolve(Number* row) {
        for (Index k = 0; k < m_n; ++k)
            m_wide[static_cast<std::size_t>(k)] = product(row[k], m_chirp[static_cast<std::size_t>(k)]);
        std::fill(m_wide.begin() + m_n, m_wide.end(), Number(0));
        m_plan.transform(m_wide.data(), m_work.data());
        // The way back is the same plan between two conjugates.
        for (std::size_t k = 0; k < m_work.size(); ++k) m_work[k] = std::conj(product(m_work[k], m_spectrum[k]));
        m_plan.transform(m_work.data(), m_wide.data());
        for (Index k = 0; k < m_n; ++k) {
            const auto i = static_cast<std::size_t>(k);
            row[k] = product(std::conj(m_wide[i]), m_chirp[i]);
        }
    }

    Index m_n;
    bool m_inverse;
    Index m_padded;
    kissfft<double> m_plan;
    std::vector<Number> m_row, m_halfRoots, m_chirp, m_spectrum, m_wide, m_work;
};

/// Transforms that were used last, for whoever needs the like next: their roots of unity cost as much as a row.
class Transforms {
public:
    Transforms() { m_idle.reserve(kMost); }

    std::unique_ptr<Transform> take(Index n, bool inverse) {
        {
            const std::lock_guard lock(m_mutex);
            for (auto at = m_idle.begin(); at != m_idle.end(); ++at) {
                if ((*at)->size() != n || (*at)->isInverse() != inverse) continue;
                std::unique_ptr<Transform> found = std::move(*at);
                m_idle.erase(at);
                return found;
            }
        }
        return std::make_unique<Transform>(n, inverse);
    }

    /// Allocates nothing: also when memory has run out a transform finds its way back.
    void giveBack(std::unique_ptr<Transform> used) {
        constexpr Index kLargest = 1 << 16; // 3 MiB, or 14 where a large factor makes it a convolution
        if (used->size() > kLargest) return;
        const std::lock_guard lock(m_mutex);
        if (m_idle.size() == kMost) m_idle.erase(m_idle.begin());
        m_idle.push_back(std::move(used));
    }

private:
    static constexpr std::size_t kMost = 16;
    std::mutex m_mutex;
    std::vector<std::unique_ptr<Transform>> m_idle; ///< the one used last at the end
};

Transforms& transforms() {
    static Transforms all;
    return all;
}

/// A transform for as long as this lives.
class Lease {
public:
    Lease(Index n, bool inverse) : m_transform(transforms().take(n, inverse)) {}
    ~Lease() { transforms().giveBack(std::move(m_transform)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Transform& operator*() const { return *m_transform; }

private:
    std::unique_ptr<Transform> m_transform;
};

/// Calls body(transform, row) for all rows, on several threads. Precondition: n >= 1.
template <class Body>
void forRows(Index count, Index n, Index size, bool inverse, Body body) {
    const Index grain = std::max<Index>(1, kParallelThreshold / 8 / n);
    parallelFor(0, count, grain, [=](Index begin, Index end) {
        const Lease transform(size, inverse);
        for (Index row = begin; row < end; ++row) body(*transform, row);
    });
}

/// The full row of n numbers that the first n/2 + 1 of it stand for.
void complete(const Number* half, Number* full, Index n) {
    std::copy(half, half + n / 2 + 1, full);
    full[0] = full[0].real();
    if (n % 2 == 0) full[n / 2] = full[n / 2].real();
    for (Index k = n / 2 + 1; k < n; ++k) full[k] = std::conj(full[n - k]);
}

/// Of 2n real numbers, taken as n complex ones: even elements are real parts, odd ones imaginary.
void realByHalves(Transform& transform, const double* row, Number* half) {
    const Index n = transform.size();
    const Number* const roots = transform.halfRoots();
    std::copy(row, row + 2 * n, reinterpret_cast<double*>(half));
    transform.run(half);
    half[n] = half[0].real() - half[0].imag();
    half[0] = half[0].real() + half[0].imag();
    for (Index k = 1; 2 * k <= n; ++k) {
        const Number a = half[k], b = std::conj(half[n - k]), even = 0.5 * (a + b), difference = 0.5 * (a - b);
        // The odd elements' transform is the difference divided by i.
        const Number odd = product(roots[k], {difference.imag(), -difference.real()});
        half[k] = even + odd;
        half[n - k] = std::conj(even - odd);
    }
}

/// The way back: n complex numbers that are 2n real ones, in place. Precondition: the transform is inverse.
void realFromHalves(Transform& transform, Number* half, double* row) {
    const Index n = transform.size();
    const Number* const roots = transform.halfRoots();
    const double first = half[0].real(), last = half[n].real();
    half[0] = {first + last, first - last};
    for (Index k = 1; 2 * k <= n; ++k) {
        const Number a = half[k], b = std::conj(half[n - k]), even = a + b;
        const Number odd = product(std::conj(roots[k]), a - b), turned{-odd.imag(), odd.real()};
        half[k] = even + turned;
        half[n - k] = std::conj(even - turned);
    }
    transform.run(half);
    std::copy(half, half + n, reinterpret_cast<Number*>(row));
}

} // namespace

void fftRows(Complex<double>* rows, Index count, Index n, bool inverse) {
    if (n <= 1) return;
    forRows(count, n, n, inverse,
            [=](Transform& transform, Index row) { transform.run(reinterpret_cast<Number*>(rows + row * n)); });
}

void fftRealRows(const double* rows, Complex<double>* half, Index count, Index n) {
    const Index results = n / 2 + 1;
    const bool even = n % 2 == 0;
    forRows(count, n, even ? n / 2 : n, false, [=](Transform& transform, Index row) {
        const double* const in = rows + row * n;
        auto* const out = reinterpret_cast<Number*>(half + row * results);
        if (even && isFinite(in, n)) return realByHalves(transform, in, out);
        std::vector<Number> full(in, in + n);
        if (even)
            fftRows(reinterpret_cast<Complex<double>*>(full.data()), 1, n, false);
        else if (n > 1)
            transform.run(full.data());
        std::copy(full.begin(), full.begin() + results, out);
    });
}

void fftHalfRows(Complex<double>* half, double* rows, Index count, Index n, bool inverse) {
    const Index given = n / 2 + 1;
    const bool even = n % 2 == 0;
    forRows(count, n, even ? n / 2 : n, true, [=](Transform& transform, Index row) {
        auto* const in = reinterpret_cast<Number*>(half + row * given);
        double* const out = rows + row * n;
        if (!inverse) // of conjugates the sums are those of the other direction
            for (Index k = 0; k < given; ++k) in[k] = std::conj(in[k]);
        if (even && isFinite(in, given)) return realFromHalves(transform, in, out);
        std::vector<Number> full(static_cast<std::size_t>(n));
        complete(in, full.data(), n);
        if (even)
            fftRows(reinterpret_cast<Complex<double>*>(full.data()), 1, n, true);
        else if (n > 1)
            transform.run(full.data());
        for (Index j = 0; j < n; ++j) out[j] = full[static_cast<std::size_t>(j)].real();
    });
}

} // namespace stridescope::cpu
