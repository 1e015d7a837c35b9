#pragma once
// Values that are no tensors (numbers, texts, tuples) in the JSON of a session: exact, and read without evaluating.

#include "core/io/json_reader.h"
#include "core/session/session.h"

namespace stridescope {

/// The number of a storage by its id; 0: it is not part of the session.
using StorageNumberOf = std::function<int(std::uint64_t storageId)>;
using StorageOf = std::function<StoragePtr(Index number)>;

/// JSON of `value`, or nothing for what has no place in a session (archives, modules, tensors of no storage there).
std::optional<std::string> valueJson(const expr::Value& value, const StorageNumberOf& numberOf);

/// Reads one; false with the reader's problem() where the JSON is wrong. `whyNot` says why a value that is well formed
/// cannot be: its storage is missing, or it reaches outside.
bool readValue(io::JsonReader& json, const StorageOf& storageOf, expr::Value& value, std::string& whyNot,
               int depth = 0);

/// What a tensor is on its storage: "dtype":"int64","shape":[2],"stride":[1],"offset":0.
std::string layoutJson(const Tensor& tensor);
struct Layout {
    std::optional<DType> dtype;
    View view;
    bool hasShape = false, hasStride = false, hasOffset = false;
    bool isWhole() const { return dtype && hasShape && hasStride && hasOffset; }
};
/// Reads the value of member `key` if it belongs to a layout. `known` says whether it did.
bool readLayout(io::JsonReader& json, const std::string& key, Layout& layout, bool& known);
/// The tensor, or why not.
Result<Tensor> tensorOf(const Layout& layout, const StoragePtr& storage);

bool readIntegers(io::JsonReader& json, std::vector<Index>& out, std::size_t most);
std::string listJson(std::span<const Index> numbers);

} // namespace stridescope
