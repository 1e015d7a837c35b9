// Sessions: what goes into a file comes out of it, and a hostile file costs nothing.

#include "app/session/locked_file.h"
#include "app/session/state_text.h"
#include "app/workspace/workspace.h"
#include "core/io/file_calls.h"
#include "core/io/json_reader.h"
#include "core/io/npy.h"
#include "core/ops/creation.h"
#include "core/session/session_file.h"
#include "tests/support/instrumented.h"
#include "tests/support/test_paths.h"

#include <QDir>
#include <QFile>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

#include <bit>
#include <fstream>

using namespace stridescope;

namespace {

struct Bench {
    WorkspaceModel model;
    Workspace workspace{&model};
    RunOutcome run(const char* line) { return workspace.run(QString::fromLatin1(line), Naming::Auto); }
    Session session() const {
        Session s = workspace.session();
        [[maybe_unused]] const auto refused = placeStorages(s);
        return s;
    }
};

std::span<const std::byte> bytesOf(const std::string& text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

std::string fileOf(const Session& session) {
    auto bytes = sessionBytes(session, 1 << 20);
    return bytes ? *bytes : std::string();
}

/// A small session with everything in it.
void fill(Bench& b) {
    b.run("A = torch.arange(12).view(3, 4)");
    b.run("B = A.t()");
    b.run("C = A.narrow(1, 1, 2)");
    b.run("D = torch.zeros(2, 3)");
    b.run("E = D > 1");
    b.run("n = 5");
    b.run("t = (1, 2.5, 'a')");
    b.run("C[0, 0] = 99");
    b.workspace.rename(b.model.snapshot()->tensors[3].id, QStringLiteral("weights"));
    b.workspace.moveBefore(b.model.snapshot()->tensors[2].id, b.model.snapshot()->tensors[0].id);
    b.workspace.setOnStage(b.model.snapshot()->tensors[1].id, false);
    const TensorEntry entry = b.model.snapshot()->tensors[2];
    b.model.select(entry.id);
    b.model.setPick(Pick{entry.tensor.storage()->id(), entry.tensor.view().slot(Dims{1, 1}), entry.id, Dims{1, 1}});
}

/// JSON of a session of one storage of 4 bytes, "d", with these tensors.
std::string jsonOf(const std::string& tensors, const std::string& more = {}) {
    return R"({"format":1,"storages":[{"number":1,"dtype":"uint8","bytes":4,"data":"d"}],"tensors":[)" + tensors + "]" +
           more + "}";
}

Result<Session> parse(const std::string& json) {
    SessionSources sources;
    sources.data = [](const std::string& name, std::uint64_t bytes) -> Result<StoragePtr> {
        if (name != "d" || bytes > 1024) return Refusal{ErrorKind::Io, "SES-04", "not there", {}, {}};
        const Tensor t = zeros({static_cast<Index>(bytes)}, {DType::UInt8, Device{}});
        if (bytes > 3) t.storage()->data()[3] = std::byte{7};
        return t.storage();
    };
    return parseSession(json, sources);
}

const char* const kGood = R"({"id":1,"name":"A","code":"x","origin":0,"storage":1,"dtype":"uint8","shape":[4],)"
                          R"("stride":[1],"offset":0,"shown":true})";

std::string good() {
    return kGood;
}

std::string with(const std::string& from, const std::string& to) {
    std::string text = kGood;
    const std::size_t at = text.find(from);
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

int s_failAt = -1, s_calls = 0;
io::calls::Verdict failNth(const char* call) {
    if (s_calls++ != s_failAt) return {};
    return {std::string_view(call) == "write" ? ENOSPC : EIO, SIZE_MAX};
}

} // namespace

class TestSession : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everythingComesBack() {
        QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("x.stridescope")).toStdString();
        Bench a;
        fill(a);
        Session session = a.session();
        session.look["heat"] = "1";
        session.unknown.emplace_back("later", R"({"a":[1e400,null]})");
        const auto saved = writeSession(session, path);
        QVERIFY2(saved.ok(), saved ? "" : saved.refusal().message.c_str());
        const auto opened = openSession(path, false);
        QVERIFY2(opened.ok(), opened ? "" : opened.refusal().message.c_str());
        QVERIFY(opened->notes.empty());
        QCOMPARE(opened->look.at("heat"), std::string("1"));
        QCOMPARE(opened->unknown, session.unknown);
        Bench b;
        b.run("gone = torch.ones(3)");
        b.workspace.restore(*opened, QStringLiteral("it was done before"));
        QCOMPARE(b.workspace.stateHash(), a.workspace.stateHash());
        const auto& entries = b.model.snapshot()->tensors;
        QVERIFY(entries[0].tensor.storage() == entries[1].tensor.storage());
        QVERIFY(entries[0].tensor.storage() == entries[2].tensor.storage());
        QVERIFY(entries[3].tensor.storage() != entries[0].tensor.storage());
        QCOMPARE(b.model.selected()->name, a.model.selected()->name);
        QCOMPARE(b.model.selection().pick->coord, (Dims{1, 1}));
        QCOMPARE(b.workspace.position(), a.workspace.position());
        for (int i = 0; i < a.workspace.position(); ++i)
            QCOMPARE(b.workspace.steps()[static_cast<std::size_t>(i)].code,
                     a.workspace.steps()[static_cast<std::size_t>(i)].code);
        QVERIFY(!b.workspace.isModified());
        // The past cannot be undone, and says why; what is done now can.
        QVERIFY(!b.workspace.canUndo());
        QString why;
        QVERIFY(!b.workspace.jump(0, &why));
        QVERIFY2(why.contains(QStringLiteral("it was done before")), qPrintable(why));
        const quint64 before = b.workspace.stateHash();
        QVERIFY(b.run("F = weights + n").ok);
        QVERIFY(b.run("A[0, 0] = -1").ok);
        QVERIFY(b.workspace.undo() && b.workspace.undo());
        QCOMPARE(b.workspace.stateHash(), before);
    }

