#pragma once
// Work in a thread of its own: the window stays alive, shows how far it is, and can stop it.

#include "core/job.h"

#include <QObject>
#include <QThread>
#include <QTimer>

#include <functional>
#include <memory>

namespace stridescope {

class Background : public QObject {
    Q_OBJECT

public:
    explicit Background(QObject* parent = nullptr);
    /// Stops the work and waits for it; its `done` is not called.
    ~Background() override;

    /// Runs `work` in a new thread, then `done` in this one. Precondition: not busy.
    /// `work` must not throw and touches nothing that this thread changes meanwhile.
    void start(std::function<void(Job& job)> work, std::function<void()> done);
    /// Waits up to `milliseconds` (negative: as long as it takes) for the end. True when it is reached: then `done` has
    /// been called.
    bool waitFor(int milliseconds);
    bool isBusy() const { return m_thread != nullptr; }

public Q_SLOTS:
    /// Asks the work to stop; it ends within a few milliseconds, and `done` is called as ever.
    void cancel();

Q_SIGNALS:
    /// Every 50 ms while it works. In thousandths; -1 when nothing is known.
    void progress(int permille);

private:
    void finish();

    QThread* m_thread = nullptr;
    std::shared_ptr<Job> m_job;
    std::function<void()> m_done;
    QTimer m_poll;
};

} // namespace stridescope
