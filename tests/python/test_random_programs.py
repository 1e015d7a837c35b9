"""2,000 random programs of mixed operations: our tensors beside NumPy arrays that share memory in the same way.

Every variable is a pair (tensor, array). View operations make views on both sides, so that writing through one must
show in all others; after each statement the whole workspace is compared. A failure prints the program, to be typed in."""
import os
import random
import unittest

import numpy as np

import stridescope as torch

PROGRAMS = int(os.environ.get("STRIDESCOPE_PROGRAMS", "2000"))
STATEMENTS = 12
DTYPES = {"float32": np.float32, "float64": np.float64, "int64": np.int64, "int32": np.int32, "uint8": np.uint8,
          "bool": np.bool_}


def promoted(a, b):
    """The dtype of `a + b`, of arrays and Python's numbers, by the rules of PyTorch's documentation: operands of the
    highest kind decide (bool, integers, floats), of those the ones with dims before those without before numbers, and
    of several the wider dtype."""
    def kind(x):
        if isinstance(x, np.ndarray):
            return "biuf".index(x.dtype.kind) if x.dtype.kind != "u" else 1
        return 0 if isinstance(x, bool) else 3 if isinstance(x, float) else 1

    def level(x):
        return 0 if not isinstance(x, np.ndarray) else 2 if x.ndim else 1

    highest = max(kind(a), kind(b))
    deciding = [x for x in (a, b) if kind(x) == highest]
    level_that_counts = max(map(level, deciding))
    if level_that_counts == 0:
        return np.dtype({0: np.bool_, 1: np.int64, 3: np.float32}[highest])
    return np.result_type(*[x.dtype for x in deciding if level(x) == level_that_counts])


