#include "core/ops/einsum.h"

#include "core/ops/copy.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/matmul.h"
#include "core/ops/observation.h"
#include "core/ops/pointwise.h"
#include "core/ops/reductions.h"
#include "core/ops/views.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace stridescope {

namespace {

constexpr int kEllipsis = -1; ///< in parsed subscripts, before its dims are known
constexpr int kLetters = 52;  ///< A-Z, a-z: the order in which PyTorch sorts them

[[noreturn]] void refuse(const char* id, const std::string& message, std::string hint = {}) {
    throwRefusal({ErrorKind::Runtime, id, "einsum(): " + message, std::move(hint), {}});
}

std::string letterText(int label) {
    if (label >= kLetters) return "...";
    return std::string(1, static_cast<char>(label < 26 ? 'A' + label : 'a' + (label - 26)));
}

int labelOf(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    return -2;
}

struct Equation {
    std::vector<std::vector<int>> inputs;
    std::optional<std::vector<int>> output;
};

Equation parse(std::string_view text) {
    Equation equation;
    equation.inputs.emplace_back();
    bool ellipsis = false, behindArrow = false;
    const auto current = [&]() -> std::vector<int>& { return behindArrow ? *equation.output : equation.inputs.back(); };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == ' ') continue;
        if (c == '.') {
            const std::string where =
                behindArrow ? std::string("output") : "operand " + std::to_string(equation.inputs.size() - 1);
            const std::string dots = behindArrow ? "any ellipsis (...)" : "any ellipsis";
            if (ellipsis)
                refuse("EINSUM-03", "found '.' for " + where +
                                        (behindArrow ? " but an ellipsis (...) was already found"
                                                     : " for which an ellipsis was already found"));
            if (text.substr(i, 3) != "...")
                refuse("EINSUM-03", "found '.' for " + where + " that is not part of " + dots);
            i += 2;
            ellipsis = true;
            current().push_back(kEllipsis);
        } else if (c == ',' && !behindArrow) {
            equation.inputs.emplace_back();
            ellipsis = false;
        } else if (c == '-' && !behindArrow && text.substr(i, 2) == "->") {
            ++i;
            behindArrow = true;
            ellipsis = false;
            equation.output.emplace();
        } else {
            const int label = labelOf(c);
            if (label < 0)
                refuse("EINSUM-02", "invalid subscript given at index " + std::to_string(i) +
                                        " in the equation string, subscripts must be in [a-zA-Z]");
            current().push_back(label);
        }
    }
    return equation;
}

/// A tensor with a label for each dim, each at most once.
struct Labelled {
    Tensor tensor;
    std::vector<int> labels;

    std::optional<std::size_t> place(int label) const {
        const auto found = std::find(labels.begin(), labels.end(), label);
        if (found == labels.end()) return std::nullopt;
        return static_cast<std::size_t>(found - labels.begin());
    }
    Index size(int label) const {
        const auto at = place(label);
        return at ? tensor.shape()[*at] : 1;
    }
};

/// Labels for the dims of an ellipsis count from the right, so that they broadcast; repeated letters become diagonals.
Labelled labelled(const Tensor& t, const std::vector<int>& subscripts, std::size_t operand, std::size_t widest) {
    const auto hasEllipsis = std::find(subscripts.begin(), subscripts.end(), kEllipsis) != subscripts.end();
    const std::size_t letters = subscripts.size() - (hasEllipsis ? 1 : 0), rank = t.shape().size();
    if (hasEllipsis ? letters > rank : letters != rank)
        refuse("EINSUM-04", "the number of subscripts in the equation (" + std::to_string(letters) + ") " +
                                (hasEllipsis ? "is more than" : "does not match") + " the number of dimensions (" +
                                std::to_string(rank) + ") for operand " + std::to_string(operand) +
                                (hasEllipsis ? "" : " and no ellipsis was given"));
    Labelled result{t, {}};
    for (const int label : subscripts) {
        if (label != kEllipsis) {
            result.labels.push_back(label);
            continue;
        }
        const std::size_t covered = rank - letters;
        for (std::size_t i = 0; i < covered; ++i)
            result.labels.push_back(kLetters + static_cast<int>(widest - covered + i));
    }
    for (std::size_t second = 0; second < result.labels.size();) {
        const std::size_t first = *result.place(result.labels[second]);
        if (first == second) {
            ++second;
            continue;
        }
        const Dims& shape = result.tensor.shape();
        if (shape[first] != shape[second])
            refuse("EINSUM-05", "subscript " + letterText(result.labels[second]) + " is repeated for operand " +
                                    std::to_string(operand) + " but the sizes don't match, " +
                                    std::to_string(shape[second]) + " != " + std::to_string(shape[first]));
        result.tensor = diagonal(result.tensor, 0, static_cast<Index>(first), static_cast<Index>(second));
        const int label = result.labels[second];
        result.labels.erase(result.labels.begin() + static_cast<std::ptrdiff_t>(second));
        result.labels.erase(result.labels.begin() + static_cast<std::ptrdiff_t>(first));
        result.labels.push_back(label); // where diagonal() puts it
        second = 0;
    }
    return result;
}

