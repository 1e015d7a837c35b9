#pragma once
// LessonSketch: what a stop's code makes, pictured beside the workspace and not in it, so that a question can be asked
// of a state that nobody has run.

#include "app/lessons/lesson_exercise.h"
#include "widgets/model/workspace_model.h"

#include <QObject>

namespace stridescope {

class LessonSketch : public QObject {
    Q_OBJECT

public:
    explicit LessonSketch(QObject* parent = nullptr);

    /// Before the answer only what the stop says may be seen, and nothing is picked; `revealed`: all of it, with the
    /// element that the stop points at.
    void show(const LessonExercise& exercise, bool revealed);
    void clear();
    bool isEmpty() const { return m_model->snapshot()->tensors.empty(); }
    WorkspaceModel* model() const { return m_model; }

private:
    WorkspaceModel* m_model;
    TensorId m_nextId = 1;
};

/// Selects the tensor that "x" or "x[2, 1]" means, and picks that element. Does nothing where there is none.
void pointAt(const QString& element, WorkspaceModel& model);

} // namespace stridescope
