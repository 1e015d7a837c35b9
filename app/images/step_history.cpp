#include "app/images/step_history.h"

#include <QRegularExpression>

#include <utility>

namespace stridescope {

namespace {

constexpr std::size_t kMostKept = 200;

/// The one step that the lists differ in, if it does so by its numbers alone.
std::optional<std::size_t> numbersOf(const StepHistory::Steps& a, const StepHistory::Steps& b) {
    if (a.size() != b.size()) return std::nullopt;
    static const QRegularExpression number(QStringLiteral("-?\\d+(\\.\\d+)?"));
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i] == b[i]) continue;
        if (found || a[i].on != b[i].on) return std::nullopt;
        QString first = a[i].code, second = b[i].code;
        if (first.replace(number, QStringLiteral("#")) != second.replace(number, QStringLiteral("#")))
            return std::nullopt;
        found = i;
    }
    return found;
}

} // namespace

void StepHistory::record(const Steps& before, const Steps& after) {
    const std::optional<std::size_t> sliding = numbersOf(before, after);
    const bool goesOn = sliding && sliding == m_sliding && !m_past.empty() && m_future.empty();
    m_sliding = sliding;
    m_future.clear();
    if (goesOn) return;
    m_past.push_back(before);
    if (m_past.size() > kMostKept) m_past.erase(m_past.begin());
}

StepHistory::Steps StepHistory::undo(const Steps& now) {
    m_sliding.reset();
    m_future.push_back(now);
    Steps steps = std::move(m_past.back());
    m_past.pop_back();
    return steps;
}

StepHistory::Steps StepHistory::redo(const Steps& now) {
    m_sliding.reset();
    m_past.push_back(now);
    Steps steps = std::move(m_future.back());
    m_future.pop_back();
    return steps;
}

} // namespace stridescope
