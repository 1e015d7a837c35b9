#pragma once
// What folds do with one element and with two parts, for the bodies of fold.h: an accumulator, its neutral value, a
// step and a join. `position` is the element's in row-major order of the reduced dims.

#include "core/backend/grid/grid.h"
#include "core/backend/reduce_args.h"
#include "core/dtype/convert.h"
#include "core/ops/elementwise.h"

#include <cmath>
#include <limits>

namespace stridescope::grid {

/// What is read of an element of T: Half as float, a bool as "not 0".
template <class T>
using ReadAs = std::conditional_t<std::is_same_v<T, Half>, float, T>;

template <class T>
STRIDESCOPE_HD ReadAs<T> readElement(const std::byte* at) {
    if constexpr (std::is_same_v<T, bool>)
        return *at != std::byte{0};
    else
        return static_cast<ReadAs<T>>(*reinterpret_cast<const T*>(at));
}

template <class T>
STRIDESCOPE_HD bool isNan(T value) {
    return value != value;
}

/// Sums, products and counts: floats in double, integers and bool in wrapping int64.
template <FoldOp Op, class T>
struct Additive {
    using Element = ReadAs<T>;
    static constexpr bool kFloats = std::is_floating_point_v<Element>;
    static constexpr bool kIsCount = Op == FoldOp::NonZero;
    using Acc = std::conditional_t<kFloats && !kIsCount, double, std::int64_t>;
    static constexpr bool kIsProduct = Op == FoldOp::Prod;

    double parameter = 0;

    STRIDESCOPE_HD Acc neutral() const { return kIsProduct ? Acc(1) : Acc(0); }
    STRIDESCOPE_HD void step(Acc& acc, Element x, Index) const { join(acc, value(x)); }
    STRIDESCOPE_HD void join(Acc& acc, Acc other) const {
        if constexpr (kIsProduct)
            acc = Mul{}(acc, other);
        else
            acc = Add{}(acc, other);
    }

private:
    STRIDESCOPE_HD Acc value(Element x) const {
        if constexpr (kIsCount)
            return x != Element(0) ? 1 : 0;
        else if constexpr (Op == FoldOp::NanSum)
            return isNan(x) ? Acc(0) : static_cast<Acc>(x);
        else if constexpr (Op == FoldOp::AbsSum)
            return std::fabs(static_cast<double>(x));
        else if constexpr (Op == FoldOp::SquareSum)
            return static_cast<double>(x) * static_cast<double>(x);
        else if constexpr (Op == FoldOp::PowerSum)
            return std::pow(std::fabs(static_cast<double>(x)), parameter);
        else
            return static_cast<Acc>(x);
    }
};

/// The one whose result may be raised to a power.
template <class Policy>
inline constexpr bool kIsPowerSum = false;
template <class T>
inline constexpr bool kIsPowerSum<Additive<FoldOp::PowerSum, T>> = true;

/// Extremes in the type itself; NaN wins.
template <FoldOp Op, class T>
struct Extreme {
    using Element = ReadAs<T>;
    using Acc = Element;
    static constexpr bool kMost = Op == FoldOp::Max || Op == FoldOp::AbsMax;
    static constexpr bool kAbsolute = Op == FoldOp::AbsMin || Op == FoldOp::AbsMax;
    double parameter = 0;

