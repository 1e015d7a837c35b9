#include "app/window/console.h"

#include "widgets/shared/reading_direction.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QScrollBar>
#include <QTextBlock>
#include <QToolButton>
#include <QVBoxLayout>

namespace stridescope {

namespace {

/// The kernel's output is cut at the same length and has its note already; that must not be cut in turn.
constexpr qsizetype kLongestLine = 2000, kNote = 40;

QString undoneNote(Console::Undone undone) {
    return undone == Console::Undone::No         ? QString()
           : undone == Console::Undone::Redoable ? QStringLiteral("   # undone: press Ctrl+Y to redo")
                                                 : QStringLiteral("   # undone");
}

constexpr int kBelowField = 8;   ///< pixels
constexpr int kPromptLength = 4; ///< of ">>> " and "... "

/// What a block of the output is.
template <class Kind>
class BlockData : public QTextBlockUserData {
public:
    BlockData(Kind blockKind, int number, int place) : kind(blockKind), echo(number), line(place) {}
    Kind kind;
    int echo, line; ///< which echoed text, and which of its lines, from 1
    Console::Undone undone = Console::Undone::No;
    bool wrong = false;
};

/// While lines are appended: what is selected stays selected, and who has scrolled up goes on seeing the same lines.
class KeptPlace {
public:
    /// `follows`: the end is shown in any case.
    KeptPlace(QPlainTextEdit* edit, bool follows) : m_edit(edit), m_anchor(edit->textCursor()), m_end(m_anchor) {
        const QScrollBar* bar = edit->verticalScrollBar();
        m_follows = follows || (bar->value() >= bar->maximum() && !m_anchor.hasSelection());
        // Two that do not move when something is written behind them; a selection's end would.
        m_anchor.setPosition(m_anchor.anchor());
        m_end.setPosition(m_end.position());
        m_top = edit->cursorForPosition(QPoint(0, 0));
        m_top.movePosition(QTextCursor::StartOfBlock);
        m_row = bar->value() - m_top.block().firstLineNumber();
        for (QTextCursor* each : {&m_anchor, &m_end, &m_top}) each->setKeepPositionOnInsert(true);
    }
    ~KeptPlace() {
        QTextCursor cursor = m_edit->textCursor();
        if (cursor.anchor() != m_anchor.position() || cursor.position() != m_end.position()) {
            cursor.setPosition(m_anchor.position());
            cursor.setPosition(m_end.position(), QTextCursor::KeepAnchor);
            m_edit->setTextCursor(cursor);
        }
        QScrollBar* bar = m_edit->verticalScrollBar();
        bar->setValue(m_follows ? bar->maximum() : m_top.block().firstLineNumber() + m_row);
    }
    KeptPlace(const KeptPlace&) = delete;
    KeptPlace& operator=(const KeptPlace&) = delete;

private:
    QPlainTextEdit* m_edit;
    QTextCursor m_anchor, m_end, m_top; ///< the first line in sight
    int m_row = 0;                      ///< of that line, when it takes several
    bool m_follows = false;
};

} // namespace

class ConsoleColours : public QSyntaxHighlighter {
public:
    using Data = BlockData<Console::Kind>;
    using QSyntaxHighlighter::QSyntaxHighlighter;

