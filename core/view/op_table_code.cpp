// The operation table as code and as legal ranges.

#include "core/view/checked.h"
#include "core/view/op_table.h"
#include "core/view/view_ops.h"

namespace stridescope {

namespace {

std::string argCode(const OpArg& arg) {
    if (const Index* value = std::get_if<Index>(&arg)) return std::to_string(*value);
    if (const Dims* list = std::get_if<Dims>(&arg)) return toString(*list);
    return "None";
}

/// "[:, 1:5:2]" counts the dims before from the left, "[..., 1:5, :]" the dims after from the right.
std::string sliceCode(std::span<const OpArg> args) {
    const auto number = [&](std::size_t i, Index otherwise) {
        const Index* value = i < args.size() ? std::get_if<Index>(&args[i]) : nullptr;
        return value != nullptr ? *value : otherwise;
    };
    const auto end = [&](std::size_t i) {
        const Index* value = i < args.size() ? std::get_if<Index>(&args[i]) : nullptr;
        return value != nullptr ? std::to_string(*value) : std::string();
    };
    // No tensor has more dims; a wrong dim must not become a text of any length.
    const Index dim = std::clamp<Index>(number(0, 0), -kMaxDims, kMaxDims);
    std::string code = "[";
    for (Index d = 0; d < dim; ++d) code += ":, ";
    if (dim < 0) code += "..., ";
    code += end(1) + ":" + end(2);
    if (const Index step = number(3, 1); step != 1) code += ":" + std::to_string(step);
    for (Index d = dim; d < -1; ++d) code += ", :";
    return code + "]";
}

/// Python takes view(2, 3) as well as view((2, 3)); the short form is the usual one.
bool isSpread(const ViewOp& op) {
    return op.params.size() == 1 &&
           (op.params[0].kind == ParamKind::IntList || op.params[0].kind == ParamKind::DimList);
}

std::string spread(const Dims& list) {
    if (list.empty()) return "()";
    const std::string text = toListString(list);
    return text.substr(1, text.size() - 2);
}

Index indexArg(const ViewOp& op, std::span<const OpArg> args, std::size_t i, Index otherwise) {
    if (i < args.size())
        if (const Index* value = std::get_if<Index>(&args[i])) return *value;
    if (i < op.params.size())
        if (const Index* value = std::get_if<Index>(&op.params[i].standIn)) return *value;
    return otherwise;
}

/// Size of the dim that the arguments name; nullopt when there is no such dim.
std::optional<Index> namedSize(const ViewOp& op, std::span<const OpArg> args, std::size_t dimParam, const View& v) {
    const auto wrapped = wrapDim(indexArg(op, args, dimParam, 0), v.dim());
    if (!wrapped || v.dim() == 0) return std::nullopt;
    return v.shape[static_cast<std::size_t>(*wrapped)];
}

LegalRange dimRange(std::string_view name, const View& v) {
    const Index ndim = v.dim();
    if (name == "unsqueeze") return {-ndim - 1, ndim};
    // transpose, squeeze, unfold and flatten let a 0-d tensor pass as a 1-d one, the others need a dim.
    const bool needsDim = name == "select" || name == "narrow" || name == "slice" || name == "split" ||
                          name == "chunk" || name == "unbind" || name == "unflatten";
    if (ndim == 0 && needsDim) return {};
    const Index count = std::max<Index>(ndim, 1);
    return {-count, count - 1};
}

/// Of as_strided, once sizes and strides are there.
LegalRange offsetRange(std::span<const OpArg> args, std::optional<Index> storageNumel) {
    const Dims* size = !args.empty() ? std::get_if<Dims>(&args[0]) : nullptr;
    const Dims* stride = args.size() > 1 ? std::get_if<Dims>(&args[1]) : nullptr;
    if (size == nullptr || stride == nullptr || !storageNumel) return {0, kIndexMax};
    const auto made = makeView(*size, *stride, 0);
    if (!made || std::any_of(stride->begin(), stride->end(), [](Index s) { return s < 0; })) return {};
    return legalRanges(*made, *storageNumel).offset;
}

} // namespace

std::vector<LegalRange> legalRangesOfList(std::string_view name, std::size_t param, std::span<const OpArg> args,
                                          Index storageNumel) {
    if (name != "as_strided" || args.size() < 2 || param > 1) return {};
    const Dims* size = std::get_if<Dims>(&args[0]);
    const Dims* stride = std::get_if<Dims>(&args[1]);
    const Index* offset = args.size() > 2 ? std::get_if<Index>(&args[2]) : nullptr;
    if (size == nullptr || stride == nullptr) return {};
    const auto made = makeView(*size, *stride, offset != nullptr ? *offset : 0);
    if (!made || std::any_of(stride->begin(), stride->end(), [](Index s) { return s < 0; })) return {};
    ViewRanges ranges = legalRanges(*made, storageNumel);
    return param == 0 ? std::move(ranges.size) : std::move(ranges.stride);
}

std::optional<LegalRange> legalRange(std::string_view name, std::size_t param, std::span<const OpArg> args,
                                     const View& v, std::optional<Index> storageNumel) {
    const ViewOp* op = findViewOp(name);
    if (op == nullptr || param >= op->params.size()) return std::nullopt;
    const ParamKind kind = op->params[param].kind;
    if (kind == ParamKind::IntList || kind == ParamKind::DimList) return std::nullopt;
    if (kind == ParamKind::Dim) {
        if (name == "diagonal" && v.dim() < 2) return LegalRange{};
        if (name == "flatten" && param == 1) {
            const auto start = wrapDim(indexArg(*op, args, 0, 0), v.dim());
            if (!start) return LegalRange{};
            return LegalRange{*start, std::max<Index>(v.dim(), 1) - 1};
        }
        return dimRange(name, v);
    }
    if (name == "as_strided") return offsetRange(args, storageNumel);
    if (name == "chunk") return v.dim() == 0 ? LegalRange{} : LegalRange{1, kIndexMax};
    if (name == "diagonal") return LegalRange{kIndexMin, kIndexMax};
    if (name == "split") {
        // The dim comes after the size here; it may be given all the same.
        const auto size = namedSize(*op, args, 1, v);
        if (!size) return LegalRange{};
        return LegalRange{*size == 0 ? 0 : 1, kIndexMax};
    }
    if (name == "unfold") {
        const auto wrapped = wrapDim(indexArg(*op, args, 0, 0), v.dim());
        if (!wrapped) return LegalRange{};
        const Index size = v.dim() == 0 ? 1 : v.shape[static_cast<std::size_t>(*wrapped)];
        return param == 1 ? LegalRange{0, size} : LegalRange{1, kIndexMax};
    }
    const auto size = namedSize(*op, args, 0, v);
    if (!size) return LegalRange{};
    if (name == "select") return LegalRange{-*size, *size - 1};
    if (name == "narrow" && param == 1) return LegalRange{0, *size};
    if (name == "narrow") {
        Index start = indexArg(*op, args, 1, 0);
        if (start < 0) start += std::max<Index>(*size, 1);
        if (start < 0 || start > *size) return LegalRange{};
        return LegalRange{0, *size - start};
    }
    if (name == "slice" && param == 3) return LegalRange{1, kIndexMax};
    if (name == "slice") return LegalRange{-*size, *size}; // further out is legal too and means the same
    return std::nullopt;
}

std::string toCode(std::string_view name, std::span<const OpArg> args) {
    if (name == "slice") return sliceCode(args);
    const ViewOp* op = findViewOp(name);
    std::string code(name);
    code += '(';
    std::size_t count = args.size();
    // Defaults at the end need not be written.
    while (count > 0) {
        const OpArg& last = args[count - 1];
        const bool isDefault = op != nullptr && count <= op->params.size() && !op->params[count - 1].required &&
                               last == op->params[count - 1].standIn;
        if (!isDefault && !std::holds_alternative<std::monostate>(last)) break;
        --count;
    }
    if (op != nullptr && isSpread(*op) && count == 1 && std::holds_alternative<Dims>(args[0])) {
        code += spread(std::get<Dims>(args[0]));
    } else {
        for (std::size_t i = 0; i < count; ++i) {
            if (i > 0) code += ", ";
            const Dims* list = std::get_if<Dims>(&args[i]);
            const bool single = name == "movedim" && list != nullptr && list->size() == 1;
            // A default that was left out before an argument that was given.
            const bool leftOut = std::holds_alternative<std::monostate>(args[i]) && op != nullptr &&
                                 i < op->params.size() && !op->params[i].required;
            if (single) {
                code += std::to_string((*list)[0]);
            } else {
                code += argCode(leftOut ? op->params[i].standIn : args[i]);
            }
        }
    }
    return code + ")";
}

std::string toCode(std::string_view tensor, std::string_view name, std::span<const OpArg> args) {
    const std::string code = toCode(name, args);
    std::string line(tensor);
    if (code.front() != '[') line += '.';
    return line + code;
}

} // namespace stridescope
