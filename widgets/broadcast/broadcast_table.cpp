// The table of right-aligned shapes, and what stretching changes and costs.

#include "widgets/broadcast/broadcast_parts.h"
#include "widgets/card/text_metrics.h"
#include "widgets/model/words.h"
#include "widgets/scene/painted_text.h"

#include <algorithm>

namespace stridescope::broadcast {

namespace {

constexpr qreal kHead = 46, kVerdicts = 30, kSentence = 16;
constexpr qreal kLeastRow = 22, kMostRow = 42;
/// Narrower columns have no room for two digits.
constexpr qreal kLeastColumn = 27;

struct Table {
    qreal left, columnWidth, rowHeight;
    std::size_t rank, firstShown; ///< dims before it have no column
    bool shapes;                  ///< there is room for them beside the columns
    qreal columnX(qreal column) const { return left + column * columnWidth; }
    /// Of a size in the row at `y`; low rows stand closer.
    QRectF box(qreal column, qreal y) const {
        const qreal edge = rowHeight < 26 ? 2 : 3;
        return {columnX(column) + 3, y + edge, columnWidth - 6, rowHeight - 2 * edge};
    }
};

/// Height of a table without its rows: the names of dims, verdicts and, of a result, the line above it.
qreal aroundRows(const BroadcastModel& model, qreal width, bool ok) {
    const auto words = static_cast<qreal>(promotionLines(model, width).size());
    return kHead + 4 + kVerdicts + (ok ? 9 : 6) + (ok && words > 0 ? kSentence * words + 4 : 0);
}
qreal rowsOf(const BroadcastModel& model, bool ok) {
    return static_cast<qreal>(model.operands.size() + (ok ? 1 : 0));
}

Table tableFor(const Picture& p) {
    const QRectF& room = p.places.table;
    const bool ok = p.model.ok() && !p.look.veiled;
    Table table;
    table.rank = p.model.shape.size();
    const auto columns = static_cast<qreal>(std::max<std::size_t>(table.rank, 1));
    qreal label = 74;
    for (const BroadcastOperand& operand : p.model.operands)
        label = std::max(label, 38 + textWidth(FontRole::Meta, shapeText(operand.tensor.shape())) + 8);
    if (p.model.ok()) label = std::max(label, 38 + textWidth(FontRole::Meta, shapeText(p.model.shape)) + 8);
    // The columns say the shapes, too.
    constexpr qreal kComfortable = 34;
    table.shapes = room.width() - label - 12 >= columns * kComfortable;
    if (!table.shapes) label = 40;
    const qreal width = room.width() - label - 12;
    const auto most = static_cast<std::size_t>(std::max(1.0, width / kLeastColumn));
    table.firstShown = table.rank > most ? table.rank - most : 0;
    const std::size_t shown = std::max<std::size_t>(table.rank - table.firstShown, 1);
    table.columnWidth = std::min(72.0, width / static_cast<qreal>(shown));
    table.left = room.right() - 10 - table.columnWidth * static_cast<qreal>(shown);
    // Rows are lower where that makes room for the strides below them.
    const qreal rows = rowsOf(p.model, ok), free = room.height() - aroundRows(p.model, room.width(), ok);
    const qreal strides = 64 + 22 * static_cast<qreal>(p.model.operands.size());
    constexpr qreal kComfortableRow = 28;
    table.rowHeight =
        std::clamp((free - strides >= kComfortableRow * rows ? free - strides : free) / rows, kLeastRow, kMostRow);
    return table;
}

void appendSize(SceneBuilder& out, const QRectF& rect, const QString& text, Tone fill, bool ghost, qreal opacity = 1,
                bool bad = false) {
    BoxItem box;
    box.rect = rect;
    box.fill = ghost ? Tone::None : fill;
    box.outline = bad ? Tone::Error : ghost ? Tone::Ghost : Tone::Ink2;
    box.style = ghost && !bad ? LineStyle::Dotted : LineStyle::Solid;
    box.width = bad ? 2.5 : 1.4;
    box.radius = 6;
    box.opacity = opacity;
    out.box(box);
    const bool small = textWidth(FontRole::CellStrong, text) > rect.width() - 6;
    QString shown = text;
    const auto tooLong = [&] { return small && textWidth(FontRole::MetaStrong, shown) > rect.width() - 4; };
    if (tooLong()) shown.remove(QLatin1Char(' '));
    if (const qsizetype arrow = shown.indexOf(QChar(0x2192)); arrow > 0 && tooLong()) shown.remove(0, arrow);
    if (tooLong()) shown.remove(QChar(0x2192));
    out.text(rect.center() + QPointF(0, 5), shown, small ? FontRole::MetaStrong : FontRole::CellStrong,
             ghost || fill == Tone::None ? Tone::Ink : Tone::OnView, kCentre);
}

/// A shape left of its columns.
void appendShape(SceneBuilder& out, const Picture& p, const Table& table, const Dims& shape, qreal middle) {
    if (!table.shapes) return;
    const qreal left = p.places.table.left() + 40;
    out.text(QPointF(left, middle + 4.4), wrapText(FontRole::Meta, shapeText(shape), table.left - left - 2, 1).front(),
             FontRole::Meta);
}

void appendOperandRow(SceneBuilder& out, const Picture& p, const Table& table, std::size_t index, qreal y) {
    const BroadcastOperand& operand = p.model.operands[index];
    const std::size_t own = operand.tensor.shape().size(), missing = table.rank - own;
    const qreal middle = y + table.rowHeight / 2;
    const qreal left = p.places.table.left() + 14;
    appendBadge(out, QPointF(left + 10, middle), operand, 20);
    appendShape(out, p, table, operand.tensor.shape(), middle);
    for (std::size_t d = table.firstShown; d < table.rank; ++d) {
        // Shapes are written from the left, and slide to the right.
        const auto column = static_cast<qreal>(d - table.firstShown);
        const bool ghost = d < missing;
        const qreal from = ghost ? column : static_cast<qreal>(d - missing);
        const qreal at = from + (column - from) * p.frame.aligned;
        const QRectF rect = table.box(at, y);
        if (ghost && p.frame.ghosts <= 0) continue;
        const int fromRight = static_cast<int>(table.rank - 1 - d);
        const bool judged = fromRight < p.frame.judged;
        const Index size = operand.aligned.shape[d];
        const bool stretches = judged && p.model.ok() && size != p.model.shape[d];
        const bool grows = p.model.outputGrows() && index == *p.model.program.target;
        const bool bad = judged && p.model.failsAt(d) && (grows || (p.model.conflictDim && size != 1));
        QString text = QString::number(size);
        if (stretches) text += QStringLiteral(" → ") + QString::number(p.model.shape[d]);
        appendSize(out, rect, text, Theme::viewTone(operand.colour), ghost || stretches, 1, bad);
    }
}

void appendVerdicts(SceneBuilder& out, const Picture& p, const Table& table, qreal y) {
    for (std::size_t d = table.firstShown; d < table.rank; ++d) {
        const int fromRight = static_cast<int>(table.rank - 1 - d);
        if (fromRight >= p.frame.judged) continue;
        const QPointF centre(table.columnX(static_cast<qreal>(d - table.firstShown)) + table.columnWidth / 2, y + 12);
        if (p.model.failsAt(d)) {
            out.glyph(Glyph::Cross, centre, 14, Tone::Error);
            BoxItem frame;
            frame.rect =
                QRectF(table.columnX(static_cast<qreal>(d - table.firstShown)) - 1, p.places.table.top() + kHead - 18,
                       table.columnWidth + 2, y + 24 - p.places.table.top() - kHead + 18);
            frame.outline = Tone::Error;
            frame.width = 2.5;
            frame.radius = 7;
            out.box(frame);
            continue;
        }
        out.glyph(Glyph::Check, centre, 14, Tone::Right);
    }
    const QString rule[] = {PaintedText::tr("equal, or"), PaintedText::tr("one is 1")};
    const qreal left = p.places.table.left() + 14;
    for (const QString& words : rule)
        if (left + textWidth(FontRole::Label, words) > table.left - 2) return;
    out.text(QPointF(left, y + 11), rule[0], FontRole::Label, Tone::Ink2);
    out.text(QPointF(left, y + 25), rule[1], FontRole::Label, Tone::Ink2);
}

void appendStrides(SceneBuilder& out, const Picture& p, qreal y) {
    const QRectF& room = p.places.table;
    const QStringList promotion = promotionLines(p.model, room.width());
    if (p.allJudged() && y + kSentence * static_cast<qreal>(promotion.size()) <= room.bottom() - 2) {
        for (const QString& each : promotion)
            out.text(QPointF(room.left() + 14, (y += kSentence) - 3), each, FontRole::Label, Tone::Ink);
        if (!promotion.isEmpty()) y += 4;
    }
    const qreal line = 22;
    // Strides of many dims take a line each: the old ones, and below them the new ones.
    const auto changes = [&p](const BroadcastOperand& operand) { return p.stretched() && operand.stretches(); };
    const QString stride = PaintedText::tr("stride "), arrow = QStringLiteral(" → ");
    constexpr qreal kIndent = 24, kChain = 22;
    const qreal space = room.width() - 28 - kIndent - kChain;
    const auto fits = [&](const BroadcastOperand& operand) {
        return textWidth(FontRole::Label, stride + arrow) +
                   textWidth(FontRole::Meta, tupleText(operand.tensor.stride())) +
                   textWidth(FontRole::MetaStrong, tupleText(operand.stretched.stride)) <=
               space;
    };
    const auto broken = [&](const BroadcastOperand& operand) { return changes(operand) && !fits(operand); };
    const auto rows = static_cast<qreal>(p.model.operands.size()) +
                      static_cast<qreal>(std::count_if(p.model.operands.begin(), p.model.operands.end(), broken));
    if (y + 26 + line * rows > room.bottom() - 6) return;
    out.line(QPointF(room.left() + 14, y), QPointF(room.right() - 14, y), Tone::Hairline, 1);
    out.text(QPointF(room.left() + 14, y + 20), PaintedText::tr("What stretching changes"), FontRole::LabelStrong);
    y += 42;
    for (const BroadcastOperand& operand : p.model.operands) {
        qreal x = room.left() + 14;
        appendBadge(out, QPointF(x + 8, y - 4), operand, 16);
        x += kIndent;
        const auto tuple = [&](const Dims& values, FontRole font) {
            return out.text(QPointF(x, y), wrapText(font, tupleText(values), room.right() - kChain - x, 1).front(),
                            font);
        };
        x += out.text(QPointF(x, y), stride, FontRole::Label, Tone::Ink2);
        const qreal left = x - textWidth(FontRole::Label, arrow);
        x += tuple(operand.tensor.stride(), FontRole::Meta);
        if (changes(operand)) {
            if (broken(operand)) {
                x = left;
                y += line;
            }
            x += out.text(QPointF(x, y), arrow, FontRole::Label, Tone::Ink2);
            x += tuple(operand.stretched.stride, FontRole::MetaStrong);
            out.glyph(Glyph::Chain, QPointF(x + 14, y - 4), 12, Tone::Ink);
        }
        y += line;
    }
    if (!p.stretched()) return;
    const QString each = PaintedText::tr("Stride 0: the index moves, the cell does not.");
    const auto lines = wrapText(FontRole::Label, each, room.width() - 28, 3);
    if (y + kSentence * static_cast<qreal>(lines.size()) <= room.bottom() - 4)
        appendSentence(out, QPointF(room.left() + 14, y + 2), each, room.width() - 28);
}

} // namespace

QStringList promotionLines(const BroadcastModel& model, qreal width) {
    const QString promotion = model.promotion();
    if (promotion.isEmpty()) return {};
    return wrapText(FontRole::Label, PaintedText::tr("Dtype: %1.").arg(promotion), width - 28, 3);
}

qreal leastTable(const BroadcastModel& model, qreal width, bool ok) {
    return aroundRows(model, width, ok) + kLeastRow * rowsOf(model, ok);
}

void appendTable(SceneBuilder& out, const Picture& p) {
    const QRectF& room = p.places.table;
    BoxItem frame;
    frame.rect = room;
    frame.outline = Tone::Control;
    frame.width = 1.5;
    frame.radius = 8;
    out.box(frame);
    out.text(room.topLeft() + QPointF(14, 23), PaintedText::tr("Alignment"), FontRole::Heading);
    const Table table = tableFor(p);
    if (table.firstShown > 0)
        out.text(QPointF(room.right() - 12, room.top() + 23),
                 PaintedText::tr("the last %1 of %2 dims").arg(table.rank - table.firstShown).arg(table.rank),
                 FontRole::Label, Tone::Ink2, kRight);
    for (std::size_t d = table.firstShown; d < table.rank; ++d) {
        const qreal x = table.columnX(static_cast<qreal>(d - table.firstShown));
        const QString name = table.columnWidth >= 44 ? PaintedText::tr("dim %1").arg(d) : QString::number(d);
        out.text(QPointF(x + table.columnWidth / 2, room.top() + kHead - 6), name, FontRole::LabelStrong, Tone::Ink,
                 kCentre);
        out.line(QPointF(x + 6, room.top() + kHead), QPointF(x + table.columnWidth - 6, room.top() + kHead),
                 Theme::dimTone(static_cast<Index>(d)), 3, d > 3 ? LineStyle::Dashed : LineStyle::Solid);
    }
    qreal y = room.top() + kHead + 4;
    for (std::size_t i = 0; i < p.model.operands.size(); ++i) {
        appendOperandRow(out, p, table, i, y);
        y += table.rowHeight;
    }
    appendVerdicts(out, p, table, y);
    y += kVerdicts;
    if (p.model.ok() && !p.look.veiled) {
        out.line(QPointF(room.left() + 14, y), QPointF(room.right() - 10, y), Tone::Control, 1.5);
        y += 3;
        const qreal middle = y + table.rowHeight / 2;
        appendBadge(out, QPointF(room.left() + 24, middle), p.model.result, 20);
        if (p.allJudged()) appendShape(out, p, table, p.model.shape, middle);
        for (std::size_t d = table.firstShown; d < table.rank; ++d) {
            if (static_cast<int>(table.rank - 1 - d) >= p.frame.judged) continue;
            const QRectF rect = table.box(static_cast<qreal>(d - table.firstShown), y);
            appendSize(out, rect, QString::number(p.model.shape[d]), Theme::viewTone(p.model.result.colour), false);
        }
        y += table.rowHeight + 6;
    }
    appendStrides(out, p, y);
}

qreal appendBytes(SceneBuilder& out, const Picture& p, const QRectF& room) {
    if (p.places.sideBelow && room.height() < kBytesHead + kBytesLine + 2) return room.top();
    qreal y = room.top() + 16;
    out.text(QPointF(room.left(), y), PaintedText::tr("Bytes"), FontRole::Heading);
    y += 8;
    out.line(QPointF(room.left(), y), QPointF(room.right(), y), Tone::Hairline, 1);
    Index copied = 0;
    for (const BroadcastOperand& operand : p.model.operands)
        if (!addFits(copied, p.model.copiedBytes(operand), copied)) copied = kIndexMax;
    const auto bytes = [](Index count) { return bytesText(static_cast<quint64>(count)); };
    // What is told first gives way last.
    struct Row {
        QString what, amount;
        int rank;
    };
    std::vector<Row> rows{{PaintedText::tr("stored"), bytes(p.model.storedBytes), 1},
                          {PaintedText::tr("as if stretched by copying"), bytes(copied), 2},
                          {PaintedText::tr("copied by stretching"), QStringLiteral("0 B"), 4}};
    rows.push_back({p.model.inPlace ? PaintedText::tr("new storage: written into %1").arg(p.model.resultName)
                                    : PaintedText::tr("new storage for %1").arg(p.model.resultName),
                    p.model.inPlace ? QStringLiteral("0 B") : QLatin1Char('+') + bytes(p.model.resultBytes()), 0});
    if (p.model.betweenBytes > 0)
        rows.push_back({PaintedText::tr("results in between"), QLatin1Char('+') + bytes(p.model.betweenBytes), 3});
    constexpr qreal kLeastLine = 15;
    while (p.places.sideBelow && rows.size() > 1 &&
           y + kLeastLine * static_cast<qreal>(rows.size()) > room.bottom() - 2)
        rows.erase(
            std::max_element(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.rank < b.rank; }));
    const qreal line = p.places.sideBelow ? std::clamp((room.bottom() - 2 - y) / static_cast<qreal>(rows.size()),
                                                       kLeastLine, kBytesLine)
                                          : kBytesLine;
    for (const Row& row : rows) {
        y += line;
        const qreal most = room.width() - textWidth(FontRole::LabelStrong, row.amount) - 6;
        out.text(QPointF(room.left(), y), wrapText(FontRole::Label, row.what, most, 1).front(), FontRole::Label,
                 Tone::Ink2);
        out.text(QPointF(room.right(), y), row.amount, FontRole::LabelStrong, Tone::Ink, kRight);
    }
    return y + 8;
}

