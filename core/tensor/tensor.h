#pragma once
// Tensor: a Storage, a View on it and a DType. Copying a Tensor makes another handle on the same storage.

#include "core/dtype/dtype.h"
#include "core/storage/storage.h"
#include "core/view/checked.h"
#include "core/view/view.h"

#include <span>

namespace stridescope {

class Tensor {
public:
    /// An undefined tensor: no storage.
    Tensor() = default;
    /// Precondition: `view` is inside `storage` (checked in debug builds; use `fromStorage` for views from outside).
    Tensor(StoragePtr storage, const View& view, DType dtype)
        : m_storage(std::move(storage)), m_view(view), m_dtype(dtype) {}
    Tensor(StoragePtr storage, View&& view, DType dtype)
        : m_storage(std::move(storage)), m_view(std::move(view)), m_dtype(dtype) {}

    /// The same storage and dtype as `t` under the view that `make` (() -> View) gives, which is made where it stays.
    template <class Make>
    static Tensor viewOf(const Tensor& t, Make make) {
        return Tensor(t.m_storage, make, t.m_dtype, Made{});
    }

    /// As the constructor, for the view that `make` (() -> View) gives, which is made where it stays.
    template <class Make>
    static Tensor over(StoragePtr storage, Make make, DType dtype) {
        return Tensor(std::move(storage), make, dtype, Made{});
    }

    /// As the constructor, with the bounds checked. Refused: StorageOutOfBounds.
    static Result<Tensor> fromStorage(StoragePtr storage, View view, DType dtype);

    bool defined() const { return static_cast<bool>(m_storage); }
    const StoragePtr& storage() const { return m_storage; }
    const View& view() const { return m_view; }
    DType dtype() const { return m_dtype; }
    Device device() const { return m_storage->device(); }

    Index dim() const { return m_view.dim(); }
    const Dims& shape() const { return m_view.shape; }
    const Dims& stride() const { return m_view.stride; }
    Index storageOffset() const { return m_view.offset; }
    Index numel() const { return m_view.numel(); }
    Index size(Index d) const { return m_view.shape[static_cast<std::size_t>(d < 0 ? d + dim() : d)]; }
    bool isContiguous() const { return m_view.isContiguous(); }
    std::size_t itemSize() const { return stridescope::itemSize(m_dtype); }
    /// Elements of this dtype that the whole storage holds (rounded down).
    Index storageNumel() const { return static_cast<Index>(m_storage->bytes() / itemSize()); }
    /// Bytes of the elements that the view names, each counted as often as it is named: an expanded view can name more
    /// than 64 bits count, which is told as the largest Index.
    Index nbytes() const {
        Index bytes = 0;
        return mulFits(numel(), static_cast<Index>(itemSize()), bytes) ? bytes : kIndexMax;
    }

    /// Address of slot 0 of the storage as T. Precondition: T is the storage type of dtype(), device is the CPU.
    template <class T>
    T* storageData() const {
        return reinterpret_cast<T*>(m_storage->data());
    }
    /// Address of the first element: slot storageOffset(). Null where the storage holds no bytes, which may have any
    /// offset (adding one to a null address is not defined).
    template <class T>
    T* data() const {
        T* const base = storageData<T>();
        return base != nullptr ? base + m_view.offset : nullptr;
    }

    /// The same storage and dtype under another view. Precondition: inside the storage.
    Tensor withView(const View& view) const { return Tensor(m_storage, view, m_dtype); }
    Tensor withView(View&& view) const { return Tensor(m_storage, std::move(view), m_dtype); }

private:
    struct Made {};
    template <class Make>
    Tensor(const StoragePtr& storage, Make& make, DType dtype, Made)
        : m_storage(storage), m_view(make()), m_dtype(dtype) {}
    template <class Make>
    Tensor(StoragePtr&& storage, Make& make, DType dtype, Made)
        : m_storage(std::move(storage)), m_view(make()), m_dtype(dtype) {}

    StoragePtr m_storage;
    View m_view;
    DType m_dtype = DType::Float32;
};

/// Refuses a view that reaches beyond its storage, as a storage that has shrunk leaves them.
/// @throws ShapeError (BOUNDS).
void requireInside(const Tensor& t);

} // namespace stridescope
