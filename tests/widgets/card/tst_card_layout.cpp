// Geometry of cards: the inverse, room for everything, the formula's numbers, and the pictures of the mock-ups.

#include "core/ops/creation.h"
#include "core/tensor/element.h"
#include "core/view/view_ops.h"
#include "tests/widgets/card/card_fixture.h"
#include "tests/widgets/stage/scene_geometry.h"
#include "widgets/card/card_layout.h"
#include "widgets/card/text_metrics.h"
#include "widgets/scene/export.h"
#include "widgets/shared/pseudo_locale.h"

#include <QLineF>
#include <QPainterPathStroker>
#include <QPolygonF>
#include <QTest>

#include <cmath>
#include <map>
#include <set>

using namespace stridescope;
using namespace stridescope::test;

namespace {

QString s(const char* text) {
    return QString::fromUtf8(text);
}

/// Views of all ranks and of every odd kind, over one storage.
std::vector<std::pair<QString, Tensor>> views() {
    const Tensor x = arange(720);
    std::vector<std::pair<QString, Tensor>> all;
    const auto add = [&](const char* what, const Tensor& t) { all.emplace_back(s(what), t); };
    add("0-d", select(x, 0, 5));
    add("1-d", narrow(x, 0, 3, 7));
    add("1-d, one element", narrow(x, 0, 3, 1));
    add("1-d, step 3", slice(x, 0, 0, 30, 3));
    add("1-d, wider than the card", x);
    add("2-d", view(narrow(x, 0, 0, 20), Dims{4, 5}));
    add("2-d, one column", view(narrow(x, 0, 0, 4), Dims{4, 1}));
    add("2-d, transposed", t(view(narrow(x, 0, 0, 20), Dims{4, 5})));
    add("2-d, more rows than fit", view(x, Dims{240, 3}));
    add("3-d", view(narrow(x, 0, 0, 24), Dims{2, 3, 4}));
    add("3-d, many panels", view(narrow(x, 0, 0, 240), Dims{20, 3, 4}));
    add("4-d", view(narrow(x, 0, 0, 48), Dims{2, 3, 2, 4}));
    add("4-d, size 1 inside", view(narrow(x, 0, 0, 12), Dims{2, 3, 2, 1}));
    add("5-d", view(narrow(x, 0, 0, 96), Dims{3, 2, 2, 2, 4}));
    add("6-d", view(narrow(x, 0, 0, 64), Dims{2, 2, 2, 2, 2, 2}));
    add("7-d", view(narrow(x, 0, 0, 128), Dims{2, 2, 2, 2, 2, 2, 2}));
    add("8-d", view(narrow(x, 0, 0, 64), Dims{2, 2, 2, 1, 2, 2, 2, 1}));
    add("expanded", expand(view(narrow(x, 0, 0, 3), Dims{3, 1}), Dims{3, 4}));
    add("expanded panels", expand(view(narrow(x, 0, 0, 6), Dims{1, 2, 3}), Dims{3, 2, 3}));
    add("overlapping", unfold(narrow(x, 0, 0, 8), 0, 4, 2));
    add("empty dim", narrow(view(narrow(x, 0, 0, 12), Dims{3, 4}), 1, 1, 0));
    add("empty 1-d", narrow(x, 0, 0, 0));
    add("empty 3-d", narrow(view(narrow(x, 0, 0, 12), Dims{3, 2, 2}), 0, 1, 0));
    add("empty 5-d", view(narrow(x, 0, 0, 0), Dims{2, 0, 3, 1, 4}));
    return all;
}

std::vector<Dims> someCoords(const View& v, Index most) {
    std::vector<Dims> coords;
    const Index n = std::min(v.numel(), most);
    for (Index i = 0; i < n; ++i) {
        Dims coord(v.shape.size(), 0);
        Index rest = i;
        for (std::size_t d = v.shape.size(); d-- > 0;) {
            coord[d] = rest % v.shape[d];
            rest /= v.shape[d];
        }
        coords.push_back(coord);
    }
    return coords;
}

CardInput inputFor(const TensorEntry& entry) {
    CardInput input;
    input.entry = &entry;
    input.storageNumber = 1;
    return input;
}

/// Texts that are seen, with the cells' rectangles.
std::vector<QRectF> textsOf(const Scene& scene) {
    std::vector<QRectF> rects;
    for (const SceneNode& node : scene.nodes) {
        if (const auto* text = std::get_if<TextItem>(&node.item)) rects.push_back(textRect(*text));
    }
    return rects;
}

} // namespace

class TestCardLayout : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void switchesAndColours();
    void sentencesBreakBetweenWords();
    void longCodeKeepsItsEnd();
    void wordsAreTranslated();
    void inverse_data();
    void inverse();
    void blocksInverse();
    void arrowsLeaveBlocksFree();
    void blocksHaveTicks_data();
    void blocksHaveTicks();
    void nothingOverlaps_data();
    void nothingOverlaps();
    void formulaAddsUp_data();
    void formulaAddsUp();
    void formulaInBytes();
    void formulaStandsStill();
    void slidersPickTheSlice();
    void longTicksStayInTheCard();
    void everyOuterDimHasItsSlider();
    void windows();
    void picture();
    void colourPicture_data();
    void colourPicture();
    void smallColourPicture();
    void hugeStrideZero();
    void links();
    void linksPassTheNote();
    void beyondTheStorage();
    void cellsInOtherSlices();
    void fileNamesStayWhole();
    void notes_data();
    void notes();
    void golden_data();
    void golden();
};

void TestCardLayout::wordsAreTranslated() {
    Cast cast;
    const TensorEntry& entry =
        cast.add(s("B"), s("A.narrow(1, 1, 2)"), narrow(view(narrow(arange(720), 0, 0, 20), Dims{4, 5}), 1, 1, 2),
                 Origin::View, 0);
    const auto words = [&entry] {
        Scene scene;
        appendCard(scene, layoutCard(inputFor(entry)));
        QStringList texts;
        for (const SceneNode& node : scene.nodes)
            if (const auto* text = std::get_if<TextItem>(&node.item)) texts << text->text;
        return texts.join(QLatin1Char(' '));
    };
    const QStringList plain{s("not contiguous"), s("storage #"), s("jumps over")};
    for (const QString& each : plain) QVERIFY2(words().contains(each), qPrintable(words()));
    PseudoTranslator translator;
    QCoreApplication::installTranslator(&translator);
    const QString other = words();
    QCoreApplication::removeTranslator(&translator);
    for (const QString& each : plain) QVERIFY2(!other.contains(each), qPrintable(other));
    // Code stays what can be typed, and so do PyTorch's names.
    for (const QString& each : {s("A.narrow(1, 1, 2)"), s("size "), s("stride "), s("offset ")})
        QVERIFY2(other.contains(each), qPrintable(other));
}

