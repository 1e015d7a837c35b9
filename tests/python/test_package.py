"""The package around the compiled part: stubs, files, timing, storages, images, names as torch and torchvision."""
import ast
import contextlib
import hashlib
import importlib.util
import io
import os
import pickle
import shutil
import re
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zlib

import numpy as np

import stridescope as torch
from stridescope.utils import benchmark
from stridescope.vision import datasets, utils

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "core", "python")


def made_stubs():
    spec = importlib.util.spec_from_file_location("make_stubs", os.path.join(SOURCES, "make_stubs.py"))
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made.texts()


class Stubs(unittest.TestCase):
    def test_they_are_up_to_date(self):
        for name, text in made_stubs().items():
            ast.parse(text)
            with open(os.path.join(SOURCES, name)) as file:
                self.assertEqual(file.read(), text, f"{name} is old: run core/python/make_stubs.py")


    def test_torch_and_torchvision_have_their_own(self):
        made = made_stubs()
        for name, part in torch._parts().items():
            if name != "torch.return_types":
                path = f"as_torch/{name.replace('.', '/')}"
                text = made.get(path + ".pyi") or made[path + "/__init__.pyi"]
                self.assertIn(f"from {part.__name__} import *", text)
        for marked in ("stridescope", "as_torch/torch", "as_torch/torchvision", "as_torch/safetensors"):
            self.assertTrue(os.path.exists(os.path.join(SOURCES, marked, "py.typed")))
        # What has no text of its own to read: everything that is there is in the stub.
        for name in ("cuda", "sim"):
            tree = ast.parse(made[f"stridescope/{name}.pyi"])
            named = {getattr(node, "name", None) for node in tree.body}
            self.assertEqual({n for n in vars(getattr(torch, name)) if not n.startswith("_")} - named, set())

    def test_every_public_name_is_described(self):
        tree = ast.parse(made_stubs()["stridescope/__init__.pyi"])
        named = {getattr(node, "name", None) or getattr(getattr(node, "target", None), "id", None) for node in tree.body}
        named |= {alias.asname for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names}
        named |= {target.id for node in tree.body if isinstance(node, ast.Assign) for target in node.targets if hasattr(target, "id")}
        methods = {m.name for node in tree.body if getattr(node, "name", None) == "Tensor" for m in node.body
                   if isinstance(m, ast.FunctionDef)}
        refused = {"backward", "register_hook", "retain_grad", "to_sparse", "bfloat16"}
        for place, known, left_out in ((torch, named, {"serialization"}), (torch.Tensor, methods, refused)):
            public = {name for name in dir(place) if not name.startswith("_")}
            self.assertEqual(public - known - left_out, set())
            for name in public:
                thing = getattr(place, name)
                if callable(thing) or place is torch.Tensor:
                    self.assertGreater(len((thing.__doc__ or "").strip()), 10, name)
        for part in (torch.linalg, torch.fft, torch.special, torch.cuda, torch.storage, benchmark, utils, datasets):
            for name in dir(part):
                thing = getattr(part, name)
                if not name.startswith("_") and callable(thing) and thing is not part:
                    self.assertGreater(len((thing.__doc__ or "").strip()), 10, (part.__name__, name))

    def test_help_says_what_a_function_does(self):
        for name, _, _, doc in torch._core._signatures():
            if not name.startswith("_"):  # below the signatures, of which those of PyTorch's first years are not shown
                self.assertTrue(doc.partition("\n\n")[2].strip(), name)
        self.assertEqual(torch.narrow.__doc__.split("\n")[1:], [
            "narrow(Tensor input, int dim, int start, int length)", "", "A stretch of a dim.",
            "Shapes: {.., n, ..} -> {.., length, ..}", "Dtypes: all. Gives: view."])
        self.assertIn("As add(), written to the tensor itself", torch.Tensor.add_.__doc__)


class Names(unittest.TestCase):
    def test_the_package_is_a_torch_of_its_own(self):
        # In a process of its own: `torch` stays free for another one.
        code = ("import sys\n"
                "import stridescope.torch\n"
                "from stridescope.torch import fft\n"
                "from stridescope.torch.utils import benchmark\n"
                "import stridescope.torch.linalg as linalg, stridescope.torchvision.utils\n"
                "import stridescope\n"
                "print(stridescope.torch is stridescope, fft is stridescope.fft, linalg is stridescope.linalg,\n"
                "      benchmark is stridescope.utils.benchmark, 'torch' in sys.modules,\n"
                "      stridescope.torch.arange(3).tolist())")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        self.assertEqual((done.stdout, done.stderr), ("True True True True False [0, 1, 2]\n", ""))


