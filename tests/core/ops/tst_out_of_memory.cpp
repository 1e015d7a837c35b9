// Memory runs out at every place in turn: once each allocation of C++ memory fails, once each storage. Operations end
// in an exception, leave everything as it was and lose no memory.

#include "core/backend/cpu/cpu_allocator.h"
#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/differences.h"
#include "core/ops/einsum.h"
#include "core/ops/fft.h"
#include "core/ops/handles.h"
#include "core/ops/indexing.h"
#include "core/ops/joining.h"
#include "core/ops/linalg.h"
#include "core/ops/masking.h"
#include "core/ops/matmul.h"
#include "core/ops/operation_table.h"
#include "core/ops/order_statistics.h"
#include "core/ops/out.h"
#include "core/ops/padding.h"
#include "core/ops/patterns.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/random.h"
#include "core/ops/reductions.h"
#include "core/ops/scans.h"
#include "core/ops/sorting.h"
#include "core/ops/subscript.h"
#include "core/ops/views.h"
#include "core/ops/windows.h"
#include "core/print/repr.h"
#include "core/storage/memory_budget.h"
#include "core/tensor/element.h"
#include "core/trace/code.h"
#include "core/view/op_table.h"
#include "tests/support/check_refusal.h"
#include "tests/support/operation_samples.h"
#include "tests/support/view_zoo.h"

#include <QTest>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <map>
#include <new>

using namespace stridescope;
using namespace stridescope::test;

namespace {

// Counts down while armed; the allocation that finds 1 fails.
std::atomic<int> g_allocationsLeft{0};
// While not 0, blocks of more bytes cannot be had.
std::atomic<std::size_t> g_largest{0};
// Blocks that are out.
std::atomic<long> g_blocks{0};

void* allocateOrFail(std::size_t bytes) {
    if (g_allocationsLeft.load(std::memory_order_relaxed) > 0 && g_allocationsLeft.fetch_sub(1) == 1) {
        throw std::bad_alloc();
    }
    if (const std::size_t largest = g_largest.load(std::memory_order_relaxed); largest > 0 && bytes > largest)
        throw std::bad_alloc();
    if (void* data = std::malloc(bytes == 0 ? 1 : bytes)) {
        g_blocks.fetch_add(1, std::memory_order_relaxed);
        return data;
    }
    throw std::bad_alloc();
}

void release(void* data) {
    if (data) g_blocks.fetch_sub(1, std::memory_order_relaxed);
    std::free(data);
}

} // namespace

