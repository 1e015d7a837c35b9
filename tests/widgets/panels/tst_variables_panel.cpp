// The table of names: what it says of tensors and of other values, its order, what a click asks for.

#include "widgets/panels/variables_panel.h"

#include <QHeaderView>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

using namespace stridescope;

class TstVariablesPanel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_panel = std::make_unique<VariablesPanel>();
        m_panel->setTheme(Theme());
        m_panel->resize(560, 240);
        m_panel->setRows({tensor("x", "(10, 2)", 20, 7), tensor("a", "(3,)", 3, 8), value("n", "int", "3"),
                          tensor("hidden", "(2,)", 2, 0)});
        m_panel->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
    }
    void cleanup() { m_panel.reset(); }

    void rowsAreInOrder() {
        QCOMPARE(names(), QStringLiteral("a hidden n x"));
        view()->sortByColumn(VariablesPanel::Size, Qt::AscendingOrder);
        QCOMPARE(names(), QStringLiteral("hidden a x n"));
        view()->sortByColumn(VariablesPanel::Type, Qt::DescendingOrder);
        QCOMPARE(names(), QStringLiteral("n x hidden a"));
        // New rows keep the order that was chosen.
        m_panel->setRows({tensor("b", "(1,)", 1, 3), value("k", "int", "1"), tensor("c", "(4,)", 4, 4)});
        QCOMPARE(names(), QStringLiteral("k c b"));
    }

    void textsOfEachKind() {
        const auto* model = view()->model();
        const auto text = [model](int row, int column) { return model->index(row, column).data().toString(); };
        QCOMPARE(text(0, VariablesPanel::Name), QStringLiteral("a"));
        QCOMPARE(text(0, VariablesPanel::Type), QStringLiteral("float32"));
        QCOMPARE(text(0, VariablesPanel::Size), QStringLiteral("(3,)"));
        QCOMPARE(text(0, VariablesPanel::StorageColumn), QStringLiteral("#1"));
        QCOMPARE(text(0, VariablesPanel::DeviceColumn), QStringLiteral("cpu"));
        // A value has the room of what it has not got.
        QCOMPARE(text(2, VariablesPanel::Size), QStringLiteral("3"));
        QCOMPARE(view()->columnSpan(2, VariablesPanel::Size), int{VariablesPanel::Columns} - VariablesPanel::Size);
        QCOMPARE(view()->columnSpan(0, VariablesPanel::Size), 1);
        QCOMPARE(model->index(0, 0).data(Qt::AccessibleTextRole).toString(),
                 QStringLiteral("a, float32, size (3,), stride (1,), storage #1, cpu"));
        QCOMPARE(model->index(2, 0).data(Qt::AccessibleTextRole).toString(), QStringLiteral("n, int 3"));
        QVERIFY(!view()->accessibleName().isEmpty());
    }

    void clicksAskForCards() {
        QSignalSpy asked(m_panel.get(), &VariablesPanel::cardRequested);
        const auto click = [this](int row) {
            const QRect place = view()->visualRect(view()->model()->index(row, 0));
            QTest::mouseClick(view()->viewport(), Qt::LeftButton, {}, place.center());
        };
        click(3);
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked[0][0].value<TensorId>(), TensorId{7});
        click(2); // a number has no card
        click(1); // nor has a tensor that cannot be seen
        QCOMPARE(asked.count(), 1);
        QTest::keyClick(view(), Qt::Key_Home, Qt::ControlModifier);
        QTest::keyClick(view(), Qt::Key_Return);
        QCOMPARE(asked.count(), 2);
        QCOMPARE(asked[1][0].value<TensorId>(), TensorId{8});
        // What is selected elsewhere is shown, and asks for nothing.
        m_panel->setSelected(7);
        QCOMPARE(view()->currentIndex().row(), 3);
        QCOMPARE(asked.count(), 2);
    }

    void nothingToShowIsSaid() {
        m_panel->setRows({});
        QVERIFY(!view()->isVisible());
        m_panel->setRows({value("n", "int", "3")}, 37);
        QVERIFY(view()->isVisible());
    }

private:
    static VariableRow tensor(const char* name, const char* size, Index numel, TensorId id) {
        VariableRow row;
        row.name = QString::fromLatin1(name);
        row.type = QStringLiteral("float32");
        row.isTensor = true;
        row.size = QString::fromLatin1(size);
        row.stride = QStringLiteral("(1,)");
        row.storage = QStringLiteral("#1");
        row.device = QStringLiteral("cpu");
        row.numel = numel;
        row.tensor = id;
        return row;
    }
    static VariableRow value(const char* name, const char* type, const char* text) {
        VariableRow row;
        row.name = QString::fromLatin1(name);
        row.type = QString::fromLatin1(type);
        row.value = QString::fromLatin1(text);
        return row;
    }
    QTableView* view() const { return m_panel->findChild<QTableView*>(QStringLiteral("variablesTable")); }
    QString names() const {
        QStringList list;
        for (const VariableRow& row : m_panel->rows()) list << row.name;
        return list.join(QLatin1Char(' '));
    }

    std::unique_ptr<VariablesPanel> m_panel;
};

QTEST_MAIN(TstVariablesPanel)
#include "tst_variables_panel.moc"
