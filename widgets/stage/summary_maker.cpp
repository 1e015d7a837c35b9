#include "widgets/stage/summary_maker.h"

#include "core/job.h"
#include "widgets/scene/cell_values.h"
#include "widgets/scene/odd_count.h"
#include "widgets/stage/stage_layout.h"

#include <QThread>

#include <algorithm>
#include <mutex>
#include <optional>

namespace stridescope {

namespace {

/// Between two pictures of what is being filled.
constexpr int kShown = 60;

bool isSame(const Tensor& a, const Tensor& b) {
    return a.storage() == b.storage() && a.dtype() == b.dtype();
}

} // namespace

/// One storage and what is wanted of it.
struct SummaryMaker::Task {
    Tensor source;
    std::shared_ptr<StripSummary> table;
    quint64 version = 0; ///< of the storage, when the table was last known to be true
    std::vector<StripSummary::Range> ranges;
};

/// What the window's thread and the one that reads have in common.
struct SummaryMaker::Shared {
    std::mutex mutex;
    std::vector<Task> tasks;
    bool running = false, ended = false;
    Job job;             ///< of the tile under way
    quint64 current = 0; ///< its storage

    struct Next {
        Tensor source;
        std::shared_ptr<StripSummary> table;
        int level = 0;
        Index tile = 0;
        bool exact = false;
    };
    /// The tile that is wanted most; nothing when all are there.
    std::optional<Next> next() {
        const std::lock_guard lock(mutex);
        if (!ended) {
            job.resume();
            for (const bool exact : {false, true}) {
                for (const Task& task : tasks) {
                    if (std::optional<Next> found = nextOf(task, exact)) {
                        current = task.source.storage()->id();
                        return found;
                    }
                }
            }
        }
        current = 0;
        running = false;
        return std::nullopt;
    }

    static std::optional<Next> nextOf(const Task& task, bool exact) {
        // Samples: the map first. Exactly: first what is in sight; the map is then made of that, where it can be.
        std::vector<StripSummary::Range> ranges = task.ranges;
        if (exact) std::reverse(ranges.begin(), ranges.end());
        for (const StripSummary::Range& range : ranges) {
            if (exact && !isReadWhole(task.source, range.cells)) continue;
            const SlotRange tiles = StripSummary::tilesOf(range.level, range.cells);
            for (Index tile = tiles.first; tile < tiles.last; ++tile) {
                const Known known = task.table->known(range.level, tile);
                if (known == Known::Nothing || (exact && known == Known::Samples))
                    return Next{task.source, task.table, range.level, tile, exact};
            }
        }
        return std::nullopt;
    }

