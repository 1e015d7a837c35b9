// Transposes in registers and copies past the caches.
#include "core/backend/cpu/isa/isa_common.h"

namespace stridescope::cpu::STRIDESCOPE_ISA {

void fillStrided(IsaTable& table); // isa_strided.cpp

namespace {

template <class T>
STRIDESCOPE_INLINE void transposeScalar(char* dst, Index dstRow, const char* src, Index srcRow, Index rows,
                                        Index cols) {
    for (Index r = 0; r < rows; ++r)
        for (Index c = 0; c < cols; ++c)
            *reinterpret_cast<T*>(dst + r * dstRow + c * static_cast<Index>(sizeof(T))) =
                *reinterpret_cast<const T*>(src + c * srcRow + r * static_cast<Index>(sizeof(T)));
}

template <Index Rows>
STRIDESCOPE_INLINE void prefetchRows(const char* first, Index row, bool wanted) {
    if (!wanted) return;
    for (Index i = 0; i < Rows; ++i) __builtin_prefetch(first + i * row);
}

/// Tile::kSize x Tile::kSize elements at a time; what is left over element by element.
template <class T, class Tile>
void transposeBlock(void* dstBlock, Index dstRow, const void* srcBlock, Index srcRow, Index rows, Index cols,
                    bool stream) {
    constexpr Index n = Tile::kSize;
    constexpr auto kItem = static_cast<Index>(sizeof(T));
    auto* const dst = static_cast<char*>(dstBlock);
    auto* const src = static_cast<const char*>(srcBlock);
    const Index fullRows = rows / n * n, fullCols = cols / n * n;
    // Along the rows of src first: its lines are used up one after the other. The processor does not guess that the
    // next rows, far away, follow; it is told. Of rows that lie close together it does.
    constexpr Index kFar = 256;
    const bool far = srcRow >= kFar || srcRow <= -kFar;
    if (stream) {
        for (Index c = 0; c < fullCols; c += n)
            for (Index r = 0; r < fullRows; r += n) {
                prefetchRows<n>(src + (c + n) * srcRow + r * kItem, srcRow, far && c + n < fullCols);
                Tile::template move<true>(dst + r * dstRow + c * kItem, dstRow, src + c * srcRow + r * kItem, srcRow);
            }
    } else {
        for (Index c = 0; c < fullCols; c += n)
            for (Index r = 0; r < fullRows; r += n) {
                prefetchRows<n>(src + (c + n) * srcRow + r * kItem, srcRow, far && c + n < fullCols);
                Tile::template move<false>(dst + r * dstRow + c * kItem, dstRow, src + c * srcRow + r * kItem, srcRow);
            }
    }
    if (fullCols < cols)
        transposeScalar<T>(dst + fullCols * kItem, dstRow, src + fullCols * srcRow, srcRow, fullRows, cols - fullCols);
    if (fullRows < rows)
        transposeScalar<T>(dst + fullRows * dstRow, dstRow, src + fullRows * kItem, srcRow, rows - fullRows, cols);
}

#if defined(__x86_64__)

STRIDESCOPE_INLINE __m128i load128(const char* p) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
}
template <bool Stream>
STRIDESCOPE_INLINE void store128(char* p, __m128i v) {
    if constexpr (Stream)
        _mm_stream_si128(reinterpret_cast<__m128i*>(p), v);
    else
        _mm_storeu_si128(reinterpret_cast<__m128i*>(p), v);
}

struct Tile1 { // 16 x 16 bytes: four rounds of interleaving
    static constexpr Index kSize = 16;
    template <bool Stream>
    STRIDESCOPE_INLINE static void move(char* dst, Index dstRow, const char* src, Index srcRow) {
        __m128i a[16], b[16];
        for (int i = 0; i < 16; ++i) a[i] = load128(src + i * srcRow);
        // Interleaving row i with row i + 8 four times turns (row, column) into (column, row).
        for (int i = 0; i < 8; ++i) {
            b[2 * i] = _mm_unpacklo_epi8(a[i], a[i + 8]);
            b[2 * i + 1] = _mm_unpackhi_epi8(a[i], a[i + 8]);
        }
        for (int i = 0; i < 8; ++i) {
            a[2 * i] = _mm_unpacklo_epi8(b[i], b[i + 8]);
            a[2 * i + 1] = _mm_unpackhi_epi8(b[i], b[i + 8]);
        }
        for (int i = 0; i < 8; ++i) {
            b[2 * i] = _mm_unpacklo_epi8(a[i], a[i + 8]);
            b[2 * i + 1] = _mm_unpackhi_epi8(a[i], a[i + 8]);
        }
        for (int i = 0; i < 8; ++i) {
            store128<Stream>(dst + 2 * i * dstRow, _mm_unpacklo_epi8(b[i], b[i + 8]));
            store128<Stream>(dst + (2 * i + 1) * dstRow, _mm_unpackhi_epi8(b[i], b[i + 8]));
        }
    }
};

#if defined(__AVX2__)
/// Several of these tiles side by side, one in each 128-bit lane: 16 rows of src are read a whole cache line (or half
/// of one) at a time, not line by line again and again.
struct WideTile1 {
#if defined(__AVX512BW__)
    using Vector = __m512i;
    static constexpr Index kLanes = 4;
    STRIDESCOPE_INLINE static Vector load(const char* p) {
        return _mm512_loadu_si512(p);
    }
    STRIDESCOPE_INLINE static Vector low(Vector a, Vector b) {
        return _mm512_unpacklo_epi8(a, b);
    }
    STRIDESCOPE_INLINE static Vector high(Vector a, Vector b) {
        return _mm512_unpackhi_epi8(a, b);
    }
    STRIDESCOPE_INLINE static void store(char* p, Index lane, Vector v) {
        store128<false>(p, _mm512_castsi512_si128(v));
        store128<false>(p + lane, _mm512_extracti32x4_epi32(v, 1));
        store128<false>(p + 2 * lane, _mm512_extracti32x4_epi32(v, 2));
        store128<false>(p + 3 * lane, _mm512_extracti32x4_epi32(v, 3));
    }
#else
    using Vector = __m256i;
    static constexpr Index kLanes = 2;
    STRIDESCOPE_INLINE static Vector load(const char* p) {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
    }
    STRIDESCOPE_INLINE static Vector low(Vector a, Vector b) {
        return _mm256_unpacklo_epi8(a, b);
    }
    STRIDESCOPE_INLINE static Vector high(Vector a, Vector b) {
        return _mm256_unpackhi_epi8(a, b);
    }
    STRIDESCOPE_INLINE static void store(char* p, Index lane, Vector v) {
        store128<false>(p, _mm256_castsi256_si128(v));
        store128<false>(p + lane, _mm256_extracti128_si256(v, 1));
    }
#endif
    static constexpr Index kRows = 16 * kLanes; ///< of dst

