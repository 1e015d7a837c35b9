// Two pictures at once: either side of a handle, beside each other with one zoom for both, or how far they differ.

#include "app/images/images_screen.h"
#include "widgets/images/image_grid_view.h"
#include "widgets/model/words.h"
#include "widgets/shared/elided_label.h"

#include <QComboBox>
#include <QLabel>
#include <QScopedValueRollback>
#include <QSpinBox>

#include <algorithm>

namespace stridescope {

/// The pictures that can be compared with: after each step, and other tensors. What was chosen stays.
void ImagesScreen::fillComparison() {
    const QString chosen = m_compare->currentData().toString();
    m_compare->clear();
    m_compare->addItem(tr("nothing"), QString());
    for (std::size_t i = 0; i < m_steps.size(); ++i)
        m_compare->addItem((m_steps[i].on ? tr("%1 %2") : tr("%1 %2 (off)")).arg(i + 1).arg(m_steps[i].code),
                           QStringLiteral("s%1").arg(i));
    for (const TensorEntry& entry : m_workspace->model()->snapshot()->tensors)
        if (looksLikeImages(entry.tensor)) m_compare->addItem(entry.name, QStringLiteral("t%1").arg(entry.id));
    m_compare->setCurrentIndex(std::max(m_compare->findData(chosen), 0));
}

void ImagesScreen::compare(const QString& what, Comparison how) {
    m_compare->setCurrentIndex(std::max(m_compare->findData(what), 0));
    m_comparison->setCurrentIndex(static_cast<int>(how));
    showGrid();
}

/// What is compared with, as images; undefined: nothing.
std::pair<Tensor, OverwritesPtr> ImagesScreen::compared() const {
    const QString what = m_compare->currentData().toString();
    const qulonglong number = what.mid(1).toULongLong();
    if (what.startsWith(QLatin1Char('s')))
        return number < m_result.steps.size()
                   ? std::pair(m_result.steps[number].tensor, m_result.steps[number].overwrites)
                   : std::pair(Tensor(), OverwritesPtr());
    if (!what.startsWith(QLatin1Char('t'))) return {};
    const TensorEntry* entry = m_workspace->model()->snapshot()->tensor(number);
    if (!entry) return {};
    const std::vector<ChainStep> turn = stepsToImages(entry->tensor);
    return {turn.empty() ? entry->tensor : runChain(entry->tensor, turn).last, nullptr}; // steps that only look
}

/// Values of another kind are drawn in the range that is usual for them.
ImageLook ImagesScreen::lookOf(const Tensor& tensor) const {
    const Tensor& shown = shownTensor();
    if (!tensor.defined() || !shown.defined() || isFloating(tensor.dtype()) == isFloating(shown.dtype())) return m_look;
    ImageLook look = m_look;
    const ImageLook usual = usualLook(tensor.dtype());
    look.black = usual.black;
    look.white = usual.white;
    return look;
}

QString ImagesScreen::captionOf(std::size_t last) const {
    using Cost = ChainOutcome::Cost;
    for (std::size_t i = std::min(last + 1, m_result.steps.size()); i-- > 0;)
        if (m_result.steps[i].cost != Cost::Off && m_result.steps[i].cost != Cost::Refused)
            return tr("%1 %2").arg(i + 1).arg(m_result.ran[i].code);
    return tr("the images");
}

QString ImagesScreen::showComparison() {
    const Tensor& shown = shownTensor();
    const auto [other, otherOverwrites] = compared();
    const auto how = static_cast<Comparison>(m_comparison->currentIndex());
    ImageSheet sheet = sheetOf(shown, m_result.overwrites()), left;
    if (other.defined() && ImageSheet::whyNot(other).isEmpty()) {
        const bool shuffled = other.dim() == 4 && shown.defined() && shown.dim() == 4 && other.size(0) == shown.size(0);
        left = ImageSheet(other, columns(), sheet.isEmpty() ? 2 : m_padding->value(),
                          shuffled ? m_order : std::vector<Index>(), otherOverwrites);
    }
    const bool compares = !left.isEmpty() && !sheet.isEmpty();
    // A handle moves over one place of both pictures.
    const bool apart = compares && how == Comparison::Handle && left.size() != sheet.size();
    const bool beside = apart || (compares && how == Comparison::Beside);
    QString captions[2];
    if (compares) {
        const QString what = m_compare->currentData().toString();
        captions[0] =
            what.startsWith(QLatin1Char('s')) ? captionOf(what.mid(1).toULongLong()) : m_compare->currentText();
        captions[1] = captionOf(m_result.steps.size());
    }
    if (compares && isBesideRight()) {
        captions[0] = tr("✓ correct: %1").arg(captions[0]);
        captions[1] = tr("✗ wrong: %1").arg(captions[1]);
    }
    if (compares && how == Comparison::Difference) {
        const bool alike = other.shape() == shown.shape() && isFloating(other.dtype()) == isFloating(shown.dtype());
        captions[0] = alike ? tr("|difference| of: %1").arg(captions[0])
                            : tr("✗ no difference: %1 %2 and %3 %4")
                                  .arg(shapeText(other.shape()), dtypeText(other.dtype()), shapeText(shown.shape()),
                                       dtypeText(shown.dtype()));
        if (alike) sheet.compareWith(left);
    }
    m_leftCaption->setText(captions[0]);
    m_rightCaption->setText(captions[1]);
    m_leftCaption->setVisible(compares);
    m_rightCaption->setVisible(compares);
    m_grid->setSheets(sheet, compares && how == Comparison::Handle && !apart ? left : ImageSheet());
    m_grid->setLook(m_look, lookOf(other));
    m_other->setVisible(beside);
    m_other->setSheets(beside ? left : ImageSheet());
    m_other->setLook(lookOf(other));
    if (beside) linkPlace(m_grid, m_other);
    if (!apart) return {};
    return tr("A handle needs two pictures of one size; these are %1 × %2 and %3 × %4 pixels and stand side by side.")
        .arg(left.size().width())
        .arg(left.size().height())
        .arg(sheet.size().width())
        .arg(sheet.size().height());
}

/// The one in the list: where it was put, else where it may have been moved to.
std::pair<const ImagesScreen::Mistake*, std::size_t> ImagesScreen::mistakeInList() const {
    const auto isIt = [](const Mistake& mistake, const ChainStep& step) {
        return step.on && step.code == mistake.code;
    };
    for (auto each = m_mistakes.rbegin(); each != m_mistakes.rend(); ++each)
        if (each->step < m_steps.size() && isIt(*each, m_steps[each->step])) return {&*each, each->step};
    for (auto each = m_mistakes.rbegin(); each != m_mistakes.rend(); ++each)
        for (std::size_t i = m_steps.size(); i-- > 0;)
            if (isIt(*each, m_steps[i])) return {&*each, i};
    return {nullptr, 0};
}

std::optional<std::size_t> ImagesScreen::mistakeStep() const {
    const auto [found, step] = mistakeInList();
    return found ? std::optional(step) : std::nullopt;
}

/// What the pictures at the mistake's left are compared with, when it was chosen.
QString ImagesScreen::rightPicture() const {
    const auto step = mistakeStep();
    if (!step) return {};
    return *step > 0 ? QStringLiteral("s%1").arg(*step - 1) : QStringLiteral("t%1").arg(m_source);
}

bool ImagesScreen::isBesideRight() const {
    return mistakeStep() && m_compare->currentData().toString() == rightPicture() && m_compare->currentIndex() > 0 &&
           static_cast<Comparison>(m_comparison->currentIndex()) != Comparison::Difference;
}

QString ImagesScreen::mistakeWords() const {
    const Mistake* mistake = mistakeInList().first;
    if (!mistake) return {};
    return (isBesideRight() ? tr("✗ At the right, the wrong one: %1 ✓ At the left, the correct one: %2")
                            : tr("✗ Wrong: %1 ✓ Correct: %2"))
        .arg(mistake->what, mistake->right);
}

void ImagesScreen::linkPlace(const ImageGridView* from, ImageGridView* to) {
    if (m_linking) return; // the other one answers
    const QScopedValueRollback linking(m_linking, true);
    const QSizeF size = from->sheet().size(), other = to->sheet().size();
    if (size == other) return to->showPlace(from->zoom(), from->origin());
    if (from->isFitted() || size.isEmpty()) return to->fit();
    to->showPlace(
        from->zoom() / from->fitZoom() * to->fitZoom(),
        {from->origin().x() / size.width() * other.width(), from->origin().y() / size.height() * other.height()});
}

const Tensor& ImagesScreen::rightTensor() const {
    const auto step = mistakeStep();
    if (!step || *step >= m_result.steps.size()) return shownTensor();
    return *step > 0 ? m_result.steps[*step - 1].tensor : m_result.base;
}

/// The right picture beside it. That is the one before any mistake: another one takes the place of the first.
void ImagesScreen::addMistake(const ImageOperation& mistake) {
    auto steps = m_steps;
    const std::size_t at = mistakeStep().value_or(steps.size());
    if (at < steps.size())
        steps[at].code = mistake.code;
    else
        steps.push_back({mistake.code});
    std::erase_if(m_mistakes, [&](const Mistake& each) { return each.code == mistake.code && each.step == at; });
    m_mistakes.push_back({mistake.code, mistake.what, mistake.right, at});
    setSteps(steps);
    finishRun();
    compare(rightPicture(), Comparison::Beside);
}

} // namespace stridescope
