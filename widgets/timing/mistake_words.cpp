#include "widgets/timing/mistake_words.h"

#include "widgets/scene/painted_text.h"

namespace stridescope {

namespace {

/// Core has no translations; the texts are there again to be found by who translates.
[[maybe_unused]] constexpr const char* kTexts[]{
    QT_TRANSLATE_NOOP("PaintedText", "No synchronise"),
    QT_TRANSLATE_NOOP("PaintedText",
                      "Stops the clock when the work is queued, so it sees the launch and not the product."),
    QT_TRANSLATE_NOOP("PaintedText", "No warm-up"),
    QT_TRANSLATE_NOOP(
        "PaintedText",
        "The first call also makes what is made once: memory pages, handles, on a GPU code that is loaded."),
    QT_TRANSLATE_NOOP("PaintedText", "Transfer counted in"),
    QT_TRANSLATE_NOOP(
        "PaintedText",
        "Right if the data start and end on the CPU: that is the time you wait. Wrong as the time of the product."),
    QT_TRANSLATE_NOOP("PaintedText", "Transfer left out"),
    QT_TRANSLATE_NOOP("PaintedText", "Right only if the data already live on the GPU; say so beside the number."),
    QT_TRANSLATE_NOOP("PaintedText", "Too few runs"),
    QT_TRANSLATE_NOOP(
        "PaintedText",
        "One call is shorter than what disturbs it: the clock, an interrupt, a neighbour. Single runs tell anything."),
    QT_TRANSLATE_NOOP("PaintedText", "Python loop"),
    QT_TRANSLATE_NOOP("PaintedText", "The loop pays the interpreter for each element; the operation pays it once."),
    QT_TRANSLATE_NOOP("PaintedText", "Inverse instead of solve"),
    QT_TRANSLATE_NOOP("PaintedText",
                      "The inverse takes about three times the arithmetic, and the answer is less exact."),
    QT_TRANSLATE_NOOP("PaintedText", "Column by column"),
    QT_TRANSLATE_NOOP("PaintedText",
                      "The same additions in another order: each step down a column asks for another cache line."),
};

QString translated(std::string_view text) {
    return PaintedText::tr(std::string(text).c_str());
}

} // namespace

QString mistakeTitle(const timing::MistakeCase& mistake) {
    return translated(mistake.title);
}

QString mistakeSays(const timing::MistakeCase& mistake) {
    return translated(mistake.says);
}

} // namespace stridescope
