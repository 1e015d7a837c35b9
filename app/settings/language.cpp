#include "app/settings/language.h"

#include "app/settings/settings.h"

#include <QCoreApplication>
#include <QFile>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

// Q_INIT_RESOURCE must stand outside any namespace. Without lrelease there are no translations to be had.
static void initTranslations() {
#ifdef STRIDESCOPE_TRANSLATIONS
    Q_INIT_RESOURCE(translations);
#endif
}

namespace stridescope {

namespace {

/// As in the settings, in the names of files and in the names of locales.
QString codeOf(Language language) {
    switch (language) {
    case Language::English:
        return QStringLiteral("en");
    case Language::French:
        return QStringLiteral("fr");
    case Language::System:
        break;
    }
    return QStringLiteral("system");
}

QString fileOf(Language language) {
    return QStringLiteral(":/stridescope/translations/stridescope_%1.qm").arg(codeOf(language));
}

} // namespace

Language chosenLanguage(const Settings& settings) {
    const QString code = settings.text(QStringLiteral("language"));
    for (const Language language : {Language::English, Language::French})
        if (code == codeOf(language)) return language;
    return Language::System;
}

void setChosenLanguage(Settings& settings, Language language) {
    settings.set(QStringLiteral("language"), codeOf(language));
}

Language shownLanguage(Language chosen) {
    if (chosen != Language::System) return hasLanguage(chosen) ? chosen : Language::English;
    // In the order in which the system wants them ("br", "fr", "en").
    for (const QString& wanted : QLocale::system().uiLanguages()) {
        const QString code = wanted.section(QLatin1Char('-'), 0, 0).section(QLatin1Char('_'), 0, 0);
        for (const Language language : {Language::English, Language::French})
            if (code == codeOf(language) && hasLanguage(language)) return language;
    }
    return Language::English;
}

bool hasLanguage(Language language) {
    initTranslations();
    return language == Language::English || QFile::exists(fileOf(language));
}

bool applyLanguage(QCoreApplication& application, Language language) {
    if (language == Language::English) return true;
    initTranslations();
    auto* own = new QTranslator(&application);
    if (!own->load(fileOf(language))) {
        delete own;
        return false;
    }
    // Qt's own words ("Cancel", the file dialog): the last one that is installed is asked first.
    auto* qt = new QTranslator(&application);
    if (qt->load(QStringLiteral("qtbase_") + codeOf(language), QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(qt);
    else
        delete qt;
    return QCoreApplication::installTranslator(own);
}

} // namespace stridescope
