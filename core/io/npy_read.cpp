#include "core/io/npy.h"

#include "core/io/heap_bytes.h"
#include "core/storage/mapped_file.h"
#include "core/view/checked.h"

#include <bit>
#include <cstring>

namespace stridescope {
namespace {

constexpr std::uint64_t kProgressBlock = std::uint64_t{16} << 20;

template <class T>
T byteSwapped(T value) {
    std::byte bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    for (std::size_t i = 0; i < sizeof(T) / 2; ++i) std::swap(bytes[i], bytes[sizeof(T) - 1 - i]);
    std::memcpy(&value, bytes, sizeof(T));
    return value;
}

/// Calls `block(first, count)` for pieces of [0, numel), with progress between them.
template <class F>
std::optional<Refusal> inBlocks(std::uint64_t numel, std::uint64_t itemBytes, const Budget& budget, F&& block) {
    const std::uint64_t step = kProgressBlock / itemBytes;
    for (std::uint64_t first = 0; first < numel; first += step) {
        const std::uint64_t count = std::min(step, numel - first);
        if (std::optional<Refusal> refusal = block(first, count)) return refusal;
        if (auto refusal = budget.check((first + count) * itemBytes, numel * itemBytes)) return refusal;
    }
    return std::nullopt;
}

/// Elements of type From, at any address and in either byte order, to type To.
template <class From, class To>
std::optional<Refusal> convertAll(const std::byte* from, std::byte* to, const NpyHeader& header, const Budget& budget) {
    const auto numel = static_cast<std::uint64_t>(header.numel);
    return inBlocks(
        numel, sizeof(From), budget, [&](std::uint64_t first, std::uint64_t count) -> std::optional<Refusal> {
            for (std::uint64_t i = first; i < first + count; ++i) {
                From value;
                std::memcpy(&value, from + i * sizeof(From), sizeof(From));
                if (header.swapBytes) value = byteSwapped(value);
                if constexpr (std::is_same_v<From, std::uint64_t> && std::is_same_v<To, std::int64_t>) {
                    if (header.conversion == NpyConversion::UInt64ToInt64 && value > INT64_MAX) {
                        return io::refuse("NPY-19",
                                          "The uint64 value " + std::to_string(value) + " at flat index " +
                                              std::to_string(i) + " does not fit int64",
                                          "There is no uint64 here. Save it as float64: array.astype('float64').",
                                          InputPosition{static_cast<Index>(i)});
                    }
                }
                const To result = static_cast<To>(value);
                std::memcpy(to + i * sizeof(To), &result, sizeof(To));
            }
            return std::nullopt;
        });
}

std::optional<Refusal> normaliseBools(const std::byte* from, std::byte* to, const NpyHeader& header,
                                      const Budget& budget, std::uint64_t& odd) {
    return inBlocks(header.dataBytes, 1, budget,
                    [&](std::uint64_t first, std::uint64_t count) -> std::optional<Refusal> {
                        std::uint64_t oddHere = 0;
                        for (std::uint64_t i = first; i < first + count; ++i) {
                            const auto value = std::to_integer<unsigned>(from[i]);
                            oddHere += value > 1;
                            to[i] = static_cast<std::byte>(value != 0);
                        }
                        odd += oddHere;
                        return std::nullopt;
                    });
}

std::optional<Refusal> convert(const std::byte* from, std::byte* to, const NpyHeader& header, const Budget& budget,
                               std::vector<std::string>& notes) {
    switch (header.conversion) {
    case NpyConversion::NormaliseBool: {
        std::uint64_t odd = 0;
        auto refusal = normaliseBools(from, to, header, budget, odd);
        if (odd > 0) notes.push_back(std::to_string(odd) + " bool bytes were not 0 or 1; they are read as True.");
        return refusal;
    }
    case NpyConversion::UInt16ToInt32:
        notes.push_back("uint16 does not exist here: the values were copied to int32.");
        return convertAll<std::uint16_t, std::int32_t>(from, to, header, budget);
    case NpyConversion::UInt32ToInt64:
        notes.push_back("uint32 does not exist here: the values were copied to int64.");
        return convertAll<std::uint32_t, std::int64_t>(from, to, header, budget);
    case NpyConversion::UInt64ToInt64:
        notes.push_back("uint64 does not exist here: the values, which all fit, were copied to int64.");
        return convertAll<std::uint64_t, std::int64_t>(from, to, header, budget);
    case NpyConversion::None:
        break;
    }
    if (header.swapBytes)
        notes.push_back(io::kCopiedByteOrder);
    else
        notes.push_back(io::kCopiedUnaligned);
    NpyHeader parts = header; // a complex number has its byte order in each part
    if (isComplex(header.dtype)) {
        parts.numel *= 2;
        parts.fileItemSize /= 2;
    }
    switch (parts.fileItemSize) {
    case 2:
        return convertAll<std::uint16_t, std::uint16_t>(from, to, parts, budget);
    case 4:
        return convertAll<std::uint32_t, std::uint32_t>(from, to, parts, budget);
    default:
        return convertAll<std::uint64_t, std::uint64_t>(from, to, parts, budget);
    }
}

const char* whyCopied(const NpyHeader& header) {
    switch (header.conversion) {
    case NpyConversion::UInt16ToInt32:
        return "uint16 (read as int32)";
    case NpyConversion::UInt32ToInt64:
        return "uint32 (read as int64)";
    case NpyConversion::UInt64ToInt64:
        return "uint64 (read as int64)";
    case NpyConversion::NormaliseBool:
        return "bool";
    case NpyConversion::None:
        break;
    }
    return header.swapBytes ? "big-endian data" : "data that is not aligned in the file";
}

Result<View> viewOf(const NpyHeader& header) {
    Result<View> rowMajor = contiguousView(header.shape);
    if (!rowMajor || !header.fortranOrder) return rowMajor;
    Dims stride(header.shape.size(), 1);
    for (std::size_t d = 1; d < stride.size(); ++d) stride[d] = stride[d - 1] * std::max<Index>(header.shape[d - 1], 1);
    return makeView(header.shape, stride, 0);
}

} // namespace

Result<OpenedArray> npyFromBytes(const FileBytes& file, const std::string& name, const Budget& budget) {
    // The header is copied before it is looked at: another program may write to the file meanwhile.
    const auto fileStart = file.bytes.first(std::min(file.bytes.size(), npyHeadBytes(budget)));
    const std::vector<std::byte> head(fileStart.begin(), fileStart.end());
    Result<NpyHeader> parsed = parseNpyHeader(head, budget);
    if (!parsed) return parsed.takeRefusal();
    NpyHeader header = std::move(parsed).value();

    const std::uint64_t available = file.bytes.size() - header.dataOffset;
    if (available < header.dataBytes) {
        return io::refuseAmount("NPY-07",
                                "The data is too short: it needs " + bytesText(header.dataBytes) + ", has " +
                                    bytesText(available),
                                "The file was not written or copied to its end.", header.dataBytes, available);
    }
    OpenedArray array;
    array.name = sanitiseForDisplay(name);
    array.rawName = name;
    array.notes = std::move(header.notes);
    if (const std::uint64_t extra = available - header.dataBytes; extra > 0) {
        array.notes.push_back(std::to_string(extra) + " extra bytes after the data ignored.");
    }
    Result<View> view = viewOf(header);
    if (!view) {
        return io::refuse("NPY-12", "The sizes cannot be addressed: " + view.refusal().message, "The file is damaged.");
    }

    std::byte* const data = file.bytes.data() + header.dataOffset;
    const std::uint64_t neededBytes = static_cast<std::uint64_t>(header.numel) * itemSize(header.dtype);
    if (header.conversion == NpyConversion::NormaliseBool && neededBytes > budget.maxBytes) {
        // A bool must be 0 or 1 for the compiler's sake, which an unread file does not promise.
        header.dtype = DType::UInt8;
        header.conversion = NpyConversion::None;
        array.notes.push_back("bool of more than " + bytesText(budget.maxBytes) + " opens as uint8, without a copy.");
    }
    const bool aligned = reinterpret_cast<std::uintptr_t>(data) % itemSize(header.dtype) == 0;
    if (header.conversion == NpyConversion::None && !header.swapBytes && aligned) {
        auto storage = Storage::wrap(
            data, static_cast<std::size_t>(header.dataBytes), Device{}, [keep = file.owner] {}, file.kind,
            file.writable);
        array.tensor = Tensor(std::move(storage), std::move(view).value(), header.dtype);
        return array;
    }
    if (neededBytes > budget.maxBytes) {
        return io::refuseAmount("NPY-20",
                                std::string("Opening ") + whyCopied(header) + " needs a copy of " +
                                    bytesText(neededBytes) + ", limit " + bytesText(budget.maxBytes),
                                "Save it in a type that is used in place, e.g. array.astype('<f4').", neededBytes,
                                budget.maxBytes, ErrorKind::Memory);
    }
    Result<std::shared_ptr<std::byte>> copy = io::heapBytes(neededBytes, budget);
    if (!copy) return copy.takeRefusal();
    if (auto refusal = convert(data, copy->get(), header, budget, array.notes)) return std::move(*refusal);
    array.tensor =
        Tensor(io::heapStorage(*copy, static_cast<std::size_t>(neededBytes)), std::move(view).value(), header.dtype);
    return array;
}

Result<OpenedArray> openNpy(const std::filesystem::path& path, const Budget& budget) {
    return io::withMemoryRefused("Opening", [&]() -> Result<OpenedArray> {
        Result<std::shared_ptr<MappedFile>> mapped = MappedFile::open(path);
        if (!mapped) return mapped.takeRefusal();
        const std::shared_ptr<MappedFile>& file = *mapped;
        Result<OpenedArray> array =
            npyFromBytes({file->bytes(), file, "mapped file", file->isWritable()}, path.stem().string(), budget);
        if (array && file->fileChanged()) return io::refuseChanged(path);
        return array;
    });
}

} // namespace stridescope
