// Recorded runs as CSV, and as files.

#include "core/io/refusals.h"
#include "core/io/save_atomically.h"
#include "core/timing/run_fields.h"
#include "core/timing/run_file.h"

#include <charconv>
#include <concepts>
#include <cstring>
#include <fstream>
#include <functional>

namespace stridescope::timing {

namespace {

/// As RFC 4180 wants it.
std::string cellOf(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

constexpr std::string_view kBetween = "; "; ///< texts of a list in one cell

std::string valueText(const std::string& text) {
    return text;
}
template <class T>
requires std::is_arithmetic_v<T> || std::is_enum_v<T> std::string valueText(T x) {
    return fields::textOf(x);
}
std::string valueText(const std::vector<std::string>& texts) {
    std::string joined;
    for (const std::string& text : texts) joined += (joined.empty() ? "" : std::string(kBetween)) + text;
    return joined;
}

bool readValue(const std::string& cell, std::string& text) {
    text = cell;
    return true;
}
bool readValue(const std::string& cell, bool& truth) {
    truth = cell == "true";
    return truth || cell == "false";
}
template <class T>
requires std::integral<T> || std::floating_point<T>
bool readValue(const std::string& cell, T& x) {
    if constexpr (std::floating_point<T>) {
        x = kNotMeasured;
        if (cell.empty()) return true;
    }
    const auto [end, problem] = std::from_chars(cell.data(), cell.data() + cell.size(), x);
    return problem == std::errc() && end == cell.data() + cell.size();
}
template <class E>
requires std::is_enum_v<E>
bool readValue(const std::string& cell, E& e) {
    const auto value = fields::valueOf(cell, E{});
    if (value) e = *value;
    return value.has_value();
}
bool readValue(const std::string& cell, std::vector<std::string>& texts) {
    for (std::size_t at = 0; at < cell.size();) {
        const std::size_t end = std::min(cell.find(kBetween, at), cell.size());
        texts.push_back(cell.substr(at, end - at));
        at = end + kBetween.size();
    }
    return true;
}

struct Names {
    std::vector<std::string> list;
    template <class T>
    void operator()(const char* key, const T&) {
        list.emplace_back(key);
    }
};
struct Cells {
    std::string text;
    template <class T>
    void operator()(const char*, const T& value) {
        text += cellOf(valueText(value)) + ",";
    }
};
struct CommentLines {
    std::string text;
    template <class T>
    void operator()(const char* key, const T& value) {
        std::string line = valueText(value);
        for (char& c : line)
            if (c == '\n' || c == '\r') c = ' ';
        text += std::string("# ") + key + ": " + line + "\n";
    }
};
/// Takes cells from the front.
struct CellReader {
    const std::vector<std::string>& cells;
    std::size_t next;
    std::string problem = {};
    template <class T>
    void operator()(const char* key, T& value) {
        if (!problem.empty()) return;
        if (!readValue(cells[next], value)) problem = std::string(key) + " is '" + cells[next].substr(0, 40) + "'";
        ++next;
    }
};

std::string headerLine() {
    Names names{{"measurement"}};
    Measurement m;
    fields::of(names, m);
    names.list.emplace_back("kind");
    Sample s;
    fields::of(names, s);
    std::string line;
    for (const std::string& one : names.list) line += (line.empty() ? "" : ",") + one;
    return line;
}

/// The cells of the line at `at`, which moves behind it; quoted cells may hold line ends. False when a quote has no
/// end.
bool takeLine(std::string_view text, std::size_t& at, std::vector<std::string>& cells) {
    cells.assign(1, "");
    bool quoted = false;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (quoted) {
            if (c != '"')
                cells.back() += c;
            else if (at + 1 < text.size() && text[at + 1] == '"')
                cells.back() += text[++at];
            else
                quoted = false;
        } else if (c == '"') {
            quoted = true;
        } else if (c == ',') {
            cells.emplace_back();
        } else if (c == '\n') {
            ++at;
            break;
        } else if (c != '\r') {
            cells.back() += c;
        }
    }
    return !quoted;
}

struct CommentReader {
    const std::string &key, &value;
    bool good = true;
    template <class T>
    void operator()(const char* field, T& target) {
        if (key == field) good = readValue(value, target);
    }
};

/// "# key: value"
bool readComment(const std::string& line, Run& run) {
    const std::size_t colon = line.find(": ");
    if (line.size() < 2 || colon == std::string::npos) return true; // a remark
    const std::string key = line.substr(2, colon - 2), value = line.substr(colon + 2);
    if (key == "title") run.title = value;
    if (key == "command") run.command = value;
    if (key == "refused") run.refused.push_back(value);
    if (key == "ceiling") {
        std::size_t at = 0;
        std::vector<std::string> cells;
        if (!takeLine(value, at, cells) || cells.size() != 7) return false; // the last is empty: each ends with a comma
        CellReader reader{cells, 0};
        fields::of(reader, run.ceilings.emplace_back());
        return reader.problem.empty();
    }
    CommentReader reader{key, value};
    fields::of(reader, run.conditions);
    return reader.good;
}

Refusal refusal(std::string id, std::size_t line, const std::string& what) {
    return io::refuse(std::move(id), "not a recorded run: line " + std::to_string(line) + ": " + what,
                      "A recorded run is written by stridescope bench --csv FILE.");
}

bool endsWith(const std::string& path, std::string_view ending) {
    return path.size() > ending.size() && path.compare(path.size() - ending.size(), ending.size(), ending) == 0;
}

Refusal otherEnding(const std::string& path) {
    return io::refuse("BENCH-25", "a recorded run is a .json or a .csv file, found '" + path + "'",
                      "Give the file one of these endings.");
}

} // namespace

std::string csvOf(const Run& run) {
    CommentLines comments;
    comments("title", run.title);
    comments("command", run.command);
    fields::of(comments, const_cast<Conditions&>(run.conditions));
    for (const Ceiling& ceiling : run.ceilings) {
        Cells cells;
        fields::of(cells, const_cast<Ceiling&>(ceiling));
        comments("ceiling", cells.text);
    }
    for (const std::string& line : run.refused) comments("refused", line);
    std::string text = "# stridescope timing, version " + std::to_string(kRunFormat) + "\n" + comments.text;
    text += headerLine() + "\n";
    for (std::size_t i = 0; i < run.measurements.size(); ++i) {
        Cells front;
        fields::of(front, const_cast<Measurement&>(run.measurements[i]));
        for (const bool isWarmUp : {true, false}) {
            const Measured& m = run.measurements[i].measured;
            for (const Sample& sample : isWarmUp ? m.warmUp : m.samples) {
                Cells cells;
                fields::of(cells, const_cast<Sample&>(sample));
                cells.text.pop_back(); // no comma behind the last
                text += std::to_string(i) + "," + front.text + (isWarmUp ? "warm-up," : "sample,") + cells.text + "\n";
            }
        }
    }
    return text;
}

Result<Run> runFromCsv(std::string_view text) {
    if (text.size() > kMaxRunBytes)
        return io::refuse("BENCH-23", "the file has " + std::to_string(text.size()) + " bytes, at most " +
                                          std::to_string(kMaxRunBytes) + " are read");
    Run run;
    std::size_t at = 0, line = 0, samples = 0, columns = 0;
    std::string current;
    std::vector<std::string> cells;
    if (text.substr(0, 20) != "# stridescope timing")
        return refusal("BENCH-24", 1, "it does not begin with '# stridescope timing'");
    while (at < text.size()) {
        ++line;
        if (text[at] == '#') {
            const std::size_t end = std::min(text.find('\n', at), text.size());
            std::string comment(text.substr(at, end - at));
            if (!comment.empty() && comment.back() == '\r') comment.pop_back();
            if (line > 1 && !readComment(comment, run))
                return refusal("BENCH-24", line, "cannot be read: '" + comment.substr(0, 80) + "'");
            at = end + 1;
            continue;
        }
        const std::size_t start = at;
        if (!takeLine(text, at, cells)) return refusal("BENCH-24", line, "a quote has no end");
        if (columns == 0) {
            std::string header(text.substr(start, at - start));
            while (!header.empty() && (header.back() == '\n' || header.back() == '\r')) header.pop_back();
            if (header != headerLine()) return refusal("BENCH-24", line, "the names of the columns are others");
            columns = cells.size();
            continue;
        }
        if (cells.size() != columns)
            return refusal("BENCH-24", line,
                           std::to_string(cells.size()) + " cells, wanted " + std::to_string(columns));
        if (run.measurements.empty() || cells[0] != current) {
            if (run.measurements.size() >= kMaxMeasurements)
                return io::refuse("BENCH-23", fields::moreThan(kMaxMeasurements, "measurements"));
            current = cells[0];
            CellReader reader{cells, 1};
            fields::of(reader, run.measurements.emplace_back());
            if (!reader.problem.empty()) return refusal("BENCH-24", line, reader.problem);
        }
        if (++samples > kMaxSamples) return io::refuse("BENCH-23", fields::moreThan(kMaxSamples, "samples"));
        const std::size_t kind = columns - fields::kSampleColumns.size() - 1;
        if (cells[kind] != "warm-up" && cells[kind] != "sample")
            return refusal("BENCH-24", line, "kind is '" + cells[kind].substr(0, 40) + "'");
        Measured& m = run.measurements.back().measured;
        CellReader reader{cells, kind + 1};
        fields::of(reader, (cells[kind] == "sample" ? m.samples : m.warmUp).emplace_back());
        if (!reader.problem.empty()) return refusal("BENCH-24", line, reader.problem);
    }
    if (columns == 0) return refusal("BENCH-24", line, "the names of the columns are missing");
    for (std::size_t i = 0; i < run.measurements.size(); ++i) {
        if (const std::string problem = fields::complete(run.measurements[i]); !problem.empty())
            return io::refuse("BENCH-22", "not a recorded run: measurement " + std::to_string(i) + ": " + problem);
    }
    run.comparisons = comparisonsOf(run.measurements);
    return run;
}

void writeRun(const Run& run, const std::string& path) {
    const bool isJson = endsWith(path, ".json");
    if (!isJson && !endsWith(path, ".csv")) throwRefusal(otherEnding(path));
    const std::string text = isJson ? jsonOf(run) : csvOf(run);
    saveAtomically(path, std::as_bytes(std::span(text))).valueOrThrow();
}

Result<Run> readRun(const std::string& path) {
    const bool isJson = endsWith(path, ".json");
    if (!isJson && !endsWith(path, ".csv")) return otherEnding(path);
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    const auto size = file ? static_cast<long long>(file.tellg()) : -1;
    if (size < 0)
        return io::refuse("BENCH-26", "cannot be read: '" + path + "': " + std::strerror(errno),
                          "Check the name and whether you may read it.");
    if (static_cast<unsigned long long>(size) > kMaxRunBytes)
        return io::refuse("BENCH-23", "the file has " + std::to_string(size) + " bytes, at most " +
                                          std::to_string(kMaxRunBytes) + " are read");
    std::string text(static_cast<std::size_t>(size), '\0');
    file.seekg(0);
    if (!file.read(text.data(), size))
        return io::refuse("BENCH-26", "cannot be read: '" + path + "'", "Check whether it is a file.");
    return isJson ? runFromJson(text) : runFromCsv(text);
}

} // namespace stridescope::timing
