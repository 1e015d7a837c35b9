#pragma once
// Goes through a lesson as many classes would: every stop with many draws.

#include "app/lessons/lesson.h"
#include "core/result.h"

#include <QStringList>

namespace stridescope {

struct LessonFinding {
    int line = 0;       ///< of the file, from 1
    bool error = false; ///< a stop that some draw cannot begin; else what a teacher should know all the same
    QString text;       ///< begins with "line 12: " where that is known
};

struct LessonReport {
    std::vector<LessonFinding> findings;
    QStringList errors() const;
    QStringList warnings() const;
};

/// Begins every stop with `draws` different seeds, and gives each answer that can be chosen. Goes step by step, so that
/// a window can do something else between. Python code is not run.
class LessonCheck {
public:
    LessonCheck(Lesson lesson, int draws);
    /// Does a little more of it. False when all is done.
    bool step();
    const LessonReport& report() const { return m_report; }

private:
    void checkWords();
    void checkDraw(const LessonStop& stop, quint32 seed);

    Lesson m_lesson;
    int m_draws, m_draw = 0;
    std::size_t m_stop = 0;
    LessonReport m_report;
};

/// All of it at once.
LessonReport checkLesson(const Lesson& lesson, int draws = 50);
/// What a file that cannot be read has to say.
LessonFinding findingOf(const Refusal& refusal);

} // namespace stridescope
