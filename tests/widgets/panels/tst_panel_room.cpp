// Long names, high ranks and large numbers in panels of the usual widths: nothing is cut, nothing asks for more room.

#include "core/view/view_ops.h"
#include "tests/support/qt/sample_workspace.h"
#include "widgets/panels/bytes_ledger.h"
#include "widgets/panels/cell_bytes.h"
#include "widgets/panels/code_label.h"
#include "widgets/panels/inspector.h"
#include "widgets/panels/range_control.h"

#include <QApplication>
#include <QClipboard>
#include <QFontMetricsF>
#include <QLineEdit>
#include <QTest>

using namespace stridescope;
using namespace stridescope::test;

namespace {

constexpr TensorId kBig = 40;

SnapshotPtr with(const QString& name, const QString& code, const View& view, DType dtype = DType::UInt8) {
    auto snapshot = std::make_shared<WorkspaceSnapshot>(*sampleWorkspace());
    static std::byte bytes[4096]{};
    // Only its sizes are asked for: the elements in sight are the first ones.
    Index reach = view.offset + 1;
    for (std::size_t d = 0; d < view.shape.size(); ++d) reach += (view.shape[d] - 1) * view.stride[d];
    const StoragePtr storage = Storage::wrap(
        bytes, static_cast<std::size_t>(reach) * itemSize(dtype), Device{}, [] {}, "test");
    TensorEntry entry;
    entry.id = kBig;
    entry.name = name;
    entry.code = code;
    entry.colour = 0;
    entry.tensor = Tensor(storage, view, dtype);
    snapshot->storages.push_back({storage->id(), 9, dtype, {}});
    snapshot->tensors.push_back(entry);
    return snapshot;
}

/// Texts of a scene that leave its width.
QStringList overflow(const Scene& scene) {
    QStringList out;
    for (const SceneNode& node : scene.nodes) {
        const auto* text = std::get_if<TextItem>(&node.item);
        if (!text) continue;
        qreal width = QFontMetricsF(Theme().font(text->font)).horizontalAdvance(text->text);
        if (text->maxWidth > 0 && width > text->maxWidth) out << text->text + QStringLiteral(" is elided");
        const qreal left = text->anchor & Qt::AlignRight     ? text->pos.x() - width
                           : text->anchor & Qt::AlignHCenter ? text->pos.x() - width / 2
                                                             : text->pos.x();
        if (left < -0.5 || left + width > scene.size.width() + 0.5) {
            out << QStringLiteral("%1 at %2 … %3 of %4")
                       .arg(text->text)
                       .arg(left)
                       .arg(left + width)
                       .arg(scene.size.width());
        }
    }
    return out;
}

} // namespace

class TestPanelRoom : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void inspector_data();
    void inspector();
    void codeIsCopiedAsItIs();
    void longTitlesKeepBothEnds();
    void ledgerNamesAreWhole();
    void everyBitFieldIsNamed_data();
    void everyBitFieldIsNamed();
};

