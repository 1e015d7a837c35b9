#include "app/cli/render.h"

#include "app/cli/demos.h"
#include "app/cli/render_broadcast.h"
#include "app/cli/render_operation.h"
#include "app/cli/render_refusal.h"
#include "app/cli/render_walk.h"
#include "app/cli/script_tensors.h"
#include "app/cli/without_addresses.h"
#include "app/devices/gather_devices.h"
#include "app/files/file_opener.h"
#include "app/workspace/refusal_input.h"
#include "app/workspace/workspace.h"
#include "core/io/save_atomically.h"
#include "core/io/text.h"
#include "widgets/devices/devices_scene.h"
#include "widgets/figures/blocks_figure.h"
#include "widgets/figures/refusal_figure.h"
#include "widgets/motion/motion_blocks.h"
#include "widgets/scene/export.h"
#include "widgets/stage/explore_scene.h"
#include "widgets/stage/linking.h"
#include "widgets/stage/stage_layout.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace stridescope {

namespace {

constexpr QSizeF kNaturalSize{1280, 800};
constexpr qreal kFigureWidth = 1292;

int fail(const std::string& what, const std::string& hint = {}) {
    std::fprintf(stderr, "stridescope render: %s\n", what.c_str());
    if (!hint.empty()) std::fprintf(stderr, "%s\n", hint.c_str());
    return 1;
}
int fail(const Refusal& refusal) {
    return fail(refusal.message, refusal.hint);
}
/// Many refusals name the file; the ones that do not are told with its name.
int fail(const Refusal& refusal, const QString& file) {
    const std::string name = sanitiseForDisplay(file.toStdString(), 60);
    const bool named = refusal.message.find(name) != std::string::npos;
    return fail(named ? refusal.message : name + ": " + refusal.message, refusal.hint);
}

/// What is drawn, gathered from a file or a demo and the options.
struct Picture {
    WorkspaceModel model;
    Workspace workspace{&model};
    DemoKind kind = DemoKind::Stage;
    QString line;
    std::optional<Preview> preview;
    ScriptText script;
    std::optional<MotionInput> refused; ///< the write at which the script failed
    std::optional<RefusedPicture> why;  ///< what else was refused, of the script, of --code or of --line
    mutable bool noted = false;         ///< what is cut is told once
    DevicesModel devices;
};

const TensorEntry* named(const Picture& picture, const std::string& name) {
    for (const TensorEntry& entry : picture.model.snapshot()->tensors) {
        if (entry.name.toStdString() == name) return &entry;
    }
    return nullptr;
}

/// Who names a tensor or a line wants to see that one, and not what was refused.
bool asksForOther(const RenderRequest& request) {
    return !(request.line.empty() && request.show.empty() && request.select.empty() && !request.hasPick);
}

int runCode(Picture& picture, const std::string& code, const RenderRequest& request) {
    if (code.empty()) return 0;
    const QString line = QString::fromStdString(code);
    const RunOutcome outcome = picture.workspace.run(line, Naming::Auto);
    if (outcome.ok) return 0;
    const std::string words = outcome.exception.toStdString() + ": " + outcome.refusal->message;
    // Without a file it is a script of its own; else what it was to make of the file is missing.
    const bool isAlone = request.file.empty() && request.demo.empty();
    if (isAlone && !asksForOther(request) && request.figure != RenderRequest::Kind::Devices)
        picture.why = drawnRefusal(picture.workspace, line, outcome);
    if (!picture.why) return fail(words, outcome.refusal->hint);
    std::fprintf(stderr, "%s\nnote: the line that was refused is what is drawn\n", words.c_str());
    return 0;
}

constexpr qint64 kLongestScript = 1 << 20;

/// The tensors that a Python script leaves. Figures of broadcasting and of motion may be about the very line at which
/// it failed.
int loadScript(Picture& picture, const RenderRequest& request) {
    QFile file(QFile::decodeName(request.file.c_str()));
    if (!file.open(QIODevice::ReadOnly)) return fail("cannot read '" + request.file + "'");
    const QByteArray bytes = file.read(kLongestScript + 1);
    if (bytes.size() > kLongestScript) return fail("the script is longer than a megabyte");
    picture.script.text = QString::fromUtf8(bytes);
    const ScriptEnd end = runIntoWorkspace(picture.workspace, picture.script.text, QFileInfo(file).fileName(),
                                           std::chrono::milliseconds(static_cast<Index>(request.seconds * 1000)));
    picture.script.failedCode = end.errorCode;
    picture.devices = end.devices;
    if (!end.error.isEmpty()) {
        // What was refused has a picture, too.
        using Kind = RenderRequest::Kind;
        const Kind figure = request.figure;
        picture.refused = picture.workspace.refusedMotion(end.errorCode, end.refusal, end.outcome.operation.get());
        if (!asksForOther(request) && request.code.empty() && figure != Kind::Devices)
            picture.why = drawnRefusal(picture.workspace, end.errorCode, end.outcome);
        const bool drawn = figure == Kind::Broadcast ? picture.why || !end.errorCode.isEmpty()
                           : figure == Kind::Devices ? picture.devices.refusal.has_value()
                                                     : picture.why || (figure == Kind::Motion && picture.refused);
        if (!drawn) return fail(end.error.trimmed().toStdString());
        std::fprintf(stderr, "%s\nnote: the line that was refused is what is drawn\n", qPrintable(end.error.trimmed()));
    }
    return runCode(picture, request.code, request);
}

int load(Picture& picture, const RenderRequest& request) {
    if (request.file.size() > 3 && request.file.compare(request.file.size() - 3, 3, ".py") == 0)
        return loadScript(picture, request);
    if (request.demo.empty() && request.file.empty()) {
        DeviceLog none;
        if (const int code = runCode(picture, request.code, request)) return code;
        picture.devices = gatherDevices(picture.workspace, {}, none);
        return 0;
    }
    if (request.demo.empty()) {
        Budget budget = Budget::standard();
        budget.maxTime = std::chrono::milliseconds(static_cast<Index>(request.seconds * 1000));
        const OpenedFile file = openFile(QFile::decodeName(request.file.c_str()), budget);
        if (file.refusal) return fail(*file.refusal, QFileInfo(file.path).fileName());
        if (file.session) {
            for (const std::string& note : file.session->notes)
                std::fprintf(stderr, "note: %s\n", sanitiseForDisplay(note).c_str());
            picture.workspace.restore(*file.session, {});
            return runCode(picture, request.code, request);
        }
        std::vector<NewTensor> tensors;
        for (const OpenedTensor& opened : file.tensors) tensors.push_back({opened.name, opened.code, opened.tensor});
        if (tensors.empty()) return fail("the file holds no arrays");
        picture.workspace.add(tensors, QStringLiteral("Open"), QFileInfo(file.path).fileName());
        for (const QString& note : file.notes) std::fprintf(stderr, "note: %s\n", qPrintable(note));
        return runCode(picture, request.code, request);
    }
    const Demo* demo = findDemo(request.demo); // known, or reading the command line had refused it
    // What is not drawn goes before the others come: else it would have the first of their colours.
    for (const QString& statement : QString::fromLatin1(demo->code).split(QStringLiteral("; "))) {
        if (const int code = runCode(picture, statement.toStdString(), request)) return code;
        const TensorEntry* hidden = named(picture, demo->hide);
        if (hidden && hidden->onStage) picture.workspace.setOnStage(hidden->id, false);
    }
    picture.kind = demo->kind;
    picture.line = QString::fromLatin1(demo->line);
    if (const TensorEntry* selected = named(picture, demo->select)) picture.model.select(selected->id);
    return runCode(picture, request.code, request);
}

/// Takes what is not asked for off the stage; without a wish, says what is not drawn.
int show(Picture& picture, const RenderRequest& request) {
    const SnapshotPtr snapshot = picture.model.snapshot();
    const auto asked = [&request](const TensorEntry& entry) {
        const auto has = [&request](const std::string& name) {
            return std::find(request.show.begin(), request.show.end(), name) != request.show.end();
        };
        return has("all") || has(entry.name.toStdString());
    };
    for (const std::string& name : request.show)
        if (name != "all" && !named(picture, name))
            return fail("--show: there is no tensor '" + sanitiseForDisplay(name, 60) + "'");
    if (!request.show.empty()) {
        for (const TensorEntry& entry : snapshot->tensors) picture.workspace.setOnStage(entry.id, asked(entry));
        return 0;
    }
    QStringList left;
    const Demo* demo = findDemo(request.demo);
    for (const TensorEntry& entry : snapshot->tensors)
        if (!entry.onStage && !(demo && entry.name == QLatin1String(demo->hide))) left << entry.name;
    if (left.isEmpty() || picture.kind != DemoKind::Stage) return 0;
    constexpr qsizetype kNamed = 4;
    QString names = left.mid(0, kNamed).join(QStringLiteral(", "));
    if (left.size() > kNamed) names += QStringLiteral(" and %1 more").arg(left.size() - kNamed);
    std::fprintf(stderr, "note: %s not drawn; --show A,B names those that are, --show all draws every one\n",
                 qPrintable(names + (left.size() == 1 ? QStringLiteral(" is") : QStringLiteral(" are"))));
    return 0;
}

int choose(Picture& picture, const RenderRequest& request) {
    if (!request.select.empty()) {
        const TensorEntry* entry = named(picture, request.select);
        if (!entry) return fail("there is no tensor '" + request.select + "'");
        picture.model.select(entry->id);
    }
    const TensorEntry* selected = picture.model.selected();
    if (!selected) return fail("there is no tensor to draw");
    Dims coord(std::span<const Index>{});
    bool wanted = request.hasPick;
    for (const long long number : request.pick) coord.push_back(number);
    const Demo* demo = request.hasPick || request.demo.empty() ? nullptr : findDemo(request.demo);
    if (demo && *demo->pick && request.select.empty() && request.code.empty()) {
        wanted = true;
        for (const QString& number : QString::fromLatin1(demo->pick).split(QLatin1Char(',')))
            coord.push_back(number.toLongLong());
    }
    if (!wanted) return 0;
    const View& view = selected->tensor.view();
    bool inside = coord.size() == view.shape.size();
    for (std::size_t d = 0; inside && d < coord.size(); ++d) {
        if (coord[d] < 0) coord[d] += view.shape[d];
        inside = coord[d] >= 0 && coord[d] < view.shape[d];
    }
    if (!inside)
        return fail("--pick: " + selected->name.toStdString() + " has the shape " + toString(view.shape),
                    "Give one index for each dim, inside the shape.");
    picture.model.setPick(pickOf(*selected, coord));
    return 0;
}

/// A page that is too small leaves things out: it is said which, and what size would do.
void noteWhatIsCut(const ExploreState& state, const StagePlan& plan) {
    const auto fits = [](const ExploreState& asked, const StagePlan& made) {
        const QRectF page(QPointF(0, 0), asked.viewport);
        return made.strip && page.contains(made.strip->handle) &&
               page.contains(QRectF(made.strip->layout.area.topLeft(), made.strip->layout.area.bottomRight()));
    };
    if (plan.cardsWidth > plan.cardArea.width() + 0.5)
        std::fprintf(stderr,
                     "note: not all cards have room on a page of %gx%g; --show A,B names those that are drawn\n",
                     state.viewport.width(), state.viewport.height());
    if (plan.empty() || fits(state, plan)) return;
    ExploreState larger = state;
    constexpr qreal kStep = 20, kMost = 4000;
    while (larger.viewport.width() < 300) larger.viewport.rwidth() += kStep;
    while (larger.viewport.height() < kMost && !fits(larger, planStage(larger))) larger.viewport.rheight() += kStep;
    std::fprintf(stderr, "note: the storage has no room on a page of %gx%g; it has on one of %gx%g (--size)\n",
                 state.viewport.width(), state.viewport.height(), larger.viewport.width(), larger.viewport.height());
}

/// `exact`: the size was asked for; else it grows with the row of cards.
Scene stageScene(const Picture& picture, QSizeF size, bool exact, RenderRequest::Cells cells) {
    ExploreState state;
    state.snapshot = picture.model.snapshot();
    state.selection = picture.model.selection();
    state.preview = picture.preview;
    state.viewport = size;
    if (cells != RenderRequest::Cells::BySize) {
        const bool colours = cells == RenderRequest::Cells::Colours;
        for (const TensorEntry& entry : state.snapshot->tensors)
            state.cards[entry.id].detail = colours ? CardDetail::Picture : CardDetail::Numbers;
        // The storage as well: its cells are as wide as they can be without numbers.
        if (colours) state.options.cellSize = kNumberWidth - 1;
    }
    state = onPaper(std::move(state), !exact);
    StagePlan plan = planStage(state);
    // Every card shows the picked cell, and the strip does; without one, where the selected view begins.
    for (const TensorEntry& entry : state.snapshot->tensors) {
        if (const std::optional<Dims> coord = linkedCoord(entry, state.selection.pick))
            scrollCardTo(state, plan, entry.id, *coord);
    }
    if (const TensorEntry* selected = picture.model.selected(); selected && plan.strip) {
        const StripScroll start;
        const std::optional<Pick>& pick = state.selection.pick;
        const bool here = pick && pick->storageId == plan.strip->storageId;
        state.scroll.insert(plan.strip->storageId, here ? scrolledTo(*plan.strip, start, pick->slot)
                                                        : scrolledToView(*plan.strip, start, selected->tensor.view()));
    }
    plan = planStage(state);
    if (!std::exchange(picture.noted, true)) noteWhatIsCut(state, plan);
    return withoutAddresses(exploreScene(state, std::move(plan), 1));
}

Result<Scene> makeScene(Picture& picture, QSizeF size, bool exact, qreal width, RenderRequest::Cells cells) {
    const SnapshotPtr& snapshot = picture.model.snapshot();
    if (picture.kind == DemoKind::Fails) {
        const RunOutcome outcome = picture.workspace.tryOut(picture.line);
        RefusalFigureInput input = refusalInput(*snapshot, picture.line, outcome, width, exact ? size.height() : 0);
        input.paper = true;
        return refusalFigure(input).scene;
    }
    if (picture.kind == DemoKind::Blocks) {
        BlocksFigureInput input;
        input.maxWidth = width;
        for (const TensorEntry& entry : snapshot->tensors) {
            BlockFigureItem item;
            item.tensor = entry.tensor;
            if (const TensorEntry* parent = snapshot->tensor(entry.parent)) item.parent = parent->tensor.view();
            item.code = entry.name + QStringLiteral(" = ") + entry.code;
            item.colour = entry.colour;
            item.arrowBefore = entry.parent != 0;
            input.items.push_back(std::move(item));
        }
        return blocksFigureScene(input);
    }
    if (!picture.line.isEmpty()) picture.preview = picture.workspace.preview(picture.line);
    return stageScene(picture, size, exact, cells);
}

} // namespace

