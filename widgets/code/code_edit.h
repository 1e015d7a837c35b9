#pragma once
// CodeEdit: a field for Python source. Colours, indents, a margin for prompts or numbers of lines, completions.

#include "widgets/code/completion_list.h"
#include "widgets/code/python_tokens.h"

#include <QPlainTextEdit>
#include <QPointer>
#include <QSyntaxHighlighter>

#include <map>

namespace stridescope {

/// Colours of pythonSpans() for a whole document.
class PythonHighlighter : public QSyntaxHighlighter {
    Q_OBJECT

public:
    using QSyntaxHighlighter::QSyntaxHighlighter;
    void setTheme(const Theme& theme);

protected:
    void highlightBlock(const QString& text) override;

private:
    Theme m_theme;
};

class CodeEdit : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit CodeEdit(QWidget* parent = nullptr);
    ~CodeEdit() override;

    virtual void setTheme(const Theme& theme);
    const Theme& theme() const { return m_theme; }
    /// Colours for Python; on at first.
    void setHighlighting(bool on);
    QString text() const { return toPlainText(); }
    void setText(const QString& text) { setPlainText(text); }
    void insert(const QString& text) { insertPlainText(text); }
    /// An example of what could stand here, in the font and direction of code: Qt's own placeholder has those of the
    /// window.
    void setPlaceholder(const QString& text);
    const QString& placeholder() const { return m_placeholder; }

    /// Marks lines, counted from 1, by a ground and a sign in the margin.
    enum class Mark : quint8 { Current, Wrong };
    void setMarks(const std::map<int, Mark>& marks);
    const std::map<int, Mark>& marks() const { return m_marks; }

    // --- Completion ---
    /// Whether Tab behind a word and Ctrl+Space ask for completions.
    void setCompletes(bool completes);
    bool completes() const { return m_completes; }
    void showCompletions(const std::vector<Completion>& items, const QString& note = {});
    void showCall(const CallHint& hint);
    void closeCompletions();
    bool isCompleting() const;
    CompletionList* completionList() const { return m_list; }
    CallTip* callTip() const { return m_tip; }
    /// The part of a name before the cursor; the rest of the line before it.
    QString wordBefore() const;
    QString lineBefore() const;

Q_SIGNALS:
    void completionWanted();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

    /// What stands beside a line in the margin, counted from 0.
    virtual QString marginText(int line) const;
    virtual int marginWidth() const;
    void updateMargin();
    /// Pixels above and below the text that are always there.
    void setAir(int pixels);
    /// A line end with the indent that the next line has.
    void insertNewLine();
    /// Whether nothing but the indent that the line got by itself stands before the cursor.
    bool isOwnIndent(const QString& before) const;
    /// After the colon of `else:` and the like: to the indent of what it belongs to.
    void closeBlock();

private:
    class Margin;
    friend class Margin;
    void paintMargin(QPaintEvent* event);
    bool takesTab() const;
    bool handleCompletionKey(QKeyEvent* event);
    void accept(const QString& text);
    /// Of the word before the cursor, in the window.
    QRect wordPlace() const;
    /// The same, with the rows above that the call before the cursor begins in.
    QRect callPlace() const;
    /// List and tip stand over the window: they have to move with what the code stands in.
    void followPlace();
    /// The overlay, over the window that the code stands in now: a dock that floats is another one.
    template <class Overlay>
    Overlay* overlay(QPointer<Overlay>& made);
    void placeOverlays();
    void showMarks();

    Theme m_theme;
    PythonHighlighter* m_highlighter;
    QWidget* m_margin;
    QPointer<CompletionList> m_list; ///< made when first needed; a child of the window, which may be gone first
    QPointer<CallTip> m_tip;
    std::map<int, Mark> m_marks;
    bool m_completes = false;
    int m_air = 0;
    int m_ownIndent = 0;     ///< that the newest line got by itself
    int m_typedIndent = 0;   ///< spaces that were typed on it all the same, and stand for those
    bool m_closable = false; ///< `else:` on that line belongs one step further out
    QString m_placeholder;
};

} // namespace stridescope
