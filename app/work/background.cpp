#include "app/work/background.h"

#include <QDeadlineTimer>

#include <utility>

namespace stridescope {

namespace {

constexpr int kPollInterval = 50;

} // namespace

Background::Background(QObject* parent) : QObject(parent) {
    m_poll.setInterval(kPollInterval);
    connect(&m_poll, &QTimer::timeout, this, [this] { Q_EMIT progress(m_job ? m_job->permille() : -1); });
}

Background::~Background() {
    if (!m_thread) return;
    cancel();
    m_thread->wait();
    delete m_thread;
}

void Background::start(std::function<void(Job& job)> work, std::function<void()> done) {
    Q_ASSERT(!m_thread);
    m_job = std::make_shared<Job>();
    m_done = std::move(done);
    m_thread = QThread::create([job = m_job, run = std::move(work)] {
        const JobScope scope(*job);
        run(*job);
    });
    QThread* thread = m_thread;
    // Queued: a wait that saw the end itself has taken the thread away by then.
    connect(
        m_thread, &QThread::finished, this,
        [this, thread] {
            if (m_thread == thread) finish();
        },
        Qt::QueuedConnection);
    m_thread->start();
    m_poll.start();
}

bool Background::waitFor(int milliseconds) {
    if (!m_thread) return true;
    if (!m_thread->wait(milliseconds < 0 ? QDeadlineTimer(QDeadlineTimer::Forever) : QDeadlineTimer(milliseconds)))
        return false;
    finish();
    return true;
}

void Background::cancel() {
    if (m_job) m_job->cancel();
}

void Background::finish() {
    m_poll.stop();
    m_thread->wait();
    delete m_thread; // not later: the program's last piece of work ends when no loop is left to delete it
    m_thread = nullptr;
    m_job.reset();
    // It may start the next piece of work.
    const auto done = std::exchange(m_done, nullptr);
    if (done) done();
}

} // namespace stridescope
