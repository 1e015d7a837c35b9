#include "core/ops/matmul.h"

#include "core/backend/backend.h"
#include "core/backend/cpu/gemm.h"
#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/indexing_call.h"
#include "core/ops/observation.h"
#include "core/ops/pointwise.h"
#include "core/ops/products_call.h"
#include "core/ops/promotion.h"
#include "core/ops/reductions.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/view/broadcast.h"
#include "core/view/view_ops.h"

namespace stridescope {

using elementwise::requireDefined;
using products::listText;
using products::observed;
using products::product;
using products::refuse;
using products::requirePair;

namespace {

/// The last two dims of `t` as they lie, if BLAS takes them so; else of a contiguous copy.
Tensor readable(const Tensor& t) {
    const std::size_t d = t.shape().size();
    const bool fits = cpu::fitsBlas(t.shape()[d - 2], t.shape()[d - 1], t.stride()[d - 2], t.stride()[d - 1]);
    return fits || isIntegral(t.dtype()) ? t : contiguous(t);
}

/// Offset of every matrix of t, whose dims before the last two are broadcast to `batch`.
std::vector<Index> offsetsOf(const Tensor& t, const Dims& batch) {
    const Index count = View{batch, Dims(batch.size(), 0), 0}.numel();
    std::vector<Index> offsets;
    offsets.reserve(static_cast<std::size_t>(count));
    Dims strides(batch.size(), 0);
    const std::size_t own = t.shape().size() - 2, ahead = batch.size() - own;
    for (std::size_t d = 0; d < own; ++d) strides[ahead + d] = t.shape()[d] == 1 ? 0 : t.stride()[d];
    Dims coord(batch.size(), 0);
    Index offset = 0;
    for (Index i = 0; i < count; ++i) {
        offsets.push_back(offset);
        for (std::size_t d = batch.size(); d-- > 0;) {
            offset += strides[d];
            if (++coord[d] < batch[d]) break;
            offset -= strides[d] * batch[d];
            coord[d] = 0;
        }
    }
    return offsets;
}

} // namespace

namespace products {

void refuse(const char* id, std::string message, std::string hint) {
    throwRefusal({ErrorKind::Runtime, id, std::move(message), std::move(hint), {}});
}

void requirePair(const char* operation, const char* kernel, const Tensor& a, const Tensor& b) {
    requireDefined(a, operation);
    requireDefined(b, operation);
    if (a.device() != b.device())
        throwRefusal({ErrorKind::Device,
                      "DEV-03",
                      "Expected all tensors to be on the same device, but found at least two devices, " +
                          toString(a.device()) + " and " + toString(b.device()) + "!",
                      "Move one of them with to().",
                      {}});
    if (a.dtype() != b.dtype())
        refuse("MM-03",
               std::string("expected scalar type ") + std::string(scalarTypeName(a.dtype())) + " but found " +
                   std::string(scalarTypeName(b.dtype())),
               "Products do not promote dtypes: convert one with to().");
    if (a.dtype() == DType::Float16 || a.dtype() == DType::Bool)
        refuse("MM-04",
               std::string("\"") + kernel + "\" not implemented for '" + std::string(scalarTypeName(a.dtype())) + "'",
               "Convert both to float32 first: x.float().");
}

Tensor product(const Tensor& a, const Tensor& b, const Dims& batch) {
    const trace::Nested nested;
    const Tensor x = readable(a), y = readable(b);
    const auto sizes = [](const Tensor& t) { return std::pair{t.shape()[t.shape().size() - 2], t.shape().back()}; };
    const auto strides = [](const Tensor& t) { return std::pair{t.stride()[t.shape().size() - 2], t.stride().back()}; };
    Dims shape = batch;
    shape.push_back(sizes(a).first);
    shape.push_back(sizes(b).second);
    Tensor out = elementwise::newResult(shape, elementwise::rowMajorStrides(shape), a.dtype(), a.device());
    static constexpr Index kOnly[1] = {0}; // the common case needs no list
    std::vector<Index> ofA, ofB;
    if (!batch.empty()) {
        ofA = offsetsOf(x, batch);
        ofB = offsetsOf(y, batch);
    }
    ProductArgs args;
    args.dtype = a.dtype();
    args.m = sizes(a).first;
    args.k = sizes(a).second;
    args.n = sizes(b).second;
    args.a = {indexing::firstElement(x), strides(x).first, strides(x).second};
    args.b = {indexing::firstElement(y), strides(y).first, strides(y).second};
    args.out = out.storage()->data();
    args.aOffsets = batch.empty() ? std::span<const Index>(kOnly) : ofA;
    args.bOffsets = batch.empty() ? std::span<const Index>(kOnly) : ofB;
    elementwise::require(kernelTable(a.device()).products, "matmul", a)(args);
    return out;
}

} // namespace products

namespace {

[[noreturn]] void refuseMatrices(Index m, Index k, Index otherK, Index n) {
    refuse("MM-01",
           "mat1 and mat2 shapes cannot be multiplied (" + std::to_string(m) + "x" + std::to_string(k) + " and " +
               std::to_string(otherK) + "x" + std::to_string(n) + ")",
           "The columns of the first (" + std::to_string(k) + ") must be as many as the rows of the second (" +
               std::to_string(otherK) + "); t() turns one of them.");
}

void requireVectors(const Tensor& a, const Tensor& b) {
    if (a.dim() != 1 || b.dim() != 1)
        refuse("MM-02",
               "1D tensors expected, but got " + std::to_string(a.dim()) + "D and " + std::to_string(b.dim()) +
                   "D tensors",
               "matmul takes any number of dims.");
    if (a.dtype() != b.dtype())
        refuse("MM-03",
               "dot : expected both vectors to have same dtype, but found " + std::string(scalarTypeName(a.dtype())) +
                   " and " + std::string(scalarTypeName(b.dtype())),
               "Products do not promote dtypes: convert one with to().");
    if (a.size(0) != b.size(0))
        refuse("MM-01",
               "inconsistent tensor size, expected tensor " + listText(a) + " and src " + listText(b) +
                   " to have the same number of elements, but got " + std::to_string(a.size(0)) + " and " +
                   std::to_string(b.size(0)) + " elements respectively",
               "Both vectors need the same size.");
}

/// `input`: what is added, where there is something.
void requireMatrixVector(const Tensor& matrix, const Tensor& vector, const Tensor* input = nullptr) {
    if (matrix.dim() != 2 || vector.dim() != 1 || (input && input->dim() > 1))
        refuse("MM-02",
               "vector + matrix @ vector expected, got " + std::to_string(input ? input->dim() : 1) + ", " +
                   std::to_string(matrix.dim()) + ", " + std::to_string(vector.dim()),
               "matmul takes any number of dims.");
    const bool addsUp = !input || input->numel() == 1 || input->numel() == matrix.size(0);
    if (matrix.size(1) != vector.size(0) || !addsUp)
        refuse("MM-01",
               "size mismatch, got " + std::to_string(input && input->dim() == 1 ? input->size(0) : matrix.size(0)) +
                   ", " + std::to_string(matrix.size(0)) + "x" + std::to_string(matrix.size(1)) + "," +
                   std::to_string(vector.size(0)),
               addsUp ? "The vector needs " + std::to_string(matrix.size(1)) + " elements, one for each column."
                      : "What is added needs " + std::to_string(matrix.size(0)) + " elements, one for each row.");
}

void requireMatrices(const Tensor& a, const Tensor& b) {
    if (a.dim() != 2) refuse("MM-02", "self must be a matrix", "It has " + std::to_string(a.dim()) + " dims.");
    if (b.dim() != 2) refuse("MM-02", "mat2 must be a matrix", "It has " + std::to_string(b.dim()) + " dims.");
    if (a.size(1) != b.size(0)) refuseMatrices(a.size(0), a.size(1), b.size(0), b.size(1));
}

void requireRank(const char* which, const Tensor& t, Index rank) {
    if (t.dim() != rank)
        refuse("MM-02", std::string(which) + " must be a " + std::to_string(rank) + "D tensor",
               "It has " + std::to_string(t.dim()) + " dims.");
}

[[noreturn]] void refuseBatches(Index count, Index k, Index otherCount, Index otherK) {
    refuse("MM-01",
           "Expected size for first two dimensions of batch2 tensor to be: [" + std::to_string(count) + ", " +
               std::to_string(k) + "] but got: [" + std::to_string(otherCount) + ", " + std::to_string(otherK) + "].",
           count == otherCount ? "The columns of the first must be as many as the rows of the second."
                               : "bmm does not broadcast; matmul does.");
}

/// PyTorch asks for the sizes of the result before it counts dims: of the first from dim `from` to dim 1, and dim 2 of
/// the second.
void requireSizes(const Tensor& a, const Tensor& b, Index from) {
    const auto require = [](const Tensor& t, Index dim) {
        if (t.dim() == 0)
            throwRefusal({ErrorKind::Index,
                          "VIEW-01",
                          "Dimension specified as " + std::to_string(dim) + " but tensor has no dimensions",
                          "Batches have three dims.",
                          {}});
        static_cast<void>(wrapDim(dim, t.dim()).valueOrThrow());
    };
    for (Index dim = from; dim < 2; ++dim) require(a, dim);
    require(b, 2);
}

void requireBatches(const Tensor& a, const Tensor& b) {
    requireRank("batch1", a, 3);
    requireRank("batch2", b, 3);
    if (a.size(0) != b.size(0) || a.size(2) != b.size(1)) refuseBatches(a.size(0), a.size(2), b.size(0), b.size(1));
}

Tensor matmulOf(const Tensor& a, const Tensor& b) {
    const trace::Nested nested;
    const Index da = a.dim(), db = b.dim();
    const Tensor x = da == 1 ? unsqueeze(a, 0) : a, y = db == 1 ? unsqueeze(b, 1) : b;
    Dims batchA = x.shape(), batchB = y.shape();
    for (int i = 0; i < 2; ++i) {
        batchA.erase(batchA.size() - 1);
        batchB.erase(batchB.size() - 1);
    }
    const Dims batch = broadcastShapes(batchA, batchB).valueOrThrow();
    Tensor out = product(x, y, batch);
    if (db == 1) out = squeeze(out, -1);
    if (da == 1) out = squeeze(out, db == 1 ? -1 : -2);
    return out;
}

/// beta * input + alpha * product.
Tensor combined(const Tensor& input, const Tensor& result, Scalar beta, Scalar alpha) {
    const trace::Nested nested;
    if (input.dtype() != result.dtype())
        refuse("MM-03", "self and mat2 must have the same dtype",
               "They are " + std::string(name(input.dtype())) + " and " + std::string(name(result.dtype())) + ".");
    const Tensor shown = expand(input, result.shape());
    if (!(alpha == Scalar(1))) mul_(result, alpha);
    if (beta.toDouble() != 0 || beta.imag() != 0) add_(result, beta == Scalar(1) ? shown : mul(shown, beta));
    return result;
}

/// A factor as an element of the product's type, within its range: of integers fractions are cut off.
Scalar factorFor(Scalar factor, DType dtype) {
    elementwise::requireFits(factor, dtype);
    return isIntegral(dtype) ? Scalar(factor.toInt()) : factor;
}

template <class Product>
Tensor addedProduct(const char* name, const Tensor& input, const Tensor& a, const Tensor& b, Scalar beta, Scalar alpha,
                    Product make) {
    requireDefined(input, name);
    const Observation observation;
    Tensor result = combined(input, make(), factorFor(beta, a.dtype()), factorFor(alpha, a.dtype()));
    if (observation) {
        std::string arguments;
        if (!(beta == Scalar(1))) arguments += "beta=" + toString(beta);
        if (!(alpha == Scalar(1))) arguments += (arguments.empty() ? "alpha=" : ", alpha=") + toString(alpha);
        observation.publish(name, std::move(arguments), {&input, &a, &b}, result, OpEffect::Alloc,
                            {input.nbytes() + a.nbytes() + b.nbytes(), result.nbytes(), result.nbytes()});
    }
    return result;
}

} // namespace

Tensor dot(const Tensor& a, const Tensor& b) {
    requireDefined(a, "dot");
    requireDefined(b, "dot");
    requireVectors(a, b);
    requirePair("dot", "dot", a, b);
    return observed("dot", a, b, [&] { return matmulOf(a, b); });
}

Tensor vdot(const Tensor& a, const Tensor& b) {
    requireDefined(a, "vdot");
    requireDefined(b, "vdot");
    requireVectors(a, b);
    requirePair("vdot", "vdot", a, b);
    return observed("vdot", a, b, [&] {
        const trace::Nested nested;
        return matmulOf(conj(a), b);
    });
}

Tensor mv(const Tensor& matrix, const Tensor& vector) {
    requireDefined(matrix, "mv");
    requireDefined(vector, "mv");
    if (matrix.dim() == 0) // as PyTorch, which asks for its rows first
        throwRefusal({ErrorKind::Index, "VIEW-02", "Dimension specified as 0 but tensor has no dimensions",
                      "Multiply by a 0-d tensor instead.", DimOutOfRange{0, 0}});
    requireMatrixVector(matrix, vector);
    requirePair("mv", "addmv_impl_cpu", matrix, vector);
    return observed("mv", matrix, vector, [&] { return matmulOf(matrix, vector); });
}

Tensor mm(const Tensor& a, const Tensor& b) {
    requireDefined(a, "mm");
    requireDefined(b, "mm");
    requireMatrices(a, b);
    requirePair("mm", "addmm_impl_cpu_", a, b);
    return observed("mm", a, b, [&] { return product(a, b, {}); });
}

Tensor bmm(const Tensor& a, const Tensor& b) {
    requireDefined(a, "bmm");
    requireDefined(b, "bmm");
    requireBatches(a, b);
    requirePair("bmm", "bmm", a, b);
    return observed("bmm", a, b, [&] { return product(a, b, {a.size(0)}); });
}

Tensor matmul(const Tensor& a, const Tensor& b) {
    requireDefined(a, "matmul");
    requireDefined(b, "matmul");
    const Index da = a.dim(), db = b.dim();
    if (da == 0 || db == 0)
        refuse("MM-02",
               "both arguments to matmul need to be at least 1D, but they are " + std::to_string(da) + "D and " +
                   std::to_string(db) + "D",
               "Use * to scale by a number.");
    // A batch against a vector is one matrix against it: the rows of all below one another.
    const auto refuseVector = [](Index rows, Index columns, Index got) {
        refuse("MM-01",
               "size mismatch, got " + std::to_string(rows) + ", " + std::to_string(rows) + "x" +
                   std::to_string(columns) + "," + std::to_string(got),
               "The vector needs " + std::to_string(columns) + " elements.");
    };
    if (da == 1 && db == 1)
        requireVectors(a, b);
    else if (da == 2 && db == 1)
        requireMatrixVector(a, b);
    else if (const Index m = da == 1 ? 1 : a.size(-2), k = a.size(-1), otherK = db == 1 ? b.size(0) : b.size(-2);
             k != otherK) {
        // As PyTorch folds a batch against one matrix: its rows below one another, from the right transposed.
        const auto leading = [](const Tensor& t) {
            Index n = 1;
            for (Index d = 0; d + 2 < t.dim(); ++d) n *= t.size(d);
            return n;
        };
        if (da >= 3 && db == 1) refuseVector(leading(a) * m, k, otherK);
        if (da == 1 && db >= 3) refuseVector(leading(b) * b.size(-1), otherK, k);
        if (da >= 3 && db >= 3) {
            Dims batchA = a.shape(), batchB = b.shape();
            for (int i = 0; i < 2; ++i) {
                batchA.erase(batchA.size() - 1);
                batchB.erase(batchB.size() - 1);
            }
            Index count = 1;
            for (const Index size : broadcastShapes(batchA, batchB).valueOrThrow()) count *= size;
            refuseBatches(count, k, count, otherK);
        }
        if (da >= 3 && db <= 2) refuseMatrices(leading(a) * m, k, otherK, db == 1 ? 1 : b.size(-1));
        if (db >= 3 && da <= 2) refuseMatrices(leading(b) * b.size(-1), otherK, k, m);
        refuseMatrices(m, k, otherK, db == 1 ? 1 : b.size(-1));
    }
    requirePair("matmul", da <= 2 && db <= 2 ? "addmm_impl_cpu_" : "bmm", a, b);
    return observed("matmul", a, b, [&] { return matmulOf(a, b); });
}

Tensor addmm(const Tensor& input, const Tensor& a, const Tensor& b, Scalar beta, Scalar alpha) {
    requireDefined(a, "addmm");
    requireDefined(b, "addmm");
    for (const auto& [t, which] : {std::pair{&a, "mat1"}, std::pair{&b, "mat2"}})
        if (t->dim() != 2)
            refuse("MM-02", std::string(which) + " must be a matrix, got " + std::to_string(t->dim()) + "-D tensor",
                   "baddbmm and addbmm take batches of them.");
    return addedProduct("addmm", input, a, b, beta, alpha, [&] {
        const trace::Nested nested;
        return mm(a, b);
    });
}

Tensor addmv(const Tensor& input, const Tensor& matrix, const Tensor& vector, Scalar beta, Scalar alpha) {
    requireDefined(input, "addmv");
    requireDefined(matrix, "addmv");
    requireDefined(vector, "addmv");
    requireMatrixVector(matrix, vector, &input);
    return addedProduct("addmv", input, matrix, vector, beta, alpha, [&] {
        const trace::Nested nested;
        return mv(matrix, vector);
    });
}

Tensor addbmm(const Tensor& input, const Tensor& a, const Tensor& b, Scalar beta, Scalar alpha) {
    requireDefined(a, "addbmm");
    requireDefined(b, "addbmm");
    requireSizes(a, b, 1);
    requireRank("batch1", a, 3);
    requireRank("batch2", b, 3);
    if (a.size(0) != b.size(0))
        refuse("MM-01",
               "batch1 and batch2 must have same number of batches, got " + std::to_string(a.size(0)) + " and " +
                   std::to_string(b.size(0)),
               "Their first sizes are the numbers of matrices.");
    if (a.size(2) != b.size(1))
        refuse("MM-01",
               "Incompatible matrix sizes for bmm (" + std::to_string(a.size(1)) + "x" + std::to_string(a.size(2)) +
                   " and " + std::to_string(b.size(1)) + "x" + std::to_string(b.size(2)) + ")",
               "The columns of the first must be as many as the rows of the second.");
    requirePair("addbmm", "addmm_impl_cpu_", a, b);
    return addedProduct("addbmm", input, a, b, beta, alpha, [&] {
        const trace::Nested nested;
        // The sum over the batch is one product: the matrices side by side, and one below the other.
        const Index k = a.size(0) * a.size(2);
        return mm(reshape(permute(a, {1, 0, 2}), {a.size(1), k}), reshape(b, {k, b.size(2)}));
    });
}

Tensor addr(const Tensor& input, const Tensor& a, const Tensor& b, Scalar beta, Scalar alpha) {
    requireDefined(input, "addr");
    requireDefined(a, "addr");
    requireDefined(b, "addr");
    for (const auto& [t, which] : {std::pair{&a, "vec1"}, std::pair{&b, "vec2"}})
        if (t->dim() != 1)
            refuse("MM-02",
                   std::string("addr: Expected 1-D argument ") + which + ", but got " + std::to_string(t->dim()) + "-D",
                   "flatten() gives one dim.");
    const DType common = resultType(std::array{promotionOperand(input), promotionOperand(a), promotionOperand(b)});
    for (const auto& [factor, which] : {std::pair{beta, "beta"}, std::pair{alpha, "alpha"}}) {
        if (factor.isFloat() && (isIntegral(common) || common == DType::Bool))
            refuse("ALPHA-01",
                   std::string("For integral input tensors, argument ") + which +
                       " must not be a floating point number.",
                   "Convert the tensor first: x.float().");
    }
    return addedProduct("addr", to(input, common), a, b, common == DType::Bool ? Scalar(beta.toBool()) : beta,
                        common == DType::Bool ? Scalar(alpha.toBool()) : alpha, [&] {
                            const trace::Nested nested;
                            const Tensor product = to(outer(a, b), common);
                            // Element by element of three inputs, in whose order the result lies.
                            const Dims& shape = product.shape();
                            const View column = unsqueeze(a.view(), 1).valueOrThrow();
                            const View* views[] = {&input.view(), &column, &b.view()};
                            if (!broadcastShapes(input.shape(), shape)) return product; // refused below
                            Dims strides = elementwise::resultStrides(shape, views);
                            if (strides == product.stride()) return product;
                            const Tensor ordered =
                                elementwise::newResult(shape, std::move(strides), common, product.device());
                            copy_(ordered, product);
                            return ordered;
                        });
}

Tensor baddbmm(const Tensor& input, const Tensor& a, const Tensor& b, Scalar beta, Scalar alpha) {
    requireDefined(a, "baddbmm");
    requireDefined(b, "baddbmm");
    requireSizes(a, b, 0);
    return addedProduct("baddbmm", input, a, b, beta, alpha, [&] {
        const trace::Nested nested;
        return bmm(a, b);
    });
}

} // namespace stridescope