    STRIDESCOPE_INLINE static void interleave(Vector* to, const Vector* from) {
        for (int i = 0; i < 8; ++i) {
            to[2 * i] = low(from[i], from[i + 8]);
            to[2 * i + 1] = high(from[i], from[i + 8]);
        }
    }
    STRIDESCOPE_INLINE static void move(char* dst, Index dstRow, const char* src, Index srcRow) {
        Vector a[16], b[16];
        for (int i = 0; i < 16; ++i) a[i] = load(src + i * srcRow);
        interleave(b, a);
        interleave(a, b);
        interleave(b, a);
        interleave(a, b);
        for (int i = 0; i < 16; ++i) store(dst + i * dstRow, 16 * dstRow, a[i]);
    }
};

void transposeBytes(void* dstBlock, Index dstRow, const void* srcBlock, Index srcRow, Index rows, Index cols,
                    bool stream) {
    constexpr Index kRows = WideTile1::kRows, kCols = 16;
    auto* const dst = static_cast<char*>(dstBlock);
    auto* const src = static_cast<const char*>(srcBlock);
    const Index wide = stream ? 0 : rows / kRows * kRows, fullCols = cols / kCols * kCols;
    for (Index c = 0; c < fullCols; c += kCols)
        for (Index r = 0; r < wide; r += kRows) {
            prefetchRows<kCols>(src + (c + kCols) * srcRow + r, srcRow, srcRow >= 256 && c + kCols < fullCols);
            WideTile1::move(dst + r * dstRow + c, dstRow, src + c * srcRow + r, srcRow);
        }
    if (fullCols < cols)
        transposeScalar<std::uint8_t>(dst + fullCols, dstRow, src + fullCols * srcRow, srcRow, wide, cols - fullCols);
    if (wide < rows)
        transposeBlock<std::uint8_t, Tile1>(dst + wide * dstRow, dstRow, src + wide, srcRow, rows - wide, cols, stream);
}
#endif

struct Tile2 { // 8 x 8 of 16 bits
    static constexpr Index kSize = 8;
    template <bool Stream>
    STRIDESCOPE_INLINE static void move(char* dst, Index dstRow, const char* src, Index srcRow) {
        __m128i a[8], b[8];
        for (int i = 0; i < 8; ++i) a[i] = load128(src + i * srcRow);
        for (int i = 0; i < 4; ++i) {
            b[2 * i] = _mm_unpacklo_epi16(a[i], a[i + 4]);
            b[2 * i + 1] = _mm_unpackhi_epi16(a[i], a[i + 4]);
        }
        for (int i = 0; i < 4; ++i) {
            a[2 * i] = _mm_unpacklo_epi16(b[i], b[i + 4]);
            a[2 * i + 1] = _mm_unpackhi_epi16(b[i], b[i + 4]);
        }
        for (int i = 0; i < 4; ++i) {
            store128<Stream>(dst + 2 * i * dstRow, _mm_unpacklo_epi16(a[i], a[i + 4]));
            store128<Stream>(dst + (2 * i + 1) * dstRow, _mm_unpackhi_epi16(a[i], a[i + 4]));
        }
    }
};

#if defined(__AVX512F__)
struct Tile4 { // 16 x 16 of 32 bits: one cache line a row
    static constexpr Index kSize = 16;
    template <bool Stream>
    STRIDESCOPE_INLINE static void move(char* dst, Index dstRow, const char* src, Index srcRow) {
        __m512i a[16], b[16];
        for (int i = 0; i < 16; ++i) a[i] = _mm512_loadu_si512(src + i * srcRow);
        for (int i = 0; i < 8; ++i) { // pairs of rows, 32-bit
            b[2 * i] = _mm512_unpacklo_epi32(a[2 * i], a[2 * i + 1]);
            b[2 * i + 1] = _mm512_unpackhi_epi32(a[2 * i], a[2 * i + 1]);
        }
        for (int i = 0; i < 4; ++i) { // groups of four rows: a[4i + k] holds column 4 * lane + k
            a[4 * i] = _mm512_unpacklo_epi64(b[4 * i], b[4 * i + 2]);
            a[4 * i + 1] = _mm512_unpackhi_epi64(b[4 * i], b[4 * i + 2]);
            a[4 * i + 2] = _mm512_unpacklo_epi64(b[4 * i + 1], b[4 * i + 3]);
            a[4 * i + 3] = _mm512_unpackhi_epi64(b[4 * i + 1], b[4 * i + 3]);
        }
        for (int k = 0; k < 4; ++k) { // 128-bit lanes
            const __m512i lo01 = _mm512_shuffle_i32x4(a[k], a[4 + k], 0x88),
                          hi01 = _mm512_shuffle_i32x4(a[k], a[4 + k], 0xdd);
            const __m512i lo23 = _mm512_shuffle_i32x4(a[8 + k], a[12 + k], 0x88),
                          hi23 = _mm512_shuffle_i32x4(a[8 + k], a[12 + k], 0xdd);
            store<Stream>(dst + k * dstRow, _mm512_shuffle_i32x4(lo01, lo23, 0x88));
            store<Stream>(dst + (k + 4) * dstRow, _mm512_shuffle_i32x4(hi01, hi23, 0x88));
            store<Stream>(dst + (k + 8) * dstRow, _mm512_shuffle_i32x4(lo01, lo23, 0xdd));
            store<Stream>(dst + (k + 12) * dstRow, _mm512_shuffle_i32x4(hi01, hi23, 0xdd));
        }
    }
    template <bool Stream>
    STRIDESCOPE_INLINE static void store(char* p, __m512i v) {
        if constexpr (Stream)
            _mm512_stream_si512(reinterpret_cast<__m512i*>(p), v);
        else
            _mm512_storeu_si512(p, v);
    }
};
struct Tile8 { // 8 x 8 of 64 bits
    static constexpr Index kSize = 8;
    template <bool Stream>
    STRIDESCOPE_INLINE static void move(char* dst, Index dstRow, const char* src, Index srcRow) {
        __m512i a[8], b[8];
        for (int i = 0; i < 8; ++i) a[i] = _mm512_loadu_si512(src + i * srcRow);
        for (int i = 0; i < 4; ++i) {
            b[2 * i] = _mm512_unpacklo_epi64(a[2 * i], a[2 * i + 1]);
            b[2 * i + 1] = _mm512_unpackhi_epi64(a[2 * i], a[2 * i + 1]);
        }
        for (int k = 0; k < 2; ++k) { // b[2i + k] holds columns 2 * lane + k of rows 2i, 2i + 1
            const __m512i lo01 = _mm512_shuffle_i64x2(b[k], b[2 + k], 0x88),
                          hi01 = _mm512_shuffle_i64x2(b[k], b[2 + k], 0xdd);
            const __m512i lo23 = _mm512_shuffle_i64x2(b[4 + k], b[6 + k], 0x88),
                          hi23 = _mm512_shuffle_i64x2(b[4 + k], b[6 + k], 0xdd);
            Tile4::store<Stream>(dst + k * dstRow, _mm512_shuffle_i64x2(lo01, lo23, 0x88));
            Tile4::store<Stream>(dst + (k + 2) * dstRow, _mm512_shuffle_i64x2(hi01, hi23, 0x88));
            Tile4::store<Stream>(dst + (k + 4) * dstRow, _mm512_shuffle_i64x2(lo01, lo23, 0xdd));
            Tile4::store<Stream>(dst + (k + 6) * dstRow, _mm512_shuffle_i64x2(hi01, hi23, 0xdd));
        }
    }
};
#elif defined(__AVX2__)
struct Tile4 { // 8 x 8 of 32 bits
    static constexpr Index kSize = 8;
    template <bool Stream>
    STRIDESCOPE_INLINE static void move(char* dst, Index dstRow, const char* src, Index srcRow) {
        __m256i a[8], b[8];
        for (int i = 0; i < 8; ++i) a[i] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(src + i * srcRow));
        for (int i = 0; i < 4; ++i) {
            b[2 * i] = _mm256_unpacklo_epi32(a[2 * i], a[2 * i + 1]);
            b[2 * i + 1] = _mm256_unpackhi_epi32(a[2 * i], a[2 * i + 1]);
        }
        for (int i = 0; i < 2; ++i) { // a[4i + k] holds column 4 * lane + k of rows 4i ... 4i + 3
            a[4 * i] = _mm256_unpacklo_epi64(b[4 * i], b[4 * i + 2]);
            a[4 * i + 1] = _mm256_unpackhi_epi64(b[4 * i], b[4 * i + 2]);
            a[4 * i + 2] = _mm256_unpacklo_epi64(b[4 * i + 1], b[4 * i + 3]);
            a[4 * i + 3] = _mm256_unpackhi_epi64(b[4 * i + 1], b[4 * i + 3]);
        }
        for (int k = 0; k < 4; ++k) {
            store<Stream>(dst + k * dstRow, _mm256_permute2x128_si256(a[k], a[4 + k], 0x20));
            store<Stream>(dst + (k + 4) * dstRow, _mm256_permute2x128_si256(a[k], a[4 + k], 0x31));
        }
    }
    template <bool Stream>
    STRIDESCOPE_INLINE static void store(char* p, __m256i v) {
        if constexpr (Stream)
            _mm256_stream_si256(reinterpret_cast<__m256i*>(p), v);
        else
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), v);
    }
};
struct Tile8 { // 4 x 4 of 64 bits
    static constexpr Index kSize = 4;
    template <bool Stream>
    STRIDESCOPE_INLINE static void move(char* dst, Index dstRow, const char* src, Index srcRow) {
        __m256i a[4], b[4];
        for (int i = 0; i < 4; ++i) a[i] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(src + i * srcRow));
        for (int i = 0; i < 2; ++i) {
            b[2 * i] = _mm256_unpacklo_epi64(a[2 * i], a[2 * i + 1]);
            b[2 * i + 1] = _mm256_unpackhi_epi64(a[2 * i], a[2 * i + 1]);
        }
        for (int k = 0; k < 2; ++k) {
            Tile4::store<Stream>(dst + k * dstRow, _mm256_permute2x128_si256(b[k], b[2 + k], 0x20));
            Tile4::store<Stream>(dst + (k + 2) * dstRow, _mm256_permute2x128_si256(b[k], b[2 + k], 0x31));
        }
    }
};
#else
struct Tile4 { // 4 x 4 of 32 bits
    static constexpr Index kSize = 4;
    template <bool Stream>
    STRIDESCOPE_INLINE static void move(char* dst, Index dstRow, const char* src, Index srcRow) {
        const __m128i a0 = load128(src), a1 = load128(src + srcRow), a2 = load128(src + 2 * srcRow),
                      a3 = load128(src + 3 * srcRow);
        const __m128i lo02 = _mm_unpacklo_epi32(a0, a2), hi02 = _mm_unpackhi_epi32(a0, a2);
        const __m128i lo13 = _mm_unpacklo_epi32(a1, a3), hi13 = _mm_unpackhi_epi32(a1, a3);
        store128<Stream>(dst, _mm_unpacklo_epi32(lo02, lo13));
        store128<Stream>(dst + dstRow, _mm_unpackhi_epi32(lo02, lo13));
        store128<Stream>(dst + 2 * dstRow, _mm_unpacklo_epi32(hi02, hi13));
        store128<Stream>(dst + 3 * dstRow, _mm_unpackhi_epi32(hi02, hi13));
    }
};
struct Tile8 { // 2 x 2 of 64 bits
    static constexpr Index kSize = 2;
    template <bool Stream>
    STRIDESCOPE_INLINE static void move(char* dst, Index dstRow, const char* src, Index srcRow) {
        const __m128i a0 = load128(src), a1 = load128(src + srcRow);
        store128<Stream>(dst, _mm_unpacklo_epi64(a0, a1));
        store128<Stream>(dst + dstRow, _mm_unpackhi_epi64(a0, a1));
    }
};
#endif

