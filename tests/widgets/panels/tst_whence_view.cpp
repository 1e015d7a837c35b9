// The tree of sources: asked only while it is seen, followed by mouse and keys, read by screen readers.

#include "core/ops/creation.h"
#include "widgets/panels/whence_view.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

using namespace stridescope;

class TstWhenceView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        auto snapshot = std::make_shared<WorkspaceSnapshot>();
        TensorEntry entry;
        entry.id = 1;
        entry.name = QStringLiteral("A");
        entry.tensor = zeros({4});
        m_storage = entry.tensor.storage()->id();
        snapshot->tensors.push_back(entry);
        snapshot->storages.push_back({m_storage, 1, DType::Float32, {}});
        m_model = std::make_unique<WorkspaceModel>();
        m_model->setSnapshot(snapshot);
        m_asked = 0;
        m_model->setWhenceSource([this](const Pick& pick) {
            ++m_asked;
            Whence source{
                QStringLiteral("A[%1] = 3").arg(pick.slot + 1), QStringLiteral("3.0"), {}, at(pick.slot + 1), {}, 0};
            const Whence gone{QStringLiteral("B[0] = 2"), QStringLiteral("2.0"), QStringLiteral("gone"), {}, {}, 0};
            return Whence{QStringLiteral("A[%1] = A[%2] + B[0]").arg(pick.slot).arg(pick.slot + 1),
                          QStringLiteral("5.0 = 3.0 + 2.0"),
                          {},
                          pick,
                          {source, gone},
                          4996};
        });
        m_view = std::make_unique<WhenceView>(m_model.get());
        m_view->setTheme(Theme());
        m_view->resize(300, 300);
        connect(m_view.get(), &WhenceView::pickRequested, m_model.get(), &WorkspaceModel::setPick);
        m_tree = m_view->findChild<QTreeWidget*>();
    }
    void cleanup() { m_view.reset(); }

    void isAskedOnlyWhenSeen() {
        m_model->setPick(at(0));
        QCoreApplication::processEvents();
        QCOMPARE(m_asked, 0);
        show();
        QTRY_COMPARE(m_asked, 1);
        m_model->setHover(at(2)); // only what is picked counts
        QTest::qWait(10);
        QCOMPARE(m_asked, 1);
    }

    void followsAndComesBack() {
        show();
        m_model->setPick(at(0));
        QTRY_VERIFY(m_tree->topLevelItem(0));
        QTreeWidgetItem* root = m_tree->topLevelItem(0);
        QCOMPARE(root->childCount(), 3);
        QCOMPARE(root->data(0, Qt::AccessibleTextRole).toString(),
                 QStringLiteral("A[0] = A[1] + B[0]; 5.0 = 3.0 + 2.0"));
        QVERIFY(root->child(1)->data(0, Qt::AccessibleTextRole).toString().endsWith(QLatin1String("gone")));
        QVERIFY(root->child(2)->data(0, Qt::AccessibleTextRole).toString().startsWith(QLatin1String("and ")));
        QVERIFY(!m_tree->accessibleName().isEmpty());
        // What is gone leads nowhere.
        const auto click = [this](QTreeWidgetItem* item) {
            QTest::mouseClick(m_tree->viewport(), Qt::LeftButton, {}, m_tree->visualItemRect(item).center());
        };
        click(root->child(1));
        QCOMPARE(m_model->selection().pick, at(0));
        click(root->child(0));
        QCOMPARE(m_model->selection().pick, at(1));
        auto* back = m_view->findChild<QPushButton*>();
        QTRY_VERIFY(back->isVisible());
        QCOMPARE(back->text(), QStringLiteral("Back to A[0]"));
        back->click();
        QCOMPARE(m_model->selection().pick, at(0));
        QTRY_VERIFY(!back->isVisible());
        // The same by keys.
        QTest::keyClick(m_tree, Qt::Key_Down);
        QTest::keyClick(m_tree, Qt::Key_Return);
        QCOMPARE(m_model->selection().pick, at(1));
        // Another cell is another question: there is nothing to go back to.
        QTRY_VERIFY(back->isVisible());
        m_model->setPick(at(2));
        QTRY_VERIFY(!back->isVisible());
    }

private:
    Pick at(Index slot) const { return {m_storage, slot, 1, Dims{slot}}; }
    void show() {
        m_view->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
    }

    std::unique_ptr<WorkspaceModel> m_model;
    std::unique_ptr<WhenceView> m_view;
    QTreeWidget* m_tree = nullptr;
    quint64 m_storage = 0;
    int m_asked = 0;
};

QTEST_MAIN(TstWhenceView)
#include "tst_whence_view.moc"
