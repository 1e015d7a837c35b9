// The window on screens that are smaller than it would like: 1280×720 at 150 and at 200 per cent. Nothing lies outside
// it, and everything can be reached.

#include "tests/app/main_window_fixture.h"
#include "widgets/panels/history_panel.h"
#include "widgets/panels/operations_panel.h"
#include "widgets/shared/scroll_room.h"
#include "widgets/stage/explore_stage.h"
#include "widgets/stage/stage_header.h"
#include "widgets/stage/stage_layout.h"

#include <QAbstractButton>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QScrollBar>
#include <QTabBar>
#include <QToolBar>
#include <QWheelEvent>

using namespace stridescope;
using namespace stridescope::test;

namespace {

QString nameOf(const QWidget* widget) {
    QStringList names;
    for (const QWidget* at = widget; at && !at->isWindow() && names.size() < 4; at = at->parentWidget())
        names << (at->objectName().isEmpty() ? QString::fromLatin1(at->metaObject()->className()) : at->objectName());
    return names.join(QStringLiteral(" in "));
}

/// Can be scrolled into sight: it stands inside an area that scrolls.
bool canBeScrolledTo(const QWidget* widget) {
    for (const QWidget* at = widget->parentWidget(); at; at = at->parentWidget())
        if (qobject_cast<const QAbstractScrollArea*>(at)) return true;
    return false;
}

/// A page behind the tab of another one: the tab brings it.
bool isBehindATab(const QWidget* widget, const QMainWindow& window) {
    for (const QWidget* at = widget; at; at = at->parentWidget()) {
        const auto* dock = qobject_cast<const QDockWidget*>(at);
        if (dock && !window.tabifiedDockWidgets(const_cast<QDockWidget*>(dock)).isEmpty() &&
            !window.rect().intersects(QRect(dock->mapTo(&window, QPoint()), dock->size())))
            return true;
    }
    return false;
}

} // namespace

class TestSmallWindows : public QObject, private TestedWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QApplication::setStyle(QStringLiteral("Fusion")); }
    void cleanup() { closeWindow(); }

    void nothingLiesOutside_data();
    void nothingLiesOutside();
    void everyScreenFits();
    void anEmptyWindowStaysSmall();
    void theToolBarKeepsItsButtons();
    void theHeaderKeepsItsOptionsInAMenu();
    void tabsComeAndGo();
    void tabBarsCoverNoDock_data();
    void tabBarsCoverNoDock();
    void thePickIsScrolledTo();
    void theSmallestWindowTellsTheFacts();
    void thePictureBeginsAtItsTop_data();
    void thePictureBeginsAtItsTop();
    void theFormKeepsItsButtons_data();
    void theFormKeepsItsButtons();

private:
    /// As a window manager does it: what the window has no room for is only known when it is smaller.
    void shrink(QSize size) {
        for (int turn = 0; turn < 3 && m_window->size() != size; ++turn) {
            m_window->resize(size);
            QCoreApplication::processEvents();
        }
    }
    void open(QSize size) {
        // As the program starts: the picture is there before the window is.
        m_settings = std::make_unique<Settings>(QString());
        m_window = std::make_unique<MainWindow>(m_settings.get());
        m_window->showFirstPicture();
        m_window->resize(size);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        QTRY_VERIFY(console());
        shrink(size);
        QTRY_COMPARE(m_window->size(), size);
    }
};

void TestSmallWindows::nothingLiesOutside_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<bool>("mirrored");
    QTest::newRow("1280x720 at 1.5") << QSize(853, 480) << false;
    QTest::newRow("1280x720 at 1.5, less a frame") << QSize(853, 448) << false;
    QTest::newRow("1280x720 at 2") << QSize(640, 360) << false;
    QTest::newRow("1280x720 at 2, mirrored") << QSize(640, 360) << true;
}

