#include "core/session/session_value.h"

#include "core/io/text.h"
#include "core/session/session_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

namespace stridescope {

namespace {

using expr::Sequence;
using expr::Value;

/// The 64 bits of a float: NaNs and the signs of zeros stay what they are.
std::string bitsJson(double number) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string text = "\"";
    const auto bits = std::bit_cast<std::uint64_t>(number);
    for (int shift = 60; shift >= 0; shift -= 4) text += kDigits[(bits >> shift) & 15];
    return text + "\"";
}

bool readBits(io::JsonReader& json, double& out) {
    std::string text;
    if (!json.string(text, 64)) return false;
    std::uint64_t bits = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits, 16);
    if (text.size() != 16 || error != std::errc() || end != text.data() + 16)
        return json.fail("a float needs its 16 hexadecimal digits");
    out = std::bit_cast<double>(bits);
    return true;
}

std::optional<std::string> scalarJson(const Scalar& scalar) {
    switch (scalar.kind()) {
    case Scalar::Kind::Bool:
        return std::string("{\"bool\":") + (scalar.toBool() ? "true}" : "false}");
    case Scalar::Kind::Int:
        return "{\"int\":" + std::to_string(scalar.toInt()) + "}";
    case Scalar::Kind::Float:
        return "{\"float\":" + bitsJson(scalar.toDouble()) + "}";
    case Scalar::Kind::Complex:
        return "{\"complex\":[" + bitsJson(scalar.toDouble()) + "," + bitsJson(scalar.imag()) + "]}";
    }
    return std::nullopt;
}

constexpr std::array<std::pair<Sequence::Kind, const char*>, 3> kSequences{
    {{Sequence::Kind::Tuple, "tuple"}, {Sequence::Kind::List, "list"}, {Sequence::Kind::Size, "size"}}};

bool readTensor(io::JsonReader& json, const StorageOf& storageOf, Value& value, std::string& whyNot) {
    Layout layout;
    Index number = 0;
    if (!json.expect('{')) return false;
    do {
        std::string key;
        bool known = false;
        if (!json.string(key) || !json.expect(':')) return false;
        if (key == "storage") {
            if (!json.whole(number)) return false;
        } else if (!readLayout(json, key, layout, known) || !known) {
            return json.fail("an unknown member of a tensor");
        }
    } while (json.take(','));
    if (!json.expect('}')) return false;
    const StoragePtr storage = storageOf(number);
    if (!storage) {
        whyNot = "storage " + std::to_string(number) + " is not there";
        return true;
    }
    Result<Tensor> tensor = tensorOf(layout, storage);
    if (tensor)
        value = expr::TensorValue{*tensor, expr::Lineage::Fresh, 0};
    else
        whyNot = tensor.refusal().message;
    return true;
}

} // namespace

std::string listJson(std::span<const Index> numbers) {
    std::string text = "[";
    for (const Index number : numbers) text += (text.size() > 1 ? "," : "") + std::to_string(number);
    return text + "]";
}

std::string layoutJson(const Tensor& tensor) {
    return "\"dtype\":\"" + std::string(name(tensor.dtype())) + "\",\"shape\":" + listJson(tensor.shape()) +
           ",\"stride\":" + listJson(tensor.stride()) + ",\"offset\":" + std::to_string(tensor.storageOffset());
}

bool readIntegers(io::JsonReader& json, std::vector<Index>& out, std::size_t most) {
    out.clear();
    if (!json.expect('[')) return false;
    if (json.take(']')) return true;
    do {
        if (out.size() >= most) return json.fail("a list has more than " + std::to_string(most) + " numbers");
        if (!json.integer(out.emplace_back())) return false;
    } while (json.take(','));
    return json.expect(']');
}

bool readLayout(io::JsonReader& json, const std::string& key, Layout& layout, bool& known) {
    known = true;
    std::vector<Index> list;
    if (key == "dtype") {
        std::string text;
        if (!json.string(text, 64)) return false;
        layout.dtype = dtypeFromName(text);
        return true;
    }
    if (key == "shape" || key == "stride") {
        if (!readIntegers(json, list, static_cast<std::size_t>(kMaxDims))) return false;
        (key == "shape" ? layout.view.shape : layout.view.stride) = Dims(std::span<const Index>(list));
        (key == "shape" ? layout.hasShape : layout.hasStride) = true;
        return true;
    }
    if (key == "offset") return layout.hasOffset = json.integer(layout.view.offset);
    known = false;
    return true;
}

