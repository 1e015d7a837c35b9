// The message bar: what stays how long, where the keyboard goes, and that one press is not two.

#include "widgets/panels/message_bar.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QCursor>
#include <QLabel>
#include <QLayout>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>

using namespace stridescope;

namespace {

/// A window whose bar lies over its buttons, as that of the main window does.
struct Window : QWidget {
    QPushButton* first = new QPushButton(QStringLiteral("New tensor"), this);
    QPushButton* before = new QPushButton(QStringLiteral("Before"), this);
    QPushButton* below = new QPushButton(QStringLiteral("Export"), this);
    MessageBar* bar = new MessageBar(this);

    Window() {
        resize(600, 200);
        first->setGeometry(0, 100, 100, 30);
        before->setGeometry(0, 140, 100, 30);
        below->setGeometry(400, 0, 200, 60);
        bar->setGeometry(0, 0, 600, 60);
        show();
        activateWindow();
    }
    QPushButton* button(const char* name) const { return bar->findChild<QPushButton*>(QLatin1String(name)); }
    void tell(const char* title, MessageBar::Kind kind = MessageBar::Kind::Error) const {
        bar->showMessage(kind, QLatin1String(title));
        bar->raise();
    }
    void waitUntilRead() const {
        QTest::qWait(static_cast<int>(MessageBar::readingTime(bar->title() + bar->detail())) + 50);
    }
};

/// What a mouse does: to whatever is there.
void press(QWidget& window, QPoint at) {
    QCursor::setPos(window.mapToGlobal(at));
    QWidget* there = window.childAt(at);
    QVERIFY(there);
    QTest::mouseClick(there, Qt::LeftButton, {}, there->mapFrom(&window, at));
}

} // namespace

