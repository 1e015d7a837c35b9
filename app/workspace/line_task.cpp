#include "app/workspace/line_task.h"

#include "app/workspace/refused_operation.h"
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
    std::optional<expr::Program> program;
    std::size_t done = 0;
    const auto refuse = [&](Refusal refusal) {
        outcome.exception = QString::fromStdString(expr::exceptionName(refusal));
        outcome.refusal = std::move(refusal);
        outcome.wanted = session.wanted();
        outcome.source = session.lastSource();
        if (program) outcome.operation = refusedOperation(session.refusedCall(), *program, done, source);
        const Index lost = session.rollBack();
        if (lost > 0)
            outcome.notes << QObject::tr(
                                 "%1 of values were overwritten, wholly or in part, and were too large to keep.")
                                 .arg(QString::fromStdString(formatBytes(lost)));
    };
    try {
        auto parsed = expr::parseProgram(source);
        if (!parsed) {
            refuse(parsed.refusal());
            return;
        }
        program = *std::move(parsed);
        for (; done < program->statements.size(); ++done)
            session.execute(program->statements[done], source, how.naming);
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
