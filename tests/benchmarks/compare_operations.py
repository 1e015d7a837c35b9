#!/usr/bin/python3
"""Compares every operation of the table with PyTorch, one thread each, in one process.

    PYTHONPATH=build/release/python /usr/bin/python3 tests/benchmarks/compare_operations.py [--below R] [WORD ...]

Each line below is carried out by both for each of its dtypes, on the same numbers. Blocks of calls alternate; the shortest
block of each side counts, in processor time of the thread. The ratio is PyTorch's time to ours: 2 is twice as fast. Lines
whose ratio is below R (1) are listed, the slowest first, then the lines that one side refuses, then operations of the table
without a line. WORDs choose lines that contain all of them, and print each.
"""

import argparse
import os
import time
import warnings

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "STRIDESCOPE_NUM_THREADS"):
    os.environ[variable] = "1"
os.environ.pop("OPENBLAS_CORETYPE", None)
warnings.simplefilter("ignore")

import torch  # noqa: E402
import stridescope  # noqa: E402

FLOATS, COMPLEX, INTEGERS = ("float32", "float64"), ("complex64", "complex128"), ("uint8", "int32", "int64")
ONE, NUMBERS = ("float32",), FLOATS + INTEGERS
COUNT, ROW, SIDE = 50_000, 500, 100

# Names of the inputs: x, y any numbers of one length; p in (0, 1); g greater than 1; m rows of x; i places in x; q a
# permutation of the rows; k flags; A a square matrix, S a positive definite one, B columns for them, T a stack of matrices.
UNARY = {
    "x": (FLOATS, "exp sin cos tan atan sinh cosh tanh asinh sigmoid exp2 expm1 erf erfc sinc i0 deg2rad rad2deg reciprocal "
                  "square sign sgn floor ceil trunc round frac relu nan_to_num isnan isinf isfinite isreal isposinf "
                  "isneginf signbit neg abs logical_not positive softmax:0 frexp angle fliplr"),
    "p": (FLOATS, "log log2 log10 log1p sqrt rsqrt asin acos atanh erfinv logit"),
    "g": (FLOATS, "acosh lgamma digamma"),
}
COMPLEX_UNARY = ("exp log log2 log10 sqrt rsqrt reciprocal sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh sigmoid "
                 "square sgn isnan isinf isfinite logical_not neg abs angle conj sum prod mean real imag view_as_real")
BINARY = {
    "x": (FLOATS, "add sub mul div maximum minimum eq ne lt le gt ge floor_divide remainder fmod atan2 hypot logaddexp "
                  "logaddexp2 nextafter copysign heaviside fmax fmin logical_and logical_or logical_xor ldexp isclose rsub "
                  "dist allclose equal dot inner"),
    "g": (FLOATS, "pow float_power xlogy"),
}
INTEGER_BINARY = ("add sub mul div maximum minimum eq lt floor_divide remainder fmod gcd lcm bitwise_and bitwise_or "
                  "bitwise_xor bitwise_left_shift bitwise_right_shift fmax")
REDUCTIONS = ("sum nansum mean nanmean prod var std norm all any count_nonzero max min amax amin aminmax argmax argmin median "
              "nanmedian")
DIM_REDUCTIONS = ("sum mean prod var std norm logsumexp max min amax amin argmax argmin median mode cumsum cumprod cummax "
                  "cummin logcumsumexp softmax log_softmax sort argsort diff msort:")
