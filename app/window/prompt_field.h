#pragma once
// The field at the console's prompt: one line, or a block of several that is edited as a whole.

#include "widgets/code/code_edit.h"

#include <QStringList>

#include <functional>

namespace stridescope {

/// Enter hands the text on; where it is no whole statement yet, Enter goes on in the next line. Up and Down recall what
/// was entered before. A pasted text of several lines is handed on whole, unless one was begun.
class PromptField : public CodeEdit {
    Q_OBJECT

public:
    static constexpr int kRecalled = 500;
    static constexpr int kMostRows = 12; ///< in sight at once; more are scrolled
    static constexpr qsizetype kLongest = 100'000;

    explicit PromptField(QWidget* parent = nullptr);
    void setTheme(const Theme& theme) override;
    void remember(const QString& text);
    const QStringList& recalled() const { return m_entered; }
    void setRecalled(const QStringList& texts);
    /// What the clipboard held, at the cursor; several lines for an empty prompt are handed on whole.
    void insertPasted(const QString& pasted);
    /// What stands before the first line: ">>>", or what input() asks.
    void setPrompt(const QString& prompt);
    const QString& prompt() const { return m_prompt; }
    /// Whether a text needs another line; without one every text is whole.
    void setIncomplete(std::function<bool(const QString&)> isIncomplete) { m_isIncomplete = std::move(isIncomplete); }
    /// Rows that the field may be high, where the window has no room for kMostRows.
    void setMostRows(int rows);
    /// Rows that the text has, at most kMostRows, and their height.
    int rows() const;
    int heightOf(int rows) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void returnPressed();
    /// The clipboard is wanted. Its owner may have hung, so it is not asked here.
    void pasteRequested();
    void linesPasted(const QString& text);
    /// Ctrl+C with nothing selected: what runs is to stop, as in a terminal.
    void interruptRequested();
    /// Ctrl+D with nothing typed: the end of what is typed in, as in a terminal.
    void endRequested();
    void rowsChanged();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool canInsertFromMimeData(const QMimeData* source) const override;
    void insertFromMimeData(const QMimeData* source) override;
    QString marginText(int line) const override;
    int marginWidth() const override;

private:
    bool recall(int by);
    void enter();

    QStringList m_entered;
    int m_at = 0;
    QString m_draft, m_prompt;
    int m_mostRows = kMostRows;
    std::function<bool(const QString&)> m_isIncomplete;
};

} // namespace stridescope
