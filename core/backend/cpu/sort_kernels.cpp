#include "core/backend/cpu/sort_kernels.h"

#include "core/backend/sort_key.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

namespace stridescope::cpu {

namespace {

/// From so many keys on counting is faster than comparing: a pass for each byte has its counts to add up.
constexpr std::size_t radixFrom(std::size_t keyBytes) {
    return 16 * keyBytes;
}

/// One pass per byte, least first; a byte that is the same in all keys costs its count only.
void radixSort(SortLane& lane, std::size_t keyBytes) {
    const std::size_t n = lane.keys.size();
    std::array<std::array<std::uint32_t, 256>, 8> counts;
    std::fill_n(counts.begin(), keyBytes, std::array<std::uint32_t, 256>{});
    for (const std::uint64_t key : lane.keys)
        for (std::size_t b = 0; b < keyBytes; ++b) ++counts[b][(key >> (8 * b)) & 0xffu];
    lane.spareKeys.resize(n);
    lane.spareOrder.resize(n);
    for (std::size_t b = 0; b < keyBytes; ++b) {
        auto& count = counts[b];
        if (count[(lane.keys[0] >> (8 * b)) & 0xffu] == n) continue;
        std::uint32_t before = 0;
        for (std::uint32_t& c : count) before += std::exchange(c, before);
        for (std::size_t i = 0; i < n; ++i) {
            const std::uint32_t to = count[(lane.keys[i] >> (8 * b)) & 0xffu]++;
            lane.spareKeys[to] = lane.keys[i];
            lane.spareOrder[to] = lane.order[i];
        }
        lane.keys.swap(lane.spareKeys);
        lane.order.swap(lane.spareOrder);
    }
}

struct Entry {
    std::uint64_t key;
    std::uint32_t position;
    bool operator<(const Entry& other) const { return key != other.key ? key < other.key : position < other.position; }
};

/// The first k of very many: one pass that keeps the best so far, of which most elements are no match.
void keepFirst(SortLane& lane, std::size_t k) {
    Scratch<Entry> best;
    best.reserve(k);
    for (std::size_t i = 0; i < lane.keys.size(); ++i) {
        if (best.size() == k) {
            if (lane.keys[i] >= best.front().key) continue; // of equal ones the earlier stays
            std::pop_heap(best.begin(), best.end());
            best.pop_back();
        }
        best.push_back({lane.keys[i], lane.order[i]});
        std::push_heap(best.begin(), best.end());
    }
    std::sort_heap(best.begin(), best.end());
    for (std::size_t i = 0; i < k; ++i) {
        lane.keys[i] = best[i].key;
        lane.order[i] = best[i].position;
    }
}

/// Sorts all, or the first k, as numbers of key and position: short keys fit 64 bits together with it.
void compareSort(SortLane& lane, std::size_t keyBytes, std::size_t k) {
    const std::size_t n = lane.keys.size();
    const auto run = [&](auto& entries) {
        const auto middle = entries.begin() + static_cast<std::ptrdiff_t>(k);
        if (k < n) std::nth_element(entries.begin(), middle, entries.end());
        std::sort(entries.begin(), middle);
    };
    if (keyBytes <= 4) {
        Scratch<std::uint64_t>& packed = lane.spareKeys;
        packed.resize(n);
        for (std::size_t i = 0; i < n; ++i) packed[i] = lane.keys[i] << 32 | lane.order[i];
        run(packed);
        for (std::size_t i = 0; i < n; ++i) {
            lane.keys[i] = packed[i] >> 32;
            lane.order[i] = static_cast<std::uint32_t>(packed[i]);
        }
        return;
    }
    Scratch<Entry> entries(n);
    for (std::size_t i = 0; i < n; ++i) entries[i] = {lane.keys[i], lane.order[i]};
    run(entries);
    for (std::size_t i = 0; i < n; ++i) {
        lane.keys[i] = entries[i].key;
        lane.order[i] = entries[i].position;
    }
}

} // namespace

void loadKeys(SortLane& lane, const std::byte* data, Index step, Index n, DType dtype, bool descending) {
    lane.keys.resize(static_cast<std::size_t>(n));
    lane.order.resize(static_cast<std::size_t>(n));
    std::iota(lane.order.begin(), lane.order.end(), std::uint32_t{0});
    visitDType(dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        for (Index i = 0; i < n; ++i) {
            T value;
            std::memcpy(&value, data + i * step, sizeof value);
            lane.keys[static_cast<std::size_t>(i)] = sortKey(value, descending);
        }
    });
}

void sortLane(SortLane& lane, DType dtype) {
    if (lane.keys.size() >= radixFrom(itemSize(dtype)))
        radixSort(lane, itemSize(dtype));
    else
        compareSort(lane, itemSize(dtype), lane.keys.size());
}

void sortFirst(SortLane& lane, Index k, DType dtype) {
    if (static_cast<std::size_t>(k) == lane.keys.size()) return sortLane(lane, dtype);
    constexpr std::size_t kVeryMany = 64;
    const auto wanted = static_cast<std::size_t>(k);
    if (wanted != 0 && lane.keys.size() / kVeryMany >= wanted) return keepFirst(lane, wanted);
    compareSort(lane, itemSize(dtype), wanted);
}

