// Every screen as a screen reader meets it. The walk knows no screen: whatever screenKinds() has is opened, filled and
// walked, so a new one is looked at without a line here.

#include "app/window/presenter_window.h"
#include "app/window/screens.h"
#include "tests/app/main_window_fixture.h"

#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QAccessible>
#include <QTreeWidget>

using namespace stridescope;
using namespace stridescope::test;

namespace {

struct Walk {
    QStringList problems;
    int nodes = 0, controls = 0, cells = 0, tables = 0, rows = 0;
    int parts = 0; ///< of pictures that are no grids, each with its own name
};

QString nameOf(QAccessibleInterface* node) {
    return node ? node->text(QAccessible::Name).trimmed() : QString();
}

/// Where a node is, for whoever has to mend it.
QString pathOf(QAccessibleInterface* node) {
    QStringList path;
    for (int depth = 0; node && depth < 6; ++depth, node = node->parent()) {
        const QObject* object = node->object();
        path.prepend(object ? QString::fromLatin1(object->metaObject()->className()) + QLatin1Char('#') +
                                  object->objectName()
                            : QStringLiteral("[%1]").arg(nameOf(node).left(40)));
    }
    return path.join(QStringLiteral(" > "));
}

/// What a person can do something with; the rest (panes, groups, separators) may be silent.
bool isControl(QAccessible::Role role) {
    switch (role) {
    case QAccessible::Button:
    case QAccessible::ButtonMenu:
    case QAccessible::CheckBox:
    case QAccessible::RadioButton:
    case QAccessible::ComboBox:
    case QAccessible::EditableText:
    case QAccessible::SpinBox:
    case QAccessible::Slider:
    case QAccessible::Dial:
    case QAccessible::Link:
    case QAccessible::Table:
    case QAccessible::Tree:
    case QAccessible::List:
    case QAccessible::PageTab:
    case QAccessible::Graphic:
    case QAccessible::Canvas:
        return true;
    default:
        return false;
    }
}

/// Every cell of a table is there, has a role and says something; of large ones the first thousand.
void walkTable(QAccessibleInterface* node, Walk& walk) {
    QAccessibleTableInterface* table = node->tableInterface();
    if (!table) {
        walk.problems << pathOf(node) + QStringLiteral(": a table that has no rows");
        return;
    }
    ++walk.tables;
    walk.rows += table->rowCount();
    int seen = 0;
    for (int row = 0; row < table->rowCount(); ++row) {
        for (int column = 0; column < table->columnCount() && seen < 1000; ++column, ++seen) {
            QAccessibleInterface* cell = table->cellAt(row, column);
            const QString where = QStringLiteral("%1: cell %2, %3 ").arg(pathOf(node)).arg(row).arg(column);
            if (!cell || !cell->isValid()) {
                walk.problems << where + QStringLiteral("is not there");
                return; // hundreds of the same say no more
            }
            ++walk.cells;
            if (cell->role() == QAccessible::NoRole) walk.problems << where + QStringLiteral("has no role");
            // An item of a list may be an empty column; a drawn cell has a value to tell.
            const bool drawn = !qobject_cast<QAbstractItemView*>(node->object());
            if (drawn && nameOf(cell).isEmpty()) {
                walk.problems << where + QStringLiteral("says nothing");
                return;
            }
        }
    }
}

void walkTree(QAccessibleInterface* node, Walk& walk, int depth = 0) {
    if (!node || !node->isValid() || depth > 40) {
        walk.problems << QStringLiteral("a node that is not valid, or a tree without an end");
        return;
    }
    const QAccessible::State state = node->state();
    const auto* widget = qobject_cast<QWidget*>(node->object());
    if (state.invisible || (widget && !widget->isVisible())) return;
    // Where Qt parks bars of tabs that no dock needs now: outside of the window.
    if (widget && !widget->isWindow() && widget->parentWidget()->isWindow() &&
        !widget->parentWidget()->rect().intersects(widget->geometry()))
        return;
    ++walk.nodes;
    const QAccessible::Role role = node->role();
    if (role == QAccessible::NoRole) walk.problems << pathOf(node) + QStringLiteral(": no role");
    // A widget that takes the focus and is drawn by hand says by itself what it is.
    const bool focusable = widget && widget->focusPolicy() != Qt::NoFocus && widget->isEnabled() &&
                           !widget->focusProxy() && !widget->inherits("QDockWidget");
    if (focusable && role == QAccessible::Client && !widget->isWindow())
        walk.problems << pathOf(node) + QStringLiteral(": takes the focus and says nothing of itself");
    if (isControl(role) || focusable) {
        ++walk.controls;
        const bool inner = widget && widget->objectName().startsWith(QLatin1String("qt_"));
        if (nameOf(node).isEmpty() && !inner && !state.disabled)
            walk.problems << pathOf(node) + QStringLiteral(": no name");
    }
    if (role == QAccessible::Graphic && node->childCount() > 0) {
        for (int i = 0; i < node->childCount(); ++i) {
            ++walk.parts;
            QAccessibleInterface* part = node->child(i);
            if (!part || part->role() == QAccessible::NoRole || nameOf(part).isEmpty())
                walk.problems << QStringLiteral("%1: part %2 says nothing").arg(pathOf(node)).arg(i);
            else if (part->role() == QAccessible::Table)
                walkTable(part, walk);
        }
        return;
    }
    if (role == QAccessible::Table) {
        walkTable(node, walk);
        return;
    }
    if (role == QAccessible::Tree || role == QAccessible::MenuBar) return; // Qt's own
    for (int i = 0; i < node->childCount(); ++i) {
        QAccessibleInterface* child = node->child(i);
        if (!child) {
            walk.problems << pathOf(node) + QStringLiteral(": child %1 is not there").arg(i);
            continue;
        }
        walkTree(child, walk, depth + 1);
    }
}

} // namespace

