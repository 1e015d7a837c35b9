#include "core/io/npz.h"

#include "core/io/heap_bytes.h"
#include "core/io/zip_bytes.h"

#include <set>
#include <zlib.h>

namespace stridescope {
namespace {

using namespace io::zip;

constexpr std::uint64_t kDataAlignment = 64;
constexpr std::uint16_t kPaddingExtra = 0xD935; // the id that Android's zipalign uses for padding
constexpr std::uint16_t kDate = 0x0021;         // 1980-01-01: the same tensors give the same file
constexpr std::uint16_t kVersion20 = 20, kVersion45 = 45;
constexpr std::uint64_t kNameLimit = 200;

/// Counts and sums what passes through, and hands it on.
class CrcSink final : public ByteSink {
public:
    explicit CrcSink(ByteSink* next) : m_next(next) {}
    bool write(std::span<const std::byte> bytes) override {
        m_crc = ::crc32_z(m_crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
        return !m_next || m_next->write(bytes);
    }
    std::uint32_t crc() const { return static_cast<std::uint32_t>(m_crc); }

private:
    ByteSink* m_next;
    uLong m_crc = ::crc32_z(0, nullptr, 0);
};

struct Part {
    std::string name; ///< with .npy
    std::string npyHeader;
    const Tensor* tensor = nullptr;
    std::uint64_t bytes = 0, localAt = 0;
    std::uint32_t crc = 0;

