#include "app/images/images_screen.h"

#include "app/images/image_channels.h"
#include "app/images/step_numbers.h"
#include "core/io/text.h"
#include "widgets/images/axis_chips.h"
#include "widgets/images/image_grid_view.h"
#include "widgets/images/images_page.h"
#include "widgets/images/pixel_panel.h"
#include "widgets/images/step_list.h"
#include "widgets/images/touched_strip.h"
#include "widgets/model/words.h"
#include "widgets/shared/elided_label.h"

#include <QApplication>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

#include <cmath>
#include <utility>

namespace stridescope {

namespace {

/// In the list of tensors: no tensor, but the offer to fetch some.
constexpr TensorId kDownload = ~TensorId{0};

} // namespace

ImagesScreen::ImagesScreen(Workspace* workspace, QWidget* parent) : Screen(parent), m_workspace(workspace) {
    setFocusPolicy(Qt::StrongFocus);
    // A stack is as wide as its widest page: beside its docks Explore would have no room left.
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    auto* stack = new QVBoxLayout(this);
    stack->setContentsMargins(0, 0, 0, 0);
    m_page = new QWidget(this);
    auto* across = new QHBoxLayout(m_page);
    across->setContentsMargins(0, 0, 0, 0);
    across->setSpacing(1);
    across->addWidget(buildLeft());
    across->addWidget(buildMiddle(), 1);
    across->addWidget(buildRight());
    buildEmpty();
    stack->addWidget(m_page);
    stack->addWidget(m_empty);
    setFocusProxy(m_grid);
    connect(m_sources, &QComboBox::activated, this, [this](int row) {
        const TensorId chosen = m_sources->itemData(row).toULongLong();
        if (chosen != 0 && chosen != kDownload) return setSource(chosen);
        m_sources->setCurrentIndex(m_sources->findData(QVariant::fromValue(m_source)));
        if (chosen == kDownload)
            offerDownload();
        else
            takeSamples();
    });
    connect(m_workspace->model(), &WorkspaceModel::snapshotChanged, this, &ImagesScreen::followSnapshot);
    connect(m_workspace->model(), &WorkspaceModel::valuesChanged, this, [this](quint64 storage) {
        if (!m_base.defined() || m_base.storage()->id() != storage) return;
        m_valuesStale = true;
        followSnapshot();
    });
}

void ImagesScreen::showEvent(QShowEvent* event) {
    Screen::showEvent(event);
    if (m_stale) followSnapshot();
}

/// In a low window the pictures need the room more than what a copy of them would be.
void ImagesScreen::resizeEvent(QResizeEvent* event) {
    Screen::resizeEvent(event);
    constexpr int kLow = 680;
    m_touched->setMaximumHeight(height() < kLow ? m_touched->minimumSizeHint().height() : QWIDGETSIZE_MAX);
}

ImagesScreen::~ImagesScreen() = default;

void ImagesScreen::setTheme(const Theme& theme) {
    m_theme = theme;
    m_list->setTheme(theme);
    m_chips->setTheme(theme);
    m_grid->setTheme(theme);
    m_other->setTheme(theme);
    m_pixel->setTheme(theme);
    m_touched->setTheme(theme);
    m_histogram->setTheme(theme);
    m_add->setIcon(theme.icon(QStringLiteral("plus")));
    showSteps();
}

/// Nothing is carried out for a screen that is not seen.
void ImagesScreen::followSnapshot() {
    m_stale = !isVisible();
    if (m_stale) return;
    const SnapshotPtr& snapshot = m_workspace->model()->snapshot();
    m_sources->clear();
    TensorId first = 0;
    for (const TensorEntry& entry : snapshot->tensors) {
        if (!looksLikeImages(entry.tensor)) continue;
        m_sources->addItem(entry.name, QVariant::fromValue(entry.id));
        // The largest are most likely meant: small tables of numbers look like images, too.
        if (first == 0 || entry.tensor.numel() > snapshot->tensor(first)->tensor.numel()) first = entry.id;
    }
    m_sources->addItem(tr("sample images…"), QVariant::fromValue(TensorId{0}));
    m_sources->addItem(tr("download…"), QVariant::fromValue(kDownload));
    if (m_wantsNewest && first != 0) {
        m_wantsNewest = false;
        m_source = first;
        for (const TensorEntry& entry : snapshot->tensors)
            if (looksLikeImages(entry.tensor)) m_source = std::max(m_source, entry.id);
        showPage(true);
        return setSource(m_source);
    }
    const TensorEntry* kept = snapshot->tensor(m_source);
    const bool keeps = kept && looksLikeImages(kept->tensor) && m_sources->findData(QVariant::fromValue(m_source)) >= 0;
    showPage(first != 0);
    if (!keeps) return setSource(first);
    m_sources->setCurrentIndex(m_sources->findData(QVariant::fromValue(m_source)));
    const bool same = kept->tensor.storage() == m_base.storage() && kept->tensor.view() == m_base.view();
    m_base = kept->tensor;
    showLabels();
    showPixel(); // labels that came after the images
    const bool stale = std::exchange(m_valuesStale, false);
    if (stale) m_result.base = Tensor(); // its steps are of values that are no more
    if (!same || stale) rerun();
}

/// The keys go with what is seen: a button that is hidden would hand them to whatever comes next in the window.
void ImagesScreen::showPage(bool there) {
    QWidget *seen = there ? m_page : m_empty, *hidden = there ? m_empty : m_page;
    const bool focused = hidden->isAncestorOf(QApplication::focusWidget());
    seen->show();
    if (focused) there ? m_grid->setFocus() : m_empty->findChild<QPushButton*>()->setFocus();
    hidden->hide();
}

void ImagesScreen::setSource(TensorId tensor) {
    const TensorEntry* entry = m_workspace->model()->snapshot()->tensor(tensor);
    m_source = entry ? tensor : 0;
    m_base = entry ? entry->tensor : Tensor();
    m_sources->setCurrentIndex(m_sources->findData(QVariant::fromValue(m_source)));
    m_ownLook = false;
    m_mistakes.clear();
    m_history.clear();
    takeSteps(entry ? stepsToImages(m_base) : std::vector<ChainStep>());
}

void ImagesScreen::setSteps(const std::vector<ChainStep>& steps) {
    if (steps == m_steps) return;
    m_history.record(m_steps, steps);
    takeSteps(steps);
}

void ImagesScreen::addStep(const QString& code) {
    auto steps = m_steps;
    steps.push_back({code});
    setSteps(steps);
}

/// The newest list wins: changes that come while one is carried out wait for its end, all but the last are forgotten.
void ImagesScreen::rerun() {
    if (!m_base.defined()) return takeResult({});
    if (m_runner.isBusy()) {
        m_runAgain = true;
        return;
    }
    const auto result = std::make_shared<ChainResult>();
    const auto steps = m_steps;
    m_runner.start(
        [result, base = m_base, steps, known = m_result](Job& job) {
            const JobScope scope(job);
            *result = runChain(base, steps, &known);
        },
        [this, result, steps] {
            if (steps == m_steps) takeResult(*result);
            if (std::exchange(m_runAgain, false)) rerun();
        });
    m_runner.waitFor(8); // a short list is shown at once, without a picture of the list before it
}

void ImagesScreen::finishRun() {
    while (m_runner.isBusy()) m_runner.waitFor(-1);
}

void ImagesScreen::takeResult(const ChainResult& result) {
    m_result = result;
    const Tensor& shown = shownTensor();
    if (shown.defined() && (shown.dtype() != m_lookFor || !m_ownLook)) {
        const ImageLook usual = usualLook(shown.dtype());
        m_look.black = usual.black;
        m_look.white = usual.white;
        m_lookFor = shown.dtype();
        m_ownLook = false;
    }
    const auto solo = soloOf(m_result);
    m_look.single = solo && solo->channel < 3 ? solo->channel : -1;
    fillComparison();
    showSteps();
    showChannels();
    showGrid();
    showCounts();
    showTouched();
    const QString dtype = shown.defined() ? dtypeText(shown.dtype()) : QString();
    m_facts->setText(shown.defined() ? tr("contiguous: %1 · offset %2 · %3")
                                           .arg(shown.isContiguous() ? tr("yes") : tr("no"))
                                           .arg(countText(shown.storageOffset()))
                                           .arg(QString::fromStdString(toString(shown.device())))
                                     : QString());
    if (std::exchange(m_dtype, dtype) != dtype) Q_EMIT shownDTypeChanged();
}

void ImagesScreen::showSteps() {
    std::vector<ShownStep> shown;
    for (std::size_t i = 0; i < m_steps.size() && i < m_result.steps.size(); ++i) {
        const ChainOutcome& outcome = m_result.steps[i];
        ShownStep step{m_steps[i].code, {}, {}, {}, {}, m_steps[i].on};
        if (outcome.tensor.defined())
            step.facts = shapeText(outcome.tensor.shape()) + QLatin1Char(' ') + dtypeText(outcome.tensor.dtype());
        const QString bytes = bytesText(static_cast<quint64>(outcome.bytes));
        switch (outcome.cost) {
        case ChainOutcome::Cost::View:
            step.cost = tr("view, +0 B");
            break;
        case ChainOutcome::Cost::Copy:
            step.cost = tr("copy, +%1").arg(bytes);
            break;
        case ChainOutcome::Cost::Write:
            step.cost = tr("writes %1 values in place (%2)").arg(countText(outcome.written), bytes);
            break;
        default:
            break;
        }
        if (outcome.cost == ChainOutcome::Cost::Refused)
            step.why = outcome.refusal ? QString::fromStdString(sanitiseForDisplay(outcome.refusal->message))
                                       : tr("waits for the step above");
        if (ImageSheet::whyNot(outcome.tensor).isEmpty()) {
            const ImageSheet sheet(outcome.tensor, 1, 0, {}, outcome.overwrites);
            const Index side = std::max(sheet.imageHeight(), sheet.imageWidth());
            const Index every = std::max<Index>(1, side / 44);
            step.picture = sheet
                               .tile(0, 0, static_cast<int>(std::min<Index>(side / every, 64)), every,
                                     usualLook(outcome.tensor.dtype()), 0)
                               .copy(0, 0, static_cast<int>(sheet.imageWidth() / every),
                                     static_cast<int>(sheet.imageHeight() / every));
        }
        step.numbers = stepNumbers(m_steps[i].code, i > 0 ? m_result.steps[i - 1].tensor : m_base);
        shown.push_back(std::move(step));
    }
    m_list->setSteps(shown);
}

Index ImagesScreen::columns() const {
    if (m_columns->value() > 0) return m_columns->value();
    const Tensor& shown = shownTensor();
    const Index count = shown.defined() && shown.dim() == 4 ? shown.size(0) : 1;
    if (count <= 96) return 12;
    return static_cast<Index>(std::ceil(
        std::sqrt(static_cast<double>(count) * std::max(m_grid->width(), 1) / std::max(m_grid->height(), 1))));
}

std::vector<Index> ImagesScreen::order() const {
    const Tensor& shown = shownTensor();
    if (m_seed->value() == 0 || !shown.defined() || shown.dim() != 4) return {};
    return shuffledOrder(shown.size(0), m_seed->value());
}

ImageSheet ImagesScreen::sheetOf(const Tensor& tensor, const OverwritesPtr& overwrites) const {
    if (!ImageSheet::whyNot(tensor).isEmpty()) return {};
    return ImageSheet(tensor, columns(), m_padding->value(), m_order, overwrites);
}

PresentedPage* ImagesScreen::presentedPage(QWidget* parent) {
    return new ImagesPage(m_grid, parent, [this] { return lines().join(QStringLiteral("; ")); });
}

void ImagesScreen::showGrid() {
    const Tensor& shown = shownTensor();
    QString why = m_base.defined() ? ImageSheet::whyNot(shown) : QString();
    if (why.isEmpty() && m_result.refused >= 0) {
        const ChainOutcome& refused = m_result.steps[static_cast<std::size_t>(m_result.refused)];
        why = tr("✗ Step %1: %2")
                  .arg(m_result.refused + 1)
                  .arg(QString::fromStdString(sanitiseForDisplay(refused.refusal->message)));
    } else if (why.isEmpty() && shown.defined() && shown.dim() > 2 && shown.size(-3) != 1 && shown.size(-3) != 3) {
        why = tr("%1 channels: make_grid takes 1 or 3. The first three are drawn.").arg(shown.size(-3));
    }
    if (m_result.refused < 0 && mistakeStep()) why = mistakeWords();
    m_order = order();
    const double pad = std::clamp(m_padValue->value(), 0.0, 1.0) * 255 + 0.5;
    m_grid->setGround(qRgb(static_cast<int>(pad), static_cast<int>(pad), static_cast<int>(pad)));
    m_other->setGround(qRgb(static_cast<int>(pad), static_cast<int>(pad), static_cast<int>(pad)));
    if (const QString said = showComparison(); !said.isEmpty())
        why += (why.isEmpty() ? QString() : QStringLiteral(" ")) + said;
    m_refusal->setText(why);
    m_refusal->setVisible(!why.isEmpty());
    if (!m_grid->picked() && !m_grid->sheet().isEmpty()) {
        const ImageSheet& sheet = m_grid->sheet();
        m_grid->pick({0, sheet.imageHeight() / 2, sheet.imageWidth() / 2});
    }
    m_chips->setView(shown.defined() ? shown.view() : View{},
                     m_base.defined() ? lettersAfter(m_base, m_result.ran, m_result) : QString());
    showLabels();
    showPixel();
}

std::vector<Index> ImagesScreen::slotsOfPick() const {
    const ImageSheet& sheet = m_grid->sheet();
    std::vector<Index> found;
    if (sheet.isEmpty() || !m_grid->pointed()) return found;
    for (Index c = 0; c < std::min<Index>(sheet.channels(), 3); ++c) found.push_back(sheet.slot(*m_grid->pointed(), c));
    return found;
}

void ImagesScreen::showPixel() {
    const ImageSheet& sheet = m_grid->sheet();
    const auto& picked = m_grid->pointed();
    m_pixel->show(sheet, sheet.isEmpty() ? std::nullopt : picked, m_look);
    m_touched->setPicked(slotsOfPick(), false);
    if (sheet.isEmpty()) return m_status->clear();
    const Index dims = sheet.tensor().dim();
    QString place;
    if (picked) {
        const bool hovered = m_grid->hovered().has_value();
        if (dims == 4)
            place =
                (hovered ? tr("pointed at: image %1, row %2, column %3") : tr("picked: image %1, row %2, column %3"))
                    .arg(picked->image)
                    .arg(picked->y)
                    .arg(picked->x);
        else
            place = (hovered ? tr("pointed at: row %1, column %2") : tr("picked: row %1, column %2"))
                        .arg(picked->y)
                        .arg(picked->x);
        if (const QString label = m_imageLabels.textOf(picked->image); !label.isEmpty())
            place += tr(", class %1").arg(label);
    }
    tellGrid(place);
    if (!picked) return;
    QStringList values;
    for (Index c = 0; c < std::min<Index>(sheet.channels(), 3); ++c)
        values << QString::number(sheet.value(*picked, c), 'g', 6);
    QString coord = QStringLiteral("%1, %2").arg(picked->y).arg(picked->x);
    if (dims > 2) coord.prepend(QStringLiteral(":, "));
    if (dims > 3) coord.prepend(QStringLiteral("%1, ").arg(picked->image));
    Q_EMIT statusTextChanged(tr("x[%1] = (%2) · slot %3 · stored values, not clipped by the range that is drawn")
                                 .arg(coord, values.join(QStringLiteral(", ")))
                                 .arg(sheet.slot(*picked, 0)));
}

/// As much of it as there is room for: what can be seen elsewhere goes first.
void ImagesScreen::tellGrid(const QString& place) {
    const ImageSheet& sheet = m_grid->sheet();
    const QString grid = tr("%1 × %2 grid").arg(sheet.down()).arg(sheet.across()),
                  size = tr("%1 × %2 pixels").arg(sheet.size().width()).arg(sheet.size().height()),
                  padding = tr("padding %1").arg(sheet.padding()), zoom = tr("%1×").arg(m_grid->zoom(), 0, 'g', 3),
                  smooth = tr("nearest neighbour, %1").arg(zoom);
    const QStringList candidates[] = {{place, grid, size + QStringLiteral(", ") + padding, smooth},
                                      {place, grid, size + QStringLiteral(", ") + padding, zoom},
                                      {place, grid, size, zoom},
                                      {place, size, zoom},
                                      {place, zoom}};
    QString text;
    for (QStringList words : candidates) {
        words.removeAll(QString());
        text = words.join(QStringLiteral(" · "));
        if (m_status->fontMetrics().horizontalAdvance(text) <= m_status->width()) break;
    }
    m_status->setText(text);
}

void ImagesScreen::setLook(const ImageLook& look) {
    m_look = look;
    m_grid->setLook(look, lookOf(compared().first));
    m_other->setLook(lookOf(compared().first));
    showChannels();
    showCounts();
    showPixel();
}

void ImagesScreen::showCounts() {
    const Tensor& shown = shownTensor();
    m_count->setText(shown.defined() ? tr("%1 values").arg(countText(shown.numel())) : QString());
    if (!shown.defined() || !ImageSheet::whyNot(shown).isEmpty()) return;
    m_histogram->setCounts(countValues(shown, m_look, 100'000, m_result.overwrites().get()), m_look);
    m_words->setText(m_histogram->words());
    m_words->setVisible(!m_words->text().isEmpty());
}

/// What the last step that writes has touched; without one, what the images reach.
void ImagesScreen::showTouched() {
    const Tensor& shown = shownTensor();
    m_touched->setVisible(shown.defined() && ImageSheet::whyNot(shown).isEmpty());
    if (m_touched->isHidden()) return;
    for (std::size_t i = m_result.steps.size(); i-- > 0;) {
        const ChainOutcome& outcome = m_result.steps[i];
        if (outcome.cost != ChainOutcome::Cost::Write || outcome.tensor.storage() != shown.storage()) continue;
        TouchedStrip::Content content{outcome.tensor, outcome.touched,
                                      tr("Elements touched by x%1").arg(m_result.ran[i].code), m_result.overwrites()};
        // Of a storage that was copied for writing, what the tensor reaches was.
        if (outcome.tensor.storage() != m_base.storage() && !m_result.whole)
            content.known = reach(outcome.tensor.view()).valueOrThrow();
        return m_touched->show(content);
    }
    // Of a part, all that the pictures had before it was taken: what lies between is theirs, too.
    const Tensor* whole = &shown;
    for (std::size_t i = m_result.steps.size(); i-- > 0;) {
        const Tensor& earlier = m_result.steps[i].tensor;
        if (earlier.storage() != shown.storage()) break;
        if (earlier.dim() >= 3 && earlier.size(-3) == 3 && earlier.dtype() == shown.dtype()) whole = &earlier;
    }
    if (m_base.storage() == shown.storage() && m_base.dim() >= 3 && m_base.size(-3) == 3) whole = &m_base;
    m_touched->show({*whole, shown, tr("Elements of the storage that the images reach"), m_result.overwrites()});
}

} // namespace stridescope
