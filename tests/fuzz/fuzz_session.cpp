// Readers of sessions on whatever bytes: as a file, as its JSON alone, as a journal. Tensors inside their storages, or
// a refusal in words.

#include "core/ops/creation.h"
#include "core/session/journal_records.h"
#include "core/session/session_file.h"
#include "core/session/session_value.h"
#include "tests/fuzz/seeds.h"

#include <cstdlib>

using namespace stridescope;

namespace {

Session sample() {
    const Tensor a = arange(Scalar(Index{12}), {DType::Int64, Device{}});
    Session session;
    session.storages.push_back({1, DType::Int64, 96, "x.npy", false, "storage.1", {}, a.storage()});
    SessionTensor tensor;
    tensor.id = 1;
    tensor.name = "A";
    tensor.code = "torch.arange(12)";
    tensor.storage = 1;
    tensor.tensor = a;
    session.tensors.push_back(tensor);
    session.values.emplace_back("n", expr::Value(Index{5}));
    session.values.emplace_back("x", expr::Value(2.5));
    session.values.emplace_back("part", expr::Value(expr::TensorValue{a, expr::Lineage::Fresh, 0}));
    session.steps.push_back({"A = torch.arange(12)", "arange(12)"});
    session.selected = 1;
    session.pick = SessionPick{1, 3, 1, Dims{3}};
    session.look["heat"] = "1";
    session.unknown.emplace_back("later", "[1,2]");
    return session;
}

std::string record(JournalKind kind, std::uint64_t number, const std::string& payload) {
    const auto header = journalHeader(kind, number, std::as_bytes(std::span(payload)));
    return std::string(reinterpret_cast<const char*>(header.data()), header.size()) + payload;
}

void look(const Result<Session>& read) {
    if (!read) {
        if (read.refusal().id.empty() || read.refusal().message.empty()) std::abort();
        return;
    }
    for (const SessionTensor& tensor : read->tensors) requireInside(tensor.tensor);
    // What was read can be written and is the same again.
    Session again = *read;
    for (SessionStorage& storage : again.storages) {
        if (!storage.storage) return;
        storage.file.reset();
        storage.data = "storage." + std::to_string(storage.number);
    }
    const auto bytes = sessionBytes(again, 1 << 22);
    if (!bytes) return;
    const auto second = sessionFromBytes(std::as_bytes(std::span(*bytes)), false);
    if (!second || second->tensors.size() != read->tensors.size()) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    const Session session = sample();
    const std::string json = sessionJson(session);
    Session journalled = session;
    journalled.storages[0].data = blobName(1);
    fuzz::writeSeedsIfAsked({"f" + sessionBytes(session, 1 << 20).value(), "j" + json,
                             "r" + record(JournalKind::Blob, 1, std::string(96, 'x')) +
                                 record(JournalKind::State, 1, sessionJson(journalled))});
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    Budget budget;
    budget.maxBytes = 1 << 24;
    const std::span<const std::byte> bytes = std::as_bytes(std::span(data + 1, size - 1));
    if (data[0] == 'f') look(sessionFromBytes(bytes, false, budget));
    if (data[0] == 'j') {
        SessionSources sources;
        sources.data = [](const std::string&, std::uint64_t count) -> Result<StoragePtr> {
            if (count > 4096) return Refusal{ErrorKind::Io, "SES-04", "too many", {}, {}};
            return zeros({static_cast<Index>(count)}, {DType::UInt8, Device{}}).storage();
        };
        look(parseSession({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, sources));
    }
    if (data[0] == 'r') {
        const auto contents = readJournal(bytes, false, budget);
        if (!contents && contents.refusal().message.empty()) std::abort();
    }
    return 0;
}
