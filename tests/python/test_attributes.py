"""What a program sets on tensors: kept with them, seen by the garbage collector, never seen on another tensor."""
import gc
import unittest
import weakref

import stridescope as torch


class Marked(torch.Tensor):
    """A class of the user's own."""


class Something:
    pass


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
