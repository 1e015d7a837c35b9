// What a refused line would have written to, so that it can be played up to its refusal.

#include "app/workspace/motion_source.h"
#include "app/workspace/refused_operation.h"
#include "app/workspace/workspace.h"
#include "core/expr/parser.h"
#include "core/view/inverse.h"
#include "core/view/overlap.h"
#include "core/view/walk.h"

#include <QRegularExpression>

#include <algorithm>

namespace stridescope {

namespace {

/// Of the refusal of a write to elements that share cells.
constexpr const char* kSharedCells = "OVERLAP-01";
/// Of the refusal of a write to elements that are read, too.
constexpr const char* kReadCells = "OVERLAP-03";

/// The code of what a statement would write to; empty for one that writes to nothing.
QString targetOf(const expr::Statement& statement, const std::string& source) {
    const auto text = [&source](const expr::Node& node) {
        const auto begin = static_cast<std::size_t>(node.begin), end = static_cast<std::size_t>(node.end);
        return QString::fromStdString(source.substr(begin, end - begin));
    };
    if (statement.kind == expr::StatementKind::Augment) return text(statement.targets[0]);
    if (statement.kind == expr::StatementKind::Assign && statement.targets.size() == 1 &&
        statement.targets[0].kind == expr::NodeKind::Subscript)
        return text(statement.targets[0]);
    const expr::Node& call = statement.value;
    if (call.kind != expr::NodeKind::Call) return {};
    for (std::size_t i = 0; i < call.keywords.size(); ++i)
        if (call.keywords[i] == "out") return text(call.children[i + 1]);
    const expr::Node& callee = call.children[0];
    return callee.kind == expr::NodeKind::Attribute && callee.text.ends_with('_') ? text(callee.children[0])
                                                                                  : QString();
}

/// Named and coloured as the workspace has it.
TensorEntry entryOf(const WorkspaceState& state, const RefusedOperation::Operand& operand) {
    TensorEntry entry;
    const auto sharesStorage = [&operand](const auto& each) {
        return each->tensor.storage() == operand.tensor.storage();
    };
    const auto isIt = [&](const auto& each) {
        return sharesStorage(each) && each->tensor.view() == operand.tensor.view() &&
               each->tensor.dtype() == operand.tensor.dtype();
    };
    const auto& all = state.tensors;
    if (const auto found = std::find_if(all.begin(), all.end(), isIt); found != all.end()) entry = **found;
    entry.name = operand.shown;
    entry.tensor = operand.tensor;
    return entry;
}

/// What would be written to, and another operand with cells of it.
std::optional<std::pair<TensorEntry, TensorEntry>> targetAndRead(const WorkspaceState& state,
                                                                 const RefusedOperation& operation) {
    const std::string source = operation.line.toStdString();
    const auto program = expr::parseProgram(source);
    const QString code =
        program && !program->statements.empty() ? targetOf(program->statements.back(), source) : QString();
    const auto& operands = operation.operands;
    if (operands.empty()) return std::nullopt;
    auto target =
        std::find_if(operands.begin(), operands.end(), [&code](const auto& each) { return each.name == code; });
    if (target == operands.end()) target = operands.begin();
    if (!target->tensor.defined()) return std::nullopt; // it was too large to be kept
    const Tensor& written = target->tensor;
    if (written.numel() > kMovingCells) return std::nullopt;
    for (auto read = operands.begin(); read != operands.end(); ++read) {
        const Tensor& each = read->tensor;
        if (read == target || !hasElements(each) || each.storage() != written.storage() ||
            each.dtype() != written.dtype() || each.dim() > written.dim())
            continue;
        const std::vector<Index> slots = visitedSlots(each.view(), 0, std::min(each.numel(), kMovingCells));
        if (std::any_of(slots.begin(), slots.end(), [&](Index slot) { return reaches(written.view(), slot); }))
            return std::pair(entryOf(state, *target), entryOf(state, *read));
    }
    return std::nullopt;
}

} // namespace

std::optional<TensorEntry> Workspace::sharedTarget(const QString& line) const {
    const auto shared = [this](const QString& code) -> std::optional<TensorEntry> {
        const TensorEntry* entry = m_state->tensor(code);
        std::optional<TensorEntry> target;
        if (entry) {
            target = *entry;
        } else if (const auto made = preview(code); made && made->view && !made->refusal && !made->copies) {
            const TensorEntry* source = m_state->tensor(made->source);
            if (!source) return std::nullopt;
            target = *source;
            target->name = code;
            target->tensor = source->tensor.withView(*made->view);
        }
        const bool overlaps = target && selfOverlap(target->tensor.view()).answer == OverlapAnswer::Overlaps;
        return overlaps ? target : std::nullopt;
    };
    const std::string source = line.toStdString();
    if (const auto program = expr::parseProgram(source)) {
        for (const expr::Statement& statement : program->statements)
            if (const QString code = targetOf(statement, source); !code.isEmpty())
                if (auto found = shared(code)) return found;
        return std::nullopt;
    }
    // What only Python reads: the first of its names that could be it.
    static const QRegularExpression kName(QStringLiteral("[A-Za-z_]\\w*"));
    for (auto match = kName.globalMatch(line); match.hasNext();) {
        const QString name = match.next().captured();
        if (!m_state->tensor(name)) continue;
        if (auto found = shared(name)) return found;
    }
    return std::nullopt;
}

std::optional<TensorEntry> Workspace::sharedTarget(const RefusedOperation& operation) const {
    for (const RefusedOperation::Operand& operand : operation.operands) {
        if (!operand.tensor.defined()) continue;
        if (selfOverlap(operand.tensor.view()).answer != OverlapAnswer::Overlaps) continue;
        return entryOf(*m_state, operand);
    }
    return std::nullopt;
}

std::optional<MotionInput> Workspace::refusedMotion(const QString& line, const Refusal& refusal,
                                                    const RefusedOperation* operation) const {
    if (isBusy() || (refusal.id != kSharedCells && refusal.id != kReadCells)) return std::nullopt;
    const Past before = past();
    const MotionSource source(before, [this](std::uint64_t id) { return storageNumber(id); });
    if (refusal.id == kReadCells) {
        const auto both = operation ? targetAndRead(*m_state, *operation) : std::nullopt;
        if (!both) return std::nullopt;
        return source.refused(both->first, &both->second, line, refusal);
    }
    std::optional<TensorEntry> target = operation ? sharedTarget(*operation) : std::nullopt;
    // The names of a function are others.
    if (!target && !(operation && operation->isElsewhere)) target = sharedTarget(line);
    if (!target) return std::nullopt;
    return source.refused(*target, nullptr, line, refusal);
}

} // namespace stridescope
