#pragma once
// The arguments of `stridescope bench`.

#include "app/cli/argument_cursor.h"
#include "app/cli/command_line.h"

namespace stridescope {

std::variant<CommandLine, UsageError> parseBench(Cursor& cursor);
std::string benchUsageText();

} // namespace stridescope
