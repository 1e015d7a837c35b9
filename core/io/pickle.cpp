#include "core/io/pickle.h"

#include "core/io/refusals.h"
#include "core/io/text.h"

#include <algorithm>
#include <array>
#include <map>

namespace stridescope::io {

using Kind = PickleValue::Kind;

const PickleValue* Pickle::find(const PickleValue& dict, std::string_view key) const {
    for (std::size_t i = 0; i + 1 < dict.items.size(); i += 2) {
        const PickleValue& name = m_values[dict.items[i]];
        if (name.kind == Kind::Bytes && text(name) == key) return &m_values[dict.items[i + 1]];
    }
    return nullptr;
}

namespace {

constexpr std::array<std::string_view, 5> kAllowed{"numpy.core.multiarray._reconstruct",
                                                   "numpy._core.multiarray._reconstruct", "numpy.ndarray",
                                                   "numpy.dtype", "_codecs.encode"};
/// On the stack, where a group of values begins.
constexpr PickleRef kMark = UINT32_MAX;
/// Items copied into tuples and lists, all together: marks make them cheap to write and dear to read.
constexpr std::size_t kMostItems = 4'000'000;
constexpr std::size_t kLongestName = 65'536; ///< of a module or class; a large file is not searched for the end of one

} // namespace

class PickleReader {
public:
    PickleReader(std::span<const std::byte> file, const Budget& budget) : m_file(file), m_budget(budget) {}
    Result<Pickle> read();

private:
    using Bytes = std::span<const std::byte>;
    void step(unsigned char op);
    bool pushPlain(unsigned char op);
    bool pushText(unsigned char op);
    bool build(unsigned char op);
    bool remember(unsigned char op);

    void fail(const char* id, std::string message, std::string hint = "It is damaged, or no batch of images.") {
        if (!m_refusal) m_refusal = refuse(id, std::move(message), std::move(hint));
    }
    void damaged(const char* what) {
        fail("PKL-02", "The pickle is damaged at byte " + std::to_string(m_at) + ": " + what);
    }
    Bytes take(std::uint64_t count) {
        if (count > m_file.size() - m_at) {
            if (!m_refusal)
                m_refusal = refuseAmount("PKL-03",
                                         "The pickle ends early: " + bytesText(count) + " wanted, " +
                                             bytesText(m_file.size() - m_at) + " left",
                                         "Get the file again.", count, m_file.size() - m_at);
            return {};
        }
        const Bytes taken = m_file.subspan(m_at, static_cast<std::size_t>(count));
        m_at += taken.size();
        return taken;
    }
    std::uint64_t number(std::size_t count) {
        std::uint64_t value = 0;
        const Bytes bytes = take(count);
        for (std::size_t i = 0; i < bytes.size(); ++i) value |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
        return value;
    }
    std::string_view line() {
        const std::size_t from = m_at, end = std::min(m_file.size(), from + kLongestName);
        while (m_at < end && m_file[m_at] != std::byte{'\n'}) ++m_at;
        if (m_at == end) {
            damaged("a name has no end");
            return {};
        }
        const std::string_view text(reinterpret_cast<const char*>(m_file.data()) + from, m_at - from);
        ++m_at;
        return text;
    }
    PickleValue& make(Kind kind) {
        m_pickle.m_values.emplace_back().kind = kind;
        m_stack.push_back(static_cast<PickleRef>(m_pickle.m_values.size() - 1));
        return m_pickle.m_values.back();
    }
    PickleValue& value(PickleRef ref) { return m_pickle.m_values[ref]; }
    /// The last `count` values on the stack, above the last mark; fewer: damaged.
    bool has(std::size_t count) {
        if (m_stack.size() < count ||
            std::find(m_stack.end() - static_cast<std::ptrdiff_t>(count), m_stack.end(), kMark) != m_stack.end()) {
            damaged("a value is missing");
            return false;
        }
        return true;
    }
    PickleRef pop() {
        const PickleRef top = m_stack.back();
        m_stack.pop_back();
        return top;
    }
    std::vector<PickleRef> popToMark() {
        auto at = m_stack.end();
        while (at != m_stack.begin() && *(at - 1) != kMark) --at;
        if (at == m_stack.begin()) {
            damaged("a mark is missing");
            return {};
        }
        std::vector<PickleRef> items(at, m_stack.end());
        m_stack.erase(at - 1, m_stack.end());
        return items;
    }
    void hold(PickleValue& holder, std::span<const PickleRef> items) {
        m_items += items.size();
        holder.items.insert(holder.items.end(), items.begin(), items.end());
        for (const PickleRef item : items) holder.depth = std::max(holder.depth, value(item).depth + 1);
        if (holder.depth > m_budget.maxDepth) {
            m_refusal = refuseAmount("PKL-05",
                                     "The pickle holds lists " + std::to_string(holder.depth) + " deep, limit " +
                                         std::to_string(m_budget.maxDepth),
                                     "No batch of images is like that.", static_cast<std::uint64_t>(holder.depth),
                                     static_cast<std::uint64_t>(m_budget.maxDepth));
        }
    }
    void tuple(std::vector<PickleRef> items) { hold(make(Kind::Tuple), items); }
    void global(const std::string& name);
    void reduce();
    void setState();
    Bytes fromLatin1(Bytes text);
    void checkCounts();