class Storages(unittest.TestCase):
    def test_writing_shows_in_every_tensor(self):
        x = torch.arange(6.)
        y, s = x.view(2, 3)[1], x.storage()
        s[3] = 10.0
        self.assertEqual((x[3].item(), y[0].item()), (10, 10))
        s[0:2] = 5
        self.assertEqual(x[:2].tolist(), [5, 5])
        with self.assertRaisesRegex(RuntimeError, "slices are only supported in UntypedStorage.__getitem__"):
            s[0:2]
        with self.assertRaisesRegex(IndexError, "index 6 is out of bounds for dimension 0 with size 6"):
            s[6] = 1
        with self.assertRaisesRegex(TypeError, "can't assign a list to a torch.FloatTensor"):
            s[0:2] = [1, 2]
        with self.assertRaisesRegex(RuntimeError, "can't index a <class 'torch.storage.TypedStorage'> with <class 'float'>"):
            s[1.0]
        with self.assertRaisesRegex(RuntimeError, "size does not match"):
            s.copy_(torch.ones(5).storage())
        s.fill_(1)
        self.assertEqual(y.tolist(), [1, 1, 1])
        self.assertEqual((y.storage().size(), y.storage().data_ptr()), (6, x.data_ptr()))

    def test_constructors_and_conversions(self):
        s = torch.FloatStorage([1.5, 2.5])
        self.assertEqual((s.int().tolist(), s.double().dtype, s.type()), ([1, 2], torch.float64, "torch.FloatStorage"))
        self.assertIs(s.float(), s)
        self.assertEqual(len(torch.LongStorage(4)), 4)
        self.assertEqual(pickle.loads(pickle.dumps(s)).tolist(), [1.5, 2.5])
        for index in (2, -3):
            with self.assertRaises(IndexError):
                s[index]

    def test_bytes_of_a_storage(self):
        x = torch.tensor([1., 2.])
        u = x.storage().untyped()
        self.assertEqual((u.size(), u.data_ptr(), u[3], u[2:4].tolist()), (8, x.data_ptr(), 63, [128, 63]))
        part = u[4:]
        part[2:4] = 0  # 2.0 is 00 00 00 40
        u[3] = 0x40
        self.assertEqual(x.tolist(), [4, 0])
        self.assertEqual((part.data_ptr() - u.data_ptr(), part[0:2].size(), u[9:].size(), u[5:2].size()), (4, 2, 0, 0))
        self.assertEqual(repr(part), " 0\n 0\n 0\n 0\n[torch.storage.UntypedStorage(device=cpu) of size 4]")
        with self.assertRaisesRegex(RuntimeError, "Trying to slice with a step of 2, but only a step of 1 is supported"):
            u[::2]
        with self.assertRaisesRegex(TypeError, "can't index a torch.UntypedStorage with float"):
            u[1.0]
        again = torch.empty(0, dtype=torch.int32).set_(u)
        again[1] = 0x40400000
        self.assertEqual(x.tolist(), [4, 3])
        self.assertEqual(torch.FloatStorage(wrap_storage=u).tolist(), [4, 3])
        self.assertTrue(torch.is_storage(u) and isinstance(u, torch.UntypedStorage))
        self.assertEqual(pickle.loads(pickle.dumps(u)).tolist(), u.tolist())
        self.assertEqual((x.storage().type("torch.IntStorage").tolist(), x.storage().type(torch.IntStorage).dtype),
                         ([4, 3], torch.int32))

    def test_fork_rng(self):
        torch.manual_seed(1)
        with torch.random.fork_rng():
            torch.rand(10)
        first = torch.rand(2)
        torch.manual_seed(1)
        self.assertTrue(torch.equal(first, torch.rand(2)))


