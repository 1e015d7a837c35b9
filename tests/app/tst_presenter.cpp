// Presenting: the window for a class, its keys, and the window that it leaves as it was.

#include "app/images/images_screen.h"
#include "app/timing/timing_screen.h"
#include "app/window/presenter_window.h"
#include "core/timing/run_file.h"
#include "tests/app/main_window_fixture.h"
#include "tests/support/qt/text_recorder.h"
#include "tests/widgets/timing/timing_fixture.h"
#include "widgets/broadcast/broadcast_screen.h"
#include "widgets/images/image_grid_view.h"
#include "widgets/presenter/presented_page.h"
#include "widgets/presenter/presenter_bar.h"
#include "widgets/stage/explore_stage.h"

#include <QApplication>
#include <QDockWidget>
#include <QLineEdit>
#include <QPainter>
#include <QPointer>
#include <QPushButton>
#include <QTemporaryDir>

using namespace stridescope;

class TstPresenter : public QObject, protected test::TestedWindow {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { closeWindow(); }

    void leavesTheWindowAsItWas();
    void everyLetterHasTheRoomsSize_data();
    void everyLetterHasTheRoomsSize();
    void theFooterIsThePagesOwn();
    void roomAndLightHaveKeys();
    void blankHidesAndTakesTheNextKey();
    void spotlightFollowsTheSelectedView();
    void stagesHaveTheKeysOfRemoteControls();
    void picksAndViewsAreTheWindows();
    void linesAreTyped();
    void refusalsAreRead();
    void undoIsShownByName();
    void screensChangeThePage();
    void closingTheWindowEndsIt();
    void partsHaveNames();

private:
    PresenterWindow* present() {
        actionOf(*m_window, "present")->trigger();
        PresenterWindow* presenter = m_window->presenter();
        // Shortcuts are those of the active window.
        if (presenter) static_cast<void>(QTest::qWaitForWindowActive(presenter));
        return presenter;
    }
    /// A key as the keyboard sends it: to what has the focus.
    static void press(PresenterWindow* presenter, Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        QWidget* focus = presenter->focusWidget();
        QTest::keyClick(focus ? focus : presenter, key, modifiers);
    }
    static QAction* actionOf(const MainWindow& window, const char* name) { return test::actionOf(window, name); }
    BroadcastScreen* broadcast() const { return m_window->findChild<BroadcastScreen*>(); }
};

void TstPresenter::init() {
    openWindow({1280, 720});
    m_window->showFirstPicture();
}

void TstPresenter::leavesTheWindowAsItWas() {
    m_window->findChild<QDockWidget*>(QStringLiteral("inspectorDock"))->hide();
    QTest::qWait(50); // until the docks have shared the room
    const QByteArray layout = m_window->saveState();
    const QRect place = m_window->geometry();
    PresenterWindow* presenter = present();
    QVERIFY(presenter);
    QVERIFY(QTest::qWaitForWindowExposed(presenter));
    QVERIFY(presenter->isFullScreen());
    QVERIFY(!presenter->isDark()); // light is what a lit room leaves most of
    // The picture and one bar; no menu, no dock.
    QCOMPARE(presenter->page()->height() + presenter->bar()->height(), presenter->height());
    QVERIFY(presenter->findChildren<QDockWidget*>().isEmpty());
    QPointer<PresenterWindow> gone(presenter);
    press(presenter, Qt::Key_Escape);
    QVERIFY(!m_window->presenter());
    QTRY_VERIFY(!gone);
    QCOMPARE(m_window->saveState(), layout);
    QCOMPARE(m_window->geometry(), place);
    // The same command comes and goes.
    QVERIFY(present());
    QVERIFY(!present());
}

void TstPresenter::everyLetterHasTheRoomsSize_data() {
    QTest::addColumn<RoomSize>("room");
    QTest::addColumn<QSize>("size");
    const std::pair<const char*, RoomSize> rooms[] = {
        {"small", RoomSize::Small}, {"lecture", RoomSize::Lecture}, {"hall", RoomSize::Hall}};
    for (const auto& [name, room] : rooms) {
        for (const QSize& size : {QSize(1280, 720), QSize(1920, 1080)})
            QTest::addRow("%s %d", name, size.height()) << room << size;
    }
}