void* operator new(std::size_t bytes) {
    return allocateOrFail(bytes);
}
void* operator new[](std::size_t bytes) {
    return allocateOrFail(bytes);
}
// std::stable_sort asks so for its buffer, and goes on without one.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept try {
    return allocateOrFail(bytes);
} catch (const std::bad_alloc&) {
    return nullptr;
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept try {
    return allocateOrFail(bytes);
} catch (const std::bad_alloc&) {
    return nullptr;
}
void operator delete(void* data) noexcept {
    release(data);
}
void operator delete[](void* data) noexcept {
    release(data);
}
void operator delete(void* data, std::size_t) noexcept {
    release(data);
}
void operator delete[](void* data, std::size_t) noexcept {
    release(data);
}

namespace {

using Action = std::function<void(std::span<const Tensor>)>;
using In = std::span<const Tensor>;

/// Numbers 0, 1, 2, … of a shape.
Tensor numbers(const Dims& shape, DType dtype = DType::Float32) {
    return reshape(arange(contiguousView(shape).valueOrThrow().numel(), {dtype, Device{}}), shape);
}

struct Case {
    std::vector<Tensor> inputs;
    Action action;
};

/// Operations that have no sample in the table, view operations excepted: how to call them.
std::map<std::string_view, Case> ownCases() {
    const Tensor v = numbers({4}), a = numbers({3, 3}), b = numbers({2, 3, 3}), p = fullLike(v, 0.5);
    const Tensor t = transpose(numbers({3, 2}), 0, 1), i = numbers({2}, DType::Int64), m = gt(a, 2);
    const Tensor ii = reshape(i, {1, 2});
    std::map<std::string_view, Case> cases;
    const auto add = [&](std::string_view name, std::vector<Tensor> inputs, Action action) {
        cases[name] = {std::move(inputs), std::move(action)};
    };
    add("pdist", {a}, [](In in) { (void)pdist(in[0]); });
    add("pairwise_distance", {a}, [](In in) { (void)pairwiseDistance(in[0], in[0]); });
    add("cosine_similarity", {a}, [](In in) { (void)cosineSimilarity(in[0], in[0]); });
    add("pixel_shuffle", {numbers({4, 2, 2})}, [](In in) { (void)pixelShuffle(in[0], 2); });
    add("pixel_unshuffle", {numbers({1, 4, 4})}, [](In in) { (void)pixelUnshuffle(in[0], 2); });
    add("channel_shuffle", {numbers({1, 4, 2})}, [](In in) { (void)channelShuffle(in[0], 2); });
    const Action reduceSlices = [](In in) { (void)indexReduce_(in[0], 0, in[1], in[2], ReduceBy::Prod); };
    add("index_reduce", {a, i, numbers({2, 3})}, reduceSlices);
    add("Tensor.index_reduce_", {a, i, numbers({2, 3})}, reduceSlices);
    add("empty", {}, [](In) { (void)empty({2, 3}); });
    add("zeros", {}, [](In) { (void)zeros({2, 3}); });
    add("ones", {}, [](In) { (void)ones({2, 3}); });
    add("full", {}, [](In) { (void)full({2, 3}, 7); });
    add("empty_strided", {}, [](In) { (void)emptyStrided({{2, 3}, {1, 4}, 0}); });
    add("empty_like", {t}, [](In in) { (void)emptyLike(in[0]); });
    add("arange", {}, [](In) { (void)arange(0, 9, 2); });
    add("range", {}, [](In) { (void)arange(0, 10, 2); });
    add("as_tensor", {}, [](In) { (void)tensorFrom({{1, 2}, {3, 4}}); });
    add("tensor", {}, [](In) { (void)tensorFrom({{1, 2}, {3, 4}}); });
    add("Tensor.new_empty", {t}, [](In in) { (void)newEmpty(in[0], {2}); });
    add("Tensor.new_zeros", {t}, [](In in) { (void)newZeros(in[0], {2}); });
    add("Tensor.new_ones", {t}, [](In in) { (void)newOnes(in[0], {2}); });
    add("Tensor.new_full", {t}, [](In in) { (void)newFull(in[0], {2}, 3); });
    add("Tensor.new_tensor", {t}, [](In in) { (void)newTensor(in[0], {1, 2}); });
    add("linspace", {}, [](In) { (void)linspace(0, 1, 5); });
    add("logspace", {}, [](In) { (void)logspace(0, 1, 5); });
    add("bartlett_window", {}, [](In) { (void)bartlettWindow(5); });
    add("blackman_window", {}, [](In) { (void)blackmanWindow(5); });
    add("hamming_window", {}, [](In) { (void)hammingWindow(5); });
    add("hann_window", {}, [](In) { (void)hannWindow(5); });
    add("kaiser_window", {}, [](In) { (void)kaiserWindow(5); });
    add("eye", {}, [](In) { (void)eye(3); });
    add("diag", {v}, [](In in) { (void)diag(in[0]); });
    add("tril_indices", {}, [](In) { (void)trilIndices(3, 3); });
    add("triu_indices", {}, [](In) { (void)triuIndices(3, 3); });
    add("meshgrid", {v, p}, [](In in) { (void)meshgrid({in[0], in[1]}); });
    add("cartesian_prod", {v, p}, [](In in) { (void)cartesianProd({in[0], in[1]}); });
    add("combinations", {v}, [](In in) { (void)combinations(in[0]); });
    add("vander", {v}, [](In in) { (void)vander(in[0]); });
    add("rand", {}, [](In) { (void)rand({3}); });
    add("rand_like", {a}, [](In in) { (void)randLike(in[0]); });
    add("randn_like", {a}, [](In in) { (void)randnLike(in[0]); });
    add("randint_like", {a}, [](In in) { (void)randintLike(in[0], 9); });
    add("randn", {}, [](In) { (void)randn({17}); });
    add("randint", {}, [](In) { (void)randint(10, {3}); });
    add("randperm", {}, [](In) { (void)randperm(9); });
    add("normal", {v, p}, [](In in) { (void)normal(in[0], in[1]); });
    add("bernoulli", {p}, [](In in) { (void)bernoulli(in[0]); });
    add("poisson", {v}, [](In in) { (void)poisson(in[0]); });
    add("binomial", {v, p}, [](In in) { (void)binomial(in[0], in[1]); });
    add("multinomial", {p}, [](In in) { (void)multinomial(in[0], 2); });
    add("Tensor.uniform_", {t}, [](In in) { uniform_(in[0]); });
    add("Tensor.normal_", {t}, [](In in) { normal_(in[0]); });
    add("Tensor.random_", {t}, [](In in) { random_(in[0]); });
    add("Tensor.bernoulli_", {t}, [](In in) { bernoulli_(in[0]); });
    add("Tensor.exponential_", {t}, [](In in) { exponential_(in[0]); });
    add("Tensor.geometric_", {t}, [](In in) { geometric_(in[0], 0.5); });
    add("Tensor.log_normal_", {t}, [](In in) { logNormal_(in[0]); });
    add("Tensor.cauchy_", {t}, [](In in) { cauchy_(in[0]); });
    add("Tensor.copy_", {t, narrow(numbers({2, 4}), 1, 0, 3)}, [](In in) { copy_(in[0], in[1]); });
    add("Tensor.fill_", {t}, [](In in) { fill_(in[0], 3); });
    add("Tensor.zero_", {t}, [](In in) { zero_(in[0]); });
    add("Tensor.fill_diagonal_", {t}, [](In in) { fillDiagonal_(in[0], 3, true); });
    add("Tensor.float_power_", {to(t, DType::Float64)}, [](In in) { floatPower_(in[0], 2); });
    add("index_put_", {a, i, p}, [](In in) { indexPut_(in[0], {in[1]}, narrow(in[2], 0, 0, 3), true); });
    add("index_put", {a, i, p}, [](In in) { (void)indexPut(in[0], {in[1]}, narrow(in[2], 0, 0, 3), true); });
    add("dsplit", {numbers({2, 1, 4})}, [](In in) { (void)dsplit(in[0], 2); });
    add("addbmm", {numbers({2, 4}), numbers({3, 2, 5}), numbers({3, 5, 4})},
        [](In in) { (void)addbmm(in[0], in[1], in[2], 2, 3); });
    add("addr", {numbers({2, 3}), numbers({2}), numbers({3})}, [](In in) { (void)addr(in[0], in[1], in[2], 2, 3); });
    add("Tensor.__setitem__", {a, i, p}, [](In in) { setIndex(in[0], {in[1]}, narrow(in[2], 0, 0, 3)); });
    // Those of a copy: as the module makes them.
    add("scatter", {t, ii}, [](In in) { (void)scatter(in[0], 1, in[1], 5); });
    add("scatter_add", {t, ii}, [](In in) { (void)scatterAdd(in[0], 1, in[1], ones({1, 2})); });
    add("put", {t, i}, [](In in) { put_(clone(in[0]), in[1], ones({2})); });
    add("index_fill", {a, i}, [](In in) { indexFill_(clone(in[0]), 0, in[1], 3); });
    add("index_copy", {a, i}, [](In in) { indexCopy_(clone(in[0]), 0, in[1], ones({2, 3})); });
    add("index_add", {a, i}, [](In in) { indexAdd_(clone(in[0]), 0, in[1], ones({2, 3}), 2); });
    add("masked_fill", {a, m}, [](In in) { (void)maskedFill(in[0], in[1], 3); });
    add("std_mean", {a}, [](In in) { (void)stddevMean(in[0], 0); });
    add("var_mean", {a}, [](In in) { (void)varMean(in[0]); });
    add("nanquantile", {a}, [](In in) { (void)nanquantile(in[0], 0.5, 0); });
    add("pinverse", {a}, [](In in) { (void)pinv(in[0]); });
    add("chain_matmul", {t, a}, [](In in) { (void)multiDot({in[0], in[1]}); });
    add("Tensor.scatter_", {t, ii, p}, [](In in) { scatter_(in[0], 1, in[1], 5); });
    add("Tensor.scatter_add_", {t, ii}, [](In in) { scatterAdd_(in[0], 1, in[1], ones({1, 2})); });
    add("Tensor.scatter_reduce_", {t, ii}, [](In in) {
        scatterReduce_(in[0], 1, in[1], ones({1, 2}), ReduceBy::Prod, true);
    });
    add("Tensor.put_", {t, i}, [](In in) { put_(in[0], in[1], ones({2})); });
    add("Tensor.index_fill_", {a, i}, [](In in) { indexFill_(in[0], 0, in[1], 3); });
    add("Tensor.index_copy_", {a, i}, [](In in) { indexCopy_(in[0], 0, in[1], ones({2, 3})); });
    add("Tensor.index_add_", {a, i}, [](In in) { indexAdd_(in[0], 0, in[1], ones({2, 3}), 2); });
    add("Tensor.masked_fill_", {a, m}, [](In in) { maskedFill_(in[0], in[1], 3); });
    add("Tensor.masked_scatter_", {a, m}, [](In in) { maskedScatter_(in[0], in[1], ones({9})); });
    // Handles are the case's own: only what they share is an input.
    add("Tensor.resize_", {t}, [](In in) {
        Tensor x = in[0];
        resize_(x, {4, 4});
    });
    add("Tensor.set_", {t}, [](In in) {
        Tensor x = in[0];
        set_(x, in[0].storage(), {{2}, {1}, 0});
    });
    add("Tensor.t_", {t}, [](In in) {
        Tensor x = in[0];
        t_(x);
    });
    add("Tensor.transpose_", {t}, [](In in) {
        Tensor x = in[0];
        transpose_(x, 0, 1);
    });
    add("Tensor.squeeze_", {t}, [](In in) {
        Tensor x = in[0];
        squeeze_(x);
    });
    add("Tensor.unsqueeze_", {t}, [](In in) {
        Tensor x = in[0];
        unsqueeze_(x, 0);
    });
    add("Tensor.as_strided_", {t}, [](In in) {
        Tensor x = in[0];
        asStrided_(x, {2}, {1});
    });
    add("cov", {t}, [](In in) { (void)cov(in[0]); });
    add("corrcoef", {t}, [](In in) { (void)corrcoef(in[0]); });
    add("allclose", {a, t}, [](In in) { (void)allclose(in[0], in[0]); });
    add("equal", {a, t}, [](In in) { (void)equal(in[0], transpose(in[0], 0, 1)); });
    add("searchsorted", {v, p}, [](In in) { (void)searchsorted(in[0], in[1]); });
    add("bucketize", {p, v}, [](In in) { (void)bucketize(in[0], in[1]); });
    add("bincount", {i}, [](In in) { (void)bincount(in[0]); });
    add("dot", {v, p}, [](In in) { (void)dot(in[0], in[1]); });
    add("vdot", {v, p}, [](In in) { (void)vdot(in[0], in[1]); });
    add("mv", {a}, [](In in) { (void)mv(in[0], select(in[0], 1, 0)); });
    add("mm", {t, a}, [](In in) { (void)mm(in[0], in[1]); });
    add("bmm", {b}, [](In in) { (void)bmm(in[0], in[0]); });
    add("addmm", {a, t}, [](In in) { (void)addmm(in[0], in[0], in[0], 2, 3); });
    add("addmv", {a}, [](In in) { (void)addmv(select(in[0], 0, 0), in[0], select(in[0], 1, 0)); });
    add("baddbmm", {b}, [](In in) { (void)baddbmm(in[0], in[0], in[0]); });
    add("outer", {v, p}, [](In in) { (void)outer(in[0], in[1]); });
    add("tensordot", {b}, [](In in) { (void)tensordot(in[0], in[0], {0, 1}, {0, 2}); });
    add("trace", {a}, [](In in) { (void)matrixTrace(in[0]); });
    add("cross", {a}, [](In in) { (void)cross(in[0], in[0]); });
    add("einsum", {b}, [](In in) { (void)einsum("bij,bjk->ik", {in[0], in[0]}); });
    add("linalg.multi_dot", {t, a}, [](In in) { (void)multiDot({in[0], in[1], in[1]}); });
    add("gels", {t, a}, [](In in) { (void)gels(transpose(in[0], 0, 1), stridescope::add(in[1], eye(3))); });
    add("eig", {a}, [](In in) { (void)oldEig(in[0], true); });
    add("linalg.tensorsolve", {b}, [](In) { (void)tensorsolve(reshape(eye(6), {2, 3, 6}), ones({2, 3})); });
    add("linalg.tensorinv", {b}, [](In) { (void)tensorinv(reshape(eye(6), {2, 3, 6})); });
    add("fft.fftfreq", {}, [](In) { (void)fft::fftfreq(5); });
    add("fft.rfftfreq", {}, [](In) { (void)fft::rfftfreq(5); });
    add("view_as_complex", {numbers({3, 2})}, [](In in) { (void)viewAsComplex(in[0]); });
    return cases;
}

/// Everything that an operation may not change when it fails.
struct State {
    std::vector<View> views;
    std::vector<std::vector<std::byte>> bytes;
    std::vector<std::uint32_t> uses;
    Generator::State generator;
    explicit State(const std::vector<Tensor>& tensors) : generator(defaultGenerator().state()) {
        for (const Tensor& t : tensors) {
            views.push_back(t.view());
            bytes.push_back(bytesOf(t));
            uses.push_back(t.storage()->useCount());
        }
    }
    bool operator==(const State&) const = default;
};

constexpr int kMostAllocations = 5000;

/// Every C++ allocation fails once.
void failBlocks(const Case& one) {
    one.action(one.inputs); // what is made once, for good, is there now
    State before(one.inputs);
    bool more = true;
    for (int n = 1; more; ++n) {
        QVERIFY2(n < kMostAllocations, "never runs to its end");
        const long blocks = g_blocks;
        const std::uint64_t inUse = cpuAllocator().statistics().bytesInUse;
        bool failed = false;
        g_allocationsLeft = n;
        try {
            one.action(one.inputs);
        } catch (const std::bad_alloc&) {
            failed = true;
        } catch (const Error&) {
            failed = true; // its own refusal, or MemoryError
        }
        more = g_allocationsLeft.exchange(0) <= 0; // else the n-th allocation was not needed any more
        QVERIFY2(more || !failed, "failed though memory was there");
        if (!more) break;
        QCOMPARE(g_blocks.load(), blocks);
        QCOMPARE(cpuAllocator().statistics().bytesInUse, inUse);
        if (failed)
            QVERIFY2(State(one.inputs) == before, qPrintable(QStringLiteral("allocation %1").arg(n)));
        else
            before = State(one.inputs); // std::stable_sort does without a buffer when there is none
    }
}

/// Every storage fails once.
void failStorages(const Case& one) {
    const State before(one.inputs);
    bool more = true;
    for (int n = 1; more; ++n) {
        QVERIFY2(n < kMostAllocations, "never runs to its end");
        const std::uint64_t inUse = cpuAllocator().statistics().bytesInUse;
        std::optional<Refusal> refusal;
        {
            const AllocationFailure failure(n);
            refusal = refusalOf([&] { one.action(one.inputs); });
            more = failure.happened();
        }
        QCOMPARE(refusal.has_value(), more);
        if (!more) break;
        QCOMPARE(refusal->id, std::string("MEM-02"));
        QVERIFY(refusal->kind == ErrorKind::Memory);
        QVERIFY2(refusal->message.find_first_of("0123456789") != std::string::npos, refusal->message.c_str());
        QCOMPARE(cpuAllocator().statistics().bytesInUse, inUse);
        QVERIFY2(State(one.inputs) == before, qPrintable(QStringLiteral("storage %1").arg(n)));
    }
}

} // namespace

class TestOutOfMemory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void operationsSurvive_data();
    void operationsSurvive();
    void observedWritesAreWholeOrNone_data();
    void observedWritesAreWholeOrNone();
    void theWholeTable_data();
    void theWholeTable();
    void outputsSurvive();
    void roomToWorkInIsRefusedInNumbers();
};

