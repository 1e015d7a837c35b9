// The panels: tree, operations, form, inspector, ledger, history, message bar.

#include "core/ops/creation.h"
#include "core/ops/views.h"
#include "core/storage/memory_budget.h"
#include "tests/support/qt/sample_workspace.h"
#include "widgets/model/words.h"
#include "widgets/panels/bytes_ledger.h"
#include "widgets/panels/cell_bytes.h"
#include "widgets/panels/code_label.h"
#include "widgets/panels/history_panel.h"
#include "widgets/panels/inspector.h"
#include "widgets/panels/message_bar.h"
#include "widgets/panels/operation_form.h"
#include "widgets/panels/operations_panel.h"
#include "widgets/panels/range_control.h"
#include "widgets/panels/tensor_tree.h"
#include "widgets/panels/tensor_tree_delegate.h"
#include "widgets/panels/tensor_tree_model.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

#include <complex>

using namespace stridescope;
using namespace stridescope::test;

class TestPanels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void copiesThatMemoryRefusesAreNotOffered();
    void bytesAreWorded_data();
    void bytesAreWorded();
    void countsAreGrouped();
    void outsideNamesCannotTurnTheLine();
    void treeShowsTheFamily();
    void treeFilterKeepsAncestors();
    void treeEyeAndDelete();
    void treeRowsShowTheFocus();
    void relationNamesTheLastCall();
    void ledgerMatchesTheMockup();
    void ledgerOfAnExpandedViewCountsSlotsOnce();
    void sliderGoesThereAndBack_data();
    void sliderGoesThereAndBack();
    void sliderIsRedForRefusalsOnly();
    void inspectorShowsLegalRanges();
    void rangesThatNoStorageEndsAreAny();
    void inspectorWritesCode();
    void inspectorKeepsRefusedNumbers();
    void inspectorSaysWhatIsNoNumber();
    void inspectorReasonIsInSight();
    void inspectorFollowsHover();
    void hiddenCardsHaveNoWord();
    void bitsOfAFloatAreLabelled();
    void complexElementsHaveTwoParts();
    void suggestionsAreSortedByCost();
    void otherDTypesTellWhatTheyWouldLose();
    void clickingASuggestionEmitsItsLine();
    void longOperationsTakeTwoLines();
    void longNumbersOfOperationsAreWhole();
    void longNamesOfCellsAreWhole();
    void formRefusesWhatItCannotRead();
    void formOffersWhy();
    void formMarksWhatIsRefused();
    void historyJumps();
    void aLowHistoryNamesTheStep();
    void messageBarTakesNoRoomWhenEmpty();
    void messagesAreNotLostUnseen();
    void longMessagesUnfold();

private:
    WorkspaceModel* model(TensorId selected = kB);
    std::unique_ptr<WorkspaceModel> m_model;
};

WorkspaceModel* TestPanels::model(TensorId selected) {
    m_model = std::make_unique<WorkspaceModel>();
    m_model->setSnapshot(sampleWorkspace());
    m_model->select(selected);
    return m_model.get();
}

void TestPanels::longMessagesUnfold() {
    QWidget window;
    window.resize(700, 400);
    MessageBar bar(&window);
    window.show();
    const auto* detail = bar.findChild<QLabel*>(QStringLiteral("messageDetail"));
    auto* fold = bar.findChild<QPushButton*>(QStringLiteral("messageFold"));
    constexpr int kWidth = 700, kMost = 45;
    const auto fit = [&](int most) {
        const int height = bar.fit(kWidth, most);
        bar.setGeometry(0, 0, kWidth, height);
        QCoreApplication::processEvents();
        return height;
    };
    // What fits has no button for more.
    bar.showMessage(MessageBar::Kind::Error, QStringLiteral("no"), QStringLiteral("one line"));
    QVERIFY(fit(kMost) <= kMost);
    QVERIFY(!fold->isVisible());
    const QString why = QStringLiteral("a reason of many words ").repeated(20).trimmed();
    bar.showMessage(MessageBar::Kind::Error, QStringLiteral("no"), why);
    QVERIFY(fit(kMost) <= kMost);
    QVERIFY(fold->isVisible() && detail->isVisible());
    QVERIFY(detail->height() < 2 * detail->fontMetrics().lineSpacing());
    QCOMPARE(bar.detail(), why);
    QSignalSpy changed(&bar, &MessageBar::changed);
    fold->click();
    QVERIFY(!changed.isEmpty());
    QVERIFY(fit(kMost) > kMost);
    QVERIFY(detail->height() >= detail->heightForWidth(detail->width()));
    QVERIFY(detail->height() > 2 * detail->fontMetrics().lineSpacing());
    fold->click();
    QVERIFY(fit(kMost) <= kMost);
    // A long line of code is cut in its middle.
    bar.showMessage(MessageBar::Kind::Error, why + QStringLiteral(" is not possible"), why);
    QVERIFY(fit(kMost) <= kMost);
    QVERIFY(fold->isVisible());
    // The next one is folded again, and one with room never is.
    fold->click();
    bar.showMessage(MessageBar::Kind::Note, QStringLiteral("yes"), why + why);
    QVERIFY(fit(kMost) <= kMost);
    QVERIFY(fit(0) > 3 * detail->fontMetrics().lineSpacing());
    QVERIFY(!fold->isVisible());
}

