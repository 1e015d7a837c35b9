// The .ts files: nothing is missing against the sources, nothing is left to translate, markers stay, and the program
// asks for its texts by the names under which they stand there. Then the window in French.

#include "app/settings/language.h"
#include "app/window/main_window.h"
#include "app/window/screens.h"
#include "core/timing/mistakes.h"
#include "tests/support/test_paths.h"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QMenu>
#include <QMenuBar>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>
#include <QXmlStreamReader>

#include <map>
#include <set>

using namespace stridescope;

namespace {

struct Message {
    QString translation;
    bool unfinished = false, plural = false;
};
/// By context and text.
using Messages = std::map<std::pair<QString, QString>, Message>;

Messages readTs(const QString& path) {
    Messages all;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return all;
    QXmlStreamReader xml(&file);
    QString context, source;
    Message message;
    while (!xml.atEnd()) {
        xml.readNext();
        if (xml.isStartElement() && xml.name() == QLatin1String("name")) context = xml.readElementText();
        if (xml.isStartElement() && xml.name() == QLatin1String("message")) {
            message = {};
            message.plural = xml.attributes().hasAttribute(QStringLiteral("numerus"));
        }
        if (xml.isStartElement() && xml.name() == QLatin1String("source")) source = xml.readElementText();
        if (xml.isStartElement() && xml.name() == QLatin1String("translation")) {
            message.unfinished = xml.attributes().hasAttribute(QStringLiteral("type"));
            message.translation = xml.readElementText(QXmlStreamReader::IncludeChildElements);
        }
        if (xml.isEndElement() && xml.name() == QLatin1String("message")) all[{context, source}] = message;
    }
    return xml.hasError() ? Messages() : all;
}

QStringList markers(const QString& text) {
    QStringList found;
    static const QRegularExpression marker(QStringLiteral("%(L?[0-9]+|n)"));
    for (auto it = marker.globalMatch(text); it.hasNext();) found << it.next().captured();
    found.sort();
    return found;
}

QString shown(const std::pair<QString, QString>& key) {
    return key.first + QStringLiteral(": ") + key.second;
}

/// Takes down what is asked for.
class Listener : public QTranslator {
public:
    using QTranslator::QTranslator;
    bool isEmpty() const override { return false; }
    QString translate(const char* context, const char* source, const char*, int) const override {
        // Qt's own texts have contexts of their own ("QFileDialog"); of QObject's those are taken down that are ours.
        asked.insert({QString::fromUtf8(context), QString::fromUtf8(source)});
        return {};
    }
    mutable std::set<std::pair<QString, QString>> asked;
};

QStringList files() {
    QDir folder(QString::fromStdString(test::sourcePath("resources/translations")));
    QStringList paths;
    for (const QString& name : folder.entryList({QStringLiteral("*.ts")})) paths << folder.filePath(name);
    return paths;
}

void openEveryScreen(MainWindow& window) {
    window.showFirstPicture();
    window.resize(1280, 720);
    window.show();
    (void)QTest::qWaitForWindowExposed(&window);
    window.finishStart();
    for (const ScreenKind& kind : screenKinds()) {
        window.showScreen(kind.name);
        QApplication::processEvents();
    }
}

} // namespace

class TestTranslations : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QApplication::setStyle(QStringLiteral("Fusion")); }
    void everythingIsTranslated();
    void markersStay();
    void nothingIsMissing();
    void textsAreFoundByTheirNames();
    void theChoiceIsKept();
    void theWindowIsFrench();
    void coresWordsAreThere();
    void mnemonicsAreTheirMenusOwn();
};

void TestTranslations::everythingIsTranslated() {
    QVERIFY(!files().isEmpty());
    for (const QString& path : files()) {
        const Messages all = readTs(path);
        QVERIFY2(all.size() > 1000, qPrintable(path));
        QStringList open;
        for (const auto& [key, message] : all)
            if (message.unfinished || (message.translation.trimmed().isEmpty() && !key.second.trimmed().isEmpty()))
                open << shown(key);
        QVERIFY2(open.isEmpty(), qPrintable(path + QLatin1Char('\n') + open.join(QLatin1Char('\n'))));
    }
}

