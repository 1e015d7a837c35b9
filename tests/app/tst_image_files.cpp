// CIFAR's files and the program's own pictures, opened in the window and by lines.

#include "app/files/file_opener.h"
#include "app/workspace/workspace.h"
#include "core/io/sample_images.h"
#include "core/tensor/element.h"
#include "tests/core/io/cifar_corpus.h"

#include <QBuffer>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

using namespace stridescope;

namespace {

QByteArray bytesOf(const Tensor& t) {
    QByteArray bytes;
    Dims coord(t.shape().size(), 0);
    for (Index i = 0; i < t.numel(); ++i) {
        bytes.append(static_cast<char>(t.storageData<std::uint8_t>()[t.view().slot(coord)]));
        for (std::size_t d = coord.size(); d-- > 0;) {
            if (++coord[d] < t.shape()[d]) break;
            coord[d] = 0;
        }
    }
    return bytes;
}

} // namespace

class TestImageFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        QVERIFY(m_folder.isValid());
        m_model = std::make_unique<WorkspaceModel>();
        m_workspace = std::make_unique<Workspace>(m_model.get());
        m_workspace->setPatience(60000);
    }

    /// The lines that the window shows give the tensors that it opened.
    void lines_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        const std::vector<std::byte> samples = sampleImages();
        QTest::newRow("binary") << QStringLiteral("a.bin")
                                << QByteArray(reinterpret_cast<const char*>(samples.data()), qsizetype(samples.size()));
        QTest::newRow("CIFAR-100") << QStringLiteral("train.bin")
                                   << QByteArray::fromStdString(corpus::cifar100Binary(7));
        QTest::newRow("pickle") << QStringLiteral("my_batch") << QByteArray::fromStdString(corpus::cifarPickle(7));
        QTest::newRow("archive") << QStringLiteral("x.tar.gz")
                                 << QByteArray::fromStdString(corpus::gzipped(corpus::trainEntries(2, true)));
        QTest::newRow("archive, other files first")
            << QStringLiteral("y.tgz")
            << QByteArray::fromStdString(corpus::gzipped(corpus::tarEntry("AAA-readme.txt", "hello") +
                                                         corpus::tarEntry("../b", "x") +
                                                         corpus::trainEntries(2, true)));
    }
    void lines() {
        QFETCH(QString, name);
        QFETCH(QByteArray, content);
        const QString path = m_folder.filePath(name);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
        file.close();
        const OpenedFile opened = openFile(path);
        QVERIFY2(!opened.refusal, opened.refusal ? opened.refusal->message.c_str() : "");
        QCOMPARE(opened.tensors.size(), std::size_t{2});
        QCOMPARE(opened.tensors[0].tensor.dim(), Index{4});
        for (const OpenedTensor& tensor : opened.tensors) {
            const RunOutcome outcome = m_workspace->runInBackground(tensor.name + QStringLiteral(" = ") + tensor.code);
            QVERIFY2(outcome.ok, outcome.refusal ? outcome.refusal->message.c_str() : "");
            const Tensor& run = m_model->snapshot()->tensors.back().tensor;
            QCOMPARE(run.shape(), tensor.tensor.shape());
            QCOMPARE(run.stride(), tensor.tensor.stride());
            QCOMPARE(run.dtype(), tensor.tensor.dtype());
            if (run.dtype() == DType::UInt8) QCOMPARE(bytesOf(run), bytesOf(tensor.tensor));
        }
    }

    /// What an archive has besides is told to the end, with its number.
    void ignoredMembers() {
        std::string others;
        for (int i = 0; i < 20; ++i) others += corpus::tarEntry("a-name-of-thirty-letters-" + std::to_string(i), "");
        const QString path = m_folder.filePath(QStringLiteral("besides.tgz"));
        write(path, QByteArray::fromStdString(corpus::gzipped(others + corpus::trainEntries(1, true))));
        const OpenedFile opened = openFile(path);
        QVERIFY(!opened.refusal);
        const QString notes = opened.notes.join(QLatin1Char(' '));
        QVERIFY2(notes.contains(QStringLiteral("letters-7 (no file of CIFAR-10) and 12 more.")), qPrintable(notes));
    }

    /// Pictures and labels of a file of records are views of its bytes.
    void recordsAreViews() {
        const QString path = m_folder.filePath(QStringLiteral("records.bin"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(corpus::cifarBinary(6)));
        file.close();
        const OpenedFile opened = openFile(path);
        QVERIFY(opened.tensors[0].tensor.storage()->kind() == "mapped file");
        QVERIFY(opened.tensors[0].tensor.storage() == opened.tensors[1].tensor.storage());
        QCOMPARE(opened.tensors[0].tensor.stride(), (Dims{3073, 1024, 32, 1}));
        QCOMPARE(opened.tensors[1].tensor.stride(), (Dims{3073}));
    }

    /// A JPEG file that was cut: decoders invent the rest.
    void cutJpeg() {
        QImage image(64, 48, QImage::Format_RGB888);
        for (int y = 0; y < 48; ++y)
            for (int x = 0; x < 64; ++x) image.setPixel(x, y, qRgb(x * 4, y * 5, (x * y) & 255));
        QByteArray bytes;
        QBuffer buffer(&bytes);
        QVERIFY(buffer.open(QIODevice::WriteOnly) && image.save(&buffer, "jpeg", 80));
        const auto notesOf = [&](const QByteArray& content) {
            QFile file(m_folder.filePath(QStringLiteral("cut.jpg")));
            if (!file.open(QIODevice::WriteOnly)) return QStringList{QStringLiteral("not written")};
            file.write(content);
            file.close();
            const OpenedFile opened = openFile(file.fileName());
            return opened.refusal ? QStringList{QStringLiteral("refused")} : opened.notes;
        };
        QCOMPARE(notesOf(bytes), QStringList());
        QCOMPARE(notesOf(bytes + QByteArray(100, 'x')), QStringList()); // what follows the end is not the picture
        for (const qsizetype left : {bytes.size() * 9 / 10, bytes.size() * 7 / 10, bytes.size() - 2}) {
            const QStringList notes = notesOf(bytes.left(left));
            QVERIFY2(notes == QStringList{QStringLiteral("refused")} ||
                         notes.contains(
                             QStringLiteral("The file ends early: the pixels that are missing are filled with grey.")),
                     qPrintable(QString::number(left)));
        }
    }

    /// Values of another range than 0 … 255, which the decoder scales.
    void rangesOfPgm() {
        const auto notesOf = [&](const QByteArray& content) {
            QFile file(m_folder.filePath(QStringLiteral("range.pgm")));
            if (!file.open(QIODevice::WriteOnly)) return QStringList{QStringLiteral("not written")};
            file.write(content);
            file.close();
            const OpenedFile opened = openFile(file.fileName());
            return opened.refusal ? QStringList{QStringLiteral("refused")} : opened.notes;
        };
        QCOMPARE(notesOf(QByteArrayLiteral("P5 2 1 255\n\x01\x02")), QStringList());
        QCOMPARE(notesOf(QByteArrayLiteral("P5\n# 9 9 9\n2 1\n1000\n\x01\x02\x03\x04")),
                 QStringList{QStringLiteral("Values of 0 … 1000 were reduced to 8 bits, 0 … 255.")});
        QCOMPARE(notesOf(QByteArrayLiteral("P2 2 1 15\n3 15\n")),
                 QStringList{QStringLiteral("Values of 0 … 15 were spread over 0 … 255.")});
        QVERIFY(!notesOf(QByteArrayLiteral("P4 8 1\n\xaa")).join(QString()).contains(QLatin1String("spread")));
    }

    void samples() {
        const RunOutcome made = m_workspace->runInBackground(
            QStringLiteral("x = torch.from_numpy(torchvision.datasets.SampleImages().data)"));
        QVERIFY(made.ok);
        QCOMPARE(m_model->snapshot()->tensors[0].tensor.shape(), (Dims{600, 32, 32, 3}));
        QVERIFY(m_workspace
                    ->runInBackground(QStringLiteral("y = torch.tensor(torchvision.datasets.SampleImages().targets)"))
                    .ok);
        QCOMPARE(m_workspace->runInBackground(QStringLiteral("torchvision.datasets.SampleImages().classes[9]")).printed,
                 QStringLiteral("'house'"));
    }

    void refusals_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("id");
        QTest::newRow("no such set") << QStringLiteral("torchvision.datasets.CIFAR10(\"/nowhere\").data")
                                     << QStringLiteral("CIF-01");
        QTest::newRow("no such part") << QStringLiteral("torchvision.datasets.SampleImages().images")
                                      << QStringLiteral("EXPR-21");
        QTest::newRow("arguments") << QStringLiteral("torchvision.datasets.SampleImages(3)")
                                   << QStringLiteral("EXPR-22");
        QTest::newRow("no text") << QStringLiteral("torchvision.datasets.CIFAR10(3)") << QStringLiteral("EXPR-22");
        QTest::newRow("no name") << QStringLiteral("x = torchvision.datasets.SampleImages()")
                                 << QStringLiteral("EXPR-23");
        QTest::newRow("other dtype") << QStringLiteral("numpy.fromfile(\"x\", torch.float32)")
                                     << QStringLiteral("EXPR-22");
        QTest::newRow("no such file") << QStringLiteral("numpy.fromfile(\"/nowhere\", numpy.uint8)")
                                      << QStringLiteral("IO-02");
        QTest::newRow("other sets") << QStringLiteral("torchvision.datasets.MNIST(\"x\")") << QStringLiteral("EXPR-21");
    }
    void refusals() {
        QFETCH(QString, line);
        QFETCH(QString, id);
        const quint64 before = m_workspace->stateHash();
        const RunOutcome outcome = m_workspace->runInBackground(line);
        QVERIFY(!outcome.ok && outcome.refusal);
        QCOMPARE(QString::fromStdString(outcome.refusal->id), id);
        QCOMPARE(m_workspace->stateHash(), before);
    }

    /// C2: a batch that was cut off is refused with its numbers, and opened without its last record when that is said.
    void cutBatch() {
        const QString path = m_folder.filePath(QStringLiteral("data_batch_3.bin"));
        write(path, QByteArray::fromStdString(corpus::cifarBinary(10)).chopped(1));
        const OpenedFile refused = openFile(path);
        QVERIFY(refused.refusal && refused.tensors.empty());
        QCOMPARE(QString::fromStdString(refused.refusal->id), QStringLiteral("CIF-02"));
        QVERIFY(refused.refusal->message.find("30729 is not a multiple of 3073") != std::string::npos);
        const auto choices = choicesFor(*refused.refusal);
        QVERIFY(choices && !choices->wholeFile);
        const OpenedFile opened = openFile(path, {}, *choices);
        QVERIFY(!opened.refusal);
        QCOMPARE(opened.tensors[0].tensor.shape(), (Dims{9, 3, 32, 32}));
        QVERIFY(opened.notes.first().contains(QStringLiteral("3072 B")));
        // Its line gives the same.
        QVERIFY(m_workspace->runInBackground(QStringLiteral("c = ") + opened.tensors[0].code).ok);
        QCOMPARE(m_model->snapshot()->tensors[0].tensor.shape(), (Dims{9, 3, 32, 32}));
    }

    /// What a file's records are is told by them, not by its name.
    void cutBatchOfAnyName() {
        const QString path = m_folder.filePath(QStringLiteral("short.dat"));
        for (const bool hundred : {false, true}) {
            const QByteArray whole =
                QByteArray::fromStdString(hundred ? corpus::cifar100Binary(10) : corpus::cifarBinary(10));
            write(path, whole.chopped(1));
            const OpenedFile refused = openFile(path);
            QVERIFY(refused.refusal && refused.tensors.empty());
            QCOMPARE(QString::fromStdString(refused.refusal->id), QStringLiteral("CIF-02"));
            QCOMPARE(QString::fromStdString(refused.refusal->message),
                     QStringLiteral("The length %1 is not a multiple of %2 (last record %3 B)")
                         .arg(whole.size() - 1)
                         .arg(hundred ? 3074 : 3073)
                         .arg(hundred ? 3073 : 3072));
            QVERIFY(refused.refusal->hint.find("9 whole records") != std::string::npos);
            const auto choices = choicesFor(*refused.refusal);
            QVERIFY(choices && !choices->wholeFile);
            QCOMPARE(openFile(path, {}, *choices).tensors[0].tensor.shape(), (Dims{9, 3, 32, 32}));
        }
        // Nor are other bytes taken for records: zeros, and small numbers alone.
        QByteArray numbers(3073 * 4 + 5, '\0');
        write(path, numbers);
        QCOMPARE(QString::fromStdString(openFile(path).refusal->id), QStringLiteral("IO-09"));
        for (qsizetype i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<char>(i % 7);
        write(path, numbers);
        QCOMPARE(QString::fromStdString(openFile(path).refusal->id), QStringLiteral("IO-09"));
    }

    /// C8: the right name with other content is not loaded unless that is said; C6: nothing is written beside it.
    void wrongSum() {
        const QString folder = m_folder.filePath(QStringLiteral("cifar-100-python"));
        QVERIFY(QDir().mkpath(folder));
        write(folder + QStringLiteral("/train"), QByteArray::fromStdString(corpus::cifarPickle(4, "fine_labels")));
        const QString root = m_folder.path();
        const OpenedFile refused = openFile(folder);
        QVERIFY(refused.refusal);
        QCOMPARE(QString::fromStdString(refused.refusal->id), QStringLiteral("CIF-04"));
        QVERIFY(refused.refusal->message.find("16019d7e3df5f24257cddd939b257f8d") != std::string::npos);
        const auto choices = choicesFor(*refused.refusal);
        QVERIFY(choices && !choices->verified);
        const OpenedFile opened = openFile(folder, {}, *choices);
        QVERIFY2(!opened.refusal, opened.refusal ? opened.refusal->message.c_str() : "");
        QCOMPARE(opened.tensors[0].tensor.shape(), (Dims{4, 32, 32, 3}));
        QCOMPARE(opened.tensors[1].tensor.shape(), (Dims{4}));
        QCOMPARE(QDir(folder).entryList(QDir::Files), QStringList{QStringLiteral("train")});
    }

    /// Pictures of a folder as one tensor; folders inside are their classes.
    void folders() {
        const QString root = m_folder.filePath(QStringLiteral("pets"));
        const auto picture = [&](const QString& name, QSize size, QRgb colour) {
            QVERIFY(QDir().mkpath(QFileInfo(name).path()));
            QImage image(size, QImage::Format_RGB32);
            image.fill(colour);
            QVERIFY(image.save(name));
        };
        for (int i = 0; i < 3; ++i) {
            picture(root + QStringLiteral("/cat/%1.png").arg(i), {7, 5}, qRgb(10 + i, 20, 30));
            picture(root + QStringLiteral("/dog/%1.png").arg(i), {7, 5}, qRgb(200 + i, 20, 30));
        }
        picture(root + QStringLiteral("/dog/large.png"), {9, 9}, qRgb(1, 2, 3));
        write(root + QStringLiteral("/dog/notes.txt"), "no picture");
        const OpenedFile opened = openFile(root);
        QVERIFY2(!opened.refusal, opened.refusal ? opened.refusal->message.c_str() : "");
        QCOMPARE(opened.tensors[0].tensor.shape(), (Dims{6, 5, 7, 3}));
        QCOMPARE(opened.tensors[1].tensor.shape(), (Dims{6}));
        const Index at[] = {4, 2, 3, 0}, label[] = {4};
        QCOMPARE(readElement(opened.tensors[0].tensor, at).toInt(), Index{201});
        QCOMPARE(readElement(opened.tensors[1].tensor, label).toInt(), Index{1});
        const QString notes = opened.notes.join(QLatin1Char(' '));
        QVERIFY2(notes.contains(QStringLiteral("1 picture of another size was left out; most have [5, 7, 3].")) &&
                     notes.contains(QStringLiteral("1 other file was passed over.")),
                 qPrintable(notes));
        // One folder alone has no classes.
        const OpenedFile cats = openFile(root + QStringLiteral("/cat"));
        QCOMPARE(cats.tensors.size(), std::size_t{1});
        QCOMPARE(cats.tensors[0].tensor.shape(), (Dims{3, 5, 7, 3}));
        QVERIFY(QDir().mkpath(m_folder.filePath(QStringLiteral("nothing"))));
        QCOMPARE(QString::fromStdString(openFile(m_folder.filePath(QStringLiteral("nothing"))).refusal->id),
                 QStringLiteral("OPEN-03"));
    }

    /// C8 for a file or an archive alone: opened as unverified it says so.
    void wrongSumOfOneFile_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("batch") << QStringLiteral("data_batch_1") << QByteArray::fromStdString(corpus::cifarPickle(3));
        QTest::newRow("archive") << QStringLiteral("cifar-10-binary.tar.gz")
                                 << QByteArray::fromStdString(corpus::gzipped(corpus::trainEntries(1, true)));
    }
    void wrongSumOfOneFile() {
        QFETCH(QString, name);
        QFETCH(QByteArray, content);
        const QString path = m_folder.filePath(name);
        write(path, content);
        const OpenedFile refused = openFile(path);
        QVERIFY(refused.refusal && refused.tensors.empty());
        QCOMPARE(QString::fromStdString(refused.refusal->id), QStringLiteral("CIF-04"));
        const auto choices = choicesFor(*refused.refusal);
        QVERIFY(choices && !choices->verified);
        const OpenedFile opened = openFile(path, {}, *choices);
        QVERIFY2(!opened.refusal && !opened.runnable, opened.refusal ? opened.refusal->message.c_str() : "");
        QVERIFY2(opened.notes.join(QLatin1Char(' ')).contains(QStringLiteral("unverified")),
                 qPrintable(opened.notes.join(QLatin1Char(' '))));
        QVERIFY(QFile::remove(path));
    }

    /// C3: the records whose labels are none are told, and kept.
    void labelsThatAreNone() {
        std::string records = corpus::cifarBinary(6);
        records[3073 * 2] = 17;
        records[3073 * 5] = static_cast<char>(255);
        const QString path = m_folder.filePath(QStringLiteral("data_batch_3.bin"));
        write(path, QByteArray::fromStdString(records));
        const OpenedFile opened = openFile(path);
        QVERIFY(!opened.refusal);
        QCOMPARE(opened.tensors[0].tensor.shape(), (Dims{6, 3, 32, 32}));
        QCOMPARE(opened.notes.size(), qsizetype{1});
        QVERIFY2(opened.notes[0].contains(QStringLiteral("record 2 has label 17, record 5 has label 255")),
                 qPrintable(opened.notes[0]));
        write(path, QByteArray::fromStdString(corpus::cifarBinary(6)));
        QVERIFY(openFile(path).notes.isEmpty());
    }

    /// A file is opened by mapping it: what is looked at does not grow with it.
    void aLargeFileIsNotReadThrough() {
        const QString path = m_folder.filePath(QStringLiteral("data_batch_4.bin"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.resize(qint64{3073} * 60'000)); // sparse
        const auto put = [&](qint64 record, char label) {
            return file.seek(record * 3073) && file.write(&label, 1) == 1;
        };
        QVERIFY(put(49'999, 17) && put(50'000, 18));
        file.close();
        const OpenedFile opened = openFile(path);
        QVERIFY(!opened.refusal);
        QCOMPARE(opened.tensors[0].tensor.shape(), (Dims{60'000, 3, 32, 32}));
        const QString notes = opened.notes.join(QLatin1Char(' '));
        QVERIFY2(notes.contains(QStringLiteral("record 49999 has label 17")), qPrintable(notes));
        QVERIFY2(!notes.contains(QStringLiteral("50000")), qPrintable(notes));
        QVERIFY(QFile::remove(path));
    }

    /// C4: a pickle that would run a command is refused with the command's name, and runs nothing.
    void pickleThatRunsACommand() {
        const QString path = m_folder.filePath(QStringLiteral("data_batch_2")),
                      canary = m_folder.filePath(QStringLiteral("canary"));
        const QByteArray command = "touch " + canary.toUtf8();
        write(path,
              QByteArray("\x80\x02") + "cposix\nsystem\nU" + static_cast<char>(command.size()) + command + "\x85R.");
        const OpenedFile refused = openFile(path);
        QVERIFY(refused.refusal && refused.tensors.empty());
        QVERIFY2(refused.refusal->message.find("posix.system") != std::string::npos, refused.refusal->message.c_str());
        QVERIFY(refused.refusal->hint.find("binary version") != std::string::npos);
        QVERIFY(!QFile::exists(canary));
    }

    /// A pickle of anything else is refused as before.
    void otherPickles() {
        const QString path = m_folder.filePath(QStringLiteral("x.pkl"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(corpus::pickled(corpus::pickleLabels(2))));
        file.close();
        QCOMPARE(QString::fromStdString(openFile(path).refusal->id), QStringLiteral("IO-09"));
    }

private:
    static void write(const QString& path, const QByteArray& bytes) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    }

    QTemporaryDir m_folder;
    std::unique_ptr<WorkspaceModel> m_model;
    std::unique_ptr<Workspace> m_workspace;
};

QTEST_MAIN(TestImageFiles)
#include "tst_image_files.moc"
