#include "widgets/figures/refusal_figure.h"

#include "core/view/legal_ranges.h"
#include "core/view/view_verdict.h"
#include "widgets/card/text_metrics.h"
#include "widgets/figures/figure_parts.h"
#include "widgets/figures/view_fails.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {

constexpr Qt::Alignment kCentre = Qt::AlignHCenter | Qt::AlignBaseline;

struct Way {
    QString code, why;
};

/// What one kind of refusal contributes: its picture is drawn at once, words and ways are collected.
struct Story {
    QString reason;
    std::vector<Way> ways;
};

/// The numbers of the last call in a line: "x.narrow(1, 3, 4)" -> 1, 3, 4.
std::vector<Index> callNumbers(const QString& code) {
    std::vector<Index> numbers;
    static const QRegularExpression number(QStringLiteral("-?\\d+"));
    const qsizetype open = code.indexOf(QLatin1Char('('), std::max<qsizetype>(0, code.lastIndexOf(QLatin1Char('.'))));
    if (open < 0) return numbers;
    auto matches = number.globalMatch(code.mid(open));
    while (matches.hasNext()) {
        bool ok = false;
        const Index value = matches.next().captured().toLongLong(&ok);
        if (ok) numbers.push_back(value);
    }
    return numbers;
}

QString method(const QString& code) {
    static const QRegularExpression call(QStringLiteral("\\.(\\w+)\\([^()]*(?:\\([^()]*\\)[^()]*)*\\)\\s*$"));
    const auto match = call.match(code);
    return match.hasMatch() ? match.captured(1) : QString();
}

qreal appendWords(SceneBuilder& out, QPointF at, const QString& text, FontRole font, Tone tone, qreal width) {
    for (const QString& line : wrapText(font, text, width)) {
        out.text(at, line, font, tone);
        at.ry() += font == FontRole::Heading ? 20 : 17;
    }
    return at.y();
}

/// A row of cells for the indices of one dim, with the wanted range under it; indices outside are hatched. Shows at
/// most `most` cells round the end that was missed.
qreal appendDimRuler(SceneBuilder& out, QPointF at, Index dim, Index size, Index from, Index to, qreal width) {
    constexpr qreal kCell = 40;
    const Index most = std::max<Index>(6, static_cast<Index>((width - 120) / kCell));
    const Index low = std::min<Index>(0, from);
    const Index high = std::max(size, to);
    Index first = low;
    Index last = high;
    if (last - first > most) {
        // The missed end stays in the middle of the window.
        const Index miss = from < 0 ? 0 : size;
        first = std::clamp<Index>(miss - most / 2, low, high - most);
        last = first + most;
    }
    const QString label = QStringLiteral("dim %1 · %2").arg(dim).arg(size);
    const qreal left = at.x() + textWidth(FontRole::LabelStrong, label) + 46;
    const Tone tone = Theme::dimTone(dim);
    out.text(QPointF(at.x(), at.y() + 27), label, FontRole::LabelStrong);
    out.line(QPointF(at.x() + textWidth(FontRole::LabelStrong, label) + 8, at.y() + 23), QPointF(left - 8, at.y() + 23),
             tone, 3, LineStyle::Solid, true);
    for (Index i = first; i < last; ++i) {
        const QRectF cell(left + static_cast<qreal>(i - first) * kCell, at.y(), kCell, 36);
        const bool inside = i >= 0 && i < size;
        const bool wanted = i >= from && i < to;
        BoxItem box;
        box.rect = inside ? cell : cell.adjusted(1, 1, -1, -1);
        box.fill = inside && wanted ? Tone::Selected : Tone::Stage;
        box.outline = inside ? Tone::Control : wanted ? Tone::Error : Tone::Ghost;
        box.width = inside ? 1 : 2;
        box.hatched = !inside && wanted;
        box.style = inside || wanted ? LineStyle::Solid : LineStyle::Dotted;
        if (!inside) box.radius = 2;
        out.box(box);
        const QString text = QString::number(i);
        if (!inside && wanted) {
            BoxItem plate;
            const qreal half = textWidth(FontRole::MetaStrong, text) / 2 + 4;
            plate.rect = QRectF(cell.center().x() - half, cell.center().y() - 9, 2 * half, 18);
            plate.fill = Tone::Stage;
            plate.radius = 3;
            out.box(plate);
        }
        out.text(cell.center() + QPointF(0, 4.4), text, wanted ? FontRole::MetaStrong : FontRole::Meta,
                 wanted ? Tone::Ink : Tone::Ink2, kCentre);
    }
    if (last < high)
        out.text(QPointF(left + static_cast<qreal>(last - first) * kCell + 6, at.y() + 22), QStringLiteral("…"),
                 FontRole::Meta, Tone::Ink2);
    if (first > low)
        out.text(QPointF(left - 6, at.y() + 50), QStringLiteral("… from %1").arg(first), FontRole::Label, Tone::Ink2);
    // What was asked for, as a bracket under the cells.
    const Index a = std::max(from, first);
    const Index b = std::min(to, last);
    if (a < b) {
        const qreal x0 = left + static_cast<qreal>(a - first) * kCell + 3;
        const qreal x1 = left + static_cast<qreal>(b - first) * kCell - 3;
        PathItem bracket;
        bracket.path.moveTo(x0, at.y() + 42);
        bracket.path.lineTo(x0, at.y() + 48);
        bracket.path.lineTo(x1, at.y() + 48);
        bracket.path.lineTo(x1, at.y() + 42);
        bracket.stroke = Tone::Error;
        bracket.width = 2;
        out.path(bracket);
        const QString words = to - from == 1 ? QStringLiteral("wanted: index %1").arg(from)
                                             : QStringLiteral("wanted: indices %1–%2").arg(from).arg(to - 1);
        const qreal half = (textWidth(FontRole::LabelStrong, words) + 20) / 2;
        const qreal x = std::max(left, (x0 + x1) / 2 - half);
        out.glyph(Glyph::Cross, QPointF(x + 7, at.y() + 63), 14, Tone::Error);
        out.text(QPointF(x + 20, at.y() + 67), words, FontRole::LabelStrong);
    }
    return at.y() + 76;
}

