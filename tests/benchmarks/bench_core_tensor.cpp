// Nanoseconds for what a window and a console do with single tensors: views, element text, creation, printing.

#include "core/ops/creation.h"
#include "core/ops/views.h"
#include "core/print/format_element.h"
#include "core/print/repr.h"
#include "core/tensor/element.h"
#include "core/trace/op_record.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

using namespace stridescope;

namespace {

/// The optimiser must take `value` as used.
template <class T>
void keep(const T& value) {
    asm volatile("" : : "g"(&value) : "memory");
}

/// Median of nine runs of about 20 ms each, divided by `each`. Processor time of this thread, not the clock on the
/// wall: a busy machine disturbs it less.
template <class Call>
void measure(const char* name, long each, Call call) {
    const auto now = [] {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
    };
    const auto secondsFor = [&](long count) {
        const double start = now();
        for (long i = 0; i < count; ++i) call();
        return now() - start;
    };
    long count = 1;
    while (secondsFor(count) < 0.02) count *= 2;
    std::vector<double> runs;
    for (int run = 0; run < 9; ++run) {
        runs.push_back(secondsFor(count) / static_cast<double>(count * each) * 1e9);
    }
    std::sort(runs.begin(), runs.end());
    std::printf("%-44s %12.1f ns   (%.1f to %.1f)\n", name, runs[4], runs.front(), runs.back());
}

} // namespace

int main() {
    const Tensor x = zeros({8, 3, 32, 32});
    measure("copy of a Tensor", 1, [&] { keep(Tensor(x)); });
    measure("narrow", 1, [&] { keep(narrow(x, 1, 1, 2)); });
    measure("transpose", 1, [&] { keep(transpose(x, 2, 3)); });
    measure("permute", 1, [&] { keep(permute(x, {0, 2, 3, 1})); });
    measure("view(8, 3, -1)", 1, [&] { keep(view(x, {8, 3, -1})); });
    measure("select", 1, [&] { keep(select(x, 0, 1)); });
    {
        const OpSubscription subscription([](const OpRecord& r) { keep(r); });
        measure("narrow, observed", 1, [&] { keep(narrow(x, 1, 1, 2)); });
    }
    measure("empty({3, 4})", 1, [&] { keep(empty({3, 4})); });
    measure("zeros({3, 4})", 1, [&] { keep(zeros({3, 4})); });
    measure("arange(1000), an element", 1000, [&] { keep(arange(1000)); });

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
        measure(label, kCells, [&] {
            text.clear();
            const std::byte* at = cells.storage()->data();
            for (long i = 0; i < kCells; ++i, at += cells.itemSize()) appendElement(text, at, dtype);
            keep(text);
        });
    }
    const Tensor large = zeros({10000000});
    measure("repr of 10^7 elements, summarised", 1, [&] { keep(repr(large)); });
    const Tensor page = arange(1000);
    measure("repr of 1000 int64, an element", 1000, [&] { keep(repr(page)); });
}
