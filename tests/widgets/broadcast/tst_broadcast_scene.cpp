// The broadcast picture: what stands on it at which moment, its geometry, and golden scenes.

#include "tests/widgets/broadcast/broadcast_fixture.h"
#include "tests/widgets/card/card_fixture.h"
#include "tests/widgets/stage/scene_geometry.h"
#include "widgets/broadcast/broadcast_accessible.h"
#include "widgets/broadcast/broadcast_scene.h"
#include "widgets/presenter/room_size.h"
#include "widgets/scene/export.h"
#include "widgets/scene/hit_test.h"
#include "widgets/scene/scene_dump.h"
#include "widgets/scene/scene_painter.h"

#include <QFile>
#include <QHash>
#include <QPainter>
#include <QRegularExpression>
#include <QTest>
#include <QTranslator>
#include <QXmlStreamReader>

#include <set>

using namespace stridescope;
using namespace stridescope::test;

namespace {

QImage paint(const Scene& scene) {
    QImage image(scene.size.toSize(), QImage::Format_ARGB32_Premultiplied);
    QPainter painter(&image);
    paintScene(painter, scene, Theme(ThemeKind::Light));
    return image;
}

QStringList wordsOf(const Scene& scene) {
    QStringList words;
    for (const SceneNode& node : scene.nodes)
        if (const auto* text = std::get_if<TextItem>(&node.item)) words << text->text;
    return words;
}

bool says(const Scene& scene, const char* words) {
    return wordsOf(scene).join(QLatin1Char('\n')).contains(QString::fromUtf8(words));
}

std::vector<const GridItem*> gridsOf(const Scene& scene) {
    std::vector<const GridItem*> grids;
    for (const SceneNode& node : scene.nodes)
        if (const auto* grid = std::get_if<GridItem>(&node.item)) grids.push_back(grid);
    return grids;
}

constexpr const char* kLines[] = {"A + B",
                                  "a + b",
                                  "b += n",
                                  "A * B + A",
                                  "a / a.sum(1, keepdim=True)",
                                  "a += 1",
                                  "torch.ones(2, 1, 3) + torch.ones(4, 1)",
                                  "torch.ones(2, 1, 3, 1) * torch.ones(2, 1, 4)",
                                  "torch.ones(2, 2, 1, 2, 1, 2) + b.view(3, 1)",
                                  "torch.ones(0, 3) + b",
                                  "torch.tensor(1) + 2",
                                  "torch.rand(60, 1) * torch.rand(80)",
                                  "torch.zeros(100000, 1) + torch.zeros(100000)",
                                  "b + torch.ones(2) + a"};

/// Two to four operands of ranks 0 to 6.
constexpr const char* kFullLines[] = {
    "A + B",
    "a + b",
    "A * 2.5 - 1",
    "torch.tensor(3) * a",
    "torch.tensor(3) + torch.tensor(2.5)",
    "2 * (a > 3) + n",
    "a * n + a",
    "b += n",
    "b.clamp_(0, a[:, :3])",
    "torch.where(a > 5, a, n)",
    "torch.where(n > 1, a, b)",
    "torch.lerp(torch.ones(2,3,1,2), torch.ones(3,4,1), torch.ones(2))",
    "torch.ones(2,3,1,2) + torch.ones(3,4,1)",
    "torch.ones(2,3,1,2) + torch.ones(3,4,1) * torch.ones(2,1,1,2).long()",
    "torch.ones(2,3,1,2) + torch.ones(3,4,1) * torch.ones(2,1,1,2).long() - torch.ones(1,3,4,1).double()",
    "torch.ones(2,3,1,2,2) + torch.ones(3,4,1,1)",
    "torch.ones(20,30,1,20) + torch.ones(30,40,1)",
    "torch.ones(2,1,2,1,2,1,2) + torch.ones(2,1,2,1,2,1)",
    "torch.ones(2,1,2,1,2,3) + torch.ones(1,2,1,2,1) + torch.ones(2,1,2,1,2,1) + torch.ones(3)",
    "torch.ones(2,3,4,2) + torch.ones(3,4,3)",
    "torch.ones(2,3,4,2) * torch.ones(2,3,4) + torch.ones(2,1,1,2)",
    "torch.ones(2,3,4,2) * torch.ones(2,2,1,2) + torch.ones(3,4) - torch.ones(2,1,1,2)",
    "torch.ones(2,3,4,2,3,2) + torch.ones(2,3,4,2,3)",
    "torch.ones(0, 3) + b"};

/// The texts of pictures in French, from the file that the program's are made of.
class French : public QTranslator {
public:
    French() {
        QFile file(QString::fromStdString(test::sourcePath("resources/translations/stridescope_fr.ts")));
        if (!file.open(QIODevice::ReadOnly)) return;
        QXmlStreamReader xml(&file);
        QString context, source;
        while (!xml.atEnd()) {
            if (xml.readNext() != QXmlStreamReader::StartElement) continue;
            if (xml.name() == QLatin1String("name"))
                context = xml.readElementText();
            else if (xml.name() == QLatin1String("source"))
                source = xml.readElementText();
            else if (xml.name() == QLatin1String("translation") && context == QLatin1String("PaintedText"))
                m_words.insert(source, xml.readElementText(QXmlStreamReader::IncludeChildElements));
        }
    }
    bool isEmpty() const override { return m_words.isEmpty(); }
    QString translate(const char* context, const char* source, const char*, int) const override {
        return qstrcmp(context, "PaintedText") == 0 ? m_words.value(QString::fromUtf8(source)) : QString();
    }

private:
    QHash<QString, QString> m_words;
};

/// What of a picture is cut, or lies over something else.
QStringList faultsOf(const Scene& scene, QSizeF size, qreal t) {
    using stage_test::inkOf;
    std::vector<const TextItem*> texts;
    std::vector<QRectF> frames, axes;
    std::vector<std::pair<QString, QRectF>> things;
    for (const SceneNode& node : scene.nodes) {
        if (const auto* text = std::get_if<TextItem>(&node.item); text && !text->text.trimmed().isEmpty())
            texts.push_back(text);
        const auto* box = std::get_if<BoxItem>(&node.item);
        if (box && box->outline != Tone::None) frames.push_back(box->rect);
        if (box) things.emplace_back(QStringLiteral("a box"), box->rect);
        if (const auto* grid = std::get_if<GridItem>(&node.item))
            things.emplace_back(QStringLiteral("a grid"), grid->area);
        if (const auto* badge = std::get_if<BadgeItem>(&node.item))
            things.emplace_back(QStringLiteral("a badge"), stage_test::badgeRect(*badge));
        if (const auto* strip = std::get_if<StripItem>(&node.item))
            things.emplace_back(QStringLiteral("a strip"), strip->layout.area);
        const auto* path = std::get_if<PathItem>(&node.item);
        if (path && path->width == 3 && path->path.boundingRect().height() == 0)
            axes.push_back(path->path.boundingRect().adjusted(0, -1.5, 0, 1.5));
    }
    QStringList faults;
    const auto tell = [&](const QString& what) {
        faults << QStringLiteral("%1×%2 at %3: %4").arg(size.width()).arg(size.height()).arg(t).arg(what);
    };
    const QRectF all(QPointF(), size);
    for (const auto& [what, rect] : things) {
        if (!all.contains(rect.adjusted(1, 1, -1, -1)) && !rect.isEmpty())
            tell(what + QStringLiteral(" leaves the picture"));
        for (const QRectF& frame : frames)
            if (frame.width() > 140 && frame.height() > 100 && frame.contains(rect.topLeft() + QPointF(1, 1)) &&
                !frame.contains(rect.adjusted(1, 1, -1, -1)))
                tell(what + QStringLiteral(" leaves its frame"));
    }
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const QRectF ink = inkOf(*texts[i]).adjusted(0.5, 0.5, -0.5, -0.5);
        const QString& words = texts[i]->text;
        if (!all.contains(ink)) tell(words + QStringLiteral(" leaves the picture"));
        for (std::size_t k = 0; k < i; ++k)
            if (ink.intersects(inkOf(*texts[k]))) tell(words + QStringLiteral(" on ") + texts[k]->text);
        for (const QRectF& axis : axes)
            if (ink.intersects(axis)) tell(words + QStringLiteral(" on an axis"));
        constexpr qreal kDescent = 3;
        for (const QRectF& frame : frames)
            if ((frame.contains(ink.center()) || frame.contains(ink.topLeft())) &&
                !frame.adjusted(1, 1, -1, -1).contains(ink.adjusted(0, 0, 0, kDescent)))
                tell(words + QStringLiteral(" leaves its frame"));
    }
    return faults;
}

} // namespace

