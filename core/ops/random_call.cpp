#include "core/ops/random_call.h"

#include "core/random/device_generator.h"

#include <cstdio>

namespace stridescope::random {

void refuse(const char* id, std::string message, std::string hint) {
    throwRefusal({ErrorKind::Runtime, id, std::move(message), std::move(hint), {}});
}

void refuseDType(const char* kernel, DType dtype) {
    throwRefusal({ErrorKind::NotImplemented,
                  "RNG-13",
                  '"' + std::string(kernel) + "\" not implemented for '" + std::string(scalarTypeName(dtype)) + "'",
                  "Draw in another dtype and convert: x.to(...).",
                  {}});
}

std::string shown(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", value);
    return text;
}

std::string boundsName(DType dtype) {
    constexpr std::array<const char*, kAllDTypes.size()> kNames{
        "unsigned char", "signed char",         "short int",           "int", "long", "c10::Half", "float", "double",
        "bool",          "c10::complex<float>", "c10::complex<double>"};
    return kNames[static_cast<std::size_t>(dtype)];
}

void requireCpuDevice(Device device, DType dtype, const char* operation) {
    if (!device.isCpu()) throwNoKernel(operation, dtype, device);
}

void requireRandom(Device device, DType dtype, const char* operation) {
    if (!device.isCpu() && !kernelTable(device).random) throwNoKernel(operation, dtype, device);
}

namespace {

/// Precondition: t has elements.
LoopSpace spaceOf(const Tensor& t) {
    LoopSpace space;
    const LoopOperand operand = elementwise::operandOf(t);
    if (t.isContiguous()) {
        buildFlatLoopSpace(space, t.numel(), {&operand, 1});
    } else {
        buildLoopSpace(space, t.shape(), {&operand, 1});
        elementwise::requireNoSelfOverlap(t, &space);
    }
    return space;
}

} // namespace

bool fillOnDevice(const Tensor& t, const char* operation, RandomOp op, double a, double b, const Generator& generator) {
    if (t.device().isCpu()) return false;
    elementwise::requireWritable(t, operation);
    requireRandom(t.device(), t.dtype(), operation);
    if (&generator != &defaultGenerator())
        refuse("RNG-28",
               "Expected a '" + std::string(name(t.device().type)) + "' device type for generator but found 'cpu'",
               "Devices have a generator of their own each: seed it with manual_seed().");
    if (t.numel() == 0) return true;
    RandomArgs args;
    args.space = spaceOf(t);
    args.dtype = t.dtype();
    args.op = op;
    args.a = a;
    args.b = b;
    DeviceGenerator& drawn = deviceGenerator(t.device());
    const std::lock_guard lock(drawn.mutex());
    args.seed = drawn.seed();
    args.offset = drawn.offset();
    drawn.advance(kernelTable(t.device()).random(args));
    return true;
}

Target targetOf(const Tensor& t, const char* operation, const Tensor* input) {
    elementwise::requireWritable(t, operation);
    requireCpuDevice(t.device(), t.dtype(), operation);
    Target target;
    target.count = t.numel();
    if (target.count == 0) return target;
    if (input && elementwise::aliasOf(t, *input) == elementwise::Alias::Partial)
        elementwise::throwPartialOverlap(operation, t, *input);
    const LoopOperand operands[] = {elementwise::operandOf(t), input ? elementwise::operandOf(*input) : LoopOperand{}};
    const std::span<const LoopOperand> used(operands, input ? 2 : 1);
    if (!input && t.isContiguous()) {
        buildFlatLoopSpace(target.space, target.count, used);
    } else {
        buildLoopSpace(target.space, t.shape(), used);
        elementwise::requireNoSelfOverlap(t, &target.space);
    }
    return target;
}

} // namespace stridescope::random
