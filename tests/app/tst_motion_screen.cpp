// The Motion screen in the window: what was done last is played, scrubbed, left and exported.

#include "core/random/generator.h"
#include "tests/app/main_window_fixture.h"
#include "widgets/motion/motion_screen.h"
#include "widgets/panels/message_bar.h"
#include "widgets/presenter/presented_page.h"

#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace stridescope;
using namespace stridescope::test;

class TestMotionScreen : public QObject, private TestedWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QApplication::setStyle(QStringLiteral("Fusion")); }
    void init() {
        openWindow(QSize(1280, 720));
        m_window->runLine(QStringLiteral("a = torch.arange(12).view(3, 4)"), Naming::Discard);
        m_window->runLine(QStringLiteral("b = a.t()"), Naming::Discard);
    }
    void cleanup() { closeWindow(); }

    void playsTheLastStep() {
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        QVERIFY(screen());
        QCOMPARE(screen()->view()->plan()->title(), QStringLiteral("b = a.t()"));
        QVERIFY(screen()->player()->isPlaying());
        // It stops by itself where a stage ends.
        QTRY_VERIFY(!screen()->player()->isPlaying());
        QCOMPARE(screen()->player()->time(), screen()->player()->times().stageEnds.front());
    }

    /// What an operation was given without a name is gone; its elements are made once more.
    void temporariesOfTensorsAreMadeAgain() {
        for (const char* line : {"c = a.index_select(0, torch.tensor([2, 0]))", "c = a + b.t().double()",
                                 "c = torch.stack([a, a.double().long()])", "c = a + (a + 1).t().t()"}) {
            QVERIFY2(m_window->runLine(QString::fromLatin1(line), Naming::Discard).ok, line);
            QTest::keyClick(m_window.get(), Qt::Key_F6);
            const MotionInput& input = screen()->view()->plan()->input;
            QVERIFY(input.storages.size() > 1);
            for (const MotionStorage& storage : input.storages) {
                QVERIFY2(storage.after.defined() && storage.unknown.empty(), line);
                if (storage.number == 0) QVERIFY2(storage.before.defined(), line);
            }
            QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
        }
    }

    void theButtonOfTheHistoryPlays() {
        auto* button = m_window->findChild<QToolButton*>(QStringLiteral("historyPlay"));
        QVERIFY(button && button->isEnabled());
        button->click();
        QVERIFY(screen() && screen()->player()->isPlaying());
    }

    void keysMoveTime() {
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        QTest::keyClick(screen(), Qt::Key_Home);
        std::vector<qreal> times{screen()->player()->time()};
        while (screen()->player()->time() < 1) {
            QTest::keyClick(screen(), Qt::Key_Right);
            times.push_back(screen()->player()->time());
        }
        QCOMPARE(times, screen()->player()->times().stops);
    }

    void interruptingLeavesTheEnd() {
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        QTest::keyClick(screen(), Qt::Key_End);
        QTest::qWait(200); // the docks have found their places
        const QImage end = screen()->view()->grab().toImage();
        screen()->playLast();
        QTest::qWait(80);
        QVERIFY(screen()->player()->isPlaying() && screen()->player()->time() < 1);
        QTest::keyClick(screen(), Qt::Key_Escape);
        QCOMPARE(screen()->player()->time(), 1.0);
        QCOMPARE(screen()->view()->grab().toImage(), end);
        // So does leaving it.
        screen()->playLast();
        MotionScreen* shown = screen();
        QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
        QVERIFY(!shown->player()->isPlaying());
        QCOMPARE(shown->player()->time(), 1.0);
    }

    void reducedMotionCuts() {
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        screen()->player()->pause();
        screen()->setReducedMotion(true);
        std::set<qreal> seen;
        connect(screen()->player(), &TimePlayer::timeChanged, this, [&seen](qreal t) { seen.insert(t); });
        screen()->playLast();
        QTRY_VERIFY_WITH_TIMEOUT(!screen()->player()->isPlaying(), 5000);
        for (const qreal t : seen) {
            const auto& stops = screen()->player()->times().stops;
            QVERIFY(std::find(stops.begin(), stops.end(), t) != stops.end());
        }
        QVERIFY(seen.size() >= 2);
    }

    void stepsAndTheirOperationsAreChosen() {
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        QCOMPARE(screen()->step(), 1);
        QTest::keyClick(screen(), Qt::Key_Up);
        QCOMPARE(screen()->step(), 0);
        auto* operations = screen()->findChild<QComboBox*>(QStringLiteral("motionOperations"));
        QVERIFY(operations->isVisible());
        QCOMPARE(operations->count(), 2);
        QCOMPARE(screen()->view()->plan()->input.record.name, std::string("view"));
        operations->setCurrentIndex(0);
        Q_EMIT operations->activated(0);
        QCOMPARE(screen()->view()->plan()->input.record.name, std::string("arange"));
        QVERIFY(!screen()->findChild<QToolButton*>(QStringLiteral("motionEarlier"))->isEnabled());
    }

    void whatIsDoneMeanwhileIsPlayed() {
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        screen()->player()->pause();
        m_window->runLine(QStringLiteral("a.add_(b.t())"), Naming::Discard);
        QTRY_COMPARE(screen()->view()->plan()->input.record.name, std::string("add_"));
        QVERIFY(screen()->player()->isPlaying());
        m_window->runLine(QStringLiteral("c = a.sum(1)"), Naming::Discard);
        QTRY_COMPARE(screen()->view()->plan()->family, MotionFamily::Reduce);
        // Values are those of each moment: the ones before it was doubled, and after.
        QTest::keyClick(screen(), Qt::Key_Up);
        const MotionStorage& storage = screen()->view()->plan()->input.storages.front();
        QCOMPARE(storage.before.data<std::int64_t>()[5], std::int64_t{5});
        QCOMPARE(storage.after.data<std::int64_t>()[5], std::int64_t{10});
        // Undone, it is no step any more.
        m_window->workspace()->undo();
        m_window->workspace()->undo();
        QTRY_COMPARE(screen()->step(), 1);
    }

    /// Tensors without a name that were made of none are made again for the picture.
    void temporariesHaveTheirElements() {
        m_window->runLine(QStringLiteral("s = torch.arange(4).view(4, 1) + torch.full((3,), 0.5)"), Naming::Discard);
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        const MotionInput& input = screen()->view()->plan()->input;
        QCOMPARE(input.storages.size(), std::size_t{3});
        QCOMPARE(input.storages[0].before.data<std::int64_t>()[3], std::int64_t{3});
        QCOMPARE(input.storages[1].before.data<float>()[1], 0.5f);
        for (const MotionStorage& storage : input.storages)
            for (Index slot = 0; slot < storage.numel; ++slot) QVERIFY(storage.knows(false, slot));
        // Drawn numbers are not drawn again.
        m_window->runLine(QStringLiteral("s = torch.rand(2) + a[0, :2]"), Naming::Discard);
        QTRY_VERIFY(screen()->view()->plan()->title().contains(QStringLiteral("rand")));
        QCOMPARE(screen()->view()->plan()->input.storages.size(), std::size_t{3});
        QVERIFY(!screen()->view()->plan()->input.storages[0].before.defined());
    }

    void aReshapeThatCopiesIsOneOperation() {
        m_window->runLine(QStringLiteral("r = b.reshape(12)"), Naming::Discard);
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        QCOMPARE(screen()->view()->plan()->title(), QStringLiteral("r = b.reshape(12)"));
        QCOMPARE(screen()->view()->plan()->family, MotionFamily::Copy);
        QVERIFY(screen()->view()->plan()->stage(MotionWhat::Walk));
    }

    void aClassSeesTheSameMoment() {
        m_window->runLine(QStringLiteral("c = a.narrow(1, 1, 2)"), Naming::Discard);
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        screen()->player()->pause();
        screen()->player()->seek(0);
        const std::unique_ptr<PresentedPage> page(screen()->presentedPage(nullptr));
        page->resize(1920, 1000);
        page->setLook(Theme(ThemeKind::Light, true), 3.5);
        QCOMPARE(page->stages(), 3);
        QCOMPARE(page->stageName(), QStringLiteral("Numbers"));
        QCOMPARE(page->line(), QStringLiteral("c = a.narrow(1, 1, 2)"));
        const QImage before = page->grab().toImage();
        QVERIFY(page->goOn(1));
        QTRY_COMPARE(screen()->player()->time(), screen()->player()->times().stageEnds.front());
        QVERIFY(page->grab().toImage() != before);
        page->goOn(1);
        QTRY_COMPARE(page->stage(), 2);
    }

    void aRefusedWriteCanBePlayed() {
        m_window->runLine(QStringLiteral("s = torch.arange(5).as_strided((2, 3), (2, 1))"), Naming::Discard);
        m_window->runLine(QStringLiteral("s.add_(1)"), Naming::Discard);
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        QVERIFY(screen());
        QVERIFY(screen()->view()->plan()->input.refusal);
        QCOMPARE(screen()->view()->plan()->hits.back(), Index{2});
        // Refused again while this screen is looked at: its message offers it.
        m_window->runLine(QStringLiteral("s.mul_(2)"), Naming::Discard);
        QPushButton* play = nullptr;
        for (QPushButton* each : m_window->findChildren<QPushButton*>())
            if (each->text() == QStringLiteral("Play it")) play = each;
        QVERIFY(play);
        play->click();
        QVERIFY(screen()->view()->plan()->title().contains(QStringLiteral("mul_")));
        // What is carried out afterwards is played instead.
        m_window->runLine(QStringLiteral("t = s.clone()"), Naming::Discard);
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        QVERIFY(!screen()->view()->plan()->input.refusal);
    }

    /// Nothing of it ran: its reason is shown, and the step before it only when that is asked for.
    void aRefusedCopyIsNotTakenForTheStepBefore() {
        for (const char* line : {"a.copy_(b)", "a.mm(a)", "a.t().view(12)", "a += 'no'"}) {
            m_window->runLine(QString::fromLatin1(line), Naming::Discard);
            QTest::keyClick(m_window.get(), Qt::Key_F6);
            QVERIFY2(!screen() || !screen()->isVisible(), line);
            const auto labels = m_window->findChildren<QLabel*>();
            QVERIFY2(std::any_of(labels.begin(), labels.end(),
                                 [](const QLabel* label) {
                                     return label->isVisible() &&
                                            label->text().contains(QStringLiteral("was refused: no cell moved"));
                                 }),
                     line);
            QPushButton* before = nullptr;
            for (QPushButton* each : m_window->findChildren<QPushButton*>())
                if (each->text() == QStringLiteral("Play the step before it")) before = each;
            QVERIFY2(before, line);
            QTRY_VERIFY2(before->isVisible(), line); // the bar makes room first
            before->click();
            QVERIFY2(screen() && screen()->isVisible(), line);
            QCOMPARE(screen()->view()->plan()->title(), QStringLiteral("b = a.t()"));
            QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
        }
        // What is undone afterwards leaves another step as the last one.
        m_window->runLine(QStringLiteral("a.copy_(b)"), Naming::Discard);
        QString reason;
        QVERIFY(m_window->workspace()->jump(1, &reason));
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        QVERIFY(screen()->isVisible());
    }

    /// Of views that a line makes, and in place of what an operator or an index writes to.
    void refusedTargetsAreFound_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("target");
        const auto row = [](const char* line, const char* target) {
            QTest::newRow(line) << QString::fromLatin1(line) << QString::fromLatin1(target);
        };
        row("s.add_(1)", "s");
        row("s += 1", "s");
        row("s[0:2] = 3", "s[0:2]");
        row("a[0].expand(2, 4).mul_(2)", "a[0].expand(2, 4)");
        row("torch.add(s, 1, out=s)", "s");
        row("for i in range(3): s.add_(i)", "s"); // Python's
        row("a.add_(1)", "");
    }
    void refusedTargetsAreFound() {
        QFETCH(QString, line);
        QFETCH(QString, target);
        m_window->runLine(QStringLiteral("s = torch.arange(5).as_strided((2, 3), (2, 1))"), Naming::Discard);
        const Refusal refusal{ErrorKind::Runtime, "OVERLAP-01", "unsupported operation", {}, {}};
        const auto motion = m_window->workspace()->refusedMotion(line, refusal);
        QCOMPARE(motion.has_value(), !target.isEmpty());
        if (!motion) return;
        QCOMPARE(motion->inputs.front().name, target);
        const MotionPlan plan = motionPlan(*motion);
        QVERIFY(plan.hits.size() > 1); // up to the slot that comes again
        QCOMPARE(std::count(plan.hits.begin(), plan.hits.end(), plan.hits.back()), 2);
    }

    /// What no name keeps, as what a function has, is played with its elements.
    void refusedWritesToWhatHasNoName() {
        for (const char* line : {"torch.arange(6).as_strided((2, 3), (2, 1)).add_(1)",
                                 "t = torch.arange(6); u = t * 2; u[1:].copy_(u[:-1])"}) {
            QVERIFY(!m_window->runLine(QString::fromLatin1(line), Naming::Discard).ok);
            QTest::keyClick(m_window.get(), Qt::Key_F6);
            QVERIFY2(screen() && screen()->view()->plan(), line);
            const MotionInput& input = screen()->view()->plan()->input;
            QVERIFY2(input.refusal, line);
            QVERIFY2(input.storages[0].before.defined() && input.storages[0].unknown.empty(), line);
            QCOMPARE(input.storages[0].numel, Index{6});
            QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
        }
    }

    /// Cells that several coords of a view share are striped, and say how many they are.
    void sharedCellsAreStriped() {
        const auto stripes = [&](const char* line) {
            m_window->runLine(QString::fromLatin1(line), Naming::Discard);
            QTest::keyClick(m_window.get(), Qt::Key_F6);
            QTest::keyClick(screen(), Qt::Key_End);
            std::vector<const StripItem*> found;
            for (const SceneNode& node : screen()->view()->scene().nodes)
                if (const auto* strip = std::get_if<StripItem>(&node.item)) found.push_back(strip);
            return found;
        };
        const auto shared = stripes("s = torch.arange(5).as_strided((2, 3), (2, 1))");
        QCOMPARE(shared.size(), std::size_t{1}); // slot 2 alone
        QCOMPARE(shared[0]->layout.firstColumn, Index{2});
        QVERIFY(shared[0]->reach && shared[0]->layout.area.width() < 1.5 * shared[0]->layout.cellWidth);
        QCOMPARE(stripes("u = torch.arange(8).unfold(0, 4, 2)").size(), std::size_t{1}); // 2 to 5
        QVERIFY(stripes("c = a.narrow(1, 1, 2)").empty());
        QVERIFY(stripes("d = torch.arange(3).expand(4, 3)").empty()); // ghosts on the card tell that
    }

    /// Indices and masks choose what is written: these elements have a value before and another one after, and no other
    /// is said to be written.
    void chosenElementsAreNamed_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<int>("count");
        const auto row = [](const char* line, int count) { QTest::newRow(line) << QString::fromLatin1(line) << count; };
        row("a[torch.tensor([0, 2])] = 50", 8);
        row("a[[2, 0]] = 50", 8);
        row("a[a > 5] = 50", 6);
        row("a[a > 50] = 50", 0);
        row("a[1:, torch.tensor([3])] = torch.tensor([[50], [60]])", 2);
        row("b[torch.tensor([0, 1]), torch.tensor([2, 2])] = 50", 2);
        row("a.masked_fill_(a > 5, -1)", 6);
        row("a[1].add_(10)", 4);
    }
    void chosenElementsAreNamed() {
        QFETCH(QString, line);
        QFETCH(int, count);
        m_window->runLine(QStringLiteral("a[1].add_(0)"), Naming::Discard); // a step before it that writes
        QVERIFY(m_window->runLine(line, Naming::Discard).ok);
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        const MotionPlan& plan = *screen()->view()->plan();
        QCOMPARE(plan.family, MotionFamily::Write);
        QCOMPARE(plan.group.size(), static_cast<std::size_t>(count));
        const MotionBoard& board = plan.boards[static_cast<std::size_t>(plan.stripOf(0))];
        const MotionStorage& storage = plan.input.storages[0];
        QVERIFY(storage.before.defined() && storage.after.defined() && storage.unknown.empty());
        for (Index slot = 0; slot < 12; ++slot) {
            const auto before = storage.before.data<std::int64_t>()[slot];
            QCOMPARE(before, slot); // nothing else has written there
            QCOMPARE(plan.isAfter(0, slot, 1), storage.after.data<std::int64_t>()[slot] != before);
            QVERIFY(!plan.isAfter(0, slot, 0));
        }
        QCOMPARE(board.count, Index{12});
        const QString said =
            count == 0 ? QStringLiteral("0 elements written") : QStringLiteral("%1 elements").arg(count);
        QVERIFY2(plan.caption(1).startsWith(said), qPrintable(plan.caption(1)));
    }

    /// By several indices, too, each element comes from its own place.
    void pickedElementsComeFromTheirPlaces() {
        for (const char* line : {"c = a[torch.tensor([0, 2]), torch.tensor([1, 3])]", "c = a[1:, [0, 3, 3]]",
                                 "c = a[a > 5]", "c = b[:, torch.tensor([-1])]"}) {
            QVERIFY2(m_window->runLine(QString::fromLatin1(line), Naming::Discard).ok, line);
            QTest::keyClick(m_window.get(), Qt::Key_F6);
            const MotionPlan& plan = *screen()->view()->plan();
            QCOMPARE(plan.family, MotionFamily::Copy);
            const MotionStorage &from = plan.input.storages[0], &made = plan.input.storages.back();
            Index passed = 0;
            for (const MotionCell& cell : plan.moves) {
                if (cell.result || plan.boards[cell.toBoard].kind != MotionBoard::Kind::Card) continue;
                ++passed;
                QCOMPARE(from.before.data<std::int64_t>()[cell.slot], made.after.data<std::int64_t>()[cell.to]);
            }
            QCOMPARE(passed, plan.input.record.outputs[0].view.numel());
            QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
        }
    }

    void titlesAreTheLines_data() {
        QTest::addColumn<QString>("title");
        for (const char* line : {"a[torch.tensor([0, 2])] = 0", "a[a > 5] = 0", "a.masked_fill_(a > 5, 9)"})
            QTest::newRow(line) << QString::fromLatin1(line);
    }
    void titlesAreTheLines() {
        QFETCH(QString, title);
        QVERIFY2(m_window->runLine(title, Naming::Discard).ok, qPrintable(title));
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        QCOMPARE(screen()->view()->plan()->title(), title);
    }

    void memoryAsItIsHasNoValues() {
        m_window->runLine(QStringLiteral("u = torch.empty(3)"), Naming::Discard);
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        const MotionPlan& plan = *screen()->view()->plan();
        QCOMPARE(plan.caption(1), QStringLiteral("With none: nobody has written to its 3 elements yet."));
        QVERIFY(!plan.isAfter(0, 0, 1));
        for (const MotionCell& cell : plan.moves) QVERIFY(cell.look == CellsItem::Look::Pending);
    }

    /// What would be read after it was written to is played up to there, too.
    void aRefusedOverlapIsPlayed_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("names");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* line, const char* names, const char* says) {
            QTest::newRow(line) << QString::fromLatin1(line) << QString::fromLatin1(names) << QString::fromLatin1(says);
        };
        row("q[1:].copy_(q[:-1])", "q[1:] and q[:-1]", "Element 1 would read slot 1, which has a new value.");
        row("q[1:].add_(q[:-1])", "q[1:] and q[:-1]", "Element 1 would read slot 1, which has a new value.");
        row("q[1:] += q[:-1]", "q[1:] and q[:-1]", "Element 1 would read slot 1, which has a new value.");
        row("q[:-1].copy_(q[1:])", "q[:-1] and q[1:]", "Not in this order; but no order is promised.");
        row("h.mul_(t)", "h and t", "Element 1 would read slot 1, which has a new value.");
    }
    void aRefusedOverlapIsPlayed() {
        QFETCH(QString, line);
        QFETCH(QString, names);
        QFETCH(QString, says);
        for (const char* made : {"q = torch.arange(6)", "h = q[1:]", "t = q[:-1]"})
            m_window->runLine(QString::fromLatin1(made), Naming::Discard);
        QVERIFY(!m_window->runLine(line, Naming::Discard).ok);
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        QVERIFY(screen() && screen()->isVisible());
        const MotionPlan& plan = *screen()->view()->plan();
        QCOMPARE(plan.title(), line);
        QCOMPARE(plan.input.inputs[0].name + QStringLiteral(" and ") + plan.input.inputs[1].name, names);
        QVERIFY2(plan.caption(1).startsWith(says), qPrintable(plan.caption(1)));
        QVERIFY(plan.caption(1).contains(QStringLiteral("Refused, and nothing was changed")));
        QCOMPARE(plan.readsWritten, says.contains(QStringLiteral("would read")));
        if (plan.readsWritten) QCOMPARE(plan.hits, (std::vector<Index>{1, 1}));
    }

    /// What a session brings has no records: its lines are carried out once more, on copies.
    void aReopenedSessionIsPlayedAgain() {
        m_window->runLine(QStringLiteral("a.add_(100)"), Naming::Discard);
        m_window->runLine(QStringLiteral("r = torch.rand(3)"), Naming::Discard);
        Workspace* workspace = m_window->workspace();
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        workspace->restore(workspace->session(), QStringLiteral("before"));
        const quint64 before = workspace->stateHash();
        const auto numbers = defaultGenerator().state();
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        QCOMPARE(screen()->step(), 3);
        QCOMPARE(screen()->view()->plan()->title(), QStringLiteral("r = torch.rand(3)"));
        QVERIFY(screen()->view()->plan()->input.storages.front().number > 2); // those of a and r are taken
        QVERIFY(screen()->player()->isPlaying());
        const auto title = [&] { return screen()->findChild<QLabel*>(QStringLiteral("motionTitle"))->text(); };
        QVERIFY2(title().contains(QStringLiteral("again on what there is now")), qPrintable(title()));
        QTest::keyClick(screen(), Qt::Key_Up);
        QCOMPARE(screen()->view()->plan()->family, MotionFamily::Write);
        const MotionStorage& storage = screen()->view()->plan()->input.storages.front();
        QCOMPARE(storage.before.data<std::int64_t>()[5], std::int64_t{105});
        QCOMPARE(storage.after.data<std::int64_t>()[5], std::int64_t{205});
        QCOMPARE(screen()->view()->plan()->input.others.size(), std::size_t{1}); // b sees it
        QTest::keyClick(screen(), Qt::Key_Up);
        QCOMPARE(screen()->view()->plan()->title(), QStringLiteral("b = a.t()"));
        // Nothing of the workspace was touched, and no number of its generator was used up.
        QCOMPARE(workspace->stateHash(), before);
        QVERIFY(defaultGenerator().state() == numbers);
        QCOMPARE(workspace->position(), 4);
        // What is done now has records again.
        m_window->runLine(QStringLiteral("c = a.sum(1)"), Naming::Discard);
        QTRY_COMPARE(screen()->view()->plan()->family, MotionFamily::Reduce);
        QVERIFY(!title().contains(QStringLiteral("again")));
    }

    void whatCannotBePlayedAgainIsSaid() {
        Workspace* workspace = m_window->workspace();
        Session session = workspace->session();
        session.steps = {{"for i in range(3): a[i] = i", "loop"}};
        workspace->restore(session, QStringLiteral("before"));
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        QVERIFY(screen());
        QVERIFY(!screen()->view()->plan());
        auto* sentence = screen()->findChild<QLabel*>(QStringLiteral("emptySentence"));
        QVERIFY(sentence->isVisible());
        QVERIFY2(sentence->text().contains(QStringLiteral("for i in range(3)")), qPrintable(sentence->text()));
        // A class reads it as well.
        const std::unique_ptr<PresentedPage> page(screen()->presentedPage(nullptr));
        page->resize(1280, 680);
        page->setLook(Theme(ThemeKind::Light, true), 2);
        const QImage seen = page->grab().toImage();
        QVERIFY(page->stages() == 0);
        int dark = 0;
        for (int y = 0; y < seen.height(); ++y)
            for (int x = 0; x < seen.width(); ++x) dark += qGray(seen.pixel(x, y)) < 100;
        QVERIFY2(dark > 2000, qPrintable(QString::number(dark)));
        // Another line is played.
        m_window->runLine(QStringLiteral("c = a.t()"), Naming::Discard);
        QTRY_VERIFY(screen()->view()->plan());
        QVERIFY(!sentence->isVisible());
    }

    /// At 1280 x 720 with the console in sight there is no room for all cells: they keep their numbers, and what moves
    /// is followed.
    void lowWindowsFollowWhatMoves() {
        m_window->runLine(QStringLiteral("m = a @ b"), Naming::Discard);
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        screen()->player()->pause();
        MotionView* view = screen()->view();
        for (const int height : {420, 400, 365}) {
            MotionView low;
            low.setPlan(view->plan());
            low.resize(1280, height);
            for (const qreal t : view->plan()->times.stops) {
                low.setTime(t);
                low.scene();
                for (std::size_t b = 0; b < view->plan()->boards.size(); ++b) {
                    if (view->plan()->boards[b].kind != MotionBoard::Kind::Card) continue;
                    QVERIFY(low.places().boards[b].cell.width() >= 30);
                    QVERIFY(low.places().boardRect(static_cast<int>(b)).bottom() <= low.places().strips.top());
                }
            }
            // The result is in sight when it has come.
            const int made = static_cast<int>(view->plan()->stripOf(0)) - 1;
            const QRectF result = low.onWidget(low.places().boardRect(made));
            QVERIFY(QRectF(low.rect()).contains(result.center()));
        }
    }

    void isExported() {
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        screen()->player()->seek(1);
        QTemporaryDir folder;
        const auto exported = [&](const QString& name) {
            const QString path = folder.filePath(name);
            // A second one is refused before the end of the first.
            QAction* busy = m_window->findChild<QAction*>(QStringLiteral("cancelWork"));
            for (int i = 0; i < 1200 && busy->isEnabled(); ++i) QTest::qWait(50);
            m_window->exportPictureTo(path);
            QString first = path;
            first.replace(QStringLiteral("%03d"), QStringLiteral("000"));
            for (int i = 0; i < 800 && QFileInfo(first).size() == 0; ++i) QTest::qWait(50);
            QTest::qWait(150);
            QFile file(first);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        QVERIFY(exported(QStringLiteral("m.svg")).contains("<svg"));
        QVERIFY(exported(QStringLiteral("m.gif")).startsWith("GIF89a"));
        QVERIFY(exported(QStringLiteral("m.webp")).startsWith("RIFF"));
        QVERIFY(exported(QStringLiteral("m.html")).startsWith("<!DOCTYPE html>"));
        QVERIFY(exported(QStringLiteral("m-%03d.png")).startsWith("\x89PNG"));
        QTRY_VERIFY(QDir(folder.path()).entryList({QStringLiteral("m-*.png")}).size() > 10);
        // The Broadcast screen moves, too.
        QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier);
        QVERIFY(exported(QStringLiteral("b.gif")).startsWith("GIF89a"));
    }

private:
    MotionScreen* screen() { return qobject_cast<MotionScreen*>(m_window->currentScreen()); }
};

QTEST_MAIN(TestMotionScreen)
#include "tst_motion_screen.moc"
