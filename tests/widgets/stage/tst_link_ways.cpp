// Links from the cards to their cells: past the words about storages, refusals and hops, whatever stands on the stage.

#include "tests/support/instrumented.h"
#include "tests/widgets/stage/scene_geometry.h"
#include "tests/widgets/stage/stage_fixture.h"
#include "widgets/scene/export.h"
#include "widgets/stage/explore_scene.h"
#include "widgets/stage/stage_layout.h"
#include "widgets/stage/stage_scene_parts.h"

#include "core/view/walk.h"

#include <QDir>
#include <QTest>

#include <sys/mman.h>

using namespace stridescope;
using namespace stridescope::stage_test;

namespace {

/// Words that a link goes through, and cells beyond the end of a storage.
QStringList wordsInTheWay(const Scene& scene) {
    std::vector<std::pair<QRectF, QString>> things;
    std::vector<QPainterPath> links;
    for (const SceneNode& node : scene.nodes) {
        // The boxes of refusals and drags lie over everything; words of a strip do not.
        if (node.part.kind == PartKind::Message && node.part.index >= 0) continue;
        if (const auto* text = std::get_if<TextItem>(&node.item)) {
            // Links to low rows of colours go along their edges, there is no other way.
            if (!text->text.trimmed().isEmpty() && text->text != QStringLiteral("…"))
                things.emplace_back(inkOf(*text), text->text);
        } else if (const auto* box = std::get_if<BoxItem>(&node.item)) {
            if (box->hatched) things.emplace_back(box->rect, QStringLiteral("a hatched cell"));
        } else if (const auto* strip = std::get_if<StripItem>(&node.item)) {
            const SlotRange beyond = strip->outOfRange;
            const StripLayout& layout = strip->layout;
            if (beyond.empty() || layout.cellWidth < kHeatWidth) continue;
            for (Index slot = beyond.first; slot < std::min(beyond.last, beyond.first + 6); ++slot) {
                const QRectF cell = layout.cellRect(slot).intersected(layout.area);
                if (!cell.isEmpty()) things.emplace_back(cell, QStringLiteral("slot %1").arg(slot));
            }
        } else if (const auto* path = std::get_if<PathItem>(&node.item)) {
            const bool link = node.part.kind == PartKind::None &&
                              (node.part.index == kLinkPart || node.part.index == 2) && path->fill == Tone::None;
            if (link) links.push_back(path->path);
        }
    }
    QStringList found;
    for (const QPainterPath& link : links) {
        for (const auto& [rect, name] : things)
            if (link.boundingRect().adjusted(-1, -1, 1, 1).intersects(rect) && crosses(link, rect))
                found << QStringLiteral("\"%1\" at %2,%3").arg(name).arg(rect.x()).arg(rect.y());
    }
    return found;
}

/// Whether a link runs along a tether for some way or over its foot, so that it seems to be of that storage.
QString onTether(const Scene& scene) {
    std::vector<QLineF> tethers;
    std::vector<QRectF> feet;
    std::vector<QPainterPath> links;
    for (const SceneNode& node : scene.nodes) {
        const auto* path = std::get_if<PathItem>(&node.item);
        if (!path || path->fill != Tone::None || node.part.storageId == 0) continue;
        if (node.part.kind == PartKind::None && node.part.index == kLinkPart) links.push_back(path->path);
        if (path->stroke != Tone::Control) continue;
        if (node.part.kind == PartKind::LinkPort)
            feet.push_back(QRectF(path->path.elementAt(0), QSizeF()).adjusted(-5.5, -5.5, 5.5, 5.5));
        for (int i = 1; i < path->path.elementCount(); ++i)
            if (path->path.elementAt(i).type == QPainterPath::LineToElement)
                tethers.emplace_back(path->path.elementAt(i - 1), path->path.elementAt(i));
    }
    for (const QPainterPath& link : links) {
        // Its own port may be beside the foot.
        const QPointF port = link.elementAt(0);
        for (const QRectF& foot : feet)
            if (std::abs(foot.center().x() - port.x()) > 9 && crosses(link, foot))
                return QStringLiteral("a link is over a foot at %1,%2").arg(foot.center().x()).arg(foot.center().y());
        for (const QLineF& tether : tethers) {
            const bool level = tether.dy() == 0;
            const QRectF line = QRectF(tether.p1(), tether.p2()).normalized().adjusted(-4, -4, 4, 4);
            qreal last = 0, along = 0;
            QPointF before;
            constexpr qreal kStep = 4;
            if (!link.boundingRect().adjusted(-1, -1, 1, 1).intersects(line)) continue;
            const int steps = static_cast<int>(link.length() / kStep);
            for (int i = 0; i <= steps; ++i) {
                const QPointF at = link.pointAtPercent(static_cast<qreal>(i) / steps);
                const QPointF way = at - before;
                const bool same = level ? std::abs(way.y()) < 0.1 : std::abs(way.x()) < 0.1;
                along = i > 0 && same && line.contains(at) ? along + kStep : 0;
                last = std::max(last, along);
                before = at;
            }
            if (last > 12)
                return QStringLiteral("a link is on a tether at %1,%2 for %3 px")
                    .arg(tether.x1())
                    .arg(tether.y1())
                    .arg(last);
        }
    }
    return {};
}

Tensor huge(Index count) {
    // Pages that nobody writes to take no memory.
    const auto bytes = static_cast<std::size_t>(count);
    void* const zeros = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    StoragePtr storage = Storage::wrap(
        static_cast<std::byte*>(zeros), bytes, Device{}, [zeros, bytes] { munmap(zeros, bytes); }, "mapped");
    return Tensor(std::move(storage), View{{count}, {1}, 0}, DType::UInt8);
}

enum Kind { MockUpCopy, Copies, Large, Huge, Wide, Kinds };

SnapshotPtr workspaceOf(int kind) {
    Workspace workspace;
    const auto add = [&](const char* name, const char* code, const Tensor& base, View view, TensorId parent, int colour,
                         Origin origin = Origin::View) {
        return workspace.add(QString::fromUtf8(name), QString::fromUtf8(code), base.withView(std::move(view)), parent,
                             colour, true, origin);
    };
    switch (kind) {
    case MockUpCopy:
        return MockUp(true).workspace.snapshot();
    case Copies: {
        const Tensor first = counting(12, DType::Float32), second = counting(12, DType::Float32),
                     third = counting(8, DType::Float64);
        const TensorId a = add("A", "torch.arange(12.).view(3, 4)", first, View{{3, 4}, {4, 1}, 0}, 0, 0);
        const TensorId b = add("B", "A.t()", first, View{{4, 3}, {1, 4}, 0}, a, 1);
        const TensorId c = add("C", "B.contiguous()", second, View{{4, 3}, {3, 1}, 0}, b, 2, Origin::Copy);
        add("D", "C[:, 1:].double()", third, View{{4, 2}, {2, 1}, 0}, c, 3, Origin::Copy);
        break;
    }
    case Large: {
        const TensorId a =
            add("A", "torch.arange(5000).view(50, 100)", counting(5000), View{{50, 100}, {100, 1}, 0}, 0, 0);
        add("B", "A[:3].clone()", counting(300), View{{3, 100}, {100, 1}, 0}, a, 1, Origin::Copy);
        add("C", "A[0, :6].clone()", counting(6), View{{6}, {1}, 0}, a, 2, Origin::Copy);
        break;
    }
    case Huge: {
        const Tensor base = huge(1'000'000'000);
        const TensorId a =
            add("A", "big.view(1000, 1000, 1000)", base, View{{1000, 1000, 1000}, {1'000'000, 1000, 1}, 0}, 0, 0);
        const TensorId b =
            add("B", "A.permute(2, 0, 1)", base, View{{1000, 1000, 1000}, {1, 1'000'000, 1000}, 0}, a, 1);
        add("C", "B[0, 0, :9].clone()", counting(9, DType::UInt8), View{{9}, {1}, 0}, b, 2, Origin::Copy);
        break;
    }
    default: {
        const Tensor base = counting(27);
        const TensorId a = add("A", "q.view(3, 3, 3)", base, View{{3, 3, 3}, {9, 3, 1}, 0}, 0, 0);
        const TensorId b = add("B", "A[..., 1]", base, View{{3, 3}, {9, 3}, 1}, a, 1);
        add("C", "B.clone()", counting(9), View{{3, 3}, {3, 1}, 0}, b, 2, Origin::Copy);
        break;
    }
    }
    return workspace.snapshot();
}

/// Some coords of a view: its corners, its middle and what is between.
std::vector<Dims> someCoords(const View& view) {
    std::vector<Dims> coords;
    const Index all = view.numel();
    const Index step = std::max<Index>(1, all / 7);
    for (Index position = 0; position < all; position += step) coords.push_back(coordOfPosition(view, position));
    coords.push_back(coordOfPosition(view, all - 1));
    return coords;
}

} // namespace

class TestLinkWays : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pastAllWords_data();
    void pastAllWords();
    void besideTethers_data();
    void besideTethers();
};

