#include "app/cli/render_refusal.h"

#include "app/cli/without_addresses.h"
#include "app/workspace/refused_operation.h"
#include "widgets/card/card_layout.h"
#include "widgets/card/draw.h"

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {

constexpr qreal kMargin = 16, kBetween = 14;
/// More tensors than these are not shown one after the other.
constexpr std::size_t kMostShown = 8;

/// The tensors that the operation is given, in the order of its line: what was asked first.
std::vector<const TensorEntry*> operandsOf(const RefusedPicture& picture) {
    std::vector<const TensorEntry*> operands{picture.shown->tensor(picture.outcome.source)};
    for (const TensorEntry& entry : picture.snapshot->tensors) {
        const TensorEntry* shown = picture.shown->tensor(entry.id);
        if (shown != operands.front() && renamed(picture.line, entry.name, QString()) != picture.line)
            operands.push_back(shown);
    }
    if (operands.size() > kMostShown) operands.resize(kMostShown);
    return operands;
}

/// Cards of the first `count` of them, in rows.
Scene cardsOf(const RefusedPicture& picture, const std::vector<const TensorEntry*>& operands, std::size_t count,
              qreal width) {
    Scene scene;
    SceneBuilder out(scene);
    out.text(QPointF(kMargin, kMargin + 16), picture.asCode(picture.line), FontRole::Code);
    QPointF pen(kMargin, kMargin + 16 + kBetween);
    qreal bottom = pen.y();
    for (std::size_t i = 0; i < count; ++i) {
        CardInput input;
        input.entry = operands[i];
        input.parent = picture.shown->tensor(operands[i]->parent);
        input.storageNumber = picture.shown->storage(operands[i]->tensor.storage()->id())->number;
        input.switches = false;
        input.maxSize = QSizeF(width - 2 * kMargin, 620);
        CardLayout card = layoutCard(input);
        if (pen.x() > kMargin && pen.x() + card.size.width() > width - kMargin)
            pen = QPointF(kMargin, bottom + kBetween);
        card.pos = pen;
        card.chips.clear();
        appendCard(scene, card);
        pen.rx() += card.size.width() + kBetween;
        bottom = std::max(bottom, pen.y() + card.size.height());
    }
    scene.size = QSizeF(width, bottom + kMargin);
    return scene;
}

} // namespace

std::optional<RefusedPicture> drawnRefusal(const Workspace& workspace, const QString& line, const RunOutcome& outcome) {
    if (!outcome.refusal) return std::nullopt;
    const bool isKnown = outcome.operation || workspace.model()->snapshot()->tensor(outcome.source);
    if (!isKnown && line.isEmpty()) return std::nullopt;
    auto picture = refusedPicture(workspace.model()->snapshot(), line,
                                  isKnown ? outcome : refusedAgain(workspace, line, *outcome.refusal));
    // An operation's tensors can be shown whatever it was refused for; of a name that is missing there is no picture.
    if (!picture || (!outcome.operation && !hasPicture(*picture))) return std::nullopt;
    return picture;
}

Scene refusedScene(const RefusedPicture& picture, const RenderRequest& request, qreal width) {
    RefusalFigureInput input = refusalInput(picture, request.width > 0 ? request.width : width, request.height);
    input.paper = true;
    return withoutAddresses(refusalFigure(input).scene);
}

Animation refusedAnimation(const RefusedPicture& picture, const RenderRequest& request, qreal width) {
    const qreal wide = request.width > 0 ? request.width : width;
    const std::vector<const TensorEntry*> operands = operandsOf(picture);
    std::vector<Scene> scenes;
    for (std::size_t i = 0; i < operands.size(); ++i) scenes.push_back(cardsOf(picture, operands, i + 1, wide));
    scenes.push_back(refusedScene(picture, request, width));
    QSizeF size;
    for (const Scene& scene : scenes) size = size.expandedTo(scene.size);
    const QString title = scenes.back().title;
    for (Scene& scene : scenes) {
        scene = withoutAddresses(std::move(scene));
        scene.size = size;
        scene.title = title;
    }
    QStringList captions;
    for (const TensorEntry* entry : operands)
        captions << entry->name + QLatin1Char(' ') + tupleText(entry->tensor.shape());
    captions << QString::fromStdString(picture.outcome.refusal->message);
    const std::size_t last = scenes.size() - 1;
    Animation animation;
    animation.title = title;
    animation.seconds = 0; // nothing moves between two of them
    for (std::size_t i = 0; i <= last; ++i) animation.stops.push_back(static_cast<qreal>(i) / static_cast<qreal>(last));
    animation.rests = animation.stops;
    const auto at = [last](qreal t) {
        return static_cast<std::size_t>(std::floor(std::clamp(t, 0.0, 1.0) * static_cast<qreal>(last) + 1e-6));
    };
    animation.at = [scenes = std::move(scenes), at](qreal t) { return scenes[at(t)]; };
    animation.caption = [captions, at](qreal t) { return captions[static_cast<qsizetype>(at(t))]; };
    return animation;
}

} // namespace stridescope