void TestCardLayout::inverse_data() {
    QTest::addColumn<int>("which");
    const auto all = views();
    for (std::size_t i = 0; i < all.size(); ++i) QTest::newRow(qPrintable(all[i].first)) << static_cast<int>(i);
}

void TestCardLayout::inverse() {
    QFETCH(int, which);
    const Tensor tensor = views()[static_cast<std::size_t>(which)].second;
    Cast cast;
    const TensorEntry& entry = cast.add(s("A"), s("x"), tensor, Origin::View, 0);
    CardInput input = inputFor(entry);
    for (int outer = 0; outer < 2; ++outer) {
        input.outer.clear();
        for (Index d = 0; d + 4 < tensor.dim(); ++d) input.outer.push_back(outer);
        CardLayout card = layoutCard(input);
        card.pos = QPointF(31, 17);
        Index seen = 0;
        for (const Dims& coord : someCoords(tensor.view(), 800)) {
            const auto rect = card.cellRect(coord);
            if (!rect) continue;
            ++seen;
            QVERIFY2(card.frame().adjusted(1, 1, -1, -1).contains(*rect), qPrintable(tupleText(coord)));
            const auto back = card.cellAt(rect->center());
            QVERIFY2(back && *back == coord, qPrintable(tupleText(coord)));
        }
        QCOMPARE(seen > 0, tensor.numel() > 0);
        QVERIFY(!card.cellAt(card.pos + QPointF(2, 2)));
        QVERIFY(!card.cellAt(card.frame().bottomRight() - QPointF(1, 1)));
    }
}

void TestCardLayout::blocksInverse() {
    Cast cast;
    const Tensor x = view(arange(96), Dims{4, 4, 6});
    const TensorEntry& entry = cast.add(s("x"), s("x"), x, Origin::Base, 0);
    CardInput input = inputFor(entry);
    input.mode = CardMode::Blocks;
    const CardLayout card = layoutCard(input);
    QVERIFY(card.block);
    int seen = 0;
    for (const Dims& coord : someCoords(x.view(), 96)) {
        const auto rect = card.cellRect(coord);
        QVERIFY(rect);
        QVERIFY(card.frame().contains(*rect));
        // A cell is either seen whole or covered whole: its corners agree with its centre.
        const bool whole = card.block->isSeen(coord);
        const QRectF inner = rect->adjusted(1, 1, -1, -1);
        for (const QPointF p : {inner.topLeft(), inner.topRight(), inner.bottomLeft(), inner.bottomRight()}) {
            QCOMPARE(card.cellAt(p) == coord, whole);
        }
        seen += whole;
    }
    // The front slice whole, and of every slice behind it more than 60 %.
    QVERIFY(seen >= 24 + 3 * 15);
    // Too large for blocks: grids, without a word.
    const TensorEntry& large = cast.add(s("y"), s("y"), view(arange(120), Dims{5, 4, 6}), Origin::Base, 0);
    input.entry = &large;
    QVERIFY(!layoutCard(input).block);
}

void TestCardLayout::blocksHaveTicks_data() {
    QTest::addColumn<Dims>("shape");
    QTest::addColumn<Dims>("pick");
    QTest::addColumn<QSizeF>("room");
    for (const QSizeF room : {QSizeF(900, 620), QSizeF(1900, 240)}) {
        const QByteArray at = room.width() > 1000 ? "beside each other, " : "behind each other, ";
        QTest::newRow((at + "in the middle").constData()) << Dims{3, 4, 4} << Dims{1, 1, 2} << room;
        QTest::newRow((at + "at the end").constData()) << Dims{2, 3, 4} << Dims{1, 2, 3} << room;
        QTest::newRow((at + "nothing picked").constData()) << Dims{4, 4, 6} << Dims{} << room;
        QTest::newRow((at + "one of each").constData()) << Dims{1, 1, 1} << Dims{0, 0, 0} << room;
    }
}

/// The first, the last and the picked index of every dim stand beside the block, over nothing else.
void TestCardLayout::blocksHaveTicks() {
    QFETCH(Dims, shape);
    QFETCH(Dims, pick);
    QFETCH(QSizeF, room);
    Cast cast;
    const Tensor x = view(arange(shape[0] * shape[1] * shape[2]), shape);
    const TensorEntry& entry = cast.add(s("x"), s("x"), x, Origin::Base, 0);
    CardInput input = inputFor(entry);
    input.mode = CardMode::Blocks;
    input.slim = true;
    input.wide = room.width() > 1000;
    input.maxSize = room;
    if (!pick.empty()) input.shown = Pick{x.storage()->id(), x.view().slot(pick), entry.id, pick};
    const CardLayout card = layoutCard(input);
    QVERIFY(card.block && card.block->ticks);
    if (shape[0] > 3) QCOMPARE(card.block->apart.height() <= 0, input.wide);
    Scene scene;
    appendCard(scene, card);
    QPainterPath faces;
    std::vector<const TextItem*> ticks;
    for (const SceneNode& node : scene.nodes) {
        if (const auto* grid = std::get_if<GridItem>(&node.item)) faces.addRect(grid->area);
        if (const auto* quad = std::get_if<QuadItem>(&node.item)) {
            const QPointF across = quad->across * static_cast<qreal>(quad->cols);
            const QPointF down = quad->down * static_cast<qreal>(quad->rows);
            faces.addPolygon(QPolygonF{quad->origin, quad->origin + across, quad->origin + across + down,
                                       quad->origin + down, quad->origin});
        }
        const auto* text = std::get_if<TextItem>(&node.item);
        if (!text) continue;
        const bool tick = text->font == FontRole::Index || text->font == FontRole::IndexStrong;
        if (tick) ticks.push_back(text);
    }
    std::map<QString, int> plain, strong, wanted, wantedStrong;
    for (std::size_t d = 0; d < 3; ++d) {
        std::set<Index> indices{0, shape[d] - 1};
        if (!pick.empty()) {
            indices.insert(pick[d]);
            ++wantedStrong[QString::number(pick[d])];
            indices.erase(pick[d]);
        }
        for (const Index i : indices) ++wanted[QString::number(i)];
    }
    for (const TextItem* tick : ticks) ++(tick->font == FontRole::IndexStrong ? strong : plain)[tick->text];
    QVERIFY(plain == wanted);
    QVERIFY(strong == wantedStrong);
    for (const SceneNode& node : scene.nodes) {
        const auto* path = std::get_if<PathItem>(&node.item);
        const auto* text = std::get_if<TextItem>(&node.item);
        for (const TextItem* tick : ticks) {
            const QRectF ink = stage_test::inkOf(*tick);
            QVERIFY(card.frame().adjusted(2, 2, -2, -2).contains(ink));
            QVERIFY2(!faces.intersects(ink), qPrintable(tick->text));
            if (text && text != tick && !text->text.isEmpty())
                QVERIFY2(!stage_test::inkOf(*text).intersects(ink),
                         qPrintable(tick->text + QLatin1Char(' ') + text->text));
            if (path && node.part.kind == PartKind::CardDim) {
                QPainterPath box;
                box.addRect(ink);
                QPainterPathStroker pen;
                pen.setWidth(3);
                QVERIFY2(!pen.createStroke(path->path).intersects(box), qPrintable(tick->text));
            }
        }
    }
}

