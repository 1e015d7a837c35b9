#include "widgets/motion/motion_sources.h"

#include "core/view/walk.h"
#include "widgets/scene/cell_values.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <unordered_map>

namespace stridescope::motion {

namespace {

bool isOneOf(const std::string& name, std::initializer_list<const char*> names) {
    return std::any_of(names.begin(), names.end(), [&](const char* each) { return name == each; });
}

/// Reads elements of a side as they were before the operation.
class SideValues {
public:
    SideValues(const MotionInput& input, const TensorRecord& side, bool after = false) : m_view(side.view) {
        const int storage = storageOf(input, side);
        if (storage < 0) return;
        const MotionStorage& found = input.storages[static_cast<std::size_t>(storage)];
        m_values.emplace(after ? found.after : found.before);
    }
    bool known() const { return m_values && m_values->readable(); }
    std::optional<Index> number(Index position) const {
        const Index slot = m_view.slot(coordOfPosition(m_view, position));
        if (!known() || !m_values->holds(slot)) return std::nullopt;
        return static_cast<Index>(m_values->at(slot));
    }
    const std::byte* address(Index position) const {
        const Index slot = m_view.slot(coordOfPosition(m_view, position));
        return known() && m_values->holds(slot) ? m_values->address(slot) : nullptr;
    }
    std::size_t size() const { return itemSize(m_values->dtype()); }
    /// What equal elements share. Precondition: known.
    std::string key(Index position) const {
        const std::byte* const there = address(position);
        if (!there) return {};
        const bool zero = m_values->at(m_view.slot(coordOfPosition(m_view, position))) == 0;
        if (zero) return "0"; // of floats -0, too
        return {reinterpret_cast<const char*>(there), size()};
    }
    bool isNumber(Index position) const {
        const Index slot = m_view.slot(coordOfPosition(m_view, position));
        return !m_values->holds(slot) || !std::isnan(m_values->at(slot));
    }

private:
    View m_view;
    std::optional<CellValues> m_values;
};

using Moved = std::optional<std::vector<Source>>;

/// The k-th element that the mask lets through; dims of the input after those of the mask come whole.
Moved throughMask(const MotionInput& input, const View& made) {
    const View &from = input.record.inputs[0].view, &mask = input.record.inputs[1].view;
    if (mask.shape.size() > from.shape.size() || !std::equal(mask.shape.begin(), mask.shape.end(), from.shape.begin()))
        return std::nullopt;
    Index rest = 1;
    for (std::size_t d = mask.shape.size(); d < from.shape.size(); ++d) rest *= from.shape[d];
    const SideValues let(input, input.record.inputs[1]);
    std::vector<Source> all;
    for (Index p = 0; p < mask.numel(); ++p) {
        const auto value = let.number(p);
        if (!value) return std::nullopt;
        for (Index r = 0; *value != 0 && r < rest; ++r) all.push_back({0, p * rest + r});
    }
    if (std::ssize(all) != made.numel()) return std::nullopt;
    return all;
}

/// x[index] and x.take(index): numbers of rows, or of elements of all.
Moved byNumbers(const MotionInput& input, const View& made, bool ofAll) {
    const View &from = input.record.inputs[0].view, &index = input.record.inputs[1].view;
    if (!ofAll && from.shape.empty()) return std::nullopt;
    const Index lines = ofAll ? from.numel() : from.shape[0];
    const Index rest = lines > 0 ? from.numel() / lines : 0;
    const SideValues numbers(input, input.record.inputs[1]);
    std::vector<Source> all;
    for (Index p = 0; p < index.numel(); ++p) {
        auto value = numbers.number(p);
        if (!value) return std::nullopt;
        if (*value < 0) *value += lines;
        if (*value < 0 || *value >= lines) return std::nullopt;
        for (Index r = 0; r < rest; ++r) all.push_back({0, *value * rest + r});
    }
    if (std::ssize(all) != made.numel()) return std::nullopt;
    return all;
}

/// One of a line, which a number of the index names: gather(), index_select().
std::optional<Source> chosenByIndex(const MotionInput& input, const Sources& sources) {
    const SourceBox *line = nullptr, *number = nullptr;
    for (const SourceBox& box : sources.boxes) (box.input == 0 ? line : number) = &box;
    if (!line || !number || number->numel() != 1) return std::nullopt;
    const Dims& shape = input.record.inputs[0].view.shape;
    const auto value = SideValues(input, input.record.inputs[number->input])
                           .number(positionOf(input.record.inputs[number->input].view.shape, number->start));
    if (!value) return std::nullopt;
    Dims coord = line->start;
    for (std::size_t d = 0; d < coord.size(); ++d) {
        if (line->length[d] == 1) continue;
        coord[d] = *value < 0 ? *value + shape[d] : *value;
        if (coord[d] < 0 || coord[d] >= shape[d]) return std::nullopt;
    }
    return Source{0, positionOf(shape, coord)};
}

/// Those of a line in another order: each element goes to the first free place with its bytes.
std::optional<Source> chosenByValue(const MotionInput& input, const Sources& sources, const std::byte* made,
                                    const SideValues& from, std::vector<bool>& taken) {
    if (!made || sources.boxes.size() != 1 || !from.known()) return std::nullopt;
    const SourceBox& box = sources.boxes.front();
    for (const Index position : positionsIn(input.record.inputs[box.input].view.shape, box, kMovingCells)) {
        const std::byte* there = from.address(position);
        if (taken[static_cast<std::size_t>(position)] || !there || std::memcmp(there, made, from.size()) != 0) continue;
        taken[static_cast<std::size_t>(position)] = true;
        return Source{box.input, position};
    }
    return std::nullopt;
}

} // namespace

int storageOf(const MotionInput& input, const TensorRecord& record) {
    for (std::size_t i = 0; i < input.storages.size(); ++i)
        if (input.storages[i].id == record.storageId && input.storages[i].dtype == record.dtype)
            return static_cast<int>(i);
    return -1;
}

Index positionOf(const Dims& shape, const Dims& coord) {
    Index position = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) position = position * shape[d] + coord[d];
    return position;
}

