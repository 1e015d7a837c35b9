// Random chains of view operations, compared with the enumerating model after every step.
//
// STRIDESCOPE_CHAINS: how many chains (default 1 000 000; 50 000 under a sanitizer). STRIDESCOPE_SEED: seed of the
// first.

#include "core/view/op_table.h"
#include "tests/support/instrumented.h"
#include "tests/support/view_model.h"

#include <QTest>

#include <random>

using namespace stridescope;
using test::Sizes;
using test::ViewModel;

namespace {

constexpr qulonglong kDefaultChains = test::kInstrumented ? 50'000 : 1'000'000;

constexpr int kMaxChain = 12;
constexpr std::size_t kMaxElements = 96;
constexpr std::int64_t kMaxRank = 6;

qulonglong fromEnvironment(const char* name, qulonglong otherwise) {
    bool ok = false;
    const qulonglong value = qEnvironmentVariable(name).toULongLong(&ok);
    return ok ? value : otherwise;
}

Sizes sizesOf(const Dims& dims) {
    return Sizes(dims.begin(), dims.end());
}

struct Step {
    std::string name;
    OpArgs args;
};

/// What the model says about a step: nothing when refused.
struct Expected {
    std::vector<ViewModel> views;
    bool copies = false;
};

class Generator {
public:
    explicit Generator(std::uint64_t seed) : m_random(seed) {}

    Index between(Index low, Index high) {
        return std::uniform_int_distribution<Index>(low, std::max(low, high))(m_random);
    }
    bool oneIn(Index n) { return between(1, n) == 1; }

    Index dimOf(Index ndim) {
        const Index count = std::max<Index>(ndim, 1);
        return oneIn(24) ? between(-count - 2, count + 1) : between(-count, count - 1);
    }

    Dims someShape(Index numel) {
        Dims shape;
        Index left = numel;
        while (left > 1 && shape.size() < 4 && !oneIn(4)) {
            Index part = between(1, left);
            while (left % part != 0) --part;
            shape.push_back(part);
            left /= part;
        }
        shape.push_back(left);
        std::shuffle(shape.begin(), shape.end(), m_random);
        if (oneIn(4)) shape.insert(static_cast<std::size_t>(between(0, static_cast<Index>(shape.size()))), 1);
        if (oneIn(6)) anyOf(shape) = -1;
        if (oneIn(12)) anyOf(shape) = between(-2, 4);
        if (numel == 1 && oneIn(3)) shape.clear();
        return shape;
    }

    Dims someOrder(Index ndim) {
        Dims order;
        for (Index d = 0; d < ndim; ++d) order.push_back(oneIn(5) ? d - ndim : d);
        std::shuffle(order.begin(), order.end(), m_random);
        if (oneIn(16) && ndim > 0) anyOf(order) = dimOf(ndim);
        if (oneIn(24) && ndim > 0) order.resize(order.size() - 1);
        return order;
    }

