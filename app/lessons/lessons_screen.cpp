#include "app/lessons/lessons_screen.h"

#include "app/lessons/lesson_library.h"
#include "app/workspace/workspace.h"
#include "widgets/lessons/lesson_pane.h"
#include "widgets/shared/scroll_room.h"
#include "widgets/stage/explore_stage.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonArray>
#include <QLabel>
#include <QPushButton>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QStackedWidget>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace stridescope {

namespace {

constexpr int kPaneWidth = 400;

QString reasonOf(const Refusal& refusal) {
    const QString hint = QString::fromStdString(refusal.hint);
    return QString::fromStdString(refusal.message) + (hint.isEmpty() ? QString() : QStringLiteral("\n") + hint);
}

/// Names that lines of the form "x = …" give.
std::set<QString> namesGiven(const QStringList& code) {
    static const QRegularExpression kAssignment(QStringLiteral("^([A-Za-z_][A-Za-z_0-9]*) = "));
    std::set<QString> names;
    for (const QString& line : code) {
        if (const auto match = kAssignment.match(line); match.hasMatch()) names.insert(match.captured(1));
    }
    return names;
}

const TensorEntry* entryOf(const WorkspaceSnapshot& snapshot, const QString& name) {
    for (const TensorEntry& entry : snapshot.tensors) {
        if (entry.name == name) return &entry;
    }
    return nullptr;
}

} // namespace

LessonsScreen::LessonsScreen(Workspace* workspace, QWidget* parent) : Screen(parent), m_workspace(workspace) {
    m_pages = new QStackedWidget(this);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(m_pages);
    m_pages->addWidget(buildList());
    m_pages->addWidget(buildLesson());
    setFocusProxy(m_list);
    fillList();
}

