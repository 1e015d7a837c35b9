#pragma once
// Roles for widgets that are no standard control: screen readers would be told "client", which says nothing.

#include <QAccessible>

namespace stridescope {

/// Screen readers are told that `widget` is a `role`. To be called before the widget gets a name: Qt keeps the first
/// interface that anybody asks for, and naming a widget may ask.
void setAccessibleRole(QWidget* widget, QAccessible::Role role);

} // namespace stridescope
