#include "core/ops/linalg_checks.h"

#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/norms.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/promotion.h"
#include "core/ops/reductions.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/tensor/walk.h"
#include "core/trace/warning.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace stridescope::linalg {

void refuse(const char* id, std::string message, std::string hint) {
    throwRefusal({ErrorKind::Runtime, id, std::move(message), std::move(hint), {}});
}

void requireSameDevice(const Tensor& a, const Tensor& b) {
    if (a.device() == b.device()) return;
    throwRefusal({ErrorKind::Device,
                  "DEV-03",
                  "Expected all tensors to be on the same device, but found at least two devices, " +
                      toString(a.device()) + " and " + toString(b.device()) + "!",
                  "Move one of them with to().",
                  {}});
}

namespace {

void requireDims(const char* operation, const Tensor& a) {
    elementwise::requireDefined(a, operation);
    if (a.dim() < 2)
        refuse("LINALG-01", std::string(operation) + ": The input tensor A must have at least 2 dimensions.",
               "It has " + std::to_string(a.dim()) + ".");
}

void requireElements(const char* operation, const Tensor& a) {
    if (!isFloating(a.dtype()) && !isComplex(a.dtype()))
        refuse("LINALG-03",
               std::string(operation) + ": Expected a floating point or complex tensor as input. Got " +
                   std::string(scalarTypeName(a.dtype())),
               "Convert it first: x.float().");
    if (a.dtype() == DType::Float16)
        refuse("LINALG-04", "\"" + std::string(operation) + "\" not implemented for 'Half'",
               "Convert it first: x.float().");
}

} // namespace

void requireMatrices(const char* operation, const Tensor& a, Elements elements) {
    requireDims(operation, a);
    if (elements == Elements::FloatOrComplex) requireElements(operation, a);
}

void requireSquareShape(const char* operation, const Tensor& a) {
    requireDims(operation, a);
    if (a.size(-1) != a.size(-2))
        refuse("LINALG-02",
               std::string(operation) + ": A must be batches of square matrices, but they are " +
                   std::to_string(a.size(-2)) + " by " + std::to_string(a.size(-1)) + " matrices",
               "lstsq and pinv take matrices of any shape.");
}

void requireSquare(const char* operation, const Tensor& a) {
    requireSquareShape(operation, a);
    requireElements(operation, a);
}

void requireFinite(const char* operation, const Tensor& a) {
    const Tensor numbers = isComplex(a.dtype()) ? complexops::parts(a) : a;
    bool finite = true;
    if (!a.device().isCpu()) {
        const trace::Nested nested;
        finite = item(all(isfinite(numbers))).toBool();
    } else {
        visitDType(numbers.dtype(), [&](auto tag) {
            using T = typename decltype(tag)::type;
            if constexpr (std::is_floating_point_v<T>)
                forEachSlot(numbers.view(), [&](Index slot) {
                    finite = finite && std::isfinite(numbers.storageData<T>()[slot]);
                    return finite;
                });
        });
    }
    if (!finite)
        refuse("LINALG-10", std::string(operation) + ": input tensor should not contain infs or NaNs.",
               "The algorithm does not end on them.");
}

std::string batchText(const Tensor& a, const LapackInfo& info) {
    return a.dim() > 2 ? "(Batch element " + std::to_string(info.batch) + "): " : std::string();
}

Dims batchOf(const Tensor& a) {
    Dims batch = a.shape();
    batch.erase(batch.size() - 1);
    batch.erase(batch.size() - 1);
    return batch;
}

void requireSameDType(const char* operation, const Tensor& a, const Tensor& b) {
    if (a.dtype() == b.dtype()) return;
    refuse("LINALG-06",
           std::string(operation) + ": Expected A and B to have the same dtype, but found A of type " +
               std::string(scalarTypeName(a.dtype())) + " and B of type " + std::string(scalarTypeName(b.dtype())) +
               " instead",
           "Convert one with to().");
}

void refuseSystem(const char* operation, const Tensor& a, const Tensor& b, bool left) {
    const auto sizes = [](const Tensor& t) { return std::to_string(t.size(-2)) + "x" + std::to_string(t.size(-1)); };
    refuse("LINALG-05",
           std::string(operation) + ": Incompatible shapes of A and B for the equation " +
               (left ? "AX = B" : "XA = B") + " (" + sizes(a) + " and " + sizes(b) + ")",
           left ? "B needs as many rows as A." : "B needs as many columns as A.");
}

