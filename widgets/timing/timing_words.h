#pragma once
// Times, rates and shares in words, as the Timing screen says them: three digits, and a unit that fits.

#include <QString>

namespace stridescope {

/// "5.21 µs", "173 µs", "1.25 ms", "12.3 s"; "–" for what is no time (NaN, negative).
QString secondsText(double seconds);
/// A round one without digits that say nothing: "10 µs".
QString tickText(double seconds);
/// "8.32 – 9.19 ms": one unit where both have the same.
QString secondsRange(double low, double high);
/// "250", "2 753", "0.41": of 1e9 a second; "–" for none.
QString gigaText(double perSecond);
/// "95 %", "< 1 %".
QString shareText(double share);
/// "×3.1": three digits below 10, else whole.
QString factorText(double factor);

} // namespace stridescope
