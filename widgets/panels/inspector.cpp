#include "widgets/panels/inspector.h"

#include "core/view/legal_ranges.h"
#include "core/view/walk.h"
#include "widgets/figures/contiguity_walk.h"
#include "widgets/model/origin_words.h"
#include "widgets/model/seen_pick.h"
#include "widgets/model/words.h"
#include "widgets/panels/bytes_ledger.h"
#include "widgets/panels/cell_bytes.h"
#include "widgets/panels/code_label.h"
#include "widgets/panels/whence_view.h"
#include "widgets/shared/accessible_role.h"
#include "widgets/shared/empty_state.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>

namespace stridescope {

namespace {

constexpr int kMargin = 14;
constexpr qsizetype kMostTitle = 110; ///< letters of the title: four lines at the dock's usual width

QFrame* separator(QWidget* parent) {
    auto* line = new QFrame(parent);
    line->setFrameShape(QFrame::HLine);
    line->setProperty("kind", QStringLiteral("line"));
    return line;
}

} // namespace

Inspector::Inspector(WorkspaceModel* workspace, QWidget* parent)
    : QScrollArea(parent), m_workspace(workspace), m_body(new QWidget), m_column(new QVBoxLayout(m_body)) {
    setObjectName(QStringLiteral("inspector"));
    viewport()->setProperty("role", QStringLiteral("panel"));
    setAccessibleRole(this, QAccessible::Pane);
    setAccessibleName(tr("Inspector"));
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_body->setObjectName(QStringLiteral("inspectorBody"));
    m_body->setProperty("role", QStringLiteral("panel"));
    m_column->setContentsMargins(kMargin, 10, kMargin, 10);
    m_column->setSpacing(6);

    m_badge = new SceneView(m_body);
    m_badge->setAccessibleName(tr("Badge"));
    m_badge->setFixedWidth(32);
    m_name = new CodeLabel(m_body);
    m_name->setObjectName(QStringLiteral("inspectorName"));
    m_meta = new QLabel(m_body);
    m_meta->setObjectName(QStringLiteral("inspectorMeta"));
    m_meta->setWordWrap(true);
    m_meta->setProperty("quiet", true);
    auto* heading = new QHBoxLayout;
    auto* headingWords = new QVBoxLayout;
    headingWords->setSpacing(1);
    headingWords->addWidget(m_name);
    headingWords->addWidget(m_meta);
    heading->addWidget(m_badge, 0, Qt::AlignTop);
    heading->addSpacing(4);
    heading->addLayout(headingWords, 1);
    m_column->addLayout(heading);

    m_empty = new EmptyState(m_body);
    m_empty->hide();
    m_column->addWidget(m_empty);
    connect(m_empty, &EmptyState::chosen, this, [this](const QString& choice) {
        if (choice == QString::fromUtf16(kMakeChoice))
            Q_EMIT runRequested(firstTensorLine());
        else if (choice == QString::fromUtf16(kOpenChoice))
            Q_EMIT openRequested();
        else if (!m_workspace->snapshot()->tensors.empty())
            m_workspace->select(m_workspace->snapshot()->tensors.front().id);
    });

    m_column->addWidget(separator(m_body));
    addTitle(tr("Offset, size, stride"), &m_rangeNote);
    m_rangeNote->setText(tr("legal range, others fixed"));
    m_controlsColumn = new QVBoxLayout;
    m_controlsColumn->setSpacing(0);
    m_column->addLayout(m_controlsColumn);
    m_numberProblem = new QLabel(m_body);
    m_numberProblem->setObjectName(QStringLiteral("numberProblem"));
    m_numberProblem->setWordWrap(true);
    m_numberProblem->hide();
    m_column->addWidget(m_numberProblem);
    m_codeLabel = new CodeLabel(m_body, QSize(18, 10)); // as QLabel#codeLine of the style sheet
    m_codeLabel->setObjectName(QStringLiteral("codeLine"));
    m_codeLabel->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_copyCode = new QPushButton(tr("Copy"), m_body);
    m_copyCode->setProperty("small", true);
    m_copyCode->setObjectName(QStringLiteral("copyCode"));
    m_copyCode->setToolTip(tr("Copy this line of code"));
    auto* codeRow = new QHBoxLayout;
    codeRow->addWidget(m_codeLabel, 1);
    codeRow->addWidget(m_copyCode, 0, Qt::AlignTop);
    m_column->addLayout(codeRow);
    connect(m_copyCode, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(m_code); });

