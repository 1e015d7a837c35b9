#include "core/ops/matmul.h"

#include "core/backend/backend.h"
#include "core/backend/cpu/gemm.h"
#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/observation.h"
#include "core/ops/pointwise.h"
#include "core/ops/promotion.h"
#include "core/ops/reductions.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/view/broadcast.h"
#include "core/view/view_ops.h"

namespace stridescope {

namespace {

using elementwise::requireDefined;

[[noreturn]] void refuse(const char* id, std::string message, std::string hint = {}) {
    throwRefusal({ErrorKind::Runtime, id, std::move(message), std::move(hint), {}});
}

std::string listText(const Tensor& t) {
    return toListString(std::span<const Index>(t.shape()));
}

/// Both defined, of one dtype that has products, on one device.
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
    if (!a.device().isCpu()) throwNoKernel(operation, a.dtype(), a.device());
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

/// {batch..., m, k} times {batch..., k, n}, both of two dims at least and checked. Publishes nothing.
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
    cpu::ProductArgs args;
    args.dtype = a.dtype();
    args.m = sizes(a).first;
    args.k = sizes(a).second;
    args.n = sizes(b).second;
    args.a = {x.storage()->data() + x.storageOffset() * static_cast<Index>(x.itemSize()), strides(x).first,
              strides(x).second};
    args.b = {y.storage()->data() + y.storageOffset() * static_cast<Index>(y.itemSize()), strides(y).first,
              strides(y).second};
    args.out = out.storage()->data();
    args.aOffsets = batch.empty() ? std::span<const Index>(kOnly) : ofA;
    args.bOffsets = batch.empty() ? std::span<const Index>(kOnly) : ofB;
    cpu::products(args);
    return out;
}

/// Runs `make` as one observed operation.
template <class Make>
Tensor observed(const char* name, const Tensor& a, const Tensor& b, Make make) {
    const Observation observation;
    Tensor result = make();
    if (observation)
        observation.publish(name, "", {&a, &b}, result, OpEffect::Alloc,
                            {a.nbytes() + b.nbytes(), result.nbytes(), result.nbytes()});
    return result;
}

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

void requireMatrixVector(const Tensor& matrix, const Tensor& vector) {
    if (matrix.dim() != 2 || vector.dim() != 1)
        refuse("MM-02",
               "vector + matrix @ vector expected, got 1, " + std::to_string(matrix.dim()) + ", " +
                   std::to_string(vector.dim()),
               "matmul takes any number of dims.");
    if (matrix.size(1) != vector.size(0))
        refuse("MM-01",
               "size mismatch, got " + std::to_string(matrix.size(0)) + ", " + std::to_string(matrix.size(0)) + "x" +
                   std::to_string(matrix.size(1)) + "," + std::to_string(vector.size(0)),
               "The vector needs " + std::to_string(matrix.size(1)) + " elements, one for each column.");
}

void requireMatrices(const Tensor& a, const Tensor& b) {
    if (a.dim() != 2) refuse("MM-02", "self must be a matrix", "It has " + std::to_string(a.dim()) + " dims.");
    if (b.dim() != 2) refuse("MM-02", "mat2 must be a matrix", "It has " + std::to_string(b.dim()) + " dims.");
    if (a.size(1) != b.size(0)) refuseMatrices(a.size(0), a.size(1), b.size(0), b.size(1));
}

void requireBatches(const Tensor& a, const Tensor& b) {
    if (a.dim() != 3) refuse("MM-02", "batch1 must be a 3D tensor", "It has " + std::to_string(a.dim()) + " dims.");
    if (b.dim() != 3) refuse("MM-02", "batch2 must be a 3D tensor", "It has " + std::to_string(b.dim()) + " dims.");
    if (a.size(0) != b.size(0) || a.size(2) != b.size(1))
        refuse("MM-01",
               "Expected size for first two dimensions of batch2 tensor to be: [" + std::to_string(a.size(0)) + ", " +
                   std::to_string(a.size(2)) + "] but got: [" + std::to_string(b.size(0)) + ", " +
                   std::to_string(b.size(1)) + "].",
               "bmm does not broadcast; matmul does.");
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

/// The factors of an integer product must be whole, or in PyTorch's words converted without loss.
Scalar factorFor(Scalar factor, DType dtype) {
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
    if (da == 1 && db == 1)
        requireVectors(a, b);
    else if (da == 2 && db == 1)
        requireMatrixVector(a, b);
    else if (const Index m = da == 1 ? 1 : a.size(-2), k = a.size(-1), otherK = db == 1 ? b.size(0) : b.size(-2);
             k != otherK)
        refuseMatrices(m, k, otherK, db == 1 ? 1 : b.size(-1));
    requirePair("matmul", da <= 2 && db <= 2 ? "addmm_impl_cpu_" : "bmm", a, b);
    return observed("matmul", a, b, [&] { return matmulOf(a, b); });
}

Tensor addmm(const Tensor& input, const Tensor& a, const Tensor& b, Scalar beta, Scalar alpha) {
    return addedProduct("addmm", input, a, b, beta, alpha, [&] {
        const trace::Nested nested;
        return mm(a, b);
    });
}

Tensor addmv(const Tensor& input, const Tensor& matrix, const Tensor& vector, Scalar beta, Scalar alpha) {
    return addedProduct("addmv", input, matrix, vector, beta, alpha, [&] {
        const trace::Nested nested;
        return mv(matrix, vector);
    });
}

Tensor baddbmm(const Tensor& input, const Tensor& a, const Tensor& b, Scalar beta, Scalar alpha) {
    return addedProduct("baddbmm", input, a, b, beta, alpha, [&] {
        const trace::Nested nested;
        return bmm(a, b);
    });
}

Tensor outer(const Tensor& a, const Tensor& b) {
    requireDefined(a, "outer");
    requireDefined(b, "outer");
    const auto require = [](const Tensor& t, const char* which) {
        if (t.dim() != 1)
            refuse("MM-02",
                   std::string("outer: Expected 1-D argument ") + which + ", but got " + std::to_string(t.dim()) + "-D",
                   "flatten() gives one dim.");
    };
    require(a, "self");
    require(b, "vec2");
    return observed("outer", a, b, [&] {
        const trace::Nested nested;
        return mul(unsqueeze(a, 1), b);
    });
}

Tensor inner(const Tensor& a, const Tensor& b) {
    requireDefined(a, "inner");
    requireDefined(b, "inner");
    if (a.dim() == 0 || b.dim() == 0) {
        return observed("inner", a, b, [&] {
            const trace::Nested nested;
            return mul(a, b);
        });
    }
    if (a.size(-1) != b.size(-1))
        refuse("MM-01",
               "inner() the last dimension must match on both input tensors but got shapes " + listText(a) + " and " +
                   listText(b),
               "The last sizes are " + std::to_string(a.size(-1)) + " and " + std::to_string(b.size(-1)) + ".");
    return observed("inner", a, b, [&] {
        const trace::Nested nested;
        return tensordot(a, b, Dims{a.dim() - 1}, Dims{b.dim() - 1});
    });
}

Tensor tensordot(const Tensor& a, const Tensor& b, Index dims) {
    if (dims < 0)
        refuse("MM-05", "tensordot expects dims >= 0, but got dims=" + std::to_string(dims), "0 sums over nothing.");
    requireDefined(a, "tensordot");
    requireDefined(b, "tensordot");
    if (dims > std::min(a.dim(), b.dim()))
        refuse("MM-05",
               "tensordot expects dims <= " + std::to_string(std::min(a.dim(), b.dim())) +
                   ", but got dims=" + std::to_string(dims),
               "That is the smaller number of dims of the two tensors.");
    Dims ofA, ofB;
    for (Index d = 0; d < dims; ++d) {
        ofA.push_back(d - dims);
        ofB.push_back(d);
    }
    return tensordot(a, b, ofA, ofB);
}

Tensor tensordot(const Tensor& a, const Tensor& b, const Dims& dimsOfA, const Dims& dimsOfB) {
    requireDefined(a, "tensordot");
    requireDefined(b, "tensordot");
    if (dimsOfA.size() != dimsOfB.size())
        refuse("MM-05", "both dimension lists should have same length",
               "They have " + std::to_string(dimsOfA.size()) + " and " + std::to_string(dimsOfB.size()) + ".");
    if (!dimsOfA.empty() && (a.dim() == 0 || b.dim() == 0))
        refuse("MM-05", "tensordot over dims of a tensor that has none", "Multiply by a 0-d tensor instead.");
    std::vector<bool> summedA(a.shape().size()), summedB(b.shape().size());
    const auto place = [](Index d, const Tensor& t, std::vector<bool>& summed) {
        const Index at = wrapDim(d, t.dim()).valueOrThrow();
        if (summed[static_cast<std::size_t>(at)])
            refuse("MM-05", "dim " + std::to_string(at) + " appears multiple times in the list of dims");
        summed[static_cast<std::size_t>(at)] = true;
        return at;
    };
    Index k = 1;
    Dims orderA, orderB, shape, tailA, headB, wideA, wideB;
    for (std::size_t i = 0; i < dimsOfA.size(); ++i) {
        const Index da = place(dimsOfA[i], a, summedA), db = place(dimsOfB[i], b, summedB);
        if (a.size(da) != b.size(db) && a.size(da) != 1 && b.size(db) != 1)
            refuse("MM-01", "contracted dimensions need to match, but first has size " + std::to_string(a.size(da)) +
                                " in dim " + std::to_string(da) + " and second has size " + std::to_string(b.size(db)) +
                                " in dim " + std::to_string(db));
        // Size 1 broadcasts: what it meets is summed first.
        if (a.size(da) != b.size(db)) a.size(da) == 1 ? wideB.push_back(db) : wideA.push_back(da);
        tailA.push_back(da);
        headB.push_back(db);
        k *= a.size(da) == b.size(db) ? a.size(da) : 1;
    }
    Index m = 1, n = 1;
    for (Index d = 0; d < a.dim(); ++d) {
        if (summedA[static_cast<std::size_t>(d)]) continue;
        orderA.push_back(d);
        shape.push_back(a.size(d));
        m *= a.size(d);
    }
    for (const Index d : tailA) orderA.push_back(d);
    for (const Index d : headB) orderB.push_back(d);
    for (Index d = 0; d < b.dim(); ++d) {
        if (summedB[static_cast<std::size_t>(d)]) continue;
        orderB.push_back(d);
        shape.push_back(b.size(d));
        n *= b.size(d);
    }
    requirePair("tensordot", "addmm_impl_cpu_", a, b);
    return observed("tensordot", a, b, [&] {
        const trace::Nested nested;
        const auto summed = [](const Tensor& t, const Dims& dims) {
            return dims.empty() ? t : sum(t, dims, true, t.dtype());
        };
        const Tensor x = reshape(permute(summed(a, wideA), orderA), {m, k});
        const Tensor y = reshape(permute(summed(b, wideB), orderB), {k, n});
        return view(product(x, y, {}), shape);
    });
}

Tensor kron(const Tensor& a, const Tensor& b) {
    requireDefined(a, "kron");
    requireDefined(b, "kron");
    return observed("kron", a, b, [&] {
        const trace::Nested nested;
        const Index rank = std::max(a.dim(), b.dim());
        // a's dims at even places, b's at odd ones: each pair becomes one dim.
        Dims ofA, ofB, shape;
        for (Index d = 0; d < rank; ++d) {
            const Index sizeA = d < rank - a.dim() ? 1 : a.size(d - (rank - a.dim()));
            const Index sizeB = d < rank - b.dim() ? 1 : b.size(d - (rank - b.dim()));
            ofA.push_back(sizeA);
            ofA.push_back(1);
            ofB.push_back(1);
            ofB.push_back(sizeB);
            shape.push_back(sizeA * sizeB);
        }
        return reshape(mul(reshape(a, ofA), reshape(b, ofB)), shape);
    });
}

Tensor matrixTrace(const Tensor& matrix) {
    requireDefined(matrix, "trace");
    if (matrix.dim() != 2)
        refuse("MM-02", "trace: expected a matrix, but got tensor with dim " + std::to_string(matrix.dim()),
               "diagonal() takes more dims.");
    const DType dtype = isIntegral(matrix.dtype()) ? DType::Int64 : matrix.dtype();
    if (dtype == DType::Bool || dtype == DType::Float16)
        refuse("MM-04", "\"trace\" not implemented for '" + std::string(scalarTypeName(dtype)) + "'",
               "Convert it first: x.float().");
    const Observation observation;
    Tensor result = [&] {
        const trace::Nested nested;
        return sum(diagonal(matrix), {}, false, dtype);
    }();
    if (observation)
        observation.publish("trace", "", {&matrix}, result, OpEffect::Alloc,
                            {matrix.nbytes(), result.nbytes(), result.nbytes()});
    return result;
}

Tensor cross(const Tensor& a, const Tensor& b, std::optional<Index> dim) {
    requireDefined(a, "cross");
    requireDefined(b, "cross");
    if (a.dim() != b.dim())
        refuse("MM-02", "linalg.cross: inputs must have the same number of dimensions.",
               "They have " + std::to_string(a.dim()) + " and " + std::to_string(b.dim()) + ".");
    Index along = -1;
    if (dim) {
        along = wrapDim(*dim, a.dim()).valueOrThrow();
    } else {
        for (Index d = 0; d < a.dim() && along < 0; ++d)
            if (a.size(d) == 3) along = d;
        if (along < 0) refuse("MM-01", "no dimension of size 3 in input", "Its sizes are " + listText(a) + ".");
    }
    if (a.size(along) != 3 || b.size(along) != 3)
        refuse("MM-01", "linalg.cross: inputs dimension " + std::to_string(along) + " must have length 3. Got " +
                            std::to_string(a.size(along)) + " and " + std::to_string(b.size(along)));
    return observed("cross", a, b, [&] {
        const trace::Nested nested;
        const Dims shape = broadcastShapes(a.shape(), b.shape()).valueOrThrow();
        const DType dtype = resultType(a, b);
        const Tensor x = expand(a, shape), y = expand(b, shape);
        Tensor out = elementwise::newResult(shape, elementwise::rowMajorStrides(shape), dtype, a.device());
        for (Index i = 0; i < 3; ++i) {
            const Index p = (i + 1) % 3, q = (i + 2) % 3;
            const Tensor part = select(out, along, i);
            copy_(part, mul(select(x, along, p), select(y, along, q)));
            sub_(part, mul(select(x, along, q), select(y, along, p)));
        }
        return out;
    });
}

Tensor multiDot(const std::vector<Tensor>& chain) {
    if (chain.size() < 2)
        refuse("MM-05", "multi_dot(): expected at least 2 tensors but got " + std::to_string(chain.size()));
    for (const Tensor& t : chain) requireDefined(t, "multi_dot");
    const std::size_t count = chain.size();
    for (std::size_t i = 0; i < count; ++i) {
        const Index rank = chain[i].dim();
        const bool end = i == 0 || i + 1 == count;
        if (rank != 2 && !(end && rank == 1))
            refuse("MM-02", "multi_dot(): tensor " + std::to_string(i) + " must be 2D" + (end ? " or 1D" : "") +
                                " but got " + std::to_string(rank) + "D");
    }
    const Observation observation;
    Tensor result = [&] {
        const trace::Nested nested;
        const Tensor first = chain.front().dim() == 1 ? unsqueeze(chain.front(), 0) : chain.front();
        const Tensor last = chain.back().dim() == 1 ? unsqueeze(chain.back(), 1) : chain.back();
        const auto at = [&](std::size_t i) -> const Tensor& {
            return i == 0 ? first : i + 1 == count ? last : chain[i];
        };
        std::vector<double> sizes{static_cast<double>(first.size(0))};
        for (std::size_t i = 0; i < count; ++i) {
            if (i > 0 && at(i).size(0) != at(i - 1).size(1))
                refuse("MM-01", "multi_dot(): tensors " + std::to_string(i - 1) + " and " + std::to_string(i) +
                                    " with shapes " + listText(chain[i - 1]) + " and " + listText(chain[i]) +
                                    " cannot be multiplied");
            sizes.push_back(static_cast<double>(at(i).size(1)));
        }
        // cost[i][j]: fewest multiplications for the matrices i ... j, first cut in two at split[i][j].
        std::vector<std::vector<double>> cost(count, std::vector<double>(count, 0));
        std::vector<std::vector<std::size_t>> split(count, std::vector<std::size_t>(count, 0));
        for (std::size_t length = 1; length < count; ++length) {
            for (std::size_t i = 0; i + length < count; ++i) {
                const std::size_t j = i + length;
                for (std::size_t cut = i; cut < j; ++cut) {
                    const double here = cost[i][cut] + cost[cut + 1][j] + sizes[i] * sizes[cut + 1] * sizes[j + 1];
                    if (cut == i || here < cost[i][j]) {
                        cost[i][j] = here;
                        split[i][j] = cut;
                    }
                }
            }
        }
        const auto run = [&](auto&& self, std::size_t i, std::size_t j) -> Tensor {
            if (i == j) return at(i);
            return mm(self(self, i, split[i][j]), self(self, split[i][j] + 1, j));
        };
        Tensor product = run(run, 0, count - 1);
        if (chain.back().dim() == 1) product = squeeze(product, 1);
        if (chain.front().dim() == 1) product = squeeze(product, 0);
        return product;
    }();
    if (observation)
        observation.publish("linalg.multi_dot", "", {&chain.front(), &chain.back()}, result, OpEffect::Alloc,
                            {chain.front().nbytes() + chain.back().nbytes(), result.nbytes(), result.nbytes()});
    return result;
}

} // namespace stridescope
