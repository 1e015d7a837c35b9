#include "core/ops/linalg_matrices.h"

#include "core/backend/backend.h"
#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/promotion.h"
#include "core/ops/views.h"
#include "core/trace/op_record.h"

#include <algorithm>

namespace stridescope::linalg {

namespace {

/// Above this order the wider work of small problems costs more than its exactness is worth.
constexpr Index kSmall = 64;

Dims batchShape(const Tensor& t) {
    Dims shape = t.shape();
    shape.erase(shape.size() - 1);
    shape.erase(shape.size() - 1);
    return shape;
}

/// {batch..., rows, cols}, column-major in the last two dims.
Tensor emptyColumnMajor(Dims shape, Index rows, Index cols, const TensorOptions& options) {
    shape.push_back(cols);
    shape.push_back(rows);
    const Tensor turned = zeros(shape, options);
    return transpose(turned, -1, -2);
}

Tensor batchVector(const Matrices& like, Index size, DType dtype) {
    Dims shape = batchShape(like.tensor);
    shape.push_back(size);
    return zeros(shape, {dtype, like.device()});
}

DType workDType(DType dtype, Index order) {
    if (order > kSmall) return dtype;
    if (dtype == DType::Float32) return DType::Float64;
    return dtype == DType::Complex64 ? DType::Complex128 : dtype;
}

LinalgArgs argsFor(LinalgRoutine routine, const Matrices& a) {
    LinalgArgs args;
    args.routine = routine;
    args.dtype = a.work();
    args.batch = a.batch;
    args.a = a.operand();
    return args;
}

/// LAPACK refuses some of what is merely empty.
bool isEmpty(const Matrices& a) {
    return a.rows == 0 || a.cols == 0;
}

} // namespace

std::byte* bytesOf(const Tensor& t) {
    return t.numel() == 0 ? nullptr : t.storage()->data() + t.view().offset * static_cast<Index>(itemSize(t.dtype()));
}

bool has(LinalgRoutine routine, Device device) {
    return kernelTable(device)[routine] != nullptr;
}

void run(const LinalgArgs& args, Device device) {
    const LinalgKernel kernel = kernelTable(device)[args.routine];
    if (!kernel) throwNoKernel(name(args.routine), args.dtype, device);
    kernel(args);
}

LapackInfo answered(LinalgArgs args, Device device) {
    std::vector<int> each(static_cast<std::size_t>(args.batch), 0);
    args.info = each.data();
    run(args, device);
    const auto first = std::find_if(each.begin(), each.end(), [](int info) { return info > 0; });
    if (first == each.end()) return {};
    const Index at = first - each.begin();
    const Index info = *first;
    return {at, info, std::move(each)};
}

// --- Matrices, exchanges, answers ---------------------------------------------------------------------------------

Tensor Matrices::result() const {
    const trace::Nested nested;
    return work() == dtype ? tensor : to(tensor, dtype);
}

MatrixBatch Matrices::operand() const {
    return {bytesOf(tensor), rows, cols};
}

Matrices columnMajor(const Tensor& t, Index minRows) {
    const trace::Nested nested;
    Matrices m;
    const Index rows = t.size(-2);
    m.cols = t.size(-1);
    m.rows = std::max(rows, minRows);
    m.dtype = t.dtype();
    const Dims batch = batchShape(t);
    m.batch = View{batch, Dims(batch.size(), 0), 0}.numel();
    m.tensor = emptyColumnMajor(batch, m.rows, m.cols, {workDType(t.dtype(), std::max(m.rows, m.cols)), t.device()});
    copy_(narrow(m.tensor, -2, 0, rows), t);
    return m;
}

Matrices sameBatch(const Matrices& like, Index rows, Index cols) {
    const trace::Nested nested;
    Matrices m = like;
    m.rows = rows;
    m.cols = cols;
    m.tensor = emptyColumnMajor(batchShape(like.tensor), rows, cols, {like.work(), like.device()});
    return m;
}

Pivots::Pivots(const Tensor& given, Index each) : m_device(given.device()), m_each(each) {
    if (m_device.isCpu())
        m_host.assign(given.data<std::int32_t>(), given.data<std::int32_t>() + given.numel());
    else
        m_tensor = given;
}

void Pivots::make(Index batch, Index each, Device device) {
    m_device = device;
    m_each = each;
    const Index count = std::max<Index>(batch * each, 1);
    if (device.isCpu())
        m_host.assign(static_cast<std::size_t>(count), 0);
    else
        m_tensor = zeros({count}, {DType::Int32, device});
}

std::int32_t* Pivots::data() const {
    return m_device.isCpu() ? m_host.data() : reinterpret_cast<std::int32_t*>(bytesOf(m_tensor));
}

std::vector<int> Pivots::read() const {
    if (m_device.isCpu()) return m_host;
    const Tensor here = to(m_tensor, Device{});
    return {here.data<std::int32_t>(), here.data<std::int32_t>() + here.numel()};
}

Tensor Pivots::tensor(const Dims& shape) const {
    const Index count = View{shape, Dims(shape.size(), 0), 0}.numel();
    if (!m_device.isCpu()) return view(narrow(m_tensor, 0, 0, count), shape);
    Tensor t = zeros(shape, {DType::Int32, Device{}});
    std::copy_n(m_host.begin(), count, t.data<std::int32_t>());
    t.storage()->bumpVersion();
    return t;
}

Tensor placed(const Tensor& host, Device device) {
    return device.isCpu() ? host : to(host, device);
}

Tensor infoTensor(const LapackInfo& info, const Dims& batch, Device device) {
    const trace::Nested nested;
    const Tensor t = zeros(batch, {DType::Int32, Device{}});
    if (!info.ok()) std::copy(info.each.begin(), info.each.end(), t.data<std::int32_t>());
    return placed(t, device);
}

// --- LU -----------------------------------------------------------------------------------------------------------

LapackInfo luFactor(Matrices& a, Pivots& pivots) {
    pivots.make(a.batch, std::min(a.rows, a.cols), a.device());
    LinalgArgs args = argsFor(LinalgRoutine::LuFactor, a);
    args.pivots = pivots.data();
    if (isEmpty(a)) return {};
    return answered(args, a.device());
}

void luSolve(const Matrices& lu, const Pivots& pivots, Matrices& b, bool transpose) {
    if (isEmpty(lu)) return;
    LinalgArgs args = argsFor(LinalgRoutine::LuSolve, lu);
    args.b = b.operand();
    args.pivots = pivots.data();
    args.transpose = transpose;
    run(args, lu.device());
}

void luInvert(Matrices& lu, const Pivots& pivots) {
    if (isEmpty(lu)) return;
    LinalgArgs args = argsFor(LinalgRoutine::LuInvert, lu);
    args.pivots = pivots.data();
    run(args, lu.device());
}

Tensor luDeterminant(const Matrices& lu, const Pivots& pivots, const Dims& batch) {
    const Tensor out = zeros(batch, {lu.work(), lu.device()});
    LinalgArgs args = argsFor(LinalgRoutine::LuDeterminant, lu);
    args.pivots = pivots.data();
    args.values = bytesOf(out);
    run(args, lu.device());
    out.storage()->bumpVersion();
    return out;
}

void luLogDeterminant(const Matrices& lu, const Pivots& pivots, const Tensor& sign, const Tensor& logarithm) {
    LinalgArgs args = argsFor(LinalgRoutine::LuLogDeterminant, lu);
    args.pivots = pivots.data();
    args.values = bytesOf(sign);
    args.more = bytesOf(logarithm);
    run(args, lu.device());
}

Tensor luExchanges(const Pivots& pivots, const Dims& batch, Index m, Device device) {
    Dims shape = batch;
    shape.push_back(m);
    shape.push_back(m);
    Tensor p = zeros(shape, {DType::Float64, device});
    if (p.numel() == 0) return p;
    LinalgArgs args;
    args.routine = LinalgRoutine::LuExchanges;
    args.batch = p.numel() / (m * m);
    args.a = {nullptr, m, pivots.each()};
    args.pivots = pivots.data();
    args.values = bytesOf(p);
    run(args, device);
    p.storage()->bumpVersion();
    return p;
}

// --- Triangles ----------------------------------------------------------------------------------------------------

LapackInfo cholesky(Matrices& a, bool upper) {
    if (isEmpty(a)) return {};
    LinalgArgs args = argsFor(LinalgRoutine::Cholesky, a);
    args.upper = upper;
    return answered(args, a.device());
}

void triangularSolve(const Matrices& a, Matrices& b, bool upper, bool transpose, bool unitDiagonal) {
    if (isEmpty(a) || b.cols == 0) return;
    LinalgArgs args = argsFor(LinalgRoutine::TriangularSolve, a);
    args.b = b.operand();
    args.upper = upper;
    args.transpose = transpose;
    args.unit = unitDiagonal;
    run(args, a.device());
}

LapackInfo ldlFactor(Matrices& a, Pivots& pivots, bool hermitian) {
    pivots.make(a.batch, a.rows, a.device());
    if (isEmpty(a)) return {};
    const bool conjugated = hermitian && isComplex(a.work());
    LinalgArgs args = argsFor(conjugated ? LinalgRoutine::HermitianFactor : LinalgRoutine::LdlFactor, a);
    args.pivots = pivots.data();
    return answered(args, a.device());
}

void ldlSolve(const Matrices& ld, const Pivots& pivots, Matrices& b, bool hermitian) {
    if (isEmpty(ld) || b.cols == 0) return;
    const bool conjugated = hermitian && isComplex(ld.work());
    LinalgArgs args = argsFor(conjugated ? LinalgRoutine::HermitianSolve : LinalgRoutine::LdlSolve, ld);
    args.b = b.operand();
    args.pivots = pivots.data();
    run(args, ld.device());
}

// --- Eigenvalues and singular values ------------------------------------------------------------------------------

LapackInfo eigenSymmetric(Matrices& a, Tensor& values, bool vectors, bool upper) {
    values = batchVector(a, a.rows, realPartDType(a.work()));
    if (isEmpty(a)) return {};
    LinalgArgs args = argsFor(LinalgRoutine::EigenSymmetric, a);
    args.values = bytesOf(values);
    args.vectors = vectors;
    args.upper = upper;
    return answered(args, a.device());
}

LapackInfo eigenGeneral(Matrices& a, Tensor& values, Tensor* vectors) {
    const trace::Nested nested;
    const Index n = a.rows;
    const DType wide = complexDType(a.work());
    values = batchVector(a, n, wide);
    const Matrices right = sameBatch(a, vectors ? n : 1, vectors ? n : 1);
    if (vectors) *vectors = emptyColumnMajor(batchShape(a.tensor), n, n, {wide, a.device()});
    if (isEmpty(a)) return {};
    LinalgArgs args = argsFor(LinalgRoutine::EigenGeneral, a);
    args.values = bytesOf(values);
    args.vectors = vectors != nullptr;
    args.c = right.operand();
    if (vectors) args.b = {bytesOf(*vectors), n, n};
    return answered(args, a.device());
}

LapackInfo singular(Matrices& a, Tensor& values, Matrices* u, Matrices* vh, bool full) {
    const Index least = std::min(a.rows, a.cols);
    values = batchVector(a, least, realPartDType(a.work()));
    LinalgArgs args = argsFor(LinalgRoutine::Singular, a);
    args.values = bytesOf(values);
    args.vectors = u && vh;
    args.full = full;
    if (args.vectors) {
        *u = sameBatch(a, a.rows, full ? a.rows : least);
        *vh = sameBatch(a, full ? a.cols : least, a.cols);
        args.b = u->operand();
        args.c = vh->operand();
        if (least == 0) { // nothing to decompose: any orthogonal matrices do, the simplest are identities
            const trace::Nested nested;
            for (const Matrices* m : {u, vh}) fill_(diagonal(m->tensor, 0, -2, -1), 1);
        }
    }
    if (isEmpty(a)) return {};
    return answered(args, a.device());
}

// --- QR and least squares -----------------------------------------------------------------------------------------

void qrFactor(Matrices& a, Tensor& tau) {
    tau = batchVector(a, std::min(a.rows, a.cols), a.work());
    if (isEmpty(a)) return;
    LinalgArgs args = argsFor(LinalgRoutine::QrFactor, a);
    args.values = bytesOf(tau);
    run(args, a.device());
}

void qrMultiply(Matrices& a, const Tensor& tau, Index reflectors) {
    if (isEmpty(a)) return;
    LinalgArgs args = argsFor(LinalgRoutine::QrMultiply, a);
    args.values = bytesOf(tau);
    args.reflectors = reflectors;
    run(args, a.device());
}

void qrApply(const Matrices& a, const Tensor& tau, Index reflectors, Matrices& c, bool left, bool transpose) {
    if (isEmpty(a) || isEmpty(c)) return;
    LinalgArgs args = argsFor(LinalgRoutine::QrApply, a);
    args.b = c.operand();
    args.values = bytesOf(tau);
    args.reflectors = reflectors;
    args.left = left;
    args.transpose = transpose;
    run(args, a.device());
}

LapackInfo leastSquaresFull(Matrices& a, Matrices& b) {
    if (isEmpty(a)) return {};
    LinalgArgs args = argsFor(LinalgRoutine::LeastSquaresFull, a);
    args.b = b.operand();
    return answered(args, a.device());
}

LapackInfo leastSquares(Matrices& a, Matrices& b, bool bySingularValues, double rcond, std::vector<Index>& ranks,
                        Tensor& singularValues) {
    ranks.assign(static_cast<std::size_t>(a.batch), 0);
    singularValues = batchVector(a, std::min(a.rows, a.cols), realPartDType(a.work()));
    if (isEmpty(a)) return {};
    LinalgArgs args =
        argsFor(bySingularValues ? LinalgRoutine::LeastSquaresSingular : LinalgRoutine::LeastSquaresPivoted, a);
    args.b = b.operand();
    args.values = bytesOf(singularValues);
    args.rcond = rcond;
    args.ranks = ranks.data();
    return answered(args, a.device());
}

} // namespace stridescope::linalg
