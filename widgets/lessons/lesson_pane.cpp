#include "widgets/lessons/lesson_pane.h"

#include "widgets/panels/code_label.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

namespace stridescope {

namespace {

/// Outside of dialogs Qt leaves buttons to the space bar; who reads a lesson presses Enter.
class EnterButton : public QPushButton {
public:
    using QPushButton::QPushButton;

protected:
    void keyPressEvent(QKeyEvent* event) override {
        const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
        enter ? click() : QPushButton::keyPressEvent(event);
    }
};

QPushButton* button(const QString& text, const QString& name, QWidget* parent, const char* kind = nullptr) {
    auto* made = new EnterButton(text, parent);
    made->setObjectName(name);
    if (kind) made->setProperty("kind", QString::fromLatin1(kind));
    return made;
}

void clearRow(QLayout* layout) {
    while (QLayoutItem* item = layout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

QFrame* frame(const char* kind, QWidget* parent) {
    auto* made = new QFrame(parent);
    made->setProperty("kind", QString::fromLatin1(kind));
    return made;
}

} // namespace

QLabel* LessonPane::addText(QVBoxLayout* column, const QString& name, bool quiet) {
    auto* label = new QLabel(this);
    label->setObjectName(name);
    label->setTextFormat(Qt::PlainText); // a lesson is somebody's file
    label->setWordWrap(true);
    if (quiet) label->setProperty("quiet", true);
    column->addWidget(label);
    return label;
}

LessonPane::LessonPane(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("lessonPane"));
    setProperty("role", QStringLiteral("panel"));
    setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 12, 16, 12);
    column->setSpacing(10);

    auto* top = new QHBoxLayout;
    m_list = button(tr("All lessons"), QStringLiteral("lessonList"), this, "flat");
    m_dots = new QWidget(this);
    auto* dots = new QHBoxLayout(m_dots);
    dots->setContentsMargins(0, 0, 0, 0);
    dots->setSpacing(2);
    top->addWidget(m_list);
    top->addStretch();
    top->addWidget(m_dots);
    column->addLayout(top);
    m_lesson = addText(column, QStringLiteral("lessonTitle"), true);
    m_heading = addText(column, QStringLiteral("lessonHeading"));
    m_heading->setProperty("heading", true);

    m_texts = new QVBoxLayout;
    m_texts->setSpacing(8);
    column->addLayout(m_texts);

    m_ask = addText(column, QStringLiteral("lessonQuestion"));
    m_ask->setProperty("heading", true);

    m_code = frame("card", this);
    auto* codeColumn = new QVBoxLayout(m_code);
    codeColumn->setContentsMargins(10, 8, 10, 8);
    m_codeLines = new QVBoxLayout;
    m_codeLines->setSpacing(2);
    codeColumn->addLayout(m_codeLines);
    auto* codeButtons = new QHBoxLayout;
    m_run = button(tr("Run"), QStringLiteral("lessonRun"), m_code);
    m_copy = button(tr("Copy"), QStringLiteral("lessonCopy"), m_code);
    for (QPushButton* each : {m_run, m_copy}) {
        each->setProperty("small", true);
        codeButtons->addWidget(each);
    }
    codeButtons->addStretch();
    codeColumn->addLayout(codeButtons);
    column->addWidget(m_code);

    m_choices = new QVBoxLayout;
    m_choices->setSpacing(6);
    column->addLayout(m_choices);
    auto* answer = new QHBoxLayout;
    m_field = new QLineEdit(this);
    m_field->setObjectName(QStringLiteral("lessonAnswer"));
    m_field->setProperty("mono", true);
    m_field->setAccessibleName(tr("Answer"));
    m_check = button(tr("Check"), QStringLiteral("lessonCheck"), this, "primary");
    answer->addWidget(m_field, 1);
    answer->addWidget(m_check);
    column->addLayout(answer);
    auto* help = new QHBoxLayout;
    m_hint = button(tr("Hint"), QStringLiteral("lessonHint"), this);
    m_reveal = button(tr("Show the answer"), QStringLiteral("lessonReveal"), this);
    m_draw = button(tr("Other numbers"), QStringLiteral("lessonDraw"), this);
    for (QPushButton* each : {m_hint, m_reveal, m_draw}) {
        each->setProperty("small", true);
        help->addWidget(each);
    }
    help->addStretch();
    column->addLayout(help);

    m_verdictBox = frame("message", this);
    auto* verdict = new QHBoxLayout(m_verdictBox);
    verdict->setContentsMargins(10, 8, 10, 8);
    m_verdictSign = new QLabel(m_verdictBox);
    m_verdict = new QLabel(m_verdictBox);
    m_verdict->setObjectName(QStringLiteral("lessonVerdict"));
    m_verdict->setTextFormat(Qt::PlainText);
    m_verdict->setWordWrap(true);
    m_verdict->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    verdict->addWidget(m_verdictSign, 0, Qt::AlignTop);
    verdict->addWidget(m_verdict, 1);
    column->addWidget(m_verdictBox);
    m_foot = new QVBoxLayout;
    column->addLayout(m_foot);
    column->addStretch(1);

