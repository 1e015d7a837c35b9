// What the editor of lessons shows beside the text: the checker's findings, and the stop under the cursor.

#include "app/files/text_file_watch.h"
#include "app/lessons/lesson_editor.h"
#include "app/lessons/lesson_library.h"
#include "app/lessons/lesson_reader.h"
#include "app/lessons/pane_stop.h"
#include "widgets/code/code_edit.h"

#include <QListWidget>
#include <QTextBlock>

#include <map>

namespace stridescope {

namespace {

constexpr int kDraws = 12; ///< of each stop; `stridescope lesson check` makes more

} // namespace

void LessonEditor::textChanged() {
    m_check.reset();
    m_step.stop();
    m_wait.start();
    if (isModified()) Q_EMIT draftChanged();
}

void LessonEditor::check() {
    m_report = {};
    m_check.reset();
    Result<Lesson> read = readLesson(m_edit->text().toUtf8());
    if (!read) {
        // The preview stays as it was when the text could be read: what is being typed is seldom whole.
        LessonFinding found = findingOf(read.refusal());
        if (!read.refusal().hint.empty()) found.text += QLatin1Char(' ') + QString::fromStdString(read.refusal().hint);
        m_report.findings.push_back(found);
        showFindings();
        return;
    }
    m_lesson = *std::move(read);
    m_check = std::make_unique<LessonCheck>(*m_lesson, kDraws);
    m_step.start(0); // one draw a turn of the event loop: the keys come first
    showPreview();
}

void LessonEditor::showFindings() {
    m_findings->clear();
    std::map<int, CodeEdit::Mark> marks;
    for (const LessonFinding& finding : m_report.findings) {
        auto* item = new QListWidgetItem((finding.error ? QStringLiteral("✗ ") : QStringLiteral("· ")) + finding.text,
                                         m_findings);
        item->setData(Qt::UserRole, finding.line);
        if (finding.error) marks[finding.line] = CodeEdit::Mark::Wrong;
    }
    if (m_report.findings.empty())
        new QListWidgetItem(tr("✓ Each stop was begun %1 times, and each answer given.").arg(kDraws), m_findings);
    m_edit->setMarks(marks);
}

int LessonEditor::stopAtCursor() const {
    const int line = m_edit->textCursor().blockNumber() + 1;
    int stop = -1;
    if (!m_lesson) return stop;
    for (const LessonStop& each : m_lesson->stops) {
        if (each.line <= line) ++stop;
    }
    return stop;
}

void LessonEditor::showPreview() {
    if (!m_lesson) return;
    m_shownStop = stopAtCursor();
    const auto at = static_cast<std::size_t>(std::max(m_shownStop, 0));
    const LessonStop& stop = m_lesson->stops[at];
    Result<LessonExercise> begun = beginStop(stop, 1);
    LessonPaneStop shown;
    shown.lesson = m_lesson->title;
    shown.heading = stop.heading;
    QWidget* typing = focusWidget();
    if (begun) {
        m_exercise = *std::move(begun);
        shown = paneStop(*m_exercise, *m_lesson, stop);
        m_pane->showStop(shown);
    } else {
        m_exercise.reset();
        m_pane->showStop(shown);
        m_pane->refuse(QString::fromStdString(begun.refusal().message));
    }
    m_pane->showPlace(static_cast<int>(at), std::vector<bool>(m_lesson->stops.size(), false));
    if (typing == m_edit) m_edit->setFocus(Qt::OtherFocusReason);
}

void LessonEditor::judge(const QString& said) {
    if (!m_exercise || m_pane->isSettled()) return;
    const std::optional<LessonVerdict> verdict = m_exercise->judge(said);
    if (!verdict) return m_pane->askAgain(tr("'%1' cannot be read as an answer.").arg(said.left(40)));
    m_pane->tell(verdict->right, verdict->reply, verdict->right);
    m_pane->mark(said, verdict->right);
}

QString lessonTemplate() {
    return QString::fromUtf8(TextFileWatch::contentOf(lessonTemplateFile()).value_or(QByteArray()));
}

} // namespace stridescope