class TestMessageBar : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_window = std::make_unique<Window>();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_window->before->setFocus();
        QVERIFY(m_window->before->hasFocus());
    }
    void cleanup() { m_window.reset(); }

    void signsStandBesideTheirWords() {
        // Wherever buttons put a single line.
        m_window->tell("Saved out.png.", MessageBar::Kind::Done);
        m_window->bar->layout()->activate();
        const auto* sign = m_window->bar->findChild<QLabel*>(QStringLiteral("messageGlyph"));
        const auto* title = m_window->bar->findChild<QLabel*>(QStringLiteral("messageTitle"));
        const int apart = sign->geometry().center().y() - title->geometry().center().y();
        QVERIFY2(std::abs(apart) <= 1, qPrintable(QString::number(apart)));
        // Beside the first of several.
        m_window->bar->showMessage(MessageBar::Kind::Error, QStringLiteral("refused"), QStringLiteral("a\nb\nc"));
        m_window->bar->layout()->activate();
        QVERIFY(sign->geometry().center().y() < m_window->bar->height() / 2);
    }

    void signsHaveTheirColour() {
        const Theme theme;
        m_window->setStyleSheet(theme.styleSheet());
        const auto* sign = m_window->bar->findChild<QLabel*>(QStringLiteral("messageGlyph"));
        for (const auto& [kind, tone] :
             {std::pair(MessageBar::Kind::Done, Tone::Right), std::pair(MessageBar::Kind::Error, Tone::Error)}) {
            m_window->tell("told", kind);
            m_window->bar->layout()->activate();
            const QImage image = m_window->bar->grab(sign->geometry()).toImage();
            int inks = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x) inks += image.pixelColor(x, y) == theme.color(tone);
            QVERIFY2(inks >= 5, qPrintable(QString::number(inks)));
        }
    }

    void isAtRestOnceItIsPlaced() {
        // Its height is asked for whenever it may be another one; to ask must not be a reason to ask again.
        MessageBar* bar = m_window->bar;
        int asked = 0;
        connect(bar, &MessageBar::changed, bar, [&] {
            ++asked;
            bar->setGeometry(0, 0, 600, bar->fit(600, 40));
        });
        bar->showMessage(MessageBar::Kind::Error, QStringLiteral("A title"), QStringLiteral("and a reason"));
        bar->addAction(QStringLiteral("Do it"), [] {});
        QTest::qWait(100);
        QVERIFY(asked > 0);
        const int before = asked;
        QTest::qWait(200);
        QCOMPARE(asked, before);
        // Words that need more room do ask.
        auto* detail = bar->findChild<QLabel*>(QStringLiteral("messageDetail"));
        detail->setStyleSheet(QStringLiteral("font-size: 40px;"));
        QTRY_VERIFY(asked > before);
        bar->showMessage(MessageBar::Kind::Error, QStringLiteral("A title"), QString(400, QLatin1Char('a')));
        QTest::qWait(100);
        const int folded = asked;
        QTest::qWait(200);
        QCOMPARE(asked, folded);
    }

    void givesTheKeyboardBack() {
        // By mouse it is not taken at all.
        m_window->tell("refused");
        QTest::mouseClick(m_window->button("messageClose"), Qt::LeftButton);
        QVERIFY(m_window->before->hasFocus());
        // By Tab, past others, and Space.
        m_window->tell("refused");
        m_window->first->setFocus();
        m_window->button("messageClose")->setFocus(Qt::TabFocusReason);
        QTest::keyClick(m_window->button("messageClose"), Qt::Key_Space);
        QVERIFY(m_window->bar->isHidden());
        QVERIFY(m_window->before->hasFocus());
        // From a button that goes with what it offers.
        m_window->tell("refused");
        m_window->bar->addAction(QStringLiteral("Do it"), [this] { m_window->bar->clear(); });
        m_window->button("messageAction")->setFocus(Qt::TabFocusReason);
        QTest::keyClick(m_window->button("messageAction"), Qt::Key_Space);
        QVERIFY(m_window->bar->isHidden());
        QVERIFY(m_window->before->hasFocus());
        // Of a text that scrolls.
        m_window->tell("printed", MessageBar::Kind::Plain);
        m_window->bar->showLongDetail(QStringLiteral("1\n2\n3"));
        QVERIFY(!m_window->before->hasFocus());
        m_window->bar->clear();
        QVERIFY(m_window->before->hasFocus());
    }

    void staysInTheBarWhileThereAreOthers() {
        m_window->tell("one");
        m_window->tell("two");
        m_window->button("messageMore")->setFocus(Qt::TabFocusReason);
        QTest::keyClick(m_window->button("messageMore"), Qt::Key_Space);
        QVERIFY(m_window->button("messageMore")->hasFocus());
        m_window->button("messageClose")->setFocus(Qt::TabFocusReason);
        QTest::keyClick(m_window->button("messageClose"), Qt::Key_Space);
        QVERIFY(m_window->button("messageClose")->hasFocus());
        QTest::keyClick(m_window->button("messageClose"), Qt::Key_Space);
        QVERIFY(m_window->before->hasFocus());
    }

    void saysWhenNothingTakesTheKeyboard() {
        QSignalSpy freed(m_window->bar, &MessageBar::keyboardFreed);
        m_window->tell("refused");
        m_window->button("messageClose")->setFocus(Qt::TabFocusReason);
        m_window->before->hide();
        QTest::keyClick(m_window->button("messageClose"), Qt::Key_Space);
        QCOMPARE(freed.size(), 1);
    }

    void aSecondPressIsNotForWhatIsBelow() {
        QSignalSpy exported(m_window->below, &QPushButton::clicked);
        m_window->tell("refused");
        QTest::qWait(20);
        const QPushButton* close = m_window->button("messageClose");
        const QPoint at = close->mapTo(m_window.get(), close->rect().center());
        press(*m_window, at);
        QVERIFY(m_window->bar->isHidden());
        QCOMPARE(m_window->childAt(at), m_window->below);
        press(*m_window, at);
        QTest::mouseDClick(m_window->below, Qt::LeftButton, {}, m_window->below->mapFrom(m_window.get(), at));
        QCOMPARE(exported.size(), 0);
        // Elsewhere, and by key, at once.
        QSignalSpy made(m_window->first, &QPushButton::clicked);
        press(*m_window, m_window->first->geometry().center());
        QCOMPARE(made.size(), 1);
        QTest::keyClick(m_window->below, Qt::Key_Space);
        QCOMPARE(exported.size(), 1);
        QTest::qWait(MessageBar::kSecondPress + 50);
        press(*m_window, at);
        QCOMPARE(exported.size(), 2);
        // One after the other can be closed as fast as one likes.
        m_window->tell("one");
        m_window->tell("two");
        press(*m_window, at);
        press(*m_window, at);
        QVERIFY(m_window->bar->isHidden());
        press(*m_window, at);
        QCOMPARE(exported.size(), 2);
    }

    void whatCameUnaskedStaysUntilItWasRead() {
        // More words, more time.
        QVERIFY(MessageBar::readingTime(QString(100, QLatin1Char('x'))) >= 5000);
        m_window->tell("the file changed");
        m_window->bar->keepUntilRead();
        QTest::qWait(1000);
        m_window->bar->clear(); // another line
        QVERIFY(m_window->bar->isVisible());
        m_window->waitUntilRead();
        m_window->bar->clear();
        QVERIFY(m_window->bar->isHidden());
        // An answer is over with the next act, beside which it would read as the answer to that.
        for (const MessageBar::Kind kind : {MessageBar::Kind::Error, MessageBar::Kind::Done, MessageBar::Kind::Note}) {
            m_window->tell("answer", kind);
            m_window->bar->clear();
            QVERIFY(m_window->bar->isHidden());
        }
    }

    void theNextOneTakesThePlaceOfWhatWasRead() {
        m_window->tell("one");
        m_window->waitUntilRead();
        m_window->tell("two");
        QCOMPARE(m_window->bar->count(), 1);
        m_window->tell("three"); // nobody can have read the second
        QCOMPARE(m_window->bar->count(), 2);
    }

private:
    std::unique_ptr<Window> m_window;
};

QTEST_MAIN(TestMessageBar)
#include "tst_message_bar.moc"
