#include "core/ops/provenance_rules.h"

namespace stridescope::provenance {

namespace {

/// Which input of several that are joined along `dim`, and where in it.
Answer joinedAlong(const Asked& asked, Index dim) {
    const auto dims = normalised({dim}, asked.coord.size());
    if (!dims || dims->empty()) return std::nullopt;
    const std::size_t d = dims->front();
    Index before = 0;
    for (std::size_t i = 0; i < asked.inputs(); ++i) {
        const Dims& shape = asked.input(i);
        if (shape.size() != asked.coord.size()) {
            if (shape.size() == 1 && shape[0] == 0) continue; // old habit: empty ones of any rank are passed over
            return std::nullopt;
        }
        if (asked.coord[d] < before + shape[d]) {
            Dims coord = asked.coord;
            coord[d] -= before;
            return Sources{SourceKind::Each, {single(i, coord)}};
        }
        before += shape[d];
    }
    return std::nullopt;
}

Answer mirrored(const Asked& asked, const std::vector<Index>& along) {
    if (asked.inputs() != 1 || asked.shape != asked.input(0)) return std::nullopt;
    const auto dims = normalised(along, asked.coord.size());
    if (!dims) return std::nullopt;
    Dims coord = asked.coord;
    for (const std::size_t d : *dims) coord[d] = asked.shape[d] - 1 - coord[d];
    return Sources{SourceKind::Each, {single(0, coord)}};
}

} // namespace

Answer joined(const Asked& asked) {
    return joinedAlong(asked, asked.call.number("dim").value_or(0));
}

Answer stacked(const Asked& asked) {
    const auto dims = normalised({asked.call.number("dim").value_or(0)}, asked.coord.size());
    if (!dims || dims->empty()) return std::nullopt;
    const std::size_t d = dims->front();
    const auto input = static_cast<std::size_t>(asked.coord[d]);
    if (input >= asked.inputs() || asked.input(input).size() + 1 != asked.coord.size()) return std::nullopt;
    Dims coord;
    for (std::size_t k = 0; k < asked.coord.size(); ++k)
        if (k != d) coord.push_back(asked.coord[k]);
    return Sources{SourceKind::Each, {single(input, coord)}};
}

Answer joinedAcross(const Asked& asked) {
    return joinedAlong(asked, asked.coord.size() == 1 ? 0 : 1);
}

Answer joinedDown(const Asked& asked) {
    return joinedAlong(asked, 0);
}

Answer repeated(const Asked& asked) {
    if (asked.inputs() != 1 || asked.input(0).size() > asked.coord.size()) return std::nullopt;
    const Dims& shape = asked.input(0);
    const std::size_t lead = asked.coord.size() - shape.size();
    Dims coord(shape.size(), 0);
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (shape[d] == 0) return std::nullopt;
        coord[d] = asked.coord[lead + d] % shape[d];
    }
    return Sources{SourceKind::Each, {single(0, coord)}};
}

Answer rolled(const Asked& asked) {
    const auto shifts = asked.call.numbers("shifts");
    const auto given = asked.call.numbers("dims");
    if (asked.inputs() != 1 || !shifts || asked.shape != asked.input(0)) return std::nullopt;
    Dims coord = asked.coord;
    const auto back = [](Index i, Index shift, Index n) { return ((i - shift) % n + n) % n; };
    if (!given || given->empty()) { // the whole tensor in reading order
        Index flat = 0, count = 1;
        for (std::size_t d = 0; d < coord.size(); ++d) {
            flat = flat * asked.shape[d] + coord[d];
            count *= asked.shape[d];
        }
        flat = back(flat, shifts->front(), count);
        for (std::size_t d = coord.size(); d-- > 0; flat /= asked.shape[d]) coord[d] = flat % asked.shape[d];
        return Sources{SourceKind::Each, {single(0, coord)}};
    }
    const auto dims = normalised(*given, coord.size());
    if (!dims || dims->size() > shifts->size()) return std::nullopt;
    for (std::size_t k = 0; k < dims->size(); ++k)
        coord[(*dims)[k]] = back(coord[(*dims)[k]], (*shifts)[k], asked.shape[(*dims)[k]]);
    return Sources{SourceKind::Each, {single(0, coord)}};
}

Answer flipped(const Asked& asked) {
    const auto dims = asked.call.numbers("dims");
    return dims ? mirrored(asked, *dims) : std::nullopt;
}

Answer flippedAcross(const Asked& asked) {
    return mirrored(asked, {1});
}

Answer flippedDown(const Asked& asked) {
    return mirrored(asked, {0});
}

Answer picked(const Asked& asked) {
    if (asked.inputs() != 2 || asked.input(1).size() != asked.coord.size() ||
        asked.input(0).size() != asked.coord.size())
        return std::nullopt;
    const auto mask = namedDims(asked);
    if (!mask) return std::nullopt;
    SourceBox line = whole(asked, 0);
    for (std::size_t d = 0; d < asked.coord.size(); ++d) {
        if ((*mask)[d]) continue;
        line.start[d] = asked.coord[d];
        line.length[d] = 1;
    }
    return Sources{SourceKind::Chosen, {line, single(1, asked.coord)}};
}

Answer pickedLine(const Asked& asked) {
    if (asked.inputs() != 2 || asked.input(1).size() > 1) return std::nullopt;
    const auto dim = asked.call.number("dim");
    const auto dims = dim ? normalised({*dim}, asked.coord.size()) : std::nullopt;
    if (!dims || dims->empty() || asked.input(0).size() != asked.coord.size()) return std::nullopt;
    SourceBox line = whole(asked, 0);
    for (std::size_t d = 0; d < asked.coord.size(); ++d) {
        if (d == dims->front()) continue;
        line.start[d] = asked.coord[d];
        line.length[d] = 1;
    }
    const Dims at = asked.input(1).empty() ? Dims{} : Dims{asked.coord[dims->front()]};
    return Sources{SourceKind::Chosen, {line, single(1, at)}};
}

Answer inReadingOrder(const Asked& asked) {
    if (asked.inputs() != 1) return std::nullopt;
    const Dims& shape = asked.input(0);
    Index flat = 0, there = 1, here = 1;
    for (std::size_t d = 0; d < asked.coord.size(); ++d) {
        flat = flat * asked.shape[d] + asked.coord[d];
        here *= asked.shape[d];
    }
    for (const Index n : shape) there *= n;
    if (here != there) return std::nullopt;
    Dims coord(shape.size(), 0);
    for (std::size_t d = shape.size(); d-- > 0; flat /= shape[d]) coord[d] = flat % shape[d];
    return Sources{SourceKind::Each, {single(0, coord)}};
}

} // namespace stridescope::provenance