    STRIDESCOPE_HD Acc neutral() const {
        if constexpr (kAbsolute && kMost)
            return Acc(0);
        else if constexpr (std::is_floating_point_v<Acc>)
            return kMost ? -std::numeric_limits<Acc>::infinity() : std::numeric_limits<Acc>::infinity();
        else
            return kMost ? std::numeric_limits<Acc>::lowest() : std::numeric_limits<Acc>::max();
    }
    STRIDESCOPE_HD void step(Acc& acc, Element x, Index) const {
        if constexpr (kAbsolute)
            join(acc, Abs{}(x));
        else
            join(acc, x);
    }
    STRIDESCOPE_HD void join(Acc& acc, Acc other) const {
        if constexpr (kMost)
            acc = Maximum{}(acc, other);
        else
            acc = Minimum{}(acc, other);
    }
};

/// all() and any().
template <FoldOp Op, class T>
struct Truth {
    using Element = ReadAs<T>;
    using Acc = bool;
    double parameter = 0;
    STRIDESCOPE_HD Acc neutral() const { return Op == FoldOp::All; }
    STRIDESCOPE_HD void step(Acc& acc, Element x, Index) const { join(acc, x != Element(0)); }
    STRIDESCOPE_HD void join(Acc& acc, Acc other) const { acc = Op == FoldOp::All ? acc && other : acc || other; }
};

/// Count, mean and sum of squared distances from it. Joined as cpu::Moments are (Chan, Golub and LeVeque, 1979), and
/// stepped as Welford does (1962).
template <class T>
struct Spread {
    using Element = ReadAs<T>;
    struct Acc {
        double count, mean, squares;
    };
    double parameter = 0;
    STRIDESCOPE_HD Acc neutral() const { return {0, 0, 0}; }
    STRIDESCOPE_HD void step(Acc& acc, Element x, Index) const {
        acc.count += 1;
        const double distance = static_cast<double>(x) - acc.mean;
        acc.mean += distance / acc.count;
        acc.squares += distance * (static_cast<double>(x) - acc.mean);
    }
    STRIDESCOPE_HD void join(Acc& acc, const Acc& other) const {
        if (other.count == 0) return;
        if (acc.count == 0) {
            acc = other;
            return;
        }
        const double total = acc.count + other.count, distance = other.mean - acc.mean;
        acc.mean += distance * (other.count / total);
        acc.squares += other.squares + distance * distance * (acc.count * (other.count / total));
        acc.count = total;
    }
};

/// Sum of exp(x - most), `most` being the greatest x so far.
template <class T>
struct ExpSums {
    using Element = ReadAs<T>;
    struct Acc {
        double most, sum;
    };
    double parameter = 0;
    STRIDESCOPE_HD Acc neutral() const { return {-std::numeric_limits<double>::infinity(), 0}; }
    STRIDESCOPE_HD void step(Acc& acc, Element x, Index) const { join(acc, {static_cast<double>(x), 1}); }
    STRIDESCOPE_HD void join(Acc& acc, const Acc& other) const {
        if (isNan(acc.most) || other.sum == 0) return;
        if (isNan(other.most) || acc.sum == 0) {
            acc = other;
            return;
        }
        const double low = acc.most < other.most ? acc.most : other.most;
        const double high = acc.most < other.most ? other.most : acc.most;
        // Equal infinities are as far apart as equal numbers: not at all.
        const double shrink = low == high ? 1.0 : std::exp(low - high);
        acc.sum = acc.most < other.most ? acc.sum * shrink + other.sum : acc.sum + other.sum * shrink;
        acc.most = high;
    }
};

/// Products of complex numbers, in double.
template <class T>
struct ComplexProduct {
    using Element = T;
    struct Acc {
        double re, im;
    };
    double parameter = 0;
    STRIDESCOPE_HD Acc neutral() const { return {1, 0}; }
    STRIDESCOPE_HD void step(Acc& acc, Element x, Index) const { join(acc, {x.re, x.im}); }
    STRIDESCOPE_HD void join(Acc& acc, const Acc& other) const {
        acc = {acc.re * other.re - acc.im * other.im, acc.re * other.im + acc.im * other.re};
    }
};

/// Value and position: NaN wins, then the first of equals. A position of -1 is none.
template <class T>
struct Position {
    using Element = ReadAs<T>;
    struct Acc {
        Element value;
        Index position;
    };
    bool maximum = true;
    STRIDESCOPE_HD Acc neutral() const { return {Element(0), -1}; }
    STRIDESCOPE_HD void step(Acc& acc, Element x, Index position) const { join(acc, {x, position}); }
    STRIDESCOPE_HD void join(Acc& acc, const Acc& other) const {
        if (other.position < 0) return;
        if (acc.position < 0 || better(other, acc)) acc = other;
    }

private:
    STRIDESCOPE_HD bool better(const Acc& a, const Acc& b) const {
        const bool nanA = isNan(a.value), nanB = isNan(b.value);
        if (nanA || nanB) return nanA && (!nanB || a.position < b.position);
        if (a.value == b.value) return a.position < b.position;
        return maximum ? a.value > b.value : a.value < b.value;
    }
};

} // namespace stridescope::grid
