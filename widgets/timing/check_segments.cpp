#include "widgets/timing/check_segments.h"

#include "widgets/shared/accessible_role.h"

#include <QHBoxLayout>
#include <QPushButton>

#include <algorithm>

namespace stridescope {

CheckSegments::CheckSegments(const QString& name, bool one, QWidget* parent) : QFrame(parent), m_one(one) {
    setAccessibleRole(this, QAccessible::Grouping);
    setProperty("kind", QStringLiteral("segments"));
    setProperty("small", true);
    setAccessibleName(name);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
}

void CheckSegments::setChoices(const std::vector<Choice>& choices) {
    const QStringList before = checked();
    for (const auto& [key, button] : m_buttons) delete button;
    m_buttons.clear();
    for (const Choice& choice : choices) {
        auto* button = new QPushButton(choice.text, this);
        button->setObjectName(objectName() + QLatin1Char(':') + choice.key);
        button->setCheckable(true);
        button->setToolTip(choice.tip);
        button->setAccessibleName(accessibleName() + QStringLiteral(": ") + choice.text);
        button->setSizePolicy(QSizePolicy::MinimumExpanding, QSizePolicy::Fixed);
        connect(button, &QPushButton::clicked, this, [this, button] { toggled(button); });
        layout()->addWidget(button);
        m_buttons.emplace_back(choice.key, button);
    }
    if (!m_buttons.empty()) m_buttons.front().second->setChecked(true);
    setChecked(before);
}

QStringList CheckSegments::checked() const {
    QStringList keys;
    for (const auto& [key, button] : m_buttons)
        if (button->isChecked()) keys << key;
    return keys;
}

void CheckSegments::setChecked(const QStringList& keys) {
    const bool any =
        std::any_of(m_buttons.begin(), m_buttons.end(), [&](const auto& each) { return keys.contains(each.first); });
    if (!any) return;
    bool taken = false;
    for (const auto& [key, button] : m_buttons) {
        const bool on = keys.contains(key) && !(m_one && taken);
        button->setChecked(on);
        taken |= on;
    }
}

void CheckSegments::toggled(QPushButton* button) {
    if (m_one) {
        for (const auto& [key, each] : m_buttons) each->setChecked(each == button);
    } else if (checked().isEmpty()) {
        button->setChecked(true);
    }
    Q_EMIT changed();
}

} // namespace stridescope
