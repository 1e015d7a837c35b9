#include "core/ops/out.h"

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/operation_table.h"
#include "core/ops/promotion.h"
#include "core/ops/views.h"
#include "core/trace/capture.h"
#include "core/trace/clock.h"
#include "core/trace/warning.h"
#include "core/view/broadcast.h"

#include <algorithm>
#include <optional>
#include <span>

namespace stridescope {

namespace {

[[noreturn]] void refuse(ErrorKind kind, const char* id, std::string message, std::string hint) {
    throwRefusal({kind, id, std::move(message), std::move(hint), {}});
}

/// "hfftn" of "fft.hfft2": PyTorch's forms for two dims are those for any number. Its ifftn calls itself fftn.
std::string transformName(const std::string& operation) {
    std::string name = operation.substr(operation.rfind('.') + 1);
    if (name.ends_with('2')) name.back() = 'n';
    return name == "ifftn" ? "fftn" : name;
}

void requireDType(const std::string& operation, OutRule rule, DType result, DType out) {
    if (operation == "float_power" && result != out)
        refuse(ErrorKind::Runtime, "OUT-01",
               "the output given to float_power has dtype " + std::string(scalarTypeName(out)) +
                   " but the operation's result requires dtype " + std::string(scalarTypeName(result)),
               "Make it with dtype=torch." + std::string(name(result)) + ".");
    if (rule == OutRule::Castable) elementwise::requireCast(result, out);
    if (rule == OutRule::Bool && out != DType::Bool)
        refuse(ErrorKind::Runtime, "OUT-01", operation + " does not support non-boolean outputs.",
               "Make it with dtype=torch.bool.");
    const bool complexRule = rule == OutRule::Complex || rule == OutRule::ComplexSame;
    if ((rule == OutRule::Floating && !isFloating(out)) || (complexRule && !isComplex(out)))
        refuse(ErrorKind::Runtime, "OUT-01",
               transformName(operation) + " expects a " + (complexRule ? "complex" : "floating point") +
                   " output tensor, but got " + std::string(scalarTypeName(out)),
               "Make it with dtype=torch." + std::string(name(result)) + ".");
    if (rule == OutRule::ComplexSame && result != out)
        refuse(ErrorKind::Runtime, "OUT-01",
               "Found dtype " + std::string(scalarTypeName(out)) + " but expected " +
                   std::string(scalarTypeName(result)),
               "Make it with dtype=torch." + std::string(name(result)) + ".");
    if (rule == OutRule::Same && result != out)
        refuse(ErrorKind::Runtime, "OUT-01",
               std::string("Expected out tensor to have dtype ") + elementTypeName(result) + ", but got " +
                   elementTypeName(out) + " instead",
               "Make it with dtype=torch." + std::string(name(result)) + ".");
}

/// What goes element by element without a dtype of its own to compute in: PyTorch wants that of the input.
void requireInputDType(const std::string& operation, const Tensor& input, DType result, DType out) {
    constexpr std::string_view kStrict =
        " neg sign sgn abs floor ceil trunc round frac square bitwise_not hardshrink nan_to_num ";
    if (kStrict.find(' ' + operation + ' ') == std::string_view::npos || !input.defined() || result == out ||
        (result != input.dtype() && operation != "square"))
        return;
    const std::string given(scalarTypeName(out)), wanted(scalarTypeName(result));
    refuse(ErrorKind::Runtime, "OUT-01",
           operation == "nan_to_num" ? "nan_to_num: dtype of out: " + given + " should be same as input: " + wanted
                                     : "Found dtype " + given + " but expected " + wanted,
           "Make it with dtype=torch." + std::string(name(result)) + ".");
}

std::string shapeText(const Dims& shape) {
    return toListString(std::span<const Index>(shape));
}

/// Where the elements of one result go.
struct Plan {
    Tensor result;            ///< of a storage of its own
    std::optional<View> view; ///< where `out` must be resized
    std::size_t grown = 0;    ///< bytes that its storage must have for that; 0 where it has them
    bool adopt = false;       ///< the storage of `out` may take over the bytes of `result`
};

/// What copy_ would refuse.
void requireCopyable(const std::string& name, const Tensor& out, const Tensor& result) {
    if (!(out.shape() == result.shape())) {
        const Dims shape = broadcastShapes(out.shape(), result.shape()).valueOrThrow();
        if (shape != out.shape()) elementwise::throwOutputShape(out.shape(), shape);
    }
    elementwise::requireWritable(out, name.c_str());
    elementwise::requireNoSelfOverlap(out, nullptr);
}

/// Those that only look at how many elements `out` has, as in PyTorch: its shape is kept where the number is right.
bool isSequence(const std::string& name) {
    constexpr std::string_view kSequences[] = {"arange", "linspace", "logspace", "fft.fftfreq", "fft.rfftfreq"};
    return std::find(std::begin(kSequences), std::end(kSequences), name) != std::end(kSequences);
}

/// Older functions resize their output to row-major, though their results lie column by column: two always, three where
/// it has elements.
bool resizesToRows(const std::string& name, const Tensor& out) {
    if (name == "cholesky" || name == "cholesky_solve") return true;
    return out.numel() != 0 && (name == "cholesky_inverse" || name == "linalg.householder_product" || name == "ormqr");
}

Plan planFor(const std::string& name, OutRule rule, const Tensor& out, Tensor result) {
    elementwise::requireDefined(out, name.c_str());
    requireDType(name, rule, result.dtype(), out.dtype());
    if (isSequence(name) && out.numel() == result.numel() && result.isContiguous())
        result = result.withView(contiguousView(out.shape()).valueOrThrow());
    if (rule == OutRule::Copied) {
        requireCopyable(name, out, result);
        return {std::move(result), {}, 0, false};
    }
    if (out.device() != result.device())
        refuse(ErrorKind::Device, "DEV-03",
               "Expected all tensors to be on the same device, but found at least two devices, " +
                   toString(result.device()) + " and " + toString(out.device()) + "!",
               "Make the output on the device of the inputs.");
    elementwise::requireWritable(out, name.c_str());
    Plan plan;
    const bool resized = !(out.shape() == result.shape());
    if (!resized) {
        elementwise::requireNoSelfOverlap(out, nullptr);
    } else {
        if (resizesToRows(name, out)) {
            const trace::Nested nested;
            result = contiguous(result);
        }
        View view = denseLike(result.view());
        view.offset = out.storageOffset();
        Index end = 0, bytes = 0;
        if (!addFits(view.offset, view.numel(), end) || !mulFits(end, static_cast<Index>(out.itemSize()), bytes))
            bytes = kIndexMax;
        if (view.numel() > 0 && static_cast<std::size_t>(bytes) > out.storage()->bytes()) {
            out.storage()->requireResizable();
            plan.grown = static_cast<std::size_t>(bytes);
            plan.adopt = view.offset == 0;
        }
        plan.view = std::move(view);
    }
    plan.result = std::move(result);
    return plan;
}

/// The result on a storage that nobody else has, dense and in the dtype of `out` where it is to become `out`.
void settle(Plan& plan, const Tensor& out) {
    const bool ownDense = plan.result.storage()->useCount() == 1 && plan.result.view().isDense() &&
                          plan.result.storageOffset() == 0 && plan.result.numel() == plan.result.storageNumel();
    if (plan.adopt && plan.result.dtype() != out.dtype())
        plan.result = to(plan.result, out.dtype());
    else if (plan.adopt ? !ownDense : plan.result.storage() == out.storage())
        plan.result = clone(plan.result);
}

void requireApart(const std::string& name, const OutTensors& outs, std::vector<Plan>& plans) {
    const auto target = [&](std::size_t i) { return plans[i].view ? outs[i]->withView(*plans[i].view) : *outs[i]; };
    for (std::size_t i = 0; i < outs.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (outs[i] == outs[j] || elementwise::aliasOf(target(i), target(j)) != elementwise::Alias::Apart)
                elementwise::throwPartialOverlap(name.c_str(), *outs[i], *outs[j]);
            // What the other one shows must stay.
            if (outs[i]->storage() == outs[j]->storage()) plans[i].adopt = plans[j].adopt = false;
        }
    }
}

/// Which slots `out` may share with the inputs.
enum class Sharing : std::uint8_t {
    Any,     ///< what reads all of its inputs before it writes, or takes a copy of them
    InOrder, ///< none, or each element its own input's
    Apart,   ///< none
};

/// As PyTorch: looked at once as `out` is given and once as it is after a resize.
struct SharingRule {
    Sharing given = Sharing::InOrder, resized = Sharing::Any;
};

SharingRule sharingRuleOf(std::string_view name) {
    struct Named {
        std::string_view names;
        SharingRule rule;
    };
    constexpr Named kNamed[] = {
        {" cat concat concatenate stack hstack vstack row_stack dstack column_stack gather take_along_dim index_add "
         "index_copy index_reduce kron ",
         {Sharing::Any, Sharing::Apart}},
        {" take index_select masked_select kthvalue ", {Sharing::Apart, Sharing::Any}},
        {" scatter scatter_add scatter_reduce ", {Sharing::Apart, Sharing::InOrder}},
        {" cumsum cumprod logcumsumexp sort msort argsort topk max min mode renorm normal ",
         {Sharing::Any, Sharing::InOrder}},
        {" outer ger ", {Sharing::InOrder, Sharing::Any}},
        {" diag tril triu histc narrow_copy ", {Sharing::Any, Sharing::Any}},
    };
    const std::string word = ' ' + std::string(name) + ' ';
    for (const Named& named : kNamed)
        if (named.names.find(word) != std::string_view::npos) return named.rule;
    const Operation* operation = findOperation(name);
    // What goes element by element is looked at; reductions, products, LAPACK and Fourier transforms are not.
    const bool reads =
        operation && (operation->family == OpFamily::Products || operation->family == OpFamily::LinearAlgebra ||
                      operation->family == OpFamily::Fourier || operation->family == OpFamily::Reductions);
    return reads ? SharingRule{Sharing::Any, Sharing::Any} : SharingRule{};
}

bool mayShare(Sharing sharing, const Tensor& out, const Tensor& input) {
    if (sharing == Sharing::Any || !out.view().isDense() || !input.view().isDense()) return true;
    const elementwise::Alias alias = elementwise::aliasOf(out, input);
    const bool inOrder = alias == elementwise::Alias::Same && out.stride() == input.stride();
    return alias == elementwise::Alias::Apart || (sharing == Sharing::InOrder && inOrder);
}

void requireApartFromInputs(const std::string& name, const OutTensors& outs, const std::vector<Plan>& plans,
                            std::span<const Tensor* const> inputs) {
    const SharingRule rule = sharingRuleOf(name);
    const Operation* operation = findOperation(name);
    const bool joins = operation && operation->family == OpFamily::Joining;
    const bool addsToCopy = name != "index_select" && (name.starts_with("index_") || name.starts_with("scatter"));
    for (std::size_t i = 0; i < outs.size(); ++i) {
        const Tensor& out = *outs[i];
        if (plans[i].view && rule.given != Sharing::Any && !inputs.empty() && !joins)
            elementwise::requireNoSelfOverlap(out, nullptr);
        const Tensor resized = plans[i].view ? out.withView(*plans[i].view) : out;
        for (std::size_t k = 0; k < inputs.size(); ++k) {
            const Tensor& input = *inputs[k];
            if (!input.defined()) continue;
            // An output that is read, too, is not resized by what goes element by element.
            if (plans[i].view && inputs[k] == outs[i] && rule.given == Sharing::InOrder)
                elementwise::throwOutputShape(out.shape(), resized.shape());
            // What gather is told by its index it has read when it writes there; what others add to is copied first.
            const bool lenient = name == "gather" ? k != 0 : k == 0 && addsToCopy;
            if (lenient && mayShare(Sharing::InOrder, resized, input)) continue;
            if (!mayShare(rule.given, out, input) || !mayShare(rule.resized, resized, input))
                elementwise::throwPartialOverlap(name.c_str(), out, input);
        }
    }
}

void warnOfResize(const Tensor& out, const Dims& shape) {
    if (out.numel() == 0) return;
    warn("An output with one or more elements was resized since it had shape " + shapeText(out.shape()) +
         ", which does not match the required output shape " + shapeText(shape) +
         ". This behavior is deprecated, and in a future PyTorch release outputs will not be resized unless they have "
         "zero elements. You can explicitly reuse an out tensor t by resizing it, inplace, to zero elements with "
         "t.resize_(0).");
}

} // namespace

