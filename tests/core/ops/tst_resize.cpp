// Storages that grow and shrink under the tensors over them, against a model that lists every slot of every tensor.

#include "core/backend/backend.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/handles.h"
#include "core/ops/out.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/views.h"
#include "core/storage/memory_budget.h"
#include "core/trace/warning.h"
#include "tests/support/check_refusal.h"
#include "tests/support/instrumented.h"
#include "tests/support/view_model.h"

#include <QTest>

#include <random>

using namespace stridescope;
using test::Sizes;
using test::Slot;
using test::ViewModel;

namespace {

using Cells = std::vector<std::int64_t>;

Slot endOf(const std::vector<Slot>& places) {
    return places.empty() ? 0 : *std::max_element(places.begin(), places.end()) + 1;
}

/// Some tensors over some storages, each beside its model.
class World {
public:
    explicit World(unsigned seed) : m_random(seed) {
        for (int s = 0; s < 3; ++s) {
            const Slot count = pick(0, 8);
            m_cells.emplace_back();
            for (Slot i = 0; i < count; ++i) m_cells.back().push_back(++m_value);
            Tensor t = empty({count}, {DType::Int64, Device{}});
            for (Slot i = 0; i < count; ++i) t.data<std::int64_t>()[i] = m_cells.back()[static_cast<std::size_t>(i)];
            for (int copies = 0; copies < 3; ++copies) add(t, m_cells.size() - 1);
        }
    }

    /// One operation, chosen by chance, on both sides.
    void step() {
        const std::size_t at = index(m_tensors.size());
        const std::size_t storage = m_model[at].storage;
        Tensor& t = m_tensors[at];
        const Sizes shape = sizes();
        switch (pick(0, 5)) {
        case 0:
            m_last = "resize_";
            resize_(t, Dims(shape));
            if (m_model[at].shape != shape) become(at, storage, shape, rowMajor(shape), m_model[at].offset);
            return;
        case 1: {
            m_last = "set_";
            const std::size_t source = index(m_tensors.size());
            const Sizes stride = sizes(shape.size());
            const Slot offset = pick(0, 4);
            set_(t, m_tensors[source].storage(), {Dims(shape), Dims(stride), offset});
            become(at, m_model[source].storage, shape, stride, offset);
            return;
        }
        case 2: {
            m_last = "storage().resize_";
            const Slot count = pick(0, 12);
            resizeStorage(t, count);
            m_cells[storage].resize(static_cast<std::size_t>(count), 0);
            return;
        }
        case 3: {
            m_last = "view";
            const std::size_t source = index(m_tensors.size());
            if (m_model[source].shape.empty()) return;
            const Slot size = m_model[source].shape[0], start = pick(0, size);
            View view = m_tensors[source].view();
            view.shape[0] = pick(0, size - start);
            view.offset += start * view.stride[0];
            t = m_tensors[source].withView(view);
            Sizes narrowed = m_model[source].shape;
            narrowed[0] = view.shape[0];
            become(at, m_model[source].storage, narrowed, m_model[source].stride, view.offset, false);
            return;
        }
        case 4: {
            m_last = "write";
            if (!isInside(at)) return;
            const auto places = slotsOf(at);
            if (endOf(places) == 0) return;
            ++m_value;
            // Through memory, as an operation that repeats elements would be refused.
            for (const Slot slot : places) t.storageData<std::int64_t>()[slot] = m_value;
            for (const Slot slot : places) m_cells[storage][static_cast<std::size_t>(slot)] = m_value;
            return;
        }
        default: {
            m_last = "out=";
            if (!isInside(at) || repeats(at)) return;
            ++m_value;
            outOf("add", t,
                  [&] { return stridescope::add(full(Dims(shape), Scalar(std::int64_t{0})), Scalar(m_value)); });
            if (m_model[at].shape != shape) become(at, storage, shape, rowMajor(shape), m_model[at].offset);
            for (const Slot slot : slotsOf(at)) m_cells[storage][static_cast<std::size_t>(slot)] = m_value;
            return;
        }
        }
    }