void TestSmallWindows::nothingLiesOutside() {
    QFETCH(QSize, size);
    QFETCH(bool, mirrored);
    QApplication::setLayoutDirection(mirrored ? Qt::RightToLeft : Qt::LeftToRight);
    open(size);
    QStringList wrong;
    if (m_window->size() != size)
        wrong << QStringLiteral("the window is %1×%2").arg(m_window->width()).arg(m_window->height());
    // What has no more to give: for whoever has to find it.
    for (const QWidget* widget : m_window->size() != size ? m_window->findChildren<QWidget*>() : QList<QWidget*>()) {
        if (widget->isVisible() && !canBeScrolledTo(widget) && widget->height() <= widget->minimumSizeHint().height())
            wrong << QStringLiteral("%1 needs %2×%3")
                         .arg(nameOf(widget))
                         .arg(widget->minimumSizeHint().width())
                         .arg(widget->minimumSizeHint().height());
    }
    int seen = 0;
    for (const QWidget* widget : m_window->findChildren<QWidget*>()) {
        const bool control =
            (widget->focusPolicy() & Qt::TabFocus) != 0 || qobject_cast<const QAbstractButton*>(widget);
        if (!control || !widget->isVisible() || widget->window() != m_window.get()) continue;
        if (canBeScrolledTo(widget) || isBehindATab(widget, *m_window)) continue;
        // Tab bars that Qt keeps for later are put aside like this.
        if (qobject_cast<const QTabBar*>(widget) && widget->x() < -100) continue;
        ++seen;
        const QRect place(widget->mapTo(m_window.get(), QPoint()), widget->size());
        if (!m_window->rect().contains(place))
            wrong << QStringLiteral("%1 at %2, %3 to %4, %5")
                         .arg(nameOf(widget))
                         .arg(place.left())
                         .arg(place.top())
                         .arg(place.right())
                         .arg(place.bottom());
        const QSize least = widget->minimumSizeHint().boundedTo(widget->maximumSize());
        const bool field = widget->focusPolicy() != Qt::NoFocus && !qobject_cast<const QAbstractScrollArea*>(widget) &&
                           widget->objectName() != QLatin1String("historyLine"); // scrolls by itself
        if (field && (widget->width() + 3 < least.width() || widget->height() + 3 < least.height()))
            wrong << QStringLiteral("%1 is %2×%3, needs %4×%5")
                         .arg(nameOf(widget))
                         .arg(widget->width())
                         .arg(widget->height())
                         .arg(least.width())
                         .arg(least.height());
    }
    QApplication::setLayoutDirection(Qt::LeftToRight);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
    QVERIFY(seen > 12);
    // A picture that a person can work with.
    QVERIFY2(m_window->findChild<ScrollRoom*>(QStringLiteral("stageRoom"))->height() >= 110,
             qPrintable(nameOf(m_window.get())));
    QVERIFY(console()->prompt()->height() >= 20);
}

void TestSmallWindows::everyScreenFits() {
    open(QSize(640, 360));
    for (const QString& screen :
         {QStringLiteral("broadcast"), QStringLiteral("images"), QStringLiteral("timing"), QStringLiteral("explore")}) {
        m_window->showScreen(screen);
        QCOMPARE(m_window->screenName(), screen);
        QCoreApplication::processEvents();
        QCOMPARE(m_window->size(), QSize(640, 360));
        QVERIFY2(m_window->minimumSizeHint().width() <= 640 && m_window->minimumSizeHint().height() <= 360,
                 qPrintable(screen));
    }
}

void TestSmallWindows::anEmptyWindowStaysSmall() {
    openWindow(QSize(640, 360));
    shrink(QSize(640, 360));
    QTRY_COMPARE(m_window->size(), QSize(640, 360));
    for (const char* line : {"A = torch.arange(20).view(4, 5)", "B = A.t()", "B.view(20)", "del A"}) {
        m_window->runLine(QString::fromLatin1(line), Naming::Auto);
        QCoreApplication::processEvents();
        QTest::qWait(50);
        QStringList wrong;
        for (const QWidget* widget : m_window->findChildren<QWidget*>()) {
            if (widget->isVisible() && !canBeScrolledTo(widget) &&
                widget->height() <= widget->minimumSizeHint().height())
                wrong << QStringLiteral("%1 needs %2").arg(nameOf(widget)).arg(widget->minimumSizeHint().height());
        }
        QVERIFY2(m_window->size() == QSize(640, 360),
                 qPrintable(QStringLiteral("%1: %2 lines\n").arg(QLatin1String(line)).arg(m_window->height()) +
                            wrong.join(QLatin1Char('\n'))));
    }
}

