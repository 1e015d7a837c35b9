// A window in which nothing happens does nothing: it neither lays out nor draws, on any screen, whatever it tells.

#include "tests/app/main_window_fixture.h"

#include <QApplication>
#include <QTest>

using namespace stridescope;
using namespace stridescope::test;

namespace {

/// Counts what a window does without being asked to.
class Counter : public QObject {
public:
    Counter() { qApp->installEventFilter(this); }
    int layouts = 0, paints = 0;

    bool eventFilter(QObject*, QEvent* event) override {
        layouts += event->type() == QEvent::LayoutRequest;
        paints += event->type() == QEvent::Paint;
        return false;
    }
};

} // namespace

class TestQuietWindow : public QObject, TestedWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QApplication::setStyle(QStringLiteral("Fusion"));
        QApplication::setCursorFlashTime(0);
    }
    void cleanup() { closeWindow(); }

    void restsOnEveryScreen_data() {
        QTest::addColumn<QString>("screen");
        QTest::addColumn<QString>("line");
        const char* const screens[] = {"explore", "broadcast", "images", "timing", "lessons", "motion"};
        const std::pair<const char*, const char*> lines[] = {{"nothing told", "x = torch.arange(12).view(3, 4)"},
                                                             {"refused", "nothere + 1"},
                                                             {"refused and drawn", "A.t().view(12)"},
                                                             {"printed", "torch.arange(2000).view(500, 4)"}};
        for (const char* screen : screens)
            for (const auto& [name, line] : lines)
                QTest::addRow("%s, %s", screen, name) << QString::fromLatin1(screen) << QString::fromLatin1(line);
    }
    void restsOnEveryScreen() {
        QFETCH(QString, screen);
        QFETCH(QString, line);
        openWindow({1280, 720});
        m_window->showFirstPicture();
        m_window->showScreen(screen);
        QCOMPARE(m_window->currentScreen() != nullptr, screen != QLatin1String("explore"));
        m_window->runLine(line, Naming::Discard);
        // Transitions, first samples and what is read in the background end by themselves.
        bool rested = false;
        Counter last;
        for (int tries = 0; tries < 20 && !rested; ++tries) {
            last.layouts = last.paints = 0;
            QTest::qWait(200);
            rested = last.layouts == 0 && last.paints == 0;
        }
        QVERIFY2(rested,
                 qPrintable(QStringLiteral("%1 layouts and %2 paints in 200 ms").arg(last.layouts).arg(last.paints)));
    }
};

QTEST_MAIN(TestQuietWindow)
#include "tst_quiet_window.moc"
