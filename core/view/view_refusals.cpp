#include "core/view/view_refusals.h"

#include <algorithm>

namespace stridescope::refuse {

namespace {

constexpr std::size_t kMaxLine = 140;
constexpr std::size_t kMaxListed = 8;

std::string num(Index value) {
    return std::to_string(value);
}

std::string range(Index lowest, Index highest) {
    return "[" + num(lowest) + ", " + num(highest) + "]";
}

/// Joins two sentences on one line if that stays short enough, else on two.
std::string sentences(const std::string& first, const std::string& second, const char* gap = " ") {
    return first + (first.size() + second.size() + 2 <= kMaxLine ? gap : "\n") + second;
}

std::string signedStep(Index step) {
    return step >= 0 ? "+" + num(step) : num(step);
}

} // namespace

RefusalPtr make(ErrorKind kind, const char* id, std::string message, std::string hint, RefusalDetail detail) {
    const std::size_t lineEnd = std::min(message.find('\n'), message.size());
    if (lineEnd > kMaxLine) message.replace(kMaxLine - 3, lineEnd - (kMaxLine - 3), "...");
    auto refusal = std::make_unique<Refusal>();
    refusal->kind = kind;
    refusal->id = id;
    refusal->message = std::move(message);
    refusal->hint = std::move(hint);
    refusal->detail = std::move(detail);
    return refusal;
}

std::string shortList(std::span<const Index> dims) {
    if (dims.size() <= kMaxListed) return toListString(dims);
    std::string text = toListString(dims.first(kMaxListed));
    text.back() = ',';
    return text + " ...] (" + std::to_string(dims.size()) + " numbers)";
}

std::string wideToString(WideIndex value) {
    if (value == 0) return "0";
    const bool negative = value < 0;
    std::string digits;
    for (; value != 0; value /= 10) {
        const int digit = static_cast<int>(value % 10);
        digits.push_back(static_cast<char>('0' + (digit < 0 ? -digit : digit)));
    }
    if (negative) digits.push_back('-');
    std::reverse(digits.begin(), digits.end());
    return digits;
}

RefusalPtr dimOutOfRange(Index got, Index ndim) {
    const Index count = std::max<Index>(ndim, 1);
    return make(ErrorKind::Index, "VIEW-01",
                "Dimension out of range (expected to be in range of " + range(-count, count - 1) + ", but got " +
                    num(got) + ")",
                "Dims count from 0 at the left, or from -1 at the right.", DimOutOfRange{got, ndim});
}

RefusalPtr zeroDim(const char* op, ErrorKind kind) {
    const std::string name = op;
    const bool pieces = name == "split" || name == "chunk";
    return make(
        kind, "VIEW-02",
        pieces ? name + " expects at least a 1-dimensional tensor" : name + "() cannot be applied to a 0-dim tensor.",
        "A 0-d tensor has one element and no dim to walk along; unsqueeze(0) gives it one.", DimOutOfRange{0, 0});
}

RefusalPtr dimOfZeroDim(Index dim) {
    return make(ErrorKind::Index, "VIEW-02", "Dimension specified as " + num(dim) + " but tensor has no dimensions",
                "A 0-d tensor has one element and no dim to walk along; unsqueeze(0) gives it one.",
                DimOutOfRange{dim, 0});
}

RefusalPtr selectIndex(const View& v, Index dim, Index index) {
    const Index size = v.shape[static_cast<std::size_t>(dim)];
    return make(ErrorKind::Index, "VIEW-03",
                "select(): index " + num(index) + " out of range for tensor of size " + shortList(v.shape) +
                    " at dimension " + num(dim),
                size == 0 ? "Dim " + num(dim) + " has size 0: there is nothing to select."
                          : "Use an index from " + num(-size) + " to " + num(size - 1) + ".",
                IndexOutOfRange{dim, index, size});
}

RefusalPtr narrowStart(Index dim, Index start, Index size) {
    return make(ErrorKind::Index, "VIEW-04",
                "narrow(): start " + num(start) + " out of range for dimension " + num(dim) + " of size " + num(size) +
                    " (expected to be in range of " + range(-std::max<Index>(size, 1), size) + ")",
                "Use a start from 0 to " + num(size) + ".", IndexOutOfRange{dim, start, size});
}

RefusalPtr narrowLength(Index dim, Index start, Index length, Index size) {
    const std::string asked = "start (" + num(start) + ") + length (" + num(length) + ")";
    return make(ErrorKind::Runtime, "VIEW-04",
                length < 0 ? "narrow(): length " + num(length) + " is negative; lengths are 0 or more"
                           : asked + " exceeds dimension size (" + num(size) + ").",
                "From start " + num(start) + " use a length from 0 to " + num(size - start) + ".",
                IndexOutOfRange{dim, clampToIndex(WideIndex{start} + length), size});
}

RefusalPtr sliceStep(Index step) {
    return make(ErrorKind::Value, "VIEW-05", step == 0 ? "slice step cannot be zero" : "step must be greater than zero",
                "PyTorch has no negative strides; flip() makes a reversed copy.");
}

RefusalPtr diagonalDims(Index dim1, Index dim2) {
    return make(ErrorKind::Runtime, "VIEW-06",
                "diagonal dimensions cannot be identical " + num(dim1) + ", " + num(dim2),
                "A diagonal needs two different dims.");
}

RefusalPtr unfoldSize(Index dim, Index window, Index size) {
    return make(ErrorKind::Runtime, "VIEW-07",
                window < 0 ? "size is " + num(window) + " but must be >= 0"
                           : "maximum size for tensor at dimension " + num(dim) + " is " + num(size) + " but size is " +
                                 num(window),
                "Use a window of 0 to " + num(size) + " elements.", IndexOutOfRange{dim, window, size});
}

RefusalPtr unfoldStep(Index dim, Index step, Index size) {
    return make(ErrorKind::Runtime, "VIEW-07", "step is " + num(step) + " but must be > 0", "Use a step of 1 or more.",
                IndexOutOfRange{dim, step, size});
}

RefusalPtr tooManyForT(Index ndim) {
    return make(ErrorKind::Runtime, "VIEW-08",
                "t() expects a tensor with <= 2 dimensions, but self is " + num(ndim) + "D",
                "transpose(dim0, dim1) swaps two dims of any tensor.");
}

RefusalPtr permuteCount(Index ndim, Index count) {
    return make(
        ErrorKind::Runtime, "VIEW-09",
        sentences("permute(): number of dimensions in the tensor input does not match the length of the desired "
                  "ordering of dimensions",
                  "i.e. input.dim() = " + num(ndim) + " is not equal to len(dims) = " + num(count)),
        "Name every dim once; to move only some, use movedim.");
}

RefusalPtr duplicateDim(const char* message, std::span<const Index> dims) {
    return make(ErrorKind::Runtime, "VIEW-10", std::string(message) + " (" + shortList(dims) + ")",
                "Name each dim once; -1 and the last dim are the same.");
}

RefusalPtr movedimCounts(std::span<const Index> source, std::span<const Index> destination) {
    return make(ErrorKind::Runtime, "VIEW-11",
                sentences("movedim: Invalid source or destination dims: source (" + shortList(source) +
                              " dims) should contain the same number of dims",
                          "as destination (" + shortList(destination) + " dims)"),
                "Give one destination for each source.");
}

RefusalPtr negativeSize(Index dim, Index size) {
    return make(ErrorKind::Runtime, "VIEW-12",
                "invalid shape dimension " + num(size) + ": size of dim " + num(dim) + " is " + num(size) +
                    "; sizes are 0 or more",
                "Use 0 or a positive size.", IndexOutOfRange{dim, size, 0});
}

RefusalPtr secondInferred(std::span<const Index> shape) {
    return make(ErrorKind::Runtime, "VIEW-13", "only one dimension can be inferred, but got " + shortList(shape),
                "Replace all -1 but one by sizes.");
}

RefusalPtr numelMismatch(std::span<const Index> shape, Index wanted, Index numel) {
    const bool infers = std::find(shape.begin(), shape.end(), Index{-1}) != shape.end();
    std::string hint =
        infers ? "The sizes beside -1 multiply to " + num(wanted) + ", which does not divide " + num(numel) + "."
               : "The sizes multiply to " + num(wanted) + "; they must multiply to " + num(numel) + ".";
    return make(ErrorKind::Runtime, "VIEW-14",
                "shape '" + shortList(shape) + "' is invalid for input of size " + num(numel), std::move(hint),
                NumelMismatch{wanted, numel});
}

RefusalPtr ambiguousInferred(std::span<const Index> shape) {
    return make(ErrorKind::Runtime, "VIEW-15",
                sentences("cannot reshape tensor of 0 elements into shape " + shortList(shape),
                          "because the unspecified dimension size -1 can be any value and is ambiguous"),
                "Replace -1 by a size: beside a size of 0 every size fits.");
}

RefusalPtr cannotView(const View& v, std::span<const Index> shape, const ViewMergeFailure& why) {
    const auto d = static_cast<std::size_t>(why.dim);
    std::string hint = "Use .reshape(...) instead. Dims " + num(why.dim) + " and " + num(why.dim + 1) +
                       " cannot merge: stride " + num(v.stride[d]) + " is not " + num(why.wantedStride) +
                       "; at element " + num(why.position) + " of " + shortList(shape) + " the step " +
                       signedStep(why.stepSoFar) + " would have to become " + signedStep(why.stepNeeded) + ".";
    return make(ErrorKind::Runtime, "VIEW-16",
                "view size is not compatible with input tensor's size and stride "
                "(at least one dimension spans across two contiguous subspaces).",
                std::move(hint), why);
}

RefusalPtr flattenOrder(Index startDim, Index endDim) {
    return make(ErrorKind::Runtime, "VIEW-17",
                "flatten() has invalid args: start_dim cannot come after end_dim (" + num(startDim) + " > " +
                    num(endDim) + ")",
                "Swap the two dims.");
}

RefusalPtr unflattenEmpty() {
    return make(ErrorKind::Runtime, "VIEW-18", "unflatten: sizes must be non-empty",
                "Give the sizes that the dim shall be split into.");
}

RefusalPtr unflattenSizes(std::span<const Index> sizes, Index dim, Index size) {
    WideIndex product = 1;
    for (const Index s : sizes)
        if (s >= 0) product = clampToIndex(product * s);
    return make(ErrorKind::Runtime, "VIEW-18",
                "unflatten: Provided sizes " + shortList(sizes) + " don't multiply up to the size of dim " + num(dim) +
                    " (" + num(size) + ") in the input tensor",
                "The sizes must multiply to " + num(size) + "; one of them may be -1.",
                NumelMismatch{static_cast<Index>(product), size});
}

RefusalPtr expandCount(const View& v, std::span<const Index> sizes) {
    return make(ErrorKind::Runtime, "VIEW-19",
                sentences("expand(" + shortList(v.shape) + ", size=" + shortList(sizes) + "):",
                          "the number of sizes provided (" + std::to_string(sizes.size()) +
                              ") must be greater or equal to the number of dimensions in the tensor (" +
                              std::to_string(v.shape.size()) + ")"),
                "Give a size for every dim; -1 keeps one.");
}

RefusalPtr expandSize(const View& v, std::span<const Index> sizes, Index at, Index size) {
    const Index wanted = sizes[static_cast<std::size_t>(at)];
    std::vector<Index> meant(sizes.begin(), sizes.end()); // with the sizes that -1 keeps
    for (std::size_t i = sizes.size() - v.shape.size(); i < sizes.size(); ++i)
        if (meant[i] == -1) meant[i] = v.shape[i - (sizes.size() - v.shape.size())];
    return make(ErrorKind::Runtime, "VIEW-20",
                sentences("The expanded size of the tensor (" + num(wanted) + ") must match the existing size (" +
                              num(size) + ") at non-singleton dimension " + num(at) + ".",
                          "Target sizes: " + shortList(sizes) + ".  Tensor sizes: " + shortList(v.shape), "  "),
                "Only a size of 1 can be expanded: keep " + num(size) +
                    " here, or cut the dim to 1 with narrow() first.",
                BroadcastConflict{at, wanted, size, {v.shape.begin(), v.shape.end()}, std::move(meant)});
}

RefusalPtr expandLeading(Index at) {
    return make(ErrorKind::Runtime, "VIEW-21",
                "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension " + num(at),
                "-1 keeps the size of a dim that is there; give a number for a new one.");
}

RefusalPtr ranksDiffer(std::size_t sizes, std::size_t strides) {
    return make(ErrorKind::Runtime, "VIEW-22",
                "mismatch in length of strides and shape: " + std::to_string(sizes) +
                    (sizes == 1 ? " size but " : " sizes but ") + std::to_string(strides) +
                    (strides == 1 ? " stride" : " strides"),
                "Give one stride for every size.");
}

RefusalPtr negativeStride(std::span<const Index> strides) {
    return make(ErrorKind::Runtime, "VIEW-23",
                "as_strided: Negative strides are not supported at the moment, got strides: " + shortList(strides),
                "Strides are 0 or more here; flip() makes a reversed copy.");
}

RefusalPtr negativeOffset(Index offset) {
    return make(ErrorKind::Runtime, "VIEW-24", "Tensor: invalid storage offset " + num(offset),
                "The offset counts elements from the start of the storage: 0 or more.");
}

RefusalPtr outOfStorage(const View& v, const Reach& r, Index storageNumel) {
    const WideIndex needed = WideIndex{r.highest} + 1;
    const std::string what =
        "sizes " + shortList(v.shape) + ", strides " + shortList(v.stride) + ", storage offset " + num(v.offset);
    if (r.lowest < 0) {
        return make(
            ErrorKind::Runtime, "VIEW-25", sentences("reaches slot " + num(r.lowest) + ", before the storage:", what),
            "With a negative stride the offset must be at least " + wideToString(WideIndex{v.offset} - r.lowest) + ".",
            StorageOutOfBounds{r.lowest, r.highest, clampToIndex(needed), storageNumel});
    }
    return make(ErrorKind::Runtime, "VIEW-25",
                sentences("needs " + wideToString(needed) + " elements, storage has " + num(storageNumel) + ":", what),
                "Make a size, a stride or the offset smaller: the highest slot is " + num(r.highest) +
                    ", the last of the storage is " + num(storageNumel - 1) + ".",
                StorageOutOfBounds{r.lowest, r.highest, clampToIndex(needed), storageNumel});
}

RefusalPtr tooManyElements(std::span<const Index> shape) {
    WideIndex product = 1;
    bool exact = true;
    for (const Index size : shape) {
        if (size <= 0) continue;
        if (product > (WideIndex{1} << 126) / size) {
            exact = false;
            break;
        }
        product *= size;
    }
    return make(ErrorKind::Runtime, "VIEW-26",
                sentences("numel: integer multiplication overflow: " +
                              (exact ? wideToString(product) + " elements" : std::string("more than 2^126 elements")) +
                              ", more than 2^63 - 1",
                          "(sizes " + shortList(shape) + ")"),
                "Use smaller sizes; a size of 0 counts as 1 here.");
}

RefusalPtr beyondAddresses(std::span<const Index> shape, std::span<const Index> stride) {
    return make(ErrorKind::Runtime, "VIEW-27",
                sentences("Storage size calculation overflowed: the view reaches beyond 64-bit addresses",
                          "with sizes=" + shortList(shape) + " and strides=" + shortList(stride)),
                "Use smaller sizes, strides or offset.");
}

RefusalPtr strideOverflow(const char* op, Index dim, Index stride, Index factor) {
    return make(ErrorKind::Runtime, "VIEW-27",
                std::string(op) + ": the new stride or offset of dim " + num(dim) + " does not fit 64 bits (" +
                    num(stride) + " and " + num(factor) + ")",
                "Use a smaller number.");
}

RefusalPtr tooManyDims(std::size_t ndim) {
    return make(ErrorKind::Runtime, "VIEW-28", std::to_string(ndim) + " dims; limit " + num(kMaxDims),
                "Merge some dims with reshape or flatten first.");
}

RefusalPtr flipIsACopy(std::span<const Index> dims) {
    return make(ErrorKind::Runtime, "VIEW-29",
                "flip(" + shortList(dims) + ") is not a view: it would need negative strides, which PyTorch lacks",
                "flip() makes a reversed copy.");
}

RefusalPtr splitSize(Index splitSize, Index size) {
    return make(ErrorKind::Runtime, "VIEW-30",
                splitSize < 0
                    ? "split expects split_size be non-negative, but got split_size=" + num(splitSize)
                    : "split_size can only be 0 if dimension size is 0, but got dimension size of " + num(size),
                "Use a split size of 1 or more.");
}

RefusalPtr splitSizes(std::span<const Index> sizes, Index dim, Index size, bool negative) {
    WideIndex sum = 0;
    for (const Index s : sizes) sum += s;
    const std::string got = "but got split_sizes=" + shortList(sizes);
    if (negative) {
        return make(ErrorKind::Runtime, "VIEW-31",
                    sentences("split_with_sizes expects split_sizes have only non-negative entries,", got),
                    "Use sizes of 0 or more.", NumelMismatch{clampToIndex(sum), size});
    }
    return make(ErrorKind::Runtime, "VIEW-31",
                sentences("split_with_sizes expects split_sizes to sum exactly to " + num(size) +
                              " (input tensor's size at dimension " + num(dim) + "),",
                          got),
                "The sizes sum to " + wideToString(sum) + ", the dim has " + num(size) + ".",
                NumelMismatch{clampToIndex(sum), size});
}

RefusalPtr chunkCount(Index chunks) {
    return make(ErrorKind::Runtime, "VIEW-32", "chunk expects `chunks` to be greater than 0, got: " + num(chunks),
                "Use 1 or more chunks.");
}

RefusalPtr tooManyPieces(Index pieces, Index limit) {
    const auto bytes = static_cast<WideIndex>(sizeof(View));
    return make(ErrorKind::Memory, "VIEW-33", num(pieces) + " views would be made; limit " + num(limit),
                "Use larger pieces, or narrow the dim first.",
                BytesExceeded{clampToIndex(pieces * bytes), clampToIndex(limit * bytes)});
}

RefusalPtr noBroadcast(Index dim, std::span<const Index> first, std::span<const Index> second) {
    const auto ndim = static_cast<Index>(std::max(first.size(), second.size()));
    const auto sizeOf = [&](std::span<const Index> shape) {
        return shape[static_cast<std::size_t>(dim - ndim + static_cast<Index>(shape.size()))];
    };
    const Index a = sizeOf(first);
    const Index b = sizeOf(second);
    return make(ErrorKind::Runtime, "VIEW-34",
                "The size of tensor a (" + num(a) + ") must match the size of tensor b (" + num(b) +
                    ") at non-singleton dimension " + num(dim),
                "Shapes are aligned at the right; two sizes fit if they are equal or one of them is 1. "
                "unsqueeze adds a size of 1 where one is missing.",
                BroadcastConflict{dim, a, b, {first.begin(), first.end()}, {second.begin(), second.end()}});
}

} // namespace stridescope::refuse