def png(path):
    """(height, width, channels) and the pixels of a PNG whose rows are not interlaced."""
    with open(path, "rb") as file:
        data = file.read()
    width, height = int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    channels = {0: 1, 2: 3, 6: 4}[data[25]]
    packed, at = b"", 8
    while at < len(data):
        length = int.from_bytes(data[at:at + 4], "big")
        if data[at + 4:at + 8] == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += 12 + length
    raw, step = zlib.decompress(packed), width * channels
    rows, before = [], bytes(step)
    for y in range(height):
        kind, line = raw[y * (step + 1)], bytearray(raw[y * (step + 1) + 1:(y + 1) * (step + 1)])
        for x in range(step if kind else 0):
            left, corner = (line[x - channels], before[x - channels]) if x >= channels else (0, 0)
            up = before[x]
            if kind == 4:
                estimate = left + up - corner
                guess = min((abs(estimate - left), 0, left), (abs(estimate - up), 1, up), (abs(estimate - corner), 2, corner))[2]
            else:
                guess = (left, up, (left + up) // 2)[kind - 1]
            line[x] = (line[x] + guess) & 255
        rows.append(line)
        before = line
    return np.frombuffer(b"".join(rows), np.uint8).reshape(height, width, channels)


class Images(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_grids(self):
        x = torch.arange(5 * 3 * 4 * 6.).view(5, 3, 4, 6)
        grid = utils.make_grid(x, nrow=3, padding=1, pad_value=-1)
        self.assertEqual(grid.shape, (3, 11, 22))
        self.assertTrue(torch.equal(grid[:, 1:5, 8:14], x[1]))
        self.assertTrue(torch.equal(grid[:, 6:10, 1:7], x[3]))
        self.assertEqual(grid[:, 6:, 15:].unique().tolist(), [-1])
        self.assertEqual(utils.make_grid(torch.zeros(48, 3, 32, 32), nrow=12).shape, (3, 138, 410))
        self.assertEqual(utils.make_grid(torch.zeros(5, 7)).shape, (3, 5, 7))
        self.assertEqual(utils.make_grid([torch.zeros(1, 2, 2)] * 2).shape, (3, 6, 10))
        self.assertEqual(utils.make_grid(x, normalize=True).max().item(), 1)
        with self.assertRaises(TypeError):
            utils.make_grid("a")

    def cifar(self):
        """A data set of the real form, with sums of its own."""
        base = os.path.join(self.folder, "cifar-10-batches-py")
        os.makedirs(base)
        sums = {}
        for k, name in enumerate([f"data_batch_{i}" for i in range(1, 6)] + ["test_batch"]):
            images = np.random.default_rng(k).integers(0, 256, (20, 3072), dtype=np.uint8)
            self.write(base, name, {"data": images, "labels": [i % 10 for i in range(20)]}, sums)
        self.write(base, "batches.meta", {"label_names": [f"class {i}" for i in range(10)]}, sums)

        class Small(datasets.CIFAR10):
            train_list = [[name, sums[name]] for name, _ in datasets.CIFAR10.train_list]
            test_list = [["test_batch", sums["test_batch"]]]
            meta = dict(datasets.CIFAR10.meta, md5=sums["batches.meta"])
        return Small

    @staticmethod
    def write(base, name, value, sums):
        data = pickle.dumps(value, 2)
        sums[name] = hashlib.md5(data).hexdigest()
        with open(os.path.join(base, name), "wb") as file:
            file.write(data)

    def test_the_courses_pictures(self):
        CIFAR10 = self.cifar()
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            cifar = CIFAR10(self.folder, train=True, download=True)
        self.assertEqual(printed.getvalue(), "Files already downloaded and verified\n")
        self.assertEqual((cifar.data.shape, cifar.data.dtype), ((100, 32, 32, 3), np.uint8))
        self.assertIs(cifar.train_data, cifar.data)
        x = torch.from_numpy(cifar.train_data).transpose(1, 3).transpose(2, 3)
        self.assertEqual((x.size(), x.dtype), (torch.Size([100, 3, 32, 32]), torch.uint8))
        self.assertEqual(x.data_ptr(), cifar.data.__array_interface__["data"][0])
        x = x.narrow(0, 0, 48).float().div(255)
        name = os.path.join(self.folder, "images-cifar-4x12.png")
        utils.save_image(x, name, nrow=12)
        image = png(name)
        self.assertEqual(image.shape, (138, 410, 3))
        self.assertEqual(image[:2].max(), 0)
        np.testing.assert_array_equal(image[2:34, 2:34], cifar.data[0])
        np.testing.assert_array_equal(image[36:68, 36:68], cifar.data[13])
        x.transpose_(2, 3)
        utils.save_image(x, name, nrow=12)
        np.testing.assert_array_equal(png(name)[2:34, 2:34], cifar.data[0].transpose(1, 0, 2))
        x.narrow(1, 1, 2).fill_(-1)
        utils.save_image(x, name, nrow=12)
        self.assertEqual(png(name)[..., 1:].max(), 0)
        np.testing.assert_array_equal(png(name)[2:34, 2:34, 0], cifar.data[0, :, :, 0].T)
        self.assertEqual(len(CIFAR10(self.folder, train=False)), 20)
        image, target = cifar[3]
        self.assertEqual((image.shape, target, cifar.classes[3]), ((32, 32, 3), 3, "class 3"))

    def test_an_archive_is_not_unpacked(self):
        CIFAR10 = self.cifar()
        whole = CIFAR10(self.folder)
        archive = os.path.join(self.folder, CIFAR10.filename)
        with tarfile.open(archive, "w:gz") as tar:
            tar.add(os.path.join(self.folder, CIFAR10.base_folder), CIFAR10.base_folder)
        shutil.rmtree(os.path.join(self.folder, CIFAR10.base_folder))
        with open(archive, "rb") as file:
            CIFAR10.tgz_md5 = hashlib.md5(file.read()).hexdigest()
        packed = CIFAR10(self.folder, download=True)
        np.testing.assert_array_equal(packed.data, whole.data)
        self.assertEqual((packed.targets, packed.classes), (whole.targets, whole.classes))
        self.assertEqual(os.listdir(self.folder), [CIFAR10.filename])

    def test_what_the_window_opens(self):
        """An archive, a batch and folders of one's own: no sums were published for them."""
        CIFAR10 = self.cifar()
        whole = CIFAR10(self.folder)
        own = os.path.join(self.folder, "own.tar.gz")
        with tarfile.open(own, "w:gz") as tar:
            tar.add(os.path.join(self.folder, CIFAR10.base_folder), CIFAR10.base_folder)
        with self.assertWarnsRegex(UserWarning, "not compared"):
            packed = datasets.CIFAR10(own)
        np.testing.assert_array_equal(packed.data, whole.data)
        self.assertEqual(packed.targets, whole.targets)
        batch = os.path.join(self.folder, "mine")
        shutil.copy(os.path.join(self.folder, CIFAR10.base_folder, "data_batch_1"), batch)
        with self.assertWarnsRegex(UserWarning, "not compared"):
            np.testing.assert_array_equal(datasets.CIFAR10(batch).data, whole.data[:20])
        binary = os.path.join(self.folder, "cifar-10-batches-bin")
        os.makedirs(binary)
        for k in range(5):
            part = whole.data[20 * k:20 * k + 20].transpose(0, 3, 1, 2).reshape(20, 3072)
            records = np.concatenate([np.arange(20, dtype=np.uint8)[:, None] % 10, part], axis=1)
            with open(os.path.join(binary, f"data_batch_{k + 1}.bin"), "wb") as file:
                file.write(records.tobytes())
        np.testing.assert_array_equal(datasets.CIFAR10(binary).data, whole.data)
        # Under the name of a published file it has to be that one.
        named = os.path.join(self.folder, "data_batch_1")
        os.rename(batch, named)
        with self.assertRaisesRegex(OSError, "published"):
            datasets.CIFAR10(named)

    def test_pickles_run_nothing(self):
        CIFAR10 = self.cifar()
        canary = os.path.join(self.folder, "canary")

        class Command:
            def __reduce__(self):
                return os.system, (f"touch {canary}",)
        sums = {}
        self.write(os.path.join(self.folder, CIFAR10.base_folder), "test_batch", {"data": Command(), "labels": []}, sums)
        CIFAR10.test_list = [["test_batch", sums["test_batch"]]]
        with self.assertRaisesRegex(OSError, "posix.system"):
            CIFAR10(self.folder, train=False)
        self.assertFalse(os.path.exists(canary))

    def test_arrays_of_every_protocol(self):
        CIFAR10 = self.cifar()
        wanted = CIFAR10(self.folder, train=False).data
        base = os.path.join(self.folder, CIFAR10.base_folder)
        for protocol in (2, 3, 4):
            images = np.random.default_rng(5).integers(0, 256, (20, 3072), dtype=np.uint8)
            data = pickle.dumps({"data": images, "labels": [i % 10 for i in range(20)]}, protocol)
            with open(os.path.join(base, "test_batch"), "wb") as file:
                file.write(data)
            CIFAR10.test_list = [["test_batch", hashlib.md5(data).hexdigest()]]
            np.testing.assert_array_equal(CIFAR10(self.folder, train=False).data, wanted)

    def test_the_programs_own_pictures(self):
        samples = datasets.SampleImages()
        self.assertEqual((samples.data.shape, len(samples.classes)), ((600, 32, 32, 3), 10))
        self.assertEqual(samples.targets[:12], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1])
        # The course's three pictures of them: their sizes and their bytes.
        x = torch.from_numpy(samples.data).transpose(1, 3).transpose(2, 3).narrow(0, 0, 48).float().div(255)
        name = os.path.join(self.folder, "x.png")
        turned = samples.data.transpose(0, 2, 1, 3)
        red = turned * np.array([1, 0, 0], np.uint8)
        for step, images in ((lambda: None, samples.data), (lambda: x.transpose_(2, 3), turned),
                             (lambda: x.narrow(1, 1, 2).fill_(-1), red)):
            step()
            utils.save_image(x, name, nrow=12)
            wanted = np.zeros((138, 410, 3), np.uint8)
            for k in range(48):
                y, z = k // 12 * 34 + 2, k % 12 * 34 + 2
                wanted[y:y + 32, z:z + 32] = images[k]
            np.testing.assert_array_equal(png(name), wanted)

    def test_other_formats(self):
        x = torch.from_numpy(datasets.SampleImages().data).permute(0, 3, 1, 2).narrow(0, 0, 4).float().div(255)
        name = os.path.join(self.folder, "x")
        utils.save_image(x, name + ".bmp")
        with open(name + ".bmp", "rb") as file:
            bmp = file.read()
        self.assertEqual(bmp[:2], b"BM")
        grid = np.frombuffer(bmp[54:], np.uint8).reshape(36, -1)[::-1, :138 * 3].reshape(36, 138, 3)[..., ::-1]
        wanted = utils.make_grid(x).mul(255).add_(0.5).clamp_(0, 255).permute(1, 2, 0).to(torch.uint8).numpy()
        np.testing.assert_array_equal(grid, wanted)
        utils.save_image(x, name + ".JPG")
        with open(name + ".JPG", "rb") as file:
            self.assertEqual(file.read(3), b"\xff\xd8\xff")
        utils.save_image(x, name, format="tga")
        with self.assertRaisesRegex(ValueError, "'gif' is not written"):
            utils.save_image(x, name + ".gif")
        kept = io.BytesIO()
        utils.save_image(x, kept, format="png")
        self.assertEqual(kept.getvalue()[:4], b"\x89PNG")

    def test_normalized_grids(self):
        x = torch.arange(2 * 3 * 2 * 2.).view(2, 3, 2, 2)
        each = utils.make_grid(x, padding=0, normalize=True, scale_each=True)
        self.assertEqual((each[:, :, :2].max().item(), each[:, :, 2:].min().item()), (1, 0))
        ranged = utils.make_grid(x, padding=0, normalize=True, value_range=(4, 8))
        self.assertEqual(ranged[1, 0].tolist(), [0, 0.25, 1, 1])
        self.assertEqual(x.max().item(), 23)  # the images stay as they are
        flat = utils.make_grid(torch.full((2, 3, 2, 2), 7.), normalize=True)
        self.assertEqual(flat.max().item(), 0)
        for words in (dict(nrow=0), dict(padding=-1)):
            with self.assertRaises(ValueError):
                utils.make_grid(x, **words)
        with self.assertRaises(RuntimeError):
            utils.save_image(torch.zeros(2, 3, 4, 4, dtype=torch.uint8), os.path.join(self.folder, "x.png"))

    def test_broken_data_sets(self):
        with self.assertRaisesRegex(RuntimeError, "not found or corrupted"):
            datasets.CIFAR10(self.folder)
        CIFAR10 = self.cifar()
        with open(os.path.join(self.folder, "cifar-10-batches-py", "test_batch"), "ab") as file:
            file.write(b"x")
        with self.assertRaisesRegex(RuntimeError, "not found or corrupted"):
            CIFAR10(self.folder)


class AsTorch(unittest.TestCase):
    def python(self, code):
        built = os.path.dirname(os.path.dirname(os.path.abspath(torch._core.__file__)))
        folders = os.pathsep.join([built, os.path.join(built, "as_torch")])
        return subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": folders}, text=True,
                              capture_output=True, timeout=100)

    def test_every_order_of_imports(self):
        for code in ("import torch, torchvision; print(torch.__version__, torchvision.utils.make_grid)",
                     "import torchvision.datasets, torch.linalg; print(torch.linalg.inv)",
                     "import torch.utils.benchmark as b, torch; print(b.Timer, torch.fft.fft)",
                     "from torch.utils import benchmark; from torch import linalg; from torchvision.utils import save_image; print(1)",
                     "import safetensors.torch as s, torch; print(s.load_file, s.save_file)",
                     "import torch, stridescope; assert torch is stridescope; print(torch.zeros(1))",
                     "import torch, pickle; print(pickle.loads(pickle.dumps((torch.ones(1), torch.float32, torch.Size([1])))))"):
            with self.subTest(code=code):
                done = self.python(code)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertTrue(done.stdout)

    def test_course_script_with_names_of_main(self):
        done = self.python("import torch\nimport torch.utils.benchmark as benchmark\n"
                           "def sum_loop(x):\n    s = 0.\n    for i in range(len(x)): s += x[i]\n    return s\n"
                           "x = torch.rand(20000, dtype=torch.float64)\n"
                           "loop = benchmark.Timer('sum_loop(x)', 'from __main__ import sum_loop', globals={'x': x}).timeit(1)\n"
                           "fast = benchmark.Timer('x.sum()', globals={'x': x})\n"
                           "print(loop.mean / min(fast.timeit(10).mean for _ in range(10)) > 20, abs(sum_loop(x) - x.sum()).item() < 1e-6)\n")
        self.assertEqual((done.stdout, done.stderr), ("True True\n", ""))

    def test_tpus_are_told_apart_from_a_missing_module(self):
        for code in ("import torch\nimport torch_xla", "import torch\nimport torch_xla.core.xla_model as xm",
                     "import torch\nfrom torch_xla.core import xla_model"):
            with self.subTest(code=code):
                done = self.python(code)
                self.assertEqual(done.returncode, 1)
                self.assertEqual(done.stderr.splitlines()[-1], "ModuleNotFoundError: torch_xla is not part of "
                                 "Stridescope: TPUs need PyTorch/XLA itself; devices are cpu, cuda and, after "
                                 "torch.sim.enable(), sim")

    def test_code_for_tpus_goes_on_where_there_is_such_a_module(self):
        # What a course's agnostic code does, with no such module and with one.
        agnostic = ("try:\n    import torch_xla.core.xla_model as xm\n    device = xm.xla_device()\n"
                    "except ImportError:\n    device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')\n"
                    "print(torch.ones(2, device=device), device)")
        self.assertEqual(self.python("import torch\n" + agnostic).stdout, "tensor([1., 1.]) cpu\n")
        one = ("import sys, types, torch\n"
               "for name in ('torch_xla', 'torch_xla.core', 'torch_xla.core.xla_model'):\n"
               "    m = sys.modules[name] = types.ModuleType(name)\n    m.__path__ = []\n"
               "sys.modules['torch_xla'].core = sys.modules['torch_xla.core']\n"
               "sys.modules['torch_xla.core'].xla_model = m\n"
               "m.xla_device = lambda: torch.device('cpu', 0)\n")
        self.assertEqual(self.python(one + agnostic).stdout, "tensor([1., 1.]) cpu:0\n")

    def test_exit_is_clean(self):
        done = self.python("import torch, numpy as np\na = np.ones(3); t = torch.from_numpy(a); b = torch.ones(2).numpy()\n"
                           "g = torch.Generator(); c = t.__dlpack__()\nimport sys; sys.exit(3)")
        self.assertEqual((done.returncode, done.stderr), (3, ""))

    def test_numpy_is_not_needed(self):
        done = self.python("import sys; sys.modules['numpy'] = None\nimport torch\nprint(torch.ones(2) @ torch.ones(2))")
        self.assertEqual((done.stdout, done.stderr), ("tensor(2.)\n", ""))

    def test_tracebacks_end_as_pytorchs(self):
        done = self.python("import torch\ntorch.ones(2) + torch.ones(3)")
        self.assertTrue(re.search(r"RuntimeError: The size of tensor a \(2\) must match the size of tensor b \(3\) at "
                                  r"non-singleton dimension 0", done.stderr), done.stderr)

    def test_lists_that_there_is_no_memory_for(self):
        import stridescope as torch
        for huge in (torch.zeros(1).expand(10 ** 11), torch.zeros(1, 1).expand(10 ** 11, 0),
                     torch.zeros(1, 1, dtype=torch.bool).expand(10 ** 6, 10 ** 6)):
            with self.assertRaisesRegex(MemoryError, r"tolist: \d+ elements would be about [\d.]+ \wB of Python numbers "
                                                     r"and lists, and [\d.]+ \wB of memory are available"):
                huge.tolist()
        self.assertEqual(torch.arange(3).expand(2, 3).tolist(), [[0, 1, 2]] * 2)


if __name__ == "__main__":
    unittest.main()
