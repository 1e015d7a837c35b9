#include "core/ops/linalg_checks.h"

#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/promotion.h"
#include "core/ops/views.h"
#include "core/tensor/walk.h"

#include <cmath>

namespace stridescope::linalg {

void refuse(const char* id, std::string message, std::string hint) {
    throwRefusal({ErrorKind::Runtime, id, std::move(message), std::move(hint), {}});
}

void requireOnCpu(const char* operation, const Tensor& a) {
    elementwise::requireDefined(a, operation);
    elementwise::requireHost(operation, a);
}

namespace {

void requireDims(const char* operation, const Tensor& a) {
    requireOnCpu(operation, a);
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
    visitDType(numbers.dtype(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_floating_point_v<T>)
            forEachSlot(numbers.view(), [&](Index slot) {
                finite = finite && std::isfinite(numbers.storageData<T>()[slot]);
                return finite;
            });
    });
    if (!finite)
        refuse("LINALG-10", std::string(operation) + ": input tensor should not contain infs or NaNs.",
               "The algorithm does not end on them.");
}

std::string batchText(const Tensor& a, const cpu::LapackInfo& info) {
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

} // namespace stridescope::linalg
