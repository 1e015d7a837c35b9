#pragma once
// A KernelClient and all that it tells, for tests: code is run to its end while the event loop's pulse is taken.

#include "app/kernel/kernel_client.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QtTest>

#include <ctime>

namespace stridescope::test {

/// How long the event loop was away from its timers: by the clock, and in work of its own. The clock alone says nothing
/// on a machine that is busy with other things.
class Pulse : public QObject {
public:
    Pulse() {
        m_wall.start();
        m_work = work();
        connect(&m_timer, &QTimer::timeout, this, &Pulse::beat);
        m_timer.start(2);
    }
    void beat() {
        longestWork = std::max(longestWork, work() - m_work);
        longestWait = std::max(longestWait, m_wall.restart());
        m_work = work();
    }
    double longestWork = 0; ///< milliseconds
    qint64 longestWait = 0;

private:
    static double work() {
        timespec now{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
    }
    QTimer m_timer;
    QElapsedTimer m_wall;
    double m_work = 0;
};

class KernelWatch : public QObject {
public:
    struct Outcome {
        KernelResult result;
        bool timedOut = false;
        QString out, err, value; ///< printed; told as the value of an expression
        KernelError error;
        qint64 dropped = 0;
        std::vector<RingRecord> records;
        qint64 milliseconds = 0;
        KernelResult::Status status() const { return result.status; }
    };

    KernelWatch() {
        // Not whichever comes first on PATH: the one that has NumPy.
        client.setOptions({QStringLiteral(STRIDESCOPE_TEST_PYTHON), 0});
        connect(&client, &KernelClient::printed, this, [this](const OutputBatch& batch) {
            now.dropped += batch.droppedLines;
            for (const OutputPart& part : batch.parts) (part.isError ? now.err : now.out) += part.text;
            constexpr qsizetype kKept = 1'000'000;
            now.out = now.out.right(kKept);
        });
        connect(&client, &KernelClient::resultShown, this, [this](quint64, const QString& text) {
            now.value += (now.value.isEmpty() ? QString() : QStringLiteral("\n")) + text;
        });
        connect(&client, &KernelClient::failed, this, [this](quint64, const KernelError& error) { now.error = error; });
        connect(&client, &KernelClient::finished, this, [this](const KernelResult& result) { results << result; });
        connect(&client, &KernelClient::ended, this, [this](const KernelEnd& end) { ends << end; });
        connect(&client, &KernelClient::recorded, this, [this](const std::vector<RingRecord>& records) {
            now.records.insert(now.records.end(), records.begin(), records.end());
        });
        connect(&client, &KernelClient::inputWanted, this,
                [this] { inputs.isEmpty() ? client.sendInput(std::nullopt) : client.sendInput(inputs.takeFirst()); });
    }

    /// Runs the event loop until `done` or the time is up.
    template <class Condition>
    bool waitFor(Condition done, int milliseconds = 20'000) {
        QElapsedTimer timer;
        timer.start();
        while (!done()) {
            if (timer.elapsed() > milliseconds) return false;
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::AllEvents, 10);
        }
        return true;
    }

    Outcome run(const QString& code, int milliseconds = 20'000, KernelMode mode = KernelMode::Console) {
        now = {};
        const quint64 id = client.execute(code, mode);
        return end(id, milliseconds);
    }
    Outcome run(const char* code, int milliseconds = 20'000) { return run(QString::fromUtf8(code), milliseconds); }
    Outcome run(const QByteArray& code, int milliseconds = 20'000) { return run(code.constData(), milliseconds); }

    /// Runs `code`, which does not end, and stops it once it has printed "ready".
    Outcome runAndStop(const QByteArray& code, int milliseconds = 20'000) {
        now = {};
        const quint64 id = client.execute(QString::fromUtf8(code));
        if (!waitFor([this] { return now.dropped > 0 || now.out.contains(QLatin1String("ready")); }))
            qWarning("it never was ready");
        QTest::qWait(100); // into the code behind it
        client.stop();
        return end(id, milliseconds);
    }

    Outcome end(quint64 id, int milliseconds = 20'000) {
        QElapsedTimer timer;
        timer.start();
        const auto find = [this, id] {
            return std::find_if(results.begin(), results.end(), [id](const KernelResult& r) { return r.id == id; });
        };
        now.timedOut = !waitFor([&] { return find() != results.end(); }, milliseconds);
        if (!now.timedOut) now.result = *find();
        now.milliseconds = timer.elapsed();
        return now;
    }
    bool waitForKernel() {
        return waitFor([this] { return client.state() == KernelClient::State::Idle; });
    }

    Outcome now;
    QList<KernelResult> results;
    QList<KernelEnd> ends;
    QStringList inputs;
    KernelClient client;
};

} // namespace stridescope::test