namespace {

/// The operation that is asked for; of a line that is refused, the reason stays to be drawn.
Result<MotionInput> operationOf(Picture& picture, const RenderRequest& request) {
    RunOutcome refused;
    auto operation = operationFor(picture.workspace, request, refused);
    if (refused.refusal) picture.why = drawnRefusal(picture.workspace, QString::fromStdString(request.line), refused);
    return operation;
}

/// The figure with what is picked in it.
Result<Scene> standing(Picture& picture, const RenderRequest& request) {
    using Kind = RenderRequest::Kind;
    const bool sized = request.width > 0;
    if (request.figure == Kind::Blocks) {
        const auto operation = operationOf(picture, request);
        if (!operation) return operation.refusal();
        return motionBlocks(*operation, sized ? request.width : kFigureWidth);
    }
    if (request.figure == Kind::Devices) {
        addProbe(picture.devices);
        DevicesLook look;
        look.size = sized ? QSizeF(request.width, request.height) : QSizeF(kFigureWidth, 0);
        look.t = request.frame;
        return devicesPicture(picture.devices, look).scene;
    }
    if (request.figure == Kind::Grid)
        return withoutAddresses(gridFigure(*picture.model.selected(), picture.model, request));
    const QSizeF size = sized ? QSizeF(request.width, request.height) : kNaturalSize;
    return makeScene(picture, size, sized, sized ? request.width : kFigureWidth, request.cells);
}

/// The walk through the elements of what the figure is about.
Result<Animation> walkOf(Picture& picture, const RenderRequest& request) {
    if (request.figure == RenderRequest::Kind::Blocks) {
        auto operation = operationOf(picture, request);
        if (!operation) return operation.refusal();
        const qreal width = request.width > 0 ? request.width : kFigureWidth;
        const View made = operation->record.outputs.empty() ? View() : operation->record.outputs[0].view;
        return walkAnimation(made, [input = *std::move(operation), width](const Dims& element) {
            return motionBlocks(input, width, element);
        });
    }
    if (picture.kind != DemoKind::Stage)
        return Refusal{ErrorKind::Value,
                       "CLI-01",
                       "the figure of this demo stands still",
                       "Leave out --frame, and draw a picture.",
                       {}};
    const TensorEntry entry = *picture.model.selected();
    return walkAnimation(entry.tensor.view(), [&picture, &request, entry](const Dims& element) {
        picture.model.setPick(pickOf(entry, element));
        return standing(picture, request);
    });
}

/// All moments of the figure, for one of them or for a file that moves.
Result<Animation> figureAnimation(Picture& picture, const RenderRequest& request) {
    if (request.figure == RenderRequest::Kind::Devices) {
        if (picture.devices.run.isEmpty())
            return Refusal{ErrorKind::Value,
                           "CLI-01",
                           "the script gave no work to a device: nothing moves",
                           "Choose a picture that stands still: .svg, .png, .pdf.",
                           {}};
        addProbe(picture.devices);
        return devicesAnimation(std::make_shared<const DevicesModel>(picture.devices),
                                request.width > 0 ? request.width : kFigureWidth);
    }
    if (request.figure == RenderRequest::Kind::Motion) {
        if (picture.refused && request.line.empty()) return operationAnimation(*picture.refused, request);
        auto operation = operationOf(picture, request);
        if (!operation) return operation.refusal();
        return operationAnimation(*std::move(operation), request);
    }
    if (request.figure != RenderRequest::Kind::Broadcast) return walkOf(picture, request);
    // What was refused in a loop or a function: by the names that it has there.
    const bool isNamed = request.line.empty() && picture.why && picture.why->names.empty();
    auto model = isNamed ? broadcastModel(*picture.why->snapshot, picture.why->line, picture.workspace.nextName())
                         : broadcastOf(picture.workspace, picture.script, request);
    if (!model) return model.refusal();
    const auto look = broadcastLook(*model, request);
    if (!look) return look.refusal();
    return broadcastAnimation(std::make_shared<const BroadcastModel>(*std::move(model)), *look);
}

int save(const std::string& path, const QByteArray& bytes) {
    const auto saved =
        saveAtomically(path, std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))));
    return saved ? 0 : fail(saved.refusal());
}