/// The dims in the order of `labels`; those that are missing have size 1.
Tensor arranged(const Labelled& t, const std::vector<int>& labels) {
    Dims order;
    for (const int label : labels)
        if (const auto at = t.place(label)) order.push_back(static_cast<Index>(*at));
    Tensor result = permute(t.tensor, order);
    for (std::size_t d = 0; d < labels.size(); ++d)
        if (!t.place(labels[d])) result = unsqueeze(result, static_cast<Index>(d));
    return result;
}

/// Sums over the labels that `drop` names.
template <class Drop>
Labelled summed(const Labelled& t, Drop drop) {
    Dims dims;
    Labelled result{t.tensor, {}};
    for (std::size_t d = 0; d < t.labels.size(); ++d) {
        if (drop(t.labels[d]))
            dims.push_back(static_cast<Index>(d));
        else
            result.labels.push_back(t.labels[d]);
    }
    if (!dims.empty()) result.tensor = sum(t.tensor, dims, false); // integers and bool to int64, as sum() does
    return result;
}

/// Without the labels of size 1 that `drop` names.
template <class Drop>
Labelled without(const Labelled& t, Drop drop) {
    Labelled result{t.tensor, {}};
    for (std::size_t d = t.labels.size(); d-- > 0;) {
        if (drop(t.labels[d]))
            result.tensor = select(result.tensor, static_cast<Index>(d), 0);
        else
            result.labels.insert(result.labels.begin(), t.labels[d]);
    }
    return result;
}

/// The size of a label over both: the one that is not 1 (which may be 0).
Index joint(const Labelled& a, const Labelled& b, int label) {
    const Index size = a.size(label);
    return size == 1 ? b.size(label) : size;
}

Index volume(const Labelled& a, const Labelled& b, const std::vector<int>& labels) {
    Index n = 1;
    for (const int label : labels) n *= joint(a, b, label);
    return n;
}

/// Labels in the order in which PyTorch has the dims of all operands: that of the output, then the alphabet's. Results
/// lie in memory as they do there.
void sortLabels(std::vector<int>& labels, const std::vector<int>& output) {
    const auto key = [&output](int label) {
        return std::pair(std::find(output.begin(), output.end(), label) - output.begin(), label);
    };
    std::sort(labels.begin(), labels.end(), [&](int x, int y) { return key(x) < key(y); });
}

/// a and b multiplied and summed over the labels that `later` does not want any more.
template <class Later>
Labelled contracted(const Labelled& left, const Labelled& right, const std::vector<int>& output, Later later) {
    // What only one of them has, or where the other has size 1, is summed alone. Where both have size 1 there is
    // nothing to sum, which would make int64 of integers.
    const auto single = [&](int label) { return !later(label) && left.size(label) == 1 && right.size(label) == 1; };
    const auto alone = [&later](const Labelled& other) {
        return [&](int label) { return !later(label) && other.size(label) == 1; };
    };
    const auto inOrder = [&output](const Labelled& t) {
        std::vector<int> order = t.labels;
        sortLabels(order, output);
        return Labelled{arranged(t, order), order};
    };
    const Labelled a = summed(inOrder(without(left, single)), alone(right)),
                   b = summed(inOrder(without(right, single)), alone(left));
    std::vector<int> batch, ofA, ofB, inner;
    for (const int label : a.labels) {
        const bool shared = b.place(label).has_value();
        (!shared ? ofA : later(label) ? batch : inner).push_back(label);
    }
    for (const int label : b.labels)
        if (!a.place(label)) ofB.push_back(label);
    for (std::vector<int>* group : {&batch, &ofA, &ofB}) sortLabels(*group, output);
    // A label that both have with size 1 on one side and that is summed was dropped from the wide side already.
    std::vector<int> labels = batch;
    labels.insert(labels.end(), ofA.begin(), ofA.end());
    labels.insert(labels.end(), ofB.begin(), ofB.end());
    if (inner.empty()) {
        sortLabels(labels, output);
        return {mul(arranged(a, labels), arranged(b, labels)), labels};
    }

    const Index count = volume(a, b, batch), m = volume(a, a, ofA), n = volume(b, b, ofB), k = volume(a, b, inner);
    const auto grouped = [&](const Labelled& t, const std::vector<int>& first, const std::vector<int>& second,
                             Index rows, Index cols) {
        std::vector<int> order = batch;
        order.insert(order.end(), first.begin(), first.end());
        order.insert(order.end(), second.begin(), second.end());
        Dims sizes;
        for (const int label : order) sizes.push_back(joint(a, b, label));
        return reshape(expand(arranged(t, order), sizes), {count, rows, cols});
    };
    const Tensor product = bmm(grouped(a, ofA, inner, m, k), grouped(b, inner, ofB, k, n));
    Dims shape;
    for (const int label : labels) shape.push_back(joint(a, b, label));
    return {view(product, shape), labels};
}

