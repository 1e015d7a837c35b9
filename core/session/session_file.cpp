#include "core/session/session_file.h"

#include "core/io/heap_bytes.h"
#include "core/io/json_reader.h"
#include "core/io/refusals.h"
#include "core/io/text.h"
#include "core/ops/creation.h"
#include "core/storage/mapped_file.h"

#include <algorithm>
#include <cstring>

namespace stridescope {

namespace {

constexpr std::uint64_t kWholeUpTo = std::uint64_t{64} << 20, kSample = std::uint64_t{1} << 20, kSamples = 64;

std::string shownPath(const std::string& path) {
    return sanitiseForDisplay(path, 80);
}

/// All bytes of a storage as a tensor of the dtype in which it is drawn, where that is one that any bytes are.
Tensor wholeStorage(const SessionStorage& storage) {
    const bool plain = storage.dtype != DType::Bool && storage.bytes % itemSize(storage.dtype) == 0;
    const DType dtype = plain ? storage.dtype : DType::UInt8;
    const auto count = static_cast<Index>(storage.bytes / itemSize(dtype));
    return Tensor(storage.storage, View{{count}, {1}, 0}, dtype);
}

struct Parts {
    std::vector<std::pair<std::string, Tensor>> tensors;
    std::vector<std::pair<std::string, std::string>> metadata;
};

Parts partsOf(const Session& session) {
    Parts parts;
    for (const SessionStorage& storage : session.storages) {
        if (!storage.file) parts.tensors.emplace_back(storage.data, wholeStorage(storage));
    }
    parts.metadata.emplace_back(kSessionKey, sessionJson(session));
    return parts;
}

Budget sessionBudget(const Budget& budget) {
    Budget own = budget;
    own.maxEntries = std::max<std::uint64_t>(own.maxEntries, kSessionMaxEntries);
    return own;
}

Result<std::pair<SafetensorsHeader, std::string>> headerAndJson(std::span<const std::byte> file, const Budget& budget) {
    Result<SafetensorsHeader> header = parseSafetensorsHeader(file, sessionBudget(budget));
    if (!header) return header.takeRefusal();
    const std::string* json = sessionJsonOf(header->metadata);
    if (!json)
        return io::refuse("SES-01", "The file holds tensors, but no session",
                          "Open it as a .safetensors file to see them.");
    std::string text = *json;
    return std::pair(std::move(*header), std::move(text));
}

template <class Read>
auto onMapped(const std::filesystem::path& path, Read read) -> decltype(read(std::span<const std::byte>())) {
    return io::withMemoryRefused("Opening", [&]() -> decltype(read(std::span<const std::byte>())) {
        Result<std::shared_ptr<MappedFile>> mapped = MappedFile::open(path);
        if (!mapped) return mapped.takeRefusal();
        auto result = read((*mapped)->bytes());
        if ((*mapped)->fileChanged()) return io::refuseChanged(path);
        return result;
    });
}

} // namespace

bool isSessionText(std::string_view text) {
    const std::string quoted = io::jsonQuoted(text);
    std::string back;
    return io::JsonReader(quoted).string(back, kSessionMaxJson);
}

const std::string* sessionJsonOf(const std::vector<std::pair<std::string, std::string>>& metadata) {
    const auto found =
        std::find_if(metadata.begin(), metadata.end(), [](const auto& entry) { return entry.first == kSessionKey; });
    return found == metadata.end() ? nullptr : &found->second;
}

bool holdsSession(const std::filesystem::path& path) {
    const auto mapped = MappedFile::open(path);
    if (!mapped) return false;
    const auto header = parseSafetensorsHeader((*mapped)->bytes(), sessionBudget({}));
    return header && sessionJsonOf(header->metadata);
}

std::uint64_t fileFingerprint(std::span<const std::byte> file) {
    Fingerprint print;
    if (file.size() <= kWholeUpTo) {
        print.add(file);
    } else {
        const std::uint64_t last = file.size() - kSample;
        for (std::uint64_t i = 0; i < kSamples; ++i) {
            const std::uint64_t at = last / (kSamples - 1) * i;
            print.add(file.subspan(static_cast<std::size_t>(i + 1 == kSamples ? last : at), kSample));
        }
    }
    const std::uint64_t size = file.size();
    print.add(std::as_bytes(std::span(&size, 1)));
    return print.value();
}

Result<StoragePtr> mapSessionFile(const SessionFile& file, std::uint64_t bytes) {
    const Result<std::shared_ptr<MappedFile>> mapped = MappedFile::open(file.path);
    if (!mapped)
        return io::refuse("SES-06", shownPath(file.path) + " cannot be opened: " + mapped.refusal().message,
                          "Put the file back, and open the session again.");
    const std::span<const std::byte> all = (*mapped)->bytes();
    if (all.size() != file.fileBytes || file.offset > all.size() || bytes > all.size() - file.offset)
        return io::refuseAmount("SES-07",
                                shownPath(file.path) + " has " + std::to_string(all.size()) +
                                    " bytes; the session was saved when it had " + std::to_string(file.fileBytes),
                                "Put the old file back, or open the new one by itself.", file.fileBytes, all.size());
    if (fileFingerprint(all) != file.fingerprint)
        return io::refuse("SES-08", shownPath(file.path) + " has other contents than when the session was saved",
                          "Put the old file back, or open the new one by itself.");
    return (*mapped)->storage(static_cast<std::size_t>(file.offset), static_cast<std::size_t>(bytes));
}

Result<Session> sessionFromBytes(std::span<const std::byte> file, bool withFiles, const Budget& budget) {
    return io::withMemoryRefused("Opening", [&]() -> Result<Session> {
        auto parts = headerAndJson(file, budget);
        if (!parts) return parts.takeRefusal();
        const SafetensorsHeader& header = parts->first;
        std::map<std::string_view, const SafetensorsEntry*> entries;
        for (const SafetensorsEntry& entry : header.entries) entries[entry.name] = &entry;
        std::uint64_t copied = 0;
        std::optional<Refusal> cancelled;
        SessionSources sources;
        sources.data = [&](const std::string& name, std::uint64_t bytes) -> Result<StoragePtr> {
            const auto found = entries.find(name);
            if (found == entries.end() || found->second == nullptr)
                return io::refuse("SES-04", "The bytes " + sanitiseForDisplay(name, 40) + " are not there, or twice",
                                  "The session is damaged.");
            const SafetensorsEntry& entry = *std::exchange(found->second, nullptr); // each belongs to one storage
            if (entry.end - entry.begin != bytes)
                return io::refuseAmount("SES-04",
                                        "A storage of " + std::to_string(bytes) + " bytes has " +
                                            std::to_string(entry.end - entry.begin) + " in the file",
                                        "The session is damaged.", bytes, entry.end - entry.begin);
            copied += bytes;
            if (copied > budget.maxBytes)
                return io::refuseAmount("IO-18",
                                        "The session needs " + bytesText(copied) + " of memory or more, limit " +
                                            bytesText(budget.maxBytes),
                                        "Close other tensors or programs.", copied, budget.maxBytes, ErrorKind::Memory);
            if (auto refusal = budget.check(copied, file.size())) return std::move(*refusal);
            try {
                const Tensor memory = empty({static_cast<Index>(bytes)}, {DType::UInt8, Device{}});
                if (bytes > 0)
                    std::memcpy(memory.storage()->data(), file.data() + header.dataOffset + entry.begin,
                                static_cast<std::size_t>(bytes));
                memory.storage()->bumpVersion(); // it has been written to
                return memory.storage();
            } catch (const Error& error) {
                return error.refusal();
            }
        };
        if (withFiles) sources.file = mapSessionFile;
        return parseSession(parts->second, sources);
    });
}

Result<std::vector<SessionFile>> sessionFilesFromBytes(std::span<const std::byte> file, const Budget& budget) {
    auto parts = headerAndJson(file, budget);
    if (!parts) return parts.takeRefusal();
    return sessionFiles(parts->second);
}

Result<Session> openSession(const std::filesystem::path& path, bool withFiles, const Budget& budget) {
    return onMapped(path, [&](std::span<const std::byte> file) { return sessionFromBytes(file, withFiles, budget); });
}

Result<std::vector<SessionFile>> openSessionFiles(const std::filesystem::path& path, const Budget& budget) {
    return onMapped(path, [&](std::span<const std::byte> file) { return sessionFilesFromBytes(file, budget); });
}

std::optional<Refusal> placeStorages(Session& session, const ProgressFn& progress) {
    std::uint64_t done = 0;
    for (SessionStorage& storage : session.storages) {
        storage.data = "storage." + std::to_string(storage.number);
        storage.file.reset();
        if (progress && !progress(++done, 0))
            return io::refuse("IO-08", "Saving was cancelled", "Nothing was changed.");
        // The version grows with the first write: from then on the bytes are nobody's file any more.
        if (storage.bytes <= kSessionLargestCopied || storage.storage->version() != 0) continue;
        const std::shared_ptr<MappedFile> file = mappedFileOf(*storage.storage);
        if (!file || file->state() != FileState::Same) continue;
        std::error_code error;
        const std::string path = std::filesystem::absolute(file->path(), error).string();
        if (error || !isSessionText(path)) continue;
        const std::span<const std::byte> all = file->bytes();
        storage.file = SessionFile{path, all.size(), static_cast<std::uint64_t>(storage.storage->data() - all.data()),
                                   fileFingerprint(all)};
        storage.data.clear();
    }
    return std::nullopt;
}

Result<SavedFile> writeSession(const Session& session, const std::filesystem::path& path, const ProgressFn& progress) {
    return io::withMemoryRefused("Saving", [&]() -> Result<SavedFile> {
        const Parts parts = partsOf(session);
        return writeSafetensors(parts.tensors, parts.metadata, path, progress);
    });
}

Result<std::string> sessionBytes(const Session& session, std::uint64_t most) {
    std::uint64_t bytes = 0;
    for (const SessionStorage& storage : session.storages) bytes += storage.file ? 0 : storage.bytes;
    const auto tooLarge = [most](std::uint64_t has) {
        return io::refuseAmount("SES-09", "The state has " + bytesText(has) + ", limit " + bytesText(most),
                                "Save it as a session file instead.", has, most);
    };
    if (bytes > most) return tooLarge(bytes);
    const Parts parts = partsOf(session);
    std::string out = safetensorsBytes(parts.tensors, parts.metadata);
    if (out.size() > most) return tooLarge(out.size());
    return out;
}

} // namespace stridescope
