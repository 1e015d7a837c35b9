// The versions of CIFAR-10 and CIFAR-100 that were published, their sums and the names of their classes.
// Source of the sums: torchvision's datasets/cifar.py, and Krizhevsky's page on the data sets for the binary versions.

#include "core/io/cifar.h"

#include <iterator>
#include <sstream>

namespace stridescope {

namespace {

/// In the order of CIFAR-10's batches.meta and CIFAR-100's meta.
constexpr char kTen[] = "airplane automobile bird cat deer dog frog horse ship truck";
constexpr char kHundred[] =
    "apple aquarium_fish baby bear beaver bed bee beetle bicycle bottle bowl boy bridge bus butterfly camel can castle "
    "caterpillar cattle chair chimpanzee clock cloud cockroach couch crab crocodile cup dinosaur dolphin elephant "
    "flatfish forest fox girl hamster house kangaroo keyboard lamp lawn_mower leopard lion lizard lobster man "
    "maple_tree motorcycle mountain mouse mushroom oak_tree orange orchid otter palm_tree pear pickup_truck pine_tree "
    "plain plate poppy porcupine possum rabbit raccoon ray road rocket rose sea seal shark shrew skunk skyscraper "
    "snail snake spider squirrel streetcar sunflower sweet_pepper table tank telephone television tiger tractor train "
    "trout tulip turtle wardrobe whale willow_tree wolf woman worm";

std::vector<std::string> wordsOf(const char* text) {
    std::istringstream words(text);
    return {std::istream_iterator<std::string>(words), {}};
}

} // namespace

const std::vector<std::string>& cifarClassNames(CifarKind kind) {
    static const std::vector<std::string> ten = wordsOf(kTen), hundred = wordsOf(kHundred);
    return kind == CifarKind::Ten ? ten : hundred;
}

} // namespace stridescope

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
