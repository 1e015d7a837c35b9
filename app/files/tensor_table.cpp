#include "app/files/tensor_table.h"

#include "core/print/format_element.h"

namespace stridescope {

namespace {

Refusal refusal(const char* id, std::string message, std::string hint) {
    return {ErrorKind::Value, id, std::move(message), std::move(hint), {}};
}

} // namespace

Result<QString> tensorTable(const Tensor& tensor, const QString& name) {
    const View& view = tensor.view();
    if (!tensor.device().isCpu())
        return refusal("TABLE-02", "the values are on " + toString(tensor.device()), "Copy it first: t.cpu()");
    if (tensor.numel() > kLargestTable)
        return refusal("TABLE-01",
                       std::to_string(tensor.numel()) + " elements are too many for text; the limit is " +
                           std::to_string(kLargestTable),
                       "Copy a part of it, or save it as .npy.");
    if (tensor.numel() == 0) return QStringLiteral("%1: 0 elements").arg(name);
    const std::size_t rank = view.shape.size();
    const Index cols = rank > 0 ? view.shape[rank - 1] : 1, rows = rank > 1 ? view.shape[rank - 2] : 1;
    const Index panels = tensor.numel() / (rows * cols);
    const auto item = static_cast<Index>(tensor.itemSize());
    const std::byte* base = tensor.storage()->data();
    std::string text;
    Dims coord(rank, 0);
    for (Index panel = 0; panel < panels; ++panel) {
        if (rank > 2) {
            Index rest = panel;
            for (std::size_t d = rank - 2; d-- > 0;) {
                coord[d] = rest % view.shape[d];
                rest /= view.shape[d];
            }
            text += (panel > 0 ? "\n" : "") + name.toStdString() + "[";
            for (std::size_t d = 0; d + 2 < rank; ++d) text += (d > 0 ? ", " : "") + std::to_string(coord[d]);
            text += "]:\n";
        }
        for (Index row = 0; row < rows; ++row) {
            for (Index col = 0; col < cols; ++col) {
                if (rank > 1) coord[rank - 2] = row;
                if (rank > 0) coord[rank - 1] = col;
                if (col > 0) text += '\t';
                text += elementText(base + view.slot(coord) * item, tensor.dtype());
            }
            text += '\n';
        }
    }
    text.pop_back();
    return QString::fromStdString(text);
}

} // namespace stridescope
