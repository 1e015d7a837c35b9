#include "core/io/npy.h"
#include "core/storage/mapped_file.h"
#include "tests/core/io/npy_corpus.h"

#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace stridescope;
namespace fs = std::filesystem;

namespace {

constexpr int kEarlierHandler = 77;

void writeText(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
}

std::string fileText(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::uint64_t residentBytes() {
    std::ifstream statm("/proc/self/statm");
    std::uint64_t total = 0, resident = 0;
    statm >> total >> resident;
    return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

unsigned sumOf(std::span<const std::byte> bytes, std::size_t step) {
    unsigned sum = 0;
    for (std::size_t i = 0; i < bytes.size(); i += step) sum += std::to_integer<unsigned>(bytes[i]);
    return sum;
}

} // namespace

class TestMappedFile : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    fs::path at(const char* name) const { return fs::path(m_folder.path().toStdString()) / name; }

private Q_SLOTS:
    void initTestCase() {
        struct sigaction action {};
        action.sa_handler = [](int) { ::_exit(kEarlierHandler); };
        QCOMPARE(::sigaction(SIGBUS, &action, nullptr), 0);
    }

    void readsAndCopiesOnWrite() {
        const std::string text(10000, 'a');
        writeText(at("plain"), text);
        auto file = MappedFile::open(at("plain")).valueOrThrow();
        QCOMPARE(file->bytes().size(), std::size_t{10000});
        QVERIFY(file->isWritable());
        StoragePtr storage = file->storage(100, 200);
        QCOMPARE(QString::fromStdString(storage->kind()), QStringLiteral("mapped file"));
        QCOMPARE(storage->bytes(), std::size_t{200});
        QVERIFY(mappedFileOf(*storage) == file);
        const MappedFile* const address = file.get();
        file.reset();
        storage->data()[0] = std::byte{'b'};
        QCOMPARE(std::to_integer<int>(storage->data()[0]), int{'b'});
        QCOMPARE(std::to_integer<int>(storage->data()[199]), int{'a'});
        QVERIFY(fileText(at("plain")) == text);
        QCOMPARE(mappedFileOf(*storage).get(), address); // the storage keeps it
        std::string own(10, 'x');
        const StoragePtr other = Storage::wrap(own.data(), own.size(), Device{}, nullptr, "heap");
        QVERIFY(!mappedFileOf(*other));
    }

    void emptyFile() {
        writeText(at("empty"), "");
        auto file = MappedFile::open(at("empty")).valueOrThrow();
        QCOMPARE(file->bytes().size(), std::size_t{0});
        QVERIFY(!file->fileChanged());
    }

    void notRegular_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("mentions");
        QTest::newRow("FIFO") << QStringLiteral("fifo") << QStringLiteral("IO-01")
                              << QStringLiteral("not a regular file but a pipe");
        QTest::newRow("folder") << QStringLiteral("folder") << QStringLiteral("IO-01") << QStringLiteral("a folder");
        QTest::newRow("socket") << QStringLiteral("socket") << QStringLiteral("IO-01") << QStringLiteral("a socket");
        QTest::newRow("/dev/zero") << QStringLiteral("/dev/zero") << QStringLiteral("IO-01")
                                   << QStringLiteral("a character device");
        QTest::newRow("link to FIFO") << QStringLiteral("link") << QStringLiteral("IO-01") << QStringLiteral("a pipe");
        QTest::newRow("link loop") << QStringLiteral("loop") << QStringLiteral("IO-04") << QStringLiteral("circle");
        QTest::newRow("missing") << QStringLiteral("missing") << QStringLiteral("IO-02")
                                 << QStringLiteral("no such file");
        QTest::newRow("file as folder") << QStringLiteral("file/x") << QStringLiteral("IO-02")
                                        << QStringLiteral("no such file");
        QTest::newRow("dangling link") << QStringLiteral("dangling") << QStringLiteral("IO-02")
                                       << QStringLiteral("no such file");
        QTest::newRow("name too long") << QString(300, QLatin1Char('n')) << QStringLiteral("IO-05")
                                       << QStringLiteral("too long");
        QTest::newRow("no permission") << QStringLiteral("locked") << QStringLiteral("IO-03")
                                       << QStringLiteral("no permission");
        QTest::newRow("was not UTF-8") << QStringLiteral("caf\uFFFD.npy") << QStringLiteral("IO-02")
                                       << QStringLiteral("not UTF-8");
        QTest::newRow("odd name") << QStringLiteral("\u202e\x1b[31m") << QStringLiteral("IO-02")
                                  << QStringLiteral("\\u202e\\x1b[31m");
    }
    void notRegular() {
        QFETCH(QString, path);
        QFETCH(QString, id);
        QFETCH(QString, mentions);
        QTemporaryDir folder;
        const fs::path here = folder.path().toStdString();
        QCOMPARE(::chmod(here.c_str(), 0755), 0);
        QCOMPARE(::mkfifo((here / "fifo").c_str(), 0600), 0);
        fs::create_directory(here / "folder");
        fs::create_symlink("fifo", here / "link");
        fs::create_symlink("loop", here / "loop");
        fs::create_symlink("nowhere", here / "dangling");
        writeText(here / "file", "x");
        writeText(here / "locked", "x");
        QCOMPARE(::chmod((here / "locked").c_str(), 0), 0);
        struct sockaddr_un name {};
        name.sun_family = AF_UNIX;
        const std::string socketPath = (here / "socket").string();
        QVERIFY(socketPath.size() < sizeof name.sun_path);
        std::memcpy(name.sun_path, socketPath.data(), socketPath.size());
        const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
        QCOMPARE(::bind(socket, reinterpret_cast<sockaddr*>(&name), sizeof name), 0);

        const bool drop = ::geteuid() == 0 && path == QStringLiteral("locked");
        if (drop) QCOMPARE(::seteuid(65534), 0);
        const auto file = MappedFile::open(here / path.toStdString());
        const auto array = openNpy(here / path.toStdString());
        if (drop) QCOMPARE(::seteuid(0), 0);
        ::close(socket);
        QVERIFY(!file.ok());
        QCOMPARE(QString::fromStdString(file.refusal().id), id);
        QVERIFY2(QString::fromStdString(file.refusal().message).contains(mentions), file.refusal().message.c_str());
        QVERIFY(!array.ok());
        QCOMPARE(QString::fromStdString(array.refusal().id), id);
    }

