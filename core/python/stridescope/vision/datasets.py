"""torchvision.datasets: CIFAR-10, from the files of its Python version."""
import hashlib
import os
import pickle
import tarfile

from .. import _outside

__path__ = []  # as of a package: `from torchvision.datasets import MNIST` then asks for it as for a module


def __getattr__(name):
    raise AttributeError(_outside.missing("torchvision.datasets", name))


class _ArrayUnpickler(pickle.Unpickler):
    """The batches are pickles of dicts with lists, texts and one NumPy array; nothing else is read."""

    def find_class(self, module, name):
        import numpy as np
        if module in ("numpy.core.multiarray", "numpy._core.multiarray") and name == "_reconstruct":
            return np.core.multiarray._reconstruct
        if module == "numpy" and name in ("ndarray", "dtype"):
            return getattr(np, name)
        if module == "_codecs" and name == "encode":
            return lambda text, encoding: text.encode(encoding)
        raise pickle.UnpicklingError(f"CIFAR10: the file names {module}.{name}; that is no batch of images")


def _md5(path):
    sums = hashlib.md5()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            sums.update(block)
    return sums.hexdigest()


class CIFAR10:
    """CIFAR10(root, train=True, transform=None, target_transform=None, download=False)

    `data` is a uint8 array {n, 32, 32, 3}, `targets` the list of classes. train_data and the like are the names of 2018."""

    base_folder = "cifar-10-batches-py"
    url = "https://www.cs.toronto.edu/~kriz/cifar-10-python.tar.gz"
    filename = "cifar-10-python.tar.gz"
    tgz_md5 = "c58f30108f718f92721af3b95e74349a"
    train_list = [["data_batch_1", "c99cafc152244af753f735de768cd75f"],
                  ["data_batch_2", "d4bba439e000b95fd0a9bffe97cbabec"],
                  ["data_batch_3", "54ebc095f3ab1f0389bbae665268c751"],
                  ["data_batch_4", "634d18415352ddfa80567beed471001a"],
                  ["data_batch_5", "482c414d41f54cd18b22e5b47cb7c3cb"]]
    test_list = [["test_batch", "40351d587109b95175f43aff81a1287e"]]
    meta = {"filename": "batches.meta", "key": "label_names", "md5": "5ff9c542aee3614f3951f8cda6e48888"}

    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        import numpy as np
        self.root, self.train = os.path.expanduser(os.fspath(root)), train
        self.transform, self.target_transform = transform, target_transform
        if download:
            self.download()
        if not self._check_integrity():
            raise RuntimeError("Dataset not found or corrupted. You can use download=True to download it")
        images, self.targets = [], []
        for name, _ in self.train_list if train else self.test_list:
            entry = self._read(name)
            images.append(entry["data"])
            self.targets += entry.get("labels", entry.get("fine_labels", []))
        # Rows of 3072 numbers: red, green and blue planes.
        self.data = np.ascontiguousarray(np.concatenate(images).reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1))
        self.classes = self._read(self.meta["filename"])[self.meta["key"]]
        self.class_to_idx = {name: i for i, name in enumerate(self.classes)}

    train_data = property(lambda self: self.data)
    test_data = property(lambda self: self.data)
    train_labels = property(lambda self: self.targets)
    test_labels = property(lambda self: self.targets)

    def _path(self, name):
        return os.path.join(self.root, self.base_folder, name)

    def _read(self, name):
        with open(self._path(name), "rb") as file:
            return _ArrayUnpickler(file, encoding="latin1").load()

    def _check_integrity(self):
        wanted = self.train_list + self.test_list + [[self.meta["filename"], self.meta["md5"]]]
        return all(os.path.isfile(self._path(name)) and _md5(self._path(name)) == md5 for name, md5 in wanted)

    def download(self):
        """Fetches and unpacks the files, unless they are there."""
        if self._check_integrity():
            print("Files already downloaded and verified")
            return
        from urllib.request import urlopen
        os.makedirs(self.root, exist_ok=True)
        target = os.path.join(self.root, self.filename)
        if not (os.path.isfile(target) and _md5(target) == self.tgz_md5):
            print(f"Downloading {self.url} to {target}")
            with urlopen(self.url) as source:
                data = source.read()
            if hashlib.md5(data).hexdigest() != self.tgz_md5:
                raise RuntimeError("File not found or corrupted.")
            with open(target, "wb") as file:
                file.write(data)
        names = {f"{self.base_folder}/{name}" for name, _ in self.train_list + self.test_list}
        names.add(f"{self.base_folder}/{self.meta['filename']}")
        os.makedirs(self._path(""), exist_ok=True)
        with tarfile.open(target) as archive:  # only the files that are known, each under its own name
            for member in archive:
                if member.name in names and member.isfile():
                    with open(self._path(os.path.basename(member.name)), "wb") as file:
                        file.write(archive.extractfile(member).read())

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        image, target = self.data[index], self.targets[index]
        if self.transform is not None:
            image = self.transform(image)
        if self.target_transform is not None:
            target = self.target_transform(target)
        return image, target

    def __repr__(self):
        return (f"Dataset CIFAR10\n    Number of datapoints: {len(self)}\n    Root location: {self.root}\n"
                f"    Split: {'Train' if self.train else 'Test'}")
