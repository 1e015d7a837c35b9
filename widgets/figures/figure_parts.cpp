#include "widgets/figures/figure_parts.h"

#include "core/storage/memory_budget.h"
#include "widgets/card/text_metrics.h"
#include "widgets/model/words.h"
#include "widgets/scene/cell_values.h"
#include "widgets/scene/painted_text.h"
#include "widgets/scene/zoom_levels.h"

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {

constexpr qreal kHandle = 118, kHandleGap = 7;
constexpr Qt::Alignment kCentre = Qt::AlignHCenter | Qt::AlignBaseline;

QString pythonName(ErrorKind kind) {
    switch (kind) {
    case ErrorKind::Index:
        return QStringLiteral("IndexError");
    case ErrorKind::Value:
        return QStringLiteral("ValueError");
    case ErrorKind::Type:
        return QStringLiteral("TypeError");
    case ErrorKind::NotImplemented:
        return QStringLiteral("NotImplementedError");
    case ErrorKind::Memory:
        return QStringLiteral("MemoryError");
    case ErrorKind::Io:
        return QStringLiteral("OSError");
    case ErrorKind::Runtime:
    case ErrorKind::Device:
        break;
    }
    return QStringLiteral("RuntimeError");
}

/// Width of a cell in which the values of `count` slots from `first` on can be read; of many the usual one.
qreal numberRoom(const Tensor& source, Index first, Index count) {
    constexpr Index kFew = 24;
    if (count > kFew) return kNumberWidth;
    qreal widest = 10;
    for (Index slot = std::max<Index>(first, 0); slot < std::min(first + count, source.storageNumel()); ++slot)
        widest = std::max(widest, textWidth(FontRole::Index, valueText(source, slot)));
    return std::min(std::ceil(widest) + 6, kNumberWidth);
}

} // namespace

QString errorText(const Refusal& refusal) {
    QString text = pythonName(refusal.kind) + QStringLiteral(": ") + QString::fromStdString(refusal.message);
    text.replace(QLatin1Char('\n'), QLatin1Char(' '));
    // The picture shows more than the hint says, but the first advice belongs to the error, as PyTorch prints it.
    const QString hint = QString::fromStdString(refusal.hint);
    const qsizetype end = hint.indexOf(QStringLiteral(". "));
    if (!hint.isEmpty()) {
        if (!text.endsWith(QLatin1Char('.'))) text += QLatin1Char('.');
        text += QLatin1Char(' ') + (end < 0 ? hint : hint.left(end + 1));
    }
    return text;
}

qreal appendMessageBar(SceneBuilder& out, QRectF room, const QString& code, const Refusal& refusal, bool closes) {
    const QStringList lines = wrapText(FontRole::Label, errorText(refusal), room.width() - 44 - 44, 4);
    BoxItem bar;
    bar.rect = QRectF(room.topLeft(), QSizeF(room.width(), 30 + 17 * static_cast<qreal>(lines.size())));
    bar.fill = Tone::ErrorTint;
    bar.outline = Tone::Error;
    bar.width = 1.5;
    bar.radius = 8;
    out.box(bar);
    const QPointF at = room.topLeft();
    out.glyph(Glyph::Cross, QPointF(at.x() + 23, at.y() + bar.rect.height() / 2), 20, Tone::Error);
    out.text(at + QPointF(44, 20), code + PaintedText::tr(" is not possible. Nothing was changed."), FontRole::Heading);
    qreal y = 38;
    for (const QString& line : lines) {
        out.text(at + QPointF(44, y), line, FontRole::Label);
        y += 17;
    }
    if (!closes) return bar.rect.height();
    const QPointF close(room.right() - 21, at.y() + bar.rect.height() / 2);
    out.glyph(Glyph::Cross, close, 14, Tone::Ink2);
    out.hot(QRectF(close.x() - 14, close.y() - 14, 28, 28), PartKind::Message, 0);
    return bar.rect.height();
}

