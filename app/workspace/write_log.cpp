#include "app/workspace/write_log.h"

#include "core/ops/copy.h"
#include "core/trace/op_record.h"
#include "core/view/overlap.h"

#include <algorithm>

namespace stridescope {

namespace {

/// A view that reaches the same slots as `target` and names each once. Example: {3, 4} {0, 1} -> {4} {1}.
View withoutRepeats(const View& target) {
    View view = target;
    for (std::size_t d = view.shape.size(); d-- > 0;) {
        if (view.stride[d] != 0 || view.shape[d] == 0) continue;
        view.shape.erase(d);
        view.stride.erase(d);
    }
    if (selfOverlap(view).answer == OverlapAnswer::None) return view;
    // Entangled: everything between the lowest and the highest slot.
    const Reach slots = reach(target).valueOrThrow();
    if (slots.empty()) return view;
    return contiguousView(Dims{slots.highest - slots.lowest + 1}, slots.lowest).valueOrThrow();
}

} // namespace

Index WriteLog::bytesTooLargeToKeep(const Tensor& target) {
    const Index bytes = target.withView(withoutRepeats(target.view())).nbytes();
    return bytes > kLargestKept ? bytes : 0;
}

bool WriteLog::save(const Tensor& target, std::size_t before) {
    SavedElements saved;
    saved.before = before;
    saved.target = target.withView(withoutRepeats(target.view()));
    saved.bytes = saved.target.nbytes();
    const bool keep = saved.bytes <= kLargestKept;
    if (keep) {
        const trace::Nested silent;
        saved.values = clone(saved.target);
    }
    m_saved.push_back(std::move(saved));
    return keep;
}

void WriteLog::add(const Tensor& target, const Tensor& values) {
    m_saved.push_back({target, values, target.nbytes(), 0});
}

void WriteLog::append(WriteLog&& more, std::size_t operations) {
    for (SavedElements& saved : more.m_saved) {
        saved.before += operations;
        m_saved.push_back(std::move(saved));
    }
    more.m_saved.clear();
}

bool WriteLog::allKept() const {
    return std::all_of(m_saved.begin(), m_saved.end(), [](const SavedElements& saved) { return saved.kept(); });
}

Index WriteLog::bytes() const {
    Index sum = 0;
    for (const SavedElements& saved : m_saved) sum += saved.kept() ? saved.bytes : 0;
    return sum;
}

Index WriteLog::bytesNotKept() const {
    Index sum = 0;
    for (const SavedElements& saved : m_saved) sum += saved.kept() ? 0 : saved.bytes;
    return sum;
}

void WriteLog::exchange(SavedElements& saved) {
    const trace::Nested silent;
    Tensor now = clone(saved.target);
    copy_(saved.target, saved.values);
    saved.values = std::move(now);
}

void WriteLog::undoKept() {
    for (auto it = m_saved.rbegin(); it != m_saved.rend(); ++it) {
        if (it->kept()) exchange(*it);
    }
}

void WriteLog::undo() {
    std::for_each(m_saved.rbegin(), m_saved.rend(), exchange);
}

void WriteLog::redo() {
    std::for_each(m_saved.begin(), m_saved.end(), exchange);
}

} // namespace stridescope
