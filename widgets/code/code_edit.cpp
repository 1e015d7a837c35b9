#include "widgets/code/code_edit.h"

#include "widgets/shared/reading_direction.h"

#include <QKeyEvent>
#include <QPainter>
#include <QRegularExpression>
#include <QTextBlock>

namespace stridescope {

namespace {

constexpr int kIndent = 4;
const QString kSpaces(kIndent, QLatin1Char(' '));

int indentOf(const QString& line) {
    int spaces = 0;
    while (spaces < line.size() && line[spaces] == QLatin1Char(' ')) ++spaces;
    return spaces;
}

} // namespace

// --- Colours ---

void PythonHighlighter::setTheme(const Theme& theme) {
    m_theme = theme;
    rehighlight();
}

void PythonHighlighter::highlightBlock(const QString& text) {
    std::vector<PythonSpan> spans;
    const auto before = static_cast<PythonOpen>(std::max(0, previousBlockState()));
    setCurrentBlockState(static_cast<int>(pythonSpans(text, before, spans)));
    for (const PythonSpan& span : spans) setFormat(span.start, span.length, m_theme.color(toneOf(span.kind)));
}

// --- The margin ---

class CodeEdit::Margin : public QWidget {
public:
    explicit Margin(CodeEdit* edit) : QWidget(edit), m_edit(edit) { setFocusPolicy(Qt::NoFocus); }

protected:
    void paintEvent(QPaintEvent* event) override { m_edit->paintMargin(event); }

private:
    CodeEdit* m_edit;
};

CodeEdit::CodeEdit(QWidget* parent)
    : QPlainTextEdit(parent), m_highlighter(new PythonHighlighter(document())), m_margin(new Margin(this)) {
    setFrameShape(QFrame::NoFrame);
    setProperty("mono", true);
    readFromLeft(*this);
    setTabChangesFocus(true); // where Tab does nothing for the code, it leads on
    connect(this, &QPlainTextEdit::blockCountChanged, this, [this] { updateMargin(); });
    connect(this, &QPlainTextEdit::updateRequest, m_margin, [this](const QRect& rect, int dy) {
        dy ? m_margin->update() : m_margin->update(0, rect.y() + m_air, m_margin->width(), rect.height());
    });
    connect(this, &QPlainTextEdit::cursorPositionChanged, this, [this] {
        m_margin->update();
        if (isCompleting()) m_list->setPrefix(wordBefore());
        // Of a name that was taken away again nothing is to be completed.
        if (isCompleting() &&
            (m_list->isEmpty() || (wordBefore().isEmpty() && !lineBefore().endsWith(QLatin1Char('.')))))
            m_list->hide();
        placeOverlays();
    });
}

CodeEdit::~CodeEdit() {
    // They are children of the window, which may live longer, or be deleting its children in an order of its own.
    delete m_list;
    delete m_tip;
}

void CodeEdit::setTheme(const Theme& theme) {
    m_theme = theme;
    setFont(theme.font(FontRole::Code));
    QPalette ground = theme.palette();
    ground.setColor(QPalette::Base, theme.color(Tone::CodeGround));
    ground.setColor(QPalette::Text, theme.color(Tone::Ink));
    ground.setColor(QPalette::PlaceholderText, theme.color(Tone::Ink2));
    setPalette(ground);
    m_highlighter->setTheme(theme);
    if (m_list) m_list->setTheme(theme);
    if (m_tip) m_tip->setTheme(theme);
    setTabStopDistance(QFontMetricsF(font()).horizontalAdvance(kSpaces));
    updateMargin();
    showMarks();
}

void CodeEdit::setPlaceholder(const QString& text) {
    if (text == m_placeholder) return;
    m_placeholder = text;
    setAccessibleDescription(text);
    viewport()->update();
}

void CodeEdit::paintEvent(QPaintEvent* event) {
    QPlainTextEdit::paintEvent(event);
    if (m_placeholder.isEmpty() || !document()->isEmpty()) return;
    QPainter painter(viewport());
    readFromLeft(painter);
    painter.setFont(m_theme.font(FontRole::Code));
    painter.setPen(palette().color(QPalette::PlaceholderText));
    const int margin = static_cast<int>(document()->documentMargin());
    painter.drawText(viewport()->rect().adjusted(margin, margin, -margin, -margin), Qt::AlignLeft | Qt::AlignTop,
                     m_placeholder);
}

void CodeEdit::setHighlighting(bool on) {
    m_highlighter->setDocument(on ? document() : nullptr);
}

QString CodeEdit::marginText(int line) const {
    return QString::number(line + 1);
}

int CodeEdit::marginWidth() const {
    const int digits = std::max(2, static_cast<int>(QString::number(blockCount()).size()));
    return 24 + QFontMetrics(m_theme.font(FontRole::Meta)).horizontalAdvance(QLatin1Char('0')) * digits;
}

void CodeEdit::setAir(int pixels) {
    m_air = pixels;
    updateMargin();
}

void CodeEdit::updateMargin() {
    setViewportMargins(marginWidth(), m_air, 0, m_air);
    m_margin->setGeometry(QRect(contentsRect().topLeft(), QSize(marginWidth(), contentsRect().height())));
    m_margin->update();
}

void CodeEdit::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    updateMargin();
    placeOverlays();
}