    Bytes m_file;
    const Budget& m_budget;
    Pickle m_pickle;
    std::size_t m_at = 0, m_items = 0, m_decoded = 0;
    std::vector<PickleRef> m_stack;
    std::map<std::uint64_t, PickleRef> m_memo;
    std::optional<Refusal> m_refusal;
};

void PickleReader::global(const std::string& name) {
    if (std::find(kAllowed.begin(), kAllowed.end(), name) == kAllowed.end()) {
        fail("PKL-04", "The pickle names " + sanitiseForDisplay(name, 60) + "; nothing of it was carried out",
             "A pickle can run any code. Use the binary version of the data set.");
        return;
    }
    make(Kind::Global).name = name;
}

/// A call. Those that come with an array are: an array without content, a dtype by its name, bytes written as text.
void PickleReader::reduce() {
    if (!has(2)) return;
    const PickleRef arguments = pop(), callable = pop();
    const PickleValue &called = value(callable), &given = value(arguments);
    if (called.kind != Kind::Global || given.kind != Kind::Tuple) return damaged("what is called is no function");
    const std::string name = called.name;
    if (name.ends_with("_reconstruct")) {
        make(Kind::Array);
    } else if (name == "numpy.dtype") {
        const bool named = !given.items.empty() && value(given.items[0]).kind == Kind::Bytes;
        if (!named) return damaged("a dtype has no name");
        const Bytes text = value(given.items[0]).bytes;
        if (text.size() > 8) return damaged("a dtype has no name");
        make(Kind::DType).name.assign(reinterpret_cast<const char*>(text.data()), text.size());
    } else if (name == "_codecs.encode" && !given.items.empty() && value(given.items[0]).kind == Kind::Bytes) {
        const Bytes bytes = fromLatin1(value(given.items[0]).bytes);
        if (!m_refusal) make(Kind::Bytes).bytes = bytes;
    } else {
        fail("PKL-04", "The pickle calls " + name + " in a way that is not read here",
             "Use the binary version of the data set.");
    }
}

/// Bytes that Python 3 wrote as the text of these characters, which stands in the file as UTF-8.
PickleReader::Bytes PickleReader::fromLatin1(Bytes text) {
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i < text.size(); ++i) {
        auto unit = std::to_integer<unsigned>(text[i]);
        if (unit >= 0x80) {
            const bool whole = (unit == 0xC2 || unit == 0xC3) && i + 1 < text.size();
            if (!whole) return damaged("bytes written as text are not"), Bytes();
            unit = (unit & 3u) << 6 | (std::to_integer<unsigned>(text[++i]) & 0x3Fu);
        }
        bytes.push_back(static_cast<std::byte>(unit));
    }
    m_decoded += bytes.size();
    if (m_decoded > m_file.size()) return damaged("it says the same bytes over and over"), Bytes();
    m_pickle.m_decoded.push_back(std::move(bytes));
    return m_pickle.m_decoded.back();
}

