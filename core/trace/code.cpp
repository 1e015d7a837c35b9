#include "core/trace/code.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

namespace stridescope::code {

namespace {

/// With each record that an operation tells: so in one piece, but for long lists.
std::string join(std::span<const Index> values) {
    constexpr std::size_t kAtOnce = 8;
    std::array<char, kLongestNumber * kAtOnce> piece;
    std::string text;
    for (std::size_t i = 0; i < values.size(); i += kAtOnce) {
        if (i > 0) text += ", ";
        text.append(piece.data(), write(values.subspan(i, std::min(kAtOnce, values.size() - i)), piece.data()));
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

char* write(std::span<const Index> values, char* to) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0) {
            *to++ = ',';
            *to++ = ' ';
        }
        to = std::to_chars(to, to + kLongestNumber, values[i]).ptr;
    }
    return to;
}

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

namespace {

/// `text` with "{1}" replaced by names[1], and so on; absent when it has no such places.
std::optional<std::string> withNames(const std::string& text, std::span<const std::string> names) {
    std::string out;
    bool found = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::size_t close = i + 1, which = 0;
        for (; text[i] == '{' && close < std::min(text.size(), i + 4) && text[close] >= '0' && text[close] <= '9';
             ++close)
            which = which * 10 + static_cast<std::size_t>(text[close] - '0');
        if (close == i + 1 || close >= text.size() || text[close] != '}') {
            out += text[i];
            continue;
        }
        out += which < names.size() ? names[which] : "x";
        found = true;
        i = close;
    }
    if (!found) return std::nullopt;
    return out;
}

/// Functions of the module, not methods: of a list of tensors, or of tensors of which none comes first.
enum class Form { Method, OfList, OfTensors };
Form formOf(std::string_view name) {
    for (const std::string_view known : {"cat", "stack", "hstack", "vstack", "dstack", "column_stack"})
        if (name == known) return Form::OfList;
    for (const std::string_view known :
         {"where", "meshgrid", "cartesian_prod", "searchsorted", "repeat_interleave", "rot90", "combinations", "vander",
          "tensordot", "atleast_1d", "atleast_2d", "atleast_3d", "broadcast_tensors", "block_diag", "isin"})
        if (name == known) return Form::OfTensors;
    return name.find('.') == std::string_view::npos ? Form::Method : Form::OfTensors; // torch.linalg.solve(a, b)
}

std::vector<std::string> namesOf(const OpRecord& record, std::span<const std::string> inputNames) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < record.inputs.size(); ++i) {
        const bool named = i < inputNames.size() && !inputNames[i].empty();
        names.push_back(named ? inputNames[i] : i == 0 ? "x" : "x" + std::to_string(i + 1));
    }
    return names;
}

std::string joined(std::span<const std::string> names) {
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    return list;
}

/// As one argument: "(a, b)", "(a,)".
std::string asTuple(std::span<const std::string> names) {
    return "(" + joined(names) + (names.size() == 1 ? ",)" : ")");
}

} // namespace

std::string operand(const std::string& expression) {
    int depth = 0;
    for (const char c : expression) {
        depth += (c == '(' || c == '[') - (c == ')' || c == ']');
        if (c == ' ' && depth == 0) return "(" + expression + ")";
    }
    return expression;
}

std::string expression(const OpRecord& record, std::span<const std::string> inputNames) {
    const std::vector<std::string> names = namesOf(record, inputNames);
    if (names.empty()) return "torch." + record.name + "(" + record.arguments + ")";
    const std::string first = operand(names[0]);
    if (record.name == "slice") return first + "[" + record.arguments + "]";
    const std::optional<std::string> named = withNames(record.arguments, names);
    if (record.name == "setitem" || record.name == "getitem") return first + named.value_or(record.arguments);
    // Arguments that give the first input a place of its own: torch.add(2, x, alpha=3).
    const bool placesFirst = record.arguments.find("{0}") != std::string::npos;
    const bool inModule = record.name.find('.') != std::string::npos;
    if (named && inModule && !placesFirst) return "torch." + record.name + "(" + names[0] + ", " + *named + ")";
    if (named && (placesFirst || formOf(record.name) != Form::Method))
        return "torch." + record.name + "(" + *named + ")";
    if (named) return first + "." + record.name + "(" + *named + ")";
    // With a named argument (alpha, rounding_mode) it is no operator.
    const std::string_view sign = record.arguments.find('=') == std::string::npos ? infix(record.name) : "";
    if (!sign.empty()) {
        const std::string right = names.size() > 1 ? operand(names[1]) : record.arguments;
        return first + " " + std::string(sign) + " " + right;
    }
    if (const Form form = formOf(record.name); form != Form::Method) {
        std::string list = form == Form::OfList ? asTuple(names) : joined(names);
        if (!record.arguments.empty()) list += ", " + record.arguments;
        return "torch." + record.name + "(" + list + ")";
    }
    const bool function = isFunction(record.name);
    std::string text = (function ? std::string("torch") : first) + "." + record.name + "(";
    if (function) {
        // The tensor of torch.normal(mean, std) is the second where the mean is a number.
        if (record.arguments.starts_with("mean=")) text += "std=";
        text += names[0] + (names.size() > 1 || !record.arguments.empty() ? ", " : "");
    }
    for (std::size_t i = 1; i < names.size(); ++i) text += (i > 1 ? ", " : "") + names[i];
    if (names.size() > 1 && !record.arguments.empty()) text += ", ";
    return text + record.arguments + ")";
}

bool writesIntoOut(const OpRecord& record) {
    return record.effect == OpEffect::InPlace && !record.outputs.empty() && !record.name.ends_with('_') &&
           record.name != "setitem";
}

std::string outExpression(const OpRecord& record, std::span<const std::string> inputNames,
                          std::span<const std::string> outNames) {
    std::vector<std::string> names = namesOf(record, inputNames);
    const Form form = formOf(record.name);
    std::string given;
    if (const std::optional<std::string> named = withNames(record.arguments, names)) {
        const bool placesFirst = record.arguments.find("{0}") != std::string::npos;
        const bool inModule = record.name.find('.') != std::string::npos;
        given = placesFirst || (form != Form::Method && !inModule) ? *named : names[0] + ", " + *named;
    } else {
        // Of those that join, the record has what they write to among the inputs.
        const bool hasOut =
            form == Form::OfList && names.size() > 1 && record.inputs.back().storageId == record.outputs[0].storageId;
        if (hasOut) names.pop_back();
        given = form == Form::OfList ? asTuple(names) : joined(names);
        if (!record.arguments.empty()) given += (given.empty() ? "" : ", ") + record.arguments;
    }
    const std::string out = outNames.size() == 1 ? outNames[0] : asTuple(outNames);
    return "torch." + record.name + "(" + given + ", out=" + out + ")";
}

} // namespace stridescope::code
