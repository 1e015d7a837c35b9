// Nanoseconds for one view operation, and for the questions that a window asks at every move of the mouse.

#include "core/view/inverse.h"
#include "core/view/op_table.h"
#include "core/view/overlap.h"
#include "core/view/view_ops.h"
#include "core/view/walk.h"
#include "tests/benchmarks/timing.h"

#include <cstdio>

using namespace stridescope;
using namespace stridescope::bench;

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

    printNanoseconds("select(1, 2)", 1, [&] { keep(select(x, 1, 2)); });
    printNanoseconds("narrow(1, 1, 2)", 1, [&] { keep(narrow(x, 1, 1, 2)); });
    printNanoseconds("slice(2, 0, 32, 2)", 1, [&] { keep(slice(x, 2, 0, 32, 2)); });
    printNanoseconds("transpose(2, 3)", 1, [&] { keep(transpose(x, 2, 3)); });
    printNanoseconds("permute(0, 2, 3, 1)", 1, [&] { keep(permute(x, order)); });
    printNanoseconds("unsqueeze(0)", 1, [&] { keep(unsqueeze(x, 0)); });
    printNanoseconds("squeeze(1)", 1, [&] { keep(squeeze(one, 1)); });
    printNanoseconds("expand(8, 5, 32)", 1, [&] { keep(expand(one, wide)); });
    printNanoseconds("view(8, 3, 1024)", 1, [&] { keep(viewAs(x, flat)); });
    printNanoseconds("as_strided((32, 32), (32, 1), 5)", 1, [&] { keep(asStrided(x, matrix, strides, 5, 24576)); });
    printNanoseconds("diagonal(0, 2, 3)", 1, [&] { keep(diagonal(x, 0, 2, 3)); });
    printNanoseconds("unfold(3, 3, 1)", 1, [&] { keep(unfold(x, 3, 3, 1)); });
    printNanoseconds("refused: select(1, 7)", 1, [&] { keep(select(x, 1, 7)); });
    printNanoseconds("refused: view(12) of a column", 1, [&] { keep(viewAs(column, Dims{12})); });
    const OpArgs args = {Index{1}, Index{1}, Index{2}};
    printNanoseconds("table: narrow(1, 1, 2)", 1, [&] { keep(applyViewOp("narrow", args, x, 24576)); });

    const View big = *permute(*contiguousView(Dims{1000, 1000, 1000}), Dims{2, 0, 1});
    Index slot = 0;
    printNanoseconds("coordsAt, 10^9 elements", 1,
                     [&] { keep(coordsAt(big, slot = (slot + 7'777'777) % 1'000'000'000)); });
    printNanoseconds("reaches, 10^9 elements", 1,
                     [&] { keep(reaches(big, slot = (slot + 7'777'777) % 1'000'000'000)); });
    printNanoseconds("selfOverlap, 10^9 elements", 1, [&] { keep(selfOverlap(big)); });
    const View windows = *unfold(x, 3, 5, 1);
    printNanoseconds("selfOverlap of windows", 1, [&] { keep(selfOverlap(windows)); });
    printNanoseconds("walkOf, 10^9 elements", 1, [&] { keep(walkOf(big)); });
    printNanoseconds("cacheLines, 10^9 elements", 1, [&] { keep(cacheLines(big, 1'000'000'000, 4)); });
    return 0;
}
