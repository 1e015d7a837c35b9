#include "core/io/safetensors.h"

#include "core/device/device.h"
#include "core/io/heap_bytes.h"
#include "core/io/json_reader.h"
#include "core/io/refusals.h"
#include "core/io/row_major.h"
#include "core/io/save_atomically.h"
#include "core/io/text.h"
#include "core/storage/mapped_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <set>

namespace stridescope {

namespace {

/// The reference implementation's own limit.
constexpr std::uint64_t kMaxHeader = 100'000'000;
constexpr std::uint64_t kAlignment = 64;

struct KnownType {
    std::string_view text;
    std::size_t bytes;
    std::optional<DType> dtype;
};
constexpr std::array<KnownType, 18> kTypes{{{"F32", 4, DType::Float32},
                                            {"F64", 8, DType::Float64},
                                            {"F16", 2, DType::Float16},
                                            {"I64", 8, DType::Int64},
                                            {"I32", 4, DType::Int32},
                                            {"I16", 2, DType::Int16},
                                            {"I8", 1, DType::Int8},
                                            {"U8", 1, DType::UInt8},
                                            {"BOOL", 1, DType::Bool},
                                            {"C64", 8, DType::Complex64},
                                            {"C128", 16, DType::Complex128},
                                            {"BF16", 2, std::nullopt},
                                            {"U16", 2, std::nullopt},
                                            {"U32", 4, std::nullopt},
                                            {"U64", 8, std::nullopt},
                                            {"F8_E4M3", 1, std::nullopt},
                                            {"F8_E5M2", 1, std::nullopt},
                                            {"F8_E8M0", 1, std::nullopt}}};

const KnownType* typeOf(std::string_view text) {
    const auto found = std::find_if(kTypes.begin(), kTypes.end(), [&](const KnownType& t) { return t.text == text; });
    return found == kTypes.end() ? nullptr : &*found;
}

/// Short enough for two of them in one line of a refusal.
std::string shownName(std::string_view name) {
    return "\"" + sanitiseForDisplay(std::string(name), 36) + "\"";
}

class HeaderParser {
public:
    HeaderParser(std::string_view text, std::uint64_t maxEntries) : m_json(text), m_maxEntries(maxEntries) {}

    std::optional<Refusal> parse(SafetensorsHeader& header) {
        if (!m_json.expect('{')) return broken();
        if (!m_json.take('}')) {
            do {
                std::string name;
                if (!m_json.string(name) || !m_json.expect(':')) return broken();
                if (!m_names.insert(name).second)
                    return io::refuse("ST-06", "The name " + shownName(name) + " appears twice",
                                      "The file is damaged.");
                if (name == "__metadata__") {
                    if (!metadata(header)) return broken();
                    continue;
                }
                if (header.entries.size() >= m_maxEntries)
                    return io::refuseAmount("ST-05", "There are more than " + std::to_string(m_maxEntries) + " tensors",
                                            "Open a file with fewer.", header.entries.size() + 1, m_maxEntries);
                SafetensorsEntry& entry = header.entries.emplace_back();
                entry.name = std::move(name);
                if (auto refusal = describe(entry)) return refusal;
            } while (m_json.take(','));
            if (!m_json.expect('}')) return broken();
        }
        if (!m_json.atEnd()) return broken("something follows the header's last brace");
        return std::nullopt;
    }

private:
    Refusal broken(const std::string& problem = {}) const {
        return io::refuse(
            "ST-04", "The header is not as it should be: " + (problem.empty() ? m_json.problem() : problem),
            "The file is damaged, or not a safetensors file.", InputPosition{static_cast<Index>(8 + m_json.offset())});
    }

    bool metadata(SafetensorsHeader& header) {
        if (!m_json.expect('{')) return false;
        if (m_json.take('}')) return true;
        do {
            std::pair<std::string, std::string> entry;
            if (!m_json.string(entry.first) || !m_json.expect(':') || !m_json.string(entry.second, 16 << 20))
                return false;
            header.metadata.push_back(std::move(entry));
        } while (m_json.take(','));
        return m_json.expect('}');
    }

    bool numbers(std::vector<Index>& out, std::size_t most) {
        if (!m_json.expect('[')) return false;
        if (m_json.take(']')) return true;
        do {
            if (out.size() >= most) return m_json.fail("a list has more than " + std::to_string(most) + " numbers");
            if (!m_json.whole(out.emplace_back())) return false;
        } while (m_json.take(','));
        return m_json.expect(']');
    }

