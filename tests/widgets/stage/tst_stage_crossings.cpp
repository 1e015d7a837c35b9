// What may lie over what on the stage: labels, badges, rings, links and arches, with one to four views and every cell
// picked.

#include "tests/widgets/stage/scene_geometry.h"
#include "tests/widgets/stage/stage_fixture.h"
#include "widgets/scene/export.h"
#include "widgets/stage/explore_scene.h"
#include "widgets/stage/stage_layout.h"
#include "widgets/stage/stage_scene_parts.h"

#include "core/view/inverse.h"
#include "core/view/walk.h"

#include <QDir>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace stridescope;
using namespace stridescope::stage_test;

namespace {

QString placeOf(const QRectF& r) {
    return QStringLiteral("%1,%2 %3×%4")
        .arg(r.x(), 0, 'f', 0)
        .arg(r.y(), 0, 'f', 0)
        .arg(r.width(), 0, 'f', 0)
        .arg(r.height(), 0, 'f', 0);
}

struct Named {
    QRectF rect;
    QString name;
};

/// Everything that lies over something that it should leave alone, in words.
QStringList crossings(const Scene& scene) {
    std::vector<Named> hopLabels, signs, texts, badges, values, stripValues;
    std::vector<std::pair<QPainterPath, QString>> links, arches;
    // Arches pass under the plates of labels, and so do links between the rows of a wrapped strip.
    std::size_t index = 0, firstLabel = scene.nodes.size(), lastLine = 0;
    bool wrapped = false;
    for (const SceneNode& node : scene.nodes) {
        ++index;
        if (node.part.kind == PartKind::Message) continue;
        const bool free = node.part.kind == PartKind::None;
        if (const auto* text = std::get_if<TextItem>(&node.item)) {
            if (text->text.trimmed().isEmpty()) continue;
            static const QRegularExpression step(QStringLiteral("^(\\d+ × )?[+-]\\d+( \\(dim \\d\\))?( [↓↑])?$"));
            const bool hop = free && step.match(text->text).hasMatch();
            if (hop) firstLabel = std::min(firstLabel, index);
            // The sign of a cell out of sight: an arch that leads there ends behind its plate.
            const bool sign = node.part.kind == PartKind::Button;
            (hop ? hopLabels : sign ? signs : texts).push_back({inkOf(*text), text->text});
        } else if (const auto* badge = std::get_if<BadgeItem>(&node.item)) {
            badges.push_back({badgeRect(*badge), QStringLiteral("badge %1").arg(badge->colour)});
        } else if (const auto* path = std::get_if<PathItem>(&node.item)) {
            const bool link =
                free && (node.part.index == kLinkPart || node.part.index == 2) && path->fill == Tone::None;
            const bool arch = free && path->arrow && path->stroke >= Tone::Dim0 && path->stroke <= Tone::Dim3;
            if (link) links.emplace_back(path->path, QStringLiteral("link of %1").arg(node.part.tensor));
            if (arch) arches.emplace_back(path->path, QStringLiteral("arch"));
            if (link || arch) lastLine = index;
        } else if (const auto* grid = std::get_if<GridItem>(&node.item)) {
            if (grid->cell.width() < kNumberWidth || grid->cell.height() < kNumberHeight) continue;
            const SlotRange rows = gridRows(*grid, {}), cols = gridCols(*grid, {});
            for (Index r = rows.first; r < rows.last; ++r) {
                for (Index c = cols.first; c < cols.last; ++c) {
                    QRectF cell = gridCellRect(*grid, r, c).intersected(gridArea(*grid));
                    cell.adjust(3, cell.height() * 0.2, -3, -cell.height() * 0.2);
                    values.push_back({cell, QStringLiteral("value %1,%2 of %3").arg(r).arg(c).arg(grid->tensor)});
                }
            }
        } else if (const auto* strip = std::get_if<StripItem>(&node.item)) {
            wrapped = wrapped || strip->layout.rowCount() > 1;
            if (strip->layout.cellWidth < kNumberWidth || strip->layout.cellHeight < kNumberHeight) continue;
            const SlotRange rows = strip->layout.visibleRows({});
            for (Index r = rows.first; r < rows.last; ++r) {
                const SlotRange slots = strip->layout.visibleCells(r, {});
                for (Index s = slots.first; s < slots.last; ++s) {
                    QRectF cell = strip->layout.cellRect(s);
                    cell.adjust(3, cell.height() * 0.15, -3, -cell.height() * 0.15);
                    stripValues.push_back({cell.intersected(strip->layout.area), QStringLiteral("slot %1").arg(s)});
                }
            }
        }
    }
    QStringList found;
    const auto note = [&](const Named& a, const Named& b) {
        found << QStringLiteral("%1 (%2) on %3 (%4)").arg(a.name, placeOf(a.rect), b.name, placeOf(b.rect));
    };
    const auto meet = [&](const std::vector<Named>& as, const std::vector<Named>& bs, bool same) {
        for (std::size_t i = 0; i < as.size(); ++i) {
            for (std::size_t k = same ? i + 1 : 0; k < bs.size(); ++k) {
                if (as[i].rect.adjusted(0.5, 0.5, -0.5, -0.5).intersects(bs[k].rect)) note(as[i], bs[k]);
            }
        }
    };
    std::vector<Named> rings;
    for (const QRectF& ring : ringRects(scene)) rings.push_back({ring, QStringLiteral("ring")});
    meet(hopLabels, hopLabels, true);
    meet(hopLabels, texts, false);
    meet(hopLabels, signs, false);
    meet(texts, signs, false);
    meet(hopLabels, badges, false);
    meet(hopLabels, rings, false);
    meet(hopLabels, stripValues, false);
    meet(badges, badges, true);
    meet(badges, values, false);
    meet(texts, rings, false);
    const auto cross = [&](const auto& paths, const std::vector<Named>& things, qreal air) {
        for (const auto& [path, name] : paths) {
            for (const Named& thing : things) {
                const QRectF r = thing.rect.adjusted(-air, -air, air, air);
                if (path.boundingRect().adjusted(-1, -1, 1, 1).intersects(r) && crosses(path, r))
                    found << QStringLiteral("%1 through %2 (%3)").arg(name, thing.name, placeOf(thing.rect));
            }
        }
    };
    cross(links, texts, 0);
    cross(links, signs, 0);
    cross(links, values, 0);
    cross(links, stripValues, 0);
    if (!wrapped) cross(links, hopLabels, 0);
    if (firstLabel < lastLine) found << QStringLiteral("a line over a label");
    cross(arches, texts, 0);
    cross(arches, stripValues, 0);
    cross(arches, badges, 0);
    // A link may run into its own badge, and into no other.
    for (const SceneNode& node : scene.nodes) {
        const auto* link = std::get_if<PathItem>(&node.item);
        if (!link || node.part.kind != PartKind::None || node.part.index != kLinkPart || link->fill != Tone::None)
            continue;
        for (const SceneNode& other : scene.nodes) {
            const auto* badge = std::get_if<BadgeItem>(&other.item);
            if (!badge || (other.part.index == kLinkPart && other.part.tensor == node.part.tensor)) continue;
            if (crosses(link->path, badgeRect(*badge)))
                found << QStringLiteral("link of %1 through badge %2").arg(node.part.tensor).arg(badge->colour);
        }
    }
    return found;
}

/// One to four views of a storage, and one more storage.
ExploreState stageOf(Workspace& workspace, int kind) {
    ExploreState state;
    const auto add = [&](const char* name, const char* code, const Tensor& base, View view, TensorId parent, int colour,
                         Origin origin = Origin::View) {
        return workspace.add(QString::fromUtf8(name), QString::fromUtf8(code), base.withView(std::move(view)), parent,
                             colour, true, origin);
    };
    switch (kind) {
    case 0: {
        const Tensor base = counting(12);
        add("A", "torch.arange(12).view(3, 4)", base, View{{3, 4}, {4, 1}, 0}, 0, 0);
        break;
    }
    case 1: {
        const Tensor base = counting(12);
        const TensorId a = add("A", "torch.arange(12).view(3, 4)", base, View{{3, 4}, {4, 1}, 0}, 0, 0);
        add("B", "A.t()", base, View{{4, 3}, {1, 4}, 0}, a, 1);
        break;
    }
    case 2: {
        const Tensor base = counting(20);
        const TensorId a = add("A", "q.view(4, 5)", base, View{{4, 5}, {5, 1}, 0}, 0, 0);
        const TensorId b = add("B", "A.narrow(1, 1, 2)", base, View{{4, 2}, {5, 1}, 1}, a, 1);
        add("C", "B.t()", base, View{{2, 4}, {1, 5}, 1}, b, 2);
        break;
    }
    case 3:
    case 7: {
        const Tensor base = counting(24, DType::Float32);
        const TensorId a = add("A", "q.view(2, 3, 4)", base, View{{2, 3, 4}, {12, 4, 1}, 0}, 0, 0);
        const TensorId b = add("B", "A.permute(2, 0, 1)", base, View{{4, 2, 3}, {1, 12, 4}, 0}, a, 1);
        add("C", "A[:, 1]", base, View{{2, 4}, {12, 1}, 4}, a, 2);
        add("D", "B[1:3]", base, View{{2, 2, 3}, {1, 12, 4}, 1}, b, 3);
        break;
    }
    case 4: {
        const Tensor base = counting(6);
        const TensorId a = add("A", "q.unfold(0, 3, 1)", base, View{{4, 3}, {1, 1}, 0}, 0, 0);
        const TensorId b = add("B", "q.expand(3, 6)", base, View{{3, 6}, {0, 1}, 0}, a, 1);
        add("C", "A.clone()", counting(12), View{{4, 3}, {3, 1}, 0}, b, 2, Origin::Copy);
        add("D", "q[4]", base, View{{}, {}, 4}, a, 3);
        break;
    }
    case 5: {
        const Tensor base = counting(60, DType::Float32, -30);
        const TensorId a = add("A", "q.view(6, 10)", base, View{{6, 10}, {10, 1}, 0}, 0, 0);
        const TensorId b = add("B", "A.t()", base, View{{10, 6}, {1, 10}, 0}, a, 1);
        add("C", "A[1:5:2]", base, View{{2, 10}, {20, 1}, 10}, a, 2);
        add("D", "B.diagonal()", base, View{{6}, {11}, 0}, b, 3);
        break;
    }
    default: {
        const Tensor base = counting(48);
        const TensorId a = add("A", "q.view(2, 2, 3, 4)", base, View{{2, 2, 3, 4}, {24, 12, 4, 1}, 0}, 0, 0);
        add("B", "A.transpose(0, 3)", base, View{{4, 2, 3, 2}, {1, 12, 4, 24}, 0}, a, 1);
        break;
    }
    }
    state.snapshot = workspace.snapshot();
    if (kind == 7) {
        // Blocks, and both texts in a cell.
        state.cards[1].mode = CardMode::Blocks;
        state.options.cellText = CellText::Both;
    }
    return state;
}

} // namespace

