#include "core/io/npz.h"

#include "core/io/heap_bytes.h"
#include "core/io/zip_bytes.h"
#include "core/storage/mapped_file.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <zlib.h>

namespace stridescope {
namespace {

using namespace io::zip;

constexpr std::size_t kBlock = std::size_t{16} << 20;
constexpr std::uint64_t kDeflateCanExpand = 1032; // zlib's technical details: "maximum compression factor"

Refusal refuseCrc(std::uint32_t wanted, std::uint32_t has) {
    char text[96];
    std::snprintf(text, sizeof text, "The checksum differs: the archive says %08x, the data has %08x", wanted, has);
    return io::refuse("NPZ-10", text, "The entry is damaged; get the file again.");
}

/// CRC-32 of `data` against what the archive says.
std::optional<Refusal> checkCrc(std::span<const std::byte> data, std::uint32_t wanted, const Budget& budget) {
    uLong crc = ::crc32_z(0, nullptr, 0);
    for (std::size_t at = 0; at < data.size(); at += kBlock) {
        const std::span<const std::byte> block = data.subspan(at, std::min(kBlock, data.size() - at));
        crc = ::crc32_z(crc, reinterpret_cast<const Bytef*>(block.data()), block.size());
        if (auto refusal = budget.check(at + block.size(), data.size())) return refusal;
    }
    if (static_cast<std::uint32_t>(crc) != wanted) return refuseCrc(wanted, static_cast<std::uint32_t>(crc));
    return std::nullopt;
}

/// Unpacks all of `packed` into exactly `out`.
std::optional<Refusal> inflateInto(std::span<const std::byte> packed, std::span<std::byte> out, const Budget& budget) {
    z_stream stream{};
    if (::inflateInit2(&stream, -MAX_WBITS) != Z_OK) {
        return io::refuse("IO-18", "Loading ran out of memory", "Close other tensors.", {}, ErrorKind::Memory);
    }
    const std::unique_ptr<z_stream, int (*)(z_stream*)> closer(&stream, &::inflateEnd);
    std::size_t taken = 0, given = 0;
    std::byte beyond{}; // one byte more than promised shows that the promise was wrong
    for (;;) {
        const std::size_t input = std::min(kBlock, packed.size() - taken);
        const bool full = given == out.size();
        const std::size_t room = full ? 1 : std::min(kBlock, out.size() - given);
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data() + taken));
        stream.avail_in = static_cast<uInt>(input);
        stream.next_out = reinterpret_cast<Bytef*>(full ? &beyond : out.data() + given);
        stream.avail_out = static_cast<uInt>(room);
        const int status = ::inflate(&stream, Z_NO_FLUSH);
        const std::size_t read = input - stream.avail_in, wrote = room - stream.avail_out;
        taken += read;
        if (full && wrote > 0) {
            return io::refuseAmount(
                "NPZ-11", "The entry unpacks to more than the " + bytesText(out.size()) + " that the archive says",
                "The file is damaged or made to mislead.", out.size() + 1, out.size());
        }
        if (!full) given += wrote;
        if (status == Z_STREAM_END) break;
        if ((status != Z_OK && status != Z_BUF_ERROR) || (read == 0 && wrote == 0)) {
            return io::refuseAmount(
                "NPZ-11", "The packed data is damaged after " + bytesText(given) + " of " + bytesText(out.size()),
                "Get the file again.", out.size(), given);
        }
        if (auto refusal = budget.check(given, out.size())) return refusal;
    }
    if (given != out.size()) {
        return io::refuseAmount(
            "NPZ-11", "The entry unpacks to " + bytesText(given) + ", but the archive says " + bytesText(out.size()),
            "The file is damaged.", out.size(), given);
    }
    return std::nullopt;
}

/// Opens the entries of one archive, one after another, and keeps count of what they cost.
class ArchiveReader {
public:
    ArchiveReader(const FileBytes& file, const Budget& budget)
        : m_file(file), m_budget(budget), m_left(std::min(budget.maxArchiveBytes, budget.maxBytes)) {}

    Result<OpenedArray> open(const ZipEntry& entry) {
        constexpr std::string_view kEnding = ".npy";
        if (!std::string_view(entry.name).ends_with(kEnding)) {
            return io::refuse("NPZ-13", "Not an .npy entry; ignored", "Only arrays are opened.");
        }
        const std::string label = entry.name.substr(0, entry.name.size() - kEnding.size());
        if (entry.flags & kEncrypted) {
            return io::refuse("NPZ-06", "The entry is encrypted",
                              "Unpack the archive with its password and save it again.");
        }
        if (entry.method != kStored && entry.method != kDeflated) {
            return io::refuse(
                "NPZ-07", "The entry is packed by method " + std::to_string(entry.method) + "; known 0 and 8 (deflate)",
                "Save it again with numpy.savez.");
        }
        if (!m_names.insert(entry.name).second) {
            return io::refuse("NPZ-12", "The name was there already; the first entry of this name is kept",
                              "Give every array its own name.");
        }
        return entry.method == kStored ? openStored(entry, label) : openDeflated(entry, label);
    }

private:
    Result<OpenedArray> openStored(const ZipEntry& entry, const std::string& label) {
        if (entry.packedBytes != entry.unpackedBytes) {
            return io::refuseAmount("NPZ-11",
                                    "The entry is stored as " + bytesText(entry.packedBytes) +
                                        ", but the archive says " + bytesText(entry.unpackedBytes),
                                    "The file is damaged.", entry.unpackedBytes, entry.packedBytes);
        }
        const std::span<std::byte> data = packedData(entry);
        // Reading all of a large file for its checksum would cost what mapping it saves.
        const bool large = entry.packedBytes > m_budget.maxArchiveBytes;
        if (!large) {
            if (auto refusal = checkCrc(data, entry.crc, m_budget)) return std::move(*refusal);
        }
        Result<OpenedArray> array =
            npyFromBytes({data, m_file.owner, m_file.kind, m_file.writable}, label, remaining());
        if (!array) return array;
        OpenedArray opened = std::move(array).value();
        if (large) opened.notes.push_back("The checksum of so large an entry was not compared.");
        if (opened.tensor.storage()->kind() != m_file.kind) spend(opened.tensor.storage()->bytes());
        return opened;
    }