Story tellIndex(SceneBuilder& out, const RefusalFigureInput& in, const IndexOutOfRange& d, qreal& y) {
    Story story;
    const QString name = in.entry->name;
    const std::vector<Index> numbers = callNumbers(in.code);
    const QString called = method(in.code);
    if (in.refusal.id == "VIEW-12") {
        story.reason = QStringLiteral("Dim %1 cannot have size %2: a size counts elements, so it is 0 or more.")
                           .arg(d.dim)
                           .arg(d.index);
        return story;
    }
    Index from = d.index;
    Index to = d.index + 1;
    if (in.refusal.id == "VIEW-03") {
        if (d.index < 0) from = d.index + d.size, to = from + 1;
        story.reason = d.size == 0
                           ? QStringLiteral("Dim %1 has size 0: it has no index at all.").arg(d.dim)
                           : QStringLiteral("Dim %1 has the indices 0 … %2 (or −%3 … −1); %4 is not one of them.")
                                 .arg(d.dim)
                                 .arg(d.size - 1)
                                 .arg(d.size)
                                 .arg(d.index);
        if (d.size > 0) {
            const Index nearest = d.index < 0 ? 0 : d.size - 1;
            story.ways.push_back({callCode(name, QStringLiteral("select"), Dims{d.dim, nearest}),
                                  d.index < 0 ? QStringLiteral("the first index") : QStringLiteral("the last index")});
        }
    } else if (in.refusal.id == "VIEW-04") {
        Index start = d.index;
        if (called == QStringLiteral("narrow") && numbers.size() == 3) {
            start = numbers[1] < 0 ? numbers[1] + d.size : numbers[1];
            const Index length = numbers[2];
            from = start;
            to = std::max(start + length, start + 1);
            story.reason =
                length < 0 ? QStringLiteral("A length of %1 makes no part of a dim: lengths are 0 or more.").arg(length)
                           : QStringLiteral("From %1 on, %2 indices reach to %3; dim %4 ends at %5.")
                                 .arg(start)
                                 .arg(length)
                                 .arg(start + length - 1)
                                 .arg(d.dim)
                                 .arg(d.size - 1);
            if (start >= 0 && start < d.size && length > d.size - start) {
                story.ways.push_back({callCode(name, QStringLiteral("narrow"), Dims{d.dim, start, d.size - start}),
                                      QStringLiteral("what is left from %1 on").arg(start)});
            }
            if (length >= 0 && length <= d.size && d.size - length != start) {
                story.ways.push_back({callCode(name, QStringLiteral("narrow"), Dims{d.dim, d.size - length, length}),
                                      QStringLiteral("the last %1").arg(length)});
            }
        } else {
            story.reason = QStringLiteral("Dim %1 has the indices 0 … %2.").arg(d.dim).arg(d.size - 1);
        }
    } else {
        from = 0;
        to = std::max<Index>(d.index, 1);
        story.reason = d.index <= 0
                           ? QStringLiteral("%1 is not possible here: windows and steps count elements of dim %2.")
                                 .arg(d.index)
                                 .arg(d.dim)
                           : QStringLiteral("A window of %1 does not fit: dim %2 has %3 elements.")
                                 .arg(d.index)
                                 .arg(d.dim)
                                 .arg(d.size);
        if (called == QStringLiteral("unfold") && numbers.size() == 3 && d.size > 0 && d.index > d.size) {
            story.ways.push_back(
                {callCode(name, QStringLiteral("unfold"), Dims{numbers[0], d.size, std::max<Index>(numbers[2], 1)}),
                 QStringLiteral("one window over the whole dim")});
        }
    }
    y = appendDimRuler(out, QPointF(0, y), d.dim, d.size, from, to, in.width) + 8;
    return story;
}

