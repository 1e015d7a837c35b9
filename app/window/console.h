#pragma once
// The console: lines of code and what they printed, with a field for the next line.

#include "widgets/theme/theme.h"

#include <QLineEdit>
#include <QPlainTextEdit>
#include <QStringList>
#include <QWidget>

class QLabel;
class QToolButton;

namespace stridescope {

/// The field at the prompt: Up and Down recall lines, a pasted text of several lines is handed on whole.
class PromptField : public QLineEdit {
    Q_OBJECT

public:
    explicit PromptField(QWidget* parent = nullptr);
    void remember(const QString& line);
    const QStringList& recalled() const { return m_lines; }
    void setRecalled(const QStringList& lines);
    /// What the clipboard held, at the cursor; several lines are handed on whole.
    void insertPasted(const QString& text);

Q_SIGNALS:
    /// The clipboard is wanted. Its owner may have hung, so it is not asked here.
    void pasteRequested();
    void linesPasted(const QString& text);

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void recall(int by);

    QStringList m_lines;
    int m_at = 0;
    QString m_draft;
};

class Console : public QWidget {
    Q_OBJECT

public:
    /// Older lines are dropped, and counted.
    static constexpr int kMaxLines = 10'000;
    static constexpr int kRecalledLines = 500;

    explicit Console(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// Writes ">>> line" (continued with "...") and returns a number for markUndone().
    int echo(const QString& line);
    void print(const QString& text);
    void printError(const QString& exception, const QString& message, const QString& hint);
    /// Greys the echoed line and says that it is undone, or takes that back.
    void setUndone(int echoNumber, bool undone);
    /// Puts `line` at the prompt, all of it selected, without running it.
    void propose(const QString& line);
    void focusPrompt();
    /// Lines of output that are seen at once; 0 while the console is not on screen.
    int linesInSight() const;
    PromptField* prompt() const { return m_field; }
    /// What stands before the field: ">>>", "..." or nothing.
    void setPrompt(const QString& prompt);
    QString promptText() const;
    /// Whether Enter alone is a line: the end of a block, an empty answer.
    void setTakesEmptyLines(bool takes) { m_takesEmptyLines = takes; }
    void setPython(bool on);
    QString text() const { return m_output->toPlainText(); }

Q_SIGNALS:
    void lineEntered(const QString& line);
    /// A text of several lines: shown first, run when the user says so.
    void linesPasted(const QString& text);
    /// The user wants lines to be Python's, or no longer.
    void pythonToggled(bool on);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class Kind : int { Code, Output, Error };
    void append(const QString& text, Kind kind, int echoNumber = -1);
    void colour();
    QString escaped(const QString& text) const;

    Theme m_theme;
    QPlainTextEdit* m_output;
    QLabel* m_promptLabel;
    PromptField* m_field;
    QToolButton* m_pythonButton;
    bool m_takesEmptyLines = false;
    int m_echoes = 0;
};

} // namespace stridescope
