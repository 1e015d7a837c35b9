#pragma once
// Where an element came from, through several operations, as a tree of words.

#include "app/workspace/past.h"
#include "widgets/model/whence.h"

namespace stridescope {

class WhenceTree {
public:
    static constexpr int kDeepest = 6;
    static constexpr Index kSources = 8;   ///< of one element that are listed
    static constexpr Index kTerms = 4;     ///< of one sum that are written out
    static constexpr int kElements = 120;  ///< of the whole tree
    static constexpr Index kReplayed = 64; ///< elements of one operation that is carried out once more
    static constexpr int kReplays = 200;   ///< in the whole tree

    explicit WhenceTree(const Past& past) : m_past(past) {}
    Whence of(const PastElement& element) { return node(element, m_past.now(), 0); }
    /// Its value at a moment; where that was not kept, the operation that made it is carried out once more.
    std::optional<PastValue> value(const PastElement& element, PastMoment when) {
        m_replays = 0;
        return valueOf(element, when);
    }

private:
    struct Part;

    Whence node(const PastElement& asked, PastMoment when, int depth);
    void byOperation(Whence& whence, const QString& label, const OpRecord& record, const WrittenElement& element,
                     PastMoment at, int depth);
    // whence_chosen.cpp
    /// The element of the first input that indices name; nothing where it is no such operation or they are not known.
    std::optional<Dims> chosenByIndices(const OpRecord& record, const Sources& sources, PastMoment at, int depth);
    /// Of unique(): the elements that have the value of `element`.
    std::optional<Sources> equalOnes(const OpRecord& record, const Sources& sources, const WrittenElement& element,
                                     PastMoment at, int depth);
    /// Told as what one element of the first input became; false where nobody knows which.
    bool byIndices(Whence& whence, const QString& label, const OpRecord& record, Sources sources, PastMoment at,
                   int depth);
    void addSources(Whence& whence, const OpRecord& record, const Sources& sources, PastMoment at, int depth);
    std::vector<Part> partsOf(const OpRecord& record, const SourceBox& box, PastMoment at, Index most);
    Part partOf(const OpRecord& record, std::size_t input, const Dims& coord, PastMoment at);
    QString labelOf(const PastElement& element, std::size_t step) const;
    /// The operation in the names of that time; what has none is written out, too.
    QString codeOf(const OpRecord& record, PastMoment at, int depth = 0) const;
    const OpRecord& recordAt(PastMoment at) const { return m_past.steps()[at.step].operations->records()[at.record]; }
    /// Empty where it is not known.
    QString valueText(const PastElement& element, PastMoment when);
    std::optional<PastValue> valueOf(const PastElement& element, PastMoment when, int depth = 0);
    /// Of torch.tensor([2, 0]) and other creations that tell what they made.
    static std::optional<PastValue> createdAgain(const OpRecord& record, const Dims& coord);
    std::optional<PastValue> replayed(const OpRecord& record, const WrittenElement& element, PastMoment at, int depth);

    const Past& m_past;
    int m_elements = 0, m_replays = 0;
};

} // namespace stridescope
