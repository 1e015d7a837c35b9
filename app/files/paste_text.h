#pragma once
// Text from the clipboard as numbers: tables, Python lists, printed arrays.

#include "core/io/budget.h"
#include "core/ops/creation.h"
#include "core/result.h"

#include <QString>

#include <string_view>

namespace stridescope {

struct PastedNumbers {
    NestedList values{Scalar{}};
    std::optional<DType> dtype; ///< when the text names one: "array(…, dtype=float32)"
    const char* kind = "";      ///< "Python list", "NumPy array", "table", …: what it was recognised as
};

inline constexpr std::size_t kLargestPaste = std::size_t{4} << 20;

/// PASTE-01, with both numbers.
Refusal pasteTooLarge(std::size_t bytes);

/// Reads
/// - nested lists "[[1, 2], [3, 4]]", "[1.5, nan]", and "array(...)", "tensor(...)" round them, dtype= included;
/// - what print() shows of an array: "[[1 2]\n [3 4]]";
/// - tables: lines of numbers separated by tabs, commas, semicolons or blanks; a header line of words is passed over.
/// Pure. Refused: PASTE-01 too long (both numbers), PASTE-02 not text, PASTE-03 not numbers, PASTE-04 rows of different
/// lengths (with the line), PASTE-05 summarised ("..."), EXPR-07 lists deeper than the budget, and what the parser of
/// lists refuses.
Result<PastedNumbers> readPastedNumbers(std::string_view text, const Budget& budget = {});

/// "torch.tensor([[1, 2], [3, 4]])", or nothing for more numbers than a line of code should hold.
QString codeOfPasted(const PastedNumbers& pasted);

} // namespace stridescope