FigureStrip layoutStrip(const FigureStripInput& input, QPointF at, qreal width) {
    FigureStrip strip;
    const Index all = std::max(input.source.storageNumel(), input.outOfRange.last);
    const qreal room = std::max<qreal>(width - kHandle - kHandleGap, 60);
    const Index lowest =
        std::clamp<Index>(input.lowest, std::min<Index>(0, input.outOfRange.first), std::max<Index>(0, all - 1));
    const Index highest = std::clamp<Index>(input.highest, lowest, std::max<Index>(0, all - 1));
    // Numbers of many digits need wider cells, of which there are fewer.
    const qreal number = textWidth(FontRole::MetaStrong, QString::number(std::max(std::abs(lowest), highest)));
    const qreal usual = std::max<qreal>(40, std::ceil(number) + 12);
    const Index fit = std::max<Index>(1, static_cast<Index>(room / usual));
    if (all <= fit || all <= 24) {
        strip.first = 0;
        strip.count = std::max<Index>(all, 1);
    } else {
        // Two cells of context on both sides, where the storage has them.
        strip.first = std::max<Index>(0, lowest - 2);
        strip.count = std::max(highest + 3 - strip.first, std::min(fit, all));
        strip.first = std::max<Index>(0, std::min(strip.first, all - strip.count));
        strip.count = std::min(strip.count, all - strip.first);
        // Leaving out a few cells at the ends saves nothing.
        if (strip.count * 5 >= all * 4) {
            strip.first = 0;
            strip.count = all;
        }
    }
    // Cells too narrow for their values say less than a part of them does, as long as what must be seen is in it.
    const Index legible = std::max<Index>(1, static_cast<Index>(room / (usual > 40 ? usual : kNumberWidth)));
    if (strip.count > legible &&
        numberRoom(input.source, strip.first, strip.count) > room / static_cast<qreal>(strip.count) &&
        highest - lowest < legible) {
        strip.count = legible;
        strip.first = std::clamp<Index>(strip.first, highest + 1 - legible, lowest);
    }
    if (input.outOfRange.first < 0) {
        // Cells before the storage are drawn where they would be.
        strip.first = std::min(strip.first, std::max<Index>(input.outOfRange.first, -6));
        strip.count = std::min<Index>(all - strip.first, std::max<Index>(fit, 1));
    }
    StripLayout& layout = strip.layout;
    layout.cellCount = input.source.storageNumel();
    layout.perRow = std::max<Index>(layout.cellCount, 1);
    layout.cellWidth = std::min(std::max<qreal>(70, usual), room / static_cast<qreal>(strip.count));
    if (layout.cellWidth >= 1) layout.cellWidth = std::floor(layout.cellWidth);
    layout.cellHeight = 42;
    layout.rowPitch = 62;
    layout.firstColumn = strip.first;
    strip.numbersFrom = numberRoom(input.source, strip.first, strip.count);
    layout.area = QRectF(at.x() + kHandle + kHandleGap + input.before, at.y(),
                         layout.cellWidth * static_cast<qreal>(strip.count), 42);
    strip.handle = QRectF(at.x(), at.y(), kHandle, 42);
    return strip;
}

void wrapStrip(FigureStrip& strip, Index rows) {
    StripLayout& layout = strip.layout;
    const Index all = (layout.cellCount + strip.count - 1) / strip.count;
    rows = std::min(rows, all);
    if (rows < 2) return;
    layout.perRow = strip.count;
    layout.firstColumn = 0;
    layout.firstRow = std::clamp<Index>(strip.first / layout.perRow, 0, all - rows);
    layout.area.setHeight(layout.rowPitch * static_cast<qreal>(rows));
    strip.first = layout.firstRow * layout.perRow;
    strip.count = std::min(layout.perRow * rows, layout.cellCount - strip.first);
}

