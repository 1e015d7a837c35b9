#include "core/ops/masking.h"

#include "core/backend/cpu/mask_kernels.h"
#include "core/ops/copy.h"
#include "core/ops/indexing_call.h"
#include "core/ops/observed_call.h"
#include "core/ops/pointwise.h"
#include "core/ops/promotion.h"
#include "core/ops/reductions.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/trace/warning.h"
#include "core/view/broadcast.h"
#include "core/view/view_ops.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace stridescope {

namespace {

using elementwise::require;
using indexing::firstElement;
using indexing::newContiguous;
using indexing::refuse;
using indexing::requireOneDevice;
using observed::Inputs;

/// `t` broadcast to `shape`. Precondition: it does.
RowOperand rowsOf(const Tensor& t, const Dims& shape) {
    RowOperand rows{firstElement(t), Dims(shape.size(), 0)};
    const std::size_t missing = shape.size() - t.shape().size();
    for (std::size_t d = missing; d < shape.size(); ++d)
        if (t.shape()[d - missing] != 1) rows.stride[d] = t.stride()[d - missing] * static_cast<Index>(t.itemSize());
    return rows;
}

bool isMask(const Tensor& t) {
    return t.dtype() == DType::Bool || t.dtype() == DType::UInt8;
}

/// Of masked_fill and masked_scatter: `mask` as bits. PyTorch takes whole numbers that are 0 or 1 too; it reads the
/// bytes of other numbers as if they were such, which is refused here.
Tensor bitsOf(const char* operation, const Tensor& mask) {
    if (isMask(mask)) {
        indexing::requireBits(mask);
        return mask;
    }
    if (!isIntegral(mask.dtype()))
        refuse(ErrorKind::Runtime, "MASK-01",
               std::string(operation) + " only supports boolean masks, but got mask with dtype " +
                   std::string(scalarTypeName(mask.dtype())),
               "Compare: mask != 0 is bool.");
    const trace::Nested nested;
    const Tensor bits = ne(mask, Index{0});
    if (item(any(ne(mask, bits))).toInt() != 0) indexing::refuseNumbersInMask();
    return bits;
}

/// As PyTorch, before it looks at the bytes.
void warnOfBytes(const char* operation, const Tensor& mask) {
    if (mask.dtype() != DType::UInt8) return;
    warn(std::string(operation) + " received a mask with dtype torch.uint8, this behavior is now deprecated,please use "
                                  "a mask with dtype torch.bool instead.");
}

Tensor maskedSelectOf(const Tensor& t, const Tensor& mask) {
    if (!isMask(mask))
        refuse(ErrorKind::Runtime, "MASK-01", "masked_select: expected BoolTensor or ByteTensor for mask",
               "Compare: mask != 0 is bool.");
    warnOfBytes("masked_select", mask);
    indexing::requireBits(mask);
    // PyTorch names the mask first when the two do not broadcast.
    const Dims shape = mask.shape() == t.shape() ? t.shape() : broadcastShapes(mask.shape(), t.shape()).valueOrThrow();
    const RowOperand source = rowsOf(t, shape), bits = rowsOf(mask, shape);
    const bool empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
    if (empty) return newContiguous({0}, t.dtype(), t.device());
    const MaskBlocks blocks = require(kernelTable(t.device()).mask.count, "masked_select", t)(shape, bits);
    Tensor out = newContiguous({blocks.total()}, t.dtype(), t.device());
    if (blocks.total() != 0)
        require(kernelTable(t.device()).mask.select, "masked_select",
                t)(shape, source, bits, blocks, static_cast<Index>(t.itemSize()), out.storage()->data());
    return out;
}

/// Is the mask what is written, element by element? Each is read before it is written, as in PyTorch.
bool masksItself(const Tensor& t, const Tensor& mask) {
    return elementwise::aliasOf(t, mask) == elementwise::Alias::Same;
}

void maskedFillInto(const Tensor& t, const Tensor& mask, Scalar value) {
    const ElementBytes number = indexing::elementBytes(value, t.dtype());
    if (mask.shape() != t.shape()) {
        const Dims shape = broadcastShapes(t.shape(), mask.shape()).valueOrThrow();
        if (shape != t.shape()) elementwise::throwOutputShape(t.shape(), shape);
    }
    warnOfBytes("masked_fill_", mask);
    const Tensor bits = bitsOf("masked_fill_", mask);
    if (masksItself(t, mask))
        indexing::requireFillTarget("masked_fill_", t, {});
    else
        indexing::requireFillTarget("masked_fill_", t, {&mask});
    if (t.numel() == 0) return;
    require(kernelTable(t.device()).mask.fill, "masked_fill_",
            t)(t.shape(), rowsOf(t, t.shape()), rowsOf(bits, t.shape()), static_cast<Index>(t.itemSize()), number);
    t.storage()->bumpVersion();
}

void maskedScatterInto(const Tensor& t, const Tensor& mask, const Tensor& source) {
    if (t.dtype() != source.dtype())
        refuse(ErrorKind::Runtime, "MASK-04",
               "masked_scatter: expected self and source to have same dtypes but got" +
                   std::string(scalarTypeName(t.dtype())) + " and " + std::string(scalarTypeName(source.dtype())),
               "Convert the source with to().");
    const Tensor wide = mask.shape() == t.shape() ? mask : expand(mask, t.shape());
    warnOfBytes("masked_scatter_", mask);
    const Tensor bits = bitsOf("masked_scatter_", wide);
    if (masksItself(t, mask))
        indexing::requireTarget("masked_scatter_", t, {&source});
    else
        indexing::requireTarget("masked_scatter_", t, {&mask, &source});
    if (t.numel() == 0) return;
    const RowOperand rows = rowsOf(bits, t.shape());
    const MaskBlocks blocks = require(kernelTable(t.device()).mask.count, "masked_scatter_", t)(t.shape(), rows);
    if (blocks.total() > source.numel())
        refuse(ErrorKind::Runtime, "MASK-03", "Number of elements of source < number of ones in mask",
               "The mask has " + std::to_string(blocks.total()) + " true elements, the source " +
                   std::to_string(source.numel()) + " elements.",
               NumelMismatch{blocks.total(), source.numel()});
    if (blocks.total() == 0) return;
    const Tensor packed = contiguous(source);
    require(kernelTable(t.device()).mask.scatter, "masked_scatter_",
            t)(t.shape(), rowsOf(t, t.shape()), rows, blocks, static_cast<Index>(t.itemSize()), firstElement(packed));
    t.storage()->bumpVersion();
}

/// The elements of `t`, contiguous, in the shape that it and the mask broadcast to.
Tensor commonCopy(const Tensor& t, const Tensor& mask) {
    Tensor out =
        newContiguous(mask.shape() == t.shape() ? t.shape() : broadcastShapes(mask.shape(), t.shape()).valueOrThrow(),
                      t.dtype(), t.device());
    copy_(out, t);
    return out;
}

/// As `dtype`, without a copy where it has it already.
Tensor asDType(const Tensor& t, DType dtype) {
    return t.dtype() == dtype ? t : to(t, dtype);
}

Tensor whereOf(const Tensor& condition, const Tensor& a, const Tensor& b, DType dtype) {
    if (!isMask(condition))
        refuse(ErrorKind::Runtime, "MASK-01",
               "where expected condition to be a boolean tensor, but got a tensor with dtype " +
                   std::string(scalarTypeName(condition.dtype())),
               "Compare: condition != 0 is bool.");
    if (condition.dtype() == DType::UInt8)
        warn("where received a uint8 condition tensor. This behavior is deprecated and will be removed in a future "
             "version of PyTorch. Use a boolean condition instead.");
    Dims shape = a.shape(); // messages name them as PyTorch's: the condition first
    if (condition.shape() != shape) shape = broadcastShapes(condition.shape(), shape).valueOrThrow();
    if (b.shape() != shape) shape = broadcastShapes(shape, b.shape()).valueOrThrow();
    const View* views[] = {&condition.view(), &a.view(), &b.view()};
    Tensor out = elementwise::newResult(shape, elementwise::resultStrides(shape, views), dtype, condition.device());
    if (out.numel() == 0) return out;
    const Tensor x = asDType(a, dtype), y = asDType(b, dtype);
    // The loops go in the order in which the result lies in memory.
    std::vector<std::size_t> order(shape.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t d, std::size_t e) { return out.stride()[d] > out.stride()[e]; });
    const auto inOrder = [&](const RowOperand& rows) {
        RowOperand sorted{rows.data, Dims(order.size(), 0)};
        for (std::size_t i = 0; i < order.size(); ++i) sorted.stride[i] = rows.stride[order[i]];
        return sorted;
    };
    Dims sortedShape(order.size(), 0);
    for (std::size_t i = 0; i < order.size(); ++i) sortedShape[i] = shape[order[i]];
    require(kernelTable(out.device()).mask.choose, "where",
            out)(sortedShape, inOrder(rowsOf(out, shape)), inOrder(rowsOf(condition, shape)), inOrder(rowsOf(x, shape)),
                 inOrder(rowsOf(y, shape)), static_cast<Index>(itemSize(dtype)));
    return out;
}

