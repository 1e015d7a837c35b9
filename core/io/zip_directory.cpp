#include "core/io/npz.h"

#include "core/io/refusals.h"
#include "core/io/text.h"
#include "core/io/zip_bytes.h"

#include <algorithm>
#include <optional>

namespace stridescope {
namespace {

using namespace io::zip;
using Bytes = std::span<const std::byte>;

constexpr std::uint64_t kMaxDirectoryBytes = std::uint64_t{16} << 20;
constexpr const char* kDamaged = "The file is damaged or was not copied to its end.";

Refusal refuseDirectory(const std::string& what, std::uint64_t at) {
    return io::refuse("NPZ-02", "The archive's directory is damaged: " + what, kDamaged,
                      InputPosition{static_cast<Index>(at)});
}

/// A copy of [at, at + count), so that what was checked stays what is used when the file changes meanwhile.
std::vector<std::byte> copyOf(Bytes file, std::uint64_t at, std::uint64_t count) {
    const Bytes part = file.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(count));
    return {part.begin(), part.end()};
}

bool inside(std::uint64_t at, std::uint64_t count, std::uint64_t size) {
    return at <= size && count <= size - at;
}

struct End {
    std::uint64_t entries = 0, directoryBytes = 0, directoryOffset = 0;
    std::uint64_t directoryEnd = 0; ///< where the record after the directory begins
};

Result<End> readEnd64(Bytes file, std::uint64_t endAt) {
    if (endAt < kLocator64Bytes) return refuseDirectory("no room for the zip64 locator", endAt);
    const auto locator = copyOf(file, endAt - kLocator64Bytes, kLocator64Bytes);
    if (get<std::uint32_t>(locator, 0) != kLocator64Signature) {
        return refuseDirectory("no zip64 locator before byte " + std::to_string(endAt), endAt);
    }
    const auto at = get<std::uint64_t>(locator, 8);
    if (!inside(at, kEnd64Bytes, endAt - kLocator64Bytes))
        return refuseDirectory("zip64 record outside the file", endAt);
    const auto record = copyOf(file, at, kEnd64Bytes);
    if (get<std::uint32_t>(record, 0) != kEnd64Signature)
        return refuseDirectory("no zip64 record where it should be", at);
    if (get<std::uint32_t>(locator, 16) > 1 || get<std::uint32_t>(record, 16) != 0 ||
        get<std::uint32_t>(record, 20) != 0) {
        return io::refuse("NPZ-15", "The archive is one of several parts", "Put the parts together first.");
    }
    return End{get<std::uint64_t>(record, 32), get<std::uint64_t>(record, 40), get<std::uint64_t>(record, 48), at};
}

Result<End> readEnd(Bytes file) {
    const std::uint64_t tailBytes = std::min<std::uint64_t>(file.size(), kEndBytes + 0xFFFF);
    const std::uint64_t tailAt = file.size() - tailBytes;
    const auto tail = copyOf(file, tailAt, tailBytes);
    for (std::uint64_t back = kEndBytes; back <= tailBytes; ++back) {
        const std::size_t at = static_cast<std::size_t>(tailBytes - back);
        if (get<std::uint32_t>(tail, at) != kEndSignature) continue;
        if (get<std::uint16_t>(tail, at + 20) != back - kEndBytes) continue; // the comment must end the file
        const auto disk = get<std::uint16_t>(tail, at + 4);
        const auto directoryDisk = get<std::uint16_t>(tail, at + 6);
        const End end{get<std::uint16_t>(tail, at + 10), get<std::uint32_t>(tail, at + 12),
                      get<std::uint32_t>(tail, at + 16), tailAt + at};
        if (disk == kSee64In16 || end.entries == kSee64In16 || end.directoryBytes == kSee64 ||
            end.directoryOffset == kSee64) {
            return readEnd64(file, tailAt + at);
        }
        if (disk != 0 || directoryDisk != 0) {
            return io::refuse("NPZ-15", "The archive is one of several parts", "Put the parts together first.");
        }
        return end;
    }
    return io::refuse("NPZ-01", "Not a zip archive: it has no directory at its end",
                      "Files written by numpy.savez have one; this one may not have been copied to its end.");
}

/// Fills in the sizes that a record left to its zip64 field. False when the field lacks them.
bool readExtra64(Bytes extra, std::initializer_list<std::uint64_t*> wanted) {
    if (std::all_of(wanted.begin(), wanted.end(), [](const std::uint64_t* v) { return *v != kSee64; })) return true;
    for (std::size_t at = 0; at + 4 <= extra.size();) {
        const auto id = get<std::uint16_t>(extra, at);
        const std::size_t length = get<std::uint16_t>(extra, at + 2);
        at += 4;
        if (length > extra.size() - at) return false;
        if (id == kZip64Extra) {
            const Bytes field = extra.subspan(at, length);
            std::size_t in = 0;
            for (std::uint64_t* value : wanted) {
                if (*value != kSee64) continue;
                if (in + 8 > field.size()) return false;
                *value = get<std::uint64_t>(field, in);
                in += 8;
            }
            return true;
        }
        at += length;
    }
    return false;
}

struct LocalRange {
    std::uint64_t begin = 0, end = 0;
};

/// Compares the entry with its local header and finds where its data begins.
std::optional<Refusal> readLocal(Bytes file, std::uint64_t at, std::uint64_t limit, ZipEntry& entry) {
    const auto disagree = [&](const std::string& what) {
        return io::refuse("NPZ-03",
                          "The archive contradicts itself about '" + sanitiseForDisplay(entry.name, 32) + "': " + what,
                          "It was damaged or made to mislead; nothing of it was opened.",
                          InputPosition{static_cast<Index>(std::min<std::uint64_t>(at, INT64_MAX))});
    };
    if (!inside(at, kLocalBytes, limit)) return disagree("its header lies outside the data");
    const auto fixed = copyOf(file, at, kLocalBytes);
    if (get<std::uint32_t>(fixed, 0) != kLocalSignature) return disagree("no header where it should begin");
    const std::uint64_t nameBytes = get<std::uint16_t>(fixed, 26), extraBytes = get<std::uint16_t>(fixed, 28);
    if (!inside(at + kLocalBytes, nameBytes + extraBytes, limit)) return disagree("its header ends outside the data");
    const auto texts = copyOf(file, at + kLocalBytes, nameBytes + extraBytes);
    const std::string_view name(reinterpret_cast<const char*>(texts.data()), static_cast<std::size_t>(nameBytes));
    if (name != entry.name) return disagree("local name '" + sanitiseForDisplay(name, 32) + "'");
    if (get<std::uint16_t>(fixed, 8) != entry.method) return disagree("methods differ");
    const auto flags = get<std::uint16_t>(fixed, 6);
    if ((flags ^ entry.flags) & kEncrypted) return disagree("only one says encrypted");
    std::uint64_t packed = get<std::uint32_t>(fixed, 18), unpacked = get<std::uint32_t>(fixed, 22);
    const auto crc = get<std::uint32_t>(fixed, 14);
    if (!readExtra64(Bytes(texts).subspan(static_cast<std::size_t>(nameBytes)), {&unpacked, &packed})) {
        return disagree("its zip64 field is damaged");
    }
    // With this flag the local header was written before the sizes were known and holds zeros.
    const bool unknown = (flags & kSizesFollow) && packed == 0 && unpacked == 0 && crc == 0;
    if (!unknown) {
        const auto sizes = [&](const char* which, std::uint64_t inDirectory, std::uint64_t local) {
            return disagree(std::to_string(inDirectory) + " B " + which + " in the directory, " +
                            std::to_string(local) + " B locally");
        };
        if (packed != entry.packedBytes) return sizes("packed", entry.packedBytes, packed);
        if (unpacked != entry.unpackedBytes) return sizes("unpacked", entry.unpackedBytes, unpacked);
        if (crc != entry.crc) return disagree("checksums differ");
    }
    entry.dataOffset = at + kLocalBytes + nameBytes + extraBytes;
    if (!inside(entry.dataOffset, entry.packedBytes, limit)) return disagree("its data ends outside the archive");
    return std::nullopt;
}

} // namespace

