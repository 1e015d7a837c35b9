#include "core/io/file_kind.h"
#include "tests/core/io/npz_corpus.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <sys/stat.h>

using namespace stridescope;
namespace fs = std::filesystem;

Q_DECLARE_METATYPE(stridescope::FileKind)

class TestFileKind : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void kinds_data() {
        using namespace std::string_literals;
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<FileKind>("kind");
        QTest::addColumn<bool>("openable");
        QTest::addColumn<QString>("mentions");
        const auto row = [](const char* name, const std::string& content, FileKind kind, bool openable,
                            const char* mentions = "") {
            QTest::newRow(name) << QByteArray::fromStdString(content) << kind << openable
                                << QString::fromUtf8(mentions);
        };
        row("empty", "", FileKind::Empty, false, "empty");
        row("npy", corpus::arrayOf(3), FileKind::Npy, true);
        row("npz", corpus::zip({{"a.npy", corpus::arrayOf(3)}}), FileKind::Npz, true);
        row("zip", corpus::zip({{"a.txt", "hello"}}), FileKind::Zip, false, "zip archive without arrays");
        row("empty zip", corpus::zip({}), FileKind::Zip, false, "zip archive");
        row("torch checkpoint", corpus::zip({{"archive/data.pkl", "x"}, {"archive/data/0", "y"}}),
            FileKind::TorchCheckpoint, false, "PyTorch checkpoint (pickle); not opened");
        row("old torch checkpoint", "\x80\x02\x8a\nl\xfc\x9c\x46\xf9 j\xa8P\x19.\x80\x02M\xe9\x03.",
            FileKind::TorchCheckpoint, false, "PyTorch checkpoint");
        row("pickle", "\x80\x04\x95....", FileKind::Pickle, false, "Python pickle; not opened");
        row("png", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR"s, FileKind::Png, true);
        row("half of the png magic", "\x89PN", FileKind::Unknown, false, "89 50 4e");
        row("jpeg", "\xff\xd8\xff\xe0\0\x10JFIF"s, FileKind::Jpeg, true);
        row("bmp",
            "BM" + corpus::littleEndian(70, 4) + corpus::littleEndian(0, 4) + corpus::littleEndian(54, 4) +
                corpus::littleEndian(40, 4),
            FileKind::Bmp, true);
        row("text that begins with BM", "BMW and others, a text of some length", FileKind::Text, false, "plain text");
        row("ppm", "P6\n2 2\n255\n............", FileKind::Pnm, true);
        row("pgm", "P2 2 2 255 1 2 3 4", FileKind::Pnm, true);
        row("P4", "P4\n8 8\n", FileKind::Text, false, "plain text is not supported");
        row("gif", "GIF89a........", FileKind::Gif, false, "GIF is not supported");
        row("tiff", "II*\0........"s, FileKind::Tiff, false, "TIFF");
        row("webp", "RIFF....WEBPVP8 ", FileKind::WebP, false, "WebP");
        row("svg", "<?xml version='1.0'?>\n<svg xmlns='http://www.w3.org/2000/svg'/>", FileKind::Svg, false,
            "SVG is not supported");
        row("hdf5", "\x89HDF\r\n\x1a\n....", FileKind::Hdf5, false, "HDF5");
        row("gzip", "\x1f\x8b\x08\0...."s, FileKind::Gzip, false, "gzip");
        row("safetensors",
            corpus::littleEndian(60, 8) + "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}",
            FileKind::Safetensors, true);
        row("csv", "a,b,c\n1,2,3\n", FileKind::Text, false, "plain text");
        row("utf-8 text", "größe", FileKind::Text, false);
        row("text cut in a character", std::string(kFileKindBytes - 1, 'a') + "ß", FileKind::Text, false);
        row("unknown", "\x01\x02\x03\xfe\xff rubbish", FileKind::Unknown, false,
            "first bytes are 01 02 03 fe ff 20 72 75 (\"..... ru\")");
        row("null bytes", std::string(100, '\0'), FileKind::Unknown, false, "00 00");
    }
    void kinds() {
        QFETCH(QByteArray, content);
        QFETCH(FileKind, kind);
        QFETCH(bool, openable);
        QFETCH(QString, mentions);
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "wrong.ending";
        std::ofstream(path, std::ios::binary).write(content.constData(), content.size());
        const auto told = fileKindOf(path);
        QVERIFY(told.ok());
        QCOMPARE(QString::fromStdString(describe(*told)), QString::fromStdString(describe(kind)));
        QVERIFY(*told == kind);
        const auto opened = openableKindOf(path);
        QCOMPARE(opened.ok(), openable);
        if (opened) return;
        QCOMPARE(QString::fromStdString(opened.refusal().id), QStringLiteral("IO-09"));
        QVERIFY2(QString::fromStdString(opened.refusal().message).contains(mentions), opened.refusal().message.c_str());
        QVERIFY(opened.refusal().message.size() <= 140);
    }

    void notAFile() {
        QTemporaryDir folder;
        const fs::path at = folder.path().toStdString();
        QCOMPARE(::mkfifo((at / "fifo").c_str(), 0600), 0);
        QCOMPARE(QString::fromStdString(fileKindOf(at / "fifo").refusal().id), QStringLiteral("IO-01"));
        QCOMPARE(QString::fromStdString(openableKindOf(at).refusal().id), QStringLiteral("IO-01"));
        QCOMPARE(QString::fromStdString(openableKindOf(at / "none").refusal().id), QStringLiteral("IO-02"));
    }

    void damagedArchiveKeepsItsReader() {
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "cut.npz";
        const std::string whole = corpus::zip({{"a.npy", corpus::arrayOf(3)}});
        std::ofstream(path, std::ios::binary).write(whole.data(), static_cast<std::streamsize>(whole.size() - 1));
        QVERIFY(*openableKindOf(path) == FileKind::Npz);
    }
};

QTEST_GUILESS_MAIN(TestFileKind)
#include "tst_file_kind.moc"
