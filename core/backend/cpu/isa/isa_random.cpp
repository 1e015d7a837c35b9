#include "core/backend/cpu/isa/isa_common.h"

namespace stridescope::cpu::STRIDESCOPE_ISA {

namespace {

// --- The Mersenne Twister MT19937 ---------------------------------------------------------------------------------
// Source: Matsumoto and Nishimura, "Mersenne Twister", ACM TOMACS 8 (1998), with the parameters of its table II.

constexpr std::uint32_t kTwistMatrix = 0x9908b0dfu; ///< last row of the twist matrix
constexpr Index kMiddle = 397;                      ///< distance of the word that is mixed in

/// One upper bit of `high` and the 31 lower ones of `low`, times the twist matrix.
STRIDESCOPE_INLINE std::uint32_t twisted(std::uint32_t high, std::uint32_t low) {
    const std::uint32_t joined = (high & 0x80000000u) | (low & 0x7fffffffu);
    return (joined >> 1) ^ ((0u - (low & 1u)) & kTwistMatrix);
}

void twistLoop(std::uint32_t* s) {
    constexpr Index kBack = kTwisterWords - kMiddle; // 227
    // Three runs, none of which reads a word that it has written: so each is free of dependences.
    for (Index i = 0; i < kBack; ++i) s[i] = s[i + kMiddle] ^ twisted(s[i], s[i + 1]);
    for (Index i = kBack; i < 2 * kBack; ++i) s[i] = s[i - kBack] ^ twisted(s[i], s[i + 1]);
    for (Index i = 2 * kBack; i < kTwisterWords - 1; ++i) s[i] = s[i - kBack] ^ twisted(s[i], s[i + 1]);
    s[kTwisterWords - 1] = s[kMiddle - 1] ^ twisted(s[kTwisterWords - 1], s[0]);
}

void temperLoop(std::uint32_t* out, const std::uint32_t* state, Index n) {
    STRIDESCOPE_INDEPENDENT
    for (Index i = 0; i < n; ++i) {
        std::uint32_t y = state[i];
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c5680u;
        y ^= (y << 15) & 0xefc60000u;
        out[i] = y ^ (y >> 18);
    }
}

// --- Uniform ------------------------------------------------------------------------------------------------------

void uniformFloats(float* out, const std::uint32_t* draws, Index n, float range, float from) {
    STRIDESCOPE_INDEPENDENT
    for (Index i = 0; i < n; ++i) {
        const float x = static_cast<float>(static_cast<std::int32_t>(draws[i] & 0xffffffu)) * 0x1p-24f;
        out[i] = __builtin_fmaf(x, range, from);
    }
}

void uniformDoubles(double* out, const std::uint32_t* draws, Index n, double range, double from) {
    STRIDESCOPE_INDEPENDENT
    for (Index i = 0; i < n; ++i) {
        const std::uint64_t high = draws[2 * i] & 0x1fffffu; // 21 + 32 bits
        const auto bits = static_cast<std::int64_t>((high << 32) | draws[2 * i + 1]);
        out[i] = __builtin_fma(static_cast<double>(bits) * 0x1p-53, range, from);
    }
}

/// Long runs in pieces, each of which asks for the lines that will be written 4 KB on.
template <auto Fill, Index Draws, class T>
void inPieces(T* out, const std::uint32_t* draws, Index n, T range, T from) {
    constexpr Index kItem = sizeof(T), kPiece = kPieceBytes / kItem;
    if (isLongRun<T>(n)) {
        for (; n >= 2 * kPiece; n -= kPiece, out += kPiece, draws += kPiece * Draws) {
            askAhead<true>(out, kPieceBytes);
            Fill(out, draws, kPiece, range, from);
        }
    }
    Fill(out, draws, n, range, from);
}

// --- Normal, in blocks ----------------------------------------------------------------------------------------------
//
// Note [Block method] Box and Muller: for u, v uniform, sqrt(-2 ln u) cos(2 pi v) and sqrt(-2 ln u) sin(2 pi v) are two
// independent normal numbers. PyTorch's numbers come from single precision approximations of ln, sin and cos, and their
// last bits are part of what a seed promises. So the approximations are the same here: the polynomials of Moshier's
// Cephes library (logf.c, sinf.c), with a fused multiply-add wherever PyTorch's compiler makes one of a product
// and the sum that follows it.

/// ln x for 2^-24 <= x <= 1.
STRIDESCOPE_INLINE float naturalLog(float x) {
    const auto bits = __builtin_bit_cast(std::uint32_t, x);
    // x = m 2^e with 1/2 <= m < 1: the mantissa's bits under the exponent of 1/2.
    float m = __builtin_bit_cast(float, (bits & 0x007fffffu) | 0x3f000000u);
    float e = static_cast<float>(static_cast<std::int32_t>(bits >> 23) - 126);
    // Brought to sqrt(1/2) <= m < sqrt(2), then f = m - 1; all of it is exact.
    const bool low = m < 0.707106781186547524f;
    e = low ? e - 1.0f : e;
    m = low ? m + m : m;
    const float f = m - 1.0f;
    const float z = f * f;
    // ln(1 + f) = f - z/2 + f z P(f): P is the minimax polynomial of degree 8 of logf.c.
    float p = 7.0376836292e-2f;
    p = __builtin_fmaf(p, f, -1.1514610310e-1f);
    p = __builtin_fmaf(p, f, 1.1676998740e-1f);
    p = __builtin_fmaf(p, f, -1.2420140846e-1f);
    p = __builtin_fmaf(p, f, 1.4249322787e-1f);
    p = __builtin_fmaf(p, f, -1.6668057665e-1f);
    p = __builtin_fmaf(p, f, 2.0000714765e-1f);
    p = __builtin_fmaf(p, f, -2.4999993993e-1f);
    p = __builtin_fmaf(p, f, 3.3333331174e-1f);
    // e ln 2 is added in two parts: 0.693359375 has 9 bits, so that its product with e is exact, and the rest.
    constexpr float kLn2High = 0.693359375f, kLn2Rest = -2.12194440e-4f;
    float y = __builtin_fmaf(p * f, z, e * kLn2Rest);
    y = __builtin_fmaf(z, -0.5f, y);
    return __builtin_fmaf(e, kLn2High, f + y);
}

struct SineCosine {
    float sine, cosine;
};

/// Sine and cosine of 0 <= x < 2 pi.
STRIDESCOPE_INLINE SineCosine sineCosine(float x) {
    // j: the octant of x, rounded up to an even number, so that x - j pi/4 lies within +- pi/4.
    constexpr float kFourOverPi = 1.27323954473516f;
    const std::int32_t j = (static_cast<std::int32_t>(x * kFourOverPi) + 1) & ~1;
    const auto octant = static_cast<float>(j);
    // pi/4 in three parts of few bits each: what is subtracted is nearly exact.
    float r = __builtin_fmaf(octant, -0.78515625f, x);
    r = __builtin_fmaf(octant, -2.4187564849853515625e-4f, r);
    r = __builtin_fmaf(octant, -3.77489497744594108e-8f, r);
    const float z = r * r;
    // cos r = 1 - z/2 + z^2 C(z), sin r = r + r z S(z): the minimax polynomials of sinf.c.
    float c = 2.443315711809948e-5f;
    c = __builtin_fmaf(c, z, -1.388731625493765e-3f);
    c = __builtin_fmaf(c, z, 4.166664568298827e-2f);
    c = __builtin_fmaf(c * z, z, -(z * 0.5f)) + 1.0f;
    float s = -1.9515295891e-4f;
    s = __builtin_fmaf(s, z, 8.3321608736e-3f);
    s = __builtin_fmaf(s, z, -1.6666654611e-1f);
    s = __builtin_fmaf(s * z, r, r);
    // In the second and fourth quarter turn they change places; the signs follow the quadrant.
    const bool swapped = (j & 2) != 0;
    const float sine = swapped ? c : s, cosine = swapped ? s : c;
    const auto sineSign = static_cast<std::uint32_t>(j & 4) << 29;
    const auto cosineSign = static_cast<std::uint32_t>(~(j - 2) & 4) << 29;
    return {__builtin_bit_cast(float, __builtin_bit_cast(std::uint32_t, sine) ^ sineSign),
            __builtin_bit_cast(float, __builtin_bit_cast(std::uint32_t, cosine) ^ cosineSign)};
}

void normalBlocksLoop(float* data, Index blocks, float mean, float std) {
    constexpr float kTwoPi = 6.283185307179586f;
    for (Index b = 0; b < blocks; ++b, data += 16) {
        STRIDESCOPE_INDEPENDENT
        for (Index i = 0; i < 8; ++i) {
            const float radius = __builtin_sqrtf(-2.0f * naturalLog(1.0f - data[i])); // (0, 1]: ln 0 does not occur
            const SineCosine angle = sineCosine(kTwoPi * data[i + 8]);
            data[i] = __builtin_fmaf(radius * angle.cosine, std, mean);
            data[i + 8] = __builtin_fmaf(radius * angle.sine, std, mean);
        }
    }
}

} // namespace

void fillRandom(IsaTable& table) {
    table.random = {twistLoop, temperLoop, inPieces<uniformFloats, 1, float>, inPieces<uniformDoubles, 2, double>,
                    normalBlocksLoop};
}

} // namespace stridescope::cpu::STRIDESCOPE_ISA
