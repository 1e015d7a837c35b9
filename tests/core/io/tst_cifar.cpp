#include "core/io/cifar.h"

#include "core/io/gzip.h"
#include "core/io/md5.h"
#include "core/io/sample_images.h"
#include "tests/core/io/cifar_corpus.h"
#include "tests/core/io/exercise_archives.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <random>
#include <set>

using namespace stridescope;
namespace fs = std::filesystem;

namespace {

void writeText(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
}
QString idOf(const Refusal& refusal) {
    return QString::fromStdString(refusal.id);
}
std::uint8_t byteAt(const Tensor& t, const Dims& coord) {
    return t.storageData<std::uint8_t>()[t.view().slot(coord)];
}
/// What cifarRecord() has at channel c, row y, column x of picture `number`.
std::uint8_t wantedByte(Index number, Index c, Index y, Index x) {
    return static_cast<std::uint8_t>((c * 1024 + y * 32 + x) * 7 + number * 31);
}
std::span<const std::byte> bytesOf(const std::string& text) {
    return std::as_bytes(std::span(text));
}
Result<CifarSet> archived(const std::string& bytes, const Budget& budget = {}) {
    return cifarFromArchive(bytesOf(bytes), "x.tar.gz", CifarKind::Ten, true, {}, budget);
}

} // namespace

