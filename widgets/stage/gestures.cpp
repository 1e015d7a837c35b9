#include "widgets/stage/gestures.h"

#include "core/view/view_ops.h"
#include "widgets/card/draw.h"
#include "widgets/model/words.h"

#include <algorithm>

namespace stridescope {

namespace {

void take(GestureResult& out, Result<View> result) {
    if (result.ok()) {
        out.view = *result;
    } else {
        out.refusal = result.refusal();
    }
}

/// What a refused as_strided would look like, so that it can be drawn; nothing when not even that is a view.
std::optional<View> drawable(const Dims& size, const Dims& stride, Index offset) {
    if (offset < 0) return std::nullopt;
    Result<View> view = makeView(size, stride, offset);
    if (!view.ok()) return std::nullopt;
    return *view;
}

QString narrowCode(Index dim, Index start, Index length) {
    return QStringLiteral(".narrow(%1, %2, %3)").arg(dim).arg(start).arg(length);
}

} // namespace

GestureResult boxGesture(const TensorEntry& entry, std::vector<BoxRange> box, Index step) {
    GestureResult out;
    const View& view = entry.tensor.view();
    const std::size_t dims = view.shape.size();
    if (box.size() != dims) return out;
    for (std::size_t d = 0; d < dims; ++d) {
        if (box[d].whole) box[d] = {0, view.shape[d] - 1, false, true};
        // Before the first element there is nothing that a line could ask for: negative starts count from the end.
        box[d].first = std::max<Index>(box[d].first, 0);
        box[d].last = std::max<Index>(box[d].last, 0);
    }
    step = std::max<Index>(step, 1);

    std::size_t narrowed = 0, selected = 0;
    bool outside = false;
    for (std::size_t d = 0; d < dims; ++d) {
        const Index low = std::min(box[d].first, box[d].last), high = std::max(box[d].first, box[d].last);
        if (box[d].select) {
            ++selected;
        } else if (low != 0 || high != view.shape[d] - 1) {
            ++narrowed;
        }
        outside = outside || low < 0 || high >= view.shape[d];
    }
    if (narrowed + selected == 0 && step == 1) return out;

    if (outside) {
        // Python's slices clamp silently; narrow says what does not fit.
        QString code = entry.name;
        Result<View> result = view;
        for (std::size_t d = 0; d < dims && result.ok(); ++d) {
            const Index low = std::min(box[d].first, box[d].last), high = std::max(box[d].first, box[d].last);
            if (low == 0 && high == view.shape[d] - 1) continue;
            code += narrowCode(static_cast<Index>(d), low, high - low + 1);
            result = narrow(*result, static_cast<Index>(d), low, high - low + 1);
        }
        out.code = code;
        if (!result.ok()) {
            View wanted = view;
            for (std::size_t d = 0; d < dims; ++d) {
                const Index low = std::min(box[d].first, box[d].last), high = std::max(box[d].first, box[d].last);
                wanted.offset += low * view.stride[d];
                wanted.shape[d] = high - low + 1;
            }
            take(out, std::move(result));
            out.view = drawable(wanted.shape, wanted.stride, wanted.offset);
            return out;
        }
        take(out, std::move(result));
        return out;
    }

    if (narrowed == 1 && selected == 0 && step == 1) {
        for (std::size_t d = 0; d < dims; ++d) {
            const Index low = std::min(box[d].first, box[d].last), high = std::max(box[d].first, box[d].last);
            if (low == 0 && high == view.shape[d] - 1) continue;
            out.code = entry.name + narrowCode(static_cast<Index>(d), low, high - low + 1);
            take(out, narrow(view, static_cast<Index>(d), low, high - low + 1));
        }
        return out;
    }

    QStringList parts;
    Result<View> result = view;
    Index dim = 0;
    for (std::size_t d = 0; d < dims && result.ok(); ++d) {
        const Index low = std::min(box[d].first, box[d].last), high = std::max(box[d].first, box[d].last);
        if (box[d].select) {
            parts << QString::number(low);
            result = select(*result, dim, low);
            continue;
        }
        // A dim that the drag did not cut is kept whole; a step applies to dragged dims of more than one cell.
        const bool whole = low == 0 && high == view.shape[d] - 1;
        const Index by = high > low && !box[d].whole ? step : 1;
        QString text = whole ? QStringLiteral(":") : QStringLiteral("%1:%2").arg(low).arg(high + 1);
        if (by > 1) text += QStringLiteral(":%1").arg(by);
        parts << text;
        result = slice(*result, dim, low, high + 1, by);
        ++dim;
    }
    while (parts.size() > 1 && parts.last() == QLatin1String(":")) parts.removeLast();
    if (parts.size() == 1 && parts.first() == QLatin1String(":")) return out;
    out.code = QStringLiteral("%1[%2]").arg(entry.name, parts.join(QStringLiteral(", ")));
    take(out, std::move(result));
    return out;
}

GestureResult dimGesture(const TensorEntry& entry, int from, int to, bool shift) {
    GestureResult out;
    const View& view = entry.tensor.view();
    const Index dims = view.dim();
    if (from == to || from < 0 || to < 0 || from >= dims || to >= dims) return out;
    if (dims == 2) {
        out.code = entry.name + QStringLiteral(".t()");
        take(out, t(view));
        return out;
    }
    if (!shift) {
        const int low = std::min(from, to), high = std::max(from, to);
        out.code = QStringLiteral("%1.transpose(%2, %3)").arg(entry.name).arg(low).arg(high);
        take(out, transpose(view, low, high));
        return out;
    }
    Dims order;
    for (Index d = 0; d < dims; ++d) {
        if (d != from) order.push_back(d);
    }
    order.insert(static_cast<std::size_t>(to), from);
    QStringList words;
    for (Index d : order) words << QString::number(d);
    out.code = QStringLiteral("%1.permute(%2)").arg(entry.name, words.join(QStringLiteral(", ")));
    take(out, permute(view, order));
    return out;
}

namespace {

GestureResult expandTo(const TensorEntry& entry, const Dims& sizes) {
    GestureResult out;
    QStringList words;
    for (Index size : sizes) words << QString::number(size);
    out.code = QStringLiteral("%1.expand(%2)").arg(entry.name, words.join(QStringLiteral(", ")));
    take(out, expand(entry.tensor.view(), sizes));
    return out;
}

} // namespace

GestureResult farEdgeGesture(const TensorEntry& entry, int dim, Index size) {
    const View& view = entry.tensor.view();
    if (dim < 0 || dim >= view.dim()) return {};
    const std::size_t d = static_cast<std::size_t>(dim);
    size = std::max<Index>(size, 0);
    if (size == view.shape[d]) return {};
    if (size < view.shape[d]) {
        GestureResult out;
        out.code = entry.name + narrowCode(dim, 0, size);
        take(out, narrow(view, dim, 0, size));
        return out;
    }
    Dims sizes = view.shape;
    sizes[d] = size;
    return expandTo(entry, sizes);
}

GestureResult nearEdgeGesture(const TensorEntry& entry, int dim, Index start) {
    const View& view = entry.tensor.view();
    if (dim < 0 || dim >= view.dim() || start == 0) return {};
    const std::size_t d = static_cast<std::size_t>(dim);
    if (start > 0) {
        start = std::min(start, view.shape[d]);
        GestureResult out;
        out.code = entry.name + narrowCode(dim, start, view.shape[d] - start);
        take(out, narrow(view, dim, start, view.shape[d] - start));
        return out;
    }
    if (dim != 0) return {};
    Dims sizes = view.shape;
    sizes.insert(0, 1 - start);
    return expandTo(entry, sizes);
}

GestureResult offsetGesture(const TensorEntry& entry, Index slot) {
    const View& view = entry.tensor.view();
    if (slot == view.offset) return {};
    GestureResult out;
    out.code = QStringLiteral("%1.as_strided(%2, %3, %4)")
                   .arg(entry.name, tupleText(view.shape), tupleText(view.stride))
                   .arg(slot);
    take(out, asStrided(view, view.shape, view.stride, slot, entry.tensor.storageNumel()));
    if (out.refusal) out.view = drawable(view.shape, view.stride, slot);
    return out;
}

QString assignCode(const TensorEntry& entry, const Dims& coord, const QString& value) {
    if (coord.empty()) return QStringLiteral("%1.fill_(%2)").arg(entry.name, value);
    return QStringLiteral("%1%2 = %3").arg(entry.name, coordText(coord), value);
}

} // namespace stridescope
