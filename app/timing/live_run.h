#pragma once
// A sweep in a process of its own, and how it tells what it has measured while it goes on: both ends.
//
// Note [Live runs] `stridescope bench … --live` writes lines "progress SHARE LABEL" and pieces of its run: a line "run
// BYTES", then so many bytes of JSON, a run that holds what is new. All of it between blocks, as progress in a thread
// would be told.

#include "core/timing/record.h"
#include "core/timing/sweep.h"

#include <QByteArray>
#include <QString>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace stridescope {

/// Writes what a sweep finds to `to`, which outlives it.
timing::SweepWatch liveWatch(std::FILE* to);
/// Writes `piece`, as liveWatch does.
void writeLive(std::FILE* to, const timing::Run& piece);

/// Reads it at the other end, as it comes.
class LiveRun {
public:
    /// Begins anew.
    void begin(const std::string& command);
    /// True: run() is another one. What is not as it should be ends it: isBroken().
    bool take(const QByteArray& bytes);
    bool isBroken() const { return m_broken; }

    struct Progress {
        double share = 0;
        QString label;
    };
    /// The last one since this was asked.
    std::optional<Progress> takeProgress() { return std::exchange(m_progress, std::nullopt); }
    const std::shared_ptr<const timing::Run>& run() const { return m_run; }

private:
    bool takeLine(const QByteArray& line);
    bool takePiece(const QByteArray& json);

    std::shared_ptr<const timing::Run> m_run;
    std::optional<Progress> m_progress;
    QByteArray m_bytes;
    qsizetype m_piece = -1; ///< bytes of the piece that is coming; -1: a line is
    bool m_broken = false, m_changed = false;
};

} // namespace stridescope
