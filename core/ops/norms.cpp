#include "core/ops/norms.h"

#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/extrema.h"
#include "core/ops/linalg.h"
#include "core/ops/linalg_checks.h"
#include "core/ops/masking.h"
#include "core/ops/patterns.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/promotion.h"
#include "core/ops/reduce_call.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/trace/code.h"
#include "core/view/view_ops.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stridescope {

using namespace reduction;

namespace {

/// Of a tensor of floats. Over nothing every norm is 0.
void normInto(const Tensor& t, DType via, DimMask mask, double p, const Tensor& out) {
    if (reducedCount(t, mask) == 0) {
        zero_(out);
        return;
    }
    if (p == 2)
        foldInto(t, mask, {FoldOp::SquareSum, via, 0, Finish::Root}, out);
    else if (p == 1)
        foldInto(t, mask, {FoldOp::AbsSum, via}, out);
    else if (p == 0)
        foldInto(t, mask, {FoldOp::NonZero, via}, out);
    else if (std::isinf(p))
        foldInto(t, mask, {p > 0 ? FoldOp::AbsMax : FoldOp::AbsMin, via}, out);
    else
        foldInto(t, mask, {FoldOp::PowerSum, via, p, Finish::Power, 1 / p}, out);
}

void requireNormDType(DType dtype, const char* what) {
    if (isFloating(dtype) || isComplex(dtype)) return;
    refuse(ErrorKind::Runtime, "RED-02",
           std::string("norm(): ") + what + " should be either floating point or complex. Got " +
               std::string(scalarTypeName(dtype)) + " instead.",
           "Convert it first: x.float().");
}

Tensor normOf(const char* name, const std::string& order, const Tensor& t, double p, const ReduceDims& dims,
              bool keepdim, OptionalDType dtype) {
    requireInput(name, t);
    if (dtype)
        requireNormDType(*dtype, "the desired output dtype");
    else
        requireNormDType(t.dtype(), "input dtype");
    const DimMask mask = maskOf(t, dims);
    const DType result = dtype.value_or(realPartDType(t.dtype())), via = realPartDType(result);
    const auto compute = [&](const Tensor& x) -> Tensor {
        Tensor out = newResult(x, mask, keepdim, via);
        if (!isComplex(x.dtype())) {
            normInto(x, via, mask, p, out);
        } else if (p == 2) { // the squares of all parts
            const Tensor parts = complexops::parts(x);
            normInto(parts, via, mask | DimMask{1} << x.dim(), p, out);
        } else {
            normInto(abs(x), via, mask, p, out);
        }
        return to(out, result);
    };
    return observed(
        name, t, [&] { return joined(order, argumentsText(dims, keepdim, dtype)); },
        [&] { return computeOnce(t, mask, keepdim, compute); });
}

/// A number as an argument of norm: "float('inf')" is how Python says so.
std::string orderText(Scalar p) {
    const double value = p.toDouble();
    if (std::isinf(value)) return value > 0 ? "float('inf')" : "-float('inf')";
    return p == Scalar(2.0) ? std::string() : toString(p);
}

/// Singular values of the matrices in two dims, which the result has lost.
Tensor singularValues(const Tensor& a, const Dims& dims) {
    return svdvals(movedim(a, dims, {-2, -1}));
}
/// Puts dims of size 1 where `dims` have been.
Tensor withDims(Tensor result, Dims dims) {
    std::sort(dims.begin(), dims.end());
    for (const Index d : dims) result = unsqueeze(result, d);
    return result;
}

/// norm("nuc"): the sum of the singular values.
Tensor nuclear(const Tensor& t, const ReduceDims& given, bool keepdim, OptionalDType dtype) {
    requireInput("norm", t);
    if (dtype)
        refuse(ErrorKind::Value, "RED-05", "dtype argument is not supported in nuclear norm", "Convert it first.");
    const Dims& dims = given.dims();
    if (!given.all() && dims.size() != 2)
        refuse(ErrorKind::Runtime, "RED-05", "nuclear norm requires a 'dim' argument of size 2",
               "It is a norm of matrices.");
    if (given.all() && t.dim() != 2)
        refuse(ErrorKind::Runtime, "RED-05",
               "Expected a tensor with 2 dimensions, but got a tensor with " + std::to_string(t.dim()) + " dimension" +
                   (t.dim() == 1 ? "" : "s") + " instead.",
               "Name the two dims of the matrices.");
    (void)maskOf(t, given); // refuses dims that are not there, or are named twice
    Dims matrix{0, 1};
    if (!given.all())
        for (std::size_t i = 0; i < 2; ++i) matrix[i] = wrapDim(dims[i], t.dim()).valueOrThrow();
    return observed(
        "norm", t, [&] { return joined("'nuc'", argumentsText(given, keepdim)); },
        [&] {
            const trace::Nested nested;
            const Tensor total = sum(singularValues(t, matrix), -1);
            return keepdim ? withDims(total, matrix) : total;
        });
}

} // namespace