void TestOutOfMemory::operationsSurvive_data() {
    QTest::addColumn<std::function<void(const Tensor&)>>("action");
    const auto row = [](const char* name, std::function<void(const Tensor&)> action) {
        QTest::newRow(name) << std::move(action);
    };
    row("select", [](const Tensor& t) { (void)select(t, 0, 1); });
    row("permute to 8 dims", [](const Tensor& t) { (void)permute(t, {7, 6, 5, 4, 3, 2, 1, 0}); });
    row("refused view", [](const Tensor& t) { (void)view(t, {7}); });
    row("reshape with a copy", [](const Tensor& t) { (void)reshape(transpose(t, 0, 7), {-1}); });
    row("unbind", [](const Tensor& t) { (void)unbind(t, 0); });
    row("as_strided", [](const Tensor& t) { (void)asStrided(t, {1, 1, 1, 1, 1, 1, 2}, {1, 1, 1, 1, 1, 1, 1}, 0); });
    row("zeros", [](const Tensor&) { (void)zeros({1, 2, 1, 2, 1, 2, 1}); });
    row("full_like", [](const Tensor& t) { (void)fullLike(t, 2.0); });
    row("arange", [](const Tensor&) { (void)arange(10); });
    row("tensor", [](const Tensor&) { (void)tensorFrom({{1, 2}, {3, 4}}); });
    row("rand", [](const Tensor&) { (void)rand({3}); });
    row("randperm", [](const Tensor&) { (void)randperm(9); });
    row("normal", [](const Tensor& t) { (void)normal(0.5, fullLike(t, 2)); });
    row("multinomial", [](const Tensor&) {
        Generator generator(1);
        const Generator::State before = generator.state();
        try {
            (void)multinomial(ones({3, 4}), 2, false, generator);
        } catch (...) {
            QVERIFY(generator.state() == before);
            throw;
        }
    });
    row("clone", [](const Tensor& t) { (void)clone(t); });
    row("repr", [](const Tensor& t) { (void)repr(t); });
    row("write refused", [](const Tensor& t) { writeElement(t, Dims{9, 9, 9, 9, 9, 9, 9, 9}, 1); });
    row("parse", [](const Tensor&) { (void)parseScalar("1_000_000_000_000_000_000_000_000", DType::Int64); });
    row("observed", [](const Tensor& t) {
        const OpSubscription subscription([](const OpRecord& r) { (void)code::expression(r, {}); });
        (void)narrow(t, 0, 0, 1);
        (void)ones({3});
    });
}

