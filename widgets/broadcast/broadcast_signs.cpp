// The signs between the cards: what the line has between its tensors, numbers among it.

#include "widgets/broadcast/broadcast_parts.h"
#include "widgets/card/text_metrics.h"

#include <algorithm>

namespace stridescope::broadcast {

namespace {

constexpr FontRole kFont = FontRole::CodeStrong;
constexpr qreal kDisc = 21;

/// The text without blanks around; too long a one is nothing.
QString signIn(QString text) {
    constexpr qsizetype kMost = 12;
    text = text.simplified();
    return text.size() > kMost ? QString() : text;
}
bool hasBrackets(const QString& text) {
    return std::any_of(text.begin(), text.end(), [](QChar c) { return QStringLiteral("()[]").contains(c); });
}

qreal widthOf(const QString& sign) {
    return sign.isEmpty() ? 0 : std::max(kDisc, textWidth(kFont, sign) + 12);
}

/// What stands between the two tensors of an in-place call: "+" of a.add_(b), "add_" of a.add_(b, alpha=2), an arrow of
/// a.copy_(b).
QString signOfCall(const BroadcastModel& model) {
    const expr::PointwiseNode& root = model.program.root();
    if (!model.inPlace || !root.symbol.empty()) return {};
    if (model.overwrites()) return QStringLiteral("←");
    if (model.program.written || !root.keywords.empty()) return {};
    constexpr std::pair<const char*, const char*> kSigns[] = {{"add", "+"}, {"sub", "-"},       {"mul", "*"},
                                                              {"div", "/"}, {"remainder", "%"}, {"pow", "**"}};
    for (const auto& [name, sign] : kSigns)
        if (root.name == name && root.options.empty()) return QString::fromLatin1(sign);
    return QString::fromStdString(root.name) + QLatin1Char('_');
}

} // namespace

QStringList signsOf(const BroadcastModel& model, bool ok) {
    using Node = expr::PointwiseNode;
    const auto& nodes = model.program.nodes;
    const Node& root = nodes.back();
    // A tensor that stands in the line twice has one card, where it stands first; functions have commas.
    std::vector<const Node*> leaves;
    bool signsOnly = true;
    for (const Node& node : nodes) {
        const auto same = [&node](const Node* other) { return other->operand == node.operand; };
        if (node.kind == Node::Kind::Operand && std::none_of(leaves.begin(), leaves.end(), same))
            leaves.push_back(&node);
        if (!node.children.empty() && node.symbol.empty()) signsOnly = false;
    }
    std::sort(leaves.begin(), leaves.end(), [](const Node* a, const Node* b) { return a->begin < b->begin; });
    const QByteArray code = QByteArray::fromStdString(model.program.code);
    const auto between = [&code](Index from, Index to) {
        return QString::fromUtf8(code.mid(static_cast<qsizetype>(from), static_cast<qsizetype>(to - from)));
    };
    QStringList parts{between(root.begin, leaves.front()->begin)};
    for (std::size_t i = 1; i < leaves.size(); ++i) parts << between(leaves[i - 1]->end, leaves[i]->begin);
    parts << between(leaves.back()->end, root.end);
    // Of cards in a row nobody sees what brackets hold together.
    if (!signsOnly || std::any_of(parts.begin(), parts.end(), hasBrackets))
        parts = QStringList(parts.size(), QString());
    for (QString& part : parts) part = signIn(part);
    if (model.inPlace && !root.symbol.empty()) parts[1].remove(QLatin1Char('=')); // a += b
    if (const QString call = signOfCall(model); !call.isEmpty() && parts.size() == 3) parts[1] = call;
    for (qsizetype i = 1; i + 1 < parts.size(); ++i)
        if (parts[i].isEmpty()) parts[i] = QStringLiteral(",");
    if (ok)
        parts.back() = (parts.back() + QStringLiteral(" =")).trimmed();
    else
        parts.removeLast();
    return parts;
}

qreal signRoom(const QString& sign) {
    return widthOf(sign);
}

void appendSigns(SceneBuilder& out, const Picture& p) {
    const auto& cards = p.places.cards;
    const QStringList signs = signsOf(p.model, p.model.ok() && !p.look.veiled);
    for (qsizetype i = 0; i < signs.size(); ++i) {
        const qreal width = widthOf(signs[i]);
        if (width == 0) continue;
        const auto at = static_cast<std::size_t>(i);
        const qreal right = cards[at].left();
        const qreal left = at == 0 ? right - width - 4 : cards[at - 1].right();
        const QPointF centre((left + right) / 2, cards[at].center().y());
        BoxItem disc;
        disc.rect = QRectF(centre - QPointF(width / 2, kDisc / 2), QSizeF(width, kDisc));
        disc.radius = kDisc / 2;
        disc.fill = Tone::Primary;
        out.box(disc);
        out.text(centre + QPointF(0, 4.6), signs[i], kFont, Tone::PrimaryText, kCentre);
    }
}

} // namespace stridescope::broadcast