/// The arrow of dim 0 lies over no face of the block, neither where slices stand one behind another nor side by side,
/// and ends with them.
void TestCardLayout::arrowsLeaveBlocksFree() {
    int behind = 0, beside = 0;
    for (const Dims& shape : {Dims{2, 3, 4}, Dims{4, 4, 6}, Dims{3, 2, 2}, Dims{1, 3, 4}, Dims{4, 1, 1}}) {
        Index count = 1;
        for (const Index size : shape) count *= size;
        for (const bool wide : {false, true}) {
            std::vector<double> fractions;
            for (Index i = 0; i < count; ++i) fractions.push_back(static_cast<double>(i) + 1000.125);
            Cast cast;
            const Tensor values = wide ? tensorOf(fractions) : arange(count);
            const TensorEntry& entry = cast.add(s("x"), s("x"), view(values, shape), Origin::Base, 0);
            for (const qreal height : {270.0, 300.0, 340.0, 420.0, 620.0, 900.0}) {
                CardInput input = inputFor(entry);
                input.mode = CardMode::Blocks;
                input.slim = true;
                input.maxSize = QSizeF(1900, height);
                const CardLayout card = layoutCard(input);
                if (!card.block) continue;
                ++(card.block->apart.height() > 0 ? behind : beside);
                Scene scene;
                appendCard(scene, card);
                QLineF arrow;
                for (const SceneNode& node : scene.nodes) {
                    const auto* path = std::get_if<PathItem>(&node.item);
                    if (path && node.part.kind == PartKind::CardDim && node.part.index == 0)
                        arrow = QLineF(path->path.elementAt(0), path->path.elementAt(1));
                }
                QVERIFY(arrow.length() >= 20);
                const QByteArray what =
                    QStringLiteral("%1x%2x%3 at %4 px").arg(shape[0]).arg(shape[1]).arg(shape[2]).arg(height).toUtf8();
                QVERIFY2(card.frame().contains(QRectF(arrow.p1(), arrow.p2()).normalized()), what.constData());
                QVERIFY2(arrow.x2() < card.block->bounds().right(), what.constData());
                constexpr qreal kHalfLine = 2;
                for (const SceneNode& node : scene.nodes) {
                    QPolygonF face;
                    if (const auto* quad = std::get_if<QuadItem>(&node.item)) {
                        const QPointF across = quad->across * static_cast<qreal>(quad->cols);
                        const QPointF down = quad->down * static_cast<qreal>(quad->rows);
                        face << quad->origin << quad->origin + across << quad->origin + across + down
                             << quad->origin + down;
                    } else if (const auto* grid = std::get_if<GridItem>(&node.item)) {
                        face = QPolygonF(grid->area);
                    }
                    for (int i = 0; i <= 200; ++i) {
                        const QPointF below = arrow.pointAt(i / 200.0) + QPointF(0, kHalfLine);
                        QVERIFY2(!face.containsPoint(below, Qt::OddEvenFill), what.constData());
                    }
                }
            }
        }
    }
    QVERIFY(behind > 5 && beside > 5);
}

void TestCardLayout::nothingOverlaps_data() {
    inverse_data();
}

void TestCardLayout::nothingOverlaps() {
    QFETCH(int, which);
    const Tensor tensor = views()[static_cast<std::size_t>(which)].second;
    Cast cast;
    const TensorEntry& entry =
        cast.add(s("name"), s("x.view(4, 5).narrow(1, 1, 2).transpose(0, 1)"), tensor, Origin::View, 0);
    for (const bool compact : {false, true}) {
        for (const CellText text : {CellText::Value, CellText::Both}) {
            CardInput input = inputFor(entry);
            input.compact = compact;
            input.text = text;
            if (tensor.numel() > 0) input.shown = Cast::pick(entry, Dims(tensor.shape().size(), 0));
            const CardLayout card = layoutCard(input);
            Scene scene;
            appendCard(scene, card);
            const QRectF frame = card.frame();
            const std::vector<QRectF> texts = textsOf(scene);
            QVERIFY(texts.size() >= 4);
            for (std::size_t i = 0; i < texts.size(); ++i) {
                QVERIFY2(frame.contains(texts[i]), qPrintable(rectText(texts[i])));
                for (std::size_t k = 0; k < i; ++k) {
                    const QRectF common = texts[i].intersected(texts[k]);
                    QVERIFY2(common.width() < 1 || common.height() < 1,
                             qPrintable(rectText(texts[i]) + s(" / ") + rectText(texts[k])));
                }
            }
            for (const SceneNode& node : scene.nodes) {
                const auto* grid = std::get_if<GridItem>(&node.item);
                if (!grid) continue;
                QVERIFY(frame.contains(grid->area));
                for (const QRectF& other : texts) {
                    const QRectF common = grid->area.intersected(other);
                    QVERIFY2(common.width() < 1 || common.height() < 1, qPrintable(rectText(other)));
                }
            }
        }
    }
}

