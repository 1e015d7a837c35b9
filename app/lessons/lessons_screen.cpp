#include "app/lessons/lessons_screen.h"

#include "app/files/text_file_watch.h"
#include "app/lessons/lesson_editor.h"
#include "app/lessons/lesson_library.h"
#include "app/lessons/lesson_list.h"
#include "app/lessons/lesson_page.h"
#include "app/lessons/lesson_sketch.h"
#include "app/lessons/lesson_try.h"
#include "app/lessons/pane_stop.h"
#include "app/workspace/workspace.h"
#include "widgets/lessons/class_vote.h"
#include "widgets/lessons/lesson_pane.h"
#include "widgets/lessons/teacher_card.h"
#include "widgets/shared/scroll_room.h"
#include "widgets/stage/explore_stage.h"

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QRandomGenerator>
#include <QStackedWidget>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace stridescope {

namespace {

constexpr int kPaneWidth = 400;

/// A caption that wraps would make the pages want the height of the whole picture, at which a low window scrolls. The
/// picture takes what room there is.
class Pages : public QStackedWidget {
public:
    using QStackedWidget::QStackedWidget;
    bool hasHeightForWidth() const override { return false; }
};

} // namespace

LessonsScreen::LessonsScreen(Workspace* workspace, QWidget* parent)
    : Screen(parent), m_workspace(workspace), m_sketch(new LessonSketch(this)), m_vote(new ClassVote(this)),
      m_watch(new TextFileWatch(this)), m_try(std::make_unique<LessonTry>(workspace)) {
    setWhatsThis(
        tr("Lessons run in the workspace that the other screens show. A page has a sentence, a line of code and "
           "a question: Enter runs the code or says the answer, Page Down goes to the next page, and the "
           "picture is of the tensors as they are now."));
    m_pages = new Pages(this);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(m_pages);
    m_list = new LessonList(m_pages);
    m_pages->addWidget(m_list);
    m_lessonPage = buildLesson();
    m_pages->addWidget(m_lessonPage);
    setFocusProxy(m_list);
    connect(m_list, &LessonList::lessonChosen, this, [this](const QString& lesson) { openLesson(lesson); });
    connect(m_list, &LessonList::newRequested, this, [this] { makeEditor()->newLesson(); });
    connect(m_list, &LessonList::editRequested, this, &LessonsScreen::editFile);
    connect(m_list, &LessonList::copyRequested, this, [this](const QString& id) { makeEditor()->copyOf(id); });
    connect(m_watch, &TextFileWatch::changed, this, [this] {
        if (!m_lesson) return;
        const QString file = m_lesson->file;
        openLesson(file, m_stop);
        Q_EMIT statusTextChanged(
            tr("%1 has changed on the disk and was opened again.").arg(QFileInfo(file).fileName()));
    });
    connect(m_pages, &QStackedWidget::currentChanged, this, &Screen::messagePlaceChanged);
    m_list->fill([this](const Lesson& lesson) { return doneOf(lesson); });
}

LessonsScreen::~LessonsScreen() = default;

