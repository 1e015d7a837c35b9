#include "core/expr/parser.h"
#include "core/io/refusals.h"
#include "core/io/text.h"
#include "core/session/session_value.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace stridescope {

namespace {

std::string shown(std::string_view text) {
    return "\"" + sanitiseForDisplay(std::string(text), 40) + "\"";
}

/// Code as a person can read it: line ends and tabs stay, what would steer a terminal or turn the line round does not.
std::string plainLines(const std::string& text) {
    std::string out, line;
    const auto end = [&] { out += sanitiseForDisplay(line, line.size() + 1), line.clear(); };
    for (const char c : text) {
        if (c != '\n' && c != '\t') {
            line += c;
            continue;
        }
        end();
        out += c;
    }
    end();
    return out;
}

class Reader {
public:
    Reader(std::string_view json, const SessionSources& sources) : m_text(json), m_json(json), m_sources(sources) {}

    Result<Session> read() {
        const bool read = object([this](const std::string& key) { return member(key); });
        if (m_refusal) return std::move(*m_refusal);
        if (!read || !m_json.atEnd()) {
            if (read) m_json.fail("something follows the session's last brace");
            return broken();
        }
        if (!m_hasFormat) return io::refuse("SES-02", "The session does not say its format; known is 1");
        finish();
        return std::move(m_session);
    }

private:
    template <class Member>
    bool object(Member member) {
        std::set<std::string> seen;
        if (!m_json.expect('{')) return false;
        if (m_json.take('}')) return true;
        do {
            std::string key;
            if (!m_json.string(key) || !m_json.expect(':')) return false;
            if (!seen.insert(key).second) return m_json.fail("the member " + shown(key) + " appears twice");
            if (!member(key)) return false;
        } while (m_json.take(','));
        return m_json.expect('}');
    }

    template <class Element>
    bool array(std::size_t most, const char* what, Element element) {
        if (!m_json.expect('[')) return false;
        if (m_json.take(']')) return true;
        std::size_t count = 0;
        do {
            if (++count > most) {
                m_refusal = io::refuseAmount(
                    "SES-03", std::string("The session has more than ") + std::to_string(most) + " " + what,
                    "It was not written by this program.", count, most);
                return false;
            }
            if (!element()) return false;
        } while (m_json.take(','));
        return m_json.expect(']');
    }

    bool ignore() {
        std::string_view raw;
        return m_json.skip(raw);
    }

    Refusal broken() const {
        const std::string_view before = m_text.substr(0, m_json.offset());
        const auto line = std::count(before.begin(), before.end(), '\n') + 1;
        const std::size_t start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
        return io::refuse("SES-01",
                          "The session is not as it should be, line " + std::to_string(line) + " column " +
                              std::to_string(before.size() - start + 1) + ": " + m_json.problem(),
                          "The file is damaged, or not a session.", InputPosition{static_cast<Index>(m_json.offset())});
    }

    bool member(const std::string& key) {
        Session& s = m_session;
        if (key == "format") {
            m_hasFormat = true;
            if (!m_json.whole(s.format)) return false;
            if (s.format < 1) m_refusal = io::refuse("SES-02", "The session has format 0; known is 1");
            return !m_refusal;
        }
        if (key == "program") return m_json.string(s.program, 64);
        if (key == "storages") {
            m_hasStorages = true;
            return array(kSessionMaxEntries, "storages", [this] { return storage(); });
        }
        if (key == "tensors" || key == "values") {
            if (!m_hasStorages) return m_json.fail("storages must come before tensors and values");
            return key == "tensors" ? array(kSessionMaxEntries, "tensors", [this] { return tensor(); })
                                    : array(kSessionMaxEntries, "values", [this] { return value(); });
        }
        if (key == "order") return readIntegers(m_json, s.order, kSessionMaxEntries);
        if (key == "history") return array(kSessionMaxSteps, "steps", [this] { return step(); });
        if (key == "selected") return m_json.whole(s.selected);
        if (key == "pick") return pick();
        if (key == "look")
            return object([this](const std::string& name) { return m_json.string(m_session.look[name], 4096); });
        std::string_view raw;
        if (!m_json.skip(raw)) return false;
        s.unknown.emplace_back(key, std::string(raw));
        return true;
    }

    bool number(int& out) {
        Index value = 0;
        if (!m_json.whole(value)) return false;
        out = value <= INT32_MAX ? static_cast<int>(value) : 0; // of 0 there is none
        return true;
    }

    bool amount(std::uint64_t& out) {
        Index value = 0;
        if (!m_json.whole(value)) return false;
        out = static_cast<std::uint64_t>(value);
        return true;
    }

