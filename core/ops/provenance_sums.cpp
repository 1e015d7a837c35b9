#include "core/ops/provenance_rules.h"

#include <algorithm>
#include <functional>

namespace stridescope::provenance {

namespace {

/// All along the named dims, one elsewhere.
Answer reduced(const Asked& asked, SourceKind kind) {
    if (asked.inputs() != 1) {
        Sources sources = mixed(asked);
        if (!asked.shape.empty()) return std::nullopt;
        sources.kind = kind;
        return sources;
    }
    const auto mask = namedDims(asked);
    if (!mask) return std::nullopt;
    const Dims& shape = asked.input(0);
    const bool keepdim = asked.shape.size() == shape.size();
    SourceBox box = whole(asked, 0);
    std::size_t at = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if ((*mask)[d]) {
            if (keepdim && asked.shape[at++] != 1) return std::nullopt;
            continue;
        }
        if (at >= asked.shape.size() || asked.shape[at] != shape[d]) return std::nullopt;
        box.start[d] = asked.coord[at++];
        box.length[d] = 1;
    }
    if (at != asked.shape.size()) return std::nullopt;
    if (box.numel() == 0) return Sources{SourceKind::Made, {}}; // the sum of nothing
    return Sources{kind, {box}};
}

/// As many dims come out; `line(box, d, i)` narrows the one that is named, of which the element has index i.
Answer alongDim(const Asked& asked, SourceKind kind, const std::function<void(SourceBox&, std::size_t, Index)>& line) {
    if (asked.inputs() != 1 || asked.shape.size() != asked.input(0).size()) return std::nullopt;
    const auto mask = namedDims(asked);
    if (!mask) return std::nullopt;
    SourceBox box = whole(asked, 0);
    for (std::size_t d = 0; d < asked.shape.size(); ++d) {
        if ((*mask)[d]) {
            line(box, d, asked.coord[d]);
            continue;
        }
        if (asked.shape[d] != asked.input(0)[d]) return std::nullopt;
        box.start[d] = asked.coord[d];
        box.length[d] = 1;
    }
    return Sources{kind, {box}};
}

/// Row times column: the last dim of `a` against the last but one of `b`, or its only one. Dims before are broadcast.
Answer product(const Asked& asked, std::size_t a, std::size_t b) {
    const std::size_t ranks[] = {asked.input(a).size(), asked.input(b).size()};
    if (ranks[0] == 0 || ranks[1] == 0) return std::nullopt;
    const std::size_t rows = ranks[0] > 1 ? 1 : 0, columns = ranks[1] > 1 ? 1 : 0;
    if (asked.coord.size() < rows + columns) return std::nullopt;
    const std::size_t batch = asked.coord.size() - rows - columns;
    const auto batched = [&](SourceBox& box, std::size_t own) {
        if (own > batch) return false;
        for (std::size_t d = 0; d < own; ++d) {
            box.start[d] = box.length[d] == 1 ? 0 : asked.coord[batch - own + d];
            box.length[d] = 1;
        }
        return true;
    };
    SourceBox left = whole(asked, a), right = whole(asked, b);
    if (left.length.back() != right.length[ranks[1] - 1 - columns]) return std::nullopt;
    if (!batched(left, ranks[0] - 1 - rows) || !batched(right, ranks[1] - 1 - columns)) return std::nullopt;
    if (rows > 0) {
        left.start[ranks[0] - 2] = asked.coord[batch];
        left.length[ranks[0] - 2] = 1;
    }
    if (columns > 0) {
        right.start[ranks[1] - 1] = asked.coord.back();
        right.length[ranks[1] - 1] = 1;
    }
    if (left.numel() == 0) return Sources{SourceKind::Made, {}};
    return Sources{SourceKind::All, {left, right}};
}

} // namespace

Answer together(const Asked& asked) {
    return reduced(asked, SourceKind::All);
}

Answer chosen(const Asked& asked) {
    return reduced(asked, SourceKind::Chosen);
}

Answer cumulated(const Asked& asked) {
    return alongDim(asked, SourceKind::All, [](SourceBox& box, std::size_t d, Index i) { box.length[d] = i + 1; });
}

Answer wholeLine(const Asked& asked) {
    return alongDim(asked, SourceKind::All, [](SourceBox&, std::size_t, Index) {});
}

Answer sorted(const Asked& asked) {
    return alongDim(asked, SourceKind::Chosen, [](SourceBox&, std::size_t, Index) {});
}

