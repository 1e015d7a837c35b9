#include "app/lessons/lesson_page.h"

#include "app/lessons/lesson_sketch.h"
#include "app/lessons/lessons_screen.h"
#include "widgets/lessons/class_vote.h"
#include "widgets/lessons/vote_board.h"
#include "widgets/shared/accessible_role.h"
#include "widgets/stage/explore_stage.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {

/// In pixels of a scene.
constexpr qreal kMargin = 12, kGap = 6, kAsk = 15, kText = 13, kCode = 13, kWords = 12.5;

QLabel* label(const char* name, QWidget* parent) {
    auto* made = new QLabel(parent);
    made->setObjectName(QString::fromLatin1(name));
    made->setTextFormat(Qt::PlainText); // a lesson is somebody's file
    made->setWordWrap(true);
    return made;
}

QString sheetOf(const QFont& font, const Theme& theme) {
    return QStringLiteral("font-family: \"%1\"; font-size: %2px; font-weight: %3; color: %4; background: transparent;")
        .arg(font.family())
        .arg(font.pixelSize())
        .arg(static_cast<int>(font.weight()))
        .arg(theme.color(Tone::Ink).name());
}

ExploreStage* stageFor(WorkspaceModel* model, const char* name, QWidget* parent) {
    auto* stage = new ExploreStage(model, parent);
    stage->setObjectName(QString::fromLatin1(name));
    StageOptions options = stage->options();
    options.presented = true;
    stage->setOptions(options);
    return stage;
}

} // namespace

LessonPage::LessonPage(LessonsScreen* screen, QWidget* parent)
    : PresentedPage(parent), m_screen(screen), m_sketch(new LessonSketch(this)) {
    setObjectName(QStringLiteral("lessonPage"));
    setAccessibleRole(this, QAccessible::Pane);
    setAccessibleName(tr("Lesson"));
    setWhatsThis(tr("A page of the lesson for the class: Space shows what comes next, and Enter runs the code. With a "
                    "question, 1 to 9 choose an answer, + and - count its votes, and T counts down."));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored); // the screen is as large as it is
    auto* column = new QVBoxLayout(this);
    m_ask = label("classAsk", this);
    column->addWidget(m_ask);
    auto* middle = new QHBoxLayout;
    m_left = new QStackedWidget(this);
    m_left->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    m_asked = stageFor(m_sketch->model(), "classAsked", m_left);
    m_shown = stageFor(screen->model(), "classShown", m_left);
    m_textRoom = new QScrollArea(m_left);
    m_textRoom->setWidgetResizable(true);
    m_textRoom->setFrameShape(QFrame::NoFrame);
    m_textRoom->setFocusPolicy(Qt::NoFocus);
    m_textRoom->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_text = label("classText", m_textRoom);
    m_text->setAlignment(Qt::AlignTop | Qt::AlignLeading);
    m_textRoom->setWidget(m_text);
    for (QWidget* each :
         {static_cast<QWidget*>(m_asked), static_cast<QWidget*>(m_shown), static_cast<QWidget*>(m_textRoom)})
        m_left->addWidget(each);
    m_board = new VoteBoard(screen->vote(), this);
    middle->addWidget(m_left, 13); // the picture has little room for its letters as it is
    middle->addWidget(m_board, 9);
    column->addLayout(middle, 1);
    m_said = label("classSaid", this);
    column->addWidget(m_said);
    auto* low = new QHBoxLayout;
    m_clock = label("classClock", this);
    m_hands = label("classHands", this);
    m_next = label("classNextStep", this);
    for (QLabel* each : {m_clock, m_hands, m_next}) each->setWordWrap(false);
    low->addWidget(m_clock);
    low->addWidget(m_hands);
    low->addStretch(1);
    low->addWidget(m_next);
    column->addLayout(low);
    connect(m_shown, &ExploreStage::runRequested, this, &PresentedPage::runRequested);
    connect(screen, &LessonsScreen::stopChanged, this, &LessonPage::takeStop);
    connect(screen, &LessonsScreen::codeRan, this, [this] {
        if (m_screen->exercise() && m_screen->exercise()->kind == LessonStop::Kind::Explain) m_step = steps() - 1;
        follow();
    });
    connect(screen->vote(), &ClassVote::changed, this, &LessonPage::followTime);
    takeStop();
}

