#include "app/cli/bench.h"

#include "app/cli/run_script.h"
#include "app/timing/live_run.h"
#include "core/io/json_reader.h"
#include "core/ops/operation_table.h"
#include "core/timing/mistakes.h"
#include "core/timing/report.h"
#include "core/timing/run_file.h"
#include "core/timing/self_test.h"
#include "core/timing/sweep.h"
#include "core/timing/timed_operation.h"

#include <charconv>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <unistd.h>

namespace stridescope {

namespace {

constexpr int kRefused = 1, kInterrupted = 130;

Job g_job;

/// The second Ctrl+C ends the program as ever.
void interrupted(int) {
    g_job.cancel();
}

void watchInterrupts() {
    struct sigaction action {};
    action.sa_handler = interrupted;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(SIGINT, &action, nullptr);
}

int refuse(const Refusal& refusal) {
    std::fprintf(stderr, "stridescope bench: %s (%s)\n", refusal.message.c_str(), refusal.id.c_str());
    if (!refusal.hint.empty()) std::fprintf(stderr, "%s\n", refusal.hint.c_str());
    return kRefused;
}

/// Before time is spent: is there a folder for each file?
std::optional<Refusal> fileProblem(const BenchRequest& request) {
    for (const std::string& file : {request.json, request.csv}) {
        if (file.empty()) continue;
        const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
        std::error_code ignored;
        if (std::filesystem::is_directory(folder, ignored) && access(folder.c_str(), W_OK) == 0) continue;
        return Refusal{ErrorKind::Io,
                       "BENCH-27",
                       "there is no folder to write '" + file + "' to",
                       "Make the folder first, or give another.",
                       {}};
    }
    return std::nullopt;
}

void put(const std::string& text) {
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
}

/// One line on a terminal, written over by the next.
class ProgressLine {
public:
    void show(const std::string& text) {
        if (!m_terminal) return;
        std::fprintf(stderr, "\r\033[K%.*s", 110, text.c_str());
        std::fflush(stderr);
        m_shown = true;
    }
    void clear() {
        if (m_shown) std::fputs("\r\033[K", stderr);
        m_shown = false;
    }

private:
    bool m_terminal = isatty(STDERR_FILENO) == 1, m_shown = false;
};

void save(timing::Run& run, const BenchRequest& request) {
    if (!request.machine.empty()) run.conditions.machine = request.machine;
    if (!request.title.empty()) run.title = request.title;
    if (!request.json.empty()) timing::writeRun(run, request.json);
    if (!request.csv.empty()) timing::writeRun(run, request.csv);
}

/// For the window, which started this.
int sweepLive(const BenchRequest& request) {
    timing::Run piece;
    piece.conditions = timing::conditionsNow();
    writeLive(stdout, piece);
    const timing::Run run = timing::runSweep(request.sweep, g_job, liveWatch(stdout));
    piece.conditions = run.conditions; // with the clock afterwards
    writeLive(stdout, piece);
    return g_job.isCancelled() ? kInterrupted : run.measurements.empty() ? kRefused : 0;
}

int sweep(const BenchRequest& request) {
    if (const auto problem = timing::problemOf(request.sweep)) return refuse(*problem);
    watchInterrupts();
    if (request.live) return sweepLive(request);
    ProgressLine line;
    timing::Run shown; // what the rows need of the run
    timing::SweepWatch watch;
    watch.progress = [&](const timing::SweepProgress& p) {
        char text[64];
        std::snprintf(text, sizeof text, "%zu of %zu, %.0f %%, %.0f s  ", std::min(p.point + 1, p.points), p.points,
                      100 * p.share, p.seconds);
        line.show(text + p.label);
    };
    watch.ceilings = [&](const std::vector<timing::Ceiling>& ceilings) { shown.ceilings = ceilings; };
    watch.measured = [&](const std::vector<timing::Measurement>& measurements, const auto&) {
        line.clear();
        for (const timing::Measurement& m : measurements) put(timing::tableRow(shown, m));
    };
    watch.refused = [&](const std::string& what) {
        line.clear();
        std::fprintf(stderr, "not measured: %s\n", what.c_str());
    };
    put(timing::tableHead());
    timing::Run run = timing::runSweep(request.sweep, g_job, watch);
    line.clear();
    put("\n" + timing::conditionsText(run) + timing::conclusionsText(run));
    save(run, request);
    if (g_job.isCancelled()) {
        std::fputs("stridescope bench: interrupted; what was measured until then stands above\n", stderr);
        return kInterrupted;
    }
    return run.measurements.empty() ? kRefused : 0;
}

int mistake(const BenchRequest& request) {
    watchInterrupts();
    const timing::MistakeCase& one = *timing::findMistake(request.mistake);
    const timing::MistakeRecord record = timing::runMistake(one.id, request.mistakeSize, g_job);
    if (g_job.isCancelled()) return kInterrupted;
    put(std::string(one.title) + "\n" + std::string(one.says) + "\n\n");
    if (!record.missing.empty()) {
        std::fprintf(stderr, "stridescope bench: %s\n", record.missing.c_str());
        return kRefused;
    }
    const auto half = [](const timing::Measurement& m) {
        return " (" + timing::timeText(m.host.lowerQuartile) + " to " + timing::timeText(m.host.upperQuartile) + ")";
    };
    put("the mistake:   " + timing::timeText(record.wrongAnswer) + half(record.wrong) +
        "\nthe right way: " + timing::timeText(record.rightAnswer) + half(record.right) + "\n" + record.found + "\n");
    if (record.verdict.pairs > 0) put(timing::textOf(record.verdict, "the mistake", "the right way") + "\n");
    timing::Run run = timing::runOf(record);
    save(run, request);
    return 0;
}

int selfTest() {
    watchInterrupts();
    bool allHold = true;
    for (const timing::SelfTestResult& result : timing::selfTest(g_job)) {
        put(result.text + "\n");
        allHold = allHold && result.passed;
    }
    if (g_job.isCancelled()) return kInterrupted;
    return allHold ? 0 : kRefused;
}

int list() {
    OpFamily family{};
    bool first = true;
    for (const timing::TimedOperation& operation : timing::timedOperations()) {
        if (first || operation.family != family) put((first ? "" : "\n") + std::string(title(operation.family)) + "\n");
        first = false;
        family = operation.family;
        char row[200];
        std::snprintf(row, sizeof row, "  %-36s %-44s %s\n", std::string(operation.name).c_str(),
                      std::string(operation.statement).c_str(), dtypes::text(operation.dtypes).c_str());
        put(row);
    }
    put("\nWhat takes more than operands of one size is timed as a statement: bench --stmt CODE.\n");
    return 0;
}

int show(const BenchRequest& request) {
    for (const std::string& file : request.files) {
        const Result<timing::Run> run = timing::readRun(file);
        if (!run) return refuse(run.refusal());
        put(file + ": " + (run->title.empty() ? "" : run->title + "; ") + run->label() + "\n" + timing::tableHead());
        for (const timing::Measurement& m : run->measurements) put(timing::tableRow(*run, m));
        put("\n" + timing::conditionsText(*run) + timing::conclusionsText(*run) + "\n");
    }
    return 0;
}

std::string textList(const std::vector<std::string>& texts) {
    std::string list;
    for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + io::jsonQuoted(text);
    return "[" + list + "]";
}

template <class Number>
std::string numberList(const std::vector<Number>& numbers) {
    std::string list;
    for (const Number number : numbers) list += (list.empty() ? "" : ", ") + std::to_string(number);
    return "[" + list + "]";
}

/// Statements are measured by the same engine inside Python: stridescope/_bench.py reads this.
int statements(const BenchRequest& request, const std::vector<std::string>& code, const std::string& setup) {
    const auto number = [](double x) {
        char digits[32];
        return std::string(digits, std::to_chars(digits, digits + sizeof digits, x).ptr);
    };
    const timing::MeasureOptions& measure = request.sweep.measure;
    const std::string text =
        "{\"statements\": " + textList(code) + ", \"setup\": " + io::jsonQuoted(setup) + ", \"sizes\": " +
        numberList(request.what == BenchRequest::What::Mistake ? std::vector<Index>{} : request.sweep.sizes) +
        ", \"threads\": " + numberList(request.sweep.threads) + ", \"max_seconds\": " + number(measure.maxSeconds) +
        ", \"precision\": " + number(measure.precision) + ", \"seed\": " + std::to_string(measure.seed) +
        ", \"json\": " + io::jsonQuoted(request.json) + ", \"csv\": " + io::jsonQuoted(request.csv) +
        ", \"machine\": " + io::jsonQuoted(request.machine) + ", \"title\": " + io::jsonQuoted(request.title) + "}";
    return runScript({request.python, {"-m", "stridescope._bench", text}});
}

int pythonMistake(const BenchRequest& request) {
    const timing::MistakeCase& one = *timing::findMistake(request.mistake);
    put(std::string(one.title) + "\n" + std::string(one.says) + "\n\n");
    const std::string n = std::to_string(request.mistakeSize > 0 ? request.mistakeSize : 1'000'000);
    return statements(request, {std::string(one.wrong), std::string(one.right)},
                      "A = torch.rand(" + n + "); a = A.tolist()");
}

} // namespace

int runBench(const BenchRequest& request) {
    if (const auto problem = fileProblem(request)) return refuse(*problem);
    try {
        switch (request.what) {
        case BenchRequest::What::Statements:
            return statements(request, request.statements, request.setup);
        case BenchRequest::What::Mistake:
            return timing::findMistake(request.mistake)->needsPython ? pythonMistake(request) : mistake(request);
        case BenchRequest::What::SelfTest:
            return selfTest();
        case BenchRequest::What::List:
            return list();
        case BenchRequest::What::Show:
            return show(request);
        case BenchRequest::What::Sweep:
            break;
        }
        return sweep(request);
    } catch (const Error& error) {
        return g_job.isCancelled() ? kInterrupted : refuse(error.refusal());
    }
}

} // namespace stridescope