    auto* ways = new QHBoxLayout;
    m_previous = button(tr("Back"), QStringLiteral("lessonPrevious"), this);
    m_next = button(tr("Next"), QStringLiteral("lessonNext"), this, "primary");
    m_link = button(tr("Copy link"), QStringLiteral("lessonLink"), this, "flat");
    m_link->setProperty("small", true);
    m_link->setToolTip(tr("The command that opens the lesson at this stop."));
    connect(m_link, &QPushButton::clicked, this, &LessonPane::linkRequested);
    ways->addWidget(m_previous);
    ways->addStretch();
    ways->addWidget(m_link);
    ways->addStretch();
    ways->addWidget(m_next);
    column->addLayout(ways);

    connect(m_list, &QPushButton::clicked, this, &LessonPane::listRequested);
    connect(m_run, &QPushButton::clicked, this, &LessonPane::codeRequested);
    connect(m_copy, &QPushButton::clicked, this, &LessonPane::copyRequested);
    connect(m_reveal, &QPushButton::clicked, this, &LessonPane::revealRequested);
    connect(m_hint, &QPushButton::clicked, this, &LessonPane::hintRequested);
    connect(m_draw, &QPushButton::clicked, this, &LessonPane::drawRequested);
    connect(m_previous, &QPushButton::clicked, this, [this] { Q_EMIT stopRequested(m_place - 1); });
    connect(m_next, &QPushButton::clicked, this, [this] { Q_EMIT stopRequested(m_place + 1); });
    const auto check = [this] {
        if (m_stop.builds)
            m_field->text().trimmed().isEmpty() ? Q_EMIT checkRequested() : Q_EMIT lineEntered(m_field->text());
        else if (!m_field->text().trimmed().isEmpty())
            Q_EMIT answered(m_field->text());
    };
    connect(m_check, &QPushButton::clicked, this, check);
    connect(m_field, &QLineEdit::returnPressed, this, check);
    m_verdictBox->hide();
}

void LessonPane::fillTexts(const QStringList& texts) {
    clearRow(m_texts);
    for (const QString& text : texts) addText(m_texts, QStringLiteral("lessonText"))->setText(text);
}

void LessonPane::showCode(const QStringList& code) {
    clearRow(m_codeLines);
    m_code->setVisible(!code.isEmpty());
    for (const QString& line : code) {
        auto* label = new CodeLabel(m_code);
        label->setProperty("mono", true);
        label->setCode(line);
        m_codeLines->addWidget(label);
    }
}

void LessonPane::fillChoices(const QStringList& choices) {
    clearRow(m_choices);
    m_choiceButtons.clear();
    m_choiceTexts = choices;
    int number = 1;
    for (const QString& choice : choices) {
        auto* each = button(QStringLiteral("(%1)   %2").arg(number).arg(choice),
                            QStringLiteral("lessonChoice%1").arg(number), this);
        each->setAccessibleName(tr("Answer %1: %2").arg(number).arg(choice));
        each->setProperty("answer", QStringLiteral("open"));
        connect(each, &QPushButton::clicked, this, [this, choice] { Q_EMIT answered(choice); });
        m_choices->addWidget(each);
        each->show(); // a layout shows what it gets later on, and what is hidden cannot have the keyboard
        m_choiceButtons.push_back(each);
        ++number;
    }
}

void LessonPane::showStop(const LessonPaneStop& stop) {
    m_stop = stop;
    m_settled = !stop.asks && !stop.builds;
    m_lesson->setText(stop.lesson);
    m_heading->setText(stop.heading);
    fillTexts(stop.text);
    showCode(stop.code);
    m_run->setVisible(!stop.python && !m_preview);
    m_copy->setVisible(!m_preview);
    fillChoices(stop.choices);
    m_ask->setText(stop.ask);
    m_ask->setVisible(!stop.ask.isEmpty());
    const bool typed = stop.builds || (stop.asks && stop.choices.isEmpty());
    m_field->clear();
    m_field->setEnabled(true);
    m_field->setVisible(typed);
    m_field->setPlaceholderText(stop.place);
    m_field->setAccessibleName(stop.builds ? tr("Line that makes it") : tr("Answer"));
    m_check->setVisible(typed);
    m_check->setEnabled(true);
    m_check->setText(stop.builds ? tr("Try") : tr("Check"));
    m_check->setToolTip(stop.builds ? tr("Carries the line out; without one, looks at the selected tensor.")
                                    : QString());
    m_reveal->setVisible(stop.asks);
    m_reveal->setEnabled(true);
    m_hint->setVisible(stop.builds);
    m_draw->setVisible(stop.drawn);
    m_verdictBox->hide();
    // Before the answer the code would show it.
    m_run->setEnabled(m_settled || stop.builds);
    m_run->setToolTip(m_run->isEnabled() ? tr("Carries the lines out in the workspace.")
                                         : tr("First say what you think; then it can be run."));
}

void LessonPane::showPlace(int stop, const std::vector<bool>& done) {
    m_place = stop;
    clearRow(m_dots->layout());
    for (std::size_t i = 0; i < done.size(); ++i) {
        auto* dot = new QToolButton(m_dots);
        const bool here = static_cast<int>(i) == stop;
        dot->setObjectName(QStringLiteral("lessonStop%1").arg(i + 1));
        dot->setText(done[i] ? QStringLiteral("✓") : QString::number(i + 1));
        // Nine of them, and a scroll bar beside the pane.
        dot->setFixedWidth(dot->fontMetrics().horizontalAdvance(QStringLiteral("10")) + 14);
        dot->setCheckable(true);
        dot->setChecked(here);
        dot->setAccessibleName(tr("Stop %1 of %2").arg(i + 1).arg(done.size()) + (done[i] ? tr(", done") : QString()));
        dot->setToolTip(dot->accessibleName());
        connect(dot, &QToolButton::clicked, this, [this, i] { Q_EMIT stopRequested(static_cast<int>(i)); });
        m_dots->layout()->addWidget(dot);
    }
    m_previous->setEnabled(stop > 0);
    m_next->setText(stop + 1 < static_cast<int>(done.size()) ? tr("Next") : tr("Finish"));
}

void LessonPane::focusFirst() {
    QWidget* first = m_next;
    if (!m_code->isHidden() && m_run->isEnabled()) first = m_run->isHidden() ? m_copy : m_run;
    if (m_stop.asks && !m_settled)
        first = m_choiceButtons.empty() ? static_cast<QWidget*>(m_field) : m_choiceButtons.front();
    goTo(first);
}

void LessonPane::goTo(QWidget* place) {
    m_goesOn = place;
    place->setFocus(Qt::OtherFocusReason);
}

void LessonPane::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    if (m_goesOn && m_goesOn->isEnabled() && !m_goesOn->isHidden()) return m_goesOn->setFocus(event->reason());
    focusFirst();
}

