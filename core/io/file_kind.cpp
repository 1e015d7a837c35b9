#include "core/io/file_kind.h"

#include "core/io/cifar.h"
#include "core/io/npz.h"
#include "core/io/pickle.h"
#include "core/io/refusals.h"
#include "core/io/text.h"
#include "core/storage/mapped_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <string_view>
#include <unistd.h>

namespace stridescope {
namespace {

using Bytes = std::span<const std::byte>;
using namespace std::string_view_literals;

struct Magic {
    std::string_view bytes;
    FileKind kind;
};
constexpr std::array<Magic, 16> kMagics{
    {{"\x93NUMPY"sv, FileKind::Npy},
     {"PK\x03\x04"sv, FileKind::Zip},
     {"PK\x05\x06"sv, FileKind::Zip},
     {"\x89PNG\r\n\x1a\n"sv, FileKind::Png},
     {"\xff\xd8\xff"sv, FileKind::Jpeg},
     {"GIF87a"sv, FileKind::Gif},
     {"GIF89a"sv, FileKind::Gif},
     {"II*\0"sv, FileKind::Tiff},
     {"MM\0*"sv, FileKind::Tiff},
     {"\x89HDF\r\n\x1a\n"sv, FileKind::Hdf5},
     {"\x1f\x8b"sv, FileKind::Gzip},
     // PyTorch's format before zip: a pickled magic number.
     {"\x80\x02\x8a\x0al\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."sv, FileKind::TorchCheckpoint},
     {"\x80\x02"sv, FileKind::Pickle},
     {"\x80\x03"sv, FileKind::Pickle},
     {"\x80\x04"sv, FileKind::Pickle},
     {"\x80\x05"sv, FileKind::Pickle}}};

bool isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool isSafetensors(std::string_view text) {
    // 8 bytes of header length, then JSON.
    if (text.size() < 10 || text[8] != '{') return false;
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < 8; ++i) length |= std::uint64_t{static_cast<unsigned char>(text[i])} << (8 * i);
    return length >= 2 && length <= 100'000'000 && (text[9] == '"' || text[9] == '}' || isSpace(text[9]));
}

bool isPnm(std::string_view text) {
    return text.size() > 2 && text[0] == 'P' && "2356"sv.find(text[1]) != std::string_view::npos &&
           (isSpace(text[2]) || text[2] == '#');
}

bool isBmp(std::string_view text) {
    // "BM", file size, 4 reserved zeros, offset of the pixels, size of the next header (12 … 124).
    return text.size() >= 18 && text.substr(0, 2) == "BM" && text.substr(6, 4) == "\0\0\0\0"sv &&
           static_cast<unsigned char>(text[14]) >= 12 && static_cast<unsigned char>(text[14]) <= 124 &&
           text[15] == '\0';
}

bool isText(std::string_view text, bool cut) {
    if (cut) { // the last character may be cut in two
        while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0u) == 0x80u) text.remove_suffix(1);
        if (!text.empty() && static_cast<unsigned char>(text.back()) >= 0xC0) text.remove_suffix(1);
    }
    for (const char c : text) {
        if (static_cast<unsigned char>(c) < 0x20 && !isSpace(c) && c != '\f') return false;
    }
    const std::string shown = sanitiseForDisplay(text, text.size() * 2 + 8);
    return shown.find("\uFFFD") == std::string::npos && text.find('\x7f') == std::string_view::npos;
}

std::string hexAndText(Bytes head) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string hex, text;
    for (const std::byte b : head.first(std::min<std::size_t>(8, head.size()))) {
        const auto value = std::to_integer<unsigned char>(b);
        if (!hex.empty()) hex += ' ';
        hex += kDigits[value >> 4];
        hex += kDigits[value & 15u];
        text += value >= 0x20 && value < 0x7f ? static_cast<char>(value) : '.';
    }
    return hex + " (\"" + text + "\")";
}

Result<std::vector<std::byte>> headOf(const std::filesystem::path& path) {
    Result<int> opened = openRegularFile(path);
    if (!opened) return opened.takeRefusal();
    std::vector<std::byte> head(kFileKindBytes);
    std::size_t filled = 0;
    int error = 0;
    while (filled < head.size()) {
        const ssize_t got = ::read(*opened, head.data() + filled, head.size() - filled);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) error = errno;
        if (got <= 0) break;
        filled += static_cast<std::size_t>(got);
    }
    ::close(*opened);
    if (error != 0) {
        return io::refuse("IO-05",
                          sanitiseForDisplay(path.filename().string(), 60) + ": cannot be read (error " +
                              std::to_string(error) + ")",
                          "Copy the file to a local disk.");
    }
    head.resize(filled);
    return head;
}

FileKind kindOfZip(const std::filesystem::path& path) {
    Result<std::shared_ptr<MappedFile>> file = MappedFile::open(path);
    if (!file) return FileKind::Zip;
    Result<std::vector<ZipEntry>> directory = readZipDirectory((*file)->bytes());
    // A damaged archive that was an .npz gets its exact words from the .npz reader.
    if (!directory) return path.extension() == ".npz" ? FileKind::Npz : FileKind::Zip;
    FileKind kind = FileKind::Zip;
    for (const ZipEntry& entry : *directory) {
        const std::string_view name = entry.name;
        if (name == "data.pkl" || name.ends_with("/data.pkl")) return FileKind::TorchCheckpoint;
        if (name.ends_with(".npy")) kind = FileKind::Npz;
    }
    return kind;
}

