#pragma once
// RecordRing: the OpRecords of one process for another one to read, through shared memory.

#include "core/result.h"
#include "core/spin_lock.h"
#include "core/trace/device_record.h"
#include "core/trace/packed_records.h"
#include "core/trace/record_parts.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace stridescope {

/// A ring of bytes in a memory file, with one process that writes and one that reads. Writing costs a copy and no
/// system call; when the reader is behind and the ring is full the record is dropped, and the gap in the numbers tells.
/// What was written can still be read after the writer's process has ended.
class RecordRing final : public RecordSink, public DeviceSink {
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
    /// What devices tell goes the same way, and is dropped first: it leaves half of the ring to operations.
    bool write(const DeviceRecord& record);
    void take(const DeviceRecord& record) override { write(record); }
    /// Appends to `to` what was not read yet, oldest first, at most so many records; gives how many. Costs a copy of
    /// their bytes. Whatever the writer's process does to the memory, this stays inside it; what cannot be a record
    /// ends what can be read for now. Those of devices go to `devices`, or nowhere, and are not counted.
    std::size_t read(PackedRecords& to, std::size_t most = SIZE_MAX, std::vector<DeviceRecord>* devices = nullptr);
    /// Records offered to write() so far, but those of devices.
    std::uint64_t written() const;
    /// Records of devices that were dropped.
    std::uint64_t devicesLost() const;

private:
    struct Header;
    RecordRing(void* memory, int descriptor);
    Header* header() const;
    std::byte* bytes() const;
    template <class Record>
    bool put(const Record& record);
    void copyIn(std::uint64_t position, const void* from, std::size_t count);
    std::size_t copyOut(std::uint64_t tail, std::uint64_t head); ///< into m_record
    template <class Record>
    bool putInParts(const Record& record, std::uint64_t number, std::uint64_t head, std::uint64_t used);

    void* m_memory;
    int m_descriptor; ///< of the writer; -1 for a reader
    SpinLock m_lock;
    std::vector<std::byte> m_record; ///< those being read, or the one written across the end of the ring
};

} // namespace stridescope