void writeOut(std::string_view operation, OutRule rule, const OutTensors& outs,
              const std::function<std::vector<Tensor>()>& make, std::span<const Tensor* const> inputs) {
    const std::string name(operation);
    if (rule == OutRule::None)
        refuse(ErrorKind::Type, "OUT-02", name + "() got an unexpected keyword argument 'out'",
               "Write the result with copy_().");
    const bool observed = trace::observed();
    const auto start = observed ? trace::begin() : trace::Clock::time_point{};
    std::vector<OpRecord> records;
    {
        trace::Capture capture;
        std::vector<Tensor> results = make();
        if (results.size() != outs.size() && rule == OutRule::Copied)
            refuse(ErrorKind::Runtime, "OUT-02",
                   name + "_out() expected an out= argument of size " + std::to_string(results.size()) + ", got size " +
                       std::to_string(outs.size()),
                   "Give one tensor for each piece.");
        if (results.size() != outs.size())
            refuse(ErrorKind::Type, "OUT-02",
                   name + "(): expected " + std::to_string(results.size()) + " tensors for 'out', but got " +
                       std::to_string(outs.size()),
                   "Give one for each result.");
        // All checks and allocations come before the first change.
        std::vector<Plan> plans;
        plans.reserve(outs.size());
        std::vector<Dims> shapes;
        for (std::size_t i = 0; i < outs.size(); ++i) {
            shapes.push_back(results[i].shape());
            if (!inputs.empty() && outs[i]->defined())
                requireInputDType(name, *inputs.front(), results[i].dtype(), outs[i]->dtype());
            plans.push_back(planFor(name, rule, *outs[i], std::move(results[i])));
        }
        requireApart(name, outs, plans);
        if (rule != OutRule::Copied) requireApartFromInputs(name, outs, plans, inputs);
        {
            const trace::Nested nested;
            for (std::size_t i = 0; i < outs.size(); ++i) settle(plans[i], *outs[i]);
            // PyTorch's narrow_copy resizes without a word.
            for (std::size_t i = 0; i < outs.size(); ++i)
                if (plans[i].view && name != "narrow_copy") warnOfResize(*outs[i], shapes[i]);
            for (std::size_t i = 0; i < outs.size(); ++i) {
                Storage& storage = *outs[i]->storage();
                plans[i].adopt = plans[i].adopt && storage.canExchangeBytes(*plans[i].result.storage());
                if (plans[i].grown && !plans[i].adopt) storage.reserve(plans[i].grown);
            }
            for (std::size_t i = 0; i < outs.size(); ++i) {
                Storage& storage = *outs[i]->storage();
                if (plans[i].adopt)
                    storage.exchangeBytes(*plans[i].result.storage());
                else if (plans[i].grown)
                    storage.resize(plans[i].grown);
                if (plans[i].view) *outs[i] = outs[i]->withView(std::move(*plans[i].view));
                if (!plans[i].adopt) copy_(*outs[i], plans[i].result);
            }
        }
        records = std::move(capture.records());
    }
    if (!observed || records.empty()) return;
    // The operation's own record, told as one that writes into what was there.
    OpRecord& record = records.back();
    record.duration = trace::since(start);
    record.effect = OpEffect::InPlace;
    record.outputs.clear();
    record.bytesAllocated = record.bytesWritten = 0;
    for (const Tensor* out : outs) {
        record.outputs.push_back(trace::record(*out));
        record.bytesWritten += out->nbytes();
    }
    for (const OpRecord& one : records) trace::publish(one);
}

void outOf(std::string_view name, const OutTensors& outs, const std::function<std::vector<Tensor>()>& make) {
    const Operation* operation = findOperation(name);
    writeOut(name, operation ? operation->out : OutRule::None, outs, make);
}

} // namespace stridescope
