// The command palette: operations on the selected tensor, every command of the menus, lessons, files opened before.

#include "app/lessons/lesson_library.h"
#include "app/window/main_window.h"
#include "widgets/panels/command_palette.h"
#include "widgets/panels/operation_form.h"
#include "widgets/panels/operation_suggestions.h"
#include "widgets/panels/operations_panel.h"

#include <QDockWidget>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>

namespace stridescope {

std::vector<PaletteEntry> MainWindow::paletteEntries() {
    std::vector<PaletteEntry> entries;
    if (const TensorEntry* selected = m_model->selected()) {
        const QString section = tr("Operations on %1").arg(selected->name);
        for (const OperationSuggestion& suggestion : operationSuggestions(*selected)) {
            PaletteEntry entry;
            const QString code = suggestion.code;
            entry.title = code;
            entry.section = section;
            if (suggestion.group == SuggestionGroup::NotPossible) {
                entry.detail = tr("not possible: show why");
                entry.run = [this, code] { explain(code); };
            } else {
                entry.detail =
                    suggestion.result + (suggestion.group == SuggestionGroup::View ? tr(" view") : tr(" copy"));
                if (!suggestion.reason.isEmpty()) entry.detail += QStringLiteral(", ") + suggestion.reason;
                entry.run = [this, code] { runLine(code, Naming::Auto); };
            }
            entry.preview = [this, code] { previewLine(code); };
            entries.push_back(std::move(entry));
        }
        for (const OperationForm::Choice& choice : OperationForm::choices()) {
            if (!choice.arguments) continue;
            PaletteEntry entry;
            const QString name = choice.name;
            entry.title = tr("%1.%2(…)").arg(selected->name, name);
            entry.detail = choice.doc;
            entry.section = section;
            entry.run = [this, name] { openForm(name); };
            entries.push_back(std::move(entry));
        }
    }
    const std::function<void(const QMenu*, const QString&)> addMenu = [&](const QMenu* menu, const QString& section) {
        for (QAction* action : menu->actions()) {
            if (action->isSeparator()) continue;
            if (action->menu()) {
                // "New tensor › Zeros, 3 × 4": what stands in a menu of its own is not told by its name alone.
                if (action->menu() != m_recentMenu)
                    addMenu(action->menu(), tr("%1 › %2").arg(section, plainText(action)));
                continue;
            }
            if (action->objectName().isEmpty()) continue;
            PaletteEntry entry;
            entry.title = plainText(action);
            entry.section = section;
            // "jump" is what the command is called in code and in people's heads, "Go to index" in the menu.
            entry.help = action->objectName() + QLatin1Char(' ') + action->statusTip();
            entry.shortcut = action->shortcut().toString(QKeySequence::NativeText);
            entry.enabled = action->isEnabled();
            entry.whyNot = tr("not now");
            entry.run = [action] { action->trigger(); };
            entries.push_back(std::move(entry));
        }
    };
    for (const QAction* top : menuBar()->actions()) {
        if (top->menu()) addMenu(top->menu(), plainText(top));
    }
    int number = 0;
    for (const Lesson& lesson : lessonLibrary()) {
        PaletteEntry entry;
        entry.title = tr("Start lesson %1: %2").arg(++number).arg(lesson.title);
        entry.section = tr("Lessons");
        entry.run = [this, id = lesson.id] { openLesson(id); };
        entries.push_back(std::move(entry));
    }
    for (const QString& path : recentFiles()) {
        PaletteEntry entry;
        entry.title = QFileInfo(path).fileName();
        entry.section = tr("Open recent");
        entry.enabled = QFileInfo::exists(path);
        entry.whyNot = tr("gone");
        entry.run = [this, path] { openFiles({path}); };
        entries.push_back(std::move(entry));
    }
    return entries;
}

void MainWindow::openForm(const QString& operation) {
    finishStart();
    m_operationsDock->show();
    m_operationsDock->raise();
    m_operations->openForm(operation);
}

void MainWindow::openPalette() {
    finishStart();
    m_palette->open(paletteEntries());
}

} // namespace stridescope
