#pragma once
// The operation at which a line was refused, by what it was given: so that it can be drawn wherever it stands, also in
// a loop, in a function, and of tensors that have no name.

#include "core/expr/evaluator.h"
#include "core/tensor/tensor.h"

#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace stridescope {

class LineSession;

struct RefusedOperation {
    struct Operand {
        QString name;  ///< by which `line` has it: "x", or "_1" for what is no name
        QString shown; ///< as the code has it: "x", "x.t()"
        /// Without bytes where the line was only tried out, see withMadeOperands(); undefined where it was too large to
        /// be kept.
        Tensor tensor;
    };
    /// "y = _1.view(12)". Numbers stand in it as such.
    QString line;
    std::size_t statement = 0;     ///< its number in the line that was typed
    std::vector<Operand> operands; ///< its tensors, in the order of the line
    /// Its names are those of a function: what they name is not what the workspace has under them.
    bool isElsewhere = false;
    bool isOfKernel = false; ///< its tensors may be copies of what the workspace has under these names
};

/// What `call` was, of the statement `number` of a program; null without a call. Names stay; all else that is a tensor
/// gets one.
std::shared_ptr<const RefusedOperation> refusedOperation(const std::optional<expr::RefusedCall>& call,
                                                         const expr::Program& program, std::size_t number,
                                                         const std::string& source);
/// The same with operands that have their elements: those without are made by `session`, which carries out the
/// statements of `line` before them once more. What it refuses stays as it was. No random number is used up.
std::shared_ptr<const RefusedOperation> withMadeOperands(RefusedOperation operation, LineSession& session,
                                                         const QString& line);

/// False of a tensor of a line that was only tried out: it has a layout and no bytes.
bool hasElements(const Tensor& tensor);
/// `text` with `by` in the place of the name `name`.
QString renamed(const QString& text, const QString& name, const QString& by);

} // namespace stridescope
