#pragma once
// A session: all that the workspace holds at one moment, as a value that can be written and read back.
//
// It is kept as JSON (docs/session-format.md) beside the bytes of its storages. In a file both lie in one safetensors
// file; the journal keeps the same JSON in records of its own. Reading evaluates nothing: code is text.

#include "core/expr/value.h"
#include "core/io/budget.h"
#include "core/tensor/tensor.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace stridescope {

/// Bytes that stay in a file of somebody else's: too large to be copied, and never written to.
struct SessionFile {
    std::string path; ///< absolute
    std::uint64_t fileBytes = 0, offset = 0;
    std::uint64_t fingerprint = 0; ///< of the whole file, see fileFingerprint()
    friend bool operator==(const SessionFile&, const SessionFile&) = default;
};

struct SessionStorage {
    int number = 0;               ///< "storage #1"; unique
    DType dtype = DType::Float32; ///< in which the strip is drawn
    std::uint64_t bytes = 0;
    std::string origin; ///< file name for people, or empty
    bool unwritten = false;
    std::string data;                ///< where the bytes are: the name of a tensor of the file; empty with `file`
    std::optional<SessionFile> file; ///< or in that file
    StoragePtr storage;              ///< null: the bytes are not there
};

struct SessionTensor {
    Index id = 0; ///< unique in the session, 1 or more
    std::string name, code;
    Index parent = 0; ///< id of an earlier tensor, or 0
    int origin = 0;   ///< 0 base, 1 view, 2 copy
    int storage = 0;  ///< its number
    Tensor tensor;
    bool onStage = true;
    int colour = -1; ///< -1 … 3
    char letter = 0; ///< of ASCII, or 0
};

struct SessionStep {
    std::string code, title;
};

struct SessionPick {
    int storage = 0;
    Index slot = 0, tensor = 0;
    Dims coord;
};

struct Session {
    static constexpr Index kFormat = 1;
    Index format = kFormat; ///< above kFormat: written by a later version, of which some things may be unknown here
    std::string program;    ///< version that wrote it
    std::vector<SessionStorage> storages;
    std::vector<SessionTensor> tensors; ///< parents before children
    std::vector<Index> order;           ///< ids of cards from the left; empty: as made
    std::vector<std::pair<std::string, expr::Value>> values;
    std::vector<SessionStep> steps; ///< done, oldest first
    Index selected = 0;             ///< id of a tensor, or 0
    std::optional<SessionPick> pick;
    std::map<std::string, std::string> look;                  ///< how the window shows it
    std::vector<std::pair<std::string, std::string>> unknown; ///< members of a later version: name and JSON, kept
    /// What was left out, one sentence each; not written.
    std::vector<std::string> notes;

    const SessionStorage* storage(int number) const;
    const SessionTensor* tensor(Index id) const;
};

/// Where the bytes of storages come from when a session is read.
struct SessionSources {
    std::function<Result<StoragePtr>(const std::string& name, std::uint64_t bytes)> data;
    /// Empty: bytes in files are not looked at, and tensors on them are left out and told.
    std::function<Result<StoragePtr>(const SessionFile& file, std::uint64_t bytes)> file;
};

/// Limits that hold whatever the budget says: what the window can show and the history keeps.
inline constexpr std::size_t kSessionMaxEntries = 65'536, kSessionMaxSteps = 10'000, kSessionMaxJson = 16 << 20;

/// Reads the JSON of a session. Refused as a whole: what is not JSON of the form or has a member twice, with line and
/// column (SES-01); another format than is known (SES-02); more entries than the limits (SES-03); storages that are
/// not there or of another size (SES-04). A record that contradicts itself or its storage is left out and told in
/// `notes`: a damaged name does not cost the other tensors.
Result<Session> parseSession(std::string_view json, const SessionSources& sources);

/// The JSON of a session, all in one line. Precondition: storages have `data` or `file`.
std::string sessionJson(const Session& session);

/// The files whose bytes a session wants, each once, without touching one of them. Refused as parseSession.
Result<std::vector<SessionFile>> sessionFiles(std::string_view json);

} // namespace stridescope