void CodeEdit::scrollContentsBy(int dx, int dy) {
    QPlainTextEdit::scrollContentsBy(dx, dy);
    placeOverlays();
}

void CodeEdit::paintMargin(QPaintEvent* event) {
    QPainter painter(m_margin);
    readFromLeft(painter); // ">>>"
    painter.fillRect(event->rect(), m_theme.color(Tone::CodeGround));
    painter.setFont(font());
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QRectF place = blockBoundingGeometry(block).translated(contentOffset() + QPointF(0, m_air));
        if (place.top() > event->rect().bottom()) break;
        const auto mark = m_marks.find(block.blockNumber() + 1);
        const bool marked = mark != m_marks.end();
        const bool wrong = marked && mark->second == Mark::Wrong;
        painter.setPen(m_theme.color(wrong ? Tone::Error : marked ? Tone::Ink : Tone::Ink2));
        const QRectF line(0, place.top(), m_margin->width() - 8, QFontMetricsF(font()).lineSpacing());
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, marginText(block.blockNumber()));
        // A sign as well, for those who do not see the ground's colour.
        if (marked)
            painter.drawText(line.adjusted(3, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                             wrong ? QStringLiteral("×") : QStringLiteral("›"));
    }
}

void CodeEdit::setMarks(const std::map<int, Mark>& marks) {
    if (marks == m_marks) return;
    m_marks = marks;
    showMarks();
    m_margin->update();
}

void CodeEdit::showMarks() {
    QList<QTextEdit::ExtraSelection> selections;
    for (const auto& [line, mark] : m_marks) {
        const QTextBlock block = document()->findBlockByNumber(line - 1);
        if (!block.isValid()) continue;
        QTextEdit::ExtraSelection selection;
        selection.cursor = QTextCursor(block);
        selection.format.setBackground(m_theme.color(mark == Mark::Wrong ? Tone::ErrorTint : Tone::NoteTint));
        selection.format.setProperty(QTextFormat::FullWidthSelection, true);
        selections << selection;
    }
    setExtraSelections(selections);
}

// --- Keys ---

QString CodeEdit::lineBefore() const {
    return textCursor().block().text().left(textCursor().positionInBlock());
}

QString CodeEdit::wordBefore() const {
    const QString line = lineBefore();
    qsizetype start = line.size();
    while (start > 0 && (line[start - 1].isLetterOrNumber() || line[start - 1] == QLatin1Char('_'))) --start;
    return line.mid(start);
}

bool CodeEdit::takesTab() const {
    if (isCompleting()) return true;
    // At the beginning of an only line there is nothing to indent: there Tab leads to the next part of the window.
    const QString line = lineBefore();
    return (m_completes || blockCount() > 1) && !(line.trimmed().isEmpty() && blockCount() == 1);
}

bool CodeEdit::event(QEvent* event) {
    if (event->type() == QEvent::Move) placeOverlays();
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool open = isCompleting() || (m_tip && m_tip->isVisible());
        if (key->key() == Qt::Key_Escape && open) {
            event->accept();
            return true;
        }
    }
    // QWidget would lead on with Tab before anybody is asked.
    if (event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Tab && key->modifiers() == Qt::NoModifier && !isReadOnly() && takesTab()) {
            keyPressEvent(key);
            return true;
        }
    }
    return QPlainTextEdit::event(event);
}

