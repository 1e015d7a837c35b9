// repr against what PyTorch printed (data/repr_cases.txt, made by generate_repr_cases.py) and against itself.

#include "core/ops/creation.h"
#include "core/ops/views.h"
#include "core/print/repr.h"
#include "core/tensor/element.h"
#include "tests/support/test_paths.h"

#include <QTest>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using namespace stridescope;

namespace {

struct ReprCase {
    int line = 0;
    Tensor tensor;
    DType defaultDType = DType::Float32;
    PrintOptions options;
    std::string expected;
};

Dims dimsFrom(const std::string& text) {
    Dims dims;
    if (text == "-") return dims;
    std::istringstream in(text);
    std::string number;
    while (std::getline(in, number, ',')) dims.push_back(std::stoll(number));
    return dims;
}

StoragePtr storageFromHex(const std::string& hex) {
    auto* bytes = new std::vector<std::byte>(hex.size() / 2);
    for (std::size_t i = 0; i < bytes->size(); ++i) {
        (*bytes)[i] = static_cast<std::byte>(std::stoi(hex.substr(2 * i, 2), nullptr, 16));
    }
    return Storage::wrap(
        bytes->data(), bytes->size(), {}, [bytes] { delete bytes; }, "test");
}

StoragePtr storageFromPattern(std::istringstream& in, DType dtype) {
    Index count = 0, a = 0, b = 0, m = 1, c = 0, d = 1;
    in >> count >> a >> b >> m >> c >> d;
    auto* bytes = new std::vector<std::byte>(static_cast<std::size_t>(count) * itemSize(dtype));
    for (Index i = 0; i < count; ++i) {
        const Index number = (i * a + b) % m - c;
        const Scalar value =
            isFloating(dtype) ? Scalar(static_cast<double>(number) / static_cast<double>(d)) : Scalar(number);
        storeElement(bytes->data() + static_cast<std::size_t>(i) * itemSize(dtype), dtype, value);
    }
    return Storage::wrap(
        bytes->data(), bytes->size(), {}, [bytes] { delete bytes; }, "test");
}

/// Reads the file format that generate_repr_cases.py describes.
std::vector<ReprCase> readCases(const std::string& path) {
    std::ifstream file(path);
    std::vector<ReprCase> cases;
    ReprCase current;
    DType dtype = DType::Float32;
    StoragePtr storage;
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        std::istringstream in(line);
        std::string key, word;
        in >> key;
        if (key == "dtype") {
            current = {};
            current.line = number;
            in >> word;
            dtype = *dtypeFromName(word);
        } else if (key == "default") {
            in >> word;
            current.defaultDType = *dtypeFromName(word);
        } else if (key == "bytes") {
            in >> word;
            storage = storageFromHex(word);
        } else if (key == "pattern") {
            storage = storageFromPattern(in, dtype);
        } else if (key == "view") {
            std::string shape, stride;
            Index offset = 0;
            in >> shape >> stride >> offset;
            current.tensor = Tensor(storage, View{dimsFrom(shape), dimsFrom(stride), offset}, dtype);
        } else if (key == "options") {
            PrintOptions& o = current.options;
            in >> o.precision >> o.threshold >> o.edgeitems >> o.linewidth >> word;
            if (word != "-") o.sciMode = word == "1";
        } else if (key == "expect") {
            int count = 0;
            in >> count;
            for (int i = 0; i < count; ++i, ++number) {
                std::getline(file, line);
                current.expected += (i > 0 ? "\n" : "") + line;
            }
            cases.push_back(current);
        }
    }
    return cases;
}

} // namespace

class TestRepr : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void printsAsPyTorch();
    void printsWhatIsTypicallySeen_data();
    void printsWhatIsTypicallySeen();
    void summarisesWithoutReadingTheRest();
    void touchesFewPagesOfAMapping();
    void keepsOptionsUntilChanged();
    void bringsOptionsIntoRange();
    void printsUndefined();
    void printsStorages();
};

