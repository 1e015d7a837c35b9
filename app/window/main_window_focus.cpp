// Which widget Tab leads to: area by area as they stand in the window, in each from the top, in reading direction.

#include "app/window/console.h"
#include "app/window/first_run_cards.h"
#include "app/window/main_window.h"
#include "app/window/script_dock.h"
#include "app/window/variables_dock.h"
#include "widgets/panels/message_bar.h"
#include "widgets/stage/explore_stage.h"
#include "widgets/stage/stage_header.h"

#include <QApplication>
#include <QDockWidget>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolBar>

#include <algorithm>

namespace stridescope {

namespace {

/// Widgets whose tops differ by less than this stand in one row.
constexpr int kRow = 12;

/// Less than this is no room for a ring: a console that was squeezed to nothing.
constexpr int kLeast = 12;

bool takesTab(const QWidget* widget) {
    return (widget->focusPolicy() & Qt::TabFocus) != 0 && widget->isEnabled() && widget->isVisible() &&
           !widget->focusProxy() && std::min(widget->width(), widget->height()) >= kLeast;
}

} // namespace

QList<QWidget*> MainWindow::focusOrder() const {
    // What is made anew while the program runs (the numbers of another tensor) has no place in Qt's own chain.
    QWidget* const areas[] = {findChild<QToolBar*>(QStringLiteral("toolBar")),
                              m_treeDock,
                              m_operationsDock,
                              m_stageHeader,
                              m_firstRun,
                              m_screenStack,
                              m_inspectorDock,
                              m_scriptDock,
                              m_message,
                              m_printed,
                              m_bottomDock,
                              m_variablesDock,
                              statusBar()};
    QList<QWidget*> order;
    for (QWidget* area : areas) {
        // A dock behind the tab of another one is visible, but lies outside the window.
        if (!area || !area->isVisible() || area->window() != this) continue;
        if (!rect().intersects(QRect(area->mapTo(this, QPoint()), area->size()))) continue;
        QList<QWidget*> here;
        if (takesTab(area)) here << area;
        const auto belowABar = [this](const QWidget* widget) {
            const QRect there(widget->mapTo(this, QPoint()), widget->size());
            for (const MessageBar* bar : {m_message, m_printed}) {
                if (bar->isVisible() && !bar->isAncestorOf(widget) && bar->geometry().contains(there)) return true;
            }
            return false;
        };
        for (QWidget* widget : area->findChildren<QWidget*>()) {
            if (takesTab(widget) && !belowABar(widget) && !order.contains(widget)) here << widget;
        }
        const auto place = [this](const QWidget* widget) { return widget->mapTo(this, QPoint()); };
        std::stable_sort(here.begin(), here.end(),
                         [&](const QWidget* a, const QWidget* b) { return place(a).y() < place(b).y(); });
        // Rows, each in reading direction.
        const bool mirrored = layoutDirection() == Qt::RightToLeft;
        for (auto row = here.begin(); row != here.end();) {
            const int top = place(*row).y();
            auto end = row;
            while (end != here.end() && place(*end).y() < top + kRow) ++end;
            std::stable_sort(row, end, [&](const QWidget* a, const QWidget* b) {
                return mirrored ? place(a).x() > place(b).x() : place(a).x() < place(b).x();
            });
            row = end;
        }
        order << here;
    }
    return order;
}

bool MainWindow::focusNextPrevChild(bool next) {
    const QList<QWidget*> order = focusOrder();
    if (order.isEmpty()) return QMainWindow::focusNextPrevChild(next);
    // The field inside a spin box stands for it.
    qsizetype at = -1;
    for (QWidget* widget = QApplication::focusWidget(); widget && at < 0; widget = widget->parentWidget())
        at = order.indexOf(widget);
    const qsizetype count = order.size();
    const qsizetype to = at < 0 ? (next ? 0 : count - 1) : (at + (next ? 1 : count - 1)) % count;
    QWidget* target = order[to];
    target->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    for (QWidget* widget = target->parentWidget(); widget && widget != this; widget = widget->parentWidget()) {
        if (auto* area = qobject_cast<QScrollArea*>(widget)) area->ensureWidgetVisible(target, 12, 12);
    }
    return true;
}

} // namespace stridescope
