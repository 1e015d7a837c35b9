#include "app/files/paste_text.h"

#include "core/expr/parser.h"
#include "core/tensor/element.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace stridescope {

namespace {

Refusal refusal(const char* id, std::string message, std::string hint) {
    return {ErrorKind::Value, id, std::move(message), std::move(hint), {}};
}

bool isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && isBlank(text.front())) text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back())) text.remove_suffix(1);
    return text;
}

/// A number as Python or a spreadsheet writes it; integers stay integers.
std::optional<Scalar> numberIn(std::string_view word) {
    word = trimmed(word);
    if (word == "True" || word == "true") return Scalar(true);
    if (word == "False" || word == "false") return Scalar(false);
    const bool negative = !word.empty() && word.front() == '-';
    if (!word.empty() && (word.front() == '+' || negative)) word.remove_prefix(1);
    if (word == "nan" || word == "NaN") return Scalar(std::numeric_limits<double>::quiet_NaN());
    if (word == "inf" || word == "Infinity") {
        const double infinity = std::numeric_limits<double>::infinity();
        return Scalar(negative ? -infinity : infinity);
    }
    if (word.empty() || (word.front() != '.' && (word.front() < '0' || word.front() > '9'))) return std::nullopt;
    const std::string signedWord = (negative ? "-" : "") + std::string(word);
    const char* end = signedWord.data() + signedWord.size();
    Index whole = 0;
    const auto integer = std::from_chars(signedWord.data(), end, whole);
    if (integer.ec == std::errc() && integer.ptr == end) return Scalar(whole);
    double number = 0;
    const auto real = std::from_chars(signedWord.data(), end, number);
    if (real.ec != std::errc() || real.ptr != end) return std::nullopt;
    return Scalar(number);
}

std::optional<NestedList> fromNode(const expr::Node& node) {
    using expr::NodeKind;
    switch (node.kind) {
    case NodeKind::Integer:
        return NestedList(Scalar(node.integer));
    case NodeKind::Float:
        return NestedList(Scalar(node.number));
    case NodeKind::Bool:
        return NestedList(Scalar(node.integer != 0));
    case NodeKind::Name:
        if (const auto number = numberIn(node.text)) return NestedList(*number);
        return std::nullopt;
    case NodeKind::Unary: {
        const auto inner = fromNode(node.children[0]);
        if (!inner || inner->isList() || node.text != "-") return std::nullopt;
        const Scalar number = inner->scalar();
        return number.isFloat() ? NestedList(Scalar(-number.toDouble())) : NestedList(Scalar(-number.toInt()));
    }
    case NodeKind::List:
    case NodeKind::Tuple: {
        NestedList::List items;
        for (const expr::Node& child : node.children) {
            auto item = fromNode(child);
            if (!item) return std::nullopt;
            items.push_back(std::move(*item));
        }
        return NestedList::list(std::move(items));
    }
    default:
        return std::nullopt;
    }
}

/// "[[1 2]\n [3 4]]" as "[[1, 2], [3, 4]]": a comma between neighbours that have none.
std::string withCommas(std::string_view text) {
    std::string result;
    char last = 0; // the last character that is not blank
    bool gap = false;
    for (const char c : text) {
        if (isBlank(c)) {
            gap = true;
            continue;
        }
        const bool before = last != 0 && last != '[' && last != ',';
        const bool starts = c != ']' && c != ',';
        if (before && starts && (gap || c == '[')) result += ", ";
        result += c;
        last = c;
        gap = false;
    }
    return result;
}

std::optional<DType> dtypeOf(const expr::Node& call) {
    for (std::size_t i = 1; i < call.children.size(); ++i) {
        if (call.keywords[i - 1] != "dtype") continue;
        return dtypeFromName(call.children[i].text);
    }
    return std::nullopt;
}

Result<PastedNumbers> readList(std::string_view text, const Budget& budget) {
    // One level more for the call round a printed array.
    const expr::ParseLimits limits{kLargestPaste * 2, budget.maxDepth + 1, 2'000'000};
    auto program = expr::parseProgram(text, limits);
    std::string spaced;
    if (!program && text.front() == '[') {
        spaced = withCommas(text);
        program = expr::parseProgram(spaced, limits);
    }
    if (!program) return program.takeRefusal();
    const auto notNumbers = [] {
        return refusal("PASTE-03", "the text is not a list of numbers", "Paste numbers in lists: [[1, 2], [3, 4]].");
    };
    if (program->statements.size() != 1 || program->statements[0].kind != expr::StatementKind::Expression)
        return notNumbers();
    const expr::Node* node = &program->statements[0].value;
    PastedNumbers pasted;
    pasted.kind = spaced.empty() ? "Python list" : "printed array";
    if (node->kind == expr::NodeKind::Call && node->children.size() >= 2) {
        const std::string& name = node->children[0].text;
        if (name != "array" && name != "tensor") return notNumbers();
        pasted.kind = name == "array" ? "NumPy array" : "PyTorch tensor";
        pasted.dtype = dtypeOf(*node);
        node = &node->children[1];
    }
    auto values = fromNode(*node);
    if (!values) return notNumbers();
    pasted.values = std::move(*values);
    return pasted;
}