QWidget* LessonsScreen::buildList() {
    auto* page = new QWidget(m_pages);
    page->setProperty("role", QStringLiteral("stage"));
    page->setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(20, 16, 20, 16);
    column->setSpacing(10);
    auto* top = new QHBoxLayout;
    auto* title = new QLabel(tr("Lessons"), page);
    title->setProperty("heading", true);
    auto* open = new QPushButton(tr("Open a lesson file…"), page);
    open->setObjectName(QStringLiteral("openLessonFile"));
    connect(open, &QPushButton::clicked, this, &LessonsScreen::askForFile);
    top->addWidget(title);
    top->addStretch();
    top->addWidget(open);
    column->addLayout(top);
    m_list = new QTreeWidget(page);
    m_list->setObjectName(QStringLiteral("lessonTable"));
    m_list->setAccessibleName(tr("Lessons"));
    m_list->setHeaderLabels({tr("Lesson"), tr("What it is about"), tr("Done")});
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setAllColumnsShowFocus(true);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    m_list->header()->setSectionResizeMode(1, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    connect(m_list, &QTreeWidget::itemActivated, this,
            [this](QTreeWidgetItem* item) { openLesson(item->data(0, Qt::UserRole).toString()); });
    column->addWidget(m_list, 1);
    return page;
}

QWidget* LessonsScreen::buildLesson() {
    auto* page = new QWidget(m_pages);
    auto* row = new QHBoxLayout(page);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    m_pane = new LessonPane(page);
    auto* paneRoom = new ScrollRoom(m_pane, page);
    paneRoom->setFixedWidth(kPaneWidth);
    m_stage = new ExploreStage(m_workspace->model(), page);
    m_stage->setObjectName(QStringLiteral("lessonStage"));
    row->addWidget(paneRoom);
    row->addWidget(new ScrollRoom(m_stage, page), 1);

    connect(m_stage, &ExploreStage::runRequested, this, &Screen::runRequested);
    connect(m_stage, &ExploreStage::statusTextChanged, this, &Screen::statusTextChanged);
    connect(m_pane, &LessonPane::listRequested, this, &LessonsScreen::showList);
    connect(m_pane, &LessonPane::stopRequested, this, [this](int stop) {
        if (!m_lesson) return;
        if (m_exercise && m_exercise->kind == LessonStop::Kind::Explain && stop == m_stop + 1) finishStop();
        if (stop >= static_cast<int>(m_lesson->stops.size()))
            showList();
        else
            showStop(stop);
    });
    connect(m_pane, &LessonPane::codeRequested, this, &LessonsScreen::runCode);
    connect(m_pane, &LessonPane::copyRequested, this, [this] {
        QApplication::clipboard()->setText(m_exercise->code.join(QLatin1Char('\n')));
        Q_EMIT statusTextChanged(tr("The lines are on the clipboard."));
    });
    connect(m_pane, &LessonPane::answered, this, &LessonsScreen::judgeAnswer);
    connect(m_pane, &LessonPane::revealRequested, this, [this] {
        m_pane->tell(false, tr("The answer is %1. %2").arg(m_exercise->answer.text(), m_exercise->because), true);
    });
    connect(m_pane, &LessonPane::checkRequested, this, [this] { judgeSelected(true); });
    connect(m_pane, &LessonPane::hintRequested, this, [this] { m_pane->tell(false, m_exercise->hint, false); });
    connect(m_pane, &LessonPane::drawRequested, this, [this] {
        m_seed = QRandomGenerator::global()->generate();
        showStop(m_stop);
    });
    // What is built is seen at once; a new tensor is selected after it was made.
    const auto look = [this] {
        if (isVisible()) judgeSelected(false);
    };
    connect(m_workspace, &Workspace::changed, this, look);
    connect(m_workspace->model(), &WorkspaceModel::selectionChanged, this, look);
    return page;
}

void LessonsScreen::setTheme(const Theme& theme) {
    m_stage->setTheme(theme);
}

void LessonsScreen::setReducedMotion(bool on) {
    m_stage->setReducedMotion(on);
}

std::optional<Scene> LessonsScreen::picture() const {
    return m_pages->currentIndex() == 1 ? std::optional(m_stage->pictureOf(0)) : std::nullopt;
}

std::vector<bool> LessonsScreen::doneOf(const Lesson& lesson) const {
    const auto found = m_done.find(lesson.id);
    std::vector<bool> done;
    for (const LessonStop& stop : lesson.stops)
        done.push_back(found != m_done.end() && found->second.count(stop.heading));
    return done;
}

void LessonsScreen::fillList() {
    const QString current = m_list->currentItem() ? m_list->currentItem()->data(0, Qt::UserRole).toString() : QString();
    m_list->clear();
    int number = 0;
    for (const Lesson& lesson : lessonLibrary()) {
        const std::vector<bool> done = doneOf(lesson);
        const auto count = std::count(done.begin(), done.end(), true);
        auto* item = new QTreeWidgetItem(
            m_list, {QStringLiteral("%1  %2").arg(++number).arg(lesson.title), lesson.objective,
                     tr("%1 of %2").arg(count).arg(done.size()) +
                         (count == static_cast<std::ptrdiff_t>(done.size()) ? QStringLiteral(" ✓") : QString())});
        item->setData(0, Qt::UserRole, lesson.id);
        item->setToolTip(1,
                         lesson.trap.isEmpty() ? lesson.objective : lesson.objective + QLatin1Char('\n') + lesson.trap);
        if (lesson.id == current) m_list->setCurrentItem(item);
    }
    if (!m_list->currentItem() && m_list->topLevelItemCount() > 0) m_list->setCurrentItem(m_list->topLevelItem(0));
}

void LessonsScreen::showList() {
    fillList();
    m_pages->setCurrentIndex(0);
    m_list->setFocus(Qt::OtherFocusReason);
}

void LessonsScreen::askForFile() {
    const QString file =
        QFileDialog::getOpenFileName(this, tr("Open a lesson file"), {}, tr("Lessons (*.lesson);;All files (*)"));
    if (!file.isEmpty()) openLesson(file);
}

bool LessonsScreen::openLesson(const QString& idOrFile, int stop) {
    QString file = idOrFile;
    for (const Lesson& lesson : lessonLibrary()) {
        if (lesson.id == idOrFile) file = lesson.file;
    }
    Result<Lesson> lesson = readLessonFile(file);
    m_pages->setCurrentIndex(1);
    if (!lesson) {
        m_lesson.reset();
        m_exercise.reset();
        LessonPaneStop refused;
        refused.heading = tr("This lesson cannot be opened.");
        m_pane->showStop(refused);
        m_pane->showPlace(0, {});
        m_pane->refuse(file + QLatin1Char('\n') + reasonOf(lesson.refusal()));
        return false;
    }
    m_lesson = *std::move(lesson);
    m_seed = QRandomGenerator::global()->generate();
    showStop(std::clamp(stop, 0, static_cast<int>(m_lesson->stops.size()) - 1));
    return true;
}

void LessonsScreen::showStop(int stop) {
    m_stop = stop;
    begin();
    m_pane->focusFirst();
}

void LessonsScreen::begin() {
    const LessonStop& stop = m_lesson->stops[static_cast<std::size_t>(m_stop)];
    Result<LessonExercise> begun = beginStop(stop, m_seed);
    LessonPaneStop shown;
    shown.lesson = m_lesson->title;
    shown.heading = stop.heading;
    if (!begun) {
        m_exercise.reset();
        m_pane->showStop(shown);
        m_pane->showPlace(m_stop, doneOf(*m_lesson));
        m_pane->refuse(reasonOf(begun.refusal()));
        return;
    }
    m_exercise = *std::move(begun);
    shown.heading = m_exercise->heading;
    shown.text = m_exercise->text;
    shown.code = m_exercise->code;
    shown.python = m_exercise->python;
    shown.ask = m_exercise->ask;
    shown.asks = m_exercise->isQuestion();
    shown.builds = m_exercise->target.has_value();
    shown.drawn = !stop.draws.empty();
    shown.place = m_exercise->place;
    if (!m_exercise->typed) {
        for (const LessonChoice& choice : m_exercise->choices) shown.choices << choice.text;
    }
    m_pane->showStop(shown);
    m_pane->showPlace(m_stop, doneOf(*m_lesson));
}

void LessonsScreen::runCode() {
    if (!m_exercise) return;
    // Tensors of stops before would crowd the picture.
    const std::set<QString> given = namesGiven(m_exercise->code);
    QStringList old;
    for (const QString& name : m_made) {
        if (!given.count(name) && m_workspace->hasName(name)) old << name;
    }
    QStringList lines = m_exercise->code;
    if (!old.isEmpty()) lines.prepend(QStringLiteral("del ") + old.join(QStringLiteral(", ")));
    std::set<QString> kept;
    // What the user has under a name that the lesson uses stays, under another one.
    for (const QString& name : given) {
        if (m_made.count(name) || !entryOf(*m_workspace->model()->snapshot(), name)) continue;
        QString own = name + QStringLiteral("_own");
        for (int number = 2; m_workspace->hasName(own); ++number) own = name + QStringLiteral("_own%1").arg(number);
        lines.prepend(own + QStringLiteral(" = ") + name);
        kept.insert(own);
    }
    // And so would what was there before the lesson: it stays in the workspace.
    std::vector<TensorId> others;
    for (const TensorEntry& entry : m_workspace->model()->snapshot()->tensors) {
        if (entry.onStage && !given.count(entry.name) && !m_made.count(entry.name)) others.push_back(entry.id);
    }
    for (const TensorId other : others) m_workspace->setOnStage(other, false);
    m_made = given;
    Q_EMIT runRequested(lines.join(QLatin1Char('\n')));
    // A name that was hidden before is wanted now.
    std::vector<std::pair<TensorId, bool>> shown;
    for (const TensorEntry& entry : m_workspace->model()->snapshot()->tensors) {
        const bool wanted = entry.onStage ? !kept.count(entry.name) : given.count(entry.name) > 0;
        if (wanted != entry.onStage) shown.emplace_back(entry.id, wanted);
    }
    for (const auto& [id, on] : shown) m_workspace->setOnStage(id, on);
    static const QRegularExpression kPick(QStringLiteral("^([A-Za-z_]\\w*)\\[([0-9, ]+)\\]$"));
    const auto pick = kPick.match(m_exercise->pick);
    const TensorEntry* entry = pick.hasMatch() ? entryOf(*m_workspace->model()->snapshot(), pick.captured(1)) : nullptr;
    if (!entry) return;
    Dims coord;
    for (const QString& index : pick.captured(2).split(QLatin1Char(','))) coord.push_back(index.trimmed().toLongLong());
    const View& view = entry->tensor.view();
    if (coord.size() != view.shape.size()) return;
    for (std::size_t d = 0; d < coord.size(); ++d) {
        if (coord[d] >= view.shape[d]) return;
    }
    m_workspace->model()->select(entry->id);
    m_workspace->model()->setPick(Pick{entry->tensor.storage()->id(), view.slot(coord), entry->id, coord});
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
}

void LessonsScreen::judgeSelected(bool told) {
    if (!m_exercise || !m_exercise->target || m_pane->isSettled()) return;
    const WorkspaceSnapshot& snapshot = *m_workspace->model()->snapshot();
    const TensorEntry* made = m_workspace->model()->selected();
    if (!made) {
        if (told) m_pane->tell(false, tr("No tensor is selected."), false);
        return;
    }
    const TensorEntry* base = m_exercise->base.isEmpty() ? nullptr : entryOf(snapshot, m_exercise->base);
    const bool itself = base && base->id == made->id && m_made.count(made->name);
    const LessonVerdict verdict =
        m_exercise->judge(made->tensor, base ? std::optional<Tensor>(base->tensor) : std::nullopt);
    if (!verdict.right && !told) return;
    if (verdict.right && itself && !told) return;
    if (verdict.right) finishStop();
    const QString reply = verdict.right && verdict.reply.isEmpty() ? tr("That is it.") : verdict.reply;
    m_pane->tell(verdict.right, reply, verdict.right);
}

QJsonObject LessonsScreen::kept() const {
    QJsonObject done;
    for (const auto& [id, headings] : m_done) {
        QJsonArray list;
        for (const QString& heading : headings) list.append(heading);
        done.insert(id, list);
    }
    return {{QStringLiteral("done"), done}};
}

void LessonsScreen::keep(const QJsonObject& values) {
    const QJsonObject done = values.value(QStringLiteral("done")).toObject();
    for (auto it = done.begin(); it != done.end(); ++it) {
        for (const QJsonValue& heading : it.value().toArray()) m_done[it.key()].insert(heading.toString());
    }
    fillList();
}

} // namespace stridescope
