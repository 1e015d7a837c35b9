#include "app/cli/render_operation.h"

#include "app/workspace/motion_again.h"
#include "widgets/card/card_layout.h"

namespace stridescope {

Result<MotionInput> operationFor(Workspace& workspace, const RenderRequest& request, RunOutcome& refused) {
    if (!request.line.empty()) {
        const QString line = QString::fromStdString(request.line);
        const RunOutcome outcome = workspace.run(line, Naming::Auto);
        if (!outcome.ok) {
            if (auto motion = workspace.refusedMotion(line, *outcome.refusal, outcome.operation.get()))
                return *std::move(motion);
            refused = outcome;
            return Refusal(*outcome.refusal);
        }
    }
    for (int step = workspace.position(); step-- > 0;) {
        const std::size_t count = workspace.operationsOf(step).size();
        if (count == 0 && workspace.wantsAgain(step)) {
            // A session's: carried out once more on what there is now.
            MotionAgain again =
                motionAgain(workspace.session(), workspace.steps()[static_cast<std::size_t>(step)].code);
            if (!again.operations.empty()) return std::move(again.operations.back());
        }
        if (count == 0) continue;
        if (auto motion = workspace.motion(step, count - 1)) return *std::move(motion);
    }
    return Refusal{ErrorKind::Value,
                   "CLI-01",
                   "there is no operation to draw",
                   "Give one with --line, such as --line 'A.t()'.",
                   {}};
}

Animation operationAnimation(MotionInput input, const RenderRequest& request) {
    const auto plan = std::make_shared<const MotionPlan>(motionPlan(std::move(input)));
    return motionAnimation(plan, request.width > 0 ? QSizeF(request.width, request.height) : motionNaturalSize(*plan));
}

Scene gridFigure(const TensorEntry& entry, const WorkspaceModel& model, const RenderRequest& request) {
    const WorkspaceSnapshot& snapshot = *model.snapshot();
    constexpr qreal kRoom = 8;
    CardInput input;
    input.entry = &entry;
    input.parent = snapshot.tensor(entry.parent);
    if (const StorageEntry* storage = snapshot.storage(entry.tensor.storage()->id()))
        input.storageNumber = storage->number;
    input.switches = false;
    if (const auto& pick = model.selection().pick; pick && pick->tensor == entry.id) input.shown = pick;
    if (request.width > 0) input.maxSize = QSizeF(request.width - 2 * kRoom, request.height - 2 * kRoom);
    if (request.cells != RenderRequest::Cells::BySize)
        input.detail = request.cells == RenderRequest::Cells::Colours ? CardDetail::Picture : CardDetail::Numbers;
    CardLayout card = layoutCard(input);
    card.pos = QPointF(kRoom, kRoom);
    card.chips.clear();
    Scene scene;
    scene.size = card.size + QSizeF(2 * kRoom, 2 * kRoom);
    if (request.width > 0) scene.size = scene.size.expandedTo(QSizeF(request.width, request.height));
    scene.title = QStringLiteral("%1 = %2").arg(entry.name, entry.code);
    appendCard(scene, card);
    return scene;
}

} // namespace stridescope
