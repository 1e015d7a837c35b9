#include "core/trace/record_ring.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <span>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <type_traits>
#include <unistd.h>

namespace stridescope {

namespace {

constexpr std::uint64_t kMagic = 0x31474e4952545353; // "SSTRING1"
constexpr std::size_t kDataOffset = 4096;
constexpr std::size_t kData = RecordRing::kBytes - kDataOffset;
/// Longer texts (an arange of a long list has its elements as arguments) are cut: this is for pictures.
constexpr std::size_t kLongestText = 2000;
constexpr std::size_t kMostTensors = 64;
using Size = std::uint32_t; ///< of a record, before it
/// Set in the size of a record that a device told.
constexpr Size kOfDevice = Size{1} << 31;

/// Text that fits, cut between characters.
std::string_view shortened(std::string_view text) {
    if (text.size() <= kLongestText) return text;
    std::size_t size = kLongestText;
    while (size > 0 && (text[size] & 0xC0) == 0x80) --size;
    return {text.data(), size};
}

/// What is written of a tensor.
struct Fields {
    std::uint64_t storageId;
    const View& view;
    DType dtype;
    Device device;
};
Fields fieldsOf(const TensorRecord& t) {
    return {t.storageId, t.view, t.dtype, t.device};
}
Fields fieldsOf(const Tensor& t) {
    return {t.defined() ? t.storage()->id() : 0, t.view(), t.dtype(), t.defined() ? t.device() : Device{}};
}

template <class List>
std::size_t countOf(const List& list) {
    return std::min(list.size(), kMostTensors);
}

/// Writes into memory that may end too early: then `ok` is false, and what is there means nothing. This is on the way
/// of every operation, and most of what it costs there.
class Packer {
public:
    Packer(std::byte* at, std::size_t room) : m_at(at), m_end(at + room) {}
    bool ok = true;
    /// Of the record itself, beside its texts and tensors.
    static constexpr std::size_t kFixed = 64;
    static constexpr std::size_t kMostOfTensor = 20 + 2 * sizeof(Index) * static_cast<std::size_t>(kMaxDims);

    bool fits(std::size_t bytes) {
        ok = ok && bytes <= static_cast<std::size_t>(m_end - m_at);
        return ok;
    }
    /// Precondition of this one alone: it fits.
    template <class T>
    void number(T value) {
        std::memcpy(m_at, &value, sizeof value);
        m_at += sizeof value;
    }
    void text(std::string_view text) {
        if (!fits(sizeof(std::uint16_t) + text.size())) return;
        number(static_cast<std::uint16_t>(text.size()));
        if (text.size() <= 16)
            shortText(text.data(), text.size());
        else
            std::memcpy(m_at, text.data(), text.size());
        m_at += text.size();
    }
    void text(const RecordArguments& arguments) {
        const Dims* numbers = arguments.numbers();
        if (!numbers) return text(shortened(arguments.written()));
        if (numbers->empty() || numbers->size() > 16) return text(shortened(arguments.text()));
        if (!fits(sizeof(std::uint16_t) + code::kLongestNumber * numbers->size())) return;
        auto* const from = reinterpret_cast<char*>(m_at + sizeof(std::uint16_t));
        char* const to = code::write(*numbers, from);
        number(static_cast<std::uint16_t>(to - from));
        m_at = reinterpret_cast<std::byte*>(to);
    }
    void bits(const ElementSet* bits) { text(bits ? bits->bytes() : std::string_view()); }
    template <class List>
    void tensors(const List& list) {
        const std::size_t count = countOf(list);
        if (!fits(1)) return;
        number(static_cast<std::uint8_t>(count));
        for (std::size_t i = 0; i < count; ++i) {
            const Fields t = fieldsOf(list[i]);
            constexpr std::size_t kBeside = 20, kInline = 2 * sizeof(Index) * Dims::kInline;
            if (!fits(kBeside + std::max(kInline, 2 * sizeof(Index) * t.view.shape.size()))) return;
            number(t.storageId);
            number(static_cast<std::uint8_t>(t.dtype));
            number(static_cast<std::uint8_t>(t.device.type));
            number(t.device.index);
            number(static_cast<std::uint8_t>(t.view.shape.size()));
            dims(t.view.shape);
            dims(t.view.stride);
            number(t.view.offset);
        }
    }
    const std::byte* end() const { return m_at; }

private:
    /// A Dims has room for five: with no count to go by they are a few moves. One by one, as they were written one by
    /// one a moment ago (see Dims::copyWords).
    void dims(const Dims& values) {
        const std::size_t count = values.size();
        const Index* from = values.data();
        if (count > Dims::kInline) [[unlikely]] {
            std::memcpy(m_at, from, count * sizeof(Index));
        } else {
            for (std::size_t i = 0; i < Dims::kInline; ++i) {
                Index value = from[i];
                asm("" : "+r"(value));
                std::memcpy(m_at + i * sizeof value, &value, sizeof value);
            }
        }
        m_at += count * sizeof(Index);
    }
    template <class Word>
    void ends(const char* from, std::size_t size) {
        Word first, last;
        std::memcpy(&first, from, sizeof first);
        std::memcpy(&last, from + size - sizeof last, sizeof last);
        std::memcpy(m_at, &first, sizeof first);
        std::memcpy(m_at + size - sizeof last, &last, sizeof last);
    }
    /// In two words that may overlap: the C library's call costs more.
    void shortText(const char* from, std::size_t size) {
        if (size >= 8)
            ends<std::uint64_t>(from, size);
        else if (size >= 4)
            ends<std::uint32_t>(from, size);
        else if (size >= 2)
            ends<std::uint16_t>(from, size);
        else if (size == 1)
            *m_at = static_cast<std::byte>(*from);
    }

