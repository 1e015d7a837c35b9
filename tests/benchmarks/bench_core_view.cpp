// Nanoseconds for one view operation, and for the questions that a window asks at every move of the mouse.

#include "core/view/inverse.h"
#include "core/view/op_table.h"
#include "core/view/overlap.h"
#include "core/view/view_ops.h"
#include "core/view/walk.h"

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

/// Median of nine runs of about 20 ms each. Processor time of this process: other programs' share does not count.
template <class Call>
void measure(const char* name, Call call) {
    const auto secondsFor = [&](long count) {
        const std::clock_t start = std::clock();
        for (long i = 0; i < count; ++i) call();
        return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    };
    long count = 1;
    while (secondsFor(count) < 0.02) count *= 2;
    std::vector<double> runs;
    for (int run = 0; run < 9; ++run) runs.push_back(secondsFor(count) / static_cast<double>(count) * 1e9);
    std::sort(runs.begin(), runs.end());
    std::printf("%-34s %10.1f ns   (%.1f to %.1f)\n", name, runs[4], runs.front(), runs.back());
}

} // namespace

int main() {
    View x = *contiguousView(Dims{8, 3, 32, 32});
    const View column = *transpose(*contiguousView(Dims{3, 4}), 0, 1);
    const View one = *contiguousView(Dims{8, 1, 32});
    const Dims order = {0, 2, 3, 1};
    const Dims flat = {8, 3, 1024};
    const Dims wide = {8, 5, 32};
    const Dims matrix = {32, 32};
    const Dims strides = {32, 1};
    keep(x);

    measure("select(1, 2)", [&] { keep(select(x, 1, 2)); });
    measure("narrow(1, 1, 2)", [&] { keep(narrow(x, 1, 1, 2)); });
    measure("slice(2, 0, 32, 2)", [&] { keep(slice(x, 2, 0, 32, 2)); });
    measure("transpose(2, 3)", [&] { keep(transpose(x, 2, 3)); });
    measure("permute(0, 2, 3, 1)", [&] { keep(permute(x, order)); });
    measure("unsqueeze(0)", [&] { keep(unsqueeze(x, 0)); });
    measure("squeeze(1)", [&] { keep(squeeze(one, 1)); });
    measure("expand(8, 5, 32)", [&] { keep(expand(one, wide)); });
    measure("view(8, 3, 1024)", [&] { keep(viewAs(x, flat)); });
    measure("as_strided((32, 32), (32, 1), 5)", [&] { keep(asStrided(x, matrix, strides, 5, 24576)); });
    measure("diagonal(0, 2, 3)", [&] { keep(diagonal(x, 0, 2, 3)); });
    measure("unfold(3, 3, 1)", [&] { keep(unfold(x, 3, 3, 1)); });
    measure("refused: select(1, 7)", [&] { keep(select(x, 1, 7)); });
    measure("refused: view(12) of a column", [&] { keep(viewAs(column, Dims{12})); });
    const OpArgs args = {Index{1}, Index{1}, Index{2}};
    measure("table: narrow(1, 1, 2)", [&] { keep(applyViewOp("narrow", args, x, 24576)); });

    const View big = *permute(*contiguousView(Dims{1000, 1000, 1000}), Dims{2, 0, 1});
    Index slot = 0;
    measure("coordsAt, 10^9 elements", [&] { keep(coordsAt(big, slot = (slot + 7'777'777) % 1'000'000'000)); });
    measure("reaches, 10^9 elements", [&] { keep(reaches(big, slot = (slot + 7'777'777) % 1'000'000'000)); });
    measure("selfOverlap, 10^9 elements", [&] { keep(selfOverlap(big)); });
    const View windows = *unfold(x, 3, 5, 1);
    measure("selfOverlap of windows", [&] { keep(selfOverlap(windows)); });
    measure("walkOf, 10^9 elements", [&] { keep(walkOf(big)); });
    measure("cacheLines, 10^9 elements", [&] { keep(cacheLines(big, 1'000'000'000, 4)); });
    return 0;
}
