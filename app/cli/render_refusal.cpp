#include "app/cli/render_refusal.h"

#include "app/workspace/refusal_input.h"

namespace stridescope {

std::optional<RefusedLook> refusedLook(const Workspace& workspace, const QString& line, const Refusal& refusal) {
    RefusedLook look{line.trimmed(), refusedAgain(workspace, line, refusal)};
    if (!hasPicture(*workspace.model()->snapshot(), look.line, look.outcome)) return std::nullopt;
    return look;
}

Scene refusedScene(const Workspace& workspace, const RefusedLook& look, const RenderRequest& request, qreal width) {
    RefusalFigureInput input = refusalInput(*workspace.model()->snapshot(), look.line, look.outcome,
                                            request.width > 0 ? request.width : width, request.height);
    input.paper = true;
    return refusalFigure(input).scene;
}

Refusal refusedStandsStill(const RefusedLook& look) {
    return {ErrorKind::Value,
            "CLI-01",
            look.line.left(60).toStdString() + " was refused: nothing moves",
            "Choose a picture that stands still: .svg, .png, .pdf.",
            {}};
}

} // namespace stridescope