qreal appendStrip(SceneBuilder& out, const FigureStripInput& input, const FigureStrip& strip) {
    BoxItem handle;
    handle.rect = strip.handle;
    handle.fill = Tone::Inset;
    handle.outline = Tone::Control;
    handle.width = 1.5;
    handle.radius = 6;
    out.box(handle, PartKind::StripHandle);
    const Tensor& source = input.source;
    const std::string_view dtype = name(source.dtype());
    const QString type = QString::fromLatin1(dtype.data(), static_cast<qsizetype>(dtype.size()));
    QString what = QStringLiteral("%1 × %2").arg(source.storageNumel()).arg(type);
    // A count of many digits has a line of its own under the handle.
    const bool countBelow = textWidth(FontRole::Label, what) > kHandle - 14;
    if (countBelow) what = type;
    // The cards name the device too; the count must be whole.
    const QString device = QStringLiteral(" · ") + QString::fromStdString(toString(source.device()));
    if (textWidth(FontRole::Label, what + device) <= kHandle - 14) what += device;
    out.text(strip.handle.topLeft() + QPointF(10, 17),
             input.storageNumber > 0 ? PaintedText::tr("storage #%1").arg(input.storageNumber)
                                     : PaintedText::tr("temporary"),
             FontRole::LabelStrong);
    qreal y = 34;
    for (const QString& line : wrapText(FontRole::Label, what, kHandle - 14, 1)) {
        out.text(strip.handle.topLeft() + QPointF(10, y), line, FontRole::Label, Tone::Ink2);
    }
    QString bytes = bytesText(static_cast<Index>(source.storage()->bytes()));
    if (countBelow) bytes.prepend(PaintedText::tr("%1 elements, ").arg(countText(source.storageNumel())));
    if (input.sharedBy.size() > 1) {
        constexpr qsizetype kNamed = 4;
        bytes += PaintedText::tr(", shared by ") + input.sharedBy.mid(0, kNamed).join(QStringLiteral(", "));
        if (input.sharedBy.size() > kNamed)
            bytes += PaintedText::tr(" and %1 more").arg(input.sharedBy.size() - kNamed);
    }
    y = strip.handle.bottom() + 15;
    for (const QString& line : wrapText(FontRole::Label, bytes, kHandle - 4, 3)) {
        out.text(QPointF(strip.handle.left() + 4, y), line, FontRole::Label, Tone::Ink2);
        y += 15;
    }
    if (strip.count < source.storageNumel()) {
        const QString part = PaintedText::tr("… cells %1 – %2 of %3")
                                 .arg(std::max<Index>(strip.first, 0))
                                 .arg(std::min(strip.first + strip.count, source.storageNumel()) - 1)
                                 .arg(source.storageNumel());
        for (const QString& line : wrapText(FontRole::Label, part, kHandle - 4, 3)) {
            out.text(QPointF(strip.handle.left() + 4, y), line, FontRole::Label, Tone::Ink2);
            y += 15;
        }
    }
    StripItem item;
    item.layout = strip.layout;
    item.layout.area = out.moved(strip.layout.area);
    item.source = source;
    item.storageId = source.storage()->id();
    item.reach = input.reach;
    item.marks = input.marks;
    item.outOfRange = input.outOfRange;
    item.wanted = input.wanted;
    item.numbersFrom = strip.numbersFrom;
    std::tie(item.heatLow, item.heatHigh) = heatRange(source);
    out.item(item, PartKind::StripCells);
    return y;
}

bool FigureStrip::coloured() const {
    return layout.cellWidth < numbersFrom;
}

Index bytesOf(const Tensor& tensor, Index elements) {
    Index bytes = 0;
    if (__builtin_mul_overflow(elements, static_cast<Index>(tensor.itemSize()), &bytes)) return INT64_MAX;
    return bytes;
}

