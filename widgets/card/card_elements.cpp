// What a card tells of its view's elements: which one is shown, how wide their texts are, which share a cell.

#include "core/view/inverse.h"
#include "widgets/card/card_parts.h"
#include "widgets/card/text_metrics.h"
#include "widgets/scene/cell_values.h"

#include <algorithm>
#include <array>

namespace stridescope::card {

std::vector<Dims> shownCoords(const CardInput& input, const View& view) {
    constexpr std::size_t kLimit = 64;
    std::vector<Dims> coords;
    const Tensor& tensor = input.entry->tensor;
    if (!input.shown || !tensor.defined() || input.shown->storageId != tensor.storage()->id()) return coords;
    coords = coordsAt(view, input.shown->slot, kLimit).coords;
    if (input.shown->tensor == input.entry->id && input.shown->coord.size() == view.shape.size()) {
        // The one pointed at leads; it may be missing when the limit cut the list.
        const Dims& at = input.shown->coord;
        bool inside = true;
        for (std::size_t d = 0; d < at.size(); ++d) inside = inside && at[d] >= 0 && at[d] < view.shape[d];
        if (inside && view.slot(std::span<const Index>(at.data(), at.size())) == input.shown->slot) {
            const auto found = std::find(coords.begin(), coords.end(), at);
            if (found == coords.end())
                coords.insert(coords.begin(), at);
            else
                std::rotate(coords.begin(), found, found + 1);
        }
    }
    return coords;
}

namespace {

std::size_t longestText(const Tensor& source, const View& view, CellText text) {
    constexpr std::size_t kMostChars = 13; // longer values are rounded by the painter
    constexpr Index kSample = 512;
    const CellValues values(source);
    const Index n = view.numel();
    const Index samples = n <= kNumberedCells ? n : kSample;
    std::size_t longest = 1;
    std::string buffer;
    for (Index k = 0; k < samples; ++k) {
        Index rest =
            samples == n ? k : static_cast<Index>(static_cast<__int128>(k) * (n - 1) / (samples - 1)); // with the last
        Index slot = view.offset;
        for (std::size_t d = view.shape.size(); d-- > 0;) {
            slot += rest % view.shape[d] * view.stride[d];
            rest /= view.shape[d];
        }
        const bool known = values.readable() && values.holds(slot);
        if (text != CellText::Value || !known) longest = std::max(longest, std::to_string(slot).size());
        if (text == CellText::Index || text == CellText::None || !known) continue;
        buffer.clear();
        values.appendText(buffer, slot, kMostChars);
        longest = std::max(longest, buffer.size());
    }
    return longest;
}

} // namespace

qreal widestCell(const Tensor& source, const View& view, CellText text) {
    // Cards are laid out several times at every mouse move; elements are read again only after a write.
    struct Known {
        quint64 storage = 0, version = 0;
        DType dtype = DType::Float32;
        CellText text = CellText::Value;
        View view;
        std::size_t longest = 0; ///< 0: nothing is known
    };
    static thread_local std::array<Known, 32> known;
    static thread_local std::size_t next = 0;
    const auto widthOf = [](std::size_t chars) {
        return textWidth(FontRole::Cell, QString(static_cast<qsizetype>(chars), QLatin1Char('0')));
    };
    if (!source.defined()) return widthOf(longestText(source, view, text));
    const Storage& storage = *source.storage();
    for (const Known& entry : known) {
        if (entry.longest > 0 && entry.storage == storage.id() && entry.version == storage.version() &&
            entry.dtype == source.dtype() && entry.text == text && entry.view == view)
            return widthOf(entry.longest);
    }
    Known& entry = known[next];
    next = (next + 1) % known.size();
    entry = {storage.id(), storage.version(), source.dtype(), text, view, longestText(source, view, text)};
    return widthOf(entry.longest);
}

std::unordered_map<Index, Index> overlapCounts(const View& view) {
    std::unordered_map<Index, Index> counts;
    View real = view;
    for (std::size_t d = 0; d < real.shape.size(); ++d) {
        if (real.stride[d] == 0 && real.shape[d] > 0) real.shape[d] = 1;
    }
    if (real.isDense()) return counts;
    const Index n = real.numel();
    if (n > kNumberedCells || n == 0) return counts;
    Dims coord(real.shape.size(), 0);
    for (Index i = 0; i < n; ++i) {
        Index rest = i;
        for (std::size_t d = real.shape.size(); d-- > 0;) {
            coord[d] = rest % real.shape[d];
            rest /= real.shape[d];
        }
        ++counts[real.slot(std::span<const Index>(coord.data(), coord.size()))];
    }
    std::erase_if(counts, [](const auto& entry) { return entry.second < 2; });
    return counts;
}

} // namespace stridescope::card
