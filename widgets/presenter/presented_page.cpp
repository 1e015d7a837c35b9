#include "widgets/presenter/presented_page.h"

namespace stridescope {

PresentedPage::PresentedPage(QWidget* parent) : QWidget(parent) {}

PresentedPage::~PresentedPage() = default;

bool PresentedPage::goOn(int) {
    return false;
}

bool PresentedPage::skip(int by) {
    return goOn(by);
}

int PresentedPage::stages() const {
    return 0;
}

int PresentedPage::stage() const {
    return 0;
}

QString PresentedPage::stageName() const {
    return {};
}

QString PresentedPage::line() const {
    return {};
}

QPainterPath PresentedPage::spotlight() const {
    return {};
}

} // namespace stridescope
