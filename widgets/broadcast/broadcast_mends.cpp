#include "widgets/broadcast/broadcast_mends.h"

#include "core/view/broadcast.h"
#include "core/view/broadcast_fixes.h"
#include "widgets/model/words.h"
#include "widgets/scene/painted_text.h"

#include <algorithm>

namespace stridescope {

namespace {

using Node = expr::PointwiseNode;

QString listText(const Dims& numbers) {
    QStringList words;
    for (const Index number : numbers) words << QString::number(number);
    return words.join(QStringLiteral(", "));
}

QByteArray replaced(const expr::PointwiseProgram& program, const Node& node, const QByteArray& by) {
    QByteArray line = QByteArray::fromStdString(program.code);
    return line.replace(static_cast<qsizetype>(node.begin), static_cast<qsizetype>(node.end - node.begin), by);
}

/// The line when it computes; the fix is found by rules, and tried all the same.
std::optional<BroadcastMend> tried(const QByteArray& line, const QString& label, expr::Environment& environment) {
    const auto program = expr::pointwiseProgram(line.toStdString(), environment);
    if (!program || !program->ok()) return std::nullopt;
    BroadcastMend mend;
    mend.label = label;
    mend.line = QString::fromUtf8(line);
    mend.outcome = shapeText(program->root().value.shape());
    return mend;
}

/// "a = a + b" for "a += b", "a = a.add(b)" for "a.add_(b)": a new tensor has room for what the old one has not.
void mendOutput(const BroadcastModel& model, expr::Environment& environment, std::vector<BroadcastMend>& mends) {
    const expr::PointwiseProgram& program = model.program;
    const Node& root = program.nodes[*program.failed];
    if (program.written) return; // a new tensor would be no part of what is written to
    const auto textOf = [&](Index begin, Index end) {
        return QByteArray::fromStdString(program.code)
            .mid(static_cast<qsizetype>(begin), static_cast<qsizetype>(end - begin));
    };
    const Node &left = program.nodes[root.children[0]], &right = program.nodes[root.children[1]];
    if (!program.operands[left.operand].isName) return;
    const QByteArray target = textOf(left.begin, left.end);
    QByteArray outside;
    if (root.symbol.empty()) {
        QByteArray call = textOf(left.end, root.end); // ".clamp_(0, b)"
        outside = target + call.remove(call.indexOf("_("), 1);
    } else {
        const QByteArray value = textOf(right.begin, right.end);
        const bool single = right.kind != Node::Kind::Operation;
        outside = target + ' ' + root.symbol.c_str() + ' ' + (single ? value : '(' + value + ')');
    }
    const QByteArray line = target + " = " + outside;
    if (auto mend = tried(replaced(program, root, line), QString::fromUtf8(line), environment))
        mends.push_back(*std::move(mend));
}

/// A change of one operand, which may or may not make the line work.
struct Change {
    BroadcastMend mend;
    QByteArray line;
    bool lastResort = false; ///< every element with every other one, in more dims than anybody meant
};

/// "(3, 4) + (3, 1) → (3, 4)", "(3, 1), (3, 4), (3, 4) → (3, 4)": what meets when `changed` has `shape`.
QString outcomeOf(const expr::PointwiseProgram& program, const std::vector<std::size_t>& inputs, const Node& failed,
                  const Node& changed, const Dims& shape) {
    std::vector<Dims> shapes;
    QStringList words;
    for (const std::size_t input : inputs) {
        const Node& node = program.nodes[input];
        if (!node.value.defined()) continue;
        shapes.push_back(&node == &changed ? shape : node.value.shape());
        words << shapeText(shapes.back());
    }
    const bool writes = inputs.size() > failed.children.size();
    const QString between = writes                  ? QStringLiteral(" ← ")
                            : shapes.size() != 2    ? QStringLiteral(", ")
                            : failed.symbol.empty() ? PaintedText::tr(" and ")
                                                    : QStringLiteral(" %1 ").arg(QString::fromStdString(failed.symbol));
    return words.join(between) + QStringLiteral(" → ") + shapeText(broadcastPlan(shapes).shape);
}

/// Views of the inputs of the failed operation that make two of them fit. With three inputs the third one has to be
/// asked, too: the line is tried.
std::vector<Change> changesOf(const expr::PointwiseProgram& program) {
    constexpr std::size_t kTried = 8;
    std::vector<Change> changes;
    const Node& failed = program.nodes[*program.failed];
    std::vector<std::size_t> inputs = failed.children;
    const bool isLast = *program.failed + 1 == program.nodes.size();
    // Of two inputs and out= these two did not fit.
    if (isLast && program.written && inputs.size() < 2) inputs.insert(inputs.begin(), *program.written);
    const auto inputAt = [&](std::size_t i) -> const Node& { return program.nodes[inputs[i]]; };
    const auto isTarget = [&](const Node& node) {
        return isLast && program.target && node.kind == Node::Kind::Operand && node.operand == *program.target;
    };
    for (std::size_t last = 1; last < inputs.size(); ++last) {
        for (std::size_t first = 0; first < last; ++first) {
            const Node* sides[2] = {&inputAt(first), &inputAt(last)};
            if (!sides[0]->value.defined() || !sides[1]->value.defined()) continue;
            for (const BroadcastFix& fix : broadcastFixes(sides[0]->value.view(), sides[1]->value.view(), kTried)) {
                const Node& node = *sides[fix.operand];
                if (isTarget(node)) continue; // what is written to cannot be another view
                QString text = QString::fromUtf8(
                    QByteArray::fromStdString(program.code)
                        .mid(static_cast<qsizetype>(node.begin), static_cast<qsizetype>(node.end - node.begin)));
                if (node.kind == Node::Kind::Operation && !node.symbol.empty())
                    text = QLatin1Char('(') + text + QLatin1Char(')');
                Change change;
                change.mend.label = text + mendMethod(fix);
                change.mend.method = mendMethod(fix);
                change.mend.outcome = outcomeOf(program, inputs, failed, node, fix.shape);
                if (node.kind == Node::Kind::Operand) change.mend.operand = static_cast<int>(node.operand);
                change.line = replaced(program, node, change.mend.label.toUtf8());
                const Index most = std::max(sides[0]->value.dim(), sides[1]->value.dim());
                change.lastResort = std::ssize(fix.result) > most + 1;
                changes.push_back(std::move(change));
            }
        }
    }
    return changes;
}

/// Where no single change is enough, as in (3, 4) + (3,) + (2,): two of them, one after the other.
void mendInSteps(const std::vector<Change>& changes, expr::Environment& environment,
                 std::vector<BroadcastMend>& mends) {
    constexpr std::size_t kFirst = 6;
    std::optional<BroadcastMend> best;
    Index dims = 0;
    for (std::size_t i = 0; i < std::min(changes.size(), kFirst); ++i) {
        const auto program = expr::pointwiseProgram(changes[i].line.toStdString(), environment);
        if (!program || program->ok() || !std::holds_alternative<BroadcastConflict>(program->refusal->detail)) continue;
        for (const Change& second : changesOf(*program)) {
            auto mend = tried(second.line, QString::fromUtf8(second.line), environment);
            if (!mend) continue;
            // The result with the fewest dims is the likeliest to be meant; of two, the one that was found first.
            const Index ndim = mend->outcome.count(QLatin1Char(','));
            if (best && ndim >= dims) continue;
            best = std::move(mend);
            dims = ndim;
        }
    }
    if (best) mends.push_back(*std::move(best));
}

} // namespace

QString mendMethod(const BroadcastFix& fix) {
    switch (fix.kind) {
    case BroadcastFixKind::Unsqueeze:
        return QStringLiteral(".unsqueeze(%1)").arg(fix.arguments[0]);
    case BroadcastFixKind::Transpose:
        return QStringLiteral(".t()");
    case BroadcastFixKind::Narrow:
        return QStringLiteral(".narrow(%1, 0, %2)").arg(fix.arguments[0]).arg(fix.arguments[1]);
    case BroadcastFixKind::View:
        break;
    }
    return QStringLiteral(".%1(%2)").arg(fix.copies ? QStringLiteral("reshape") : QStringLiteral("view"),
                                         listText(fix.arguments));
}

std::vector<BroadcastMend> broadcastMends(const BroadcastModel& model, expr::Environment& environment) {
    constexpr std::size_t kMost = 3;
    std::vector<BroadcastMend> mends;
    if (model.ok()) return mends;
    const expr::PointwiseProgram& program = model.program;
    const bool inPlace = model.inPlace && *program.failed + 1 == program.nodes.size();
    if (!model.outputGrows()) {
        const std::vector<Change> changes = changesOf(program);
        for (const Change& change : changes) {
            if (mends.size() == kMost) break;
            if (change.lastResort && !mends.empty()) continue;
            if (auto mend = tried(change.line, change.mend.label, environment)) {
                const QString line = mend->line;
                *mend = change.mend;
                mend->line = line;
                mends.push_back(*std::move(mend));
            }
        }
        if (mends.empty()) mendInSteps(changes, environment, mends);
    }
    if (inPlace && mends.size() < kMost) mendOutput(model, environment, mends);
    if (!mends.empty()) mends.front().primary = true;
    return mends;
}

} // namespace stridescope