    void changesOnDiskAreSeen() {
        writeText(at("watched"), std::string(5000, 'a'));
        const auto open = [&] { return MappedFile::open(at("watched")).valueOrThrow(); };
        auto file = open();
        QVERIFY(file->state() == FileState::Same);
        writeText(at("new"), "other");
        fs::rename(at("new"), at("watched"));
        QVERIFY(file->state() == FileState::Replaced);
        QCOMPARE(std::to_integer<int>(file->bytes()[4999]), int{'a'});
        file = open();
        std::ofstream(at("watched"), std::ios::app) << "more";
        QVERIFY(file->fileChanged());
        file = open();
        fs::last_write_time(at("watched"), fs::last_write_time(at("watched")) + std::chrono::seconds(5));
        QVERIFY(file->fileChanged());
        file = open();
        fs::remove(at("watched"));
        QVERIFY(file->state() == FileState::Gone);
        QVERIFY(!file->fileChanged());
    }

    void truncatedWhileMapped() {
        const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
        const std::size_t size = 64 * page;
        writeText(at("shrinks"), std::string(size, 'a'));
        auto file = MappedFile::open(at("shrinks")).valueOrThrow();
        file->bytes()[2 * page] = std::byte{'w'}; // a private copy before the cut
        fs::resize_file(at("shrinks"), 10 * page + 5);
        QCOMPARE(std::to_integer<int>(file->bytes()[9 * page]), int{'a'});
        QCOMPARE(std::to_integer<int>(file->bytes()[10 * page + 4]), int{'a'});
        QCOMPARE(std::to_integer<int>(file->bytes()[10 * page + 5]), 0);
        QCOMPARE(std::to_integer<int>(file->bytes()[size - 1]), 0); // would be SIGBUS
        QCOMPARE(sumOf(file->bytes().subspan(11 * page), 1), 0u);
        QVERIFY(file->fileChanged());
        file->bytes()[40 * page] = std::byte{7}; // the zeros can be written to
        QCOMPARE(std::to_integer<int>(file->bytes()[40 * page]), 7);
        QCOMPARE(std::to_integer<int>(file->bytes()[2 * page]), int{'w'});
        writeText(at("shrinks"), std::string(size, 'b')); // grows again: stays marked, never crashes
        QCOMPARE(std::to_integer<int>(file->bytes()[40 * page]), 7);
        QVERIFY(file->fileChanged());
        fs::resize_file(at("shrinks"), 0);
        QCOMPARE(sumOf(file->bytes().first(page), 1), 0u);
    }

