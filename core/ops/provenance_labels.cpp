// Sums over dims that are named in pairs: tensordot(), einsum().

#include "core/ops/provenance_rules.h"

#include <algorithm>
#include <string>

namespace stridescope::provenance {

namespace {

/// For each input a letter for each of its dims, and those of the output: "ij", "jk" and "ik".
struct Labels {
    std::vector<std::string> inputs;
    std::string output;
};

/// One element where the output has the dim, all of it where that is summed.
Answer sourcesBy(const Labels& labels, const Asked& asked) {
    if (labels.inputs.size() != asked.inputs() || labels.output.size() != asked.coord.size()) return std::nullopt;
    Sources sources{SourceKind::All, {}};
    for (std::size_t i = 0; i < asked.inputs(); ++i) {
        const std::string& own = labels.inputs[i];
        SourceBox box = whole(asked, i);
        if (own.size() != box.length.size()) return std::nullopt;
        for (std::size_t d = 0; d < own.size(); ++d) {
            const std::size_t at = labels.output.find(own[d]);
            if (at == std::string::npos) continue;
            if (box.length[d] != 1 && box.length[d] != asked.shape[at]) return std::nullopt;
            box.start[d] = box.length[d] == 1 ? 0 : asked.coord[at];
            box.length[d] = 1;
        }
        if (box.numel() == 0) return Sources{SourceKind::Made, {}}; // the sum of nothing
        sources.boxes.push_back(std::move(box));
    }
    return sources;
}

std::optional<std::vector<Index>> listIn(const std::string& text) {
    if (text.size() < 2 || text.front() != '(') return std::nullopt;
    std::vector<Index> numbers;
    for (const std::string& part : parts(std::string_view(text).substr(1, text.size() - 2)))
        numbers.push_back(std::stol(part));
    return numbers;
}

} // namespace

Answer overPairs(const Asked& asked) {
    const std::string given = asked.call.text("dims");
    if (asked.inputs() != 2 || given.size() < 2 || given.front() != '(') return std::nullopt;
    const std::vector<std::string> lists = parts(std::string_view(given).substr(1, given.size() - 2));
    if (lists.size() != 2) return std::nullopt;
    Labels labels;
    char next = 'A';
    for (std::size_t i = 0; i < 2; ++i) {
        const auto numbers = listIn(lists[i]);
        const auto dims = numbers ? normalised(*numbers, asked.input(i).size()) : std::nullopt;
        if (!dims) return std::nullopt;
        std::string own(asked.input(i).size(), ' ');
        for (std::size_t k = 0; k < dims->size(); ++k) own[(*dims)[k]] = static_cast<char>('a' + k); // summed
        for (char& label : own) {
            if (label != ' ') continue;
            label = next++;
            labels.output += label;
        }
        labels.inputs.push_back(std::move(own));
    }
    return sourcesBy(labels, asked);
}

Answer byLabels(const Asked& asked) {
    const std::vector<std::string> all = parts(asked.record.arguments);
    if (all.empty() || all[0].find('.') != std::string::npos) return std::nullopt;
    Labels labels;
    labels.inputs.emplace_back();
    bool behindArrow = false;
    for (const char c : all[0]) {
        if (c == '>') behindArrow = true;
        if (c == ',') labels.inputs.emplace_back();
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) (behindArrow ? labels.output : labels.inputs.back()) += c;
    }
    if (!behindArrow) { // those that stand there once, in order
        std::string letters;
        for (const std::string& own : labels.inputs) letters += own;
        std::sort(letters.begin(), letters.end());
        for (const char c : letters)
            if (std::count(letters.begin(), letters.end(), c) == 1) labels.output += c;
    }
    return sourcesBy(labels, asked);
}

} // namespace stridescope::provenance