    /// What differs between the tensors and their models; empty when nothing does.
    std::string difference() const {
        for (std::size_t i = 0; i < m_tensors.size(); ++i) {
            const Tensor& t = m_tensors[i];
            const Cells& cells = m_cells[m_model[i].storage];
            const std::string where = m_last + ": tensor " + std::to_string(i);
            if (t.storage()->bytes() != cells.size() * sizeof(std::int64_t)) return where + ": size of the storage";
            for (std::size_t j = 0; j < i; ++j)
                if ((m_model[i].storage == m_model[j].storage) != (t.storage() == m_tensors[j].storage()))
                    return where + ": whose storage";
            const bool inside = isInside(i);
            if (inside != !refusalOf([&] { requireInside(t); })) return where + ": inside";
            const Tensor copy = clone(t); // of those outside as well: no memory but the storage's own may be read
            if (!inside) continue;
            const auto places = slotsOf(i);
            const Tensor flat = contiguous(copy);
            for (std::size_t k = 0; k < places.size(); ++k)
                if (flat.data<std::int64_t>()[k] != cells[static_cast<std::size_t>(places[k])])
                    return where + ": element " + std::to_string(k);
        }
        return {};
    }

private:
    struct Model {
        std::size_t storage = 0;
        Sizes shape, stride;
        Slot offset = 0;
    };

    Slot pick(Slot low, Slot high) { return std::uniform_int_distribution<Slot>(low, high)(m_random); }
    std::size_t index(std::size_t count) { return static_cast<std::size_t>(pick(0, static_cast<Slot>(count) - 1)); }
    Sizes sizes(std::optional<std::size_t> rank = {}) {
        Sizes list(rank.value_or(static_cast<std::size_t>(pick(0, 3))));
        for (auto& size : list) size = pick(0, 3);
        return list;
    }
    static Sizes rowMajor(const Sizes& shape) {
        Sizes stride(shape.size());
        Slot step = 1;
        for (std::size_t d = shape.size(); d-- > 0; step *= std::max<Slot>(shape[d], 1)) stride[d] = step;
        return stride;
    }
    void add(const Tensor& t, std::size_t storage) {
        m_tensors.push_back(t);
        m_model.push_back({storage, Sizes{t.numel()}, Sizes{1}, 0});
    }
    void become(std::size_t at, std::size_t storage, const Sizes& shape, const Sizes& stride, Slot offset,
                bool grows = true) {
        m_model[at] = {storage, shape, stride, offset};
        const auto end = static_cast<std::size_t>(endOf(slotsOf(at)));
        if (grows && end > m_cells[storage].size()) m_cells[storage].resize(end, 0);
    }
    std::vector<Slot> slotsOf(std::size_t at) const {
        const Model& m = m_model[at];
        return ViewModel::strided(m.shape, m.stride, m.offset, 1'000'000)->slotList;
    }
    bool isInside(std::size_t at) const {
        return endOf(slotsOf(at)) <= static_cast<Slot>(m_cells[m_model[at].storage].size());
    }
    bool repeats(std::size_t at) const {
        const Model& m = m_model[at];
        return ViewModel::strided(m.shape, m.stride, m.offset, 1'000'000)->repeats();
    }

    std::mt19937 m_random;
    std::vector<Cells> m_cells;
    std::vector<Tensor> m_tensors;
    std::vector<Model> m_model;
    std::int64_t m_value = 0;
    std::string m_last;
};

Tensor numbers(Index count) {
    return arange(count);
}

} // namespace

class TestResize : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void randomChainsAgainstTheModel();
    void viewsShareWhatGrows();
    void shrinkingKeepsTheMemory();
    void lentMemoryStays();
    void foreignMemoryStays();
    void memoryThatAnotherProcessMapsIsLeft();
    void withoutMemoryNothingChanges();
    void severalOutsOfOneStorage();
};

void TestResize::randomChainsAgainstTheModel() {
    const WarningSubscription quiet([](const std::string&) {}); // outputs with elements are resized
    const unsigned worlds = test::kInstrumented ? 300 : 3000;
    for (unsigned seed = 0; seed < worlds; ++seed) {
        World world(seed);
        for (int i = 0; i < 30; ++i) {
            world.step();
            const std::string difference = world.difference();
            QVERIFY2(
                difference.empty(),
                qPrintable(
                    QStringLiteral("seed %1, step %2: %3").arg(seed).arg(i).arg(QString::fromStdString(difference))));
        }
    }
}

