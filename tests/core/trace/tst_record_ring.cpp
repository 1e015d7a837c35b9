// Records that go through shared memory: they come out as they went in, whatever happens at the other end.

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/patterns.h"
#include "core/ops/pointwise.h"
#include "core/ops/reductions.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/trace/record_ring.h"

#include <QTest>

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace stridescope;

namespace {

OpRecord sample(int i) {
    OpRecord record;
    record.name = "narrow";
    record.arguments = std::to_string(i) + ", \"ä\"" + std::string(static_cast<std::size_t>(i % 40), 'x');
    record.inputs = {{static_cast<std::uint64_t>(i), {{2, 3}, {3, 1}, 4}, DType::Complex64, {DeviceType::Cuda, 2}}};
    record.outputs = {{7, {{}, {}, 0}, DType::Bool, {}},
                      {8, {{1, 0, 4, 5, 6, 7}, {0, -1, 2, 3, 4, 5}, 100}, DType::UInt8, {DeviceType::Sim, 1}}};
    record.effect = OpEffect::InPlace;
    record.written = ElementSet(1); // outputs[0] has one element
    if (i % 2 == 0) record.written.insert(0);
    record.bytesRead = i;
    record.bytesWritten = -i;
    record.bytesAllocated = Index{1} << 60;
    record.duration = std::chrono::nanoseconds(12345);
    return record;
}

bool same(const TensorRecord& a, const TensorRecord& b) {
    return a.storageId == b.storageId && a.view == b.view && a.dtype == b.dtype && a.device == b.device;
}
bool same(const OpRecord& a, const OpRecord& b) {
    const auto equal = [](const TensorRecord& x, const TensorRecord& y) { return same(x, y); };
    return a.name == b.name && a.arguments == b.arguments && a.effect == b.effect &&
           a.written.bytes() == b.written.bytes() && a.bytesRead == b.bytesRead && a.bytesWritten == b.bytesWritten &&
           a.bytesAllocated == b.bytesAllocated && a.duration == b.duration &&
           std::equal(a.inputs.begin(), a.inputs.end(), b.inputs.begin(), b.inputs.end(), equal) &&
           std::equal(a.outputs.begin(), a.outputs.end(), b.outputs.begin(), b.outputs.end(), equal);
}

/// While it lives, operations are told to a ring.
class SinkHere {
public:
    explicit SinkHere(RecordRing* ring) { trace::setSink(ring); }
    ~SinkHere() { trace::setSink(nullptr); }
    SinkHere(const SinkHere&) = delete;
    SinkHere& operator=(const SinkHere&) = delete;
};

/// Each of the ways on which operations tell what they did.
void everyWay(const Tensor& x, const Tensor& longShape) {
    const Tensor m = view(x, {3, 4});
    static_cast<void>(view(longShape, Dims(20, 1))); // more numbers than are written without a text
    static_cast<void>(view(longShape, Dims{}));
    static_cast<void>(narrow(m, -1, 1, 2));
    static_cast<void>(slice(m, 1, std::nullopt, 3, 2));
    static_cast<void>(flatten(transpose(m, 0, 1), 0, -1));
    static_cast<void>(split(m, 2, 1));
    static_cast<void>(add(m, m));
    static_cast<void>(mul(m, Scalar(2.5)));
    static_cast<void>(sub(Scalar(2), m));
    static_cast<void>(zerosLike(m));
    writeElement(m, Dims{0, 1}, 1);
    static_cast<void>(fillDiagonal_(m, Scalar(9)));
    static_cast<void>(sum(m));
    copy_(m, m);
}

thread_local std::size_t t_requests = 0; ///< for memory; the test library has threads of its own

} // namespace

void* operator new(std::size_t size) {
    ++t_requests;
    if (void* block = std::malloc(size ? size : 1)) return block;
    throw std::bad_alloc();
}
void operator delete(void* block) noexcept {
    std::free(block);
}
void operator delete(void* block, std::size_t) noexcept {
    std::free(block);
}