    std::uint16_t flags() const {
        for (const char c : name) {
            if (static_cast<unsigned char>(c) >= 0x80) return kUtf8;
        }
        return 0;
    }
    bool large() const { return bytes >= kSee64; }
    bool far() const { return localAt >= kSee64; }
    bool write(ByteSink& sink) const {
        return sink.write(std::as_bytes(std::span(npyHeader))) && writeNpyData(*tensor, sink);
    }
};

void putCommon(std::string& out, const Part& part, std::uint16_t extraBytes) {
    put<std::uint16_t>(out, part.large() || part.far() ? kVersion45 : kVersion20);
    put<std::uint16_t>(out, part.flags());
    put<std::uint16_t>(out, kStored);
    put<std::uint16_t>(out, 0); // midnight
    put<std::uint16_t>(out, kDate);
    put<std::uint32_t>(out, part.crc);
    const auto size = part.large() ? kSee64 : static_cast<std::uint32_t>(part.bytes);
    put<std::uint32_t>(out, size);
    put<std::uint32_t>(out, size);
    put<std::uint16_t>(out, static_cast<std::uint16_t>(part.name.size()));
    put<std::uint16_t>(out, extraBytes);
}

/// Local header whose padding makes the entry begin at a multiple of 64; so does its data, after a header of k * 64.
std::string localHeader(const Part& part) {
    std::string extra;
    if (part.large()) {
        put<std::uint16_t>(extra, kZip64Extra);
        put<std::uint16_t>(extra, 16);
        put<std::uint64_t>(extra, part.bytes);
        put<std::uint64_t>(extra, part.bytes);
    }
    const std::uint64_t unpadded = part.localAt + kLocalBytes + part.name.size() + extra.size() + 4;
    const auto padding = static_cast<std::uint16_t>((kDataAlignment - unpadded % kDataAlignment) % kDataAlignment);
    put<std::uint16_t>(extra, kPaddingExtra);
    put<std::uint16_t>(extra, padding);
    extra.append(padding, '\0');
    std::string out;
    put<std::uint32_t>(out, kLocalSignature);
    putCommon(out, part, static_cast<std::uint16_t>(extra.size()));
    return out + part.name + extra;
}

std::string centralRecord(const Part& part) {
    std::string extra;
    if (part.large() || part.far()) {
        put<std::uint16_t>(extra, kZip64Extra);
        put<std::uint16_t>(extra, static_cast<std::uint16_t>((part.large() ? 16 : 0) + (part.far() ? 8 : 0)));
        if (part.large()) {
            put<std::uint64_t>(extra, part.bytes);
            put<std::uint64_t>(extra, part.bytes);
        }
        if (part.far()) put<std::uint64_t>(extra, part.localAt);
    }
    std::string out;
    put<std::uint32_t>(out, kCentralSignature);
    put<std::uint16_t>(out, kVersion45);
    putCommon(out, part, static_cast<std::uint16_t>(extra.size()));
    put<std::uint16_t>(out, 0); // comment
    put<std::uint16_t>(out, 0); // disk
    put<std::uint16_t>(out, 0); // internal attributes
    put<std::uint32_t>(out, 0); // external attributes
    put<std::uint32_t>(out, part.far() ? kSee64 : static_cast<std::uint32_t>(part.localAt));
    return out + part.name + extra;
}

std::string endRecords(std::uint64_t entries, std::uint64_t directoryAt, std::uint64_t directoryBytes) {
    std::string out;
    const bool needs64 = entries >= kSee64In16 || directoryAt >= kSee64 || directoryBytes >= kSee64;
    if (needs64) {
        put<std::uint32_t>(out, kEnd64Signature);
        put<std::uint64_t>(out, kEnd64Bytes - 12);
        put<std::uint16_t>(out, kVersion45);
        put<std::uint16_t>(out, kVersion45);
        put<std::uint32_t>(out, 0);
        put<std::uint32_t>(out, 0);
        put<std::uint64_t>(out, entries);
        put<std::uint64_t>(out, entries);
        put<std::uint64_t>(out, directoryBytes);
        put<std::uint64_t>(out, directoryAt);
        put<std::uint32_t>(out, kLocator64Signature);
        put<std::uint32_t>(out, 0);
        put<std::uint64_t>(out, directoryAt + directoryBytes);
        put<std::uint32_t>(out, 1);
    }
    put<std::uint32_t>(out, kEndSignature);
    put<std::uint32_t>(out, 0); // disks
    const auto count = needs64 ? kSee64In16 : static_cast<std::uint16_t>(entries);
    put<std::uint16_t>(out, count);
    put<std::uint16_t>(out, count);
    put<std::uint32_t>(out, needs64 ? kSee64 : static_cast<std::uint32_t>(directoryBytes));
    put<std::uint32_t>(out, needs64 ? kSee64 : static_cast<std::uint32_t>(directoryAt));
    put<std::uint16_t>(out, 0);
    return out;
}

std::optional<Refusal> checkNames(const std::vector<std::pair<std::string, Tensor>>& tensors) {
    std::set<std::string> seen;
    for (const auto& [name, tensor] : tensors) {
        if (auto refusal = io::refuseUnsavable(tensor)) return refusal;
        const std::string shown = "'" + sanitiseForDisplay(name, 40) + "'";
        if (name.empty()) return io::refuse("NPZ-16", "A tensor to save has no name", "Give it one.");
        if (name.size() > kNameLimit) {
            return io::refuseAmount("NPZ-16",
                                    "The name " + shown + " has " + std::to_string(name.size()) + " bytes, limit " +
                                        std::to_string(kNameLimit),
                                    "Choose a shorter one.", name.size(), kNameLimit);
        }
        if (!seen.insert(name).second) {
            return io::refuse("NPZ-16", "Two tensors have the name " + shown, "Give every tensor its own name.");
        }
    }
    return std::nullopt;
}

Result<SavedFile> write(const std::vector<std::pair<std::string, Tensor>>& tensors, const std::filesystem::path& path,
                        const ProgressFn& progress) {
    if (auto refusal = checkNames(tensors)) return std::move(*refusal);
    std::vector<Part> parts;
    std::uint64_t at = 0;
    for (const auto& [name, tensor] : tensors) {
        Part part;
        part.name = name + ".npy";
        part.npyHeader = npyHeaderFor(tensor);
        part.tensor = &tensor;
        part.bytes = part.npyHeader.size() + static_cast<std::uint64_t>(tensor.nbytes());
        part.localAt = at;
        at += localHeader(part).size() + part.bytes;
        parts.push_back(std::move(part));
    }
    const std::uint64_t directoryAt = at;
    std::uint64_t directoryBytes = 0;
    for (const Part& part : parts) directoryBytes += centralRecord(part).size();
    const std::string end = endRecords(parts.size(), directoryAt, directoryBytes);

    SaveOptions options;
    options.progress = progress;
    options.expectedBytes = directoryAt + directoryBytes + end.size();
    const auto produce = [&](ByteSink& sink) -> std::optional<Refusal> {
        const auto text = [&](const std::string& bytes) { return sink.write(std::as_bytes(std::span(bytes))); };
        for (Part& part : parts) {
            // The checksum stands before the data, so the data is walked twice.
            CrcSink sum(nullptr);
            part.write(sum);
            part.crc = sum.crc();
            if (!text(localHeader(part))) return std::nullopt;
            CrcSink data(&sink);
            if (!part.write(data)) return std::nullopt;
            if (data.crc() != part.crc) {
                return io::refuse("IO-07",
                                  "'" + sanitiseForDisplay(part.name, 40) + "' changed while it was being saved",
                                  "Nothing was saved. Stop what writes to it, then save again.");
            }
        }
        for (const Part& part : parts) {
            if (!text(centralRecord(part))) return std::nullopt;
        }
        text(end);
        return std::nullopt;
    };
    return saveAtomically(path, produce, options);
}

} // namespace

Result<SavedFile> writeNpz(const std::vector<std::pair<std::string, Tensor>>& tensors,
                           const std::filesystem::path& path, const ProgressFn& progress) {
    return io::withMemoryRefused("Saving", [&] { return write(tensors, path, progress); });
}

} // namespace stridescope
