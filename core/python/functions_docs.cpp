// Sentences on what has no row in the library's table of operations: questions, settings and PyTorch's further forms.

#include "core/python/function.h"

#include <algorithm>
#include <iterator>

namespace stridescope::python {

namespace {

struct Sentence {
    std::string_view name, text;
};
constexpr Sentence kSentences[] = {
    {"addbmm_", "As addbmm(), written to the tensor itself."},
    {"addr_", "As addr(), written to the tensor itself."},
    {"adjoint", "A matrix, or a batch of them, with its last two dims swapped and conjugated."},
    {"alias", "Another object for the same view."},
    {"asarray", "A tensor of the data; no copy is made where its memory and dtype will do."},
    {"bool", "The elements as bool: what is not 0 is True."},
    {"byte", "The elements as uint8."},
    {"can_cast", "May values of the first dtype become values of the second one without losing their kind?"},
    {"cdouble", "The elements as complex128."},
    {"cfloat", "The elements as complex64."},
    {"char", "The elements as int8."},
    {"cholesky", "The Cholesky factor of a matrix. Older name; see linalg.cholesky."},
    {"clamp_max", "What is greater than `max` becomes `max`."},
    {"clamp_max_", "As clamp_max(), written to the tensor itself."},
    {"clamp_min", "What is less than `min` becomes `min`."},
    {"clamp_min_", "As clamp_min(), written to the tensor itself."},
    {"conj_physical", "Complex numbers conjugated, as numbers in memory."},
    {"conj_physical_", "As conj_physical(), written to the tensor itself."},
    {"cpu", "The tensor on the CPU; itself where it is there."},
    {"cuda", "The tensor on a GPU; itself where it is there."},
    {"detach", "Another object for the same view; there are no gradients to leave behind."},
    {"double", "The elements as float64."},
    {"expand_as", "As expand(), to the shape of another tensor."},
    {"fill", "As fill_(), on a copy."},
    {"float", "The elements as float32."},
    {"frobenius_norm", "The root of the sum of squares. Older name; see linalg.norm."},
    {"from_dlpack", "A tensor over the memory of another library's object, without a copy."},
    {"from_numpy", "A tensor over the memory of a NumPy array, without a copy: what is written shows in both."},
    {"frombuffer",
     "A vector over the memory of bytes, arrays and the like, without a copy: what is written shows in both."},
    {"get_default_dtype", "The dtype of new float tensors."},
    {"get_num_interop_threads", "Always 1: operations do not run side by side by themselves."},
    {"get_num_threads", "How many threads one operation may use."},
    {"get_rng_state", "The state of the generator of random numbers, as a tensor of bytes."},
    {"half", "The elements as float16."},
    {"initial_seed", "The number that the generator was started with."},
    {"int", "The elements as int32."},
    {"is_complex", "Is the dtype a complex one?"},
    {"is_contiguous", "Do the elements lie in the storage in the order of their indices, without gaps?"},
    {"is_floating_point", "Is the dtype a float one?"},
    {"is_nonzero", "Is the only element not 0?"},
    {"is_pinned", "Does it lie in memory that copies to a device need not be waited for?"},
    {"is_set_to", "Is it the same view of the same storage?"},
    {"is_tensor", "Is the object a tensor?"},
    {"linalg.cross", "Cross product along a dim of size 3."},
    {"linalg.diagonal", "The diagonal of matrices, as a view; of the last two dims unless told otherwise."},
    {"long", "The elements as int64."},
    {"manual_seed", "Starts the generator of random numbers anew; gives it back."},
    {"narrow_copy", "As narrow(), with a storage of its own."},
    {"new_empty_strided", "As empty_strided, with the dtype and device of another tensor."},
    {"nuclear_norm", "The sum of the singular values. Older name; see linalg.matrix_norm."},
    {"numel", "How many elements there are."},
    {"pin_memory",
     "A copy in pinned memory, from which copies to a device need not be waited for; itself where it is there."},
    {"promote_types", "The dtype that values of both dtypes go into."},
    {"qr", "A matrix as an orthogonal one times a triangular one. Older name; see linalg.qr."},
    {"ravel", "All elements in one dim; a view where that is possible."},
    {"reshape_as", "As reshape(), to the shape of another tensor."},
    {"resize_as_", "As resize_(), to the shape of another tensor."},
    {"resolve_conj", "The tensor itself: conjugates are numbers in memory here."},
    {"result_type", "The dtype of what arithmetic with both gives."},
    {"scalar_tensor", "A number as a tensor without dims, of the dtype of new float tensors."},
    {"seed", "Starts the generator with a number of its own, which it gives back."},
    {"set_default_dtype", "Sets the dtype of new float tensors."},
    {"set_num_threads", "Sets how many threads one operation may use."},
    {"set_printoptions",
     "How tensors are printed: digits, from how many elements on in short, line length, 1e+00 or not."},
    {"set_rng_state", "Puts the generator of random numbers into a state of get_rng_state()."},
    {"short", "The elements as int16."},
    {"size", "The sizes of all dims, or of one."},
    {"slogdet", "Sign and logarithm of a determinant. Older name; see linalg.slogdet."},
    {"stride", "How many slots lie between neighbours, of all dims or of one."},
    {"svd", "Singular values and vectors: A = U diag(S) V^H. Older name; see linalg.svd."},
    {"type_as", "The elements in the dtype of another tensor."},
    {"unsafe_split_with_sizes", "As split_with_sizes()."},
    {"view_as", "As view(), in the shape of another tensor."},
};

} // namespace

std::string_view sentenceOn(std::string_view name) {
    const auto* found = std::lower_bound(std::begin(kSentences), std::end(kSentences), name,
                                         [](const Sentence& s, std::string_view n) { return s.name < n; });
    return found != std::end(kSentences) && found->name == name ? found->text : std::string_view();
}

} // namespace stridescope::python
