#include "app/cli/command_line.h"

#include "app/cli/argument_cursor.h"
#include "app/cli/bench_arguments.h"
#include "app/cli/demos.h"

#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

namespace stridescope {

namespace {

constexpr int kLargestSide = 20000;

std::optional<UsageError> readSize(const std::string& text, RenderRequest& request) {
    const std::size_t cross = text.find('x');
    const bool ok = cross != std::string::npos && readWhole(text.substr(0, cross), request.width) &&
                    readWhole(text.substr(cross + 1), request.height) && request.width > 0 && request.height > 0 &&
                    request.width <= kLargestSide && request.height <= kLargestSide;
    if (ok) return std::nullopt;
    return UsageError{"--size needs WIDTHxHEIGHT, each 1 to " + std::to_string(kLargestSide) + ", found '" + text +
                      "'"};
}

std::optional<UsageError> readScale(const std::string& text, RenderRequest& request) {
    if (readWhole(text, request.scale) && std::isfinite(request.scale) && request.scale >= 0.1 && request.scale <= 16)
        return std::nullopt;
    return UsageError{"--scale needs a number from 0.1 to 16, found '" + text + "'"};
}

std::optional<UsageError> readTimeout(const std::string& text, RenderRequest& request) {
    if (readWhole(text, request.seconds) && std::isfinite(request.seconds) && request.seconds >= 0 &&
        request.seconds <= 86400)
        return std::nullopt;
    return UsageError{"--timeout needs a number of seconds from 0 to 86400, found '" + text + "'"};
}

std::optional<UsageError> readPick(const std::string& text, RenderRequest& request) {
    request.hasPick = true;
    request.pick.clear();
    if (text.empty()) return std::nullopt; // the one coord of a tensor without dims
    std::size_t start = 0;
    while (true) {
        const std::size_t comma = text.find(',', start);
        long long number = 0;
        if (!readWhole(text.substr(start, comma == std::string::npos ? comma : comma - start), number))
            return UsageError{"--pick needs integers such as 1,2, found '" + text + "'"};
        request.pick.push_back(number);
        if (comma == std::string::npos) return std::nullopt;
        start = comma + 1;
    }
}

std::optional<UsageError> readShow(const std::string& text, RenderRequest& request) {
    std::size_t start = 0;
    while (true) {
        const std::size_t comma = text.find(',', start);
        const std::string name = text.substr(start, comma == std::string::npos ? comma : comma - start);
        if (name.empty()) return UsageError{"--show needs names such as A,B or the word all, found '" + text + "'"};
        request.show.push_back(name);
        if (comma == std::string::npos) return std::nullopt;
        start = comma + 1;
    }
}

std::optional<UsageError> readTheme(const std::string& text, RenderRequest& request) {
    if (text != "light" && text != "dark") return UsageError{"--theme is light or dark, found '" + text + "'"};
    request.dark = text == "dark";
    return std::nullopt;
}

std::optional<UsageError> readCells(const std::string& text, RenderRequest& request) {
    if (text != "numbers" && text != "colours")
        return UsageError{"--cells is numbers or colours, found '" + text + "'"};
    request.cells = text == "colours" ? RenderRequest::Cells::Colours : RenderRequest::Cells::Numbers;
    return std::nullopt;
}

std::optional<UsageError> readFigure(const std::string& text, RenderRequest& request) {
    using Kind = RenderRequest::Kind;
    static const std::map<std::string, Kind> kKinds{{"storage", Kind::Storage}, {"broadcast", Kind::Broadcast},
                                                    {"motion", Kind::Motion},   {"blocks", Kind::Blocks},
                                                    {"grid", Kind::Grid},       {"devices", Kind::Devices}};
    const auto kind = kKinds.find(text);
    if (kind == kKinds.end())
        return UsageError{"--figure is storage, broadcast, motion, blocks, grid or devices, found '" + text + "'"};
    request.figure = kind->second;
    return std::nullopt;
}

std::optional<UsageError> readFrame(const std::string& text, RenderRequest& request) {
    request.hasFrame = true;
    if (readWhole(text, request.frame) && request.frame >= 0 && request.frame <= 1) return std::nullopt;
    return UsageError{"--frame needs a number from 0 to 1, found '" + text + "'"};
}

/// Takes the value of one option of `render`; `known` is false when there is no such option.
std::optional<UsageError> readRenderOption(const std::string& name, const std::string& value, RenderRequest& request) {
    if (name == "-o" || name == "--output") {
        request.output = value;
    } else if (name == "--demo") {
        request.demo = value;
    } else if (name == "--code") {
        request.code = value;
    } else if (name == "--select") {
        request.select = value;
    } else if (name == "--show") {
        return readShow(value, request);
    } else if (name == "--size") {
        return readSize(value, request);
    } else if (name == "--scale") {
        return readScale(value, request);
    } else if (name == "--timeout") {
        return readTimeout(value, request);
    } else if (name == "--pick") {
        return readPick(value, request);
    } else if (name == "--cells") {
        return readCells(value, request);
    } else if (name == "--figure") {
        return readFigure(value, request);
    } else if (name == "--line") {
        request.line = value;
    } else if (name == "--frame") {
        return readFrame(value, request);
    } else {
        return readTheme(value, request);
    }
    return std::nullopt;
}

bool isRenderOption(const std::string& name) {
    for (const char* known : {"-o", "--output", "--demo", "--code", "--select", "--show", "--size", "--scale",
                              "--timeout", "--pick", "--theme", "--cells", "--figure", "--line", "--frame"}) {
        if (name == known) return true;
    }
    return false;
}

std::variant<CommandLine, UsageError> parseRender(Cursor& cursor) {
    CommandLine line;
    line.action = CommandLine::Action::Render;
    std::set<std::string> given;
    bool optionsEnded = false;
    while (!cursor.atEnd()) {
        const std::string argument = cursor.take();
        if (optionsEnded || !isOption(argument)) {
            if (!line.render.file.empty())
                return UsageError{"render draws one file, found a second: '" + argument + "'"};
            line.render.file = argument;
            continue;
        }
        if (argument == "--") {
            optionsEnded = true;
            continue;
        }
        if (argument == "-h" || argument == "--help") {
            line.action = CommandLine::Action::Help;
            line.helpTopic = "render";
            return line;
        }
        const std::size_t equals = argument.rfind("--", 0) == 0 ? argument.find('=') : std::string::npos;
        const std::string name = argument.substr(0, equals);
        if (!isRenderOption(name)) return UsageError{"render: unknown option '" + name + "'"};
        std::optional<std::string> value;
        if (equals != std::string::npos)
            value = argument.substr(equals + 1);
        else
            value = cursor.takeValue();
        if (!value) return UsageError{"render: option " + name + " needs a value"};
        if (!given.insert(name == "-o" ? "--output" : name).second)
            return UsageError{"render: option " + name + " is given twice"};
        if (auto error = readRenderOption(name, *value, line.render)) return *error;
    }
    if (const std::string& demo = line.render.demo; !demo.empty() && !findDemo(demo))
        return UsageError{"render: there is no demo '" + demo + "'; known: " + demoNames()};
    if (line.render.output.empty()) return UsageError{"render: option -o FILE is missing"};
    const auto figure = line.render.figure;
    const bool broadcast = figure == RenderRequest::Kind::Broadcast, storage = figure == RenderRequest::Kind::Storage;
    const std::string& file = line.render.file;
    const bool script = file.size() > 3 && file.compare(file.size() - 3, 3, ".py") == 0;
    if (broadcast && line.render.line.empty() && !script)
        return UsageError{"render: --figure broadcast needs --line CODE, such as --line 'A + B'"};
    if (storage && !line.render.line.empty())
        return UsageError{"render: --line belongs to --figure broadcast, motion or blocks"};
    if (line.render.hasFrame && line.render.hasPick && !broadcast)
        return UsageError{"render: --frame and --pick choose one and the same: give one of them"};
    if (figure == RenderRequest::Kind::Devices && !script && !(file.empty() && line.render.demo.empty()))
        return UsageError{"render: --figure devices is about a script, .py, or about no file: what there is"};
    const bool nothing = line.render.file.empty() && line.render.demo.empty();
    if (nothing && figure == RenderRequest::Kind::Devices) return line;
    // The lines can make their own tensors.
    if (nothing && !(line.render.line.empty() && line.render.code.empty())) return line;
    if (line.render.file.empty() == line.render.demo.empty())
        return UsageError{"render: give one of FILE, --demo NAME and --code LINES"};
    return line;
}

/// Options of Python in which the package would not be found, or another torch would be; nothing for all others.
/// `isLast`: what follows belongs to the program that runs. `takesNext`: the next argument is its value.
std::optional<UsageError> readPythonOption(const std::string& option, bool& isLast, bool& takesNext) {
    for (std::size_t i = 1; i < option.size(); ++i) {
        const char letter = option[i];
        if (letter == 'I' || letter == 'E')
            return UsageError{"run: Python's option -" + std::string(1, letter) + " in '" + option +
                              "' would hide the package"};
        isLast = letter == 'c' || letter == 'm';
        takesNext = (letter == 'W' || letter == 'X') && i + 1 == option.size();
        if (isLast || letter == 'W' || letter == 'X') break;
    }
    return std::nullopt;
}

std::variant<CommandLine, UsageError> parseRun(Cursor& cursor) {
    CommandLine line;
    line.action = CommandLine::Action::Run;
    bool ended = false; ///< what follows is the script's
    while (!ended && !cursor.atEnd()) {
        const std::string& argument = cursor.peek();
        if (argument == "-h" || argument == "--help") {
            line.action = CommandLine::Action::Help;
            line.helpTopic = "run";
            return line;
        }
        if (argument == "--python" || argument.rfind("--python=", 0) == 0) {
            const std::string whole = cursor.take();
            const auto value = whole.size() > 8 ? std::optional(whole.substr(9)) : cursor.takeValue();
            if (!value || value->empty()) return UsageError{"run: option --python needs a file or a name"};
            line.run.python = *value;
            continue;
        }
        const bool isLong = argument.rfind("--", 0) == 0;
        ended = !isOption(argument) || argument == "--";
        bool takesNext = argument == "--check-hash-based-pycs";
        if (!ended && !isLong) {
            if (auto error = readPythonOption(argument, ended, takesNext)) return *error;
        }
        line.run.arguments.push_back(cursor.take());
        if (takesNext && !cursor.atEnd()) line.run.arguments.push_back(cursor.take());
    }
    while (!cursor.atEnd()) line.run.arguments.push_back(cursor.take());
    return line;
}

std::variant<CommandLine, UsageError> parseLesson(Cursor& cursor) {
    CommandLine line;
    line.action = CommandLine::Action::Lesson;
    const std::string act = cursor.atEnd() ? "" : cursor.take();
    if (act == "-h" || act == "--help") {
        line.action = CommandLine::Action::Help;
        line.helpTopic = "lesson";
        return line;
    }
    if (act == "check")
        line.lesson.act = LessonRequest::Act::Check;
    else if (act == "show")
        line.lesson.act = LessonRequest::Act::Show;
    else if (act == "open")
        line.lesson.act = LessonRequest::Act::Open;
    else if (act != "list")
        return UsageError{"lesson: list, check, show or open, found '" + act + "'"};
    while (!cursor.atEnd()) {
        const std::string argument = cursor.take();
        if (argument == "--seed" && line.lesson.act == LessonRequest::Act::Show) {
            const auto value = cursor.takeValue();
            if (!value || !readWhole(*value, line.lesson.seed))
                return UsageError{"lesson: --seed needs a whole number, found '" + value.value_or("") + "'"};
        } else if (isOption(argument)) {
            return UsageError{"lesson: unknown option '" + argument + "'"};
        } else {
            line.lesson.files.push_back(argument);
        }
    }
    const std::size_t files = line.lesson.files.size();
    if (line.lesson.act == LessonRequest::Act::List && files > 0)
        return UsageError{"lesson list takes no arguments, found '" + line.lesson.files.front() + "'"};
    if (line.lesson.act == LessonRequest::Act::Show && files != 1)
        return UsageError{"lesson show needs one file or id, found " + std::to_string(files)};
    if (line.lesson.act == LessonRequest::Act::Open) {
        if (files != 1) return UsageError{"lesson open needs one file or id, found " + std::to_string(files)};
        line.lessonLink = line.lesson.files.front();
        line.action = CommandLine::Action::Window;
    }
    return line;
}

std::variant<CommandLine, UsageError> ofTopic(const std::string& topic, std::variant<CommandLine, UsageError> parsed) {
    if (auto* error = std::get_if<UsageError>(&parsed)) error->topic = topic;
    return parsed;
}

} // namespace

std::variant<CommandLine, UsageError> parseCommandLine(const std::vector<std::string>& arguments) {
    Cursor cursor(arguments);
    CommandLine line;
    if (!cursor.atEnd() && cursor.peek() == "render") {
        const std::string topic = cursor.take();
        return ofTopic(topic, parseRender(cursor));
    }
    if (!cursor.atEnd() && cursor.peek() == "run") {
        const std::string topic = cursor.take();
        return ofTopic(topic, parseRun(cursor));
    }
    if (!cursor.atEnd() && cursor.peek() == "lesson") {
        const std::string topic = cursor.take();
        return ofTopic(topic, parseLesson(cursor));
    }
    if (!cursor.atEnd() && cursor.peek() == "bench") {
        const std::string topic = cursor.take();
        return ofTopic(topic, parseBench(cursor));
    }
    for (const auto& [word, action] : {std::pair{"devices", CommandLine::Action::Devices},
                                       std::pair{"operations", CommandLine::Action::Operations}}) {
        if (cursor.atEnd() || cursor.peek() != word) continue;
        cursor.take();
        line.action = action;
        if (!cursor.atEnd()) return UsageError{word + (" takes no arguments, found '" + cursor.take()) + "'"};
        return line;
    }
    bool optionsEnded = false;
    while (!cursor.atEnd()) {
        const std::string argument = cursor.take();
        if (optionsEnded || !isOption(argument)) {
            line.files.push_back(argument);
        } else if (argument == "--") {
            optionsEnded = true;
        } else if (argument == "--version" || argument == "-v") {
            line.action = CommandLine::Action::Version;
        } else if (argument == "--help" || argument == "-h") {
            line.action = CommandLine::Action::Help;
        } else if (argument == "--read-clipboard") {
            line.action = CommandLine::Action::ReadClipboard;
        } else if (argument == "--decode-pictures") {
            line.action = CommandLine::Action::DecodePictures;
        } else {
            return UsageError{"unknown option '" + argument + "'"};
        }
    }
    if (line.action != CommandLine::Action::Window && !line.files.empty())
        return UsageError{"--version, --help, --read-clipboard and --decode-pictures take no file, found '" +
                          line.files.front() + "'"};
    return line;
}

std::string usageText(const std::string& topic) {
    if (topic == "render")
        return "Usage: stridescope render (FILE | --demo NAME | --code LINES) -o OUT.svg|... [options]\n"
               "Draws a storage and its views without a window.\n"
               "\n"
               "  FILE              a session, .npy, .npz, .safetensors, PNG, JPEG, BMP, PPM or PGM; or a Python\n"
               "                    script, .py, which is run for the tensors that it leaves\n"
               "  --demo NAME       a built-in example; an unknown NAME lists them\n"
               "  -o, --output OUT  the ending chooses the format; .tex is a LaTeX document,\n"
               "                    .tikz its picture alone, .txt plain text\n"
               "  --code LINES      run first; the tensor of data.npy is called data:\n"
               "                    --code \"B = data.t(); C = B[1]\"; or what makes all that is drawn,\n"
               "                    with no FILE: --code \"A = torch.arange(12).view(3, 4)\"\n"
               "  --show A,B        the tensors that are drawn, or all (default: the newest four)\n"
               "  --select NAME     the tensor whose cells are marked on the strip\n"
               "  --pick I,J        its picked cell, drawn with links and formula\n"
               "  --figure KIND     storage (the default); broadcast: how the sizes of a line meet;\n"
               "                    motion: what an operation moves; blocks: the tensors before\n"
               "                    and after it in projection; grid: a tensor's cells alone;\n"
               "                    devices: what a script gave to devices, and what there is\n"
               "  --line CODE       the line of --figure broadcast, motion or blocks, \"A.t()\"; one\n"
               "                    that makes its own tensors needs no FILE. Without it: of\n"
               "                    broadcast the line of a script that failed, else the last that\n"
               "                    computes element by element; of motion and blocks the last\n"
               "                    operation. What is refused is drawn with its reason, for all kinds\n"
               "  --frame T         its moment, 0 to 1: of broadcast, motion and devices that of\n"
               "                    what moves (default 1, the end); of storage, grid and blocks a walk in\n"
               "                    reading order comes to an element of the tensor, of what an\n"
               "                    operation makes: 0 is the first one, 1 the last one. OUT.gif,\n"
               "                    OUT.webp and OUT.html hold all moments, OUT-%d.png one\n"
               "                    picture for each\n"
               "  --cells KIND      numbers, or colours: pictures in their own (default: by size);\n"
               "                    the storage's cells are colours then, too\n"
               "  --size WxH        in logical pixels (default 1280x800, wider where the\n"
               "                    cards need it); the demos that are figures of one thing,\n"
               "                    blocks and view-fails, take the height that they need\n"
               "  --scale N         PNG only: pixels per logical pixel, 0.1 to 16\n"
               "  --timeout S       seconds that opening or running the file may take (default 60)\n"
               "  --theme light|dark\n";
    if (topic == "run")
        return "Usage: stridescope run [--python FILE] [Python's options] SCRIPT [arguments...]\n"
               "       stridescope run ... -m MODULE | -c CODE | - [arguments...]\n"
               "Python runs the script; torch and torchvision in it are Stridescope's. Output, exit\n"
               "code and signals are that Python's. With no SCRIPT: Python's own prompt.\n"
               "\n"
               "  --python FILE     the interpreter, CPython 3.11: a file or a name on PATH. Else\n"
               "                    STRIDESCOPE_PYTHON names it; else python3 or python3.11 of PATH\n"
               "                    is taken, or the one that Stridescope was built with: the first\n"
               "                    that has NumPy or is a virtual environment's\n"
               "\n"
               "Python's options -I and -E are refused: they would hide the package.\n"
               "Exit code 127: there is no Python that can run it (said on stderr).\n";
    if (topic == "lesson")
        return "Usage: stridescope lesson list\n"
               "       stridescope lesson check [FILE...]\n"
               "       stridescope lesson show FILE|ID [--seed N]\n"
               "       stridescope lesson open FILE|ID[#STOP]\n"
               "Lessons. check reads each file (default: the built-in lessons) and begins\n"
               "every stop with 50 draws of its numbers; show prints a lesson with its answers, as drawn by\n"
               "seed N (default 1). open shows it in the window, at a stop's number or heading.\n"
               "docs/lesson-format.md says how a lesson is written.\n";
    if (topic == "bench") return benchUsageText();
    return "Usage: stridescope [FILE...]            the window; opens the files\n"
           "       stridescope render ... -o OUT    a picture without a window (render --help)\n"
           "       stridescope run SCRIPT ...       a Python script whose torch is Stridescope's (run --help)\n"
           "       stridescope bench ...            times of operations and statements (bench --help)\n"
           "       stridescope lesson list|check|show|open ...  lessons, for who writes them (lesson --help)\n"
           "       stridescope devices              what can compute here, or why not\n"
           "       stridescope operations           every operation, its shapes, dtypes and refusals (Markdown)\n"
           "       stridescope --version | --help\n"
           "\n"
           "FILE is a session (.stridescope), .npy, .npz, .safetensors, PNG, JPEG, BMP, PPM or PGM; -- ends the "
           "options.\n"
           "Exit codes: 0 done, 1 refused (said on stderr), 2 wrong arguments, 3 no display.\n";
}

} // namespace stridescope
