"""Warnings: PyTorch's category and words (without the place in its sources), and none where it has none."""
import unittest
import warnings

import numpy as np

import stridescope as torch


def told(act):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        act()
    return [(w.category, str(w.message)) for w in caught]


def bytes_mask():
    return torch.tensor([1, 0], dtype=torch.uint8)


class Warnings(unittest.TestCase):
    def check(self, act, start):
        found = told(act)
        self.assertEqual([category for category, _ in found], [UserWarning], found)
        self.assertTrue(found[0][1].startswith(start), found[0][1])

    def test_transposing_what_is_no_matrix(self):
        start = "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated"
        self.check(lambda: torch.arange(3).T, start)
        self.check(lambda: torch.ones(2, 3, 4).T, start)
        for t in (torch.ones(2, 3), torch.tensor(1)):
            self.assertEqual(told(lambda: t.T), [])
            self.assertEqual(told(lambda: (t.mT, t.H, t.mH)), [])

    def test_copying_from_tensors_and_arrays(self):
        self.check(lambda: torch.ones(2).new_tensor(torch.ones(2)), "To copy construct from a tensor, it is recommended")
        self.check(lambda: torch.tensor(torch.ones(2)), "To copy construct from a tensor, it is recommended")
        arrays = [np.array([1, 2]), np.array([3, 4])]
        for act in (lambda: torch.tensor(arrays), lambda: torch.tensor(tuple(arrays)), lambda: torch.as_tensor(arrays),
                    lambda: torch.Tensor(arrays), lambda: torch.tensor([[1, 2], arrays[0]])):
            self.check(act, "Creating a tensor from a list of numpy.ndarrays is extremely slow.")
        self.assertEqual(told(lambda: torch.tensor([np.float64(1), np.float64(2)])), [])
        self.assertEqual(told(lambda: torch.tensor(np.array(arrays))), [])
        fixed = np.arange(3)
        fixed.flags.writeable = False
        self.check(lambda: torch.from_numpy(fixed), "The given NumPy array is not writable")

    def test_imaginary_parts_that_are_lost(self):
        z, start = torch.tensor([1 + 2j]), "Casting complex values to real discards the imaginary part"
        for act in (z.float, z.int, z.bool, lambda: z.to(torch.float64), lambda: torch.zeros(1).copy_(z),
                    lambda: z.type(torch.float64)):
            self.check(act, start)
        for act in (lambda: z.real, z.abs, lambda: z + 1, lambda: z.to(torch.complex128), lambda: torch.view_as_real(z),
                    lambda: torch.fft.irfft(torch.fft.rfft(torch.ones(4))), lambda: z == z, lambda: torch.isnan(z),
                    lambda: torch.linalg.norm(torch.ones(2, 2, dtype=torch.complex64)), lambda: repr(z), z.any,
                    lambda: torch.stack([torch.ones(1), z]), lambda: torch.allclose(z, z), lambda: z.var(),
                    lambda: torch.linalg.eigh(torch.eye(2, dtype=torch.complex64))):
            self.assertEqual(told(act), [])

    def test_bytes_as_masks(self):
        x = torch.ones(2)
        rest = " received a mask with dtype torch.uint8, this behavior is now deprecated,please use a mask with dtype"
        self.check(lambda: x.masked_fill_(bytes_mask(), 3), "masked_fill_" + rest)
        self.check(lambda: x.masked_fill(bytes_mask(), 3), "masked_fill_" + rest)
        self.check(lambda: x.masked_scatter_(bytes_mask(), torch.zeros(2)), "masked_scatter_" + rest)
        self.check(lambda: x.masked_select(bytes_mask()), "masked_select" + rest)
        self.assertEqual(told(lambda: x.masked_fill_(bytes_mask().bool(), 3)), [])

    def test_too_few_observations(self):
        for t in (torch.ones(1), torch.ones(2, 1)):
            self.check(t.cov, "cov(): degrees of freedom is <= 0")
        self.assertEqual(told(torch.ones(2).cov), [])

    def test_orders_of_the_first_years(self):
        x, m = torch.ones(2), torch.eye(2)
        for act, name, old, new in (
                (lambda: torch.add(x, 1, x), "add", "(Tensor input, Number alpha, Tensor other, *, Tensor out)",
                 "(Tensor input, Tensor other, *, Number alpha, Tensor out)"),
                (lambda: x.sub(2, x), "sub", "(Number alpha, Tensor other)", "(Tensor other, *, Number alpha)"),
                (lambda: x.add_(2, x), "add_", "(Number alpha, Tensor other)", "(Tensor other, *, Number alpha)"),
                (lambda: torch.addmm(1, m, 1, m, m), "addmm",
                 "(Number beta, Tensor input, Number alpha, Tensor mat1, Tensor mat2, *, Tensor out)",
                 "(Tensor input, Tensor mat1, Tensor mat2, *, Number beta, Number alpha, Tensor out)"),
                (lambda: torch.addcmul(x, 0.5, x, x), "addcmul",
                 "(Tensor input, Number value, Tensor tensor1, Tensor tensor2, *, Tensor out)",
                 "(Tensor input, Tensor tensor1, Tensor tensor2, *, Number value, Tensor out)")):
            self.assertEqual(told(act), [(UserWarning, f"This overload of {name} is deprecated:\n\t{name}{old}\nConsider "
                                          f"using one of the following signatures instead:\n\t{name}{new}")])
        for act in (lambda: torch.add(x, x), lambda: torch.add(x, x, alpha=2), lambda: torch.add(2, x), lambda: x.add(1)):
            self.assertEqual(told(act), [])

    def test_deprecated_names(self):
        m = torch.eye(2)
        for act, name in ((lambda: torch.symeig(m), "symeig"), (lambda: torch.qr(m), "qr"), (lambda: torch.lu(m), "lu"),
                          (lambda: torch.cholesky(m), "cholesky"), (lambda: torch.chain_matmul(m, m), "chain_matmul"),
                          (lambda: torch.triangular_solve(m, m), "triangular_solve"), (lambda: torch.range(0, 1), "range")):
            self.check(act, f"torch.{name} is deprecated")
        # 1.13 rounds to the floor and warns of it no longer; ger, norm and svd are second names without a warning.
        for act in (lambda: torch.tensor(-7) // 2, lambda: torch.ger(m[0], m[0]), lambda: torch.norm(m),
                    lambda: torch.svd(m), lambda: torch.gels(m, m), lambda: torch.eig(m)):
            self.assertEqual(told(act), [])

    def test_a_warning_can_be_an_error(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with self.assertRaises(UserWarning):
                torch.arange(3).T
            with self.assertRaises(UserWarning):
                torch.add(torch.ones(2), 1, torch.ones(2))


if __name__ == "__main__":
    unittest.main()
