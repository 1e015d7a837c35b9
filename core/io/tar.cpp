#include "core/io/tar.h"

#include "core/io/heap_bytes.h"

#include <charconv>
#include <string_view>

namespace stridescope::io {
namespace {

constexpr std::uint64_t kBlock = 512;
/// A name that is longer belongs to no file that anybody would want to open.
constexpr std::uint64_t kMostExtension = 64 * 1024;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 60;

std::string_view field(const std::array<std::byte, 512>& block, std::size_t at, std::size_t length) {
    const std::string_view text(reinterpret_cast<const char*>(block.data()) + at, length);
    return text.substr(0, text.find('\0'));
}

Refusal refuseDamaged(const std::string& what) {
    return refuse("TAR-02", "The archive is damaged: " + what, "Get the file again.");
}

/// Octal digits, or base 256 where the first bit is set; nothing for anything else.
std::optional<std::uint64_t> numberAt(const std::array<std::byte, 512>& block, std::size_t at, std::size_t length) {
    std::uint64_t value = 0;
    if (std::to_integer<unsigned>(block[at]) & 0x80u) {
        if (block[at] != std::byte{0x80}) return std::nullopt; // negative
        for (std::size_t i = 1; i < length; ++i) {
            if (value >> 52) return std::nullopt;
            value = value << 8 | std::to_integer<std::uint64_t>(block[at + i]);
        }
        return value;
    }
    std::string_view text = field(block, at, length);
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    if (text.empty()) return 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 8);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

bool isZero(const std::array<std::byte, 512>& block) {
    return std::all_of(block.begin(), block.end(), [](std::byte b) { return b == std::byte{0}; });
}

/// The sum of all bytes, those of the field of the sum itself counted as spaces.
bool sumFits(const std::array<std::byte, 512>& block) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < block.size(); ++i)
        sum += i >= 148 && i < 156 ? std::uint64_t{' '} : std::to_integer<std::uint64_t>(block[i]);
    return numberAt(block, 148, 8) == sum;
}

std::string nameIn(const std::array<std::byte, 512>& block) {
    const std::string name(field(block, 0, 100));
    const bool posix = field(block, 257, 6) == "ustar"; // GNU's magic has a space behind it, and no prefix
    const std::string_view prefix = posix ? field(block, 345, 155) : std::string_view();
    return prefix.empty() ? name : std::string(prefix) + "/" + name;
}

} // namespace

/// False at the end of the archive: a block of zeros, or no more bytes.
Result<bool> TarReader::readHeader(Block& block) {
    if (auto refusal = skip(m_left + m_padding)) return std::move(*refusal);
    m_left = m_padding = 0;
    Result<std::size_t> got = m_source.read(block);
    if (!got) return got.takeRefusal();
    if (*got == 0 && m_entries > 0) return false;
    if (*got < kBlock)
        return refuseAmount("TAR-01",
                            m_entries > 0 ? "The archive ends in the middle of a header"
                                          : "Not a tar file: shorter than one header of 512 B",
                            "Get the file again.", kBlock, *got);
    if (isZero(block)) return false;
    if (!sumFits(block))
        return m_entries > 0
                   ? refuseDamaged("the sum of header " + std::to_string(m_entries + 1) + " is wrong")
                   : refuse("TAR-01", "Not a tar file: the sum of the first header is wrong", "Choose another file.");
    if (++m_entries > m_budget.maxEntries)
        return refuseAmount("TAR-03", "The archive has more than " + std::to_string(m_budget.maxEntries) + " entries",
                            "Unpack it with another program.", m_entries, m_budget.maxEntries);
    return true;
}

std::optional<Refusal> TarReader::skip(std::uint64_t bytes) {
    std::vector<std::byte> thrown(static_cast<std::size_t>(std::min<std::uint64_t>(bytes, 1 << 16)));
    while (bytes > 0) {
        const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, thrown.size()));
        Result<std::size_t> got = m_source.read(std::span(thrown).first(part));
        if (!got) return std::move(*got.takeRefusal());
        if (*got < part)
            return refuseAmount("TAR-04", "The archive ends in the middle of a file", "Get it again.", bytes, *got);
        bytes -= part;
    }
    return std::nullopt;
}

/// GNU's old sparse files: the map of what is there goes on in blocks of its own.
std::optional<Refusal> TarReader::skipSparseMap(const Block& header) {
    bool more = header[482] != std::byte{0};
    for (Block block{}; more; more = block[504] != std::byte{0}) {
        Result<std::size_t> got = m_source.read(block);
        if (!got) return std::move(*got.takeRefusal());
        if (*got < kBlock)
            return refuseAmount("TAR-04", "The archive ends in the middle of a file", "Get it again.", kBlock, *got);
    }
    return std::nullopt;
}

