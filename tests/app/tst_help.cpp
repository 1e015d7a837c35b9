// Help at hand: F1 on whatever has the focus, the facts for a report, choices that count at once.

#include "app/cli/about_facts.h"
#include "tests/app/main_window_fixture.h"
#include "widgets/panels/command_palette.h"

#include <QClipboard>
#include <QDialog>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>

using namespace stridescope;
using namespace stridescope::test;

class TestHelp : public QObject, private TestedWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QApplication::setStyle(QStringLiteral("Fusion")); }
    void init() { openWindow({1600, 1000}); }
    void cleanup() { closeWindow(); }

    /// Whatever takes the focus, or something round it, says what it is.
    void everythingHasAnExplanation() {
        m_window->showFirstPicture();
        m_window->finishStart();
        QStringList silent;
        for (const QWidget* widget : m_window->focusOrder()) {
            bool said = false;
            for (const QWidget* at = widget; at && !said; at = at->parentWidget()) said = !at->whatsThis().isEmpty();
            // Buttons with words, and those whose tip says it, need no more; fields have a tip or an explanation.
            if (!said && widget->toolTip().isEmpty() && !qobject_cast<const QAbstractButton*>(widget))
                silent << QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char(' ') +
                              widget->objectName();
        }
        QVERIFY2(silent.isEmpty(), qPrintable(silent.join(QLatin1Char('\n'))));
    }

    void factsCanBeCopied() {
        actionOf(*m_window, "about")->trigger();
        auto* dialog = m_window->findChild<QDialog*>();
        QVERIFY(dialog);
        const QString facts = dialog->findChild<QPlainTextEdit*>(QStringLiteral("aboutFacts"))->toPlainText();
        QCOMPARE(facts, QString::fromStdString(aboutFacts()).trimmed()); // what --version prints
        for (const char* part : {"Stridescope", "Qt", "Python"})
            QVERIFY2(facts.contains(QLatin1String(part)), qPrintable(facts));
        dialog->findChild<QPushButton*>(QStringLiteral("aboutCopy"))->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), facts);
        dialog->close();
    }

    /// Choices are commands of the menus: found by the palette, and in force when they are made.
    void choicesCountAtOnce() {
        m_window->finishStart();
        QStringList found;
        for (const PaletteEntry& entry : m_window->paletteEntries()) found << entry.title;
        for (const QString& wanted : {QStringLiteral("Theme: dark"), QStringLiteral("Reduce motion"),
                                      QStringLiteral("Reset layout"), QStringLiteral("Language: Français")})
            QVERIFY2(!found.filter(wanted).isEmpty(), qPrintable(wanted));
        actionOf(*m_window, "theme:light")->trigger();
        const QColor before = qApp->palette().color(QPalette::Window);
        actionOf(*m_window, "theme:dark")->trigger();
        QVERIFY(qApp->palette().color(QPalette::Window).lightness() < before.lightness());
        actionOf(*m_window, "theme:light")->trigger();
        QCOMPARE(qApp->palette().color(QPalette::Window), before);
    }
};

QTEST_MAIN(TestHelp)
#include "tst_help.moc"
