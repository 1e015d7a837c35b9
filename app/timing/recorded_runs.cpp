#include "app/timing/recorded_runs.h"

#include "core/error.h"
#include "core/io/text.h"
#include "core/timing/run_file.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <new>

namespace stridescope {

namespace {

/// More curves than can be told apart help nobody.
constexpr std::size_t kMostEntries = 32;

} // namespace

Result<timing::Run> runFromFile(const QString& path) {
    try {
        if (!path.startsWith(QLatin1Char(':'))) return timing::readRun(QFile::encodeName(path).toStdString());
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly))
            return Refusal{ErrorKind::Io, "BENCH-26", file.errorString().toStdString(), {}, {}};
        const QByteArray bytes = file.readAll();
        return timing::runFromJson(std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
    } catch (const Error& error) {
        return error.refusal();
    } catch (const std::bad_alloc&) {
        return Refusal{ErrorKind::Memory, "BENCH-23", "there is not enough memory for it", {}, {}};
    }
}

RecordedRuns::RecordedRuns(QObject* parent) : QObject(parent) {}

void RecordedRuns::open(const QStringList& paths, bool shown) {
    for (const QString& path : paths) m_waiting.push_back({path, shown});
    next();
}

void RecordedRuns::next() {
    if (m_work.isBusy() || m_waiting.empty()) return;
    const Wish wish = m_waiting.front();
    m_waiting.erase(m_waiting.begin());
    const auto read = std::make_shared<std::optional<Result<timing::Run>>>();
    m_work.start([read, path = wish.path](Job&) { *read = runFromFile(path); },
                 [this, read, wish] {
                     const QString name = QFileInfo(wish.path).fileName();
                     if (!**read) {
                         const Refusal& why = (*read)->refusal();
                         Q_EMIT failed(tr("%1 was not opened: %2. %3")
                                           .arg(name, QString::fromStdString(sanitiseForDisplay(why.message)),
                                                QString::fromStdString(sanitiseForDisplay(why.hint)))
                                           .trimmed());
                     } else if (m_entries.size() >= kMostEntries) {
                         Q_EMIT failed(tr("%1 was not opened: %2 series are in the list, that is the most. Remove one.")
                                           .arg(name)
                                           .arg(m_entries.size()));
                     } else {
                         auto run = std::make_shared<const timing::Run>(***read);
                         // Opened again it is read again.
                         std::erase_if(m_entries, [&](const Entry& each) { return each.path == wish.path; });
                         m_entries.push_back({std::move(run), wish.path, wish.shown});
                         Q_EMIT changed();
                         Q_EMIT opened(wish.path);
                     }
                     next();
                 });
}

void RecordedRuns::save(const std::shared_ptr<const timing::Run>& run, const QString& path) {
    if (!run || m_saving.isBusy()) {
        Q_EMIT failed(run ? tr("A run is still being saved.") : tr("There is no run to save."));
        return;
    }
    const auto refusal = std::make_shared<QString>();
    m_saving.start(
        [run, path, refusal](Job&) {
            try {
                timing::writeRun(*run, QFile::encodeName(path).toStdString());
            } catch (const Error& error) {
                *refusal = QString::fromStdString(sanitiseForDisplay(error.refusal().message));
            } catch (const std::bad_alloc&) {
                *refusal = tr("there is not enough memory");
            }
        },
        [this, path, refusal] {
            if (refusal->isEmpty())
                Q_EMIT saved(path);
            else
                Q_EMIT failed(tr("%1 was not saved: %2").arg(QFileInfo(path).fileName(), *refusal));
        });
}

void RecordedRuns::keepPrevious(std::shared_ptr<const timing::Run> run, bool shown) {
    std::erase_if(m_entries, [](const Entry& each) { return each.path.isEmpty(); });
    m_entries.insert(m_entries.begin(), {std::move(run), {}, shown});
    Q_EMIT changed();
}

void RecordedRuns::setShown(int entry, bool shown) {
    if (entry < 0 || entry >= static_cast<int>(m_entries.size())) return;
    bool& now = m_entries[static_cast<std::size_t>(entry)].shown;
    if (std::exchange(now, shown) != shown) Q_EMIT changed();
}

void RecordedRuns::remove(int entry) {
    if (entry < 0 || entry >= static_cast<int>(m_entries.size())) return;
    m_entries.erase(m_entries.begin() + entry);
    Q_EMIT changed();
}

void RecordedRuns::finish() {
    while (isBusy()) m_work.waitFor(-1);
    while (m_saving.isBusy()) m_saving.waitFor(-1);
}

} // namespace stridescope
