#pragma once
// A KernelClient and all that it tells, for tests: code is run to its end while the event loop's turns are counted.

#include "app/kernel/kernel_client.h"

#include <QAbstractEventDispatcher>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTest>

namespace stridescope::test {

/// What one turn of the event loop is given to do, at most: the code in the kernel cannot make it more, so the window
/// stays live whatever is run. Counted, as times say nothing on a machine that is busy with other things.
class Turns : public QObject {
public:
    explicit Turns(const KernelClient& client) {
        connect(QAbstractEventDispatcher::instance(), &QAbstractEventDispatcher::awake, this, [this] {
            m_batches = 0;
            ++m_turns;
        });
        connect(&client, &KernelClient::printed, this, [this](const OutputBatch& batch) {
            qsizetype lines = 0, characters = 0;
            for (const OutputPart& part : batch.parts) {
                lines += part.text.count(QLatin1Char('\n'));
                characters += part.text.size();
            }
            m_mostBatches = std::max(m_mostBatches, ++m_batches);
            m_mostLines = std::max(m_mostLines, lines);
            m_mostCharacters = std::max(m_mostCharacters, characters);
        });
        connect(&client, &KernelClient::resultShown, this,
                [this](quint64, const QString& text) { m_longestValue = std::max(m_longestValue, text.size()); });
    }
    bool isBounded() const {
        constexpr qsizetype kLines = OutputBuffer::kLines, kCutNote = 40, kValue = 70'000;
        // One by the clock, and what is left when the code ends.
        return m_turns > 0 && m_mostBatches <= 2 && m_mostLines <= kLines &&
               m_mostCharacters <= kLines * (OutputBuffer::kLineLength + kCutNote) && m_longestValue <= kValue;
    }
    QString words() const {
        return QStringLiteral(
                   "%1 turns; at most %2 batches in one; a batch of %3 lines, of %4 characters; a value of %5")
            .arg(m_turns)
            .arg(m_mostBatches)
            .arg(m_mostLines)
            .arg(m_mostCharacters)
            .arg(m_longestValue);
    }

private:
    int m_turns = 0, m_batches = 0, m_mostBatches = 0;
    qsizetype m_mostLines = 0, m_mostCharacters = 0, m_longestValue = 0;
};

class KernelWatch : public QObject {
public:
    struct Outcome {
        KernelResult result;
        bool timedOut = false;
        QString out, err, value; ///< printed; told as the value of an expression
        KernelError error;
        qint64 lines = 0, dropped = 0; ///< told, and told only as a number
        std::vector<RingRecord> records;
        qint64 milliseconds = 0;
        KernelResult::Status status() const { return result.status; }
    };

    KernelWatch() {
        // Not whichever comes first on PATH: the one that has NumPy.
        client.setOptions({QStringLiteral(STRIDESCOPE_TEST_PYTHON), 0});
        connect(&client, &KernelClient::printed, this, [this](const OutputBatch& batch) {
            now.dropped += batch.droppedLines;
            for (const OutputPart& part : batch.parts) {
                (part.isError ? now.err : now.out) += part.text;
                now.lines += part.text.count(QLatin1Char('\n'));
            }
            constexpr qsizetype kKept = 1'000'000;
            now.out = now.out.right(kKept);
        });
        connect(&client, &KernelClient::resultShown, this, [this](quint64, const QString& text) {
            now.value += (now.value.isEmpty() ? QString() : QStringLiteral("\n")) + text;
        });
        connect(&client, &KernelClient::failed, this, [this](quint64, const KernelError& error) { now.error = error; });
        connect(&client, &KernelClient::finished, this, [this](const KernelResult& result) { results << result; });
        connect(&client, &KernelClient::ended, this, [this](const KernelEnd& end) { ends << end; });
        connect(&client, &KernelClient::recorded, this, [this](const PackedRecords& records) {
            for (std::size_t i = 0; i < records.size(); ++i) {
                if (auto record = records.read(i)) now.records.push_back(std::move(*record));
            }
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

    Outcome run(const QString& code, int milliseconds = 20'000, KernelMode mode = KernelMode::Console,
                const QString& name = {}) {
        now = {};
        const quint64 id = client.execute(code, mode, name);
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
