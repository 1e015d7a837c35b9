#pragma once
// PaintedText: words in pictures, and about them, can be translated. They are said by functions, which have no tr().

#include <QCoreApplication>

namespace stridescope {

struct PaintedText {
    Q_DECLARE_TR_FUNCTIONS(PaintedText)
};

} // namespace stridescope