Result<std::vector<ZipEntry>> readZipDirectory(std::span<const std::byte> file, const Budget& budget) {
    Result<End> read = readEnd(file);
    if (!read) return read.takeRefusal();
    const End end = *read;
    if (end.entries > budget.maxEntries) {
        return io::refuseAmount("NPZ-04",
                                "The archive has " + std::to_string(end.entries) + " entries, limit " +
                                    std::to_string(budget.maxEntries),
                                "Save fewer arrays in one file.", end.entries, budget.maxEntries);
    }
    if (!inside(end.directoryOffset, end.directoryBytes, end.directoryEnd) ||
        end.directoryOffset + end.directoryBytes != end.directoryEnd) {
        return refuseDirectory("it should end at byte " + std::to_string(end.directoryEnd), end.directoryEnd);
    }
    if (end.directoryBytes > kMaxDirectoryBytes) {
        return io::refuseAmount("NPZ-04",
                                "The archive's directory is " + bytesText(end.directoryBytes) + ", limit " +
                                    bytesText(kMaxDirectoryBytes),
                                "Save fewer arrays, with shorter names.", end.directoryBytes, kMaxDirectoryBytes);
    }
    const auto directory = copyOf(file, end.directoryOffset, end.directoryBytes);
    const Bytes bytes(directory);
    std::vector<ZipEntry> entries;
    std::vector<LocalRange> ranges;
    std::size_t at = 0;
    for (std::uint64_t i = 0; i < end.entries; ++i) {
        const std::uint64_t place = end.directoryOffset + at;
        if (!inside(at, kCentralBytes, bytes.size()) || get<std::uint32_t>(bytes, at) != kCentralSignature) {
            return refuseDirectory("entry " + std::to_string(i) + " of " + std::to_string(end.entries) + " is missing",
                                   place);
        }
        const std::size_t nameBytes = get<std::uint16_t>(bytes, at + 28),
                          extraBytes = get<std::uint16_t>(bytes, at + 30),
                          commentBytes = get<std::uint16_t>(bytes, at + 32);
        if (!inside(at + kCentralBytes, nameBytes + extraBytes + commentBytes, bytes.size())) {
            return refuseDirectory("entry " + std::to_string(i) + " ends outside it", place);
        }
        ZipEntry entry;
        entry.flags = get<std::uint16_t>(bytes, at + 8);
        entry.method = get<std::uint16_t>(bytes, at + 10);
        entry.crc = get<std::uint32_t>(bytes, at + 16);
        entry.packedBytes = get<std::uint32_t>(bytes, at + 20);
        entry.unpackedBytes = get<std::uint32_t>(bytes, at + 24);
        std::uint64_t localAt = get<std::uint32_t>(bytes, at + 42);
        entry.name.assign(reinterpret_cast<const char*>(bytes.data() + at + kCentralBytes), nameBytes);
        if (!readExtra64(bytes.subspan(at + kCentralBytes + nameBytes, extraBytes),
                         {&entry.unpackedBytes, &entry.packedBytes, &localAt})) {
            return refuseDirectory("the zip64 field of entry " + std::to_string(i), place);
        }
        if (auto refusal = readLocal(file, localAt, end.directoryOffset, entry)) return std::move(*refusal);
        ranges.push_back({localAt, entry.dataOffset + entry.packedBytes});
        entries.push_back(std::move(entry));
        at += kCentralBytes + nameBytes + extraBytes + commentBytes;
    }
    if (at != bytes.size())
        return refuseDirectory("bytes are left over after its last entry", end.directoryOffset + at);
    std::sort(ranges.begin(), ranges.end(), [](const LocalRange& a, const LocalRange& b) { return a.begin < b.begin; });
    for (std::size_t i = 1; i < ranges.size(); ++i) {
        if (ranges[i].begin < ranges[i - 1].end) {
            return io::refuse("NPZ-03",
                              "The archive contradicts itself: two entries share the bytes from " +
                                  std::to_string(ranges[i].begin),
                              "It was damaged or made to mislead; nothing of it was opened.",
                              InputPosition{static_cast<Index>(ranges[i].begin)});
        }
    }
    return entries;
}

} // namespace stridescope
