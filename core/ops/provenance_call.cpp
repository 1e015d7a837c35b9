#include "core/ops/provenance_call.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace stridescope::provenance {

namespace {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

/// Parameters that are tensors: records name them among the inputs.
bool isTensor(std::string_view name) {
    static constexpr std::array<std::string_view, 25> kTensors = {
        "input", "other", "tensors", "mat1",   "mat2",   "vec",     "vec2",     "a", "b",
        "src",   "x",     "index",   "mask",   "batch1", "batch2",  "tensor",   "A", "B",
        "L",     "LU",    "LD",      "pivots", "tau",    "LU_data", "LU_pivots"};
    return std::find(kTensors.begin(), kTensors.end(), name) != kTensors.end();
}

std::optional<Index> numberIn(std::string_view text) {
    text = trimmed(text);
    Index value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// Where "name=value" is cut; npos for a value alone.
std::size_t equalsAt(std::string_view part) {
    const std::size_t at = part.find('=');
    if (at == std::string_view::npos || at == 0) return std::string_view::npos;
    const auto letter = [](char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    return std::all_of(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(at), letter) ? at
                                                                                             : std::string_view::npos;
}

} // namespace

std::vector<std::string> parts(std::string_view text) {
    std::vector<std::string> found;
    int depth = 0;
    char quote = 0;
    std::size_t begin = 0;
    const auto take = [&](std::size_t end) {
        if (const std::string_view part = trimmed(text.substr(begin, end - begin)); !part.empty())
            found.emplace_back(part);
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote != 0) {
            if (c == quote) quote = 0;
        } else if (c == '\'' || c == '"') {
            quote = c;
        } else if (c == '(' || c == '[' || c == '{') {
            ++depth;
        } else if (c == ')' || c == ']' || c == '}') {
            --depth;
        } else if (c == ',' && depth == 0) {
            take(i);
            begin = i + 1;
        }
    }
    take(text.size());
    return found;
}

Call::Call(const Operation* operation, std::string_view arguments) {
    std::vector<std::string> names;
    if (operation && operation->signature.size() > 2) {
        const std::string_view inside = operation->signature.substr(1, operation->signature.size() - 2);
        for (const std::string& part : parts(inside)) {
            if (part == "*" || part == "/") continue;
            const std::size_t cut = equalsAt(part);
            const std::string name = part.substr(0, cut);
            if (isTensor(name)) continue;
            names.push_back(name);
            if (cut != std::string::npos) m_values[name] = part.substr(cut + 1);
        }
    }
    std::size_t next = 0;
    for (const std::string& part : parts(arguments)) {
        if (part.front() == '{') continue; // an input, told elsewhere
        const std::size_t cut = equalsAt(part);
        if (cut != std::string::npos)
            m_values[part.substr(0, cut)] = part.substr(cut + 1);
        else if (next < names.size())
            m_values[names[next++]] = part;
    }
}

std::string Call::text(std::string_view parameter) const {
    const auto it = m_values.find(parameter);
    return it == m_values.end() ? std::string() : it->second;
}

std::optional<Index> Call::number(std::string_view parameter) const {
    return numberIn(text(parameter));
}

std::optional<std::vector<Index>> Call::numbers(std::string_view parameter) const {
    const std::string value = text(parameter);
    if (value.empty()) return std::nullopt;
    std::string_view inside = value;
    if (inside.front() == '(' || inside.front() == '[') inside = inside.substr(1, inside.size() - 2);
    std::vector<Index> found;
    for (const std::string& part : parts(inside)) {
        const std::optional<Index> number = numberIn(part);
        if (!number) return std::nullopt;
        found.push_back(*number);
    }
    return found;
}

} // namespace stridescope::provenance