void TestPanels::bytesAreWorded_data() {
    QTest::addColumn<quint64>("bytes");
    QTest::addColumn<QString>("words");
    QTest::newRow("none") << quint64{0} << "0 B";
    QTest::newRow("exact") << quint64{1024} << "1024 B";
    QTest::newRow("grouped") << quint64{16384} << QStringLiteral("16\u202f384 B");
    QTest::newRow("rounded") << quint64{117 * 1000000 + 200000} << "117 MB";
    QTest::newRow("unit step") << quint64{999'900} << "1.00 MB";
    QTest::newRow("a large file") << quint64{30'000'000'000} << "30.0 GB";
    QTest::newRow("most") << ~quint64{0} << "18.4 EB";
}

void TestPanels::bytesAreWorded() {
    QFETCH(quint64, bytes);
    QTEST(bytesText(bytes), "words");
}

void TestPanels::countsAreGrouped() {
    const QString gap(QChar(0x202f));
    QCOMPARE(elementsText(1), QStringLiteral("1 element"));
    QCOMPARE(elementsText(0), QStringLiteral("0 elements"));
    QCOMPARE(countText(1234), QStringLiteral("1234"));
    QCOMPARE(countText(12345), QStringLiteral("12") + gap + QStringLiteral("345"));
    QCOMPARE(countText(-1234567), QStringLiteral("-1") + gap + QStringLiteral("234") + gap + QStringLiteral("567"));
}

void TestPanels::outsideNamesCannotTurnTheLine() {
    QCOMPARE(plainName(QStringLiteral("a\nb")), QStringLiteral("a\\u000ab"));
    QCOMPARE(plainName(QString(QChar(0x202e)) + QStringLiteral("x")), QStringLiteral("\\u202ex"));
    QCOMPARE(plainName(QString(5000, QLatin1Char('x'))).size(), 200);
}

void TestPanels::treeShowsTheFamily() {
    TensorTreeModel tree(model());
    QAbstractItemModelTester tester(&tree, QAbstractItemModelTester::FailureReportingMode::Fatal);
    QCOMPARE(tree.rowCount(), 2);
    const QModelIndex q = tree.index(0, 0, tree.index(0, 0));
    QCOMPARE(q.data().toString(), QStringLiteral("q"));
    QCOMPARE(tree.index(0, 0, q).data().toString(), QStringLiteral("A"));
    const QModelIndex c = tree.indexOf(kC);
    QCOMPARE(c.parent().data().toString(), QStringLiteral("B"));
    QCOMPARE(c.data(TensorTreeModel::DetailRole).toString(), QStringLiteral("(2, 4)"));
    // A copy stands under its own storage and says of whom.
    const QModelIndex w = tree.indexOf(kW);
    QCOMPARE(w.parent().data().toString(), QStringLiteral("storage #2"));
    QCOMPARE(w.data(TensorTreeModel::RelationRole).toString(), QStringLiteral("copy of C"));
    QVERIFY(
        tree.index(0, 0).data(TensorTreeModel::DetailRole).toString().startsWith(QStringLiteral("20 × int64 · 160 B")));
    m_model->setSnapshot(std::make_shared<WorkspaceSnapshot>());
    QCOMPARE(tree.rowCount(), 0);
}

void TestPanels::treeFilterKeepsAncestors() {
    TensorTreeModel tree(model());
    QAbstractItemModelTester tester(&tree, QAbstractItemModelTester::FailureReportingMode::Fatal);
    tree.setFilter(QStringLiteral("(2, 4)"));
    QVERIFY(tree.indexOf(kC).isValid());
    QVERIFY(tree.indexOf(kB).isValid());
    QVERIFY(tree.indexOf(kW).isValid());
    tree.setFilter(QStringLiteral("narrow"));
    QVERIFY(tree.indexOf(kB).isValid());
    QVERIFY(!tree.indexOf(kC).isValid());
    QCOMPARE(tree.rowCount(), 1);
    tree.setFilter(QStringLiteral("nothing like it"));
    QCOMPARE(tree.rowCount(), 0);
}

void TestPanels::treeEyeAndDelete() {
    TensorTree tree(model());
    tree.setTheme(Theme());
    tree.resize(280, 400);
    tree.show();
    auto* view = tree.findChild<QTreeView*>(QStringLiteral("tensorTree"));
    QVERIFY(view);
    QSignalSpy stage(&tree, &TensorTree::stageRequested);
    QSignalSpy run(&tree, &TensorTree::runRequested);
    const auto* treeModel = static_cast<TensorTreeModel*>(view->model());
    const QRect row = view->visualRect(treeModel->indexOf(kA));
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, TensorTreeDelegate::eyeRect(row).center());
    QCOMPARE(stage.size(), 1);
    QCOMPARE(stage.first().at(0).toULongLong(), kA);
    QCOMPARE(stage.first().at(1).toBool(), false);
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, row.center());
    QCOMPARE(m_model->selection().tensor, kA);
    QTest::keyClick(view, Qt::Key_Delete);
    QCOMPARE(run.size(), 1);
    QCOMPARE(run.first().first().toString(), QStringLiteral("del A"));
}

void TestPanels::relationNamesTheLastCall() {
    const SnapshotPtr snapshot = sampleWorkspace();
    QCOMPARE(relationWord(*snapshot, *snapshot->tensor(kB)), QStringLiteral("narrow"));
    QCOMPARE(relationWord(*snapshot, *snapshot->tensor(kC)), QStringLiteral("t"));
    QCOMPARE(relationWord(*snapshot, *snapshot->tensor(kQ)), QStringLiteral("base"));
    TensorEntry indexed = *snapshot->tensor(kB);
    indexed.code = QStringLiteral("A[0]");
    QCOMPARE(relationWord(*snapshot, indexed), QStringLiteral("index"));
}

void TestPanels::ledgerMatchesTheMockup() {
    const SnapshotPtr snapshot = sampleWorkspace();
    const Ledger ledger = bytesLedger(*snapshot, kB);
    QCOMPARE(ledger.rows.size(), std::size_t{5});
    QCOMPARE(ledger.rows[0].metadataBytes, quint64{24});
    QCOMPARE(ledger.rows[0].newBytes, quint64{160});
    QCOMPARE(ledger.rows[2].metadataBytes, quint64{40});
    QCOMPARE(ledger.rows[2].newBytes, quint64{0});
    QCOMPARE(ledger.rows[4].newBytes, quint64{64});
    QCOMPARE(ledger.sentence,
             QStringLiteral("B uses 8 of 20 elements (64 B of 160 B), yet keeps the whole of storage #1 alive."));
    QCOMPARE(bytesLedger(*snapshot, kB, 2).rows.back().tensor, kB);
    QCOMPARE(bytesLedger(*snapshot, kB, 2).left, 3);
}

void TestPanels::ledgerOfAnExpandedViewCountsSlotsOnce() {
    auto snapshot = std::make_shared<WorkspaceSnapshot>(*sampleWorkspace());
    TensorEntry wide = *snapshot->tensor(kQ);
    wide.id = 9;
    wide.name = QStringLiteral("e");
    wide.tensor = wide.tensor.withView(View{{3, 4}, {0, 1}, 2});
    snapshot->tensors.push_back(wide);
    QVERIFY2(bytesLedger(*snapshot, 9).sentence.startsWith(QStringLiteral("e uses 4 of 20 elements (32 B of 160 B)")),
             qPrintable(bytesLedger(*snapshot, 9).sentence));
}

void TestPanels::sliderGoesThereAndBack_data() {
    QTest::addColumn<Index>("low");
    QTest::addColumn<Index>("high");
    QTest::addColumn<Index>("shown");
    QTest::newRow("small") << Index{0} << Index{4} << Index{6};
    QTest::newRow("from one") << Index{1} << Index{20} << Index{30};
    QTest::newRow("nothing legal") << Index{0} << Index{-1} << Index{8};
}

void TestPanels::sliderGoesThereAndBack() {
    QFETCH(Index, low);
    QFETCH(Index, high);
    QFETCH(Index, shown);
    RangeSlider slider;
    slider.resize(120, 26);
    slider.setRange(low, high, shown);
    for (Index value = low; value <= shown; ++value) QCOMPARE(slider.valueAt(slider.xOf(value)), value);
    slider.setRange(0, INT64_MAX - 1, INT64_MAX);
    QCOMPARE(slider.valueAt(slider.xOf(INT64_MAX)), Index{INT64_MAX});
}