    static void fill(const Next& what, const Job& job) {
        if (what.table->putMerged(what.level, what.tile)) return;
        const Storage& storage = *what.source.storage();
        const quint64 version = storage.version();
        SummaryTilePtr tile = summarise(CellValues(what.source), what.level, what.tile, what.exact, job);
        // Written to meanwhile: a mixture of old and new is no truth.
        if (!tile || (what.exact && storage.version() != version)) return;
        what.table->put(what.level, what.tile, std::move(tile));
    }
};

SummaryMaker::SummaryMaker(QObject* parent) : QObject(parent), m_shared(std::make_shared<Shared>()) {
    m_shown.setSingleShot(true);
    m_shown.setInterval(kShown);
    connect(&m_shown, &QTimer::timeout, this, &SummaryMaker::grown);
}

SummaryMaker::~SummaryMaker() {
    {
        const std::lock_guard lock(m_shared->mutex);
        m_shared->ended = true;
        m_shared->job.cancel();
    }
    if (!m_thread) return;
    m_thread->wait();
    delete m_thread;
}

void SummaryMaker::follow(const std::vector<SummaryWish>& wishes) {
    std::vector<Task> tasks;
    {
        const std::lock_guard lock(m_shared->mutex);
        for (const SummaryWish& wish : wishes) {
            const auto matches = [&wish](const Task& task) {
                return isSame(task.source, wish.source) && task.table->cellCount() == wish.source.storageNumel();
            };
            auto task = std::find_if(tasks.begin(), tasks.end(), matches);
            if (task == tasks.end()) {
                const auto known = std::find_if(m_shared->tasks.begin(), m_shared->tasks.end(), matches);
                const quint64 version = wish.source.storage()->version();
                if (known == m_shared->tasks.end()) {
                    const auto table = std::make_shared<StripSummary>(wish.source.storageNumel());
                    tasks.push_back({wish.source, table, version, {}});
                } else {
                    tasks.push_back({known->source, known->table, known->version, {}});
                    if (known->version != version) known->table->age();
                    tasks.back().version = version;
                }
                task = tasks.end() - 1;
            }
            task->ranges.push_back(wish.range);
        }
        m_shared->tasks = tasks;
        // Nobody looks at it any more, and its memory must not be kept.
        const bool wanted = std::any_of(tasks.begin(), tasks.end(), [this](const Task& task) {
            return task.source.storage()->id() == m_shared->current;
        });
        if (!wanted) m_shared->job.cancel();
    }
    for (const Task& task : tasks) {
        task.table->keepOnly(task.ranges);
        if (task.source.storageNumel() > kCountedAtOnce) continue;
        // Less than a millisecond: sooner done than told.
        for (const StripSummary::Range& range : task.ranges) {
            const SlotRange tiles = StripSummary::tilesOf(range.level, range.cells);
            for (Index tile = tiles.first; tile < tiles.last; ++tile) {
                if (task.table->known(range.level, tile) != Known::All)
                    Shared::fill({task.source, task.table, range.level, tile, true}, Job());
            }
        }
    }
    start();
}

void SummaryMaker::start() {
    {
        const std::lock_guard lock(m_shared->mutex);
        if (m_shared->running) return;
        m_shared->running = true;
    }
    // Nothing to do is told without a thread.
    std::optional<Shared::Next> first = m_shared->next();
    if (!first) return;
    if (m_thread) {
        m_thread->wait(); // it has said that it ends
        delete m_thread;
    }
    m_thread = QThread::create([this, shared = m_shared, first = std::move(first)]() mutable {
        for (std::optional<Shared::Next> next = std::move(first); next; next = shared->next()) {
            Shared::fill(*next, shared->job);
            next->source = {};
            QMetaObject::invokeMethod(
                this,
                [this] {
                    if (!m_shown.isActive()) m_shown.start();
                },
                Qt::QueuedConnection);
        }
    });
    m_thread->start(QThread::LowPriority);
}

Summaries SummaryMaker::summaries() const {
    const std::lock_guard lock(m_shared->mutex);
    Summaries all;
    for (const Task& task : m_shared->tasks) all.add(task.source, {task.table, task.table->generation()});
    return all;
}

std::vector<SummaryWish> wantedSummaries(const StagePlan& plan, bool heat) {
    std::vector<SummaryWish> wishes;
    const auto add = [&wishes](const StripPlan& strip, qreal cellWidth, SlotRange cells) {
        const int level = summaryLevel(cellWidth);
        if (level == 0 || cells.empty() || !CellValues(strip.source).readable()) return;
        wishes.push_back({strip.source, {level, cells}});
    };
    const auto addVisible = [&add](const StripPlan& strip) {
        const StripLayout& layout = strip.layout;
        const SlotRange rows = layout.visibleRows({});
        if (rows.empty()) return;
        const SlotRange first = layout.visibleCells(rows.first, {}), last = layout.visibleCells(rows.last - 1, {});
        add(strip, layout.cellWidth, {first.first, last.last});
    };
    if (plan.strip) {
        const auto cells = static_cast<qreal>(std::max<Index>(plan.strip->layout.cellCount, 1));
        // The map first: it serves as a first picture of what is scrolled to.
        if (!plan.strip->miniMap.isEmpty())
            add(*plan.strip, plan.strip->miniMap.width() / cells, {0, plan.strip->layout.cellCount});
        addVisible(*plan.strip);
    }
    if (heat) {
        for (const StripPlan& strip : plan.others) addVisible(strip);
    }
    return wishes;
}

} // namespace stridescope
