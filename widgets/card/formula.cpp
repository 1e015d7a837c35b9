#include "widgets/card/formula.h"

#include "widgets/card/card_parts.h"
#include "widgets/card/text_metrics.h"

#include <algorithm>
#include <cmath>

namespace stridescope::card {

namespace {

constexpr Qt::Alignment kCentre = Qt::AlignHCenter | Qt::AlignBaseline;

Tone termTone(const FormulaTerm& term) {
    if (term.kind == FormulaTerm::Kind::Offset) return Tone::Control;
    return Theme::dimTone(term.dim);
}

} // namespace

qreal formulaRowHeight(bool symbols) {
    return symbols ? 46 : 28;
}

std::vector<FormulaTerm> formulaTerms(const FormulaInput& input, qreal left, qreal baseline, qreal room) {
    const View& view = *input.view;
    struct Draft {
        FormulaTerm term;
        qreal reserve; // width that the widest number of this term would need: the card must not breathe on hover
    };
    std::vector<Draft> drafts;
    FormulaTerm offset;
    offset.kind = FormulaTerm::Kind::Offset;
    offset.symbol = QStringLiteral("offset");
    offset.value = QString::number(view.offset * input.itemBytes);
    offset.number = view.offset * input.itemBytes;
    drafts.push_back({offset, textWidth(FontRole::Cell, offset.value)});
    Index largest = view.offset * input.itemBytes;
    for (int d = 0; d < static_cast<int>(view.dim()); ++d) {
        const std::size_t at = static_cast<std::size_t>(d);
        const Index stride = view.stride[at] * input.itemBytes;
        const QString strideText = stride < 0 ? QStringLiteral("(%1)").arg(stride) : QString::number(stride);
        const QString letter = indexLetter(d);
        FormulaTerm term;
        term.kind = FormulaTerm::Kind::Dim;
        term.dim = d;
        term.symbol =
            letter + QStringLiteral("·") + (input.bytes ? QStringLiteral("b") : QStringLiteral("s")) + subscript(d);
        term.muted = view.shape[at] == 1;
        if (term.muted && view.shape.size() > kNamedDims) continue; // it adds 0, and there are too many
        const QString index = input.coord ? QString::number((*input.coord)[at]) : letter;
        term.value = index + QStringLiteral("·") + strideText;
        term.number = input.coord ? (*input.coord)[at] * stride : 0;
        const Index last = std::max<Index>(0, view.shape[at] - 1);
        largest += std::max<Index>(0, last * stride);
        drafts.push_back({term, textWidth(FontRole::Cell, QString::number(last) + QStringLiteral("·") + strideText)});
    }
    FormulaTerm result;
    result.kind = FormulaTerm::Kind::Result;
    result.symbol = input.bytes ? QStringLiteral("byte") : QStringLiteral("index");
    if (input.coord) {
        Index sum = 0;
        for (const Draft& draft : drafts) sum += draft.term.number;
        result.number = sum;
        result.value = QString::number(sum);
    } else {
        result.value = QStringLiteral("?");
    }
    drafts.push_back({result, textWidth(FontRole::Cell, QString::number(largest)) + 12});

    constexpr qreal kSign = 27;
    qreal x = 0, y = baseline;
    std::vector<FormulaTerm> terms;
    for (std::size_t i = 0; i < drafts.size(); ++i) {
        FormulaTerm term = drafts[i].term;
        if (!input.symbols) term.symbol.clear();
        const qreal own = std::ceil(std::max(
            {drafts[i].reserve, textWidth(FontRole::Meta, term.symbol), textWidth(FontRole::Cell, term.value)}));
        const qreal lead = i == 0 ? 0 : kSign;
        if (x > 0 && x + lead + own > room) {
            x = 0;
            y += formulaRowHeight(input.symbols);
        }
        term.rect = QRectF(left + x + lead, y - 16, own, 21);
        x += lead + own;
        terms.push_back(std::move(term));
    }
    return terms;
}

void appendFormula(SceneBuilder& out, const std::vector<FormulaTerm>& terms, bool known) {
    for (std::size_t i = 0; i < terms.size(); ++i) {
        const FormulaTerm& term = terms[i];
        const qreal baseline = term.rect.bottom() - 5;
        const qreal centre = term.rect.center().x();
        const bool symbols = !term.symbol.isEmpty();
        if (symbols) out.text(QPointF(centre, baseline - 22), term.symbol, FontRole::Meta, Tone::Ink2, kCentre);
        const bool result = term.kind == FormulaTerm::Kind::Result;
        if (result) {
            BoxItem box;
            box.rect = term.rect.adjusted(-1, 0, 1, 0);
            box.outline = Tone::Ink;
            box.width = 2;
            box.radius = 4;
            if (!known) {
                box.style = LineStyle::Dashed;
                box.outline = Tone::Control;
            }
            out.box(box);
        }
        out.text(QPointF(centre, baseline), term.value, result ? FontRole::CellStrong : FontRole::Cell,
                 term.muted ? Tone::Ink2 : Tone::Ink, kCentre);
        if (!result) {
            // Dims above 3 repeat the hues, with dashes.
            const LineStyle style = term.dim > 3 ? LineStyle::Dashed : LineStyle::Solid;
            const qreal y = term.rect.bottom() + 1.5;
            out.line(QPointF(term.rect.left(), y), QPointF(term.rect.right(), y),
                     term.muted ? Tone::Hairline : termTone(term), 3, style);
        }
        if (i > 0) {
            const qreal sign = term.rect.left() - 13.5;
            out.text(QPointF(sign, baseline), result ? QStringLiteral("=") : QStringLiteral("+"), FontRole::Cell,
                     Tone::Ink, kCentre);
            if (!result && symbols)
                out.text(QPointF(sign, baseline - 22), QStringLiteral("+"), FontRole::Meta, Tone::Ink2, kCentre);
        }
    }
}

} // namespace stridescope::card