void TestSmallWindows::theToolBarKeepsItsButtons() {
    open(QSize(1280, 720));
    auto* bar = m_window->findChild<QToolBar*>(QStringLiteral("toolBar"));
    const auto shown = [bar] {
        int count = 0;
        for (const QToolButton* button : bar->findChildren<QToolButton*>()) {
            if (!button->isVisible() || button->objectName() == QLatin1String("qt_toolbar_ext_button")) continue;
            ++count;
            const QRect place(button->mapTo(bar, QPoint()), button->size());
            if (!bar->rect().contains(place)) return -1;
        }
        return count;
    };
    const int all = shown();
    QVERIFY(all >= 9);
    auto* undo = qobject_cast<QToolButton*>(bar->widgetForAction(actionOf(*m_window, "undo")));
    QVERIFY(undo);
    QCOMPARE(undo->toolButtonStyle(), Qt::ToolButtonTextBesideIcon);
    shrink(QSize(640, 360));
    QCoreApplication::processEvents();
    // The screens share one button here, whose list has them all.
    auto* screens = m_window->findChild<QToolButton*>(QStringLiteral("screenList"));
    QVERIFY(screens->isVisible() && screens->text().startsWith(QStringLiteral("Explore")));
    const auto listed = static_cast<int>(screens->menu()->actions().size());
    QVERIFY(listed >= 4);
    QCOMPARE(shown(), all - listed + 1);
    screens->menu()->actions().last()->trigger();
    QVERIFY(m_window->screenName() != QStringLiteral("explore") &&
            !screens->text().startsWith(QStringLiteral("Explore")));
    m_window->showScreen(QStringLiteral("explore"));
    QCOMPARE(undo->toolButtonStyle(), Qt::ToolButtonIconOnly);
    QVERIFY(undo->toolTip().contains(QStringLiteral("Undo")));
    m_window->resize(1280, 720);
    QCoreApplication::processEvents();
    QCOMPARE(undo->toolButtonStyle(), Qt::ToolButtonTextBesideIcon);
    QCOMPARE(shown(), all);
}

void TestSmallWindows::theHeaderKeepsItsOptionsInAMenu() {
    open(QSize(1280, 720));
    auto* header = m_window->findChild<StageHeader*>();
    auto* more = header->findChild<QToolButton*>(QStringLiteral("moreOptions"));
    QVERIFY(!more->isVisible());
    shrink(QSize(640, 360));
    QCoreApplication::processEvents();
    QVERIFY(more->isVisible());
    QVERIFY(header->rect().contains(more->geometry()));
    Q_EMIT more->menu()->aboutToShow();
    // What is out of sight is in the menu, and works from there.
    QStringList words;
    for (QAction* action : more->menu()->actions()) {
        words << action->text();
        if (action->text() != QStringLiteral("Ruler")) continue;
        for (QAction* choice : action->menu()->actions())
            if (choice->text() == QStringLiteral("hex")) choice->trigger();
    }
    for (const char* name : {"ruler", "cellText", "wrap"}) {
        const auto* control = header->findChild<SegmentedControl*>(QString::fromLatin1(name));
        QVERIFY2(control->isVisible() != words.contains(control->accessibleName()), name);
    }
    QVERIFY(m_window->stage()->options().ruler == StripItem::Ruler::Hex);
    m_window->resize(1280, 720);
    QCoreApplication::processEvents();
    QVERIFY(!more->isVisible());
}

void TestSmallWindows::tabsComeAndGo() {
    open(QSize(1280, 720));
    auto* tree = m_window->findChild<QDockWidget*>(QStringLiteral("treeDock"));
    auto* operations = m_window->findChild<QDockWidget*>(QStringLiteral("operationsDock"));
    auto* inspector = m_window->findChild<QDockWidget*>(QStringLiteral("inspectorDock"));
    QVERIFY(!m_window->tabifiedDockWidgets(tree).contains(operations));
    shrink(QSize(640, 360));
    QTRY_VERIFY(m_window->tabifiedDockWidgets(tree).contains(operations));
    QVERIFY(m_window->tabifiedDockWidgets(tree).contains(inspector));
    m_window->resize(1280, 720);
    QTRY_VERIFY(!m_window->tabifiedDockWidgets(tree).contains(operations));
    QVERIFY(m_window->tabifiedDockWidgets(operations).contains(inspector));
    QVERIFY(operations->mapTo(m_window.get(), QPoint()).y() > tree->mapTo(m_window.get(), QPoint()).y());
    shrink(QSize(640, 360));
    QTRY_VERIFY(m_window->tabifiedDockWidgets(tree).contains(operations));
    m_window->resize(1600, 950);
    QTRY_COMPARE(m_window->dockWidgetArea(inspector), Qt::RightDockWidgetArea);
    QVERIFY(!m_window->tabifiedDockWidgets(tree).contains(operations));
    // What the user has closed stays closed.
    inspector->hide();
    shrink(QSize(640, 360));
    QCoreApplication::processEvents();
    QVERIFY(inspector->isHidden());
}

