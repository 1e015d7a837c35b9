"""How calls are bound: places, keywords, NumPy's names, overloads, out=, and what is refused without harm."""
import gc
import inspect
import sys
import time
import unittest
import warnings
from unittest import mock

import stridescope as torch
from stridescope import _core

# Switches of what there is no choice of here, and what is there to be refused in clear words.
NO_ROW = set("are_deterministic_algorithms_enabled compiled_with_cxx11_abi get_deterministic_debug_mode "
             "get_float32_matmul_precision install_as_torch is_deterministic_algorithms_warn_only_enabled "
             "is_grad_enabled is_inference_mode_enabled set_deterministic_debug_mode set_float32_matmul_precision "
             "set_flush_denormal use_deterministic_algorithms backward bfloat16 register_hook retain_grad "
             "to_sparse show".split())
METHODS_ONLY = {"view", "expand", "contiguous", "unfold", "slice"}


class Table(unittest.TestCase):
    def test_tensor_split_by_tensor(self):
        x = torch.arange(4)
        parts = lambda by: [p.tolist() for p in torch.tensor_split(x, by)]
        self.assertEqual(parts(torch.tensor([1])), [[0], [1, 2, 3]])  # an index, not one section
        self.assertEqual(parts(torch.tensor(2)), [[0, 1], [2, 3]])
        self.assertEqual(parts(torch.tensor([1, 3])), [[0], [1, 2], [3]])
        self.assertEqual(parts(1), [[0, 1, 2, 3]])

    def test_keepdim_without_a_dim(self):
        x = torch.arange(6.0).reshape(2, 3)
        before = x.tolist()

        def refusal(call):
            with self.assertRaises(TypeError) as caught:
                call()
            return str(caught.exception).splitlines()
        for name in ("std", "var", "std_mean", "var_mean"):
            for call in (lambda: getattr(torch, name)(x, keepdim=True), lambda: getattr(torch, name)(x, correction=0)):
                self.assertIn("received an invalid combination of arguments - got (Tensor, ", refusal(call)[0])
            both = getattr(torch, name)(x, None, keepdim=True)
            self.assertEqual([t.shape for t in (both if isinstance(both, tuple) else [both])][0], (1, 1))
        self.assertEqual(refusal(lambda: x.std(keepdim=True)), [
            "std() received an invalid combination of arguments - got (keepdim=bool, ), but expected one of:",
            " * (tuple of ints dim, *, int correction, bool keepdim)",
            " * (tuple of ints dim, bool unbiased, bool keepdim)",
            " * (bool unbiased)",
            "      didn't match because some of the keywords were incorrect: keepdim"])
        self.assertEqual(refusal(lambda: x.max(keepdim=True)), [
            "max() received an invalid combination of arguments - got (keepdim=bool, ), but expected one of:",
            " * ()",
            "      didn't match because some of the keywords were incorrect: keepdim",
            " * (Tensor other)",
            "      didn't match because some of the keywords were incorrect: keepdim",
            " * (int dim, bool keepdim)"])
        self.assertEqual(refusal(lambda: torch.max(x, keepdim=True))[1:], [
            " * (Tensor input)", " * (Tensor input, Tensor other, *, Tensor out)",
            " * (Tensor input, int dim, bool keepdim, *, tuple of Tensors out)"])
        # The star counts as one more in PyTorch's texts.
        self.assertEqual(refusal(lambda: x.sum(0, "a"))[2], "      didn't match because some of the arguments have invalid "
                                                            "types: (!int!, !str!)")
        self.assertEqual(x.tolist(), before)

    def test_a_sequence_and_more_numbers(self):
        x = torch.zeros(6)
        for call in (lambda: torch.zeros((2, 3), 4), lambda: torch.ones([2, 3], 4, 5), lambda: torch.empty((2, 3), 4.5),
                     lambda: torch.rand((2, 3), 4), lambda: torch.randn((2, 3), 4, requires_grad=False),
                     lambda: torch.zeros((2, 3), torch.int64), lambda: torch.zeros((2, "a"), 4),
                     lambda: x.reshape((2, 3), 1), lambda: x.view((2, 3), 1), lambda: x.expand((2, 6), 1),
                     lambda: x.repeat((2, 3), 1), lambda: x.permute((0,), 1), lambda: x.new_zeros((2, 3), 1),
                     lambda: x.flip((0,), 1), lambda: x.tile((2, 3), 1), lambda: x.resize_((2, 3), 1),
                     lambda: x.broadcast_to((2, 6), 1)):
            with self.assertRaisesRegex(TypeError, "argument"):
                call()
        with self.assertRaisesRegex(TypeError, r"^expand\(\) takes 1 positional argument but 2 were given$"):
            x.expand((2, 6), 1)
        with self.assertRaisesRegex(TypeError, r"^zeros\(\) received an invalid combination of arguments - got \(tuple, int, int\), but"):
            torch.zeros((2, 3), 4, 5)
        with self.assertRaisesRegex(TypeError, "^expected Tensor as element 0 in argument 0, but got tuple$"):
            torch.meshgrid((x, x), x)

    def test_out_among_the_inputs(self):
        def refused(function, x):
            before = x.tolist()
            with self.assertRaisesRegex(RuntimeError, "refers? to a single memory location"):
                function(x)
            self.assertEqual(x.tolist(), before)
        where = torch.tensor([0, 1])
        for function in (lambda x: torch.cat((x, x), out=x), lambda x: torch.stack((x,), out=x),
                         lambda x: torch.take(x, where, out=x), lambda x: torch.index_select(x, 0, where, out=x),
                         lambda x: torch.gather(x, 0, where, out=x), lambda x: torch.masked_select(x, x > 0, out=x),
                         lambda x: torch.add(torch.ones(5), 1, out=x[:1].expand(3)),
                         lambda x: torch.take(torch.ones(5), where, out=x[:1].expand(3))):
            refused(function, torch.tensor([1.0, 2.0, 3.0]))
        x = torch.arange(4.0)
        self.assertIs(torch.add(x, 1, out=x), x)
        torch.cat((x[:2], x[:2]), out=torch.empty(4))
        self.assertEqual(torch.sum(torch.ones(3, 2), 1, out=torch.empty(1).expand(5).contiguous()).tolist(), [2.0] * 3)

    def test_every_operation_of_the_library_is_there(self):
        for name in _core._operations():
            with self.subTest(name=name):
                if name.startswith("Tensor."):
                    self.assertTrue(hasattr(torch.Tensor, name.removeprefix("Tensor.")))
                elif name in METHODS_ONLY:
                    self.assertTrue(hasattr(torch.Tensor, name))
                else:
                    place = torch
                    for part in name.split("."):
                        place = getattr(place, part)
                    self.assertTrue(callable(place))

    def test_every_function_has_a_row(self):
        table = _core._operations()
        named = {name.removeprefix("Tensor.") for name in table}
        named |= {other for others in table.values() for other in others.split(", ")}
        for prefix, place in (("", torch), ("linalg.", torch.linalg), ("fft.", torch.fft), ("special.", torch.special),
                              ("", torch.Tensor)):
            for name in dir(place):
                thing = getattr(place, name)
                if name.startswith("_") or not callable(thing) or isinstance(thing, type) or name in NO_ROW:
                    continue
                with self.subTest(name=prefix + name):
                    self.assertIn(prefix + name, named)
        for name in named - {""}:
            with self.subTest(name=name):
                if not hasattr(torch.Tensor, name):
                    place = torch
                    for part in name.split("."):
                        place = getattr(place, part)

    def test_functions_of_a_tensor_are_methods_too(self):
        for name, where, overloads, _ in _core._signatures():
            if where == "both":
                self.assertTrue(hasattr(torch.Tensor, name), name)
                self.assertTrue(hasattr(torch, name), name)
            for params in overloads:
                names = [p[0] for p in params]
                self.assertEqual(len(names), len(set(names)), name)

    def test_in_place_forms(self):
        for name in ("add sub mul div eq lt exp log sqrt neg abs sin floor round clamp pow remainder fmod "
                     "floor_divide logical_and bitwise_or lerp addcmul masked_fill scatter index_add cumsum tril relu "
                     "sigmoid nan_to_num fill zero copy transpose t squeeze unsqueeze normal uniform bernoulli").split():
            self.assertTrue(hasattr(torch.Tensor, name + "_"), name)

    def test_docs_begin_with_the_signature(self):
        self.assertTrue(torch.narrow.__doc__.startswith("narrow(Tensor input, int dim, "))
        self.assertIn("{m, k} {k, n} -> {m, n}", torch.mm.__doc__)
        self.assertEqual(torch.narrow.__name__, "narrow")
        for name, _, _, doc in _core._signatures():
            self.assertTrue(doc.startswith(name + "("), name)


