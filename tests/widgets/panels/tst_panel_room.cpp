// Long names, high ranks and large numbers in panels of the usual widths: nothing is cut, nothing asks for more room.

#include "core/view/view_ops.h"
#include "tests/support/qt/sample_workspace.h"
#include "widgets/panels/bytes_ledger.h"
#include "widgets/panels/cell_bytes.h"
#include "widgets/panels/code_label.h"
#include "widgets/panels/command_palette.h"
#include "widgets/panels/history_panel.h"
#include "widgets/panels/inspector.h"
#include "widgets/panels/range_control.h"
#include "widgets/panels/shape_table.h"
#include "widgets/panels/tensor_tree.h"
#include "widgets/panels/tensor_tree_delegate.h"
#include "widgets/shared/elided_code.h"
#include "widgets/shared/elided_label.h"
#include "widgets/shared/reading_direction.h"
#include "widgets/stage/stage_header.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QFontMetricsF>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QTranslator>
#include <QTreeView>

#include <map>

using namespace stridescope;
using namespace stridescope::test;

namespace {

constexpr TensorId kBig = 40;

/// Words as French has them.
struct LongWords : QTranslator {
    QString translate(const char*, const char* text, const char*, int) const override {
        static const std::map<QByteArray, QString> words{{"new storage", QStringLiteral("nouveau stockage")},
                                                         {"storage", QStringLiteral("stockage")},
                                                         {"bytes", QStringLiteral("octets")},
                                                         {"numbers", QStringLiteral("nombres")},
                                                         {"tensor", QStringLiteral("tenseur")},
                                                         {"view", QStringLiteral("vue")},
                                                         {"copy", QStringLiteral("copie")},
                                                         {"copy of %1", QStringLiteral("copie de %1")},
                                                         {"view of %1", QStringLiteral("vue de %1")}};
        const auto found = words.find(text);
        return found == words.end() ? QString() : found->second;
    }
    bool isEmpty() const override { return false; }
};

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
    void fileNamesBreakBetweenFolders();
    void numbersBreakLast();
    void undoInAFieldIsTheWindows();
    void longTitlesKeepBothEnds();
    void wordsThatAreCutEndInDots();
    void originsAreTranslated();
    void thePaletteIsAsHighAsWhatItFinds();
    void ledgerNamesAreWhole_data();
    void ledgerNamesAreWhole();
    void slidersAndFiguresAreRead();
    void treeNamesAreWholeWhereTheyFit();
    void cutCodeKeepsItsBrackets();
    void shapesRunFromTheLeftInAMirroredWindow();
    void treeSizesHaveALineOfTheirOwn();
    void historyLabelsAreWhole_data();
    void historyLabelsAreWhole();
    void stageHeaderFits_data();
    void stageHeaderFits();
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
    // Where the scroll bar makes the rows just too narrow for one line.
    QTest::newRow("8-d, transposed") << with(QStringLiteral("p"), QStringLiteral("q.transpose(0, 7)"),
                                             View{{2, 2, 2, 2, 2, 2, 2, 2}, {1, 64, 32, 16, 8, 4, 2, 128}, 0});
    QTest::newRow("sizes without end") << with(QStringLiteral("e"), QStringLiteral("torch.arange(4).expand(…)"),
                                               View{{1'000'000'000, 4}, {0, 1}, 0});
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
        // The scroll bar comes, rows become higher, the layout follows.
        for (int pass = 0; pass < 5; ++pass) QApplication::processEvents();
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
            // Every row keeps its slider, however many there are and however long the numbers.
            const auto* slider = control->findChild<RangeSlider*>();
            QVERIFY2(slider->isVisibleTo(control) && slider->width() >= 40 &&
                         control->rect().contains(slider->geometry()),
                     qPrintable(QStringLiteral("%1 at %2 px: slider %3 wide, bottom %4 of %5")
                                    .arg(control->objectName())
                                    .arg(width)
                                    .arg(slider->width())
                                    .arg(slider->geometry().bottom())
                                    .arg(control->height())));
            QVERIFY2(control->height() >= control->heightForWidth(control->width()),
                     qPrintable(QStringLiteral("%1 at %2 px: %3 of %4")
                                    .arg(control->objectName())
                                    .arg(control->width())
                                    .arg(control->height())
                                    .arg(control->heightForWidth(control->width()))));
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
    // The breaks are letters of another font, whose lines may be higher.
    label.setFont(Theme().font(FontRole::Code));
    label.setCode(QStringLiteral("big30 = big30.as_strided((7500, 1000000), (1000000, 1), 0)"));
    for (const int width : {120, 200, 240, 400}) {
        label.resize(width, 200);
        QVERIFY(label.heightForWidth(width) + 2 >= label.QLabel::heightForWidth(width)); // no line is missing
    }
}

void TestPanelRoom::fileNamesBreakBetweenFolders() {
    CodeLabel label;
    label.setCode(QStringLiteral("a = load('data/ten.npy').view(2, 5)"));
    QString shown = label.text().replace(QChar(0x200B), QLatin1Char('|'));
    QVERIFY2(shown.contains(QStringLiteral("'data/|ten.npy'")), qPrintable(shown));
    QVERIFY2(shown.contains(QStringLiteral(").|view(2")), qPrintable(shown));
}

void TestPanelRoom::numbersBreakLast() {
    CodeLabel label;
    const QString code = QStringLiteral("big = file.as_strided((100000, 10000), (10000, 1), 0)");
    label.setFont(Theme::monoFont(13));
    label.setCode(code);
    label.show();
    const int letter = label.fontMetrics().horizontalAdvance(QLatin1Char('M'));
    const auto broken = [&label] { return label.text().replace(QChar(0x200B), QLatin1Char('|')); };
    static const QRegularExpression inNumber(QStringLiteral("\\d\\|\\d"));
    for (int letters = 17; letters < 40; ++letters) {
        label.resize(letters * letter, 200);
        QVERIFY2(!broken().contains(inNumber), qPrintable(broken()));
        // What is between two places to break has room in a line.
        for (const QString& run : broken().split(QRegularExpression(QStringLiteral("[| ]"))))
            QVERIFY2(run.size() <= letters, qPrintable(run));
        QVERIFY(label.heightForWidth(label.width()) >= label.fontMetrics().height() * (code.size() / letters));
    }
    label.resize(17 * letter, 200);
    QVERIFY2(broken().contains(QStringLiteral("((|100000,")), qPrintable(broken()));
    label.resize(30 * letter, 200);
    QVERIFY2(!broken().contains(QStringLiteral("((|")), qPrintable(broken()));
    // A number that is wider than any line is broken, of necessity.
    label.setCode(QString(60, QLatin1Char('7')));
    QVERIFY2(broken().contains(QLatin1Char('|')), qPrintable(broken()));
    // What a narrower label would need is known before it is one.
    QVERIFY(label.heightForWidth(20 * letter) > label.heightForWidth(30 * letter));
}

void TestPanelRoom::undoInAFieldIsTheWindows() {
    WorkspaceModel model;
    model.setSnapshot(sampleWorkspace());
    Inspector inspector(&model);
    inspector.show();
    auto* field = inspector.findChild<RangeControl*>()->findChild<QLineEdit*>();
    const auto taken = [field] {
        QKeyEvent undo(QEvent::ShortcutOverride, Qt::Key_Z, Qt::ControlModifier);
        undo.ignore();
        QApplication::sendEvent(field, &undo);
        return undo.isAccepted();
    };
    QVERIFY(!taken());
    QTest::keyClick(field, Qt::Key_1);
    QVERIFY(taken()); // the digit
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

void TestPanelRoom::slidersAndFiguresAreRead() {
    WorkspaceModel model;
    model.setSnapshot(sampleWorkspace());
    model.select(kB);
    Inspector inspector(&model);
    inspector.setTheme(Theme());
    inspector.resize(328, 900);
    inspector.show();
    auto* control = inspector.findChild<RangeControl*>(QStringLiteral("range_offset"));
    QVERIFY(control);
    auto* slider = QAccessible::queryAccessibleInterface(control->findChild<RangeSlider*>());
    QCOMPARE(slider->role(), QAccessible::Slider);
    QVERIFY(slider->valueInterface());
    QCOMPARE(slider->valueInterface()->currentValue().toLongLong(), 1);
    QCOMPARE(slider->valueInterface()->minimumValue().toLongLong(), 0);
    QCOMPARE(slider->text(QAccessible::Value), QStringLiteral("1"));
    QSignalSpy chosen(control, &RangeControl::chosen);
    slider->valueInterface()->setCurrentValue(3);
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen.first().first().value<Index>(), Index{3});
    auto* ledger =
        QAccessible::queryAccessibleInterface(inspector.findChild<SceneView*>(QStringLiteral("bytesLedger")));
    QCOMPARE(ledger->role(), QAccessible::Graphic);
    QCOMPARE(ledger->text(QAccessible::Name), QStringLiteral("Bytes kept by each tensor"));
    QVERIFY2(ledger->text(QAccessible::Description).contains(QStringLiteral("B view 2+2+1 40 B +0 B")),
             qPrintable(ledger->text(QAccessible::Description)));
}

void TestPanelRoom::originsAreTranslated() {
    LongWords french;
    QCoreApplication::installTranslator(&french);
    WorkspaceModel model;
    model.setSnapshot(sampleWorkspace());
    Inspector inspector(&model);
    model.select(kB);
    const QString meta = inspector.findChild<QLabel*>(QStringLiteral("inspectorMeta"))->text();
    QVERIFY2(meta.contains(QStringLiteral("vue de A")), qPrintable(meta));
    QVERIFY(bytesLedger(*model.snapshot(), kB).rows[2].kind == QStringLiteral("vue"));
    const TensorEntry& entry = *model.snapshot()->tensor(kB);
    QStringList words;
    for (const SceneNode& node :
         cellBytesScene(*model.snapshot(), {entry.tensor.storage()->id(), 1, kB, {}}, false, 240).nodes) {
        if (const auto* text = std::get_if<TextItem>(&node.item)) words << text->text;
    }
    QVERIFY2(words.contains(QStringLiteral("octets")), qPrintable(words.join(QLatin1Char(' '))));
}

void TestPanelRoom::wordsThatAreCutEndInDots() {
    ElidedLabel label;
    label.setText(QStringLiteral("C[2, 1] = 110   storage #1, index 10, bytes 80–87"));
    const int whole = label.fontMetrics().horizontalAdvance(label.text());
    QVERIFY(label.sizeHint().width() < whole / 2); // it takes what it is given
    label.resize(whole + 2, 20);
    QCOMPARE(label.shownText(), label.text());
    label.resize(whole / 2, 20);
    QVERIFY(label.shownText().startsWith(QStringLiteral("C[2, 1] = 110")));
    QVERIFY(label.shownText().endsWith(QChar(0x2026)));
    QVERIFY(label.fontMetrics().horizontalAdvance(label.shownText()) <= label.width());
    // What is drawn is that.
    const QImage cut = label.grab().toImage();
    const QString shown = label.shownText();
    label.setText(shown);
    QCOMPARE(label.grab().toImage(), cut);
}

void TestPanelRoom::thePaletteIsAsHighAsWhatItFinds() {
    QWidget window;
    window.resize(1280, 720);
    CommandPalette palette(&window);
    window.show();
    std::vector<PaletteEntry> entries(40);
    for (std::size_t i = 0; i < entries.size(); ++i)
        entries[i].title = (i < 2 ? QStringLiteral("narrow %1") : QStringLiteral("zoom %1")).arg(i);
    palette.open(entries);
    const int whole = palette.height();
    palette.setFilter(QStringLiteral("narrow"));
    QCOMPARE(palette.shown().size(), 2U);
    QVERIFY(palette.height() < whole / 2);
    palette.setFilter(QStringLiteral("nothing like it"));
    QVERIFY(palette.height() < whole / 2);
    palette.setFilter({});
    QCOMPARE(palette.height(), whole);
}

void TestPanelRoom::ledgerNamesAreWhole_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<bool>("french");
    for (const int width : {212, 236, 260, 284, 400}) {
        QTest::addRow("%d px", width) << width << false;
        QTest::addRow("%d px, French", width) << width << true;
    }
}

void TestPanelRoom::ledgerNamesAreWhole() {
    QFETCH(int, width);
    QFETCH(bool, french);
    LongWords longer;
    if (french) QCoreApplication::installTranslator(&longer);
    for (const char* name : {"A", "signed", "n14_30g", "a_name_of_thirty_letters_or_so"}) {
        const SnapshotPtr snapshot = with(QLatin1String(name), QStringLiteral("c"), *contiguousView(Dims{2, 2}));
        const Scene scene = bytesLedgerScene(*snapshot, kBig, width);
        QCOMPARE(overflow(scene), QStringList());
        bool found = false;
        std::vector<QRectF> places;
        for (const SceneNode& node : scene.nodes) {
            const auto* text = std::get_if<TextItem>(&node.item);
            if (!text) continue;
            // One that is wider than the panel is cut in its middle.
            const QFontMetricsF metrics(Theme().font(FontRole::MetaStrong));
            found |= text->text == metrics.elidedText(QLatin1String(name), Qt::ElideMiddle, width - 24);
            const qreal wide = QFontMetricsF(Theme().font(text->font)).horizontalAdvance(text->text);
            const qreal left = text->anchor & Qt::AlignRight ? text->pos.x() - wide : text->pos.x();
            const QRectF place(left, text->pos.y() - 8, wide, 10);
            for (const QRectF& other : places) QVERIFY2(!other.intersects(place), qPrintable(text->text));
            places.push_back(place);
        }
        QVERIFY2(found, name);
    }
}

void TestPanelRoom::cutCodeKeepsItsBrackets() {
    const QFontMetricsF metrics(Theme().font(FontRole::Code));
    for (const char* text : {"x.as_strided((4, 2), (4, 2), 3)", "x.view(2, 3)[0][1]", "f({'a)': [1, 2]}, ')(', 4)",
                             "aVeryLongNameOfATensor"}) {
        const QString code = QLatin1String(text);
        const qreal whole = metrics.horizontalAdvance(code);
        QCOMPARE(elidedCode(metrics, code, whole), code);
        for (qreal width = whole - 1; width > metrics.horizontalAdvance(QStringLiteral("x.a(…)")); --width) {
            QString cut = elidedCode(metrics, code, width);
            QVERIFY(metrics.horizontalAdvance(cut) <= width);
            QVERIFY2(code.startsWith(cut.left(cut.indexOf(QChar(0x2026)))), qPrintable(cut)); // the beginning stays
            // Brackets outside of strings come in pairs.
            static const QRegularExpression strings(QStringLiteral("'[^']*'"));
            cut.remove(strings);
            QString open;
            for (const QChar c : cut) {
                if (const auto at = QStringLiteral("([{").indexOf(c); at >= 0) open += QStringLiteral(")]}").at(at);
                if (!QStringLiteral(")]}").contains(c)) continue;
                QVERIFY2(open.endsWith(c), qPrintable(cut));
                open.chop(1);
            }
            QVERIFY2(open.isEmpty(), qPrintable(cut));
        }
    }
}

void TestPanelRoom::shapesRunFromTheLeftInAMirroredWindow() {
    const SnapshotPtr sample = sampleWorkspace();
    const auto grab = [&](Qt::LayoutDirection direction, const QString& name) {
        QApplication::setLayoutDirection(direction);
        ShapeTable table;
        table.setTensor(sample->tensors.front(), {12}, {});
        table.resize(300, 500);
        table.show();
        table.ensurePolished();
        QApplication::processEvents();
        const QImage image = table.findChild<QAbstractButton*>(name)->grab().toImage();
        QApplication::setLayoutDirection(Qt::LeftToRight);
        return image;
    };
    for (const QString& row : {QStringLiteral("shapeRow0"), QStringLiteral("shapeRow1"), QStringLiteral("shapeRow2")}) {
        const QImage plain = grab(Qt::LeftToRight, row);
        QVERIFY(!plain.isNull());
        QVERIFY2(grab(Qt::RightToLeft, row) == plain, qPrintable(row));
    }
    // Words that start with a number keep its place; the window's own words run as their letters do.
    QCOMPARE(asWritten(QStringLiteral("64 B line")), QStringLiteral("64 B line"));
    QApplication::setLayoutDirection(Qt::RightToLeft);
    const QString mirrored = asWritten(QStringLiteral("64 B line"));
    WorkspaceModel model;
    const TensorTree tree(&model);
    const bool treeFromLeft = tree.findChild<QTreeView*>()->layoutDirection() == Qt::LeftToRight;
    const StageHeader header;
    int marked = 0;
    for (const QAbstractButton* button :
         header.findChild<QWidget*>(QStringLiteral("wrap"))->findChildren<QAbstractButton*>())
        marked += button->text().startsWith(QChar(0x2068)) ? 1 : 0;
    QApplication::setLayoutDirection(Qt::LeftToRight);
    QCOMPARE(mirrored, QChar(0x2068) + QStringLiteral("64 B line") + QChar(0x2069));
    QVERIFY(treeFromLeft);
    QCOMPARE(marked, 4);
}

void TestPanelRoom::treeNamesAreWholeWhereTheyFit() {
    const Theme theme;
    const auto wide = [&theme](FontRole role, const QString& text) {
        return QFontMetricsF(theme.font(role)).horizontalAdvance(text);
    };
    for (const char* name : {"D", "nan", "signed", "f", "ill", "mmmm"}) {
        for (const char* shape : {"(4,)", "(2, 3)", "(60, 80)"}) {
            const QString n = QLatin1String(name), sh = QLatin1String(shape), relation = QStringLiteral("base");
            const qreal both = wide(FontRole::CodeStrong, n) + 8 + wide(FontRole::Code, sh);
            const qreal all = both + 8 + wide(FontRole::Label, relation);
            auto texts = TensorTreeDelegate::rowTexts(theme, all, n, sh, relation);
            QCOMPARE(texts.name + texts.shape + texts.relation, n + sh + relation);
            texts = TensorTreeDelegate::rowTexts(theme, both, n, sh, relation); // the relation goes first
            QCOMPARE(texts.name + texts.shape + texts.relation, n + sh);
        }
    }
    // What does not fit keeps both ends and stays inside.
    const auto texts = TensorTreeDelegate::rowTexts(theme, 120, QStringLiteral("a_rather_long_name"),
                                                    QStringLiteral("(2, 2, 2, 2, 2, 2, 2, 2)"), QStringLiteral("base"));
    QVERIFY(texts.name.startsWith(QLatin1Char('a')) && texts.name.endsWith(QLatin1Char('e')));
    QVERIFY(texts.shape.startsWith(QLatin1Char('(')) && texts.shape.endsWith(QLatin1Char(')')));
    QVERIFY(wide(FontRole::CodeStrong, texts.name) + 8 + wide(FontRole::Code, texts.shape) <= 121);
}

void TestPanelRoom::treeSizesHaveALineOfTheirOwn() {
    WorkspaceModel model;
    model.setSnapshot(with(QStringLiteral("p"), QStringLiteral("p"), *contiguousView(Dims{2, 2, 2, 2, 2, 2, 2, 2})));
    TensorTree tree(&model);
    tree.setTheme(Theme());
    const auto* view = tree.findChild<QTreeView*>();
    const auto rowOf = [&](const char* name) {
        const QModelIndexList found = view->model()->match(
            view->model()->index(0, 0), Qt::DisplayRole, QLatin1String(name), 1, Qt::MatchExactly | Qt::MatchRecursive);
        return found.isEmpty() ? QRect() : view->visualRect(found.first());
    };
    const auto heightAt = [&](int width) {
        tree.resize(width, 500);
        tree.show();
        for (int pass = 0; pass < 3; ++pass) QApplication::processEvents();
        return rowOf("p").height();
    };
    const int narrow = heightAt(268);
    QVERIFY(heightAt(600) < narrow); // beside the name where there is room
    QCOMPARE(heightAt(268), narrow);
    // The eye stays on the first line, where it is drawn.
    QVERIFY(TensorTreeDelegate::eyeRect(rowOf("p")).height() < narrow);
}

void TestPanelRoom::historyLabelsAreWhole_data() {
    QTest::addColumn<int>("width");
    QTest::newRow("wide") << 1400;
    QTest::newRow("1280") << 700;
    QTest::newRow("narrow") << 300;
}

void TestPanelRoom::historyLabelsAreWhole() {
    QFETCH(int, width);
    const QStringList steps{QStringLiteral("A = torch.arange(10, 130, 10).view(3, 4)"), QStringLiteral("B = A.t()"),
                            QStringLiteral("C = A.narrow(1, 1, 2)"), QStringLiteral("D = A[1]"),
                            QStringLiteral("E = A.as_strided((2, 2, 2), (4, 2, 1), 3)")};
    HistoryLine line;
    line.setTheme(Theme());
    line.resize(width, 60);
    line.show();
    for (int now = 1; now <= steps.size(); ++now) {
        line.setSteps(steps, now);
        bool shown = false;
        QRectF last;
        for (const HistoryLine::Label& label : line.labels()) {
            QCOMPARE(label.text, steps[label.step - 1]); // nothing left out
            QVERIFY(label.rect.left() >= 0 && label.rect.right() <= width);
            QVERIFY(last.isNull() || label.rect.left() >= last.right() + 8);
            last = label.rect;
            shown |= label.step == now;
        }
        QVERIFY2(shown || width < 330, qPrintable(QString::number(now)));
    }
    // A label wider than the line keeps both ends.
    line.resize(200, 60);
    line.setSteps(steps, 1);
    const auto labels = line.labels();
    QVERIFY(!labels.empty());
    QVERIFY(labels.front().text.startsWith(QStringLiteral("A =")) &&
            labels.front().text.endsWith(QStringLiteral("4)")));
}

void TestPanelRoom::stageHeaderFits_data() {
    QTest::addColumn<int>("width");
    QTest::newRow("1920×1080") << 1300;
    QTest::newRow("1280×720") << 962;
    QTest::newRow("1920×1080 at 200 %") << 643;
    QTest::newRow("1280×720 at 150 %") << 530;
    QTest::newRow("1280×720 at 200 %") << 320;
    QTest::newRow("least") << 0;
}

void TestPanelRoom::stageHeaderFits() {
    QFETCH(int, width);
    StageHeader header;
    header.setStyleSheet(Theme().styleSheet());
    header.setTheme(Theme());
    if (width == 0) width = header.minimumSizeHint().width();
    header.resize(width, 36);
    header.show();
    QApplication::processEvents();
    QCOMPARE(header.width(), width);
    std::vector<QRect> places;
    // What has no room is in the menu.
    const auto* more = header.findChild<QToolButton*>(QStringLiteral("moreOptions"));
    if (width > 600) QVERIFY(!more->isVisible());
    if (width < 400) QVERIFY(more->isVisible());
    if (more->isVisible()) QVERIFY(header.rect().contains(more->geometry()));
    for (const QPushButton* button : header.findChildren<QPushButton*>()) {
        if (!button->isVisible()) {
            QVERIFY(more->isVisible());
            continue;
        }
        const QRect at(button->mapTo(&header, QPoint()), button->size());
        QVERIFY2(header.rect().contains(at), qPrintable(button->text()));
        QVERIFY2(at.width() >= button->fontMetrics().horizontalAdvance(button->text()) + 4, qPrintable(button->text()));
        for (const QRect& other : places) QVERIFY2(!other.intersects(at), qPrintable(button->text()));
        places.push_back(at);
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
