#pragma once
// Private to carriedOutAgain(): one call, and the rules that make it once more.

#include "core/ops/provenance_call.h"
#include "core/tensor/tensor.h"

#include <span>
#include <string_view>
#include <vector>

namespace stridescope::again {

using Results = std::vector<Tensor>;

/// The tensors, and what is beside them.
struct Asked {
    std::span<const Tensor> inputs;
    const provenance::Call& call;
    DType made; ///< of the first result

    const Tensor& x() const { return inputs[0]; }
    bool flag(std::string_view name) const { return call.text(name) == "True"; }
    std::optional<Index> dim() const { return call.number("dim"); }
    Index dimOr(Index otherwise) const { return dim().value_or(otherwise); }
    Index k() const { return call.number("k").value_or(1); }
    bool keepdim() const { return flag("keepdim"); }
    /// Without its quotes; empty where there is none.
    std::string word(std::string_view name) const;
};

struct Rule {
    Results (*make)(const Asked&) = nullptr;
    std::size_t inputs = 1;
};

/// Linear algebra; a rule without a function for what is none. core/ops/again_algebra.cpp
Rule algebraRule(std::string_view name);

} // namespace stridescope::again
