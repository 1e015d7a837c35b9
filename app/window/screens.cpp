#include "app/window/screens.h"

#include "app/images/images_screen.h"
#include "app/lessons/lessons_screen.h"
#include "app/timing/timing_screen.h"
#include "app/workspace/workspace.h"
#include "widgets/broadcast/broadcast_screen.h"

#include <QCoreApplication>

namespace stridescope {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("stridescope::screens", text);
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
    };
}

} // namespace stridescope