void TestPanelRoom::inspector_data() {
    QTest::addColumn<SnapshotPtr>("snapshot");
    const auto file = [](const char* name) {
        return QStringLiteral("torch.from_numpy(numpy.load(\"%1\"))").arg(QLatin1String(name));
    };
    QTest::newRow("file name") << with(QStringLiteral("measurements_2026_11_21_run_0042"),
                                       file("measurements_2026_11_21_run_0042_without_any_gap.npy"),
                                       *contiguousView(Dims{3, 4}));
    QTest::newRow("8-d") << with(QStringLiteral("d8"), file("d8.npy"), *contiguousView(Dims{2, 2, 2, 2, 2, 2, 2, 2}));
    QTest::newRow("7.5 billion") << with(QStringLiteral("n14_30g"), file("n14_30g.npy"),
                                         *contiguousView(Dims{7'500'000'000}), DType::Float32);
    QTest::newRow("picture") << with(QStringLiteral("big"), file("big.png"), *contiguousView(Dims{400, 600, 3}));
    QTest::newRow("19 digits") << with(QStringLiteral("z"), QStringLiteral("z"),
                                       View{{1, 2}, {1'000'000'000'000'000'000, 1}, 0});
}

void TestPanelRoom::inspector() {
    QFETCH(SnapshotPtr, snapshot);
    WorkspaceModel model;
    model.setSnapshot(snapshot);
    model.select(kBig);
    const TensorEntry& entry = *snapshot->tensor(kBig);
    model.setPick(Pick{entry.tensor.storage()->id(), 0, kBig, Dims(entry.tensor.shape().size(), 0)});
    Inspector inspector(&model);
    inspector.setTheme(Theme());
    inspector.setStyleSheet(Theme().styleSheet());
    for (const int width : {290, 316, 400}) {
        inspector.resize(width, 1000);
        inspector.show();
        QApplication::processEvents();
        const QWidget* body = inspector.widget();
        QVERIFY2(body->width() <= inspector.viewport()->width(),
                 qPrintable(QStringLiteral("%1 in %2").arg(body->width()).arg(inspector.viewport()->width())));
        for (const QWidget* part : body->findChildren<QWidget*>()) {
            if (!part->isVisibleTo(body)) continue;
            const QRect at(part->mapTo(body, QPoint()), part->size());
            QVERIFY2(body->rect().contains(at),
                     qPrintable(part->objectName() + QLatin1String(part->metaObject()->className())));
        }
        for (const RangeControl* control : inspector.findChildren<RangeControl*>()) {
            const auto* field = control->findChild<QLineEdit*>();
            QCOMPARE(field->text(), QString::number(control->value()));
            const qreal needed = QFontMetricsF(field->font()).horizontalAdvance(field->text());
            // 1 px frame, 3 px padding and 2 px of the field's own on each side. A number of 19 digits asks for more
            // than the narrowest dock has.
            const bool most = needed > 140 && width < 316;
            QVERIFY2(field->width() - 12 >= needed || most,
                     qPrintable(QStringLiteral("%1 px for %2").arg(field->width()).arg(field->text())));
        }
        for (const SceneView* view : inspector.findChildren<SceneView*>()) {
            const QStringList cut = overflow(view->scene());
            QVERIFY2(cut.isEmpty(), qPrintable(view->objectName() + QLatin1Char('\n') + cut.join(QLatin1Char('\n'))));
        }
        for (const CodeLabel* label : inspector.findChildren<CodeLabel*>()) {
            QVERIFY(label->height() >= label->heightForWidth(label->width()));
        }
    }
}

void TestPanelRoom::codeIsCopiedAsItIs() {
    CodeLabel label;
    const QString code = QStringLiteral("averyveryverylongname = B.as_strided((4, 2), (5, 1), 1)");
    label.setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label.setCode(code);
    label.resize(120, 200);
    label.show();
    label.setFocus();
    QVERIFY(label.text() != code); // it has places to break
    QCOMPARE(label.accessibleName(), code);
    label.setSelection(0, static_cast<int>(label.text().size()));
    QTest::keySequence(&label, QKeySequence::Copy);
    QCOMPARE(QApplication::clipboard()->text(), code);
    QVERIFY(label.heightForWidth(120) > label.heightForWidth(600));
}

void TestPanelRoom::longTitlesKeepBothEnds() {
    CodeLabel label;
    const QString code = QStringLiteral("start") + QString(300, QLatin1Char('x')) + QStringLiteral("end");
    label.setCode(code, 60);
    QString shown = label.text().remove(QChar(0x200B));
    QVERIFY(shown.size() <= 60);
    QVERIFY(shown.startsWith(QStringLiteral("start")) && shown.endsWith(QStringLiteral("end")));
    QCOMPARE(label.toolTip(), code);
    QCOMPARE(label.code(), code);
}

void TestPanelRoom::ledgerNamesAreWhole() {
    for (const char* name : {"A", "signed", "n14_30g", "a_name_of_thirty_letters_or_so"}) {
        const SnapshotPtr snapshot = with(QLatin1String(name), QStringLiteral("c"), *contiguousView(Dims{2, 2}));
        const Scene scene = bytesLedgerScene(*snapshot, kBig, 284);
        QCOMPARE(overflow(scene), QStringList());
        bool found = false;
        std::vector<QRectF> places;
        for (const SceneNode& node : scene.nodes) {
            const auto* text = std::get_if<TextItem>(&node.item);
            if (!text) continue;
            found |= text->text == QLatin1String(name);
            const qreal width = QFontMetricsF(Theme().font(text->font)).horizontalAdvance(text->text);
            const qreal left = text->anchor & Qt::AlignRight ? text->pos.x() - width : text->pos.x();
            const QRectF place(left, text->pos.y() - 8, width, 10);
            for (const QRectF& other : places) QVERIFY2(!other.intersects(place), qPrintable(text->text));
            places.push_back(place);
        }
        QVERIFY2(found, name);
    }
}

void TestPanelRoom::everyBitFieldIsNamed_data() {
    QTest::addColumn<int>("dtype");
    QTest::addColumn<QStringList>("names");
    const QStringList floating{QStringLiteral("sign"), QStringLiteral("exponent"), QStringLiteral("mantissa")};
    QTest::newRow("float16") << static_cast<int>(DType::Float16) << floating;
    QTest::newRow("float32") << static_cast<int>(DType::Float32) << floating;
    QTest::newRow("float64") << static_cast<int>(DType::Float64) << floating;
    QTest::newRow("int8") << static_cast<int>(DType::Int8)
                          << QStringList{QStringLiteral("sign"), QStringLiteral("value")};
}

void TestPanelRoom::everyBitFieldIsNamed() {
    QFETCH(int, dtype);
    QFETCH(QStringList, names);
    const SnapshotPtr snapshot =
        with(QStringLiteral("f"), QStringLiteral("f"), *contiguousView(Dims{4}), static_cast<DType>(dtype));
    const Scene scene =
        cellBytesScene(*snapshot, Pick{snapshot->tensor(kBig)->tensor.storage()->id(), 1, kBig, {1}}, true, 284);
    QCOMPARE(overflow(scene), QStringList());
    std::vector<QRectF> places;
    for (const SceneNode& node : scene.nodes) {
        const auto* text = std::get_if<TextItem>(&node.item);
        if (!text || !names.removeOne(text->text)) continue;
        const qreal width = QFontMetricsF(Theme().font(text->font)).horizontalAdvance(text->text);
        const QRectF place(text->pos.x(), text->pos.y() - 8, width, 10);
        for (const QRectF& other : places) QVERIFY2(!other.intersects(place), qPrintable(text->text));
        places.push_back(place);
    }
    QVERIFY2(names.isEmpty(), qPrintable(names.join(QLatin1Char(' '))));
}

QTEST_MAIN(TestPanelRoom)
#include "tst_panel_room.moc"