void TestLinkWays::pastAllWords_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<QSizeF>("viewport");
    for (const QSizeF size : {QSizeF(752, 420), QSizeF(1016, 642), QSizeF(1264, 480), QSizeF(1390, 860)}) {
        if (test::kInstrumented && size.height() > 480) continue; // each row takes minutes there
        for (int kind = 0; kind < Kinds; ++kind)
            QTest::addRow("%d at %gx%g", kind, size.width(), size.height()) << kind << size;
    }
}

void TestLinkWays::pastAllWords() {
    QFETCH(int, kind);
    QFETCH(QSizeF, viewport);
    const SnapshotPtr snapshot = workspaceOf(kind);
    const QString folder = qEnvironmentVariable("STRIDESCOPE_PICTURES");
    QStringList problems;
    int looked = 0;
    for (const TensorEntry& selected : snapshot->tensors) {
        if (!selected.onStage) continue;
        for (int variant = 0; variant < 7; variant += test::kInstrumented ? 3 : 1) {
            ExploreState state;
            state.snapshot = snapshot;
            state.viewport = viewport;
            state.selection.tensor = selected.id;
            if (variant == 1 || variant == 2 || variant == 5) {
                // A refused line that needs cells beyond the end, and words that say so.
                const Index count = selected.tensor.storageNumel();
                Refusal refusal;
                refusal.id = "VIEW-25";
                refusal.message = "out of bounds";
                refusal.detail = StorageOutOfBounds{0, count + (variant == 1 ? 3 : 3000), count + 4, count};
                state.message = StageMessage{QStringLiteral("A.as_strided((4, 4), (5, 1))"), refusal, selected.id};
            }
            if (variant == 3) state.options.wrap = StripWrap::Line64;
            if (variant == 4 || variant == 5) state.options.cellSize = kind == Huge || kind == Large ? 0.5 : 18;
            if (variant == 6) state.options.cacheLines = true;
            for (const TensorEntry& entry : snapshot->tensors) {
                if (!entry.onStage) continue;
                for (const Dims& coord : someCoords(entry.tensor.view())) {
                    state.scroll.clear();
                    state.selection.pick = pickOf(entry, coord);
                    for (const bool scrolled : {false, true}) {
                        if (scrolled) {
                            // To the picked cell, as a jump there does.
                            const StagePlan plan = planStage(state);
                            if (!plan.strip || plan.strip->storageId != entry.tensor.storage()->id()) continue;
                            state.scroll[plan.strip->storageId] =
                                scrolledTo(*plan.strip, {}, state.selection.pick->slot);
                        }
                        const Scene scene = exploreScene(state);
                        ++looked;
                        const QStringList found = wordsInTheWay(scene);
                        if (!found.isEmpty() && !folder.isEmpty())
                            renderImage(scene, Theme())
                                .save(QDir(folder).filePath(QStringLiteral("way%1-%2-%3-%4-%5-%6.png")
                                                                .arg(kind)
                                                                .arg(viewport.width())
                                                                .arg(selected.name)
                                                                .arg(variant)
                                                                .arg(entry.name)
                                                                .arg(state.selection.pick->slot)));
                        for (const QString& text : found)
                            problems << QStringLiteral("%1 selected, variant %2, %3[%4]%5: %6")
                                            .arg(selected.name)
                                            .arg(variant)
                                            .arg(entry.name)
                                            .arg(state.selection.pick->slot)
                                            .arg(scrolled ? QStringLiteral(" scrolled") : QString(), text);
                    }
                }
            }
        }
    }
    QVERIFY(looked > 0);
    if (!problems.isEmpty() && qEnvironmentVariableIsSet("STRIDESCOPE_ALL_CROSSINGS"))
        for (const QString& p : problems) qInfo().noquote() << p;
    QVERIFY2(
        problems.isEmpty(),
        qPrintable(
            QStringLiteral("%1 in %2 pictures, first: %3").arg(problems.size()).arg(looked).arg(problems.value(0))));
}

