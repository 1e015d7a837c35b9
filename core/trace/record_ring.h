#pragma once
// RecordRing: the OpRecords of one process for another one to read, through shared memory.

#include "core/result.h"
#include "core/spin_lock.h"
#include "core/trace/record_parts.h"

#include <memory>
#include <optional>
#include <vector>

namespace stridescope {

/// A record as it comes out of the ring.
struct RingRecord {
    std::uint64_t number = 0; ///< counts all records of the writer, those that were dropped too; from 1
    OpRecord record;
};

/// A ring of bytes in a memory file, with one process that writes and one that reads. Writing costs a copy and no
/// system call; when the reader is behind and the ring is full the record is dropped, and the gap in the numbers tells.
/// What was written can still be read after the writer's process has ended.
class RecordRing final : public RecordSink {
public:
    static constexpr std::size_t kBytes = std::size_t{1} << 20;

    /// A new ring, for the writer. Refused: RING-01 (no memory file to be had).
    static Result<std::unique_ptr<RecordRing>> create();
    /// The ring behind a descriptor that another process made; it stays the caller's. Refused: RING-02.
    static Result<std::unique_ptr<RecordRing>> open(int descriptor);
    ~RecordRing();
    RecordRing(const RecordRing&) = delete;
    RecordRing& operator=(const RecordRing&) = delete;

    int descriptor() const { return m_descriptor; }
    /// Any thread. False when it was dropped.
    bool write(const OpRecord& record);
    bool write(const RecordParts& parts);
    /// As write(), for trace::setSink.
    void take(const OpRecord& record) override { write(record); }
    void take(const RecordParts& parts) override { write(parts); }
    /// The oldest record that was not read; nothing when there is none. Whatever the writer's process does to the
    /// memory, this reads inside it and gives a whole record; what is no record ends what can be read for now.
    std::optional<RingRecord> read();
    /// Records offered to write() so far.
    std::uint64_t written() const;

private:
    struct Header;
    RecordRing(void* memory, int descriptor);
    Header* header() const;
    std::byte* bytes() const;
    template <class Record>
    bool put(const Record& record);
    template <class Record>
    bool putInParts(const Record& record, std::uint64_t number, std::uint64_t head, std::uint64_t used);

    void* m_memory;
    int m_descriptor; ///< of the writer; -1 for a reader
    SpinLock m_lock;
    std::vector<std::byte> m_record; ///< the one being read, or written across the end of the ring
};

} // namespace stridescope
