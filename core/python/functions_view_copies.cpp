// Functions: what the view operations show, as copies; room around tensors, and channels among neighbours.

#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/padding.h"
#include "core/ops/views.h"
#include "core/python/function.h"

namespace stridescope::python::tables {

namespace {

std::vector<Tensor> copiesOf(std::vector<Tensor> views) {
    for (Tensor& t : views) t = clone(t);
    return views;
}

} // namespace

std::vector<Entry> viewCopies() {
    return {
        FN(":alias_copy(Tensor input)", clone(a.tensor(0))),
        FN(":detach_copy(Tensor input)", clone(a.tensor(0))),
        FN(":as_strided_copy(Tensor input, int[] size, int[] stride, int? storage_offset=None)",
           clone(asStrided(a.tensor(0), a.dims(1), a.dims(2), a.optionalIndex(3)))),
        FN(":diagonal_copy(Tensor input, int offset=0, int dim1=0, int dim2=1)",
           clone(diagonal(a.tensor(0), a.index(1), a.index(2), a.index(3)))),
        FN(":expand_copy(Tensor input, int[] size, *, bool implicit=False)", clone(expand(a.tensor(0), a.dims(1)))),
        FN(":permute_copy(Tensor input, int[] dims)", clone(permute(a.tensor(0), a.dims(1)))),
        FN(":select_copy(Tensor input, int dim, int index)", clone(select(a.tensor(0), a.index(1), a.index(2)))),
        FN(":slice_copy(Tensor input, int dim=0, int? start=None, int? end=None, int step=1)",
           clone(slice(a.tensor(0), a.index(1), a.optionalIndex(2), a.optionalIndex(3), a.sliceStep(4)))),
        FN(":split_copy(Tensor input, int split_size, int dim=0) -> n",
           copiesOf(split(a.tensor(0), a.index(1), a.index(2)))),
        FN(":split_with_sizes_copy(Tensor input, int[] split_sizes, int dim=0) -> n",
           copiesOf(split(a.tensor(0), a.dims(1), a.index(2)))),
        FN(":squeeze_copy(Tensor input)", clone(squeeze(a.tensor(0)))),
        FN(":squeeze_copy(Tensor input, int dim)", clone(squeeze(a.tensor(0), a.index(1)))),
        FN(":t_copy(Tensor input)", clone(t(a.tensor(0)))),
        FN(":transpose_copy(Tensor input, int dim0, int dim1)", clone(transpose(a.tensor(0), a.index(1), a.index(2)))),
        FN(":unbind_copy(Tensor input, int dim=0) -> n", copiesOf(unbind(a.tensor(0), a.index(1)))),
        FN(":unfold_copy(Tensor input, int dimension, int size, int step)",
           clone(unfold(a.tensor(0), a.index(1), a.index(2), a.index(3)))),
        FN(":unsqueeze_copy(Tensor input, int dim)", clone(unsqueeze(a.tensor(0), a.index(1)))),
        FN(":view_copy(Tensor input, dtype dtype)", clone(viewDType(a.tensor(0), *a.dtype(1)))),
        FN(":view_copy(Tensor input, int[] size)", clone(view(a.tensor(0), a.dims(1)))),
        FN(":view_as_complex_copy(Tensor input)", clone(viewAsComplex(a.tensor(0)))),
        FN(":view_as_real_copy(Tensor input)", clone(viewAsReal(a.tensor(0)))),
        FN(":constant_pad_nd(Tensor input, int[] pad, Scalar value=0)",
           constantPad(a.tensor(0), a.dims(1), a.scalar(2))),
        FN(":pixel_shuffle(Tensor input, int upscale_factor)", pixelShuffle(a.tensor(0), a.index(1))),
        FN(":pixel_unshuffle(Tensor input, int downscale_factor)", pixelUnshuffle(a.tensor(0), a.index(1))),
        FN(":channel_shuffle(Tensor input, int groups)", channelShuffle(a.tensor(0), a.index(1))),
    };
}

} // namespace stridescope::python::tables
