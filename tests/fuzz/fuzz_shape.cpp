// The parsers of shapes and numbers: no crash, no place outside the text, and what they accept can be printed and read
// back. Accepted numbers then go through the view algebra, which must answer any of them.

#include "core/view/inverse.h"
#include "core/view/legal_ranges.h"
#include "core/view/overlap.h"
#include "core/view/parse.h"
#include "core/view/view_ops.h"
#include "core/view/view_verdict.h"
#include "core/view/walk.h"
#include "tests/fuzz/seeds.h"

#include <cstdint>
#include <cstdlib>

using namespace stridescope;

namespace {

void check(bool holds) {
    if (!holds) std::abort();
}

void checkRefusal(const Refusal& refusal) {
    check(!refusal.id.empty() && !refusal.message.empty());
    check(std::min(refusal.message.find('\n'), refusal.message.size()) <= 140);
}

void checkParsed(const Result<Dims>& result, std::size_t textSize) {
    if (result) {
        const auto again = parseIntegers(toString(*result));
        check(again.ok() && *again == *result);
        return;
    }
    checkRefusal(result.refusal());
    const auto* place = std::get_if<InputPosition>(&result.refusal().detail);
    check(place != nullptr && place->position >= 0 && place->position <= static_cast<Index>(textSize));
}

/// Sizes, strides and offset from one list of numbers, then everything that a window would ask about the view.
void checkView(const Dims& numbers) {
    if (numbers.empty()) return;
    const std::size_t rank = (numbers.size() - 1) / 2;
    const std::span<const Index> all = numbers;
    const auto made = makeView(all.subspan(1, rank), all.subspan(1 + rank, rank), numbers[0]);
    if (!made) return checkRefusal(made.refusal());
    const View& v = *made;
    constexpr Index kStorage = 1000;
    const auto range = reach(v);
    check(range.ok());
    const bool inside = checkInBounds(v, kStorage).ok();
    static_cast<void>(legalRanges(v, kStorage, true));
    static_cast<void>(walkOf(v));
    static_cast<void>(v.isContiguous() && v.isDense());
    static_cast<void>(cloneLayout(v));
    for (Index d = -1; d < v.dim(); ++d) {
        static_cast<void>(unsqueeze(v, d));
        static_cast<void>(squeeze(v, d));
        static_cast<void>(slice(v, d, 1, -1, 2));
        static_cast<void>(unfold(v, d, 2, 3));
        static_cast<void>(diagonal(v, 1, d, 0));
        static_cast<void>(narrow(v, d, 1, 1));
        if (const auto picked = select(v, d, -1); picked && !range->empty()) check(reach(*picked).ok());
    }
    static_cast<void>(expand(v, Dims{2, 3, -1, -1}));
    static_cast<void>(viewAs(v, Dims{-1}));
    static_cast<void>(mergeRules(v));
    static_cast<void>(waysOut(v, Dims{v.numel()}));
    if (!inside || range->empty()) return;
    static_cast<void>(cacheLines(v, kStorage, 4));
    if (v.numel() > 4096) return;
    const OverlapVerdict verdict = selfOverlap(v);
    check(verdict.answer != OverlapAnswer::Undecided);
    if (verdict.answer == OverlapAnswer::Overlaps)
        check(v.slot(verdict.witness.first) == v.slot(verdict.witness.second));
    for (const Dims& coord : coordsAt(v, range->highest, 16).coords) check(v.slot(coord) == range->highest);
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    // As numbers of one view: offset, sizes, strides.
    fuzz::writeSeedsIfAsked({"",
                             "()",
                             "(5,)",
                             "2, 3",
                             "[2, 3]",
                             "2 x 3",
                             "2\xC3\x97"
                             "3",
                             "2,3,,4",
                             "(2,3",
                             "-1",
                             "3L",
                             "1e9",
                             "9223372036854775808",
                             "0, 3, 4, 4, 1",
                             "5, 4, 3, 1, 4",
                             "0, 2, 3, 4, 12, 4, 1",
                             "2, 5, 3, 1, 1",
                             "9, 3, 4, -4, 1",
                             "1, 3, 2, 2, 0, 1, 2",
                             "0, 0, 3, 3, 1",
                             "0, 1, 1, 99, -9",
                             "9223372036854765808, 5, 2",
                             "0, 4611686018427387904, 2, 4, 1",
                             "0, 2, 2, 2, 2, 2, 2, 2, 2, 128, 64, 32, 16, 8, 4, 2, 1"});
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    checkParsed(parseShape(text), size);
    checkParsed(parseShape(text, true), size);
    const auto numbers = parseIntegers(text);
    checkParsed(numbers, size);
    if (numbers) checkView(*numbers);
    return 0;
}