void TestCardLayout::formulaAddsUp_data() {
    inverse_data();
}

void TestCardLayout::formulaAddsUp() {
    QFETCH(int, which);
    const Tensor tensor = views()[static_cast<std::size_t>(which)].second;
    Cast cast;
    const TensorEntry& entry = cast.add(s("A"), s("x"), tensor, Origin::View, 0);
    CardInput input = inputFor(entry);
    const CardLayout idle = layoutCard(input);
    QCOMPARE(static_cast<Index>(idle.formula.size()), tensor.dim() + 2);
    QCOMPARE(idle.formula.back().value, s("?"));
    for (const Dims& coord : someCoords(tensor.view(), 60)) {
        const Pick pick = Cast::pick(entry, coord);
        input.shown = pick;
        const CardLayout card = layoutCard(input);
        QVERIFY(!card.rings.empty());
        QCOMPARE(card.rings.front(), coord);
        Index sum = 0;
        for (const FormulaTerm& term : card.formula) {
            if (term.kind == FormulaTerm::Kind::Result) {
                QCOMPARE(term.number, sum);
                QCOMPARE(term.value, QString::number(pick.slot));
                continue;
            }
            // The text says the same numbers as the value.
            const QStringList factors = term.value.split(s("·"));
            Index product = 1;
            for (const QString& factor : factors) product *= factor.toLongLong();
            QCOMPARE(product, term.number);
            if (term.dim >= 0) QCOMPARE(term.muted, tensor.size(term.dim) == 1);
            sum += term.number;
        }
        QCOMPARE(sum, pick.slot);
    }
}

void TestCardLayout::formulaInBytes() {
    Cast cast;
    const Tensor b = narrow(view(arange(20), Dims{4, 5}), 1, 1, 2);
    const TensorEntry& entry = cast.add(s("B"), s("A.narrow(1, 1, 2)"), b, Origin::View, 1);
    CardInput input = inputFor(entry);
    input.unit = StrideUnit::Bytes;
    input.shown = Cast::pick(entry, Dims{2, 1});
    const CardLayout card = layoutCard(input);
    QCOMPARE(card.formula.back().number, Index{96});
    QCOMPARE(card.formula[1].value, s("2·40"));
    QCOMPARE(card.formula[1].symbol, s("i·b₀"));
}

void TestCardLayout::formulaStandsStill() {
    // Hovering along must not make the card breathe.
    Cast cast;
    const Tensor x = view(arange(720), Dims{24, 30});
    const TensorEntry& entry = cast.add(s("x"), s("x"), x, Origin::Base, 0);
    CardInput input = inputFor(entry);
    const QSizeF idle = layoutCard(input).size;
    for (const Dims& coord : {Dims{0, 0}, Dims{9, 9}, Dims{23, 29}}) {
        input.shown = Cast::pick(entry, coord);
        QCOMPARE(layoutCard(input).size, idle);
    }
}

void TestCardLayout::slidersPickTheSlice() {
    Cast cast;
    const Tensor x = view(arange(96), Dims{3, 2, 2, 2, 4});
    const TensorEntry& entry = cast.add(s("x"), s("x"), x, Origin::Base, 0);
    CardInput input = inputFor(entry);
    input.outer = Dims{2};
    CardLayout card = layoutCard(input);
    card.pos = QPointF(40, 50);
    QCOMPARE(card.sliders.size(), std::size_t{1});
    QVERIFY(card.cellRect(Dims{2, 1, 1, 1, 3}));
    QVERIFY(!card.cellRect(Dims{1, 1, 1, 1, 3}));
    const QRectF track = card.sliders[0].track.translated(card.pos);
    QCOMPARE(card.sliderAt(track.center()), std::optional<int>(0));
    QVERIFY(!card.sliderAt(track.center() + QPointF(0, 40)));
    QCOMPARE(card.sliderValue(0, track.left() - 99), Index{0});
    QCOMPARE(card.sliderValue(0, track.center().x()), Index{1});
    QCOMPARE(card.sliderValue(0, track.right() + 99), Index{2});
    // Out of range is brought back, not drawn.
    input.outer = Dims{99};
    QCOMPARE(layoutCard(input).sliders[0].value, Index{2});
}

void TestCardLayout::longTicksStayInTheCard() {
    Cast cast;
    const Tensor base = arange(2'000'000);
    const Tensor tensors[] = {view(base, Dims{2, 1'000'000}), base, view(base, Dims{1'000'000, 2}),
                              expand(view(arange(1), Dims{1, 1}), Dims{400'000, 400'000})};
    int ticks = 0;
    for (const Tensor& tensor : tensors) {
        const TensorEntry& entry = cast.add(s("A"), s("x"), tensor, Origin::Base, 0);
        for (const Index first : {Index{0}, Index{999'996}, Index{399'990}}) {
            for (const CardDetail detail : {CardDetail::Numbers, CardDetail::Picture}) {
                for (const qreal width : {220.0, 260.0, 300.0, 420.0}) {
                    CardInput input = inputFor(entry);
                    input.firstRow = input.firstCol = first;
                    input.detail = detail;
                    input.maxSize = QSizeF(width, 300);
                    const CardLayout card = layoutCard(input);
                    for (const CardAxis& axis : card.axes) {
                        for (const AxisTick& tick : axis.ticks) {
                            const qreal wide = textWidth(FontRole::IndexStrong, QString::number(tick.index));
                            const qreal left = tick.at.x() - (axis.vertical ? wide : wide / 2);
                            QVERIFY2(left >= 3 && left + wide <= card.size.width() - 3,
                                     qPrintable(s("%1 at %2 in %3").arg(tick.index).arg(left).arg(card.size.width())));
                            ++ticks;
                        }
                    }
                }
            }
        }
    }
    QVERIFY(ticks > 100);
}

