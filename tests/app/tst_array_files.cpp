// Files of several tensors, opened as the window and `render` open them: what they hold, and the lines that do it
// again.

#include "app/files/file_opener.h"
#include "app/workspace/workspace.h"
#include "core/io/npz.h"
#include "core/io/safetensors.h"
#include "core/ops/creation.h"
#include "core/ops/views.h"
#include "tests/support/view_zoo.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace stridescope;

class TestArrayFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        QVERIFY(m_folder.isValid());
        m_model = std::make_unique<WorkspaceModel>();
        m_workspace = std::make_unique<Workspace>(m_model.get());
        m_workspace->setPatience(60000);
    }

    void safetensorsAreViewsOfOneStorage() {
        const OpenedFile opened = openFile(saved(QStringLiteral("m.safetensors")));
        QVERIFY2(!opened.refusal, opened.refusal ? opened.refusal->message.c_str() : "");
        QCOMPARE(opened.tensors.size(), std::size_t{2});
        QVERIFY(opened.runnable);
        const auto& [first, second] = std::tie(opened.tensors[0], opened.tensors[1]);
        QCOMPARE(first.name, QStringLiteral("layer.0.weight"));
        QCOMPARE(second.name, QStringLiteral("bias"));
        QCOMPARE(first.tensor.storage(), second.tensor.storage());
        QCOMPARE(QString::fromStdString(std::string(first.tensor.storage()->kind())), QStringLiteral("mapped file"));
        QCOMPARE(second.tensor.storageOffset(), Index{6});
        QVERIFY(second.code.startsWith(QStringLiteral("safetensors.torch.load_file(\"")));
        QVERIFY(second.code.endsWith(QStringLiteral("m.safetensors\")[\"bias\"]")));
    }

    void linesGiveTheSame_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("npz") << QStringLiteral("m.npz");
        QTest::newRow("safetensors") << QStringLiteral("m.safetensors");
    }
    void linesGiveTheSame() {
        QFETCH(QString, name);
        const OpenedFile opened = openFile(saved(name));
        QCOMPARE(opened.tensors.size(), std::size_t{2});
        for (const OpenedTensor& tensor : opened.tensors) {
            const RunOutcome outcome = m_workspace->runInBackground(QStringLiteral("x = ") + tensor.code);
            QVERIFY2(outcome.ok, outcome.refusal ? outcome.refusal->message.c_str() : "");
            QVERIFY(test::elementsOf(m_model->snapshot()->tensors.back().tensor) == test::elementsOf(tensor.tensor));
        }
    }

    /// As in Python: what was written to the tensors of one call is not seen by those of the next.
    void eachCallReadsTheFile() {
        const QString path = saved(QStringLiteral("m.safetensors"));
        const QString call = QStringLiteral("safetensors.torch.load_file(\"%1\")[\"bias\"]").arg(path);
        const RunOutcome outcome =
            m_workspace->runInBackground(QStringLiteral("a = %1; a.fill_(77); b = %1").arg(call));
        QVERIFY2(outcome.ok, outcome.refusal ? outcome.refusal->message.c_str() : "");
        const auto& tensors = m_model->snapshot()->tensors;
        QCOMPARE(tensors.size(), std::size_t{2});
        QVERIFY(tensors[0].tensor.storage() != tensors[1].tensor.storage());
        QVERIFY(test::elementsOf(tensors[0].tensor) != test::elementsOf(tensors[1].tensor));
    }

    void otherWordsAreRefused_data() {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("message");
        QTest::newRow("array") << QStringLiteral("numpy.load(\"%1/m.safetensors\")")
                               << QStringLiteral("not an array file");
        QTest::newRow("picture") << QStringLiteral("numpy.array(PIL.Image.open(\"%1/m.safetensors\"))")
                                 << QStringLiteral("not a picture");
        QTest::newRow("safetensors") << QStringLiteral("safetensors.torch.load_file(\"%1/m.npz\")")
                                     << QStringLiteral("not a safetensors file");
        QTest::newRow("name") << QStringLiteral("safetensors.torch.load_file(\"%1/m.safetensors\")[\"weight\"]")
                              << QStringLiteral("'weight' is not a name in the archive");
        QTest::newRow("number") << QStringLiteral("safetensors.torch.load_file(3)")
                                << QStringLiteral("argument 'filename' must be str, not int");
    }
    void otherWordsAreRefused() {
        QFETCH(QString, code);
        QFETCH(QString, message);
        saved(QStringLiteral("m.npz"));
        saved(QStringLiteral("m.safetensors"));
        const RunOutcome outcome =
            m_workspace->runInBackground(code.contains(QLatin1Char('%')) ? code.arg(m_folder.path()) : code);
        QVERIFY(!outcome.ok && outcome.refusal);
        QVERIFY2(QString::fromStdString(outcome.refusal->message).contains(message), outcome.refusal->message.c_str());
    }

    void aFolderNamedAsAnArrayIsNone_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"x.npy", "x.npz", "x.SAFETENSORS"}) QTest::newRow(name) << QString::fromLatin1(name);
    }
    void aFolderNamedAsAnArrayIsNone() {
        QFETCH(QString, name);
        QVERIFY(QDir(m_folder.path()).mkpath(name));
        const OpenedFile opened = openFile(m_folder.filePath(name));
        QVERIFY(opened.refusal && opened.tensors.empty());
        QCOMPARE(opened.refusal->id, std::string("IO-01"));
        QVERIFY(opened.refusal->message.find("not a regular file but a folder") != std::string::npos);
    }

private:
    QString saved(const QString& name) const {
        const std::vector<std::pair<std::string, Tensor>> tensors{{"layer.0.weight", view(arange(6.0), {2, 3})},
                                                                  {"bias", arange(4.0)}};
        const QString path = m_folder.filePath(name);
        const std::filesystem::path native(path.toStdString());
        const auto result =
            name.endsWith(QStringLiteral("npz")) ? writeNpz(tensors, native) : writeSafetensors(tensors, {}, native);
        return result ? path : QString();
    }

    QTemporaryDir m_folder;
    std::unique_ptr<WorkspaceModel> m_model;
    std::unique_ptr<Workspace> m_workspace;
};

QTEST_GUILESS_MAIN(TestArrayFiles)
#include "tst_array_files.moc"
