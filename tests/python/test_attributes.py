"""What a program sets on tensors: kept with them, seen by the garbage collector, never seen on another tensor."""
import copy
import functools
import gc
import pickle
import pydoc
import unittest
import weakref

import stridescope as torch


class Marked(torch.Tensor):
    """A class of the user's own."""


class Something:
    pass


class Methods(unittest.TestCase):
    def test_they_show_what_they_are(self):
        x = torch.arange(3)
        self.assertEqual(repr(x.add), f"<built-in method add of Tensor object at {hex(id(x))}>")
        self.assertRegex(repr(torch.add), r"^<built-in method add of type object at 0x[0-9a-f]+>$")
        self.assertEqual(repr(torch.linalg.det), "<built-in function linalg_det>")
        self.assertEqual(repr(torch.Tensor.add), "<method 'add' of 'torch._C._TensorBase' objects>")
        self.assertEqual([repr(type(f)) for f in (x.add, torch.add, torch.Tensor.add)],
                         ["<class 'builtin_function_or_method'>"] * 2 + ["<class 'method_descriptor'>"])
        self.assertEqual((x.add.__name__, x.add.__qualname__, torch.add.__name__), ("add", "Tensor.add", "add"))
        self.assertIs(x.add.__self__, x)
        for f in (x.add, torch.add, torch.linalg.det):
            with self.assertRaisesRegex(AttributeError, "'builtin_function_or_method' object has no attribute 'foo'"):
                f.foo = 1

    def test_they_can_be_kept_and_called_later(self):
        x = torch.arange(3)
        add, gone = x.add, weakref.ref(x)
        self.assertEqual((x.add, hash(x.add)), (add, hash(add)))
        self.assertNotEqual(x.add, x.sub)
        self.assertNotEqual(x.add, torch.arange(3).add)
        self.assertEqual(list(map(add, [1, 2]))[1].tolist(), [2, 3, 4])
        self.assertEqual(add(*[x], **{"alpha": 2}).tolist(), [0, 3, 6])
        self.assertEqual(functools.partial(add, alpha=3)(x).tolist(), [0, 4, 8])
        self.assertEqual(getattr(x, "add")(1).tolist(), [1, 2, 3])
        with self.assertRaisesRegex(TypeError, r"^add\(\): argument 'other' \(position 1\) must be Tensor, not str$"):
            add("a")
        with self.assertRaisesRegex(TypeError, r"^narrow\(\) received an invalid combination of arguments - got \(\)"):
            x.narrow()
        self.assertEqual(copy.copy(add)(1).tolist(), [1, 2, 3])
        self.assertEqual(pickle.loads(pickle.dumps(x.sum))().item(), 3)
        self.assertIs(pickle.loads(pickle.dumps(torch.Tensor.add)), torch.Tensor.add)
        del x
        self.assertEqual(add(1).tolist(), [1, 2, 3])  # it keeps its tensor
        del add
        self.assertIsNone(gone())

    def test_a_tensor_that_keeps_one_of_its_own_is_found(self):
        x = torch.ones(2)
        x.method, gone = x.add, weakref.ref(x)
        del x
        gc.collect()
        self.assertIsNone(gone())

    def test_help_says_how_they_are_called(self):
        text = pydoc.render_doc(torch.ones(2).add, renderer=pydoc.plaintext)
        self.assertIn("add(...)", text)
        self.assertIn("add(Tensor input, Tensor other, *, Number alpha=1, Tensor out=None)", text)
        self.assertNotIn("Number alpha, Tensor other", text)  # the form of PyTorch's first years
        self.assertIn("add(...)", pydoc.render_doc(torch.add, renderer=pydoc.plaintext))
        self.assertIn("sum(Tensor input, tuple of ints dim, bool keepdim=False, *, torch.dtype dtype=None, Tensor out=None)",
                      torch.sum.__doc__)


class Attributes(unittest.TestCase):
    def test_a_recycled_object_has_none(self):
        for i in range(200):  # more than are kept for reuse
            tensors = [torch.ones(1) for _ in range(100)]
            for t in tensors:
                self.assertFalse(hasattr(t, "mark"), i)
                t.mark = i

    def test_cycles_are_found(self):
        for made in (lambda: torch.ones(2), lambda: Marked(2)):
            t, other = made(), Something()
            t.other, other.back = other, t
            gone = weakref.ref(other)
            del t, other
            gc.collect()
            self.assertIsNone(gone())

    def test_others_live_as_long_as_the_tensor(self):
        t, other = torch.ones(2), Something()
        t.other = other
        gone = weakref.ref(other)
        del other
        gc.collect()
        self.assertIsNotNone(gone())
        del t
        self.assertIsNone(gone())

    def test_the_collector_is_told_of_no_other_tensors(self):
        t = torch.ones(2)
        self.assertFalse(gc.is_tracked(t))
        t.mark = 1
        self.assertTrue(gc.is_tracked(t))
        u = torch.ones(2)
        u.__dict__["mark"] = 1
        self.assertTrue(gc.is_tracked(u))
        v = torch.ones(2)
        v.__dict__ = {"mark": 1}
        self.assertTrue(gc.is_tracked(v))

    def test_classes_of_ones_own(self):
        t = Marked(2)
        t.mark = 1
        self.assertEqual((t.mark, vars(t), type(t)), (1, {"mark": 1}, Marked))
        with self.assertRaises(AttributeError):
            t.shape = 3
        gone = weakref.ref(t)
        del t
        self.assertIsNone(gone())


if __name__ == "__main__":
    unittest.main()