void TestPanels::treeRowsShowTheFocus() {
    TensorTreeModel rows(model());
    TensorTreeDelegate delegate;
    const Theme theme;
    delegate.setTheme(theme);
    const auto inkAtTheEdge = [&](const QModelIndex& index, QStyle::State state) {
        QImage image(260, 34, QImage::Format_RGB32);
        image.fill(theme.color(Tone::Stage));
        QPainter painter(&image);
        QStyleOptionViewItem option;
        option.rect = image.rect();
        option.state = QStyle::State_Enabled | state;
        delegate.paint(&painter, option, index);
        painter.end();
        int ink = 0;
        for (int x = 20; x < 240; ++x) ink += image.pixelColor(x, 1) == theme.color(Tone::Ink) ? 1 : 0;
        return ink;
    };
    const QModelIndex storage = rows.index(0, 0);
    const QModelIndex tensor = rows.indexOf(kB);
    for (const QModelIndex& row : {storage, tensor}) {
        QVERIFY(row.isValid());
        QCOMPARE(inkAtTheEdge(row, QStyle::State_Selected), 0);
        QCOMPARE(inkAtTheEdge(row, QStyle::State_Selected | QStyle::State_HasFocus), 220);
    }
}

void TestPanels::sliderIsRedForRefusalsOnly() {
    const Theme theme;
    RangeControl control(QStringLiteral("stride"), QStringLiteral("dim 0"), Tone::Control);
    control.setTheme(theme);
    control.resize(300, 40);
    auto* slider = control.findChild<RangeSlider*>();
    const auto isRed = [&] {
        const QImage image = slider->grab().toImage();
        const QRgb red = theme.color(Tone::Error).rgb();
        bool found = false;
        for (int x = 0; x < image.width(); ++x)
            for (int y = 0; y < image.height(); ++y) found |= image.pixel(x, y) == red;
        return found;
    };
    // Without an end no value that is there was refused, however large; nor one on the way to it.
    for (const Index value : {Index{0}, Index{9}, Index{1'000'000'000}, Index{1} << 62, Index{3}}) {
        control.setRange({0, INT64_MAX});
        control.setValue(value);
        QVERIFY2(!isRed(), qPrintable(QString::number(value)));
        QVERIFY(slider->shownHigh() > value);
        slider->setValue(slider->shownHigh());
        QVERIFY2(!isRed(), qPrintable(QString::number(value)));
    }
    // What other reasons than its range refuse is red all the same, until another number is shown.
    control.showRefused(7);
    QVERIFY(isRed());
    control.setValue(3);
    QVERIFY(!isRed());
    // A view from outside may have a stride that nothing here would give it.
    control.setRange({0, INT64_MAX});
    control.setValue(-2);
    QVERIFY(!isRed());
    // With an end the track beyond it is hatched; the knob is red there.
    control.setRange({0, 4});
    control.setValue(2);
    QVERIFY(!slider->isRefused());
    slider->setValue(5);
    QVERIFY(slider->isRefused());
    control.setValue(4);
    QVERIFY(!slider->isRefused());
}

void TestPanels::inspectorShowsLegalRanges() {
    Inspector inspector(model());
    inspector.setTheme(Theme());
    inspector.resize(328, 900);
    inspector.show();
    // The mock-up's numbers: B is (4, 2) with strides (5, 1) at offset 1 of 20.
    const std::pair<const char*, const char*> expected[]{{"range_offset", "0 to 3"},
                                                         {"range_size0", "0 to 4"},
                                                         {"range_size1", "0 to 4"},
                                                         {"range_stride0", "0 to 5"},
                                                         {"range_stride1", "0 to 3"}};
    for (const auto& [name, range] : expected) {
        const auto* control = inspector.findChild<RangeControl*>(QString::fromLatin1(name));
        QVERIFY2(control, name);
        QVERIFY2(control->toolTip().contains(QString::fromLatin1(range)), qPrintable(control->toolTip()));
    }
}

void TestPanels::rangesThatNoStorageEndsAreAny() {
    // A dim of stride 0 may be as long as arithmetic goes: with six elements in each step, 2^63 / 6.
    RangeControl control(QStringLiteral("size"), QStringLiteral("dim 0"), Tone::Control);
    control.setTheme(Theme());
    control.setRange(LegalRange{0, INT64_MAX / 6});
    control.setValue(4);
    QVERIFY2(control.toolTip().contains(QStringLiteral("no end")), qPrintable(control.toolTip()));
    const auto* slider = control.findChild<RangeSlider*>();
    QVERIFY(slider->shownHigh() < 100);
    control.setRange(LegalRange{0, Index{1} << 40});
    QVERIFY(!control.toolTip().contains(QStringLiteral("no end")));
}

void TestPanels::inspectorWritesCode() {
    Inspector inspector(model());
    inspector.setTheme(Theme());
    inspector.resize(328, 900);
    inspector.show();
    QCOMPARE(inspector.codeLine(), QStringLiteral("B = A.as_strided((4, 2), (5, 1), 1)"));
    QSignalSpy run(&inspector, &Inspector::runRequested);
    auto* offset = inspector.findChild<RangeControl*>(QStringLiteral("range_offset"));
    const QList<QToolButton*> steppers = offset->findChildren<QToolButton*>();
    QTest::mouseClick(steppers.last(), Qt::LeftButton);
    QCOMPARE(run.size(), 1);
    QCOMPARE(run.first().first().toString(), QStringLiteral("B = A.as_strided((4, 2), (5, 1), 2)"));
    // Words instead of a number mark the field and run nothing.
    auto* field = offset->findChild<QLineEdit*>();
    field->setText(QString());
    QTest::keyClicks(field, QStringLiteral("2x"));
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(run.size(), 1);
    QVERIFY(field->property("wrong").toBool());
}

void TestPanels::inspectorKeepsRefusedNumbers() {
    // Nothing runs the lines here: as if each were refused.
    Inspector inspector(model());
    inspector.setTheme(Theme());
    inspector.resize(328, 900);
    inspector.show();
    auto* offset = inspector.findChild<RangeControl*>(QStringLiteral("range_offset"));
    auto* field = offset->findChild<QLineEdit*>();
    field->setText(QString());
    QTest::keyClicks(field, QStringLiteral("99"));
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(field->text(), QStringLiteral("99"));
    QVERIFY(field->property("wrong").toBool());
    QVERIFY2(field->toolTip().contains(QStringLiteral("still 1")), qPrintable(field->toolTip()));
    QCOMPARE(offset->value(), Index{1});
    // The steppers go on from the value that is.
    QSignalSpy run(&inspector, &Inspector::runRequested);
    QTest::mouseClick(offset->findChildren<QToolButton*>().last(), Qt::LeftButton);
    QCOMPARE(run.size(), 1);
    QCOMPARE(run.first().first().toString(), QStringLiteral("B = A.as_strided((4, 2), (5, 1), 2)"));
    // As if that was refused, too: the same stepper has nothing new to ask, the other one leads back to the value.
    QCOMPARE(field->text(), QStringLiteral("2"));
    QVERIFY(field->property("wrong").toBool());
    QTest::mouseClick(offset->findChildren<QToolButton*>().last(), Qt::LeftButton);
    QCOMPARE(run.size(), 1);
    QTest::mouseClick(offset->findChildren<QToolButton*>().first(), Qt::LeftButton);
    QCOMPARE(run.size(), 1);
    QCOMPARE(field->text(), QStringLiteral("1"));
    QVERIFY(!field->property("wrong").toBool());
    // What stands in the fields is what is asked for: another number beside the refused one, with the range that would
    // mend it.
    const auto type = [&inspector](const char* name, const char* number) {
        auto* edit = inspector.findChild<RangeControl*>(QLatin1String(name))->findChild<QLineEdit*>();
        edit->setText(QString());
        QTest::keyClicks(edit, QLatin1String(number));
        QTest::keyClick(edit, Qt::Key_Return);
    };
    type("range_offset", "9");
    const auto* rows = inspector.findChild<RangeControl*>(QStringLiteral("range_size0"));
    QVERIFY2(rows->toolTip().contains(QStringLiteral("0 to 2")), qPrintable(rows->toolTip()));
    type("range_size0", "2");
    QCOMPARE(run.last().first().toString(), QStringLiteral("B = A.as_strided((2, 2), (5, 1), 9)"));
    QVERIFY(field->property("wrong").toBool() && field->text() == QStringLiteral("9"));
    // Given up, it is no longer part of what is asked for.
    QTest::keyClick(field, Qt::Key_Escape);
    QCOMPARE(field->text(), QStringLiteral("1"));
    type("range_stride1", "2");
    QCOMPARE(run.last().first().toString(), QStringLiteral("B = A.as_strided((2, 2), (5, 2), 1)"));
    // Another selection starts afresh.
    m_model->select(kA);
    const auto* fresh = inspector.findChild<RangeControl*>(QStringLiteral("range_offset"))->findChild<QLineEdit*>();
    QVERIFY(!fresh->property("wrong").toBool());
    QCOMPARE(fresh->text(), QStringLiteral("0"));
    QVERIFY(fresh->toolTip().isEmpty());
}

void TestPanels::inspectorSaysWhatIsNoNumber() {
    Inspector inspector(model());
    inspector.setTheme(Theme());
    inspector.resize(328, 900);
    inspector.show();
    auto* field = inspector.findChild<RangeControl*>(QStringLiteral("range_offset"))->findChild<QLineEdit*>();
    auto* problem = inspector.findChild<QLabel*>(QStringLiteral("numberProblem"));
    QVERIFY(!problem->isVisible());
    QSignalSpy preview(&inspector, &Inspector::previewRequested);
    const auto type = [&](const QString& text) {
        field->setText(QString());
        QTest::keyClicks(field, text);
    };
    type(QStringLiteral("2"));
    QCOMPARE(inspector.codeLine(), QStringLiteral("B = A.as_strided((4, 2), (5, 1), 2)"));
    QVERIFY(!problem->isVisible());
    // No reading: the reason in words, and neither picture nor code of the number before.
    for (const auto& [text, part] : {std::pair{"1e9", "digits 0-9"}, std::pair{"abc", "digits 0-9"},
                                     std::pair{"99999999999999999999", "64 bits"}}) {
        type(QString::fromLatin1(text));
        QVERIFY2(problem->isVisible() && problem->text().contains(QLatin1String(part)), text);
        QCOMPARE(preview.last().first().toString(), QString());
        QCOMPARE(inspector.codeLine(), QStringLiteral("B = A.as_strided((4, 2), (5, 1), 1)"));
    }
    // Escape brings the value back.
    QTest::keyClick(field, Qt::Key_Escape);
    QCOMPARE(field->text(), QStringLiteral("1"));
    QVERIFY(!field->property("wrong").toBool());
    QVERIFY(!problem->isVisible());
    // So does leaving the field with something undecided in it.
    type(QStringLiteral("2"));
    QFocusEvent leave(QEvent::FocusOut, Qt::TabFocusReason);
    QCoreApplication::sendEvent(field, &leave);
    QCOMPARE(field->text(), QStringLiteral("1"));
    QCOMPARE(preview.last().first().toString(), QString());
}

/// In a panel lower than its list of numbers the reason stands under the field that it is about, in sight.
void TestPanels::inspectorReasonIsInSight() {
    Inspector inspector(model());
    inspector.setTheme(Theme());
    inspector.resize(266, 190);
    inspector.show();
    const auto* problem = inspector.findChild<QLabel*>(QStringLiteral("numberProblem"));
    for (const char* name : {"range_stride1", "range_size0", "range_offset"}) {
        const auto* control = inspector.findChild<RangeControl*>(QString::fromLatin1(name));
        auto* field = control->findChild<QLineEdit*>();
        inspector.ensureWidgetVisible(field);
        field->setText(QString());
        QTest::keyClicks(field, QStringLiteral("1e9"));
        QCoreApplication::processEvents();
        QVERIFY2(problem->visibleRegion() == QRegion(problem->rect()), name);
        QVERIFY2(field->visibleRegion() == QRegion(field->rect()), name);
        QVERIFY(problem->y() >= control->geometry().bottom());
        QTest::keyClick(field, Qt::Key_Escape);
        QVERIFY(!problem->isVisible());
    }
}

/// What was picked on a card that left the stage is told through one that is seen, or as what is not on stage; the
/// pointer is on no card that is gone.
void TestPanels::hiddenCardsHaveNoWord() {
    Inspector inspector(model(kA));
    inspector.setTheme(Theme());
    inspector.resize(328, 900);
    inspector.show();
    const auto says = [&inspector](const char* words) {
        const auto labels = inspector.findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(),
                           [&](const QLabel* label) { return label->text() == QLatin1String(words); });
    };
    const auto show = [this](std::initializer_list<TensorId> seen) {
        auto snapshot = std::make_shared<WorkspaceSnapshot>(*m_model->snapshot());
        for (TensorEntry& entry : snapshot->tensors)
            entry.onStage = std::find(seen.begin(), seen.end(), entry.id) != seen.end();
        m_model->setSnapshot(snapshot);
    };
    show({kA, kB, kW});
    Pick pick;
    pick.storageId = m_model->snapshot()->tensor(kB)->tensor.storage()->id();
    pick.slot = 12;
    pick.tensor = kB;
    pick.coord = Dims{2, 1};
    m_model->setPick(pick);
    m_model->setHover(pick);
    QVERIFY(says("Hovered cell B[2, 1]"));
    show({kA, kW});
    QVERIFY(!m_model->selection().hover);
    QVERIFY(says("Picked cell A[2, 2]"));
    QVERIFY(says("picked cell A[2, 2]")); // one name, also where it came from
    m_model->select(kW);
    show({kW});
    QVERIFY(!says("Picked cell A[2, 2]") && !says("Picked cell B[2, 1]") && !says("picked cell B[2, 1]"));
    QVERIFY(says("Cell B[2, 1]") && says("not on stage"));
    // Of what is hidden and selected the strip is in sight, as the status line has it.
    m_model->select(kB);
    QVERIFY(says("Picked cell storage #1[12]"));
}

void TestPanels::inspectorFollowsHover() {
    Inspector inspector(model());
    inspector.setTheme(Theme());
    inspector.resize(328, 900);
    inspector.show();
    Pick pick;
    pick.storageId = m_model->snapshot()->tensor(kB)->tensor.storage()->id();
    pick.slot = 12;
    pick.tensor = kB;
    pick.coord = Dims{2, 1};
    m_model->setHover(pick);
    bool found = false;
    for (const QLabel* label : inspector.findChildren<QLabel*>())
        found |= label->text() == QStringLiteral("Hovered cell B[2, 1]");
    QVERIFY(found);
    // What stands below is of the picked cell, and says so, however many cells the pointer passes.
    Pick pinned = pick;
    pinned.slot = 6;
    pinned.coord = Dims{1, 0};
    m_model->setPick(pinned);
    m_model->setHover(pick);
    QStringList texts;
    for (const QLabel* label : inspector.findChildren<QLabel*>()) texts << label->text();
    QVERIFY(texts.contains(QStringLiteral("Hovered cell B[2, 1]")));
    QVERIFY(texts.contains(QStringLiteral("picked cell B[1, 0]")));
    m_model->setPick(std::nullopt);
    const Scene scene = cellBytesScene(*m_model->snapshot(), pick, false, 300);
    int boxes = 0;
    for (const SceneNode& node : scene.nodes) boxes += std::holds_alternative<BoxItem>(node.item);
    QCOMPARE(boxes, 8);
    Pick outside = pick;
    outside.slot = 20;
    QVERIFY(cellBytesScene(*m_model->snapshot(), outside, false, 300).nodes.empty());
}

void TestPanels::bitsOfAFloatAreLabelled() {
    const SnapshotPtr snapshot = sampleWorkspace();
    auto changed = std::make_shared<WorkspaceSnapshot>(*snapshot);
    changed->tensors[0].tensor =
        Tensor(changed->tensors[0].tensor.storage(), *contiguousView(Dims{20}), DType::Float64);
    Pick pick;
    pick.storageId = changed->tensors[0].tensor.storage()->id();
    pick.slot = 3;
    pick.tensor = kQ;
    pick.coord = Dims{3};
    const Scene scene = cellBytesScene(*changed, pick, true, 300);
    QStringList words;
    for (const SceneNode& node : scene.nodes) {
        if (const auto* text = std::get_if<TextItem>(&node.item)) words << text->text;
    }
    QVERIFY(words.contains(QStringLiteral("exponent")));
    QVERIFY(words.contains(QStringLiteral("mantissa")));
}

void TestPanels::complexElementsHaveTwoParts() {
    Tensor z = zeros(Dims{2}, {DType::Complex128, {}});
    z.data<std::complex<double>>()[1] = {1.0, -2.0};
    auto snapshot = std::make_shared<WorkspaceSnapshot>(*sampleWorkspace());
    snapshot->tensors[0].tensor = z;
    Pick pick;
    pick.storageId = z.storage()->id();
    pick.slot = 1;
    pick.tensor = snapshot->tensors[0].id;
    pick.coord = Dims{1};
    for (const bool bits : {false, true}) {
        const Scene scene = cellBytesScene(*snapshot, pick, bits, 300);
        QStringList words, bytes;
        for (const SceneNode& node : scene.nodes) {
            const auto* text = std::get_if<TextItem>(&node.item);
            if (text) (node.part.kind == PartKind::Button ? bytes : words) << text->text;
        }
        const QString one = QStringLiteral("00 00 00 00 00 00 f0 3f"),
                      minusTwo = QStringLiteral("00 00 00 00 00 00 00 c0");
        QCOMPARE(bytes.join(QLatin1Char(' ')), one + QLatin1Char(' ') + minusTwo);
        QVERIFY(words.contains(QStringLiteral("real part")) && words.contains(QStringLiteral("imaginary part")));
        QCOMPARE(words.count(QStringLiteral("exponent")), bits ? 2 : 0);
    }
}

void TestPanels::suggestionsAreSortedByCost() {
    const SnapshotPtr snapshot = sampleWorkspace();
    const std::vector<OperationSuggestion> list = operationSuggestions(*snapshot->tensor(kB));
    const auto group = [&list](const char* code) {
        for (const OperationSuggestion& s : list) {
            if (s.code == QString::fromLatin1(code)) return static_cast<int>(s.group);
        }
        return -1;
    };
    QCOMPARE(group("B.t()"), static_cast<int>(SuggestionGroup::View));
    QCOMPARE(group("B.view(8)"), static_cast<int>(SuggestionGroup::NotPossible));
    QCOMPARE(group("B.reshape(8)"), static_cast<int>(SuggestionGroup::Copy));
    QCOMPARE(group("B.contiguous()"), static_cast<int>(SuggestionGroup::Copy));
    for (const TensorId id : {kQ, kA, kB, kC, kW}) {
        for (const OperationSuggestion& s : operationSuggestions(*snapshot->tensor(id))) {
            QVERIFY(!s.code.isEmpty());
            if (s.group == SuggestionGroup::OtherDType) continue;
            QCOMPARE(s.reason.isEmpty(), s.group != SuggestionGroup::NotPossible);
        }
    }
}

void TestPanels::otherDTypesTellWhatTheyWouldLose() {
    TensorEntry entry;
    entry.name = QStringLiteral("x");
    const auto reason = [&entry](const char* code) {
        for (const OperationSuggestion& s : operationSuggestions(entry)) {
            if (s.code == QString::fromLatin1(code)) return s.reason;
        }
        return QStringLiteral("missing");
    };
    entry.tensor = tensorFrom(NestedList::list({NestedList::list({1.0, 1.5}), NestedList::list({300.0, -1.0})}));
    QCOMPARE(reason("x.to(torch.float32)"), QStringLiteral("missing")); // its own
    QCOMPARE(reason("x.to(torch.float64)"), QString());
    QCOMPARE(reason("x.to(torch.uint8)"), QStringLiteral("3 of 4 change: 1 rounded, 2 out of range; [0, 1] 1.5 → 1"));
    entry.tensor = zeros({20000});
    QVERIFY(reason("x.to(torch.uint8)").startsWith(QStringLiteral("none of the first 8")));
    entry.tensor = empty({2});
    QCOMPARE(reason("x.to(torch.uint8)"), QString());
}

void TestPanels::clickingASuggestionEmitsItsLine() {
    OperationsPanel panel(model());
    panel.setTheme(Theme());
    panel.resize(280, 600);
    panel.show();
    auto* list = panel.findChild<QListWidget*>(QStringLiteral("operationsList"));
    QSignalSpy run(&panel, &OperationsPanel::runRequested);
    QSignalSpy explain(&panel, &OperationsPanel::explainRequested);
    const auto click = [list](const QString& code) {
        const QList<QListWidgetItem*> items = list->findItems(code, Qt::MatchExactly);
        QCOMPARE(items.size(), 1);
        list->scrollToItem(items.first());
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(items.first()).center());
    };
    click(QStringLiteral("B.t()"));
    QCOMPARE(run.size(), 1);
    QCOMPARE(run.first().first().toString(), QStringLiteral("B.t()"));
    click(QStringLiteral("B.view(8)"));
    QCOMPARE(explain.size(), 1);
    QCOMPARE(explain.first().first().toString(), QStringLiteral("B.view(8)"));
}

