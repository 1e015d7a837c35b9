#pragma once
// The screens of the window, in the order of the switch in the tool bar. A new screen is one row in screens.cpp.

#include "widgets/shared/screen.h"

#include <QKeySequence>

#include <functional>
#include <vector>

namespace stridescope {

class KernelClient;
class Workspace;

/// What a screen may show; each takes what it is about.
struct ScreenNeeds {
    Workspace* workspace;
    KernelClient* kernel;
};

struct ScreenKind {
    QString name;  ///< "explore": in object names
    QString title; ///< on the switch and in the View menu
    QKeySequence keys;
    QString what; ///< one sentence for help
    /// Builds it when it is first shown: the first frame waits for none. Null for Explore, which the window is built
    /// of.
    std::function<Screen*(const ScreenNeeds& needs, QWidget* parent)> make;
    bool onSwitch = true; ///< false: reached by what it shows, and by its key
};

inline constexpr char16_t kExplore[] = u"explore", kMotion[] = u"motion", kLessons[] = u"lessons";

std::vector<ScreenKind> screenKinds();

} // namespace stridescope
