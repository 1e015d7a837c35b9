// Products of tensors: over any dims, of all pairs, along one dim, and chains of matrices.

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/matmul.h"
#include "core/ops/pointwise.h"
#include "core/ops/products_call.h"
#include "core/ops/promotion.h"
#include "core/ops/reductions.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/trace/code.h"
#include "core/view/broadcast.h"
#include "core/view/view_ops.h"

namespace stridescope {

using elementwise::requireDefined;
using products::listText;
using products::observed;
using products::refuse;
using products::requirePair;

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
    Dims ofA, ofB;
    // Of more dims than any tensor has, the first one named is refused already: no list of 2^62 is made for that.
    const Index listed = std::min<Index>(dims, kMaxDims + 1);
    for (Index d = 0; d < listed; ++d) {
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
    const auto requireDims = [](const Tensor& t, const Dims& dims) {
        if (dims.empty() || t.dim() != 0) return;
        throwRefusal({ErrorKind::Index, "VIEW-02",
                      "Dimension specified as " + std::to_string(dims[0]) + " but tensor has no dimensions",
                      "Multiply by a 0-d tensor instead.", DimOutOfRange{dims[0], 0}});
    };
    requireDims(a, dimsOfA);
    requireDims(b, dimsOfB);
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
                                " in dim " + std::to_string(dimsOfA[i]) + " and second has size " +
                                std::to_string(b.size(db)) + " in dim " + std::to_string(dimsOfB[i]));
        // Size 1 broadcasts: what it meets is summed first.
        if (b.size(db) == 1)
            wideA.push_back(da);
        else if (a.size(da) == 1)
            wideB.push_back(db);
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
    return observed(
        "tensordot", a, b,
        [&] {
            const trace::Nested nested;
            // PyTorch's sums of small integers are int64. It refuses what they then meet, but for empty tensors.
            const bool empty = m * n * k == 0;
            if (empty && isIntegral(a.dtype()) && !wideA.empty()) return zeros(shape, {DType::Int64, a.device()});
            const auto summed = [](const Tensor& t, const Dims& dims) {
                return dims.empty() ? t : sum(t, dims, true, t.dtype());
            };
            const Tensor x = reshape(permute(summed(a, wideA), orderA), {m, k});
            const Tensor y = reshape(permute(summed(b, wideB), orderB), {k, n});
            return view(products::product(x, y, {}), shape);
        },
        [&] { return "dims=(" + code::tuple(dimsOfA) + ", " + code::tuple(dimsOfB) + ")"; });
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
        refuse("MM-01", "linalg.cross: inputs dimension " + std::to_string(dim.value_or(along)) +
                            " must have length 3. Got " + std::to_string(a.size(along)) + " and " +
                            std::to_string(b.size(along)));
    const Dims shape = broadcastShapes(a.shape(), b.shape()).valueOrThrow();
    requirePair("cross", "cross", a, b);
    return observed(
        "cross", a, b,
        [&] {
            const trace::Nested nested;
            const DType dtype = a.dtype();
            const Tensor x = expand(a, shape), y = expand(b, shape);
            Tensor out = elementwise::newResult(shape, elementwise::rowMajorStrides(shape), dtype, a.device());
            for (Index i = 0; i < 3; ++i) {
                const Index p = (i + 1) % 3, q = (i + 2) % 3;
                const Tensor part = select(out, along, i);
                copy_(part, mul(select(x, along, p), select(y, along, q)));
                sub_(part, mul(select(x, along, q), select(y, along, p)));
            }
            return out;
        },
        [&] { return dim ? "dim=" + std::to_string(*dim) : std::string(); });
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
    if (observation) {
        std::string arguments = "[";
        std::vector<const Tensor*> inputs;
        Observation::Bytes bytes{0, result.nbytes(), result.nbytes()};
        for (const Tensor& t : chain) {
            arguments += (inputs.empty() ? "{" : ", {") + std::to_string(inputs.size()) + "}";
            inputs.push_back(&t);
            bytes.read += t.nbytes();
        }
        const Tensor* const outputs[] = {&result};
        observation.publish("linalg.multi_dot", arguments + "]", inputs, outputs, OpEffect::Alloc, bytes);
    }
    return result;
}

} // namespace stridescope