/// Whatever the window paints, bar, messages and typed line included. Numbers in cells are drawn glyph by glyph and
/// measured by tst_presented_stage.
void TstPresenter::everyLetterHasTheRoomsSize() {
    QFETCH(RoomSize, room);
    QFETCH(QSize, size);
    PresenterWindow* presenter = present();
    presenter->setRoom(room);
    presenter->showNormal();
    const auto check = [&](const char* what) {
        presenter->resize(size);
        QApplication::processEvents();
        QCOMPARE(presenter->size(), size);
        test::TextRecorder recorder(size);
        presenter->render(&recorder);
        QVERIFY2(!recorder.texts().empty(), what);
        const test::RecordedText smallest = test::smallestOf(recorder.texts());
        QVERIFY2(smallest.capHeight >= capShare(room) * size.height() - 1e-6,
                 qPrintable(QStringLiteral("%1: \"%2\" is %3 px of %4")
                                .arg(QLatin1String(what), smallest.text)
                                .arg(smallest.capHeight)
                                .arg(capShare(room) * size.height())));
    };
    check("explore");
    presenter->tell(QStringLiteral("B.view(3, 4) is not possible."), QStringLiteral("RuntimeError: why"));
    check("message");
    presenter->clearMessage();
    presenter->openPrompt();
    QTest::keyClicks(presenter->prompt(), QStringLiteral("A.t()"));
    check("prompt");
    QTest::keyClick(presenter->prompt(), Qt::Key_Escape);
    m_window->showScreen(QStringLiteral("broadcast"));
    broadcast()->setLine(QStringLiteral("torch.arange(4).view(4, 1) + torch.tensor([[10, 20, 30, 40, 50]])"));
    for (const double t : {0.0, 0.3, 0.5, 0.7, 0.9, 1.0}) {
        broadcast()->seek(t);
        check("broadcast");
    }
    broadcast()->setLine(QStringLiteral("torch.zeros(2, 3) + torch.zeros(4)"));
    broadcast()->seek(1);
    check("refused broadcast");
    m_window->showScreen(QStringLiteral("images"));
    check("no images");
    auto* images = m_window->findChild<ImagesScreen*>();
    images->findChild<QPushButton*>(QStringLiteral("sampleImages"))->click();
    QTRY_VERIFY(images->source() != 0);
    images->finishRun();
    QTRY_VERIFY(!images->grid()->sheet().isEmpty());
    check("images");
    m_window->showScreen(QStringLiteral("timing"));
    check("nothing timed");
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("run.json"));
    timing::writeRun(*test::madeUpRun(true), path.toStdString());
    auto* timing = m_window->findChild<TimingScreen*>();
    timing->recorded()->open({path});
    timing->recorded()->finish();
    const int stages = presenter->findChild<PresentedPage*>()->stages();
    for (int i = 0; i < stages; ++i) {
        check(qPrintable(presenter->findChild<PresentedPage*>()->stageName()));
        presenter->findChild<PresentedPage*>()->goOn(1);
    }
}

/// What is shown below has to do with what is seen: the last line of the workspace only where that made it.
void TstPresenter::theFooterIsThePagesOwn() {
    QVERIFY(m_window->runLine(QStringLiteral("Q = torch.arange(3)"), Naming::Auto).ok);
    auto* bar = present()->findChild<PresenterBar*>();
    QVERIFY2(bar->code().contains(QStringLiteral("torch.arange(3)")), qPrintable(bar->code()));
    for (const char* name : {"timing", "images"}) {
        m_window->showScreen(QString::fromLatin1(name));
        QCOMPARE(bar->code(), QString());
    }
    auto* images = m_window->findChild<ImagesScreen*>();
    images->findChild<QPushButton*>(QStringLiteral("sampleImages"))->click();
    QTRY_VERIFY(images->source() != 0);
    images->finishRun();
    QTRY_VERIFY2(bar->code().contains(QStringLiteral("images.permute(0, 3, 1, 2)")), qPrintable(bar->code()));
    images->addStep(QStringLiteral(".narrow(0, 0, 48)"));
    images->finishRun();
    QTRY_VERIFY2(bar->code().endsWith(QStringLiteral(".narrow(0, 0, 48)")), qPrintable(bar->code()));
    m_window->showScreen(QStringLiteral("explore"));
    QVERIFY(!bar->code().isEmpty());
}

void TstPresenter::roomAndLightHaveKeys() {
    PresenterWindow* presenter = present();
    QCOMPARE(presenter->room(), RoomSize::Lecture);
    const qreal scale = presenter->scale();
    press(presenter, Qt::Key_R);
    QCOMPARE(presenter->room(), RoomSize::Hall);
    QVERIFY(presenter->scale() > scale);
    QVERIFY(actionOf(*m_window, "room:hall")->isChecked());
    press(presenter, Qt::Key_R);
    QCOMPARE(presenter->room(), RoomSize::Small);
    QVERIFY(presenter->scale() < scale);
    press(presenter, Qt::Key_W);
    QVERIFY(presenter->isDark());
    QVERIFY(presenter->theme().isPresenter());
    press(presenter, Qt::Key_W);
    QVERIFY(!presenter->isDark());
    // The room is the same the next time.
    press(presenter, Qt::Key_Escape);
    QCOMPARE(present()->room(), RoomSize::Small);
}

