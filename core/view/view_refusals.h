#pragma once
// The refusals of the view algebra, built out of line so that the operations stay short and fast.
//
// Ids are stable. Kind is the Python exception that PyTorch raises for the same mistake.
//
//   id       kind     what was refused                                               detail
//   VIEW-01  Index    a dim outside [-ndim, ndim)                                    DimOutOfRange
//   VIEW-02  Index or an operation that needs at least one dim, on a 0-d view        DimOutOfRange
//            Runtime
//   VIEW-03  Index    select: index outside its dim                                  IndexOutOfRange
//   VIEW-04  Index    narrow: start outside its dim (Index);                         IndexOutOfRange
//            Runtime  start + length past the end, or a negative length (Runtime)
//   VIEW-05  Value    slice: step 0 or negative                                      -
//   VIEW-06  Runtime  diagonal of one dim with itself                                -
//   VIEW-07  Runtime  unfold: window larger than the dim or negative, step not > 0   IndexOutOfRange
//   VIEW-08  Runtime  t() of more than two dims                                      -
//   VIEW-09  Runtime  permute: as many dims as the view has are needed               -
//   VIEW-10  Runtime  permute, movedim, flip: a dim named twice                      -
//   VIEW-11  Runtime  movedim: source and destination of different lengths           -
//   VIEW-12  Runtime  a negative size                                                IndexOutOfRange
//   VIEW-13  Runtime  more than one -1 in a shape                                    -
//   VIEW-14  Runtime  a shape with another number of elements                        NumelMismatch
//   VIEW-15  Runtime  -1 beside a size of 0: any value would do                      -
//   VIEW-16  Runtime  view: no strides can express the shape                         ViewMergeFailure
//   VIEW-17  Runtime  flatten: start dim after end dim                               -
//   VIEW-18  Runtime  unflatten: no sizes, or sizes that do not multiply up          NumelMismatch
//   VIEW-19  Runtime  expand: fewer sizes than dims                                  -
//   VIEW-20  Runtime  expand: a size that is neither 1 nor the wanted one            BroadcastConflict
//   VIEW-21  Runtime  expand: -1 for a dim that does not exist yet                   -
//   VIEW-22  Runtime  numbers of sizes and strides differ                            -
//   VIEW-23  Runtime  as_strided: negative stride                                    -
//   VIEW-24  Runtime  negative offset                                                -
//   VIEW-25  Runtime  a view that reaches outside its storage                        StorageOutOfBounds
//   VIEW-26  Runtime  more than 2^63 - 1 elements                                    -
//   VIEW-27  Runtime  a slot or stride beyond 64 bits                                -
//   VIEW-28  Runtime  more than 64 dims                                              -
//   VIEW-29  Runtime  flip as a view                                                 -
//   VIEW-30  Runtime  split: size negative, or 0 for a dim that is not empty         -
//   VIEW-31  Runtime  split: sizes negative or with another sum than the dim's size  NumelMismatch
//   VIEW-32  Runtime  chunk: number of chunks not > 0                                -
//   VIEW-33  Memory   more pieces than a list of views may have                      BytesExceeded
//   VIEW-34  Runtime  shapes that do not broadcast                                   BroadcastConflict
//   VIEW-40  Value    text: a number was expected                                    InputPosition
//   VIEW-41  Value    text: a digit or number that is not of the form 0-9            InputPosition
//   VIEW-42  Value    text: a number beyond 64 bits                                  InputPosition
//   VIEW-43  Value    text: a bracket is missing or does not match                   InputPosition
//   VIEW-44  Value    text: something after the end                                  InputPosition
//   VIEW-45  Value    text: a size below 0                                           InputPosition
//   VIEW-46  Value    text: more than 64 numbers                                     InputPosition
//   VIEW-50  Type     an operation of unknown name                                   -
//   VIEW-51  Type     an argument missing, too many, or of the wrong kind            -

#include "core/result.h"
#include "core/view/checked.h"
#include "core/view/view.h"

#include <memory>
#include <span>
#include <string>

