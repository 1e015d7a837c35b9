#pragma once
// GzipSource: what a gzip file unpacks to, piece by piece; nothing is kept.
// Source of the format: RFC 1952; zlib unpacks.

#include "core/io/budget.h"
#include "core/io/byte_source.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace stridescope::io {

/// Members one after another, as gzip allows; bytes behind the last one that begin none are told in notes().
/// Refused: GZ-01 … GZ-05 (refusals.h), IO-08, IO-20.
class GzipSource : public ByteSource {
public:
    /// `packed` outlives it. `wholeBytes`: what the whole file should have, where that is known, for the words of a
    /// file that ends early.
    GzipSource(std::span<const std::byte> packed, const Budget& budget, std::uint64_t wholeBytes = 0);
    ~GzipSource() override;
    GzipSource(const GzipSource&) = delete;
    GzipSource& operator=(const GzipSource&) = delete;

    Result<std::size_t> read(std::span<std::byte> out) override;
    const std::vector<std::string>& notes() const { return m_notes; }

private:
    struct Stream;
    bool beginsMember() const;
    std::optional<Refusal> overBudget() const;
    Refusal endsEarly() const;

    std::span<const std::byte> m_packed;
    const Budget& m_budget;
    std::uint64_t m_wholeBytes;
    std::size_t m_taken = 0;
    std::uint64_t m_given = 0;
    int m_members = 0;
    bool m_ended = false;
    std::unique_ptr<Stream> m_stream; ///< of the member under way
    std::vector<std::string> m_notes;
};

} // namespace stridescope::io