void TestPanels::longOperationsTakeTwoLines() {
    TensorEntry entry;
    entry.id = 7;
    entry.name = QStringLiteral("rose");
    entry.code = QStringLiteral("rose");
    entry.onStage = true;
    entry.tensor = empty({46, 70, 3}, {DType::UInt8, Device{}});
    auto snapshot = std::make_shared<WorkspaceSnapshot>();
    snapshot->storages.push_back({entry.tensor.storage()->id(), 1, DType::UInt8, {}});
    snapshot->tensors.push_back(entry);
    WorkspaceModel workspace;
    workspace.setSnapshot(snapshot);
    workspace.select(7);
    OperationsPanel panel(&workspace);
    const Theme theme;
    panel.setTheme(theme);
    panel.show();
    const auto* list = panel.findChild<QListWidget*>(QStringLiteral("operationsList"));
    for (const int width : {268, 420}) {
        panel.resize(width, 700);
        QCoreApplication::processEvents();
        int apart = 0;
        for (int row = 0; row < list->count(); ++row) {
            const QListWidgetItem* item = list->item(row);
            const QString result = item->data(Qt::UserRole + 2).toString(),
                          reason = item->data(Qt::UserRole + 3).toString();
            if (result.isEmpty() || !reason.isEmpty()) continue;
            const qreal wide = QFontMetricsF(theme.font(FontRole::Code)).horizontalAdvance(item->text()) +
                               QFontMetricsF(theme.font(FontRole::Meta)).horizontalAdvance(result);
            const bool two = list->visualItemRect(item).height() > 40;
            // Beside each other with a gap, or one below the other: nothing is left out.
            QVERIFY2(two || wide + 8 <= list->viewport()->width() - 26, qPrintable(item->text()));
            apart += two ? 1 : 0;
        }
        QCOMPARE(apart > 0, width == 268);
    }
}

