// How long a frame of the Broadcast screen takes, model to pixels, at 1920 x 1080: through a whole animation with the
// largest picture that is drawn with numbers, and with smaller and larger ones.
//
// Usage: bench_gui_broadcast [frames a line]

#include "tests/benchmarks/frames.h"
#include "widgets/broadcast/broadcast_scene.h"

using namespace stridescope;

namespace {

void measure(const char* line, const Theme& theme, int frames) {
    const WorkspaceSnapshot nothing;
    const auto model = broadcastModel(nothing, QString::fromLatin1(line), QStringLiteral("C"));
    if (!model) {
        std::printf("%s: %s\n", line, model.refusal().message.c_str());
        return;
    }
    BroadcastLook look;
    look.size = bench::kScreen;
    bench::measureFrames(line, theme, frames, [&](qreal t) {
        look.t = t;
        return broadcastScene(*model, look);
    });
}

} // namespace

int main(int argc, char** argv) {
    return bench::runFrames(argc, argv, [](const Theme& theme, int frames) {
        for (const char* line :
             {"torch.arange(4).view(4, 1) + torch.arange(5)", "torch.arange(16).view(16, 1) * torch.arange(16)",
              // As many cells as are drawn with numbers.
              "torch.arange(64).view(64, 1) + torch.arange(64)",
              "torch.rand(64, 1) * torch.rand(64) + torch.rand(64, 64)",
              "torch.rand(4, 1, 32, 1) * torch.rand(4, 1, 32)", "torch.zeros(1000, 1) + torch.zeros(1000)"})
            measure(line, theme, frames);
    });
}
