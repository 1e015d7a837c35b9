// The parser of the line language: no crash, no position outside the text, no first line over 140 characters.

#include "core/expr/parser.h"
#include "tests/fuzz/line_seeds.h"

#include <cstdint>
#include <cstdlib>

using namespace stridescope;

namespace {

void check(bool holds) {
    if (!holds) std::abort();
}

void checkNode(const expr::Node& node, Index size) {
    check(node.begin >= 0 && node.begin <= node.end && node.end <= size);
    check(node.kind != expr::NodeKind::Call || node.keywords.size() + 1 == node.children.size());
    check(node.kind != expr::NodeKind::Slice || node.children.size() == 3);
    for (const expr::Node& child : node.children) checkNode(child, size);
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    fuzz::writeSeedsIfAsked(fuzz::lineSeeds());
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto program = expr::parseProgram(text);
    if (program) {
        for (const expr::Statement& statement : program->statements) {
            checkNode(statement.value, static_cast<Index>(size));
            for (const expr::Node& target : statement.targets) checkNode(target, static_cast<Index>(size));
        }
    } else {
        const Refusal& refusal = program.refusal();
        check(refusal.id.rfind("EXPR-", 0) == 0 && refusal.message.size() <= 140);
        const auto* where = std::get_if<InputPosition>(&refusal.detail);
        check(where && where->position >= 0 && where->position <= static_cast<Index>(size));
    }
    return 0;
}