Story tellBounds(SceneBuilder& out, const RefusalFigureInput& in, const StorageOutOfBounds& d, qreal& y) {
    const Tensor& tensor = in.entry->tensor;
    FigureStripInput input;
    input.source = tensor;
    input.storageNumber = in.storageNumber;
    input.lowest = std::max<Index>(0, std::min(d.lowest, d.has - 1));
    input.highest = std::max<Index>(0, d.has - 1);
    // As many hatched cells as there is room for; the numbers say the rest.
    constexpr Index kMost = 8;
    if (d.lowest < 0) {
        input.outOfRange = {std::max<Index>(d.lowest, -kMost), 0};
        input.lowest = 0;
        input.highest = std::min<Index>(d.has - 1, 8);
    } else {
        input.outOfRange = {d.has, std::min(d.highest + 1, d.has + kMost)};
        input.lowest = std::max<Index>(0, d.has - 10);
    }
    if (in.attempted) {
        StripReach reach;
        reach.tensor = in.entry->id;
        reach.colour = in.entry->colour;
        reach.view = *in.attempted;
        input.reach = reach;
    }
    const FigureStrip strip = layoutStrip(input, QPointF(0, y + 34), in.width);
    appendStrip(out, input, strip);
    const QRectF first = strip.cell(input.outOfRange.first);
    const QRectF last = strip.cell(input.outOfRange.last - 1);
    const QString words = d.lowest < 0 ? QStringLiteral("reaches slot %1, before the storage").arg(d.lowest)
                                       : QStringLiteral("needs %1, storage has %2").arg(d.needed).arg(d.has);
    const qreal width = textWidth(FontRole::Heading, words) + 22;
    qreal x = (first.left() + last.right()) / 2 - width / 2;
    x = std::clamp(x, 0.0, std::max(0.0, in.width - width));
    out.glyph(Glyph::Cross, QPointF(x + 8, y + 15), 16, Tone::Error);
    out.text(QPointF(x + 22, y + 20), words, FontRole::Heading);
    y = strip.bottom() + 52;

    Story story;
    story.reason =
        d.lowest < 0
            ? QStringLiteral(
                  "The walk goes below slot 0. Hatched cells are not part of the storage, so nothing is read there.")
            : QStringLiteral(
                  "offset + Σ (size − 1) · stride is %1, but the last slot is %2. Hatched cells are not part of the "
                  "storage, so nothing is read there.")
                  .arg(d.highest)
                  .arg(d.has - 1);
    if (in.attempted && d.lowest >= 0) {
        const View& v = *in.attempted;
        const auto code = [&](const View& w) {
            return QStringLiteral("%1.as_strided(%2, %3, %4)")
                .arg(in.entry->name, tupleText(w.shape), tupleText(w.stride))
                .arg(w.offset);
        };
        const ViewRanges ranges = legalRanges(v, tensor.storageNumel());
        if (!ranges.offset.empty()) {
            View w = v;
            w.offset = std::clamp(v.offset, ranges.offset.lowest, ranges.offset.highest);
            story.ways.push_back({code(w), QStringLiteral("the largest offset that fits: %1").arg(w.offset)});
        }
        for (std::size_t k = 0; k < v.shape.size() && story.ways.size() < 3; ++k) {
            if (!ranges.size[k].empty() && ranges.size[k].highest > 0 && v.shape[k] > ranges.size[k].highest) {
                View w = v;
                w.shape[k] = ranges.size[k].highest;
                story.ways.push_back({code(w), QStringLiteral("dim %1 with size %2").arg(k).arg(w.shape[k])});
            }
        }
        for (std::size_t k = 0; k < v.stride.size() && story.ways.size() < 3; ++k) {
            if (!ranges.stride[k].empty() && ranges.stride[k].highest > 0 && v.stride[k] > ranges.stride[k].highest) {
                View w = v;
                w.stride[k] = ranges.stride[k].highest;
                story.ways.push_back({code(w), QStringLiteral("dim %1 with stride %2").arg(k).arg(w.stride[k])});
            }
        }
    }
    return story;
}

