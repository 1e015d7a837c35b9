#include "widgets/scene/page_device.h"

#include <cmath>
#include <limits>

namespace stridescope {

int PageDevice::metric(PaintDeviceMetric metric) const {
    constexpr int kDpi = 96;
    const auto millimetres = [](qreal pixels) { return static_cast<int>(std::lround(pixels * 25.4 / kDpi)); };
    switch (metric) {
    case PdmWidth:
        return static_cast<int>(std::ceil(m_size.width()));
    case PdmHeight:
        return static_cast<int>(std::ceil(m_size.height()));
    case PdmWidthMM:
        return millimetres(m_size.width());
    case PdmHeightMM:
        return millimetres(m_size.height());
    case PdmDpiX:
    case PdmDpiY:
    case PdmPhysicalDpiX:
    case PdmPhysicalDpiY:
        return kDpi;
    case PdmDepth:
        return 32;
    case PdmNumColors:
        return std::numeric_limits<int>::max();
    case PdmDevicePixelRatio:
        return 1;
    case PdmDevicePixelRatioScaled:
        return static_cast<int>(devicePixelRatioFScale());
    }
    return 0;
}

} // namespace stridescope
