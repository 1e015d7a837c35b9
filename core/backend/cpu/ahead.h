#pragma once
// Asking for memory before it is needed. Everything has internal linkage: the sources that are compiled once per
// instruction set include it too (isa/isa_common.h).
//
// Note [Asked for ahead] A loop that computes for long on each cache line keeps the processor from looking far enough
// ahead, and not every machine reads on by itself: tanh of 40 MB took 1.7 ns an element where it takes 0.5 in the
// cache. So long runs go in pieces, and each piece first asks for the lines that lie kBytesAhead on. Behind a run there
// is mostly the next one, and asking for an address that is nobody's does nothing.

#include "core/index.h"

namespace stridescope::cpu {

namespace {

constexpr Index kLine = 64, kBytesAhead = 64 * kLine;
constexpr Index kPieceBytes = 16 * kLine; // as many requests as a core keeps open

/// Shorter runs of T gain nothing, and behind them may be no memory: asking for that costs time.
template <class T>
[[gnu::always_inline]] inline bool isLongRun(Index n) {
    return n >= 2 * kPieceBytes / static_cast<Index>(sizeof(T));
}
/// Asks for the lines of `bytes` that lie kBytesAhead behind p.
template <bool Write = false>
[[gnu::always_inline]] inline void askAhead(const void* p, Index bytes) {
    const auto* const ahead = static_cast<const char*>(p) + kBytesAhead;
    for (Index i = 0; i < bytes; i += kLine) __builtin_prefetch(ahead + i, Write ? 1 : 0);
}

} // namespace

} // namespace stridescope::cpu