    Result<OpenedArray> openDeflated(const ZipEntry& entry, const std::string& label) {
        const std::uint64_t packed = entry.packedBytes, unpacked = entry.unpackedBytes;
        const bool beyondRatio = unpacked > m_budget.alwaysUnpacked && unpacked / m_budget.maxExpansion > packed;
        if (beyondRatio || unpacked / kDeflateCanExpand > packed) {
            const std::uint64_t limit = beyondRatio ? m_budget.maxExpansion : kDeflateCanExpand;
            return io::refuseAmount("NPZ-09",
                                    "The entry would grow from " + bytesText(packed) + " to " + bytesText(unpacked) +
                                        ", limit " + std::to_string(limit) + " times",
                                    "Looks like an archive bomb. If you trust it, unpack it with another program.",
                                    unpacked, packed * limit, ErrorKind::Memory);
        }
        if (unpacked > m_left) {
            return io::refuseAmount(
                "NPZ-08", "The entry needs " + bytesText(unpacked) + ", left of the limit: " + bytesText(m_left),
                "Unpack the archive and open its .npy files by themselves.", unpacked, m_left, ErrorKind::Memory);
        }
        Result<std::shared_ptr<std::byte>> memory = io::heapBytes(unpacked, m_budget);
        if (!memory) return memory.takeRefusal();
        const std::span<std::byte> out(memory->get(), static_cast<std::size_t>(unpacked));
        if (auto refusal = inflateInto(packedData(entry), out, m_budget)) return std::move(*refusal);
        if (auto refusal = checkCrc(out, entry.crc, m_budget)) return std::move(*refusal);
        spend(unpacked);
        return npyFromBytes({out, *memory, "heap", true}, label, remaining());
    }

    std::span<std::byte> packedData(const ZipEntry& entry) const {
        return m_file.bytes.subspan(static_cast<std::size_t>(entry.dataOffset),
                                    static_cast<std::size_t>(entry.packedBytes));
    }
    Budget remaining() const {
        Budget budget = m_budget;
        budget.maxBytes = m_left;
        return budget;
    }
    void spend(std::uint64_t bytes) { m_left -= std::min(m_left, bytes); }

    const FileBytes& m_file;
    const Budget& m_budget;
    std::uint64_t m_left;
    std::set<std::string> m_names;
};

} // namespace

Result<OpenedArchive> npzFromBytes(const FileBytes& file, const Budget& budget) {
    Result<std::vector<ZipEntry>> directory = readZipDirectory(file.bytes, budget);
    if (!directory) return directory.takeRefusal();
    bool anyArray = false;
    for (const ZipEntry& entry : *directory) {
        anyArray = anyArray || std::string_view(entry.name).ends_with(".npy");
        if (entry.name == "data.pkl" || std::string_view(entry.name).ends_with("/data.pkl")) {
            return io::refuse("NPZ-14", "PyTorch checkpoint (pickle); not opened",
                              "A pickle can run any code. Save arrays: numpy.savez(file, **{k: v.numpy() ...}).");
        }
    }
    if (!anyArray && !directory->empty()) { // an archive of no entries is what numpy.savez writes of no arrays
        return io::refuse(
            "NPZ-05", "The archive has " + std::to_string(directory->size()) + " entries, none of them an .npy array",
            "Files written by numpy.savez have some.");
    }
    OpenedArchive archive;
    ArchiveReader reader(file, budget);
    for (const ZipEntry& entry : *directory) {
        Result<OpenedArray> array = reader.open(entry);
        if (array) {
            archive.arrays.push_back(std::move(array).value());
            continue;
        }
        if (array.refusal().id == "IO-08" || array.refusal().id == "IO-20") return array.takeRefusal();
        archive.skipped.push_back({sanitiseForDisplay(entry.name), array.refusal()});
    }
    return archive;
}

Result<OpenedArchive> openNpz(const std::filesystem::path& path, const Budget& budget) {
    return io::withMemoryRefused("Opening", [&]() -> Result<OpenedArchive> {
        Result<std::shared_ptr<MappedFile>> mapped = MappedFile::open(path);
        if (!mapped) return mapped.takeRefusal();
        const std::shared_ptr<MappedFile>& file = *mapped;
        Result<OpenedArchive> archive = npzFromBytes({file->bytes(), file, "mapped file", file->isWritable()}, budget);
        if (archive && file->fileChanged()) return io::refuseChanged(path);
        return archive;
    });
}

} // namespace stridescope
