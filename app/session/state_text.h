#pragma once
// A small state as one line of text that fits into a message or a link: "stridescope:1:…".

#include "core/session/session.h"

#include <QString>

namespace stridescope {

/// Characters of a state's text at most, and bytes of what is packed in it.
inline constexpr qsizetype kLongestStateText = 16'384;
inline constexpr std::uint64_t kLargestTextState = 256 * 1024;

/// The text of a placed session. Refused: SES-09 with the numbers.
Result<QString> stateText(const Session& session);
/// Does it begin like one?
bool looksLikeStateText(const QString& text);
/// The session in the text; blanks and line ends that mail programs put into it do not matter.
/// Refused: SES-10 what is damaged or no such text, and what sessionFromBytes refuses.
Result<Session> sessionFromText(const QString& text);

} // namespace stridescope