class TestReaders : public QObject, private TestedWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QApplication::setStyle(QStringLiteral("Fusion")); }
    void init() { openWindow({1600, 1000}); }
    void cleanup() { closeWindow(); }

    void everyScreen_data() {
        QTest::addColumn<QString>("screen");
        for (const ScreenKind& kind : screenKinds()) QTest::newRow(kind.name.toLatin1().constData()) << kind.name;
    }
    void everyScreen() {
        QFETCH(QString, screen);
        m_window->showFirstPicture();
        m_window->runLine(QStringLiteral("S = A.sum(0)"), Naming::Auto);
        m_window->finishStart();
        m_window->showScreen(screen);
        QTRY_COMPARE(m_window->screenName(), screen);
        fill();
        Walk walk;
        walkTree(QAccessible::queryAccessibleInterface(m_window.get()), walk);
        for (const QString& each : walk.problems) qWarning("%s", qPrintable(each));
        QVERIFY2(walk.problems.isEmpty(), "see above");
        QVERIFY2(walk.controls > 20, qPrintable(QString::number(walk.controls)));
        // Pictures are tables, or have parts: no screen is without. A table has cells, unless there is nothing to show
        // yet.
        QVERIFY2(walk.tables >= 1 || walk.parts >= 2, "nothing that is drawn can be read");
        QVERIFY2(walk.cells >= 4 || walk.rows == 0,
                 qPrintable(QStringLiteral("%1 cells in %2 tables").arg(walk.cells).arg(walk.tables)));
    }

    void presentedToo_data() { everyScreen_data(); }
    void presentedToo() {
        QFETCH(QString, screen);
        m_window->showFirstPicture();
        m_window->runLine(QStringLiteral("S = A.sum(0)"), Naming::Auto);
        m_window->finishStart();
        m_window->showScreen(screen);
        fill();
        m_window->present();
        if (!m_window->presenter()) QSKIP("this screen is not presented");
        QCoreApplication::processEvents();
        Walk walk;
        walkTree(QAccessible::queryAccessibleInterface(m_window->presenter()), walk);
        m_window->present();
        QVERIFY2(walk.problems.isEmpty(), qPrintable(walk.problems.join(QLatin1Char('\n'))));
        QVERIFY(walk.nodes > 2);
    }

private:
    /// What a person would click first on a screen that is empty.
    void fill() {
        QCoreApplication::processEvents();
        QWidget* screen = m_window->currentScreen();
        if (!screen) return;
        if (auto* samples = screen->findChild<QPushButton*>(QStringLiteral("sampleImages"));
            samples && samples->isVisible())
            samples->click();
        for (auto* list : screen->findChildren<QTreeWidget*>())
            if (list->isVisible() && list->topLevelItemCount() > 0)
                Q_EMIT list->itemActivated(list->topLevelItem(0), 0);
        QTest::qWait(300); // pictures come from a thread
    }
};

QTEST_MAIN(TestReaders)
#include "tst_readers.moc"
