#pragma once
// The picture of times for screen readers: the measurements as a table, then sizes, crossovers, bars and blocks in
// words, and the cards as buttons. All of it is what the picture shows at that moment.

namespace stridescope {

/// Registers the factory for TimingView.
void installTimingAccessibility();

} // namespace stridescope
