#include "app/session/journal.h"

#include "core/storage/mapped_file.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTimer>

#include <new>
#include <unistd.h>
#include <utility>

namespace stridescope {

namespace {

/// A journal is written anew when it has so many bytes more than count, and several times as many.
constexpr qint64 kSpare = qint64{16} << 20;
constexpr qint64 kTimes = 4;
/// When a state was there, by the clock of the wall. The file's own time is that of whoever touched it last.
constexpr const char* kWhenKey = "journal.when";

} // namespace

Journal::Journal(Workspace* workspace, const QString& folder, QObject* parent)
    : QObject(parent), m_workspace(workspace), m_folder(folder) {
    qRegisterMetaType<SessionFile>();
    connect(workspace, &Workspace::changed, this, &Journal::capture);
    connect(workspace->model(), &WorkspaceModel::valuesChanged, this, [this](quint64 storage) {
        if (const auto kept = m_kept.find(storage); kept != m_kept.end())
            kept->second.dirty = kept->second.touched = true;
    });
}

Journal::~Journal() = default;

bool Journal::open() {
    if (m_writer) return true;
    if (m_folder.isEmpty() || m_ended || !QDir().mkpath(m_folder)) return false;
    QString why;
    for (int number = 1; number < 1000; ++number) {
        const QString path = m_folder + QStringLiteral("/%1-%2.journal").arg(::getpid()).arg(number);
        if (QFile::exists(path)) continue;
        auto file = LockedFile::take(path, &why);
        if (!file) break;
        m_writer = std::make_unique<JournalWriter>(std::move(*file));
        connect(m_writer.get(), &JournalWriter::blobWritten, this, &Journal::blobWritten);
        connect(m_writer.get(), &JournalWriter::placed, this, [this](quint64 storage, const SessionFile& place) {
            const auto kept = m_kept.find(storage);
            if (kept == m_kept.end()) return;
            kept->second.underWay = false;
            kept->second.placeless = place.path.empty();
            if (!place.path.empty()) kept->second.file = place;
            if (!place.path.empty()) kept->second.dirty = false;
            capture();
        });
        connect(m_writer.get(), &JournalWriter::synced, this, [this](quint64 sequence, qint64 bytes) {
            m_failing = false;
            // The last state before a pause tells whether most of the file is of the past.
            if (sequence == m_sequence && m_complete && bytes > kSpare + kTimes * m_live) {
                m_kept.clear();
                m_writer->startAnew();
                capture();
                return;
            }
            Q_EMIT synced();
        });
        connect(m_writer.get(), &JournalWriter::failed, this, [this](const QString& reason) {
            m_kept.clear(); // nobody knows what arrived
            if (!std::exchange(m_failing, true)) Q_EMIT failed(reason);
        });
        return true;
    }
    if (!std::exchange(m_failing, true)) Q_EMIT failed(why);
    return false;
}

void Journal::keep(SessionStorage& storage) {
    Kept& kept = m_kept[storage.storage->id()];
    kept.storage = storage.storage;
    // Not every write is told beside its version: those of the line language are, but so are those of other hands.
    if (kept.version != storage.storage->version()) kept.dirty = kept.touched = true;
    kept.version = storage.storage->version();
    const auto file = mappedFileOf(*storage.storage);
    const bool isFile = file && storage.storage->version() == 0 && storage.bytes > kCopiedAtOnce;
    const bool copies = m_copies && !isFile && storage.bytes <= kLargest;
    if (kept.dirty && (!kept.underWay || copies)) {
        kept.touched = false;
        if (isFile && !kept.file && !kept.placeless) {
            kept.underWay = true;
            m_writer->place(storage);
        } else if (storage.bytes <= kCopiedAtOnce || copies) {
            try {
                kept.blob = m_writer->addBlob(QByteArray(reinterpret_cast<const char*>(storage.storage->data()),
                                                         static_cast<qsizetype>(storage.bytes)));
                kept.dirty = kept.underWay = false;
                kept.awaited = 0;             // those under way are older
            } catch (const std::bad_alloc&) { // tried again with the next change
            }
        } else if (storage.bytes <= kLargest) {
            kept.underWay = true;
            kept.awaited = m_writer->addBlob(storage.storage);
        }
    }
    if (isFile && kept.file) {
        storage.file = kept.file;
        return;
    }
    storage.data = kept.blob != 0 ? blobName(kept.blob) : kBlobLater;
    if (kept.dirty && storage.bytes <= kLargest) {
        m_complete = false;
        m_waits = m_waits || !isFile;
    }
    if (kept.blob != 0) m_live += static_cast<qint64>(storage.bytes);
}

void Journal::capture() {
    if (m_ended || m_workspace->isBusy() || !open()) return; // the line's end is a change, too
    Session session = m_workspace->session();
    m_complete = true;
    m_waits = false;
    m_copies = m_held.isValid() && m_held.elapsed() > kHeld;
    m_live = 0;
    QStringList large;
    std::set<int> tooLarge;
    for (SessionStorage& storage : session.storages) {
        keep(storage);
        // Of a mapped file only the name is kept, as soon as it has been looked at.
        const bool waits = m_kept[storage.storage->id()].underWay;
        if (storage.bytes > kLargest && !storage.file && !waits) tooLarge.insert(storage.number);
    }
    for (const SessionTensor& tensor : session.tensors) {
        const QString name = QString::fromStdString(tensor.name);
        if (tooLarge.count(tensor.storage) && m_toldLarge.insert(name).second) large << name;
    }
    if (!large.isEmpty()) Q_EMIT leftOut(large);
    // A state with other bytes than it had was never there: it waits for them, but not for ever, as somebody may write
    // to them again and again.
    if (m_waits && !m_held.isValid()) {
        m_held.start();
        QTimer::singleShot(kHeld + 1, this, &Journal::capture);
    }
    if (m_waits) return;
    m_held.invalidate();
    session.look = m_look;
    session.look["journal.modified"] = m_workspace->isModified() ? "1" : "0";
    session.look[kWhenKey] = QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs).toStdString();
    const std::string json = sessionJson(session);
    m_writer->addState(QByteArray(json.data(), static_cast<qsizetype>(json.size())), ++m_sequence, m_complete);
    // Storages that only an undo can bring back are written again if it does.
    std::set<quint64> present;
    for (const SessionStorage& storage : session.storages) present.insert(storage.storage->id());
    std::erase_if(m_kept, [&present](const auto& kept) { return present.count(kept.first) == 0; });
}

