"""torch.save and torch.load: what comes back, and what damaged files and rubbish raise."""
import io
import json
import os
import pickle
import subprocess
import sys
import tempfile
import unittest
import warnings
import zipfile

import numpy as np

import stridescope as torch


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "values.pt")

    def test_values_layout_and_sharing_come_back(self):
        x = torch.arange(6.).view(2, 3)
        saved = {"x": x, "t": x.t(), "list": [torch.tensor([1, 2], dtype=torch.uint8), torch.tensor(True), 3, "text", None],
                 "dtype": torch.float64, "size": x.size(), "device": torch.device("cpu"), "c": torch.tensor([1 + 2j]),
                 "empty": torch.empty(0, 3), "half": torch.ones(2, dtype=torch.float16), "set": {1, 2}}
        torch.save(saved, self.path)
        back = torch.load(self.path)
        self.assertEqual(list(back), list(saved))
        self.assertTrue(torch.equal(back["x"], x))
        self.assertEqual(back["t"].stride(), (1, 3))
        back["x"][0, 0] = 7
        self.assertEqual(back["t"][0, 0].item(), 7)  # one storage still
        self.assertEqual(repr([back[k] for k in ("list", "dtype", "size", "device", "c", "empty", "half", "set")]),
                         repr([saved[k] for k in ("list", "dtype", "size", "device", "c", "empty", "half", "set")]))

    def test_the_file_is_pytorchs(self):
        torch.save([torch.arange(3)], self.path)
        with zipfile.ZipFile(self.path) as archive:
            self.assertEqual(archive.namelist(), ["values/data.pkl", "values/data/0", "values/version"])
            self.assertEqual(archive.read("values/data/0"), np.arange(3).tobytes())
            self.assertIn(b"ctorch._utils\n_rebuild_tensor_v2\n", archive.read("values/data.pkl"))
            self.assertIn(b"ctorch\nLongStorage\n", archive.read("values/data.pkl"))

    def test_files_from_before_archives(self):
        x = torch.arange(6.).view(2, 3)
        stream = io.BytesIO()
        torch.save({"x": x, "t": x.t(), "none": torch.zeros(0), "s": x.storage()}, stream, _use_new_zipfile_serialization=False)
        data = stream.getvalue()
        self.assertNotIn(b"PK", data)
        back = torch.load(io.BytesIO(data))
        self.assertTrue(torch.equal(back["x"], x))
        back["s"][0] = 7
        self.assertEqual(back["t"][0, 0].item(), 7)
        for length in range(len(data)):
            with self.subTest(length=length), self.assertRaises((EOFError, pickle.UnpicklingError, RuntimeError)):
                torch.load(io.BytesIO(data[:length]))
        with self.assertRaisesRegex(RuntimeError, "unexpected EOF, expected 1 more bytes. The file might be corrupted."):
            torch.load(io.BytesIO(data[:-1]))
        huge = data.replace(pickle.dumps(6, 2)[2:-1] + b"N", b"\x8a\x06\0\0\0\0\0\x10N")  # 2^44 slots
        self.assertNotEqual(huge, data)
        with self.assertRaisesRegex(RuntimeError, "unexpected EOF, expected 703687441[0-9]* more bytes"):
            torch.load(io.BytesIO(huge))

    def test_damaged_archives(self):
        stream = io.BytesIO()
        torch.save(torch.arange(6.), stream)
        data = stream.getvalue()

        def changed(change):
            out = io.BytesIO()
            with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
                for name in old.namelist():
                    record = change(name.partition("/")[2], old.read(name))
                    if record is not None:
                        new.writestr(name, record)
            return out.getvalue()
        for length in range(4, len(data)):
            with self.subTest(length=length), self.assertRaisesRegex(
                    RuntimeError, "not a ZIP archive$" if length < 22 else "failed finding central directory"):
                torch.load(io.BytesIO(data[:length]))
        bomb = io.BytesIO()
        with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("a/version", b"3")
            archive.writestr("a/data.pkl", bytes(8 << 20))
        for what, error, message in (
                (changed(lambda n, d: None if n == "version" else d), RuntimeError, "no record"),
                (changed(lambda n, d: b"99" if n == "version" else d), RuntimeError, "version 99, but the maximum"),
                (changed(lambda n, d: None if n == "data.pkl" else d), RuntimeError, "locating file data.pkl: file not found"),
                (changed(lambda n, d: None if n == "data/0" else d), RuntimeError, "locating file data/0: file not found"),
                (changed(lambda n, d: d[:10] if n == "data/0" else d), RuntimeError, "has 10 bytes, 24 are needed"),
                (changed(lambda n, d: d[:50] if n == "data.pkl" else d), pickle.UnpicklingError, "truncated"),
                (changed(lambda n, d: b"" if n == "data.pkl" else d), EOFError, "Ran out of input"),
                (data.replace(b"\0\0\xa0@", b"\0\0\xa1@", 1), RuntimeError, "reading file data/0: Bad CRC"),
                (bomb.getvalue(), RuntimeError, "would become 8388608")):
            with self.subTest(message=message), self.assertRaisesRegex(error, message):
                torch.load(io.BytesIO(what))

    def test_places_of_storages(self):
        stream = io.BytesIO()
        torch.save(torch.arange(2.), stream)

        def loaded(where):
            return torch.load(io.BytesIO(stream.getvalue()), map_location=where)
        seen = []
        for where in ("cpu", torch.device("cpu"), {"cuda:0": "cpu"}, lambda s, place: s, None,
                      lambda s, place: seen.append((type(s), place))):
            self.assertEqual(loaded(where).tolist(), [0, 1])
        self.assertEqual(seen, [(torch.UntypedStorage, "cpu")])
        with self.assertRaisesRegex(RuntimeError, "don't know how to restore data location .* \\(tagged with rubbish\\)"):
            loaded("rubbish")
        with self.assertRaises(TypeError):
            loaded(3)
        x = torch.arange(2.)
        with self.assertRaisesRegex(RuntimeError, "view the same data as different types"):
            torch.save([x, x.view(torch.int32)], io.BytesIO())
        for wrong in (3, None, [1]):
            with self.assertRaisesRegex(AttributeError, "has no attribute 'seek'. You can only torch.load from a file"):
                torch.load(wrong)

    def test_streams_and_refusals(self):
        stream = io.BytesIO()
        torch.save(torch.ones(2), stream)
        stream.seek(0)
        self.assertEqual(torch.load(stream).tolist(), [1, 1])
        with self.assertRaises(RuntimeError):
            torch.save(1, os.path.join(self.path, "nowhere", "x.pt"))
        rubbish = {b"": EOFError, b"\x80\x02": EOFError, b"rubbish": pickle.UnpicklingError, b"q": pickle.UnpicklingError,
                   b"name,a\n1,2\n": pickle.UnpicklingError, b"\0" * 100: pickle.UnpicklingError,
                   b"\x93NUMPY\x01\0": pickle.UnpicklingError, b"\x89PNG\r\n": pickle.UnpicklingError,
                   b"cos\nsystem\n.": pickle.UnpicklingError, b"I5\n.": RuntimeError, b"PK\3\4rubbish": RuntimeError,
                   pickle.dumps(0x1950a86a20f9469cfc6c): EOFError}
        for data, expected in rubbish.items():
            with self.subTest(data=data), self.assertRaises(expected) as caught:
                torch.load(io.BytesIO(data))
            if not data.startswith(b"PK") and len(data) < 20:
                self.assertIn("not a file that torch.save has written", caught.exception.__notes__[0])
        with self.assertRaises(FileNotFoundError):
            torch.load(self.path + ".none")
        with self.assertRaisesRegex(FileNotFoundError, "no such file"):
            torch.load_npy(self.path + ".none")

        command = "touch " + self.path

        class Evil:
            def __reduce__(self):
                return os.system, (command,)
        with zipfile.ZipFile(self.path, "w") as archive:
            archive.writestr("a/version", "3")
            archive.writestr("a/data.pkl", pickle.dumps(Evil()))
        size = os.path.getsize(self.path)
        with self.assertRaisesRegex(pickle.UnpicklingError, "plain Python values only"):
            torch.load(self.path)
        self.assertEqual(os.path.getsize(self.path), size)

    def test_arrays_of_numpy(self):
        big = np.arange(3, dtype=">i4")
        saved = {"n": np.arange(3), "t": torch.ones(2), "again": [big, big], "little": np.arange(2, dtype="<i4"),
                 "f": np.asfortranarray(np.arange(6.).reshape(2, 3)), "number": np.float32(1.5), "0d": np.array(True),
                 "empty": np.empty((0, 4), np.complex64), "dtype": np.dtype(">f8")}
        for archive in True, False:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                torch.save(saved, self.path, _use_new_zipfile_serialization=archive)
            back = torch.load(self.path)
            self.assertEqual(list(back), list(saved))
            self.assertTrue(torch.equal(back["t"], saved["t"]))
            for name in ("n", "little", "f", "0d", "empty"):
                self.assertEqual((back[name].dtype, back[name].shape, back[name].tolist()),
                                 (saved[name].dtype, saved[name].shape, saved[name].tolist()), name)
            self.assertTrue(back["f"].flags.f_contiguous)
            self.assertEqual((back["again"][0].dtype, back["again"][0].tolist()),
                             (pickle.loads(pickle.dumps(big)).dtype, [0, 1, 2]))
            self.assertIs(back["again"][0], back["again"][1])
            self.assertEqual((type(back["number"]), back["number"], back["dtype"]), (np.float32, 1.5, np.dtype(">f8")))
            back["n"][0] = 9  # an array of its own

    def test_arrays_that_a_file_only_claims(self):
        def file_of(pickled):
            with zipfile.ZipFile(self.path, "w") as archive:
                archive.writestr("a/version", "3")
                archive.writestr("a/data.pkl", pickled)
        make, dtype = np.empty(0).__reduce__()[0], np.dtype("i8")

        class Claims:
            def __init__(self, *reduced):
                self.reduced = reduced

            def __reduce__(self):
                return self.reduced
        empty = make, (np.ndarray, (0,), b"b")
        for claim in (Claims(*empty, (1, (1 << 40,), dtype, False, b"x" * 8)), Claims(*empty, (1, (-1,), dtype, False, b"")),
                      Claims(*empty, (1, (2,), np.dtype("O"), False, [1, 2])), Claims(*empty, (1, (1,), "i8", False, b"x" * 8)),
                      Claims(make, (np.ndarray, (1 << 40,), b"b")), Claims(make, (dict, (0,), b"b")), Claims(*empty, 3),
                      Claims(np.ndarray, ((1 << 40,),)), Claims(np.dtype, ("O",)), Claims(np.dtype, ([("a", "i8")],)),
                      Claims(np.dtype, ("i8", False, True), (3, "<", None, ("a",), {"a": (dtype, 0)}, 64, 1, 0)),
                      Claims(np.load, (self.path,))):
            file_of(pickle.dumps(claim, 2))
            with self.subTest(claim=claim.reduced), self.assertRaises((pickle.UnpicklingError, TypeError)):
                torch.load(self.path)

    def test_what_load_will_refuse_is_told_when_it_is_saved(self):
        import fractions
        for value, where, what in (({"a": torch.ones(1), "b": {"c": fractions.Fraction(1, 2)}}, "['b']['c']", "Fraction"),
                                   ({"words": np.array(["text"])}, "['words']", "numpy.ndarray of <U4"),
                                   ({"when": np.array(["2020-01-01"], "M8[D]")}, "['when']", "datetime64"),
                                   ([np.array([None])], "the object", "numpy.ndarray of object")):
            with self.subTest(what=what), warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                torch.save(value, self.path)
            self.assertEqual(len(told), 1)
            self.assertIn(where, str(told[0].message))
            self.assertIn(what, str(told[0].message))
            with self.assertRaises(pickle.UnpicklingError):
                torch.load(self.path)



