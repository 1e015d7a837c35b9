#pragma once
// What paint devices that write files have in common: a page of a size in logical pixels, 1/96 inch each.

#include <QPaintDevice>
#include <QSizeF>

namespace stridescope {

class PageDevice : public QPaintDevice {
protected:
    explicit PageDevice(QSizeF size) : m_size(size) {}
    int metric(PaintDeviceMetric metric) const override;

private:
    QSizeF m_size;
};

} // namespace stridescope
