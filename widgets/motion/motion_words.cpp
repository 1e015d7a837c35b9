// Words and lines of a motion's picture: what is said, the headers whose numbers move, axes, strips' handles.

#include "core/view/view.h"
#include "widgets/card/text_metrics.h"
#include "widgets/figures/figure.h"
#include "widgets/model/words.h"
#include "widgets/motion/motion_parts.h"
#include "widgets/scene/painted_text.h"

#include <algorithm>
#include <cmath>

namespace stridescope::motion {

namespace {

constexpr qreal kLine = 20, kLabel = 54;

/// One number of a header: where it stands.
struct Token {
    QString text;
    QPointF at;
};

struct HeaderNumbers {
    std::vector<Token> size, stride;
    Token offset;
};

/// Numbers of a tuple where they stand in "(2, 3)", and the signs between them.
std::vector<Token> tokensOf(const Dims& dims, QPointF at, SceneBuilder* signs) {
    std::vector<Token> tokens;
    const auto sign = [&](const QString& text) {
        if (signs) signs->text(at, text, FontRole::MetaStrong, Tone::Ink2);
        at.rx() += textWidth(FontRole::MetaStrong, text);
    };
    sign(QStringLiteral("("));
    for (std::size_t d = 0; d < dims.size(); ++d) {
        const QString number = QString::number(dims[d]);
        tokens.push_back({number, at});
        at.rx() += textWidth(FontRole::MetaStrong, number);
        const bool last = d + 1 == dims.size();
        if (!last || dims.size() == 1) sign(last ? QStringLiteral(",") : QStringLiteral(", "));
    }
    sign(QStringLiteral(")"));
    return tokens;
}

HeaderNumbers numbersOf(const View& view, QPointF header, SceneBuilder* signs) {
    HeaderNumbers numbers;
    const QPointF first = header + QPointF(kLabel, 40);
    numbers.size = tokensOf(view.shape, first, signs);
    numbers.stride = tokensOf(view.stride, first + QPointF(0, kLine), signs);
    numbers.offset = {QString::number(view.offset), first + QPointF(0, 2 * kLine)};
    return numbers;
}

/// Which dim of `from` a dim of `to` is: the one with the same stride and size, else with the same stride. -1: none.
int dimBefore(const View& from, const View& to, std::size_t d) {
    for (const bool sizes : {true, false}) {
        for (std::size_t e = 0; e < from.shape.size(); ++e)
            if (from.stride[e] == to.stride[d] && (!sizes || from.shape[e] == to.shape[d])) return static_cast<int>(e);
    }
    return d < from.shape.size() ? static_cast<int>(d) : -1;
}

void appendLabels(SceneBuilder& out, const Picture& p, int b, QPointF at) {
    const MotionBoard& board = p.board(b);
    out.item(BadgeItem{out.moved(at + QPointF(11, 11)), board.tensor.colour, 22, board.tensor.letter});
    const QString name = board.tensor.name.isEmpty() ? PaintedText::tr("result") : board.tensor.name;
    TextItem title;
    title.pos = out.moved(at + QPointF(32, 16));
    title.text = name;
    title.font = FontRole::Heading;
    title.maxWidth = 190;
    out.item(title);
    out.text(at + QPointF(0, 40), PaintedText::tr("size"), FontRole::Label, Tone::Ink2);
    out.text(at + QPointF(0, 40 + kLine), PaintedText::tr("stride"), FontRole::Label, Tone::Ink2);
    out.text(at + QPointF(0, 40 + 2 * kLine), PaintedText::tr("offset"), FontRole::Label, Tone::Ink2);
}

void appendNumber(SceneBuilder& out, const Token& token, Tone underline) {
    TextItem item;
    item.pos = out.moved(token.at);
    item.text = token.text;
    item.font = FontRole::MetaStrong;
    item.underline = underline;
    out.item(item);
}

/// The numbers of `b` on their way out of the header of `from`.
void appendTravelling(SceneBuilder& out, const Picture& p, int b, int from, qreal u) {
    const View &before = p.board(from).tensor.record.view, &after = p.board(b).tensor.record.view;
    const HeaderNumbers start = numbersOf(before, p.place(from).header, nullptr);
    const HeaderNumbers end = numbersOf(after, p.place(b).header, nullptr);
    const auto fly = [&](const Token& leaves, const Token& arrives, Tone tone) {
        // Under way it is what it was; the new number stands there when it has arrived.
        Token now = u < 1 ? leaves : arrives;
        now.at = leaves.at + (arrives.at - leaves.at) * easedInOut(u);
        appendNumber(out, now, tone);
    };
    for (std::size_t d = 0; d < after.shape.size(); ++d) {
        const int dim = dimBefore(before, after, d);
        if (dim < 0) continue;
        const auto e = static_cast<std::size_t>(dim);
        fly(start.size[e], end.size[d], Theme::dimTone(dim));
        fly(start.stride[e], end.stride[d], Theme::dimTone(dim));
    }
    fly(start.offset, end.offset, Tone::None);
}

} // namespace

void appendBand(SceneBuilder& out, const Picture& p) {
    const qreal right = p.layout.size.width() - MotionLayout::kMargin;
    TextItem code;
    code.pos = QPointF(MotionLayout::kMargin, 28);
    code.text = p.plan.input.code;
    code.font = FontRole::CodeStrong;
    code.maxWidth = right - MotionLayout::kMargin;
    out.item(code);
    qreal x = MotionLayout::kMargin;
    const std::size_t current = p.plan.times.stageAt(p.t);
    for (std::size_t i = 0; i < p.plan.stages.size(); ++i) {
        const MotionStage& stage = p.plan.stages[i];
        const bool done = p.t >= stage.end - kSameMoment, here = i == current;
        const qreal width = 34 + textWidth(here ? FontRole::LabelStrong : FontRole::Label, stage.name);
        if (x + width > right) break;
        const QPointF centre(x + 10, 53);
        BoxItem disc;
        disc.rect = QRectF(centre - QPointF(9, 9), QSizeF(18, 18));
        disc.radius = 9;
        disc.width = 1.6;
        const bool refused = p.plan.input.refusal && i + 1 == p.plan.stages.size();
        disc.outline = done && refused ? Tone::Error : here ? Tone::Primary : Tone::Control;
        disc.fill = here && !done ? Tone::Primary : Tone::Stage;
        out.box(disc);
        if (done && refused)
            out.glyph(Glyph::Cross, centre, 10, Tone::Error);
        else if (done)
            out.glyph(Glyph::Check, centre, 11, Tone::Right);
        else
            out.text(centre, QString::number(i + 1), FontRole::LabelStrong, here ? Tone::PrimaryText : Tone::Ink2,
                     kMiddle);
        out.text(QPointF(x + 25, 57), stage.name, here ? FontRole::LabelStrong : FontRole::Label,
                 here ? Tone::Ink : Tone::Ink2);
        x += width + 8;
        if (i + 1 < p.plan.stages.size()) out.line(QPointF(x - 4, 53), QPointF(x + 12, 53), Tone::Control, 1.4);
        x += 20;
    }
    const qreal captionWidth = p.layout.captionWidth > 0 ? p.layout.captionWidth : right - MotionLayout::kMargin;
    QPointF at(MotionLayout::kMargin, 80);
    for (const QString& line : wrapText(FontRole::Text, p.plan.caption(p.t), captionWidth, 2)) {
        out.text(at, line, FontRole::Text);
        at.ry() += 17;
    }
}

void appendHeaders(SceneBuilder& out, const Picture& p) {
    const qreal u = std::min(1.0, p.plan.progress(MotionWhat::Numbers, p.t) / 0.7);
    const bool numbers = p.plan.stage(MotionWhat::Numbers) != nullptr;
    for (int b = 0; b < p.boards(); ++b) {
        const MotionBoard& board = p.board(b);
        if (board.kind != MotionBoard::Kind::Card) continue;
        const bool made = board.output >= 0 && numbers;
        if (made ? u <= 0 : !p.appeared(b)) continue;
        const QPointF at = p.place(b).header;
        if (made && u < 1) {
            if (board.output == 0) {
                appendLabels(out, p, b, at);
                appendTravelling(out, p, b, 0, u);
            }
            continue;
        }
        appendLabels(out, p, b, at);
        const HeaderNumbers all = numbersOf(board.tensor.record.view, at, &out);
        for (std::size_t d = 0; d < all.size.size(); ++d) {
            appendNumber(out, all.size[d], Theme::dimTone(static_cast<Index>(d)));
            appendNumber(out, all.stride[d], Theme::dimTone(static_cast<Index>(d)));
        }
        appendNumber(out, all.offset, Tone::None);
        out.text(all.offset.at + QPointF(textWidth(FontRole::MetaStrong, all.offset.text) + 10, 0),
                 dtypeText(board.tensor.record.dtype), FontRole::Label, Tone::Ink2);
    }
    // An arrow between what there was and what is made.
    for (int b = 1; b < p.boards(); ++b) {
        const bool made = p.board(b).kind == MotionBoard::Kind::Card && p.board(b).output >= 0 &&
                          p.board(b - 1).output < 0 && p.board(b).role == MotionBoard::Role::Plain;
        if (!made || !(p.appeared(b) || u > 0) || p.place(b).header.y() != p.place(b - 1).header.y()) continue;
        const qreal y = p.place(b).header.y() + 11, x = p.place(b).header.x();
        out.line(QPointF(x - 58, y), QPointF(x - 16, y), Tone::Ink, 2, LineStyle::Solid, true);
    }
}

void appendAxes(SceneBuilder& out, const Picture& p) {
    for (int b = 0; b < p.boards(); ++b) {
        const MotionBoard& board = p.board(b);
        if (board.kind != MotionBoard::Kind::Card || !p.appeared(b)) continue;
        const Dims& shape = board.tensor.record.view.shape;
        const BoardPlace& place = p.place(b);
        const QPointF origin = place.origin + p.shift(b);
        if (shape.empty() || board.role == MotionBoard::Role::Corner) continue;
        const std::size_t last = shape.size() - 1;
        const bool product = board.role != MotionBoard::Role::Plain;
        // The dim that two operands share has one hue.
        const auto toneOf = [&](std::size_t d) {
            const bool shared =
                (board.role == MotionBoard::Role::Left && d == last) ||
                (board.role == MotionBoard::Role::Above && d + 2 == std::max<std::size_t>(shape.size(), 2));
            if (product) return shared ? Tone::Dim1 : Tone::Ink2;
            return Theme::dimTone(static_cast<Index>(d));
        };
        const auto arrow = [&](std::size_t d) {
            const QPointF step = place.steps[d];
            const bool across = step.x() > 0;
            const qreal length = across ? place.cell.width() : place.cell.height();
            const Index shown = std::max<Index>(shape[d], 1);
            const qreal whole = (across ? step.x() : step.y()) * static_cast<qreal>(shown - 1) + length;
            const QString name = PaintedText::tr("dim %1 · %2").arg(d).arg(shape[d]);
            if (across) {
                const QPointF from = origin + QPointF(0, -8);
                out.line(from, from + QPointF(whole, 0), toneOf(d), 3, LineStyle::Solid, true);
                const bool fits = textWidth(FontRole::LabelStrong, name) <= std::max(whole, 60.0);
                out.text(from + QPointF(0, -6), fits ? name : QString::number(shape[d]), FontRole::LabelStrong);
            } else {
                const QPointF from = origin + QPointF(-8, 0);
                out.line(from, from + QPointF(0, whole), toneOf(d), 3, LineStyle::Solid, true);
                const bool fits = textWidth(FontRole::LabelStrong, name) <= whole;
                out.text(from + QPointF(-6, whole / 2), fits ? name : QString::number(shape[d]), FontRole::LabelStrong,
                         Tone::Ink, kCentre, 90);
            }
        };
        if (place.steps[last].x() > 0 || place.steps[last].y() > 0) arrow(last);
        if (shape.size() >= 2) arrow(last - 1);
        if (shape.size() < 3 || product) continue;
        // Which panel it is.
        Dims coord(shape.size(), 0);
        Index panels = 1;
        for (std::size_t d = 0; d + 2 < shape.size(); ++d) panels *= shape[d];
        constexpr Index kMostLabels = 64;
        for (Index k = 0; k < std::min(panels, kMostLabels); ++k) {
            Index rest = k;
            QPointF at = origin;
            QStringList index;
            for (std::size_t d = shape.size() - 2; d-- > 0; rest /= shape[d]) {
                at += place.steps[d] * static_cast<qreal>(rest % shape[d]);
                index.prepend(QString::number(rest % shape[d]));
            }
            if (k == 0) continue; // the axes are there
            QString label = QStringLiteral("[%1]").arg(index.join(QStringLiteral(", ")));
            const QString whole = PaintedText::tr("dim 0 = %1").arg(index.first());
            const qreal room = place.cell.width() * static_cast<qreal>(shape[shape.size() - 1]) + 12;
            if (index.size() == 1 && textWidth(FontRole::IndexStrong, whole) <= room) label = whole;
            out.text(at + QPointF(0, -5), label, FontRole::IndexStrong, Tone::Ink2);
        }
    }
}

void appendSummary(SceneBuilder& out, const Picture& p) {
    for (int b = 0; b < p.boards(); ++b) {
        const MotionBoard& board = p.board(b);
        if (board.kind != MotionBoard::Kind::Card) continue;
        const bool numbers = p.plan.stage(MotionWhat::Numbers) != nullptr;
        if (board.output >= 0 && p.t < p.plan.stages.front().end * 0.7 && numbers) continue;
        BoxItem box;
        box.rect = QRectF(p.place(b).origin - QPointF(26, 26), QSizeF(210, 84));
        box.fill = Theme::viewTone(board.tensor.colour);
        box.outline = Tone::Ink;
        box.radius = 6;
        out.box(box);
        const Index count = board.positions();
        out.text(box.rect.center() + QPointF(0, -4), elementsText(count), FontRole::Heading, Tone::OnView, kCentre);
        out.text(box.rect.center() + QPointF(0, 18),
                 bytesText(count * static_cast<Index>(itemSize(board.tensor.record.dtype))), FontRole::Text,
                 Tone::OnView, kCentre);
    }
}

/// The share of a storage between the lowest and the highest slot of what is seen of it: as a bar, for cells would be
/// too many.
static void appendReached(SceneBuilder& out, const Picture& p, int strip, const QRectF& room) {
    const MotionStorage& storage = *p.storage(strip);
    if (storage.numel == 0) return;
    const bool over = p.t >= p.plan.stages.front().end * 0.7;
    int card = -1;
    for (int b = 0; b < p.boards(); ++b) {
        const MotionBoard& board = p.board(b);
        if (board.kind != MotionBoard::Kind::Card || board.storage != p.board(strip).storage) continue;
        if (card < 0 || (over && board.output >= 0)) card = b;
    }
    if (card < 0) return;
    const auto span = reach(p.board(card).tensor.record.view);
    if (!span || span->empty()) return;
    const auto x = [&](Index slot) {
        return room.left() + room.width() * static_cast<qreal>(slot) / static_cast<qreal>(storage.numel);
    };
    BoxItem part;
    part.rect = QRectF(QPointF(x(span->lowest), room.top() + 3),
                       QPointF(std::max(x(span->highest + 1), x(span->lowest) + 1), room.bottom() - 3));
    part.fill = Theme::viewTone(p.board(card).tensor.colour);
    out.box(part);
}

void appendStripFrames(SceneBuilder& out, const Picture& p) {
    int above = -1;
    for (int b = 0; b < p.boards(); ++b) {
        if (p.board(b).kind != MotionBoard::Kind::Strip || !p.appeared(b)) continue;
        const MotionStorage& storage = *p.storage(b);
        const QPointF at = p.place(b).header + p.shift(b);
        const bool device = !storage.device.isCpu();
        BoxItem handle;
        handle.rect = QRectF(at, QSizeF(MotionLayout::kHandle, 44));
        handle.fill = device ? Tone::GpuTint : Tone::Inset;
        handle.outline = device ? Tone::Gpu : Tone::Control;
        handle.width = device ? 2 : 1;
        handle.radius = 6;
        out.box(handle, PartKind::StripHandle, b);
        const QString name = storage.number > 0 ? PaintedText::tr("storage #%1").arg(storage.number)
                             : p.board(b).fresh ? PaintedText::tr("new storage")
                                                : PaintedText::tr("storage");
        const Index bytes = storage.numel * static_cast<Index>(itemSize(storage.dtype));
        const QString size = (p.board(b).fresh ? QStringLiteral("+") : QString()) + bytesText(bytes);
        out.text(at + QPointF(10, 18), QStringLiteral("%1 · %2").arg(name, size), FontRole::LabelStrong);
        TextItem facts;
        facts.pos = at + QPointF(10, 35);
        facts.text = QStringLiteral("%1 × %2 · %3")
                         .arg(countText(storage.numel), dtypeText(storage.dtype),
                              QString::fromStdString(toString(storage.device)));
        facts.font = FontRole::Label;
        facts.tone = Tone::Ink2;
        facts.maxWidth = MotionLayout::kHandle - 16;
        out.item(facts);
        if (!p.plan.cells) {
            BoxItem bar;
            bar.rect = QRectF(p.place(b).origin + p.shift(b),
                              QSizeF(p.layout.size.width() - MotionLayout::kMargin - p.place(b).origin.x(), 26));
            bar.outline = Tone::Control;
            out.box(bar);
            appendReached(out, p, b, bar.rect);
        }
        if (above >= 0 && p.plan.family == MotionFamily::Transfer) {
            const QPointF from = p.place(above).header + QPointF(MotionLayout::kHandle / 2, 44);
            out.line(from, at + QPointF(MotionLayout::kHandle / 2, 0), Tone::Gpu, 2, LineStyle::Solid, true);
        }
        above = b;
    }
}

} // namespace stridescope::motion
