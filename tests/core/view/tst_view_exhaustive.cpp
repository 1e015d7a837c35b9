// Small cases without gaps: every pair of shapes for broadcasting, every small view against every shape for `view`.

#include "core/view/broadcast.h"
#include "core/view/view_ops.h"
#include "tests/support/view_model.h"

#include <QTest>

#include <map>

using namespace stridescope;
using test::Sizes;
using test::ViewModel;

namespace {

std::vector<Sizes> shapesOfRank(std::size_t rank, std::int64_t lowest, std::int64_t highest) {
    std::vector<Sizes> shapes = {{}};
    for (std::size_t d = 0; d < rank; ++d) {
        std::vector<Sizes> longer;
        for (const Sizes& shape : shapes) {
            for (auto size = lowest; size <= highest; ++size) {
                longer.push_back(shape);
                longer.back().push_back(size);
            }
        }
        shapes = std::move(longer);
    }
    return shapes;
}

/// All 781 shapes of ranks 0 to 4 with sizes 0 to 4.
const std::vector<Sizes>& smallShapes() {
    static const std::vector<Sizes> all = [] {
        std::vector<Sizes> shapes;
        for (std::size_t rank = 0; rank <= 4; ++rank)
            for (Sizes& shape : shapesOfRank(rank, 0, 4)) shapes.push_back(std::move(shape));
        return shapes;
    }();
    return all;
}

std::int64_t numelOf(const Sizes& shape) {
    std::int64_t numel = 1;
    for (const auto size : shape) numel *= size;
    return numel;
}

/// The shapes to try for so many elements: all small ones, and those with one or two longer dims.
const std::vector<Sizes>& shapesWithNumel(std::int64_t numel) {
    static std::map<std::int64_t, std::vector<Sizes>> known;
    std::vector<Sizes>& shapes = known[numel];
    if (!shapes.empty()) return shapes;
    for (const Sizes& shape : smallShapes())
        if (numelOf(shape) == numel) shapes.push_back(shape);
    shapes.push_back({numel});
    for (std::int64_t d = 1; d <= numel; ++d) {
        if (numel % d != 0) continue;
        shapes.push_back({d, numel / d});
        for (std::int64_t e = 1; e <= numel / d; ++e)
            if (numel / d % e == 0) shapes.push_back({d, e, numel / d / e});
    }
    return shapes;
}

Dims dimsOf(const Sizes& sizes) {
    return Dims(std::span<const Index>(sizes));
}

/// Right-aligned by padding, one dim at a time; nullopt at a conflict, whose dim is then in `conflict`.
std::optional<Sizes> naiveBroadcast(Sizes a, Sizes b, Index& conflict) {
    while (a.size() < b.size()) a.insert(a.begin(), 1);
    while (b.size() < a.size()) b.insert(b.begin(), 1);
    Sizes result;
    conflict = -1;
    for (std::size_t d = 0; d < a.size(); ++d) {
        if (a[d] == b[d] || b[d] == 1) {
            result.push_back(a[d]);
        } else if (a[d] == 1) {
            result.push_back(b[d]);
        } else {
            result.push_back(a[d]);
            conflict = static_cast<Index>(d);
        }
    }
    return conflict < 0 ? std::optional<Sizes>(result) : std::nullopt;
}

/// Compares `view`'s verdict on every shape of as many elements; empty when all agree.
QString disagreement(const View& v, const ViewModel& model, qint64& checks, qint64& possible) {
    for (const Sizes& wanted : shapesWithNumel(static_cast<std::int64_t>(model.slotList.size()))) {
        const auto made = viewAs(v, dimsOf(wanted));
        const bool expected = model.isStrided(wanted);
        ++checks;
        possible += expected;
        QString what;
        if (made.ok() != expected) {
            what = expected ? QStringLiteral("wrongly refused") : QStringLiteral("wrongly accepted");
        } else if (made) {
            std::size_t position = 0;
            test::forEachCoord(wanted, [&](const Sizes& coord) {
                if (made->slot(coord) != model.slotList[position++]) what = QStringLiteral("other slots");
            });
        } else {
            const auto* why = std::get_if<ViewMergeFailure>(&made.refusal().detail);
            if (why == nullptr) {
                what = QStringLiteral("no reason");
            } else {
                // The told position is where the step of the walk is not the one that the strides so far lead to.
                const auto at = static_cast<std::size_t>(why->position);
                if (at >= model.slotList.size() || model.slotList[at] - model.slotList[at - 1] != why->stepNeeded ||
                    why->stepNeeded == why->stepSoFar)
                    what = QStringLiteral("wrong step");
            }
        }
        if (!what.isEmpty())
            return QStringLiteral("%1: shape %2 stride %3 as %4")
                .arg(what, QString::fromStdString(toString(v.shape)), QString::fromStdString(toString(v.stride)),
                     QString::fromStdString(toString(wanted)));
    }
    return {};
}

} // namespace

class TestViewExhaustive : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void broadcastOfEveryPair();
    void broadcastOfThreeAndFour();
    void broadcastDims();
    void viewOfEveryShape();
    void viewOfEveryStride();
};

