#include "app/window/missing_name.h"

#include <QRegularExpression>

#include <algorithm>
#include <vector>

namespace stridescope {

namespace {

/// Letters to change, put in or take out, or neighbours to swap, until one is the other; a letter in the other case
/// counts half. In halves.
int distance(const QString& a, const QString& b) {
    const auto columns = static_cast<std::size_t>(b.size()) + 1;
    std::vector<int> before(columns), last(columns), now(columns);
    for (std::size_t j = 0; j < columns; ++j) last[j] = 2 * static_cast<int>(j);
    for (qsizetype i = 1; i <= a.size(); ++i) {
        now[0] = 2 * static_cast<int>(i);
        for (std::size_t j = 1; j < columns; ++j) {
            const QChar x = a[i - 1], y = b[static_cast<qsizetype>(j) - 1];
            const int change = x == y ? 0 : x.toLower() == y.toLower() ? 1 : 2;
            now[j] = std::min({last[j] + 2, now[j - 1] + 2, last[j - 1] + change});
            const bool swapped = i > 1 && j > 1 && x == b[static_cast<qsizetype>(j) - 2] && y == a[i - 2];
            if (swapped) now[j] = std::min(now[j], before[j - 2] + 2);
        }
        std::swap(before, last);
        std::swap(last, now);
    }
    return last.back();
}

/// `code` with one name in the place of another, in all places where that is a word of its own.
QString withName(const QString& code, const QString& from, const QString& to) {
    QString changed = code;
    return changed.replace(QRegularExpression(QStringLiteral("\\b%1\\b").arg(QRegularExpression::escape(from))), to);
}

QString oneLine(const QString& code) {
    constexpr qsizetype kShown = 60;
    const QString first = code.trimmed().section(QLatin1Char('\n'), 0, 0);
    return first.size() > kShown || first.size() < code.trimmed().size() ? first.left(kShown) + QStringLiteral(" …")
                                                                         : first;
}

} // namespace

QString missingName(const Refusal& refusal) {
    static const QRegularExpression shape(
        QStringLiteral("^name '([^']+)' is not defined|^local variable '([^']+)' referenced before|"
                       "^cannot access local variable '([^']+)'|has no attribute '([^']+)'$"));
    const auto match = shape.match(QString::fromStdString(refusal.message).section(QLatin1Char('\n'), 0, 0));
    for (int i = 1; i <= match.lastCapturedIndex(); ++i) {
        if (!match.captured(i).isEmpty()) return match.captured(i);
    }
    return {};
}

QString nearestName(const QString& name, const QStringList& candidates) {
    constexpr qsizetype kLongest = 60;
    if (name.size() > kLongest) return {};
    // A third of its letters may be wrong, at least one; of a name of one letter only the case.
    int least = name.size() == 1 ? 1 : 2 * std::max(1, static_cast<int>(name.size()) / 3);
    QString nearest;
    for (const QString& candidate : candidates) {
        if (candidate == name || candidate.size() > kLongest) continue;
        const int far = distance(name, candidate);
        if (far > least || (far == least && !nearest.isEmpty())) continue;
        least = far;
        nearest = candidate;
    }
    return nearest;
}

std::optional<MissingNameAid> aidForMissingName(const Workspace& workspace, const QString& code,
                                                const RunOutcome& outcome) {
    const QString name = outcome.refusal ? missingName(*outcome.refusal) : QString();
    if (name.isEmpty()) return std::nullopt;
    const QString typed = code.trimmed();
    const bool variable = outcome.exception != QLatin1String("AttributeError");
    if (const auto went = variable ? workspace.whereNameWent(name) : std::nullopt) {
        const HistoryStep& step = workspace.steps()[static_cast<std::size_t>(went->step)];
        const QString number = QString::number(went->step + 1);
        if (went->brings)
            return MissingNameAid{
                QObject::tr("%1 comes with step %2, which was undone: %3").arg(name, number, oneLine(step.code)),
                QObject::tr("Redo it"), went->step + 1, typed};
        const bool isLast = went->step + 1 == workspace.position();
        return MissingNameAid{QObject::tr("%1 was there until step %2: %3").arg(name, number, oneLine(step.code)),
                              isLast ? QObject::tr("Undo that") : QObject::tr("Go back to before that"), went->step,
                              typed};
    }
    // Python knows more names than the workspace; for a line of the window's own those of the workspace are all.
    QString meant = outcome.suggestion;
    if (meant.isEmpty() && variable) {
        QStringList names;
        for (const TensorEntry& entry : workspace.model()->snapshot()->tensors) names << entry.name;
        for (const Workspace::NamedValue& value : workspace.values()) names << value.name;
        meant = nearestName(name, names);
    }
    if (meant.isEmpty()) return std::nullopt;
    const QString corrected = withName(typed, name, meant);
    if (corrected == typed) return MissingNameAid{QObject::tr("Did you mean %1?").arg(meant), {}, -1, {}};
    return MissingNameAid{QObject::tr("Did you mean %1?").arg(meant), QObject::tr("Write %1").arg(meant), -1,
                          corrected};
}

} // namespace stridescope