Story tellDims(SceneBuilder& out, const RefusalFigureInput& in, const DimOutOfRange& d, qreal& y) {
    const View& view = in.entry->tensor.view();
    constexpr qreal kCell = 96;
    const Index ndim = view.dim();
    const Index most = std::max<Index>(3, static_cast<Index>(in.width / kCell) - 1);
    const Index shown = std::min(ndim, most);
    const auto chip = [&](qreal x, const QString& above, const QString& below, bool bad, Index dim) {
        BoxItem box;
        box.rect = QRectF(x, y, kCell - 10, 44);
        box.fill = Tone::Stage;
        box.outline = bad ? Tone::Error : Tone::Control;
        box.hatched = bad;
        box.width = bad ? 2 : 1.5;
        box.radius = 6;
        out.box(box);
        if (bad) {
            BoxItem plate;
            const qreal half = textWidth(FontRole::LabelStrong, above) / 2 + 5;
            plate.rect = QRectF(box.rect.center().x() - half, y + 12, 2 * half, 20);
            plate.fill = Tone::Stage;
            plate.radius = 3;
            out.box(plate);
        }
        out.text(QPointF(box.rect.center().x(), y + (bad ? 26 : 22)), above, FontRole::LabelStrong, Tone::Ink, kCentre);
        if (!bad)
            out.line(QPointF(x + 14, y + 32), QPointF(x + kCell - 24, y + 32), Theme::dimTone(dim), 3,
                     dim > 3 ? LineStyle::Dashed : LineStyle::Solid, true);
        out.text(QPointF(box.rect.center().x(), y + 60), below, FontRole::Index, Tone::Ink2, kCentre);
    };
    const QString wanted = QStringLiteral("dim %1").arg(d.got);
    qreal x = 0;
    if (d.got < 0) {
        chip(x, wanted, QStringLiteral("does not exist"), true, 0);
        x += kCell + 14;
    }
    for (Index i = 0; i < shown; ++i) {
        chip(x, QStringLiteral("dim %1 · %2").arg(i).arg(view.shape[static_cast<std::size_t>(i)]),
             QStringLiteral("or −%1").arg(ndim - i), false, i);
        x += kCell;
    }
    if (shown < ndim) {
        out.text(QPointF(x, y + 26), QStringLiteral("… %1 dims").arg(ndim), FontRole::Label, Tone::Ink2);
        x += 70;
    }
    if (d.got >= 0) chip(x + 14, wanted, QStringLiteral("does not exist"), true, 0);
    y += 76;

    Story story;
    if (ndim == 0) {
        story.reason = QStringLiteral("%1 is 0-d: one element, and no dim to walk along.").arg(in.entry->name);
        story.ways.push_back({callCode(in.entry->name, QStringLiteral("unsqueeze"), Dims{0}),
                              QStringLiteral("gives it a dim of size 1")});
        return story;
    }
    story.reason = QStringLiteral("%1 has %2 %3, numbered 0 … %4 from the left or −%2 … −1 from the right.")
                       .arg(in.entry->name)
                       .arg(ndim)
                       .arg(ndim == 1 ? QStringLiteral("dim") : QStringLiteral("dims"))
                       .arg(ndim - 1);
    // Replace the number where it stands alone in the call.
    const std::vector<Index> numbers = callNumbers(in.code);
    if (std::count(numbers.begin(), numbers.end(), d.got) == 1 && ndim > 0) {
        const Index nearest = d.got < 0 ? 0 : ndim - 1;
        Dims mended;
        for (const Index n : numbers) mended.push_back(n == d.got ? nearest : n);
        const bool twice = std::count(mended.begin(), mended.end(), nearest) > 1;
        const QString called = method(in.code);
        if (!called.isEmpty() && !twice && !in.code.contains(QLatin1Char('=')) &&
            !in.code.contains(QStringLiteral("(("))) {
            story.ways.push_back({callCode(in.entry->name, called, mended),
                                  d.got < 0 ? QStringLiteral("the first dim") : QStringLiteral("the last dim")});
        }
    }
    return story;
}

