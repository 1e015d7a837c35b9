// The versions of CIFAR-10 and CIFAR-100 that were published, and their sums.
// Source of the sums: torchvision's datasets/cifar.py, and Krizhevsky's page on the data sets for the binary versions.

#include "core/io/cifar.h"

namespace stridescope::io {

const std::array<CifarVersion, 4>& cifarVersions() {
    static const std::array<CifarVersion, 4> versions{{
        {CifarKind::Ten,
         false,
         "cifar-10-batches-py",
         "cifar-10-python.tar.gz",
         "c58f30108f718f92721af3b95e74349a",
         170'498'071,
         {{"data_batch_1", "c99cafc152244af753f735de768cd75f"},
          {"data_batch_2", "d4bba439e000b95fd0a9bffe97cbabec"},
          {"data_batch_3", "54ebc095f3ab1f0389bbae665268c751"},
          {"data_batch_4", "634d18415352ddfa80567beed471001a"},
          {"data_batch_5", "482c414d41f54cd18b22e5b47cb7c3cb"}},
         {{"test_batch", "40351d587109b95175f43aff81a1287e"}},
         "batches.meta",
         "5ff9c542aee3614f3951f8cda6e48888"},
        {CifarKind::Ten,
         true,
         "cifar-10-batches-bin",
         "cifar-10-binary.tar.gz",
         "c32a1d4ab5d03f1284b67883e8d87530",
         170'052'171,
         {{"data_batch_1.bin", {}},
          {"data_batch_2.bin", {}},
          {"data_batch_3.bin", {}},
          {"data_batch_4.bin", {}},
          {"data_batch_5.bin", {}}},
         {{"test_batch.bin", {}}},
         "batches.meta.txt",
         {}},
        {CifarKind::Hundred,
         false,
         "cifar-100-python",
         "cifar-100-python.tar.gz",
         "eb9058c3a382ffc7106e4002c42a8d85",
         169'001'437,
         {{"train", "16019d7e3df5f24257cddd939b257f8d"}},
         {{"test", "f0ef6b0ae62326f3e7ffdfab6717acfc"}},
         "meta",
         "7973b15100ade9c7d40fb424638fde48"},
        {CifarKind::Hundred,
         true,
         "cifar-100-binary",
         "cifar-100-binary.tar.gz",
         "03b5dce01913d631647c71ecec9e9cb8",
         168'513'733,
         {{"train.bin", {}}},
         {{"test.bin", {}}},
         "fine_label_names.txt",
         {}},
    }};
    return versions;
}

} // namespace stridescope::io