LINES = {
    FLOATS: """
torch.clamp(x, -0.5, 0.5)
torch.clamp(x, min=-0.5)
torch.clamp(x, y, p)
x.clamp_(-2, 2)
torch.logit(x, 0.1)
torch.round(x, decimals=2)
torch.div(x, y, rounding_mode="floor")
torch.div(x, y, rounding_mode="trunc")
torch.fmod(x, 0.7)
torch.remainder(x, 0.7)
torch.floor_divide(x, 0.7)
torch.pow(g, 2.5)
torch.pow(x, 2)
torch.pow(2, x)
torch.lerp(x, y, 0.3)
torch.addcmul(x, y, p)
torch.addcdiv(x, y, g)
torch.polygamma(1, g)
torch.special.zeta(g + 1.5, g)
torch.special.xlog1py(x, g)
torch.add(x, y, alpha=2)
x + 1
x * 2
1 / x
torch.logsumexp(m, (0, 1))
torch.norm(m, p=1)
torch.norm(m, p=3)
torch.quantile(x, 0.3)
torch.cdist(m[:50, :20], m[50:, :20])
torch.trapezoid(m)
torch.cumulative_trapezoid(m)
torch.cov(m)
torch.corrcoef(m)
torch.renorm(m, 2, 0, 1.0)
torch.topk(m, 5)
torch.kthvalue(m, 5)
torch.unique(x)
torch.unique_consecutive(x)
torch.searchsorted(x.sort().values, y)
torch.bucketize(x, y[:100].sort().values)
torch.histc(x, 100)
torch.isin(x, y[:20])
torch.mv(A, B[:, 0])
torch.mm(A, A)
torch.bmm(T, T)
torch.matmul(T, T[0])
torch.addmm(A, A, A)
torch.addmv(B[:, 0], A, A[0])
torch.baddbmm(T, T, T)
torch.addbmm(T[0], T, T)
torch.addr(A, A[0], A[1])
torch.outer(A[0], A[1])
torch.tensordot(A, A, 1)
torch.kron(A[:10, :10], A[:10, :10])
torch.trace(A)
torch.cross(x[:30000].view(-1, 3), y[:30000].view(-1, 3), dim=1)
torch.vdot(x, y)
torch.einsum("ij,jk->ik", A, A)
torch.linalg.multi_dot((A, A, B))
torch.linalg.solve(A, B)
torch.linalg.solve_triangular(A, B, upper=True)
torch.triangular_solve(B, A)
torch.linalg.inv(A)
torch.linalg.lstsq(A, B)
torch.linalg.qr(A)
torch.linalg.cholesky(S)
torch.linalg.svd(A)
torch.linalg.svdvals(A)
torch.linalg.lu_factor(A)
torch.linalg.lu(A)
torch.geqrf(A)
torch.cholesky_solve(B, torch.linalg.cholesky(S))
torch.cholesky_inverse(S)
torch.linalg.ldl_factor(S)
torch.linalg.eig(A)
torch.linalg.eigvals(A)
torch.linalg.eigh(S)
torch.linalg.eigvalsh(S)
torch.linalg.det(A)
torch.linalg.slogdet(A)
torch.logdet(S)
torch.linalg.matrix_exp(A / 100)
torch.linalg.vecdot(m, m)
torch.linalg.matrix_rank(A)
torch.linalg.pinv(A)
torch.linalg.matrix_power(A, 3)
torch.linalg.norm(A)
torch.linalg.vector_norm(x)
torch.linalg.matrix_norm(A, 1)
torch.linalg.cond(A)
torch.linalg.solve_ex(A, B)
torch.linalg.inv_ex(A)
torch.linalg.cholesky_ex(S)
torch.linalg.lu_factor_ex(A)
torch.linalg.lu_solve(*torch.linalg.lu_factor(A), B)
torch.lu_solve(B, *torch.linalg.lu_factor(A))
torch.linalg.householder_product(*torch.geqrf(A))
torch.ormqr(*torch.geqrf(A), B)
torch.linalg.ldl_factor_ex(S)
torch.linalg.ldl_solve(*torch.linalg.ldl_factor(S), B)
torch.linalg.tensorsolve(A.view(100, 10, 10), A[0])
torch.linalg.tensorinv(A.view(100, 10, 10), 1)
torch.fft.ifftn(m)
torch.fft.ifft2(m)
torch.fft.rfftn(m)
torch.fft.irfftn(m)
torch.fft.irfft2(m)
torch.fft.ifftshift(x)
torch.view_as_complex(x.view(-1, 2))
torch.fft.fft(x)
torch.fft.rfft(x)
torch.fft.ifft(m)
torch.fft.irfft(m)
torch.fft.hfft(m)
torch.fft.ihfft(m)
torch.fft.fft2(m)
torch.fft.fftn(m)
torch.fft.rfft2(m)
torch.fft.fftshift(x)
torch.complex(x, y)
torch.polar(x, y)
torch.rand(50000, dtype=x.dtype)
torch.randn(50000, dtype=x.dtype)
torch.normal(x, g)
torch.bernoulli(p)
x.clone().uniform_()
x.clone().normal_()
x.clone().exponential_()
x.clone().cauchy_()
x.clone().log_normal_()
x.clone().geometric_(0.3)
torch.multinomial(p, 100)
torch.linspace(0, 1, 50000, dtype=x.dtype)
torch.logspace(0, 1, 50000, dtype=x.dtype)
""",
    COMPLEX: """
torch.add(x, y)
torch.sub(x, y)
torch.mul(x, y)
torch.div(x, y)
torch.eq(x, y)
torch.pow(x, y)
torch.logical_and(x, y)
torch.add(x, y, alpha=2)
x * 2
x / 2
x + 1
1 / x
x ** 2
x ** 0.5
torch.sum(m, dim=0)
torch.sum(m, dim=1)
torch.mean(m, dim=1)
torch.prod(m, dim=0)
torch.prod(m, dim=1)
torch.cumsum(m, dim=1)
torch.cumprod(m, dim=1)
torch.norm(m)
torch.std(m)
torch.mm(A, A)
torch.fft.fft(x)
torch.fft.ifft(m)
""",
    INTEGERS: """
torch.square(x)
torch.sign(x)
torch.neg(x)
torch.bitwise_not(x)
torch.clamp(x, 2, 9)
torch.sum(m)
torch.sum(m, dim=0)
torch.prod(m)
torch.cumsum(m, dim=1)
torch.sort(m)
torch.bincount(x)
x + 1
x * 2
""",
    ONE: """
torch.tensor([1.0, 2.0])
torch.zeros(50000)
torch.ones(50000)
torch.full((50000,), 3.0)
torch.empty(50000)
torch.zeros_like(x)
torch.arange(50000)
torch.eye(200)
torch.tril(A)
torch.triu(A)
torch.diag(A)
torch.diagflat(x[:200])
torch.diag_embed(x[:200])
torch.block_diag(A, A)
torch.tril_indices(200, 200)
torch.meshgrid(x[:200], y[:200], indexing="ij")
torch.cartesian_prod(x[:200], y[:200])
torch.combinations(x[:200])
torch.vander(x[:200])
torch.randint(0, 100, (50000,))
torch.randperm(50000)
m.t()
m.transpose(0, 1)
m.narrow(1, 2, 30)
m.select(0, 3)
m.unsqueeze(0)
m.reshape(-1)
m.view(-1)
m.expand(3, 100, 500)
m.unfold(1, 5, 2)
m.diagonal()
m.permute(1, 0)
m[3]
m[:, ::2]
m[3, 4]
m.split(10)
m.chunk(10)
m.unbind()
m.t().contiguous()
m.clone()
x.flip(0)
torch.cat((m, m))
torch.cat((m, m), 1)
torch.stack((x, y))
torch.hstack((x, y))
torch.vstack((x, y))
torch.column_stack((x, y))
m.repeat(2, 2)
torch.tile(m, (2, 2))
torch.repeat_interleave(x, 3)
torch.roll(x, 7)
torch.rot90(m)
torch.tensor_split(x, 7)
torch.index_select(m, 0, q)
torch.gather(x, 0, i)
torch.take(x, i)
torch.take_along_dim(x, i, 0)
x.clone().scatter_(0, i, y)
x.clone().scatter_add_(0, i, y)
torch.scatter_reduce(x, 0, i, y, "amax")
x[i]
x[k]
x.clone().index_put_((i,), y)
x.clone().put_(i, y)
m.clone().index_fill_(0, q[:9], 1.0)
m.clone().index_copy_(0, q, m)
m.clone().index_add_(0, q, m)
torch.masked_select(x, k)
x.clone().masked_fill_(k, 1.0)
torch.where(k, x, y)
torch.nonzero(x)
torch.argwhere(x)
x.clone().fill_(3)
x.clone().zero_()
x.clone().copy_(y)
x.to(torch.float64)
x.to(torch.int64)
torch.empty_strided((100, 500), (500, 1))
torch.empty_like(x)
torch.ones_like(x)
torch.full_like(x, 2.0)
x.new_empty(50000)
x.new_zeros(50000)
x.new_ones(50000)
x.new_full((50000,), 2.0)
x.new_tensor([1.0, 2.0])
A.clone().fill_diagonal_(1.0)
torch.triu_indices(200, 200)
torch.linalg.vander(x[:200])
x.clone().random_()
m.swapaxes(0, 1)
m.swapdims(0, 1)
m.movedim(0, 1)
m.flatten()
x.unflatten(0, (100, 500))
x.as_strided((10, 10), (10, 1))
x.clone().resize_(100)
x[:0].clone().set_(x)
m.clone().t_()
m.clone().transpose_(0, 1)
m.clone().unsqueeze_(0)
m.clone().squeeze_()
m.squeeze()
x.clone().as_strided_((10, 10), (10, 1))
torch.dstack((m, m))
torch.flipud(m)
torch.hsplit(m, 5)
torch.vsplit(m, 5)
torch.dsplit(x.view(10, 50, 100), 5)
torch.atleast_1d(x)
torch.atleast_2d(x)
torch.atleast_3d(x)
torch.broadcast_tensors(m, m[0])
x.clone().__setitem__(k, 1.0)
x.__getitem__(3)
x.clone().masked_scatter_(k, y)
torch.masked_scatter(x, k, y)
torch.index_put(x, (i,), y)
x.clone().scatter_reduce_(0, i, y, "sum")
m.sum_to_size(100, 1)
x.clone().float_power_(2.0)
x.clone().bernoulli_(0.3)
torch.fft.fftfreq(1000)
torch.fft.rfftfreq(1000)
x[:10] + y[:10]
x[:10].exp()
x[:10].sum()
""",
}


