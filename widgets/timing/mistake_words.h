#pragma once
// What core calls the ways to time wrongly, and says of them, in the window's language.

#include "core/timing/mistakes.h"

#include <QString>

namespace stridescope {

QString mistakeTitle(const timing::MistakeCase& mistake);
/// One or two sentences.
QString mistakeSays(const timing::MistakeCase& mistake);

} // namespace stridescope