void TestCardLayout::everyOuterDimHasItsSlider() {
    Cast cast;
    const Tensor x = view(arange(512), Dims{2, 2, 2, 2, 2, 2, 2, 2, 2});
    const TensorEntry& entry = cast.add(s("x"), s("x"), x, Origin::Base, 0);
    CardInput input = inputFor(entry);
    for (const bool slim : {false, true}) {
        input.slim = slim;
        const CardLayout card = layoutCard(input);
        std::vector<int> dims;
        for (const CardSlider& slider : card.sliders) {
            dims.push_back(slider.dim);
            for (const CardSlider& other : card.sliders)
                QVERIFY(&other == &slider || !other.track.intersects(slider.track));
            QVERIFY(slider.valueAt.x() < card.size.width());
        }
        QCOMPARE(dims, (std::vector<int>{0, 1, 2, 3, 4}));
    }
    // Of very many those that can slide.
    const TensorEntry& ones =
        cast.add(s("y"), s("y"), view(arange(64), Dims{1, 1, 1, 1, 2, 1, 1, 1, 1, 2, 2, 2, 2, 2}), Origin::Base, 1);
    std::vector<int> dims;
    for (const CardSlider& slider : layoutCard(inputFor(ones)).sliders) dims.push_back(slider.dim);
    QCOMPARE(dims, (std::vector<int>{4, 9}));
}

void TestCardLayout::windows() {
    Cast cast;
    const Tensor x = view(arange(4096 * 5), Dims{4096, 5});
    const TensorEntry& entry = cast.add(s("x"), s("x"), x, Origin::Base, 0);
    CardInput input = inputFor(entry);
    input.maxSize = QSizeF(500, 500);
    input.firstRow = 4000;
    const CardLayout card = layoutCard(input);
    QVERIFY(!card.picture);
    QVERIFY(card.size.height() <= 500);
    QVERIFY(card.shownRows > 4 && card.shownRows < 20);
    QCOMPARE(card.firstRow, Index{4000});
    QVERIFY(card.cellRect(Dims{4000, 0}));
    QVERIFY(!card.cellRect(Dims{3999, 0}));
    const QString caption = s("… rows 4000–%1 of 4096").arg(4000 + card.shownRows - 1);
    QVERIFY(std::any_of(card.texts.begin(), card.texts.end(), [&](const TextItem& t) { return t.text == caption; }));
    input.firstRow = 99999;
    const CardLayout end = layoutCard(input);
    QCOMPARE(end.firstRow, end.lastFirstRow());
    QVERIFY(end.cellRect(Dims{4095, 4}));
}

void TestCardLayout::picture() {
    Cast cast;
    std::vector<float> values(96 * 96);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<float>(i) * 0.01F) * 2.34F;
    const TensorEntry& entry = cast.add(s("img"), s("img"), view(tensorOf(values), Dims{96, 96}), Origin::Base, 0);
    CardInput input = inputFor(entry);
    const CardLayout card = layoutCard(input);
    QVERIFY(card.picture);
    QVERIFY(card.colourBar);
    QVERIFY(card.heatLow <= -2.3 && card.heatLow >= -2.5);
    QVERIFY(card.heatHigh >= 2.3 && card.heatHigh <= 2.5);
    Scene scene;
    appendCard(scene, card);
    QVERIFY(std::any_of(scene.nodes.begin(), scene.nodes.end(),
                        [](const SceneNode& n) { return std::holds_alternative<ColourBarItem>(n.item); }));
    for (const Dims& coord : {Dims{0, 0}, Dims{95, 95}, Dims{40, 7}})
        QVERIFY(card.cellAt(card.cellRect(coord)->center()) == coord);
    input.detail = CardDetail::Numbers;
    QVERIFY(!layoutCard(input).picture);
    input.detail = CardDetail::Auto;
    const TensorEntry& small = cast.add(s("s"), s("s"), view(arange(4096), Dims{64, 64}), Origin::Base, 0);
    input.entry = &small;
    QVERIFY(!layoutCard(input).picture);
}

void TestCardLayout::longCodeKeepsItsEnd() {
    Cast cast;
    const QString code = s("torch.from_numpy(numpy.load(\"/home/someone/nets/first.npz\")[\"running_mean\"])");
    const TensorEntry& entry = cast.add(s("running_mean"), code, arange(3), Origin::Base, 0);
    CardInput input = inputFor(entry);
    input.codeChars = 24;
    const CardLayout card = layoutCard(input);
    QCOMPARE(card.codeLines.size(), 3);
    QVERIFY2(card.codeLines.front().startsWith(s("running_mean = ")), qPrintable(card.codeLines.front()));
    QVERIFY2(card.codeLines.back().endsWith(s("[\"running_mean\"])")), qPrintable(card.codeLines.back()));
    const qreal line = textWidth(FontRole::CodeStrong, QString(24, QLatin1Char('0')));
    for (const QString& each : card.codeLines) QVERIFY(textWidth(FontRole::CodeStrong, each) <= line);
}

void TestCardLayout::sentencesBreakBetweenWords() {
    const QString text = s("at least one dimension spans across two contiguous subspaces. Use .reshape(...) instead.");
    for (qreal width = 90; width < 500; width += 7) {
        QStringList words;
        for (const QString& line : wrapText(FontRole::Label, text, width)) {
            QVERIFY(textWidth(FontRole::Label, line) <= width);
            words << line.split(QLatin1Char(' '));
        }
        QCOMPARE(words, text.split(QLatin1Char(' ')));
    }
    // A word longer than the line has to be broken, and code may be.
    QVERIFY(wrapText(FontRole::Label, s("averyveryverylongwordwithoutanygap"), 60).size() > 1);
    QVERIFY(wrapText(FontRole::Code, s("torch.arange(12).view(3, 4)"), 120).size() > 1);
}