void Journal::blobWritten(quint64 number, quint64 storageId) {
    const auto found = m_kept.find(storageId);
    if (found == m_kept.end()) return;
    Kept& kept = found->second;
    if (kept.awaited != number) return; // older bytes than are wanted now
    kept.awaited = 0;
    kept.underWay = false;
    // Written to since it was asked for, or perhaps just now: the bytes may be a mixture.
    if (m_workspace->isBusy()) return;
    if (!kept.touched && kept.version == kept.storage->version()) {
        kept.blob = number;
        kept.dirty = false;
    }
    capture();
}

void Journal::flush() {
    if (m_writer) m_writer->flush();
}

void Journal::end() {
    m_ended = true;
    if (m_writer) m_writer->remove();
    m_writer.reset();
}

std::optional<LeftJournal> findLeftJournal(const QString& folder) {
    std::optional<LeftJournal> newest;
    const QDir dir(folder);
    for (const QFileInfo& info : dir.entryInfoList({QStringLiteral("*.journal"), QStringLiteral("*.journal.new")},
                                                   QDir::Files | QDir::NoSymLinks, QDir::Time)) {
        auto file = LockedFile::take(info.filePath());
        if (!file) continue; // of a program that runs
        if (info.suffix() == QStringLiteral("new")) {
            file->remove(); // the one that it was to take the place of is still there
            continue;
        }
        if (newest) continue;
        QFile journal(info.filePath());
        if (!journal.open(QIODevice::ReadOnly)) continue;
        const qint64 size = journal.size();
        const uchar* bytes = size > 0 ? journal.map(0, size) : nullptr;
        const std::span<const std::byte> all(reinterpret_cast<const std::byte*>(bytes),
                                             bytes ? static_cast<std::size_t>(size) : 0);
        Result<JournalContents> contents = readJournal(all, true, Budget::standard());
        if (!contents && (size == 0 || contents.refusal().id == "JOUR-01")) file->remove();
        if (!contents) continue;
        const auto& look = contents->session.look;
        const auto modified = look.find("journal.modified");
        if (modified != look.end() && modified->second == "0") {
            file->remove();
            continue;
        }
        QDateTime when = info.lastModified();
        if (const auto told = look.find(kWhenKey); told != look.end()) {
            const auto said = QDateTime::fromString(QString::fromStdString(told->second), Qt::ISODateWithMs);
            if (said.isValid()) when = said.toLocalTime();
        }
        newest = LeftJournal{std::move(*file), when, std::move(*contents)};
    }
    return newest;
}

} // namespace stridescope
