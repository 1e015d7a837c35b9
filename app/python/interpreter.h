#pragma once
// Which Python runs our module: the package that belongs to this program, and an interpreter that can load it.

#include "core/result.h"

#include <optional>
#include <string>
#include <vector>

namespace stridescope {

/// Folders to put on Python's path.
struct PythonPackage {
    std::string folder;  ///< holds `stridescope/`
    std::string asTorch; ///< holds `torch/` and `torchvision/`, which give the package under those names
    /// "as_torch:folder", which is what PYTHONPATH starts with.
    std::string path() const { return asTorch + ":" + folder; }
};

/// The package beside this program, in a build tree or as installed. Refused: PY-01 (built without the module), PY-06
/// (its folder's name has a colon, which separates folders on Python's path).
Result<PythonPackage> pythonPackage();

/// The value of `--python`, else of STRIDESCOPE_PYTHON: a file, or a name that is looked for on PATH. Empty: none.
std::string chosenPython(const std::string& option);

struct PythonFound {
    std::string program;
    std::string note; ///< "'…/python3' is used, …" where another one might be expected; else empty
};

/// The search for an interpreter that loads `package`, one question after the other; who asks them decides whether to
/// wait. `chosen` alone is asked when it is not empty; else `python3` and `python3.11` of PATH, then the interpreter
/// that the module was built for. Of these, one that has no NumPy is taken only when none has it, unless it is the
/// Python of a virtual environment: those are on PATH because somebody put them there. Paths are not resolved: a
/// virtual environment is known by its own.
class PythonSearch {
public:
    /// Longest time that an interpreter has for its answer.
    static constexpr int kAnswerMilliseconds = 20'000;

    PythonSearch(PythonPackage package, const std::string& chosen);
    /// Program and arguments to start now; empty when the search is over.
    std::vector<std::string> question() const;
    /// What it wrote on its standard output, or why there is no answer.
    void answer(const std::string& text, const std::string& failure = {});
    /// Precondition: the search is over. Refused: PY-02 (no such program), PY-03 (another version), PY-04 (none found),
    /// PY-05 (the module does not load).
    Result<PythonFound> result() const;

private:
    PythonPackage m_package;
    std::vector<std::string> m_candidates; ///< not yet asked
    bool m_onlyOne;
    std::string m_found, m_withoutNumpy, m_reasons;
    std::optional<Refusal> m_refusal;
};

/// The whole search; waits for each answer, some hundredths of a second.
Result<PythonFound> findPython(const PythonPackage& package, const std::string& chosen);

} // namespace stridescope