void TestResize::viewsShareWhatGrows() {
    Tensor x = numbers(6);
    const Tensor rows = x.withView({{2, 3}, {3, 1}, 0});
    const auto id = x.storage()->id();
    const auto version = x.storage()->version();
    resize_(x, {1000});
    QCOMPARE(x.storage()->id(), id);
    QVERIFY(x.storage()->version() > version);
    QVERIFY(rows.storage() == x.storage());
    QCOMPARE(rows.storageNumel(), Index{1000});
    QVERIFY(equal(rows, tensorFrom({{0, 1, 2}, {3, 4, 5}})));
    x.data<std::int64_t>()[0] = 9;
    QCOMPARE(rows.data<std::int64_t>()[0], std::int64_t{9});
    QCOMPARE(x.data<std::int64_t>()[999], std::int64_t{0});
}

void TestResize::shrinkingKeepsTheMemory() {
    const Tensor x = numbers(6);
    const Tensor tail = x.withView({{2}, {1}, 4});
    const std::byte* const address = x.storage()->data();
    resizeStorage(x, 5);
    QCOMPARE(x.storage()->data(), address);
    QVERIFY(Storage::anyShrunk());
    const auto refusal = refusalOf([&] { requireInside(tail); });
    QVERIFY(refusal);
    QCOMPARE(refusal->id, std::string("VIEW-25"));
    const auto* bounds = std::get_if<StorageOutOfBounds>(&refusal->detail);
    QVERIFY(bounds);
    QCOMPARE(bounds->needed, Index{6});
    QCOMPARE(bounds->has, Index{5});
    resizeStorage(x, 6);
    QVERIFY(!refusalOf([&] { requireInside(tail); }));
    QVERIFY(equal(tail, tensorFrom({4, 0}))); // what came back is zero
}

void TestResize::lentMemoryStays() {
    Tensor x = numbers(4);
    x.storage()->lend();
    const auto refusal = refusalOf([&] { resize_(x, {5}); });
    QVERIFY(refusal);
    QCOMPARE(refusal->id, std::string("STORAGE-01"));
    QCOMPARE(refusal->message, std::string("Trying to resize storage that is not resizable"));
    QVERIFY(refusalOf([&] { resizeStorage(x, 2); }));
    QVERIFY(refusalOf([&] { set_(x, x.storage(), {{5}, {1}, 0}); }));
    QCOMPARE(x.shape(), (Dims{4}));
    resize_(x, {2, 2}); // there is room
    x.storage()->giveBack();
    resize_(x, {5});
    QVERIFY(equal(x, tensorFrom({0, 1, 2, 3, 0})));
    Tensor out = empty({0}, {DType::Int64, Device{}});
    out.storage()->lend();
    QCOMPARE(refusalOf([&] { outOf("add", out, [&] { return add(x, 1); }); })->id, std::string("STORAGE-01"));
    QCOMPARE(out.numel(), Index{0});
}

void TestResize::foreignMemoryStays() {
    std::int64_t memory[4] = {1, 2, 3, 4};
    int released = 0;
    {
        const StoragePtr storage = Storage::wrap(
            memory, sizeof memory, Device{}, [&] { ++released; }, "mapped file");
        Tensor x(storage, {{4}, {1}, 0}, DType::Int64);
        const auto refusal = refusalOf([&] { resize_(x, {5}); });
        QVERIFY(refusal);
        QCOMPARE(refusal->hint, std::string("Its memory (mapped file) is somebody else's; resize a clone()."));
        QVERIFY(refusalOf([&] { resizeStorage(x, 3); }));
        resize_(x, {3});
        QCOMPARE(released, 0);
        // Allowed to leave it, the storage moves into memory of its own.
        storage->allowResize(allocatorFor(Device{}));
        resize_(x, {5});
        QCOMPARE(released, 1);
        QVERIFY(equal(x, tensorFrom({1, 2, 3, 4, 0})));
        QVERIFY(storage->kind() != "mapped file");
        x.data<std::int64_t>()[0] = 7;
    }
    QCOMPARE(released, 1);
    QCOMPARE(memory[0], std::int64_t{1});
}

