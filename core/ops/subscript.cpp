#include "core/ops/subscript.h"

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/indexing_call.h"
#include "core/ops/masking.h"
#include "core/ops/observed_call.h"
#include "core/ops/pointwise.h"
#include "core/ops/promotion.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/view/broadcast.h"
#include "core/view/view_ops.h"

#include <algorithm>

namespace stridescope {

namespace {

using indexing::firstElement;
using indexing::listText;
using indexing::refuse;
using indexing::requireOneDevice;
using observed::Inputs;
using Kind = IndexItem::Kind;

bool isMask(const Tensor& t) {
    return t.dtype() == DType::Bool || t.dtype() == DType::UInt8;
}

/// An index tensor and the dim of the sliced view that its numbers count along.
struct Named {
    Tensor index; ///< int64
    std::size_t dim = 0;
    Index shownDim = 0; ///< the same in the tensor before slicing, for messages
};

/// What the items come to: slices as a view, and index tensors for some of its dims.
struct Plan {
    View view;
    std::vector<Named> named; ///< dims ascending
    Tensor onlyMask;          ///< the mask, when it is the one item that is no full slice and covers every dim
};

Index dimsTaken(const IndexItem& item) {
    switch (item.kind()) {
    case Kind::Number:
    case Kind::Slice:
        return 1;
    case Kind::Tensor:
        return isMask(item.tensor()) ? item.tensor().dim() : 1;
    default:
        return 0;
    }
}

/// {0} for true, {} for false: keeps or drops the one element of a new dim.
Tensor truthIndex(bool truth, Device device) {
    return zeros({truth ? 1 : 0}, {DType::Int64, device});
}

bool truthOf(const Tensor& mask) {
    return item(mask).toBool();
}

class Planner {
public:
    explicit Planner(const Tensor& t) : m_rank(t.dim()), m_device(t.device()) { m_plan.view = t.view(); }

    Plan plan(const std::vector<IndexItem>& items) {
        if (m_rank == 0 && items.size() == 1 && items[0].kind() == Kind::Number)
            refuse(ErrorKind::Index, "INDEX-10",
                   "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to "
                   "convert a 0-dim tensor to a number");
        // A slice alone is looked at before the dims are.
        if (m_rank == 0 && items.size() == 1 && items[0].kind() == Kind::Slice && items[0].step() <= 0)
            (void)stridescope::slice(View{{1}, {1}, 0}, 0, std::nullopt, std::nullopt, items[0].step()).valueOrThrow();
        Index taken = 0;
        for (const IndexItem& entry : items) taken += dimsTaken(entry);
        if (taken > m_rank)
            refuse(ErrorKind::Index, "INDEX-10", "too many indices for tensor of dimension " + std::to_string(m_rank),
                   "They stand for " + std::to_string(taken) + " dims.");
        for (const IndexItem& entry : items) {
            m_place = &entry - items.data();
            if (entry.kind() == Kind::Ellipsis) { // as in PyTorch each of several: the next item may be past the end
                m_dim += static_cast<std::size_t>(m_rank - taken);
                m_shownDim += m_rank - taken;
            } else {
                add(entry);
            }
        }
        if (items.size() == 1 && items[0].kind() == Kind::Tensor && isMask(items[0].tensor()) && m_rank > 0 &&
            items[0].tensor().dim() == m_rank)
            m_plan.onlyMask = items[0].tensor();
        return std::move(m_plan);
    }

private:
    View& view() { return m_plan.view; }
    Index dim() const { return static_cast<Index>(m_dim); }

    void add(const IndexItem& entry) {
        switch (entry.kind()) {
        case Kind::Number:
            return select(entry.number());
        case Kind::Slice:
            view() = stridescope::slice(view(), dim(), entry.start(), entry.end(), entry.step()).valueOrThrow();
            ++m_dim;
            ++m_shownDim;
            return;
        case Kind::NewDim:
            view() = stridescope::unsqueeze(view(), dim()).valueOrThrow();
            ++m_dim;
            return;
        case Kind::Bool:
            return keep(entry.truth());
        case Kind::Tensor:
            return addTensor(entry.tensor());
        case Kind::Ellipsis:
            return;
        }
    }

