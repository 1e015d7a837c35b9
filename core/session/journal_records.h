#pragma once
// The journal: a file to which each state of the workspace is appended, so that nothing is lost with the program.
//
// A record is 40 bytes (magic, kind, number, length, fingerprint of all of that but itself and of the payload) and its
// payload. Blobs are bytes of storages, states the JSON of a session whose storages name blobs ("blob.7"). What was cut
// or damaged ends the journal: the last state before it counts.

#include "core/session/session.h"

#include <array>

namespace stridescope {

enum class JournalKind : std::uint32_t { Blob = 1, State = 2 };

inline constexpr std::size_t kJournalHeaderBytes = 40;

/// What stands before a payload. `number` is that of the blob; of a state, how many came before it.
std::array<std::byte, kJournalHeaderBytes> journalHeader(JournalKind kind, std::uint64_t number,
                                                         std::span<const std::byte> payload);

/// The name by which a state calls a blob; "later" for bytes that are not in the journal yet.
std::string blobName(std::uint64_t number);
inline constexpr const char* kBlobLater = "later";

struct JournalContents {
    Session session; ///< of the last state that is whole
    std::uint64_t states = 0, damagedBytes = 0;
};

/// Reads what a journal holds. Never runs anything. Refused: JOUR-01 no state that is whole, and what parseSession
/// refuses of it; IO-18.
Result<JournalContents> readJournal(std::span<const std::byte> journal, bool withFiles, const Budget& budget = {});

} // namespace stridescope