Result<Scene> figureScene(Picture& picture, const RenderRequest& request) {
    // The devices' picture stands where nothing moves, too: a machine's devices before any work.
    const bool stands = request.figure == RenderRequest::Kind::Devices || !(request.hasFrame || request.alwaysMoves());
    if (stands) return standing(picture, request);
    const auto animation = figureAnimation(picture, request);
    if (!animation) return animation.refusal();
    return animation->at(request.frame);
}

/// A refused line that is to be drawn in the place of every figure but those that are made for it.
bool drawsRefusal(const Picture& picture, const RenderRequest& request) {
    const bool own = request.figure == RenderRequest::Kind::Broadcast ||
                     (request.figure == RenderRequest::Kind::Motion && picture.refused);
    return picture.why && !own;
}

Result<Scene> sceneFor(Picture& picture, const RenderRequest& request) {
    if (!drawsRefusal(picture, request)) {
        auto scene = figureScene(picture, request);
        if (scene || !picture.why) return scene;
    }
    return refusedScene(*picture.why, request, kFigureWidth);
}

/// What was refused, played up to that where it can be.
Result<Animation> refusalInMotion(const Picture& picture, const RenderRequest& request) {
    if (picture.refused) return operationAnimation(*picture.refused, request);
    return refusedAnimation(*picture.why, request, kFigureWidth);
}