/// Sizes as a right-aligned table: what there is above what is wanted, the column that does not fit boxed.
Story tellSizes(SceneBuilder& out, const RefusalFigureInput& in, const BroadcastConflict& d, qreal& y) {
    const Dims& have = in.entry->tensor.shape();
    const Dims& wanted = in.wanted;
    const bool expands = in.refusal.id == "VIEW-20";
    const std::size_t columns = std::max(have.size(), wanted.size());
    constexpr qreal kColumn = 64;
    const qreal left = 150;
    const auto row = [&](qreal top, const QString& title, const Dims& sizes) {
        out.text(QPointF(0, top + 22), title, FontRole::LabelStrong);
        for (std::size_t c = 0; c < columns; ++c) {
            const QRectF cell(left + static_cast<qreal>(c) * kColumn, top, kColumn - 8, 32);
            const bool missing = c < columns - sizes.size();
            BoxItem box;
            box.rect = cell;
            box.outline = missing ? Tone::Ghost : Tone::Control;
            box.style = missing ? LineStyle::Dotted : LineStyle::Solid;
            box.radius = 4;
            out.box(box);
            const QString text = missing ? QStringLiteral("1") : QString::number(sizes[c - (columns - sizes.size())]);
            out.text(cell.center() + QPointF(0, 5.4), text, FontRole::Cell, missing ? Tone::Ink2 : Tone::Ink, kCentre);
        }
    };
    const qreal top = y + 22;
    const std::size_t bad =
        static_cast<std::size_t>(d.dim) + (expands ? columns - std::max(wanted.size(), have.size()) : 0);
    for (std::size_t c = 0; c < columns; ++c) {
        out.text(QPointF(left + static_cast<qreal>(c) * kColumn + kColumn / 2 - 4, top - 6),
                 QStringLiteral("dim %1").arg(c), c == bad ? FontRole::LabelStrong : FontRole::Label,
                 c == bad ? Tone::Ink : Tone::Ink2, kCentre);
    }
    row(top, QStringLiteral("%1 has").arg(in.entry->name), have);
    if (!wanted.empty()) row(top + 40, QStringLiteral("wanted"), wanted);
    if (bad < columns) {
        BoxItem box;
        box.rect = QRectF(left + static_cast<qreal>(bad) * kColumn - 5, top - 5, kColumn + 2, wanted.empty() ? 42 : 82);
        box.outline = Tone::Error;
        box.width = 3;
        box.radius = 6;
        out.box(box);
        out.glyph(Glyph::Cross, QPointF(box.rect.center().x(), box.rect.bottom() + 12), 16, Tone::Error);
    }
    y = top + (wanted.empty() ? 66 : 106);

    Story story;
    story.reason =
        expands
            ? QStringLiteral(
                  "Dim %1 has size %2, not 1. Only a size of 1 can be repeated without a copy: its stride becomes 0.")
                  .arg(d.dim)
                  .arg(d.b)
            : QStringLiteral("At dim %1 the sizes are %2 and %3: they must be equal, or one of them 1.")
                  .arg(d.dim)
                  .arg(d.a)
                  .arg(d.b);
    if (expands && static_cast<std::size_t>(d.dim) < wanted.size()) {
        Dims mended = wanted;
        mended[static_cast<std::size_t>(d.dim)] = -1;
        story.ways.push_back({callCode(in.entry->name, QStringLiteral("expand"), mended),
                              QStringLiteral("−1 keeps the size %1").arg(d.b)});
    }
    return story;
}

