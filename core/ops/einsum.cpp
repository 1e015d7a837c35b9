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
};

/// Labels for the dims of an ellipsis count from the right, so that they broadcast, missing ones of size 1; repeated
/// letters become diagonals.
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
        const std::size_t covered = rank - letters, at = result.labels.size();
        for (std::size_t i = 0; i < widest; ++i) {
            if (i + covered < widest) result.tensor = unsqueeze(result.tensor, static_cast<Index>(at));
            result.labels.push_back(kLetters + static_cast<int>(i));
        }
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
Tensor arranged(Labelled t, const std::vector<int>& labels) {
    for (const int label : labels) {
        if (t.place(label)) continue;
        t.tensor = unsqueeze(t.tensor, -1);
        t.labels.push_back(label);
    }
    Dims order;
    for (const int label : labels) order.push_back(static_cast<Index>(*t.place(label)));
    return permute(t.tensor, order);
}

bool isWide(const Tensor& t, Index dim) {
    return t.size(dim) != 1;
}

/// The sizes that `dims` have, and how many elements that makes.
Dims sizesOf(const Tensor& t, const Dims& dims) {
    Dims sizes;
    for (const Index d : dims) sizes.push_back(t.size(d));
    return sizes;
}
Index volume(const Tensor& t, const Dims& dims) {
    Index n = 1;
    for (const Index d : dims) n *= t.size(d);
    return n;
}

Dims joined(std::initializer_list<const Dims*> lists) {
    Dims all;
    for (const Dims* list : lists)
        for (const Index d : *list) all.push_back(d);
    return all;
}

/// a and b, of one rank, multiplied and summed over the dims `inner`, which are kept with size 1 and which both have
/// wide: a batch of matrix products. The result lies in memory as PyTorch's: dims of both, of a, inner ones, of b.
Tensor multiplied(const Tensor& a, const Tensor& b, const Dims& inner) {
    if (inner.empty()) return mul(a, b);
    Dims batch, ofA, ofB;
    for (Index d = 0; d < a.dim(); ++d) {
        if (std::find(inner.begin(), inner.end(), d) != inner.end()) continue;
        (!isWide(a, d) ? ofB : isWide(b, d) ? batch : ofA).push_back(d);
    }
    const Index count = volume(a, batch), k = volume(a, inner);
    const Tensor product = bmm(reshape(permute(a, joined({&batch, &ofA, &inner, &ofB})), {count, volume(a, ofA), k}),
                               reshape(permute(b, joined({&batch, &inner, &ofB, &ofA})), {count, k, volume(b, ofB)}));
    const Dims before = sizesOf(a, joined({&batch, &ofA})), between(inner.size(), 1), behind = sizesOf(b, ofB);
    const Dims order = joined({&batch, &ofA, &inner, &ofB});
    Dims back(order.size(), 0);
    for (std::size_t at = 0; at < order.size(); ++at)
        back[static_cast<std::size_t>(order[at])] = static_cast<Index>(at);
    return permute(view(product, joined({&before, &between, &behind})), back);
}

/// Operands of one rank, multiplied from left to right and summed over the dims from `kept` on, each as soon as nothing
/// that follows has it wide.
Tensor contracted(const std::vector<Tensor>& operands, Index kept) {
    const Index rank = operands.front().dim();
    std::vector<int> wide(static_cast<std::size_t>(rank), 0); // how many have that dim wide, of those that remain
    for (const Tensor& t : operands)
        for (Index d = 0; d < rank; ++d) wide[static_cast<std::size_t>(d)] += isWide(t, d) ? 1 : 0;
    Dims left;
    for (Index d = kept; d < rank; ++d) left.push_back(d);
    if (operands.size() == 1) return left.empty() ? operands.front() : sum(operands.front(), left);
    Tensor result = operands.front();
    for (std::size_t i = 1; i < operands.size(); ++i) {
        Dims inner, ofResult, ofNext;
        const Tensor& next = operands[i];
        for (const Index d : left) {
            int& count = wide[static_cast<std::size_t>(d)];
            const bool both = isWide(result, d) && isWide(next, d);
            if (both) --count;
            if (count != 1) continue;
            if (both)
                inner.push_back(d);
            else if (isWide(result, d))
                ofResult.push_back(d);
            else if (isWide(next, d))
                ofNext.push_back(d);
            else
                continue; // a later one has it
            count = 0;
        }
        // Integers become int64 in a sum, as anywhere.
        result = multiplied(ofResult.empty() ? result : sum(result, ofResult, true),
                            ofNext.empty() ? next : sum(next, ofNext, true), inner);
    }
    if (left.empty()) return result;
    Dims shape;
    for (Index d = 0; d < kept; ++d) shape.push_back(result.size(d));
    return view(result, shape); // the others have size 1
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
    // The dims of all operands: those of the output, then the others, an ellipsis first and letters as in the alphabet.
    std::vector<int> order = output, others;
    for (const auto& [label, size] : sizes)
        if (std::find(output.begin(), output.end(), label) == output.end()) others.push_back(label);
    std::sort(others.begin(), others.end(),
              [](int x, int y) { return std::pair(x < kLetters, x) < std::pair(y < kLetters, y); });
    order.insert(order.end(), others.begin(), others.end());
    std::vector<Tensor> arrangedTerms;
    arrangedTerms.reserve(terms.size());
    for (const Labelled& term : terms) arrangedTerms.push_back(arranged(term, order));
    return contracted(arrangedTerms, static_cast<Index>(output.size()));
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