    void valuesStayBitForBit() {
        Bench a;
        a.run("A = torch.zeros(6, dtype=torch.float64)");
        a.run("B = torch.zeros(4, dtype=torch.float16)");
        a.run("C = torch.zeros(3, dtype=torch.complex64)");
        a.run("big = -9223372036854775808");
        const std::uint64_t odd[] = {0x7ff8000000001234, 0xfff4deadbeef0001, 0x8000000000000000, 1,
                                     0x7ff0000000000000, 0x000fffffffffffff};
        auto& entries = a.model.snapshot()->tensors;
        std::memcpy(entries[0].tensor.storage()->data(), odd, sizeof odd);
        std::memset(entries[1].tensor.storage()->data(), 0xFD, entries[1].tensor.storage()->bytes());
        std::memset(entries[2].tensor.storage()->data(), 0xFF, entries[2].tensor.storage()->bytes());
        Session session = a.session();
        const double payload = std::bit_cast<double>(std::uint64_t{0x7ff8000000005678});
        session.values.emplace_back("x", expr::Value(payload));
        const auto read = sessionFromBytes(bytesOf(fileOf(session)), false);
        QVERIFY2(read.ok(), read ? "" : read.refusal().message.c_str());
        for (std::size_t i = 0; i < 3; ++i) {
            const Storage &was = *entries[i].tensor.storage(), &is = *read->tensors[i].tensor.storage();
            QCOMPARE(is.bytes(), was.bytes());
            QVERIFY(std::memcmp(is.data(), was.data(), was.bytes()) == 0);
        }
        QVERIFY(!read->values.empty());
        QCOMPARE(std::bit_cast<std::uint64_t>(read->values.back().second.as<Scalar>()->toDouble()),
                 std::uint64_t{0x7ff8000000005678});
    }