QWidget* LessonsScreen::buildLesson() {
    auto* page = new QWidget(m_pages);
    auto* row = new QHBoxLayout(page);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    m_pane = new LessonPane(page);
    m_teacher = new TeacherCard(m_vote, m_pane);
    m_teacher->hide();
    m_pane->setFoot(m_teacher);
    auto* paneRoom = new ScrollRoom(m_pane, page);
    paneRoom->setFixedWidth(kPaneWidth);
    auto* right = new QWidget(page);
    right->setProperty("role", QStringLiteral("stage"));
    right->setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(right);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_caption = new QLabel(right);
    m_caption->setObjectName(QStringLiteral("lessonCaption"));
    m_caption->setContentsMargins(20, 8, 20, 0);
    m_caption->setTextFormat(Qt::PlainText);
    m_caption->setWordWrap(true); // PyTorch's reasons are long
    column->addWidget(m_caption);
    m_pictures = new QStackedWidget(right);
    m_stage = new ExploreStage(m_workspace->model(), m_pictures);
    m_stage->setObjectName(QStringLiteral("lessonStage"));
    m_asked = new ExploreStage(m_sketch->model(), m_pictures);
    m_asked->setObjectName(QStringLiteral("lessonAsked"));
    m_waiting = new QLabel(m_pictures);
    m_waiting->setObjectName(QStringLiteral("lessonWaiting"));
    m_waiting->setAlignment(Qt::AlignCenter);
    m_pictures->addWidget(new ScrollRoom(m_stage, m_pictures));
    m_pictures->addWidget(new ScrollRoom(m_asked, m_pictures));
    m_pictures->addWidget(m_waiting);
    column->addWidget(m_pictures, 1);
    row->addWidget(paneRoom);
    row->addWidget(right, 1);

    connect(m_stage, &ExploreStage::runRequested, this, &Screen::runRequested);
    for (const ExploreStage* stage : {m_stage, m_asked})
        connect(stage, &ExploreStage::statusTextChanged, this, &Screen::statusTextChanged);
    connect(m_asked, &ExploreStage::runRequested, this, [this] {
        Q_EMIT statusTextChanged(tr("This picture is the question's. Run the code to have its tensors."));
    });
    connect(m_pane, &LessonPane::listRequested, this, &LessonsScreen::showList);
    connect(m_pane, &LessonPane::stopRequested, this, [this](int stop) {
        if (!m_lesson) return;
        if (m_exercise && m_exercise->kind == LessonStop::Kind::Explain && stop == m_stop + 1) finishStop();
        if (stop < static_cast<int>(m_lesson->stops.size())) return showStop(stop);
        showList();
        m_list->selectAfter(m_lesson->id);
    });
    connect(m_pane, &LessonPane::codeRequested, this, &LessonsScreen::runCode);
    connect(m_pane, &LessonPane::copyRequested, this, [this] {
        QApplication::clipboard()->setText(shownCode().join(QLatin1Char('\n')));
        Q_EMIT statusTextChanged(tr("The lines are on the clipboard."));
    });
    connect(m_pane, &LessonPane::linkRequested, this, &LessonsScreen::copyLink);
    connect(m_pane, &LessonPane::answered, this, &LessonsScreen::judgeAnswer);
    connect(m_pane, &LessonPane::revealRequested, this, [this] {
        m_pane->tell(false, tr("The answer is %1. %2").arg(m_exercise->answer.words(), m_exercise->because), true);
        m_pane->mark(m_exercise->answer.words(), true);
        showAnswer();
    });
    connect(m_pane, &LessonPane::lineEntered, this, &LessonsScreen::tryLine);
    connect(m_pane, &LessonPane::checkRequested, this, [this] {
        if (hasBase()) judgeSelected(true);
    });
    connect(m_pane, &LessonPane::hintRequested, this, [this] { m_pane->tell(false, m_exercise->hint, false); });
    connect(m_pane, &LessonPane::drawRequested, this, [this] {
        const LessonStop& stop = m_lesson->stops[static_cast<std::size_t>(m_stop)];
        m_seed = otherSeed(stop, m_exercise ? m_exercise->drawn : QString(),
                           [] { return QRandomGenerator::global()->generate(); });
        m_try->takeBack();
        showStop(m_stop);
    });
    // What is built is seen at once; a new tensor is selected after it was made.
    const auto look = [this] {
        if (m_exercise && !m_runs) judgeSelected(false);
    };
    connect(m_workspace, &Workspace::changed, this, look);
    connect(m_workspace, &Workspace::changed, this, &LessonsScreen::showPicture);
    connect(m_workspace->model(), &WorkspaceModel::selectionChanged, this, look);
    connect(m_workspace, &Workspace::lineFinished, this, &LessonsScreen::tookCode);
    connect(m_teacher, &TeacherCard::stepRequested, this, [this](int by) {
        if (m_page) m_page->goOn(by);
    });
    return page;
}

