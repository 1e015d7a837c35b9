#pragma once
// Linear algebra on a GPU: what no library has, a thread for each matrix or right side (the same functions as on the
// CPU, core/backend/loop), and what is made of a library's routines. The library itself is the queue's:
//   void linalg(const LinalgArgs& args);        one routine, with these liberties: the triangle beside a factor may
//   hold
//                                               anything, Singular has rows >= cols, EigenGeneral of real matrices
//                                               leaves the packed vectors in c and does not write b
//   static constexpr bool hasLinalg(LinalgRoutine routine);

#include "core/backend/grid/grid.h"
#include "core/backend/kernel_table.h"
#include "core/backend/loop/lu_walk.h"
#include "core/backend/loop/refine_walk.h"

namespace stridescope::grid {

/// f(TypeTag<T>) for the four dtypes of linear algebra.
template <class F>
void withLinalgType(DType dtype, F f) {
    switch (dtype) {
    case DType::Float32:
        return f(TypeTag<float>{});
    case DType::Complex64:
        return f(TypeTag<Complex<float>>{});
    case DType::Complex128:
        return f(TypeTag<Complex<double>>{});
    default:
        return f(TypeTag<double>{});
    }
}

/// `body(i)` for each of `count` items.
template <class Each>
struct ForItems {
    Index count = 0;
    Each each;
    STRIDESCOPE_HD void operator()(const Lane& lane) const {
        for (Index i = lane.global(); i < count; i += lane.step()) each(i);
    }
};
template <class Queue, class Each>
void forItems(Queue& queue, const char* name, Index count, const Each& each) {
    if (count > 0) queue.launch(name, blocksFor(queue, count), ForItems<Each>{count, each});
}

// --- What is read off factors -------------------------------------------------------------------------------------

template <class T>
struct EachDeterminant {
    const T* lu;
    const std::int32_t* pivots;
    Index n;
    T* out;
    STRIDESCOPE_HD void operator()(Index i) const { out[i] = luwalk::determinant(lu + i * n * n, pivots + i * n, n); }
};
template <class Queue>
void luDeterminantEntry(const LinalgArgs& args) {
    Queue queue;
    withLinalgType(args.dtype, [&]<class T>(TypeTag<T>) {
        forItems(queue, "det", args.batch,
                 EachDeterminant<T>{reinterpret_cast<const T*>(args.a.data), args.pivots, args.a.rows,
                                    reinterpret_cast<T*>(args.values)});
    });
}

template <class T>
struct EachLogDeterminant {
    const T* lu;
    const std::int32_t* pivots;
    Index n;
    T* sign;
    double* logarithm;
    STRIDESCOPE_HD void operator()(Index i) const {
        luwalk::logDeterminant(lu + i * n * n, pivots + i * n, n, sign[i], logarithm[i]);
    }
};
template <class Queue>
void luLogDeterminantEntry(const LinalgArgs& args) {
    Queue queue;
    const auto as = [&]<class T>(TypeTag<T>) {
        forItems(queue, "slogdet", args.batch,
                 EachLogDeterminant<T>{reinterpret_cast<const T*>(args.a.data), args.pivots, args.a.rows,
                                       reinterpret_cast<T*>(args.values), reinterpret_cast<double*>(args.more)});
    };
    args.dtype == DType::Complex128 ? as(TypeTag<Complex<double>>{}) : as(TypeTag<double>{});
}

struct EachExchange {
    const std::int32_t* pivots;
    Index each, rows;
    Index* orders;
    double* out;
    STRIDESCOPE_HD void operator()(Index i) const {
        luwalk::exchange(pivots + i * each, each, rows, orders + i * rows, out + i * rows * rows);
    }
};
template <class Queue>
void luExchangesEntry(const LinalgArgs& args) {
    Queue queue;
    const Room<Queue> orders(queue, static_cast<std::size_t>(args.batch * args.a.rows) * sizeof(Index));
    forItems(queue, "lu_unpack", args.batch,
             EachExchange{args.pivots, args.a.cols, args.a.rows, orders.template as<Index>(),
                          reinterpret_cast<double*>(args.values)});
}

// --- To the last digit --------------------------------------------------------------------------------------------

/// One right side of one system for each item.
struct EachSystem {
    const double *a, *b, *lu;
    double* x;
    const std::int32_t* pivots;
    Index n, sides;
    bool transpose;
    double* memory;
    STRIDESCOPE_HD void operator()(Index item) const {
        const Index i = item / sides, s = item - i * sides;
        const refinewalk::ByFactors correct{lu + i * n * n, pivots + i * n, n, transpose};
        const refinewalk::System<refinewalk::ByFactors> system{a + i * n * n,         n,     n,
                                                               b + i * n * sides + s, sides, correct};
        refinewalk::refine(system, x + item * n,
                           refinewalk::Room::in(memory + item * refinewalk::Room::doubles(n, n), n, n));
    }
};
template <class Queue>
void refineSystemEntry(const LinalgArgs& args) {
    Queue queue;
    const Index n = args.a.rows, sides = args.c.cols, items = args.batch * sides;
    const Room<Queue> memory(queue, static_cast<std::size_t>(items * refinewalk::Room::doubles(n, n)) * sizeof(double));
    forItems(queue, "refine solution", items,
             EachSystem{reinterpret_cast<const double*>(args.a.data), reinterpret_cast<const double*>(args.b.data),
                        reinterpret_cast<const double*>(args.values), reinterpret_cast<double*>(args.c.data),
                        args.pivots, n, sides, args.transpose, memory.template as<double>()});
}

struct EachLeastSquares {
    const double *a, *b;
    double *x, *squares;
    Index m, n, sides, stepX;
    double* memory;
    int* info;
    STRIDESCOPE_HD static Index doubles(Index m, Index n) { return n * n + 2 * m + 3 * n; }
    STRIDESCOPE_HD void operator()(Index i) const {
        double* const factor = memory + i * doubles(m, n);
        const double* const matrix = a + i * m * n;
        info[i] = !refinewalk::normalFactor(matrix, m, n, factor) ||
                  !refinewalk::leastSquares(matrix, m, n, b + i * m * sides, sides, x + i * sides * stepX, stepX,
                                            squares + i * sides, factor, refinewalk::Room::in(factor + n * n, m, n));
    }
};
template <class Queue>
void refineLeastSquaresEntry(const LinalgArgs& args) {
    Queue queue;
    const Index m = args.a.rows, n = args.a.cols;
    const auto count = static_cast<std::size_t>(args.batch);
    const Room<Queue> memory(queue, count * static_cast<std::size_t>(EachLeastSquares::doubles(m, n)) * sizeof(double)),
        info(queue, count * sizeof(int));
    forItems(queue, "refine lstsq", args.batch,
             EachLeastSquares{reinterpret_cast<const double*>(args.a.data),
                              reinterpret_cast<const double*>(args.b.data), reinterpret_cast<double*>(args.c.data),
                              reinterpret_cast<double*>(args.values), m, n, args.c.cols, args.c.rows,
                              memory.template as<double>(), info.template as<int>()});
    if (count > 0) queue.download(args.info, info.data(), count * sizeof(int));
}

// --- Around a library's routines ----------------------------------------------------------------------------------

template <class Queue, LinalgRoutine Routine>
void libraryEntry(const LinalgArgs& args) {
    if (args.batch == 0) return;
    Queue queue;
    queue.linalg(args);
}

/// Zeros above (or below) the diagonal.
template <class T>
struct EachBeside {
    T* data;
    Index rows, cols;
    bool above;
    STRIDESCOPE_HD void operator()(Index item) const {
        const Index row = item % rows, col = item / rows % cols;
        if (above ? row < col : row > col) data[item] = T{};
    }
};
template <class Queue>
void clearBeside(Queue& queue, const LinalgArgs& args, bool above) {
    withLinalgType(args.dtype, [&]<class T>(TypeTag<T>) {
        forItems(queue, "clear triangle", args.batch * args.a.rows * args.a.cols,
                 EachBeside<T>{reinterpret_cast<T*>(args.a.data), args.a.rows, args.a.cols, above});
    });
}

template <class Queue>
void choleskyEntry(const LinalgArgs& args) {
    if (args.batch == 0) return;
    Queue queue;
    queue.linalg(args);
    clearBeside(queue, args, !args.upper);
}
template <class Queue>
void ldlFactorEntry(const LinalgArgs& args) {
    if (args.batch == 0) return;
    Queue queue;
    queue.linalg(args);
    clearBeside(queue, args, true);
}

/// to {cols, rows} = from^H {rows, cols}, both column-major.
template <class T>
struct EachTurned {
    const T* from;
    T* to;
    Index rows, cols;
    STRIDESCOPE_HD void operator()(Index item) const {
        const Index size = rows * cols, i = item / size, within = item - i * size;
        const Index col = within / cols, row = within - col * cols; // of `to`
        const T value = from[i * size + row * rows + col];
        if constexpr (kIsComplex<T>)
            to[item] = {value.re, -value.im};
        else
            to[item] = value;
    }
};
template <class Queue>
void turn(Queue& queue, const LinalgArgs& args, const MatrixBatch& from, std::byte* to) {
    withLinalgType(args.dtype, [&]<class T>(TypeTag<T>) {
        forItems(queue, "transpose", args.batch * from.rows * from.cols,
                 EachTurned<T>{reinterpret_cast<const T*>(from.data), reinterpret_cast<T*>(to), from.rows, from.cols});
    });
}
inline std::size_t bytesFor(const LinalgArgs& args, Index rows, Index cols) {
    return static_cast<std::size_t>(args.batch * rows * cols) * itemSize(args.dtype);
}

/// Wide matrices by the factors of A^H = V S U^H.
template <class Queue>
void singularEntry(const LinalgArgs& args) {
    if (args.batch == 0) return;
    Queue queue;
    const MatrixBatch &a = args.a, &u = args.b, &vh = args.c;
    if (a.rows >= a.cols) return queue.linalg(args);
    const Room<Queue> turned(queue, bytesFor(args, a.rows, a.cols));
    const Room<Queue> left(queue, bytesFor(args, vh.rows, vh.cols)), right(queue, bytesFor(args, u.rows, u.cols));
    turn(queue, args, a, turned.data());
    LinalgArgs tall = args;
    tall.a = {turned.data(), a.cols, a.rows};
    tall.b = {left.data(), vh.cols, vh.rows};
    tall.c = {right.data(), u.cols, u.rows};
    queue.linalg(tall);
    if (!args.vectors) return;
    turn(queue, args, tall.c, u.data);
    turn(queue, args, tall.b, vh.data);
}

/// Eigenvectors: of a pair of conjugate eigenvalues, the one with the positive imaginary part first, two real columns x
/// and y stand for x + iy and x - iy.
template <class T>
struct EachPaired {
    using P = T;
    const T* packed;
    const Complex<P>* values;
    Complex<P>* out;
    Index n;
    STRIDESCOPE_HD void operator()(Index item) const {
        const Index column = item / n, row = item - column * n; // columns of the whole batch
        const P im = values[column].im;
        const T* const v = packed + row;
        if (im > 0)
            out[item] = {v[column * n], v[(column + 1) * n]};
        else if (im < 0)
            out[item] = {v[(column - 1) * n], -v[column * n]};
        else
            out[item] = {v[column * n], P{0}};
    }
};
template <class Queue>
void eigenGeneralEntry(const LinalgArgs& args) {
    if (args.batch == 0) return;
    Queue queue;
    queue.linalg(args);
    if (!args.vectors) return;
    const Index n = args.a.rows;
    withLinalgType(args.dtype, [&]<class T>(TypeTag<T>) {
        if constexpr (kIsComplex<T>)
            queue.move(args.b.data, args.c.data, bytesFor(args, n, n));
        else
            forItems(queue, "eigenvectors", args.batch * n * n,
                     EachPaired<T>{reinterpret_cast<const T*>(args.c.data),
                                   reinterpret_cast<const Complex<T>*>(args.values),
                                   reinterpret_cast<Complex<T>*>(args.b.data), n});
    });
}

// --- Least squares ------------------------------------------------------------------------------------------------

/// Where the first 0 stands on the diagonal, counted from 1; 0 where there is none.
template <class T>
struct EachFirstZero {
    const T* data;
    Index rows, cols;
    int* info;
    STRIDESCOPE_HD void operator()(Index i) const {
        const Index count = rows < cols ? rows : cols;
        int first = 0;
        for (Index k = count; k-- > 0;)
            if (data[(i * cols + k) * rows + k] == T{}) first = static_cast<int>(k) + 1;
        info[i] = first;
    }
};

/// Zeros in the rows from `first` on.
template <class T>
struct EachBelow {
    T* data;
    Index rows, first;
    STRIDESCOPE_HD void operator()(Index item) const {
        if (item % rows >= first) data[item] = T{};
    }
};

/// A = Q R: X = R^-1 Q^H B. Wide ones: A^H = Q R, so A = R^H Q^H, and the X of least norm is Q R^-H B.
template <class Queue>
void leastSquaresFullEntry(const LinalgArgs& args) {
    if (args.batch == 0) return;
    Queue queue;
    const MatrixBatch &a = args.a, &b = args.b;
    const bool tall = a.rows >= a.cols;
    const Index least = tall ? a.cols : a.rows;
    const Room<Queue> tau(queue, bytesFor(args, least, 1)), turned(queue, tall ? 0 : bytesFor(args, a.rows, a.cols)),
        info(queue, static_cast<std::size_t>(args.batch) * sizeof(int));
    LinalgArgs step = args;
    step.info = nullptr;
    step.values = tau.data();
    step.reflectors = least;
    const auto go = [&](LinalgRoutine routine) {
        step.routine = routine;
        queue.linalg(step);
    };
    if (!tall) {
        turn(queue, args, a, turned.data());
        step.a = {turned.data(), a.cols, a.rows};
    }
    go(LinalgRoutine::QrFactor);
    if (!tall) turn(queue, args, step.a, a.data);
    withLinalgType(args.dtype, [&]<class T>(TypeTag<T>) {
        forItems(queue, "rank", args.batch,
                 EachFirstZero<T>{reinterpret_cast<const T*>(a.data), a.rows, a.cols, info.template as<int>()});
    });
    if (b.cols > 0 && tall) {
        step.left = step.transpose = true;
        go(LinalgRoutine::QrApply);
        step.upper = true;
        step.transpose = false;
        go(LinalgRoutine::TriangularSolve);
    } else if (b.cols > 0) {
        const MatrixBatch reflectors = step.a;
        step.a = a;
        step.upper = step.transpose = false;
        go(LinalgRoutine::TriangularSolve);
        withLinalgType(args.dtype, [&]<class T>(TypeTag<T>) {
            forItems(queue, "zeros", args.batch * b.rows * b.cols,
                     EachBelow<T>{reinterpret_cast<T*>(b.data), b.rows, a.rows});
        });
        step.a = reflectors;
        step.left = true;
        go(LinalgRoutine::QrApply);
    }
    queue.download(args.info, info.data(), static_cast<std::size_t>(args.batch) * sizeof(int));
}

// --- The table ----------------------------------------------------------------------------------------------------

template <class Queue, std::size_t... R>
void bindLibrary(KernelTable& table, std::index_sequence<R...>) {
    ((table.linalg[R] = Queue::hasLinalg(static_cast<LinalgRoutine>(R))
                            ? libraryEntry<Queue, static_cast<LinalgRoutine>(R)>
                            : nullptr),
     ...);
}

template <class Queue>
void bindLinalg(KernelTable& table) {
    bindLibrary<Queue>(table, std::make_index_sequence<kLinalgRoutines>());
    const auto bind = [&table](LinalgRoutine routine, LinalgKernel kernel) {
        table.linalg[static_cast<std::size_t>(routine)] = kernel;
    };
    bind(LinalgRoutine::LuDeterminant, luDeterminantEntry<Queue>);
    bind(LinalgRoutine::LuLogDeterminant, luLogDeterminantEntry<Queue>);
    bind(LinalgRoutine::LuExchanges, luExchangesEntry<Queue>);
    bind(LinalgRoutine::RefineSystem, refineSystemEntry<Queue>);
    bind(LinalgRoutine::RefineLeastSquares, refineLeastSquaresEntry<Queue>);
    bind(LinalgRoutine::Cholesky, choleskyEntry<Queue>);
    bind(LinalgRoutine::LdlFactor, ldlFactorEntry<Queue>);
    bind(LinalgRoutine::Singular, singularEntry<Queue>);
    bind(LinalgRoutine::EigenGeneral, eigenGeneralEntry<Queue>);
    bind(LinalgRoutine::LeastSquaresFull, leastSquaresFullEntry<Queue>);
}

} // namespace stridescope::grid