Tensor norm(const Tensor& t, Scalar p, const ReduceDims& dims, bool keepdim, OptionalDType dtype) {
    std::string order = orderText(p);
    if (order.empty() && (!dims.all() || keepdim)) order = toString(p);
    return normOf("norm", order, t, p.toDouble(), dims, keepdim, dtype);
}

Tensor normByName(const Tensor& t, std::string_view name, const ReduceDims& dims, bool keepdim, OptionalDType dtype) {
    if (name == "nuc") return nuclear(t, dims, keepdim, dtype);
    if (name != "fro")
        refuse(ErrorKind::Runtime, "RED-05",
               "only valid string values are 'fro' and 'nuc', found " + std::string(name.substr(0, 40)),
               "Say one of them, or give a number.");
    if (dims.dims().size() > 2)
        refuse(ErrorKind::Runtime, "RED-05",
               "Expected at most 2 dimensions, but got " + std::to_string(dims.dims().size()) + " dimensions instead.",
               "The Frobenius norm is that of a matrix; p = 2 takes any number of dims.");
    return normOf("norm", "'fro'", t, 2, dims, keepdim, dtype);
}

Tensor dist(const Tensor& a, const Tensor& b, Scalar p) {
    requireInput("dist", a);
    requireInput("dist", b);
    const Observation observation;
    Tensor result = [&] {
        const trace::Nested nested;
        return norm(sub(a, b), p);
    }();
    if (observation)
        observation.publish("dist", orderText(p), {&a, &b}, result, OpEffect::Alloc,
                            {a.nbytes() + b.nbytes(), result.nbytes(), result.nbytes()});
    return result;
}

// --- torch.linalg -------------------------------------------------------------------------------------------------
std::string NormOrder::code() const {
    if (isName()) return "'" + name() + "'";
    const std::string number = orderText(m_number);
    return number.empty() ? "2" : number;
}

std::string NormOrder::text() const {
    if (isName()) return name().substr(0, 40);
    if (std::isinf(number())) return number() > 0 ? "inf" : "-inf";
    // As C++ streams write it: 3.0 is "3".
    const double value = number();
    return value == std::trunc(value) && std::abs(value) < 1e6 ? std::to_string(static_cast<Index>(value))
                                                               : toString(m_number);
}