WorkspaceModel* LessonsScreen::model() const {
    return m_workspace->model();
}

void LessonsScreen::setTheme(const Theme& theme) {
    m_theme = theme;
    m_stage->setTheme(theme);
    m_asked->setTheme(theme);
    if (m_editor) m_editor->setTheme(theme);
}

void LessonsScreen::setReducedMotion(bool on) {
    m_stage->setReducedMotion(on);
    m_asked->setReducedMotion(on);
}

std::optional<Scene> LessonsScreen::picture() const {
    if (m_pages->currentWidget() != m_lessonPage || m_pictures->currentWidget() == m_waiting) return std::nullopt;
    return (m_pictures->currentIndex() == 0 ? m_stage : m_asked)->pictureOf(0);
}

QRect LessonsScreen::messagePlace() const {
    if (m_pages->currentWidget() != m_lessonPage) return {};
    const QWidget* right = m_pictures->parentWidget();
    return {right->mapTo(this, QPoint()), right->size()};
}

std::vector<bool> LessonsScreen::doneOf(const Lesson& lesson) const {
    const auto found = m_done.find(lesson.id);
    std::vector<bool> done;
    for (const LessonStop& stop : lesson.stops)
        done.push_back(found != m_done.end() && found->second.count(stop.heading));
    return done;
}

void LessonsScreen::showList() {
    m_list->fill([this](const Lesson& lesson) { return doneOf(lesson); });
    m_pages->setCurrentWidget(m_list);
    setFocusProxy(m_list);
    m_list->setFocus(Qt::OtherFocusReason);
}

// --- A stop ---------------------------------------------------------------------------------------------------------

void LessonsScreen::goTo(int stop) {
    if (m_exercise && m_exercise->kind == LessonStop::Kind::Explain && stop == m_stop + 1) finishStop();
    showStop(stop);
}

void LessonsScreen::showStop(int stop) {
    m_stop = stop;
    Q_EMIT messagesRead();
    Q_EMIT statusTextChanged({});
    begin();
    m_pane->focusFirst();
    Q_EMIT stopChanged();
}

void LessonsScreen::begin() {
    const LessonStop& stop = m_lesson->stops[static_cast<std::size_t>(m_stop)];
    Result<LessonExercise> begun = beginStop(stop, m_seed);
    LessonPaneStop shown;
    shown.lesson = m_lesson->title;
    shown.heading = stop.heading;
    m_ran = m_built = m_toldToRun = false;
    if (!begun) {
        m_exercise.reset();
        m_vote->begin({});
        m_pane->showStop(shown);
        m_pane->showPlace(m_stop, doneOf(*m_lesson));
        m_pane->refuse(reasonOf(begun.refusal()));
        showPicture();
        return;
    }
    m_exercise = *std::move(begun);
    shown = paneStop(*m_exercise, *m_lesson, stop);
    m_vote->begin(shown.choices);
    m_pane->showStop(shown);
    m_pane->showPlace(m_stop, doneOf(*m_lesson));
    showPicture();
}