void TestPanels::longNumbersOfOperationsAreWhole() {
    const Theme theme;
    const QFont font = theme.font(FontRole::Code);
    const QString narrow = QStringLiteral("sparse30.narrow(0, 1, 7499999999)");
    const qreal room = QFontMetricsF(font).horizontalAdvance(narrow) - 20;
    const QStringList lines = CodeLabel::linesOf(narrow, font, room, 3);
    QCOMPARE(lines.size(), 2);
    QCOMPARE(lines.join(QLatin1Char(' ')), narrow);
    for (const QString& line : lines) QVERIFY(QFontMetricsF(font).horizontalAdvance(line) <= room);
    QCOMPARE(CodeLabel::linesOf(narrow, font, room + 20, 3), QStringList{narrow});
    QCOMPARE(CodeLabel::linesOf(narrow, font, 40, 3).size(), 3);

    // Elements that nobody touches.
    TensorEntry entry;
    entry.id = 7;
    entry.name = entry.code = QStringLiteral("sparse30");
    entry.onStage = true;
    entry.tensor = expand(empty({1}, {DType::UInt8, Device{}}), {7500000000});
    auto snapshot = std::make_shared<WorkspaceSnapshot>();
    snapshot->storages.push_back({entry.tensor.storage()->id(), 1, DType::UInt8, {}});
    snapshot->tensors.push_back(entry);
    WorkspaceModel workspace;
    workspace.setSnapshot(snapshot);
    workspace.select(7);
    OperationsPanel panel(&workspace);
    panel.setTheme(theme);
    panel.resize(268, 700);
    panel.show();
    QCoreApplication::processEvents();
    const auto* list = panel.findChild<QListWidget*>(QStringLiteral("operationsList"));
    const QList<QListWidgetItem*> items = list->findItems(narrow, Qt::MatchExactly);
    QCOMPARE(items.size(), 1);
    QVERIFY(items.front()->toolTip().contains(QStringLiteral("(7499999999,)")));
    // Its second line begins at the left, as the first does: code goes on there, not only the result.
    const QRect row = list->visualItemRect(items.front());
    QVERIFY(row.height() > 40);
    const QImage shown = list->viewport()->grab(QRect(row.left() + 18, row.top() + 24, 60, 16)).toImage();
    int inked = 0;
    for (int y = 0; y < shown.height(); ++y) {
        for (int x = 0; x < shown.width(); ++x) inked += shown.pixelColor(x, y).lightness() < 100 ? 1 : 0;
    }
    QVERIFY2(inked > 20, qPrintable(QString::number(inked)));
}