/// The content of an array: (version, shape, dtype, fortran, bytes). That of a dtype (byte order) is passed over: only
/// single bytes are of use.
void PickleReader::setState() {
    if (!has(2)) return;
    const PickleRef state = pop(), target = m_stack.back();
    if (value(target).kind == Kind::DType) return;
    if (value(target).kind != Kind::Array || value(state).kind != Kind::Tuple || value(state).items.size() != 5)
        return damaged("an array has no content that can be read");
    const std::vector<PickleRef> parts = value(state).items;
    const PickleValue &shape = value(parts[1]), &dtype = value(parts[2]), &order = value(parts[3]),
                      &content = value(parts[4]);
    if (shape.kind != Kind::Tuple || dtype.kind != Kind::DType || content.kind != Kind::Bytes || shape.items.size() > 8)
        return damaged("an array has no content that can be read");
    std::vector<std::int64_t> sizes;
    for (const PickleRef size : shape.items) sizes.push_back(value(size).kind == Kind::Int ? value(size).number : -1);
    PickleValue& array = value(target);
    array.shape = std::move(sizes);
    array.name = dtype.name;
    array.fortranOrder = order.number != 0;
    array.bytes = content.bytes;
}

bool PickleReader::pushPlain(unsigned char op) {
    switch (op) {
    case 'N': // None
        make(Kind::None);
        return true;
    case 0x88: // True
    case 0x89: // False
        make(Kind::Bool).number = op == 0x88;
        return true;
    case 'J': // four bytes with a sign
        make(Kind::Int).number = static_cast<std::int32_t>(number(4));
        return true;
    case 'K':
        make(Kind::Int).number = static_cast<std::int64_t>(number(1));
        return true;
    case 'M':
        make(Kind::Int).number = static_cast<std::int64_t>(number(2));
        return true;
    case 0x8a: { // an integer of as many bytes as the first one says
        const std::uint64_t count = number(1);
        if (count > 8) {
            fail("PKL-02", "The pickle has an integer of " + std::to_string(count) + " bytes, limit 8");
            return true;
        }
        const std::uint64_t bits = number(count);
        const bool negative = count > 0 && count < 8 && (bits >> (8 * count - 1) & 1u);
        make(Kind::Int).number = static_cast<std::int64_t>(negative ? bits | (~std::uint64_t{0} << (8 * count)) : bits);
        return true;
    }
    case '}':
        make(Kind::Dict);
        return true;
    case ']':
        make(Kind::List);
        return true;
    case ')':
        make(Kind::Tuple);
        return true;
    default:
        return false;
    }
}

/// Texts and bytes are both bytes here: Python 2 did not tell them apart.
bool PickleReader::pushText(unsigned char op) {
    std::uint64_t count = 0;
    switch (op) {
    case 'U':  // str of Python 2
    case 'C':  // bytes
    case 0x8c: // text
        count = number(1);
        break;
    case 'T':
    case 'B':
    case 'X':
        count = number(4);
        break;
    case 0x8d:
    case 0x8e:
    case 0x96:
        count = number(8);
        break;
    default:
        return false;
    }
    const Bytes bytes = take(count);
    if (!m_refusal) make(Kind::Bytes).bytes = bytes;
    return true;
}

