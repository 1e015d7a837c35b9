#include "widgets/shared/screen.h"

namespace stridescope {

Screen::Screen(QWidget* parent) : QWidget(parent) {}

Screen::~Screen() = default;

void Screen::setReducedMotion(bool) {}

std::optional<Scene> Screen::picture() const {
    return std::nullopt;
}

std::optional<Animation> Screen::animation() const {
    return std::nullopt;
}

bool Screen::hasPicture() const {
    return picture().has_value();
}

bool Screen::canZoom() const {
    return false;
}

void Screen::zoom(Zoom) {}

QString Screen::undoTitle() const {
    return {};
}

QString Screen::redoTitle() const {
    return {};
}

void Screen::undo() {}

void Screen::redo() {}

std::optional<QString> Screen::shownDType() const {
    return std::nullopt;
}

QJsonObject Screen::kept() const {
    return {};
}

void Screen::keep(const QJsonObject&) {}

QRect Screen::messagePlace() const {
    return {};
}

PresentedPage* Screen::presentedPage(QWidget*) {
    return nullptr;
}

} // namespace stridescope
