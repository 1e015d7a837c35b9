#pragma once
// The language of the window: chosen in the menu View > Language, kept in the settings, taken when the program starts.

#include <QString>

class QCoreApplication;

namespace stridescope {

class Settings;

enum class Language : quint8 { System, English, French };

/// What the settings say; System where they say nothing that is known.
Language chosenLanguage(const Settings& settings);
void setChosenLanguage(Settings& settings, Language language);

/// The one that is shown: English where the system asks for none that there is. Never System.
Language shownLanguage(Language chosen);

/// Was the program built with this language? English always; others want Qt's lrelease.
bool hasLanguage(Language language);

/// Texts from now on are in that language, those of Qt's own dialogs too where Qt's translations are installed. To be
/// called before the first widget is made. False: the program was built without it, and stays English.
bool applyLanguage(QCoreApplication& application, Language language);

} // namespace stridescope