template <class A, class B>
Tensor observedWhere(const Tensor& condition, const A& a, const B& b, const Inputs& inputs, const std::string& text) {
    return observed::newTensors(
        "where", [&] { return inputs; },
        [&] {
            const DType dtype = resultType(std::array{promotionOperand(a), promotionOperand(b)});
            const auto asTensor = [&](const auto& operand) {
                if constexpr (std::is_same_v<std::decay_t<decltype(operand)>, Tensor>)
                    return operand;
                else
                    return indexing::number(operand, dtype, condition.device());
            };
            return whereOf(condition, asTensor(a), asTensor(b), dtype);
        },
        [&] { return text; });
}

/// {dims, count}, one row for each dim.
Tensor coordsOf(const Tensor& t) {
    const RowOperand source = rowsOf(t, t.shape());
    const Index rank = t.dim();
    if (t.numel() == 0) return newContiguous({rank, 0}, DType::Int64, t.device());
    const MaskBlocks blocks =
        require(kernelTable(t.device()).mask.countNonzero, "nonzero", t)(t.shape(), source, t.dtype());
    Tensor out = newContiguous({rank, blocks.total()}, DType::Int64, t.device());
    if (out.numel() != 0)
        require(kernelTable(t.device()).mask.findNonzero, "nonzero", t)(
            t.shape(), source, t.dtype(), blocks, reinterpret_cast<Index*>(out.storage()->data()), blocks.total());
    return out;
}

