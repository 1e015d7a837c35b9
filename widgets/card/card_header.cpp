// Head of a card: badge, code, relation, metadata, and the formula of the shown element.

#include "widgets/card/card_parts.h"
#include "widgets/card/formula.h"
#include "widgets/card/text_metrics.h"
#include "widgets/model/origin_words.h"
#include "widgets/scene/painted_text.h"

#include <cmath>

namespace stridescope::card {

namespace {

constexpr qreal kFirstLine = 28, kCodeLine = 17;

QString dtypeName(DType dtype) {
    const std::string_view text = name(dtype);
    return QString::fromLatin1(text.data(), static_cast<qsizetype>(text.size()));
}

QString deviceName(const Tensor& tensor) {
    return tensor.defined() ? QString::fromStdString(toString(tensor.device())) : QStringLiteral("-");
}

/// Metadata flows in groups ("stride (5, 1)") that are never torn; a group wider than the card is broken inside.
class Flow {
public:
    Flow(CardLayout& card, qreal baseline, qreal limit) : m_card(card), m_y(baseline), m_limit(limit) {}

    struct Run {
        QString text;
        FontRole font;
        Tone tone;
    };
    /// `before`: room in front of the first run, for a sign.
    void group(const std::vector<Run>& runs, qreal before = 0) {
        qreal total = before;
        for (const Run& run : runs) total += textWidth(run.font, run.text);
        if (m_x > 0 && m_x + kGap + total > m_limit)
            newLine();
        else if (m_x > 0)
            m_x += kGap;
        m_group = QPointF(kPadding + m_x, m_y);
        m_x += before;
        for (const Run& run : runs) put(run);
    }
    /// What follows stands on a line of its own.
    void next() { newLine(); }
    /// What follows on this line begins after as many pixels and a gap.
    void skip(qreal width, qreal gap) {
        m_widest = width;
        m_x = width + gap;
    }
    /// Where the last group begins.
    QPointF lastGroup() const { return m_group; }
    qreal baseline() const { return m_y; }
    qreal widest() const { return m_widest; }

private:
    static constexpr qreal kGap = 10;

    void newLine() {
        m_x = 0;
        m_y += 18;
    }
    void put(const Run& run) {
        const qreal width = textWidth(run.font, run.text);
        if (m_x > 0 && m_x + width > m_limit) newLine();
        if (width > m_limit) {
            // Nine strides of nine digits: as many as fit, the others below.
            const QString comma = QStringLiteral(", ");
            qsizetype cut = run.text.lastIndexOf(comma);
            while (cut > 0 && textWidth(run.font, run.text.left(cut + 1)) > m_limit)
                cut = run.text.lastIndexOf(comma, cut - 1);
            if (cut > 0) {
                put({run.text.left(cut + 1), run.font, run.tone});
                newLine();
                return put({run.text.mid(cut + 2), run.font, run.tone});
            }
        }
        TextItem item;
        item.pos = QPointF(kPadding + m_x, m_y);
        item.text = run.text;
        item.font = run.font;
        item.tone = run.tone;
        m_card.texts.push_back(item);
        m_x += width;
        m_widest = std::max(m_widest, m_x);
    }

