// Functions: what bends numbers below a limit, and how far points are from each other.

#include "core/ops/activations.h"
#include "core/ops/differences.h"
#include "core/python/function.h"

namespace stridescope::python::tables {

std::vector<Entry> activations() {
    return {
        FN(":selu(Tensor input)", selu(a.tensor(0))),
        IN(":selu_(Tensor input)", selu_(a.tensor(0))),
        FN(":celu(Tensor input, float alpha=1.0)", celu(a.tensor(0), a.number(1))),
        IN(":celu_(Tensor input, float alpha=1.0)", celu_(a.tensor(0), a.number(1))),
        FN("hardshrink(Tensor input, float lambd=0.5)", hardshrink(a.tensor(0), a.number(1))),
        FN(":threshold(Tensor input, Scalar threshold, Scalar value)",
           threshold(a.tensor(0), a.scalar(1), a.scalar(2))),
        IN(":threshold_(Tensor input, Scalar threshold, Scalar value)",
           threshold_(a.tensor(0), a.scalar(1), a.scalar(2))),
        FN("prelu(Tensor input, Tensor weight)", prelu(a.tensor(0), a.tensor(1))),
        FN(":pdist(Tensor input, float p=2)", pdist(a.tensor(0), a.number(1))),
        FN(":pairwise_distance(Tensor x1, Tensor x2, float p=2, float eps=1e-06, bool keepdim=False)",
           pairwiseDistance(a.tensor(0), a.tensor(1), a.number(2), a.number(3), a.flag(4))),
        FN(":cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08)",
           cosineSimilarity(a.tensor(0), a.tensor(1), a.index(2), a.number(3))),
    };
}

} // namespace stridescope::python::tables