    std::byte* m_at;
    std::byte* const m_end;
};

/// How many bytes the record takes, at `to`; 0 when there may not be room for all of it.
template <class Record>
[[gnu::always_inline]] inline std::size_t pack(const Record& record, std::uint64_t number, std::byte* to,
                                               std::size_t room) {
    Packer packer(to, room);
    if (!packer.fits(Packer::kFixed)) return 0;
    packer.number(number);
    packer.text(shortened(record.name));
    if constexpr (std::is_same_v<Record, OpRecord>)
        packer.text(shortened(record.arguments));
    else
        packer.text(record.arguments);
    packer.tensors(record.inputs);
    packer.tensors(record.outputs);
    if constexpr (std::is_same_v<Record, OpRecord>)
        packer.bits(&record.written);
    else
        packer.bits(record.written);
    if (!packer.fits(Packer::kFixed)) return 0;
    packer.number(static_cast<std::uint8_t>(record.effect));
    packer.number(record.bytesRead);
    packer.number(record.bytesWritten);
    packer.number(record.bytesAllocated);
    packer.number(static_cast<std::int64_t>(record.duration.count()));
    return static_cast<std::size_t>(packer.end() - to);
}

} // namespace

/// Positions count bytes since the start and never wrap; a byte lies at its position modulo kData.
struct RecordRing::Header {
    std::uint64_t magic;
    std::atomic<std::uint64_t> written;          ///< records
    std::atomic<std::uint64_t> head;             ///< the writer's position
    std::atomic<std::uint64_t> devicesLost;      ///< records
    alignas(64) std::atomic<std::uint64_t> tail; ///< the reader's
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

RecordRing::Header* RecordRing::header() const {
    return static_cast<Header*>(m_memory);
}
std::byte* RecordRing::bytes() const {
    return static_cast<std::byte*>(m_memory) + kDataOffset;
}

RecordRing::RecordRing(void* memory, int descriptor) : m_memory(memory), m_descriptor(descriptor) {}

RecordRing::~RecordRing() {
    munmap(m_memory, kBytes);
    if (m_descriptor >= 0) close(m_descriptor);
}

Result<std::unique_ptr<RecordRing>> RecordRing::create() {
    const auto refuse = [](int descriptor) -> Result<std::unique_ptr<RecordRing>> {
        Refusal refusal{
            ErrorKind::Io, "RING-01", std::string("no ring of operations: ") + std::strerror(errno), "", {}};
        if (descriptor >= 0) close(descriptor);
        return refusal;
    };
    const int descriptor = memfd_create("stridescope-operations", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0 || ftruncate(descriptor, static_cast<off_t>(kBytes)) != 0 ||
        fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        return refuse(descriptor);
    // With its pages, all at once: one by one they would come in the middle of the first operations.
    void* memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, descriptor, 0);
    if (memory == MAP_FAILED) return refuse(descriptor);
    static_cast<Header*>(memory)->magic = kMagic; // all else is zero
    return std::unique_ptr<RecordRing>(new RecordRing(memory, descriptor));
}

Result<std::unique_ptr<RecordRing>> RecordRing::open(int descriptor) {
    const auto refuse = [](const char* why) -> Result<std::unique_ptr<RecordRing>> {
        return Refusal{ErrorKind::Io, "RING-02", std::string("this is no ring of operations: ") + why, "", {}};
    };
    struct stat status {};
    if (fstat(descriptor, &status) != 0 || status.st_size != static_cast<off_t>(kBytes)) return refuse("its size");
    const int seals = fcntl(descriptor, F_GET_SEALS);
    if (seals < 0 || (seals & F_SEAL_SHRINK) == 0) return refuse("it could be shortened while it is in use");
    void* memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, descriptor, 0);
    if (memory == MAP_FAILED) return refuse(std::strerror(errno));
    std::unique_ptr<RecordRing> ring(new RecordRing(memory, -1));
    if (ring->header()->magic != kMagic) return refuse("its first bytes");
    return ring;
}

template <class Record>
bool RecordRing::put(const Record& record) {
    const std::scoped_lock lock(m_lock);
    Header* h = header();
    const std::uint64_t number = h->written.load(std::memory_order_relaxed) + 1;
    h->written.store(number, std::memory_order_relaxed); // nobody else writes it
    const std::uint64_t head = h->head.load(std::memory_order_relaxed);
    const std::uint64_t used = head - h->tail.load(std::memory_order_acquire);
    constexpr std::size_t kSmallest = 100; // what hardly any record fits into
    if (used > kData - kSmallest) return false;
    const std::size_t at = head % kData, room = std::min<std::size_t>(kData - at, kData - used);
    const auto size =
        static_cast<Size>(pack(record, number, bytes() + at + sizeof(Size), room - std::min(room, sizeof(Size))));
    if (size == 0) [[unlikely]]
        return putInParts(record, number, head, used);
    std::memcpy(bytes() + at, &size, sizeof size);
    h->head.store(head + sizeof size + size, std::memory_order_release);
    return true;
}

void RecordRing::copyIn(std::uint64_t position, const void* from, std::size_t count) {
    const std::size_t at = position % kData, first = std::min(count, kData - at);
    std::memcpy(bytes() + at, from, first);
    std::memcpy(bytes(), static_cast<const std::byte*>(from) + first, count - first);
}

/// Across the end of the ring, or so near to what was not read that its exact size counts.
template <class Record>
[[gnu::noinline]] bool RecordRing::putInParts(const Record& record, std::uint64_t number, std::uint64_t head,
                                              std::uint64_t used) {
    constexpr std::size_t kMost = 2 * Packer::kFixed + 2 * (kLongestText + kMostTensors * Packer::kMostOfTensor) +
                                  ElementSet::bytesFor(kMostTold);
    m_record.resize(kMost);
    const auto size = static_cast<Size>(pack(record, number, m_record.data(), kMost));
    if (sizeof size + size > kData - used) return false;
    copyIn(head, &size, sizeof size);
    copyIn(head + sizeof size, m_record.data(), size);
    header()->head.store(head + sizeof size + size, std::memory_order_release);
    return true;
}

bool RecordRing::write(const OpRecord& record) {
    return put(record);
}
bool RecordRing::write(const RecordParts& parts) {
    return put(parts);
}

bool RecordRing::write(const DeviceRecord& record) {
    std::array<std::byte, kMostDeviceRecord> packed; // no memory is asked for: memory that is freed is told, too
    const auto size = static_cast<Size>(packDeviceRecord(record, packed));
    const std::scoped_lock lock(m_lock);
    Header* h = header();
    const std::uint64_t head = h->head.load(std::memory_order_relaxed);
    const std::uint64_t used = head - h->tail.load(std::memory_order_acquire);
    if (used > kData / 2) {
        h->devicesLost.store(h->devicesLost.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        return false;
    }
    const Size marked = size | kOfDevice;
    copyIn(head, &marked, sizeof marked);
    copyIn(head + sizeof marked, packed.data(), size);
    h->head.store(head + sizeof marked + size, std::memory_order_release);
    return true;
}

std::size_t RecordRing::copyOut(std::uint64_t tail, std::uint64_t head) {
    // Whatever the writer's process writes there: no more than what the ring has.
    const std::uint64_t used = head - tail;
    if (used > kData) return 0;
    const auto size = static_cast<std::size_t>(used);
    const std::size_t at = tail % kData, first = std::min(size, kData - at);
    m_record.resize(size);
    std::memcpy(m_record.data(), bytes() + at, first);
    std::memcpy(m_record.data() + first, bytes(), size - first);
    return size;
}

std::size_t RecordRing::read(PackedRecords& to, std::size_t most, std::vector<DeviceRecord>* devices) {
    const std::scoped_lock lock(m_lock);
    Header* h = header();
    const std::uint64_t head = h->head.load(std::memory_order_acquire);
    const std::uint64_t tail = h->tail.load(std::memory_order_relaxed);
    if (head == tail) return 0;
    const std::size_t used = copyOut(tail, head);
    const std::span<const std::byte> all(m_record.data(), used);
    std::size_t at = 0, count = 0;
    while (count < most && at < all.size()) {
        Size size = 0;
        if (all.size() - at < sizeof size) break;
        std::memcpy(&size, all.data() + at, sizeof size);
        const bool ofDevice = (size & kOfDevice) != 0;
        size &= ~kOfDevice;
        if (size > all.size() - at - sizeof size) break;
        const std::span<const std::byte> record = all.subspan(at + sizeof size, size);
        if (ofDevice) {
            auto told = unpackDeviceRecord(record);
            if (!told) break;
            if (devices) devices->push_back(*std::move(told));
        } else {
            if (!to.add(record)) break;
            ++count;
        }
        at += sizeof size + size;
    }
    // What ends before its end is no record: somebody wrote into the ring, and nothing in it can be told apart.
    h->tail.store(count == most ? tail + at : head, std::memory_order_release);
    return count;
}

std::uint64_t RecordRing::written() const {
    return header()->written.load(std::memory_order_relaxed);
}
std::uint64_t RecordRing::devicesLost() const {
    return header()->devicesLost.load(std::memory_order_relaxed);
}

} // namespace stridescope