void TstPresenter::blankHidesAndTakesTheNextKey() {
    PresenterWindow* presenter = present();
    press(presenter, Qt::Key_B);
    QVERIFY(presenter->overlay()->isBlank());
    QCOMPARE(presenter->grab().toImage().pixelColor(presenter->width() / 2, presenter->height() / 2),
             QColor(Qt::black));
    // Nothing is done that nobody sees: not even leaving.
    const int steps = workspace()->position();
    press(presenter, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(workspace()->position(), steps);
    QVERIFY(!presenter->overlay()->isBlank());
    press(presenter, Qt::Key_Period);
    QVERIFY(presenter->overlay()->isBlank());
    press(presenter, Qt::Key_Escape);
    QVERIFY(!presenter->overlay()->isBlank());
    QVERIFY(m_window->presenter());
}

void TstPresenter::spotlightFollowsTheSelectedView() {
    PresenterWindow* presenter = present();
    presenter->setRoom(RoomSize::Small);
    presenter->showNormal();
    presenter->resize(1920, 1080);
    QApplication::processEvents();
    auto* stage = presenter->findChild<ExploreStage*>();
    m_window->model()->select(entry("A")->id);
    const auto card = [&] { return stage->selectedArea().toSubpathPolygons().front().boundingRect(); };
    const QPoint inA = stage->mapTo(presenter, card().center().toPoint());
    const QImage before = presenter->grab().toImage();
    press(presenter, Qt::Key_S);
    QVERIFY(presenter->overlay()->hasSpotlight());
    const QImage lit = presenter->grab().toImage();
    QCOMPARE(lit.pixelColor(inA), before.pixelColor(inA));
    // Another view is selected: that one is dimmed now.
    m_window->model()->select(entry("B")->id);
    QVERIFY(!card().contains(stage->mapFrom(presenter, inA)));
    QVERIFY(presenter->grab().toImage().pixelColor(inA) != before.pixelColor(inA));
    // Another size of the room lays everything out anew, the bar last.
    for (int i = 0; i < 3; ++i) {
        press(presenter, Qt::Key_R);
        const QImage now = presenter->grab().toImage();
        presenter->overlay()->setSpotlight(false);
        const QImage plain = presenter->grab().toImage();
        presenter->overlay()->setSpotlight(true);
        const QRectF frame = card() & QRectF(stage->rect());
        for (const QPointF& corner : {frame.topLeft(), frame.topRight(), frame.bottomLeft(), frame.bottomRight()}) {
            const QPoint p = stage->mapTo(presenter, (corner + (frame.center() - corner) * 0.04).toPoint());
            QCOMPARE(now.pixelColor(p), plain.pixelColor(p));
        }
        // The bar is not lit.
        const QPoint p = presenter->bar()->geometry().center();
        bool dimmed = false;
        for (int x = 0; x < presenter->width(); ++x) dimmed |= now.pixelColor(x, p.y()) != plain.pixelColor(x, p.y());
        QVERIFY(dimmed);
    }
    press(presenter, Qt::Key_S);
    QVERIFY(!presenter->overlay()->hasSpotlight());
}

void TstPresenter::stagesHaveTheKeysOfRemoteControls() {
    m_window->showScreen(QStringLiteral("broadcast"));
    broadcast()->setReducedMotion(true);
    broadcast()->setLine(QStringLiteral("torch.arange(4).view(4, 1) + torch.tensor([[10, 20, 30, 40, 50]])"));
    PresenterWindow* presenter = present();
    QCOMPARE(presenter->page()->stages(), 4);
    QCOMPARE(broadcast()->time(), 0.0);
    qreal before = 0;
    for (const Qt::Key key : {Qt::Key_Space, Qt::Key_PageDown, Qt::Key_N, Qt::Key_Space}) {
        press(presenter, key);
        QVERIFY(broadcast()->time() > before);
        before = broadcast()->time();
    }
    QCOMPARE(before, 1.0);
    QCOMPARE(presenter->page()->stage(), 4);
    press(presenter, Qt::Key_PageUp);
    QCOMPARE(presenter->page()->stage(), 3);
    press(presenter, Qt::Key_P);
    QCOMPARE(presenter->page()->stage(), 2);
    // With motion a stage plays by itself and stops at its end.
    broadcast()->setReducedMotion(false);
    press(presenter, Qt::Key_PageDown);
    QVERIFY(broadcast()->isPlaying());
    press(presenter, Qt::Key_PageDown); // no half state: the end at once
    QVERIFY(!broadcast()->isPlaying());
    QCOMPARE(presenter->page()->stage(), 3);
}

void TstPresenter::picksAndViewsAreTheWindows() {
    PresenterWindow* presenter = present();
    auto* stage = presenter->findChild<ExploreStage*>();
    QVERIFY(QTest::qWaitForWindowExposed(presenter));
    m_window->model()->select(entry("A")->id);
    m_window->model()->setPick(std::nullopt);
    press(presenter, Qt::Key_Right);
    QVERIFY(m_window->model()->selection().pick);
    QCOMPARE(presenter->bar()->key(), QStringLiteral("Right"));
    const QPoint cell = (stage->pickedRect().center() * stage->scale()).toPoint();
    m_window->model()->setPick(std::nullopt);
    QTest::mouseClick(stage, Qt::LeftButton, {}, cell);
    QVERIFY(m_window->model()->selection().pick);
    QVERIFY(presenter->overlay()->pointer());
    // A value is edited in letters of the room.
    press(presenter, Qt::Key_Return);
    auto* field = presenter->findChild<QLineEdit*>(QStringLiteral("cellEditor"));
    QVERIFY(field);
    QVERIFY(QFontMetricsF(field->font()).capHeight() >= capShare(presenter->room()) * presenter->height());
    QTest::keyClick(field, Qt::Key_Escape); // leaves the field, not the presentation
    QVERIFY(m_window->presenter());
}

void TstPresenter::linesAreTyped() {
    PresenterWindow* presenter = present();
    press(presenter, Qt::Key_L, Qt::ControlModifier);
    QVERIFY(presenter->prompt()->isVisible());
    // Letters are text here, not commands.
    QTest::keyClicks(presenter->prompt(), QStringLiteral("wbs = A[1]"));
    QVERIFY(!presenter->overlay()->isBlank());
    QVERIFY(!presenter->isDark());
    QTest::keyClick(presenter->prompt(), Qt::Key_Return);
    QVERIFY(entry("wbs"));
    QCOMPARE(presenter->bar()->code(), QStringLiteral("wbs = A[1]"));
    QVERIFY(presenter->bar()->isVisible());
    QVERIFY(!presenter->prompt()->isVisible());
    // What is printed is read.
    press(presenter, Qt::Key_L, Qt::ControlModifier);
    QTest::keyClicks(presenter->prompt(), QStringLiteral("A.sum()"));
    QTest::keyClick(presenter->prompt(), Qt::Key_Return);
    QVERIFY2(presenter->message().contains(QStringLiteral("780")), qPrintable(presenter->message()));
}

void TstPresenter::refusalsAreRead() {
    PresenterWindow* presenter = present();
    m_window->runLine(QStringLiteral("B.view(12)"), Naming::Auto);
    QVERIFY2(presenter->message().contains(QStringLiteral("B.view(12)")), qPrintable(presenter->message()));
    QVERIFY(presenter->message().contains(QStringLiteral("RuntimeError")));
    m_window->runLine(QStringLiteral("nothere + 1"), Naming::Auto);
    QVERIFY(presenter->message().contains(QStringLiteral("nothere")));
    // Esc takes the message away before it leaves.
    press(presenter, Qt::Key_Escape);
    QVERIFY(presenter->message().isEmpty());
    QVERIFY(m_window->presenter());
}

void TstPresenter::undoIsShownByName() {
    PresenterWindow* presenter = present();
    QVERIFY(QTest::qWaitForWindowActive(presenter));
    const int steps = workspace()->position();
    press(presenter, Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(workspace()->position(), steps - 1);
    QCOMPARE(presenter->bar()->key(), QStringLiteral("Ctrl+Z"));
    QVERIFY2(presenter->bar()->command().startsWith(QStringLiteral("Undo")), qPrintable(presenter->bar()->command()));
    QVERIFY(presenter->bar()->command().contains(QStringLiteral("narrow")));
    QCOMPARE(presenter->bar()->code(), QStringLiteral("B = A.t()"));
}

void TstPresenter::screensChangeThePage() {
    PresenterWindow* presenter = present();
    QPointer<PresentedPage> first(presenter->page());
    m_window->showScreen(QStringLiteral("broadcast"));
    QTRY_VERIFY(!first);
    QCOMPARE(presenter->page()->stages(), 4);
    m_window->showScreen(QStringLiteral("images"));
    QCOMPARE(presenter->page()->stages(), 0);
    m_window->showScreen(QStringLiteral("explore"));
    QVERIFY(presenter->findChild<ExploreStage*>());
}

void TstPresenter::closingTheWindowEndsIt() {
    present();
    workspace()->setSaved();
    m_window->close();
    QVERIFY(!m_window->presenter());
}

void TstPresenter::partsHaveNames() {
    PresenterWindow* presenter = present();
    QVERIFY(!presenter->accessibleName().isEmpty());
    QVERIFY(!presenter->whatsThis().isEmpty());
    QVERIFY(presenter->bar()->accessibleDescription().contains(QStringLiteral("A.narrow(1, 1, 2)")));
    QVERIFY(!presenter->prompt()->accessibleName().isEmpty());
}

QTEST_MAIN(TstPresenter)
#include "tst_presenter.moc"
