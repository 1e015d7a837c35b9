// x[...] and x[...] = value.

#include "core/expr/context.h"

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/subscript.h"
#include "core/trace/op_record.h"
#include "core/view/broadcast.h"
#include "core/view/view_ops.h"

#include <algorithm>

namespace stridescope::expr {

namespace {

bool consumesDim(const Value& item) {
    return asIndex(item).has_value() || item.is<SliceValue>();
}

bool isBool(const Value& item) {
    const auto* scalar = item.as<Scalar>();
    return scalar && scalar->isBool();
}

/// Masks and index tensors: what is picked is no view.
bool picksElements(std::span<const Value> items) {
    return std::any_of(items.begin(), items.end(),
                       [](const Value& item) { return item.is<Sequence>() || item.is<TensorValue>() || isBool(item); });
}

[[noreturn]] void refuseItem(const Value& item) {
    if (item.is<Sequence>() || item.is<TensorValue>() || isBool(item))
        refuse(ErrorKind::NotImplemented, "EXPR-24",
               "indexing with a " + typeName(item) + " picks elements into a copy, where a view is needed",
               "Use integers, slices, None and ... : they make views.");
    refuse(ErrorKind::Index, "EXPR-24",
           "only integers, slices (`:`), ellipsis (`...`) and None are valid indices (got " + typeName(item) + ")");
}

/// As select, in the words of indexing: PyTorch names the place of the index between the brackets; the picture needs
/// the dim of the tensor that is indexed.
View selectIndex(const View& view, Index dim, Index index, std::size_t place, Index sourceDim) {
    const Index size = view.shape[static_cast<std::size_t>(dim)];
    if (index < -size || index >= size)
        refuse(ErrorKind::Index, "EXPR-24",
               "index " + std::to_string(index) + " is out of bounds for dimension " + std::to_string(place) +
                   " with size " + std::to_string(size),
               size > 0 ? "Use " + std::to_string(-size) + " to " + std::to_string(size - 1) + "."
                        : std::string("A dim of size 0 has no elements."),
               IndexOutOfRange{sourceDim, index, size});
    return select(view, dim, index).valueOrThrow();
}

View sliceDim(const View& view, Index dim, const SliceValue& item) {
    const Index step = item.step.value_or(1);
    if (step == 0) refuse(ErrorKind::Value, "EXPR-24", "slice step cannot be zero", "Steps are 1 or more.");
    return slice(view, dim, item.start, item.end, step).valueOrThrow();
}

} // namespace

namespace {

/// The items as core/ops/subscript.h takes them; lists of numbers and bools become tensors.
std::vector<IndexItem> subscriptItems(const Context& context, std::span<const Value> items) {
    std::vector<IndexItem> found;
    for (const Value& item : items) {
        if (isBool(item)) {
            found.emplace_back(item.as<Scalar>()->toBool());
        } else if (const auto index = asIndex(item)) {
            found.emplace_back(*index);
        } else if (const auto* slice = item.as<SliceValue>()) {
            found.push_back(IndexItem::slice(slice->start, slice->end, slice->step.value_or(1)));
        } else if (item.isNone()) {
            found.push_back(IndexItem::newDim());
        } else if (item.is<EllipsisValue>()) {
            found.push_back(IndexItem::ellipsis());
        } else if (const auto* tensor = item.as<TensorValue>()) {
            requireValues(context, tensor->tensor);
            found.emplace_back(tensor->tensor);
        } else if (item.is<Sequence>()) {
            const NestedList list = nestedFrom(item);
            found.emplace_back(tensorFrom(
                list, {item.as<Sequence>()->items.empty() ? std::optional(DType::Int64) : std::nullopt, {}}));
        } else {
            refuseItem(item);
        }
    }
    return found;
}

} // namespace

Value elementsAt(Context& context, const TensorValue& self, std::span<const Value> items) {
    if (!picksElements(items)) return indexTensor(context, self, items);
    // How many a mask picks only its elements tell: a dry run reads nothing.
    requireValues(context, self.tensor);
    return derived(self, index(self.tensor, subscriptItems(context, items)));
}

View indexedView(const View& view, std::span<const Value> items) {
    Index consumed = 0;
    for (const Value& item : items) {
        const auto* scalar = item.as<Scalar>();
        if (scalar && scalar->isBool()) refuseItem(item);
        consumed += consumesDim(item) ? 1 : 0;
    }
    if (consumed > view.dim()) {
        if (view.dim() == 0)
            refuse(ErrorKind::Index, "EXPR-24", "invalid index of a 0-dim tensor",
                   "A tensor without dims has one element: use item(), or [()] or [...].");
        refuse(ErrorKind::Index, "EXPR-24", "too many indices for tensor of dimension " + std::to_string(view.dim()),
               "Given: " + std::to_string(consumed) + ".", DimOutOfRange{consumed - 1, view.dim()});
    }
    View result = view;
    Index dim = 0, sourceDim = 0;
    bool ellipsisSeen = false;
    for (std::size_t place = 0; place < items.size(); ++place) {
        const Value& item = items[place];
        if (const auto index = asIndex(item)) {
            result = selectIndex(result, dim, *index, place, sourceDim);
            ++sourceDim;
        } else if (const auto* slice = item.as<SliceValue>()) {
            result = sliceDim(result, dim, *slice);
            ++dim;
            ++sourceDim;
        } else if (item.isNone()) {
            result = unsqueeze(result, dim).valueOrThrow();
            ++dim;
        } else if (item.is<EllipsisValue>()) {
            // The first one stands for all dims that no item names.
            if (!ellipsisSeen) {
                dim += view.dim() - consumed;
                sourceDim += view.dim() - consumed;
            }
            ellipsisSeen = true;
        } else {
            refuseItem(item);
        }
    }
    return result;
}

Value indexTensor(Context& context, const TensorValue& self, std::span<const Value> items) {
    const Tensor result = self.tensor.withView(indexedView(self.tensor.view(), items));
    if (!context.options.dryRun && trace::observed()) {
        OpRecord record;
        record.name = "slice"; // written as x[arguments]
        for (const Value& item : items) {
            if (!record.arguments.empty()) record.arguments += ", ";
            if (const auto* slice = item.as<SliceValue>()) {
                const auto bound = [](std::optional<Index> b) { return b ? std::to_string(*b) : std::string(); };
                record.arguments += bound(slice->start) + ":" + bound(slice->end);
                if (slice->step) record.arguments += ":" + std::to_string(*slice->step);
            } else {
                record.arguments += item.is<EllipsisValue>() ? std::string("...") : repr(item);
            }
        }
        record.inputs.push_back(trace::record(self.tensor));
        record.outputs.push_back(trace::record(result));
        trace::publish(record);
    }
    return derived(self, result);
}

void overwrite(Context& context, const TensorValue& target, const Value& value) {
    Tensor out = target.tensor;
    if (const auto* scalar = value.as<Scalar>()) {
        writeInto(
            context, out, [&] { fill_(out, *scalar); }, true);
        return;
    }
    if (const auto* tensor = value.as<TensorValue>()) {
        // Leading dims of size 1 in the value may be dropped, nothing else may make the target grow.
        Tensor in = tensor->tensor;
        while (in.dim() > out.dim() && in.shape()[0] == 1) in = in.withView(select(in.view(), 0, 0).valueOrThrow());
        const auto broadcast = broadcastShapes(out.shape(), in.shape());
        if (!broadcast) throwRefusal(broadcast.refusal());
        if (*broadcast != out.shape())
            refuse(ErrorKind::Runtime, "EXPR-23",
                   "output with shape " + toListString(out.shape()) + " doesn't match the broadcast shape " +
                       toListString(*broadcast),
                   "The value must fit into the target.", NumelMismatch{out.numel(), tensor->tensor.numel()});
        writeInto(context, out, [&] { copy_(out, in); });
        return;
    }
    refuse(ErrorKind::Type, "EXPR-23", "can't assign a " + typeName(value) + " to elements of a tensor",
           "Assign a number or a tensor: x[0] = torch.tensor([1, 2]).");
}

void assignElements(Context& context, const TensorValue& self, std::span<const Value> items, const Value& value) {
    if (picksElements(items)) {
        const auto* number = value.as<Scalar>();
        const auto* tensor = value.as<TensorValue>();
        if (!number && !tensor)
            refuse(ErrorKind::Type, "EXPR-23", "can't assign a " + typeName(value) + " to elements of a tensor",
                   "Assign a number or a tensor: x[x > 3] = 0.");
        writeInto(
            context, self.tensor,
            [&] {
                const std::vector<IndexItem> places = subscriptItems(context, items);
                if (number)
                    setIndex(self.tensor, places, *number);
                else
                    setIndex(self.tensor, places, tensor->tensor);
            },
            true);
        return;
    }
    const Value target = indexTensor(context, self, items);
    overwrite(context, *target.as<TensorValue>(), value);
}

} // namespace stridescope::expr
