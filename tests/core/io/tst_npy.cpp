#include "core/io/npy.h"
#include "core/view/checked.h"
#include "tests/core/io/exercise_readers.h"
#include "tests/core/io/npy_corpus.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <cstring>
#include <fstream>
#include <random>

using namespace stridescope;
namespace fs = std::filesystem;

namespace {

class MemorySink final : public ByteSink {
public:
    bool write(std::span<const std::byte> bytes) override {
        largest = std::max(largest, bytes.size());
        content.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        return true;
    }
    std::string content;
    std::size_t largest = 0;
};

std::string wordsOf(const Result<OpenedArray>& array) {
    if (!array) return array.refusal().message + "\n" + array.refusal().hint;
    std::string out;
    for (const std::string& note : array->notes) out += note + "\n";
    return out;
}

std::string fileText(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void writeText(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
}

Tensor tensorOf(const std::string& bytes, View view, DType dtype) {
    auto copy = std::make_shared<std::string>(bytes);
    return Tensor(Storage::wrap(
                      copy->data(), bytes.size(), Device{}, [copy] {}, "heap"),
                  std::move(view), dtype);
}

/// The elements of `t` in row-major order, found one by one.
std::string elementsOf(const Tensor& t) {
    std::string out;
    const auto item = static_cast<Index>(t.itemSize());
    Dims coord(t.shape().size(), 0);
    for (Index i = 0; i < t.numel(); ++i) {
        Index rest = i;
        for (std::size_t d = coord.size(); d-- > 0;) {
            coord[d] = rest % t.shape()[d];
            rest /= t.shape()[d];
        }
        out.append(reinterpret_cast<const char*>(t.storage()->data()) + t.view().slot(coord) * item, t.itemSize());
    }
    return out;
}

QString python() {
    return QStringLiteral("/usr/bin/python3");
}

/// Runs Python with numpy; empty when there is none.
std::optional<QByteArray> runPython(const QString& code, const QStringList& arguments) {
    QProcess process;
    process.start(python(), QStringList{QStringLiteral("-c"), code} + arguments);
    if (!process.waitForFinished(60000) || process.exitCode() != 0) {
        qWarning().noquote() << process.readAllStandardError();
        return std::nullopt;
    }
    return process.readAllStandardOutput();
}

bool haveNumpy() {
    QProcess process;
    process.start(python(), {QStringLiteral("-c"), QStringLiteral("import numpy")});
    return process.waitForFinished(60000) && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0;
}

} // namespace

class TestNpy : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void corpus_data() {
        QTest::addColumn<int>("row");
        int row = 0;
        for (const corpus::Case& c : corpus::npyCases()) QTest::newRow(c.name.c_str()) << row++;
    }
    void corpus() {
        QFETCH(int, row);
        static const auto cases = corpus::npyCases();
        const corpus::Case& c = cases[static_cast<std::size_t>(row)];
        const auto array = npyFromBytes(exercise::inMemory(c.bytes), "x", {});
        QCOMPARE(QString::fromStdString(array ? "" : array.refusal().id), QString::fromStdString(c.id));
        const std::string words = wordsOf(array);
        QVERIFY2(words.find(c.mentions) != std::string::npos, words.c_str());
        if (!array)
            exercise::checkRefusal(array.refusal());
        else
            exercise::checkTensor(array->tensor);

        // The same through a file.
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "x.npy";
        writeText(path, c.bytes);
        const auto opened = openNpy(path);
        QCOMPARE(QString::fromStdString(opened ? "" : opened.refusal().id), QString::fromStdString(c.id));
        QVERIFY(!fs::exists("canary"));
    }

    void truncatedAtEveryLength() {
        int refused = 0;
        for (const corpus::Case& c : corpus::npyCases()) {
            if (c.bytes.size() > 400) continue;
            for (std::size_t length = 0; length < c.bytes.size(); ++length) {
                const auto array =
                    npyFromBytes(exercise::inMemory(std::string_view(c.bytes).substr(0, length)), "x", {});
                refused += !array.ok();
                exercise::npy(std::string_view(c.bytes).substr(0, length));
            }
        }
        QVERIFY(refused > 5000);
    }

