#pragma once
// What is computed element by element in a line such as "a * b + a" or "x / x.sum(1, keepdim=True)", and of what: the
// tree that a picture of broadcasting draws.

#include "core/expr/evaluator.h"

#include <optional>
#include <string>
#include <vector>

namespace stridescope::expr {

/// A tensor that goes in: a name, or a part of the line that is no pointwise operation itself.
struct PointwiseOperand {
    std::string code; ///< "a", "x.sum(1, keepdim=True)"
    TensorValue value;
    Index begin = 0, end = 0; ///< where it first stands in the line
    bool isName = false;
};

struct PointwiseNode {
    enum class Kind : std::uint8_t { Operand, Number, Operation };
    Kind kind = Kind::Operand;
    Index begin = 0, end = 0; ///< in the line
    std::size_t operand = 0;  ///< Operand: which
    Scalar number;            ///< Number
    /// Operation: "add", "where", "sqrt" where the line calls a function, "copy" and "fill" for what only writes, x[0]
    /// = among it; else empty.
    std::string name;
    std::string symbol;  ///< "+", "~" where the line has a sign, else empty
    std::string options; ///< "alpha=2": what a function is called with besides its inputs
    std::vector<std::pair<std::string, Value>> optionValues;
    std::vector<std::size_t> children; ///< inputs, as the function has them: of x.where(c, y) that is c, x, y
    std::vector<std::string> keywords; ///< of the children of a call of three: "max"; empty where there is none
    Tensor value; ///< of operands and operations that were carried out; without elements where not computed
};

struct PointwiseProgram {
    std::string code;     ///< the whole line
    Index begin = 0;      ///< of its last statement
    std::string assigned; ///< name that the result gets; empty for none
    bool inner = false;   ///< the nodes are a part of the line: "(p - t) ** 2" of "((p - t) ** 2).mean()"
    std::vector<PointwiseOperand> operands; ///< each tensor once, in the order of the line
    std::vector<PointwiseNode> nodes;       ///< children first; the last one is the result
    bool computed = false;                  ///< else the tensors have layouts only
    std::optional<std::size_t> target;      ///< operand that an in-place line writes into
    /// Where nothing of the target is read, as by copy_, x[0] = and out=: its node, which is no input of the root.
    std::optional<std::size_t> written;
    std::optional<std::size_t> failed; ///< the node that is refused, with …
    std::optional<Refusal> refusal;    ///< … sizes that do not fit, or an output that would grow
    const PointwiseNode& root() const { return nodes.back(); }
    bool ok() const { return !failed; }
};

/// The hint of refusals of lines whose picture is another one: they can be played.
inline constexpr const char* kPlayInstead = "Run it in the console, and play it as a motion.";

/// Reads the line and computes it on copies: nothing of `environment` is written or named. Statements before the last
/// one may give names to what it needs. With more than `mostElements` only layouts are found. Where the last statement
/// computes something else (a reduction, a product of matrices), the program is of the first part of it that is
/// computed element by element, if there is one.
/// Refused: what does not parse or evaluate for another reason than sizes, and lines without a tensor (EXPR-23).
Result<PointwiseProgram> pointwiseProgram(std::string_view line, Environment& environment,
                                          double mostElements = 1 << 20);

} // namespace stridescope::expr
