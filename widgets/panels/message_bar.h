#pragma once
// MessageBar: an inline message near its cause. Takes no room while there is none and never asks to be dismissed
// before work can go on.

#include <QFrame>

class QLabel;
class QPushButton;
class QHBoxLayout;

namespace stridescope {

class MessageBar : public QFrame {
    Q_OBJECT

public:
    enum class Kind : quint8 { Error, Note, Done };

    explicit MessageBar(QWidget* parent = nullptr);

    /// Replaces what is shown. `title` says what was refused, `detail` the reason and the numbers, `hint` what to do.
    void showMessage(Kind kind, const QString& title, const QString& detail = {}, const QString& hint = {});
    /// Adds a button to the message that is shown; `code` comes back through actionRequested.
    void addAction(const QString& text, const QString& code);
    /// For details that stand in columns, until the next message.
    void setDetailFont(const QFont& font);
    void clear();

    QString title() const;
    QString detail() const;
    Kind kind() const { return m_kind; }

Q_SIGNALS:
    void actionRequested(const QString& code);
    void closed();

private:
    Kind m_kind = Kind::Note;
    QLabel* m_glyph;
    QLabel* m_title;
    QLabel* m_detail;
    QHBoxLayout* m_actions;
    QPushButton* m_close;
};

} // namespace stridescope
