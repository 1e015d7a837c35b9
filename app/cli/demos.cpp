#include "app/cli/demos.h"

namespace stridescope {

namespace {

constexpr Demo kDemos[] = {
    {"storage", "a 3 x 4 tensor over its storage", DemoKind::Stage, "A = torch.arange(10, 130, 10).view(3, 4)", "", "A",
     "1,2", ""},
    {"views", "three views of one storage", DemoKind::Stage,
     "q = torch.arange(20); A = q.view(4, 5); B = A.narrow(1, 1, 2); C = B.t()", "q", "B", "2,1", ""},
    {"transpose", "a transpose swaps two strides", DemoKind::Stage, "A = torch.arange(12).view(3, 4); B = A.t()", "",
     "B", "2,1", ""},
    {"slice", "every second column", DemoKind::Stage, "A = torch.arange(24).view(4, 6); B = A[1:, ::2]", "", "B", "1,2",
     ""},
    {"expand", "stride 0: one cell seen many times", DemoKind::Stage,
     "A = torch.arange(10, 40, 10).view(3, 1); B = A.expand(3, 4)", "", "B", "1,2", ""},
    {"overlap", "windows that share cells", DemoKind::Stage, "A = torch.arange(8); B = A.as_strided((5, 4), (1, 1))",
     "", "B", "2,1", ""},
    {"diagonal", "a diagonal by stride", DemoKind::Stage, "A = torch.arange(16).view(4, 4); B = A.diagonal()", "", "B",
     "2", ""},
    {"copy", "contiguous() makes a second storage", DemoKind::Stage,
     "A = torch.arange(12).view(3, 4); B = A.t(); C = B.contiguous()", "", "C", "1,2", ""},
    {"out-of-bounds", "a wish that reaches past the end", DemoKind::Stage, "A = torch.arange(12).view(3, 4)", "", "A",
     "", "A.as_strided((4, 4), (4, 1), 2)"},
    {"3d", "three dims as panels", DemoKind::Stage, "A = torch.arange(24).view(2, 3, 4); B = A[1]", "", "A", "1,1,2",
     ""},
    {"4d", "four dims as rows and columns of panels", DemoKind::Stage, "A = torch.arange(48).view(2, 2, 3, 4)", "", "A",
     "1,0,1,2", ""},
    {"scalar", "no dims at all", DemoKind::Stage, "A = torch.arange(12).view(3, 4); B = A[1, 2]", "", "B", "", ""},
    {"empty", "a dim of size 0", DemoKind::Stage, "A = torch.arange(12).view(3, 4); B = A[:, 4:]", "", "B", "", ""},
    {"view-fails", "why y.view(12) is refused", DemoKind::Fails, "x = torch.arange(12).view(3, 4); y = x.t()", "", "y",
     "", "y.view(12)"},
    {"blocks", "block figures for slides", DemoKind::Blocks,
     "x = torch.arange(24).view(2, 3, 4); y = x.narrow(1, 1, 2); z = x.transpose(0, 2)", "", "x", "", ""},
};

} // namespace

std::span<const Demo> demos() {
    return kDemos;
}

const Demo* findDemo(std::string_view name) {
    for (const Demo& demo : kDemos) {
        if (name == demo.name) return &demo;
    }
    return nullptr;
}

std::string demoNames() {
    std::string names;
    for (const Demo& demo : kDemos) {
        if (!names.empty()) names += ", ";
        names += demo.name;
    }
    return names;
}

} // namespace stridescope
