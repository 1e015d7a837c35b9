#pragma once
// What an expression of the line language is worth.

#include "core/result.h"
#include "core/tensor/scalar.h"
#include "core/tensor/tensor.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace stridescope::expr {

class Value;

struct NoneValue {};
struct EllipsisValue {};
/// start:end:step inside an index; absent bounds are absent.
struct SliceValue {
    std::optional<Index> start, end, step;
};

/// How a tensor came out of an expression, in terms of the names that went in.
enum class Lineage : std::uint8_t {
    Alias, ///< it is the tensor of a name
    View,  ///< a view of the tensor of a name
    Copy,  ///< elements of the tensor of a name, in a new storage
    Fresh, ///< new
};
struct TensorValue {
    Tensor tensor;
    Lineage lineage = Lineage::Fresh;
    std::uint64_t source = 0; ///< Environment's number of that name; 0 for Fresh
};

/// A tuple, a list, or a torch.Size.
struct Sequence {
    enum class Kind : std::uint8_t { Tuple, List, Size };
    Kind kind = Kind::Tuple;
    std::vector<Value> items;
};

/// The arrays of a file, by name; or a data set, whose parts are its attributes.
struct Archive {
    std::string type = "NpzFile"; ///< "dict" of a safetensors file; of a data set "CIFAR10"
    std::vector<std::string> names;
    std::vector<Value> arrays;

    bool hasAttributes() const { return type != "NpzFile" && type != "dict"; }
};

/// None, a number, a text, a dtype, a device, a tensor, a sequence, an archive, a module, or the parts of an index.
class Value {
public:
    /// "torch", "numpy", "PIL", "PIL.Image", "safetensors", "safetensors.torch", "torchvision" or
    /// "torchvision.datasets", before a dot.
    struct Module {
        std::string name;
    };
    using Holder = std::variant<NoneValue, EllipsisValue, SliceValue, Scalar, std::string, DType, Device, TensorValue,
                                Sequence, Archive, Module>;

    Value() = default;
    Value(Scalar scalar) : m_value(scalar) {}
    Value(bool flag) : m_value(Scalar(flag)) {}
    Value(Index number) : m_value(Scalar(number)) {}
    Value(double number) : m_value(Scalar(number)) {}
    Value(std::string text) : m_value(std::move(text)) {}
    Value(DType dtype) : m_value(dtype) {}
    Value(Device device) : m_value(device) {}
    Value(TensorValue tensor) : m_value(std::move(tensor)) {}
    Value(Sequence sequence) : m_value(std::move(sequence)) {}
    Value(SliceValue slice) : m_value(slice) {}
    Value(EllipsisValue) : m_value(EllipsisValue{}) {}
    Value(Archive archive) : m_value(std::move(archive)) {}
    Value(Module module) : m_value(std::move(module)) {}

    template <class T>
    bool is() const {
        return std::holds_alternative<T>(m_value);
    }
    template <class T>
    const T* as() const {
        return std::get_if<T>(&m_value);
    }
    template <class T>
    T* as() {
        return std::get_if<T>(&m_value);
    }
    bool isNone() const { return is<NoneValue>(); }
    const Holder& holder() const { return m_value; }

private:
    Holder m_value;
};

/// A tuple of integers.
Value tupleOf(std::span<const Index> numbers, Sequence::Kind kind = Sequence::Kind::Tuple);

/// Python's name of the type: "int", "float", "Tensor", "tuple", "NoneType".
std::string typeName(const Value& value);

/// What Python's prompt prints for it; tensors as PyTorch prints them. Needs the values of tensors.
std::string repr(const Value& value);
/// As repr, but texts without quotes: what print() prints.
std::string str(const Value& value);

/// The integer that `value` is; nullopt for anything else. Bools are integers, as in Python.
std::optional<Index> asIndex(const Value& value);
/// The integers of a tuple, list or torch.Size.
std::optional<Dims> asDims(const Value& value);

/// Python's name of the exception for a refusal: "RuntimeError", "IndexError", "SyntaxError", "NameError", …
std::string exceptionName(const Refusal& refusal);

} // namespace stridescope::expr
