"""Console transcripts: what a person types and what PyTorch 1.13 prints for it, word for word."""
import doctest
import glob
import os
import sys
import unittest

import stridescope

import transcripts

stridescope.install_as_torch()
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "transcripts")


class Transcripts(unittest.TestCase):
    maxDiff = None


def one(path):
    def test(self):
        torch = sys.modules["torch"]
        torch.set_default_dtype(torch.float32)
        torch.set_printoptions(profile="default")
        with open(path) as file:
            examples = doctest.DocTestParser().get_examples(file.read())
        names = {"__name__": "__main__"}
        self.assertTrue(examples)
        for example in examples:
            with self.subTest(line=example.lineno + 1, code=example.source.strip()):
                got = transcripts.answer(example.source, names)
                self.assertEqual(transcripts.normal(got), transcripts.normal(transcripts.wanted_text(example)))
    return test


for _path in sorted(glob.glob(os.path.join(FOLDER, "*.txt"))):
    _name = os.path.splitext(os.path.basename(_path))[0]
    setattr(Transcripts, "test_" + _name, one(_path))

if __name__ == "__main__":
    unittest.main()
