#include "widgets/stage/stage_text.h"

#include "core/view/view.h"

namespace stridescope {

QString coordText(const Dims& coord) {
    return QString::fromStdString(toListString(coord));
}

} // namespace stridescope