    void oddLayoutsComeBack_data() {
        QTest::addColumn<QString>("line");
        for (const char* line :
             {"A = torch.arange(6).as_strided((2, 2), (1, 1), 1)", "A = torch.ones(1).expand(5)", "A = torch.zeros(0)",
              "A = torch.zeros(2, 0, 3)", "A = torch.tensor(3.5)", "A = torch.tensor([True, False])",
              "A = torch.arange(24).view(2, 3, 4)[:, ::2, 1:]", "A = torch.zeros(1, 1, 1, 1, 1, 1, 1, 1)"})
            QTest::newRow(line) << QString::fromLatin1(line);
    }
    void oddLayoutsComeBack() {
        QFETCH(QString, line);
        Bench a, b;
        QVERIFY(a.workspace.run(line, Naming::Auto).ok);
        const auto read = sessionFromBytes(bytesOf(fileOf(a.session())), false);
        QVERIFY2(read.ok(), read ? "" : read.refusal().message.c_str());
        b.workspace.restore(*read, {});
        QCOMPARE(b.workspace.stateHash(), a.workspace.stateHash());
        QCOMPARE(b.model.snapshot()->tensors[0].tensor.view(), a.model.snapshot()->tensors[0].tensor.view());
    }

    void hostileJsonIsRefused_data() {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const std::string& json, const char* id, const char* words = "") {
            QTest::newRow(name) << QByteArray::fromStdString(json) << QString::fromLatin1(id)
                                << QString::fromLatin1(words);
        };
        row("empty", "", "SES-01", "line 1 column 1");
        row("byte order mark", "\xEF\xBB\xBF" + jsonOf(good()), "SES-01", "line 1 column 1");
        row("no format", "{}", "SES-02");
        row("format 0", R"({"format":0})", "SES-02", "format 0");
        row("a member twice", R"({"format":1,
 "format":1})",
            "SES-01", "line 2");
        row("not UTF-8", jsonOf(good(), ",\"look\":{\"a\":\"\xFF\"}"), "SES-01", "UTF-8");
        row("100,000 deep", jsonOf(good(), ",\"later\":" + std::string(100'000, '[')), "SES-01", "deep");
        row("values too deep",
            jsonOf(
                good(), R"(,"values":[{"name":"x","value":)" +
                            [] {
                                std::string text;
                                for (int i = 0; i < 40; ++i) text += "{\"list\":[";
                                return text;
                            }()),
            "SES-01", "deep");
        row("a number above 64 bits", jsonOf(with("\"id\":1", "\"id\":99999999999999999999")), "SES-01", "2^63");
        row("a count as a float", jsonOf(with("[4]", "[1e400]")), "SES-01");
        row("65 dims",
            jsonOf(with(
                "[4]", "[" +
                           [] {
                               std::string ones = "1";
                               for (int i = 0; i < 64; ++i) ones += ",1";
                               return ones;
                           }() +
                           "]")),
            "SES-01", "64");
        row("something behind it", jsonOf(good()) + "x", "SES-01", "follows");
        row("tensors first", R"({"format":1,"tensors":[]})", "SES-01", "before");
        row("a storage twice",
            R"({"format":1,"storages":[{"number":1,"dtype":"uint8","bytes":4,"data":"d"},)"
            R"({"number":1,"dtype":"uint8","bytes":4,"data":"d"}]})",
            "SES-04", "Storage 1");
        row("a storage of 10^18 bytes",
            R"({"format":1,"storages":[{"number":1,"dtype":"uint8","bytes":1000000000000000000,"data":"d"}]})",
            "SES-04");
        row("too many steps",
            jsonOf(
                good(), ",\"history\":[" +
                            [] {
                                std::string steps = "{}";
                                for (int i = 0; i < 10'000; ++i) steps += ",{}";
                                return steps;
                            }() +
                            "]"),
            "SES-03", "10000");
    }
    void hostileJsonIsRefused() {
        QFETCH(QByteArray, json);
        QFETCH(QString, id);
        QFETCH(QString, words);
        const auto read = parse(json.toStdString());
        QVERIFY(!read.ok());
        QCOMPARE(QString::fromStdString(read.refusal().id), id);
        const QString message = QString::fromStdString(read.refusal().message);
        QVERIFY2(message.contains(words), qPrintable(message));
        QVERIFY2(message.size() <= 160, qPrintable(message));
    }

    void damagedRecordsAreLeftOutAndTold_data() {
        QTest::addColumn<QByteArray>("tensor");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const std::string& tensor, const char* words) {
            QTest::newRow(name) << QByteArray::fromStdString(tensor) << QString::fromLatin1(words);
        };
        row("one past the end", with("\"offset\":0", "\"offset\":1"), "5");
        row("an offset of 2^63", with("\"offset\":0", "\"offset\":9223372036854770000"), "");
        row("a negative offset", with("\"offset\":0", "\"offset\":-1"), "-1");
        row("sizes of 2^62 twice", with("[4]", "[4611686018427387904]"), "");
        row("two sizes, one stride", with("[4]", "[2,2]"), "");
        row("no stride", with("\"stride\":[1],", ""), "missing");
        row("an unknown dtype", with("\"dtype\":\"uint8\"", "\"dtype\":\"float7\""), "unknown");
        row("a storage that is not there", with("\"storage\":1", "\"storage\":2"), "storage 2");
        row("no name", with("\"name\":\"A\"", "\"name\":\"__import__('os')\""), "no name");
        row("a keyword", with("\"name\":\"A\"", "\"name\":\"lambda\""), "no name");
        row("a bool of 7", with("\"dtype\":\"uint8\"", "\"dtype\":\"bool\""), "7");
        row("number 0", with("\"id\":1", "\"id\":0"), "0");
    }
    void damagedRecordsAreLeftOutAndTold() {
        QFETCH(QByteArray, tensor);
        QFETCH(QString, words);
        const std::string other = with("\"id\":1,\"name\":\"A\"", "\"id\":2,\"name\":\"kept\"");
        const auto read = parse(jsonOf(tensor.toStdString() + "," + other));
        QVERIFY2(read.ok(), read ? "" : read.refusal().message.c_str());
        QCOMPARE(read->tensors.size(), std::size_t{1});
        QCOMPARE(read->tensors[0].name, std::string("kept"));
        QCOMPARE(read->notes.size(), std::size_t{1});
        const QString note = QString::fromStdString(read->notes[0]);
        QVERIFY2(note.contains(QStringLiteral("left out")) && note.contains(words), qPrintable(note));
    }

    void codeIsTextOnly() {
        Bench b;
        const auto read = parse(jsonOf(with("\"code\":\"x\"", "\"code\":\"a\\u202eb\\u001b[2J\""),
                                       R"~(,"history":[{"code":"open('canary','w')"}])~"));
        QVERIFY(read.ok());
        QVERIFY(read->tensors[0].code.find('\x1b') == std::string::npos);
        QVERIFY(read->tensors[0].code.find("\xE2\x80\xAE") == std::string::npos);
        b.workspace.restore(*read, {});
        QVERIFY(!QFile::exists(QStringLiteral("canary")));
        QCOMPARE(b.workspace.steps()[0].code, QStringLiteral("open('canary','w')"));
    }

    void everyTruncationIsRefused() {
        Bench b;
        fill(b);
        const std::string file = fileOf(b.session());
        QVERIFY(sessionFromBytes(bytesOf(file), false).ok());
        for (std::size_t length = 0; length < file.size(); length += test::kInstrumented ? 7 : 1)
            QVERIFY2(!sessionFromBytes(bytesOf(file.substr(0, length)), false).ok(),
                     qPrintable(QString::number(length)));
    }

    void everyFlippedBitIsRefusedOrASession() {
        Bench b;
        fill(b);
        const std::string file = fileOf(b.session());
        int opened = 0;
        for (std::size_t bit = 0; bit < file.size() * 8; bit += test::kInstrumented ? 13 : 1) {
            std::string damaged = file;
            damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
            const auto read = sessionFromBytes(bytesOf(damaged), false);
            if (!read) continue;
            ++opened;
            for (const SessionTensor& tensor : read->tensors) requireInside(tensor.tensor);
            if (opened % 50 == 0) { // what is opened can be worked with
                Bench other;
                other.workspace.restore(*read, {});
                other.workspace.stateHash();
                QVERIFY(other.run("zz = 1").ok);
            }
        }
        QVERIFY(opened > 0); // bits of elements and of titles
    }

    void fullDisksAndOtherFailuresKeepTheOldFile() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("x.stridescope"));
        Bench b;
        b.run("A = torch.arange(1000)");
        QVERIFY(writeSession(b.session(), path.toStdString()).ok());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray old = file.readAll();
        b.run("B = torch.arange(1000000)");
        bool done = false;
        int failures = 0;
        for (s_failAt = 0; !done && s_failAt < 200; ++s_failAt) {
            s_calls = 0;
            io::calls::setHookForTesting(failNth);
            const auto saved = writeSession(b.session(), path.toStdString());
            io::calls::setHookForTesting(nullptr);
            QFile now(path);
            QVERIFY(now.open(QIODevice::ReadOnly));
            if (!saved) {
                ++failures;
                QCOMPARE(now.readAll(), old);
                QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 1);
            }
            done = s_calls <= s_failAt;
        }
        QVERIFY(done);
        QVERIFY(failures > 10);
        QCOMPARE(openSession(path.toStdString(), false)->tensors.size(), std::size_t{2});
    }

    void largeMappedFilesStayWhereTheyAre() {
        QTemporaryDir folder;
        const std::string npy = folder.filePath(QStringLiteral("big.npy")).toStdString();
        const std::string path = folder.filePath(QStringLiteral("x.stridescope")).toStdString();
        const Index count = static_cast<Index>(kSessionLargestCopied / 4) + 1000;
        QVERIFY(writeNpy(ones({count}, {DType::Float32, Device{}}), npy).ok());
        Bench a;
        a.workspace.add({{QStringLiteral("big"), QStringLiteral("numpy.load"), openNpy(npy)->tensor}},
                        QStringLiteral("Open"), QStringLiteral("big.npy"));
        a.run("small = torch.arange(3)");
        QVERIFY(writeSession(a.session(), path).ok());
        QVERIFY(std::filesystem::file_size(path) < 10'000);
        const auto files = openSessionFiles(path);
        QCOMPARE(files->size(), std::size_t{1});
        QCOMPARE(files->front().path, npy);
        // Not looked at unless asked for.
        const auto without = openSession(path, false);
        QCOMPARE(without->tensors.size(), std::size_t{1});
        QCOMPARE(without->notes.size(), std::size_t{1});
        const auto whole = openSession(path, true);
        QVERIFY(whole->notes.empty());
        Bench b;
        b.workspace.restore(*whole, {});
        QCOMPARE(b.workspace.stateHash(), a.workspace.stateHash());
        // Written to, it is nobody's file any more.
        QVERIFY(b.run("big[0] = 5").ok);
        QVERIFY(!b.session().storages[0].file);
        // Changed, shortened, gone: told with the numbers, and the rest opens.
        std::fstream(npy, std::ios::in | std::ios::out | std::ios::binary).seekp(200).put('x');
        const auto changed = openSession(path, true);
        QCOMPARE(changed->tensors.size(), std::size_t{1});
        QVERIFY(changed->notes[0].find("other contents") != std::string::npos);
        std::filesystem::resize_file(npy, 1000);
        const auto shorter = openSession(path, true);
        QVERIFY2(shorter->notes[0].find("1000") != std::string::npos, shorter->notes[0].c_str());
        std::filesystem::remove(npy);
        QCOMPARE(openSession(path, true)->tensors.size(), std::size_t{1});
    }

    void statesAsText() {
        Bench a;
        fill(a);
        const auto text = stateText(a.session());
        QVERIFY2(text.ok(), text ? "" : text.refusal().message.c_str());
        qInfo("a state of %d tensors is a text of %d characters", static_cast<int>(a.model.snapshot()->tensors.size()),
              static_cast<int>(text->size()));
        QVERIFY(text->size() < 2'000);
        QVERIFY(looksLikeStateText(QStringLiteral("  \n") + *text));
        QString broken = *text;
        for (qsizetype i = 60; i < broken.size(); i += 77) broken.insert(i, QStringLiteral("\n "));
        const auto read = sessionFromText(broken);
        QVERIFY2(read.ok(), read ? "" : read.refusal().message.c_str());
        Bench b;
        b.workspace.restore(*read, {});
        QCOMPARE(b.workspace.stateHash(), a.workspace.stateHash());
        for (qsizetype i = 0; i < text->size() - 1; i += 3) { // bits of the last letter may be nobody's
            QString other = *text;
            other[i] = other[i] == QLatin1Char('A') ? QLatin1Char('B') : QLatin1Char('A');
            const auto damaged = sessionFromText(other);
            QVERIFY(!damaged.ok());
            QCOMPARE(QString::fromStdString(damaged.refusal().id), QStringLiteral("SES-10"));
        }
        QVERIFY(!sessionFromText(text->left(text->size() - 1)).ok());
        // "Four gigabytes" in a few letters, with a check that is right.
        const QByteArray packed("\xFF\xFF\xFF\xFF\x78\x9C", 6);
        Fingerprint print;
        print.add(std::as_bytes(std::span(packed.constData(), 6)));
        const QString bomb = QStringLiteral("stridescope:1:%1:%2")
                                 .arg(print.value(), 16, 16, QLatin1Char('0'))
                                 .arg(QString::fromLatin1(packed.toBase64(QByteArray::Base64UrlEncoding)));
        const QString words = QString::fromStdString(sessionFromText(bomb).refusal().message);
        QVERIFY2(words.contains(QStringLiteral("4294967295")), qPrintable(words));
        a.run("big = torch.rand(100000)");
        const auto tooLarge = stateText(a.session());
        QVERIFY(!tooLarge.ok());
        QCOMPARE(QString::fromStdString(tooLarge.refusal().id), QStringLiteral("SES-09"));
    }

    void oneWindowASession() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("x.stridescope"));
        QFile(path).open(QIODevice::WriteOnly);
        QFile::link(path, folder.filePath(QStringLiteral("link")));
        SessionLock first, second;
        QVERIFY(first.take(folder.path(), path));
        qint64 holder = 0;
        QVERIFY(!second.take(folder.path(), folder.filePath(QStringLiteral("link")), &holder));
        QCOMPARE(holder, static_cast<qint64>(QCoreApplication::applicationPid()));
        first.release();
        QVERIFY(second.take(folder.path(), path));
    }

    void laterVersionsAreOpenedAndTheirMembersKept() {
        std::string json = jsonOf(good(), R"(,"colours":{"new":[1,{"x":-1.5e+3}]})");
        json.replace(json.find("\"format\":1"), 10, "\"format\":7");
        const auto read = parse(json);
        QVERIFY(read.ok());
        QCOMPARE(read->format, Index{7});
        QCOMPARE(read->unknown.size(), std::size_t{1});
        QVERIFY(sessionJson(*read).find(R"("colours":{"new":[1,{"x":-1.5e+3}]})") != std::string::npos);
    }

    /// A file that version 0.1.0 wrote: every later one must open it.
    void filesOfEarlierVersions() {
        Bench now;
        fill(now);
        // How such a file is made, once for each version: STRIDESCOPE_WRITE_GOLDEN=FILE tst_session …
        if (const QString to = qEnvironmentVariable("STRIDESCOPE_WRITE_GOLDEN"); !to.isEmpty())
            QVERIFY(writeSession(now.session(), to.toStdString()).ok());
        const auto read = openSession(test::sourcePath("tests/golden/sessions/0.1.0.stridescope"), false);
        QVERIFY2(read.ok(), read ? "" : read.refusal().message.c_str());
        QVERIFY(read->notes.empty());
        Bench b;
        b.workspace.restore(*read, {});
        QCOMPARE(b.workspace.stateHash(), now.workspace.stateHash());
    }
};

QTEST_GUILESS_MAIN(TestSession)
#include "tst_session.moc"