    void everyBitFlipped() {
        const std::string good = corpus::npy(corpus::dict("<f4", "(2, 3)"), std::string(24, '\1'));
        int refused = 0;
        for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
            std::string bad = good;
            bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
            exercise::npy(bad);
            refused += !npyFromBytes(exercise::inMemory(bad), "x", {}).ok();
        }
        QVERIFY(refused > 300);
        QVERIFY(refused < static_cast<int>(good.size()) * 8);
    }

    void mutatedHeaders() {
        const auto cases = corpus::npyCases();
        std::mt19937 random(20260101);
        int opened = 0;
        for (int round = 0; round < 20000; ++round) {
            std::string bytes = cases[random() % cases.size()].bytes;
            if (bytes.empty() || bytes.size() > 2000) continue;
            for (auto edits = random() % 4 + 1; edits > 0; --edits) {
                bytes[random() % bytes.size()] = static_cast<char>(random() % 256);
            }
            exercise::npy(bytes);
            opened += npyFromBytes(exercise::inMemory(bytes), "x", exercise::smallBudget()).ok();
        }
        QVERIFY(opened > 100);
    }

    void headerFields() {
        const std::string file = corpus::npy(corpus::dict("<f8", "(3, 4, 5)", true), std::string(480, '\0'));
        const auto header = parseNpyHeader(std::as_bytes(std::span(file)));
        QVERIFY(header.ok());
        QCOMPARE(header->major, 1);
        QVERIFY(header->dtype == DType::Float64);
        QVERIFY(header->fortranOrder);
        QVERIFY(header->shape == (Dims{3, 4, 5}));
        QCOMPARE(header->numel, Index{60});
        QCOMPARE(header->dataOffset, std::uint64_t{128});
        QCOMPARE(header->dataBytes, std::uint64_t{480});
        QVERIFY(!header->swapBytes);
    }

    void refusalCarriesPlaceAndNumbers() {
        const auto shorter = npyFromBytes(
            exercise::inMemory(corpus::npy(corpus::dict("<f4", "(100,)"), std::string(396, 'x'))), "x", {});
        QVERIFY(!shorter.ok());
        const auto amounts = std::get<BytesExceeded>(shorter.refusal().detail);
        QCOMPARE(amounts.wanted, Index{400});
        QCOMPARE(amounts.limit, Index{396});
        const auto odd = npyFromBytes(exercise::inMemory(corpus::npy("{'descr': '<f4', 'bad': 1}", "")), "x", {});
        QCOMPARE(std::get<InputPosition>(odd.refusal().detail).position, Index{10 + 17});
    }

    void mappedInPlaceAndNeverWritten() {
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "weights.npy";
        const std::string text = corpus::npy(corpus::dict("<i4", "(4,)"), std::string(16, '\0'));
        writeText(path, text);
        const auto array = openNpy(path);
        QVERIFY(array.ok());
        QCOMPARE(QString::fromStdString(array->name), QStringLiteral("weights"));
        QCOMPARE(QString::fromStdString(array->tensor.storage()->kind()), QStringLiteral("mapped file"));
        QCOMPARE(array->tensor.storage()->bytes(), std::size_t{16});
        QVERIFY(array->tensor.storage()->isWritable());
        array->tensor.data<std::int32_t>()[2] = 7;
        QCOMPARE(array->tensor.data<std::int32_t>()[2], 7);
        QVERIFY(fileText(path) == text);
        const auto again = openNpy(path);
        QCOMPARE(again->tensor.data<std::int32_t>()[2], 0);
    }

    void fortranOrderBecomesStrides() {
        std::string data;
        for (std::uint64_t i = 0; i < 6; ++i) data += corpus::littleEndian(i, 4);
        const auto array =
            npyFromBytes(exercise::inMemory(corpus::npy(corpus::dict("<i4", "(2, 3)", true), data)), "x", {});
        QVERIFY(array.ok());
        QVERIFY(array->tensor.stride() == (Dims{1, 2}));
        const Index at[] = {1, 2};
        QCOMPARE(array->tensor.storageData<std::int32_t>()[array->tensor.view().slot(at)], 5);
        const auto empty =
            npyFromBytes(exercise::inMemory(corpus::npy(corpus::dict("<i4", "(2, 0, 3)", true), "")), "x", {});
        QVERIFY(empty.ok());
        QVERIFY(empty->tensor.stride() == (Dims{1, 2, 2}));
    }

    void convertedValues() {
        using namespace std::string_literals;
        const auto open = [](const std::string& descr, const std::string& shape, const std::string& data) {
            return npyFromBytes(exercise::inMemory(corpus::npy(corpus::dict(descr, shape), data)), "x", {})
                .valueOrThrow()
                .tensor;
        };
        const Tensor big = open(">f4", "(2,)", "\x3f\x80\0\0\xc0\0\0\0"s);
        QVERIFY(big.dtype() == DType::Float32);
        QCOMPARE(big.data<float>()[0], 1.0f);
        QCOMPARE(big.data<float>()[1], -2.0f);
        const Tensor bigHalf = open(">f2", "(1,)", "\x3c\0"s);
        QCOMPARE(bigHalf.data<Half>()[0].bits, std::uint16_t{0x3c00});
        const Tensor bigLong = open(">i8", "(1,)", "\xff\xff\xff\xff\xff\xff\xff\xfe"s);
        QCOMPARE(bigLong.data<std::int64_t>()[0], std::int64_t{-2});
        const Tensor u16 = open("<u2", "(2,)", "\xff\xff\x01\x00"s);
        QVERIFY(u16.dtype() == DType::Int32);
        QCOMPARE(u16.data<std::int32_t>()[0], 65535);
        const Tensor u16big = open(">u2", "(1,)", "\x01\x02"s);
        QCOMPARE(u16big.data<std::int32_t>()[0], 258);
        const Tensor u32 = open("<u4", "(1,)", "\xff\xff\xff\xff"s);
        QVERIFY(u32.dtype() == DType::Int64);
        QCOMPARE(u32.data<std::int64_t>()[0], std::int64_t{4294967295});
        const Tensor u64 = open("<u8", "(1,)", "\xff\xff\xff\xff\xff\xff\xff\x7f"s);
        QCOMPARE(u64.data<std::int64_t>()[0], INT64_MAX);
        const Tensor bools = open("|b1", "(4,)", "\0\1\2\xff"s);
        QVERIFY(std::memcmp(bools.storage()->data(), "\0\1\1\1", 4) == 0);
        const Tensor odd =
            npyFromBytes(exercise::inMemory(corpus::npy(corpus::dict("<f8", "(2,)"), "abcdefghABCDEFGH", 1, 1)), "x",
                         {})
                .valueOrThrow()
                .tensor;
        QVERIFY(std::memcmp(odd.storage()->data(), "abcdefghABCDEFGH", 16) == 0);
        QCOMPARE(reinterpret_cast<std::uintptr_t>(odd.storage()->data()) % 64, std::uintptr_t{0});
    }

    void copiesStayInTheBudget() {
        Budget budget;
        budget.maxBytes = 100;
        const std::string data(400, '\0');
        const auto big =
            npyFromBytes(exercise::inMemory(corpus::npy(corpus::dict(">f4", "(100,)"), data)), "x", budget);
        QVERIFY(!big.ok());
        QCOMPARE(QString::fromStdString(big.refusal().id), QStringLiteral("NPY-20"));
        QVERIFY(big.refusal().message.find("400 B, limit 100 B") != std::string::npos);
        // u16 counts as the int32 that it becomes
        const auto wide =
            npyFromBytes(exercise::inMemory(corpus::npy(corpus::dict("<u2", "(50,)"), data)), "x", budget);
        QVERIFY(!wide.ok());
        QVERIFY(wide.refusal().message.find("200 B, limit 100 B") != std::string::npos);
        const auto bools =
            npyFromBytes(exercise::inMemory(corpus::npy(corpus::dict("|b1", "(400,)"), data)), "x", budget);
        QVERIFY(bools.ok());
        QVERIFY(bools->tensor.dtype() == DType::UInt8);
        const auto mapped =
            npyFromBytes(exercise::inMemory(corpus::npy(corpus::dict("<f4", "(100,)"), data)), "x", budget);
        QVERIFY(mapped.ok());
        budget.maxElements = 99;
        QVERIFY(!npyFromBytes(exercise::inMemory(corpus::npy(corpus::dict("<f4", "(100,)"), data)), "x", budget).ok());
    }

    void cancelled() {
        Budget budget;
        budget.progress = [](std::uint64_t, std::uint64_t) { return false; };
        const auto big =
            npyFromBytes(exercise::inMemory(corpus::npy(corpus::dict(">f4", "(1,)"), "1234")), "x", budget);
        QVERIFY(!big.ok());
        QCOMPARE(QString::fromStdString(big.refusal().id), QStringLiteral("IO-08"));
    }

    void outOfTime() {
        const auto open = [](std::chrono::milliseconds allowed) {
            Budget budget;
            budget.maxTime = allowed;
            return npyFromBytes(exercise::inMemory(corpus::npy(corpus::dict(">f4", "(1,)"), "1234")), "x", budget);
        };
        QVERIFY(open(std::chrono::hours(1)).ok());
        const auto late = open(std::chrono::milliseconds(0));
        QVERIFY(!late.ok());
        QCOMPARE(QString::fromStdString(late.refusal().id), QStringLiteral("IO-20"));
        QVERIFY(late.refusal().message.find("0 ms") != std::string::npos);
    }

    void writtenHeader() {
        const Tensor t = tensorOf(std::string(24, '\0'), *contiguousView(Dims{2, 3}), DType::Float32);
        const std::string header = npyHeaderFor(t);
        QCOMPARE(header.size() % 64, std::size_t{0});
        QCOMPARE(QByteArray::fromStdString(header.substr(10, 62)),
                 QByteArray("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }   "));
        QCOMPARE(header.back(), '\n');
        const Tensor columns = t.withView(*makeView(Dims{3, 2}, Dims{1, 3}, 0));
        QVERIFY(npyHeaderFor(columns).find("'fortran_order': True, 'shape': (3, 2)") != std::string::npos);
        const Tensor wide = tensorOf(std::string(8, '\0'), *makeView(Dims(64, 1), Dims(64, 1), 0), DType::Int64);
        QCOMPARE(npyHeaderFor(wide).size() % 64, std::size_t{0});
    }

    void roundTrip_data() {
        QTest::addColumn<int>("dtype");
        for (const DType dtype : kAllDTypes) QTest::newRow(std::string(name(dtype)).c_str()) << static_cast<int>(dtype);
    }
    /// Every bit pattern of small types, random bits (NaN payloads, denormals, -0.0 among them) of large ones.
    void roundTrip() {
        QFETCH(int, dtype);
        const auto type = static_cast<DType>(dtype);
        const std::size_t item = itemSize(type);
        std::mt19937 random(7);
        std::string bytes(65536 * item, '\0');
        for (char& b : bytes) b = static_cast<char>(type == DType::Bool ? random() % 2 : random() % 256);
        if (item == 2) {
            for (std::size_t i = 0; i < 65536; ++i) bytes.replace(2 * i, 2, corpus::littleEndian(i, 2));
        }
        if (type == DType::Float64) bytes.replace(0, 8, corpus::littleEndian(0x7ff4dead0000beefu, 8)); // signalling NaN
        if (type == DType::Float32) bytes.replace(0, 8, corpus::littleEndian(0x8000000000000001u, 8)); // denormal, -0.0
        const Tensor t = tensorOf(bytes, *contiguousView(Dims{256, 256}), type);
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "t.npy";
        QVERIFY(writeNpy(t, path).ok());
        const auto back = openNpy(path);
        QVERIFY(back.ok());
        QVERIFY(back->notes.empty());
        QVERIFY(back->tensor.dtype() == type);
        QVERIFY(back->tensor.shape() == t.shape());
        QVERIFY(std::memcmp(back->tensor.storage()->data(), bytes.data(), bytes.size()) == 0);
    }

    void stridedTensors_data() {
        QTest::addColumn<QList<qlonglong>>("shape");
        QTest::addColumn<QList<qlonglong>>("stride");
        QTest::addColumn<qlonglong>("offset");
        using L = QList<qlonglong>;
        QTest::newRow("contiguous") << L{10, 20} << L{20, 1} << 0LL;
        QTest::newRow("transposed") << L{20, 10} << L{1, 20} << 0LL;
        QTest::newRow("every second") << L{5, 10} << L{40, 2} << 1LL;
        QTest::newRow("negative") << L{10, 20} << L{-20, -1} << 199LL;
        QTest::newRow("expanded") << L{7, 20} << L{0, 1} << 20LL;
        QTest::newRow("scalar") << L{} << L{} << 150LL;
        QTest::newRow("empty") << L{3, 0} << L{1, 1} << 0LL;
        QTest::newRow("one element, wild strides") << L{1, 1} << L{INT64_MAX / 2, INT64_MIN / 2} << 3LL;
        QTest::newRow("wild strides on dims of 1") << L{1, 20, 1} << L{INT64_MAX, 1, INT64_MAX} << 3LL;
        QTest::newRow("permuted") << L{4, 5, 10} << L{10, 40, 1} << 0LL;
        QTest::newRow("self-overlapping") << L{50, 50} << L{1, 1} << 0LL;
    }
    void stridedTensors() {
        QFETCH(QList<qlonglong>, shape);
        QFETCH(QList<qlonglong>, stride);
        QFETCH(qlonglong, offset);
        std::string bytes;
        for (std::uint64_t i = 0; i < 200; ++i) bytes += corpus::littleEndian(i * 0x01010101, 4);
        const Dims dims(std::vector<Index>(shape.begin(), shape.end())),
            steps(std::vector<Index>(stride.begin(), stride.end()));
        const Tensor t = tensorOf(bytes, View{dims, steps, offset}, DType::Int32);
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "t.npy";
        const auto saved = writeNpy(t, path);
        QVERIFY(saved.ok());
        const auto back = openNpy(path);
        QVERIFY(back.ok());
        QVERIFY(back->tensor.shape() == dims);
        QVERIFY(elementsOf(back->tensor) == elementsOf(t));
        QCOMPARE(saved->bytes,
                 static_cast<std::uint64_t>(npyHeaderFor(t).size()) + static_cast<std::uint64_t>(t.nbytes()));
    }

    void writesInBlocks() {
        std::string bytes(3 << 20, '\0');
        for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 7 + i / 1000);
        const Tensor t = tensorOf(bytes, *makeView(Dims{1024, 1536}, Dims{1536 * 2, 2}, 1), DType::UInt8);
        MemorySink sink;
        QVERIFY(writeNpyData(t, sink));
        QVERIFY(sink.largest <= (1u << 20));
        QVERIFY(sink.content == elementsOf(t));
        const Tensor whole = tensorOf(bytes, *contiguousView(Dims{3 << 20}), DType::UInt8);
        MemorySink all;
        QVERIFY(writeNpyData(whole, all));
        QVERIFY(all.largest <= (1u << 20));
        QVERIFY(all.content == bytes);
    }

    void refusesWhatCannotBeSaved() {
        QCOMPARE(QString::fromStdString(writeNpy(Tensor(), "/tmp/never").refusal().id), QStringLiteral("IO-17"));
        const Tensor huge = tensorOf("12345678", *makeView(Dims{1'000'000'000'000'000}, Dims{0}, 0), DType::Int64);
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "huge.npy";
        const auto saved = writeNpy(huge, path);
        QVERIFY(!saved.ok());
        QCOMPARE(QString::fromStdString(saved.refusal().id), QStringLiteral("IO-11"));
        // 2^62 elements are a view; their bytes are more than 64 bits count.
        const Tensor beyond = tensorOf("12345678", *makeView(Dims{1LL << 62}, Dims{0}, 0), DType::Int64);
        QCOMPARE(beyond.nbytes(), kIndexMax);
        QCOMPARE(QString::fromStdString(writeNpy(beyond, path).refusal().id), QStringLiteral("IO-11"));
        QVERIFY(saved.refusal().message.find("8.00 PB") != std::string::npos);
        QVERIFY(!fs::exists(path));
    }

    void numpyWritesWeRead() {
        if (!haveNumpy()) QSKIP("no /usr/bin/python3 with numpy");
        QTemporaryDir folder;
        const auto printed = runPython(QStringLiteral(R"(
import numpy as np, sys, os
folder = sys.argv[1]
rng = np.random.default_rng(1)
for t in ['?', 'u1', 'i1', 'i2', 'i4', 'i8', 'f2', 'f4', 'f8', '>i2', '>i4', '>i8', '>f2', '>f4', '>f8', 'u2', 'u4', '>u2', '>u4']:
    for order in 'CF':
        a = np.asarray(rng.integers(0, 120, (3, 4, 5)).astype(t), order=order)
        name = 'x' + str(len(os.listdir(folder)))
        np.save(os.path.join(folder, name + '.npy'), a)
        wide = a.astype({'u2': 'i4', 'u4': 'i8'}.get(a.dtype.str[1:], a.dtype.newbyteorder('<').str))
        print(name, np.ascontiguousarray(wide).tobytes().hex())
for shape in [(), (0,), (1,), (2, 0, 3)]:
    name = 's' + str(len(os.listdir(folder)))
    np.save(os.path.join(folder, name + '.npy'), np.ones(shape, 'f4'))
    print(name, np.ones(shape, 'f4').tobytes().hex() or '-')
)"),
                                       {folder.path()});
        QVERIFY(printed);
        int files = 0;
        for (const QByteArray& line : printed->split('\n')) {
            const QList<QByteArray> words = line.split(' ');
            if (words.size() != 2) continue;
            const auto array = openNpy(fs::path(folder.path().toStdString()) / (words[0].toStdString() + ".npy"));
            QVERIFY2(array.ok(), words[0].constData());
            QCOMPARE(QByteArray::fromStdString(elementsOf(array->tensor)).toHex(),
                     words[1] == "-" ? QByteArray() : words[1]);
            ++files;
        }
        QCOMPARE(files, 42);
    }

    void weWriteNumpyReads() {
        if (!haveNumpy()) QSKIP("no /usr/bin/python3 with numpy");
        QTemporaryDir folder;
        const fs::path at = folder.path().toStdString();
        std::string bytes(240 * 8, '\0');
        for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i % 2);
        QByteArray expected;
        for (const DType dtype : kAllDTypes) {
            for (const bool transposed : {false, true}) {
                const View view =
                    transposed ? *makeView(Dims{5, 4, 3}, Dims{1, 5, 20}, 0) : *makeView(Dims{3, 4}, Dims{40, 2}, 5);
                const Tensor t = tensorOf(bytes, view, dtype);
                const std::string file = std::string(name(dtype)) + (transposed ? "T" : "") + ".npy";
                QVERIFY(writeNpy(t, at / file).ok());
                expected += QByteArray::fromStdString(file) + " " +
                            QByteArray::fromStdString(std::string(name(dtype))) + " " +
                            QByteArray::fromStdString(toString(t.shape())).replace(' ', "") + " " +
                            QByteArray::fromStdString(elementsOf(t)).toHex() + "\n";
            }
        }
        const auto printed = runPython(QStringLiteral(R"(
import numpy as np, sys, os
for name in sys.argv[2:]:
    a = np.load(os.path.join(sys.argv[1], name), allow_pickle=False)
    m = np.load(os.path.join(sys.argv[1], name), mmap_mode='r')
    assert m.offset % 64 == 0 and (m == a).all()
    print(name, a.dtype, str(a.shape).replace(' ', ''), np.ascontiguousarray(a).tobytes().hex())
)"),
                                       [&] {
                                           QStringList arguments{folder.path()};
                                           for (const QByteArray& line : expected.split('\n')) {
                                               if (!line.isEmpty()) arguments << QString::fromUtf8(line.split(' ')[0]);
                                           }
                                           return arguments;
                                       }());
        QVERIFY(printed);
        QCOMPARE(*printed, expected);
    }

    void pickleIsNotRun() {
        if (!haveNumpy()) QSKIP("no /usr/bin/python3 with numpy");
        QTemporaryDir folder;
        const auto printed = runPython(QStringLiteral(R"(
import numpy as np, sys, os
class Evil:
    def __reduce__(self): return (open, (sys.argv[1] + '/canary', 'w'))
np.save(sys.argv[1] + '/evil.npy', np.array([Evil()], dtype=object), allow_pickle=True)
)"),
                                       {folder.path()});
        QVERIFY(printed);
        const auto array = openNpy(fs::path(folder.path().toStdString()) / "evil.npy");
        QVERIFY(!array.ok());
        QCOMPARE(QString::fromStdString(array.refusal().id), QStringLiteral("NPY-14"));
        QVERIFY(!QFile::exists(folder.path() + QStringLiteral("/canary")));
    }
};

QTEST_GUILESS_MAIN(TestNpy)
#include "tst_npy.moc"
