#pragma once
// What the tests of the main window share.

#include "app/python/interpreter.h"
#include "app/settings/settings.h"
#include "app/window/console.h"
#include "app/window/explanation.h"
#include "app/window/main_window.h"
#include "core/backend/cpu/cpu_allocator.h"
#include "core/storage/shared_arena.h"

#include "widgets/panels/message_bar.h"

#include <QAction>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

namespace stridescope::test {

inline QStringList namesOf(const MainWindow& window) {
    QStringList names;
    for (const TensorEntry& entry : window.model()->snapshot()->tensors) names << entry.name;
    return names;
}

inline QAction* actionOf(const MainWindow& window, const char* name) {
    return window.findChild<QAction*>(QString::fromLatin1(name));
}

/// The button of what `bar` shows; null: it has none of that text. Without a text: the first one.
inline QPushButton* actionOf(const MessageBar* bar, const QString& text = {}) {
    for (QPushButton* each : bar->findChildren<QPushButton*>(QStringLiteral("messageAction")))
        if (text.isEmpty() || each->text() == text) return each;
    return nullptr;
}

/// A window that a test drives, one for each test function.
class TestedWindow {
protected:
    void openWindow(QSize size) {
        m_settings = std::make_unique<Settings>(QString());
        m_window = std::make_unique<MainWindow>(m_settings.get());
        m_window->resize(size);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        QTRY_VERIFY(console());
    }
    void closeWindow() { m_window.reset(); }

    Console* console() const { return m_window->console(); }
    MessageBar* message() const { return m_window->messageBar(); }
    MessageBar* printed() const { return m_window->printedBar(); }
    Workspace* workspace() const { return m_window->workspace(); }
    const TensorEntry* entry(const char* name) const {
        for (const TensorEntry& each : m_window->model()->snapshot()->tensors) {
            if (each.name == QLatin1String(name)) return &each;
        }
        return nullptr;
    }

    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<MainWindow> m_window;
};

#ifdef STRIDESCOPE_TEST_PYTHON
/// The same, driven with Python.
class PythonWindow : protected TestedWindow {
protected:
    /// False where the Python module is not built: then there is nothing to be tested.
    static bool preparePython() {
        if (!pythonPackage()) return false;
        qputenv("STRIDESCOPE_PYTHON", STRIDESCOPE_TEST_PYTHON);
        cpuAllocator().useArena(*SharedArena::instance());
        return true;
    }
    QToolButton* pythonButton() const { return console()->findChild<QToolButton*>(QStringLiteral("pythonButton")); }
};
#endif

} // namespace stridescope::test
