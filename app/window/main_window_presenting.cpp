// Presenting: the window for a class, its commands, and what it is told of the workspace.

#include "app/window/console.h"
#include "app/window/main_window.h"
#include "app/window/presenter_window.h"
#include "app/window/python_console.h"
#include "app/window/screens.h"
#include "widgets/stage/explore_page.h"
#include "widgets/stage/explore_stage.h"

#include <QActionGroup>
#include <QGuiApplication>
#include <QMenu>
#include <QScreen>

namespace stridescope {

namespace {

constexpr const char* kRooms[] = {"small", "lecture", "hall"};

RoomSize roomNamed(const QString& name) {
    for (int i = 0; i < 3; ++i)
        if (name == QLatin1String(kRooms[i])) return static_cast<RoomSize>(i);
    return RoomSize::Lecture;
}

QString nameOf(RoomSize room) {
    return QLatin1String(kRooms[static_cast<int>(room)]);
}

} // namespace

void MainWindow::buildPresenting(QMenu* menu) {
    menu->addSeparator();
    addCommand(
        menu, QStringLiteral("present"), tr("P&resent this screen"), QKeySequence(Qt::SHIFT | Qt::Key_F11),
        [this] { present(); },
        tr("The picture alone, full screen, in letters that the last row can read. Esc leaves; the window is as "
           "before."));
    QMenu* rooms = menu->addMenu(tr("R&oom size"));
    m_roomGroup = new QActionGroup(this);
    const std::pair<RoomSize, QString> sizes[] = {{RoomSize::Small, tr("Room: small, letters of 2 % of the height")},
                                                  {RoomSize::Lecture, tr("Room: lecture, letters of 3 %")},
                                                  {RoomSize::Hall, tr("Room: hall, letters of 4 %")}};
    const RoomSize now = roomNamed(m_settings->text(QStringLiteral("presentRoom")));
    for (const auto& [room, text] : sizes) {
        QAction* action = addCommand(rooms, QStringLiteral("room:") + nameOf(room), text, {}, [this, room = room] {
            m_settings->set(QStringLiteral("presentRoom"), nameOf(room));
            saveSettings();
            if (m_presenter) m_presenter->setRoom(room);
        });
        action->setCheckable(true);
        action->setChecked(room == now);
        m_roomGroup->addAction(action);
    }
    QMenu* screens = menu->addMenu(tr("Present o&n"));
    screens->setObjectName(QStringLiteral("presentOnMenu"));
    connect(screens, &QMenu::aboutToShow, this, [this, screens] { fillPresentOn(screens); });
    fillPresentOn(screens);
}

void MainWindow::fillPresentOn(QMenu* menu) {
    menu->clear();
    const QString chosen = m_settings->text(QStringLiteral("presentScreen"));
    const auto add = [&](const QString& text, const QString& name) {
        QAction* action = menu->addAction(text, this, [this, name] {
            m_settings->set(QStringLiteral("presentScreen"), name);
            saveSettings();
            if (m_presenter) m_presenter->showOn(presentScreen());
        });
        action->setObjectName(QStringLiteral("presentOn:") + name);
        action->setCheckable(true);
        action->setChecked(name == chosen);
    };
    add(tr("Another screen than this window's, where there is one"), {});
    for (const QScreen* screen : QGuiApplication::screens())
        add(tr("%1, %2 × %3").arg(screen->name()).arg(screen->size().width()).arg(screen->size().height()),
            screen->name());
}

QScreen* MainWindow::presentScreen() const {
    const QString chosen = m_settings->text(QStringLiteral("presentScreen"));
    QScreen* other = nullptr;
    for (QScreen* candidate : QGuiApplication::screens()) {
        if (!chosen.isEmpty() && candidate->name() == chosen) return candidate;
        if (candidate != screen() && !other) other = candidate;
    }
    return other && chosen.isEmpty() ? other : screen();
}

void MainWindow::present() {
    if (m_presenter) {
        m_presenter->close();
        return;
    }
    finishStart();
    m_presenter = new PresenterWindow(this);
    m_presenter->setRoom(roomNamed(m_settings->text(QStringLiteral("presentRoom"))));
    connect(m_presenter, &PresenterWindow::left, this, &MainWindow::stopPresenting);
    connect(m_presenter, &PresenterWindow::roomChanged, this, [this](RoomSize room) {
        m_settings->set(QStringLiteral("presentRoom"), nameOf(room));
        command(QStringLiteral("room:") + nameOf(room))->setChecked(true);
        saveSettings();
    });
    connect(m_presenter, &PresenterWindow::runRequested, this,
            [this](const QString& code) { runLine(code, Naming::Auto); });
    connect(m_presenter, &PresenterWindow::lineEntered, m_console, &Console::lineEntered);
    // The same commands as in the window, but those that open something there.
    for (const char* name : {"present", "undo", "redo", "stepBack", "stepForward", "moveLeft", "moveRight",
                             "toggleStage", "deleteTensor", "cancelWork"})
        m_presenter->addAction(command(QLatin1String(name)));
    for (const ScreenPage& page : m_screens) m_presenter->addAction(page.action);
    // The window is deleted later than m_presenter forgets it.
    const auto followHistory = [this, presenter = m_presenter] {
        const auto& steps = m_workspace->steps();
        const int position = m_workspace->position();
        presenter->setLastLine(position > 0 ? steps[static_cast<std::size_t>(position) - 1].code : QString());
    };
    connect(m_workspace, &Workspace::changed, m_presenter, followHistory);
    followHistory();
    presentPage();
    // A screen that is unplugged takes the class's window back to where this one is.
    connect(qGuiApp, &QGuiApplication::screenRemoved, m_presenter,
            [this, presenter = m_presenter] { presenter->showOn(presentScreen()); });
    m_presenter->showOn(presentScreen());
}

void MainWindow::presentPage() {
    if (!m_presenter) return;
    Screen* screen = currentScreen();
    PresentedPage* page = screen ? screen->presentedPage(m_presenter) : nullptr;
    // What has no page of its own leaves the one that is there.
    if (!page && screen && m_presenter->page()) return;
    if (!page) {
        auto* explore = new ExplorePage(m_model, m_stage, m_presenter);
        ExploreStage* stage = explore->stageWidget();
        connect(stage, &ExploreStage::exportRequested, this, &MainWindow::exportFrom);
        connect(stage, &ExploreStage::moveRequested, this, [this](TensorId tensor, TensorId before) {
            echoAct([&] { m_workspace->moveBefore(tensor, before); });
        });
        connect(stage, &ExploreStage::previewRequested, this, &MainWindow::previewLine);
        connect(stage, &ExploreStage::explainRequested, this, &MainWindow::explain);
        connect(stage, &ExploreStage::hideRequested, this, [this](TensorId tensor) { showOnStage(tensor, false); });
        connect(stage, &ExploreStage::deleteRequested, this, &MainWindow::deleteTensor);
        connect(stage, &ExploreStage::renameRequested, this, &MainWindow::renameTensor);
        page = explore;
    }
    m_presenter->setPage(page);
}

void MainWindow::stopPresenting() {
    if (!m_presenter) return;
    m_presenter->deleteLater();
    m_presenter = nullptr;
    previewLine({});
    activateWindow();
}

} // namespace stridescope
