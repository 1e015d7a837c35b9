// MainWindow, part: the menu of languages.

#include "app/settings/language.h"
#include "app/window/main_window.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>

namespace stridescope {

void MainWindow::buildLanguageMenu(QMenu* menu) {
    QMenu* languages = menu->addMenu(tr("&Language"));
    auto* group = new QActionGroup(this);
    // A language is called by its own name, so that who needs it can read it.
    const std::pair<Language, QString> choices[] = {{Language::System, tr("as the system")},
                                                    {Language::English, QStringLiteral("English")},
                                                    {Language::French, QStringLiteral("Français")}};
    for (const auto& [language, name] : choices) {
        QAction* action = addCommand(languages, QStringLiteral("language:%1").arg(static_cast<int>(language)),
                                     tr("Language: %1").arg(name), {}, [this, v = language] { chooseLanguage(v); });
        action->setCheckable(true);
        action->setEnabled(language == Language::System || hasLanguage(language));
        action->setChecked(language == chosenLanguage(*m_settings));
        group->addAction(action);
    }
}

void MainWindow::chooseLanguage(Language language) {
    setChosenLanguage(*m_settings, language);
    saveSettings();
    // Said in both, as it is for somebody who does not read the one that is shown.
    say(QStringLiteral("The language changes when Stridescope starts again. "
                       "La langue change au prochain démarrage de Stridescope."));
}

} // namespace stridescope