void TestLinkWays::besideTethers_data() {
    QTest::addColumn<QSizeF>("viewport");
    for (const QSizeF size : {QSizeF(752, 420), QSizeF(1010, 430), QSizeF(1010, 466), QSizeF(1016, 642),
                              QSizeF(1264, 480), QSizeF(1390, 860)})
        QTest::addRow("%gx%g", size.width(), size.height()) << size;
}

void TestLinkWays::besideTethers() {
    // Views of one storage, and a tensor of another that is selected: on a low stage the cell is on the shelf.
    QFETCH(const QSizeF, viewport);
    Workspace workspace;
    const Tensor base = counting(12), other = counting(24);
    const auto add = [&](const char* name, const char* code, const Tensor& tensor, View view, TensorId parent,
                         int colour) {
        return workspace.add(QString::fromUtf8(name), QString::fromUtf8(code), tensor.withView(std::move(view)), parent,
                             colour);
    };
    const TensorId a = add("A", "torch.arange(10, 130, 10).view(3, 4)", base, View{{3, 4}, {4, 1}, 0}, 0, 0);
    const TensorId b = add("B", "A.t()", base, View{{4, 3}, {1, 4}, 0}, a, 1);
    const TensorId c = add("C", "A.narrow(1, 1, 2)", base, View{{3, 2}, {4, 1}, 1}, a, 2);
    const TensorId w = add("W", "torch.arange(24).view(2,3,4)", other, View{{2, 3, 4}, {12, 4, 1}, 0}, 0, 3);
    const QString folder = qEnvironmentVariable("STRIDESCOPE_PICTURES");
    QStringList problems;
    for (const TensorId selected : {a, b, c, w}) {
        for (const TensorId picked : {a, c, w}) {
            const View& view = workspace.entry(picked).tensor.view();
            for (Index position = 0; position < view.numel(); position += 3) {
                ExploreState state;
                state.snapshot = workspace.snapshot();
                state.viewport = viewport;
                state.selection.tensor = selected;
                state.selection.pick = pickOf(workspace.entry(picked), coordOfPosition(view, position));
                const Scene scene = exploreScene(state);
                const QString found = onTether(scene);
                if (!folder.isEmpty() && !found.isEmpty())
                    renderImage(scene, Theme())
                        .save(
                            QDir(folder).filePath(QStringLiteral("beside-%1-%2-%3%4.png")
                                                      .arg(viewport.height())
                                                      .arg(workspace.entry(selected).name, workspace.entry(picked).name)
                                                      .arg(position)));
                if (!found.isEmpty())
                    problems << QStringLiteral("%1 selected, %2[%3]: %4")
                                    .arg(workspace.entry(selected).name, workspace.entry(picked).name)
                                    .arg(position)
                                    .arg(found);
            }
        }
    }
    QVERIFY2(problems.isEmpty(),
             qPrintable(QStringLiteral("%1, first: %2").arg(problems.size()).arg(problems.value(0))));
}

QTEST_MAIN(TestLinkWays)
#include "tst_link_ways.moc"
