#include "app/timing/live_run.h"

#include "core/io/text.h"
#include "core/timing/run_file.h"

#include <iterator>
#include <utility>

namespace stridescope {

namespace {

constexpr qsizetype kLongestLine = 4096;

/// What is new is put behind what is there; conditions and peaks take the place of earlier ones.
void append(timing::Run& run, timing::Run piece) {
    if (!piece.conditions.date.empty()) run.conditions = std::move(piece.conditions);
    if (!piece.ceilings.empty()) run.ceilings = std::move(piece.ceilings);
    for (timing::Comparison c : piece.comparisons) {
        c.first += run.measurements.size();
        c.second += run.measurements.size();
        run.comparisons.push_back(c);
    }
    const auto move = [](auto& from, auto& to) {
        to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
    };
    move(piece.measurements, run.measurements);
    move(piece.refused, run.refused);
}

} // namespace

void writeLive(std::FILE* to, const timing::Run& piece) {
    const std::string json = timing::jsonOf(piece);
    std::fprintf(to, "run %zu\n", json.size());
    std::fwrite(json.data(), 1, json.size(), to);
    std::fflush(to);
}

timing::SweepWatch liveWatch(std::FILE* to) {
    timing::SweepWatch watch;
    watch.progress = [to](const timing::SweepProgress& at) {
        std::fprintf(to, "progress %.6f %s\n", at.share, sanitiseForDisplay(at.label, 400).c_str());
        std::fflush(to);
    };
    watch.ceilings = [to](const std::vector<timing::Ceiling>& found) {
        timing::Run piece;
        piece.ceilings = found;
        writeLive(to, piece);
    };
    watch.measured = [to](const std::vector<timing::Measurement>& found, const auto&) {
        timing::Run piece;
        piece.measurements = found;
        writeLive(to, piece);
    };
    watch.refused = [to](const std::string& why) {
        timing::Run piece;
        piece.refused.push_back(why);
        writeLive(to, piece);
    };
    return watch;
}

void LiveRun::begin(const std::string& command) {
    *this = {};
    auto run = std::make_shared<timing::Run>();
    run->command = command;
    m_run = run;
}

bool LiveRun::takeLine(const QByteArray& line) {
    if (line.startsWith("run ")) {
        bool isNumber = false;
        m_piece = line.mid(4).toLongLong(&isNumber);
        return isNumber && m_piece > 0 && m_piece <= static_cast<qsizetype>(timing::kMaxRunBytes);
    }
    if (!line.startsWith("progress ")) return false;
    const qsizetype blank = line.indexOf(' ', 9);
    bool isNumber = false;
    const double share = line.mid(9, blank < 0 ? -1 : blank - 9).toDouble(&isNumber);
    if (!isNumber || !(share >= 0 && share <= 1) || blank < 0) return false;
    m_progress = Progress{share, QString::fromStdString(sanitiseForDisplay(line.mid(blank + 1).toStdString(), 400))};
    return true;
}

bool LiveRun::takePiece(const QByteArray& json) {
    auto piece = timing::runFromJson({json.constData(), static_cast<std::size_t>(json.size())});
    if (!piece) return false;
    auto next = std::make_shared<timing::Run>(*m_run);
    append(*next, *std::move(piece));
    m_run = std::move(next);
    m_changed = true;
    return true;
}

bool LiveRun::take(const QByteArray& bytes) {
    if (m_broken) return false;
    m_bytes += bytes;
    qsizetype at = 0;
    while (!m_broken) {
        if (m_piece >= 0) {
            if (m_bytes.size() - at < m_piece) break;
            m_broken = !takePiece(m_bytes.mid(at, m_piece));
            at += std::exchange(m_piece, -1);
            continue;
        }
        const qsizetype end = m_bytes.indexOf('\n', at);
        if (end < 0) {
            m_broken = m_bytes.size() - at > kLongestLine;
            break;
        }
        m_broken = end - at > kLongestLine || !takeLine(m_bytes.mid(at, end - at));
        at = end + 1;
    }
    m_bytes.remove(0, at);
    return std::exchange(m_changed, false);
}

} // namespace stridescope
