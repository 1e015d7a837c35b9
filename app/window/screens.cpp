#include "app/window/screens.h"

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
    };
}

} // namespace stridescope