bool PickleReader::build(unsigned char op) {
    switch (op) {
    case '(':
        m_stack.push_back(kMark);
        return true;
    case 't': {
        std::vector<PickleRef> items = popToMark();
        if (!m_refusal) tuple(std::move(items));
        return true;
    }
    case 0x85:
    case 0x86:
    case 0x87: {
        const std::size_t count = op - 0x84u;
        if (!has(count)) return true;
        std::vector<PickleRef> items(m_stack.end() - static_cast<std::ptrdiff_t>(count), m_stack.end());
        m_stack.resize(m_stack.size() - count);
        tuple(std::move(items));
        return true;
    }
    case 'a':
    case 'e':
    case 's':
    case 'u': {
        const std::size_t alone = op == 'a' ? 1 : 2;
        std::vector<PickleRef> items;
        if (op == 'e' || op == 'u') {
            items = popToMark();
        } else if (has(alone)) {
            items.assign(m_stack.end() - static_cast<std::ptrdiff_t>(alone), m_stack.end());
            m_stack.resize(m_stack.size() - alone);
        }
        if (m_refusal || !has(1)) return true;
        PickleValue& holder = value(m_stack.back());
        const bool dict = op == 's' || op == 'u';
        if (holder.kind != (dict ? Kind::Dict : Kind::List) || (dict && items.size() % 2 != 0)) {
            damaged("items for what holds none");
            return true;
        }
        hold(holder, items);
        return true;
    }
    default:
        return false;
    }
}

bool PickleReader::remember(unsigned char op) {
    switch (op) {
    case 'q':
    case 'r':
    case 0x94:
        if (has(1)) m_memo[op == 0x94 ? m_memo.size() : number(op == 'q' ? 1 : 4)] = m_stack.back();
        return true;
    case 'h':
    case 'j': {
        const auto found = m_memo.find(number(op == 'h' ? 1 : 4));
        if (found == m_memo.end())
            damaged("a value is asked for that was not kept");
        else
            m_stack.push_back(found->second);
        return true;
    }
    default:
        return false;
    }
}

void PickleReader::step(unsigned char op) {
    if (pushPlain(op) || pushText(op) || build(op) || remember(op)) return;
    switch (op) {
    case 0x80: { // the version
        const std::uint64_t version = number(1);
        if (version > 5) fail("PKL-02", "The pickle is of protocol " + std::to_string(version) + "; known are 2 to 5");
        return;
    }
    case 0x95: // the length of what follows, of no use here
        take(8);
        return;
    case 'c': {
        const std::string module(line()), name(line());
        if (!m_refusal) global(module + "." + name);
        return;
    }
    case 0x93: {
        if (!has(2)) return;
        const PickleRef name = pop(), module = pop();
        if (value(name).kind != Kind::Bytes || value(module).kind != Kind::Bytes) return damaged("a name is no text");
        return global(std::string(m_pickle.text(value(module))) + "." + std::string(m_pickle.text(value(name))));
    }
    case 'R':
        return reduce();
    case 'b':
        return setState();
    default: {
        static constexpr char kDigits[] = "0123456789abcdef";
        fail("PKL-02",
             std::string("The pickle has the opcode 0x") + kDigits[op >> 4] + kDigits[op & 15u] + " at byte " +
                 std::to_string(m_at - 1) + ", which no batch of images needs",
             "Use the binary version of the data set.");
    }
    }
}

void PickleReader::checkCounts() {
    const std::size_t most = std::max(m_pickle.m_values.size(), m_stack.size());
    if (most <= kMostPickleValues && m_items <= kMostItems) return;
    m_refusal = refuseAmount("PKL-05", "The pickle has more than " + std::to_string(kMostPickleValues) + " values",
                             "No batch of images is like that.", most, kMostPickleValues);
}

Result<Pickle> PickleReader::read() {
    if (m_file.size() < 2 || m_file[0] != std::byte{0x80})
        return refuse("PKL-01", "Not a pickle of protocol 2 or later", "Choose another file.");
    while (!m_refusal) {
        const Bytes op = take(1);
        if (m_refusal || op[0] == std::byte{'.'}) break;
        step(std::to_integer<unsigned char>(op[0]));
        checkCounts();
    }
    if (!m_refusal && has(1)) m_pickle.m_root = m_stack.back();
    if (m_refusal) return std::move(*m_refusal);
    return std::move(m_pickle);
}

Result<Pickle> readPickle(std::span<const std::byte> file, const Budget& budget) {
    return PickleReader(file, budget).read();
}

} // namespace stridescope::io
