"""Memory shared with NumPy and others: same bytes both ways, strides kept, refusals, and lifetimes."""
import copy
import gc
import pickle
import sys
import unittest
import warnings
import weakref

import numpy as np

import stridescope as torch

DTYPES = [np.uint8, np.int8, np.int16, np.int32, np.int64, np.float16, np.float32, np.float64, np.bool_, np.complex64,
          np.complex128]


class Sharing(unittest.TestCase):
    def test_arrays_become_tensors_over_the_same_bytes(self):
        for dtype in DTYPES:
            for array in (np.ones((2, 3), dtype), np.ones((2, 3), dtype).T, np.ones((4, 6), dtype)[1:3, ::2],
                          np.array(1, dtype), np.empty((0, 3), dtype)):
                t = torch.from_numpy(array)
                self.assertEqual(str(t.dtype), "torch." + np.dtype(dtype).name)
                self.assertEqual(tuple(t.shape), array.shape)
                if array.size:
                    self.assertEqual(t.data_ptr(), array.__array_interface__["data"][0])
                    self.assertEqual(t.stride(), tuple(s // array.itemsize for s in array.strides))

    def test_writing_shows_on_the_other_side(self):
        array = np.zeros((2, 3))
        t = torch.from_numpy(array)
        t[1, 2] = 5
        self.assertEqual(array[1, 2], 5)
        array[0] = 7
        self.assertEqual(t[0].tolist(), [7, 7, 7])
        back = t.t().numpy()
        back[0, 0] = -1
        self.assertEqual(array[0, 0], -1)
        self.assertEqual(back.strides, array.T.strides)

    def test_tensors_become_arrays_over_the_same_bytes(self):
        for dtype in DTYPES:
            t = torch.ones(2, 3, dtype=getattr(torch, np.dtype(dtype).name))
            for view in (t, t.t(), t[:, 1:], t[0, 0], t[:, ::2], t[:0]):
                array = view.numpy()
                self.assertEqual((array.dtype, array.shape), (np.dtype(dtype), tuple(view.shape)))
                if view.numel():
                    self.assertEqual(array.__array_interface__["data"][0], view.data_ptr())
                for other in (np.asarray(view), np.array(memoryview(view))):
                    np.testing.assert_array_equal(other, array)

    def test_repeated_slots_are_lent_for_reading_only(self):
        array = torch.ones(1, 3).expand(4, 3).numpy()
        self.assertEqual((array.strides, array.flags.writeable), ((0, 4), False))
        with self.assertRaises(ValueError):
            array[0, 0] = 1

    def test_read_only_arrays_warn_and_stay_read_only(self):
        array = np.ones(3)
        array.flags.writeable = False
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            t = torch.from_numpy(array)
        self.assertIn("not writable", str(caught[0].message))
        with self.assertRaises(RuntimeError):
            t.zero_()
        self.assertEqual(array.tolist(), [1, 1, 1])

    def test_refusals(self):
        for array, error, words in ((np.ones(3)[::-1], ValueError, "negative"),
                                    (np.zeros(3, "u2"), TypeError, "numpy.uint16"),
                                    (np.zeros(3, ">f4"), ValueError, "byte order"),
                                    (np.array(["a"]), TypeError, "numpy.str_"),
                                    (np.array([None]), TypeError, "numpy.object_"),
                                    (np.zeros(3, "M8[s]"), TypeError, "numpy.datetime64"),
                                    (np.zeros(2, "u1,f4")["f1"], ValueError, "not a multiple"),
                                    ([1, 2], TypeError, "list")):
            with self.subTest(words=words), self.assertRaisesRegex(error, words):
                torch.from_numpy(array)
            gc.collect()
        array = np.ones(4)
        with self.assertRaises(ValueError):
            torch.from_numpy(array[::-1])
        array.resize(8, refcheck=True)  # nothing holds on to it after the refusal

    def test_dlpack_both_ways(self):
        t = torch.arange(6.).view(2, 3).t()
        array = np.from_dlpack(t)
        self.assertEqual((array.__array_interface__["data"][0], array.strides), (t.data_ptr(), (4, 12)))
        source = np.arange(6.).reshape(2, 3)
        back = torch.from_dlpack(source)
        back[0, 0] = 9
        self.assertEqual(source[0, 0], 9)
        capsule = t.__dlpack__()
        self.assertEqual(torch.from_dlpack(capsule).data_ptr(), t.data_ptr())
        with self.assertRaisesRegex(RuntimeError, "only once"):
            torch.from_dlpack(capsule)
        self.assertEqual(t.__dlpack_device__(), (1, 0))
        t.__dlpack__()  # never taken
        gc.collect()


class Lifetimes(unittest.TestCase):
    def test_the_array_goes_first(self):
        array = np.full(1000, 7.0)
        gone = weakref.ref(array)
        t = torch.from_numpy(array)
        view = t[10:20]
        del array, t
        gc.collect()
        self.assertIsNotNone(gone())  # the storage holds it
        self.assertEqual(view.tolist(), [7.0] * 10)
        del view
        gc.collect()
        self.assertIsNone(gone())

    def test_the_tensor_goes_first(self):
        t = torch.full((1000,), 7.0)
        before = sys.getrefcount(None)
        array = t.numpy()
        part = array[5:10]
        del t, array
        gc.collect()
        for _ in range(50):
            torch.full((1000,), 1.0)  # would be written over freed memory
        self.assertEqual(part.tolist(), [7.0] * 5)
        del part
        self.assertLess(abs(sys.getrefcount(None) - before), 50)

    def test_dlpack_outlives_its_source(self):
        part = np.from_dlpack(torch.full((1000,), 3.0))[:4]
        gc.collect()
        for _ in range(50):
            torch.full((1000,), 1.0)
        self.assertEqual(part.tolist(), [3.0] * 4)

    def test_round_trips_leave_nothing_behind(self):
        array = np.ones(10)
        for _ in range(100):
            torch.from_numpy(array).numpy()
        gc.collect()
        self.assertLessEqual(sys.getrefcount(array), 3)

    def test_arrays_do_not_follow_a_tensor_that_becomes_another_view(self):
        t = torch.arange(6.).view(2, 3)
        array = t.numpy()
        t.transpose_(0, 1)
        self.assertEqual(array.shape, (2, 3))
        t.set_(torch.zeros(4).storage(), 0, (2,), (1,))
        self.assertEqual(array.ravel().tolist(), [0, 1, 2, 3, 4, 5])

    def test_weak_references_and_recycled_objects(self):
        t = torch.zeros(2)
        seen = []
        ref = weakref.ref(t, lambda _: seen.append(1))
        self.assertIs(ref(), t)
        del t
        self.assertEqual((ref(), seen), (None, [1]))
        kept = [torch.zeros(1) for _ in range(500)]
        del kept
        self.assertEqual(torch.ones(1).tolist(), [1.0])


class Copies(unittest.TestCase):
    def test_pickle_keeps_values_layout_and_sharing(self):
        for dtype in DTYPES:
            t = torch.arange(6).to(getattr(torch, np.dtype(dtype).name)).view(2, 3).t()
            back = pickle.loads(pickle.dumps(t))
            self.assertTrue(torch.equal(t, back))
            self.assertEqual((t.stride(), t.dtype), (back.stride(), back.dtype))
        for value in (torch.float32, torch.Size([1, 2]), torch.device("cuda:1"), torch.strided, torch.preserve_format):
            self.assertEqual(pickle.loads(pickle.dumps(value)), value)

    def test_copy_shares_deepcopy_does_not(self):
        t = torch.arange(4.)
        shallow, pair = copy.copy(t), copy.deepcopy([t, t[1:], t])
        t[1] = 9
        self.assertEqual(shallow[1].item(), 9)
        self.assertEqual(pair[0].tolist(), [0, 1, 2, 3])
        pair[0][1] = -1
        self.assertEqual(pair[1][0].item(), -1)  # two views of one storage stay so
        self.assertIs(pair[0], pair[2])


class BesideNumpy(unittest.TestCase):
    """Results of operations that go different ways for many elements, short ranges and few values."""

    def test_distinct_values(self):
        random = np.random.default_rng(5)
        for dtype in DTYPES[:5] + [np.bool_, np.float32]:
            for count in (0, 1, 7, 100, 5000, 20000):
                for spread, step in ((1, 1), (2, 1), (200, 1), (4000, 3), (30000, 1), (200, 10 ** 15), (30000, 10 ** 13)):
                    if spread * step > 250 and np.dtype(dtype).itemsize == 1 or \
                            spread * step > 2 ** 14 and np.dtype(dtype).itemsize < 8:
                        continue
                    low = -(spread // 2) if np.dtype(dtype).kind in "if" and spread > 2 else 0
                    array = ((random.integers(0, spread, count) + low) * step).astype(dtype)
                    for given in (array, array[::-1][::2].copy() if count else array, array[::3]):
                        with self.subTest(dtype=dtype, count=count, spread=spread, step=step):
                            got = torch.from_numpy(given).unique(return_inverse=True, return_counts=True)
                            wanted = np.unique(given, return_inverse=True, return_counts=True)
                            for ours, numpys in zip(got, wanted):
                                self.assertTrue(np.array_equal(ours.numpy(), numpys))
                            self.assertEqual(got[0].dtype, torch.from_numpy(given).dtype)
                            self.assertTrue(torch.equal(torch.from_numpy(given).unique(), got[0]))

    def test_bytes_of_bools_that_are_neither_0_nor_1(self):
        flags = torch.from_numpy(np.array([0, 7, 1, 0, 255], np.uint8).view(np.bool_))
        values, inverse, counts = flags.unique(return_inverse=True, return_counts=True)
        self.assertEqual((values.tolist(), inverse.tolist(), counts.tolist()), ([False, True], [0, 1, 1, 0, 1], [2, 3]))
        self.assertEqual(flags[1:2].unique().tolist(), [True])

    def test_runs(self):
        for dtype in (np.int64, np.uint8, np.float32, np.bool_):
            array = np.random.default_rng(6).integers(0, 2, 500).astype(dtype)
            starts = np.flatnonzero(np.append(True, array[1:] != array[:-1]))
            values, inverse, counts = torch.from_numpy(array).unique_consecutive(return_inverse=True, return_counts=True)
            self.assertTrue(np.array_equal(values.numpy(), array[starts]))
            self.assertTrue(np.array_equal(counts.numpy(), np.diff(np.append(starts, 500))))
            self.assertTrue(np.array_equal(np.repeat(values.numpy(), counts.numpy()), values[inverse].numpy()))

    def test_the_first_of_long_rows(self):
        random = np.random.default_rng(7)
        for dtype in DTYPES[:8]:
            array = random.integers(0, 120, (3, 3000)).astype(dtype)
            if np.dtype(dtype).kind == "f":
                array[1, 17] = np.nan
            for given in (array, array[:, ::3], np.asfortranarray(array)):
                t = torch.from_numpy(given)
                for k in (1, 2, 10, 15):
                    for largest in (True, False):
                        values, indices = t.topk(k, largest=largest)
                        wanted = np.sort(given, 1)  # NaN last
                        wanted = wanted[:, ::-1][:, :k] if largest else wanted[:, :k]
                        self.assertTrue(np.array_equal(values.numpy(), wanted, equal_nan=np.dtype(dtype).kind == "f"))
                        self.assertTrue(np.array_equal(np.take_along_axis(given, indices.numpy(), 1), values.numpy(),
                                                       equal_nan=np.dtype(dtype).kind == "f"))
                        self.assertEqual(len(set(indices[0].tolist())), k)

    def test_distances(self):
        random = np.random.default_rng(8)
        for m, n, width in ((3, 4, 2), (1, 1300, 3), (70, 600, 50), (5, 5, 0), (0, 3, 2), (4, 0, 2)):
            a, b = random.standard_normal((m, width)).astype("f4"), random.standard_normal((n, width)).astype("f4")
            wanted = np.sqrt(((a[:, None].astype("f8") - b[None]) ** 2).sum(-1))
            got = torch.cdist(torch.from_numpy(a), torch.from_numpy(b))
            self.assertEqual((got.shape, got.dtype), ((m, n), torch.float32))
            np.testing.assert_allclose(got.numpy(), wanted, rtol=1e-6)
            turned = torch.cdist(torch.from_numpy(np.asfortranarray(a)), torch.from_numpy(b[::-1].copy()))
            np.testing.assert_allclose(turned.numpy(), wanted[:, ::-1], rtol=1e-6)
        far = torch.cdist(torch.full((2, 1), 1e30), torch.full((2, 1), -1e30))
        self.assertTrue(torch.allclose(far, torch.full((2, 2), 2e30)))
        near = torch.cdist(torch.full((2, 1), 1e-30), torch.zeros(2, 1))
        self.assertTrue(((near > 0.9e-30) & (near < 1.1e-30)).all())


if __name__ == "__main__":
    unittest.main()
