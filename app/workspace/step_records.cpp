#include "app/workspace/step_records.h"

#include <algorithm>
#include <iterator>

namespace stridescope {

StepRecords::StepRecords(PackedRecords packed, std::map<quint64, quint64> here, quint64 unlisted, bool isComplete)
    : complete(isComplete), savedAtOnce(true), m_packed(std::move(packed)), m_here(std::move(here)),
      m_unlisted(unlisted) {}

std::optional<OpRecord> StepRecords::unpacked(std::size_t i) const {
    std::optional<RingRecord> read = m_packed.read(i);
    if (!read) return std::nullopt;
    for (auto* side : {&read->record.inputs, &read->record.outputs}) {
        for (TensorRecord& tensor : *side) {
            const auto here = m_here.find(tensor.storageId);
            tensor.storageId = here == m_here.end() ? m_unlisted | tensor.storageId : here->second;
        }
    }
    return std::move(read->record);
}

const std::vector<OpRecord>& StepRecords::records() const {
    if (m_packed.empty()) return m_records;
    m_records.reserve(m_packed.size());
    for (std::size_t i = 0; i < m_packed.size(); ++i) {
        if (auto record = unpacked(i)) m_records.push_back(std::move(*record));
    }
    m_packed = {};
    return m_records;
}

std::vector<OpRecord> StepRecords::named(std::string_view name, std::size_t most) const {
    std::vector<OpRecord> found;
    for (std::size_t i = 0; i < m_packed.size() && found.size() < most; ++i) {
        if (m_packed.name(i) != name) continue;
        if (auto record = unpacked(i)) found.push_back(std::move(*record));
    }
    for (std::size_t i = 0; i < m_records.size() && found.size() < most; ++i) {
        if (m_records[i].name == name) found.push_back(m_records[i]);
    }
    return found;
}

void StepRecords::append(StepRecords&& more) {
    std::move(more.m_records.begin(), more.m_records.end(), std::back_inserter(m_records));
    more.m_records.clear();
}

Index StepRecords::bytes() const {
    std::size_t sum = m_packed.bytes();
    for (const OpRecord& record : m_records)
        sum += sizeof(OpRecord) + record.name.capacity() + record.arguments.capacity() +
               (record.inputs.capacity() + record.outputs.capacity()) * sizeof(TensorRecord);
    return static_cast<Index>(sum);
}

} // namespace stridescope
