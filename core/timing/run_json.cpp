// Recorded runs as JSON.

#include "core/io/json_reader.h"
#include "core/timing/run_fields.h"
#include "core/timing/run_file.h"

namespace stridescope::timing {

namespace {

// --- Writing --------------------------------------------------------------------------------------------------------

std::string valueText(const std::string& text) {
    return io::jsonQuoted(text);
}
std::string valueText(double x) {
    return std::isfinite(x) ? fields::textOf(x) : "null";
}
template <class T>
requires std::integral<T> || std::is_enum_v<T> std::string valueText(T x) {
    const std::string text = fields::textOf(x);
    return std::is_enum_v<T> ? io::jsonQuoted(text) : text;
}
std::string valueText(const std::vector<std::string>& texts) {
    std::string list;
    for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + io::jsonQuoted(text);
    return "[" + list + "]";
}

/// "key": value, one after the other.
struct FieldWriter {
    std::string text, between;
    template <class T>
    void operator()(const char* key, const T& value) {
        text += (text.empty() ? "" : between) + io::jsonQuoted(key) + ": " + valueText(value);
    }
};
/// Values alone.
struct RowWriter {
    std::string text;
    template <class T>
    void operator()(const char*, const T& value) {
        text += (text.empty() ? "" : ", ") + valueText(value);
    }
};

template <class T>
std::string fieldsText(const T& value, const std::string& indent) {
    FieldWriter writer{"", ",\n" + indent};
    fields::of(writer, const_cast<T&>(value)); // one list for both directions; a writer changes nothing
    return writer.text;
}

std::string samplesText(const std::vector<Sample>& samples) {
    std::string text;
    for (const Sample& sample : samples) {
        RowWriter row;
        fields::of(row, const_cast<Sample&>(sample));
        text += (text.empty() ? "\n        [" : ",\n        [") + row.text + "]";
    }
    return "[" + text + "]";
}

/// What can be computed again from the samples, for whoever does not want to.
std::string summaryText(const Measurement& m) {
    FieldWriter w{"", ", "};
    const Summary& s = m.times();
    w("seconds", s.median);
    w("lower_quartile", s.lowerQuartile);
    w("upper_quartile", s.upperQuartile);
    w("interval_low", m.interval ? m.interval->low : kNotMeasured);
    w("interval_high", m.interval ? m.interval->high : kNotMeasured);
    w("by_device", m.byDevice());
    w("dropped", m.dropped);
    return "{" + w.text + "}";
}

std::string comparisonText(const Comparison& c) {
    FieldWriter w{"", ", "};
    w("first", c.first);
    w("second", c.second);
    w("answer", c.verdict.answer);
    w("ratio", c.verdict.ratio);
    w("low", c.verdict.interval.low);
    w("high", c.verdict.interval.high);
    w("pairs", c.verdict.pairs);
    w("why", c.verdict.why);
    return "{" + w.text + "}";
}

template <class List, class Text>
std::string listText(const List& list, Text text) {
    std::string out;
    for (const auto& item : list) out += (out.empty() ? "\n    " : ",\n    ") + text(item);
    return out.empty() ? "[]" : "[" + out + "\n  ]";
}

// --- Reading --------------------------------------------------------------------------------------------------------

bool readValue(io::JsonReader& json, std::string& text) {
    return json.string(text, std::size_t{1} << 16);
}
bool readValue(io::JsonReader& json, double& x) {
    return json.number(x, true);
}
bool readValue(io::JsonReader& json, bool& truth) {
    return json.boolean(truth);
}
template <std::integral T>
bool readValue(io::JsonReader& json, T& x) {
    Index whole = 0;
    if (!json.whole(whole)) return false;
    if (!std::in_range<T>(whole)) return json.fail("a number is too large: " + std::to_string(whole));
    x = static_cast<T>(whole);
    return true;
}
template <class E>
requires std::is_enum_v<E>
bool readValue(io::JsonReader& json, E& e) {
    std::string text;
    if (!json.string(text)) return false;
    const auto value = fields::valueOf(text, E{});
    if (!value) return json.fail("\"" + text.substr(0, 40) + "\" is no value of its field");
    e = *value;
    return true;
}

/// Calls `item` for each element of a list of at most `most`.
template <class Item>
bool readList(io::JsonReader& json, std::size_t most, Item item) {
    if (!json.expect('[')) return false;
    if (json.take(']')) return true;
    std::size_t count = 0;
    do {
        if (++count > most) return json.fail("a list has more than " + std::to_string(most) + " elements");
        if (!item()) return false;
    } while (json.take(','));
    return json.expect(']');
}
bool readValue(io::JsonReader& json, std::vector<std::string>& texts) {
    return readList(json, 10'000, [&] { return readValue(json, texts.emplace_back()); });
}

/// Calls `field` with each key of an object, which reads the value.
template <class Field>
bool readObject(io::JsonReader& json, Field field) {
    if (!json.expect('{')) return false;
    if (json.take('}')) return true;
    std::string key;
    do {
        if (!json.string(key) || !json.expect(':') || !field(key)) return false;
    } while (json.take(','));
    return json.expect('}');
}

/// Reads the value of one key into the field of that name.
struct FieldReader {
    io::JsonReader& json;
    const std::string& key;
    bool found = false, good = true;
    template <class T>
    void operator()(const char* field, T& value) {
        if (found || key != field) return;
        found = true;
        good = readValue(json, value);
    }
};
/// Values one after the other.
struct RowReader {
    io::JsonReader& json;
    bool good = true, first = true;
    template <class T>
    void operator()(const char*, T& value) {
        good = good && (first || json.expect(',')) && readValue(json, value);
        first = false;
    }
};

/// The field of that name, or a step over what is not known.
template <class T>
bool readField(io::JsonReader& json, const std::string& key, T& value) {
    FieldReader reader{json, key};
    fields::of(reader, value);
    return reader.found ? reader.good : json.skip();
}

struct RunReader {
    explicit RunReader(std::string_view text) : json(text) {}

    io::JsonReader json;
    Run run;
    std::string format;
    Index version = 0;
    std::size_t samples = 0;
    bool tooLarge = false;

    bool readSamples(std::vector<Sample>& list) {
        return readList(json, kMaxSamples, [&] {
            if (++samples > kMaxSamples) {
                tooLarge = true;
                return json.fail(fields::moreThan(kMaxSamples, "samples"));
            }
            RowReader row{json};
            if (!json.expect('[')) return false;
            fields::of(row, list.emplace_back());
            return row.good && json.expect(']');
        });
    }

    bool readMeasurement() {
        if (run.measurements.size() >= kMaxMeasurements) {
            tooLarge = true;
            return json.fail(fields::moreThan(kMaxMeasurements, "measurements"));
        }
        Measurement& m = run.measurements.emplace_back();
        if (!readObject(json, [&](const std::string& key) {
                if (key == "warm_up") return readSamples(m.measured.warmUp);
                if (key == "samples") return readSamples(m.measured.samples);
                return readField(json, key, m);
            }))
            return false;
        if (const std::string problem = fields::complete(m); !problem.empty())
            return json.fail("measurement " + std::to_string(run.measurements.size() - 1) + ": " + problem);
        return true;
    }

    bool read() {
        return readObject(json, [&](const std::string& key) {
            if (key == "format") return json.string(format);
            if (key == "version") return json.whole(version) && (version <= kRunFormat || json.fail("version"));
            if (key == "title") return readValue(json, run.title);
            if (key == "command") return readValue(json, run.command);
            if (key == "refused") return readValue(json, run.refused);
            if (key == "conditions")
                return readObject(json, [&](const std::string& k) { return readField(json, k, run.conditions); });
            if (key == "ceilings")
                return readList(json, 10'000, [&] {
                    Ceiling& c = run.ceilings.emplace_back();
                    return readObject(json, [&](const std::string& k) { return readField(json, k, c); });
                });
            if (key == "measurements") return readList(json, kMaxMeasurements + 1, [&] { return readMeasurement(); });
            return json.skip();
        });
    }
};

Refusal refusal(std::string id, std::string message, std::size_t at) {
    return {ErrorKind::Io, std::move(id), std::move(message),
            "A recorded run is written by stridescope bench --json FILE.", InputPosition{static_cast<Index>(at)}};
}

} // namespace

namespace {

std::string problemOf(const Measurement& m) {
    if (m.operation.empty()) return "the operation is missing";
    if (m.measured.samples.empty() && m.measured.warmUp.empty()) return "there are no samples";
    if (m.threads < 0 || m.threads > 1024) return "threads is " + std::to_string(m.threads) + ", wanted 0 to 1024";
    if (m.n < 0) return "n is " + std::to_string(m.n);
    if (!(m.bytes >= 0) || !(m.flops >= 0)) return "bytes or flops is not a number from 0 on";
    for (const auto* list : {&m.measured.samples, &m.measured.warmUp})
        for (const Sample& s : *list)
            if (s.calls < 1 || !(s.times.host >= 0) || s.times.device < 0)
                return "a sample has " + std::to_string(s.calls) + " calls and " + valueText(s.times.host) +
                       " s, wanted 1 or more and 0 or more";
    return {};
}

} // namespace

std::string fields::complete(Measurement& m) {
    std::string problem = problemOf(m);
    if (!problem.empty()) return problem;
    m.measured.label = m.label();
    judge(m);
    return {};
}

std::string jsonOf(const Run& run) {
    std::string text = "{\n  \"format\": \"stridescope timing\",\n  \"version\": " + std::to_string(kRunFormat) + ",\n";
    text += "  \"title\": " + io::jsonQuoted(run.title) + ",\n  \"command\": " + io::jsonQuoted(run.command) + ",\n";
    text += "  \"conditions\": {\n    " + fieldsText(run.conditions, "    ") + "\n  },\n";
    text += "  \"ceilings\": " +
            listText(run.ceilings, [](const Ceiling& c) { return "{" + fieldsText(c, "     ") + "}"; }) + ",\n";
    std::string columns;
    for (const char* column : fields::kSampleColumns) columns += (columns.empty() ? "" : ", ") + io::jsonQuoted(column);
    text += "  \"sample_columns\": [" + columns + "],\n";
    text += "  \"measurements\": " + listText(run.measurements, [](const Measurement& m) {
                return "{" + fieldsText(m, "     ") + ",\n     \"summary\": " + summaryText(m) +
                       ",\n     \"warm_up\": " + samplesText(m.measured.warmUp) +
                       ",\n     \"samples\": " + samplesText(m.measured.samples) + "}";
            });
    text += ",\n  \"comparisons\": " + listText(run.comparisons, comparisonText);
    text += ",\n  \"refused\": " + valueText(run.refused) + "\n}\n";
    return text;
}

Result<Run> runFromJson(std::string_view text) {
    if (text.size() > kMaxRunBytes)
        return refusal("BENCH-23",
                       "the file has " + std::to_string(text.size()) + " bytes, at most " +
                           std::to_string(kMaxRunBytes) + " are read",
                       0);
    RunReader reader(text);
    const bool good = reader.read() && reader.json.atEnd();
    const std::size_t at = reader.json.offset();
    if (reader.version > kRunFormat)
        return refusal("BENCH-21",
                       "the file has version " + std::to_string(reader.version) + ", this program reads up to " +
                           std::to_string(kRunFormat),
                       at);
    if (!good) {
        const std::string why = reader.json.failed() ? reader.json.problem() : "something stands behind the end";
        const char* id = reader.tooLarge ? "BENCH-23" : why.rfind("measurement ", 0) == 0 ? "BENCH-22" : "BENCH-20";
        return refusal(id, "not a recorded run: at byte " + std::to_string(at) + " " + why, at);
    }
    if (reader.format != "stridescope timing")
        return refusal(
            "BENCH-20",
            "not a recorded run: format is '" + reader.format.substr(0, 40) + "', wanted 'stridescope timing'", 0);
    if (reader.version < 1) return refusal("BENCH-20", "not a recorded run: the version is missing", 0);
    reader.run.comparisons = comparisonsOf(reader.run.measurements);
    return std::move(reader.run);
}

} // namespace stridescope::timing
