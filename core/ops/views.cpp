#include "core/ops/views.h"

#include "core/ops/copy.h"
#include "core/trace/clock.h"
#include "core/trace/code.h"
#include "core/trace/record_parts.h"
#include "core/view/view_ops.h"

namespace stridescope {

namespace {

void requireDefined(const Tensor& t, const char* name) {
    if (t.defined()) [[likely]]
        return;
    throwRefusal({ErrorKind::Value,
                  "TENSOR-02",
                  std::string(name) + ": the tensor is undefined",
                  "Make one with empty, zeros or tensor.",
                  {}});
}

void publishViews(const Tensor& t, const char* name, const RecordArguments& arguments, std::span<const Tensor> results,
                  trace::Clock::duration duration) {
    RecordParts parts{name, arguments, t, results};
    parts.duration = duration;
    trace::publish(parts);
}

/// Applies `make` (() -> Result<View>) to t's storage. `arguments` (() -> std::string, or Dims for numbers) runs only
/// when observed.
template <class Make, class Arguments>
Tensor viewOp(const Tensor& t, const char* name, Make make, Arguments arguments) {
    requireDefined(t, name);
    const auto view = [&] { return make().valueOrThrow(); };
    if (!trace::observed()) [[likely]]
        return Tensor::viewOf(t, view);
    const auto start = trace::begin();
    Tensor result = Tensor::viewOf(t, view);
    const auto duration = trace::since(start);
    publishViews(t, name, arguments(), {&result, 1}, duration);
    return result;
}

/// As viewOp for `make`: () -> Result<std::vector<View>>.
template <class Make, class Arguments>
std::vector<Tensor> viewsOp(const Tensor& t, const char* name, Make make, Arguments arguments) {
    requireDefined(t, name);
    const auto start = trace::begin();
    std::vector<View> views = make().valueOrThrow();
    std::vector<Tensor> results;
    results.reserve(views.size());
    for (View& v : views) results.push_back(t.withView(std::move(v)));
    if (trace::observed()) publishViews(t, name, arguments(), results, trace::since(start));
    return results;
}

/// The view that `verdict` promises, or a contiguous copy of t in its shape.
template <class Arguments>
Tensor viewOrCopy(const Tensor& t, const char* name, ReshapeVerdict verdict, Arguments arguments) {
    const auto start = trace::begin();
    Tensor result;
    if (verdict.isView) {
        result = t.withView(std::move(verdict.view));
    } else {
        const trace::Nested nested;
        result = contiguous(t).withView(std::move(verdict.view));
    }
    if (!trace::observed()) return result;
    const auto text = arguments();
    RecordParts parts{name, text, t, result};
    if (result.storage() != t.storage()) {
        parts.effect = OpEffect::Alloc;
        parts.bytesRead = parts.bytesWritten = result.nbytes();
        parts.bytesAllocated = static_cast<Index>(result.storage()->bytes());
    }
    parts.duration = trace::since(start);
    trace::publish(parts);
    return result;
}

Dims numbers(std::initializer_list<Index> values) {
    return values;
}
std::string text(std::initializer_list<Index> values) {
    return code::arguments(values);
}

/// ", 1" unless `dim` is the default 0.
std::string laterDim(Index dim) {
    return dim == 0 ? std::string() : ", " + std::to_string(dim);
}

} // namespace

// --- Part of a tensor -----------------------------------------------------------------------------------------

Tensor select(const Tensor& t, Index dim, Index index) {
    return viewOp(
        t, "select", [&] { return select(t.view(), dim, index); },
        [&] {
            return numbers({dim, index});
        });
}

Tensor narrow(const Tensor& t, Index dim, Index start, Index length) {
    return viewOp(
        t, "narrow", [&] { return narrow(t.view(), dim, start, length); },
        [&] {
            return numbers({dim, start, length});
        });
}

Tensor slice(const Tensor& t, Index dim, std::optional<Index> start, std::optional<Index> end, Index step) {
    return viewOp(
        t, "slice", [&] { return slice(t.view(), dim, start, end, step); },
        [&] { return code::sliceText(dim, start, end, step); });
}

Tensor diagonal(const Tensor& t, Index offset, Index dim1, Index dim2) {
    return viewOp(
        t, "diagonal", [&] { return diagonal(t.view(), offset, dim1, dim2); },
        [&] {
            if (dim1 != 0 || dim2 != 1) return text({offset, dim1, dim2});
            return offset == 0 ? std::string() : text({offset});
        });
}

Tensor unfold(const Tensor& t, Index dim, Index size, Index step) {
    return viewOp(
        t, "unfold", [&] { return unfold(t.view(), dim, size, step); },
        [&] {
            return numbers({dim, size, step});
        });
}

// --- Order of dims --------------------------------------------------------------------------------------------

Tensor transpose(const Tensor& t, Index dim0, Index dim1) {
    return viewOp(
        t, "transpose", [&] { return transpose(t.view(), dim0, dim1); },
        [&] {
            return numbers({dim0, dim1});
        });
}

Tensor t(const Tensor& tensor) {
    return viewOp(
        tensor, "t", [&] { return t(tensor.view()); }, [] { return std::string(); });
}

Tensor permute(const Tensor& t, const Dims& dims) {
    return viewOp(
        t, "permute", [&] { return permute(t.view(), dims); }, [&] { return dims; });
}

Tensor movedim(const Tensor& t, const Dims& source, const Dims& destination) {
    return viewOp(
        t, "movedim", [&] { return movedim(t.view(), source, destination); },
        [&] {
            if (source.size() == 1 && destination.size() == 1) return text({source[0], destination[0]});
            return code::tuple(source) + ", " + code::tuple(destination);
        });
}

Tensor swapaxes(const Tensor& t, Index axis0, Index axis1) {
    return viewOp(
        t, "swapaxes", [&] { return swapaxes(t.view(), axis0, axis1); },
        [&] {
            return numbers({axis0, axis1});
        });
}

// --- Number of dims -------------------------------------------------------------------------------------------

Tensor unsqueeze(const Tensor& t, Index dim) {
    return viewOp(
        t, "unsqueeze", [&] { return unsqueeze(t.view(), dim); }, [&] { return numbers({dim}); });
}

Tensor squeeze(const Tensor& t) {
    return viewOp(
        t, "squeeze", [&] { return squeeze(t.view()); }, [] { return std::string(); });
}

Tensor squeeze(const Tensor& t, Index dim) {
    return viewOp(
        t, "squeeze", [&] { return squeeze(t.view(), dim); }, [&] { return numbers({dim}); });
}

// --- Other shape, same elements -------------------------------------------------------------------------------

Tensor view(const Tensor& t, const Dims& shape) {
    return viewOp(
        t, "view", [&] { return viewAs(t.view(), shape); }, [&] { return shape; });
}

Tensor viewAs(const Tensor& t, const Tensor& other) {
    requireDefined(other, "view_as");
    return view(t, other.shape());
}

Tensor unflatten(const Tensor& t, Index dim, const Dims& sizes) {
    return viewOp(
        t, "unflatten", [&] { return unflatten(t.view(), dim, sizes); },
        [&] { return std::to_string(dim) + ", " + code::tuple(sizes); });
}

Tensor reshape(const Tensor& t, const Dims& shape) {
    requireDefined(t, "reshape");
    return viewOrCopy(t, "reshape", reshape(t.view(), shape).valueOrThrow(), [&] { return shape; });
}

Tensor flatten(const Tensor& t, Index startDim, Index endDim) {
    requireDefined(t, "flatten");
    return viewOrCopy(t, "flatten", flatten(t.view(), startDim, endDim).valueOrThrow(), [&] {
        if (endDim != -1) return text({startDim, endDim});
        return startDim == 0 ? std::string() : text({startDim});
    });
}

// --- Repetition without copying -------------------------------------------------------------------------------

Tensor expand(const Tensor& t, const Dims& sizes) {
    return viewOp(
        t, "expand", [&] { return expand(t.view(), sizes); }, [&] { return sizes; });
}

Tensor expandAs(const Tensor& t, const Tensor& other) {
    requireDefined(other, "expand_as");
    return expand(t, other.shape());
}

// --- Anything ---------------------------------------------------------------------------------------------------

Tensor asStrided(const Tensor& t, const Dims& size, const Dims& stride, std::optional<Index> offset) {
    return viewOp(
        t, "as_strided", [&] { return asStrided(t.view(), size, stride, offset, t.storageNumel()); },
        [&] {
            std::string text = code::tuple(size) + ", " + code::tuple(stride);
            if (offset) text += ", " + std::to_string(*offset);
            return text;
        });
}

// --- Several views ----------------------------------------------------------------------------------------------

std::vector<Tensor> split(const Tensor& t, Index splitSize, Index dim) {
    return viewsOp(
        t, "split", [&] { return split(t.view(), splitSize, dim); }, [&] { return text({splitSize}) + laterDim(dim); });
}

std::vector<Tensor> split(const Tensor& t, const Dims& sizes, Index dim) {
    return viewsOp(
        t, "split", [&] { return split(t.view(), std::span<const Index>(sizes), dim); },
        [&] { return code::tuple(sizes) + laterDim(dim); });
}

std::vector<Tensor> chunk(const Tensor& t, Index chunks, Index dim) {
    return viewsOp(
        t, "chunk", [&] { return chunk(t.view(), chunks, dim); }, [&] { return text({chunks}) + laterDim(dim); });
}

std::vector<Tensor> unbind(const Tensor& t, Index dim) {
    return viewsOp(
        t, "unbind", [&] { return unbind(t.view(), dim); }, [&] { return dim == 0 ? std::string() : text({dim}); });
}

} // namespace stridescope
