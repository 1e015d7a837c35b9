#include "core/trace/record_ring.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <span>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace stridescope {

namespace {

constexpr std::uint64_t kMagic = 0x31474e4952545353; // "SSTRING1"
constexpr std::size_t kDataOffset = 4096;
constexpr std::size_t kData = RecordRing::kBytes - kDataOffset;
/// Longer texts (an arange of a long list has its elements as arguments) are cut: this is for pictures.
constexpr std::size_t kLongestText = 2000;
constexpr std::size_t kMostTensors = 64;

/// Text that fits, cut between characters.
std::string_view shortened(const std::string& text) {
    std::size_t size = std::min(text.size(), kLongestText);
    while (size < text.size() && size > 0 && (text[size] & 0xC0) == 0x80) --size;
    return {text.data(), size};
}

/// Writes into memory that was made large enough before: this is on the way of every operation.
class Packer {
public:
    explicit Packer(std::byte* at) : m_at(at) {}
    template <class T>
    void number(T value) {
        std::memcpy(m_at, &value, sizeof value);
        m_at += sizeof value;
    }
    void text(std::string_view text) {
        number(static_cast<std::uint16_t>(text.size()));
        std::memcpy(m_at, text.data(), text.size());
        m_at += text.size();
    }
    void tensors(std::span<const TensorRecord> list) {
        number(static_cast<std::uint8_t>(list.size()));
        for (const TensorRecord& t : list) {
            number(t.storageId);
            number(static_cast<std::uint8_t>(t.dtype));
            number(static_cast<std::uint8_t>(t.device.type));
            number(t.device.index);
            number(static_cast<std::uint8_t>(t.view.shape.size()));
            for (const Index size : t.view.shape) number(size);
            for (const Index stride : t.view.stride) number(stride);
            number(t.view.offset);
        }
    }
    const std::byte* end() const { return m_at; }

private:
    std::byte* m_at;
};

/// Reads what Packer wrote; `ok` is false once anything is not as it should be.
class Unpacker {
public:
    explicit Unpacker(const std::vector<std::byte>& from) : m_from(from) {}
    bool ok = true;
    bool atEnd() const { return m_at == m_from.size(); }
    template <class T>
    T number() {
        T value{};
        if (!ok || m_from.size() - m_at < sizeof value) return fail(value);
        std::memcpy(&value, m_from.data() + m_at, sizeof value);
        m_at += sizeof value;
        return value;
    }
    std::string text() {
        const std::size_t size = number<std::uint16_t>();
        if (!ok || m_from.size() - m_at < size) return fail(std::string());
        std::string text(reinterpret_cast<const char*>(m_from.data() + m_at), size);
        m_at += size;
        return text;
    }
    std::vector<TensorRecord> tensors() {
        std::vector<TensorRecord> list(number<std::uint8_t>());
        for (TensorRecord& t : list) {
            if (!ok) break;
            t.storageId = number<std::uint64_t>();
            t.dtype = kind<DType>(kAllDTypes.size());
            t.device.type = kind<DeviceType>(2);
            t.device.index = number<std::int8_t>();
            const std::size_t dims = number<std::uint8_t>();
            if (dims > static_cast<std::size_t>(kMaxDims)) ok = false;
            if (!ok) break;
            t.view.shape = t.view.stride = Dims(dims, 0);
            for (Index& size : t.view.shape) size = number<Index>();
            for (Index& stride : t.view.stride) stride = number<Index>();
            t.view.offset = number<Index>();
            // Nobody may multiply sizes that were not looked at.
            ok = ok && makeView(t.view.shape, t.view.stride, t.view.offset).ok();
        }
        return list;
    }
    template <class Enum>
    Enum kind(std::size_t count) {
        const auto value = number<std::uint8_t>();
        if (value >= count) ok = false;
        return ok ? static_cast<Enum>(value) : Enum{};
    }

private:
    template <class T>
    T fail(T value) {
        ok = false;
        return value;
    }
    const std::vector<std::byte>& m_from;
    std::size_t m_at = 0;
};

std::span<const TensorRecord> firstOf(const std::vector<TensorRecord>& list) {
    return {list.data(), std::min(list.size(), kMostTensors)};
}

/// How many of the `bytes` the record takes.
std::size_t pack(const OpRecord& record, std::uint64_t number, std::vector<std::byte>& bytes) {
    const std::string_view name = shortened(record.name), arguments = shortened(record.arguments);
    const auto inputs = firstOf(record.inputs), outputs = firstOf(record.outputs);
    constexpr std::size_t kFixed = 64, kPerTensor = 20;
    std::size_t most = kFixed + name.size() + arguments.size();
    for (const auto list : {inputs, outputs}) {
        for (const TensorRecord& t : list)
            most += kPerTensor + sizeof(Index) * (t.view.shape.size() + t.view.stride.size());
    }
    if (bytes.size() < most) bytes.resize(most); // it only grows: clearing it each time would cost more than the rest
    Packer packer(bytes.data());
    packer.number(number);
    packer.text(name);
    packer.text(arguments);
    packer.tensors(inputs);
    packer.tensors(outputs);
    packer.number(static_cast<std::uint8_t>(record.effect));
    packer.number(record.bytesRead);
    packer.number(record.bytesWritten);
    packer.number(record.bytesAllocated);
    packer.number(static_cast<std::int64_t>(record.duration.count()));
    return static_cast<std::size_t>(packer.end() - bytes.data());
}

std::optional<RingRecord> unpack(const std::vector<std::byte>& bytes) {
    Unpacker unpacker(bytes);
    RingRecord result;
    result.number = unpacker.number<std::uint64_t>();
    result.record.name = unpacker.text();
    result.record.arguments = unpacker.text();
    result.record.inputs = unpacker.tensors();
    result.record.outputs = unpacker.tensors();
    result.record.effect = unpacker.kind<OpEffect>(4);
    result.record.bytesRead = unpacker.number<Index>();
    result.record.bytesWritten = unpacker.number<Index>();
    result.record.bytesAllocated = unpacker.number<Index>();
    result.record.duration = std::chrono::nanoseconds(unpacker.number<std::int64_t>());
    if (!unpacker.ok || !unpacker.atEnd()) return std::nullopt;
    return result;
}

} // namespace