Story tellCount(SceneBuilder& out, const RefusalFigureInput& in, const NumelMismatch& d, qreal& y) {
    // Two bars of cells over each other: the difference is seen before it is read.
    const qreal room = in.width - 210;
    const Index longest = std::max<Index>({d.wanted, d.has, 1});
    const qreal cell = std::min<qreal>(26, room / static_cast<qreal>(longest));
    const auto bar = [&](qreal top, const QString& title, Index count, Tone fill) {
        out.text(QPointF(0, top + 17), title, FontRole::LabelStrong);
        if (cell >= 6) {
            for (Index i = 0; i < longest; ++i) {
                const bool there = i < count;
                const bool extra = there && i >= std::min(d.wanted, d.has);
                BoxItem box;
                box.rect = QRectF(190 + static_cast<qreal>(i) * cell, top, cell, 24);
                box.fill = there ? fill : Tone::None;
                box.outline = extra ? Tone::Error : there ? Tone::Ink2 : Tone::Ghost;
                box.hatched = extra;
                box.style = there ? LineStyle::Solid : LineStyle::Dotted;
                out.box(box);
            }
        } else {
            BoxItem box;
            box.rect = QRectF(190, top, std::max<qreal>(2, cell * static_cast<qreal>(count)), 24);
            box.fill = fill;
            box.outline = Tone::Ink2;
            out.box(box);
        }
    };
    bar(y, QStringLiteral("%1 has %2 elements").arg(in.entry->name).arg(d.has), d.has,
        Theme::viewTone(in.entry->colour));
    bar(y + 36, QStringLiteral("wanted: %1").arg(d.wanted), d.wanted, Tone::Stage);
    y += 78;
    Story story;
    const Index difference = d.has > d.wanted ? d.has - d.wanted : d.wanted - d.has;
    story.reason = QStringLiteral("A view keeps every element: the sizes must multiply to %1, and they give %2, %3 %4.")
                       .arg(d.has)
                       .arg(d.wanted)
                       .arg(difference)
                       .arg(d.has > d.wanted ? QStringLiteral("too few") : QStringLiteral("too many"));
    const View& view = in.entry->tensor.view();
    if (view.numel() == d.has) {
        for (const ShapeCandidate& candidate : shapeCandidates(view, view.shape, 8)) {
            if (story.ways.size() == 3) break;
            if (candidate.isView && !(candidate.shape == view.shape)) {
                story.ways.push_back({callCode(in.entry->name, QStringLiteral("view"), candidate.shape),
                                      QStringLiteral("a view with stride %1").arg(tupleText(candidate.stride))});
            }
        }
    }
    return story;
}

QString elementName(const QString& name, const std::vector<Index>& coord) {
    QString text = name + QLatin1Char('[');
    for (std::size_t d = 0; d < coord.size(); ++d)
        text += (d ? QStringLiteral(", ") : QString()) + QString::number(coord[d]);
    return text + QLatin1Char(']');
}

