#pragma once
// A scene as text, one node a line, for golden files: readable differences instead of pixels.

#include "widgets/scene/scene.h"

#include <QRegularExpression>
#include <QStringList>

#include <cmath>

namespace stridescope::stage_test {

inline QString dumpNumber(qreal value) {
    const qreal rounded = std::round(value * 10) / 10;
    return QString::number(rounded == 0 ? 0 : rounded);
}
inline QString dumpPoint(QPointF p) {
    return dumpNumber(p.x()) + QLatin1Char(',') + dumpNumber(p.y());
}
inline QString dumpRect(const QRectF& r) {
    return dumpPoint(r.topLeft()) + QLatin1Char(' ') + dumpNumber(r.width()) + QLatin1Char('x') +
           dumpNumber(r.height());
}
inline QString dumpMarks(const std::vector<CellMark>& marks) {
    QString text;
    for (const CellMark& mark : marks) {
        text += QStringLiteral(" mark%1@%2").arg(static_cast<int>(mark.kind)).arg(mark.position);
        if (mark.number) text += QStringLiteral("=%1").arg(mark.number);
    }
    return text;
}
inline QString dumpDims(const Dims& dims) {
    return QString::fromStdString(toString(std::span<const Index>(dims)));
}

struct DumpItem {
    QString operator()(const BoxItem& i) const {
        return QStringLiteral("box %1 fill%2 line%3 style%4 r%5%6")
            .arg(dumpRect(i.rect))
            .arg(int(i.fill))
            .arg(int(i.outline))
            .arg(int(i.style))
            .arg(i.radius)
            .arg(i.hatched ? QStringLiteral(" hatched") : QString());
    }
    QString operator()(const TextItem& i) const {
        QString words = i.text;
        // Addresses differ from run to run.
        words.replace(QRegularExpression(QStringLiteral("0x[0-9a-f]+")), QStringLiteral("0xADDRESS"));
        return QStringLiteral("text %1 font%2 tone%3 angle%4 \"%5\"")
            .arg(dumpPoint(i.pos))
            .arg(int(i.font))
            .arg(int(i.tone))
            .arg(i.angle)
            .arg(words);
    }
    QString operator()(const BarsItem& i) const {
        QString text = QStringLiteral("bars fill%1").arg(int(i.fill));
        for (const QRectF& bar : i.bars) text += QLatin1Char(' ') + dumpRect(bar);
        return text;
    }
    QString operator()(const PathItem& i) const {
        return QStringLiteral("path %1 from %2 to %3 stroke%4 fill%5%6%7")
            .arg(dumpRect(i.path.boundingRect()),
                 dumpPoint(i.path.isEmpty() ? QPointF() : QPointF(i.path.elementAt(0))),
                 dumpPoint(i.path.currentPosition()))
            .arg(int(i.stroke))
            .arg(int(i.fill))
            .arg(i.arrow ? QStringLiteral(" arrow") : QString(), i.casing ? QStringLiteral(" casing") : QString());
    }
    QString operator()(const BadgeItem& i) const {
        return QStringLiteral("badge %1 colour%2 size%3").arg(dumpPoint(i.centre)).arg(i.colour).arg(i.size);
    }
    QString operator()(const GridItem& i) const {
        return QStringLiteral("grid %1 %2x%3 base%4 strides %5,%6 colour%7%8")
            .arg(dumpRect(i.area))
            .arg(i.rows)
            .arg(i.cols)
            .arg(i.base)
            .arg(i.rowStride)
            .arg(i.colStride)
            .arg(i.colour)
            .arg(dumpMarks(i.marks));
    }
    QString operator()(const StripItem& i) const {
        QString text = QStringLiteral("strip %1 cells%2 perRow%3 cell %4x%5 row%6 column%7")
                           .arg(dumpRect(i.layout.area))
                           .arg(i.layout.cellCount)
                           .arg(i.layout.perRow)
                           .arg(dumpNumber(i.layout.cellWidth), dumpNumber(i.layout.cellHeight))
                           .arg(i.layout.firstRow)
                           .arg(i.layout.firstColumn);
        if (i.reach)
            text += QStringLiteral(" reach %1 %2 +%3")
                        .arg(dumpDims(i.reach->view.shape), dumpDims(i.reach->view.stride))
                        .arg(i.reach->view.offset);
        if (!i.outOfRange.empty())
            text += QStringLiteral(" outside %1..%2").arg(i.outOfRange.first).arg(i.outOfRange.last);
        return text + dumpMarks(i.marks);
    }
    QString operator()(const LaneItem& i) const {
        return QStringLiteral("lane top%1 %2 %3 +%4%5")
            .arg(dumpNumber(i.top))
            .arg(dumpDims(i.reach.view.shape), dumpDims(i.reach.view.stride))
            .arg(i.reach.view.offset)
            .arg(dumpMarks(i.marks));
    }
    QString operator()(const CellsItem& i) const { return QStringLiteral("cells %1").arg(i.cells.size()); }
    QString operator()(const QuadItem& i) const {
        return QStringLiteral("quad %1 %2x%3").arg(dumpPoint(i.origin)).arg(i.rows).arg(i.cols);
    }
    QString operator()(const ColourBarItem& i) const {
        return QStringLiteral("bar %1 %2..%3%4")
            .arg(dumpRect(i.rect))
            .arg(i.low)
            .arg(i.high)
            .arg(i.signedValues ? QStringLiteral(" signed") : QString());
    }
};

/// What is on the stage below the cards (their own tests cover those), one node a line.
inline QString dumpScene(const Scene& scene) {
    QStringList lines{
        QStringLiteral("scene %1x%2 \"%3\"").arg(scene.size.width()).arg(scene.size.height()).arg(scene.title)};
    bool below = false;
    for (const SceneNode& node : scene.nodes) {
        below = below || node.part.kind == PartKind::LinkPort; // the tethers come first after the cards
        if (!below) continue;
        // Links start where the cards say; the tests of both sides look at their ends.
        if (node.part.kind == PartKind::None && node.part.tensor != 0 && node.part.index == 1) continue;
        lines << QStringLiteral("%1 %2").arg(int(node.part.kind)).arg(std::visit(DumpItem{}, node.item));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

} // namespace stridescope::stage_test