    void setTheme(const Theme& theme) {
        m_theme = theme;
        rehighlight();
    }
    static Data* of(const QTextBlock& block) { return static_cast<Data*>(block.userData()); }

protected:
    void highlightBlock(const QString& text) override {
        const Data* data = of(currentBlock());
        setCurrentBlockState(0);
        if (!data) return;
        const int length = static_cast<int>(text.size());
        if (data->kind != Console::Kind::Code || data->undone != Console::Undone::No) {
            const bool error = data->kind == Console::Kind::Error;
            setFormat(0, length, m_theme.color(error ? Tone::Error : Tone::Ink2));
            return;
        }
        const bool goesOn = text.startsWith(QLatin1String("..."));
        std::vector<PythonSpan> spans;
        const auto open = static_cast<PythonOpen>(goesOn ? std::max(0, previousBlockState()) : 0);
        setCurrentBlockState(static_cast<int>(pythonSpans(QStringView(text).mid(kPromptLength), open, spans)));
        setFormat(0, kPromptLength, m_theme.color(Tone::Ink2));
        for (const PythonSpan& span : spans)
            setFormat(span.start + kPromptLength, span.length, m_theme.color(toneOf(span.kind)));
        if (!data->wrong) return;
        for (int i = 0; i < length; ++i) {
            QTextCharFormat marked = format(i);
            marked.setBackground(m_theme.color(Tone::ErrorTint));
            setFormat(i, 1, marked);
        }
    }

private:
    Theme m_theme;
};

Console::Console(QWidget* parent)
    : QWidget(parent), m_output(new QPlainTextEdit(this)), m_colours(new ConsoleColours(m_output->document())),
      m_field(new PromptField(this)), m_pythonButton(new QToolButton(this)), m_stop(new QToolButton(this)) {
    setObjectName(QStringLiteral("console"));
    setAccessibleName(tr("Console"));
    m_output->setObjectName(QStringLiteral("consoleOutput"));
    m_output->setProperty("mono", true);
    m_output->setAccessibleName(tr("Lines and what they printed"));
    m_output->setReadOnly(true);
    m_output->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_output->setFrameShape(QFrame::NoFrame);
    m_output->setMaximumBlockCount(kMaxLines);
    m_output->setUndoRedoEnabled(false);
    m_output->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    m_output->setTabChangesFocus(true);
    m_output->setMinimumHeight(1); // on a low screen the input line alone stays
    // Who sees the end goes on seeing it when the prompt takes rows from the output.
    QScrollBar* bar = m_output->verticalScrollBar();
    connect(bar, &QScrollBar::valueChanged, this, [this, bar](int value) { m_atEnd = value >= bar->maximum(); });
    connect(bar, &QScrollBar::rangeChanged, this, [this, bar](int, int last) {
        if (m_atEnd) bar->setValue(last);
    });
    m_field->setObjectName(QStringLiteral("consolePrompt"));
    m_field->setAccessibleName(tr("Line of code"));

    auto* line = new QHBoxLayout;
    line->setContentsMargins(0, 0, 12, kBelowField);
    line->setSpacing(8);
    line->addWidget(m_field, 1, Qt::AlignBottom);
    m_pythonButton->setObjectName(QStringLiteral("pythonButton"));
    m_pythonButton->setText(tr("Python"));
    m_pythonButton->setCheckable(true);
    m_pythonButton->setToolTip(tr("Run lines in Python: loops, functions, imports. Tensors stay the same ones."));
    m_pythonButton->setAccessibleName(tr("Run lines in Python"));
    line->addWidget(m_pythonButton, 0, Qt::AlignBottom);
    connect(m_pythonButton, &QToolButton::clicked, this, &Console::pythonToggled);
    m_stop->setObjectName(QStringLiteral("stopLine"));
    m_stop->setText(QStringLiteral("■ ") + tr("Stop"));
    m_stop->setToolTip(tr("Stop the line that is being carried out: Ctrl+C at the prompt, with nothing selected"));
    m_stop->setFocusPolicy(Qt::TabFocus); // a click leaves the keyboard at the prompt, for the next line
    m_stop->setAccessibleName(tr("Stop the line"));
    m_stop->hide();
    line->addWidget(m_stop, 0, Qt::AlignBottom);
    connect(m_stop, &QToolButton::clicked, this, &Console::stopRequested);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_output);
    layout->addLayout(line);
    m_output->document()->setDocumentMargin(12);
    connect(m_field, &PromptField::returnPressed, this, &Console::enter);
    connect(m_field, &PromptField::linesPasted, this, &Console::linesPasted);
    connect(m_field, &PromptField::interruptRequested, this, &Console::interrupt);
    connect(m_field, &PromptField::endRequested, this, [this] {
        if (m_asking) Q_EMIT inputEnded();
    });
    connect(m_field, &PromptField::rowsChanged, this, &Console::fitField);
    setFocusProxy(m_field);
    m_output->installEventFilter(this);
}

bool Console::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_output && event->type() == QEvent::Resize) {
        // In a low window the rest of a line that is cut would be no more than dots.
        const int margins = 2 * static_cast<int>(m_output->document()->documentMargin());
        const int high = static_cast<QResizeEvent*>(event)->size().height();
        m_output->viewport()->setVisible(high >= margins + m_output->fontMetrics().lineSpacing());
    }
    // Who types over the printed lines means the prompt, as in a terminal.
    if (watched == m_output && event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Copy) && !m_output->textCursor().hasSelection()) {
            interrupt();
            return true;
        }
        const bool command = (key->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) != 0;
        if (!command && !key->text().isEmpty() && key->text().front().isPrint()) {
            m_field->setFocus(Qt::OtherFocusReason);
            m_field->insert(key->text());
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void Console::enter() {
    QString entered = m_field->text();
    const bool empty = entered.trimmed().isEmpty();
    if (empty && !m_asking) return;
    // The empty line that ended a block is no part of it.
    while (entered.contains(QLatin1Char('\n')) && entered.back().isSpace()) entered.chop(1);
    if (!empty) m_field->remember(entered);
    m_field->clear();
    followEnd();
    Q_EMIT lineEntered(entered);
}

void Console::followEnd() {
    // Who runs or stops a line wants to see what comes of it, whatever was selected before.
    QTextCursor cursor = m_output->textCursor();
    cursor.movePosition(QTextCursor::End);
    m_output->setTextCursor(cursor);
    m_output->verticalScrollBar()->setValue(m_output->verticalScrollBar()->maximum());
}

void Console::interrupt() {
    // A line that was begun is given up; Up brings it back.
    if (!m_field->text().trimmed().isEmpty()) m_field->remember(m_field->text());
    m_field->clear();
    followEnd();
    Q_EMIT stopRequested();
}

void Console::setTheme(const Theme& theme) {
    m_theme = theme;
    m_output->setFont(theme.font(FontRole::Code));
    m_field->setTheme(theme);
    QPalette ground = theme.palette();
    ground.setColor(QPalette::Base, theme.color(Tone::CodeGround));
    ground.setColor(QPalette::Window, theme.color(Tone::CodeGround));
    ground.setColor(QPalette::Text, theme.color(Tone::Ink));
    ground.setColor(QPalette::PlaceholderText, theme.color(Tone::Ink2));
    setAutoFillBackground(true);
    setPalette(ground);
    m_output->setPalette(ground);
    m_colours->setTheme(theme);
}

void Console::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitField();
    fitPlaceholder();
}