void TestCardLayout::switchesAndColours() {
    Cast cast;
    const Tensor cube = view(arange(24), Dims{2, 3, 4});
    const TensorEntry& whole = cast.add(s("x"), s("torch.arange(24).view(2, 3, 4)"), cube, Origin::Base, 0);
    const TensorEntry& part = cast.add(s("y"), s("x[0]"), select(cube, 0, 0), Origin::View, 1, whole.id);
    for (const bool wide : {false, true}) {
        CardInput input;
        input.entry = &whole;
        input.storageNumber = 1;
        input.detail = CardDetail::Picture;
        input.wide = wide;
        const CardLayout card = layoutCard(input);
        // Two switches, each with one segment on, and a gap between them; nothing runs into the words before them.
        QCOMPARE(card.chips.size(), std::size_t{4});
        QCOMPARE(card.chips[0].on + card.chips[1].on, 1);
        QCOMPARE(card.chips[2].on + card.chips[3].on, 1);
        QVERIFY(card.chips[2].rect.left() >= card.chips[1].rect.right() + 6);
        for (const TextItem& text : card.texts) {
            for (const CardChip& chip : card.chips) {
                const QRectF words = textRect(text);
                QVERIFY2(!words.intersects(chip.rect.adjusted(0, 4, 0, -4)), qPrintable(text.text));
            }
        }
        // A value has the same colour in every card of its storage, and small pictures use the room they have.
        input.entry = &part;
        const CardLayout other = layoutCard(input);
        QCOMPARE(std::pair(other.heatLow, other.heatHigh), std::pair(card.heatLow, card.heatHigh));
        QVERIFY(other.cell.width() >= 24);
    }
}

void TestCardLayout::colourPicture_data() {
    QTest::addColumn<bool>("channelsFirst");
    QTest::newRow("height, width, channels") << false;
    QTest::newRow("channels, height, width") << true;
}

void TestCardLayout::colourPicture() {
    QFETCH(bool, channelsFirst);
    constexpr Index kHeight = 20, kWidth = 24;
    std::vector<std::uint8_t> values;
    const auto colourAt = [](Index row, Index col, Index channel) {
        return static_cast<std::uint8_t>(channel == 0 ? row * 12 : channel == 1 ? col * 10 : 77);
    };
    for (Index i = 0; i < kHeight * kWidth * 3; ++i) {
        const Index pixel = channelsFirst ? i % (kHeight * kWidth) : i / 3;
        values.push_back(colourAt(pixel / kWidth, pixel % kWidth, channelsFirst ? i / (kHeight * kWidth) : i % 3));
    }
    Cast cast;
    const Dims shape = channelsFirst ? Dims{3, kHeight, kWidth} : Dims{kHeight, kWidth, 3};
    const TensorEntry& entry = cast.add(s("img"), s("img"), view(tensorOf(values), shape), Origin::Base, 0);
    CardInput input = inputFor(entry);
    const CardLayout card = layoutCard(input);
    QVERIFY(card.picture);
    QCOMPARE(card.channelDim, channelsFirst ? 0 : 2);
    QCOMPARE(card.panels.size(), std::size_t{1});
    QVERIFY(!card.colourBar);
    const auto coordOf = [&](Index row, Index col, Index channel) {
        return channelsFirst ? Dims{channel, row, col} : Dims{row, col, channel};
    };
    // A pixel is its first element; its other elements lie under it too.
    const QPointF centre = card.cellRect(coordOf(7, 9, 0))->center();
    QVERIFY(card.cellAt(centre) == coordOf(7, 9, 0));
    QVERIFY(card.cellRect(coordOf(7, 9, 2)).has_value());
    Scene scene;
    scene.size = card.size;
    appendCard(scene, card);
    const QImage image = renderImage(scene, Theme());
    QCOMPARE(image.pixelColor(centre.toPoint()), QColor(colourAt(7, 9, 0), colourAt(7, 9, 1), 77));
    input.detail = CardDetail::Numbers;
    QCOMPARE(layoutCard(input).channelDim, -1);
    // One channel is grey, over the whole range of a byte; a part of it is a tensor like any other.
    const TensorEntry& green =
        cast.add(s("g"), s("img[..., 1]"), select(entry.tensor, channelsFirst ? 0 : 2, 1), Origin::View, 1);
    CardInput channel = inputFor(green);
    channel.parent = &entry;
    const CardLayout grey = layoutCard(channel);
    QCOMPARE(grey.channel, 1);
    QVERIFY(grey.picture && grey.colourBar);
    QCOMPARE(grey.heatHigh, 255.0);
    Scene greyScene;
    greyScene.size = grey.size;
    appendCard(greyScene, grey);
    const QColor shade = renderImage(greyScene, Theme()).pixelColor(grey.cellRect(Dims{7, 9})->center().toPoint());
    QCOMPARE(shade, QColor(colourAt(7, 9, 1), colourAt(7, 9, 1), colourAt(7, 9, 1)));
    channel.detail = CardDetail::Numbers;
    QCOMPARE(layoutCard(channel).channel, -1);
    const TensorEntry& top = cast.add(s("t"), s("g[:18]"), narrow(green.tensor, 0, 0, 18), Origin::View, 2);
    CardInput part = inputFor(top);
    part.parent = &entry;
    QCOMPARE(layoutCard(part).channel, -1);
    // Three rows of bytes are not a picture.
    const TensorEntry& few =
        cast.add(s("f"), s("f"), narrow(entry.tensor, channelsFirst ? 1 : 0, 0, 3), Origin::View, 0);
    QCOMPARE(layoutCard(inputFor(few)).channelDim, -1);
}

void TestCardLayout::smallColourPicture() {
    Cast cast;
    const auto chip = [](const CardLayout& card, int index) {
        return std::any_of(card.chips.begin(), card.chips.end(),
                           [index](const CardChip& c) { return c.index == index; });
    };
    const Tensor bytes = empty(Dims{72}, {DType::UInt8, {}});
    for (Index i = 0; i < 72; ++i) writeSlot(bytes, i, Scalar(i * 3));
    const std::pair<Dims, int> pictures[] = {{Dims{4, 6, 3}, 2}, {Dims{3, 4, 6}, 0}, {Dims{1, 24, 3}, 2}};
    for (const auto& [shape, channels] : pictures) {
        const TensorEntry& entry = cast.add(s("p"), s("p"), view(bytes, shape), Origin::Base, 0);
        CardInput input = inputFor(entry);
        // Numbers at first, with the switch beside them; then the pixels in their own colours.
        const CardLayout numbers = layoutCard(input);
        QVERIFY(!numbers.picture);
        QVERIFY(chip(numbers, kChipNumbers) && chip(numbers, kChipPicture));
        input.detail = CardDetail::Picture;
        const CardLayout colours = layoutCard(input);
        QVERIFY(colours.picture && chip(colours, kChipNumbers));
        QCOMPARE(colours.channelDim, channels);
        Scene scene;
        scene.size = colours.size;
        appendCard(scene, colours);
        const QImage image = renderImage(scene, Theme());
        Dims pixel{0, 0, 0};
        pixel[channels == 2 ? 1 : 2] = 2;
        // A copy: clang 14 knows no captures of structured bindings.
        const auto valueAt = [&, dim = static_cast<std::size_t>(channels)](Index channel) {
            Dims coord = pixel;
            coord[dim] = channel;
            return static_cast<int>(entry.tensor.view().slot(coord)) * 3;
        };
        const QPointF centre = colours.cellRect(pixel)->center();
        QCOMPARE(image.pixelColor(centre.toPoint()), QColor(valueAt(0), valueAt(1), valueAt(2)));
    }
    // Three planes of 4 × 5 are a picture, three channels of another dtype are none.
    const TensorEntry& five =
        cast.add(s("v"), s("v"), view(empty(Dims{60}, {DType::UInt8, {}}), Dims{3, 4, 5}), Origin::Base, 0);
    const TensorEntry& ints = cast.add(s("w"), s("w"), view(arange(72), Dims{4, 6, 3}), Origin::Base, 0);
    QVERIFY(chip(layoutCard(inputFor(ints)), kChipPicture) == false);
    QVERIFY(chip(layoutCard(inputFor(five)), kChipPicture));
}

