#include "app/lessons/lesson_asked.h"

#include <QRegularExpression>

#include <algorithm>

namespace stridescope {

namespace {

constexpr qsizetype kLongReason = 160;

/// The places of the dots between the calls of "y.view(6, 2).stride()", the last one first; none where the line is
/// more than a chain of calls.
std::vector<qsizetype> dotsOf(const QString& line) {
    std::vector<qsizetype> dots;
    int depth = 0;
    for (qsizetype i = 0; i < line.size(); ++i) {
        const QChar c = line[i];
        if (c == QLatin1Char('(') || c == QLatin1Char('[')) {
            ++depth;
        } else if (c == QLatin1Char(')') || c == QLatin1Char(']')) {
            --depth;
        } else if (depth > 0) {
            continue;
        } else if (c == QLatin1Char('.')) {
            dots.insert(dots.begin(), i);
        } else if (!c.isLetterOrNumber() && c != QLatin1Char('_')) {
            return {};
        }
    }
    return dots;
}

std::optional<Tensor> tensorOf(const Result<expr::Value>& value) {
    const auto* tensor = value ? value->as<expr::TensorValue>() : nullptr;
    return tensor ? std::optional<Tensor>(tensor->tensor) : std::nullopt;
}

/// Does the line assign, or call what writes in place?
bool writes(const QString& line) {
    static const QRegularExpression kInPlace(QStringLiteral("\\w_\\("));
    if (line.contains(kInPlace)) return true;
    int depth = 0;
    for (qsizetype i = 1; i + 1 < line.size(); ++i) {
        depth += QStringLiteral("([").contains(line[i]) ? 1 : QStringLiteral(")]").contains(line[i]) ? -1 : 0;
        // In brackets it names an argument.
        if (depth <= 0 && line[i] == QLatin1Char('=') && line[i + 1] != QLatin1Char('=') &&
            !QStringLiteral("=!<>").contains(line[i - 1]))
            return true;
    }
    return false;
}

/// Nothing of it is left behind, and the random numbers of the next line are the same ones.
Result<expr::Value> runApart(const QString& line, LessonBench bench) {
    const KeptRandomState kept;
    return bench.run(line);
}

bool sameView(const Tensor& a, const Tensor& b) {
    return a.storage() == b.storage() && a.view() == b.view() && a.dtype() == b.dtype();
}

/// "r", or "r2" where the lines use it.
QString freeName(const QString& lines) {
    QString name = QStringLiteral("r");
    for (int number = 2; lines.contains(QRegularExpression(QStringLiteral("\\b%1\\b").arg(name))); ++number)
        name = QStringLiteral("r%1").arg(number);
    return name;
}

/// "(A + B)" is asked of as A + B.
QString withoutBrackets(const QString& code) {
    if (!code.startsWith(QLatin1Char('(')) || !code.endsWith(QLatin1Char(')'))) return code;
    int depth = 0;
    for (qsizetype i = 0; i < code.size(); ++i) {
        depth += code[i] == QLatin1Char('(') ? 1 : code[i] == QLatin1Char(')') ? -1 : 0;
        if (depth == 0 && i + 1 < code.size()) return code; // "(a)(b)"
    }
    return code.mid(1, code.size() - 2);
}

} // namespace

QString shortReason(const Refusal& refusal) {
    const QString reason = QString::fromStdString(refusal.message).section(QLatin1Char('\n'), 0, 0);
    return QString::fromStdString(expr::exceptionName(refusal)) + QStringLiteral(": ") +
           (reason.size() > kLongReason ? reason.left(kLongReason) + QChar(0x2026) : reason);
}

std::optional<LessonExercise::Made> askedOf(const QString& line, const QStringList& code, const LessonBench& bench,
                                            const std::vector<LessonExercise::Made>& made) {
    if (writes(line)) return std::nullopt;
    QString of = line;
    std::optional<Tensor> tensor = tensorOf(runApart(line, bench));
    for (const qsizetype dot : dotsOf(line)) {
        if (tensor) break;
        of = line.left(dot);
        tensor = tensorOf(runApart(of, bench));
    }
    static const QRegularExpression kName(QStringLiteral("^\\w+$"));
    if (!tensor || of.contains(kName)) return std::nullopt;
    const bool known =
        std::any_of(made.begin(), made.end(), [&](const auto& each) { return sameView(each.tensor, *tensor); });
    if (known) return std::nullopt;
    of = withoutBrackets(of);
    return LessonExercise::Made{freeName(code.join(QLatin1Char('\n')) + QLatin1Char('\n') + line), of, *tensor};
}

} // namespace stridescope
