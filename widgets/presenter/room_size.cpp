#include "widgets/presenter/room_size.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace stridescope {

qreal capShare(RoomSize room) {
    switch (room) {
    case RoomSize::Small:
        return 0.02;
    case RoomSize::Lecture:
        return 0.03;
    case RoomSize::Hall:
        return 0.04;
    }
    return 0.03;
}

qreal presenterScale(RoomSize room, qreal height) {
    // Of both faces and all weights the one with the lowest capitals.
    static const qreal lowest = [] {
        Theme::loadFonts();
        qreal cap = Theme::kPresenterPixels;
        for (const QFont::Weight weight : {QFont::Normal, QFont::Medium, QFont::DemiBold, QFont::Bold}) {
            for (const QFont& font :
                 {Theme::sansFont(Theme::kPresenterPixels, weight), Theme::monoFont(Theme::kPresenterPixels, weight)})
                cap = std::min(cap, QFontMetricsF(font).capHeight());
        }
        return cap;
    }();
    return std::max(0.25, capShare(room) * height / lowest);
}

QFont presenterFont(const Theme& theme, FontRole role, qreal scale) {
    QFont font = theme.font(role);
    font.setPixelSize(std::max(1, static_cast<int>(std::ceil(font.pixelSize() * scale))));
    return font;
}

} // namespace stridescope
