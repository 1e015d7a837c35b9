#include "core/io/npy.h"

#include "core/io/refusals.h"
#include "core/io/text.h"
#include "core/view/checked.h"

#include <bit>
#include <optional>
#include <string_view>

namespace stridescope {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr const char* kSaveAgain = "Save it again with numpy.save.";

std::string_view asText(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Parser of the one kind of text that a header may be: a Python dict literal with three known keys.
/// It knows strings, True, False and tuples of whole numbers; whatever else stands there is refused by its position.
/// It neither recurses nor evaluates, so nesting and code in the header have no effect.
class HeaderParser {
public:
    HeaderParser(std::string_view text, std::uint64_t textOffset) : m_text(text), m_textOffset(textOffset) {}

    std::optional<Refusal> parse(NpyHeader& header) {
        if (!take('{')) return syntax("'{'");
        for (bool first = true; !take('}'); first = false) {
            if (!first) {
                if (!take(',')) return syntax("',' or '}'");
                if (take('}')) break;
            }
            if (auto refusal = keyAndValue(header)) return refusal;
        }
        skipSpace();
        if (m_at < m_text.size()) return syntax("the end of the header");
        for (const Key& key : m_keys) {
            if (key.seen) continue;
            return io::refuse("NPY-06", "The header has no key '" + std::string(key.name) + "'", kSaveAgain, place());
        }
        return std::nullopt;
    }

private:
    struct Key {
        std::string_view name;
        bool seen = false;
    };

    std::optional<Refusal> keyAndValue(NpyHeader& header) {
        const std::size_t keyAt = m_at;
        std::string_view name;
        if (auto refusal = string(name, "a key in quotes")) return refusal;
        if (!take(':')) return syntax("':'");
        Key* known = nullptr;
        for (Key& key : m_keys) {
            if (key.name == name) known = &key;
        }
        if (!known) {
            return io::refuse("NPY-08", "The header has an unknown key '" + sanitiseForDisplay(name, 40) + "'",
                              "Known are descr, fortran_order and shape. " + std::string(kSaveAgain), place(keyAt));
        }
        if (known->seen) {
            return io::refuse("NPY-09", "The header has the key '" + std::string(name) + "' twice", kSaveAgain,
                              place(keyAt));
        }
        known->seen = true;
        if (name == "descr") return descr(header);
        if (name == "shape") return shape(header);
        if (takeWord("True")) {
            header.fortranOrder = true;
        } else if (!takeWord("False")) {
            return wrongType("fortran_order", "True or False");
        }
        return std::nullopt;
    }

    std::optional<Refusal> descr(NpyHeader& header) {
        skipSpace();
        const char next = peek();
        if (next == '[' || next == '(' || next == '{') {
            return io::refuse("NPY-15", "The elements are records (a structured dtype); not opened",
                              "Save one field: numpy.save(file, array['field']).", place());
        }
        if (next != '\'' && next != '"' && next != 'u') return wrongType("descr", "a dtype in quotes such as '<f4'");
        std::string_view text;
        const std::size_t at = m_at;
        if (auto refusal = string(text, "a dtype in quotes")) return refusal;
        return dtypeFromDescr(text, at, header);
    }

    std::optional<Refusal> dtypeFromDescr(std::string_view descrText, std::size_t at, NpyHeader& header) {
        std::string_view text = descrText;
        const std::string shown = "'" + sanitiseForDisplay(descrText, 24) + "'";
        const auto notUnderstood = [&] {
            return io::refuse("NPY-18", "The dtype " + shown + " is not understood",
                              "Save it as one of NumPy's number types, e.g. array.astype('float32').", place(at));
        };
        char order = '=';
        if (!text.empty() && std::string_view("<>|=").find(text.front()) != std::string_view::npos) {
            order = text.front();
            text.remove_prefix(1);
        }
        if (text == "?") text = "b1";
        if (text.empty()) return notUnderstood();
        const char kind = text.front();
        text.remove_prefix(1);
        switch (kind) {
        case 'O':
            return io::refuse("NPY-14", "The array holds Python objects (pickle); not opened",
                              "A pickle can run any code. Save numbers: array.astype('float32').", place(at));
        case 'U':
        case 'S':
        case 'a':
            return io::refuse("NPY-16", "The array holds text (dtype " + shown + "); not opened",
                              "Only numbers and bool can be shown.", place(at));
        case 'M':
        case 'm':
            return io::refuse("NPY-16", "The array holds dates or times (dtype " + shown + "); not opened",
                              "Save the numbers: array.astype('int64').", place(at));
        case 'V':
            return io::refuse("NPY-16", "The array holds raw bytes without a type (dtype " + shown + "); not opened",
                              "Save it as numbers: array.view('uint8').", place(at));
        default:
            break;
        }
        Index size = 0;
        for (const char c : text) {
            if (c < '0' || c > '9' || size > 100) return notUnderstood();
            size = size * 10 + (c - '0');
        }
        if ((kind == 'f' && size > 8) || (kind == 'c' && size > 16)) {
            return io::refuse("NPY-17",
                              "The dtype is " + std::string(kind == 'c' ? "complex" : "float") +
                                  std::to_string(size * 8) + " (long double), which does not exist here",
                              kind == 'c' ? "Save it as complex128: array.astype('complex128')."
                                          : "Save it as float64: array.astype('float64').",
                              place(at));
        }
        struct Known {
            char kind;
            Index size;
            DType dtype;
            NpyConversion conversion;
        };
        static constexpr Known kKnown[] = {
            {'f', 4, DType::Float32, NpyConversion::None},        {'f', 8, DType::Float64, NpyConversion::None},
            {'f', 2, DType::Float16, NpyConversion::None},        {'i', 1, DType::Int8, NpyConversion::None},
            {'i', 2, DType::Int16, NpyConversion::None},          {'i', 4, DType::Int32, NpyConversion::None},
            {'i', 8, DType::Int64, NpyConversion::None},          {'u', 1, DType::UInt8, NpyConversion::None},
            {'u', 2, DType::Int32, NpyConversion::UInt16ToInt32}, {'u', 4, DType::Int64, NpyConversion::UInt32ToInt64},
            {'u', 8, DType::Int64, NpyConversion::UInt64ToInt64}, {'b', 1, DType::Bool, NpyConversion::NormaliseBool},
            {'c', 8, DType::Complex64, NpyConversion::None},      {'c', 16, DType::Complex128, NpyConversion::None}};
        for (const Known& known : kKnown) {
            if (known.kind != kind || known.size != size) continue;
            header.dtype = known.dtype;
            header.conversion = known.conversion;
            header.fileItemSize = static_cast<std::size_t>(size);
            constexpr bool kLittle = std::endian::native == std::endian::little;
            header.swapBytes = size > 1 && ((order == '>' && kLittle) || (order == '<' && !kLittle));
            return std::nullopt;
        }
        return notUnderstood();
    }

    std::optional<Refusal> shape(NpyHeader& header) {
        constexpr const char* kWanted = "a tuple of whole numbers such as (2, 3)";
        if (!take('(')) return wrongType("shape", kWanted);
        bool pythonTwo = false;
        bool comma = true;
        while (!take(')')) {
            if (!comma) return wrongType("shape", kWanted);
            Index size = 0;
            if (auto refusal = wholeNumber(size)) return refusal;
            if (peek() == 'L' || peek() == 'l') {
                ++m_at;
                pythonTwo = true;
            }
            if (header.shape.size() == static_cast<std::size_t>(kMaxDims)) {
                return io::refuseAmount("NPY-13",
                                        "The array has " + std::to_string(kMaxDims + 1) +
                                            " dims or more; the limit is " + std::to_string(kMaxDims),
                                        "Save it with fewer: array.reshape(...).", header.shape.size() + 1,
                                        static_cast<std::uint64_t>(kMaxDims));
            }
            header.shape.push_back(size);
            comma = take(',');
        }
        if (header.shape.size() == 1 && !comma) return wrongType("shape", "a tuple: (3,), not (3)");
        if (pythonTwo) header.notes.push_back("Python-2 file: its sizes are written as 2L.");
        return std::nullopt;
    }

    std::optional<Refusal> wholeNumber(Index& out) {
        skipSpace();
        const std::size_t at = m_at;
        const std::string where = "Size " + std::to_string(m_sizes++) + " of 'shape' ";
        const bool negative = peek() == '-';
        if (negative) ++m_at;
        const std::size_t digitsAt = m_at;
        bool fits = true;
        for (; peek() >= '0' && peek() <= '9'; ++m_at) {
            fits = fits && mulFits(out, 10, out) && addFits(out, peek() - '0', out);
        }
        if (m_at == digitsAt) return wrongType("shape", "a tuple of whole numbers such as (2, 3)");
        const std::string digits = sanitiseForDisplay(m_text.substr(at, m_at - at), 24);
        if (negative) {
            return io::refuse("NPY-11", where + "is " + digits + "; sizes are 0 or more", kSaveAgain, place(at));
        }
        if (!fits) {
            return io::refuse("NPY-11", where + "is " + digits + ": too large for 64 bits", kSaveAgain, place(at));
        }
        return std::nullopt;
    }

    /// A string literal in either kind of quotes, without escapes (no key or dtype of NumPy needs one).
    std::optional<Refusal> string(std::string_view& out, const char* wanted) {
        skipSpace();
        if (peek() == 'u' && m_at + 1 < m_text.size() && (m_text[m_at + 1] == '\'' || m_text[m_at + 1] == '"')) ++m_at;
        const char quote = peek();
        if (quote != '\'' && quote != '"') return syntax(wanted);
        const std::size_t end = m_text.find(quote, m_at + 1);
        if (end == std::string_view::npos) return syntax("a closing quote");
        out = m_text.substr(m_at + 1, end - m_at - 1);
        if (out.find_first_of("\\\n") != std::string_view::npos) return syntax("text without escapes");
        m_at = end + 1;
        return std::nullopt;
    }

    char peek() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }
    void skipSpace() {
        while (m_at < m_text.size() && std::string_view(" \t\r\n\f").find(m_text[m_at]) != std::string_view::npos)
            ++m_at;
    }
    bool take(char c) {
        skipSpace();
        if (m_at >= m_text.size() || m_text[m_at] != c) return false;
        ++m_at;
        return true;
    }
    bool takeWord(std::string_view word) {
        skipSpace();
        if (m_text.substr(m_at, word.size()) != word) return false;
        m_at += word.size();
        return true;
    }

    InputPosition place() const { return place(m_at); }
    InputPosition place(std::size_t at) const { return {static_cast<Index>(m_textOffset + at)}; }
    std::string found() {
        skipSpace();
        if (m_at >= m_text.size()) return "the header ends";
        return "'" + sanitiseForDisplay(m_text.substr(m_at, 12), 12) + "' stands there";
    }
    Refusal syntax(const char* wanted) {
        const std::string what = found();
        return io::refuse("NPY-05",
                          "The header is not understood at byte " + std::to_string(place().position) + ": expected " +
                              wanted + ", but " + what,
                          "The file may be damaged. " + std::string(kSaveAgain), place());
    }
    Refusal wrongType(const char* key, const char* wanted) {
        const std::string what = found();
        return io::refuse("NPY-10", std::string("The value of '") + key + "' must be " + wanted + ", but " + what,
                          kSaveAgain, place());
    }

    std::string_view m_text;
    std::uint64_t m_textOffset;
    std::size_t m_at = 0;
    int m_sizes = 0;
    Key m_keys[3] = {{"descr"}, {"fortran_order"}, {"shape"}};
};

std::string hexOf(std::span<const std::byte> bytes) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string out;
    for (const std::byte b : bytes) {
        if (!out.empty()) out += ' ';
        out += kDigits[std::to_integer<unsigned>(b) >> 4];
        out += kDigits[std::to_integer<unsigned>(b) & 15u];
    }
    return out;
}