void Console::fitPlaceholder() {
    // An example that is cut would be no example.
    const QString whole = asWritten(m_asking ? tr("type the answer, then Enter; Ctrl+D for no more")
                                             : tr("type a line, for example  D = A[::2]"));
    constexpr int kAround = 64; ///< prompt and margins
    const bool fits = m_field->fontMetrics().horizontalAdvance(whole) + kAround <= m_field->width();
    m_field->setPlaceholder(fits ? whole : asWritten(m_asking ? tr("answer") : tr("type a line")));
}

int Console::roomForField() const {
    const QMargins around = layout()->contentsMargins();
    return height() - around.top() - around.bottom() - kBelowField - 1;
}

void Console::fitField() {
    // A block that is being edited takes the place of what was printed.
    int rows = PromptField::kMostRows;
    while (rows > 1 && m_field->heightOf(rows) > roomForField()) --rows;
    m_field->setMostRows(rows);
}

int Console::missingHeight() const {
    return std::max(0, m_field->heightOf(m_field->rows()) - roomForField());
}

QString Console::escaped(const QString& text) {
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
    const KeptPlace place(m_output, kind == Kind::Code);
    int number = 0;
    for (QString line : escaped(text).split(QLatin1Char('\n'))) {
        if (line.size() > kLongestLine + kNote)
            line = line.left(kLongestLine) + tr(" … %1 more characters").arg(line.size() - kLongestLine);
        m_output->appendPlainText(line);
        QTextBlock block = m_output->document()->lastBlock();
        block.setUserData(new ConsoleColours::Data(kind, echoNumber, ++number));
        m_colours->rehighlightBlock(block);
    }
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

void Console::printTraceback(const QString& text) {
    // What follows the last frame: the exception, all of its words, its notes.
    const QStringList lines = text.split(QLatin1Char('\n'));
    qsizetype first = lines.size();
    while (first > 0 && !lines[first - 1].startsWith(QLatin1String("  "))) --first;
    print(lines.mid(0, first).join(QLatin1Char('\n')));
    append(lines.mid(first).join(QLatin1Char('\n')), Kind::Error);
}

void Console::markWrong(int echoNumber, int line, const QString& what) {
    QTextBlock block = m_output->document()->lastBlock();
    for (; block.isValid(); block = block.previous()) {
        const auto* data = ConsoleColours::of(block);
        if (data && data->echo == echoNumber && data->line == line) break;
    }
    if (!block.isValid()) return; // pushed out by what it printed
    ConsoleColours::of(block)->wrong = true;
    QTextCursor cursor(block);
    cursor.movePosition(QTextCursor::EndOfBlock);
    cursor.insertText(QStringLiteral("   # ") + escaped(what));
    m_colours->rehighlightBlock(block);
}

void Console::setUndone(int echoNumber, Undone undone) {
    for (QTextBlock block = m_output->document()->begin(); block.isValid(); block = block.next()) {
        auto* data = ConsoleColours::of(block);
        if (!data || data->echo != echoNumber || data->undone == undone) continue;
        const QString before = undoneNote(std::exchange(data->undone, undone));
        // All of its lines are grey, the first one says why.
        if (data->line == 1) {
            QTextCursor cursor(block);
            cursor.movePosition(QTextCursor::EndOfBlock);
            cursor.movePosition(QTextCursor::Left, QTextCursor::KeepAnchor, static_cast<int>(before.size()));
            cursor.insertText(undoneNote(undone));
        }
        m_colours->rehighlightBlock(block);
    }
}

void Console::setPrompt(const QString& prompt) {
    m_field->setPrompt(prompt);
}

void Console::setAsking(bool asking) {
    m_asking = asking;
    fitPlaceholder();
}

void Console::setPython(bool on) {
    m_pythonButton->setChecked(on);
}

void Console::setPythonVersion(const QString& version) {
    // The third number says nothing that a person at the prompt could use.
    const QString series = version.section(QLatin1Char('.'), 0, 1);
    m_pythonButton->setText(series.isEmpty() ? tr("Python") : tr("Python %1").arg(series));
}

void Console::setBusy(bool busy) {
    // What has the keyboard and goes would leave it to whatever comes next.
    if (!busy && m_stop->hasFocus()) focusPrompt();
    m_stop->setVisible(busy);
}

void Console::propose(const QString& line) {
    m_field->setText(line);
    m_field->selectAll();
    focusPrompt();
}

void Console::offerBlock(const QString& code) {
    m_field->setText(code);
    m_field->moveCursor(QTextCursor::End);
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