void LessonPage::setLook(const Theme& theme, qreal scale) {
    m_theme = theme;
    m_scale = scale;
    for (ExploreStage* stage : {m_asked, m_shown}) {
        stage->setTheme(theme);
        stage->setScale(scale);
    }
    m_board->setLook(theme, scale);
    const auto px = [scale](qreal length) { return static_cast<int>(std::ceil(length * scale)); };
    layout()->setContentsMargins(px(kMargin), px(kGap), px(kMargin), px(kGap));
    layout()->setSpacing(px(kGap));
    static_cast<QBoxLayout*>(layout())->itemAt(1)->layout()->setSpacing(px(kMargin));
    const auto dress = [&](QLabel* words, qreal size, QFont::Weight weight, bool mono = false) {
        const QFont font = mono ? Theme::monoFont(px(size), weight) : Theme::sansFont(px(size), weight);
        words->setStyleSheet(sheetOf(font, theme));
    };
    dressAsk(kAsk);
    dress(m_text, kText, QFont::Normal);
    dress(m_clock, kCode, QFont::DemiBold, true);
    dress(m_hands, kWords, QFont::Normal);
    dress(m_said, kWords, QFont::Medium);
    dress(m_next, kWords, QFont::DemiBold);
    m_next->setStyleSheet(m_next->styleSheet() +
                          QStringLiteral("border: %1px solid %2; border-radius: %3px; padding: %4px;")
                              .arg(px(1.2))
                              .arg(theme.color(Tone::Ink).name())
                              .arg(px(3))
                              .arg(px(2)));
    m_textRoom->viewport()->setStyleSheet(QStringLiteral("background: %1;").arg(theme.color(Tone::Stage).name()));
    fillText();
    follow();
}

// --- Where the class is ---------------------------------------------------------------------------------------------

std::vector<int> LessonPage::wrongs() const {
    std::vector<int> wrong;
    const auto& exercise = m_screen->exercise();
    if (!exercise) return wrong;
    for (std::size_t i = 0; i < exercise->choices.size(); ++i) {
        if (!exercise->choices[i].reply.isEmpty()) wrong.push_back(static_cast<int>(i));
    }
    return wrong;
}

int LessonPage::steps() const {
    const auto& exercise = m_screen->exercise();
    if (!exercise) return 1;
    if (exercise->isQuestion()) return 2 + static_cast<int>(wrongs().size());
    if (exercise->target) return exercise->hint.isEmpty() ? 1 : 2;
    return exercise->code.isEmpty() || exercise->python ? 1 : 2;
}

bool LessonPage::isRevealed() const {
    return m_screen->exercise() && m_screen->exercise()->isQuestion() && m_step > 0;
}

bool LessonPage::goOn(int by) {
    const int to = m_step + by;
    if (to < 0 || to >= steps()) return skip(by);
    m_step = to;
    if (isRevealed()) m_screen->vote()->stopCountdown();
    follow();
    return true;
}

bool LessonPage::skip(int by) {
    const int to = m_screen->stopIndex() + by;
    if (!m_screen->lesson() || to < 0 || to >= stages()) return true;
    m_screen->goTo(to);
    return true;
}

int LessonPage::stages() const {
    return m_screen->lesson() ? static_cast<int>(m_screen->lesson()->stops.size()) : 0;
}

int LessonPage::stage() const {
    return m_screen->stopIndex() + 1;
}

QString LessonPage::stageName() const {
    return m_screen->lesson() ? m_screen->lesson()->title : QString();
}