bool CodeEdit::handleCompletionKey(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Down:
        m_list->moveCurrent(1);
        return true;
    case Qt::Key_Up:
        m_list->moveCurrent(-1);
        return true;
    case Qt::Key_PageDown:
        m_list->moveCurrent(CompletionList::kRows - 1);
        return true;
    case Qt::Key_PageUp:
        m_list->moveCurrent(1 - CompletionList::kRows);
        return true;
    case Qt::Key_Tab:
    case Qt::Key_Return:
    case Qt::Key_Enter:
        accept(m_list->current());
        return true;
    default:
        return false;
    }
}

void CodeEdit::keyPressEvent(QKeyEvent* event) {
    const bool plain = event->modifiers() == Qt::NoModifier;
    if (event->key() == Qt::Key_Escape && (isCompleting() || (m_tip && m_tip->isVisible()))) {
        closeCompletions();
        return;
    }
    if (isCompleting() && (plain || event->modifiers() == Qt::KeypadModifier) && handleCompletionKey(event)) return;
    if (isReadOnly()) {
        QPlainTextEdit::keyPressEvent(event);
        return;
    }
    if (m_completes && event->key() == Qt::Key_Space && event->modifiers() == Qt::ControlModifier) {
        Q_EMIT completionWanted();
        return;
    }
    if (event->key() == Qt::Key_Space && plain && m_typedIndent < m_ownIndent && isOwnIndent(lineBefore())) {
        // Code from a slide is typed with its indents: they are there already.
        ++m_typedIndent;
        return;
    }
    if (event->key() == Qt::Key_Tab && plain && takesTab()) {
        const QString before = lineBefore();
        if (m_completes && !before.trimmed().isEmpty() && !before.back().isSpace())
            Q_EMIT completionWanted();
        else
            insertPlainText(QString(kIndent - static_cast<int>(before.size()) % kIndent, QLatin1Char(' ')));
        return;
    }
    if (event->key() == Qt::Key_Backspace && plain && !textCursor().hasSelection()) {
        // One step of an indent at once.
        const QString before = lineBefore();
        const int spaces = indentOf(before);
        if (spaces > 1 && spaces == before.size()) {
            QTextCursor cursor = textCursor();
            const int back = (spaces - 1) % kIndent + 1;
            cursor.movePosition(QTextCursor::Left, QTextCursor::KeepAnchor, back);
            cursor.removeSelectedText();
            return;
        }
    }
    QPlainTextEdit::keyPressEvent(event);
    if (event->text() == QLatin1String(":")) closeBlock();
}

bool CodeEdit::isOwnIndent(const QString& before) const {
    return m_ownIndent > 0 && before.size() == m_ownIndent && before.trimmed().isEmpty();
}

void CodeEdit::closeBlock() {
    static const QRegularExpression branch(QStringLiteral("^ *(else|elif\\b.*|except\\b.*|finally) *:$"));
    const QString before = lineBefore();
    if (!m_closable || m_ownIndent < kIndent || indentOf(before) != m_ownIndent || !branch.match(before).hasMatch())
        return;
    QTextCursor cursor = textCursor();
    cursor.movePosition(QTextCursor::StartOfBlock);
    cursor.movePosition(QTextCursor::Right, QTextCursor::KeepAnchor, kIndent);
    cursor.removeSelectedText();
    m_closable = false;
}

void CodeEdit::insertNewLine() {
    const QString before = lineBefore();
    int spaces = std::min(indentOf(before), static_cast<int>(before.size()));
    std::vector<PythonSpan> spans;
    pythonSpans(before, PythonOpen::Nothing, spans);
    QString code = before;
    if (!spans.empty() && spans.back().kind == PythonToken::Comment) code.truncate(spans.back().start);
    code = code.trimmed();
    if (code.endsWith(QLatin1Char(':'))) spaces += kIndent;
    static const QStringList ends{QStringLiteral("return"), QStringLiteral("pass"), QStringLiteral("break"),
                                  QStringLiteral("continue"), QStringLiteral("raise")};
    const bool ended = ends.contains(code.section(QLatin1Char(' '), 0, 0));
    if (ended) spaces = std::max(0, spaces - kIndent);
    // Between brackets a line may stand anywhere.
    static const QString opening = QStringLiteral("([{,\\");
    m_ownIndent = !code.isEmpty() && opening.contains(code.back()) ? 0 : spaces;
    m_typedIndent = 0;
    m_closable = !ended && !code.endsWith(QLatin1Char(':'));
    insertPlainText(QLatin1Char('\n') + QString(spaces, QLatin1Char(' ')));
    ensureCursorVisible();
}

// --- Completion ---

void CodeEdit::setCompletes(bool completes) {
    m_completes = completes;
    if (!completes) closeCompletions();
}