class TestCifar : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void md5OfTheRfc() {
        const std::pair<std::string, const char*> cases[] = {
            {"", "d41d8cd98f00b204e9800998ecf8427e"},
            {"abc", "900150983cd24fb0d6963f7d28e17f72"},
            {"12345678901234567890123456789012345678901234567890123456789012345678901234567890",
             "57edf4a22be3c955ac49da2e2107b67a"}};
        for (const auto& [text, wanted] : cases) {
            for (std::size_t cut = 0; cut <= text.size(); ++cut) {
                Md5 sum;
                sum.add(bytesOf(text).first(cut));
                sum.add(bytesOf(text).subspan(cut));
                QCOMPARE(QString::fromStdString(sum.hex()), QString::fromLatin1(wanted));
            }
        }
    }

    /// The pictures are a view of the file: nothing is copied, the strides are the file's.
    void binaryInPlace() {
        const FileBytes file = exercise::inMemory(corpus::cifarBinary(25));
        const auto batch = cifarFromBinary(file, CifarKind::Ten);
        QVERIFY(batch.ok());
        QCOMPARE(batch->images.shape(), (Dims{25, 3, 32, 32}));
        QCOMPARE(batch->images.stride(), (Dims{3073, 1024, 32, 1}));
        QCOMPARE(batch->images.storageOffset(), Index{1});
        QCOMPARE(static_cast<const void*>(batch->images.storage()->data()),
                 static_cast<const void*>(file.bytes.data()));
        QCOMPARE(byteAt(batch->images, {24, 2, 31, 5}), wantedByte(24, 2, 31, 5));
        for (std::size_t i = 0; i < 25; ++i) QCOMPARE(batch->labels[i], static_cast<Index>(i % 10));
        QVERIFY(batch->notes.empty());
    }

    void hundredHasTwoLabels() {
        const auto batch = cifarFromBinary(exercise::inMemory(corpus::cifar100Binary(9)), CifarKind::Hundred);
        QVERIFY(batch.ok());
        QCOMPARE(batch->images.stride(), (Dims{3074, 1024, 32, 1}));
        QCOMPARE(batch->images.storageOffset(), Index{2});
        QCOMPARE(batch->labels[7], Index{21});
        QCOMPARE(byteAt(batch->images, {8, 1, 3, 4}), wantedByte(8, 1, 3, 4));
        QVERIFY(cifarKindOf(bytesOf(corpus::cifar100Binary(9))) == CifarKind::Hundred);
        QVERIFY(cifarKindOf(bytesOf(corpus::cifarBinary(9))) == CifarKind::Ten);
        QVERIFY(!cifarKindOf(bytesOf("x")) && !cifarKindOf({}));
    }

    void cutFile() {
        std::string file = corpus::cifarBinary(10);
        file.pop_back();
        const auto refused = cifarFromBinary(exercise::inMemory(file), CifarKind::Ten);
        QCOMPARE(idOf(refused.refusal()), QStringLiteral("CIF-02"));
        QCOMPARE(QString::fromStdString(refused.refusal().message),
                 QStringLiteral("The length 30729 is not a multiple of 3073 (last record 3072 B)"));
        QVERIFY(refused.refusal().hint.find("9 whole records") != std::string::npos);
        const auto whole = cifarFromBinary(exercise::inMemory(file), CifarKind::Ten, {false, true});
        QVERIFY(whole.ok());
        QCOMPARE(whole->images.size(0), Index{9});
        QVERIFY(whole->notes.at(0).find("3072 B") != std::string::npos);
        QVERIFY(!cifarFromBinary(exercise::inMemory("abc"), CifarKind::Ten, {false, true}).ok());
    }

    void unknownLabels() {
        std::string file = corpus::cifarBinary(10);
        file[3073 * 4] = static_cast<char>(200);
        file[3073 * 7] = 10;
        const auto batch = cifarFromBinary(exercise::inMemory(file), CifarKind::Ten);
        QVERIFY(batch.ok());
        QCOMPARE(batch->labels, (std::vector<Index>{0, 1, 2, 3, -1, 5, 6, -1, 8, 9}));
        QCOMPARE(QString::fromStdString(batch->notes.at(0)),
                 QStringLiteral("2 labels are not 0 to 9 (record 4 has label 200, record 7 has label 10): shown as ?, "
                                "the images are kept."));
        for (const int record : {1, 2, 3}) file[static_cast<std::size_t>(3073 * record)] = 99;
        const auto many = cifarFromBinary(exercise::inMemory(file), CifarKind::Ten);
        QCOMPARE(QString::fromStdString(many->notes.at(0)),
                 QStringLiteral("5 labels are not 0 to 9 (record 1 has label 99, record 2 has label 99, record 3 has "
                                "label 99, …): shown as ?, the images are kept."));
    }

    void hundredWhereTenWasAskedFor() {
        const auto refused = cifarFromBinary(exercise::inMemory(corpus::cifar100Binary(5)), CifarKind::Ten);
        QCOMPARE(idOf(refused.refusal()), QStringLiteral("CIF-03"));
        QVERIFY(refused.refusal().message.find("records of 3074") != std::string::npos);
    }

    void pickles_data() {
        QTest::addColumn<int>("row");
        int row = 0;
        for (const corpus::PickleCase& c : corpus::pickleCases()) QTest::newRow(c.name.c_str()) << row++;
    }
    void pickles() {
        QFETCH(int, row);
        static const auto cases = corpus::pickleCases();
        const corpus::PickleCase& c = cases[static_cast<std::size_t>(row)];
        const auto batch = cifarFromPickle(exercise::inMemory(c.bytes), CifarKind::Ten);
        QCOMPARE(batch ? QString() : idOf(batch.refusal()), QString::fromStdString(c.id));
        exercise::pickle(c.bytes);
        if (!batch) return;
        QCOMPARE(batch->images.stride(), (Dims{3072, 1024, 32, 1}));
        for (Index i = 0; i < batch->images.size(0); ++i)
            QCOMPARE(byteAt(batch->images, {i, 1, 2, 3}), wantedByte(i, 1, 2, 3));
    }
    void theNameIsTold() {
        const auto refused =
            cifarFromPickle(exercise::inMemory(std::string("\x80\x02") + "cposix\nsystem\n."), CifarKind::Ten);
        QVERIFY(refused.refusal().message.find("posix.system") != std::string::npos);
    }
    void picklesDamaged() {
        const std::string good = corpus::cifarPickle(1);
        for (std::size_t length = 0; length < good.size(); length += 1 + length / 40)
            QVERIFY(!cifarFromPickle(exercise::inMemory(good.substr(0, length)), CifarKind::Ten).ok());
        std::mt19937 random(7);
        for (int round = 0; round < 3000; ++round) {
            std::string bad = good;
            for (int edits = 0; edits < 3; ++edits) bad[random() % 200] = static_cast<char>(random() % 256);
            exercise::pickle(bad);
        }
    }

    void archives_data() {
        QTest::addColumn<int>("row");
        int row = 0;
        for (const corpus::TarCase& c : corpus::tarCases()) QTest::newRow(c.name.c_str()) << row++;
    }
    void archives() {
        QFETCH(int, row);
        static const auto cases = corpus::tarCases();
        const corpus::TarCase& c = cases[static_cast<std::size_t>(row)];
        QTemporaryDir folder;
        const QString before = QDir::currentPath();
        QVERIFY(QDir::setCurrent(folder.path()));
        const auto set = archived(corpus::gzipped(c.bytes));
        QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot), QStringList());
        QVERIFY(QDir::setCurrent(before));
        QCOMPARE(set ? QString() : idOf(set.refusal()), QString::fromStdString(c.id));
        exercise::tar(c.bytes);
        if (!set) return exercise::checkRefusal(set.refusal());
        QCOMPARE(set->data.shape(), (Dims{5, 32, 32, 3}));
        QCOMPARE(byteAt(set->data, {0, 9, 8, 2}), wantedByte(0, 2, 9, 8));
        std::string notes;
        for (const std::string& note : set->notes) notes += note + "\n";
        if (c.note.starts_with('!')) {
            QVERIFY2(notes.find(c.note.substr(1)) == std::string::npos, notes.c_str());
            return;
        }
        QVERIFY2(notes.find(c.note) != std::string::npos, notes.c_str());
    }
    /// Other entries may come first, of whatever size: what the archive is does not depend on them.
    void otherEntriesFirst() {
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "mine.tgz";
        writeText(path, corpus::gzipped(corpus::tarEntry("AAA-readme.txt", std::string(3 << 20, 'x')) +
                                        corpus::tarEntry("link", "", '2') + corpus::trainEntries(1, true)));
        const auto source = cifarSourceOf(path);
        QVERIFY(source && source->form == CifarSource::Form::Archive && source->kind == CifarKind::Ten);
        writeText(path, corpus::gzipped(corpus::tarEntry("AAA-readme.txt", "x") + corpus::tarEnd()));
        QVERIFY(!cifarSourceOf(path));
        // A bomb before it is not unpacked to its end.
        std::string bomb;
        for (int i = 0; i < 3; ++i) bomb += corpus::tarEntry("zeros", std::string(96 << 20, '\0'));
        writeText(path, corpus::gzipped(bomb + corpus::trainEntries(1, true), 1));
        QVERIFY(!cifarSourceOf(path));
    }
    /// Files without names have the published ones.
    void publishedNames() {
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "train.bin";
        writeText(path, corpus::cifar100Binary(4));
        const auto set = openCifar(path, CifarKind::Hundred, true);
        QVERIFY(set.ok());
        QCOMPARE(set->classes.size(), std::size_t{100});
        QCOMPARE(QString::fromStdString(set->classes[69]), QStringLiteral("rocket"));
    }
    void classNames() {
        const auto python =
            archived(corpus::gzipped(corpus::trainEntries(1, false) +
                                     corpus::tarEntry("cifar-10-batches-py/batches.meta", corpus::cifarMetaPickle())));
        QCOMPARE(QString::fromStdString(python->classes.at(9)), QStringLiteral("class 9"));
        const auto none = archived(corpus::gzipped(corpus::trainEntries(1, true)));
        QCOMPARE(QString::fromStdString(none->classes.at(9)), QStringLiteral("truck"));
        const auto text = archived(
            corpus::gzipped(corpus::trainEntries(1, true) + corpus::tarEntry("cifar-10-batches-bin/batches.meta.txt",
                                                                             "a\nb\r\nc\nd\ne\nf\ng\nh\ni\nj\n")));
        QCOMPARE(QString::fromStdString(text->classes.at(1)), QStringLiteral("b"));
    }

    void gzipEnds() {
        const std::string tar = corpus::trainEntries(2, true) + corpus::tarEnd();
        const std::string whole = corpus::gzipped(tar);
        for (std::size_t length = 0; length < whole.size(); length += 97) {
            const auto set = archived(whole.substr(0, length));
            QVERIFY(!set.ok());
            QCOMPARE(idOf(set.refusal()), QStringLiteral("GZ-03"));
        }
        const auto cut =
            cifarFromArchive(bytesOf(whole).first(200), "cifar-10-binary.tar.gz", CifarKind::Ten, true, {}, {});
        QCOMPARE(QString::fromStdString(cut.refusal().message),
                 QStringLiteral("The archive ends early: at 200 B of 170 MB"));
        QCOMPARE(archived("PK").refusal().id, std::string("GZ-01"));
        // Several members are one archive; what is behind them is told.
        const std::size_t half = tar.size() / 2;
        const auto two = archived(corpus::gzipped(tar.substr(0, half)) + corpus::gzipped(tar.substr(half)) + "rubbish");
        QVERIFY(two.ok());
        QCOMPARE(two->data.size(0), Index{10});
        std::string bad = whole;
        bad[bad.size() - 6] = static_cast<char>(bad[bad.size() - 6] ^ 1); // of the CRC
        const Budget budget;
        io::GzipSource source(bytesOf(bad), budget);
        std::vector<std::byte> out(tar.size() + 1);
        const auto read = source.read(out);
        QCOMPARE(idOf(read.refusal()), QStringLiteral("GZ-04"));
    }
    void rubbishIsTold() {
        const std::string bytes = corpus::gzipped("hello") + "rubbish";
        const Budget budget;
        io::GzipSource source(bytesOf(bytes), budget);
        std::vector<std::byte> out(100);
        QCOMPARE(*source.read(out), std::size_t{5});
        QCOMPARE(source.notes().size(), std::size_t{1});
    }
    void bomb() {
        Budget budget;
        budget.alwaysUnpacked = 4 << 20;
        const std::string bytes = corpus::gzipped(corpus::tarEntry("zeros", std::string(64 << 20, '\0')), 9);
        const auto refused = archived(bytes, budget);
        QCOMPARE(idOf(refused.refusal()), QStringLiteral("GZ-05"));
        budget = {};
        budget.maxArchiveBytes = 1 << 20;
        QCOMPARE(idOf(archived(bytes, budget).refusal()), QStringLiteral("GZ-05"));
    }
    void cancelled() {
        Budget budget;
        budget.progress = [](std::uint64_t, std::uint64_t) { return false; };
        QCOMPARE(idOf(archived(corpus::gzipped(corpus::trainEntries(1, true)), budget).refusal()),
                 QStringLiteral("IO-08"));
    }

    void folders() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString(), inner = root / "cifar-10-batches-bin";
        QCOMPARE(idOf(openCifar(root, CifarKind::Ten, true).refusal()), QStringLiteral("CIF-01"));
        fs::create_directory(inner);
        for (int i = 1; i <= 4; ++i)
            writeText(inner / ("data_batch_" + std::to_string(i) + ".bin"), corpus::cifarBinary(i));
        QCOMPARE(idOf(openCifar(root, CifarKind::Ten, true).refusal()), QStringLiteral("CIF-06"));
        writeText(inner / "data_batch_5.bin", corpus::cifarBinary(5));
        for (const fs::path& at : {root, inner}) {
            const auto set = openCifar(at, CifarKind::Ten, true);
            QVERIFY(set.ok());
            QCOMPARE(set->data.size(0), Index{15});
            QVERIFY(set->data.isContiguous());
            QCOMPARE(byteAt(set->data, {14, 7, 30, 1}), wantedByte(4, 1, 7, 30));
            QCOMPARE(set->labels.at(14), Index{4});
        }
        const auto one = openCifar(inner / "data_batch_3.bin", CifarKind::Ten, true);
        QCOMPARE(one->data.size(0), Index{3});
    }
    /// A file with a published sum and another content is not loaded unless it is asked for as unverified.
    void wrongSum() {
        QTemporaryDir folder;
        const fs::path inner = fs::path(folder.path().toStdString()) / "cifar-10-batches-py";
        fs::create_directory(inner);
        writeText(inner / "test_batch", corpus::cifarPickle(2));
        const auto refused = openCifar(inner, CifarKind::Ten, false);
        QCOMPARE(idOf(refused.refusal()), QStringLiteral("CIF-04"));
        QVERIFY(refused.refusal().message.find("40351d587109b95175f43aff81a1287e") != std::string::npos);
        Md5 sum;
        sum.add(bytesOf(corpus::cifarPickle(2)));
        QVERIFY(refused.refusal().message.find(sum.hex()) != std::string::npos);
        exercise::checkRefusal(refused.refusal());
        QCOMPARE(openCifar(inner, CifarKind::Ten, false, {true, false})->data.size(0), Index{2});
        // A file of the set alone is no other file.
        QCOMPARE(idOf(openCifar(inner / "test_batch", CifarKind::Ten, false).refusal()), QStringLiteral("CIF-04"));
        QCOMPARE(openCifar(inner / "test_batch", CifarKind::Ten, false, {true, false})->data.size(0), Index{2});
        fs::rename(inner / "test_batch", inner / "mine");
        const auto mine = openCifar(inner / "mine", CifarKind::Ten, false);
        QVERIFY(mine.ok() && mine->notes.size() == 1);
        QVERIFY(mine->notes[0].find("not compared") != std::string::npos);
    }
    /// Of an archive with a published name, however short: one that is cut off is told as such.
    void wrongSumOfAnArchive() {
        const std::string whole = corpus::gzipped(corpus::trainEntries(1, true) + corpus::tarEnd());
        const auto opened = [&](const std::string& bytes, bool verified) {
            return cifarFromArchive(bytesOf(bytes), "cifar-10-binary.tar.gz", CifarKind::Ten, true, {true, verified},
                                    {});
        };
        const auto refused = opened(whole, true);
        QCOMPARE(idOf(refused.refusal()), QStringLiteral("CIF-04"));
        Md5 sum;
        sum.add(bytesOf(whole));
        QVERIFY(refused.refusal().message.find(sum.hex()) != std::string::npos);
        QVERIFY(refused.refusal().message.find("c32a1d4ab5d03f1284b67883e8d87530") != std::string::npos);
        QCOMPARE(opened(whole, false)->data.size(0), Index{5});
        QCOMPARE(idOf(opened(whole.substr(0, whole.size() / 2), true).refusal()), QStringLiteral("GZ-03"));
    }

    void samples() {
        const std::vector<std::byte> records = sampleImages();
        QCOMPARE(records.size(), std::size_t{600 * 3073});
        auto copy = std::make_shared<std::vector<std::byte>>(records);
        const auto batch = cifarFromBinary({std::span(*copy), copy, "heap", true}, CifarKind::Ten);
        QVERIFY(batch.ok() && batch->notes.empty());
        std::set<std::string> different;
        std::array<int, 10> ofClass{};
        for (std::size_t i = 0; i < 600; ++i) {
            different.insert(std::string(reinterpret_cast<const char*>(records.data()) + i * 3073 + 1, 3072));
            ++ofClass[static_cast<std::size_t>(batch->labels[i])];
        }
        QCOMPARE(different.size(), std::size_t{600});
        for (const int count : ofClass) QCOMPARE(count, 60);
        // The same on every machine.
        Md5 sum;
        sum.add(records);
        QCOMPARE(QString::fromStdString(sum.hex()), QStringLiteral("74eefb2896bacf5ca98d926b6937e878"));
    }
};

QTEST_GUILESS_MAIN(TestCifar)
#include "tst_cifar.moc"
