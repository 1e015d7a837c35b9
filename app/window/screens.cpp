#include "app/window/screens.h"

#include "app/devices/devices_screen.h"
#include "app/images/images_screen.h"
#include "app/lessons/lessons_screen.h"
#include "app/timing/timing_screen.h"
#include "app/workspace/motion_again.h"
#include "app/workspace/workspace.h"
#include "widgets/broadcast/broadcast_screen.h"
#include "widgets/motion/motion_screen.h"

#include <QCoreApplication>

namespace stridescope {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("stridescope", text);
}

/// Lines that were carried out again, until there is another state that they could be carried out on.
class DoneAgain {
public:
    explicit DoneAgain(Workspace* workspace) : m_workspace(workspace) {}
    const MotionAgain& of(int step) {
        static const MotionAgain kNone;
        if (m_workspace->isBusy() || !m_workspace->wantsAgain(step)) return kNone;
        if (m_moment != m_workspace->moment()) m_done.clear();
        m_moment = m_workspace->moment();
        const auto found = m_done.find(step);
        if (found != m_done.end()) return found->second;
        const QString line = m_workspace->steps()[static_cast<std::size_t>(step)].code;
        return m_done[step] = motionAgain(m_workspace->session(), line);
    }

private:
    Workspace* m_workspace;
    Workspace::Moment m_moment;
    std::map<int, MotionAgain> m_done;
};

MotionHistory motionHistory(Workspace* workspace) {
    MotionHistory history;
    history.steps = [workspace] { return workspace->position(); };
    history.title = [workspace](int step) { return workspace->steps()[static_cast<std::size_t>(step)].code; };
    history.operations = [workspace](int step) {
        QStringList names;
        for (const OpRecord& record : workspace->operationsOf(step)) names << QString::fromStdString(record.name);
        return names;
    };
    history.motion = [workspace](int step, std::size_t operation) { return workspace->motion(step, operation); };
    history.again = [done = std::make_shared<DoneAgain>(workspace)](int step) -> const MotionAgain& {
        return done->of(step);
    };
    return history;
}

} // namespace

std::vector<ScreenKind> screenKinds() {
    return {
        {QString::fromUtf16(kExplore), tr("Explore"), QKeySequence(Qt::CTRL | Qt::Key_1),
         tr("Tensors as cards above the storage that they are views of."), nullptr},
        {QStringLiteral("broadcast"), tr("Broadcast"), QKeySequence(Qt::CTRL | Qt::Key_2),
         tr("How sizes meet in a pointwise operation, stage by stage."),
         [](const ScreenNeeds& needs, QWidget* parent) -> Screen* {
             return new BroadcastScreen(
                 needs.workspace->model(), [workspace = needs.workspace] { return workspace->nextName(); }, parent);
         }},
        {QStringLiteral("images"), tr("Images"), QKeySequence(Qt::CTRL | Qt::Key_3),
         tr("Images as a grid, operations on them as a list, and the picked pixel down to its bytes."),
         [](const ScreenNeeds& needs, QWidget* parent) -> Screen* {
             return new ImagesScreen(needs.workspace, parent);
         }},
        {QStringLiteral("timing"), tr("Timing"), QKeySequence(Qt::CTRL | Qt::Key_4),
         tr("Times over size, measured so that they can be trusted, and the ways to measure wrongly."),
         [](const ScreenNeeds&, QWidget* parent) -> Screen* { return new TimingScreen(parent); }},
        {QString::fromUtf16(kLessons), tr("Lessons"), QKeySequence(Qt::CTRL | Qt::Key_5),
         tr("Lessons with questions that are answered before the answer is shown, and views to build."),
         [](const ScreenNeeds& needs, QWidget* parent) -> Screen* {
             return new LessonsScreen(needs.workspace, parent);
         }},
        {QString::fromUtf16(kMotion), tr("Motion"), QKeySequence(Qt::CTRL | Qt::Key_6),
         tr("Operations of the history, played: which cells go where."),
         [](const ScreenNeeds& needs, QWidget* parent) -> Screen* {
             return new MotionScreen(needs.workspace->model(), motionHistory(needs.workspace), parent);
         },
         false},
        {QStringLiteral("devices"), tr("Devices"), QKeySequence(Qt::CTRL | Qt::Key_7),
         tr("Which tensors live on which device, what travels between them, and what waits in their queues."),
         [](const ScreenNeeds& needs, QWidget* parent) -> Screen* {
             return new DevicesScreen(needs.workspace, needs.kernel, parent);
         }},
    };
}

} // namespace stridescope
