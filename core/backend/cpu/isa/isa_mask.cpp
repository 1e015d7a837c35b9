// Selecting, choosing and finding by masks that lie as runs of bytes.

#include "core/backend/cpu/isa/isa_common.h"

namespace stridescope::cpu::STRIDESCOPE_ISA {

namespace {

template <class T>
STRIDESCOPE_INLINE Index selectSingly(T* out, const T* in, const std::uint8_t* mask, Index n) {
    // Every item is written, only the true ones move on: no branch to guess wrong.
    T* to = out;
    for (Index i = 0; i < n; ++i) {
        *to = in[i];
        to += mask[i] != 0 ? 1 : 0;
    }
    return to - out;
}
/// As above, for the last items of a run: nothing behind `last` is written.
template <class T>
STRIDESCOPE_INLINE Index selectCarefully(T* out, const T* last, const T* in, const std::uint8_t* mask, Index n) {
    T* to = out;
    for (Index i = 0; i < n && to < last; ++i) {
        *to = in[i];
        to += mask[i] != 0 ? 1 : 0;
    }
    return to - out;
}

#if defined(__AVX512F__)
/// The bits of so many bytes that are not 0.
STRIDESCOPE_INLINE __mmask16 bitsOf16(const std::uint8_t* mask) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(mask));
    return _mm_test_epi8_mask(bytes, bytes);
}
STRIDESCOPE_INLINE __mmask8 bitsOf8(const std::uint8_t* mask) {
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(mask));
    return static_cast<__mmask8>(_mm_test_epi8_mask(bytes, bytes));
}
#endif

template <class T>
Index select(void* out, Index room, const void* in, const std::uint8_t* mask, Index n) {
    auto* const to = static_cast<T*>(out);
    auto* const from = static_cast<const T*>(in);
    Index i = 0, done = 0;
#if defined(__AVX512F__)
    // Packed in a register and stored whole: packing stores are slow on some processors.
    if constexpr (sizeof(T) == 4) {
        for (; i + 16 <= n && done + 16 <= room; i += 16) {
            const __mmask16 bits = bitsOf16(mask + i);
            _mm512_storeu_si512(to + done, _mm512_maskz_compress_epi32(bits, _mm512_loadu_si512(from + i)));
            done += __builtin_popcount(bits);
        }
    } else if constexpr (sizeof(T) == 8) {
        for (; i + 8 <= n && done + 8 <= room; i += 8) {
            const __mmask8 bits = bitsOf8(mask + i);
            _mm512_storeu_si512(to + done, _mm512_maskz_compress_epi64(bits, _mm512_loadu_si512(from + i)));
            done += __builtin_popcount(bits);
        }
    }
#endif
    if (done + (n - i) < room) {
        done += selectSingly(to + done, from + i, mask + i, n - i);
        return done;
    }
    return done + selectCarefully(to + done, to + room, from + i, mask + i, n - i);
}

Index positions(Index* out, Index room, const std::uint8_t* mask, Index n, Index first) {
    Index i = 0, done = 0;
#if defined(__AVX512F__)
    __m512i at = _mm512_add_epi64(_mm512_set1_epi64(first), _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0));
    for (; i + 8 <= n && done + 8 <= room; i += 8) {
        const __mmask8 bits = bitsOf8(mask + i);
        _mm512_storeu_si512(out + done, _mm512_maskz_compress_epi64(bits, at));
        done += __builtin_popcount(bits);
        at = _mm512_add_epi64(at, _mm512_set1_epi64(8));
    }
#endif
    for (; i < n && done < room; ++i) {
        out[done] = first + i;
        done += mask[i] != 0 ? 1 : 0;
    }
    return done;
}

template <class T, bool OneA, bool OneB>
STRIDESCOPE_INLINE void chooseLoop(T* out, const std::uint8_t* mask, const T* a, const T* b, Index n) {
    const T a0 = *a, b0 = *b;
    STRIDESCOPE_INDEPENDENT
    for (Index i = 0; i < n; ++i) {
        const T x = OneA ? a0 : a[i], y = OneB ? b0 : b[i]; // both are read: that vectorises
        out[i] = mask[i] != 0 ? x : y;
    }
}
template <class T>
void choose(void* out, const std::uint8_t* mask, const void* a, const void* b, unsigned scalars, Index n) {
    auto* const o = static_cast<T*>(out);
    auto *const x = static_cast<const T*>(a), *const y = static_cast<const T*>(b);
    switch (scalars) {
    case 0:
        return chooseLoop<T, false, false>(o, mask, x, y, n);
    case 1:
        return chooseLoop<T, true, false>(o, mask, x, y, n);
    case 2:
        return chooseLoop<T, false, true>(o, mask, x, y, n);
    default:
        return chooseLoop<T, true, true>(o, mask, x, y, n);
    }
}

template <class T>
void fill(void* out, const std::uint8_t* mask, const void* value, Index n) {
    auto* const o = static_cast<T*>(out);
    const T filling = *static_cast<const T*>(value);
    STRIDESCOPE_INDEPENDENT
    for (Index i = 0; i < n; ++i) {
        const T before = o[i];
        o[i] = mask[i] != 0 ? filling : before;
    }
}

Index count(const std::uint8_t* mask, Index n) {
    constexpr Index kBlock = Index{1} << 16;
    Index total = 0;
    for (Index begin = 0; begin < n; begin += kBlock) {
        const Index end = n - begin < kBlock ? n : begin + kBlock;
        std::uint32_t part = 0;
        for (Index i = begin; i < end; ++i) part += mask[i] != 0 ? 1U : 0U;
        total += part;
    }
    return total;
}

template <class T>
void bind(MaskLoops& loops, int log2) {
    loops.select[log2] = select<T>;
    loops.choose[log2] = choose<T>;
    loops.fill[log2] = fill<T>;
}

} // namespace

void fillMasks(IsaTable& table) {
    bind<std::uint8_t>(table.mask, 0);
    bind<std::uint16_t>(table.mask, 1);
    bind<std::uint32_t>(table.mask, 2);
    bind<std::uint64_t>(table.mask, 3);
    table.mask.positions = positions;
    table.mask.count = count;
}

} // namespace stridescope::cpu::STRIDESCOPE_ISA
