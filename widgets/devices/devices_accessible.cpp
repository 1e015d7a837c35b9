#include "widgets/devices/devices_accessible.h"

#include "widgets/devices/devices_view.h"

#include <QAccessibleWidget>
#include <QWindow>

namespace stridescope {

namespace {

class ViewAccessible : public QAccessibleWidget {
public:
    explicit ViewAccessible(DevicesView* view) : QAccessibleWidget(view, QAccessible::Graphic) {}
    ~ViewAccessible() override {
        for (const QAccessible::Id id : std::as_const(m_parts)) QAccessible::deleteAccessibleInterface(id);
    }
    DevicesView* view() const { return static_cast<DevicesView*>(widget()); }
    /// What stands at that place of the picture now; null: nothing any more.
    const DevicesSpot* spot(std::size_t place) const {
        if (!view()) return nullptr;
        const auto& spots = view()->picture().spots;
        return place < spots.size() ? &spots[place] : nullptr;
    }
    QRect onScreen(const QRectF& rect) const {
        const QRect part = view()->onWidget(rect).toAlignedRect();
        return {view()->mapToGlobal(part.topLeft()), part.size()};
    }
    int childCount() const override { return view() ? static_cast<int>(view()->picture().spots.size()) : 0; }
    QAccessibleInterface* child(int index) const override;
    int indexOfChild(const QAccessibleInterface* child) const override {
        return static_cast<int>(m_parts.indexOf(QAccessible::uniqueId(const_cast<QAccessibleInterface*>(child))));
    }
    QAccessibleInterface* childAt(int x, int y) const override {
        for (int i = childCount() - 1; i >= 0; --i)
            if (QAccessibleInterface* part = child(i); part->rect().contains(x, y)) return part;
        return nullptr;
    }
    QString text(QAccessible::Text kind) const override {
        if (kind == QAccessible::Description && view() && view()->accessibleDescription().isEmpty())
            return view()->scene().title;
        return QAccessibleWidget::text(kind);
    }

private:
    mutable QList<QAccessible::Id> m_parts; ///< by place
};

class SpotPart : public QAccessibleInterface, public QAccessibleActionInterface {
public:
    SpotPart(const ViewAccessible* owner, std::size_t place) : m_owner(owner), m_place(place) {}
    const DevicesSpot* now() const { return m_owner->spot(m_place); }
    bool isValid() const override { return now() != nullptr; }
    QObject* object() const override { return nullptr; }
    QAccessibleInterface* parent() const override { return const_cast<ViewAccessible*>(m_owner); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    QWindow* window() const override { return m_owner->window(); }
    void setText(QAccessible::Text, const QString&) override {}
    QString text(QAccessible::Text kind) const override {
        const DevicesSpot* spot = now();
        return spot && kind == QAccessible::Name ? spot->told : QString();
    }
    QRect rect() const override {
        const DevicesSpot* spot = now();
        return spot ? m_owner->onScreen(spot->rect) : QRect();
    }
    QAccessible::Role role() const override {
        const DevicesSpot* spot = now();
        return spot && spot->kind == DevicesSpotKind::Way ? QAccessible::Button : QAccessible::StaticText;
    }
    QAccessible::State state() const override {
        QAccessible::State state;
        state.readOnly = role() == QAccessible::StaticText;
        return state;
    }
    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::ActionInterface && role() == QAccessible::Button
                   ? static_cast<QAccessibleActionInterface*>(this)
                   : nullptr;
    }
    QStringList actionNames() const override { return {pressAction()}; }
    void doAction(const QString& name) override {
        const DevicesSpot* spot = now();
        if (spot && name == pressAction()) m_owner->view()->press(spot->index);
    }
    QStringList keyBindingsForAction(const QString&) const override { return {}; }

private:
    const ViewAccessible* m_owner;
    std::size_t m_place;
};

QAccessibleInterface* ViewAccessible::child(int index) const {
    if (index < 0 || index >= childCount()) return nullptr;
    while (m_parts.size() <= index)
        m_parts.append(
            QAccessible::registerAccessibleInterface(new SpotPart(this, static_cast<std::size_t>(m_parts.size()))));
    return QAccessible::accessibleInterface(m_parts[index]);
}

QAccessibleInterface* makeInterface(const QString&, QObject* object) {
    if (auto* view = qobject_cast<DevicesView*>(object)) return new ViewAccessible(view);
    return nullptr;
}

} // namespace

void installDevicesAccessibility() {
    static const bool installed = (QAccessible::installFactory(makeInterface), true);
    Q_UNUSED(installed)
}

} // namespace stridescope
