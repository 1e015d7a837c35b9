// Attributes and methods of tensors, besides the view operations of the table.

#include "core/expr/pointwise_calls.h"
#include "core/expr/ternary_calls.h"

#include "core/ops/copy.h"
#include "core/ops/indexing.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/view/view_ops.h"

#include <algorithm>

namespace stridescope::expr {

namespace {

using Method = Value (*)(Context& context, const TensorValue& self, const Bound& arguments);
struct MethodEntry {
    const char* name;
    std::vector<Parameter> parameters;
    Method call;
};

Value dimEntry(const Dims& values, const Bound& arguments, Sequence::Kind kind) {
    if (!arguments.has(0)) return tupleOf(values, kind);
    const Index dim = wrapDim(arguments.index(0), static_cast<Index>(values.size())).valueOrThrow();
    if (values.empty()) // wrapDim knows no empty range
        refuse(ErrorKind::Index, "EXPR-24",
               "dimension specified as " + std::to_string(arguments.index(0)) + " but tensor has no dimensions");
    return values[static_cast<std::size_t>(dim)];
}

/// `self` in another dtype: itself when it has it already.
Value converted(Context& context, const TensorValue& self, DType dtype) {
    const Tensor& tensor = self.tensor;
    if (tensor.dtype() == dtype) return self;
    if (!context.options.dryRun) context.environment.aboutToConvert(tensor, dtype);
    return derived(self, made(context, contiguousView(tensor.shape()).valueOrThrow(), dtype, tensor.device(),
                              [&] { return to(tensor, dtype); }));
}

Value moved(Context& context, const TensorValue& self, Device device) {
    const Tensor& tensor = self.tensor;
    if (tensor.device() == device) return self;
    return derived(self, made(context, contiguousView(tensor.shape()).valueOrThrow(), tensor.dtype(), device,
                              [&] { return to(tensor, device); }));
}

Device deviceOf(const Value& value) {
    if (const auto* device = value.as<Device>()) return *device;
    return deviceFromString(*value.as<std::string>()).valueOrThrow();
}

Value toMethod(Context& context, const TensorValue& self, const Bound& arguments) {
    const Value& target = arguments.value(0);
    if (target.is<DType>()) return converted(context, self, *target.as<DType>());
    if (target.is<TensorValue>()) return converted(context, self, target.as<TensorValue>()->tensor.dtype());
    if (target.is<Device>() || target.is<std::string>()) {
        const Value there = moved(context, self, deviceOf(target));
        if (!arguments.has(1)) return there;
        return converted(context, *there.as<TensorValue>(), arguments.dtype(1));
    }
    refuse(ErrorKind::Type, "EXPR-22",
           "to(): argument 1 must be a dtype, a device or a tensor, not " + typeName(target),
           "For example x.to(torch.float32).");
}

template <DType dtype>
Value toDType(Context& context, const TensorValue& self, const Bound&) {
    return converted(context, self, dtype);
}

Value viewAsDType(Context& context, const TensorValue& self, DType dtype) {
    const Tensor& tensor = self.tensor;
    if (context.options.dryRun) {
        const View view = stridescope::viewAsDType(tensor.view(), tensor.dtype(), dtype).valueOrThrow();
        return derived(self, Tensor(tensor.storage(), view, dtype));
    }
    return derived(self, viewDType(tensor, dtype));
}

Value withTableOp(Context& context, const TensorValue& self, const char* op, Dims numbers) {
    return applyTableOp(context, *findViewOp(op), self, OpArgs{OpArg(std::move(numbers))});
}

Index address(Context& context, const TensorValue& self) {
    requireValues(context, self.tensor);
    const auto base = reinterpret_cast<std::intptr_t>(self.tensor.storage()->data());
    return static_cast<Index>(base) + self.tensor.storageOffset() * static_cast<Index>(self.tensor.itemSize());
}

const std::vector<MethodEntry>& methods() {
    constexpr bool kOptional = false;
    static const std::vector<MethodEntry> kMethods{
        {"size",
         {{"dim", Accepts::Int, kOptional}},
         [](Context&, const TensorValue& self, const Bound& a) {
             return dimEntry(self.tensor.shape(), a, Sequence::Kind::Size);
         }},
        {"stride",
         {{"dim", Accepts::Int, kOptional}},
         [](Context&, const TensorValue& self, const Bound& a) {
             return dimEntry(self.tensor.stride(), a, Sequence::Kind::Tuple);
         }},
        {"storage_offset",
         {},
         [](Context&, const TensorValue& self, const Bound&) { return Value(self.tensor.storageOffset()); }},
        {"dim", {}, [](Context&, const TensorValue& self, const Bound&) { return Value(self.tensor.dim()); }},
        {"ndimension", {}, [](Context&, const TensorValue& self, const Bound&) { return Value(self.tensor.dim()); }},
        {"numel", {}, [](Context&, const TensorValue& self, const Bound&) { return Value(self.tensor.numel()); }},
        {"nelement", {}, [](Context&, const TensorValue& self, const Bound&) { return Value(self.tensor.numel()); }},
        {"element_size",
         {},
         [](Context&, const TensorValue& self, const Bound&) {
             return Value(static_cast<Index>(self.tensor.itemSize()));
         }},
        {"is_contiguous",
         {},
         [](Context&, const TensorValue& self, const Bound&) { return Value(self.tensor.isContiguous()); }},
        {"is_floating_point",
         {},
         [](Context&, const TensorValue& self, const Bound&) { return Value(isFloating(self.tensor.dtype())); }},
        {"data_ptr", {}, [](Context& c, const TensorValue& self, const Bound&) { return Value(address(c, self)); }},
        {"item",
         {},
         [](Context& c, const TensorValue& self, const Bound&) {
             requireValues(c, self.tensor);
             return Value(item(self.tensor));
         }},
        {"tolist", {}, [](Context& c, const TensorValue& self, const Bound&) { return nestedList(c, self.tensor); }},
        // --- Other dtype, other device ---
        {"to", {{"dtype", Accepts::Any}, {"other", Accepts::DTypeArg, kOptional}}, toMethod},
        {"type",
         {{"dtype", Accepts::DTypeArg}},
         [](Context& c, const TensorValue& self, const Bound& a) { return converted(c, self, a.dtype(0)); }},
        {"float", {}, toDType<DType::Float32>},
        {"double", {}, toDType<DType::Float64>},
        {"half", {}, toDType<DType::Float16>},
        {"byte", {}, toDType<DType::UInt8>},
        {"char", {}, toDType<DType::Int8>},
        {"short", {}, toDType<DType::Int16>},
        {"int", {}, toDType<DType::Int32>},
        {"long", {}, toDType<DType::Int64>},
        {"bool", {}, toDType<DType::Bool>},
        {"cpu", {}, [](Context& c, const TensorValue& self, const Bound&) { return moved(c, self, Device{}); }},
        {"cuda",
         {{"device", Accepts::Int, kOptional}},
         [](Context& c, const TensorValue& self, const Bound& a) {
             const std::string name = "cuda:" + std::to_string(a.index(0, 0));
             return moved(c, self, deviceFromString(name).valueOrThrow());
         }},
        // --- Shaped as another tensor ---
        {"expand_as",
         {{"other", Accepts::TensorArg}},
         [](Context& c, const TensorValue& self, const Bound& a) {
             return withTableOp(c, self, "expand", a.tensor(0).tensor.shape());
         }},
        {"broadcast_to",
         {{"size", Accepts::IntOrInts, true, true}},
         [](Context& c, const TensorValue& self, const Bound& a) { return withTableOp(c, self, "expand", a.dims(0)); }},
        {"view_as",
         {{"other", Accepts::TensorArg}},
         [](Context& c, const TensorValue& self, const Bound& a) {
             return withTableOp(c, self, "view", a.tensor(0).tensor.shape());
         }},
        {"reshape_as",
         {{"other", Accepts::TensorArg}},
         [](Context& c, const TensorValue& self, const Bound& a) {
             return withTableOp(c, self, "reshape", a.tensor(0).tensor.shape());
         }},
        {"index_select",
         {{"dim", Accepts::Int}, {"index", Accepts::TensorArg}},
         [](Context& c, const TensorValue& self, const Bound& a) {
             const Tensor& index = a.tensor(1).tensor;
             Dims shape = self.tensor.shape();
             const Index dim = wrapDim(a.index(0), self.tensor.dim()).valueOrThrow();
             if (!shape.empty()) shape[static_cast<std::size_t>(dim)] = index.numel();
             return derived(self, made(c, contiguousView(shape).valueOrThrow(), self.tensor.dtype(),
                                       self.tensor.device(), [&] { return indexSelect(self.tensor, dim, index); }));
         }},
        {"type_as",
         {{"other", Accepts::TensorArg}},
         [](Context& c, const TensorValue& self, const Bound& a) {
             return converted(c, self, a.tensor(0).tensor.dtype());
         }},
        // --- Writing ---
        {"fill_",
         {{"value", Accepts::TensorOrNumber}},
         [](Context& c, const TensorValue& self, const Bound& a) {
             if (const auto* value = a.value(0).as<TensorValue>(); value && value->tensor.dim() != 0)
                 refuse(ErrorKind::Runtime, "FILL-02",
                        "fill_ only supports 0-dimension value tensor but got tensor with " +
                            std::to_string(value->tensor.dim()) + " dimensions.",
                        "Use copy_, which broadcasts.");
             overwrite(c, self, a.value(0));
             return Value(self);
         }},
        {"zero_",
         {},
         [](Context& c, const TensorValue& self, const Bound&) {
             overwrite(c, self, Index{0});
             return Value(self);
         }},
        {"copy_",
         {{"src", Accepts::TensorOrNumber}},
         [](Context& c, const TensorValue& self, const Bound& a) {
             overwrite(c, self, a.value(0));
             return Value(self);
         }},
    };
    return kMethods;
}

const MethodEntry* findMethod(std::string_view name) {
    for (const MethodEntry& entry : methods()) {
        if (name == entry.name) return &entry;
    }
    return nullptr;
}

Value transposed(Context& context, const TensorValue& self) {
    Dims order;
    for (Index d = self.tensor.dim() - 1; d >= 0; --d) order.push_back(d);
    return withTableOp(context, self, "permute", order);
}

} // namespace

bool hasTensorMethod(const std::string& name) {
    return findMethod(name) || hasAlgebraMethod(name) || findPointwise(name) || findTernary(name) ||
           isReduction(name) || findPointwiseInPlace(name) || findTernaryInPlace(name) ||
           (findViewOp(name) && name != "slice");
}

Value tensorAttribute(Context& context, const TensorValue& self, const std::string& name) {
    const Tensor& tensor = self.tensor;
    if (name == "shape") return tupleOf(tensor.shape(), Sequence::Kind::Size);
    if (name == "dtype") return tensor.dtype();
    if (name == "device") return tensor.device();
    if (name == "ndim") return tensor.dim();
    if (name == "T") return transposed(context, self);
    if (name == "mT") {
        if (tensor.dim() < 2)
            refuse(ErrorKind::Runtime, "EXPR-21",
                   "tensor.mT is only supported on matrices or batches of matrices. Got " +
                       std::to_string(tensor.dim()) + "-D tensor.");
        return applyTableOp(context, *findViewOp("transpose"), self, OpArgs{OpArg(Index{-2}), OpArg(Index{-1})});
    }
    if (name == "data") return self;
    if (name == "is_cuda") return !tensor.device().isCpu();
    if (name == "itemsize") return static_cast<Index>(tensor.itemSize());
    if (name == "nbytes") return tensor.nbytes();
    const std::string shown = name.substr(0, 60);
    if (hasTensorMethod(name))
        refuse(ErrorKind::Type, "EXPR-25", "'" + shown + "' is a method", "Call it: ." + shown + "(...).");
    refuse(ErrorKind::Type, "EXPR-21", "'Tensor' object has no attribute '" + shown + "'",
           "Names are PyTorch's, of the part that makes, views and copies tensors and computes element by element: "
           "narrow, "
           "permute, clone, add_, exp ...");
}

Value callTensorMethod(Context& context, const TensorValue& self, const std::string& name, const Arguments& arguments) {
    const bool viewsDType = name == "view" && arguments.named.empty() && arguments.positional.size() == 1 &&
                            arguments.positional[0].is<DType>();
    if (viewsDType) return viewAsDType(context, self, *arguments.positional[0].as<DType>());
    if (const ViewOp* op = findViewOp(name); op && name != "slice")
        return applyTableOp(context, *op, self, bindTableArguments(*op, arguments));
    if (const MethodEntry* method = findMethod(name))
        return method->call(context, self, Bound(name, method->parameters, arguments));
    if (isReduction(name)) return reduce(context, name, self, arguments);
    if (hasAlgebraMethod(name)) {
        Arguments all = arguments;
        all.positional.insert(all.positional.begin(), Value(self));
        return callAlgebra(context, "torch", name, all);
    }
    if (const PointwiseCall* call = findPointwise(name)) return callPointwise(context, *call, &self, arguments);
    if (const TernaryCall* call = findTernary(name)) return callTernary(context, *call, &self, arguments);
    if (const TernaryCall* call = findTernaryInPlace(name)) return callTernaryInPlace(context, *call, self, arguments);
    return callPointwiseInPlace(context, *findPointwiseInPlace(name), self, arguments);
}

} // namespace stridescope::expr