Result<Tensor> tensorOf(const Layout& layout, const StoragePtr& storage) {
    const auto refuse = [](const std::string& message) {
        return Refusal{ErrorKind::Io, "SES-05", message, "The session is damaged.", {}};
    };
    if (!layout.isWhole()) return refuse("dtype, shape, stride or offset is missing or unknown");
    Result<Tensor> tensor = Tensor::fromStorage(storage, layout.view, *layout.dtype);
    if (!tensor || *layout.dtype != DType::Bool) return tensor;
    // A bool that is neither 0 nor 1 is none for the compiler; other views may use such bytes, this one must not.
    const auto reached = reach(tensor->view());
    if (!reached) return reached.refusal();
    for (Index slot = reached->lowest; slot <= reached->highest; ++slot) {
        const auto byte = std::to_integer<unsigned>(storage->data()[slot]);
        if (byte > 1) return refuse("byte " + std::to_string(slot) + " of a bool is " + std::to_string(byte));
    }
    return tensor;
}

std::optional<std::string> valueJson(const Value& value, const StorageNumberOf& numberOf) {
    if (value.isNone()) return "{\"none\":true}";
    if (value.is<expr::EllipsisValue>()) return "{\"ellipsis\":true}";
    if (const auto* scalar = value.as<Scalar>()) return scalarJson(*scalar);
    if (const auto* text = value.as<std::string>())
        return isSessionText(*text) ? std::optional("{\"text\":" + io::jsonQuoted(*text) + "}") : std::nullopt;
    if (const auto* dtype = value.as<DType>()) return "{\"dtype\":\"" + std::string(name(*dtype)) + "\"}";
    if (const auto* device = value.as<Device>()) return "{\"device\":\"" + toString(*device) + "\"}";
    if (const auto* tensor = value.as<expr::TensorValue>()) {
        const int number = tensor->tensor.defined() ? numberOf(tensor->tensor.storage()->id()) : 0;
        if (number == 0) return std::nullopt;
        return "{\"tensor\":{\"storage\":" + std::to_string(number) + "," + layoutJson(tensor->tensor) + "}}";
    }
    if (const auto* sequence = value.as<Sequence>()) {
        std::string text = "{\"";
        for (const auto& [kind, word] : kSequences) text += kind == sequence->kind ? word : "";
        text += "\":[";
        for (std::size_t i = 0; i < sequence->items.size(); ++i) {
            const auto item = valueJson(sequence->items[i], numberOf);
            if (!item) return std::nullopt;
            text += (i > 0 ? "," : "") + *item;
        }
        return text + "]}";
    }
    return std::nullopt;
}

bool readValue(io::JsonReader& json, const StorageOf& storageOf, Value& value, std::string& whyNot, int depth) {
    constexpr int kDeepest = 32;
    if (depth > kDeepest) return json.fail("values are more than " + std::to_string(kDeepest) + " deep");
    std::string kind, text;
    bool flag = false;
    if (!json.expect('{') || !json.string(kind, 64) || !json.expect(':')) return false;
    if (kind == "none" || kind == "ellipsis") {
        if (!json.boolean(flag)) return false;
        value = kind == "none" ? Value() : Value(expr::EllipsisValue{});
    } else if (kind == "bool") {
        if (!json.boolean(flag)) return false;
        value = flag;
    } else if (kind == "int") {
        Index number = 0;
        if (!json.integer(number)) return false;
        value = number;
    } else if (kind == "float") {
        double number = 0;
        if (!readBits(json, number)) return false;
        value = number;
    } else if (kind == "complex") {
        Complex<double> number{};
        if (!json.expect('[') || !readBits(json, number.re) || !json.expect(',') || !readBits(json, number.im) ||
            !json.expect(']'))
            return false;
        value = Scalar(number);
    } else if (kind == "text") {
        if (!json.string(text, kSessionMaxJson)) return false;
        value = text;
    } else if (kind == "dtype" || kind == "device") {
        if (!json.string(text, 64)) return false;
        const auto dtype = dtypeFromName(text);
        const auto device = deviceFromString(text);
        if (kind == "dtype" && dtype)
            value = *dtype;
        else if (kind == "device" && device)
            value = *device;
        else
            whyNot = kind + " " + sanitiseForDisplay(text, 32) + " is unknown";
    } else if (kind == "tensor") {
        if (!readTensor(json, storageOf, value, whyNot)) return false;
    } else {
        const auto* known = std::find_if(kSequences.begin(), kSequences.end(),
                                         [&kind](const auto& each) { return kind == each.second; });
        if (known == kSequences.end()) return json.fail("the kind of a value is unknown");
        Sequence sequence;
        sequence.kind = known->first;
        if (!json.expect('[')) return false;
        if (!json.take(']')) {
            do {
                if (sequence.items.size() >= kSessionMaxEntries)
                    return json.fail("a list has more than " + std::to_string(kSessionMaxEntries) + " values");
                Value item;
                if (!readValue(json, storageOf, item, whyNot, depth + 1)) return false;
                sequence.items.push_back(std::move(item));
            } while (json.take(','));
            if (!json.expect(']')) return false;
        }
        value = std::move(sequence);
    }
    return json.expect('}');
}

} // namespace stridescope
