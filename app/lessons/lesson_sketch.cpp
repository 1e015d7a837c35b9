#include "app/lessons/lesson_sketch.h"

#include "app/workspace/workspace_state.h"

#include <QRegularExpression>

#include <algorithm>

namespace stridescope {

LessonSketch::LessonSketch(QObject* parent) : QObject(parent), m_model(new WorkspaceModel(this)) {}

void LessonSketch::clear() {
    m_model->setSnapshot(std::make_shared<const WorkspaceSnapshot>());
}

void LessonSketch::show(const LessonExercise& exercise, bool revealed) {
    WorkspaceState state;
    auto snapshot = std::make_shared<WorkspaceSnapshot>();
    std::vector<LessonExercise::Made> shown;
    for (const LessonExercise::Made& made : exercise.made) {
        if (revealed || exercise.show.contains(made.name)) shown.push_back(made);
    }
    // Each card with a colour of its own, and what is asked about among them.
    const bool asked = revealed && exercise.asked;
    while (shown.size() > WorkspaceState::kShownByItself - (asked ? 1 : 0)) shown.pop_back();
    if (asked) shown.push_back(*exercise.asked);
    for (const LessonExercise::Made& made : shown) {
        expr::TensorValue value{made.tensor, expr::Lineage::Fresh, 0};
        for (const auto& before : state.tensors) {
            if (before->tensor.storage() != made.tensor.storage()) continue;
            value.lineage = expr::Lineage::View;
            value.source = before->id;
            break;
        }
        // A copy is one of what it was asked of, as the workspace will say of it.
        static const QRegularExpression kFirstName(QStringLiteral("^\\w+"));
        const QString of = kFirstName.match(made.code).captured();
        const bool copied =
            asked && made.name == exercise.asked->name && exercise.answer.form == QStringLiteral("copy");
        for (const auto& before : state.tensors) {
            if (!copied || before->name != of) continue;
            value.lineage = expr::Lineage::Copy;
            value.source = before->id;
        }
        state.bind(made.name, value, made.code, m_nextId++);
        const quint64 id = made.tensor.storage()->id();
        if (!snapshot->storage(id))
            snapshot->storages.push_back(
                {id, static_cast<int>(snapshot->storages.size()) + 1, made.tensor.dtype(), QString()});
    }
    for (const auto& entry : state.tensors) snapshot->tensors.push_back(*entry);
    // What is asked about is the last one; without one, mostly what the code made last.
    const TensorId last = snapshot->tensors.empty() ? 0 : snapshot->tensors.back().id;
    m_model->setSnapshot(std::move(snapshot));
    m_model->select(last);
    m_model->setPick(std::nullopt);
    if (revealed) pointAt(exercise.pick, *m_model);
}

void pointAt(const QString& element, WorkspaceModel& model) {
    static const QRegularExpression kPick(QStringLiteral("^([A-Za-z_]\\w*)(?:\\[([0-9, ]+)\\])?$"));
    const auto match = kPick.match(element);
    const auto& tensors = model.snapshot()->tensors;
    const auto entry = std::find_if(tensors.begin(), tensors.end(),
                                    [&](const TensorEntry& each) { return each.name == match.captured(1); });
    if (!match.hasMatch() || entry == tensors.end()) return;
    const Pick whole{entry->tensor.storage()->id(), 0, entry->id, {}};
    const View view = entry->tensor.view();
    model.select(whole.tensor);
    model.setPick(std::nullopt);
    Dims coord;
    for (const QString& index : match.captured(2).split(QLatin1Char(','), Qt::SkipEmptyParts))
        coord.push_back(index.trimmed().toLongLong());
    if (coord.empty() || coord.size() != view.shape.size()) return;
    for (std::size_t d = 0; d < coord.size(); ++d) {
        if (coord[d] >= view.shape[d]) return;
    }
    model.setPick(Pick{whole.storageId, view.slot(coord), whole.tensor, coord});
}

} // namespace stridescope
