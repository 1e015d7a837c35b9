#include "widgets/images/step_list.h"

#include "widgets/images/step_row.h"

#include <QFrame>
#include <QVBoxLayout>

namespace stridescope {

StepList::StepList(QWidget* parent) : QWidget(parent), m_rows(new QVBoxLayout(this)), m_mark(new QFrame(this)) {
    setObjectName(QStringLiteral("stepList"));
    setAccessibleName(tr("Operations"));
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setSpacing(2);
    m_rows->addStretch();
    m_mark->setAutoFillBackground(true);
    m_mark->hide();
}

void StepList::setTheme(const Theme& theme) {
    m_theme = theme;
    QPalette palette = m_mark->palette();
    palette.setColor(QPalette::Window, theme.color(Tone::Ink));
    m_mark->setPalette(palette);
}

void StepList::setSteps(const std::vector<ShownStep>& steps) {
    while (m_shown.size() > steps.size()) {
        m_shown.back()->hide();
        m_shown.back()->deleteLater();
        m_shown.pop_back();
    }
    while (m_shown.size() < steps.size()) {
        auto* row = new StepRow(this, static_cast<int>(m_shown.size()));
        m_rows->insertWidget(static_cast<int>(m_shown.size()), row);
        m_shown.push_back(row);
    }
    if (m_open >= static_cast<int>(steps.size())) m_open = static_cast<int>(steps.size()) - 1;
    for (std::size_t i = 0; i < steps.size(); ++i) m_shown[i]->show(steps[i], m_theme, static_cast<int>(i) == m_open);
}

void StepList::openStep(int step) {
    if (step == m_open) return;
    m_open = step;
    Q_EMIT opened(step);
}

void StepList::dragTo(int step, int y, bool dropped) {
    // Before the first row whose middle is below the pointer.
    int before = 0;
    while (before < static_cast<int>(m_shown.size()) &&
           m_shown[static_cast<std::size_t>(before)]->geometry().center().y() < y)
        ++before;
    const int to = before > step ? before - 1 : before;
    m_mark->setVisible(!dropped && to != step);
    if (!dropped) {
        const int edge = before < static_cast<int>(m_shown.size())
                             ? m_shown[static_cast<std::size_t>(before)]->geometry().top()
                             : m_shown.back()->geometry().bottom() + 2;
        m_mark->setGeometry(4, edge - 2, width() - 8, 3);
        m_mark->raise();
        return;
    }
    if (to != step) Q_EMIT moved(step, to - step);
}

} // namespace stridescope