void TestOutOfMemory::operationsSurvive() {
    QFETCH(std::function<void(const Tensor&)>, action);
    const Tensor t = zooTensor({"8-d", {{2, 1, 2, 1, 2, 1, 2, 2}, {16, 16, 8, 8, 4, 4, 2, 1}, 1}, 36}, DType::Float32);
    const std::vector<std::byte> before = bytesOf(t);
    const View layout = t.view();
    int failures = 0, n = 1;
    for (bool reached = true; reached; ++n) {
        QVERIFY2(n < kMostAllocations, "never runs to its end");
        g_allocationsLeft = n;
        try {
            action(t);
        } catch (const Error&) {
            // its own refusal, or MemoryError
        } catch (const std::bad_alloc&) {
            ++failures;
        }
        reached = g_allocationsLeft.exchange(0) <= 0; // else the n-th allocation was not needed any more
        QCOMPARE(t.storage()->useCount(), 1U);
        QVERIFY(t.view() == layout);
        QVERIFY(!trace::observed());
    }
    QVERIFY(bytesOf(t) == before);
    QVERIFY(failures > 0 || n == 2); // n == 2: it allocates nothing
}

void TestOutOfMemory::observedWritesAreWholeOrNone_data() {
    QTest::addColumn<std::function<void(const Tensor&)>>("write");
    const auto row = [](const char* name, const std::function<void(const Tensor&)>& write) {
        QTest::newRow(name) << write;
    };
    const Tensor index = to(arange(Scalar(2)), DType::Int64), source = ones({2, 4});
    const Tensor mask = gt(view(arange(Scalar(16.0)), {4, 4}), Scalar(9));
    row("index_add_", [=](const Tensor& t) { indexAdd_(t, 0, index, source); });
    row("masked_fill_", [=](const Tensor& t) { maskedFill_(t, mask, Scalar(3)); });
    row("index_put_", [=](const Tensor& t) { indexPut_(t, {index}, source, false); });
}