Tensor nonzeroOf(const char* name, const Tensor& t) {
    requireOneDevice(name, {&t});
    return observed::newTensors(
        name, [&] { return Inputs{&t}; },
        [&] {
            const Tensor coords = coordsOf(t);
            const Index count = coords.size(1);
            return coords.withView(View{{count, t.dim()}, {1, t.dim() == 0 ? 1 : count}, 0});
        },
        [] { return std::string(); });
}

std::vector<Tensor> coordTuple(const char* name, const char* arguments, const Tensor& t) {
    requireOneDevice(name, {&t});
    return observed::newTensors(
        name, [&] { return Inputs{&t}; }, [&] { return unbind(coordsOf(indexing::withDim(t)), 0); },
        [&] { return std::string(arguments); });
}

} // namespace

void indexing::refuseNumbersInMask() {
    refuse(ErrorKind::Runtime, "MASK-01", "Mask tensor can take 0 and 1 values only", "Compare: mask != 0 is bool.");
}

void indexing::requireBits(const Tensor& mask) {
    if (mask.dtype() == DType::UInt8 && !require(kernelTable(mask.device()).mask.holdsOnlyBits, "masked_fill_",
                                                 mask)(mask.shape(), rowsOf(mask, mask.shape())))
        refuseNumbersInMask();
}