    bool storage() {
        SessionStorage s;
        std::string dtype;
        const bool read = object([&](const std::string& key) {
            if (key == "number") return number(s.number);
            if (key == "dtype") return m_json.string(dtype, 64);
            if (key == "bytes") return amount(s.bytes);
            if (key == "origin") return m_json.string(s.origin, 4096);
            if (key == "unwritten") return m_json.boolean(s.unwritten);
            if (key == "data") return m_json.string(s.data, 4096);
            if (key == "file") return file(s.file.emplace());
            return ignore();
        });
        if (!read) return false;
        const auto known = dtypeFromName(dtype);
        if (s.number < 1 || m_storageAt.count(s.number) > 0 || !known || s.data.empty() == !s.file) {
            m_refusal = io::refuse("SES-04",
                                   "Storage " + std::to_string(s.number) +
                                       " has no number of its own, no dtype, or not one place for its bytes",
                                   "The session is damaged.");
            return false;
        }
        s.dtype = *known;
        s.origin = sanitiseForDisplay(s.origin);
        if (!s.file) {
            Result<StoragePtr> bytes = m_sources.data(s.data, s.bytes);
            if (!bytes) {
                m_refusal = bytes.refusal();
                return false;
            }
            s.storage = *bytes;
        } else if (m_sources.file) {
            Result<StoragePtr> bytes = m_sources.file(*s.file, s.bytes);
            if (bytes)
                s.storage = *bytes;
            else
                m_session.notes.push_back(bytes.refusal().message);
        }
        if (s.storage && s.unwritten) s.storage->markUnwritten();
        m_storageAt[s.number] = m_session.storages.size();
        m_session.storages.push_back(std::move(s));
        return true;
    }

    bool file(SessionFile& file) {
        std::string print;
        const bool read = object([&](const std::string& key) {
            if (key == "path") return m_json.string(file.path, 4096);
            if (key == "bytes") return amount(file.fileBytes);
            if (key == "offset") return amount(file.offset);
            if (key == "fingerprint") return m_json.string(print, 64);
            return ignore();
        });
        const auto [end, error] = std::from_chars(print.data(), print.data() + print.size(), file.fingerprint);
        if (read && (error != std::errc() || end != print.data() + print.size() || print.empty()))
            return m_json.fail("a fingerprint is no number of 64 bits");
        return read;
    }

    const SessionStorage* storageAt(int number) const {
        const auto found = m_storageAt.find(number);
        return found == m_storageAt.end() ? nullptr : &m_session.storages[found->second];
    }

    void leaveOut(const std::string& name, const std::string& why) {
        constexpr std::size_t kMostNotes = 100;
        if (m_session.notes.size() < kMostNotes)
            m_session.notes.push_back(sanitiseForDisplay(name, 60) + " is left out: " + why + ".");
    }

    /// Why no tensor or value can have this name; empty when it can.
    std::string refuseName(const std::string& name) {
        if (!expr::isIdentifier(name)) return "this is no name";
        return m_names.insert(name).second ? std::string() : "the name is taken";
    }

    bool tensor() {
        SessionTensor t;
        Layout layout;
        Index origin = 0, colour = -1;
        std::string letter;
        const bool read = object([&](const std::string& key) {
            if (key == "id") return m_json.whole(t.id);
            if (key == "name") return m_json.string(t.name, 4096);
            if (key == "code") return m_json.string(t.code);
            if (key == "parent") return m_json.whole(t.parent);
            if (key == "origin") return m_json.whole(origin);
            if (key == "storage") return number(t.storage);
            if (key == "shown") return m_json.boolean(t.onStage);
            if (key == "colour") return m_json.whole(colour);
            if (key == "letter") return m_json.string(letter, 16);
            bool known = false;
            return readLayout(m_json, key, layout, known) && (known || ignore());
        });
        if (!read) return false;
        std::string why;
        const SessionStorage* storage = storageAt(t.storage);
        if (t.id < 1 || m_ids.count(t.id) > 0)
            why = "its number " + std::to_string(t.id) + " is none of its own";
        else if (!storage)
            why = "storage " + std::to_string(t.storage) + " does not exist";
        else if (!storage->storage)
            why = "the bytes of storage " + std::to_string(t.storage) + " are not here";
        else
            why = refuseName(t.name);
        if (why.empty()) {
            Result<Tensor> made = tensorOf(layout, storage->storage);
            if (made)
                t.tensor = *made;
            else
                why = made.refusal().message;
        }
        if (!why.empty()) {
            leaveOut(t.name, why);
            return true;
        }
        t.code = plainLines(t.code);
        if (m_ids.count(t.parent) == 0) t.parent = 0;
        t.origin = origin <= 2 ? static_cast<int>(origin) : 0;
        t.colour = colour <= 3 && t.onStage ? static_cast<int>(colour) : -1;
        const auto isLetter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
        t.letter = letter.size() == 1 && isLetter(letter[0]) ? letter[0] : '\0';
        m_ids.insert(t.id);
        m_session.tensors.push_back(std::move(t));
        return true;
    }