/// numel and dataBytes of the sizes, or why they fit no address space.
std::optional<Refusal> countElements(NpyHeader& header, const Budget& budget) {
    Index product = 1; // of the sizes with 0 counted as 1: strides are made of these
    bool empty = false;
    bool fits = true;
    for (const Index size : header.shape) {
        empty = empty || size == 0;
        fits = fits && mulFits(product, size == 0 ? 1 : size, product);
    }
    Index bytes = 0;
    const Index widest = static_cast<Index>(std::max(header.fileItemSize, itemSize(header.dtype)));
    if (!fits || !mulFits(product, widest, bytes)) {
        std::string sizes;
        for (std::size_t d = 0; d < header.shape.size() && d < 6; ++d)
            sizes += (d > 0 ? " x " : "") + std::to_string(header.shape[d]);
        if (header.shape.size() > 6) sizes += " x ...";
        return io::refuse("NPY-12", sizes + " elements of " + std::to_string(widest) + " bytes each pass 2^63-1 bytes",
                          "The file is damaged: no computer wrote that much.");
    }
    header.numel = empty ? 0 : product;
    header.dataBytes = static_cast<std::uint64_t>(header.numel) * header.fileItemSize;
    if (header.numel > budget.maxElements) {
        return io::refuseAmount("IO-18",
                                "The array has " + std::to_string(header.numel) + " elements, limit " +
                                    std::to_string(budget.maxElements),
                                "Raise the limit in the settings.", static_cast<std::uint64_t>(header.numel),
                                static_cast<std::uint64_t>(budget.maxElements), ErrorKind::Memory);
    }
    return std::nullopt;
}

} // namespace