Tensor maskedSelect(const Tensor& t, const Tensor& mask) {
    requireOneDevice("masked_select", {&t, &mask});
    return observed::newTensors(
        "masked_select",
        [&] {
            return Inputs{&t, &mask};
        },
        [&] { return maskedSelectOf(t, mask); }, [] { return std::string(); });
}

const Tensor& maskedFill_(const Tensor& t, const Tensor& mask, Scalar value) {
    requireOneDevice("masked_fill_", {&t, &mask});
    return observed::chosenInPlace(
        "masked_fill_", t,
        [&] {
            return Inputs{&t, &mask};
        },
        [&] { maskedFillInto(t, mask, value); }, [&](const Tensor& marks) { copy_(marks, mask); },
        [&] { return toString(value); });
}

const Tensor& maskedFill_(const Tensor& t, const Tensor& mask, const Tensor& value) {
    requireOneDevice("masked_fill_", {&t, &mask, &value});
    if (value.dim() != 0)
        refuse(ErrorKind::Runtime, "MASK-02",
               "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with " +
                   std::to_string(value.dim()) + " dimension(s).",
               "masked_scatter_ and where take one value for each element.");
    return observed::chosenInPlace(
        "masked_fill_", t,
        [&] {
            return Inputs{&t, &mask, &value};
        },
        [&] { maskedFillInto(t, mask, item(value)); }, [&](const Tensor& marks) { copy_(marks, mask); },
        [] { return std::string(); });
}

Tensor maskedFill(const Tensor& t, const Tensor& mask, Scalar value) {
    requireOneDevice("masked_fill", {&t, &mask});
    return observed::newTensors(
        "masked_fill",
        [&] {
            return Inputs{&t, &mask};
        },
        [&] {
            const Tensor out = commonCopy(t, mask);
            maskedFillInto(out, mask, value);
            return out;
        },
        [&] { return toString(value); });
}

const Tensor& maskedScatter_(const Tensor& t, const Tensor& mask, const Tensor& source) {
    requireOneDevice("masked_scatter_", {&t, &mask, &source});
    return observed::chosenInPlace(
        "masked_scatter_", t,
        [&] {
            return Inputs{&t, &mask, &source};
        },
        [&] { maskedScatterInto(t, mask, source); }, [&](const Tensor& marks) { copy_(marks, mask); },
        [] { return std::string(); });
}

Tensor maskedScatter(const Tensor& t, const Tensor& mask, const Tensor& source) {
    requireOneDevice("masked_scatter", {&t, &mask, &source});
    return observed::newTensors(
        "masked_scatter",
        [&] {
            return Inputs{&t, &mask, &source};
        },
        [&] {
            const Tensor out = commonCopy(t, mask);
            maskedScatterInto(out, mask, source);
            return out;
        },
        [] { return std::string(); });
}

Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b) {
    requireOneDevice("where", {&condition, &a, &b});
    return observedWhere(condition, a, b, {&condition, &a, &b}, "");
}

Tensor where(const Tensor& condition, const Tensor& a, Scalar b) {
    requireOneDevice("where", {&condition, &a});
    return observedWhere(condition, a, b, {&condition, &a}, toString(b));
}

Tensor where(const Tensor& condition, Scalar a, const Tensor& b) {
    requireOneDevice("where", {&condition, &b});
    return observedWhere(condition, a, b, {&condition, &b}, "{0}, " + toString(a) + ", {1}");
}

Tensor where(const Tensor& condition, Scalar a, Scalar b) {
    requireOneDevice("where", {&condition});
    return observedWhere(condition, a, b, {&condition}, toString(a) + ", " + toString(b));
}

Tensor nonzero(const Tensor& t) {
    return nonzeroOf("nonzero", t);
}

Tensor argwhere(const Tensor& t) {
    return nonzeroOf("argwhere", t);
}

std::vector<Tensor> nonzeroTuple(const Tensor& t) {
    return coordTuple("nonzero", "as_tuple=True", t);
}

std::vector<Tensor> where(const Tensor& condition) {
    return coordTuple("where", "", condition);
}

} // namespace stridescope
