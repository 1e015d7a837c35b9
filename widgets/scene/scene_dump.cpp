#include "widgets/scene/scene_dump.h"

#include "widgets/scene/colour_bar.h"

#include <QStringList>

#include <array>
#include <cmath>

namespace stridescope {

namespace {

constexpr const char* kTones[] = {
    "none",      "window",     "chrome",      "panel",     "stage",    "inset",   "selected",   "code",  "hairline",
    "grid",      "control",    "ghost",       "ink2",      "ink",      "primary", "on-primary", "error", "error-tint",
    "right",     "right-tint", "note",        "cpu",       "cpu-tint", "gpu",     "gpu-tint",   "A",     "B",
    "C",         "D",          "neutral",     "on-view",   "dim0",     "dim1",    "dim2",       "dim3",  "code-keyword",
    "code-name", "code-text",  "code-number", "code-note",
};
static_assert(std::size(kTones) == static_cast<std::size_t>(Tone::Count));
constexpr const char* kFonts[] = {"index", "index-strong", "label",       "label-strong", "meta", "meta-strong",
                                  "text",  "code",         "code-strong", "heading",      "cell", "cell-strong"};
static_assert(std::size(kFonts) == static_cast<std::size_t>(FontRole::Count));
constexpr const char* kStyles[] = {"none", "solid", "dashed", "dotted", "double"};
constexpr const char* kMarks[] = {"ring", "soft-ring", "changed", "order", "count", "cross", "hazard"};
constexpr const char* kParts[] = {"-",    "card",  "header", "badge",  "cells", "dim",  "edge",   "slider",
                                  "mode", "strip", "handle", "offset", "lane",  "port", "button", "message"};

QString latin(const char* text) {
    return QString::fromLatin1(text);
}

QString num(qreal value) {
    const qreal rounded = std::round(value * 100) / 100;
    return QString::number(rounded == 0 ? 0 : rounded, 'f', 2).remove(QStringLiteral(".00"));
}
QString num(Index value) {
    return QString::number(value);
}

QString point(QPointF p) {
    return num(p.x()) + QLatin1Char(',') + num(p.y());
}
QString rect(const QRectF& r) {
    return point(r.topLeft()) + QLatin1Char(' ') + num(r.width()) + QLatin1Char('x') + num(r.height());
}
QString tone(Tone t) {
    return latin(kTones[static_cast<std::size_t>(t)]);
}
QString dims(const Dims& d) {
    return QString::fromStdString(toString(d));
}
QString view(const View& v) {
    return QStringLiteral("%1 stride %2 offset %3").arg(dims(v.shape), dims(v.stride), num(v.offset));
}

class Dumper {
public:
    QString operator()(const BoxItem& b) {
        QString s = QStringLiteral("box %1 fill %2 line %3 %4 %5")
                        .arg(rect(b.rect), tone(b.fill), tone(b.outline), style(b.style), num(b.width));
        if (b.radius > 0) s += QStringLiteral(" radius ") + num(b.radius);
        if (b.opacity < 1) s += QStringLiteral(" opacity ") + num(b.opacity);
        if (b.hatched) s += QStringLiteral(" hatched");
        if (b.halo) s += QStringLiteral(" halo");
        return s;
    }
    QString operator()(const TextItem& t) {
        QString shown = t.text;
        shown.replace(QLatin1Char('\\'), QStringLiteral("\\\\")).replace(QLatin1Char('\n'), QStringLiteral("\\n"));
        QString s = QStringLiteral("text %1 \"%2\" %3 %4 align %5")
                        .arg(point(t.pos), shown, latin(kFonts[static_cast<std::size_t>(t.font)]), tone(t.tone),
                             QString::number(static_cast<int>(t.anchor), 16));
        if (t.angle != 0) s += QStringLiteral(" angle ") + num(t.angle);
        if (t.maxWidth > 0) s += QStringLiteral(" within ") + num(t.maxWidth);
        if (t.underline != Tone::None) s += QStringLiteral(" underline ") + tone(t.underline);
        return s;
    }
    QString operator()(const PathItem& p) {
        QString s =
            QStringLiteral("path %1 fill %2 %3 %4").arg(tone(p.stroke), tone(p.fill), style(p.style), num(p.width));
        if (p.arrow) s += QStringLiteral(" arrow");
        if (p.casing) s += QStringLiteral(" casing");
        for (int i = 0; i < p.path.elementCount(); ++i) {
            const QPainterPath::Element e = p.path.elementAt(i);
            constexpr char letters[] = {'M', 'L', 'C', ' '};
            s += QLatin1Char(' ');
            if (e.type != QPainterPath::CurveToDataElement) s += QLatin1Char(letters[e.type]);
            s += point(QPointF(e.x, e.y));
        }
        return s;
    }
    QString operator()(const BarsItem& b) {
        QString s = QStringLiteral("bars %1").arg(tone(b.fill));
        for (const QRectF& bar : b.bars) s += QLatin1Char(' ') + rect(bar);
        return s;
    }
    QString operator()(const BadgeItem& b) {
        return QStringLiteral("badge %1 %2 size %3")
                   .arg(point(b.centre), tone(Theme::viewTone(b.colour)), num(b.size)) +
               (b.letter.isNull() ? QString() : QStringLiteral(" letter ") + b.letter);
    }
    QString operator()(const GridItem& g) {
        QString s = QStringLiteral("grid at %1 cell %2x%3 of %4x%5 from %6,%7 slots %8 + r*%9")
                        .arg(point(g.origin), num(g.cell.width()), num(g.cell.height()), num(g.rows), num(g.cols),
                             num(g.firstRow), num(g.firstCol), num(g.base), num(g.rowStride));
        s += QStringLiteral(" + c*%1 on %2 %3")
                 .arg(num(g.colStride), storage(g.source), tone(Theme::viewTone(g.colour)));
        if (!g.area.isEmpty()) s += QStringLiteral(" in ") + rect(g.area);
        s += cellText(g.text);
        if (g.grey) s += QStringLiteral(" grey");
        if (g.heat) s += QStringLiteral(" heat %1..%2").arg(num(g.heatLow), num(g.heatHigh));
        if (g.ghost) s += QStringLiteral(" ghost");
        if (g.repeats) s += QStringLiteral(" repeats");
        if (g.channels > 0) s += QStringLiteral(" pixels of %1 by %2").arg(g.channels).arg(g.channelStride);
        s += QStringLiteral(" coord %1 row %2 col %3").arg(dims(g.coord)).arg(g.rowDim).arg(g.colDim);
        return s + marks(g.marks);
    }
    QString operator()(const StripItem& p) {
        QString s =
            QStringLiteral("strip ") + layout(p.layout) + QStringLiteral(" on ") + storage(p.source) + cellText(p.text);
        if (p.reach) s += reach(*p.reach);
        if (!p.outOfRange.empty()) s += QStringLiteral(" beyond %1..%2").arg(p.outOfRange.first).arg(p.outOfRange.last);
        if (p.cacheLineCells > 0) s += QStringLiteral(" lines of ") + num(p.cacheLineCells);
        if (!p.indexBelow) s += QStringLiteral(" no index");
        if (p.rowIndex) s += QStringLiteral(" row index");
        if (p.heat) s += QStringLiteral(" heat");
        constexpr const char* rulers[] = {"", " bytes", " hex"};
        return s + latin(rulers[static_cast<std::size_t>(p.ruler)]) + marks(p.marks);
    }
    QString operator()(const LaneItem& l) {
        return QStringLiteral("lane %1 y %2 height %3").arg(layout(l.layout), num(l.top), num(l.height)) +
               reach(l.reach) + marks(l.marks);
    }
    QString operator()(const CellsItem& item) {
        constexpr const char* looks[] = {"plain", "view", "ghost", "skipped", "place", "pending", "written"};
        QString s = QStringLiteral("cells %1x%2 on %3%4")
                        .arg(num(item.size.width()), num(item.size.height()), storage(item.source),
                             item.index ? QStringLiteral(" index") : QString());
        for (const CellsItem::Cell& cell : item.cells) {
            s += QStringLiteral(" %1@%2 %3")
                     .arg(num(cell.slot), point(cell.at), latin(looks[static_cast<std::size_t>(cell.look)]));
            if (cell.colour >= 0) s += QLatin1Char(' ') + tone(Theme::viewTone(cell.colour));
        }
        return s;
    }
    QString operator()(const QuadItem& q) {
        return QStringLiteral("quad %1 across %2 x%3 down %4 x%5 fill %6 shade %7 line %8 %9")
            .arg(point(q.origin), point(q.across), num(q.cols), point(q.down), num(q.rows), tone(q.fill), num(q.shade),
                 tone(q.outline), style(q.style));
    }
    QString operator()(const ColourBarItem& b) {
        QString s =
            QStringLiteral("bar %1 %2..%3%4")
                .arg(rect(b.rect), num(b.low), num(b.high), b.signedValues ? QStringLiteral(" signed") : QString());
        if (b.only) s += QStringLiteral(" only %1").arg(onlyText(*b.only));
        if (b.odd.nan > 0) s += QStringLiteral(" nan %1").arg(b.odd.nan);
        if (b.odd.positive > 0) s += QStringLiteral(" +inf %1").arg(b.odd.positive);
        if (b.odd.negative > 0) s += QStringLiteral(" -inf %1").arg(b.odd.negative);
        if (!b.odd.exact()) s += QStringLiteral(" seen %1 of %2").arg(b.odd.seen).arg(b.odd.total);
        return s;
    }
    QString part(const Part& p) {
        QString s = latin(kParts[static_cast<std::size_t>(p.kind)]);
        if (p.tensor != 0) s += QStringLiteral(" t%1").arg(p.tensor);
        if (p.storageId != 0) s += QLatin1Char(' ') + storageName(p.storageId);
        if (p.index >= 0) s += QStringLiteral(" [%1]").arg(p.index);
        return s;
    }

private:
    static QString style(LineStyle s) { return latin(kStyles[static_cast<std::size_t>(s)]); }
    static QString cellText(CellText t) {
        constexpr const char* names[] = {"", " text index", " text both", " text none"};
        return latin(names[static_cast<std::size_t>(t)]);
    }
    static QString layout(const StripLayout& l) {
        return QStringLiteral("%1 cells in rows of %2 at %3 cell %4x%5 pitch %6 from %7+%8, %9")
                   .arg(num(l.cellCount), num(l.perRow), rect(l.area), num(l.cellWidth), num(l.cellHeight),
                        num(l.rowPitch), num(l.firstRow), num(l.rowShift), num(l.firstColumn)) +
               QLatin1Char('+') + num(l.columnShift);
    }
    static QString reach(const StripReach& r) {
        return QStringLiteral(" reach t%1 %2 %3")
            .arg(QString::number(r.tensor), tone(Theme::viewTone(r.colour)), view(r.view));
    }
    static QString marks(const std::vector<CellMark>& list) {
        QString s;
        for (const CellMark& m : list) {
            s += QStringLiteral(" %1@%2").arg(latin(kMarks[static_cast<std::size_t>(m.kind)])).arg(m.position);
            if (m.number != 0) s += QStringLiteral("=%1").arg(m.number);
        }
        return s;
    }
    QString storageName(quint64 id) {
        const auto at = m_storages.indexOf(id);
        if (at < 0) m_storages.append(id);
        return QStringLiteral("#%1").arg((at < 0 ? m_storages.size() - 1 : at) + 1);
    }
    QString storage(const Tensor& t) {
        if (!t.defined()) return QStringLiteral("nothing");
        const std::string_view type = name(t.dtype());
        return storageName(t.storage()->id()) + QLatin1Char(' ') +
               QString::fromLatin1(type.data(), static_cast<int>(type.size()));
    }

    QList<quint64> m_storages;
};

} // namespace

QString dumpScene(const Scene& scene) {
    Dumper dumper;
    QString out = QStringLiteral("scene %1x%2 on %3: %4\n")
                      .arg(num(scene.size.width()), num(scene.size.height()), tone(scene.ground), scene.title);
    for (const SceneNode& node : scene.nodes) {
        const QString part = dumper.part(node.part);
        out += part + QStringLiteral(" | ") +
               std::visit([&dumper](const auto& item) { return dumper(item); }, node.item) + QLatin1Char('\n');
    }
    return out;
}

} // namespace stridescope
