#include "app/window/console.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QScrollBar>
#include <QTextBlock>
#include <QToolButton>
#include <QVBoxLayout>

namespace stridescope {

namespace {

constexpr qsizetype kLongestLine = 2000;
constexpr auto kUndoneNote = "   # undone: press Ctrl+Y to redo";

/// What a block of the output is.
class BlockData : public QTextBlockUserData {
public:
    BlockData(int blockKind, int number) : kind(blockKind), echo(number) {}
    int kind;
    int echo;
    bool undone = false;
};

} // namespace

PromptField::PromptField(QWidget* parent) : QLineEdit(parent) {
    setMaxLength(100'000);
}

void PromptField::remember(const QString& line) {
    m_lines.removeAll(line);
    m_lines << line;
    while (m_lines.size() > Console::kRecalledLines) m_lines.removeFirst();
    m_at = static_cast<int>(m_lines.size());
    m_draft.clear();
}

void PromptField::setRecalled(const QStringList& lines) {
    m_lines = lines.mid(std::max<qsizetype>(0, lines.size() - Console::kRecalledLines));
    m_at = static_cast<int>(m_lines.size());
}

void PromptField::recall(int by) {
    const int next = std::clamp(m_at + by, 0, static_cast<int>(m_lines.size()));
    if (next == m_at) return;
    if (m_at == m_lines.size()) m_draft = text();
    m_at = next;
    setText(m_at == m_lines.size() ? m_draft : m_lines[m_at]);
}

void PromptField::insertPasted(const QString& text) {
    if (text.trimmed().contains(QLatin1Char('\n')))
        Q_EMIT linesPasted(text);
    else
        insert(text);
}

bool PromptField::event(QEvent* event) {
    // With nothing typed, undo and redo are the window's: those of the field would bring back lines already run.
    if (event->type() == QEvent::ShortcutOverride && text().isEmpty()) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->ignore();
            return true;
        }
    }
    // X11's line editors take Ctrl+E for "end of line", as the End key does; in this window it exports.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_E && key->modifiers() == Qt::ControlModifier) {
            event->ignore();
            return true;
        }
    }
    return QLineEdit::event(event);
}

void PromptField::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Paste)) {
        Q_EMIT pasteRequested();
        return;
    }
    if (event->key() == Qt::Key_Up) {
        recall(-1);
    } else if (event->key() == Qt::Key_Down) {
        recall(1);
    } else {
        QLineEdit::keyPressEvent(event);
    }
}

Console::Console(QWidget* parent)
    : QWidget(parent), m_output(new QPlainTextEdit(this)), m_promptLabel(new QLabel(this)),
      m_field(new PromptField(this)), m_pythonButton(new QToolButton(this)) {
    setObjectName(QStringLiteral("console"));
    setAccessibleName(tr("Console"));
    m_output->setObjectName(QStringLiteral("consoleOutput"));
    m_output->setAccessibleName(tr("Lines and what they printed"));
    m_output->setReadOnly(true);
    m_output->setFrameShape(QFrame::NoFrame);
    m_output->setMaximumBlockCount(kMaxLines);
    m_output->setUndoRedoEnabled(false);
    m_output->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    m_output->setTabChangesFocus(true);
    m_output->setMinimumHeight(1); // on a low screen the input line alone stays
    m_promptLabel->setTextFormat(Qt::PlainText);
    m_promptLabel->setText(QStringLiteral(">>>"));
    m_field->setObjectName(QStringLiteral("consolePrompt"));
    m_field->setAccessibleName(tr("Line of code"));
    m_field->setPlaceholderText(tr("type a line, for example  D = A[::2]"));
    m_field->setFrame(false);
    m_promptLabel->setBuddy(m_field);

    auto* line = new QHBoxLayout;
    line->setContentsMargins(16, 0, 12, 8);
    line->setSpacing(8);
    line->addWidget(m_promptLabel);
    line->addWidget(m_field);
    m_pythonButton->setObjectName(QStringLiteral("pythonButton"));
    m_pythonButton->setText(tr("Python"));
    m_pythonButton->setCheckable(true);
    m_pythonButton->setToolTip(tr("Run lines in Python: loops, functions, imports. Tensors stay the same ones."));
    m_pythonButton->setAccessibleName(tr("Run lines in Python"));
    line->addWidget(m_pythonButton);
    connect(m_pythonButton, &QToolButton::clicked, this, &Console::pythonToggled);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_output);
    layout->addLayout(line);
    m_output->document()->setDocumentMargin(12);
    connect(m_field, &QLineEdit::returnPressed, this, [this] {
        const QString entered = m_field->text();
        const bool empty = entered.trimmed().isEmpty();
        if (empty && !m_takesEmptyLines) return;
        if (!empty) m_field->remember(entered);
        m_field->clear();
        Q_EMIT lineEntered(entered);
    });
    connect(m_field, &PromptField::linesPasted, this, &Console::linesPasted);
    setFocusProxy(m_field);
    m_output->installEventFilter(this);
}