    void select(Index number) {
        const bool past = m_dim >= view().shape.size();
        const Index size = past ? 0 : view().shape[m_dim];
        // PyTorch looks up the size behind the last one, finds 0 among its first five, and is refused later for others.
        if (past && m_dim >= 5) (void)wrapDim(dim(), static_cast<Index>(view().shape.size())).valueOrThrow();
        if (number < -size || number >= size) {
            // As in PyTorch the items are counted, not the dims: they differ behind None, True and an ellipsis.
            refuse(ErrorKind::Index, "INDEX-01",
                   "index " + std::to_string(number) + " is out of bounds for dimension " + std::to_string(m_place) +
                       " with size " + std::to_string(size),
                   past        ? "Each `...` stands for all dims that the other items leave."
                   : size == 0 ? "There is nothing to name in that dim."
                               : "Indices run from " + std::to_string(-size) + " to " + std::to_string(size - 1) + ".",
                   IndexOutOfRange{m_shownDim, number, size});
        }
        view() = stridescope::select(view(), dim(), number).valueOrThrow();
        ++m_shownDim;
    }

    void keep(bool truth) {
        view() = stridescope::unsqueeze(view(), dim()).valueOrThrow();
        m_plan.named.push_back({truthIndex(truth, m_device), m_dim, m_shownDim});
        ++m_dim;
    }

    void addTensor(const Tensor& t) {
        elementwise::requireDefined(t, "index");
        if (isMask(t)) return t.dim() == 0 ? keep(truthOf(t)) : addMask(t);
        if (!isIntegral(t.dtype()))
            refuse(ErrorKind::Index, "INDEX-11", "tensors used as indices must be long, byte or bool tensors",
                   "This one is " + std::string(name(t.dtype())) + "; to(torch.int64) converts it.");
        if (t.dim() == 0) return select(item(t).toInt());
        if (t.dtype() != DType::Int64)
            refuse(ErrorKind::Index, "INDEX-11", "tensors used as indices must be long, byte or bool tensors",
                   "This one is " + std::string(name(t.dtype())) + "; to(torch.int64) converts it.");
        requireDims(1);
        m_plan.named.push_back({t, m_dim++, m_shownDim++});
    }

    /// Of dims for an index tensor: so many are left.
    void requireDims(std::size_t count) {
        if (m_dim + count <= view().shape.size()) return;
        refuse(ErrorKind::Index, "INDEX-10",
               "too many indices for tensor of dimension " + std::to_string(view().shape.size()) + " (got " +
                   std::to_string(m_dim + count) + ")",
               "Each `...` stands for all dims that the other items leave.");
    }

    void addMask(const Tensor& mask) {
        requireDims(mask.shape().size());
        for (std::size_t j = 0; j < mask.shape().size(); ++j)
            if (mask.shape()[j] != view().shape[m_dim + j])
                refuse(ErrorKind::Index, "INDEX-12",
                       "The shape of the mask " + listText(mask.shape()) + " at index " + std::to_string(j) +
                           " does not match the shape of the indexed tensor " + listText(view().shape) + " at index " +
                           std::to_string(m_dim + j),
                       "A mask has one element for each of the tensor's.");
        for (const Tensor& coords : nonzeroTuple(mask)) m_plan.named.push_back({coords, m_dim++, m_shownDim++});
    }