    m_column->addWidget(separator(m_body));
    addTitle(tr("Contiguity walk"), &m_walkVerdict);
    m_walk = new SceneView(m_body);
    m_walk->setObjectName(QStringLiteral("contiguityWalk"));
    m_column->addWidget(m_walk);
    m_walk->setToolTip(tr("Point at a cell to see the walk as far as there; click it to find it on the strip."));
    connect(m_walk, &SceneView::hovered, this, [this](const Hit& hit) {
        const bool cell = hit.part.kind == PartKind::LaneCells;
        playWalk(cell ? std::optional<Index>(hit.part.index) : std::nullopt);
    });
    connect(m_walk, &SceneView::clicked, this, [this](const Hit& hit) {
        const TensorEntry* entry = m_workspace->selected();
        if (!entry || hit.part.kind != PartKind::LaneCells) return;
        const std::optional<Index> position = firstVisit(entry->tensor.view(), hit.part.index);
        if (!position) return;
        const Dims coord = coordOfPosition(entry->tensor.view(), *position);
        Q_EMIT pickRequested({entry->tensor.storage()->id(), hit.part.index, entry->id, coord});
    });

    m_column->addWidget(separator(m_body));
    addTitle(tr("Bytes"), nullptr);
    m_ledger = new SceneView(m_body);
    m_ledger->setObjectName(QStringLiteral("bytesLedger"));
    m_column->addWidget(m_ledger);
    m_ledgerSentence = new QLabel(m_body);
    m_ledgerSentence->setObjectName(QStringLiteral("ledgerSentence"));
    m_ledgerSentence->setWordWrap(true);
    m_ledgerSentence->setProperty("quiet", true);
    m_column->addWidget(m_ledgerSentence);

    m_column->addWidget(separator(m_body));
    m_cellTitle = addTitle(tr("Cell"), &m_cellNote);
    m_cellTitle->setObjectName(QStringLiteral("cellTitle"));
    m_cellNote->setObjectName(QStringLiteral("cellNote"));
    m_cell = new SceneView(m_body);
    m_cell->setObjectName(QStringLiteral("cellBytes"));
    m_cell->setToolTip(tr("Click for the single bits"));
    m_column->addWidget(m_cell);

    m_column->addWidget(separator(m_body));
    m_whenceTitle = addTitle(tr("Where from"), &m_whenceNote);
    m_whence = new WhenceView(m_workspace, m_body);
    m_column->addWidget(m_whence);
    connect(m_whence, &WhenceView::pickRequested, this, &Inspector::pickRequested);
    connect(m_whence, &WhenceView::moved, this, [this](const QRect& place) {
        const QPoint middle = m_whence->mapTo(m_body, place.center());
        ensureVisible(middle.x(), middle.y(), 0, place.height() / 2 + 4);
    });
    m_column->addStretch(1);
    for (QLabel* text : m_body->findChildren<QLabel*>()) text->setTextFormat(Qt::PlainText);
    setWidget(m_body);

    connect(m_ledger, &SceneView::clicked, this, [this](const Hit& hit) {
        if (hit.part.tensor) m_workspace->select(hit.part.tensor);
    });
    connect(m_cell, &SceneView::clicked, this, [this] {
        m_bitsOpen = !m_bitsOpen;
        refreshCell();
    });
    connect(m_workspace, &WorkspaceModel::snapshotChanged, this, &Inspector::rebuild);
    connect(m_workspace, &WorkspaceModel::selectionChanged, this, [this] {
        if (m_workspace->selection().tensor != m_shown) rebuild();
        refreshCell();
    });
    connect(m_workspace, &WorkspaceModel::valuesChanged, this, &Inspector::refreshCell);
    rebuild();
}

void Inspector::showPart(Part part) {
    const QWidget* const wanted = part == Part::Walk    ? static_cast<QWidget*>(m_walk)
                                  : part == Part::Bytes ? static_cast<QWidget*>(m_ledger)
                                                        : m_whence;
    constexpr int kTitle = 34; // stands over it
    verticalScrollBar()->setValue(wanted->mapTo(m_body, QPoint()).y() - kTitle);
}

QLabel* Inspector::addTitle(const QString& text, QLabel** right) {
    auto* title = new QLabel(text, m_body);
    title->setProperty("heading", true);
    auto* row = new QHBoxLayout;
    row->setObjectName(QStringLiteral("titleRow"));
    // Both give way: together they may be wider than the dock.
    title->setWordWrap(true);
    title->setMinimumWidth(40);
    row->addWidget(title, 1);
    if (right) {
        *right = new QLabel(m_body);
        (*right)->setProperty("quiet", true);
        (*right)->setWordWrap(true);
        (*right)->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        (*right)->setMinimumWidth(40);
        row->addWidget(*right, 1);
    }
    m_column->addLayout(row);
    return title;
}