/// A number that gets lost, a mnemonic, a blank at an end (such texts are put together), a filter of files.
void TestTranslations::markersStay() {
    for (const QString& path : files()) {
        QStringList wrong;
        for (const auto& [key, message] : readTs(path)) {
            const QString &from = key.second, &to = message.translation;
            const bool blanks = from.startsWith(QLatin1Char(' ')) && !to.isEmpty() && !to.at(0).isSpace();
            const bool end = !message.plural && (from.endsWith(QLatin1Char(' ')) != to.endsWith(QLatin1Char(' ')) &&
                                                 !to.endsWith(QChar(0xA0)));
            const bool mnemonic = from.contains(QRegularExpression(QStringLiteral("&[\\w\\p{L}]"))) !=
                                  to.contains(QRegularExpression(QStringLiteral("&[\\w\\p{L}]")));
            const bool filter = from.count(QStringLiteral("(*")) != to.count(QStringLiteral("(*")) ||
                                from.count(QStringLiteral(";;")) != to.count(QStringLiteral(";;"));
            const bool lost = !message.plural && markers(from) != markers(to);
            const bool plain = message.plural && !to.contains(QStringLiteral("%n"));
            if (blanks || end || mnemonic || filter || lost || plain) wrong << shown(key) + QStringLiteral(" → ") + to;
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(path + QLatin1Char('\n') + wrong.join(QLatin1Char('\n'))));
    }
}