void TestResize::memoryThatAnotherProcessMapsIsLeft() {
    Tensor x = numbers(4);
    Storage& storage = *x.storage();
    storage.leaveBehind();
    const std::byte* const address = storage.data();
    QVERIFY(!storage.takeLeft());
    resize_(x, {6});
    QVERIFY(storage.data() != address);
    x.data<std::int64_t>()[0] = 50;
    resize_(x, {1000}); // nobody has seen the memory in between
    const StoragePtr left = storage.takeLeft();
    QVERIFY(left && left->data() == address && left->bytes() == 4 * sizeof(std::int64_t));
    QVERIFY(left->id() != storage.id());
    QVERIFY(equal(Tensor(left, {{4}, {1}, 0}, DType::Int64), tensorFrom({0, 1, 2, 3})));
    QVERIFY(!storage.takeLeft());
    // Shrinking moves as well: the other process sees a storage of the size that it knows.
    storage.leaveBehind();
    resizeStorage(x, 2);
    QCOMPARE(storage.takeLeft()->bytes(), 1000 * sizeof(std::int64_t));
    // The bytes of a result are not put in the place of those that are mapped.
    Tensor out = numbers(2);
    out.storage()->leaveBehind();
    const std::byte* const seen = out.storage()->data();
    const WarningSubscription quiet([](const std::string&) {});
    outOf("add", out, [&] { return add(numbers(5), 1); });
    const StoragePtr before = out.storage()->takeLeft();
    QVERIFY(before && before->data() == seen);
    QVERIFY(equal(out, tensorFrom({1, 2, 3, 4, 5})));
}

void TestResize::withoutMemoryNothingChanges() {
    Tensor x = numbers(4);
    const auto unchanged = [&] {
        return x.shape() == Dims{4} && x.storageNumel() == 4 && equal(x, tensorFrom({0, 1, 2, 3}));
    };
    for (const auto& act : std::initializer_list<std::function<void()>>{
             [&] { resize_(x, {Index{1} << 60}); }, [&] { resize_(x, {Index{1} << 40}); },
             [&] { resizeStorage(x, kIndexMax); }, [&] { resizeStorage(x, -1); },
             [&] {
                 set_(x, x.storage(), {{2}, {Index{1} << 60}, 0});
             },
             [&] { resize_(x, {-1}); }}) {
        QVERIFY(refusalOf(act));
        QVERIFY(unchanged());
    }
    QCOMPARE(refusalOf([&] { resize_(x, {Index{1} << 60}); })->id, std::string("MEM-01"));
    QCOMPARE(refusalOf([&] { resizeStorage(x, -1); })->id, std::string("STORAGE-02"));
    const auto failsAt = [&](Index nth, const std::function<void()>& act) {
        const AllocationFailure failure(nth);
        return refusalOf(act).has_value() && failure.happened();
    };
    QVERIFY(failsAt(1, [&] { resize_(x, {100}); }));
    QVERIFY(unchanged());
    QVERIFY(failsAt(1, [&] { resizeStorage(x, 100); }));
    QVERIFY(unchanged());
    // Two results: no memory for the second leaves the first as it was.
    Tensor y = numbers(2), z = narrow(numbers(3), 0, 1, 1);
    const WarningSubscription quiet([](const std::string&) {});
    const Tensor results[] = {numbers(7), numbers(8)};
    bool failed = true;
    for (Index nth = 1; failed; ++nth) {
        failed = failsAt(nth, [&] { outOf("aminmax", {&y, &z}, [&] { return std::vector{results[0], results[1]}; }); });
        if (failed) QVERIFY(equal(y, numbers(2)) && equal(z, tensorFrom({1})) && z.storageNumel() == 3);
    }
    QVERIFY(equal(y, results[0]) && equal(z, results[1]));
}

void TestResize::severalOutsOfOneStorage() {
    const WarningSubscription quiet([](const std::string&) {});
    const Tensor base = numbers(4);
    Tensor first = narrow(base, 0, 0, 1), second = narrow(base, 0, 3, 1);
    const auto two = [&] { return std::vector{add(numbers(3), 10), add(numbers(3), 20)}; };
    outOf("aminmax", {&first, &second}, two);
    QVERIFY(first.storage() == second.storage() && base.storage() == first.storage());
    QVERIFY(equal(first, tensorFrom({10, 11, 12})) && equal(second, tensorFrom({20, 21, 22})));
    QVERIFY(equal(base, tensorFrom({10, 11, 12, 20})));
    // Grown, they would share places.
    Tensor left = narrow(base, 0, 0, 1), right = narrow(base, 0, 2, 1);
    QCOMPARE(refusalOf([&] { outOf("aminmax", {&left, &right}, two); })->id, std::string("OVERLAP-03"));
    QVERIFY(equal(base, tensorFrom({10, 11, 12, 20})));
}

QTEST_APPLESS_MAIN(TestResize)
#include "tst_resize.moc"