    std::optional<Refusal> describe(SafetensorsEntry& entry) {
        bool hasType = false, hasShape = false, hasOffsets = false;
        if (!m_json.expect('{')) return broken();
        do {
            std::string key;
            if (!m_json.string(key) || !m_json.expect(':')) return broken();
            bool& seen = key == "dtype" ? hasType : key == "shape" ? hasShape : hasOffsets;
            if ((key != "dtype" && key != "shape" && key != "data_offsets") || seen)
                return broken("the key " + shownName(key) + " of " + shownName(entry.name) +
                              (seen ? " appears twice" : " is unknown"));
            seen = true;
            if (&seen == &hasType) {
                if (!m_json.string(entry.dtypeText, 32)) return broken();
            } else {
                std::vector<Index> list;
                if (!numbers(list, 64)) return broken();
                if (&seen == &hasShape) {
                    entry.shape = Dims(std::span<const Index>(list));
                } else {
                    if (list.size() != 2) return broken("data_offsets needs two numbers");
                    entry.begin = static_cast<std::uint64_t>(list[0]);
                    entry.end = static_cast<std::uint64_t>(list[1]);
                }
            }
        } while (m_json.take(','));
        if (!m_json.expect('}')) return broken();
        if (!hasType || !hasShape || !hasOffsets)
            return broken(shownName(entry.name) + " lacks dtype, shape or data_offsets");
        return check(entry);
    }

    static std::optional<Refusal> check(SafetensorsEntry& entry) {
        const KnownType* type = typeOf(entry.dtypeText);
        if (!type)
            return io::refuse("ST-07", "The dtype \"" + sanitiseForDisplay(entry.dtypeText, 24) + "\" of " +
                                           shownName(entry.name) + " is unknown");
        entry.dtype = type->dtype;
        std::uint64_t bytes = type->bytes;
        bool fits = true, empty = false;
        for (const Index size : entry.shape) {
            empty = empty || size == 0;
            fits = !__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(std::max<Index>(size, 1)), &bytes) && fits;
        }
        if (empty) bytes = 0;
        if (!fits || bytes > INT64_MAX)
            return io::refuse("ST-08", "The sizes of " + shownName(entry.name) + " do not fit 64 bits");
        if (entry.end < entry.begin || entry.end - entry.begin != bytes)
            return io::refuse("ST-09",
                              shownName(entry.name) + ": " + entry.dtypeText + " of sizes " +
                                  sanitiseForDisplay(toListString(std::span<const Index>(entry.shape)), 24) +
                                  " takes " + bytesText(bytes) + ", its offsets give " + std::to_string(entry.begin) +
                                  " to " + std::to_string(entry.end),
                              "The file is damaged.");
        return std::nullopt;
    }

    io::JsonReader m_json;
    std::uint64_t m_maxEntries;
    std::set<std::string> m_names;
};

} // namespace

Result<SafetensorsHeader> parseSafetensorsHeader(std::span<const std::byte> file, const Budget& budget) {
    if (file.size() < 8)
        return io::refuse("ST-01", "The file has " + std::to_string(file.size()) + " bytes; a header needs at least 8",
                          "It is not a safetensors file, or was not written to its end.");
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < 8; ++i)
        length |= static_cast<std::uint64_t>(std::to_integer<unsigned>(file[i])) << (8 * i);
    if (length > kMaxHeader)
        return io::refuseAmount("ST-02",
                                "The header would take " + bytesText(length) + ", limit " + bytesText(kMaxHeader),
                                "It is not a safetensors file.", length, kMaxHeader);
    if (length > file.size() - 8)
        return io::refuseAmount("ST-03",
                                "The header needs " + bytesText(length) + ", the file has " +
                                    bytesText(file.size() - 8) + " behind its first 8 bytes",
                                "The file was not written or copied to its end.", length, file.size() - 8);
    // Copied before it is looked at: another program may write to the file meanwhile.
    const std::string text(reinterpret_cast<const char*>(file.data() + 8), static_cast<std::size_t>(length));
    SafetensorsHeader header;
    header.dataOffset = 8 + length;
    if (auto refusal = HeaderParser(text, budget.maxEntries).parse(header)) return std::move(*refusal);
    std::stable_sort(header.entries.begin(), header.entries.end(), [](const auto& a, const auto& b) {
        return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
    });
    std::uint64_t reached = 0;
    for (const SafetensorsEntry& entry : header.entries) {
        if (entry.begin != reached)
            return io::refuse("ST-10",
                              shownName(entry.name) + " begins at byte " + std::to_string(entry.begin) +
                                  ", the one before it " + "ends at " + std::to_string(reached),
                              entry.begin < reached ? "Two tensors would share bytes."
                                                    : "Bytes would belong to nobody.");
        reached = entry.end;
    }
    const std::uint64_t has = file.size() - header.dataOffset;
    if (reached > has)
        return io::refuseAmount("ST-11",
                                "The data is too short: it needs " + bytesText(reached) + ", has " + bytesText(has),
                                "The file was not written or copied to its end.", reached, has);
    if (reached < has)
        return io::refuse("ST-12", std::to_string(has - reached) + " bytes behind the last tensor belong to nobody",
                          "The file is damaged.");
    return header;
}

