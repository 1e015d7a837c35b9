// Nanoseconds for what a window and a console do with single tensors: views, element text, creation, printing.

#include "core/ops/creation.h"
#include "core/ops/views.h"
#include "core/print/format_element.h"
#include "core/print/repr.h"
#include "core/tensor/element.h"
#include "core/trace/op_record.h"
#include "tests/benchmarks/timing.h"

#include <cstdio>
#include <vector>

using namespace stridescope;
using namespace stridescope::bench;

int main() {
    const Tensor x = zeros({8, 3, 32, 32});
    printNanoseconds("copy of a Tensor", 1, [&] { keep(Tensor(x)); });
    printNanoseconds("narrow", 1, [&] { keep(narrow(x, 1, 1, 2)); });
    printNanoseconds("transpose", 1, [&] { keep(transpose(x, 2, 3)); });
    printNanoseconds("permute", 1, [&] { keep(permute(x, {0, 2, 3, 1})); });
    printNanoseconds("view(8, 3, -1)", 1, [&] { keep(view(x, {8, 3, -1})); });
    printNanoseconds("select", 1, [&] { keep(select(x, 0, 1)); });
    {
        const OpSubscription subscription([](const OpRecord& r) { keep(r); });
        printNanoseconds("narrow, observed", 1, [&] { keep(narrow(x, 1, 1, 2)); });
    }
    printNanoseconds("empty({3, 4})", 1, [&] { keep(empty({3, 4})); });
    printNanoseconds("zeros({3, 4})", 1, [&] { keep(zeros({3, 4})); });
    printNanoseconds("arange(1000), an element", 1000, [&] { keep(arange(1000)); });

    constexpr long kCells = 4096;
    for (const DType dtype : {DType::Float32, DType::Float16, DType::Int64, DType::Bool}) {
        Tensor cells = empty({kCells}, {dtype, Device{}});
        for (Index i = 0; i < kCells; ++i) {
            const Index number = i * 37 % 1999 - 999;
            if (dtype == DType::Bool) {
                writeSlot(cells, i, i % 2);
            } else {
                writeSlot(cells, i, isFloating(dtype) ? Scalar(static_cast<double>(number) / 8.0) : Scalar(number));
            }
        }
        std::string text;
        char label[64];
        std::snprintf(label, sizeof label, "appendElement %s, a cell of 4096", std::string(name(dtype)).c_str());
        printNanoseconds(label, kCells, [&] {
            text.clear();
            const std::byte* at = cells.storage()->data();
            for (long i = 0; i < kCells; ++i, at += cells.itemSize()) appendElement(text, at, dtype);
            keep(text);
        });
    }
    const Tensor large = zeros({10000000});
    printNanoseconds("repr of 10^7 elements, summarised", 1, [&] { keep(repr(large)); });
    const Tensor page = arange(1000);
    printNanoseconds("repr of 1000 int64, an element", 1000, [&] { keep(repr(page)); });
}
