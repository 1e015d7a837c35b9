#pragma once
// Which Python runs our module: the package that belongs to this program, and an interpreter that can load it.

#include "core/result.h"

#include <functional>
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

/// Full path of an interpreter that loads `package`. `chosen` alone is tried when it is not empty; else `python3` and
/// `python3.11` of PATH, then the interpreter that the module was built for. The path is not resolved: a virtual
/// environment is known by it. Starts each candidate for some hundredths of a second and waits for its answer.
/// Refused: PY-02 (no such program), PY-03 (another version), PY-04 (none found), PY-05 (the module does not load).
Result<std::string> findPython(const PythonPackage& package, const std::string& chosen);

} // namespace stridescope