void TestTranslations::nothingIsMissing() {
    QTemporaryDir folder;
    const QString fresh = folder.filePath(QStringLiteral("fresh_fr.ts"));
    QProcess update;
    update.start(QStringLiteral("bash"), {QString::fromStdString(test::sourcePath("resources/translations/update.sh")),
                                          QStringLiteral("--to"), fresh});
    QVERIFY(update.waitForFinished(60'000));
    if (update.exitCode() == 2) QSKIP("no lupdate here (package qt6-l10n-tools)");
    QCOMPARE(update.exitCode(), 0);
    const Messages sources = readTs(fresh);
    QVERIFY(sources.size() > 1000);
    for (const QString& path : files()) {
        const Messages all = readTs(path);
        QStringList wrong;
        for (const auto& [key, message] : sources)
            if (!all.count(key)) wrong << QStringLiteral("missing: ") + shown(key);
        for (const auto& [key, message] : all)
            if (!sources.count(key)) wrong << QStringLiteral("gone from the sources: ") + shown(key);
        QVERIFY2(wrong.isEmpty(), qPrintable(path + QStringLiteral(": run bash resources/translations/update.sh\n") +
                                             wrong.join(QLatin1Char('\n'))));
    }
}

void TestTranslations::textsAreFoundByTheirNames() {
    Listener listener;
    QCoreApplication::installTranslator(&listener);
    {
        Settings settings{QString()};
        MainWindow window(&settings);
        openEveryScreen(window);
        window.runLine(QStringLiteral("x = torch.arange(6).view(2, 3).t().view(6)"), Naming::Auto);
        QApplication::processEvents();
    }
    QCoreApplication::removeTranslator(&listener);
    std::set<QString> ours; // texts of the sources, whatever their context
    const Messages all = readTs(files().constFirst());
    for (const auto& [key, message] : all) ours.insert(key.second);
    QStringList wrong;
    int found = 0;
    for (const auto& key : listener.asked) {
        const bool own =
            key.first.startsWith(QLatin1String("stridescope::")) || key.first == QLatin1String("PaintedText");
        found += all.count(key) > 0 ? 1 : 0;
        if ((own || (key.first == QLatin1String("QObject") && ours.count(key.second))) && !all.count(key))
            wrong << shown(key);
    }
    for (const QString& each : wrong) qWarning("not in the .ts: %s", qPrintable(each));
    QVERIFY(found > 400);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
}

void TestTranslations::theChoiceIsKept() {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("settings.json"));
    {
        Settings settings(path);
        QCOMPARE(chosenLanguage(settings), Language::System);
        MainWindow window(&settings);
        const QList<QAction*> actions = window.findChildren<QAction*>(QRegularExpression(QStringLiteral("^language:")));
        QCOMPARE(actions.size(), 3);
        QVERIFY(actions[0]->isChecked());
        QCOMPARE(actions[2]->isEnabled(), hasLanguage(Language::French));
        if (!hasLanguage(Language::French)) QSKIP("built without lrelease (package qt6-l10n-tools)");
        actions[2]->trigger();
        QVERIFY(settings.save());
    }
    Settings settings(path);
    QCOMPARE(chosenLanguage(settings), Language::French);
    QCOMPARE(shownLanguage(Language::French), Language::French);
    settings.set(QStringLiteral("language"), QStringLiteral("tlh"));
    QCOMPARE(chosenLanguage(settings), Language::System);
}

/// What core says in a picture stands a second time where translators find it; the two must be the same.
void TestTranslations::coresWordsAreThere() {
    for (const QString& path : files()) {
        const Messages all = readTs(path);
        for (const timing::MistakeCase& each : timing::mistakeCases()) {
            for (const std::string_view words : {each.title, each.says}) {
                const QString text = QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
                QVERIFY2(all.count({QStringLiteral("PaintedText"), text}), qPrintable(text));
            }
        }
    }
}

void TestTranslations::theWindowIsFrench() {
    if (!hasLanguage(Language::French)) QSKIP("built without lrelease (package qt6-l10n-tools)");
    QVERIFY(applyLanguage(*qApp, Language::French));
    QStringList menus, plain;
    {
        Settings settings{QString()};
        MainWindow window(&settings);
        openEveryScreen(window);
        for (const QAction* action : window.menuBar()->actions()) menus << action->text().remove(QLatin1Char('&'));
        // Every command's name is a translated one, or a sign or a name that is the same in both languages.
        const Messages all = readTs(files().constFirst());
        std::set<QString> english;
        for (const auto& [key, message] : all)
            if (key.second != message.translation) english.insert(key.second);
        for (const QAction* action : window.findChildren<QAction*>())
            if (english.count(action->text())) plain << action->text();
    }
    for (QTranslator* translator : qApp->findChildren<QTranslator*>()) delete translator;
    for (const char* word : {"Fichier", "Édition", "Affichage", "Tenseur", "Aide"})
        QVERIFY2(menus.contains(QString::fromUtf8(word)), qPrintable(menus.join(QLatin1Char(' '))));
    QVERIFY2(plain.isEmpty(), qPrintable(plain.join(QLatin1Char('\n'))));
}

void TestTranslations::mnemonicsAreTheirMenusOwn() {
    QStringList twice;
    for (const Language language : {Language::English, Language::French}) {
        if (!hasLanguage(language)) continue;
        QVERIFY(applyLanguage(*qApp, language));
        {
            Settings settings{QString()};
            MainWindow window(&settings);
            QList<QWidget*> lists{window.menuBar()};
            for (QMenu* menu : window.findChildren<QMenu*>()) lists << menu;
            for (const QWidget* list : lists) {
                std::map<QChar, QString> taken;
                for (const QAction* action : list->actions()) {
                    const QString text = action->text();
                    const qsizetype at = text.indexOf(QRegularExpression(QStringLiteral("&[\\w\\p{L}]")));
                    if (at < 0 || !action->isVisible()) continue;
                    const QChar letter = text.at(at + 1).toLower();
                    if (taken.count(letter)) twice << taken[letter] + QStringLiteral(" / ") + text;
                    taken[letter] = text;
                }
            }
        }
        for (QTranslator* translator : qApp->findChildren<QTranslator*>()) delete translator;
    }
    for (const QString& each : twice) qWarning("one letter for two: %s", qPrintable(each));
    QVERIFY2(twice.isEmpty(), qPrintable(twice.join(QLatin1Char('\n'))));
}

QTEST_MAIN(TestTranslations)
#include "tst_translations.moc"