namespace {

/// PyTorch's conditions on input and `dtype`.
void requireNormDTypes(const std::string& name, const Tensor& t, OptionalDType dtype) {
    const auto typeText = [](DType type) { return std::string(scalarTypeName(type)); };
    const auto no = [&](std::string message, const char* hint) {
        refuse(ErrorKind::Runtime, "RED-02", name + ": " + std::move(message), hint);
    };
    if (!isFloating(t.dtype()) && !isComplex(t.dtype()))
        no("Expected a floating point or complex tensor as input. Got " + typeText(t.dtype()),
           "Convert it first: x.float().");
    if (!dtype) return;
    if (!isFloating(*dtype) && !isComplex(*dtype))
        no("dtype should be floating point or complex, but got " + typeText(*dtype), "Leave it out.");
    if (isComplex(*dtype) != isComplex(t.dtype()))
        no(std::string("dtype should be ") +
               (isComplex(t.dtype()) ? "complex for complex inputs" : "real for real inputs") + ", but got " +
               typeText(*dtype),
           "The result is real in any case.");
    if (itemSize(*dtype) < itemSize(t.dtype()))
        no("the dtype of the input (" + typeText(t.dtype()) +
               ") should be convertible without narrowing to the specified dtype (" + typeText(*dtype) + ")",
           "Convert the result.");
}

[[noreturn]] void refuseOrder(std::string message, const char* hint) {
    refuse(ErrorKind::Runtime, "NORM-01", std::move(message), hint);
}
[[noreturn]] void refuseDims(std::string message) {
    refuse(ErrorKind::Runtime, "NORM-02", std::move(message), "A matrix has two dims, a vector one.");
}

/// "0 1 2": how PyTorch lists dims here.
std::string spaced(const Dims& dims) {
    std::string text;
    for (const Index d : dims) text += (text.empty() ? "" : " ") + std::to_string(d);
    return text;
}

/// Some norms of nothing are the largest of nothing.
void requireIdentity(const Tensor& x, double ord, const std::string& order, DimMask mask, bool all) {
    if (ord >= 0 && !std::isinf(ord)) return;
    const std::string begin = "linalg.vector_norm cannot compute the " + order + " norm on ";
    constexpr const char* kHint = "Of no numbers there is neither a largest nor a smallest.";
    if (all && x.numel() == 0)
        refuse(ErrorKind::Runtime, "NORM-03", begin + "an empty tensor because the operation does not have an identity",
               kHint);
    for (std::size_t d = 0; d < x.shape().size(); ++d)
        if (isReduced(mask, d) && x.shape()[d] == 0)
            refuse(ErrorKind::Runtime, "NORM-03",
                   begin + "the dimension " + std::to_string(d) +
                       " because this dimension is empty and the operation does not have an identity",
                   kHint);
}

enum class MatrixNorm { Frobenius, Nuclear, Sums, Singular };

MatrixNorm matrixNormOf(const NormOrder& ord) {
    if (ord.isName()) {
        if (ord.name() == "fro") return MatrixNorm::Frobenius;
        if (ord.name() == "nuc") return MatrixNorm::Nuclear;
    } else {
        const double magnitude = std::abs(ord.number());
        if (magnitude == 2) return MatrixNorm::Singular;
        if (magnitude == 1 || std::isinf(magnitude)) return MatrixNorm::Sums;
    }
    refuseOrder("linalg.matrix_norm: Order " + ord.text() + " not supported.",
                "The norms of matrices are 'fro', 'nuc', inf, -inf, 1, -1, 2 and -2.");
}

/// `matrix`: the two dims, none negative; the result has lost them.
Tensor computeMatrixNorm(const Tensor& a, MatrixNorm kind, const NormOrder& ord, const Dims& matrix) {
    const auto extreme = [&](const Tensor& t, Index dim) { return ord.number() > 0 ? amax(t, dim) : amin(t, dim); };
    switch (kind) {
    case MatrixNorm::Frobenius:
        break;
    case MatrixNorm::Nuclear:
        return sum(singularValues(a, matrix), -1);
    case MatrixNorm::Singular:
        return extreme(singularValues(a, matrix), -1);
    case MatrixNorm::Sums: {
        const bool ofRows = std::isinf(ord.number());
        const Index along = matrix[ofRows ? 1 : 0], across = matrix[ofRows ? 0 : 1];
        return extreme(vectorNorm(a, 1, along), across - (across > along ? 1 : 0));
    }
    }
    return vectorNorm(a, 2, matrix);
}

template <class Make>
Tensor observedNorm(const char* name, const Tensor& t, const std::string& order, const ReduceDims& dims, bool keepdim,
                    OptionalDType dtype, Make make) {
    return observed(
        name, t, [&] { return joined(order, argumentsText(dims, keepdim, dtype)); },
        [&] {
            const trace::Nested nested;
            return make();
        });
}

} // namespace

Tensor vectorNorm(const Tensor& x, Scalar ord, const ReduceDims& dims, bool keepdim, OptionalDType dtype) {
    requireInput("linalg.vector_norm", x);
    requireNormDTypes("linalg.vector_norm", x, dtype);
    const NormOrder order(ord);
    requireIdentity(x, order.number(), order.text(), maskOf(x, dims), dims.all());
    return normOf("linalg.vector_norm", order.code(), x, order.number(), dims, keepdim,
                  dtype ? OptionalDType(realPartDType(*dtype)) : dtype);
}