Result<OpenedSafetensors> safetensorsFromBytes(const FileBytes& file, const Budget& budget) {
    Result<SafetensorsHeader> parsed = parseSafetensorsHeader(file.bytes, budget);
    if (!parsed) return parsed.takeRefusal();
    OpenedSafetensors opened;
    opened.metadata = parsed->metadata;
    std::uint64_t copied = 0;
    const std::span<std::byte> all = file.bytes.subspan(static_cast<std::size_t>(parsed->dataOffset));
    const auto storageOver = [&](std::span<std::byte> bytes) {
        return Storage::wrap(
            bytes.data(), bytes.size(), Device{}, [keep = file.owner] {}, file.kind, file.writable);
    };
    const auto isAligned = [](const std::byte* data, std::size_t bytes) {
        return reinterpret_cast<std::uintptr_t>(data) % bytes == 0;
    };
    StoragePtr shared;
    for (const SafetensorsEntry& entry : parsed->entries) {
        const std::string shown = sanitiseForDisplay(entry.name);
        if (!entry.dtype) {
            opened.skipped.push_back(
                {shown, io::refuse("ST-13", "The dtype " + entry.dtypeText + " does not exist here",
                                   "Save it in another one, such as float32.")});
            continue;
        }
        Result<View> view = contiguousView(entry.shape);
        if (!view) {
            opened.skipped.push_back({shown, view.refusal()});
            continue;
        }
        OpenedArray array;
        array.name = shown;
        array.rawName = entry.name;
        const std::uint64_t bytes = entry.end - entry.begin;
        const auto place = all.subspan(static_cast<std::size_t>(entry.begin), static_cast<std::size_t>(bytes));
        const std::byte* const data = place.data();
        const std::size_t item = itemSize(*entry.dtype);
        if (isAligned(data, item) && *entry.dtype != DType::Bool) {
            const bool inside = isAligned(all.data(), item);
            if (inside && !shared) shared = storageOver(all);
            if (inside) view->offset = static_cast<Index>(entry.begin / item);
            array.tensor = Tensor(inside ? shared : storageOver(place), std::move(view).value(), *entry.dtype);
        } else {
            copied += bytes;
            Budget left = budget;
            left.maxBytes = budget.maxBytes - std::min(budget.maxBytes, copied - bytes);
            Result<std::shared_ptr<std::byte>> copy = io::heapBytes(bytes, left);
            if (!copy) return copy.takeRefusal();
            if (bytes > 0) std::memcpy(copy->get(), data, static_cast<std::size_t>(bytes));
            if (*entry.dtype == DType::Bool) { // must be 0 or 1 for the compiler's sake
                std::uint64_t odd = 0;
                for (std::uint64_t i = 0; i < bytes; ++i) {
                    odd += std::to_integer<unsigned>(copy->get()[i]) > 1;
                    copy->get()[i] = static_cast<std::byte>(copy->get()[i] != std::byte{0});
                }
                if (odd > 0)
                    array.notes.push_back(std::to_string(odd) + " bool bytes were not 0 or 1; they are read as True.");
            } else {
                array.notes.push_back(io::kCopiedUnaligned);
            }
            array.tensor =
                Tensor(io::heapStorage(*copy, static_cast<std::size_t>(bytes)), std::move(view).value(), *entry.dtype);
        }
        opened.arrays.push_back(std::move(array));
        if (auto refusal = budget.check(entry.end, file.bytes.size())) return std::move(*refusal);
    }
    return opened;
}

Result<OpenedSafetensors> openSafetensors(const std::filesystem::path& path, const Budget& budget) {
    return io::withMemoryRefused("Opening", [&]() -> Result<OpenedSafetensors> {
        Result<std::shared_ptr<MappedFile>> mapped = MappedFile::open(path);
        if (!mapped) return mapped.takeRefusal();
        const std::shared_ptr<MappedFile>& file = *mapped;
        Result<OpenedSafetensors> opened =
            safetensorsFromBytes({file->bytes(), file, "mapped file", file->isWritable()}, budget);
        if (opened && file->fileChanged()) return io::refuseChanged(path);
        return opened;
    });
}