Story tellOverlap(SceneBuilder& out, const RefusalFigureInput& in, const SelfOverlap& d, qreal& y) {
    CardInput card;
    card.entry = in.entry;
    card.parent = in.parent;
    card.storageNumber = in.storageNumber;
    card.compact = true;
    card.note = false; // the reason below says it
    card.maxSize = QSizeF(in.width, 320);
    Pick pick;
    pick.storageId = in.entry->tensor.storage()->id();
    pick.slot = d.slot;
    pick.tensor = in.entry->id;
    for (const Index c : d.first) pick.coord.push_back(c);
    card.shown = pick;
    CardLayout layout = layoutCard(card);
    layout.pos = out.moved(QPointF(0, y));
    appendCard(out.scene(), layout);
    y += layout.size.height() + 34;
    FigureStripInput input;
    input.source = in.entry->tensor;
    input.storageNumber = in.storageNumber;
    input.lowest = input.highest = d.slot;
    StripReach reach;
    reach.tensor = in.entry->id;
    reach.colour = in.entry->colour;
    reach.view = in.entry->tensor.view();
    input.reach = reach;
    input.marks.push_back({d.slot, MarkKind::Ring, 0});
    const FigureStrip strip = layoutStrip(input, QPointF(0, y), in.width);
    // Both elements reach down to the one cell.
    const auto coordOf = [](const std::vector<Index>& numbers) {
        Dims coord;
        for (const Index n : numbers) coord.push_back(n);
        return coord;
    };
    for (const std::vector<Index>& numbers : {d.first, d.second}) {
        const auto cell = layout.cellRect(coordOf(numbers));
        if (!cell || !strip.shows(d.slot)) continue;
        const QPointF from = cell->bottomRight() - out.moved(QPointF(0, 0));
        const QPointF to(strip.cell(d.slot).center().x(), strip.top() - 2);
        PathItem link;
        link.path.moveTo(from);
        link.path.lineTo(QPointF(from.x(), layout.size.height() + layout.pos.y() - out.moved(QPointF(0, 0)).y()));
        const QPointF port = link.path.currentPosition();
        link.path.cubicTo(port + QPointF(0, 18), to - QPointF(0, 18), to);
        link.casing = true;
        out.path(link);
    }
    appendStrip(out, input, strip);
    y = strip.bottom() + 52;
    Story story;
    const QString name = in.entry->name;
    story.reason =
        QStringLiteral("%1 and %2 are the same storage cell, index %3: writing both at once has no single answer.")
            .arg(elementName(name, d.first), elementName(name, d.second))
            .arg(d.slot);
    story.ways.push_back(
        {name + QStringLiteral(".clone()"),
         QStringLiteral("a copy with a cell for every element, +%1").arg(bytesText(in.entry->tensor.nbytes()))});
    return story;
}

/// A walk backwards along a dim: what a negative stride would be.
Story tellBackwards(SceneBuilder& out, const RefusalFigureInput& in, qreal& y) {
    const std::vector<Index> numbers = callNumbers(in.code);
    const View& view = in.entry->tensor.view();
    Index dim = 0;
    if (in.refusal.id == "VIEW-29" && !numbers.empty()) dim = numbers[0] < 0 ? numbers[0] + view.dim() : numbers[0];
    Story story;
    story.reason =
        QStringLiteral("Going backwards needs a negative stride, and PyTorch has none: a reversed tensor is a copy.");
    if (dim < 0 || dim >= view.dim() || view.numel() == 0) return story;
    const Index size = std::min<Index>(view.shape[static_cast<std::size_t>(dim)], 12);
    const Index stride = view.stride[static_cast<std::size_t>(dim)];
    constexpr qreal kCell = 44;
    const qreal left = 150;
    const qreal top = y + 44;
    out.text(QPointF(0, top + 21),
             QStringLiteral("dim %1 · %2").arg(dim).arg(view.shape[static_cast<std::size_t>(dim)]),
             FontRole::LabelStrong);
    out.line(QPointF(80, top + 17), QPointF(136, top + 17), Theme::dimTone(dim), 3, LineStyle::Solid, true);
    for (Index i = 0; i < size; ++i) {
        const QRectF cell(left + static_cast<qreal>(i) * kCell, top, kCell, 34);
        BoxItem box;
        box.rect = cell;
        box.fill = Theme::viewTone(in.entry->colour);
        box.outline = Tone::Ink2;
        out.box(box);
        out.text(cell.center() + QPointF(0, 4.6), valueText(in.entry->tensor, view.offset + i * stride), FontRole::Meta,
                 Tone::OnView, kCentre);
        if (i > 0) {
            out.arc(QPointF(cell.center().x() - 3, top - 3), QPointF(cell.center().x() - kCell + 3, top - 3), 15,
                    Tone::Error, 2.5, LineStyle::Solid, false);
            out.text(QPointF(cell.left(), top - 24), stepText(-stride), FontRole::MetaStrong, Tone::Ink, kCentre);
        }
    }
    if (size < view.shape[static_cast<std::size_t>(dim)]) {
        out.text(QPointF(left + static_cast<qreal>(size) * kCell + 8, top + 22), QStringLiteral("…"), FontRole::Meta,
                 Tone::Ink2);
    }
    y = top + 52;
    return story;
}