void TestOutOfMemory::observedWritesAreWholeOrNone() {
    QFETCH(std::function<void(const Tensor&)>, write);
    int failures = 0;
    bool reached = true;
    for (int n = 1; reached; ++n) {
        QVERIFY2(n < kMostAllocations, "never runs to its end");
        const Tensor t = zeros({4, 4});
        const std::vector<std::byte> before = bytesOf(t);
        bool failed = false;
        {
            const OpSubscription subscription([](const OpRecord&) {});
            g_allocationsLeft = n;
            try {
                write(t);
            } catch (const std::bad_alloc&) {
                failed = true;
            }
            reached = g_allocationsLeft.exchange(0) <= 0;
        }
        failures += failed;
        QCOMPARE(bytesOf(t) == before, failed);
    }
    QVERIFY(failures > 0);
}

void TestOutOfMemory::theWholeTable_data() {
    QTest::addColumn<QString>("name");
    const auto own = ownCases();
    QStringList unknown; // a new operation needs a sample, or a line in ownCases
    for (const Operation& op : operations()) {
        const bool known =
            op.sample || isOfTheModule(op.family) || own.count(op.name) > 0 || op.family == OpFamily::Views;
        if (!known) unknown << QString::fromStdString(std::string(op.name));
        if (op.sample || own.count(op.name) > 0)
            QTest::newRow(op.name.data()) << QString::fromStdString(std::string(op.name));
    }
    QVERIFY2(unknown.isEmpty(), qPrintable(unknown.join(QLatin1Char(' '))));
}