def lines():
    """(line, dtype) of everything that is compared."""
    chosen = []
    for name, (dtypes, functions) in UNARY.items():
        for function in functions.split():
            function, _, dim = function.partition(":")
            given = "m" if function == "fliplr" else name
            chosen.append((f"torch.{function}({given}{', ' + dim if dim else ''})", dtypes))
    chosen += [(f"torch.{function}(x)", COMPLEX) for function in COMPLEX_UNARY.split()]
    for name, (dtypes, functions) in BINARY.items():
        chosen += [(f"torch.{function}({name}, y)", dtypes) for function in functions.split()]
    chosen += [(f"torch.{function}(x, y)", INTEGERS) for function in INTEGER_BINARY.split()]
    chosen += [(f"torch.{function}(m)", FLOATS) for function in REDUCTIONS.split()]
    for function in DIM_REDUCTIONS.split():
        function, colon, _ = function.partition(":")
        for dim in (0, 1):
            chosen.append((f"torch.{function}(m{'' if colon else f', dim={dim}'})", FLOATS))
    for dtypes, text in LINES.items():
        chosen += [(line, dtypes) for line in text.strip().splitlines()]
    seen = dict.fromkeys((line, dtype) for line, dtypes in chosen for dtype in dtypes)
    return list(seen)


