// Ways out of what one tensor's sizes, strides or dims refuse: each kind has its own.

#include "app/workspace/view_ways.h"

#include "app/workspace/refused_line.h"
#include "core/view/checked.h"
#include "core/view/legal_ranges.h"
#include "core/view/view_ops.h"
#include "core/view/view_verdict.h"
#include "widgets/card/draw.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace stridescope {

namespace {

using expr::Node;
using expr::NodeKind;
using refused::joined;
using refused::numbersOf;
using refused::RefusedLine;

QString strided(const QString& receiver, const View& v) {
    return QStringLiteral("%1.as_strided(%2, %3, %4)")
        .arg(receiver, tupleText(v.shape), tupleText(v.stride))
        .arg(v.offset);
}

Dims firstOf(const Dims& numbers, std::size_t count) {
    return Dims(std::span<const Index>(numbers.begin(), std::min(count, numbers.size())));
}

/// The ways out of one refusal. Each method knows one kind.
class Ways {
public:
    Ways(const TensorEntry& asked, const QString& line, const Refusal& refusal)
        : m_view(asked.tensor.view()), m_tensor(asked.tensor), m_refusal(refusal), m_line(line) {}

    std::vector<RefusalWay> find() {
        using Way = void (Ways::*)();
        static const std::map<std::string, Way> byId{
            {"VIEW-05", &Ways::turned},       {"VIEW-06", &Ways::otherDiagonal}, {"VIEW-07", &Ways::wholeWindow},
            {"VIEW-11", &Ways::equalCounts},  {"VIEW-12", &Ways::legalSize},     {"VIEW-13", &Ways::oneInferred},
            {"VIEW-15", &Ways::nothingLeft},  {"VIEW-17", &Ways::swapped},       {"VIEW-18", &Ways::factors},
            {"VIEW-19", &Ways::everyDim},     {"VIEW-21", &Ways::newDim},        {"VIEW-22", &Ways::asManyStrides},
            {"VIEW-23", &Ways::forwards},     {"VIEW-24", &Ways::fromStart},     {"VIEW-30", &Ways::pieces},
            {"VIEW-31", &Ways::fittingSizes}, {"VIEW-32", &Ways::pieces},        {"EXPR-24", &Ways::fewerIndices},
            {"INDEX-10", &Ways::fewerIndices}};
        const auto way = byId.find(m_refusal.id);
        if (m_line.value() && way != byId.end()) (this->*way->second)();
        if (m_found.size() > kMostWays) m_found.resize(kMostWays);
        return std::move(m_found);
    }

private:
    void add(const QString& code, const QString& why) { m_found.push_back({code, why}); }
    void call(const QString& arguments, const QString& why) {
        add(QStringLiteral("%1.%2(%3)").arg(m_line.receiver(), QString::fromStdString(m_line.method()), arguments),
            why);
    }
    bool calls(std::string_view method) const { return m_line.method() == method; }
    Index sizeOf(Index dim) const { return m_view.shape[static_cast<std::size_t>(dim)]; }
    std::optional<Index> dimOf(Index dim) const {
        const Index at = dim < 0 ? dim + m_view.dim() : dim;
        return at >= 0 && at < m_view.dim() ? std::optional(at) : std::nullopt;
    }