    Step step(const ViewModel& model, Index storageNumel) {
        static const std::vector<std::string> names = {
            "select",  "narrow", "slice",   "diagonal",  "unfold",   "t",         "transpose", "permute",
            "movedim", "view",   "squeeze", "reshape",   "flatten",  "unflatten", "expand",    "as_strided",
            "split",   "chunk",  "unbind",  "unsqueeze", "swapaxes", "contiguous"};
        Step step;
        step.name = names[static_cast<std::size_t>(between(0, static_cast<Index>(names.size()) - 1))];
        const std::string& name = step.name;
        const Index ndim = model.dim();
        const Index dim = dimOf(ndim);
        const Index size = sizeOf(model, dim);
        const auto numel = static_cast<Index>(model.slotList.size());
        if (name == "select") {
            step.args = {dim, oneIn(12) ? between(-size - 2, size + 1) : between(-size, size - 1)};
        } else if (name == "narrow") {
            const Index start = oneIn(10) ? between(-size - 1, size + 1) : between(0, size);
            // Zero sizes are wanted, but a chain that has reached one stays there.
            Index length = oneIn(10) ? between(-1, size + 1) : between(1, size - start);
            if (oneIn(20)) length = 0;
            step.args = {dim, start, length};
        } else if (name == "slice") {
            step.args = {dim, end(size), end(size), oneIn(16) ? between(-1, 0) : between(1, 4)};
        } else if (name == "diagonal") {
            step.args = {oneIn(3) ? between(-3, 3) : 0, dim, dimOf(ndim)};
        } else if (name == "unfold") {
            step.args = {dim, oneIn(10) ? between(-1, size + 1) : between(1, size), oneIn(16) ? 0 : between(1, 3)};
        } else if (name == "transpose" || name == "swapaxes") {
            step.args = {dim, dimOf(ndim)};
        } else if (name == "permute") {
            step.args = {someOrder(ndim)};
        } else if (name == "movedim") {
            Dims source = someOrder(ndim);
            Dims destination = someOrder(ndim);
            const auto count = static_cast<std::size_t>(between(0, ndim));
            if (source.size() > count) source.resize(count);
            if (destination.size() > count) destination.resize(count);
            step.args = {source, destination};
        } else if (name == "unsqueeze") {
            step.args = {oneIn(20) ? between(-ndim - 3, ndim + 2) : between(-ndim - 1, ndim)};
        } else if (name == "squeeze") {
            if (oneIn(2)) step.args = {dim};
        } else if (name == "view" || name == "reshape") {
            step.args = {numel == 0 ? emptyShape(model) : someShape(numel)};
        } else if (name == "flatten") {
            step.args = {dim, dimOf(ndim)};
        } else if (name == "unflatten") {
            step.args = {dim, size == 0 ? Dims{0, between(-1, 2)} : someShape(size)};
        } else if (name == "expand") {
            step.args = {expanded(model)};
        } else if (name == "as_strided") {
            Dims sizes;
            Dims strides;
            for (Index d = between(0, 3); d > 0; --d) {
                sizes.push_back(oneIn(12) ? 0 : between(1, 4));
                strides.push_back(between(0, 5));
            }
            if (oneIn(30) && !strides.empty()) anyOf(strides) = -1;
            if (oneIn(30) && !sizes.empty()) anyOf(sizes) = -1;
            if (oneIn(30)) strides.push_back(1);
            step.args = {sizes, strides, oneIn(20) ? Index{-1} : between(0, std::max<Index>(storageNumel / 2, 0))};
            if (numel > 0 && oneIn(3)) step.args[2] = std::monostate{};
        } else if (name == "split") {
            if (oneIn(2)) {
                step.args = {between(oneIn(10) ? -1 : 1, size), dim};
            } else {
                Dims sizes;
                for (Index left = size; left > 0; left -= sizes.back()) sizes.push_back(between(0, left));
                if (oneIn(12)) sizes.push_back(between(-1, 1));
                step.args = {sizes, dim};
            }
        } else if (name == "chunk") {
            step.args = {oneIn(12) ? between(-1, 0) : between(1, 5), dim};
        } else if (name == "unbind") {
            step.args = {dim};
        }
        return step;
    }

private:
    Index& anyOf(Dims& dims) { return dims[static_cast<std::size_t>(between(0, static_cast<Index>(dims.size()) - 1))]; }
    OpArg end(Index size) {
        if (oneIn(3)) return std::monostate{};
        return between(-size - 2, size + 2);
    }
    Index sizeOf(const ViewModel& model, Index dim) {
        const Index ndim = model.dim();
        if (ndim == 0 || dim < -ndim || dim >= ndim) return 2;
        return model.shape[static_cast<std::size_t>(dim < 0 ? dim + ndim : dim)];
    }
    Dims emptyShape(const ViewModel& model) {
        switch (between(0, 5)) {
        case 0:
            return Dims{0};
        case 1:
            return Dims{3, 0};
        case 2:
            return Dims{-1};
        case 3:
            return Dims{-1, 0};
        case 4:
            return Dims{2, -1};
        default:
            return Dims(std::span<const Index>(model.shape));
        }
    }
    Dims expanded(const ViewModel& model) {
        Dims sizes;
        for (const Index size : model.shape) sizes.push_back(size == 1 && !oneIn(3) ? between(0, 3) : size);
        if (!sizes.empty() && oneIn(4)) anyOf(sizes) = -1;
        if (!sizes.empty() && oneIn(12)) anyOf(sizes) = between(-2, 5);
        if (!sizes.empty() && oneIn(30)) sizes.erase(0);
        while (oneIn(3)) sizes.insert(0, oneIn(16) ? -1 : between(1, 3));
        return sizes;
    }