void TestPanels::longNamesOfCellsAreWhole() {
    const Tensor base = empty({1}, {DType::Float32, Device{}});
    for (const QString& name : {QStringLiteral("A"), QStringLiteral("sparse30"), QStringLiteral("q").repeated(60)}) {
        TensorEntry entry;
        entry.id = 7;
        entry.name = entry.code = name;
        entry.onStage = true;
        entry.tensor = expand(base, {7500000000});
        auto snapshot = std::make_shared<WorkspaceSnapshot>();
        snapshot->storages.push_back({entry.tensor.storage()->id(), 1, DType::Float32, {}});
        snapshot->tensors.push_back(entry);
        WorkspaceModel workspace;
        workspace.setSnapshot(snapshot);
        workspace.select(7);
        Inspector inspector(&workspace);
        inspector.setTheme(Theme());
        inspector.resize(318, 900);
        inspector.show();
        const Index at = name.size() == 1 ? 1 : 7000000001;
        workspace.setPick(Pick{entry.tensor.storage()->id(), 0, 7, {at}});
        QCoreApplication::processEvents();
        const auto* title = inspector.findChild<QLabel*>(QStringLiteral("cellTitle"));
        const auto* note = inspector.findChild<QLabel*>(QStringLiteral("cellNote"));
        const QString words = title->text().remove(QChar(0x200B));
        QVERIFY2(words.contains(QStringLiteral("%1[%2]").arg(name).arg(at)), qPrintable(words));
        // Every line of it is inside the label, and no part of one beyond its end.
        const QRect room(0, 0, title->width(), 1 << 14);
        const QRect used = title->fontMetrics().boundingRect(room, Qt::TextWordWrap | Qt::AlignLeft, title->text());
        QVERIFY2(used.width() <= title->width(),
                 qPrintable(QStringLiteral("%1 of %2").arg(used.width()).arg(title->width())));
        QVERIFY(used.height() <= title->height());
        QCOMPARE(title->toolTip().isEmpty(), name.size() < 60);
        // A short one has its note beside it, in one line.
        QCOMPARE(note->geometry().top() < title->geometry().bottom(), name.size() == 1);
        if (name.size() < 60) QVERIFY(title->height() < 2 * title->fontMetrics().lineSpacing());
    }
}