class Binding(unittest.TestCase):
    def setUp(self):
        self.x = torch.arange(6.).view(2, 3)

    def test_places_and_keywords(self):
        x, want = self.x, [[1., 2.], [4., 5.]]
        for got in (x.narrow(1, 1, 2), x.narrow(1, 1, length=2), x.narrow(length=2, start=1, dim=1),
                    torch.narrow(x, 1, 1, 2), torch.narrow(input=x, dim=1, start=1, length=2),
                    torch.narrow(length=2, input=x, start=1, dim=1), x.narrow(axis=1, start=1, length=2),
                    torch.Tensor.narrow(x, 1, 1, 2), x.narrow(*[1, 1, 2]), x.narrow(**{"dim": 1, "start": 1, "length": 2}),
                    getattr(x, "narrow")(1, 1, 2), x.narrow(torch.tensor(1), torch.tensor(1), 2)):
            self.assertEqual(got.tolist(), want)

    def test_numbers_one_by_one(self):
        x = self.x
        for got in (x.view(3, 2), x.view([3, 2]), x.view((3, 2)), x.view(torch.Size([3, 2])), x.view(size=(3, 2)),
                    x.reshape(3, -1), x.reshape(shape=(3, 2)), torch.reshape(x, (3, 2)), x.view(torch.tensor(3), 2)):
            self.assertEqual(got.shape, (3, 2))
        self.assertEqual(x.permute(1, 0).shape, x.permute((1, 0)).shape)
        self.assertEqual(torch.zeros(2, 3, dtype=torch.int8).shape, torch.zeros(size=(2, 3)).shape)
        self.assertEqual(torch.zeros(()).dim(), 0)
        self.assertEqual(x.expand(4, 2, 3).shape, (4, 2, 3))
        self.assertEqual(len(torch.meshgrid(torch.ones(2), torch.ones(3))), 2)

    def test_numbers_first_and_old_orders(self):
        i = torch.tensor([3, 1, 2])
        self.assertEqual(torch.pow(2, i).tolist(), [8, 2, 4])
        self.assertEqual(torch.remainder(7, i).tolist(), [1, 0, 1])
        self.assertEqual(torch.float_power(2, i).tolist(), [8, 2, 4])
        self.assertEqual(torch.add(i, 10, i).tolist(), [33, 11, 22])
        self.assertEqual(i.clone().sub_(2, i).tolist(), [-3, -1, -2])
        self.assertEqual(torch.where(i > 1, 1, 0).tolist(), [1, 0, 1])
        self.assertEqual(i.where(i > 1, torch.tensor(0)).tolist(), [3, 0, 2])

    def test_tensors_in_lists(self):
        one = torch.ones(1)
        self.assertEqual(torch.tensor([one, torch.tensor(2.)]).tolist(), [1, 2])
        with self.assertRaisesRegex(ValueError, "only one element tensors"):
            torch.tensor([torch.ones(2), torch.ones(2)])
        self.assertEqual(torch.tensor([-1, 255], dtype=torch.uint8).tolist(), [255, 255])
        with self.assertRaises(RuntimeError):
            torch.tensor([256], dtype=torch.uint8)

    def test_old_names_warn(self):
        m = torch.tensor([[4., 3.], [6., 3.]])
        for call, wanted in ((lambda: torch.range(1, 4), [1, 2, 3, 4]),
                             (lambda: torch.range(1, 2, 0.3), [1, 1.3, 1.6, 1.9]),
                             (lambda: torch.range(4, 0, -2, dtype=torch.int32), [4, 2, 0]),
                             (lambda: torch.chain_matmul(m, m, m[:, :1])[:, 0], (m @ m @ m[:, 0]).tolist()),
                             (lambda: torch.lu(m)[0][0], [6, 3]), (lambda: torch.lu(m, get_infos=True)[2], 0)):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                got = call()
            self.assertTrue(torch.allclose(got.double(), torch.tensor(wanted).double()), got)
            self.assertRegex(str(caught[0].message), r"^torch\.\w+ is deprecated")
            self.assertTrue(caught[0].filename.endswith("test_calls.py"))
        spd, bytes_ = torch.eye(2) * 4, torch.tensor([1, 0], dtype=torch.uint8)
        for call, words in ((lambda: torch.tensor(m), "To copy construct from a tensor, it is recommended"),
                            (lambda: torch.qr(m), "torch.qr is deprecated in favor of torch.linalg.qr"),
                            (lambda: torch.cholesky(spd), "torch.cholesky is deprecated in favor of torch.linalg.cholesky"),
                            (lambda: torch.meshgrid(m[0], m[1]), "torch.meshgrid: in an upcoming release"),
                            (lambda: m[bytes_], "indexing with dtype torch.uint8 is now deprecated")):
            with self.assertWarnsRegex(UserWarning, "^" + words.replace(".", r"\.")):
                call()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with self.assertRaises(UserWarning):
                torch.tensor(m)
            torch.tensor([m[0, 0], 1]), torch.linalg.qr(m), torch.meshgrid(m[0], indexing="ij"), m[bytes_.bool()]
        for wrong in (lambda: torch.range(3, 1), lambda: torch.range(1, 3, 0)):
            with self.assertRaises(RuntimeError), warnings.catch_warnings(record=True):
                wrong()

    def test_refused_words(self):
        x = self.x
        for call, words in (
                (lambda: x.view(2, "a"), "view(): argument 'size' must be tuple of ints, but found element of type str at pos 2"),
                (lambda: torch.linspace(0, 1, 3, foo=1), "linspace() got an unexpected keyword argument 'foo'"),
                (lambda: torch.exp(3), "exp(): argument 'input' (position 1) must be Tensor, not int"),
                (lambda: torch.exp(), 'exp() missing 1 required positional arguments: "input"'),
                (lambda: torch.exp(x, x), "exp() takes 1 positional argument but 2 were given"),
                (lambda: x.exp(1), "_TensorBase.exp() takes no arguments (1 given)"),
                (lambda: torch.mm(x), 'mm() missing 1 required positional arguments: "mat2"'),
                (lambda: x.mm("a"), "mm(): argument 'mat2' (position 1) must be Tensor, not str"),
                (lambda: torch.mm(x, mat2=3), "mm(): argument 'mat2' must be Tensor, not int"),
                (lambda: torch.mm(x, x, input=x), "mm() got multiple values for argument 'input'"),
                (lambda: torch.cat([x, 3]), "expected Tensor as element 1 in argument 0, but got int"),
                (lambda: torch.zeros_like(x, dtype=3), "zeros_like(): argument 'dtype' must be torch.dtype, not int"),
                (lambda: torch.Tensor.exp(3), "descriptor 'exp' for 'torch._C._TensorBase' objects doesn't apply to a 'int' object"),
                (lambda: x.max(1.5), "max() received an invalid combination of arguments - got (float), but expected one of:")):
            with self.subTest(words=words):
                with self.assertRaises(TypeError) as caught:
                    call()
                self.assertTrue(str(caught.exception).startswith(words), str(caught.exception))

    def test_too_large_numbers(self):
        for call in (lambda: self.x.narrow(0, 2**70, 1), lambda: self.x[2**70], lambda: torch.zeros(2**40, 2**40),
                     lambda: self.x.narrow(0, 2**64, 1), lambda: torch.tensor(2**63), lambda: torch.full((1,), 300, dtype=torch.int8)):
            with self.assertRaises((RuntimeError, IndexError)):
                call()
        with self.assertRaisesRegex(TypeError, "argument 'size' must be tuple of ints"):  # in a list, as PyTorch
            self.x.view(2**64)

    def test_hints_are_notes(self):
        with self.assertRaises(RuntimeError) as caught:
            self.x.view(4, 2)
        self.assertEqual(str(caught.exception), "shape '[4, 2]' is invalid for input of size 6")
        self.assertTrue(caught.exception.refusal.startswith("VIEW-"))

    def test_memory_is_refused_as_both_kinds(self):
        with self.assertRaises(MemoryError):
            torch.empty(2**45)
        with self.assertRaises(RuntimeError):
            torch.empty(2**45)

    def test_nothing_leaks(self):
        x = self.x
        bad = [lambda: x.view("a"), lambda: torch.exp(3), lambda: x[7], lambda: x.view(5), lambda: torch.zeros(2, "a")]
        good = [lambda: x.narrow(1, 1, 2), lambda: x[0, 1], lambda: x + 1, lambda: x.sum(0), lambda: x.max(1),
                lambda: x.view(3, 2), lambda: torch.cat((x, x)), lambda: x.tolist(), lambda: x.shape, lambda: repr(x),
                lambda: torch.add(x, x, out=torch.empty(2, 3)), lambda: x.split(1), lambda: list(x)]

        def once():
            for call in bad:
                try:
                    call()
                except Exception:
                    pass
            for call in good:
                call()
        watched = (x, torch.Tensor, torch.float32, torch.narrow, None)
        grown = []
        for _ in range(4):  # the interpreter's own caches settle in the first rounds
            blocks, before = sys.getallocatedblocks(), [sys.getrefcount(w) for w in watched]
            for _ in range(200):
                once()
            gc.collect()
            grown.append([sys.getrefcount(w) - b for w, b in zip(watched, before)] + [sys.getallocatedblocks() - blocks])
        # A leak would show once in each of the 200 rounds.
        self.assertLess(min(max(abs(n) for n in round_) for round_ in grown[1:]), 150, grown)


