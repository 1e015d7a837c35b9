#pragma once
// LessonTry: a line that somebody tried for a tensor to build. The next try takes the place of one that was wrong: a
// picture full of mistakes would hide what is wanted.

#include "app/workspace/workspace.h"

namespace stridescope {

class LessonRun;

class LessonTry {
public:
    explicit LessonTry(Workspace* workspace) : m_workspace(workspace) {}

    /// A line is going to be carried out.
    void begin();
    /// It was. The tensor that it made, if any, until the workspace changes; `run` knows it as the lesson's from now
    /// on, and takes it away with the rest.
    const TensorEntry* end(LessonRun& run);
    /// It is right, and stays.
    void keep() { m_after.reset(); }
    /// Undoes the line, where nothing was done since.
    void takeBack();

private:
    Workspace* m_workspace;
    int m_position = 0; ///< before the line
    std::set<TensorId> m_before;
    Workspace::Moment m_after; ///< nothing: there is no line to take back
};

} // namespace stridescope