    bool value() {
        std::string name, why;
        expr::Value value;
        bool has = false;
        const bool read = object([&](const std::string& key) {
            if (key == "name") return m_json.string(name, 4096);
            if (key != "value") return ignore();
            has = true;
            return readValue(
                m_json,
                [this](Index number) {
                    const SessionStorage* storage = number <= INT32_MAX ? storageAt(static_cast<int>(number)) : nullptr;
                    return storage ? storage->storage : StoragePtr();
                },
                value, why);
        });
        if (!read) return false;
        if (!has) why = "it has no value";
        if (why.empty()) why = refuseName(name);
        if (why.empty())
            m_session.values.emplace_back(name, std::move(value));
        else
            leaveOut(name, why);
        return true;
    }

    bool step() {
        SessionStep step;
        if (!object([&](const std::string& key) {
                if (key == "code") return m_json.string(step.code, kSessionMaxJson);
                if (key == "title") return m_json.string(step.title, 4096);
                return ignore();
            }))
            return false;
        step.code = plainLines(step.code);
        step.title = step.title.empty() ? step.code : plainLines(step.title);
        m_session.steps.push_back(std::move(step));
        return true;
    }

    bool pick() {
        SessionPick pick;
        std::vector<Index> coord;
        if (!object([&](const std::string& key) {
                if (key == "storage") return number(pick.storage);
                if (key == "slot") return m_json.whole(pick.slot);
                if (key == "tensor") return m_json.whole(pick.tensor);
                if (key == "coord") return readIntegers(m_json, coord, static_cast<std::size_t>(kMaxDims));
                return ignore();
            }))
            return false;
        pick.coord = Dims(std::span<const Index>(coord));
        m_session.pick = std::move(pick);
        return true;
    }

    /// What refers to tensors that may not be there: such references go, without a word; no value is lost with them.
    void finish() {
        Session& s = m_session;
        std::set<Index> seen;
        std::erase_if(s.order, [&](Index id) { return m_ids.count(id) == 0 || !seen.insert(id).second; });
        if (m_ids.count(s.selected) == 0) s.selected = 0;
        if (!s.pick) return;
        const SessionStorage* storage = s.storage(s.pick->storage);
        const SessionTensor* tensor = s.tensor(s.pick->tensor);
        bool fits = storage && storage->storage && (tensor || s.pick->tensor == 0);
        if (fits && tensor) {
            const View& view = tensor->tensor.view();
            fits = tensor->storage == s.pick->storage && s.pick->coord.size() == view.shape.size();
            for (std::size_t d = 0; fits && d < view.shape.size(); ++d)
                fits = s.pick->coord[d] >= 0 && s.pick->coord[d] < view.shape[d];
            if (fits) s.pick->slot = view.slot(s.pick->coord);
        } else if (fits) {
            fits = static_cast<std::uint64_t>(s.pick->slot) < storage->bytes / itemSize(storage->dtype);
        }
        if (!fits) s.pick.reset();
    }

    std::string_view m_text;
    io::JsonReader m_json;
    const SessionSources& m_sources;
    Session m_session;
    std::optional<Refusal> m_refusal;
    std::set<std::string> m_names;
    std::set<Index> m_ids;
    std::map<int, std::size_t> m_storageAt;
    bool m_hasFormat = false, m_hasStorages = false;
};

} // namespace

const SessionStorage* Session::storage(int number) const {
    const auto found =
        std::find_if(storages.begin(), storages.end(), [number](const auto& each) { return each.number == number; });
    return found == storages.end() ? nullptr : &*found;
}

const SessionTensor* Session::tensor(Index id) const {
    if (id == 0) return nullptr;
    const auto found = std::find_if(tensors.begin(), tensors.end(), [id](const auto& each) { return each.id == id; });
    return found == tensors.end() ? nullptr : &*found;
}

Result<Session> parseSession(std::string_view json, const SessionSources& sources) {
    return Reader(json, sources).read();
}

Result<std::vector<SessionFile>> sessionFiles(std::string_view json) {
    std::vector<SessionFile> files;
    SessionSources sources;
    sources.data = [](const std::string&, std::uint64_t) -> Result<StoragePtr> { return StoragePtr(); };
    sources.file = [&files](const SessionFile& file, std::uint64_t) -> Result<StoragePtr> {
        if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
        return StoragePtr();
    };
    const Result<Session> session = parseSession(json, sources);
    if (!session) return session.refusal();
    return files;
}

} // namespace stridescope