void TestRepr::printsAsPyTorch() {
    const char* elsewhere = std::getenv("STRIDESCOPE_REPR_CASES");
    const std::string path = elsewhere ? elsewhere : test::sourcePath("tests/core/print/data/repr_cases.txt");
    const std::vector<ReprCase> cases = readCases(path);
    QVERIFY2(cases.size() >= 300, path.c_str());
    int wrong = 0;
    for (const ReprCase& c : cases) {
        setDefaultDType(c.defaultDType);
        const std::string text = repr(c.tensor, c.options);
        setDefaultDType(DType::Float32);
        if (text == c.expected) continue;
        if (++wrong <= 5) {
            qWarning("case at line %d\nexpected:\n%s\nprinted:\n%s", c.line, c.expected.c_str(), text.c_str());
        }
    }
    QVERIFY2(wrong == 0, qPrintable(QString::number(wrong) + " of " + QString::number(cases.size()) + " differ"));
}

void TestRepr::printsWhatIsTypicallySeen_data() {
    QTest::addColumn<QString>("printed");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const Tensor& t, const char* expected) {
        QTest::newRow(name) << QString::fromStdString(repr(t)) << QString(expected);
    };
    row("0-d float", tensorFrom(1.5), "tensor(1.5000)");
    row("0-d whole float", tensorFrom(3.0), "tensor(3.)");
    row("0-d int", tensorFrom(-7), "tensor(-7)");
    row("0-d bool", tensorFrom(true), "tensor(True)");
    row("whole floats", tensorFrom({1.0, 2.0, -3.0}), "tensor([ 1.,  2., -3.])");
    row("matrix", tensorFrom({{1, 2}, {3, 4}}), "tensor([[1, 2],\n        [3, 4]])");
    row("blocks", zeros({2, 1, 2}), "tensor([[[0., 0.]],\n\n        [[0., 0.]]])");
    row("empty", empty({0}), "tensor([])");
    row("empty matrix", empty({0, 3}), "tensor([], size=(0, 3))");
    row("empty int64", empty({0}, {DType::Int64, Device{}}), "tensor([], dtype=torch.int64)");
    row("float64", zeros({1}, {DType::Float64, Device{}}), "tensor([0.], dtype=torch.float64)");
    row("uint8", zeros({2}, {DType::UInt8, Device{}}), "tensor([0, 0], dtype=torch.uint8)");
    row("float16", tensorFrom({0.5, 65504.0}, {DType::Float16, Device{}}),
        "tensor([5.0000e-01, 6.5504e+04], dtype=torch.float16)");
    row("summary", arange(2000), "tensor([   0,    1,    2,  ..., 1997, 1998, 1999])");
}

void TestRepr::printsWhatIsTypicallySeen() {
    QFETCH(QString, printed);
    QFETCH(QString, expected);
    QCOMPARE(printed, expected);
}

void TestRepr::summarisesWithoutReadingTheRest() {
    // 10^18 elements on one slot: reading all of them would never end.
    const Tensor one = tensorFrom({2.5});
    const Index million = 1000000;
    const Tensor huge = one.withView({{million, million, million}, {0, 0, 0}, 0});
    const std::string text = repr(huge);
    QVERIFY(text.starts_with("tensor([[[2.5000, 2.5000, 2.5000,  ..., 2.5000, 2.5000, 2.5000],"));
    QCOMPARE(std::count(text.begin(), text.end(), '5'), 6 * 6 * 6);
}

