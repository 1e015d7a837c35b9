#include "widgets/broadcast/broadcast_mends.h"

#include "core/view/broadcast_fixes.h"
#include "widgets/model/words.h"

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
    const auto textOf = [&](const Node& node) {
        return QByteArray::fromStdString(program.code)
            .mid(static_cast<qsizetype>(node.begin), static_cast<qsizetype>(node.end - node.begin));
    };
    const Node &left = program.nodes[root.children[0]], &right = program.nodes[root.children[1]];
    if (!program.operands[left.operand].isName) return;
    const bool single = right.kind != Node::Kind::Operation;
    const QByteArray value = single ? textOf(right) : '(' + textOf(right) + ')';
    const QByteArray outside = root.symbol.empty() ? textOf(left) + '.' + root.name.c_str() + '(' + textOf(right) + ')'
                                                   : textOf(left) + ' ' + root.symbol.c_str() + ' ' + value;
    const QByteArray line = textOf(left) + " = " + outside;
    if (auto mend = tried(replaced(program, root, line), QString::fromUtf8(line), environment))
        mends.push_back(*std::move(mend));
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
    constexpr std::size_t kMost = 3, kTried = 8;
    std::vector<BroadcastMend> mends;
    if (model.ok()) return mends;
    const expr::PointwiseProgram& program = model.program;
    const Node& failed = program.nodes[*program.failed];
    const Node* sides[2] = {&program.nodes[failed.children[0]], &program.nodes[failed.children[1]]};
    const bool inPlace = model.inPlace && *program.failed + 1 == program.nodes.size();
    if (!model.outputGrows()) {
        for (const BroadcastFix& fix : broadcastFixes(sides[0]->value.view(), sides[1]->value.view(), kTried)) {
            if (mends.size() == kMost) break;
            if (inPlace && fix.operand == 0) continue; // what is written to cannot be another view
            const Node& node = *sides[fix.operand];
            QString text = QString::fromUtf8(
                QByteArray::fromStdString(program.code)
                    .mid(static_cast<qsizetype>(node.begin), static_cast<qsizetype>(node.end - node.begin)));
            if (node.kind == Node::Kind::Operation && !node.symbol.empty())
                text = QLatin1Char('(') + text + QLatin1Char(')');
            const QString label = text + mendMethod(fix);
            if (auto mend = tried(replaced(program, node, label.toUtf8()), label, environment)) {
                const QString a = shapeText(fix.operand == 0 ? fix.shape : sides[0]->value.shape());
                const QString b = shapeText(fix.operand == 1 ? fix.shape : sides[1]->value.shape());
                const QString sign =
                    failed.symbol.empty() ? QStringLiteral("and") : QString::fromStdString(failed.symbol);
                mend->outcome = QStringLiteral("%1 %2 %3 → %4").arg(a, sign, b, shapeText(fix.result));
                mend->method = mendMethod(fix);
                if (node.kind == Node::Kind::Operand) mend->operand = static_cast<int>(node.operand);
                mends.push_back(*std::move(mend));
            }
        }
    }
    if (inPlace && mends.size() < kMost) mendOutput(model, environment, mends);
    if (!mends.empty()) mends.front().primary = true;
    return mends;
}

} // namespace stridescope