void LessonsScreen::showPicture() {
    const auto show = [this](int picture, const QString& caption) {
        m_pictures->setCurrentIndex(picture);
        m_caption->setText(caption);
    };
    const auto& tensors = model()->snapshot()->tensors;
    const bool older = std::any_of(tensors.begin(), tensors.end(), [](const auto& entry) { return entry.onStage; });
    if (!m_exercise || m_ran) return show(0, {});
    const bool forPython = m_exercise->python && !m_exercise->made.empty();
    if (m_exercise->python && !forPython && !m_exercise->isQuestion())
        return show(0, older ? tr("The picture of your workspace, as it is. The lines are for Python: copy them.")
                             : QString());
    if (m_exercise->isQuestion() || forPython) {
        const bool revealed = !m_exercise->isQuestion() || m_pane->isSettled();
        m_sketch->show(*m_exercise, revealed);
        StageOptions options = m_asked->options();
        options.hidesValues = !revealed;
        m_asked->setOptions(options);
        // Pointing would tell which cell is meant.
        m_asked->setAttribute(Qt::WA_TransparentForMouseEvents, !revealed);
        m_asked->setFocusPolicy(revealed ? Qt::StrongFocus : Qt::NoFocus);
        const bool pictured = !m_exercise->made.empty() || m_exercise->asked;
        m_waiting->setText(pictured ? tr("The picture comes with the answer.") : QString());
        const QString outcome = revealed ? m_exercise->outcome : QString();
        if (m_sketch->isEmpty()) return show(2, outcome);
        if (!revealed) return show(1, tr("What the question is about. Values come with the answer."));
        if (forPython)
            return show(1,
                        outcome.isEmpty() ? tr("What the lines are about. They are for Python: copy them.") : outcome);
        return show(1, outcome.isEmpty() ? tr("What the question is about. Run makes it yours.")
                                         : tr("%1    Run makes it yours.").arg(outcome));
    }
    show(0, older && !m_exercise->code.isEmpty() ? tr("This picture is from before: run the code first.") : QString());
}

bool LessonsScreen::waitsForCode() const {
    return m_exercise && !m_ran && !m_exercise->code.isEmpty() && !m_exercise->python && !m_exercise->isQuestion();
}

void LessonsScreen::runCode() {
    if (!m_exercise || m_runs || shownCode().isEmpty() || m_exercise->python) return;
    if (m_exercise->isQuestion() && !m_pane->isSettled()) return; // the code would show the answer
    m_try->takeBack();
    const LessonRun::Lines lines = m_run.lines(shownCode(), *m_workspace);
    m_runs = true;
    const int before = m_workspace->position();
    Q_EMIT runTogether(lines.code, tr("the code of \"%1\"").arg(m_exercise->heading), lines.alone);
    if (m_workspace->isBusy()) return; // lineFinished() comes
    if (m_workspace->position() > before) return tookCode();
    m_runs = false; // refused, and said why
}

void LessonsScreen::tookCode() {
    if (!std::exchange(m_runs, false) || !m_exercise) return;
    const WorkspaceSnapshot& snapshot = *model()->snapshot();
    m_run.done(shownCode(), snapshot);
    m_ran = true;
    showPicture();
    if (m_exercise->target && !m_pane->isSettled()) {
        if (std::exchange(m_toldToRun, false)) m_pane->clearVerdict();
        pointAt(m_exercise->base, *model()); // and not what was tried before
    }
    if (m_exercise->asked) pointAt(m_exercise->asked->name, *model());
    pointAt(m_exercise->pick, *model());
    if (isVisible() && m_pane->isAncestorOf(QApplication::focusWidget())) m_pane->focusAfterCode();
    Q_EMIT codeRan();
}

void LessonsScreen::finishStop() {
    m_done[m_lesson->id].insert(m_lesson->stops[static_cast<std::size_t>(m_stop)].heading);
    m_pane->showPlace(m_stop, doneOf(*m_lesson));
    Q_EMIT keptChanged();
}

void LessonsScreen::judgeAnswer(const QString& said) {
    if (!m_exercise || m_pane->isSettled()) return;
    const std::optional<LessonVerdict> verdict = m_exercise->judge(said);
    if (!verdict) {
        m_pane->askAgain(tr("'%1' cannot be read as an answer. Wanted is %2.").arg(said.left(40), m_exercise->place));
        return;
    }
    if (verdict->right) finishStop();
    m_pane->tell(verdict->right, verdict->reply, verdict->right);
    m_pane->mark(said, verdict->right);
    if (verdict->right) return showAnswer();
    m_pane->field()->selectAll(); // the next answer takes its place
}

void LessonsScreen::showAnswer() {
    m_pane->showCode(shownCode());
    showPicture();
}

QStringList LessonsScreen::shownCode() const {
    return m_exercise->isQuestion() && m_pane->isSettled() ? m_exercise->codeWithAsked() : m_exercise->code;
}

} // namespace stridescope