void pickFirst(SortLane& lane, Index k, bool sorted) {
    const std::size_t n = lane.keys.size();
    const auto run = [&](auto zero) {
        using Key = decltype(zero);
        struct Pair {
            Key key;
            std::uint32_t position;
        };
        const auto before = [](const Pair& a, const Pair& b) { return a.key < b.key; };
        Scratch<Pair> pairs(n);
        for (std::size_t i = 0; i < n; ++i) pairs[i] = {static_cast<Key>(lane.keys[i]), lane.order[i]};
        const auto end = pairs.begin() + k;
        if (arePicksFew(k, static_cast<Index>(n))) {
            std::partial_sort(pairs.begin(), end, pairs.end(), before);
        } else {
            std::nth_element(pairs.begin(), end - 1, pairs.end(), before);
            if (sorted) std::sort(pairs.begin(), end - 1, before);
        }
        for (std::size_t i = 0; i < static_cast<std::size_t>(k); ++i) lane.order[i] = pairs[i].position;
    };
    // Half the bytes to move where keys are short; which exchanges are made does not depend on it.
    const bool isShort =
        std::all_of(lane.keys.begin(), lane.keys.end(), [](std::uint64_t key) { return key >> 32 == 0; });
    isShort ? run(std::uint32_t{}) : run(std::uint64_t{});
}

bool arePicksFew(Index k, Index n) {
    return k <= n / 64;
}

// Step by step what std::partial_sort does, so that of equal elements the same ones are picked: a heap of the first k;
// each later element that comes before the greatest of them takes its place; the heap is sorted. What is pushed out is
// never looked at again, so only k + 1 entries are kept. Keys are made of a block of elements at a time, and most
// blocks hold none that enters the heap.
void pickFew(SortLane& lane, const std::byte* data, Index step, Index n, DType dtype, bool descending, Index k) {
    constexpr Index kBlock = 256;
    struct Pair {
        std::uint64_t key;
        std::uint32_t position;
    };
    const auto before = [](const Pair& a, const Pair& b) { return a.key < b.key; };
    Scratch<Pair> heap(static_cast<std::size_t>(k) + 1);
    const auto end = heap.begin() + k;
    visitDType(dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        using Key = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
        const auto keyAt = [&](const std::byte* at) {
            T value;
            std::memcpy(&value, at, sizeof value);
            return static_cast<Key>(sortKey(value, descending));
        };
        for (Index i = 0; i < k; ++i)
            heap[static_cast<std::size_t>(i)] = {keyAt(data + i * step), static_cast<std::uint32_t>(i)};
        std::make_heap(heap.begin(), end, before);
        std::array<Key, kBlock> keys;
        for (Index start = k; start < n; start += kBlock) {
            const Index count = std::min(kBlock, n - start);
            const std::byte* const from = data + start * step;
            const auto greatest = static_cast<Key>(heap.front().key);
            int enters = 0;
            if (step == static_cast<Index>(sizeof(T))) {
                for (Index i = 0; i < count; ++i) {
                    keys[static_cast<std::size_t>(i)] = keyAt(from + i * static_cast<Index>(sizeof(T)));
                    enters |= keys[static_cast<std::size_t>(i)] < greatest;
                }
            } else {
                for (Index i = 0; i < count; ++i) {
                    keys[static_cast<std::size_t>(i)] = keyAt(from + i * step);
                    enters |= keys[static_cast<std::size_t>(i)] < greatest;
                }
            }
            if (!enters) continue;
            for (Index i = 0; i < count; ++i) {
                if (keys[static_cast<std::size_t>(i)] >= heap.front().key) continue;
                heap.back() = {keys[static_cast<std::size_t>(i)], static_cast<std::uint32_t>(start + i)};
                std::pop_heap(heap.begin(), heap.end(), before);
            }
        }
    });
    std::sort_heap(heap.begin(), end, before);
    lane.order.resize(static_cast<std::size_t>(k));
    for (std::size_t i = 0; i < static_cast<std::size_t>(k); ++i) lane.order[i] = heap[i].position;
}

/// Source: C. A. R. Hoare, "Algorithm 65: find", 1961, with the median of three elements as the pivot.
void selectPlace(SortLane& lane, Index place) {
    const auto key = [&](Index i) { return lane.keys[static_cast<std::size_t>(i)]; };
    const auto exchange = [&](Index i, Index j) {
        std::swap(lane.keys[static_cast<std::size_t>(i)], lane.keys[static_cast<std::size_t>(j)]);
        std::swap(lane.order[static_cast<std::size_t>(i)], lane.order[static_cast<std::size_t>(j)]);
    };
    const auto putInOrder = [&](Index i, Index j) {
        if (key(i) > key(j)) exchange(i, j);
    };
    Index first = 0, last = static_cast<Index>(lane.keys.size()) - 1;
    while (last > first + 1) {
        // The pivot comes to `first`, what is not greater behind it and what is not less to `last`: both scans end.
        exchange(first + (last - first) / 2, first + 1);
        putInOrder(first + 1, last);
        putInOrder(first, last);
        putInOrder(first + 1, first);
        const std::uint64_t pivot = key(first);
        Index low = first + 1, high = last;
        for (;;) {
            while (key(++low) < pivot) {
            }
            while (key(--high) > pivot) {
            }
            if (high < low) break;
            exchange(low, high);
        }
        exchange(first, high);
        if (high <= place) first = low;
        if (high >= place) last = high - 1;
    }
    if (last == first + 1) putInOrder(first, last);
}

} // namespace stridescope::cpu
