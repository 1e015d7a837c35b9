#include "widgets/shared/accessible_role.h"

#include <QAccessibleWidget>
#include <QVariant>
#include <QWidget>

namespace stridescope {

namespace {

constexpr char kRole[] = "accessibleRole";

QAccessibleInterface* makeInterface(const QString&, QObject* object) {
    const QVariant role = object->property(kRole);
    auto* widget = qobject_cast<QWidget*>(object);
    return widget && role.isValid() ? new QAccessibleWidget(widget, static_cast<QAccessible::Role>(role.toInt()))
                                    : nullptr;
}

} // namespace

void setAccessibleRole(QWidget* widget, QAccessible::Role role) {
    static const bool installed = (QAccessible::installFactory(makeInterface), true);
    Q_UNUSED(installed)
    widget->setProperty(kRole, static_cast<int>(role));
}

} // namespace stridescope