Result<NpyHeader> parseNpyHeader(std::span<const std::byte> fileStart, const Budget& budget) {
    const std::string_view text = asText(fileStart);
    if (text.substr(0, kMagic.size()) != kMagic) {
        const bool ends = fileStart.size() < kMagic.size() && kMagic.substr(0, text.size()) == text;
        return io::refuse("NPY-01",
                          fileStart.empty() ? "Not an .npy file: it is empty"
                          : ends ? "Not an .npy file: it ends after " + std::to_string(fileStart.size()) + " bytes"
                                 : "Not an .npy file: first bytes are " +
                                       hexOf(fileStart.first(std::min<std::size_t>(8, fileStart.size()))),
                          "Files written by numpy.save begin with 93 4e 55 4d 50 59.", InputPosition{0});
    }
    const auto endsEarly = [&](std::uint64_t wanted) {
        return io::refuseAmount(
            "NPY-04", "The header needs " + bytesText(wanted) + ", but the file has " + bytesText(fileStart.size()),
            "The file is damaged or was not copied to its end.", wanted, fileStart.size());
    };
    if (fileStart.size() < 8) return endsEarly(10);
    NpyHeader header;
    header.major = std::to_integer<int>(fileStart[6]);
    header.minor = std::to_integer<int>(fileStart[7]);
    if (header.major < 1 || header.major > 3 || header.minor != 0) {
        return io::refuse("NPY-02",
                          "The .npy version is " + std::to_string(header.major) + "." + std::to_string(header.minor) +
                              "; known 1.0, 2.0, 3.0",
                          kSaveAgain, InputPosition{6});
    }
    const std::size_t lengthBytes = header.major == 1 ? 2 : 4;
    if (fileStart.size() < 8 + lengthBytes) return endsEarly(8 + lengthBytes);
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < lengthBytes; ++i) length |= std::to_integer<std::uint64_t>(fileStart[8 + i]) << (8 * i);
    if (length > budget.maxHeaderBytes) {
        return io::refuseAmount(
            "NPY-03",
            "The header is " + std::to_string(length) + " bytes long, limit " + std::to_string(budget.maxHeaderBytes),
            "The file is damaged, or its dtype is far too complicated to show.", length, budget.maxHeaderBytes);
    }
    header.dataOffset = 8 + lengthBytes + length;
    if (fileStart.size() < header.dataOffset) return endsEarly(header.dataOffset);

    HeaderParser parser(text.substr(8 + lengthBytes, static_cast<std::size_t>(length)), 8 + lengthBytes);
    if (auto refusal = parser.parse(header)) return std::move(*refusal);
    if (auto refusal = countElements(header, budget)) return std::move(*refusal);
    return header;
}

} // namespace stridescope
