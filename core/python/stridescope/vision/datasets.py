"""torchvision.datasets: CIFAR-10 and CIFAR-100, and pictures drawn by Stridescope itself."""
import os
import sys
import warnings

from . import _download
from .. import _core, _outside

__path__ = []  # as of a package: `from torchvision.datasets import MNIST` then asks for it as for a module


def __getattr__(name):
    raise AttributeError(_outside.missing("torchvision.datasets", name))


class _Pictures:
    """`data` is a uint8 array {n, 32, 32, 3}, `targets` the list of classes."""

    transform = target_transform = None
    train_data = property(lambda self: self.data)
    test_data = property(lambda self: self.data)
    train_labels = property(lambda self: self.targets)
    test_labels = property(lambda self: self.targets)

    def _take(self, read):
        tensor, self.targets, self.classes, notes = read
        for note in notes:
            warnings.warn(note, stacklevel=3)
        self.data = tensor.numpy()
        self.class_to_idx = {name: i for i, name in enumerate(self.classes)}

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        image, target = self.data[index], self.targets[index]
        if self.transform is not None:
            image = self.transform(image)
        if self.target_transform is not None:
            target = self.target_transform(target)
        return image, target


def _progress(done, size):
    if sys.stderr.isatty():
        end = "\n" if done >= size else ""
        sys.stderr.write(f"\r{done / 1e6:.0f} of {size / 1e6:.0f} MB{end}")


class CIFAR10(_Pictures):
    """CIFAR10(root, train=True, transform=None, target_transform=None, download=False)

    `data` is a uint8 array {n, 32, 32, 3}, `targets` the list of classes. train_data and the like are the names of
    2018. The files of the Python version are looked for below `root`, or their archive, which need not be unpacked.

    Beyond torchvision `root` may be what Stridescope's window opens: an archive or a batch of one's own, or a folder of
    either version. Files with a published sum have to have it; that nothing was published for others is a warning."""

    base_folder = "cifar-10-batches-py"
    url = "https://www.cs.toronto.edu/~kriz/cifar-10-python.tar.gz"
    filename = "cifar-10-python.tar.gz"
    tgz_md5 = "c58f30108f718f92721af3b95e74349a"
    tgz_size = 170498071
    train_list = [["data_batch_1", "c99cafc152244af753f735de768cd75f"],
                  ["data_batch_2", "d4bba439e000b95fd0a9bffe97cbabec"],
                  ["data_batch_3", "54ebc095f3ab1f0389bbae665268c751"],
                  ["data_batch_4", "634d18415352ddfa80567beed471001a"],
                  ["data_batch_5", "482c414d41f54cd18b22e5b47cb7c3cb"]]
    test_list = [["test_batch", "40351d587109b95175f43aff81a1287e"]]
    meta = {"filename": "batches.meta", "key": "label_names", "md5": "5ff9c542aee3614f3951f8cda6e48888"}
    _hundred = False

    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        self.root, self.train = os.path.expanduser(os.fspath(root)), train
        self.transform, self.target_transform = transform, target_transform
        if download:
            self.download()
        source = self._source()
        compared = source is not None
        if not compared:
            source = self._own()
        if source is None:
            raise RuntimeError("Dataset not found or corrupted. You can use download=True to download it")
        self._take(_core._cifar(source, self._hundred, bool(train), True, not compared))

    def _archive(self):
        return os.path.join(self.root, self.filename)

    def _check_integrity(self):
        wanted = self.train_list + self.test_list + [[self.meta["filename"], self.meta["md5"]]]
        folder = os.path.join(self.root, self.base_folder)
        return all(_download.md5_of(os.path.join(folder, name)) == md5 for name, md5 in wanted)

    def _source(self):
        """The folder, or the archive, whichever is there whole."""
        if self._check_integrity():
            return os.path.join(self.root, self.base_folder)
        return self._archive() if _download.md5_of(self._archive()) == self.tgz_md5 else None

    def _own(self):
        """`root`, where it is a file, a set's own folder, or has the files or the archive of the binary version."""
        if os.path.isfile(self.root):
            return self.root
        first = (self.train_list if self.train else self.test_list)[0][0]
        binary = self.filename.replace("python", "binary")
        folder = "cifar-100-binary" if self._hundred else "cifar-10-batches-bin"
        there = (first, first + ".bin", binary, os.path.join(folder, first + ".bin"))
        return self.root if any(os.path.exists(os.path.join(self.root, name)) for name in there) else None

    def download(self):
        """Fetches the archive, unless it or its files are there."""
        if self._source() is not None:
            print("Files already downloaded and verified")
            return
        os.makedirs(self.root, exist_ok=True)
        print(f"Downloading {self.url} to {self._archive()}")
        _download.fetch(self.url, self._archive(), self.tgz_size, self.tgz_md5, _progress)

    def __repr__(self):
        return (f"Dataset {type(self).__name__}\n    Number of datapoints: {len(self)}\n"
                f"    Root location: {self.root}\n    Split: {'Train' if self.train else 'Test'}")


class CIFAR100(CIFAR10):
    """CIFAR100(root, train=True, transform=None, target_transform=None, download=False): as CIFAR10, 100 classes."""

    base_folder = "cifar-100-python"
    url = "https://www.cs.toronto.edu/~kriz/cifar-100-python.tar.gz"
    filename = "cifar-100-python.tar.gz"
    tgz_md5 = "eb9058c3a382ffc7106e4002c42a8d85"
    tgz_size = 169001437
    train_list = [["train", "16019d7e3df5f24257cddd939b257f8d"]]
    test_list = [["test", "f0ef6b0ae62326f3e7ffdfab6717acfc"]]
    meta = {"filename": "meta", "key": "fine_label_names", "md5": "7973b15100ade9c7d40fb424638fde48"}
    _hundred = True


class SampleImages(_Pictures):
    """SampleImages(): 600 pictures 32 x 32 of ten shapes, drawn by Stridescope when they are asked for. No files."""

    def __init__(self, transform=None, target_transform=None):
        self.transform, self.target_transform = transform, target_transform
        self._take(_core._sample_images())
