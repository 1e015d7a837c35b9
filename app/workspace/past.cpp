#include "app/workspace/past.h"

#include "core/print/format_element.h"
#include "core/view/inverse.h"

#include <algorithm>
#include <cstring>

namespace stridescope {

namespace {

/// Where the elements that a log saved have the byte, as an address; null when they do not have it.
const std::byte* savedByte(const SavedElements& saved, Index byte) {
    const auto item = static_cast<Index>(saved.target.itemSize());
    const InverseHits hits = coordsAt(saved.target.view(), byte / item, 1);
    if (hits.coords.empty()) return nullptr;
    return saved.values.storage()->data() + saved.values.view().slot(hits.coords.front()) * item + byte % item;
}

bool covers(const SavedElements& saved, std::uint64_t storage, Index byte) {
    return saved.target.storage()->id() == storage &&
           reaches(saved.target.view(), byte / static_cast<Index>(saved.target.itemSize()));
}

std::optional<PastValue> savedValue(const SavedElements& saved, const PastElement& element) {
    if (!saved.kept()) return std::nullopt;
    PastValue value{{}, element.tensor.dtype};
    for (std::size_t k = 0; k < itemSize(value.dtype); ++k) {
        const std::byte* from = savedByte(saved, element.byte() + static_cast<Index>(k));
        if (!from) return std::nullopt; // a write of a part of it
        value.bytes[k] = *from;
    }
    return value;
}

/// The first operation in [from, end) of these that wrote the byte; `end` when none did.
std::size_t firstWrite(const std::vector<OpRecord>& records, std::size_t from, std::size_t end, std::uint64_t storage,
                       Index byte) {
    while (from < end && !elementWritten(records[from], storage, byte)) ++from;
    return from;
}

const TensorEntry* entryIn(const WorkspaceState& state, const PastElement& element, Dims& coord) {
    const TensorEntry* found = nullptr;
    for (const auto& entry : state.tensors) {
        const Tensor& tensor = entry->tensor;
        if (tensor.storage()->id() != element.tensor.storageId || tensor.dtype() != element.tensor.dtype) continue;
        if (tensor.view() == element.tensor.view) {
            coord = element.coord;
            return entry.get();
        }
        if (found) continue;
        const InverseHits hits = coordsAt(tensor.view(), element.tensor.view.slot(element.coord), 1);
        if (hits.coords.empty()) continue;
        found = entry.get();
        coord = hits.coords.front();
    }
    return found;
}

} // namespace

Index PastElement::byte() const {
    return tensor.view.slot(coord) * static_cast<Index>(itemSize(tensor.dtype));
}

QString PastValue::text() const {
    return QString::fromStdString(elementText(bytes.data(), dtype));
}

const SavedElements* Past::savedIn(const PastStep& step, std::uint64_t storage, Index byte, std::size_t from) const {
    for (const SavedElements& saved : step.writes->entries()) {
        if (saved.before >= from && covers(saved, storage, byte)) return &saved;
    }
    return nullptr;
}

const SavedElements* Past::lastSavedBefore(const PastStep& step, std::uint64_t storage, Index byte,
                                           std::size_t end) const {
    const auto& entries = step.writes->entries();
    const auto found = std::find_if(entries.rbegin(), entries.rend(), [&](const SavedElements& saved) {
        return saved.before < end && covers(saved, storage, byte);
    });
    if (found == entries.rend()) return nullptr;
    return firstWrite(step.operations->records(), found->before, end, storage, byte) < end ? nullptr : &*found;
}

StoragePtr Past::storage(std::uint64_t id) const {
    const auto in = [id](const WorkspaceState& state) {
        const auto entry = std::find_if(state.tensors.begin(), state.tensors.end(),
                                        [id](const auto& each) { return each->tensor.storage()->id() == id; });
        return entry == state.tensors.end() ? StoragePtr() : (*entry)->tensor.storage();
    };
    if (StoragePtr found = in(m_now)) return found;
    for (auto step = m_steps.rbegin(); step != m_steps.rend(); ++step) {
        if (StoragePtr found = in(*step->before)) return found;
    }
    return {};
}

bool Past::changedUnseen(std::size_t step, const PastElement& element) const {
    if (!m_steps[step].operations->savedAtOnce) return false;
    const SavedElements* saved = savedIn(m_steps[step], element.tensor.storageId, element.byte(), 0);
    if (!saved) return false;
    const auto& records = m_steps[step].operations->records();
    if (firstWrite(records, 0, records.size(), element.tensor.storageId, element.byte()) < records.size()) return false;
    if (!saved->kept()) return true; // perhaps
    const auto after = valueOf(element, {step + 1, 0});
    return !after || savedValue(*saved, element) != after;
}

std::optional<PastValue> Past::valueOf(const PastElement& element, PastMoment when) const {
    const std::uint64_t id = element.tensor.storageId;
    const Index byte = element.byte();
    for (std::size_t s = when.step; s < m_steps.size(); ++s) {
        const std::size_t from = s == when.step ? when.record : 0;
        const StepRecords& operations = *m_steps[s].operations;
        const auto& records = operations.records();
        const std::size_t written = firstWrite(records, from, records.size(), id, byte);
        const bool writesNow = written < records.size();
        if (!operations.savedAtOnce || from == 0) {
            const SavedElements* saved = savedIn(m_steps[s], id, byte, from);
            if (saved && saved->before <= written) return savedValue(*saved, element);
            if (!writesNow) continue;
            saved = lastSavedBefore(m_steps[s], id, byte, from);
            return saved ? savedValue(*saved, element) : std::nullopt;
        }
        // Saved before the step began, and asked for in the middle of it.
        const bool wrote = firstWrite(records, 0, from, id, byte) < from;
        if (writesNow && wrote) return std::nullopt;
        if (changedUnseen(s, element)) return std::nullopt;
        if (!writesNow) continue;
        const SavedElements* saved = savedIn(m_steps[s], id, byte, 0);
        return saved ? savedValue(*saved, element) : std::nullopt;
    }
    const StoragePtr here = storage(id);
    PastValue value{{}, element.tensor.dtype};
    const std::size_t size = itemSize(value.dtype);
    if (!here || !here->device().isCpu() || byte < 0 || static_cast<std::size_t>(byte) + size > here->bytes())
        return std::nullopt;
    std::memcpy(value.bytes.data(), here->data() + byte, size);
    return value;
}

Past::Writer Past::writerOf(const PastElement& element, PastMoment when) const {
    const std::uint64_t id = element.tensor.storageId;
    using Kind = Writer::Kind;
    for (std::size_t s = std::min(when.step + 1, m_steps.size()); s-- > 0;) {
        const PastStep& step = m_steps[s];
        const auto& records = step.operations->records();
        const std::size_t end = s == when.step ? when.record : records.size();
        if (const auto found = lastWriter(records, end, id, element.byte()))
            return {Kind::Operation, {s, found->record}, *found};
        const bool whole = end == records.size();
        if (whole && changedUnseen(s, element)) return {Kind::Unrecorded, {s, 0}, {}};
        if (!step.operations->complete) return {Kind::Forgotten, {s, 0}, {}};
        if (step.after->hasStorage(id) && !step.before->hasStorage(id)) {
            // Undone and bound again, or kept by Python alone: an older step may still have brought it.
            const bool older =
                std::any_of(m_steps.begin(), m_steps.begin() + static_cast<std::ptrdiff_t>(s), [id](const PastStep& o) {
                    return o.after->hasStorage(id) || o.before->hasStorage(id) ||
                           std::any_of(o.operations->records().begin(), o.operations->records().end(),
                                       [id](const OpRecord& record) {
                                           return std::any_of(
                                               record.outputs.begin(), record.outputs.end(),
                                               [id](const TensorRecord& made) { return made.storageId == id; });
                                       });
                });
            if (!older) return {Kind::TakenIn, {s, 0}, {}};
        }
    }
    return {};
}

bool Past::isWrittenAfter(const PastElement& element, PastMoment when) const {
    for (std::size_t s = when.step; s < m_steps.size(); ++s) {
        const std::size_t from = s == when.step ? when.record : 0;
        const auto& records = m_steps[s].operations->records();
        if (firstWrite(records, from, records.size(), element.tensor.storageId, element.byte()) < records.size() ||
            changedUnseen(s, element))
            return true;
    }
    return false;
}

std::optional<PastMoment> Past::viewMadeBy(const TensorRecord& view, PastMoment from, PastMoment when) const {
    for (std::size_t s = std::min(when.step + 1, m_steps.size()); s-- > from.step;) {
        const auto& records = m_steps[s].operations->records();
        const std::size_t first = s == from.step ? from.record : 0;
        for (std::size_t r = s == when.step ? when.record : records.size(); r-- > first;) {
            if (records[r].effect != OpEffect::View || records[r].inputs.empty()) continue;
            for (const TensorRecord& made : records[r].outputs) {
                if (made.storageId == view.storageId && made.view == view.view && made.dtype == view.dtype)
                    return PastMoment{s, r};
            }
        }
    }
    return std::nullopt;
}

const TensorEntry* Past::entryOf(const PastElement& element, std::size_t step, Dims& coord) const {
    if (step < m_steps.size()) {
        if (const TensorEntry* entry = entryIn(*m_steps[step].after, element, coord)) return entry;
        if (const TensorEntry* entry = entryIn(*m_steps[step].before, element, coord)) return entry;
    }
    return entryIn(m_now, element, coord);
}

const TensorEntry* Past::entryNow(const PastElement& element, Dims& coord) const {
    return entryIn(m_now, element, coord);
}

} // namespace stridescope