bool Console::eventFilter(QObject* watched, QEvent* event) {
    // Who types over the printed lines means the prompt, as in a terminal.
    if (watched == m_output && event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        const bool command = (key->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) != 0;
        if (!command && !key->text().isEmpty() && key->text().front().isPrint()) {
            m_field->setFocus(Qt::OtherFocusReason);
            m_field->insert(key->text());
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void Console::setTheme(const Theme& theme) {
    m_theme = theme;
    m_output->setFont(theme.font(FontRole::Code));
    m_field->setFont(theme.font(FontRole::Code));
    m_promptLabel->setFont(theme.font(FontRole::Code));
    QPalette ground = theme.palette();
    ground.setColor(QPalette::Base, theme.color(Tone::CodeGround));
    ground.setColor(QPalette::Window, theme.color(Tone::CodeGround));
    ground.setColor(QPalette::Text, theme.color(Tone::Ink));
    ground.setColor(QPalette::PlaceholderText, theme.color(Tone::Ink2));
    setAutoFillBackground(true);
    setPalette(ground);
    m_output->setPalette(ground);
    m_field->setPalette(ground);
    colour();
}

QString Console::escaped(const QString& text) const {
    QString shown;
    for (const QChar c : text) {
        const bool invisible = c.category() == QChar::Other_Format || c.category() == QChar::Other_Control;
        if (c == QLatin1Char('\n') || c == QLatin1Char('\t') || !invisible)
            shown += c;
        else
            shown += QStringLiteral("\\u%1").arg(c.unicode(), 4, 16, QLatin1Char('0'));
    }
    return shown;
}

void Console::append(const QString& text, Kind kind, int echoNumber) {
    QScrollBar* bar = m_output->verticalScrollBar();
    for (QString line : escaped(text).split(QLatin1Char('\n'))) {
        if (line.size() > kLongestLine)
            line = line.left(kLongestLine) + tr(" … %1 more characters").arg(line.size() - kLongestLine);
        m_output->appendPlainText(line);
        QTextBlock block = m_output->document()->lastBlock();
        block.setUserData(new BlockData(static_cast<int>(kind), echoNumber));
    }
    colour();
    bar->setValue(bar->maximum());
}

int Console::echo(const QString& line) {
    QString shown = line.trimmed();
    shown.replace(QLatin1Char('\n'), QStringLiteral("\n... "));
    append(QStringLiteral(">>> ") + shown, Kind::Code, m_echoes);
    return m_echoes++;
}

void Console::print(const QString& text) {
    if (!text.isEmpty()) append(text, Kind::Output);
}

void Console::printError(const QString& exception, const QString& message, const QString& hint) {
    append(exception + QStringLiteral(": ") + message, Kind::Error);
    if (!hint.isEmpty()) append(hint, Kind::Output);
}

void Console::setUndone(int echoNumber, bool undone) {
    for (QTextBlock block = m_output->document()->begin(); block.isValid(); block = block.next()) {
        auto* data = static_cast<BlockData*>(block.userData());
        if (!data || data->echo != echoNumber || data->undone == undone) continue;
        data->undone = undone;
        const QString note = QString::fromLatin1(kUndoneNote);
        QTextCursor cursor(block);
        cursor.movePosition(QTextCursor::EndOfBlock);
        if (undone) {
            cursor.insertText(note);
        } else {
            cursor.movePosition(QTextCursor::Left, QTextCursor::KeepAnchor, static_cast<int>(note.size()));
            cursor.removeSelectedText();
        }
        break;
    }
    colour();
}

void Console::colour() {
    // Only what is in sight and changed needs colours; a few hundred extra selections are cheap.
    QList<QTextEdit::ExtraSelection> selections;
    int budget = 400;
    for (QTextBlock block = m_output->document()->lastBlock(); block.isValid() && budget > 0;
         block = block.previous(), --budget) {
        const auto* data = static_cast<const BlockData*>(block.userData());
        if (!data) continue;
        Tone tone = Tone::Ink;
        if (data->kind == static_cast<int>(Kind::Output) || data->undone) tone = Tone::Ink2;
        if (data->undone) tone = Tone::Ink2;
        if (tone == Tone::Ink) continue;
        QTextEdit::ExtraSelection selection;
        selection.cursor = QTextCursor(block);
        selection.cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
        selection.format.setForeground(m_theme.color(tone));
        selections << selection;
    }
    m_output->setExtraSelections(selections);
}

void Console::setPrompt(const QString& prompt) {
    m_promptLabel->setText(prompt);
}

QString Console::promptText() const {
    return m_promptLabel->text();
}

void Console::setPython(bool on) {
    m_pythonButton->setChecked(on);
}

void Console::propose(const QString& line) {
    m_field->setText(line);
    m_field->selectAll();
    focusPrompt();
}

int Console::linesInSight() const {
    if (!m_output->isVisible() || m_output->visibleRegion().isEmpty()) return 0;
    const int margins = 2 * static_cast<int>(m_output->document()->documentMargin());
    return std::max(0, m_output->viewport()->height() - margins) / m_output->fontMetrics().lineSpacing();
}

void Console::focusPrompt() {
    m_field->setFocus(Qt::OtherFocusReason);
}

} // namespace stridescope