void Inspector::setTitle(QLabel* title, const QString& words, QLabel* note, const QString& aside) {
    const int room = width() - 2 * kMargin;
    const auto show = [room](QLabel* label, const QString& text) {
        label->ensurePolished(); // with the font of its kind
        const QFontMetrics metrics(label->font());
        const bool wide = metrics.horizontalAdvance(text) > room;
        const int letters = room / std::max(1, metrics.averageCharWidth());
        label->setText(wide ? CodeLabel::breakable(text, std::max(8, letters - 4)) : text);
        label->setToolTip(wide ? text : QString());
        return metrics.horizontalAdvance(text);
    };
    constexpr int kGap = 12;
    const bool together = show(title, words) + show(note, aside) + kGap <= room;
    // Side by side each is whole, else each has lines of its own.
    for (QLabel* label : {title, note}) {
        label->setWordWrap(!together);
        label->setMinimumWidth(together ? 0 : 40);
    }
    for (QBoxLayout* row : m_column->findChildren<QBoxLayout*>(QStringLiteral("titleRow"))) {
        if (row->indexOf(title) < 0) continue;
        row->setDirection(together ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
        note->setAlignment((together ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
}

void Inspector::setTheme(const Theme& theme) {
    m_theme = theme;
    for (SceneView* view : {m_badge, m_walk, m_ledger, m_cell}) view->setTheme(theme);
    for (const Control& entry : m_controls) entry.control->setTheme(theme);
    m_name->setFont(theme.font(FontRole::CodeStrong));
    m_meta->setFont(theme.font(FontRole::Label));
    m_codeLabel->setFont(theme.font(FontRole::Code));
    m_whence->setTheme(theme);
    refreshFigures();
    refreshCell();
}

void Inspector::rebuild() {
    m_refused.reset();
    const TensorEntry* entry = m_workspace->selected();
    const std::size_t rank = entry ? static_cast<std::size_t>(entry->tensor.dim()) : 0;
    if (!entry || rank != m_rank || m_controls.empty()) {
        for (const Control& old : m_controls) old.control->deleteLater();
        m_controls.clear();
        m_rank = rank;
        const auto add = [this](Field field, std::size_t dim, const QString& title, const QString& sub, Tone tone) {
            auto* control = new RangeControl(title, sub, tone, m_body);
            control->setDashed(field != Field::Offset && dim > 3);
            control->setObjectName(
                QStringLiteral("range_%1%2").arg(title, field == Field::Offset ? QString() : QString::number(dim)));
            control->setTheme(m_theme);
            m_controlsColumn->addWidget(control);
            const Control made{field, dim, control};
            m_controls.push_back(made);
            connect(control, &RangeControl::unreadable, this, [this, control](const QString& why) {
                endTyping(why);
                placeProblem(control);
            });
            connect(control, &RangeControl::abandoned, this, [this, made] {
                if (const TensorEntry* now = m_workspace->selected(); now && m_refused) {
                    m_refused = edited(made, numberOf(now->tensor.view(), made));
                    if (*m_refused == now->tensor.view()) m_refused.reset();
                    refresh();
                }
                endTyping({});
            });
            connect(control, &RangeControl::previewed, this, [this, made](Index value) {
                showProblem({});
                m_code = codeFor(edited(made, value));
                m_codeLabel->setCode(m_code);
                Q_EMIT previewRequested(m_code);
            });
            connect(control, &RangeControl::chosen, this, [this, made](Index value) {
                const View wanted = edited(made, value);
                Q_EMIT previewRequested(QString());
                Q_EMIT runRequested(codeFor(wanted));
                // A refused number stays to be mended, beside the picture of what it asked for, or to be made legal
                // by another one.
                const TensorEntry* now = m_workspace->selected();
                m_refused.reset();
                if (now && now->tensor.view() != wanted) m_refused = wanted;
                refresh();
            });
        };
        if (entry) {
            add(Field::Offset, 0, tr("offset"), tr("elements"), Tone::Control);
            // Above four dims the list would push everything else away; sizes and strides still alternate by dim.
            for (std::size_t d = 0; d < rank; ++d) {
                add(Field::Size, d, tr("size"), tr("dim %1").arg(d), Theme::dimTone(static_cast<Index>(d)));
            }
            for (std::size_t d = 0; d < rank; ++d) {
                add(Field::Stride, d, tr("stride"), tr("dim %1").arg(d), Theme::dimTone(static_cast<Index>(d)));
            }
        }
    }
    refresh();
}

void Inspector::showProblem(const QString& why) {
    m_numberProblem->setText(why.isEmpty() ? QString() : QStringLiteral("✗ ") + why);
    m_numberProblem->setVisible(!why.isEmpty());
}

/// Under the field that is meant: a low panel may show little else.
void Inspector::placeProblem(RangeControl* control) {
    if (m_numberProblem->isHidden()) return;
    m_column->removeWidget(m_numberProblem);
    m_controlsColumn->removeWidget(m_numberProblem);
    m_controlsColumn->insertWidget(m_controlsColumn->indexOf(control) + 1, m_numberProblem);
    // The panel is higher by the label only when that has been laid out.
    QTimer::singleShot(0, control, [this, control] {
        ensureWidgetVisible(m_numberProblem, 0, 4);
        ensureWidgetVisible(control, 0, 4);
    });
}

void Inspector::dropTyped() {
    for (const Control& item : m_controls) item.control->abandon();
}

void Inspector::endTyping(const QString& why) {
    showProblem(why);
    // Picture and code of an earlier number would stand beside this one as if they were its own.
    const TensorEntry* entry = m_workspace->selected();
    m_code = entry ? codeFor(entry->tensor.view()) : QString();
    m_codeLabel->setCode(m_code);
    Q_EMIT previewRequested(QString());
}

View Inspector::edited(const Control& changed, Index value) const {
    const TensorEntry* entry = m_workspace->selected();
    View view = m_refused ? *m_refused : entry ? entry->tensor.view() : View{};
    switch (changed.field) {
    case Field::Offset:
        view.offset = value;
        break;
    case Field::Size:
        if (changed.dim < view.shape.size()) view.shape[changed.dim] = value;
        break;
    case Field::Stride:
        if (changed.dim < view.stride.size()) view.stride[changed.dim] = value;
        break;
    }
    return view;
}

Index Inspector::numberOf(const View& view, const Control& control) const {
    return control.field == Field::Offset ? view.offset
           : control.field == Field::Size ? view.shape[control.dim]
                                          : view.stride[control.dim];
}

QString Inspector::codeFor(const View& view) const {
    const TensorEntry* entry = m_workspace->selected();
    if (!entry) return {};
    const TensorEntry* parent = m_workspace->snapshot()->tensor(entry->parent);
    const bool sameStorage = parent && parent->tensor.storage() == entry->tensor.storage() &&
                             parent->tensor.dtype() == entry->tensor.dtype();
    return QStringLiteral("%1 = %2.as_strided(%3, %4, %5)")
        .arg(entry->name, sameStorage ? parent->name : entry->name, shapeText(view.shape), shapeText(view.stride))
        .arg(view.offset);
}

void Inspector::refresh() {
    const TensorEntry* entry = m_workspace->selected();
    m_shown = entry ? entry->id : 0;
    showEmptiness();
    showProblem({});
    if (!entry) {
        m_name->setCode({});
        m_meta->clear();
        m_code.clear();
        m_codeLabel->setCode({});
        m_copyCode->setEnabled(false);
        m_badge->setScene({});
        refreshFigures();
        refreshCell();
        return;
    }
    const Tensor& tensor = entry->tensor;
    m_copyCode->setEnabled(true);
    m_name->setCode(plainName(entry->name + QStringLiteral(" = ") + entry->code), kMostTitle);
    m_meta->setText(QStringLiteral("%1 · %2 · %3 · %4")
                        .arg(dtypeText(tensor.dtype()), elementsText(tensor.numel()),
                             originText(entry->origin, m_workspace->snapshot()->tensor(entry->parent)),
                             QString::fromStdString(toString(tensor.device()))));
    // Beside refused numbers the ranges tell what would mend them.
    const View& asked = m_refused ? *m_refused : tensor.view();
    const ViewRanges legal = legalRanges(asked, tensor.storageNumel());
    for (const Control& item : m_controls) {
        item.control->setRange(item.field == Field::Offset ? legal.offset
                               : item.field == Field::Size ? legal.size[item.dim]
                                                           : legal.stride[item.dim]);
        item.control->setValue(numberOf(tensor.view(), item));
        if (const Index number = numberOf(asked, item); number != item.control->value())
            item.control->showRefused(number);
        if (item.field == Field::Stride) item.control->setIrrelevant(asked.shape[item.dim] == 1);
    }
    m_code = codeFor(tensor.view());
    m_codeLabel->setCode(m_code);
    Scene badge;
    badge.size = QSizeF(32, 34);
    if (entry->onStage && entry->colour >= 0)
        badge.nodes.push_back({{}, BadgeItem{{14, 15}, entry->colour, 26, entry->letter}});
    m_badge->setScene(badge);
    refreshFigures();
    refreshCell();
}

void Inspector::showEmptiness() {
    const bool empty = !m_workspace->selected();
    if (empty) {
        const auto& tensors = m_workspace->snapshot()->tensors;
        if (tensors.empty())
            m_empty->setContents(
                tr("Nothing to inspect yet"),
                tr("Offset, sizes, strides, bytes and visiting order of the selected tensor stand here."),
                firstTensorChoices());
        else
            m_empty->setContents(tr("Nothing is selected"), tr("Its offset, sizes and strides would stand here."),
                                 {{QStringLiteral("emptySelect"), tr("Select %1").arg(tensors.front().name)}});
    }
    // Titles of nothing say nothing.
    for (QObject* child : m_body->children()) {
        if (auto* part = qobject_cast<QWidget*>(child)) part->setVisible((part == m_empty) == empty);
    }
}

void Inspector::refreshFigures() {
    const TensorEntry* entry = m_workspace->selected();
    const qreal width = this->width() - 2 * kMargin;
    if (!entry || width < 60) {
        m_walk->setScene({});
        m_ledger->setScene({});
        m_ledgerSentence->clear();
        m_walkVerdict->clear();
        return;
    }
    m_walkVerdict->setText(entry->tensor.isContiguous() ? tr("✓ contiguous") : tr("✗ not contiguous"));
    playWalk(std::nullopt);
    m_ledger->setScene(bytesLedgerScene(*m_workspace->snapshot(), entry->id, width));
    m_ledgerSentence->setText(bytesLedger(*m_workspace->snapshot(), entry->id).sentence);
}

void Inspector::playWalk(std::optional<Index> slot) {
    const TensorEntry* entry = m_workspace->selected();
    if (!entry) return;
    WalkFigureInput walk;
    walk.entry = entry;
    walk.width = width() - 2 * kMargin;
    if (slot) walk.upTo = firstVisit(entry->tensor.view(), *slot);
    m_walk->setScene(contiguityWalkScene(walk));
}

void Inspector::refreshCell() {
    const std::optional<Pick>& pick = m_workspace->selection().shown();
    const WorkspaceSnapshot& snapshot = *m_workspace->snapshot();
    // The pointer passes over many cells; what is told below is of the one that was clicked.
    const std::optional<Pick>& pinned = m_workspace->selection().pick;
    Selection withoutPointer = m_workspace->selection();
    withoutPointer.hover.reset();
    const std::optional<Pick> seenPinned = seenPick(snapshot, withoutPointer);
    setTitle(m_whenceTitle, tr("Where from"), m_whenceNote,
             !pinned      ? QString()
             : seenPinned ? tr("picked cell %1").arg(cellName(snapshot, *seenPinned))
                          : tr("cell %1").arg(cellName(snapshot, *pinned)));
    if (!pick) {
        setTitle(m_cellTitle, tr("Cell"), m_cellNote, tr("point at one"));
        m_cell->setScene({});
        return;
    }
    const TensorEntry* entry = snapshot.tensor(pick->tensor);
    const StorageEntry* storage = snapshot.storage(pick->storageId);
    // Of a card that was hidden since, what is seen of its cell has the word.
    const std::optional<Pick> seen = seenPick(snapshot, m_workspace->selection());
    const std::size_t bytes = entry ? entry->tensor.itemSize() : storage ? itemSize(storage->dtype) : 0;
    setTitle(m_cellTitle,
             (!seen                            ? tr("Cell ")
              : m_workspace->selection().hover ? tr("Hovered cell ")
                                               : tr("Picked cell ")) +
                 cellName(snapshot, seen.value_or(*pick)),
             m_cellNote,
             !seen       ? tr("not on stage")
             : bytes > 1 ? tr("%1 bytes, little-endian").arg(bytes)
                         : tr("1 byte"));
    m_cell->setScene(cellBytesScene(snapshot, *pick, m_bitsOpen, width() - 2 * kMargin));
}

void Inspector::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    // A scroll bar that comes and goes with what is pointed at stands in the margin: no row is broken anew for it.
    m_column->setContentsMargins(kMargin, 10, std::max(0, kMargin - (width() - viewport()->width())), 10);
    refreshFigures();
    refreshCell();
}

} // namespace stridescope
