// Alignment of all pairs of small shapes beside what broadcasting says of two.

#include "core/view/broadcast_alignment.h"
#include "core/view/view_ops.h"

#include <QTest>

#include <functional>

using namespace stridescope;

namespace {

std::vector<Dims> shapesUpTo(std::size_t rank, Index largest) {
    std::vector<Dims> all;
    const std::function<void(const Dims&)> grow = [&](const Dims& shape) {
        all.push_back(shape);
        if (shape.size() == rank) return;
        for (Index size = 0; size <= largest; ++size) {
            Dims longer = shape;
            longer.push_back(size);
            grow(longer);
        }
    };
    grow({});
    return all;
}

} // namespace

class TestBroadcastAlignment : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everySmallPair() {
        const std::vector<Dims> shapes = shapesUpTo(4, 4);
        QCOMPARE(shapes.size(), std::size_t{781});
        std::vector<View> views;
        for (const Dims& shape : shapes) views.push_back(contiguousView(shape, 3).valueOrThrow());
        Index failing = 0, growing = 0;
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            for (std::size_t j = 0; j < shapes.size(); ++j) {
                const auto core = broadcastShapes(shapes[i], shapes[j]);
                const View both[2] = {views[i], views[j]};
                const auto found = alignViews(both);
                const auto fail = [&](const char* what) {
                    QFAIL(qPrintable(QString::fromStdString(toString(shapes[i]) + " and " + toString(shapes[j])) +
                                     QLatin1String(": ") + QLatin1String(what)));
                };
                if (!found) return fail("refused");
                if (found->ok() != core.ok()) return fail("verdict");
                if (!core) {
                    ++failing;
                    const auto& conflict = std::get<BroadcastConflict>(core.refusal().detail);
                    if (found->plan.conflictDim != conflict.dim) return fail("dim");
                    continue;
                }
                if (!(found->plan.shape == *core)) return fail("shape");
                const Index larger = std::max(views[i].numel(), views[j].numel());
                if (found->grows != (found->numel() > larger)) return fail("grows");
                growing += found->grows;
                for (std::size_t k = 0; k < 2; ++k) {
                    const AlignedView& each = found->views[k];
                    if (!(each.stretched == expand(both[k], *core).valueOrThrow())) return fail("stretched");
                    if (each.aligned.numel() != both[k].numel() || each.stored != both[k].numel())
                        return fail("stored");
                    if (each.aligned.shape.size() != core->size()) return fail("rank");
                    for (std::size_t d = 0; d < core->size(); ++d) {
                        const bool stretched = each.aligned.shape[d] != (*core)[d];
                        if (stretched && each.stretched.stride[d] != 0) return fail("stride");
                        const DimMatch match = found->plan.match[k][d];
                        const bool missing = d < core->size() - both[k].shape.size();
                        if ((match == DimMatch::Missing) != missing) return fail("missing");
                        if (!missing && (match == DimMatch::Repeated) != stretched) return fail("match");
                    }
                }
            }
        }
        QVERIFY(failing > 300'000);
        QVERIFY(growing > 10'000);
    }

    void threeAndFour() {
        // The order of the operands does not matter to what comes out.
        const std::vector<Dims> shapes = shapesUpTo(2, 3);
        for (const Dims& a : shapes) {
            for (const Dims& b : shapes) {
                for (const Dims& c : shapes) {
                    const View all[3] = {*contiguousView(a), *contiguousView(b), *contiguousView(c)};
                    const View turned[3] = {all[2], all[0], all[1]};
                    const auto one = alignViews(all), other = alignViews(turned);
                    QCOMPARE(one->ok(), other->ok());
                    const auto ab = broadcastShapes(a, b);
                    if (!ab) {
                        QVERIFY(!one->ok());
                        continue;
                    }
                    const auto abc = broadcastShapes(*ab, c);
                    QCOMPARE(one->ok(), abc.ok());
                    if (abc) QVERIFY(one->plan.shape == *abc && other->plan.shape == *abc);
                }
            }
        }
    }

    void storesWhatIsThereOnce() {
        const View row = expand(*contiguousView(Dims{4, 1}), Dims{4, 3}).valueOrThrow();
        const View views[1] = {row};
        QCOMPARE(alignViews(views)->views[0].stored, Index{4});
    }
};

QTEST_APPLESS_MAIN(TestBroadcastAlignment)
#include "tst_broadcast_alignment.moc"