std::vector<int> outputLabels(const Equation& equation, const std::vector<std::vector<int>>& inputs,
                              std::size_t widest) {
    std::array<int, kLetters> times{};
    for (const std::vector<int>& subscripts : inputs)
        for (const int label : subscripts)
            if (label >= 0) ++times[static_cast<std::size_t>(label)];
    std::vector<int> labels;
    const auto appendEllipsis = [&] {
        for (std::size_t i = 0; i < widest; ++i) labels.push_back(kLetters + static_cast<int>(i));
    };
    if (!equation.output) {
        appendEllipsis();
        for (int label = 0; label < kLetters; ++label)
            if (times[static_cast<std::size_t>(label)] == 1) labels.push_back(label);
        return labels;
    }
    for (const int label : *equation.output) {
        if (label == kEllipsis) {
            appendEllipsis();
            continue;
        }
        if (times[static_cast<std::size_t>(label)] == 0)
            refuse("EINSUM-06",
                   "output subscript " + letterText(label) + " does not appear in the equation for any input operand");
        if (std::find(labels.begin(), labels.end(), label) != labels.end())
            refuse("EINSUM-06", "output subscript " + letterText(label) + " appears more than once in the output");
        labels.push_back(label);
    }
    return labels;
}

Tensor computed(std::string_view text, const std::vector<Tensor>& operands) {
    const Equation equation = parse(text);
    if (equation.inputs.size() != operands.size())
        refuse("EINSUM-01",
               std::string(equation.inputs.size() > operands.size() ? "fewer" : "more") +
                   " operands were provided than specified in the equation",
               "The equation has " + std::to_string(equation.inputs.size()) + ", given were " +
                   std::to_string(operands.size()) + ".");
    std::size_t widest = 0; // dims that an ellipsis covers at most
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const std::vector<int>& subscripts = equation.inputs[i];
        const std::size_t rank = operands[i].shape().size();
        if (std::find(subscripts.begin(), subscripts.end(), kEllipsis) != subscripts.end() &&
            subscripts.size() <= rank + 1)
            widest = std::max(widest, rank + 1 - subscripts.size());
    }
    const std::vector<int> output = outputLabels(equation, equation.inputs, widest);
    std::vector<Labelled> terms;
    std::vector<std::pair<int, Index>> sizes; // of each label, as far as seen
    for (std::size_t i = 0; i < operands.size(); ++i) {
        terms.push_back(labelled(operands[i], equation.inputs[i], i, widest));
        for (std::size_t d = 0; d < terms[i].labels.size(); ++d) {
            const int label = terms[i].labels[d];
            const Index size = terms[i].tensor.shape()[d];
            const auto seen = std::find_if(sizes.begin(), sizes.end(), [&](const auto& s) { return s.first == label; });
            if (seen == sizes.end())
                sizes.emplace_back(label, size);
            else if (seen->second == 1)
                seen->second = size;
            else if (size != 1 && size != seen->second)
                refuse("EINSUM-05", "subscript " + letterText(label) + " has size " + std::to_string(size) +
                                        " for operand " + std::to_string(i) +
                                        " which does not broadcast with previously seen size " +
                                        std::to_string(seen->second));
        }
    }
    Labelled result = terms.front();
    for (std::size_t i = 1; i < terms.size(); ++i) {
        result = contracted(result, terms[i], output, [&](int label) {
            if (std::find(output.begin(), output.end(), label) != output.end()) return true;
            return std::any_of(terms.begin() + static_cast<std::ptrdiff_t>(i) + 1, terms.end(),
                               [&](const Labelled& t) { return t.place(label).has_value(); });
        });
    }
    std::vector<int> order = result.labels;
    sortLabels(order, output);
    result = summed(Labelled{arranged(result, order), order},
                    [&](int label) { return std::find(output.begin(), output.end(), label) == output.end(); });
    return arranged(result, output);
}

} // namespace

Tensor einsum(std::string_view equation, const std::vector<Tensor>& operands) {
    if (operands.empty()) refuse("EINSUM-01", "must provide at least one operand");
    for (const Tensor& t : operands) elementwise::requireDefined(t, "einsum");
    const Observation observation;
    Tensor result = [&] {
        const trace::Nested nested;
        return computed(equation, operands);
    }();
    if (observation) {
        const bool shares = std::any_of(operands.begin(), operands.end(),
                                        [&](const Tensor& t) { return t.storage() == result.storage(); });
        std::string arguments = "'" + std::string(equation) + "'";
        std::vector<const Tensor*> inputs;
        Observation::Bytes bytes{0, result.nbytes(), result.nbytes()};
        for (const Tensor& t : operands) {
            arguments += ", {" + std::to_string(inputs.size()) + "}";
            inputs.push_back(&t);
            bytes.read += t.nbytes();
        }
        const Tensor* const outputs[] = {&result};
        observation.publish("einsum", arguments, inputs, outputs, shares ? OpEffect::View : OpEffect::Alloc,
                            shares ? Observation::Bytes{} : bytes);
    }
    return result;
}

} // namespace stridescope