void TestPanels::formRefusesWhatItCannotRead() {
    OperationForm form(model());
    form.setTheme(Theme());
    form.show();
    form.setOperation(QStringLiteral("narrow"));
    QCOMPARE(form.code(), QStringLiteral("B.narrow(0, 1, 3)"));
    auto* start = form.findChild<QLineEdit*>(QStringLiteral("form_start"));
    auto* run = form.findChild<QPushButton*>(QStringLiteral("formRun"));
    QVERIFY(start && run);
    QVERIFY(run->isEnabled());
    start->clear();
    QTest::keyClicks(start, QStringLiteral("1,,2"));
    QVERIFY(start->property("wrong").toBool());
    QVERIFY(!run->isEnabled());
    QVERIFY(form.code().isEmpty());
    start->clear();
    QTest::keyClicks(start, QStringLiteral("2"));
    QVERIFY(!run->isEnabled()); // 2 + 3 is past the end of 4
    auto* length = form.findChild<QLineEdit*>(QStringLiteral("form_length"));
    QVERIFY(!start->property("wrong").toBool());
    QVERIFY(length->property("wrong").toBool());
    length->clear();
    QTest::keyClicks(length, QStringLiteral("2"));
    QVERIFY(run->isEnabled());
    QVERIFY(!length->property("wrong").toBool());
    QSignalSpy ran(&form, &OperationForm::runRequested);
    QTest::keyClick(length, Qt::Key_Return);
    QCOMPARE(ran.size(), 1);
    QCOMPARE(ran.first().first().toString(), QStringLiteral("B.narrow(0, 2, 2)"));
    // For another tensor arguments that do not fit are not kept: they would be drawn as a mistake that nobody made.
    for (const TensorEntry& other : m_model->snapshot()->tensors) {
        start->clear();
        QTest::keyClicks(start, QStringLiteral("50"));
        QVERIFY(!run->isEnabled());
        if (other.id == m_model->selected()->id) continue;
        m_model->select(other.id);
        QVERIFY2(run->isEnabled(), qPrintable(form.code()));
    }
}

void TestPanels::formOffersWhy() {
    OperationForm form(model());
    form.setTheme(Theme());
    form.show();
    form.setOperation(QStringLiteral("view"));
    auto* why = form.findChild<QPushButton*>(QStringLiteral("formWhy"));
    auto* verdict = form.findChild<QLabel*>(QStringLiteral("formVerdict"));
    QVERIFY(why->isVisible());
    QVERIFY2(verdict->text().startsWith(QStringLiteral("✗")), qPrintable(verdict->text()));
    QSignalSpy explain(&form, &OperationForm::explainRequested);
    QTest::mouseClick(why, Qt::LeftButton);
    QCOMPARE(explain.first().first().toString(), QStringLiteral("B.view(8)"));
    for (const ViewOp& op : viewOps()) { // every operation of the table has a form
        form.setOperation(QString::fromUtf8(op.name));
        QCOMPARE(form.findChild<QComboBox*>()->currentText(), QString::fromUtf8(op.name));
        QVERIFY(!verdict->text().isEmpty());
    }
}

void TestPanels::formMarksWhatIsRefused() {
    OperationForm form(model()); // B, 8 elements
    form.setTheme(Theme());
    form.show();
    const auto field = [&form](const char* name) {
        return form.findChild<QLineEdit*>(QStringLiteral("form_") + QLatin1String(name));
    };
    const auto type = [&](const char* name, const char* text) {
        field(name)->selectAll();
        QTest::keyClicks(field(name), QString::fromLatin1(text));
    };
    const auto wrong = [&](const char* name) { return field(name)->property("wrong").toBool(); };
    // A list has no range of its own.
    form.setOperation(QStringLiteral("reshape"));
    type("shape", "5, 5");
    QVERIFY(wrong("shape"));
    type("shape", "8");
    QVERIFY(!wrong("shape"));
    // Of several fields the one that is to blame.
    form.setOperation(QStringLiteral("as_strided"));
    QVERIFY(!wrong("size") && !wrong("stride"));
    type("stride", "1");
    QVERIFY(wrong("stride"));
    QVERIFY(!wrong("storage_offset"));
    // Every refused call has a frame, whatever the operation.
    const auto* verdict = form.findChild<QLabel*>(QStringLiteral("formVerdict"));
    int refused = 0;
    for (const ViewOp& op : viewOps()) {
        form.setOperation(QString::fromUtf8(op.name));
        for (const OpParam& param : op.params) type(param.name, "77");
        if (op.params.empty() || !verdict->text().startsWith(QStringLiteral("✗"))) continue;
        ++refused;
        const auto edits = form.findChildren<QLineEdit*>();
        QVERIFY2(
            std::any_of(edits.begin(), edits.end(), [](const QLineEdit* e) { return e->property("wrong").toBool(); }),
            op.name);
    }
    QVERIFY(refused > 12);
}

void TestPanels::historyJumps() {
    HistoryPanel panel;
    panel.setTheme(Theme());
    panel.resize(900, 60);
    panel.show();
    panel.setSteps(
        {QStringLiteral("q = torch.arange(20)"), QStringLiteral("A = q.view(4, 5)"), QStringLiteral("C = A.t()")}, 2);
    QSignalSpy jump(&panel, &HistoryPanel::jumpRequested);
    QTest::mouseClick(panel.findChild<QToolButton*>(QStringLiteral("historyForward")), Qt::LeftButton);
    QTest::mouseClick(panel.findChild<QToolButton*>(QStringLiteral("historyFirst")), Qt::LeftButton);
    auto* line = panel.findChild<HistoryLine*>();
    QTest::keyClick(line, Qt::Key_Left);
    QCOMPARE(jump.size(), 3);
    QCOMPARE(jump.at(0).first().toInt(), 3);
    QCOMPARE(jump.at(1).first().toInt(), 0);
    QCOMPARE(jump.at(2).first().toInt(), 1);
    panel.setSteps({}, 0);
    QVERIFY(!panel.findChild<QToolButton*>(QStringLiteral("historyBack"))->isEnabled());
}

