"""Every public function of the module has a row in docs/operations.md."""

import inspect
import pathlib
import re
import unittest

import stridescope

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "operations.md"
# Methods that say that what they are for is not part of Stridescope.
REFUSED = {"backward", "bfloat16", "register_hook", "retain_grad", "to_sparse"}


class OperationsPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.names = set(re.findall(r"`([A-Za-z_][\w.]*)", PAGE.read_text(encoding="utf-8")))

    def has(self, *names):
        return any(name in self.names for name in names)

    def test_functions(self):
        modules = {"": stridescope, "linalg.": stridescope.linalg, "fft.": stridescope.fft,
                   "special.": stridescope.special, "cuda.": stridescope.cuda, "random.": stridescope.random}
        for prefix, module in modules.items():
            for name in dir(module):
                value = getattr(module, name)
                if name.startswith("_") or inspect.ismodule(value) or inspect.isclass(value) or not callable(value):
                    continue
                with self.subTest(prefix + name):
                    self.assertTrue(self.has(prefix + name, name, "Tensor." + name))

    def test_methods(self):
        for name in dir(stridescope.Tensor):
            if name.startswith("_") or not callable(getattr(stridescope.Tensor, name)):
                continue
            with self.subTest(name):
                plain = name.removesuffix("_")
                self.assertTrue(name in REFUSED or self.has(name, "Tensor." + name, plain, "Tensor." + plain))
        for name in REFUSED:
            with self.subTest(name):
                self.assertIn("not part of Stridescope", getattr(stridescope.Tensor, name).__doc__)


if __name__ == "__main__":
    unittest.main()
