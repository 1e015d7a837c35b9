#include "app/lessons/lesson_try.h"

#include "app/lessons/lesson_run.h"

namespace stridescope {

void LessonTry::begin() {
    takeBack();
    m_position = m_workspace->position();
    m_before.clear();
    for (const TensorEntry& entry : m_workspace->model()->snapshot()->tensors) m_before.insert(entry.id);
}

const TensorEntry* LessonTry::end(LessonRun& run) {
    if (m_workspace->position() <= m_position) return nullptr;
    m_after = m_workspace->moment();
    const TensorEntry* made = nullptr;
    for (const TensorEntry& entry : m_workspace->model()->snapshot()->tensors) {
        if (m_before.count(entry.id)) continue;
        made = &entry;
        run.take(entry);
    }
    return made;
}

void LessonTry::takeBack() {
    if (!m_after) return;
    const bool last = m_after == m_workspace->moment();
    m_after.reset();
    while (last && m_workspace->position() > m_position && m_workspace->undo()) {
    }
}

} // namespace stridescope
