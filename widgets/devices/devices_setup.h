#pragma once
// The panel beside the Devices picture: a simulated device by its numbers, switched on by a line of code, and lines to
// try on it.

#include "widgets/theme/theme.h"

#include <QJsonObject>
#include <QWidget>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace stridescope {

class RangeControl;

class DevicesSetup : public QWidget {
    Q_OBJECT

public:
    explicit DevicesSetup(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// What there is: simulated devices, one that has failed (its name), and why no line can be run (empty: it can).
    void setState(bool simulated, const QString& failed, const QString& missing);
    /// The line that the numbers make: "torch.sim.enable(devices=2, memory=64 << 20)".
    QString enableLine() const;
    /// Lines to try, as they stand on the buttons.
    QStringList lines() const { return m_lines; }

    QJsonObject kept() const;
    void keep(const QJsonObject& values);

Q_SIGNALS:
    void lineWanted(const QString& line);
    void changed(); ///< the line is another one

private:
    struct Number {
        QString name;
        RangeControl* control;
        Index value;
    };
    RangeControl* number(const QString& name, const QString& title, const QString& unit, Index low, Index high,
                         Index value, QVBoxLayout* to);
    Index valueOf(const char* name) const;
    QPushButton* button(const char* name, const QString& text, const QString& what, QVBoxLayout* to);
    void follow();

    std::vector<Number> m_numbers;
    QStringList m_lines;
    QLabel *m_line, *m_words;
    QPushButton *m_on, *m_off, *m_again;
    std::vector<QPushButton*> m_tries;
    QString m_failed;
    bool m_simulated = false;
};

} // namespace stridescope
