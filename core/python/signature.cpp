#include "core/python/signature.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <stdexcept>

namespace stridescope::python {

namespace {

struct TypeEntry {
    std::string_view text; ///< in signatures
    Type type;
    const char* shown;
    const char* stub;
};
constexpr TypeEntry kTypes[] = {
    {"Tensor", Type::Tensor, "Tensor", "Tensor"},
    {"Tensor[]", Type::Tensors, "tuple of Tensors", "Sequence[Tensor]"},
    {"Tensor...", Type::Tensors, "tuple of Tensors", "Sequence[Tensor]"},
    {"Tensor*...", Type::Tensors, "tuple of Tensors", "Tensor"},
    {"int", Type::Int, "int", "int"},
    {"int[]", Type::Ints, "tuple of ints", "Sequence[int]"},
    {"int[1]", Type::IntOrInts, "tuple of ints", "Union[int, Sequence[int]]"},
    {"float", Type::Float, "float", "float"},
    {"Scalar", Type::Scalar, "Number", "Number"},
    {"bool", Type::Bool, "bool", "bool"},
    {"str", Type::Str, "str", "str"},
    {"dtype", Type::DType, "torch.dtype", "dtype"},
    {"device", Type::Device, "torch.device", "Union[device, str, int]"},
    {"layout", Type::Layout, "torch.layout", "layout"},
    {"memory_format", Type::MemoryFormat, "torch.memory_format", "memory_format"},
    {"Generator", Type::Generator, "torch.Generator", "Generator"},
    {"object", Type::Object, "object", "Any"},
    {"Tensor|Scalar", Type::TensorOrScalar, "Tensor", "Union[Tensor, Number]"},
    {"Tensor|Number", Type::TensorOrScalar, "Tensor", "Union[Tensor, Number]"},
    {"int|str", Type::IntOrStr, "int", "Union[int, str]"},
    {"Scalar|str", Type::ScalarOrStr, "Number", "Union[Number, str]"},
    {"out", Type::Out, "Tensor", "Tensor"},
    {"outs", Type::Outs, "tuple of Tensors", "Sequence[Tensor]"},
};

const TypeEntry& entryOf(Type type) {
    for (const TypeEntry& entry : kTypes)
        if (entry.type == type) return entry;
    throw std::logic_error("a type without a name");
}

[[noreturn]] void wrong(std::string_view text, const char* what) {
    throw std::logic_error("signature \"" + std::string(text) + "\": " + what);
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

void readDefault(Param& param, std::string_view whole) {
    const std::string_view value = param.defaultText;
    param.required = false;
    if (value == "None") {
        param.optional = true;
    } else if (value == "True" || value == "False") {
        param.truth = value == "True";
    } else if (value.size() >= 2 && value.front() == '\'') {
        param.text = value.substr(1, value.size() - 2);
    } else if (value == "inf") {
        param.real = std::numeric_limits<double>::infinity();
    } else if (param.type != Type::MemoryFormat && !value.starts_with('(')) {
        const char* end = value.data() + value.size();
        if (std::from_chars(value.data(), end, param.real).ptr != end) wrong(whole, "a default that is no number");
        param.number = static_cast<Index>(param.real);
    }
}

Param readParam(std::string_view text, std::string_view whole) {
    Param param;
    if (const std::size_t equals = text.find('='); equals != std::string_view::npos) {
        param.defaultText = text.substr(equals + 1);
        text = text.substr(0, equals);
    }
    const std::size_t blank = text.rfind(' ');
    if (blank == std::string_view::npos) wrong(whole, "a parameter without a type");
    param.name = text.substr(blank + 1);
    std::string_view type = trimmed(text.substr(0, blank));
    if (type.ends_with('?')) {
        param.optional = true;
        type.remove_suffix(1);
    }
    bool known = false;
    for (const TypeEntry& entry : kTypes) {
        if (entry.text != type) continue;
        param.type = entry.type;
        known = true;
    }
    if (!known) wrong(whole, "an unknown type");
    param.oneByOne = type == "int[]" || type == "Tensor..." || type == "Tensor*...";
    param.listless = type == "Tensor*...";
    param.twoForms = type == "Tensor|Number";
    if (!param.defaultText.empty()) readDefault(param, whole);
    param.key = PyUnicode_InternFromString(param.name.c_str());
    if (!param.key) throw PythonError{};
    return param;
}

} // namespace

const char* shownType(Type type) {
    return entryOf(type).shown;
}

std::string stubType(const Param& param) {
    const std::string text = entryOf(param.type).stub;
    return param.optional ? "Optional[" + text + "]" : text;
}

ParsedEntry parseSignature(std::string_view text, Handler handler, Handler direct) {
    ParsedEntry entry;
    entry.signature.handler = handler;
    entry.signature.direct = direct;
    const std::string_view whole = text;
    entry.signature.counts = !text.starts_with('+');
    entry.signature.hidden = text.starts_with('~') || text.starts_with('+');
    if (entry.signature.hidden) text.remove_prefix(1);
    const bool methodOnly = text.starts_with('.'), functionOnly = text.starts_with(':');
    if (methodOnly || functionOnly) text.remove_prefix(1);
    if (const std::size_t arrow = text.rfind(") -> "); arrow != std::string_view::npos) {
        entry.signature.outs = text.back() == 'n' ? -1 : text.back() - '0';
        text = text.substr(0, arrow + 1);
    }
    const std::size_t open = text.find('(');
    if (open == std::string_view::npos || !text.ends_with(')')) wrong(whole, "no parameter list");
    entry.name = text.substr(0, open);
    std::string_view list = text.substr(open + 1, text.size() - open - 2);

    Signature& signature = entry.signature;
    bool keywordOnly = false;
    while (!list.empty()) {
        // A comma inside a default like (-2, -1) does not end the parameter.
        std::size_t end = 0;
        for (int depth = 0; end < list.size() && (list[end] != ',' || depth > 0); ++end)
            depth += list[end] == '(' ? 1 : list[end] == ')' ? -1 : 0;
        const std::string_view item = trimmed(list.substr(0, end));
        list.remove_prefix(std::min(end + 1, list.size()));
        if (item == "*") {
            keywordOnly = true;
            continue;
        }
        Param param = readParam(item, whole);
        param.keywordOnly = keywordOnly;
        const int place = static_cast<int>(signature.params.size());
        signature.needsKeyword = signature.needsKeyword || (keywordOnly && param.required);
        if (!keywordOnly) {
            ++signature.positional;
            if (param.required) signature.required = signature.positional;
        }
        if (param.name == "out") signature.out = place;
        if (param.name == "dtype") signature.dtype = place;
        if (param.name == "names") signature.names = place;
        signature.params.push_back(std::move(param));
    }
    const bool tensorFirst = !signature.params.empty() && signature.params[0].type == Type::Tensor;
    entry.where = methodOnly                                                                  ? Where::Method
                  : functionOnly || !tensorFirst || entry.name.find('.') != std::string::npos ? Where::Function
                                                                                              : Where::Both;
    const std::size_t first = entry.where == Where::Function ? 0 : 1;
    if (signature.positional == first + 1 && signature.params[first].oneByOne)
        signature.varargs = static_cast<int>(first);
    return entry;
}

std::string Signature::written(bool method, bool namesDims, bool defaults) const {
    std::vector<const Param*> order;
    for (std::size_t i = method ? 1 : 0; i < params.size(); ++i) {
        const int place = static_cast<int>(i);
        if (place == (namesDims ? out : names) || (method && place == out)) continue; // PyTorch's methods have none
        order.push_back(&params[i]);
    }
    // What makes tensors has these before dtype, layout, device, ...
    if (std::any_of(params.begin(), params.end(), [](const Param& p) { return p.name == "layout"; })) {
        const auto isEarly = [](const Param* p) {
            return p->name == "names" || p->name == "memory_format" || p->name == "out" || p->name == "generator";
        };
        const auto options = std::find_if(order.begin(), order.end(), [](const Param* p) { return p->keywordOnly; });
        const auto middle = std::stable_partition(options, order.end(), isEarly);
        const auto rank = [](const Param* p) {
            return p->name == "generator" ? 0 : p->name == "names" ? 1 : p->name == "memory_format" ? 2 : 3;
        };
        std::stable_sort(options, middle, [&](const Param* a, const Param* b) { return rank(a) < rank(b); });
    }
    std::string text = "(";
    bool star = false;
    for (const Param* param : order) {
        if (text.size() > 1) text += ", ";
        if (param->keywordOnly && !star) {
            text += "*, ";
            star = true;
        }
        text += std::string(param->name == "names" ? "tuple of names" : shownType(param->type)) + " " + param->name;
        if (defaults && !param->required) text += "=" + (param->defaultText.empty() ? "None" : param->defaultText);
    }
    return text + ")";
}

} // namespace stridescope::python
