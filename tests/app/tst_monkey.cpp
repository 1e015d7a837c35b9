// Random events on every screen with fixed seeds, and the same work again and again: no crash, no hang, nothing that
// grows. STRIDESCOPE_EVENTS=1000000 tries that many, STRIDESCOPE_SEED begins elsewhere, STRIDESCOPE_ROUNDS=1000 repeats
// so often.

#include "app/window/presenter_window.h"
#include "app/window/screens.h"
#include "tests/app/main_window_fixture.h"
#include "tests/support/instrumented.h"

#include <QDir>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QFile>
#include <QPointer>
#include <QRandomGenerator>
#include <QTimer>

using namespace stridescope;
using namespace stridescope::test;

namespace {

qsizetype openHandles() {
    return QDir(QStringLiteral("/proc/self/fd"))
        .entryList(QDir::NoDotAndDotDot | QDir::AllEntries | QDir::System)
        .size();
}

/// Bytes of this process that lie in memory.
qint64 residentBytes() {
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly)) return 0;
    return file.readAll().split(' ').value(1).toLongLong() * sysconf(_SC_PAGESIZE);
}

} // namespace

class TestMonkey : public QObject, private TestedWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QApplication::setStyle(QStringLiteral("Fusion")); }
    void init() { openWindow({1280, 720}); }
    void cleanup() { closeWindow(); }

    void randomEvents_data() {
        QTest::addColumn<QString>("screen");
        for (const ScreenKind& kind : screenKinds()) QTest::newRow(kind.name.toLatin1().constData()) << kind.name;
    }
    void randomEvents() {
        QFETCH(QString, screen);
        bool set = false;
        int events = qEnvironmentVariableIntValue("STRIDESCOPE_EVENTS", &set);
        if (!set) events = kInstrumented ? 300 : 800;
        const auto seed = static_cast<quint32>(qEnvironmentVariableIntValue("STRIDESCOPE_SEED"));
        QRandomGenerator random(seed + static_cast<quint32>(qHash(screen, 7)));
        m_window->showFirstPicture();
        m_window->runLine(QStringLiteral("S = A.sum(0)"), Naming::Auto);
        m_window->finishStart();
        m_window->showScreen(screen);
        // Dialogs and menus would wait for somebody.
        QTimer closer;
        connect(&closer, &QTimer::timeout, this, [] {
            if (QWidget* modal = QApplication::activeModalWidget()) modal->close();
            if (QWidget* popup = QApplication::activePopupWidget()) popup->close();
        });
        closer.start(10);
        qint64 longest = 0;
        for (int i = 0; i < events; ++i) {
            QElapsedTimer timer;
            timer.start();
            oneEvent(random, screen);
            longest = std::max(longest, timer.elapsed());
            if (i % 8 == 0) QApplication::processEvents();
            if (!m_window->isVisible()) m_window->show();
        }
        closer.stop();
        if (m_window->presenter()) m_window->present();
        // The offscreen platform cannot bear that a floating dock goes with its window. Of one that floated the window
        // may still have a part, which the platform looks for when the window goes and finds only where it was painted.
        for (QDockWidget* dock : m_window->findChildren<QDockWidget*>()) {
            dock->setFloating(false);
            if (!dock->internalWinId()) continue;
            dock->show();
            dock->raise(); // behind a tab it lies outside the window, where nothing is painted
            QApplication::processEvents();
            dock->repaint();
        }
        QApplication::processEvents();
        // Whatever was done, what is shown is whole, undo goes back to the start, and the window still takes lines.
        for (const TensorEntry& entry : m_window->model()->snapshot()->tensors) {
            QVERIFY(entry.tensor.defined());
            requireInside(entry.tensor);
        }
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->workspace()->isBusy(), 20'000);
        m_window->runLine(QStringLiteral("lastOne = torch.ones(2)"), Naming::Auto);
        QVERIFY2(namesOf(*m_window).contains(QStringLiteral("lastOne")), qPrintable(QString::number(seed)));
        for (int i = 0; i < 2000 && m_window->workspace()->position() > 0; ++i) m_window->undo();
        QCOMPARE(m_window->workspace()->position(), 0);
        if (!kInstrumented) QVERIFY2(longest < 5000, qPrintable(QStringLiteral("%1 ms for one event").arg(longest)));
    }

    /// Work that ends where it began leaves no handles behind, and no memory beyond what caches may keep.
    void theSameAgainAndAgain() {
        bool set = false;
        int rounds = qEnvironmentVariableIntValue("STRIDESCOPE_ROUNDS", &set);
        if (!set) rounds = kInstrumented ? 6 : 20;
        const auto round = [this] {
            m_window->runLine(QStringLiteral("m = torch.arange(60000).view(200, 300)"), Naming::Auto);
            m_window->runLine(QStringLiteral("n = m.t().contiguous()"), Naming::Auto);
            for (const ScreenKind& kind : screenKinds()) {
                m_window->showScreen(kind.name);
                QApplication::processEvents();
            }
            m_window->present();
            QApplication::processEvents();
            if (m_window->presenter()) m_window->present();
            m_window->showScreen(QString::fromUtf16(kExplore));
            m_window->undo();
            m_window->undo();
            QApplication::processEvents();
            QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        };
        for (int i = 0; i < 4; ++i) round(); // what is built once
        const qsizetype handles = openHandles();
        const qint64 bytes = residentBytes();
        for (int i = 0; i < rounds; ++i) round();
        QVERIFY2(openHandles() <= handles,
                 qPrintable(QStringLiteral("%1 handles, then %2").arg(handles).arg(openHandles())));
        const qint64 grown = residentBytes() - bytes;
        QVERIFY2(kInstrumented || grown < (qint64{16} << 20) + rounds * 4096,
                 qPrintable(QStringLiteral("%1 kB more after %2 rounds").arg(grown / 1024).arg(rounds)));
    }

