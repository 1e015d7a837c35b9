// The operands that an operation is timed with.

#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/matmul.h"
#include "core/ops/pointwise.h"
#include "core/ops/random.h"
#include "core/ops/sorting.h"
#include "core/ops/views.h"
#include "core/timing/timed_operation.h"

#include <algorithm>
#include <set>

namespace stridescope::timing {

namespace {

/// What stands at one place.
enum class Kind : std::uint8_t { Number, Values, AboveOne, Square, Positive, Indices, Mask, Sorted };
struct Place {
    Kind kind = Kind::Values;
    Dims shape;
};

std::vector<Place> placesOf(Operands operands, Index n) {
    const Place matrix{Kind::Values, {n, n}}, vector{Kind::Values, {n}}, batch{Kind::Values, {8, n, n}};
    const Place side{Kind::Values, {n, 8}}, indices{Kind::Indices, {n, n}}, mask{Kind::Mask, {n, n}};
    switch (operands) {
    case Operands::Shape:
        return {{Kind::Number, {n, n}}};
    case Operands::Vector:
        return {vector};
    case Operands::TwoVectors:
        return {vector, vector};
    case Operands::Matrix:
        return {matrix};
    case Operands::AboveOne:
        return {{Kind::AboveOne, {n, n}}};
    case Operands::TwoMatrices:
        return {matrix, matrix};
    case Operands::ThreeMatrices:
        return {matrix, matrix, matrix};
    case Operands::MatrixVector:
        return {matrix, vector};
    case Operands::VectorMatrixVector:
        return {vector, matrix, vector};
    case Operands::MatrixTwoVectors:
        return {matrix, vector, vector};
    case Operands::TwoBatches:
        return {batch, batch};
    case Operands::ThreeBatches:
        return {batch, batch, batch};
    case Operands::MatrixTwoBatches:
        return {matrix, batch, batch};
    case Operands::Triples:
        return {{Kind::Values, {n, 3}}, {Kind::Values, {n, 3}}};
    case Operands::Image:
        return {{Kind::Values, {4, 16, n, n}}};
    case Operands::Square:
        return {{Kind::Square, {n, n}}};
    case Operands::SquareAndSide:
        return {{Kind::Square, {n, n}}, side};
    case Operands::Positive:
        return {{Kind::Positive, {n, n}}};
    case Operands::PositiveAndSide:
        return {{Kind::Positive, {n, n}}, side};
    case Operands::MatrixIndex:
        return {matrix, {Kind::Indices, {n}}};
    case Operands::MatrixIndexMatrix:
        return {matrix, indices};
    case Operands::MatrixIndexSource:
        return {matrix, indices, matrix};
    case Operands::MatrixMask:
        return {matrix, mask};
    case Operands::TwoMatricesMask:
        return {matrix, matrix, mask};
    case Operands::SortedAndMatrix:
        return {{Kind::Sorted, {n}}, matrix};
    case Operands::Counts:
        return {{Kind::Indices, {n}}};
    }
    return {};
}

DType dtypeOf(Kind kind, DType dtype) {
    return kind == Kind::Indices ? DType::Int64 : kind == Kind::Mask ? DType::Bool : dtype;
}

/// Numbers that every operation can do something with: 0 to 1, integers 1 to 9; nothing divides by 0. Never zeros
/// alone, which some processors and devices are quicker with.
Tensor values(const Dims& shape, DType dtype, Generator& generator) {
    if (isComplex(dtype)) {
        const DType part = realPartDType(dtype);
        const Tensor a = values(shape, part, generator), b = values(shape, part, generator);
        return complex(a, b);
    }
    if (isFloating(dtype)) {
        const Tensor t = empty(shape, {dtype == DType::Float16 ? DType::Float32 : dtype, Device{}});
        uniform_(t, 0, 1, generator);
        return dtype == DType::Float16 ? to(t, dtype) : t;
    }
    if (dtype == DType::Bool) return to(randint(0, 2, shape, {DType::UInt8, Device{}}, generator), dtype);
    return randint(1, 10, shape, {dtype, Device{}}, generator);
}

Tensor contents(const Place& place, Index n, DType dtype, Generator& generator) {
    const DType t = dtypeOf(place.kind, dtype);
    switch (place.kind) {
    case Kind::Indices:
        return randint(0, std::max<Index>(n, 1), place.shape, {t, Device{}}, generator);
    case Kind::Sorted:
        return sort(values(place.shape, t, generator)).values;
    case Kind::AboveOne:
        return add(values(place.shape, t, generator), Scalar(1));
    case Kind::Square:
    case Kind::Positive: {
        // Symmetric in both cases where it has to be; a diagonal that outweighs the rest keeps it far from singular.
        Tensor a = values(place.shape, t, generator);
        if (place.kind == Kind::Positive) a = add(a, conj(transpose(a, 0, 1)));
        const Tensor diagonals = diagonal(a);
        copy_(diagonals, add(diagonals, Scalar(static_cast<double>(2 * n))));
        return a;
    }
    case Kind::Number:
    case Kind::Values:
    case Kind::Mask:
        break;
    }
    return values(place.shape, t, generator);
}

/// `t`, dense on its device, with the same values in another layout (of Expanded: those of its first row).
Tensor laidOut(const Tensor& t, Layout layout) {
    switch (layout) {
    case Layout::Transposed:
        return transpose(contiguous(transpose(t, -1, -2)), -1, -2);
    case Layout::Stepped: {
        Dims wide = t.shape();
        wide.back() *= 2;
        const Tensor gaps = slice(zeros(wide, {t.dtype(), t.device()}), -1, 0, std::nullopt, 2);
        copy_(gaps, t);
        return gaps;
    }
    case Layout::Expanded: {
        const Index dim = t.dim() >= 2 ? -2 : -1;
        return expand(contiguous(narrow(t, dim, 0, 1)), t.shape());
    }
    case Layout::Contiguous:
        break;
    }
    return t;
}

} // namespace

bool canHave(Operands operands, Layout layout) {
    if (layout == Layout::Contiguous) return true;
    if (operands == Operands::Shape) return false;
    const std::vector<Place> places = placesOf(operands, 2);
    if (layout == Layout::Transposed)
        return std::any_of(places.begin(), places.end(), [](const Place& p) { return p.shape.size() >= 2; });
    if (layout == Layout::Expanded)
        return std::none_of(places.begin(), places.end(),
                            [](const Place& p) { return p.kind == Kind::Square || p.kind == Kind::Positive; });
    return true;
}

double operandBytes(Operands operands, Index n, DType dtype) {
    double bytes = 0;
    for (const Place& place : placesOf(operands, n)) {
        double count = static_cast<double>(itemSize(dtypeOf(place.kind, dtype)));
        if (place.kind != Kind::Number)
            for (const Index size : place.shape) count *= static_cast<double>(size);
        bytes += count;
    }
    return bytes;
}

std::vector<Tensor> operandsFor(const TimedOperation& operation, Index n, DType dtype, Layout layout,
                                std::uint64_t seed, Device device) {
    if (!canHave(operation.operands, layout))
        throwRefusal(
            {ErrorKind::Value,
             "BENCH-10",
             std::string(operation.name) + ": its operands cannot be " + name(layout),
             layout == Layout::Transposed ? "Vectors have one dim: take stepped or expanded." : "Take contiguous.",
             {}});
    Generator generator(seed);
    std::vector<Tensor> list;
    for (const Place& place : placesOf(operation.operands, n)) {
        if (place.kind == Kind::Number) {
            list.push_back(expand(full({1, 1}, Scalar(1), {dtype, device}), place.shape));
            continue;
        }
        Tensor t = contents(place, n, dtype, generator);
        if (!device.isCpu()) t = to(t, device);
        const bool stays = place.kind == Kind::Indices || place.kind == Kind::Mask || place.kind == Kind::Sorted ||
                           (t.dim() < 2 && layout == Layout::Transposed);
        list.push_back(stays ? t : laidOut(t, layout));
    }
    return list;
}

std::string shapesText(std::span<const Tensor> operands) {
    std::string text;
    for (const Tensor& t : operands) {
        text += text.empty() ? "{" : " {";
        for (Index d = 0; d < t.dim(); ++d) text += (d ? ", " : "") + std::to_string(t.size(d));
        text += "}";
    }
    return text;
}

double bytesOf(std::span<const Tensor> operands, std::span<const Tensor> results) {
    double bytes = 0;
    const auto add = [&bytes](const Tensor& t) {
        if (!t.defined()) return;
        double count = static_cast<double>(t.itemSize());
        for (Index d = 0; d < t.dim(); ++d)
            if (t.stride()[static_cast<std::size_t>(d)] != 0 || t.size(d) == 0) count *= static_cast<double>(t.size(d));
        bytes += count;
    };
    std::set<const Storage*> read;
    for (const Tensor& t : operands) {
        add(t);
        if (t.defined()) read.insert(t.storage().get());
    }
    for (const Tensor& t : results) // a view of an operand moves nothing
        if (t.defined() && !read.count(t.storage().get())) add(t);
    return bytes;
}

} // namespace stridescope::timing
