#pragma once
// `stridescope lesson …`: lessons without a window, for those who write them.

#include <string>
#include <vector>

namespace stridescope {

struct LessonRequest;

/// Carries the request out; what it has to say goes to stdout, refusals to stderr. The exit code: 0 fine, 1 a lesson
/// was refused.
int lessonCommand(const LessonRequest& request);

} // namespace stridescope