void streamCopy(void* dst, const void* src, std::size_t bytes) {
    auto* d = static_cast<char*>(dst);
    auto* s = static_cast<const char*>(src);
    const std::size_t head = (64 - reinterpret_cast<std::uintptr_t>(d) % 64) % 64;
    if (bytes < head + 64) {
        std::memcpy(d, s, bytes);
        return;
    }
    std::memcpy(d, s, head);
    d += head;
    s += head;
    bytes -= head;
    const std::size_t whole = bytes / 64 * 64;
    for (std::size_t i = 0; i < whole; i += 64) {
#if defined(__AVX512F__)
        _mm512_stream_si512(reinterpret_cast<__m512i*>(d + i), _mm512_loadu_si512(s + i));
#elif defined(__AVX2__)
        const __m256i v0 = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(s + i));
        const __m256i v1 = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(s + i + 32));
        _mm256_stream_si256(reinterpret_cast<__m256i*>(d + i), v0);
        _mm256_stream_si256(reinterpret_cast<__m256i*>(d + i + 32), v1);
#else
        const __m128i v0 = load128(s + i), v1 = load128(s + i + 16), v2 = load128(s + i + 32), v3 = load128(s + i + 48);
        store128<true>(d + i, v0);
        store128<true>(d + i + 16, v1);
        store128<true>(d + i + 32, v2);
        store128<true>(d + i + 48, v3);