/// Positions count bytes since the start and never wrap; a byte lies at its position modulo kData.
struct RecordRing::Header {
    std::uint64_t magic;
    std::atomic<std::uint64_t> written;          ///< records
    std::atomic<std::uint64_t> head;             ///< the writer's position
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
    void* memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
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
    void* memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (memory == MAP_FAILED) return refuse(std::strerror(errno));
    std::unique_ptr<RecordRing> ring(new RecordRing(memory, -1));
    if (ring->header()->magic != kMagic) return refuse("its first bytes");
    return ring;
}

bool RecordRing::write(const OpRecord& record) {
    const std::scoped_lock lock(m_mutex);
    Header* h = header();
    const std::uint64_t number = h->written.load(std::memory_order_relaxed) + 1;
    h->written.store(number, std::memory_order_relaxed); // nobody else writes it
    const std::uint64_t head = h->head.load(std::memory_order_relaxed);
    const std::uint64_t used = head - h->tail.load(std::memory_order_acquire);
    constexpr std::uint64_t kSmallest = 100; // what hardly any record fits into
    if (used > kData - kSmallest) return false;
    const auto size = static_cast<std::uint32_t>(pack(record, number, m_record));
    if (used > kData || sizeof size + size > kData - used) return false;
    const auto copyIn = [this](std::uint64_t position, const void* from, std::size_t count) {
        const std::size_t at = position % kData, first = std::min(count, kData - at);
        std::memcpy(bytes() + at, from, first);
        std::memcpy(bytes(), static_cast<const std::byte*>(from) + first, count - first);
    };
    copyIn(head, &size, sizeof size);
    copyIn(head + sizeof size, m_record.data(), size);
    h->head.store(head + sizeof size + size, std::memory_order_release);
    return true;
}

std::optional<RingRecord> RecordRing::read() {
    const std::scoped_lock lock(m_mutex);
    Header* h = header();
    const std::uint64_t head = h->head.load(std::memory_order_acquire);
    const std::uint64_t tail = h->tail.load(std::memory_order_relaxed);
    if (head == tail) return std::nullopt;
    const auto copyOut = [this](std::uint64_t position, void* to, std::size_t count) {
        const std::size_t at = position % kData, first = std::min(count, kData - at);
        std::memcpy(to, bytes() + at, first);
        std::memcpy(static_cast<std::byte*>(to) + first, bytes(), count - first);
    };
    std::uint32_t size = 0;
    const std::uint64_t used = head - tail;
    if (used >= sizeof size && used <= kData) {
        copyOut(tail, &size, sizeof size);
        if (size <= used - sizeof size) {
            m_record.resize(size);
            copyOut(tail + sizeof size, m_record.data(), size);
            if (auto result = unpack(m_record)) {
                h->tail.store(tail + sizeof size + size, std::memory_order_release);
                return result;
            }
        }
    }
    h->tail.store(head, std::memory_order_release); // somebody wrote into the ring: nothing in it can be told apart
    return std::nullopt;
}

std::uint64_t RecordRing::written() const {
    return header()->written.load(std::memory_order_relaxed);
}

} // namespace stridescope
