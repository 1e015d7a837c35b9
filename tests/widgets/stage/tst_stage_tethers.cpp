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
            for (std::size_t i = 0; i < pieces.size(); ++i) {
                QVERIFY2(pieces[i].box.left() >= 2, "a line leaves the picture");
                for (std::size_t k = 0; k < i; ++k) {
                    if (pieces[i].storage == pieces[k].storage || !merge(pieces[i].box, pieces[k].box)) continue;
                    QFAIL(qPrintable(QStringLiteral("selected t%1: lines of storages %2 and %3 are one at %4, %5")
                                         .arg(selected)
                                         .arg(pieces[i].storage)
                                         .arg(pieces[k].storage)
                                         .arg(pieces[i].box.x())
                                         .arg(pieces[i].box.y())));
                }
            }
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
};

QTEST_MAIN(TestStageTethers)
#include "tst_stage_tethers.moc"