std::vector<Index> positionsIn(const Dims& shape, const SourceBox& box, Index most) {
    std::vector<Index> all;
    const Index count = std::min(box.numel(), most);
    for (Index k = 0; k < count; ++k) {
        Dims coord = box.start;
        Index rest = k;
        for (std::size_t d = coord.size(); d-- > 0; rest /= box.length[d]) coord[d] += rest % box.length[d];
        all.push_back(positionOf(shape, coord));
    }
    return all;
}

bool leavesMemoryAsItIs(const OpRecord& record) {
    return record.effect == OpEffect::Alloc && (record.name.starts_with("empty") || record.name == "new_empty");
}

std::optional<std::vector<Source>> movedFrom(const MotionInput& input, std::size_t o) {
    const OpRecord& record = input.record;
    const TensorRecord& made = record.outputs[o];
    const Index count = made.view.numel();
    if (count > kMovingCells || record.inputs.empty()) return std::nullopt;
    if (o == 0 && std::ssize(input.moved) == count && count > 0) {
        std::vector<Source> all;
        for (const Index position : input.moved) all.push_back({0, position});
        return all;
    }
    if (record.inputs.size() == 2 && o == 0) {
        const bool mask = record.inputs[1].dtype == DType::Bool;
        const bool items = record.name == "getitem" && record.arguments.find(',') == std::string::npos;
        if (mask && (items || record.name == "masked_select")) return throughMask(input, made.view);
        if (!mask && (items || record.name == "take")) return byNumbers(input, made.view, record.name == "take");
    }
    if (isOneOf(record.name, {"getitem", "masked_select", "take"})) return std::nullopt;
    const bool sorts = isOneOf(record.name, {"sort", "topk"}) && o == 0;
    const SideValues values(input, made, true), from(input, record.inputs[0]);
    std::vector<bool> taken(static_cast<std::size_t>(sorts ? record.inputs[0].view.numel() : 0));
    std::vector<Source> all;
    for (Index k = 0; k < count; ++k) {
        const Sources sources = sourcesOf(record, o, coordOfPosition(made.view, k));
        std::optional<Source> one;
        if (sorts) {
            one = chosenByValue(input, sources, values.address(k), from, taken);
        } else if (isOneOf(record.name, {"gather", "take_along_dim", "index_select"})) {
            one = chosenByIndex(input, sources);
        } else if (sources.boxes.size() == 1 && sources.boxes[0].numel() == 1 &&
                   (sources.kind == SourceKind::Each || sources.kind == SourceKind::Same)) {
            const SourceBox& box = sources.boxes[0];
            one = Source{box.input, positionOf(record.inputs[box.input].view.shape, box.start)};
        }
        if (!one) return std::nullopt;
        all.push_back(*one);
    }
    return all;
}

std::optional<std::vector<std::vector<Index>>> equalGroups(const MotionInput& input) {
    const OpRecord& record = input.record;
    const bool runs = record.name == "unique_consecutive";
    if ((!runs && record.name != "unique") || record.inputs.size() != 1 || record.outputs.empty() ||
        record.arguments.find("dim=") != std::string::npos)
        return std::nullopt;
    const Index count = record.inputs[0].view.numel(), made = record.outputs[0].view.numel();
    const SideValues from(input, record.inputs[0]), values(input, record.outputs[0], true);
    if (count > kMovingCells || made > count || !from.known() || !values.known()) return std::nullopt;
    std::vector<std::vector<Index>> groups(static_cast<std::size_t>(made));
    std::unordered_map<std::string, Index> resultOf; // nan is not equal to nan, and each has a result of its own
    std::vector<Index> ofTheirOwn;
    for (Index k = 0; k < made && !runs; ++k) {
        if (values.isNumber(k))
            resultOf.emplace(values.key(k), k);
        else
            ofTheirOwn.push_back(k);
    }
    std::size_t own = 0;
    Index run = -1;
    for (Index p = 0; p < count; ++p) {
        Index k = -1;
        if (runs) {
            if (p == 0 || !from.isNumber(p) || from.key(p) != from.key(p - 1)) ++run;
            k = run;
        } else if (!from.isNumber(p)) {
            if (own < ofTheirOwn.size()) k = ofTheirOwn[own++];
        } else if (const auto found = resultOf.find(from.key(p)); found != resultOf.end()) {
            k = found->second;
        }
        if (k < 0 || k >= made) return std::nullopt;
        groups[static_cast<std::size_t>(k)].push_back(p);
    }
    const bool all = std::none_of(groups.begin(), groups.end(), [](const auto& group) { return group.empty(); });
    if (!all || made == 0) return std::nullopt;
    return groups;
}

} // namespace stridescope::motion