def inputs(library, dtype):
    """The same numbers from either library: their generators give the same ones."""
    kind = getattr(library, dtype)
    library.manual_seed(3)
    if dtype in INTEGERS:
        x, y = library.randint(1, 100, (COUNT,)).to(kind), library.randint(1, 7, (COUNT,)).to(kind)
        p = g = y
    elif dtype in COMPLEX:
        part = library.float32 if dtype == "complex64" else library.float64
        x, y = (library.complex(library.randn(COUNT, dtype=part), library.randn(COUNT, dtype=part)) for _ in range(2))
        p = g = y
    else:
        x, y = library.randn(COUNT, dtype=kind), library.randn(COUNT, dtype=kind)
        p, g = library.rand(COUNT, dtype=kind) * 0.98 + 0.01, library.rand(COUNT, dtype=kind) * 6 + 1.01
    rows = SIDE * SIDE
    a = x[:rows].view(SIDE, SIDE).clone()
    return {
        "torch": library, "x": x, "y": y, "p": p, "g": g, "m": x.view(-1, ROW),
        "i": library.randint(0, COUNT, (COUNT,)), "q": library.randperm(COUNT // ROW), "k": library.rand(COUNT) > 0.5,
        "A": a, "S": a @ a.t() + library.eye(SIDE, dtype=kind) * SIDE if dtype in FLOATS else a,
        "B": y[:SIDE * 20].view(SIDE, 20).clone(), "T": x[:16 * 400].view(16, 20, 20).clone(),
    }


def seconds(code, names, calls):
    begin = time.thread_time()
    for _ in range(calls):
        eval(code, names)
    return (time.thread_time() - begin) / calls


def compare(code, theirs, ours, rounds):
    """The shortest time of each side."""
    sides = (theirs, ours)
    calls = [max(1, int(4e-4 / max(min(seconds(code, side, 1) for _ in range(3)), 1e-7))) for side in sides]
    best = [float("inf")] * 2
    for _ in range(rounds):
        for side in (0, 1):
            best[side] = min(best[side], seconds(code, sides[side], calls[side]))
    return best


def refused(code, names):
    try:
        eval(code, names)
    except Exception as error:  # whatever it is, it is what is told
        return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("words", nargs="*", metavar="WORD")
    parser.add_argument("--below", type=float, default=1.0, metavar="R")
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    torch.set_num_threads(1)
    stridescope.set_num_threads(1)
    print(f"PyTorch {torch.__version__}, one thread each; "
          "ratio = PyTorch's time / ours, shortest of alternating blocks")
    rows, odd, data = [], [], {}
    for line, dtype in lines():
        shown = f"{line} {dtype}"
        if not all(word in shown for word in options.words):
            continue
        if dtype not in data:
            data[dtype] = inputs(torch, dtype), inputs(stridescope, dtype)
        theirs, ours = data[dtype]
        code = compile(line, "<line>", "eval")
        errors = refused(code, theirs), refused(code, ours)
        if any(errors):
            if not all(errors):
                odd.append(f"{'PyTorch' if errors[0] else 'Stridescope'} refuses {shown}: {errors[0] or errors[1]}")
            continue
        times = compare(code, theirs, ours, options.rounds)
        rows.append((times[0] / times[1], times, shown))
    rows.sort()
    slower = [row for row in rows if row[0] < options.below]
    for ratio, times, shown in rows if options.words else slower:
        print(f"{ratio:7.2f}   ours {times[1] * 1e6:9.2f} us   PyTorch {times[0] * 1e6:9.2f} us   {shown}")
    middle = rows[len(rows) // 2][0] if rows else 0
    print(f"{len(rows)} compared, {len(slower)} below {options.below:g}, median {middle:.2f}")
    for text in odd:
        print(text)
    if not options.words:
        compared = " ".join(shown for _, _, shown in rows)
        missing = [name for name in stridescope._core._operations() if f".{name.rpartition('.')[2]}(" not in compared]
        print("without a line: " + " ".join(missing))


if __name__ == "__main__":
    main()
