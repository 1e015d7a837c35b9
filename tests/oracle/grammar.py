"""What the random programs are made of: statements on the variables that there are, most of them valid."""
import random

DTYPES = ["float32"] * 6 + ["float64"] * 2 + ["int64"] * 3 + ["int32", "int16", "int8", "uint8", "bool", "float16", "complex64"]
UNARY = ["abs", "neg", "square", "sign", "exp", "sin", "cos", "tanh", "sigmoid", "sqrt", "log", "log1p", "floor", "ceil",
         "round", "trunc", "frac", "reciprocal", "rsqrt", "relu", "isnan", "isfinite", "logical_not", "bitwise_not", "erf",
         "expm1", "log2", "log10", "atan", "sinh", "cosh", "asinh", "deg2rad", "positive", "exp2", "sinc", "conj",
         "angle", "isinf", "lgamma", "real"]
BINARY = ["add", "sub", "mul", "div", "maximum", "minimum", "pow", "fmod", "remainder", "eq", "ne", "lt", "le", "gt", "ge",
          "logical_and", "logical_or", "logical_xor", "atan2", "hypot", "floor_divide", "true_divide", "fmax", "fmin",
          "bitwise_and", "bitwise_or", "bitwise_xor", "dist", "isclose", "xlogy", "heaviside", "logaddexp"]
OPERATORS = ["+", "-", "*", "/", "//", "%", "**", "<", "<=", "==", "!=", ">", ">=", "&", "|", "^", "@"]
IN_PLACE = ["add_", "sub_", "mul_", "div_", "copy_", "fill_", "pow_", "clamp_min_", "eq_", "lt_", "logical_and_", "remainder_"]
IN_PLACE_ALONE = ["neg_", "abs_", "zero_", "sqrt_", "exp_", "floor_", "round_", "relu_", "sigmoid_", "sign_", "square_"]
REDUCTIONS = ["sum", "mean", "prod", "max", "min", "amax", "amin", "std", "var", "norm", "any", "all", "argmax", "argmin",
              "median", "logsumexp", "nansum", "count_nonzero", "cumsum", "cumprod", "sort", "argsort", "softmax", "cummax",
              "flip", "logcumsumexp", "log_softmax", "mode", "aminmax", "nanmean", "diff", "std_mean", "unique"]