    CardLayout& m_card;
    qreal m_x = 0, m_y, m_limit, m_widest = 0;
    QPointF m_group;
};

/// More dims than these are named by the first and the last ones: nobody reads the others, and cards have an end.
constexpr std::size_t kFirstDims = 5, kLastDims = 3;

/// A tuple as runs: what does not matter (the stride of a dim of size 1) is grey and thin.
std::vector<Flow::Run> tupleRuns(const QString& title, const Dims& numbers, const Dims& shape, bool muteOnes,
                                 Index factor) {
    std::vector<Flow::Run> runs{{title + QLatin1Char(' '), FontRole::Label, Tone::Ink2}};
    QString pending = QStringLiteral("(");
    const std::size_t n = numbers.size();
    for (std::size_t d = 0; d < n; ++d) {
        if (n > kNamedDims && d == kFirstDims) {
            d = n - kLastDims;
            pending += QStringLiteral("… ");
        }
        const QString number = QString::number(numbers[d] * factor);
        if (muteOnes && shape[d] == 1) {
            runs.push_back({pending, FontRole::LabelStrong, Tone::Ink});
            runs.push_back({number, FontRole::Label, Tone::Ink2});
            pending.clear();
        } else {
            pending += number;
        }
        if (d + 1 < n) pending += QStringLiteral(", ");
    }
    if (n == 1) pending += QLatin1Char(',');
    runs.push_back({pending + QLatin1Char(')'), FontRole::LabelStrong, Tone::Ink});
    if (n > kNamedDims && !muteOnes) runs.push_back({PaintedText::tr(" %1 dims").arg(n), FontRole::Label, Tone::Ink2});
    return runs;
}

QString relation(const CardInput& input) {
    if (input.preview) return PaintedText::tr("preview");
    return originText(input.entry->origin, input.parent);
}

} // namespace

qreal layoutHeader(CardLayout& card, qreal& width) {
    const CardInput& input = card.input;
    const TensorEntry& entry = *input.entry;
    const qreal limit = headRoom(input);

    card.pillText = relation(input);
    // Icon (view, copy) and text.
    const bool icon = input.preview || entry.origin != Origin::Base;
    const qreal pillWidth = std::ceil(textWidth(FontRole::Label, card.pillText)) + (icon ? 32 : 18);

    // The badge says A already: "A = q.view(4, 5)" would say it twice.
    const bool badgeIsName = Theme::viewLetter(entry.colour, entry.letter) == entry.name;
    QString code = entry.code.isEmpty() || entry.code == entry.name ? entry.name : entry.code;
    if (!badgeIsName && code != entry.name) code = entry.name + QStringLiteral(" = ") + code;
    const qreal codeLeft = 30;
    const qreal codeLimit = std::max<qreal>(limit - codeLeft - pillWidth - 16, 80);
    // A line of its own would be a waste for a card that is otherwise narrow: long code is broken.
    const qreal comfortable =
        std::min(codeLimit, textWidth(FontRole::CodeStrong, QString(input.codeChars, QLatin1Char('0'))));
    // A slim figure has one line, for the code if that fits; the card on the stage has it in any case.
    const bool oneLine = input.slim && input.compact;
    if (oneLine && textWidth(FontRole::CodeStrong, code) > codeLimit) code = entry.name;
    card.codeLines = oneLine          ? wrapText(FontRole::CodeStrong, code, codeLimit, 1)
                     : input.cutsCode ? wrapText(FontRole::CodeStrong, code, comfortable, 1)
                                      : wrapCode(FontRole::CodeStrong, code, comfortable, 3);
    qreal codeWidth = 0;
    for (const QString& line : card.codeLines) codeWidth = std::max(codeWidth, textWidth(FontRole::CodeStrong, line));
    qreal y = kFirstLine + kCodeLine * static_cast<qreal>(card.codeLines.size() - 1);
    const qreal firstLine = codeLeft + codeWidth + 16 + pillWidth;

    const Index factor =
        input.unit == StrideUnit::Bytes && entry.tensor.defined() ? static_cast<Index>(entry.tensor.itemSize()) : 1;
    const QString bytes = factor > 1 || input.unit == StrideUnit::Bytes ? QStringLiteral(" B") : QString();
    Flow meta(card, y + (input.slim ? 21 : 24),
              std::max<qreal>(firstLine, std::min<qreal>(limit, input.wide ? 540 : 420)));
    meta.group({{dtypeName(entry.tensor.dtype()), FontRole::Label, Tone::Ink2}});
    const View& view = card.view;
    if (view.dim() == 0) {
        meta.group({{QStringLiteral("size "), FontRole::Label, Tone::Ink2},
                    {QStringLiteral("()"), FontRole::LabelStrong, Tone::Ink}});
    } else {
        meta.group(tupleRuns(QStringLiteral("size"), view.shape, view.shape, false, 1));
    }
    auto strides = tupleRuns(QStringLiteral("stride"), view.stride, view.shape, true, factor);
    if (!bytes.isEmpty()) strides.push_back({bytes, FontRole::Label, Tone::Ink2});
    if (view.dim() == 0) strides.back().text = QStringLiteral("()");
    meta.group(strides);
    meta.group({{QStringLiteral("offset "), FontRole::Label, Tone::Ink2},
                {QString::number(view.offset * factor) + bytes, FontRole::LabelStrong, Tone::Ink}});
    y = meta.baseline() + (input.slim ? 18 : 20);

    card.contiguous = view.isContiguous();
    card.contiguityGlyph = QPointF(kPadding + 5, y - 4);
    TextItem device;
    device.pos = QPointF(kPadding + 16, y);
    device.font = FontRole::Label;
    device.tone = Tone::Ink2;
    const QString dot = QStringLiteral("   ·   ");
    device.text = (card.contiguous ? PaintedText::tr("contiguous") : PaintedText::tr("not contiguous")) + dot +
                  PaintedText::tr("storage #") + QString::number(input.storageNumber) + dot + deviceName(entry.tensor);
    card.texts.push_back(device);
    const qreal deviceWidth = 16 + textWidth(FontRole::Label, device.text);

    width = std::max({width, firstLine + 2 * kPadding, meta.widest() + 2 * kPadding, deviceWidth + 2 * kPadding});
    card.pill = QRectF(0, 14, pillWidth, 19); // its x follows when the width is known
    card.header = QRectF(0, 0, 0, y + 6);
    return y;
}

qreal layoutBriefHeader(CardLayout& card, qreal limit, qreal& width) {
    const CardInput& input = card.input;
    const TensorEntry& entry = *input.entry;
    const View& view = card.view;
    constexpr qreal kLine = 22, kCode = 30;
    const bool badgeIsName = Theme::viewLetter(entry.colour, entry.letter) == entry.name;
    QString code = entry.code.isEmpty() || entry.code == entry.name ? entry.name : entry.code;
    if (!badgeIsName && code != entry.name) code = entry.name + QStringLiteral(" = ") + code;
    const auto size = view.dim() == 0 ? std::vector<Flow::Run>{{QStringLiteral("size "), FontRole::Label, Tone::Ink2},
                                                               {QStringLiteral("()"), FontRole::LabelStrong, Tone::Ink}}
                                      : tupleRuns(QStringLiteral("size"), view.shape, view.shape, false, 1);
    if (input.cutsCode) {
        // The sizes stand beside it, whatever is left of it.
        constexpr qreal kBetween = 18;
        qreal sizes = 0;
        for (const Flow::Run& run : size) sizes += textWidth(run.font, run.text);
        code = wrapText(FontRole::CodeStrong, code, std::max(40.0, limit - kCode - kBetween - sizes), 1).front();
    }
    // What made it stands in the presenter's bar, too: a name is enough where there is no room for more.
    if (textWidth(FontRole::CodeStrong, code) > limit - kCode) code = entry.name;
    card.codeLines = wrapText(FontRole::CodeStrong, code, std::max(40.0, limit - kCode), 1);
    card.badge = QPointF(kPadding + 11, kLine - 5);
    card.code = QPointF(kPadding + kCode, kLine);
    const Index factor = input.unit == StrideUnit::Bytes ? static_cast<Index>(entry.tensor.itemSize()) : 1;
    const QString bytes = input.unit == StrideUnit::Bytes ? QStringLiteral(" B") : QString();
    Flow meta(card, kLine, limit);
    meta.skip(kCode + textWidth(FontRole::CodeStrong, card.codeLines.front()), 6);
    meta.group(size);
    card.contiguous = view.isContiguous();
    if (input.compact && !input.facts) {
        width = std::max(width, meta.widest() + 2 * kPadding);
        card.header = QRectF(0, 0, 0, meta.baseline() + 6);
        return meta.baseline();
    }
    if (input.facts) {
        meta.next();
        meta.group({{dtypeName(entry.tensor.dtype()) + QStringLiteral(" · ") + deviceName(entry.tensor),
                     FontRole::Label, Tone::Ink2}});
    }
    auto strides = tupleRuns(QStringLiteral("stride"), view.stride, view.shape, true, factor);
    if (view.dim() == 0) strides.back().text = QStringLiteral("()");
    if (!bytes.isEmpty()) strides.push_back({bytes, FontRole::Label, Tone::Ink2});
    meta.group(strides);
    meta.group({{QStringLiteral("offset "), FontRole::Label, Tone::Ink2},
                {QString::number(view.offset * factor) + bytes, FontRole::LabelStrong, Tone::Ink}});
    constexpr qreal kGlyph = 16;
    // Beside the sign the word says enough where every letter counts.
    meta.group({{card.contiguous || input.facts ? PaintedText::tr("contiguous") : PaintedText::tr("not contiguous"),
                 FontRole::Label, Tone::Ink2}},
               kGlyph);
    card.contiguityGlyph = meta.lastGroup() + QPointF(6, -4);
    width = std::max(width, meta.widest() + 2 * kPadding);
    card.header = QRectF(0, 0, 0, meta.baseline() + 6);
    return meta.baseline();
}

void addBriefPill(CardLayout& card) {
    const CardInput& input = card.input;
    if (!input.brief || input.presented || !card.pill.isEmpty()) return;
    const TensorEntry& entry = *input.entry;
    const bool base = entry.origin == Origin::Base;
    if (input.preview || (!base && !input.parent)) return;
    const QString words = base ? originText(entry.origin, nullptr) : input.parent->name;
    constexpr qreal kHeight = 16, kBefore = 4, kRim = 10, kRoundEnds = 14, kSign = 12;
    const qreal width = std::ceil(textWidth(FontRole::Label, words)) + kRoundEnds + (base ? 0 : kSign);
    const qreal right = (input.wide ? card.header.width() : card.size.width()) - kRim;
    const auto endOf = [&](qreal baseline) {
        qreal end = baseline == card.code.y() ? card.code.x() + textWidth(FontRole::CodeStrong, card.codeLines.front())
                                              : kPadding;
        for (const TextItem& item : card.texts) {
            if (std::abs(item.pos.y() - baseline) < 1)
                end = std::max(end, item.pos.x() + textWidth(item.font, item.text));
        }
        return end;
    };
    constexpr qreal kLine = 18;
    for (qreal baseline = card.code.y(); baseline < card.header.bottom(); baseline += kLine) {
        if (endOf(baseline) + kBefore + width > right) continue;
        card.pillText = words;
        card.pill = QRectF(right - width, baseline - 12, width, kHeight);
        return;
    }
}

qreal layoutFormula(CardLayout& card, qreal top, qreal& width) {
    FormulaInput input;
    input.view = &card.view;
    input.coord = card.rings.empty() ? nullptr : &card.rings.front();
    input.bytes = card.input.unit == StrideUnit::Bytes && card.input.entry->tensor.defined();
    input.itemBytes = input.bytes ? static_cast<Index>(card.input.entry->tensor.itemSize()) : 1;
    input.symbols = !card.input.slim;
    // Symbols stand at +24 under the device line, numbers 22 below them; a slim card has the numbers alone.
    constexpr qreal kUsualWidth = 560, kLeast = 120;
    const qreal wanted = std::max(width, card.input.wide && card.input.headWidth > 0 ? 0.0 : kUsualWidth);
    const qreal limit = std::max(std::min(maxSize(card.input).width(), wanted) - 2 * kPadding, kLeast);
    card.formula = formulaTerms(input, kPadding, top + (card.input.slim ? 24 : 46), limit);
    qreal widest = 0, bottom = 0;
    for (const FormulaTerm& term : card.formula) {
        widest = std::max(widest, term.rect.right() - kPadding);
        bottom = term.rect.top() + 16;
    }
    width = std::max(width, widest + 2 * kPadding);
    return bottom + 8;
}

} // namespace stridescope::card
