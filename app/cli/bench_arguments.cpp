#include "app/cli/bench_arguments.h"

#include "core/timing/mistakes.h"

#include <cmath>
#include <map>
#include <set>

namespace stridescope {

namespace {

using What = BenchRequest::What;

/// Options that stand alone, and those that take a value.
const std::set<std::string> kSwitches{"--no-transfers", "--no-peaks", "--self-test", "--list", "--live"};
const std::set<std::string> kValues{"--op",      "--sizes",    "--dtype",     "--layout", "--devices", "--threads",
                                    "--cache",   "--max-time", "--precision", "--seed",   "--stmt",    "--setup",
                                    "--mistake", "--size",     "--show",      "--json",   "--csv",     "--machine",
                                    "--title",   "--python",   "--rounds",    "--warm-up"};
/// Options that may be given again.
const std::set<std::string> kMany{"--stmt", "--show"};

/// The value of a text form of the sweep, or its refusal in one line.
template <class T>
std::optional<UsageError> take(Result<T> read, T& target) {
    if (!read) {
        const Refusal& refusal = read.refusal();
        return UsageError{"bench: " + refusal.message + (refusal.hint.empty() ? "" : ". " + refusal.hint)};
    }
    target = std::move(*read);
    return std::nullopt;
}

std::optional<UsageError> takeNumber(const std::string& name, const std::string& text, double least, double most,
                                     double& target) {
    if (readWhole(text, target) && std::isfinite(target) && target >= least && target <= most) return std::nullopt;
    const auto shown = [](double x) {
        std::string digits = std::to_string(x);
        digits.erase(digits.find_last_not_of('0') + 1);
        return digits.back() == '.' ? digits.substr(0, digits.size() - 1) : digits;
    };
    return UsageError{"bench: " + name + " needs a number from " + shown(least) + " to " + shown(most) + ", found '" +
                      text + "'"};
}

std::optional<UsageError> takeFile(const std::string& name, const std::string& text, const std::string& ending,
                                   std::string& target) {
    target = text;
    if (text.size() > ending.size() && text.compare(text.size() - ending.size(), ending.size(), ending) == 0)
        return std::nullopt;
    return UsageError{"bench: " + name + " needs a file that ends in " + ending + ", found '" + text + "'"};
}

std::optional<UsageError> takeCache(const std::string& text, timing::Cache& cache) {
    for (const timing::Cache one : {timing::Cache::ByOperation, timing::Cache::Warm, timing::Cache::Cold}) {
        if (text != timing::name(one)) continue;
        cache = one;
        return std::nullopt;
    }
    return UsageError{"bench: --cache is default, warm or cold, found '" + text + "'"};
}

std::optional<UsageError> takeMistake(const std::string& text, BenchRequest& request) {
    request.mistake = text;
    if (timing::findMistake(text)) return std::nullopt;
    std::string known;
    for (const timing::MistakeCase& one : timing::mistakeCases())
        known += (known.empty() ? "" : ", ") + std::string(one.id);
    return UsageError{"bench: there is no mistake '" + text + "'; known: " + known};
}

std::optional<UsageError> takeOption(const std::string& name, const std::string& value, BenchRequest& request) {
    timing::SweepRequest& sweep = request.sweep;
    if (name == "--op") return take(timing::operationsFromText(value), sweep.operations);
    if (name == "--sizes") return take(timing::sizesFromText(value), sweep.sizes);
    if (name == "--dtype") return take(timing::dtypesFromText(value), sweep.dtypes);
    if (name == "--layout") return take(timing::layoutsFromText(value), sweep.layouts);
    if (name == "--devices") return take(timing::devicesFromText(value), sweep.devices);
    if (name == "--threads") return take(timing::threadsFromText(value), sweep.threads);
    if (name == "--cache") return takeCache(value, sweep.cache);
    if (name == "--max-time") return takeNumber(name, value, 0.01, 3600, sweep.measure.maxSeconds);
    if (name == "--precision") return takeNumber(name, value, 0.001, 1, sweep.measure.precision);
    if (name == "--warm-up") {
        double seconds = 0;
        auto error = takeNumber(name, value, 0, 3600, seconds);
        sweep.setWarmUp(seconds);
        return error;
    }
    if (name == "--rounds") {
        int most = 0;
        if (!readWhole(value, most) || most < 1 || most > 100'000)
            return UsageError{"bench: --rounds needs a whole number from 1 to 100000, found '" + value + "'"};
        sweep.setRounds(most);
        return std::nullopt;
    }
    if (name == "--mistake") return takeMistake(value, request);
    if (name == "--json") return takeFile(name, value, ".json", request.json);
    if (name == "--csv") return takeFile(name, value, ".csv", request.csv);
    if (name == "--seed" && !readWhole(value, sweep.measure.seed))
        return UsageError{"bench: --seed needs a whole number from 0 on, found '" + value + "'"};
    if (name == "--size" && (!readWhole(value, request.mistakeSize) || request.mistakeSize < 1))
        return UsageError{"bench: --size needs a whole number from 1 on, found '" + value + "'"};
    if (name == "--stmt") request.statements.push_back(value);
    if (name == "--setup") request.setup = value;
    if (name == "--show") request.files.push_back(value);
    if (name == "--machine") request.machine = value;
    if (name == "--title") request.title = value;
    if (name == "--python") request.python = value;
    return std::nullopt;
}

/// What is asked for, and the options that belong to it.
std::optional<UsageError> decide(const std::set<std::string>& given, BenchRequest& request) {
    static const std::set<std::string> kMeasuring{"--max-time", "--precision", "--seed", "--json",
                                                  "--csv",      "--machine",   "--title"};
    static const std::set<std::string> kSaving{"--json", "--csv", "--machine", "--title"};
    const std::map<std::string, std::pair<What, std::set<std::string>>> kinds{
        {"--op",
         {What::Sweep,
          {"--sizes", "--dtype", "--layout", "--devices", "--threads", "--cache", "--no-transfers", "--no-peaks",
           "--rounds", "--warm-up", "--live"}}},
        {"--stmt", {What::Statements, {"--setup", "--sizes", "--threads", "--python"}}},
        {"--mistake", {What::Mistake, {"--size", "--python"}}},
        {"--self-test", {What::SelfTest, {}}},
        {"--list", {What::List, {}}},
        {"--show", {What::Show, {}}},
    };
    const std::string choices = "--op, --stmt, --mistake, --self-test, --list or --show";
    std::string chosen;
    for (const auto& [option, kind] : kinds) {
        if (!given.count(option)) continue;
        if (!chosen.empty()) return UsageError{"bench: " + chosen + " and " + option + " do not go together"};
        chosen = option;
    }
    if (chosen.empty()) return UsageError{"bench: what is to be timed? Give one of " + choices};
    const auto& [what, own] = kinds.at(chosen);
    request.what = what;
    const bool measures = what == What::Sweep || what == What::Statements;
    for (const std::string& option : given) {
        const bool belongs = option == chosen || own.count(option) || (measures && kMeasuring.count(option)) ||
                             (what == What::Mistake && kSaving.count(option));
        if (!belongs) return UsageError{"bench: " + option + " does not go with " + chosen};
    }
    return std::nullopt;
}

} // namespace

std::variant<CommandLine, UsageError> parseBench(Cursor& cursor) {
    CommandLine line;
    line.action = CommandLine::Action::Bench;
    std::set<std::string> given;
    while (!cursor.atEnd()) {
        const std::string argument = cursor.take();
        if (argument == "-h" || argument == "--help") {
            line.action = CommandLine::Action::Help;
            line.helpTopic = "bench";
            return line;
        }
        if (!isOption(argument)) return UsageError{"bench takes options alone, found '" + argument + "'"};
        const std::size_t equals = argument.find('=');
        const std::string name = argument.substr(0, equals);
        const bool isSwitch = kSwitches.count(name) > 0;
        if (!isSwitch && !kValues.count(name)) return UsageError{"bench: unknown option '" + name + "'"};
        if (!given.insert(name).second && !kMany.count(name))
            return UsageError{"bench: option " + name + " is given twice"};
        if (isSwitch) {
            if (equals != std::string::npos) return UsageError{"bench: option " + name + " takes no value"};
            if (name == "--no-transfers") line.bench.sweep.transfers = false;
            if (name == "--no-peaks") line.bench.sweep.ceilings = false;
            if (name == "--live") line.bench.live = true;
            continue;
        }
        const auto value =
            equals != std::string::npos ? std::optional(argument.substr(equals + 1)) : cursor.takeValue();
        if (!value || value->empty()) return UsageError{"bench: option " + name + " needs a value"};
        if (auto error = takeOption(name, *value, line.bench)) return *error;
    }
    if (auto error = decide(given, line.bench)) return *error;
    if (line.bench.what == What::Statements && !given.count("--sizes")) line.bench.sweep.sizes.clear();
    return line;
}

std::string benchUsageText() {
    return "Usage: stridescope bench --op NAMES [options]       a sweep of operations\n"
           "       stridescope bench --stmt CODE [--stmt CODE] [--setup CODE] [--sizes ...]\n"
           "       stridescope bench --mistake ID [--size N]    a way to time wrongly beside the right one\n"
           "       stridescope bench --show FILE [--show FILE]  recorded runs as a table\n"
           "       stridescope bench --list | --self-test\n"
           "Times without a window, as docs/timing.md says: warmed up, in blocks of calls, all\n"
           "contenders in turns, noise watched. The table grows line by line on stdout.\n"
           "\n"
           "  --op NAMES        of --list: mm,add,linalg.solve\n"
           "  --sizes S         64:8192:x2 (doubled), 100:1000:+100 or 64,500 (default 64:1024:x2)\n"
           "  --dtype T         float32,float64,... (default float32)\n"
           "  --layout L        contiguous,transposed,stepped,expanded (default contiguous)\n"
           "  --devices D       cpu,cuda:0 (default cpu); transfers are timed apart and together\n"
           "  --threads N       of the CPU: 1,2 (default 1)\n"
           "  --cache C         warm, cold, or default: warm for products and algebra, cold for\n"
           "                    what moves memory\n"
           "  --no-transfers    not the copies to and from devices\n"
           "  --no-peaks        do not measure this machine's peaks first\n"
           "  --stmt CODE       of Python, where torch is Stridescope's and n is the size; several\n"
           "                    are measured in turns\n"
           "  --setup CODE      run before it\n"
           "  --python FILE     the interpreter for it (see: stridescope run --help)\n"
           "  --mistake ID      no-synchronise, no-warm-up, transfer-in, transfer-out,\n"
           "                    too-few-runs, python-loop, inverse, columns\n"
           "  --max-time S      seconds for each contender at each size (default 3)\n"
           "  --rounds N        at most so many blocks of each (default 1000)\n"
           "  --warm-up S       seconds at most before it counts; 0: none (default 1)\n"
           "  --precision P     stops when the median is known to this part (default 0.02)\n"
           "  --seed N          of operands and turns (default 1)\n"
           "  --json FILE       every sample, conditions and verdicts\n"
           "  --csv FILE        one line for each sample\n"
           "  --machine NAME    in the record, instead of this host's name\n"
           "  --title TEXT      of the record\n"
           "\n"
           "Exit codes: 0 done, 1 refused or nothing measured, 2 wrong arguments, 130 interrupted\n"
           "(Ctrl+C: what was measured until then is shown and written).\n";
}

} // namespace stridescope
