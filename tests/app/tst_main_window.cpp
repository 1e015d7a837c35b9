// The window as a whole: its start, first steps, look, layout and settings.

#include "app/lessons/lessons_screen.h"
#include "core/io/npy.h"
#include "core/ops/creation.h"
#include "core/tensor/element.h"
#include "tests/app/main_window_fixture.h"
#include "tests/core/io/npy_corpus.h"
#include "widgets/panels/command_palette.h"
#include "widgets/panels/message_bar.h"
#include "widgets/stage/explore_stage.h"

#include <QAbstractButton>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QProxyStyle>
#include <QPushButton>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace stridescope;
using namespace stridescope::test;

class TestMainWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QApplication::setStyle(QStringLiteral("Fusion")); }

    void showsTheFirstPicture() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.showFirstPicture();
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QTRY_VERIFY(window.console() != nullptr);
        QCOMPARE(namesOf(window), (QStringList{QStringLiteral("A"), QStringLiteral("B"), QStringLiteral("C")}));
        QVERIFY(!window.workspace()->isModified());
        QVERIFY(window.model()->selection().pick.has_value());
        QVERIFY(window.findChild<QWidget*>(QStringLiteral("firstRun"))->isVisible());
        QVERIFY(!window.findChild<QLabel*>(QStringLiteral("statusCpu"))->text().isEmpty());
        // Values are no index of theirs.
        const Tensor& tensor = window.model()->snapshot()->tensors[0].tensor;
        for (Index i = 0; i < tensor.numel(); ++i) QVERIFY(readSlot(tensor, i).toInt() != i);
    }

    void firstStepsAreCards() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("settings.json"));
        const auto cards = [](const MainWindow& window) {
            return window.findChild<QWidget*>(QStringLiteral("firstRun"));
        };
        const auto click = [](const MainWindow& window, const char* name) {
            auto* button = window.findChild<QAbstractButton*>(QString::fromLatin1(name));
            QVERIFY2(button, name);
            button->click();
        };
        {
            Settings settings{path};
            MainWindow window(&settings);
            window.showFirstPicture();
            window.resize(1600, 1000);
            window.show();
            QVERIFY(QTest::qWaitForWindowExposed(&window));
            window.finishStart();
            QVERIFY(cards(window)->isVisible());
            // "Type": a line of the first tensor stands at the prompt, not yet run.
            click(window, "firstRunType");
            QCOMPARE(window.console()->prompt()->text(), QStringLiteral("A[1:, 1:3]"));
            QVERIFY(cards(window)->isVisible());
            // "Start lesson 1": it is open at its first stop.
            click(window, "firstRunLesson");
            auto* lessons = window.findChild<LessonsScreen*>();
            QVERIFY(lessons && lessons->isVisible() && lessons->lesson());
            QCOMPARE(lessons->lesson()->id, QStringLiteral("dimensions"));
            QCOMPARE(lessons->stopIndex(), 0);
            window.showScreen(QStringLiteral("explore"));
            QTRY_VERIFY(cards(window)->isVisible());
            // In a low window the same cards stand in the picture's corner and leave it its height.
            window.resize(1280, 720);
            QCoreApplication::processEvents();
            QVERIFY(window.stage()->isAncestorOf(cards(window)));
            QVERIFY(window.stage()->rect().contains(cards(window)->geometry()));
            QVERIFY(!window.stage()->shows(cards(window)->geometry()));
            // The strip grows into that corner: they make room above the picture and stay there.
            window.stage()->setCellSize(120);
            QTRY_VERIFY(!window.stage()->isAncestorOf(cards(window)));
            QVERIFY(cards(window)->isVisible());
            window.stage()->zoom(Zoom::Actual);
            QCoreApplication::processEvents();
            QVERIFY(!window.stage()->isAncestorOf(cards(window)));
            window.resize(1600, 1000);
            QCoreApplication::processEvents();
            QVERIFY(!window.stage()->isAncestorOf(cards(window)));
            click(window, "firstRunClose");
            QVERIFY(!cards(window)->isVisible());
            actionOf(window, "firstSteps")->trigger();
            QVERIFY(cards(window)->isVisible());
        }
        // Closed once they never come back, even if the program ended badly.
        Settings settings{path};
        MainWindow window(&settings);
        window.show();
        QVERIFY(!cards(window)->isVisible());
        window.finishStart();
        window.runLine(QStringLiteral("A = torch.zeros(2)"), Naming::Discard);
        actionOf(window, "firstSteps")->trigger();
        QVERIFY(cards(window)->isVisible());
        window.runLine(QStringLiteral("B = A[1:]"), Naming::Discard); // the first thing is done
        QVERIFY(!cards(window)->isVisible());
    }

    void emptyPlacesCarryTheirButtons() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.resize(1600, 1000);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.finishStart();
        const auto buttons = [&](const char* name) {
            int visible = 0;
            for (const QPushButton* button : window.findChildren<QPushButton*>(QString::fromLatin1(name)))
                visible += button->isVisible() ? 1 : 0;
            return visible;
        };
        // Tree, operations, inspector and stage: each makes or opens a first tensor.
        QCOMPARE(buttons("emptyMake"), 4);
        QCOMPARE(buttons("emptyOpen"), 4);
        window.stage()->findChild<QPushButton*>(QStringLiteral("emptyMake"))->click();
        QCOMPARE(namesOf(window), QStringList{QStringLiteral("A")});
        QCOMPARE(buttons("emptyMake"), 0);
        // Hidden tensors and filters that match nothing have theirs, too.
        window.model()->select(0);
        QCOMPARE(buttons("emptySelect"), 2);
        window.workspace()->setOnStage(window.model()->snapshot()->tensors[0].id, false);
        window.model()->select(0); // a hidden tensor is on stage as long as it is selected
        QCOMPARE(buttons("emptyShow"), 1);
        window.stage()->findChild<QPushButton*>(QStringLiteral("emptyShow"))->click();
        QVERIFY(window.model()->snapshot()->tensors[0].onStage);
        QCOMPARE(buttons("emptyShow"), 0);
        auto* filter = window.findChild<QLineEdit*>(QStringLiteral("tensorFilter"));
        filter->setText(QStringLiteral("nosuchname"));
        QCOMPARE(buttons("emptyClearFilter"), 1);
        window.findChild<QPushButton*>(QStringLiteral("emptyClearFilter"))->click();
        QVERIFY(filter->text().isEmpty());
        QCOMPARE(buttons("emptyClearFilter"), 0);
        window.runLine(QStringLiteral("del A"), Naming::Discard);
        QCOMPARE(buttons("emptyMake"), 4);
    }

    void cardsMoveAndComeBack() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.showFirstPicture();
        window.resize(1600, 1000);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.finishStart();
        const auto order = [&window] {
            QString names;
            for (const TensorEntry* entry : window.stage()->state().visible()) names += entry->name;
            return names;
        };
        QCOMPARE(order(), QStringLiteral("ABC"));
        actionOf(window, "moveLeft")->trigger(); // C is selected
        QCOMPARE(order(), QStringLiteral("ACB"));
        actionOf(window, "moveLeft")->trigger();
        QCOMPARE(order(), QStringLiteral("CAB"));
        QCOMPARE(actionOf(window, "undo")->text().remove(QLatin1Char('&')), QStringLiteral("Undo Move card C"));
        actionOf(window, "undo")->trigger();
        QCOMPARE(order(), QStringLiteral("ACB"));
        actionOf(window, "undo")->trigger();
        QCOMPARE(order(), QStringLiteral("ABC"));
        actionOf(window, "redo")->trigger();
        QCOMPARE(order(), QStringLiteral("ACB"));
    }

    void startsDark() {
        Settings settings{QString()};
        settings.set(QStringLiteral("theme"), QStringLiteral("dark"));
        MainWindow window(&settings);
        window.showFirstPicture();
        window.resize(1600, 1000);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        // Every segment's text is light on its dark ground, the chosen one and the others.
        QWidget* header = window.findChild<QWidget*>(QStringLiteral("stageHeader"));
        int seen = 0;
        for (QAbstractButton* button : header->findChildren<QAbstractButton*>()) {
            if (!button->isVisible()) continue;
            const QImage image = button->grab().toImage();
            int bright = 0, ground = image.pixelColor(image.width() / 2, 3).lightness();
            for (int y = 0; y < image.height(); ++y)
                for (int x = 4; x < image.width() - 4; ++x) bright += image.pixelColor(x, y).lightness() > 180;
            const int pixels = image.width() * image.height();
            QVERIFY2(bright > 10 && bright < pixels / 3 && ground < 90, qPrintable(button->text()));
            ++seen;
        }
        QVERIFY(seen >= 11);
    }

    void startsWithoutWarnings() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("QWidget|QLayout|Dock")));
        Settings settings{QString()};
        MainWindow window(&settings);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.finishStart();
        window.resize(1280, 720);
        window.resetLayout();
        QCoreApplication::processEvents();
    }

    void dockButtonsCanBeHit() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.resize(1280, 720);
        window.show();
        window.finishStart();
        QCoreApplication::processEvents();
        int seen = 0;
        for (const QAbstractButton* button : window.findChildren<QAbstractButton*>()) {
            if (!button->objectName().startsWith(QStringLiteral("qt_dockwidget_")) || !button->isVisible()) continue;
            ++seen;
            QVERIFY2(button->width() >= 24 && button->height() >= 24, qPrintable(QStringLiteral("%1: %2 × %3")
                                                                                     .arg(button->objectName())
                                                                                     .arg(button->width())
                                                                                     .arg(button->height())));
        }
        QVERIFY(seen >= 4);
    }

    void nothingMovesWhereThatIsNotWanted() {
        class Still : public QProxyStyle {
        public:
            Still() : QProxyStyle(QStringLiteral("Fusion")) {}
            int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                          QStyleHintReturn* more) const override {
                return hint == SH_Widget_Animation_Duration ? 0 : QProxyStyle::styleHint(hint, option, widget, more);
            }
        };
        const auto isStill = [](MainWindow& window) {
            window.show();
            window.finishStart();
            window.runLine(QStringLiteral("A = torch.arange(12).view(3, 4)"), Naming::Discard);
            window.runLine(QStringLiteral("B = A.t()"), Naming::Discard); // a card that else would fly in
            return window.stage()->options().reducedMotion && !window.isAnimated() &&
                   window.stage()->state().fresh == 0;
        };
        const auto moves = [](MainWindow& window) {
            window.show();
            window.finishStart();
            return !window.stage()->options().reducedMotion && window.isAnimated();
        };
        Settings settings{QString()};
        {
            MainWindow window(&settings);
            QVERIFY(moves(window));
            // Said while it runs.
            actionOf(window, "show:reducedMotion")->trigger();
            QVERIFY(isStill(window));
        }
        QVERIFY(settings.flag(QStringLiteral("reducedMotion"), false));
        {
            MainWindow window(&settings);
            QVERIFY(isStill(window));
        }
        // The desktop's style says it; what is set here counts more.
        QApplication::setStyle(new Still);
        Settings fresh{QString()};
        {
            MainWindow window(&fresh);
            QVERIFY(isStill(window));
        }
        fresh.set(QStringLiteral("reducedMotion"), false);
        {
            MainWindow window(&fresh);
            QVERIFY(moves(window));
        }
        QApplication::setStyle(QStringLiteral("Fusion"));
    }

    void dockButtonsKeepTheirIcons() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.setThemeChoice(ThemeChoice::Light);
        window.resize(1600, 950);
        window.show();
        window.finishStart();
        QCoreApplication::processEvents();
        auto* dock = window.findChild<QDockWidget*>(QStringLiteral("treeDock"));
        const auto pictures = [dock] {
            QList<QImage> all;
            for (const char* name : {"qt_dockwidget_closebutton", "qt_dockwidget_floatbutton"})
                all << dock->findChild<QAbstractButton*>(QString::fromLatin1(name))->icon().pixmap(28, 28).toImage();
            return all;
        };
        const QList<QImage> before = pictures();
        for (const QImage& picture : before) {
            // A line drawing: some of it ink, most of it not. The style's own are bitmaps of ten pixels.
            QVERIFY(picture.width() >= 14);
            int ink = 0;
            for (int y = 0; y < picture.height(); ++y)
                for (int x = 0; x < picture.width(); ++x) ink += picture.pixelColor(x, y).alpha() > 128 ? 1 : 0;
            QVERIFY(ink > 8 && ink < picture.width() * picture.height() / 2);
        }
        QVERIFY(before[0] != before[1]);
        dock->setFloating(true);
        QCoreApplication::processEvents();
        QVERIFY(pictures() == before);
        window.resetLayout();
        QCoreApplication::processEvents();
        QVERIFY(!dock->isFloating());
        QVERIFY(pictures() == before);
        // The other theme has other ink.
        window.setThemeChoice(ThemeChoice::Dark);
        QVERIFY(pictures() != before);
        dock->setFloating(true);
        window.setThemeChoice(ThemeChoice::Light);
        QVERIFY(pictures() == before);
    }

    void survivesDamagedSettings_data() {
        QTest::addColumn<QByteArray>("geometry");
        QTest::addColumn<QByteArray>("layout");
        QByteArray giant;
        {
            // A geometry as saveGeometry() writes it, for a rectangle that no screen has.
            QDataStream stream(&giant, QIODevice::WriteOnly);
            const QRect far(900'000, 900'000, 1'000'000, 1'000'000);
            stream << quint32(0x1D9D0CB) << quint16(3) << quint16(0) << far << far << qint32(7) << quint8(0)
                   << quint8(0) << qint32(1920) << far;
        }
        QTest::newRow("garbage") << QByteArray("garbage") << QByteArray("garbage");
        QTest::newRow("giant, far away") << giant << QByteArray();
        QTest::newRow("zeros") << QByteArray(100, '\0') << QByteArray(100, '\0');
    }

    void survivesDamagedSettings() {
        QFETCH(QByteArray, geometry);
        QFETCH(QByteArray, layout);
        Settings settings{QString()};
        settings.setBytes(QStringLiteral("geometry"), geometry);
        settings.setBytes(QStringLiteral("layout"), layout);
        settings.set(QStringLiteral("theme"), QStringLiteral("pink"));
        MainWindow window(&settings);
        window.show();
        const QRect area = window.screen()->availableGeometry();
        QVERIFY((window.geometry() & area).width() >= 200);
        QVERIFY(window.width() <= std::max(area.width() + 32, window.minimumSizeHint().width()));
        QVERIFY(window.themeChoice() == ThemeChoice::System);
        // Variables and script are there when they are asked for.
        for (const QDockWidget* dock : window.findChildren<QDockWidget*>()) {
            const bool onDemand = dock->objectName() == QLatin1String("variablesDock") ||
                                  dock->objectName() == QLatin1String("scriptDock");
            QCOMPARE(dock->isHidden(), onDemand);
        }
    }

    void keepsLayoutAndTheme() {
        Settings settings{QString()};
        {
            MainWindow window(&settings);
            window.resize(1500, 900);
            window.show();
            window.finishStart();
            window.findChild<QDockWidget*>(QStringLiteral("treeDock"))->hide();
            window.setThemeChoice(ThemeChoice::Dark);
            QVERIFY(window.close());
        }
        MainWindow again(&settings);
        again.show();
        QVERIFY(again.findChild<QDockWidget*>(QStringLiteral("treeDock"))->isHidden());
        QVERIFY(again.theme().kind() == ThemeKind::Dark);
        again.resetLayout();
        QVERIFY(!again.findChild<QDockWidget*>(QStringLiteral("treeDock"))->isHidden());
        again.setThemeChoice(ThemeChoice::Light);
        QVERIFY(again.theme().kind() == ThemeKind::Light);
    }

    void narrowWindowsTabTheInspector() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.resize(1600, 950);
        window.show();
        window.finishStart();
        auto* inspector = window.findChild<QDockWidget*>(QStringLiteral("inspectorDock"));
        window.resize(1280, 720);
        QTRY_COMPARE(window.dockWidgetArea(inspector), Qt::LeftDockWidgetArea);
        QVERIFY(window.stage()->width() > 700);
        QCOMPARE(window.size(), QSize(1280, 720));
        window.resize(1600, 950);
        QTRY_COMPARE(window.dockWidgetArea(inspector), Qt::RightDockWidgetArea);
    }
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
