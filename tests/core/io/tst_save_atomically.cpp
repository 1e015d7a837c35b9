#include "core/io/file_calls.h"
#include "core/io/save_atomically.h"

#include <QTemporaryDir>
#include <QTest>

#include <cerrno>
#include <fstream>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace stridescope;
namespace fs = std::filesystem;

namespace {

std::string fileText(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::span<const std::byte> bytesOf(const std::string& text) {
    return std::as_bytes(std::span(text));
}

/// Something that is not all the same and ends at an odd place.
std::string content(std::size_t size, unsigned seed) {
    std::string out(size, '\0');
    for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<char>((i * 131 + seed) ^ (i >> 9));
    return out;
}

int entriesIn(const fs::path& folder) {
    int count = 0;
    for (const auto& entry : fs::directory_iterator(folder)) count += !entry.path().empty();
    return count;
}

// The hook is a plain function: what it shall do stands here.
int g_calls = 0, g_failAt = 0, g_error = 0;
std::size_t g_writeAtMost = SIZE_MAX;
std::vector<std::string> g_names;

io::calls::Verdict hook(const char* call) {
    g_names.push_back(call);
    return {++g_calls == g_failAt ? g_error : 0, g_writeAtMost};
}

class Hooked {
public:
    Hooked(int failAt, int error, std::size_t writeAtMost = SIZE_MAX) {
        g_calls = 0;
        g_failAt = failAt;
        g_error = error;
        g_writeAtMost = writeAtMost;
        g_names.clear();
        io::calls::setHookForTesting(&hook);
    }
    ~Hooked() { io::calls::setHookForTesting(nullptr); }
};

/// A file system in memory of so many bytes, or the reason why there is none.
class TinyDisk {
public:
    explicit TinyDisk(std::size_t bytes) : m_path(m_folder.path().toStdString()) {
        const std::string options = "size=" + std::to_string(bytes);
        m_mounted = ::mount("tmpfs", m_path.c_str(), "tmpfs", 0, options.c_str()) == 0;
    }
    ~TinyDisk() {
        if (m_mounted) ::umount2(m_path.c_str(), MNT_DETACH);
    }
    bool mounted() const { return m_mounted; }
    const fs::path& path() const { return m_path; }
    /// Another size, as if others filled or freed the disk.
    bool resize(std::size_t bytes) {
        const std::string options = "size=" + std::to_string(bytes);
        return ::mount("tmpfs", m_path.c_str(), "tmpfs", MS_REMOUNT, options.c_str()) == 0;
    }

private:
    QTemporaryDir m_folder;
    fs::path m_path;
    bool m_mounted = false;
};

/// The thread of the test as somebody who is not root, so that permissions count.
class NotRoot {
public:
    NotRoot() : m_changed(::geteuid() == 0 && ::seteuid(65534) == 0) {}
    ~NotRoot() {
        if (m_changed && ::seteuid(0) != 0) std::abort();
    }

private:
    bool m_changed;
};

} // namespace

class TestSaveAtomically : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void newAndOver() {
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "x.bin";
        for (const std::size_t size :
             {std::size_t{0}, std::size_t{1}, std::size_t{1} << 20, (std::size_t{3} << 20) + 17}) {
            const std::string text = content(size, 1);
            const auto saved = saveAtomically(path, bytesOf(text));
            QVERIFY(saved.ok());
            QCOMPARE(saved->bytes, static_cast<std::uint64_t>(size));
            QVERIFY(saved->durable);
            QVERIFY(fileText(path) == text);
            QCOMPARE(entriesIn(path.parent_path()), 1);
            Fingerprint fingerprint;
            fingerprint.add(bytesOf(text));
            QCOMPARE(saved->fingerprint, fingerprint.value());
        }
    }

    void permissionsAreKept() {
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "x.bin";
        const mode_t mask = ::umask(027);
        QVERIFY(saveAtomically(path, bytesOf("new")).ok());
        ::umask(mask);
        struct stat status;
        QCOMPARE(::stat(path.c_str(), &status), 0);
        QCOMPARE(status.st_mode & 07777u, 0640u);
        QCOMPARE(::chmod(path.c_str(), 0604), 0);
        QVERIFY(saveAtomically(path, bytesOf("again")).ok());
        QCOMPARE(::stat(path.c_str(), &status), 0);
        QCOMPARE(status.st_mode & 07777u, 0604u);
    }