namespace stridescope::refuse {

using RefusalPtr = std::unique_ptr<Refusal>;

/// Any refusal. The first line of `message` is cut to 140 characters.
[[gnu::cold]] RefusalPtr make(ErrorKind kind, const char* id, std::string message, std::string hint,
                              RefusalDetail detail = {});
/// At most eight numbers, then "...": messages stay readable at 64 dims.
std::string shortList(std::span<const Index> dims);
/// Decimal digits of any 128-bit number.
std::string wideToString(WideIndex value);

[[gnu::cold]] RefusalPtr dimOutOfRange(Index got, Index ndim);
[[gnu::cold]] RefusalPtr zeroDim(const char* op, ErrorKind kind);
[[gnu::cold]] RefusalPtr dimOfZeroDim(Index dim);
[[gnu::cold]] RefusalPtr selectIndex(const View& v, Index dim, Index index);
[[gnu::cold]] RefusalPtr narrowStart(Index dim, Index start, Index size);
[[gnu::cold]] RefusalPtr narrowLength(Index dim, Index start, Index length, Index size);
[[gnu::cold]] RefusalPtr sliceStep(Index step);
[[gnu::cold]] RefusalPtr diagonalDims(Index dim1, Index dim2);
[[gnu::cold]] RefusalPtr unfoldSize(Index dim, Index window, Index size);
[[gnu::cold]] RefusalPtr unfoldStep(Index dim, Index step, Index size);
[[gnu::cold]] RefusalPtr tooManyForT(Index ndim);
[[gnu::cold]] RefusalPtr permuteCount(Index ndim, Index count);
[[gnu::cold]] RefusalPtr duplicateDim(const char* message, std::span<const Index> dims);
[[gnu::cold]] RefusalPtr movedimCounts(std::span<const Index> source, std::span<const Index> destination);
[[gnu::cold]] RefusalPtr negativeSize(Index dim, Index size);
[[gnu::cold]] RefusalPtr secondInferred(std::span<const Index> shape);
[[gnu::cold]] RefusalPtr numelMismatch(std::span<const Index> shape, Index wanted, Index numel);
[[gnu::cold]] RefusalPtr ambiguousInferred(std::span<const Index> shape);
[[gnu::cold]] RefusalPtr cannotView(const View& v, std::span<const Index> shape, const ViewMergeFailure& why);
[[gnu::cold]] RefusalPtr flattenOrder(Index startDim, Index endDim);
[[gnu::cold]] RefusalPtr unflattenEmpty();
[[gnu::cold]] RefusalPtr unflattenSizes(std::span<const Index> sizes, Index dim, Index size);
[[gnu::cold]] RefusalPtr expandCount(const View& v, std::span<const Index> sizes);
[[gnu::cold]] RefusalPtr expandSize(const View& v, std::span<const Index> sizes, Index at, Index size);
[[gnu::cold]] RefusalPtr expandLeading(Index at);
[[gnu::cold]] RefusalPtr ranksDiffer(std::size_t sizes, std::size_t strides);
[[gnu::cold]] RefusalPtr negativeStride(std::span<const Index> strides);
[[gnu::cold]] RefusalPtr negativeOffset(Index offset);
[[gnu::cold]] RefusalPtr outOfStorage(const View& v, const Reach& r, Index storageNumel);
[[gnu::cold]] RefusalPtr tooManyElements(std::span<const Index> shape);
[[gnu::cold]] RefusalPtr beyondAddresses(std::span<const Index> shape, std::span<const Index> stride);
[[gnu::cold]] RefusalPtr strideOverflow(const char* op, Index dim, Index stride, Index factor);
[[gnu::cold]] RefusalPtr tooManyDims(std::size_t ndim);
[[gnu::cold]] RefusalPtr flipIsACopy(std::span<const Index> dims);
[[gnu::cold]] RefusalPtr splitSize(Index splitSize, Index size);
[[gnu::cold]] RefusalPtr splitSizes(std::span<const Index> sizes, Index dim, Index size, bool negative);
[[gnu::cold]] RefusalPtr chunkCount(Index chunks);
[[gnu::cold]] RefusalPtr tooManyPieces(Index pieces, Index limit);
[[gnu::cold]] RefusalPtr noBroadcast(Index dim, std::span<const Index> a, std::span<const Index> b);

} // namespace stridescope::refuse
