#include "core/trace/code.h"

#include <array>
#include <utility>

namespace stridescope::code {

namespace {

std::string join(std::span<const Index> values) {
    std::string text;
    for (const Index value : values) {
        if (!text.empty()) text += ", ";
        text += std::to_string(value);
    }
    return text;
}

/// Operations that Python has as functions only.
bool isFunction(std::string_view name) {
    return name == "normal" || name.ends_with("_like");
}

/// The operator of pointwise operations that Python writes between their operands; empty for all others.
std::string_view infix(std::string_view name) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kOperators{{{"add", "+"},
                                                                                        {"sub", "-"},
                                                                                        {"mul", "*"},
                                                                                        {"div", "/"},
                                                                                        {"eq", "=="},
                                                                                        {"ne", "!="},
                                                                                        {"lt", "<"},
                                                                                        {"le", "<="},
                                                                                        {"gt", ">"},
                                                                                        {"ge", ">="}}};
    for (const auto& entry : kOperators) {
        if (entry.first == name) return entry.second;
    }
    return {};
}

} // namespace

std::string arguments(std::span<const Index> values) {
    return values.empty() ? "()" : join(values);
}

std::string tuple(std::span<const Index> values) {
    return "(" + join(values) + (values.size() == 1 ? ",)" : ")");
}

std::string sliceText(Index dim, std::optional<Index> start, std::optional<Index> end, Index step) {
    std::string cut = start ? std::to_string(*start) : std::string();
    cut += ':';
    if (end) cut += std::to_string(*end);
    if (step != 1) cut += ":" + std::to_string(step);
    std::string text;
    for (Index d = 0; d < dim; ++d) text += ":, ";
    if (dim >= 0) return text + cut;
    text = "..., " + cut; // the ellipsis stands for all dims before; full slices follow for the dims after
    for (Index d = dim; d < -1; ++d) text += ", :";
    return text;
}

std::string dtypeText(DType dtype) {
    return "torch." + std::string(name(dtype));
}

std::string expression(const OpRecord& record, std::span<const std::string> inputNames) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < record.inputs.size(); ++i) {
        const bool named = i < inputNames.size() && !inputNames[i].empty();
        names.push_back(named ? inputNames[i] : i == 0 ? "x" : "x" + std::to_string(i + 1));
    }
    if (names.empty()) return "torch." + record.name + "(" + record.arguments + ")";
    if (record.name == "slice") return names[0] + "[" + record.arguments + "]";
    if (record.name == "setitem") return names[0] + record.arguments;
    const std::string_view sign = infix(record.name);
    if (!sign.empty()) {
        const std::string& right = names.size() > 1 ? names[1] : record.arguments;
        return names[0] + " " + std::string(sign) + " " + right;
    }
    const bool function = isFunction(record.name);
    std::string text = (function ? std::string("torch") : names[0]) + "." + record.name + "(";
    if (function) {
        // The tensor of torch.normal(mean, std) is the second where the mean is a number.
        if (record.arguments.starts_with("mean=")) text += "std=";
        text += names[0] + (names.size() > 1 || !record.arguments.empty() ? ", " : "");
    }
    for (std::size_t i = 1; i < names.size(); ++i) text += (i > 1 ? ", " : "") + names[i];
    if (names.size() > 1 && !record.arguments.empty()) text += ", ";
    return text + record.arguments + ")";
}

} // namespace stridescope::code
