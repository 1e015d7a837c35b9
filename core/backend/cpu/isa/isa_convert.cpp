#include "core/backend/cpu/isa/isa_common.h"

namespace stridescope::cpu::STRIDESCOPE_ISA {

namespace {

/// Elements that pass through a float buffer at a time when one side is Half.
constexpr Index kHalfBlock = 256;

template <class To, class From>
STRIDESCOPE_INLINE Stored<To> convertOne(Stored<From> v) {
    // A float beyond int32 is a multiple of 256, so its low byte is 0 as that of the least int32: 32 bits suffice.
    if constexpr (std::is_same_v<From, float> && std::is_same_v<To, std::uint8_t>)
        return static_cast<std::uint8_t>(convertValue<std::int32_t>(v));
    else
        return Element<To>::store(convertValue<To>(Element<From>::load(v)));
}

STRIDESCOPE_INLINE void halfToFloat(float* dst, const Half* src, Index n) {
    Index i = 0;
#ifdef __F16C__
    for (; i + 8 <= n; i += 8)
        _mm256_storeu_ps(dst + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(src + i))));
#endif
    for (; i < n; ++i) dst[i] = Half::toFloat(src[i].bits);
}

STRIDESCOPE_INLINE void floatToHalf(Half* dst, const float* src, Index n) {
    Index i = 0;
#ifdef __F16C__
    for (; i + 8 <= n; i += 8)
        _mm_storeu_si128(reinterpret_cast<__m128i*>(dst + i),
                         _mm256_cvtps_ph(_mm256_loadu_ps(src + i), _MM_FROUND_TO_NEAREST_INT));
#endif
    for (; i < n; ++i) dst[i].bits = Half::fromFloat(src[i]);
}

/// n elements, both sides contiguous.
template <class To, class From>
STRIDESCOPE_INLINE void convertRun(Stored<To>* dst, const Stored<From>* src, Index n) {
    if constexpr (std::is_same_v<From, Half> && std::is_same_v<To, float>) {
        halfToFloat(dst, src, n);
    } else if constexpr (std::is_same_v<From, float> && std::is_same_v<To, Half>) {
        floatToHalf(dst, src, n);
    } else if constexpr (std::is_same_v<From, Half>) {
        float buffer[kHalfBlock];
        for (Index done = 0; done < n; done += kHalfBlock) {
            const Index count = n - done < kHalfBlock ? n - done : kHalfBlock;
            halfToFloat(buffer, src + done, count);
            STRIDESCOPE_INDEPENDENT
            for (Index i = 0; i < count; ++i) dst[done + i] = convertOne<To, float>(buffer[i]);
        }
    } else if constexpr (std::is_same_v<To, Half>) {
        float buffer[kHalfBlock];
        for (Index done = 0; done < n; done += kHalfBlock) {
            const Index count = n - done < kHalfBlock ? n - done : kHalfBlock;
            STRIDESCOPE_INDEPENDENT
            for (Index i = 0; i < count; ++i) buffer[i] = convertOne<float, From>(src[done + i]);
            floatToHalf(dst + done, buffer, count);
        }
    } else {
        STRIDESCOPE_INDEPENDENT
        for (Index i = 0; i < n; ++i) dst[i] = convertOne<To, From>(src[i]);
    }
}

template <class To, class From>
void convertBlock(void* dst, Index dstRow, Index dstCol, const void* src, Index srcRow, Index srcCol, Index rows,
                  Index cols) {
    using D = Stored<To>;
    using S = Stored<From>;
    constexpr auto kDst = static_cast<Index>(sizeof(D)), kSrc = static_cast<Index>(sizeof(S));
    auto* d = static_cast<char*>(dst);
    auto* s = static_cast<const char*>(src);
    if (dstCol == kDst && srcCol == kSrc) {
        if (rows > 1 && dstRow == cols * kDst && srcRow == cols * kSrc) {
            cols *= rows;
            rows = 1;
        }
        for (Index r = 0; r < rows; ++r, d += dstRow, s += srcRow)
            convertRun<To, From>(reinterpret_cast<D*>(d), reinterpret_cast<const S*>(s), cols);
        return;
    }
    if (dstCol == kDst && srcCol == 0) { // one value a row
        for (Index r = 0; r < rows; ++r, d += dstRow, s += srcRow) {
            const D value = convertOne<To, From>(*reinterpret_cast<const S*>(s));
            auto* const row = reinterpret_cast<D*>(d);
            STRIDESCOPE_INDEPENDENT
            for (Index c = 0; c < cols; ++c) row[c] = value;
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
            *reinterpret_cast<D*>(dr + c * dstCol) = convertOne<To, From>(*reinterpret_cast<const S*>(sr + c * srcCol));
    }
}

template <class From, class... Tos>
void bindFrom(IsaTable& table, TypeList<Tos...>) {
    const auto bind = [&table]<class To>(TypeTag<To>) { // equal types are moved: isa_movement.cpp
        if constexpr (!std::is_same_v<To, From>)
            table.convert[indexOf(DTypeOf<From>::value)][indexOf(DTypeOf<To>::value)] = convertBlock<To, From>;
    };
    (bind(TypeTag<Tos>{}), ...);
}

using AllTypes =
    TypeList<std::uint8_t, std::int8_t, std::int16_t, std::int32_t, std::int64_t, Half, float, double, bool>;

template <class... Froms>
void bindAll(IsaTable& table, TypeList<Froms...>) {
    (bindFrom<Froms>(table, AllTypes{}), ...);
}

} // namespace

void fillConversions(IsaTable& table) {
    bindAll(table, AllTypes{});
}

} // namespace stridescope::cpu::STRIDESCOPE_ISA
