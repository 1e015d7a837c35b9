#include "core/expr/context.h"

#include "core/ops/copy.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/joining.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/trace/op_record.h"
#include "core/view/checked.h"

namespace stridescope::expr {

namespace {

constexpr const char* kUnmade = "not made";

} // namespace

void refuse(ErrorKind kind, const char* id, std::string message, std::string hint, RefusalDetail detail) {
    throwRefusal({kind, id, std::move(message), std::move(hint), std::move(detail)});
}

Tensor unmade(Context& context, const View& layout, DType dtype, Device device) {
    context.elements += static_cast<double>(layout.numel());
    const auto reached = reach(layout).valueOrThrow();
    const auto itemBytes = static_cast<Index>(itemSize(dtype));
    Index bytes = 0;
    if (!reached.empty() && !(addFits(reached.highest, 1, bytes) && mulFits(bytes, itemBytes, bytes)))
        refuse(ErrorKind::Runtime, "EXPR-26",
               "the result needs " + std::to_string(layout.numel()) + " elements of " + std::to_string(itemBytes) +
                   " bytes each, more than 2^63 - 1 bytes",
               "Use smaller sizes.");
    return Tensor(Storage::wrap(nullptr, static_cast<std::size_t>(bytes), device, {}, kUnmade), layout, dtype);
}

bool isUnmade(const Tensor& tensor) {
    return tensor.storage()->kind() == kUnmade;
}

void requireValues(const Context& context, const Tensor& tensor) {
    if (context.options.dryRun || isUnmade(tensor))
        refuse(ErrorKind::Value, "EXPR-30", "this needs the values of a tensor that is not made yet");
}

Tensor made(Context& context, const View& layout, DType dtype, Device device, const std::function<Tensor()>& make) {
    return context.options.dryRun ? unmade(context, layout, dtype, device) : make();
}

void writeInto(Context& context, const Tensor& target, const std::function<void()>& write, bool repeats) {
    elementwise::requireWritable(target, "write");
    if (!repeats) elementwise::requireNoSelfOverlap(target, nullptr);
    context.elements += static_cast<double>(target.numel());
    if (context.options.dryRun) {
        context.environment.wouldWrite(target);
        return;
    }
    context.environment.aboutToWrite(target);
    write();
}

Value derived(const TensorValue& self, Tensor result) {
    TensorValue value;
    value.source = self.source;
    if (self.lineage == Lineage::Fresh)
        value.lineage = Lineage::Fresh;
    else if (result.storage() == self.tensor.storage())
        value.lineage = self.lineage == Lineage::Copy ? Lineage::Copy : Lineage::View;
    else
        value.lineage = Lineage::Copy;
    value.tensor = std::move(result);
    return value;
}

Value fresh(Tensor tensor) {
    return TensorValue{std::move(tensor), Lineage::Fresh, 0};
}

namespace {

/// The view that a refused as_strided named, wherever it reaches.
void rememberWanted(Context& context, const ViewOp& op, const Tensor& tensor, const OpArgs& args) {
    if (std::string_view(op.name) != "as_strided" || args.size() < 2) return;
    const auto* size = std::get_if<Dims>(&args[0]);
    const auto* stride = std::get_if<Dims>(&args[1]);
    if (!size || !stride) return;
    const auto* offset = args.size() > 2 ? std::get_if<Index>(&args[2]) : nullptr;
    View view{*size, *stride, offset ? *offset : tensor.storageOffset()};
    const bool isWalk =
        size->size() == stride->size() && std::all_of(size->begin(), size->end(), [](Index s) { return s >= 0; });
    if (isWalk && reach(view)) context.wanted = WantedView{tensor, std::move(view)};
}

void publishView(const Tensor& self, const ViewOp& op, const OpArgs& args, std::span<const Tensor> results) {
    if (!trace::observed()) return;
    OpRecord record;
    record.name = op.name;
    const std::string call = toCode(op.name, args);
    const std::size_t open = call.find_first_of("([");
    if (open != std::string::npos && call.size() > open + 1)
        record.arguments = call.substr(open + 1, call.size() - open - 2);
    record.inputs.push_back(trace::record(self));
    for (const Tensor& result : results) record.outputs.push_back(trace::record(result));
    trace::publish(record);
}

/// The dims that an operation of the table was given, as a list or one by one.
Dims dimsOf(const OpArgs& args) {
    Dims dims;
    for (const OpArg& arg : args) {
        if (const auto* list = std::get_if<Dims>(&arg)) return *list;
        if (const auto* dim = std::get_if<Index>(&arg)) dims.push_back(*dim);
    }
    return dims;
}

/// What a table operation that copies makes of `self`, lying as `layout`.
Tensor copied(Context& context, const ViewOp& op, const Tensor& self, const View& layout, const OpArgs& args) {
    return made(context, layout, self.dtype(), self.device(), [&] {
        const std::string_view name = op.name;
        if (name == "clone") return clone(self);
        if (name == "flip") return flip(self, dimsOf(args));
        if (name == "reshape") return reshape(self, layout.shape);
        // The others only ask for another shape: the elements stay in their order.
        return contiguous(self).withView(layout);
    });
}

} // namespace

Value applyTableOp(Context& context, const ViewOp& op, const TensorValue& self, const OpArgs& args) {
    const Tensor& tensor = self.tensor;
    auto applied = applyViewOp(op.name, args, tensor.view(), tensor.storageNumel());
    if (!applied) {
        rememberWanted(context, op, tensor, args);
        throwRefusal(applied.refusal());
    }
    if (applied->copies) {
        // contiguous() of a contiguous tensor is the tensor itself.
        return derived(self, copied(context, op, tensor, applied->views.front(), args));
    }
    if (std::string_view(op.name) == "contiguous") return self;
    std::vector<Tensor> results;
    for (const View& view : applied->views) results.push_back(tensor.withView(view));
    if (!context.options.dryRun) publishView(tensor, op, args, results);
    if (!op.manyResults) return derived(self, std::move(results.front()));
    Sequence pieces;
    for (Tensor& result : results) pieces.items.push_back(derived(self, std::move(result)));
    return pieces;
}

Value nestedList(const Context& context, const Tensor& tensor) {
    requireValues(context, tensor);
    if (tensor.numel() > context.options.maxListItems)
        refuse(ErrorKind::Memory, "EXPR-26",
               "a list of " + std::to_string(tensor.numel()) + " values; the limit is " +
                   std::to_string(context.options.maxListItems),
               "Take a part first, for example x[:10].tolist().",
               BytesExceeded{tensor.numel(), context.options.maxListItems});
    if (tensor.dim() == 0) return item(tensor);
    const std::function<Value(Dims&, std::size_t)> level = [&](Dims& coord, std::size_t dim) -> Value {
        if (dim == coord.size()) return readElement(tensor, coord);
        Sequence list;
        list.kind = Sequence::Kind::List;
        for (coord[dim] = 0; coord[dim] < tensor.shape()[dim]; ++coord[dim])
            list.items.push_back(level(coord, dim + 1));
        return list;
    };
    Dims coord(tensor.shape().size(), 0);
    return level(coord, 0);
}

} // namespace stridescope::expr
