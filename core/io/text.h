#pragma once
// Text from outside (file names, array names, headers) made safe to show.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace stridescope {

/// `text` as plain, printable UTF-8: control, bidirectional and invisible format characters become escapes such as
/// \n, \x1b, \u202e; bytes that are not UTF-8 become U+FFFD; what is longer than `maxCharacters` characters is cut
/// and ends in an ellipsis (which counts). Never fails; reads no more of `text` than it shows.
std::string sanitiseForDisplay(std::string_view text, std::size_t maxCharacters = 200);

/// "396 B", "12 345 B", "14.4 GB" (powers of 1000, three digits) for people. Exact below 100 000 B. The one place where
/// the program words a number of bytes: panels, pictures and messages all come here.
std::string bytesText(std::uint64_t bytes);

} // namespace stridescope