Result<std::vector<std::byte>> TarReader::content() {
    if (m_left > m_budget.maxBytes)
        return refuseAmount(
            "TAR-05", "A file of the archive needs " + bytesText(m_left) + ", limit " + bytesText(m_budget.maxBytes),
            "Unpack it with another program.", m_left, m_budget.maxBytes, ErrorKind::Memory);
    std::vector<std::byte> bytes;
    while (m_left > 0) {
        const std::size_t have = bytes.size();
        const std::uint64_t part = std::min<std::uint64_t>(m_left, std::max<std::uint64_t>(have, 1 << 20));
        bytes.resize(have + static_cast<std::size_t>(part));
        Result<std::size_t> got = m_source.read(std::span(bytes).subspan(have));
        if (!got) return got.takeRefusal();
        if (*got < part)
            return refuseAmount("TAR-04", "The archive ends in the middle of a file", "Get it again.", have + m_left,
                                have + *got);
        m_left -= part;
    }
    return bytes;
}

Result<std::string> TarReader::extension(std::uint64_t bytes) {
    if (bytes > kMostExtension)
        return refuseAmount("TAR-02",
                            "A name in the archive has " + bytesText(bytes) + ", limit " + bytesText(kMostExtension),
                            "The file is damaged or made to mislead.", bytes, kMostExtension);
    Result<std::vector<std::byte>> read = content();
    if (!read) return read.takeRefusal();
    return std::string(reinterpret_cast<const char*>(read->data()), read->size());
}

/// "LENGTH KEY=VALUE\n", where LENGTH counts all of it.
std::optional<Refusal> TarReader::readPax(const std::string& records, Named& named) const {
    std::string_view rest = records;
    while (!rest.empty()) {
        std::size_t length = 0;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), length);
        const auto digits = static_cast<std::size_t>(end - rest.data());
        if (error != std::errc() || length > rest.size() || length < digits + 3 || rest[digits] != ' ' ||
            rest[length - 1] != '\n')
            return refuseDamaged("an extended header is not understood");
        const std::string_view record = rest.substr(digits + 1, length - digits - 2);
        rest.remove_prefix(length);
        const std::size_t equal = record.find('=');
        if (equal == std::string_view::npos) return refuseDamaged("an extended header is not understood");
        const std::string_view key = record.substr(0, equal), value = record.substr(equal + 1);
        if (key == "path") named.name = std::string(value);
        if (key.substr(0, 10) == "GNU.sparse") named.sparse = true;
        if (key != "size") continue;
        std::uint64_t bytes = 0;
        const auto [last, wrong] = std::from_chars(value.data(), value.data() + value.size(), bytes);
        if (wrong != std::errc() || last != value.data() + value.size() || bytes > kMostBytes)
            return refuseDamaged("an extended header has no size that can be read");
        named.bytes = bytes;
    }
    return std::nullopt;
}

Result<std::optional<TarEntry>> TarReader::next() {
    Named named;
    for (;;) {
        Block block{};
        Result<bool> more = readHeader(block);
        if (!more) return more.takeRefusal();
        if (!*more) return std::optional<TarEntry>();
        const std::optional<std::uint64_t> size = numberAt(block, 124, 12);
        if (!size || *size > kMostBytes)
            return refuseDamaged("header " + std::to_string(m_entries) + " has no size that can be read");
        const char type = static_cast<char>(block[156]);
        const bool extended = type == 'L' || type == 'K' || type == 'x' || type == 'g';
        // Links, devices and folders have no content, whatever their size says.
        const bool empty = type >= '1' && type <= '6';
        m_left = extended ? *size : empty ? 0 : named.bytes.value_or(*size);
        m_padding = (kBlock - m_left % kBlock) % kBlock;
        if (type == 'S') {
            if (auto refusal = skipSparseMap(block)) return std::move(*refusal);
        }
        if (!extended) {
            const bool regular = (type == '0' || type == '\0') && !named.sparse;
            return std::optional<TarEntry>(TarEntry{named.name ? *named.name : nameIn(block), m_left, regular});
        }
        Result<std::string> text = extension(*size);
        if (!text) return text.takeRefusal();
        if (type == 'L') named.name = text->substr(0, text->find('\0'));
        if (type == 'x') {
            if (auto refusal = readPax(*text, named)) return std::move(*refusal);
        }
    }
}

} // namespace stridescope::io