    /// Two readers while another thread truncates and refills the file again and again.
    void truncatedInALoop() {
        constexpr std::size_t kSize = 256 * 4096;
        writeText(at("loop"), std::string(kSize, 'a'));
        std::atomic<bool> stop{false};
        std::atomic<int> rounds{0}, changes{0}, opened{0}, refused{0};
        std::thread writer([&] {
            const std::string text = corpus::npy(corpus::dict("<f4", "(262000,)"), std::string(1048000, '\1'));
            while (!stop) {
                writeText(at("loop"), text); // truncates to nothing first
                ++rounds;
            }
        });
        const auto read = [&] {
            while (!stop) {
                const auto array = openNpy(at("loop"));
                (array ? opened : refused)++;
                const auto file = MappedFile::open(at("loop"));
                if (!file) continue;
                for (int pass = 0; pass < 3; ++pass) sumOf((*file)->bytes(), 512);
                changes += (*file)->fileChanged();
            }
        };
        std::thread first(read), second(read);
        for (int i = 0; i < 600 && (changes < 20 || rounds < 50); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        stop = true;
        writer.join();
        first.join();
        second.join();
        QVERIFY(rounds > 1);
        QVERIFY(changes > 0);
        QVERIFY(opened + refused > 0);
    }

    /// A SIGBUS that has nothing to do with a mapped file goes to the handler that was there before.
    void foreignSignalsArePassedOn() {
        QVERIFY(MappedFile::open(at("loop")).ok()); // the library's handler is installed, after the one of initTestCase
        writeText(at("foreign"), "");
        for (const bool sent : {true, false}) {
            const pid_t child = ::fork();
            if (child == 0) {
                if (sent) ::raise(SIGBUS);
                const int descriptor = ::open(at("foreign").c_str(), O_RDONLY);
                const auto* beyondTheEnd =
                    static_cast<volatile char*>(::mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, descriptor, 0));
                ::_exit(beyondTheEnd[0]);
            }
            int status = 0;
            QCOMPARE(::waitpid(child, &status, 0), child);
            QVERIFY(WIFEXITED(status));
            QCOMPARE(WEXITSTATUS(status), kEarlierHandler);
        }
    }

    void sparse30Gigabytes() {
        const std::string header = corpus::npy(corpus::dict("<f4", "(7500000000,)"), "");
        writeText(at("sparse.npy"), header);
        std::error_code error;
        fs::resize_file(at("sparse.npy"), header.size() + 30'000'000'000u, error);
        if (error) QSKIP("the file system of the temporary folder has no sparse files of 30 GB");
        {
            std::fstream file(at("sparse.npy"), std::ios::in | std::ios::out | std::ios::binary);
            const float value = 42.5f;
            file.seekp(static_cast<std::streamoff>(header.size() + 4u * 7'499'999'999u));
            file.write(reinterpret_cast<const char*>(&value), 4);
        }
        const std::uint64_t before = residentBytes();
        const auto array = openNpy(at("sparse.npy"));
        QVERIFY2(array.ok(), array ? "" : array.refusal().message.c_str());
        const Tensor& t = array->tensor;
        QCOMPARE(t.numel(), Index{7'500'000'000});
        QCOMPARE(t.data<float>()[0], 0.0f);
        QCOMPARE(t.data<float>()[7'499'999'999], 42.5f);
        for (Index i = 0; i < 1000; ++i) QCOMPARE(t.data<float>()[i * 7'000'000], 0.0f);
        t.data<float>()[5'000'000'000] = 1.5f;
        QCOMPARE(t.data<float>()[5'000'000'000], 1.5f);
        QVERIFY(residentBytes() < before + (std::uint64_t{200} << 20));
    }

    void noMoreHandles() {
        struct rlimit old;
        QCOMPARE(::getrlimit(RLIMIT_NOFILE, &old), 0);
        const int lowest = ::dup(0);
        ::close(lowest);
        struct rlimit none = old;
        none.rlim_cur = static_cast<rlim_t>(lowest);
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &none), 0);
        const auto file = MappedFile::open(at("plain"));
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &old), 0);
        QVERIFY(!file.ok());
        QCOMPARE(QString::fromStdString(file.refusal().id), QStringLiteral("IO-05"));
        QVERIFY(MappedFile::open(at("plain")).ok());
    }
};

QTEST_GUILESS_MAIN(TestMappedFile)
#include "tst_mapped_file.moc"
