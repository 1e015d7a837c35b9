// Two pictures at once: either side of a handle, beside each other with one zoom for both, or how far they differ.

#include "app/images/images_screen.h"
#include "widgets/images/image_grid_view.h"
#include "widgets/model/words.h"
#include "widgets/shared/elided_label.h"

#include <QComboBox>
#include <QLabel>
#include <QSpinBox>

#include <algorithm>
#include <iterator>

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
    if (beside) m_other->showPlace(m_grid->zoom(), m_grid->origin());
    if (!apart) return {};
    return tr("A handle needs two pictures of one size; these are %1 × %2 and %3 × %4 pixels and stand side by side.")
        .arg(left.size().width())
        .arg(left.size().height())
        .arg(sheet.size().width())
        .arg(sheet.size().height());
}

std::optional<std::size_t> ImagesScreen::mistakeStep() const {
    if (!m_mistake) return std::nullopt;
    const auto isIt = [this](const ChainStep& step) { return step.on && step.code == m_mistake->code; };
    if (m_mistake->step < m_steps.size() && isIt(m_steps[m_mistake->step])) return m_mistake->step;
    // It may have been moved.
    const auto last = std::find_if(m_steps.rbegin(), m_steps.rend(), isIt);
    if (last == m_steps.rend()) return std::nullopt;
    return static_cast<std::size_t>(std::distance(last, m_steps.rend()) - 1);
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
    m_mistake = Mistake{mistake.code, mistake.what, at};
    setSteps(steps);
    finishRun();
    compare(at > 0 ? QStringLiteral("s%1").arg(at - 1) : QStringLiteral("t%1").arg(m_source), Comparison::Beside);
}

} // namespace stridescope