class Maker:
    def __init__(self, machine, seed):
        self.machine, self.random, self.made = machine, random.Random(seed), 0

    def tensor(self, test=lambda t: True):
        """The name of a variable that fits, or of any."""
        all_of = self.machine.tensors()
        fitting = [name for name, t in all_of.items() if test(t)] or list(all_of)
        return self.random.choice(fitting)

    def of(self, name):
        return self.machine.names[name]

    def new(self, expression):
        self.made += 1
        return f"v{self.made} = {expression}"

    def dim(self, t):
        """One of its dims, counted from either end; one in twenty is out of range."""
        n = max(t.dim(), 1)
        return self.random.randrange(-n, n) if self.random.random() < 0.95 else n + 1

    def value(self, t=None):
        kind = "int" if t is None else str(t.dtype)
        if "bool" in kind:
            return self.random.choice(["True", "False", "1", "0"])
        if "float" in kind or self.random.random() < 0.15:
            return self.random.choice(["0.5", "-1.5", "2.", "3", "0", "-2", "0.25"])
        return str(self.random.randrange(0 if "uint8" in kind else -4, 6))

    def shape(self):
        sizes = [self.random.choice((1, 2, 3, 4)) for _ in range(self.random.choice((0, 1, 1, 2, 2, 2, 3, 3, 4)))]
        if sizes and self.random.random() < 0.04:
            sizes[self.random.randrange(len(sizes))] = 0
        return sizes

    def index(self, t):
        """What can stand between brackets."""
        parts, r = [], self.random
        for size in list(t.size())[:r.randrange(1, t.dim() + 1) if t.dim() else 0]:
            kind = r.random()
            if kind < 0.3:
                parts.append(str(r.randrange(-size, size)) if size and r.random() < 0.97 else str(size))
            elif kind < 0.7:
                bounds = [r.choice(["", str(r.randrange(-size - 1, size + 2))]) for _ in range(2)]
                parts.append(":".join(bounds) + r.choice(["", "", "", ":2", ":1"]))
            elif kind < 0.8 and size:
                parts.append("[" + ", ".join(str(r.randrange(size)) for _ in range(2)) + "]")
            elif kind < 0.85 and size:
                parts.append(f"torch.tensor({[r.random() < 0.5 for _ in range(size)]})")
            else:
                parts.append(r.choice(["None", "...", ":"]) if "..." not in parts else ":")
        return ", ".join(parts) or r.choice(["...", "None", "()"])

    # --- Statements ---------------------------------------------------------------------------------------------------
    def create(self):
        r, shape = self.random, self.shape()
        dtype = r.choice(DTYPES)
        count = 1
        for size in shape:
            count *= size
        kind = r.random()
        if kind < 0.45:
            numbers = {"bool": [True, False]}.get(dtype) or ([0, 1, 2, 3, 4, 5, 7, 100] if dtype == "uint8" else
                                                             [-3, -2, -1, 0, 1, 2, 3, 5, 8]) + (
                [0.5, -1.25, 2.75] if "float" in dtype or "complex" in dtype else [])
            values = [r.choice(numbers) for _ in range(count)]
            return self.new(f"torch.tensor({values}, dtype=torch.{dtype}).view({shape})")
        if kind < 0.6:
            return self.new(f"torch.arange({count}, dtype=torch.{dtype}).view({shape})" if dtype != "bool"
                            else f"torch.ones({shape}, dtype=torch.bool)")
        if kind < 0.7:
            return self.new(f"torch.{r.choice(['rand', 'randn'])}({shape})")
        if kind < 0.78:
            return self.new(f"torch.{r.choice(['zeros', 'ones'])}({shape}, dtype=torch.{dtype})")
        return self.new(r.choice([f"torch.randint(-5, 9, {shape})", f"torch.full({shape}, {self.value()})",
                                  f"torch.eye({r.randrange(1, 4)}, {r.randrange(1, 4)})", f"torch.linspace(0, 1, {r.randrange(5)})",
                                  f"torch.randperm({r.randrange(6)})", f"torch.arange({r.randrange(4)}, {r.randrange(2, 9)}, 2)",
                                  f"torch.from_numpy(np.arange({count}.).reshape({shape}).T)",
                                  f"torch.zeros_like({self.tensor()})" if self.machine.tensors() else "torch.ones(2, 3)",
                                  f"torch.logspace(0, 2, {r.randrange(1, 5)})"]))

    def view(self):
        r, name = self.random, self.tensor()
        t = self.of(name)
        d, e, n = self.dim(t), self.dim(t), t.numel()
        size = t.size()[d] if -t.dim() <= d < t.dim() else 1
        start = r.randrange(size + 1)
        order = r.sample(range(t.dim()), t.dim())
        expanded = [r.choice((2, 3)) if s == 1 and r.random() < 0.7 else s for s in t.size()]
        choices = [f"{name}.t()", f"{name}.transpose({d}, {e})", f"{name}.permute({order})", f"{name}.unsqueeze({d})",
                   f"{name}.squeeze()", f"{name}.squeeze({d})", f"{name}.narrow({d}, {start}, {r.randrange(size - start + 1)})",
                   f"{name}.select({d}, {r.randrange(-1, max(size, 1))})", f"{name}.view(-1)", f"{name}.reshape(-1)",
                   f"{name}.expand({expanded})", f"{name}.expand(2, {', '.join(map(str, expanded)) or '-1'})", f"{name}.flatten()",
                   f"{name}.contiguous()", f"{name}.reshape(1, -1)", f"{name}.view({n}, 1)", f"{name}.unfold({d}, 2, 1)",
                   f"{name}.diagonal()", f"{name}.swapaxes({d}, {e})", f"{name}.movedim({d}, {e})", f"{name}[{self.index(t)}]",
                   f"{name}[{self.index(t)}]", f"{name}.unbind({d})[0]", f"{name}.chunk(2, {d})[-1]", f"{name}.T", f"{name}.mT",
                   f"{name}.reshape(2, -1)", f"{name}.split(1, {d})[0]", f"{name}.detach()", f"{name}.view_as({self.tensor()})",
                   f"{name}.expand_as({self.tensor()})", f"{name}.ravel()", f"{name}.unflatten({d}, (1, {size}))",
                   f"{name}.tensor_split(2, {d})[0]", f"{name}.broadcast_to({expanded})", f"{name}.real"]
        return self.new(r.choice(choices))

    def pointwise(self):
        r, a = self.random, self.tensor()
        t = self.of(a)
        b = self.tensor(lambda u: u.dim() == 0 or u.size() == t.size() or 1 in u.size()) if r.random() < 0.7 else self.value(t)
        kind = r.random()
        if kind < 0.3:
            f = r.choice([u for u in UNARY if u != "conj"] if t.is_complex() else UNARY)  # ours is no view
            return self.new(f"torch.{f}({a})")
        if kind < 0.55:
            return self.new(f"{a} {r.choice(OPERATORS)} {b}")
        if kind < 0.6:
            return self.new(f"{self.value(t)} {r.choice(OPERATORS[:-1])} {a}")
        if kind < 0.85:
            return self.new(f"torch.{r.choice(BINARY)}({a}, {b})")
        return self.new(r.choice([f"torch.where({a} > 0, {a}, {b})", f"{a}.clamp({self.value(t)}, 3)", f"torch.lerp({a}, {b}, 0.5)",
                                  f"torch.addcmul({a}, {a}, {b}, value=2)", f"torch.add({a}, {b}, alpha=2)", f"{a}.clamp(max={self.value(t)})",
                                  f"{a}.to(torch.{r.choice(DTYPES)})", f"{a}.{r.choice(['float', 'double', 'int', 'long', 'bool'])}()",
                                  f"{a}.type_as({self.tensor()})", f"torch.div({a}, {b}, rounding_mode='{r.choice(['floor', 'trunc'])}')",
                                  f"{a}.clone()", f"torch.nan_to_num({a})", f"{a}.masked_fill({a} > 1, {self.value(t)})",
                                  f"torch.square({a}).sum()", f"torch.addcdiv({a}, {a}, {b})"]))

    def reduce(self):
        r, a = self.random, self.tensor()
        t, f = self.of(a), r.choice(REDUCTIONS)
        d = self.dim(t)
        if f in ("amin", "amax", "mode") and t.is_complex() or f == "unique" and t.is_floating_point():
            f = "sum"  # kernels where nothing is compared; the order of NaN
        if f in ("aminmax", "diff", "std_mean", "unique", "nanmean"):
            return self.new(f"torch.{f}({a})" + ("" if f in ("diff", "nanmean") else "[0]"))
        if f == "mode" and t.dtype != self.machine.torch.int64:  # of NaN not settled; complex in dims of size 1 alone
            f = "sum"
        if f in ("cummax", "cummin") and (t.dim() == 0 or t.dtype == self.machine.torch.float16):  # whatever the dim, in PyTorch
            f = "cumsum"
        if f == "argsort":  # without "stable" the order of equal elements is not settled
            return self.new(f"{a}.sort(dim={d}, stable=True)[1]")
        if f in ("cumsum", "cumprod", "softmax", "log_softmax", "logsumexp", "logcumsumexp"):
            return self.new(f"{a}.{f}({d})")
        if f in ("sort", "cummax", "mode", "median") or (f in ("max", "min") and r.random() < 0.5):
            # Which of equal elements is told is not settled.
            return self.new(f"{a}.{f}({d})[0]")
        if f == "flip":
            return self.new(f"{a}.flip([{d}])")
        with_dim = f"{a}.{f}({d})" if r.random() < 0.7 else f"{a}.{f}({d}, keepdim=True)"
        return self.new(r.choice([f"{a}.{f}()", with_dim, with_dim, f"torch.{f}({a})"]))

    def join(self):
        r, a = self.random, self.tensor()
        t = self.of(a)
        b, d = self.tensor(lambda u: u.size() == t.size()), self.dim(t)
        k = r.randrange(3)
        if t.numel() == 0:  # roll() looks at no dim then, in PyTorch
            return self.new(f"torch.cat([{a}, {b}], {d})")
        if t.dim() == 0:  # index_select and take of a 0-d tensor look at one index only, in PyTorch
            return self.new(f"{a}.repeat(2)")
        index = f"torch.tensor({[r.randrange(max(t.size()[d] if -t.dim() <= d < t.dim() else 1, 1)) for _ in range(2)]})"
        return self.new(r.choice([f"torch.cat([{a}, {b}], {d})", f"torch.stack([{a}, {b}], {d})", f"{a}.repeat({[2] * t.dim()})",
                                  f"torch.index_select({a}, {d}, {index})", f"{a}.roll({k}, {d})", f"torch.tril({a})", f"torch.triu({a}, {k - 1})",
                                  f"torch.repeat_interleave({a}, 2, {d})", f"{a}.take({index})", f"torch.nonzero({a})",
                                  f"torch.masked_select({a}, {a} > 0)", f"torch.diag({a})", f"torch.tile({a}, (2,))",
                                  f"torch.gather({a}, {d}, torch.zeros({[1] * t.dim()}, dtype=torch.long))", f"torch.rot90({a}) ",
                                  f"torch.broadcast_tensors({a}, {b})[1].clone()", f"torch.atleast_2d({a})", f"torch.hstack([{a}, {b}])",
                                  f"torch.vstack([{a}, {b}])", f"torch.kron({a}, {b})", f"torch.cartesian_prod({a}, {b})",
                                  f"torch.meshgrid({a}, {b}, indexing='ij')[0]", f"torch.bincount({a})", f"torch.block_diag({a}, {b})"]))

    def product(self):
        r, a = self.random, self.tensor(lambda u: u.dim() in (1, 2) and not u.is_complex() and str(u.dtype) != "torch.bool")
        t = self.of(a)
        b = self.tensor(lambda u: t.dim() and u.dim() and u.dtype == t.dtype and t.size()[-1] == u.size()[max(u.dim() - 2, 0)])
        return self.new(r.choice([f"{a} @ {b}", f"torch.matmul({a}, {b})", f"torch.mm({a}, {b})", f"torch.mv({a}, {b})",
                                  f"torch.dot({a}, {b})", f"torch.outer({a}, {b})", f"torch.bmm({a}, {b})", f"{a} @ {a}.mT",
                                  f"torch.einsum('ij,ik->jk', {a}, {a})" if t.dtype != self.machine.torch.bool else f"{a} * {b}", f"torch.trace({a})", f"torch.tensordot({a}, {b}, 1)",
                                  f"torch.inner({a}, {a})", f"torch.addmm({a}, {a}, {b})", f"{a}.matrix_power(2)",
                                  f"torch.linalg.norm({a})", f"torch.cross({a}, {b}, dim=-1)", f"torch.linalg.det({a}).abs() + 1"]))

    def write(self):
        r = self.random

        def sure(t):  # no two elements in one slot, else Stridescope refuses
            return 0 not in [s for n, s in zip(t.size(), t.stride()) if n > 1] and unfolded(t)
        a = self.tensor(sure)
        t = self.of(a)
        if not sure(t):
            return self.create()
        b = self.tensor(lambda u: u.size() == t.size() or u.dim() == 0) if r.random() < 0.5 else self.value(t)
        kind = r.random()
        if kind < 0.3:
            if t.dtype == self.machine.torch.bool:  # clamp_min_ of bools has a kernel for tensors only, in PyTorch
                return f"{a}.{r.choice(['logical_and_', 'copy_', 'eq_', 'mul_'])}({b})"
            # eq_ of complex numbers leaves some imaginary parts as they were, in PyTorch.
            return f"{a}.{r.choice(IN_PLACE[:-4] if t.is_complex() else IN_PLACE)}({b})"
        if kind < 0.4:
            return f"{a}.{r.choice(IN_PLACE_ALONE)}()"
        if kind < 0.55:
            return f"{a} {r.choice(['+', '-', '*', '/', '//', '%'])}= {b}"
        if kind < 0.85:
            return f"{a}[{self.index(t)}] = {b}"
        d = self.dim(t)
        return r.choice([f"{a}.masked_fill_({a} > 1, {self.value(t)})", f"{a}[{a} > 0] = {self.value(t)}", f"{a}.index_fill_({d}, torch.tensor([0]), 1)",
                         f"{a}.clamp_(-1, 2)", f"{a}.transpose_({d}, {self.dim(t)})", f"{a}.unsqueeze_({d})", f"{a}.squeeze_()",
                         f"torch.add({a}, {b}, out={a})", f"{a}.index_add_({d}, torch.tensor([0]), {a}.narrow({d}, 0, 1).clone())",
                         f"{a}.scatter_({d}, torch.zeros({[1] * t.dim()}, dtype=torch.long), 2)", f"{a}.normal_()", f"{a}.uniform_()",
                         f"{a}.random_(5)", f"{a}.bernoulli_()", f"{a}.t_()", f"{a}.storage()[{r.randrange(4)}] = {self.value(t)}",
                         f"{a}.copy_(torch.ones(1))", f"{a}.put_(torch.tensor([0]), torch.ones(1, dtype={a}.dtype))"])

    def ask(self):
        a = self.tensor()
        b = self.tensor()
        return self.random.choice([f"repr({a})", f"repr({a})", f"repr({a})", f"{a}.is_contiguous()", f"torch.equal({a}, {b})", f"len({a})",
                                   f"{a}.storage().size()", f"bool({a})", f"torch.result_type({a}, {b})", f"{a}.tolist() == {b}.tolist()",
                                   f"{a}.element_size()", f"str({a}.storage())", f"torch.allclose({a}, {b})", f"f'{{{a}}}'"])


def unfolded(t):
    """Do its elements lie in slots of their own?"""
    slots = [0]
    for size, stride in zip(t.size(), t.stride()):
        slots = [s + i * stride for s in slots for i in range(size)]
    return len(set(slots)) == len(slots)


def program(machine, seed, statements=12):
    """[[code, outcome, state after it], …]: the first statements make tensors."""
    maker = Maker(machine, seed)
    machine.restart()
    result = []
    while len(result) < statements:
        kinds = [maker.create] if len(result) < 2 or not machine.tensors() else [
            maker.view] * 5 + [maker.pointwise] * 5 + [maker.reduce] * 3 + [maker.join] * 2 + [maker.product] + [
            maker.write] * 4 + [maker.ask] * 2 + [maker.create]
        code = maker.random.choice(kinds)()
        result.append([code, machine.run(code), machine.state()])
        for name, t in list(machine.tensors().items()):
            if t.numel() > 200:  # else the next ones would be larger and larger
                result.append([f"del {name}", machine.run(f"del {name}"), machine.state()])
    return result
