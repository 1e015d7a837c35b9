// Is an element one of many? Of a few: by comparing with each. Of many: by sorted keys and search in halves.

#include "core/backend/cpu/sort_kernels.h"
#include "core/ops/composed.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/indexing_call.h"
#include "core/ops/math_call.h"
#include "core/ops/observed_call.h"
#include "core/ops/promotion.h"
#include "core/ops/sorting.h"
#include "core/tensor/element.h"

#include <algorithm>

namespace stridescope {

using indexing::refuse;

namespace {

void requireCounted(const MathInput& in) {
    const DType dtype = in.tensor() ? in.tensor()->dtype() : resultType(std::array{promotionOperand(in.number())});
    if (isComplex(dtype) || dtype == DType::Bool)
        refuse(ErrorKind::Runtime, "SORT-01",
               "Unsupported input type encountered for isin(): " + std::string(scalarTypeName(dtype)),
               "Convert it first: x.long() or x.real.");
}

/// The keys of all elements in the order of memory; of each one twin for NaN, which equals nothing.
cpu::SortLane keysOf(const Tensor& t) {
    cpu::SortLane lane;
    cpu::loadKeys(lane, indexing::firstElement(t), static_cast<Index>(t.itemSize()), t.numel(), t.dtype(), false);
    return lane;
}

/// So few values are compared one after the other, a block of elements at a time.
constexpr Index kFew = 64;

Tensor isOneOfFew(const Tensor& elements, const Tensor& values, bool invert) {
    Tensor out = indexing::newContiguous(elements.shape(), DType::Bool, Device{});
    auto* const flag = reinterpret_cast<std::uint8_t*>(out.data<bool>());
    visitDType(elements.dtype(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        using Compared = std::conditional_t<std::is_same_v<T, Half>, float, T>;
        const T *const element = elements.data<T>(), *const value = values.data<T>();
        constexpr Index kBlock = 4096;
        for (Index first = 0; first < elements.numel(); first += kBlock) {
            const Index last = std::min(first + kBlock, elements.numel());
            std::fill(flag + first, flag + last, std::uint8_t{invert});
            for (Index k = 0; k < values.numel(); ++k) {
                const auto wanted = static_cast<Compared>(value[k]);
                for (Index i = first; i < last; ++i) {
                    const std::uint8_t found = static_cast<Compared>(element[i]) == wanted;
                    flag[i] = invert ? flag[i] & static_cast<std::uint8_t>(1 - found) : flag[i] | found;
                }
            }
        }
    });
    return out;
}

Tensor isinOf(const Tensor& elements, const Tensor& values, bool invert) {
    if (!elements.device().isCpu()) return composed::isin(elements, values, invert);
    if (values.numel() <= kFew) return isOneOfFew(elements, values, invert);
    const cpu::SortLane asked = keysOf(elements);
    cpu::SortLane known = keysOf(values);
    if (values.numel() > 0) cpu::sortLane(known, values.dtype());
    Tensor out = indexing::newContiguous(elements.shape(), DType::Bool, Device{});
    // The greatest key of a float is NaN's.
    const std::uint64_t none =
        elements.itemSize() == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * elements.itemSize())) - 1;
    for (std::size_t i = 0; i < asked.keys.size(); ++i) {
        const bool isNumber = !isFloating(elements.dtype()) || asked.keys[i] != none;
        const bool found = isNumber && std::binary_search(known.keys.begin(), known.keys.end(), asked.keys[i]);
        out.data<bool>()[i] = found != invert;
    }
    return out;
}

} // namespace

Tensor isin(const MathInput& elements, const MathInput& values, bool invert) {
    observed::Inputs inputs;
    for (const MathInput* in : {&elements, &values}) {
        if (!in->tensor()) continue;
        inputs.push_back(in->tensor());
        indexing::requireOneDevice("isin", {inputs[0], in->tensor()});
    }
    if (inputs.empty()) refuse(ErrorKind::Runtime, "MATH-04", "isin(): one argument at least must be Tensor");
    requireCounted(elements);
    requireCounted(values);
    return observed::newTensors(
        "isin", [&] { return inputs; },
        [&] {
            const std::array<const MathInput*, 2> both{&elements, &values};
            const DType common = mathcall::commonDType(both);
            const auto flat = [&](const MathInput& in) {
                return in.tensor() ? contiguous(to(*in.tensor(), common))
                                   : full({}, in.number(), {common, inputs[0]->device()});
            };
            return isinOf(flat(elements), flat(values), invert);
        },
        [&] {
            std::string text;
            if (!elements.tensor()) text = toString(elements.number()) + ", {0}";
            if (!values.tensor()) text = "{0}, " + toString(values.number());
            if (text.empty()) text = "{0}, {1}";
            return text + (invert ? ", invert=True" : "");
        });
}

} // namespace stridescope