Tensor matrixNorm(const Tensor& a, const NormOrder& ord, const Dims& dims, bool keepdim, OptionalDType dtype) {
    requireInput("linalg.matrix_norm", a);
    const MatrixNorm kind = matrixNormOf(ord);
    requireNormDTypes("linalg.matrix_norm", a, dtype);
    if (a.dim() < 2) refuseDims("linalg.matrix_norm: The input tensor A must have at least 2 dimensions.");
    if (dims.size() != 2) refuseDims("linalg.matrix_norm: dim must be a 2-tuple. Got " + spaced(dims));
    Dims matrix = dims;
    for (Index& d : matrix) d = wrapDim(d, a.dim()).valueOrThrow();
    if (matrix[0] == matrix[1])
        refuseDims("linalg.matrix_norm: dims must be different. Got (" + std::to_string(dims[0]) + ", " +
                   std::to_string(dims[1]) + ")");
    const bool bySingular = kind == MatrixNorm::Nuclear || kind == MatrixNorm::Singular;
    if (bySingular && dtype.value_or(a.dtype()) == DType::Float16)
        linalg::refuse("LINALG-04", "linalg.matrix_norm: Low precision dtypes not supported. Got Half",
                       "Convert it first: x.float().");
    const bool lastTwo = dims == Dims{-2, -1};
    return observedNorm(
        "linalg.matrix_norm", a, ord.code(), lastTwo ? ReduceDims() : ReduceDims(dims), keepdim, dtype, [&] {
            const Tensor result = computeMatrixNorm(to(a, dtype.value_or(a.dtype())), kind, ord, matrix);
            return keepdim ? withDims(result, matrix) : result;
        });
}

Tensor linalgNorm(const Tensor& a, const std::optional<NormOrder>& ord, const std::optional<Dims>& dims, bool keepdim,
                  OptionalDType dtype) {
    requireInput("linalg.norm", a);
    if (dims && dims->size() != 1 && dims->size() != 2)
        refuseDims("linalg.norm: If dim is specified, it must be of length 1 or 2. Got " +
                   toListString(std::span<const Index>(*dims)));
    if (!dims && ord && a.dim() != 1 && a.dim() != 2)
        refuseDims("linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got " +
                   std::to_string(a.dim()) + "D.");
    const ReduceDims told = !dims ? ReduceDims() : dims->size() == 1 ? ReduceDims((*dims)[0]) : ReduceDims(*dims);
    const std::string order = ord ? ord->code() : dims ? "None" : "";
    return observedNorm("linalg.norm", a, order, told, keepdim, dtype, [&]() -> Tensor {
        if (!ord) return vectorNorm(a, 2, told, keepdim, dtype);
        if (ord->isName() || (dims ? dims->size() : static_cast<std::size_t>(a.dim())) == 2)
            return matrixNorm(a, *ord, dims.value_or(Dims{-2, -1}), keepdim, dtype);
        return vectorNorm(a, ord->number(), told, keepdim, dtype);
    });
}

Tensor cond(const Tensor& a, const std::optional<NormOrder>& ord) {
    linalg::requireMatrices("linalg.cond", a);
    const bool bySingular = !ord || (!ord->isName() && std::abs(ord->number()) == 2);
    const bool bySums = ord && !ord->isName() && (std::abs(ord->number()) == 1 || std::isinf(ord->number()));
    if (!bySingular && !bySums && !(ord->isName() && (ord->name() == "fro" || ord->name() == "nuc")))
        refuseOrder("linalg.cond got an invalid norm type: " + ord->text(),
                    "The norms of matrices are 'fro', 'nuc', inf, -inf, 1, -1, 2 and -2.");
    if (!bySingular && (a.numel() != 0 || ord->isName()))
        linalg::requireSquare(("linalg.cond(ord=" + ord->text() + ")").c_str(), a);
    return observedNorm("linalg.cond", a, ord ? ord->code() : "", {}, false, {}, [&]() -> Tensor {
        const DType real = realPartDType(a.dtype());
        if (a.numel() == 0) return zeros(linalg::batchOf(a), {real, a.device()});
        if (bySingular || ord->text() == "nuc") {
            const Tensor s = svdvals(a);
            if (!bySingular) return mul(sum(s, -1), sum(reciprocal(s), -1));
            const Tensor largest = select(s, -1, 0), smallest = select(s, -1, -1);
            return ord && ord->number() < 0 ? div(smallest, largest) : div(largest, smallest);
        }
        // Singular matrices of the batch stand back for the identity, and get infinity.
        const Tensor isSingular = ne(luFactorEx(a).info, 0);
        const Tensor regular =
            where(unsqueeze(unsqueeze(isSingular, -1), -1), eye(a.size(-1), {a.dtype(), a.device()}), a);
        const Tensor product = mul(matrixNorm(a, *ord), matrixNorm(inv(regular), *ord));
        return maskedFill(product, isSingular, std::numeric_limits<double>::infinity());
    });
}

} // namespace stridescope
