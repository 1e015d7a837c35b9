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

/// Refuses an `out` of dtype `out` for a result of dtype `result` where `rule` does not allow it; nothing for rules
/// without words of their own.
std::string refusalOfDType(const std::string& operation, OutRule rule, OutHabits::Words words, DType result,
                           DType out) {
    const std::string given(scalarTypeName(out)), wanted(scalarTypeName(result));
    switch (rule) {
    case OutRule::Bool:
        return out == DType::Bool ? std::string() : operation + " does not support non-boolean outputs.";
    case OutRule::Truth:
        if (out == DType::Bool || out == DType::UInt8) return {};
        return operation + " only supports bool tensor for result, got: " + given;
    case OutRule::Floating:
        if (isFloating(out)) return {};
        return transformName(operation) + " expects a floating point output tensor, but got " + given;
    case OutRule::Complex:
    case OutRule::ComplexSame:
        if (!isComplex(out)) return transformName(operation) + " expects a complex output tensor, but got " + given;
        return rule == OutRule::Complex || result == out ? std::string()
                                                         : "Found dtype " + given + " but expected " + wanted;
    case OutRule::Same:
        break;
    case OutRule::None:
    case OutRule::Castable:
    case OutRule::Any:
    case OutRule::Copied:
        return {};
    }
    if (result == out) return {};
    switch (words) {
    case OutHabits::Words::Requires:
        return "the output given to " + operation + " has dtype " + given +
               " but the operation's result requires dtype " + wanted;
    case OutHabits::Words::InputAndOut:
        return "Expected the dtype for input and out to match, but got " + wanted + " for input's dtype and " + given +
               " for out's dtype.";
    case OutHabits::Words::ExpectedTensor:
        return operation + " expected out tensor dtype " + wanted + " but got: " + given;
    case OutHabits::Words::OutOfInput:
    case OutHabits::Words::NotYet:
    case OutHabits::Words::OfRule:
        break;
    }
    return std::string("Expected out tensor to have dtype ") + elementTypeName(result) + ", but got " +
           elementTypeName(out) + " instead";
}

/// The same of what has no dtype of its own to compute in.
std::string refusalOfExact(const std::string& operation, OutHabits::Words words, DType result, DType out) {
    if (result == out) return {};
    const std::string given(scalarTypeName(out)), wanted(scalarTypeName(result));
    if (words == OutHabits::Words::NotYet)
        return operation + " is not yet implemented for tensors with different dtypes.";
    return words == OutHabits::Words::OutOfInput
               ? operation + ": dtype of out: " + given + " should be same as input: " + wanted
               : "Found dtype " + given + " but expected " + wanted;
}

void requireDType(const std::string& operation, OutRule rule, const OutHabits& habits, const Tensor& input,
                  DType result, DType out) {
    using Exact = OutHabits::Exact;
    std::string refused;
    const bool exact =
        habits.exact == Exact::Always || (habits.exact == Exact::InInputDType && result == input.dtype());
    if (exact && input.defined()) refused = refusalOfExact(operation, habits.words, result, out);
    if (refused.empty() && rule == OutRule::Castable) elementwise::requireCast(result, out);
    if (refused.empty()) refused = refusalOfDType(operation, rule, habits.words, result, out);
    if (refused.empty()) return;
    const std::string_view made = rule == OutRule::Bool || rule == OutRule::Truth ? name(DType::Bool) : name(result);
    refuse(ErrorKind::Runtime, "OUT-01", std::move(refused), "Make it with dtype=torch." + std::string(made) + ".");
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

bool resizesToRows(const OutHabits& habits, const Tensor& out) {
    return habits.rows == OutHabits::Rows::Always || (habits.rows == OutHabits::Rows::WithElements && out.numel() != 0);
}

Plan planFor(const std::string& name, OutRule rule, const OutHabits& habits, const Tensor& input, const Tensor& out,
             Tensor result) {
    elementwise::requireDefined(out, name.c_str());
    requireDType(name, rule, habits, input, result.dtype(), out.dtype());
    if (habits.countsOnly && out.numel() == result.numel() && result.isContiguous())
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
        if (resizesToRows(habits, out)) {
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

bool mayShare(Sharing sharing, const Tensor& out, const Tensor& input) {
    if (sharing == Sharing::Any || !out.view().isDense() || !input.view().isDense()) return true;
    const elementwise::Alias alias = elementwise::aliasOf(out, input);
    const bool inOrder = alias == elementwise::Alias::Same && out.stride() == input.stride();
    return alias == elementwise::Alias::Apart || (sharing == Sharing::InOrder && inOrder);
}

void requireApartFromInputs(const std::string& name, const OutHabits& habits, bool joins, const OutTensors& outs,
                            const std::vector<Plan>& plans, std::span<const Tensor* const> inputs) {
    using Lenient = OutHabits::Lenient;
    for (std::size_t i = 0; i < outs.size(); ++i) {
        const Tensor& out = *outs[i];
        if (plans[i].view && habits.given != Sharing::Any && !inputs.empty() && !joins)
            elementwise::requireNoSelfOverlap(out, nullptr);
        const Tensor resized = plans[i].view ? out.withView(*plans[i].view) : out;
        for (std::size_t k = 0; k < inputs.size(); ++k) {
            const Tensor& input = *inputs[k];
            if (!input.defined()) continue;
            // An output that is read, too, is not resized by what goes element by element.
            if (plans[i].view && inputs[k] == outs[i] && habits.given == Sharing::InOrder)
                elementwise::throwOutputShape(out.shape(), resized.shape());
            const bool lenient = k == 0 ? habits.lenient == Lenient::First : habits.lenient == Lenient::Others;
            if (lenient && mayShare(Sharing::InOrder, resized, input)) continue;
            if (!mayShare(habits.given, out, input) || !mayShare(habits.resized, resized, input))
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
    const Operation* entry = findOperation(operation);
    const OutHabits habits = entry ? entry->outHabits : OutHabits();
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
        const Tensor input = inputs.empty() ? Tensor() : *inputs.front();
        for (std::size_t i = 0; i < outs.size(); ++i) {
            shapes.push_back(results[i].shape());
            plans.push_back(planFor(name, rule, habits, input, *outs[i], std::move(results[i])));
        }
        requireApart(name, outs, plans);
        const bool joins = entry && entry->family == OpFamily::Joining;
        if (rule != OutRule::Copied) requireApartFromInputs(name, habits, joins, outs, plans, inputs);
        {
            const trace::Nested nested;
            for (std::size_t i = 0; i < outs.size(); ++i) settle(plans[i], *outs[i]);
            for (std::size_t i = 0; i < outs.size(); ++i)
                if (plans[i].view && !habits.resizesQuietly) warnOfResize(*outs[i], shapes[i]);
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