class TestStageCrossings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingCrosses_data();
    void nothingCrosses();
};

void TestStageCrossings::nothingCrosses_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<QSizeF>("viewport");
    // Stages of windows of 1280×720 and 1920×1080, with the side panels and without.
    for (const QSizeF size : {QSizeF(752, 420), QSizeF(1264, 480), QSizeF(1016, 642), QSizeF(1320, 740),
                              QSizeF(780, 380), QSizeF(1390, 660)}) {
        for (int kind = 0; kind < 8; ++kind)
            QTest::addRow("%d at %gx%g", kind, size.width(), size.height()) << kind << size;
    }
}

void TestStageCrossings::nothingCrosses() {
    QFETCH(int, kind);
    QFETCH(QSizeF, viewport);
    Workspace workspace;
    ExploreState state = stageOf(workspace, kind);
    state.viewport = viewport;
    const QString folder = qEnvironmentVariable("STRIDESCOPE_PICTURES");
    QStringList problems;
    int looked = 0;
    const auto look = [&](const TensorEntry& entry, const TensorEntry& picked, Index position) {
        state.selection.tensor = entry.id;
        state.selection.hover = pickOf(picked, coordOfPosition(picked.tensor.view(), position));
        const Scene scene = exploreScene(state);
        ++looked;
        const QStringList found = crossings(scene);
        if (!found.isEmpty() && !folder.isEmpty()) {
            renderImage(scene, Theme())
                .save(QDir(folder).filePath(QStringLiteral("%1-%2-%3-%4%5.png")
                                                .arg(kind)
                                                .arg(viewport.width())
                                                .arg(entry.name, picked.name)
                                                .arg(position)));
        }
        for (const QString& text : found)
            problems << QStringLiteral("%1, %2[%3]: %4").arg(entry.name, picked.name).arg(position).arg(text);
    };
    for (const TensorEntry& entry : state.snapshot->tensors) {
        const View& view = entry.tensor.view();
        for (Index position = 0; position < view.numel(); ++position) look(entry, entry, position);
        // Cells that it does not reach: its strides are told from its first element.
        const TensorEntry& first = state.snapshot->tensors.front();
        for (Index position = 0; position < first.tensor.numel(); ++position) {
            const Index slot = first.tensor.view().slot(coordOfPosition(first.tensor.view(), position));
            const bool own = first.tensor.storage() == entry.tensor.storage();
            if (!own || coordsAt(view, slot, 1).coords.empty()) look(entry, first, position);
        }
    }
    QVERIFY(looked > 0);
    if (!problems.isEmpty() && qEnvironmentVariableIsSet("STRIDESCOPE_ALL_CROSSINGS"))
        for (const QString& p : problems) qInfo().noquote() << p;
    QVERIFY2(
        problems.isEmpty(),
        qPrintable(
            QStringLiteral("%1 of %2 pictures, first: %3").arg(problems.size()).arg(looked).arg(problems.value(0))));
}

QTEST_MAIN(TestStageCrossings)
#include "tst_stage_crossings.moc"