class Out(unittest.TestCase):
    def test_out_is_given_back_and_written(self):
        a, b, out = torch.ones(3), torch.arange(3.), torch.zeros(3)
        self.assertIs(torch.add(a, b, out=out), out)
        self.assertEqual(out.tolist(), [1, 2, 3])
        view = torch.zeros(6)[::2]
        torch.exp(torch.zeros(3), out=view)
        self.assertEqual(view.tolist(), [1, 1, 1])
        wide = torch.zeros(3, dtype=torch.float64)
        torch.mul(b, 2, out=wide)
        self.assertEqual(wide.tolist(), [0, 2, 4])

    def test_every_way_to_out_gives_the_same(self):
        torch.manual_seed(0)
        a, b = torch.rand(4, 5), torch.rand(4, 5)
        outs = {"plain": lambda: torch.zeros(4, 5), "transposed": lambda: torch.zeros(5, 4).t(), "empty": lambda: torch.empty(0),
                "double": lambda: torch.zeros(4, 5, dtype=torch.float64), "spread": lambda: torch.zeros(4, 10)[:, ::2]}
        for name in ("add", "sub", "mul", "div"):
            for kind, make in outs.items():
                function, out = getattr(torch, name), make()
                function(a, b, out=out)
                self.assertTrue(torch.allclose(out.float(), function(a, b)), (name, kind))
        self.assertTrue(torch.equal(torch.add(a, b, alpha=3, out=torch.zeros(4, 5)), a + 3 * b))
        for name in ("exp", "sqrt", "sin", "tanh", "sigmoid", "expm1", "log1p"):
            for kind, make in outs.items():
                function, out = getattr(torch, name), make()
                function(a, out=out)
                self.assertTrue(torch.allclose(out.float(), function(a)), (name, kind))
        x, wanted = a.clone(), a + b
        self.assertTrue(torch.equal(torch.add(x, b, out=x), wanted))
        y = torch.arange(6.)
        with self.assertRaisesRegex(RuntimeError, "single memory location") as caught:  # as PyTorch
            torch.mul(y[:-1], 2 * torch.ones(5), out=y[1:])
        self.assertIn("Element [1] of the input and element [0] of the written-to tensor both lie in slot 1.",
                      "".join(caught.exception.__notes__))
        self.assertEqual(y.tolist(), [0, 1, 2, 3, 4, 5])
        square = torch.arange(1., 6.)  # products read everything first
        torch.mm(square[:4].view(2, 2), torch.eye(2), out=square[1:].view(2, 2))
        self.assertEqual(square.tolist(), [1, 1, 2, 3, 4])

    def test_several_outs(self):
        m = torch.tensor([[1., 5.], [4., 3.]])
        values, places = torch.empty(0), torch.empty(0, dtype=torch.int64)
        result = torch.max(m, 1, out=(values, places))
        self.assertIs(result.values, values)
        self.assertEqual((values.tolist(), places.tolist()), ([5, 4], [1, 0]))

    def test_resizing_warns(self):
        out = torch.zeros(2)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            torch.add(torch.ones(3), 1, out=out)
        self.assertEqual(out.tolist(), [2, 2, 2])
        self.assertEqual(len(caught), 1)

    def test_refusals_change_nothing(self):
        out = torch.zeros(3, dtype=torch.int64)
        with self.assertRaises(RuntimeError):
            torch.add(torch.ones(3), 0.5, out=out)
        self.assertEqual(out.tolist(), [0, 0, 0])
        with self.assertRaises(TypeError):
            torch.add(torch.ones(3), 0.5, out=3)
        with self.assertRaises(TypeError):
            torch.narrow(torch.ones(3), 0, 0, 1, out=out)
        with self.assertRaises(TypeError):
            torch.max(torch.ones(2, 2), 1, out=out)