class Arrays(unittest.TestCase):
    """.npy, .npz and .safetensors."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def test_npy_in_both_directions(self):
        for array in (np.arange(6, dtype=np.float32).reshape(2, 3), np.arange(6).reshape(2, 3).T, np.array(3 + 4j),
                      np.zeros((0, 2), np.uint8), np.array([True, False]), np.ones(3, np.float16)):
            with self.subTest(dtype=array.dtype, shape=array.shape):
                np.save(self.path("a.npy"), array)
                read = torch.load_npy(self.path("a.npy"))
                self.assertEqual(repr(read), repr(torch.from_numpy(array.copy(order="K"))))
                torch.save_npy(read, self.path("b.npy"))
                back = np.load(self.path("b.npy"))
                self.assertEqual((back.dtype, back.shape, back.tolist()), (array.dtype, array.shape, array.tolist()))
        np.save(self.path("a.npy"), np.arange(3))
        torch.load_npy(self.path("a.npy")).zero_()  # the file is mapped, and stays as it is
        self.assertEqual(np.load(self.path("a.npy")).tolist(), [0, 1, 2])
        self.assertEqual(torch.load_npy(__import__("pathlib").Path(self.path("a.npy"))).tolist(), [0, 1, 2])

    def test_what_was_converted_or_ignored_is_told(self):
        def told(load, name):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                values = load(self.path(name))
            self.assertEqual({w.category for w in caught} - {UserWarning}, set())
            return values, [str(w.message) for w in caught]

        np.save(self.path("u.npy"), np.array([1, 65535], np.uint16))
        with open(self.path("u.npy"), "ab") as file:
            file.write(b"end")
        values, words = told(torch.load_npy, "u.npy")
        self.assertEqual((values.tolist(), values.dtype), ([1, 65535], torch.int32))
        self.assertEqual(words, ["u: 3 extra bytes after the data ignored.",
                                 "u: uint16 does not exist here: the values were copied to int32."])
        np.save(self.path("b.npy"), np.array([0, 1, 7], np.uint8))
        with open(self.path("b.npy"), "rb") as file:
            data = file.read()
        with open(self.path("b.npy"), "wb") as file:
            file.write(data.replace(b"|u1", b"|b1"))
        self.assertEqual(told(torch.load_npy, "b.npy")[1], ["b: 1 bool bytes were not 0 or 1; they are read as True."])
        with open(self.path("l.npy"), "wb") as file:
            file.write(data.replace(b"(3,), ", b"(3L,),"))
        values, words = told(torch.load_npy, "l.npy")
        self.assertEqual((values.tolist(), len(words)), ([0, 1, 7], 1), words)
        np.savez(self.path("a.npz"), u=np.ones(2, np.uint32), y=np.ones(3, ">f4"), x=np.arange(3))
        self.assertEqual(told(torch.load_npz, "a.npz")[1], ["u: uint32 does not exist here: the values were copied to int64."])
        np.save(self.path("x.npy"), np.ones(3, ">f4"))
        self.assertEqual(told(torch.load_npy, "x.npy")[1], [])  # the same numbers

    def test_archives_of_which_nothing_can_be_read(self):
        def of_bfloat16(names):
            header = {name: {"dtype": "BF16", "shape": [2], "data_offsets": [4 * i, 4 * i + 4]}
                      for i, name in enumerate(names)}
            text = json.dumps(header).encode()
            with open(self.path("s.safetensors"), "wb") as file:
                file.write(len(text).to_bytes(8, "little") + text + bytes(4 * len(names)))

        of_bfloat16(["w"])
        with self.assertRaisesRegex((TypeError, RuntimeError, OSError), "^w: .*BF16"):
            torch.load_safetensors(self.path("s.safetensors"))
        of_bfloat16(["w", "v", "u"])
        with self.assertRaisesRegex((TypeError, RuntimeError, OSError), "^w: .*and 2 more that cannot be read, none that can"):
            torch.load_safetensors(self.path("s.safetensors"))
        np.savez(self.path("t.npz"), t=np.array(["text"]))
        with self.assertRaisesRegex((TypeError, RuntimeError, OSError), "^t.npy: .*text"):
            torch.load_npz(self.path("t.npz"))
        np.savez(self.path("t.npz"), t=np.array(["text"]), x=np.arange(2))
        with self.assertWarnsRegex(UserWarning, "t.npy is left out"):
            self.assertEqual(list(torch.load_npz(self.path("t.npz"))), ["x"])
        torch.save_safetensors({}, self.path("none.safetensors"))
        self.assertEqual(torch.load_safetensors(self.path("none.safetensors")), {})  # there is nothing to miss

    def test_a_file_that_becomes_shorter_is_told(self):
        torch.save_npy(torch.ones(1 << 20), self.path("a.npy"))
        x, y = torch.load_npy(self.path("a.npy")), torch.load_npy(self.path("a.npy"))
        os.truncate(self.path("a.npy"), 4096)
        with self.assertWarnsRegex(UserWarning, r"a\.npy: the file became shorter while it was mapped") as told:
            total = x.sum().item()
        self.assertEqual(total, (4096 - 128) / 4)
        self.assertEqual(len(told.warnings), 1)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertEqual(x[-1].item(), 0)  # once is enough
        del x, y
        torch.save_npy(torch.ones(1 << 20), self.path("b.npy"))
        x = torch.load_npy(self.path("b.npy"))
        os.truncate(self.path("b.npy"), 4096)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertRaisesRegex(UserWarning, "b.npy", x.tolist)

    def test_npz_in_both_directions(self):
        np.savez(self.path("a.npz"), x=np.arange(3), **{"layer.0/w": np.ones((2, 2), np.float32)})
        read = torch.load_npz(self.path("a.npz"))
        self.assertEqual(list(read), ["x", "layer.0/w"])
        self.assertEqual(read["layer.0/w"].dtype, torch.float32)
        torch.save_npz(read, self.path("b.npz"))
        with np.load(self.path("b.npz")) as back:
            self.assertEqual(back["x"].tolist(), [0, 1, 2])
            self.assertEqual(back["layer.0/w"].tolist(), [[1, 1], [1, 1]])
        torch.save_npz({}, self.path("none.npz"))
        self.assertEqual(torch.load_npz(self.path("none.npz")), {})
        np.savez(self.path("none.npz"))
        self.assertEqual(torch.load_npz(self.path("none.npz")), {})

    def test_tensors_of_a_safetensors_file_are_views_of_one_storage(self):
        x = torch.arange(6.).view(2, 3)
        saved = {"a.weight": x, "a.t": x.t(), "\u00e9 \n": torch.arange(3, dtype=torch.int16), "empty": torch.empty(0, 2)}
        torch.save_safetensors(saved, self.path("s.safetensors"), {"made": "here"})
        read = torch.load_safetensors(self.path("s.safetensors"))
        self.assertEqual(set(read), set(saved))
        for name, t in read.items():
            self.assertTrue(torch.equal(t, saved[name]), name)
        self.assertEqual(len({t._storage_id() for t in read.values()}), 1)
        self.assertEqual(sorted(t.storage_offset() * t.element_size() for n, t in read.items() if n != "empty"), [0, 24, 48])
        read["a.weight"].storage()[6] = 7  # what lies behind it: the next one of the file
        self.assertEqual(read["a.t"][0, 0].item(), 7)
        self.assertTrue(torch.equal(torch.load_safetensors(self.path("s.safetensors"))["a.t"], x.t()))

    def test_complex_numbers_in_a_safetensors_file(self):
        torch.save_safetensors({"z": torch.tensor([1 + 2j])}, self.path("s.safetensors"))
        self.assertEqual(torch.load_safetensors(self.path("s.safetensors"))["z"].tolist(), [1 + 2j])
        long = {"x": torch.ones(1), "long": torch.ones(2, dtype=torch.complex128)}
        with self.assertRaisesRegex(TypeError, "^tensors\\['long'\\] is complex128, which the safetensors format does not"):
            torch.save_safetensors(long, self.path("t.safetensors"))
        self.assertFalse(os.path.exists(self.path("t.safetensors")))

    def test_under_the_name_of_safetensors(self):
        code = ("import torch\nfrom safetensors.torch import load_file, save_file\n"
                "save_file({'w': torch.ones(2)}, 'w.safetensors', metadata={'k': 'v'})\nprint(load_file('w.safetensors'))\n")
        built = os.path.dirname(os.path.dirname(os.path.abspath(torch._core.__file__)))
        done = subprocess.run([sys.executable, "-c", code], cwd=self.folder, text=True, capture_output=True, timeout=100,
                              env={**os.environ, "PYTHONPATH": os.pathsep.join([built, os.path.join(built, "as_torch")])})
        self.assertEqual((done.stdout, done.stderr), ("{'w': tensor([1., 1.])}\n", ""))

    def test_refusals(self):
        with open(self.path("text"), "w") as file:
            file.write("nothing of that kind")
        for load in (torch.load_npy, torch.load_npz, torch.load_safetensors):
            with self.subTest(load=load.__name__):
                with self.assertRaises((RuntimeError, OSError)):
                    load(self.path("text"))
                with self.assertRaises((RuntimeError, OSError)):
                    load(self.path("missing"))
                with self.assertRaises(TypeError):
                    load(3)
        for bad in ([torch.ones(1)], {"a": 3}, {3: torch.ones(1)}, {"": torch.ones(1)}):
            with self.subTest(bad=bad), self.assertRaises((TypeError, RuntimeError, OSError)):
                torch.save_safetensors(bad, self.path("bad"))
        with self.assertRaisesRegex(TypeError, r"tensors\['a'\] must be Tensor, not int"):
            torch.save_npz({"a": 3}, self.path("bad"))
        with self.assertRaisesRegex(TypeError, "metadata must name str by str, found str: int"):
            torch.save_safetensors({}, self.path("bad"), {"a": 1})
        self.assertFalse(os.path.exists(self.path("bad")))


if __name__ == "__main__":
    unittest.main()
