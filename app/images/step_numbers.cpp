#include "app/images/step_numbers.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("stridescope", text);
}

/// Room to both sides of a value that is there already.
StepNumber around(const QString& name, const QRegularExpressionMatch& match, double low, double high, bool whole) {
    const double value = match.captured(2).toDouble();
    return {name,
            static_cast<int>(match.capturedStart(2)),
            static_cast<int>(match.capturedLength(2)),
            std::min(low, value),
            std::max(high, value),
            value,
            whole};
}

} // namespace

std::vector<StepNumber> stepNumbers(const QString& code, const Tensor& before) {
    std::vector<StepNumber> numbers;
    if (!before.defined()) return numbers;
    static const QRegularExpression narrow(QStringLiteral("\\.narrow\\((\\d+), (\\d+), (\\d+)\\)"));
    for (auto each = narrow.globalMatch(code); each.hasNext();) {
        const QRegularExpressionMatch match = each.next();
        const Index dim = match.captured(1).toLongLong();
        if (dim >= before.dim()) continue;
        const auto size = static_cast<double>(before.size(dim));
        const double start = match.captured(2).toDouble(), length = match.captured(3).toDouble();
        const auto place = [&](int group) { return static_cast<int>(match.capturedStart(group)); };
        const auto digits = [&](int group) { return static_cast<int>(match.capturedLength(group)); };
        numbers.push_back({tr("start"), place(2), digits(2), 0, std::max(size - length, start), start, true});
        numbers.push_back({tr("length"), place(3), digits(3), 1, std::max(size - start, length), length, true});
    }
    const bool floating = isFloating(before.dtype()) || code.contains(QStringLiteral(".float()"));
    // Contrast turns about a middle that stays where it is.
    static const QRegularExpression contrast(
        QStringLiteral("\\.sub\\(([\\d.]+)\\)\\.mul\\(([\\d.]+)\\)\\.add\\(\\1\\)$"));
    if (const auto match = contrast.match(code); match.hasMatch()) return {around(tr("contrast"), match, 0, 4, false)};
    static const QRegularExpression one(QStringLiteral("\\.(add|sub|mul|div|fill_)\\((-?[\\d.]+(?:e-?\\d+)?)\\)"));
    for (auto each = one.globalMatch(code); each.hasNext();) {
        const QRegularExpressionMatch match = each.next();
        const QString name = match.captured(1);
        const double span = floating ? 1 : 255;
        if (name == QStringLiteral("mul"))
            numbers.push_back(around(tr("times"), match, 0, 4, !floating));
        else if (name == QStringLiteral("div"))
            numbers.push_back(around(tr("divided by"), match, 1, 512, true));
        else if (name == QStringLiteral("fill_"))
            numbers.push_back(around(tr("filled with"), match, floating ? -1 : 0, span, !floating));
        else
            numbers.push_back(around(name == QStringLiteral("add") ? tr("brighter by") : tr("less"), match,
                                     floating ? -span : 0, span, !floating));
    }
    if (numbers.size() > kMostSliders) numbers.resize(kMostSliders);
    return numbers;
}

QString withNumber(const QString& code, const StepNumber& number, double value) {
    QString text = number.whole ? QString::number(std::llround(value)) : QString::number(value, 'f', 3);
    if (!number.whole) {
        while (text.endsWith(QLatin1Char('0')) && !text.endsWith(QStringLiteral(".0"))) text.chop(1);
    }
    QString moved = code;
    return moved.replace(number.at, number.length, text);
}

} // namespace stridescope