/// A file that moves, or a row of pictures.
int saveMoving(Picture& picture, const RenderRequest& request, const Theme& theme) {
    auto animation =
        drawsRefusal(picture, request) ? refusalInMotion(picture, request) : figureAnimation(picture, request);
    if (!animation && picture.why) animation = refusalInMotion(picture, request);
    if (!animation) return fail(animation.refusal());
    AnimationOptions options;
    options.scale = request.scale;
    const auto refusal =
        writeAnimation(*animation, theme, QFile::decodeName(request.output.c_str()), options,
                       [](const QString& path, const QByteArray& bytes) -> std::optional<Refusal> {
                           const auto data =
                               std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size())));
                           const auto saved = saveAtomically(QFile::encodeName(path).toStdString(), data);
                           if (saved) return std::nullopt;
                           return saved.refusal();
                       });
    return refusal ? fail(*refusal) : 0;
}

} // namespace

int renderPicture(const RenderRequest& request) {
    using Kind = RenderRequest::Kind;
    const QString output = QFile::decodeName(request.output.c_str());
    const bool moves = isMovingFile(output);
    const Theme theme(request.dark ? ThemeKind::Dark : ThemeKind::Light);
    const auto format = moves ? Result<ExportFormat>(ExportFormat::Png) : exportFormatFor(output);
    if (!format) return fail(format.refusal());
    Picture picture;
    if (const int code = load(picture, request)) return code;
    if (!picture.why && (request.figure == Kind::Storage || request.figure == Kind::Grid)) {
        if (const int code = show(picture, request)) return code;
        if (const int code = choose(picture, request)) return code;
    }
    if (moves) return saveMoving(picture, request, theme);
    auto scene = sceneFor(picture, request);
    if (!scene) return fail(scene.refusal());
    ExportOptions options;
    options.scale = request.scale;
    const auto bytes = exportScene(*scene, theme, *format, options);
    if (!bytes) return fail(bytes.refusal());
    return save(request.output, *bytes);
}

} // namespace stridescope
