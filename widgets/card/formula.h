#pragma once
// The index formula of an element, "offset + i·s₀ + j·s₁ = index": its terms, in one row or more, and how they are
// drawn.

#include "widgets/card/card_layout.h"
#include "widgets/card/draw.h"

namespace stridescope::card {

struct FormulaInput {
    const View* view = nullptr;
    const Dims* coord = nullptr; ///< null: letters stand for the indices
    Index itemBytes = 1;         ///< what numbers count in: elements, or bytes with the size of an element
    bool bytes = false;
    bool symbols = true; ///< a row with what the numbers are above them
};

/// The terms from `left` on, none right of `left + room` but where one alone is wider; the next row stands
/// `rowHeight()` lower. `baseline` is that of the first row of numbers. Their places do not change with the coord.
std::vector<FormulaTerm> formulaTerms(const FormulaInput& input, qreal left, qreal baseline, qreal room);
qreal formulaRowHeight(bool symbols);
void appendFormula(SceneBuilder& out, const std::vector<FormulaTerm>& terms, bool known);

} // namespace stridescope::card
