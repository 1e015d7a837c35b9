// Which lesson is open, what a class sees of it, and what is remembered.

#include "app/files/text_file_watch.h"
#include "app/lessons/lesson_editor.h"
#include "app/lessons/lesson_library.h"
#include "app/lessons/lesson_list.h"
#include "app/lessons/lesson_page.h"
#include "app/lessons/lessons_screen.h"
#include "app/lessons/pane_stop.h"
#include "widgets/lessons/lesson_pane.h"
#include "widgets/lessons/teacher_card.h"

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QJsonArray>
#include <QRandomGenerator>
#include <QStackedWidget>

namespace stridescope {

// --- Opening --------------------------------------------------------------------------------------------------------

void LessonsScreen::refuse(const QString& file, const QString& reason) {
    m_lesson.reset();
    m_exercise.reset();
    LessonPaneStop refused;
    refused.heading = tr("This lesson cannot be opened.");
    m_pane->showStop(refused);
    m_pane->showPlace(0, {});
    m_pane->refuse(file + QLatin1Char('\n') + reason);
    showPicture();
    Q_EMIT stopChanged();
}

bool LessonsScreen::openLesson(const QString& idOrFile, int stop) {
    QString file = idOrFile;
    for (const Lesson& lesson : lessonLibrary()) {
        if (lesson.id == idOrFile) file = lesson.file;
    }
    Result<Lesson> lesson = readLessonFile(file);
    m_pages->setCurrentWidget(m_lessonPage);
    setFocusProxy(m_pane);
    m_watch->watch(file.startsWith(QLatin1Char(':')) ? QString() : file);
    if (!lesson) {
        refuse(file, reasonOf(lesson.refusal()));
        return false;
    }
    m_lesson = *std::move(lesson);
    m_seed = QRandomGenerator::global()->generate();
    showStop(std::clamp(stop, 0, static_cast<int>(m_lesson->stops.size()) - 1));
    return true;
}

bool LessonsScreen::openLink(const QString& link) {
    const qsizetype at = QFileInfo::exists(link) ? -1 : link.lastIndexOf(QLatin1Char('#'));
    const QString lesson = at < 0 ? link : link.left(at), place = at < 0 ? QString() : link.mid(at + 1);
    if (!openLesson(lesson)) return false;
    if (place.isEmpty()) return true;
    bool isNumber = false;
    int stop = place.toInt(&isNumber) - 1;
    const int stops = static_cast<int>(m_lesson->stops.size());
    for (int i = 0; i < stops && !isNumber; ++i) {
        if (m_lesson->stops[static_cast<std::size_t>(i)].heading.compare(place, Qt::CaseInsensitive) == 0) stop = i;
    }
    if (stop < 0 || stop >= stops) {
        refuse(link, tr("It has no stop '%1', but stops 1 to %2.").arg(place.left(60)).arg(stops));
        return false;
    }
    showStop(stop);
    return true;
}

void LessonsScreen::copyLink() {
    if (!m_lesson) return;
    QString lesson = m_lesson->id;
    if (!m_lesson->file.startsWith(QLatin1Char(':'))) {
        lesson = QFileInfo(m_lesson->file).absoluteFilePath();
        lesson = QLatin1Char('\'') + lesson.replace(QLatin1Char('\''), QStringLiteral("'\\''")) + QLatin1Char('\'');
    }
    const QString link = QStringLiteral("stridescope lesson open %1#%2").arg(lesson).arg(m_stop + 1);
    QApplication::clipboard()->setText(link);
    Q_EMIT statusTextChanged(tr("On the clipboard: %1").arg(link));
}

LessonEditor* LessonsScreen::makeEditor(bool show) {
    if (!m_editor) {
        m_editor = new LessonEditor(m_pages);
        m_editor->setTheme(m_theme);
        m_pages->addWidget(m_editor);
        connect(m_editor, &LessonEditor::closeRequested, this, &LessonsScreen::showList);
        connect(m_editor, &LessonEditor::takeRequested, this,
                [this](const QString& file, int stop) { openLesson(file, stop); });
        connect(m_editor, &LessonEditor::draftChanged, this, &Screen::keptChanged);
        connect(m_editor, &LessonEditor::statusTextChanged, this, &Screen::statusTextChanged);
    }
    if (!show) return m_editor;
    m_pages->setCurrentWidget(m_editor);
    setFocusProxy(m_editor);
    m_editor->setFocus(Qt::OtherFocusReason);
    return m_editor;
}

void LessonsScreen::editFile(const QString& file) {
    makeEditor()->openFile(file);
}

// --- A class --------------------------------------------------------------------------------------------------------

PresentedPage* LessonsScreen::presentedPage(QWidget* parent) {
    m_page = new LessonPage(this, parent);
    connect(m_page, &PresentedPage::changed, this, &LessonsScreen::followClass);
    connect(m_page, &QObject::destroyed, m_teacher, &QWidget::hide);
    followClass();
    m_teacher->show();
    return m_page;
}

void LessonsScreen::followClass() {
    if (!m_page) return;
    TeacherNotes notes;
    if (m_exercise) {
        if (m_exercise->isQuestion()) {
            notes.answer = tr("Answer: %1. %2").arg(m_exercise->answer.words(), m_exercise->because);
            for (const LessonChoice& choice : m_exercise->choices) {
                if (!choice.reply.isEmpty()) notes.replies << tr("%1: %2").arg(choice.text, choice.reply);
            }
        } else if (m_exercise->target) {
            notes.answer = tr("Hint: %1").arg(m_exercise->hint);
        }
        notes.notes = m_exercise->notes;
    }
    notes.next = m_page->nextStep();
    m_teacher->setNotes(notes);
}

// --- What is remembered ---------------------------------------------------------------------------------------------

QJsonObject LessonsScreen::kept() const {
    QJsonObject done;
    for (const auto& [id, headings] : m_done) {
        QJsonArray list;
        for (const QString& heading : headings) list.append(heading);
        done.insert(id, list);
    }
    QJsonObject all{{QStringLiteral("done"), done}};
    if (m_editor && m_editor->isModified()) all.insert(QStringLiteral("draft"), m_editor->draft());
    return all;
}

void LessonsScreen::keep(const QJsonObject& values) {
    const QJsonObject done = values.value(QStringLiteral("done")).toObject();
    for (auto it = done.begin(); it != done.end(); ++it) {
        for (const QJsonValue& heading : it.value().toArray()) m_done[it.key()].insert(heading.toString());
    }
    m_list->fill([this](const Lesson& lesson) { return doneOf(lesson); });
    if (const QJsonObject draft = values.value(QStringLiteral("draft")).toObject(); !draft.isEmpty())
        makeEditor(false)->takeDraft(draft);
}

} // namespace stridescope
