#pragma once
// Carries out statements of the line language on the tensors of an Environment.

#include "core/expr/ast.h"
#include "core/expr/value.h"

#include <functional>
#include <string>
#include <string_view>

namespace stridescope::expr {

enum class FileCall : std::uint8_t { NumpyLoad, NumpyFromFile, PictureOpen, SafetensorsLoad };

/// A data set of torchvision.datasets.
struct DataSetCall {
    std::string name; ///< "CIFAR10", "CIFAR100", "SampleImages"
    std::string root;
    bool train = true;
};

/// What names stand for, and who is told before elements are overwritten.
class Environment {
public:
    virtual ~Environment() = default;
    /// The value of a name. Tensors come with lineage Alias and a source that is not 0.
    virtual std::optional<Value> lookup(const std::string& name) = 0;
    /// Gives a value a name. `code` is the expression it came from.
    virtual void assign(const std::string& name, Value value, const std::string& code) = 0;
    /// Precondition: the name is known.
    virtual void remove(const std::string& name) = 0;
    /// The elements of `target` will be overwritten now. May throw to refuse.
    virtual void aboutToWrite(const Tensor& target) = 0;
    /// The same in a dry run, in which nothing is overwritten.
    virtual void wouldWrite(const Tensor&) {}
    /// These elements are about to be converted to that dtype, by a line that asks for just that. Not in a dry run.
    virtual void aboutToConvert(const Tensor&, DType) {}
    /// What numpy.load() or PIL.Image.open() finds in a file: a tensor, or an Archive. In a dry run only what costs
    /// nothing is opened; the rest is refused with EXPR-31. May throw to refuse; here no file is known.
    virtual Value load(FileCall call, const std::string& path, bool dryRun);
    /// A data set, as an Archive of its parts "data", "targets" and "classes". As load().
    virtual Value dataSet(const DataSetCall& call, bool dryRun);
};

/// A view that was asked for and refused: it can still be drawn.
struct WantedView {
    Tensor source;
    View view;
};

/// The operation that was refused: its place in the source, and what it was given.
struct RefusedCall {
    /// A part of the source, [begin, end), and its value: of a tensor, or of what is more than a literal.
    struct Operand {
        Index begin = 0, end = 0;
        bool isName = false;   ///< "x"
        bool isSigned = false; ///< "a + b" and "-a": without brackets it is no operand of a method
        Value value;
    };
    Index begin = 0, end = 0;
    std::vector<Operand> operands; ///< in the order of the source
};

struct EvalOptions {
    /// Nothing is allocated, copied or written: new tensors have a layout and no values. What needs values is refused
    /// with EXPR-30.
    bool dryRun = false;
    Index maxListItems = 100'000; ///< of tolist() and the like
};

/// Evaluates one statement after another.
///
/// Errors are thrown as the exceptions of core/error.h with PyTorch's kind and words; besides those of the operations:
/// EXPR-20 unknown name, EXPR-21 unknown attribute, EXPR-22 arguments, EXPR-23 operand types, EXPR-24 indices,
/// EXPR-25 not callable, EXPR-26 too many values, EXPR-27 division by zero, EXPR-28 unpacking,
/// EXPR-30 values of a tensor that is not made, EXPR-31 a file that a dry run does not read.
class Evaluator {
public:
    explicit Evaluator(Environment& environment, EvalOptions options = {});
    ~Evaluator();

    /// Carries out `statement` of `source`, the text that it was parsed from.
    /// The value of an expression statement; None for all others.
    Value execute(const Statement& statement, std::string_view source);
    /// What print() printed since the last call.
    std::string takeOutput();
    /// The view that the last refused operation would have made, if it can be drawn.
    const std::optional<WantedView>& wanted() const;
    /// What the last refused statement was refused for; nothing where that is no operation on a tensor.
    const std::optional<RefusedCall>& refusedCall() const;
    /// Elements that the statements so far made or wrote, or in a dry run would have: a measure of the work.
    double elementsMoved() const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace stridescope::expr
