#pragma once
// Ways to time wrongly, each beside the right one, measured here and now.

#include "core/timing/record.h"
#include "core/timing/sweep.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stridescope::timing {

struct MistakeCase {
    std::string_view id;           ///< "no-synchronise"
    std::string_view title;        ///< "No synchronise"
    std::string_view wrong, right; ///< code of both
    std::string_view says;         ///< what goes wrong, one or two sentences
    bool needsDevice = false;
    bool needsPython = false; ///< runs as `stridescope bench --mistake ID` alone, in a Python of its own
};
/// no-synchronise, no-warm-up, transfer-in, transfer-out, too-few-runs, python-loop, inverse, columns.
std::span<const MistakeCase> mistakeCases();
const MistakeCase* findMistake(std::string_view id);

/// A stretch of time of one of two lanes, in seconds since the clock of the example was started.
struct Stretch {
    bool onDevice = false;
    std::string label; ///< "launch", "wait", "mm", "H2D", "D2H", "first call"
    double start = 0, end = 0;
};
/// What happened, and the bracket that the clock saw.
struct Lanes {
    std::vector<Stretch> stretches;
    double clockStart = 0, clockStop = 0;
};

/// Cache lines that a walk touches: of `lineBytes`, where `cacheLines` of them stay.
struct LineTally {
    double loads = 0;        ///< elements read
    double linesFetched = 0; ///< cache lines that had to come
    double linesNeeded = 0;  ///< that hold all elements
};
/// Sums an {n, n} matrix row by row, or column by column, through a cache of `cacheBytes` that forgets the oldest line.
LineTally lineTally(Index n, std::size_t itemBytes, bool byColumns, std::size_t lineBytes, std::size_t cacheBytes);

struct MistakeRecord {
    std::string id;
    std::string missing; ///< why it could not be run here ("needs a GPU: …"); empty when it was
    std::string device;  ///< that it ran on
    Index n = 0;
    Measurement wrong, right;
    Verdict verdict;                         ///< first: wrong, second: right
    double wrongAnswer = 0, rightAnswer = 0; ///< seconds that each way of timing reports
    Lanes wrongLanes, rightLanes;            ///< of one call; empty where there is nothing to draw
    LineTally wrongLines, rightLines;        ///< of "columns"
    std::string found;                       ///< one sentence with the figures
};

/// The two measurements as a run, to be saved.
Run runOf(const MistakeRecord& record);

/// @throws Error BENCH-30 for an unknown id or one that needs Python.
/// @param n 0: the case's own size.
MistakeRecord runMistake(std::string_view id, Index n, Job& job, const Instruments& instruments = systemInstruments(),
                         bool allowSimulated = false);

} // namespace stridescope::timing
