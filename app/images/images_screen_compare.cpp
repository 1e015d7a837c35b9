// Two pictures at once: either side of a handle, beside each other with one zoom for both, or how far they differ.

#include "app/images/images_screen.h"
#include "widgets/images/image_grid_view.h"
#include "widgets/model/words.h"
#include "widgets/shared/elided_label.h"

#include <QComboBox>
#include <QLabel>
#include <QSpinBox>

namespace stridescope {

/// The pictures that can be compared with: after each step, and other tensors. What was chosen stays.
void ImagesScreen::fillComparison() {
    const QString chosen = m_compare->currentData().toString();
    m_compare->clear();
    m_compare->addItem(tr("nothing"), QString());
    for (std::size_t i = 0; i < m_steps.size(); ++i)
        m_compare->addItem(tr("%1 %2").arg(i + 1).arg(m_steps[i].code), QStringLiteral("s%1").arg(i));
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

void ImagesScreen::showComparison() {
    const Tensor& shown = shownTensor();
    const auto [other, otherOverwrites] = compared();
    const auto how = static_cast<Comparison>(m_comparison->currentIndex());
    ImageSheet sheet = sheetOf(shown, m_result.overwrites()), left;
    if (other.defined() && ImageSheet::whyNot(other).isEmpty()) {
        const bool shuffled = other.dim() == 4 && shown.defined() && shown.dim() == 4 && other.size(0) == shown.size(0);
        left = ImageSheet(other, columns(), sheet.isEmpty() ? 2 : m_padding->value(),
                          shuffled ? m_order : std::vector<Index>(), otherOverwrites);
    }
    const bool compares = !left.isEmpty() && !sheet.isEmpty(), beside = compares && how == Comparison::Beside;
    QString captions[2];
    if (compares) {
        captions[0] = m_compare->currentText();
        captions[1] = m_result.ran.empty() ? tr("the images")
                                           : tr("%1 %2").arg(m_result.ran.size()).arg(m_result.ran.back().code);
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
    m_grid->setSheets(sheet, compares && how == Comparison::Handle ? left : ImageSheet());
    m_grid->setLook(m_look, lookOf(other));
    m_other->setVisible(beside);
    m_other->setSheets(beside ? left : ImageSheet());
    m_other->setLook(lookOf(other));
    if (beside) m_other->showPlace(m_grid->zoom(), m_grid->origin());
}

} // namespace stridescope