QString copyRefused(const Tensor& tensor, Index elements) {
    const auto refusal = allocationRefusal(static_cast<std::size_t>(bytesOf(tensor, elements)), tensor.device());
    if (!refusal) return {};
    const auto* bytes = std::get_if<BytesExceeded>(&refusal->detail);
    if (!bytes) return QString::fromStdString(refusal->message);
    return PaintedText::tr("Not offered: one tensor may take %1 now.").arg(bytesText(bytes->limit));
}

bool isOdd(const QString& value) {
    return value == QStringLiteral("nan") || value.endsWith(QStringLiteral("inf"));
}

MiniCells miniCellsFor(const std::vector<QString>& texts) {
    MiniCells cells;
    for (const QString& text : texts)
        cells.cellWidth = std::max(cells.cellWidth, std::ceil(textWidth(FontRole::Meta, text) + 8));
    return cells;
}

void appendMiniCells(SceneBuilder& out, QPointF at, const MiniCells& cells, const std::vector<QString>& texts,
                     Tone fill) {
    const bool view = fill >= Tone::ViewA && fill <= Tone::ViewNeutral;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        BoxItem box;
        box.rect = QRectF(at.x() + cells.width(static_cast<Index>(i)), at.y(), cells.cellWidth, cells.cellHeight);
        box.fill = fill;
        box.outline = view ? Tone::Ink2 : Tone::Control;
        out.box(box);
        out.text(QPointF(box.rect.center().x(), box.rect.center().y() + 4.4), texts[i],
                 isOdd(texts[i]) ? FontRole::MetaStrong : cells.font, view ? Tone::OnView : Tone::Ink, kCentre);
    }
}

int sentenceLines(const WayCard& way, qreal width) {
    return static_cast<int>(wrapText(FontRole::Label, way.sentence, width - 28, 2).size());
}

qreal buttonWidth(const QString& text) {
    return std::ceil(textWidth(FontRole::Text, text)) + 36;
}

void appendButton(SceneBuilder& out, const QRectF& rect, const QString& text, bool primary, int index) {
    BoxItem box;
    box.rect = rect;
    box.fill = primary ? Tone::Primary : Tone::Stage;
    box.outline = primary ? Tone::Primary : Tone::Control;
    box.radius = 6;
    out.box(box, PartKind::Button, index);
    out.text(QPointF(rect.center().x(), rect.center().y() + 4.7), text, FontRole::Text,
             primary ? Tone::PrimaryText : Tone::Ink, kCentre);
}

namespace {

/// What it costs, or that it cannot be had; its right edge or, without one, its left edge is given.
QRectF appendCostPill(SceneBuilder& out, const WayCard& way, QPointF at, bool fromRight) {
    const bool copies = way.copiedBytes > 0, refused = !way.refused.isEmpty();
    const QString cost = refused  ? PaintedText::tr("needs ") + bytesText(way.copiedBytes)
                         : copies ? PaintedText::tr("copies ") + bytesText(way.copiedBytes)
                                  : PaintedText::tr("+0 B, a view");
    BoxItem pill;
    const qreal width = std::ceil(textWidth(FontRole::LabelStrong, cost)) + 32;
    pill.rect = QRectF(fromRight ? at.x() - width : at.x(), at.y(), width, 21);
    pill.fill = refused ? Tone::ErrorTint : copies ? Tone::NoteTint : Tone::RightTint;
    pill.outline = refused ? Tone::Error : Tone::Control;
    pill.radius = 10.5;
    out.box(pill);
    out.glyph(refused  ? Glyph::Cross
              : copies ? Glyph::Copy
                       : Glyph::Chain,
              QPointF(pill.rect.left() + 13, pill.rect.center().y()), 12, refused ? Tone::Error : Tone::Ink);
    out.text(QPointF(pill.rect.left() + 23, pill.rect.center().y() + 4.3), cost, FontRole::LabelStrong);
    return pill.rect;
}

} // namespace