void TestSmallWindows::tabBarsCoverNoDock_data() {
    QTest::addColumn<QList<QSize>>("sizes");
    const QSize middle(1280, 720), low(700, 450), wide(1900, 1060);
    QTest::newRow("tabbed to wide") << QList<QSize>{middle, QSize(1000, 640), low, wide, middle};
    QTest::newRow("wide to tabbed") << QList<QSize>{wide, low, middle, low, wide};
    QTest::newRow("step by step") << QList<QSize>{low, middle, wide, middle, low};
    QTest::newRow("low and wide") << QList<QSize>{QSize(1900, 450), low, QSize(1900, 450), wide, low, QSize(1900, 450)};
}

void TestSmallWindows::tabBarsCoverNoDock() {
    QFETCH(QList<QSize>, sizes);
    open(sizes.front());
    m_window->runLine(QStringLiteral("v = torch.arange(24).view(2, 3, 4).permute(2, 0, 1)"), Naming::Auto);
    QStringList wrong;
    for (const QSize& size : std::as_const(sizes)) {
        shrink(size);
        QTRY_COMPARE(m_window->size(), size);
        QTest::qWait(300); // docks glide to their places
        for (const QTabBar* bar : m_window->findChildren<QTabBar*>(Qt::FindDirectChildrenOnly)) {
            for (const QDockWidget* dock : m_window->findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly)) {
                // What stands behind a tab is put aside, out of the window.
                const QRect shared = bar->geometry() & dock->geometry() & m_window->rect();
                if (!bar->isVisible() || !dock->isVisible() || shared.isEmpty()) continue;
                wrong << QStringLiteral("at %1×%2 the bar of %3 tabs lies over %4")
                             .arg(size.width())
                             .arg(size.height())
                             .arg(bar->count())
                             .arg(dock->objectName());
            }
        }
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
}

void TestSmallWindows::thePickIsScrolledTo() {
    open(QSize(640, 360));
    auto* room = m_window->findChild<ScrollRoom*>(QStringLiteral("stageRoom"));
    QVERIFY(room->scrolls());
    ExploreStage* stage = m_window->stage();
    stage->setFocus(Qt::TabFocusReason);
    const auto inSight = [&] {
        const QRect cell = stage->pickedRect().toAlignedRect();
        return !cell.isEmpty() && room->viewport()->rect().contains(cell.translated(stage->pos()));
    };
    room->verticalScrollBar()->setValue(room->verticalScrollBar()->maximum());
    QTest::keyClick(stage, Qt::Key_Home);
    QTest::keyClick(stage, Qt::Key_Up);
    QVERIFY(m_window->model()->selection().pick.has_value());
    QVERIFY2(inSight(), "on the card");
}

void TestSmallWindows::theSmallestWindowTellsTheFacts() {
    open(QSize(640, 360));
    auto* room = m_window->findChild<ScrollRoom*>(QStringLiteral("stageRoom"));
    auto* history = m_window->findChild<HistoryPanel*>();
    QTRY_COMPARE(room->horizontalScrollBar()->maximum(), 0);
    QVERIFY2(room->viewport()->height() >= 160, qPrintable(QString::number(room->viewport()->height())));
    QVERIFY(!history->isVisible());
    // Of the picked cell: its card from the head to the cell, and the strip is one scroll away.
    ExploreStage* stage = m_window->stage();
    const auto inSight = [&](const QRectF& part) {
        return room->viewport()->rect().contains(part.toAlignedRect().translated(stage->pos()));
    };
    const StagePlan plan = planStage(stage->state());
    const CardLayout* card = plan.card(m_window->model()->selection().tensor);
    QVERIFY(card);
    QTRY_VERIFY(inSight(stage->pickedRect()));
    QVERIFY(inSight(card->header.translated(card->pos).adjusted(0, 6, 0, 0))); // above is only the rim
    QString head;
    for (const TextItem& text : card->texts) head += text.text + QLatin1Char('|');
    for (const char* word : {"int64", "cpu", "size", "stride", "offset", "contiguous"})
        QVERIFY2(head.contains(QLatin1String(word)), qPrintable(head));
    room->verticalScrollBar()->setValue(room->verticalScrollBar()->maximum());
    QVERIFY(inSight(plan.strip->layout.area));
    // Tabs have their words whole.
    for (const QTabBar* bar : m_window->findChildren<QTabBar*>(Qt::FindDirectChildrenOnly)) {
        if (!bar->isVisible() || bar->count() == 0 || bar->x() < -100) continue;
        QVERIFY2(bar->sizeHint().width() <= bar->width() + 1, qPrintable(QString::number(bar->sizeHint().width())));
    }
    shrink(QSize(1280, 720));
    QTRY_VERIFY(history->isVisible());
    QTRY_VERIFY(!room->scrolls());
}

