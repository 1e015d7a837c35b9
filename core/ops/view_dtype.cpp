#include "core/ops/promotion.h"
#include "core/ops/views.h"

#include "core/trace/code.h"
#include "core/view/view_ops.h"

#include <string>

namespace stridescope {

namespace {

std::string pairText(DType from, DType to) {
    return "to view " + std::string(scalarTypeName(from)) + " as " + std::string(scalarTypeName(to)) +
           " (different element sizes)";
}

Refusal notDivisible(const char* id, const std::string& what, Index ratio, Index got, DType from, DType to) {
    return {ErrorKind::Runtime,
            id,
            what + " must be divisible by " + std::to_string(ratio) + " " + pairText(from, to) + ", but got " +
                std::to_string(got),
            "One " + std::string(name(to)) + " takes the bytes of " + std::to_string(ratio) + " " +
                std::string(name(from)) + ".",
            {}};
}

/// Each item becomes `ratio` smaller ones.
Result<View> splitItems(View v, Index ratio, DType from, DType to) {
    bool fits = !__builtin_mul_overflow(v.offset, ratio, &v.offset);
    for (std::size_t d = 0; d + 1 < v.stride.size(); ++d) {
        fits = !__builtin_mul_overflow(v.stride[d], ratio, &v.stride[d]) && fits;
    }
    fits = !__builtin_mul_overflow(v.shape.back(), ratio, &v.shape.back()) && fits;
    if (!fits) {
        return Refusal{ErrorKind::Runtime, "DTYPE-06", "the layout exceeds 64 bits " + pairText(from, to), "", {}};
    }
    return makeView(v.shape, v.stride, v.offset);
}

/// `ratio` neighbours become one larger item.
Result<View> joinItems(View v, Index ratio, DType from, DType to) {
    const Index last = v.shape.back();
    if (last % ratio != 0) return notDivisible("DTYPE-03", "self.size(-1)", ratio, last, from, to);
    if (v.offset % ratio != 0) return notDivisible("DTYPE-04", "self.storage_offset()", ratio, v.offset, from, to);
    for (std::size_t d = 0; d + 1 < v.stride.size(); ++d) {
        if (v.stride[d] % ratio != 0) {
            return notDivisible("DTYPE-05", "self.stride(" + std::to_string(d) + ")", ratio, v.stride[d], from, to);
        }
        v.stride[d] /= ratio;
    }
    v.shape.back() = last / ratio;
    v.offset /= ratio;
    return v;
}

} // namespace

Result<View> viewAsDType(const View& v, DType from, DType to) {
    const auto fromSize = static_cast<Index>(itemSize(from));
    const auto toSize = static_cast<Index>(itemSize(to));
    if (fromSize == toSize) return v;
    if (v.dim() == 0) {
        return Refusal{ErrorKind::Runtime,
                       "DTYPE-01",
                       "self.dim() cannot be 0 " + pairText(from, to),
                       "Add a dim first: unsqueeze(0).",
                       {}};
    }
    if (v.stride.back() != 1) {
        return Refusal{ErrorKind::Runtime,
                       "DTYPE-02",
                       "self.stride(-1) must be 1 " + pairText(from, to) + ", but got " +
                           std::to_string(v.stride.back()),
                       "Only neighbours in the last dim can be split or joined; contiguous() makes them neighbours.",
                       {}};
    }
    return fromSize > toSize ? splitItems(v, fromSize / toSize, from, to) : joinItems(v, toSize / fromSize, from, to);
}

Tensor viewDType(const Tensor& t, DType dtype) {
    if (!t.defined()) {
        throwRefusal({ErrorKind::Value,
                      "TENSOR-02",
                      "view: the tensor is undefined",
                      "Make one with empty, zeros or tensor.",
                      {}});
    }
    Tensor result(t.storage(), viewAsDType(t.view(), t.dtype(), dtype).valueOrThrow(), dtype);
    if (trace::observed()) {
        OpRecord record;
        record.name = "view";
        record.arguments = code::dtypeText(dtype);
        record.inputs.push_back(trace::record(t));
        record.outputs.push_back(trace::record(result));
        trace::publish(record);
    }
    return result;
}

} // namespace stridescope