void appendWayCard(SceneBuilder& out, const QRectF& rect, int number, const WayCard& way, bool brief) {
    const bool refused = !way.refused.isEmpty();
    BoxItem frame;
    frame.rect = rect;
    frame.fill = Tone::Stage;
    frame.outline = Tone::Control;
    frame.style = refused ? LineStyle::Dashed : LineStyle::Solid;
    frame.width = 1.5;
    frame.radius = 8;
    out.box(frame);
    const QRectF mark(rect.left() + (brief ? 12 : 14), rect.top() + (brief ? 7 : 12), 22, 22);
    if (refused) {
        out.glyph(Glyph::Cross, mark.center(), 16, Tone::Error);
    } else {
        BoxItem disc;
        disc.rect = mark;
        disc.fill = Tone::Primary;
        disc.radius = 11;
        out.box(disc);
        out.text(mark.center() + QPointF(0, 4.4), QString::number(number), FontRole::LabelStrong, Tone::PrimaryText,
                 kCentre);
    }
    const qreal buttonTop = rect.bottom() - (brief ? 32 : 36), width = buttonWidth(way.button);
    const QRectF button(rect.right() - 12 - width, buttonTop, width, brief ? 26 : 27);
    const qreal codeLeft = mark.right() + 10;
    if (brief) {
        // Code above, cost and button below it, and between them what a later write does, where a line holds it.
        appendCostPill(out, way, QPointF(rect.left() + 12, buttonTop + 3), false);
        const QStringList code = wrapText(FontRole::CodeStrong, way.code, rect.right() - 10 - codeLeft, 2);
        qreal y = rect.top() + (code.size() > 1 ? 17 : 22);
        for (const QString& line : code) {
            out.text(QPointF(codeLeft, y), line, FontRole::CodeStrong);
            y += 15;
        }
        const QString foot = refused ? way.refused : way.footnote;
        const qreal left = refused ? rect.left() + 12 : codeLeft;
        if (code.size() == 1 && !foot.isEmpty() && left + textWidth(FontRole::Label, foot) < rect.right() - 10)
            out.text(QPointF(left, rect.top() + 37), foot, FontRole::Label, Tone::Ink2);
        if (hasButton(way)) appendButton(out, button, way.button, way.primary, number - 1);
        return;
    }
    const QRectF pill = appendCostPill(out, way, QPointF(rect.right() - 12, rect.top() + 13), true);
    const QStringList code = wrapText(FontRole::CodeStrong, way.code, pill.left() - 10 - codeLeft, 2);
    qreal y = rect.top() + (code.size() > 1 ? 21 : 28);
    for (const QString& line : code) {
        out.text(QPointF(codeLeft, y), line, FontRole::CodeStrong);
        y += 15;
    }
    y = rect.top() + 56;
    for (const QString& line : wrapText(FontRole::Label, way.sentence, rect.width() - 28, 2)) {
        out.text(QPointF(rect.left() + 14, y), line, FontRole::Label);
        y += 16;
    }
    const QStringList foot = wrapText(FontRole::Label, refused ? way.refused : way.footnote,
                                      (hasButton(way) ? button.left() : rect.right() - 12) - rect.left() - 26, 2);
    y = rect.bottom() - (foot.size() > 1 ? 27 : 18);
    for (const QString& line : foot) {
        out.text(QPointF(rect.left() + 14, y), line, FontRole::Label, Tone::Ink2);
        y += 15;
    }
    if (hasButton(way)) appendButton(out, button, way.button, way.primary, number - 1);
}

QString waysTitle(std::size_t count) {
    static constexpr const char* numbers[] = {"No", "One", "Two", "Three", "Four", "Five"};
    const QString number = count < std::size(numbers) ? QString::fromLatin1(numbers[count]) : QString::number(count);
    return number + (count == 1 ? PaintedText::tr(" way out") : PaintedText::tr(" ways out"));
}

} // namespace stridescope
