#pragma once
// PackedRecords: OpRecords as the bytes that came through a RecordRing. Reading one costs several requests for memory;
// most records of a loop are never read, so they are kept as they came until somebody asks.

#include "core/trace/op_record.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace stridescope {

/// A record as it comes out of the ring.
struct RingRecord {
    std::uint64_t number = 0; ///< counts all records of the writer, those that were dropped too; from 1
    OpRecord record;
};

/// The bytes of one record, read. Nothing when they are none: whatever they hold, this reads inside them.
std::optional<RingRecord> unpackRecord(std::span<const std::byte> bytes);

/// Oldest first. Bytes that turn out to be no record, because somebody wrote into the ring, have no effect, no name and
/// no outputs, and read() gives nothing.
class PackedRecords {
public:
    std::size_t size() const { return m_ends.size(); }
    bool empty() const { return m_ends.empty(); }
    std::size_t bytes() const { return m_bytes.size() + m_ends.size() * sizeof(std::size_t); }
    /// The writer's numbers follow each other: none between the first and the last one was dropped.
    bool isGapless() const { return m_gapless; }

    /// Copies one more. False, and nothing happens, for fewer bytes than any record has.
    bool add(std::span<const std::byte> record);
    void add(const PackedRecords& more);
    void dropFirst(std::size_t count);

    std::uint64_t number(std::size_t i) const;
    std::optional<RingRecord> read(std::size_t i) const { return unpackRecord(bytesOf(i)); }

    // --- Parts of a record, without a request for memory ---
    std::optional<OpEffect> effect(std::size_t i) const;
    std::string_view name(std::size_t i) const;
    /// Appends the storages of its outputs.
    void outputs(std::size_t i, std::vector<std::uint64_t>& storages) const;
    /// Is one of its outputs just this view? The device does not count.
    bool gives(std::size_t i, const TensorRecord& wanted) const;

private:
    std::span<const std::byte> bytesOf(std::size_t i) const;

    std::vector<std::byte> m_bytes;
    std::vector<std::size_t> m_ends; ///< of each record
    bool m_gapless = true;
};

} // namespace stridescope
