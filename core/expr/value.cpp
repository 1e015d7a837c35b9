#include "core/expr/value.h"

#include "core/io/text.h"
#include "core/print/repr.h"
#include "core/tensor/element.h"

namespace stridescope::expr {

Value tupleOf(std::span<const Index> numbers, Sequence::Kind kind) {
    Sequence sequence;
    sequence.kind = kind;
    sequence.items.reserve(numbers.size());
    for (const Index number : numbers) sequence.items.emplace_back(number);
    return sequence;
}

std::string typeName(const Value& value) {
    if (const auto* scalar = value.as<Scalar>()) return scalar->isBool() ? "bool" : scalar->isInt() ? "int" : "float";
    if (const auto* sequence = value.as<Sequence>()) {
        switch (sequence->kind) {
        case Sequence::Kind::Tuple:
            return "tuple";
        case Sequence::Kind::List:
            return "list";
        case Sequence::Kind::Size:
            return "torch.Size";
        }
    }
    if (const auto* archive = value.as<Archive>()) return archive->type;
    constexpr const char* kNames[] = {"NoneType",     "ellipsis", "slice",    "int",     "str",   "torch.dtype",
                                      "torch.device", "Tensor",   "sequence", "NpzFile", "module"};
    return kNames[value.holder().index()];
}

namespace {

std::string sequenceText(const Sequence& sequence) {
    std::string text;
    for (const Value& item : sequence.items) {
        if (!text.empty()) text += ", ";
        text += repr(item);
    }
    switch (sequence.kind) {
    case Sequence::Kind::List:
        return "[" + text + "]";
    case Sequence::Kind::Size:
        return "torch.Size([" + text + "])";
    case Sequence::Kind::Tuple:
        break;
    }
    return "(" + text + (sequence.items.size() == 1 ? ",)" : ")");
}

std::string boundText(std::optional<Index> bound) {
    return bound ? std::to_string(*bound) : "None";
}

/// As Python writes texts: in double quotes where that saves escapes.
std::string quoted(const std::string& text) {
    const bool both = text.find('"') != std::string::npos;
    const char quote = text.find('\'') != std::string::npos && !both ? '"' : '\'';
    std::string inner;
    for (const char c : text) {
        if (c == '\\' || c == quote) inner += '\\';
        inner += c;
    }
    return quote + sanitiseForDisplay(inner, 8 * inner.size() + 1) + quote;
}

} // namespace

std::string repr(const Value& value) {
    if (const auto* scalar = value.as<Scalar>()) return toString(*scalar);
    if (const auto* text = value.as<std::string>()) return quoted(*text);
    if (const auto* dtype = value.as<DType>()) return "torch." + std::string(name(*dtype));
    if (const auto* device = value.as<Device>()) {
        if (device->isCpu()) return "device(type='cpu')";
        return "device(type='cuda', index=" + std::to_string(device->index) + ")";
    }
    if (const auto* tensor = value.as<TensorValue>()) return stridescope::repr(tensor->tensor);
    if (const auto* sequence = value.as<Sequence>()) return sequenceText(*sequence);
    if (const auto* slice = value.as<SliceValue>())
        return "slice(" + boundText(slice->start) + ", " + boundText(slice->end) + ", " + boundText(slice->step) + ")";
    if (value.is<EllipsisValue>()) return "Ellipsis";
    if (const auto* module = value.as<Value::Module>()) return "<module '" + module->name + "'>";
    if (const auto* archive = value.as<Archive>()) {
        std::string names;
        for (const std::string& name : archive->names) names += (names.empty() ? "" : ", ") + name;
        return archive->type + (archive->hasAttributes() ? " with parts: " : " with keys: ") + names;
    }
    return "None";
}

std::string str(const Value& value) {
    if (const auto* text = value.as<std::string>()) return *text;
    if (const auto* device = value.as<Device>()) return toString(*device);
    return repr(value);
}

std::optional<Index> asIndex(const Value& value) {
    const auto* scalar = value.as<Scalar>();
    if (!scalar || scalar->isFloat()) return std::nullopt;
    return scalar->toInt();
}

std::optional<Dims> asDims(const Value& value) {
    const auto* sequence = value.as<Sequence>();
    if (!sequence) return std::nullopt;
    Dims dims;
    for (const Value& item : sequence->items) {
        const auto number = asIndex(item);
        if (!number) return std::nullopt;
        dims.push_back(*number);
    }
    return dims;
}

std::string exceptionName(const Refusal& refusal) {
    if (refusal.id.rfind("EXPR-0", 0) == 0 || refusal.id == "EXPR-10") return "SyntaxError";
    if (refusal.id == "EXPR-20") return "NameError";
    if (refusal.id == "EXPR-21") return "AttributeError";
    if (refusal.id == "EXPR-27") return "ZeroDivisionError";
    if (refusal.id == "JOB-01") return "KeyboardInterrupt";
    if (refusal.id == "DEV-13") return "AssertionError";
    switch (refusal.kind) {
    case ErrorKind::Index:
        return "IndexError";
    case ErrorKind::Value:
        return "ValueError";
    case ErrorKind::Type:
        return "TypeError";
    case ErrorKind::NotImplemented:
        return "NotImplementedError";
    case ErrorKind::Memory:
        return "MemoryError";
    case ErrorKind::Io:
        return "OSError";
    case ErrorKind::Runtime:
    case ErrorKind::Device:
        break;
    }
    return "RuntimeError";
}

} // namespace stridescope::expr
