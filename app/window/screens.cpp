#include "app/window/screens.h"

#include "app/images/images_screen.h"
#include "app/lessons/lessons_screen.h"
#include "app/timing/timing_screen.h"
#include "app/workspace/workspace.h"
#include "widgets/broadcast/broadcast_screen.h"
#include "widgets/motion/motion_screen.h"

#include <QCoreApplication>

namespace stridescope {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("stridescope::screens", text);
}

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
    return history;
}

} // namespace

std::vector<ScreenKind> screenKinds() {
    return {
        {QString::fromUtf16(kExplore), tr("Explore"), QKeySequence(Qt::CTRL | Qt::Key_1),
         tr("Tensors as cards above the storage that they are views of."), nullptr},
        {QStringLiteral("broadcast"), tr("Broadcast"), QKeySequence(Qt::CTRL | Qt::Key_2),
         tr("How sizes meet in a pointwise operation, stage by stage."),
         [](Workspace* workspace, QWidget* parent) -> Screen* {
             return new BroadcastScreen(
                 workspace->model(), [workspace] { return workspace->nextName(); }, parent);
         }},
        {QStringLiteral("images"), tr("Images"), QKeySequence(Qt::CTRL | Qt::Key_3),
         tr("Images as a grid, operations on them as a list, and the picked pixel down to its bytes."),
         [](Workspace* workspace, QWidget* parent) -> Screen* { return new ImagesScreen(workspace, parent); }},
        {QStringLiteral("timing"), tr("Timing"), QKeySequence(Qt::CTRL | Qt::Key_4),
         tr("Times over size, measured so that they can be trusted, and the ways to measure wrongly."),
         [](Workspace*, QWidget* parent) -> Screen* { return new TimingScreen(parent); }},
        {QStringLiteral("lessons"), tr("Lessons"), QKeySequence(Qt::CTRL | Qt::Key_5),
         tr("Lessons with questions that are answered before the answer is shown, and views to build."),
         [](Workspace* workspace, QWidget* parent) -> Screen* { return new LessonsScreen(workspace, parent); }},
        {QString::fromUtf16(kMotion), tr("Motion"), QKeySequence(Qt::CTRL | Qt::Key_6),
         tr("Operations of the history, played: which cells go where."),
         [](Workspace* workspace, QWidget* parent) -> Screen* {
             return new MotionScreen(workspace->model(), motionHistory(workspace), parent);
         },
         false},
    };
}

} // namespace stridescope
