#pragma once
// ImageChain: operations on one tensor of images, each a piece of code, carried out one after another without touching
// the workspace. What a step writes stays out of the tensor before it, so that the picture before it can be compared:
// it goes into a copy or, for many bytes, is worked out where they are read.

#include "core/result.h"
#include "core/tensor/tensor.h"
#include "widgets/images/overwrites.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace stridescope {

struct ChainStep {
    QString code; ///< what stands behind the name: ".narrow(0, 0, 48)"
    bool on = true;
    friend bool operator==(const ChainStep&, const ChainStep&) = default;
};

/// What became of one step.
struct ChainOutcome {
    enum class Cost : quint8 { Off, View, Copy, Write, Refused };
    Cost cost = Cost::Off;
    Index bytes = 0;          ///< of the new storage, or written
    Index written = 0;        ///< elements that were overwritten
    Tensor tensor;            ///< after the step; as before it for what is off or refused
    Tensor touched;           ///< the view that was written, over the storage of `tensor`
    OverwritesPtr overwrites; ///< what the bytes of `tensor` are seen with; null: they are what is stored
    std::optional<Refusal> refusal;
};

struct ChainResult {
    std::vector<ChainOutcome> steps;
    Tensor last; ///< after all of them; its elements are those stored only without overwrites()
    /// The first refused step; -1: none.
    int refused = -1;
    /// Copies for writing are of whole storages: a step may look beyond the slots of its tensor.
    bool whole = false;
    Tensor base; ///< what was carried out, and on what
    std::vector<ChainStep> ran;

    OverwritesPtr overwrites() const { return steps.empty() ? nullptr : steps.back().overwrites; }
};

/// From so many bytes on that a copy for writing would take, a write that makes of each byte another one, whatever
/// stands elsewhere (`.narrow(1, 1, 1).fill_(0)`, `[:, 0] += 20`), is kept as Overwrites.
inline constexpr Index kKeptAsOverwrites = Index{1} << 25;

/// The tensor with its overwrites carried out, on a storage of its own: the same slots and strides.
Tensor carriedOut(const Tensor& tensor, const OverwritesPtr& overwrites);

/// Carries out `steps` on `base` in order. A step that is refused, or that gives no tensor, ends the chain: those
/// behind it are refused likewise. A step that writes leaves the whole tensor: `.narrow(1, 1, 2).fill_(-1)`.
/// `known`: a result on the same, unchanged elements; steps that begin both lists are not carried out again.
ChainResult runChain(const Tensor& base, const std::vector<ChainStep>& steps, const ChainResult* known = nullptr);

/// Which image of `base` each image of the result is; empty where the steps make images that are none of its own.
std::vector<Index> imagesAfter(const ChainResult& result);

/// The steps as lines for the console: "y = x.narrow(0, 0, 48)", then what changes y.
QStringList chainLines(const QString& source, const QString& name, const std::vector<ChainStep>& steps,
                       const ChainResult& result);

} // namespace stridescope
