#include "app/cli/run_program.h"

#include "app/cli/about_facts.h"
#include "app/cli/command_line.h"

#include <cstdio>

namespace stridescope {

int runProgram(int argc, char** argv) {
    const auto parsed = parseCommandLine(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
    if (const auto* error = std::get_if<UsageError>(&parsed)) {
        std::fprintf(stderr, "stridescope: %s\n%s", error->message.c_str(), usageText().c_str());
        return 2;
    }
    const auto& line = std::get<CommandLine>(parsed);
    switch (line.action) {
    case CommandLine::Action::Version:
        std::fputs(aboutFacts().c_str(), stdout);
        return 0;
    default:
        std::fputs(usageText(line.helpTopic).c_str(), stdout);
        return 0;
    }
}

} // namespace stridescope
