#include "core/io/gzip.h"

#include "core/io/refusals.h"
#include "core/io/text.h"

#include <zlib.h>

namespace stridescope::io {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20;

} // namespace

struct GzipSource::Stream {
    Stream() { usable = ::inflateInit2(&z, MAX_WBITS + 16) == Z_OK; }
    ~Stream() {
        if (usable) ::inflateEnd(&z);
    }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    z_stream z{};
    bool usable = false;
};

GzipSource::GzipSource(std::span<const std::byte> packed, const Budget& budget, std::uint64_t wholeBytes)
    : m_packed(packed), m_budget(budget), m_wholeBytes(wholeBytes) {}
GzipSource::~GzipSource() = default;

bool GzipSource::beginsMember() const {
    return m_packed.size() - m_taken >= 2 && m_packed[m_taken] == std::byte{0x1f} &&
           m_packed[m_taken + 1] == std::byte{0x8b};
}

Refusal GzipSource::endsEarly() const {
    const std::uint64_t has = m_packed.size();
    if (m_wholeBytes > has)
        return refuseAmount("GZ-03", "The archive ends early: at " + bytesText(has) + " of " + bytesText(m_wholeBytes),
                            "The download was cut off; get the file again.", m_wholeBytes, has);
    return refuseAmount("GZ-03", "The archive ends early: after " + bytesText(has) + ", in the middle of its data",
                        "The file was cut off; get it again.", has + 1, has);
}

std::optional<Refusal> GzipSource::overBudget() const {
    const std::uint64_t most = m_budget.maxArchiveBytes;
    if (m_given > most)
        return refuseAmount("GZ-05", "The archive unpacks to more than " + bytesText(most) + ", the limit",
                            "If you trust it, unpack it with another program.", m_given, most, ErrorKind::Memory);
    if (m_given > m_budget.alwaysUnpacked && m_given / m_budget.maxExpansion > m_taken)
        return refuseAmount("GZ-05",
                            "The archive grew from " + bytesText(m_taken) + " to " + bytesText(m_given) + ", limit " +
                                std::to_string(m_budget.maxExpansion) + " times",
                            "Looks like an archive bomb. If you trust it, unpack it with another program.", m_given,
                            m_taken * m_budget.maxExpansion, ErrorKind::Memory);
    return m_budget.check(m_taken, m_packed.size());
}

Result<std::size_t> GzipSource::read(std::span<std::byte> out) {
    std::size_t filled = 0;
    while (filled < out.size() && !m_ended) {
        if (!m_stream) {
            if (!beginsMember()) {
                if (m_members == 0) {
                    // Both bytes of the magic number, or as much of them as there is.
                    if (m_packed.size() - m_taken < 2) return endsEarly();
                    return refuse("GZ-01", "Not a gzip file: its first bytes are not 1f 8b", "Choose another file.");
                }
                if (m_taken < m_packed.size())
                    m_notes.push_back("The " + bytesText(m_packed.size() - m_taken) +
                                      " behind the end of the archive are ignored.");
                m_ended = true;
                break;
            }
            m_stream = std::make_unique<Stream>();
            if (!m_stream->usable)
                return refuse("IO-18", "Loading ran out of memory", "Close other tensors.", {}, ErrorKind::Memory);
        }
        z_stream& z = m_stream->z;
        const std::size_t input = std::min(kBlock, m_packed.size() - m_taken);
        const std::size_t room = std::min(kBlock, out.size() - filled);
        z.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(m_packed.data() + m_taken));
        z.avail_in = static_cast<uInt>(input);
        z.next_out = reinterpret_cast<Bytef*>(out.data() + filled);
        z.avail_out = static_cast<uInt>(room);
        const int status = ::inflate(&z, Z_NO_FLUSH);
        const std::size_t took = input - z.avail_in, gave = room - z.avail_out;
        m_taken += took;
        m_given += gave;
        filled += gave;
        if (auto refusal = overBudget()) return std::move(*refusal);
        if (status == Z_STREAM_END) { // zlib has compared the CRC and the length
            m_stream.reset();
            ++m_members;
            continue;
        }
        if (status == Z_MEM_ERROR)
            return refuse("IO-18", "Loading ran out of memory", "Close other tensors.", {}, ErrorKind::Memory);
        if ((status != Z_OK && status != Z_BUF_ERROR) || status == Z_NEED_DICT) {
            const std::string what = z.msg ? sanitiseForDisplay(z.msg, 40) : std::string("damaged");
            return refuseAmount("GZ-04",
                                "The archive is damaged before byte " + std::to_string(m_taken) + " (" + what + ")",
                                "Get the file again.", m_packed.size(), m_taken);
        }
        if (took == 0 && gave == 0) return endsEarly();
    }
    return filled;
}

} // namespace stridescope::io