void TestOutOfMemory::theWholeTable() {
    QFETCH(QString, name);
    const Operation* op = findOperation(name.toStdString());
    std::vector<Case> cases;
    if (const auto own = ownCases(); !op->sample) {
        cases.push_back(own.at(op->name));
    } else {
        for (const DType dtype : {DType::Float32, DType::Float16, DType::Int64, DType::Complex64}) {
            if (!op->dtypes.has(dtype)) continue;
            const auto samples = operationSamples(op->inputs, dtype);
            for (const std::size_t i : {samples.size() / 2, samples.size() - 1})
                cases.push_back({samples[i], [op](In in) { (void)op->sample(in); }});
        }
    }
    for (const Case& one : cases) {
        failBlocks(one);
        if (QTest::currentTestFailed()) return;
        failStorages(one);
        if (QTest::currentTestFailed()) return;
    }
}

void TestOutOfMemory::outputsSurvive() {
    // Two outputs, one of which is to be resized: neither changes unless both can be had.
    const Tensor x = tensorFrom({3.0, 1.0, 2.0});
    Tensor values = zeros({3}), indices = empty({0}, {DType::Int64, Device{}});
    const Tensor keptValues = values, keptIndices = indices;
    const Case one{{x, keptValues, keptIndices}, [&](In in) {
                       indices = keptIndices;
                       zero_(values);
                       outOf("sort", {&values, &indices}, [&] {
                           const ValuesAndIndices found = sort(in[0], 0, true);
                           return std::vector{found.values, found.indices};
                       });
                       indices = keptIndices;
                       zero_(values);
                   }};
    failBlocks(one);
    failStorages(one);
}

