// ClassVote: hands and the time to think. Time that is up shows nothing.

#include "widgets/lessons/class_vote.h"

#include <QSignalSpy>
#include <QTest>

using namespace stridescope;

class TestClassVote : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countsHands() {
        ClassVote vote;
        QSignalSpy changed(&vote, &ClassVote::changed);
        vote.begin({QStringLiteral("3"), QStringLiteral("9")});
        QCOMPARE(vote.allHands(), 0);
        QCOMPARE(vote.chosen(), -1);
        vote.add(vote.chosen(), 1); // for nobody
        QCOMPARE(vote.allHands(), 0);
        vote.choose(1);
        vote.add(vote.chosen(), 1);
        vote.add(1, 1);
        vote.add(0, 1);
        QCOMPARE(vote.hands(1), 2);
        QCOMPARE(vote.allHands(), 3);
        vote.add(0, -5);
        QCOMPARE(vote.hands(0), 0);
        vote.add(0, 5000);
        QCOMPARE(vote.hands(0), ClassVote::kMostHands);
        vote.add(2, 1);
        vote.choose(7);
        QCOMPARE(vote.chosen(), 0);
        QVERIFY(changed.count() >= 6);
        vote.begin({QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")});
        QCOMPARE(vote.allHands(), 0);
        QCOMPARE(vote.count(), 3);
    }

    void countsDown() {
        ClassVote vote;
        vote.begin({});
        QVERIFY(!vote.isCounting());
        vote.startCountdown();
        QVERIFY(vote.isCounting());
        QVERIFY(vote.secondsLeft() > ClassVote::kSeconds - 2 && vote.secondsLeft() <= ClassVote::kSeconds);
        vote.startCountdown(); // more time
        QVERIFY(vote.secondsLeft() > ClassVote::kSeconds);
        const int before = vote.secondsLeft();
        QTRY_VERIFY(vote.secondsLeft() < before);
        for (int i = 0; i < 100; ++i) vote.startCountdown();
        QVERIFY(vote.secondsLeft() <= ClassVote::kMostSeconds);
        vote.stopCountdown();
        QVERIFY(!vote.isCounting());
        QCOMPARE(vote.secondsLeft(), 0);
        vote.startCountdown();
        vote.begin({}); // the next question has a clock of its own
        QVERIFY(!vote.isCounting());
    }
};

QTEST_GUILESS_MAIN(TestClassVote)
#include "tst_class_vote.moc"
