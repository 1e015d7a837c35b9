#pragma once
// CheckSegments: some of a few choices, side by side. One at least is always taken; with `one` exactly one.

#include <QFrame>
#include <QStringList>

class QPushButton;

namespace stridescope {

class CheckSegments : public QFrame {
    Q_OBJECT

public:
    CheckSegments(const QString& name, bool one, QWidget* parent = nullptr);
    struct Choice {
        QString key, text, tip;
    };
    /// What was checked stays checked where it is still there.
    void setChoices(const std::vector<Choice>& choices);
    QStringList checked() const;
    /// Keys that there are not are passed over; with none left nothing changes.
    void setChecked(const QStringList& keys);

Q_SIGNALS:
    void changed();

private:
    void toggled(QPushButton* button);

    bool m_one;
    std::vector<std::pair<QString, QPushButton*>> m_buttons;
};

} // namespace stridescope