bool CodeEdit::isCompleting() const {
    return m_list && m_list->isVisible();
}

template <class Overlay>
Overlay* CodeEdit::overlay(QPointer<Overlay>& made) {
    if (made && made->parentWidget() == window()) return made;
    if (made)
        made->setParent(window());
    else
        made = new Overlay(window());
    made->setTheme(m_theme);
    followPlace();
    return made;
}

void CodeEdit::showCompletions(const std::vector<Completion>& items, const QString& note) {
    connect(overlay(m_list), &CompletionList::chosen, this, &CodeEdit::accept, Qt::UniqueConnection);
    m_list->setItems(items, wordBefore(), note);
    if (m_list->isEmpty() && note.isEmpty()) {
        m_list->hide();
        return;
    }
    m_list->show();
    m_list->raise();
    placeOverlays();
}

void CodeEdit::showCall(const CallHint& hint) {
    if (hint.signatures.isEmpty()) {
        if (m_tip) m_tip->hide();
        return;
    }
    overlay(m_tip);
    m_tip->setHint(hint);
    m_tip->show();
    m_tip->raise();
    placeOverlays();
}

void CodeEdit::closeCompletions() {
    if (m_list) m_list->hide();
    if (m_tip) m_tip->hide();
}

void CodeEdit::accept(const QString& text) {
    if (!text.isEmpty()) {
        QTextCursor cursor = textCursor();
        cursor.movePosition(QTextCursor::Left, QTextCursor::KeepAnchor, static_cast<int>(wordBefore().size()));
        cursor.insertText(text);
        setTextCursor(cursor);
    }
    if (m_list) m_list->hide();
}

QRect CodeEdit::wordPlace() const {
    QTextCursor cursor = textCursor();
    const QRect end = cursorRect(cursor);
    cursor.movePosition(QTextCursor::Left, QTextCursor::MoveAnchor, static_cast<int>(wordBefore().size()));
    const QRect start = cursorRect(cursor);
    // A word that is broken over two rows counts from the second one.
    const QRect word = start.top() == end.top() ? start.united(end) : end;
    return {viewport()->mapTo(window(), word.topLeft()), word.size()};
}

QRect CodeEdit::callPlace() const {
    // Not exact: a bracket in a string counts. Python knows which call it is, this only where it begins.
    constexpr int kFar = 2000;
    const QString before = toPlainText().left(textCursor().position()).right(kFar);
    const int far = textCursor().position() - static_cast<int>(before.size());
    int depth = 0;
    qsizetype at = before.size();
    while (at > 0 && depth >= 0) {
        --at;
        if (QStringLiteral(")]}").contains(before[at])) ++depth;
        if (QStringLiteral("([{").contains(before[at])) --depth;
    }
    const QRect word = wordPlace();
    if (depth >= 0) return word;
    QTextCursor cursor = textCursor();
    cursor.setPosition(far + static_cast<int>(at));
    const int top = std::max(0, cursorRect(cursor).top());
    const int first = viewport()->mapTo(window(), QPoint(0, top)).y();
    return first < word.top() ? word.adjusted(0, first - word.top(), 0, 0) : word;
}

void CodeEdit::followPlace() {
    for (QWidget* around = parentWidget(); around && around != window(); around = around->parentWidget())
        around->installEventFilter(this); // once, however often it is asked for
}

bool CodeEdit::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Move || event->type() == QEvent::Resize) placeOverlays();
    return QPlainTextEdit::eventFilter(watched, event);
}

void CodeEdit::placeOverlays() {
    if (isCompleting()) m_list->place(wordPlace());
    if (!m_tip || !m_tip->isVisible()) return;
    m_tip->place(callPlace());
    // Both at the same side: the tip gives way.
    if (isCompleting() && m_list->geometry().intersects(m_tip->geometry())) {
        const QRect call = callPlace();
        const bool above = m_list->geometry().bottom() < call.bottom();
        const int y = above ? std::min(m_list->y(), call.top()) - 2 - m_tip->height() : m_list->geometry().bottom() + 2;
        // Where there is no room beside both, the call and the list are worth more than the tip.
        const bool fits = y >= 0 && y + m_tip->height() <= window()->height();
        fits ? m_tip->move(m_tip->x(), y) : m_tip->hide();
    }
}

void CodeEdit::focusOutEvent(QFocusEvent* event) {
    QPlainTextEdit::focusOutEvent(event);
    closeCompletions();
}

} // namespace stridescope
