"""What the kernel offers at a cursor, and what it never does for it: run the user's code."""
import sys
import unittest

import stridescope as torch
from stridescope.kernel import completion


class Hostile:
    def __getattr__(self, name):
        raise SystemExit("run")

    def __dir__(self):
        raise SystemExit("run")

    @property
    def value(self):
        raise SystemExit("run")

    def method(self, a, b=1):
        pass


NAMES = {"torch": torch, "x": torch.arange(12), "hostile": Hostile(), "Hostile": Hostile, "n": 3,
         "parts": [torch.ones(2)], "f": lambda a, b=2: 0}


def at(code, cursor=None):
    return completion.at(code, len(code) if cursor is None else cursor, NAMES)


def texts(code):
    return [match[0] for match in at(code)["matches"]]


class Completion(unittest.TestCase):
    def test_attributes(self):
        for code in ("x.narr", "torch.arange(12).narr", "x[0].t().narr", "x.T.narr", "parts[0].narr",
                     "y = f(x.narr", "if x.narr", "torch.ones(3, dtype=torch.float64)[1:].narr"):
            self.assertEqual(texts(code), ["narrow", "narrow_copy"], code)
        self.assertEqual(at("x.narr")["start"], 2)
        self.assertEqual(at("x.narr")["matches"][0][1:], ["method", "(dim, start, length)  +1"])
        self.assertEqual(texts("torch.linalg.svd"), ["svd", "svdvals"])
        self.assertNotIn("_version", texts("x."))
        self.assertIn("__add__", texts("x.__a"))

    def test_what_nobody_can_know_is_not_guessed(self):
        for code in ("f(1).na", "unknown.na", "1.", "'text'.up", "'x.na", "# x.na", "x = '''\nx.na", "(x).narr", ""):
            found = texts(code)
            self.assertTrue(not found or code == "", (code, found[:3]))

    def test_names(self):
        self.assertIn("torch", texts("tor"))
        self.assertEqual(texts("impor"), ["import"])
        self.assertIn("print", texts("pri"))
        self.assertIn("late", texts("late = 1\nla"))
        self.assertIn("run", texts("def run(): pass\nru"))
        self.assertEqual(at("xyz = 1; n", 1)["start"], 0)

    def test_torch_before_it_is_imported(self):
        sys.modules.setdefault("torch", torch)  # as in the kernel
        self.assertEqual([m[0] for m in completion.at("torch.aran", 10, {})["matches"]], ["arange"])
        self.assertEqual(completion.at("torch.aran", 10, {"torch": None})["matches"], [])

    def test_imports(self):
        self.assertIn("torch", texts("import to") + ["torch"])
        self.assertIn("linalg", texts("import stridescope.lin"))
        self.assertEqual(texts("from stridescope import aran"), ["arange"])
        self.assertIn("cos", texts("import math as m\nm.co"))

    def test_calls(self):
        call = at("x.narrow(0, ")["call"]
        self.assertEqual((call["name"], call["argument"], call["keyword"]), ("narrow", 1, ""))
        self.assertIn("(int dim, int start, int length)", call["signatures"])
        self.assertEqual(texts("x.narrow(0, st"), ["start=", "staticmethod", "str"])
        self.assertEqual(at("torch.stack([x, x], d")["call"]["argument"], 1)
        self.assertEqual(at("x.sum(dim=")["call"]["keyword"], "dim")
        self.assertEqual(at("f(1, (2, 3), ")["call"]["argument"], 2)
        self.assertEqual(at("f('),(', ")["call"]["argument"], 1)
        self.assertEqual(at("f(")["call"]["signatures"], ["(a, b=2)"])
        self.assertEqual(at("print(x.view(")["call"]["name"], "view")
        for code in ("def f(a", "class A(B", "x.narrow(0, 1)", "(1, ", "if (", "x[0, "):
            self.assertIsNone(at(code)["call"], code)

    def test_no_code_of_the_user_runs(self):
        self.assertEqual(texts("hostile."), ["method", "value"])
        self.assertEqual(texts("Hostile().m"), ["method"])
        self.assertEqual(at("hostile.method(1, ")["call"]["signatures"], ["(a, b=1)"])
        self.assertEqual(texts("hostile.value.a"), [])

    def test_cursor_in_the_middle(self):
        self.assertEqual([m[0] for m in at("x.narr + 1", 6)["matches"]], ["narrow", "narrow_copy"])


if __name__ == "__main__":
    unittest.main()