    /// A[::-1]: the dim of the first slice with a negative step.
    void turned() {
        const Node& subscript = *m_line.value();
        if (subscript.kind != NodeKind::Subscript) return;
        const QString base = m_line.text(subscript.children.front());
        Index dim = 0;
        for (std::size_t i = 1; i < subscript.children.size(); ++i) {
            const Node& item = subscript.children[i];
            if (item.kind == NodeKind::Tuple || item.kind == NodeKind::Ellipsis || item.kind == NodeKind::None) return;
            const bool backwards = item.kind == NodeKind::Slice && item.children.size() == 3 &&
                                   m_line.text(item.children[2]).trimmed().startsWith(QLatin1Char('-'));
            if (backwards) {
                add(QStringLiteral("%1.flip(%2)").arg(base).arg(dim),
                    QStringLiteral("a copy, turned round along dim %1, +%2")
                        .arg(dim)
                        .arg(bytesText(m_tensor.nbytes())));
                return;
            }
            ++dim;
        }
    }
    void otherDiagonal() {
        if (m_view.dim() >= 2 && calls("diagonal")) call(QStringLiteral("0, 0, 1"), QStringLiteral("of dims 0 and 1"));
    }
    void wholeWindow() {
        const auto numbers = m_line.numbers();
        if (!calls("unfold") || !numbers || numbers->size() != 3) return;
        const auto dim = dimOf((*numbers)[0]);
        if (!dim || sizeOf(*dim) == 0) return;
        const Index window = std::clamp<Index>((*numbers)[1], 1, sizeOf(*dim));
        call(joined(Dims{(*numbers)[0], window, std::max<Index>((*numbers)[2], 1)}),
             QStringLiteral("windows of %1, a step of %2").arg(window).arg(std::max<Index>((*numbers)[2], 1)));
    }
    void equalCounts() {
        const auto source = m_line.list(0);
        const auto destination = m_line.list(1);
        if (!source || !destination) return;
        const std::size_t count = std::min(source->size(), destination->size());
        if (count == 0) return;
        call(QStringLiteral("%1, %2").arg(tupleText(firstOf(*source, count)), tupleText(firstOf(*destination, count))),
             QStringLiteral("only the dims that have a destination"));
    }
    void legalSize() {
        const auto* bad = std::get_if<IndexOutOfRange>(&m_refusal.detail);
        if (!bad) return;
        const auto place = static_cast<std::size_t>(bad->dim);
        if (calls("as_strided")) {
            const auto size = m_line.list(0);
            const auto stride = m_line.list(1);
            if (!size || !stride || size->size() != stride->size() || place >= size->size()) return;
            View wanted{*size, *stride, offsetArgument()};
            for (Index& s : wanted.shape) s = std::max<Index>(s, 1);
            const ViewRanges ranges = legalRanges(wanted, m_tensor.storageNumel());
            if (ranges.size[place].highest < 1) return;
            wanted.shape[place] = std::min(ranges.size[place].highest, std::max<Index>(1, -bad->index));
            add(strided(m_line.receiver(), wanted),
                QStringLiteral("dim %1 with size %2").arg(bad->dim).arg(wanted.shape[place]));
            return;
        }
        auto sizes = m_line.numbers();
        if (!sizes || place >= sizes->size()) return;
        (*sizes)[place] = -1;
        if (calls("view") || calls("reshape") || calls("expand"))
            call(joined(*sizes), calls("expand") ? QStringLiteral("−1 keeps the size that is there")
                                                 : QStringLiteral("−1: whatever is left over"));
    }
    void oneInferred() {
        for (const ShapeCandidate& candidate : shapeCandidates(m_view, m_view.shape, 8)) {
            if (!candidate.isView || candidate.shape == m_view.shape) continue;
            call(joined(candidate.shape), QStringLiteral("every size said"));
        }
    }
    void nothingLeft() {
        auto sizes = m_line.numbers();
        if (!sizes) return;
        for (Index& size : *sizes) size = size == -1 ? 1 : size;
        call(joined(*sizes), QStringLiteral("1 instead of −1: any size would do"));
    }
    void swapped() {
        const auto dims = m_line.numbers();
        if (calls("flatten") && dims && dims->size() == 2)
            call(joined(Dims{(*dims)[1], (*dims)[0]}), QStringLiteral("from the left one to the right one"));
    }
    void factors() {
        const auto first = m_line.arguments().empty() ? std::nullopt : numbersOf({m_line.arguments()[0]});
        const auto dim = first ? dimOf((*first)[0]) : std::nullopt;
        if (!calls("unflatten") || !dim || sizeOf(*dim) == 0) return;
        const Index size = sizeOf(*dim);
        // The largest factor that was named and fits stays.
        Dims parts;
        if (const auto named = m_line.list(1)) {
            for (const Index n : *named)
                if (n > 0 && size % n == 0 && parts.empty()) parts = Dims{n, size / n};
        }
        if (!parts.empty()) call(QStringLiteral("%1, %2").arg(*dim).arg(tupleText(parts)), sizesWhy(parts, size));
        for (Index n = 2; n < size && m_found.size() < 2; ++n) {
            const Dims pair{n, size / n};
            if (size % n == 0 && !(pair == parts))
                call(QStringLiteral("%1, %2").arg(*dim).arg(tupleText(pair)), sizesWhy(pair, size));
        }
        if (m_found.empty()) call(QStringLiteral("%1, (%2, 1)").arg(*dim).arg(size), sizesWhy(Dims{size, 1}, size));
    }
    static QString sizesWhy(const Dims& parts, Index size) {
        return QStringLiteral("%1 · %2 = %3").arg(parts[0]).arg(parts[1]).arg(size);
    }
    void everyDim() {
        const auto sizes = m_line.numbers();
        if (!calls("expand") || !sizes) return;
        Dims behind = *sizes;
        while (behind.size() < m_view.shape.size() + (sizes->empty() ? 0 : 1)) behind.push_back(-1);
        call(joined(firstOf(*sizes, 1).empty() ? behind : inFront(*sizes)),
             QStringLiteral("a new dim in front; −1 keeps a size"));
        call(joined(Dims(m_view.shape.size(), -1)), QStringLiteral("every size as it is"));
    }
    Dims inFront(const Dims& sizes) const {
        Dims all{sizes[0]};
        for (std::size_t i = 0; i < m_view.shape.size(); ++i) all.push_back(-1);
        return all;
    }
    void newDim() {
        auto sizes = m_line.numbers();
        if (!sizes) return;
        const std::size_t added = sizes->size() - std::min(sizes->size(), m_view.shape.size());
        for (std::size_t i = 0; i < added; ++i)
            if ((*sizes)[i] == -1) (*sizes)[i] = 1;
        call(joined(*sizes), QStringLiteral("a new dim of size 1"));
    }
    Index offsetArgument() const {
        if (m_line.arguments().size() < 3) return m_view.offset;
        const auto offset = numbersOf({m_line.arguments()[2]});
        return offset ? (*offset)[0] : m_view.offset;
    }
    /// A way that reaches no slot outside the storage.
    void addStrided(const View& wanted, const QString& why) {
        if (asStrided(m_view, wanted.shape, wanted.stride, wanted.offset, m_tensor.storageNumel()))
            add(strided(m_line.receiver(), wanted), why);
    }
    void asManyStrides() {
        const auto size = m_line.list(0);
        const auto stride = m_line.list(1);
        if (!size || !stride) return;
        const std::size_t count = std::min(size->size(), stride->size());
        const Index offset = offsetArgument();
        addStrided({firstOf(*size, count), firstOf(*stride, count), offset},
                   QStringLiteral("the first %1 of both").arg(count));
        if (size->size() < stride->size()) {
            Dims longer = *size;
            while (longer.size() < stride->size()) longer.push_back(1);
            addStrided({longer, *stride, offset}, QStringLiteral("a size of 1 for the other strides"));
        } else {
            // Walks on in row-major order below the last stride that was given.
            const Result<View> packed = contiguousView(*size);
            if (packed) addStrided({*size, packed->stride, offset}, QStringLiteral("the strides of packed elements"));
        }
    }
    /// The same cells from the lowest one on, and the copy that has them in the wanted order.
    void forwards() {
        const auto size = m_line.list(0);
        const auto stride = m_line.list(1);
        if (!size || !stride || size->size() != stride->size()) return;
        View wanted{*size, *stride, offsetArgument()};
        Dims turned;
        for (std::size_t d = 0; d < size->size(); ++d) {
            if ((*stride)[d] >= 0 || (*size)[d] < 1) continue;
            turned.push_back(static_cast<Index>(d));
            const WideIndex step = (*stride)[d];
            wanted.offset = clampToIndex(wanted.offset + step * ((*size)[d] - 1));
            wanted.stride[d] = clampToIndex(-step);
        }
        const bool fewer = shrinkToFit(wanted);
        const ViewRanges ranges = legalRanges(wanted, m_tensor.storageNumel());
        if (ranges.offset.empty()) return; // of an empty storage
        const bool moved = !ranges.offset.contains(wanted.offset);
        wanted.offset = std::clamp(wanted.offset, ranges.offset.lowest, ranges.offset.highest);
        const QString code = strided(m_line.receiver(), wanted);
        const QString from = moved ? QStringLiteral(" from index %1 on").arg(wanted.offset) : QString();
        const QString which = fewer   ? QStringLiteral("as many of the cells as there are")
                              : moved ? QStringLiteral("as many cells") // moved to where they fit, they are others
                                      : QStringLiteral("the same cells");
        add(code + QStringLiteral(".flip(%1)").arg(joined(turned)),
            QStringLiteral("a copy %1 the order that was wanted%2, +%3")
                .arg(fewer ? QStringLiteral("of what fits, in") : QStringLiteral("with"), from,
                     bytesText(wanted.numel() * itemSize(m_tensor.dtype()))));
        add(code, QStringLiteral("a view of %1, forwards%2").arg(which, from));
    }
    /// Where the view fits nowhere in the storage: with smaller sizes, first of the dim that goes farthest.
    bool shrinkToFit(View& wanted) const {
        const auto span = [&wanted](std::size_t d) {
            return WideIndex{std::max<Index>(wanted.shape[d] - 1, 0)} * wanted.stride[d];
        };
        std::vector<std::size_t> farthest(wanted.shape.size());
        std::iota(farthest.begin(), farthest.end(), std::size_t{0});
        std::stable_sort(farthest.begin(), farthest.end(),
                         [&span](std::size_t a, std::size_t b) { return span(a) > span(b); });
        bool fewer = false;
        for (const std::size_t d : farthest) {
            if (!legalRanges(wanted, m_tensor.storageNumel()).offset.empty()) break;
            WideIndex room = WideIndex{m_tensor.storageNumel()} - 1;
            for (std::size_t other = 0; other < wanted.shape.size(); ++other)
                if (other != d) room -= span(other);
            wanted.shape[d] = room > 0 ? static_cast<Index>(room / wanted.stride[d]) + 1 : 1;
            fewer = true;
        }
        return fewer;
    }
    void fromStart() {
        const auto size = m_line.list(0);
        const auto stride = m_line.list(1);
        if (size && stride) addStrided({*size, *stride, 0}, QStringLiteral("from the first cell of the storage on"));
    }
    void pieces() {
        const Index dimArgument =
            m_line.arguments().size() > 1 ? numbersOf({m_line.arguments()[1]}).value_or(Dims{0})[0] : 0;
        const auto dim = dimOf(dimArgument);
        if (!dim) return;
        const QString at = m_line.arguments().size() > 1 ? QStringLiteral(", %1").arg(dimArgument) : QString();
        const Index half = std::max<Index>(1, (sizeOf(*dim) + 1) / 2);
        if (calls("chunk")) {
            call(QStringLiteral("2") + at, QStringLiteral("two pieces of dim %1").arg(*dim));
            return;
        }
        call(QString::number(half) + at, QStringLiteral("pieces of %1 along dim %2").arg(half).arg(*dim));
        if (half > 1) call(QStringLiteral("1") + at, QStringLiteral("a piece for each index of dim %1").arg(*dim));
    }
    void fittingSizes() {
        auto sizes = m_line.list(0);
        const Index dimArgument =
            m_line.arguments().size() > 1 ? numbersOf({m_line.arguments()[1]}).value_or(Dims{0})[0] : 0;
        const auto dim = dimOf(dimArgument);
        if (!sizes || !dim) return;
        const QString at = m_line.arguments().size() > 1 ? QStringLiteral(", %1").arg(dimArgument) : QString();
        // As many of the wanted pieces as fit, and the rest as the last one.
        Dims fitting;
        Index left = sizeOf(*dim);
        for (const Index size : *sizes) {
            if (size < 0 || size > left) break;
            fitting.push_back(size);
            left -= size;
        }
        if (left > 0) fitting.push_back(left);
        call(QStringLiteral("[%1]").arg(joined(fitting)) + at, QStringLiteral("they add up to %1").arg(sizeOf(*dim)));
    }
    void fewerIndices() {
        const Node& subscript = *m_line.value();
        if (subscript.kind != NodeKind::Subscript || m_view.dim() == 0) return;
        QStringList kept;
        for (std::size_t i = 1; i < subscript.children.size(); ++i) {
            const Node& item = subscript.children[i];
            if (item.kind != NodeKind::Integer && item.kind != NodeKind::Slice) return;
            if (kept.size() < m_view.dim()) kept << m_line.text(item);
        }
        if (kept.size() + 1 == static_cast<qsizetype>(subscript.children.size())) return;
        add(QStringLiteral("%1[%2]").arg(m_line.text(subscript.children.front()), kept.join(QStringLiteral(", "))),
            m_view.dim() == 1 ? QStringLiteral("one index for its one dim")
                              : QStringLiteral("one index for each of its %1 dims").arg(m_view.dim()));
    }

    const View& m_view;
    const Tensor& m_tensor;
    const Refusal& m_refusal;
    RefusedLine m_line;
    std::vector<RefusalWay> m_found;
};

} // namespace

std::vector<RefusalWay> viewWays(const TensorEntry& asked, const QString& line, const Refusal& refusal) {
    return Ways(asked, line, refusal).find();
}

} // namespace stridescope
