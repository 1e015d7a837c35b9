#pragma once
// What the tests of the main window share.

#include "app/window/console.h"
#include "app/window/explanation.h"
#include "app/window/main_window.h"

#include <QAction>

namespace stridescope::test {

inline QStringList namesOf(const MainWindow& window) {
    QStringList names;
    for (const TensorEntry& entry : window.model()->snapshot()->tensors) names << entry.name;
    return names;
}

inline QAction* actionOf(const MainWindow& window, const char* name) {
    return window.findChild<QAction*>(QString::fromLatin1(name));
}

} // namespace stridescope::test