Answer neighbours(const Asked& asked) {
    const Index n = asked.call.number("n").value_or(1);
    return alongDim(asked, SourceKind::All, [n](SourceBox& box, std::size_t d, Index i) {
        box.start[d] = i;
        box.length[d] = std::min(n + 1, box.length[d] - i);
    });
}

Answer rowTimesColumn(const Asked& asked) {
    return asked.inputs() == 2 ? product(asked, 0, 1) : std::nullopt;
}

Answer addedProduct(const Asked& asked) {
    if (asked.inputs() != 3) return std::nullopt;
    std::optional<SourceBox> added = broadcastFrom(asked, 0);
    Answer sources = product(asked, 1, 2);
    if (!added || !sources) return std::nullopt;
    sources->kind = SourceKind::All;
    sources->boxes.insert(sources->boxes.begin(), std::move(*added));
    return sources;
}

Answer diagonal(const Asked& asked) {
    if (asked.inputs() != 1 || asked.input(0).size() != 2) return std::nullopt;
    Sources sources{SourceKind::All, {}};
    for (Index i = 0; i < std::min(asked.input(0)[0], asked.input(0)[1]); ++i)
        sources.boxes.push_back(single(0, {i, i}));
    if (sources.boxes.empty()) sources.kind = SourceKind::Made;
    return sources;
}

Answer twoOfThree(const Asked& asked) {
    if (asked.inputs() != 2 || asked.input(0) != asked.shape || asked.input(1) != asked.shape) return std::nullopt;
    const auto first = std::find(asked.shape.begin(), asked.shape.end(), Index{3});
    const auto dims = normalised({asked.call.number("dim").value_or(first - asked.shape.begin())}, asked.shape.size());
    if (!dims || asked.shape.empty()) return std::nullopt;
    const std::size_t d = dims->front();
    Sources sources{SourceKind::All, {}};
    for (std::size_t input = 0; input < 2; ++input) {
        for (Index i = 0; i < asked.shape[d]; ++i) {
            Dims coord = asked.coord;
            coord[d] = i;
            if (i != asked.coord[d]) sources.boxes.push_back(single(input, coord));
        }
    }
    return sources;
}

Answer chained(const Asked& asked) {
    const std::size_t last = asked.inputs() - 1;
    if (asked.inputs() < 2) return std::nullopt;
    Sources sources = mixed(asked);
    if (sources.boxes.size() != asked.inputs()) return Sources{SourceKind::Made, {}}; // sums of nothing
    sources.kind = SourceKind::All;
    std::size_t at = 0;
    if (asked.input(0).size() == 2) {
        sources.boxes[0].start[0] = asked.coord[at++];
        sources.boxes[0].length[0] = 1;
    }
    if (asked.input(last).size() == 2) {
        sources.boxes[last].start[1] = asked.coord[at++];
        sources.boxes[last].length[1] = 1;
    }
    return sources;
}

Answer tiledProduct(const Asked& asked) {
    if (asked.inputs() != 2) return std::nullopt;
    const Dims &a = asked.input(0), &b = asked.input(1);
    const std::size_t rank = asked.coord.size();
    if (rank != std::max(a.size(), b.size())) return std::nullopt;
    Dims ofA(a.size(), 0), ofB(b.size(), 0);
    for (std::size_t d = 0; d < rank; ++d) { // dims count from the right
        const std::size_t leadA = rank - a.size(), leadB = rank - b.size();
        const Index size = d < leadB ? 1 : b[d - leadB];
        if (d >= leadA) ofA[d - leadA] = asked.coord[d] / size;
        if (d >= leadB) ofB[d - leadB] = asked.coord[d] % size;
    }
    return Sources{SourceKind::Each, {single(0, ofA), single(1, ofB)}};
}

Answer distinct(const Asked& asked) {
    // Where each stands and how many there are hang on all of them; so do slices along a dim, which are compared whole.
    if (asked.inputs() != 1 || &asked.shape != &asked.record.outputs[0].view.shape || asked.call.number("dim"))
        return std::nullopt;
    return Sources{SourceKind::Chosen, {whole(asked, 0)}};
}

Answer everyPair(const Asked& asked) {
    if (asked.inputs() != 2 || asked.input(0).size() != 1 || asked.input(1).size() != 1 || asked.coord.size() != 2)
        return std::nullopt;
    return Sources{SourceKind::Each, {single(0, {asked.coord[0]}), single(1, {asked.coord[1]})}};
}

} // namespace stridescope::provenance