void TestCardLayout::hugeStrideZero() {
    Cast cast;
    const Index huge = 1'000'000'000'000'000;
    const TensorEntry& entry = cast.add(s("x"), s("x"), expand(arange(1), Dims{huge}), Origin::View, 0);
    const CardLayout card = layoutCard(inputFor(entry));
    QCOMPARE(card.cols, huge);
    QVERIFY(card.shownCols < 40);
    QCOMPARE(strideNote(card.view, nullptr), s("stride 0: the same cell seen 10^15 times."));
}

void TestCardLayout::links() {
    Cast cast;
    const TensorEntry& entry = cast.add(s("A"), s("x"), view(arange(48), Dims{2, 3, 2, 4}), Origin::View, 0);
    CardLayout card = layoutCard(inputFor(entry));
    card.pos = QPointF(100, 60);
    for (const Dims& coord : someCoords(card.view, 48)) {
        const auto route = card.linkRoute(coord);
        QVERIFY(route.size() >= 2);
        QCOMPARE(route.front(), card.cellRect(coord)->bottomRight());
        QCOMPARE(route.back().y(), card.frame().bottom());
        QVERIFY(route.back().x() < card.frame().right());
        // Never through the inside of a cell, nor through a panel's label.
        for (std::size_t i = 1; i < route.size(); ++i) {
            const QRectF line = QRectF(route[i - 1], route[i]).normalized();
            for (const Dims& other : someCoords(card.view, 48)) {
                const QRectF digits = card.cellRect(other)->adjusted(3, 3, -3, -3);
                QVERIFY(!(line.left() < digits.right() && line.right() > digits.left() &&
                          line.top() < digits.bottom() && line.bottom() > digits.top()));
            }
            for (const CardPanel& panel : card.panels) {
                const QRectF label(panel.labelAt + card.pos - QPointF(0, 9),
                                   QSizeF(textWidth(FontRole::Meta, panel.label), 10));
                QVERIFY(!(line.left() < label.right() && line.right() > label.left() && line.top() < label.bottom() &&
                          line.bottom() > label.top()));
            }
        }
    }
}

void TestCardLayout::linksPassTheNote() {
    Cast cast;
    const TensorEntry& b = cast.add(s("B"), s("b"), narrow(view(arange(20), Dims{4, 5}), 1, 1, 2), Origin::View, 1);
    const TensorEntry& c = cast.add(s("C"), s("B.t()"), t(b.tensor), Origin::View, 2, b.id);
    CardInput input = inputFor(c);
    input.parent = &b;
    CardLayout card = layoutCard(input);
    card.pos = QPointF(7, 9);
    QVERIFY(!card.noteArea.isEmpty());
    const QRectF note = card.noteArea.translated(card.pos);
    for (const Dims& coord : someCoords(card.view, 8)) {
        const auto route = card.linkRoute(coord);
        for (std::size_t i = 1; i < route.size(); ++i) {
            const QRectF line = QRectF(route[i - 1], route[i]).normalized();
            QVERIFY(!(line.left() < note.right() && line.right() > note.left() && line.top() < note.bottom() &&
                      line.bottom() > note.top()));
            QVERIFY(line.right() < card.frame().right() - 4);
        }
    }
}

void TestCardLayout::beyondTheStorage() {
    Cast cast;
    const TensorEntry& entry = cast.add(s("B"), s("x"), view(arange(20), Dims{4, 5}), Origin::View, 1);
    CardInput input = inputFor(entry);
    input.preview = *makeView(Dims{4, 3}, Dims{5, 2}, 8);
    const CardLayout card = layoutCard(input);
    Scene scene;
    appendCard(scene, card);
    QCOMPARE(card.pillText, s("preview"));
    int ghosts = 0;
    for (const SceneNode& node : scene.nodes) {
        if (const auto* grid = std::get_if<GridItem>(&node.item)) ghosts += grid->ghost && grid->base == 8;
    }
    QCOMPARE(ghosts, 1);
}

void TestCardLayout::cellsInOtherSlices() {
    // The strip names a cell of another slice than the one in sight: no index at the grid is its, and the card says
    // where it is, in as many lines as before.
    Cast cast;
    const TensorEntry& entry =
        cast.add(s("x"), s("x"), view(arange(256), Dims{2, 2, 2, 2, 2, 2, 2, 2}), Origin::Base, 0);
    CardInput input;
    input.entry = &entry;
    input.outer = {0, 0, 0, 1};
    input.shown = Pick{entry.tensor.storage()->id(), 4, entry.id, Dims{0, 0, 0, 0, 0, 1, 0, 0}};
    const auto strong = [](const CardLayout& card) {
        qsizetype count = 0;
        for (const CardAxis& axis : card.axes)
            count += std::count_if(axis.ticks.begin(), axis.ticks.end(), [](const AxisTick& t) { return t.strong; });
        return count;
    };
    const auto says = [](const CardLayout& card, const QString& words) {
        return std::any_of(card.texts.begin(), card.texts.end(),
                           [&words](const TextItem& text) { return text.text.contains(words); });
    };
    const CardLayout away = layoutCard(input);
    QCOMPARE(strong(away), qsizetype{0});
    QVERIFY(says(away, s("slice l=0")));
    input.outer = {};
    const CardLayout here = layoutCard(input);
    QVERIFY(strong(here) > 0);
    QVERIFY(!says(here, s("not shown")));
    QCOMPARE(away.size, here.size);
    QCOMPARE(away.panels.front().area, here.panels.front().area);
}

