#pragma once
// Text as TeX source: nothing in a name can become a command.

#include <QByteArray>
#include <QString>

#include <optional>

namespace stridescope {

/// `text` as ASCII TeX that prints the same characters; braces balance and no character keeps a special meaning.
/// Example: "a_b{" -> "a\_b\{"; in the mono face "a{\char95}b{\char123}", whose old fonts lack the named signs.
/// Nothing when a character has no place in TeX's standard fonts: such text has to be drawn as outlines.
std::optional<QByteArray> tikzText(const QString& text, bool mono);

/// A coordinate or length with at most two decimals: 12.5 -> "12.5", -0.001 -> "0".
QByteArray tikzNumber(qreal value);

} // namespace stridescope
