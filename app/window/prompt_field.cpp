#include "app/window/prompt_field.h"

#include <QKeyEvent>
#include <QMimeData>
#include <QPlainTextDocumentLayout>
#include <QScrollBar>
#include <QTextBlock>

#include <algorithm>
#include <cmath>
#include <utility>

namespace stridescope {

namespace {

constexpr int kAir = 5; ///< above and below the text

} // namespace

PromptField::PromptField(QWidget* parent) : CodeEdit(parent), m_prompt(QStringLiteral(">>>")) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    setWordWrapMode(QTextOption::WrapAnywhere);
    document()->setDocumentMargin(0);
    setAir(kAir);
    connect(document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged, this,
            [this, before = 1]() mutable {
                if (rows() == std::exchange(before, rows())) return;
                updateGeometry();
                Q_EMIT rowsChanged();
            });
}

void PromptField::setTheme(const Theme& theme) {
    CodeEdit::setTheme(theme);
    updateGeometry();
}

int PromptField::rows() const {
    // A plain document counts its height in rows.
    return std::clamp(static_cast<int>(document()->documentLayout()->documentSize().height()), 1, kMostRows);
}

int PromptField::heightOf(int rows) const {
    // As it is laid out: a letter of another font makes its row higher.
    qreal highest = QFontMetricsF(font()).lineSpacing();
    for (QTextBlock block = document()->firstBlock(); block.isValid(); block = block.next())
        highest = std::max(highest, blockBoundingRect(block).height() / std::max(1, block.layout()->lineCount()));
    return static_cast<int>(std::ceil(rows * highest)) + 2 * kAir + 1;
}

void PromptField::setMostRows(int rows) {
    rows = std::clamp(rows, 1, kMostRows);
    if (rows == m_mostRows) return;
    m_mostRows = rows;
    updateGeometry();
}

QSize PromptField::sizeHint() const {
    return {200, heightOf(std::min(rows(), m_mostRows))};
}

QSize PromptField::minimumSizeHint() const {
    return {80, sizeHint().height()};
}

// --- What was entered before ---

void PromptField::remember(const QString& text) {
    m_entered.removeAll(text);
    m_entered << text;
    while (m_entered.size() > kRecalled) m_entered.removeFirst();
    m_at = static_cast<int>(m_entered.size());
    m_draft.clear();
}

void PromptField::setRecalled(const QStringList& texts) {
    m_entered = texts.mid(std::max<qsizetype>(0, texts.size() - kRecalled));
    m_at = static_cast<int>(m_entered.size());
}

bool PromptField::recall(int by) {
    const int next = std::clamp(m_at + by, 0, static_cast<int>(m_entered.size()));
    if (next == m_at) return false;
    if (m_at == m_entered.size()) m_draft = text();
    m_at = next;
    setText(m_at == m_entered.size() ? m_draft : m_entered[m_at]);
    moveCursor(QTextCursor::End);
    return true;
}

// --- Keys ---

void PromptField::insertPasted(const QString& pasted) {
    QString text = pasted;
    text.replace(QStringLiteral("\r\n"), QStringLiteral("\n"));
    // Into a text that was begun they belong where the cursor is.
    const bool replaces = textCursor().selectedText().size() == this->text().size();
    if (text.trimmed().contains(QLatin1Char('\n')) && replaces) {
        Q_EMIT linesPasted(text);
        return;
    }
    while (text.endsWith(QLatin1Char('\n'))) text.chop(1);
    insert(text.left(std::max<qsizetype>(0, kLongest - document()->characterCount())));
    ensureCursorVisible();
}

bool PromptField::canInsertFromMimeData(const QMimeData* source) const {
    return source->hasText() && !source->hasUrls(); // files are the window's
}

void PromptField::insertFromMimeData(const QMimeData* source) {
    insertPasted(source->text()); // what is dropped here, or in the mouse's selection
}

bool PromptField::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        // With nothing typed, undo and redo are the window's: those of the field would bring back lines already run.
        const bool history = key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo);
        // X11's editors take Ctrl+E for "end of line", as the End key does, and Ctrl+K for "delete to its end"; in this
        // window they export and search.
        const bool ours =
            (key->key() == Qt::Key_E || key->key() == Qt::Key_K) && key->modifiers() == Qt::ControlModifier;
        if (ours || (history && document()->isEmpty())) {
            event->ignore();
            return true;
        }
        if (key->matches(QKeySequence::DeleteStartOfWord) && !document()->isEmpty()) {
            event->accept();
            return true;
        }
    }
    if (event->type() == QEvent::FontChange) updateGeometry(); // a row is as high as its letters
    return CodeEdit::event(event);
}

void PromptField::enter() {
    const QString entered = text();
    // In the middle of a block Enter makes room there; an empty line at its end runs it.
    const bool atEnd = textCursor().blockNumber() + 1 == blockCount();
    if (m_isIncomplete && ((blockCount() > 1 && !atEnd) || m_isIncomplete(entered))) {
        insertNewLine();
        return;
    }
    closeCompletions();
    Q_EMIT returnPressed();
}

void PromptField::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Paste)) {
        Q_EMIT pasteRequested();
        return;
    }
    if (event->matches(QKeySequence::Copy) && !textCursor().hasSelection()) {
        closeCompletions();
        Q_EMIT interruptRequested();
        return;
    }
    const auto modifiers = event->modifiers() & ~Qt::KeypadModifier;
    if (event->key() == Qt::Key_D && modifiers == Qt::ControlModifier && document()->isEmpty()) {
        Q_EMIT endRequested();
        return;
    }
    if (!isCompleting()) {
        const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
        if (isEnter && modifiers == Qt::ShiftModifier) {
            insertNewLine();
            return;
        }
        if (isEnter && modifiers == Qt::ControlModifier) {
            closeCompletions();
            Q_EMIT returnPressed();
            return;
        }
        if (isEnter && modifiers == Qt::NoModifier) {
            enter();
            return;
        }
        // At the edge of the text the arrows lead out of it, to other texts.
        if (modifiers == Qt::NoModifier && (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)) {
            QTextCursor cursor = textCursor();
            const bool up = event->key() == Qt::Key_Up;
            if (!cursor.movePosition(up ? QTextCursor::Up : QTextCursor::Down)) {
                closeCompletions();
                recall(up ? -1 : 1);
                return;
            }
        }
    }
    CodeEdit::keyPressEvent(event);
}

// --- The prompt ---

void PromptField::setPrompt(const QString& prompt) {
    if (prompt == m_prompt) return;
    m_prompt = prompt;
    updateMargin();
}

QString PromptField::marginText(int line) const {
    return line == 0 ? m_prompt : QStringLiteral("...");
}

int PromptField::marginWidth() const {
    return 16 + 8 + QFontMetrics(font()).horizontalAdvance(m_prompt.isEmpty() ? QStringLiteral(">>>") : m_prompt);
}

} // namespace stridescope