namespace {

/// In one line beside the caption, as much of it as there is room for.
void appendShortNote(SceneBuilder& out, const Picture& p) {
    const QRectF& room = p.places.stages;
    const QString title = PaintedText::tr("Larger than every input");
    const QString bytes = bytesText(static_cast<quint64>(p.model.resultBytes()));
    const QString texts[] = {PaintedText::tr("Larger than every input: %1 → %2, %3")
                                 .arg(p.model.shapesText(), shapeText(p.model.shape), bytes),
                             title + QStringLiteral(": %1, %2").arg(shapeText(p.model.shape), bytes),
                             title + QStringLiteral(": ") + bytes, title};
    const qreal most = room.width() - textWidth(FontRole::Text, captionOf(p)) - 20;
    const QString& text = *std::find_if(std::begin(texts), std::end(texts) - 1, [&](const QString& each) {
        return textWidth(FontRole::Label, each) + 40 <= most;
    });
    const qreal width = textWidth(FontRole::Label, text) + 40;
    BoxItem box;
    box.rect = QRectF(room.right() - width, room.top() + 32, width, 22);
    box.fill = Tone::NoteTint;
    box.outline = Tone::Control;
    box.radius = 11;
    out.box(box);
    out.glyph(Glyph::Hazard, QPointF(box.rect.left() + 15, box.rect.center().y()), 13, Tone::Ink);
    TextItem words;
    words.pos = QPointF(box.rect.left() + 28, box.rect.center().y() + 4.2);
    words.text = text;
    words.font = FontRole::Label;
    words.maxWidth = width - 38;
    out.item(words);
}

} // namespace

