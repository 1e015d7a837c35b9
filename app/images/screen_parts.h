#pragma once
// Small parts that the images' screen has in several places.

#include <QLabel>
#include <QMenu>
#include <QToolButton>

namespace stridescope {

inline QLabel* quietLabel(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setProperty("quiet", true);
    return label;
}

inline QToolButton* menuButton(const QString& text, const QString& what, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setProperty("kind", QStringLiteral("button"));
    button->setText(text);
    button->setToolTip(what);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setMenu(new QMenu(button));
    return button;
}

} // namespace stridescope