    Plan m_plan;
    Index m_rank;
    Device m_device;
    std::ptrdiff_t m_place = 0; ///< of the item that is looked at
    std::size_t m_dim = 0;
    Index m_shownDim = 0;
};

/// Note [Index loops] The loops of an indexed operation, in the order of the result's dims: slices before, the common
/// shape of the index tensors, slices after.
struct Loops {
    Dims shape;                      ///< of the result
    IndexedArgs args;                ///< all but `plain`
    std::vector<Dims> operandStride; ///< of the sliced view and each index, over the result's dims, in elements
};

/// The strides of an index tensor among the dims of the result: where it has none, a dim of size 1 that PyTorch's
/// reshape gives a stride to. It counts where the result's own size is 1, else the dim is repeated.
Dims stridesAmong(const Tensor& index, const Dims& common, std::size_t before, const Dims& result) {
    View v = index.view();
    if (!(v.shape == common)) v = expand(v, common).valueOrThrow();
    Dims shape(before, 1);
    for (const Index size : common) shape.push_back(size);
    shape.resize(result.size(), 1);
    Result<View> among = viewAs(v, shape);
    if (!among) among = contiguousView(shape);
    Dims strides = among->stride;
    for (std::size_t d = 0; d < shape.size(); ++d)
        if (shape[d] == 1 && result[d] != 1) strides[d] = 0;
    return strides;
}

bool hasNothing(const Dims& shape) {
    return std::find(shape.begin(), shape.end(), 0) != shape.end();
}

Loops loopsOf(const Tensor& t, const Plan& plan) {
    const std::size_t rank = plan.view.shape.size();
    Dims common;
    std::string shapes;
    for (const Named& named : plan.named) shapes += (shapes.empty() ? "" : ", ") + listText(named.index.shape());
    for (const Named& named : plan.named) {
        Result<Dims> both = broadcastShapes(common, named.index.shape());
        if (!both)
            refuse(ErrorKind::Index, "INDEX-13",
                   "shape mismatch: indexing tensors could not be broadcast together with shapes " + shapes,
                   "Sizes must be equal or 1, counted from the right.");
        common = std::move(*both);
    }
    if (!hasNothing(common))
        for (const Named& named : plan.named)
            if (plan.view.shape[named.dim] == 0)
                refuse(ErrorKind::Index, "INDEX-01", "index is out of bounds for dimension with size 0",
                       "There is nothing to name in dim " + std::to_string(named.shownDim) + ".",
                       IndexOutOfRange{named.shownDim, 0, 0});
    bool together = true;
    for (std::size_t k = 1; k < plan.named.size(); ++k) together &= plan.named[k].dim == plan.named[k - 1].dim + 1;
    const std::size_t place = together ? plan.named[0].dim : 0;

    const auto item = static_cast<Index>(t.itemSize());
    const std::size_t sources = plan.named.size();
    Loops loops;
    loops.args.dtype = t.dtype();
    loops.args.indexed = t.storage()->data() + plan.view.offset * item;
    loops.operandStride.resize(1);
    for (const Named& named : plan.named)
        loops.args.sources.push_back(
            indexing::sourceOf(named.index, plan.view.shape[named.dim], plan.view.stride[named.dim] * item, true));
    const auto addNamed = [&] {
        for (std::size_t d = 0; d < common.size(); ++d) {
            IndexedLoop loop{common[d], 0, 0, std::vector<Index>(sources, 0), false};
            loops.operandStride[0].push_back(0);
            for (std::size_t k = 0; k < sources; ++k) {
                const Tensor& index = plan.named[k].index;
                const std::size_t missing = common.size() - index.shape().size();
                const bool steps = d >= missing && index.shape()[d - missing] == common[d];
                loop.index[k] = steps ? index.stride()[d - missing] * static_cast<Index>(index.itemSize()) : 0;
            }
            loops.shape.push_back(common[d]);
            loops.args.loops.push_back(std::move(loop));
        }
    };
    for (std::size_t d = 0; d <= rank; ++d) {
        if (d == place) addNamed();
        if (d == rank) break;
        const bool isNamed =
            std::any_of(plan.named.begin(), plan.named.end(), [&](const Named& named) { return named.dim == d; });
        if (isNamed) continue;
        loops.shape.push_back(plan.view.shape[d]);
        loops.args.loops.push_back(
            {plan.view.shape[d], 0, plan.view.stride[d] * item, std::vector<Index>(sources, 0), true});
        loops.operandStride[0].push_back(plan.view.stride[d]);
    }
    for (const Named& named : plan.named)
        loops.operandStride.push_back(stridesAmong(named.index, common, place, loops.shape));
    return loops;
}

/// Precondition: `plain` has the loops' shape.
void setPlain(Loops& loops, const Tensor& plain) {
    loops.args.plain = firstElement(plain);
    const Dims strides = indexing::byteStrides(plain);
    for (std::size_t d = 0; d < strides.size(); ++d) loops.args.loops[d].plain = strides[d];
}

void run(const Tensor& t, const Loops& loops, const Plan& plan) {
    BadIndex bad;
    if (indexing::run("index", t, loops.args, bad)) return;
    indexing::refuseIndex(ErrorKind::Index, bad.value, plan.named[bad.source].shownDim,
                          loops.args.sources[bad.source].size);
}

/// The items with all index tensors on the device of the indexed one.
std::vector<IndexItem> itemsOn(Device device, const std::vector<IndexItem>& items) {
    std::vector<IndexItem> here = items;
    if (device.isCpu()) return here;
    for (IndexItem& entry : here)
        if (entry.kind() == Kind::Tensor && entry.tensor().dim() > 0) entry = IndexItem(to(entry.tensor(), device));
    return here;
}

Tensor indexOf(const Tensor& t, const std::vector<IndexItem>& given) {
    std::vector<IndexItem> moved;
    const std::vector<IndexItem>& items = t.device().isCpu() ? given : moved = itemsOn(t.device(), given);
    Planner planner(t);
    if (items.size() == 1 && items[0].kind() == Kind::Tensor && items[0].tensor().defined() &&
        isMask(items[0].tensor()) && t.dim() > 0 && items[0].tensor().shape() == t.shape())
        // Without the coords in between. As an index any byte but 0 is true.
        return maskedSelect(t, items[0].tensor().dtype() == DType::Bool ? items[0].tensor()
                                                                        : to(items[0].tensor(), DType::Bool));
    const Plan plan = planner.plan(items);
    if (plan.named.empty()) return t.withView(plan.view);
    Loops loops = loopsOf(t, plan);
    const View layout = contiguousView(loops.shape).valueOrThrow();
    for (Dims& strides : loops.operandStride)
        for (Index& stride : strides) stride = stride < 0 ? -stride : stride;
    const Tensor out = elementwise::newResult(
        layout.shape, denseStrides(loops.shape, resultOrder(loops.shape, loops.operandStride)), t.dtype(), t.device());
    if (hasNothing(loops.shape)) return out;
    setPlain(loops, out);
    loops.args.mode = IndexedMode::Read;
    run(t, loops, plan);
    return out;
}

/// Without leading dims of size 1, as PyTorch takes values.
Tensor withoutLeading(const Tensor& value) {
    View v = value.view();
    while (v.dim() > 0 && v.shape[0] == 1) {
        v.shape.erase(0);
        v.stride.erase(0);
    }
    return value.withView(std::move(v));
}

void requireApart(const Tensor& target, const Tensor& input) {
    if (elementwise::aliasOf(target, input) != elementwise::Alias::Apart)
        elementwise::throwPartialOverlap("index_put_", target, input);
}

/// The mask, when it is the only tensor among `items`; else null.
const Tensor* onlyTensorAsMask(const std::vector<IndexItem>& items) {
    const Tensor* only = nullptr;
    for (const IndexItem& entry : items) {
        if (entry.kind() != Kind::Tensor) continue;
        if (only || !isMask(entry.tensor())) return nullptr;
        only = &entry.tensor();
    }
    return only;
}

/// Whose assignment it is: x[…] = v drops leading dims of size 1 of the value, index_put_ takes it as it is.
enum class Setter : std::uint8_t { Number, Brackets, Put, Add };

void setOf(const Tensor& t, const std::vector<IndexItem>& given, Tensor value, Setter setter) {
    const bool isNumber = setter == Setter::Number, accumulate = setter == Setter::Add;
    std::vector<IndexItem> moved;
    const std::vector<IndexItem>& items = t.device().isCpu() ? given : moved = itemsOn(t.device(), given);
    const bool onlyBool = items.size() == 1 && items[0].kind() == Kind::Bool;
    if (onlyBool && !items[0].truth()) return;
    // As in PyTorch x[True] = v converts like x[:] = v, though x[True] copies.
    Planner planner(t);
    const Plan plan = planner.plan(onlyBool ? std::vector{IndexItem::newDim()} : items);
    const Tensor target = t.withView(plan.view);
    if (plan.named.empty()) {
        // One value everywhere, also where a view repeats elements. For one element PyTorch copies, which converts
        // whatever there is.
        if (!accumulate && value.dim() == 0 && target.dim() > 0) {
            fill_(target, value);
            return;
        }
        const Tensor fitting = withoutLeading(value);
        const Tensor whole = fitting.shape() == target.shape() ? fitting : expand(fitting, target.shape());
        accumulate ? add_(target, whole) : copy_(target, whole);
        return;
    }
    const Tensor* const oneMask = onlyTensorAsMask(items);
    const bool asItIs = setter == Setter::Put || setter == Setter::Add;
    const Dims shape = asItIs ? value.shape() : withoutLeading(value).shape();
    Loops loops = loopsOf(t, plan);
    if (shape != loops.shape && !(oneMask && value.numel() == 1 && !accumulate)) {
        const Result<Dims> both = broadcastShapes(shape, loops.shape);
        if (!both || *both != loops.shape)
            refuse(ErrorKind::Runtime, "INDEX-15",
                   "shape mismatch: value tensor of shape " + listText(shape) +
                       " cannot be broadcast to indexing result of shape " + listText(loops.shape),
                   "Sizes must be equal or 1, counted from the right.");
    }
    if (value.dtype() != t.dtype()) {
        // PyTorch turns such an assignment into masked_fill_, which takes any number.
        if (!oneMask || value.numel() != 1 || accumulate)
            refuse(ErrorKind::Runtime, "INDEX-05",
                   "Index put requires the source and destination dtypes match, got " +
                       std::string(scalarTypeName(t.dtype())) + " for the destination and " +
                       std::string(scalarTypeName(value.dtype())) + " for the source.",
                   "Convert the value with to().");
        value = indexing::number(item(value), t.dtype(), t.device());
    }
    if (oneMask && oneMask->dim() > 0 && value.numel() == 1 && !accumulate)
        indexing::requireBits(*oneMask); // masked_fill_ takes no other bytes than 0 and 1
    if (value.device() != t.device()) {
        if (value.dim() != 0 || !value.device().isCpu()) requireOneDevice("index_put_", {&t, &value});
        value = to(value, t.device()); // a number of the CPU goes with any device
    }
    const Tensor fitting = withoutLeading(value);
    if (fitting.numel() == 1 && !accumulate)
        indexing::requireFillTarget("index_put_", target, {});
    else
        indexing::requireTarget("index_put_", target, {});
    if (!isNumber) requireApart(target, value);
    const bool fills = plan.onlyMask.defined() && fitting.numel() == 1 && !accumulate;
    for (const IndexItem& entry : items) {
        if (entry.kind() != Kind::Tensor) continue;
        // m[m] = False reads each element before it is written.
        if (fills && elementwise::aliasOf(target, plan.onlyMask) == elementwise::Alias::Same) continue;
        requireApart(target, entry.tensor());
    }
    if (hasNothing(loops.shape)) return;
    if (fills) {
        const RowOperand rows{firstElement(target), indexing::byteStrides(target)};
        const RowOperand bits{firstElement(plan.onlyMask), indexing::byteStrides(plan.onlyMask)};
        const ElementBytes number = indexing::elementBytes(item(fitting), t.dtype());
        elementwise::require(kernelTable(t.device()).mask.fill, "index_put_",
                             t)(target.shape(), rows, bits, static_cast<Index>(t.itemSize()), number);
    } else {
        setPlain(loops, fitting.shape() == loops.shape ? fitting : expand(fitting, loops.shape));
        loops.args.mode = accumulate ? IndexedMode::Add : IndexedMode::Write;
        run(t, loops, plan);
    }
    t.storage()->bumpVersion();
}

/// What stands in the brackets; tensors are named as inputs from `first` on.
std::string itemsText(const std::vector<IndexItem>& items, std::size_t first) {
    std::string text = "[";
    for (const IndexItem& entry : items) {
        if (text.size() > 1) text += ", ";
        switch (entry.kind()) {
        case Kind::Number:
            text += std::to_string(entry.number());
            break;
        case Kind::Slice:
            if (entry.start()) text += std::to_string(*entry.start());
            text += ':';
            if (entry.end()) text += std::to_string(*entry.end());
            if (entry.step() != 1) text += ":" + std::to_string(entry.step());
            break;
        case Kind::NewDim:
            text += "None";
            break;
        case Kind::Ellipsis:
            text += "...";
            break;
        case Kind::Bool:
            text += entry.truth() ? "True" : "False";
            break;
        case Kind::Tensor:
            text += "{" + std::to_string(first++) + "}";
            break;
        }
    }
    return text + (items.empty() ? "()]" : "]");
}

Inputs inputsOf(const Tensor& t, const std::vector<IndexItem>& items) {
    Inputs inputs{&t};
    for (const IndexItem& entry : items)
        if (entry.kind() == Kind::Tensor) inputs.push_back(&entry.tensor());
    return inputs;
}

/// What an assignment reaches, where its text does not tell; see chosenInPlace().
std::function<void(const Tensor&)> marker(const std::vector<IndexItem>& items) {
    const bool chosen = std::any_of(items.begin(), items.end(), [](const IndexItem& item) {
        return item.kind() == Kind::Tensor || item.kind() == Kind::Bool;
    });
    if (!chosen) return nullptr;
    return [&items](const Tensor& marks) {
        setOf(marks, items, indexing::number(true, DType::Bool, marks.device()), Setter::Number);
    };
}

void requireItems(const char* operation, const Tensor& t, const std::vector<IndexItem>& items) {
    elementwise::requireDefined(t, operation);
    for (const IndexItem& entry : items) {
        if (entry.kind() != Kind::Tensor) continue;
        elementwise::requireDefined(entry.tensor(), operation);
        const Device device = entry.tensor().device();
        if (!device.isCpu() && device != t.device())
            refuse(ErrorKind::Runtime, "DEV-03",
                   "indices should be either on cpu or on the same device as the indexed tensor (" +
                       toString(t.device()) + ")",
                   "An index is on " + toString(device) + "; move it with to().");
    }
}

} // namespace

Tensor index(const Tensor& t, const std::vector<IndexItem>& items) {
    requireItems("index", t, items);
    return observed::newTensors(
        "getitem", [&] { return inputsOf(t, items); }, [&] { return indexOf(t, items); },
        [&] { return itemsText(items, 1); });
}

const Tensor& setIndex(const Tensor& t, const std::vector<IndexItem>& items, const Tensor& value) {
    requireItems("index_put_", t, items);
    elementwise::requireDefined(value, "index_put_");
    return observed::chosenInPlace(
        "setitem", t,
        [&] {
            Inputs inputs = inputsOf(t, items);
            inputs.push_back(&value);
            return inputs;
        },
        [&] { setOf(t, items, value, Setter::Brackets); }, marker(items),
        [&] {
            const std::size_t tensors = inputsOf(t, items).size();
            return itemsText(items, 1) + " = {" + std::to_string(tensors) + "}";
        });
}

const Tensor& setIndex(const Tensor& t, const std::vector<IndexItem>& items, Scalar value) {
    requireItems("index_put_", t, items);
    return observed::chosenInPlace(
        "setitem", t, [&] { return inputsOf(t, items); },
        [&] { setOf(t, items, indexing::number(value, t.dtype(), t.device()), Setter::Number); }, marker(items),
        [&] { return itemsText(items, 1) + " = " + toString(value); });
}

namespace {

/// "({1}, {2}), {3}, accumulate=True".
std::string putText(std::size_t indices, bool accumulate) {
    std::string text = "(";
    for (std::size_t i = 1; i <= indices; ++i) text += "{" + std::to_string(i) + "}, ";
    if (indices > 1) text.resize(text.size() - 2);
    if (indices == 1) text.pop_back();
    return text + "), {" + std::to_string(indices + 1) + "}" + (accumulate ? ", accumulate=True" : "");
}

std::vector<IndexItem> putItems(const Tensor& t, const std::vector<Tensor>& indices, const Tensor& value) {
    std::vector<IndexItem> items(indices.begin(), indices.end());
    requireItems("index_put_", t, items);
    elementwise::requireDefined(value, "index_put_");
    return items;
}

Inputs putInputs(const Tensor& t, const std::vector<IndexItem>& items, const Tensor& value) {
    Inputs inputs = inputsOf(t, items);
    inputs.push_back(&value);
    return inputs;
}

} // namespace

const Tensor& indexPut_(const Tensor& t, const std::vector<Tensor>& indices, const Tensor& value, bool accumulate) {
    const std::vector<IndexItem> items = putItems(t, indices, value);
    return observed::chosenInPlace(
        "index_put_", t, [&] { return putInputs(t, items, value); },
        [&] { setOf(t, items, value, accumulate ? Setter::Add : Setter::Put); }, marker(items),
        [&] { return putText(indices.size(), accumulate); });
}

Tensor indexPut(const Tensor& t, const std::vector<Tensor>& indices, const Tensor& value, bool accumulate) {
    const std::vector<IndexItem> items = putItems(t, indices, value);
    return observed::newTensors(
        "index_put", [&] { return putInputs(t, items, value); },
        [&] {
            Tensor out = clone(t);
            setOf(out, items, value, accumulate ? Setter::Add : Setter::Put);
            return out;
        },
        [&] { return putText(indices.size(), accumulate); });
}

} // namespace stridescope