void requireOldSystem(const std::string& operation, const Tensor& a, const Tensor& b) {
    if (a.dtype() != b.dtype())
        refuse("LINALG-06",
               "Expected b and A to have the same dtype, but found b of type " +
                   std::string(scalarTypeName(b.dtype())) + " and A of type " + std::string(scalarTypeName(a.dtype())) +
                   " instead.",
               "Convert one with to().");
    const auto sizes = [](const Tensor& t) { return std::to_string(t.size(-2)) + " by " + std::to_string(t.size(-1)); };
    if (a.size(-1) != a.size(-2))
        refuse("LINALG-02", "A must be batches of square matrices, but they are " + sizes(a) + " matrices",
               "lstsq and pinv take matrices of any shape.");
    if (b.size(-2) != a.size(-1))
        refuse("LINALG-05",
               "Incompatible matrix sizes for " + operation + ": each A matrix is " + sizes(a) +
                   " but each b matrix is " + sizes(b),
               "b needs as many rows as A.");
}

bool isVectorCase(const Tensor& a, const Tensor& b) {
    if (b.dim() == 1) return true;
    if (b.dim() + 1 != a.dim()) return false;
    for (std::size_t d = 0; d < b.shape().size(); ++d)
        if (b.shape()[d] != a.shape()[d]) return false;
    return true;
}

void publish(const Observation& observation, const char* name, std::initializer_list<const Tensor*> inputs,
             std::initializer_list<const Tensor*> outputs, std::string arguments) {
    if (!observation) return;
    Observation::Bytes bytes;
    for (const Tensor* t : inputs) bytes.read += t->nbytes();
    for (const Tensor* t : outputs) bytes.written += t->nbytes();
    bytes.allocated = bytes.written;
    observation.publish(name, std::move(arguments), inputs,
                        std::span<const Tensor* const>(outputs.begin(), outputs.size()), OpEffect::Alloc, bytes);
}

Tensor withBatch(const Tensor& t, const Dims& batch) {
    Dims shape = batch;
    shape.push_back(t.size(-2));
    shape.push_back(t.size(-1));
    return expand(t, shape);
}

namespace {

/// Least and greatest magnitude on the diagonal of each factor U or R; `f` (i, least, greatest) -> go on?
template <class F>
void overPivots(const Matrices& lu, F&& f) {
    const Index count = std::min(lu.rows, lu.cols);
    // Of a device's factors the diagonals alone come to the host, which has waited for `info` already.
    const bool isHere = lu.device().isCpu();
    const Tensor here = isHere ? lu.tensor : to(contiguous(diagonal(lu.tensor, 0, -2, -1)), Device{});
    const Index perMatrix = isHere ? lu.rows * lu.cols : count, step = isHere ? lu.rows + 1 : 1;
    visitAnyDType(lu.work(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_floating_point_v<T> || kIsComplex<T>) {
            const T* pivots = here.data<T>();
            for (Index i = 0; i < lu.batch; ++i, pivots += perMatrix) {
                double least = std::numeric_limits<double>::infinity(), greatest = 0;
                for (Index k = 0; k < count; ++k) {
                    const T& u = pivots[k * step];
                    double size = 0;
                    if constexpr (kIsComplex<T>)
                        size = std::hypot(static_cast<double>(u.re), static_cast<double>(u.im));
                    else
                        size = std::fabs(static_cast<double>(u));
                    least = std::min(least, size);
                    greatest = std::max(greatest, size);
                }
                if (!f(i, least, greatest)) return;
            }
        }
    });
}

} // namespace

void warnOfCondition(const char* name, const Tensor& a, const Matrices& lu) {
    if (lu.rows == 0 || lu.cols == 0) return;
    const double epsilon = realPartDType(a.dtype()) == DType::Float64 ? 0x1p-52 : 0x1p-23;
    Index doubtful = -1;
    overPivots(lu, [&](Index i, double least, double greatest) {
        // NaN and infinities show by themselves.
        if (std::isfinite(greatest) && least < greatest * epsilon * 64) doubtful = i;
        return doubtful < 0;
    });
    if (doubtful < 0) return;
    const Tensor matrix = select(reshape(a, {lu.batch, a.size(-2), a.size(-1)}), 0, doubtful);
    const double condition = item(cond(matrix)).toDouble();
    if (!(condition * epsilon > 0.5)) return;
    char number[32];
    std::snprintf(number, sizeof number, "%.1e", condition);
    warn(std::string(name) + ": " +
         (lu.batch > 1 ? "matrix " + std::to_string(doubtful) + " of the batch" : "the matrix") +
         " is ill-conditioned: relative errors of its elements may grow " + number +
         " times, so that no digit of the result need be right. linalg.cond gives this number, and linalg.lstsq and "
         "linalg.pinv take a limit for what counts as 0.");
}

} // namespace stridescope::linalg