    std::mt19937_64 m_random;
};

std::optional<Index> optionalArg(const OpArg& arg) {
    const Index* value = std::get_if<Index>(&arg);
    return value != nullptr ? std::optional<Index>(*value) : std::nullopt;
}

std::optional<Expected> modelStep(const Step& step, const ViewModel& model, Index storageNumel) {
    const auto number = [&](std::size_t i) { return std::get<Index>(step.args[i]); };
    const auto list = [&](std::size_t i) { return sizesOf(std::get<Dims>(step.args[i])); };
    const auto one = [](ViewModel::Maybe made) -> std::optional<Expected> {
        if (!made) return std::nullopt;
        return Expected{{std::move(*made)}, false};
    };
    const auto many = [](ViewModel::MaybeMany made) -> std::optional<Expected> {
        if (!made) return std::nullopt;
        return Expected{std::move(*made), false};
    };
    /// A reshape copies when the slots are not those of the operand any more.
    const auto perhaps = [&](ViewModel::Maybe made) -> std::optional<Expected> {
        if (!made) return std::nullopt;
        const bool copies = !model.isStrided(made->shape);
        return Expected{{std::move(*made)}, copies};
    };
    const std::string& name = step.name;
    if (name == "select") return one(model.select(number(0), number(1)));
    if (name == "narrow") return one(model.narrow(number(0), number(1), number(2)));
    if (name == "slice")
        return one(model.slice(number(0), optionalArg(step.args[1]), optionalArg(step.args[2]), number(3)));
    if (name == "diagonal") return one(model.diagonal(number(0), number(1), number(2)));
    if (name == "unfold") return one(model.unfold(number(0), number(1), number(2)));
    if (name == "t") return one(model.t());
    if (name == "transpose" || name == "swapaxes") return one(model.transpose(number(0), number(1)));
    if (name == "permute") return one(model.permute(list(0)));
    if (name == "movedim") return one(model.movedim(list(0), list(1)));
    if (name == "unsqueeze") return one(model.unsqueeze(number(0)));
    if (name == "squeeze") return one(step.args.empty() ? model.squeeze() : model.squeeze(number(0)));
    if (name == "view") return one(model.view(list(0)));
    if (name == "reshape") return perhaps(model.reshape(list(0)));
    if (name == "flatten") return perhaps(model.flatten(number(0), number(1)));
    if (name == "unflatten") return one(model.unflatten(number(0), list(1)));
    if (name == "expand") return one(model.expand(list(0)));
    if (name == "as_strided") {
        const Sizes strides = list(1);
        if (std::any_of(strides.begin(), strides.end(), [](auto s) { return s < 0; })) return std::nullopt;
        const auto offset = optionalArg(step.args[2]);
        return one(ViewModel::strided(list(0), strides, offset ? *offset : model.slotList.front(), storageNumel));
    }
    if (name == "split")
        return many(std::holds_alternative<Dims>(step.args[0]) ? model.split(list(0), number(1))
                                                               : model.split(number(0), number(1)));
    if (name == "chunk") return many(model.chunk(number(0), number(1)));
    if (name == "unbind") return many(model.unbind(number(0)));
    if (name == "contiguous")
        return Expected{{model.isConsecutive() ? model : ViewModel::counting(model.shape)}, !model.isConsecutive()};
    return std::nullopt;
}

/// Empty when view and model agree, else what differs.
QString difference(const View& view, const ViewModel& model) {
    if (sizesOf(view.shape) != model.shape) return QStringLiteral("shape");
    if (view.stride.size() != view.shape.size()) return QStringLiteral("rank of the strides");
    if (view.numel() != static_cast<Index>(model.slotList.size())) return QStringLiteral("numel");
    QString found;
    std::size_t position = 0;
    test::forEachCoord(model.shape, [&](const Sizes& coord) {
        if (view.slot(coord) != model.slotList[position]) found = QStringLiteral("slot %1").arg(position);
        ++position;
    });
    if (!found.isEmpty()) return found;
    const auto range = reach(view);
    if (!range) return QStringLiteral("reach is refused");
    if (range->empty() != model.slotList.empty()) return QStringLiteral("reach is empty");
    if (!model.slotList.empty()) {
        const auto [lowest, highest] = std::minmax_element(model.slotList.begin(), model.slotList.end());
        if (range->lowest != *lowest || range->highest != *highest) return QStringLiteral("reach");
        const bool dense = *highest - *lowest + 1 == static_cast<Index>(model.slotList.size()) && !model.repeats();
        if (view.isDense() != dense) return QStringLiteral("isDense");
    }
    if (view.isContiguous() != model.isConsecutive()) return QStringLiteral("isContiguous");
    return {};
}

QString words(const View& v) {
    return QString::fromStdString("shape " + toString(v.shape) + " stride " + toString(v.stride) + " offset " +
                                  std::to_string(v.offset));
}

} // namespace