class TestRecordRing : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_writer = RecordRing::create().valueOrThrow();
        m_reader = RecordRing::open(m_writer->descriptor()).valueOrThrow();
    }

    void recordsComeOutAsTheyWentIn() {
        QVERIFY(!next());
        // Several times around the ring.
        for (int i = 0; i < 50'000; ++i) {
            QVERIFY(m_writer->write(sample(i)));
            const auto out = next();
            QVERIFY(out);
            QCOMPARE(out->number, static_cast<std::uint64_t>(i + 1));
            QVERIFY2(same(out->record, sample(i)), qPrintable(QString::number(i)));
        }
        QVERIFY(!next());
        QCOMPARE(m_reader->written(), std::uint64_t{50'000});
    }

    void realOperationsGoThrough() {
        const OpSubscription listener([this](const OpRecord& record) { m_writer->write(record); });
        const Tensor x = arange(0, 6, 1, {DType::Float32, {}});
        const Tensor y = x.withView(contiguousView(Dims{2, 3}).value());
        static_cast<void>(transpose(y, 0, 1));
        std::vector<std::string> names;
        while (auto out = next()) names.push_back(out->record.name);
        QCOMPARE(names, (std::vector<std::string>{"arange", "transpose"}));
    }

    void aSinkGetsWhatListenersGet() {
        const Tensor x = arange(0, 12, 1, {DType::Float32, {}}), longShape = zeros(Dims(20, 1));
        std::vector<OpRecord> told;
        {
            SinkHere here(m_writer.get());
            // Both at once, and with times as soon as one asks for them.
            const OpSubscription listener([&told](const OpRecord& record) { told.push_back(record); });
            everyWay(x, longShape);
        }
        everyWay(x, longShape); // nobody is told
        QVERIFY(told.size() > 12);
        QVERIFY(told.front().duration.count() > 0);
        for (const OpRecord& each : told) {
            const auto out = next();
            QVERIFY(out);
            QVERIFY2(same(out->record, each), each.name.c_str());
        }
        QVERIFY(!next());
    }

    void aSinkAloneGetsTheSameWithoutTimes() {
        const Tensor x = arange(0, 12, 1, {DType::Float32, {}}), longShape = zeros(Dims(20, 1));
        {
            SinkHere here(m_writer.get());
            everyWay(x, longShape);
        }
        std::vector<OpRecord> told;
        {
            const OpSubscription listener([&told](const OpRecord& record) { told.push_back(record); });
            everyWay(x, longShape);
        }
        for (OpRecord& each : told) {
            auto out = next();
            QVERIFY(out);
            QCOMPARE(out->record.duration.count(), 0);
            each.duration = {};
            // Each time in a new storage.
            for (TensorRecord& made : each.outputs) {
                if (made.storageId != each.inputs.at(0).storageId) made.storageId = out->record.outputs.at(0).storageId;
            }
            QVERIFY2(same(out->record, each), each.name.c_str());
        }
        QVERIFY(!next());
    }

    /// What a script of 1,000 of the cheapest operations pays for its records, counted: no memory is asked for, and the
    /// window may be late by some thousand of them.
    void aThousandCheapRecordsAskForNoMemory() {
        const Tensor x = arange(0, 10, 1, {DType::Float32, {}}), y = zeros({10});
        const auto requests = [&](int rounds) {
            const std::size_t before = t_requests;
            for (int i = 0; i < rounds; ++i) {
                const Tensor z = add(x, y), v = view(z, {2, 5}), n = narrow(v, 1, 1, 2);
                static_cast<void>(unsqueeze(n, 0));
            }
            return t_requests - before;
        };
        requests(1);
        const std::size_t silent = requests(250);
        SinkHere here(m_writer.get());
        requests(1);
        QCOMPARE(requests(250), silent);
        QCOMPARE(m_writer->written(), std::uint64_t{4 * 251});
        constexpr int kLate = 5000; // records that fit
        requests(kLate / 4 - 251);
        for (int i = 0; i < kLate; ++i) QVERIFY2(next(), qPrintable(QString::number(i)));
    }

    void aFullRingDropsTheNewestAndTheNumbersTell() {
        int kept = 0;
        while (m_writer->write(sample(kept))) ++kept;
        QVERIFY(kept > 1000);
        QVERIFY(!m_writer->write(sample(0)));
        for (int i = 0; i < kept; ++i) QCOMPARE(next()->number, static_cast<std::uint64_t>(i + 1));
        QVERIFY(!next());
        QVERIFY(m_writer->write(sample(5)));
        QCOMPARE(next()->number, static_cast<std::uint64_t>(kept + 3));
    }

    void longTextsAreCutBetweenCharacters() {
        OpRecord record = sample(1);
        for (int i = 0; i < 3000; ++i) record.arguments += "ä";
        QVERIFY(m_writer->write(record));
        const std::string text = next()->record.arguments;
        QVERIFY(text.size() <= 2000);
        QCOMPARE(QString::fromStdString(text).toStdString(), text);
    }

    void readerAndWriterRunAtOnce() {
        constexpr int kRecords = 100'000;
        std::thread writer([this] {
            for (int i = 0; i < kRecords; ++i) {
                while (!m_writer->write(sample(i))) std::this_thread::yield();
            }
        });
        bool right = true;
        for (int i = 0; i < kRecords;) {
            PackedRecords packed;
            m_reader->read(packed);
            for (std::size_t k = 0; k < packed.size(); ++k) right = same(packed.read(k)->record, sample(i++)) && right;
        }
        writer.join();
        QVERIFY(right);
    }

    void whatAProcessWroteOutlivesIt() {
        const pid_t child = fork();
        if (child == 0) {
            m_writer->write(sample(3));
            m_writer->write(sample(4));
            _exit(0);
        }
        waitpid(child, nullptr, 0);
        m_writer.reset();
        QVERIFY(same(next()->record, sample(3)));
        QVERIFY(same(next()->record, sample(4)));
    }

    void rubbishInTheMemoryHurtsNobody() {
        auto* memory = static_cast<unsigned char*>(
            mmap(nullptr, RecordRing::kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, m_writer->descriptor(), 0));
        std::uint64_t seed = 1;
        const auto random = [&seed] {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            return seed >> 33;
        };
        for (int round = 0; round < 2000; ++round) {
            for (int i = 0; i < 20; ++i) m_writer->write(sample(i));
            const std::size_t reach = round % 2 ? 5000 : 256; // both the positions and the records
            for (int i = 0; i < 8; ++i) memory[8 + random() % reach] = static_cast<unsigned char>(random());
            PackedRecords packed;
            m_reader->read(packed);
            std::vector<std::uint64_t> storages;
            for (std::size_t i = 0; i < packed.size(); ++i) {
                static_cast<void>(packed.read(i));
                static_cast<void>(packed.effect(i));
                static_cast<void>(packed.name(i));
                packed.outputs(i, storages);
                static_cast<void>(packed.gives(i, sample(1).outputs[1]));
            }
        }
        munmap(memory, RecordRing::kBytes);
        QVERIFY(true); // it got here
    }

    void onlyARingIsTaken() {
        const int other = memfd_create("other", MFD_CLOEXEC | MFD_ALLOW_SEALING);
        QCOMPARE(RecordRing::open(other).refusal().id, std::string("RING-02"));
        QCOMPARE(ftruncate(other, static_cast<off_t>(RecordRing::kBytes)), 0);
        QCOMPARE(RecordRing::open(other).refusal().id, std::string("RING-02")); // could be shortened
        fcntl(other, F_ADD_SEALS, F_SEAL_SHRINK);
        QCOMPARE(RecordRing::open(other).refusal().id, std::string("RING-02")); // no magic
        close(other);
        QCOMPARE(RecordRing::open(-1).refusal().id, std::string("RING-02"));
    }

    /// What the window does with thousands of records a frame: it copies them, and reads the few that it needs.
    void recordsAreTakenInOneCopyAndReadWhenAskedFor() {
        constexpr int kRecords = 3000;
        for (int i = 0; i < kRecords; ++i) QVERIFY(m_writer->write(sample(i)));
        PackedRecords packed;
        const std::size_t before = t_requests;
        QCOMPARE(m_reader->read(packed), std::size_t{kRecords});
        QVERIFY2(t_requests - before < 60, qPrintable(QString::number(t_requests - before))); // of lists that grow
        std::vector<std::uint64_t> storages;
        storages.reserve(2 * kRecords);
        const std::size_t looked = t_requests;
        for (std::size_t i = 0; i < packed.size(); ++i) {
            QCOMPARE(packed.effect(i), std::optional(OpEffect::InPlace));
            packed.outputs(i, storages);
        }
        QCOMPARE(t_requests, looked);
        QCOMPARE(storages.size(), std::size_t{2 * kRecords});
        QCOMPARE(std::count(storages.begin(), storages.end(), 8), kRecords);
        QVERIFY(packed.isGapless());
        QVERIFY(same(packed.read(kRecords - 1)->record, sample(kRecords - 1)));
        QCOMPARE(packed.name(7), std::string_view("narrow"));
        QVERIFY(packed.gives(3, sample(3).outputs[1]) && packed.gives(3, sample(3).outputs[0]));
        QVERIFY(!packed.gives(3, sample(3).inputs[0])); // an input, and of another storage
        TensorRecord other = sample(3).outputs[1];
        other.view.offset += 1;
        QVERIFY(!packed.gives(3, other));
        packed.dropFirst(1000);
        QCOMPARE(packed.size(), std::size_t{kRecords - 1000});
        QCOMPARE(packed.number(0), std::uint64_t{1001});
        QVERIFY(same(packed.read(5)->record, sample(1005)));
        // In two goes, with one lost between.
        QVERIFY(m_writer->write(sample(1)) && m_writer->write(sample(2)) && m_writer->write(sample(3)));
        PackedRecords more;
        QCOMPARE(m_reader->read(more, 1), std::size_t{1});
        packed.add(more);
        QVERIFY(packed.isGapless());
        QVERIFY(next());
        more = {};
        QCOMPARE(m_reader->read(more), std::size_t{1});
        packed.add(more);
        QVERIFY(!packed.isGapless());
        QVERIFY(same(packed.read(packed.size() - 1)->record, sample(3)));
    }

private:
    /// The oldest record that was not read.
    std::optional<RingRecord> next() {
        PackedRecords one;
        return m_reader->read(one, 1) == 1 ? one.read(0) : std::nullopt;
    }

    std::unique_ptr<RecordRing> m_writer, m_reader;
};

QTEST_GUILESS_MAIN(TestRecordRing)
#include "tst_record_ring.moc"
