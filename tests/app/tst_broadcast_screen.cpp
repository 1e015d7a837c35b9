// The Broadcast screen in the window: typed lines, keys, transport, mends, and lines that are run.

#include "tests/app/main_window_fixture.h"
#include "widgets/broadcast/broadcast_bar.h"
#include "widgets/broadcast/broadcast_screen.h"
#include "widgets/broadcast/broadcast_view.h"
#include "widgets/motion/motion_screen.h"
#include "widgets/panels/message_bar.h"
#include "widgets/shared/transport_bar.h"

#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTest>
#include <QTimer>
#include <QToolButton>

using namespace stridescope;
using namespace stridescope::test;

class TestBroadcastScreen : public QObject, private TestedWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QApplication::setStyle(QStringLiteral("Fusion")); }
    void init() {
        openWindow(QSize(1280, 720));
        m_window->runLine(QStringLiteral("A = torch.arange(4).view(4, 1)"), Naming::Discard);
        m_window->runLine(QStringLiteral("B = torch.arange(5).view(1, 5)"), Naming::Discard);
        m_window->runLine(QStringLiteral("v = torch.tensor([1, 2, 3])"), Naming::Discard);
        QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier);
        m_screen = qobject_cast<BroadcastScreen*>(m_window->currentScreen());
        QVERIFY(m_screen);
        m_view = m_screen->findChild<BroadcastView*>();
    }
    void cleanup() { closeWindow(); }

    void beginsWithTwoThatStretch() {
        QCOMPARE(field()->text(), QStringLiteral("A + B"));
        QVERIFY(m_screen->model()->shape == Dims({4, 5}));
        QCOMPARE(m_screen->time(), 0.0);
        QVERIFY(!m_screen->isPlaying());
        QCOMPARE(outcome(), QStringLiteral("= D  (4, 5)  int64"));
    }

    /// The status bar has the dtype of the result, and none where there is no result.
    void theStatusBarHasTheDType() {
        const auto dtype = [this] { return m_window->findChild<QLabel*>(QStringLiteral("statusDType"))->text(); };
        QCOMPARE(dtype(), QStringLiteral("int64"));
        field()->setText(QStringLiteral("A / B"));
        QCOMPARE(dtype(), QStringLiteral("float32"));
        field()->setText(QStringLiteral("A / v.view(1, 3)[:, :2] + v"));
        QVERIFY(!m_screen->model()->ok());
        QCOMPARE(dtype(), QString());
        field()->setText(QStringLiteral("A > B"));
        QCOMPARE(dtype(), QStringLiteral("bool"));
        field()->setText(QStringLiteral("A > "));
        QCOMPARE(dtype(), QString());
        QCOMPARE(m_window->findChild<QLabel*>(QStringLiteral("statusText"))->text(), QString());
        QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
        QCOMPARE(dtype(), QStringLiteral("int64")); // of the selected tensor
    }

    /// The cards of the first start belong to Explore, whatever size the window gets meanwhile.
    void firstRunCardsStayAway() {
        closeWindow();
        openWindow(QSize(1280, 720));
        auto* cards = m_window->findChild<QWidget*>(QStringLiteral("firstRun"));
        QVERIFY(cards);
        const bool shown = !cards->isHidden();
        QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier);
        m_window->resize(1920, 1080);
        QApplication::processEvents();
        QVERIFY(!cards->isVisible());
        QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
        QApplication::processEvents();
        QCOMPARE(cards->isVisible(), shown);
        m_screen = nullptr;
        m_view = nullptr;
    }

    void keysMoveTime() {
        const BroadcastTimeline timeline(*m_screen->model());
        std::vector<qreal> times{m_screen->time()};
        while (m_screen->time() < 1) {
            press(Qt::Key_Right);
            times.push_back(m_screen->time());
        }
        QCOMPARE(times, timeline.stops());
        press(Qt::Key_Left);
        QCOMPARE(m_screen->time(), timeline.stops()[timeline.stops().size() - 2]);
        press(Qt::Key_Home);
        QCOMPARE(m_screen->time(), 0.0);
        press(Qt::Key_End);
        QCOMPARE(m_screen->time(), 1.0);
    }

    void playStopsAtEachStage() {
        click("2×");
        press(Qt::Key_Space);
        QVERIFY(m_screen->isPlaying());
        QTRY_VERIFY(!m_screen->isPlaying());
        const BroadcastTimeline timeline(*m_screen->model());
        QCOMPARE(m_screen->time(), timeline.stageEnds()[0]);
        // A step while it plays ends at a stop.
        press(Qt::Key_Space);
        press(Qt::Key_Right);
        QVERIFY(!m_screen->isPlaying());
        QCOMPARE(m_screen->time(), timeline.stageEnds()[1]);
        m_screen->findChild<QPushButton*>(QStringLiteral("steps"))->click();
        press(Qt::Key_Space);
        QTRY_VERIFY_WITH_TIMEOUT(!m_screen->isPlaying(), 15000);
        QCOMPARE(m_screen->time(), 1.0);
    }

    void reducedMotionShowsStopsAlone() {
        actionOf(*m_window, "show:reducedMotion")->trigger();
        click("2×");
        m_screen->findChild<QPushButton*>(QStringLiteral("steps"))->click();
        const BroadcastTimeline timeline(*m_screen->model());
        press(Qt::Key_Space);
        std::set<qreal> seen;
        QElapsedTimer timer;
        timer.start();
        while (timer.elapsed() < 1500) {
            seen.insert(m_screen->time());
            QTest::qWait(5);
        }
        QVERIFY(seen.size() >= 3);
        for (const qreal t : seen)
            QVERIFY(std::find(timeline.stops().begin(), timeline.stops().end(), t) != timeline.stops().end());
    }

    void scrubbing() {
        auto* track = m_screen->findChild<TimeTrack*>();
        for (const qreal t : {0.3, 0.9, 0.1}) {
            QTest::mouseClick(track, Qt::LeftButton, {}, QPoint(static_cast<int>(track->xOf(t)), 18));
            QVERIFY(std::abs(m_screen->time() - t) < 0.01);
        }
    }

    void aTypedLineIsDrawn() {
        field()->setFocus();
        field()->clear();
        QTest::keyClicks(field(), QStringLiteral("v * v.view(3, 1) + 1"));
        QVERIFY(m_screen->model()->shape == Dims({3, 3}));
        QCOMPARE(m_screen->time(), 0.0);
        // While a line is not whole the last picture stays, and the reason stands beside it.
        QTest::keyClicks(field(), QStringLiteral(" +"));
        QVERIFY(m_screen->model()->shape == Dims({3, 3}));
        QVERIFY(outcome().startsWith(QStringLiteral("✗")));
        QVERIFY(!run()->isEnabled());
        // Keys that are typed move no time.
        QTest::keyClick(field(), Qt::Key_Home);
        QCOMPARE(m_screen->time(), 0.0);
        QTest::keyClick(field(), Qt::Key_Escape);
        QVERIFY(m_screen->hasFocus());
    }

    void theLineIsRunByTheWorkspace() {
        run()->click();
        QVERIFY(m_window->workspace()->hasName(QStringLiteral("D")));
        QCOMPARE(m_window->workspace()->steps().back().code, QStringLiteral("D = A + B"));
        m_window->undo();
        QVERIFY(!m_window->workspace()->hasName(QStringLiteral("D")));
        field()->setText(QStringLiteral("v += 10"));
        QCOMPARE(m_screen->model()->inPlace, true);
        const int steps = m_window->workspace()->position();
        run()->click();
        QCOMPARE(m_window->workspace()->position(), steps + 1);
        // The picture follows what was written.
        QCOMPARE(m_screen->model()->arithmetic(0), QStringLiteral("11 + 10 = 21"));
    }

    void whateverWritesIsDrawnAndRun() {
        for (const char* line : {"A.copy_(v[:1])", "A.fill_(3)", "A[0] = v[0]", "A[:, 0] += 1", "A[A > 2] = 0",
                                 "B.add_(v[:1], alpha=2)", "torch.add(A, 1, out=A)", "torch.zeros(3, 3).copy_(v)"}) {
            field()->setText(QString::fromLatin1(line));
            QVERIFY2(m_screen->model() && m_screen->model()->ok() && m_screen->model()->inPlace, line);
            QVERIFY2(run()->isEnabled(), line);
            const int steps = m_window->workspace()->position();
            QTest::keyClick(field(), Qt::Key_Return);
            QVERIFY2(m_window->workspace()->position() == steps + 1, line);
        }
    }

    /// A line without a picture leaves none of another line, says why, and is not run.
    void whatIsNotDrawnLeavesNoPicture() {
        QVERIFY(m_screen->findChild<QComboBox*>(QStringLiteral("operand0")));
        const int steps = m_window->workspace()->position();
        const std::pair<const char*, const char*> lines[] = {
            {"v[[0, 2]] = 0", "'v[[0, 2]]' is picked by a mask or by indices"},
            {"v.no_such_(1)", "this picture does not know 'no_such_'"},
            {"A + B + v + A[0] + B[0]", "the picture has room for 4 tensors, this line has 5"}};
        for (const auto& [line, why] : lines) {
            field()->setText(QStringLiteral("A + B"));
            QVERIFY(m_screen->model());
            field()->setText(QString::fromLatin1(line));
            QVERIFY2(!m_screen->model() && !m_screen->hasPicture(), line);
            QVERIFY2(m_view->why().startsWith(QString::fromLatin1(why)), qPrintable(m_view->why()));
            QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            QVERIFY(!m_screen->findChild<QComboBox*>(QStringLiteral("operand0")));
            QVERIFY(!run()->isEnabled());
            QTest::keyClick(field(), Qt::Key_Return);
            press(Qt::Key_Space);
            press(Qt::Key_End);
            moveTo(QPointF(400, 200));
            QTest::mouseClick(m_view, Qt::LeftButton, {}, QPoint(400, 200));
            m_view->grab();
            QCOMPARE(m_screen->picture()->title, m_view->why());
            QCOMPARE(m_window->workspace()->position(), steps);
        }
        // Nor is a line that is not whole, beside the last picture.
        field()->setText(QStringLiteral("A + B"));
        QVERIFY(m_view->why().isEmpty());
        field()->setText(QStringLiteral("A + B +"));
        QVERIFY(m_screen->model());
        QTest::keyClick(field(), Qt::Key_Return);
        QCOMPARE(m_window->workspace()->position(), steps);
    }

    /// Cards have a menu: what is copied, and the way to Explore.
    void cardsHaveAMenu() {
        const auto choose = [this](QPointF at, const char* name) {
            QStringList names;
            QTimer::singleShot(0, this, [&] {
                auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
                if (!menu) return;
                for (QAction* action : menu->actions()) {
                    names << action->objectName();
                    if (action->objectName() == QLatin1String(name)) action->trigger();
                }
                menu->close();
            });
            const QPoint point = at.toPoint();
            QContextMenuEvent event(QContextMenuEvent::Mouse, point, m_view->mapToGlobal(point));
            QApplication::sendEvent(m_view, &event);
            names.removeAll(QString());
            return names;
        };
        m_screen->seek(1);
        std::vector<QPointF> cards; // a point of each
        for (const SceneNode& node : m_view->scene().nodes)
            if (const auto* grid = std::get_if<GridItem>(&node.item)) cards.push_back(grid->area.center());
        QCOMPARE(choose(cards.front(), "code").mid(0, 3),
                 (QStringList{QStringLiteral("showTensor"), QStringLiteral("text"), QStringLiteral("code")}));
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("A"));
        QVERIFY(!choose(cards.back(), "code").contains(QStringLiteral("showTensor")));
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("A + B"));
        choose(cards.front(), "svg");
        QTRY_VERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("<svg")));
        choose(cards.front(), "showTensor");
        QVERIFY(!m_window->currentScreen());
        QCOMPARE(m_window->findChild<QLabel*>(QStringLiteral("statusDType"))->text(), QStringLiteral("int64"));
        QCOMPARE(m_window->workspace()->model()->selection().tensor,
                 m_window->workspace()->model()->snapshot()->tensors.front().id);
    }

    /// A message lies above what plays the picture.
    void messagesLeaveTheTransport() {
        m_window->runLine(QStringLiteral("A.view(7)"), Naming::Discard);
        const MessageBar* message = m_window->messageBar();
        QVERIFY(message->isVisible());
        const auto* transport = m_screen->findChild<TransportBar*>();
        const QRect bar(transport->mapTo(m_window.get(), QPoint()), transport->size());
        QVERIFY(!message->geometry().intersects(bar));
    }

    /// What is written by indices has its picture on another screen, where it is played on copies.
    void whatIsWrittenByIndicesIsPlayed() {
        auto* play = m_screen->findChild<QPushButton*>(QStringLiteral("broadcastPlay"));
        QVERIFY(play && !play->isVisible());
        field()->setText(QStringLiteral("v.no_such_(1)"));
        QVERIFY(!play->isVisible());
        field()->setText(QStringLiteral("v[[0, 2]] = 7"));
        QVERIFY(play->isVisible());
        const int steps = m_window->workspace()->position();
        const Tensor v = m_window->workspace()->model()->snapshot()->tensors.back().tensor;
        play->click();
        auto* motion = qobject_cast<MotionScreen*>(m_window->currentScreen());
        QVERIFY(motion && motion->view()->plan());
        QVERIFY(motion->player()->isPlaying());
        QCOMPARE(motion->view()->plan()->input.record.name, std::string("setitem"));
        QCOMPARE(m_window->workspace()->position(), steps);
        QCOMPARE(v.data<std::int64_t>()[0], std::int64_t{1});
        QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier);
        field()->setText(QStringLiteral("v + 1"));
        QVERIFY(!play->isVisible());
    }

    /// Space plays and Enter presses, whichever button of the transport was pressed last.
    void spacePlaysFromEveryButton() {
        for (const char* name : {"toEnd", "toStart", "stepForward1", "slow", "steps"}) {
            auto* button = m_screen->findChild<QPushButton*>(QString::fromLatin1(name));
            QTest::mouseClick(button, Qt::LeftButton);
            button->setFocus();
            press(Qt::Key_Home);
            const bool checked = button->isChecked();
            QTest::keyClick(button, Qt::Key_Space);
            QVERIFY2(m_screen->isPlaying(), name);
            QTest::keyClick(button, Qt::Key_Space);
            QVERIFY2(!m_screen->isPlaying(), name);
            QCOMPARE(button->isChecked(), checked);
        }
        auto* end = m_screen->findChild<QPushButton*>(QStringLiteral("toEnd"));
        QTest::keyClick(end, Qt::Key_Return);
        QCOMPARE(m_screen->time(), 1.0);
        auto* steps = m_screen->findChild<QPushButton*>(QStringLiteral("steps"));
        const bool checked = steps->isChecked();
        QTest::keyClick(steps, Qt::Key_Enter, Qt::KeypadModifier);
        QCOMPARE(steps->isChecked(), !checked);
    }

    void mendsArePreviewedAndTaken() {
        field()->setText(QStringLiteral("A * B + v"));
        QVERIFY(!m_screen->model()->ok());
        press(Qt::Key_End);
        const int steps = m_window->workspace()->position();
        const QRectF button = m_view->buttonRect(0);
        QVERIFY(!button.isEmpty());
        const QImage before = m_view->grab().toImage();
        moveTo(button.center());
        QVERIFY(m_view->grab().toImage() != before);
        QCOMPARE(field()->text(), QStringLiteral("A * B + v"));
        moveTo(QPointF(3, 3));
        QVERIFY(m_view->grab().toImage() == before);
        QTest::mouseClick(m_view, Qt::LeftButton, {}, button.center().toPoint());
        QVERIFY(field()->text() != QStringLiteral("A * B + v"));
        QVERIFY(m_screen->model()->ok());
        QCOMPARE(m_window->workspace()->position(), steps);
    }

    void mendsByKeyboard() {
        field()->setText(QStringLiteral("torch.ones(3, 4) + v"));
        m_screen->setFocus();
        press(Qt::Key_End);
        press(Qt::Key_Down);
        press(Qt::Key_Return);
        QCOMPARE(field()->text(), QStringLiteral("torch.ones(3, 4) + v.unsqueeze(1)"));
        QVERIFY(m_screen->model()->ok());
    }

    void aCellTellsItsSources() {
        press(Qt::Key_End);
        const Scene& scene = m_view->scene();
        for (auto node = scene.nodes.rbegin(); node != scene.nodes.rend(); ++node) {
            const auto* grid = std::get_if<GridItem>(&node->item);
            if (!grid) continue;
            const QPointF at = grid->origin + QPointF(grid->cell.width() * 2.5, grid->cell.height() * 1.5);
            QTest::mouseClick(m_view, Qt::LeftButton, {}, at.toPoint());
            break;
        }
        QCOMPARE(*m_view->picked(), Index{7});
        const QString status = m_window->findChild<QLabel*>(QStringLiteral("statusText"))->text();
        QVERIFY2(status.startsWith(QStringLiteral("D[1, 2]   1 + 2 = 3")), qPrintable(status));
        press(Qt::Key_Escape);
        QVERIFY(!m_view->picked());
    }

    void operandsAreChosen() {
        auto* first = m_screen->findChild<QComboBox*>(QStringLiteral("operand0"));
        QVERIFY(first);
        const int v = first->findData(QStringLiteral("v"));
        QVERIFY(v >= 0);
        Q_EMIT first->activated(v);
        QCOMPARE(field()->text(), QStringLiteral("v + B"));
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // the choices of the line before
        auto* sign = m_screen->findChild<QComboBox*>(QStringLiteral("operatorBox"));
        sign->setCurrentText(QStringLiteral(">="));
        Q_EMIT sign->activated(sign->currentIndex());
        QCOMPARE(field()->text(), QStringLiteral("v >= B"));
    }

    void bitsAndPowersAreChosen() {
        auto* sign = m_screen->findChild<QComboBox*>(QStringLiteral("operatorBox"));
        for (const char* each : {"**", "//", "%", "&", "|", "^", "<<", ">>"})
            QVERIFY(sign->findText(QString::fromLatin1(each)) >= 0);
        sign->setCurrentText(QStringLiteral("**"));
        Q_EMIT sign->activated(sign->currentIndex());
        QCOMPARE(field()->text(), QStringLiteral("A ** B"));
        QCOMPARE(outcome(), QStringLiteral("= D  (4, 5)  int64"));
        QCOMPARE(m_screen->model()->arithmetic(13), QStringLiteral("2 ** 3 = 8"));
        // Comparisons do not write in place.
        field()->setText(QStringLiteral("A <<= A"));
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        field()->setText(QStringLiteral("A <<= v[:1]"));
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        sign = m_screen->findChild<QComboBox*>(QStringLiteral("operatorBox"));
        QCOMPARE(sign->currentText(), QStringLiteral("<<"));
        QVERIFY(sign->findText(QStringLiteral("**")) >= 0 && sign->findText(QStringLiteral("<")) < 0);
        sign->setCurrentText(QStringLiteral("^"));
        Q_EMIT sign->activated(sign->currentIndex());
        QCOMPARE(field()->text(), QStringLiteral("A ^= v[:1]"));
    }

    void predictsFirst() {
        QLineEdit* said = m_screen->findChild<QLineEdit*>(QStringLiteral("predictField"));
        const auto text = [&](const char* name) {
            return m_screen->findChild<QLabel*>(QString::fromLatin1(name))->text();
        };
        auto* check = m_screen->findChild<QPushButton*>(QStringLiteral("predictCheck"));
        auto* transport = m_screen->findChild<TransportBar*>();
        predict()->click();
        QVERIFY(said->isVisible() && said->hasFocus());
        QCOMPARE(text("predictQuestion"), QStringLiteral("What shape has (4, 1) + (1, 5)?"));
        // Nothing gives it away: neither words nor the picture's plan nor the time line.
        QCOMPARE(outcome(), QStringLiteral("= ?"));
        QVERIFY(!run()->isEnabled() && !transport->isVisible());
        const auto words = [this] {
            QStringList all;
            for (const SceneNode& node : m_view->scene().nodes)
                if (const auto* item = std::get_if<TextItem>(&node.item)) all << item->text;
            return all.join(QLatin1Char('\n'));
        };
        QVERIFY(!words().contains(QStringLiteral("new storage")) && !words().contains(QStringLiteral("4, 5")));
        const auto boxes = [this] {
            return std::count_if(m_view->scene().nodes.begin(), m_view->scene().nodes.end(),
                                 [](const SceneNode& node) { return std::holds_alternative<BoxItem>(node.item); });
        };
        const auto before = boxes();
        press(Qt::Key_End);
        QVERIFY(m_screen->time() < 1);
        said->setText(QStringLiteral("what"));
        QTest::keyClick(said, Qt::Key_Return);
        QVERIFY(text("predictVerdict").startsWith(QStringLiteral("Write it like this")));
        said->setText(QStringLiteral("(5, 4)"));
        QTest::keyClick(said, Qt::Key_Return);
        QVERIFY(text("predictVerdict").startsWith(QStringLiteral("✗ Not that. It is (4, 5): ")));
        QCOMPARE(outcome(), QStringLiteral("= D  (4, 5)  int64"));
        QVERIFY(boxes() > before);
        QCOMPARE(check->text(), QStringLiteral("Next question"));
        check->click();
        QCOMPARE(text("predictQuestion"), QStringLiteral("Which element of A is read for D[2, 4]?"));
        said->setText(QStringLiteral("2, 0"));
        check->click();
        QVERIFY(text("predictVerdict").startsWith(QStringLiteral("✓ Right. It is A[2, 0]")));
        check->click(); // watch it
        QVERIFY(m_screen->isPlaying() && transport->isVisible());
        // Sizes that do not fit are asked for in the same way.
        field()->setText(QStringLiteral("A + v + torch.ones(2)"));
        QCOMPARE(text("predictQuestion"), QStringLiteral("What shape has (4, 1) + (3,) + (2,)?"));
        QVERIFY(!m_screen->isPlaying());
        QCOMPARE(outcome(), QStringLiteral("= ?"));
        said->setText(QStringLiteral("refused"));
        check->click();
        QVERIFY(text("predictVerdict").startsWith(QStringLiteral("✓ Right. Refused: dim 1:")));
        QCOMPARE(check->text(), QStringLiteral("Watch it"));
        predict()->click();
        QVERIFY(!said->isVisible() && transport->isVisible() && outcome() == QStringLiteral("✗ refused"));
    }

    void aClickedCellIsAnAnswer() {
        predict()->click();
        m_screen->findChild<QPushButton*>(QStringLiteral("predictReveal"))->click();
        m_screen->findChild<QPushButton*>(QStringLiteral("predictCheck"))->click();
        const auto verdict = [this] { return m_screen->findChild<QLabel*>(QStringLiteral("predictVerdict"))->text(); };
        const auto place = [this](std::size_t card, const Dims& coord) {
            for (int y = 0; y < m_view->height(); y += 4)
                for (int x = 0; x < m_view->width(); x += 4) {
                    const auto found =
                        broadcastPlaceAt(*m_screen->model(), {QSizeF(m_view->size()), m_screen->time()}, QPointF(x, y));
                    if (found && found->card == card && found->coord == coord) return QPoint(x + 2, y + 2);
                }
            return QPoint();
        };
        const auto clickAt = [this](QPoint at) { QTest::mouseClick(m_view, Qt::LeftButton, Qt::NoModifier, at); };
        clickAt(place(1, {0, 2})); // another card
        QVERIFY(verdict().isEmpty());
        clickAt(place(0, {2, 3})); // no cell yet
        QVERIFY(verdict().isEmpty());
        clickAt(place(0, {1, 0}));
        QVERIFY(verdict().startsWith(QStringLiteral("✗ Not that.")));
        clickAt(place(0, {2, 0})); // answered already
        QVERIFY(verdict().startsWith(QStringLiteral("✗ Not that.")));
    }

    void typedOperandsBecomeCode_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("code");
        const auto row = [](const char* typed, const char* code) {
            QTest::newRow(typed) << QString::fromLatin1(typed) << QString::fromLatin1(code);
        };
        row("(3, 4)", "torch.arange(12).view(3, 4)");
        row("2,3", "torch.arange(6).view(2,3)");
        row("(3,)", "torch.arange(3)");
        row("(3)", "torch.arange(3)");
        row("3", "3");
        row("2.5", "2.5");
        row("[[1, 2], [3, 4]]", "torch.tensor([[1, 2], [3, 4]])");
        row("A.t()", "A.t()");
        row("(99999999999, 99999999999)", "(99999999999, 99999999999)");
    }
    void typedOperandsBecomeCode() {
        QFETCH(QString, typed);
        QFETCH(QString, code);
        QCOMPARE(BroadcastBar::operandCode(typed), code);
    }

    void everyExampleIsDrawn() {
        const auto actions = m_screen->findChild<QToolButton*>(QStringLiteral("broadcastExamples"))->menu()->actions();
        QVERIFY(actions.size() >= 8);
        for (const QAction* action : actions) {
            field()->setText(QString());
            const_cast<QAction*>(action)->trigger();
            QVERIFY2(!outcome().startsWith(QStringLiteral("✗ ")) || outcome() == QStringLiteral("✗ refused"),
                     qPrintable(action->text() + outcome()));
            press(Qt::Key_End);
        }
    }

private:
    QLineEdit* field() const { return m_screen->findChild<QLineEdit*>(QStringLiteral("broadcastLine")); }
    QToolButton* predict() const { return m_screen->findChild<QToolButton*>(QStringLiteral("broadcastPredict")); }
    QPushButton* run() const { return m_screen->findChild<QPushButton*>(QStringLiteral("broadcastRun")); }
    QString outcome() const { return m_screen->findChild<QLabel*>(QStringLiteral("broadcastOutcome"))->text(); }
    void moveTo(QPointF at) {
        QMouseEvent event(QEvent::MouseMove, at, m_view->mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
        QApplication::sendEvent(m_view, &event);
    }
    void press(Qt::Key key) { QTest::keyClick(m_screen, key); }
    void click(const char* text) {
        for (QPushButton* button : m_screen->findChildren<QPushButton*>())
            if (button->text() == QString::fromUtf8(text)) return button->click();
        QFAIL(text);
    }

    BroadcastScreen* m_screen = nullptr;
    BroadcastView* m_view = nullptr;
};

QTEST_MAIN(TestBroadcastScreen)
#include "tst_broadcast_screen.moc"