/// The card of the tensor as it is: for refusals whose words say all.
void appendSource(SceneBuilder& out, const RefusalFigureInput& in, qreal& y) {
    if (!in.entry->tensor.defined()) return;
    CardInput card;
    card.entry = in.entry;
    card.parent = in.parent;
    card.storageNumber = in.storageNumber;
    card.compact = true;
    card.maxSize = QSizeF(in.width, 300);
    CardLayout layout = layoutCard(card);
    layout.pos = out.moved(QPointF(0, y));
    appendCard(out.scene(), layout);
    y += layout.size.height() + 14;
}

} // namespace

Figure refusalFigure(const RefusalFigureInput& input) {
    const Refusal& refusal = input.refusal;
    if (std::holds_alternative<ViewMergeFailure>(refusal.detail) && !input.wanted.empty()) {
        ViewFailsInput fails;
        fails.entry = input.entry;
        fails.parent = input.parent;
        fails.storageNumber = input.storageNumber;
        fails.nextStorageNumber = input.nextStorageNumber;
        fails.code = input.code;
        fails.wanted = input.wanted;
        fails.refusal = refusal;
        fails.width = input.width;
        fails.height = input.height;
        return viewFailsFigure(fails);
    }
    RefusalFigureInput in = input;
    in.width = std::max<qreal>(in.width, 640);
    Figure figure;
    SceneBuilder out(figure.scene, {}, in.entry->id, in.entry->tensor.defined() ? in.entry->tensor.storage()->id() : 0);
    qreal y = appendMessageBar(out, QRectF(0, 0, in.width, 0), in.code, refusal) + 18;

    Story story;
    if (const auto* bounds = std::get_if<StorageOutOfBounds>(&refusal.detail)) {
        story = tellBounds(out, in, *bounds, y);
    } else if (const auto* index = std::get_if<IndexOutOfRange>(&refusal.detail)) {
        appendSource(out, in, y);
        story = tellIndex(out, in, *index, y);
    } else if (const auto* dims = std::get_if<DimOutOfRange>(&refusal.detail)) {
        appendSource(out, in, y);
        story = tellDims(out, in, *dims, y);
    } else if (const auto* sizes = std::get_if<BroadcastConflict>(&refusal.detail)) {
        appendSource(out, in, y);
        story = tellSizes(out, in, *sizes, y);
    } else if (const auto* count = std::get_if<NumelMismatch>(&refusal.detail)) {
        story = tellCount(out, in, *count, y);
    } else if (const auto* overlap = std::get_if<SelfOverlap>(&refusal.detail)) {
        story = tellOverlap(out, in, *overlap, y);
    } else {
        appendSource(out, in, y);
        const bool backwards = refusal.id == "VIEW-29" || refusal.id == "VIEW-23" || refusal.id == "VIEW-05";
        if (backwards)
            story = tellBackwards(out, in, y);
        else
            story.reason = QString::fromStdString(refusal.hint);
    }
    if (story.reason.isEmpty()) story.reason = QString::fromStdString(refusal.hint);
    y = appendWords(out, QPointF(0, y + 14), story.reason, FontRole::Heading, Tone::Ink, in.width);
    if (!story.ways.empty()) {
        y += 16;
        out.text(QPointF(0, y), waysTitle(story.ways.size()), FontRole::LabelStrong);
        y += 12;
        for (std::size_t i = 0; i < story.ways.size(); ++i) {
            const qreal width = std::ceil(textWidth(FontRole::Code, story.ways[i].code)) + 28;
            const QRectF rect(0, y, std::min(width, in.width), 27);
            BoxItem box;
            box.rect = rect;
            box.fill = Tone::Stage;
            box.outline = Tone::Control;
            box.radius = 6;
            out.box(box, PartKind::Button, static_cast<int>(i));
            out.text(QPointF(14, y + 18), story.ways[i].code, FontRole::Code);
            out.text(QPointF(rect.right() + 14, y + 18), story.ways[i].why, FontRole::Label, Tone::Ink2);
            figure.codes.push_back(story.ways[i].code);
            y += 34;
        }
    }
    figure.sentence = story.reason;
    figure.scene.title = QStringLiteral("Why %1 is not possible. %2").arg(in.code, story.reason);
    figure.scene.size = QSizeF(in.width, std::ceil(y + 8));
    return figure;
}

} // namespace stridescope