QString LessonPage::line() const {
    const auto& exercise = m_screen->exercise();
    return exercise && !exercise->code.isEmpty() ? exercise->code.join(QStringLiteral("; ")) : stageName();
}

QPainterPath LessonPage::spotlight() const {
    const auto* stage = qobject_cast<const ExploreStage*>(m_left->currentWidget());
    if (!stage || m_left->isHidden()) return {};
    return stage->selectedArea().translated(stage->mapTo(this, QPoint()));
}

QString LessonPage::nextStep() const {
    if (m_step + 1 < steps()) {
        const auto& exercise = m_screen->exercise();
        if (exercise->isQuestion()) return m_step == 0 ? tr("Reveal") : tr("A wrong answer");
        return exercise->target ? tr("Hint") : tr("Picture");
    }
    return stage() < stages() ? tr("Next stop") : tr("End of the lesson");
}

QStringList LessonPage::sayings() const {
    const auto& exercise = m_screen->exercise();
    if (!exercise) return {m_screen->lesson() ? tr("This stop cannot be begun.") : QString()};
    // Where the picture comes with the words, it is told at once.
    const QString older = isOlder() ? tr("The picture is from before: Enter runs the code.") : QString();
    QStringList all{exercise->target ? older : QString()};
    if (exercise->isQuestion()) {
        all << tr("✓ %1: %2").arg(exercise->answer.words(), exercise->because);
        for (const int i : wrongs()) {
            const LessonChoice& wrong = exercise->choices[static_cast<std::size_t>(i)];
            all << tr("✗ %1: %2").arg(wrong.text, wrong.reply);
        }
    } else if (exercise->target) {
        if (m_screen->isBuilt()) return {QStringLiteral("✓ ") + exercise->because, exercise->hint};
        all << (older.isEmpty() ? exercise->hint : older);
    } else {
        all << older;
    }
    return all;
}

bool LessonPage::isOlder() const {
    const auto& tensors = m_screen->model()->snapshot()->tensors;
    return m_screen->waitsForCode() &&
           std::any_of(tensors.begin(), tensors.end(), [](const TensorEntry& entry) { return entry.onStage; });
}

QString LessonPage::said() const {
    const QStringList all = sayings();
    if (m_screen->isBuilt()) return all.front();
    return m_step < all.size() ? all[m_step] : QString();
}

// --- What is shown --------------------------------------------------------------------------------------------------

void LessonPage::takeStop() {
    m_step = 0;
    m_textRoom->verticalScrollBar()->setValue(0);
    follow();
}

void LessonPage::fillText() {
    const auto& exercise = m_screen->exercise();
    if (!exercise) {
        m_text->setText(m_screen->lesson() ? QString() : tr("Choose a lesson in the other window."));
        return;
    }
    QStringList parts = exercise->isQuestion() ? QStringList() : exercise->text;
    if (!exercise->code.isEmpty()) parts << exercise->code.join(QLatin1Char('\n'));
    m_text->setText(parts.join(QStringLiteral("\n\n")));
}

