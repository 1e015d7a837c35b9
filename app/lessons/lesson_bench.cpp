#include "app/lessons/lesson_bench.h"

#include "core/expr/parser.h"

#include <new>

namespace stridescope {

namespace {

/// What a lesson may ask of a machine, in elements made or written: a line that wants more is no line for a lesson.
constexpr double kMostElements = 5e7;

} // namespace

Result<expr::Value> LessonBench::run(const QString& line) {
    const std::string source = line.toStdString();
    Result<expr::Program> program = expr::parseProgram(source);
    if (!program) return program.takeRefusal();
    expr::Value last;
    try {
        for (const expr::Statement& statement : program->statements) {
            LessonBench trial(*this);
            expr::Evaluator estimate(trial, {.dryRun = true});
            // Only the cost is asked for; what is wrong is told when it is carried out.
            try {
                estimate.execute(statement, source);
            } catch (const Error&) {
            }
            if (estimate.elementsMoved() > kMostElements) {
                Refusal refusal;
                refusal.kind = ErrorKind::Memory;
                refusal.id = "LESSON-20";
                refusal.message = "a line of a lesson may make or write " +
                                  std::to_string(static_cast<Index>(kMostElements)) + " elements, this one " +
                                  std::to_string(static_cast<Index>(estimate.elementsMoved()));
                return refusal;
            }
            expr::Evaluator evaluator(*this);
            last = evaluator.execute(statement, source);
        }
    } catch (const Error& error) {
        return error.refusal();
    } catch (const std::bad_alloc&) {
        Refusal refusal;
        refusal.kind = ErrorKind::Memory;
        refusal.id = "LESSON-20";
        refusal.message = "not enough memory for a line of a lesson";
        return refusal;
    }
    return last;
}

bool LessonBench::hasStorage(const StoragePtr& storage) const {
    for (const auto& [name, value] : m_names) {
        const auto* tensor = value.as<expr::TensorValue>();
        if (tensor && tensor->tensor.storage() == storage) return true;
    }
    return false;
}

std::optional<Tensor> LessonBench::tensor(const QString& name) const {
    const auto found = m_names.find(name.toStdString());
    if (found == m_names.end()) return std::nullopt;
    const auto* value = found->second.as<expr::TensorValue>();
    return value ? std::optional<Tensor>(value->tensor) : std::nullopt;
}

std::optional<expr::Value> LessonBench::lookup(const std::string& name) {
    const auto found = m_names.find(name);
    if (found == m_names.end()) return std::nullopt;
    return found->second;
}

void LessonBench::assign(const std::string& name, expr::Value value, const std::string&) {
    m_names[name] = std::move(value);
}

} // namespace stridescope
