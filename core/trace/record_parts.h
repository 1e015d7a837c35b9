#pragma once
// What an operation tells, before anybody has made a record of it: the fields of an OpRecord where they lie. Most
// operations of a script are told to the window alone, which wants them as bytes: there no OpRecord is ever made.

#include "core/trace/code.h"

#include <span>
#include <string_view>

namespace stridescope {

/// Some tensors, or pointers to them, in order; nothing is owned.
class TensorList {
public:
    TensorList() = default;
    TensorList(const Tensor& one) : m_values(&one), m_size(1) {}
    TensorList(std::span<const Tensor> values) : m_values(values.data()), m_size(values.size()) {}
    TensorList(std::span<const Tensor* const> pointers) : m_pointers(pointers.data()), m_size(pointers.size()) {}

    std::size_t size() const { return m_size; }
    const Tensor& operator[](std::size_t i) const { return m_pointers ? *m_pointers[i] : m_values[i]; }

private:
    const Tensor* m_values = nullptr;
    const Tensor* const* m_pointers = nullptr;
    std::size_t m_size = 0;
};

/// The arguments: a text, or numbers of which whoever wants it makes one.
class RecordArguments {
public:
    RecordArguments() = default;
    RecordArguments(std::string_view text) : m_text(text) {}
    RecordArguments(const std::string& text) : m_text(text) {}
    RecordArguments(const char* text) : m_text(text) {}
    /// As code::arguments().
    RecordArguments(const Dims& numbers) : m_numbers(&numbers) {}

    const Dims* numbers() const { return m_numbers; }
    std::string_view written() const { return m_text; } ///< empty with numbers
    std::string text() const { return m_numbers ? code::arguments(*m_numbers) : std::string(m_text); }

private:
    std::string_view m_text;
    const Dims* m_numbers = nullptr;
};

/// Field by field an OpRecord; nothing is owned, and nothing copied.
struct RecordParts {
    std::string_view name;
    RecordArguments arguments;
    TensorList inputs, outputs;
    OpEffect effect = OpEffect::View;
    Index bytesRead = 0, bytesWritten = 0, bytesAllocated = 0;
    std::chrono::nanoseconds duration{0};
    const ElementSet* written = nullptr; ///< null: none
};

/// Takes what operations tell, on their threads, without a record between; must not call operations itself. How long
/// they took is 0 unless somebody else asks: see clock.h.
class RecordSink {
public:
    virtual void take(const RecordParts& parts) = 0;
    virtual void take(const OpRecord& record) = 0;

protected:
    ~RecordSink() = default;
};

namespace trace {
/// All that is told goes to `sink`, too, from now on; null: to the listeners only. Any thread. One sink at a time; it
/// lives until the process ends, as an operation under way may still bring its record afterwards.
void setSink(RecordSink* sink);
/// As publish(record), for who has not made one.
void publish(const RecordParts& parts);
} // namespace trace

} // namespace stridescope