    void linksAreFollowed() {
        QTemporaryDir folder;
        const fs::path at = folder.path().toStdString();
        fs::create_directory(at / "real");
        QVERIFY(saveAtomically(at / "real" / "x.bin", bytesOf("old")).ok());
        fs::create_symlink("real/x.bin", at / "link");
        const auto saved = saveAtomically(at / "link", bytesOf("new"));
        QVERIFY(saved.ok());
        QVERIFY(fs::is_symlink(at / "link"));
        QVERIFY(fileText(at / "real" / "x.bin") == "new");
        fs::create_symlink("loop", at / "loop");
        QCOMPARE(QString::fromStdString(saveAtomically(at / "loop", bytesOf("x")).refusal().id),
                 QStringLiteral("IO-04"));
    }

    void refusedTargets_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("id");
        QTest::newRow("folder") << QStringLiteral("folder") << QStringLiteral("IO-16");
        QTest::newRow("FIFO") << QStringLiteral("fifo") << QStringLiteral("IO-16");
        QTest::newRow("no folder") << QStringLiteral("none/x") << QStringLiteral("IO-02");
        QTest::newRow("file as folder") << QStringLiteral("file/x") << QStringLiteral("IO-02");
        QTest::newRow("name too long") << QString(256, QLatin1Char('n')) << QStringLiteral("IO-16");
    }
    void refusedTargets() {
        QFETCH(QString, path);
        QFETCH(QString, id);
        QTemporaryDir folder;
        const fs::path at = folder.path().toStdString();
        fs::create_directory(at / "folder");
        QCOMPARE(::mkfifo((at / "fifo").c_str(), 0600), 0);
        std::ofstream(at / "file") << "x";
        const auto saved = saveAtomically(at / path.toStdString(), bytesOf("content"));
        QVERIFY(!saved.ok());
        QCOMPARE(QString::fromStdString(saved.refusal().id), id);
        QVERIFY(saved.refusal().message.size() <= 140);
        QCOMPARE(entriesIn(at), 3);
    }

    void longestNameFits() {
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / std::string(255, 'n');
        QVERIFY(saveAtomically(path, bytesOf("content")).ok());
        QVERIFY(fileText(path) == "content");
    }

    void readOnlyFolder() {
        QTemporaryDir folder;
        const fs::path at = fs::path(folder.path().toStdString()) / "locked";
        fs::create_directory(at);
        std::ofstream(at / "x") << "old";
        QCOMPARE(::chmod(folder.path().toUtf8().constData(), 0755), 0);
        QCOMPARE(::chmod(at.c_str(), 0555), 0);
        {
            const NotRoot notRoot;
            const auto saved = saveAtomically(at / "x", bytesOf("a new content"));
            QVERIFY(!saved.ok());
            QCOMPARE(QString::fromStdString(saved.refusal().id), QStringLiteral("IO-10"));
            QVERIFY2(saved.refusal().message.find("needs 13 B, free ") != std::string::npos,
                     saved.refusal().message.c_str());
        }
        QVERIFY(fileText(at / "x") == "old");
        ::chmod(at.c_str(), 0755);
    }

    void producerRefusesOrStops() {
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "x.bin";
        QVERIFY(saveAtomically(path, bytesOf("old")).ok());
        const auto refused = saveAtomically(path, [](ByteSink& sink) -> std::optional<Refusal> {
            sink.write(bytesOf("half"));
            return Refusal{ErrorKind::Value, "OWN-01", "no more", "", {}};
        });
        QCOMPARE(QString::fromStdString(refused.refusal().id), QStringLiteral("OWN-01"));
        QVERIFY(fileText(path) == "old");
        SaveOptions options;
        std::uint64_t last = 0, total = 0;
        options.progress = [&](std::uint64_t done, std::uint64_t all) {
            last = done;
            total = all;
            return done < (1u << 20);
        };
        const auto cancelled = saveAtomically(path, bytesOf(content(5 << 20, 3)), options);
        QCOMPARE(QString::fromStdString(cancelled.refusal().id), QStringLiteral("IO-08"));
        QCOMPARE(last, std::uint64_t{1} << 20);
        QCOMPARE(total, std::uint64_t{10} << 20); // written, then read back
        QVERIFY(fileText(path) == "old");
        QCOMPARE(entriesIn(path.parent_path()), 1);
    }

    void moreThanThereIs() {
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "x.bin";
        SaveOptions options;
        options.expectedBytes = std::uint64_t{1} << 60;
        bool asked = false;
        const auto saved = saveAtomically(
            path,
            [&](ByteSink&) -> std::optional<Refusal> {
                asked = true;
                return std::nullopt;
            },
            options);
        QCOMPARE(QString::fromStdString(saved.refusal().id), QStringLiteral("IO-11"));
        QVERIFY(saved.refusal().message.find("needs 1.15 EB, free ") != std::string::npos);
        QVERIFY(!asked);
        QCOMPARE(entriesIn(path.parent_path()), 0);
    }

    /// The n-th system call fails, for every n: the old file or the new one, never half, and nothing left behind.
    void everyCallFails_data() {
        QTest::addColumn<int>("error");
        QTest::newRow("ENOSPC") << ENOSPC;
        QTest::newRow("EIO") << EIO;
        QTest::newRow("EACCES") << EACCES;
        QTest::newRow("EDQUOT") << EDQUOT;
    }
    void everyCallFails() {
        QFETCH(int, error);
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "x.bin";
        const std::string before = content(5000, 1), after = content((2 << 20) + 333, 2);
        int refused = 0, n = 1;
        for (;; ++n) {
            QVERIFY(saveAtomically(path, bytesOf(before)).ok());
            const Hooked hooked(n, error);
            const auto saved = saveAtomically(path, bytesOf(after));
            const bool reached = g_calls >= n;
            QVERIFY(fileText(path) == (saved ? after : before));
            QCOMPARE(entriesIn(path.parent_path()), 1);
            if (!saved) {
                ++refused;
                QVERIFY(saved.refusal().id.starts_with("IO-1"));
                QVERIFY(saved.refusal().message.size() <= 140);
            } else if (reached) {
                QVERIFY(!saved->durable); // only the folder could not be synced
                QCOMPARE(QByteArray::fromStdString(g_names.back()), QByteArray("fsync"));
            }
            if (!reached) break;
        }
        // create, 3 writes, fsync, close, open, 4 reads, rename, fsync of the folder
        QCOMPARE(n - 1, 13);
        QCOMPARE(refused, 12);
    }

    /// Short counts are what a nearly full disk answers: every byte must still arrive.
    void shortWritesAreContinued() {
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "x.bin";
        const std::string text = content(10000, 5);
        const Hooked hooked(0, 0, 7);
        QVERIFY(saveAtomically(path, bytesOf(text)).ok());
        QVERIFY(fileText(path) == text);
        QVERIFY(g_calls > 10000 / 7);
    }

    void interruptedWriteGoesOn() {
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "x.bin";
        const Hooked hooked(2, EINTR);
        QVERIFY(saveAtomically(path, bytesOf("content")).ok());
        QVERIFY(fileText(path) == "content");
    }

    /// What comes back from the disk is not what was written.
    void damageIsSeen() {
        QTemporaryDir folder;
        const fs::path at = folder.path().toStdString();
        const fs::path path = at / "x.bin";
        QVERIFY(saveAtomically(path, bytesOf("old")).ok());
        for (const bool shorter : {false, true}) {
            SaveOptions options;
            const std::string text = content(100000, 9);
            bool damaged = false;
            options.progress = [&](std::uint64_t done, std::uint64_t) {
                if (done == text.size() && !damaged) { // all written, not yet read back
                    for (const auto& entry : fs::directory_iterator(at)) {
                        if (entry.path() == path) continue;
                        if (shorter)
                            fs::resize_file(entry.path(), 99999);
                        else
                            std::fstream(entry.path(), std::ios::in | std::ios::out | std::ios::binary)
                                .seekp(50000)
                                .put('!');
                        damaged = true;
                    }
                }
                return true;
            };
            const auto saved = saveAtomically(path, bytesOf(text), options);
            QVERIFY(damaged);
            QVERIFY(!saved.ok());
            QCOMPARE(QString::fromStdString(saved.refusal().id), QStringLiteral("IO-14"));
            QVERIFY(fileText(path) == "old");
            QCOMPARE(entriesIn(at), 1);
        }
    }

    /// Disks from 0 to more than enough in steps of a page (test matrix F2, D1).
    void fullDisk() {
        TinyDisk disk(1 << 20);
        if (!disk.mounted()) QSKIP("cannot mount a tmpfs: not root, or not allowed in this container");
        const fs::path path = disk.path() / "x.bin";
        const std::string before = content(8192, 1), after = content(200000, 2);
        int failed = 0, succeeded = 0;
        for (std::size_t room = 16384; room <= 65536 * 4; room += 4096) {
            QVERIFY(disk.resize(1 << 20));
            QVERIFY(saveAtomically(path, bytesOf(before)).ok());
            QVERIFY(disk.resize(room));
            // Without the size the shortage shows only while writing.
            for (const bool announced : {true, false}) {
                SaveOptions options;
                const auto saved = announced ? saveAtomically(path, bytesOf(after))
                                             : saveAtomically(path, [&](ByteSink& sink) -> std::optional<Refusal> {
                                                   for (std::size_t at = 0; at < after.size(); at += 30000) {
                                                       if (!sink.write(bytesOf(after).subspan(
                                                               at, std::min<std::size_t>(30000, after.size() - at))))
                                                           break;
                                                   }
                                                   return std::nullopt;
                                               });
                QVERIFY(fileText(path) == (saved ? after : before));
                QCOMPARE(entriesIn(disk.path()), 1);
                if (saved) {
                    ++succeeded;
                    break;
                }
                ++failed;
                QCOMPARE(QString::fromStdString(saved.refusal().id), QStringLiteral("IO-11"));
                QVERIFY(saved.refusal().message.find(", free ") != std::string::npos);
            }
        }
        QVERIFY(failed > 50);
        QVERIFY(succeeded > 5);
    }

    /// One write larger than the free space: a short count and no error, which QSaveFile takes for success.
    void oneLargeWriteOnFullDisk() {
        TinyDisk disk(1 << 20);
        if (!disk.mounted()) QSKIP("cannot mount a tmpfs: not root, or not allowed in this container");
        const fs::path path = disk.path() / "x.bin";
        QVERIFY(saveAtomically(path, bytesOf("precious")).ok());
        const std::string large = content(5 << 20, 4);
        const auto saved = saveAtomically(path, [&](ByteSink& sink) -> std::optional<Refusal> {
            sink.write(bytesOf(large));
            return std::nullopt;
        });
        QVERIFY(!saved.ok());
        QCOMPARE(QString::fromStdString(saved.refusal().id), QStringLiteral("IO-11"));
        QVERIFY(fileText(path) == "precious");
        QCOMPARE(entriesIn(disk.path()), 1);
    }

    void folderWithoutSpaceOfItsOwn() {
        // /proc tells a size of 0 bytes: that is not a full disk.
        SaveOptions options;
        options.expectedBytes = 1000;
        const auto saved = saveAtomically(
            "/proc/x.bin", [](ByteSink&) -> std::optional<Refusal> { return std::nullopt; }, options);
        QVERIFY(!saved.ok());
        QCOMPARE(QString::fromStdString(saved.refusal().id), QStringLiteral("IO-10"));
        const QString words = QString::fromStdString(saved.refusal().message);
        QVERIFY2(words.startsWith(QStringLiteral("x.bin: this folder takes no new files")) ||
                     words.contains(QStringLiteral("read-only")),
                 qPrintable(words));
        QVERIFY(!words.contains(QStringLiteral("full")));
    }

    void noMoreHandles() {
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "x.bin";
        QVERIFY(saveAtomically(path, bytesOf("old")).ok());
        struct rlimit old;
        QCOMPARE(::getrlimit(RLIMIT_NOFILE, &old), 0);
        const int lowest = ::dup(0);
        ::close(lowest);
        struct rlimit none = old;
        none.rlim_cur = static_cast<rlim_t>(lowest);
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &none), 0);
        const auto saved = saveAtomically(path, bytesOf("new"));
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &old), 0);
        QVERIFY(!saved.ok());
        QCOMPARE(QString::fromStdString(saved.refusal().id), QStringLiteral("IO-10"));
        QVERIFY(fileText(path) == "old");
    }

    void fingerprintDoesNotSeeCuts() {
        const std::string text = content(1000, 6);
        Fingerprint whole;
        whole.add(bytesOf(text));
        for (std::size_t step = 1; step < 40; ++step) {
            Fingerprint pieces;
            for (std::size_t at = 0; at < text.size(); at += step)
                pieces.add(bytesOf(text).subspan(at, std::min(step, text.size() - at)));
            QCOMPARE(pieces.value(), whole.value());
        }
        for (std::size_t bit = 0; bit < text.size() * 8; ++bit) {
            std::string other = text;
            other[bit / 8] = static_cast<char>(other[bit / 8] ^ (1 << (bit % 8)));
            Fingerprint changed;
            changed.add(bytesOf(other));
            QVERIFY(changed.value() != whole.value());
        }
        Fingerprint longer;
        longer.add(bytesOf(text + std::string(1, '\0')));
        QVERIFY(longer.value() != whole.value());
    }
};

QTEST_GUILESS_MAIN(TestSaveAtomically)
#include "tst_save_atomically.moc"
