#pragma once
// What is said about samples: medians, quartiles, intervals without an assumption about how times are spread, and which
// of two is faster.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace stridescope::timing {

struct Interval {
    double low = 0, high = 0;
    bool holds(double x) const { return low <= x && x <= high; }
};

/// Value at `part` (0 to 1) of the way through `ordered`, linear between neighbours, as numpy.quantile.
/// Precondition: not empty, ascending.
double quantileOf(std::span<const double> ordered, double part);

/// Five numbers of some samples. With no samples all are 0.
struct Summary {
    std::size_t count = 0;
    double median = 0, lowerQuartile = 0, upperQuartile = 0, least = 0, greatest = 0;
    double iqr() const { return upperQuartile - lowerQuartile; }
    /// iqr / median; 0 without a median.
    double spread() const { return median > 0 ? iqr() / median : 0; }
};
Summary summaryOf(std::span<const double> samples);

/// The interval between the k-th lowest and the k-th highest sample that holds the true median with at least
/// `confidence`, by the binomial distribution alone. Nothing when there are too few samples: 95 % needs six.
/// Example: of 31 samples the 10th lowest to the 10th highest (97.1 %; the 11th would give 92.9 %).
std::optional<Interval> medianInterval(std::span<const double> samples, double confidence = 0.95);

/// How many digits of the median can be relied on, 1 to 4: by the half-width of a normal 90 % interval,
/// 1.645 s / sqrt(n), over the n samples between the quartiles, but no less than `clockError` seconds.
/// As torch.utils.benchmark does it.
int significantFigures(std::span<const double> samples, double clockError = 25e-9);

enum class Answer {
    FirstFaster,
    SecondFaster,
    CannotTell, ///< the interval holds 1, there are too few pairs, or the machine was busy
};
/// "first faster", "second faster", "cannot tell".
const char* name(Answer answer);

/// Which of two is faster, from samples that were taken in turns.
struct Verdict {
    Answer answer = Answer::CannotTell;
    double ratio = 1;    ///< median of second / first, pair by pair: above 1 the first is faster
    Interval interval{}; ///< that holds the true median ratio with 95 %; {0, 0} with fewer than six pairs
    std::size_t pairs = 0;
    std::string why; ///< of "cannot tell": "the interval holds 1", "this machine is busy", "only 3 pairs"
};
/// Precondition: both of one length; sample i of both belongs to round i.
Verdict compare(std::span<const double> first, std::span<const double> second, bool machineIsBusy = false);

/// "CPU faster 3.1x (2.9 to 3.4)" or "cannot tell: …". Never a factor without its interval.
std::string textOf(const Verdict& verdict, const std::string& first, const std::string& second);

} // namespace stridescope::timing
