#include "core/view/broadcast_fixes.h"

#include "core/view/broadcast.h"
#include "core/view/view_ops.h"

#include <algorithm>
#include <tuple>

namespace stridescope {

namespace {

class FixList {
public:
    FixList(const View& a, const View& b) : m_operands{&a, &b} {}

    void collect() {
        for (const int operand : {0, 1}) {
            unsqueezes(operand);
            const View& own = *m_operands[operand];
            if (own.dim() == 2) add(operand, BroadcastFixKind::Transpose, {}, t(own));
            const Dims& other = m_operands[1 - operand]->shape;
            if (own.numel() > 0 && own.numel() == m_operands[1 - operand]->numel()) reshapeTo(operand, other);
            trailingOnes(operand);
            narrowed(operand);
        }
    }

    std::vector<BroadcastFix> best(std::size_t limit) const {
        std::vector<const BroadcastFix*> order;
        for (const BroadcastFix& fix : m_fixes) order.push_back(&fix);
        std::stable_sort(order.begin(), order.end(),
                         [this](const BroadcastFix* x, const BroadcastFix* y) { return rank(*x) < rank(*y); });
        // One road to each result is enough.
        std::vector<BroadcastFix> chosen;
        for (const BroadcastFix* fix : order) {
            if (chosen.size() == limit) break;
            const bool known = std::any_of(chosen.begin(), chosen.end(), [&](const BroadcastFix& other) {
                return other.operand == fix->operand && other.shape == fix->shape;
            });
            if (!known) chosen.push_back(*fix);
        }
        return chosen;
    }

private:
    /// Smaller is better.
    std::tuple<bool, bool, bool, Index, int> rank(const BroadcastFix& fix) const {
        const std::size_t dims = std::max(m_operands[0]->shape.size(), m_operands[1]->shape.size());
        const bool empty = std::find(fix.result.begin(), fix.result.end(), 0) != fix.result.end();
        Index elements = empty ? 0 : 1;
        if (!empty)
            for (const Index size : fix.result) elements *= size; // fits: broadcastShapes looked
        return {fix.result.size() > dims, fix.kind == BroadcastFixKind::Narrow, fix.copies, elements,
                static_cast<int>(fix.kind)};
    }

    void add(int operand, BroadcastFixKind kind, Dims arguments, const Result<View>& mended, bool copies = false) {
        if (!mended) return;
        const Dims& other = m_operands[1 - operand]->shape;
        Result<Dims> result =
            operand == 0 ? broadcastShapes(mended->shape, other) : broadcastShapes(other, mended->shape);
        if (!result || result->size() > static_cast<std::size_t>(kMaxDims)) return;
        m_fixes.push_back({operand, kind, std::move(arguments), copies, mended->shape, std::move(*result)});
    }

    void unsqueezes(int operand) {
        const View& own = *m_operands[operand];
        // In front it changes nothing: a missing dim counts as 1 there anyway.
        for (Index dim = 1; dim <= own.dim(); ++dim)
            add(operand, BroadcastFixKind::Unsqueeze, Dims{dim}, unsqueeze(own, dim));
    }

    void reshapeTo(int operand, const Dims& shape) {
        const View& own = *m_operands[operand];
        const bool isView = static_cast<bool>(viewAs(own, shape));
        add(operand, BroadcastFixKind::View, shape, contiguousView(shape), !isView);
    }

    /// The last resort, which always fits: every element of one meets every element of the other.
    void trailingOnes(int operand) {
        const View& own = *m_operands[operand];
        const Index most = m_operands[1 - operand]->dim();
        for (Index ones = 2; ones <= most; ++ones) {
            Dims shape = own.shape;
            for (Index i = 0; i < ones; ++i) shape.push_back(1);
            const Result<View> mended = viewAs(own, shape);
            add(operand, BroadcastFixKind::View, shape, mended);
        }
    }

    void narrowed(int operand) {
        const View& own = *m_operands[operand];
        const Dims& other = m_operands[1 - operand]->shape;
        const std::size_t both = std::min(own.shape.size(), other.size());
        for (std::size_t fromRight = 1; fromRight <= both; ++fromRight) {
            const Index size = own.shape[own.shape.size() - fromRight];
            const Index wanted = other[other.size() - fromRight];
            if (wanted <= 1 || size <= wanted) continue;
            const Index dim = own.dim() - static_cast<Index>(fromRight);
            add(operand, BroadcastFixKind::Narrow, Dims{dim, wanted}, narrow(own, dim, 0, wanted));
        }
    }

    const View* m_operands[2];
    std::vector<BroadcastFix> m_fixes;
};

} // namespace

std::vector<BroadcastFix> broadcastFixes(const View& a, const View& b, std::size_t limit) {
    if (broadcastShapes(a.shape, b.shape)) return {};
    FixList fixes(a, b);
    fixes.collect();
    return fixes.best(limit);
}

} // namespace stridescope
