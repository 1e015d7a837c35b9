// Sources among which values choose: which of them it is, where those values are known.

#include "app/workspace/replay.h"
#include "app/workspace/whence_tree.h"

#include <QCoreApplication>

#include <algorithm>
#include <cstring>

namespace stridescope {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Whence)
};

std::optional<Index> integerOf(const PastValue& value) {
    const auto as = [&value]<class T>(T number) {
        std::memcpy(&number, value.bytes.data(), sizeof number);
        return static_cast<Index>(number);
    };
    switch (value.dtype) {
    case DType::Int64:
        return as(std::int64_t{});
    case DType::Int32:
        return as(std::int32_t{});
    case DType::Int16:
        return as(std::int16_t{});
    case DType::Int8:
        return as(std::int8_t{});
    case DType::UInt8:
        return as(std::uint8_t{});
    default:
        return std::nullopt;
    }
}

} // namespace

std::optional<PastValue> WhenceTree::createdAgain(const OpRecord& record, const Dims& coord) {
    constexpr Index kMade = 512;
    if (record.outputs[0].view.numel() > kMade) return std::nullopt;
    const auto made = madeAgain(record);
    if (!made) return std::nullopt;
    const Tensor& tensor = made->front();
    PastValue value{{}, tensor.dtype()};
    const std::size_t size = tensor.itemSize();
    std::memcpy(value.bytes.data(),
                tensor.storage()->data() + static_cast<std::size_t>(tensor.view().slot(coord)) * size, size);
    return value;
}

std::optional<Dims> WhenceTree::chosenByIndices(const OpRecord& record, const Sources& sources, PastMoment at,
                                                int depth) {
    if (sources.kind != SourceKind::Chosen || sources.boxes.size() < 2 || sources.boxes[0].input != 0)
        return std::nullopt;
    const SourceBox& line = sources.boxes[0];
    const auto open = static_cast<std::size_t>(
        std::count_if(line.length.begin(), line.length.end(), [](Index length) { return length != 1; }));
    if (open != sources.boxes.size() - 1) return std::nullopt; // a dim of size 1: which index is that of it?
    Dims coord = line.start;
    std::size_t index = 1;
    for (std::size_t d = 0; d < coord.size(); ++d) {
        if (line.length[d] == 1) continue;
        const SourceBox& number = sources.boxes[index++];
        if (number.numel() != 1) return std::nullopt;
        const auto value = valueOf({record.inputs[number.input], number.start}, at, depth + 1);
        const auto integer = value ? integerOf(*value) : std::nullopt;
        if (!integer) return std::nullopt;
        coord[d] = *integer < 0 ? *integer + line.length[d] : *integer;
        if (coord[d] < 0 || coord[d] >= line.length[d]) return std::nullopt;
    }
    return coord;
}

std::optional<Sources> WhenceTree::equalOnes(const OpRecord& record, const Sources& sources,
                                             const WrittenElement& element, PastMoment at, int depth) {
    constexpr Index kCompared = 512;
    if (sources.kind != SourceKind::Chosen || !record.name.starts_with("unique") || sources.boxes.size() != 1 ||
        sources.boxes[0].numel() > kCompared)
        return std::nullopt;
    const PastMoment after{at.step, at.record + 1};
    const auto wanted = valueOf({record.outputs[element.output], element.coord}, after, depth + 1);
    if (!wanted) return std::nullopt;
    Sources equal{SourceKind::Chosen, {}};
    for (Index k = 0; k < sources.boxes[0].numel(); ++k) {
        const SourceBox& all = sources.boxes[0];
        Dims coord = all.start;
        Index rest = k;
        for (std::size_t d = coord.size(); d-- > 0; rest /= all.length[d]) coord[d] += rest % all.length[d];
        const auto value = valueOf({record.inputs[0], coord}, at, depth + 1);
        if (!value) return std::nullopt;
        if (*value == *wanted) equal.boxes.push_back({0, coord, Dims(coord.size(), 1)});
    }
    if (equal.boxes.empty()) return std::nullopt;
    return equal;
}

bool WhenceTree::byIndices(Whence& whence, const QString& label, const OpRecord& record, Sources sources, PastMoment at,
                           int depth) {
    const auto coord = chosenByIndices(record, sources, at, depth);
    if (!coord) return false;
    whence.text = label + QStringLiteral(" = ") + labelOf({record.inputs[0], *coord}, at.step);
    QStringList numbers;
    for (std::size_t i = 1; i < sources.boxes.size(); ++i) {
        const PastElement index{record.inputs[sources.boxes[i].input], sources.boxes[i].start};
        numbers << labelOf(index, at.step) + QStringLiteral(" = ") + valueText(index, at);
    }
    whence.note = Words::tr("chosen by %1: %2").arg(numbers.join(QStringLiteral(", ")), codeOf(record, at));
    sources.boxes[0] = {0, *coord, Dims(coord->size(), 1)};
    addSources(whence, record, sources, at, depth);
    return true;
}

} // namespace stridescope
