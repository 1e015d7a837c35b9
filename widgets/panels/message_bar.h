#pragma once
// MessageBar: an inline message near its cause. Takes no room while there is none and never asks to be dismissed
// before work can go on.

#include <QFrame>

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QHBoxLayout;
class QVBoxLayout;

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
    /// Other details of the message that is shown, while somebody may be pressing its buttons.
    void setDetail(const QString& text);
    /// A text of many lines in the place of the details and the actions; scrolls.
    void showLongDetail(const QString& text);
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
    void clearActions();

    Kind m_kind = Kind::Note;
    QLabel* m_glyph;
    QLabel* m_title;
    QLabel* m_detail;
    QPlainTextEdit* m_long = nullptr; ///< while a long text is shown
    QVBoxLayout* m_words;
    QHBoxLayout* m_actions;
    QPushButton* m_close;
};

} // namespace stridescope