#endif
    }
    std::memcpy(d + whole, s + whole, bytes - whole);
}

void streamFence() {
    _mm_sfence();
}

#else // not x86: no streaming stores, transposes by blocks that fit the cache

template <class T>
struct ScalarTile {
    static constexpr Index kSize = 8;
    template <bool>
    STRIDESCOPE_INLINE static void move(char* dst, Index dstRow, const char* src, Index srcRow) {
        transposeScalar<T>(dst, dstRow, src, srcRow, kSize, kSize);
    }
};
using Tile1 = ScalarTile<std::uint8_t>;
using Tile2 = ScalarTile<std::uint16_t>;
using Tile4 = ScalarTile<std::uint32_t>;
using Tile8 = ScalarTile<std::uint64_t>;

void streamCopy(void* dst, const void* src, std::size_t bytes) {
    std::memcpy(dst, src, bytes);
}
void streamFence() {}

#endif

} // namespace

void fillMovement(IsaTable& table) {
#if defined(__AVX2__)
    table.transpose[0] = transposeBytes;
#else
    table.transpose[0] = transposeBlock<std::uint8_t, Tile1>;
#endif
    table.transpose[1] = transposeBlock<std::uint16_t, Tile2>;
    table.transpose[2] = transposeBlock<std::uint32_t, Tile4>;
    table.transpose[3] = transposeBlock<std::uint64_t, Tile8>;
    fillStrided(table);
    table.streamCopy = streamCopy;
    table.streamFence = streamFence;
    table.transposesLines[0] = Tile1::kSize * 1 == 64;
    table.transposesLines[1] = Tile2::kSize * 2 == 64;
    table.transposesLines[2] = Tile4::kSize * 4 == 64;
    table.transposesLines[3] = Tile8::kSize * 8 == 64;
}

} // namespace stridescope::cpu::STRIDESCOPE_ISA