void LessonPane::focusAfterCode() {
    QWidget* next = m_stop.builds && !m_settled ? static_cast<QWidget*>(m_field) : m_next;
    m_field->selectAll(); // Enter tries what stands there already, a letter takes its place
    goTo(next);
}

void LessonPane::settle() {
    m_settled = true;
    m_run->setEnabled(true);
    m_run->setToolTip(tr("Carries the lines out in the workspace."));
    m_reveal->setEnabled(false);
    m_field->setEnabled(false);
    m_check->setEnabled(false);
    for (QPushButton* each : m_choiceButtons) each->setEnabled(false);
    if (!m_preview) goTo(m_next);
}

void LessonPane::tell(bool right, const QString& reply, bool settled) {
    m_verdictBox->setProperty("tone", right ? QStringLiteral("right") : QStringLiteral("note"));
    m_verdictSign->setText(right ? QStringLiteral("✓") : settled ? QStringLiteral("→") : QStringLiteral("✗"));
    m_verdict->setText(reply);
    m_verdictBox->show();
    style()->unpolish(m_verdictBox);
    style()->polish(m_verdictBox);
    if (settled) settle();
}

void LessonPane::mark(const QString& choice, bool right) {
    const auto at = m_choiceTexts.indexOf(choice);
    if (at < 0) return;
    QPushButton* button = m_choiceButtons[static_cast<std::size_t>(at)];
    button->setText(QStringLiteral("%1   %2").arg(right ? QStringLiteral(" ✓ ") : QStringLiteral(" ✗ "), choice));
    button->setAccessibleName(
        (right ? tr("Answer %1: %2, right") : tr("Answer %1: %2, wrong")).arg(at + 1).arg(choice));
    button->setProperty("answer", right ? QStringLiteral("right") : QStringLiteral("wrong"));
    style()->unpolish(button);
    style()->polish(button);
}

void LessonPane::clearVerdict() {
    m_verdictBox->hide();
}

void LessonPane::setPreview() {
    m_preview = true;
    m_list->hide();
    m_link->hide();
}

void LessonPane::setFoot(QWidget* foot) {
    foot->setParent(this);
    m_foot->addWidget(foot);
}

void LessonPane::askAgain(const QString& words) {
    tell(false, words, false);
    m_field->selectAll();
    m_field->setFocus(Qt::OtherFocusReason);
}

void LessonPane::refuse(const QString& reason) {
    tell(false, reason, true);
    m_run->setEnabled(false);
}

void LessonPane::keyPressEvent(QKeyEvent* event) {
    const int number = event->key() - Qt::Key_1;
    const bool plain = event->modifiers() == Qt::NoModifier || event->modifiers() == Qt::KeypadModifier;
    if (plain && !m_settled && number >= 0 && number < static_cast<int>(m_choiceButtons.size())) {
        m_choiceButtons[static_cast<std::size_t>(number)]->click();
        return;
    }
    if (event->key() == Qt::Key_PageDown || event->key() == Qt::Key_PageUp) {
        const int to = m_place + (event->key() == Qt::Key_PageDown ? 1 : -1);
        if (to >= 0) Q_EMIT stopRequested(to);
        return;
    }
    QWidget::keyPressEvent(event);
}

} // namespace stridescope
