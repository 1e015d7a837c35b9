#pragma once
// Session files: a safetensors file whose metadata holds the session's JSON, and whose tensors are its storages.

#include "core/io/npy.h"
#include "core/io/safetensors.h"
#include "core/io/save_atomically.h"
#include "core/session/session.h"

#include <filesystem>

namespace stridescope {

/// The member of "__metadata__" that makes a safetensors file a session.
inline constexpr const char* kSessionKey = "stridescope.session";
/// Mapped bytes from this on stay in their file when a session is saved; smaller ones are copied into it.
inline constexpr std::uint64_t kSessionLargestCopied = std::uint64_t{64} << 20;

/// Is this text one that a session can hold (well-formed UTF-8)?
bool isSessionText(std::string_view text);

/// The session's JSON in a safetensors file, or nothing: it is none.
const std::string* sessionJsonOf(const std::vector<std::pair<std::string, std::string>>& metadata);

/// Is there a session in this file? False for what cannot be opened or is no safetensors file.
bool holdsSession(const std::filesystem::path& path);

/// Reads a session from the bytes of a whole file. Bytes are copied within the budget (IO-18), so that nothing stands
/// on the file afterwards. `withFiles`: storages in other files are mapped where those are what they were (SES-06 …
/// SES-08 become notes); else tensors on them are left out.
/// Refused: ST-01 … ST-12, SES-01 … SES-04, IO-18.
Result<Session> sessionFromBytes(std::span<const std::byte> file, bool withFiles, const Budget& budget = {});
/// The files that sessionFromBytes would map.
Result<std::vector<SessionFile>> sessionFilesFromBytes(std::span<const std::byte> file, const Budget& budget = {});
/// The same for a file. Refused in addition: IO-01 … IO-08.
Result<Session> openSession(const std::filesystem::path& path, bool withFiles, const Budget& budget = {});
Result<std::vector<SessionFile>> openSessionFiles(const std::filesystem::path& path, const Budget& budget = {});

/// Prepares a session for a file: names its storages' data, and makes large mapped ones that nobody wrote to stay in
/// their file, with its fingerprint. Reads such files. Nothing, or IO-08.
std::optional<Refusal> placeStorages(Session& session, const ProgressFn& progress = {});
/// Writes a placed session with saveAtomically. Refused: IO-17 and what saveAtomically refuses.
Result<SavedFile> writeSession(const Session& session, const std::filesystem::path& path,
                               const ProgressFn& progress = {});
/// The same as bytes. Refused: SES-09 above `most` bytes.
Result<std::string> sessionBytes(const Session& session, std::uint64_t most);

/// Fingerprint of a file's bytes and length: of all of it up to 64 MiB, else of 64 blocks of 1 MiB spread evenly over
/// it, the first and the last one included.
std::uint64_t fileFingerprint(std::span<const std::byte> file);
/// Maps those bytes. Refused: SES-06 the file is not there (with IO-…'s words), SES-07 it has another size, SES-08
/// other contents.
Result<StoragePtr> mapSessionFile(const SessionFile& file, std::uint64_t bytes);

} // namespace stridescope
