#pragma once
// The console: lines of code and what they printed, with a field for the next line.

#include "app/window/prompt_field.h"

class QToolButton;

namespace stridescope {

/// Colours of what the console shows, by what each line is.
class ConsoleColours;

class Console : public QWidget {
    Q_OBJECT

public:
    /// Older lines are dropped, and counted.
    static constexpr int kMaxLines = 10'000;

    explicit Console(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// Writes ">>> line" (continued with "...") and returns a number for markUndone().
    int echo(const QString& line);
    void print(const QString& text);
    void printError(const QString& exception, const QString& message, const QString& hint);
    /// A traceback as Python prints it: the exception's own words stand out.
    void printTraceback(const QString& text);
    /// Marks line `line`, counted from 1, of an echoed text: `what` went wrong there.
    void markWrong(int echoNumber, int line, const QString& what);
    /// What became of an echoed line.
    enum class Undone {
        No,
        Redoable, ///< taken back
        Gone      ///< taken back, and something else done since: no redo brings it back
    };
    /// Greys the echoed line and says that it is undone, or takes that back.
    void setUndone(int echoNumber, Undone undone);
    /// Puts `line` at the prompt, all of it selected, without running it.
    void propose(const QString& line);
    /// Puts lines at the prompt, to be read, changed and run.
    void offerBlock(const QString& code);
    /// What Enter does with a text that is whole.
    void enter();
    void focusPrompt();
    /// Lines of output that are seen at once; 0 while the console is not on screen.
    int linesInSight() const;
    /// Pixels that the block at the prompt would need more than the console has.
    int missingHeight() const;
    PromptField* prompt() const { return m_field; }
    /// What stands before the field: ">>>", "..." or nothing.
    void setPrompt(const QString& prompt);
    QString promptText() const { return m_field->prompt(); }
    /// What is typed answers input(); Enter alone is an answer, too.
    void setAsking(bool asking);
    void setPython(bool on);
    /// Whose lines they are: "3.11.2"; empty while no Python runs.
    void setPythonVersion(const QString& version);
    /// Offers Stop while a line is being carried out.
    void setBusy(bool busy);
    /// `text` with characters that would steer a terminal, or turn the line round, as \uXXXX.
    static QString escaped(const QString& text);
    QString text() const { return m_output->toPlainText(); }

Q_SIGNALS:
    void lineEntered(const QString& line);
    /// A text of several lines: shown first, run when the user says so.
    void linesPasted(const QString& text);
    /// The user wants lines to be Python's, or no longer.
    void pythonToggled(bool on);
    void stopRequested();
    /// No answer will be typed to what is asked.
    void inputEnded();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    enum class Kind : quint8 { Code, Output, Error };
    friend class ConsoleColours;
    void fitField();
    void fitPlaceholder();
    int roomForField() const;
    void append(const QString& text, Kind kind, int echoNumber = -1);
    void interrupt();
    void followEnd();

    Theme m_theme;
    QPlainTextEdit* m_output;
    bool m_atEnd = true; ///< of the output its end is seen
    ConsoleColours* m_colours;
    PromptField* m_field;
    QToolButton *m_pythonButton, *m_stop;
    bool m_asking = false;
    int m_echoes = 0;
};

} // namespace stridescope
