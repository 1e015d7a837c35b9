#include "core/error.h"

namespace stridescope {

Error::Error(Refusal refusal) : std::runtime_error(refusal.message), m_refusal(std::move(refusal)) {}

void throwRefusal(const Refusal& refusal) {
    switch (refusal.kind) {
    case ErrorKind::Runtime:
        throw ShapeError(refusal);
    case ErrorKind::Index:
        throw IndexError(refusal);
    case ErrorKind::Value:
        throw ValueError(refusal);
    case ErrorKind::Type:
        throw DTypeError(refusal);
    case ErrorKind::NotImplemented:
        throw NotImplementedError(refusal);
    case ErrorKind::Memory:
        throw MemoryError(refusal);
    case ErrorKind::Device:
        throw DeviceError(refusal);
    case ErrorKind::Io:
        throw IoError(refusal);
    }
    throw Error(refusal);
}

} // namespace stridescope
