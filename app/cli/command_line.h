#pragma once
// The command line as a value: pure parsing, no Qt, no files touched.

#include "core/timing/sweep.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace stridescope {

/// `stridescope render …`: a picture without a window.
struct RenderRequest {
    std::string file; ///< empty when `demo` is set
    std::string demo;
    std::string output;
    int width = 0, height = 0; ///< 0: the picture's natural size
    enum class Cells { BySize, Numbers, Colours };
    Cells cells = Cells::BySize; ///< what the cards' cells are drawn as
    bool dark = false;
    double scale = 1;
    double seconds = 60;           ///< that opening the file may take
    std::string code;              ///< lines to run first: "B = data.t(); C = B[1]"
    std::string select;            ///< name of the tensor to select
    std::vector<std::string> show; ///< names of the tensors that are drawn, or "all"; empty: the newest four
    std::vector<long long> pick;
    bool hasPick = false;
    enum class Kind { Storage, Broadcast, Motion, Blocks, Grid, Devices };
    Kind figure = Kind::Storage;
    std::string line; ///< that the figure is about: "A + B"
    double frame = 1; ///< moment of the figure, 0 … 1
    bool hasFrame = false;
    /// A figure of something that moves; the others are walked through where a moment is asked for.
    bool alwaysMoves() const { return figure == Kind::Broadcast || figure == Kind::Motion; }
};

/// `stridescope run …`: a script in a Python of its own.
struct RunRequest {
    std::string python;                 ///< of --python; empty: looked for
    std::vector<std::string> arguments; ///< Python's: its options, the script, the script's arguments
};

/// `stridescope lesson …`: lessons without a window.
struct LessonRequest {
    enum class Act { List, Check, Show, Open };
    Act act = Act::List;
    std::vector<std::string> files; ///< of Check: none for the built-in ones; of Show and Open: one file, or an id
    unsigned seed = 1;              ///< of Show
};

/// `stridescope bench …`: times without a window.
struct BenchRequest {
    enum class What { Sweep, Statements, Mistake, SelfTest, List, Show };
    What what = What::Sweep;
    timing::SweepRequest sweep;
    std::vector<std::string> statements; ///< of Python, measured in turns
    std::string setup;
    std::string mistake;
    Index mistakeSize = 0;          ///< 0: its own
    std::vector<std::string> files; ///< recorded runs that are shown
    std::string json, csv;          ///< files to write; empty: none
    std::string machine, title;     ///< instead of the host's name; of the run
    std::string python;             ///< for statements; empty: looked for
    bool live = false;              ///< for the window, which reads what is measured while it is measured
};

struct CommandLine {
    enum class Action {
        Window,
        Render,
        Run,
        Bench,
        Devices,
        Operations,
        Lesson,
        Version,
        Help,
        // For the program itself, which starts itself again:
        ReadClipboard,  ///< so as not to wait
        DecodePictures, ///< so that a decoder that crashes takes nothing with it
    };
    Action action = Action::Window;
    std::string helpTopic; ///< "", "render", "run", "lesson" or "bench"
    std::vector<std::string> files;
    std::string lessonLink; ///< for the window: "storage-offset-stride#3"
    RenderRequest render;
    RunRequest run;
    LessonRequest lesson;
    BenchRequest bench;
};

/// What is wrong with the arguments, in one line.
struct UsageError {
    std::string message;
    std::string topic = {}; ///< of the help that tells more: "", "render", "run", "lesson" or "bench"
};

/// Arguments without the program's name. File names are bytes: they need not be UTF-8.
std::variant<CommandLine, UsageError> parseCommandLine(const std::vector<std::string>& arguments);

/// Text of `--help`, `render --help`, `run --help`, `lesson --help` or `bench --help`.
std::string usageText(const std::string& topic = {});

} // namespace stridescope
