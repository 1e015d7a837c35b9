#include "app/cli/render_broadcast.h"

namespace stridescope {

namespace {

Result<BroadcastModel> modelOf(const Workspace& workspace, const QString& line) {
    return broadcastModel(*workspace.model()->snapshot(), line, workspace.nextName());
}

} // namespace

Result<BroadcastModel> broadcastOf(const Workspace& workspace, const ScriptText& script, const RenderRequest& request) {
    if (!request.line.empty()) return modelOf(workspace, QString::fromStdString(request.line));
    if (!script.failedCode.isEmpty()) return modelOf(workspace, script.failedCode);
    const QStringList lines = script.text.split(QLatin1Char('\n'));
    for (qsizetype i = lines.size(); i-- > 0;) {
        if (lines[i].trimmed().isEmpty()) continue;
        auto model = modelOf(workspace, lines[i].trimmed());
        if (model && !model->operands.empty() && model->program.nodes.size() > 1) return model;
    }
    return Refusal{ErrorKind::Value,
                   "CLI-01",
                   "no line of the script computes element by element",
                   "Give one with --line, such as --line 'A + B'.",
                   {}};
}

Result<BroadcastLook> broadcastLook(const BroadcastModel& model, const RenderRequest& request) {
    BroadcastLook look;
    look.paper = true;
    if (request.width > 0) look.size = QSizeF(request.width, request.height);
    look.t = request.frame;
    if (!request.hasPick) return look;
    Dims coord;
    bool inside = model.ok() && request.pick.size() == model.shape.size();
    for (std::size_t d = 0; inside && d < request.pick.size(); ++d) {
        const Index size = model.shape[d], index = request.pick[d] + (request.pick[d] < 0 ? size : 0);
        inside = index >= 0 && index < size;
        coord.push_back(index);
    }
    if (!inside)
        return Refusal{ErrorKind::Index,
                       "ELEM-02",
                       "--pick: the result has the shape " + toString(model.shape),
                       "Give one index for each dim, inside the shape.",
                       {}};
    look.picked = model.elementOf(coord);
    return look;
}

} // namespace stridescope
