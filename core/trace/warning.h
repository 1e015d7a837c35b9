#pragma once
// Warnings: what was carried out, though nobody should rely on it. As Python's warnings they stop nothing.

#include <cstdint>
#include <functional>
#include <string>

namespace stridescope {

using WarningListener = std::function<void(const std::string& message)>;

/// Calls `listener` with every warning of this process until it is destroyed. Listeners run on the thread that warns
/// and must neither warn nor subscribe themselves. One that ends while another thread warns may be called once more.
class WarningSubscription {
public:
    explicit WarningSubscription(WarningListener listener);
    ~WarningSubscription();
    WarningSubscription(const WarningSubscription&) = delete;
    WarningSubscription& operator=(const WarningSubscription&) = delete;

private:
    std::uint64_t m_token = 0;
};

/// With nobody listening the warning is lost.
void warn(const std::string& message);

} // namespace stridescope