private:
    static bool movesDocks(const QWidget* widget) {
        return qobject_cast<const QDockWidget*>(widget) || qobject_cast<const QDockWidget*>(widget->parentWidget()) ||
               widget->inherits("QMainWindowTabBar") || qobject_cast<const QMainWindow*>(widget);
    }
    void oneEvent(QRandomGenerator& random, const QString& screen) {
        // Known fault, found by this test: sizes that change at random (docks become tabs and back) and then another
        // screen crash in QMainWindow::restoreState() of Qt 6.4, which deletes a piece of the layout that is gone
        // already. Docks that slid, and were moved while a layout came back, made it frequent; without either one of
        // five runs of all screens still does it. STRIDESCOPE_RESIZE=1 STRIDESCOPE_SEED=3 showed it; under valgrind it
        // did not come. Whoever mends that makes resizing a part of this again; and docks that are dragged, which were
        // not looked at without it.
        static const bool resizing = qEnvironmentVariableIsSet("STRIDESCOPE_RESIZE");
        QList<QWidget*> widgets;
        for (QWidget* widget : m_window->findChildren<QWidget*>())
            if (widget->isVisible() && widget->window() == m_window.get() && !movesDocks(widget) &&
                widget->width() > 2 && widget->height() > 2)
                widgets << widget;
        if (widgets.isEmpty()) return;
        const QPointer<QWidget> widget = widgets.at(random.bounded(static_cast<int>(widgets.size())));
        const QPoint at(random.bounded(widget->width()), random.bounded(widget->height()));
        const QPoint to(random.bounded(widget->width()), random.bounded(widget->height()));
        const Qt::KeyboardModifiers modifiers = random.bounded(4) == 0   ? Qt::ControlModifier
                                                : random.bounded(6) == 0 ? Qt::ShiftModifier
                                                                         : Qt::NoModifier;
        static const Qt::Key keys[] = {Qt::Key_Left,      Qt::Key_Right, Qt::Key_Up,   Qt::Key_Down, Qt::Key_Return,
                                       Qt::Key_Escape,    Qt::Key_Tab,   Qt::Key_Home, Qt::Key_End,  Qt::Key_PageDown,
                                       Qt::Key_PageUp,    Qt::Key_Space, Qt::Key_Z,    Qt::Key_Y,    Qt::Key_Backspace,
                                       Qt::Key_Delete,    Qt::Key_1,     Qt::Key_2,    Qt::Key_3,    Qt::Key_6,
                                       Qt::Key_A,         Qt::Key_B,     Qt::Key_T,    Qt::Key_Plus, Qt::Key_Minus,
                                       Qt::Key_ParenLeft, Qt::Key_Comma, Qt::Key_F6,   Qt::Key_H,    Qt::Key_G};
        switch (random.bounded(12)) {
        case 0:
            QTest::mouseDClick(widget, Qt::LeftButton, modifiers, at);
            break;
        case 1:
            QTest::mousePress(widget, Qt::LeftButton, modifiers, at);
            if (widget) QTest::mouseMove(widget, (at + to) / 2);
            if (widget) QTest::mouseMove(widget, to);
            if (widget) QTest::mouseRelease(widget, Qt::LeftButton, modifiers, to);
            break;
        case 2: {
            QWheelEvent wheel(at, widget->mapToGlobal(at), {}, {0, random.bounded(2) == 0 ? 120 : -120}, Qt::NoButton,
                              modifiers, Qt::NoScrollPhase, false);
            QApplication::sendEvent(widget, &wheel);
            break;
        }
        case 3:
            if (resizing) m_window->resize(400 + random.bounded(1400), 300 + random.bounded(800));
            break;
        case 4:
            if (random.bounded(8) == 0) m_window->showScreen(screen); // back where this row began
            break;
        case 5:
            if (random.bounded(20) == 0) m_window->present();
            break;
        case 6:
        case 7:
        case 8:
            if (QWidget* focus = QApplication::focusWidget())
                QTest::keyClick(focus, keys[random.bounded(30)], modifiers);
            break;
        default:
            QTest::mouseMove(widget, at);
            if (!widget) break;
            QTest::mouseClick(widget, random.bounded(8) == 0 ? Qt::MiddleButton : Qt::LeftButton, modifiers, at);
        }
    }
};

QTEST_MAIN(TestMonkey)
#include "tst_monkey.moc"