/// At 200 % the line has no height for labels under its nodes: that of the present step stands beside it.
void TestPanels::aLowHistoryNamesTheStep() {
    HistoryLine line;
    line.setTheme(Theme());
    QStringList steps;
    for (int i = 1; i <= 12; ++i) steps << QStringLiteral("C%1 = A.narrow(1, 1, 2)").arg(i);
    for (const int width : {120, 300, 900}) {
        line.resize(width, 36);
        for (const int now : {1, 5, 12}) {
            line.setSteps(steps, now);
            const std::vector<HistoryLine::Label> labels = line.labels();
            QCOMPARE(labels.size(), std::size_t{1});
            QCOMPARE(labels.front().step, now);
            QVERIFY(width < 300 || labels.front().text == steps[now - 1]);
            QVERIFY(QRectF(line.rect()).contains(labels.front().rect));
        }
        line.setSteps(steps, 0);
        QVERIFY(line.labels().empty());
    }
    // A click on the name means the step.
    line.resize(900, 36);
    line.setSteps(steps, 2);
    QSignalSpy jump(&line, &HistoryLine::jumpRequested);
    QTest::mouseClick(&line, Qt::LeftButton, {}, line.labels().front().rect.center().toPoint());
    QCOMPARE(jump.size(), 1);
    QCOMPARE(jump.front().front().toInt(), 2);
}

void TestPanels::messageBarTakesNoRoomWhenEmpty() {
    MessageBar bar;
    QVERIFY(bar.isHidden());
    bar.showMessage(MessageBar::Kind::Error, QStringLiteral("y.view(12) is not possible. Nothing was changed."),
                    QStringLiteral("<b>not bold</b>"), QStringLiteral("Use reshape."));
    QVERIFY(!bar.isHidden());
    QCOMPARE(bar.detail(), QStringLiteral("<b>not bold</b>. Use reshape."));
    for (const QLabel* label : bar.findChildren<QLabel*>()) QCOMPARE(label->textFormat(), Qt::PlainText);
    int pressed = 0;
    // Offered once more it is the later one that counts, and there is one button.
    bar.addAction(QStringLiteral("Reshape"), [&] { pressed += 10; });
    bar.addAction(QStringLiteral("Reshape"), [&] { ++pressed; });
    auto* action = bar.findChild<QPushButton*>(QStringLiteral("messageAction"));
    for (int i = 0; i < 2; ++i) QTest::mouseClick(action, Qt::LeftButton);
    QCOMPARE(pressed, 1);
    QTest::mouseClick(bar.findChild<QPushButton*>(QStringLiteral("messageClose")), Qt::LeftButton);
    QVERIFY(bar.isHidden());
}

void TestPanels::messagesAreNotLostUnseen() {
    MessageBar bar;
    const auto tell = [&bar](const char* title) { bar.showMessage(MessageBar::Kind::Note, QLatin1String(title)); };
    const auto* more = bar.findChild<QPushButton*>(QStringLiteral("messageMore"));
    auto* close = bar.findChild<QPushButton*>(QStringLiteral("messageClose"));
    // At once, one after the other: nobody could have read the first ones.
    tell("one");
    QVERIFY(!more->isVisible());
    tell("two");
    tell("three");
    tell("three"); // said already
    QCOMPARE(bar.count(), 3);
    QCOMPARE(bar.title(), QStringLiteral("three"));
    QVERIFY(more->isVisible());
    QCOMPARE(more->text(), QStringLiteral("2 more"));
    QStringList seen{bar.title()};
    for (int i = 0; i < 2; ++i) {
        QTest::mouseClick(const_cast<QPushButton*>(more), Qt::LeftButton);
        seen << bar.title();
    }
    QCOMPARE(seen, (QStringList{QStringLiteral("three"), QStringLiteral("two"), QStringLiteral("one")}));
    QTest::mouseClick(close, Qt::LeftButton);
    QCOMPARE(bar.count(), 2);
    QVERIFY(bar.isVisible());
    bar.clear();
    QVERIFY(bar.isHidden());
    // What was read gives way to the next one.
    tell("four");
    QTest::qWait(static_cast<int>(MessageBar::readingTime(bar.title() + bar.detail())) + 50);
    tell("five");
    QCOMPARE(bar.count(), 1);
    // What goes on stands there until it ends, whatever is told and done meanwhile.
    bar.showState(1, MessageBar::Kind::Note, QStringLiteral("Opening"));
    tell("six");
    bar.clear();
    QCOMPARE(bar.title(), QStringLiteral("Opening"));
    bar.setStateDetail(1, QStringLiteral("half of it"));
    QCOMPARE(bar.detail(), QStringLiteral("half of it"));
    tell("seven");
    bar.endState(1);
    QCOMPARE(bar.title(), QStringLiteral("seven"));
    QCOMPARE(bar.count(), 1);
    // What came unasked outlives the next act, until there was time for it.
    bar.keepUntilRead();
    bar.clear();
    QCOMPARE(bar.title(), QStringLiteral("seven"));
    QTest::qWait(static_cast<int>(MessageBar::readingTime(bar.title() + bar.detail())) + 50);
    bar.clear();
    QVERIFY(bar.isHidden());
}

void TestPanels::copiesThatMemoryRefusesAreNotOffered() {
    TensorEntry entry;
    entry.name = QStringLiteral("e");
    entry.tensor = arange(4).withView(View{{2'000'000'000, 4}, {0, 1}, 0});
    const auto groupOf = [&entry](const char* operation) {
        for (const OperationSuggestion& suggestion : operationSuggestions(entry)) {
            if (suggestion.operation != operation) continue;
            if (suggestion.group == SuggestionGroup::NotPossible &&
                !suggestion.reason.contains(QStringLiteral("64.0 GB")))
                return SuggestionGroup::View; // the reason has to name the bytes
            return suggestion.group;
        }
        return SuggestionGroup::View;
    };
    setMemoryLimit(Index{100} << 20);
    const SuggestionGroup refused = groupOf("contiguous"), clone = groupOf("clone"), view = groupOf("t");
    setMemoryLimit(Index{100} << 30);
    const SuggestionGroup allowed = groupOf("contiguous");
    setMemoryLimit(std::nullopt);
    QCOMPARE(refused, SuggestionGroup::NotPossible);
    QCOMPARE(clone, SuggestionGroup::NotPossible);
    QCOMPARE(view, SuggestionGroup::View);
    QCOMPARE(allowed, SuggestionGroup::Copy);
}

QTEST_MAIN(TestPanels)
#include "tst_panels.moc"
