// The instruction sets in one binary: chosen at run time, and kept apart by the linker.
#include "core/backend/cpu/isa_table.h"
#include "tests/support/test_paths.h"

#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QTest>

using namespace stridescope;

class TestIsa : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tablesAreWhole() {
        int found = 0;
        for (const char* name : {"plain", "avx2", "avx512"}) {
            const cpu::IsaTable* table = cpu::isaByName(name);
            if (!table) continue;
            ++found;
            QCOMPARE(table->name, name);
            for (const DType from : kRealDTypes)
                for (const DType to : kRealDTypes) QVERIFY(table->convert[cpu::indexOf(from)][cpu::indexOf(to)]);
            for (std::size_t op = 0; op < BinaryOps::size; ++op)
                for (const DType t : kRealDTypes) {
                    const bool computes =
                        t != DType::Float16 && (BinaryOps::results[op] != ResultKind::Float || isFloating(t));
                    for (const auto loop : table->binary[op][cpu::indexOf(t)]) QCOMPARE(loop != nullptr, computes);
                }
            for (int log2 = 0; log2 < 4; ++log2) QVERIFY(table->transpose[log2] && table->move[log2]);
        }
        QVERIFY(found >= 1);
    }

    void forcingSticks() {
        const cpu::IsaTable& before = cpu::isa();
        cpu::forceIsa(*cpu::isaByName("plain"));
        QCOMPARE(cpu::isa().name, "plain");
        cpu::forceIsa(before);
        QVERIFY(!cpu::isaByName("sse9"));
    }

    // An inline function that several of these objects defined would be merged into one by the linker, and that one
    // could hold instructions that this machine lacks. So they may define no function that others could share.
    void objectsShareNoFunction() {
        const QString folder = QString::fromStdString(test::buildPath("core/CMakeFiles"));
        int objects = 0;
        for (const char* name : {"plain", "avx2", "avx512"}) {
            QDir dir(folder + QStringLiteral("/stridescope_isa_%1.dir/backend/cpu/isa").arg(QLatin1String(name)));
            for (const QFileInfo& object : dir.entryInfoList({QStringLiteral("*.o")}, QDir::Files)) {
                QProcess nm;
                nm.start(QStringLiteral("nm"),
                         {QStringLiteral("-C"), QStringLiteral("--defined-only"), object.filePath()});
                if (!nm.waitForStarted()) QSKIP("nm is not installed");
                QVERIFY(nm.waitForFinished());
                QCOMPARE(nm.exitCode(), 0);
                ++objects;
                for (const QByteArray& line : nm.readAllStandardOutput().split('\n')) {
                    // W: a weak function. Data (V) and the sanitizers' own symbols do no harm.
                    QVERIFY2(!line.contains(" W ") || line.contains("asan") || line.contains("tsan"),
                             (object.fileName().toUtf8() + ": " + line).constData());
                }
            }
        }
        QVERIFY(objects >= 5);
    }
};

QTEST_GUILESS_MAIN(TestIsa)
#include "tst_isa.moc"
