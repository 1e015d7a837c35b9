#pragma once
// StepRecords: the operations of one step of the history.

#include "core/trace/packed_records.h"

#include <QtGlobal>

#include <map>
#include <vector>

namespace stridescope {

/// Oldest first. Those of Python's lines stay as the kernel wrote them until somebody asks for them all: a loop leaves
/// thousands, and of most steps nobody ever asks.
class StepRecords {
public:
    StepRecords() = default;
    /// `here`: the storages' numbers in this process, by the kernel's; another storage, which the kernel never listed,
    /// gets its number there with `unlisted` added. `complete` as below.
    StepRecords(PackedRecords packed, std::map<quint64, quint64> here, quint64 unlisted, bool complete);

    bool complete = true; ///< false: some were too many to keep
    /// Old elements were saved before the first operation, not before each: Python's lines.
    bool savedAtOnce = false;

    const std::vector<OpRecord>& records() const;
    std::size_t size() const { return m_packed.empty() ? m_records.size() : m_packed.size(); }
    /// The first ones of that name.
    std::vector<OpRecord> named(std::string_view name, std::size_t most) const;
    void add(const OpRecord& record) { m_records.push_back(record); }
    /// Takes those of `more` in behind its own. Precondition: neither is of a line of Python.
    void append(StepRecords&& more);
    /// Memory that it takes now.
    Index bytes() const;

private:
    std::optional<OpRecord> unpacked(std::size_t i) const;

    mutable PackedRecords m_packed; ///< empty once they were asked for
    mutable std::vector<OpRecord> m_records;
    std::map<quint64, quint64> m_here;
    quint64 m_unlisted = 0;
};

} // namespace stridescope