class Types(unittest.TestCase):
    def test_type_objects(self):
        x = torch.zeros(1)
        self.assertEqual(repr(type(x)), "<class 'torch.Tensor'>")
        self.assertEqual(type(x.shape).__name__, "Size")
        self.assertTrue(inspect.isclass(torch.Tensor))
        self.assertEqual(repr(type(torch.float32)), "<class 'torch.dtype'>")
        self.assertEqual({x.dtype: 1}[torch.float32], 1)
        self.assertEqual(len({torch.device("cpu"), torch.device("cpu"), torch.device("cuda")}), 2)

    def test_subclasses(self):
        class Mine(torch.Tensor):
            pass
        m = Mine([1., 2.])
        self.assertIsInstance(m, torch.Tensor)
        m.note = "kept"
        self.assertEqual((m + 1).tolist(), [2, 3])
        del m
        gc.collect()

    def test_typed_constructors(self):
        self.assertEqual(torch.IntTensor([1, 2]).dtype, torch.int32)
        self.assertIsInstance(torch.zeros(1), torch.FloatTensor)
        self.assertNotIsInstance(torch.zeros(1), torch.LongTensor)
        with self.assertRaises(TypeError):
            torch.Tensor("a")
        # Of a tensor the same memory, and so no other dtype than its own.
        x = torch.ones(2)
        torch.FloatTensor(x)[0] = 5
        self.assertEqual(x.tolist(), [5, 1])
        self.assertEqual(torch.Tensor(torch.arange(3)).dtype, torch.int64)
        for refused in (lambda: torch.IntTensor(x), lambda: torch.LongTensor([1]).new(x)):
            with self.assertRaisesRegex(TypeError, r"expected a tensor of torch\.int\d+, but got torch\.float32"):
                refused()

    def test_cuda_in_words(self):
        if torch.cuda.is_available():
            self.skipTest("there is a GPU")
        self.assertEqual(torch.cuda.device_count(), 0)
        cuda, x = torch.cuda, torch.zeros(2)
        with self.assertRaisesRegex(TypeError, r"^type torch\.cuda\.FloatTensor not available\. Torch not compiled with CUDA"):
            cuda.FloatTensor(2)
        for refused in (cuda.synchronize, cuda.current_stream, cuda.default_stream, cuda.Stream, cuda.Event,
                        lambda: cuda.Event(enable_timing=True), cuda.current_device, cuda.init,
                        lambda: cuda.set_device(0), lambda: cuda.device(0).__enter__(), cuda.get_device_name,
                        cuda.mem_get_info, x.cuda, lambda: x.to("cuda"), lambda: x.to(torch.device("cuda:0")),
                        lambda: x.cuda(5), lambda: x.type("torch.cuda.FloatTensor"),
                        lambda: x.storage().cuda(), lambda: x.new_zeros(2, device="cuda"),
                        lambda: torch.tensor([1], device="cuda"), lambda: torch.empty_like(x, device="cuda"),
                        lambda: torch.zeros(2, device="cuda"), lambda: torch.rand(2, device="cuda:5"),
                        lambda: torch.randn(2, device="cuda"), lambda: torch.randint(3, (2,), device="cuda"),
                        lambda: torch.randperm(3, device="cuda"), lambda: torch.rand_like(x, device="cuda"),
                        lambda: torch.eye(2, device="cuda"), lambda: torch.linspace(0, 1, 3, device="cuda"),
                        lambda: torch.arange(3, device="cuda"), lambda: torch.full((2,), 1., device="cuda")):
            with self.assertRaises(AssertionError) as caught:
                refused()
            self.assertEqual(str(caught.exception), "Torch not compiled with CUDA enabled")
            self.assertRegex(caught.exception.__notes__[0], r"^cuda:\d cannot be used: .{10,}$")
            self.assertLessEqual(len(caught.exception.__notes__[0]), 140)
            self.assertEqual(caught.exception.refusal, "DEV-13")
        self.assertEqual((cuda.memory_allocated(), cuda.max_memory_allocated()), (0, 0))
        with cuda.stream(None), cuda.device(None), cuda.device_of(torch.ones(1)):
            pass
        self.assertEqual((cuda.device("cuda:1").idx, cuda.device(None).idx, cuda.is_initialized()), (1, -1, False))
        self.assertIs(cuda.manual_seed(3), None)
        cuda.empty_cache()

    @unittest.skipIf(torch.cuda.is_available(), "this machine has a GPU")
    def test_streams_and_events(self):
        """On two GPUs that are simulated."""
        torch.sim.enable(devices=2, as_cuda=True)
        self.addCleanup(torch.sim.disable)
        s = torch.cuda.current_stream()
        self.assertEqual(repr(s), "<torch.cuda.Stream device=cuda:0 cuda_stream=0x0>")
        self.assertEqual((s == torch.cuda.default_stream(), s == torch.cuda.Stream(), s == torch.cuda.Stream("cuda:1"),
                          s.device), (True, False, False, torch.device("cuda:0")))
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        with self.assertRaisesRegex(RuntimeError, "Both events must be recorded"):
            start.elapsed_time(end)
        start.record()
        torch.cuda.synchronize()  # the queue's thread has taken the first time
        with torch.cuda.stream(torch.cuda.Stream()), torch.cuda.device(0):
            time.sleep(0.01)
        end.record()
        torch.cuda.synchronize()
        self.assertGreater(start.elapsed_time(end), 9)
        with self.assertRaisesRegex(RuntimeError, "invalid resource handle"):
            start.elapsed_time(s.record_event())
        s.wait_stream(torch.cuda.Stream())
        s.synchronize()
        self.assertTrue(s.query() and end.query())
        for wrong in (lambda: torch.cuda.Stream(device=2), lambda: torch.cuda.set_device(2)):
            with self.assertRaises(RuntimeError):
                wrong()
        with self.assertRaises(ValueError):
            torch.cuda.synchronize("cpu")

    def test_threads(self):
        before = torch.get_num_threads()
        torch.set_num_threads(3)
        self.assertEqual(torch.get_num_threads(), 3)
        torch.set_num_threads(before)
        with self.assertRaises(RuntimeError):
            torch.set_num_threads(0)


if __name__ == "__main__":
    unittest.main()