void TestViewExhaustive::broadcastOfEveryPair() {
    qint64 fits = 0;
    for (const Sizes& a : smallShapes()) {
        for (const Sizes& b : smallShapes()) {
            Index conflict = -1;
            const auto expected = naiveBroadcast(a, b, conflict);
            const auto actual = broadcastShapes(dimsOf(a), dimsOf(b));
            const std::vector<Dims> both = {dimsOf(a), dimsOf(b)};
            const BroadcastPlan plan = broadcastPlan(both);
            const auto pair = QString::fromStdString(toString(a) + " with " + toString(b)).toUtf8();
            if (actual.ok() != expected.has_value() || plan.ok() != actual.ok()) QFAIL(pair);
            if (expected) {
                ++fits;
                if (*actual != dimsOf(*expected) || plan.shape != *actual) QFAIL(pair);
            } else {
                const auto* why = std::get_if<BroadcastConflict>(&actual.refusal().detail);
                if (why == nullptr || why->dim != conflict || plan.conflictDim != conflict) QFAIL(pair);
                if (actual.refusal().id != "VIEW-34") QFAIL(pair);
            }
        }
    }
    QVERIFY(fits > 10'000);
}

void TestViewExhaustive::broadcastOfThreeAndFour() {
    // Broadcasting is associative, so that any number of shapes follows from pairs.
    const std::vector<Sizes> shapes = [] {
        std::vector<Sizes> some;
        for (const Sizes& shape : smallShapes())
            if (shape.size() <= 2) some.push_back(shape);
        return some;
    }();
    qint64 checks = 0;
    for (const Sizes& a : shapes) {
        for (const Sizes& b : shapes) {
            for (const Sizes& c : shapes) {
                Index ignored = 0;
                const auto ab = naiveBroadcast(a, b, ignored);
                const auto expected = ab ? naiveBroadcast(*ab, c, ignored) : std::nullopt;
                const std::vector<Dims> three = {dimsOf(a), dimsOf(b), dimsOf(c)};
                const std::vector<Dims> four = {dimsOf(c), dimsOf(a), Dims{}, dimsOf(b)};
                const BroadcastPlan plan = broadcastPlan(three);
                const BroadcastPlan turned = broadcastPlan(four);
                ++checks;
                // Whatever the first conflict hides, a plan is fine exactly when all of it fits together.
                if (plan.ok() != expected.has_value() || turned.ok() != plan.ok() ||
                    (expected && (plan.shape != dimsOf(*expected) || turned.shape != plan.shape)))
                    QFAIL(QString::fromStdString(toString(a) + toString(b) + toString(c)).toUtf8());
            }
        }
    }
    QCOMPARE(checks, qint64{31} * 31 * 31);
}

void TestViewExhaustive::broadcastDims() {
    const std::vector<Dims> shapes = {Dims{5, 1, 4, 1}, Dims{3, 1, 1}};
    const BroadcastPlan plan = broadcastPlan(shapes);
    QVERIFY(plan.ok());
    QVERIFY(plan.shape == (Dims{5, 3, 4, 1}));
    const std::vector<DimMatch> first = {DimMatch::Equal, DimMatch::Repeated, DimMatch::Equal, DimMatch::Equal};
    const std::vector<DimMatch> second = {DimMatch::Missing, DimMatch::Equal, DimMatch::Repeated, DimMatch::Equal};
    QVERIFY(plan.match[0] == first);
    QVERIFY(plan.match[1] == second);
    const std::vector<Dims> bad = {Dims{3, 4}, Dims{3}};
    const BroadcastPlan conflict = broadcastPlan(bad);
    QVERIFY(!conflict.ok());
    QCOMPARE(*conflict.conflictDim, Index{1});
    QVERIFY(conflict.match[1][1] == DimMatch::Conflict);
    const auto refused = broadcastShapes(Dims{3, 4}, Dims{3});
    QCOMPARE(refused.refusal().message,
             std::string("The size of tensor a (4) must match the size of tensor b (3) at non-singleton dimension 1"));
    QVERIFY(broadcastPlan({}).ok());
    const auto tooMany = broadcastShapes(Dims{Index{1} << 32, 1}, Dims{1, Index{1} << 32});
    QCOMPARE(tooMany.refusal().id, std::string("VIEW-26"));
}

void TestViewExhaustive::viewOfEveryShape() {
    qint64 checks = 0;
    qint64 possible = 0;
    for (const Sizes& shape : smallShapes()) {
        const ViewModel counting = ViewModel::counting(shape);
        const View contiguous = *contiguousView(shape);
        std::vector<std::pair<View, ViewModel>> operands = {{contiguous, counting}};
        const auto rank = static_cast<Index>(shape.size());
        for (Index d = 0; d + 1 < rank; ++d)
            operands.emplace_back(*transpose(contiguous, d, rank - 1), *counting.transpose(d, rank - 1));
        for (Index d = 0; d < rank; ++d) {
            operands.emplace_back(*slice(contiguous, d, 0, std::nullopt, 2), *counting.slice(d, 0, std::nullopt, 2));
            operands.emplace_back(*slice(contiguous, d, 1, std::nullopt), *counting.slice(d, 1, std::nullopt, 1));
        }
        for (const auto& [v, model] : operands) {
            const QString what = disagreement(v, model, checks, possible);
            if (!what.isEmpty()) QFAIL(what.toUtf8());
        }
    }
    QVERIFY(possible > 10'000);
    QVERIFY(checks - possible > 10'000);
}

void TestViewExhaustive::viewOfEveryStride() {
    qint64 checks = 0;
    qint64 possible = 0;
    const std::vector<Sizes> strides = shapesOfRank(3, 0, 5);
    for (const Sizes& shape : shapesOfRank(3, 1, 4)) {
        for (const Sizes& stride : strides) {
            const auto v = makeView(shape, stride, 0);
            const auto model = ViewModel::strided(shape, stride, 0, 1000);
            QVERIFY(v.ok() && model.has_value());
            const QString what = disagreement(*v, *model, checks, possible);
            if (!what.isEmpty()) QFAIL(what.toUtf8());
        }
    }
    QVERIFY(possible > 10'000);
    QVERIFY(checks - possible > 10'000);
}

QTEST_GUILESS_MAIN(TestViewExhaustive)
#include "tst_view_exhaustive.moc"