void TestSmallWindows::thePictureBeginsAtItsTop_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("1920x1080 at 2") << QSize(960, 540);
    QTest::newRow("1920x1080 at 2, less a frame") << QSize(960, 508);
}

/// Nothing is scrolled at the start, the first card is in sight, and a wheel over the picture scrolls what is left out.
void TestSmallWindows::thePictureBeginsAtItsTop() {
    QFETCH(QSize, size);
    open(size);
    QTest::qWait(300);
    auto* room = m_window->findChild<ScrollRoom*>(QStringLiteral("stageRoom"));
    QScrollBar* bar = room->verticalScrollBar();
    QCOMPARE(bar->value(), 0);
    ExploreStage* stage = m_window->stage();
    const StagePlan plan = planStage(stage->state());
    QCOMPARE(plan.cards.size(), std::size_t{3});
    for (const CardLayout& card : plan.cards)
        QVERIFY(room->viewport()->rect().contains(card.frame().toAlignedRect().translated(stage->pos())));
    // Qt passes on what a widget does not take, of events from the system alone.
    const auto wheel = [&](QPointF at, int notches) {
        for (int i = 0; i < std::abs(notches); ++i) {
            for (QWidget* widget : {static_cast<QWidget*>(stage), room->viewport()}) {
                const QPointF there = at + QPointF(widget == stage ? QPoint() : stage->pos());
                QWheelEvent event(there, widget->mapToGlobal(there), {}, {0, notches > 0 ? 120 : -120}, Qt::NoButton,
                                  Qt::NoModifier, Qt::NoScrollPhase, false);
                QApplication::sendEvent(widget, &event);
                if (event.isAccepted()) break;
            }
        }
    };
    for (const QPointF at : {plan.cards.front().frame().center(), plan.strip->layout.area.center()}) {
        wheel(at, -5);
        QCOMPARE(bar->value(), bar->maximum());
        wheel(at, 5);
        QCOMPARE(bar->value(), 0);
    }
}

void TestSmallWindows::theFormKeepsItsButtons_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("1280x720") << QSize(1280, 720);
    QTest::newRow("853x480") << QSize(853, 480);
    QTest::newRow("640x360") << QSize(640, 360);
}

void TestSmallWindows::theFormKeepsItsButtons() {
    QFETCH(QSize, size);
    open(size);
    auto* panel = m_window->findChild<OperationsPanel*>();
    m_window->findChild<QDockWidget*>(QStringLiteral("operationsDock"))->raise();
    for (const char* operation : {"as_strided", "narrow", "expand_as"}) {
        panel->openForm(QString::fromLatin1(operation));
        QCoreApplication::processEvents();
        QTest::qWait(50);
        QCOMPARE(m_window->size(), size);
        const auto* run = panel->findChild<QPushButton*>(QStringLiteral("formRun"));
        QVERIFY2(run->isVisible() && run->visibleRegion() == QRegion(run->rect()), operation);
        for (QLineEdit* edit :
             panel->findChild<QWidget*>(QStringLiteral("operationForm"))->findChildren<QLineEdit*>()) {
            edit->setFocus();
            edit->selectAll();
            QTest::keyClicks(edit, QStringLiteral("123456789, 98765432x"));
            QCoreApplication::processEvents();
            QTest::qWait(20);
            QCOMPARE(m_window->size(), size);
            QVERIFY2(run->visibleRegion() == QRegion(run->rect()), operation);
            QVERIFY2(edit->width() >= 150, qPrintable(QString::number(edit->width())));
            const auto* verdict = panel->findChild<QLabel*>(QStringLiteral("formVerdict"));
            QVERIFY(verdict->text().startsWith(QStringLiteral("✗")));
            QVERIFY2(verdict->height() >= verdict->heightForWidth(verdict->width()), qPrintable(verdict->text()));
        }
    }
}

QTEST_MAIN(TestSmallWindows)
#include "tst_small_windows.moc"
