#pragma once
// A paint device that writes plain text: what a QPainter writes on it stands in lines and columns near its place.

#include "widgets/scene/page_device.h"

#include <QByteArray>

#include <memory>

namespace stridescope {

class TextEngine;

/// For terminals, mails and comments. Texts keep their order and, where they do not need more room than they had, their
/// columns; upright lines between cells are "|". Colours, arrows and curves are left out.
class TextDevice : public PageDevice {
public:
    explicit TextDevice(QSizeF size);
    ~TextDevice() override;

    QPaintEngine* paintEngine() const override;
    /// UTF-8, without spaces at line ends. To be called after the painter has ended.
    QByteArray picture() const;

private:
    std::unique_ptr<TextEngine> m_engine;
};

} // namespace stridescope
