// Every single allocation fails once, while files are opened and saved: a refusal or success, no leak, no half file.

#include "core/io/image_tensor.h"
#include "core/io/npz.h"
#include "core/io/png.h"
#include "core/storage/memory_budget.h"
#include "tests/core/io/exercise_readers.h"
#include "tests/core/io/npz_corpus.h"

#include <QTemporaryDir>
#include <QTest>

#include <cstdlib>
#include <fstream>
#include <new>

using namespace stridescope;
namespace fs = std::filesystem;

namespace {

thread_local int g_failAt = 0; // counts down; 0: nothing fails
thread_local bool g_failed = false;

void* allocate(std::size_t bytes, std::size_t alignment) {
    if (g_failAt > 0 && --g_failAt == 0) {
        g_failed = true;
        throw std::bad_alloc();
    }
    void* data = nullptr;
    if (::posix_memalign(&data, std::max(alignment, sizeof(void*)), std::max<std::size_t>(bytes, 1)) != 0)
        throw std::bad_alloc();
    return data;
}

} // namespace

void* operator new(std::size_t bytes) {
    return allocate(bytes, 16);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* data) noexcept {
    std::free(data);
}
void operator delete(void* data, std::size_t) noexcept {
    std::free(data);
}
void operator delete(void* data, std::align_val_t) noexcept {
    std::free(data);
}
void operator delete(void* data, std::size_t, std::align_val_t) noexcept {
    std::free(data);
}

class TestIoMemory : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    fs::path at(const char* name) const { return fs::path(m_folder.path().toStdString()) / name; }

    static int entriesIn(const fs::path& folder) {
        int count = 0;
        for (const auto& entry : fs::directory_iterator(folder)) count += !entry.path().empty();
        return count;
    }

    /// Runs `work` with the 1st, 2nd, … allocation failing until one round needs fewer. `work` returns the id of the
    /// refusal, empty for success.
    template <class F>
    void failEach(F&& work) {
        QCOMPARE(QString::fromStdString(work()), QString());
        const int handles = entriesIn("/proc/self/fd"), files = entriesIn(m_folder.path().toStdString());
        int refused = 0, n = 1;
        for (;; ++n) {
            g_failed = false;
            g_failAt = n;
            std::string id;
            bool thrown = false;
            try {
                id = work();
            } catch (const std::bad_alloc&) {
                thrown = true;
            }
            g_failAt = 0;
            QVERIFY2(!thrown, qPrintable(QStringLiteral("allocation %1").arg(n)));
            QCOMPARE(entriesIn("/proc/self/fd"), handles);
            QCOMPARE(entriesIn(m_folder.path().toStdString()), files);
            if (!g_failed) break;
            refused += !id.empty();
        }
        QVERIFY(n > 3);
        QVERIFY(refused > 0);
    }

    template <class T>
    static std::string idOf(const Result<T>& result) {
        return result ? std::string() : result.refusal().id;
    }

private Q_SLOTS:
    void opening() {
        const auto write = [&](const char* name, const std::string& text) {
            std::ofstream(at(name), std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
            return at(name);
        };
        const fs::path plain =
            write("plain.npy", corpus::npy(corpus::dict("<f4", "(2, 3, 4, 5, 6, 7)"), std::string(5040 * 4, '\1')));
        const fs::path big = write("big.npy", corpus::npy(corpus::dict(">f4", "(100,)"), std::string(400, '\1')));
        const fs::path archive =
            write("a.npz", corpus::zip({{"a.npy", corpus::arrayOf(40)}, {"b.npy", corpus::arrayOf(90), true}}));
        failEach([&] { return idOf(openNpy(plain)); });
        failEach([&] { return idOf(openNpy(big)); });
        failEach([&] {
            const auto opened = openNpz(archive);
            return !opened                   ? opened.refusal().id
                   : opened->skipped.empty() ? std::string()
                                             : opened->skipped[0].refusal.id;
        });
    }

    void saving() {
        const auto array = npyFromBytes(
            exercise::inMemory(corpus::npy(corpus::dict("<f4", "(40, 50)", true), std::string(8000, '\1'))), "x");
        const Tensor t = array->tensor.withView(*makeView(Dims{20, 25}, Dims{2, 80}, 0));
        const fs::path npy = at("saved.npy"), npz = at("saved.npz"), png = at("saved.png");
        const std::vector<std::pair<std::string, Tensor>> named{{"a", t}, {"b", t}};
        failEach([&] { return idOf(writeNpy(t, npy)); });
        failEach([&] { return idOf(writeNpz(named, npz)); });
        const std::vector<std::byte> rows(900, std::byte{3});
        const Tensor image = imageTensor(rows, 10, 30, 3, 30)->withView(*makeView(Dims{10, 30, 3}, Dims{3, 30, 1}, 0));
        failEach([&] { return idOf(writePng(image, png)); });
        failEach([&] { return idOf(imageTensor(rows, 10, 30, 3, 30)); });
    }

    /// The memory for the elements themselves is asked for within the limit of all storages.
    void storageLimit() {
        const std::string file = corpus::npy(corpus::dict(">f4", "(100,)"), std::string(400, '\1'));
        const AllocationFailure failure(1);
        const auto array = npyFromBytes(exercise::inMemory(file), "x");
        QVERIFY(failure.happened());
        QVERIFY(!array.ok());
        QVERIFY(array.refusal().kind == ErrorKind::Memory);
    }
};

QTEST_GUILESS_MAIN(TestIoMemory)
#include "tst_io_memory.moc"
