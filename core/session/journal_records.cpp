#include "core/session/journal_records.h"

#include "core/io/heap_bytes.h"
#include "core/io/refusals.h"
#include "core/io/save_atomically.h"
#include "core/ops/creation.h"
#include "core/session/session_file.h"

#include <charconv>
#include <cstring>

namespace stridescope {

namespace {

constexpr std::uint64_t kMagic = 0x31304C4E524A5353; // "SSJRNL01", least significant byte first

/// Little-endian, as all machines are that this program runs on.
struct Header {
    std::uint64_t magic = kMagic;
    std::uint64_t kind = 0, number = 0, length = 0;
    std::uint64_t fingerprint = 0;
};
static_assert(sizeof(Header) == kJournalHeaderBytes);

std::uint64_t fingerprintOf(Header header, std::span<const std::byte> payload) {
    header.fingerprint = 0;
    Fingerprint print;
    print.add(std::as_bytes(std::span(&header, 1)));
    print.add(payload);
    return print.value();
}

using Blobs = std::map<std::uint64_t, std::span<const std::byte>>;

Result<StoragePtr> storageOf(const Blobs& blobs, const std::string& name, std::uint64_t bytes, std::uint64_t& copied,
                             const Budget& budget) {
    constexpr std::string_view kPrefix = "blob.";
    std::uint64_t number = 0;
    if (!name.starts_with(kPrefix)) return StoragePtr(); // "later"
    std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), number);
    const auto found = blobs.find(number);
    if (found == blobs.end() || found->second.size() != bytes) return StoragePtr(); // told with the tensor's name
    copied += bytes;
    if (copied > budget.maxBytes)
        return io::refuseAmount("IO-18",
                                "The journal needs " + bytesText(copied) + " of memory or more, limit " +
                                    bytesText(budget.maxBytes),
                                "Close other programs.", copied, budget.maxBytes, ErrorKind::Memory);
    try {
        const Tensor memory = empty({static_cast<Index>(bytes)}, {DType::UInt8, Device{}});
        if (bytes > 0) std::memcpy(memory.storage()->data(), found->second.data(), static_cast<std::size_t>(bytes));
        memory.storage()->bumpVersion();
        return memory.storage();
    } catch (const Error& error) {
        return error.refusal();
    }
}

} // namespace

std::array<std::byte, kJournalHeaderBytes> journalHeader(JournalKind kind, std::uint64_t number,
                                                         std::span<const std::byte> payload) {
    Header header;
    header.kind = static_cast<std::uint64_t>(kind);
    header.number = number;
    header.length = payload.size();
    header.fingerprint = fingerprintOf(header, payload);
    std::array<std::byte, kJournalHeaderBytes> bytes;
    std::memcpy(bytes.data(), &header, sizeof header);
    return bytes;
}

std::string blobName(std::uint64_t number) {
    return "blob." + std::to_string(number);
}

Result<JournalContents> readJournal(std::span<const std::byte> journal, bool withFiles, const Budget& budget) {
    return io::withMemoryRefused("Recovery", [&]() -> Result<JournalContents> {
        Blobs blobs;
        std::vector<std::span<const std::byte>> states;
        std::span<const std::byte> rest = journal;
        while (rest.size() >= kJournalHeaderBytes) {
            Header header;
            std::memcpy(&header, rest.data(), sizeof header);
            if (header.magic != kMagic || header.length > rest.size() - kJournalHeaderBytes) break;
            const auto payload = rest.subspan(kJournalHeaderBytes, static_cast<std::size_t>(header.length));
            if (fingerprintOf(header, payload) != header.fingerprint) break;
            if (header.kind == static_cast<std::uint64_t>(JournalKind::Blob)) blobs[header.number] = payload;
            if (header.kind == static_cast<std::uint64_t>(JournalKind::State)) states.push_back(payload);
            rest = rest.subspan(kJournalHeaderBytes + payload.size());
        }
        const auto refuseNone = [&] {
            return io::refuseAmount("JOUR-01",
                                    "The journal of " + bytesText(journal.size()) + " holds no state that is whole",
                                    "There is nothing to recover.", 1, 0);
        };
        if (states.empty()) return refuseNone();
        std::uint64_t copied = 0;
        SessionSources sources;
        sources.data = [&](const std::string& name, std::uint64_t bytes) {
            return storageOf(blobs, name, bytes, copied, budget);
        };
        if (withFiles) sources.file = mapSessionFile;
        const auto last = states.back();
        Result<Session> session = parseSession({reinterpret_cast<const char*>(last.data()), last.size()}, sources);
        if (!session) return session.takeRefusal();
        JournalContents contents;
        contents.session = std::move(*session);
        contents.states = states.size();
        contents.damagedBytes = rest.size();
        return contents;
    });
}

} // namespace stridescope
