// By their lines, or by the numbers at their feet, cards are told to which storage they belong, however many there are.

#include "tests/widgets/stage/stage_fixture.h"
#include "widgets/stage/explore_scene.h"
#include "widgets/stage/stage_layout.h"

#include <QSet>
#include <QTest>

using namespace stridescope;
using namespace stridescope::stage_test;

namespace {

/// A straight piece of a tether, and whose it is.
struct Piece {
    quint64 storage;
    QRectF box;
};

bool isTether(const SceneNode& node) {
    const auto* path = std::get_if<PathItem>(&node.item);
    return path && path->stroke == Tone::Control && path->fill == Tone::None && node.part.storageId != 0 &&
           (node.part.kind == PartKind::LinkPort || node.part.kind == PartKind::None);
}

std::vector<Piece> piecesOf(const Scene& scene) {
    std::vector<Piece> pieces;
    for (const SceneNode& node : scene.nodes) {
        if (!isTether(node)) continue;
        const QPainterPath& path = std::get<PathItem>(node.item).path;
        for (int i = 1; i < path.elementCount(); ++i) {
            const QPointF from = path.elementAt(i - 1), to = path.elementAt(i);
            if (path.elementAt(i).type == QPainterPath::LineToElement && from != to)
                pieces.push_back({node.part.storageId, QRectF(from, to).normalized()});
        }
    }
    return pieces;
}

/// Whether two lines run along each other with less than a pixel between them.
bool merge(const QRectF& a, const QRectF& b) {
    constexpr qreal kApart = 3, kAlong = 3;
    const auto along = [](qreal first, qreal last, qreal otherFirst, qreal otherLast) {
        return std::min(last, otherLast) - std::max(first, otherFirst) > kAlong;
    };
    if (a.width() == 0 && b.width() == 0)
        return std::abs(a.x() - b.x()) < kApart && along(a.top(), a.bottom(), b.top(), b.bottom());
    if (a.height() == 0 && b.height() == 0)
        return std::abs(a.y() - b.y()) < kApart && along(a.left(), a.right(), b.left(), b.right());
    return false;
}

/// What stands on another's strip, or so near to a foot or another's line that it seems to be of it.
QString strayPiece(const StagePlan& plan, const std::vector<Piece>& pieces) {
    std::vector<const StripPlan*> strips{&*plan.strip};
    for (const StripPlan& other : plan.others) strips.push_back(&other);
    const auto place = [](const Piece& piece) {
        return QStringLiteral("storage %1 at %2, %3").arg(piece.storage).arg(piece.box.x()).arg(piece.box.y());
    };
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const QRectF line = pieces[i].box.adjusted(-1, -1, 1, 1);
        for (const StripPlan* strip : strips) {
            if (strip->storageId == pieces[i].storage) continue;
            if (line.intersects(strip->handle) || line.intersects(strip->layout.area))
                return QStringLiteral("a line of %1 touches the strip of storage %2")
                    .arg(place(pieces[i]))
                    .arg(strip->storageId);
        }
        for (std::size_t k = 0; k < i; ++k)
            if (pieces[i].storage != pieces[k].storage && merge(pieces[i].box, pieces[k].box))
                return QStringLiteral("lines are one: %1 and %2").arg(place(pieces[i]), place(pieces[k]));
    }
    return {};
}

ExploreState stateOf(Workspace& workspace, const std::vector<TensorId>& ids, std::size_t selected, QSizeF size) {
    ExploreState state;
    state.snapshot = workspace.snapshot();
    state.selection.tensor = ids[selected];
    state.viewport = size;
    return state;
}

} // namespace

