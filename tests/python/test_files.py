"""torch.save and torch.load: what comes back, and what damaged files and rubbish raise."""
import io
import os
import pickle
import tempfile
import unittest
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


if __name__ == "__main__":
    unittest.main()
