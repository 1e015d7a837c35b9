#include "core/session/session_value.h"

#include <algorithm>

namespace stridescope {

namespace {

using io::jsonQuoted;

std::string flag(bool on) {
    return on ? "true" : "false";
}

std::string storageJson(const SessionStorage& storage) {
    std::string text = "{\"number\":" + std::to_string(storage.number) + ",\"dtype\":\"" +
                       std::string(name(storage.dtype)) + "\",\"bytes\":" + std::to_string(storage.bytes);
    if (!storage.origin.empty()) text += ",\"origin\":" + jsonQuoted(storage.origin);
    if (storage.unwritten) text += ",\"unwritten\":true";
    if (storage.file) {
        // Fingerprints use all 64 bits; numbers in JSON end at 2^63.
        text += ",\"file\":{\"path\":" + jsonQuoted(storage.file->path) +
                ",\"bytes\":" + std::to_string(storage.file->fileBytes) +
                ",\"offset\":" + std::to_string(storage.file->offset) + ",\"fingerprint\":\"" +
                std::to_string(storage.file->fingerprint) + "\"}";
    } else {
        text += ",\"data\":" + jsonQuoted(storage.data);
    }
    return text + "}";
}

std::string tensorJson(const SessionTensor& tensor) {
    std::string text = "{\"id\":" + std::to_string(tensor.id) + ",\"name\":" + jsonQuoted(tensor.name) +
                       ",\"code\":" + jsonQuoted(tensor.code);
    if (tensor.parent != 0) text += ",\"parent\":" + std::to_string(tensor.parent);
    text += ",\"origin\":" + std::to_string(tensor.origin) + ",\"storage\":" + std::to_string(tensor.storage) + "," +
            layoutJson(tensor.tensor) + ",\"shown\":" + flag(tensor.onStage);
    if (tensor.colour >= 0) text += ",\"colour\":" + std::to_string(tensor.colour);
    if (tensor.letter != 0) text += ",\"letter\":" + jsonQuoted(std::string(1, tensor.letter));
    return text + "}";
}

template <class Range, class Words>
std::string joined(const Range& range, Words words) {
    std::string text = "[";
    for (const auto& each : range) text += (text.size() > 1 ? "," : "") + words(each);
    return text + "]";
}

} // namespace

std::string sessionJson(const Session& session) {
    const auto numberOf = [&session](std::uint64_t id) {
        const auto found = std::find_if(session.storages.begin(), session.storages.end(),
                                        [id](const auto& each) { return each.storage && each.storage->id() == id; });
        return found == session.storages.end() ? 0 : found->number;
    };
    std::string json =
        "{\"format\":" + std::to_string(Session::kFormat) + ",\"program\":" + jsonQuoted(session.program);
    json += ",\"storages\":" + joined(session.storages, storageJson);
    json += ",\"tensors\":" + joined(session.tensors, tensorJson);
    if (!session.order.empty()) json += ",\"order\":" + listJson(session.order);
    std::vector<std::pair<std::string, std::string>> values;
    for (const auto& [name, value] : session.values) {
        if (const auto text = valueJson(value, numberOf)) values.emplace_back(name, *text);
    }
    if (!values.empty())
        json += ",\"values\":" + joined(values, [](const auto& value) {
                    return "{\"name\":" + jsonQuoted(value.first) + ",\"value\":" + value.second + "}";
                });
    json += ",\"history\":" + joined(session.steps, [](const SessionStep& step) {
                return "{\"code\":" + jsonQuoted(step.code) +
                       (step.title == step.code ? std::string() : ",\"title\":" + jsonQuoted(step.title)) + "}";
            });
    if (session.selected != 0) json += ",\"selected\":" + std::to_string(session.selected);
    if (session.pick) {
        json += ",\"pick\":{\"storage\":" + std::to_string(session.pick->storage) +
                ",\"slot\":" + std::to_string(session.pick->slot);
        if (session.pick->tensor != 0)
            json +=
                ",\"tensor\":" + std::to_string(session.pick->tensor) + ",\"coord\":" + listJson(session.pick->coord);
        json += "}";
    }
    if (!session.look.empty()) {
        std::string look;
        for (const auto& [key, value] : session.look)
            look += (look.empty() ? "" : ",") + jsonQuoted(key) + ":" + jsonQuoted(value);
        json += ",\"look\":{" + look + "}";
    }
    for (const auto& [key, raw] : session.unknown) json += "," + jsonQuoted(key) + ":" + raw;
    return json + "}";
}

} // namespace stridescope
