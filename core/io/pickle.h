#pragma once
// Reads pickles of dicts, lists, texts, integers and NumPy arrays, and nothing else: nothing is imported, nothing is
// called. The four names that such an array is made with are known; every other name is refused.
// Source of the format: CPython's Lib/pickletools.py, which explains every opcode.

#include "core/io/budget.h"

#include <cstdint>
#include <list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stridescope::io {

/// Number of a value within its Pickle.
using PickleRef = std::uint32_t;

struct PickleValue {
    enum class Kind : std::uint8_t { None, Bool, Int, Bytes, List, Tuple, Dict, Global, Array, DType };
    Kind kind = Kind::None;
    std::int64_t number = 0;          ///< of Bool and Int
    std::span<const std::byte> bytes; ///< of Bytes (texts as well) and Array
    std::vector<PickleRef> items;     ///< of List and Tuple; of Dict: key, value, key, value, …
    std::vector<std::int64_t> shape;  ///< of Array
    std::string name;                 ///< of Global: "numpy.dtype"; of DType and Array: "u1"
    bool fortranOrder = false;        ///< of Array
    int depth = 0;                    ///< of what it holds
};

class Pickle {
public:
    const PickleValue& root() const { return m_values[m_root]; }
    const PickleValue& operator[](PickleRef ref) const { return m_values[ref]; }
    /// The value of a text key of a dict; nullptr when it has none.
    const PickleValue* find(const PickleValue& dict, std::string_view key) const;
    std::string_view text(const PickleValue& value) const {
        return {reinterpret_cast<const char*>(value.bytes.data()), value.bytes.size()};
    }

private:
    friend class PickleReader;
    std::vector<PickleValue> m_values;
    std::list<std::vector<std::byte>> m_decoded; ///< bytes that stand in the file as text
    PickleRef m_root = 0;
};

/// Most values of one pickle: CIFAR-100 has 200 000 of them.
inline constexpr std::size_t kMostPickleValues = 1'000'000;

/// Pure; the values of the result point into `file`, which outlives them. Refused: PKL-01 … PKL-05.
Result<Pickle> readPickle(std::span<const std::byte> file, const Budget& budget = {});

} // namespace stridescope::io