void TestCardLayout::fileNamesStayWhole() {
    // A file of its own folder, one in another, and code around them.
    for (const char* file : {"i64.npy", "zeros.npy", "activations.npy"}) {
        const QString code = s("x = torch.from_numpy(numpy.load(\"%1\")).view(2, 5)").arg(s(file));
        for (int letters = 26; letters < 60; ++letters) {
            const QStringList lines = wrapText(FontRole::CodeStrong, code,
                                               textWidth(FontRole::CodeStrong, QString(letters, QLatin1Char('0'))) + 1);
            QVERIFY2(lines.join(QLatin1Char('|')).contains(s(file)), qPrintable(lines.join(QLatin1Char('|'))));
            for (const QString& line : lines) QVERIFY(line.size() <= letters);
            QCOMPARE(lines.join(QString()).remove(QLatin1Char(' ')), QString(code).remove(QLatin1Char(' ')));
        }
    }
    const QStringList folders = wrapText(FontRole::CodeStrong, s("numpy.load(\"/data/experiments/first/weights.npy\")"),
                                         textWidth(FontRole::CodeStrong, QString(30, QLatin1Char('0'))) + 1);
    QCOMPARE(folders, (QStringList{s("numpy.load(\"/data/experiments/"), s("first/weights.npy\")")}));
    // What has no better place is broken all the same.
    const QStringList name = wrapText(FontRole::CodeStrong, s("load(\"a_very_long_name_of_a_file.npy\")"),
                                      textWidth(FontRole::CodeStrong, QString(12, QLatin1Char('0'))) + 1);
    for (const QString& line : name) QVERIFY(line.size() <= 12);
}

void TestCardLayout::notes_data() {
    QTest::addColumn<Tensor>("tensor");
    QTest::addColumn<QString>("note");
    const Tensor a = view(arange(20), Dims{4, 5});
    QTest::newRow("plain") << a << QString();
    QTest::newRow("narrow") << narrow(a, 1, 1, 2) << s("Rows start 5 apart: going down one row jumps over 3 cells.");
    QTest::newRow("one over") << narrow(a, 1, 0, 4) << s("Rows start 5 apart: going down one row jumps over 1 cell.");
    QTest::newRow("transposed") << t(a) << s("Same 20 storage cells as A: sizes and strides swapped.");
    const Tensor b = view(arange(20), Dims{2, 2, 5});
    QTest::newRow("transposed dims of three")
        << transpose(b, 1, 2) << s("Same 20 storage cells as A: sizes and strides swapped.");
    QTest::newRow("permuted") << permute(b, Dims{2, 0, 1})
                              << s("Same 20 storage cells as A: sizes and strides in another order.");
    QTest::newRow("expand") << expand(view(arange(3), Dims{3, 1}), Dims{3, 4})
                            << s("stride 0: the same 3 cells seen 4 times.");
    QTest::newRow("column") << select(a, 1, 2) << s("Every step jumps over 4 cells.");
}

void TestCardLayout::notes() {
    QFETCH(Tensor, tensor);
    QFETCH(QString, note);
    Cast cast;
    const Dims shape = tensor.dim() == 3 ? Dims{2, 2, 5} : Dims{4, 5};
    const TensorEntry& parent = cast.add(s("A"), s("A"), view(arange(20), shape), Origin::Base, 0);
    QCOMPARE(strideNote(tensor.view(), &parent), note);
}

void TestCardLayout::golden_data() {
    QTest::addColumn<int>("state");
    QTest::newRow("card_explore") << 0;
    QTest::newRow("card_ranks") << 1;
    QTest::newRow("card_repeats") << 2;
}

void TestCardLayout::golden() {
    QFETCH(int, state);
    Cast cast;
    Scene scene;
    qreal y = 0;
    const auto put = [&](const CardInput& input) {
        CardLayout card = layoutCard(input);
        card.pos = QPointF(0, y);
        y += card.size.height() + 10;
        appendCard(scene, card);
        scene.size = QSizeF(std::max(scene.size.width(), card.size.width()), y);
    };
    const Tensor q = arange(20);
    const TensorEntry& eq = cast.add(s("q"), s("torch.arange(20)"), q, Origin::Base);
    if (state == 0) {
        const TensorEntry& a = cast.add(s("A"), s("q.view(4, 5)"), view(q, Dims{4, 5}), Origin::View, 0, eq.id);
        const TensorEntry& b =
            cast.add(s("B"), s("A.narrow(1, 1, 2)"), narrow(a.tensor, 1, 1, 2), Origin::View, 1, a.id);
        const TensorEntry& c = cast.add(s("C"), s("B.t()"), t(b.tensor), Origin::View, 2, b.id);
        const TensorEntry* parents[] = {&eq, &a, &b};
        const TensorEntry* entries[] = {&a, &b, &c};
        for (int i = 0; i < 3; ++i) {
            CardInput input = inputFor(*entries[i]);
            input.parent = parents[i];
            input.shown = Cast::pick(b, Dims{2, 1});
            const CardLayout card = layoutCard(input);
            QCOMPARE(card.formula.back().value, s("12"));
            put(input);
        }
    } else if (state == 1) {
        for (const auto& [what, tensor] : views()) {
            if (tensor.dim() > 4 || tensor.numel() > 48) continue;
            const TensorEntry& entry = cast.add(s("t"), what, tensor, Origin::View, 0);
            put(inputFor(entry));
        }
    } else {
        const TensorEntry& e = cast.add(s("e"), s("x.expand(3, 2, 3)"),
                                        expand(view(arange(6), Dims{1, 2, 3}), Dims{3, 2, 3}), Origin::View, 0);
        CardInput input = inputFor(e);
        put(input);
        input.mode = CardMode::Blocks;
        put(input);
    }
    const QString difference = compareGolden(QString::fromUtf8(QTest::currentDataTag()), scene);
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
}

QTEST_MAIN(TestCardLayout)
#include "tst_card_layout.moc"
