// The workloads that are compared with PyTorch, one at a time, on request: the far end of compare_torch.py.
//
// bench_core_workloads          : every workload that has a peer in this process, beside it
// bench_core_workloads --serve  : reads lines from standard input, answers each with one line
//     list            one line per workload (fields between tabs), then "end"
//     make N          prepares workload N
//     ours N CALLS    nanoseconds of one call, over a block of CALLS calls
//     peer N CALLS    the same of its peer in this process
//     drop            frees what was prepared
//
// Processor time, one thread.

#include "core/backend/cpu/gemm.h"
#include "core/backend/cpu/isa_table.h"
#include "core/backend/cpu/thread_pool.h"
#include "tests/benchmarks/workloads/workload.h"

#include <iostream>
#include <iterator>
#include <sstream>

using namespace stridescope;
using namespace stridescope::bench;

namespace {

std::vector<Workload> allWorkloads() {
    std::vector<Workload> all;
    for (auto make : {matrixWorkloads, elementwiseWorkloads, reductionWorkloads, stridedWorkloads, callWorkloads,
                      randomWorkloads}) {
        std::vector<Workload> some = make();
        all.insert(all.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
    }
    return all;
}

void list(const std::vector<Workload>& all) {
    for (const Workload& w : all)
        std::cout << w.section << '\t' << w.name << '\t' << w.torchSetup << '\t' << w.torchCall << '\t' << w.goal
                  << '\t' << w.goalNanoseconds << '\t' << w.peerName << '\t' << w.peerGoal << '\n';
    std::cout << "end" << std::endl;
}

void serve(const std::vector<Workload>& all) {
    Timed ours, peer;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string verb;
        std::size_t which = 0;
        long calls = 1;
        words >> verb >> which >> calls;
        if (verb == "list") {
            list(all);
        } else if (verb == "make" && which < all.size()) {
            ours = all[which].ours();
            peer = all[which].peer ? all[which].peer() : Timed();
            std::cout << "made" << std::endl;
        } else if (verb == "ours" && ours) {
            std::cout << ours(calls) * 1e9 << std::endl;
        } else if (verb == "peer" && peer) {
            std::cout << peer(calls) * 1e9 << std::endl;
        } else if (verb == "drop") {
            ours = peer = Timed();
            std::cout << "dropped" << std::endl;
        } else {
            std::cout << "? " << line << std::endl;
        }
    }
}

long callsOf(const Timed& timed) {
    long calls = 1;
    while (timed(calls) * static_cast<double>(calls) < 0.005) calls *= 2;
    return calls;
}

void besidePeers(const std::vector<Workload>& all) {
    for (const Workload& w : all) {
        if (!w.peer) continue;
        const Timed ours = w.ours(), peer = w.peer();
        const long a = callsOf(ours), b = callsOf(peer);
        double best[2] = {1e9, 1e9};
        for (int round = 0; round < 15; ++round) {
            best[0] = std::min(best[0], ours(a));
            best[1] = std::min(best[1], peer(b));
        }
        const double ratio = best[0] / best[1];
        std::printf("%s %-36s %12s   %-18s %12s   ratio %.2f, goal %.2f%s\n", w.section, w.name.c_str(),
                    timeText(best[0]).c_str(), w.peerName, timeText(best[1]).c_str(), ratio, w.peerGoal,
                    ratio > w.peerGoal ? "   MISSED" : "");
        std::fflush(stdout);
    }
}

} // namespace

int main(int argc, char** argv) {
    setNumThreads(1);
    manualSeed(0);
    const std::vector<Workload> all = allWorkloads();
    if (argc > 1 && std::string(argv[1]) == "--serve") {
        std::cout << "instruction set " << cpu::isa().name << ", OpenBLAS kernels " << cpu::blasKernels() << std::endl;
        serve(all);
        return 0;
    }
    besidePeers(all);
    return 0;
}