qreal appendNotes(SceneBuilder& out, const Picture& p, const QRectF& room) {
    if (!p.model.alignment.grows || !p.allJudged()) return room.top();
    if (p.places.sideBelow) {
        appendShortNote(out, p);
        return room.top();
    }
    QStringList counts;
    for (const BroadcastOperand& operand : p.model.operands) counts << countText(operand.tensor.numel());
    const QString last = counts.takeLast();
    const QString from = counts.isEmpty() ? last : counts.join(QStringLiteral(", ")) + PaintedText::tr(" and ") + last;
    const QString text = PaintedText::tr("%1 → %2: %3 elements (%4) from %5. Legal, but a common silent bug if you "
                                         "meant one value per row.")
                             .arg(p.model.shapesText(), shapeText(p.model.shape), countText(p.model.numel()),
                                  bytesText(static_cast<quint64>(p.model.resultBytes())), from);
    const auto lines = wrapText(FontRole::Label, text, room.width() - 24, 6);
    BoxItem box;
    box.rect = QRectF(room.left(), room.top(), room.width(), 36 + 16 * static_cast<qreal>(lines.size()));
    if (box.rect.bottom() > room.bottom() + 60) return room.top();
    box.fill = Tone::NoteTint;
    box.outline = Tone::Control;
    box.radius = 8;
    out.box(box);
    out.glyph(Glyph::Hazard, QPointF(room.left() + 20, room.top() + 16), 16, Tone::Ink);
    out.text(QPointF(room.left() + 36, room.top() + 21), PaintedText::tr("Larger than every input"),
             FontRole::LabelStrong);
    appendSentence(out, QPointF(room.left() + 12, room.top() + 40), text, room.width() - 24, Tone::Ink);
    return box.rect.bottom() + 14;
}

} // namespace stridescope::broadcast
