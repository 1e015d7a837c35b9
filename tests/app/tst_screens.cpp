// The screens of the window: built when first shown, each with its own docks, none with the first frame.

#include "app/window/screens.h"
#include "tests/app/main_window_fixture.h"
#include "widgets/panels/message_bar.h"
#include "widgets/stage/explore_stage.h"

#include <QDockWidget>
#include <QFile>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

using namespace stridescope;
using namespace stridescope::test;

namespace {

/// A screen that keeps what it is told.
class Sheet : public Screen {
public:
    explicit Sheet(QWidget* parent) : Screen(parent) { setFocusPolicy(Qt::StrongFocus); }
    void setTheme(const Theme& theme) override { kind = theme.kind(); }
    void setReducedMotion(bool on) override { reduced = on; }
    std::optional<Scene> picture() const override {
        Scene scene;
        scene.size = QSizeF(40, 30);
        scene.title = QStringLiteral("sheet");
        return scene;
    }
    bool canZoom() const override { return zooms; }
    void zoom(Zoom step) override { asked.push_back(step); }
    ThemeKind kind = ThemeKind::Light;
    bool reduced = false, zooms = true;
    std::vector<Zoom> asked;
};

} // namespace

class TestScreens : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QApplication::setStyle(QStringLiteral("Fusion")); }
    void init() {
        m_settings = std::make_unique<Settings>(QString());
        m_window = std::make_unique<MainWindow>(m_settings.get());
        m_made = 0;
        m_window->addScreen({QStringLiteral("sheet"), QStringLiteral("Sheet"), QKeySequence(Qt::CTRL | Qt::Key_8),
                             QStringLiteral("For tests."), [this](const ScreenNeeds&, QWidget* parent) {
                                 ++m_made;
                                 return new Sheet(parent);
                             }});
        m_window->resize(1600, 1000);
        m_window->showFirstPicture();
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        QTRY_VERIFY(m_window->console() != nullptr);
    }
    void cleanup() { m_window.reset(); }

    void namesAndKeysAreUnlike() {
        QStringList names, keys;
        for (const ScreenKind& kind : screenKinds()) {
            QVERIFY(!names.contains(kind.name));
            QVERIFY(!keys.contains(kind.keys.toString()));
            names << kind.name;
            keys << kind.keys.toString();
            QCOMPARE(kind.make == nullptr, kind.name == QString::fromUtf16(kExplore));
            QVERIFY(!kind.what.isEmpty());
        }
        QCOMPARE(names.first(), QString::fromUtf16(kExplore));
    }

    void isBuiltWhenShown() {
        QCOMPARE(m_made, 0);
        QVERIFY(m_window->currentScreen() == nullptr);
        m_window->setThemeChoice(ThemeChoice::Dark);
        QTest::keyClick(m_window.get(), Qt::Key_8, Qt::ControlModifier);
        QCOMPARE(m_made, 1);
        QCOMPARE(m_window->screenName(), QStringLiteral("sheet"));
        QVERIFY(sheet()->isVisible());
        QVERIFY(!m_window->stage()->isVisible());
        QCOMPARE(sheet()->kind, ThemeKind::Dark);
        m_window->setThemeChoice(ThemeChoice::Light);
        QCOMPARE(sheet()->kind, ThemeKind::Light);
        actionOf(*m_window, "show:reducedMotion")->trigger();
        QVERIFY(sheet()->reduced);
        QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
        QVERIFY(m_window->stage()->isVisible());
        QVERIFY(m_window->stage()->hasFocus());
        button("sheet")->click();
        QCOMPARE(m_made, 1);
        QVERIFY(sheet()->hasFocus());
    }

    void zoomIsAskedOfTheScreenOnTop() {
        const std::vector<std::pair<const char*, Zoom>> commands{
            {"zoomIn", Zoom::In}, {"zoomOut", Zoom::Out}, {"zoomActual", Zoom::Actual}, {"zoomWhole", Zoom::Whole}};
        const auto size = [this] { return m_window->stage()->options().cellSize; };
        for (const auto& [name, step] : commands) {
            const QAction* action = actionOf(*m_window, name);
            QVERIFY2(action && action->isEnabled() && !action->shortcut().isEmpty(), name);
        }
        actionOf(*m_window, "zoomOut")->trigger();
        const qreal smaller = size();
        QVERIFY(smaller > 0);
        actionOf(*m_window, "zoomIn")->trigger();
        QVERIFY(size() > smaller);
        QTest::keyClick(m_window.get(), Qt::Key_0, Qt::ControlModifier);
        QCOMPARE(size(), 0.0);
        button("sheet")->click();
        for (const auto& [name, step] : commands) {
            actionOf(*m_window, name)->trigger();
            QCOMPARE(sheet()->asked.back(), step);
        }
        QCOMPARE(size(), 0.0);
        // A screen that has nothing to zoom says so.
        sheet()->zooms = false;
        button("explore")->click();
        QVERIFY(actionOf(*m_window, "zoomIn")->isEnabled());
        button("sheet")->click();
        QVERIFY(!actionOf(*m_window, "zoomIn")->isEnabled());
    }

    void keepsALayoutForEach() {
        const auto* tree = m_window->findChild<QDockWidget*>(QStringLiteral("treeDock"));
        auto* bottom = m_window->findChild<QDockWidget*>(QStringLiteral("consoleDock"));
        auto* cards = m_window->findChild<QWidget*>(QStringLiteral("firstRun"));
        QVERIFY(tree->isVisible() && bottom->isVisible() && cards->isVisible());
        const int width = tree->width();
        button("sheet")->click();
        QVERIFY(!tree->isVisible() && !bottom->isVisible() && !cards->isVisible());
        bottom->show();
        button("explore")->click();
        QVERIFY(tree->isVisible() && bottom->isVisible() && cards->isVisible());
        QCOMPARE(tree->width(), width);
        button("sheet")->click();
        QVERIFY(!tree->isVisible() && bottom->isVisible());
        m_window->resetLayout();
        QVERIFY(!bottom->isVisible());
    }

    void theLayoutOfExploreIsKept() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("settings.json"));
        Settings settings{path};
        {
            MainWindow window(&settings);
            window.show();
            QTRY_VERIFY(window.console() != nullptr);
            for (const ScreenKind& kind : screenKinds()) window.showScreen(kind.name);
            window.close();
        }
        MainWindow window(&settings);
        window.show();
        QTRY_VERIFY(window.console() != nullptr);
        QVERIFY(window.findChild<QDockWidget*>(QStringLiteral("treeDock"))->isVisible());
    }

    void itsLinesAreCarriedOut() {
        button("sheet")->click();
        const int steps = m_window->workspace()->position();
        Q_EMIT sheet()->runRequested(QStringLiteral("A.t()"));
        QCOMPARE(m_window->workspace()->position(), steps + 1);
        // Refused, it is told below the screen, which stays where it is and as large as it is.
        const auto placeOf = [this](const QWidget* widget) {
            return QRect(widget->mapTo(m_window.get(), QPoint()), widget->size());
        };
        QCoreApplication::processEvents();
        const QRect before = placeOf(sheet());
        Q_EMIT sheet()->runRequested(QStringLiteral("A.view(7)"));
        QCoreApplication::processEvents();
        const MessageBar* bar = m_window->messageBar();
        QCOMPARE(bar->kind(), MessageBar::Kind::Error);
        QVERIFY(bar->isVisible());
        QCOMPARE(placeOf(sheet()), before);
        QCOMPARE(placeOf(bar).bottom(), m_window->rect().bottom());
        QVERIFY(before.bottom() - placeOf(bar).top() < 40);
        m_window->messageBar()->findChild<QPushButton*>(QStringLiteral("messageClose"))->click();
        QCoreApplication::processEvents();
        QCOMPARE(placeOf(sheet()), before);
        QVERIFY(sheet()->isVisible());
        // Its picture is told on Explore.
        m_window->explain(QStringLiteral("A.view(7)"));
        QCOMPARE(m_window->screenName(), QStringLiteral("explore"));
    }

    void itsPictureIsExported() {
        button("sheet")->click();
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("sheet.svg"));
        m_window->exportPictureTo(path);
        QTRY_VERIFY(!m_window->isSaving());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().contains("viewBox=\"0 0 40 30\""));
    }

private:
    Sheet* sheet() const { return static_cast<Sheet*>(m_window->currentScreen()); }
    QToolButton* button(const char* name) const {
        return m_window->findChild<QToolButton*>(QStringLiteral("screenButton:") + QString::fromLatin1(name));
    }

    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<MainWindow> m_window;
    int m_made = 0;
};

QTEST_MAIN(TestScreens)
#include "tst_screens.moc"
