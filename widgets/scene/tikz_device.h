#pragma once
// A paint device that writes TikZ: what a QPainter draws on it becomes paths, fills and text of a LaTeX picture.

#include "widgets/scene/page_device.h"

#include <QByteArray>

#include <memory>

namespace stridescope {

class TikzEngine;

/// One unit is a logical pixel, 1/96 inch; y grows downwards. Images become rectangles of one colour each, coarser
/// when they would be more than kMostRects.
class TikzDevice : public PageDevice {
public:
    /// Rectangles that one image may become: TeX keeps a whole picture in its memory.
    static constexpr int kMostRects = 6000;

    explicit TikzDevice(QSizeF size);
    ~TikzDevice() override;

    QPaintEngine* paintEngine() const override;
    /// The tikzpicture environment. To be called after the painter has ended.
    QByteArray picture() const;

private:
    std::unique_ptr<TikzEngine> m_engine;
};

} // namespace stridescope
