#include "widgets/stage/odd_counter.h"

#include "core/job.h"
#include "widgets/stage/stage_layout.h"

#include <QThread>

#include <algorithm>
#include <utility>

namespace stridescope {

namespace {

/// Pictures come first: counting begins when they had so long, and values that change all the time are counted so
/// often at most.
constexpr int kIdle = 200;

bool isSame(const Tensor& a, const Tensor& b) {
    return a.storage() == b.storage() && a.dtype() == b.dtype();
}

} // namespace

struct OddCounter::Work {
    Tensor source;
    quint64 version = 0;
    Job job;
    std::optional<OddValues> result;
};

OddCounter::OddCounter(QObject* parent) : QObject(parent) {
    m_idle.setSingleShot(true);
    m_idle.setInterval(kIdle);
    connect(&m_idle, &QTimer::timeout, this, &OddCounter::startNext);
}

OddCounter::~OddCounter() {
    letGo();
    for (QThread* thread : m_threads) {
        thread->wait();
        delete thread;
    }
}

void OddCounter::follow(std::vector<Tensor> sources) {
    const auto isFollowed = [&sources](const Tensor& tensor) {
        return std::any_of(sources.begin(), sources.end(), [&](const Tensor& t) { return isSame(t, tensor); });
    };
    // Nobody looks at it any more, and its memory must not be kept.
    if (m_work && !isFollowed(m_work->source)) letGo();
    m_sources = std::move(sources);
    m_counts.keepOnly(m_sources);
    const bool missing = std::any_of(m_sources.begin(), m_sources.end(), [this](const Tensor& source) {
        return isCountedApart(source) && !m_counts.isFresh(source);
    });
    if (missing && !m_work && !m_idle.isActive()) m_idle.start();
}

void OddCounter::startNext() {
    if (m_work) return;
    const auto next = std::find_if(m_sources.begin(), m_sources.end(), [this](const Tensor& source) {
        return isCountedApart(source) && !m_counts.isFresh(source);
    });
    if (next == m_sources.end()) return;
    m_work = std::make_shared<Work>();
    m_work->source = *next;
    m_work->version = next->storage()->version();
    m_thread = QThread::create([work = m_work] { work->result = countOdd(work->source, work->job); });
    m_threads.push_back(m_thread);
    connect(
        m_thread, &QThread::finished, this, [this, thread = m_thread] { ended(thread); }, Qt::QueuedConnection);
    m_thread->start(QThread::IdlePriority);
}

void OddCounter::ended(QThread* thread) {
    thread->wait();
    std::erase(m_threads, thread);
    const bool wanted = thread == m_thread;
    delete thread; // not later: the last one may end when no loop is left to delete it
    if (!wanted) return;
    m_thread = nullptr;
    const std::shared_ptr<Work> work = std::exchange(m_work, nullptr);
    if (work->result) m_counts.set(work->source, work->version, *work->result);
    if (!m_idle.isActive()) m_idle.start();
    Q_EMIT counted();
}

/// The thread ends when it gets to it: on a busy machine one of lowest priority may take its time.
void OddCounter::letGo() {
    if (!m_work) return;
    m_work->job.cancel();
    m_work.reset();
    m_thread = nullptr;
}

std::vector<Tensor> colouredStorages(const StagePlan& plan) {
    std::vector<Tensor> sources;
    const auto add = [&sources](const Tensor& tensor) {
        const bool known =
            std::any_of(sources.begin(), sources.end(), [&](const Tensor& t) { return isSame(t, tensor); });
        if (!known) sources.push_back(wholeStorage(tensor));
    };
    if (plan.strip && !plan.colourBar.isEmpty()) add(plan.strip->source);
    for (const CardLayout& card : plan.cards) {
        if (card.colourBar && card.channel < 0) add(card.input.entry->tensor);
    }
    return sources;
}

} // namespace stridescope
