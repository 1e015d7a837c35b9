#pragma once
// TarReader: the entries of a tar file, one after another, without writing any file. Names are labels, never paths.
// Source of the format: POSIX.1-2017, pax, "ustar Interchange Format"; GNU tar manual, "Basic Tar Format".

#include "core/io/budget.h"
#include "core/io/byte_source.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stridescope::io {

struct TarEntry {
    std::string name; ///< raw bytes from the file: sanitise before showing, never use as a path
    std::uint64_t bytes = 0;
    bool regular = false; ///< an ordinary file: no link, folder, device or sparse file
};

/// Long names of GNU and of pax are read; sizes and names of pax headers hold for the entry behind them.
/// Refused: TAR-01 … TAR-05 and what the source refuses.
class TarReader {
public:
    TarReader(ByteSource& source, const Budget& budget) : m_source(source), m_budget(budget) {}

    /// The next entry, past what was not read of the last one; nothing at the end.
    Result<std::optional<TarEntry>> next();
    /// The content of the last entry of next(), which is read once. Memory grows with the bytes that come, so that a
    /// size that only the header claims costs nothing.
    Result<std::vector<std::byte>> content();

private:
    using Block = std::array<std::byte, 512>;
    struct Named {
        std::optional<std::string> name;
        std::optional<std::uint64_t> bytes;
        bool sparse = false;
    };

    Result<bool> readHeader(Block& block);
    std::optional<Refusal> skip(std::uint64_t bytes);
    std::optional<Refusal> skipSparseMap(const Block& header);
    Result<std::string> extension(std::uint64_t bytes);
    std::optional<Refusal> readPax(const std::string& records, Named& named) const;

    ByteSource& m_source;
    const Budget& m_budget;
    std::uint64_t m_left = 0;    ///< of the content of the entry under way
    std::uint64_t m_padding = 0; ///< behind it, to the next block
    std::uint64_t m_entries = 0;
};

} // namespace stridescope::io
