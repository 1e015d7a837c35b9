#include "core/io/npz.h"
#include "tests/core/io/exercise_readers.h"
#include "tests/core/io/npz_corpus.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <random>

using namespace stridescope;
namespace fs = std::filesystem;

namespace {

void writeText(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
}

Tensor tensorOf(const std::string& bytes, View view, DType dtype) {
    auto copy = std::make_shared<std::string>(bytes);
    return Tensor(Storage::wrap(
                      copy->data(), bytes.size(), Device{}, [copy] {}, "heap"),
                  std::move(view), dtype);
}

bool haveNumpy() {
    QProcess process;
    process.start(QStringLiteral("/usr/bin/python3"), {QStringLiteral("-c"), QStringLiteral("import numpy")});
    return process.waitForFinished(60000) && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0;
}

QByteArray runPython(const QString& code, const QStringList& arguments) {
    QProcess process;
    process.start(QStringLiteral("/usr/bin/python3"), QStringList{QStringLiteral("-c"), code} + arguments);
    const bool ended = process.waitForFinished(60000) && process.exitCode() == 0;
    return ended ? process.readAllStandardOutput() : "FAILED\n" + process.readAllStandardError();
}

} // namespace

class TestNpz : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void corpus_data() {
        QTest::addColumn<int>("row");
        int row = 0;
        for (const corpus::ArchiveCase& c : corpus::npzCases()) QTest::newRow(c.name.c_str()) << row++;
    }
    void corpus() {
        QFETCH(int, row);
        static const auto cases = corpus::npzCases();
        const corpus::ArchiveCase& c = cases[static_cast<std::size_t>(row)];
        QTemporaryDir folder;
        // One folder further in, so that a name with ".." in it would lead to a place that is empty before.
        const QString inner = folder.path() + QStringLiteral("/inner");
        QVERIFY(QDir().mkpath(inner));
        const fs::path path = fs::path(inner.toStdString()) / "x.npz";
        writeText(path, c.bytes);
        const auto archive = openNpz(path);
        QCOMPARE(QString::fromStdString(archive ? "" : archive.refusal().id), QString::fromStdString(c.id));
        exercise::npz(c.bytes);
        if (!archive) return exercise::checkRefusal(archive.refusal());
        QCOMPARE(archive->arrays.size(), c.arrays);
        QCOMPARE(archive->skipped.size(), c.skipped.size());
        for (std::size_t i = 0; i < c.skipped.size(); ++i) {
            QCOMPARE(QString::fromStdString(archive->skipped[i].refusal.id), QString::fromStdString(c.skipped[i]));
            QVERIFY(!archive->skipped[i].name.empty());
            exercise::checkRefusal(archive->skipped[i].refusal);
        }
        for (const OpenedArray& array : archive->arrays) {
            exercise::checkTensor(array.tensor);
            QVERIFY(QString::fromStdString(array.name).size() <= 200);
        }
        // Names never became paths.
        const auto entries = [](const QString& at) {
            return QDir(at).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
        };
        QCOMPARE(entries(inner), QStringList{QStringLiteral("x.npz")});
        QCOMPARE(entries(folder.path()), QStringList{QStringLiteral("inner")});
    }

    void namesAreMadeSafe() {
        const auto archive = npzFromBytes(exercise::inMemory(corpus::zip({{"\x1b[2J\xff.npy", corpus::arrayOf(1)}})));
        QVERIFY(archive.ok());
        QCOMPARE(QString::fromStdString(archive->arrays[0].name), QStringLiteral("\\x1b[2J\uFFFD"));
    }

    void truncatedAndFlipped() {
        const std::string good = corpus::zip({{"a.npy", corpus::arrayOf(4)}, {"b.npy", corpus::arrayOf(9), true}});
        for (std::size_t length = 0; length < good.size(); ++length) {
            const std::string_view cut = std::string_view(good).substr(0, length);
            QVERIFY(!npzFromBytes(exercise::inMemory(cut)).ok());
            exercise::npz(cut);
        }
        int whole = 0;
        for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
            std::string bad = good;
            bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
            exercise::npz(bad);
            const auto archive = npzFromBytes(exercise::inMemory(bad));
            whole += archive.ok() && archive->skipped.empty();
        }
        // What may flip unseen: dates, versions, attributes, bits of flags; not one bit of data.
        QVERIFY2(whole < 600, qPrintable(QString::number(whole)));
    }

    void mutated() {
        const auto cases = corpus::npzCases();
        std::mt19937 random(99);
        int opened = 0;
        for (int round = 0; round < 5000; ++round) {
            std::string bytes = cases[random() % cases.size()].bytes;
            if (bytes.empty() || bytes.size() > 4000) continue;
            for (auto edits = random() % 3 + 1; edits > 0; --edits) {
                bytes[random() % bytes.size()] = static_cast<char>(random() % 256);
            }
            exercise::npz(bytes);
            opened += npzFromBytes(exercise::inMemory(bytes)).ok();
        }
        QVERIFY(opened > 100);
    }

    /// 10 MB that say they are 10 GB: refused by its numbers, before anything is unpacked.
    void bomb() {
        const std::string small = corpus::deflated(std::string(10 << 20, '\0'));
        corpus::ZipPart part{"bomb.npy", "", true};
        part.packedInstead = corpus::repeated(small, 1000); // about 10 MB
        part.bendLocal = part.bendCentral = [](corpus::ZipNumbers& n) {
            n.zip64 = true;
            n.unpacked = std::uint64_t{10} << 30;
        };
        const std::string bytes = corpus::zip({{"good.npy", corpus::arrayOf(4)}, part});
        QVERIFY(bytes.size() > 9'000'000 && bytes.size() < 12'000'000);
        const auto archive = npzFromBytes(exercise::inMemory(bytes));
        QVERIFY(archive.ok());
        QCOMPARE(archive->arrays.size(), std::size_t{1});
        QCOMPARE(QString::fromStdString(archive->skipped.at(0).refusal.id), QStringLiteral("NPZ-09"));
        QVERIFY(archive->skipped[0].refusal.message.find("10.7 GB, limit 100 times") != std::string::npos);
    }

    /// Many entries that are each within the ratio, together over the budget.
    void totalBudget() {
        std::vector<corpus::ZipPart> parts;
        for (int i = 0; i < 10; ++i)
            parts.push_back({"z" + std::to_string(i) + ".npy", corpus::arrayOf(1 << 18), true});
        Budget budget;
        budget.maxArchiveBytes = 5 << 20;
        const auto archive = npzFromBytes(exercise::inMemory(corpus::zip(parts)), budget);
        QVERIFY(archive.ok());
        QCOMPARE(archive->arrays.size(), std::size_t{4});
        QCOMPARE(archive->skipped.size(), std::size_t{6});
        for (const auto& skipped : archive->skipped)
            QCOMPARE(QString::fromStdString(skipped.refusal.id), QStringLiteral("NPZ-08"));
        budget.maxEntries = 9;
        const auto many = npzFromBytes(exercise::inMemory(corpus::zip(parts)), budget);
        QCOMPARE(QString::fromStdString(many.refusal().id), QStringLiteral("NPZ-04"));
        QVERIFY(many.refusal().message.find("10 entries, limit 9") != std::string::npos);
    }

    void cancelled() {
        Budget budget;
        budget.progress = [](std::uint64_t, std::uint64_t) { return false; };
        const auto archive =
            npzFromBytes(exercise::inMemory(corpus::zip({{"a.npy", corpus::arrayOf(4), true}})), budget);
        QCOMPARE(QString::fromStdString(archive.refusal().id), QStringLiteral("IO-08"));
    }

    void outOfTime() {
        Budget budget;
        budget.maxTime = std::chrono::milliseconds(0);
        const auto archive =
            npzFromBytes(exercise::inMemory(corpus::zip({{"a.npy", corpus::arrayOf(4), true}})), budget);
        QVERIFY(!archive.ok());
        QCOMPARE(QString::fromStdString(archive.refusal().id), QStringLiteral("IO-20"));
    }

    void writtenArchivesComeBack() {
        std::string bytes(800, '\0');
        for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i);
        const std::vector<std::pair<std::string, Tensor>> tensors{
            {"a", tensorOf(bytes, *contiguousView(Dims{10, 20}), DType::Float32)},
            {"größe", tensorOf(bytes, *makeView(Dims{20, 10}, Dims{1, 20}, 0), DType::Int32)},
            {"s", tensorOf(bytes, *makeView(Dims{}, Dims{}, 3), DType::Int64)},
            {"e", tensorOf(bytes, *contiguousView(Dims{0, 3}), DType::Bool)}};
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "all.npz";
        const auto saved = writeNpz(tensors, path);
        QVERIFY(saved.ok());
        QCOMPARE(saved->bytes, static_cast<std::uint64_t>(fs::file_size(path)));
        const auto archive = openNpz(path);
        QVERIFY(archive.ok());
        QVERIFY(archive->skipped.empty());
        QCOMPARE(archive->arrays.size(), tensors.size());
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            const OpenedArray& array = archive->arrays[i];
            QCOMPARE(QString::fromStdString(array.name), QString::fromStdString(tensors[i].first));
            QVERIFY(array.tensor.dtype() == tensors[i].second.dtype());
            QVERIFY(array.tensor.shape() == tensors[i].second.shape());
            if (array.tensor.dtype() != DType::Bool) {
                // stored and aligned: used in place
                QCOMPARE(QString::fromStdString(array.tensor.storage()->kind()), QStringLiteral("mapped file"));
                QCOMPARE(reinterpret_cast<std::uintptr_t>(array.tensor.storage()->data()) % 64, std::uintptr_t{0});
            }
        }
        QVERIFY(std::memcmp(archive->arrays[0].tensor.storage()->data(), bytes.data(), 800) == 0);

        if (!haveNumpy()) QSKIP("no /usr/bin/python3 with numpy");
        const QByteArray printed = runPython(QStringLiteral(R"(
import numpy as np, sys, zipfile
assert zipfile.ZipFile(sys.argv[1]).testzip() is None
z = np.load(sys.argv[1], allow_pickle=False)
for k in sorted(z.files): print(ascii(k), z[k].dtype, z[k].shape, sum(z[k].tobytes()))
)"),
                                             {folder.path() + QStringLiteral("/all.npz")});
        QCOMPARE(printed,
                 QByteArray("'a' float32 (10, 20) 98416\n'e' bool (0, 3) 0\n'gr\\xf6\\xdfe' int32 (20, 10) 98416\n"
                            "'s' int64 () 220\n"));
    }

    void namesToSave_data() {
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("second");
        QTest::newRow("empty") << QString() << QStringLiteral("b");
        QTest::newRow("repeated") << QStringLiteral("a") << QStringLiteral("a");
        QTest::newRow("long") << QStringLiteral("a") << QString(201, QLatin1Char('b'));
    }
    void namesToSave() {
        QFETCH(QString, first);
        QFETCH(QString, second);
        const Tensor t = tensorOf("12345678", *contiguousView(Dims{2}), DType::Float32);
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "x.npz";
        const auto saved = writeNpz({{first.toStdString(), t}, {second.toStdString(), t}}, path);
        QCOMPARE(QString::fromStdString(saved.refusal().id), QStringLiteral("NPZ-16"));
        QVERIFY(!fs::exists(path));
    }

    void numpyWritesWeRead() {
        if (!haveNumpy()) QSKIP("no /usr/bin/python3 with numpy");
        QTemporaryDir folder;
        const QByteArray printed = runPython(QStringLiteral(R"(
import numpy as np, sys, zipfile
a, b = np.arange(1000, dtype='f4').reshape(10, 100), np.asfortranarray(np.arange(12, dtype='i8').reshape(3, 4))
np.savez(sys.argv[1] + '/stored.npz', a=a, b=b)
np.savez_compressed(sys.argv[1] + '/packed.npz', a=a, b=b, zeros=np.zeros(10**7))
np.savez(sys.argv[1] + '/odd.npz', np.array(['text']), np.arange(3), objects=np.array([None]))
)"),
                                             {folder.path()});
        QCOMPARE(printed, QByteArray());
        const fs::path at = folder.path().toStdString();
        for (const char* name : {"stored.npz", "packed.npz"}) {
            const auto archive = openNpz(at / name);
            QVERIFY(archive.ok());
            QVERIFY(archive->skipped.empty());
            QCOMPARE(QString::fromStdString(archive->arrays[0].name), QStringLiteral("a"));
            for (int i = 0; i < 1000; ++i) QCOMPARE(archive->arrays[0].tensor.data<float>()[i], static_cast<float>(i));
            const Tensor& b = archive->arrays[1].tensor;
            QVERIFY(b.stride() == (Dims{1, 3}));
            const Index last[] = {2, 3};
            QCOMPARE(b.storageData<std::int64_t>()[b.view().slot(last)], std::int64_t{11});
        }
        QCOMPARE(openNpz(at / "packed.npz")->arrays[2].tensor.numel(), Index{10'000'000}); // 1000 : 1, and no bomb
        const auto odd = openNpz(at / "odd.npz");
        QCOMPARE(odd->arrays.size(), std::size_t{1});
        QCOMPARE(odd->skipped.size(), std::size_t{2});
    }
};

QTEST_GUILESS_MAIN(TestNpz)
#include "tst_npz.moc"