class Refused(Exception):
    """The model says that this cannot be done."""


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.pairs, self.code = [], []

    # --- Choices ------------------------------------------------------------------------------------------------------
    def variable(self, test=lambda a: True):
        fitting = [i for i, (_, a) in enumerate(self.pairs) if test(a)]
        return self.random.choice(fitting) if fitting else None

    def dim(self, array):
        d = self.random.randrange(array.ndim)
        return d if self.random.random() < 0.5 else d - array.ndim

    def number(self, dtype):
        if dtype == np.bool_:
            return self.random.random() < 0.5
        value = self.random.randrange(0 if dtype == np.uint8 else -9, 10)
        return value + 0.5 if dtype in (np.float32, np.float64) and self.random.random() < 0.3 else value

    def add(self, tensor, array, code, dtype=None):
        """`dtype`: what the tensor must have, where the model computed in a wider one."""
        array = np.asarray(array) if not isinstance(array, np.ndarray) else array
        array = array.astype(dtype) if dtype else array
        if str(tensor.dtype) != f"torch.{array.dtype}":
            raise AssertionError(f"{code} has dtype {tensor.dtype}, not {array.dtype}")
        self.pairs.append((tensor, array))
        self.code.append(f"v{len(self.pairs) - 1} = {code}")

    # --- Statements -----------------------------------------------------------------------------------------------------
    def make(self):
        name, dtype = self.random.choice(list(DTYPES.items()))
        shape = tuple(self.random.choice((1, 2, 3, 4)) for _ in range(self.random.randrange(4)))
        if self.random.random() < 0.05 and shape:
            shape = (0,) + shape[1:]
        flat = [self.number(dtype) for _ in range(int(np.prod(shape)))]
        array = np.array(flat, dtype).reshape(shape)
        nested = array.tolist()
        if array.size == 0 or self.random.random() < 0.5:
            self.add(torch.from_numpy(array.copy()), array, f"torch.from_numpy(np.array({nested}, '{name}').reshape({shape}))")
        else:
            self.add(torch.tensor(nested, dtype=getattr(torch, name)), array, f"torch.tensor({nested}, dtype=torch.{name})")

    def view(self):
        i = self.variable(lambda a: a.ndim > 0)
        if i is None:
            return self.make()
        t, a = self.pairs[i]
        d, r = self.dim(a), self.random
        n = a.shape[d]
        index = [slice(None)] * a.ndim
        kind = r.randrange(11)
        if kind == 0:
            start = r.randint(0, n)
            length = r.randint(0, n - start)
            index[d] = slice(start, start + length)
            return self.add(t.narrow(d, start, length), a[tuple(index)], f"v{i}.narrow({d}, {start}, {length})")
        if kind == 1 and n:
            at = r.randrange(-n, n)
            index[d] = at
            return self.add(t.select(d, at), a[tuple(index) + (...,)], f"v{i}.select({d}, {at})")
        if kind == 2:
            start, step = r.randint(-n, n), r.randint(1, 3)
            index[d] = slice(start, None, step)
            items = tuple(index[:d % a.ndim + 1])
            return self.add(t[items], a[items], f"v{i}[{items}]")
        if kind == 3:
            e = self.dim(a)
            return self.add(t.transpose(d, e), a.swapaxes(d, e), f"v{i}.transpose({d}, {e})")
        if kind == 4:
            order = r.sample(range(a.ndim), a.ndim)
            return self.add(t.permute(order), a.transpose(order), f"v{i}.permute({order})")
        if kind == 5:
            at = r.randint(0, a.ndim)
            return self.add(t.unsqueeze(at), np.expand_dims(a, at), f"v{i}.unsqueeze({at})")
        if kind == 6:
            return self.add(t.squeeze(), a.squeeze(), f"v{i}.squeeze()")
        if kind == 7 and a.flags.c_contiguous and t.is_contiguous() and a.size:
            shape = self.random.choice([(-1,), (1, -1), a.shape + (1,), (a.size, 1)])
            return self.add(t.view(shape), a.reshape(shape), f"v{i}.view({shape})")
        if kind == 8 and a.ndim < 4:
            sizes = (r.randint(1, 3),) + a.shape
            return self.add(t.expand(sizes), np.broadcast_to(a, sizes), f"v{i}.expand({sizes})")
        if kind == 9 and a.ndim >= 2:
            k = r.randint(-1, 1)
            return self.add(t.diagonal(k), a.diagonal(k, 0, 1), f"v{i}.diagonal({k})")
        if kind == 10 and n:
            pieces = r.randint(1, 3)
            size = -(-n // pieces)
            parts = [a[tuple(index[:d % a.ndim]) + (slice(s, s + size),)] for s in range(0, n, size)]
            at = r.randrange(len(parts))
            return self.add(t.chunk(pieces, d)[at], parts[at], f"v{i}.chunk({pieces}, {d})[{at}]")
        return self.add(t.T if a.ndim == 2 else t[None], a.T if a.ndim == 2 else a[None], f"v{i}{'.T' if a.ndim == 2 else '[None]'}")

    def writable(self):
        """A variable that names no slot twice."""
        return self.variable(lambda a: not any(s == 0 and n > 1 for s, n in zip(a.strides, a.shape)) and a.flags.writeable)

    def write(self):
        i = self.writable()
        if i is None:
            return self.make()
        t, a = self.pairs[i]
        value, kind = self.number(a.dtype.type), self.random.randrange(11)
        if kind == 0:
            t.fill_(value)
            a[...] = value
            self.code.append(f"v{i}.fill_({value})")
        elif kind == 1 and a.dtype != np.bool_:
            t += value
            a += np.array(value).astype(a.dtype)
            self.code.append(f"v{i} += {value}")
        elif kind == 2 and a.dtype != np.bool_:
            t.mul_(2)
            a *= np.array(2, a.dtype)
            self.code.append(f"v{i}.mul_(2)")
        elif kind == 3 and a.ndim and a.shape[0]:
            at = self.random.randrange(-a.shape[0], a.shape[0])
            t[at] = value
            a[at] = value
            self.code.append(f"v{i}[{at}] = {value}")
        elif kind == 4:
            mask = a > 0
            t[t > 0] = value
            a[mask] = value
            self.code.append(f"v{i}[v{i} > 0] = {value}")
        elif kind == 5 and a.ndim and a.shape[-1] > 1:
            t[..., 1:] = value
            a[..., 1:] = value
            self.code.append(f"v{i}[..., 1:] = {value}")
        elif kind == 6:
            j = self.variable(lambda b: self.broadcasts(b, a))
            if j is None:
                return self.make()
            source = self.pairs[j][1].copy()
            try:
                t.copy_(self.pairs[j][0])
            except RuntimeError as error:  # dense views that share memory in another order: nothing may have changed
                if "single memory location" not in str(error) or not np.shares_memory(self.pairs[j][1], a):
                    raise
                return None
            with np.errstate(all="ignore"):
                a[...] = self.converted(source, a.dtype)
            self.code.append(f"v{i}.copy_(v{j})")
        elif kind == 7:
            return self.combine_into(i)
        elif kind == 8 and a.ndim and a.shape[0]:
            # Rows named by a tensor, each once, from a tensor that broadcasts.
            places = self.random.sample(range(a.shape[0]), self.random.randint(1, a.shape[0]))
            j = self.variable(lambda b: b.dtype == a.dtype and b.size == 1 and not np.shares_memory(b, a))
            if j is None:
                return None
            t[torch.tensor(places)] = self.pairs[j][0].reshape(())
            a[np.array(places)] = self.pairs[j][1].reshape(())
            self.code.append(f"v{i}[torch.tensor({places})] = v{j}.reshape(())")
        elif kind == 9 and a.ndim and a.dtype != np.bool_:
            u = t.narrow(0, 0, a.shape[0]).t() if a.ndim == 2 else t.unsqueeze(0)
            u -= value
            a -= np.array(value).astype(a.dtype)
            self.code.append(f"u = v{i}.t() or v{i}.unsqueeze(0); u -= {value}")
        elif a.ndim and a.shape[0]:
            places = [self.random.randrange(a.shape[0]) for _ in range(2)]
            t[places] = value
            a[places] = value
            self.code.append(f"v{i}[{places}] = {value}")
        return None

    def combine_into(self, i):
        """v += w, of any dtypes: refused where the result is of a higher kind than v, or where they overlap."""
        t, a = self.pairs[i]
        j = self.variable(lambda b: self.broadcasts(b, a))
        if j is None:
            return None
        u, b = self.pairs[j]
        symbol, operation = self.random.choice([("+=", np.add), ("*=", np.multiply)])
        result = promoted(a, b)
        order = {"b": 0, "i": 1, "u": 1, "f": 2}
        code = f"v{i} {symbol} v{j}"
        names = {"t": t, "u": u}
        if order[result.kind] > order[a.dtype.kind]:
            try:
                exec(f"t {symbol} u", names)
            except RuntimeError as error:
                if "can't be cast" in str(error) or "single memory location" in str(error):
                    return None
                raise
            raise AssertionError(f"{code} should be refused: {result} into {a.dtype}")
        if result.kind == "f" and a.dtype.kind == "f" and not np.isfinite(np.concatenate([a.ravel(), b.ravel().astype(np.float64)])).all():
            return None
        with np.errstate(all="ignore"):
            wanted = operation(self.converted(a, result), self.converted(b, result))
        try:
            exec(f"t {symbol} u", names)
        except RuntimeError as error:
            if "single memory location" not in str(error) or not np.shares_memory(a, b):
                raise
            return None
        with np.errstate(all="ignore"):
            a[...] = wanted.astype(a.dtype)
        self.code.append(code)
        return None

    def mixed(self, i):
        """Operands of two dtypes, or a number, which broadcast."""
        t, a = self.pairs[i]
        r = self.random
        if r.random() < 0.4:
            u = b = r.choice([True, 2, -3, 0.5, 1.25])
            name = str(b)
        else:
            j = self.variable()
            (u, b), name = self.pairs[j], f"v{j}"
        result = promoted(a, b)
        symbol, operation = r.choice([("+", np.add), ("*", np.multiply), ("<", np.less), ("!=", np.not_equal)])
        if isinstance(b, (int, float)) and result == np.uint8 and b < 0:
            return None  # wraps in one of the two only
        try:
            wanted = operation(self.converted(a, result), self.converted(np.asarray(b), result))
        except ValueError:
            try:
                eval(f"t {symbol} u")
            except RuntimeError:
                return None
            raise AssertionError(f"v{i} {symbol} {name}: broadcast {a.shape} and {b.shape}")
        return self.add(eval(f"t {symbol} u"), wanted, f"v{i} {symbol} {name}")

    @staticmethod
    def converted(a, dtype):
        if dtype == np.uint8 and a.dtype.kind == "f":  # through int64, as the hardware's C does for small numbers
            return a.astype(np.int64).astype(dtype)
        return a.astype(dtype)

    @staticmethod
    def broadcasts(b, a):
        try:
            return np.broadcast_shapes(b.shape, a.shape) == a.shape
        except ValueError:
            return False

    def compute(self):
        i = self.variable()
        t, a = self.pairs[i]
        r = self.random
        real = a.astype(np.float64) if a.dtype.kind == "f" else a
        kind = r.randrange(28)
        if kind < 5:
            j = self.variable(lambda b: b.dtype == a.dtype)
            u, b = self.pairs[j]
            symbol, operation = r.choice([("+", np.add), ("*", np.multiply), ("<", np.less), ("==", np.equal),
                                          (">=", np.greater_equal)] + ([("-", np.subtract)] if a.dtype != np.bool_ else []))
            try:
                wanted = operation(a, b)
            except ValueError:
                try:
                    eval(f"t {symbol} u")
                except RuntimeError:
                    return None
                raise AssertionError(f"v{i} {symbol} v{j}: broadcast {a.shape} and {b.shape}")
            return self.add(eval(f"t {symbol} u"), wanted, f"v{i} {symbol} v{j}")
        if kind == 5:
            return self.add(t.sum(), real.sum() if a.dtype.kind == "f" else a.sum(dtype=np.int64), f"v{i}.sum()", a.dtype if a.dtype.kind == "f" else None)
        if kind == 6 and a.ndim:
            d, keep = self.dim(a), r.random() < 0.5
            wanted = real.sum(d, keepdims=keep) if a.dtype.kind == "f" else a.sum(d, dtype=np.int64, keepdims=keep)
            return self.add(t.sum(d, keep), wanted, f"v{i}.sum({d}, {keep})", a.dtype if a.dtype.kind == "f" else None)
        if kind == 7 and a.size and a.dtype != np.bool_:
            return self.add(t.max(), a.max(), f"v{i}.max()")
        if kind == 8 and a.ndim and a.size and a.dtype != np.bool_:
            d = self.dim(a)
            self.add(t.max(d)[0], a.max(d), f"v{i}.max({d})[0]")
            return self.add(t.argmin(d), a.argmin(d), f"v{i}.argmin({d})")
        if kind == 9 and a.ndim and a.dtype.kind == "f" and a.size:
            d = self.dim(a)
            return self.add(t.mean(d), real.mean(d), f"v{i}.mean({d})", a.dtype if a.dtype.kind == "f" else None)
        if kind == 10 and a.ndim:
            d = self.dim(a)
            wanted = np.cumsum(real, d) if a.dtype.kind == "f" else np.cumsum(a, d, dtype=np.int64)
            return self.add(t.cumsum(d), wanted, f"v{i}.cumsum({d})", a.dtype if a.dtype.kind == "f" else None)
        if kind == 11 and a.ndim:
            d = self.dim(a)
            self.add(t.sort(d).values, np.sort(a, d), f"v{i}.sort({d}).values")
            return self.add(t.sort(d)[1], np.argsort(a, d, kind="stable"), f"v{i}.sort({d})[1]")
        if kind == 12 and a.ndim:
            d = self.dim(a)
            return self.add(torch.cat([t, t], d), np.concatenate([a, a], d), f"torch.cat([v{i}, v{i}], {d})")
        if kind == 13:
            return self.add(torch.stack((t, t, t)), np.stack((a, a, a)), f"torch.stack((v{i}, v{i}, v{i}))")
        if kind == 14 and a.ndim:
            d = self.dim(a)
            return self.add(t.flip(d), np.flip(a, d).copy(), f"v{i}.flip({d})")
        if kind == 15 and a.ndim:
            d, s = self.dim(a), r.randint(-3, 3)
            return self.add(t.roll(s, d), np.roll(a, s, d), f"v{i}.roll({s}, {d})")
        if kind == 16 and a.ndim and a.size:
            d = self.dim(a)
            places = [r.randrange(a.shape[d]) for _ in range(3)]
            return self.add(t.index_select(d, torch.tensor(places)), a.take(places, d), f"v{i}.index_select({d}, torch.tensor({places}))")
        if kind == 17:
            return self.add(t[t > 0], a[a > 0], f"v{i}[v{i} > 0]")
        if kind == 18 and a.ndim == 2 and a.dtype in (np.float32, np.float64, np.int64):
            return self.add(t @ t.t(), a @ a.T, f"v{i} @ v{i}.t()")
        if kind == 19:
            name, dtype = r.choice(list(DTYPES.items()))
            if a.dtype.kind == "f" and dtype == np.uint8:
                return None  # negative floats: undefined in C
            if a.dtype.kind == "f" and (not np.isfinite(a).all() or (np.abs(a) > 1e9).any()):
                return None
            return self.add(t.to(getattr(torch, name), copy=True), a.astype(dtype), f"v{i}.to(torch.{name}, copy=True)")
        if kind == 20 and a.dtype != np.bool_:
            return self.add(t.clamp(1, 4), np.asarray(a.clip(1, 4)).astype(a.dtype), f"v{i}.clamp(1, 4)")
        if kind == 21:
            return self.add(torch.where(t > 1, t, t.new_zeros(())), np.where(a > 1, a, np.zeros((), a.dtype)),
                            f"torch.where(v{i} > 1, v{i}, v{i}.new_zeros(()))")
        if kind in (22, 23):
            return self.mixed(i)
        if kind == 24 and a.ndim > 1:
            dims = tuple(sorted(r.sample(range(a.ndim), 2)))
            wanted = real.sum(dims) if a.dtype.kind == "f" else a.sum(dims, dtype=np.int64)
            return self.add(t.sum(dims), wanted, f"v{i}.sum({dims})", a.dtype if a.dtype.kind == "f" else None)
        if kind == 25 and a.ndim:
            d, truth = self.dim(a), np.uint8 if a.dtype == np.uint8 else np.bool_
            self.add(t.any(d), a.any(d).astype(truth), f"v{i}.any({d})")
            return self.add(t.all(), np.asarray(a.all()).astype(truth), f"v{i}.all()")
        if kind == 26 and a.ndim and a.shape[0]:
            places = np.array([r.randrange(-a.shape[0], a.shape[0]) for _ in range(3)])
            if a.ndim > 1 and a.shape[1] and r.random() < 0.5:
                second = np.array([r.randrange(a.shape[1]) for _ in range(3)])
                return self.add(t[torch.tensor(places.tolist()), torch.tensor(second.tolist())], a[places, second],
                                f"v{i}[torch.tensor({places.tolist()}), torch.tensor({second.tolist()})]")
            return self.add(t[torch.tensor(places.tolist())], a[places], f"v{i}[torch.tensor({places.tolist()})]")
        if kind == 27 and a.ndim and a.dtype.kind == "f" and a.size:
            d = self.dim(a)
            return self.add(t.norm(dim=d), np.sqrt((real * real).sum(d)), f"v{i}.norm(dim={d})", a.dtype)
        return self.add(t.clone(), a.copy(), f"v{i}.clone()")

    # --- The whole -------------------------------------------------------------------------------------------------------
    def step(self):
        if not self.pairs:
            return self.make()
        return self.random.choices([self.make, self.view, self.write, self.compute], [1, 4, 3, 4])[0]()

    def compare(self):
        for i, (t, a) in enumerate(self.pairs):
            if tuple(t.shape) != a.shape:
                raise AssertionError(f"v{i} has shape {tuple(t.shape)}, NumPy {a.shape}")
            got = t.numpy()
            if a.dtype.kind == "f":
                np.testing.assert_allclose(got, a, rtol=2e-5 if got.dtype == np.float32 else 1e-12, atol=1e-4, err_msg=f"v{i}")
            else:
                if got.dtype.kind != a.dtype.kind:
                    raise AssertionError(f"v{i} has dtype {t.dtype}, NumPy {a.dtype}")
                np.testing.assert_array_equal(got, a, err_msg=f"v{i}")

    def run(self):
        with np.errstate(all="ignore"):
            for _ in range(STATEMENTS):
                self.step()
                self.compare()


class RandomPrograms(unittest.TestCase):
    def test_programs(self):
        statements = 0
        for seed in range(PROGRAMS):
            program = Program(seed)
            try:
                program.run()
            except Exception as error:
                self.fail(f"program {seed}: {type(error).__name__}: {error}\n" + "\n".join(program.code))
            statements += len(program.code)
        self.assertGreater(statements, 8 * PROGRAMS)


if __name__ == "__main__":
    unittest.main()
