#include "app/workspace/line_task.h"

#include "core/expr/parser.h"
#include "core/job.h"
#include "core/storage/memory_budget.h"

namespace stridescope {

LineTask::LineTask(const WorkspaceState& state, TensorId nextId, const QString& text, const RunAs& as,
                   const std::set<quint64>& locked)
    : line(text), how(as), session(state, nextId, false) {
    session.setLocked(locked);
}

void LineTask::carryOut() {
    const std::string source = line.toStdString();
    const auto refuse = [this](Refusal refusal) {
        outcome.exception = QString::fromStdString(expr::exceptionName(refusal));
        outcome.refusal = std::move(refusal);
        outcome.wanted = session.wanted();
        outcome.source = session.lastSource();
        const Index lost = session.rollBack();
        if (lost > 0)
            outcome.notes << QObject::tr(
                                 "%1 of values were overwritten, wholly or in part, and were too large to keep.")
                                 .arg(QString::fromStdString(formatBytes(lost)));
    };
    try {
        const auto program = expr::parseProgram(source);
        if (!program) {
            refuse(program.refusal());
            return;
        }
        for (const expr::Statement& statement : program->statements) session.execute(statement, source, how.naming);
    } catch (const Error& error) {
        refuse(error.refusal());
        return;
    } catch (const std::bad_alloc&) {
        refuse({ErrorKind::Memory,
                "MEM-03",
                "not enough memory for this line",
                "Close tensors or use smaller sizes.",
                {}});
        return;
    }
    outcome.ok = true;
    outcome.printed = session.warnings() + session.output();
    outcome.code = session.code();
    outcome.notes = session.notes();
    outcome.made = session.made();
}

} // namespace stridescope