class TestStageTethers : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void storagesAreToldApart_data() {
        QTest::addColumn<int>("storages");
        QTest::addColumn<QSizeF>("size");
        for (int storages = 2; storages <= 9; ++storages) {
            QTest::addRow("%d high", storages) << storages << QSizeF(2400, 1400);
            QTest::addRow("%d", storages) << storages << QSizeF(1600, 800);
            QTest::addRow("%d low", storages) << storages << QSizeF(1280, 560);
        }
    }
    void storagesAreToldApart() {
        QFETCH(const int, storages);
        QFETCH(const QSizeF, size);
        Workspace workspace;
        std::vector<TensorId> ids;
        for (int i = 0; i < storages; ++i)
            ids.push_back(workspace.add(QStringLiteral("t%1").arg(i), QStringLiteral("torch.arange(%1)").arg(i + 3),
                                        counting(i + 3), 0, i < 4 ? i : -1));
        for (std::size_t selected = 0; selected < ids.size(); ++selected) {
            const ExploreState state = stateOf(workspace, ids, selected, size);
            const StagePlan plan = planStage(state);
            const Scene scene = exploreScene(state);
            const std::vector<Piece> pieces = piecesOf(scene);
            for (const Piece& piece : pieces) QVERIFY2(piece.box.left() >= 2, "a line leaves the picture");
            const QString stray = strayPiece(plan, pieces);
            QVERIFY2(stray.isEmpty(), qPrintable(QStringLiteral("selected t%1: %2").arg(selected).arg(stray)));
            // And none is without: from its foot a line leads to the handle, or a number names it.
            QSet<quint64> named, led;
            for (const SceneNode& node : scene.nodes) {
                const auto* text = std::get_if<TextItem>(&node.item);
                if (text && node.part.kind == PartKind::LinkPort) {
                    const StorageEntry* storage = state.snapshot->storage(node.part.storageId);
                    QCOMPARE(text->text, QStringLiteral("#%1").arg(storage->number));
                    named.insert(node.part.storageId);
                }
            }
            std::vector<const StripPlan*> strips{&*plan.strip};
            for (const StripPlan& other : plan.others) strips.push_back(&other);
            for (const StripPlan* strip : strips) {
                for (const Piece& piece : pieces) {
                    const QRectF box = piece.box.adjusted(-1, -1, 1, 1);
                    if (piece.storage == strip->storageId && box.intersects(strip->handle))
                        led.insert(strip->storageId);
                }
                const bool hasFoot = std::any_of(plan.cards.begin(), plan.cards.end(), [&](const CardLayout& card) {
                    const qreal x = card.pos.x() + 30;
                    return card.input.entry->tensor.storage()->id() == strip->storageId && x >= plan.cardArea.left() &&
                           x <= plan.cardArea.right();
                });
                QCOMPARE(led.contains(strip->storageId) != named.contains(strip->storageId), hasFoot);
            }
        }
    }
    void copiesStandApart_data() {
        QTest::addColumn<qreal>("height");
        for (const qreal height : {380, 420, 442, 454, 466, 480, 520, 600, 740, 860})
            QTest::addRow("%g", height) << height;
    }
    void copiesStandApart() {
        // A base and its view, a copy below them, and an older storage for which there is no strip on a low stage.
        QFETCH(const qreal, height);
        Workspace workspace;
        const auto add = [&](const char* name, const char* code, const Tensor& tensor, View view, TensorId parent,
                             int colour, Origin origin = Origin::View) {
            return workspace.add(QString::fromUtf8(name), QString::fromUtf8(code), tensor.withView(std::move(view)),
                                 parent, colour, true, origin);
        };
        const Tensor old = counting(12), base = counting(12), copy = counting(12);
        std::vector<TensorId> ids{add("C", "A.narrow(1, 1, 2)", old, View{{3, 2}, {4, 1}, 1}, 0, 2)};
        ids.push_back(add("x", "torch.arange(12).view(3,4)", base, View{{3, 4}, {4, 1}, 0}, 0, 3));
        ids.push_back(add("y", "x.t()", base, View{{4, 3}, {1, 4}, 0}, ids[1], 4));
        ids.push_back(add("F", "y.reshape(12)", copy, View{{12}, {1}, 0}, ids[2], 5, Origin::Copy));
        for (std::size_t selected = 0; selected < ids.size(); ++selected) {
            ExploreState state = stateOf(workspace, ids, selected, QSizeF(1010, height));
            state.selection.pick = pickOf(workspace.entry(ids[0]), {2, 1});
            const StagePlan plan = planStage(state);
            const std::vector<Piece> pieces = piecesOf(exploreScene(state));
            const QString stray = strayPiece(plan, pieces);
            QVERIFY2(stray.isEmpty(), qPrintable(QStringLiteral("selected %1: %2").arg(selected).arg(stray)));
        }
    }
};

QTEST_MAIN(TestStageTethers)
#include "tst_stage_tethers.moc"
