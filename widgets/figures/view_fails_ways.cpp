// The ways out of the view-fails figure.

#include "core/view/view_ops.h"
#include "core/view/walk.h"
#include "widgets/card/text_metrics.h"
#include "widgets/figures/view_fails_parts.h"
#include "widgets/scene/painted_text.h"

#include <algorithm>

namespace stridescope::fails {

namespace {

constexpr qreal kBetween = 13;

std::vector<QString> valuesOf(const Tensor& tensor, const View& view, Index first, Index count) {
    std::vector<QString> texts;
    for (const Index slot : visitedSlots(view, first, count)) texts.push_back(valueText(tensor, slot));
    return texts;
}

/// Cells as narrow as they can be read.
MiniCells smallCellsFor(const std::vector<QString>& texts) {
    MiniCells cells;
    cells.font = FontRole::Index;
    cells.cellWidth = 16;
    for (const QString& text : texts)
        cells.cellWidth = std::max(cells.cellWidth, std::ceil(textWidth(FontRole::Index, text)) + 5);
    return cells;
}

/// The copy that a way out makes: handle and the first cells of the new storage, rows bracketed when asked for.
void appendCopyPicture(SceneBuilder& out, const Facts& f, const QRectF& rect, bool rows, qreal y) {
    const QString handle = PaintedText::tr("storage #%1").arg(f.input.nextStorageNumber);
    BoxItem box;
    box.rect = QRectF(rect.left() + 14, y, textWidth(FontRole::LabelStrong, handle) + 22, 22);
    box.fill = Tone::Inset;
    box.outline = Tone::Control;
    box.radius = 5;
    out.box(box);
    out.text(box.rect.center() + QPointF(0, 4.4), handle, FontRole::LabelStrong, Tone::Ink, kCentre);
    const qreal left = box.rect.right() + 7;
    std::vector<QString> texts = valuesOf(f.tensor, f.view, 0, 24);
    MiniCells cells = miniCellsFor(texts);
    // Smaller digits are better than a part of the cells, while all of them fit then.
    if (const MiniCells small = smallCellsFor(texts); f.view.numel() == std::ssize(texts) &&
                                                      left + cells.width(f.view.numel()) > rect.right() - 12 &&
                                                      left + small.width(f.view.numel()) <= rect.right() - 12) {
        cells.cellWidth = small.cellWidth;
        cells.font = small.font;
    }
    Index fit = std::max<Index>(1, static_cast<Index>((rect.right() - 12 - left) / cells.cellWidth));
    const bool cut = f.view.numel() > fit;
    // Room for the dots.
    if (cut) fit = std::max<Index>(1, static_cast<Index>((rect.right() - 32 - left) / cells.cellWidth));
    if (std::ssize(texts) > fit) texts.resize(static_cast<std::size_t>(fit));
    appendMiniCells(out, QPointF(left, y), cells, texts, Tone::Stage);
    const qreal right = left + cells.width(std::ssize(texts));
    if (cut || f.view.numel() > std::ssize(texts))
        out.text(QPointF(right + 5, y + 15), QStringLiteral("…"), FontRole::Meta, Tone::Ink2);
    if (!rows) {
        const View result = *contiguousView(std::span<const Index>(f.wanted.data(), f.wanted.size()));
        out.text(QPointF(left, y + 37),
                 PaintedText::tr("stride %1, contiguous, +%2")
                     .arg(tupleText(result.stride), bytesText(bytesOf(f.tensor, f.view.numel()))),
                 FontRole::Label, Tone::Ink2);
        return;
    }
    const Index perRow = f.view.dim() >= 1 ? f.view.shape.back() : 1;
    for (Index row = 0; perRow > 0 && row * perRow < std::ssize(texts); ++row) {
        const Index end = std::min<Index>((row + 1) * perRow, std::ssize(texts));
        const qreal a = left + cells.width(row * perRow) + 2;
        const qreal b = left + cells.width(end) - 2;
        PathItem bracket;
        bracket.path.moveTo(a, y + 25);
        bracket.path.lineTo(a, y + 30);
        bracket.path.lineTo(b, y + 30);
        if (end == (row + 1) * perRow) bracket.path.lineTo(b, y + 25);
        bracket.stroke = Tone::Control;
        bracket.width = 1.5;
        out.path(bracket);
        const QString name = PaintedText::tr("row %1").arg(row);
        if (f.view.dim() <= 2 && b - a > textWidth(FontRole::Label, name)) {
            out.text(QPointF((a + b) / 2, y + 44), name, FontRole::Label, Tone::Ink2, kCentre);
        }
    }
}

/// The view that another shape gives: its first panels, in the tensor's colour.
void appendShapePicture(SceneBuilder& out, const Facts& f, const QRectF& rect, const WayOut& way, qreal top) {
    const Result<View> result = viewAs(f.view, std::span<const Index>(way.shape.data(), way.shape.size()));
    if (!result.ok()) return;
    const View& view = *result;
    const std::size_t rank = view.shape.size();
    const Index cols = rank >= 1 ? view.shape[rank - 1] : 1;
    const Index rows = rank >= 2 ? view.shape[rank - 2] : 1;
    const Index panels = view.numel() / std::max<Index>(1, rows * cols);
    const Index shownRows = std::min<Index>(rows, 3);
    qreal also = 0;
    for (const Dims& shape : way.alsoFit) also = std::max(also, textWidth(FontRole::Meta, tupleText(shape)));
    const qreal right = rect.right() - 16 - (also > 0 ? also + 16 : 0);
    const MiniCells cells = miniCellsFor(valuesOf(f.tensor, view, 0, std::min<Index>(view.numel(), 64)));
    const qreal height = std::min<qreal>(22, 66 / static_cast<qreal>(std::max<Index>(shownRows, 1)));
    qreal x = rect.left() + 14;
    for (Index panel = 0; panel < panels; ++panel) {
        QString label;
        const Dims first = coordOfPosition(view, panel * rows * cols);
        for (std::size_t d = 0; d + 2 < rank; ++d) {
            label += QStringLiteral("%1%2=%3")
                         .arg(d ? QStringLiteral(", ") : QStringLiteral("["), indexLetter(static_cast<int>(d)))
                         .arg(first[d]);
        }
        if (!label.isEmpty()) label += QLatin1Char(']');
        const qreal labelWidth = label.isEmpty() ? 0 : textWidth(FontRole::Meta, label) + 8;
        const Index fit = static_cast<Index>((right - x - labelWidth) / cells.cellWidth);
        if (fit < 1 || (panel > 0 && fit < cols)) {
            if (x + 8 > right + 12) break;
            out.text(QPointF(x, top + 16), QStringLiteral("…"), FontRole::Meta, Tone::Ink2);
            break;
        }
        if (!label.isEmpty()) out.text(QPointF(x, top + 15), label, FontRole::Meta, Tone::Ink2);
        x += labelWidth;
        const Index shownCols = std::min(fit, cols);
        for (Index row = 0; row < shownRows; ++row) {
            MiniCells one = cells;
            one.cellHeight = height;
            appendMiniCells(out, QPointF(x, top + static_cast<qreal>(row) * height), one,
                            valuesOf(f.tensor, view, (panel * rows + row) * cols, shownCols),
                            Theme::viewTone(f.input.entry->colour));
        }
        if (shownCols < cols || shownRows < rows) {
            out.text(QPointF(x + cells.width(shownCols) + 3, top + 15), QStringLiteral("…"), FontRole::Meta,
                     Tone::Ink2);
        }
        x += cells.width(shownCols) + 18;
    }
    if (also > 0) {
        qreal y = top + 12;
        out.text(QPointF(right + 16, y), PaintedText::tr("also fits"), FontRole::Label, Tone::Ink2);
        for (const Dims& shape : way.alsoFit) {
            y += 18;
            if (y > top + 60) break;
            out.text(QPointF(right + 16, y), tupleText(shape), FontRole::Meta);
        }
    }
}

/// One row of small cells for what a way out gives: values in its order, apart where its rows and panels part.
void appendSketch(SceneBuilder& out, const Facts& f, const QRectF& rect, const WayOut& way, qreal y) {
    constexpr Index kMost = 32;
    constexpr qreal kHeight = 15, kRowGap = 3, kPanelGap = 8;
    const bool copies = way.kind != WayOutKind::OtherShape;
    const Result<View> result =
        copies ? Result<View>(f.view) : viewAs(f.view, std::span<const Index>(way.shape.data(), way.shape.size()));
    if (!result.ok()) return;
    // Of the shape it ends in; a copy that is viewed afterwards shows the rows that it was copied by.
    const Dims& shape = way.kind == WayOutKind::Reshape ? f.wanted : result->shape;
    const std::vector<QString> texts = valuesOf(f.tensor, *result, 0, kMost);
    MiniCells cells = smallCellsFor(texts);
    cells.cellHeight = kHeight;
    const Index perRow = shape.empty() ? 1 : std::max<Index>(1, shape.back());
    const Index perPanel = shape.size() < 2 ? perRow : perRow * std::max<Index>(1, shape[shape.size() - 2]);
    const Tone fill = copies ? Tone::Stage : Theme::viewTone(f.input.entry->colour);
    const qreal end = rect.right() - 12;
    qreal x = rect.left() + 44; // under the code
    for (Index i = 0; i < std::ssize(texts); ++i) {
        if (i > 0 && i % perRow == 0) x += i % perPanel == 0 ? kPanelGap : kRowGap;
        const bool last = i + 1 == f.view.numel();
        if (x + cells.cellWidth + (last ? 0 : 14) > end) {
            out.text(QPointF(x + 2, y + 11), QStringLiteral("…"), FontRole::Meta, Tone::Ink2);
            return;
        }
        appendMiniCells(out, QPointF(x, y), cells, {texts[static_cast<std::size_t>(i)]}, fill);
        x += cells.cellWidth;
    }
    if (f.view.numel() > std::ssize(texts))
        out.text(QPointF(x + 2, y + 11), QStringLiteral("…"), FontRole::Meta, Tone::Ink2);
}

} // namespace

std::vector<ListedWay> listedWays(const Facts& f) {
    const QString name = f.name();
    std::vector<ListedWay> listed;
    for (WayOut& way : waysOut(f.view, f.wanted)) {
        ListedWay entry;
        entry.refused = way.copiedElements > 0 ? copyRefused(f.tensor, way.copiedElements) : QString();
        switch (way.kind) {
        case WayOutKind::Reshape:
            entry.code = callCode(name, QStringLiteral("reshape"), f.wanted);
            break;
        case WayOutKind::ContiguousView:
            entry.code = callCode(name + QStringLiteral(".contiguous()"), QStringLiteral("view"), f.wanted);
            break;
        case WayOutKind::OtherShape:
            entry.code = callCode(name, QStringLiteral("view"), way.shape);
            break;
        }
        if (!f.input.assigned.isEmpty()) entry.code.prepend(f.input.assigned + QStringLiteral(" = "));
        entry.way = std::move(way);
        listed.push_back(std::move(entry));
    }
    // What memory has no room for is no way out: it stands last, with its bytes and without a button.
    std::stable_partition(listed.begin(), listed.end(), [](const ListedWay& way) { return way.refused.isEmpty(); });
    return listed;
}

qreal appendWays(SceneBuilder& out, const Facts& f, QPointF at, qreal room, Ways look, std::vector<QString>& codes) {
    const std::vector<ListedWay> ways = listedWays(f);
    if (ways.empty()) return at.y();
    const auto possible =
        std::count_if(ways.begin(), ways.end(), [](const ListedWay& way) { return way.refused.isEmpty(); });
    const bool row = look == Ways::Row, sketch = look == Ways::Sketch, brief = sketch || look == Ways::Brief;
    QPointF pen = at + QPointF(0, 16);
    pen.rx() += out.text(pen, waysTitle(static_cast<std::size_t>(possible)), FontRole::Heading) + 14;
    if (row && !f.input.paper && !f.input.still)
        out.text(pen, PaintedText::tr("Each button writes the same line into the console and the history."),
                 FontRole::Label, Tone::Ink2);
    const QString base = f.input.parent ? f.input.parent->name : f.name();
    const qreal count = static_cast<qreal>(ways.size());
    const qreal width = row ? std::min<qreal>((room - kBetween * (count - 1)) / count, 640) : room;
    std::vector<WayCard> cards;
    int lines = 1;
    for (const auto& [way, code, refused] : ways) {
        WayCard card;
        card.copiedBytes = bytesOf(f.tensor, way.copiedElements);
        card.code = code;
        card.refused = refused;
        card.primary = cards.empty();
        switch (way.kind) {
        case WayOutKind::Reshape:
            card.button = QStringLiteral("Reshape");
            card.sentence = PaintedText::tr("Asks if strides can do it; here they cannot, so it copies.");
            card.footnote = PaintedText::tr("Writing to it does not change %1.").arg(base);
            break;
        case WayOutKind::ContiguousView:
            card.button = PaintedText::tr("Copy, then view");
            card.sentence =
                PaintedText::tr("Copies once to a contiguous %1, then views it for 0 B.").arg(tupleText(f.view.shape));
            card.footnote = PaintedText::tr("Worth it if you view the copy often.");
            break;
        case WayOutKind::OtherShape:
            card.button = PaintedText::tr("Use view");
            card.sentence = PaintedText::tr("A shape these strides can express: stride %1.").arg(tupleText(way.stride));
            card.footnote =
                PaintedText::tr("Still storage #%1: writing to it changes %2.").arg(f.input.storageNumber).arg(base);
            break;
        }
        if (f.input.paper || f.input.still) card.button.clear();
        lines = brief ? 1 : std::max(lines, sentenceLines(card, width));
        cards.push_back(card);
        if (card.refused.isEmpty()) codes.push_back(card.code);
    }
    const qreal extra = kWayLine * (lines - 1);
    const qreal height = sketch ? kSketchedWayHeight : brief ? kBriefWayHeight : kWayCardHeight + extra;
    QRectF rect(at.x(), at.y() + 28, width, height);
    for (std::size_t i = 0; i < ways.size(); ++i) {
        // The least room is for cells rather than words: the price says what is shared.
        const bool least = look == Ways::Brief && cards[i].refused.isEmpty();
        const bool oneLine = textWidth(FontRole::CodeStrong, cards[i].code) <= width - 54;
        if (least && oneLine) cards[i].footnote.clear();
        appendWayCard(out, rect, static_cast<int>(i) + 1, cards[i], brief);
        if (brief && cards[i].refused.isEmpty() && (sketch || oneLine))
            appendSketch(out, f, rect, ways[i].way, rect.top() + (sketch ? 43 : 27));
        const qreal picture = rect.top() + 70 + extra;
        const bool drawn = !brief && cards[i].refused.isEmpty();
        if (drawn && ways[i].way.kind == WayOutKind::OtherShape)
            appendShapePicture(out, f, rect, ways[i].way, picture);
        else if (drawn)
            appendCopyPicture(out, f, rect, ways[i].way.kind == WayOutKind::ContiguousView, picture + 2);
        rect.translate(row ? width + kBetween : 0, row ? 0 : height + (brief ? 6 : 10));
    }
    return row ? rect.bottom() : rect.top() - (brief ? 6 : 10);
}

} // namespace stridescope::fails