std::vector<std::string_view> cellsOf(std::string_view line, char separator) {
    std::vector<std::string_view> cells;
    if (separator == ' ') {
        while (!(line = trimmed(line)).empty()) {
            std::size_t end = 0;
            while (end < line.size() && !isBlank(line[end])) ++end;
            cells.push_back(line.substr(0, end));
            line.remove_prefix(end);
        }
        return cells;
    }
    while (true) {
        const std::size_t cut = line.find(separator);
        cells.push_back(trimmed(line.substr(0, cut)));
        if (cut == std::string_view::npos) return cells;
        line.remove_prefix(cut + 1);
    }
}

Result<PastedNumbers> readTable(std::string_view text) {
    char separator = ' ';
    for (const char candidate : {'\t', ';', ','}) {
        if (text.find(candidate) != std::string_view::npos) {
            separator = candidate;
            break;
        }
    }
    NestedList::List rows;
    std::size_t columns = 0;
    Index lineNumber = 0;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        ++lineNumber;
        if (line.empty()) continue;
        NestedList::List row;
        bool numbers = true;
        for (const std::string_view cell : cellsOf(line, separator)) {
            const auto number = numberIn(cell);
            numbers = numbers && number.has_value();
            row.emplace_back(number.value_or(Scalar{}));
        }
        if (!numbers) {
            if (rows.empty() && lineNumber == 1) continue; // a header
            return refusal("PASTE-03", "line " + std::to_string(lineNumber) + " of the text is not numbers",
                           "Paste a table of numbers, a Python list or a printed array.");
        }
        if (rows.empty()) columns = row.size();
        if (row.size() != columns)
            return refusal("PASTE-04",
                           "line " + std::to_string(lineNumber) + " has " + std::to_string(row.size()) +
                               " numbers, the first one has " + std::to_string(columns),
                           "Rows of a table are equally long.");
        rows.push_back(NestedList::list(std::move(row)));
    }
    if (rows.empty())
        return refusal("PASTE-03", "there are no numbers in the text",
                       "Paste a table of numbers, a Python list or a printed array.");
    PastedNumbers pasted;
    pasted.kind = "table";
    pasted.values = rows.size() == 1 ? std::move(rows.front()) : NestedList::list(std::move(rows));
    return pasted;
}

} // namespace

Refusal pasteTooLarge(std::size_t bytes) {
    return refusal("PASTE-01",
                   "text, " + std::to_string(bytes) + " bytes: too large to paste; the limit is " +
                       std::to_string(kLargestPaste),
                   "Save it as .npy and open the file.");
}

Result<PastedNumbers> readPastedNumbers(std::string_view whole, const Budget& budget) {
    if (whole.size() > kLargestPaste) return pasteTooLarge(whole.size());
    if (whole.find('\0') != std::string_view::npos)
        return refusal("PASTE-02", "the clipboard holds binary data, not text", "Open data from a file.");
    const std::string_view text = trimmed(whole);
    if (text.empty()) return refusal("PASTE-03", "there are no numbers in the text", "Copy some first.");
    const bool list = text.front() == '[' || text.rfind("array(", 0) == 0 || text.rfind("tensor(", 0) == 0;
    if (!list) return readTable(text);
    if (text.find("...") != std::string_view::npos)
        return refusal("PASTE-05", "the array was printed with \"...\": its middle is missing",
                       "Print it whole, or save it as .npy.");
    return readList(text, budget);
}

namespace {

/// Numbers in one line of code.
constexpr int kLongestCode = 200;

/// Appends the list as Python writes it; false when it has more numbers than `left`.
bool appendPython(std::string& out, const NestedList& values, int& left) {
    if (!values.isList()) {
        const Scalar number = values.scalar();
        const double value = number.toDouble();
        if (number.isFloat() && !std::isfinite(value))
            out += std::isnan(value) ? "float('nan')" : value > 0 ? "float('inf')" : "float('-inf')";
        else
            out += toString(number);
        return --left >= 0;
    }
    out += '[';
    bool first = true;
    for (const NestedList& item : values.items()) {
        if (!first) out += ", ";
        first = false;
        if (!appendPython(out, item, left)) return false;
    }
    out += ']';
    return true;
}

} // namespace

QString codeOfPasted(const PastedNumbers& pasted) {
    std::string text;
    int left = kLongestCode;
    if (!appendPython(text, pasted.values, left)) return {};
    if (pasted.dtype) text += ", dtype=torch." + std::string(name(*pasted.dtype));
    return QStringLiteral("torch.tensor(%1)").arg(QString::fromStdString(text));
}

} // namespace stridescope