class TestBroadcastScene : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void back_data() {
        QTest::addColumn<QByteArray>("line");
        for (const char* line : kLines) QTest::newRow(line) << QByteArray(line);
    }
    void back() {
        // A frame depends on t alone: the same picture forward, back, and after looking at others.
        QFETCH(QByteArray, line);
        const BroadcastModel model = modelOf(line.constData());
        const BroadcastTimeline timeline(model);
        for (const QSizeF size : {QSizeF(1280, 490), QSizeF(1920, 820)}) {
            std::vector<QImage> forward;
            for (const qreal stop : timeline.stops())
                forward.push_back(paint(broadcastScene(model, {size, stop, std::nullopt, false})));
            for (std::size_t i = forward.size(); i-- > 0;)
                QVERIFY(paint(broadcastScene(model, {size, timeline.stops()[i], std::nullopt, false})) == forward[i]);
        }
    }

    void standsInsideThePicture_data() { back_data(); }
    void standsInsideThePicture() {
        QFETCH(QByteArray, line);
        const BroadcastModel model = modelOf(line.constData());
        const BroadcastTimeline timeline(model);
        for (const QSizeF size : {QSizeF(1280, 490), QSizeF(1600, 745), QSizeF(1920, 820)}) {
            for (const qreal t : {0.0, 0.33, 0.55, 0.8, 1.0}) {
                const Scene scene = broadcastScene(model, {size, t, std::nullopt, false});
                const QRectF room = QRectF(QPointF(), size).adjusted(-2, -2, 2, 2);
                for (const SceneNode& node : scene.nodes) {
                    if (const auto* box = std::get_if<BoxItem>(&node.item))
                        QVERIFY2(room.contains(box->rect), (line + QByteArray::number(t)).constData());
                    if (const auto* text = std::get_if<TextItem>(&node.item))
                        QVERIFY2(room.contains(text->pos), qPrintable(text->text));
                }
            }
        }
    }

    void cardsShowWhatTheyAreAtEachStage() {
        const BroadcastModel model = modelOf("A + B");
        const BroadcastTimeline timeline(model);
        const auto at = [&](qreal t) { return broadcastScene(model, {QSizeF(1600, 745), t, std::nullopt, false}); };
        const Scene start = at(0);
        QVERIFY(!says(start, "expand"));
        QVERIFY(!says(start, "Larger than"));
        QCOMPARE(gridsOf(start).size(), std::size_t{2});
        QCOMPARE(gridsOf(start)[0]->cols, Index{1});
        const Scene stretched = at(timeline.stageEnds()[2]);
        QVERIFY(says(stretched, "A.expand(4, 5)"));
        QVERIFY(says(stretched, "(1, 0)"));
        QVERIFY(says(stretched, "Larger than every input"));
        QCOMPARE(gridsOf(stretched)[0]->cols, Index{5});
        QCOMPARE(gridsOf(stretched)[0]->colStride, Index{0});
        QVERIFY(gridsOf(stretched)[0]->source.storage() == model.operands[0].tensor.storage());
        const Scene end = at(1);
        QCOMPARE(gridsOf(end).size(), std::size_t{3});
        QVERIFY(says(end, "20 of 20 computed"));
        QVERIFY(says(end, "+80 B"));
    }

    void slidingCellsSayNothingFalse() {
        const BroadcastModel model = modelOf("A + B");
        const BroadcastTimeline timeline(model);
        // Between the last verdict and the end of the stage.
        const auto& stops = timeline.stops();
        for (std::size_t i = 0; i + 1 < stops.size(); ++i) {
            const qreal t = (stops[i] + stops[i + 1]) / 2;
            const BroadcastFrame frame = timeline.at(t);
            if (frame.stretch <= 0 || frame.stretch >= 1) continue;
            const Scene scene = broadcastScene(model, {QSizeF(1600, 745), t, std::nullopt, false});
            int ghosts = 0;
            for (const GridItem* grid : gridsOf(scene)) {
                ghosts += grid->ghost;
                // A sheet that is on its way shows the same number wherever its cells are.
                if (grid->ghost) QVERIFY(grid->rowStride == 0 || grid->colStride == 0);
            }
            QCOMPARE(ghosts, 2);
            return;
        }
        QFAIL("nothing slides");
    }

    void everyCellIsHit() {
        for (const char* line : {"A + B", "torch.ones(2, 1, 3, 1) * torch.ones(2, 1, 4)", "b + 1"}) {
            const BroadcastModel model = modelOf(line);
            const BroadcastLook look{QSizeF(1600, 745), 1, std::nullopt, false};
            const Scene scene = broadcastScene(model, look);
            std::set<Index> found;
            for (const GridItem* grid : gridsOf(scene)) {
                for (Index row = 0; row < grid->rows; ++row) {
                    for (Index col = 0; col < grid->cols; ++col) {
                        const QPointF at =
                            grid->origin + QPointF((static_cast<qreal>(col) + 0.5) * grid->cell.width(),
                                                   (static_cast<qreal>(row) + 0.5) * grid->cell.height());
                        const auto element = broadcastElementAt(model, look, at);
                        QVERIFY(element.has_value());
                        found.insert(*element);
                        const Dims coord = model.coordOf(*element);
                        QCOMPARE(coord.back(), col);
                        if (coord.size() > 1) QCOMPARE(coord[coord.size() - 2], row);
                    }
                }
            }
            QCOMPARE(static_cast<Index>(found.size()), model.numel());
            QVERIFY(!broadcastElementAt(model, look, QPointF(4, 4)));
        }
    }

    void aPickTellsItsSources() {
        const BroadcastModel model = modelOf("A + B");
        const Scene scene = broadcastScene(model, {QSizeF(1600, 745), 1, Index{8}, false});
        QVERIFY(says(scene, "C[1, 3]"));
        QVERIFY(says(scene, "2.0 + -5.0 = -3.0"));
        QVERIFY(says(scene, "storage #1, index 1"));
        QVERIFY(says(scene, "storage #2, index 3"));
        for (const SceneNode& node : scene.nodes) {
            const auto* strip = std::get_if<StripItem>(&node.item);
            if (!strip || strip->storageId != model.operands[1].tensor.storage()->id()) continue;
            QCOMPARE(strip->marks.size(), std::size_t{1});
            QCOMPARE(strip->marks[0].position, Index{3});
        }
    }

    void failuresOfferButtons() {
        const BroadcastModel model = modelOf("a + b");
        const Scene before = broadcastScene(model, {QSizeF(1280, 490), 0.2, std::nullopt, false});
        QVERIFY(!says(before, "Works instead"));
        for (const QSizeF size : {QSizeF(1280, 490), QSizeF(1920, 820)}) {
            const Scene scene = broadcastScene(model, {size, 1, std::nullopt, false});
            QVERIFY(says(scene, "must match the size"));
            QVERIFY(says(scene, "Works instead"));
            QVERIFY(says(scene, "b.unsqueeze(1)"));
            std::size_t buttons = 0;
            for (const SceneNode& node : scene.nodes) {
                if (node.part.kind != PartKind::Button) continue;
                const QRectF rect = std::get<BoxItem>(node.item).rect;
                QCOMPARE(hitTest(scene, rect.center()).part.index, static_cast<int>(buttons++));
            }
            QCOMPARE(buttons, model.mends.size());
        }
        QVERIFY(says(broadcastScene(modelOf("a += n[:2].long()"), {}), "Nothing mends this line"));
    }

    void inPlaceShowsOldElementsUntilTheyAreWritten() {
        const BroadcastModel model = modelOf("a += b.view(3, 1)");
        const BroadcastTimeline timeline(model);
        qreal t = 0;
        while (timeline.at(t).computed < 2) t = timeline.next(t);
        const Scene scene = broadcastScene(model, {QSizeF(1600, 745), t, std::nullopt, false});
        QVERIFY(says(scene, "no new memory"));
        int strips = 0;
        for (const SceneNode& node : scene.nodes)
            if (const auto* strip = std::get_if<StripItem>(&node.item))
                strips += strip->storageId == model.operands[0].tensor.storage()->id();
        QCOMPARE(strips, 2);
        // What is nobody's has no number.
        const Scene temporary = broadcastScene(modelOf("torch.zeros(3, 4).add_(n)"), {});
        QVERIFY(!says(temporary, "storage #0"));
    }

    /// What the line has between its tensors stands between their cards, numbers too; also where it is refused.
    void signsStandBetweenTheCards_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QStringList>("signs");
        const auto row = [](const char* line, const QStringList& signs) {
            QTest::newRow(line) << QByteArray(line) << signs;
        };
        row("A + B", {QStringLiteral("+"), QStringLiteral("=")});
        row("a * 2.5 - 1", {QStringLiteral("* 2.5 - 1 =")});
        row("2 - a", {QStringLiteral("2 -"), QStringLiteral("=")});
        row("a * n + a", {QStringLiteral("*"), QStringLiteral("+ a =")});
        row("(a + n) * b.view(3, 1)", {QStringLiteral(","), QStringLiteral(","), QStringLiteral("=")});
        row("torch.where(a > 1, a, n)", {QStringLiteral(","), QStringLiteral("=")});
        row("a += n.long()", {QStringLiteral("+"), QStringLiteral("=")});
        row("a + b", {QStringLiteral("+")});
        row("a.add_(n.long())", {QStringLiteral("+"), QStringLiteral("=")});
        row("a.add_(n.long(), alpha=2)", {QStringLiteral("add_"), QStringLiteral("=")});
        row("a.copy_(n)", {QStringLiteral("←"), QStringLiteral("=")});
        row("a[0] = n[1]", {QStringLiteral("←"), QStringLiteral("=")});
    }
    void signsStandBetweenTheCards() {
        QFETCH(QByteArray, line);
        QFETCH(QStringList, signs);
        const BroadcastModel model = modelOf(line.constData());
        for (const QSizeF size : {QSizeF(1280, 471), QSizeF(1920, 820)}) {
            const Scene scene = broadcastScene(model, {size, 1, std::nullopt, false});
            QStringList found;
            for (const SceneNode& node : scene.nodes) {
                const auto* text = std::get_if<TextItem>(&node.item);
                if (text && text->font == FontRole::CodeStrong && text->tone == Tone::PrimaryText) found << text->text;
            }
            QCOMPARE(found, signs);
        }
    }

    /// At every size that a window has.
    /// Numbers stand in the cells as long as they are legible: in all of them, else in a part of them.
    void numbersStayAsLongAsTheyAreLegible_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QSize>("size");
        const auto row = [](const char* line, QSize size) {
            QTest::addRow("%s at %d", line, size.width()) << QByteArray(line) << size;
        };
        const QSize large(1880, 900), small(1240, 560);
        for (const QSize& size : {large, small}) {
            row("torch.arange(256).view(16, 16) + torch.arange(16)", size);
            row("torch.arange(4096).view(64, 64) + torch.arange(64)", size);
            row("torch.arange(4096).view(1, 4096) + torch.arange(1)", size);
            row("torch.arange(12).view(3, 4) + torch.arange(12)", size);
            row("torch.arange(6).view(2, 3) + torch.arange(20).view(4, 5) + torch.arange(6)", size);
            row("torch.arange(300.).view(20, 15) / 7 + torch.arange(15.)", size);
            row("torch.arange(512).view(8, 8, 8) + torch.arange(8)", size);
            row("torch.arange(4096).view(16, 16, 16) + torch.arange(16).view(16, 1, 1)", size);
            row("torch.arange(4096).view(2, 64, 32) + torch.arange(32)", size);
            row("torch.arange(4096).view(8, 8, 8, 8) + torch.arange(8).view(8, 1, 1, 1)", size);
            row("torch.arange(2048).view(2, 4, 4, 8, 8) + torch.arange(8)", size);
        }
    }
    void numbersStayAsLongAsTheyAreLegible() {
        QFETCH(QByteArray, line);
        QFETCH(QSize, size);
        const BroadcastModel model = modelOf(line.constData());
        BroadcastLook look;
        look.size = size;
        const Theme theme(ThemeKind::Light);
        for (const qreal t : {0.0, 0.5, 0.8, 1.0}) {
            look.t = t;
            const Scene scene = broadcastScene(model, look);
            for (const GridItem* grid : gridsOf(scene)) {
                const bool usual = grid->cell.width() >= 34 && grid->cell.height() >= 22;
                const bool small = grid->cell.width() >= 20 && grid->cell.height() >= 17;
                QVERIFY2(usual || small,
                         qPrintable(QStringLiteral("%1 x %2").arg(grid->cell.width()).arg(grid->cell.height())));
                QVERIFY(grid->area.right() <= size.width());
            }
        }
        // The digits are there: without them fewer colours than letters have are in the picture of a cell.
        const Scene scene = broadcastScene(model, look);
        const GridItem& last = *gridsOf(scene).back();
        const QImage image = paint(scene).copy(last.area.toRect().adjusted(0, 0, 0, 0));
        std::set<QRgb> colours;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) colours.insert(image.pixel(x, y));
        QVERIFY2(colours.size() > 12, qPrintable(QString::number(colours.size())));
    }

    /// Of many cells a part is seen, which says which, follows what is computed, and can be scrolled.
    void aPartOfTheCellsIsSeen() {
        const BroadcastModel model = modelOf("torch.arange(4096).view(64, 64) + torch.arange(64)");
        BroadcastLook look;
        look.size = QSizeF(1880, 900);
        const Scene scene = broadcastScene(model, look);
        const GridItem& result = *gridsOf(scene).back();
        QCOMPARE(result.firstRow, Index{0});
        const auto seen = static_cast<Index>(std::round(result.area.height() / result.cell.height()));
        QVERIFY(seen >= 8 && seen < 64);
        QVERIFY(says(scene, qPrintable(QStringLiteral("dim 0 · 0–%1 of 64").arg(seen - 1))));
        BroadcastLook moved = broadcastScrolled(model, look, 1000, 5);
        QCOMPARE(moved.down, 64 - seen);
        QCOMPARE(moved.right, Index{5});
        const Scene below = broadcastScene(model, moved);
        const GridItem& part = *gridsOf(below).back();
        QCOMPARE(part.firstRow, 64 - seen);
        QCOMPARE(part.firstCol, Index{5});
        const QPointF corner = part.area.topLeft() + QPointF(3, 3);
        QCOMPARE(*broadcastElementAt(model, moved, corner), (64 - seen) * 64 + 5);
        QVERIFY(broadcastScrolled(model, moved, 1, 0).down == moved.down);
        // While it is computed the element that comes now is in sight.
        const BroadcastTimeline timeline(model);
        for (const qreal t : timeline.stops()) {
            look.t = t;
            const auto now = timeline.at(t).now;
            if (!now) continue;
            const Scene during = broadcastScene(model, look);
            bool ringed = false;
            for (const SceneNode& node : during.nodes)
                if (const auto* box = std::get_if<BoxItem>(&node.item))
                    ringed = ringed || (box->halo && box->width == 3);
            QVERIFY(ringed);
        }
        // A picked cell's link is drawn among the cells that are seen.
        look.t = 1;
        look.paper = true;
        look.picked = 63 * 64 + 63;
        const Scene picked = broadcastScene(model, look);
        QCOMPARE(gridsOf(picked).back()->firstRow, 64 - seen);
        for (const SceneNode& node : picked.nodes) {
            const auto* path = std::get_if<PathItem>(&node.item);
            const QRectF rect = path ? path->path.boundingRect() : QRectF();
            QVERIFY(rect.height() < 60 || rect.top() > 80); // below the stages
        }
        // What fits is seen whole, and is not scrolled.
        const BroadcastModel small = modelOf("A + B");
        QCOMPARE(broadcastScrolled(small, look, 3, 3).down, Index{0});
    }

    /// Of more than two dims whole panels are seen, or a part of one; every element can be reached.
    void aPartOfThePanelsIsSeen_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::newRow("panels") << QByteArray("torch.arange(512).view(8, 8, 8) + torch.arange(8).view(8, 1, 1)");
        QTest::newRow("tall panels") << QByteArray("torch.arange(4096).view(2, 64, 32) + torch.arange(32)");
        QTest::newRow("of panels") << QByteArray(
            "torch.arange(4096).view(8, 8, 8, 8) + torch.arange(64).view(8, 8, 1, 1)");
    }
    void aPartOfThePanelsIsSeen() {
        QFETCH(QByteArray, line);
        const BroadcastModel model = modelOf(line.constData());
        BroadcastLook look;
        look.size = QSizeF(1240, 560);
        look.t = 1;
        std::set<Index> reached;
        // A walk over all parts: down to the end, then one to the right, and from the top again.
        for (Index right = 0;;) {
            look.down = 0;
            for (;;) {
                const Scene scene = broadcastScene(model, look);
                for (const GridItem* grid : gridsOf(scene)) {
                    if (grid->source.storage() != model.result.tensor.storage()) continue;
                    for (qreal y = 1; y < grid->area.height(); y += grid->cell.height()) {
                        for (qreal x = 1; x < grid->area.width(); x += grid->cell.width()) {
                            const auto element = broadcastElementAt(model, look, grid->area.topLeft() + QPointF(x, y));
                            QVERIFY(element);
                            reached.insert(*element);
                        }
                    }
                }
                const BroadcastLook moved = broadcastScrolled(model, look, 1, 0);
                if (moved.down == look.down) break;
                look = moved;
            }
            const BroadcastLook moved = broadcastScrolled(model, look, 0, 1);
            if (moved.right == right) break;
            right = moved.right;
            look = moved;
        }
        QCOMPARE(static_cast<Index>(reached.size()), model.numel());
        // While it is computed the element that comes now is in sight.
        const BroadcastTimeline timeline(model);
        look.down = look.right = 0;
        for (const qreal t : timeline.stops()) {
            look.t = t;
            if (!timeline.at(t).now) continue;
            const Scene during = broadcastScene(model, look);
            bool ringed = false;
            for (const SceneNode& node : during.nodes)
                if (const auto* box = std::get_if<BoxItem>(&node.item))
                    ringed = ringed || (box->halo && box->width == 3);
            QVERIFY(ringed);
        }
    }

    /// In every picture of three and four operands every source of a picked cell is told.
    void everySourceIsTold() {
        const char* lines[] = {
            "torch.arange(6).view(2, 3) * torch.arange(2).view(2, 1) + torch.arange(3)",
            "torch.where(torch.arange(3) > 0, torch.arange(6).view(2, 3), torch.arange(2).view(2, 1))",
            "torch.ones(2, 3) + torch.ones(2, 1) + torch.ones(3) + torch.ones(1)"};
        for (const char* line : lines) {
            const BroadcastModel model = modelOf(line);
            for (const QSize& size : {QSize(1240, 560), QSize(1240, 500), QSize(1880, 900)}) {
                BroadcastLook look;
                look.size = size;
                look.picked = 4;
                const QStringList words = wordsOf(broadcastScene(model, look));
                const auto sources = std::count_if(words.begin(), words.end(), [](const QString& each) {
                    return QRegularExpression(QStringLiteral("^(.*, )?index \\d+$")).match(each).hasMatch();
                });
                QVERIFY2(sources >= static_cast<int>(model.operands.size()),
                         qPrintable(QString::fromLatin1(line) + QLatin1Char('\n') + words.join(QLatin1Char('\n'))));
            }
        }
    }

    void anEmptyResultHasNoRows() {
        BroadcastLook look;
        const Scene scene = broadcastScene(modelOf("torch.zeros(0, 3) + torch.zeros(1, 3)"), look);
        QVERIFY(!says(scene, "row 0"));
    }

    void promotionIsTold() {
        const BroadcastModel model = modelOf("a * n + a.double().view(3, 4) * b.view(3, 1)");
        for (const QSizeF size : {QSizeF(1280, 471), QSizeF(1280, 420), QSizeF(1600, 745), QSizeF(1920, 820)})
            QVERIFY(says(broadcastScene(model, {size, 1, std::nullopt, false}), "Dtype: int64 and"));
    }

    void wordsKeepToTheirPlaces_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<bool>("french");
        for (const bool french : {false, true})
            for (const char* line : kFullLines)
                QTest::addRow("%s%s", line, french ? ", French" : "") << QByteArray(line) << french;
    }
    /// Tensors of many dims have long shapes and strides: none is drawn over another, over a frame, over an axis or
    /// outside of what it belongs to; nor are cells, strips and buttons.
    void wordsKeepToTheirPlaces() {
        QFETCH(QByteArray, line);
        QFETCH(bool, french);
        const BroadcastModel model = modelOf(line.constData());
        const BroadcastTimeline timeline(model);
        French translator;
        if (french) QCoreApplication::installTranslator(&translator);
        QStringList faults;
        for (const QSizeF size : {QSizeF(1600, 745), QSizeF(1280, 471), QSizeF(1280, 420), QSizeF(1920, 820)})
            for (const qreal t : timeline.stageEnds())
                faults << faultsOf(broadcastScene(model, {size, t, std::nullopt, false}), size, t);
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(QLatin1Char('\n'))));
    }

    void isExported() {
        const Scene scene = broadcastScene(modelOf("A + B"), {});
        for (const ExportFormat format : {ExportFormat::Svg, ExportFormat::Pdf, ExportFormat::Tikz}) {
            const auto bytes = exportScene(scene, Theme(ThemeKind::Light), format);
            QVERIFY(bytes.ok());
            QVERIFY(bytes->size() > 2000);
        }
    }

    void golden_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<int>("stage");
        QTest::newRow("broadcast_shapes") << QByteArray("A + B") << 0;
        QTest::newRow("broadcast_stretched") << QByteArray("A + B") << 2;
        QTest::newRow("broadcast_computed") << QByteArray("A + B") << 3;
        QTest::newRow("broadcast_fails") << QByteArray("a + b") << 2;
    }
    void golden() {
        QFETCH(QByteArray, line);
        QFETCH(int, stage);
        const BroadcastModel model = modelOf(line.constData());
        const BroadcastTimeline timeline(model);
        const qreal t = timeline.stageEnds()[static_cast<std::size_t>(stage)];
        const Scene scene = broadcastScene(model, {QSizeF(1600, 745), t, std::nullopt, false});
        const QString difference = compareGolden(QString::fromUtf8(QTest::currentDataTag()), scene);
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }

    /// In letters for a lecture room there is no room for all: the operands are in sight at first and while they
    /// stretch, then the result with the operand beside it.
    void aClassSeesTheOperands_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QSize>("screen");
        for (const char* line : {"A + B", "torch.arange(4).view(4, 1) + torch.arange(5)", "b.view(3, 1) * b"})
            for (const QSize screen : {QSize(1280, 720), QSize(1920, 1080)})
                QTest::addRow("%s, %d", line, screen.height()) << QByteArray(line) << screen;
    }
    void aClassSeesTheOperands() {
        QFETCH(QByteArray, line);
        QFETCH(QSize, screen);
        const BroadcastModel model = modelOf(line.constData());
        const BroadcastTimeline timeline(model);
        const qreal scale = presenterScale(RoomSize::Lecture, screen.height());
        const QSizeF room =
            QSizeF(screen.width(), screen.height() * 0.93) / scale - QSizeF(0, 22); // below what is said, above the bar
        for (const qreal t : {0.0, timeline.stageEnds()[2], 1.0}) {
            BroadcastLook look;
            look.size = room.expandedTo(broadcastNeeds(model));
            look.t = t;
            const QRectF seen(broadcastCamera(model, look, room), room);
            for (std::size_t card = t < 1 ? 0 : 1; card < (t < 1 ? 2u : 3u); ++card) {
                const BroadcastCells cells = broadcastCells(model, look, card);
                const Dims last = cells.coord(cells.rows() - 1, cells.columns() - 1);
                for (const Dims& coord : {cells.coord(0, 0), last}) {
                    const QRectF cell = broadcastCellRect(model, look, cells, coord);
                    QVERIFY2(!cell.isEmpty() && seen.left() <= cell.left() && cell.right() <= seen.right(),
                             qPrintable(QStringLiteral("at %1 card %2: %3 … %4 of %5 … %6")
                                            .arg(t)
                                            .arg(card + 1)
                                            .arg(cell.left())
                                            .arg(cell.right())
                                            .arg(seen.left())
                                            .arg(seen.right())));
                }
            }
        }
    }
};

QTEST_MAIN(TestBroadcastScene)
#include "tst_broadcast_scene.moc"
