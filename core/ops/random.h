#pragma once
// Random numbers: the same as PyTorch 1.13 gives on the CPU for the same seed and the same calls, bit for bit
// (docs/random-numbers.md says how they are drawn, and what "the same" depends on).
//
// x_ writes into `t` and returns it. Views are filled in the order in which their elements lie in memory, so that
// a transposed matrix gets the same storage as a plain one. An empty tensor takes no draws.
// `generator` is where the numbers come from; its state moves on by exactly the draws that PyTorch would take. The same
// calls give the same numbers; other cuts of the same sizes need not: randn(8) twice is not randn(16).
//
// Every function here @throws
// - ValueError (TENSOR-02) for undefined tensors; MemoryError when a result does not fit; ShapeError for sizes, as
//   creation.h says;
// - ShapeError when a tensor that is written to is read-only (WRITE-01) or names a slot twice (OVERLAP-01, OVERLAP-02);
// - NotImplementedError for a dtype that PyTorch does not draw (RNG-13) and for devices other than the CPU (DEV-02).
// Nothing changes on refusal, the generator included.

#include "core/ops/creation.h"
#include "core/random/generator.h"

namespace stridescope {

// --- The generator --------------------------------------------------------------------------------------------------

/// Restarts the default generator. Python's negative seeds are meant modulo 2^64: -1 is 2^64 - 1.
void manualSeed(std::uint64_t seed);
/// The seed that the default generator was started with.
std::uint64_t initialSeed();
/// Restarts the default generator with a number that nobody can know beforehand, and returns it.
std::uint64_t seed();
/// The state of a generator as uint8 of shape {5056}: torch.get_rng_state().
Tensor rngState(const Generator& generator = defaultGenerator());
/// Goes on where `state` was taken. Any shape and layout.
/// @throws DTypeError for other dtypes (RNG-25), ShapeError for a wrong number of bytes (RNG-23) and bytes that are no
///         state (RNG-24).
void setRngState(const Tensor& state, Generator& generator = defaultGenerator());

// --- Uniform --------------------------------------------------------------------------------------------------------

/// Uniform in [0, 1). Dtypes: float16 (11 random bits), float32 (24; one draw each), float64 (53; two draws each),
/// complex ones (both parts).
Tensor rand(const Dims& shape, TensorOptions options = {}, Generator& generator = defaultGenerator());
/// Layout as emptyLike.
Tensor randLike(const Tensor& t, LikeOptions options = {}, Generator& generator = defaultGenerator());
/// Uniform in [from, to); rounding can reach `to`.
/// @throws ShapeError for a bound that the dtype does not hold (RNG-02), from > to (RNG-04), a distance that the dtype
///         does not hold (RNG-05).
const Tensor& uniform_(const Tensor& t, double from = 0, double to = 1, Generator& generator = defaultGenerator());

// --- Whole numbers --------------------------------------------------------------------------------------------------

/// Whole numbers in [low, high), int64 unless `options` say otherwise; every dtype.
/// @throws ShapeError unless low < high (RNG-01, for floats RNG-03 when nothing is left between them after rounding),
///         and for bounds that the dtype does not hold (RNG-02).
Tensor randint(Index low, Index high, const Dims& shape, TensorOptions options = {},
               Generator& generator = defaultGenerator());
Tensor randint(Index high, const Dims& shape, TensorOptions options = {}, Generator& generator = defaultGenerator());
Tensor randintLike(const Tensor& t, Index low, Index high, LikeOptions options = {},
                   Generator& generator = defaultGenerator());
Tensor randintLike(const Tensor& t, Index high, LikeOptions options = {}, Generator& generator = defaultGenerator());
/// 0 … n - 1 in random order, int64 unless `options` say otherwise; every dtype but bool.
/// @throws ShapeError for n < 0 and for an n that the dtype cannot count to (RNG-15).
Tensor randperm(Index n, TensorOptions options = {}, Generator& generator = defaultGenerator());

/// All values >= 0 of an integer dtype, 0 … 2^d of a float with d significant bits, both bools.
const Tensor& random_(const Tensor& t, Generator& generator = defaultGenerator());
/// Whole numbers in [0, to). @throws as randint.
const Tensor& random_(const Tensor& t, Index to, Generator& generator = defaultGenerator());
/// Whole numbers in [from, to); without `to` up to the greatest of the dtype (floats: to 2^d), included.
/// The lowest int64 without `to` means all 64 bits: for int64, float32 and float64 only (RNG-14).
/// @throws as randint.
const Tensor& random_(const Tensor& t, Index from, std::optional<Index> to, Generator& generator = defaultGenerator());

// --- Normal and made from it ----------------------------------------------------------------------------------------

/// Normal numbers of mean 0 and standard deviation 1. Dtypes: floats; complex
/// ones, of which each part has half of the variance.
Tensor randn(const Dims& shape, TensorOptions options = {}, Generator& generator = defaultGenerator());
/// Layout as emptyLike.
Tensor randnLike(const Tensor& t, LikeOptions options = {}, Generator& generator = defaultGenerator());
/// Contiguous tensors of 16 elements or more are drawn in blocks of 16, all others in pairs of double precision, whose
/// second number is kept for the next call that draws in pairs. @throws ShapeError (RNG-06) unless std >= 0.
const Tensor& normal_(const Tensor& t, double mean = 0, double std = 1, Generator& generator = defaultGenerator());
/// mean + std * (standard normal numbers), broadcast; contiguous, of mean's dtype (of std's where mean is a number).
/// @throws ShapeError (RNG-06, RNG-07) unless every std >= 0, or when the shapes do not broadcast.
Tensor normal(const Tensor& mean, double std = 1, Generator& generator = defaultGenerator());
Tensor normal(double mean, const Tensor& std, Generator& generator = defaultGenerator());
Tensor normal(const Tensor& mean, const Tensor& std, Generator& generator = defaultGenerator());
Tensor normal(double mean, double std, const Dims& shape, TensorOptions options = {},
              Generator& generator = defaultGenerator());
/// e to the power of normal numbers. @throws ShapeError (RNG-08) unless std > 0.
const Tensor& logNormal_(const Tensor& t, double mean = 1, double std = 2, Generator& generator = defaultGenerator());

// --- Other distributions --------------------------------------------------------------------------------------------

/// Density lambda e^(-lambda x). Dtypes: floats. @throws ShapeError (RNG-09) unless lambda >= 0.
const Tensor& exponential_(const Tensor& t, double lambda = 1, Generator& generator = defaultGenerator());
/// The number of trials up to the first success, each of probability p. Dtypes: all but bool.
/// @throws ShapeError (RNG-10) unless 0 < p < 1.
const Tensor& geometric_(const Tensor& t, double p, Generator& generator = defaultGenerator());
/// Dtypes: floats. As in PyTorch 1.13 every sigma is taken.
const Tensor& cauchy_(const Tensor& t, double median = 0, double sigma = 1, Generator& generator = defaultGenerator());

/// 1 with probability p, else 0. Dtypes: all but float16. @throws ShapeError (RNG-11) unless 0 <= p <= 1.
const Tensor& bernoulli_(const Tensor& t, double p = 0.5, Generator& generator = defaultGenerator());
/// Each element with a probability of its own, broadcast to t's shape; float32 (one draw) or float64 (two).
/// @throws ShapeError unless all of them are in [0, 1] (RNG-12), when they do not broadcast to t's shape, and when they
///         overlap t in part (OVERLAP-03).
const Tensor& bernoulli_(const Tensor& t, const Tensor& p, Generator& generator = defaultGenerator());
/// A new contiguous tensor of p's shape and dtype. @throws as bernoulli_.
Tensor bernoulli(const Tensor& p, Generator& generator = defaultGenerator());
/// Of t's shape and dtype; t's values do not matter. @throws as bernoulli_.
Tensor bernoulli(const Tensor& t, double p, Generator& generator = defaultGenerator());

/// How many events of the rate in each element happen in a unit of time. Dtypes: float32, float64.
/// @throws ShapeError unless all rates are >= 0 (RNG-26).
Tensor poisson(const Tensor& rates, Generator& generator = defaultGenerator());
/// How many of `counts` trials succeed, each with the probability in `p`; both of one dtype, float32 or float64, and
/// broadcast. @throws ShapeError for two dtypes (RNG-27).
Tensor binomial(const Tensor& counts, const Tensor& p, Generator& generator = defaultGenerator());

/// Indices drawn with the weights in the rows of `weights`; rows need not add up to 1.
/// Shapes: (n) -> (count), (r, n) -> (r, count). Dtypes: float32, float64 -> int64.
/// @throws ShapeError for other dims (RNG-16), count < 1 (RNG-17), count > n without replacement (RNG-18), n > 2^24
///         (RNG-19), negative, infinite and NaN weights (RNG-20), rows of zeros (RNG-21); NotImplementedError for other
///         dtypes (RNG-22).
Tensor multinomial(const Tensor& weights, Index count, bool replacement = false,
                   Generator& generator = defaultGenerator());

} // namespace stridescope
