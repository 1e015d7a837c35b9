#pragma once
// Built-in examples: lines of code, and what of the result to look at.

#include <span>
#include <string>
#include <string_view>

namespace stridescope {

enum class DemoKind : unsigned char {
    Stage,  ///< the Explore picture
    Fails,  ///< why `line` is refused
    Blocks, ///< block figures of all tensors
};

struct Demo {
    const char* name;
    const char* about;
    DemoKind kind;
    const char* code;   ///< run first
    const char* hide;   ///< a tensor to take off the stage, or ""
    const char* select; ///< the selected tensor
    const char* pick;   ///< its picked element, "2,1", or ""
    const char* line;   ///< previewed (Stage) or refused (Fails), or ""
};

std::span<const Demo> demos();
const Demo* findDemo(std::string_view name);
/// "storage, views, …" for messages.
std::string demoNames();

} // namespace stridescope
