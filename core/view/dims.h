#pragma once
// Dims: a short list of Index (sizes, strides, coords) that lives on the stack up to rank 5.

#include "core/index.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <span>

namespace stridescope {

/// A vector of Index with room for five inside; longer ones go to the heap.
/// Sizes and strides of two heap vectors alone would cost more than a whole view operation should.
class Dims {
public:
    static constexpr std::size_t kInline = 5;

    // Not defaulted: what holds a Dims would be cleared as a whole first, by the slowest of instructions.
    Dims() noexcept {} // NOLINT(modernize-use-equals-default)
    Dims(std::initializer_list<Index> values) : Dims(std::span<const Index>(values.begin(), values.size())) {}
    Dims(std::span<const Index> values) {
        resizeUninitialised(values.size());
        std::copy(values.begin(), values.end(), data());
    }
    Dims(std::size_t count, Index value) {
        resizeUninitialised(count);
        if (m_capacity <= kInline) {
            std::fill(m_inline, m_inline + kInline, value); // a fixed count: a few moves
        } else {
            std::fill(begin(), end(), value);
        }
    }
    Dims(const Dims& other) : m_heap(nullptr) {
        if (other.m_capacity <= kInline) [[likely]] {
            copyInline(other);
        } else {
            resizeUninitialised(other.size());
            std::copy(other.begin(), other.end(), data());
        }
    }
    Dims(Dims&& other) noexcept : m_heap(nullptr) { steal(other); }
    Dims& operator=(const Dims& other) {
        if (this == &other) return *this;
        if (m_capacity <= kInline && other.m_capacity <= kInline) {
            copyInline(other);
        } else {
            resizeUninitialised(other.size());
            std::copy(other.begin(), other.end(), data());
        }
        return *this;
    }
    Dims& operator=(Dims&& other) noexcept {
        if (this != &other) {
            release();
            steal(other);
        }
        return *this;
    }
    ~Dims() { release(); }

    std::size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    Index* data() { return m_capacity > kInline ? m_heap : m_inline; }
    const Index* data() const { return m_capacity > kInline ? m_heap : m_inline; }
    Index* begin() { return data(); }
    Index* end() { return data() + m_size; }
    const Index* begin() const { return data(); }
    const Index* end() const { return data() + m_size; }
    Index& operator[](std::size_t i) {
        assert(i < m_size);
        return data()[i];
    }
    Index operator[](std::size_t i) const {
        assert(i < m_size);
        return data()[i];
    }
    Index& back() { return (*this)[m_size - 1]; }
    Index back() const { return (*this)[m_size - 1]; }

    /// Precondition: `values` is not part of this.
    void assign(std::span<const Index> values) {
        resizeUninitialised(values.size());
        Index* to = data();
        for (const Index value : values) *to++ = value;
    }
    /// All values of `other`, which is not this, but the one at `left`.
    void assignWithout(const Dims& other, std::size_t left) {
        if (other.m_capacity <= kInline && m_capacity <= kInline) [[likely]] {
            m_size = other.m_size - 1;
            for (std::size_t i = 0; i + 1 < kInline; ++i) m_inline[i] = other.m_inline[i + (i >= left ? 1 : 0)];
        } else {
            *this = other;
            erase(left);
        }
    }
    void push_back(Index value) {
        grow(m_size + 1);
        data()[m_size++] = value;
    }
    void insert(std::size_t at, Index value) {
        assert(at <= m_size);
        push_back(value);
        Index* values = data();
        for (std::size_t i = m_size - 1; i > at; --i) values[i] = values[i - 1];
        values[at] = value;
    }
    void erase(std::size_t at) {
        assert(at < m_size);
        Index* values = data();
        --m_size;
        for (std::size_t i = at; i < m_size; ++i) values[i] = values[i + 1];
    }
    void resize(std::size_t count, Index value = 0) {
        const std::size_t before = m_size;
        grow(count);
        m_size = static_cast<std::uint32_t>(count);
        if (count > before) std::fill(begin() + before, end(), value);
    }
    void clear() { m_size = 0; }

    friend bool operator==(const Dims& a, const Dims& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

private:
    void resizeUninitialised(std::size_t count) {
        grow(count);
        m_size = static_cast<std::uint32_t>(count);
    }
    void grow(std::size_t count) {
        if (count <= m_capacity) return;
        const std::size_t capacity = std::max<std::size_t>(count, 2 * std::size_t{m_capacity});
        Index* heap = new Index[capacity];
        std::copy(begin(), end(), heap);
        release();
        m_heap = heap;
        m_capacity = static_cast<std::uint32_t>(capacity);
    }
    void release() {
        if (m_capacity > kInline) delete[] m_heap;
        m_capacity = kInline;
    }
    void steal(Dims& other) {
        m_size = inRegister(other.m_size);
        m_capacity = inRegister(other.m_capacity);
        if (m_capacity > kInline) [[unlikely]] {
            m_heap = other.m_heap;
            other.m_capacity = kInline;
        } else {
            copyWords(other.m_inline, m_inline);
        }
        other.m_size = 0;
    }
    void copyInline(const Dims& other) {
        m_size = other.m_size;
        copyWords(other.m_inline, m_inline);
    }
    /// All five, whatever the size: a fixed count compiles to a few moves instead of a call. Word by word: a view
    /// operation writes one size or stride just before its result is moved, and a wider load of what was written in
    /// parts waits until it has left the store buffer, which costs more than the rest of the operation.
    static void copyWords(const Index* from, Index* to) {
        for (std::size_t i = 0; i < kInline; ++i) to[i] = inRegister(from[i]);
    }
    template <class Word>
    static Word inRegister(Word word) {
        asm("" : "+r"(word));
        return word;
    }

    std::uint32_t m_size = 0;
    std::uint32_t m_capacity = kInline;
    union {
        Index m_inline[kInline] = {};
        Index* m_heap;
    };
};

} // namespace stridescope
