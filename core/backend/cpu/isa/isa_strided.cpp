// Copies of blocks whose elements lie at steps of their own on both sides.
#include "core/backend/cpu/isa/isa_common.h"

namespace stridescope::cpu::STRIDESCOPE_ISA {

void fillStrided(IsaTable& table); // called by fillMovement

namespace {

#if defined(__AVX2__)
STRIDESCOPE_INLINE __m128i loadFrom(const char* p) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
}
#endif

/// Any element of that size at any address: elements of a copy may be pairs or quads of smaller ones.
template <std::size_t Size>
struct RawOf;
template <>
struct RawOf<1> {
    using type = std::uint8_t;
};
template <>
struct RawOf<2> {
    typedef std::uint16_t type __attribute__((aligned(1), may_alias));
};
template <>
struct RawOf<4> {
    typedef std::uint32_t type __attribute__((aligned(1), may_alias));
};
template <>
struct RawOf<8> {
    typedef std::uint64_t type __attribute__((aligned(1), may_alias));
};

/// dst[i] = src[i * Step]: the compiler turns the fixed step into shuffles.
template <std::size_t Size, Index Step>
STRIDESCOPE_INLINE void gatherFixed(char* dst, const char* src, Index n) {
    using Raw = typename RawOf<Size>::type;
    auto* const d = reinterpret_cast<Raw*>(dst);
    auto* const s = reinterpret_cast<const Raw*>(src);
    Index i = 0;
#if defined(__AVX2__)
    if constexpr (Size == 1 && Step == 3) { // the channels of an image, 16 pixels at a time
        const __m128i m0 = _mm_setr_epi8(0, 3, 6, 9, 12, 15, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
        const __m128i m1 = _mm_setr_epi8(-1, -1, -1, -1, -1, -1, 2, 5, 8, 11, 14, -1, -1, -1, -1, -1);
        const __m128i m2 = _mm_setr_epi8(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1, 4, 7, 10, 13);
        for (; i + 17 <= n; i += 16) { // one more: the last load reaches two bytes past element 15
            const char* p = src + 3 * i;
            const __m128i v =
                _mm_or_si128(_mm_or_si128(_mm_shuffle_epi8(loadFrom(p), m0), _mm_shuffle_epi8(loadFrom(p + 16), m1)),
                             _mm_shuffle_epi8(loadFrom(p + 32), m2));
            _mm_storeu_si128(reinterpret_cast<__m128i*>(dst + i), v);
        }
    }
#endif
    STRIDESCOPE_INDEPENDENT
    for (Index k = i; k < n; ++k) d[k] = s[k * Step];
}

template <std::size_t Bytes>
STRIDESCOPE_INLINE void moveRows(char* d, Index dstRow, const char* s, Index srcRow, Index rows) {
    for (Index r = 0; r < rows; ++r, d += dstRow, s += srcRow) std::memcpy(d, s, Bytes);
}

template <std::size_t Size>
void moveBlock(void* dst, Index dstRow, Index dstCol, const void* src, Index srcRow, Index srcCol, Index rows,
               Index cols) {
    using Raw = typename RawOf<Size>::type;
    constexpr auto kSize = static_cast<Index>(Size);
    auto* d = static_cast<char*>(dst);
    auto* s = static_cast<const char*>(src);
    if (dstCol == kSize && srcCol == kSize) {
        if (dst == src && dstRow == srcRow) return;
        if (rows > 1 && dstRow == cols * kSize && srcRow == dstRow) {
            cols *= rows;
            rows = 1;
        }
        if (cols * kSize >= 64) {
            for (Index r = 0; r < rows; ++r, d += dstRow, s += srcRow)
                std::memcpy(d, s, static_cast<std::size_t>(cols * kSize));
            return;
        }
        switch (cols * kSize) { // rows that fit one register
        case 4:
            return moveRows<4>(d, dstRow, s, srcRow, rows);
        case 8:
            return moveRows<8>(d, dstRow, s, srcRow, rows);
        case 16:
            return moveRows<16>(d, dstRow, s, srcRow, rows);
        case 32:
            return moveRows<32>(d, dstRow, s, srcRow, rows);
        default:
            break;
        }
    } else if (dstCol == kSize && srcCol == 0) {
        for (Index r = 0; r < rows; ++r, d += dstRow, s += srcRow) {
            const Raw value = *reinterpret_cast<const Raw*>(s);
            auto* const row = reinterpret_cast<Raw*>(d);
            STRIDESCOPE_INDEPENDENT
            for (Index c = 0; c < cols; ++c) row[c] = value;
        }
        return;
    } else if (dstCol == kSize && cols >= 16) {
        for (Index r = 0; r < rows; ++r, d += dstRow, s += srcRow) {
            if (srcCol == 2 * kSize)
                gatherFixed<Size, 2>(d, s, cols);
            else if (srcCol == 3 * kSize)
                gatherFixed<Size, 3>(d, s, cols);
            else if (srcCol == 4 * kSize)
                gatherFixed<Size, 4>(d, s, cols);
            else
                for (Index c = 0; c < cols; ++c)
                    reinterpret_cast<Raw*>(d)[c] = *reinterpret_cast<const Raw*>(s + c * srcCol);
        }
        return;
    }
    if (rows > cols) { // the longer loop goes inside
        Index swap = rows;
        rows = cols;
        cols = swap;
        swap = dstRow;
        dstRow = dstCol;
        dstCol = swap;
        swap = srcRow;
        srcRow = srcCol;
        srcCol = swap;
    }
    for (Index r = 0; r < rows; ++r) {
        char* dr = d + r * dstRow;
        const char* sr = s + r * srcRow;
        STRIDESCOPE_INDEPENDENT
        for (Index c = 0; c < cols; ++c)
            *reinterpret_cast<Raw*>(dr + c * dstCol) = *reinterpret_cast<const Raw*>(sr + c * srcCol);
    }
}

} // namespace

void fillStrided(IsaTable& table) {
    table.move[0] = moveBlock<1>;
    table.move[1] = moveBlock<2>;
    table.move[2] = moveBlock<4>;
    table.move[3] = moveBlock<8>;
    for (const DType t : kRealDTypes)
        table.convert[indexOf(t)][indexOf(t)] = table.move[__builtin_ctz(static_cast<unsigned>(itemSize(t)))];
}

} // namespace stridescope::cpu::STRIDESCOPE_ISA
