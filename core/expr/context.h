#pragma once
// What the parts of the evaluator share. Internal to core/expr.

#include "core/expr/evaluator.h"
#include "core/ops/creation.h"
#include "core/view/op_table.h"

#include <array>
#include <initializer_list>

namespace stridescope::expr {

/// The state of one evaluation.
struct Context {
    Environment& environment;
    EvalOptions options;
    std::string output;
    std::optional<WantedView> wanted;
    double elements = 0; ///< that a dry run would have made or written; a double, for no sum of them overflows
};

[[noreturn]] void refuse(ErrorKind kind, const char* id, std::string message, std::string hint = {},
                         RefusalDetail detail = {});

// --- Making and writing, or only pretending to --------------------------------------------------------------------

/// A tensor with a layout and no bytes. Only its layout may be asked for.
Tensor unmade(Context& context, const View& layout, DType dtype, Device device);
bool isUnmade(const Tensor& tensor);
/// @throws ValueError EXPR-30 in a dry run, and for tensors that were not made.
void requireValues(const Context& context, const Tensor& tensor);
/// `make()`, or in a dry run a tensor of that layout without bytes.
Tensor made(Context& context, const View& layout, DType dtype, Device device, const std::function<Tensor()>& make);
/// Runs `write` after making sure that `target` may be written: refuses storages that are read-only and views
/// in which one slot may be named twice, unless `repeats` says that this does no harm.
void writeInto(Context& context, const Tensor& target, const std::function<void()>& write, bool repeats = false);

/// The value for a tensor made from `self`: a view when they share the storage, else a copy.
Value derived(const TensorValue& self, Tensor result);
/// A value for a tensor that is nobody's.
Value fresh(Tensor tensor);

/// One operation of core/view/op_table.h on a tensor; a tuple for those with many results.
Value applyTableOp(Context& context, const ViewOp& op, const TensorValue& self, const OpArgs& args);

// --- Calls --------------------------------------------------------------------------------------------------------

/// Arguments as written.
struct Arguments {
    std::vector<Value> positional;
    std::vector<std::pair<std::string, Value>> named;
};

enum class Accepts : std::uint8_t {
    Int,
    Number,
    Bool,
    Ints,
    IntOrInts,
    DTypeArg,
    TensorArg,
    TensorOrNumber,
    Text,
    Any
};
struct Parameter {
    const char* name;
    Accepts accepts;
    bool required = true;
    bool variadic = false; ///< the rest of the positional arguments, if they are integers, form one list
    bool keywordOnly = false;
};

/// Arguments by parameter. @throws DTypeError EXPR-22 for missing, surplus, unknown or unfit ones.
class Bound {
public:
    Bound(std::string function, std::span<const Parameter> parameters, const Arguments& arguments);
    bool has(std::size_t i) const { return m_values[i].has_value() && !m_values[i]->isNone(); }
    const Value& value(std::size_t i) const { return *m_values[i]; }
    Index index(std::size_t i) const { return *asIndex(value(i)); }
    Index index(std::size_t i, Index standIn) const { return has(i) ? index(i) : standIn; }
    Dims dims(std::size_t i) const;
    Scalar scalar(std::size_t i) const { return *value(i).as<Scalar>(); }
    DType dtype(std::size_t i) const { return *value(i).as<DType>(); }
    std::optional<DType> dtypeIfAny(std::size_t i) const {
        return has(i) ? std::optional<DType>(dtype(i)) : std::nullopt;
    }
    const TensorValue& tensor(std::size_t i) const { return *value(i).as<TensorValue>(); }

private:
    void check(std::size_t i) const;

    std::string m_function;
    std::span<const Parameter> m_parameters;
    std::vector<std::optional<Value>> m_values;
};

/// Binds arguments to the parameters of a table operation.
OpArgs bindTableArguments(const ViewOp& op, const Arguments& arguments);
/// "int, float, dim=int": what was given, for messages.
std::string givenText(const Arguments& arguments);

// --- The parts -----------------------------------------------------------------------------------------------------

/// x[items]: PyTorch's basic indexing as a view.
View indexedView(const View& view, std::span<const Value> items);
Value indexTensor(Context& context, const TensorValue& self, std::span<const Value> items);
/// The same, and elements that masks and index tensors pick, as a copy.
Value elementsAt(Context& context, const TensorValue& self, std::span<const Value> items);
/// Numbers and lists of numbers. @throws DTypeError EXPR-22 for all else.
NestedList nestedFrom(const Value& value);
/// x[items] = value.
void assignElements(Context& context, const TensorValue& self, std::span<const Value> items, const Value& value);
/// target = value for all elements, with broadcasting.
void overwrite(Context& context, const TensorValue& target, const Value& value);
/// target op= value for a sign of arithmetic.
void augment(Context& context, const TensorValue& target, const std::string& op, const Value& value);

Value tensorAttribute(Context& context, const TensorValue& self, const std::string& name);
Value callTensorMethod(Context& context, const TensorValue& self, const std::string& name, const Arguments& arguments);
bool hasTensorMethod(const std::string& name);

Value moduleAttribute(const std::string& module, const std::string& name);
Value callTorchFunction(Context& context, const std::string& name, const Arguments& arguments);
bool hasTorchFunction(const std::string& name);
/// Products, linear systems and joining (algebra.cpp): functions of "torch" and "torch.linalg", and methods.
bool hasAlgebra(const std::string& module, const std::string& name);
bool hasAlgebraMethod(const std::string& name);
Value callAlgebra(Context& context, const std::string& module, const std::string& name, const Arguments& arguments);
/// left @ right
Value matrixProduct(Context& context, const TensorValue& left, const TensorValue& right);
/// numpy.load, numpy.fromfile, numpy.array, numpy.asarray, PIL.Image.open, safetensors.torch.load_file and the data
/// sets of torchvision.datasets.
bool hasFileFunction(const std::string& module, const std::string& name);
/// Is this PIL.Image.open(…)?
bool opensPicture(const Node& node);
/// PIL.Image.open(…).convert(mode). Pictures are opened as grey, RGB or RGBA, whatever the file has: `mode` says which.
/// @throws ShapeError (EXPR-22) for another mode than the picture's.
Value convertPicture(const TensorValue& picture, const Arguments& arguments);
Value callFileFunction(Context& context, const std::string& module, const std::string& name,
                       const Arguments& arguments);
/// data.targets: a part of a data set.
Value archivePart(const Archive& archive, const std::string& name);
/// archive["name"].
Value archiveItem(const Archive& archive, std::span<const Value> items);
/// len, print, abs, int, float, bool. Nothing for other names.
std::optional<Value> callBuiltin(Context& context, const std::string& name, const Arguments& arguments);
bool isBuiltin(const std::string& name);

/// left op right; functions are in pointwise_calls.h.
Value binary(Context& context, const std::string& op, const Value& left, const Value& right);
/// -value, +value, ~value.
Value unary(Context& context, const std::string& op, const Value& value);
/// Sum and its kin over dims: "sum", "mean", "amax", …
bool isReduction(std::string_view name);
Value reduce(Context& context, const std::string& name, const TensorValue& self, const Arguments& arguments);

/// A part of the source with its value.
using Given = std::pair<const Node*, Value>;
std::vector<RefusedCall::Operand> operandsOf(const std::vector<Given>& given);
/// What stands before the brackets, and what stands in them where that can be told apart.
std::vector<Given> givenItems(const Node& subscript, const Value& object, const std::vector<Value>& items);

/// A tensor as Python's nested lists. @throws MemoryError EXPR-26 above the limit.
Value nestedList(const Context& context, const Tensor& tensor);

} // namespace stridescope::expr
