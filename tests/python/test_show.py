"""stridescope.show(): the program draws tensors of Python; a notebook takes the picture as SVG."""
import os
import subprocess
import sys
import tempfile
import unittest
import warnings
import xml.etree.ElementTree as ElementTree

import stridescope as torch

PROGRAM = os.environ.get("STRIDESCOPE_PROGRAM", "")
SVG = "{http://www.w3.org/2000/svg}"


def texts(svg):
    return ["".join(node.itertext()) for node in ElementTree.fromstring(svg).iter(SVG + "text")]


@unittest.skipUnless(os.path.exists(PROGRAM), "the program is not built; this test has it draw")
class Show(unittest.TestCase):
    def test_a_notebook_gets_svg(self):
        x = torch.arange(12.).view(3, 4)
        svg = torch.show(x)._repr_svg_()
        self.assertEqual(ElementTree.fromstring(svg).tag, SVG + "svg")
        words = " ".join(texts(svg))
        for part in ("x", "float32", "(3, 4)", "storage #1", "48 B"):
            self.assertIn(part, words)

    def test_views_stand_over_one_storage(self):
        x = torch.arange(12).view(3, 4)
        y = x.t()
        words = texts(torch.show(x, y, x[1:]).svg)
        self.assertTrue(any("storage #1" in word for word in words))
        self.assertFalse(any("storage #2" in word for word in words))
        self.assertIn("y", words)
        two = texts(torch.show(x, y.contiguous()).svg)
        self.assertTrue(any("storage #2" in word for word in two))

    def test_it_is_the_window_s_scene(self):
        # What the program draws of the same tensors in a session that it was given by somebody else.
        data = torch.arange(6).view(2, 3)
        with tempfile.TemporaryDirectory() as folder:
            array, drawn = os.path.join(folder, "data.npy"), os.path.join(folder, "a.svg")
            torch._core.save_npy(data, array)
            subprocess.run([PROGRAM, "render", array, "--pick", "1,2", "-o", drawn], check=True)
            with open(drawn, encoding="utf-8") as file:
                theirs = texts(file.read())
        ours = texts(torch.show(data, pick=(1, 2)).svg)
        # The one knows a file, the other a variable; cells, indices, sum and storage are the same.
        self.assertEqual([t for t in ours if t.isdigit()], [t for t in theirs if t.isdigit()])
        self.assertLess(ours.index("1·3"), ours.index("2·1"))

    def test_names(self):
        a = torch.ones(2)
        self.assertIn("base", texts(torch.show(base=a).svg))
        self.assertIn("<Picture of a, B:", repr(torch.show(a, a[1:])).replace("A:", "B:").replace(", A", ", B"))

    def test_options(self):
        x = torch.arange(12.).view(3, 4)
        light, dark = torch.show(x).svg, torch.show(x, theme="dark").svg
        self.assertNotEqual(light, dark)
        root = ElementTree.fromstring(torch.show(x, size=(900, 500)).svg)
        self.assertEqual(root.get("viewBox").split()[2:], ["900", "500"])
        self.assertNotEqual(torch.show(x, cells="colours").svg, light)
        grid = texts(torch.show(x, figure="grid").svg)
        self.assertFalse(any("Who reaches what" in word for word in grid))
        self.assertLess(len(grid), len(texts(light)))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.png")
            torch.show(x).save(path, scale=2)
            with open(path, "rb") as file:
                self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")

    def test_the_picture_is_of_that_moment(self):
        x = torch.zeros(3)
        picture = torch.show(x)
        x.fill_(7)
        self.assertNotIn("7", texts(picture.svg))

    def test_every_tensor_is_drawn(self):
        many = {name: torch.ones(2) for name in "pqrstu"}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a page that has no room
            words = texts(torch.show(**many, size=(2400, 1200)).svg)
        for name in many:
            self.assertIn(name, words)

    def test_refusals(self):
        x = torch.ones(2, 2)
        torch.sim.enable()
        for arguments, keywords, error, said in (
                ((), {}, TypeError, "at least one"), (([1],), {}, TypeError, "found list"),
                ((), {"y": 3}, TypeError, "'y' must be Tensor"), ((x,), {"pick": (5, 0)}, RuntimeError, "has the shape"),
                ((x,), {"theme": "pink"}, RuntimeError, "pink"), ((x,), {"select": "z"}, RuntimeError, "no tensor 'z'"),
                ((x.to("sim"),), {}, RuntimeError, ".cpu()")):
            with self.subTest(said=said), self.assertRaises(error) as caught:
                torch.show(*arguments, **keywords)
            self.assertIn(said, "\n".join([str(caught.exception), *getattr(caught.exception, "__notes__", [])]))

    def test_without_the_program(self):
        old = os.environ["STRIDESCOPE_PROGRAM"]
        try:
            os.environ["STRIDESCOPE_PROGRAM"] = "/nowhere/stridescope"
            with self.assertRaisesRegex(FileNotFoundError, "/nowhere/stridescope"):
                torch.show(torch.ones(2))
        finally:
            os.environ["STRIDESCOPE_PROGRAM"] = old

    def test_the_program_is_found_beside_the_module(self):
        environment = {k: v for k, v in os.environ.items() if k not in ("STRIDESCOPE_PROGRAM", "XDG_RUNTIME_DIR")}
        code = "import stridescope as torch; print(len(torch.show(torch.ones(2, 3))._repr_svg_()) > 1000)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
        self.assertEqual((done.stdout.strip(), done.stderr), ("True", ""))

    def test_nothing_is_left_behind(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "TMPDIR": folder}
            environment.pop("XDG_RUNTIME_DIR", None)
            code = "import stridescope as torch\ntorch.show(torch.ones(2, 3))\np = torch.show(torch.ones(2))\ndel p"
            subprocess.run([sys.executable, "-c", code], check=True, env=environment, capture_output=True)
            self.assertEqual(os.listdir(folder), [])


if __name__ == "__main__":
    unittest.main()
