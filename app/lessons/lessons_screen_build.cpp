// A tensor to build: lines that are tried for it, and what is said to them.

#include "app/lessons/lesson_try.h"
#include "app/lessons/lessons_screen.h"
#include "app/workspace/workspace.h"
#include "widgets/lessons/lesson_pane.h"

#include <QLineEdit>

namespace stridescope {

namespace {

const TensorEntry* entryOf(const WorkspaceSnapshot& snapshot, const QString& name) {
    for (const TensorEntry& entry : snapshot.tensors) {
        if (entry.name == name) return &entry;
    }
    return nullptr;
}

} // namespace

bool LessonsScreen::hasBase() {
    if (!m_exercise || !m_exercise->target) return false;
    const QString& base = m_exercise->base;
    const bool gone = !base.isEmpty() && !entryOf(*model()->snapshot(), base);
    if (!waitsForCode() && !gone) return true;
    const QString name = !base.isEmpty() || m_exercise->made.empty() ? base : m_exercise->made.front().name;
    m_pane->tell(false,
                 gone && m_ran ? tr("There is no %1 any more: run the code again.").arg(name)
                               : tr("Run the code first: it makes %1.").arg(name),
                 false);
    m_toldToRun = true;
    m_pane->focusFirst(); // Run
    return false;
}

void LessonsScreen::tryLine(const QString& line) {
    if (!hasBase()) return;
    m_pane->field()->selectAll();
    m_try->begin();
    // The window tells what was refused, and why; whether it was is asked before, when it can be carried out once.
    const bool fits = m_workspace->tryOut(line).ok;
    Q_EMIT runRequested(line);
    if (m_workspace->isBusy()) return; // it is looked at when it is there
    const TensorEntry* made = m_try->end(m_run);
    if (m_pane->isSettled()) return m_try->keep(); // it was seen to be right
    if (made)
        judgeTensor(*made, true);
    else
        m_pane->tell(false,
                     fits ? tr("That line makes no tensor.")
                          : tr("That line was refused. The reason stands over the picture."),
                     false);
}

void LessonsScreen::judgeSelected(bool told) {
    if (!m_exercise || !m_exercise->target || m_pane->isSettled() || (!told && !isVisible())) return;
    // What stands there from before may look like what is wanted.
    if (!told && waitsForCode()) return;
    if (const TensorEntry* made = model()->selected())
        judgeTensor(*made, told);
    else if (told)
        m_pane->tell(false, tr("No tensor is selected."), false);
}

void LessonsScreen::judgeTensor(const TensorEntry& made, bool told) {
    const WorkspaceSnapshot& snapshot = *model()->snapshot();
    const TensorEntry* base = m_exercise->base.isEmpty() ? nullptr : entryOf(snapshot, m_exercise->base);
    const bool itself = base && base->id == made.id && m_run.owns(made.name, snapshot);
    const LessonVerdict verdict =
        m_exercise->judge(made.tensor, base ? std::optional<Tensor>(base->tensor) : std::nullopt);
    if (!verdict.right && !told) return;
    if (verdict.right && itself && !told) return;
    const QString reply = verdict.right && verdict.reply.isEmpty() ? tr("That is it.") : verdict.reply;
    if (verdict.right) {
        m_built = true;
        m_try->keep();
        finishStop();
    }
    m_pane->tell(verdict.right, reply, verdict.right);
    if (verdict.right) Q_EMIT codeRan(); // the class sees that it is built
}

} // namespace stridescope
