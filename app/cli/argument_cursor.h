#pragma once
// Walking over the arguments of a command.

#include <charconv>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace stridescope {

/// Walks over the arguments and takes option values in both forms, "--size 10x10" and "--size=10x10".
class Cursor {
public:
    explicit Cursor(const std::vector<std::string>& arguments) : m_arguments(arguments) {}
    bool atEnd() const { return m_next >= m_arguments.size(); }
    std::string take() { return m_arguments[m_next++]; }
    const std::string& peek() const { return m_arguments[m_next]; }
    std::optional<std::string> takeValue() {
        if (atEnd()) return std::nullopt;
        return take();
    }

private:
    const std::vector<std::string>& m_arguments;
    std::size_t m_next = 0;
};

inline bool isOption(const std::string& argument) {
    return argument.size() > 1 && argument[0] == '-';
}

template <class Number>
bool readWhole(const std::string& text, Number& number) {
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, number);
    return result.ec == std::errc() && result.ptr == end && !text.empty();
}

} // namespace stridescope