void TestOutOfMemory::roomToWorkInIsRefusedInNumbers() {
    const Tensor t = rand({100'000}), lines = transpose(rand({2, 50'000}), 0, 1);
    const std::pair<const char*, std::function<void()>> cases[] = {
        {"sort", [&] { (void)sort(t); }},
        {"topk", [&] { (void)topk(t, 50'000); }},
        {"kthvalue", [&] { (void)kthvalue(t, 7); }},
        {"unique", [&] { (void)unique(t); }},
        {"unique along", [&] { (void)uniqueAlong(lines, 0); }},
        {"isin", [&] { (void)isin(t, t); }},
        {"median", [&] { (void)median(t); }},
        {"median along", [&] { (void)median(t, 0); }},
        {"mode", [&] { (void)mode(t); }},
        {"quantile", [&] { (void)quantile(t, 0.5); }},
        {"histc", [&] { (void)histc(t, 60'000); }},
        {"cumsum", [&] { (void)cumsum(lines, 0); }},
    };
    for (const auto& [name, act] : cases) {
        g_largest = 100'000;
        const std::optional<Refusal> refusal = refusalOf(act);
        g_largest = 0;
        if (!refusal) continue; // it works where the result lies
        QVERIFY2(refusal->id == "MEM-03", name);
        const auto* bytes = std::get_if<BytesExceeded>(&refusal->detail);
        QVERIFY2(bytes && bytes->wanted > 100'000, name);
        QVERIFY2(QString::fromStdString(refusal->message).contains(QStringLiteral(" wanted, ")), name);
    }
}

QTEST_GUILESS_MAIN(TestOutOfMemory)
#include "tst_out_of_memory.moc"