/// What the pickle names that is no array's: the command that it would carry out is worth to be told.
std::optional<Refusal> foreignNameIn(const std::filesystem::path& path) {
    Result<std::shared_ptr<MappedFile>> file = MappedFile::open(path);
    if (!file) return std::nullopt;
    Result<io::Pickle> pickle = io::readPickle((*file)->bytes());
    if (pickle || pickle.refusal().id != "PKL-04") return std::nullopt;
    return pickle.refusal();
}

} // namespace

FileKind fileKindOf(Bytes head) {
    if (head.empty()) return FileKind::Empty;
    const bool cut = head.size() >= kFileKindBytes;
    head = head.first(std::min(head.size(), kFileKindBytes));
    const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    for (const Magic& magic : kMagics) {
        if (text.substr(0, magic.bytes.size()) == magic.bytes) return magic.kind;
    }
    if (text.size() >= 12 && text.substr(0, 4) == "RIFF" && text.substr(8, 4) == "WEBP") return FileKind::WebP;
    if (isBmp(text)) return FileKind::Bmp;
    if (isPnm(text)) return FileKind::Pnm;
    if (isSafetensors(text)) return FileKind::Safetensors;
    if (!isText(text, cut)) return FileKind::Unknown;
    const bool markup = text.find("<svg") != std::string_view::npos;
    return markup ? FileKind::Svg : FileKind::Text;
}

Result<FileKind> fileKindOf(const std::filesystem::path& path) {
    Result<std::vector<std::byte>> head = headOf(path);
    if (!head) return head.takeRefusal();
    const FileKind kind = fileKindOf(Bytes(*head));
    return kind == FileKind::Zip ? kindOfZip(path) : kind;
}

Result<FileKind> openableKindOf(const std::filesystem::path& path) {
    Result<std::vector<std::byte>> head = headOf(path);
    if (!head) return head.takeRefusal();
    FileKind kind = fileKindOf(Bytes(*head));
    if (kind == FileKind::Zip) kind = kindOfZip(path);
    if (kind == FileKind::Unknown || kind == FileKind::Pickle || kind == FileKind::Gzip)
        if (cifarSourceOf(path)) return FileKind::Cifar;
    constexpr const char* kKnown = "Known are .npy, .npz, .safetensors, PNG, JPEG, BMP, PPM, PGM and CIFAR's files.";
    const std::string name = sanitiseForDisplay(path.filename().string(), 48);
    switch (kind) {
    case FileKind::Npy:
    case FileKind::Npz:
    case FileKind::Safetensors:
    case FileKind::Png:
    case FileKind::Jpeg:
    case FileKind::Bmp:
    case FileKind::Pnm:
        return kind;
    case FileKind::Empty:
        return io::refuse("IO-09", name + ": the file is empty", kKnown);
    case FileKind::Pickle:
        if (auto foreign = foreignNameIn(path)) return std::move(*foreign);
        [[fallthrough]];
    case FileKind::TorchCheckpoint:
        return io::refuse("IO-09", name + ": " + describe(kind) + "; not opened",
                          "A pickle can run any code. Save arrays with numpy.save(file, t.numpy()).");
    case FileKind::Unknown:
        return io::refuse("IO-09", name + ": not a known kind of file; first bytes are " + hexAndText(*head), kKnown);
    default:
        return io::refuse("IO-09", name + ": " + describe(kind) + " is not supported", kKnown);
    }
}

std::string describe(FileKind kind) {
    switch (kind) {
    case FileKind::Empty:
        return "empty file";
    case FileKind::Npy:
        return "NumPy array (.npy)";
    case FileKind::Npz:
        return "NumPy arrays (.npz)";
    case FileKind::Png:
        return "PNG";
    case FileKind::Jpeg:
        return "JPEG";
    case FileKind::Bmp:
        return "BMP";
    case FileKind::Pnm:
        return "PPM or PGM";
    case FileKind::Safetensors:
        return "safetensors";
    case FileKind::Cifar:
        return "CIFAR pictures";
    case FileKind::Text:
        return "plain text";
        return "session of this program";
    case FileKind::Zip:
        return "zip archive without arrays";
    case FileKind::TorchCheckpoint:
        return "PyTorch checkpoint (pickle)";
    case FileKind::Pickle:
        return "Python pickle";
    case FileKind::Gif:
        return "GIF";
    case FileKind::Tiff:
        return "TIFF";
    case FileKind::WebP:
        return "WebP";
    case FileKind::Svg:
        return "SVG";
    case FileKind::Hdf5:
        return "HDF5";
    case FileKind::Gzip:
        return "gzip";
    case FileKind::Unknown:
        break;
    }
    return "unknown kind of file";
}

} // namespace stridescope
