#pragma once
// MessageBar: an inline message near its cause. Takes no room while there is none and never asks to be dismissed
// before work can go on. What comes while another message has not been read yet stands above it; both can be reached.
// The answer to an act stays until it is closed or until the next act; what came unasked stays until there was time to
// read it. The keyboard goes back to where it was before the message.

#include <QElapsedTimer>
#include <QFrame>
#include <QPointer>

#include <functional>
#include <vector>

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QHBoxLayout;
class QVBoxLayout;

namespace stridescope {

class MessageWords;

class MessageBar : public QFrame {
    Q_OBJECT

public:
    /// Plain: neither good nor bad, such as what a line printed.
    enum class Kind : quint8 { Error, Note, Done, Plain };

    explicit MessageBar(QWidget* parent = nullptr);

    /// Tells what happened: shown at once, in the place of what was read already. `title` says what was refused,
    /// `detail` the reason and the numbers, `hint` what to do. The same words again are told once.
    void showMessage(Kind kind, const QString& title, const QString& detail = {}, const QString& hint = {});
    /// Tells what goes on ("Opening x.npy"), until endState(). There is one for each `state`, a number of the owner's
    /// above 0.
    void showState(int state, Kind kind, const QString& title, const QString& detail = {});
    void endState(int state);
    /// Other details of it, wherever it stands.
    void setStateDetail(int state, const QString& text);
    /// The message that is shown was no answer to what the user did: it outlives clear() until there was time to read
    /// it.
    void keepUntilRead();
    /// Takes the buttons from the message of this title, for which they are too late.
    void withdrawActions(const QString& title);
    /// Adds a button to the message that is shown; `act` is carried out once. One with the same text goes.
    void addAction(const QString& text, std::function<void()> act);
    /// A text of many lines in the place of the details and the actions; scrolls.
    void showLongDetail(const QString& text);
    /// For details that stand in columns.
    void setDetailFont(const QFont& font);
    /// The user goes on: takes away what was told, but for what goes on and for what came unasked and could not be
    /// read yet.
    void clear();

    QString title() const;
    QString detail() const;
    Kind kind() const;
    /// How high the message is at `width`. One that is higher than `most` shows one line of its title and one of its
    /// details instead, with a button that unfolds it; 0: as high as it needs.
    int fit(int width, int most);
    /// What goes on that is shown now; 0: nothing, or something that happened.
    int state() const;
    /// Messages that can be reached, the one that is shown among them.
    int count() const { return static_cast<int>(m_messages.size()); }

    /// So long, in milliseconds, has a message with these words to be seen to count as read.
    static qint64 readingTime(const QString& words);
    /// So long, in milliseconds, is a press where the bar was taken for a second one on it.
    static constexpr int kSecondPress = 1000;

Q_SIGNALS:
    void closed();
    /// It goes with the keyboard, and what had it before takes it no more.
    void keyboardFreed();
    /// Other words or buttons, or none: it may need another height.
    void changed();

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    struct Action {
        QString text;
        std::function<void()> act;
    };
    struct Message {
        Kind kind = Kind::Note;
        int state = 0;
        QString title, detail, longDetail, style;
        std::vector<Action> actions;
        qint64 seen = 0; ///< milliseconds
        bool kept = false, answered = false;
    };
    static bool wasRead(const Message& message);
    void push(Message message);
    /// Adds the time that the message in sight has been there.
    void countTime();
    /// Shows the last message, or nothing.
    void present();
    void leave(); ///< before it hides
    bool hasKeyboard() const;
    void presentActions(const Message& message);
    void presentLongDetail(const QString& text);
    void turn();                      ///< to the next message
    int wholeHeight(int width) const; ///< of all lines
    int highNow() const;              ///< at the width that fit() was told

    std::vector<Message> m_messages; ///< the last one is shown
    QElapsedTimer m_inSight;         ///< invalid while nothing is seen
    QPointer<QWidget> m_before;      ///< had the keyboard when the message came
    QRect m_place;                   ///< of the bar that has just gone, on the screen
    QElapsedTimer m_gone;
    QLabel* m_glyph;
    MessageWords *m_title, *m_detail;
    QPlainTextEdit* m_long = nullptr; ///< while a long text is shown
    QHBoxLayout* m_row;
    QVBoxLayout* m_words;
    QHBoxLayout* m_actions;
    QPushButton *m_fold, *m_more, *m_close;
    bool m_unfolded = false;                     ///< the user wants all lines of the message that is shown
    int m_fitWidth = 0, m_whole = 0, m_high = 0; ///< what fit() was told, and found
};

} // namespace stridescope
