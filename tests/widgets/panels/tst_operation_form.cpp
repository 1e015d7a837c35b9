// The form in panels of every height: its buttons are seen, its fields hold what they may hold, refusals are whole.

#include "tests/support/qt/sample_workspace.h"
#include "widgets/panels/operation_form.h"
#include "widgets/panels/operations_panel.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>

using namespace stridescope;
using namespace stridescope::test;

namespace {

/// All of it is seen, by whatever else is in the way.
bool isInSight(const QWidget* widget) {
    return widget->isVisible() && widget->visibleRegion() == QRegion(widget->rect());
}

/// The longest word of `text` is no wider than the label, and all lines are in its height.
bool isWhole(const QLabel* label) {
    const QRect used =
        label->fontMetrics().boundingRect(QRect(0, 0, label->width(), 1 << 14), Qt::TextWordWrap, label->text());
    return used.width() <= label->width() && used.height() <= label->height();
}

} // namespace

class TestOperationForm : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QApplication::setStyle(QStringLiteral("Fusion"));
        m_theme = Theme(ThemeKind::Light);
        qApp->setStyleSheet(m_theme.styleSheet());
        qApp->setFont(m_theme.font(FontRole::Text));
        m_model.setSnapshot(sampleWorkspace());
        m_model.select(kB);
    }

    void hasRoomInEveryPanel_data() {
        QTest::addColumn<QSize>("size");
        // The dock of the usual window, that of a small screen, and the least ones.
        for (const QSize size : {QSize(266, 600), QSize(266, 300), QSize(266, 220), QSize(240, 180), QSize(420, 900)})
            QTest::newRow(qPrintable(QStringLiteral("%1 x %2").arg(size.width()).arg(size.height()))) << size;
    }

    void hasRoomInEveryPanel() {
        QFETCH(QSize, size);
        OperationsPanel panel(&m_model);
        panel.setTheme(m_theme);
        panel.resize(size);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        const auto* form = panel.findChild<OperationForm*>();
        const auto* run = form->findChild<QPushButton*>(QStringLiteral("formRun"));
        const auto* verdict = form->findChild<QLabel*>(QStringLiteral("formVerdict"));
        for (const OperationForm::Choice& choice : OperationForm::choices()) {
            const QByteArray name = choice.name.toUtf8();
            panel.openForm(choice.name);
            settle();
            QVERIFY2(panel.size() == size, name); // no window grows for it
            QVERIFY2(isInSight(run), name);
            QVERIFY2(isWhole(verdict), name);
            for (QLineEdit* edit : form->findChildren<QLineEdit*>()) {
                QVERIFY2(fits(*edit, QString::number(INT64_MAX)), name);
                QVERIFY2(fits(*edit, QStringLiteral("1, 2, 3, 4, 5, 6, 7, 8")), name);
                for (const QLabel* head : edit->parentWidget()->findChildren<QLabel*>()) QVERIFY2(isWhole(head), name);
            }
            // Refusals of every kind: out of range, no number, no number that fits.
            for (const QString& typed : {QStringLiteral("77"), QString(60, QLatin1Char('x')), QString(40, u'9'),
                                         QStringLiteral("123456789, 987654321, 123456789")}) {
                for (QLineEdit* edit : form->findChildren<QLineEdit*>()) {
                    const QString before = edit->text();
                    edit->setFocus();
                    edit->setText(typed.chopped(1));
                    edit->setCursorPosition(static_cast<int>(typed.size()) - 1);
                    QTest::keyClicks(edit, typed.right(1));
                    settle();
                    const QByteArray words = name + ": " + verdict->text().toUtf8();
                    QVERIFY2(panel.size() == size, words);
                    QVERIFY2(isInSight(run), words);
                    QVERIFY2(isInSight(edit), words);
                    QVERIFY2(isWhole(verdict), words);
                    QVERIFY2(size.height() < 300 || isInSight(verdict), words);
                    edit->setText(before);
                }
            }
        }
    }

    void aWideListOfOperationsStaysBesideIt() {
        OperationsPanel panel(&m_model);
        panel.setTheme(m_theme);
        panel.resize(266, 700);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        panel.openForm(QStringLiteral("as_strided"));
        settle();
        const auto* list = panel.findChild<QWidget*>(QStringLiteral("operationsList"));
        const auto* form = panel.findChild<OperationForm*>();
        QVERIFY(list->isVisible() && list->height() >= 120);
        QVERIFY(form->height() >= form->wholeHeight(form->width()));
        panel.resize(266, 400);
        settle();
        QVERIFY(!list->isVisible());
    }

    /// Whether or not what is typed can be read, at every height of the panel.
    void typingMovesNoField() {
        OperationsPanel panel(&m_model);
        panel.setTheme(m_theme);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        for (int height = 330; height <= 720; height += 13) {
            panel.resize(266, height);
            panel.openForm(QStringLiteral("as_strided"));
            settle();
            auto* edit = panel.findChild<OperationForm*>()->findChild<QLineEdit*>(QStringLiteral("form_size"));
            edit->setFocus();
            edit->selectAll();
            QTest::keyClicks(edit, QStringLiteral("2"));
            settle();
            const QPoint place = edit->mapTo(&panel, QPoint());
            for (const char* typed : {",", "1", ",", ",", "\b", "\b", "\b", "\b", "x", "\b", "3", ",", "1"}) {
                typed[0] == '\b' ? QTest::keyClick(edit, Qt::Key_Backspace) : QTest::keyClick(edit, typed[0]);
                settle();
                QVERIFY2(edit->mapTo(&panel, QPoint()) == place,
                         qPrintable(QStringLiteral("%1 high, \"%2\": from %3 to %4")
                                        .arg(height)
                                        .arg(edit->text())
                                        .arg(place.y())
                                        .arg(edit->mapTo(&panel, QPoint()).y())));
            }
        }
    }

    void everyNumberHasItsRange() {
        OperationsPanel panel(&m_model);
        panel.setTheme(m_theme);
        panel.resize(320, 700);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        panel.openForm(QStringLiteral("as_strided"));
        settle();
        const auto* form = panel.findChild<OperationForm*>();
        QCOMPARE(form->code(), QStringLiteral("B.as_strided((4, 2), (5, 1), 1)"));
        const auto note = [form](const char* name) {
            return form->findChild<QLabel*>(QLatin1String("note_") + QLatin1String(name))->text();
        };
        QCOMPARE(note("size"), QStringLiteral("0 … 4, 0 … 4"));
        QCOMPARE(note("stride"), QStringLiteral("0 … 5, 0 … 3"));
        QCOMPARE(note("storage_offset"), QStringLiteral("0 … 3"));
    }

    void namesItsTensor() {
        OperationsPanel panel(&m_model);
        panel.setTheme(m_theme);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        const auto* form = panel.findChild<OperationForm*>();
        const auto* receiver = form->findChild<QLabel*>(QStringLiteral("formTensor"));
        for (const QSize size : {QSize(266, 600), QSize(266, 220), QSize(240, 180)}) {
            panel.resize(size);
            panel.openForm(QStringLiteral("as_strided"));
            settle();
            QVERIFY(isInSight(receiver));
            QCOMPARE(receiver->text(), QStringLiteral("B."));
            QVERIFY(isWhole(receiver));
            m_model.select(kA);
            settle();
            QCOMPARE(receiver->text(), QStringLiteral("A."));
            // Scrolled to the last argument it is still told.
            form->findChild<QLineEdit*>(QStringLiteral("form_storage_offset"))->setFocus();
            settle();
            QVERIFY(isInSight(receiver));
            m_model.select(kB);
        }
        // A long name leaves room for that of the operation.
        auto snapshot = std::make_shared<WorkspaceSnapshot>(*sampleWorkspace());
        for (TensorEntry& entry : snapshot->tensors)
            if (entry.id == kB) entry.name = QStringLiteral("measurements_2026_11_21_run_0042");
        WorkspaceModel model;
        model.setSnapshot(snapshot);
        model.select(kB);
        OperationsPanel narrow(&model);
        narrow.setTheme(m_theme);
        narrow.resize(240, 180);
        narrow.show();
        narrow.openForm(QStringLiteral("narrow"));
        settle();
        const auto* longName = narrow.findChild<QLabel*>(QStringLiteral("formTensor"));
        QVERIFY(longName->text().startsWith(QStringLiteral("meas")));
        QVERIFY(longName->text().contains(QChar(0x2026)));
        QCOMPARE(longName->toolTip(), QStringLiteral("measurements_2026_11_21_run_0042"));
        QVERIFY(isWhole(longName));
        QVERIFY(narrow.findChild<QWidget*>(QStringLiteral("formOperation"))->width() >= 80);
    }

    void allArgumentsFitInALowPanel() {
        // The dock of a window of 1280 x 720.
        OperationsPanel panel(&m_model);
        panel.setTheme(m_theme);
        panel.resize(266, 300);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        panel.openForm(QStringLiteral("narrow"));
        settle();
        const auto* form = panel.findChild<OperationForm*>();
        const auto* verdict = form->findChild<QLabel*>(QStringLiteral("formVerdict"));
        const auto allInSight = [&] {
            for (const QLineEdit* edit : form->findChildren<QLineEdit*>())
                if (!isInSight(edit)) return false;
            return isInSight(verdict) && isWhole(verdict);
        };
        QVERIFY(verdict->text().startsWith(QStringLiteral("✓")));
        QVERIFY(allInSight());
        auto* length = form->findChild<QLineEdit*>(QStringLiteral("form_length"));
        length->setFocus();
        length->selectAll();
        QTest::keyClicks(length, QStringLiteral("77"));
        settle();
        QVERIFY(verdict->text().startsWith(QStringLiteral("✗")));
        QVERIFY(allInSight());
        // With more room the words that explain it are back.
        panel.resize(266, 420);
        settle();
        QVERIFY(allInSight());
        QVERIFY(form->height() >= form->wholeHeight(form->width()));
    }

    void proposesAnewForAnotherTensor() {
        OperationsPanel panel(&m_model);
        panel.setTheme(m_theme);
        panel.resize(300, 700);
        m_model.select(kA);
        panel.show();
        panel.openForm(QStringLiteral("as_strided"));
        const auto* form = panel.findChild<OperationForm*>();
        auto* stride = form->findChild<QLineEdit*>(QStringLiteral("form_stride"));
        QSignalSpy previews(&panel, &OperationsPanel::previewRequested);
        const auto strideOf = [this] {
            QStringList numbers;
            for (const Index s : m_model.selected()->tensor.stride()) numbers << QString::number(s);
            return numbers.join(QStringLiteral(", "));
        };
        const QString ofA = strideOf();
        QVERIFY2(stride->text().contains(ofA), qPrintable(stride->text()));
        // A's numbers would do for C, too, but nobody asked for them.
        m_model.select(kC);
        QVERIFY(strideOf() != ofA);
        QVERIFY2(stride->text().contains(strideOf()), qPrintable(stride->text()));
        QCOMPARE(previews.last().first().toString(), form->code());
        // What was typed stays as long as it is possible.
        stride->setFocus();
        stride->selectAll();
        QTest::keyClicks(stride, QStringLiteral("0, 0"));
        m_model.select(kA);
        QCOMPARE(stride->text(), QStringLiteral("0, 0"));
        m_model.select(kB);
    }

    void keepsTheKeyboard() {
        QWidget window;
        auto* column = new QVBoxLayout(&window);
        auto* first = new QPushButton(QStringLiteral("New tensor"));
        auto* panel = new OperationsPanel(&m_model);
        panel->setTheme(m_theme);
        column->addWidget(first);
        column->addWidget(panel);
        window.resize(300, 700);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        const auto* form = panel->findChild<OperationForm*>();
        auto* run = form->findChild<QPushButton*>(QStringLiteral("formRun"));
        m_model.select(kA);
        // As the window does: what an operation made is selected.
        TensorId made = kB;
        connect(panel, &OperationsPanel::runRequested, this, [&] { m_model.select(made); });
        panel->openForm(QStringLiteral("transpose"));
        run->setFocus();
        QVERIFY(run->hasFocus());
        QTest::mouseClick(run, Qt::LeftButton);
        QCOMPARE(m_model.selection().tensor, kB);
        QVERIFY(run->isEnabled() && run->hasFocus());
        QSignalSpy ran(panel, &OperationsPanel::runRequested);
        for (const Qt::Key key : {Qt::Key_Space, Qt::Key_Return, Qt::Key_Enter}) QTest::keyClick(run, key);
        QCOMPARE(ran.size(), 3);
        QVERIFY(run->hasFocus());
        // Where the next call is not possible, in the argument that is to be changed.
        m_model.select(kA);
        panel->openForm(QStringLiteral("view"));
        run->setFocus();
        QVERIFY(run->hasFocus());
        QTest::keyClick(run, Qt::Key_Space);
        QVERIFY(!run->isEnabled());
        QCOMPARE(QApplication::focusWidget(), form->findChild<QLineEdit*>(QStringLiteral("form_shape")));
        // And "Show why" goes where nothing is refused any more.
        auto* why = form->findChild<QPushButton*>(QStringLiteral("formWhy"));
        why->setFocus();
        m_model.select(kA);
        QVERIFY(!why->isVisible());
        QVERIFY(run->hasFocus());
        m_model.select(kB);
        disconnect(panel, nullptr, this, nullptr);
    }

private:
    static void settle() {
        for (int pass = 0; pass < 3; ++pass) QApplication::processEvents();
    }
    /// A frame of 1 px, 3 px of padding and 2 px of the field's own on each side.
    static bool fits(const QLineEdit& edit, const QString& text) {
        return edit.width() - 12 >= QFontMetricsF(edit.font()).horizontalAdvance(text);
    }

    Theme m_theme;
    WorkspaceModel m_model;
};

QTEST_MAIN(TestOperationForm)
#include "tst_operation_form.moc"
