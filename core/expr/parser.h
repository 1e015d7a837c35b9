#pragma once
// Reads lines of tensor code: names, numbers, tuples, lists, calls, indexing, arithmetic, assignment.
//
// This is not a Python and does not grow into one: no loops, no functions, no attributes but those of tensors. What
// Python has and this has not is refused by name.

#include "core/expr/ast.h"
#include "core/result.h"

#include <string_view>

namespace stridescope::expr {

/// What one text may cost.
struct ParseLimits {
    std::size_t characters = 100'000;
    int depth = 100;            ///< height of an expression's tree, chains of calls included
    std::size_t nodes = 50'000; ///< of all statements together
};

/// Statements separated by ';' or line ends; "# …" is a comment; a leading ">>> " or "... " is passed over, so that
/// printed sessions can be pasted. Inside brackets line ends do not count. The empty text gives no statements.
///
/// Refused with kind Value (a SyntaxError, see exceptionName) and InputPosition, the 0-based character; the message
/// counts from 1: EXPR-01 too long, EXPR-02 a character of no meaning, EXPR-03 a number, EXPR-04 a string not closed,
/// EXPR-05 something else expected, EXPR-06 Python that is not read here, EXPR-07 nested too deep, EXPR-08 a bracket
/// not closed, EXPR-09 not assignable, EXPR-10 order or repetition of keyword arguments.
Result<Program> parseProgram(std::string_view text, const ParseLimits& limits = {});

/// True when the text ends inside a bracket, so that another line may follow it.
bool isIncomplete(std::string_view text);

/// True for a name that can be assigned to: letters, digits and '_', not beginning with a digit, no word of Python's
/// and not "torch".
bool isIdentifier(std::string_view text);

} // namespace stridescope::expr