namespace {

std::string_view textOf(DType dtype) {
    return std::find_if(kTypes.begin(), kTypes.end(), [&](const KnownType& t) { return t.dtype == dtype; })->text;
}

/// The length, the header and blanks up to where the data begins.
std::string headerFor(const std::vector<std::pair<std::string, Tensor>>& tensors, const std::vector<std::size_t>& order,
                      const std::vector<std::pair<std::string, std::string>>& metadata) {
    std::string json = "{";
    if (!metadata.empty()) {
        json += "\"__metadata__\":{";
        for (const auto& [key, value] : metadata)
            json += (json.back() == '{' ? "" : ",") + io::jsonQuoted(key) + ":" + io::jsonQuoted(value);
        json += "}";
    }
    std::uint64_t at = 0;
    for (const std::size_t i : order) {
        const auto& [name, tensor] = tensors[i];
        const std::uint64_t end = at + static_cast<std::uint64_t>(tensor.nbytes());
        if (json.size() > 1) json += ",";
        json += io::jsonQuoted(name) + ":{\"dtype\":\"" + std::string(textOf(tensor.dtype())) + "\",\"shape\":[";
        for (std::size_t d = 0; d < tensor.shape().size(); ++d)
            json += (d > 0 ? "," : "") + std::to_string(tensor.shape()[d]);
        json += "],\"data_offsets\":[" + std::to_string(at) + "," + std::to_string(end) + "]}";
        at = end;
    }
    json += "}";
    while ((8 + json.size()) % kAlignment != 0) json += ' ';
    std::string head;
    for (std::size_t i = 0; i < 8; ++i) head += static_cast<char>((json.size() >> (8 * i)) & 0xFF);
    return head + json;
}

/// Larger items first, so that all lie aligned.
std::vector<std::size_t> orderOf(const std::vector<std::pair<std::string, Tensor>>& tensors) {
    std::vector<std::size_t> order(tensors.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return tensors[a].second.itemSize() > tensors[b].second.itemSize();
    });
    return order;
}

Result<SavedFile> write(const std::vector<std::pair<std::string, Tensor>>& tensors,
                        const std::vector<std::pair<std::string, std::string>>& metadata,
                        const std::filesystem::path& path, const ProgressFn& progress) {
    std::set<std::string> names;
    for (const auto& [name, tensor] : tensors) {
        if (auto refusal = io::refuseUnsavable(tensor)) return std::move(*refusal);
        if (name.empty() || name == "__metadata__" || !names.insert(name).second)
            return io::refuse("ST-14",
                              name.empty() ? "A tensor has no name"
                                           : "The name " + shownName(name) + " cannot be used" +
                                                 (name == "__metadata__" ? "" : " twice"),
                              "Give every tensor a name of its own.");
    }
    const std::vector<std::size_t> order = orderOf(tensors);
    const std::string header = headerFor(tensors, order, metadata);
    SaveOptions options;
    options.progress = progress;
    std::uint64_t bytes = header.size();
    for (const auto& entry : tensors) bytes += static_cast<std::uint64_t>(entry.second.nbytes());
    options.expectedBytes = bytes;
    return saveAtomically(
        path,
        [&](ByteSink& sink) -> std::optional<Refusal> {
            if (!sink.write(std::as_bytes(std::span(header)))) return std::nullopt;
            for (const std::size_t i : order)
                if (!writeRowMajor(tensors[i].second, sink)) return std::nullopt;
            return std::nullopt;
        },
        options);
}

} // namespace

Result<SavedFile> writeSafetensors(const std::vector<std::pair<std::string, Tensor>>& tensors,
                                   const std::vector<std::pair<std::string, std::string>>& metadata,
                                   const std::filesystem::path& path, const ProgressFn& progress) {
    return io::withMemoryRefused("Saving", [&] { return write(tensors, metadata, path, progress); });
}

std::string safetensorsBytes(const std::vector<std::pair<std::string, Tensor>>& tensors,
                             const std::vector<std::pair<std::string, std::string>>& metadata) {
    class StringSink final : public ByteSink {
    public:
        explicit StringSink(std::string& out) : m_out(out) {}
        bool write(std::span<const std::byte> bytes) override {
            m_out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
            return true;
        }

    private:
        std::string& m_out;
    };
    const std::vector<std::size_t> order = orderOf(tensors);
    std::string out = headerFor(tensors, order, metadata);
    StringSink sink(out);
    for (const std::size_t i : order) writeRowMajor(tensors[i].second, sink);
    return out;
}

} // namespace stridescope