void TestRepr::touchesFewPagesOfAMapping() {
    // 10^9 floats of a file without blocks: reading a page gives it one.
    const Index count = 1000000000;
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(float);
    const int file = memfd_create("sparse", MFD_CLOEXEC);
    QVERIFY(file >= 0);
    QCOMPARE(ftruncate(file, static_cast<off_t>(bytes)), 0);
    void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    QVERIFY(data != MAP_FAILED);
    static_cast<float*>(data)[count - 1] = 1.5F;
    {
        const StoragePtr storage = Storage::wrap(data, bytes, Device{}, {}, "mapped file", false);
        const Tensor flat(storage, View{{count}, {1}, 0}, DType::Float32);
        QCOMPARE(repr(flat), std::string("tensor([0.0000, 0.0000, 0.0000,  ..., 0.0000, 0.0000, 1.5000])"));
        const Tensor turned(storage, View{{1000, 1000000}, {1, 1000}, 0}, DType::Float32);
        QVERIFY(repr(turned).find("..., 0.0000, 0.0000, 1.5000]])") != std::string::npos);
    }
    struct stat status {};
    QCOMPARE(fstat(file, &status), 0);
    QVERIFY2(status.st_blocks * 512 < 100 * 4096, qPrintable(QString::number(status.st_blocks)));
    munmap(data, bytes);
    close(file);
}

void TestRepr::keepsOptionsUntilChanged() {
    PrintOptions options;
    options.precision = 2;
    setPrintOptions(options);
    QCOMPARE(repr(tensorFrom({1.12345})), std::string("tensor([1.12])"));
    setPrintOptions(PrintOptions::standard());
    QCOMPARE(repr(tensorFrom({1.12345})), std::string("tensor([1.1235])"));
    QCOMPARE(repr(arange(9), PrintOptions::shortProfile()), std::string("tensor([0, 1, 2, 3, 4, 5, 6, 7, 8])"));
    QVERIFY(repr(arange(2000), PrintOptions::fullProfile()).find("...") == std::string::npos);
}

void TestRepr::bringsOptionsIntoRange() {
    const PrintOptions wild{1000, -5, 0, -1, std::nullopt};
    const std::string text = repr(tensorFrom({0.5, 0.25, 0.125}), wild);
    QVERIFY(text.find("0.5" + std::string(59, '0')) != std::string::npos);
    QVERIFY(text.find("0.25") == std::string::npos); // one edge item on each side
}

void TestRepr::printsUndefined() {
    QCOMPARE(repr(Tensor()), std::string("undefined"));
}

void TestRepr::printsStorages() {
    const auto row = [](const std::vector<NestedList>& values) { return tensorFrom(NestedList::list(values)); };
    QCOMPARE(storageRepr(asStrided(arange(4.0), {2}, {2}, 1)), // the whole storage, whatever the view
             std::string(" 0.0\n 1.0\n 2.0\n 3.0\n[torch.storage.TypedStorage(dtype=torch.float32, device=cpu) of size "
                         "4]"));
    QCOMPARE(storageRepr(row({0.1, 1e10})),
             std::string(" 0.10000000149011612\n 10000000000.0\n[torch.storage.TypedStorage(dtype=torch.float32, "
                         "device=cpu) of size 2]"));
    QCOMPARE(storageRepr(row({true, false})),
             std::string(" True\n False\n[torch.storage.TypedStorage(dtype=torch.bool, device=cpu) of size 2]"));
    QCOMPARE(storageRepr(row({Scalar(Complex<double>{1, 2})})),
             std::string(" (1+2j)\n[torch.storage.TypedStorage(dtype=torch.complex64, device=cpu) of size 1]"));
    QCOMPARE(storageRepr(empty({0})),
             std::string(" \n[torch.storage.TypedStorage(dtype=torch.float32, device=cpu) of size 0]"));
    const std::string large = storageRepr(arange(5000));
    QCOMPARE(large, std::string(" 0\n 1\n 2\n ...\n 4997\n 4998\n 4999\n[torch.storage.TypedStorage(dtype=torch.int64, "
                                "device=cpu) of size 5000]"));
    QCOMPARE(storageRepr(Tensor()), std::string("undefined"));
}

QTEST_GUILESS_MAIN(TestRepr)
#include "tst_repr.moc"