class TestViewProperty : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void chainsAgreeWithTheModel();
};

void TestViewProperty::chainsAgreeWithTheModel() {
    const qulonglong chains = fromEnvironment("STRIDESCOPE_CHAINS", kDefaultChains);
    const qulonglong firstSeed = fromEnvironment("STRIDESCOPE_SEED", 1);
    qulonglong accepted = 0;
    qulonglong refused = 0;
    qulonglong empty = 0;
    for (qulonglong chain = 0; chain < chains; ++chain) {
        const qulonglong seed = firstSeed + chain;
        Generator random(seed);
        Sizes shape;
        for (Index rank = random.between(0, 4); rank > 0; --rank)
            shape.push_back(random.oneIn(40) ? 0 : random.between(1, 4));
        ViewModel model = ViewModel::counting(shape);
        if (model.slotList.size() > kMaxElements) model = ViewModel::counting({4, 3, 2});
        auto start = contiguousView(model.shape);
        QVERIFY(start.ok());
        View view = *start;
        auto storageNumel = static_cast<Index>(model.slotList.size());
        const Index length = random.between(1, kMaxChain);
        for (Index i = 0; i < length; ++i) {
            const Step step = random.step(model, storageNumel);
            const auto expected = modelStep(step, model, storageNumel);
            const auto actual = applyViewOp(step.name, step.args, view, storageNumel);
            const auto told = [&](const QString& what) {
                return QStringLiteral("%1: %2 on %3 (seed %4)")
                    .arg(what, QString::fromStdString(toCode(step.name, step.args)), words(view))
                    .arg(seed)
                    .toUtf8();
            };
            if (actual.ok() != expected.has_value())
                QFAIL(told(expected ? QStringLiteral("wrongly refused") : QStringLiteral("wrongly accepted")));
            if (!actual) {
                ++refused;
                const Refusal& why = actual.refusal();
                if (why.id.rfind("VIEW-", 0) != 0 || why.message.empty() || why.message.find('\n') > 140)
                    if (why.id.rfind("VIEW-", 0) != 0 || why.message.size() > 140) QFAIL(told(QStringLiteral("words")));
                continue;
            }
            ++accepted;
            if (actual->copies != expected->copies) QFAIL(told(QStringLiteral("copies")));
            if (actual->views.size() != expected->views.size()) QFAIL(told(QStringLiteral("number of views")));
            for (std::size_t k = 0; k < actual->views.size(); ++k) {
                const QString what = difference(actual->views[k], expected->views[k]);
                if (!what.isEmpty()) QFAIL(told(what));
            }
            if (actual->views.empty()) continue;
            const auto next = static_cast<std::size_t>(random.between(0, static_cast<Index>(actual->views.size()) - 1));
            const bool goesOn =
                expected->views[next].slotList.size() <= kMaxElements && expected->views[next].dim() <= kMaxRank;
            if (!goesOn) continue;
            view = actual->views[next];
            model = expected->views[next];
            if (actual->copies) storageNumel = static_cast<Index>(model.slotList.size());
            if (model.slotList.empty()) ++empty;
        }
    }
    // The chains must have been worth running.
    QVERIFY(chains < 1000 || (accepted > chains && refused > chains / 4 && empty > chains / 100));
    qInfo("%llu chains, %llu operations accepted, %llu refused, %llu with empty results", chains, accepted, refused,
          empty);
}

QTEST_GUILESS_MAIN(TestViewProperty)
#include "tst_view_property.moc"