void LessonPage::follow() {
    const auto& exercise = m_screen->exercise();
    const bool question = exercise && exercise->isQuestion();
    fillText();
    m_ask->setText(!exercise ? stageName() : question || exercise->target ? exercise->ask : exercise->heading);
    m_board->setVisible(question && !exercise->typed);
    const std::vector<int> wrong = wrongs();
    int right = -1;
    if (isRevealed() && !exercise->typed) {
        for (std::size_t i = 0; i < exercise->choices.size(); ++i)
            if (exercise->choices[i].reply.isEmpty()) right = static_cast<int>(i);
    }
    m_board->setAnswer(right, m_step > 1 && !exercise->typed ? wrong[static_cast<std::size_t>(m_step) - 2] : -1);
    if (question) {
        m_sketch->show(*exercise, isRevealed());
        StageOptions options = m_asked->options();
        options.hidesValues = !isRevealed();
        m_asked->setOptions(options);
        // Pointing would tell which cell is meant.
        m_asked->setAttribute(Qt::WA_TransparentForMouseEvents, !isRevealed());
        m_left->setCurrentWidget(m_sketch->isEmpty() ? static_cast<QWidget*>(m_textRoom) : m_asked);
    } else {
        const bool words = !exercise || (exercise->kind == LessonStop::Kind::Explain && m_step == 0);
        m_left->setCurrentWidget(words ? static_cast<QWidget*>(m_textRoom) : m_shown);
    }
    m_said->setText(said());
    m_pictureLeftOut = false;
    const bool goesOn = m_step + 1 < steps() || stage() < stages();
    QString next = goesOn ? tr("%1 · Space").arg(nextStep()) : nextStep();
    if (m_screen->waitsForCode()) next = tr("Run · Enter") + QStringLiteral("    ") + next;
    m_next->setText(next);
    fit();
    m_next->setVisible(exercise.has_value() && m_lowFits);
    followTime();
    Q_EMIT changed();
}

void LessonPage::followTime() {
    const ClassVote& vote = *m_screen->vote();
    const int left = vote.secondsLeft();
    m_clock->setText(QStringLiteral("%1:%2").arg(left / 60).arg(left % 60, 2, 10, QLatin1Char('0')));
    m_clock->setAccessibleName(left > 0 ? tr("Seconds left: %1").arg(left) : tr("Time is up"));
    m_clock->setVisible(vote.isCounting() && m_lowFits);
    m_hands->setVisible(m_lowFits);
    const bool question = m_screen->exercise() && m_screen->exercise()->isQuestion();
    m_hands->setText(vote.allHands() > 0       ? tr("Hands: %1").arg(vote.allHands())
                     : m_pictureLeftOut        ? tr("The picture comes with the answer.")
                     : question && m_step == 0 ? tr("What do you think?")
                                               : QString());
}

void LessonPage::dressAsk(qreal size) {
    m_ask->setStyleSheet(
        sheetOf(Theme::sansFont(static_cast<int>(std::ceil(size * m_scale)), QFont::DemiBold), m_theme));
}

void LessonPage::resizeEvent(QResizeEvent* event) {
    PresentedPage::resizeEvent(event);
    follow();
}

// --- Keys -----------------------------------------------------------------------------------------------------------

void LessonPage::keyPressEvent(QKeyEvent* event) {
    ClassVote& vote = *m_screen->vote();
    const bool plain = !(event->modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier));
    const bool votes = m_screen->exercise() && m_screen->exercise()->isQuestion() && plain;
    const int digit = event->key() - Qt::Key_1;
    if (votes && digit >= 0 && digit < vote.count()) {
        vote.choose(digit);
        return;
    }
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal: // the same key without Shift
        if (votes) return vote.add(vote.chosen(), 1);
        break;
    case Qt::Key_Minus:
    case Qt::Key_Underscore:
        if (votes) return vote.add(vote.chosen(), -1);
        break;
    case Qt::Key_T:
        if (votes) {
            const bool again = event->modifiers() & Qt::ShiftModifier;
            return vote.isCounting() && !again ? vote.stopCountdown() : vote.startCountdown();
        }
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_screen->exercise() && !m_screen->exercise()->isQuestion()) return m_screen->runCode();
        break;
    case Qt::Key_Up:
    case Qt::Key_Down:
        if (m_left->currentWidget() == m_textRoom) {
            QScrollBar* bar = m_textRoom->verticalScrollBar();
            const int by = static_cast<int>(40 * m_scale);
            return bar->setValue(bar->value() + (event->key() == Qt::Key_Down ? by : -by));
        }
        break;
    default:
        break;
    }
    PresentedPage::keyPressEvent(event);
}

} // namespace stridescope
